// SPDX-License-Identifier: MIT
/* What is in a cell, and how it came there: sets of inputs, accesses and expression trees. Each can be
 * refused, as for programs that make no sums, and is then left out. */
#include "reductio/sources.h"
#include "view/origins.h"
#include "view/report/data.h"

#include <stdlib.h>
#include <string.h>

/* Beyond these, looking costs more than a page is worth. */
enum {
    INPUTS_MAX = 4096,
    SETS_MAX = 20000,
    THREADS_MAX = 2048,
    ACCESSES_MAX = 64,
    LIST_MAX = 1 << 15, /* of all threads */
    ORIGINS_MAX = 2000,
    NODES_MAX = 96,
    NODES_OF_MANY_MAX = 24 /* where an array is long, so are its trees */
};

/* What is refused is no failure of the page. */
static enum rd_status unless_refused(enum rd_status status)
{
    return status == RD_ERROR_USAGE || status == RD_ERROR_INPUT ? RD_OK : status;
}

/* ---- sets ---- */

static void put_set(json_t *sets, size_t index, const struct rd_input_set *actual,
                    const struct rd_input_set *expected, bool live)
{
    char held[256], wanted[256];
    rd_input_set_text(actual, held, sizeof held);
    rd_input_set_text(expected, wanted, sizeof wanted);
    json_t *pair = json_pack("[s]", held);
    if (live && strcmp(held, wanted) != 0)
        json_array_append_new(pair, json_string(wanted));
    rd_page_put(sets, index, pair);
}

enum rd_status rd_page_sets(const struct rd_page_run *run, size_t number,
                            const struct rd_picture_shown *shown, json_t *object,
                            struct rd_page_data *data, struct rd_error *error)
{
    enum { REFUSED_MAX = 64 };
    unsigned refused = 0;
    const struct rd_frame *frame = rd_history_frame(run->history, number);
    enum rd_status status = RD_OK;
    if (run->about->n_a > INPUTS_MAX) /* each has its digit in some pass */
        return status;
    json_t *sets = json_object();
    for (unsigned part = 0; part < shown->n; part++)
        for (size_t j = 0; j < shown->run[part].count; j++) {
            struct rd_input_set actual, expected;
            size_t index = shown->run[part].first + j;
            data->spent |= data->sets == SETS_MAX;
            if (data->sets == SETS_MAX)
                goto done;
            status = rd_history_set(run->history, number, index, &actual, &expected, error);
            /* The invariant need not speak of all cells; where it is of none, it is the run. */
            if (status == RD_ERROR_USAGE && ++refused < REFUSED_MAX + json_object_size(sets)) {
                status = RD_OK;
                continue;
            }
            if (status != RD_OK)
                goto done;
            data->sets++;
            put_set(sets, index, &actual, &expected, rd_claim_has(&frame->claim, index));
        }
done:
    if (status == RD_OK)
        rd_page_member(object, "sets", sets);
    else
        json_decref(sets);
    return unless_refused(status);
}

/* ---- threads ---- */

/* The file of the access, unless it is in the kernel itself; NULL. */
static const struct rd_source *helper_of(const struct rd_access *access, const char *kernel,
                                         struct rd_page_data *data)
{
    const struct rd_source *own = rd_source_of_kernel(kernel);
    const struct rd_source *file = rd_source_of_file(access->file);
    bool inside = own && access->line >= own->first && access->line <= own->last;
    if (!file || access->line == 0 || (inside && strcmp(file->path, own->path) == 0))
        return NULL;
    unsigned k = 0;
    while (k < data->n_helpers && data->helpers[k] != file)
        k++;
    if (k == data->n_helpers && k < RD_PAGE_HELPERS_MAX)
        data->helpers[data->n_helpers++] = file;
    return file;
}

