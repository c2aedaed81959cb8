// SPDX-License-Identifier: MIT
/* Laws of annotations: which of their words are the program's.
 *
 * Longer than others: which words are the law's depends on those beside them, by one reading. */
#include "base/array.h"
#include "check/annotation_reading.h"
#include "reductio/law.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* ---- tokens ---- */

const char *const rd_annotation_functions[] = {"min",  "max",      "floor", "ceil", "sqrt",
                                               "log2", "bit_ceil", "abs",   NULL};
const char *const rd_annotation_language[] = {
    "input",  "array", "shared", "register", "steps", "let",  "law",   "start", "update",
    "launch", "at",    "when",   "for",      "of",    "over", "all",   "in",    "not",
    "and",    "or",    "xor",    "div",      "mod",   "any",  "order", NULL};
/* Words that begin sentences of a program's paragraph, or stand in those: in annotations they have no meaning. */
static const char *const sentences[] = {"input", "array",  "shared", "register", "steps", "law",
                                        "start", "update", "launch", "at",       NULL};
#define OPERATION(name, NAME, selects, integers) #name,
const char *const rd_annotation_operations[] = {RD_OPERATIONS(OPERATION) NULL};
#undef OPERATION

bool rd_annotation_is_word(const char *name)
{
    return rd_lexer_is_one_of(name, strlen(name), rd_annotation_language);
}

bool rd_annotation_token_is(const struct rd_annotation_reading *reading,
                            const struct rd_annotation_token *token, const char *text)
{
    return rd_lexer_is(reading->text + token->from, token->to - token->from, text);
}

static bool is_one_of(const struct rd_annotation_reading *reading,
                      const struct rd_annotation_token *token, const char *const *texts)
{
    return rd_lexer_is_one_of(reading->text + token->from, token->to - token->from, texts);
}

static bool same(const struct rd_annotation_reading *reading, const struct rd_annotation_token *x,
                 const struct rd_annotation_token *y)
{
    return x->to - x->from == y->to - y->from &&
           memcmp(reading->text + x->from, reading->text + y->from, x->to - x->from) == 0;
}

void rd_annotation_token_fail(struct rd_annotation_reading *reading,
                              const struct rd_annotation_token *at, const char *message,
                              const char *subject)
{
    if (reading->status == RD_OK)
        reading->status = rd_annotations_fail(reading->file, reading->of->text_places[at->from],
                                              reading->error, message, subject);
}

static bool starts_name(char c)
{
    return isalpha((unsigned char)c) || c == '_';
}

static size_t behind_word(const char *text, size_t at)
{
    while (rd_lexer_is_letter(text[at]))
        at++;
    return at;
}

/* Behind the bracket that closes the one at `at`; 0: none does. */
static size_t behind_bracket(const char *text, size_t at)
{
    int depth = 0;
    for (; text[at]; at++) {
        depth += (text[at] == '(') - (text[at] == ')');
        if (depth == 0)
            return at + 1;
    }
    return 0;
}

/* Behind what goes on with a name: members, namespaces, arguments. */
static size_t behind_name(const char *text, size_t at, bool *is_call)
{
    for (;;) {
        const size_t sign = text[at] == '.' ? 1
                            : strncmp(text + at, "->", 2) == 0 || strncmp(text + at, "::", 2) == 0
                                ? 2
                                : 0;
        if (sign > 0 && starts_name(text[at + sign])) {
            at = behind_word(text, at + sign);
        } else if (text[at] == '(' && behind_bracket(text, at) > 0) {
            at = behind_bracket(text, at);
            *is_call = true;
        } else {
            return at;
        }
    }
}

/* Behind the word, and blanks, if the text goes on with it there; else NULL. */
static const char *behind_this(const char *text, const char *word)
{
    const size_t length = strlen(word);
    if (strncmp(text, word, length) != 0 || rd_lexer_is_letter(text[length]))
        return NULL;
    return text + length + strspn(text + length, " \t\n");
}

/* Tells whether a word of the language is meant as one, and no variable of the program's that has its name: no word has an
 * index or a member, and some stand in certain places alone. */
