// SPDX-License-Identifier: MIT
/* Laws of annotations: which of their words are the program's. */
#include "base/array.h"
#include "check/annotation.h"
#include "reductio/law.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* ---- tokens ---- */

enum token_kind { END, NUMBER, WORD, NAME, SIGN };

/* A name is a whole expression: shape->n, blockDim.x, count(w). */
struct token {
    enum token_kind kind;
    size_t from, to;
    bool is_call;
    bool bound;          /* by the law */
    bool element;        /* an index stands behind it */
    bool cell;           /* it is the array of a claim */
    bool number;         /* it stands in a condition or an index */
    bool counted;        /* `count of` stands before it */
    const char *instead; /* what stands for it, a bracket of an index */
};

struct reading {
    struct rd_annotations *file;
    struct rd_annotation *of;
    const char *text;
    struct token *tokens;
    size_t n, capacity;
    struct rd_error *error;
    enum rd_status status;
};

static const char *const functions[] = {"min",  "max",      "floor", "ceil", "sqrt",
                                        "log2", "bit_ceil", "abs",   NULL};
static const char *const language[] = {
    "input",  "array", "shared", "register", "steps", "let",  "law",   "start", "update",
    "launch", "at",    "when",   "for",      "of",    "over", "all",   "in",    "not",
    "and",    "or",    "xor",    "div",      "mod",   "any",  "order", NULL};
#define OPERATION(name, NAME, selects, integers) #name,
static const char *const operations[] = {RD_OPERATIONS(OPERATION) NULL};
#undef OPERATION
static const char *const quantities[] = {"n", "T", "B", "G", "d", "block", "warp", "bytes", NULL};

bool rd_annotation_is_word(const char *name)
{
    return rd_lexer_is_one_of(name, strlen(name), language);
}

static bool is(const struct reading *reading, const struct token *token, const char *text)
{
    return rd_lexer_is(reading->text + token->from, token->to - token->from, text);
}

static bool is_one_of(const struct reading *reading, const struct token *token,
                      const char *const *texts)
{
    return rd_lexer_is_one_of(reading->text + token->from, token->to - token->from, texts);
}

static bool same(const struct reading *reading, const struct token *x, const struct token *y)
{
    return x->to - x->from == y->to - y->from &&
           memcmp(reading->text + x->from, reading->text + y->from, x->to - x->from) == 0;
}

