// SPDX-License-Identifier: MIT
#include "reductio/sources.h"
#include "view/parts.h"
#include "view/report/page.h"

#include <string.h>

enum { SITES_SIZE = 128 };

/* Tells whether the place is on that line of a source's file. */
static bool is_on_line(const struct rd_finding_place *place, const char *path, unsigned line)
{
    const struct rd_source *source =
        place->file && place->line == line ? rd_source_of_file(place->file) : NULL;
    return source && strcmp(source->path, path) == 0;
}

/* A range of the run's hazards. */
struct hazards {
    size_t first, count;
};

static struct hazards all_hazards(const struct rd_page_run *run)
{
    return (struct hazards){.count = rd_history_hazards(run->history)};
}

/* Lists the hazards with a place on that line: "race: read, write". Tells whether there is any. */
static bool sites(const struct rd_page_run *run, struct hazards among, const char *path,
                  unsigned line, char text[SITES_SIZE])
{
    size_t length = 0;
    text[0] = '\0';
    for (size_t k = among.first; k < among.first + among.count; k++) {
        const struct rd_history_hazard *hazard = rd_history_hazard(run->history, k);
        for (unsigned n = 0; n < hazard->n_places && n < 2; n++) {
            const struct rd_finding_place *place = &hazard->places[n];
            char words[SITES_SIZE];
            if (!is_on_line(place, path, line))
                continue;
            snprintf(words, sizeof words, "%s%s%s", hazard->name, place->op[0] ? ": " : "",
                     place->op);
            if (strstr(text, words) || length + strlen(words) + 3 > SITES_SIZE)
                continue;
            length += (size_t)snprintf(text + length, SITES_SIZE - length, "%s%s",
                                       length ? ", " : "", words);
        }
    }
    return length > 0;
}

/* A hazard may be in a function that the kernel calls, elsewhere in the file. */
static void widen(const struct rd_page_run *run, const struct rd_source *source, unsigned *first,
                  unsigned *last)
{
    for (unsigned line = 1; line <= rd_source_lines(source->text); line++) {
        char site[SITES_SIZE];
        if (!sites(run, all_hazards(run), source->path, line, site))
            continue;
        *first = line < *first ? line : *first;
        *last = line > *last ? line : *last;
    }
}

static void source_text(const struct rd_page_run *run, const struct rd_source *source,
                        struct rd_markup *to)
{
    unsigned first = source->first, last = source->last;
    widen(run, source, &first, &last);
    rd_markup_raw(to, "<pre tabindex=\"0\" aria-label=\"");
    rd_markup_text(to, source->path);
    rd_markup_raw(to, "\">");
    for (unsigned line = first; line <= last; line++) {
        size_t length;
        const char *text = rd_source_line(source->text, line, &length);
        char site[SITES_SIZE];
        bool marked = sites(run, all_hazards(run), source->path, line, site);
        if (!text)
            break;
        rd_markup_format(to, "<span class=\"l%s\" data-l=\"%u\"", marked ? " site" : "", line);
        if (marked) {
            rd_markup_raw(to, " data-site=\"");
            rd_markup_text(to, site);
            rd_markup_raw(to, "\"");
        }
        rd_markup_raw(to, ">");
        rd_markup_text_of(to, text, length);
        rd_markup_raw(to, "</span>");
    }
    rd_markup_raw(to, "</pre>");
}

/* `round`: one that runs it, where it is a kernel; else NULL. */
static void source_box(const struct rd_page_run *run, const struct rd_source *source,
                       const char *what, const struct rd_frame *round, struct rd_markup *to)
{
    const char *kernel = round ? round->kernel : NULL;
    char names[RD_KERNEL_NAMES_SIZE];
    const bool helper = source == rd_source_of_file(source->path);
    rd_markup_format(to, "<details class=\"code %s\"%s data-path=\"",
                     kernel   ? "of-kernel"
                     : helper ? "of-helper"
                              : "of-invariant",
                     kernel ? " open" : "");
    rd_markup_text(to, source->path);
    rd_markup_raw(to, "\"");
    if (kernel) {
        rd_markup_raw(to, " data-kernel=\"");
        rd_markup_text(to, kernel);
        rd_markup_raw(to, "\"");
    }
    rd_markup_format(to, "><summary>%s: ", what);
    rd_markup_text(to, source->path);
    if (kernel && rd_kernel_names_text(kernel, &round->round, names)[0]) {
        rd_markup_raw(to, "; ");
        rd_markup_text(to, names);
    }
    rd_markup_raw(to, "</summary>\n");
    source_text(run, source, to);
    rd_markup_raw(to, "</details>\n");
}

