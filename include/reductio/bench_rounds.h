// SPDX-License-Identifier: MIT
/* The cost of each round of a program: its time, and the bandwidth that this makes of the bytes which
 * the round has to move.
 *
 * Thread safety: one of these calls at a time, on any thread: they measure. */
#ifndef RD_BENCH_ROUNDS_H
#define RD_BENCH_ROUNDS_H

#include "run.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* Largest number of rounds that are measured; programs make log2(n) of them, or a few. */
enum { RD_BENCH_ROUNDS_MAX = 64 };

/* The elements of global memory that a round has to read and to write, as the schedule and the
 * claims say it: each element counts once for being read and once for being written, however often
 * the threads of the round access it. These are the bytes of "effective bandwidth" in NVIDIA's
 * CUDA C++ Best Practices Guide, (B_read + B_written) / time; what a cache serves is not in it.
 *
 *   the inputs a and b, where the kernel is passed them
 *                      all of their elements are read
 *   A, beside an input the claim's live cells are written
 *   A, in place        m live cells before the round, m' after it. |m - m'| cells come or go, and
 *                      so many additions change k = min(m', m, |m - m'|) others: |m - m'| + k are
 *                      read and k written. Of the fold, m' = m/2: m read, m/2 written, 3 a thread.
 *                      Where m = m', each thread reads and writes one, and reads another, of b if
 *                      that is passed.
 *   A[0], by atomics   written, as one of A's live cells
 *   scratch            the whole of it is written and read
 *   a ticket           one number is read and written: RD_BENCH_TICKET_BYTES each
 */
struct rd_bench_traffic {
    uint64_t read_elems, written_elems;
    uint64_t bytes; /* of these elements, and of the ticket */
};

enum { RD_BENCH_TICKET_BYTES = 4 };

/* Returns the traffic of a round, with elements of elem_bytes. The round must be the program's, in this shape. */
struct rd_bench_traffic rd_bench_round_traffic(const struct rd_program *program,
                                               const struct rd_shape *shape,
                                               const struct rd_round *round, size_t elem_bytes);

/* Measurement of a round. */
struct rd_bench_round {
    struct rd_round round;           /* as the schedule has it */
    struct rd_bench_traffic traffic; /* what it moves */
    double best_s, median_s;
};

struct rd_bench_rounds {
    unsigned count; /* of rounds; 0 if the program has nothing to do */
    struct rd_bench_round rounds[RD_BENCH_ROUNDS_MAX];
};

/* Returns the round's effective bandwidth in 1e9 bytes a second, by the median. */
double rd_bench_round_gb_per_s(const struct rd_bench_round *round);

/* Names the clock of this device: "events of the GPU", or "processor time of the simulation, and
 * no GPU's". */
const char *rd_bench_clock(const struct rd_device *device);

/* Tells whether the rounds can be measured. RD_ERROR_USAGE: the program refuses the shape, has a fault, or
 * has more than RD_BENCH_ROUNDS_MAX rounds. */
enum rd_status rd_bench_rounds_accept(const struct rd_program *program,
                                      const struct rd_shape *shape, struct rd_error *error);

/* Launches the rounds of the run one after another, `repeats` times (1 to RD_BENCH_REPEATS_MAX) after
 * once that is not measured, on arrays that are on the device; nothing is copied back in between,
 * and nothing asserted. The arrays are not made anew: no kernel's time depends on the values.
 *
 * On a device with a clock of its own (`mark` in device.h) a round's time is that between the ends of
 * two launches that follow each other; where the kernel is over sooner than the host can launch the
 * next, it is what a launch takes. In the simulator it is the processor time of simulating the
 * launch, all hazards looked for, which says nothing of a GPU.
 *
 * Statuses as above, RD_ERROR_MEMORY, RD_ERROR_LAUNCH, RD_ERROR_DEVICE. */
enum rd_status rd_bench_rounds(const struct rd_run *run, unsigned repeats,
                               struct rd_bench_rounds *result, struct rd_error *error);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
