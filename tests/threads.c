// SPDX-License-Identifier: MIT
/* A client whose threads do at once what the library lets them: they register the same kernels and programs and programs of
 * their own, read laws, run, write traces and pages, and read traces again. test_threads.py builds it. */
#include <reductio/reductio.h>

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { THREADS = 4, TIMES = 2, NAME_SIZE = 64, PATH_SIZE = 512 };

extern const struct rd_launchable thirds_i32, thirds_u64, thirds_twice_i32, thirds_twice_u64;

#define LAW                                                                                        \
    "input a[n]\narray A[n]\nlet w = n / 3^d\nlaw for 0 <= i < w: A[i] = sum of a[j], j mod w = i"
#define LAUNCH "when w > 0: thirds(A, w) by w threads, third = w"

struct work {
    const char *folder;
    unsigned number;
    bool failed;
};

static void fail(struct work *work, const char *what, const struct rd_error *error)
{
    fprintf(stderr, "thread %u: %s: %s\n", work->number, what, error ? error->text : "");
    work->failed = true;
}

static bool register_all(struct work *work, const char *own, struct rd_error *error)
{
    const struct rd_launchable *const kernels[] = {&thirds_i32, &thirds_u64, &thirds_twice_i32,
                                                   &thirds_twice_u64};
    struct rd_program program = {.size = sizeof program,
                                 .name = "thirds",
                                 .summary = "adds thirds",
                                 .law = LAW,
                                 .launch = LAUNCH,
                                 .accept = "n = 3 or n = 9 or n = 27 else 'n' is {n}: use 27",
                                 .n = 27};
    for (unsigned k = 0; k < 4; k++)
        if (rd_kernel_register(kernels[(k + work->number) % 4], error) != RD_OK)
            return false;
    if (rd_program_register(&program, NULL, error) != RD_OK)
        return false;
    program.name = own;
    return rd_program_register(&program, NULL, error) == RD_OK;
}

static void read_laws(struct work *work)
{
    const struct rd_law_sizes sizes = {.n = 27, .T = 9};
    struct rd_law_error error;
    struct rd_law_run *run;
    struct rd_law *law;
    uint64_t value = 0;
    if (rd_law_create(&law, LAW, &error) != RD_OK) {
        fail(work, "a law", &error.what);
        return;
    }
    if (rd_law_run_create(&run, law, &sizes, &error) == RD_OK)
        rd_law_run_destroy(run);
    else
        fail(work, "the run of a law", &error.what);
    rd_law_destroy(law);
    if (rd_law_create(&law, "law for", &error) == RD_OK)
        fail(work, "no law was read as one", NULL);
    if (rd_law_value("n / 3 + T", &sizes, &value, &error) != RD_OK || value != 18)
        fail(work, "a value", NULL);
}

static void look_at_trace(struct work *work, const char *trace, const char *page)
{
    struct rd_history *history = NULL;
    struct rd_replay replay;
    struct rd_error error = {""};
    if (rd_trace_replay(trace, &replay, &error) != RD_OK) {
        fail(work, "a trace", &error);
        return;
    }
    rd_replay_finish(&replay);
    if (rd_history_read(&history, trace, NULL, &error) != RD_OK) {
        fail(work, "the history of a trace", &error);
        return;
    }
    const struct rd_report report = {.size = sizeof report, .history = history};
    if (rd_report_write(page, &report, &error) != RD_OK)
        fail(work, "the page of a trace", &error);
    rd_history_destroy(history);
}

static void run_one(struct work *work, struct rd_device *device, const char *name, size_t n)
{
    struct rd_error error = {""};
    struct rd_values values;
    struct rd_result result;
    struct rd_trace_writer *writer = NULL;
    struct rd_history *history = NULL;
    char trace[PATH_SIZE], page[PATH_SIZE];
    struct rd_run run = {.size = sizeof run,
                         .program = rd_program_named(name),
                         .numeric = rd_numeric(RD_TYPE_I32),
                         .n = n,
                         .values = "iota",
                         .device = device};
    snprintf(trace, sizeof trace, "%s/%u.ndjson", work->folder, work->number);
    snprintf(page, sizeof page, "%s/%u.html", work->folder, work->number);
    if (!run.program ||
        rd_values_init(&values, run.numeric, run.values, n, 0, false, &error) != RD_OK) {
        fail(work, name, &error);
        return;
    }
    run.a = values.a;
    enum rd_status status = rd_trace_writer_open(&writer, trace, RD_TRACE_CELLS, &error);
    const struct rd_observer *observers[] = {writer ? rd_trace_writer_observer(writer) : NULL,
                                             NULL};
    if (status == RD_OK)
        status = rd_run(&run, observers, &result, &error);
    if (writer && rd_trace_writer_close(writer, &error) != RD_OK)
        status = RD_ERROR_IO;
    if (status != RD_OK || result.verdict != RD_HOLDS)
        fail(work, name, &error);
    else
        look_at_trace(work, trace, page);
    if (rd_history_run(&history, &run, NULL, &error) == RD_OK) {
        const struct rd_report report = {.size = sizeof report, .history = history};
        if (rd_report_write(page, &report, &error) != RD_OK)
            fail(work, "the page of a run", &error);
    } else {
        fail(work, "the history of a run", &error);
    }
    rd_history_destroy(history);
    rd_values_finish(&values);
}

static void *work_in_thread(void *self)
{
    struct work *work = self;
    for (unsigned k = 0; k < TIMES; k++) {
        struct rd_error error = {""};
        struct rd_device *device;
        char own[NAME_SIZE];
        snprintf(own, sizeof own, "own-%u-%u", work->number, k);
        if (!register_all(work, own, &error) ||
            rd_device_open("sim", &device, NULL, &error) != RD_OK) {
            fail(work, "registering", &error);
            break;
        }
        read_laws(work);
        run_one(work, device, "thirds", 27);
        run_one(work, device, own, 9);
        run_one(work, device, "fold", 16);
        rd_device_close(device);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    struct work works[THREADS];
    pthread_t threads[THREADS];
    bool failed = argc != 2;
    for (unsigned k = 0; k < THREADS; k++) {
        works[k] = (struct work){.folder = argc == 2 ? argv[1] : ".", .number = k};
        if (pthread_create(&threads[k], NULL, work_in_thread, &works[k]) != 0)
            return 2;
    }
    for (unsigned k = 0; k < THREADS; k++) {
        pthread_join(threads[k], NULL);
        failed = failed || works[k].failed;
    }
    puts(failed ? "failed" : "done");
    return failed;
}
