// SPDX-License-Identifier: MIT
/* Cells that a kernel reads. */
#include "prove/kernel/state.h"

/* The thread of the block that writes a cell. */
struct writer {
    rd_term x, y; /* its numbers there; y NULL: a block is one row */
};

/* Finds the number in one dimension: by the index, or, of an index that doesn't name it, by the path. */
static rd_term number_of_writer(struct rd_execution *execution, struct state *state,
                                const struct rd_kernel_access *access, rd_term index, rd_term name,
                                const struct rd_syntax_node *node)
{
    struct rd_terms *terms = execution->terms;
    rd_term factor, rest;
    if (!rd_term_has(access->index,
                     name)) /* one cell for all: its writer is the thread that the path names */
        return rd_solution(terms, access->path, name);
    if (!rd_is_linear(terms, access->index, name, &factor, &rest))
        return rd_solve_index(terms, access->path, access->index, name, index, &rest) ? rest : NULL;
    if (factor->kind != RD_TERM_NUMBER)
        rd_state_require(execution, state, rd_less(terms, rd_number(terms, 0), factor), node,
                         "threads side by side write cells of their own");
    return rd_div(terms, rd_subtract(terms, index, rest), factor);
}

/* Threads write cells first + slow*width + fast, where fast is below `count`. */
struct grid {
    rd_term slow, fast, count;
    rd_term *slow_of, *fast_of; /* of the writer */
};

/* Where the width is at least the count, slow and fast are the quotient and the remainder by it. What is seen of them are these if
 * its remainder is one. */
static bool find_in_grid(struct rd_execution *execution, struct state *state,
                         const struct rd_kernel_access *access, rd_term index,
                         const struct rd_syntax_node *node, const struct grid *grid)
{
    struct rd_terms *terms = execution->terms;
    rd_term width, one, rest, first;
    if (!rd_is_linear(terms, access->index, grid->slow, &width, &rest) ||
        !rd_is_linear(terms, rest, grid->fast, &one, &first) || one != rd_number(terms, 1) ||
        (width != grid->count && (width->kind != RD_TERM_NUMBER || width->number < 1)))
        return false;
    if (width != grid->count)
        rd_state_require(execution, state, rd_at_most(terms, grid->count, width), node,
                         "a row of the block's threads is within a row of the array");
    rd_split(terms, rd_subtract(terms, index, first), width, grid->slow_of, grid->fast_of);
    if (*grid->fast_of != grid->fast)
        rd_state_require(execution, state,
                         rd_within(terms, rd_number(terms, 0), *grid->fast_of, width), node,
                         "a cell that is read is in a row of the block's threads");
    return true;
}

/* Finds the only thread that can have written the cell; false where it can't be told. */
static bool find_writer(struct rd_execution *execution, struct state *state,
                        const struct rd_kernel_access *access, rd_term index,
                        const struct rd_syntax_node *node, struct writer *writer)
{
    const rd_term x = execution->thread, y = execution->y.thread;
    writer->y = NULL;
    if (!y || !rd_term_has(access->index, x) || !rd_term_has(access->index, y)) {
        writer->x = number_of_writer(execution, state, access, index, x, node);
        if (y)
            writer->y = number_of_writer(execution, state, access, index, y, node);
        return writer->x && (!y || writer->y);
    }
    const struct grid by_rows = {y, x, execution->threads, &writer->y, &writer->x},
                      by_columns = {x, y, execution->y.threads, &writer->x, &writer->y};
    return find_in_grid(execution, state, access, index, node, &by_rows) ||
           find_in_grid(execution, state, access, index, node, &by_columns);
}

/* Finds the condition under which a thread of the block has written the cell before a barrier, and what; false where
 * the thread can't be told. */
static bool written_before(struct rd_execution *execution, struct state *state,
                           const struct rd_kernel_access *access, rd_term index,
                           const struct rd_syntax_node *node, rd_term *condition, rd_term *written)
{
    struct rd_terms *terms = execution->terms;
    const rd_term zero = rd_number(terms, 0), x = execution->thread, y = execution->y.thread;
    struct writer writer;
    bool may_differ = false; /* between threads of the block */
    for (size_t k = 0; k < execution->heads.count; k++)
        may_differ =
            may_differ || (!rd_cut_fixes(execution, &state->base, execution->heads.terms[k]) &&
                           (rd_term_has(access->value, execution->heads.terms[k]) ||
                            rd_term_has(access->path, execution->heads.terms[k]) ||
                            rd_term_has(access->index, execution->heads.terms[k])));
    if (!find_writer(execution, state, access, index, node, &writer) ||
        (may_differ && (writer.x != x || writer.y != y)))
        return false;
    const rd_term from[] = {x, y}, to[] = {writer.x, writer.y};
    const unsigned count = y ? 2 : 1;
    rd_term made = rd_and(terms, access->path, rd_within(terms, zero, x, execution->threads));
    if (y)
        made = rd_and(terms, made, rd_within(terms, zero, y, execution->y.threads));
    made = rd_replace(terms, made, count, from, to);
    made = rd_and(terms, made,
                  rd_equal(terms, rd_replace(terms, access->index, count, from, to), index));
    *condition = made;
    *written = rd_replace(terms, access->value, count, from, to);
    return true;
}

