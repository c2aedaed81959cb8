// SPDX-License-Identifier: MIT
#ifndef RD_CUDA_DRIVER_H
#define RD_CUDA_DRIVER_H

#include "reductio_cuda.hpp"

// The driver's interface is declared where a toolkit is installed; its functions are not simulated.
#if __has_include("toolkit/cuda.h")
#undef CUDA_VERSION
#undef CUDA_CB
#define CUuuid_st rd_uuid
#include "toolkit/cuda.h"
#undef CUuuid_st
#else
typedef struct CUctx_st *CUcontext;
typedef struct CUmod_st *CUmodule;
typedef struct CUfunc_st *CUfunction;
typedef unsigned long long CUdeviceptr, CUtexObject, CUsurfObject;
typedef int CUdevice;
typedef cudaStream_t CUstream;
typedef cudaEvent_t CUevent;
#endif

#endif
