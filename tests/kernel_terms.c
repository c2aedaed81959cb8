// SPDX-License-Identifier: MIT
#include "kernel_terms.h"
#include "reductio/sources.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <cmocka.h>

enum { UNITS_MAX = 64 };

/* What the law of the checkpoint says of the cell; of one that it doesn't claim, the cell itself. */
static rd_term by_law(struct program *program, const struct rd_cut *cut, rd_term index,
                      rd_term cell)
{
    const struct rd_law *law = program->subject.paragraph->law;
    struct rd_law_reader *reader = program->subject.reader;
    struct rd_law_numbers at = rd_subject_numbers(&program->subject, program->after);
    const struct rd_law_reading reading = {.role = RD_LAW_LAW};
    at.block = program->b;
    at.variable = cut->variable;
    for (size_t k = 1; k < law->n_sections; k++)
        if (strcasecmp(law->sections[k]->name, cut->point) == 0)
            return rd_choice(program->proof.terms,
                             rd_law_term_live(reader, law->sections[k], RD_LAW_LAW, &at, index),
                             rd_law_term_count(reader, law->sections[k], &reading, &at, index),
                             cell);
    return cell;
}

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
    const rd_term cell =
        rd_apply(terms, rd_terms_text(terms, "cell of %s at %s", array->name, cut->point), 2, of);
    return program->reading == BY_LAW && cut->array == array ? by_law(program, cut, index, cell)
                                                             : cell;
}

/* The inputs of which the law says that the array holds elements: only products ask. */
static unsigned inputs_of(void *self, const struct rd_cut *cut, const struct rd_prove_array *array)
{
    struct launch *launch = self;
    struct rd_proof_subject *subject = &launch->program->subject;
    if (array->input >= 0)
        return 1u << array->input;
    if (array == &launch->A)
        rd_subject_count(subject, launch->before, subject->cell);
    else if (array->is_shared && cut->array == array)
        by_law(launch->program, cut, subject->cell, rd_number(launch->program->proof.terms, 0));
    else
        return 0;
    return rd_law_reader_inputs(subject->reader);
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

static const char sums[] = "whose sum the prover can't state";

/* A loop that adds cells of which nothing is known requires that it doesn't. */
static bool adds_cells(const struct rd_execution *execution)
{
    for (size_t s = 0; s < execution->n_segments; s++)
        for (size_t k = 0; k < execution->segments[s].n_requirements; k++)
            if (strstr(execution->segments[s].requirements[k].what, "a loop adds live cells alone"))
                return true;
    return false;
}

/* The files of a program, read once for all programs. NULL: not in the language of kernels. */
static struct unit {
    const char *file;
    struct rd_syntax_unit *unit;
} units[UNITS_MAX];

static struct rd_syntax_unit *unit_of(const char *file)
{
    struct rd_error error;
    size_t k = 0;
    while (k < UNITS_MAX && units[k].file && strcmp(units[k].file, file) != 0)
        k++;
    assert_true(k < UNITS_MAX);
    if (units[k].file)
        return units[k].unit;
    const enum rd_status status = rd_syntax_read_kernels(&units[k].unit, file, NULL, &error);
    if (status == RD_ERROR_IO || status == RD_ERROR_DEVICE) {
        print_message("%s\n", error.text);
        skip();
    }
    if (status != RD_OK)
        units[k].unit = NULL;
    units[k].file = file;
    return units[k].unit;
}

void program_forget_files(void)
{
    for (size_t k = 0; k < UNITS_MAX; k++) {
        rd_syntax_destroy(units[k].unit);
        units[k] = (struct unit){NULL, NULL};
    }
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
    launch->unit = unit_of(strrchr(source->path, '/') + 1);
    *why = "its syntax";
    if (!launch->unit)
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
        .inputs = inputs_of,
        .self = launch,
    };
    *why = launch->execution.failure;
    if (!rd_execute(&launch->execution, rd_syntax_function_named(launch->unit, name),
                    of->n_operands, arguments))
        return false;
    *why = sums;
    return program->reading == BY_LAW || !adds_cells(&launch->execution);
}

void program_close(struct program *program)
{
    for (size_t k = 0; k < program->n_launches; k++) {
        rd_execution_finish(&program->launches[k].execution);
    }
    rd_subject_finish(&program->subject);
    rd_proof_finish(&program->proof);
}

static bool open_by(struct program *program, const struct rd_program *of, enum reading reading,
                    const char **why)
{
    static char reason[300];
    struct rd_counted counted[RD_COUNTED_MAX];
    bool is = true;
    *program = (struct program){.reading = reading,
                                .proof = {.name = of->name, .terms = rd_terms_create()}};
    struct rd_terms *terms = program->proof.terms;
    assert_non_null(terms);
    rd_subject_counted(of, counted);
    rd_subject_init(&program->subject, of, &program->proof, counted[0], false);
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

/* One element of 1 among zeros doesn't tell the coefficient of its square from that of itself. */
static bool counts_squares(const struct rd_program *of)
{
    struct rd_counted counted[RD_COUNTED_MAX];
    const size_t count = rd_subject_counted(of, counted);
    for (size_t k = 0; k < count; k++)
        if (counted[k].again)
            return true;
    return false;
}

bool program_open(struct program *program, const struct rd_program *of, const char **why)
{
    for (int reading = BY_CELL; reading < READINGS; reading++) {
        if (open_by(program, of, (enum reading)reading, why))
            return true;
        if (!strstr(*why, sums) || counts_squares(of))
            break;
    }
    return false;
}
