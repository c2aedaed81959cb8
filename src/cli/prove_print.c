// SPDX-License-Identifier: MIT
#include "base/clock.h"
#include "cli/prove.h"
#include "prove/report/sentences.h"
#include "reductio/version.h"
#include "view/paint.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PROVERS_MAX = 8, LINE_INDENT = 9, LABEL = 6 };

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

/* Prints the text behind a head; on a terminal, what is beyond its width in further lines, indented. */
static void print_behind(const char *head, unsigned indent, const char *text)
{
    const struct rd_paint paint = {.out = stdout, .width = rd_cli_width(stdout)};
    fputs(head, stdout);
    if (isatty(STDOUT_FILENO))
        rd_paint_flow(&paint, RD_INK_PLAIN, strlen(head), indent, text);
    else
        printf("%*s%s", *head ? 1 : (int)indent, "", text);
    putchar('\n');
}

static void print_text(const char *label, const char *text)
{
    char head[80] = "";
    if (*label)
        snprintf(head, sizeof head, "%*s%s", LINE_INDENT, "", label);
    print_behind(head, *label ? LINE_INDENT + LABEL : LINE_INDENT, text);
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
        print_text(k ? "and  " : "given", text ? text : "");
        free(text);
    }
    char *text = text_of(goal->goal);
    print_text("show ", goal->smt ? "a statement about 64 bits" : text ? text : "");
    free(text);
}

/* The lines of a model in one: "n = 4, d = 0". */
static void print_model(const char *model, bool is_of_several)
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
        print_text(is_of_several ? "counterexample to the first:" : "counterexample to the goal:",
                   *shown ? shown : "any numbers");
    free(shown);
    free(line);
}

/* `n_alike`: goals of one wording that are told in one line. `reason`: the one that was printed last, which is not repeated. */
static void print_goal(const struct rd_cli_prove *prove, const struct rd_proof_goal *goal,
                       size_t n_alike, const char **reason)
{
    char *line = NULL, head[LINE_INDENT + 1], alike[40] = "";
    const char *colon = *goal->segment ? ": " : "";
    if (n_alike > 1)
        snprintf(alike, sizeof alike, " (%zu goals)", n_alike);
    snprintf(head, sizeof head, "  %-7s", word_of(goal->answer));
    if (asprintf(&line, "%s%s%s%s", goal->segment, colon, goal->what, alike) < 0)
        return;
    print_behind(head, LINE_INDENT + 1, line);
    free(line);
    if (goal->model && goal->answer != RD_ANSWER_PROVED)
        print_model(goal->model, n_alike > 1);
    if (goal->reason && (!*reason || strcmp(*reason, goal->reason) != 0)) {
        print_text("", goal->reason);
        *reason = goal->reason;
    }
    if (!prove->verbose)
        return;
    print_question(goal);
    if (goal->prover)
        printf("%*s%s, %.2f s%s\n", LINE_INDENT, "", goal->prover, goal->seconds,
               goal->cached ? ", proved before" : "");
}

/* Counterexamples may differ: the first goal's is shown. */
static bool is_alike(const struct rd_proof_goal *a, const struct rd_proof_goal *b)
{
    return a->obligation == b->obligation && a->answer == b->answer &&
           strcmp(a->segment, b->segment) == 0 && strcmp(a->what, b->what) == 0 &&
           strcmp(a->reason ? a->reason : "", b->reason ? b->reason : "") == 0;
}

/* Counts the goals that are told in the line of the k-th; 0: an earlier one's line has it. */
static size_t count_alike(const struct rd_cli_prove *prove, const struct rd_proof *proof, size_t k)
{
    size_t n = 1;
    if (prove->verbose)
        return 1;
    for (size_t other = 0; other < proof->count; other++) {
        if (other == k || !is_alike(&proof->goals[k], &proof->goals[other]))
            continue;
        if (other < k)
            return 0;
        n++;
    }
    return n;
}

