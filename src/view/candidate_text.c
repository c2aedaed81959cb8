// SPDX-License-Identifier: MIT
#include "view/candidate_text.h"
#include "law/error.h"
#include "reductio/operation.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Two cells next to each other: in one notation, so that they can be compared. */
static void format_both(const struct rd_candidate_words *words, rd_bits x, rd_bits y,
                        char of_x[RD_VALUE_TEXT_SIZE], char of_y[RD_VALUE_TEXT_SIZE])
{
    const struct rd_numeric *numeric = words->numeric;
    const int digits = (int)numeric->max_digits;
    rd_cell_text(numeric, words->a, words->n_a, x, of_x);
    rd_cell_text(numeric, words->a, words->n_a, y, of_y);
    if (!numeric->is_float || !strchr(of_x, 'e') == !strchr(of_y, 'e'))
        return;
    snprintf(of_x, RD_VALUE_TEXT_SIZE, "%.*g", digits, numeric->to_double(x));
    snprintf(of_y, RD_VALUE_TEXT_SIZE, "%.*g", digits, numeric->to_double(y));
}

/* Tells whether the run's type holds a number of the law. */
static bool holds_number(const struct rd_numeric *numeric, rd_bits rounded, long double exact)
{
    return !numeric->rounds || !isfinite(exact) ||
           (long double)numeric->to_double(rounded) == exact;
}

/* Writes the shortest text that reads back as the number; of a number that takes more digits, so many. Returns how many. */
static int write_exact(const struct rd_numeric *numeric, long double exact, int digits_max,
                       char text[RD_VALUE_TEXT_SIZE])
{
    int digits = (int)numeric->max_digits;
    do
        snprintf(text, RD_VALUE_TEXT_SIZE, "%.*Lg", digits, exact);
    while (strtold(text, NULL) != exact && digits++ < digits_max);
    return digits;
}

/* Tells whether the number rounds to `seen`, or to an infinity: the rounded one would not tell the two apart. */
static bool hides(const struct rd_numeric *numeric, rd_bits rounded, rd_bits seen)
{
    return numeric->same(seen, rounded) || !isfinite(numeric->to_double(rounded));
}

/* Replaces the text of a number of the law that the run's type does not hold by the exact one. More digits than a double's
 * are told only where the cell is the rounded number. */
static void make_exact(const struct rd_numeric *numeric, rd_bits rounded, long double exact,
                       rd_bits seen, char text[RD_VALUE_TEXT_SIZE])
{
    const int digits_of_double = 17, digits_of_long_double = 21;
    char all[RD_VALUE_TEXT_SIZE];
    if (holds_number(numeric, rounded, exact))
        return;
    if (write_exact(numeric, exact, digits_of_long_double, all) <= digits_of_double ||
        hides(numeric, rounded, seen))
        memcpy(text, all, sizeof all);
}

void rd_candidate_said_text(const struct rd_candidate_cell *cell, const struct rd_numeric *numeric,
                            char text[RD_VALUE_TEXT_SIZE])
{
    rd_cell_text(numeric, NULL, 0, cell->said, text);
    make_exact(numeric, cell->said, cell->exact, cell->actual, text);
}

void rd_candidate_also_text(const struct rd_candidate_cell *cell, const struct rd_numeric *numeric,
                            char text[RD_VALUE_TEXT_SIZE])
{
    rd_cell_text(numeric, NULL, 0, cell->also, text);
    make_exact(numeric, cell->also, cell->also_exact, cell->said, text);
}

