// SPDX-License-Identifier: MIT
/* What may be missing in a user's file, by what its counterexamples have in common. */
#include "cli/prove.h"

#include <stdio.h>
#include <string.h>

static bool is_open_arithmetic(const struct rd_proof_goal *goal)
{
    return goal->obligation == RD_PROOF_ARITHMETIC && goal->answer != RD_ANSWER_PROVED;
}

/* The same of two numbers or more, as of rows * cols: each has its bound. False where no such goal is open. */
static bool print_product(enum rd_answer verdict, const struct rd_proof *proof)
{
    for (size_t g = 0; g < proof->count && verdict != RD_ANSWER_PROVED; g++) {
        const struct rd_proof_goal *goal = &proof->goals[g];
        char names[200] = "", bounds[300] = "", values[300] = "", line[1000];
        unsigned count = 0;
        for (size_t k = 0; k < proof->n_required_names && is_open_arithmetic(goal); k++)
            count += rd_term_has(goal->goal, proof->required_names[k].term);
        for (size_t k = 0, n = 0; k < proof->n_required_names && count > 1; k++) {
            const struct rd_proof_name *name = &proof->required_names[k];
            const char *between = n == 0 ? "" : n + 1 == count ? " and " : ", ";
            rd_wide number;
            if (!rd_term_has(goal->goal, name->term))
                continue;
            rd_append(names, sizeof names, "%s%s", between, name->name);
            rd_append(bounds, sizeof bounds, "%s'//@ requires %s <= 2^%u'", between, name->name,
                      30 / count);
            if (rd_proof_model_number(goal->model, name->term->name, &number))
                rd_append(values, sizeof values, "%s%s = %lld", n == 0 ? "" : ", ", name->name,
                          (long long)number);
            n++;
        }
        if (count < 2)
            continue;
        snprintf(line, sizeof line,
                 "Bounds of %s, as in %s, may be missing above the lines whose arithmetic is open, "
                 "or be too large%s%s.",
                 names, bounds, *values ? ": a counterexample has " : "", values);
        rd_cli_print_line(stdout, line);
        return true;
    }
    return false;
}

/* A number of the file's that an open goal of arithmetic speaks of, and that a counterexample makes large: the file's 'requires' may
 * leave out a bound of it, or have one that is too large. *number is 0 where no prover has found a counterexample. NULL: there is
 * none. */
static const char *unbounded_number(enum rd_answer verdict, const struct rd_proof *proof,
                                    rd_wide *number)
{
    const rd_wide large = 1 << 24;
    const char *found = NULL;
    for (size_t g = 0; g < proof->count && verdict != RD_ANSWER_PROVED; g++) {
        const struct rd_proof_goal *goal = &proof->goals[g];
        if (!is_open_arithmetic(goal))
            continue;
        for (size_t k = 0; k < proof->n_required_names; k++) {
            const struct rd_proof_name *name = &proof->required_names[k];
            if (rd_proof_model_number(goal->model, name->term->name, number) && *number >= large)
                return name->name;
            if (!found && !goal->model && rd_term_has(goal->goal, name->term))
                found = name->name;
        }
    }
    *number = 0;
    return found;
}

/* A number of the file's that is below 1 in a counterexample: an argument, perhaps, of which the file requires nothing. NULL: there is
 * none. */
static const char *number_below_one(enum rd_answer verdict, const struct rd_proof *proof,
                                    rd_wide *number)
{
    for (size_t g = 0; g < proof->count && verdict == RD_ANSWER_OPEN; g++)
        for (size_t k = 0; k < proof->n_required_names; k++) {
            const struct rd_proof_goal *goal = &proof->goals[g];
            const struct rd_proof_name *name = &proof->required_names[k];
            if (goal->answer == RD_ANSWER_OPEN &&
                rd_proof_model_number(goal->model, name->term->name, number) && *number < 1)
                return name->name;
        }
    return NULL;
}

static void print_bounds(enum rd_answer verdict, const struct rd_proof *proof)
{
    char line[400] = "";
    rd_wide large, small;
    unsigned power = 0;
    const char *high = unbounded_number(verdict, proof, &large),
               *low = number_below_one(verdict, proof, &small);
    while (power < 30 && (large == 0 || (rd_wide)1 << (power + 1) < large))
        power++;
    if (high && low && strcmp(high, low) == 0)
        snprintf(line, sizeof line,
                 "Bounds of %s, as in '//@ requires 1 <= %s <= 2^%u', may be missing above the "
                 "lines of the open goals: a counterexample has %s = %lld",
                 high, high, power, high, (long long)small);
    else if (high)
        snprintf(line, sizeof line,
                 "A bound of %s, as in '//@ requires %s <= 2^%u', may be missing above the lines "
                 "whose arithmetic is open, or be too large",
                 high, high, power);
    else if (low)
        snprintf(line, sizeof line,
                 "A bound of %s, as in '//@ requires %s >= 1', may be missing above the lines of "
                 "the open goals: a counterexample has %s = %lld",
                 low, low, low, (long long)small);
    if (high && large > 0)
        rd_append(line, sizeof line, "%s %s = %lld",
                  low && strcmp(high, low) == 0 ? ", another" : ": the counterexample has", high,
                  (long long)large);
    if (!*line)
        return;
    rd_append(line, sizeof line, ".");
    rd_cli_print_line(stdout, line);
}

/* Of a goal of a loop's end, whose counterexample has its variable at 0: in its segment that is "k, from line 11 at h@0 to its end". */
static bool print_end_at_zero(const struct rd_proof_goal *goal)
{
    const char *line = strstr(goal->segment, "from line "), *at = strstr(goal->segment, " at ");
    char name[80];
    rd_wide number;
    if (goal->answer == RD_ANSWER_PROVED || !goal->model || !line || !at || at < line ||
        !strstr(at, " to its end") || sscanf(at, " at %79[A-Za-z0-9_@]", name) != 1 ||
        !strchr(name, '@') || !rd_proof_model_number(goal->model, name, &number) || number != 0)
        return false;
    char text[400];
    *strchr(name, '@') = '\0';
    snprintf(text, sizeof text,
             "In the counterexample the loop of %.*s ends with %s = 0, where its invariant must "
             "hold, too. If that is of '2*%s' cells, they are none there, and 'max(2*%s, 1)' are "
             "one.",
             (int)(at - line - strlen("from ")), line + strlen("from "), name, name, name);
    rd_cli_print_line(stdout, text);
    return true;
}

/* Where nothing was proved, as without a prover, open goals tell nothing of the file. */
static bool has_proved_goal(const struct rd_proof *proof)
{
    bool has = false;
    for (size_t k = 0; k < proof->count; k++)
        has = has || proof->goals[k].answer == RD_ANSWER_PROVED;
    return has;
}

void rd_cli_prove_print_hints(enum rd_answer verdict, const struct rd_proof *proof)
{
    if (has_proved_goal(proof) && !print_product(verdict, proof))
        print_bounds(verdict, proof);
    for (size_t k = 0; k < proof->count && verdict != RD_ANSWER_PROVED; k++)
        if (print_end_at_zero(&proof->goals[k]))
            break;
}
