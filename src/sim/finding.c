// SPDX-License-Identifier: MIT
#include "sim/finding.h"
#include "sim/lessons.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What one finding is of, and the text that it points to. */
struct texts {
    const struct rd_sim_found *found;
    char message[RD_SIM_MESSAGE_SIZE];
    char files[2][sizeof(struct rd_sim_line){0}.file];
    char array[RD_SIM_NAME_SIZE], type[sizeof(struct rd_sim_array){0}.type];
    char before[RD_SIM_VALUE_SIZE], after[RD_SIM_VALUE_SIZE];
};

static struct rd_finding *findings;
static struct texts *texts;

static struct rd_index3 index3(uint64_t linear, struct rd_sim_dim dim)
{
    return (struct rd_index3){(unsigned)(linear % dim.x), (unsigned)(linear / dim.x % dim.y),
                              (unsigned)(linear / dim.x / dim.y)};
}

static bool is_access(enum rd_sim_event_class class)
{
    return class == RD_SIM_RACE || class == RD_SIM_OUT_OF_BOUNDS || class == RD_SIM_MISALIGNED ||
           class == RD_SIM_UNINITIALISED;
}

static void set_place(struct rd_finding_place *place, const struct rd_sim_found *found,
                      const struct rd_sim_actor *actor, const struct rd_sim_extent *extent,
                      char *file)
{
    static const char *const ops[] = {
        [RD_SIM_READ] = "read", [RD_SIM_WRITE] = "write", [RD_SIM_ATOMIC] = "atomic"};
    bool first = actor == &found->event.actor, race = found->event.class == RD_SIM_RACE;
    bool frees = first ? found->event.frees : !race;
    struct rd_sim_line line = rd_sim_site_line(&actor->site);
    memcpy(file, line.file, sizeof line.file);
    *place = (struct rd_finding_place){
        .file = file[0] ? file : NULL,
        .line = line.line,
        .column = line.column,
        .op = !is_access(found->event.class) || found->event.index_known ? ""
              : frees                                                    ? "free"
                                                                         : ops[actor->op],
        .thread_known = actor->thread_known,
        .block_known = actor->block_known,
    };
    if (actor->thread_known) {
        place->thread = actor->thread;
        place->thread_index = index3(actor->thread, extent->block);
    }
    if (actor->block_known) {
        place->block = actor->block;
        place->block_index = index3(actor->block, extent->grid);
    }
}

static void set_cell(struct rd_finding *finding, const struct rd_sim_found *found,
                     struct texts *text)
{
    const struct rd_sim_event *event = &found->event;
    const struct rd_sim_array *array = &found->array;
    finding->array = text->array;
    finding->type = text->type;
    finding->before = text->before;
    finding->after = text->after;
    if (event->index_known) { /* the compiler's own check, which knows no name */
        finding->index_known = true;
        finding->index = event->index;
        finding->n_elems = event->n_elems;
    }
    if (!found->array_known)
        return;
    rd_sim_found_name(found, text->array);
    snprintf(text->type, sizeof text->type, "%s", array->type);
    if (!finding->index_known)
        finding->index_known = rd_sim_found_index(found, &finding->index);
    if (array->elem_bytes)
        finding->n_elems = array->size_bytes / array->elem_bytes;
    if (event->bits_known) {
        rd_sim_found_value(found, event->before, text->before);
        rd_sim_found_value(found, event->after, text->after);
    }
}

static bool is_stray(const struct rd_sim_found *found)
{
    return !found->event.index_known &&
           (!found->array_known || found->array.space == RD_SPACE_NONE);
}

bool rd_sim_found_is_shared(const struct rd_sim_found *found)
{
    const struct rd_sim_core *core = &rd_sim_core;
    return !found->event.index_known && !found->array_known &&
           found->event.address - core->shared < core->shared_size;
}

static const char *kind_of(const struct rd_sim_found *found)
{
    if (found->event.class == RD_SIM_LEAK)
        return found->event.kept ? "kept" : "lost";
    if (!is_access(found->event.class) || found->event.index_known)
        return "";
    if (is_stray(found) || found->array.freed)
        return "stray";
    return found->array.space == RD_SPACE_SHARED ? "shared" : "global";
}

/* Whether it is in front of its array. */
static bool is_below(const struct rd_sim_found *found)
{
    if (found->event.index_known)
        return found->event.index < 0;
    return found->array_known && found->offset_bytes < 0;
}

static enum rd_sim_detail detail_of_race(const struct rd_sim_event *event)
{
    if (event->frees)
        return RD_DETAIL_FREED;
    bool atomic = event->actor.op == RD_SIM_ATOMIC || event->other.op == RD_SIM_ATOMIC;
    return atomic ? RD_DETAIL_ATOMIC : RD_DETAIL_NONE;
}

static enum rd_sim_detail detail_of_bounds(const struct rd_sim_found *found)
{
    if (found->array_known && found->array.freed)
        return RD_DETAIL_FREED;
    if (found->event.frees)
        return RD_DETAIL_FREE;
    if (found->event.text)
        return RD_DETAIL_STACK;
    if (is_below(found))
        return RD_DETAIL_BELOW;
    if (rd_sim_found_is_shared(found) || (found->array_known && found->array.dynamic))
        return RD_DETAIL_DYNAMIC;
    return found->array_known && found->array.origin ? RD_DETAIL_HEAP : RD_DETAIL_NONE;
}

