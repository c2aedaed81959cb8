// SPDX-License-Identifier: MIT
/* From a law's text to its words and its sentences. */
#include "law/lexer.h"
#include "reductio/law.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the given text ---- */

/* A law as its author gives it: its text, or the file that holds it. */

void rd_law_blank_comments(char *text)
{
    for (char *at = text; (at = strchr(at, '#')) != NULL;)
        for (; *at && *at != '\n'; at++)
            *at = ' ';
}

static enum rd_status read_file(const char *path, char **text, struct rd_error *error)
{
    char *read = malloc(RD_LAW_LENGTH_MAX + 2);
    if (!read)
        return rd_fail(error, RD_ERROR_MEMORY, "no memory for a law");
    FILE *file = fopen(path, "r");
    if (!file) {
        enum rd_status status =
            rd_fail(error, RD_ERROR_INPUT, "'%.100s' can't be read: %s", path, strerror(errno));
        free(read);
        return status;
    }
    const size_t length = fread(read, 1, RD_LAW_LENGTH_MAX + 1, file);
    bool is_text = !ferror(file);
    fclose(file);
    if (is_text) {
        read[length] = '\0';
        is_text = strlen(read) == length; /* a NUL would cut it without a word */
    }
    if (!is_text) {
        free(read);
        return rd_fail(error, RD_ERROR_INPUT, "'%.100s' is no file of text", path);
    }
    rd_law_blank_comments(read);
    *text = read;
    return RD_OK;
}

enum rd_status rd_law_given_text(const char *given, char **text, struct rd_error *error)
{
    if (given[0] == '@')
        return read_file(given + 1, text, error);
    char *copy = strdup(given);
    if (!copy)
        return rd_fail(error, RD_ERROR_MEMORY, "no memory for a law");
    *text = copy;
    return RD_OK;
}

/* ---- words ---- */

static const struct {
    enum law_lexeme lexeme;
    const char *text;
} words[] =
    {
#define WORD(name, text) {LAW_WORD_##name, text},
        LAW_WORDS(WORD)
#undef WORD
},
  signs[] = {
#define SIGN(name, text) {LAW_SIGN_##name, text},
      LAW_SIGNS(SIGN)
#undef SIGN
};

