// SPDX-License-Identifier: MIT
#include "run/members.h"

enum rd_status rd_run_check_members(const struct rd_run *run, bool has_inputs,
                                    struct rd_error *error)
{
    const char *missing = !run->program   ? "program"
                          : !run->numeric ? "numeric"
                          : !run->device  ? "device"
                                          : NULL;
    if (missing)
        return rd_fail(error, RD_ERROR_USAGE, "'%s' of the run is NULL: set it", missing);
    const bool has_b = rd_program_has_b(run->program);
    const char *input = !run->a ? "a" : has_b && !run->b ? "b" : NULL;
    if (has_inputs && input)
        return rd_fail(error, RD_ERROR_USAGE, "'%s' of the run is NULL, and %s takes %s", input,
                       run->program->name, has_b ? "two inputs, a and b" : "an input, a");
    return RD_OK;
}
