// SPDX-License-Identifier: MIT
/* The law in its author's words, with the numbers of a step. */
#include "law/print.h"
#include "law/run.h"

#include <inttypes.h>
#include <stdlib.h>

/* A part of the source, and the number in its place. */
struct cut {
    struct law_span span;
    int64_t value;
};

struct cuts {
    struct cut *list;
    size_t count, capacity;
};

static bool add_cut(struct rd_law_run *run, struct cuts *cuts, const struct law_node *node)
{
    struct cut cut = {.span = node->span};
    for (size_t k = 0; k < cuts->count; k++)
        if (cuts->list[k].span.begin == node->span.begin)
            return true; /* 0 <= i, j < n has its ends twice */
    if (!rd_law_number(run, node, &cut.value))
        return false;
    if (cuts->count == cuts->capacity) {
        size_t capacity = cuts->capacity ? 2 * cuts->capacity : 16;
        struct cut *grown = realloc(cuts->list, capacity * sizeof *grown);
        if (!grown)
            return rd_law_run_no_memory(run);
        cuts->list = grown;
        cuts->capacity = capacity;
    }
    cuts->list[cuts->count++] = cut;
    return true;
}

/* Finds the largest parts that are numbers at this place. */
static bool find_cuts(struct rd_law_run *run, struct cuts *cuts, const struct law_node *node)
{
    if (rd_law_is_closed(node))
        return add_cut(run, cuts, node);
    for (size_t k = 0; k < node->n_kids; k++)
        if (!find_cuts(run, cuts, node->kids[k]))
            return false;
    return true;
}

static int compare_cuts(const void *x, const void *y)
{
    const struct cut *a = x, *b = y;
    return (a->span.begin > b->span.begin) - (a->span.begin < b->span.begin);
}

/* The source, with each run of white space that breaks a line as one space. */
static void write_source(const struct rd_law *law, uint32_t begin, uint32_t end, FILE *out)
{
    for (uint32_t k = begin; k < end;) {
        uint32_t behind = k;
        bool breaks = false;
        for (; behind < end && (law->text[behind] == ' ' || law->text[behind] == '\t' ||
                                law->text[behind] == '\r' || law->text[behind] == '\n');
             behind++)
            breaks |= law->text[behind] == '\n';
        if (breaks) {
            fputc(' ', out);
            k = behind;
        } else {
            fputc(law->text[k++], out);
        }
    }
}

static bool write_claim(struct rd_law_run *run, const struct law_claim *claim, FILE *out)
{
    struct cuts cuts = {NULL, 0, 0};
    bool done = true;
    for (size_t k = 0; done && claim->binding && k < claim->binding->n_conditions; k++)
        done = find_cuts(run, &cuts, claim->binding->conditions[k]);
    for (size_t k = 0; done && k < claim->cell->n_kids; k++)
        done = find_cuts(run, &cuts, claim->cell->kids[k]);
    done = done && find_cuts(run, &cuts, claim->value);
    if (done) {
        uint32_t at = claim->span.begin;
        if (cuts.count > 0)
            qsort(cuts.list, cuts.count, sizeof *cuts.list, compare_cuts);
        for (size_t k = 0; k < cuts.count; k++) {
            const struct cut *cut = &cuts.list[k];
            write_source(run->law, at, cut->span.begin, out);
            fprintf(out, cut->value < 0 ? "(%" PRId64 ")" : "%" PRId64, cut->value);
            at = cut->span.end;
        }
        write_source(run->law, at, claim->span.end, out);
    }
    free(cuts.list);
    return done;
}

static bool write_claims(struct rd_law_run *run, const struct law_claims *claims, FILE *out)
{
    bool first = true;
    for (size_t k = 0; k < claims->count; k++) {
        const struct law_claim *claim = &claims->claims[k];
        bool active = true;
        if (claim->when && !rd_law_condition(run, claim->when, &active))
            return false;
        if (!active)
            continue;
        if (!first)
            fputs("; ", out);
        first = false;
        if (!write_claim(run, claim, out))
            return false;
    }
    return true;
}

enum rd_status rd_law_text(struct rd_law_run *run, const struct rd_law_section *section,
                           const struct rd_law_place *place, FILE *out, struct rd_law_error *error)
{
    char *text = NULL;
    size_t length = 0;
    rd_law_run_begin(run, error);
    FILE *memory = open_memstream(&text, &length);
    if (!memory) {
        rd_law_run_no_memory(run);
        return run->status;
    }
    bool done = rd_law_run_go(run, section, place) &&
                write_claims(run, &section->claims[RD_LAW_LAW], memory);
    if (fclose(memory) != 0 && done)
        done = rd_law_run_no_memory(run);
    if (done)
        fwrite(text, 1, length, out);
    free(text);
    return run->status;
}
