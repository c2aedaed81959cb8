// SPDX-License-Identifier: MIT
/* Checkpoints that a launch does not come to as its program says, whichever device tells of them: what is
 * missing, too many, in another order, or not come to by all. */
#include "run/checkpoint_order.h"
#include "fake_device.h"
#include "harness.h"

#include <stdio.h>
#include <string.h>

/* ---- edits of what is told ---- */

static void leave_alone(struct fake_told *told)
{
    (void)told;
}

static void remove_at(struct fake_told *told, size_t k)
{
    memmove(&told->checkpoints[k], &told->checkpoints[k + 1],
            (told->count - k - 1) * sizeof *told->checkpoints);
    told->count--;
}

static void insert_at(struct fake_told *told, size_t k, struct rd_checkpoint checkpoint)
{
    memmove(&told->checkpoints[k + 1], &told->checkpoints[k],
            (told->count - k) * sizeof *told->checkpoints);
    told->checkpoints[k] = checkpoint;
    told->count++;
}

/* As a device counts them: each warp's, or the block's, one after the other. */
static void renumber(struct fake_told *told)
{
    unsigned number = 0;
    for (size_t k = 0; k < told->count; k++) {
        number = k > 0 && told->checkpoints[k].place.block == told->checkpoints[k - 1].place.block
                     ? number + 1
                     : 1;
        told->checkpoints[k].place.number = number;
    }
}

static void remove_last(struct fake_told *told)
{
    remove_at(told, told->count - 1);
}

static void remove_first(struct fake_told *told)
{
    remove_at(told, 0);
    renumber(told);
}

static void remove_second(struct fake_told *told)
{
    remove_at(told, 1);
    renumber(told);
}

static void remove_block_1(struct fake_told *told)
{
    for (size_t k = told->count; k-- > 0;)
        if (told->checkpoints[k].place.block == 1)
            remove_at(told, k);
}

static void remove_all(struct fake_told *told)
{
    told->count = 0;
}

static void remove_all_for_room(struct fake_told *told)
{
    told->count = 0;
    told->truncated = true;
}

static void double_second(struct fake_told *told)
{
    insert_at(told, 1, told->checkpoints[1]);
    renumber(told);
}

static void double_last(struct fake_told *told)
{
    insert_at(told, told->count, told->checkpoints[told->count - 1]);
    renumber(told);
}

static void go_up_again(struct fake_told *told)
{
    insert_at(told, 3, told->checkpoints[0]);
    renumber(told);
}

static void swap_first_two(struct fake_told *told)
{
    struct rd_checkpoint first = told->checkpoints[0];
    told->checkpoints[0] = told->checkpoints[1];
    told->checkpoints[1] = first;
    renumber(told);
}

static void set_variable_0(struct fake_told *told)
{
    told->checkpoints[2].place.variable = 0;
}

static void set_variable_huge(struct fake_told *told)
{
    told->checkpoints[2].place.variable = UINT64_MAX;
}

static void set_other_point(struct fake_told *told)
{
    told->checkpoints[0].place.point = RD_POINT_TILE_SUMS;
}

static void set_warp(struct fake_told *told)
{
    told->checkpoints[0].place.warp = 0;
}

static void set_block_9(struct fake_told *told)
{
    told->checkpoints[told->count - 1].place.block = 9;
}

static void lose_a_thread(struct fake_told *told)
{
    told->checkpoints[1].threads--;
}

static void mix_variables(struct fake_told *told)
{
    told->checkpoints[1].mixed = true;
}

static void write_between(struct fake_told *told)
{
    told->checkpoints[1].written = true;
}

static void shrink(struct fake_told *told)
{
    told->checkpoints[0].n_cells = 2;
}

static void tear_block(struct fake_told *told)
{
    struct rd_checkpoint last = told->checkpoints[2];
    remove_at(told, 2);
    insert_at(told, told->count, last);
}

static void never_end(struct fake_told *told)
{
    told->endless = true;
}

static void lose_a_lane(struct fake_told *told)
{
    told->checkpoints[0].present &= ~2u;
    told->checkpoints[0].threads--;
}

