// SPDX-License-Identifier: MIT
/* Annotations of host code: asserted, which is a goal, and known from there on. */
#include "prove/host/host.h"

#include <stdlib.h>
#include <string.h>

bool rd_host_is_law(const struct rd_syntax_node *node)
{
    return rd_host_is_call(node, "rd_prove_law") || rd_host_is_call(node, "rd_prove_condition");
}

/* ---- paragraphs ---- */

static const struct rd_host_law *input_named(const struct rd_host *host, const char *alias)
{
    for (size_t k = 0; k < host->n_inputs; k++)
        if (strcmp(host->inputs[k]->of->array.alias, alias) == 0)
            return host->inputs[k];
    return NULL;
}

/* What the law is given, in the order of rd_host_given(). */
static void name_given(struct rd_host *host, struct rd_host_law *law, FILE *out)
{
    const struct rd_annotation *of = law->of;
    const char *names[RD_HOST_NAMES_MAX + 8];
    size_t n = 0;
    while (n < of->n_names && n < RD_HOST_NAMES_MAX) {
        names[n] = of->names[n].alias;
        n++;
    }
    names[n++] = "zzcells";
    for (size_t k = 0; k < of->n_inputs; k++) {
        const struct rd_host_law *input = input_named(host, of->inputs[k]);
        names[n++] = rd_terms_text(host->terms, "zzsize%s", of->inputs[k]);
        if (input && input->of->n_names > 1)
            names[n++] = rd_terms_text(host->terms, "zzcolumns%s", of->inputs[k]);
    }
    for (size_t k = 0; k < n; k++)
        fprintf(out, "let %s = 1\n", names[k]);
    const size_t bytes = n * sizeof *names;
    const char **kept = malloc(bytes);
    if (kept)
        memcpy(kept, names, bytes);
    free((void *)law->names);
    law->names = kept;
    law->n_given = kept ? n : 0;
}

static char *paragraph_of(struct rd_host *host, struct rd_host_law *law)
{
    const struct rd_annotation *of = law->of;
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    for (size_t k = 0; k < of->n_inputs; k++) {
        const struct rd_host_law *input = input_named(host, of->inputs[k]);
        fprintf(out, "input %s[zzsize%s]", of->inputs[k], of->inputs[k]);
        if (input && input->of->n_names > 1)
            fprintf(out, "[zzcolumns%s]", of->inputs[k]);
        fputc('\n', out);
    }
    if (of->array.expression)
        fprintf(out, "array %s%s\n", of->array.alias, of->scalar ? "" : "[zzcells]");
    else
        fputs("input zzone[zzcells]\narray zzarray[zzcells]\n", out);
    name_given(host, law, out);
    if (of->array.expression)
        fprintf(out, "law %s\n", of->law);
    else
        fprintf(out, "law when %s: for 0 <= zzk < zzcells: zzarray[zzk] = 0\n", of->law);
    if (fclose(out) == 0 && law->names)
        return text;
    free(text);
    return NULL;
}

/* Of which names the proof knows nothing. */
static bool is_unknown(struct rd_host *host, const struct rd_annotation *of)
{
    const char *what = NULL;
    if (of->n_names > RD_HOST_NAMES_MAX)
        what = "more numbers than a proof takes";
    if (of->n_tables > 0)
        what = "numbers of an input in a condition or an index";
    for (size_t k = 0; k < of->n_names; k++)
        if (strstr(of->names[k].expression, "__rd_law_columns"))
            what = "a law of an array of arrays";
    for (size_t k = 0; k < of->n_inputs; k++)
        if (!input_named(host, of->inputs[k]))
            what = "a law that counts inputs, as one of a histogram";
    if (what)
        rd_subject_fail(host->subject, "%s:%u: %s", host->path, of->line, what);
    return what != NULL;
}

/* The first reduction in the value; NULL where there is none. */
static const struct law_node *reduction_in(const struct law_node *node)
{
    const struct law_node *found = node->kind == LAW_REDUCTION ? node : NULL;
    for (size_t k = 0; k < node->n_kids && !found; k++)
        found = reduction_in(node->kids[k]);
    return found;
}