void rd_candidate_print_cell(FILE *out, const struct rd_candidate_cell *cell, size_t n_false,
                             const struct rd_candidate_words *words)
{
    char is[RD_VALUE_TEXT_SIZE], said[RD_VALUE_TEXT_SIZE], also[RD_VALUE_TEXT_SIZE];
    const struct rd_numeric *numeric = words->numeric;
    format_both(words, cell->actual, cell->said, is, said);
    rd_cell_text(numeric, words->a, words->n_a, cell->also, also);
    make_exact(numeric, cell->said, cell->exact, cell->actual, said);
    make_exact(numeric, cell->also, cell->also_exact, cell->said, also);
    if (cell->outside) {
        fprintf(out, "the law claims %s[%" PRId64 "], and the array has no such cell", words->array,
                cell->cell);
    } else if (cell->contradicts) {
        fprintf(out, "%s[%" PRId64 "] is %s, and the law says two things of it: %s and %s",
                words->array, cell->cell, is, said, also);
    } else if (!holds_number(numeric, cell->said, cell->exact) &&
               hides(numeric, cell->said, cell->actual)) {
        fprintf(out, "%s[%" PRId64 "] is %s, and the law says %s, which %s can't hold",
                words->array, cell->cell, is, said, numeric->name);
    } else {
        fprintf(out, "%s[%" PRId64 "] is %s, and the law says %s", words->array, cell->cell, is,
                said);
    }
    if (n_false > 1)
        fprintf(out, cell->outside ? "; it claims %zu such cells" : "; %zu cells are wrong",
                n_false);
}

/* A run that comes to what the law says, and misses the goal. */
static void print_miss(FILE *out, const struct rd_candidate_result *judged,
                       const struct rd_candidate_words *words)
{
    const struct rd_candidate_cell *cell = &judged->cell;
    char is[RD_VALUE_TEXT_SIZE], must[RD_VALUE_TEXT_SIZE];
    format_both(words, cell->actual, cell->said, is, must);
    if (judged->silent)
        fprintf(out,
                "at step %u it says nothing of %s[%" PRId64 "], which is %s, and must be %s for "
                "the goal",
                cell->step, words->array, cell->cell, is, must);
    else
        fprintf(out,
                "it says of step %u what the run has come to, and not what the goal is: %s[%" PRId64
                "] is %s, and must be %s",
                cell->step, words->array, cell->cell, is, must);
}

/* A state that satisfies the law, and from which the next round or the goal does not. */
static void print_state(FILE *out, const struct rd_candidate_result *judged,
                        const struct rd_candidate_words *words)
{
    char was[RD_VALUE_TEXT_SIZE], becomes[RD_VALUE_TEXT_SIZE];
    format_both(words, judged->state.was, judged->state.becomes, was, becomes);
    if (judged->state.ran) {
        fprintf(out,
                "at step %u it says nothing of %s[%" PRId64
                "]: with %s there%s it still holds, and the kernel, run from that, makes it false: "
                "after round %u ",
                judged->state.step, words->array, judged->state.cell, becomes,
                judged->state.with_others ? ", and other such cells changed," : "",
                judged->cell.step);
        rd_candidate_print_cell(out, &judged->cell, 1, words);
        return;
    }
    fprintf(out,
            "at step %u it says nothing of %s[%" PRId64
            "]: were that %s instead of %s%s, it would still hold, and ",
            judged->state.step, words->array, judged->state.cell, becomes, was,
            judged->state.with_others ? ", with others changed before it" : "");
    if (judged->state.at_end) {
        fprintf(out, "the goal would be missed");
        return;
    }
    fprintf(out, "the next round would make it false: ");
    rd_candidate_print_cell(out, &judged->cell, 1, words);
}

bool rd_candidate_underflows(const struct rd_candidate_cell *cell, const struct rd_numeric *numeric)
{
    return isfinite(numeric->to_double(cell->actual)) && isfinite(numeric->to_double(cell->said));
}

/* Tells why a law can't be judged at a cell, whatever the other cells are. */
static void print_overflow(FILE *out, const struct rd_candidate_result *judged,
                           const struct rd_candidate_words *words)
{
    const struct rd_numeric *numeric = words->numeric;
    fprintf(out, "whether it holds can't be told, as %s %sflows on the way to a %s: at step %u ",
            numeric->name, rd_candidate_underflows(&judged->overflown, numeric) ? "under" : "over",
            rd_operation_name(numeric->operation), judged->overflown.step);
    rd_candidate_print_cell(out, &judged->overflown, 1, words);
    fprintf(out, "; nothing else refutes it");
}

