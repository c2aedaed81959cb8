// SPDX-License-Identifier: MIT
/* The page's data: what is in cells, how it came there, and what scripts are told of each frame. */
#include "reductio/sources.h"
#include "view/parts.h"
#include "view/report/page.h"

#include <stdlib.h>
#include <string.h>

/* ---- cells ---- */

/* The content of cells and its origin: sets of inputs, accesses and expression trees. Each can be refused, as for
 * programs that make no sums, and is then left out. */

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

/* A refusal is no failure of the page. */
static enum rd_status unless_refused(enum rd_status status)
{
    return status == RD_ERROR_USAGE || status == RD_ERROR_INPUT ? RD_OK : status;
}

static void page_put(json_t *object, size_t cell, json_t *value);

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
    page_put(sets, index, pair);
}

/* The sets of inputs in a frame's cells, where they can be had. RD_ERROR_MEMORY, RD_ERROR_DEVICE, RD_ERROR_IO, as
 * those below. */
static enum rd_status page_sets(const struct rd_page_run *run, size_t number,
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

/* The path of the access's file, which the page shows, too, where its text is known; NULL: it is in the kernel itself. */
static json_t *helper_of(const struct rd_access *access, const char *kernel,
                         struct rd_page_data *data)
{
    const struct rd_source *own = rd_source_of_kernel(kernel);
    const struct rd_source *file = rd_access_source(access, kernel);
    if (access->line == 0 || file == own)
        return NULL;
    if (!file)
        return rd_markup_string(access->file);
    unsigned k = 0;
    while (k < data->n_helpers && data->helpers[k] != file)
        k++;
    if (k == data->n_helpers && k < RD_PAGE_HELPERS_MAX)
        data->helpers[data->n_helpers++] = file;
    return rd_markup_string(file->path);
}

static json_t *one_access(const struct rd_page_run *run, const struct rd_access_list *list,
                          const struct rd_access *access, json_t *helper)
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
        json_array_append_new(told, helper);
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
        json_array_append_new(
            lines, json_pack("[i, o*]", (int)access->line, helper_of(access, kernel, data)));
    }
    return lines;
}

/* Tells whether the thread used a cell that is drawn. */
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

/* Cells show a lane's own values: only what it takes from others is told. */
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

/* Puts the threads that used the drawn cells, unless all cells are drawn. */
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

/* The accesses of the threads. */
static enum rd_status page_threads(const struct rd_page_run *run, size_t number,
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
    page_put(origins, index,
             json_pack("[s, b, o]", rd_origins_text(&tree, text), tree.extent == RD_ORIGINS_WHOLE,
                       list));
    return RD_OK;
}

