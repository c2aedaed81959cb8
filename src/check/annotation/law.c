// SPDX-License-Identifier: MIT
/* Reads laws of annotations: their claims, and what they take from the program. */
#include "base/array.h"
#include "check/annotation/reading.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- claims ---- */

/* The array that the claim speaks of. */
static void take_array(struct rd_annotation_reading *reading, size_t at)
{
    struct rd_annotation *of = reading->of;
    const struct rd_annotation_token *token = &reading->tokens[at];
    const size_t length = token->to - token->from;
    if (of->array.expression) {
        if (!rd_lexer_is(reading->text + token->from, length, of->array.expression))
            rd_annotation_token_fail(
                reading, token, "this annotation speaks of '%s': give another array one of its own",
                of->array.expression);
        return;
    }
    of->array.expression = strndup(reading->text + token->from, length);
    of->array.at = of->text_places[token->from];
    of->scalar = !token->element && !rd_annotation_token_is_word(reading, 0, "for");
    if (!of->array.expression)
        reading->status = rd_fail(reading->error, RD_ERROR_MEMORY, "no memory for an annotation");
}

/* Where a claim begins that no colon stands before: at an element that is equated with something; `to`: nowhere. */
static size_t find_equated(const struct rd_annotation_reading *reading, size_t from, size_t to)
{
    for (size_t k = from; k < to; k++) {
        size_t behind = k + 1;
        while (behind < to && rd_annotation_token_is_sign(reading, behind, "["))
            behind = rd_annotation_part_end(reading, behind + 1, to, "]") + 1;
        if (reading->tokens[k].kind == RD_TOKEN_NAME && reading->tokens[k].element && behind < to &&
            (rd_annotation_token_is_sign(reading, behind, "=") ||
             rd_annotation_token_is_sign(reading, behind, "==")))
            return k;
    }
    return to;
}

/* The colon of what begins at `at`. Where there is none, fails where the claim begins, and returns `to`. */
static size_t find_colon(struct rd_annotation_reading *reading, size_t at, size_t to)
{
    const size_t colon = rd_annotation_part_end(reading, at, to, ":");
    if (colon < to && rd_annotation_token_is_sign(reading, colon, ":"))
        return colon;
    const size_t claim = find_equated(reading, at, to);
    if (claim < to)
        rd_annotation_token_fail(reading, &reading->tokens[claim],
                                 "a ':' is expected before this%s", "");
    return to;
}

/* "sum over j of a[j]", which is no law: fails there. */
static bool fail_over(struct rd_annotation_reading *reading, size_t from, size_t to)
{
    for (size_t k = from; k + 1 < to; k++) {
        const struct rd_annotation_token *token = &reading->tokens[k];
        if (!rd_lexer_is_one_of(reading->text + token->from, token->to - token->from,
                                rd_annotation_operations) ||
            !rd_annotation_token_is(reading, token + 1, "over"))
            continue;
        rd_annotation_token_fail(reading, token + 1,
                                 "'of' is expected here, and ranges behind the element: sum of "
                                 "a[j], 0 <= j < n%s",
                                 "");
        return true;
    }
    return false;
}

/* "*p = ...": a cell is named by its index. */
static bool fail_pointer(struct rd_annotation_reading *reading, size_t cell, size_t to)
{
    char name[60];
    if (cell + 1 >= to || !rd_annotation_token_is_sign(reading, cell, "*") ||
        reading->tokens[cell + 1].kind != RD_TOKEN_NAME || reading->tokens[cell + 1].element)
        return false;
    snprintf(name, sizeof name, "%.*s",
             (int)(reading->tokens[cell + 1].to - reading->tokens[cell + 1].from),
             reading->text + reading->tokens[cell + 1].from);
    rd_annotation_token_fail(reading, &reading->tokens[cell],
                             "a cell is named by its index: write %s[0]", name);
    return true;
}

/* "sum a[j]": fails there. */
static bool fail_without_of(struct rd_annotation_reading *reading, size_t from, size_t to)
{
    for (size_t k = from; k + 1 < to; k++) {
        const struct rd_annotation_token *token = &reading->tokens[k];
        if (token->kind != RD_TOKEN_NAME || token[1].kind != RD_TOKEN_NAME ||
            !rd_lexer_is_one_of(reading->text + token->from, token->to - token->from,
                                rd_annotation_operations))
            continue;
        rd_annotation_token_fail(reading, token + 1, "'of' is expected before this: sum of a[j]%s",
                                 "");
        return true;
    }
    return false;
}

