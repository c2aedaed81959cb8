// SPDX-License-Identifier: MIT
/* Parses conditions: comparisons, congruences, and what `not`, `and` and `or` make of them. */
#include "law/parser.h"

bool rd_law_token_relation(const struct law_token *token, enum law_relation *relation)
{
    static const struct {
        enum law_lexeme lexeme;
        enum law_relation relation;
    } relations[] = {
        {LAW_SIGN_LESS, LAW_LESS},           {LAW_SIGN_LESS_EQUAL, LAW_LESS_EQUAL},
        {LAW_SIGN_GREATER, LAW_GREATER},     {LAW_SIGN_GREATER_EQUAL, LAW_GREATER_EQUAL},
        {LAW_SIGN_EQUAL, LAW_EQUAL},         {LAW_SIGN_EQUALS, LAW_EQUAL},
        {LAW_SIGN_NOT_EQUAL, LAW_NOT_EQUAL},
    };
    for (size_t k = 0; k < sizeof relations / sizeof *relations; k++) {
        if (relations[k].lexeme == token->lexeme) {
            *relation = relations[k].relation;
            return true;
        }
    }
    return false;
}

/* Tells whether it is 3 mod m, without brackets; `negative`: -3 mod m. */
static bool is_number_mod(const struct law_node *node, bool negative)
{
    if (node->kind != LAW_BINARY || node->bracketed || node->op != LAW_MOD)
        return false;
    const struct law_node *left = node->kids[0];
    return negative
               ? left->kind == LAW_NEGATIVE && !left->bracketed && left->kids[0]->kind == LAW_NUMBER
               : left->kind == LAW_NUMBER;
}

/* Refuses behind '=' what looks like a congruence, and would be a remainder. */
static void refuse_number_mod(struct law_parser *parser, const struct law_node *node)
{
    rd_law_parser_fail(parser, node->span,
                       "'mod' after a number can be read in two ways here: put brackets around "
                       "the remainder, or write '... = x (mod m)' by itself");
}

/* x = y, with what the last side was read as: x = y (mod m), or x = 0 mod m as in textbooks. C's % is a remainder. */
static struct law_node *finish_equation(struct law_parser *parser, struct law_node *kids[2],
                                        struct law_node **congruence)
{
    struct law_node *parts[3] = {kids[0], kids[1]};
    struct law_span span = rd_law_across(kids[0], kids[1]);
    if (rd_law_peek(parser, LAW_SIGN_OPEN) && rd_law_token(parser, 1)->lexeme == LAW_WORD_MOD) {
        parser->at += 2;
        parts[2] = rd_law_parse_expression(parser);
        if (!parts[2] || !rd_law_expect(parser, LAW_SIGN_CLOSE, "')'"))
            return NULL;
        span.end = rd_law_token(parser, (size_t)-1)->span.end;
    } else if (is_number_mod(kids[1], true)) {
        refuse_number_mod(parser, kids[1]);
        return NULL;
    } else if (is_number_mod(kids[1], false)) {
        parts[1] = kids[1]->kids[0];
        parts[2] = kids[1]->kids[1];
    } else {
        return kids[1];
    }
    *congruence = rd_law_make(parser, LAW_CONGRUENCE, span, 3, parts);
    return *congruence;
}

