// SPDX-License-Identifier: MIT
#include "law/words.h"
#include "base/array.h"
#include "law/print.h"

#include <inttypes.h>
#include <stdlib.h>

/* The source, with each run of white space as one space. */
static void write_source(const struct rd_law *law, struct law_span span, FILE *out)
{
    bool space = false;
    for (uint32_t k = span.begin; k < span.end; k++) {
        const char c = law->text[k];
        const bool is_space = c == ' ' || c == '\t' || c == '\r' || c == '\n';
        if (!is_space && space)
            fputc(' ', out);
        if (!is_space)
            fputc(c, out);
        space = is_space;
    }
}

static void write_when(const struct rd_law *law, const struct law_claim *claim, FILE *out)
{
    if (!claim->when)
        return;
    fputs("when ", out);
    write_source(law, claim->when->span, out);
    fputs(": ", out);
}

static void write_definition(const struct rd_law *law, const struct law_definition *definition,
                             FILE *out)
{
    fputs("where ", out);
    for (size_t e = 0; e < definition->n_equations; e++) {
        const struct law_equation *equation = &definition->equations[e];
        fputs(e ? "; " : "", out);
        rd_law_print_head(definition, equation, out);
        fputs(" = ", out);
        write_source(law, equation->body->span, out);
    }
    fputc('\n', out);
}

/* Also what needs no words: G, which the paragraph doesn't define. */
static bool is_told(const struct rd_law_words *words, const struct law_definition *definition)
{
    if (definition->span.end == 0)
        return true;
    for (size_t k = 0; k < words->n_told; k++)
        if (words->told[k] == definition)
            return true;
    return false;
}

static bool tell(struct rd_law_words *words, const struct law_definition *definition, FILE *out)
{
    if (is_told(words, definition))
        return true;
    if (!rd_array_make_room(&words->told, words->n_told, &words->capacity, sizeof *words->told))
        return false;
    words->told[words->n_told++] = definition;
    write_definition(words->law, definition, out);
    return true;
}

enum rd_status rd_law_words(struct rd_law_words *words, const struct rd_law_section *section,
                            FILE *out)
{
    const struct law_claims *claims = &section->claims[RD_LAW_LAW];
    struct law_used used = {0};
    for (size_t k = 0; k < claims->count; k++) {
        rd_law_used_add(&used, &claims->claims[k]);
        write_when(words->law, &claims->claims[k], out);
        write_source(words->law, claims->claims[k].span, out);
        fputs(k + 1 < claims->count ? ";\n" : "\n", out);
    }
    rd_law_used_close(&used);
    bool done = !used.failed;
    for (size_t k = 0; done && k < used.count; k++)
        done = tell(words, used.list[k], out);
    rd_law_used_finish(&used);
    return done ? RD_OK : RD_ERROR_MEMORY;
}

void rd_law_words_finish(struct rd_law_words *words)
{
    free(words->told);
}
