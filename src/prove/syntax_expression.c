// SPDX-License-Identifier: MIT
#include "prove/syntax_internal.h"

#include "base/array.h"

#include <string.h>

typedef const struct rd_syntax_node *node;

static const struct rd_syntax_type *type_of(struct rd_syntax_reader *reader, CXCursor cursor)
{
    return rd_syntax_type_of(reader, reader->clang->getCursorType(cursor));
}

static node other_of_kind(struct rd_syntax_reader *reader, CXCursor cursor)
{
    const char *kind = rd_syntax_keep(
        reader, reader->clang->getCursorKindSpelling(reader->clang->getCursorKind(cursor)));
    return rd_syntax_other(reader, cursor,
                           rd_texts_format(&reader->unit->texts, "what libclang calls %s", kind));
}

/* Children that are expressions: others name types, templates and the like. */
static struct rd_syntax_cursors operands(struct rd_syntax_reader *reader, CXCursor cursor)
{
    struct rd_syntax_cursors kids = rd_syntax_children(reader, cursor);
    size_t n = 0;
    for (size_t k = 0; k < kids.n; k++)
        if (reader->clang->isExpression(reader->clang->getCursorKind(kids.all[k])))
            kids.all[n++] = kids.all[k];
    kids.n = n;
    return kids;
}

/* ---- literals ---- */

static node number(struct rd_syntax_reader *reader, CXCursor cursor, uint64_t value)
{
    struct rd_syntax_node *made = rd_syntax_make(reader, RD_SYNTAX_NUMBER, cursor, 0, NULL);
    if (made) {
        made->number = value;
        made->type = type_of(reader, cursor);
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
    const bool binary = text[0] == '0' && (text[1] | 32) == 'b';
    const uint64_t value = strtoull(text + 2 * binary, NULL, binary ? 2 : 0);
    free(text);
    return number(reader, cursor, value);
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
        made->type = type_of(reader, cursor);
        made->number = is_whole(value) ? (uint64_t)value : 0;
        made->name = is_whole(value) ? NULL : rd_texts_keep(&reader->unit->texts, text);
    }
    free(text);
    return made;
}

/* What the compiler works out: sizeof, a character. */
static node evaluated(struct rd_syntax_reader *reader, CXCursor cursor)
{
    const struct rd_libclang *clang = reader->clang;
    CXEvalResult result = clang->Cursor_Evaluate(cursor);
    node made = NULL;
    if (result && clang->EvalResult_getKind(result) == CXEval_Int)
        made = number(reader, cursor,
                      clang->EvalResult_isUnsignedInt(result)
                          ? clang->EvalResult_getAsUnsigned(result)
                          : (uint64_t)clang->EvalResult_getAsLongLong(result));
    else
        made = other_of_kind(reader, cursor);
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
    made->type = type_of(reader, cursor);
    return made;
}

/* ---- conversions ---- */

/* The number as a value of the integer type. */
static uint64_t wrapped(uint64_t value, const struct rd_syntax_type *type)
{
    if (type->kind == RD_SYNTAX_BOOL)
        return value != 0;
    if (type->bits == 0 || type->bits >= 64)
        return value;
    const uint64_t mask = ((uint64_t)1 << type->bits) - 1, low = value & mask;
    return type->is_signed && low >> (type->bits - 1) ? low | ~mask : low;
}

static bool is_integer(const struct rd_syntax_type *type)
{
    return type->kind == RD_SYNTAX_INTEGER || type->kind == RD_SYNTAX_BOOL;
}

static bool is_function(node kid)
{
    return kid->kind == RD_SYNTAX_NAME && !kid->declaration;
}

/* The kid as a value of the type. Conversions that change no value are left out: a read of a variable, an array that becomes a pointer
 * to its first element, qualifiers. Of literals none is left. */
static node converted(struct rd_syntax_reader *reader, CXCursor cursor, node kid,
                      const struct rd_syntax_type *type)
{
    if (!kid || !kid->type || kid->kind == RD_SYNTAX_OTHER || rd_syntax_is_same(kid->type, type))
        return kid;
    if (type->kind == RD_SYNTAX_POINTER &&
        (kid->type->kind == RD_SYNTAX_ARRAY ? rd_syntax_is_same(kid->type->of, type->of)
                                            : is_function(kid)))
        return kid;
    const bool is_literal = kid->kind == RD_SYNTAX_NUMBER;
    const bool folds = is_literal && is_integer(kid->type) && is_integer(type);
    const bool becomes_real = is_literal && type->kind == RD_SYNTAX_FLOAT &&
                              (!kid->type->is_signed || (int64_t)kid->number >= 0) &&
                              kid->number <= (uint64_t)1 << 24;
    if (folds || becomes_real ||
        (kid->kind == RD_SYNTAX_REAL && !kid->name && type->kind == RD_SYNTAX_FLOAT &&
         kid->number <= (uint64_t)1 << 24)) {
        struct rd_syntax_node *made =
            rd_syntax_make(reader, folds ? RD_SYNTAX_NUMBER : RD_SYNTAX_REAL, cursor, 0, NULL);
        if (made) {
            made->number = folds ? wrapped(kid->number, type) : kid->number;
            made->type = type;
        }
        return made;
    }
    const struct rd_syntax_node **kids;
    struct rd_syntax_node *made = rd_syntax_make(reader, RD_SYNTAX_CAST, cursor, 1, &kids);
    if (made) {
        kids[0] = kid;
        made->type = type;
    }
    return made;
}