static json_t *one_access(const struct rd_page_run *run, const struct rd_access_list *list,
                          const struct rd_access *access, const struct rd_source *helper)
{
    const struct rd_access_array *array = &list->arrays[access->array];
    char value[RD_VALUE_TEXT_SIZE + 32] = "";
    if (access->outside)
        snprintf(value, sizeof value, "(%s)",
                 rd_access_is_of_lane(access->op) ? "not there" : "out of bounds");
    else if (array->numeric && !run->about->witness)
        rd_cell_text(array->numeric, run->about->a, run->about->n_a, access->value, value);
    size_t length = strlen(value), of = array->warp * RD_WARP_LANES + access->index;
    if (access->op == RD_ACCESS_TAKE)
        snprintf(value + length, sizeof value - length,
                 length ? " of thread %zu" : "(of thread %zu)", of);
    json_t *told =
        json_pack("[s, o, I, s, i]", rd_access_verb(access->op), rd_markup_string(array->name),
                  (json_int_t)access->index, value, (int)access->line);
    if (helper)
        json_array_append_new(told, json_string(helper->path));
    return told;
}

/* The lines of all accesses, once each. */
static json_t *lines_of(const struct rd_access_list *list, const char *kernel,
                        struct rd_page_data *data)
{
    enum { LINES_MAX = 64 };
    struct {
        unsigned line;
        const char *file;
    } seen[LINES_MAX];
    unsigned count = 0;
    json_t *lines = json_array();
    for (size_t at = 0; at < list->count && count < LINES_MAX; at++) {
        const struct rd_access *access = &list->accesses[at];
        unsigned k = 0;
        while (k < count && (seen[k].line != access->line || seen[k].file != access->file))
            k++;
        if (k < count)
            continue;
        seen[count].line = access->line;
        seen[count++].file = access->file;
        const struct rd_source *helper = helper_of(access, kernel, data);
        json_array_append_new(
            lines, json_pack("[i, s*]", (int)access->line, helper ? helper->path : NULL));
    }
    return lines;
}

/* Whether the thread used a cell that is drawn. */
static bool is_shown(const struct rd_access_list *list, const struct rd_access_thread *thread,
                     const struct rd_frame *frame, const struct rd_picture_shown *shown)
{
    for (uint32_t k = 0; k < thread->count; k++) {
        const struct rd_access *access = &list->accesses[list->order[thread->first + k]];
        for (unsigned part = 0; part < shown->n; part++)
            if (access->index >= shown->run[part].first &&
                access->index - shown->run[part].first < shown->run[part].count &&
                strcmp(list->arrays[access->array].name, frame->array) == 0)
                return true;
    }
    return false;
}

/* What a lane holds itself is what cells show: only what it takes from others is told. */
static bool is_told(const struct rd_access *access)
{
    return access->op != RD_ACCESS_HOLD && access->op != RD_ACCESS_HAND;
}

/* Returns how many of its accesses are put. */
static size_t put_thread(const struct rd_page_run *run, const struct rd_access_list *list,
                         const struct rd_access_thread *thread, const char *kernel, json_t *threads,
                         struct rd_page_data *data)
{
    json_t *accesses = json_array();
    size_t count = 0;
    for (uint32_t k = 0; k < thread->count; k++) {
        const struct rd_access *access = &list->accesses[list->order[thread->first + k]];
        if (is_told(access) && count++ < ACCESSES_MAX)
            json_array_append_new(accesses,
                                  one_access(run, list, access, helper_of(access, kernel, data)));
    }
    if (count > 0)
        json_array_append_new(threads, json_pack("[I, i, O, I]", (json_int_t)thread->block,
                                                 (int)thread->thread, accesses, (json_int_t)count));
    json_decref(accesses);
    return count < ACCESSES_MAX ? count : ACCESSES_MAX;
}

