// SPDX-License-Identifier: MIT
#ifndef __cuda_cuda_h__
#define __cuda_cuda_h__

#include "reductio_cuda.hpp"

#include "reductio_driver.hpp"

#endif
