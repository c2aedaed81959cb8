// SPDX-License-Identifier: MIT
/* Laws as terms: what others ask. */
#include "prove/law/law_terms.h"
#include "prove/law/reader.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

struct rd_law_reader *rd_law_reader_create(struct rd_terms *terms, const struct rd_law *law,
                                           struct rd_law_units units)
{
    struct rd_law_reader *reader = calloc(1, sizeof *reader);
    if (reader)
        *reader = (struct rd_law_reader){.terms = terms, .law = law, .units = units};
    return reader;
}

void rd_law_reader_destroy(struct rd_law_reader *reader)
{
    if (!reader)
        return;
    rd_term_list_finish(&reader->premises);
    free(reader);
}

const char *rd_law_reader_failure(const struct rd_law_reader *reader)
{
    return reader->failure;
}

const struct rd_term_list *rd_law_reader_premises(const struct rd_law_reader *reader)
{
    return &reader->premises;
}

bool rd_law_reader_fail(struct rd_law_reader *reader, const struct law_node *node,
                        const char *format, ...)
{
    char why[200];
    va_list arguments;
    if (reader->failure[0] != '\0')
        return false;
    va_start(arguments, format);
    vsnprintf(why, sizeof why, format, arguments);
    va_end(arguments);
    const size_t length = strlen(reader->law->text);
    if (node && node->span.begin < node->span.end && node->span.end <= length)
        snprintf(reader->failure, sizeof reader->failure, "'%.*s': %s",
                 (int)(node->span.end - node->span.begin), reader->law->text + node->span.begin,
                 why);
    else
        snprintf(reader->failure, sizeof reader->failure, "%s", why);
    return false;
}

/* ---- sizes ---- */

static rd_term size_of(struct rd_law_reader *reader, const struct rd_law_section *section,
                       const struct law_array *array, const struct rd_law_numbers *at)
{
    const struct rd_law_frame frame = {.section = section, .at = at};
    rd_term size = rd_number(reader->terms, 1);
    for (size_t k = 0; k < array->n_sizes; k++)
        size =
            rd_multiply(reader->terms, size, rd_law_reader_number(reader, &frame, array->sizes[k]));
    return size;
}

rd_term rd_law_term_size(struct rd_law_reader *reader, const struct rd_law_section *section,
                         const struct rd_law_numbers *at)
{
    reader->at = *at;
    return size_of(reader, section, section->array, at);
}

rd_term rd_law_term_input_size(struct rd_law_reader *reader, size_t input,
                               const struct rd_law_numbers *at)
{
    return size_of(reader, reader->law->sections[0], reader->law->inputs[input], at);
}

/* ---- claims ---- */

static rd_term names_of(struct rd_law_reader *reader, const struct rd_law_claimed *claimed)
{
    return rd_and(reader->terms, claimed->when,
                  rd_all_of(reader->terms, &claimed->named.conditions));
}

rd_term rd_law_term_live(struct rd_law_reader *reader, const struct rd_law_section *section,
                         enum rd_law_role role, const struct rd_law_numbers *at, rd_term cell)
{
    const struct law_claims *claims = &section->claims[role];
    rd_term live = rd_false(reader->terms);
    reader->at = *at;
    for (size_t k = 0; k < claims->count && !rd_law_reader_has_failed(reader); k++) {
        struct rd_law_claimed claimed;
        if (rd_law_reader_claim(reader, section, &claims->claims[k], NULL, at, cell, &claimed))
            live = rd_or(reader->terms, live, names_of(reader, &claimed));
        rd_law_case_finish(&claimed.named);
    }
    return rd_law_reader_has_failed(reader) ? rd_false(reader->terms) : live;
}

/* The value of the claim, where it names the cell. */
static rd_term value_of(struct rd_law_reader *reader, const struct law_claim *claim,
                        const struct rd_law_claimed *claimed)
{
    struct rd_law_cases cases = {0};
    rd_term value = rd_number(reader->terms, 0);
    if (rd_law_reader_value(reader, &claimed->frame, claim->value, &cases)) {
        for (size_t k = 0; k < cases.count; k++) {
            reader->inputs |= cases.list[k].inputs;
            rd_law_case_know(reader, &cases.list[k], names_of(reader, claimed));
            value = rd_add(reader->terms, value,
                           rd_law_case_value(reader, &cases.list[k], claim->value));
        }
    }
    rd_law_cases_finish(&cases);
    return value;
}