/* All are by the operation of the first reduction; else they are refused where they are read. */
static void find_operation(struct rd_host *host)
{
    for (size_t k = 0; k < host->n_laws; k++) {
        const struct rd_law *law = host->laws[k].law;
        if (!law || !host->laws[k].of->array.expression)
            continue;
        const struct law_claims *claims = &law->sections[0]->claims[RD_LAW_LAW];
        for (size_t c = 0; c < claims->count; c++) {
            const struct law_node *reduction = reduction_in(claims->claims[c].value);
            if (reduction) {
                host->operation = (enum rd_operation)reduction->op;
                return;
            }
        }
    }
}

enum rd_status rd_host_laws_init(struct rd_host *host, struct rd_error *error)
{
    struct rd_law_error why = {0};
    for (size_t k = 0; k < host->n_laws; k++) {
        struct rd_host_law *law = &host->laws[k];
        law->of = &host->annotations->all[k];
        if (law->of->kind != RD_ANNOTATION_INPUT)
            continue;
        if (host->n_inputs == RD_SUBJECT_UNITS_MAX) {
            rd_subject_fail(host->subject, "%s:%u: more than %d inputs", host->path, law->of->line,
                            RD_SUBJECT_UNITS_MAX);
            return RD_OK;
        }
        law->input = host->n_inputs;
        host->inputs[host->n_inputs++] = law;
    }
    for (size_t k = 0; k < host->n_laws; k++) {
        struct rd_host_law *law = &host->laws[k];
        if (law->of->kind == RD_ANNOTATION_INPUT)
            continue;
        if (is_unknown(host, law->of))
            return RD_OK;
        char *text = paragraph_of(host, law);
        const enum rd_status status = text ? rd_law_create(&law->law, text, &why) : RD_ERROR_MEMORY;
        free(text);
        if (status == RD_ERROR_MEMORY)
            return rd_fail(error, status, "no memory for an annotation");
        if (status != RD_OK)
            rd_subject_fail(host->subject, "%s:%u: %s", host->path, law->of->line, why.what.text);
    }
    find_operation(host);
    if (host->operation >= (enum rd_operation)RD_SELECTING_FIRST)
        rd_subject_fail(host->subject, "%s: a law of the index of an element", host->path);
    return RD_OK;
}

bool rd_host_laws_begin(struct rd_host *host)
{
    for (size_t k = 0; k < host->n_laws; k++) {
        struct rd_host_law *law = &host->laws[k];
        law->size = law->columns = NULL;
        rd_law_reader_destroy(law->reader);
        law->reader = NULL;
        if (!law->law)
            continue;
        for (size_t i = 0; i < law->of->n_inputs && i < RD_SUBJECT_UNITS_MAX; i++)
            law->units[i] = host->subject->units[input_named(host, law->of->inputs[i])->input];
        law->reader = rd_law_reader_create(host->terms, law->law,
                                           (struct rd_law_units){.count = law->of->n_inputs,
                                                                 .index = law->units,
                                                                 .operation = host->operation});
        if (!law->reader) {
            rd_subject_fail_by(host->subject, RD_ERROR_MEMORY, "no memory for a proof");
            return false;
        }
    }
    return true;
}

/* ---- where they stand ---- */

static struct rd_host_law *law_at(struct rd_host *host, const struct rd_syntax_node *call)
{
    const size_t site =
        call->n_kids > 1 && call->kids[1]->kind == RD_SYNTAX_NUMBER ? call->kids[1]->number : 0;
    if (site > 0 && site <= host->n_laws)
        return &host->laws[site - 1];
    RD_HOST_FAIL(host, call, "an annotation that isn't known");
    return NULL;
}

/* The law of the call, noted as one that main() comes to. */
static struct rd_host_law *law_of(struct rd_host *host, const struct rd_syntax_node *call)
{
    struct rd_host_law *law = law_at(host, call);
    if (law)
        law->met = law->met || !host->dry;
    return law;
}