static void add_a_lane(struct fake_told *told)
{
    told->checkpoints[0].present |= 16;
    told->checkpoints[0].threads++;
}

/* ---- what the run says ---- */

struct heard {
    unsigned count;
    char names[8][32], messages[8][512];
};

static enum rd_status hear(void *self, const struct rd_run *run, const struct rd_hazard *hazard,
                           struct rd_error *error)
{
    struct heard *heard = self;
    (void)run, (void)error;
    assert_true(heard->count < 8);
    snprintf(heard->names[heard->count], sizeof heard->names[0], "%s", hazard->name);
    snprintf(heard->messages[heard->count], sizeof heard->messages[0], "%s", hazard->message);
    heard->count++;
    return RD_OK;
}

static void run_edited(const struct test_case *test, void (*edit)(struct fake_told *told),
                       struct heard *heard, struct rd_result *result)
{
    struct fake fake;
    struct rd_values values;
    struct rd_error error = {""};
    struct test_case edited = *test;
    const struct rd_observer observer = {.self = heard, .hazard = hear};
    fake_init(&fake, test_device());
    fake.edit = edit;
    edited.device = &fake.device;
    edited.unexplained = true;
    *heard = (struct heard){.count = 0};
    if (test_run_observed(&edited, &observer, &values, result, &error) != RD_OK)
        fail_msg("%s", error.text);
    rd_values_finish(&values);
}

struct edit_case {
    const char *what;
    void (*edit)(struct fake_told *told);
    enum rd_verdict verdict;
    const char *names[3]; /* of the hazards, in their order */
    const char *words;    /* of the first */
};

static void check_cases(const struct test_case *test, const struct edit_case *cases, size_t n)
{
    for (size_t c = 0; c < n; c++) {
        struct heard heard;
        struct rd_result result;
        unsigned count = 0;
        run_edited(test, cases[c].edit, &heard, &result);
        while (count < 3 && cases[c].names[count])
            count++;
        bool same = heard.count == count && result.verdict == cases[c].verdict;
        for (unsigned k = 0; k < count && same; k++)
            same = strcmp(heard.names[k], cases[c].names[k]) == 0;
        if (!same || (cases[c].words && !strstr(heard.messages[0], cases[c].words)))
            fail_msg("%s: %s, %u hazards: %s: %s; %s", cases[c].what,
                     rd_verdict_name(result.verdict), heard.count, heard.names[0],
                     heard.messages[0], heard.names[1]);
        assert_int_equal(result.hazards, count);
        if (result.verdict != RD_HOLDS)
            assert_int_not_equal(result.obligations[RD_EXIT], RD_HOLDS);
    }
}

