// SPDX-License-Identifier: MIT
/* Annotations in kernels: the threads of a block come to one, and it is told of once, as the first of them has found
 * it; where it is of a thread's variable, the lanes of a warp do, and each brings its own. All that a launch has come
 * to is told when it has ended, since it may have to be run again. */
#include "base/array.h"
#include "device/sim/detect/last_access.h"
#include "device/sim/engine/engine.h"
#include "device/sim/object.h"
#include "device/sim/runtime/law_internal.h"
#include "device/sim/runtime/runtime_internal.h"
#include "device/sim/source/sites.h"
#include "device/sim/source/source.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BYTES_MAX = 1 << 28, VALUES_MAX = RD_SIM_LAW_NAMES_MAX, LACK_SIZE = 200 };

/* Threads that have not met at a barrier: why, and where one of them has written. */
struct unmet {
    enum rd_hazard_kind hazard;
    char text[LACK_SIZE];       /* "": they have, as far as is known */
    struct rd_sim_line written; /* of a write */
    bool left;                  /* the others have been in the loop, and left it */
};

/* The threads of a block, or the lanes of a warp, at an annotation. */
struct meeting {
    struct meeting *next; /* of those that are found in one place */
    size_t number;        /* in the order in which they were made */
    uint64_t block;
    unsigned site;
    bool is_register;
    unsigned warp; /* 0 unless is_register */
    uint64_t entry, evaluation, instance;
    int64_t values[VALUES_MAX];
    size_t n_values;
    const char *type;
    const void *array; /* NULL: none */
    size_t elem_bytes, n_elems, size_bytes;
    unsigned char *cells, *latest; /* as the first thread has found it, and the last so far */
    size_t unwritten[2 * RD_SIM_LAW_UNWRITTEN_MAX], n_unwritten;
    size_t of_others[2 * RD_SIM_LAW_OTHERS_MAX], n_of_others;
    unsigned arrived;
    bool *came; /* [threads] */
    char lack[LACK_SIZE];
    size_t differing; /* which of the names, from 1, where that is why; else 0 */
    struct unmet unmet;
};

/* How often each thread of a block has entered the loop, or come to the statement. */
struct counts {
    uint64_t block;
    unsigned site;
    uint64_t *of_thread;
};

static struct {
    unsigned threads; /* of a block */
    struct meeting **all;
    size_t n, capacity;
    struct meeting *places[1 << 14]; /* by block, warp, annotation, entry and evaluation */
    struct counts *counts;
    size_t n_counts, counts_capacity;
    size_t bytes;
    bool is_full;
    uint64_t instances, launches;
} law_kernel_state;

static void destroy(struct meeting *meeting)
{
    free(meeting->cells);
    free(meeting->latest);
    free(meeting->came);
    free(meeting);
}

static void forget(void)
{
    for (size_t k = 0; k < law_kernel_state.n; k++)
        destroy(law_kernel_state.all[k]);
    if (law_kernel_state.n > 0)
        memset(law_kernel_state.places, 0, sizeof law_kernel_state.places);
    for (size_t k = 0; k < law_kernel_state.n_counts; k++)
        free(law_kernel_state.counts[k].of_thread);
    law_kernel_state.n = law_kernel_state.n_counts = law_kernel_state.bytes = 0;
    law_kernel_state.is_full = false;
}

uint64_t rd_sim_law_instance(void)
{
    return ++law_kernel_state.instances;
}

void rd_sim_law_launch_counts(uint64_t number)
{
    law_kernel_state.launches = number;
}

uint64_t rd_sim_law_launches(void)
{
    return law_kernel_state.launches;
}

void rd_sim_law_launch_begins(unsigned threads)
{
    forget();
    law_kernel_state.threads = threads;
}

