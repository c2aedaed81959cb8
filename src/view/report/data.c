// SPDX-License-Identifier: MIT
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
#include "view/report/data.h"

#include <stdlib.h>

enum { TEXT_SIZE = RD_PICTURE_TEXT_SIZE };

/* ---- in JSON ---- */

bool rd_page_has_room(struct rd_page_data *data)
{
    enum { WORTH_WHILE = 4096 };
    data->spent |= data->bytes < WORTH_WHILE;
    return data->bytes >= WORTH_WHILE;
}

void rd_page_put(json_t *object, size_t cell, json_t *value)
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
        rd_page_put(values->expected, index, json_string(text));
    }
    if (deviation->limit > 0) {
        char words[4 * TEXT_SIZE];
        snprintf(words, sizeof words,
                 "the exact value is %.9g: the error is %.3g, the bound allows %.3g",
                 deviation->exact, deviation->error, deviation->limit);
        rd_page_put(values->deviation, index, json_string(words));
    }
}

/* What changed cells held: one frame after the other, as going between them may cost a run. */
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
                rd_page_put(values->was, index, json_string(text));
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
    if (rd_page_has_room(data))
        status = put_values(run, number, &shown, object, error);
    if (status == RD_OK && rd_page_has_room(data))
        status = rd_page_sets(run, number, &shown, object, data, error);
    if (status == RD_OK && rd_page_has_room(data))
        status = rd_page_threads(run, number, &shown, object, data, error);
    if (status == RD_OK && rd_page_has_room(data))
        status = rd_page_origins(run, number, &shown, object, data, error);
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
