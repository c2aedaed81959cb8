// SPDX-License-Identifier: MIT
/* The law in its author's words, with the numbers of a step; behind it the definitions that those words speak of. */
#include "law/print.h"
#include "base/texts.h"

#include <stdlib.h>
#include <string.h>

/* A part of the source, and what stands in its place: a number, or a text, which it owns. */
struct cut {
    const struct law_node *of; /* what it was made for */
    struct law_span span;      /* empty: the text is put in */
    int64_t value;
    bool leaves_out; /* nothing */
    char *text;      /* NULL: the number */
};

struct cuts {
    struct cut *list;
    size_t count, capacity;
};

/* The text that is being written. */
struct output {
    char *text;
    size_t length, capacity;
    bool failed; /* there was no memory for more */
};

struct writing {
    struct rd_law_run *run;
    const struct law_uses *uses;
    uint32_t known; /* the variables that have a value, as bits */
    struct cuts cuts;
};

static bool write_part(struct rd_law_run *run, const struct law_uses *uses, uint32_t known,
                       const struct law_node *node, struct output *out);

static void put(struct output *out, const char *text, size_t length)
{
    if (!out->text || out->capacity - out->length < length) {
        size_t capacity = 2 * out->capacity + length + 256;
        char *grown = realloc(out->text, capacity);
        out->failed |= !grown;
        if (!grown)
            return;
        out->text = grown;
        out->capacity = capacity;
    }
    memcpy(out->text + out->length, text, length);
    out->length += length;
}

static void put_text(struct output *out, const char *text)
{
    put(out, text, strlen(text));
}

static void put_number(struct output *out, int64_t value)
{
    char digits[RD_DIGITS_SIZE];
    const int length = rd_digits_signed(digits, value);
    put(out, digits, (size_t)length);
}

/* Frees the text of a cut that stands there already: 0 <= i, j < n has its ends twice. */
static bool add_cut(struct writing *writing, struct cut cut)
{
    struct cuts *cuts = &writing->cuts;
    for (size_t k = 0; k < cuts->count; k++) {
        const struct cut *other = &cuts->list[k];
        if (other->of == cut.of && other->span.begin == cut.span.begin &&
            other->span.end == cut.span.end) {
            free(cut.text);
            return true;
        }
    }
    if (cuts->count == cuts->capacity) {
        size_t capacity = cuts->capacity ? 2 * cuts->capacity : 16;
        struct cut *grown = realloc(cuts->list, capacity * sizeof *grown);
        if (!grown) {
            free(cut.text);
            return rd_law_run_no_memory(writing->run);
        }
        cuts->list = grown;
        cuts->capacity = capacity;
    }
    cuts->list[cuts->count++] = cut;
    return true;
}

/* ---- what is written otherwise ---- */

/* Puts brackets around a part of the source. */
static bool put_in_brackets(struct writing *writing, const struct law_node *node)
{
    const struct law_span ends[2] = {{node->span.begin, node->span.begin},
                                     {node->span.end, node->span.end}};
    for (unsigned k = 0; k < 2; k++) {
        struct cut cut = {.of = node, .span = ends[k], .text = strdup(k ? ")" : "(")};
        if (!cut.text)
            return rd_law_run_no_memory(writing->run);
        if (!add_cut(writing, cut))
            return false;
    }
    return true;
}

/* Leaves out a 0 beside that side of a sum, and brackets around both that one side alone doesn't need. */
static bool cut_zero(struct writing *writing, const struct law_node *sum,
                     const struct law_node *left)
{
    const bool brackets = sum->bracketed && rd_law_level(left) < LAW_LEVEL_PRIMARY;
    struct law_span before = {sum->span.begin, left->span.begin};
    struct law_span behind = {left->span.end, sum->span.end};
    if (brackets) {
        before.begin = sum->kids[0]->span.begin;
        behind.end = sum->kids[1]->span.end;
    }
    return (before.begin == before.end ||
            add_cut(writing, (struct cut){.of = sum, .span = before, .leaves_out = true})) &&
           (behind.begin == behind.end ||
            add_cut(writing, (struct cut){.of = sum, .span = behind, .leaves_out = true}));
}

