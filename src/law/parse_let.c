// SPDX-License-Identifier: MIT
/* Ranges and definitions. */
#include "law/parser.h"

#include <string.h>

/* ---- ranges ---- */

struct conditions {
    struct law_node **list;
    size_t count, capacity;
};

static bool add_condition(struct law_parser *parser, struct conditions *conditions,
                          struct law_node *condition)
{
    if (!condition || !rd_law_room(parser, (void **)&conditions->list, conditions->count,
                                   &conditions->capacity, sizeof(struct law_node *)))
        return false;
    conditions->list[conditions->count++] = condition;
    return true;
}

static bool is_less(enum law_relation relation)
{
    return relation == LAW_LESS || relation == LAW_LESS_EQUAL;
}

/* Tells whether the name at the token already means something to a `for` of the section. */
static bool is_known(const struct law_parser *parser, const struct rd_law_section *section,
                     const struct law_token *token)
{
    const char *name = parser->law->text + token->span.begin;
    size_t length = token->span.end - token->span.begin;
    for (unsigned q = 0; q < LAW_BYTES; q++)
        if (rd_law_token_is(parser, token, rd_law_quantity_name((enum law_quantity)q)))
            return true;
    if (section->steps && rd_law_token_is(parser, token, section->steps->name))
        return true;
    return rd_law_definition_named(parser->law, section, name, length);
}

/* NAME, NAME … before a relation, from so many tokens ahead on: how many names, or 0 where that doesn't stand
 * there. */
static size_t names_ahead(const struct law_parser *parser, const struct rd_law_section *section,
                          size_t ahead)
{
    enum law_relation relation;
    for (size_t count = 1;; count++) {
        const struct law_token *name = rd_law_token(parser, ahead + 2 * (count - 1));
        const struct law_token *behind = rd_law_token(parser, ahead + 2 * count - 1);
        if (name->kind != LAW_TOKEN_NAME || is_known(parser, section, name))
            return 0;
        if (rd_law_token_relation(behind, &relation))
            return is_less(relation) && count > 1 ? count : 0;
        if (behind->lexeme != LAW_SIGN_COMMA)
            return 0;
    }
}

/* Counts the names behind the first relation of 0 <= i, j < n; 0: it is another range. */
static size_t names_of_range(const struct law_parser *parser, const struct rd_law_section *section)
{
    size_t open = 0;
    for (size_t ahead = 0;; ahead++) {
        const struct law_token *token = &parser->tokens[parser->at + ahead];
        enum law_relation relation;
        if (token->lexeme == LAW_SIGN_OPEN || token->lexeme == LAW_SIGN_OPEN_INDEX)
            open++;
        else if (token->lexeme == LAW_SIGN_CLOSE || token->lexeme == LAW_SIGN_CLOSE_INDEX)
            open -= open > 0;
        if (rd_law_token_ends_sentence(token) ||
            (open == 0 && (token->lexeme == LAW_SIGN_COMMA || token->lexeme == LAW_SIGN_COLON)))
            return 0;
        if (open == 0 && rd_law_token_relation(token, &relation))
            return is_less(relation) ? names_ahead(parser, section, ahead + 1) : 0;
    }
}

/* 0 <= i, j < n: a condition for each name. */
static bool parse_names(struct law_parser *parser, struct conditions *conditions,
                        struct law_node *least, enum law_relation from, size_t count)
{
    size_t names = parser->at;
    enum law_relation up_to = LAW_LESS;
    parser->at += 2 * count - 1;
    rd_law_token_relation(rd_law_token(parser, 0), &up_to);
    parser->at++;
    struct law_node *most = rd_law_parse_expression(parser);
    for (size_t k = 0; most && k < count; k++) {
        const struct law_token *token = &parser->tokens[names + 2 * k];
        struct law_node *name = rd_law_make(parser, LAW_NAME, token->span, 0, NULL);
        enum law_relation *relations = rd_law_parser_get(parser, 2 * sizeof *relations);
        if (!name || !relations)
            return false;
        name->name = rd_law_arena_text(&parser->law->arena, parser->law->text + token->span.begin,
                                       token->span.end - token->span.begin);
        if (!name->name)
            return rd_law_no_memory(parser);
        struct law_node *range = rd_law_make(parser, LAW_COMPARISON,
                                             (struct law_span){least->span.begin, most->span.end},
                                             3, (struct law_node *[]){least, name, most});
        if (!add_condition(parser, conditions, range))
            return false;
        relations[0] = from;
        relations[1] = up_to;
        range->relations = relations;
    }
    return most;
}

