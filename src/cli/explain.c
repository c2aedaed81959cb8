// SPDX-License-Identifier: MIT
#include "cli/cli.h"
#include "program.h"

#include <string.h>

static error_t parse(int key, char *argument, struct argp_state *state)
{
    const struct rd_program **program = state->input;
    switch (key) {
    case ARGP_KEY_ARG:
        if (*program)
            rd_cli_usage("explain", "'%s' is one argument too many: explain takes one program",
                         argument);
        *program = rd_cli_program("explain", argument);
        return 0;
    case ARGP_KEY_NO_ARGS:
        rd_cli_usage("explain", "no program: 'reductio list' shows them all");
    }
    return ARGP_ERR_UNKNOWN;
}

int rd_cli_explain(int argc, char **argv)
{
    const struct argp argp = {
        .parser = parse,
        .args_doc = "PROGRAM",
        .doc = "Prints the documented invariant: the statement, a worked example, why it holds at "
               "first, why a round keeps it, what it gives at the end.",
    };
    const struct rd_program *program = NULL;
    rd_cli_parse(&argp, "reductio explain", argc, argv, &program);

    const char *text = rd_program_explain(program);
    size_t length = strlen(text);
    printf("%s%s", text, length > 0 && text[length - 1] == '\n' ? "" : "\n");
    return RD_EXIT_HOLDS;
}
