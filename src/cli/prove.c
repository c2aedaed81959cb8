// SPDX-License-Identifier: MIT
/* reductio prove: a program's obligations, for every n, as goals of provers. */
#include "cli/prove.h"
#include "check/sandbox/interruption.h"
#include "cli/cli.h"
#include "cli/launch_options.h"
#include "cli/nvcc_flags.h"
#include "prove/report/known.h"
#include "prove/logic/lemma.h"
#include "prove/solver/prover.h"
#include "prove/replay/replay.h"
#include "reductio/program.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { KEY_TIMEOUT = 256, KEY_SMT, KEY_JOBS, KEY_NO_CACHE, KEY_LEMMAS };
enum { TIMEOUT_MAX_S = 3600, JOBS_MAX = 64, PROGRAMS_MAX = 256 };

struct input {
    struct rd_cli_prove prove;
    struct asked {
        const struct rd_program *program;
        const char *file; /* of a user's program; NULL: it is of the library */
    } programs[PROGRAMS_MAX];
    size_t n_programs;
    struct rd_cli_nvcc_flags flags; /* of files */
    bool lemmas_alone;
    int n_behind; /* words behind "--" */
};

static const struct argp_option prove_options[] = {
    {"timeout", KEY_TIMEOUT, "S", 0,
     "Seconds of its own that each prover has for a goal (default: 10)", 0},
    {"jobs", KEY_JOBS, "N", 0, "Goals asked at a time (default: the number of processors)", 0},
    {"no-cache", KEY_NO_CACHE, NULL, 0, "Ask the provers for what was proved before, too", 0},
    {"smt", KEY_SMT, "DIRECTORY", 0, "Write each query into this folder, in SMT-LIB 2", 0},
    {"lemmas", KEY_LEMMAS, NULL, 0, "Prove the lemmas that goals use, and nothing else", 0},
    {"verbose", 'v', NULL, 0, "Print under each goal what is given and what is shown", 0},
    {"json", 'j', NULL, 0, "Print a JSON object, or of several programs an array", 0},
    {0},
};

static error_t parse_prove(int key, char *argument, struct argp_state *state)
{
    struct input *input = state->input;
    struct rd_cli_prove *prove = &input->prove;
    switch (key) {
    case KEY_TIMEOUT:
        prove->options.timeout_s =
            (double)rd_cli_whole("prove", "--timeout", argument, 1, TIMEOUT_MAX_S);
        return 0;
    case KEY_JOBS:
        prove->options.jobs = (unsigned)rd_cli_whole("prove", "--jobs", argument, 1, JOBS_MAX);
        return 0;
    case KEY_NO_CACHE:
        prove->options.no_cache = true;
        return 0;
    case KEY_SMT:
        prove->options.directory = argument;
        return 0;
    case KEY_LEMMAS:
        input->lemmas_alone = true;
        return 0;
    case 'v':
        prove->verbose = true;
        return 0;
    case 'j':
        prove->json = true;
        return 0;
    case ARGP_KEY_ARG:
        if (input->n_programs == PROGRAMS_MAX)
            rd_cli_usage("prove", "'%s' is one program too many", argument);
        if (state->argc - state->next < input->n_behind && input->n_programs > 0 &&
            !rd_cli_is_source(argument) && !rd_program_named(argument))
            rd_cli_usage("prove",
                         "'%s' behind '--' is an argument of a run: a proof is of runs with any, "
                         "and takes none",
                         argument);
        if (rd_cli_is_source(argument))
            input->programs[input->n_programs].file = argument;
        else
            input->programs[input->n_programs].program = rd_cli_program("prove", argument);
        input->n_programs++;
        return 0;
    case ARGP_KEY_END:
        if (input->lemmas_alone && input->n_programs > 0)
            rd_cli_usage("prove", "'--lemmas' is of no program: leave out '%s'",
                         input->programs[0].file ? input->programs[0].file
                                                 : input->programs[0].program->name);
        return 0;
    }
    return ARGP_ERR_UNKNOWN;
}

/* ---- asking ---- */

static void show_progress(void *self, const struct rd_proof *proof,
                          const struct rd_proof_goal *goal)
{
    struct rd_cli_prove *prove = self;
    prove->n_asked++;
    (void)goal;
    rd_cli_progress_show(&prove->progress, "%s: %zu of %zu goals", proof->name, prove->n_asked,
                         proof->count);
}

