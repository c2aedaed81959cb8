// SPDX-License-Identifier: MIT
/* Facts that hold at all steps. The law's definitions give candidates: that a quantity is a power of two, that it is
 * positive, that it is at most n. Those that hold at first, and that each launch keeps, as provers show, are the
 * largest set that is kept (Flanagan and Leino, "Houdini, an annotation assistant for ESC/Java", FME 2001). */
#include "prove/goals/candidates.h"

#include <stdlib.h>

static void add_fact(struct rd_proof_subject *subject, rd_term at_steps, bool from_one)
{
    for (size_t k = 0; k < subject->n_facts; k++)
        if (subject->facts[k].at_steps == at_steps && subject->facts[k].from_one == from_one)
            return;
    if (at_steps && at_steps->kind == RD_TERM_TRUE)
        return;
    if (subject->n_facts == subject->facts_capacity) {
        const size_t capacity = subject->facts_capacity ? 2 * subject->facts_capacity : 32;
        struct rd_fact *grown = realloc(subject->facts, capacity * sizeof *grown);
        if (!grown) {
            rd_subject_fail_by(subject, RD_ERROR_MEMORY, "no memory for a proof");
            return;
        }
        subject->facts = grown;
        subject->facts_capacity = capacity;
    }
    subject->facts[subject->n_facts++] =
        (struct rd_fact){.at_steps = at_steps, .from_one = from_one};
}

static void add_candidates_of(struct rd_proof_subject *subject, rd_term quantity, bool from_one)
{
    struct rd_terms *terms = subject->terms;
    const rd_term one = rd_number(terms, 1),
                  twice = rd_multiply(terms, rd_number(terms, 2), subject->n);
    if (quantity->kind == RD_TERM_NUMBER || rd_term_is_condition(quantity))
        return;
    add_fact(subject, rd_holds(terms, "P2", 1, &quantity), from_one);
    add_fact(subject, rd_at_most(terms, one, quantity), from_one);
    add_fact(subject, rd_at_most(terms, quantity, subject->n), from_one);
    add_fact(subject, rd_less(terms, quantity, twice), from_one);
}

struct powers {
    struct rd_terms *terms;
    struct rd_term_list *found;
};

static void add_power(void *self, rd_term part)
{
    const struct powers *powers = self;
    if (part->kind == RD_TERM_APPLY && part->n_kids == 1 &&
        part == rd_power_of_two(powers->terms, part->kids[0]))
        rd_term_list_add_new(powers->terms, powers->found, part);
}

static void add_candidates(struct rd_proof_subject *subject, bool from_one)
{
    struct rd_terms *terms = subject->terms;
    const rd_term d =
        from_one ? rd_add(terms, subject->steps, rd_number(terms, 1)) : subject->steps;
    const struct rd_law_numbers at = rd_subject_numbers(subject, d);
    struct rd_term_list values = {0};
    rd_law_term_definitions(subject->reader, subject->array, &at, &values);
    struct rd_seen seen = {0};
    struct powers powers = {terms, &values};
    rd_term_visit(rd_subject_count(subject, d, subject->cell), &seen, add_power, &powers);
    rd_term_visit(rd_subject_live(subject, d, subject->cell), &seen, add_power, &powers);
    rd_seen_finish(&seen);
    const rd_term back = rd_subtract(terms, subject->steps, rd_number(terms, 1));
    for (size_t k = 0; k < values.count; k++) {
        rd_term quantity = values.terms[k];
        if (from_one) /* it was asked at d + 1, and is kept as one in d */
            quantity = rd_replace(terms, quantity, 1, &subject->steps, &back);
        if (rd_term_has(quantity, subject->steps))
            add_candidates_of(subject, quantity, from_one);
    }
    add_fact(subject, NULL, from_one);
    rd_term_list_finish(&values);
}

/* ---- tried ---- */

/* Tells whether the fact is false at a step of a small run. What a run can't tell, as of a definition by number, is not false. */
static bool is_false_in(struct rd_proof_subject *subject, const struct rd_fact *fact,
                        const struct rd_shape *shape, unsigned step)
{
    struct rd_terms *terms = subject->terms;
    const rd_term from[] = {subject->n, subject->T, subject->B};
    const rd_term to[] = {rd_number(terms, (rd_wide)shape->n), rd_number(terms, shape->block),
                          rd_number(terms, (rd_wide)(shape->grid ? shape->grid : 1))};
    const rd_term said = rd_fact_term(subject, fact, rd_number(terms, step));
    return rd_replace(terms, said, 3, from, to)->kind == RD_TERM_FALSE;
}

