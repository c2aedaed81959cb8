// SPDX-License-Identifier: MIT
#include "base/clock.h"
#include "cli/prove.h"
#include "view/paint.h"

#include <stdlib.h>
#include <string.h>

enum { PROVERS_MAX = 8, INDENT = 9 };

double rd_cli_prove_clock(void)
{
    return rd_clock_s(CLOCK_MONOTONIC);
}

static const char *word_of(enum rd_answer answer)
{
    switch (answer) {
    case RD_ANSWER_PROVED:
        return "PROVED";
    case RD_ANSWER_REFUTED:
        return "REFUTED";
    case RD_ANSWER_NONE:
    case RD_ANSWER_OPEN:
        break;
    }
    return "OPEN";
}

enum rd_answer rd_cli_prove_verdict(const struct rd_cli_prove *prove, const struct rd_proof *proof)
{
    const enum rd_answer verdict = rd_proof_verdict(proof);
    const bool lacks_lemma = rd_proof_verdict(&prove->lemmas) != RD_ANSWER_PROVED;
    return verdict == RD_ANSWER_PROVED && lacks_lemma ? RD_ANSWER_OPEN : verdict;
}

/* ---- counts ---- */

static size_t count_of(const struct rd_proof *proof, enum rd_answer answer)
{
    size_t n = 0;
    for (size_t k = 0; k < proof->count; k++)
        n += proof->goals[k].answer == answer;
    return n;
}

/* Appends " (cvc5 30, Z3 14)": how many goals each has proved. */
static void append_provers(const struct rd_proof *proof, char *text, size_t size)
{
    const char *names[PROVERS_MAX];
    size_t counts[PROVERS_MAX], n = 0;
    for (size_t k = 0; k < proof->count; k++) {
        const struct rd_proof_goal *goal = &proof->goals[k];
        size_t at = 0;
        if (goal->answer != RD_ANSWER_PROVED || !goal->prover)
            continue;
        while (at < n && strcmp(names[at], goal->prover) != 0)
            at++;
        if (at == n && n < PROVERS_MAX) {
            counts[n] = 0;
            names[n++] = goal->prover;
        }
        if (at < n)
            counts[at]++;
    }
    for (size_t k = 0; k < n; k++) {
        const size_t length = strlen(text);
        snprintf(text + length, size - length, "%s%.*s %zu%s", k ? ", " : " (",
                 (int)strcspn(names[k], " "), names[k], counts[k], k + 1 == n ? ")" : "");
    }
}

/* ---- text ---- */

static void print_text(const char *label, const char *text)
{
    char *line = NULL;
    if (asprintf(&line, "%*s%s%s", INDENT, "", label, text) < 0)
        return;
    rd_cli_print_line(stdout, line);
    free(line);
}

static char *text_of(rd_term term)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    rd_term_print(term, out);
    return fclose(out) == 0 ? text : NULL;
}

static void print_question(const struct rd_proof_goal *goal)
{
    for (size_t k = 0; k < goal->hypotheses.count; k++) {
        char *text = text_of(goal->hypotheses.terms[k]);
        print_text(k ? "and   " : "given ", text ? text : "");
        free(text);
    }
    char *text = text_of(goal->goal);
    print_text("show  ", goal->smt ? "a statement about 64 bits" : text ? text : "");
    free(text);
}

/* The lines of a model in one: "n = 4, d = 0". */
static void print_model(const char *model)
{
    char *line = strdup(model), *end = line ? line + strlen(line) : NULL;
    while (end > line && end[-1] == '\n')
        *--end = '\0';
    char *shown = NULL;
    size_t size;
    FILE *out = line ? open_memstream(&shown, &size) : NULL;
    for (const char *c = line; out && *c; c++)
        fputs(*c == '\n' ? ", " : (char[]){*c, '\0'}, out);
    if (out && fclose(out) == 0)
        print_text("counterexample to the goal: ", *shown ? shown : "any numbers");
    free(shown);
    free(line);
}

static void print_goal(const struct rd_cli_prove *prove, const struct rd_proof_goal *goal)
{
    char *line = NULL;
    const char *colon = *goal->segment ? ": " : "";
    if (asprintf(&line, "  %-7s %s%s%s", word_of(goal->answer), goal->segment, colon, goal->what) <
        0)
        return;
    rd_cli_print_line(stdout, line);
    free(line);
    if (goal->model && goal->answer != RD_ANSWER_PROVED)
        print_model(goal->model);
    if (goal->reason)
        print_text("", goal->reason);
    if (!prove->verbose)
        return;
    print_question(goal);
    if (goal->prover)
        printf("%*s%s, %.2f s%s\n", INDENT, "", goal->prover, goal->seconds,
               goal->cached ? ", proved before" : "");
}