static void print_groups(const struct rd_cli_prove *prove, const struct rd_proof *proof)
{
    const char *reason = NULL;
    for (int group = 0; group < RD_PROOF_OBLIGATION_COUNT; group++) {
        bool has_head = false;
        for (size_t k = 0; k < proof->count; k++) {
            if ((int)proof->goals[k].obligation != group)
                continue;
            const size_t n_alike = count_alike(prove, proof, k);
            if (n_alike == 0)
                continue;
            if (!has_head)
                printf("%s\n", rd_proof_obligation_name(proof->goals[k].obligation));
            has_head = true;
            print_goal(prove, &proof->goals[k], n_alike, &reason);
        }
    }
}

/* Counts goals that are proved from hypotheses of which no prover has found a model: if these contradict each other,
 * that is no proof. */
static void print_unknown_models(const struct rd_proof *proof)
{
    size_t n = 0;
    for (size_t k = 0; k < proof->count; k++)
        n += proof->goals[k].answer == RD_ANSWER_PROVED && !proof->goals[k].has_model;
    if (n > 0)
        printf("Of %zu goal%s no prover has found numbers for which what is given holds, nor that "
               "there are none: if there are none, the goal says nothing.\n",
               n, rd_plural(n));
}

static void print_lemmas_open(const struct rd_cli_prove *prove)
{
    const char *reason = NULL;
    for (size_t k = 0; k < prove->lemmas.count; k++)
        if (prove->lemmas.goals[k].answer != RD_ANSWER_PROVED)
            print_goal(prove, &prove->lemmas.goals[k], 1, &reason);
}

/* Why the first goal that is open is so; NULL: none is, or it isn't known. */
static const char *reason_of_goals(const struct rd_proof *proof)
{
    for (size_t k = 0; k < proof->count; k++)
        if (proof->goals[k].answer == RD_ANSWER_OPEN && proof->goals[k].reason)
            return proof->goals[k].reason;
    return NULL;
}

/* What the verdict says of floats, and what it doesn't say of the host. */
static void print_of_values(const struct rd_proof *proof)
{
    char line[800];
    char *height = proof->height ? text_of(proof->height) : NULL;
    if (height) {
        snprintf(line, sizeof line,
                 "A sum of floats is within ((1 + u)^h - 1) * (the sum of its terms' sizes) of the "
                 "exact one, with h = %s (proved), where nothing overflows or underflows.",
                 height);
        rd_cli_print_line(stdout, line);
    }
    free(height);
    if (proof->by_host) {
        snprintf(line, sizeof line,
                 "Proved of the sums in A alone: of what the host computes from them, \"%s\", no "
                 "goal speaks.",
                 proof->by_host);
        rd_cli_print_line(stdout, line);
    }
}

/* Goals that nobody was asked for, and lemmas, are open for other reasons. */
static bool misses_law(enum rd_answer verdict, const struct rd_proof *proof)
{
    const size_t n_proved = count_of(proof, RD_ANSWER_PROVED);
    return verdict == RD_ANSWER_OPEN && proof->missing_law && n_proved > 0 &&
           n_proved < proof->count;
}

/* The same of invariants. */
static bool misses_invariant(enum rd_answer verdict, const struct rd_proof *proof)
{
    const size_t n_proved = count_of(proof, RD_ANSWER_PROVED);
    return (verdict == RD_ANSWER_OPEN || (verdict == RD_ANSWER_REFUTED && proof->is_of_launches)) &&
           proof->missing_invariant && n_proved > 0 && n_proved < proof->count;
}

