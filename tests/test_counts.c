// SPDX-License-Identifier: MIT
/* The counts that the texts of `reductio explain` state, next to those of the runs: rounds, barriers, trips,
 * reads, writes, additions, blocks. */
#include "formula.h"
#include "history_harness.h"
#include "short_run.h"

#include <limits.h>
#include <regex.h>
#include <stdio.h>
#include <string.h>

/* A run, and what its threads did in each of its rounds. */
struct counted {
    const struct rd_program *program;
    struct rd_shape shape;
    struct rd_history *history;
    unsigned rounds;
};

/* Selects the accesses to count; `array` NULL: any. */
struct filter {
    const char *array;
    bool shared;
    enum rd_access_op op;
};

static struct rd_access_list accesses_after(const struct counted *run, unsigned step)
{
    struct rd_access_list list;
    struct rd_error error = {""};
    size_t frame = rd_history_frame_of_step(run->history, step);
    if (rd_history_accesses(run->history, frame, &list, &error) != RD_OK)
        fail_msg("%s", error.text);
    assert_false(list.truncated);
    return list;
}

static bool passes(const struct rd_access_list *list, const struct rd_access *access,
                   const struct filter *filter)
{
    const struct rd_access_array *array = &list->arrays[access->array];
    return access->op == filter->op && array->shared == filter->shared &&
           (!filter->array || strcmp(array->name, filter->array) == 0);
}

/* Over the rounds from `first` on. */
static double count_all(const struct counted *run, unsigned first, struct filter filter)
{
    size_t count = 0;
    for (unsigned step = first; step <= run->rounds; step++) {
        const struct rd_access_list list = accesses_after(run, step);
        for (size_t k = 0; k < list.count; k++)
            count += passes(&list, &list.accesses[k], &filter);
    }
    return (double)count;
}

/* Counts those of the thread that has most of them in round 1. */
static double count_most(const struct counted *run, struct filter filter)
{
    const struct rd_access_list list = accesses_after(run, 1);
    size_t most = 0;
    for (size_t t = 0; t < list.n_threads; t++) {
        size_t count = 0;
        for (uint32_t k = 0; k < list.threads[t].count; k++)
            count += passes(&list, &list.accesses[list.order[list.threads[t].first + k]], &filter);
        most = count > most ? count : most;
    }
    return (double)most;
}

/* ---- what is measured ---- */

static const struct filter reads = {.op = RD_ACCESS_READ}, writes = {.op = RD_ACCESS_WRITE},
                           shared_reads = {.shared = true, .op = RD_ACCESS_READ},
                           reads_of_a = {.array = "a", .op = RD_ACCESS_READ};

static double rounds(const struct counted *run)
{
    return run->rounds;
}

/* Each is written where it is made, in A. */
static double operations(const struct counted *run)
{
    return count_all(run, 1, writes);
}

static double operations_of_round_1(const struct counted *run)
{
    const struct rd_access_list list = accesses_after(run, 1);
    double count = 0;
    for (size_t k = 0; k < list.count; k++)
        count += passes(&list, &list.accesses[k], &writes);
    return count;
}

static double operations_from_round_2(const struct counted *run)
{
    return count_all(run, 2, writes);
}

static double elements_read(const struct counted *run)
{
    return count_all(run, 1, reads_of_a);
}

static double atomics(const struct counted *run)
{
    return count_all(run, 1, (struct filter){.op = RD_ACCESS_ATOMIC});
}

static double partials_written(const struct counted *run)
{
    return count_all(run, 1, (struct filter){.array = "scratch", .op = RD_ACCESS_WRITE});
}

static double inputs(const struct counted *run)
{
    return (double)(rd_program_inputs(run->program, &run->shape) +
                    rd_program_inputs_b(run->program, &run->shape));
}

static double trips(const struct counted *run)
{
    return count_most(run, reads_of_a);
}

static double host_additions(const struct counted *run)
{
    return (double)rd_program_cells(run->program, &run->shape) - 1;
}

static double barriers(const struct counted *run)
{
    const struct rd_access_list list = accesses_after(run, 1);
    unsigned most = 0;
    for (size_t k = 0; k < list.count; k++)
        most = list.accesses[k].interval > most ? list.accesses[k].interval : most;
    return most;
}

/* Behind the first barrier. */
static double rounds_between_barriers(const struct counted *run)
{
    return barriers(run) - 1;
}

static struct rd_round first_round(const struct counted *run)
{
    struct rd_round round;
    assert_true(rd_program_round(run->program, &run->shape, 1, &round));
    return round;
}

