// SPDX-License-Identifier: MIT
/* What arrays hold. */
#include "prove/host/host.h"

#include <stdlib.h>
#include <string.h>

struct rd_host_content *rd_host_content_add(struct rd_host *host, enum rd_host_content_kind kind,
                                            const struct rd_host_array *array)
{
    const unsigned number = host->fresh++;
    struct rd_host_content *content = calloc(1, sizeof *content);
    struct rd_host_content **grown =
        realloc(host->contents, (host->n_contents + 1) * sizeof *grown);
    if (grown)
        host->contents = grown;
    if (!content || !grown) {
        free(content);
        rd_execution_fail_memory(&host->execution);
        return NULL;
    }
    *content = (struct rd_host_content){
        .kind = kind,
        .token = rd_constant(host->terms, rd_terms_text(host->terms, "state %u", number)),
        .dead = rd_terms_text(host->terms, "%s as of %u", array->array.name, number),
        .rounds = host->rounds,
    };
    host->contents[host->n_contents++] = content;
    return content;
}

void rd_host_content_set(struct rd_host *host, struct rd_host_array *array,
                         const struct rd_host_content *content)
{
    if (host->pending && rd_host_launch_writes(host->pending, array))
        rd_host_end_launch(host);
    if (rd_host_is_in_flight(host, array))
        RD_HOST_FAIL(host, NULL, "'%s' is changed while a copy of it may be under way",
                     array->array.name);
    array->content = content;
    array->changed = true;
    host->n_effects++;
}

void rd_host_note_unknown(struct rd_host *host, const struct rd_host_content *content)
{
    if (!host->dry && !host->missing_law && content->kind == RD_HOST_UNKNOWN &&
        content->launch_line > 0)
        host->missing_law = rd_terms_text(
            host->terms, "no law directly behind line %u says what the cells of '%s' hold",
            content->launch_line, content->written);
}

void rd_host_content_forget(struct rd_host *host, struct rd_host_array *array)
{
    rd_host_content_set(host, array, rd_host_content_add(host, RD_HOST_UNKNOWN, array));
}

void rd_host_content_zero(struct rd_host *host, struct rd_host_array *array, rd_term cells)
{
    const struct rd_execution of_laws = {.operation = host->operation, .element = host->element};
    struct rd_host_content *content = rd_host_content_add(
        host, rd_is_neutral(&of_laws, 0) ? RD_HOST_ZERO : RD_HOST_UNKNOWN, array);
    if (!content)
        return;
    content->cells = cells;
    rd_host_content_set(host, array, content);
}

struct rd_host_array *rd_host_array_add(struct rd_host *host, const char *name, bool is_device,
                                        const struct rd_syntax_type *of, rd_term size)
{
    struct rd_host_array *array = calloc(1, sizeof *array);
    struct rd_host_array **grown = realloc(host->arrays, (host->n_arrays + 1) * sizeof *grown);
    if (grown)
        host->arrays = grown;
    if (!array || !grown) {
        free(array);
        rd_execution_fail_memory(&host->execution);
        return NULL;
    }
    *array = (struct rd_host_array){
        .array = {.name = name, .size = size, .input = -1}, .is_device = is_device, .of = of};
    host->arrays[host->n_arrays++] = array;
    rd_host_content_forget(host, array);
    return array;
}

bool rd_host_is_element(const struct rd_host *host, const struct rd_syntax_type *type)
{
    const struct rd_syntax_type *element = host->element;
    if (!element)
        return true;
    if (!type || type->kind != element->kind)
        return false;
    /* Sums of floats are exact, whatever their types. */
    if (type->kind == RD_SYNTAX_FLOAT && host->operation == RD_OPERATION_SUM)
        return true;
    return type->bits == element->bits && type->is_signed == element->is_signed;
}

/* ---- asked ---- */

static const struct rd_host_content *find(struct rd_host *host, rd_term token)
{
    for (size_t k = host->n_contents; k-- > 0;)
        if (host->contents[k]->token == token)
            return host->contents[k];
    return NULL;
}

