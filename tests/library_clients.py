# SPDX-License-Identifier: MIT
"""Sources of the clients that test_library.py builds on the installed library, and of kernels of their own."""

# Two counters, each written by two threads, which nothing orders; and the library at work beside.
RACES = r'''
#include <pthread.h>
#include <reductio/reductio.h>
#include <stdio.h>

static int first, second;

static void *race_before(void *unused)
{
    for (int k = 0; k < 1000; k++)
        first++;
    return unused;
}

static void *race_behind(void *unused)
{
    for (int k = 0; k < 1000; k++)
        second++;
    return unused;
}

static void two_threads(void *(*race)(void *))
{
    pthread_t threads[2];
    for (int k = 0; k < 2; k++)
        pthread_create(&threads[k], NULL, race, NULL);
    for (int k = 0; k < 2; k++)
        pthread_join(threads[k], NULL);
}

int main(void)
{
    struct rd_run run = {0};
    struct rd_values values;
    struct rd_result result;
    two_threads(race_before);
    run.program = rd_program_named("fold");
    run.numeric = rd_numeric(RD_TYPE_I32);
    if (rd_values_init(&values, run.numeric, "iota", 16, 0, false, NULL) != RD_OK ||
        rd_device_open("sim", &run.device, NULL, NULL) != RD_OK)
        return 2;
    run.n = values.n;
    run.a = values.a;
    if (rd_run(&run, NULL, &result, NULL) != RD_OK)
        return 2;
    printf("%s\n", rd_verdict_name(result.verdict));
    rd_device_close(run.device);
    rd_values_finish(&values);
    two_threads(race_behind);
    return 0;
}
'''

# Two threads, each with a device and a run of its own, of the same program: no race.
TWO_RUNS = r'''
#include <pthread.h>
#include <reductio/reductio.h>
#include <stdio.h>

static void *fold(void *unused)
{
    struct rd_run run = {.program = rd_program_named("fold"), .numeric = rd_numeric(RD_TYPE_I32)};
    struct rd_values values;
    struct rd_result result;
    if (rd_values_init(&values, run.numeric, "iota", 64, 0, false, NULL) != RD_OK ||
        rd_device_open("sim", &run.device, NULL, NULL) != RD_OK)
        return unused;
    run.n = values.n;
    run.a = values.a;
    if (rd_run(&run, NULL, &result, NULL) == RD_OK)
        printf("%s\n", rd_verdict_name(result.verdict));
    rd_device_close(run.device);
    rd_values_finish(&values);
    return unused;
}

int main(void)
{
    pthread_t thread;
    if (pthread_create(&thread, NULL, fold, NULL) != 0)
        return 2;
    fold(NULL);
    pthread_join(thread, NULL);
    return 0;
}
'''

# A lesson with a race in shared memory: the simulator's own hooks are at work, and know the array's name.
HAZARD = r'''
#include <reductio/reductio.h>
#include <stdio.h>
#include <string.h>

static enum rd_status tell(void *self, const struct rd_run *run, const struct rd_hazard *hazard, struct rd_error *error)
{
    (void)self, (void)run, (void)error;
    printf("%s: %s\n", hazard->name, hazard->message);
    return RD_OK;
}

int main(void)
{
    struct rd_observer view = {0};
    const struct rd_observer *observers[] = {&view, NULL};
    struct rd_run run = {0};
    struct rd_values values;
    struct rd_result result;
    view.hazard = tell;
    run.program = rd_program_named("ladder-shuffles-twice:no-barrier");
    run.numeric = rd_numeric(RD_TYPE_I32);
    if (!run.program || rd_values_init(&values, run.numeric, "iota", 256, 0, false, NULL) != RD_OK ||
        rd_device_open("sim", &run.device, NULL, NULL) != RD_OK)
        return 2;
    run.n = values.n;
    run.a = values.a;
    run.go_on = true;
    if (rd_run(&run, observers, &result, NULL) != RD_OK)
        return 2;
    rd_device_close(run.device);
    rd_values_finish(&values);
    return 0;
}
'''

# Headers of the system that have the names of the library's, and a check of the client's own.
SYSTEM = r'''
#include <reductio/reductio.h>
#include <memory.h>
#include <values.h>
#include <assert.h>
#ifdef _OPENMP
#error "OpenMP is asked for"
#endif
int main(int argc, char **argv)
{
    (void)argv;
    assert(argc == 1);
    return BITSPERBYTE == 8 && memchr("x", 'x', 1) ? 0 : 1;
}
'''