/* Reads the numbers that the annotation takes. */
static bool read_names(struct rd_host *host, const struct rd_syntax_node *call,
                       const struct rd_host_law *law, rd_term names[RD_HOST_NAMES_MAX])
{
    const size_t first = law->of->array.expression ? 3 : 2;
    if (call->n_kids != first + law->of->n_names) {
        RD_HOST_FAIL(host, call, "an annotation that isn't known");
        return false;
    }
    for (size_t k = 0; k < law->of->n_names && rd_host_goes(host); k++) {
        if (law->of->names[k].any)
            rd_term_list_add(host->terms, &host->known,
                             rd_at_most(host->terms, rd_number(host->terms, 0),
                                        names[k] = rd_host_constant(
                                            host, rd_terms_text(host->terms, "%s of requires",
                                                                law->of->names[k].expression))));
        else
            names[k] = rd_host_number(host, call->kids[first + k]);
        if (!law->of->names[k].any && rd_host_goes(host))
            rd_host_note_required(host, law, law->of->names[k].expression, names[k]);
    }
    return rd_host_goes(host);
}

/* Makes the goals that no number is negative: laws are read as of such. `given`, which may be NULL, is known of them. */
static void add_natural_goals(struct rd_host *host, const struct rd_host_law *law,
                              const char *segment, const rd_term *names,
                              const struct rd_term_list *given)
{
    const size_t n_given = given ? given->count : 0;
    for (size_t k = 0; k < law->of->n_names; k++) {
        const rd_term goal = rd_at_most(host->terms, rd_number(host->terms, 0), names[k]);
        bool is_known = law->of->names[k].any || goal->kind == RD_TERM_TRUE;
        for (size_t i = 0; i < host->natural.count && !is_known; i++)
            is_known = host->natural.terms[i] == names[k];
        if (!is_known)
            rd_host_goal(
                host, RD_PROOF_FACT, segment,
                rd_terms_text(host->terms, "'%s' is not negative", law->of->names[k].expression),
                n_given, n_given > 0 ? given->terms : NULL, goal);
    }
}

static void add_defined_goal(struct rd_host *host, const struct rd_host_law *law,
                             const char *segment, const rd_term *given)
{
    const rd_term defined = rd_host_law_defined(host, law, given, host->rounds);
    if (defined->kind != RD_TERM_TRUE)
        rd_host_goal(host, RD_PROOF_FACT, segment, RD_PROOF_LAW_IS_DEFINED, 0, NULL, defined);
}

/* ---- what 'requires' says of a number that may be negative ---- */

/* Tells whether the term means of negative numbers what the law says of them, too: then nothing must be known of their signs. Powers,
 * roots and quotients of them are undefined in a law, and anything as terms. */
static bool is_of_integers(const struct rd_host_law *law, const rd_term *names, rd_term term)
{
    switch (term->kind) {
    case RD_TERM_DIV:
    case RD_TERM_MOD:
        return false;
    case RD_TERM_APPLY:
        for (size_t k = 0; k < law->of->n_names; k++)
            if (law->of->names[k].any && term->n_kids == 1 && term->kids[0] == names[k])
                return strcmp(term->name, "pow2") == 0;
        return false;
    case RD_TERM_HOLDS:
        if (strcmp(term->name, "P2") != 0)
            return false;
        break;
    default:
        break;
    }
    for (unsigned k = 0; k < term->n_kids; k++)
        if (!is_of_integers(law, names, term->kids[k]))
            return false;
    return true;
}

/* Makes the goals of what is required, which is given: by what of it is of all integers no number of the rest is negative. */
static void add_required_goals(struct rd_host *host, const struct rd_host_law *law,
                               const char *segment, const rd_term *names, rd_term condition)
{
    struct rd_term_list given = {0};
    unsigned count;
    const rd_term *parts = rd_term_conjuncts(&condition, &count);
    for (unsigned k = 0; k < count; k++)
        if (is_of_integers(law, names, parts[k]))
            rd_term_list_add(host->terms, &given, parts[k]);
    if (given.count < count)
        add_natural_goals(host, law, segment, names, &given);
    rd_term_list_finish(&given);
}

