// SPDX-License-Identifier: MIT
/* Compares what a launch leaves under two schedules, array by array. */
#include "device/sim/memory/memory.h"
#include "device/sim/runtime/runtime_internal.h"
#include "device/sim/runtime/schedules.h"
#include "reductio/numeric.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { GRANULE = 4, SORTED_MAX = 1 << 22 };

/* ---- arrays, in their order ---- */

static struct {
    int file;
    bool failed;
    uint64_t size_bytes;
} out;

static void add_size(const struct rd_sim_array *array)
{
    out.size_bytes += array->size_bytes;
}

uint64_t rd_sim_arrays_bytes(void)
{
    out.size_bytes = 0;
    rd_sim_memory_visit(add_size);
    return out.size_bytes;
}

static void write_array(const struct rd_sim_array *array)
{
    const char *bytes = (const char *)array->base;
    size_t left = array->size_bytes;
    while (left > 0 && !out.failed) {
        const ssize_t n = write(out.file, bytes, left);
        out.failed = n <= 0;
        bytes += n;
        left -= (size_t)n;
    }
}

bool rd_sim_arrays_write(int file)
{
    out.file = file;
    out.failed = false;
    rd_sim_memory_visit(write_array);
    return !out.failed && rd_sim_heap_write(file);
}

/* ---- elements ---- */

/* An array under two schedules. */
struct pair {
    const struct rd_sim_array *array;
    const unsigned char *one, *other;
    const unsigned char *mask;        /* of an element: 0 where it has padding; NULL: it has none */
    const struct rd_numeric *numeric; /* NULL: they are no numbers, or of an unknown type */
    size_t elem_bytes, n_elems;
    size_t *differ, n_differ, capacity; /* elements */
};

static bool agree_but_for_padding(const unsigned char *mask, const unsigned char *one,
                                  const unsigned char *other, size_t size_bytes)
{
    for (size_t k = 0; k < size_bytes; k++)
        if (mask[k] && one[k] != other[k])
            return false;
    return true;
}

/* Memory that kernels allocate lies elsewhere in another order. */
static bool agree_but_for_heap(const unsigned char *one, const unsigned char *other,
                               size_t size_bytes)
{
    uintptr_t x, y;
    if (size_bytes % sizeof x != 0)
        return false;
    for (size_t at = 0; at < size_bytes; at += sizeof x) {
        memcpy(&x, one + at, sizeof x);
        memcpy(&y, other + at, sizeof y);
        if (x != y && !(rd_sim_heap_has(x) && rd_sim_heap_has(y)))
            return false;
    }
    return true;
}

static bool is_same(const struct pair *pair, size_t k)
{
    const size_t size = pair->elem_bytes;
    const unsigned char *one = pair->one + k * size, *other = pair->other + k * size;
    return memcmp(one, other, size) == 0 ||
           (pair->mask && agree_but_for_padding(pair->mask, one, other, size)) ||
           agree_but_for_heap(one, other, size);
}

/* Lists the elements that differ; false without memory. */
static bool find(struct pair *pair)
{
    for (size_t k = 0; k < pair->n_elems; k++) {
        if (is_same(pair, k))
            continue;
        if (pair->n_differ == pair->capacity) {
            const size_t capacity = pair->capacity ? 2 * pair->capacity : 64;
            size_t *grown = realloc(pair->differ, capacity * sizeof *grown);
            if (!grown)
                return false;
            pair->differ = grown;
            pair->capacity = capacity;
        }
        pair->differ[pair->n_differ++] = k;
    }
    return true;
}

/* ---- kinds of differences ---- */

static size_t sorted_bytes; /* of an element that is being sorted */

static int compare_bytes(const void *x, const void *y)
{
    return memcmp(x, y, sorted_bytes);
}

/* The elements that differ, sorted; NULL without memory. */
static unsigned char *sort(const struct pair *pair, const unsigned char *cells)
{
    const size_t size = pair->elem_bytes;
    unsigned char *made = malloc(pair->n_differ * size);
    for (size_t k = 0; made && k < pair->n_differ; k++)
        memcpy(made + k * size, cells + pair->differ[k] * size, size);
    sorted_bytes = size;
    if (made)
        qsort(made, pair->n_differ, size, compare_bytes);
    return made;
}

static bool is_reordered(const struct pair *pair)
{
    if (pair->n_differ < 2 || pair->n_differ > SORTED_MAX)
        return false;
    unsigned char *one = sort(pair, pair->one), *other = sort(pair, pair->other);
    const bool same = one && other && memcmp(one, other, pair->n_differ * pair->elem_bytes) == 0;
    free(one);
    free(other);
    return same;
}

/* Tells whether each two agree in half of their digits: rounding in another order changes the last ones. */
static bool is_rounded(const struct pair *pair)
{
    const struct rd_numeric *numeric = pair->numeric;
    if (!numeric || !numeric->is_float)
        return false;
    for (size_t k = 0; k < pair->n_differ; k++) {
        const double one = numeric->to_double(numeric->load(pair->one, pair->differ[k])),
                     other = numeric->to_double(numeric->load(pair->other, pair->differ[k]));
        const double most = fmax(fabs(one), fabs(other));
        if (!(fabs(one - other) <= ldexp(most, -(int)(numeric->digits / 2))))
            return false;
    }
    return true;
}

