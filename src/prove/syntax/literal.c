// SPDX-License-Identifier: MIT
/* Literals, and what a compiler works out as if it were one. */
#include "prove/syntax/reader.h"

#include <string.h>

typedef const struct rd_syntax_node *node;

node rd_syntax_number(struct rd_syntax_reader *reader, CXCursor cursor, uint64_t value)
{
    struct rd_syntax_node *made = rd_syntax_make(reader, RD_SYNTAX_NUMBER, cursor, 0, NULL);
    if (made) {
        made->number = value;
        made->type = rd_syntax_type_at(reader, cursor);
    }
    return made;
}

/* The cursor's text, without the quotes that separate digits. */
static char *digits_of(struct rd_syntax_reader *reader, CXCursor cursor)
{
    const size_t from = rd_syntax_start(reader, cursor), to = rd_syntax_end(reader, cursor);
    char *text = malloc(to - from + 1), *end = text;
    if (!text) {
        reader->failed = true;
        return NULL;
    }
    for (size_t k = from; k < to; k++)
        if (reader->source->text[k] != '\'')
            *end++ = reader->source->text[k];
    *end = '\0';
    return text;
}

static node integer_literal(struct rd_syntax_reader *reader, CXCursor cursor)
{
    char *text = digits_of(reader, cursor);
    if (!text)
        return NULL;
    if (text[0] < '0' || text[0] > '9') { /* of a template's parameter */
        free(text);
        return rd_syntax_constant(reader, cursor, NULL);
    }
    const bool binary = text[0] == '0' && (text[1] | 32) == 'b';
    const uint64_t value = strtoull(text + 2 * binary, NULL, binary ? 2 : 0);
    free(text);
    return rd_syntax_number(reader, cursor, value);
}

static bool is_whole(double value)
{
    return value >= 0 && value < 18446744073709551616.0 && (double)(uint64_t)value == value;
}

static node floating_literal(struct rd_syntax_reader *reader, CXCursor cursor)
{
    char *text = digits_of(reader, cursor);
    struct rd_syntax_node *made = rd_syntax_make(reader, RD_SYNTAX_REAL, cursor, 0, NULL);
    if (text && made) {
        const double value = strtod(text, NULL);
        made->type = rd_syntax_type_at(reader, cursor);
        made->number = is_whole(value) ? (uint64_t)value : 0;
        made->name = is_whole(value) ? NULL : rd_texts_keep(&reader->unit->texts, text);
    }
    free(text);
    return made;
}

static struct rd_syntax_node *number_of(struct rd_syntax_reader *reader, CXCursor cursor,
                                        const char *name, uint64_t number)
{
    struct rd_syntax_node *made = rd_syntax_make(reader, RD_SYNTAX_NUMBER, cursor, 0, NULL);
    if (!made)
        return NULL;
    made->number = number;
    made->name = name;
    made->type = rd_syntax_type_at(reader, cursor);
    return made;
}

/* A number has no sign of its own. */
static node negative_of(struct rd_syntax_reader *reader, CXCursor cursor, const char *name,
                        uint64_t size)
{
    const struct rd_syntax_node **of;
    struct rd_syntax_node *number = number_of(reader, cursor, name, size);
    struct rd_syntax_node *made =
        number ? rd_syntax_make(reader, RD_SYNTAX_UNARY, cursor, 1, &of) : NULL;
    if (!made)
        return NULL;
    of[0] = number;
    made->op = "-";
    made->type = number->type;
    return made;
}

node rd_syntax_constant(struct rd_syntax_reader *reader, CXCursor cursor, const char *name)
{
    const struct rd_libclang *clang = reader->clang;
    CXEvalResult result = clang->Cursor_Evaluate(cursor);
    node made = NULL;
    if (result && clang->EvalResult_getKind(result) == CXEval_Int) {
        const bool is_unsigned = clang->EvalResult_isUnsignedInt(result);
        const uint64_t number = is_unsigned ? clang->EvalResult_getAsUnsigned(result)
                                            : (uint64_t)clang->EvalResult_getAsLongLong(result);
        made = !is_unsigned && (int64_t)number < 0 ? negative_of(reader, cursor, name, 0 - number)
                                                   : number_of(reader, cursor, name, number);
    }
    if (result)
        clang->EvalResult_dispose(result);
    return made;
}

static node string_literal(struct rd_syntax_reader *reader, CXCursor cursor)
{
    struct rd_syntax_node *made = rd_syntax_make(reader, RD_SYNTAX_TEXT, cursor, 0, NULL);
    if (!made)
        return NULL;
    /* With the quotes. */
    const char *spelling = rd_syntax_keep(reader, reader->clang->getCursorSpelling(cursor));
    const size_t length = strlen(spelling);
    const bool quoted = length >= 2 && spelling[0] == '"';
    made->name = quoted
                     ? rd_texts_format(&reader->unit->texts, "%.*s", (int)length - 2, spelling + 1)
                     : spelling;
    made->type = rd_syntax_type_at(reader, cursor);
    return made;
}

/* sizeof of an array of variable length. */
static node variable_size(struct rd_syntax_reader *reader, CXCursor cursor)
{
    struct rd_syntax_cursors kids = rd_syntax_operands(reader, cursor);
    const struct rd_syntax_node **of = NULL;
    struct rd_syntax_node *made = NULL;
    const size_t start = rd_syntax_start(reader, cursor);
    node operand = kids.n == 1 && strncmp(reader->source->text + start, "sizeof", 6) == 0
                       ? rd_syntax_expression(reader, kids.all[0])
                       : NULL;
    free(kids.all);
    if (operand && (made = rd_syntax_make(reader, RD_SYNTAX_UNARY, cursor, 1, &of))) {
        of[0] = operand;
        made->op = "sizeof ";
        made->type = rd_syntax_type_at(reader, cursor);
    }
    return made;
}

node rd_syntax_literal(struct rd_syntax_reader *reader, CXCursor cursor)
{
    switch (reader->clang->getCursorKind(cursor)) {
    case CXCursor_IntegerLiteral:
        return integer_literal(reader, cursor);
    case CXCursor_FloatingLiteral:
        return floating_literal(reader, cursor);
    case CXCursor_StringLiteral:
        return string_literal(reader, cursor);
    case CXCursor_CXXNullPtrLiteralExpr:
    case CXCursor_GNUNullExpr:
        return rd_syntax_number(reader, cursor, 0);
    default: {
        node made = rd_syntax_constant(reader, cursor, NULL);
        if (!made && reader->clang->getCursorKind(cursor) == CXCursor_UnaryExpr)
            made = variable_size(reader, cursor);
        return made ? made : rd_syntax_other_kind(reader, cursor);
    }
    }
}
