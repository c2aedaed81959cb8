// SPDX-License-Identifier: MIT
/* Memory that blocks share, of which no law speaks: what a proof knows of it behind a barrier of the grid, or behind
 * the last ticket. */
#include "execution_harness.h"

#include "prove/kernel/loops.h"

#include <stdlib.h>
#include <string.h>

static char *text_of(rd_term term)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    rd_term_print(term, out);
    assert_int_equal(fclose(out), 0);
    return text;
}

static void assert_not_read(const char *body, const char *reason)
{
    struct run run = {.has_scratch = true};
    execute(&run, "", body);
    if (!strstr(run.execution.failure, reason))
        fail_msg("%s\nwas: '%s', not: '%s'", body, run.execution.failure, reason);
    finish(&run);
}

/* What is written to A in the end. */
static void assert_leaves(const char *body, const char *value)
{
    struct run run = {.has_scratch = true};
    rd_term left = NULL;
    execute(&run, "", body);
    assert_string_equal(run.execution.failure, "");
    for (size_t s = 0; s < run.execution.n_segments; s++)
        for (size_t k = 0; k < run.execution.segments[s].n_accesses; k++)
            if (run.execution.segments[s].accesses[k].array == &run.A)
                left = run.execution.segments[s].accesses[k].value;
    assert_non_null(left);
    char *text = text_of(left);
    if (strcmp(text, value) != 0)
        fail_msg("%s\nleaves '%s', not '%s'", body, text, value);
    free(text);
    finish(&run);
}

/* The condition, or "barrier of the grid" or "barrier", of the first requirement of that name; NULL: there is none. */
static void assert_requires_that(const char *body, const char *what, const char *condition)
{
    struct run run = {.has_scratch = true};
    char *text = NULL;
    execute(&run, "", body);
    assert_string_equal(run.execution.failure, "");
    for (size_t s = 0; s < run.execution.n_segments && !text; s++)
        for (size_t k = 0; k < run.execution.segments[s].n_requirements && !text; k++) {
            const struct rd_requirement *requirement = &run.execution.segments[s].requirements[k];
            if (strstr(requirement->what, what))
                text = requirement->condition
                           ? text_of(requirement->condition)
                           : strdup(requirement->of_grid ? "barrier of the grid" : "barrier");
        }
    if (condition ? !text || strcmp(text, condition) != 0 : text != NULL)
        fail_msg("%s\nrequires '%s': '%s', not '%s'", body, what, text ? text : "nothing",
                 condition ? condition : "nothing");
    free(text);
    finish(&run);
}

#define DRAW "atomicInc(ticket, gridDim.x - 1) == gridDim.x - 1"

/* ---- barriers of the grid ---- */

static void test_cell_is_what_its_writer_left(void **state)
{
    (void)state;
    assert_leaves("if (t == 0) p[b] = a[b]; GRID_SYNC(); if (i == 0) A[0] = p[7];",
                  "0 < T and 7 < grid ? a(7) : p before 1(7)");
    assert_leaves("if (t == 0 && b < 5) p[b] = a[b]; GRID_SYNC(); if (i == 0) A[0] = p[7];",
                  "p before 1(7)");
    assert_leaves("p[i] = a[i]; GRID_SYNC(); if (i == 0) A[0] = p[7];",
                  "0 <= 7 mod T and 7 mod T < T and 0 <= 7 div T and 7 div T < grid and 7 mod T + "
                  "T*(7 div T) = 7 ? a(7 mod T + T*(7 div T)) : p before 1(7)");
    assert_leaves("if (i == 0) p[3] = a[1]; GRID_SYNC(); if (t == 0) A[b] = p[3];",
                  "0 < T and 0 < grid ? a(1) : p before 1(3)");
}

static void test_later_write_counts(void **state)
{
    (void)state;
    assert_leaves("if (t == 0) p[b] = a[b]; GRID_SYNC(); if (t == 1) p[b] = a[0]; GRID_SYNC();\n"
                  "if (i == 0) A[0] = p[7];",
                  "1 < T and 7 < grid ? a(0) : (0 < T and 7 < grid ? a(7) : p before 2(7))");
    /* Of what isn't published nothing is known: that it races is a goal. */
    assert_leaves("if (t == 0) p[b] = a[b]; if (i == 0) A[0] = p[7]; GRID_SYNC();",
                  "p before 0(7)");
    assert_leaves("if (t == 0) p[b] = a[b]; __syncthreads(); if (i == 0) A[0] = p[7];",
                  "p before 0(7)");
}