/* n = 2^k with any k: n is a power of two. */
static rd_term as_power(struct rd_host *host, const struct rd_host_law *law, rd_term condition,
                        const rd_term *names)
{
    struct rd_terms *terms = host->terms;
    rd_wide number;
    if (condition->kind != RD_TERM_EQUAL)
        return condition;
    for (size_t k = 0; k < law->of->n_names; k++)
        for (unsigned side = 0; side < 2 && law->of->names[k].any; side++) {
            const rd_term other = condition->kids[1 - side];
            if (condition->kids[side] != rd_power_of_two(terms, names[k]) ||
                rd_term_has(other, names[k]))
                continue;
            return rd_term_is_number(other, &number)
                       ? rd_truth(terms, rd_host_is_power_of_two(number))
                       : rd_holds(terms, "P2", 1, &other);
        }
    return condition;
}

static rd_term condition_of(struct rd_host *host, const struct rd_syntax_node *call,
                            const struct rd_host_law *law, const char *segment)
{
    rd_term names[RD_HOST_NAMES_MAX];
    if (!read_names(host, call, law, names))
        return rd_true(host->terms);
    const rd_term *given =
        rd_host_given(host, law, law->of->n_names, names, rd_number(host->terms, 1));
    if (!given) {
        RD_HOST_FAIL(host, call, "an annotation that isn't known");
        return rd_true(host->terms);
    }
    const rd_term condition =
        as_power(host, law, rd_host_law_condition(host, law, given, host->rounds), names);
    if (law->of->kind == RD_ANNOTATION_REQUIRES) {
        add_required_goals(host, law, segment, names, condition);
        /* Where it has no value it isn't true. */
        return rd_and(host->terms, rd_host_law_defined(host, law, given, host->rounds), condition);
    }
    add_natural_goals(host, law, segment, names, NULL);
    add_defined_goal(host, law, segment, given);
    return condition;
}

/* The array that the annotation speaks of, from its first cell on. */
static struct rd_host_array *array_of(struct rd_host *host, const struct rd_syntax_node *call)
{
    const struct value value = rd_host_evaluate(host, call->kids[2]);
    struct rd_host_array *array = rd_host_goes(host) ? rd_host_array_of(&value) : NULL;
    if (rd_host_goes(host) && (!array || value.term != rd_number(host->terms, 0)))
        RD_HOST_FAIL(host, call, "an annotation of what is no array that the prover knows");
    if (rd_host_goes(host) && rd_host_awaits(host, array))
        RD_HOST_FAIL(host, call, "a law of '%s' while a copy to it may be under way",
                     array->array.name);
    if (rd_host_goes(host) && !rd_host_is_element(host, array->of))
        RD_HOST_FAIL(host, call, "a law of an array of another type than the inputs'");
    return rd_host_goes(host) ? array : NULL;
}

/* ---- inputs ---- */

static void take_input(struct rd_host *host, const struct rd_syntax_node *call,
                       struct rd_host_law *law)
{
    struct rd_terms *terms = host->terms;
    const rd_term zero = rd_number(terms, 0);
    rd_term names[RD_HOST_NAMES_MAX];
    struct rd_host_array *array = array_of(host, call);
    if (!array || !read_names(host, call, law, names))
        return;
    if (host->n_around > 0) { /* what is known of it would be, where it isn't met */
        RD_HOST_FAIL(host, call, "an input within an 'if' or a loop");
        return;
    }
    if (law->size) {
        RD_HOST_FAIL(host, call, "an input that is met twice");
        return;
    }
    if (!host->element)
        host->element = array->of;
    if (!rd_host_is_element(host, array->of)) {
        RD_HOST_FAIL(host, call, "inputs of two types");
        return;
    }
    const char *segment = rd_terms_text(terms, "line %u", law->of->line);
    add_natural_goals(host, law, segment, names, NULL);
    law->size = names[0];
    law->columns = law->of->n_names > 1 ? names[1] : NULL;
    const rd_term cells = law->columns ? rd_multiply(terms, names[0], names[1]) : names[0];
    rd_host_goal(host, RD_PROOF_IN_BOUNDS, segment, "the input is within its array", 0, NULL,
                 rd_at_most(terms, cells, array->array.size));
    if (law->input == 0) /* what candidates for facts are compared with */
        host->subject->n = cells;
    /* Goals are of one of its elements. */
    rd_host_goal(host, RD_PROOF_FACT, segment, "the input has elements", 0, NULL,
                 rd_at_most(terms, rd_number(terms, 1), cells));
    struct rd_host_content *content = rd_host_content_add(host, RD_HOST_INPUT, array);
    if (!content)
        return;
    content->input = law->input;
    content->cells = cells;
    rd_host_content_set(host, array, content);
    if (array->of && array->of->kind == RD_SYNTAX_FLOAT)
        host->program.type = RD_TYPE_F32;
    const rd_term unit = host->subject->units[law->input];
    if (unit)
        rd_term_list_add(terms, &host->known, rd_within(terms, zero, unit, cells));
}

