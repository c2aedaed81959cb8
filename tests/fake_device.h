// SPDX-License-Identifier: MIT
/* A device that passes all calls on to another one, counts them, and goes wrong as told: in what it
 * copies back, in what it computes, or by an error. */
#ifndef RD_TEST_FAKE_DEVICE_H
#define RD_TEST_FAKE_DEVICE_H

#include "device.h"

#include <signal.h>

enum fake_fault {
    FAKE_SOUND,
    FAKE_DROPS_CELL,   /* A[cell] is lost before the round */
    FAKE_DOUBLES_CELL, /* A[cell] is counted twice */
    FAKE_SKIPS_ROUND,  /* the round is not launched */
};

struct fake {
    struct rd_device device; /* first: this is the device */
    struct rd_device *inner;

    /* What goes wrong in the copy: bit `bit` of A[cell], when it is read after `step` launches. */
    bool flips;
    unsigned step;
    size_t cell;
    unsigned bit;

    /* What goes wrong on the device, at launch number `round`, in `fault_cell`. Integers. */
    enum fake_fault fault;
    unsigned round;
    size_t fault_cell;

    /* Call number `fail_at` of alloc, host_alloc, write, read, wait and launch fails so; 0: none.
     */
    unsigned fail_at;
    enum rd_status fail_with;

    /* At wait number `interrupt_at` the flag is set; 0: never. */
    unsigned interrupt_at;
    volatile sig_atomic_t interrupted;

    /* What has happened. */
    unsigned calls, waits;
    unsigned launches; /* in this run */
    unsigned flipped;
    int buffers, host_arrays; /* that have not been freed */
    struct fake_read {
        bool under_way;
        enum rd_type type;
        struct rd_cells cells;
        void *host;
    } reads[RD_READ_SLOTS];
    bool misused; /* a slot was used twice, or a wait had no read */
};

void fake_init(struct fake *fake, struct rd_device *inner);

#endif