/* Two blocks of four: w = 4, 2, 1 in each. */
static void test_array_whose_checkpoints_are_not_those_documented_is_told(void **state)
{
    static const struct edit_case cases[] = {
        {"as it is", leave_alone, RD_HOLDS, {NULL}, NULL},
        {"the last is left out",
         remove_last,
         RD_INCONCLUSIVE,
         {"checkpoint-missing"},
         "block 1 does not come to 'sequential' with w = 1, which is due as its checkpoint 3"},
        {"the first is left out",
         remove_first,
         RD_INCONCLUSIVE,
         {"checkpoint-missing"},
         "block 0 does not come to 'sequential' with w = 4, which is due as its checkpoint 1"},
        {"one between is left out",
         remove_second,
         RD_INCONCLUSIVE,
         {"checkpoint-missing"},
         "block 0 does not come to 'sequential' with w = 2"},
        {"a block's are left out",
         remove_block_1,
         RD_INCONCLUSIVE,
         {"checkpoint-missing"},
         "block 1 does not come to 'sequential' with w = 4"},
        {"all are left out",
         remove_all,
         RD_INCONCLUSIVE,
         {"checkpoint-missing"},
         "block 0 does not come to 'sequential' with w = 4, which is due as its checkpoint 1; 2 "
         "blocks lack some"},
        {"there is no room for any", remove_all_for_room, RD_INCONCLUSIVE, {NULL}, NULL},
        {"one is doubled",
         double_second,
         RD_VIOLATED,
         {"checkpoint-order"},
         "block 0 comes to 'sequential' with w = 2 as its checkpoint 3, where 'sequential' with w "
         "= 1 is due"},
        {"the last is doubled",
         double_last,
         RD_VIOLATED,
         {"checkpoint-order"},
         "block 1 comes to 'sequential' with w = 1 as its checkpoint 4, where no more are due"},
        {"w goes up again",
         go_up_again,
         RD_VIOLATED,
         {"checkpoint-order"},
         "block 0 comes to 'sequential' with w = 4 as its checkpoint 4, where no more are due"},
        {"two change places",
         swap_first_two,
         RD_VIOLATED,
         {"checkpoint-order", "checkpoint-missing"},
         "comes to 'sequential' with w = 4 as its checkpoint 2, where 'sequential' with w = 1 is "
         "due"},
        {"w is 0",
         set_variable_0,
         RD_VIOLATED,
         {"checkpoint-order", "checkpoint-missing"},
         "with w = 0 as its checkpoint 3, where 'sequential' with w = 1 is due"},
        {"w is huge",
         set_variable_huge,
         RD_VIOLATED,
         {"checkpoint-order", "checkpoint-missing"},
         "with w = 18446744073709551615 as"},
        {"it is another's",
         set_other_point,
         RD_VIOLATED,
         {"checkpoint-order", "checkpoint-missing"},
         "'tile_sums' with its variable = 4"},
        {"it is of a warp",
         set_warp,
         RD_VIOLATED,
         {"checkpoint-order", "checkpoint-missing"},
         "block 0, warp 0, comes to"},
        {"it is of no block",
         set_block_9,
         RD_VIOLATED,
         {"checkpoint-order", "checkpoint-missing"},
         "block 9 comes to"},
        {"a thread does not come",
         lose_a_thread,
         RD_VIOLATED,
         {"checkpoint-divergence"},
         "block 0 comes to 'sequential' with w = 2 as its checkpoint 2 with 3 of its threads, and "
         "4 should"},
        {"w differs between threads",
         mix_variables,
         RD_VIOLATED,
         {"checkpoint-divergence"},
         "with other values of it, too"},
        {"the array is written",
         write_between,
         RD_VIOLATED,
         {"checkpoint-race"},
         "while its threads still write to the array"},
        {"the array has two cells",
         shrink,
         RD_VIOLATED,
         {"checkpoint-order", "checkpoint-missing"},
         "with an array of 2 cells, and 'cache' has 4"},
        {"a block is told in two parts",
         tear_block,
         RD_VIOLATED,
         {"checkpoint-order", "checkpoint-missing"},
         NULL},
        {"its loop has no end", never_end, RD_VIOLATED, {"no-termination"}, "again and again"},
    };
    (void)state;
    for (unsigned type = 0; type < RD_TYPE_COUNT; type++)
        check_cases(
            &(struct test_case){
                .program = "dot-shared", .n = 8, .type = (enum rd_type)type, .block = 4, .grid = 2},
            cases, sizeof cases / sizeof *cases);
}

/* Thread 0 of a block of four: j = 1, 2, 3, 4. */
static void test_lanes_that_do_not_come_as_documented_are_told(void **state)
{
    static const struct edit_case cases[] = {
        {"as it is", leave_alone, RD_HOLDS, {NULL}, NULL},
        {"another lane comes, too",
         add_a_lane,
         RD_VIOLATED,
         {"checkpoint-divergence"},
         "block 0, warp 0, comes to 'serial' with j = 1 as its checkpoint 1 with 2 of its threads, "
         "and 1 should"},
        {"one is left out",
         remove_second,
         RD_INCONCLUSIVE,
         {"checkpoint-missing"},
         "block 0, warp 0, does not come to 'serial' with j = 2"},
        {"one is doubled", double_last, RD_VIOLATED, {"checkpoint-order"}, "no more are due"},
    };
    static const struct edit_case tile[] = {
        {"as it is", leave_alone, RD_HOLDS, {NULL}, NULL},
        {"a lane does not come",
         lose_a_lane,
         RD_VIOLATED,
         {"checkpoint-divergence"},
         "with 8 of its threads, and 9 should"},
    };
    (void)state;
    check_cases(&(struct test_case){.program = "puzzle-dot", .n = 4, .block = 4}, cases,
                sizeof cases / sizeof *cases);
    check_cases(&(struct test_case){.program = "puzzle-matmul", .n = 2}, tile,
                sizeof tile / sizeof *tile);
}

