// SPDX-License-Identifier: MIT
#include "run/checkpoint_order.h"
#include "base/array.h"
#include "device/kernel_names.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A place that is not due next is looked for among those that follow; after so many that were in vain, no
 * more. */
enum { SEARCHES_MAX = 16 };

enum rd_hazard_kind rd_amiss_hazard(enum rd_amiss amiss)
{
    static const enum rd_hazard_kind kinds[] = {
        [RD_AMISS_ORDER] = RD_HAZARD_CHECKPOINT_ORDER,
        [RD_AMISS_DIVERGENCE] = RD_HAZARD_CHECKPOINT_DIVERGENCE,
        [RD_AMISS_WRITTEN] = RD_HAZARD_CHECKPOINT_RACE,
        [RD_AMISS_MISSING] = RD_HAZARD_CHECKPOINT_MISSING,
    };
    return kinds[amiss];
}

void rd_checkpoint_order_init(struct rd_checkpoint_order *order, const struct rd_program *program,
                              enum rd_type type, const struct rd_shape *shape,
                              const struct rd_blocks *blocks)
{
    *order = (struct rd_checkpoint_order){
        .program = program,
        .shape = *shape,
        .type = type,
        .blocks = *blocks,
    };
}

void rd_checkpoint_order_finish(struct rd_checkpoint_order *order)
{
    free(order->seen);
    *order = (struct rd_checkpoint_order){0};
}

static struct rd_passing passing(const struct rd_checkpoint_order *order, uint64_t block,
                                 unsigned warp)
{
    return (struct rd_passing){
        .shape = &order->shape,
        .type = order->type,
        .round = &order->round,
        .block = block,
        .warp = warp,
    };
}

size_t rd_checkpoint_order_most(const struct rd_checkpoint_order *order)
{
    size_t most = 0;
    for (unsigned warp = 0; warp < order->warps; warp++) {
        const struct rd_passing by = passing(order, 0, warp);
        size_t passes = rd_program_passes(order->program, &by, true);
        most = passes > most ? passes : most;
    }
    return most;
}

static struct rd_order_point find_point(const struct rd_checkpoint_order *order,
                                        enum rd_point point)
{
    const struct rd_point_invariant *invariant = rd_program_point(order->program, point);
    if (!invariant)
        return (struct rd_order_point){.invariant = NULL};
    return (struct rd_order_point){
        .invariant = invariant,
        .of_lanes = rd_program_point_is_of_lanes(order->program, point),
        .n_cells = rd_program_point_cells(order->program, &order->shape, point),
    };
}

void rd_checkpoint_order_begin(struct rd_checkpoint_order *order, const struct rd_round *round)
{
    unsigned threads = rd_round_threads(round);
    for (int point = 0; point < RD_POINT_COUNT && !order->has_round; point++)
        order->points[point] = find_point(order, (enum rd_point)point);
    order->round = *round;
    order->has_round = true;
    order->begun = order->has_last = order->has_gap = order->has_absent = false;
    order->n_seen = 0;
    order->warps =
        ((threads < RD_BLOCK_MAX ? threads : RD_BLOCK_MAX) + RD_WARP_LANES - 1) / RD_WARP_LANES;
    memset(order->amiss, 0, sizeof order->amiss);
    memset(order->was_amiss, 0, sizeof order->was_amiss);
}

/* The k-th checkpoint of the warp in the block that is under way. Whether it is the last one, it may yet
 * show. */
static bool place_of(const struct rd_checkpoint_order *order, unsigned warp, size_t k, bool last,
                     struct rd_place *place)
{
    const struct rd_passing by = passing(order, order->block, warp);
    return rd_program_pass(order->program, &by, last, k, place);
}

/* Returns it where it is the first of its kind, to be filled in; else NULL. */
static struct rd_amiss_place *note(struct rd_checkpoint_order *order, enum rd_amiss amiss,
                                   const struct rd_place *place)
{
    struct rd_amiss_place *noted = &order->amiss[amiss];
    if (order->was_amiss[amiss] || noted->count++ > 0)
        return NULL;
    noted->place = *place;
    return noted;
}

/* ---- what a block does not come to ---- */

/* The first of some places of one block. */
struct earliest {
    bool found;
    struct rd_place place;
};

