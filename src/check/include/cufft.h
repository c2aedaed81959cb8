// SPDX-License-Identifier: MIT
// cuFFT: the toolkit's own declarations where one is installed. What the simulator has not is said where
// it is called.
#ifndef RD_CUFFT_H
#define RD_CUFFT_H

#include "reductio_cuda.hpp"

#include <cuComplex.h>

#if __has_include_next(<cufft.h>)
#include_next <cufft.h>
#else
#include "reductio_cufft.h"
#endif

#endif
