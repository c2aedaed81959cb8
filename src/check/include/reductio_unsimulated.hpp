// SPDX-License-Identifier: MIT
// Types of what the simulator does not know, so that declarations compile which have them: of a
// parameter, a member, a variable. What uses them has been taken out of the file.
#ifndef RD_UNSIMULATED_HPP
#define RD_UNSIMULATED_HPP

// narrow floats
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

// random numbers
#include <curand_kernel.h>
#define RD_OPAQUE(name)                                                                            \
    struct name {                                                                                  \
        unsigned char rd_bytes[144];                                                               \
    };
RD_OPAQUE(curandStateScrambledSobol32)
RD_OPAQUE(curandStateScrambledSobol64)
RD_OPAQUE(curandStateMtgp32)
typedef curandStateMtgp32 curandStateMtgp32_t;
typedef curandStateScrambledSobol32 curandStateScrambledSobol32_t;
typedef curandStateScrambledSobol64 curandStateScrambledSobol64_t;

// libraries
typedef struct cublasContext *cublasHandle_t;
typedef struct cusparseContext *cusparseHandle_t;
typedef struct cudnnContext *cudnnHandle_t;
typedef int cufftHandle;
typedef struct CUctx_st *CUcontext;
typedef struct CUmod_st *CUmodule;
typedef struct CUfunc_st *CUfunction;

#include <cuda/pipeline>
namespace cuda
{
namespace experimental
{
}
} // namespace cuda
#include <mma.h>
#include <cooperative_groups.h>
namespace cooperative_groups
{
class cluster_group
{
};
class multi_grid_group
{
};
} // namespace cooperative_groups
namespace cub
{
}
namespace thrust
{
}
namespace cutlass
{
}
namespace cute
{
}

#endif
