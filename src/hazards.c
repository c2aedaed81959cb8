// SPDX-License-Identifier: MIT
#include "hazards.h"

#include <string.h>

/* What a hazard leaves undefined. */
enum undefined {
    ROUND,   /* what its round makes: another run of it may end otherwise */
    GOAL,    /* what the rounds end in; the round itself is certain */
    NOTHING, /* the array is as it should be */
};

static const struct row {
    const char *name;
    enum undefined undefined;
    bool may_stop_kernel, loses_device;
    bool is_unseen; /* it says that something was not looked at */
} rows[RD_HAZARD_COUNT] = {
    [RD_HAZARD_RACE] = {.name = "race"},
    [RD_HAZARD_BARRIER_DIVERGENCE] = {.name = "barrier-divergence"},
    [RD_HAZARD_BARRIER_SKIPPED] = {.name = "barrier-skipped-by-exit"},
    [RD_HAZARD_OUT_OF_BOUNDS] = {.name = "out-of-bounds", .may_stop_kernel = true},
    [RD_HAZARD_MISALIGNED] = {.name = "misaligned", .may_stop_kernel = true},
    [RD_HAZARD_UNINITIALISED] = {.name = "uninitialised"},
    [RD_HAZARD_NO_TERMINATION] = {.name = "no-termination", .loses_device = true},
    [RD_HAZARD_INACTIVE_LANE] = {.name = "shuffle-from-inactive-lane"},
    [RD_HAZARD_MASK_MISMATCH] = {.name = "mask-mismatch"},
    [RD_HAZARD_ASSERT_FAILED] = {.name = "assert-failed", .may_stop_kernel = true},
    [RD_HAZARD_LEAK] = {.name = "leak", .undefined = NOTHING},
    [RD_HAZARD_OVER_BUDGET] = {.name = "over-budget", .undefined = NOTHING},
    [RD_HAZARD_ILLEGAL_LAUNCH] = {.name = "illegal-launch"},
    [RD_HAZARD_ORDER_DEPENDENT] = {.name = "order-dependent"},
    [RD_HAZARD_PLAIN_READ_OF_ATOMIC] = {.name = "plain-read-of-atomic"},
    [RD_HAZARD_UNDEFINED_ARITHMETIC] = {.name = "undefined-arithmetic"},
    [RD_HAZARD_DEAD_FRAME] = {.name = "dead-frame"},
    [RD_HAZARD_CRASH] = {.name = "crash"},
    [RD_HAZARD_UNEXPECTED_RESULT] = {.name = "unexpected-result"},
    [RD_HAZARD_KERNEL_FAULT] = {.name = "kernel-fault", .loses_device = true},
    [RD_HAZARD_STALE_TICKET] = {.name = "stale-ticket", .undefined = NOTHING},
    [RD_HAZARD_INPUT_CHANGED] = {.name = "input-changed", .undefined = GOAL},
    [RD_HAZARD_VIOLATED_IN_SIMULATOR] = {.name = "violated-in-simulator"},
    [RD_HAZARD_CHECKPOINT_ORDER] = {.name = "checkpoint-order", .undefined = GOAL},
    [RD_HAZARD_CHECKPOINT_DIVERGENCE] = {.name = "checkpoint-divergence", .undefined = GOAL},
    [RD_HAZARD_CHECKPOINT_RACE] = {.name = "checkpoint-race", .undefined = GOAL},
    [RD_HAZARD_CHECKPOINT_MISSING] = {.name = "checkpoint-missing",
                                      .undefined = GOAL,
                                      .is_unseen = true},
};

const char *rd_hazard_name(enum rd_hazard_kind kind)
{
    return rows[kind].name;
}

bool rd_hazard_is(const char *name, enum rd_hazard_kind kind)
{
    return strcmp(name, rows[kind].name) == 0;
}

static const struct row *row_of(const char *name)
{
    static const struct row unknown = {.name = ""};
    for (int k = 0; k < RD_HAZARD_COUNT; k++)
        if (rd_hazard_is(name, (enum rd_hazard_kind)k))
            return &rows[k];
    return &unknown;
}

enum rd_verdict rd_hazard_verdict(const char *name)
{
    return row_of(name)->is_unseen ? RD_INCONCLUSIVE : RD_VIOLATED;
}

bool rd_hazard_ends(const char *name)
{
    return row_of(name)->undefined != NOTHING;
}

bool rd_hazard_undefines(const char *name)
{
    return row_of(name)->undefined == ROUND;
}

bool rd_hazard_may_stop_kernel(const char *name)
{
    return row_of(name)->may_stop_kernel;
}

bool rd_hazard_loses_device(const char *name)
{
    return row_of(name)->loses_device;
}
