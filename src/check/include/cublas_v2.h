// SPDX-License-Identifier: MIT
// cuBLAS: the toolkit's own declarations where one is installed. What the simulator has not is said where
// it is called.
#ifndef RD_CUBLAS_V2_H
#define RD_CUBLAS_V2_H

#include "reductio_cuda.hpp"

#include <cuComplex.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#if __has_include_next(<cublas_v2.h>)
#include_next <cublas_v2.h>
#else
#include "reductio_cublas.h"

#define cublasCreate                  cublasCreate_v2
#define cublasDestroy                 cublasDestroy_v2
#define cublasGetVersion              cublasGetVersion_v2
#define cublasSetStream               cublasSetStream_v2
#define cublasGetStream               cublasGetStream_v2
#define cublasSetWorkspace            cublasSetWorkspace_v2
#define cublasSetPointerMode          cublasSetPointerMode_v2
#define cublasGetPointerMode          cublasGetPointerMode_v2
#define cublasIsamax                  cublasIsamax_v2
#define cublasIdamax                  cublasIdamax_v2
#define cublasIsamin                  cublasIsamin_v2
#define cublasIdamin                  cublasIdamin_v2
#define cublasSasum                   cublasSasum_v2
#define cublasDasum                   cublasDasum_v2
#define cublasSnrm2                   cublasSnrm2_v2
#define cublasDnrm2                   cublasDnrm2_v2
#define cublasSdot                    cublasSdot_v2
#define cublasDdot                    cublasDdot_v2
#define cublasSaxpy                   cublasSaxpy_v2
#define cublasDaxpy                   cublasDaxpy_v2
#define cublasScopy                   cublasScopy_v2
#define cublasDcopy                   cublasDcopy_v2
#define cublasSswap                   cublasSswap_v2
#define cublasDswap                   cublasDswap_v2
#define cublasSscal                   cublasSscal_v2
#define cublasDscal                   cublasDscal_v2
#define cublasSgemv                   cublasSgemv_v2
#define cublasDgemv                   cublasDgemv_v2
#define cublasSger                    cublasSger_v2
#define cublasDger                    cublasDger_v2
#define cublasSgemm                   cublasSgemm_v2
#define cublasDgemm                   cublasDgemm_v2

// What the simulator has not is missed where it is called.
#define RD_CUBLAS_LACKS(name)         extern "C" cublasStatus_t name(...);
#define RD_CUBLAS_LACKS_COMPLEX(name) RD_CUBLAS_LACKS(cublasC##name) RD_CUBLAS_LACKS(cublasZ##name)
#define RD_CUBLAS_LACKS_ALL(name)                                                                  \
    RD_CUBLAS_LACKS(cublasS##name)                                                                 \
    RD_CUBLAS_LACKS(cublasD##name) RD_CUBLAS_LACKS_COMPLEX(name)
RD_CUBLAS_LACKS_ALL(rot)
RD_CUBLAS_LACKS_ALL(rotg)
RD_CUBLAS_LACKS_ALL(symm)
RD_CUBLAS_LACKS_ALL(syrk)
RD_CUBLAS_LACKS_ALL(syr2k)
RD_CUBLAS_LACKS_ALL(trmm)
RD_CUBLAS_LACKS_ALL(trsm)
RD_CUBLAS_LACKS_ALL(trmv)
RD_CUBLAS_LACKS_ALL(trsv)
RD_CUBLAS_LACKS_ALL(symv)
RD_CUBLAS_LACKS_ALL(syr)
RD_CUBLAS_LACKS_ALL(gbmv)
RD_CUBLAS_LACKS_ALL(dgmm)
RD_CUBLAS_LACKS_ALL(trsmBatched)
RD_CUBLAS_LACKS_COMPLEX(getrfBatched)
RD_CUBLAS_LACKS_COMPLEX(getriBatched)
RD_CUBLAS_LACKS_COMPLEX(getrsBatched)
RD_CUBLAS_LACKS_ALL(geqrfBatched)
RD_CUBLAS_LACKS_ALL(gelsBatched)
RD_CUBLAS_LACKS_COMPLEX(matinvBatched)
RD_CUBLAS_LACKS_COMPLEX(axpy)
RD_CUBLAS_LACKS_COMPLEX(copy)
RD_CUBLAS_LACKS_COMPLEX(scal)
RD_CUBLAS_LACKS_COMPLEX(swap)
RD_CUBLAS_LACKS_COMPLEX(dotu)
RD_CUBLAS_LACKS_COMPLEX(dotc)
RD_CUBLAS_LACKS_COMPLEX(gemv)
RD_CUBLAS_LACKS_COMPLEX(geam)
RD_CUBLAS_LACKS_COMPLEX(gemm)
RD_CUBLAS_LACKS_COMPLEX(gemmBatched)
RD_CUBLAS_LACKS_COMPLEX(gemmStridedBatched)
RD_CUBLAS_LACKS(cublasSgemmEx)
RD_CUBLAS_LACKS(cublasCgemmEx)
RD_CUBLAS_LACKS(cublasGemmBatchedEx)
RD_CUBLAS_LACKS(cublasDotEx)
RD_CUBLAS_LACKS(cublasAxpyEx)
RD_CUBLAS_LACKS(cublasScalEx)
RD_CUBLAS_LACKS(cublasNrm2Ex)
// As before CUDA 11.
static inline cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t opa,
                                          cublasOperation_t opb, int m, int n, int k,
                                          const void *alpha, const void *A, cudaDataType type_a,
                                          int lda, const void *B, cudaDataType type_b, int ldb,
                                          const void *beta, void *C, cudaDataType type_c, int ldc,
                                          cudaDataType compute, cublasGemmAlgo_t algorithm)
{
    return cublasGemmEx(handle, opa, opb, m, n, k, alpha, A, type_a, lda, B, type_b, ldb, beta, C,
                        type_c, ldc,
                        compute == CUDA_R_64F   ? CUBLAS_COMPUTE_64F
                        : compute == CUDA_R_16F ? CUBLAS_COMPUTE_16F
                                                : CUBLAS_COMPUTE_32F,
                        algorithm);
}
#endif

#endif