/* The expression trees of live and of changed cells. */
static enum rd_status page_origins(const struct rd_page_run *run, size_t number,
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

/* ---- frames ---- */

/* The page's data: for each frame an object, whose members are left out where there is nothing to say:
 *
 *     known      which cells' expected values are known, a digit each, in the order of the boxes
 *     expected   {cell: text} where it is not what the cell holds
 *     claim      [[path, first line, last line], ...] of the sentence that says what must hold
 *     sites      [[path, line, words], ...] of the hazards of its round
 *     before     the number of the frame that shows what was
 *     was        {cell: text} of changed cells
 *     deviation  {cell: text} of floats with a bound
 *     sets       {cell: [what it holds, what it must hold]}
 *     threads    [[block, thread, [[op, array, index, value, line, file], ...], how many there are], ...];
 *                no file where it is the kernel itself
 *     lines      [[line, file], ...] of all threads
 *     others     how many threads more there were
 *     origins    {cell: [how much it shows, whether that is all, [[depth, array, index, value, text], ...]]}
 */

enum { TEXT_SIZE = RD_PICTURE_TEXT_SIZE };

/* ---- in JSON ---- */

static bool page_has_room(struct rd_page_data *data)
{
    enum { WORTH_WHILE = 4096 };
    data->spent |= data->bytes < WORTH_WHILE;
    return data->bytes >= WORTH_WHILE;
}

/* Sets the member named by a cell's number; takes the value. */
static void page_put(json_t *object, size_t cell, json_t *value)
{
    char key[24];
    snprintf(key, sizeof key, "%zu", cell);
    json_object_set_new(object, key, value);
}

void rd_page_member(json_t *object, const char *name, json_t *value)
{
    if (json_object_size(value) > 0 || json_array_size(value) > 0)
        json_object_set_new(object, name, value);
    else
        json_decref(value);
}

/* ---- values ---- */

struct values {
    char *known; /* a digit a cell */
    json_t *expected, *was, *deviation;
    size_t count;
};

static void put_value(const struct rd_page_run *run, struct values *values, size_t index,
                      const struct rd_history_cell *cell)
{
    const struct rd_numeric *numeric = run->about->numeric;
    const struct rd_deviation *deviation = &cell->deviation;
    char text[TEXT_SIZE];
    values->known[values->count++] = cell->expected_known ? '1' : '0';
    if (cell->expected_known && cell->known && !numeric->same(cell->value, cell->expected)) {
        rd_cell_text(numeric, run->about->a, run->about->n_a, cell->expected, text);
        page_put(values->expected, index, json_string(text));
    }
    if (deviation->limit > 0) {
        char words[4 * TEXT_SIZE];
        snprintf(words, sizeof words,
                 "the exact value is %.9g: the error is %.3g, the bound allows %.3g",
                 deviation->exact, deviation->error, deviation->limit);
        page_put(values->deviation, index, json_string(words));
    }
}

/* Puts the old values of changed cells: one frame after the other, as going between them may cost a run. */
static enum rd_status put_was(const struct rd_page_run *run, const struct rd_frame *frame,
                              const struct rd_picture_shown *shown, const bool *changed,
                              struct values *values, struct rd_error *error)
{
    size_t k = 0;
    for (unsigned part = 0; part < shown->n; part++)
        for (size_t j = 0; j < shown->run[part].count; j++, k++) {
            size_t index = shown->run[part].first + j;
            struct rd_history_cell cell;
            char text[TEXT_SIZE];
            if (!changed[k])
                continue;
            enum rd_status status =
                rd_picture_cell(run->history, frame->before, index, &cell, text, error);
            if (status != RD_OK)
                return status;
            if (text[0] != '\0')
                page_put(values->was, index, json_string(text));
        }
    return RD_OK;
}

static enum rd_status put_values(const struct rd_page_run *run, size_t number,
                                 const struct rd_picture_shown *shown, json_t *object,
                                 struct rd_error *error)
{
    enum rd_status status = RD_OK;
    size_t cells = shown->run[0].count + (shown->n > 1 ? shown->run[1].count : 0), k = 0;
    struct values values = {
        .known = calloc(cells + 1, 1),
        .expected = json_object(),
        .was = json_object(),
        .deviation = json_object(),
    };
    bool *changed = calloc(cells + 1, sizeof *changed);
    if (!values.known || !changed)
        status = rd_fail(error, RD_ERROR_MEMORY, "no memory for the page's data");
    for (unsigned part = 0; part < shown->n && status == RD_OK; part++)
        for (size_t j = 0; j < shown->run[part].count && status == RD_OK; j++) {
            struct rd_history_cell cell;
            size_t index = shown->run[part].first + j;
            status = rd_history_cell(run->history, number, index, &cell, error);
            if (status == RD_OK) {
                changed[k++] = cell.changed;
                put_value(run, &values, index, &cell);
            }
        }
    if (status == RD_OK)
        status =
            put_was(run, rd_history_frame(run->history, number), shown, changed, &values, error);
    if (status == RD_OK)
        json_object_set_new(object, "known", json_string(values.known));
    rd_page_member(object, "expected", values.expected);
    rd_page_member(object, "was", values.was);
    rd_page_member(object, "deviation", values.deviation);
    free(values.known);
    free(changed);
    return status;
}

/* ---- the whole ---- */

/* Its number among those that are shown. */
static void put_before(const struct rd_page_run *run, size_t number, json_t *object)
{
    size_t before = rd_history_frame(run->history, number)->before;
    for (size_t k = 0; k < run->n_frames && run->frames[k] < number; k++)
        if (run->frames[k] == before)
            json_object_set_new(object, "before", json_integer((json_int_t)k));
}

static enum rd_status fill_object(const struct rd_page_run *run, size_t number, json_t *object,
                                  struct rd_page_data *data, struct rd_error *error)
{
    struct rd_picture_shown shown;
    rd_picture_shown(run->history, number, &shown);
    put_before(run, number, object);
    rd_page_claim(run, number, object);
    rd_page_sites(run, number, object);
    enum rd_status status = RD_OK;
    if (page_has_room(data))
        status = put_values(run, number, &shown, object, error);
    if (status == RD_OK && page_has_room(data))
        status = page_sets(run, number, &shown, object, data, error);
    if (status == RD_OK && page_has_room(data))
        status = page_threads(run, number, &shown, object, data, error);
    if (status == RD_OK && page_has_room(data))
        status = page_origins(run, number, &shown, object, data, error);
    return status;
}

/* Writes the object without those of its members for which there is no room, what costs most first. */
static void write_object(json_t *object, struct rd_page_data *data)
{
    static const char *const members[] = {"origins",   "threads", "others", "sets",
                                          "deviation", "was",     "lines",  "expected",
                                          "known",     "before",  "claim"};
    enum { COUNT = sizeof members / sizeof *members };
    size_t before = data->json.size;
    rd_markup_json(&data->json, object);
    for (size_t k = 0; k < COUNT && data->json.size - before > data->bytes; k++) {
        rd_markup_cut(&data->json, before);
        data->spent |= json_object_del(object, members[k]) == 0;
        rd_markup_json(&data->json, object);
    }
    size_t grown = data->json.size - before;
    data->bytes -= grown < data->bytes ? grown : data->bytes;
}

enum rd_status rd_page_frame_data(const struct rd_page_run *run, size_t number, bool drawn,
                                  struct rd_page_data *data, struct rd_error *error)
{
    json_t *object = json_object();
    enum rd_status status = drawn ? fill_object(run, number, object, data, error) : RD_OK;
    if (status == RD_OK)
        write_object(object, data);
    json_decref(object);
    return status;
}
