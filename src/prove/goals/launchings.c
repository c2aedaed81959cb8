// SPDX-License-Identifier: MIT
/* The launches of a program, and the steps at which each comes. */
#include "prove/goals/subject.h"

#include <string.h>

/* d + 1 is the number of the round. */
static rd_term is_launched(struct rd_proof_subject *subject, const struct law_launch *launch,
                           rd_term d)
{
    struct rd_terms *terms = subject->terms;
    const rd_term round = rd_add(terms, d, rd_number(terms, 1));
    const struct rd_law_numbers at = rd_subject_numbers(subject, round);
    return launch->when ? rd_law_term_of(subject->reader, subject->array, launch->when, &at)
                        : rd_equal(terms, d, rd_number(terms, 0));
}

/* Returns the step to which the condition fixes d, a number; d + 1 where it says that d is not 0; else d. */
static rd_term step_of(struct rd_proof_subject *subject, rd_term condition)
{
    struct rd_terms *terms = subject->terms;
    const rd_term zero = rd_number(terms, 0), one = rd_number(terms, 1);
    const rd_term begins = rd_equal(terms, subject->steps, zero);
    unsigned count;
    const rd_term *parts = rd_term_conjuncts(&condition, &count);
    for (unsigned k = 0; k < count; k++) {
        const rd_term part = parts[k];
        if (part->kind == RD_TERM_EQUAL && part->kids[0] == subject->steps &&
            part->kids[1]->kind == RD_TERM_NUMBER)
            return part->kids[1];
        if (part->kind == RD_TERM_EQUAL && part->kids[1] == subject->steps &&
            part->kids[0]->kind == RD_TERM_NUMBER)
            return part->kids[0];
    }
    for (unsigned k = 0; k < count; k++)
        if (parts[k] == rd_not(terms, begins))
            return rd_add(terms, subject->steps, one);
    return subject->steps;
}

size_t rd_subject_launchings(struct rd_proof_subject *subject,
                             struct rd_launching launchings[RD_LAUNCHINGS_MAX])
{
    struct rd_terms *terms = subject->terms;
    const struct rd_law *law = subject->paragraph->law;
    rd_term others = rd_true(terms);
    size_t count = 0;
    if (law->n_launches > RD_LAUNCHINGS_MAX) {
        rd_subject_fail(subject, "more than %d launches", RD_LAUNCHINGS_MAX);
        return 0;
    }
    for (size_t k = 0; k < law->n_launches && rd_subject_goes(subject); k++) {
        const struct law_launch *launch = &law->launches[k];
        const rd_term here = is_launched(subject, launch, subject->steps);
        const rd_term condition = rd_and(terms, others, here);
        struct rd_launching *launching = &launchings[count];
        others = rd_and(terms, others, rd_not(terms, here));
        if (condition->kind == RD_TERM_FALSE)
            continue;
        *launching = (struct rd_launching){.index = k,
                                           .kernel = rd_paragraph_kernel(subject->paragraph, k),
                                           .before = step_of(subject, condition)};
        rd_term_list_add_all(terms, &launching->hypotheses, &subject->base);
        /* The condition anew, as it reads from that step on. */
        rd_term told = rd_true(terms);
        for (size_t i = 0; i < k; i++)
            told =
                rd_and(terms, told,
                       rd_not(terms, is_launched(subject, &law->launches[i], launching->before)));
        rd_term_list_add(terms, &launching->hypotheses, told);
        rd_term_list_add(terms, &launching->hypotheses,
                         is_launched(subject, launch, launching->before));
        count++;
    }
    return count;
}

void rd_launching_add_facts(struct rd_proof_subject *subject, struct rd_launching *launching)
{
    rd_subject_add_facts(subject, launching->before, &launching->hypotheses);
}

void rd_launchings_finish(size_t count, struct rd_launching *launchings)
{
    for (size_t k = 0; k < count; k++)
        rd_term_list_finish(&launchings[k].hypotheses);
}

rd_term rd_subject_ended(struct rd_proof_subject *subject, rd_term d)
{
    struct rd_terms *terms = subject->terms;
    const struct rd_law *law = subject->paragraph->law;
    rd_term ended = rd_true(terms);
    for (size_t k = 0; k < law->n_launches; k++)
        ended = rd_and(terms, ended, rd_not(terms, is_launched(subject, &law->launches[k], d)));
    return ended;
}