# A kernel with shared memory of both kinds and a table of constants, and one without its second barrier.
BLOCKS_KERNEL = r'''
#include "kernel.h"
static const size_t order[4] = {3, 2, 1, 0};
#define BLOCKS(name, BARRIER)                                                                      \
    EXTERN_C __global__ void NAME(name)(const elem *a, elem *A)                                    \
    {                                                                                              \
        __shared__ elem fixed[4];                                                                  \
        DYNAMIC_SHARED(elem, moving);                                                              \
        const size_t *turned = order;                                                              \
        moving[threadIdx.x] = a[GLOBAL_THREAD];                                                    \
        __syncthreads();                                                                           \
        fixed[threadIdx.x] = moving[turned[threadIdx.x]];                                          \
        BARRIER;                                                                                   \
        if (threadIdx.x == 0)                                                                      \
            A[blockIdx.x] = fixed[0] + fixed[1] + fixed[2] + fixed[3];                             \
    }
BLOCKS(blocks, __syncthreads())
LAUNCHABLE(blocks, const elem *, elem *)
BLOCKS(blocks_early, (void)0)
LAUNCHABLE(blocks_early, const elem *, elem *)
'''

BLOCKS = r'''
#include <reductio/reductio.h>
#include <stdio.h>

extern const struct rd_launchable blocks_i32, blocks_early_i32;

static enum rd_status tell(void *self, const struct rd_run *run, const struct rd_hazard *hazard, struct rd_error *error)
{
    (void)self, (void)run, (void)error;
    printf("%s: %s\n", hazard->name, hazard->message);
    return RD_OK;
}

static struct rd_program program;

int main(void)
{
    struct rd_observer view = {0};
    const struct rd_observer *observers[] = {&view, NULL};
    struct rd_error error = {""};
    struct rd_run run = {0};
    struct rd_values values;
    struct rd_result result;
    const char *const names[] = {"ladder-shuffles-twice", "blocks", "blocks:early", "ladder-shuffles-twice"};
    view.hazard = tell;
    program.size = sizeof program;
    program.summary = "sums of four";
    program.law = "input a[n]\narray A[n / 4]\n"
                  "law when d = 0: for 0 <= i < n / 4: A[i] = 0;\n"
                  "    when d > 0: for 0 <= i < n / 4: A[i] = sum of a[j], 4i <= j < 4i + 4\n"
                  "launch blocks(a, A) on n / 4 blocks of 4, shared 4\n";
    program.goal = RD_GOAL_LAST;
    program.goal_text = "for 0 <= i < n / 4: A[i] = sum of a[j], 4i <= j < 4i + 4";
    program.accept = "n mod 4 = 0 else 'n' is {n}, no multiple of 4";
    program.n = 16;
    run.numeric = rd_numeric(RD_TYPE_I32);
    run.go_on = true;
    if (rd_kernel_register(&blocks_i32, &error) != RD_OK || rd_kernel_register(&blocks_early_i32, &error) != RD_OK ||
        rd_values_init(&values, run.numeric, "iota", 16, 0, false, &error) != RD_OK ||
        rd_device_open("sim", &run.device, NULL, &error) != RD_OK) {
        puts(error.text);
        return 2;
    }
    program.name = "blocks";
    if (rd_program_register(&program, NULL, &error) == RD_OK) {
        program.name = "blocks:early";
        program.kernel = "blocks_early";
        rd_program_register(&program, NULL, &error);
    }
    run.n = values.n;
    run.a = values.a;
    for (int k = 0; k < 4; k++) { /* the library's shared memory, the client's, and the library's again */
        run.program = rd_program_named(names[k]);
        if (!run.program || rd_run(&run, observers, &result, &error) != RD_OK) {
            puts(error.text);
            return 2;
        }
        printf("%s %s %u\n", names[k], rd_verdict_name(result.verdict), result.hazards);
    }
    rd_device_close(run.device);
    rd_values_finish(&values);
    return 0;
}
'''

# Kernels of maxima: the array's upper half, of 2^k elements, goes into the lower. The fault keeps the lesser of two.
HIGHEST_KERNEL = r'''
#include "operation.h"
EXTERN_C __global__ void NAME(highest)(elem *A, size_t w)
{
    size_t i = GLOBAL_THREAD;
    if (i < w)
        A[i] = OP_max(A[i], A[i + w]);
}
LAUNCHABLE(highest, elem *, size_t)
EXTERN_C __global__ void NAME(highest_less)(elem *A, size_t w)
{
    size_t i = GLOBAL_THREAD;
    if (i < w)
        A[i] = OP_min(A[i], A[i + w]);
}
LAUNCHABLE(highest_less, elem *, size_t)
'''

