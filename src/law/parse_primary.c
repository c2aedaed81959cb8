// SPDX-License-Identifier: MIT
/* Parses the parts of expressions: numbers, names, elements, functions, reductions, brackets. */
#include "law/parser.h"

#include <stdio.h>
#include <string.h>

static bool is_operation(const struct law_parser *parser, const struct law_token *token,
                         unsigned *operation)
{
    const char *text = parser->law->text + token->span.begin;
    size_t length = token->span.end - token->span.begin;
    if (token->kind != LAW_TOKEN_NAME && token->kind != LAW_TOKEN_WORD)
        return false;
    for (*operation = 0; *operation < RD_OPERATION_COUNT; ++*operation) {
        const char *name = rd_operation_name((enum rd_operation) * operation);
        if (strlen(name) == length && memcmp(name, text, length) == 0)
            return true;
    }
    return false;
}

/* Reads what stands between the separators into kids[1], kids[2], …. */
static struct law_node *parse_reduction(struct law_parser *parser, unsigned operation)
{
    uint32_t begin = rd_law_token(parser, 0)->span.begin;
    struct law_node **kids = NULL;
    size_t count = 0, capacity = 0;
    bool any_order = false;
    parser->at += 2; /* the operation and `of` */
    rd_law_accept(parser, LAW_WORD_ALL);
    struct law_node *part = rd_law_parse_expression(parser);
    for (;;) {
        if (!part ||
            !rd_law_room(parser, (void **)&kids, count, &capacity, sizeof(struct law_node *)))
            return NULL;
        kids[count++] = part;
        if (!rd_law_accept(parser, LAW_SIGN_COMMA) && !rd_law_accept(parser, LAW_WORD_OVER))
            break;
        if (rd_law_accept(parser, LAW_WORD_IN)) {
            if (!rd_law_token_is(parser, rd_law_token(parser, 0), "any") ||
                !rd_law_token_is(parser, rd_law_token(parser, 1), "order")) {
                rd_law_fail_expected(parser, "'in any order'");
                return NULL;
            }
            parser->at += 2;
            any_order = true;
            break;
        }
        part = rd_law_parse_condition(parser);
    }
    struct law_span span = {begin, rd_law_token(parser, (size_t)-1)->span.end};
    struct law_node *node = rd_law_make(parser, LAW_REDUCTION, span, count, kids);
    if (!node)
        return NULL;
    node->op = operation;
    node->any_order = any_order;
    return node;
}

/* Expressions, `separated` by commas, up to `close`; `kids` has the first *count of them already. */
static bool parse_list(struct law_parser *parser, struct law_node *kids[LAW_INDICES_MAX + 1],
                       size_t *count)
{
    do {
        if (*count == LAW_INDICES_MAX + 1) {
            rd_law_parser_fail(parser, rd_law_token(parser, 0)->span,
                               "more arguments than any function takes");
            return false;
        }
        kids[*count] = rd_law_parse_expression(parser);
        if (!kids[*count])
            return false;
        ++*count;
    } while (rd_law_accept(parser, LAW_SIGN_COMMA));
    return rd_law_expect(parser, LAW_SIGN_CLOSE, "')'");
}

static bool is_function(const char *name, unsigned *function)
{
    for (*function = 0; *function <= LAW_CEIL; ++*function)
        if (strcmp(name, rd_law_function_name((enum law_function) * function)) == 0)
            return true;
    return false;
}

/* floor and ceil: of a quotient, which is exact there, or of a square root. */
static struct law_node *parse_rounding(struct law_parser *parser, unsigned function, uint32_t begin)
{
    bool root = rd_law_token_is(parser, rd_law_token(parser, 0), "sqrt") &&
                rd_law_token(parser, 1)->lexeme == LAW_SIGN_OPEN;
    if (root)
        parser->at += 2;
    struct law_node *of = rd_law_parse_expression(parser);
    if (!of || (root && !rd_law_expect(parser, LAW_SIGN_CLOSE, "')'")) ||
        !rd_law_expect(parser, LAW_SIGN_CLOSE, "')'"))
        return NULL;
    struct law_span span = {begin, rd_law_token(parser, (size_t)-1)->span.end};
    if (!root && (of->kind != LAW_BINARY || of->op != LAW_SLASH)) {
        const char *name = rd_law_function_name((enum law_function)function);
        rd_law_parser_fail(parser, of->span,
                           "'%s' is of a quotient or a root: %s(x / y) or %s(sqrt(x))", name, name,
                           name);
        return NULL;
    }
    struct law_node *node = root ? rd_law_make(parser, LAW_CALL, span, 1, &of)
                                 : rd_law_make(parser, LAW_CALL, span, 2, of->kids);
    if (node)
        node->op = root ? (function == LAW_FLOOR ? LAW_FLOOR_ROOT : LAW_CEIL_ROOT) : function;
    return node;
}

