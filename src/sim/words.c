// SPDX-License-Identifier: MIT
/* The findings' sentences. */
#include "sim/found.h"
#include "sim/lessons.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Whoever adds an index to a null pointer gets somewhere below. */
enum { NULL_BYTES = 1 << 16 };

struct text {
    char *at;
    size_t left;
    const struct rd_sim_extent *extent;
};

static void __attribute__((format(printf, 2, 3))) say(struct text *text, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int n = vsnprintf(text->at, text->left, format, arguments);
    va_end(arguments);
    size_t said = n < 0 ? 0 : (size_t)n < text->left ? (size_t)n : text->left - 1;
    text->at += said;
    text->left -= said;
}

static void say_place(struct text *text, uint64_t linear, struct rd_sim_dim dim)
{
    if (dim.y == 1 && dim.z == 1)
        say(text, "%" PRIu64, linear);
    else
        say(text, "(%u,%u,%u)", (unsigned)(linear % dim.x), (unsigned)(linear / dim.x % dim.y),
            (unsigned)(linear / dim.x / dim.y));
}

static void say_thread(struct text *text, const struct rd_sim_actor *actor)
{
    if (actor->thread_known) {
        say(text, "thread ");
        say_place(text, actor->thread, text->extent->block);
    } else {
        say(text, "a thread");
    }
    if (actor->block_known) {
        say(text, " of block ");
        say_place(text, actor->block, text->extent->grid);
    } else {
        say(text, " of another block");
    }
}

struct rd_sim_line rd_sim_site_line(const struct rd_sim_site *site)
{
    struct rd_sim_line line = {.line = 0};
    if (site->pc) {
        rd_sim_source_line(site->pc, &line);
    } else if (site->file) {
        const char *file = site->file;
        while (strncmp(file, "../", 3) == 0 || strncmp(file, "./", 2) == 0)
            file = strchr(file, '/') + 1;
        snprintf(line.file, sizeof line.file, "%s", file);
        line.line = site->line;
    }
    return line;
}

static void say_site(struct text *text, const struct rd_sim_site *site)
{
    struct rd_sim_line line = rd_sim_site_line(site);
    if (!line.file[0])
        return;
    say(text, " at %s:%u", line.file, line.line);
    if (line.column)
        say(text, ":%u", line.column);
}

bool rd_sim_found_index(const struct rd_sim_found *f, int64_t *index)
{
    int64_t elem = (int64_t)(f->array.elem_bytes ? f->array.elem_bytes : f->event.size_bytes);
    if (!f->array_known || f->event.frees || elem == 0 || f->offset_bytes % elem != 0)
        return false;
    *index = f->offset_bytes / elem;
    return true;
}

void rd_sim_found_name(const struct rd_sim_found *f, char name[RD_SIM_NAME_SIZE])
{
    struct text text = {name, RD_SIM_NAME_SIZE, NULL};
    name[0] = '\0';
    if (f->array_known && f->array.origin) {
        struct rd_sim_line line = rd_sim_site_line(&(struct rd_sim_site){.pc = f->array.origin});
        say(&text, line.file[0] ? "the allocation at %s:%u" : "an allocation", line.file,
            line.line);
    } else if (f->array_known) {
        say(&text, "%s", f->array.name);
    }
}

/* As it stands in the source: "[2][3]" of a tile. */
static void say_index(struct text *text, const struct rd_sim_array *array, int64_t index)
{
    int64_t inner = 1;
    for (unsigned k = 0; k < array->n_inner; k++)
        inner *= array->inner[k] ? array->inner[k] : 1;
    for (unsigned k = 0;; k++) {
        int64_t here = index / inner - (index % inner < 0); /* rounded down: it may be negative */
        say(text, "[%" PRId64 "]", here);
        if (k == array->n_inner)
            break;
        index -= here * inner;
        inner /= array->inner[k] ? array->inner[k] : 1;
    }
}

