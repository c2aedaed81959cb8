// SPDX-License-Identifier: MIT
#include "reductio_thrust.hpp"