/* Leaves out the indices of a defined array that are the same wherever it is spoken of. */
static bool cut_known_indices(struct writing *writing, const struct law_node *element)
{
    const char *text = writing->run->law->text;
    for (size_t k = 0; k < element->n_kids; k++) {
        struct law_span span = element->kids[k]->span;
        if (!rd_law_use_knows(writing->uses, element->definition, k))
            continue;
        while (text[span.begin] != '[')
            span.begin--;
        while (text[span.end - 1] != ']')
            span.end++;
        if (!add_cut(writing,
                     (struct cut){.of = element->kids[k], .span = span, .leaves_out = true}))
            return false;
    }
    return true;
}

/* r_2(j), where r_(d+1)(j) = r_d(j) mod 3, as r_1(j) mod 3 and so on. */
static bool cut_family(struct writing *writing, const struct law_node *node, bool brackets)
{
    const struct law_node *body;
    struct cut cut = {.of = node, .span = node->span};
    struct output out = {0};
    size_t base, top;
    uint32_t known;
    if (!rd_law_enter_family(writing->run, node, &body, &known, &base, &top))
        return false;
    put_text(&out, brackets ? "(" : "");
    bool done = write_part(writing->run, writing->uses, known, body, &out);
    put_text(&out, brackets ? ")" : "");
    put(&out, "", 1); /* its end */
    rd_law_run_pop(writing->run, base, top);
    if (done && out.failed)
        done = rd_law_run_no_memory(writing->run);
    cut.text = out.text;
    if (done)
        return add_cut(writing, cut);
    free(out.text);
    return false;
}

/* Finds what is written otherwise at this place: first of all the largest parts that are numbers. What has no value stays,
 * as a condition before it may be false. */
static bool find_cuts(struct writing *writing, const struct law_node *parent, size_t k)
{
    const struct law_node *node = parent->kids[k];
    const bool element = node->kind == LAW_ELEMENT && node->meaning == LAW_IS_DEFINITION;
    struct cut number = {.of = node, .span = node->span};
    bool brackets;
    if (rd_law_has_value(writing->run, node, writing->known, &number.value))
        return add_cut(writing, number);
    if (!rd_law_part_needs_brackets(writing->run, writing->known, parent, k, &brackets))
        return false;
    if (rd_law_is_written_out(writing->run, node, writing->known))
        return cut_family(writing, node, brackets);
    const struct law_node *left = rd_law_beside_zero(writing->run, node, writing->known);
    if ((brackets && !put_in_brackets(writing, node)) || (left && !cut_zero(writing, node, left)) ||
        (element && !cut_known_indices(writing, node)))
        return false;
    for (size_t kid = 0; kid < node->n_kids; kid++)
        if (!(left && node->kids[kid] != left) &&
            !(element && rd_law_use_knows(writing->uses, node->definition, kid)) &&
            !find_cuts(writing, node, kid))
            return false;
    return true;
}

static int compare_cuts(const void *x, const void *y)
{
    const struct cut *a = x, *b = y;
    const int order = (a->span.begin > b->span.begin) - (a->span.begin < b->span.begin);
    return order ? order : (a->span.end > b->span.end) - (a->span.end < b->span.end);
}

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* The source, with each run of white space that breaks a line as one space. */
static void write_source(const struct rd_law *law, uint32_t begin, uint32_t end, struct output *out)
{
    const char *text = law->text;
    uint32_t from = begin;
    for (uint32_t k = begin; k < end; k++) {
        if (text[k] != '\n')
            continue;
        uint32_t first = k;
        while (first > from && is_space(text[first - 1]))
            first--;
        put(out, text + from, first - from);
        put_text(out, " ");
        while (k + 1 < end && is_space(text[k + 1]))
            k++;
        from = k + 1;
    }
    if (from < end)
        put(out, text + from, end - from);
}

