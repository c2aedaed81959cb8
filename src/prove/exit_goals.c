// SPDX-License-Identifier: MIT
/* Goals of the end: that the law behind the last round gives the program's goal. */
#include "prove/subject.h"

/* Number of times that the goal's number holds the counted element; of two inputs, the product of both. */
static rd_term promised(struct rd_proof_subject *subject)
{
    struct rd_terms *terms = subject->terms;
    if (subject->values_only)
        return rd_number(terms, 0);
    return subject->n_units < 2
               ? rd_number(terms, 1)
               : rd_count_of(terms, rd_equal(terms, subject->units[0], subject->units[1]));
}

static void add_total(struct rd_proof_subject *subject, rd_term d, const struct rd_term_list *base)
{
    struct rd_terms *terms = subject->terms;
    const rd_term cell = subject->cell, other = rd_constant(terms, "i2"),
                  zero = rd_number(terms, 0), home = rd_subject_home(subject, d);
    const struct rd_law_numbers at = rd_subject_numbers(subject, d);
    const rd_term size = rd_law_term_size(subject->reader, subject->array, &at);
    const rd_term count = rd_subject_count(subject, d, cell);
    struct rd_term_list list = {0};
    if (subject->values_only) {
        rd_term_list_add(terms, &list, rd_within(terms, zero, cell, size));
        rd_subject_add_goal(subject, RD_PROOF_EXIT, "end", "no cell holds anything", base, &list,
                            rd_equal(terms, count, zero));
        rd_term_list_finish(&list);
        return;
    }
    if (!home) {
        rd_subject_fail(subject, "which cell holds an input is not said by an equation");
        return;
    }
    rd_subject_add_goal(subject, RD_PROOF_HOST, "end", "all cells that the host adds are live",
                        base,
                        (rd_term_list_add(terms, &list, rd_within(terms, zero, cell, size)), &list),
                        rd_subject_live(subject, d, cell));
    rd_subject_add_goal(
        subject, RD_PROOF_EXIT, "end", "an input is in one of the cells", base, NULL,
        rd_and(terms, rd_within(terms, zero, home, size),
               rd_equal(terms, rd_subject_count(subject, d, home), promised(subject))));
    rd_term_list_add(terms, &list, rd_within(terms, zero, other, size));
    rd_term_list_add(terms, &list, rd_not(terms, rd_equal(terms, count, zero)));
    rd_term_list_add(terms, &list,
                     rd_not(terms, rd_equal(terms, rd_subject_count(subject, d, other), zero)));
    rd_subject_add_goal(subject, RD_PROOF_EXIT, "end", "no input is in two cells", base, &list,
                        rd_equal(terms, cell, other));
    rd_term_list_finish(&list);
}

/* The number of rounds, where all launches come at known ones; else any step after which there is none. */
static rd_term last_step(struct rd_proof_subject *subject, size_t count,
                         const struct rd_launching *launchings)
{
    rd_term last = rd_number(subject->terms, 0);
    for (size_t k = 0; k < count; k++) {
        const rd_term before = launchings[k].before;
        if (before->kind != RD_TERM_NUMBER)
            return subject->steps;
        if (before->number >= last->number)
            last = rd_number(subject->terms, before->number + 1);
    }
    return last;
}

/* All rounds up to d come, and there is none behind them. */
static void add_rounds(struct rd_proof_subject *subject, rd_term d)
{
    struct rd_terms *terms = subject->terms;
    for (rd_wide round = 0; round <= d->number; round++) {
        const rd_term ended = rd_subject_ended(subject, rd_number(terms, round));
        rd_subject_add_goal(subject, RD_PROOF_HOST, "end",
                            "there are as many rounds as the law says", &subject->base, NULL,
                            round < d->number ? rd_not(terms, ended) : ended);
    }
}

void rd_subject_add_exit(struct rd_proof_subject *subject, size_t n_launchings,
                         const struct rd_launching *launchings)
{
    const rd_term d = last_step(subject, n_launchings, launchings);
    struct rd_terms *terms = subject->terms;
    const rd_term zero = rd_number(terms, 0), cell = subject->cell;
    struct rd_term_list base = {0}, list = {0};
    rd_term_list_add_all(terms, &base, &subject->base);
    rd_subject_add_facts(subject, d, &base);
    if (d == subject->steps)
        rd_term_list_add(terms, &base, rd_subject_ended(subject, d));
    else
        add_rounds(subject, d);
    rd_term_list_add(terms, &list, rd_within(terms, zero, cell, subject->n));
    const rd_term live = rd_subject_live(subject, d, cell),
                  count = rd_subject_count(subject, d, cell);
    switch (subject->program->goal) {
    case RD_GOAL_SUM:
        rd_subject_add_goal(
            subject, RD_PROOF_EXIT, "end", "A[0] holds every input once", &base, NULL,
            rd_and(terms, rd_subject_live(subject, d, zero),
                   rd_equal(terms, rd_subject_count(subject, d, zero), promised(subject))));
        break;
    case RD_GOAL_TOTAL:
        add_total(subject, d, &base);
        break;
    case RD_GOAL_INPUT:
        rd_subject_add_goal(
            subject, RD_PROOF_EXIT, "end", "A is the input", &base, &list,
            rd_and(terms, live,
                   rd_equal(terms, count,
                            subject->values_only
                                ? zero
                                : rd_count_of(terms, rd_equal(terms, cell, subject->units[0])))));
        break;
    case RD_GOAL_PRODUCT:
        rd_subject_add_goal(
            subject, RD_PROOF_EXIT, "end", "each cell holds its product", &base, &list,
            rd_and(terms, live,
                   rd_equal(terms, count,
                            subject->values_only
                                ? zero
                                : rd_count_of(
                                      terms, rd_and(terms, rd_equal(terms, cell, subject->units[0]),
                                                    rd_equal(terms, cell, subject->units[1]))))));
        break;
    case RD_GOAL_LAST: /* the law of the last step is what it promises */
        break;
    default:
        rd_subject_fail(
            subject,
            "its goal is a number that the host computes from the cells, and no sum of inputs");
    }
    rd_term_list_finish(&base);
    rd_term_list_finish(&list);
}
