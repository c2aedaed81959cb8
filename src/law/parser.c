// SPDX-License-Identifier: MIT
#include "law/parser.h"
#include "law/resolve.h"
#include "law/lexer.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* ---- the parser ---- */

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

/* ---- declarations ---- */

static struct law_array *parse_array(struct law_parser *parser)
{
    struct law_array *array = rd_law_parser_get(parser, sizeof *array);
    struct law_node **sizes = rd_law_parser_get(parser, LAW_INDICES_MAX * sizeof *sizes);
    if (!array || !sizes)
        return NULL;
    array->span = rd_law_token(parser, 0)->span;
    array->sizes = sizes;
    array->name = rd_law_expect_name(parser, "the name of an array");
    while (array->name && rd_law_accept(parser, LAW_SIGN_OPEN_INDEX)) {
        if (array->n_sizes == LAW_INDICES_MAX - 2) {
            rd_law_parser_fail(parser, rd_law_token(parser, 0)->span,
                               "an array has at most six sizes");
            return NULL;
        }
        sizes[array->n_sizes] = rd_law_parse_expression(parser);
        if (!sizes[array->n_sizes++] || !rd_law_expect(parser, LAW_SIGN_CLOSE_INDEX, "']'"))
            return NULL;
    }
    return array->name ? array : NULL;
}

static bool parse_inputs(struct law_parser *parser)
{
    struct rd_law *law = parser->law;
    do {
        struct law_array *array = parse_array(parser);
        if (!array || !rd_law_room(parser, (void **)&law->inputs, law->n_inputs,
                                   &law->inputs_capacity, sizeof(struct law_array *)))
            return false;
        if (array->n_sizes == 0)
            return rd_law_fail_expected(parser, "'[' and the size of the input");
        array->index = law->n_inputs;
        law->inputs[law->n_inputs++] = array;
    } while (rd_law_accept(parser, LAW_SIGN_COMMA));
    return true;
}

static struct rd_law_section *add_section(struct law_parser *parser)
{
    struct rd_law *law = parser->law;
    struct rd_law_section *section = rd_law_parser_get(parser, sizeof *section);
    if (!section || !rd_law_room(parser, (void **)&law->sections, law->n_sections,
                                 &law->sections_capacity, sizeof(struct rd_law_section *)))
        return NULL;
    section->law = law;
    section->index = law->n_sections;
    law->sections[law->n_sections++] = section;
    return section;
}

/* Behind the first step. */
static bool parse_more_steps(struct law_parser *parser, struct rd_law_section *section)
{
    return (section->next = rd_law_parse_expression(parser)) &&
           rd_law_expect(parser, LAW_SIGN_COMMA, "', ..., ' and the last value") &&
           rd_law_expect(parser, LAW_SIGN_DOTS, "'...'") &&
           rd_law_expect(parser, LAW_SIGN_COMMA, "',' and the last value") &&
           (section->last = rd_law_parse_expression(parser));
}

static bool parse_steps(struct law_parser *parser, struct rd_law_section *section)
{
    section->steps = rd_law_parser_get(parser, sizeof *section->steps);
    if (!section->steps)
        return false;
    section->steps->span = rd_law_token(parser, 0)->span;
    section->steps->name = rd_law_expect_name(parser, "the variable of the steps");
    return section->steps->name && rd_law_expect(parser, LAW_SIGN_EQUAL, "'='") &&
           (section->first = section->next = section->last = rd_law_parse_expression(parser)) &&
           (!rd_law_accept(parser, LAW_SIGN_COMMA) || parse_more_steps(parser, section));
}

