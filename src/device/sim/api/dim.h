// SPDX-License-Identifier: MIT
/* CUDA's dim3 and uint3. */
#ifndef RD_SIM_DIM_H
#define RD_SIM_DIM_H

struct rd_sim_dim {
    unsigned x, y, z;
};

#endif