static bool is_meant_as_word(const struct rd_annotation_reading *reading,
                             const struct rd_annotation_token *token)
{
    const char *behind = reading->text + token->to + strspn(reading->text + token->to, " \t\n");
    const struct rd_annotation_token *before =
        reading->n > 0 ? &reading->tokens[reading->n - 1] : NULL;
    if (*behind == '[' || strncmp(behind, "->", 2) == 0 ||
        (*behind == '.' && starts_name(behind[1])))
        return false;
    if (rd_annotation_token_is(reading, token, "in")) {
        const char *any = behind_this(behind, "any");
        return any && behind_this(any, "order");
    }
    if (rd_annotation_token_is(reading, token, "any"))
        return before && before->kind == WORD && rd_annotation_token_is(reading, before, "in");
    if (rd_annotation_token_is(reading, token, "order"))
        return before && before->kind == WORD && rd_annotation_token_is(reading, before, "any");
    if (rd_annotation_token_is(reading, token, "all"))
        return before && before->kind == WORD && rd_annotation_token_is(reading, before, "of") &&
               (rd_lexer_is_letter(*behind) || *behind == '(');
    return !is_one_of(reading, token, sentences);
}

static void cut(struct rd_annotation_reading *reading)
{
    const char *text = reading->text;
    size_t at = 0;
    do {
        while (isspace((unsigned char)text[at]))
            at++;
        struct rd_annotation_token token = {.kind = SIGN, .from = at, .to = at + 1};
        if (!text[at]) {
            token.kind = END;
            token.to = at;
        } else if (isdigit((unsigned char)text[at])) {
            token.kind = NUMBER;
            while (isdigit((unsigned char)text[token.to]))
                token.to++;
        } else if (starts_name(text[at])) {
            token.to = behind_word(text, at);
            token.kind = is_one_of(reading, &token, rd_annotation_language) &&
                                 is_meant_as_word(reading, &token)
                             ? WORD
                             : NAME;
            const size_t operation_of = token.to + strspn(text + token.to, " \n");
            if ((is_one_of(reading, &token, rd_annotation_operations) ||
                 rd_annotation_token_is(reading, &token, "count")) &&
                strncmp(text + operation_of, "of", 2) == 0 &&
                !rd_lexer_is_letter(text[operation_of + 2]))
                token.kind = WORD;
            if (is_one_of(reading, &token, rd_annotation_functions) &&
                text[token.to + strspn(text + token.to, " ")] == '(')
                token.kind = WORD;
            if (token.kind == NAME)
                token.to = behind_name(text, token.to, &token.is_call);
            token.element =
                token.kind == NAME && text[token.to + strspn(text + token.to, " ")] == '[';
        } else {
            static const char *const signs[] = {"<=", ">=", "==", "!=", "&&", "||", "...", NULL};
            for (size_t k = 0; signs[k]; k++)
                if (strncmp(text + at, signs[k], strlen(signs[k])) == 0)
                    token.to = at + strlen(signs[k]);
        }
        if (!rd_array_make_room(&reading->tokens, reading->n, &reading->capacity,
                                sizeof *reading->tokens)) {
            reading->status =
                rd_fail(reading->error, RD_ERROR_MEMORY, "no memory for an annotation");
            return;
        }
        reading->tokens[reading->n++] = token;
        at = token.to;
    } while (reading->tokens[reading->n - 1].kind != END);
}

/* ---- what a law binds ---- */

static bool is_relation(const struct rd_annotation_reading *reading, size_t at)
{
    static const char *const relations[] = {"<", "<=", ">", ">=", "=", "==", "!=", NULL};
    return at < reading->n && reading->tokens[at].kind == SIGN &&
           is_one_of(reading, &reading->tokens[at], relations);
}

bool rd_annotation_token_is_sign(const struct rd_annotation_reading *reading, size_t at,
                                 const char *sign)
{
    return at < reading->n && reading->tokens[at].kind == SIGN &&
           rd_annotation_token_is(reading, &reading->tokens[at], sign);
}

bool rd_annotation_token_is_word(const struct rd_annotation_reading *reading, size_t at,
                                 const char *word)
{
    return reading->tokens[at].kind == WORD &&
           rd_annotation_token_is(reading, &reading->tokens[at], word);
}

/* A plain name, which a law might bind. */
static bool is_plain(const struct rd_annotation_reading *reading, size_t at)
{
    const struct rd_annotation_token *token = &reading->tokens[at];
    return token->kind == NAME && !token->is_call && !token->element &&
           behind_word(reading->text, token->from) == token->to;
}