/* Says why there is nothing to see of the kernel. */
static void absence_box(const char *kernel, const char *why, struct rd_markup *to)
{
    rd_markup_raw(to, "<details class=\"code of-kernel\" open data-kernel=\"");
    rd_markup_text(to, kernel);
    if (rd_is_of_host(kernel)) {
        rd_markup_raw(to, "\"><summary>no kernel: on the host</summary></details>\n");
        return;
    }
    rd_markup_raw(to, "\"><summary>kernel: ");
    rd_markup_text(to, kernel);
    rd_markup_raw(to, "</summary>\n<p class=\"absent\">Its source isn't shown: ");
    rd_markup_text(to, why);
    rd_markup_raw(to, ".</p></details>\n");
}

/* Tells whether an earlier frame that is shown has the same kernel. */
static bool was_shown_before(const struct rd_page_run *run, size_t k)
{
    const char *kernel = rd_history_frame(run->history, run->frames[k])->kernel;
    for (size_t earlier = 0; earlier < k; earlier++)
        if (strcmp(rd_history_frame(run->history, run->frames[earlier])->kernel, kernel) == 0)
            return true;
    return false;
}

/* ---- claims ---- */

void rd_page_claim(const struct rd_page_run *run, size_t number, json_t *object)
{
    const struct rd_frame *frame = rd_history_frame(run->history, number);
    struct rd_source claim;
    json_t *parts = json_array();
    if (rd_source_of_claim(run->about->program, frame->inside ? &frame->place : NULL, &claim))
        json_array_append_new(
            parts, json_pack("[s, i, i]", claim.path, (int)claim.first, (int)claim.last));
    rd_page_member(object, "claim", parts);
}

static bool is_told(const json_t *told, const char *path, unsigned line)
{
    size_t k;
    const json_t *site;
    json_array_foreach(told, k, site)
    {
        if (json_integer_value(json_array_get(site, 1)) == (json_int_t)line &&
            strcmp(json_string_value(json_array_get(site, 0)), path) == 0)
            return true;
    }
    return false;
}

void rd_page_sites(const struct rd_page_run *run, size_t number, json_t *object)
{
    const struct rd_frame *frame = rd_history_frame(run->history, number);
    const struct hazards own = {frame->first_hazard, frame->n_hazards};
    json_t *told = json_array();
    for (size_t k = own.first; k < own.first + own.count; k++) {
        const struct rd_history_hazard *hazard = rd_history_hazard(run->history, k);
        for (unsigned n = 0; n < hazard->n_places && n < 2; n++) {
            const char *file = hazard->places[n].file;
            const struct rd_source *source = file ? rd_source_of_file(file) : NULL;
            unsigned line = hazard->places[n].line;
            char words[SITES_SIZE];
            if (source && !is_told(told, source->path, line) &&
                sites(run, own, source->path, line, words))
                json_array_append_new(told, json_pack("[o, i, o]", rd_markup_string(source->path),
                                                      (int)line, rd_markup_string(words)));
        }
    }
    rd_page_member(object, "sites", told);
}

void rd_page_sources(const struct rd_page_run *run, const struct rd_page_data *data,
                     struct rd_markup *to)
{
    for (size_t k = 0; k < run->n_frames; k++) {
        const struct rd_frame *frame = rd_history_frame(run->history, run->frames[k]);
        if (!frame->has_round || was_shown_before(run, k))
            continue;
        struct rd_error why;
        const struct rd_source *source = rd_kernel_source(run->about->program, frame->kernel, &why);
        if (source)
            source_box(run, source, "kernel", frame, to);
        else
            absence_box(frame->kernel, why.text, to);
    }
    for (unsigned k = 0; k < data->n_helpers; k++)
        source_box(run, data->helpers[k], "what it calls", NULL, to);
    const struct rd_source *invariant = rd_source_of_invariant(run->about->program);
    if (invariant)
        source_box(run, invariant, "invariant", NULL, to);
    struct rd_source law;
    rd_source_of_law(run->about->program, &law);
    source_box(run, &law, "its claim", NULL, to);
}