/* The numbers that a law takes are not negative, which is a goal wherever it is asserted; so it may be known of those that are constants. */
struct place {
    struct rd_term_list natural;
    struct rd_law_given given;
    struct rd_law_numbers at;
};

static void find_place(struct rd_host *host, const struct rd_host_law *law, const rd_term *terms,
                       rd_term rounds, struct place *place)
{
    *place = (struct place){.natural = {0}};
    rd_term_list_add_all(host->terms, &place->natural, &host->natural);
    for (size_t k = 0; k < law->n_given; k++)
        if (terms[k]->kind == RD_TERM_CONSTANT)
            rd_term_list_add_new(host->terms, &place->natural, terms[k]);
    place->given = (struct rd_law_given){
        .count = law->n_given, .names = law->names, .terms = terms, .natural = &place->natural};
    place->at = (struct rd_law_numbers){.d = rounds, .given = &place->given};
}

static rd_term law_live(struct rd_host *host, const struct rd_host_law *law, const rd_term *terms,
                        rd_term rounds, rd_term cell)
{
    struct place place;
    find_place(host, law, terms, rounds, &place);
    const rd_term live =
        rd_law_term_live(law->reader, law->law->sections[0], RD_LAW_LAW, &place.at, cell);
    rd_term_list_finish(&place.natural);
    rd_host_goes(host);
    /* Of a variable it says what one cell holds, whatever array that was copied from. */
    return law->of && law->of->scalar
               ? rd_and(host->terms, live, rd_equal(host->terms, cell, rd_number(host->terms, 0)))
               : live;
}

static const struct rd_law_reading reading_law = {.role = RD_LAW_LAW};

static rd_term law_count(struct rd_host *host, const struct rd_host_law *law, const rd_term *terms,
                         rd_term rounds, rd_term cell)
{
    struct place place;
    find_place(host, law, terms, rounds, &place);
    const rd_term count =
        rd_law_term_count(law->reader, law->law->sections[0], &reading_law, &place.at, cell);
    rd_term_list_finish(&place.natural);
    rd_host_goes(host);
    return count;
}

static rd_term law_agrees(struct rd_host *host, const struct rd_host_law *law, const rd_term *given,
                          rd_term rounds, rd_term cell)
{
    struct place place;
    find_place(host, law, given, rounds, &place);
    const rd_term agrees =
        rd_law_term_agrees(law->reader, law->law->sections[0], &reading_law, &place.at, cell);
    rd_term_list_finish(&place.natural);
    rd_host_goes(host);
    return agrees;
}

rd_term rd_host_law_agrees(struct rd_host *host, const struct rd_host_content *content,
                           rd_term cell)
{
    return law_agrees(host, content->law, content->given, content->rounds, cell);
}

rd_term rd_host_law_defined(struct rd_host *host, const struct rd_host_law *law,
                            const rd_term *given, rd_term rounds)
{
    struct place place;
    find_place(host, law, given, rounds, &place);
    const rd_term defined =
        rd_law_term_defined(law->reader, law->law->sections[0], RD_LAW_LAW, &place.at);
    rd_term_list_finish(&place.natural);
    rd_host_goes(host);
    return defined;
}

rd_term rd_host_law_condition(struct rd_host *host, const struct rd_host_law *law,
                              const rd_term *given, rd_term rounds)
{
    const struct rd_law_section *section = law->law->sections[0];
    struct place place;
    find_place(host, law, given, rounds, &place);
    const rd_term condition =
        rd_law_term_of(law->reader, section, section->claims[RD_LAW_LAW].claims[0].when, &place.at);
    rd_term_list_finish(&place.natural);
    rd_host_goes(host);
    return condition;
}

static rd_term live_of(struct rd_host *host, const struct rd_host_content *content, rd_term cell)
{
    struct rd_terms *terms = host->terms;
    switch (content->kind) {
    case RD_HOST_INPUT:
    case RD_HOST_ZERO:
        return rd_within(terms, rd_number(terms, 0), cell, content->cells);
    case RD_HOST_LAW: {
        const rd_term live = law_live(host, content->law, content->given, content->rounds, cell);
        return content->before ? rd_or(terms, live, live_of(host, content->before, cell)) : live;
    }
    case RD_HOST_LAUNCH:
        return rd_true(terms);
    case RD_HOST_UNKNOWN:
        break;
    }
    return rd_false(terms);
}

