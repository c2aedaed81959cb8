// SPDX-License-Identifier: MIT
#include "history/accesses.h"

#include <stdlib.h>

#define NOBODY SIZE_MAX

/* So many reads are tried in all combinations, and so many with all signs, if there is no simpler way;
 * and so many accesses of the thread are looked back at. */
enum { COMBINED_MAX = 12, SIGNED_MAX = 6, LOOKED_AT_MAX = 1 << 16 };

/* Some of what a thread did before it left a value: in the order by threads, from `first` to `end`
 * whatever it read or took, but for those that `without` has a bit of, counted from the last; and what
 * it had left at `kept`. */
struct way {
    size_t first, end, kept;
    unsigned without, minus; /* `minus` likewise: what was subtracted */
    unsigned inputs; /* if it is not 0, a bit for each input that what was read may depend on */
};

/* The value that is asked for. */
struct value {
    const struct rd_deriving *deriving;
    size_t at;               /* its place in the order by threads */
    size_t launch;           /* where its launch begins there */
    size_t window;           /* behind what the thread left last before */
    struct rd_weight weight; /* of what was added, where it is an atomic's */
};

static const struct rd_access *access_at(const struct rd_deriving *deriving, size_t at)
{
    return &deriving->list->accesses[deriving->order[at]];
}

static struct rd_weight weight_at(const struct rd_deriving *deriving, size_t at)
{
    return deriving->weights[deriving->order[at]];
}

static struct rd_weight add(const struct rd_deriving *deriving, struct rd_weight x,
                            struct rd_weight y)
{
    return (struct rd_weight){
        {(x.of[0] + y.of[0]) & deriving->mask, (x.of[1] + y.of[1]) & deriving->mask}};
}

static struct rd_weight subtract(const struct rd_deriving *deriving, struct rd_weight x,
                                 struct rd_weight y)
{
    return (struct rd_weight){
        {(x.of[0] - y.of[0]) & deriving->mask, (x.of[1] - y.of[1]) & deriving->mask}};
}

static bool same(struct rd_weight x, struct rd_weight y)
{
    return x.of[0] == y.of[0] && x.of[1] == y.of[1];
}

/* ---- where to look ---- */

/* Returns the first place in the order that is of the same launch as this one. */
static size_t launch_of(const struct rd_deriving *deriving, size_t at)
{
    const size_t *end = deriving->ends;
    while (end && end[1] <= at)
        end++;
    return end ? *end : 0;
}

/* Tells whether there is an access of the thread before that place of the order, in its launch. */
static bool has_access_before(const struct value *value, size_t at)
{
    if (at == value->launch)
        return false;
    const struct rd_access *own = access_at(value->deriving, value->at);
    const struct rd_access *before = access_at(value->deriving, at - 1);
    return before->thread == own->thread && before->block == own->block;
}

static void look_back(struct value *value)
{
    value->launch = launch_of(value->deriving, value->at);
    value->window = value->at;
    while (has_access_before(value, value->window) &&
           !rd_access_leaves(access_at(value->deriving, value->window - 1)->op))
        value->window--;
}

/* Tells whether a register may keep what was left there: an atomic leaves it in memory alone. */
static bool may_stay(const struct value *value, size_t at)
{
    enum rd_access_op op = access_at(value->deriving, at)->op;
    return rd_access_leaves(op) && op != RD_ACCESS_ATOMIC;
}

/* Finds the last write of the thread, if a register may have kept its value; NOBODY. */
static size_t last_left(const struct value *value)
{
    bool stays = has_access_before(value, value->window) && may_stay(value, value->window - 1);
    return stays ? value->window - 1 : NOBODY;
}

/* ---- ways ---- */

/* Tells whether a mask has the access, in whose way nothing lies behind `end`. */
static bool has(unsigned mask, size_t at, size_t end)
{
    size_t behind = end - 1 - at;
    return behind < COMBINED_MAX && (mask >> behind & 1);
}

/* The inputs that it depends on, a bit for each. */
static unsigned inputs_of(struct rd_weight weight)
{
    return (weight.of[0] != 0) | (unsigned)(weight.of[1] != 0) << 1;
}

