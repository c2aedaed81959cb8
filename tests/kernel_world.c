// SPDX-License-Identifier: MIT
#include "kernel_world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { TRIPS_MAX = 4096 };

static const struct moment *moment_of(const struct world *world, const char *point,
                                      rd_wide variable)
{
    for (size_t k = 0; k < world->n_moments; k++)
        if (world->moments[k].point && strcmp(world->moments[k].point, point) == 0 &&
            world->moments[k].variable == variable)
            return &world->moments[k];
    return NULL;
}

static bool cell_at(const struct moment *moment, const char *array, size_t length, rd_wide index,
                    rd_wide *value)
{
    for (unsigned k = 0; moment && k < ARRAYS_MAX && moment->arrays[k].array; k++) {
        const struct memory *memory = &moment->arrays[k];
        if (strlen(memory->array->name) != length ||
            strncmp(memory->array->name, array, length) != 0 || index < 0 ||
            index >= (rd_wide)memory->size || !memory->known[index])
            continue;
        *value = memory->cells[index];
        return true;
    }
    return false;
}

bool world_apply(void *self, struct environment *environment, rd_term term, rd_wide *value)
{
    const struct world *world = self;
    static const char cell[] = "cell of ", lane[] = "lane at ";
    if (strncmp(term->name, cell, strlen(cell)) == 0) {
        const char *array = term->name + strlen(cell), *at = strstr(array, " at ");
        const rd_wide index = term_value(environment, term->kids[0]);
        bool known = false;
        if (at) {
            known = cell_at(moment_of(world, at + 4, term_value(environment, term->kids[1])), array,
                            (size_t)(at - array), index, value);
        } else if (strcmp(array, "A") == 0) {
            known = index >= 0 && index < (rd_wide)world->n_A;
            *value = known ? world->A[index] : 0;
        } else {
            for (unsigned k = 0; k < RD_SUBJECT_UNITS_MAX; k++)
                if (strcmp(array, k ? "b" : "a") == 0 && world->inputs[k] && index >= 0 &&
                    index < (rd_wide)world->n_inputs[k]) {
                    known = true;
                    *value = world->inputs[k][index];
                }
        }
        environment->undefined = environment->undefined || !known;
        if (!known)
            *value = 0;
        return true;
    }
    if (strncmp(term->name, lane, strlen(lane)) == 0) {
        const rd_wide thread = term_value(environment, term->kids[0]);
        const struct moment *moment =
            moment_of(world, term->name + strlen(lane), term_value(environment, term->kids[1]));
        const bool known = moment && thread >= 0 && thread < (rd_wide)moment->n_threads &&
                           moment->has_lane[thread];
        environment->undefined = environment->undefined || !known;
        *value = known ? moment->lanes[thread] : 0;
        return true;
    }
    if (strcmp(term->name, "dead") == 0) {
        const rd_wide index = term_value(environment, term->kids[0]);
        *value = index >= 0 && index < (rd_wide)world->n_A ? world->A[index] : 0;
        return true;
    }
    return false;
}

/* The value; *known: all that it depends on is known. */
rd_wide world_value(struct world *world, rd_term term, bool *known)
{
    world->environment.undefined = false;
    const rd_wide value = term_value(&world->environment, term);
    *known = !world->environment.undefined;
    return value;
}

/* Gives the loop's variable that tells the one of a cut the value for which that is at the moment; false where there is none. */
static bool set_head(struct world *world, rd_term variable, const struct moment *moment)
{
    const struct rd_term_list *heads = &world->launch->execution.heads;
    bool known;
    rd_term found = NULL;
    for (size_t k = 0; k < heads->count; k++)
        if (rd_term_has(variable, heads->terms[k])) {
            assert_null(found);
            found = heads->terms[k];
        }
    if (!found)
        return world_value(world, variable, &known) == moment->variable && known;
    for (rd_wide trip = 0; trip <= TRIPS_MAX; trip++) {
        environment_set(&world->environment, found, trip);
        if (world_value(world, variable, &known) == moment->variable && known)
            return true;
    }
    return false;
}

/* The same for the cut at which the segment begins, and the last one of the block; the way from that one to this, of
 * lanes, has set others. A loop whose variable none of them tells has no value. */
