// SPDX-License-Identifier: MIT
#include "prove/report/sentences.h"
#include "prove/logic/count_sets.h"
#include "prove/goals/subject.h"

#include <stdlib.h>
#include <string.h>

enum { NAMES_MAX = 16 };

struct telling {
    const struct rd_proof *proof;
    struct rd_terms *terms;
    struct rd_proof_sentences *sentences;
    /* Quantities of the law that have names, before the round and behind it. */
    unsigned n_named;
    rd_term values[NAMES_MAX], names[NAMES_MAX];
    bool used[NAMES_MAX];
    bool failed;
};

/* ---- names ---- */

static void name_value(struct telling *telling, rd_term value, const char *name)
{
    if (telling->n_named == NAMES_MAX || value->kind == RD_TERM_NUMBER ||
        value->kind == RD_TERM_CONSTANT)
        return;
    for (unsigned k = 0; k < telling->n_named; k++)
        if (telling->values[k] == value)
            return;
    telling->values[telling->n_named] = value;
    telling->names[telling->n_named++] = rd_constant(telling->terms, name);
}

/* Takes the names of the law's definitions, as w, at the step before a round, and as w' at the one behind. */
static void find_names(struct telling *telling, struct rd_proof_subject *subject)
{
    const rd_term steps[] = {subject->steps,
                             rd_add(subject->terms, subject->steps, rd_number(subject->terms, 1))};
    for (unsigned s = 0; s < 2; s++) {
        const struct rd_law_numbers at = rd_subject_numbers(subject, steps[s]);
        const char *name = "";
        for (size_t k = 0; name; k++) {
            const rd_term value =
                rd_law_term_definition(subject->reader, subject->array, &at, k, &name);
            if (value && rd_term_has(value, subject->steps))
                name_value(telling, value,
                           rd_terms_text(subject->terms, "%s%s", name, s ? "'" : ""));
        }
    }
}

static rd_term with_names(struct telling *telling, rd_term term)
{
    if (telling->n_named == 0)
        return term;
    const rd_term named =
        rd_replace(telling->terms, term, telling->n_named, telling->values, telling->names);
    for (unsigned k = 0; k < telling->n_named; k++)
        telling->used[k] = telling->used[k] || rd_term_has(named, telling->names[k]);
    return named;
}

static void print_names(struct telling *telling, FILE *out)
{
    bool any = false;
    for (unsigned k = 0; k < telling->n_named; k++) {
        if (!telling->used[k])
            continue;
        fprintf(out, "%s%s is ", any ? ", " : "", telling->names[k]->name);
        rd_term_print(telling->values[k], out);
        any = true;
    }
}

/* ---- what is known of a goal ---- */

/* Replaces what the goal's hypotheses say by true. */
static rd_term as_known(struct telling *telling, const struct rd_proof_goal *goal, rd_term term)
{
    struct rd_terms *terms = telling->terms;
    struct rd_term_list from = {0}, to = {0};
    for (size_t k = 0; k < goal->hypotheses.count; k++) {
        unsigned count;
        const rd_term *parts = rd_term_conjuncts(&goal->hypotheses.terms[k], &count);
        for (unsigned p = 0; p < count; p++) {
            rd_term_list_add(terms, &from, parts[p]);
            rd_term_list_add(terms, &to, rd_true(terms));
            rd_term_list_add(terms, &from, rd_not(terms, parts[p]));
            rd_term_list_add(terms, &to, rd_false(terms));
        }
    }
    if (from.count == to.count && from.count > 0)
        term = rd_replace(terms, term, (unsigned)from.count, from.terms, to.terms);
    rd_term_list_finish(&from);
    rd_term_list_finish(&to);
    return term;
}

/* Prints the case of the goal, "when thread < w': ", where it has one. */
static void print_case(struct telling *telling, const struct rd_proof_goal *goal, FILE *out)
{
    struct rd_term_list base = {0}, parts = {0};
    for (size_t k = 0; k < goal->hypotheses.count; k++) {
        unsigned count;
        const rd_term *conjuncts = rd_term_conjuncts(&goal->hypotheses.terms[k], &count);
        for (unsigned p = 0; p < count; p++)
            rd_term_list_add_new(telling->terms, k < goal->n_base ? &base : &parts,
                                 rd_replace(telling->terms, conjuncts[p], telling->n_named,
                                            telling->values, telling->names));
    }
    size_t n_new = 0;
    for (size_t k = 0; k < parts.count; k++) {
        bool known = false;
        for (size_t b = 0; b < base.count && !known; b++)
            known = base.terms[b] == parts.terms[k];
        if (!known)
            parts.terms[n_new++] = with_names(telling, parts.terms[k]);
    }
    if (n_new > 0) {
        fputs("when ", out);
        rd_conditions_print((unsigned)n_new, parts.terms, out);
        fputs(": ", out);
    }
    rd_term_list_finish(&base);
    rd_term_list_finish(&parts);
}

