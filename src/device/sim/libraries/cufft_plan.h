// SPDX-License-Identifier: MIT
/* A plan of cuFFT's: which transforms, of which arrays, and where their elements lie. */
#ifndef RD_SIM_LIBRARIES_CUFFT_PLAN_H
#define RD_SIM_LIBRARIES_CUFFT_PLAN_H

#include "device/sim/libraries/cufft.h"
#include "device/sim/runtime/libraries.h"

enum { RD_CUFFT_RANK = 3 };

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
};

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

#endif
