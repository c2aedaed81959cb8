// SPDX-License-Identifier: MIT
#include "prove/syntax/reader.h"

#include "base/array.h"

#include <string.h>

typedef const struct rd_syntax_node *node;

struct nodes {
    node *all;
    size_t n, capacity;
};

static void add(struct rd_syntax_reader *reader, struct nodes *nodes, node made)
{
    if (!made || !rd_array_make_room(&nodes->all, nodes->n, &nodes->capacity, sizeof *nodes->all))
        reader->failed = true;
    else
        nodes->all[nodes->n++] = made;
}

/* A node of these kids, which are freed. */
static struct rd_syntax_node *of_nodes(struct rd_syntax_reader *reader, enum rd_syntax_kind kind,
                                       CXCursor cursor, struct nodes *nodes)
{
    const struct rd_syntax_node **kids;
    struct rd_syntax_node *made =
        reader->failed ? NULL : rd_syntax_make(reader, kind, cursor, nodes->n, &kids);
    if (made && nodes->n > 0)
        memcpy(kids, nodes->all, nodes->n * sizeof *nodes->all);
    free(nodes->all);
    return made;
}

/* ---- declarations ---- */

/* An array of variable length, of numbers: its length takes the place of an initial value, which none has. */
static node declare_variable_array(struct rd_syntax_reader *reader, CXCursor cursor)
{
    const struct rd_syntax_declaration *declaration = rd_syntax_declaration_of(reader, cursor);
    struct rd_syntax_cursors kids = rd_syntax_children(reader, cursor);
    const struct rd_syntax_node **of = NULL;
    struct rd_syntax_node *made = NULL;
    size_t n = 0;
    for (size_t k = 0; k < kids.n; k++)
        if (reader->clang->isExpression(reader->clang->getCursorKind(kids.all[k])))
            kids.all[n++] = kids.all[k];
    const bool is_of_arrays =
        declaration && declaration->type->of && declaration->type->of->kind == RD_SYNTAX_ARRAY;
    node length = declaration && declaration->type->of && n == 1 && !is_of_arrays
                      ? rd_syntax_expression(reader, kids.all[0])
                      : NULL;
    free(kids.all);
    if (!length)
        return rd_syntax_other(reader, cursor,
                               is_of_arrays ? "an array of arrays, of lengths that may be any"
                                            : "an array of variable length");
    if ((made = rd_syntax_make(reader, RD_SYNTAX_DECLARE, cursor, 1, &of))) {
        of[0] = length;
        made->declaration = declaration;
        made->name = declaration->name;
        made->op = "[]";
    }
    return made;
}

/* Tells whether an attribute may have code run for the variable, as `cleanup` has: those that are known have none. */
static bool has_unknown_attribute(struct rd_syntax_reader *reader, CXCursor cursor)
{
    static const char *const known[] = {"unused", "__unused__", "maybe_unused"};
    struct rd_syntax_cursors kids = rd_syntax_children(reader, cursor);
    bool is_strange = false;
    for (size_t k = 0; k < kids.n && !is_strange; k++) {
        if (reader->clang->getCursorKind(kids.all[k]) != CXCursor_UnexposedAttr)
            continue;
        const char *text = reader->source->text + rd_syntax_start(reader, kids.all[k]);
        is_strange = true;
        for (size_t i = 0; i < sizeof known / sizeof *known; i++)
            is_strange = is_strange && strncmp(text, known[i], strlen(known[i])) != 0;
    }
    free(kids.all);
    return is_strange;
}

static node declare(struct rd_syntax_reader *reader, CXCursor cursor)
{
    const struct rd_libclang *clang = reader->clang;
    if (rd_syntax_is_nontrivial(reader, clang->getCursorType(cursor)))
        return rd_syntax_other(reader, cursor, rd_syntax_nontrivial_text);
    if (has_unknown_attribute(reader, cursor))
        return rd_syntax_other(reader, cursor, "a variable with an attribute");
    if (clang->getCanonicalType(clang->getCursorType(cursor)).kind == CXType_VariableArray)
        return declare_variable_array(reader, cursor);
    CXCursor initial = clang->Cursor_getVarDeclInitializer(cursor);
    if (rd_syntax_is_group(reader, clang->getCursorType(cursor)))
        return !clang->Cursor_isNull(initial) && rd_syntax_is_plain_group(reader, initial)
                   ? rd_syntax_make(reader, RD_SYNTAX_EMPTY, cursor, 0, NULL)
                   : rd_syntax_other(reader, cursor,
                                     "a group that is neither a name nor this_thread_block()");
    const struct rd_syntax_declaration *declaration = rd_syntax_declaration_of(reader, cursor);
    const bool has_initial = !clang->Cursor_isNull(initial);
    const struct rd_syntax_node **kids;
    struct rd_syntax_node *made =
        rd_syntax_make(reader, RD_SYNTAX_DECLARE, cursor, has_initial, &kids);
    if (!made || !declaration)
        return NULL;
    made->declaration = declaration;
    made->name = declaration->name;
    if (has_initial &&
        !(kids[0] = rd_syntax_initial(reader, initial, clang->getCursorType(cursor))))
        return NULL;
    return made;
}

