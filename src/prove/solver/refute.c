// SPDX-License-Identifier: MIT
/* Candidates that a model shows to be false, several at once. */
#include "prove/solver/solver.h"
#include "prove/solver/cache.h"
#include "prove/logic/lemma.h"
#include "prove/solver/prover.h"
#include "prove/solver/query.h"
#include "prove/logic/term_internal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* As a question for a counterexample of small numbers has them. */
enum { BOUND = 8, EXPONENTS = 20, CONSTANTS_MAX = 64 };

/* Of the text of a candidate, in the cache. It is no prover's `sat` of that text, and taken for none. */
#define FALSE_IN_A_MODEL "false in a model"

struct refuting {
    struct rd_proof *proof;
    const struct rd_solver_options *options;
    struct rd_proof_cache cache;
    bool *is_done; /* of the first goal of each group with the same hypotheses: no more is found */
    struct rd_error *error;
};

/* ---- what is known ---- */

static char *text_of(struct rd_terms *terms, const struct rd_proof_goal *goal)
{
    struct rd_term_list tables = {0};
    rd_lemma_tables(terms, goal, EXPONENTS, &tables);
    const struct rd_query query = {
        .facts = {&goal->hypotheses, &tables},
        .n_facts = {goal->hypotheses.count, tables.count},
        .goal = goal->goal,
        .bound = BOUND,
    };
    char *text = rd_query_text(&query, NULL);
    rd_term_list_finish(&tables);
    return text;
}

/* Looks whether one of the provers here has refuted it before. */
static void look_up(struct refuting *refuting, struct rd_proof_goal *goal)
{
    const struct rd_provers *provers = &refuting->options->pool->provers;
    char *text = text_of(refuting->proof->terms, goal);
    for (unsigned k = 0; k < RD_PROVER_COUNT && text; k++) {
        struct rd_proof_entry entry = {
            .prover = provers->names[k], .answer = FALSE_IN_A_MODEL, .text = text};
        if (provers->is_there[k] && rd_proof_cache_has(&refuting->cache, &entry))
            goal->answer = RD_ANSWER_REFUTED;
    }
    free(text);
}

static void keep(struct refuting *refuting, const struct rd_proof_goal *goal,
                 const struct rd_proof_goal *asked)
{
    char *text = text_of(refuting->proof->terms, goal);
    const struct rd_proof_entry entry = {.prover = asked->prover,
                                         .answer = FALSE_IN_A_MODEL,
                                         .text = text,
                                         .seconds = asked->seconds};
    if (text && asked->prover)
        rd_proof_cache_add(&refuting->cache, &entry);
    free(text);
}

/* ---- models ---- */

struct values {
    unsigned count;
    rd_term names[CONSTANTS_MAX], numbers[CONSTANTS_MAX];
};

/* Reads lines "name = number". A name whose number isn't one of int64_t has none: a goal that needs it is not told. */
static void read_model(struct rd_terms *terms, const char *model, struct values *values)
{
    values->count = 0;
    for (const char *line = model; *line && values->count < CONSTANTS_MAX;) {
        const char *end = strchrnul(line, '\n'),
                   *middle = memmem(line, (size_t)(end - line), " = ", 3);
        if (middle) {
            char *behind;
            errno = 0;
            const int64_t number = strtoll(middle + 3, &behind, 10);
            if (errno == 0 && behind == end) {
                values->names[values->count] =
                    rd_constant(terms, rd_terms_text(terms, "%.*s", (int)(middle - line), line));
                values->numbers[values->count++] = rd_number(terms, number);
            }
        }
        line = *end ? end + 1 : end;
    }
}

/* Returns the number of goals behind the first that have its hypotheses, with it. */
static size_t count_group(const struct rd_proof *proof, size_t first)
{
    const struct rd_term_list *own = &proof->goals[first].hypotheses;
    size_t n = 1;
    while (first + n < proof->count && proof->goals[first + n].hypotheses.count == own->count &&
           memcmp(proof->goals[first + n].hypotheses.terms, own->terms,
                  own->count * sizeof *own->terms) == 0)
        n++;
    return n;
}

