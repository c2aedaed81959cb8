// SPDX-License-Identifier: MIT
// cuRAND for host code: the toolkit's own declarations where one is installed.
#ifndef RD_CURAND_H
#define RD_CURAND_H

#include "reductio_cuda.hpp"

#if __has_include_next(<curand.h>)
#include <library_types.h>
#include_next <curand.h>
#else
#include "reductio_curand.h"
#endif

#endif
