// SPDX-License-Identifier: MIT
/* The words and signs of a paragraph. Private to src/law. */
#ifndef RD_LAW_LEXER_H
#define RD_LAW_LEXER_H

#include "law/tree.h"

#include <stdbool.h>
#include <stddef.h>

enum law_token_kind {
    LAW_TOKEN_END,
    LAW_TOKEN_NUMBER,
    LAW_TOKEN_NAME,
    LAW_TOKEN_WORD,
    LAW_TOKEN_SIGN
};

/* The words of the language; a name is none of them. */
#define LAW_WORDS(X)                                                                               \
    X(INPUT, "input")                                                                              \
    X(ARRAY, "array")                                                                              \
    X(SHARED, "shared")                                                                            \
    X(REGISTER, "register")                                                                        \
    X(STEPS, "steps")                                                                              \
    X(LET, "let")                                                                                  \
    X(LAW, "law")                                                                                  \
    X(START, "start")                                                                              \
    X(UPDATE, "update")                                                                            \
    X(LAUNCH, "launch")                                                                            \
    X(AT, "at")                                                                                    \
    X(WHEN, "when")                                                                                \
    X(FOR, "for")                                                                                  \
    X(OF, "of")                                                                                    \
    X(OVER, "over")                                                                                \
    X(ALL, "all")                                                                                  \
    X(IN, "in")                                                                                    \
    X(NOT, "not")                                                                                  \
    X(AND, "and")                                                                                  \
    X(OR, "or")                                                                                    \
    X(XOR, "xor")                                                                                  \
    X(DIV, "div")                                                                                  \
    X(MOD, "mod")

/* The words that begin the sentences of a paragraph, and whether a law that is proposed for a program may hold such a
 * sentence: else the program's own stands. */
#define LAW_SENTENCES(X)                                                                           \
    X(INPUT, false)                                                                                \
    X(ARRAY, false)                                                                                \
    X(LET, true)                                                                                   \
    X(LAW, true)                                                                                   \
    X(START, false)                                                                                \
    X(UPDATE, false)                                                                               \
    X(LAUNCH, false)                                                                               \
    X(AT, false)                                                                                   \
    X(WHEN, true)

/* Longer signs before those that they start with. */
#define LAW_SIGNS(X)                                                                               \
    X(DOTS, "...")                                                                                 \
    X(LESS_EQUAL, "<=")                                                                            \
    X(GREATER_EQUAL, ">=")                                                                         \
    X(EQUALS, "==")                                                                                \
    X(NOT_EQUAL, "!=")                                                                             \
    X(BOTH, "&&")                                                                                  \
    X(EITHER, "||")                                                                                \
    X(LESS, "<")                                                                                   \
    X(GREATER, ">")                                                                                \
    X(EQUAL, "=")                                                                                  \
    X(NO, "!")                                                                                     \
    X(PLUS, "+")                                                                                   \
    X(MINUS, "-")                                                                                  \
    X(TIMES, "*")                                                                                  \
    X(SLASH, "/")                                                                                  \
    X(PERCENT, "%")                                                                                \
    X(POWER, "^")                                                                                  \
    X(OPEN, "(")                                                                                   \
    X(CLOSE, ")")                                                                                  \
    X(OPEN_INDEX, "[")                                                                             \
    X(CLOSE_INDEX, "]")                                                                            \
    X(COMMA, ",")                                                                                  \
    X(SEMICOLON, ";")                                                                              \
    X(COLON, ":")                                                                                  \
    X(DOT, ".")

#define LAW_WORD_MEMBER(name, text) LAW_WORD_##name,
#define LAW_SIGN_MEMBER(name, text) LAW_SIGN_##name,
/* The words and signs of the language. */
enum law_lexeme { LAW_NO_LEXEME, LAW_WORDS(LAW_WORD_MEMBER) LAW_SIGNS(LAW_SIGN_MEMBER) };
#undef LAW_WORD_MEMBER
#undef LAW_SIGN_MEMBER

struct law_token {
    enum law_token_kind kind;
    enum law_lexeme lexeme;
    struct law_span span;
    int64_t number;
};

/* Cuts the text of the law into tokens, the last of them an end, in its arena. RD_ERROR_USAGE,
 * RD_ERROR_MEMORY. */
enum rd_status rd_law_lex(struct rd_law *law, struct law_token **tokens,
                          struct rd_law_error *error);

/* Tells whether a sentence starts, or the paragraph ends, with the token. */
bool rd_law_token_ends_sentence(const struct law_token *token);

/* The sentences of a paragraph as parts of its text, each of which begins a line. Private. */

/* Part of a text. */
struct rd_law_sentence {
    const char *begin, *end; /* the word, and behind the line feed of its last line */
};

/* The first sentence before any point that begins with the word; false where there is none. */
bool rd_law_find_sentence(const char *paragraph, const char *word, struct rd_law_sentence *found);

/* Tells whether the text, after blanks, begins with the word. */
bool rd_law_begins_with_word(const char *text, const char *word);
/* Tells whether it begins with a word whose sentence is always the program's own, as 'input'. */
bool rd_law_begins_with_fixed(const char *text);

enum { RD_LAW_WORDS_SIZE = 128 };
/* "'input', 'array' and 'at'": those that are the program's own, or all that there are. */
const char *rd_law_sentence_words(bool fixed_only, const char *last, char text[RD_LAW_WORDS_SIZE]);

#endif
