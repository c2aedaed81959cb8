// SPDX-License-Identifier: MIT
#include "cli/cli.h"
#include "reductio/trace.h"

#include <string.h>

struct diff_options {
    const char *traces[2];
    int n;
    bool quiet, json;
};

static const struct argp_option diff_options[] = {
    {"quiet", 'q', NULL, 0, "Print nothing: the exit status tells", 0},
    {"json", 'j', NULL, 0, "Print a JSON object", 0},
    {0},
};

static error_t parse_diff(int key, char *argument, struct argp_state *state)
{
    struct diff_options *diff = state->input;
    switch (key) {
    case 'q':
        diff->quiet = true;
        return 0;
    case 'j':
        diff->json = true;
        return 0;
    case ARGP_KEY_ARG:
        if (diff->n == 2)
            rd_cli_usage("diff", "'%s' is one argument too many: diff takes two traces", argument);
        rd_cli_check_trace("diff", argument);
        diff->traces[diff->n++] = argument;
        return 0;
    case ARGP_KEY_END:
        if (diff->n < 2)
            rd_cli_usage("diff", "%s: diff takes two", diff->n == 0 ? "no traces" : "one trace");
        if (strcmp(diff->traces[0], "-") == 0 && strcmp(diff->traces[1], "-") == 0)
            rd_cli_usage("diff", "'-' stands twice: standard input can be read once only");
        return 0;
    }
    return ARGP_ERR_UNKNOWN;
}

static void print_text(const struct diff_options *diff,
                       const struct rd_trace_difference *difference)
{
    if (!difference->differs) {
        printf("the same: %s and %s\n", diff->traces[0], diff->traces[1]);
        return;
    }
    for (unsigned k = 0; k < difference->n_header; k++)
        puts(difference->header[k]);
    if (difference->steps_left_out)
        puts("the steps are not compared: of another program, n, type, op or frame, and of "
             "witness values, they are others");
    const unsigned n = difference->n_hazards;
    for (unsigned k = 0; k < n && k < RD_TRACE_HAZARDS_MAX; k++)
        puts(difference->hazards[k]);
    if (n > RD_TRACE_HAZARDS_MAX)
        printf("and %u more hazards that only one of them has\n", n - RD_TRACE_HAZARDS_MAX);
    if (difference->only_header || difference->only_hazards)
        return;
    if (difference->pass > 0)
        printf("pass %zu, ", difference->pass);
    if (difference->in_step)
        printf("step %u%s%s%s", difference->step, *difference->place ? ", " : "", difference->place,
               difference->in_cell ? ", " : ": ");
    if (difference->in_cell)
        printf("%s%s[%zu]: %s and %s\n", difference->in_step ? "" : "input ", difference->array,
               difference->cell, difference->left, difference->right);
    else
        printf("%s\n", difference->what);
}

static void print_json(const struct rd_trace_difference *difference)
{
    json_t *object = json_pack("{s:b}", "differs", (int)difference->differs);
    json_t *header = json_array();
    for (unsigned k = 0; k < difference->n_header; k++)
        json_array_append_new(header, rd_cli_json_text(difference->header[k]));
    if (difference->n_header > 0)
        json_object_set(object, "header", header);
    json_decref(header);
    json_t *hazards = json_array();
    for (unsigned k = 0; k < difference->n_hazards && k < RD_TRACE_HAZARDS_MAX; k++)
        json_array_append_new(hazards, rd_cli_json_text(difference->hazards[k]));
    if (difference->n_hazards > 0) {
        json_object_set(object, "hazards", hazards);
        json_object_set_new(object, "hazards_n", json_integer(difference->n_hazards));
    }
    json_decref(hazards);
    if (difference->pass > 0)
        json_object_set_new(object, "pass", json_integer((json_int_t)difference->pass));
    if (difference->in_step)
        json_object_set_new(object, "step", json_integer(difference->step));
    if (*difference->place)
        json_object_set_new(object, "place", rd_cli_json_text(difference->place));
    if (difference->in_cell) {
        json_object_set_new(object, "array", json_string(difference->array));
        json_object_set_new(object, "cell", json_integer((json_int_t)difference->cell));
        json_object_set_new(object, "left", rd_cli_json_text(difference->left));
        json_object_set_new(object, "right", rd_cli_json_text(difference->right));
    }
    if (difference->steps_left_out)
        json_object_set_new(object, "steps_compared", json_false());
    if (difference->differs)
        json_object_set_new(object, "what", rd_cli_json_text(difference->what));
    rd_cli_json_print(object);
}

int rd_cli_diff(int argc, char **argv)
{
    const struct argp argp = {
        .options = diff_options,
        .parser = parse_diff,
        .args_doc = "TRACE TRACE",
        .doc = "Prints what differs in the headers of two traces, and the first step and cell at "
               "which "
               "they differ. Devices may differ; "
               "numbers are compared by their bits.\vExit status: 0 the same, 1 different, 2 a "
               "trace can't be read.",
    };
    struct diff_options diff = {.n = 0};
    struct rd_trace_difference difference;
    struct rd_error error;
    rd_cli_parse(&argp, "reductio diff", argc, argv, &diff);

    if (rd_trace_diff(diff.traces[0], diff.traces[1], &difference, &error) != RD_OK) {
        rd_cli_complain("%s", error.text);
        return RD_EXIT_FAILED;
    }
    if (diff.json)
        print_json(&difference);
    else if (!diff.quiet)
        print_text(&diff, &difference);
    return difference.differs ? RD_EXIT_VIOLATED : RD_EXIT_HOLDS;
}
