// SPDX-License-Identifier: MIT
/* The threads of a launch, as its sentence says. */
#include "prove/goals/segment.h"

static const rd_wide GRID_MAX = 2147483647;
enum { BLOCK_MAX = 1024, GRID_Y_MAX = 65535 };

rd_term rd_launch_number(struct rd_launch_proof *launch, const struct law_node *node)
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

/* ceil(work / block) blocks have enough threads, and fewer than a block too many. */
static rd_term threads_for(struct rd_launch_proof *launch, rd_term work, rd_term block,
                           const char *name)
{
    struct rd_terms *terms = launch->subject->terms;
    const rd_term all = rd_constant(terms, name);
    rd_term_list_add(terms, &launch->hypotheses, rd_at_most(terms, work, all));
    rd_term_list_add(terms, &launch->hypotheses, rd_less(terms, all, rd_add(terms, work, block)));
    return all;
}

static bool is_one(rd_term term)
{
    return term->kind == RD_TERM_NUMBER && term->number == 1;
}

void rd_launch_name_rows(struct rd_terms *terms, struct rd_launch_rows *y)
{
    if (!is_one(y->threads))
        y->thread = rd_constant(terms, "t_y");
    if (!is_one(y->grid))
        y->block = rd_constant(terms, "b_y");
    if (y->thread || y->block)
        y->number = rd_constant(terms, "row");
    if (y->thread && y->block)
        y->origin = rd_constant(terms, "first row");
}

static void find_rows(struct rd_launch_proof *launch, const struct law_launch *of)
{
    struct rd_terms *terms = launch->subject->terms;
    struct rd_launch_rows *y = &launch->y;
    const rd_term one = rd_number(terms, 1);
    y->threads = of->block[1] ? named(launch, rd_launch_number(launch, of->block[1]), "rows") : one;
    if (of->threads[1])
        y->work = rd_launch_number(launch, of->threads[1]);
    if (of->grid[0])
        y->grid = of->grid[1] ? rd_launch_number(launch, of->grid[1]) : one;
    else
        y->grid = y->work ? rd_ceil_div(terms, y->work, y->threads) : one;
    y->all = of->grid[0] || !y->work ? rd_multiply(terms, y->grid, y->threads)
             : is_one(y->threads)    ? y->work
                                     : threads_for(launch, y->work, y->threads, "rows of threads");
    rd_launch_name_rows(terms, y);
}

/* Adds that n*n is small, where the program accepts no other: places in a square are below it. A goal of its own first. */
static void find_small_square(struct rd_launch_proof *launch)
{
    struct rd_proof_subject *subject = launch->subject;
    struct rd_terms *terms = subject->terms;
    const rd_term n = subject->n, facts[] = {rd_less(terms, n, rd_number(terms, (rd_wide)1 << 31)),
                                             rd_less(terms, rd_multiply(terms, n, n),
                                                     rd_number(terms, (rd_wide)1 << 62))};
    for (unsigned k = 0; k < sizeof facts / sizeof *facts; k++) {
        struct rd_term_list known = {0};
        rd_term_list_add_all(terms, &known, &subject->base);
        if (k > 0)
            rd_term_list_add(terms, &known, facts[k - 1]);
        const bool follows = rd_subject_follows(subject, &known, facts[k]);
        if (follows) {
            rd_subject_add_goal(subject, RD_PROOF_FACT, launch->name,
                                rd_subject_text(subject, facts[k]), &known, NULL, facts[k]);
            rd_term_list_add(terms, &launch->hypotheses, facts[k]);
        }
        rd_term_list_finish(&known);
        if (!follows)
            break;
    }
}