static void test_writer_must_be_known(void **state)
{
    (void)state;
    static const char why[] = "which thread wrote a cell can't be told";
    assert_not_read("p[b] = a[b]; GRID_SYNC(); if (i == 0) A[0] = p[7];", why);
    assert_not_read("if (t == 0) p[0] = a[b]; GRID_SYNC(); if (i == 0) A[0] = p[0];", why);
    assert_not_read("if (t == b) p[t] = a[b]; GRID_SYNC(); if (i == 0) A[0] = p[0];", why);
    assert_not_read(
        "elem x = a[0]; unsigned w; for (w = 8; w > 0; w /= 2) { CHECKPOINT_LANE(P, x, w); }\n"
        "if (t == w) p[b] = a[b]; GRID_SYNC(); if (i == 0) A[0] = p[0];",
        "depends on a loop's variable");
}

static void test_all_threads_of_the_grid_meet(void **state)
{
    (void)state;
    static const char what[] = "all threads of the grid come to the barrier";
    static const char ways[] = "a barrier of the grid to which threads come by different branches";
    assert_requires_that("GRID_SYNC();", what, "barrier of the grid");
    assert_requires_that("__syncthreads();", what, NULL);
    assert_not_read("if (n > 5) GRID_SYNC(); else GRID_SYNC();", ways);
    assert_not_read(
        "elem x = a[0]; for (unsigned w = 8; w > 0; w /= 2) { CHECKPOINT_LANE(P, x, w); "
        "GRID_SYNC(); }",
        "a barrier of the grid in a loop with a checkpoint");
    assert_not_read("for (unsigned w = 0; w < gridDim.x; w++) GRID_SYNC();",
                    "a loop without a checkpoint whose number of trips is not known");
}

/* A thread comes by one of them: of one that isn't of the others it is known what it has written. */
static void test_ways_to_a_barrier_are_told_apart(void **state)
{
    (void)state;
    static const char apart[] = "__shared__ elem s[32], r[32]; elem *q = s; if (t > 5) q = r;\n";
    char body[500];
    snprintf(body, sizeof body, "%sif (t == 0) p[b] = a[b]; GRID_SYNC(); if (i == 0) A[0] = p[7];",
             apart);
    assert_leaves(body, "0 < T and 7 < grid ? a(7) : p before 1(7)");
    snprintf(body, sizeof body,
             "%sif (t == 0) { p[b] = a[b]; __threadfence(); if (" DRAW ") {\n"
             "__threadfence(); A[0] = p[7]; } }",
             apart);
    assert_not_read(body, "a ticket to which threads come by different branches");
    snprintf(body, sizeof body,
             "%sint last = 0; if (t == 0) { p[b] = a[b]; __threadfence(); last = " DRAW ";\n"
             "if (last) __threadfence(); } if (__syncthreads_or(last)) if (t < 3) A[0] = p[7];",
             apart);
    assert_leaves(body, "0 < T and 7 < grid ? a(7) : p before 0 and tickets(7)");
    assert_requires_that(
        body, "what the blocks published is read behind the last ticket and a fence", "false");
}

static void test_what_is_written_is_published_before_a_checkpoint(void **state)
{
    (void)state;
    static const char what[] = "what is written to 'p' is published before a checkpoint";
    assert_requires_that(
        "elem x = a[0]; if (t == 0) p[b] = x; CHECKPOINT_LANE(P, x, 0); GRID_SYNC();", what,
        "false");
    assert_requires_that(
        "elem x = a[0]; if (t == 0) p[b] = x; GRID_SYNC(); CHECKPOINT_LANE(P, x, 0);", what, NULL);
    assert_requires_that(
        "elem x = a[0]; if (t == 0) { p[b] = x; __threadfence();\n"
        "if (atomicInc(ticket, gridDim.x - 1) == 3) { CHECKPOINT_LANE(P, x, 0); } }",
        what, NULL);
    assert_requires_that(
        "elem x = a[0]; if (t == 0) { p[b] = x;\n"
        "if (atomicInc(ticket, gridDim.x - 1) == 3) { CHECKPOINT_LANE(P, x, 0); } }",
        what, "false");
}

