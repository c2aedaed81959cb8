// SPDX-License-Identifier: MIT
#include "reductio/hazards.h"

#include <string.h>

/* The effects of a hazard. */
enum undefined {
    ROUND,   /* what its round makes: another run of it may end otherwise */
    GOAL,    /* what the rounds end in; the round itself is certain */
    NOTHING, /* the array is as it should be */
};

enum more {
    STOPS_KERNEL = 1, /* a device may stop the kernel for it */
    LOSES_DEVICE = 2,
    IS_UNSEEN = 4, /* it says that something was not looked at */
};

static const struct {
    const char *name;
    enum undefined undefined;
    unsigned more;
    const char *sentence;
} rows[RD_HAZARD_COUNT + 1] = {
#define ROW(NAME, name, undefined, more, sentence)                                                 \
    [RD_HAZARD_##NAME] = {name, undefined, more, sentence},
    RD_HAZARDS(ROW)
#undef ROW
        [RD_HAZARD_UNKNOWN] = {"unknown", ROUND, 0, "A hazard that this version does not know."},
};

const char *rd_hazard_name(enum rd_hazard_kind kind)
{
    return rows[kind].name;
}

const char *rd_hazard_sentence(enum rd_hazard_kind kind)
{
    return rows[kind].sentence;
}

enum rd_hazard_kind rd_hazard_named(const char *name)
{
    int k = 0;
    while (k < RD_HAZARD_COUNT && (!name || strcmp(name, rows[k].name) != 0))
        k++;
    return (enum rd_hazard_kind)k;
}

bool rd_hazard_is_unseen(enum rd_hazard_kind kind)
{
    return rows[kind].more & IS_UNSEEN;
}

bool rd_hazard_ends(enum rd_hazard_kind kind)
{
    return rows[kind].undefined != NOTHING;
}

bool rd_hazard_undefines(enum rd_hazard_kind kind)
{
    return rows[kind].undefined == ROUND;
}

bool rd_hazard_may_stop_kernel(enum rd_hazard_kind kind)
{
    return rows[kind].more & STOPS_KERNEL;
}

bool rd_hazard_loses_device(enum rd_hazard_kind kind)
{
    return rows[kind].more & LOSES_DEVICE;
}
