// SPDX-License-Identifier: MIT
/* The goals of a program: its beginning, its launches and that they end; the end itself is in exit_goals.c. */
#include "prove/prove.h"
#include "prove/goals/subject.h"

#include <stdlib.h>
#include <string.h>

/* ---- the beginning ---- */

static void add_initialization(struct rd_proof_subject *subject)
{
    struct rd_terms *terms = subject->terms;
    const rd_term zero = rd_number(terms, 0), cell = subject->cell;
    const struct rd_law_numbers at = rd_subject_numbers(subject, zero);
    const bool has_start = subject->array->claims[RD_LAW_START].count > 0;
    const rd_term size = rd_law_term_size(subject->reader, subject->array, &at);
    rd_term made = zero, claimed = rd_true(terms);
    struct rd_term_list list = {0};
    if (has_start) {
        const struct rd_law_reading reading = {.role = RD_LAW_START};
        claimed = rd_law_term_live(subject->reader, subject->array, RD_LAW_START, &at, cell);
        made = rd_law_term_count(subject->reader, subject->array, &reading, &at, cell);
    } else if (rd_program_starts_as_input(subject->program) && subject->units[0]) {
        made = rd_count_of(terms, rd_equal(terms, cell, subject->units[0]));
    }
    const size_t n_before = subject->proof->count;
    const rd_term counted = rd_subject_count(subject, zero, cell);
    rd_term_list_add(terms, &list, rd_within(terms, zero, cell, size));
    rd_term_list_add(terms, &list, rd_subject_live(subject, zero, cell));
    rd_subject_add_goal(subject, RD_PROOF_INITIALIZATION, "start",
                        "a live cell is what the law says, before the first round", &subject->base,
                        &list, rd_and(terms, claimed, rd_equal(terms, made, counted)));
    rd_subject_say_value(subject, n_before, made, counted);
    rd_term_list_finish(&list);
}

/* Claims name cells of the array, and two claims on a cell don't contradict each other. */
static void add_existence(struct rd_proof_subject *subject)
{
    struct rd_terms *terms = subject->terms;
    const rd_term zero = rd_number(terms, 0), cell = subject->cell;
    const struct rd_law_numbers at = rd_subject_numbers(subject, subject->steps);
    struct rd_term_list list = {0}, base = {0};
    rd_term_list_add_all(terms, &base, &subject->base);
    rd_subject_add_facts(subject, subject->steps, &base);
    rd_term_list_add(terms, &list, rd_subject_live(subject, subject->steps, cell));
    rd_subject_add_goal(
        subject, RD_PROOF_IN_BOUNDS, "law", "each cell that the law names is in the array", &base,
        &list,
        rd_within(terms, zero, cell, rd_law_term_size(subject->reader, subject->array, &at)));
    const struct rd_law_reading reading = {.role = RD_LAW_LAW};
    rd_subject_add_goal(subject, RD_PROOF_PRESERVATION_VALUE, "law",
                        "where two claims speak of one cell, they agree", &base, &list,
                        rd_law_term_agrees(subject->reader, subject->array, &reading, &at, cell));
    rd_term_list_finish(&list);
    rd_term_list_finish(&base);
}

/* ---- termination ---- */

/* Adds the goal that a number of the law falls with the launch, and is never negative; or grows, up to a bound. It is one number for
 * all launches: what one takes the other might give back. */