static void say_cell(struct text *text, const struct rd_sim_found *f)
{
    const struct rd_sim_event *event = &f->event;
    char name[RD_SIM_NAME_SIZE] = "an unnamed array";
    int64_t index;
    if (!f->array_known || (f->array.space == RD_SPACE_NONE && !f->array.name[0])) {
        say(text, event->address < NULL_BYTES ? "a null pointer" : "an address");
        return;
    }
    if (f->array.name[0] || f->array.origin)
        rd_sim_found_name(f, name);
    int64_t elem = f->array.elem_bytes;
    bool whole = rd_sim_found_index(f, &index);
    if (whole && f->array.origin) {
        say(text, "element %" PRId64 " of %s", index, name);
    } else if (whole) {
        say(text, "%s", name);
        say_index(text, &f->array, index);
    } else if (event->frees && f->offset_bytes == 0) {
        say(text, "%s", name);
    } else if (elem > 0 && f->offset_bytes >= 0 && !f->array.origin) {
        say(text, "byte %" PRId64 " of %s", f->offset_bytes % elem, name);
        say_index(text, &f->array, f->offset_bytes / elem);
    } else {
        say(text, "byte %" PRId64 " of %s", f->offset_bytes, name);
    }
    bool says_so = f->array.dynamic && strstr(name, "shared");
    if (f->array.space == RD_SPACE_SHARED && !says_so)
        say(text, " (shared)");
    else if (f->array.origin)
        say(text, ",");
}

/* Whether these are the bits of memory that nobody has written. */
static bool is_fresh(uint64_t bits, size_t size_bytes)
{
    for (size_t k = 0; k < size_bytes && k < sizeof bits; k++)
        if ((bits >> (8 * k) & 0xff) != RD_SIM_POISON)
            return false;
    return size_bytes > 1;
}

void rd_sim_found_value(const struct rd_sim_found *f, uint64_t bits, char text[RD_SIM_VALUE_SIZE])
{
    const char *type = f->array.type;
    size_t size_bytes = f->event.size_bytes;
    if (is_fresh(bits, size_bytes)) {
        snprintf(text, RD_SIM_VALUE_SIZE, "0x%" PRIx64, bits);
    } else if (size_bytes == 4 && strcmp(type, "f32") == 0) {
        float value;
        uint32_t low = (uint32_t)bits;
        memcpy(&value, &low, sizeof value);
        snprintf(text, RD_SIM_VALUE_SIZE, "%.9g", (double)value);
    } else if (size_bytes == 8 && strcmp(type, "f64") == 0) {
        double value;
        memcpy(&value, &bits, sizeof value);
        snprintf(text, RD_SIM_VALUE_SIZE, "%.17g", value);
    } else if (type[0] == 'i' && size_bytes >= 1 && size_bytes <= 8) {
        unsigned shift = 64 - 8 * (unsigned)size_bytes;
        snprintf(text, RD_SIM_VALUE_SIZE, "%" PRId64, (int64_t)(bits << shift) >> shift);
    } else if (type[0] == 'u') {
        snprintf(text, RD_SIM_VALUE_SIZE, "%" PRIu64, bits);
    } else {
        snprintf(text, RD_SIM_VALUE_SIZE, "0x%" PRIx64, bits);
    }
}

static void say_value(struct text *text, const struct rd_sim_found *f, uint64_t bits)
{
    char value[RD_SIM_VALUE_SIZE];
    rd_sim_found_value(f, bits, value);
    say(text, "%s", value);
}

static const char *verb(const struct rd_sim_event *event)
{
    static const char *const verbs[] = {
        [RD_SIM_READ] = "reads", [RD_SIM_WRITE] = "writes", [RD_SIM_ATOMIC] = "updates"};
    return event->frees ? "frees" : verbs[event->actor.op];
}

static const char *past_verb(enum rd_sim_op op)
{
    static const char *const verbs[] = {[RD_SIM_READ] = "had read",
                                        [RD_SIM_WRITE] = "had written",
                                        [RD_SIM_ATOMIC] = "had updated"};
    return verbs[op];
}

/* Behind what is accessed. */
static const char *adverb(enum rd_sim_op op)
{
    return op == RD_SIM_ATOMIC ? " atomically" : "";
}