/* Tells whether the way adds, or subtracts, what the access at that place has read. */
static bool takes_part(const struct value *value, const struct way *way, size_t at)
{
    if (has(way->without, at, way->end) || rd_access_leaves(access_at(value->deriving, at)->op))
        return false;
    return !way->inputs || (inputs_of(weight_at(value->deriving, at)) & ~way->inputs) == 0;
}

/* Tells whether the way gives the value that was written. */
static bool makes_value(const struct value *value, const struct way *way)
{
    const struct rd_deriving *deriving = value->deriving;
    struct rd_weight sum = {{0, 0}};
    for (size_t k = way->first; k < way->end; k++)
        if (takes_part(value, way, k) && has(way->minus, k, way->end))
            sum = subtract(deriving, sum, weight_at(deriving, k));
        else if (takes_part(value, way, k))
            sum = add(deriving, sum, weight_at(deriving, k));
    if (way->kept != NOBODY)
        sum = add(value->deriving, sum, weight_at(value->deriving, way->kept));
    return same(sum, value->weight);
}

/* Guesses how a value was made. A value that a thread hands to others, or shows, stays in its register, unless it has
 * read another one for the next write; a value written to memory is mostly done with. */
static struct way likely_way(const struct value *value)
{
    const struct rd_deriving *deriving = value->deriving;
    size_t left = last_left(value);
    bool stays = left != NOBODY && rd_access_is_of_lane(access_at(deriving, left)->op);
    for (size_t k = value->window; k < value->at; k++)
        stays &= access_at(deriving, k)->op != RD_ACCESS_READ ||
                 rd_access_is_of_lane(access_at(deriving, value->at)->op);
    return (struct way){value->window, value->at, stays ? left : NOBODY, 0, 0, 0};
}

/* Tells whether nothing was read since but the lane's own register, which it has been handed back. */
static bool reads_own_register_only(const struct value *value)
{
    for (size_t k = value->window; k < value->at; k++) {
        const struct rd_access *access = access_at(value->deriving, k);
        if (access->op != RD_ACCESS_TAKE || access->index != access->thread % RD_WARP_LANES)
            return false;
    }
    return true;
}

/* The ways that take all that was read since the thread left something, or none of it. */
static bool find_simple(const struct value *value, struct way *way)
{
    const size_t left = last_left(value), at = value->at, window = value->window;
    const struct way all = {window, at, NOBODY, 0, 0, 0}, kept = {at, at, left, 0, 0, 0};
    const bool own = reads_own_register_only(value);
    const struct way ways[] = {
        likely_way(value),           own ? kept : all,          own ? all : kept,
        {window, at, left, 0, 0, 0}, {at, at, NOBODY, 0, 0, 0},
    };
    for (size_t k = 0; k < sizeof ways / sizeof *ways; k++)
        if (makes_value(value, &ways[k])) {
            *way = ways[k];
            return true;
        }
    return false;
}

/* Tries all that was read since the last write together with each earlier write that a register may have kept. */
static bool find_kept(const struct value *value, struct way *way)
{
    for (size_t k = value->window; has_access_before(value, k) && value->at - k < LOOKED_AT_MAX;
         k--) {
        *way = (struct way){value->window, value->at, k - 1, 0, 0, 0};
        if (may_stay(value, k - 1) && makes_value(value, way))
            return true;
    }
    return false;
}

/* The last things that were read, from anywhere on, and what was left anywhere. */
static bool find_longer(const struct value *value, struct way *way)
{
    const struct rd_deriving *deriving = value->deriving;
    struct rd_weight sum = {{0, 0}};
    for (size_t k = value->at; has_access_before(value, k) && value->at - k < LOOKED_AT_MAX;) {
        bool left = rd_access_leaves(access_at(deriving, --k)->op);
        struct rd_weight more = add(deriving, sum, weight_at(deriving, k));
        if (!left)
            sum = more;
        if ((left && !may_stay(value, k)) || !same(more, value->weight))
            continue;
        *way = (struct way){k + left, value->at, left ? k : NOBODY, 0, 0, 0};
        return true;
    }
    return false;
}

/* Some of what was read: what a lane takes, it may have no use for. */
static bool find_combined(const struct value *value, struct way *way)
{
    size_t count = value->at - value->window;
    for (unsigned without = 1; count <= COMBINED_MAX && without < 1u << count; without++)
        for (int keeps = 1; keeps >= 0; keeps--) {
            *way = (struct way){value->window, value->at, keeps ? last_left(value) : NOBODY,
                                without,       0,         0};
            if (makes_value(value, way))
                return true;
        }
    return false;
}

