// SPDX-License-Identifier: MIT
/* Goals of a loop's variable that is a power of two up to 32 (x ^ offset, as in __shfl_xor_sync()), asked for each of its
 * values: of a bit whose number isn't known, provers decide little. */
#include "prove/logic/lemma_internal.h"
#include "prove/goals/segment.h"

static const unsigned VARIABLE_MAX = 32;

static bool is_given(const struct rd_term_list *list, rd_term fact)
{
    for (size_t k = 0; k < list->count; k++)
        if (list->terms[k] == fact)
            return true;
    return false;
}

/* Returns the unknown number of the loop that the cut's variable tells; NULL where it isn't given to be such a power. */
static rd_term head_of(const struct rd_segment_group *group)
{
    struct rd_launch_proof *launch = group->launch;
    struct rd_terms *terms = launch->subject->terms;
    const rd_term variable = group->first->from.variable;
    if (!launch->execution.turns_bits || !variable ||
        !is_given(&group->placed, rd_holds(terms, "P2", 1, &variable)) ||
        !is_given(&group->placed, rd_at_most(terms, variable, rd_number(terms, VARIABLE_MAX))))
        return NULL;
    for (size_t k = 0; k < launch->execution.heads.count; k++)
        if (rd_cut_fixes(&launch->execution, &group->first->from, launch->execution.heads.terms[k]))
            return launch->execution.heads.terms[k];
    return NULL;
}

/* Finds the loop's number at which the variable is the power; false where that isn't seen. NULL: at none is it. */
static bool find_case(struct rd_terms *terms, rd_term variable, rd_term head, unsigned power,
                      rd_term *value)
{
    rd_wide is;
    if (!rd_solve_linear(terms, variable, head, rd_number(terms, power), value) ||
        !rd_term_is_number(rd_replace(terms, variable, 1, &head, value), &is))
        return false;
    *value = is == power ? *value : NULL;
    return true;
}

/* Adds the goal that there are no other cases. */
static void add_all(struct rd_segment_group *group, rd_term variable)
{
    struct rd_terms *terms = group->launch->subject->terms;
    rd_term is_one = rd_false(terms), known = rd_true(terms);
    for (unsigned power = 1; power <= VARIABLE_MAX; power *= 2) {
        const rd_term up[] = {variable, rd_number(terms, power)},
                      down[] = {rd_number(terms, power), variable};
        is_one = rd_or(terms, is_one, rd_equal(terms, variable, up[1]));
        known = rd_and(
            terms, known,
            rd_and(terms, rd_lemma_power_apart(terms, up), rd_lemma_power_apart(terms, down)));
    }
    rd_group_add(group, RD_PROOF_FACT, "the loop's variable is 1, 2, 4, 8, 16 or 32",
                 &group->placed, is_one, 1, &known);
}

bool rd_group_add_cases(struct rd_segment_group *group, enum rd_proof_obligation obligation,
                        const char *what, rd_term goal, size_t count, const rd_term *more)
{
    struct rd_terms *terms = group->launch->subject->terms;
    const rd_term head = head_of(group), variable = group->first->from.variable;
    rd_term given = rd_true(terms);
    rd_term value;
    if (!head)
        return false;
    for (unsigned power = 1; power <= VARIABLE_MAX; power *= 2)
        if (!find_case(terms, variable, head, power, &value))
            return false;
    for (size_t k = 0; k < count; k++)
        given = rd_and(terms, given, more[k]);
    add_all(group, variable);
    for (unsigned power = 1; power <= VARIABLE_MAX; power *= 2) {
        if (!find_case(terms, variable, head, power, &value) || !value)
            continue;
        const rd_term is[] = {rd_equal(terms, head, value),
                              rd_replace(terms, given, 1, &head, &value)};
        rd_group_add(group, obligation, rd_terms_text(terms, "%s, at %u", what, power),
                     &group->placed, rd_replace(terms, goal, 1, &head, &value), 2, is);
    }
    return true;
}
