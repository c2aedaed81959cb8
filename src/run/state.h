// SPDX-License-Identifier: MIT
/* The array under test: on the device, and the copy of it on the host. */
#ifndef RD_RUN_STATE_H
#define RD_RUN_STATE_H

#include "reductio/run.h"
#include "run/assertion.h"

/* Faults put into a run on purpose: see rd_run.breaks. */

enum { RD_BREAKS_MAX = 64 };

/* Counts the threads that the run leaves out of that step as if they had come to the checkpoint, where
 * they should: of a warp, those of `lanes`. */
void rd_breaks_excuse(const struct rd_run *run, unsigned step, uint32_t lanes,
                      struct rd_checkpoint *checkpoint);

/* Tells whether some value was put into a cell by hand, so that cells are no sums of inputs. */
bool rd_breaks_a_cell(const struct rd_run *run);

struct rd_state {
    const struct rd_run *run;
    struct rd_shape shape;
    struct rd_buffer *a, *b; /* the device's A and the second input */
    /* Made when a round first asks for them: the input a, the indices of its elements, which kernels reduce in its place by
     * an operation that selects, memory that nobody asserts, a ticket. */
    struct rd_buffer *input, *indices, *scratch, *ticket;
    void *host_indices; /* what the indices were written from, or NULL */
    /* The inputs as they were written, for a device that digests. */
    uint64_t digest_a, digest_b, digest_indices;
    size_t n_cells;  /* of A */
    void *host;      /* elem[n_cells], from the device's host_alloc: the copy, */
    size_t n_copied; /* of so many cells */
};

/* Allocates the arrays and writes A, as the expectation has it, and B to the device. */
enum rd_status rd_state_init(struct rd_state *state, const struct rd_run *run,
                             const struct rd_expect *expect, struct rd_error *error);
void rd_state_finish(struct rd_state *state);

/* Launches the kernel of a round on the device. With a watch (else NULL), its checkpoints are told.
 * As the device's `launch`, which tells under how many schedules it was tried. */
enum rd_status rd_state_launch(struct rd_state *state, const struct rd_round *round,
                               struct rd_watch *watch, struct rd_tried *tried,
                               struct rd_error *error);

/* The ticket after the launch; 0 where no round takes one. Spoils the copy of A, and no read may
 * be under way. */
enum rd_status rd_state_ticket(struct rd_state *state, unsigned *ticket, struct rd_error *error);

/* Starts to copy back the claim's live cells, or with run->frame the whole array, in chunks. */
enum rd_status rd_state_copy_begin(struct rd_state *state, const struct rd_claim *claim,
                                   struct rd_error *error);

/* Waits for the chunks and compares each with the expectation (NULL: with nothing) while the next
 * are still on their way. Call once after each rd_state_copy_begin that succeeded, with its claim.
 */
enum rd_status rd_state_copy_compare(struct rd_state *state, const struct rd_claim *claim,
                                     struct rd_expect *expect, struct rd_comparison *found,
                                     struct rd_error *error);

/* The state as it was copied back last. */
struct rd_state_view rd_state_view(const struct rd_state *state);

/* The inputs on the device, which no round may change: whether they are as the run gave them. */

/* An input that a round has changed. */
struct rd_input_change {
    const char *array;                /* "a" or "b", or RD_INDICES_NAME */
    const struct rd_numeric *numeric; /* of its elements */
    size_t index;                     /* of the first element that is another, from 0 */
    size_t count;                     /* how many are, at least 1 */
    rd_bits expected;                 /* that element, as the run gave it, */
    rd_bits actual;                   /* and as it is */
};

/* Returns the inputs to compare behind the round, as bits of enum rd_input: with `frame`, those that its kernel
 * was passed; else, as large ones take time, behind the last round those that any was. None where the kernel
 * may spoil them. */
unsigned rd_inputs_due(const struct rd_program *program, enum rd_operation operation,
                       const struct rd_shape *shape, bool frame, unsigned round);

/* Compares an input on the device with the run's own, which must be as it was when it was sealed. A device that
 * digests its memory does so, which a change slips past with a chance of 2^-64, and only where the digests differ is
 * the array copied back; others copy it, a part at a time. No read may be under way. RD_OK: *changed says whether it
 * is another, and then *change is set. RD_ERROR_MEMORY: no host memory for the copy. RD_ERROR_DEVICE: a call of the
 * device failed. RD_ERROR_FAULT: the device has stopped a kernel that was launched before, and is lost. *changed and
 * *change are untouched after an error. */
enum rd_status rd_inputs_compare(struct rd_state *state, enum rd_input input, bool *changed,
                                 struct rd_input_change *change, struct rd_error *error);

/* "a", "b". */
const char *rd_input_name(enum rd_input input);

/* ---- breaks.c ---- */

/* RD_ERROR_USAGE where a break is of a step, a cell or a thread that is not there, or the device can't
 * make it. */
enum rd_status rd_breaks_check(const struct rd_run *run, const struct rd_shape *shape,
                               size_t n_cells, struct rd_error *error);
/* Lists what the launch of that step leaves out; returns how many there are. */
unsigned rd_breaks_omissions(const struct rd_run *run, unsigned step,
                             struct rd_omission omissions[RD_BREAKS_MAX]);

#endif
