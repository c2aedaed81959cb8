// SPDX-License-Identifier: MIT
/* From what was found to the findings that users see. */
#ifndef RD_SIM_FINDING_H
#define RD_SIM_FINDING_H

#include "reductio/device.h"
#include "device/sim/report/report_internal.h"

/* A thread or a block, from its linear number. */
static inline struct rd_index3 rd_sim_index3(uint64_t linear, struct rd_sim_dim dim)
{
    return (struct rd_index3){(unsigned)(linear % dim.x), (unsigned)(linear / dim.x % dim.y),
                              (unsigned)(linear / dim.x / dim.y)};
}

/* One finding for each, in their order, but for those that would be told twice. They live until the
 * next call. NULL without memory; *count is then 0. */
const struct rd_finding *rd_sim_findings_make(const struct rd_sim_found *found, size_t n_found,
                                              const struct rd_sim_extent *extent, size_t *count);

#endif