static enum rd_sim_detail detail_of(const struct rd_sim_found *found)
{
    const struct rd_sim_event *event = &found->event;
    switch (event->class) {
    case RD_SIM_RACE:
        return detail_of_race(event);
    case RD_SIM_OUT_OF_BOUNDS:
        return detail_of_bounds(found);
    case RD_SIM_UNINITIALISED:
        return found->array_known && found->array.origin ? RD_DETAIL_HEAP : RD_DETAIL_NONE;
    case RD_SIM_BARRIER_SKIPPED:
        return event->actor.block != event->other.block ? RD_DETAIL_GRID : RD_DETAIL_NONE;
    case RD_SIM_MASK_MISMATCH:
        return event->has_other ? RD_DETAIL_NONE : RD_DETAIL_SELF;
    case RD_SIM_OVER_BUDGET:
        return event->actor.op == RD_SIM_READ ? RD_DETAIL_NONE : RD_DETAIL_WRITE;
    case RD_SIM_ILLEGAL_LAUNCH: /* that a thread comes to: other launches don't begin */
        return RD_DETAIL_GRID;
    default:
        return RD_DETAIL_NONE;
    }
}

const char *rd_sim_found_lesson(const struct rd_sim_found *found)
{
    const struct rd_sim_event *event = &found->event;
    bool race = event->class == RD_SIM_RACE;
    return rd_sim_case_lesson(event->class,
                              &(struct rd_sim_case){
                                  .kind = race ? rd_sim_race_kind(event) : kind_of(found),
                                  .scope = race ? rd_sim_race_scope(event) : "",
                                  .detail = detail_of(found),
                              });
}

static void set_finding(struct rd_finding *finding, const struct rd_sim_found *found,
                        const struct rd_sim_extent *extent, struct texts *text)
{
    const struct rd_sim_event *event = &found->event;
    bool race = event->class == RD_SIM_RACE;
    *finding = (struct rd_finding){
        .name = rd_sim_hazard_name(event->class),
        .kind = race ? rd_sim_race_kind(event) : kind_of(found),
        .scope = race ? rd_sim_race_scope(event) : "",
        .count = found->count,
        .message = text->message,
        .lesson = rd_sim_found_lesson(found),
        .interval = event->interval,
        .bytes = event->class == RD_SIM_LEAK ? found->bytes : 0,
        .n_places = event->has_other ? 2 : 1,
    };
    set_place(&finding->places[0], found, &event->actor, extent, text->files[0]);
    if (event->has_other)
        set_place(&finding->places[1], found, &event->other, extent, text->files[1]);
    set_cell(finding, found, text);
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

static void add(struct rd_finding *to, const struct rd_finding *twin)
{
    to->count += twin->count;
    to->bytes += twin->bytes;
}

static bool same_line(const struct rd_sim_found *x, const struct rd_sim_found *y)
{
    struct rd_sim_line one = rd_sim_site_line(&x->event.actor.site);
    struct rd_sim_line other = rd_sim_site_line(&y->event.actor.site);
    return one.line == other.line && strcmp(one.file, other.file) == 0;
}

/* Both speak of one thing: the compiler's bounds check, which knows the index and how many elements
 * there are, and the access behind it, which knows the array by where it went. */
static bool is_one(const struct rd_sim_found *index, const struct rd_sim_found *access)
{
    size_t n_elems =
        access->array.elem_bytes ? access->array.size_bytes / access->array.elem_bytes : 0;
    return access->count >= index->count && index->event.n_elems > 0 &&
           n_elems % index->event.n_elems == 0;
}

/* Where both have spoken of a line, the access is told, which has the array's name; but where it went
 * astray into another array, the index is. */
static bool is_told_better(const struct rd_sim_found *one, const struct rd_sim_found *all, size_t n)
{
    bool better = false;
    if (one->event.class != RD_SIM_OUT_OF_BOUNDS ||
        (!one->event.index_known && !(one->array_known && one->array.space == RD_SPACE_SHARED)))
        return false;
    for (size_t k = 0; k < n; k++) {
        const struct rd_sim_found *other = &all[k];
        if (other->event.class != RD_SIM_OUT_OF_BOUNDS ||
            other->event.index_known == one->event.index_known || !same_line(one, other))
            continue;
        if (one->event.index_known) {
            if (other->array_known && is_one(one, other))
                return true;
        } else if (is_one(other, one)) {
            return false;
        } else {
            better = true;
        }
    }
    return better;
}

const struct rd_finding *rd_sim_findings_make(const struct rd_sim_found *found, size_t n_found,
                                              const struct rd_sim_extent *extent, size_t *count)
{
    size_t n = 0;
    *count = 0;
    free(findings);
    free(texts);
    findings = calloc(n_found ? n_found : 1, sizeof *findings);
    texts = calloc(n_found ? n_found : 1, sizeof *texts);
    if (!findings || !texts)
        return NULL;
    for (size_t k = 0; k < n_found; k++) {
        struct rd_finding *finding = &findings[n];
        if (is_told_better(&found[k], found, n_found))
            continue;
        texts[n] = (struct texts){.found = &found[k]};
        set_finding(finding, &found[k], extent, &texts[n]);
        size_t twin = 0;
        while (twin < n && (!same_words(&findings[twin], finding) || found[k].array_known))
            twin++;
        if (twin < n)
            add(&findings[twin], finding);
        else
            n++;
    }
    for (size_t k = 0; k < n; k++)
        rd_sim_found_message(texts[k].found, findings[k].count, findings[k].bytes, extent,
                             texts[k].message);
    *count = n;
    return findings;
}