static void print_open(FILE *out, const struct rd_candidate_result *judged,
                       const struct rd_candidate_words *words)
{
    if (judged->overflows)
        print_overflow(out, judged, words);
    else if (judged->unfinished)
        fprintf(out, "it holds at each step that was made; the run ended before its last round, so "
                     "that nobody knows whether it is enough");
    else
        fprintf(out,
                "it holds at each step, and at the end it gives the goal; but at step %u it says "
                "nothing of %s[%" PRId64
                "], as the program's own law does, and what the next round "
                "makes of another value there is not known: it is documented by the inputs alone",
                judged->state.step, words->array, judged->state.cell);
}

static const char *enough_text(const struct rd_candidate_result *judged)
{
    if (judged->always)
        return "it holds at each step, each round keeps it, and at the end it gives the goal: for "
               "all values, with the rounds as documented";
    if (judged->untried)
        return "it holds at each step, and at the end it gives the goal; other states were not "
               "tried, as the rounds are documented from the inputs alone";
    return "it holds at each step, each round keeps it, from other states too, and at the end it "
           "gives the goal";
}

const char *rd_candidate_gap_name(enum rd_candidate_gap gap)
{
    static const char *const names[] = {
        [RD_CANDIDATE_NO_GAP] = "",
        [RD_CANDIDATE_TOO_MANY] = "n times the steps is more than 2^20",
        [RD_CANDIDATE_TOO_LONG] = "that takes too long",
        [RD_CANDIDATE_NO_LISTS] = "a cell is more than inputs under the operation",
    };
    static_assert(RD_CANDIDATE_INPUTS_MAX == 1 << 20, "the names say so");
    return names[gap];
}

static void print_gap(FILE *out, const struct rd_candidate_result *judged)
{
    if (judged->gap == RD_CANDIDATE_NO_GAP)
        return;
    fprintf(out, "; whether it counts an input for another was not looked at, as %s",
            rd_candidate_gap_name(judged->gap));
    if (judged->differs_at_smaller)
        fprintf(out,
                "; at n = %zu it has a[%zu] in a cell more or less often than the goal: "
                "-n %zu shows it",
                judged->n_compared, judged->smaller_input, judged->n_compared);
    else if (judged->n_compared > 0)
        fprintf(out, "; it does not at any n up to %zu that the program takes", judged->n_compared);
}

/* Prints where the law has no value, behind what is wrong. */
static void print_stop(FILE *out, const struct rd_candidate_result *judged)
{
    char place[RD_LAW_ERROR_PLACE_SIZE];
    if (judged->stopped)
        fprintf(out, "; at step %u it has no value, and from there on it wasn't looked at: %s: %s",
                judged->stopped_at, rd_law_error_place(place, "law", &judged->why),
                judged->why.what.text);
}

void rd_candidate_print_reason(FILE *out, const struct rd_candidate_result *judged,
                               const struct rd_candidate_words *words)
{
    switch (judged->verdict) {
    case RD_CANDIDATE_FALSE_AT_FIRST:
        fprintf(out, "before the first round ");
        rd_candidate_print_cell(out, &judged->cell, judged->n_false, words);
        print_stop(out, judged);
        return;
    case RD_CANDIDATE_NOT_KEPT:
        fprintf(out, "after round %u ", judged->cell.step);
        rd_candidate_print_cell(out, &judged->cell, judged->n_false, words);
        print_stop(out, judged);
        return;
    case RD_CANDIDATE_TOO_WEAK:
        (judged->misses ? print_miss : print_state)(out, judged, words);
        return;
    case RD_CANDIDATE_VACUOUS:
        fprintf(out, "it claims no cell at any step");
        return;
    case RD_CANDIDATE_OPEN:
        print_open(out, judged, words);
        break;
    case RD_CANDIDATE_ENOUGH:
        fprintf(out, "%s", enough_text(judged));
        break;
    }
    if (judged->rounded)
        fprintf(out, "; some of its floats are what it says but for what rounding explains");
    print_gap(out, judged);
}
