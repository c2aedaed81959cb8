// SPDX-License-Identifier: MIT
#include "run/companion.h"
#include "base/array.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
