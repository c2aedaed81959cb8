// SPDX-License-Identifier: MIT
#include "prove/syntax/reader.h"

#include "base/array.h"

#include <ctype.h>
#include <string.h>

typedef const struct rd_syntax_node *node;

/* ---- conversions ---- */

static node cast(struct rd_syntax_reader *reader, CXCursor cursor)
{
    struct rd_syntax_cursors kids = rd_syntax_operands(reader, cursor);
    node made = NULL;
    if (kids.n == 1)
        made = rd_syntax_converted(reader, cursor, rd_syntax_expression(reader, kids.all[0]),
                                   rd_syntax_type_at(reader, cursor));
    else
        made = rd_syntax_other_kind(reader, cursor);
    free(kids.all);
    return made;
}

/* What libclang has no name for is a conversion if its text is that of its only child, and else anything: an argument by
 * va_arg(), a designated initializer. */
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

static node compound_literal(struct rd_syntax_reader *reader, CXCursor cursor)
{
    struct rd_syntax_cursors kids = rd_syntax_operands(reader, cursor);
    node made = kids.n == 1
                    ? rd_syntax_initial(reader, kids.all[0], reader->clang->getCursorType(cursor))
                    : rd_syntax_other_kind(reader, cursor);
    free(kids.all);
    return made;
}

/* ---- names ---- */

/* Notes an instance of a template, to be read behind all functions. */
static void add_instance(struct rd_syntax_reader *reader, CXCursor function,
                         struct rd_syntax_node *made)
{
    struct rd_syntax_cursors *instances = &reader->instances;
    made->instance = rd_syntax_keep(reader, reader->clang->getCursorUSR(function));
    if (!*made->instance) { /* nothing tells it from others */
        made->defined_file = NULL;
        return;
    }
    for (size_t k = 0; k < instances->n; k++)
        if (reader->clang->equalCursors(instances->all[k], function))
            return;
    if (rd_array_make_room(&instances->all, instances->n, &instances->capacity,
                           sizeof *instances->all))
        instances->all[instances->n++] = function;
    else
        reader->failed = true;
}

/* Tells of which function it is a name. */
static void find_function(struct rd_syntax_reader *reader, CXCursor function,
                          struct rd_syntax_node *made)
{
    const struct rd_libclang *clang = reader->clang;
    CXCursor definition = clang->getCursorDefinition(function);
    unsigned column;
    made->symbol = rd_syntax_keep(reader, clang->getCursorUSR(function));
    if (!clang->Cursor_isNull(definition) &&
        !clang->Location_isInSystemHeader(clang->getCursorLocation(definition)))
        rd_syntax_place(reader, definition, &made->defined_file, &made->defined_line, &column);
    if (made->defined_file && !clang->Cursor_isNull(clang->getSpecializedCursorTemplate(function)))
        add_instance(reader, function, made);
}

static node reference(struct rd_syntax_reader *reader, CXCursor cursor)
{
    const struct rd_libclang *clang = reader->clang;
    CXCursor referenced = clang->getCursorReferenced(cursor);
    const enum CXCursorKind kind = clang->getCursorKind(referenced);
    if (clang->Cursor_isNull(referenced)) { /* a template's parameter, in an instance */
        node value = rd_syntax_constant(reader, cursor, NULL);
        return value ? value : rd_syntax_other_kind(reader, cursor);
    }
    if (kind == CXCursor_EnumConstantDecl)
        return rd_syntax_constant(reader, cursor,
                                  rd_syntax_keep(reader, clang->getCursorSpelling(cursor)));
    const struct rd_syntax_declaration *declaration =
        kind == CXCursor_VarDecl || kind == CXCursor_ParmDecl
            ? rd_syntax_declaration_of(reader, referenced)
            : NULL;
    if (declaration && declaration->type->is_const && rd_syntax_is_integer(declaration->type) &&
        (declaration->is_global || declaration->is_static)) {
        node value = rd_syntax_constant(reader, cursor, declaration->name);
        if (value)
            return value;
    }
    struct rd_syntax_node *made = rd_syntax_make(reader, RD_SYNTAX_NAME, cursor, 0, NULL);
    if (!made)
        return NULL;
    made->name = rd_syntax_keep(reader, clang->getCursorSpelling(cursor));
    made->type = rd_syntax_type_at(reader, cursor);
    made->declaration = declaration;
    made->of_system = rd_syntax_is_of_system(reader, referenced);
    if (!declaration)
        find_function(reader, referenced, made);
    return made;
}

static node member(struct rd_syntax_reader *reader, CXCursor cursor)
{
    struct rd_syntax_cursors kids = rd_syntax_operands(reader, cursor);
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
        made->type = rd_syntax_type_at(reader, cursor);
        made->arrow =
            of->type && (of->type->kind == RD_SYNTAX_POINTER || of->type->kind == RD_SYNTAX_ARRAY);
    }
    return made;
}

/* ---- operations ---- */

/* A node of all operands. */
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
        made->type = rd_syntax_type_at(reader, cursor);
    return made;
}

