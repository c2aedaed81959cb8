// SPDX-License-Identifier: MIT
/* What `explain`, `report` and `step` tell of a program's proof: what the cache knows, as no prover is asked. Private to src/cli. */
#ifndef RD_CLI_PROVED_H
#define RD_CLI_PROVED_H

#include "cli/cli.h"
#include "prove/report/known.h"
#include "prove/report/sentences.h"
#include "reductio/history.h"

struct rd_cli_proved {
    struct rd_known_proof known;
    struct rd_proof_sentences sentences; /* where it is proved */
    /* "PROVED for every n …: 31 goals, by cvc5 1.0.3, Z3 4.8.12"; else why it isn't known to be. */
    char *claim;
};

/* RD_ERROR_MEMORY. The caller calls rd_cli_proved_finish() after success. */
enum rd_status rd_cli_proved_init(struct rd_cli_proved *proved, const struct rd_program *program,
                                  struct rd_error *error);
void rd_cli_proved_finish(struct rd_cli_proved *proved);

/* Prints it as a part of the text that explains the program. */
void rd_cli_proved_print(const struct rd_cli_proved *proved, FILE *out);

/* Prints how the round of a frame makes the selected cell, as sets of inputs with this run's numbers, and what is
 * proved of every n. */
void rd_cli_proved_print_round(const struct rd_cli_proved *proved, struct rd_history *history,
                               size_t frame, size_t cell, FILE *out);

#endif
