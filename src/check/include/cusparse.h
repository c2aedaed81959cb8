// SPDX-License-Identifier: MIT
// cuSPARSE: the toolkit's own declarations where one is installed. What the simulator has not is said where
// it is called.
#ifndef RD_CUSPARSE_H
#define RD_CUSPARSE_H

#include "reductio_cuda.hpp"

#include <cuComplex.h>

#if __has_include_next(<cusparse.h>)
#include_next <cusparse.h>
#else
#include <cuda_fp16.h>

#include "reductio_cublas.h"

#include "reductio_cusparse.h"
#endif

#endif
