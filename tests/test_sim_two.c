// SPDX-License-Identifier: MIT
/* Two simulators in one process, each in a thread of its own, or taking turns in one thread: what each computes and
 * finds is what it does alone. Never reported: anything that the other one has done. */
#include "reductio/hazards.h"
#include "reductio/device.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { THREADS = 256, BLOCKS = 4, N = THREADS * BLOCKS, ROUNDS = 20, TEXT_SIZE = 1 << 16 };

/* A simulator, what it is to run, and all that its launches said and left. */
struct work {
    bool races; /* also the kernel that does */
    uint64_t value;
    struct rd_device *sim;
    struct rd_buffer *in, *out;
    bool failed;
    size_t n_findings, length;
    char text[TEXT_SIZE];
};

__attribute__((format(printf, 2, 3))) static void add(struct work *work, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(work->text + work->length, TEXT_SIZE - work->length, format, arguments);
    va_end(arguments);
    work->length += length > 0 ? (size_t)length : 0;
    work->failed |= work->length >= TEXT_SIZE;
}

static void begin(struct work *work)
{
    uint64_t cells[N], zeros[BLOCKS] = {0};
    for (unsigned k = 0; k < N; k++)
        cells[k] = work->value;
    work->failed = rd_device_open("sim", &work->sim, NULL, NULL) != RD_OK;
    if (work->failed)
        return;
    const struct rd_device_ops *ops = work->sim->ops;
    work->failed = ops->alloc(work->sim, sizeof cells, &work->in, NULL) != RD_OK ||
                   ops->alloc(work->sim, sizeof zeros, &work->out, NULL) != RD_OK ||
                   ops->write(work->sim, work->in, cells, sizeof cells, NULL) != RD_OK ||
                   ops->write(work->sim, work->out, zeros, sizeof zeros, NULL) != RD_OK;
}

static void launch(struct work *work, enum rd_kernel kernel)
{
    const struct rd_launch dot = {
        .kernel = kernel,
        .type = RD_TYPE_U64,
        .grid = BLOCKS,
        .block = THREADS,
        .shared_bytes = kernel == RD_KERNEL_DOT_SHARED ? THREADS * sizeof(uint64_t) : 0,
        .n_args = 4,
        .args = {{.buffer = work->in, .name = "a"},
                 {.buffer = work->in, .name = "b"},
                 {.buffer = work->out, .name = "c"},
                 {.scalar = N, .name = "n"}},
    };
    const struct rd_device_ops *ops = work->sim->ops;
    uint64_t cells[BLOCKS] = {0};
    size_t count = 0;
    work->failed |= ops->launch(work->sim, &dot, NULL) != RD_OK;
    const struct rd_finding *findings = ops->findings(work->sim, &count);
    work->n_findings += count;
    for (size_t k = 0; k < count; k++)
        add(work, "%s %s\n", rd_hazard_name(findings[k].hazard), findings[k].message);
    work->failed |= ops->read(work->sim, work->out, RD_TYPE_U64, (struct rd_cells){0, BLOCKS, 1},
                              cells, 0, NULL) != RD_OK;
    for (unsigned k = 0; k < BLOCKS; k++)
        add(work, "%llu\n", (unsigned long long)cells[k]);
}

static void run_round(struct work *work)
{
    launch(work, RD_KERNEL_DOT_SHARED);
    if (work->races)
        launch(work, RD_KERNEL_DOT_NAIVE);
}

static void finish(struct work *work)
{
    work->sim->ops->free(work->sim, work->in);
    work->sim->ops->free(work->sim, work->out);
    rd_device_close(work->sim);
}

static void *run_all(void *self)
{
    struct work *work = self;
    begin(work);
    for (unsigned k = 0; k < ROUNDS && !work->failed; k++)
        run_round(work);
    finish(work);
    return NULL;
}

static struct work alone[2], both[2];

static int run_alone(void **state)
{
    (void)state;
    for (unsigned k = 0; k < 2; k++) {
        alone[k] = (struct work){.races = k, .value = k + 2};
        run_all(&alone[k]);
    }
    return alone[0].failed || alone[1].failed ? -1 : 0;
}

static void assert_as_alone(void)
{
    assert_int_equal(alone[0].n_findings, 0);
    assert_true(alone[1].n_findings >= ROUNDS);
    for (unsigned k = 0; k < 2; k++) {
        assert_false(both[k].failed);
        assert_int_equal(both[k].n_findings, alone[k].n_findings);
        assert_string_equal(both[k].text, alone[k].text);
    }
}

static void test_two_simulators_in_two_threads_find_what_each_finds_alone(void **state)
{
    pthread_t threads[2];
    (void)state;
    for (unsigned k = 0; k < 2; k++) {
        both[k] = (struct work){.races = k, .value = k + 2};
        assert_int_equal(pthread_create(&threads[k], NULL, run_all, &both[k]), 0);
    }
    for (unsigned k = 0; k < 2; k++)
        assert_int_equal(pthread_join(threads[k], NULL), 0);
    assert_as_alone();
}

static void test_two_simulators_in_one_thread_find_what_each_finds_alone(void **state)
{
    (void)state;
    for (unsigned k = 0; k < 2; k++) {
        both[k] = (struct work){.races = k, .value = k + 2};
        begin(&both[k]);
        assert_false(both[k].failed);
    }
    assert_ptr_not_equal(both[0].sim, both[1].sim);
    for (unsigned round = 0; round < ROUNDS; round++)
        for (unsigned k = 0; k < 2; k++)
            run_round(&both[k]);
    for (unsigned k = 0; k < 2; k++)
        finish(&both[k]);
    assert_as_alone();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_two_simulators_in_two_threads_find_what_each_finds_alone),
        cmocka_unit_test(test_two_simulators_in_one_thread_find_what_each_finds_alone),
    };
    return cmocka_run_group_tests(tests, run_alone, NULL) != 0;
}
