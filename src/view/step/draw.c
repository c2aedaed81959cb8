// SPDX-License-Identifier: MIT
#include "view/step/draw.h"
#include "reductio/sources.h"
#include "view/parts.h"
#include "reductio/summary.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the source ---- */

/* The first line to show: the marked one is in the middle, and the part fills the rows. */
static unsigned first_line(const struct rd_source *source, unsigned line, unsigned rows)
{
    unsigned last_start = source->last + 1 > rows ? source->last + 1 - rows : 1;
    if (last_start < source->first)
        last_start = source->first;
    unsigned start = line > rows / 2 ? line - rows / 2 : 1;
    if (line == 0)
        start = source->first;
    start = start > last_start ? last_start : start;
    return start < source->first ? source->first : start;
}

static void draw_line(struct rd_canvas *canvas, const struct rd_step_area *area, int row,
                      const struct rd_source *source, unsigned number, bool marked)
{
    size_t length;
    char text[256];
    const char *line = rd_source_line(source->text, number, &length);
    if (!line)
        return;
    enum rd_ink ink = marked ? RD_INK_BOLD : RD_INK_PLAIN;
    int x = rd_canvas_print(canvas, area->x, area->y + row, marked ? ink : RD_INK_DIM, "%s%4u ",
                            marked ? "▶" : " ", number);
    snprintf(text, sizeof text, "%.*s", (int)length, line);
    text[strcspn(text, "\r")] = '\0';
    rd_canvas_clip(canvas, x, area->y + row, area->x + area->width, ink, text);
}

/* Draws why there is nothing to see of the kernel. Returns how many rows it took. */
static int draw_absence(struct rd_canvas *canvas, const struct rd_step_area *area,
                        const char *kernel, const struct rd_error *why)
{
    char text[sizeof why->text + 32], title[96] = " no kernel ";
    if (rd_is_of_host(kernel))
        snprintf(title, sizeof title, " no kernel: on the host ");
    else if (kernel[0] != '\0')
        snprintf(title, sizeof title, " kernel %s ", kernel);
    rd_canvas_clip(canvas, area->x + 2, area->y, area->x + area->width, RD_INK_DIM, title);
    if (kernel[0] == '\0' || rd_is_of_host(kernel))
        return 1;
    snprintf(text, sizeof text, "its source isn't shown: %s", why->text);
    const struct rd_canvas_area below = {.x = area->x + 1,
                                         .y = area->y + 1,
                                         .end = area->x + area->width,
                                         .rows_max = area->height - 1};
    return 1 + rd_canvas_wrap(canvas, &below, RD_INK_DIM, text);
}

/* The kernel's source around the line that just ran. Returns how many rows it took. */
static int draw_source(struct rd_stepper *stepper, struct rd_canvas *canvas,
                       const struct rd_step_area *area)
{
    const struct rd_frame *frame = rd_stepper_frame(stepper);
    const struct rd_frame *of = frame;
    const struct rd_access *ran = rd_stepper_ran(stepper);
    /* Before the first round, what it will run. */
    if (of->kernel[0] == '\0' && rd_history_frames(stepper->history) > 1)
        of = rd_history_frame(stepper->history, 1);
    const char *kernel = of->kernel;
    const struct rd_source *stands = ran ? rd_access_source(ran, kernel) : NULL;
    struct rd_error why;
    const struct rd_source *source =
        stands ? stands : rd_kernel_source(stepper->about->program, kernel, &why);
    unsigned line = stands ? ran->line : rd_played_line(stepper->about->program);
    if (source && (line < source->first || line > source->last) && !stands)
        line = 0;
    if (area->height < 2)
        return 0;
    rd_canvas_horizontal(canvas, area->x, area->x + area->width - 1, area->y, RD_INK_DIM,
                         RD_STYLE_SOLID);
    if (!source)
        return draw_absence(canvas, area, kernel, &why);
    bool own = strcmp(source->name, kernel) == 0;
    char names[RD_KERNEL_NAMES_SIZE], title[320];
    rd_kernel_names_text(kernel, &of->round, names);
    snprintf(title, sizeof title, " %s: %s%s%s%s ", source->path, own ? "" : "called by ", kernel,
             names[0] ? "; " : "", names);
    rd_canvas_clip(canvas, area->x + 2, area->y, area->x + area->width, RD_INK_DIM, title);
    unsigned rows = (unsigned)area->height - 1, first = first_line(source, line, rows);
    unsigned row = 0;
    for (; row < rows && first + row <= source->last; row++)
        draw_line(canvas, area, (int)row + 1, source, first + row, first + row == line);
    return (int)row + 1;
}