static node cast(struct rd_syntax_reader *reader, CXCursor cursor)
{
    struct rd_syntax_cursors kids = operands(reader, cursor);
    node made = NULL;
    if (kids.n == 1)
        made = converted(reader, cursor, rd_syntax_expression(reader, kids.all[0]),
                         type_of(reader, cursor));
    else
        made = other_of_kind(reader, cursor);
    free(kids.all);
    return made;
}

/* What libclang has no name for is a conversion if its text is that of its only child, and else anything: an argument by va_arg(), a
 * designated initializer. */
static node unexposed(struct rd_syntax_reader *reader, CXCursor cursor)
{
    struct rd_syntax_cursors kids = rd_syntax_children(reader, cursor);
    const bool converts = kids.n == 1 &&
                          reader->clang->isExpression(reader->clang->getCursorKind(kids.all[0])) &&
                          rd_syntax_start(reader, cursor) == rd_syntax_start(reader, kids.all[0]) &&
                          rd_syntax_end(reader, cursor) == rd_syntax_end(reader, kids.all[0]);
    free(kids.all);
    return converts ? cast(reader, cursor)
                    : rd_syntax_other(reader, cursor, "an expression that libclang does not show");
}

/* ---- lists of an initialization ---- */

struct fields {
    struct rd_syntax_reader *reader;
    CXType *types;
    size_t n, capacity;
};

static enum CXVisitorResult add_field(CXCursor cursor, CXClientData data)
{
    struct fields *fields = data;
    if (!rd_array_make_room(&fields->types, fields->n, &fields->capacity, sizeof *fields->types)) {
        fields->reader->failed = true;
        return CXVisit_Break;
    }
    fields->types[fields->n++] = fields->reader->clang->getCursorType(cursor);
    return CXVisit_Continue;
}

static node list(struct rd_syntax_reader *reader, CXCursor cursor, CXType type)
{
    const struct rd_libclang *clang = reader->clang;
    const struct rd_syntax_type *is = rd_syntax_type_of(reader, type);
    struct rd_syntax_cursors kids = rd_syntax_children(reader, cursor);
    struct fields fields = {.reader = reader};
    const struct rd_syntax_node **made_kids = NULL;
    struct rd_syntax_node *made = NULL;
    node result = NULL;
    const bool is_scalar = is->kind != RD_SYNTAX_ARRAY && is->kind != RD_SYNTAX_RECORD;
    if (is->kind == RD_SYNTAX_RECORD)
        clang->Type_visitFields(clang->getCanonicalType(type), add_field, &fields);
    if (is_scalar && kids.n == 1) { /* {0} is 0 */
        result = rd_syntax_initial(reader, kids.all[0], type);
    } else if (is_scalar || (is->kind == RD_SYNTAX_RECORD && kids.n > fields.n)) {
        result = rd_syntax_other(reader, cursor, "a list that initializes no array and no record");
    } else if ((made = rd_syntax_make(reader, RD_SYNTAX_LIST, cursor, kids.n, &made_kids))) {
        made->type = is;
        result = made;
        for (size_t k = 0; k < kids.n; k++)
            made_kids[k] =
                rd_syntax_initial(reader, kids.all[k],
                                  is->kind == RD_SYNTAX_ARRAY
                                      ? clang->getArrayElementType(clang->getCanonicalType(type))
                                      : fields.types[k]);
    }
    free(fields.types);
    free(kids.all);
    return result;
}

node rd_syntax_initial(struct rd_syntax_reader *reader, CXCursor cursor, CXType type)
{
    if (reader->clang->getCursorKind(cursor) == CXCursor_InitListExpr)
        return list(reader, cursor, type);
    return converted(reader, cursor, rd_syntax_expression(reader, cursor),
                     rd_syntax_type_of(reader, type));
}

