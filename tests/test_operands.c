// SPDX-License-Identifier: MIT
/* What rounds pass to their kernels is what these take: of all programs; and one that passes another thing is refused
 * before anything runs. */
#include "operands.h"
#include "fake_device.h"
#include "harness.h"
#include "schedule.h"

#include <string.h>

static void test_all_programs_pass_what_their_kernels_take(void **state)
{
    static const size_t sizes[] = {1, 2, 3, 4, 8, 31, 32, 33, 64, 100, 256, 1024, 5000};
    (void)state;
    for (const struct rd_program *const *p = rd_programs; *p; p++)
        for (size_t s = 0; s <= sizeof sizes / sizeof *sizes; s++) {
            struct rd_error error = {""};
            const struct rd_shape asked = {.n = s > 0 ? sizes[s - 1] : 0};
            const struct rd_shape shape =
                s > 0 ? rd_program_shape(*p, asked) : rd_program_default(*p);
            if (rd_program_accept(*p, &shape, NULL) != RD_OK)
                continue;
            if (rd_program_check_operands(*p, &shape, &error) != RD_OK)
                fail_msg("%s", error.text);
        }
}

/* ---- rounds of fold-guard, which takes an array and two sizes, that pass something else ---- */

static void pass_too_few(struct rd_round *round)
{
    rd_round_pass_a(round);
    rd_round_pass_size(round, 2);
}

static void pass_too_many(struct rd_round *round)
{
    rd_round_pass_a(round);
    rd_round_pass_size(round, 2);
    rd_round_pass_size(round, 8);
    rd_round_pass_size(round, 8);
}

static void pass_size_as_array(struct rd_round *round)
{
    rd_round_pass_size(round, 2);
    rd_round_pass_a(round);
    rd_round_pass_size(round, 8);
}

static void pass_array_as_size(struct rd_round *round)
{
    rd_round_pass_a(round);
    rd_round_pass_size(round, 2);
    rd_round_pass_scratch(round, 8);
}

static void pass_ticket_as_array(struct rd_round *round)
{
    rd_round_pass_ticket(round);
    rd_round_pass_size(round, 2);
    rd_round_pass_size(round, 8);
}

/* The kernel writes to its first argument, and inputs are const. */
static void pass_input_as_array(struct rd_round *round)
{
    rd_round_pass_input(round);
    rd_round_pass_size(round, 2);
    rd_round_pass_size(round, 8);
}

static void (*pass_wrong)(struct rd_round *round);

/* Two rounds, of which the second is wrong. */
static bool wrong_schedule(const struct rd_shape *shape, unsigned number, struct rd_round *round)
{
    if (number > 2)
        return false;
    rd_round_init(round, number, RD_KERNEL_FOLD_GUARD, 4 / number, shape->block);
    rd_round_width(round, "half", 4 / number);
    if (number == 2) {
        pass_wrong(round);
        return true;
    }
    rd_round_pass_a(round);
    rd_round_pass_size(round, 4);
    rd_round_pass_size(round, 8);
    return true;
}

static const struct {
    void (*pass)(struct rd_round *round);
    const char *says;
} cases[] = {
    {pass_too_few, "passes 2 arguments to kernel 'fold_guard' in round 2, where it takes 3"},
    {pass_too_many, "passes 4 arguments to kernel 'fold_guard' in round 2, where it takes 3"},
    {pass_size_as_array,
     "passes a size to kernel 'fold_guard' as argument 1 of round 2, where it takes 'elem *'"},
    {pass_array_as_size, "passes scratch memory to kernel 'fold_guard' as argument 3 of round 2, "
                         "where it takes 'size_t'"},
    {pass_ticket_as_array, "passes the ticket to kernel 'fold_guard' as argument 1 of round 2, "
                           "where it takes 'elem *'"},
    {pass_input_as_array, "passes the input a to kernel 'fold_guard' as argument 1 of round 2, "
                          "where it takes 'elem *'"},
};

static void test_run_of_round_that_passes_something_else_is_refused(void **state)
{
    struct rd_program program = *rd_program_named("fold-guard");
    (void)state;
    program.schedule = wrong_schedule;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct fake fake;
        struct rd_error error = {""};
        struct rd_result result;
        fake_init(&fake, test_device());
        pass_wrong = cases[c].pass;
        const struct test_case test = {.custom = &program, .n = 8, .device = &fake.device};
        assert_int_equal(test_run(&test, &result, &error), RD_ERROR_USAGE);
        if (!strstr(error.text, cases[c].says) || strncmp(error.text, "'fold-guard' ", 13) != 0)
            fail_msg("no \"%s\" in \"%s\"", cases[c].says, error.text);
        assert_int_equal(fake.launches, 0); /* nor of the first round, which is right */
        assert_int_equal(fake.buffers, 0);
    }
}

static void pass_input_that_it_spoils(struct rd_round *round)
{
    pass_input_as_array(round);
    round->spoils_inputs = true;
}

/* A fault's kernel that writes to an input is no mistake of its round, which says so. */
static void test_input_may_go_to_a_kernel_that_is_known_to_spoil_it(void **state)
{
    struct rd_program program = *rd_program_named("fold-guard");
    const struct rd_shape shape = rd_program_shape(&program, (struct rd_shape){.n = 8});
    (void)state;
    program.schedule = wrong_schedule;
    pass_wrong = pass_input_that_it_spoils;
    assert_int_equal(rd_program_check_operands(&program, &shape, NULL), RD_OK);
    pass_wrong = pass_input_as_array;
    assert_int_equal(rd_program_check_operands(&program, &shape, NULL), RD_ERROR_USAGE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_programs_pass_what_their_kernels_take),
        cmocka_unit_test(test_run_of_round_that_passes_something_else_is_refused),
        cmocka_unit_test(test_input_may_go_to_a_kernel_that_is_known_to_spoil_it),
    };
    return cmocka_run_group_tests(tests, test_set_up, test_tear_down) != 0;
}