static bool find_signed(const struct value *value, struct way *way)
{
    size_t count = value->at - value->window;
    for (unsigned minus = 1; count <= SIGNED_MAX && minus < 1u << count; minus++) {
        *way = (struct way){value->window, value->at, NOBODY, 0, minus, 0};
        if (makes_value(value, way))
            return true;
    }
    return false;
}

static bool find_way(const struct value *value, struct way *way)
{
    return find_simple(value, way) || find_kept(value, way) || find_longer(value, way) ||
           find_combined(value, way) || find_signed(value, way);
}

/* ---- what is no sum ---- */

/* Tells whether what was read there depends on some of these inputs, or may, as it was not there. */
static bool depends(const struct value *value, size_t at, unsigned inputs)
{
    const struct rd_access *access = access_at(value->deriving, at);
    return !rd_access_leaves(access->op) &&
           (access->outside || (inputs_of(weight_at(value->deriving, at)) & inputs) != 0);
}

/* Products and the like: of what was read since something was left last, or else before that, whatever
 * depends on the same inputs. */
static struct way way_of_inputs(const struct value *value)
{
    struct way way = likely_way(value);
    bool any = way.kept != NOBODY;
    way.inputs = inputs_of(value->weight);
    for (size_t k = way.first; k < way.end; k++)
        any |= depends(value, k, way.inputs);
    while (!any && has_access_before(value, way.first))
        any = depends(value, --way.first, way.inputs);
    while (any && has_access_before(value, way.first) &&
           !rd_access_leaves(access_at(value->deriving, way.first - 1)->op))
        way.first--;
    return way;
}

/* ---- the whole ---- */

bool rd_derivation_add(struct rd_derivation *derivation, uint32_t access)
{
    if (derivation->count == derivation->room) {
        size_t room = 2 * derivation->room + 16;
        uint32_t *grown = realloc(derivation->sources, room * sizeof *grown);
        if (!grown)
            return false;
        derivation->sources = grown;
        derivation->room = room;
    }
    derivation->sources[derivation->count++] = access;
    return true;
}

void rd_derivation_finish(struct rd_derivation *derivation)
{
    free(derivation->sources);
    *derivation = (struct rd_derivation){.sources = NULL};
}

/* An atomic adds to what it found, or puts something else there. */
static bool find(struct value *value, uint32_t access, struct rd_derivation *derivation,
                 struct way *way)
{
    const struct rd_deriving *deriving = value->deriving;
    value->weight = deriving->weights[access];
    derivation->found = deriving->list->accesses[access].op == RD_ACCESS_ATOMIC;
    if (!derivation->found)
        return find_way(value, way);
    struct rd_weight left = value->weight;
    uint32_t seen = deriving->seen[access];
    if (seen != RD_NO_ACCESS)
        value->weight = subtract(deriving, left, deriving->weights[seen]);
    if (find_way(value, way))
        return true;
    value->weight = left;
    derivation->found = !find_way(value, way);
    return !derivation->found;
}

bool rd_derive(const struct rd_deriving *deriving, uint32_t access,
               struct rd_derivation *derivation)
{
    struct value value = {.deriving = deriving, .at = deriving->position[access]};
    struct way way;
    look_back(&value);
    derivation->count = 0;
    derivation->minus = 0;
    derivation->found = deriving->list->accesses[access].op == RD_ACCESS_ATOMIC;
    derivation->state = RD_DERIVED_UNKNOWN;
    if (deriving->weights)
        derivation->state = find(&value, access, derivation, &way) ? RD_DERIVED : RD_DERIVED_NOT;
    if (derivation->state != RD_DERIVED)
        way = deriving->weights ? way_of_inputs(&value) : likely_way(&value);
    if (way.kept != NOBODY && !rd_derivation_add(derivation, deriving->order[way.kept]))
        return false;
    for (size_t k = way.first; k < way.end; k++) {
        if (takes_part(&value, &way, k) && has(way.minus, k, way.end))
            derivation->minus |= 1u << derivation->count;
        if (takes_part(&value, &way, k) && !rd_derivation_add(derivation, deriving->order[k]))
            return false;
    }
    return true;
}
