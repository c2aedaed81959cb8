// SPDX-License-Identifier: MIT
/* Records a run of a user's program on a GPU: the frames are those of src/check/program/recording.h. It is compiled with the user's
 * files and linked into the program, whose calls of CUDA's runtime it sees by the linker's --wrap. */
#ifndef RD_GPU_RECORDER_H
#define RD_GPU_RECORDER_H

#include <cuda_runtime_api.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* ---- frames.c ---- */

/* A text that grows. */
struct rd_gpu_text {
    char *text;
    size_t size;
    FILE *file;
};

/* Begins an event of that name, {"event":"NAME"; false: there is no recording, or no memory. */
bool rd_gpu_begin(struct rd_gpu_text *text, const char *event);
/* Puts ,"KEY":"VALUE", or a number. */
void rd_gpu_put_text(struct rd_gpu_text *text, const char *key, const char *value);
void rd_gpu_put_number(struct rd_gpu_text *text, const char *key, long long value);
/* The run's seal, which each event of an annotation has. */
const char *rd_gpu_seal(void);
/* Writes the event with its payload. */
void rd_gpu_write(struct rd_gpu_text *text, const void *payload, size_t size_bytes);
void rd_gpu_lack(const char *sentence);
/* Writes the last event, once; nothing is recorded behind it. */
void rd_gpu_end(const char *how, int status);

/* ---- faults.c ---- */

/* A launch, as the recording has it. */
struct rd_gpu_launch {
    const char *kernel, *file;
    unsigned line;
    unsigned long long number; /* from 1 */
};

/* A call has returned an error, of a kernel or of the GPU: the first is told. `last` is the launch before it; NULL: there was
 * none. Others are the program's. */
void rd_gpu_fault(cudaError_t error, const char *call, const struct rd_gpu_launch *last);
/* The GPU refuses a launch. */
void rd_gpu_refused(cudaError_t error, const struct rd_gpu_launch *launch);
/* A kernel still runs when the time is over. */
void rd_gpu_runs_on(const struct rd_gpu_launch *last);

/* ---- calls.c ---- */

unsigned long long rd_gpu_launches(void);
/* Waits for the GPU. Returns its error. */
cudaError_t rd_gpu_settle(const char *call);
/* Tells whether a kernel still runs. */
bool rd_gpu_is_busy(void);
/* A stream is captured into a graph: nothing can be waited for. */
bool rd_gpu_is_capturing(void);
const struct rd_gpu_launch *rd_gpu_last_launch(void);

/* ---- memory.c ---- */

struct rd_gpu_memory {
    const char *base;
    size_t size_bytes;
    int device;
    bool freed, is_symbol; /* `base` is the host's name for a variable of the device's */
};

/* The memory that the address is in; NULL: it is in none of CUDA's. Freed ones last. */
const struct rd_gpu_memory *rd_gpu_memory_at(const void *address);
void rd_gpu_memory_add(const void *base, size_t size_bytes, bool is_symbol);
void rd_gpu_memory_free(const void *base); /* NULL: all but variables */
/* Copies bytes to the host's memory. NULL, or why that is not possible. */
const char *rd_gpu_memory_read(void *to, const void *from, size_t size_bytes);

#endif
