// SPDX-License-Identifier: MIT
#include "device/sim/object.h"
#include "device/sim/report/report_internal.h"
#include "device/sim/report/report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINES_MAX = 8 };

/* Members of one finding that it points to. */
struct texts {
    const struct rd_sim_found *found;
    uint64_t resumed;          /* of all that are told as one */
    uint64_t schedules;        /* under which it was seen, or another that is told with it */
    unsigned lines[LINES_MAX]; /* of barriers that the block missed next */
    unsigned n_lines;
    char message[RD_SIM_MESSAGE_SIZE];
    char files[2][sizeof(struct rd_sim_line){0}.file];
    char array[RD_SIM_NAME_SIZE], type[sizeof(struct rd_sim_array){0}.type];
    char before[RD_SIM_VALUE_SIZE], after[RD_SIM_VALUE_SIZE];
};

struct rd_sim_told_state {
    struct rd_finding *findings;
    struct texts *texts;
    struct rd_sim_found *copies;
};

static void set_place(struct rd_finding_place *place, const struct rd_sim_found *found,
                      const struct rd_sim_actor *actor, const struct rd_sim_extent *extent,
                      char *file)
{
    static const char *const ops[] = {
        [RD_SIM_READ] = "read", [RD_SIM_WRITE] = "write", [RD_SIM_ATOMIC] = "atomic"};
    bool first = actor == &found->event.actor;
    bool race = found->event.hazard == RD_HAZARD_RACE ||
                found->event.hazard == RD_HAZARD_PLAIN_READ_OF_ATOMIC;
    bool frees = first ? found->event.frees : !race;
    const struct rd_sim_launched launch = rd_sim_extent_launch(extent, actor);
    struct rd_sim_line line = rd_sim_site_line(&actor->site);
    memcpy(file, line.file, sizeof line.file);
    *place = (struct rd_finding_place){
        .file = file[0] ? file : NULL,
        .line = line.line,
        .column = line.column,
        .op = !rd_sim_found_is_access(found) || found->event.index_known ? ""
              : frees                                                    ? "free"
                                                                         : ops[actor->op],
        .thread_known =
            actor->thread_known && actor->thread < launch.block.x * launch.block.y * launch.block.z,
        .block_known = actor->block_known,
    };
    if (place->thread_known) {
        place->thread = actor->thread;
        place->thread_index = rd_sim_index3(actor->thread, launch.block);
    }
    if (actor->block_known) {
        place->block = actor->block;
        place->block_index = rd_sim_index3(actor->block, launch.grid);
    }
}

static void set_cell(struct rd_finding *finding, const struct rd_sim_found *found,
                     const struct rd_sim_extent *extent, struct texts *text)
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
    if (event->variable.name)
        snprintf(text->array, sizeof text->array, "%.*s", (int)event->variable.name_length,
                 event->variable.name);
    if (!found->array_known)
        return;
    rd_sim_found_name(found, text->array);
    snprintf(text->type, sizeof text->type, "%s", array->type);
    if (!finding->index_known)
        finding->index_known = rd_sim_found_index(found, &finding->index);
    if (array->elem_bytes)
        finding->n_elems = array->size_bytes / array->elem_bytes;
    if (event->bits_known) {
        rd_sim_found_value(found, extent, event->before, text->before);
        rd_sim_found_value(found, extent, event->after, text->after);
    }
}

/* ---- races of one cause ---- */

/* Tells whether all races of its kind in an array are told as one: warp-synchronous code has one for nearly each
 * pair of its lines, and a guess one for each scope. */
static bool is_told_with_others(const struct rd_sim_found *found)
{
    return found->event.hazard == RD_HAZARD_PLAIN_READ_OF_ATOMIC ||
           rd_sim_found_is_warp_synchronous(found);
}

static bool have_one_cause(const struct rd_sim_found *one, const struct rd_sim_found *other)
{
    if (rd_sim_found_is_missing(one) && rd_sim_found_is_missing(other))
        return true;
    return one->event.hazard == other->event.hazard && one->key.array == other->key.array &&
           is_told_with_others(one) && is_told_with_others(other);
}

static void set_finding(struct rd_finding *finding, const struct rd_sim_found *found,
                        const struct rd_sim_extent *extent, struct texts *text)
{
    const struct rd_sim_event *event = &found->event;
    *finding = (struct rd_finding){
        .hazard = event->hazard,
        .kind = rd_sim_found_kind(found),
        .scope = rd_sim_found_scope(found),
        .count = found->count,
        .message = text->message,
        .lesson = rd_sim_found_lesson(found, extent),
        .interval = event->interval,
        .bytes = event->hazard == RD_HAZARD_LEAK ? found->bytes : 0,
        .order_dependent = event->hazard == RD_HAZARD_ORDER_DEPENDENT,
        .n_places = event->has_other ? 2 : 1,
        .lacks_fence = rd_sim_found_lacks_fence(found),
        .lacks_barrier = rd_sim_found_lacks_barrier(found),
        .n_pairs = is_told_with_others(found),
    };
    set_place(&finding->places[0], found, &event->actor, extent, text->files[0]);
    if (event->has_other)
        set_place(&finding->places[1], found, &event->other, extent, text->files[1]);
    set_cell(finding, found, extent, text);
}