static void print_verdict(const struct rd_cli_prove *prove, const struct rd_proof *proof,
                          double seconds)
{
    const enum rd_answer verdict = rd_cli_prove_verdict(prove, proof);
    const size_t n_proved = count_of(proof, RD_ANSWER_PROVED);
    const bool is_lemmas = proof == &prove->lemmas;
    const char *why = reason_of_goals(&prove->lemmas);
    char provers[200] = "", line[1600], goals[80];
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
    /* What it is proved for is no news of what is not. */
    const bool is_proved = verdict == RD_ANSWER_PROVED && !is_lemmas;
    const char *shape = is_proved && proof->shape ? proof->shape : "";
    const char *own_run = is_proved && proof->own_run ? proof->own_run : "";
    snprintf(line, sizeof line, "%s: %s%s%s%s%s%s: %s%s%s, %.1f s", word_of(verdict), proof->name,
             *shape ? ", for " : "", shape, *own_run ? ", but not of its own run (" : "", own_run,
             *own_run ? ")" : "", goals, provers,
             is_proved ? ", by lemmas that are proved, too" : "", seconds);
    if (!is_lemmas && rd_proof_verdict(&prove->lemmas) != RD_ANSWER_PROVED)
        snprintf(line, sizeof line, "%s: %s: %s%s, and a lemma is open%s%s", word_of(verdict),
                 proof->name, goals, provers, why ? ": " : "", why ? why : "");
    if (is_proved)
        print_of_values(proof);
    rd_cli_print_line(stdout, line);
    if (misses_law(verdict, proof)) {
        snprintf(line, sizeof line, "An '//@ assert' may be missing: %s.", proof->missing_law);
        rd_cli_print_line(stdout, line);
    }
    if (misses_invariant(verdict, proof))
        rd_cli_print_line(stdout, proof->missing_invariant);
    rd_cli_prove_print_hints(verdict, proof);
}

static void print_replay(const struct rd_proof_replay *replay)
{
    char *line = NULL;
    if (replay->fails) {
        printf("This run fails: %s\n", replay->run);
        print_text("", replay->what);
        if (replay->summary)
            print_text("", replay->summary);
        if (replay->step)
            printf("Step through it: %s\n", replay->step);
    } else if (replay->made && replay->n_tried > 0 &&
               asprintf(&line,
                        "No run that was tried fails: every n up to %zu that the program takes, "
                        "with some blocks and grids.",
                        replay->n_tried) >= 0) {
        rd_cli_print_line(stdout, line);
        free(line);
    }
}

/* Why a row is OPEN; NULL: it isn't. */
static const char *reason_of(const struct rd_cli_prove *prove, const struct rd_proof *proof)
{
    const char *reason = reason_of_goals(proof);
    if (reason)
        return reason;
    return rd_proof_verdict(&prove->lemmas) == RD_ANSWER_PROVED ? NULL : "a lemma is open";
}

/* Prints the remark behind a row of so many characters; on a terminal that is too narrow, below it. A command is not
 * broken: it is there to be pasted. */
static void print_remark(size_t length, const char *label, const char *text, bool is_command)
{
    const bool fits = length + strlen(label) + strlen(text) + 3 <= rd_cli_width(stdout);
    if (!isatty(STDOUT_FILENO) || fits) {
        printf("  %s%s%s\n", label, *label ? " " : "", text);
        return;
    }
    putchar('\n');
    if (is_command)
        printf("    %s %s\n", label, text);
    else
        print_text(label, text);
}

static void print_row(struct rd_cli_prove *prove, const struct rd_proof *proof, double seconds)
{
    const enum rd_answer verdict = rd_cli_prove_verdict(prove, proof);
    const char *reason = verdict == RD_ANSWER_OPEN ? reason_of(prove, proof) : NULL;
    char provers[200] = "", line[800];
    append_provers(proof, provers, sizeof provers);
    if (!prove->has_head)
        printf("%-29s %-8s %11s %8s\n", "program", "", "goals", "seconds");
    prove->has_head = true;
    prove->n_rows[verdict]++;
    if (proof->not_covered)
        snprintf(line, sizeof line, "%-29s %s", proof->name, word_of(verdict));
    else
        snprintf(line, sizeof line, "%-29s %-8s %4zu of %4zu %8.1f %s", proof->name,
                 word_of(verdict), count_of(proof, RD_ANSWER_PROVED), proof->count, seconds,
                 provers);
    fputs(line, stdout);
    if (proof->not_covered)
        print_remark(strlen(line), "not covered:", proof->not_covered, false);
    else if (proof->replay.fails)
        print_remark(strlen(line), "this run fails:", proof->replay.run, true);
    else if (reason)
        print_remark(strlen(line), "", reason, false);
    else if (verdict == RD_ANSWER_PROVED && proof->own_run)
        print_remark(strlen(line), "not of its own run:", proof->own_run, false);
    else
        putchar('\n');
}