static void print_groups(const struct rd_cli_prove *prove, const struct rd_proof *proof)
{
    for (int group = 0; group < RD_PROOF_OBLIGATION_COUNT; group++) {
        bool has_head = false;
        for (size_t k = 0; k < proof->count; k++) {
            if ((int)proof->goals[k].obligation != group)
                continue;
            if (!has_head)
                printf("%s\n", rd_proof_obligation_name(proof->goals[k].obligation));
            has_head = true;
            print_goal(prove, &proof->goals[k]);
        }
    }
}

/* Counts goals that are proved from hypotheses of which no prover has found a model: if these contradict each other, that is no proof. */
static void print_unknown_models(const struct rd_proof *proof)
{
    size_t n = 0;
    for (size_t k = 0; k < proof->count; k++)
        n += proof->goals[k].answer == RD_ANSWER_PROVED && !proof->goals[k].has_model;
    if (n > 0)
        printf("Of %zu goal%s no prover has found numbers for which the hypotheses hold, nor that "
               "there are none.\n",
               n, rd_plural(n));
}

static void print_lemmas_open(const struct rd_cli_prove *prove)
{
    for (size_t k = 0; k < prove->lemmas.count; k++)
        if (prove->lemmas.goals[k].answer != RD_ANSWER_PROVED)
            print_goal(prove, &prove->lemmas.goals[k]);
}

static void print_verdict(const struct rd_cli_prove *prove, const struct rd_proof *proof,
                          double seconds)
{
    const enum rd_answer verdict = rd_cli_prove_verdict(prove, proof);
    const size_t n_proved = count_of(proof, RD_ANSWER_PROVED);
    const bool is_lemmas = proof == &prove->lemmas;
    char provers[200] = "", line[800], goals[80];
    append_provers(proof, provers, sizeof provers);
    if (proof->not_covered) {
        snprintf(line, sizeof line, "OPEN: %s is not covered: %s", proof->name, proof->not_covered);
        rd_cli_print_line(stdout, line);
        return;
    }
    if (n_proved == proof->count)
        snprintf(goals, sizeof goals, "%zu goal%s", proof->count, rd_plural(proof->count));
    else
        snprintf(goals, sizeof goals, "%zu of %zu goals proved", n_proved, proof->count);
    snprintf(line, sizeof line, "%s: %s%s%s: %s%s%s, %.1f s", word_of(verdict), proof->name,
             proof->shape ? ", for " : "", proof->shape ? proof->shape : "", goals, provers,
             is_lemmas ? "" : ", by lemmas that are proved, too", seconds);
    if (!is_lemmas && rd_proof_verdict(&prove->lemmas) != RD_ANSWER_PROVED)
        snprintf(line, sizeof line, "%s: %s: %s%s, but a lemma is open", word_of(verdict),
                 proof->name, goals, provers);
    rd_cli_print_line(stdout, line);
}

static void print_replay(const struct rd_proof_replay *replay)
{
    char *line = NULL;
    if (replay->fails) {
        printf("This run fails: %s\n", replay->run);
        print_text("", replay->what);
        printf("Step through it: %s\n", replay->step);
    } else if (replay->made &&
               asprintf(&line, "No run up to n = %zu fails.", replay->n_tried) >= 0) {
        rd_cli_print_line(stdout, line);
        free(line);
    }
}

static void print_row(struct rd_cli_prove *prove, const struct rd_proof *proof, double seconds)
{
    char provers[200] = "", line[800];
    append_provers(proof, provers, sizeof provers);
    if (!prove->has_head)
        printf("%-26s %-8s %11s %8s\n", "program", "", "goals", "seconds");
    prove->has_head = true;
    const char *verdict = word_of(rd_cli_prove_verdict(prove, proof));
    if (proof->not_covered)
        snprintf(line, sizeof line, "%-26s %-8s not covered: %s", proof->name, verdict,
                 proof->not_covered);
    else
        snprintf(line, sizeof line, "%-26s %-8s %4zu of %4zu %8.1f %s%s%s", proof->name, verdict,
                 count_of(proof, RD_ANSWER_PROVED), proof->count, seconds, provers,
                 proof->replay.fails ? "; this run fails: " : "",
                 proof->replay.fails ? proof->replay.run : "");
    rd_cli_print_line(stdout, line);
}