/* ---- tickets ---- */

static void test_last_ticket_tells_what_was_fenced(void **state)
{
    (void)state;
    static const char behind[] = "p before 0 and tickets(7)", unknown[] = "p before 0(7)";
    assert_leaves("if (t == 0) { p[b] = a[b]; __threadfence();\n"
                  "if (" DRAW ") { __threadfence(); A[0] = p[7]; } }",
                  "0 < T and 7 < grid ? a(7) : p before 0 and tickets(7)");
    assert_leaves("if (t == 0) { p[b] = a[b];\nif (" DRAW ") { __threadfence(); A[0] = p[7]; } }",
                  behind);
    assert_leaves("if (t == 0) { p[b] = a[b]; __threadfence();\nif (" DRAW ") { A[0] = p[7]; } }",
                  unknown);
    assert_leaves("if (t == 0) { __threadfence(); p[b] = a[b];\n"
                  "if (" DRAW ") { __threadfence(); A[0] = p[7]; } }",
                  behind);
    assert_leaves("if (t == 0) { p[b] = a[b]; if (n > 3) __threadfence();\n"
                  "if (" DRAW ") { __threadfence(); A[0] = p[7]; } }",
                  behind);
}

static void test_reader_is_behind_the_last_ticket(void **state)
{
    (void)state;
    static const char what[] =
        "what the blocks published is read behind the last ticket and a fence",
                      barrier[] =
                          "a barrier stands between another thread's ticket and the reading";
    static const char last[] =
        "int last = 0; if (t == 0) { p[b] = a[b]; __threadfence(); last = " DRAW ";\n"
        "if (last) __threadfence(); }\n";
    char body[500];
    assert_requires_that("if (t == 0) { p[b] = a[b]; __threadfence();\n"
                         "if (" DRAW ") { __threadfence(); A[0] = p[7]; } }",
                         what, "b = last");
    assert_requires_that("if (t == 0) { p[b] = a[b]; __threadfence();\n"
                         "if (" DRAW ") { if (n > 3) __threadfence(); A[0] = p[7]; } }",
                         what, "b = last and 3 < n");
    snprintf(body, sizeof body, "%sif (__syncthreads_or(last)) A[0] = p[7];", last);
    assert_requires_that(body, barrier, NULL);
    assert_requires_that(body, what, "b = last");
    snprintf(body, sizeof body, "%s__syncthreads(); A[0] = p[7];", last);
    assert_requires_that(body, what, "b = last");
    snprintf(body, sizeof body, "%sA[0] = p[7];", last);
    assert_requires_that(body, barrier, "t = 0");
}

static void test_each_block_draws_once(void **state)
{
    (void)state;
    assert_requires_that("if (t == 0) { " DRAW "; }", "each block draws a ticket", "0 < T");
    assert_requires_that("if (t == 3 && b < 5) { " DRAW "; }", "each block draws a ticket",
                         "3 < T and b < 5");
    assert_requires_that("if (t == 3) { " DRAW "; }", "one thread of a block draws a ticket",
                         "t = 3");
    assert_requires_that("if (t == 1) p[b] = a[b]; __threadfence(); if (t == 0) { " DRAW "; }",
                         "what a ticket publishes is written by the thread that draws it", "t = 0");
    assert_not_read(DRAW ";", "which thread of a block draws a ticket can't be told");
    assert_not_read("if (t < 2) { " DRAW "; }",
                    "which thread of a block draws a ticket can't be told");
    assert_not_read("if (t == 0) { " DRAW "; " DRAW "; }",
                    "a ticket that is drawn in a loop, or at a second place");
    assert_not_read("if (t == 0) { if (n > 3 && " DRAW ") A[0] = 0; }", "that forks");
    assert_not_read("if (t == 0) for (unsigned k = 0; k < 2; k++) { " DRAW "; }",
                    "at a second place");
    assert_not_read("elem x = 0; if (t == 0) for (unsigned k = 0; k < n; k++) { " DRAW
                    "; x = x + a[k]; } A[i] = x;",
                    "a loop without a checkpoint whose sum the prover can't state");
    assert_not_read("elem x = 0; if (t == 0) for (unsigned k = 0; k < (" DRAW
                    "); k++) x = x + a[k];\nA[i] = x;",
                    "a loop without a checkpoint whose number of trips is not known");
}