/* ---- overlays ---- */

/* Texts over the screen: the keys, a cell's details, hazards, a thread's accesses. */

static void draw_text(struct rd_canvas *canvas, const struct rd_step_area *area, size_t from,
                      const char *text)
{
    for (size_t line = 0; *text; line++) {
        size_t length = strcspn(text, "\n");
        if (line >= from && line - from < (size_t)area->height) {
            char copy[512];
            snprintf(copy, sizeof copy, "%.*s", (int)length, text);
            rd_canvas_clip(canvas, area->x, area->y + (int)(line - from), area->x + area->width,
                           copy[0] == '>' ? RD_INK_BOLD : RD_INK_PLAIN, copy);
        }
        text += length + (text[length] == '\n');
    }
}

static void measure(const char *text, size_t *lines, int *columns)
{
    *lines = 0;
    *columns = 0;
    while (*text) {
        char copy[512];
        size_t length = strcspn(text, "\n");
        snprintf(copy, sizeof copy, "%.*s", (int)length, text);
        int width = rd_canvas_columns(copy);
        *columns = width > *columns ? width : *columns;
        ++*lines;
        text += length + (text[length] == '\n');
    }
}

/* Bytes of the line that go into so many columns: up to a space or behind a comma, if there is one. */
static size_t that_fit(const char *line, size_t length, int columns)
{
    size_t size = 0, last = 0;
    for (int column = 0; size < length; column++) {
        if (column == columns)
            return last > 0 ? last : size;
        if (line[size] == ' ')
            last = size;
        do
            size++;
        while (size < length && ((unsigned char)line[size] & 0xC0) == 0x80);
        if (line[size - 1] == ',')
            last = size;
    }
    return length;
}

/* The text with lines of at most so many columns; what is broken goes on behind the labels. The
 * caller frees it. NULL: no memory. */
static char *wrapped(const char *text, int columns)
{
    enum { LABEL = 13 };
    char *copy = NULL;
    size_t size;
    FILE *out = open_memstream(&copy, &size);
    if (!out)
        return NULL;
    for (; *text; text += *text == '\n') {
        size_t length = strcspn(text, "\n"), part = that_fit(text, length, columns);
        fprintf(out, "%.*s\n", (int)part, text);
        for (text += part, length -= part; length > 0; text += part, length -= part) {
            size_t blank = strspn(text, " ");
            blank = blank < length ? blank : length;
            text += blank;
            length -= blank;
            part = that_fit(text, length, columns - LABEL);
            fprintf(out, "%*s%.*s\n", LABEL, "", (int)part, text);
        }
    }
    if (fclose(out) == 0)
        return copy;
    free(copy);
    return NULL;
}

static void draw_frame(struct rd_stepper *stepper, struct rd_canvas *canvas, const char *title,
                       const char *whole)
{
    size_t lines;
    int columns;
    char *text = wrapped(whole, (int)canvas->width - 4);
    if (!text)
        return;
    measure(text, &lines, &columns);
    int width = columns + 4, height = (int)lines + 2, bottom = (int)canvas->height - 1;
    width = width < rd_canvas_columns(title) + 6 ? rd_canvas_columns(title) + 6 : width;
    width = width > (int)canvas->width ? (int)canvas->width : width;
    height = height > bottom ? bottom : height;
    int x = ((int)canvas->width - width) / 2, y = (bottom - height) / 2;
    rd_canvas_frame(canvas, x, y, width, height, RD_INK_PLAIN);
    rd_canvas_print(canvas, x + 2, y, RD_INK_BOLD, " %s ", title);
    size_t shown = (size_t)height - 2, most = lines > shown ? lines - shown : 0;
    if (stepper->scroll > most)
        stepper->scroll = most;
    if (most > 0)
        rd_canvas_print(canvas, x + 2, y + height - 1, RD_INK_DIM, " %zu-%zu of %zu: Down, Up ",
                        stepper->scroll + 1, stepper->scroll + shown, lines);
    const struct rd_step_area area = {x + 2, y + 1, width - 4, height - 2};
    draw_text(canvas, &area, stepper->scroll, text);
    free(text);
}