static void take_earliest(struct earliest *earliest, const struct rd_place *place)
{
    bool before = place->number != earliest->place.number ? place->number < earliest->place.number
                                                          : place->warp < earliest->place.warp;
    if (!earliest->found || before)
        earliest->place = *place;
    earliest->found = true;
}

static void note_missing(struct rd_checkpoint_order *order, const struct earliest *missing)
{
    if (!missing->found || order->diverged || order->lacks)
        return;
    order->lacks = true;
    note(order, RD_AMISS_MISSING, &missing->place);
}

/* The block has come to its end. */
static void end_block(struct rd_checkpoint_order *order)
{
    struct earliest missing = {0};
    struct rd_place place;
    for (unsigned warp = 0; warp < order->warps && order->begun; warp++)
        if (place_of(order, warp, order->next[warp], order->is_last, &place))
            take_earliest(&missing, &place);
    note_missing(order, &missing);
    order->begun = false;
}

static bool begin_block(struct rd_checkpoint_order *order, uint64_t block)
{
    if (!rd_array_make_room(&order->seen, order->n_seen, &order->capacity, sizeof *order->seen))
        return false;
    order->seen[order->n_seen++] = block;
    order->begun = true;
    order->block = block;
    order->is_last = order->diverged = order->lacks = false;
    order->before = (struct rd_place){.number = 0};
    memset(order->next, 0, sizeof order->next);
    memset(order->told, 0, sizeof order->told);
    return true;
}

/* ---- what it comes to ---- */

/* Finds the place among the warp's checkpoints, from the due one on. */
static bool find(const struct rd_checkpoint_order *order, unsigned warp,
                 const struct rd_place *place, bool last, size_t *k)
{
    struct rd_place expected;
    for (*k = order->next[warp]; place_of(order, warp, *k, last, &expected); ++*k) {
        if (expected.point == place->point && expected.variable == place->variable &&
            expected.warp == place->warp)
            return true;
        if (order->amiss[RD_AMISS_ORDER].count >= SEARCHES_MAX)
            return false;
    }
    return false;
}

/* The part of the launch that comes to it: the place's warp, or all of them. */
struct warps {
    unsigned first, end;
};

static struct warps warps_of(const struct rd_checkpoint_order *order, const struct rd_place *place)
{
    if (place->warp == RD_WHOLE_BLOCK)
        return (struct warps){0, order->warps};
    return (struct warps){(unsigned)place->warp, (unsigned)place->warp + 1};
}

/* The warp came to its checkpoint of that number; to those before it, it came, too. */
static void count(struct rd_checkpoint_order *order, unsigned warp, const struct rd_place *place)
{
    if (place->number > order->told[warp] + 1 && !order->diverged && !order->has_gap) {
        order->has_gap = true;
        order->gap = *place;
    }
    if (place->number > order->told[warp])
        order->told[warp] = place->number;
}

/* Refuses a checkpoint that none of the block's warps is due to reach. */
static void refuse(struct rd_checkpoint_order *order, const struct rd_checkpoint *checkpoint)
{
    struct rd_amiss_place *place = note(order, RD_AMISS_ORDER, &checkpoint->place);
    struct warps warps = warps_of(order, &checkpoint->place);
    if (place)
        place->n_cells = checkpoint->n_cells;
    if (place && warps.first < order->warps)
        place->has_due =
            place_of(order, warps.first, order->next[warps.first], order->is_last, &place->due);
    for (unsigned warp = warps.first; warp < warps.end && warp < order->warps; warp++)
        count(order, warp, &checkpoint->place);
}

/* Goes on behind the place in the order of its warps, and tells whether it was there. */
static bool advance(struct rd_checkpoint_order *order, const struct rd_place *place, bool last)
{
    struct warps warps = warps_of(order, place);
    struct earliest missing = {0};
    size_t next[RD_BLOCK_MAX / RD_WARP_LANES] = {0};
    for (unsigned warp = warps.first; warp < warps.end; warp++) {
        struct rd_place skipped;
        if (!find(order, warp, place, last, &next[warp]) ||
            (place->number <= order->told[warp] && !order->diverged))
            return false;
        if (next[warp] > order->next[warp] &&
            place_of(order, warp, order->next[warp], last, &skipped))
            take_earliest(&missing, &skipped);
    }
    for (unsigned warp = warps.first; warp < warps.end; warp++) {
        order->next[warp] = next[warp] + 1;
        count(order, warp, place);
    }
    note_missing(order, &missing);
    return true;
}

