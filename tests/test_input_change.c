// SPDX-License-Identifier: MIT
/* Rounds that change an input: behind which of them it is looked at, and what is told of it. */
#include "fake_device.h"
#include "harness.h"
#include "run/state.h"

#include <stdio.h>
#include <string.h>

/* Reports on the inputs: which are unchanged at each step, and the hazard. */
struct told {
    unsigned steps, unchanged[TEST_STEPS_MAX];
    unsigned hazards, step;
    char message[512], array[8], before[32], after[32];
    int64_t index;
    uint64_t count;
};

static enum rd_status on_step(void *self, const struct rd_run *run, const struct rd_step *step,
                              struct rd_error *error)
{
    struct told *told = self;
    (void)run, (void)error;
    if (!step->place)
        told->unchanged[told->steps++] = step->unchanged;
    else
        assert_int_equal(step->unchanged, 0);
    return RD_OK;
}

static enum rd_status on_hazard(void *self, const struct rd_run *run,
                                const struct rd_hazard *hazard, struct rd_error *error)
{
    struct told *told = self;
    (void)run, (void)error;
    assert_string_equal(hazard->name, "input-changed");
    assert_non_null(hazard->finding);
    told->hazards++;
    told->step = hazard->step;
    told->index = hazard->finding->index;
    told->count = hazard->finding->count;
    snprintf(told->message, sizeof told->message, "%s", hazard->message);
    snprintf(told->array, sizeof told->array, "%s", hazard->finding->array);
    snprintf(told->before, sizeof told->before, "%s", hazard->finding->before);
    snprintf(told->after, sizeof told->after, "%s", hazard->finding->after);
    return RD_OK;
}

static void run(const struct test_case *test, struct fake *fake, struct told *told,
                struct rd_result *result)
{
    struct rd_values values;
    struct rd_error error = {""};
    struct test_case on_fake = *test;
    const struct rd_observer observer = {.self = told, .step = on_step, .hazard = on_hazard};
    on_fake.device = &fake->device;
    on_fake.unexplained = true;
    *told = (struct told){.steps = 0};
    if (test_run_observed(&on_fake, &observer, &values, result, &error) != RD_OK)
        fail_msg("%s", error.text);
    rd_values_finish(&values);
}

static void init(struct fake *fake, bool digests)
{
    if (digests)
        fake_init_digesting(fake, test_device());
    else
        fake_init(fake, test_device());
}

/* With the frame each round's, without it behind the last: those that a kernel was passed. */
static void test_unchanged_inputs_are_told_where_they_are_looked_at(void **state)
{
    enum { A = RD_INPUT_A, B = RD_INPUT_B };
    static const struct {
        const char *program;
        unsigned steps, framed[5], bare[5];
    } cases[] = {
        {"fold", 4, {0, 0, 0, 0}, {0, 0, 0, 0}},
        {"dot-shared", 2, {0, A | B}, {0, A | B}},
        {"dot-two-phase", 3, {0, A | B, 0}, {0, 0, A | B}},
        {"dot-fold", 5, {0, B, 0, 0, 0}, {0, 0, 0, 0, B}},
        {"ladder-vectorised", 2, {0, A}, {0, A}},
        {"norm", 2, {0, A}, {0, A}},
        {"multi-block-two-launch", 3, {0, A, 0}, {0, 0, A}},
        {"puzzle-matmul", 2, {0, A | B}, {0, A | B}},
    };
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        for (int frame = 0; frame < 2; frame++)
            for (int digests = 0; digests < 2; digests++) {
                const struct test_case test = {.program = cases[c].program, .n = 8, .frame = frame};
                const unsigned *wanted = frame ? cases[c].framed : cases[c].bare;
                struct fake fake;
                struct told told;
                struct rd_result result;
                init(&fake, digests);
                run(&test, &fake, &told, &result);
                assert_int_equal(result.verdict, RD_HOLDS);
                assert_int_equal(told.hazards, 0);
                assert_int_equal(told.steps, cases[c].steps);
                for (unsigned s = 0; s < told.steps; s++)
                    assert_int_equal(told.unchanged[s], wanted[s]);
                assert_int_equal(fake.digested > 0, digests && wanted[told.steps - 1] + wanted[1]);
                assert_int_equal(fake.buffers + fake.host_arrays, 0);
            }
}

static void test_changed_input_is_a_finding_with_its_first_element(void **state)
{
    static const struct {
        const char *program;
        unsigned arg, round;
        size_t cell;
        const char *array, *before, *after;
    } cases[] = {
        {"dot-shared", 0, 1, 0, "a", "0", "1"},       {"dot-shared", 0, 1, 7, "a", "7", "8"},
        {"dot-shared", 1, 1, 3, "b", "4", "5"},       {"dot-two-phase", 1, 1, 7, "b", "8", "9"},
        {"dot-fold", 1, 1, 2, "b", "3", "4"},         {"ladder-vectorised", 0, 1, 5, "a", "5", "6"},
        {"puzzle-matmul", 1, 1, 63, "b", "64", "65"},
    };
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        for (int frame = 0; frame < 2; frame++)
            for (int digests = 0; digests < 2; digests++) {
                const struct test_case test = {.program = cases[c].program, .n = 8, .frame = frame};
                char words[64];
                struct fake fake;
                struct told told;
                struct rd_result result;
                init(&fake, digests);
                fake.change_at = cases[c].round;
                fake.change_arg = cases[c].arg;
                fake.change_cell = cases[c].cell;
                run(&test, &fake, &told, &result);
                assert_int_equal(result.verdict, RD_VIOLATED);
                assert_int_equal(result.obligations[RD_EXIT], RD_INCONCLUSIVE);
                assert_int_equal(result.hazards, 1);
                assert_int_equal(told.hazards, 1);
                /* Without the frame it shows behind the last round. */
                assert_int_equal(told.step, frame ? cases[c].round : told.steps - 1);
                assert_string_equal(told.array, cases[c].array);
                assert_int_equal(told.index, cases[c].cell);
                assert_string_equal(told.before, cases[c].before);
                assert_string_equal(told.after, cases[c].after);
                assert_int_equal(told.count, 1);
                snprintf(words, sizeof words, "%s[%zu] was %s before", cases[c].array,
                         cases[c].cell, cases[c].before);
                assert_contains(told.message, words);
                unsigned input = strcmp(cases[c].array, "a") == 0 ? RD_INPUT_A : RD_INPUT_B;
                assert_int_equal(told.unchanged[told.steps - 1] & input, 0);
            }
}