/* "writes a[5]", and "reads 4 bytes at a[5]" where its elements are smaller. */
static void say_what(struct text *text, const struct rd_sim_found *f)
{
    const struct rd_sim_event *event = &f->event;
    say(text, " %s ", verb(event));
    if (f->array_known && f->array.elem_bytes && event->size_bytes > f->array.elem_bytes &&
        !event->frees && event->class != RD_SIM_MISALIGNED)
        say(text, "%zu bytes at ", event->size_bytes);
    say_cell(text, f);
    if (!event->frees)
        say(text, "%s", adverb(event->actor.op));
}

static void say_race(struct text *text, const struct rd_sim_found *f)
{
    const struct rd_sim_event *event = &f->event;
    say(text, "%s, %s: ", rd_sim_race_kind(event), rd_sim_race_scope(event));
    say_thread(text, &event->actor);
    say_what(text, f);
    say_site(text, &event->actor.site);
    say(text, "; ");
    say_thread(text, &event->other);
    say(text, " %s it%s", past_verb(event->other.op), adverb(event->other.op));
    say_site(text, &event->other.site);
    if (event->bits_known) {
        say(text, ", when it held ");
        say_value(text, f, event->before);
        if (is_fresh(event->before, event->size_bytes))
            say(text, ", as fresh memory does");
        if (event->actor.op == RD_SIM_WRITE && !event->same_value) {
            say(text, " (now ");
            say_value(text, f, event->after);
            say(text, ")");
        }
    }
    if (rd_sim_race_scope(event)[0] != 'g')
        say(text, "; no barrier between, in interval %u", event->interval);
}

/* Addresses differ from run to run: only those that the caller made up are told. */
static void say_given(struct text *text, const struct rd_sim_found *f)
{
    const struct rd_sim_array *array = &f->array;
    if (array->size_bytes > 0)
        say(text, ", and %s is a host pointer, which a kernel can't follow", array->name);
    else if (array->name[0] && array->base == 0)
        say(text, ", and %s is a null pointer", array->name);
    else if (array->base != 0)
        say(text, ", and %s is 0x%" PRIxPTR ", which is no device memory",
            array->name[0] ? array->name : "that", array->base);
}

/* Why an access is out of bounds. */
static void say_bounds(struct text *text, const struct rd_sim_found *f)
{
    const struct rd_sim_array *array = &f->array;
    size_t elem = array->elem_bytes ? array->elem_bytes : 1;
    if (f->array_known && array->freed && array->origin) {
        say(text, ", which ");
        say_thread(text, &array->freer);
        say(text, " has freed");
        say_site(text, &array->freer.site);
    } else if (f->array_known && array->freed) {
        say(text, ", which has been freed");
    } else if (f->event.frees) {
        say(text, f->array_known && array->origin ? ", and not its first"
                                                  : ", which no malloc or new in a kernel gave");
    } else if (f->array_known && array->space == RD_SPACE_NONE) {
        say_given(text, f);
    } else if (f->array_known && array->dynamic && array->elem_bytes) {
        say(text, ", and the launch gives it %zu bytes, %zu elements", array->size_bytes,
            array->size_bytes / elem);
    } else if (f->array_known) {
        say(text, ", and it has %zu %s", array->size_bytes / elem,
            array->elem_bytes ? "elements" : "bytes");
    } else if (!f->event.index_known && rd_sim_found_is_shared(f)) {
        say(text, ", which is behind the launch's shared memory");
    } else if (!f->event.index_known && f->event.address >= NULL_BYTES) {
        say(text, ", which is no device memory");
    }
}

static void say_access(struct text *text, const struct rd_sim_found *f)
{
    const struct rd_sim_event *event = &f->event;
    say_thread(text, &event->actor);
    if (event->index_known) {
        say(text, " takes index %" PRId64 " of an array of %zu elements", event->index,
            event->n_elems);
    } else if (event->text) {
        say(text, " %s", event->text);
    } else {
        say_what(text, f);
    }
    say_site(text, &event->actor.site);
    if (event->class == RD_SIM_OUT_OF_BOUNDS && !event->text)
        say_bounds(text, f);
    else if (event->class == RD_SIM_MISALIGNED)
        say(text, " with %zu bytes at once, at an address that is no multiple of that",
            event->size_bytes);
}