/* Tells whether the model of what was asked refutes a goal of the group. */
static bool refute_group(struct refuting *refuting, size_t first, const struct rd_proof_goal *asked)
{
    struct rd_terms *terms = refuting->proof->terms;
    struct values values;
    bool found = false;
    if (asked->answer != RD_ANSWER_REFUTED || !asked->model)
        return false;
    read_model(terms, asked->model, &values);
    for (size_t k = first, n = count_group(refuting->proof, first); k < first + n; k++) {
        struct rd_proof_goal *goal = &refuting->proof->goals[k];
        if (goal->answer == RD_ANSWER_REFUTED ||
            rd_replace(terms, goal->goal, values.count, values.names, values.numbers)->kind !=
                RD_TERM_FALSE)
            continue;
        goal->answer = RD_ANSWER_REFUTED;
        found = true;
        keep(refuting, goal, asked);
    }
    return found;
}

/* ---- asking ---- */

/* Adds the question whether all goals of the group that are left hold. */
static void add_group(struct refuting *refuting, size_t first, struct rd_proof *asked)
{
    struct rd_terms *terms = refuting->proof->terms;
    const struct rd_proof_goal *goals = refuting->proof->goals;
    rd_term all = rd_true(terms);
    for (size_t k = first, n = count_group(refuting->proof, first); k < first + n; k++)
        if (goals[k].answer != RD_ANSWER_REFUTED)
            all = rd_and(terms, all, goals[k].goal);
    if (all->kind == RD_TERM_TRUE)
        return;
    struct rd_proof_goal *goal = rd_proof_add(asked, RD_PROOF_FACT, "candidates");
    if (!goal) {
        rd_terms_fail(terms);
        return;
    }
    rd_term_list_add_all(terms, &goal->hypotheses, &goals[first].hypotheses);
    goal->may_be_void = true;
    goal->goal = all;
}

static void finish(struct rd_proof *asked)
{
    for (size_t k = 0; k < asked->count; k++) {
        rd_term_list_finish(&asked->goals[k].hypotheses);
        free(asked->goals[k].model);
    }
    free(asked->goals);
}

/* Asks for a model against each group, once; *found tells whether there is one. */
static enum rd_status ask_groups(struct refuting *refuting, bool *found)
{
    struct rd_proof *proof = refuting->proof, asked = {.name = proof->name, .terms = proof->terms};
    size_t n_asked = 0;
    *found = false;
    for (size_t first = 0; first < proof->count; first += count_group(proof, first)) {
        const size_t before = asked.count;
        if (!refuting->is_done[first])
            add_group(refuting, first, &asked);
        refuting->is_done[first] = asked.count == before;
    }
    const enum rd_status status = rd_solver_ask(&asked, refuting->options, refuting->error);
    for (size_t first = 0; status == RD_OK && first < proof->count;
         first += count_group(proof, first))
        if (!refuting->is_done[first]) {
            refuting->is_done[first] = !refute_group(refuting, first, &asked.goals[n_asked++]);
            *found = *found || !refuting->is_done[first];
        }
    finish(&asked);
    return status;
}

enum rd_status rd_refute(struct rd_proof *proof, const struct rd_solver_options *options,
                         struct rd_error *error)
{
    struct rd_solver_options models = *options;
    struct refuting refuting = {proof, &models, {.folder = -1}, NULL, error};
    enum rd_status status = RD_OK;
    bool found = !options->known_only;
    models.models_only = models.no_cache = true;
    refuting.is_done = calloc(proof->count + 1, sizeof *refuting.is_done);
    if (!refuting.is_done)
        return rd_fail(error, RD_ERROR_MEMORY, "no memory for %zu goals", proof->count);
    struct rd_prover_pool *own_pool = options->pool ? NULL : rd_prover_pool_create();
    models.pool = options->pool ? options->pool : own_pool;
    if (!models.pool)
        status = rd_fail(error, RD_ERROR_MEMORY, "no memory for the provers");
    if (!options->no_cache)
        rd_proof_cache_open(&refuting.cache);
    for (size_t k = 0; status == RD_OK && k < proof->count; k++)
        look_up(&refuting, &proof->goals[k]);
    while (status == RD_OK && found)
        status = ask_groups(&refuting, &found);
    rd_prover_pool_destroy(own_pool);
    rd_proof_cache_close(&refuting.cache);
    free(refuting.is_done);
    return status;
}