/* Puts what a write leaves there, where it is made, over what the cell holds. */
static void write_over(struct rd_terms *terms, struct value *cell, rd_term condition,
                       rd_term written, unsigned inputs)
{
    const bool is_known = cell->n_origins > 0 && cell->n_origins < RD_ORIGINS_MAX;
    cell->term = rd_choice(terms, condition, written, cell->term);
    cell->inputs |= inputs;
    for (unsigned k = 0; k < cell->n_origins; k++)
        cell->origins[k].condition =
            rd_and(terms, cell->origins[k].condition, rd_not(terms, condition));
    if (is_known) {
        cell->origins[cell->n_origins].condition = condition;
        cell->origins[cell->n_origins].inputs = inputs;
    }
    cell->n_origins = is_known ? cell->n_origins + 1 : 0;
}

/* Finds what a cell holds behind the accesses; tells whether one of them may have written it. */
static bool go_behind(struct rd_execution *execution, struct state *state,
                      const struct rd_syntax_node *node, const struct rd_prove_array *array,
                      rd_term index, size_t n_accesses, const struct rd_kernel_access *accesses,
                      struct value *cell)
{
    bool may_be_written = false;
    struct rd_terms *terms = execution->terms;
    for (size_t k = 0; k < n_accesses; k++) {
        const struct rd_kernel_access *access = &accesses[k];
        if (access->array != array || !access->is_write)
            continue;
        if (access->is_atomic) {
            rd_execution_fail(execution, node, "'%s' is read, to which line %u adds atomically",
                              array->name, access->line);
            return true;
        }
        may_be_written = true;
        if (access->phase == state->phase || !array->is_shared) {
            write_over(terms, cell,
                       rd_and(terms, access->path, rd_equal(terms, access->index, index)),
                       access->value, access->inputs);
            continue;
        }
        rd_term condition, written;
        if (!written_before(execution, state, access, index, node, &condition, &written)) {
            rd_execution_fail(execution, node,
                              "'%s' is read, which line %u has written before a barrier, by a "
                              "thread that can't be told (an '//@ invariant' before a loop with "
                              "barriers says what '%s' holds)",
                              array->name, access->line, array->name);
            return true;
        }
        write_over(terms, cell, condition, written, access->inputs);
    }
    return may_be_written;
}

/* Returns the height of what lies in the array's cells at the cut, or was written into them since. */
static struct rd_height height_of(struct rd_execution *execution, const struct state *state,
                                  const struct rd_prove_array *array)
{
    const bool is_at_cut = array->is_shared ? state->from.array == array
                                            : !state->from.point && array == execution->law_array;
    struct rd_height height = {.mark = -1};
    if (!is_at_cut)
        return height;
    height = rd_height_cell(execution);
    for (size_t k = 0; k < state->n_earlier; k++)
        if (state->earlier[k].array == array && state->earlier[k].is_write)
            height = rd_height_either(execution, height, state->earlier[k].height);
    for (size_t k = 0; k < state->n_accesses; k++)
        if (state->accesses[k].array == array && state->accesses[k].is_write)
            height = rd_height_either(execution, height, state->accesses[k].height);
    return height;
}

/* Tells whether what is read of the array isn't known: trips of a loop have written to it, or blocks, behind which it is read. */
static bool is_unknown(const struct rd_execution *execution, const struct state *state,
                       const struct rd_prove_array *array)
{
    bool is = array->is_rewritten && (state->from.point || state->phase > 0);
    for (size_t k = 0; k < execution->n_unsettled; k++)
        is = is || execution->unsettled[k] == array;
    for (size_t k = 0; k < state->n_earlier; k++)
        is = is || (state->earlier[k].array == array && state->earlier[k].is_write &&
                    state->earlier[k].repeats);
    for (size_t k = 0; k < state->n_accesses; k++)
        is = is || (state->accesses[k].array == array && state->accesses[k].is_write &&
                    state->accesses[k].repeats);
    return is;
}

enum { HEADS_MAX = 8 };

rd_term rd_unknown(struct rd_execution *execution, const struct state *state, const char *name)
{
    rd_term of[RD_THREAD_NAMES_MAX + HEADS_MAX];
    unsigned count = rd_thread_names(execution, of);
    for (size_t k = 0; k < execution->heads.count; k++) {
        if (!rd_term_has(state->path, execution->heads.terms[k]))
            continue;
        if (count == RD_THREAD_NAMES_MAX + HEADS_MAX) {
            rd_execution_fail(execution, NULL, "'%s' in more than %u loops in each other", name,
                              (unsigned)HEADS_MAX);
            break;
        }
        of[count++] = execution->heads.terms[k];
    }
    return rd_apply(execution->terms,
                    rd_terms_text(execution->terms, "%s@%u", name, execution->fresh++), count, of);
}

struct value rd_unknown_element(struct rd_execution *execution, const struct state *state,
                                const char *name)
{
    struct value value = rd_element_value(rd_unknown(execution, state, name));
    value.height = (struct rd_height){.mark = -1};
    return value;
}

