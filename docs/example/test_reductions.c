// SPDX-License-Identifier: MIT
/* Tests of reductions: a right one, whose law holds without a hazard, and wrong ones that are wrong as they must be. */
#include <reductio/reductio_cmocka.h>
#include <reductio/values.h>

static struct rd_device *device;

static int open_device(void **state)
{
    struct rd_error error;
    (void)state;
    if (rd_device_open("auto", &device, NULL, &error) == RD_OK)
        return 0;
    print_error("%s\n", error.text);
    return -1;
}

static int close_device(void **state)
{
    (void)state;
    rd_device_close(device);
    return 0;
}

/* A run of the program on these values, which are the caller's to finish. */
static struct rd_run run_of(const char *program, enum rd_type type, const char *spec, size_t n,
                            struct rd_values *values)
{
    struct rd_error error;
    if (rd_values_init(values, rd_numeric(type), spec, n, 0, false, &error) != RD_OK)
        fail_msg("%s", error.text);
    return (struct rd_run){
        .program = rd_program_named(program),
        .numeric = rd_numeric(type),
        .n = values->n,
        .a = values->a,
        .values = values->spec,
        .frame = true,
        .device = device,
    };
}

static void test_guarded_fold_of_1000_floats_is_right(void **state)
{
    struct rd_values values;
    const struct rd_run run = run_of("fold-guard", RD_TYPE_F32, "random:1", 1000, &values);
    (void)state;
    rd_assert_law_holds(&run);
    rd_assert_every_step_holds(&run);
    rd_assert_no_hazard(&run);
    rd_values_finish(&values);
}

static void test_fold_from_the_wrong_half_races_and_is_wrong_at_once(void **state)
{
    struct rd_values values;
    const struct rd_run run = run_of("fold:wrong-half", RD_TYPE_I32, "iota", 8, &values);
    (void)state;
    rd_assert_violated_at(&run, 1, 0);
    rd_assert_hazard(&run, RD_HAZARD_RACE, "A", 3);
    rd_values_finish(&values);
}

static void test_fold_without_its_guard_is_wrong_in_round_2(void **state)
{
    struct rd_values values;
    const struct rd_run run = run_of("fold:missing-guard", RD_TYPE_I32, "iota", 8, &values);
    (void)state;
    rd_assert_violated_at(&run, 2, 2);
    rd_values_finish(&values);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_guarded_fold_of_1000_floats_is_right),
        cmocka_unit_test(test_fold_from_the_wrong_half_races_and_is_wrong_at_once),
        cmocka_unit_test(test_fold_without_its_guard_is_wrong_in_round_2),
    };
    return cmocka_run_group_tests(tests, open_device, close_device) != 0;
}