HIGHEST = r'''
#include <reductio/reductio.h>
#include <stdio.h>
#include <string.h>

extern const struct rd_launchable highest_i32, highest_u64, highest_less_i32, highest_less_u64;

int main(int argc, char **argv)
{
    const struct rd_launchable *kernels[] = {&highest_i32, &highest_u64, &highest_less_i32, &highest_less_u64};
    struct rd_program program = {.size = sizeof program, .name = argv[1], .summary = "keeps the highest",
        .law = "input a[n]\narray A[n]\nlet w = n / 2^d\nlaw for 0 <= i < w: A[i] = max of a[j], j mod w = i",
        .launch = "when w > 0: highest(A, w) by w threads, half = w", .kernel = strchr(argv[1], ':') ? "highest_less" : "highest",
        .accept = "n = bit_ceil(n) else 'n' is {n}: use a power of two", .n = 8, .operation = RD_OPERATION_MAX};
    const int32_t a[] = {-3, -8, 5, -1, -7, 9, -2, 4};
    struct rd_run run = {.size = sizeof run, .numeric = rd_numeric_over(RD_TYPE_I32, RD_OPERATION_MAX), .n = 8, .a = a,
        .values = "list:-3,-8,5,-1,-7,9,-2,4"};
    struct rd_error error;
    struct rd_result result;
    struct rd_trace_writer *trace = NULL;
    enum rd_status status = argc == 3 ? RD_OK : RD_ERROR_USAGE;
    for (size_t k = 0; k < 4 && status == RD_OK; k++)
        status = rd_kernel_register(kernels[k], &error);
    if (status == RD_OK)
        status = rd_program_register(&program, &run.program, &error);
    if (status == RD_OK)
        status = rd_device_open("sim", &run.device, NULL, &error);
    if (status == RD_OK)
        status = rd_trace_writer_open(&trace, argv[2], RD_TRACE_CELLS, &error);
    const struct rd_observer *observers[] = {trace ? rd_trace_writer_observer(trace) : NULL, NULL};
    if (status == RD_OK)
        status = rd_run(&run, observers, &result, &error);
    if (status == RD_OK)
        status = rd_trace_writer_close(trace, &error);
    puts(status == RD_OK ? rd_verdict_name(result.verdict) : error.text);
    run.numeric = rd_numeric(RD_TYPE_I32);
    status = rd_run(&run, NULL, &result, &error); /* of sums it has no kernels */
    puts(status == RD_ERROR_USAGE ? error.text : "not refused");
    rd_device_close(run.device);
    return 0;
}
'''

# Kernels of every operation that doesn't select, and a client that runs each with its own type, on values from the spec, and
# leaves the trace. Of floats there are no bits.
OPERATIONS_KERNEL = r'''
#include "operation.h"
#define HALVES(op)                                                                                 \
    EXTERN_C __global__ void NAME(halves_##op)(elem *A, size_t w)                                  \
    {                                                                                              \
        size_t i = GLOBAL_THREAD;                                                                  \
        if (i < w)                                                                                 \
            A[i] = OP_##op(A[i], A[i + w]);                                                        \
    }
HALVES(sum)
LAUNCHABLE(halves_sum, elem *, size_t)
HALVES(product)
LAUNCHABLE(halves_product, elem *, size_t)
HALVES(min)
LAUNCHABLE(halves_min, elem *, size_t)
HALVES(max)
LAUNCHABLE(halves_max, elem *, size_t)
#ifdef BITS
HALVES(and)
LAUNCHABLE(halves_and, elem *, size_t)
HALVES(or)
LAUNCHABLE(halves_or, elem *, size_t)
HALVES(xor)
LAUNCHABLE(halves_xor, elem *, size_t)
#endif
'''

