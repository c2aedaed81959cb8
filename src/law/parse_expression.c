// SPDX-License-Identifier: MIT
/* Parses expressions: signs, powers, and operators between factors and between terms. */
#include "law/parser.h"

struct law_node *rd_law_want_number(struct law_parser *parser, struct law_node *node)
{
    if (node && rd_law_is_condition(node)) {
        rd_law_parser_fail(parser, node->span, "expected a number, found a condition");
        return NULL;
    }
    return node;
}

static struct law_node *join(struct law_parser *parser, struct law_node *left, enum law_operator op,
                             struct law_node *right)
{
    struct law_node *kids[2] = {rd_law_want_number(parser, left), right};
    kids[1] = kids[0] ? rd_law_want_number(parser, right) : NULL;
    struct law_node *node =
        kids[1] ? rd_law_make(parser, LAW_BINARY, rd_law_across(left, right), 2, kids) : NULL;
    if (node)
        node->op = op;
    return node;
}

/* Tells whether it is 3k, and refuses that beside '^': 3k^2 is no square of 3k to a reader, and 2^3k no 8k. */
static bool refuse_side_by_side(struct law_parser *parser, const struct law_node *node)
{
    if (node->kind != LAW_BINARY || node->op != LAW_TIMES || node->bracketed ||
        node->kids[0]->span.end != node->kids[1]->span.begin)
        return false;
    rd_law_parser_fail(parser, node->span,
                       "'^' beside '%.*s' can be read in two ways: put a '*' into that, or "
                       "brackets around it",
                       (int)(node->span.end - node->span.begin),
                       parser->law->text + node->span.begin);
    return true;
}

static struct law_node *parse_unary(struct law_parser *parser)
{
    uint32_t begin = rd_law_token(parser, 0)->span.begin;
    if (rd_law_accept(parser, LAW_SIGN_MINUS)) {
        if (!rd_law_parser_enter(parser))
            return NULL;
        struct law_node *of = rd_law_want_number(parser, parse_unary(parser));
        rd_law_parser_leave(parser);
        return of ? rd_law_make(parser, LAW_NEGATIVE, (struct law_span){begin, of->span.end}, 1,
                                &of)
                  : NULL;
    }
    struct law_node *base = rd_law_parse_primary(parser);
    if (!base || !rd_law_accept(parser, LAW_SIGN_POWER))
        return base;
    if (refuse_side_by_side(parser, base) || !rd_law_parser_enter(parser))
        return NULL;
    struct law_node *exponent = parse_unary(parser);
    rd_law_parser_leave(parser);
    return exponent && !refuse_side_by_side(parser, exponent)
               ? join(parser, base, LAW_POWER, exponent)
               : NULL;
}

/* Reads the operator between two factors, or between two terms; false where the token is none. */
static bool factor_operator(const struct law_token *token, enum law_operator *op)
{
    switch (token->lexeme) {
    case LAW_SIGN_TIMES:
        *op = LAW_TIMES;
        return true;
    case LAW_SIGN_SLASH:
        *op = LAW_SLASH;
        return true;
    case LAW_SIGN_PERCENT:
        *op = LAW_PERCENT;
        return true;
    case LAW_WORD_DIV:
        *op = LAW_DIV;
        return true;
    case LAW_WORD_MOD:
        *op = LAW_MOD;
        return true;
    default:
        return false;
    }
}

static bool term_operator(const struct law_parser *parser, enum law_operator *op)
{
    switch (rd_law_token(parser, 0)->lexeme) {
    case LAW_SIGN_PLUS:
        *op = LAW_ADD;
        return true;
    case LAW_SIGN_MINUS:
        *op = LAW_SUBTRACT;
        return true;
    case LAW_WORD_XOR:
        *op = LAW_XOR;
        return rd_law_token(parser, 1)->lexeme != LAW_WORD_OF;
    default:
        return false;
    }
}

/* Tells whether a reader might take another of the two first: a mod b * c, a / b * c, a + b xor c. */
static bool is_ambiguous(const struct law_node *left, enum law_operator op)
{
    if (left->kind != LAW_BINARY || left->bracketed)
        return false;
    bool remainder = left->op == LAW_MOD || left->op == LAW_PERCENT;
    if (op == LAW_TIMES)
        return remainder || left->op == LAW_SLASH || left->op == LAW_DIV;
    if (op == LAW_SLASH || op == LAW_DIV)
        return remainder;
    if (op == LAW_XOR)
        return left->op == LAW_ADD || left->op == LAW_SUBTRACT;
    return (op == LAW_ADD || op == LAW_SUBTRACT) && left->op == LAW_XOR;
}

static struct law_node *fail_ambiguous(struct law_parser *parser, const struct law_node *left,
                                       enum law_operator op, const struct law_token *token)
{
    rd_law_parser_fail(parser, token->span,
                       "'%s' after '%s' can be read in two ways: put one of the two in "
                       "brackets",
                       rd_law_operator_name(op), rd_law_operator_name((enum law_operator)left->op));
    return NULL;
}

static struct law_node *parse_term(struct law_parser *parser)
{
    struct law_node *node = parse_unary(parser);
    enum law_operator op;
    while (node && factor_operator(rd_law_token(parser, 0), &op)) {
        const struct law_token *token = rd_law_token(parser, 0);
        if (is_ambiguous(node, op))
            return fail_ambiguous(parser, node, op, token);
        parser->at++;
        struct law_node *right = parse_unary(parser);
        node = right ? join(parser, node, op, right) : NULL;
    }
    return node;
}

struct law_node *rd_law_parse_sum(struct law_parser *parser)
{
    struct law_node *node = parse_term(parser);
    enum law_operator op;
    while (node && term_operator(parser, &op)) {
        const struct law_token *token = rd_law_token(parser, 0);
        if (is_ambiguous(node, op))
            return fail_ambiguous(parser, node, op, token);
        parser->at++;
        struct law_node *right = parse_term(parser);
        node = right ? join(parser, node, op, right) : NULL;
    }
    return node;
}

struct law_node *rd_law_parse_expression(struct law_parser *parser)
{
    return rd_law_want_number(parser, rd_law_parse_sum(parser));
}