static double blocks(const struct counted *run)
{
    return (double)first_round(run).grid;
}

/* Number of blocks of a run whose user names none. */
static double blocks_by_default(const struct counted *run)
{
    return (double)rd_program_shape(run->program,
                                    (struct rd_shape){.n = run->shape.n, .block = run->shape.block})
        .grid;
}

/* Between the write of a block's sum and the first read of one. */
static double barriers_of_the_grid(const struct counted *run)
{
    const struct rd_access_list list = accesses_after(run, 1);
    const struct filter sums_read = {.array = "scratch", .op = RD_ACCESS_READ},
                        sums_written = {.array = "scratch", .op = RD_ACCESS_WRITE};
    unsigned read = UINT_MAX, written = 0;
    for (size_t k = 0; k < list.count; k++) {
        const struct rd_access *access = &list.accesses[k];
        if (access->block == 0 && passes(&list, access, &sums_written))
            written = access->interval;
        if (access->block == 0 && passes(&list, access, &sums_read) && access->interval < read)
            read = access->interval;
    }
    return read - (double)written;
}

static double shared_cells(const struct counted *run)
{
    return (double)first_round(run).shared_elems;
}

static double all_reads(const struct counted *run)
{
    return count_all(run, 1, reads);
}

/* Both inputs, and not what a block has made of them. */
static double all_inputs_read(const struct counted *run)
{
    return count_all(run, 1, reads_of_a) +
           count_all(run, 1, (struct filter){.array = "b", .op = RD_ACCESS_READ});
}

static double all_writes(const struct counted *run)
{
    return count_all(run, 1, writes);
}

static double reads_a_thread(const struct counted *run)
{
    return count_most(run, reads);
}

static double shared_reads_a_thread(const struct counted *run)
{
    return count_most(run, shared_reads);
}

static double products_in_shared_memory(const struct counted *run)
{
    return count_all(run, 1, shared_reads) / 2;
}

/* The blocks' sums that thread 0 reads, but for the first, which it adds to 0. */
static double additions_in_a_row(const struct counted *run)
{
    const struct rd_access_list list = accesses_after(run, 1);
    size_t count = 0;
    for (size_t k = 0; k < list.count; k++) {
        const struct rd_access_array *array = &list.arrays[list.accesses[k].array];
        count += passes(&list, &list.accesses[k], &reads) && strcmp(array->name, "a") != 0;
    }
    return (double)count - 1;
}

/* The checkpoints of block 0's first warp, but for the one behind the last round. */
static double checkpoints_of(const struct counted *run, enum rd_point point)
{
    size_t count = 0;
    for (size_t f = 0; f < rd_history_frames(run->history); f++) {
        const struct rd_frame *frame = rd_history_frame(run->history, f);
        count += frame->inside && frame->place.point == point && frame->place.block == 0 &&
                 frame->place.warp == 0;
    }
    return (double)count - 1;
}

static double shuffles_twice(const struct counted *run)
{
    return checkpoints_of(run, RD_POINT_SHUFFLE_DOWN) + checkpoints_of(run, RD_POINT_SHUFFLE_SUMS);
}

static double shuffles(const struct counted *run)
{
    return checkpoints_of(run, RD_POINT_SHUFFLE_DOWN);
}

static double shuffles_of_sums(const struct counted *run)
{
    return checkpoints_of(run, RD_POINT_SHUFFLE_SUMS);
}

static double exchanges(const struct counted *run)
{
    return checkpoints_of(run, RD_POINT_SHUFFLE_XOR);
}

/* ---- and what is stated ---- */

#define LOG_BARRIERS  "1 + ceil(log2(T)) barriers"
#define LATE_BARRIERS "1 + max(0, ceil(log2(T)) - 5) barriers"

