// SPDX-License-Identifier: MIT
#include "history/delta.h"

#include <stdlib.h>
#include <string.h>

/* ---- layouts ---- */

size_t rd_layout_index(const struct rd_layout *layout, size_t k)
{
    if (k >= layout->n_head)
        k += layout->count - layout->n_tail - layout->n_head;
    return k * layout->stride;
}

bool rd_layout_find(const struct rd_layout *layout, size_t index, size_t *k)
{
    size_t position = index / layout->stride;
    if (index % layout->stride != 0 || position >= layout->count)
        return false;
    if (layout->lanes && (position >= 32 || !(layout->present >> position & 1)))
        return false;
    if (position < layout->n_head)
        *k = position;
    else if (position >= layout->count - layout->n_tail)
        *k = position - (layout->count - layout->n_tail) + layout->n_head;
    else
        return false;
    return true;
}

/* ---- deltas ---- */

/* Seven bits a byte, the lowest first; the highest bit says that more follow. */
enum { NUMBER_BYTES_MAX = 10, SEVEN_BITS = 0x7f, MORE = 0x80 };

struct output {
    struct rd_delta delta;
    size_t capacity;
    bool failed;
};

static unsigned char *reserve(struct output *out, size_t size)
{
    if (out->delta.size + size > out->capacity) {
        size_t capacity = 2 * out->capacity + size;
        unsigned char *bytes = realloc(out->delta.bytes, capacity);
        if (!bytes) {
            out->failed = true;
            return NULL;
        }
        out->delta.bytes = bytes;
        out->capacity = capacity;
    }
    return out->delta.bytes + out->delta.size;
}

static void put_number(struct output *out, size_t number)
{
    unsigned char *at = reserve(out, NUMBER_BYTES_MAX);
    if (!at)
        return;
    for (; number > SEVEN_BITS; number >>= 7)
        *at++ = (unsigned char)(number & SEVEN_BITS) | MORE;
    *at++ = (unsigned char)number;
    out->delta.size = (size_t)(at - out->delta.bytes);
}

static size_t get_number(const unsigned char **at)
{
    size_t number = 0;
    unsigned shift = 0;
    for (; **at & MORE; shift += 7)
        number |= (size_t)(*(*at)++ & SEVEN_BITS) << shift;
    return number | (size_t) * (*at)++ << shift;
}

/* What to compare: the state's cells, each with its place in the array. */
struct input {
    const struct rd_layout *layout;
    size_t elem_bytes, count;
    const char *cells;
    const char *array;
    bool full;
};

static bool differs(const struct input *in, size_t k)
{
    size_t size = in->elem_bytes;
    const char *cell = in->cells + k * size;
    const char *old = in->array + rd_layout_index(in->layout, k) * size;
    if (in->full)
        return true;
    return size == 4 ? memcmp(cell, old, 4) != 0 : memcmp(cell, old, size) != 0;
}

/* A run of cells that differ, behind `gap` that do not; returns the cell behind it. */
static size_t put_run(struct output *out, const struct input *in, size_t first, size_t gap)
{
    size_t end = first + 1;
    while (end < in->count && differs(in, end))
        end++;
    put_number(out, gap);
    put_number(out, end - first);
    size_t size = (end - first) * in->elem_bytes;
    unsigned char *at = reserve(out, size);
    if (at)
        memcpy(at, in->cells + first * in->elem_bytes, size);
    out->delta.size += at ? size : 0;
    return end;
}

enum rd_status rd_delta_init(struct rd_delta *delta, const struct rd_layout *layout,
                             size_t elem_bytes, const void *cells, void *array, bool full,
                             struct rd_error *error)
{
    struct output out = {.delta.full = full};
    const struct input in = {layout, elem_bytes, layout->n_head + layout->n_tail,
                             cells,  array,      full};
    size_t behind = 0;
    for (size_t k = 0; k < in.count && !out.failed;) {
        if (differs(&in, k)) {
            k = put_run(&out, &in, k, k - behind);
            behind = k;
        } else {
            k++;
        }
    }
    if (out.failed) {
        free(out.delta.bytes);
        return rd_fail(error, RD_ERROR_MEMORY, "no memory to keep a state of %zu cells",
                       layout->count);
    }
    unsigned char *fitting = realloc(out.delta.bytes, out.delta.size + 1);
    if (fitting)
        out.delta.bytes = fitting;
    rd_delta_apply(&out.delta, layout, elem_bytes, array);
    *delta = out.delta;
    return RD_OK;
}

/* How many of the cells from the k-th on, `left` at most, lie beside each other in the array. */
static size_t side_by_side(const struct rd_layout *layout, size_t k, size_t left)
{
    size_t room = k < layout->n_head ? layout->n_head - k : left;
    return layout->stride != 1 ? 1 : left < room ? left : room;
}

void rd_delta_apply(const struct rd_delta *delta, const struct rd_layout *layout, size_t elem_bytes,
                    void *array)
{
    const unsigned char *at = delta->bytes, *end = at + delta->size;
    for (size_t k = 0; at < end;) {
        k += get_number(&at);
        for (size_t left = get_number(&at), row; left > 0; left -= row, k += row) {
            row = side_by_side(layout, k, left);
            memcpy((char *)array + rd_layout_index(layout, k) * elem_bytes, at, row * elem_bytes);
            at += row * elem_bytes;
        }
    }
}

void rd_delta_finish(struct rd_delta *delta)
{
    free(delta->bytes);
    *delta = (struct rd_delta){0};
}