/* ---- sentences ---- */

static void tell(struct telling *telling, const char *topic, const struct rd_proof_goal *goal,
                 const char *segment, const char *text)
{
    struct rd_proof_sentences *sentences = telling->sentences;
    for (size_t k = 0; k < sentences->count; k++) {
        struct rd_proof_sentence *told = &sentences->list[k];
        if (strcmp(told->topic, topic) == 0 && strcmp(told->segment, segment) == 0 &&
            strcmp(told->text, text) == 0) {
            told->n_goals++;
            return;
        }
    }
    if (sentences->count == sentences->capacity) {
        const size_t capacity = 2 * sentences->capacity + 16;
        struct rd_proof_sentence *grown = realloc(sentences->list, capacity * sizeof *grown);
        if (!grown) {
            telling->failed = true;
            return;
        }
        sentences->list = grown;
        sentences->capacity = capacity;
    }
    sentences->list[sentences->count++] = (struct rd_proof_sentence){
        .topic = topic,
        .obligation = goal->obligation,
        .segment = segment,
        .text = text,
        .n_goals = 1,
    };
}

/* The goal of a value as one of sets, or as the equation that it is. */
static const char *text_of_value(struct telling *telling, const struct rd_proof_goal *goal)
{
    struct rd_terms *terms = telling->terms;
    struct rd_term_list sets = {0}, named = {0};
    const rd_term made = as_known(telling, goal, goal->made),
                  claimed = as_known(telling, goal, goal->claimed);
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    print_case(telling, goal, out);
    const rd_term together = rd_count_set_of(terms, claimed);
    if (together && rd_count_sets_of(terms, made, &sets)) {
        for (size_t k = 0; k < sets.count; k++)
            rd_term_list_add(terms, &named, with_names(telling, sets.terms[k]));
        rd_count_sets_print(&named, with_names(telling, together), out);
    } else {
        rd_term_print(with_names(telling, made), out);
        fputs(" = ", out);
        rd_term_print(with_names(telling, claimed), out);
    }
    rd_term_list_finish(&sets);
    rd_term_list_finish(&named);
    const char *kept = fclose(out) == 0 ? rd_terms_text(terms, "%s", text) : NULL;
    free(text);
    return kept;
}

static bool is_of_no_input(const struct rd_proof_goal *goal)
{
    return strstr(goal->segment, ", where all of ") != NULL;
}

static bool is_of_end(const struct rd_proof_goal *goal)
{
    return strcmp(goal->segment, "end") == 0;
}

static void tell_value(struct telling *telling, const char *topic, const struct rd_proof_goal *goal)
{
    const bool is_start = goal->obligation == RD_PROOF_INITIALIZATION;
    const char *text = goal->claimed ? text_of_value(telling, goal) : NULL;
    if (text)
        tell(telling, topic, goal, is_start ? "" : goal->segment, text);
    else
        telling->failed = true;
}

/* The fact, without when it holds; *place is what it is a fact of, and ends with ": ", or is "". */
static const char *fact_of(struct telling *telling, const char *what, const char **place)
{
    static const char *const heads[] = {"before the first round: ", "the round keeps: "};
    static const char at_point[] = "at the checkpoint ";
    *place = "";
    for (unsigned k = 0; k < sizeof heads / sizeof *heads; k++)
        if (strncmp(what, heads[k], strlen(heads[k])) == 0)
            return what + strlen(heads[k]);
    const char *behind = strncmp(what, at_point, strlen(at_point)) == 0 ? strstr(what, ": ") : NULL;
    if (!behind)
        return what;
    *place = rd_terms_text(telling->terms, "%.*s", (int)(behind - what + 2), what);
    return behind + 2;
}

/* Tells whether the fact is among those that the text lists. */
static bool has_fact(const char *list, const char *fact)
{
    const size_t length = strlen(fact);
    for (const char *at = list; at; at = strstr(at, ", ")) {
        at += at == list ? 0 : 2;
        if (strncmp(at, fact, length) == 0 &&
            (at[length] == '\0' || strncmp(at + length, ", ", 2) == 0))
            return true;
    }
    return false;
}

/* Adds the fact to the sentence of its place: "at the checkpoint 'sequential': its variable is a power of two, 1 <= its variable". */
static void tell_fact(struct telling *telling, const char *topic, const struct rd_proof_goal *goal)
{
    const char *place, *fact = fact_of(telling, goal->what, &place);
    struct rd_proof_sentences *sentences = telling->sentences;
    for (size_t k = 0; k < sentences->count; k++) {
        struct rd_proof_sentence *told = &sentences->list[k];
        if (strcmp(told->topic, topic) != 0 || strncmp(told->text, place, strlen(place)) != 0 ||
            (!*place && strncmp(told->text, "at the checkpoint ", 18) == 0))
            continue;
        told->n_goals++;
        if (!has_fact(told->text + strlen(place), fact))
            told->text = rd_terms_text(telling->terms, "%s, %s", told->text, fact);
        return;
    }
    tell(telling, topic, goal, "", rd_terms_text(telling->terms, "%s%s", place, fact));
}