static const struct row {
    const char *program, *words;
    double (*measure)(const struct counted *run);
    const char *formula; /* NULL: the words begin with it */
} rows[] = {
    {"fold", "log2(n) rounds", rounds, NULL},
    {"fold", "n - 1 additions", operations, NULL},
    {"fold-guard", "ceil(log2(n)) rounds", rounds, NULL},
    {"fold-guard", "n - 1 additions", operations, NULL},
    {"fold-ceil", "ceil(log2(n)) rounds", rounds, NULL},
    {"fold-ceil", "n - 1 additions", operations, NULL},
    {"unfold", "log2(n) rounds", rounds, NULL},
    {"unfold", "n - 1 subtractions", operations, NULL},
    {"tournament", "ceil(log2(n)) rounds", rounds, NULL},
    {"tournament", "n - 1 additions", operations, NULL},
    {"multiply", "n multiplications", operations, NULL},
    {"dot-fold", "1 + log2(n) rounds", rounds, NULL},
    {"dot-fold", "n multiplications", operations_of_round_1, NULL},
    {"dot-fold", "n - 1 additions", operations_from_round_2, NULL},
    {"dot-tournament", "1 + ceil(log2(n)) rounds", rounds, NULL},
    {"dot-tournament", "n multiplications", operations_of_round_1, NULL},
    {"dot-tournament", "n - 1 additions", operations_from_round_2, NULL},
    {"dot-cpu", "n trips", trips, NULL},
    {"dot-partial", "ceil(n/G) trips", trips, NULL},
    {"dot-partial", "one write a thread", all_writes, "G"},
    {"dot-partial", "G - 1 additions on the host", host_additions, NULL},
    {"dot-shared", "ceil(n/G) trips", trips, NULL},
    {"dot-shared", "log2(T) rounds in shared memory", rounds_between_barriers, NULL},
    {"dot-shared", "1 + log2(T) barriers", barriers, NULL},
    {"dot-shared", "B - 1 additions on the host", host_additions, NULL},
    {"multi-block-grid-sync", "B - 1 additions in a row", additions_in_a_row, NULL},
    {"multi-block-last-block", "B - 1 additions in a row", additions_in_a_row, NULL},
    {"puzzle-map", "n reads", all_reads, NULL},
    {"puzzle-map", "n writes", all_writes, NULL},
    {"puzzle-guard", "n reads", all_reads, NULL},
    {"puzzle-guard", "n writes", all_writes, NULL},
    {"puzzle-blocks", "n reads", all_reads, NULL},
    {"puzzle-blocks", "n writes", all_writes, NULL},
    {"puzzle-blocks", "ceil(n/T) blocks", blocks, NULL},
    {"puzzle-zip", "2n reads", all_reads, NULL},
    {"puzzle-zip", "n writes", all_writes, NULL},
    {"puzzle-map2d", "n*n reads", all_reads, NULL},
    {"puzzle-map2d", "n*n writes", all_writes, NULL},
    {"puzzle-blocks2d", "n*n reads", all_reads, NULL},
    {"puzzle-blocks2d", "n*n writes", all_writes, NULL},
    {"puzzle-blocks2d", "ceil(n/T) blocks", blocks, NULL},
    {"puzzle-broadcast", "2n*n reads", all_reads, NULL},
    {"puzzle-broadcast", "n*n writes", all_writes, NULL},
    {"puzzle-shared", "n reads", all_reads, NULL},
    {"puzzle-shared", "a barrier", barriers, "1"},
    {"puzzle-pool", "1 + ceil(max(0, n-T)/max(1, T-2)) blocks", blocks, NULL},
    {"puzzle-dot", "T additions", shared_reads_a_thread, NULL},
    {"puzzle-conv1d", "n*m - m(m-1)/2 products", products_in_shared_memory, NULL},
    {"puzzle-block-sum", "log2(T) rounds in shared memory", rounds_between_barriers, NULL},
    {"puzzle-block-sum", "1 + log2(T) barriers", barriers, NULL},
    {"puzzle-axis-sum", "log2(T) rounds in shared memory", rounds_between_barriers, NULL},
    {"puzzle-matmul", "2*ceil(n/T) reads of global memory a thread", reads_a_thread, NULL},
    {"ladder-interleaved-modulo", LOG_BARRIERS, barriers, NULL},
    {"ladder-interleaved-strided", LOG_BARRIERS, barriers, NULL},
    {"ladder-sequential", LOG_BARRIERS, barriers, NULL},
    {"ladder-first-add", LOG_BARRIERS, barriers, NULL},
    {"ladder-warp-shuffle", LATE_BARRIERS, barriers, NULL},
    {"ladder-warp-shuffle", "five rounds", shuffles, "5"},
    {"ladder-unrolled", LATE_BARRIERS, barriers, NULL},
    {"ladder-grid-stride", LATE_BARRIERS, barriers, NULL},
    {"ladder-grid-stride", "ceil(n/G) trips", trips, NULL},
    {"ladder-shuffles-twice", "One barrier a block", barriers, "1"},
    {"ladder-shuffles-twice", "ceil(T/32) cells of shared memory", shared_cells, NULL},
    {"ladder-shuffles-twice", "ten shuffles", shuffles_twice, "10"},
    {"ladder-tiles", "One barrier a block", barriers, "1"},
    {"ladder-tiles", "four exchanges", exchanges, "4"},
    {"ladder-tiles", "five shuffles", shuffles_of_sums, "5"},
    {"multiply", "One round", rounds, "1"},
    {"dot-shared", "n products", elements_read, NULL},
    {"dot-two-phase", "One more launch", rounds, "2"},
    {"cosine", "Each input is read once", all_reads, "2n"},
    {"cosine", "three cells a thread", shared_cells, "3T"},
    {"multi-block-two-launch", "A second launch", rounds, "2"},
    {"multi-block-grid-sync", "One launch", rounds, "1"},
    {"multi-block-grid-sync", "one barrier of the grid", barriers_of_the_grid, "1"},
    {"ladder-cooperative", "One barrier of the grid", barriers_of_the_grid, "1"},
    {"multi-block-last-block", "One launch", rounds, "1"},
    {"multi-block-last-block", "one atomic a block", atomics, "B"},
    {"multi-block-atomic", "One launch", rounds, "1"},
    {"multi-block-atomic", "one atomic a block on one cell", atomics, "B"},
    {"puzzle-zip", "n additions", operations, NULL},
    {"puzzle-broadcast", "2n elements", inputs, NULL},
    {"puzzle-shared", "n writes of global memory", all_writes, NULL},
    {"puzzle-pool", "2 reads of each block but the first", all_reads,
     "n + 2*ceil(max(0, n-T)/max(1, T-2))"},
    {"puzzle-dot", "n products", elements_read, NULL},
    {"puzzle-conv1d", "2 reads of a thread", reads_a_thread, NULL},
    {"ladder-first-add", "Half the blocks", blocks_by_default, "ceil(n/(2T))"},
    {"ladder-grid-stride", "n additions in registers", elements_read, NULL},
    {"ladder-vectorised-atomic", "One atomic a block", atomics, "B"},
    {"ladder-vectorised", "n elements read once", elements_read, NULL},
    {"ladder-vectorised", "B writes", partials_written, NULL},
    {"ladder-vectorised", "B tickets", atomics, NULL},
    {"ladder-vectorised", "one launch", rounds, "1"},
    {"ladder-dot", "2n elements read once", all_inputs_read, NULL},
};