static node index_of(struct rd_syntax_reader *reader, CXCursor cursor,
                     const struct rd_syntax_cursors *kids)
{
    const struct rd_syntax_node **of;
    struct rd_syntax_node *made = of_operands(reader, cursor, RD_SYNTAX_INDEX, kids, &of);
    if (made && of[0]->type && rd_syntax_is_integer(of[0]->type)) { /* 2[a] */
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

/* Arguments that are not written but the function's own: they have no place. */
static size_t without_defaults(const struct rd_syntax_reader *reader,
                               const struct rd_syntax_cursors *kids)
{
    size_t n = kids->n;
    while (n > 0 && reader->clang->Range_isNull(reader->clang->getCursorExtent(kids->all[n - 1])))
        n--;
    return n;
}

/* An object that a constructor makes: a call of its type's name. A copy is what it copies. */
static node construction(struct rd_syntax_reader *reader, CXCursor cursor, CXCursor constructor,
                         const struct rd_syntax_cursors *kids)
{
    const struct rd_syntax_type *type = rd_syntax_type_at(reader, cursor);
    const struct rd_syntax_node **of;
    if (kids->n == 1 && type->kind == RD_SYNTAX_RECORD &&
        rd_syntax_is_same(rd_syntax_type_at(reader, kids->all[0]), type))
        return rd_syntax_expression(reader, kids->all[0]);
    struct rd_syntax_node *made = rd_syntax_make(reader, RD_SYNTAX_CALL, cursor, kids->n + 1, &of),
                          *name = rd_syntax_make(reader, RD_SYNTAX_NAME, cursor, 0, NULL);
    if (!made || !name)
        return NULL;
    made->name = name->name = rd_syntax_keep(reader, reader->clang->getCursorSpelling(constructor));
    made->type = type;
    of[0] = name;
    for (size_t k = 0; k < kids->n; k++)
        if (!(of[k + 1] = rd_syntax_expression(reader, kids->all[k])))
            return NULL;
    return made;
}

/* v[i], v.data() and v.size() of a std::vector v; NULL of other calls. */
static node use_of_vector(struct rd_syntax_reader *reader, CXCursor cursor, const char *function,
                          const struct rd_syntax_cursors *kids)
{
    const struct rd_libclang *clang = reader->clang;
    const bool is_index = kids->n == 3 && strcmp(function, "operator[]") == 0,
               is_member = kids->n == 1 &&
                           clang->getCursorKind(kids->all[0]) == CXCursor_MemberRefExpr &&
                           (strcmp(function, "data") == 0 || strcmp(function, "size") == 0);
    if (!is_index && !is_member)
        return NULL;
    node object = rd_syntax_expression(reader, kids->all[0]);
    if (is_member)
        object =
            object && object->kind == RD_SYNTAX_MEMBER && !object->arrow ? object->kids[0] : NULL;
    while (object && object->kind == RD_SYNTAX_CAST)
        object = object->kids[0];
    if (!object || object->kind != RD_SYNTAX_NAME || !object->type || !object->type->elements)
        return NULL;
    if (is_member && strcmp(function, "data") == 0)
        return object;
    const struct rd_syntax_node **of;
    struct rd_syntax_node *made = rd_syntax_make(
        reader, is_index ? RD_SYNTAX_INDEX : RD_SYNTAX_UNARY, cursor, is_index ? 2 : 1, &of);
    node index = is_index ? rd_syntax_expression(reader, kids->all[2]) : NULL;
    if (!made || (is_index && !index))
        return NULL;
    of[0] = object;
    if (is_index)
        of[1] = index;
    else
        made->op = "size of ";
    made->type = rd_syntax_type_at(reader, cursor);
    return made;
}

/* Leaves the arguments out that are groups, as functions are read without such parameters; false where one may be anything else, too. */
static bool leave_out_groups(struct rd_syntax_reader *reader, struct rd_syntax_cursors *kids)
{
    size_t n = 0;
    bool are_plain = true;
    for (size_t k = 0; k < kids->n; k++)
        if (!rd_syntax_is_group(reader, reader->clang->getCursorType(kids->all[k])))
            kids->all[n++] = kids->all[k];
        else
            are_plain = are_plain && rd_syntax_is_plain_group(reader, kids->all[k]);
    kids->n = n;
    return are_plain;
}

static node call(struct rd_syntax_reader *reader, CXCursor cursor,
                 const struct rd_syntax_cursors *kids)
{
    const struct rd_libclang *clang = reader->clang;
    struct rd_syntax_cursors written = {kids->all, without_defaults(reader, kids), 0};
    CXCursor function = clang->getCursorReferenced(cursor);
    if (clang->getCursorKind(function) == CXCursor_Constructor)
        return construction(reader, cursor, function, &written);
    if (rd_syntax_is_of_group(reader, function))
        return rd_syntax_call_of_group(reader, cursor, function, &written);
    const char *name = rd_syntax_keep(reader, clang->getCursorSpelling(function));
    node of_vector = use_of_vector(reader, cursor, name, &written);
    if (of_vector)
        return of_vector;
    if (strncmp(name, "operator", 8) == 0 && !isalnum((unsigned char)name[8]) && name[8] != '_')
        return rd_syntax_other(reader, cursor, "an overloaded operator");
    if (written.n == 0)
        return rd_syntax_other_kind(reader, cursor);
    if (!leave_out_groups(reader, &written))
        return rd_syntax_other(reader, cursor,
                               "a group that is neither a name nor this_thread_block()");
    const struct rd_syntax_node **of;
    struct rd_syntax_node *made = of_operands(reader, cursor, RD_SYNTAX_CALL, &written, &of);
    if (made && rd_syntax_is_function(of[0]))
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
    {CXCursor_CallExpr, 0, SIZE_MAX, call},
};

static node operation(struct rd_syntax_reader *reader, CXCursor cursor,
                      const struct operator* operator)
{
    struct rd_syntax_cursors kids = rd_syntax_operands(reader, cursor);
    node made =
        kids.n < operator->least || kids.n> operator->most ? rd_syntax_other_kind(reader, cursor) :
                                                           operator->make(reader, cursor, &kids);
    free(kids.all);
    return made;
}

static node conditional(struct rd_syntax_reader *reader, CXCursor cursor)
{
    struct rd_syntax_cursors kids = rd_syntax_operands(reader, cursor);
    const struct rd_syntax_node **of;
    node made = kids.n == 3 ? of_operands(reader, cursor, RD_SYNTAX_CONDITIONAL, &kids, &of)
                            : rd_syntax_other_kind(reader, cursor);
    free(kids.all);
    return made;
}

static node within_parentheses(struct rd_syntax_reader *reader, CXCursor cursor)
{
    struct rd_syntax_cursors kids = rd_syntax_operands(reader, cursor);
    node made = kids.n == 1 ? rd_syntax_expression(reader, kids.all[0])
                            : rd_syntax_other_kind(reader, cursor);
    free(kids.all);
    return made;
}

/* A call of "operator new[]" with the number of elements, of `new float[n]`, and of "operator delete[]"; others are not read. */
static node call_of_memory(struct rd_syntax_reader *reader, CXCursor cursor, const char *name)
{
    struct rd_syntax_cursors kids = rd_syntax_operands(reader, cursor);
    const size_t from = rd_syntax_start(reader, cursor), to = rd_syntax_end(reader, cursor);
    const struct rd_syntax_node **of;
    const char *text = reader->source->text, *words = rd_syntax_between(reader, from, to);
    const bool is_new = strcmp(name, "operator new[]") == 0;
    /* Neither `new (place) float[n]` nor `new float(x)`, nor with values for the elements; nor a delete of one object. */
    const bool is_read =
        kids.n == 1 && to > from &&
        (is_new ? text[to - 1] == ']' && strncmp(words, "new", 3) == 0 && words[3] != '('
                : strncmp(words, "delete[]", strlen("delete[]")) == 0);
    node kid = is_read ? rd_syntax_expression(reader, kids.all[0]) : NULL;
    free(kids.all);
    if (!kid)
        return is_read ? NULL : rd_syntax_other_kind(reader, cursor);
    struct rd_syntax_node *made = rd_syntax_make(reader, RD_SYNTAX_CALL, cursor, 2, &of),
                          *function = rd_syntax_make(reader, RD_SYNTAX_NAME, cursor, 0, NULL);
    if (!made || !function)
        return NULL;
    made->name = function->name = name;
    made->type = rd_syntax_type_at(reader, cursor);
    function->of_system = true;
    of[0] = function;
    of[1] = kid;
    return made;
}

node rd_syntax_expression(struct rd_syntax_reader *reader, CXCursor cursor)
{
    const enum CXCursorKind kind = reader->clang->getCursorKind(cursor);
    if (kind != CXCursor_LambdaExpr &&
        rd_syntax_is_nontrivial(reader, reader->clang->getCursorType(cursor)))
        return rd_syntax_other(reader, cursor, rd_syntax_nontrivial_text);
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
    case CXCursor_FloatingLiteral:
    case CXCursor_StringLiteral:
    case CXCursor_CharacterLiteral:
    case CXCursor_CXXBoolLiteralExpr:
    case CXCursor_CXXNullPtrLiteralExpr:
    case CXCursor_GNUNullExpr: /* NULL */
    case CXCursor_UnaryExpr:   /* sizeof, _Alignof */
        return rd_syntax_literal(reader, cursor);
    case CXCursor_ConditionalOperator:
        return conditional(reader, cursor);
    case CXCursor_CompoundLiteralExpr:
        return compound_literal(reader, cursor);
    case CXCursor_InitListExpr:
        return rd_syntax_initial(reader, cursor, reader->clang->getCursorType(cursor));
    case CXCursor_CXXNewExpr:
        return call_of_memory(reader, cursor, "operator new[]");
    case CXCursor_CXXDeleteExpr:
        return call_of_memory(reader, cursor, "operator delete[]");
    case CXCursor_StmtExpr:
        return rd_syntax_other(reader, cursor, "a statement in an expression");
    case CXCursor_LambdaExpr:
        return rd_syntax_other(reader, cursor, "a lambda");
    default:
        return rd_syntax_other_kind(reader, cursor);
    }
}
