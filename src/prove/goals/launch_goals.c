// SPDX-License-Identifier: MIT
/* The goals of a launch: the kernel's segments, from the law before to the law behind. */
#include "prove/host/contents.h"
#include "prove/goals/segment.h"
#include "reductio/sources.h"

#include <limits.h>
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
    at.block = rd_block_number(launch);
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
    const rd_term of[] = {rd_block_number(launch), index};
    if (array->input >= 0 && !subject->units[array->input])
        return rd_number(terms, 0);
    if (array->input >= 0)
        return rd_count_of(terms, rd_equal(terms, index, subject->units[array->input]));
    if (array == launch->A)
        return rd_subject_value(subject, launch->before, index);
    const rd_term at_cut[] = {of[0], index, cut->variable};
    if (!array->is_shared || cut->array != array)
        return rd_apply(terms, rd_terms_text(terms, "unknown %s %u", array->name, launch->fresh++),
                        2, of);
    return rd_choice(
        terms, rd_cut_live(launch, cut, NULL, index), rd_cut_count(launch, cut, NULL, index),
        rd_apply(terms, rd_terms_text(terms, "dead %s at %s", array->name, cut->point), 3, at_cut));
}

/* The inputs of which the law's values there are. */
static unsigned inputs_of(void *self, const struct rd_cut *cut, const struct rd_prove_array *array)
{
    struct rd_launch_proof *launch = self;
    struct rd_proof_subject *subject = launch->subject;
    if (array->input >= 0)
        return 1u << array->input;
    if (array == launch->A)
        rd_subject_count(subject, launch->before, subject->cell);
    else if (array->is_shared && cut->array == array)
        rd_cut_count(launch, cut, NULL, subject->cell);
    else
        return array->is_shared && cut->is_bare ? UINT_MAX : 0;
    return rd_law_reader_inputs(subject->reader);
}

/* The value that the law gives a lane: of one that it doesn't name nothing is known. */
static rd_term read_lane(void *self, const struct rd_cut *cut, rd_term thread)
{
    struct rd_launch_proof *launch = self;
    struct rd_terms *terms = launch->subject->terms;
    const rd_term of[] = {rd_block_number(launch), rd_thread_number(launch)};
    (void)thread;
    return rd_choice(terms, rd_lane_live(launch, cut), rd_lane_count(launch, cut),
                     rd_apply(terms, rd_terms_text(terms, "dead lane %u", launch->fresh++), 2, of));
}

/* The warp of a thread, and its lane there. In a block of rows the lane is what is left of the thread's number, so that both
 * together are that number again: the same as the remainder. */
static rd_term lane_of(struct rd_launch_proof *launch, rd_term *warp)
{
    struct rd_terms *terms = launch->subject->terms;
    const rd_term size = rd_number(terms, 32), number = rd_thread_number(launch);
    *warp = rd_div(terms, number, size);
    return launch->y.thread ? rd_subtract(terms, number, rd_multiply(terms, size, *warp))
                            : rd_mod(terms, number, size);
}

/* The term for a thread at its place: of its numbers it is known that they are those of a thread of the launch. */
static rd_term at_place(const struct rd_launch_proof *launch, rd_term term)
{
    struct rd_terms *terms = launch->subject->terms;
    const struct rd_launch_rows *y = &launch->y;
    const rd_term zero = rd_number(terms, 0), yes = rd_true(terms), no = rd_false(terms),
                  own = rd_thread_number(launch);
    if (!y->origin)
        return term;
    const rd_term from[] = {rd_less(terms, launch->thread, launch->threads),
                            rd_less(terms, launch->thread, zero),
                            rd_less(terms, y->thread, y->threads),
                            rd_less(terms, y->thread, zero),
                            rd_less(terms, own, rd_block_size(launch)),
                            rd_less(terms, own, zero),
                            rd_less(terms, launch->number, zero),
                            rd_less(terms, y->number, zero)};
    const rd_term to[] = {yes, no, yes, no, yes, no, no, no};
    return rd_replace(terms, term, 8, from, to);
}

/* Says what the law says of a lane by the thread's own numbers. Each goal that has it is of a thread of the launch: rd_place_of is
 * among its hypotheses, so that x div width is 0, and the number in the grid is what it is called; and that there are so many
 * blocks is one of the launch's. */
