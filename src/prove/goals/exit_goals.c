// SPDX-License-Identifier: MIT
/* Goals of the end: that the law behind the last round gives the program's goal. */
#include "prove/goals/subject.h"

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

/* Adds the goal that no two cells hold the input. The list says that the one of the subject is a cell. */
static void add_once(struct rd_proof_subject *subject, rd_term d, const struct rd_term_list *base,
                     struct rd_term_list *list, rd_term size)
{
    struct rd_terms *terms = subject->terms;
    const rd_term cells[] = {subject->cell, rd_constant(terms, "i2")}, zero = rd_number(terms, 0);
    rd_term_list_add(terms, list, rd_within(terms, zero, cells[1], size));
    for (unsigned k = 0; k < 2; k++)
        rd_term_list_add(
            terms, list,
            rd_not(terms, rd_equal(terms, rd_subject_count(subject, d, cells[k]), zero)));
    rd_subject_add_goal(subject, RD_PROOF_EXIT, "end", "no input is in two cells", base, list,
                        rd_equal(terms, cells[0], cells[1]));
}

static void add_total(struct rd_proof_subject *subject, rd_term d, const struct rd_term_list *base)
{
    struct rd_terms *terms = subject->terms;
    const rd_term cell = subject->cell, zero = rd_number(terms, 0),
                  home = rd_subject_home(subject, d);
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
    rd_term_list_add(terms, &list, rd_within(terms, zero, cell, size));
    rd_subject_add_goal(subject, RD_PROOF_HOST, "end", "all cells that the host adds are live",
                        base, &list, rd_subject_live(subject, d, cell));
    rd_subject_add_goal(
        subject, RD_PROOF_EXIT, "end", "an input is in one of the cells", base, NULL,
        rd_and(terms, rd_within(terms, zero, home, size),
               rd_equal(terms, rd_subject_count(subject, d, home), promised(subject))));
    add_once(subject, d, base, &list, size);
    rd_term_list_finish(&list);
}

/* The law of the right program says the same of the cells, and what a lesson computes from them is what its right program computes. */
static void add_result_of(struct rd_proof_subject *subject, rd_term d,
                          const struct rd_term_list *base)
{
    struct rd_terms *terms = subject->terms;
    const struct rd_program *right = rd_program_twin(subject->program);
    const struct rd_paragraph *paragraph = rd_paragraph_of(right);
    const rd_term cell = subject->cell, zero = rd_number(terms, 0);
    const struct rd_law_numbers at = rd_subject_numbers(subject, d);
    const struct rd_law_reading reading = {.role = RD_LAW_LAW};
    struct rd_term_list list = {0};
    if (right == subject->program)
        return;
    if (right->result != subject->program->result)
        rd_subject_add_goal(
            subject, RD_PROOF_HOST, "end",
            rd_terms_text(terms, "what the host computes is what %s computes", right->name), base,
            NULL, rd_false(terms));
    struct rd_law_reader *reader =
        paragraph ? rd_law_reader_create(terms, paragraph->law,
                                         (struct rd_law_units){
                                             .count = subject->n_units,
                                             .index = subject->units,
                                             .again = subject->has_squares ? subject->again : NULL})
                  : NULL;
    if (!reader || paragraph->law->n_inputs != subject->n_units) {
        rd_subject_fail(subject, "the law of %s is of other inputs", right->name);
    } else {
        const struct rd_law_section *array = paragraph->law->sections[0];
        const rd_term size = rd_law_term_size(reader, array, &at);
        rd_term_list_add(terms, &list, rd_within(terms, zero, cell, size));
        const rd_term same =
            rd_and(terms, rd_law_term_live(reader, array, RD_LAW_LAW, &at, cell),
                   rd_equal(terms, rd_law_term_count(reader, array, &reading, &at, cell),
                            rd_subject_count(subject, d, cell)));
        const rd_term own_size = rd_law_term_size(subject->reader, subject->array, &at);
        if (*rd_law_reader_failure(reader))
            rd_subject_fail(subject, "%s", rd_law_reader_failure(reader));
        rd_subject_add_goal(
            subject, RD_PROOF_EXIT, "end",
            rd_terms_text(terms, "the cells are those from which %s computes", right->name), base,
            &list, rd_and(terms, rd_equal(terms, size, own_size), same));
    }
    rd_law_reader_destroy(reader);
    rd_term_list_finish(&list);
}

