// SPDX-License-Identifier: MIT
/* The goals of a launch: the kernel's segments, from the law before to the law behind. */
#include "prove/host_contents.h"
#include "prove/segment.h"
#include "reductio/sources.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- reading arrays ---- */

const struct rd_law_section *rd_section_of(const struct rd_launch_proof *launch,
                                           const struct rd_cut *cut)
{
    if (launch->subject->host)
        return rd_host_section(launch->subject->host, cut);
    const struct rd_law *law = launch->subject->paragraph->law;
    for (size_t k = 1; k < law->n_sections && cut->point; k++)
        if (strcasecmp(law->sections[k]->name, cut->point) == 0)
            return law->sections[k];
    return NULL;
}

static struct rd_law_numbers numbers_at(const struct rd_launch_proof *launch,
                                        const struct rd_cut *cut, rd_term warp)
{
    struct rd_law_numbers at = rd_subject_numbers(launch->subject, launch->after);
    at.block = launch->block;
    at.warp = warp;
    at.variable = cut->variable;
    return at;
}

rd_term rd_cut_live(struct rd_launch_proof *launch, const struct rd_cut *cut, rd_term warp,
                    rd_term cell)
{
    if (launch->subject->host)
        return rd_host_cut_live(launch->subject->host, cut, cell);
    const struct rd_law_section *section = rd_section_of(launch, cut);
    const struct rd_law_numbers at = numbers_at(launch, cut, warp);
    return section ? rd_law_term_live(launch->subject->reader, section, RD_LAW_LAW, &at, cell)
                   : rd_false(launch->subject->terms);
}

rd_term rd_cut_count(struct rd_launch_proof *launch, const struct rd_cut *cut, rd_term warp,
                     rd_term cell)
{
    if (launch->subject->host)
        return rd_host_cut_count(launch->subject->host, cut, cell);
    const struct rd_law_section *section = rd_section_of(launch, cut);
    const struct rd_law_numbers at = numbers_at(launch, cut, warp);
    const struct rd_law_reading reading = {.role = RD_LAW_LAW};
    return section ? rd_law_term_count(launch->subject->reader, section, &reading, &at, cell)
                   : rd_number(launch->subject->terms, 0);
}

static rd_term read_array(void *self, const struct rd_cut *cut, const struct rd_prove_array *array,
                          rd_term index)
{
    struct rd_launch_proof *launch = self;
    struct rd_proof_subject *subject = launch->subject;
    struct rd_terms *terms = subject->terms;
    const rd_term of[] = {launch->block, index};
    if (array->input >= 0 && !subject->units[array->input])
        return rd_number(terms, 0);
    if (array->input >= 0)
        return rd_count_of(terms, rd_equal(terms, index, subject->units[array->input]));
    if (array == launch->A)
        return rd_subject_value(subject, launch->before, index);
    const rd_term at_cut[] = {launch->block, index, cut->variable};
    if (!array->is_shared || cut->array != array)
        return rd_apply(terms, rd_terms_text(terms, "unknown %s %u", array->name, launch->fresh++),
                        2, of);
    return rd_choice(
        terms, rd_cut_live(launch, cut, NULL, index), rd_cut_count(launch, cut, NULL, index),
        rd_apply(terms, rd_terms_text(terms, "dead %s at %s", array->name, cut->point), 3, at_cut));
}

/* The value that the law gives a lane: of one that it doesn't name nothing is known. */
static rd_term read_lane(void *self, const struct rd_cut *cut, rd_term thread)
{
    struct rd_launch_proof *launch = self;
    struct rd_terms *terms = launch->subject->terms;
    const rd_term of[] = {launch->block, thread};
    return rd_choice(terms, rd_lane_live(launch, cut), rd_lane_count(launch, cut),
                     rd_apply(terms, rd_terms_text(terms, "dead lane %u", launch->fresh++), 2, of));
}

rd_term rd_lane_live(struct rd_launch_proof *launch, const struct rd_cut *cut)
{
    struct rd_terms *terms = launch->subject->terms;
    const rd_term size = rd_number(terms, 32);
    return rd_cut_live(launch, cut, rd_div(terms, launch->thread, size),
                       rd_mod(terms, launch->thread, size));
}

rd_term rd_lane_count(struct rd_launch_proof *launch, const struct rd_cut *cut)
{
    struct rd_terms *terms = launch->subject->terms;
    const rd_term size = rd_number(terms, 32);
    return rd_cut_count(launch, cut, rd_div(terms, launch->thread, size),
                        rd_mod(terms, launch->thread, size));
}

/* ---- the launch ---- */

static rd_term law_number(struct rd_launch_proof *launch, const struct law_node *node)
{
    struct rd_proof_subject *subject = launch->subject;
    const struct rd_law_numbers at = rd_subject_numbers(subject, launch->after);
    return rd_law_term_of(subject->reader, subject->array, node, &at);
}