/* Reads what the thread has written there itself in this phase, the latest first; then what threads of the block wrote before a
 * barrier; else what lay there at the cut. Whether others write there at the same time is a goal of its own. */
struct value rd_read_memory(struct rd_execution *execution, struct state *state,
                            const struct rd_prove_array *array, rd_term index,
                            const struct rd_syntax_node *node)
{
    if (array->is_ticket) {
        rd_execution_fail(execution, node, "a ticket that is read otherwise than by atomicInc()");
        return rd_element_value(rd_number(execution->terms, 0));
    }
    if (array->is_scratch)
        return rd_read_scratch(execution, state, array, index, node);
    if (is_unknown(execution, state, array)) {
        rd_state_access(
            execution, state,
            (struct rd_kernel_access){
                .array = array, .index = index, .file = node->file, .line = node->line});
        return rd_unknown_element(execution, state, array->name);
    }
    struct value cell =
        rd_element_value(execution->read(execution->self, &state->from, array, index));
    if (execution->inputs)
        cell.inputs = execution->inputs(execution->self, &state->from, array);
    cell.n_origins = 1;
    cell.origins[0].condition = rd_true(execution->terms);
    cell.origins[0].inputs = cell.inputs;
    const bool by_earlier = go_behind(execution, state, node, array, index, state->n_earlier,
                                      state->earlier, &cell),
               is_written = go_behind(execution, state, node, array, index, state->n_accesses,
                                      state->accesses, &cell) ||
                            by_earlier;
    rd_state_access(execution, state,
                    (struct rd_kernel_access){
                        .array = array, .index = index, .file = node->file, .line = node->line});
    if (array->input >= 0 && !is_written && execution->units)
        return rd_element_of_input(execution, (unsigned)array->input, index, cell.term);
    cell.height = height_of(execution, state, array);
    return cell;
}

/* A row of an array of arrays: what is there is an array, so nothing is read. */
static struct value row_at(const struct value *pointer, const struct rd_syntax_type *type)
{
    struct value row = *pointer;
    row.stride = (unsigned)rd_type_cells(type->of);
    row.row = (unsigned)type->length;
    return row;
}

struct value rd_read_cells(struct rd_execution *execution, struct state *state,
                           const struct value *pointer, const struct rd_syntax_node *node)
{
    enum { CELLS_MAX = 16 };
    if (pointer->array->is_shared && node->type && node->type->kind == RD_SYNTAX_ARRAY)
        return row_at(pointer, node->type);
    struct rd_terms *terms = execution->terms;
    const unsigned count = rd_stride(pointer);
    rd_term parts[CELLS_MAX];
    if (count == 1)
        return rd_read_memory(execution, state, pointer->array, pointer->term, node);
    if (count > CELLS_MAX || rd_type_parts(node->type) != count) {
        rd_execution_fail(execution, node, "a load of such a type");
        return rd_nothing();
    }
    unsigned inputs = 0;
    for (unsigned k = 0; k < count; k++) {
        const struct value cell =
            rd_read_memory(execution, state, pointer->array,
                           rd_add(terms, pointer->term, rd_number(terms, k)), node);
        parts[k] = cell.term;
        inputs |= cell.inputs;
    }
    return rd_parts_from(execution, node, parts, inputs);
}

/* Names what has the index, where it is a name. */
static void fail_index(struct rd_execution *execution, const struct rd_syntax_node *node,
                       bool is_array)
{
    const struct rd_syntax_node *of = node;
    while (of->n_kids > 0 && (of->kind == RD_SYNTAX_INDEX || of->kind == RD_SYNTAX_ASSIGN ||
                              of->kind == RD_SYNTAX_UNARY || of->kind == RD_SYNTAX_CAST))
        of = of->kids[0];
    const char *name = of->kind == RD_SYNTAX_NAME && of->name ? of->name : "something";
    if (is_array)
        rd_execution_fail(execution, node, "an index into '%s' that is an element of an array",
                          name);
    else
        rd_execution_fail(execution, node,
                          "an index into '%s', which is no array that the prover knows", name);
}

void rd_pop_index(struct rd_execution *execution, struct state *state,
                  const struct rd_syntax_node *node, struct value *pointer)
{
    struct value index = rd_state_pop(state);
    *pointer = rd_state_pop(state);
    if (pointer->kind != VALUE_POINTER || index.kind != VALUE_NUMBER) {
        fail_index(execution, node, pointer->kind == VALUE_POINTER);
        return;
    }
    if (pointer->row > 0)
        rd_state_require(execution, state,
                         rd_within(execution->terms, rd_number(execution->terms, 0),
                                   rd_value_number(execution, index),
                                   rd_number(execution->terms, pointer->row)),
                         node, "an index into a row is within the row");
    pointer->row = 0;
    pointer->term =
        rd_add(execution->terms, pointer->term,
               rd_multiply(execution->terms, rd_number(execution->terms, rd_stride(pointer)),
                           rd_value_number(execution, index)));
}
