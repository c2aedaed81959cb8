// SPDX-License-Identifier: MIT
#include "run/given.h"
#include "base/sized.h"
#include "reductio/version.h"

#include <stddef.h>

/* The sizes in version 0.1. */
enum {
    FIRST_SIZE = offsetof(struct rd_run, progress) + sizeof(const struct rd_progress *),
    OBSERVER_FIRST_SIZE = sizeof(struct rd_observer),
    PROGRESS_FIRST_SIZE = sizeof(struct rd_progress),
};

enum rd_status rd_observers_check(const struct rd_observer *const *observers,
                                  struct rd_error *error)
{
    for (; observers && *observers; observers++)
        if (rd_sized_check(*observers, sizeof **observers, OBSERVER_FIRST_SIZE, "observer",
                           error) != RD_OK)
            return RD_ERROR_USAGE;
    return RD_OK;
}

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
    rd_sized_check(run, sizeof *run, FIRST_SIZE, "run", error);
    return NULL;
}

/* A program that is not registered is asked here for what has to be there. */
static enum rd_status check_program(const struct rd_program *program, struct rd_error *error)
{
    if (rd_sized_check(program, sizeof *program, sizeof *program, "program", error) != RD_OK)
        return RD_ERROR_USAGE;
    if (!program->name)
        return rd_fail(error, RD_ERROR_USAGE, "the run's program has no name");
    if ((unsigned)program->operation >= RD_OPERATION_COUNT ||
        (unsigned)program->type >= RD_TYPE_COUNT)
        return rd_fail(error, RD_ERROR_USAGE,
                       "'operation' and 'type' of '%s' are %d and %d: use enum rd_operation and "
                       "enum rd_type",
                       program->name, (int)program->operation, (int)program->type);
    if (!rd_program_law(program))
        return rd_fail(error, RD_ERROR_USAGE, "'%s' has no law: give it a paragraph",
                       program->name);
    if ((unsigned)program->goal > (program->played ? RD_GOAL_UNASKED : RD_GOAL_NONE) ||
        (program->goal == RD_GOAL_RESULT && !program->result))
        return rd_fail(error, RD_ERROR_USAGE,
                       "'goal' of '%s' is %d: use one of enum rd_goal, with 'result' where it is "
                       "RD_GOAL_RESULT",
                       program->name, (int)program->goal);
    return RD_OK;
}

/* An array of breaks of another size would be taken for other breaks. */
static enum rd_status check_breaks(const struct rd_run *run, struct rd_error *error)
{
    for (unsigned k = 0; k < run->n_breaks; k++) {
        const struct rd_break *b = &run->breaks[k];
        if (b->size != 0 && b->size != sizeof *b)
            return rd_fail(error, RD_ERROR_USAGE,
                           "'size' of break %u is %zu, and reductio %s has no such break: set it "
                           "to sizeof(struct rd_break)",
                           k, b->size, rd_version());
        if ((unsigned)b->kind > RD_BREAK_BARRIER)
            return rd_fail(error, RD_ERROR_USAGE,
                           "'kind' of break %u is %d: use one of enum rd_break_kind", k,
                           (int)b->kind);
    }
    return RD_OK;
}

static enum rd_status check_given(const struct rd_run *run, struct rd_error *error)
{
    for (unsigned k = 0; k < run->n_given; k++) {
        const struct rd_hazard *hazard = &run->given[k];
        if ((unsigned)hazard->kind >= RD_HAZARD_UNKNOWN || !hazard->message)
            return rd_fail(error, RD_ERROR_USAGE,
                           "given hazard %u has no %s: a run tells it to its observers", k,
                           hazard->message ? "kind that is known" : "message");
    }
    return RD_OK;
}

static enum rd_status check_numbers(const struct rd_run *run, struct rd_error *error)
{
    if (run->pass > run->passes || (run->pass == 0) != (run->passes == 0))
        return rd_fail(error, RD_ERROR_USAGE,
                       "'pass' of the run is %zu of %zu: use 1 to 'passes', or 0 of 0", run->pass,
                       run->passes);
    if (run->digit_bits > 64)
        return rd_fail(error, RD_ERROR_USAGE, "'digit_bits' of the run is %u: use at most 64",
                       run->digit_bits);
    if ((unsigned)run->hazards_by > RD_HAZARDS_BY_LAUNCH)
        return rd_fail(error, RD_ERROR_USAGE,
                       "'hazards_by' of the run is %d: use one of enum rd_hazards_by",
                       (int)run->hazards_by);
    if (run->blocks.count > RD_BLOCKS_MAX)
        return rd_fail(error, RD_ERROR_USAGE, "'blocks' of the run has %u: at most %d are listed",
                       run->blocks.count, RD_BLOCKS_MAX);
    return RD_OK;
}

static enum rd_status check_members(const struct rd_run *run, bool has_inputs,
                                    struct rd_error *error)
{
    const char *missing = !run->program || !run->program->name ? "program"
                          : !run->numeric                      ? "numeric"
                          : !run->device                       ? "device"
                                                               : NULL;
    if (!run->program)
        return rd_fail(error, RD_ERROR_USAGE,
                       "'program' of the run is NULL: set it (rd_program_named() returns NULL for "
                       "an unknown name)");
    if (missing)
        return rd_fail(error, RD_ERROR_USAGE, "'%s' of the run is NULL: set it", missing);
    enum rd_status status = check_program(run->program, error);
    if (status == RD_OK)
        status = check_numbers(run, error);
    if (status != RD_OK)
        return status;
    const bool has_b = rd_program_has_b(run->program);
    const char *input = !run->a ? "a" : has_b && !run->b ? "b" : NULL;
    if (has_inputs && input)
        return rd_fail(error, RD_ERROR_USAGE, "'%s' of the run is NULL, and %s takes %s", input,
                       run->program->name, has_b ? "two inputs, a and b" : "an input, a");
    if ((run->n_breaks > 0 && !run->breaks) || (run->n_given > 0 && !run->given))
        return rd_fail(error, RD_ERROR_USAGE, "'%s' of the run is NULL, and there are %zu",
                       run->n_breaks > 0 && !run->breaks ? "breaks" : "given",
                       (size_t)(run->n_breaks > 0 && !run->breaks ? run->n_breaks : run->n_given));
    if (run->progress && rd_sized_check(run->progress, sizeof *run->progress, PROGRESS_FIRST_SIZE,
                                        "progress", error) != RD_OK)
        return RD_ERROR_USAGE;
    if (run->progress && !run->progress->tell)
        return rd_fail(error, RD_ERROR_USAGE, "'tell' of the run's 'progress' is NULL: set it");
    status = check_breaks(run, error);
    return status == RD_OK ? check_given(run, error) : status;
}

const struct rd_run *rd_run_given(const struct rd_run *given, struct rd_run *own, bool has_inputs,
                                  struct rd_error *error)
{
    const struct rd_run *run = of_this_version(given, own, error);
    return run && check_members(run, has_inputs, error) == RD_OK ? run : NULL;
}
