// SPDX-License-Identifier: MIT
/* The value of the variable of `steps` at the last one. */
#include "prove/law/reader.h"

#include <string.h>

/* How the steps go on. */
struct steps {
    struct rd_law_reader *reader;
    const struct rd_law_section *section;
    struct rd_law_frame frame;
    rd_term variable, first, next, last;
};

static bool is_at_most(const struct steps *steps, rd_term x, rd_term y)
{
    return rd_law_reader_follows(steps->reader, rd_subtract(steps->reader->terms, y, x), NULL,
                                 NULL);
}

/* Where the last is on the other side, the first stays. */
static rd_term up_to_last(const struct steps *steps)
{
    return is_at_most(steps, steps->first, steps->last)
               ? steps->last
               : rd_most(steps->reader->terms, steps->first, steps->last);
}

static rd_term down_to_last(const struct steps *steps)
{
    return is_at_most(steps, steps->last, steps->first)
               ? steps->last
               : rd_least(steps->reader->terms, steps->first, steps->last);
}

static bool is_power_of_two(rd_term term)
{
    rd_wide number = term->number;
    if (term->kind == RD_TERM_SUM && term->n_kids == 1 && term->number == 0) {
        number = term->coefficients[0];
        term = term->kids[0];
    } else if (term->kind != RD_TERM_NUMBER) {
        number = 1;
    }
    return number > 0 && (number & (number - 1)) == 0 &&
           (term->kind == RD_TERM_NUMBER ||
            (term->kind == RD_TERM_APPLY &&
             (strcmp(term->name, "pow2") == 0 || strcmp(term->name, "bit_ceil") == 0)));
}

static bool doubles(const struct steps *steps)
{
    struct rd_terms *terms = steps->reader->terms;
    return steps->next == rd_multiply(terms, rd_number(terms, 2), steps->variable);
}

static bool halves(const struct steps *steps)
{
    struct rd_terms *terms = steps->reader->terms;
    return steps->next == rd_div(terms, steps->variable, rd_number(terms, 2));
}

/* Steps that double or halve meet the last where both ends are powers of two. Where that isn't seen, it is a premise, and so is that
 * they don't stay at the first. */
static rd_term last_power(const struct steps *steps)
{
    struct rd_terms *terms = steps->reader->terms;
    struct rd_term_list *premises = &steps->reader->premises;
    const rd_term ends[] = {steps->first, steps->last};
    const bool are_powers = is_power_of_two(ends[0]) && is_power_of_two(ends[1]);
    if (are_powers)
        return doubles(steps) ? up_to_last(steps) : down_to_last(steps);
    for (unsigned k = 0; k < 2; k++)
        if (!is_power_of_two(ends[k]))
            rd_term_list_add_new(
                terms, premises,
                rd_equal(terms, ends[k], rd_apply(terms, "bit_ceil", 1, &ends[k])));
    rd_term_list_add_new(terms, premises,
                         doubles(steps) ? rd_at_most(terms, ends[0], ends[1])
                                        : rd_at_most(terms, ends[1], ends[0]));
    return steps->last;
}

/* A step that the variable always goes up by; NULL where there is none. */
static rd_term step_of(const struct steps *steps)
{
    struct rd_terms *terms = steps->reader->terms;
    const rd_term step = rd_subtract(terms, steps->next, steps->variable);
    const bool goes_up =
        !rd_term_has(step, steps->variable) && is_at_most(steps, rd_number(terms, 1), step);
    return goes_up ? step : NULL;
}

/* The first and as many steps as don't go beyond the last. */
static rd_term last_by(struct steps *steps, rd_term step)
{
    struct rd_terms *terms = steps->reader->terms;
    const rd_term way = rd_subtract(terms, steps->last, steps->first);
    steps->last = rd_add(terms, steps->first, rd_multiply(terms, step, rd_div(terms, way, step)));
    return up_to_last(steps);
}

/* max(2*v, 1) or v + step: more than the variable. */
static bool goes_up(const struct steps *steps, const struct law_node *node)
{
    struct rd_terms *terms = steps->reader->terms;
    const rd_term one = rd_number(terms, 1);
    const rd_term behind = rd_add(terms, steps->variable, one);
    bool has_one = false, has_double = false;
    if (node->kind != LAW_CALL || node->op != LAW_MAX)
        return is_at_most(steps, behind, rd_law_reader_number(steps->reader, &steps->frame, node));
    for (size_t k = 0; k < node->n_kids; k++) {
        const rd_term kid = rd_law_reader_number(steps->reader, &steps->frame, node->kids[k]);
        has_one |= kid->kind == RD_TERM_NUMBER && kid->number >= 1;
        has_double |= is_at_most(steps, rd_add(terms, steps->variable, steps->variable), kid);
        if (is_at_most(steps, behind, kid))
            return true;
    }
    return has_one && has_double;
}

/* min(what is more than the variable, the last) */
static bool goes_up_to_last(const struct steps *steps)
{
    const struct law_node *next = steps->section->next;
    if (next->kind != LAW_CALL || next->op != LAW_MIN || next->n_kids != 2)
        return false;
    for (unsigned k = 0; k < 2; k++)
        if (rd_law_reader_number(steps->reader, &steps->frame, next->kids[k]) == steps->last &&
            goes_up(steps, next->kids[1 - k]))
            return true;
    return false;
}

rd_term rd_law_reader_last_step(struct rd_law_reader *reader, const struct rd_law_section *section,
                                const struct rd_law_numbers *at)
{
    struct rd_law_numbers inside = *at;
    struct steps steps = {.reader = reader, .section = section};
    if (!section->steps)
        return NULL;
    inside.variable = steps.variable = rd_law_reader_unknown(reader);
    steps.frame = (struct rd_law_frame){.section = section, .at = &inside};
    steps.first = rd_law_reader_number(reader, &steps.frame, section->first);
    if (section->next == section->first)
        return steps.first;
    steps.next = rd_law_reader_number(reader, &steps.frame, section->next);
    steps.last = rd_law_reader_number(reader, &steps.frame, section->last);
    if (rd_law_reader_has_failed(reader))
        return NULL;
    if (doubles(&steps) || halves(&steps))
        return last_power(&steps);
    const rd_term step = step_of(&steps);
    if (step)
        return last_by(&steps, step);
    if (goes_up_to_last(&steps))
        return up_to_last(&steps);
    rd_law_reader_fail(reader, section->next, "which of these steps is the last isn't known");
    return NULL;
}
