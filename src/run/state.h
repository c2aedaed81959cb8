// SPDX-License-Identifier: MIT
/* The array under test: on the device, and the copy of it on the host. */
#ifndef RD_RUN_STATE_H
#define RD_RUN_STATE_H

#include "run/assertion.h"

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

#endif