/* The declarations of one statement. */
static void add_declarations(struct rd_syntax_reader *reader, CXCursor cursor, struct nodes *nodes)
{
    struct rd_syntax_cursors kids = rd_syntax_children(reader, cursor);
    for (size_t k = 0; k < kids.n; k++) {
        const enum CXCursorKind kind = reader->clang->getCursorKind(kids.all[k]);
        if (kind == CXCursor_VarDecl)
            add(reader, nodes, declare(reader, kids.all[k]));
        else if (kind != CXCursor_StructDecl && kind != CXCursor_UnionDecl &&
                 kind != CXCursor_EnumDecl && kind != CXCursor_TypedefDecl &&
                 kind != CXCursor_StaticAssert && kind != CXCursor_NamespaceAlias &&
                 kind != CXCursor_UsingDirective && kind != CXCursor_UsingDeclaration &&
                 !reader->clang->isAttribute(kind))
            add(reader, nodes,
                rd_syntax_other(reader, kids.all[k], "a declaration of no variable"));
    }
    free(kids.all);
}

static node block(struct rd_syntax_reader *reader, CXCursor cursor)
{
    struct rd_syntax_cursors kids = rd_syntax_children(reader, cursor);
    struct nodes nodes = {0};
    for (size_t k = 0; k < kids.n; k++)
        if (reader->clang->getCursorKind(kids.all[k]) == CXCursor_DeclStmt)
            add_declarations(reader, kids.all[k], &nodes);
        else
            add(reader, &nodes, rd_syntax_statement(reader, kids.all[k]));
    free(kids.all);
    return of_nodes(reader, RD_SYNTAX_BLOCK, cursor, &nodes);
}

/* ---- loops ---- */

/* Of `if`, `while` and `for`: the places of the semicolons that `for` has, and of what closes the parentheses. */
struct header {
    size_t first, second, close;
};

static size_t skip_quoted(const char *text, size_t at, size_t end)
{
    const char quote = text[at];
    for (at++; at < end && text[at] != quote; at++)
        at += text[at] == '\\';
    return at;
}

static struct header header_of(const struct rd_syntax_reader *reader, CXCursor cursor)
{
    const char *text = reader->source->text;
    const size_t end = rd_syntax_end(reader, cursor);
    struct header header = {end, end, end};
    unsigned depth = 0, n = 0;
    for (size_t at = rd_syntax_start(reader, cursor); at < end; at++) {
        const char c = text[at];
        if (c == '"' || c == '\'') {
            at = skip_quoted(text, at, end);
        } else if (c == '#' && at > 0 && text[at - 1] == '\n') {
            while (at < end && text[at] != '\n')
                at++;
        } else if (c == '(' || c == '[' || c == '{') {
            depth++;
        } else if (c == ')' || c == ']' || c == '}') {
            if (--depth == 0) {
                header.close = at;
                break;
            }
        } else if (c == ';' && depth == 1) {
            *(n++ == 0 ? &header.first : &header.second) = at;
        }
    }
    return header;
}

/* The first part of `for`: of several declarations it is a block, whose variables the loop has. */
static node initial_part(struct rd_syntax_reader *reader, CXCursor cursor)
{
    if (reader->clang->getCursorKind(cursor) != CXCursor_DeclStmt)
        return rd_syntax_statement(reader, cursor);
    struct nodes nodes = {0};
    add_declarations(reader, cursor, &nodes);
    if (nodes.n != 1)
        return of_nodes(reader, RD_SYNTAX_BLOCK, cursor, &nodes);
    node made = nodes.all[0];
    free(nodes.all);
    return made;
}

static node for_statement(struct rd_syntax_reader *reader, CXCursor cursor)
{
    const struct header header = header_of(reader, cursor);
    struct rd_syntax_cursors kids = rd_syntax_children(reader, cursor);
    const struct rd_syntax_node **of;
    struct rd_syntax_node *made = rd_syntax_make(reader, RD_SYNTAX_FOR, cursor, 4, &of);
    node result = made;
    for (size_t k = 0; made && result && k < kids.n; k++) {
        const size_t at = rd_syntax_start(reader, kids.all[k]);
        const int part = at > header.close ? 3 : at > header.second ? 2 : at > header.first ? 1 : 0;
        if (of[part] ||
            (part == 1 && reader->clang->isDeclaration(reader->clang->getCursorKind(kids.all[k]))))
            result = rd_syntax_other(reader, cursor, "a 'for' whose condition declares a variable");
        else if (!(of[part] = part == 0 ? initial_part(reader, kids.all[k])
                                        : rd_syntax_statement(reader, kids.all[k])))
            result = NULL;
    }
    free(kids.all);
    if (result == made && made && !of[3])
        result = rd_syntax_other(reader, cursor, "a 'for' of a kind that is not known");
    return result == made && made ? rd_syntax_without_jumps(reader, result) : result;
}

