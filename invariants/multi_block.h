// SPDX-License-Identifier: MIT
/* What the right programs of several blocks share with the faults. */
#ifndef RD_MULTI_BLOCK_H
#define RD_MULTI_BLOCK_H

#include "block_fold.h"

#endif