static bool is_observed(const struct rd_checkpoint_order *order, uint64_t block)
{
    const struct rd_blocks *blocks = &order->blocks;
    uint64_t n = rd_round_blocks_in_all(&order->round);
    bool found = block < n && (blocks->all || (blocks->last && block == n - 1));
    for (unsigned k = 0; k < blocks->count && !found; k++)
        found = block < n && blocks->block[k] == block;
    return found;
}

/* Tells whether there can be such a place in the launch at all, with an array of that size. */
static bool is_known(const struct rd_checkpoint_order *order,
                     const struct rd_checkpoint *checkpoint)
{
    const struct rd_place *place = &checkpoint->place;
    const struct rd_order_point *point = &order->points[place->point];
    return point->invariant && point->of_lanes == (place->warp != RD_WHOLE_BLOCK) &&
           warps_of(order, place).end <= order->warps && is_observed(order, place->block) &&
           checkpoint->n_cells == point->n_cells;
}

/* Tells whether the block is the one that comes to what is of the last: the first that does is. */
static bool take_last(struct rd_checkpoint_order *order)
{
    if (order->is_last || order->has_last)
        return order->is_last;
    order->is_last = order->has_last = true;
    return true;
}

uint32_t rd_checkpoint_order_lanes(const struct rd_checkpoint_order *order,
                                   const struct rd_place *place)
{
    const struct rd_passing by = passing(order, place->block, (unsigned)place->warp);
    return order->points[place->point].invariant && place->warp != RD_WHOLE_BLOCK
               ? rd_program_point_lanes(order->program, place->point, &by)
               : 0;
}

/* Tells whether all came that should. */
static bool check_threads(struct rd_checkpoint_order *order, const struct rd_checkpoint *checkpoint)
{
    const struct rd_place *place = &checkpoint->place;
    unsigned due = rd_round_threads(&order->round);
    bool met = checkpoint->threads == due;
    if (place->warp != RD_WHOLE_BLOCK) {
        uint32_t lanes = rd_checkpoint_order_lanes(order, place);
        due = (unsigned)__builtin_popcount(lanes);
        met = checkpoint->present == lanes && checkpoint->threads == due;
    }
    met = met && !checkpoint->mixed;
    struct rd_amiss_place *noted = met ? NULL : note(order, RD_AMISS_DIVERGENCE, place);
    if (noted) {
        noted->mixed = checkpoint->mixed;
        noted->threads = checkpoint->threads;
        noted->threads_due = due;
    }
    order->diverged |= !met;
    return met;
}

/* Tells whether the place comes after the last: places are in the order of their numbers, and at one number in that of warps. */
static bool comes_after_last(const struct rd_checkpoint_order *order, const struct rd_place *place)
{
    const struct rd_place *before = &order->before;
    return order->diverged || place->number > before->number ||
           (place->number == before->number && place->warp > before->warp);
}

/* Takes the next checkpoint. False where it is not the one that is due, or not all threads have come to it; behind one to which not
 * all have come, no other is refused, as they count otherwise. */
static bool take_in_order(struct rd_checkpoint_order *order, const struct rd_checkpoint *checkpoint)
{
    const struct rd_place *place = &checkpoint->place;
    bool last = order->points[place->point].invariant->of_last_block;
    bool met = check_threads(order, checkpoint);
    bool due = comes_after_last(order, place) && (!last || take_last(order)) &&
               advance(order, place, order->is_last);
    if (!due && !order->diverged)
        refuse(order, checkpoint);
    if (met && due && checkpoint->written)
        note(order, RD_AMISS_WRITTEN, place);
    return met && due;
}

enum rd_status rd_checkpoint_order_take(struct rd_checkpoint_order *order,
                                        const struct rd_checkpoint *checkpoint, bool *sound,
                                        struct rd_error *error)
{
    const struct rd_place *place = &checkpoint->place;
    if (!order->begun || order->block != place->block) {
        end_block(order);
        if (!begin_block(order, place->block))
            return rd_fail(error, RD_ERROR_MEMORY, "no memory for the order of checkpoints");
    }
    bool known = is_known(order, checkpoint);
    if (!known)
        refuse(order, checkpoint);
    *sound = known && take_in_order(order, checkpoint);
    order->before = *place;
    return RD_OK;
}