/* Two code addresses of one line are one place: the compiler may have copied the loop. */
static bool same_words(const struct rd_finding *x, const struct rd_finding *y)
{
    return x->hazard == y->hazard && x->kind == y->kind && x->scope == y->scope &&
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

/* Tells whether the compiler's bounds check, which knows the index and the number of elements, and the access behind it, which knows
 * the array by its address, are of one fault. */
static bool are_one_fault(const struct rd_sim_found *index, const struct rd_sim_found *access)
{
    size_t n_elems =
        access->array.elem_bytes ? access->array.size_bytes / access->array.elem_bytes : 0;
    return access->array_known && access->count >= index->count && index->event.n_elems > 0 &&
           n_elems % index->event.n_elems == 0;
}

/* Tells whether both are first of one thread, and as many. */
static bool same_threads(const struct rd_sim_found *x, const struct rd_sim_found *y)
{
    return x->count == y->count && x->event.actor.thread == y->event.actor.thread &&
           x->event.actor.block == y->event.actor.block;
}

/* An access that went to where nothing is, with an index that the compiler has found too large: of the
 * array from which that index leads there. */
static void find_array(struct rd_sim_found *access, const struct rd_sim_event *index)
{
    const struct rd_sim_array *array =
        rd_sim_array_of_index(access->event.address, index->index, index->n_elems);
    if (!array)
        return;
    access->array = *array;
    access->array_known = true;
    access->offset_bytes = (int64_t)(access->event.address - array->base);
}

static void find_arrays(struct rd_sim_found *found, size_t n)
{
    for (size_t k = 0; k < n; k++)
        for (size_t other = 0; other < n && rd_sim_found_is_lost(&found[k]); other++)
            if (found[other].event.hazard == RD_HAZARD_OUT_OF_BOUNDS &&
                found[other].event.index_known && same_line(&found[k], &found[other]) &&
                same_threads(&found[k], &found[other]))
                find_array(&found[k], &found[other].event);
}

/* A write of the cell that the same statement has read before, as s[i - 1] += x does. */
static bool was_read_before(const struct rd_sim_found *write, const struct rd_sim_found *read)
{
    return !read->event.index_known && !write->event.index_known && read->array_known &&
           write->array_known && read->array.base == write->array.base &&
           read->offset_bytes == write->offset_bytes && read->event.actor.op == RD_SIM_READ &&
           write->event.actor.op == RD_SIM_WRITE && same_threads(read, write);
}

/* Prefers, of two findings of a line, the access, which has the array's name; but where it went
 * astray into another array, or to where nothing is, the index. */
static bool has_better_report(const struct rd_sim_found *one, const struct rd_sim_found *all,
                              size_t n)
{
    bool better = false;
    for (size_t k = 0; k < n && one->event.hazard == RD_HAZARD_OUT_OF_BOUNDS; k++)
        if (all[k].event.hazard == RD_HAZARD_OUT_OF_BOUNDS && was_read_before(one, &all[k]) &&
            same_line(one, &all[k]))
            return true;
    if (one->event.hazard != RD_HAZARD_OUT_OF_BOUNDS ||
        (!one->event.index_known && !rd_sim_found_is_lost(one) &&
         !(one->array_known && one->array.space == RD_SPACE_SHARED)))
        return false;
    for (size_t k = 0; k < n; k++) {
        const struct rd_sim_found *other = &all[k];
        if (other->event.hazard != RD_HAZARD_OUT_OF_BOUNDS ||
            other->event.index_known == one->event.index_known || !same_line(one, other))
            continue;
        if (rd_sim_found_is_lost(one)) {
            if (same_threads(one, other))
                return true;
        } else if (one->event.index_known) {
            if (other->array_known && are_one_fault(one, other))
                return true;
        } else if (are_one_fault(other, one)) {
            return false;
        } else {
            better = true;
        }
    }
    return better;
}

/* Tells whether it is a result that depends on the schedule, and a race says why, and where. */
static bool is_told_by_race(const struct rd_sim_found *one, const struct rd_sim_found *all,
                            size_t n)
{
    bool race = false;
    for (size_t k = 0; k < n && one->event.hazard == RD_HAZARD_ORDER_DEPENDENT; k++)
        race = race || all[k].event.hazard == RD_HAZARD_RACE;
    return race;
}

/* ---- barriers ---- */

static bool is_at_barrier(const struct rd_sim_found *found)
{
    return found->event.hazard == RD_HAZARD_BARRIER_DIVERGENCE ||
           found->event.hazard == RD_HAZARD_BARRIER_SKIPPED;
}

/* A block whose threads have missed each other once is out of step, and misses barrier after barrier:
 * that is one fault, and told as one. */
static bool follows(const struct rd_sim_found *later, const struct rd_sim_found *first)
{
    const struct rd_sim_event *x = &first->event, *y = &later->event;
    return is_at_barrier(later) && x->hazard == y->hazard && x->actor.block == y->actor.block &&
           x->interval <= y->interval;
}

static void add_line(struct texts *text, const struct rd_finding *finding, unsigned line)
{
    for (unsigned k = 0; k < finding->n_places; k++)
        if (finding->places[k].line == line)
            return;
    for (unsigned k = 0; k < text->n_lines; k++)
        if (text->lines[k] == line)
            return;
    if (line > 0 && text->n_lines < LINES_MAX)
        text->lines[text->n_lines++] = line;
}

static int by_size(const void *x, const void *y)
{
    const unsigned *one = x, *other = y;
    return (*one > *other) - (*one < *other);
}

/* "104, 108 and 113". */
static void set_lines(struct texts *text, char lines[sizeof(struct rd_sim_sum){0}.lines])
{
    size_t length = 0, size = sizeof(struct rd_sim_sum){0}.lines;
    qsort(text->lines, text->n_lines, sizeof *text->lines, by_size);
    lines[0] = '\0';
    for (unsigned k = 0; k < text->n_lines && length < size; k++)
        length += (size_t)snprintf(lines + length, size - length, "%s%u",
                                   k == 0                  ? ""
                                   : k + 1 < text->n_lines ? ", "
                                                           : " and ",
                                   text->lines[k]);
}

/* ---- all of them ---- */

/* Adds it to another finding, where both are told as one. */
static bool join(const struct rd_sim_found *found, struct rd_finding *finding, size_t n)
{
    struct rd_sim_told_state *own = rd_sim_here->told;
    for (size_t k = 0; k < n; k++) {
        if (have_one_cause(found, own->texts[k].found)) {
            own->findings[k].n_pairs +=
                is_told_with_others(found) && !same_words(&own->findings[k], finding);
        } else if (follows(found, own->texts[k].found)) {
            for (unsigned p = 0; p < finding->n_places; p++)
                add_line(&own->texts[k], &own->findings[k], finding->places[p].line);
        } else if (found->array_known || !same_words(&own->findings[k], finding)) {
            continue;
        }
        add(&own->findings[k], finding);
        own->texts[k].resumed += found->resumed;
        own->texts[k].schedules |= found->schedules;
        return true;
    }
    return false;
}

const struct rd_finding *rd_sim_findings_make(const struct rd_sim_found *found, size_t n_found,
                                              const struct rd_sim_extent *extent, size_t *count)
{
    struct rd_sim_told_state *own = rd_sim_here->told;
    size_t n = 0;
    *count = 0;
    free(own->findings);
    free(own->texts);
    free(own->copies);
    own->copies = calloc(n_found ? n_found : 1, sizeof *own->copies);
    own->findings = calloc(n_found ? n_found : 1, sizeof *own->findings);
    own->texts = calloc(n_found ? n_found : 1, sizeof *own->texts);
    if (!own->findings || !own->texts || !own->copies)
        return NULL;
    for (size_t k = 0; k < n_found; k++)
        own->copies[k] = found[k];
    for (size_t k = 0; k < n_found; k++)
        own->copies[k].count -= own->copies[k].explained;
    find_arrays(own->copies, n_found);
    for (size_t k = 0; k < n_found; k++) {
        struct rd_finding *finding = &own->findings[n];
        if (own->copies[k].count == 0 || has_better_report(&own->copies[k], own->copies, n_found) ||
            is_told_by_race(&own->copies[k], own->copies, n_found))
            continue;
        own->texts[n] = (struct texts){.found = &own->copies[k],
                                       .resumed = own->copies[k].resumed,
                                       .schedules = own->copies[k].schedules};
        set_finding(finding, &own->copies[k], extent, &own->texts[n]);
        if (!join(&own->copies[k], finding, n))
            n++;
    }
    for (size_t k = 0; k < n; k++) {
        struct rd_sim_sum sum = {
            .count = own->findings[k].count,
            .bytes = own->findings[k].bytes,
            .resumed = own->texts[k].resumed,
            .n_pairs = own->findings[k].n_pairs,
            .schedules = own->texts[k].schedules,
        };
        set_lines(&own->texts[k], sum.lines);
        rd_sim_found_message(own->texts[k].found, &sum, extent, own->texts[k].message);
    }
    *count = n;
    return own->findings;
}

static void told_finish(void)
{
    free(rd_sim_here->told->findings);
    free(rd_sim_here->told->texts);
    free(rd_sim_here->told->copies);
}

const struct rd_sim_part rd_sim_part_told = {
    .size_bytes = sizeof(struct rd_sim_told_state),
    .at = offsetof(struct rd_sim, told),
    .finish = told_finish,
};