/* The token at which the part that begins at `at` ends: at a sign of `ends` in no bracket, a bracket that was not opened in
 * it, or the claim's end. */
size_t rd_annotation_part_end(const struct rd_annotation_reading *reading, size_t at, size_t end,
                              const char *ends)
{
    int depth = 0;
    for (; at < end; at++) {
        const struct rd_annotation_token *token = &reading->tokens[at];
        if (token->kind != SIGN || token->to - token->from != 1)
            continue;
        const char c = reading->text[token->from];
        if (depth == 0 && (strchr(ends, c) || c == ')' || c == ']'))
            return at;
        depth += (c == '(' || c == '[') - (c == ')' || c == ']');
    }
    return end;
}

/* Binds the name throughout the claim, where it is a plain one. */
static void bind(struct rd_annotation_reading *reading, size_t name, size_t from, size_t to)
{
    for (size_t k = from; k < to; k++)
        if (is_plain(reading, k) && same(reading, &reading->tokens[k], &reading->tokens[name]))
            reading->tokens[k].bound = true;
}

/* Tells whether another relation follows in the same comparison: w <= i < n says nothing of w. */
static bool is_chain(const struct rd_annotation_reading *reading, size_t from, size_t to)
{
    const size_t end = rd_annotation_part_end(reading, from, to, ",:;");
    for (size_t k = from; k < end; k++) {
        if (rd_annotation_token_is_word(reading, k, "and") ||
            rd_annotation_token_is_word(reading, k, "or") ||
            rd_annotation_token_is_sign(reading, k, "&&") ||
            rd_annotation_token_is_sign(reading, k, "||"))
            return false;
        if (is_relation(reading, k))
            return true;
    }
    return false;
}

/* Tells whether the name at that token is compared in this condition as one that is bound is: alone on the left, or between
 * two relations, perhaps with others. */
static bool is_compared(const struct rd_annotation_reading *reading, size_t name, size_t from,
                        size_t to)
{
    for (size_t k = from; k < to; k++) {
        if (!is_plain(reading, k) || !same(reading, &reading->tokens[k], &reading->tokens[name]))
            continue;
        const bool first = k == from || rd_annotation_token_is_sign(reading, k - 1, ",") ||
                           rd_annotation_token_is_sign(reading, k - 1, "(") ||
                           rd_annotation_token_is_word(reading, k - 1, "and") ||
                           rd_annotation_token_is_word(reading, k - 1, "over") ||
                           rd_annotation_token_is_word(reading, k - 1, "for");
        size_t behind = k + 1;
        const bool lists =
            k >= from + 2 && is_relation(reading, k - 1) && reading->tokens[k - 2].kind == NUMBER;
        while (lists && rd_annotation_token_is_sign(reading, behind, ",") &&
               is_plain(reading, behind + 1))
            behind += 2; /* 0 <= i, j < n */
        if (!is_relation(reading, behind))
            continue;
        if (k > from && is_relation(reading, k - 1))
            return true;
        if (first && !is_chain(reading, behind + 1, to))
            return true;
    }
    return false;
}

/* Binds the names that a `for` compares. */
static void bind_ranges(struct rd_annotation_reading *reading, size_t from, size_t end,
                        size_t claim, size_t to)
{
    for (size_t k = from; k < end; k++)
        if (is_plain(reading, k) && is_compared(reading, k, from, end))
            bind(reading, k, claim, to);
}

/* Marks what can only be a number: conditions. */
static void mark_numbers(struct rd_annotation_reading *reading, size_t from, size_t to)
{
    for (size_t k = from; k < to; k++)
        reading->tokens[k].number = true;
}

/* Marks what stands in an index. */
static void mark_indices(struct rd_annotation_reading *reading, size_t from, size_t to)
{
    int depth = 0;
    for (size_t k = from; k < to; k++) {
        depth -= rd_annotation_token_is_sign(reading, k, "]");
        if (depth > 0)
            reading->tokens[k].number = true;
        depth += rd_annotation_token_is_sign(reading, k, "[");
    }
}