static struct rd_law_section *parse_point(struct law_parser *parser)
{
    struct law_span span = rd_law_token(parser, 0)->span;
    const char *name = rd_law_expect_name(parser, "the name of a point");
    if (!name)
        return NULL;
    for (size_t k = 1; k < parser->law->n_sections; k++) {
        if (strcmp(parser->law->sections[k]->name, name) == 0) {
            rd_law_parser_fail(parser, span, "the point stands in the paragraph already");
            return NULL;
        }
    }
    struct rd_law_section *section = add_section(parser);
    if (!section)
        return NULL;
    section->name = name;
    section->span = span;
    section->kind = rd_law_peek(parser, LAW_WORD_SHARED) ? RD_LAW_SHARED : RD_LAW_REGISTER;
    if (!rd_law_accept(parser, LAW_WORD_SHARED) && !rd_law_accept(parser, LAW_WORD_REGISTER)) {
        const struct law_token *token = rd_law_token(parser, 0);
        rd_law_parser_fail(parser, token->span,
                           "expected 'shared' or 'register', and the array, after the point");
        return NULL;
    }
    section->array = parse_array(parser);
    if (section->array && rd_law_accept(parser, LAW_WORD_STEPS) && !parse_steps(parser, section))
        return NULL;
    return section->array ? section : NULL;
}

/* ---- claims ---- */

bool rd_law_parse_when(struct law_parser *parser, struct law_node **when)
{
    *when = NULL;
    if (!rd_law_accept(parser, LAW_WORD_WHEN))
        return true;
    *when = rd_law_parse_condition(parser);
    return *when && rd_law_expect(parser, LAW_SIGN_COLON, "':' after the condition");
}

/* forall i: …, for all i: …, for i: …, as mathematicians write it. */
static bool refuse_quantifier(struct law_parser *parser)
{
    const struct law_token *first = rd_law_token(parser, 0), *next = rd_law_token(parser, 1);
    const bool is_for = first->lexeme == LAW_WORD_FOR;
    const bool is_word =
        is_for ? next->lexeme == LAW_WORD_ALL || rd_law_token_is(parser, next, "each") ||
                     rd_law_token_is(parser, next, "every")
               : rd_law_token_is(parser, first, "forall") && next->kind == LAW_TOKEN_NAME;
    const bool is_bare =
        is_for && next->kind == LAW_TOKEN_NAME && rd_law_token(parser, 2)->lexeme == LAW_SIGN_COLON;
    if (!is_word && !is_bare)
        return true;
    return rd_law_parser_fail(parser, is_for ? next->span : first->span,
                              "expected the range of a cell's index, as in 'for 0 <= i < n: A[i] "
                              "= a[i]': a law names its bounds");
}

static bool parse_claim(struct law_parser *parser, struct rd_law_section *section,
                        struct law_claim *claim)
{
    if (!rd_law_parse_when(parser, &claim->when) || !refuse_quantifier(parser))
        return false;
    claim->span = rd_law_token(parser, 0)->span;
    if (rd_law_accept(parser, LAW_WORD_FOR)) {
        claim->binding = rd_law_parse_ranges(parser, section);
        if (!claim->binding)
            return false;
    }
    if (rd_law_token(parser, 0)->kind != LAW_TOKEN_NAME)
        return rd_law_fail_expected(parser, claim->binding ? "a cell, such as 'A[i]'"
                                                           : "'for' or a cell, such as 'A[i]'");
    claim->cell = rd_law_parse_primary(parser);
    if (!claim->cell)
        return false;
    if ((claim->cell->kind != LAW_ELEMENT && claim->cell->kind != LAW_NAME) || claim->cell->point ||
        claim->cell->bracketed)
        return rd_law_parser_fail(parser, claim->cell->span,
                                  "expected a cell, such as 'A[i]', before the '='");
    if (!rd_law_accept(parser, LAW_SIGN_EQUAL) && !rd_law_accept(parser, LAW_SIGN_EQUALS))
        return rd_law_fail_expected(parser, "'=' after the cell");
    claim->value = rd_law_parse_expression(parser);
    claim->span.end = rd_law_token(parser, (size_t)-1)->span.end;
    return claim->value;
}