static void fail(struct reading *reading, const struct token *at, const char *message,
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

static void cut(struct reading *reading)
{
    const char *text = reading->text;
    size_t at = 0;
    do {
        while (isspace((unsigned char)text[at]))
            at++;
        struct token token = {.kind = SIGN, .from = at, .to = at + 1};
        if (!text[at]) {
            token.kind = END;
            token.to = at;
        } else if (isdigit((unsigned char)text[at])) {
            token.kind = NUMBER;
            while (isdigit((unsigned char)text[token.to]))
                token.to++;
        } else if (starts_name(text[at])) {
            token.to = behind_word(text, at);
            token.kind = is_one_of(reading, &token, language) ? WORD : NAME;
            const size_t operation_of = token.to + strspn(text + token.to, " \n");
            if ((is_one_of(reading, &token, operations) || is(reading, &token, "count")) &&
                strncmp(text + operation_of, "of", 2) == 0 &&
                !rd_lexer_is_letter(text[operation_of + 2]))
                token.kind = WORD;
            if (is_one_of(reading, &token, functions) &&
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

static bool is_relation(const struct reading *reading, size_t at)
{
    static const char *const relations[] = {"<", "<=", ">", ">=", "=", "==", "!=", NULL};
    return at < reading->n && reading->tokens[at].kind == SIGN &&
           is_one_of(reading, &reading->tokens[at], relations);
}

static bool is_sign(const struct reading *reading, size_t at, const char *sign)
{
    return at < reading->n && reading->tokens[at].kind == SIGN &&
           is(reading, &reading->tokens[at], sign);
}

static bool is_word(const struct reading *reading, size_t at, const char *word)
{
    return reading->tokens[at].kind == WORD && is(reading, &reading->tokens[at], word);
}

/* A plain name, which a law might bind. */
static bool is_plain(const struct reading *reading, size_t at)
{
    const struct token *token = &reading->tokens[at];
    return token->kind == NAME && !token->is_call && !token->element &&
           behind_word(reading->text, token->from) == token->to;
}

/* The token at which the part that begins at `at` ends: at a sign of `ends` in no bracket, a bracket that was not opened in
 * it, or the claim's end. */
static size_t part_end(const struct reading *reading, size_t at, size_t end, const char *ends)
{
    int depth = 0;
    for (; at < end; at++) {
        const struct token *token = &reading->tokens[at];
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
static void bind(struct reading *reading, size_t name, size_t from, size_t to)
{
    for (size_t k = from; k < to; k++)
        if (is_plain(reading, k) && same(reading, &reading->tokens[k], &reading->tokens[name]))
            reading->tokens[k].bound = true;
}

/* Tells whether another relation follows in the same comparison: w <= i < n says nothing of w. */
static bool is_chain(const struct reading *reading, size_t from, size_t to)
{
    const size_t end = part_end(reading, from, to, ",:;");
    for (size_t k = from; k < end; k++) {
        if (is_word(reading, k, "and") || is_word(reading, k, "or") || is_sign(reading, k, "&&") ||
            is_sign(reading, k, "||"))
            return false;
        if (is_relation(reading, k))
            return true;
    }
    return false;
}

/* Tells whether the name at that token is compared in this condition as one that is bound is: alone on the left, or between
 * two relations, perhaps with others. */
static bool is_compared(const struct reading *reading, size_t name, size_t from, size_t to)
{
    for (size_t k = from; k < to; k++) {
        if (!is_plain(reading, k) || !same(reading, &reading->tokens[k], &reading->tokens[name]))
            continue;
        const bool first = k == from || is_sign(reading, k - 1, ",") ||
                           is_sign(reading, k - 1, "(") || is_word(reading, k - 1, "and") ||
                           is_word(reading, k - 1, "over") || is_word(reading, k - 1, "for");
        size_t behind = k + 1;
        const bool lists =
            k >= from + 2 && is_relation(reading, k - 1) && reading->tokens[k - 2].kind == NUMBER;
        while (lists && is_sign(reading, behind, ",") && is_plain(reading, behind + 1))
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
static void bind_ranges(struct reading *reading, size_t from, size_t end, size_t claim, size_t to)
{
    for (size_t k = from; k < end; k++)
        if (is_plain(reading, k) && is_compared(reading, k, from, end))
            bind(reading, k, claim, to);
}

/* Marks what can only be a number: conditions. */
static void mark_numbers(struct reading *reading, size_t from, size_t to)
{
    for (size_t k = from; k < to; k++)
        reading->tokens[k].number = true;
}

/* Marks what stands in an index. */
static void mark_indices(struct reading *reading, size_t from, size_t to)
{
    int depth = 0;
    for (size_t k = from; k < to; k++) {
        depth -= is_sign(reading, k, "]");
        if (depth > 0)
            reading->tokens[k].number = true;
        depth += is_sign(reading, k, "[");
    }
}

/* Binds the names of a reduction's term that stand alone in an index, or are compared behind it. */
static void bind_reduction(struct reading *reading, size_t of, size_t claim, size_t to)
{
    const size_t term = of + 1, end = part_end(reading, term, to, ",;");
    size_t conditions = end;
    for (size_t k = term; k < end; k++)
        if (is_word(reading, k, "over"))
            conditions = k;
    const size_t last = part_end(reading, term, to, ";");
    mark_numbers(reading, conditions, last);
    if (is_word(reading, of - 1, "count") && term < end)
        reading->tokens[term].counted = true;
    for (size_t k = term; k < conditions; k++) {
        if (!is_plain(reading, k))
            continue;
        const bool alone = is_sign(reading, k - 1, "[") && is_sign(reading, k + 1, "]");
        if (alone || is_compared(reading, k, conditions, last))
            bind(reading, k, claim, to);
    }
}

/* The array that the claim speaks of. */
static void take_array(struct reading *reading, size_t at)
{
    struct rd_annotation *of = reading->of;
    const struct token *token = &reading->tokens[at];
    const size_t length = token->to - token->from;
    if (of->array.expression) {
        if (!rd_lexer_is(reading->text + token->from, length, of->array.expression))
            fail(reading, token,
                 "this annotation speaks of '%s': give another array one of its own",
                 of->array.expression);
        return;
    }
    of->array.expression = strndup(reading->text + token->from, length);
    of->array.at = of->text_places[token->from];
    of->scalar = !token->element && !is_word(reading, 0, "for");
    if (!of->array.expression)
        reading->status = rd_fail(reading->error, RD_ERROR_MEMORY, "no memory for an annotation");
}

/* Reads the claim of these tokens; tells whether it is one, and not a condition. */
static bool read_claim(struct reading *reading, size_t from, size_t to)
{
    size_t at = from, speaks = 0;
    bool has_ranges = false;
    mark_indices(reading, from, to);
    if (is_word(reading, at, "when")) {
        at = part_end(reading, at, to, ":") + 1;
        mark_numbers(reading, from, at < to ? at : to);
    }
    if (at < to && is_word(reading, at, "for")) {
        const size_t colon = part_end(reading, at, to, ":");
        bind_ranges(reading, at + 1, colon, from, to);
        mark_numbers(reading, at, colon);
        has_ranges = true;
        at = colon + 1;
    }
    const size_t cell = at;
    for (size_t k = at; k < to; k++) {
        if (reading->tokens[k].kind == WORD && is_word(reading, k, "of"))
            bind_reduction(reading, k, from, to);
        speaks += reading->tokens[k].kind == WORD && is(reading, &reading->tokens[k], "of");
        speaks += reading->tokens[k].element;
    }
    if (!has_ranges && at == from && speaks == 0)
        return false;
    if (cell >= to || reading->tokens[cell].kind != NAME || reading->tokens[cell].is_call) {
        fail(reading, &reading->tokens[cell < reading->n ? cell : reading->n - 1],
             "an array, and what it holds, are expected here%s", "");
        return true;
    }
    size_t behind = cell + 1;
    while (is_sign(reading, behind, "["))
        behind = part_end(reading, behind + 1, to, "") + 1;
    if (!is_sign(reading, behind, "=") && !is_sign(reading, behind, "=="))
        fail(reading, &reading->tokens[behind < reading->n ? behind : reading->n - 1],
             "'=', and what the cell holds, are expected here%s", "");
    reading->tokens[cell].cell = true;
    take_array(reading, cell);
    return true;
}

static void read_claims(struct reading *reading)
{
    size_t from = 0, claims = 0, parts = 0;
    while (from + 1 < reading->n && reading->status == RD_OK) {
        const size_t to = part_end(reading, from, reading->n - 1, ";");
        claims += read_claim(reading, from, to);
        parts++;
        from = to + 1;
    }
    if (reading->status == RD_OK && claims > 0 && claims < parts)
        fail(reading, &reading->tokens[0], "a condition and a law are two annotations%s", "");
}

/* ---- aliases ---- */

/* A name as the language has it: letters and digits, from a letter on. */
static char *make_alias(const char *expression, size_t length)
{
    char *alias = malloc(length + 8), *to = alias;
    if (!alias)
        return NULL;
    for (size_t k = 0; k < length && to - alias < 40; k++)
        if (isalnum((unsigned char)expression[k]) &&
            (to > alias || isalpha((unsigned char)expression[k])))
            *to++ = expression[k];
    if (to == alias)
        *to++ = 'v';
    *to = '\0';
    return alias;
}

static bool is_taken(const struct reading *reading, const char *alias, const char *expression,
                     bool of_array)
{
    const struct rd_annotation *of = reading->of;
    const size_t length = strlen(alias);
    if (strcmp(alias, "columns") == 0 || rd_lexer_is_one_of(alias, length, functions) ||
        rd_lexer_is_one_of(alias, length, language) ||
        rd_lexer_is_one_of(alias, length, operations) ||
        (rd_lexer_is_one_of(alias, length, quantities) &&
         !(of_array && !of->scalar && strcmp(alias, "n") != 0)))
        return true;
    for (size_t k = 0; k < of->n_names; k++)
        if (strcmp(of->names[k].alias, alias) == 0)
            return true;
    if (!of_array && of->array.alias && strcmp(of->array.alias, alias) == 0)
        return true;
    for (size_t k = 0; k < reading->n; k++) { /* another word of the law's */
        const struct token *token = &reading->tokens[k];
        const bool is_name = token->kind == NAME && is(reading, token, alias);
        if (is_name && strcmp(alias, expression) != 0)
            return true;
    }
    return false;
}

static char *new_alias(const struct reading *reading, const char *expression, bool of_array,
                       const struct rd_annotation *input)
{
    char *alias = make_alias(expression, strlen(expression));
    while (alias && ((input && strcmp(alias, input->array.alias) == 0) ||
                     is_taken(reading, alias, expression, of_array))) {
        char *longer = realloc(alias, strlen(alias) + 2);
        if (!longer) {
            free(alias);
            return NULL;
        }
        alias = longer;
        strcat(alias, "v");
    }
    return alias;
}

static bool is_statement_with_names(const char *at, size_t length)
{
    static const char *const words[] = {"for", "while", "if", "switch", "do", NULL};
    return rd_lexer_is_one_of(at, length, words);
}

/* Tells whether the function, in whose code the annotation stands, has the word where it may be one of a variable in scope: before
 * the annotation, or in the head of its loop, and in no block or statement that is over there. */
static bool has_word(const struct rd_annotation *of, const char *word)
{
    const char *place = of->condition ? of->condition : of->word, *end;
    for (const char *at = of->function->head; at < place; at = end) {
        size_t length = 0;
        while (rd_lexer_is_letter(at[length]))
            length++;
        end = rd_lexer_skip(at);
        end = end > at ? end : at + 1;
        if (*at == '{' && rd_lexer_behind(at) <= place)
            end = rd_lexer_behind(at);
        else if (length > 0 && is_statement_with_names(at, length) &&
                 rd_annotation_statement_end(at) <= place)
            end = rd_annotation_statement_end(at);
        else if (length > 0 && rd_lexer_is(at, length, word))
            return true;
    }
    return false;
}

/* The input that the expression names, in any of the files. */
static const struct rd_annotation *input_named(const struct rd_annotations *files, size_t n_files,
                                               const char *text, size_t length)
{
    for (size_t f = 0; f < n_files; f++)
        for (size_t k = 0; k < files[f].n; k++) {
            const struct rd_annotation *one = &files[f].all[k];
            if (one->kind == RD_ANNOTATION_INPUT && one->array.expression &&
                rd_lexer_is(text, length, one->array.expression))
                return one;
        }
    return NULL;
}

/* Takes the token's expression from the program; its alias. NULL where there is no memory. */
static const char *take_name(struct reading *reading, const struct token *token)
{
    struct rd_annotation *of = reading->of;
    const size_t length = token->to - token->from;
    for (size_t k = 0; k < of->n_names; k++)
        if (rd_lexer_is(reading->text + token->from, length, of->names[k].expression))
            return of->names[k].alias;
    if (!rd_array_make_room(&of->names, of->n_names, &of->names_capacity, sizeof *of->names))
        return NULL;
    struct rd_annotation_name name = {.at = of->text_places[token->from]};
    name.expression = strndup(reading->text + token->from, length);
    name.alias = name.expression ? new_alias(reading, name.expression, false, NULL) : NULL;
    const bool is_exponent =
        token > reading->tokens && is_sign(reading, (size_t)(token - reading->tokens) - 1, "^");
    name.any = of->kind == RD_ANNOTATION_REQUIRES && is_exponent && !token->is_call &&
               name.expression && !has_word(of, name.expression);
    if (!name.alias) {
        free(name.expression);
        return NULL;
    }
    of->names[of->n_names++] = name;
    return name.alias;
}

/* Adds a name to a list, if it is not there; the name there, or NULL where there is no memory. */
static const char *list_name(char ***list, size_t *n, size_t *capacity, const char *before,
                             const char *alias)
{
    char *name = NULL;
    if (asprintf(&name, "%s%s", before, alias) < 0)
        return NULL;
    for (size_t k = 0; k < *n; k++)
        if (strcmp((*list)[k], name) == 0) {
            free(name);
            return (*list)[k];
        }
    if (!rd_array_make_room(list, *n, capacity, sizeof **list)) {
        free(name);
        return NULL;
    }
    return (*list)[(*n)++] = name;
}

/* The bracket that closes the index behind the token. */
static size_t index_end(const struct reading *reading, size_t name)
{
    return part_end(reading, name + 2, reading->n - 1, "");
}

/* The name of the input in the law: its own, one of its numbers, or ones in its place. */
static const char *take_input(struct reading *reading, const struct token *token,
                              const struct rd_annotation *input)
{
    struct rd_annotation *of = reading->of;
    const char *alias = input->array.alias;
    const size_t at = (size_t)(token - reading->tokens);
    if (token->counted)
        return list_name(&of->inputs, &of->n_inputs, &of->inputs_capacity, RD_ANNOTATION_ONES,
                         alias);
    if (!token->number)
        return list_name(&of->inputs, &of->n_inputs, &of->inputs_capacity, "", alias);
    const char *name =
        list_name(&of->tables, &of->n_tables, &of->tables_capacity, RD_ANNOTATION_VALUE, alias);
    if (!token->element) {
        fail(reading, token, "'%s' is an array: one of its elements is expected here", alias);
        return name;
    }
    reading->tokens[at + 1].instead = "(";
    reading->tokens[index_end(reading, at)].instead = ")";
    return name;
}

/* The alias of a name in the law; its own text where it is the law's. */
static const char *alias_of(struct reading *reading, const struct token *token,
                            const struct rd_annotations *files, size_t n_files)
{
    const struct rd_annotation *of = reading->of;
    const char *text = reading->text + token->from;
    const size_t length = token->to - token->from;
    const struct rd_annotation *input = input_named(files, n_files, text, length);
    if (token->bound)
        return "";
    if (input && !token->cell)
        return take_input(reading, token, input);
    if (of->array.expression && rd_lexer_is(text, length, of->array.expression)) {
        if (!token->cell && !token->element && !of->scalar)
            fail(reading, token, "'%s' is an array: a number is expected here",
                 of->array.expression);
        return of->array.alias;
    }
    if (token->element) {
        char name[60];
        snprintf(name, sizeof name, "%.*s", (int)length, text);
        fail(reading, token, "'%s' is not a declared input: declare it with '//@ input'", name);
        return "";
    }
    if (of->kind == RD_ANNOTATION_INVARIANT && rd_lexer_is(text, length, "d") && !has_word(of, "d"))
        return "";
    return take_name(reading, token);
}

/* A[i][j]: of an array of arrays, whose cells lie row by row. */
static void flatten(struct reading *reading)
{
    struct rd_annotation *of = reading->of;
    const char *array = of->array.expression;
    for (size_t k = 0; k < reading->n && reading->status == RD_OK; k++) {
        if (!reading->tokens[k].cell)
            continue;
        const size_t first = k + 1, close = index_end(reading, k), second = close + 1;
        if (!is_sign(reading, second, "["))
            continue;
        struct rd_annotation_name name = {.at = of->text_places[reading->tokens[k].from]};
        const size_t last = part_end(reading, second + 1, reading->n - 1, "");
        if (asprintf(&name.expression, "__rd_law_columns(%s)", array) < 0)
            name.expression = NULL;
        bool known = false;
        for (size_t one = 0; one < of->n_names && name.expression; one++)
            known = known || strcmp(of->names[one].expression, name.expression) == 0;
        if (!known && name.expression)
            name.alias = strdup("columns");
        if (name.alias &&
            rd_array_make_room(&of->names, of->n_names, &of->names_capacity, sizeof *of->names)) {
            of->names[of->n_names++] = name;
        } else {
            if (!known)
                reading->status =
                    rd_fail(reading->error, RD_ERROR_MEMORY, "no memory for an annotation");
            free(name.alias);
            free(name.expression);
        }
        const bool plain_row = close == first + 2, plain_column = last == second + 2;
        reading->tokens[first].instead = plain_row ? "[" : "[(";
        reading->tokens[close].instead = plain_row ? "*columns + " : ")*columns + ";
        reading->tokens[second].instead = plain_column ? "" : "(";
        reading->tokens[last].instead = plain_column ? "]" : ")]";
    }
}

/* Puts the law together, with aliases. */
static void write_law(struct reading *reading, const struct rd_annotations *files, size_t n_files)
{
    struct rd_annotation *of = reading->of;
    const size_t length = strlen(reading->text);
    const size_t most = length + reading->n * 48 + 1;
    size_t n = 0, done = 0;
    of->law = malloc(most);
    of->places = malloc(most * sizeof *of->places);
    const bool has_memory = of->law && of->places;
    for (size_t k = 0; has_memory && k < reading->n && reading->status == RD_OK; k++) {
        const struct token *token = &reading->tokens[k];
        const char *alias = token->kind == NAME ? alias_of(reading, token, files, n_files) : "";
        if (!alias) {
            reading->status =
                rd_fail(reading->error, RD_ERROR_MEMORY, "no memory for an annotation");
            return;
        }
        for (; done < token->from; done++, n++) {
            of->law[n] = reading->text[done] == '\n' ? ' ' : reading->text[done];
            of->places[n] = of->text_places[done];
        }
        const bool is_number =
            *alias && strncmp(alias, RD_ANNOTATION_VALUE, strlen(RD_ANNOTATION_VALUE)) == 0;
        if (is_word(reading, k, "count")) /* sum of ones */
            alias = "sum";
        if (token->instead) {
            alias = token->instead;
            done = token->to;
        }
        for (; *alias; alias++, n++) {
            of->law[n] = *alias;
            of->places[n] = of->text_places[token->from];
            done = token->to;
        }
        if (is_number) {
            of->law[n] = '_';
            of->places[n++] = of->text_places[token->from];
        }
        for (; done < token->to; done++, n++) {
            of->law[n] = reading->text[done];
            of->places[n] = of->text_places[done];
        }
    }
    if (!has_memory) {
        if (reading->status == RD_OK)
            reading->status =
                rd_fail(reading->error, RD_ERROR_MEMORY, "no memory for an annotation");
        return;
    }
    of->law[n] = '\0';
    of->places[n] = of->text_places[length];
}

/* ---- reading ---- */

/* [n]: takes the expression in the brackets from the program; returns the token behind them. */
static size_t take_size(struct reading *reading, size_t open, const char *alias)
{
    struct rd_annotation *of = reading->of;
    const size_t close = part_end(reading, open + 1, reading->n - 1, "");
    if (close == open + 1)
        fail(reading, &reading->tokens[close], "the size of the input is expected%s", "");
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
static void read_input(struct reading *reading)
{
    const size_t end = reading->n - 1;
    struct rd_annotation *of = reading->of;
    if (reading->tokens[0].kind != NAME || !reading->tokens[0].element) {
        fail(reading, &reading->tokens[0],
             "an array with its size is expected, as in 'input a[n]'%s", "");
        return;
    }
    take_array(reading, 0);
    if (reading->status != RD_OK)
        return;
    of->scalar = false;
    of->array.alias = new_alias(reading, of->array.expression, true, NULL);
    if (!of->array.alias)
        reading->status = rd_fail(reading->error, RD_ERROR_MEMORY, "no memory for an annotation");
    size_t behind = take_size(reading, 1, "size");
    if (reading->status == RD_OK && is_sign(reading, behind, "["))
        behind = take_size(reading, behind, "columns");
    if (behind != end)
        fail(reading, &reading->tokens[behind < end ? behind : end],
             "an input has one size or two, and an annotation of its own%s", "");
}

static void read_law(struct reading *reading, const struct rd_annotations *files, size_t n_files)
{
    struct rd_annotation *of = reading->of;
    read_claims(reading);
    if (reading->status != RD_OK)
        return;
    if (of->array.expression) {
        of->array.alias = new_alias(
            reading, of->array.expression, true,
            input_named(files, n_files, of->array.expression, strlen(of->array.expression)));
        if (of->kind == RD_ANNOTATION_REQUIRES)
            fail(reading, &reading->tokens[0],
                 "'requires' is a condition on numbers, as n = 2^k, and this is a law%s", "");
        if (!of->array.alias)
            reading->status =
                rd_fail(reading->error, RD_ERROR_MEMORY, "no memory for an annotation");
    }
    if (of->array.expression && reading->status == RD_OK)
        flatten(reading);
    write_law(reading, files, n_files);
    if (reading->status == RD_OK && !of->array.expression && of->n_names == 0)
        fail(reading, &reading->tokens[0], "the condition says nothing of the program%s", "");
    if (reading->status == RD_OK && of->n_inputs > 2)
        fail(reading, &reading->tokens[0], "a law speaks of at most two inputs%s", "");
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
    struct reading reading = {.file = file, .of = of, .text = of->text, .error = error};
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
