// SPDX-License-Identifier: MIT
#include "device/sim/object.h"
#include "device/sim/source/source.h"

#include <string.h>

enum { FRAMES_MAX = 64, CALLS_MAX = 96, CACHE = 64 };

/* The return addresses of a path, the innermost first. */
struct addresses {
    unsigned n;
    uintptr_t pcs[FRAMES_MAX];
};

/* Other functions' frames, which a sanitizer would not have touched. */
__attribute__((no_sanitize("address"))) struct rd_sim_way
rd_sim_way_of(const struct rd_sim_path *path)
{
    enum { OF_RUNNER = 2 }; /* the outermost */
    struct rd_sim_way way = {0, {0}};
    const struct rd_sim_frame *frame = path->frame;
    unsigned n = 0;
    for (;; frame = frame->caller) {
        if (n < RD_SIM_WAY_MAX)
            way.pcs[n] = frame->pc;
        n++;
        if (n > RD_SIM_WAY_MAX + OF_RUNNER ||
            !rd_sim_frame_is_within(frame->caller, frame, path->end))
            break;
    }
    if (n >= 2 && n <= RD_SIM_WAY_MAX + OF_RUNNER && !frame->caller)
        way.n = n < 2 + OF_RUNNER ? 2 : n - OF_RUNNER;
    return way;
}

__attribute__((no_sanitize("address"))) static void take(struct addresses *addresses,
                                                         const struct rd_sim_path *path)
{
    const struct rd_sim_frame *frame = path->frame;
    addresses->n = 0;
    for (;;) {
        addresses->pcs[addresses->n++] = frame->pc;
        if (addresses->n == FRAMES_MAX || !rd_sim_frame_is_within(frame->caller, frame, path->end))
            return;
        frame = frame->caller;
    }
}

static bool same_addresses(const struct addresses *one, const struct addresses *other)
{
    return one->n == other->n && memcmp(one->pcs, other->pcs, one->n * sizeof one->pcs[0]) == 0;
}

/* ---- in the source ---- */

/* The calls of a path, one after the other, the outermost first, with those that the compiler has inlined. */
struct walk {
    const struct addresses *addresses;
    unsigned left; /* frames that are yet to come */
    struct rd_sim_line calls[RD_SIM_CALLS_MAX];
    unsigned n, next;
    struct rd_sim_site site; /* of the call given last */
};

/* NULL behind the last, and where no more is known. */
static const struct rd_sim_line *next_call(struct walk *walk)
{
    if (walk->next == walk->n) {
        if (walk->left == 0)
            return NULL;
        walk->site.pc = walk->addresses->pcs[--walk->left];
        walk->n = rd_sim_source_calls(walk->site.pc, walk->calls);
        walk->next = 0;
        if (walk->n == 0)
            return NULL;
    }
    walk->site.call = walk->next + 1;
    return &walk->calls[walk->next++];
}

static bool same_call(const struct rd_sim_line *one, const struct rd_sim_line *other)
{
    return one->line == other->line && one->column == other->column &&
           strcmp(one->file, other->file) == 0;
}

/* Frames that both have outermost are passed over: nothing differs in them. */
static unsigned common(const struct addresses *one, const struct addresses *other)
{
    unsigned n = 0;
    while (n < one->n && n < other->n && one->pcs[one->n - 1 - n] == other->pcs[other->n - 1 - n])
        n++;
    return n;
}

static bool part(const struct addresses *one, const struct addresses *other,
                 struct rd_sim_site sites[2])
{
    unsigned same = common(one, other);
    struct walk x = {.addresses = one, .left = one->n - same};
    struct walk y = {.addresses = other, .left = other->n - same};
    for (unsigned k = 0; k < CALLS_MAX; k++) {
        const struct rd_sim_line *a = next_call(&x), *b = next_call(&y);
        if (!a || !b)
            return false;
        if (!same_call(a, b)) {
            sites[0] = x.site;
            sites[1] = y.site;
            return true;
        }
    }
    return false;
}

bool rd_sim_paths_part(const struct rd_sim_path *one, const struct rd_sim_path *other,
                       struct rd_sim_site *call_of_one, struct rd_sim_site *call_of_other)
{
    struct addresses x, y;
    struct rd_sim_site sites[2];
    take(&x, one);
    take(&y, other);
    if (!part(&x, &y, sites))
        return false;
    *call_of_one = sites[0];
    *call_of_other = sites[1];
    return true;
}

/* ---- what is known ---- */

/* Debug information takes long to read, and threads come to their barriers again and again. */
struct rd_sim_paths_state {
    struct verdict {
        struct addresses one, other;
        bool differ;
    } verdicts[CACHE];
};

static unsigned slot_of(const struct addresses *one, const struct addresses *other)
{
    uint64_t hash = one->n * 31 + other->n;
    for (unsigned k = 0; k < one->n; k++)
        hash = (hash ^ one->pcs[k]) * 0x9e3779b97f4a7c15u;
    for (unsigned k = 0; k < other->n; k++)
        hash = (hash ^ other->pcs[k]) * 0xc2b2ae3d27d4eb4fu;
    return (unsigned)(hash >> 40) % CACHE;
}

__attribute__((no_sanitize("address"))) static bool are_same(const struct rd_sim_path *one,
                                                             const struct rd_sim_path *other)
{
    const struct rd_sim_frame *x = one->frame, *y = other->frame;
    while (x->pc == y->pc) {
        bool x_goes_on = rd_sim_frame_is_within(x->caller, x, one->end);
        bool y_goes_on = rd_sim_frame_is_within(y->caller, y, other->end);
        if (!x_goes_on || !y_goes_on)
            return x_goes_on == y_goes_on;
        x = x->caller;
        y = y->caller;
    }
    return false;
}

bool rd_sim_paths_differ(const struct rd_sim_path *one, const struct rd_sim_path *other)
{
    struct addresses x, y;
    struct rd_sim_site sites[2];
    if (are_same(one, other))
        return false;
    take(&x, one);
    take(&y, other);
    struct verdict *known = &rd_sim_here->paths->verdicts[slot_of(&x, &y)];
    if (!same_addresses(&known->one, &x) || !same_addresses(&known->other, &y))
        *known = (struct verdict){.one = x, .other = y, .differ = part(&x, &y, sites)};
    return known->differ;
}

const struct rd_sim_part rd_sim_part_paths = {
    .size_bytes = sizeof(struct rd_sim_paths_state),
    .at = offsetof(struct rd_sim, paths),
};