static enum rd_file_difference_kind kind_of(const struct pair *pair)
{
    return is_reordered(pair) ? RD_FILE_REORDERED
           : is_rounded(pair) ? RD_FILE_ROUNDED
                              : RD_FILE_DIFFERS;
}

/* ---- telling ---- */

enum { TEXT_SIZE = RD_VALUE_TEXT_SIZE > 64 ? RD_VALUE_TEXT_SIZE : 64 };

static void write_value(const struct pair *pair, const unsigned char *cells, size_t k,
                        char text[TEXT_SIZE])
{
    const unsigned char *at = cells + k * pair->elem_bytes;
    int n = 0;
    if (pair->numeric) {
        pair->numeric->format(text, pair->numeric->load(cells, k));
        return;
    }
    n += snprintf(text, TEXT_SIZE, "0x");
    for (size_t byte = pair->elem_bytes < 16 ? pair->elem_bytes : 16; byte-- > 0;)
        n += snprintf(text + n, TEXT_SIZE - (size_t)n, "%02x", at[byte]);
    if (pair->elem_bytes > 16)
        snprintf(text + n, TEXT_SIZE - (size_t)n, "...");
}

static struct {
    const struct rd_sim_launch *launch;
    const struct rd_schedule *schedule, *other_schedule;
    const unsigned char *other; /* of the next array */
} comparing;

static void name_of(const struct rd_sim_array *array, char *name, size_t size)
{
    const struct rd_sim_allocation *allocation = rd_sim_allocation_at((const void *)array->base);
    if (array->name[0])
        snprintf(name, size, "%s", array->name);
    else if (allocation)
        rd_sim_allocation_name(allocation, name, size);
    else
        snprintf(name, size, "an array");
}

static void tell(const struct pair *pair)
{
    const struct rd_file_program *program = rd_sim_runtime_program();
    char name[200], cell[256], value[TEXT_SIZE], other[TEXT_SIZE];
    char schedule[RD_SCHEDULE_NAME_SIZE], other_schedule[RD_SCHEDULE_NAME_SIZE];
    const size_t first = pair->differ[0];
    name_of(pair->array, name, sizeof name);
    if (pair->array->is_single)
        snprintf(cell, sizeof cell, "%s", name);
    else if (pair->array->name[0])
        snprintf(cell, sizeof cell, "%s[%zu]", name, first);
    else
        snprintf(cell, sizeof cell, "element %zu of %s", first, name);
    write_value(pair, pair->one, first, value);
    write_value(pair, pair->other, first, other);
    rd_schedule_name(comparing.schedule, schedule);
    rd_schedule_name(comparing.other_schedule, other_schedule);
    const struct rd_file_difference difference = {
        .kind = kind_of(pair),
        .array = name,
        .cell = cell,
        .type = pair->numeric ? pair->numeric->name : "",
        .value = value,
        .other_value = other,
        .schedule = schedule,
        .other_schedule = other_schedule,
        .index = first,
        .count = pair->n_differ,
        .n_elems = pair->n_elems,
    };
    program->on_difference(program->how.self, &difference);
}

/* The mask of an array's elements, where the kernel knows them as structs with padding. */
static const unsigned char *mask_of(const struct rd_sim_array *array)
{
    const struct rd_sim_launch *launch = comparing.launch;
    for (unsigned k = 0; k < launch->n_pointers; k++)
        if ((uintptr_t)launch->pointers[k] == array->base && launch->parameters &&
            launch->parameters[k].pointee_size == array->elem_bytes)
            return launch->parameters[k].bytes;
    return NULL;
}

static void compare_array(const struct rd_sim_array *array)
{
    const unsigned char *other = comparing.other;
    comparing.other += array->size_bytes;
    if (memcmp((const void *)array->base, other, array->size_bytes) == 0)
        return;
    struct pair pair = {.array = array, .one = (const unsigned char *)array->base, .other = other};
    const struct rd_numeric *numeric = rd_numeric_named(array->type);
    pair.elem_bytes = array->elem_bytes && array->size_bytes % array->elem_bytes == 0
                          ? array->elem_bytes
                      : array->size_bytes % GRANULE == 0 ? GRANULE
                                                         : 1;
    if (numeric && numeric->size_bytes == pair.elem_bytes)
        pair.numeric = numeric;
    pair.mask = mask_of(array);
    pair.n_elems = array->size_bytes / pair.elem_bytes;
    if (!find(&pair))
        rd_sim_runtime_lacks("what a launch leaves under other schedules: there is no memory for "
                             "it");
    else if (pair.n_differ > 0)
        tell(&pair);
    free(pair.differ);
}

bool rd_sim_arrays_compare(int file, const struct rd_sim_launch *launch,
                           const struct rd_schedule *schedule, const struct rd_schedule *other)
{
    const uint64_t arrays = rd_sim_arrays_bytes();
    const off_t end = lseek(file, 0, SEEK_END);
    const size_t size = end > 0 ? (size_t)end : 0;
    if (size < arrays || size == 0)
        return false;
    void *bytes = mmap(NULL, size, PROT_READ, MAP_SHARED, file, 0);
    if (bytes == MAP_FAILED)
        return false;
    comparing.launch = launch;
    comparing.schedule = schedule;
    comparing.other_schedule = other;
    comparing.other = bytes;
    rd_sim_memory_visit(compare_array);
    const bool fits =
        rd_sim_heap_compare((const unsigned char *)bytes + arrays, size - arrays, schedule, other);
    munmap(bytes, size);
    return fits;
}
