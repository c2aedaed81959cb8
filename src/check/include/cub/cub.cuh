// SPDX-License-Identifier: MIT
#include "reductio_cub.hpp"