static struct law_node *parse_call(struct law_parser *parser, unsigned function, uint32_t begin)
{
    struct law_node *kids[LAW_INDICES_MAX + 1];
    size_t count = 0;
    if (function == LAW_FLOOR || function == LAW_CEIL)
        return parse_rounding(parser, function, begin);
    if (!parse_list(parser, kids, &count))
        return NULL;
    struct law_span span = {begin, rd_law_token(parser, (size_t)-1)->span.end};
    bool many = function == LAW_MIN || function == LAW_MAX;
    if (many ? count < 2 : count != 1) {
        rd_law_parser_fail(parser, span,
                           many ? "'%s' takes two numbers or more" : "'%s' takes one number",
                           rd_law_function_name((enum law_function)function));
        return NULL;
    }
    struct law_node *node = rd_law_make(parser, LAW_CALL, span, count, kids);
    if (node)
        node->op = function;
    return node;
}

/* NAME_index, where NAME was defined as NAME_0: returns the index, and cuts it off the name; NULL where it is
 * no such name, or the parser has failed. */
static struct law_node *parse_index(struct law_parser *parser, const char **name)
{
    const struct law_token *token = rd_law_token(parser, (size_t)-1);
    const char *last = strrchr(*name, '_');
    size_t length = last ? (size_t)(last - *name) : 0;
    struct law_definition *family =
        last ? rd_law_definition_named(parser->law, NULL, *name, length) : NULL;
    struct law_node *index = NULL;
    if (!family || family->kind != LAW_LET_FAMILY)
        return NULL;
    if (last[1] == '\0') {
        if (!rd_law_expect(parser, LAW_SIGN_OPEN, "'(' after the '_'"))
            return NULL;
        index = rd_law_parse_expression(parser);
        if (!index || !rd_law_expect(parser, LAW_SIGN_CLOSE, "')'"))
            return NULL;
    } else {
        struct law_span span = {token->span.begin + (uint32_t)length + 1, token->span.end};
        bool number = strspn(last + 1, "0123456789") == strlen(last + 1);
        index = rd_law_make(parser, number ? LAW_NUMBER : LAW_NAME, span, 0, NULL);
        if (!index)
            return NULL;
        for (const char *c = last + 1; number && *c; c++) {
            if (__builtin_mul_overflow(index->number, 10, &index->number) ||
                __builtin_add_overflow(index->number, *c - '0', &index->number)) {
                rd_law_parser_fail(parser, span, "the number is 2^63 or more");
                return NULL;
            }
        }
        if (!number)
            index->name = rd_law_arena_text(&parser->law->arena, last + 1, strlen(last + 1));
    }
    *name = rd_law_arena_text(&parser->law->arena, *name, length);
    if (!*name || (index->kind == LAW_NAME && !index->name))
        rd_law_no_memory(parser);
    return parser->status == RD_OK ? index : NULL;
}

/* [x][y]… onto kids. */
static bool parse_indices(struct law_parser *parser, struct law_node *kids[LAW_INDICES_MAX + 1],
                          size_t *count)
{
    while (rd_law_peek(parser, LAW_SIGN_OPEN_INDEX)) {
        if (*count == LAW_INDICES_MAX) {
            rd_law_parser_fail(parser, rd_law_token(parser, 0)->span,
                               "more indices than any array has");
            return false;
        }
        parser->at++;
        kids[*count] = rd_law_parse_expression(parser);
        if (!kids[*count] || !rd_law_expect(parser, LAW_SIGN_CLOSE_INDEX, "']'"))
            return false;
        ++*count;
    }
    return true;
}

