// SPDX-License-Identifier: MIT
/* A device that passes all calls on to another one, counts them, and goes wrong as told: in what it
 * copies back, in what it computes, or by an error. */
#ifndef RD_TEST_FAKE_DEVICE_H
#define RD_TEST_FAKE_DEVICE_H

#include "reductio/device.h"

#include <signal.h>

enum { FAKE_TOLD_MAX = 256 };

enum fake_fault {
    FAKE_SOUND,
    FAKE_DROPS_CELL,   /* A[cell] is lost before the round */
    FAKE_DOUBLES_CELL, /* A[cell] is counted twice */
    FAKE_SKIPS_ROUND,  /* the round is not launched */
};

/* The checkpoints of a launch, as they will be told. */
struct fake_told {
    struct rd_checkpoint checkpoints[FAKE_TOLD_MAX];
    size_t count;
    bool truncated, endless;
    size_t elem_bytes;
    void *memory[FAKE_TOLD_MAX]; /* of their cells */
};

struct fake {
    struct rd_device device; /* first: this is the device */
    struct rd_device *inner;

    /* A fault in the copy: bit `bit` of A[cell] flips when it is read after `step` launches; with flips_first, that of
     * whatever is read first then. */
    bool flips, flips_first;
    unsigned step;
    size_t cell;
    unsigned bit;

    /* A fault on the device, at launch number `round`, in `fault_cell`. Integers. */
    enum fake_fault fault;
    unsigned round;
    size_t fault_cell;

    const char *hazard; /* that is told of launch number `round`: see fake_tell_hazard */
    struct rd_finding finding;
    /* Kernel that runs in the place of all others, if `substitutes` */
    bool substitutes;
    enum rd_kernel substitute;

    /* Call number `fail_at` of alloc, host_alloc, write, read, wait and launch fails so; 0: none.
     */
    unsigned fail_at;
    enum rd_status fail_with;

    /* Behind launch number `change_at` (0: none) element change_cell of the argument change_arg is 1 more. */
    unsigned change_at, change_arg;
    size_t change_cell;

    /* Optional: changes what is told of a launch's checkpoints. */
    void (*edit)(struct fake_told *told);

    /* At wait number `interrupt_at` the flag is set; 0: never. */
    unsigned interrupt_at;
    volatile sig_atomic_t interrupted;

    /* Counters. */
    unsigned calls, waits, digested;
    unsigned launches; /* in this run */
    unsigned flipped;
    int buffers, host_arrays;  /* that have not been freed */
    const struct rd_buffer *a; /* the first of them */
    struct fake_read {
        bool under_way;
        const struct rd_buffer *buffer;
        enum rd_type type;
        struct rd_cells cells;
        void *host;
    } reads[RD_READ_SLOTS];
    bool misused; /* a slot was used twice, or a wait had no read */
};

void fake_init(struct fake *fake, struct rd_device *inner);
/* The same, of a device that digests its memory. */
void fake_init_digesting(struct fake *fake, struct rd_device *inner);
/* From here on it tells of this hazard in launch number `round`; it is then a device that looks for hazards. */
void fake_tell_hazard(struct fake *fake, const char *name, unsigned round);

#endif