static enum rd_status ask(struct rd_cli_prove *prove, struct rd_proof *proof,
                          struct rd_error *error)
{
    prove->n_asked = 0;
    enum rd_status status = rd_solver_ask(proof, &prove->options, error);
    rd_cli_progress_clear(&prove->progress);
    return status;
}

/* Looks for a run that fails. Where the simulator does not start, the goals stay as they are. */
static enum rd_status replay(struct rd_cli_prove *prove, struct rd_proof *proof,
                             const struct asked *asked, const char *const *compiler_options,
                             struct rd_error *error)
{
    rd_cli_progress_show(&prove->progress, "%s: looking for a run that fails", proof->name);
    enum rd_status status =
        asked->file ? rd_proof_replay_file(proof, asked->file, compiler_options,
                                           prove->options.interrupted, error)
                    : rd_proof_replay(proof, asked->program, prove->options.interrupted, error);
    rd_cli_progress_clear(&prove->progress);
    return status == RD_ERROR_DEVICE ? RD_OK : status;
}

static enum rd_status prove_lemmas(struct rd_cli_prove *prove, struct rd_error *error)
{
    prove->lemmas = (struct rd_proof){.name = "lemmas", .terms = rd_terms_create()};
    if (!prove->lemmas.terms)
        return rd_fail(error, RD_ERROR_MEMORY, "no memory for the lemmas");
    enum rd_status status = rd_lemma_goals(&prove->lemmas, error);
    return status == RD_OK ? ask(prove, &prove->lemmas, error) : status;
}

/* Without libclang or a compiler the proof is open, and nothing has failed. */
static enum rd_status make(const struct rd_cli_prove *prove, const struct asked *asked,
                           const char *const *compiler_options, struct rd_proof *proof,
                           struct rd_error *error)
{
    const char *name = asked->file ? asked->file : asked->program->name;
    const struct rd_prove_options making = {.pool = prove->options.pool,
                                            .interrupted = prove->options.interrupted};
    enum rd_status status =
        asked->file ? rd_prove_file(asked->file, compiler_options, &making, proof, error)
                    : rd_prove_program(asked->program, &making, proof, error);
    if (status != RD_ERROR_DEVICE && status != RD_ERROR_IO)
        return status;
    *proof = (struct rd_proof){
        .name = name, .terms = rd_terms_create(), .not_covered = strdup(error->text)};
    if (proof->terms && proof->not_covered)
        return RD_OK;
    rd_proof_finish(proof);
    return rd_fail(error, RD_ERROR_MEMORY, "no memory for the proof of '%s'", name);
}

/* Returns the worse of two exit statuses. */
static int worse(int x, int y)
{
    static const int order[] = {RD_EXIT_FAILED, RD_EXIT_INTERRUPTED, RD_EXIT_VIOLATED,
                                RD_EXIT_INCONCLUSIVE};
    for (unsigned k = 0; k < sizeof order / sizeof *order; k++)
        if (x == order[k] || y == order[k])
            return order[k];
    return RD_EXIT_HOLDS;
}

static int fail(enum rd_status status, const struct rd_error *error)
{
    if (status == RD_ERROR_INTERRUPTED) {
        printf("INTERRUPTED\n");
        return RD_EXIT_INTERRUPTED;
    }
    rd_cli_complain("%s", error->text);
    return RD_EXIT_FAILED;
}

int rd_cli_prove_exit_status(enum rd_answer verdict)
{
    return verdict == RD_ANSWER_PROVED    ? RD_EXIT_HOLDS
           : verdict == RD_ANSWER_REFUTED ? RD_EXIT_VIOLATED
                                          : RD_EXIT_INCONCLUSIVE;
}

static int prove_one(struct rd_cli_prove *prove, const struct asked *asked,
                     const char *const *compiler_options)
{
    struct rd_error error;
    struct rd_proof proof;
    const double started_s = rd_cli_prove_clock();
    enum rd_status status = make(prove, asked, compiler_options, &proof, &error);
    if (status != RD_OK)
        return fail(status, &error);
    status = ask(prove, &proof, &error);
    if (status == RD_OK)
        status = replay(prove, &proof, asked, compiler_options, &error);
    if (status == RD_OK)
        rd_cli_prove_print(prove, &proof, rd_cli_prove_clock() - started_s);
    const int exit_status = status == RD_OK
                                ? rd_cli_prove_exit_status(rd_cli_prove_verdict(prove, &proof))
                                : fail(status, &error);
    if (exit_status == RD_EXIT_HOLDS && asked->program && !prove->options.no_cache)
        rd_known_proof_note(asked->program);
    rd_proof_finish(&proof);
    return exit_status;
}

