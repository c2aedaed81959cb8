// SPDX-License-Identifier: MIT
/* A program's law as terms, and what is taken for granted of its runs. */
#include "prove/goals/subject.h"
#include "prove/host/contents.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* Elements are of 4 bytes and more: no array is longer. */
static const unsigned LOG2_N_MAX = 61;
enum { THREADS_MAX = 1024, BLOCKS_MAX = 2147483647 };

void rd_subject_fail(struct rd_proof_subject *subject, const char *format, ...)
{
    va_list arguments;
    if (*subject->failure)
        return;
    va_start(arguments, format);
    vsnprintf(subject->failure, sizeof subject->failure, format, arguments);
    va_end(arguments);
}

void rd_subject_fail_by(struct rd_proof_subject *subject, enum rd_status status, const char *text)
{
    if (!*subject->failure)
        subject->status = status;
    rd_subject_fail(subject, "%s", text);
}

bool rd_subject_goes(struct rd_proof_subject *subject)
{
    if (subject->reader && *rd_law_reader_failure(subject->reader))
        rd_subject_fail(subject, "%s", rd_law_reader_failure(subject->reader));
    return !*subject->failure && !rd_terms_failed(subject->terms);
}

/* ---- what a program accepts ---- */

/* Adds a condition on n, T and B: that of a sentence in a paragraph around it. */
static void add_condition(struct rd_proof_subject *subject, const char *text, size_t length)
{
    struct rd_law *law = NULL;
    struct rd_law_error why;
    char *paragraph = NULL;
    if (asprintf(&paragraph,
                 "input one[n]\narray cells[n]\nlaw when %.*s: for 0 <= k < n: cells[k] = 0\n",
                 (int)length, text) < 0) {
        rd_subject_fail_by(subject, RD_ERROR_MEMORY, "no memory for a proof");
        return;
    }
    if (rd_law_create(&law, paragraph, &why) != RD_OK) {
        rd_subject_fail(subject, "what the program accepts can't be read: %s", why.what.text);
    } else {
        struct rd_law_reader *reader =
            rd_law_reader_create(subject->terms, law, (struct rd_law_units){.count = 0});
        const struct rd_law_numbers at = {.n = subject->n, .T = subject->T, .B = subject->B};
        if (reader)
            rd_term_list_add(subject->terms, &subject->base,
                             rd_law_term_of(reader, law->sections[0],
                                            law->sections[0]->claims[RD_LAW_LAW].claims[0].when,
                                            &at));
        if (!reader)
            rd_subject_fail_by(subject, RD_ERROR_MEMORY, "no memory for a proof");
        else if (*rd_law_reader_failure(reader))
            rd_subject_fail(subject, "what the program accepts: %s", rd_law_reader_failure(reader));
        rd_law_reader_destroy(reader);
    }
    rd_law_destroy(law);
    free(paragraph);
}

static void add_accepted(struct rd_proof_subject *subject)
{
    const char *line = subject->program->accept;
    while (line && *line) {
        const size_t length = strcspn(line, "\n");
        const char *otherwise = strstr(line, " else ");
        if (!otherwise || otherwise > line + length)
            rd_subject_fail(subject, "a condition without 'else' in what the program accepts");
        else
            add_condition(subject, line, (size_t)(otherwise - line));
        line += length + (line[length] == '\n');
    }
}

/* ---- made ---- */

static void bound(struct rd_proof_subject *subject, rd_wide least, rd_term term, rd_wide most)
{
    struct rd_terms *terms = subject->terms;
    rd_term_list_add(terms, &subject->base, rd_at_most(terms, rd_number(terms, least), term));
    if (most > 0)
        rd_term_list_add(terms, &subject->base, rd_at_most(terms, term, rd_number(terms, most)));
}

/* Tells whether the program's law or that of its right program has products with two elements of an input. */
static bool has_squares(const struct rd_program *program)
{
    const struct rd_paragraph *own = rd_paragraph_of(program),
                              *right = rd_paragraph_of(rd_program_twin(program));
    return own && (rd_law_has_squares(own->law) || (right && rd_law_has_squares(right->law)));
}

