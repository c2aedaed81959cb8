// SPDX-License-Identifier: MIT
/* Laws of what a launch wrote, that are said of a copy alone:
 *
 *     kernel<<<4, 256>>>(A, sums);
 *     cudaMemcpy(h, sums, sizeof h, cudaMemcpyDeviceToHost);
 *     //@ ensures for 0 <= b < 4: h[b] = sum of a[j], j / 256 = b
 *
 * The law is asserted of `sums` directly behind the launch, too. That it holds there is a goal as any other: which law it is needs no
 * trust. */
#include "prove/host/host.h"

/* The variable that h, &h and &h[0] are of; NULL: it isn't known. */
static const struct rd_syntax_declaration *variable_of(const struct rd_syntax_node *node)
{
    node = rd_host_bare(node);
    if (node && rd_host_takes_address(node))
        node = rd_host_bare(node->kids[0]);
    const struct rd_syntax_node *index =
        node && node->kind == RD_SYNTAX_INDEX ? rd_host_bare(node->kids[1]) : NULL;
    if (index && (index->kind != RD_SYNTAX_NUMBER || index->number != 0))
        return NULL;
    if (index)
        node = rd_host_bare(node->kids[0]);
    return node && node->kind == RD_SYNTAX_NAME ? node->declaration : NULL;
}

static const struct rd_syntax_node *copy_in(const struct rd_syntax_node *node)
{
    const struct rd_syntax_node *found = NULL;
    if (!node)
        return NULL;
    if ((rd_host_is_call(node, "cudaMemcpy") || rd_host_is_call(node, "cudaMemcpyAsync")) &&
        node->n_kids > 4)
        return node;
    for (size_t k = 0; k < node->n_kids && !found; k++)
        found = copy_in(node->kids[k]);
    return found;
}

static bool is_read_from(struct rd_host *host, const struct rd_syntax_node *copy,
                         const struct rd_host_array *array)
{
    const struct rd_syntax_declaration *variable = variable_of(copy->kids[2]);
    const struct binding *found = variable ? rd_state_find(host->state, variable) : NULL;
    return found && rd_host_array_of(&found->value) == array;
}

/* Behind these the law may be of other values: a loop, a launch, an assignment. */
static bool ends(const struct rd_syntax_node *node)
{
    return node->kind == RD_SYNTAX_FOR || node->kind == RD_SYNTAX_WHILE ||
           node->kind == RD_SYNTAX_ASSIGN || rd_host_has_call(node, NULL);
}

/* Asserts the laws of the array's copy among the statements, up to one that ends the search or a law of the array itself. */
static void assert_of(struct rd_host *host, struct rd_host_array *array,
                      const struct rd_syntax_node *const *statements, size_t count)
{
    const struct rd_syntax_declaration *receiver = NULL;
    for (size_t k = 0; k < count && rd_host_goes(host); k++) {
        const struct rd_syntax_node *node = rd_host_bare(statements[k]);
        if (!node)
            continue;
        if (ends(node))
            return;
        const struct rd_syntax_node *copy = copy_in(node);
        if (copy && is_read_from(host, copy, array))
            receiver = variable_of(copy->kids[1]);
        else if (copy && receiver && variable_of(copy->kids[1]) == receiver)
            return;
        if (!rd_host_is_call(node, "rd_prove_law"))
            continue;
        const struct rd_syntax_declaration *of = variable_of(node->kids[2]);
        const struct binding *found = of ? rd_state_find(host->state, of) : NULL;
        if (found && rd_host_array_of(&found->value) == array)
            return;
        if (of && of == receiver)
            rd_host_law_assert_of_original(host, node, array);
    }
}

void rd_host_assert_copied_laws(struct rd_host *host,
                                const struct rd_syntax_node *const *statements, size_t count)
{
    const size_t n_arrays = host->n_arrays;
    for (size_t k = 0; k < n_arrays && host->pending && !host->dry && rd_host_goes(host); k++) {
        struct rd_host_array *array = host->arrays[k];
        if (array->content->kind == RD_HOST_UNKNOWN && rd_host_is_element(host, array->of) &&
            rd_host_launch_writes(host->pending, array))
            assert_of(host, array, statements, count);
    }
}