static void draw_overlay(struct rd_stepper *stepper, struct rd_canvas *canvas)
{
    char *text = NULL, title[128];
    switch (stepper->overlay) {
    case RD_OVERLAY_NONE:
    case RD_OVERLAY_TRACE: /* stands in the facts' place */
        return;
    case RD_OVERLAY_HELP:
        snprintf(title, sizeof title, "keys");
        text = rd_step_help_text();
        break;
    case RD_OVERLAY_CELL:
        snprintf(title, sizeof title, "%s[%zu]", rd_stepper_frame(stepper)->array, stepper->cell);
        text = rd_stepper_details_text(stepper);
        break;
    case RD_OVERLAY_HAZARDS:
        snprintf(title, sizeof title, "hazards");
        text = rd_stepper_hazards_text(stepper);
        break;
    case RD_OVERLAY_PROOF:
        snprintf(title, sizeof title, "why %s[%zu]", rd_stepper_frame(stepper)->array,
                 stepper->cell);
        text = rd_stepper_proof_text(stepper);
        break;
    }
    if (text)
        draw_frame(stepper, canvas, title, text);
    free(text);
}

/* ---- the prompt ---- */

/* A line that is typed, at the bottom of the screen, and below it what is wrong with it:
 *
 *      law: for 0 <= i < w A[i] = a[i]
 *                          ^
 *      ',' or ':' after the ranges expected, and 'A' stands here
 */

/* Returns the part of the line that is scrolled out at the left, so that the cursor is on the screen. */
static size_t hidden_part(const struct rd_canvas *canvas, const struct rd_step_prompt *prompt)
{
    enum { ROOM_MIN = 8 };
    size_t label = (size_t)rd_canvas_columns(prompt->label);
    size_t room = label + ROOM_MIN < canvas->width ? canvas->width - label - 1 : ROOM_MIN;
    return prompt->cursor > room ? prompt->cursor - room : 0;
}

static struct rd_canvas_area area_of_mistake(const struct rd_canvas *canvas, int y)
{
    enum { ROWS_MAX = 3 };
    return (struct rd_canvas_area){
        .x = 1, .y = y, .end = (int)canvas->width - 1, .rows_max = ROWS_MAX};
}

/* The rows that a line which is typed takes at the bottom, with what is wrong with it below it; and draws it there. */
static int prompt_rows(struct rd_canvas *canvas, const struct rd_step_prompt *prompt)
{
    const struct rd_canvas_area out_of_sight = area_of_mistake(canvas, (int)canvas->height);
    return prompt->mistake ? 2 + rd_canvas_wrap(canvas, &out_of_sight, RD_INK_BAD, prompt->mistake)
                           : 1;
}

static void draw_prompt(struct rd_canvas *canvas, const struct rd_step_prompt *prompt)
{
    int width = (int)canvas->width, height = (int)canvas->height;
    int y = height - prompt_rows(canvas, prompt);
    size_t hidden = hidden_part(canvas, prompt);
    for (int row = y; row < height; row++)
        rd_canvas_print(canvas, 0, row, RD_INK_PLAIN, "%*s", width, "");
    int start = rd_canvas_print(canvas, 0, y, RD_INK_BOLD, "%s", prompt->label);
    int end = rd_canvas_print(canvas, start, y, RD_INK_BOLD, "%s", prompt->line + hidden);
    if (prompt->line[prompt->cursor] == '\0')
        rd_canvas_print(canvas, end, y, RD_INK_BOLD, "_");
    else
        rd_canvas_reverse(canvas, start + (int)(prompt->cursor - hidden), y, 1);
    if (!prompt->mistake)
        return;
    const struct rd_canvas_area area = area_of_mistake(canvas, y + 2);
    if (prompt->column > hidden)
        rd_canvas_print(canvas, start + (int)(prompt->column - 1 - hidden), y + 1, RD_INK_BAD, "^");
    rd_canvas_wrap(canvas, &area, RD_INK_BAD, prompt->mistake);
}

/* ---- the screen ---- */

/* From this width on the source stands beside the facts, where it does not fit below them. */
enum { WIDTH_TWO_COLUMNS = 120 };

