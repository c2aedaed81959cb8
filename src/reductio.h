// SPDX-License-Identifier: MIT
/* All of the library. */
#ifndef REDUCTIO_H
#define REDUCTIO_H

#include "bench.h"
#include "device.h"
#include "driver.h"
#include "evidence.h"
#include "history/history.h"
#include "numeric.h"
#include "program.h"
#include "status.h"
#include "trace/trace.h"
#include "values.h"
#include "view/text.h"
#include "witness.h"

#endif