static node compound_literal(struct rd_syntax_reader *reader, CXCursor cursor)
{
    struct rd_syntax_cursors kids = operands(reader, cursor);
    node made = kids.n == 1
                    ? rd_syntax_initial(reader, kids.all[0], reader->clang->getCursorType(cursor))
                    : other_of_kind(reader, cursor);
    free(kids.all);
    return made;
}

/* ---- names ---- */

static node reference(struct rd_syntax_reader *reader, CXCursor cursor)
{
    const struct rd_libclang *clang = reader->clang;
    CXCursor referenced = clang->getCursorReferenced(cursor);
    const enum CXCursorKind kind = clang->getCursorKind(referenced);
    if (kind == CXCursor_EnumConstantDecl)
        return number(reader, cursor, (uint64_t)clang->getEnumConstantDeclValue(referenced));
    struct rd_syntax_node *made = rd_syntax_make(reader, RD_SYNTAX_NAME, cursor, 0, NULL);
    if (!made)
        return NULL;
    made->name = rd_syntax_keep(reader, clang->getCursorSpelling(cursor));
    made->type = type_of(reader, cursor);
    if (kind == CXCursor_VarDecl || kind == CXCursor_ParmDecl)
        made->declaration = rd_syntax_declaration_of(reader, referenced);
    return made;
}

static node member(struct rd_syntax_reader *reader, CXCursor cursor)
{
    struct rd_syntax_cursors kids = operands(reader, cursor);
    const struct rd_syntax_node **made_kids;
    struct rd_syntax_node *made = NULL;
    if (kids.n != 1) {
        free(kids.all);
        return rd_syntax_other(reader, cursor, "a member of the object itself");
    }
    node of = rd_syntax_expression(reader, kids.all[0]);
    free(kids.all);
    if (of && (made = rd_syntax_make(reader, RD_SYNTAX_MEMBER, cursor, 1, &made_kids))) {
        made_kids[0] = of;
        made->name = rd_syntax_keep(reader, reader->clang->getCursorSpelling(cursor));
        made->type = type_of(reader, cursor);
        made->arrow =
            of->type && (of->type->kind == RD_SYNTAX_POINTER || of->type->kind == RD_SYNTAX_ARRAY);
    }
    return made;
}

/* ---- operations ---- */

/* A node of all operands; `n`: how many there must be, 0: any number. */
static struct rd_syntax_node *of_operands(struct rd_syntax_reader *reader, CXCursor cursor,
                                          enum rd_syntax_kind kind,
                                          const struct rd_syntax_cursors *kids,
                                          const struct rd_syntax_node ***made_kids)
{
    struct rd_syntax_node *made = rd_syntax_make(reader, kind, cursor, kids->n, made_kids);
    for (size_t k = 0; made && k < kids->n; k++)
        if (!((*made_kids)[k] = rd_syntax_expression(reader, kids->all[k])))
            made = NULL;
    if (made)
        made->type = type_of(reader, cursor);
    return made;
}

static node index_of(struct rd_syntax_reader *reader, CXCursor cursor,
                     const struct rd_syntax_cursors *kids)
{
    const struct rd_syntax_node **of;
    struct rd_syntax_node *made = of_operands(reader, cursor, RD_SYNTAX_INDEX, kids, &of);
    if (made && of[0]->type && is_integer(of[0]->type)) { /* 2[a] */
        node index = of[0];
        of[0] = of[1];
        of[1] = index;
    }
    return made;
}

static node unary(struct rd_syntax_reader *reader, CXCursor cursor,
                  const struct rd_syntax_cursors *kids)
{
    const size_t start = rd_syntax_start(reader, cursor), end = rd_syntax_end(reader, cursor),
                 from = rd_syntax_start(reader, kids->all[0]),
                 to = rd_syntax_end(reader, kids->all[0]);
    const char *before = rd_syntax_between(reader, start, from),
               *after = rd_syntax_between(reader, to, end);
    if (strcmp(before, "__extension__") == 0)
        return rd_syntax_expression(reader, kids->all[0]);
    if (strlen(before[0] ? before : after) > 2)
        return rd_syntax_other(reader, cursor, before[0] ? before : after);
    const struct rd_syntax_node **of;
    struct rd_syntax_node *made = of_operands(reader, cursor, RD_SYNTAX_UNARY, kids, &of);
    if (made) {
        made->postfix = !before[0];
        made->op = before[0] ? before : after;
    }
    return made;
}