static bool set_heads(struct world *world, const struct rd_segment *segment,
                      const struct moment *moment, const struct moment *base, size_t thread)
{
    world->environment.count = world->n_names;
    for (size_t k = 0; k < world->n_kept[thread]; k++)
        environment_set(&world->environment, world->kept[thread][k].head,
                        world->kept[thread][k].value);
    if (!segment->base.point != !base->point ||
        (base->point && (strcmp(segment->base.point, base->point) != 0 ||
                         !set_head(world, segment->base.variable, base))))
        return false;
    if (moment == base)
        return rd_is_same_cut(&segment->from, &segment->base);
    return segment->from.point && strcmp(segment->from.point, moment->point) == 0 &&
           set_head(world, segment->from.variable, moment);
}

void world_set_thread(struct world *world, size_t block, size_t thread)
{
    environment_set(&world->environment, world->terms->b, (rd_wide)block);
    environment_set(&world->environment, world->terms->t, (rd_wide)thread);
    environment_set(&world->environment, world->terms->origin, (rd_wide)(block * world->block));
}

/* Keeps the variables' values for lanes that go on; `ends`: the block's next cut is the base. */
static void keep_heads(struct world *world, size_t thread, bool ends)
{
    const struct environment *environment = &world->environment;
    world->n_kept[thread] = 0;
    for (size_t k = world->n_names; k < environment->count && !ends; k++) {
        assert_true(world->n_kept[thread] < KEPT_MAX);
        world->kept[thread][world->n_kept[thread]++] =
            (struct kept){environment->constants[k], environment->values[k]};
    }
}

/* The segment that the thread takes from the moment on; there must be one. */
static const struct rd_segment *segment_of(struct world *world, const struct moment *moment,
                                           const struct moment *base, size_t thread)
{
    const struct rd_execution *execution = &world->launch->execution;
    const struct rd_segment *found = NULL;
    bool known;
    for (size_t k = 0; k < execution->n_segments; k++) {
        const struct rd_segment *segment = &execution->segments[k];
        if (!set_heads(world, segment, moment, base, thread))
            continue;
        const bool is = world_value(world, segment->path, &known) != 0;
        if (!known)
            fail_msg("%s: the way of thread %zu is not known", world->program->name, thread);
        if (is && found)
            fail_msg("%s: thread %zu has two ways", world->program->name, thread);
        found = is ? segment : found;
    }
    if (!found)
        fail_msg("%s: thread %zu has no way", world->program->name, thread);
    assert_true(set_heads(world, found, moment, base, thread));
    keep_heads(world, thread, !found->lane);
    return found;
}

static void add_writes(struct world *world, const struct rd_segment *segment, size_t *count,
                       struct write **writes)
{
    for (size_t k = 0; k < segment->n_accesses; k++) {
        const struct rd_kernel_access *access = &segment->accesses[k];
        bool is_made, knows_index, knows_value;
        if (!access->is_write || !world_value(world, access->path, &is_made))
            continue;
        *writes = realloc(*writes, (*count + 1) * sizeof **writes);
        assert_non_null(*writes);
        struct write *write = &(*writes)[(*count)++];
        *write = (struct write){
            .array = access->array, .phase = access->phase, .is_atomic = access->is_atomic};
        write->index = world_value(world, access->index, &knows_index);
        write->value = world_value(world, access->value, &knows_value);
        assert_true(is_made && knows_index);
        write->known = knows_value;
    }
}

static struct memory *memory_of(struct world *world, struct moment *moment,
                                const struct rd_prove_array *array)
{
    unsigned k = 0;
    bool known;
    while (k < ARRAYS_MAX && moment->arrays[k].array && moment->arrays[k].array != array)
        k++;
    assert_true(k < ARRAYS_MAX);
    struct memory *memory = &moment->arrays[k];
    if (!memory->array) {
        const rd_wide size = world_value(world, array->size, &known);
        assert_true(known && size >= 0);
        *memory = (struct memory){.array = array,
                                  .size = (size_t)size,
                                  .cells = calloc((size_t)size + 1, sizeof *memory->cells),
                                  .known = calloc((size_t)size + 1, 1)};
        assert_true(memory->cells && memory->known);
    }
    return memory;
}