/* A constant that equals the term; the term itself where it is as simple. */
static rd_term named(struct rd_launch_proof *launch, rd_term term, const char *name)
{
    struct rd_terms *terms = launch->subject->terms;
    if (term->kind == RD_TERM_CONSTANT || term->kind == RD_TERM_NUMBER)
        return term;
    const rd_term constant = rd_constant(terms, name);
    rd_term_list_add(terms, &launch->hypotheses, rd_equal(terms, constant, term));
    return constant;
}

static void find_shape(struct rd_launch_proof *launch, const struct law_launch *of)
{
    struct rd_proof_subject *subject = launch->subject;
    struct rd_terms *terms = subject->terms;
    const rd_term one = rd_number(terms, 1);
    if (of->threads[1] || of->grid[1] || of->block[1]) {
        rd_subject_fail(subject, "%s is launched in two dimensions", launch->name);
        return;
    }
    const rd_term work = of->threads[0] ? law_number(launch, of->threads[0]) : NULL;
    launch->threads = named(launch,
                            of->block[0] ? law_number(launch, of->block[0])
                                         : rd_least(terms, subject->T, work ? work : subject->T),
                            "block");
    if (of->grid[0] || !work) {
        launch->grid = named(launch, of->grid[0] ? law_number(launch, of->grid[0]) : one, "grid");
        launch->all = rd_multiply(terms, launch->grid, launch->threads);
        return;
    }
    /* ceil(work / block) blocks have enough threads, and fewer than a block too many. */
    launch->work = work;
    launch->grid = rd_constant(terms, "grid");
    launch->all = rd_constant(terms, "threads");
    rd_term_list_add(terms, &launch->hypotheses, rd_at_most(terms, work, launch->all));
    rd_term_list_add(terms, &launch->hypotheses,
                     rd_less(terms, launch->all, rd_add(terms, work, launch->threads)));
    rd_term_list_add(terms, &launch->hypotheses, rd_at_most(terms, one, launch->grid));
}

static void find_arguments(struct rd_launch_proof *launch, const struct law_launch *of,
                           struct rd_argument arguments[RD_PROVE_ARGUMENTS_MAX])
{
    struct rd_proof_subject *subject = launch->subject;
    const struct rd_law_numbers at = rd_subject_numbers(subject, launch->after);
    launch->own = (struct rd_prove_array){
        .name = "A",
        .size = rd_law_term_size(subject->reader, subject->array, &at),
        .input = -1,
    };
    launch->A = &launch->own;
    for (unsigned k = 0; k < of->n_operands && rd_subject_goes(subject); k++) {
        const struct law_operand *operand = &of->operands[k];
        switch (operand->kind) {
        case RD_LAW_OPERAND_ARRAY:
            arguments[k].array = launch->A;
            break;
        case RD_LAW_OPERAND_INPUT:
            launch->inputs[operand->input] = (struct rd_prove_array){
                .name = rd_law_input_name(subject->paragraph->law, operand->input),
                .size = rd_law_term_input_size(subject->reader, operand->input, &at),
                .input = (int)operand->input,
            };
            arguments[k].array = &launch->inputs[operand->input];
            break;
        case RD_LAW_OPERAND_NUMBER:
            arguments[k].number = law_number(launch, operand->node);
            break;
        default:
            rd_subject_fail(subject, "%s is passed memory that no law speaks of", launch->name);
        }
    }
}

/* ---- the kernel ---- */

static const struct rd_syntax_function *read_kernel(struct rd_launch_proof *launch,
                                                    struct rd_syntax_unit **unit)
{
    struct rd_proof_subject *subject = launch->subject;
    const struct rd_source *source = rd_source_of_kernel(launch->name);
    struct rd_error error;
    *unit = NULL;
    if (!source) {
        rd_subject_fail(subject, "the source of %s is not among the program's", launch->name);
        return NULL;
    }
    const char *slash = strrchr(source->path, '/'), *file = slash ? slash + 1 : source->path;
    const struct rd_prove_options *options = subject->options;
    const bool is_changed =
        options && options->changed_file && strcmp(file, options->changed_file) == 0;
    const enum rd_status status =
        rd_syntax_read_kernels(unit, file, is_changed ? options->changed_text : NULL, &error);
    if (status != RD_OK) { /* RD_ERROR_INPUT: it has what the reader doesn't know */
        rd_subject_fail_by(subject, status == RD_ERROR_INPUT ? RD_OK : status, error.text);
        return NULL;
    }
    const struct rd_syntax_function *kernel = rd_syntax_function_named(*unit, launch->name);
    if (!kernel || !kernel->body)
        rd_subject_fail(subject, "%s is not in %s", launch->name, source->path);
    return kernel;
}

/* The number of a thread in the grid, less that in its block, in place of the block's first; or the product that it is. */
static rd_term replace_origin(struct rd_launch_proof *launch, rd_term term, bool by_number)
{
    struct rd_terms *terms = launch->subject->terms;
    const rd_term first = by_number ? rd_subtract(terms, launch->number, launch->thread)
                                    : rd_multiply(terms, launch->block, launch->threads);
    return term ? rd_replace(terms, term, 1, &launch->origin, &first) : NULL;
}