struct law_binding *rd_law_parse_ranges(struct law_parser *parser,
                                        const struct rd_law_section *section)
{
    struct law_binding *binding = rd_law_parser_get(parser, sizeof *binding);
    struct conditions conditions = {NULL, 0, 0};
    const struct law_token *comma = NULL; /* before "A[i] = ...", which may be what holds there */
    if (!binding)
        return NULL;
    do {
        const size_t count = names_of_range(parser, section);
        if (count == 0) {
            const struct law_token *name = rd_law_token(parser, 0);
            if (!comma && conditions.count > 0 && name->kind == LAW_TOKEN_NAME &&
                rd_law_token(parser, 1)->lexeme == LAW_SIGN_OPEN_INDEX)
                comma = rd_law_token(parser, (size_t)-1);
            if (!add_condition(parser, &conditions, rd_law_parse_condition(parser)))
                return NULL;
            continue;
        }
        enum law_relation relation = LAW_LESS;
        struct law_node *least = rd_law_parse_expression(parser);
        if (!least)
            return NULL;
        if (!rd_law_token_relation(rd_law_token(parser, 0), &relation)) {
            rd_law_fail_expected(parser, "'<' or '<='");
            return NULL;
        }
        parser->at++;
        if (!parse_names(parser, &conditions, least, relation, count))
            return NULL;
    } while (rd_law_accept(parser, LAW_SIGN_COMMA));
    if (comma && rd_law_token_ends_sentence(rd_law_token(parser, 0))) {
        rd_law_parser_fail(parser, comma->span, "expected ':' after the ranges, found ','");
        return NULL;
    }
    if (!rd_law_expect(parser, LAW_SIGN_COLON, "',' or ':' after the ranges"))
        return NULL;
    binding->conditions = conditions.list;
    binding->n_conditions = conditions.count;
    return binding;
}

/* ---- definitions ---- */

struct law_definition *rd_law_add_definition(struct law_parser *parser,
                                             struct rd_law_section *section,
                                             enum law_definition_kind kind, const char *name,
                                             struct law_span span)
{
    struct rd_law *law = parser->law;
    struct law_definition *definition = rd_law_parser_get(parser, sizeof *definition);
    if (!definition || !rd_law_room(parser, (void **)&law->definitions, law->n_definitions,
                                    &law->definitions_capacity, sizeof(struct law_definition *)))
        return NULL;
    definition->kind = kind;
    definition->name = name;
    definition->span = span;
    definition->section = section;
    definition->index = law->n_definitions;
    law->definitions[law->n_definitions++] = definition;
    return definition;
}

struct law_equation *rd_law_add_equation(struct law_parser *parser,
                                         struct law_definition *definition)
{
    if (!rd_law_room(parser, (void **)&definition->equations, definition->n_equations,
                     &definition->equations_capacity, sizeof *definition->equations))
        return NULL;
    struct law_equation *equation = &definition->equations[definition->n_equations++];
    *equation = (struct law_equation){0};
    return equation;
}

/* NAME, NAME … up to `close`. */
static bool parse_parameters(struct law_parser *parser, struct law_equation *equation)
{
    equation->parameters =
        rd_law_parser_get(parser, LAW_INDICES_MAX * sizeof *equation->parameters);
    if (!equation->parameters)
        return false;
    do {
        if (equation->n_parameters == LAW_INDICES_MAX)
            return rd_law_parser_fail(parser, rd_law_token(parser, 0)->span,
                                      "more than eight parameters");
        struct law_variable *parameter = &equation->parameters[equation->n_parameters];
        parameter->span = rd_law_token(parser, 0)->span;
        parameter->slot = (unsigned)equation->n_parameters++;
        parameter->name = rd_law_expect_name(parser, "the name of a parameter");
        if (!parameter->name)
            return false;
        for (size_t k = 0; k + 1 < equation->n_parameters; k++)
            if (strcmp(equation->parameters[k].name, parameter->name) == 0)
                return rd_law_parser_fail(parser, parameter->span,
                                          "the parameter stands there already");
    } while (rd_law_accept(parser, LAW_SIGN_COMMA));
    return rd_law_expect(parser, LAW_SIGN_CLOSE, "')'");
}

static bool parse_body(struct law_parser *parser, struct law_equation *equation)
{
    equation->body = rd_law_accept(parser, LAW_SIGN_EQUAL) || rd_law_accept(parser, LAW_SIGN_EQUALS)
                         ? rd_law_parse_expression(parser)
                         : (rd_law_fail_expected(parser, "'='"), NULL);
    return equation->body;
}

/* Parses the index that an equation is for: `digits` of NAME_0; NULL: (d+1) stands in the text. */
static bool parse_family_index(struct law_parser *parser, struct law_equation *equation,
                               const char *digits)
{
    if (digits) {
        for (; *digits; digits++)
            if (__builtin_mul_overflow(equation->index, 10, &equation->index) ||
                __builtin_add_overflow(equation->index, *digits - '0', &equation->index))
                return rd_law_parser_fail(parser, rd_law_token(parser, (size_t)-1)->span,
                                          "the number is 2^63 or more");
        return true;
    }
    equation->successor = true;
    if (!rd_law_expect(parser, LAW_SIGN_OPEN, "'(d+1)' after the '_'"))
        return false;
    equation->index_span = rd_law_token(parser, 0)->span;
    equation->index_name = rd_law_expect_name(parser, "'(d+1)' after the '_'");
    if (!equation->index_name || !rd_law_expect(parser, LAW_SIGN_PLUS, "'+ 1'"))
        return false;
    const struct law_token *one = rd_law_token(parser, 0);
    if (one->kind != LAW_TOKEN_NUMBER || one->number != 1)
        return rd_law_fail_expected(parser, "'1'");
    parser->at++;
    return rd_law_expect(parser, LAW_SIGN_CLOSE, "')'");
}