/* Counts in texts that are those of a row of another program, or of an example. */
static const struct {
    const char *program, *words;
} told_elsewhere[] = {
    {"dot-cpu", "2^24 products"},                                 /* n*u = 1 */
    {"dot-partial", "32 blocks"},                                 /* n/G of this example */
    {"dot-partial", "2^20 products"},                             /* the same */
    {"puzzle-dot", "log2(T) rounds"},                             /* of puzzle-block-sum */
    {"ladder-interleaved-strided", "1 cells"},                    /* see the test of banks */
    {"ladder-first-add", "six rounds"},                           /* 32, 16, ..., 1 threads */
    {"ladder-grid-stride", "ceil(n/T) blocks there is one trip"}, /* of ceil(n/G) */
    {"ladder-grid-stride", "n additions (Brent"},                 /* the same n */
    {"puzzle-block-sum", "T additions"},                          /* of puzzle-dot */
};

static double value_of(const struct row *row, const struct rd_shape *shape)
{
    const char *end;
    return row->formula ? formula_value(row->formula, shape, NULL)
                        : formula_value(row->words, shape, &end);
}

/* Returns whether the program takes the case. */
static bool check(const struct row *row, const struct test_case *test)
{
    const struct rd_program *program = rd_program_named(row->program);
    const struct rd_shape shape = test_shape(test);
    struct seen seen;
    if (rd_program_accept(program, &shape, NULL) != RD_OK)
        return false;
    if (!test_is_due())
        return true;
    seen_run(&seen, test);
    struct rd_history *history = history_of(&seen);
    const struct counted run = {program, shape, history, rd_program_rounds(program, &shape)};
    double measured = row->measure(&run), stated = value_of(row, &shape);
    if (measured != stated)
        fail_msg("%s n=%zu block=%u grid=%zu: %g %s", row->program, shape.n, shape.block,
                 shape.grid, measured, row->words);
    history_finish(&seen, history);
    return true;
}