static struct law_node *parse_comparison(struct law_parser *parser, bool condition)
{
    struct law_node **kids = NULL, *congruence = NULL;
    enum law_relation *relations = NULL, relation = LAW_EQUAL;
    size_t count = 0, kids_capacity = 0, relations_capacity = 0;
    bool unequal = false;
    struct law_node *node = rd_law_parse_sum(parser);
    if (!node || !rd_law_token_relation(rd_law_token(parser, 0), &relation)) {
        if (node && condition && !rd_law_is_condition(node)) {
            rd_law_fail_expected(parser, "a comparison, such as 'j mod w = i'");
            return NULL;
        }
        return node;
    }
    for (;;) {
        node = rd_law_want_number(parser, node);
        if (!node ||
            !rd_law_room(parser, (void **)&kids, count, &kids_capacity,
                         sizeof(struct law_node *)) ||
            !rd_law_room(parser, (void **)&relations, count, &relations_capacity,
                         sizeof *relations))
            return NULL;
        kids[count++] = node;
        if (count == 2 && relation == LAW_EQUAL) {
            if (!finish_equation(parser, kids, &congruence))
                return NULL;
            if (congruence)
                return congruence;
        } else if (count > 2 && relation == LAW_EQUAL &&
                   (is_number_mod(node, true) || is_number_mod(node, false))) {
            refuse_number_mod(parser, node);
            return NULL;
        }
        if (!rd_law_token_relation(rd_law_token(parser, 0), &relation))
            break;
        relations[count - 1] = relation;
        unequal |= relation == LAW_NOT_EQUAL;
        if (unequal && count > 1) {
            rd_law_parser_fail(parser, rd_law_token(parser, 0)->span,
                               "'!=' in a chain of comparisons: join two with 'and'");
            return NULL;
        }
        parser->at++;
        node = rd_law_parse_sum(parser);
    }
    node =
        rd_law_make(parser, LAW_COMPARISON, rd_law_across(kids[0], kids[count - 1]), count, kids);
    if (node)
        node->relations = relations;
    return node;
}

static struct law_node *parse_not(struct law_parser *parser, bool condition)
{
    const struct law_span sign = rd_law_token(parser, 0)->span;
    const uint32_t begin = sign.begin;
    const bool as_in_c = rd_law_accept(parser, LAW_SIGN_NO);
    if (!as_in_c && !rd_law_accept(parser, LAW_WORD_NOT))
        return parse_comparison(parser, condition);
    if (!rd_law_parser_enter(parser))
        return NULL;
    struct law_node *of = parse_not(parser, true);
    rd_law_parser_leave(parser);
    if (of && as_in_c && of->kind != LAW_NOT && !of->bracketed) {
        rd_law_parser_fail(parser, sign,
                           "'!' before a comparison can be read in two ways, as C takes it with "
                           "the first name: put the comparison in brackets");
        return NULL;
    }
    return of ? rd_law_make(parser, LAW_NOT, (struct law_span){begin, of->span.end}, 1, &of) : NULL;
}

static bool peek_logic(const struct law_parser *parser, enum law_operator op)
{
    const struct law_token *token = rd_law_token(parser, 0);
    if (op == LAW_AND ? token->lexeme == LAW_SIGN_BOTH : token->lexeme == LAW_SIGN_EITHER)
        return true;
    return token->lexeme == (op == LAW_AND ? LAW_WORD_AND : LAW_WORD_OR) &&
           rd_law_token(parser, 1)->lexeme != LAW_WORD_OF;
}

/* Conditions that `and` or `or` joins; in `or`, those that `and` does. */
static struct law_node *parse_logic(struct law_parser *parser, enum law_operator op, bool condition)
{
    struct law_node *node =
        op == LAW_OR ? parse_logic(parser, LAW_AND, condition) : parse_not(parser, condition);
    while (node && peek_logic(parser, op)) {
        if (!rd_law_is_condition(node)) {
            rd_law_fail_expected(parser, "a comparison, such as 'j mod w = i'");
            return NULL;
        }
        parser->at++;
        struct law_node *right =
            op == LAW_OR ? parse_logic(parser, LAW_AND, true) : parse_not(parser, true);
        struct law_node *kids[2] = {node, right};
        node = right ? rd_law_make(parser, LAW_LOGIC, rd_law_across(node, right), 2, kids) : NULL;
        if (node)
            node->op = op;
    }
    return node;
}

struct law_node *rd_law_parse_either(struct law_parser *parser)
{
    return parse_logic(parser, LAW_OR, false);
}

struct law_node *rd_law_parse_condition(struct law_parser *parser)
{
    return parse_logic(parser, LAW_OR, true);
}
