// SPDX-License-Identifier: MIT
/* Memory that runs out anywhere: what is asked of a program then says so, or is right; and asked again it is right. */
#include "harness.h"

#include <string.h>

/* Other allocators stand in the way of this one: a sanitizer's, or valgrind's. */
#if defined __GLIBC__ && !defined __SANITIZE_ADDRESS__ && !defined __SANITIZE_THREAD__
#define CAN_FAIL

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);

static _Thread_local volatile unsigned left; /* allocations until one fails; 0: none does */
static _Thread_local volatile bool failed;

static bool fails(void)
{
    if (left == 0 || (left = left - 1) > 0)
        return false;
    return failed = true;
}

void *malloc(size_t size)
{
    return fails() ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    return fails() ? NULL : __libc_calloc(count, size);
}

void *realloc(void *memory, size_t size)
{
    return fails() ? NULL : __libc_realloc(memory, size);
}

/* Lets the allocation of that number, from here on, fail. */
static void fail_at(unsigned number)
{
    left = number;
    failed = false;
}

/* Ends it. True where one did. */
static bool has_failed(void)
{
    left = 0;
    return failed;
}

static bool is_at_work(void)
{
    fail_at(1);
    void *volatile memory = malloc(1);
    free(memory);
    return has_failed();
}

static void test_rounds_are_counted_anew_after_there_was_no_memory(void **state)
{
    const struct rd_program *fold = rd_program_named("fold");
    bool failing = true;
    (void)state;
    if (!is_at_work())
        skip();
    for (unsigned number = 1; failing && number < 1000; number++) {
        const struct rd_shape shape = {(size_t)1 << number % 40, 4 + number, 0};
        fail_at(number);
        rd_program_rounds(fold, &shape);
        failing = has_failed();
        assert_int_equal(rd_program_rounds(fold, &shape), number % 40);
    }
    assert_false(failing);
}

/* The device has what it needs, and so has a simulated thread. */
static void test_run_without_memory_says_so_or_is_right(void **state)
{
    static const int32_t a[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    const char *const programs[] = {"fold", "fold:wrong-half"};
    (void)state;
    if (!is_at_work() || !test_device_is_sim())
        skip();
    for (unsigned k = 0; k < 2; k++) {
        struct rd_run run = {
            .program = rd_program_named(programs[k]),
            .numeric = rd_numeric(RD_TYPE_I32),
            .n = 8,
            .a = a,
            .device = test_device(),
        };
        bool failing = true;
        for (unsigned number = 1; failing && number < 2000; number++) {
            struct rd_result result = {.verdict = RD_INCONCLUSIVE};
            struct rd_error error = {""};
            run.block = 32 + number % 512; /* of which nothing is kept */
            fail_at(number);
            const enum rd_status status = rd_run(&run, NULL, &result, &error);
            failing = has_failed();
            if (status == RD_OK && result.verdict != (k ? RD_VIOLATED : RD_HOLDS) &&
                result.verdict != RD_INCONCLUSIVE)
                fail_msg("allocation %u: %s", number, rd_verdict_name(result.verdict));
            if (status != RD_OK && status != RD_ERROR_MEMORY)
                fail_msg("allocation %u: status %d, '%s'", number, status, error.text);
        }
        assert_false(failing);
    }
}
#endif

int main(void)
{
#ifdef CAN_FAIL
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rounds_are_counted_anew_after_there_was_no_memory),
        cmocka_unit_test(test_run_without_memory_says_so_or_is_right),
    };
    return cmocka_run_group_tests(tests, test_set_up, test_tear_down) != 0;
#else
    return 77;
#endif
}
