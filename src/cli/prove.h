// SPDX-License-Identifier: MIT
/* What `reductio prove` prints. Private to src/cli. */
#ifndef RD_CLI_PROVE_H
#define RD_CLI_PROVE_H

#include "cli/cli.h"
#include "prove/prove.h"
#include "prove/solver/solver.h"

struct rd_cli_prove {
    struct rd_solver_options options;
    bool json, verbose, table;
    json_t *array; /* of a table in JSON */
    struct rd_proof lemmas;
    double lemmas_s;
    bool has_head;                     /* of the table */
    size_t n_rows[RD_ANSWER_OPEN + 1]; /* of each verdict */
    size_t n_asked;
    struct rd_cli_progress progress;
};

double rd_cli_prove_clock(void);

/* The verdict of the proof, which is open where a lemma is. */
enum rd_answer rd_cli_prove_verdict(const struct rd_cli_prove *prove, const struct rd_proof *proof);

/* The exit status of a verdict. */
int rd_cli_prove_exit_status(enum rd_answer verdict);

/* Prints a line for what may be missing in the file, as a bound of a number; of other verdicts than OPEN and REFUTED nothing. */
void rd_cli_prove_print_hints(enum rd_answer verdict, const struct rd_proof *proof);
/* Prints a proof that was asked: in full, as a row of the table, or in JSON. */
void rd_cli_prove_print(struct rd_cli_prove *prove, const struct rd_proof *proof, double seconds);

/* Prints the last line of a table: how many rows have which verdict. */
void rd_cli_prove_print_sum(const struct rd_cli_prove *prove);

#endif