/* Takes the programs that are right. Lessons have faults on purpose. */
static void take_all(struct input *input)
{
    for (size_t k = 0; rd_programs[k] && input->n_programs < PROGRAMS_MAX; k++)
        if (!rd_program_is_fault(rd_programs[k]))
            input->programs[input->n_programs++].program = rd_programs[k];
    input->prove.table = true;
}

static enum rd_status make_directory(const char *directory, struct rd_error *error)
{
    if (directory && mkdir(directory, 0777) != 0 && errno != EEXIST)
        return rd_fail(error, RD_ERROR_IO, "the folder '%s' can't be made: %s", directory,
                       strerror(errno));
    return RD_OK;
}

static int prove_all(struct input *input)
{
    struct rd_cli_prove *prove = &input->prove;
    int exit_status = RD_EXIT_HOLDS;
    struct rd_error error;
    enum rd_status status = make_directory(prove->options.directory, &error);
    const double started_s = rd_cli_prove_clock();
    if (status == RD_OK)
        status = prove_lemmas(prove, &error);
    if (status != RD_OK)
        return fail(status, &error);
    prove->lemmas_s = rd_cli_prove_clock() - started_s;
    if (input->lemmas_alone) {
        rd_cli_prove_print(prove, &prove->lemmas, prove->lemmas_s);
        return rd_cli_prove_exit_status(rd_proof_verdict(&prove->lemmas));
    }
    for (size_t k = 0; k < input->n_programs && !ferror(stdout); k++) {
        exit_status =
            worse(exit_status, prove_one(prove, &input->programs[k], input->flags.compiler));
        if (exit_status == RD_EXIT_INTERRUPTED || exit_status == RD_EXIT_FAILED)
            return exit_status;
        rd_cli_flush();
    }
    if (prove->table && !prove->json)
        rd_cli_prove_print_sum(prove);
    return exit_status;
}

int rd_cli_prove(int argc, char **argv)
{
    const struct argp argp = {
        .options = prove_options,
        .parser = parse_prove,
        .args_doc = "[PROGRAM|FILE.cu... [nvcc's options]]",
        .doc =
            "Proves a program's law for every n, block and grid that it takes, up to n = 2^61, and "
            "for every input: its kernels and its law become goals, for each obligation and "
            "case, and cvc5 or Z3 must prove each. Without PROGRAM: all programs but faults, "
            "as a table. A file of your own is proved by its annotations: for every value of the "
            "numbers that its 'requires' and the sizes of its inputs name; nvcc's options (-D, -I) "
            "may stand as they are.\v"
            "A program with a goal that is not proved is run in the simulator, with n = 1, 2, "
            "3 and on: the first run that fails is shown as a command, and as one that steps "
            "through it. Exit status: 0 PROVED, 1 REFUTED: a run fails, 2 bad usage or the "
            "environment failed, 3 OPEN: a goal that no prover could decide, or that has a "
            "counterexample though no run fails, or a program that is not covered; 130 "
            "interrupted. The man page has more (PROOFS).",
    };
    static char verbose[] = "--verbose";
    struct input input = {.n_programs = 0};
    struct rd_cli_prove *prove = &input.prove;
    for (int k = 1; k < argc; k++) /* nvcc has another -v */
        if (strcmp(argv[k], "-v") == 0)
            argv[k] = verbose;
    argc = rd_cli_nvcc_flags_take(&input.flags, argc, argv);
    for (int k = 1; k < argc && input.n_behind == 0; k++)
        input.n_behind = strcmp(argv[k], "--") == 0 ? argc - k - 1 : 0;
    rd_cli_parse(&argp, "reductio prove", argc, argv, &input);
    if (input.n_programs == 0 && !input.lemmas_alone)
        take_all(&input);
    prove->table = prove->table || input.n_programs > 1;
    prove->array = prove->json && prove->table ? json_array() : NULL;
    rd_interruption_catch();
    prove->options.interrupted = rd_interruption();
    prove->options.asked = show_progress;
    prove->options.self = prove;
    rd_cli_progress_init_always(&prove->progress);
    prove->options.pool = rd_prover_pool_create(); /* without memory, each proof has its own */
    const int exit_status = prove_all(&input);
    rd_prover_pool_destroy(prove->options.pool);
    rd_interruption_let_calls_go_on();
    if (prove->array)
        rd_cli_json_print(prove->array);
    rd_proof_finish(&prove->lemmas);
    rd_cli_nvcc_flags_finish(&input.flags);
    return exit_status;
}