uint64_t rd_sim_law_count(unsigned site)
{
    const struct rd_sim_core *core = &rd_sim_here->core;
    size_t k = law_kernel_state.n_counts;
    if (core->thread >= law_kernel_state.threads) { /* of a launch by a kernel */
        law_kernel_state.is_full = true;
        return 1;
    }
    while (k-- > 0)
        if (law_kernel_state.counts[k].block == core->block &&
            law_kernel_state.counts[k].site == site)
            return ++law_kernel_state.counts[k].of_thread[core->thread];
    struct counts made = {core->block, site, calloc(law_kernel_state.threads, sizeof(uint64_t))};
    if (!made.of_thread ||
        !rd_array_make_room(&law_kernel_state.counts, law_kernel_state.n_counts,
                            &law_kernel_state.counts_capacity, sizeof *law_kernel_state.counts)) {
        free(made.of_thread);
        law_kernel_state.is_full = true;
        return 1;
    }
    law_kernel_state.counts[law_kernel_state.n_counts++] = made;
    return ++made.of_thread[core->thread];
}

/* ---- arrivals ---- */

static unsigned warp_of(const struct rd_file_law *law)
{
    return law->is_register ? rd_sim_here->core.thread / RD_SIM_WARP : 0;
}

/* Where a meeting is found: the list of those whose numbers come to the same. */
static struct meeting **place_of(uint64_t block, unsigned warp, unsigned site, uint64_t entry,
                                 uint64_t evaluation)
{
    static const uint64_t odd = UINT64_C(0x9e3779b97f4a7c15); /* 2^64 over the golden ratio */
    enum { BITS = 14 };
    _Static_assert(sizeof law_kernel_state.places / sizeof *law_kernel_state.places == 1 << BITS,
                   "a place for each hash");
    const uint64_t numbers[] = {block, warp, site, entry, evaluation};
    uint64_t hash = 0;
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
        hash = (hash ^ numbers[k]) * odd;
    return &law_kernel_state.places[hash >> (64 - BITS)];
}

/* The meeting of the block, or of the warp, at that evaluation; NULL: none is known. */
static struct meeting *find(uint64_t block, unsigned warp, unsigned site, uint64_t entry,
                            uint64_t evaluation)
{
    for (struct meeting *one = *place_of(block, warp, site, entry, evaluation); one;
         one = one->next) {
        if (one->block == block && one->warp == warp && one->site == site && one->entry == entry &&
            one->evaluation == evaluation)
            return one;
    }
    return NULL;
}

/* Threads that are to come: of the block, or of the warp. */
static unsigned due(const struct meeting *meeting)
{
    const unsigned first = meeting->is_register ? meeting->warp * RD_SIM_WARP : 0,
                   rest = law_kernel_state.threads - first;
    return meeting->is_register && rest > RD_SIM_WARP ? RD_SIM_WARP : rest;
}

/* The number of this execution of the loop by the block. */
static uint64_t instance_of(const struct rd_file_law *law, uint64_t block)
{
    if (law->instance == 0)
        return 0;
    const struct meeting *before = law->evaluation > 0 ? find(block, warp_of(law), law->site,
                                                              law->instance, law->evaluation - 1)
                                                       : NULL;
    return before ? before->instance : rd_sim_law_instance();
}