rd_term rd_law_term_count(struct rd_law_reader *reader, const struct rd_law_section *section,
                          const struct rd_law_reading *reading, const struct rd_law_numbers *at,
                          rd_term cell)
{
    const struct law_claims *claims = &section->claims[reading->role];
    rd_term count = NULL;
    reader->at = *at;
    reader->inputs = 0;
    for (size_t k = claims->count; k-- > 0 && !rd_law_reader_has_failed(reader);) {
        struct rd_law_claimed claimed;
        if (rd_law_reader_claim(reader, section, &claims->claims[k], reading, at, cell, &claimed)) {
            const rd_term named = names_of(reader, &claimed);
            if (named->kind != RD_TERM_FALSE) {
                const rd_term value = value_of(reader, &claims->claims[k], &claimed);
                count = count ? rd_choice(reader->terms, named, value, count) : value;
            }
        }
        rd_law_case_finish(&claimed.named);
    }
    return count && !rd_law_reader_has_failed(reader) ? count : rd_number(reader->terms, 0);
}

rd_term rd_law_term_agrees(struct rd_law_reader *reader, const struct rd_law_section *section,
                           const struct rd_law_reading *reading, const struct rd_law_numbers *at,
                           rd_term cell)
{
    const struct law_claims *claims = &section->claims[reading->role];
    const rd_term count = rd_law_term_count(reader, section, reading, at, cell);
    rd_term agrees = rd_true(reader->terms);
    reader->at = *at;
    for (size_t k = 0; k < claims->count && !rd_law_reader_has_failed(reader); k++) {
        struct rd_law_claimed claimed;
        if (rd_law_reader_claim(reader, section, &claims->claims[k], reading, at, cell, &claimed)) {
            const rd_term named = names_of(reader, &claimed);
            if (named->kind != RD_TERM_FALSE)
                agrees = rd_and(
                    reader->terms, agrees,
                    rd_implies(reader->terms, named,
                               rd_equal(reader->terms,
                                        value_of(reader, &claims->claims[k], &claimed), count)));
        }
        rd_law_case_finish(&claimed.named);
    }
    return agrees;
}

unsigned rd_law_reader_inputs(const struct rd_law_reader *reader)
{
    return reader->inputs;
}

/* ---- numbers and conditions ---- */

rd_term rd_law_term_of(struct rd_law_reader *reader, const struct rd_law_section *section,
                       const struct law_node *node, const struct rd_law_numbers *at)
{
    const struct rd_law_frame frame = {.section = section, .at = at};
    reader->at = *at;
    return rd_law_is_condition(node) ? rd_law_reader_condition(reader, &frame, node)
                                     : rd_law_reader_number(reader, &frame, node);
}

rd_term rd_law_term_last_step(struct rd_law_reader *reader, const struct rd_law_section *section,
                              const struct rd_law_numbers *at)
{
    reader->at = *at;
    return rd_law_reader_last_step(reader, section, at);
}

rd_term rd_law_term_definition(struct rd_law_reader *reader, const struct rd_law_section *section,
                               const struct rd_law_numbers *at, size_t index, const char **name)
{
    const struct rd_law_frame frame = {.section = section, .at = at};
    *name = NULL;
    if (index >= reader->law->n_definitions)
        return NULL;
    const struct law_definition *definition = reader->law->definitions[index];
    *name = definition->name;
    if (rd_law_reader_has_failed(reader) || definition->kind != LAW_LET || definition->data ||
        (definition->section != section && definition->section->index != 0))
        return NULL;
    reader->at = *at;
    const rd_term value = rd_law_reader_number(reader, &frame, definition->equations[0].body);
    const bool failed = reader->failure[0] != '\0';
    reader->failure[0] = '\0'; /* one that has no value at this place is none */
    return failed ? NULL : value;
}

void rd_law_term_definitions(struct rd_law_reader *reader, const struct rd_law_section *section,
                             const struct rd_law_numbers *at, struct rd_term_list *values)
{
    const char *name = "";
    for (size_t k = 0; name; k++) {
        const rd_term value = rd_law_term_definition(reader, section, at, k, &name);
        if (value)
            rd_term_list_add_new(reader->terms, values, value);
    }
}