static void test_tickets_are_counted_up_to_the_blocks(void **state)
{
    (void)state;
    static const char why[] = "atomicInc() of what is no ticket, or to another end";
    assert_not_read("if (t == 0) atomicInc(ticket, gridDim.x);", why);
    assert_not_read("if (t == 0) atomicInc(ticket + 1, gridDim.x - 1);", why);
    assert_not_read("if (t == 0) ticket[0] = 0;",
                    "a cell that is set to a value that is no element");
    assert_not_read("if (t == 0 && ticket[0] == 0) A[0] = 0;", "a ticket that is read otherwise");
    assert_not_read("if (t == 0) atomicInc((unsigned *)A, gridDim.x - 1);",
                    "a pointer that is cast");
}

static void test_barriers_tell_of_one_thread_what_holds_of_some(void **state)
{
    (void)state;
    assert_not_read("if (__syncthreads_or(t < 5)) A[i] = 0;",
                    "for which threads that holds can't be told");
    assert_not_read(
        "if (__syncthreads_or(t == 5)) A[i] = 0; if (__syncthreads_or(t == 6)) A[i] = 0;",
        "what threads bring to the barrier depends on their way");
    assert_requires_that("if (__syncthreads_or(t == 5)) A[i] = 0;",
                         "all threads of the block come to the barrier", "barrier");
}

/* ---- trips of several steps ---- */

static void test_trips_of_several_steps_are_split(void **state)
{
    (void)state;
    struct rd_terms *terms = rd_terms_create();
    const rd_term i = rd_constant(terms, "i"), s = rd_constant(terms, "s"),
                  x = rd_constant(terms, "x"), bound = rd_constant(terms, "B"),
                  three = rd_multiply(terms, rd_number(terms, 3), s);
    const rd_term hit = rd_equal(terms, i, x);
    const rd_term f = rd_count_of(terms, rd_and(terms, rd_less(terms, i, bound), hit)),
                  unguarded = rd_count_of(terms, hit);
    const struct {
        rd_term f, stride;
        unsigned steps, of_step;
        bool splits;
    } cases[] = {
        {f, three, 3, 1, true},
        {f, three, 2, 1, false},         /* one is left out */
        {f, three, 3, 2, false},         /* other steps */
        {f, s, 3, 1, false},             /* the next trip begins within this one */
        {unguarded, three, 3, 1, false}, /* the last trip goes beyond the end */
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        rd_term each = rd_number(terms, 0), stride = cases[k].stride;
        for (unsigned v = 0; v < cases[k].steps; v++) {
            const rd_term at = rd_add(
                terms, i, rd_multiply(terms, rd_number(terms, (rd_wide)v * cases[k].of_step), s));
            each = rd_add(terms, each, rd_replace(terms, cases[k].f, 1, &i, &at));
        }
        assert_int_equal(rd_split_trips(terms, &each, i, rd_less(terms, i, bound), &stride),
                         cases[k].splits);
        assert_ptr_equal(stride, cases[k].splits ? s : cases[k].stride);
    }
    rd_terms_destroy(terms);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cell_is_what_its_writer_left),
        cmocka_unit_test(test_later_write_counts),
        cmocka_unit_test(test_writer_must_be_known),
        cmocka_unit_test(test_all_threads_of_the_grid_meet),
        cmocka_unit_test(test_ways_to_a_barrier_are_told_apart),
        cmocka_unit_test(test_what_is_written_is_published_before_a_checkpoint),
        cmocka_unit_test(test_last_ticket_tells_what_was_fenced),
        cmocka_unit_test(test_reader_is_behind_the_last_ticket),
        cmocka_unit_test(test_each_block_draws_once),
        cmocka_unit_test(test_tickets_are_counted_up_to_the_blocks),
        cmocka_unit_test(test_trips_of_several_steps_are_split),
        cmocka_unit_test(test_barriers_tell_of_one_thread_what_holds_of_some),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
