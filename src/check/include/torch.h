// SPDX-License-Identifier: MIT
#include "reductio_torch.hpp"