size_t rd_subject_counted(const struct rd_program *program,
                          struct rd_counted counted[RD_COUNTED_MAX])
{
    const struct rd_paragraph *paragraph = rd_paragraph_of(program);
    const size_t n_inputs = paragraph ? paragraph->law->n_inputs : 0;
    const unsigned n_sets = n_inputs > RD_SUBJECT_UNITS_MAX ? 1 : 1u << n_inputs;
    size_t count = 0;
    if (!has_squares(program)) {
        counted[count++] = (struct rd_counted){.inputs = n_sets - 1};
        for (unsigned inputs = 0; inputs + 1 < n_sets; inputs++)
            counted[count++] = (struct rd_counted){.inputs = inputs};
        return count;
    }
    for (unsigned k = 0; 1u << k < n_sets; k++)
        counted[count++] = (struct rd_counted){1u << k, 1u << k};
    for (unsigned inputs = 0; inputs < n_sets; inputs++) /* of two inputs at most */
        counted[count++] = (struct rd_counted){.inputs = inputs};
    return count;
}

/* ", where all of b is 0"; with squares, ", of products a[j]*a[j']" */
static const char *suffix_of(struct rd_proof_subject *subject, struct rd_counted counted)
{
    struct rd_terms *terms = subject->terms;
    const struct rd_law *law = subject->paragraph->law;
    const char *text = "";
    for (size_t k = 0; k < subject->n_units; k++) {
        const char *name = rd_law_input_name(law, k);
        if (subject->has_squares && counted.inputs != 0) {
            if (!subject->units[k])
                continue;
            text = rd_terms_text(terms, "%s%s%s[%s]", text, *text ? "*" : ", of ", name,
                                 subject->units[k]->name);
            if (subject->again[k])
                text = rd_terms_text(terms, "%s*%s[%s]", text, name, subject->again[k]->name);
        } else if (!subject->units[k]) {
            text = rd_terms_text(terms, "%s%s%s is 0", text,
                                 *text ? " and all of " : ", where all of ", name);
        }
    }
    return text;
}

static void add_units(struct rd_proof_subject *subject, struct rd_counted counted)
{
    static const char *const names[] = {"j", "j2"}, *const again[] = {"j'", "j2'"};
    struct rd_terms *terms = subject->terms;
    const struct rd_law *law = subject->paragraph->law;
    if (law->n_inputs > RD_SUBJECT_UNITS_MAX) {
        rd_subject_fail(subject, "more than %d inputs", RD_SUBJECT_UNITS_MAX);
        return;
    }
    subject->n_units = law->n_inputs;
    subject->has_squares = has_squares(subject->program);
    for (size_t k = 0; k < law->n_inputs; k++) {
        subject->units[k] = counted.inputs & 1u << k ? rd_constant(terms, names[k]) : NULL;
        subject->again[k] = counted.again & 1u << k ? rd_constant(terms, again[k]) : NULL;
    }
    subject->suffix = suffix_of(subject, counted);
    subject->reader = rd_law_reader_create(
        terms, law,
        (struct rd_law_units){.count = subject->n_units,
                              .index = subject->units,
                              .again = subject->has_squares ? subject->again : NULL});
    if (!subject->reader) {
        rd_subject_fail_by(subject, RD_ERROR_MEMORY, "no memory for a proof");
        return;
    }
    const struct rd_law_numbers at = rd_subject_numbers(subject, rd_number(terms, 0));
    for (size_t k = 0; k < law->n_inputs; k++) {
        const rd_term counts[] = {subject->units[k], subject->again[k]};
        for (unsigned c = 0; c < 2; c++)
            if (counts[c])
                rd_term_list_add(terms, &subject->base,
                                 rd_within(terms, rd_number(terms, 0), counts[c],
                                           rd_law_term_input_size(subject->reader, k, &at)));
    }
}

