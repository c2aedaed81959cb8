// SPDX-License-Identifier: MIT
/* A program of its own, "thirds", or its fault "thirds:twice", asserted round by round, with its trace in a file:
 *     thirds PROGRAM TRACE
 * It sums i32: `operation` and `type` of a program say otherwise, and of floats a sentence `update` in its law in which order.
 * It is C and C++20. Its kernels, in thirds.cu, are compiled for i32, and for u64, by which a violation is explained:
 *     for type in i32 u64; do
 *         cc $(pkg-config --variable=kernel_cflags reductio) -DRD_TYPE=$type -x c -c thirds.cu -o thirds_$type.o
 *     done
 *     cc $(pkg-config --cflags reductio) thirds.c thirds_i32.o thirds_u64.o $(pkg-config --libs reductio) -o thirds */
// clang-format off
#include <reductio/reductio.h>
#include <stdio.h>
#include <string.h>
extern const struct rd_launchable thirds_i32, thirds_u64, thirds_twice_i32, thirds_twice_u64;
int main(int argc, char **argv)
{
    if (argc != 3) return puts("usage: thirds PROGRAM TRACE") < 0 ? 3 : 2;
    const struct rd_launchable *kernels[] = {&thirds_i32, &thirds_u64, &thirds_twice_i32, &thirds_twice_u64};
    const struct rd_program program = {.size = sizeof program, .name = argv[1], .summary = "adds the thirds of 3^k numbers",
        .law = "input a[n]\narray A[n]\nlet w = n / 3^d\nlaw for 0 <= i < w: A[i] = sum of a[j], j mod w = i",
        .launch = "when w > 0: thirds(A, w) by w threads, third = w", .kernel = strchr(argv[1], ':') ? "thirds_twice" : "thirds",
        .accept = "n = 3 or n = 9 or n = 27 else 'n' is {n}: use 3, 9 or 27", .n = 27};
    struct rd_run run = {.size = sizeof run, .numeric = rd_numeric(RD_TYPE_I32), .n = 27, .values = "iota", .frame = true};
    struct rd_error error; struct rd_values values = {0}; struct rd_result result; struct rd_trace_writer *trace = NULL;
    enum rd_status status = rd_values_init(&values, run.numeric, run.values, run.n, 0, false, &error);
    for (size_t k = 0; k < 4 && status == RD_OK; k++) status = rd_kernel_register(kernels[k], &error);
    if (status == RD_OK) status = rd_program_register(&program, &run.program, &error);
    if (status == RD_OK) status = rd_device_open("sim", &run.device, NULL, &error);
    if (status == RD_OK) status = rd_trace_writer_open(&trace, argv[2], RD_TRACE_CELLS, &error);
    const struct rd_observer *observers[] = {trace ? rd_trace_writer_observer(trace) : NULL, NULL}; run.a = values.a;
    if (status == RD_OK) status = rd_run(&run, observers, &result, &error);
    if (status == RD_OK) status = rd_trace_writer_close(trace, &error);
    return puts(status == RD_OK ? rd_verdict_name(result.verdict) : error.text) < 0 || status != RD_OK;
}
