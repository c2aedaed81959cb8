// SPDX-License-Identifier: MIT
/* How the inputs in a cell differ from those that must be in it, or that were. */
#include "view/step/commands.h"

#include <string.h>

bool rd_step_sets_same(const struct rd_input_set *x, const struct rd_input_set *y)
{
    enum { SET_SIZE = 4096 };
    char one[SET_SIZE], other[SET_SIZE];
    return strcmp(rd_input_set_text(x, one, sizeof one),
                  rd_input_set_text(y, other, sizeof other)) == 0;
}

bool rd_step_surplus(const struct rd_input_set *set, const struct rd_input_set *other,
                     struct rd_input_set *surplus)
{
    memset(surplus, 0, sizeof *surplus);
    if (set->count > RD_INPUT_SET_MAX || other->count > RD_INPUT_SET_MAX)
        return false;
    for (size_t k = 0; k < set->count; k++) {
        int64_t more = set->times[k] - rd_input_set_times(other, set->index[k]);
        if (more > 0)
            rd_input_set_add(surplus, set->index[k], more);
    }
    return surplus->count > 0;
}