/* Binds the names of a reduction's term that stand alone in an index, or are compared behind it. */
static void bind_reduction(struct rd_annotation_reading *reading, size_t of, size_t claim,
                           size_t to)
{
    const size_t term = of + 1, end = rd_annotation_part_end(reading, term, to, ",;");
    size_t conditions = end;
    for (size_t k = term; k < end; k++)
        if (rd_annotation_token_is_word(reading, k, "over"))
            conditions = k;
    const size_t last = rd_annotation_part_end(reading, term, to, ";");
    mark_numbers(reading, conditions, last);
    if (rd_annotation_token_is_word(reading, of - 1, "count") && term < end)
        reading->tokens[term].counted = true;
    for (size_t k = term; k < conditions; k++) {
        if (!is_plain(reading, k))
            continue;
        const bool alone = rd_annotation_token_is_sign(reading, k - 1, "[") &&
                           rd_annotation_token_is_sign(reading, k + 1, "]");
        if (alone || is_compared(reading, k, conditions, last))
            bind(reading, k, claim, to);
    }
}

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
        if (reading->tokens[k].kind == NAME && reading->tokens[k].element && behind < to &&
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

/* Reads the claim of these tokens; tells whether it is one, and not a condition. */
static bool read_claim(struct rd_annotation_reading *reading, size_t from, size_t to)
{
    size_t at = from, speaks = 0;
    bool has_ranges = false;
    mark_indices(reading, from, to);
    if (rd_annotation_token_is_word(reading, at, "when")) {
        at = find_colon(reading, at, to) + 1;
        mark_numbers(reading, from, at < to ? at : to);
    }
    if (at < to && rd_annotation_token_is_word(reading, at, "for")) {
        const size_t colon = find_colon(reading, at, to);
        bind_ranges(reading, at + 1, colon, from, to);
        mark_numbers(reading, at, colon);
        has_ranges = true;
        at = colon + 1;
    }
    const size_t cell = at;
    for (size_t k = at; k < to; k++) {
        if (reading->tokens[k].kind == WORD && rd_annotation_token_is_word(reading, k, "of"))
            bind_reduction(reading, k, from, to);
        speaks += reading->tokens[k].kind == WORD &&
                  rd_annotation_token_is(reading, &reading->tokens[k], "of");
        speaks += reading->tokens[k].element;
    }
    if (!has_ranges && at == from && speaks == 0)
        return false;
    if (cell >= to || reading->tokens[cell].kind != NAME || reading->tokens[cell].is_call) {
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
        rd_annotation_token_fail(reading,
                                 &reading->tokens[behind < reading->n ? behind : reading->n - 1],
                                 "'=', and what the cell holds, are expected here%s", "");
    reading->tokens[cell].cell = true;
    take_array(reading, cell);
    return true;
}

static void read_claims(struct rd_annotation_reading *reading)
{
    size_t from = 0, claims = 0, parts = 0;
    while (from + 1 < reading->n && reading->status == RD_OK) {
        const size_t to = rd_annotation_part_end(reading, from, reading->n - 1, ";");
        claims += read_claim(reading, from, to);
        parts++;
        from = to + 1;
    }
    if (reading->status == RD_OK && claims > 0 && claims < parts)
        rd_annotation_token_fail(reading, &reading->tokens[0],
                                 "a condition and a law are two annotations%s", "");
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
    if (reading->tokens[0].kind != NAME || !reading->tokens[0].element) {
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
        if (of->kind == RD_ANNOTATION_REQUIRES)
            rd_annotation_token_fail(
                reading, &reading->tokens[0],
                "'requires' is a condition on numbers, as n = 2^k, and this is a law%s", "");
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
    if (reading->status == RD_OK && of->n_inputs > 2)
        rd_annotation_token_fail(reading, &reading->tokens[0],
                                 "a law speaks of at most two inputs%s", "");
}

/* ---- as the language has it ---- */

/* A text that is made of a law, and where its characters stand. */
struct made {
    char *text;
    size_t n, law; /* the law begins there */
};

static bool is_name_at(const struct rd_annotation *of, size_t at, const char *alias)
{
    const size_t length = strlen(alias);
    return strncmp(of->law + at, alias, length) == 0 &&
           (at == 0 || !isalnum((unsigned char)of->law[at - 1])) &&
           !isalnum((unsigned char)of->law[at + length]);
}

/* Reads the condition, in which each of the program's names is n. */
static enum rd_status check_condition(const struct rd_annotations *file,
                                      const struct rd_annotation *of, struct rd_error *error)
{
    const size_t length = strlen(of->law);
    struct rd_law_condition *condition = NULL;
    struct rd_law_error why = {0};
    char *text = malloc(length + 1);
    const char **places = malloc((length + 1) * sizeof *places);
    enum rd_status status = RD_ERROR_MEMORY;
    size_t n = 0;
    for (size_t at = 0; text && places && at <= length;) {
        size_t k = 0;
        while (k < of->n_names && !is_name_at(of, at, of->names[k].alias))
            k++;
        places[n] = of->places[at];
        text[n++] = k < of->n_names ? 'n' : of->law[at];
        at += k < of->n_names ? strlen(of->names[k].alias) : 1;
    }
    if (text && places)
        status = rd_law_condition_create(&condition, text, &why);
    rd_law_condition_destroy(condition);
    if (status == RD_ERROR_USAGE)
        rd_annotations_fail(file,
                            why.column > 0 && why.column <= n ? places[why.column - 1] : of->word,
                            error, "%s", why.what.text);
    else if (status != RD_OK)
        rd_fail(error, status, "no memory for an annotation");
    free(text);
    free(places);
    return status;
}

/* Tells whether the input of that name in laws was declared with two sizes. */
static bool has_columns(const struct rd_annotations *files, size_t n_files, const char *alias)
{
    for (size_t f = 0; f < n_files; f++)
        for (size_t k = 0; k < files[f].n; k++) {
            const struct rd_annotation *one = &files[f].all[k];
            if (one->kind == RD_ANNOTATION_INPUT && one->array.alias &&
                strcmp(one->array.alias, alias) == 0)
                return one->n_names > 1;
        }
    return false;
}

/* Reads the paragraph of the law, in which each of the program's names stands for some number. */
static enum rd_status check_law(const struct rd_annotations *file, const struct rd_annotation *of,
                                const struct rd_annotations *files, size_t n_files,
                                struct rd_error *error)
{
    struct rd_law_error why = {0};
    struct rd_law *law = NULL;
    char *text = NULL;
    size_t size, start;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return rd_fail(error, RD_ERROR_MEMORY, "no memory for an annotation");
    for (size_t k = 0; k < of->n_inputs; k++)
        fprintf(out, "input %s[n]%s\n", of->inputs[k],
                has_columns(files, n_files, of->inputs[k]) ? "[n]" : "");
    fprintf(out, "array %s%s\n", of->array.alias, of->scalar ? "" : "[n]");
    for (size_t k = 0; k < of->n_tables; k++)
        fprintf(out, "let %s_0 = n\n", of->tables[k]);
    for (size_t k = 0; k < of->n_names; k++)
        fprintf(out, "let %s = n\n", of->names[k].alias);
    fputs("law ", out);
    fflush(out);
    start = size;
    fputs(of->law, out);
    enum rd_status status = fclose(out) == 0 ? rd_law_create(&law, text, &why) : RD_ERROR_MEMORY;
    rd_law_destroy(law);
    if (status == RD_OK) {
        free(text);
        return RD_OK;
    }
    const char *at = text;
    for (size_t line = 1; at && line < why.line; line++)
        at = strchr(at, '\n') ? strchr(at, '\n') + 1 : at;
    const size_t offset = (size_t)(at - text) + (why.column > 0 ? why.column - 1 : 0);
    const bool inside = why.line > 0 && offset >= start && offset <= start + strlen(of->law);
    free(text);
    if (status == RD_ERROR_MEMORY)
        return rd_fail(error, status, "no memory for an annotation");
    return rd_annotations_fail(file, inside ? of->places[offset - start] : of->word, error, "%s",
                               why.what.text);
}

static enum rd_status read_one(struct rd_annotations *file, struct rd_annotation *of,
                               const struct rd_annotations *files, size_t n_files,
                               struct rd_error *error)
{
    struct rd_annotation_reading reading = {
        .file = file, .of = of, .text = of->text, .error = error};
    cut(&reading);
    if (reading.status == RD_OK && of->kind == RD_ANNOTATION_INPUT)
        read_input(&reading);
    else if (reading.status == RD_OK)
        read_law(&reading, files, n_files);
    free(reading.tokens);
    if (reading.status != RD_OK || of->kind == RD_ANNOTATION_INPUT)
        return reading.status;
    return of->array.expression ? check_law(file, of, files, n_files, error)
                                : check_condition(file, of, error);
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