static void drop_tried(struct rd_proof_subject *subject)
{
    enum { N_MAX = 20, BLOCK = 4 };
    for (size_t n = 1; n <= N_MAX; n++) {
        const struct rd_shape shape =
            rd_program_shape(subject->program, (struct rd_shape){.n = n, .block = BLOCK});
        if (rd_program_accept(subject->program, &shape, NULL) != RD_OK)
            continue;
        const unsigned rounds = rd_program_rounds(subject->program, &shape);
        for (unsigned step = 0; step <= rounds; step++)
            for (size_t k = 0; k < subject->n_facts; k++)
                if (!subject->facts[k].dropped && subject->facts[k].at_steps &&
                    is_false_in(subject, &subject->facts[k], &shape, step))
                    subject->facts[k].dropped = true;
    }
}

/* ---- asked ---- */

static void drop_fact(void *self, size_t fact)
{
    struct rd_proof_subject *subject = self;
    subject->facts[fact].dropped = true;
}

static bool ask_beginning(struct rd_proof_subject *subject)
{
    struct rd_candidates candidates = rd_candidates_of(subject);
    for (size_t k = 0; k < subject->n_facts; k++)
        if (!subject->facts[k].dropped)
            rd_candidates_ask_for(
                subject, &candidates, k, &subject->base,
                rd_fact_term(subject, &subject->facts[k], rd_number(subject->terms, 0)), "start");
    return rd_candidates_drop(subject, &candidates, drop_fact, subject);
}

static rd_term after(struct rd_proof_subject *subject, const struct rd_launching *launching)
{
    return rd_add(subject->terms, launching->before, rd_number(subject->terms, 1));
}

static bool ask_launches(struct rd_proof_subject *subject, size_t n_launchings,
                         const struct rd_launching *launchings, bool by_models)
{
    struct rd_candidates candidates = rd_candidates_of(subject);
    candidates.by_models = by_models;
    for (size_t l = 0; l < n_launchings; l++) {
        struct rd_term_list hypotheses = {0};
        rd_term_list_add_all(subject->terms, &hypotheses, &launchings[l].hypotheses);
        rd_subject_add_facts(subject, launchings[l].before, &hypotheses);
        for (size_t k = 0; k < subject->n_facts; k++)
            if (!subject->facts[k].dropped)
                rd_candidates_ask_for(
                    subject, &candidates, k, &hypotheses,
                    rd_fact_term(subject, &subject->facts[k], after(subject, &launchings[l])),
                    launchings[l].kernel);
        rd_term_list_finish(&hypotheses);
    }
    return rd_candidates_drop(subject, &candidates, drop_fact, subject);
}

/* "the round keeps: 2^d is a power of two" */
static const char *words_of(struct rd_proof_subject *subject, const struct rd_fact *fact,
                            const char *before)
{
    return rd_terms_text(subject->terms, "%s: %s%s", before,
                         fact->from_one ? "from the first round on, " : "",
                         fact->at_steps ? rd_subject_text(subject, fact->at_steps)
                                        : "the cell that holds the input is live");
}

/* The facts that are left become goals of the proof. */
static void add_goals(struct rd_proof_subject *subject, size_t n_launchings,
                      const struct rd_launching *launchings)
{
    for (size_t k = 0; k < subject->n_facts; k++)
        if (!subject->facts[k].dropped)
            rd_subject_add_goal(
                subject, RD_PROOF_FACT, "start",
                words_of(subject, &subject->facts[k], "before the first round"), &subject->base,
                NULL, rd_fact_term(subject, &subject->facts[k], rd_number(subject->terms, 0)));
    for (size_t l = 0; l < n_launchings; l++) {
        struct rd_term_list hypotheses = {0};
        rd_term_list_add_all(subject->terms, &hypotheses, &launchings[l].hypotheses);
        rd_subject_add_facts(subject, launchings[l].before, &hypotheses);
        for (size_t k = 0; k < subject->n_facts; k++)
            if (!subject->facts[k].dropped)
                rd_subject_add_goal(
                    subject, RD_PROOF_FACT, launchings[l].kernel,
                    words_of(subject, &subject->facts[k], "the round keeps"), &hypotheses, NULL,
                    rd_fact_term(subject, &subject->facts[k], after(subject, &launchings[l])));
        rd_term_list_finish(&hypotheses);
    }
}

void rd_subject_find_facts(struct rd_proof_subject *subject, size_t n_launchings,
                           const struct rd_launching *launchings)
{
    bool from_one = false;
    for (size_t k = 0; k < n_launchings; k++)
        from_one = from_one || launchings[k].before != subject->steps;
    add_candidates(subject, false);
    if (from_one)
        add_candidates(subject, true);
    if (!rd_subject_goes(subject))
        return;
    drop_tried(subject);
    ask_beginning(subject);
    for (unsigned way = 0; way < 2; way++)
        while (rd_subject_goes(subject) &&
               ask_launches(subject, n_launchings, launchings, way == 0))
            ;
    if (rd_subject_goes(subject))
        add_goals(subject, n_launchings, launchings);
}