static void test_counts_are_as_stated(void **state)
{
    static const size_t sizes[] = {1, 2, 3, 8, 9, 33, 64, 100};
    static const unsigned sides[] = {1, 2, 3, 5, 8}, threads[] = {1, 2, 3, 8, 20, 32, 33, 128};
    (void)state;
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        const struct rd_program *program = rd_program_named(rows[r].program);
        assert_non_null(program);
        char *text = formula_text_of(program);
        assert_contains(text, rows[r].words);
        free(text);
        bool square = strstr(rows[r].program, "2d") || strstr(rows[r].program, "broadcast") ||
                      strstr(rows[r].program, "matmul");
        unsigned taken = 0;
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
            for (size_t b = 0; b < (square ? 5 : 8); b += short_run_step(3))
                for (size_t grid = 0; grid <= (program->blocks ? 3 : 0); grid += 3)
                    if (!square || sizes[s] < 10)
                        taken += check(&rows[r], &(struct test_case){
                                                     .program = rows[r].program,
                                                     .n = sizes[s],
                                                     .block = square ? sides[b] : threads[b],
                                                     .grid = grid,
                                                     .type = RD_TYPE_I32,
                                                 });
        assert_true(taken >= 4);
    }
}

static void blank_out(char *text, const char *words)
{
    char *at = strstr(text, words);
    if (at)
        memset(at, '#', strlen(words));
}

/* A count that stands under "Cost" stands in a row. */
static void test_costs_with_a_count_have_a_row(void **state)
{
    static const char pattern[] =
        "(^|[ "
        "(])(([-0-9A-Za-z*+()/"
        ",^]*[0-9)])|[0-9]*[nTBGPm]|[Oo]ne|[Tt]wo|[Tt]hree|[Ff]our|[Ff]ive|[Ss]ix|[Tt]en) "
        "(round|barrier|trip|read|write|addition|product|multiplication|subtraction|shuffle|"
        "exchange|cell|block|ticket|atomic|launch|element)(s|es)?([^a-z]|$)";
    regex_t counts;
    (void)state;
    assert_int_equal(regcomp(&counts, pattern, REG_EXTENDED), 0);
    for (const struct rd_program *const *p = rd_programs; *p; p++) {
        regmatch_t found;
        char *text = formula_text_of(*p), *cost = strstr(text, " Cost ");
        for (size_t r = 0; cost && r < sizeof rows / sizeof *rows; r++)
            if (strcmp(rows[r].program, (*p)->name) == 0)
                blank_out(cost, rows[r].words);
        for (size_t k = 0; cost && k < sizeof told_elsewhere / sizeof *told_elsewhere; k++)
            if (strcmp(told_elsewhere[k].program, (*p)->name) == 0)
                blank_out(cost, told_elsewhere[k].words);
        if (cost && regexec(&counts, cost, 1, &found, 0) == 0)
            fail_msg("%s: no row for '%.40s'", (*p)->name, cost + found.rm_so);
        free(text);
    }
    regfree(&counts);
}

/* Largest number of cells in one of the 32 banks that warp 0 writes between two barriers. */
static unsigned bank_conflicts(const struct rd_access_list *list, unsigned interval)
{
    unsigned in_bank[32] = {0}, most = 0;
    for (size_t k = 0; k < list->count; k++) {
        const struct rd_access *access = &list->accesses[k];
        if (access->block != 0 || access->thread >= 32 || access->interval != interval ||
            access->op != RD_ACCESS_WRITE || !list->arrays[access->array].shared)
            continue;
        unsigned count = ++in_bank[access->index % 32];
        most = count > most ? count : most;
    }
    return most;
}

static void test_bank_conflicts_are_as_stated(void **state)
{
    static const unsigned of_256[] = {2, 4, 8, 8, 8, 4, 2, 1};
    const struct rd_program *program = rd_program_named("ladder-interleaved-strided");
    char *text = formula_text_of(program);
    (void)state;
    assert_contains(text, "T = 256 there are 2, 4, 8, 8, 8, 4, 2 and 1 cells in a bank");
    assert_contains(text, "with T = 1024, at s = 16, all 32");
    free(text);
    for (unsigned T = 256; T <= 1024; T *= 4) {
        struct seen seen;
        seen_run(&seen, &(struct test_case){.program = program->name, .n = T, .block = T});
        struct rd_history *history = history_of(&seen);
        const struct counted run = {program, rd_run_shape(&seen.run), history, 1};
        const struct rd_access_list list = accesses_after(&run, 1);
        for (unsigned round = 0; round < 8 && T == 256; round++)
            assert_int_equal(bank_conflicts(&list, round + 1), of_256[round]);
        if (T == 1024)
            assert_int_equal(bank_conflicts(&list, 5), 32); /* s = 16 */
        history_finish(&seen, history);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_counts_are_as_stated),
        cmocka_unit_test(test_costs_with_a_count_have_a_row),
        cmocka_unit_test(test_bank_conflicts_are_as_stated),
    };
    return cmocka_run_group_tests_name("counts", tests, test_set_up, test_tear_down) != 0;
}