static void add_termination(struct rd_proof_subject *subject, const struct rd_launching *launching)
{
    struct rd_terms *terms = subject->terms;
    const rd_term zero = rd_number(terms, 0);
    const struct rd_law_numbers before = rd_subject_numbers(subject, launching->before),
                                after = rd_subject_numbers(
                                    subject, rd_add(terms, launching->before, rd_number(terms, 1)));
    struct rd_term_list hypotheses = {0}, at_first = {0}, behind = {0};
    if (!rd_term_has(launching->before, subject->steps))
        return; /* it comes once */
    rd_term_list_add_all(terms, &hypotheses, &launching->hypotheses);
    rd_law_term_definitions(subject->reader, subject->array, &before, &at_first);
    rd_law_term_definitions(subject->reader, subject->array, &after, &behind);
    rd_term found = rd_false(terms);
    const char *what = "the rounds come to an end: no number of the law was found that each round "
                       "makes smaller, or larger up to a bound";
    for (size_t k = 0; k < at_first.count && at_first.count == behind.count; k++) {
        const rd_term x = at_first.terms[k], y = behind.terms[k],
                      most = rd_multiply(terms, rd_number(terms, 4), subject->n);
        const rd_term falls = rd_and(terms, rd_less(terms, y, x), rd_at_most(terms, zero, y)),
                      grows = rd_and(terms, rd_less(terms, x, y), rd_at_most(terms, y, most));
        if (x == y)
            continue;
        for (unsigned way = 0; way < 2 && found->kind == RD_TERM_FALSE; way++) {
            if (subject->has_measure && (subject->measure != k || subject->measure_grows != way))
                continue;
            if (!rd_subject_follows(subject, &hypotheses, way ? grows : falls))
                continue;
            found = way ? grows : falls;
            what = rd_terms_text(terms,
                                 way ? "the rounds come to an end: each makes %s larger, which is "
                                       "at most 4*n"
                                     : "the rounds come to an end: each makes %s smaller, which is "
                                       "never negative",
                                 rd_subject_text(subject, x));
            subject->has_measure = true;
            subject->measure = k;
            subject->measure_grows = way;
        }
    }
    rd_subject_add_goal(subject, RD_PROOF_TERMINATION, launching->kernel, what, &hypotheses, NULL,
                        found);
    rd_term_list_finish(&hypotheses);
    rd_term_list_finish(&at_first);
    rd_term_list_finish(&behind);
}

/* ---- all of it ---- */

/* Adds goals for what the reading of the law took for granted. */
static void add_premises(struct rd_proof_subject *subject)
{
    const struct rd_term_list *premises = rd_law_reader_premises(subject->reader);
    for (size_t k = 0; k < premises->count; k++)
        rd_subject_add_goal(subject, RD_PROOF_FACT, "law",
                            "the steps of a point end where the law says", &subject->base, NULL,
                            premises->terms[k]);
}

/* Returns the height of the goal's sum, as a run has it: the host adds all cells, one after the other, or one of each
 * block. NULL: it isn't known, or the goal is no sum. */
static rd_term height_of_goal(struct rd_proof_subject *subject)
{
    struct rd_terms *terms = subject->terms;
    const rd_term one = rd_number(terms, 1);
    const struct rd_law_numbers at = rd_subject_numbers(subject, subject->steps);
    if (!subject->height)
        return NULL;
    switch (subject->program->goal) {
    case RD_GOAL_SUM:
        return subject->height;
    case RD_GOAL_TOTAL:
        return rd_subtract(
            terms,
            rd_add(terms, subject->height, rd_law_term_size(subject->reader, subject->array, &at)),
            one);
    case RD_GOAL_RESULT:
        return rd_subtract(terms, rd_add(terms, subject->height, subject->B), one);
    default:
        return NULL;
    }
}

static void make_goals(struct rd_proof_subject *subject)
{
    struct rd_launching launchings[RD_LAUNCHINGS_MAX];
    const size_t count = rd_subject_launchings(subject, launchings);
    if (rd_subject_goes(subject) && !subject->values_only)
        rd_subject_find_facts(subject, count, launchings);
    if (rd_subject_goes(subject)) {
        add_initialization(subject);
        add_existence(subject);
    }
    for (size_t k = 0; k < count && rd_subject_goes(subject); k++) {
        rd_launching_add_facts(subject, &launchings[k]);
        rd_subject_prove_launch(subject, &launchings[k]);
        if (rd_subject_goes(subject) && !subject->values_only)
            add_termination(subject, &launchings[k]);
    }
    if (rd_subject_goes(subject))
        rd_subject_add_exit(subject, count, launchings);
    if (rd_subject_goes(subject) && !subject->values_only)
        subject->proof->height = height_of_goal(subject);
    if (rd_subject_goes(subject))
        add_premises(subject);
    rd_launchings_finish(count, launchings);
}