/* Fails at two names of which none is a word of laws: a sentence in other words. */
static bool fail_words(struct rd_annotation_reading *reading, size_t from, size_t to,
                       const char *expected)
{
    for (size_t k = from; k + 1 < to; k++) {
        const struct rd_annotation_token *token = &reading->tokens[k];
        if (token->kind != RD_TOKEN_NAME || token[1].kind != RD_TOKEN_NAME)
            continue;
        rd_annotation_token_fail(reading, token + 1, "expected %s", expected);
        return true;
    }
    return false;
}

static bool is_logic(const struct rd_annotation_reading *reading, size_t at)
{
    return rd_annotation_token_is_word(reading, at, "and") ||
           rd_annotation_token_is_word(reading, at, "or") ||
           rd_annotation_token_is_word(reading, at, "xor") ||
           rd_annotation_token_is_sign(reading, at, "&&") ||
           rd_annotation_token_is_sign(reading, at, "||");
}

/* The end of the comparison, or of what is in brackets, that goes on at `at`. */
static size_t operand_end(const struct rd_annotation_reading *reading, size_t at)
{
    for (size_t depth = 0; at + 1 < reading->n; at++) {
        if (depth == 0 && (is_logic(reading, at) || rd_annotation_token_is_sign(reading, at, ")")))
            break;
        depth += rd_annotation_token_is_sign(reading, at, "(");
        depth -= rd_annotation_token_is_sign(reading, at, ")");
    }
    return at;
}

/* The beginning of the one that ends before it. */
static size_t operand_begin(const struct rd_annotation_reading *reading, size_t at)
{
    for (size_t depth = 0; at > 0; at--) {
        if (depth == 0 &&
            (is_logic(reading, at - 1) || rd_annotation_token_is_sign(reading, at - 1, "(")))
            break;
        depth += rd_annotation_token_is_sign(reading, at - 1, ")");
        depth -= rd_annotation_token_is_sign(reading, at - 1, "(");
    }
    return at;
}

/* Tells whether a name that stands for some number is among the tokens. */
static bool has_any(const struct rd_annotation_reading *reading, size_t from, size_t to)
{
    for (; from < to; from++)
        for (size_t k = 0; k < reading->of->n_names; k++)
            if (reading->of->names[k].any &&
                rd_annotation_token_is(reading, &reading->tokens[from],
                                       reading->of->names[k].expression))
                return true;
    return false;
}

/* Fails where a condition on numbers can't be what is meant: at conditions that no 'and' joins, and where what
 * stands behind a '^' is any number, though not every one will do. */
static void check_numbers(struct rd_annotation_reading *reading)
{
    struct rd_annotation *of = reading->of;
    size_t any = 0, depth = 0;
    for (size_t k = 0; k < of->n_names; k++)
        any += of->names[k].any;
    for (size_t k = 0; k + 1 < reading->n && reading->status == RD_OK; k++) {
        const struct rd_annotation_token *token = &reading->tokens[k];
        const bool negates = rd_annotation_token_is_word(reading, k, "not") ||
                             rd_annotation_token_is_sign(reading, k, "!"),
                   differs = rd_annotation_token_is_sign(reading, k, "!=");
        depth += rd_annotation_token_is_sign(reading, k, "(");
        depth -= depth > 0 && rd_annotation_token_is_sign(reading, k, ")");
        if (depth == 0 && rd_annotation_token_is_sign(reading, k, ","))
            rd_annotation_token_fail(reading, token, "conditions are joined by 'and'%s", "");
        else if ((negates || differs) &&
                 has_any(reading, differs ? operand_begin(reading, k) : k + 1,
                         operand_end(reading, k + 1)))
            rd_annotation_token_fail(reading, token,
                                     "a name behind a '^' stands for some number, and some number "
                                     "will always do here%s",
                                     "");
        else if (any > 2)
            rd_annotation_token_fail(reading, token, "at most two names stand behind a '^'%s", "");
    }
}

/* Fails at what is a law in the place of the condition of a `requires`. */
static void fail_requires(struct rd_annotation_reading *reading, size_t at)
{
    rd_annotation_token_fail(reading, &reading->tokens[at],
                             "'requires' is a condition on numbers, as n = 2^k: what cells hold is "
                             "a law, as in '//@ assert for 0 <= i < n: A[i] = a[i]'%s",
                             "");
}

static bool has_element(const struct rd_annotation_reading *reading, size_t from, size_t to)
{
    while (from < to && !reading->tokens[from].element)
        from++;
    return from < to;
}