/* The topics in their order. A goal's sentence is that of its value, its own words, or that of all goals of its obligation. */
static const struct lesson {
    const char *topic;
    enum rd_proof_obligation obligation;
    bool of_value;   /* of goals about values alone; else of the others */
    const char *all; /* NULL: each has its own words */
    bool of_end;     /* of the host's goals, those of the end; else the others */
} lessons[] = {
    {"at first", RD_PROOF_INITIALIZATION, true, NULL, false},
    {"at first", RD_PROOF_INITIALIZATION, false, NULL, false},
    {"at each step", RD_PROOF_FACT, false, NULL, false},
    {"in each round", RD_PROOF_PRESERVATION_VALUE, true, NULL, false},
    {"in each round", RD_PROOF_PRESERVATION_VALUE, false, NULL, false},
    {"in each round", RD_PROOF_PRESERVATION_COVERAGE, false, NULL, false},
    {"in each round", RD_PROOF_PRESERVATION_FRAME, false, NULL, false},
    {"each launch", RD_PROOF_HOST, false, NULL, false},
    {"no disturbance", RD_PROOF_NO_RACE, false,
     "no thread reads or writes what another one writes, but for a barrier between them", false},
    {"no disturbance", RD_PROOF_BARRIERS, false,
     "a barrier is reached by all threads of a block, by the same way, or by none", false},
    {"no disturbance", RD_PROOF_IN_BOUNDS, false,
     "each access, and each cell of the law, is within its array", false},
    {"no disturbance", RD_PROOF_ARITHMETIC, false,
     "no number wraps, and no shift or division is out of its range", false},
    {"the end", RD_PROOF_TERMINATION, false, NULL, false},
    {"the end", RD_PROOF_HOST, false, NULL, true},
    {"the end", RD_PROOF_EXIT, false, NULL, false},
    {"the end", RD_PROOF_ROUNDING, false, NULL, false},
};

static void tell_lesson(struct telling *telling, const struct lesson *lesson)
{
    const struct rd_proof *proof = telling->proof;
    for (size_t k = 0; k < proof->count; k++) {
        const struct rd_proof_goal *goal = &proof->goals[k];
        if (goal->obligation != lesson->obligation || is_of_no_input(goal) ||
            lesson->of_value != (goal->claimed != NULL) ||
            (goal->obligation == RD_PROOF_HOST && lesson->of_end != is_of_end(goal)))
            continue;
        if (lesson->of_value)
            tell_value(telling, lesson->topic, goal);
        else if (goal->obligation == RD_PROOF_FACT)
            tell_fact(telling, lesson->topic, goal);
        else
            tell(telling, lesson->topic, goal, "", lesson->all ? lesson->all : goal->what);
    }
}

static void tell_of_no_input(struct telling *telling)
{
    for (size_t k = 0; k < telling->proof->count; k++)
        if (is_of_no_input(&telling->proof->goals[k]))
            tell(telling, "nothing else", &telling->proof->goals[k], "",
                 "where no input counts, all that is claimed holds nothing: only inputs are added");
}

enum rd_status rd_proof_sentences_init(struct rd_proof_sentences *sentences,
                                       const struct rd_program *program,
                                       const struct rd_proof *proof, struct rd_error *error)
{
    struct rd_proof_subject subject;
    struct rd_proof none = {.name = proof->name,
                            .terms = proof->terms}; /* to which no goal is added */
    struct telling telling = {.proof = proof, .terms = proof->terms, .sentences = sentences};
    char *names = NULL;
    size_t size;
    *sentences = (struct rd_proof_sentences){.names = ""};
    struct rd_counted counted[RD_COUNTED_MAX] = {0};
    rd_subject_counted(program, counted);
    rd_subject_init(&subject, program, &none, counted[0], false);
    if (rd_subject_goes(&subject))
        find_names(&telling, &subject);
    rd_subject_finish(&subject);
    for (size_t k = 0; k < sizeof lessons / sizeof *lessons; k++)
        tell_lesson(&telling, &lessons[k]);
    tell_of_no_input(&telling);
    FILE *out = open_memstream(&names, &size);
    if (out) {
        print_names(&telling, out);
        if (fclose(out) == 0)
            sentences->names = rd_terms_text(proof->terms, "%s", names);
    }
    free(names);
    if (out && !telling.failed && !rd_terms_failed(proof->terms))
        return RD_OK;
    rd_proof_sentences_finish(sentences);
    return rd_fail(error, RD_ERROR_MEMORY, "no memory for the sentences of a proof");
}

void rd_proof_sentences_finish(struct rd_proof_sentences *sentences)
{
    free(sentences->list);
    *sentences = (struct rd_proof_sentences){.names = ""};
}
