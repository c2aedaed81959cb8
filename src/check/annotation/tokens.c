// SPDX-License-Identifier: MIT
/* Cuts the law of an annotation into tokens: tells the words of the language from names of the program's. */
#include "base/array.h"
#include "check/annotation/reading.h"
#include "reductio/law.h"

#include <ctype.h>
#include <string.h>

const char *const rd_annotation_functions[] = {"min",  "max",      "floor", "ceil", "sqrt",
                                               "log2", "bit_ceil", "abs",   NULL};
const char *const rd_annotation_language[] = {
    "input",  "array", "shared", "register", "steps", "let",  "law",   "start", "update",
    "launch", "at",    "when",   "for",      "of",    "over", "all",   "in",    "not",
    "and",    "or",    "xor",    "div",      "mod",   "any",  "order", NULL};
/* Words that begin sentences of a program's paragraph, or stand in those: in annotations they have no meaning. */
static const char *const sentences[] = {"input", "array",  "shared", "register", "steps", "law",
                                        "start", "update", "launch", "at",       NULL};
#define OPERATION(name, RD_TOKEN_NAME, selects, integers) #name,
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
    return at + rd_lexer_word_length(text + at);
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
        return before && before->kind == RD_TOKEN_WORD &&
               rd_annotation_token_is(reading, before, "in");
    if (rd_annotation_token_is(reading, token, "order"))
        return before && before->kind == RD_TOKEN_WORD &&
               rd_annotation_token_is(reading, before, "any");
    if (rd_annotation_token_is(reading, token, "all"))
        return before && before->kind == RD_TOKEN_WORD &&
               rd_annotation_token_is(reading, before, "of") &&
               (rd_lexer_is_letter(*behind) || *behind == '(');
    return !is_one_of(reading, token, sentences);
}

void rd_annotation_cut(struct rd_annotation_reading *reading)
{
    const char *text = reading->text;
    size_t at = 0;
    do {
        while (isspace((unsigned char)text[at]))
            at++;
        struct rd_annotation_token token = {.kind = RD_TOKEN_SIGN, .from = at, .to = at + 1};
        if (!text[at]) {
            token.kind = RD_TOKEN_END;
            token.to = at;
        } else if (isdigit((unsigned char)text[at])) {
            token.kind = RD_TOKEN_NUMBER;
            while (isdigit((unsigned char)text[token.to]))
                token.to++;
            if (reading->of->kind != RD_ANNOTATION_INPUT && /* whose size is the program's */
                (text[token.to] == 'e' || text[token.to] == 'E') &&
                isdigit((unsigned char)text[token.to + 1])) {
                rd_annotation_token_fail(
                    reading, &token, "a whole number is written in digits or as a power: 10^6%s",
                    "");
                return;
            }
        } else if (starts_name(text[at])) {
            token.to = behind_word(text, at);
            token.kind = is_one_of(reading, &token, rd_annotation_language) &&
                                 is_meant_as_word(reading, &token)
                             ? RD_TOKEN_WORD
                             : RD_TOKEN_NAME;
            const size_t operation_of = token.to + strspn(text + token.to, " \n");
            if ((is_one_of(reading, &token, rd_annotation_operations) ||
                 rd_annotation_token_is(reading, &token, "count")) &&
                strncmp(text + operation_of, "of", 2) == 0 &&
                !rd_lexer_is_letter(text[operation_of + 2]))
                token.kind = RD_TOKEN_WORD;
            if (is_one_of(reading, &token, rd_annotation_functions) &&
                text[token.to + strspn(text + token.to, " ")] == '(')
                token.kind = RD_TOKEN_WORD;
            if (token.kind == RD_TOKEN_NAME)
                token.to = behind_name(text, token.to, &token.is_call);
            token.element =
                token.kind == RD_TOKEN_NAME && text[token.to + strspn(text + token.to, " ")] == '[';
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
    } while (reading->tokens[reading->n - 1].kind != RD_TOKEN_END);
}

bool rd_annotation_token_is_sign(const struct rd_annotation_reading *reading, size_t at,
                                 const char *sign)
{
    return at < reading->n && reading->tokens[at].kind == RD_TOKEN_SIGN &&
           rd_annotation_token_is(reading, &reading->tokens[at], sign);
}

bool rd_annotation_token_is_word(const struct rd_annotation_reading *reading, size_t at,
                                 const char *word)
{
    return reading->tokens[at].kind == RD_TOKEN_WORD &&
           rd_annotation_token_is(reading, &reading->tokens[at], word);
}

bool rd_annotation_token_is_plain(const struct rd_annotation_reading *reading, size_t at)
{
    const struct rd_annotation_token *token = &reading->tokens[at];
    return token->kind == RD_TOKEN_NAME && !token->is_call && !token->element &&
           behind_word(reading->text, token->from) == token->to;
}

size_t rd_annotation_part_end(const struct rd_annotation_reading *reading, size_t at, size_t end,
                              const char *ends)
{
    int depth = 0;
    for (; at < end; at++) {
        const struct rd_annotation_token *token = &reading->tokens[at];
        if (token->kind != RD_TOKEN_SIGN || token->to - token->from != 1)
            continue;
        const char c = reading->text[token->from];
        if (depth == 0 && (strchr(ends, c) || c == ')' || c == ']'))
            return at;
        depth += (c == '(' || c == '[') - (c == ')' || c == ']');
    }
    return end;
}
