// SPDX-License-Identifier: MIT
/* A transform whose input a user's callbacks load, or whose output they store: cuFFT of the simulator asks cufftXt.h of the user's file
 * to do that, by launches of its own. Compiled as C here, as C++ there. */
#ifndef RD_SIM_LIBRARIES_CUFFT_STAGES_H
#define RD_SIM_LIBRARIES_CUFFT_STAGES_H

#ifdef __cplusplus
extern "C" {
#endif

/* The elements that are read or written, of each array of a batch: element (x, y, z) is at batch dist + ((x embed[1] + y) embed[2] + z)
 * stride. */
struct rd_cufft_elements {
    long long n[3], batch, embed[3], stride, dist;
};

struct rd_cufft_stages {
    int plan;
    const char *name; /* "cufftExecC2C" */
    const void *pc;   /* of the call */
    const void *stream;
    const void *in;
    void *out;
    struct rd_cufft_elements in_elements, out_elements;
    /* Makes the transform with memory of the device's in place of the input, of the output: all elements, one behind the other.
     * NULL: as the call has it. Gives a cufftResult. */
    int (*transform)(const struct rd_cufft_stages *self, const void *in, void *out);
};

/* Loads, has the transform made, and stores; gives a cufftResult. */
typedef int rd_cufft_run_stages(const struct rd_cufft_stages *stages);

/* From now on a plan is executed so; NULL: no more. */
void rd_sim_cuda_fft_stages(int plan, rd_cufft_run_stages *run);
/* The size of each dimension of what a plan transforms, its type, and its GPUs, if any were set. 0: it has not been made, -1: it is no
 * plan; or how many arrays it transforms at a time. */
long long rd_sim_cuda_fft_shape(int plan, long long n[3], int *type, int gpus[16], int *n_gpus);

#ifdef __cplusplus
}
#endif

#endif
