// SPDX-License-Identifier: MIT
/* Operands: the rounds of all programs pass what their kernels take, and a program that passes another thing is refused
 * before anything runs. */
#include "program/operands.h"
#include "fake_device.h"
#include "harness.h"

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

/* Two rounds of fold-guard, whose kernel takes an array and two sizes; the second passes something else. */
#define WRONG(round) "when d = 1: fold_guard(A, 4, 8) by 4 threads; when d = 2: fold_guard" round

static const struct {
    const char *launch, *says;
} cases[] = {
    {WRONG("(A, 2) by 2 threads"),
     "passes 2 arguments to kernel 'fold_guard' in round 2, where it takes 3"},
    {WRONG("(A, 2, 8, 8) by 2 threads"),
     "passes 4 arguments to kernel 'fold_guard' in round 2, where it takes 3"},
    {WRONG("(2, A, 8) by 2 threads"),
     "passes a size to kernel 'fold_guard' as argument 1 of round 2, where it takes 'elem *'"},
    {WRONG("(A, 2, scratch[8]) by 2 threads"),
     "passes scratch memory to kernel 'fold_guard' as argument 3 of round 2, where it takes "
     "'size_t'"},
    {WRONG("(ticket, 2, 8) by 2 threads"),
     "passes the ticket to kernel 'fold_guard' as argument 1 of round 2, where it takes 'elem *'"},
    /* The kernel writes to its first argument, and inputs are const. */
    {WRONG("(a, 2, 8) by 2 threads"),
     "passes the input a to kernel 'fold_guard' as argument 1 of round 2, where it takes 'elem *'"},
};

static void test_run_of_round_that_passes_something_else_is_refused(void **state)
{
    struct rd_program program = *rd_program_named("fold-guard");
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct fake fake;
        struct rd_error error = {""};
        struct rd_result result;
        fake_init(&fake, test_device());
        program.launch = cases[c].launch;
        const struct test_case test = {.custom = &program, .n = 8, .device = &fake.device};
        assert_int_equal(test_run(&test, &result, &error), RD_ERROR_USAGE);
        if (!strstr(error.text, cases[c].says) || strncmp(error.text, "'fold-guard' ", 13) != 0)
            fail_msg("no \"%s\" in \"%s\"", cases[c].says, error.text);
        assert_int_equal(fake.launches, 0); /* nor of the first round, which is right */
        assert_int_equal(fake.buffers, 0);
    }
}

/* A fault's kernel that writes to an input is no mistake of its round, which says so. */
static void test_input_may_go_to_a_kernel_that_is_known_to_spoil_it(void **state)
{
    struct rd_program program = *rd_program_named("fold-guard");
    const struct rd_shape shape = rd_program_shape(&program, (struct rd_shape){.n = 8});
    (void)state;
    program.launch = WRONG("(a, 2, 8) by 2 threads, spoils inputs");
    assert_int_equal(rd_program_check_operands(&program, &shape, NULL), RD_OK);
    program.launch = WRONG("(a, 2, 8) by 2 threads");
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