static bool is_of_word(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* Keeps words apart between which stood a bracket: j mod(w) as j mod 4. */
static void part_words(struct output *out, char next)
{
    if (out->length > 0 && is_of_word(out->text[out->length - 1]) && is_of_word(next))
        put_text(out, " ");
}

static void write_cut(const struct rd_law *law, const struct cut *cut, struct output *out)
{
    const char before = cut->span.begin > 0 ? law->text[cut->span.begin - 1] : ' ';
    if (!cut->leaves_out && cut->span.begin < cut->span.end && before >= '0' && before <= '9')
        put_text(out, "*"); /* 3k */
    if (!cut->leaves_out)
        part_words(out, cut->text ? cut->text[0] : cut->value < 0 ? '(' : '0');
    if (cut->text)
        put_text(out, cut->text);
    else if (!cut->leaves_out) {
        const bool brackets = cut->value < 0 && !(before == '(' && law->text[cut->span.end] == ')');
        put_text(out, brackets ? "(" : "");
        put_number(out, cut->value);
        put_text(out, brackets ? ")" : "");
    }
}

/* The source behind a cut. */
static void write_between(const struct rd_law *law, uint32_t begin, uint32_t end,
                          struct output *out)
{
    if (begin < end)
        part_words(out, law->text[begin]);
    write_source(law, begin, end, out);
}

/* Writes the source with its cuts, and frees these. */
static void write_span(struct writing *writing, struct law_span span, bool done, struct output *out)
{
    struct cuts *cuts = &writing->cuts;
    uint32_t at = span.begin;
    if (cuts->count > 0)
        qsort(cuts->list, cuts->count, sizeof *cuts->list, compare_cuts);
    for (size_t k = 0; k < cuts->count; k++) {
        const struct cut *cut = &cuts->list[k];
        if (done) {
            write_between(writing->run->law, at, cut->span.begin, out);
            write_cut(writing->run->law, cut, out);
            at = cut->span.end;
        }
        free(cut->text);
    }
    if (done)
        write_between(writing->run->law, at, span.end, out);
    free(cuts->list);
}

static bool write_part(struct rd_law_run *run, const struct law_uses *uses, uint32_t known,
                       const struct law_node *node, struct output *out)
{
    struct writing writing = {.run = run, .uses = uses, .known = known};
    struct law_node *kids[] = {(struct law_node *)node};
    const struct law_node alone = {.kind = LAW_NOT, .n_kids = 1, .kids = kids};
    bool done = find_cuts(&writing, &alone, 0);
    write_span(&writing, node->span, done, out);
    return done;
}

static bool write_claim(struct rd_law_run *run, const struct law_uses *uses,
                        const struct law_claim *claim, struct output *out)
{
    struct writing writing = {.run = run, .uses = uses};
    struct law_node *kids[] = {claim->value};
    const struct law_node value = {.kind = LAW_NOT, .n_kids = 1, .kids = kids};
    bool done = true;
    for (size_t k = 0; done && claim->binding && k < claim->binding->n_conditions; k++) {
        const struct law_node conditions = {
            .kind = LAW_NOT, .n_kids = 1, .kids = &claim->binding->conditions[k]};
        done = find_cuts(&writing, &conditions, 0);
    }
    for (size_t k = 0; done && k < claim->cell->n_kids; k++)
        done = find_cuts(&writing, claim->cell, k);
    done = done && find_cuts(&writing, &value, 0);
    write_span(&writing, claim->span, done, out);
    return done;
}

/* ---- definitions ---- */

static void write_parameters(const struct law_equation *equation, struct output *out)
{
    for (size_t k = 0; k < equation->n_parameters; k++) {
        put_text(out, k ? ", " : "(");
        put_text(out, equation->parameters[k].name);
    }
    put_text(out, equation->n_parameters > 0 ? ")" : "");
}

/* "x[t]", of a definition with the indices that aren't known; "e_0(j)", "r_(c+1)(j)" */
static void write_head(const struct law_uses *uses, const struct law_definition *definition,
                       const struct law_equation *equation, struct output *out)
{
    put_text(out, definition->name);
    for (size_t k = 0; definition->kind == LAW_LET_ARRAY && k < equation->n_parameters; k++) {
        if (rd_law_use_knows(uses, definition, k))
            continue;
        put_text(out, "[");
        put_text(out, equation->parameters[k].name);
        put_text(out, "]");
    }
    if (definition->kind == LAW_LET_FAMILY && equation->successor) {
        put_text(out, "_(");
        put_text(out, equation->index_name);
        put_text(out, "+1)");
    } else if (definition->kind == LAW_LET_FAMILY) {
        put_text(out, "_");
        put_number(out, equation->index);
    }
    if (definition->kind != LAW_LET_ARRAY)
        write_parameters(equation, out);
}

static bool write_equation(struct rd_law_run *run, const struct law_uses *uses,
                           const struct law_definition *definition,
                           const struct law_equation *equation, struct output *out)
{
    uint32_t known;
    size_t base, top;
    put_text(out, "; ");
    write_head(uses, definition, equation, out);
    put_text(out, " = ");
    if (!rd_law_enter_use(run, uses, definition, equation, &known, &base, &top))
        return false;
    bool done = write_part(run, uses, known, equation->body, out);
    rd_law_run_pop(run, base, top);
    return done;
}

static bool write_definitions(struct rd_law_run *run, const struct law_uses *uses,
                              struct output *out)
{
    for (size_t k = 0; k < uses->count; k++) {
        const struct law_definition *definition = uses->list[k].definition;
        bool leaves_out;
        for (size_t e = 0; e < definition->n_equations;
             e = rd_law_next_written(definition, e, &leaves_out)) {
            if (!write_equation(run, uses, definition, &definition->equations[e], out))
                return false;
            rd_law_next_written(definition, e, &leaves_out);
            put_text(out, leaves_out ? "; ..." : "");
        }
    }
    return true;
}

static bool write_claims(struct rd_law_run *run, const struct law_claims *claims,
                         struct output *out)
{
    struct law_uses uses = {0};
    bool first = true, done = rd_law_find_uses(run, claims, &uses);
    for (size_t k = 0; done && k < claims->count; k++) {
        const struct law_claim *claim = &claims->claims[k];
        bool active = true;
        done = !claim->when || rd_law_condition(run, claim->when, &active);
        if (!done || !active)
            continue;
        put_text(out, first ? "" : "; ");
        first = false;
        done = write_claim(run, &uses, claim, out);
    }
    done = done && write_definitions(run, &uses, out);
    free(uses.list);
    return done;
}

static enum rd_status write_text(struct rd_law_run *run, const struct rd_law_section *section,
                                 const struct rd_law_place *place, struct output *out,
                                 struct rd_law_error *error)
{
    rd_law_run_begin(run, error);
    put_text(out, ""); /* a law that claims nothing is a text, too */
    if (rd_law_run_go(run, section, place) &&
        write_claims(run, &section->claims[RD_LAW_LAW], out) && rd_law_run_work(run, NULL) &&
        out->failed)
        rd_law_run_no_memory(run);
    return run->status;
}

enum rd_status rd_law_text(struct rd_law_run *run, const struct rd_law_section *section,
                           const struct rd_law_place *place, FILE *out, struct rd_law_error *error)
{
    struct output text = {0};
    enum rd_status status = write_text(run, section, place, &text, error);
    if (status == RD_OK)
        fwrite(text.text, 1, text.length, out);
    free(text.text);
    return status;
}

enum rd_status rd_law_text_at(struct rd_law_run *run, const struct rd_law_section *section,
                              const struct rd_law_place *place, char *text, size_t size_bytes,
                              struct rd_law_error *error)
{
    struct output out = {0};
    enum rd_status status = write_text(run, section, place, &out, error);
    if (status == RD_OK) {
        const size_t length = out.length < size_bytes ? out.length : size_bytes - 1;
        memcpy(text, out.text, length);
        text[length] = '\0';
    }
    free(out.text);
    return status;
}