/* ---- the end ---- */

static int by_number(const void *x, const void *y)
{
    uint64_t a = *(const uint64_t *)x, b = *(const uint64_t *)y;
    return (a > b) - (a < b);
}

/* Puts the blocks in order, each once. One that was told of twice is out of it. */
static void sort_blocks(struct rd_checkpoint_order *order)
{
    size_t n = 0;
    if (order->n_seen > 0)
        qsort(order->seen, order->n_seen, sizeof *order->seen, by_number);
    for (size_t k = 0; k < order->n_seen; k++) {
        uint64_t block = order->seen[k];
        if (n == 0 || order->seen[n - 1] != block)
            order->seen[n++] = block;
        else
            note(order, RD_AMISS_ORDER, &(struct rd_place){.block = block, .warp = RD_WHOLE_BLOCK});
    }
    order->n_seen = n;
}

/* A block to which no checkpoint is known, and which should have come to some. */
static bool note_absent(struct rd_checkpoint_order *order, uint64_t block)
{
    struct earliest missing = {0};
    struct rd_place place;
    for (unsigned warp = 0; warp < order->warps; warp++) {
        const struct rd_passing by = passing(order, block, warp);
        if (rd_program_pass(order->program, &by, false, 0, &place))
            take_earliest(&missing, &place);
    }
    if (missing.found)
        note(order, RD_AMISS_MISSING, &missing.place);
    order->has_absent |= missing.found;
    return missing.found;
}

static bool has_seen(const struct rd_checkpoint_order *order, uint64_t block)
{
    return order->n_seen > 0 &&
           bsearch(&block, order->seen, order->n_seen, sizeof block, by_number) != NULL;
}

/* The first absent block stands for all that are: a grid may be large. */
static void look_for_all(struct rd_checkpoint_order *order, uint64_t n)
{
    uint64_t block = 0;
    while (block < order->n_seen && order->seen[block] == block)
        block++;
    if (order->n_seen < n && note_absent(order, block) && !order->was_amiss[RD_AMISS_MISSING])
        order->amiss[RD_AMISS_MISSING].count += n - order->n_seen - 1;
}

static void look_for_blocks(struct rd_checkpoint_order *order)
{
    const struct rd_blocks *blocks = &order->blocks;
    uint64_t n = rd_round_blocks_in_all(&order->round);
    if (blocks->all) {
        look_for_all(order, n);
        return;
    }
    bool last_is_named = false;
    for (unsigned k = 0; k < blocks->count; k++) {
        last_is_named |= blocks->block[k] == n - 1;
        if (blocks->block[k] < n && !has_seen(order, blocks->block[k]))
            note_absent(order, blocks->block[k]);
    }
    if (blocks->last && !last_is_named && !has_seen(order, n - 1))
        note_absent(order, n - 1);
}

/* Checks that one block is the last, if all were observed. */
static void look_for_last(struct rd_checkpoint_order *order)
{
    const struct rd_passing by = passing(order, 0, 0);
    struct rd_place place;
    if (order->blocks.all && !order->has_last &&
        rd_program_pass(order->program, &by, true, rd_program_passes(order->program, &by, false),
                        &place))
        note(order, RD_AMISS_MISSING, &place);
}

void rd_checkpoint_order_end(struct rd_checkpoint_order *order)
{
    if (!order->has_round)
        return;
    end_block(order);
    sort_blocks(order);
    look_for_blocks(order);
    look_for_last(order);
    order->has_round = false;
}

void rd_checkpoint_order_again(struct rd_checkpoint_order *order)
{
    rd_checkpoint_order_end(order);
    for (int amiss = 0; amiss < RD_AMISS_COUNT; amiss++)
        order->was_amiss[amiss] = order->amiss[amiss].count > 0;
    order->begun = order->has_last = order->has_absent = order->has_gap = false;
    order->n_seen = 0;
    order->has_round = true;
}

/* ---- in words ---- */

struct text {
    char *at;
    size_t size, length;
};

__attribute__((format(printf, 2, 3))) static void append(struct text *text, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text->at + text->length, text->size - text->length, format, arguments);
    va_end(arguments);
    if (length > 0)
        text->length += (size_t)length;
    if (text->length >= text->size)
        text->length = text->size - 1;
}