static struct meeting *add(const struct rd_file_law *law, uint64_t entry, size_t elem_bytes)
{
    const uint64_t block = rd_sim_here->core.block;
    struct meeting *made = calloc(1, sizeof *made);
    if (made) {
        made->block = block;
        made->site = law->site;
        made->is_register = law->is_register;
        made->warp = warp_of(law);
        made->n_elems = law->is_register ? due(made) : law->n_elems;
    }
    const size_t size = !made || !law->cells ? 0 : made->n_elems * elem_bytes;
    if (!made || law_kernel_state.bytes + size > BYTES_MAX ||
        !rd_array_make_room(&law_kernel_state.all, law_kernel_state.n, &law_kernel_state.capacity,
                            sizeof(struct meeting *))) {
        free(made);
        return NULL;
    }
    made->came = calloc(law_kernel_state.threads, sizeof *made->came);
    made->cells = malloc(size + 1);
    made->latest = malloc(size + 1);
    if (!made->came || !made->cells || !made->latest) {
        destroy(made);
        return NULL;
    }
    law_kernel_state.bytes += size;
    made->entry = entry;
    made->evaluation = law->evaluation;
    made->instance = instance_of(law, block);
    memcpy(made->values, law->values, law->n_values * sizeof *law->values);
    made->n_values = law->n_values;
    made->type = law->type;
    made->array = law->cells;
    made->elem_bytes = elem_bytes;
    made->size_bytes = size;
    if (law->is_register) {
        memset(made->cells, 0, size);
    } else if (size > 0) {
        made->n_unwritten =
            rd_sim_law_unwritten(law->cells, law->n_elems, elem_bytes, made->unwritten);
        made->n_of_others =
            rd_sim_law_of_others(law->cells, law->n_elems, elem_bytes, made->of_others);
        memcpy(made->cells, law->cells, size);
        memcpy(made->latest, law->cells, size);
    }
    if (law->lack)
        snprintf(made->lack, sizeof made->lack, "%s", law->lack);
    struct meeting **place = place_of(block, made->warp, made->site, made->entry, made->evaluation);
    made->next = *place;
    *place = made;
    made->number = law_kernel_state.n;
    return law_kernel_state.all[law_kernel_state.n++] = made;
}

static void lacks(struct meeting *meeting, const char *text)
{
    if (!meeting->lack[0])
        snprintf(meeting->lack, sizeof meeting->lack, "%s, in block %" PRIu64, text,
                 meeting->block);
}

/* Keeps what is first found out about threads that have not met. */
static void note(struct meeting *meeting, enum rd_hazard_kind hazard, uintptr_t written,
                 const char *text)
{
    struct rd_sim_actor writer;
    if (meeting->unmet.text[0])
        return;
    meeting->unmet.hazard = hazard;
    snprintf(meeting->unmet.text, sizeof meeting->unmet.text, "%s", text);
    if (written && rd_sim_last_access(written, &writer) && writer.op == RD_SIM_WRITE)
        meeting->unmet.written = rd_sim_site_line(&writer.site);
}

/* Looks for a cell between two bytes that a thread has written with no barrier behind it, and that is yet to come. */
static void look(struct meeting *meeting, size_t from, size_t end)
{
    const bool one_warp = law_kernel_state.threads <= RD_SIM_WARP;
    const unsigned here = rd_sim_here->core.thread;
    unsigned thread;
    char text[LACK_SIZE];
    if (law_kernel_state.threads == 1 || !rd_sim_is_memory(meeting->array, meeting->size_bytes))
        return;
    for (size_t at = from; (at = rd_sim_find_written(meeting->array, at, end, meeting->elem_bytes,
                                                     one_warp, &thread)) < end;
         at += meeting->elem_bytes) {
        if (thread != here && meeting->came[thread])
            continue;
        lacks(meeting, "the threads have not met at a barrier: one has written to the array, "
                       "and no barrier is behind that");
        char writer[32] = "it";
        if (thread != here)
            snprintf(writer, sizeof writer, "thread %u", thread);
        snprintf(text, sizeof text,
                 "thread %u of block %" PRIu64
                 " comes to the law, and no barrier is behind what %s has written to element %zu",
                 here, meeting->block, writer, at / meeting->elem_bytes);
        note(meeting, RD_HAZARD_CHECKPOINT_RACE, (uintptr_t)meeting->array + at, text);
        return;
    }
}

/* A name must be the same for all threads. */
static void compare_values(struct meeting *meeting, const struct rd_file_law *law)
{
    char text[LACK_SIZE];
    size_t k = 0;
    while (k < law->n_values && meeting->values[k] == law->values[k])
        k++;
    if (k == law->n_values || meeting->lack[0])
        return;
    snprintf(text, sizeof text,
             "a name in the law differs among the threads, %" PRId64 " in one and %" PRId64
             " in another",
             meeting->values[k], law->values[k]);
    lacks(meeting, text);
    meeting->differing = k + 1;
}