static bool parse_claims(struct law_parser *parser, struct rd_law_section *section,
                         enum rd_law_role role)
{
    struct law_claims *claims = &section->claims[role];
    do {
        if (!rd_law_room(parser, (void **)&claims->claims, claims->count, &claims->capacity,
                         sizeof *claims->claims))
            return false;
        if (claims->count > 0 && !rd_law_peek(parser, LAW_WORD_WHEN) &&
            rd_law_token_ends_sentence(rd_law_token(parser, 0)))
            return rd_law_parser_fail(parser, rd_law_token(parser, (size_t)-1)->span,
                                      "expected another claim after the ';', found the end of the "
                                      "sentence: leave the ';' out");
        struct law_claim *claim = &claims->claims[claims->count++];
        *claim = (struct law_claim){0};
        if (!parse_claim(parser, section, claim))
            return false;
    } while (rd_law_accept(parser, LAW_SIGN_SEMICOLON));
    return true;
}

/* when COND [, in the last block]: who comes to a point. */
static bool parse_met(struct law_parser *parser, struct rd_law_section *section)
{
    const struct law_span span = rd_law_token(parser, 0)->span;
    if (section->index == 0)
        return rd_law_parser_fail(parser, span,
                                  "a 'when' that is no point's: join claims and launches with ';'");
    if (section->met)
        return rd_law_parser_fail(parser, span,
                                  "the sentence stands there already: join conditions with 'and'");
    parser->at++;
    section->met = rd_law_parse_condition(parser);
    if (!section->met || !rd_law_accept(parser, LAW_SIGN_COMMA))
        return section->met;
    static const char *const names[] = {"the", "last", "block"};
    bool is_last_block = rd_law_accept(parser, LAW_WORD_IN);
    for (unsigned k = 0; is_last_block && k < 3; k++) {
        is_last_block = rd_law_token_is(parser, rd_law_token(parser, 0), names[k]);
        parser->at += is_last_block;
    }
    section->of_last_block = true;
    return is_last_block || rd_law_fail_expected(parser, "'in the last block'");
}

static bool parse_sentence(struct law_parser *parser, struct rd_law_section **section)
{
    struct law_span span = rd_law_token(parser, 0)->span;
    switch (rd_law_token(parser, 0)->lexeme) {
    case LAW_WORD_INPUT:
        parser->at++;
        return parse_inputs(parser);
    case LAW_WORD_ARRAY:
        parser->at++;
        if (parser->law->sections[0]->array)
            return rd_law_parser_fail(parser, span, "a second 'array': a law speaks of one");
        parser->law->sections[0]->array = parse_array(parser);
        return parser->law->sections[0]->array;
    case LAW_WORD_AT:
        parser->at++;
        *section = parse_point(parser);
        return *section;
    case LAW_WORD_WHEN:
        return parse_met(parser, *section);
    case LAW_WORD_LET:
        parser->at++;
        return rd_law_parse_lets(parser, *section);
    case LAW_WORD_LAW:
    case LAW_WORD_START:
    case LAW_WORD_UPDATE: {
        enum law_lexeme word = rd_law_token(parser, 0)->lexeme;
        enum rd_law_role role = word == LAW_WORD_LAW     ? RD_LAW_LAW
                                : word == LAW_WORD_START ? RD_LAW_START
                                                         : RD_LAW_UPDATE;
        if ((*section)->claims[role].count > 0)
            return rd_law_parser_fail(parser, span,
                                      "the sentence stands there already: join claims with ';'");
        parser->at++;
        return parse_claims(parser, *section, role);
    }
    case LAW_WORD_LAUNCH:
        if (parser->law->n_launches > 0)
            return rd_law_parser_fail(parser, span,
                                      "the sentence stands there already: join launches with ';'");
        parser->at++;
        return rd_law_parse_launches(parser);
    default: {
        char words[RD_LAW_WORDS_SIZE];
        return rd_law_fail_expected(parser, rd_law_sentence_words(false, " or ", words));
    }
    }
}