/* The text of a word; "" of what is none. */
static const char *word_text(enum law_lexeme lexeme)
{
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        if (words[k].lexeme == lexeme)
            return words[k].text;
    return "";
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_space(char c)
{
    return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

/* Behind a name: letters and digits, in parts that single underscores join; one may end it, as in m_(d+1). */
static size_t name_end(const char *text, size_t at)
{
    while (is_letter(text[at]) || is_digit(text[at]))
        at++;
    while (text[at] == '_' && (is_letter(text[at + 1]) || is_digit(text[at + 1])))
        for (at++; is_letter(text[at]) || is_digit(text[at]);)
            at++;
    return text[at] == '_' ? at + 1 : at;
}

static enum law_lexeme word(const char *text, size_t length)
{
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        if (strlen(words[k].text) == length && memcmp(words[k].text, text, length) == 0)
            return words[k].lexeme;
    return LAW_NO_LEXEME;
}

static enum rd_status lex_number(struct rd_law *law, struct law_token *token, size_t *at,
                                 struct rd_law_error *error)
{
    size_t begin = *at;
    bool too_large = false;
    token->kind = LAW_TOKEN_NUMBER;
    for (; is_digit(law->text[*at]); ++*at)
        too_large |= __builtin_mul_overflow(token->number, 10, &token->number) ||
                     __builtin_add_overflow(token->number, law->text[*at] - '0', &token->number);
    if (!too_large)
        return RD_OK;
    struct law_span span = {(uint32_t)begin, (uint32_t)*at};
    return rd_law_fail_at(law, error, span, RD_ERROR_USAGE, "the number is 2^63 or more");
}

static enum rd_status lex_token(struct rd_law *law, struct law_token *token, size_t *at,
                                struct rd_law_error *error)
{
    const char *text = law->text;
    if (is_digit(text[*at]))
        return lex_number(law, token, at, error);
    if (is_letter(text[*at])) {
        size_t end = name_end(text, *at);
        token->lexeme = word(text + *at, end - *at);
        token->kind = token->lexeme ? LAW_TOKEN_WORD : LAW_TOKEN_NAME;
        *at = end;
        return RD_OK;
    }
    for (size_t k = 0; k < sizeof signs / sizeof *signs; k++) {
        if (strncmp(text + *at, signs[k].text, strlen(signs[k].text)) == 0) {
            token->kind = LAW_TOKEN_SIGN;
            token->lexeme = signs[k].lexeme;
            *at += strlen(signs[k].text);
            return RD_OK;
        }
    }
    struct law_span span = {(uint32_t)*at, (uint32_t)*at + 1};
    unsigned char c = (unsigned char)text[*at];
    if (c > ' ' && c < 0x7f)
        return rd_law_fail_at(law, error, span, RD_ERROR_USAGE, "'%c' has no meaning here", c);
    return rd_law_fail_at(law, error, span, RD_ERROR_USAGE,
                          "the character 0x%02x has no meaning here: a law is plain ASCII", c);
}

enum rd_status rd_law_lex(struct rd_law *law, struct law_token **tokens, struct rd_law_error *error)
{
    size_t count = 0, capacity = 0, at = 0;
    struct law_token *list = NULL;
    for (;;) {
        while (is_space(law->text[at]))
            at++;
        list = rd_law_arena_grow(&law->arena, list, count, &capacity, sizeof *list);
        if (!list)
            return rd_law_fail_at(law, error, (struct law_span){0}, RD_ERROR_MEMORY,
                                  "no memory for a law");
        struct law_token *token = &list[count++];
        *token = (struct law_token){.span = {(uint32_t)at, (uint32_t)at}};
        if (!law->text[at])
            break;
        enum rd_status status = lex_token(law, token, &at, error);
        if (status != RD_OK)
            return status;
        token->span.end = (uint32_t)at;
    }
    *tokens = list;
    return RD_OK;
}

bool rd_law_token_ends_sentence(const struct law_token *token)
{
    if (token->kind == LAW_TOKEN_END)
        return true;
    switch (token->lexeme) {
#define BEGINS(name, is_free) case LAW_WORD_##name:
        LAW_SENTENCES(BEGINS)
#undef BEGINS
    case LAW_WORD_SHARED: /* what follows 'at' stands in lines of its own */
    case LAW_WORD_REGISTER:
    case LAW_WORD_STEPS:
        return true;
    default:
        return false;
    }
}

/* ---- sentences ---- */

static const struct {
    enum law_lexeme lexeme;
    bool is_free;
} sentences[] = {
#define SENTENCE(name, is_free) {LAW_WORD_##name, is_free},
    LAW_SENTENCES(SENTENCE)
#undef SENTENCE
};
enum { N_SENTENCES = sizeof sentences / sizeof *sentences };

bool rd_law_begins_with_word(const char *text, const char *word)
{
    text += strspn(text, " \t\r\n");
    const size_t length = strlen(word);
    return strncmp(text, word, length) == 0 && strchr(" \t\r\n", text[length]);
}

bool rd_law_begins_with_fixed(const char *text)
{
    for (size_t k = 0; k < N_SENTENCES; k++)
        if (!sentences[k].is_free && rd_law_begins_with_word(text, word_text(sentences[k].lexeme)))
            return true;
    return false;
}

const char *rd_law_sentence_words(bool fixed_only, const char *last, char text[RD_LAW_WORDS_SIZE])
{
    size_t left = 0, length = 0;
    for (size_t k = 0; k < N_SENTENCES; k++)
        left += !fixed_only || !sentences[k].is_free;
    for (size_t k = 0; k < N_SENTENCES; k++) {
        if (fixed_only && sentences[k].is_free)
            continue;
        left--;
        const char *behind = left > 1 ? ", " : left == 1 ? last : "";
        length += (size_t)snprintf(text + length, RD_LAW_WORDS_SIZE - length, "'%s'%s",
                                   word_text(sentences[k].lexeme), behind);
    }
    return text;
}

/* ---- in a text ---- */

/* A claim may begin a line with 'when' behind a ';'. */
static bool is_continued(const char *paragraph, const char *line)
{
    while (line > paragraph && strchr(" \t\r\n", line[-1]))
        line--;
    return line > paragraph && (line[-1] == ';' || line[-1] == ',');
}

static bool begins_sentence(const char *paragraph, const char *line)
{
    if (strchr(" \t\r\n", *line) || is_continued(paragraph, line))
        return !*line;
    for (size_t k = 0; k < N_SENTENCES; k++)
        if (rd_law_begins_with_word(line, word_text(sentences[k].lexeme)))
            return true;
    return false;
}

static const char *next_line(const char *line)
{
    line += strcspn(line, "\n");
    return *line ? line + 1 : line;
}

bool rd_law_find_sentence(const char *paragraph, const char *word, struct rd_law_sentence *found)
{
    const char *line = paragraph;
    while (*line && !(begins_sentence(paragraph, line) && rd_law_begins_with_word(line, word))) {
        if (begins_sentence(paragraph, line) &&
            rd_law_begins_with_word(line, word_text(LAW_WORD_AT)))
            return false;
        line = next_line(line);
    }
    if (!*line)
        return false;
    found->begin = line;
    for (line = next_line(line); *line && !begins_sentence(paragraph, line);)
        line = next_line(line);
    found->end = line;
    return true;
}
