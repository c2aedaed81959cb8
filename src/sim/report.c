// SPDX-License-Identifier: MIT
#include "sim/report.h"
#include "sim/lessons.h"
#include "sim/memory.h"
#include "sim/source.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MESSAGE_SIZE = 1024, EVENTS_MAX = 4096 };

/* What makes two events the same finding. */
struct key {
    enum rd_sim_event_class class;
    uintptr_t pc, other_pc, array;
    unsigned line, other_line, kind;
};

static struct found {
    struct key key;
    struct rd_sim_event event; /* the first */
    uint64_t count;
    bool inside;
    struct rd_sim_array array; /* that it is about, where array_known */
    bool array_known;
    uintptr_t offset_bytes; /* of the access, in the array */
} * found;
static size_t n_found, found_capacity;

static struct rd_finding *findings;
static char (*messages)[MESSAGE_SIZE];
static struct rd_sim_dim grid_dim, block_dim;

void rd_sim_report_begin(struct rd_sim_dim grid, struct rd_sim_dim block)
{
    grid_dim = grid;
    block_dim = block;
    n_found = 0;
}

static const char *race_kind(const struct rd_sim_event *event)
{
    if (event->actor.op == RD_SIM_WRITE && event->other.op == RD_SIM_WRITE)
        return event->bits_known && event->same_value ? "same-value" : "write-write";
    if (event->actor.op != RD_SIM_READ && event->other.op != RD_SIM_READ)
        return "write-write";
    return "read-write";
}

static const char *race_scope(const struct rd_sim_event *event)
{
    if (!event->other.block_known || event->other.block != event->actor.block)
        return "grid";
    return event->other.thread_known &&
                   event->other.thread / RD_SIM_WARP == event->actor.thread / RD_SIM_WARP
               ? "warp"
               : "block";
}

static unsigned kind_number(const struct rd_sim_event *event)
{
    if (event->class != RD_SIM_RACE)
        return 0;
    /* First letters tell them apart: r, w, s and w, b, g. */
    return (unsigned)(race_kind(event)[0] << 8 | race_scope(event)[0]);
}

static bool same_key(const struct key *x, const struct key *y)
{
    return x->class == y->class && x->array == y->array && x->line == y->line &&
           x->kind == y->kind &&
           ((x->pc == y->pc && x->other_pc == y->other_pc && x->other_line == y->other_line) ||
            (x->class == RD_SIM_RACE && x->pc == y->other_pc && x->other_pc == y->pc));
}

void rd_sim_report_event(const struct rd_sim_event *event)
{
    bool inside = false;
    const struct rd_sim_array *array =
        event->address ? rd_sim_array_at(event->address, &inside) : NULL;
    struct key key = {
        .class = event->class,
        .pc = event->actor.site.pc,
        .other_pc = event->has_other ? event->other.site.pc : 0,
        .array = array ? array->base : 0,
        .line = event->actor.site.line,
        .other_line = event->has_other ? event->other.site.line : 0,
        .kind = kind_number(event),
    };
    for (size_t k = 0; k < n_found; k++)
        if (same_key(&found[k].key, &key)) {
            found[k].count++;
            return;
        }
    if (n_found == found_capacity) {
        size_t capacity = found_capacity ? 2 * found_capacity : 64;
        struct found *grown =
            capacity <= EVENTS_MAX ? realloc(found, capacity * sizeof *grown) : NULL;
        if (!grown)
            return; /* there are thousands already */
        found = grown;
        found_capacity = capacity;
    }
    found[n_found] = (struct found){.key = key, .event = *event, .count = 1, .inside = inside};
    if (array) {
        found[n_found].array = *array;
        found[n_found].array_known = true;
        found[n_found].offset_bytes = event->address - array->base;
    }
    n_found++;
}

/* ---- words ---- */

struct text {
    char *at;
    size_t left;
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
        say_place(text, actor->thread, block_dim);
    } else {
        say(text, "a thread");
    }
    if (actor->block_known) {
        say(text, " of block ");
        say_place(text, actor->block, grid_dim);
    } else {
        say(text, " of another block");
    }
}