/* Another thread comes, of which the law must be the same. */
static void compare(struct meeting *meeting, const struct rd_file_law *law)
{
    if (law->lack)
        lacks(meeting, law->lack);
    compare_values(meeting, law);
    if (meeting->is_register)
        return;
    if (law->cells && rd_sim_is_memory(law->cells, law->size_bytes) &&
        (law->cells != meeting->array || law->size_bytes != meeting->size_bytes))
        lacks(meeting, "the array is another one for some threads");
    if (meeting->lack[0] || !law->cells || meeting->size_bytes == 0)
        return;
    const unsigned char *array = law->cells;
    if (memcmp(meeting->latest, array, meeting->size_bytes) == 0)
        return;
    for (size_t at = 0; at < meeting->size_bytes; at += meeting->elem_bytes) {
        if (memcmp(meeting->latest + at, array + at, meeting->elem_bytes) == 0)
            continue;
        if (rd_sim_is_memory(array, meeting->size_bytes))
            look(meeting, at, at + meeting->elem_bytes);
        else
            lacks(meeting, "what the law speaks of differs among the threads");
    }
    memcpy(meeting->latest, array, meeting->size_bytes);
}

void rd_sim_law_arrives(const struct rd_file_law *law, size_t elem_bytes)
{
    const struct rd_sim_core *core = &rd_sim_here->core;
    const uint64_t entry = law->instance ? law->instance : rd_sim_law_count(law->site);
    struct meeting *meeting = find(core->block, warp_of(law), law->site, entry, law->evaluation);
    const bool is_new = !meeting;
    if (is_new && core->thread < law_kernel_state.threads)
        meeting = add(law, entry, elem_bytes);
    if (!meeting || core->thread >= law_kernel_state.threads) {
        law_kernel_state.is_full = true;
        return;
    }
    if (!is_new)
        compare(meeting, law);
    else if (!meeting->is_register && meeting->array && !meeting->lack[0])
        look(meeting, 0, meeting->size_bytes);
    if (meeting->is_register && meeting->array && law->cells)
        memcpy(meeting->cells + core->thread % RD_SIM_WARP * elem_bytes, law->cells, elem_bytes);
    meeting->came[core->thread] = true;
    meeting->arrived++;
}

/* ---- the end ---- */

/* Notes that not all threads that were due have come: they were never there, or have left the loop. */
static void check_all_came(struct meeting *meeting)
{
    const unsigned threads = due(meeting),
                   first = meeting->is_register ? meeting->warp * RD_SIM_WARP : 0;
    const bool is_loop = meeting->instance > 0;
    const char *noun = meeting->is_register ? "lanes" : "threads";
    char text[LACK_SIZE];
    unsigned missing = first;
    if (meeting->arrived == threads || (!is_loop && !meeting->is_register) || meeting->lack[0])
        return;
    while (missing < first + threads && meeting->came[missing])
        missing++;
    if (!is_loop) { /* a statement may be for some of them */
        snprintf(text, sizeof text, "%u of %u lanes came here: of the others nothing is known",
                 meeting->arrived, threads);
        lacks(meeting, text);
        return;
    }
    const struct meeting *before = meeting->evaluation > 0
                                       ? find(meeting->block, meeting->warp, meeting->site,
                                              meeting->entry, meeting->evaluation - 1)
                                       : NULL;
    const bool left = before && before->came[missing];
    snprintf(text, sizeof text,
             "%u of %u %s came to evaluation %" PRIu64 " of the loop's condition: %s",
             meeting->arrived, threads, noun, meeting->evaluation,
             left ? "others have left the loop" : "they have not met at a barrier");
    lacks(meeting, text);
    snprintf(text, sizeof text,
             "%u of the %u %s of block %" PRIu64 " come to evaluation %" PRIu64
             " of the loop's condition, and thread %u %s",
             meeting->arrived, threads, noun, meeting->block, meeting->evaluation, missing,
             left ? "has left the loop" : "does not");
    note(meeting, RD_HAZARD_CHECKPOINT_DIVERGENCE, 0, text);
    meeting->unmet.left = left;
}