/* ---- laws ---- */

struct rd_host_content *rd_host_law_content(struct rd_host *host, const struct rd_syntax_node *call,
                                            const struct rd_host_law *law,
                                            const struct rd_host_array *array, const char *segment)
{
    rd_term names[RD_HOST_NAMES_MAX];
    if (!read_names(host, call, law, names))
        return NULL;
    if (segment)
        add_natural_goals(host, law, segment, names, NULL);
    const rd_term *given = rd_host_given(host, law, law->of->n_names, names, array->array.size);
    if (!given) {
        RD_HOST_FAIL(host, call, "a law of an input that isn't met before it");
        return NULL;
    }
    if (segment)
        add_defined_goal(host, law, segment, given);
    struct rd_host_content *content = rd_host_content_add(host, RD_HOST_LAW, array);
    if (content) {
        content->law = law;
        content->given = given;
    }
    return content;
}

enum rd_proof_obligation rd_host_obligation_at(enum rd_host_law_place place)
{
    return place == RD_HOST_AT_START ? RD_PROOF_INITIALIZATION
           : place == RD_HOST_AT_END ? RD_PROOF_PRESERVATION_VALUE
                                     : RD_PROOF_EXIT;
}

/* A law of no cell says nothing, so there must be one; before a loop there need be none, as of a prefix. */
static void add_existence_goal(struct rd_host *host, const struct rd_syntax_node *call,
                               const struct rd_host_array *array,
                               const struct rd_host_content *content, const char *segment,
                               enum rd_host_law_place place)
{
    struct rd_terms *terms = host->terms;
    const rd_term cell = host->subject->cell, zero = rd_number(terms, 0);
    const rd_term live = rd_host_live(host, content->token, cell);
    const rd_term path = host->state->path;
    if (place != RD_HOST_AT_START)
        host->state->path = rd_and(terms, path, live);
    if (path->kind != RD_TERM_FALSE && host->state->path->kind == RD_TERM_FALSE)
        RD_HOST_FAIL(host, call, "a law that claims no cell");
    rd_host_goal(host, RD_PROOF_IN_BOUNDS, segment, "each cell that the law names is in the array",
                 1, &live, rd_within(terms, zero, cell, array->array.size));
    host->state->path = path;
    rd_host_goal(host, RD_PROOF_PRESERVATION_VALUE, segment,
                 "where two claims speak of one cell, they agree", 1, &live,
                 rd_host_law_agrees(host, content, cell));
}

/* The array holds what the law says; the launch stays pending, as further laws may be of it. */
static void hold(struct rd_host_array *array, struct rd_host_content *after)
{
    after->before = array->content;
    array->content = after;
}

