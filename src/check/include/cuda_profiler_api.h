// SPDX-License-Identifier: MIT
#include "reductio_cuda.hpp"