static void say_leak(struct text *text, const struct rd_sim_event *event)
{
    say(text, "%zu bytes that ", event->size_bytes);
    say_thread(text, &event->actor);
    say(text, " has allocated");
    say_site(text, &event->actor.site);
    say(text, " are not freed when the launch ends");
    if (event->kept)
        say(text, ", though global memory holds a pointer to them");
}

static void say_meeting(struct text *text, const struct rd_sim_found *f)
{
    const struct rd_sim_event *event = &f->event;
    say_thread(text, &event->actor);
    switch (event->class) {
    case RD_SIM_BARRIER_DIVERGENCE:
        say(text, " waits at the barrier");
        break;
    case RD_SIM_BARRIER_SKIPPED:
        say(text, " waits at the barrier");
        say_site(text, &event->actor.site);
        say(text, ", and ");
        say_thread(text, &event->other);
        say(text, " has exited without it");
        return;
    case RD_SIM_INACTIVE_LANE:
        say(text, " takes the value of a lane that takes no part in the shuffle, that of ");
        say_thread(text, &event->other);
        say_site(text, &event->actor.site);
        return;
    case RD_SIM_MASK_MISMATCH:
        if (!event->has_other) {
            say(text, " calls a warp function with a mask that leaves itself out");
            say_site(text, &event->actor.site);
            return;
        }
        say(text, " calls a warp function");
        say_site(text, &event->actor.site);
        say(text, " with a mask that names ");
        say_thread(text, &event->other);
        say(text, ", which is elsewhere");
        return;
    default:
        break;
    }
    say_site(text, &event->actor.site);
    say(text, ", and ");
    say_thread(text, &event->other);
    say(text, " at another");
    say_site(text, &event->other.site);
}

void rd_sim_found_message(const struct rd_sim_found *f, const struct rd_sim_sum *sum,
                          const struct rd_sim_extent *extent, char message[RD_SIM_MESSAGE_SIZE])
{
    const struct rd_sim_event *event = &f->event;
    struct text sentence = {message, RD_SIM_MESSAGE_SIZE, extent}, *text = &sentence;
    switch (event->class) {
    case RD_SIM_RACE:
        say_race(text, f);
        break;
    case RD_SIM_OUT_OF_BOUNDS:
    case RD_SIM_MISALIGNED:
    case RD_SIM_UNINITIALISED:
        say_access(text, f);
        break;
    case RD_SIM_BARRIER_DIVERGENCE:
    case RD_SIM_BARRIER_SKIPPED:
    case RD_SIM_INACTIVE_LANE:
    case RD_SIM_MASK_MISMATCH:
        say_meeting(text, f);
        break;
    case RD_SIM_NO_TERMINATION:
        say_thread(text, &event->actor);
        say(text, " does not come to an end");
        say_site(text, &event->actor.site);
        break;
    case RD_SIM_ASSERT_FAILED:
        say(text, "the assertion '%s'", event->text);
        say_site(text, &event->actor.site);
        say(text, " failed in ");
        say_thread(text, &event->actor);
        break;
    case RD_SIM_LEAK:
        say_leak(text, event);
        break;
    case RD_SIM_OVER_BUDGET:
        say_access(text, f);
        say(text, ": %s number %" PRIu64 " of the thread, and %" PRIu64 " are allowed",
            event->actor.op == RD_SIM_READ ? "global read" : "global write", event->made,
            event->allowed);
        break;
    case RD_SIM_ILLEGAL_LAUNCH:
        say(text, "%s", event->text);
        say_site(text, &event->actor.site);
        break;
    }
    if (sum->lines[0])
        say(text, "; out of step from then on, also at line%s %s",
            strchr(sum->lines, ' ') ? "s" : "", sum->lines);
    if (sum->count > 1)
        say(text, "; %" PRIu64 " times", sum->count);
    if (sum->count > 1 && event->class == RD_SIM_LEAK)
        say(text, ", %" PRIu64 " bytes in all", sum->bytes);
    say(text, ". %s", rd_sim_found_lesson(f));
}
