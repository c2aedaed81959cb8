// SPDX-License-Identifier: MIT
/* A user's program is run by `reductio run`, as it stands: its numbers are those that it sets itself. */
#include "prove/replay/replay.h"

#include "base/clock.h"
#include "check/unit/unit.h"
#include "prove/replay/replay_run.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { WORDS_MAX = 128 };

/* "reductio run FILE.cu OPTIONS --device sim". */
struct command {
    const char *words[WORDS_MAX];
    size_t n;
    bool is_too_long; /* words are missing */
};

static void add(struct command *command, const char *word)
{
    if (command->n + 1 < WORDS_MAX)
        command->words[command->n++] = word;
    else
        command->is_too_long = true;
}

/* Values for the numbers that may be any; NULL: the file's own. */
static struct command command_of(const char *subcommand, const struct rd_proof *proof,
                                 const char *path, const char *const *options,
                                 const rd_wide *values, bool of_other_inputs)
{
    struct command command = {.n = 0};
    add(&command, "reductio");
    add(&command, subcommand);
    add(&command, path);
    for (size_t k = 0; options && options[k]; k++)
        add(&command, options[k]);
    for (size_t k = 0; values && k < proof->n_numbers; k++)
        if (proof->numbers[k].line > 0 && values[k] != proof->numbers[k].own) {
            add(&command, "--number");
            add(&command, rd_terms_text(proof->terms, "%s=%lld", proof->numbers[k].name,
                                        (long long)values[k]));
        }
    if (of_other_inputs) {
        add(&command, "--values");
        add(&command, "random");
    }
    add(&command, "--device");
    add(&command, "sim");
    return command;
}

