// SPDX-License-Identifier: MIT
/* Operations on streams, and the graphs that are made of them. */
#ifndef RD_SIM_RUNTIME_GRAPHS_H
#define RD_SIM_RUNTIME_GRAPHS_H

#include "device/sim/runtime/libraries.h"
#include "device/sim/runtime/streams.h"

/* An operation that a stream takes, or a node of a graph. */
struct rd_sim_task {
    enum cudaGraphNodeType type;
    struct rd_sim_host_call call;
    /* a kernel */
    struct rd_sim_launch launch; /* its closure is the operation's own in a node */
    bool cooperative;
    /* a function of a library, as kernels of which nobody knows more; NULL: it is none */
    const struct rd_sim_library_call *library;
    /* copies and fills of boxes: `to` and `from` are rows of `width` bytes, `height` of them in each of `depth` slices */
    struct rd_sim_box {
        void *to;
        const void *from; /* NULL: `value` is written, which has value_bytes */
        size_t to_pitch, from_pitch, to_slice, from_slice;
        size_t width, height, depth;
        enum cudaMemcpyKind kind;
        unsigned value, value_bytes;
        bool is_of_symbol; /* one side is a variable by its symbol */
    } box;
    /* a function of the host */
    cudaHostFn_t function;
    cudaStreamCallback_t callback;
    void *data;
    cudaStream_t stream; /* of the callback */
    cudaGraph_t graph;   /* of a node that is one */
    /* memory */
    void *memory;
    size_t size_bytes;
    bool renews; /* what is taken need not have been freed before */
};

/* The stream takes it: does it, or captures it. */
cudaError_t rd_sim_submit(struct CUstream_st *stream, const struct rd_sim_task *operation);

/* Does an operation in its step: tasks.c. */
cudaError_t rd_sim_task_do(const struct rd_sim_task *operation, const struct rd_sim_step *step,
                           bool may_race);
/* Looks at it before: what CUDA tells at once. */
cudaError_t rd_sim_task_check(const struct rd_sim_task *operation);

/* libraries.c: the same of a library's function. */
cudaError_t rd_sim_library_check(const struct rd_sim_library_call *call);
void rd_sim_library_run(const struct rd_sim_library_call *call, const struct rd_sim_step *step,
                        bool may_race);
/* A copy for a graph; NULL without memory. And its end; NULL is passed over. */
struct rd_sim_library_call *rd_sim_library_keep(const struct rd_sim_library_call *call);
void rd_sim_library_let_go(const struct rd_sim_library_call *kept);

/* copies.c: copies rows, as cudaMemcpy2D() and cudaMemcpy2DAsync(). */
cudaError_t rd_sim_copy_rows(const struct rd_sim_host_call *call, void *to, size_t to_pitch,
                             const void *from, size_t from_pitch, size_t width, size_t height,
                             enum cudaMemcpyKind kind, cudaStream_t stream, bool waits);

/* The box of a copy; false where it has none, as of CUDA arrays: tasks.c. */
bool rd_sim_box_of_3d(const struct cudaMemcpy3DParms *copy, struct rd_sim_box *box);

/* A capturing stream is asked for what only a stream can do that runs: the capture is of no use any more. */
cudaError_t rd_sim_capture_fails(struct CUstream_st *stream);
/* Puts what follows on the stream behind these nodes of a graph that is captured. */
cudaError_t rd_sim_capture_joins(struct CUstream_st *stream, struct CUgraph_st *graph,
                                 struct CUgraphNode_st *const *tails, size_t n_tails);

#endif