/* ---- the block that comes last ---- */

static void remove_partials(struct fake_told *told)
{
    for (size_t k = told->count; k-- > 0;)
        if (told->checkpoints[k].place.point == RD_POINT_SHUFFLE_PARTIALS)
            remove_at(told, k);
}

/* Another block as if it had drawn the last ticket, too: the first, or the one behind it. */
static void double_last_block(struct fake_told *told)
{
    struct rd_checkpoint partial = told->checkpoints[0];
    for (size_t k = told->count; k-- > 0;)
        if (told->checkpoints[k].place.point == RD_POINT_SHUFFLE_PARTIALS)
            partial = told->checkpoints[k];
    uint64_t other = partial.place.block == 0;
    size_t end = 0;
    while (told->checkpoints[end].place.block != other)
        end++;
    while (end < told->count && told->checkpoints[end].place.block == other)
        end++;
    partial.place.block = other;
    partial.place.number = told->checkpoints[end - 1].place.number + 1;
    insert_at(told, end, partial);
}

static void test_last_block_is_one_and_no_more(void **state)
{
    static const struct edit_case cases[] = {
        {"as it is", leave_alone, RD_HOLDS, {NULL}, NULL},
        {"none is",
         remove_partials,
         RD_INCONCLUSIVE,
         {"checkpoint-missing"},
         "no block comes to 'shuffle_partials' with w = 32"},
        {"two are", /* last: which of them a device tells of first is its own */
         double_last_block,
         RD_VIOLATED,
         {"checkpoint-order", "checkpoint-missing"},
         NULL},
    };
    (void)state;
    check_cases(&(struct test_case){.program = "ladder-vectorised", .n = 9, .block = 4, .grid = 2},
                cases, sizeof cases / sizeof *cases - !test_device_is_sim());
}

/* ---- what programs say ---- */

/* The documented checkpoints of each warp, worked out once more from its members, one by one. */
static void test_passes_are_counted_and_listed_alike(void **state)
{
    static const struct rd_shape shapes[] = {{1, 1, 1},     {9, 4, 3},    {100, 32, 2},
                                             {1000, 64, 5}, {333, 48, 2}, {5000, 1024, 2}};
    (void)state;
    for (const struct rd_program *const *p = rd_programs; *p; p++)
        for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
            struct rd_shape shape = shapes[s];
            struct rd_round round;
            if (!(*p)->blocks)
                shape.grid = 0;
            if (rd_program_accept(*p, &shape, NULL) != RD_OK)
                continue;
            for (unsigned number = 1; rd_program_round(*p, &shape, number, &round); number++)
                for (unsigned warp = 0; warp * RD_WARP_LANES < rd_round_threads(&round); warp++) {
                    const struct rd_passing by = {&shape, RD_TYPE_F32, &round, 0, warp};
                    size_t count = rd_program_passes(*p, &by, true);
                    struct rd_place place, before = {.number = 0};
                    for (size_t k = 0; k < count; k++) {
                        assert_true(rd_program_pass(*p, &by, true, k, &place));
                        assert_int_equal(place.number, k + 1);
                        assert_false(k > 0 && place.point == before.point &&
                                     place.variable == before.variable);
                        before = place;
                    }
                    assert_false(rd_program_pass(*p, &by, true, count, &place));
                }
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_array_whose_checkpoints_are_not_those_documented_is_told),
        cmocka_unit_test(test_lanes_that_do_not_come_as_documented_are_told),
        cmocka_unit_test(test_last_block_is_one_and_no_more),
        cmocka_unit_test(test_passes_are_counted_and_listed_alike),
    };
    return cmocka_run_group_tests(tests, test_set_up, test_tear_down) != 0;
}