/* Fails where the '=' of a law is missing. */
static void fail_unequal(struct rd_annotation_reading *reading, size_t at)
{
    static const char *const others[] = {"<", "<=", ">", ">=", "!="};
    const struct rd_annotation_token *token = &reading->tokens[at];
    for (size_t k = 0; k < sizeof others / sizeof *others; k++)
        if (rd_annotation_token_is_sign(reading, at, others[k]))
            rd_annotation_token_fail(
                reading, token, "a law says by '=' what a cell holds, and by no '%s'", others[k]);
    rd_annotation_token_fail(reading, token, "'=', and what the cell holds, are expected here%s",
                             "");
}

/* Reads the claim of these tokens; tells whether it is one, and not a condition. */
static bool read_claim(struct rd_annotation_reading *reading, size_t from, size_t to)
{
    size_t at = from, speaks = 0;
    bool has_ranges = false;
    rd_annotation_mark_indices(reading, from, to);
    if (rd_annotation_token_is_word(reading, at, "when")) {
        at = find_colon(reading, at, to) + 1;
        rd_annotation_mark_numbers(reading, from, at < to ? at : to);
    }
    if (at < to && rd_annotation_token_is_word(reading, at, "for")) {
        if (reading->of->kind == RD_ANNOTATION_REQUIRES) {
            fail_requires(reading, at);
            return true;
        }
        const size_t colon = find_colon(reading, at, to);
        if (fail_words(reading, at, colon, "a range, as 0 <= i < n"))
            return true;
        rd_annotation_bind_ranges(reading, at + 1, colon, from, to);
        rd_annotation_mark_numbers(reading, at, colon);
        has_ranges = true;
        at = colon + 1;
    }
    const size_t cell = at;
    for (size_t k = at; k < to; k++) {
        if (reading->tokens[k].kind == RD_TOKEN_WORD &&
            rd_annotation_token_is_word(reading, k, "of"))
            rd_annotation_bind_reduction(reading, k, from, to);
        speaks += reading->tokens[k].kind == RD_TOKEN_WORD &&
                  rd_annotation_token_is(reading, &reading->tokens[k], "of");
        speaks += reading->tokens[k].element;
    }
    if (!has_ranges && at == from && speaks == 0) {
        fail_words(reading, from, to, "a condition, as n = 2^k");
        return false;
    }
    if (reading->of->kind == RD_ANNOTATION_REQUIRES) {
        if (has_element(reading, cell, to))
            fail_requires(reading, cell);
        rd_annotation_token_fail(reading, &reading->tokens[cell < to ? cell : to],
                                 "a condition on numbers is expected here, as n = 2^k%s", "");
        return true;
    }
    if (!has_ranges &&
        fail_words(reading, cell, cell + 2 < to ? cell + 2 : to, "a range, as 'for 0 <= i < n:'"))
        return true;
    if (fail_without_of(reading, cell, to) || fail_over(reading, cell, to) ||
        fail_pointer(reading, cell, to))
        return true;
    if (cell >= to || reading->tokens[cell].kind != RD_TOKEN_NAME ||
        reading->tokens[cell].is_call) {
        rd_annotation_token_fail(reading,
                                 &reading->tokens[cell < reading->n ? cell : reading->n - 1],
                                 "an array, and what it holds, are expected here%s", "");
        return true;
    }
    size_t behind = cell + 1;
    while (rd_annotation_token_is_sign(reading, behind, "["))
        behind = rd_annotation_part_end(reading, behind + 1, to, "") + 1;
    if (!rd_annotation_token_is_sign(reading, behind, "=") &&
        !rd_annotation_token_is_sign(reading, behind, "=="))
        fail_unequal(reading, behind < reading->n ? behind : reading->n - 1);
    reading->tokens[cell].cell = true;
    take_array(reading, cell);
    return true;
}

static void read_claims(struct rd_annotation_reading *reading)
{
    size_t from = 0, claims = 0, parts = 0, condition = 0;
    while (from + 1 < reading->n && reading->status == RD_OK) {
        const size_t to = rd_annotation_part_end(reading, from, reading->n - 1, ";");
        const bool is_claim = read_claim(reading, from, to);
        if (!is_claim && claims == parts)
            condition = from;
        claims += is_claim;
        parts++;
        from = to + 1;
    }
    if (reading->status == RD_OK && claims > 0 && claims < parts)
        rd_annotation_token_fail(reading, &reading->tokens[condition],
                                 "a condition and a law are two annotations: give this condition "
                                 "a line of its own, '//@ %s'",
                                 rd_annotation_kind_name(reading->of->kind));
}

/* ---- reading ---- */