static struct law_node *parse_name(struct law_parser *parser)
{
    uint32_t begin = rd_law_token(parser, 0)->span.begin;
    struct law_node *kids[LAW_INDICES_MAX + 1];
    size_t count = 0;
    enum law_kind kind = LAW_NAME;
    unsigned function;
    const char *point = NULL, *name = rd_law_expect_name(parser, "a name");
    if (!name)
        return NULL;
    if (is_function(name, &function) && rd_law_accept(parser, LAW_SIGN_OPEN))
        return parse_call(parser, function, begin);
    struct law_node *index = parse_index(parser, &name);
    if (parser->status != RD_OK)
        return NULL;
    if (index) {
        kind = LAW_FAMILY;
        kids[count++] = index;
    } else if (rd_law_peek(parser, LAW_SIGN_DOT)) {
        parser->at++;
        point = name;
        name = rd_law_expect_name(parser, "the name of an array after the '.'");
        if (!name)
            return NULL;
        if (!rd_law_peek(parser, LAW_SIGN_OPEN_INDEX)) {
            rd_law_fail_expected(parser, "'[' and a block");
            return NULL;
        }
    }
    /* x = y (mod m) is no function y. */
    if (!point && rd_law_peek(parser, LAW_SIGN_OPEN) &&
        rd_law_token(parser, 1)->lexeme != LAW_WORD_MOD) {
        parser->at++;
        kind = index ? LAW_FAMILY : LAW_FUNCTION;
        if (!parse_list(parser, kids, &count))
            return NULL;
    } else if (!index && rd_law_peek(parser, LAW_SIGN_OPEN_INDEX)) {
        kind = LAW_ELEMENT;
        if (!parse_indices(parser, kids, &count))
            return NULL;
    }
    struct law_span span = {begin, rd_law_token(parser, (size_t)-1)->span.end};
    struct law_node *node = rd_law_make(parser, kind, span, count, kids);
    if (!node)
        return NULL;
    node->name = name;
    node->point = point;
    return node;
}

static struct law_node *parse_number(struct law_parser *parser)
{
    const struct law_token *token = rd_law_token(parser, 0), *next = rd_law_token(parser, 1);
    struct law_node *kids[2] = {rd_law_make(parser, LAW_NUMBER, token->span, 0, NULL)};
    if (!kids[0])
        return NULL;
    kids[0]->number = token->number;
    parser->at++;
    /* 3k */
    if (next->kind != LAW_TOKEN_NAME || next->span.begin != token->span.end)
        return kids[0];
    kids[1] = parse_name(parser);
    struct law_node *node =
        kids[1] ? rd_law_make(parser, LAW_BINARY, rd_law_across(kids[0], kids[1]), 2, kids) : NULL;
    if (node)
        node->op = LAW_TIMES;
    return node;
}

static struct law_node *parse_brackets(struct law_parser *parser)
{
    uint32_t begin = rd_law_token(parser, 0)->span.begin;
    parser->at++;
    struct law_node *node = rd_law_parse_either(parser);
    if (!node || !rd_law_expect(parser, LAW_SIGN_CLOSE, "')'"))
        return NULL;
    node->bracketed = true;
    node->span = (struct law_span){begin, rd_law_token(parser, (size_t)-1)->span.end};
    return node;
}

struct law_node *rd_law_parse_primary(struct law_parser *parser)
{
    const struct law_token *token = rd_law_token(parser, 0), *next = rd_law_token(parser, 1);
    struct law_node *node = NULL;
    unsigned operation;
    if (!rd_law_parser_enter(parser))
        return NULL;
    if (is_operation(parser, token, &operation) && next->lexeme == LAW_WORD_OF) {
        node = parse_reduction(parser, operation);
    } else if (is_operation(parser, token, &operation) && token->kind == LAW_TOKEN_NAME &&
               (next->kind == LAW_TOKEN_NAME || next->lexeme == LAW_WORD_OVER)) {
        char what[40];
        parser->at++;
        snprintf(what, sizeof what, "'of' after '%s'",
                 rd_operation_name((enum rd_operation)operation));
        rd_law_fail_expected(parser, what);
    } else if (token->kind == LAW_TOKEN_NAME && next->lexeme == LAW_WORD_OF) {
        rd_law_parser_fail(parser, token->span, "'%.*s' is no operation: use " RD_OPERATION_NAMES,
                           (int)(token->span.end - token->span.begin),
                           parser->law->text + token->span.begin);
    } else if (token->kind == LAW_TOKEN_NUMBER) {
        node = parse_number(parser);
    } else if (token->lexeme == LAW_SIGN_OPEN) {
        node = parse_brackets(parser);
    } else if (token->kind == LAW_TOKEN_NAME) {
        node = parse_name(parser);
    } else {
        rd_law_fail_expected(parser, "a number, a name or a bracket");
    }
    rd_law_parser_leave(parser);
    return node;
}