/* "block 0, warp 1", or "block 0". */
static void append_who(struct text *text, const struct rd_place *place)
{
    append(text, "block %" PRIu64, place->block);
    if (place->warp != RD_WHOLE_BLOCK)
        append(text, ", warp %d,", place->warp);
}

/* "'sequential' with w = 4". */
static void append_point(struct text *text, const struct rd_checkpoint_order *order,
                         const struct rd_place *place)
{
    const struct rd_point_invariant *point = rd_program_point(order->program, place->point);
    append(text, "'%s' with %s = %" PRIu64, rd_point_name(place->point),
           point ? point->variable : "its variable", place->variable);
}

static void append_order(struct text *text, const struct rd_checkpoint_order *order,
                         const struct rd_amiss_place *place)
{
    const struct rd_point_invariant *point = rd_program_point(order->program, place->place.point);
    if (place->place.number == 0) {
        append(text, "block %" PRIu64 " comes twice", place->place.block);
        return;
    }
    if (point && place->n_cells != order->points[place->place.point].n_cells) {
        append_who(text, &place->place);
        append(text, " comes to ");
        append_point(text, order, &place->place);
        append(text, " with an array of %zu cells, and '%s' has %zu. Nothing was asserted there",
               place->n_cells, point->array, order->points[place->place.point].n_cells);
        return;
    }
    append_who(text, &place->place);
    append(text, " comes to ");
    append_point(text, order, &place->place);
    append(text, " as its checkpoint %u, where ", place->place.number);
    if (place->has_due)
        append_point(text, order, &place->due);
    append(text, place->has_due ? " is due" : "no more are due");
    if (place->count > 1)
        append(text, "; %" PRIu64 " checkpoints are not due where they are", place->count);
    append(text, ". What holds there is not said, and was not asserted");
}

static void append_divergence(struct text *text, const struct rd_checkpoint_order *order,
                              const struct rd_amiss_place *place)
{
    append_who(text, &place->place);
    append(text, " comes to ");
    append_point(text, order, &place->place);
    append(text, " as its checkpoint %u with ", place->place.number);
    if (place->mixed)
        append(text, "other values of it, too");
    else
        append(text, "%u of its threads, and %u should", place->threads, place->threads_due);
    if (place->count > 1)
        append(text, "; so at %" PRIu64 " checkpoints", place->count);
    append(text,
           ". Those that should come must, with one value of the variable, and no others: put "
           "it outside of any branch. Nothing was asserted there");
}

static void append_written(struct text *text, const struct rd_checkpoint_order *order,
                           const struct rd_amiss_place *place)
{
    append_who(text, &place->place);
    append(text, " comes to ");
    append_point(text, order, &place->place);
    append(text, " while its threads still write to the array, with no barrier between");
    if (place->count > 1)
        append(text, "; so at %" PRIu64 " checkpoints", place->count);
    append(text, ": what was asserted there is what the first of them found. Put __syncthreads() "
                 "before it");
}

static void append_missing(struct text *text, const struct rd_checkpoint_order *order,
                           const struct rd_amiss_place *place)
{
    const struct rd_point_invariant *point = rd_program_point(order->program, place->place.point);
    if (point && point->of_last_block) {
        append(text, "no block comes to ");
        append_point(text, order, &place->place);
    } else {
        append_who(text, &place->place);
        append(text, " does not come to ");
        append_point(text, order, &place->place);
        append(text, ", which is due as its checkpoint %u", place->place.number);
    }
    if (place->count > 1)
        append(text, "; %" PRIu64 " blocks lack some", place->count);
    append(text, ". Nothing was asserted there");
}

void rd_checkpoint_order_text(const struct rd_checkpoint_order *order, enum rd_amiss amiss,
                              char *text, size_t size)
{
    static void (*const append_amiss[])(struct text *, const struct rd_checkpoint_order *,
                                        const struct rd_amiss_place *) = {
        [RD_AMISS_ORDER] = append_order,
        [RD_AMISS_DIVERGENCE] = append_divergence,
        [RD_AMISS_WRITTEN] = append_written,
        [RD_AMISS_MISSING] = append_missing,
    };
    struct text line = {.at = text, .size = size};
    text[0] = '\0';
    append_amiss[amiss](&line, order, &order->amiss[amiss]);
}
