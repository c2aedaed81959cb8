// SPDX-License-Identifier: MIT
#ifdef CUDA_API_PER_THREAD_DEFAULT_STREAM
#error "CUDA_API_PER_THREAD_DEFAULT_STREAM gives stream 0 another order, which is not simulated"
#endif
#include "reductio_cuda.hpp"