/* As it can be pasted. */
static char *text_of(const struct command *command)
{
    static const char plain[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-+=./,:@%";
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    for (size_t k = 0; out && k < command->n; k++) {
        fputs(k > 0 ? " " : "", out);
        if (command->words[k][strspn(command->words[k], plain)] == '\0')
            fputs(command->words[k], out);
        else
            rd_check_write_quoted(command->words[k], out);
    }
    return out && fclose(out) == 0 ? text : NULL;
}

static void open_refuted(struct rd_proof *proof, const char *reason)
{
    for (size_t k = 0; k < proof->count; k++)
        if (proof->goals[k].answer == RD_ANSWER_REFUTED) {
            proof->goals[k].answer = RD_ANSWER_OPEN;
            proof->goals[k].reason = reason;
        }
}

/* Which runs came to their end, and did not fail. */
struct tries {
    bool own;        /* with the file's own numbers */
    bool inputs;     /* with these, and random inputs */
    unsigned others; /* with others, and random inputs */
    unsigned cut;    /* were ended, or could not be run: they say nothing */
};

static const char *reason_of(const struct rd_proof *proof, const struct tries *tries)
{
    static const char allows[] = "what is given allows these numbers";
    if (!tries->own && tries->others == 0)
        return tries->cut == 0 ? rd_terms_text(proof->terms,
                                               "%s, and no run was tried: the file's own numbers "
                                               "are not as its 'requires' says",
                                               allows)
                               : rd_terms_text(proof->terms,
                                               "%s, and whether a run fails isn't known: none that "
                                               "was tried came to its end within %d s",
                                               allows, RD_REPLAY_RUN_S);
    return rd_terms_text(proof->terms,
                         "%s, though perhaps no run comes to them: with %s%s%s, it does not fail%s",
                         allows,
                         tries->inputs ? "the numbers that the file sets, and random inputs, too"
                         : tries->own  ? "the numbers that the file sets"
                                       : "",
                         tries->own && tries->others > 0 ? ", and " : "",
                         tries->others == 0 ? ""
                         : tries->own       ? "others that were tried with random inputs"
                                            : "others that were tried, and random inputs",
                         tries->cut > 0 ? "; another run did not come to its end" : "");
}

/* ---- which runs ---- */

enum { SMALL = 4, RUNS_MAX = 6, MOST = 1 << 20, ALL_S = 20 };

struct candidates {
    struct candidate {
        rd_wide values[RD_PROOF_NUMBERS_MAX];
    } all[RUNS_MAX];
    size_t n;
};

/* The first number that the file sets; NULL: there is none. */
static const struct rd_proof_number *first_number(const struct rd_proof *proof)
{
    for (size_t k = 0; k < proof->n_numbers; k++)
        if (proof->numbers[k].line > 0)
            return &proof->numbers[k];
    return NULL;
}

static void own_values(const struct rd_proof *proof, rd_wide *values)
{
    for (size_t k = 0; k < proof->n_numbers; k++)
        values[k] = proof->numbers[k].own;
}

/* Adds it, in the order of the first number, where the file takes it and it isn't there. */
static void add_candidate(const struct rd_proof *proof, struct candidates *candidates,
                          const rd_wide *values)
{
    const size_t first = (size_t)(first_number(proof) - proof->numbers);
    const size_t size = proof->n_numbers * sizeof *values;
    size_t at = candidates->n;
    bool is_own = true;
    for (size_t k = 0; k < proof->n_numbers; k++) {
        is_own = is_own && values[k] == proof->numbers[k].own;
        if (values[k] < 1 || values[k] > MOST)
            return;
    }
    for (size_t k = 0; k < candidates->n; k++)
        if (memcmp(candidates->all[k].values, values, size) == 0)
            return;
    if (is_own || candidates->n == RUNS_MAX || !rd_proof_takes(proof, values))
        return;
    for (; at > 0 && candidates->all[at - 1].values[first] > values[first]; at--)
        candidates->all[at] = candidates->all[at - 1];
    memcpy(candidates->all[at].values, values, size);
    candidates->n++;
}

static void add_small(const struct rd_proof *proof, struct candidates *candidates)
{
    const struct rd_proof_number *first = first_number(proof);
    rd_wide values[RD_PROOF_NUMBERS_MAX];
    own_values(proof, values);
    for (rd_wide small = 1; small <= SMALL && first; small++) {
        values[first - proof->numbers] = small;
        add_candidate(proof, candidates, values);
    }
}

static void add_counterexamples(const struct rd_proof *proof, struct candidates *candidates)
{
    rd_wide values[RD_PROOF_NUMBERS_MAX];
    for (size_t k = 0; k < proof->count; k++) {
        const char *model =
            proof->goals[k].answer == RD_ANSWER_REFUTED ? proof->goals[k].model : NULL;
        bool found = false;
        own_values(proof, values);
        for (size_t i = 0; i < proof->n_numbers && model; i++)
            found |= proof->numbers[i].line > 0 &&
                     rd_proof_model_number(model, proof->numbers[i].term->name, &values[i]);
        if (found)
            add_candidate(proof, candidates, values);
    }
}

/* ---- one run ---- */

struct replay {
    struct rd_proof *proof;
    const char *path;
    const char *const *options;
    const volatile sig_atomic_t *interrupted;
    struct tries *tries;
};

/* Tells whether a goal about where memory is accessed is refuted. */
static bool refutes_access(const struct rd_proof *proof)
{
    for (size_t k = 0; k < proof->count; k++)
        if (proof->goals[k].answer == RD_ANSWER_REFUTED &&
            proof->goals[k].obligation == RD_PROOF_IN_BOUNDS)
            return true;
    return false;
}

/* Makes the run, and notes where it fails. `values` NULL: the file's own numbers and inputs. */
static enum rd_status try(const struct replay *replay, const rd_wide *values,
                          struct rd_error *error)
{
    const struct rd_proof *proof = replay->proof;
    struct rd_proof_replay *found = &replay->proof->replay;
    const struct command command = command_of("run", proof, replay->path, replay->options, values,
                                              values != NULL),
                         step = command_of("step", proof, replay->path, replay->options, values,
                                           values != NULL);
    struct command with_results = command;
    struct rd_replay_run run;
    add(&with_results, "--format");
    add(&with_results, "json");
    enum rd_status status = rd_replay_run(&run, with_results.words, replay->interrupted, error);
    if (run.crashes_alone && !refutes_access(proof)) /* that is about none of the goals */
        run.fails = run.is_whole = false;
    replay->tries->cut += !run.is_whole;
    const bool holds = run.is_whole && !run.fails && !run.is_outside;
    replay->tries->own |= holds && !values;
    replay->tries->others += holds && values;
    if (status == RD_OK && run.fails) {
        rd_proof_replay_clear(found);
        found->fails = true;
        found->run = text_of(&command);
        found->step = run.has_rounds ? text_of(&step) : NULL;
        found->what = run.what;
        found->summary = run.summary;
        run.what = run.summary = NULL;
        if (!found->run || (run.has_rounds && !found->step))
            status = rd_fail(error, RD_ERROR_MEMORY, "no memory for a replay");
    }
    rd_replay_run_finish(&run);
    return status;
}

/* Tries the candidates, until one fails; NULL: none does. */
static const struct candidate *try_each(const struct replay *replay,
                                        const struct candidates *candidates, double end_s,
                                        enum rd_status *status, struct rd_error *error)
{
    struct rd_proof_replay *found = &replay->proof->replay;
    const bool fails = found->fails; /* a larger one */
    const struct candidate *failing = NULL;
    for (size_t k = 0; k < candidates->n && *status == RD_OK && !failing; k++) {
        if (rd_clock_s(CLOCK_MONOTONIC) > end_s)
            break;
        found->fails = false;
        *status = try(replay, candidates->all[k].values, error);
        failing = found->fails ? &candidates->all[k] : NULL;
    }
    found->fails = found->fails || fails;
    return failing;
}

/* Tries the file's own numbers with random inputs, if it has inputs that can be set. */
static enum rd_status try_inputs(const struct replay *replay, struct rd_error *error)
{
    struct tries *tries = replay->tries;
    const struct tries before = *tries;
    rd_wide values[RD_PROOF_NUMBERS_MAX];
    own_values(replay->proof, values);
    const enum rd_status status = try(replay, values, error);
    const bool is_whole = tries->others > before.others;
    *tries = before;
    tries->inputs = is_whole;
    return status;
}

/* Tries the file as it stands, unless its numbers are none of those that it requires; then those of counterexamples, and smaller ones. */
static enum rd_status try_all(const struct replay *replay, struct rd_error *error)
{
    const double end_s = rd_clock_s(CLOCK_MONOTONIC) + ALL_S;
    const struct rd_proof *proof = replay->proof;
    struct candidates candidates = {.n = 0}, small = {.n = 0};
    enum rd_status status = proof->own_run ? RD_OK : try(replay, NULL, error);
    if (status != RD_OK || proof->replay.fails)
        return status;
    add_counterexamples(proof, &candidates);
    add_small(proof, &small);
    const struct candidate *failing = try_each(replay, &candidates, end_s, &status, error);
    if (failing) {
        const size_t first = (size_t)(first_number(proof) - proof->numbers);
        while (small.n > 0 && small.all[small.n - 1].values[first] >= failing->values[first])
            small.n--;
    }
    if (status == RD_OK)
        try_each(replay, &small, end_s, &status, error);
    if (status == RD_OK && !proof->replay.fails && !proof->own_run && !first_number(proof))
        status = try_inputs(replay, error);
    return status;
}

enum rd_status rd_proof_replay_file(struct rd_proof *proof, const char *path,
                                    const char *const *compiler_options,
                                    const volatile sig_atomic_t *interrupted,
                                    struct rd_error *error)
{
    struct tries tries = {.own = false};
    if (proof->not_covered || rd_proof_verdict(proof) == RD_ANSWER_PROVED)
        return RD_OK;
    struct command longest = command_of("run", proof, path, compiler_options, NULL, true);
    for (size_t k = 0; k < 2 * RD_PROOF_NUMBERS_MAX + 2; k++)
        add(&longest, "");
    if (longest.is_too_long) {
        open_refuted(proof,
                     "what is given allows these numbers, and no run was tried: with so many "
                     "options of the compiler, none is made");
        return RD_OK;
    }
    const struct replay replay = {.proof = proof,
                                  .path = path,
                                  .options = compiler_options,
                                  .interrupted = interrupted,
                                  .tries = &tries};
    proof->replay.made = true;
    const enum rd_status status = try_all(&replay, error);
    if (status == RD_OK && !proof->replay.fails)
        open_refuted(proof, reason_of(proof, &tries));
    return status;
}
