// SPDX-License-Identifier: MIT
/* The simulator beside a run on another device. */
#include "run/driver_internal.h"
#include "device/kernel_names.h"
#include "program/paragraph.h"
#include "base/array.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the shape ---- */

/* On how much the simulator accompanies a run. The rule asks no clock, so that the same run is accompanied in
 * the same way everywhere. */

/* The cost of an access where threads communicate, and a run under each schedule. */
enum { EXACT_COST = 2 };

/* Accesses, about: each element is read by a thread or two, and each thread writes. */
static double work(const struct rd_run *run, const struct rd_shape *shape)
{
    const struct rd_program *program = run->program;
    unsigned n_schedules = run->n_schedules ? run->n_schedules : RD_SCHEDULES_TRIED;
    double reads =
        program->reads ? (double)rd_paragraph_value(program->reads, shape->n, shape->block) : 1;
    double accesses = (double)rd_program_inputs(program, shape) +
                      (double)rd_program_inputs_b(program, shape) +
                      (double)rd_program_cells(program, shape);
    struct rd_round round;
    double cost = 1;
    for (unsigned k = 1; rd_program_round(program, shape, k, &round); k++) {
        accesses += (double)rd_round_blocks_in_all(&round) * rd_round_threads(&round) * reads;
        if (rd_kernel_communicates(round.kernel))
            cost = EXACT_COST * n_schedules;
    }
    return accesses * cost;
}

/* All passes of witness values together are to take no longer; each is accompanied by a few blocks at least. */
static double work_max(const struct rd_run *run)
{
    const double least = 1 << 12;
    double most = (double)RD_COMPANION_WORK_MAX / (double)(run->passes > 0 ? run->passes : 1);
    return most > least ? most : least;
}

/* Returns the trips of the grid's threads through a loop over all elements; beyond 2, nothing is new. */
static size_t trips(const struct rd_shape *shape)
{
    size_t threads = shape->grid * shape->block;
    size_t count = threads > 0 ? shape->n / threads : 0;
    return count < 2 ? count : 2;
}

/* Tells whether the simulator can run the program at that n and grid beside the device's run; `shape` is how. */
static bool can_accompany(const struct rd_run *run, size_t n, size_t grid, struct rd_shape *shape)
{
    const struct rd_program *program = run->program;
    const struct rd_shape whole = rd_run_shape(run);
    *shape = rd_program_shape(program, (struct rd_shape){n, run->block, grid});
    return rd_program_accept(program, shape, NULL) == RD_OK && trips(shape) >= trips(&whole) &&
           work(run, shape) <= work_max(run);
}

/* The largest n with the remainder that n has modulo so many units, 2^k of them: at its end, where the last
 * block is not full, all is as it was. */
static bool find_n(const struct rd_run *run, size_t unit, size_t grid, struct rd_shape *shape)
{
    size_t period = unit;
    while (period <= run->n / 2)
        period *= 2;
    for (; period >= unit && period > 0; period /= 2) {
        size_t n = period + run->n % period;
        if (n < run->n && can_accompany(run, n, grid, shape))
            return true;
    }
    return false;
}

static bool find(const struct rd_run *run, size_t grid, struct rd_shape *shape)
{
    const struct rd_shape whole = rd_run_shape(run);
    return can_accompany(run, run->n, grid, shape) || find_n(run, whole.block, grid, shape) ||
           find_n(run, 1, grid, shape);
}

bool rd_companion_shape(const struct rd_run *run, struct rd_shape *shape)
{
    const struct rd_shape whole = rd_run_shape(run);
    if (run->n <= run->program->n && run->grid == 0 && run->block == 0) {
        *shape = whole; /* what a fault is about shows there */
        return true;
    }
    if (find(run, run->grid, shape))
        return true;
    size_t period = 1;
    while (period <= whole.grid / 2)
        period *= 2;
    for (; period > 0 && run->program->blocks; period /= 2) {
        size_t grid = period + whole.grid % period;
        if (grid < whole.grid && find(run, grid, shape))
            return true;
    }
    return false;
}

/* ---- what was found, kept ---- */

/* Texts and findings, which the simulator gives up with its next launch. */
struct rd_companion_memory {
    struct piece {
        struct piece *next;
        _Alignas(max_align_t) char bytes[];
    } * pieces;
    struct rd_hazard *hazards;
    size_t count, capacity;
    const struct rd_run *run;     /* that is accompanied */
    const struct rd_shape *shape; /* of the simulator's run */
};