/* Where not all cells are drawn, the threads that used those. */
static void put_threads(const struct rd_page_run *run, const struct rd_access_list *list,
                        const struct rd_frame *frame, const struct rd_picture_shown *shown,
                        json_t *object, struct rd_page_data *data)
{
    const bool all = frame->n_cells <= RD_PICTURE_CELLS_MAX;
    size_t told = 0, left = list->n_threads;
    json_t *threads = json_array();
    for (size_t k = 0; k < list->n_threads && told < LIST_MAX; k++) {
        const struct rd_access_thread *thread = &list->threads[k];
        if (!all && !is_shown(list, thread, frame, shown))
            continue;
        if (json_array_size(threads) == THREADS_MAX)
            break;
        told += put_thread(run, list, thread, frame->kernel, threads, data);
        left--;
    }
    rd_page_member(object, "threads", threads);
    rd_page_member(object, "lines", lines_of(list, frame->kernel, data));
    if (left > 0)
        json_object_set_new(object, "others", json_integer((json_int_t)left));
}

enum rd_status rd_page_threads(const struct rd_page_run *run, size_t number,
                               const struct rd_picture_shown *shown, json_t *object,
                               struct rd_page_data *data, struct rd_error *error)
{
    struct rd_access_list list;
    const struct rd_frame *frame = rd_history_frame(run->history, number);
    if (run->picture.reduced)
        return RD_OK;
    enum rd_status status = rd_history_accesses(run->history, number, &list, error);
    if (status == RD_OK && !list.truncated)
        put_threads(run, &list, frame, shown, object, data);
    return unless_refused(status);
}

/* ---- expression trees ---- */

static json_t *one_node(const struct rd_page_run *run, const struct rd_origin *node)
{
    char value[RD_VALUE_TEXT_SIZE] = "", text[RD_ORIGIN_TEXT_SIZE];
    if (!run->about->witness && node->kind != RD_ORIGIN_OUTSIDE)
        rd_cell_text(run->about->numeric, run->about->a, run->about->n_a, node->value, value);
    return json_pack("[i, o, I, s, s]", (int)node->depth, rd_markup_string(node->array),
                     (json_int_t)node->index, value, rd_origin_text(node, text));
}

static enum rd_status put_origin(const struct rd_page_run *run, size_t number, size_t index,
                                 json_t *origins, struct rd_error *error)
{
    struct rd_origin nodes[NODES_MAX];
    struct rd_origins tree;
    char text[RD_ORIGIN_TEXT_SIZE];
    const bool many = rd_history_frame(run->history, number)->n_cells > RD_PICTURE_CELLS_MAX;
    enum rd_status status = rd_history_origin(run->history, number, index, nodes,
                                              many ? NODES_OF_MANY_MAX : NODES_MAX, &tree, error);
    if (status != RD_OK)
        return status;
    json_t *list = json_array();
    for (size_t k = 0; k < tree.count; k++)
        json_array_append_new(list, one_node(run, &nodes[k]));
    rd_page_put(origins, index,
                json_pack("[s, b, o]", rd_origins_text(&tree, text),
                          tree.extent == RD_ORIGINS_WHOLE, list));
    return RD_OK;
}

enum rd_status rd_page_origins(const struct rd_page_run *run, size_t number,
                               const struct rd_picture_shown *shown, json_t *object,
                               struct rd_page_data *data, struct rd_error *error)
{
    const struct rd_frame *frame = rd_history_frame(run->history, number);
    enum rd_status status = RD_OK;
    json_t *origins = json_object();
    for (unsigned part = 0; part < shown->n && frame->has_round && !run->picture.reduced; part++)
        for (size_t j = 0; j < shown->run[part].count; j++) {
            size_t index = shown->run[part].first + j;
            struct rd_history_cell cell;
            status = rd_history_cell(run->history, number, index, &cell, error);
            if (status != RD_OK)
                goto done;
            if (!cell.live && !cell.changed && !cell.wrong)
                continue;
            data->spent |= data->origins == ORIGINS_MAX;
            if (data->origins == ORIGINS_MAX)
                goto done;
            data->origins++;
            status = put_origin(run, number, index, origins, error);
            if (status != RD_OK)
                goto done;
        }
done:
    rd_page_member(object, "origins", origins);
    return unless_refused(status);
}
