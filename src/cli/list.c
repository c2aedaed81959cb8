// SPDX-License-Identifier: MIT
#include "cli/cli.h"
#include "reductio/operation.h"
#include "reductio/program.h"

#include <stdlib.h>

static error_t parse_list(int key, char *argument, struct argp_state *state)
{
    bool *json = state->input;
    switch (key) {
    case 'j':
        *json = true;
        return 0;
    case ARGP_KEY_ARG:
        rd_cli_usage("list", "'%s' is one argument too many: list takes none", argument);
    }
    return ARGP_ERR_UNKNOWN;
}

static const struct argp_option list_options[] = {
    {"json", 'j', NULL, 0, "Print a JSON array", 0},
    {0},
};

/* The column of names. A longer name moves its own summary: no other line becomes longer than a
 * terminal is wide. */
enum { NAMES_WIDTH = 23 };

static int print_text(void)
{
    for (size_t k = 0; rd_programs[k]; k++) {
        const struct rd_program *program = rd_programs[k];
        int indent = rd_program_is_fault(program) ? 2 : 0;
        printf("%*s%-*s  %s\n", indent, "", NAMES_WIDTH - indent, program->name, program->summary);
    }
    return RD_EXIT_HOLDS;
}

/* The types that the program has. */
static json_t *types_of(const struct rd_program *program)
{
    json_t *types = json_array();
    for (int k = 0; k < RD_TYPE_COUNT; k++)
        if (rd_program_accept_type(program, (enum rd_type)k, NULL) == RD_OK)
            json_array_append_new(types, json_string(rd_numeric((enum rd_type)k)->name));
    return types;
}

static json_t *operations_of(const struct rd_program *program)
{
    json_t *operations = json_array();
    for (int k = 0; k < RD_OPERATION_COUNT; k++)
        if (rd_program_accept_operation(program, (enum rd_operation)k, NULL) == RD_OK)
            json_array_append_new(operations, json_string(rd_operation_name((enum rd_operation)k)));
    return operations;
}

static int print_json(void)
{
    json_t *array = json_array();
    for (size_t k = 0; rd_programs[k]; k++) {
        const struct rd_program *program = rd_programs[k];
        const struct rd_shape shape = rd_program_default(program);
        json_t *item = json_pack(
            "{s:s, s:s, s:b, s:s, s:I, s:i, s:I, s:s, s:s, s:s, s:o, s:o}", "name", program->name,
            "summary", program->summary, "lesson", (int)rd_program_is_fault(program), "twin",
            rd_program_twin(program)->name, "n", (json_int_t)shape.n, "block", (int)shape.block,
            "grid", (json_int_t)shape.grid, "type", rd_numeric(program->type)->name, "op",
            rd_operation_name(program->operation), "values",
            program->values ? program->values : "iota", "types", types_of(program), "ops",
            operations_of(program));
        json_array_append_new(array, item);
    }
    rd_cli_json_print(array);
    return RD_EXIT_HOLDS;
}

int rd_cli_list(int argc, char **argv)
{
    const struct argp argp = {
        .options = list_options,
        .parser = parse_list,
        .doc = "Lists the programs and, indented under each, its faults: twins with one fault, "
               "each of which is caught with its own operation on its default values.\v"
               "Exit status: 0, or 2 after bad usage.",
    };
    bool json = false;
    rd_cli_parse(&argp, "reductio list", argc, argv, &json);
    return json ? print_json() : print_text();
}