void rd_cli_prove_print_sum(const struct rd_cli_prove *prove)
{
    printf("%zu PROVED, %zu REFUTED, %zu OPEN; of one: reductio prove PROGRAM\n",
           prove->n_rows[RD_ANSWER_PROVED], prove->n_rows[RD_ANSWER_REFUTED],
           prove->n_rows[RD_ANSWER_OPEN] + prove->n_rows[RD_ANSWER_NONE]);
}

/* ---- JSON ---- */

/* docs/proof.schema.json has the format: its number rises when a member goes, or changes its meaning. */
enum { PROOF_FORMAT = 1 };

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
    json_t *object = json_pack("{s:b, s:o, s:o}", "fails", 1, "run", rd_cli_json_text(replay->run),
                               "what", rd_cli_json_text(replay->what));
    if (replay->n > 0)
        json_object_set_new(object, "n", json_integer((json_int_t)replay->n));
    if (replay->step)
        json_object_set_new(object, "step", rd_cli_json_text(replay->step));
    if (replay->summary)
        json_object_set_new(object, "summary", rd_cli_json_text(replay->summary));
    return object;
}

/* Adds the goals in words. Without memory for them, they are left out. */
static void add_sentences(json_t *object, const struct rd_proof *proof)
{
    const struct rd_program *program = rd_program_named(proof->name);
    struct rd_proof_sentences sentences;
    struct rd_error error;
    if (!program || rd_proof_sentences_init(&sentences, program, proof, &error) != RD_OK)
        return;
    json_t *list = json_array();
    for (size_t k = 0; k < sentences.count; k++) {
        const struct rd_proof_sentence *sentence = &sentences.list[k];
        json_array_append_new(list, json_pack("{s:s, s:s, s:o, s:o, s:I}", "topic", sentence->topic,
                                              "obligation",
                                              rd_proof_obligation_name(sentence->obligation),
                                              "segment", rd_cli_json_text(sentence->segment),
                                              "text", rd_cli_json_text(sentence->text), "goals",
                                              (json_int_t)sentence->n_goals));
    }
    json_object_set_new(object, "names", rd_cli_json_text(sentences.names));
    json_object_set_new(object, "sentences", list);
    rd_proof_sentences_finish(&sentences);
}

static json_t *proof_json(const struct rd_cli_prove *prove, const struct rd_proof *proof,
                          double seconds)
{
    char provers[200];
    rd_solver_names(provers, sizeof provers);
    const enum rd_answer verdict = rd_cli_prove_verdict(prove, proof);
    json_t *object =
        json_pack("{s:i, s:s, s:o, s:s, s:i, s:o, s:f, s:o, s:s}", "proof", PROOF_FORMAT,
                  "reductio", rd_version(), "program", rd_cli_json_text(proof->name), "verdict",
                  word_of(verdict), "exit_status", rd_cli_prove_exit_status(verdict), "provers",
                  rd_cli_json_text(provers), "seconds", seconds, "goals", goals_json(proof),
                  "lemmas", word_of(rd_proof_verdict(&prove->lemmas)));
    if (verdict == RD_ANSWER_PROVED && proof != &prove->lemmas)
        add_sentences(object, proof);
    if (proof->shape)
        json_object_set_new(object, "for", rd_cli_json_text(proof->shape));
    if (proof->own_run)
        json_object_set_new(object, "own_run", rd_cli_json_text(proof->own_run));
    if (misses_law(verdict, proof))
        json_object_set_new(object, "missing_law", rd_cli_json_text(proof->missing_law));
    if (misses_invariant(verdict, proof))
        json_object_set_new(object, "missing_invariant",
                            rd_cli_json_text(proof->missing_invariant));
    if (proof->height && rd_cli_prove_verdict(prove, proof) == RD_ANSWER_PROVED)
        json_object_set_new(object, "height", term_json(proof->height));
    if (proof->by_host)
        json_object_set_new(object, "by_host", rd_cli_json_text(proof->by_host));
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
