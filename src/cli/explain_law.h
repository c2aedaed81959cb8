// SPDX-License-Identifier: MIT
/* `reductio explain --law`: the law of a program in another language. Private to src/cli. */
#ifndef RD_CLI_EXPLAIN_LAW_H
#define RD_CLI_EXPLAIN_LAW_H

#include "reductio/program.h"

enum rd_law_format {
    RD_LAW_FORMAT_NONE,
    RD_LAW_FORMAT_TEXT,
    RD_LAW_FORMAT_LATEX,
    RD_LAW_FORMAT_MATHML,
    RD_LAW_FORMAT_C,
    RD_LAW_FORMAT_SMTLIB,
};

struct rd_cli_explain_law {
    const struct rd_program *program;
    enum rd_law_format format;
    struct rd_shape shape; /* of smtlib; 0: the program's own */
};

/* By its name; a name that is none ends the program. */
enum rd_law_format rd_cli_law_format(const char *name);

/* Returns the exit status. */
int rd_cli_explain_law(const struct rd_cli_explain_law *asked);

#endif