void rd_subject_init(struct rd_proof_subject *subject, const struct rd_program *program,
                     struct rd_proof *proof, struct rd_counted counted, bool values_only)
{
    struct rd_terms *terms = proof->terms;
    *subject = (struct rd_proof_subject){.program = program,
                                         .proof = proof,
                                         .terms = terms,
                                         .values_only = values_only,
                                         .suffix = ""};
    subject->paragraph = rd_paragraph_of(program);
    if (!subject->paragraph) {
        rd_subject_fail(subject, "the program's paragraph can't be read");
        return;
    }
    subject->array = subject->paragraph->law->sections[0];
    subject->n = rd_constant(terms, "n");
    subject->T = rd_constant(terms, "T");
    subject->B = rd_constant(terms, "B");
    subject->steps = rd_constant(terms, "d");
    subject->cell = rd_constant(terms, "i");
    const bool is_sum = program->goal == RD_GOAL_SUM || program->goal == RD_GOAL_TOTAL ||
                        program->goal == RD_GOAL_RESULT;
    subject->height = values_only || !is_sum ? NULL : rd_number(terms, 0);
    bound(subject, 1, subject->n, (rd_wide)1 << LOG2_N_MAX);
    bound(subject, 1, subject->T, THREADS_MAX);
    bound(subject, 1, subject->B, BLOCKS_MAX);
    bound(subject, 0, subject->steps, 0);
    add_accepted(subject);
    if (rd_subject_goes(subject))
        add_units(subject, counted);
}

void rd_subject_finish(struct rd_proof_subject *subject)
{
    rd_law_reader_destroy(subject->reader);
    rd_term_list_finish(&subject->base);
    free(subject->facts);
    for (size_t k = 0; k < RD_LAUNCHINGS_MAX; k++)
        free(subject->points[k].list);
}

/* ---- the law ---- */

struct rd_law_numbers rd_subject_numbers(const struct rd_proof_subject *subject, rd_term d)
{
    return (struct rd_law_numbers){.n = subject->n, .T = subject->T, .B = subject->B, .d = d};
}

rd_term rd_subject_live(struct rd_proof_subject *subject, rd_term d, rd_term cell)
{
    if (subject->host)
        return rd_host_live(subject->host, d, cell);
    const struct rd_law_numbers at = rd_subject_numbers(subject, d);
    return rd_law_term_live(subject->reader, subject->array, RD_LAW_LAW, &at, cell);
}

rd_term rd_subject_count(struct rd_proof_subject *subject, rd_term d, rd_term cell)
{
    if (subject->host)
        return rd_host_count(subject->host, d, cell);
    const struct rd_law_numbers at = rd_subject_numbers(subject, d);
    const struct rd_law_reading reading = {.role = RD_LAW_LAW};
    return rd_law_term_count(subject->reader, subject->array, &reading, &at, cell);
}

rd_term rd_subject_value(struct rd_proof_subject *subject, rd_term d, rd_term cell)
{
    struct rd_terms *terms = subject->terms;
    if (subject->host)
        return rd_host_value(subject->host, d, cell);
    return rd_choice(terms, rd_subject_live(subject, d, cell), rd_subject_count(subject, d, cell),
                     rd_apply(terms, "dead", 1, &cell));
}

rd_term rd_subject_home(struct rd_proof_subject *subject, rd_term d)
{
    rd_term count = rd_subject_count(subject, d, subject->cell);
    while (count->kind == RD_TERM_CHOICE && count->kids[1]->kind != RD_TERM_NUMBER)
        count = count->kids[1];
    return count->kind == RD_TERM_CHOICE
               ? rd_solution(subject->terms, count->kids[0], subject->cell)
               : NULL;
}

/* ---- facts ---- */

static rd_term home_is_live(struct rd_proof_subject *subject, rd_term d)
{
    struct rd_terms *terms = subject->terms;
    const rd_term home = rd_subject_home(subject, d);
    if (!home)
        return rd_true(terms);
    return rd_and(terms, rd_subject_live(subject, d, home),
                  rd_equal(terms, rd_subject_count(subject, d, home), rd_number(terms, 1)));
}

rd_term rd_fact_term(struct rd_proof_subject *subject, const struct rd_fact *fact, rd_term d)
{
    struct rd_terms *terms = subject->terms;
    if (fact->from_one && d == rd_number(terms, 0))
        return rd_true(terms);
    if (!fact->at_steps && subject->values_only) /* it was found of the elements of all inputs */
        return rd_true(terms);
    rd_term said = fact->at_steps ? rd_replace(terms, fact->at_steps, 1, &subject->steps, &d)
                                  : home_is_live(subject, d);
    if (fact->from_one && d == subject->steps)
        said = rd_or(terms, rd_equal(terms, d, rd_number(terms, 0)), said);
    return said;
}