/* G = B*T, unless the paragraph has another. */
static bool define_grid(struct law_parser *parser)
{
    struct law_node *sides[2] = {0};
    for (unsigned k = 0; k < 2; k++) {
        sides[k] = rd_law_make(parser, LAW_NAME, (struct law_span){0}, 0, NULL);
        if (!sides[k])
            return false;
        sides[k]->name = k ? "T" : "B";
    }
    struct law_definition *grid =
        rd_law_add_definition(parser, parser->law->sections[0], LAW_LET, "G", (struct law_span){0});
    struct law_equation *equation = grid ? rd_law_add_equation(parser, grid) : NULL;
    if (!equation)
        return false;
    equation->body = rd_law_make(parser, LAW_BINARY, (struct law_span){0}, 2, sides);
    if (!equation->body)
        return false;
    equation->body->op = LAW_TIMES;
    return true;
}

static bool parse_paragraph(struct law_parser *parser)
{
    struct rd_law_section *section = add_section(parser);
    if (!section || !define_grid(parser))
        return false;
    while (rd_law_token(parser, 0)->kind != LAW_TOKEN_END) {
        size_t sentence = parser->at;
        if (!parse_sentence(parser, &section))
            return false;
        if (!rd_law_token_ends_sentence(rd_law_token(parser, 0)))
            return rd_law_fail_expected(parser, parser->tokens[sentence].lexeme == LAW_WORD_INPUT
                                                    ? "',' or the end of the sentence"
                                                    : "',', ';' or the end of the sentence");
    }
    struct law_span end = rd_law_token(parser, 0)->span;
    if (!parser->law->sections[0]->array)
        return rd_law_parser_fail(parser, end,
                                  "no 'array': say which the law speaks of, as in 'array A[n]'");
    for (size_t k = 0; k < parser->law->n_sections; k++)
        if (parser->law->sections[k]->claims[RD_LAW_LAW].count == 0)
            return rd_law_parser_fail(parser, k ? parser->law->sections[k]->span : end,
                                      "no 'law' of the array: say what its cells hold");
    return true;
}

enum rd_status rd_law_create(struct rd_law **law, const char *text, struct rd_law_error *error)
{
    return rd_law_read(law, text, 0, false, error);
}

enum rd_status rd_law_read(struct rd_law **law, const char *text, size_t n_given, bool no_blocks,
                           struct rd_law_error *error)
{
    const size_t length_max = n_given + RD_LAW_LENGTH_MAX;
    size_t length = strlen(text);
    struct law_parser parser = {.error = error};
    struct rd_law *made = calloc(1, sizeof *made);
    enum rd_status status = RD_ERROR_MEMORY;
    if (!made)
        return rd_law_fail_at(NULL, error, (struct law_span){0}, status, "no memory for a law");
    made->n_given = n_given;
    made->no_blocks = no_blocks;
    made->text = rd_law_arena_text(&made->arena, text, length);
    if (!made->text) {
        status = rd_law_fail_at(NULL, error, (struct law_span){0}, status, "no memory for a law");
        goto out;
    }
    if (length > length_max) {
        status =
            rd_law_fail_at(made, error, (struct law_span){(uint32_t)length_max, 0}, RD_ERROR_USAGE,
                           "a paragraph of more than %d characters", RD_LAW_LENGTH_MAX);
        goto out;
    }
    struct law_token *tokens;
    status = rd_law_lex(made, &tokens, error);
    if (status != RD_OK)
        goto out;
    parser.law = made;
    parser.tokens = tokens;
    if (!parse_paragraph(&parser)) {
        status = parser.status;
        goto out;
    }
    status = rd_law_resolve(made, error);
    if (status != RD_OK)
        goto out;
    *law = made;
    made = NULL;
out:
    rd_law_destroy(made);
    return status;
}