/* ---- statements of a number of parts, of which none may be missing ---- */

static node of_parts(struct rd_syntax_reader *reader, CXCursor cursor, enum rd_syntax_kind kind,
                     size_t least, size_t most)
{
    struct rd_syntax_cursors kids = rd_syntax_children(reader, cursor);
    const struct rd_syntax_node **of;
    struct rd_syntax_node *made = NULL;
    node result = NULL;
    bool declares = false;
    for (size_t k = 0; k < kids.n; k++) {
        const enum CXCursorKind part = reader->clang->getCursorKind(kids.all[k]);
        declares = declares || reader->clang->isDeclaration(part) || part == CXCursor_DeclStmt;
    }
    /* C++'s `if (init; condition)` has one more. */
    const bool has_header = kind == RD_SYNTAX_IF || kind == RD_SYNTAX_WHILE;
    const size_t close = has_header ? header_of(reader, cursor).close : 0;
    const bool is_known =
        !has_header || (kids.n > 1 && rd_syntax_start(reader, kids.all[0]) < close &&
                        rd_syntax_start(reader, kids.all[1]) > close);
    if (declares || !is_known || kids.n < least || kids.n > most) {
        result = rd_syntax_other(reader, cursor, "a statement whose condition has two parts");
    } else if ((made = rd_syntax_make(reader, kind, cursor, kids.n, &of))) {
        result = made;
        for (size_t k = 0; k < kids.n; k++)
            if (!(of[k] = rd_syntax_statement(reader, kids.all[k])))
                result = NULL;
    }
    free(kids.all);
    return result && result == made && kind == RD_SYNTAX_WHILE
               ? rd_syntax_without_jumps(reader, result)
               : result;
}

/* `#pragma unroll`, an attribute: the statement that it is of. */
static node unexposed(struct rd_syntax_reader *reader, CXCursor cursor)
{
    struct rd_syntax_cursors kids = rd_syntax_children(reader, cursor);
    size_t n = 0;
    for (size_t k = 0; k < kids.n; k++)
        if (!reader->clang->isAttribute(reader->clang->getCursorKind(kids.all[k])))
            kids.all[n++] = kids.all[k];
    node made = n == 1 ? rd_syntax_statement(reader, kids.all[0])
                       : rd_syntax_other(reader, cursor, "a statement that libclang does not show");
    free(kids.all);
    return made;
}

node rd_syntax_statement(struct rd_syntax_reader *reader, CXCursor cursor)
{
    const enum CXCursorKind kind = reader->clang->getCursorKind(cursor);
    if (reader->clang->isExpression(kind))
        return rd_syntax_expression(reader, cursor);
    switch (kind) {
    case CXCursor_CompoundStmt:
    case CXCursor_DeclStmt: /* where no block is around it: C++'s `if (…) int i;` */
        return kind == CXCursor_DeclStmt ? initial_part(reader, cursor) : block(reader, cursor);
    case CXCursor_IfStmt:
        return of_parts(reader, cursor, RD_SYNTAX_IF, 2, 3);
    case CXCursor_ForStmt:
        return for_statement(reader, cursor);
    case CXCursor_WhileStmt:
        return of_parts(reader, cursor, RD_SYNTAX_WHILE, 2, 2);
    case CXCursor_DoStmt:
        return of_parts(reader, cursor, RD_SYNTAX_DO, 2, 2);
    case CXCursor_ReturnStmt:
        return of_parts(reader, cursor, RD_SYNTAX_RETURN, 0, 1);
    case CXCursor_BreakStmt:
        return rd_syntax_make(reader, RD_SYNTAX_BREAK, cursor, 0, NULL);
    case CXCursor_ContinueStmt:
        return rd_syntax_make(reader, RD_SYNTAX_CONTINUE, cursor, 0, NULL);
    case CXCursor_NullStmt:
        return rd_syntax_make(reader, RD_SYNTAX_EMPTY, cursor, 0, NULL);
    case CXCursor_UnexposedStmt:
        return unexposed(reader, cursor);
    case CXCursor_SwitchStmt:
        return rd_syntax_other(reader, cursor, "a switch");
    case CXCursor_GotoStmt:
    case CXCursor_IndirectGotoStmt:
        return rd_syntax_other(reader, cursor, "a goto");
    case CXCursor_LabelStmt:
        return rd_syntax_other(reader, cursor, "a label");
    case CXCursor_CXXForRangeStmt:
        return rd_syntax_other(reader, cursor,
                               "a range-based for: write for (int i = 0; i < n; i++)");
    case CXCursor_CXXTryStmt:
        return rd_syntax_other(reader, cursor, "a try");
    case CXCursor_GCCAsmStmt:
    case CXCursor_MSAsmStmt:
        return rd_syntax_other(reader, cursor, "assembly");
    default: {
        const char *name = rd_syntax_keep(reader, reader->clang->getCursorKindSpelling(kind));
        return rd_syntax_other(
            reader, cursor, rd_texts_format(&reader->unit->texts, "what libclang calls %s", name));
    }
    }
}
