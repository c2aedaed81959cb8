// SPDX-License-Identifier: MIT
/* The parser: of expressions and conditions, and of the sentences that they stand in. Private to src/law. */
#ifndef RD_LAW_PARSER_H
#define RD_LAW_PARSER_H

#include "law/lexer.h"

struct law_parser {
    struct rd_law *law;
    const struct law_token *tokens;
    size_t at;      /* the token that is read next */
    unsigned depth; /* levels of brackets that are open */
    struct rd_law_error *error;
    enum rd_status status; /* RD_OK until something failed */
};

/* The token that is read next, and the one `ahead` of it. */
const struct law_token *rd_law_token(const struct law_parser *parser, size_t ahead);
bool rd_law_peek(const struct law_parser *parser, enum law_lexeme lexeme);
/* Passes over the next token where it is this one. */
bool rd_law_accept(struct law_parser *parser, enum law_lexeme lexeme);
/* Likewise, and fails where it isn't: "expected WHAT, found 'TOKEN'". */
bool rd_law_expect(struct law_parser *parser, enum law_lexeme lexeme, const char *what);
bool rd_law_fail_expected(struct law_parser *parser, const char *what);
/* Fails there, unless the parser has failed already. Returns false. */
bool rd_law_parser_fail(struct law_parser *parser, struct law_span span, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Into brackets, or behind a sign: false, and failed, where that is too deep. The caller leaves. */
bool rd_law_parser_enter(struct law_parser *parser);
void rd_law_parser_leave(struct law_parser *parser);
/* Tells whether the token is a name that isn't a word of the language, and is this one. */
bool rd_law_token_is(const struct law_parser *parser, const struct law_token *token,
                     const char *name);
/* The name that stands there, as a text in the arena; NULL where another token does, and the parser has
 * failed. */
const char *rd_law_expect_name(struct law_parser *parser, const char *what);

/* Fails with no memory, and returns false. */
bool rd_law_no_memory(struct law_parser *parser);
/* Memory of the law's arena; NULL, and failed, where there is none. */
void *rd_law_parser_get(struct law_parser *parser, size_t size_bytes);
/* Room for one more, as rd_law_arena_grow; false where there is no memory, and the parser has failed. */
bool rd_law_room(struct law_parser *parser, void **items, size_t count, size_t *capacity,
                 size_t item_bytes);

/* Each returns NULL where the parser has failed. */
struct law_node *rd_law_parse_expression(struct law_parser *parser);
struct law_node *rd_law_parse_condition(struct law_parser *parser);
/* A number, a name, an element, or what stands in brackets. */
struct law_node *rd_law_parse_primary(struct law_parser *parser);
/* An expression, or a condition in brackets. */
struct law_node *rd_law_parse_sum(struct law_parser *parser);
/* An expression or a condition: what may stand in brackets. */
struct law_node *rd_law_parse_either(struct law_parser *parser);
/* Returns the node, which may be NULL; NULL where it is a condition, and the parser has failed. */
struct law_node *rd_law_want_number(struct law_parser *parser, struct law_node *node);
/* From the first byte of one node to the last of another. */
static inline struct law_span rd_law_across(const struct law_node *first,
                                            const struct law_node *last)
{
    return (struct law_span){first->span.begin, last->span.end};
}
/* Sets *relation if the token is one; else returns false. */
bool rd_law_token_relation(const struct law_token *token, enum law_relation *relation);
/* A new node over so many kids, whose tree isn't too high. */
struct law_node *rd_law_make(struct law_parser *parser, enum law_kind kind, struct law_span span,
                             size_t n_kids, struct law_node *const *kids);

/* Behind `for`, up to the colon. NULL where the parser has failed. */
struct law_binding *rd_law_parse_ranges(struct law_parser *parser,
                                        const struct rd_law_section *section);
/* A condition behind `when`, with its comma or colon; none where the word does not stand next. */
bool rd_law_parse_when(struct law_parser *parser, struct law_node **when);
/* Behind `launch`. */
bool rd_law_parse_launches(struct law_parser *parser);
/* Behind `let`. */
bool rd_law_parse_lets(struct law_parser *parser, struct rd_law_section *section);
/* A definition without an equation, and a new equation of one. NULL where there is no memory, and the parser has
 * failed. */
struct law_definition *rd_law_add_definition(struct law_parser *parser,
                                             struct rd_law_section *section,
                                             enum law_definition_kind kind, const char *name,
                                             struct law_span span);
struct law_equation *rd_law_add_equation(struct law_parser *parser,
                                         struct law_definition *definition);

/* The definition of that name that was read so far; NULL where there is none. */
struct law_definition *rd_law_definition_named(const struct rd_law *law,
                                               const struct rd_law_section *section,
                                               const char *name, size_t length);

#endif
