// SPDX-License-Identifier: MIT
#include "view/report/statement.h"
#include "reductio/program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the program's law ---- */

static struct rd_law_sizes sizes_of(const struct rd_shape *shape)
{
    return (struct rd_law_sizes){.n = shape->n, .T = shape->block, .B = shape->grid};
}

void rd_statements_init(struct rd_statements *statements, const struct rd_history_about *about)
{
    const struct rd_law_sizes sizes = sizes_of(&about->shape);
    const char *paragraph = rd_program_law(about->program);
    *statements = (struct rd_statements){.about = about};
    if (paragraph && rd_law_create(&statements->law, paragraph, NULL) == RD_OK &&
        rd_law_run_create(&statements->run, statements->law, &sizes, NULL) != RD_OK)
        statements->run = NULL;
}

void rd_statements_finish(struct rd_statements *statements)
{
    rd_law_run_destroy(statements->run);
    rd_law_destroy(statements->law);
    *statements = (struct rd_statements){0};
}

/* Whether the frame's sentence is the law's: a trace may have any. */
static bool is_law(const struct rd_statements *statements, const struct rd_law_section *section,
                   const struct rd_law_place *place, const struct rd_frame *frame)
{
    char text[RD_STATEMENT_SIZE];
    return rd_law_text_at(statements->run, section, place, text, sizeof text, NULL) == RD_OK &&
           strcmp(text, frame->statement) == 0;
}

static struct rd_law_place place_of(const struct rd_frame *frame)
{
    if (!frame->inside)
        return (struct rd_law_place){.d = frame->step};
    return (struct rd_law_place){
        .d = frame->step,
        .block = frame->place.block,
        .warp = frame->place.warp == RD_WHOLE_BLOCK ? 0 : (uint64_t)frame->place.warp,
        .variable = frame->place.variable,
    };
}

/* ---- as markup ---- */

static bool write_law(struct rd_law_run *run, const struct rd_law_section *section,
                      const struct rd_law_place *place, struct rd_markup *to)
{
    struct rd_law_error error;
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return false;
    bool written = rd_law_mathml_at(run, section, place, out, &error) == RD_OK;
    written = fclose(out) == 0 && written && size > 0;
    if (written)
        rd_markup_raw(to, text);
    free(text);
    return written;
}

/* Nothing else stands behind it. */
static bool is_one_law(const struct rd_law *law)
{
    struct rd_law_about about;
    rd_law_about(rd_law_section_at(law, NULL), &about);
    return rd_law_section_count(law) == 1 && rd_law_input_count(law) == 2 && !about.has_update;
}

/* A sentence in the language of laws, with its numbers in it, whoever has written it. */
static bool write_read(const struct rd_statements *statements, const struct rd_frame *frame,
                       struct rd_markup *to)
{
    const struct rd_law_sizes sizes = sizes_of(&statements->about->shape);
    const struct rd_law_place place = {.d = 0};
    struct rd_law *law = NULL;
    struct rd_law_run *run = NULL;
    char *paragraph = NULL;
    bool written = false;
    if (asprintf(&paragraph, "input a[%zu], b[%zu]\narray %s[%zu]\nlaw %s", statements->about->n_a,
                 statements->about->n_b, frame->array, frame->n_cells, frame->statement) < 0)
        return false;
    if (rd_law_create(&law, paragraph, NULL) == RD_OK && is_one_law(law) &&
        rd_law_run_create(&run, law, &sizes, NULL) == RD_OK)
        written = write_law(run, rd_law_section_at(law, NULL), &place, to);
    rd_law_run_destroy(run);
    rd_law_destroy(law);
    free(paragraph);
    return written;
}

void rd_statements_write(struct rd_statements *statements, const struct rd_frame *frame,
                         struct rd_markup *to)
{
    const char *point = frame->inside ? frame->point : NULL;
    const struct rd_law_section *section =
        statements->run ? rd_law_section_at(statements->law, point) : NULL;
    const struct rd_law_place place = place_of(frame);
    if (section && is_law(statements, section, &place, frame) &&
        write_law(statements->run, section, &place, to))
        return;
    if (write_read(statements, frame, to)) /* in other words, which need no definitions */
        return;
    rd_markup_raw(to, "<p class=\"sentence\">");
    rd_markup_text(to, frame->statement);
    rd_markup_raw(to, "</p>");
}
