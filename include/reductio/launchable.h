// SPDX-License-Identifier: MIT
/* Kernels of a client's own, for the simulator. A kernel is a file of its own, in the subset of CUDA C that is C too:
 *
 *     #include "kernel.h"
 *     EXTERN_C __global__ void NAME(thirds)(elem *A, size_t w)
 *     {
 *         size_t i = GLOBAL_THREAD;
 *         if (i < w)
 *             A[i] += A[i + w] + A[i + 2 * w];
 *     }
 *     LAUNCHABLE(thirds, elem *, size_t)
 *
 * It is compiled once for each type of elements, by the compiler that the library was built by,
 *
 *     cc $(pkg-config --variable=kernel_cflags reductio) -DRD_TYPE=i32 -x c -c thirds.cu
 *
 * and linked with the client, which declares what LAUNCHABLE defines, KERNEL_TYPE, and registers it:
 *
 *     extern const struct rd_launchable thirds_i32;
 *     ... rd_kernel_register(&thirds_i32, &error)
 *
 * It reduces by the operation that it is written for, whatever that of a launch: `operation` of its program names it.
 *
 * A page of a run (report.h) shows the kernel, where its file is still there: by a path that begins with '/' from any
 * folder, by another from the one that it was compiled in.
 *
 * nvcc compiles the same file, but a device of CUDA launches none that is registered.
 *
 * Thread safety: any thread may call these functions at any time. */
#ifndef RD_LAUNCHABLE_H
#define RD_LAUNCHABLE_H

#include "status.h"

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* A kernel of one type. Only LAUNCHABLE in kernel.h fills it. The struct and its texts are constant, and live as long as
 * the process. */
struct rd_launchable {
    size_t size;            /* of this struct, where the kernel was compiled */
    const char *name;       /* "thirds" */
    const char *type;       /* of elements: "i32" */
    const char *parameters; /* their types: "elem *, size_t" */
    const char *file;       /* compiled: "thirds.cu", as seen from where the program runs */
    unsigned line;          /* of LAUNCHABLE in it */
    bool communicates;      /* its threads communicate, by atomics, fences or volatile accesses */
    /* Runs one thread; arguments[i] points to argument i. */
    void (*thread)(void *const *arguments);
    /* Shared memory of the kernels in the same executable or library, and the dynamic part within it. */
    unsigned char *shared, *shared_end, *dynamic;
};

/* Registers the kernel for as long as the process lives, so that paragraphs of programs can name it. It may be registered
 * again. RD_ERROR_USAGE: another kernel of this type, or one with other parameters, has the name; the type doesn't exist;
 * the host can't pass a parameter; a member is NULL, or the name is invalid; the kernel was compiled with headers of
 * another version. RD_ERROR_MEMORY. Then nothing is registered. */
enum rd_status rd_kernel_register(const struct rd_launchable *launchable, struct rd_error *error);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
