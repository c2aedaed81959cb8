// SPDX-License-Identifier: MIT
// What NVIDIA's samples have of their own, for files that are given without it: theirs is taken where an option -I leads to it.
#include "helper_string.h"
#include "helper_timer.h"
#include "helper_image.h"