static node binary(struct rd_syntax_reader *reader, CXCursor cursor,
                   const struct rd_syntax_cursors *kids)
{
    const char *op = rd_syntax_between(reader, rd_syntax_end(reader, kids->all[0]),
                                       rd_syntax_start(reader, kids->all[1]));
    const bool assigns = reader->clang->getCursorKind(cursor) == CXCursor_CompoundAssignOperator ||
                         strcmp(op, "=") == 0;
    const struct rd_syntax_node **of;
    struct rd_syntax_node *made =
        of_operands(reader, cursor, assigns ? RD_SYNTAX_ASSIGN : RD_SYNTAX_BINARY, kids, &of);
    if (made)
        made->op = op;
    return made;
}

static node call(struct rd_syntax_reader *reader, CXCursor cursor,
                 const struct rd_syntax_cursors *kids)
{
    const struct rd_syntax_node **of;
    struct rd_syntax_node *made = of_operands(reader, cursor, RD_SYNTAX_CALL, kids, &of);
    if (made && is_function(of[0]))
        made->name = of[0]->name;
    return made;
}

/* Of an operator: how many operands it has, and what makes its node. */
static const struct operator
{
    enum CXCursorKind kind;
    size_t least, most;
    node (*make)(struct rd_syntax_reader * reader, CXCursor cursor,
                 const struct rd_syntax_cursors *kids);
}
operators[] = {
    {CXCursor_ArraySubscriptExpr, 2, 2, index_of}, {CXCursor_UnaryOperator, 1, 1, unary},
    {CXCursor_BinaryOperator, 2, 2, binary},       {CXCursor_CompoundAssignOperator, 2, 2, binary},
    {CXCursor_CallExpr, 1, SIZE_MAX, call},
};

static node operation(struct rd_syntax_reader *reader, CXCursor cursor,
                      const struct operator* operator)
{
    struct rd_syntax_cursors kids = operands(reader, cursor);
    node made =
        kids.n < operator->least || kids.n> operator->most ? other_of_kind(reader, cursor) :
                                                           operator->make(reader, cursor, &kids);
    free(kids.all);
    return made;
}

static node conditional(struct rd_syntax_reader *reader, CXCursor cursor)
{
    struct rd_syntax_cursors kids = operands(reader, cursor);
    const struct rd_syntax_node **of;
    node made = kids.n == 3 ? of_operands(reader, cursor, RD_SYNTAX_CONDITIONAL, &kids, &of)
                            : other_of_kind(reader, cursor);
    free(kids.all);
    return made;
}

static node within_parentheses(struct rd_syntax_reader *reader, CXCursor cursor)
{
    struct rd_syntax_cursors kids = operands(reader, cursor);
    node made =
        kids.n == 1 ? rd_syntax_expression(reader, kids.all[0]) : other_of_kind(reader, cursor);
    free(kids.all);
    return made;
}

node rd_syntax_expression(struct rd_syntax_reader *reader, CXCursor cursor)
{
    const enum CXCursorKind kind = reader->clang->getCursorKind(cursor);
    for (size_t k = 0; k < sizeof operators / sizeof *operators; k++)
        if (operators[k].kind == kind)
            return operation(reader, cursor, &operators[k]);
    switch (kind) {
    case CXCursor_ParenExpr:
        return within_parentheses(reader, cursor);
    case CXCursor_UnexposedExpr:
        return unexposed(reader, cursor);
    case CXCursor_CStyleCastExpr:
    case CXCursor_CXXStaticCastExpr:
    case CXCursor_CXXReinterpretCastExpr:
    case CXCursor_CXXConstCastExpr:
    case CXCursor_CXXFunctionalCastExpr:
        return cast(reader, cursor);
    case CXCursor_DeclRefExpr:
        return reference(reader, cursor);
    case CXCursor_MemberRefExpr:
        return member(reader, cursor);
    case CXCursor_IntegerLiteral:
        return integer_literal(reader, cursor);
    case CXCursor_FloatingLiteral:
        return floating_literal(reader, cursor);
    case CXCursor_CharacterLiteral:
    case CXCursor_CXXBoolLiteralExpr:
    case CXCursor_UnaryExpr: /* sizeof, _Alignof */
        return evaluated(reader, cursor);
    case CXCursor_StringLiteral:
        return string_literal(reader, cursor);
    case CXCursor_ConditionalOperator:
        return conditional(reader, cursor);
    case CXCursor_CompoundLiteralExpr:
        return compound_literal(reader, cursor);
    case CXCursor_InitListExpr:
        return list(reader, cursor, reader->clang->getCursorType(cursor));
    case CXCursor_StmtExpr:
        return rd_syntax_other(reader, cursor, "a statement in an expression");
    case CXCursor_LambdaExpr:
        return rd_syntax_other(reader, cursor, "a lambda");
    default:
        return other_of_kind(reader, cursor);
    }
}