static rd_term by_own_numbers(struct rd_launch_proof *launch, rd_term said)
{
    struct rd_terms *terms = launch->subject->terms;
    const struct rd_launch_rows *y = &launch->y;
    const rd_term zero = rd_number(terms, 0), size = rd_number(terms, 32), x = launch->thread,
                  width = launch->threads, block = launch->block, grid = launch->grid,
                  own = rd_thread_number(launch);
    if (!y->origin)
        return said;
    const rd_term from[][4] = {
        {launch->said_grid, rd_mod(terms, own, size)},
        {rd_div(terms, x, width), rd_mod(terms, x, width), rd_div(terms, block, grid),
         rd_mod(terms, block, grid)},
        {rd_multiply(terms, block, width), rd_multiply(terms, y->block, y->threads)},
    };
    const rd_term to[][4] = {
        {grid, rd_subtract(terms, own, rd_multiply(terms, size, rd_div(terms, own, size)))},
        {zero, x, zero, block},
        {rd_subtract(terms, launch->number, x), rd_subtract(terms, y->number, y->thread)},
    };
    said = rd_replace(terms, said, 2, from[0], to[0]);
    said = rd_replace(terms, said, 4, from[1], to[1]);
    return at_place(launch, rd_replace(terms, said, 2, from[2], to[2]));
}

rd_term rd_lane_live(struct rd_launch_proof *launch, const struct rd_cut *cut)
{
    rd_term warp;
    const rd_term lane = lane_of(launch, &warp);
    return by_own_numbers(launch, rd_cut_live(launch, cut, warp, lane));
}

rd_term rd_lane_count(struct rd_launch_proof *launch, const struct rd_cut *cut)
{
    rd_term warp;
    const rd_term lane = lane_of(launch, &warp);
    return by_own_numbers(launch, rd_cut_count(launch, cut, warp, lane));
}

/* ---- the launch ---- */

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
            arguments[k].number = rd_launch_number(launch, operand->node);
            break;
        case RD_LAW_OPERAND_SCRATCH:
            if (launch->scratch.name)
                rd_subject_fail(subject, "%s is passed one scratch memory twice", launch->name);
            launch->scratch =
                (struct rd_prove_array){.name = "scratch",
                                        .size = rd_launch_number(launch, operand->node->kids[0]),
                                        .input = -1,
                                        .is_scratch = true};
            arguments[k].array = &launch->scratch;
            break;
        case RD_LAW_OPERAND_TICKET:
            if (launch->ticket.name)
                rd_subject_fail(subject, "%s is passed one ticket twice", launch->name);
            launch->ticket = (struct rd_prove_array){.name = "ticket",
                                                     .size = rd_number(subject->terms, 1),
                                                     .input = -1,
                                                     .is_ticket = true};
            arguments[k].array = &launch->ticket;
            break;
        default:
            rd_subject_fail(subject, "%s is passed what a proof doesn't know", launch->name);
        }
    }
}

/* Names memory as the kernel does. */
static void name_arguments(struct rd_launch_proof *launch, const struct rd_syntax_function *kernel,
                           size_t count, const struct rd_argument arguments[])
{
    for (size_t k = 0; k < count && k < kernel->n_parameters; k++)
        if (arguments[k].array == &launch->scratch || arguments[k].array == &launch->ticket)
            (arguments[k].array == &launch->scratch ? &launch->scratch : &launch->ticket)->name =
                rd_terms_text(launch->subject->terms, "%s", kernel->parameters[k]->name);
}

