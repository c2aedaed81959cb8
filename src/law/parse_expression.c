// SPDX-License-Identifier: MIT
/* Parses expressions and conditions. Longer than others: it is one grammar, whose rules call each other. */
#include "law/parser.h"

#include <string.h>

/* ---- primaries ---- */

/* Reads the parts of expressions: numbers, names, elements, functions, reductions, brackets. */

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

static struct law_span law_across(const struct law_node *first, const struct law_node *last);

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
        kids[1] ? rd_law_make(parser, LAW_BINARY, law_across(kids[0], kids[1]), 2, kids) : NULL;
    if (node)
        node->op = LAW_TIMES;
    return node;
}

static struct law_node *parse_either(struct law_parser *parser);

static struct law_node *parse_brackets(struct law_parser *parser)
{
    uint32_t begin = rd_law_token(parser, 0)->span.begin;
    parser->at++;
    struct law_node *node = parse_either(parser);
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

/* ---- expressions ---- */

static struct law_node *parse_unary(struct law_parser *parser);

/* From the first byte of one node to the last of another. */
static struct law_span law_across(const struct law_node *first, const struct law_node *last)
{
    return (struct law_span){first->span.begin, last->span.end};
}

/* The node, which may be NULL; NULL, and failed, where it is a condition. */
static struct law_node *want_number(struct law_parser *parser, struct law_node *node)
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
    struct law_node *kids[2] = {want_number(parser, left), right};
    kids[1] = kids[0] ? want_number(parser, right) : NULL;
    struct law_node *node =
        kids[1] ? rd_law_make(parser, LAW_BINARY, law_across(left, right), 2, kids) : NULL;
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
        struct law_node *of = want_number(parser, parse_unary(parser));
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

/* An expression, or a condition in brackets. */
static struct law_node *parse_sum(struct law_parser *parser)
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
    return want_number(parser, parse_sum(parser));
}

/* ---- conditions ---- */

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
    struct law_span span = law_across(kids[0], kids[1]);
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
    struct law_node *node = parse_sum(parser);
    if (!node || !rd_law_token_relation(rd_law_token(parser, 0), &relation)) {
        if (node && condition && !rd_law_is_condition(node)) {
            rd_law_fail_expected(parser, "a comparison, such as 'j mod w = i'");
            return NULL;
        }
        return node;
    }
    for (;;) {
        node = want_number(parser, node);
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
        node = parse_sum(parser);
    }
    node = rd_law_make(parser, LAW_COMPARISON, law_across(kids[0], kids[count - 1]), count, kids);
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
        node = right ? rd_law_make(parser, LAW_LOGIC, law_across(node, right), 2, kids) : NULL;
        if (node)
            node->op = op;
    }
    return node;
}

/* An expression or a condition: what may stand in brackets. */
static struct law_node *parse_either(struct law_parser *parser)
{
    return parse_logic(parser, LAW_OR, false);
}

struct law_node *rd_law_parse_condition(struct law_parser *parser)
{
    return parse_logic(parser, LAW_OR, true);
}
