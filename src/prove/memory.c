// SPDX-License-Identifier: MIT
/* Cells that a kernel reads. */
#include "prove/state.h"

/* Returns the value of a cell that a thread of the block may have written before a barrier, else `value`; NULL where the thread can't
 * be told. */
static rd_term written_before(struct rd_execution *execution, const struct rd_cut *base,
                              const struct rd_kernel_access *access, rd_term index, rd_term value)
{
    struct rd_terms *terms = execution->terms;
    rd_term owner;
    bool may_differ = false; /* between threads of the block */
    for (size_t k = 0; k < execution->heads.count; k++)
        may_differ = may_differ || (!rd_cut_fixes(execution, base, execution->heads.terms[k]) &&
                                    (rd_term_has(access->value, execution->heads.terms[k]) ||
                                     rd_term_has(access->path, execution->heads.terms[k]) ||
                                     rd_term_has(access->index, execution->heads.terms[k])));
    if (!rd_solve_index(terms, access->path, access->index, execution->thread, index, &owner)) {
        if (rd_term_has(access->index, execution->thread))
            return NULL;
        /* One cell for all: its writer is the thread that the path names. */
        owner = rd_solution(terms, access->path, execution->thread);
        if (!owner)
            return NULL;
    }
    if (may_differ && owner != execution->thread)
        return NULL;
    const rd_term zero = rd_number(terms, 0);
    rd_term made =
        rd_and(terms, access->path, rd_within(terms, zero, execution->thread, execution->threads));
    made = rd_replace(terms, made, 1, &execution->thread, &owner);
    made = rd_and(
        terms, made,
        rd_equal(terms, rd_replace(terms, access->index, 1, &execution->thread, &owner), index));
    return rd_choice(terms, made, rd_replace(terms, access->value, 1, &execution->thread, &owner),
                     value);
}

/* Returns the value of a cell behind the accesses, which had that value before. */
static rd_term behind(struct rd_execution *execution, const struct state *state,
                      const struct rd_syntax_node *node, const struct rd_prove_array *array,
                      rd_term index, size_t n_accesses, const struct rd_kernel_access *accesses,
                      rd_term value)
{
    struct rd_terms *terms = execution->terms;
    for (size_t k = 0; k < n_accesses; k++) {
        const struct rd_kernel_access *access = &accesses[k];
        if (access->array != array || !access->is_write)
            continue;
        if (access->is_atomic) {
            rd_execution_fail(execution, node, "'%s' is read, to which line %u adds atomically",
                              array->name, access->line);
            return rd_number(terms, 0);
        }
        if (access->phase == state->phase || !array->is_shared) {
            value =
                rd_choice(terms, rd_and(terms, access->path, rd_equal(terms, access->index, index)),
                          access->value, value);
            continue;
        }
        value = written_before(execution, &state->base, access, index, value);
        if (!value) {
            rd_execution_fail(execution, node,
                              "'%s' is read, which line %u has written before a barrier, by a "
                              "thread that can't be told",
                              array->name, access->line);
            return rd_number(terms, 0);
        }
    }
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
    rd_term value = execution->read(execution->self, &state->from, array, index);
    value = behind(execution, state, node, array, index, state->n_earlier, state->earlier, value);
    value = behind(execution, state, node, array, index, state->n_accesses, state->accesses, value);
    rd_state_access(execution, state,
                    (struct rd_kernel_access){
                        .array = array, .index = index, .file = node->file, .line = node->line});
    return rd_element_value(value);
}

struct value rd_read_cells(struct rd_execution *execution, struct state *state,
                           const struct value *pointer, const struct rd_syntax_node *node)
{
    enum { CELLS_MAX = 16 };
    struct rd_terms *terms = execution->terms;
    const unsigned count = rd_stride(pointer);
    rd_term parts[CELLS_MAX];
    if (count == 1)
        return rd_read_memory(execution, state, pointer->array, pointer->term, node);
    if (count > CELLS_MAX || rd_type_parts(node->type) != count) {
        rd_execution_fail(execution, node, "a load of such a type");
        return rd_nothing();
    }
    for (unsigned k = 0; k < count; k++)
        parts[k] = rd_read_memory(execution, state, pointer->array,
                                  rd_add(terms, pointer->term, rd_number(terms, k)), node)
                       .term;
    return rd_parts_from(execution, node, parts);
}

void rd_pop_index(struct rd_execution *execution, struct state *state,
                  const struct rd_syntax_node *node, struct value *pointer)
{
    struct value index = rd_state_pop(state);
    *pointer = rd_state_pop(state);
    if (pointer->kind != VALUE_POINTER || index.kind != VALUE_NUMBER) {
        rd_execution_fail(execution, node,
                          "an index into something that is no array of the kernel");
        return;
    }
    pointer->term =
        rd_add(execution->terms, pointer->term,
               rd_multiply(execution->terms, rd_number(execution->terms, rd_stride(pointer)),
                           rd_value_number(execution, index)));
}