static void discard_goals(struct rd_proof *proof)
{
    for (size_t k = 0; k < proof->count; k++)
        rd_term_list_finish(&proof->goals[k].hypotheses);
    proof->count = 0;
}

/* For which runs it is. What a program accepts stands in its conditions, up to their messages. */
static char *shape_of(const struct rd_program *program)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    fputs("every n from 1 to 2^61, every block of 1 to 1024 threads", out);
    if (program->blocks)
        fputs(", every number of blocks up to 2^31 - 1", out);
    for (const char *line = program->accept; line && *line;) {
        const char *otherwise = strstr(line, " else ");
        if (otherwise && strncmp(line, "B <= 2147483647", strlen("B <= 2147483647")) != 0)
            fprintf(out, ", where %.*s", (int)(otherwise - line), line);
        line += strcspn(line, "\n");
        line += *line == '\n';
    }
    fputs(", and every input", out);
    if (fclose(out) == 0)
        return text;
    free(text);
    return NULL;
}

/* The facts were found with all inputs: they speak of steps alone. */
static void take_facts(struct rd_proof_subject *to, struct rd_proof_subject *from)
{
    to->facts = from->facts;
    to->n_facts = from->n_facts;
    to->facts_capacity = from->facts_capacity;
    from->facts = NULL;
    from->n_facts = from->facts_capacity = 0;
    for (size_t k = 0; k < RD_LAUNCHINGS_MAX; k++) {
        to->points[k] = from->points[k];
        from->points[k] = (struct rd_point_facts){0};
    }
}

enum rd_status rd_prove_program(const struct rd_program *program,
                                const struct rd_prove_options *options, struct rd_proof *proof,
                                struct rd_error *error)
{
    struct rd_proof_subject subject, others;
    *proof = (struct rd_proof){.name = program->name, .terms = rd_terms_create()};
    char *shape = proof->terms ? shape_of(program) : NULL;
    if (shape)
        proof->shape = rd_terms_text(proof->terms, "%s", shape);
    free(shape);
    if (program->goal == RD_GOAL_RESULT)
        proof->by_host = program->goal_text;
    if (!proof->terms)
        return rd_fail(error, RD_ERROR_MEMORY, "no memory for a proof");
    struct rd_counted counted[RD_COUNTED_MAX] = {0};
    const size_t n_counted = rd_subject_counted(program, counted);
    rd_subject_init(&subject, program, proof, counted[0], false);
    subject.options = options;
    if (rd_subject_goes(&subject))
        make_goals(&subject);
    if (options && options->changed_file && !subject.read_changed && rd_subject_goes(&subject))
        rd_subject_fail_by(&subject, RD_ERROR_INPUT, "no kernel of the program is in that file");
    for (size_t k = 1; k < n_counted && rd_subject_goes(&subject); k++) {
        rd_subject_init(&others, program, proof, counted[k], true);
        take_facts(&others, &subject);
        others.options = options;
        if (rd_subject_goes(&others))
            make_goals(&others);
        if (!rd_subject_goes(&others))
            rd_subject_fail_by(&subject, others.status, others.failure);
        take_facts(&subject, &others);
        rd_subject_finish(&others);
    }
    enum rd_status status = subject.status;
    if (status != RD_OK) {
        rd_fail(error, status, "%s", subject.failure);
    } else if (!rd_subject_goes(&subject)) {
        discard_goals(proof);
        proof->shape = NULL;
        proof->not_covered =
            strdup(*subject.failure ? subject.failure : "its numbers are too large");
        if (!proof->not_covered)
            status = rd_fail(error, RD_ERROR_MEMORY, "no memory for a proof");
    }
    rd_subject_finish(&subject);
    if (status != RD_OK)
        rd_proof_finish(proof);
    return status;
}