/* Rows that the facts take where all is well. */
static int facts_min(const struct rd_stepper *stepper, int width)
{
    int watches = (int)stepper->watches.count;
    return (width < 72 ? 9 : 8) + (watches > 1 ? watches - 1 : 0) + (stepper->law.text ? 2 : 0);
}

/* Rows that the source has to itself: a law of one's own is what one looks at, and takes them. */
static int source_min(const struct rd_stepper *stepper)
{
    return stepper->law.text ? 0 : 3;
}

static void draw_title(struct rd_stepper *stepper, struct rd_canvas *canvas)
{
    const struct rd_history_about *about = stepper->about;
    char left[512], right[160];
    int x = rd_canvas_print(canvas, 1, 0, RD_INK_BOLD, "%s", about->program->name);
    snprintf(left, sizeof left, ": n = %zu, %s, values %s%s, %s", about->shape.n,
             about->numeric->title, about->values ? about->values : "?",
             stepper->view == RD_SHOW_SETS && !about->witness ? ", as sets" : "", about->device);
    if (stepper->quiz.on)
        snprintf(right, sizeof right, " quiz: %u of %u right ", stepper->quiz.right,
                 stepper->quiz.asked);
    else
        snprintf(right, sizeof right, " cells show %s ", rd_step_view_name(stepper->view));
    int end = (int)canvas->width - rd_canvas_columns(right);
    rd_canvas_clip(canvas, x, 0, end - 1, RD_INK_PLAIN, left);
    rd_canvas_print(canvas, end, 0, RD_INK_PLAIN, "%s", right);
    rd_canvas_reverse(canvas, 0, 0, (int)canvas->width);
}

/* ---- the status line ---- */

/* In at most so many columns: what there is no room for is left out from the end on. */
static void status_text(const struct rd_stepper *stepper, int columns, char *text, size_t size)
{
    const struct rd_frame *frame = rd_stepper_frame(stepper);
    const struct rd_round *round = &frame->round;
    char grid[RD_DIMENSIONS_TEXT_SIZE], block[RD_DIMENSIONS_TEXT_SIZE], place[RD_SENTENCE_SIZE],
        threads[RD_THREADS_TEXT_SIZE], parts[4][RD_SENTENCE_SIZE];
    if (!frame->has_round) {
        snprintf(text, size, "step 0 of %u: initialization, before the first round",
                 stepper->about->rounds);
        return;
    }
    rd_dimensions_text(round->grid, round->grid_y, grid);
    rd_dimensions_text(round->block, round->block_y, block);
    snprintf(text, size, "round %u of %u: ", round->number, stepper->about->rounds);
    if (frame->inside)
        snprintf(parts[0], sizeof parts[0], "%s",
                 rd_place_text(&frame->place, frame->variable, place));
    else
        snprintf(parts[0], sizeof parts[0], "%s = %zu", round->width_name, round->width);
    snprintf(parts[1], sizeof parts[1], frame->inside ? " at '%s'" : "%s", frame->point);
    if (rd_is_of_host(round->kernel_name)) {
        snprintf(parts[2], sizeof parts[2], ", on the host");
        parts[3][0] = '\0';
    } else {
        snprintf(parts[2], sizeof parts[2], ", grid %s x block %s", grid, block);
        snprintf(parts[3], sizeof parts[3], ", %s", rd_threads_text(round, threads));
    }
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) {
        size_t length = strlen(text);
        if (k == 0 || rd_canvas_columns(text) + rd_canvas_columns(parts[k]) <= columns)
            snprintf(text + length, size - length, "%s", parts[k]);
    }
}

/* A message may take rows above the status line, too, which the other parts then do without: as
 * many as leave them what must be seen. */
static int status_rows(const struct rd_stepper *stepper, struct rd_canvas *canvas,
                       const struct rd_step_prompt *prompt)
{
    enum { OTHERS_MIN = 16 };
    int height = (int)canvas->height;
    const struct rd_canvas_area out_of_sight = {
        .x = 1, .y = height, .end = (int)canvas->width - 1, .rows_max = height - OTHERS_MIN};
    if (prompt)
        return prompt_rows(canvas, prompt);
    if (stepper->message[0] == '\0')
        return 1;
    return rd_canvas_wrap(canvas, &out_of_sight, RD_INK_BOLD, stepper->message);
}

