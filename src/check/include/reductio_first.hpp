// SPDX-License-Identifier: MIT
// What is included before all else, and by nothing else: a compiler may have it precompiled, under this name.
#include "reductio_cuda.hpp"