/* ---- JSON ---- */

static json_t *term_json(rd_term term)
{
    char *text = text_of(term);
    json_t *json = rd_cli_json_text(text ? text : "");
    free(text);
    return json;
}

/* {"n": "4", "d": "0"}: strings, as numbers may be large. */
static json_t *model_json(const char *model)
{
    json_t *object = json_object();
    char *copy = strdup(model), *rest = copy;
    for (char *line; copy && (line = strsep(&rest, "\n"));) {
        char *equal = strstr(line, " = ");
        if (!equal)
            continue;
        *equal = '\0';
        json_object_set_new(object, line, rd_cli_json_text(equal + strlen(" = ")));
    }
    free(copy);
    return object;
}

static json_t *goal_json(const struct rd_proof_goal *goal)
{
    json_t *given = json_array();
    for (size_t k = 0; k < goal->hypotheses.count; k++)
        json_array_append_new(given, term_json(goal->hypotheses.terms[k]));
    json_t *object = json_pack(
        "{s:s, s:o, s:o, s:s, s:o, s:o, s:b, s:f, s:b}", "obligation",
        rd_proof_obligation_name(goal->obligation), "segment", rd_cli_json_text(goal->segment),
        "what", rd_cli_json_text(goal->what), "answer", word_of(goal->answer), "given", given,
        "show", goal->smt ? rd_cli_json_text(goal->smt) : term_json(goal->goal), "satisfiable",
        (int)goal->has_model, "seconds", goal->seconds, "cached", (int)goal->cached);
    if (goal->prover)
        json_object_set_new(object, "prover", rd_cli_json_text(goal->prover));
    if (goal->reason)
        json_object_set_new(object, "reason", rd_cli_json_text(goal->reason));
    if (goal->model)
        json_object_set_new(object, "counterexample", model_json(goal->model));
    return object;
}

static json_t *goals_json(const struct rd_proof *proof)
{
    json_t *goals = json_array();
    for (size_t k = 0; k < proof->count; k++)
        json_array_append_new(goals, goal_json(&proof->goals[k]));
    return goals;
}

static json_t *replay_json(const struct rd_proof_replay *replay)
{
    if (!replay->fails)
        return json_pack("{s:b, s:I}", "fails", 0, "n_tried", (json_int_t)replay->n_tried);
    return json_pack("{s:b, s:I, s:o, s:o, s:o}", "fails", 1, "n", (json_int_t)replay->n, "run",
                     rd_cli_json_text(replay->run), "step", rd_cli_json_text(replay->step), "what",
                     rd_cli_json_text(replay->what));
}

static json_t *proof_json(const struct rd_cli_prove *prove, const struct rd_proof *proof,
                          double seconds)
{
    char provers[200];
    rd_solver_names(provers, sizeof provers);
    json_t *object =
        json_pack("{s:o, s:s, s:o, s:f, s:o, s:s}", "program", rd_cli_json_text(proof->name),
                  "verdict", word_of(rd_cli_prove_verdict(prove, proof)), "provers",
                  rd_cli_json_text(provers), "seconds", seconds, "goals", goals_json(proof),
                  "lemmas", word_of(rd_proof_verdict(&prove->lemmas)));
    if (proof->shape)
        json_object_set_new(object, "for", rd_cli_json_text(proof->shape));
    if (proof->not_covered)
        json_object_set_new(object, "not_covered", rd_cli_json_text(proof->not_covered));
    if (proof->replay.made)
        json_object_set_new(object, "replay", replay_json(&proof->replay));
    return object;
}

void rd_cli_prove_print(struct rd_cli_prove *prove, const struct rd_proof *proof, double seconds)
{
    if (prove->array) {
        json_array_append_new(prove->array, proof_json(prove, proof, seconds));
    } else if (prove->json) {
        rd_cli_json_print(proof_json(prove, proof, seconds));
    } else if (prove->table) {
        print_row(prove, proof, seconds);
    } else {
        print_groups(prove, proof);
        print_unknown_models(proof);
        if (proof != &prove->lemmas)
            print_lemmas_open(prove);
        print_verdict(prove, proof, seconds);
        print_replay(&proof->replay);
    }
}