static void draw_message(struct rd_stepper *stepper, struct rd_canvas *canvas)
{
    int height = (int)canvas->height, width = (int)canvas->width;
    int rows = status_rows(stepper, canvas, NULL);
    const struct rd_canvas_area area = {
        .x = 1, .y = height - rows, .end = width - 1, .rows_max = rows};
    for (int y = area.y; y < height; y++)
        rd_canvas_print(canvas, 0, y, RD_INK_PLAIN, "%*s", width, "");
    rd_canvas_wrap(canvas, &area, RD_INK_BOLD, stepper->message);
    for (int y = area.y; y < height; y++)
        rd_canvas_reverse(canvas, 0, y, width);
}

static void draw_status(struct rd_stepper *stepper, struct rd_canvas *canvas,
                        const struct rd_step_prompt *prompt)
{
    static const char hint[] = " ? keys  q quit ";
    char text[RD_STEP_MESSAGE_SIZE];
    int y = (int)canvas->height - 1, x = (int)canvas->width - (int)strlen(hint);
    if (prompt) {
        draw_prompt(canvas, prompt);
        return;
    }
    if (stepper->message[0] != '\0') {
        draw_message(stepper, canvas);
    } else {
        status_text(stepper, x - 1, text, sizeof text);
        rd_canvas_clip(canvas, 1, y, x, RD_INK_PLAIN, text);
        rd_canvas_print(canvas, x, y, RD_INK_PLAIN, "%s", hint);
        rd_canvas_reverse(canvas, 0, y, (int)canvas->width);
    }
}

/* ---- all of it ---- */

/* Draws the parts above row `bottom`, with so many blank rows between them, the source below the
 * facts or beside them. Returns how many rows are left over. */
static int draw_parts(struct rd_stepper *stepper, struct rd_canvas *canvas, int gap, int bottom,
                      bool beside)
{
    int width = (int)canvas->width;
    rd_canvas_clear(canvas);
    draw_title(stepper, canvas);
    int y = rd_step_draw_array(stepper, canvas, 1 + gap,
                               bottom - 1 - facts_min(stepper, width) - source_min(stepper));
    struct rd_step_area facts = {1, y + gap, beside ? width / 2 - 2 : width - 2, 0};
    facts.height = bottom - facts.y - (beside ? 0 : source_min(stepper));
    int rows = rd_step_draw_facts(stepper, canvas, &facts);
    struct rd_step_area source = {1, facts.y + rows + gap, width - 2, 0};
    if (beside)
        source = (struct rd_step_area){width / 2 + 1, y + gap, width - width / 2 - 2, 0};
    source.height = bottom - source.y;
    int used = draw_source(stepper, canvas, &source);
    return bottom - (beside && rows > used ? facts.y + rows : source.y + used);
}

static void draw_too_small(struct rd_canvas *canvas)
{
    const struct rd_canvas_area area = {.end = (int)canvas->width, .rows_max = (int)canvas->height};
    rd_canvas_clear(canvas);
    char text[160];
    snprintf(text, sizeof text,
             "%u x %u is too small: make the terminal at least %d x %d, or press q to leave",
             canvas->width, canvas->height, RD_STEP_WIDTH_MIN, RD_STEP_HEIGHT_MIN);
    rd_canvas_wrap(canvas, &area, RD_INK_PLAIN, text);
}

void rd_step_draw(struct rd_stepper *stepper, struct rd_canvas *canvas,
                  const struct rd_step_prompt *prompt)
{
    if (canvas->width < RD_STEP_WIDTH_MIN || canvas->height < RD_STEP_HEIGHT_MIN) {
        draw_too_small(canvas);
        return;
    }
    int bottom = (int)canvas->height - status_rows(stepper, canvas, prompt);
    int left = draw_parts(stepper, canvas, 0, bottom, false);
    bool beside = left <= 0 && canvas->width >= WIDTH_TWO_COLUMNS;
    if (beside)
        left = draw_parts(stepper, canvas, 0, bottom, true);
    if (left >= 3) /* so many gaps there are */
        draw_parts(stepper, canvas, 1, bottom, beside);
    draw_overlay(stepper, canvas);
    draw_status(stepper, canvas, prompt);
}