static void *keep(struct rd_companion_memory *memory, const void *bytes, size_t size_bytes)
{
    struct piece *piece = malloc(sizeof *piece + size_bytes);
    if (!piece)
        return NULL;
    piece->next = memory->pieces;
    memory->pieces = piece;
    return memcpy(piece->bytes, bytes, size_bytes);
}

static bool keep_text(struct rd_companion_memory *memory, const char **text)
{
    if (*text)
        *text = keep(memory, *text, strlen(*text) + 1);
    return *text != NULL;
}

static const struct rd_finding *keep_finding(struct rd_companion_memory *memory,
                                             const struct rd_finding *finding)
{
    struct rd_finding kept = *finding;
    const char **const texts[] = {&kept.kind,  &kept.scope, &kept.message, &kept.lesson,
                                  &kept.array, &kept.type,  &kept.before,  &kept.after};
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
        if (!keep_text(memory, texts[k]))
            return NULL;
    for (unsigned k = 0; k < kept.n_places; k++) {
        struct rd_finding_place *place = &kept.places[k];
        if (!keep_text(memory, &place->op) || (place->file && !keep_text(memory, &place->file)))
            return NULL;
    }
    return keep(memory, &kept, sizeof kept);
}

/* ---- the rounds of a smaller run ---- */

static bool same_launch(const struct rd_round *x, const struct rd_round *y)
{
    return x->kernel == y->kernel && x->width == y->width && x->grid == y->grid &&
           x->block == y->block;
}

/* The round of the run that stands for one of the simulator's: the same launch, or else the first of the same
 * kernel. */
static unsigned round_of_run(const struct rd_companion_memory *memory, unsigned number)
{
    const struct rd_program *program = memory->run->program;
    const struct rd_shape shape = rd_run_shape(memory->run);
    struct rd_round made, round;
    unsigned found = 0, last = 0;
    if (shape.n == memory->shape->n && shape.grid == memory->shape->grid)
        return number;
    if (!rd_program_round(program, memory->shape, number, &made))
        return number;
    for (unsigned k = 1; rd_program_round(program, &shape, k, &round); last = k++) {
        if (same_launch(&round, &made))
            return k;
        if (round.kernel == made.kernel && found == 0)
            found = k;
    }
    return found > 0 ? found : last;
}

static enum rd_status take_hazard(void *self, const struct rd_run *run,
                                  const struct rd_hazard *hazard, struct rd_error *error)
{
    struct rd_companion_memory *memory = self;
    struct rd_hazard kept = *hazard;
    char where[96] = "", *message = NULL;
    if (!rd_array_make_room(&memory->hazards, memory->count, &memory->capacity,
                            sizeof *memory->hazards))
        goto out;
    kept.step = round_of_run(memory, hazard->step);
    if (run->n != memory->run->n)
        snprintf(where, sizeof where, " Seen in round %u of n = %zu.", hazard->step, run->n);
    if (asprintf(&message, "%s%s", hazard->message, where) < 0) {
        message = NULL;
        goto out;
    }
    kept.message = message;
    if (!keep_text(memory, &kept.name) || !keep_text(memory, &kept.message))
        goto out;
    if (kept.finding)
        kept.finding = keep_finding(memory, kept.finding);
    if (hazard->finding && !kept.finding)
        goto out;
    free(message);
    memory->hazards[memory->count++] = kept;
    return RD_OK;
out:
    free(message);
    return rd_fail(error, RD_ERROR_MEMORY, "no memory for what the simulator has found");
}

/* ---- the simulator's run ---- */

static struct rd_run simulated(const struct rd_run *run, const struct rd_shape *shape,
                               struct rd_device *device)
{
    struct rd_run s = *run;
    bool smaller = shape->n != run->n || shape->grid != rd_run_shape(run).grid;
    s.n = shape->n;
    s.grid = run->program->blocks ? shape->grid : run->grid;
    s.device = device;
    s.hazards_by = RD_HAZARDS_BY_SIM;
    s.go_on = true;
    s.pass = s.passes = 1; /* nothing is explained twice */
    s.progress = NULL;
    s.blocks = (struct rd_blocks){.all = true};
    if (smaller)
        s.n_breaks = 0; /* they name cells and threads of the whole run */
    return s;
}

