// SPDX-License-Identifier: MIT
/* All of the library. */
#ifndef REDUCTIO_H
#define REDUCTIO_H

#include "bench.h"
#include "device.h"
#include "run.h"
#include "run_record.h"
#include "evidence.h"
#include "history.h"
#include "numeric.h"
#include "program.h"
#include "status.h"
#include "trace.h"
#include "values.h"
#include "text.h"
#include "version.h"
#include "witness.h"

#endif
