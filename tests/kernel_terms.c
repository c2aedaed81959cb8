// SPDX-License-Identifier: MIT
#include "kernel_terms.h"
#include "reductio/sources.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static rd_term read_array(void *self, const struct rd_cut *cut, const struct rd_prove_array *array,
                          rd_term index)
{
    struct launch *launch = self;
    struct program *program = launch->program;
    struct rd_terms *terms = program->proof.terms;
    if (array->input >= 0 && program->reading != BY_CELL)
        return rd_count_of(terms, rd_equal(terms, index, program->subject.units[array->input]));
    if (array == &launch->A && program->reading == BY_LAW)
        return rd_subject_value(&program->subject, launch->before, index);
    if (!array->is_shared)
        return rd_apply(terms, rd_terms_text(terms, "cell of %s", array->name), 1, &index);
    if (!cut->point)
        return rd_apply(terms, "nobody knows", 1, &index);
    const rd_term of[] = {index, cut->variable};
    return rd_apply(terms, rd_terms_text(terms, "cell of %s at %s", array->name, cut->point), 2,
                    of);
}

static rd_term read_lane(void *self, const struct rd_cut *cut, rd_term thread)
{
    struct launch *launch = self;
    struct rd_terms *terms = launch->program->proof.terms;
    const rd_term of[] = {thread, cut->variable};
    return rd_apply(terms, rd_terms_text(terms, "lane at %s", cut->point), 2, of);
}

rd_term program_number(struct program *program, const struct law_node *node)
{
    const struct rd_law_numbers at = rd_subject_numbers(&program->subject, program->after);
    return rd_law_term_of(program->subject.reader, program->subject.array, node, &at);
}

static bool is_atomic(const struct rd_execution *execution, const char **why)
{
    for (size_t s = 0; s < execution->n_segments; s++)
        for (size_t k = 0; k < execution->segments[s].n_accesses; k++)
            if (execution->segments[s].accesses[k].is_atomic) {
                *why = "atomic accesses";
                return true;
            }
    return false;
}

/* False: with the reason in *why. */
static bool execute(struct program *program, size_t index, const char **why)
{
    struct launch *launch = &program->launches[index];
    struct rd_proof_subject *subject = &program->subject;
    const struct rd_law *law = subject->paragraph->law;
    const struct law_launch *of = &law->launches[index];
    const struct rd_law_numbers at = rd_subject_numbers(subject, program->after);
    struct rd_argument arguments[RD_PROVE_ARGUMENTS_MAX] = {0};
    const char *name = rd_paragraph_kernel(subject->paragraph, index);
    const struct rd_source *source = rd_source_of_kernel(name);
    struct rd_error error;
    struct rd_launching launchings[RD_LAUNCHINGS_MAX];
    const size_t n_launchings = rd_subject_launchings(subject, launchings);
    launch->program = program;
    launch->before = program->d;
    for (size_t k = 0; k < n_launchings; k++)
        if (launchings[k].index == index && launchings[k].before->kind == RD_TERM_NUMBER)
            launch->before = launchings[k].before;
    rd_launchings_finish(n_launchings, launchings);
    launch->A = (struct rd_prove_array){
        .name = "A", .size = rd_law_term_size(subject->reader, subject->array, &at), .input = -1};
    *why = "memory that no law speaks of";
    for (unsigned k = 0; k < of->n_operands; k++) {
        const struct law_operand *operand = &of->operands[k];
        if (operand->kind == RD_LAW_OPERAND_ARRAY) {
            arguments[k].array = &launch->A;
        } else if (operand->kind == RD_LAW_OPERAND_INPUT) {
            launch->inputs[operand->input] = (struct rd_prove_array){
                .name = rd_law_input_name(law, operand->input),
                .size = rd_law_term_input_size(subject->reader, operand->input, &at),
                .input = (int)operand->input};
            arguments[k].array = &launch->inputs[operand->input];
        } else if (operand->kind == RD_LAW_OPERAND_NUMBER) {
            arguments[k].number = program_number(program, operand->node);
        } else {
            return false;
        }
    }
    *why = "two dimensions";
    if (of->threads[1] || of->grid[1] || of->block[1])
        return false;
    assert_non_null(source);
    const enum rd_status status =
        rd_syntax_read_kernels(&launch->unit, strrchr(source->path, '/') + 1, NULL, &error);
    if (status == RD_ERROR_IO || status == RD_ERROR_DEVICE) {
        print_message("%s\n", error.text);
        skip();
    }
    *why = "its syntax";
    if (status != RD_OK)
        return false;
    launch->execution = (struct rd_execution){
        .terms = program->proof.terms,
        .unit = launch->unit,
        .thread = program->t,
        .block = program->b,
        .threads = program->T,
        .blocks = program->grid,
        .origin = program->origin,
        .dynamic_size =
            of->shared ? program_number(program, of->shared) : rd_number(program->proof.terms, 0),
        .n_units = subject->n_units,
        .units = subject->units,
        .read = read_array,
        .lane = read_lane,
        .self = launch,
    };
    *why = launch->execution.failure;
    return rd_execute(&launch->execution, rd_syntax_function_named(launch->unit, name),
                      of->n_operands, arguments) &&
           !is_atomic(&launch->execution, why);
}

void program_close(struct program *program)
{
    for (size_t k = 0; k < program->n_launches; k++) {
        rd_execution_finish(&program->launches[k].execution);
        rd_syntax_destroy(program->launches[k].unit);
    }
    rd_subject_finish(&program->subject);
    rd_proof_finish(&program->proof);
}

static bool open_by(struct program *program, const struct rd_program *of, enum reading reading,
                    const char **why)
{
    static char reason[300];
    bool is = true;
    *program = (struct program){.reading = reading,
                                .proof = {.name = of->name, .terms = rd_terms_create()}};
    struct rd_terms *terms = program->proof.terms;
    assert_non_null(terms);
    rd_subject_init(&program->subject, of, &program->proof, (1u << RD_SUBJECT_UNITS_MAX) - 1);
    program->d = program->subject.steps;
    program->after = rd_add(terms, program->d, rd_number(terms, 1));
    program->t = rd_constant(terms, "t");
    program->b = rd_constant(terms, "b");
    program->T = rd_constant(terms, "block");
    program->grid = rd_constant(terms, "grid");
    program->origin = rd_constant(terms, "first thread");
    *why = program->subject.failure;
    program->n_launches =
        rd_subject_goes(&program->subject) ? program->subject.paragraph->law->n_launches : 0;
    is = program->n_launches > 0 && program->n_launches <= LAUNCHES_MAX;
    for (size_t k = 0; k < program->n_launches && is; k++)
        is = execute(program, k, why);
    is = is && rd_subject_goes(&program->subject);
    if (!is) {
        snprintf(reason, sizeof reason, "%s", *why);
        *why = reason;
        program_close(program);
    }
    return is;
}

bool program_open(struct program *program, const struct rd_program *of, const char **why)
{
    static const char sums[] = "whose sum the prover can't state";
    for (int reading = BY_CELL; reading < READINGS; reading++) {
        if (open_by(program, of, (enum reading)reading, why))
            return true;
        if (!strstr(*why, sums))
            break;
    }
    return false;
}