static bool knows_number_only(struct rd_launch_proof *launch, rd_term term)
{
    if (!term)
        return true;
    const rd_term by_number = replace_origin(launch, term, true);
    return !rd_term_has(by_number, launch->block) && !rd_term_has(by_number, launch->thread);
}

static bool is_by_number(struct rd_launch_proof *launch)
{
    const struct rd_execution *execution = &launch->execution;
    if (execution->n_segments != 1)
        return false;
    const struct rd_segment *segment = &execution->segments[0];
    bool is = knows_number_only(launch, segment->path);
    for (size_t k = 0; k < segment->n_accesses; k++) {
        const struct rd_kernel_access *access = &segment->accesses[k];
        is = is && !access->array->is_shared && knows_number_only(launch, access->index) &&
             knows_number_only(launch, access->value) && knows_number_only(launch, access->path);
    }
    for (size_t k = 0; k < segment->n_requirements; k++)
        is = is && !segment->requirements[k].is_barrier &&
             knows_number_only(launch, segment->requirements[k].path);
    return is;
}

void rd_launch_name_places(struct rd_launch_proof *launch)
{
    const bool by_number = is_by_number(launch);
    for (size_t s = 0; s < launch->execution.n_segments; s++) {
        struct rd_segment *segment = &launch->execution.segments[s];
        segment->path = replace_origin(launch, segment->path, by_number);
        segment->lane = replace_origin(launch, segment->lane, by_number);
        for (size_t k = 0; k < segment->n_accesses; k++) {
            struct rd_kernel_access *access = &segment->accesses[k];
            access->index = replace_origin(launch, access->index, by_number);
            access->value = replace_origin(launch, access->value, by_number);
            access->path = replace_origin(launch, access->path, by_number);
        }
        for (size_t k = 0; k < segment->n_requirements; k++) {
            struct rd_requirement *requirement = &segment->requirements[k];
            requirement->path = replace_origin(launch, requirement->path, by_number);
            requirement->control = replace_origin(launch, requirement->control, by_number);
            requirement->condition = replace_origin(launch, requirement->condition, by_number);
        }
    }
    launch->by_number = by_number;
    if (!by_number && launch->work) { /* the blocks count, too */
        struct rd_terms *terms = launch->subject->terms;
        rd_term_list_add(
            terms, &launch->hypotheses,
            rd_equal(terms, launch->all, rd_multiply(terms, launch->grid, launch->threads)));
        rd_term_list_add(terms, &launch->hypotheses,
                         rd_at_most(terms, launch->grid, rd_number(terms, 2147483647)));
    }
}

static void execute(struct rd_launch_proof *launch, const struct law_launch *of)
{
    struct rd_proof_subject *subject = launch->subject;
    struct rd_argument arguments[RD_PROVE_ARGUMENTS_MAX] = {0};
    struct rd_syntax_unit *unit = NULL;
    find_shape(launch, of);
    find_arguments(launch, of, arguments);
    launch->execution = (struct rd_execution){
        .terms = subject->terms,
        .thread = launch->thread,
        .block = launch->block,
        .threads = launch->threads,
        .blocks = launch->grid,
        .origin = launch->origin,
        .dynamic_size = of->shared ? law_number(launch, of->shared) : rd_number(subject->terms, 0),
        .n_units = subject->n_units,
        .units = subject->units,
        .read = read_array,
        .lane = read_lane,
        .self = launch,
    };
    const struct rd_syntax_function *kernel =
        rd_subject_goes(subject) ? read_kernel(launch, &unit) : NULL;
    launch->execution.unit = launch->unit = unit;
    if (kernel && rd_subject_goes(subject) &&
        !rd_execute(&launch->execution, kernel, of->n_operands, arguments))
        rd_subject_fail_by(subject, launch->execution.lacks_memory ? RD_ERROR_MEMORY : RD_OK,
                           launch->execution.failure);
}

void rd_subject_prove_launch(struct rd_proof_subject *subject, const struct rd_launching *launching)
{
    struct rd_terms *terms = subject->terms;
    struct rd_launch_proof launch = {
        .subject = subject,
        .name = launching->kernel,
        .points = &subject->points[launching->index],
        .before = launching->before,
        .after = rd_add(terms, launching->before, rd_number(terms, 1)),
        .thread = rd_constant(terms, "t"),
        .block = rd_constant(terms, "b"),
        .number = rd_constant(terms, "thread"),
        .origin = rd_constant(terms, "first thread"),
    };
    rd_term_list_add_all(terms, &launch.hypotheses, &launching->hypotheses);
    execute(&launch, &subject->paragraph->law->launches[launching->index]);
    if (rd_subject_goes(subject)) {
        rd_launch_name_places(&launch);
        rd_launch_add_goals(&launch);
    }
    rd_execution_finish(&launch.execution);
    rd_syntax_destroy(launch.unit);
    rd_term_list_finish(&launch.hypotheses);
}