static void run_simulated(struct rd_companion *companion, const struct rd_run *run)
{
    struct rd_device *device;
    struct rd_error why, reason = {""};
    const struct rd_observer observer = {.self = companion->memory, .hazard = take_hazard};
    enum rd_status status = rd_device_open("sim", &device, &why, &reason);
    if (status == RD_OK) {
        const struct rd_run s = simulated(run, &companion->shape, device);
        status = rd_run(&s, (const struct rd_observer *const[]){&observer, NULL},
                        &companion->result, &reason);
        rd_device_close(device);
    }
    if (status == RD_OK) {
        companion->by = RD_HAZARDS_BY_SIM;
        companion->hazards = companion->memory->hazards;
        companion->n_hazards = companion->memory->count;
        return;
    }
    /* The driver notices an interruption behind its next step. */
    companion->shape.n = 0;
    snprintf(companion->unlooked, sizeof companion->unlooked, "%.240s", reason.text);
}

static enum rd_status accompany(struct rd_companion *companion, const struct rd_run *run,
                                struct rd_error *error)
{
    companion->by = RD_HAZARDS_BY_NOBODY;
    if (!rd_companion_shape(run, &companion->shape)) {
        companion->shape.n = 0;
        snprintf(companion->unlooked, sizeof companion->unlooked,
                 "%s takes no n, nor number of blocks, that is small enough for the simulator",
                 run->program->name);
        return RD_OK;
    }
    companion->memory = calloc(1, sizeof *companion->memory);
    if (!companion->memory)
        return rd_fail(error, RD_ERROR_MEMORY, "no memory for what the simulator finds");
    companion->memory->run = run;
    companion->memory->shape = &companion->shape;
    run_simulated(companion, run);
    return RD_OK;
}

enum rd_status rd_companion_init(struct rd_companion *companion, const struct rd_run *run,
                                 struct rd_error *error)
{
    *companion = (struct rd_companion){.by = run->hazards_by};
    if (run->hazards_by == RD_HAZARDS_BY_SANITIZER) {
        companion->hazards = run->given;
        companion->n_hazards = run->n_given;
    }
    if (run->hazards_by != RD_HAZARDS_BY_SIM || run->device->ops->findings)
        return RD_OK;
    return accompany(companion, run, error);
}

void rd_companion_finish(struct rd_companion *companion)
{
    struct rd_companion_memory *memory = companion->memory;
    if (!memory)
        return;
    while (memory->pieces) {
        struct piece *next = memory->pieces->next;
        free(memory->pieces);
        memory->pieces = next;
    }
    free(memory->hazards);
    free(memory);
    companion->memory = NULL;
}

/* ---- places ---- */

static void describe_place(const struct rd_finding_place *place, char *text, size_t size)
{
    char who[64] = "";
    if (place->thread_known && place->block_known)
        snprintf(who, sizeof who, ", thread %u of block %" PRIu64, place->thread, place->block);
    if (!place->file)
        snprintf(text, size, "the place is a line that a build with libdw knows%s", who);
    else if (place->column > 0)
        snprintf(text, size, "the place is %s:%u:%u%s", place->file, place->line, place->column,
                 who);
    else
        snprintf(text, size, "the place is %s:%u%s", place->file, place->line, who);
}

void rd_companion_place(const struct rd_companion *companion, unsigned round, char *text,
                        size_t size)
{
    for (size_t k = 0; k < companion->n_hazards; k++) {
        const struct rd_hazard *hazard = &companion->hazards[k];
        const struct rd_finding *finding = hazard->finding;
        if (hazard->step == round && rd_hazard_may_stop_kernel(hazard->kind) && finding &&
            finding->n_places > 0) {
            describe_place(&finding->places[0], text, size);
            return;
        }
    }
    if (companion->by == RD_HAZARDS_BY_NOBODY)
        snprintf(text, size, "nobody has looked for the place: --hazards sim does");
    else if (companion->by == RD_HAZARDS_BY_SANITIZER)
        snprintf(text, size, "compute-sanitizer has not found the place");
    else
        snprintf(text, size, "the simulator has not found the place, on n = %zu",
                 companion->shape.n);
}

bool rd_companion_found(const struct rd_companion *companion, unsigned round,
                        enum rd_hazard_kind kind)
{
    for (size_t k = 0; k < companion->n_hazards; k++)
        if (companion->hazards[k].step == round && companion->hazards[k].kind == kind)
            return true;
    return false;
}