static struct rd_sim_line line_of(const struct rd_sim_site *site)
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
    struct rd_sim_line line = line_of(site);
    if (!line.file[0])
        return;
    say(text, " at %s:%u", line.file, line.line);
    if (line.column)
        say(text, ":%u", line.column);
}

static const char *space_of(const struct found *f)
{
    if (!f->array_known)
        return "";
    return f->array.space == RD_SPACE_SHARED ? "shared" : "global";
}

static void say_cell(struct text *text, const struct found *f)
{
    const struct rd_sim_event *event = &f->event;
    if (!f->array_known) {
        say(text, "the address 0x%" PRIxPTR, event->address);
        return;
    }
    const char *name = f->array.name[0] ? f->array.name : "an unnamed array";
    size_t elem = f->array.elem_bytes ? f->array.elem_bytes : event->size_bytes;
    if (elem && f->offset_bytes % elem == 0)
        say(text, "%s[%zu]", name, f->offset_bytes / elem);
    else
        say(text, "byte %zu of %s", (size_t)f->offset_bytes, name);
    if (f->array.space == RD_SPACE_SHARED)
        say(text, " (shared)");
}

static void say_value(struct text *text, const struct found *f, uint64_t bits)
{
    const char *type = f->array.type;
    if (f->event.size_bytes == 4 && strcmp(type, "f32") == 0) {
        float value;
        uint32_t low = (uint32_t)bits;
        memcpy(&value, &low, sizeof value);
        say(text, "%.9g", (double)value);
    } else if (f->event.size_bytes == 8 && strcmp(type, "f64") == 0) {
        double value;
        memcpy(&value, &bits, sizeof value);
        say(text, "%.17g", value);
    } else if (f->event.size_bytes == 4 && type[0] == 'i') {
        say(text, "%" PRId32, (int32_t)bits);
    } else if (type[0] == 'u' || type[0] == 'i') {
        say(text, "%" PRIu64, bits);
    } else {
        say(text, "0x%" PRIx64, bits);
    }
}

static const char *verb(enum rd_sim_op op, bool past)
{
    switch (op) {
    case RD_SIM_READ:
        return past ? "had read" : "reads";
    case RD_SIM_WRITE:
        return past ? "had written" : "writes";
    case RD_SIM_ATOMIC:
        break;
    }
    return past ? "had updated atomically" : "updates atomically";
}

static void say_race(struct text *text, const struct found *f)
{
    const struct rd_sim_event *event = &f->event;
    say(text, "%s, %s: ", race_kind(event), race_scope(event));
    say_thread(text, &event->actor);
    say(text, " %s ", verb(event->actor.op, false));
    say_cell(text, f);
    say_site(text, &event->actor.site);
    say(text, "; ");
    say_thread(text, &event->other);
    say(text, " %s it", verb(event->other.op, true));
    say_site(text, &event->other.site);
    if (event->bits_known && f->array.type[0]) {
        say(text, ", when it held ");
        say_value(text, f, event->before);
        if (event->actor.op == RD_SIM_WRITE && !event->same_value) {
            say(text, " (now ");
            say_value(text, f, event->after);
            say(text, ")");
        }
    }
    if (race_scope(event)[0] != 'g')
        say(text, "; no barrier between, in interval %u", event->interval);
}

static void say_access(struct text *text, const struct found *f)
{
    const struct rd_sim_event *event = &f->event;
    say_thread(text, &event->actor);
    if (event->index_known) {
        say(text, " takes index %" PRId64 " of an array of %zu elements", event->index,
            event->n_elems);
    } else {
        say(text, " %s ", verb(event->actor.op, false));
        say_cell(text, f);
    }
    say_site(text, &event->actor.site);
    if (event->class == RD_SIM_OUT_OF_BOUNDS && f->array_known && f->array.freed)
        say(text, ", which has been freed");
    else if (event->class == RD_SIM_OUT_OF_BOUNDS && f->array_known)
        say(text, ", and it has %zu %s",
            f->array.size_bytes / (f->array.elem_bytes ? f->array.elem_bytes : 1),
            f->array.elem_bytes ? "elements" : "bytes");
    else if (event->class == RD_SIM_OUT_OF_BOUNDS && !event->index_known)
        say(text, ", which is no device memory");
    else if (event->class == RD_SIM_MISALIGNED)
        say(text, " with %zu bytes at once, at an address that is no multiple of that",
            event->size_bytes);
}

