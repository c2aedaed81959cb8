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

static const struct row {
    const char *name;
    enum undefined undefined;
    unsigned more;
    const char *sentence;
} rows[RD_HAZARD_COUNT] = {
#define ROW(NAME, name, undefined, more, sentence)                                                 \
    [RD_HAZARD_##NAME] = {name, undefined, more, sentence},
    RD_HAZARDS(ROW)
#undef ROW
};

const char *rd_hazard_name(enum rd_hazard_kind kind)
{
    return rows[kind].name;
}

const char *rd_hazard_sentence(enum rd_hazard_kind kind)
{
    return rows[kind].sentence;
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

bool rd_hazard_is_unseen(const char *name)
{
    return row_of(name)->more & IS_UNSEEN;
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
    return row_of(name)->more & STOPS_KERNEL;
}

bool rd_hazard_loses_device(const char *name)
{
    return row_of(name)->more & LOSES_DEVICE;
}