/* An atomic write adds its value. */
static void take_write(const struct write *write, rd_wide *cell, bool *known)
{
    *cell = write->is_atomic ? *cell + write->value : write->value;
    *known = write->is_atomic ? *known && write->known : write->known;
}

static void make_write(struct world *world, struct moment *to, const struct write *write)
{
    if (write->array == &world->launch->A) {
        assert_true(write->index >= 0 && write->index < (rd_wide)world->n_A);
        take_write(write, &world->A_after[write->index], &world->A_known[write->index]);
        return;
    }
    struct memory *memory = memory_of(world, to, write->array);
    assert_true(write->index >= 0 && write->index < (rd_wide)memory->size);
    take_write(write, &memory->cells[write->index], &memory->known[write->index]);
}

static struct moment *new_moment(struct world *world, const struct moment *like)
{
    assert_true(world->n_moments < MOMENTS_MAX);
    struct moment *moment = &world->moments[world->n_moments++];
    *moment = (struct moment){.n_threads = world->block,
                              .lanes = calloc(world->block + 1, sizeof *moment->lanes),
                              .has_lane = calloc(world->block + 1, 1)};
    assert_true(moment->lanes && moment->has_lane);
    for (unsigned k = 0; like && k < ARRAYS_MAX && like->arrays[k].array; k++) {
        const struct memory *from = &like->arrays[k];
        struct memory *to = memory_of(world, moment, from->array);
        memcpy(to->cells, from->cells, from->size * sizeof *to->cells);
        memcpy(to->known, from->known, from->size);
    }
    return moment;
}

void world_forget(struct world *world)
{
    for (size_t m = 0; m < world->n_moments; m++) {
        struct moment *moment = &world->moments[m];
        for (unsigned k = 0; k < ARRAYS_MAX && moment->arrays[k].array; k++) {
            free(moment->arrays[k].cells);
            free(moment->arrays[k].known);
        }
        free(moment->lanes);
        free(moment->has_lane);
    }
    world->n_moments = 0;
}

/* All threads of a block go from cut to cut, together as far as they come to the same. */
void world_work_out(struct world *world, size_t block)
{
    size_t *at = calloc(world->block, sizeof *at), *base = calloc(world->block, sizeof *base),
           ended = 0;
    bool *gone = calloc(world->block, 1);
    assert_true(at && base && gone);
    new_moment(world, NULL);
    memset(world->n_kept, 0, sizeof world->n_kept);
    while (ended < world->block) {
        const size_t n_before = world->n_moments;
        struct write *writes = NULL;
        size_t n_writes = 0;
        struct moment *next = new_moment(world, &world->moments[n_before - 1]);
        for (size_t t = 0; t < world->block; t++) {
            bool known = true;
            if (gone[t])
                continue;
            world->environment.count = world->n_names;
            world_set_thread(world, block, t);
            world->n_names = world->environment.count;
            const struct rd_segment *segment =
                segment_of(world, &world->moments[at[t]], &world->moments[base[t]], t);
            add_writes(world, segment, &n_writes, &writes);
            if (!segment->to.point) {
                gone[t] = true;
                ended++;
                continue;
            }
            const rd_wide variable = world_value(world, segment->to.variable, &known);
            assert_true(known);
            if (next->point &&
                (strcmp(next->point, segment->to.point) != 0 || next->variable != variable))
                fail_msg("%s: threads come to two checkpoints", world->program->name);
            next->point = segment->to.point;
            next->variable = variable;
            if (segment->lane) {
                next->lanes[t] = world_value(world, segment->lane, &known);
                next->has_lane[t] = known;
            }
            at[t] = n_before;
            if (!segment->lane)
                base[t] = n_before;
        }
        unsigned phases = 0;
        for (size_t k = 0; k < n_writes; k++)
            phases = writes[k].phase > phases ? writes[k].phase : phases;
        for (unsigned phase = 0; phase <= phases; phase++)
            for (size_t k = 0; k < n_writes; k++)
                if (writes[k].phase == phase)
                    make_write(world, next, &writes[k]);
        free(writes);
    }
    free(at);
    free(base);
    free(gone);
}
