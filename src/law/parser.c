// SPDX-License-Identifier: MIT
#include "law/parser.h"

#include <stdarg.h>
#include <string.h>

const struct law_token *rd_law_token(const struct law_parser *parser, size_t ahead)
{
    const struct law_token *token = &parser->tokens[parser->at];
    if (ahead == (size_t)-1)
        return token - 1;
    while (ahead > 0 && token->kind != LAW_TOKEN_END) {
        token++;
        ahead--;
    }
    return token;
}

bool rd_law_peek(const struct law_parser *parser, enum law_lexeme lexeme)
{
    return rd_law_token(parser, 0)->lexeme == lexeme;
}

bool rd_law_accept(struct law_parser *parser, enum law_lexeme lexeme)
{
    if (!rd_law_peek(parser, lexeme))
        return false;
    parser->at++;
    return true;
}

bool rd_law_fail_expected(struct law_parser *parser, const char *what)
{
    const struct law_token *token = rd_law_token(parser, 0);
    const uint32_t length = token->span.end - token->span.begin;
    if (rd_law_token_ends_sentence(token))
        return rd_law_parser_fail(parser, token->span, "expected %s, found the end of the sentence",
                                  what);
    return rd_law_parser_fail(parser, token->span, "expected %s, found '%.*s'", what,
                              (int)(length < 60 ? length : 60),
                              parser->law->text + token->span.begin);
}

bool rd_law_expect(struct law_parser *parser, enum law_lexeme lexeme, const char *what)
{
    return rd_law_accept(parser, lexeme) || rd_law_fail_expected(parser, what);
}

bool rd_law_token_is(const struct law_parser *parser, const struct law_token *token,
                     const char *name)
{
    size_t length = token->span.end - token->span.begin;
    return token->kind == LAW_TOKEN_NAME && strlen(name) == length &&
           memcmp(parser->law->text + token->span.begin, name, length) == 0;
}

const char *rd_law_expect_name(struct law_parser *parser, const char *what)
{
    const struct law_token *token = rd_law_token(parser, 0);
    if (token->kind != LAW_TOKEN_NAME) {
        rd_law_fail_expected(parser, what);
        return NULL;
    }
    parser->at++;
    const char *name = rd_law_arena_text(&parser->law->arena, parser->law->text + token->span.begin,
                                         token->span.end - token->span.begin);
    if (!name)
        rd_law_no_memory(parser);
    return name;
}

bool rd_law_parser_fail(struct law_parser *parser, struct law_span span, const char *format, ...)
{
    char text[sizeof parser->error->what.text];
    va_list args;
    if (parser->status != RD_OK)
        return false;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    parser->status = rd_law_fail_at(parser->law, parser->error, span, RD_ERROR_USAGE, "%s", text);
    return false;
}

bool rd_law_no_memory(struct law_parser *parser)
{
    parser->status = rd_law_fail_at(parser->law, parser->error, (struct law_span){0},
                                    RD_ERROR_MEMORY, "no memory for a law");
    return false;
}

void *rd_law_parser_get(struct law_parser *parser, size_t size_bytes)
{
    void *memory = rd_law_arena_get(&parser->law->arena, size_bytes);
    if (!memory)
        rd_law_no_memory(parser);
    return memory;
}

bool rd_law_room(struct law_parser *parser, void **items, size_t count, size_t *capacity,
                 size_t item_bytes)
{
    void *grown = rd_law_arena_grow(&parser->law->arena, *items, count, capacity, item_bytes);
    if (!grown)
        return rd_law_no_memory(parser);
    *items = grown;
    return true;
}

bool rd_law_parser_enter(struct law_parser *parser)
{
    if (++parser->depth <= LAW_BRACKETS_MAX)
        return true;
    return rd_law_parser_fail(parser, rd_law_token(parser, 0)->span,
                              "more than %d levels of brackets and signs", LAW_BRACKETS_MAX);
}

void rd_law_parser_leave(struct law_parser *parser)
{
    parser->depth--;
}

struct law_node *rd_law_make(struct law_parser *parser, enum law_kind kind, struct law_span span,
                             size_t n_kids, struct law_node *const *kids)
{
    struct law_node *node = rd_law_arena_get(&parser->law->arena, sizeof *node);
    struct law_node **copy = rd_law_arena_get(&parser->law->arena, n_kids * sizeof *copy);
    if (!node || !copy) {
        rd_law_no_memory(parser);
        return NULL;
    }
    *node = (struct law_node){.kind = kind, .span = span, .n_kids = n_kids, .kids = copy};
    for (size_t k = 0; k < n_kids; k++) {
        copy[k] = kids[k];
        if (kids[k]->height >= node->height)
            node->height = (uint16_t)(kids[k]->height + 1);
    }
    if (node->height > LAW_HEIGHT_MAX) {
        rd_law_parser_fail(parser, span,
                           "an expression of more than %d levels: define parts of it with 'let'",
                           LAW_HEIGHT_MAX);
        return NULL;
    }
    return node;
}

struct law_definition *rd_law_definition_named(const struct rd_law *law,
                                               const struct rd_law_section *section,
                                               const char *name, size_t length)
{
    for (size_t k = law->n_definitions; k-- > 0;) {
        struct law_definition *definition = law->definitions[k];
        if (strlen(definition->name) == length && memcmp(definition->name, name, length) == 0 &&
            (!section || definition->section == section || definition->section->index == 0))
            return definition;
    }
    return NULL;
}
