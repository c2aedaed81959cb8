// SPDX-License-Identifier: MIT
/* All of the library; but reductio_cmocka.h, for tests with cmocka, is included by itself. */
#ifndef REDUCTIO_H
#define REDUCTIO_H

#include "bench.h"
#include "bench_rounds.h"
#include "candidate.h"
#include "device.h"
#include "evidence.h"
#include "hazards.h"
#include "history.h"
#include "launchable.h"
#include "law.h"
#include "numeric.h"
#include "operation.h"
#include "plot.h"
#include "plot_rounds.h"
#include "premise.h"
#include "program.h"
#include "report.h"
#include "run.h"
#include "run_record.h"
#include "sources.h"
#include "status.h"
#include "summary.h"
#include "text.h"
#include "trace.h"
#include "values.h"
#include "version.h"
#include "witness.h"

#endif