static struct rd_finding finding_of(const struct unmet *unmet)
{
    static const char race[] =
        "A law in a kernel is true of one moment for all threads of the block: put __syncthreads() "
        "in front of it, behind all that is written.";
    static const char divergence[] =
        "A law in a kernel is true of one moment for all threads of the block, or all lanes of the "
        "warp: let all of them come to the loop, each as often as the others.";
    static const char uneven[] =
        "A law in a kernel is true of one moment for all threads of the block, or all lanes of the "
        "warp, and this loop ends earlier for some, as a grid-stride loop does where the stride "
        "doesn't divide n: let all make as many rounds, and those work that have an element left: "
        "for (first = 0; first < n; first += stride) if (first + t < n) ...";
    struct rd_finding finding = {
        .hazard = unmet->hazard,
        .kind = "",
        .scope = "block",
        .message = unmet->text,
        .lesson = unmet->hazard == RD_HAZARD_CHECKPOINT_RACE ? race
                  : unmet->left                              ? uneven
                                                             : divergence,
        .count = 1,
        .n_places = 1,
        .array = "",
        .type = "",
        .before = "",
        .after = "",
    };
    if (unmet->written.file[0])
        finding.places[finding.n_places++] = (struct rd_finding_place){
            .file = unmet->written.file,
            .line = unmet->written.line,
            .column = unmet->written.column,
            .op = "write",
        };
    finding.places[0].op = "";
    return finding;
}

static void tell(struct meeting *meeting, const char *kernel)
{
    const struct rd_file_program *program = rd_sim_runtime_program();
    check_all_came(meeting);
    const struct rd_finding finding = finding_of(&meeting->unmet);
    const struct rd_file_law law = {
        .site = meeting->site,
        .instance = meeting->instance,
        .evaluation = meeting->evaluation,
        .launches = rd_sim_law_launches(),
        .in_kernel = true,
        .block = meeting->block,
        .is_register = meeting->is_register,
        .warp = meeting->warp,
        .values = meeting->values,
        .n_values = meeting->n_values,
        .type = meeting->type,
        .cells = meeting->array ? meeting->cells : NULL,
        .n_elems = meeting->n_elems,
        .size_bytes = meeting->size_bytes,
        .unwritten = meeting->unwritten,
        .n_unwritten = meeting->n_unwritten,
        .of_others = meeting->of_others,
        .n_of_others = meeting->n_of_others,
        .lack = meeting->lack[0] ? meeting->lack : NULL,
        .differing = meeting->differing,
        .finding = meeting->unmet.text[0] ? &finding : NULL,
        .kernel = kernel,
    };
    program->on_law(program->how.self, &law);
}

static int by_block(const void *left, const void *right)
{
    const struct meeting *a = *(struct meeting *const *)left, *b = *(struct meeting *const *)right;
    return a->block != b->block     ? (a->block < b->block ? -1 : 1)
           : a->number != b->number ? (a->number < b->number ? -1 : 1)
                                    : 0;
}

void rd_sim_law_launch_ends(const char *kernel)
{
    if (law_kernel_state.is_full)
        rd_sim_runtime_lacks("not all states at the annotations of a kernel were kept: there are "
                             "too many, or too large ones");
    if (law_kernel_state.n > 0)
        qsort(law_kernel_state.all, law_kernel_state.n, sizeof *law_kernel_state.all, by_block);
    for (size_t k = 0; k < law_kernel_state.n; k++)
        tell(law_kernel_state.all[k], kernel);
    forget();
}