/* What is known of the blocks that meet, or draw tickets. */
static void add_meeting(struct rd_launch_proof *launch, const struct law_launch *of)
{
    struct rd_terms *terms = launch->subject->terms;
    const struct rd_execution *execution = &launch->execution;
    if (launch->y.number && (execution->meets || execution->ticket.drawn || launch->scratch.name))
        rd_subject_fail(launch->subject,
                        "%s has blocks that meet, and is launched in two dimensions", launch->name);
    if (execution->meets && !of->cooperative)
        rd_subject_fail(launch->subject,
                        "%s has a barrier of the grid, and its launch is not 'cooperative'",
                        launch->name);
    if (execution->ticket.drawn)
        rd_term_list_add(
            terms, &launch->hypotheses,
            rd_within(terms, rd_number(terms, 0), execution->ticket.last, launch->grid));
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
    subject->read_changed = subject->read_changed || is_changed;
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

/* The number of a thread in the grid, less that in its block, in place of the block's first; or the product that it
 * is. In a launch with rows, places are products with these numbers: they have names of their own, and rd_place_of
 * says what these are. */
static rd_term replace_origin(struct rd_launch_proof *launch, rd_term term, bool by_number)
{
    struct rd_terms *terms = launch->subject->terms;
    const struct rd_launch_rows *y = &launch->y;
    rd_term from[] = {launch->origin, NULL}, to[2];
    unsigned count = 1;
    to[0] = by_number || y->origin ? rd_subtract(terms, launch->number, launch->thread)
                                   : rd_multiply(terms, launch->block, launch->threads);
    if (y->origin) {
        from[1] = y->origin;
        to[count++] = rd_subtract(terms, y->number, y->thread);
    } else if (by_number && y->number) { /* of blocks of one row, or of one row of blocks */
        from[1] = y->block ? y->block : y->thread;
        to[count++] = y->number;
    }
    return term ? at_place(launch, rd_replace(terms, term, count, from, to)) : NULL;
}

static bool knows_number_only(struct rd_launch_proof *launch, rd_term term)
{
    if (!term)
        return true;
    const rd_term by_number = replace_origin(launch, term, true);
    const rd_term others[] = {launch->block, launch->thread, launch->y.block, launch->y.thread};
    for (unsigned k = 0; k < 4; k++)
        if (others[k] && rd_term_has(by_number, others[k]))
            return false;
    return true;
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

static void name_places_of(struct rd_launch_proof *launch, size_t n_accesses,
                           struct rd_kernel_access *accesses, bool by_number)
{
    for (size_t k = 0; k < n_accesses; k++) {
        struct rd_kernel_access *access = &accesses[k];
        access->index = replace_origin(launch, access->index, by_number);
        access->value = replace_origin(launch, access->value, by_number);
        access->path = replace_origin(launch, access->path, by_number);
    }
}

void rd_launch_name_places(struct rd_launch_proof *launch)
{
    const bool by_number = is_by_number(launch);
    for (size_t k = 0; k < launch->execution.n_trips; k++) {
        struct rd_loop_trips *loop = &launch->execution.trips[k];
        loop->first = replace_origin(launch, loop->first, by_number);
        loop->stride = replace_origin(launch, loop->stride, by_number);
    }
    for (size_t s = 0; s < launch->execution.n_segments; s++) {
        struct rd_segment *segment = &launch->execution.segments[s];
        segment->path = replace_origin(launch, segment->path, by_number);
        segment->lane = replace_origin(launch, segment->lane, by_number);
        name_places_of(launch, segment->n_accesses, segment->accesses, by_number);
        name_places_of(launch, segment->n_earlier, segment->earlier, by_number);
        for (size_t k = 0; k < segment->n_requirements; k++) {
            struct rd_requirement *requirement = &segment->requirements[k];
            requirement->path = replace_origin(launch, requirement->path, by_number);
            requirement->control = replace_origin(launch, requirement->control, by_number);
            requirement->condition = replace_origin(launch, requirement->condition, by_number);
        }
    }
    rd_launch_count_blocks(launch, by_number);
}

/* Marks arrays that the kernel reads behind its own writes; false where there are no more of them. */
static bool finds_rewritten(struct rd_launch_proof *launch)
{
    struct rd_prove_array *arrays[RD_SUBJECT_UNITS_MAX + 1] = {&launch->own};
    bool found = false;
    for (size_t k = 0; k < RD_SUBJECT_UNITS_MAX; k++)
        arrays[k + 1] = &launch->inputs[k];
    for (size_t k = 0; k < RD_SUBJECT_UNITS_MAX + 1; k++)
        if (!arrays[k]->is_rewritten && rd_launch_rewrites(launch, arrays[k]))
            arrays[k]->is_rewritten = found = true;
    return found;
}

static void execute(struct rd_launch_proof *launch, const struct law_launch *of)
{
    struct rd_proof_subject *subject = launch->subject;
    struct rd_argument arguments[RD_PROVE_ARGUMENTS_MAX] = {0};
    struct rd_syntax_unit *unit = NULL;
    rd_launch_find_shape(launch, of);
    find_arguments(launch, of, arguments);
    launch->execution = (struct rd_execution){
        .terms = subject->terms,
        .thread = launch->thread,
        .block = launch->block,
        .threads = launch->threads,
        .blocks = launch->grid,
        .origin = launch->origin,
        .y = {launch->y.thread, launch->y.block, launch->y.threads, launch->y.grid,
              launch->y.origin},
        .dynamic_size =
            of->shared ? rd_launch_number(launch, of->shared) : rd_number(subject->terms, 0),
        .n_units = subject->n_units,
        .units = subject->units,
        .has_squares = subject->has_squares,
        .again = subject->again,
        .law_array = launch->A,
        .read = read_array,
        .inputs = inputs_of,
        .lane = read_lane,
        .self = launch,
    };
    const struct rd_syntax_function *kernel =
        rd_subject_goes(subject) ? read_kernel(launch, &unit) : NULL;
    launch->execution.unit = launch->unit = unit;
    if (kernel)
        name_arguments(launch, kernel, of->n_operands, arguments);
    const struct rd_execution at_first = launch->execution;
    bool again = kernel && rd_subject_goes(subject);
    while (again) {
        launch->execution = at_first;
        again = false;
        if (!rd_execute(&launch->execution, kernel, of->n_operands, arguments)) {
            rd_subject_fail_by(subject, launch->execution.lacks_memory ? RD_ERROR_MEMORY : RD_OK,
                               launch->execution.failure);
        } else if (finds_rewritten(launch)) {
            again = true;
            rd_execution_finish(&launch->execution);
        }
    }
    if (rd_subject_goes(subject))
        add_meeting(launch, of);
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
        rd_launch_add_access_counts(&launch, &subject->paragraph->law->launches[launching->index]);
        rd_launch_find_height(&launch);
    }
    rd_execution_finish(&launch.execution);
    rd_syntax_destroy(launch.unit);
    rd_term_list_finish(&launch.hypotheses);
}
