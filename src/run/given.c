// SPDX-License-Identifier: MIT
#include "run/given.h"
#include "base/sized.h"
#include "reductio/version.h"

#include <stddef.h>

/* The size of struct rd_run in version 0.1. */
enum { FIRST_SIZE = offsetof(struct rd_run, progress) + sizeof(const struct rd_progress *) };

static const struct rd_run *of_this_version(const struct rd_run *run, struct rd_run *own,
                                            struct rd_error *error)
{
    if (!run) {
        rd_fail(error, RD_ERROR_USAGE, "the run is NULL");
        return NULL;
    }
    if (run->size == sizeof *run)
        return run;
    if (rd_sized_copy(own, sizeof *own, run, run->size, FIRST_SIZE)) {
        own->size = sizeof *own;
        return own;
    }
    rd_fail(error, RD_ERROR_USAGE,
            "'size' is %zu, and reductio %s has no such run: set it to sizeof(struct rd_run)",
            run->size, rd_version());
    return NULL;
}

static enum rd_status check_members(const struct rd_run *run, bool has_inputs,
                                    struct rd_error *error)
{
    const char *missing = !run->program || !run->program->name ? "program"
                          : !run->numeric                      ? "numeric"
                          : !run->device                       ? "device"
                                                               : NULL;
    if (missing)
        return rd_fail(error, RD_ERROR_USAGE, "'%s' of the run is NULL: set it", missing);
    const bool has_b = rd_program_has_b(run->program);
    const char *input = !run->a ? "a" : has_b && !run->b ? "b" : NULL;
    if (has_inputs && input)
        return rd_fail(error, RD_ERROR_USAGE, "'%s' of the run is NULL, and %s takes %s", input,
                       run->program->name, has_b ? "two inputs, a and b" : "an input, a");
    if ((run->n_breaks > 0 && !run->breaks) || (run->n_given > 0 && !run->given))
        return rd_fail(error, RD_ERROR_USAGE, "'%s' of the run is NULL, and there are %zu",
                       run->n_breaks > 0 && !run->breaks ? "breaks" : "given",
                       (size_t)(run->n_breaks > 0 && !run->breaks ? run->n_breaks : run->n_given));
    if (run->progress && !run->progress->tell)
        return rd_fail(error, RD_ERROR_USAGE, "'progress' of the run tells nobody: set its 'tell'");
    return RD_OK;
}

const struct rd_run *rd_run_given(const struct rd_run *given, struct rd_run *own, bool has_inputs,
                                  struct rd_error *error)
{
    const struct rd_run *run = of_this_version(given, own, error);
    return run && check_members(run, has_inputs, error) == RD_OK ? run : NULL;
}
