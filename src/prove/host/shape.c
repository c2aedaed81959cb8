// SPDX-License-Identifier: MIT
/* Shapes of launches: dim3, and the threads that a launch has by two of them. */
#include "prove/host/host.h"

#include <string.h>

enum { BLOCKS_MAX = 2147483647, ROWS_OF_BLOCKS_MAX = 65535, THREADS_MAX = 1024 };

bool rd_host_is_shape(const struct rd_syntax_type *type)
{
    return type && type->kind == RD_SYNTAX_RECORD && type->name && strcmp(type->name, "dim3") == 0;
}

/* ---- dim3 ---- */

struct value rd_host_shape_value(struct rd_host *host, const rd_term extents[RD_HOST_EXTENTS])
{
    return (struct value){.kind = VALUE_SHAPE,
                          .term = rd_apply(host->terms, "dim3", RD_HOST_EXTENTS, extents)};
}

void rd_host_shape(struct rd_host *host, const struct rd_syntax_node *node,
                   rd_term extents[RD_HOST_EXTENTS])
{
    const struct rd_syntax_node *bare = rd_host_bare(node);
    const struct binding *found = rd_host_binding_of(host, bare);
    /* A constructor's name has no type: what a function returns is another shape. */
    const bool is_made =
        bare->kind == RD_SYNTAX_CALL && rd_host_is_shape(bare->type) && !bare->kids[0]->type;
    const size_t n_made = is_made ? bare->n_kids - 1 : 0;
    for (size_t k = 0; k < RD_HOST_EXTENTS; k++)
        extents[k] = rd_number(host->terms, 1);
    if (found && rd_host_is_shape(found->declaration->type)) {
        if (found->value.kind != VALUE_SHAPE)
            RD_HOST_FAIL(host, node, "the shape '%s', whose value isn't known", bare->name);
        for (size_t k = 0; k < RD_HOST_EXTENTS && rd_host_goes(host); k++)
            extents[k] = found->value.term->kids[k];
    } else if (n_made == 1 && rd_host_is_shape(rd_host_bare(bare->kids[1])->type)) {
        rd_host_shape(host, bare->kids[1], extents); /* a copy */
    } else if (is_made && n_made <= RD_HOST_EXTENTS) {
        for (size_t k = 0; k < n_made && rd_host_goes(host); k++)
            extents[k] = rd_host_number(host, bare->kids[k + 1]);
    } else {
        extents[0] = rd_host_number(host, node);
    }
}

static size_t extent_named(const char *name)
{
    static const char *const names[RD_HOST_EXTENTS] = {"x", "y", "z"};
    size_t k = 0;
    while (k < RD_HOST_EXTENTS && strcmp(name, names[k]) != 0)
        k++;
    return k;
}

bool rd_host_is_extent(struct rd_host *host, const struct rd_syntax_node *node)
{
    if (node->kind != RD_SYNTAX_MEMBER || node->arrow || !node->name)
        return false;
    const struct binding *found = rd_host_binding_of(host, node->kids[0]);
    return found && found->value.kind == VALUE_SHAPE && extent_named(node->name) < RD_HOST_EXTENTS;
}

bool rd_host_push_extent(struct rd_host *host, const struct rd_syntax_node *node)
{
    if (!rd_host_is_extent(host, node))
        return false;
    const struct binding *found = rd_host_binding_of(host, node->kids[0]);
    rd_state_push(&host->execution, host->state,
                  rd_number_value(found->value.term->kids[extent_named(node->name)]));
    return true;
}

/* ---- of a launch ---- */

static bool is_one(rd_term term)
{
    return term->kind == RD_TERM_NUMBER && term->number == 1;
}

/* A constant that equals the term; the term itself where it is as simple. */
static rd_term named(struct rd_host *host, struct rd_host_launch *launch, rd_term term,
                     const char *what)
{
    if (term->kind == RD_TERM_CONSTANT || term->kind == RD_TERM_NUMBER)
        return term;
    const rd_term constant =
        rd_host_constant(host, rd_terms_text(host->terms, "%s of %s", what, launch->proof.name));
    rd_term_list_add(host->terms, &launch->shape, rd_equal(host->terms, constant, term));
    return constant;
}