static rd_term value_of(struct rd_host *host, const struct rd_host_content *content, rd_term cell);

static rd_term count_of(struct rd_host *host, const struct rd_host_content *content, rd_term cell)
{
    struct rd_terms *terms = host->terms;
    const rd_term zero = rd_number(terms, 0);
    switch (content->kind) {
    case RD_HOST_INPUT: {
        const rd_term unit = host->subject->units[content->input];
        return unit ? rd_count_of(terms, rd_equal(terms, cell, unit)) : zero;
    }
    case RD_HOST_LAW: {
        const rd_term count = law_count(host, content->law, content->given, content->rounds, cell);
        return content->before
                   ? rd_choice(terms,
                               law_live(host, content->law, content->given, content->rounds, cell),
                               count, value_of(host, content->before, cell))
                   : count;
    }
    case RD_HOST_LAUNCH:
        return rd_replace(terms, content->formula, 1, &host->subject->cell, &cell);
    case RD_HOST_ZERO:
    case RD_HOST_UNKNOWN:
        break;
    }
    return zero;
}

static rd_term value_of(struct rd_host *host, const struct rd_host_content *content, rd_term cell)
{
    return rd_choice(host->terms, live_of(host, content, cell), count_of(host, content, cell),
                     rd_apply(host->terms, content->dead, 1, &cell));
}

rd_term rd_host_live(struct rd_host *host, rd_term token, rd_term cell)
{
    const struct rd_host_content *content = find(host, token);
    return content ? live_of(host, content, cell) : rd_false(host->terms);
}

rd_term rd_host_count(struct rd_host *host, rd_term token, rd_term cell)
{
    const struct rd_host_content *content = find(host, token);
    return content ? count_of(host, content, cell) : rd_number(host->terms, 0);
}

rd_term rd_host_value(struct rd_host *host, rd_term token, rd_term cell)
{
    const struct rd_host_content *content = find(host, token);
    return content ? value_of(host, content, cell) : rd_number(host->terms, 0);
}

/* ---- invariants of kernels ---- */

static const struct rd_host_law *law_of(struct rd_host *host, const struct rd_cut *cut)
{
    struct rd_host_law *law =
        cut->site > 0 && cut->site <= host->n_laws ? &host->laws[cut->site - 1] : NULL;
    if (law)
        law->met = true;
    return law && law->law && law->of->array.expression ? law : NULL;
}

size_t rd_host_claims(struct rd_host *host, const struct rd_cut *cut)
{
    const struct rd_host_law *law = law_of(host, cut);
    return law ? law->law->sections[0]->claims[RD_LAW_LAW].count : 0;
}

const struct rd_law_section *rd_host_section(struct rd_host *host, const struct rd_cut *cut)
{
    const struct rd_host_law *law = law_of(host, cut);
    return law ? law->law->sections[0] : NULL;
}

const rd_term *rd_host_given(struct rd_host *host, const struct rd_host_law *law, size_t n_names,
                             const rd_term *names, rd_term cells)
{
    rd_term given[RD_HOST_NAMES_MAX + 8];
    size_t n = 0;
    while (n < n_names && n < RD_HOST_NAMES_MAX) {
        given[n] = names[n];
        n++;
    }
    if (n != law->of->n_names)
        return NULL;
    given[n++] = cells;
    for (size_t k = 0; k < law->of->n_inputs; k++)
        for (size_t i = 0; i < host->n_inputs; i++) {
            const struct rd_host_law *input = host->inputs[i];
            if (strcmp(input->of->array.alias, law->of->inputs[k]) != 0)
                continue;
            if (!input->size)
                return NULL;
            given[n++] = input->size;
            if (input->columns)
                given[n++] = input->columns;
        }
    return n == law->n_given ? rd_terms_array(host->terms, n, given) : NULL;
}

