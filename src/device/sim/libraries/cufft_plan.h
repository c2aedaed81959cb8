// SPDX-License-Identifier: MIT
/* A plan of cuFFT's: which transforms, of which arrays, and where their elements lie. */
#ifndef RD_SIM_LIBRARIES_CUFFT_PLAN_H
#define RD_SIM_LIBRARIES_CUFFT_PLAN_H

#include "device/sim/libraries/cufft.h"
#include "device/sim/libraries/cufft_stages.h"
#include "device/sim/runtime/libraries.h"

enum { RD_CUFFT_RANK = 3, RD_CUFFT_GPUS = 16 };

/* Where elements lie: element (x, y, z) of a batch at batch dist + ((x embed[1] + y) embed[2] + z) stride. Transforms of fewer
 * dimensions have 1 in front. */
struct rd_cufft_layout {
    long long embed[RD_CUFFT_RANK], stride, dist;
};

struct rd_cufft_plan {
    bool is_there, is_made;
    cudaStream_t stream;
    cufftType type;
    long long n[RD_CUFFT_RANK], batch;
    bool is_basic; /* layouts follow from n, and from where input and output are */
    struct rd_cufft_layout in, out;
    int gpus[RD_CUFFT_GPUS], n_gpus; /* none: the current one */
    rd_cufft_run_stages *run_stages; /* it has callbacks; NULL: none */
};

/* NULL: there is no such plan. */
struct rd_cufft_plan *rd_cufft_plan_of(cufftHandle handle);

/* Begin and end a call. False: *result is what it returns at once. */
bool rd_cufft_begins(const struct rd_sim_host_call *call, cufftResult *result);
cufftResult rd_cufft_ends(const struct rd_sim_host_call *call, cufftResult result, const char *why);
#define RD_BEGIN_CUFFT(name)                                                                       \
    const struct rd_sim_host_call call = RD_HOST_CALL(#name);                                      \
    cufftResult begun;                                                                             \
    if (!rd_cufft_begins(&call, &begun))                                                           \
    return begun

/* One call: arrays, of which the bigger ones are complex. */
struct rd_cufft_work {
    struct rd_cufft_plan plan;
    const void *in;
    void *out;
    int sign;
};

/* cufft_run.c: makes the transforms of a call. */
void rd_cufft_run(const void *closure);
/* Its operands, to be freed; NULL without memory. */
struct rd_sim_operand *rd_cufft_operands(const struct rd_cufft_work *work, size_t *n);
/* Takes the layouts of a basic plan: of real numbers that lie where complex ones do, rows are padded. */
void rd_cufft_lay_out(struct rd_cufft_work *work);
/* Elements that are read, and that are written, of each row: of complex numbers that stand for real ones, half. */
long long rd_cufft_in_row(const struct rd_cufft_plan *plan);
long long rd_cufft_out_row(const struct rd_cufft_plan *plan);
/* The layout of rows of so many elements, one behind the other. */
struct rd_cufft_layout rd_cufft_dense(const struct rd_cufft_plan *plan, long long row);

#endif