/* [n]: takes the expression in the brackets from the program; returns the token behind them. */
static size_t take_size(struct rd_annotation_reading *reading, size_t open, const char *alias)
{
    struct rd_annotation *of = reading->of;
    const size_t close = rd_annotation_part_end(reading, open + 1, reading->n - 1, "");
    if (close == open + 1)
        rd_annotation_token_fail(reading, &reading->tokens[close],
                                 "the size of the input is expected%s", "");
    const size_t from = reading->tokens[open + 1].from, to = reading->tokens[close].from;
    struct rd_annotation_name size = {.at = of->text_places[from]};
    size.expression = strndup(reading->text + from, to > from ? to - from : 0);
    size.alias = strdup(alias);
    if (size.expression && size.alias &&
        rd_array_make_room(&of->names, of->n_names, &of->names_capacity, sizeof *of->names)) {
        of->names[of->n_names++] = size;
        return close + 1;
    }
    free(size.expression);
    free(size.alias);
    reading->status = rd_fail(reading->error, RD_ERROR_MEMORY, "no memory for an annotation");
    return close + 1;
}

/* a[n], b[2*n], c[n][m]: the array, and its size, which is the program's to tell. */
static void read_input(struct rd_annotation_reading *reading)
{
    const size_t end = reading->n - 1;
    struct rd_annotation *of = reading->of;
    if (reading->tokens[0].kind != RD_TOKEN_NAME || !reading->tokens[0].element) {
        rd_annotation_token_fail(reading, &reading->tokens[0],
                                 "an array with its size is expected, as in 'input a[n]'%s", "");
        return;
    }
    take_array(reading, 0);
    if (reading->status != RD_OK)
        return;
    of->scalar = false;
    of->array.alias = rd_annotation_new_alias(reading, of->array.expression, true, NULL);
    if (!of->array.alias)
        reading->status = rd_fail(reading->error, RD_ERROR_MEMORY, "no memory for an annotation");
    size_t behind = take_size(reading, 1, "size");
    if (reading->status == RD_OK && rd_annotation_token_is_sign(reading, behind, "["))
        behind = take_size(reading, behind, "columns");
    if (behind != end)
        rd_annotation_token_fail(reading, &reading->tokens[behind < end ? behind : end],
                                 "an input has one size or two, and an annotation of its own%s",
                                 "");
}

static void read_law(struct rd_annotation_reading *reading, const struct rd_annotations *files,
                     size_t n_files)
{
    struct rd_annotation *of = reading->of;
    read_claims(reading);
    if (reading->status != RD_OK)
        return;
    if (of->array.expression) {
        of->array.alias =
            rd_annotation_new_alias(reading, of->array.expression, true,
                                    rd_annotation_input_named(files, n_files, of->array.expression,
                                                              strlen(of->array.expression)));
        if (!of->array.alias)
            reading->status =
                rd_fail(reading->error, RD_ERROR_MEMORY, "no memory for an annotation");
    }
    if (of->array.expression && reading->status == RD_OK)
        rd_annotation_flatten(reading);
    rd_annotation_write_aliases(reading, files, n_files);
    if (reading->status == RD_OK && !of->array.expression && of->n_names == 0)
        rd_annotation_token_fail(reading, &reading->tokens[0],
                                 "the condition says nothing of the program%s", "");
    if (reading->status == RD_OK && of->kind == RD_ANNOTATION_REQUIRES)
        check_numbers(reading);
    if (reading->status == RD_OK && of->n_inputs > 2)
        rd_annotation_token_fail(reading, &reading->tokens[0],
                                 "a law speaks of at most two inputs%s", "");
}

static enum rd_status read_one(struct rd_annotations *file, struct rd_annotation *of,
                               const struct rd_annotations *files, size_t n_files,
                               struct rd_error *error)
{
    struct rd_annotation_reading reading = {
        .file = file,
        .of = of,
        .files = files,
        .n_files = n_files,
        .text = of->text,
        .error = error,
    };
    rd_annotation_cut(&reading);
    if (reading.status == RD_OK && of->kind == RD_ANNOTATION_INPUT)
        read_input(&reading);
    else if (reading.status == RD_OK)
        read_law(&reading, files, n_files);
    free(reading.tokens);
    if (reading.status != RD_OK || of->kind == RD_ANNOTATION_INPUT)
        return reading.status;
    return rd_annotation_check(file, of, files, n_files, error);
}

enum rd_status rd_annotations_read(struct rd_annotations *files, size_t n_files,
                                   struct rd_error *error)
{
    enum rd_status status = RD_OK;
    for (unsigned laws = 0; laws < 2; laws++) /* inputs first */
        for (size_t f = 0; f < n_files; f++)
            for (size_t k = 0; k < files[f].n && status == RD_OK; k++) {
                struct rd_annotation *one = &files[f].all[k];
                if ((one->kind != RD_ANNOTATION_INPUT) == laws)
                    status = read_one(&files[f], one, files, n_files, error);
            }
    return status;
}
