// SPDX-License-Identifier: MIT
/* Proves a program whose kernels are changed; of tests/test_prove_mutants.py.
 *
 * prove_mutants PROGRAM FILE.cu TEXT...    a line for each TEXT, a file that is read in place of FILE.cu: "PROVED",
 * "OPEN", "REFUTED", or "unread" where the proof can't be made; and the first goal that is not proved, or the reason.
 * Exit status 77: there is no libclang or no prover. */
#include "prove/prove.h"
#include "prove/solver/solver.h"

#include <stdlib.h>
#include <string.h>

enum { SKIPPED = 77 };

static volatile sig_atomic_t enough;

/* One goal that is not proved is enough. */
static void look(void *self, const struct rd_proof *proof, const struct rd_proof_goal *goal)
{
    (void)self;
    (void)proof;
    enough = enough || goal->answer != RD_ANSWER_PROVED;
}

static char *read_text(const char *path)
{
    char *text = NULL;
    size_t size = 0;
    FILE *file = fopen(path, "r");
    if (!file || getdelim(&text, &size, '\0', file) < 0) {
        fprintf(stderr, "%s can't be read\n", path);
        exit(1);
    }
    fclose(file);
    return text;
}

static const struct rd_proof_goal *first_not_proved(const struct rd_proof *proof)
{
    for (size_t k = 0; k < proof->count; k++)
        if (proof->goals[k].answer == RD_ANSWER_OPEN || proof->goals[k].answer == RD_ANSWER_REFUTED)
            return &proof->goals[k];
    return NULL;
}

static void print(const struct rd_proof *proof)
{
    const struct rd_proof_goal *goal = first_not_proved(proof);
    if (proof->not_covered)
        printf("unread %s\n", proof->not_covered);
    else if (goal)
        printf("%s %s: %s: %s\n", goal->answer == RD_ANSWER_REFUTED ? "REFUTED" : "OPEN",
               rd_proof_obligation_name(goal->obligation), goal->segment, goal->what);
    else
        printf("%s\n", rd_proof_verdict(proof) == RD_ANSWER_PROVED ? "PROVED" : "OPEN");
    fflush(stdout);
}

static int prove(const struct rd_program *program, const char *file, const char *path)
{
    const struct rd_solver_options solver = {
        .timeout_s = 3, .jobs = 2, .interrupted = &enough, .asked = look};
    char *text = read_text(path);
    const struct rd_prove_options options = {.changed_file = file, .changed_text = text};
    struct rd_proof proof;
    struct rd_error error;
    enough = 0;
    enum rd_status status = rd_prove_program(program, &options, &proof, &error);
    free(text);
    if (status == RD_OK && !proof.not_covered)
        status = rd_solver_ask(&proof, &solver, &error);
    if (status == RD_OK || status == RD_ERROR_INTERRUPTED) {
        print(&proof);
        rd_proof_finish(&proof);
        return 0;
    }
    fprintf(stderr, "%s\n", error.text);
    return 1;
}

int main(int argc, char **argv)
{
    char names[200];
    const struct rd_program *program = argc > 2 ? rd_program_named(argv[1]) : NULL;
    rd_solver_names(names, sizeof names);
    if (!strstr(names, "cvc5 ") || !strstr(names, "Z3 "))
        return SKIPPED;
    for (int k = 3; program && k < argc; k++)
        if (prove(program, argv[2], argv[k]) != 0)
            return 1;
    return !program;
}
