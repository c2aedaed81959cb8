// SPDX-License-Identifier: MIT
#ifndef __NVRTC_H__
#define __NVRTC_H__

#include "reductio_cuda.hpp"

#include "reductio_nvrtc.h"

#endif