OPERATIONS = r'''
#include <reductio/reductio.h>
#include <stdio.h>
#include <string.h>

@DECLARED@

static const struct rd_launchable *const kernels[] = {@LISTED@};

int main(int argc, char **argv)
{
    struct rd_error error = {""};
    struct rd_values values;
    struct rd_result result;
    struct rd_trace_writer *trace = NULL;
    enum rd_operation operation;
    char law[240], launch[100], kernel[40];
    if (argc != 4 || !rd_operation_named(argv[2], &operation))
        return 2;
    snprintf(law, sizeof law, "input a[n]\narray A[n]\nlet w = n / 2^d\n"
             "law for 0 <= i < w: A[i] = %s of a[j], j mod w = i\n"
             "update for 0 <= i < w: A[i] = A[i] + A[i + w]", argv[2]); /* floats: in this order */
    snprintf(kernel, sizeof kernel, "halves_%s", argv[2]);
    snprintf(launch, sizeof launch, "when w > 0: %s(A, w) by w threads, half = w", kernel);
    const struct rd_program program = {.size = sizeof program, .name = "halves", .summary = "takes halves together", .law = law,
        .launch = launch, .accept = "n = bit_ceil(n) else 'n' is {n}: use a power of two", .n = 8,
        .type = rd_numeric_named(argv[1])->type, .operation = operation, .values = "random:3", .bounded = true};
    struct rd_run run = {.size = sizeof run, .numeric = rd_numeric_over(program.type, operation), .n = 8, .values = "random:3",
        .frame = true};
    enum rd_status status = RD_OK;
    for (size_t k = 0; k < sizeof kernels / sizeof *kernels && status == RD_OK; k++)
        status = rd_kernel_register(kernels[k], &error);
    if (status == RD_OK)
        status = rd_program_register(&program, &run.program, &error);
    if (status == RD_OK)
        status = rd_values_init(&values, run.numeric, run.values, run.n, 0, false, &error);
    if (status == RD_OK)
        status = rd_device_open("sim", &run.device, NULL, &error);
    if (status == RD_OK)
        status = rd_trace_writer_open(&trace, argv[3], RD_TRACE_CELLS, &error);
    const struct rd_observer *observers[] = {trace ? rd_trace_writer_observer(trace) : NULL, NULL};
    if (status == RD_OK) {
        run.a = values.a;
        status = rd_run(&run, observers, &result, &error);
    }
    if (status == RD_OK)
        status = rd_trace_writer_close(trace, &error);
    puts(status == RD_OK ? rd_verdict_name(result.verdict) : error.text);
    return status != RD_OK;
}
'''


# The example's program and its fault, as pages: what a view shows of kernels that only the client has.
PAGES = r'''
#include <reductio/reductio.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

extern const struct rd_launchable thirds_i32, thirds_u64, thirds_twice_i32, thirds_twice_u64;

int main(int argc, char **argv)
{
    const struct rd_launchable *const kernels[] = {&thirds_i32, &thirds_u64, &thirds_twice_i32, &thirds_twice_u64};
    const struct rd_program program = {.size = sizeof program, .name = argv[1], .summary = "adds the thirds of 3^k numbers",
        .law = "input a[n]\narray A[n]\nlet w = n / 3^d\nlaw for 0 <= i < w: A[i] = sum of a[j], j mod w = i",
        .launch = "when w > 0: thirds(A, w) by w threads, third = w", .kernel = strchr(argv[1], ':') ? "thirds_twice" : "thirds",
        .accept = "n = 3 or n = 9 or n = 27 else 'n' is {n}: use 3, 9 or 27", .n = 9};
    struct rd_run run = {.size = sizeof run, .numeric = rd_numeric(RD_TYPE_I32), .n = 9, .values = "iota"};
    struct rd_error error = {""};
    struct rd_values values;
    struct rd_history *history = NULL;
    enum rd_status status = argc == 4 ? rd_values_init(&values, run.numeric, run.values, run.n, 0, false, &error) : RD_ERROR_USAGE;
    for (size_t k = 0; k < 4 && status == RD_OK; k++)
        status = rd_kernel_register(kernels[k], &error);
    if (status == RD_OK)
        status = rd_program_register(&program, &run.program, &error);
    if (status == RD_OK)
        status = rd_device_open("sim", &run.device, NULL, &error);
    if (status == RD_OK) {
        run.a = values.a;
        status = rd_history_run(&history, &run, NULL, &error);
    }
    const struct rd_report report = {.size = sizeof report, .history = history};
    if (status == RD_OK && chdir(argv[2]) == 0)
        status = rd_report_write(argv[3], &report, &error);
    fputs(status == RD_OK ? "" : error.text, stdout);
    return status != RD_OK;
}
'''
