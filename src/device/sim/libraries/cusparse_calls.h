// SPDX-License-Identifier: MIT
/* How calls of cuSPARSE begin and end. */
#ifndef RD_SIM_LIBRARIES_CUSPARSE_CALLS_H
#define RD_SIM_LIBRARIES_CUSPARSE_CALLS_H

#include "device/sim/libraries/sparse.h"

/* Begins a call that wants a descriptor of this mark, RD_SPARSE_GONE: none; false: *status is what it returns at once. */
bool rd_cusparse_begin(const struct rd_sim_host_call *call, const void *descriptor,
                       enum rd_sparse_mark mark, cusparseStatus_t *status);
cusparseStatus_t rd_cusparse_end(const struct rd_sim_host_call *call, cusparseStatus_t status,
                                 const char *why);

#define RD_BEGIN_CUSPARSE(name, descriptor, mark)                                                  \
    const struct rd_sim_host_call call = RD_HOST_CALL(#name);                                      \
    cusparseStatus_t begun;                                                                        \
    if (!rd_cusparse_begin(&call, descriptor, mark, &begun))                                       \
    return begun

#endif