static const rd_term *given_at(struct rd_host *host, const struct rd_host_law *law,
                               const struct rd_cut *cut)
{
    const rd_term *given =
        law ? rd_host_given(host, law, cut->n_names, cut->names, cut->array->size) : NULL;
    if (!given)
        rd_subject_fail(host->subject, "%s: %s: an invariant of a kind that isn't known",
                        host->path, cut->point);
    else if (law->law->sections[0]->claims[RD_LAW_LAW].count < 1)
        rd_subject_fail(host->subject, "%s: %s: an invariant of a kernel that claims nothing",
                        host->path, cut->point);
    return given;
}

rd_term rd_host_cut_live(struct rd_host *host, const struct rd_cut *cut, rd_term cell)
{
    const struct rd_host_law *law = law_of(host, cut);
    const rd_term *given = given_at(host, law, cut);
    return given ? law_live(host, law, given, rd_number(host->terms, 0), cell)
                 : rd_false(host->terms);
}

/* The condition that all claims on one cell say the same. */
static rd_term claims_agree(struct rd_host *host, const struct rd_host_law *law,
                            const rd_term *given)
{
    struct rd_terms *terms = host->terms;
    const rd_term cell = host->subject->cell, zero = rd_number(terms, 0);
    if (law->law->sections[0]->claims[RD_LAW_LAW].count < 2)
        return rd_true(terms);
    return rd_implies(terms, law_live(host, law, given, zero, cell),
                      law_agrees(host, law, given, zero, cell));
}

rd_term rd_host_cut_defined(struct rd_host *host, const struct rd_cut *cut)
{
    struct rd_terms *terms = host->terms;
    const struct rd_host_law *law = law_of(host, cut);
    const rd_term *given = given_at(host, law, cut);
    const rd_term zero = rd_number(terms, 0), cell = host->subject->cell;
    if (!given)
        return rd_true(terms);
    /* A claim of a cell that the array doesn't have is neither true nor false. */
    const rd_term are_there = rd_implies(terms, law_live(host, law, given, zero, cell),
                                         rd_within(terms, zero, cell, cut->array->size));
    return rd_and(terms, rd_host_law_defined(host, law, given, zero),
                  rd_and(terms, claims_agree(host, law, given), are_there));
}

rd_term rd_host_cut_count(struct rd_host *host, const struct rd_cut *cut, rd_term cell)
{
    const struct rd_host_law *law = law_of(host, cut);
    const rd_term *given = given_at(host, law, cut);
    return given ? law_count(host, law, given, rd_number(host->terms, 0), cell)
                 : rd_number(host->terms, 0);
}

rd_term rd_host_cut_promises(struct rd_host *host, const struct rd_cut *cut,
                             const struct rd_cut *promise)
{
    struct rd_terms *terms = host->terms;
    const rd_term cell = host->subject->cell;
    const struct rd_host_law *law = law_of(host, promise);
    const struct rd_annotation *of = promise->site > 0 && promise->site <= host->n_laws
                                         ? host->laws[promise->site - 1].of
                                         : NULL;
    if (!of || (of->kind != RD_ANNOTATION_ENSURES && of->kind != RD_ANNOTATION_ASSERT))
        rd_subject_fail(host->subject, "%s: %s: a 'requires' or an 'input' in a kernel", host->path,
                        promise->point);
    if (!cut || !law || !rd_host_goes(host))
        return rd_truth(terms, host->subject->values_only); /* it is said once */
    const rd_term live = rd_host_cut_live(host, promise, cell);
    if (live->kind == RD_TERM_FALSE)
        rd_subject_fail(host->subject, "%s: %s: a law that claims no cell", host->path,
                        promise->point);
    const rd_term same =
        rd_equal(terms, rd_host_cut_count(host, cut, cell), rd_host_cut_count(host, promise, cell));
    const rd_term there = rd_and(terms, rd_host_cut_live(host, cut, cell),
                                 rd_within(terms, rd_number(terms, 0), cell, promise->array->size));
    return rd_and(terms, rd_host_cut_defined(host, promise),
                  rd_implies(terms, live, rd_and(terms, there, same)));
}
