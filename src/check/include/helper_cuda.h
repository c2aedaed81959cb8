// SPDX-License-Identifier: MIT
#include "helper_functions.h"