void rd_launch_find_shape(struct rd_launch_proof *launch, const struct law_launch *of)
{
    struct rd_proof_subject *subject = launch->subject;
    struct rd_terms *terms = subject->terms;
    const rd_term one = rd_number(terms, 1);
    const bool has_rows = of->threads[1] || of->grid[1] || of->block[1];
    const rd_term work = of->threads[0] ? rd_launch_number(launch, of->threads[0]) : NULL;
    launch->threads = named(launch,
                            of->block[0] ? rd_launch_number(launch, of->block[0])
                                         : rd_least(terms, subject->T, work ? work : subject->T),
                            "block");
    if (has_rows)
        find_rows(launch, of);
    if (launch->y.origin)
        find_small_square(launch);
    if (of->grid[0] || !work) {
        launch->grid =
            named(launch, of->grid[0] ? rd_launch_number(launch, of->grid[0]) : one, "grid");
        launch->all = rd_multiply(terms, launch->grid, launch->threads);
        launch->said_grid = launch->grid;
        return;
    }
    launch->work = work;
    launch->all = threads_for(launch, work, launch->threads, "threads");
    /* Where blocks are counted row by row, the number of a row stands in products: it is said as a law says it. */
    launch->said_grid = rd_ceil_div(terms, work, launch->threads);
    launch->grid = !has_rows          ? rd_constant(terms, "grid")
                   : launch->y.origin ? named(launch, launch->said_grid, "grid")
                                      : launch->said_grid;
    rd_term_list_add(terms, &launch->hypotheses, rd_at_most(terms, one, launch->grid));
}

void rd_launch_count_blocks(struct rd_launch_proof *launch, bool by_number)
{
    struct rd_terms *terms = launch->subject->terms;
    const struct rd_launch_rows *y = &launch->y;
    launch->by_number = by_number;
    if (by_number)
        return;
    if (launch->work) {
        rd_term_list_add(
            terms, &launch->hypotheses,
            rd_equal(terms, launch->all, rd_multiply(terms, launch->grid, launch->threads)));
        rd_term_list_add(terms, &launch->hypotheses,
                         rd_at_most(terms, launch->grid, rd_number(terms, GRID_MAX)));
    }
    if (y->work && y->thread)
        rd_term_list_add(terms, &launch->hypotheses,
                         rd_equal(terms, y->all, rd_multiply(terms, y->grid, y->threads)));
}

rd_term rd_block_number(const struct rd_launch_proof *launch)
{
    struct rd_terms *terms = launch->subject->terms;
    return launch->y.block
               ? rd_add(terms, rd_multiply(terms, launch->y.block, launch->grid), launch->block)
               : launch->block;
}

rd_term rd_thread_number(const struct rd_launch_proof *launch)
{
    struct rd_terms *terms = launch->subject->terms;
    return launch->y.thread ? rd_add(terms, rd_multiply(terms, launch->y.thread, launch->threads),
                                     launch->thread)
                            : launch->thread;
}

rd_term rd_block_size(const struct rd_launch_proof *launch)
{
    return launch->y.thread
               ? rd_multiply(launch->subject->terms, launch->threads, launch->y.threads)
               : launch->threads;
}

static void add_goal(struct rd_launch_proof *launch, const char *what, rd_term goal)
{
    rd_subject_add_goal(launch->subject, RD_PROOF_HOST, launch->name, what, &launch->hypotheses,
                        NULL, goal);
}

void rd_launch_add_shape(struct rd_launch_proof *launch)
{
    struct rd_terms *terms = launch->subject->terms;
    const struct rd_launch_rows *y = &launch->y;
    const rd_term one = rd_number(terms, 1), size = rd_block_size(launch);
    rd_term has = rd_and(terms, rd_at_most(terms, one, launch->threads),
                         rd_at_most(terms, size, rd_number(terms, BLOCK_MAX)));
    if (y->thread)
        has = rd_and(terms, has, rd_at_most(terms, one, y->threads));
    add_goal(launch, "a block has threads", has);
    if (launch->work)
        add_goal(launch, "a round has threads", rd_at_most(terms, one, launch->work));
    if (y->block)
        add_goal(launch, "the grid has rows of blocks, and no more than CUDA takes",
                 rd_and(terms, rd_at_most(terms, one, y->grid),
                        rd_at_most(terms, y->grid, rd_number(terms, GRID_Y_MAX))));
}