/* Beyond what is copied at a time, of every type. */
static void test_changed_input_is_found_wherever_it_is(void **state)
{
    static const size_t cells[] = {0, (1 << 20) - 1, 1 << 20, (1 << 20) + 4};
    (void)state;
    for (unsigned type = 0; type < RD_HALVES_FIRST; type++)
        for (size_t c = 0; c < sizeof cells / sizeof *cells; c++) {
            const struct test_case test = {.program = "multi-block-atomic",
                                           .n = (1 << 20) + 5,
                                           .type = (enum rd_type)type,
                                           .values = "ones"};
            struct fake fake;
            struct told told;
            struct rd_result result;
            if (type > 0 && c > 0)
                continue;
            fake_init(&fake, test_device());
            fake.change_at = 1;
            fake.change_cell = cells[c];
            run(&test, &fake, &told, &result);
            assert_int_equal(result.verdict, RD_VIOLATED);
            assert_int_equal(told.index, cells[c]);
            assert_int_equal(told.count, 1);
        }
}

/* A fault's kernel that is known to spoil its input. */
static void test_input_that_a_lesson_spoils_is_not_asserted(void **state)
{
    struct rd_round round;
    (void)state;
    for (const struct rd_program *const *p = rd_programs; *p; p++) {
        const struct rd_shape shape = rd_program_shape(*p, (struct rd_shape){.n = (*p)->n});
        if (!rd_program_round(*p, &shape, 1, &round) || !round.spoils_inputs)
            continue;
        assert_true(rd_program_is_fault(*p));
        assert_int_equal(rd_inputs_due(*p, RD_OPERATION_SUM, &shape, true, 1), 0);
        assert_int_equal(rd_inputs_due(*p, RD_OPERATION_SUM, &shape, false, 1), 0);
    }
}

/* The digest of so many words on the device: by its own function, where it has one, and by the kernel. */
static uint64_t digest_of(struct rd_device *device, struct rd_buffer *words, size_t count)
{
    const struct rd_device_ops *ops = device->ops;
    struct rd_error error = {""};
    struct rd_buffer *sum;
    void *copy;
    uint64_t zero = 0, found, own;
    assert_int_equal(ops->alloc(device, sizeof zero, &sum, &error), RD_OK);
    const struct rd_launch launch = {
        .kernel = RD_KERNEL_DIGEST,
        .type = RD_TYPE_U32,
        .grid = 3,
        .block = 64,
        .n_args = 3,
        .args = {{.buffer = words}, {.buffer = sum}, {.scalar = count}},
    };
    assert_int_equal(ops->write(device, sum, &zero, sizeof zero, &error), RD_OK);
    assert_int_equal(ops->launch(device, &launch, &error), RD_OK);
    assert_int_equal(ops->host_alloc(device, sizeof found, &copy, &error), RD_OK);
    assert_int_equal(
        ops->read(device, sum, RD_TYPE_U64, (struct rd_cells){0, 1, 1}, copy, 0, &error), RD_OK);
    assert_int_equal(ops->wait(device, 0, &error), RD_OK);
    memcpy(&found, copy, sizeof found);
    ops->host_free(device, copy);
    ops->free(device, sum);
    if (ops->digest) {
        assert_int_equal(ops->digest(device, words, count * sizeof(uint32_t), &own, &error), RD_OK);
        assert_int_equal(own, found);
    }
    return found;
}

static void test_digest_on_the_device_is_that_of_the_words(void **state)
{
    static const size_t counts[] = {1, 2, 63, 64, 65, 193, 1000};
    struct rd_device *device = test_device();
    struct rd_error error = {""};
    uint32_t words[1000];
    (void)state;
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        words[k] = (uint32_t)(k * 2654435761u);
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
        size_t count = counts[c];
        struct rd_buffer *buffer;
        assert_int_equal(device->ops->alloc(device, count * sizeof *words, &buffer, &error), RD_OK);
        assert_int_equal(device->ops->write(device, buffer, words, count * sizeof *words, &error),
                         RD_OK);
        uint64_t whole = digest_of(device, buffer, count);
        assert_int_equal(whole, rd_numeric(RD_TYPE_U32)->digest(words, count));
        words[count / 2] ^= 1;
        assert_int_equal(device->ops->write(device, buffer, words, count * sizeof *words, &error),
                         RD_OK);
        assert_int_not_equal(digest_of(device, buffer, count), whole);
        device->ops->free(device, buffer);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_unchanged_inputs_are_told_where_they_are_looked_at),
        cmocka_unit_test(test_changed_input_is_a_finding_with_its_first_element),
        cmocka_unit_test(test_changed_input_is_found_wherever_it_is),
        cmocka_unit_test(test_input_that_a_lesson_spoils_is_not_asserted),
        cmocka_unit_test(test_digest_on_the_device_is_that_of_the_words),
    };
    return cmocka_run_group_tests(tests, test_set_up, test_tear_down) != 0;
}
