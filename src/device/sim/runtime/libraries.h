// SPDX-License-Identifier: MIT
/* Functions of libraries, as cuBLAS and cuRAND, as host code calls them: which memory one reads and writes, and what it makes of
 * it. */
#ifndef RD_SIM_RUNTIME_LIBRARIES_H
#define RD_SIM_RUNTIME_LIBRARIES_H

#include "device/sim/runtime/runtime_internal.h"

enum { RD_SIM_IS_READ = 1, RD_SIM_IS_WRITTEN = 2, RD_SIM_IS_OF_HOST = 4 };

/* Memory that such a function is given: rows of bytes, each so many behind the one before. */
struct rd_sim_operand {
    const char *name; /* "A" */
    const void *address;
    size_t row_bytes, pitch_bytes, n_rows;
    unsigned use; /* how it is accessed; and whether it is the host's */
};

struct rd_sim_library_call {
    const struct rd_sim_host_call *call;
    const void *stream;
    const struct rd_sim_operand *operands;
    size_t n_operands;
    bool waits; /* the host goes on when it is done */
    void (*work)(const void *closure);
    const void *closure; /* copied, if a stream captures the call */
    size_t closure_bytes;
};

/* Makes the call at its turn in the stream. cudaErrorIllegalAddress where it accesses what it must not, which then is told;
 * nothing is done in that case. To be called between rd_sim_call_begins() and rd_sim_library_ends(). */
cudaError_t rd_sim_library_do(const struct rd_sim_library_call *call);
/* The call ends with a status of the library's, "CUBLAS_STATUS_INVALID_VALUE"; NULL: it has succeeded. One that the host's code
 * drops is told. */
void rd_sim_library_ends(const struct rd_sim_host_call *call, const char *status, const char *why);

#endif