/* One dimension of a launch: `grid` blocks of `threads`. Where `said`, the number of blocks, is x div `block`, the threads
 * in all are at most x, and more than x - threads. The facts are kept behind the launch, and on paths without it, too: so
 * each is of block >= 1. */
struct dimension {
    const char *name;
    rd_term said, block;
    rd_term grid, threads;
};

static rd_term count_all(struct rd_host *host, struct rd_host_launch *launch,
                         const struct dimension *of)
{
    struct rd_terms *terms = host->terms;
    const rd_term product = rd_multiply(terms, of->grid, of->threads);
    if (of->said->kind != RD_TERM_DIV || of->said->kids[1] != of->block)
        return product;
    const rd_term all =
        rd_host_constant(host, rd_terms_text(terms, "%s of %s", of->name, launch->proof.name));
    const rd_term has_none = rd_less(terms, of->block, rd_number(terms, 1));
    rd_term_list_add(terms, &launch->shape,
                     rd_or(terms, has_none, rd_at_most(terms, all, of->said->kids[0])));
    rd_term_list_add(
        terms, &launch->shape,
        rd_or(terms, has_none, rd_less(terms, of->said->kids[0], rd_add(terms, all, of->threads))));
    rd_term_list_add(terms, &launch->shape, rd_equal(terms, all, product));
    return all;
}

static void find_rows(struct rd_host *host, struct rd_host_launch *launch, rd_term grid,
                      rd_term block)
{
    struct rd_terms *terms = host->terms;
    struct rd_launch_rows *y = &launch->proof.y;
    y->threads = named(host, launch, block, "rows of a block");
    y->grid = named(host, launch, grid, "rows of the grid");
    y->all = count_all(host, launch,
                       &(struct dimension){"rows of threads", grid, block, y->grid, y->threads});
    rd_launch_name_rows(terms, y);
}

void rd_host_find_shape(struct rd_host *host, struct rd_host_launch *launch,
                        const rd_term grid[RD_HOST_EXTENTS], const rd_term block[RD_HOST_EXTENTS])
{
    struct rd_launch_proof *proof = &launch->proof;
    proof->threads = named(host, launch, block[0], "block");
    proof->grid = named(host, launch, grid[0], "grid");
    proof->said_grid = proof->grid;
    proof->all =
        count_all(host, launch,
                  &(struct dimension){"threads", grid[0], block[0], proof->grid, proof->threads});
    if (!is_one(grid[1]) || !is_one(block[1]))
        find_rows(host, launch, grid[1], block[1]);
}

void rd_host_add_shape_goals(struct rd_host *host, const struct rd_syntax_node *node,
                             const rd_term grid[RD_HOST_EXTENTS],
                             const rd_term block[RD_HOST_EXTENTS])
{
    struct rd_terms *terms = host->terms;
    const rd_term one = rd_number(terms, 1);
    const char *segment = rd_terms_text(terms, "line %u", node->line);
    if (!is_one(grid[2]) || !is_one(block[2])) {
        RD_HOST_FAIL(host, node, "a launch in three dimensions");
        return;
    }
    /* Of rows and columns that there are, neither is above the product. */
    const rd_term is_block =
        rd_and(terms, rd_at_most(terms, one, block[0]), rd_at_most(terms, one, block[1]));
    rd_host_goal(host, RD_PROOF_HOST, segment, "a block has 1 to 1024 threads", 0, NULL,
                 rd_and(terms, is_block,
                        rd_at_most(terms, rd_multiply(terms, block[0], block[1]),
                                   rd_number(terms, THREADS_MAX))));
    rd_host_goal(host, RD_PROOF_HOST, segment, "the grid has 1 to 2^31 - 1 blocks", 0, NULL,
                 rd_and(terms, rd_at_most(terms, one, grid[0]),
                        rd_at_most(terms, grid[0], rd_number(terms, BLOCKS_MAX))));
    if (!is_one(grid[1]))
        rd_host_goal(host, RD_PROOF_HOST, segment, "the grid has 1 to 65535 rows of blocks", 0,
                     NULL,
                     rd_and(terms, rd_at_most(terms, one, grid[1]),
                            rd_at_most(terms, grid[1], rd_number(terms, ROWS_OF_BLOCKS_MAX))));
}