/* What the equation part = X in the condition says that the part is; NULL: nothing. */
static rd_term value_in(rd_term condition, rd_term part)
{
    unsigned count;
    const rd_term *parts = rd_term_conjuncts(&condition, &count);
    for (unsigned k = 0; k < count; k++)
        for (unsigned side = 0; side < 2; side++)
            if (parts[k]->kind == RD_TERM_EQUAL && parts[k]->kids[side] == part)
                return parts[k]->kids[1 - side];
    return NULL;
}

/* cell div m = x and cell mod m = y */
static rd_term solved_by_digits(struct rd_terms *terms, rd_term condition, rd_term cell)
{
    unsigned count;
    const rd_term *parts = rd_term_conjuncts(&condition, &count);
    for (unsigned k = 0; k < count; k++)
        for (unsigned side = 0; side < 2 && parts[k]->kind == RD_TERM_EQUAL; side++) {
            const rd_term div = parts[k]->kids[side];
            if (div->kind != RD_TERM_DIV || div->kids[0] != cell)
                continue;
            const rd_term rest = value_in(condition, rd_mod(terms, cell, div->kids[1]));
            if (rest)
                return rd_add(terms, rd_multiply(terms, div->kids[1], parts[k]->kids[1 - side]),
                              rest);
        }
    return NULL;
}

/* Returns a cell that the count chooses by an equation, as good a guess as any: goals say what it holds. NULL: there is none. */
static rd_term cell_chosen(struct rd_terms *terms, rd_term count, rd_term cell)
{
    rd_term found = NULL;
    if (count->kind == RD_TERM_CHOICE) {
        found = rd_solution(terms, count->kids[0], cell);
        found = found ? found : solved_by_digits(terms, count->kids[0], cell);
        found = found ? found : cell_chosen(terms, count->kids[1], cell);
    }
    for (unsigned k = 0; count->kind == RD_TERM_SUM && k < count->n_kids && !found; k++)
        found = cell_chosen(terms, count->kids[k], cell);
    return found;
}

/* The host adds the cells to sums, and computes its number from these: of that, C is all that there is. Here: each
 * product that the law counts is in one cell alone. */
static void add_result(struct rd_proof_subject *subject, rd_term d, const struct rd_term_list *base)
{
    struct rd_terms *terms = subject->terms;
    const rd_term cell = subject->cell, zero = rd_number(terms, 0);
    const struct rd_law_numbers at = rd_subject_numbers(subject, d);
    const rd_term size = rd_law_term_size(subject->reader, subject->array, &at);
    const rd_term count = rd_subject_count(subject, d, cell);
    const rd_term home = cell_chosen(terms, count, cell);
    struct rd_term_list list = {0};
    add_result_of(subject, d, base);
    rd_term_list_add(terms, &list, rd_within(terms, zero, cell, size));
    rd_subject_add_goal(subject, RD_PROOF_HOST, "end", "all cells that the host adds are live",
                        base, &list, rd_subject_live(subject, d, cell));
    if (!home) {
        rd_subject_add_goal(subject, RD_PROOF_EXIT, "end", "no cell holds anything", base, &list,
                            rd_equal(terms, count, zero));
        rd_term_list_finish(&list);
        return;
    }
    rd_term same = rd_true(terms), first = NULL;
    for (size_t k = 0; k < subject->n_units; k++) {
        const rd_term counted[] = {subject->units[k], subject->again[k]};
        for (unsigned c = 0; c < 2; c++) {
            same = counted[c] && first ? rd_and(terms, same, rd_equal(terms, first, counted[c]))
                                       : same;
            first = first ? first : counted[c];
        }
    }
    struct rd_term_list together = {0};
    rd_term_list_add(terms, &together, same);
    rd_subject_add_goal(
        subject, RD_PROOF_EXIT, "end", "an input is in one of the cells", base, &together,
        rd_and(terms, rd_within(terms, zero, home, size),
               rd_not(terms, rd_equal(terms, rd_subject_count(subject, d, home), zero))));
    rd_term_list_finish(&together);
    add_once(subject, d, base, &list, size);
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
    if (subject->has_squares && subject->program->goal != RD_GOAL_RESULT &&
        subject->program->goal != RD_GOAL_LAST)
        rd_subject_fail(subject, "its goal is of sums, and its law of squares");
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
    case RD_GOAL_RESULT:
        add_result(subject, d, &base);
        break;
    case RD_GOAL_LAST: /* the law of the last step is what it promises */
        break;
    default:
        rd_subject_fail(subject, "its goal is of a kind that the prover doesn't know");
    }
    rd_term_list_finish(&base);
    rd_term_list_finish(&list);
}