static void say_meeting(struct text *text, const struct found *f)
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

static void say_found(struct text *text, const struct found *f)
{
    const struct rd_sim_event *event = &f->event;
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
        break;
    case RD_SIM_ASSERT_FAILED:
        say(text, "the assertion '%s'", event->text);
        say_site(text, &event->actor.site);
        say(text, " failed in ");
        say_thread(text, &event->actor);
        break;
    }
    if (f->count > 1)
        say(text, "; %" PRIu64 " times", f->count);
    say(text, ". %s", rd_sim_lesson(event->class));
}

static void set_place(struct rd_finding_place *place, const struct rd_sim_actor *actor)
{
    static char files[2 * EVENTS_MAX][sizeof(struct rd_sim_line){0}.file];
    static size_t next;
    struct rd_sim_line line = line_of(&actor->site);
    char *file = files[next++ % (2 * EVENTS_MAX)];
    memcpy(file, line.file, sizeof line.file);
    *place = (struct rd_finding_place){
        .file = file[0] ? file : NULL,
        .line = line.line,
        .column = line.column,
        .thread = actor->thread,
        .block = actor->block,
    };
}

/* Two code addresses of one line are one place: the compiler may have copied the loop. */
static bool same_words(const struct rd_finding *x, const struct rd_finding *y)
{
    return x->name == y->name && x->kind == y->kind && x->scope == y->scope &&
           x->places[0].line == y->places[0].line && x->places[1].line == y->places[1].line &&
           x->places[0].column == y->places[0].column &&
           x->places[1].column == y->places[1].column &&
           !strcmp(x->places[0].file ? x->places[0].file : "",
                   y->places[0].file ? y->places[0].file : "");
}

/* The compiler's bounds check knows the index, the access behind it the array's name: where both
 * have spoken of a line, the access is told. */
static bool is_told_better(const struct found *f)
{
    if (!f->event.index_known)
        return false;
    struct rd_sim_line line = line_of(&f->event.actor.site);
    for (size_t k = 0; k < n_found; k++) {
        if (found[k].event.class != RD_SIM_OUT_OF_BOUNDS || found[k].event.index_known ||
            !found[k].array_known)
            continue;
        struct rd_sim_line other = line_of(&found[k].event.actor.site);
        if (other.line == line.line && strcmp(other.file, line.file) == 0)
            return true;
    }
    return false;
}

const struct rd_finding *rd_sim_report_findings(size_t *count)
{
    size_t n = 0;
    *count = 0;
    free(findings);
    free(messages);
    findings = calloc(n_found ? n_found : 1, sizeof *findings);
    messages = calloc(n_found ? n_found : 1, sizeof *messages);
    if (!findings || !messages)
        return NULL;
    for (size_t k = 0; k < n_found; k++) {
        const struct rd_sim_event *event = &found[k].event;
        bool race = event->class == RD_SIM_RACE;
        if (is_told_better(&found[k]))
            continue;
        struct rd_finding *finding = &findings[n];
        *finding = (struct rd_finding){
            .name = rd_sim_hazard_name(event->class),
            .kind = race ? race_kind(event) : space_of(&found[k]),
            .scope = race ? race_scope(event) : "",
            .count = found[k].count,
            .message = messages[n],
            .n_places = event->has_other ? 2 : 1,
        };
        set_place(&finding->places[0], &event->actor);
        if (event->has_other)
            set_place(&finding->places[1], &event->other);
        size_t twin = 0;
        while (twin < n && (!same_words(&findings[twin], finding) || found[k].array_known))
            twin++;
        if (twin < n) {
            findings[twin].count += finding->count;
            continue;
        }
        struct text text = {messages[n++], MESSAGE_SIZE};
        say_found(&text, &found[k]);
    }
    *count = n;
    return findings;
}