static void assert_law(struct rd_host *host, const struct rd_syntax_node *call,
                       const struct rd_host_law *law, const char *segment,
                       enum rd_host_law_place place)
{
    struct rd_terms *terms = host->terms;
    const rd_term cell = host->subject->cell, zero = rd_number(terms, 0);
    struct rd_host_array *array = array_of(host, call);
    struct rd_host_content *after =
        array ? rd_host_law_content(host, call, law, array, segment) : NULL;
    if (!after || host->dry)
        return;
    add_existence_goal(host, call, array, after, segment, place);
    if (host->pending && rd_host_launch_writes(host->pending, array)) {
        rd_host_add_launch_goals(host, array, after);
    } else {
        const rd_term more[] = {rd_within(terms, zero, cell, array->array.size),
                                rd_host_live(host, after->token, cell)};
        const rd_term token = array->content->token;
        rd_host_note_unknown(host, array->content);
        rd_host_goal(host, rd_host_obligation_at(place), segment,
                     "a live cell is what the law says", 2, more,
                     rd_and(terms, rd_host_live(host, token, cell),
                            rd_equal(terms, rd_host_count(host, token, cell),
                                     rd_host_count(host, after->token, cell))));
    }
    if (place == RD_HOST_ALONE)
        hold(array, after);
}

void rd_host_law_assert_of_original(struct rd_host *host, const struct rd_syntax_node *call,
                                    struct rd_host_array *array)
{
    const struct rd_host_law *law = law_at(host, call);
    const size_t first = 3;
    bool is_known = law && law->of->kind != RD_ANNOTATION_INPUT;
    for (size_t k = first; is_known && k < call->n_kids; k++)
        is_known = rd_host_is_readable(host, call->kids[k]);
    if (!is_known)
        return;
    const char *segment = rd_terms_text(host->terms, "line %u, as line %u says of a copy",
                                        host->pending->line, law->of->line);
    struct rd_host_content *after = rd_host_law_content(host, call, law, array, segment);
    if (!after)
        return;
    add_existence_goal(host, call, array, after, segment, RD_HOST_ALONE);
    rd_host_add_launch_goals(host, array, after);
    hold(array, after);
}

void rd_host_law_assert(struct rd_host *host, const struct rd_syntax_node *call,
                        enum rd_host_law_place place)
{
    static const char *const where[] = {", before the loop", ", after a trip", ""};
    struct rd_host_law *law = law_of(host, call);
    if (!law)
        return;
    const char *segment = rd_terms_text(host->terms, "line %u%s", law->of->line, where[place]);
    if (law->of->kind == RD_ANNOTATION_INPUT) {
        take_input(host, call, law);
        return;
    }
    if (law->of->kind == RD_ANNOTATION_REQUIRES) {
        const rd_term condition = condition_of(host, call, law, segment);
        const bool comes = host->state->path->kind != RD_TERM_FALSE;
        if (rd_host_goes(host))
            rd_host_own_run(host, law, condition);
        host->state->path = rd_and(host->terms, host->state->path, condition);
        if (comes && host->state->path->kind == RD_TERM_FALSE)
            RD_HOST_FAIL(host, call, "'requires %s' is true of no run", law->of->text);
        return;
    }
    host->n_asserted += !host->dry;
    host->is_left_early = host->is_left_early || (!host->dry && host->end_line > 0);
    if (!law->of->array.expression)
        rd_host_goal(host, rd_host_obligation_at(place), segment, "the condition holds", 0, NULL,
                     condition_of(host, call, law, segment));
    else if (law->of->scalar)
        rd_host_scalar_assert(host, call, law, segment, place);
    else
        assert_law(host, call, law, segment, place);
}

void rd_host_law_assume(struct rd_host *host, const struct rd_syntax_node *call)
{
    struct rd_terms *terms = host->terms;
    const struct rd_host_law *law = law_of(host, call);
    rd_term names[RD_HOST_NAMES_MAX];
    if (!law || !read_names(host, call, law, names))
        return;
    for (size_t k = 0; k < law->of->n_names; k++)
        host->state->path =
            rd_and(terms, host->state->path, rd_at_most(terms, rd_number(terms, 0), names[k]));
    if (!law->of->array.expression) {
        host->state->path = rd_and(terms, host->state->path, condition_of(host, call, law, ""));
        return;
    }
    if (law->of->scalar) {
        rd_host_scalar_assume(host, call, law);
        return;
    }
    struct rd_host_array *array = array_of(host, call);
    struct rd_host_content *content =
        array ? rd_host_law_content(host, call, law, array, NULL) : NULL;
    if (content) {
        content->before = array->content;
        rd_host_content_set(host, array, content);
    }
}