static bool parse_family(struct law_parser *parser, struct rd_law_section *section,
                         const char *name, size_t length, const char *digits, struct law_span span)
{
    struct law_definition *family = rd_law_definition_named(parser->law, section, name, length);
    if (!family || family->section != section || family->kind != LAW_LET_FAMILY) {
        char *head = rd_law_arena_text(&parser->law->arena, name, length);
        if (!head)
            return rd_law_no_memory(parser);
        family = rd_law_add_definition(parser, section, LAW_LET_FAMILY, head, span);
    }
    struct law_equation *equation = family ? rd_law_add_equation(parser, family) : NULL;
    if (!equation || !parse_family_index(parser, equation, digits) ||
        (rd_law_accept(parser, LAW_SIGN_OPEN) && !parse_parameters(parser, equation)) ||
        !parse_body(parser, equation))
        return false;
    equation = &family->equations[family->n_equations - 1];
    if (equation->n_parameters != family->equations[0].n_parameters)
        return rd_law_parser_fail(parser, span,
                                  "another number of parameters than in the equation before");
    for (size_t k = 0; k + 1 < family->n_equations; k++)
        if (family->equations[k].successor == equation->successor &&
            family->equations[k].index == equation->index)
            return rd_law_parser_fail(parser, span, "the equation stands there already");
    return true;
}

static bool parse_definition(struct law_parser *parser, struct rd_law_section *section)
{
    struct law_span span = rd_law_token(parser, 0)->span;
    const char *name = rd_law_expect_name(parser, "a name to define");
    const char *last = name ? strrchr(name, '_') : NULL;
    if (!name)
        return false;
    if (last && strspn(last + 1, "0123456789") == strlen(last + 1))
        return parse_family(parser, section, name, (size_t)(last - name), last[1] ? last + 1 : NULL,
                            span);
    struct law_definition *definition = rd_law_add_definition(
        parser, section, rd_law_peek(parser, LAW_SIGN_OPEN) ? LAW_LET_FUNCTION : LAW_LET, name,
        span);
    struct law_equation *equation = definition ? rd_law_add_equation(parser, definition) : NULL;
    return equation &&
           (!rd_law_accept(parser, LAW_SIGN_OPEN) || parse_parameters(parser, equation)) &&
           parse_body(parser, equation);
}

/* for 0 <= k < B: S[k] = … */
static bool parse_defined_array(struct law_parser *parser, struct rd_law_section *section)
{
    struct law_binding *ranges = rd_law_parse_ranges(parser, section);
    struct law_node *cell = ranges ? rd_law_parse_primary(parser) : NULL;
    if (!cell)
        return false;
    bool plain = cell->kind == LAW_ELEMENT && !cell->point;
    for (size_t k = 0; k < cell->n_kids; k++)
        plain &= cell->kids[k]->kind == LAW_NAME;
    if (!plain)
        return rd_law_parser_fail(
            parser, cell->span,
            "expected an array with the variables as its indices, such as 'x[k][t]'");
    struct law_definition *array =
        rd_law_add_definition(parser, section, LAW_LET_ARRAY, cell->name, cell->span);
    struct law_equation *equation = array ? rd_law_add_equation(parser, array) : NULL;
    if (!equation)
        return false;
    equation->n_parameters = cell->n_kids;
    equation->parameters = rd_law_parser_get(parser, cell->n_kids * sizeof *equation->parameters);
    if (!equation->parameters)
        return false;
    for (size_t k = 0; k < cell->n_kids; k++) {
        equation->parameters[k] = (struct law_variable){
            .name = cell->kids[k]->name, .span = cell->kids[k]->span, .slot = (unsigned)k};
        for (size_t i = 0; i < k; i++)
            if (strcmp(cell->kids[i]->name, cell->kids[k]->name) == 0)
                return rd_law_parser_fail(parser, cell->kids[k]->span,
                                          "the index stands there already");
    }
    array->ranges = ranges;
    return parse_body(parser, equation);
}

bool rd_law_parse_lets(struct law_parser *parser, struct rd_law_section *section)
{
    if (rd_law_accept(parser, LAW_WORD_FOR))
        return parse_defined_array(parser, section);
    do {
        if (!parse_definition(parser, section))
            return false;
    } while (rd_law_accept(parser, LAW_SIGN_SEMICOLON));
    return true;
}