void rd_subject_add_facts(struct rd_proof_subject *subject, rd_term d,
                          struct rd_term_list *hypotheses)
{
    for (size_t k = 0; k < subject->n_facts; k++) {
        const rd_term fact = rd_fact_term(subject, &subject->facts[k], d);
        if (!subject->facts[k].dropped && fact->kind != RD_TERM_TRUE)
            rd_term_list_add_new(subject->terms, hypotheses, fact);
    }
}

const char *rd_subject_text(struct rd_proof_subject *subject, rd_term term)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (out)
        rd_term_print(term, out);
    const char *kept = out && fclose(out) == 0 ? rd_terms_text(subject->terms, "%s", text) : "";
    free(text);
    return kept;
}

/* ---- goals ---- */

static bool is_same(const struct rd_proof_goal *goal, const struct rd_term_list *hypotheses,
                    rd_term wanted)
{
    if (goal->goal != wanted || goal->hypotheses.count != hypotheses->count)
        return false;
    for (size_t k = 0; k < hypotheses->count; k++)
        if (goal->hypotheses.terms[k] != hypotheses->terms[k])
            return false;
    return true;
}

static bool is_of_values(enum rd_proof_obligation obligation)
{
    return obligation == RD_PROOF_INITIALIZATION || obligation == RD_PROOF_PRESERVATION_VALUE ||
           obligation == RD_PROOF_PRESERVATION_COVERAGE || obligation == RD_PROOF_EXIT;
}

static bool is_always_asked(enum rd_proof_obligation obligation)
{
    return obligation == RD_PROOF_INITIALIZATION || obligation == RD_PROOF_PRESERVATION_VALUE ||
           obligation == RD_PROOF_EXIT;
}

void rd_subject_add_goal(struct rd_proof_subject *subject, enum rd_proof_obligation obligation,
                         const char *segment, const char *what, const struct rd_term_list *base,
                         const struct rd_term_list *more, rd_term goal)
{
    struct rd_proof *proof = subject->proof;
    struct rd_term_list hypotheses = {0};
    bool trivial = goal->kind == RD_TERM_TRUE;
    bool known = !rd_subject_goes(subject) || (subject->values_only && !is_of_values(obligation));
    for (size_t k = 0; k < base->count; k++)
        if (base->terms[k]->kind != RD_TERM_TRUE)
            rd_term_list_add_new(subject->terms, &hypotheses, base->terms[k]);
    const size_t n_base = hypotheses.count;
    for (size_t k = 0; more && k < more->count; k++) {
        known = known || more->terms[k]->kind == RD_TERM_FALSE;
        trivial = trivial || more->terms[k] == goal;
        if (more->terms[k]->kind != RD_TERM_TRUE)
            rd_term_list_add_new(subject->terms, &hypotheses, more->terms[k]);
    }
    /* One that follows by itself is asked where a reader looks for it. */
    known = known || (trivial && (subject->values_only || !is_always_asked(obligation)));
    for (size_t k = 0; k < proof->count && !known; k++)
        known = is_same(&proof->goals[k], &hypotheses, goal);
    if (known) {
        rd_term_list_finish(&hypotheses);
        return;
    }
    struct rd_proof_goal *added = rd_proof_add(proof, obligation, what);
    if (!added) {
        rd_term_list_finish(&hypotheses);
        rd_subject_fail_by(subject, RD_ERROR_MEMORY, "no memory for a proof");
        return;
    }
    added->segment = *subject->suffix && is_of_values(obligation)
                         ? rd_terms_text(subject->terms, "%s%s", segment, subject->suffix)
                         : segment;
    added->hypotheses = hypotheses;
    added->n_base = n_base;
    added->may_be_void = n_base == 0 && hypotheses.count > 0; /* the segment supposes nothing */
    added->goal = goal;
}

void rd_subject_say_value(struct rd_proof_subject *subject, size_t n_before, rd_term made,
                          rd_term claimed)
{
    struct rd_proof *proof = subject->proof;
    if (proof->count == n_before)
        return;
    proof->goals[proof->count - 1].made = made;
    proof->goals[proof->count - 1].claimed = claimed;
}
