// SPDX-License-Identifier: MIT
/* Cooperative groups, as far as the prover's own header has them: kernels/prove_groups.h. A group is no value of the kernel's: its variables
 * and parameters are left out, and what is called of it is read as what the function's body says. */
#include "prove/syntax/reader.h"

typedef const struct rd_syntax_node *node;

static bool has_mark(struct rd_syntax_reader *reader, CXCursor declared, const char *mark)
{
    return rd_syntax_is_of_system(reader, declared) &&
           rd_syntax_has_annotation(reader, declared, mark);
}

bool rd_syntax_is_group(struct rd_syntax_reader *reader, CXType type)
{
    const struct rd_libclang *clang = reader->clang;
    type = clang->getCanonicalType(type);
    if (type.kind == CXType_LValueReference || type.kind == CXType_RValueReference)
        type = clang->getCanonicalType(clang->getPointeeType(type));
    return type.kind == CXType_Record && has_mark(reader, clang->getTypeDeclaration(type), "group");
}

bool rd_syntax_is_plain_group(struct rd_syntax_reader *reader, CXCursor cursor)
{
    const struct rd_libclang *clang = reader->clang;
    const enum CXCursorKind kind = clang->getCursorKind(cursor);
    const CXCursor referenced = clang->getCursorReferenced(cursor);
    if (!rd_syntax_is_group(reader, clang->getCursorType(cursor)))
        return false;
    if (kind == CXCursor_DeclRefExpr)
        return clang->getCursorKind(referenced) == CXCursor_VarDecl ||
               clang->getCursorKind(referenced) == CXCursor_ParmDecl;
    struct rd_syntax_cursors kids = rd_syntax_operands(reader, cursor);
    bool is = false;
    if (kind == CXCursor_CallExpr && clang->getCursorKind(referenced) == CXCursor_FunctionDecl)
        is = kids.n == 1 && has_mark(reader, referenced, "this group");
    else if (kind == CXCursor_CallExpr || kind == CXCursor_UnexposedExpr ||
             kind == CXCursor_ParenExpr) /* a copy */
        is = kids.n == 1 && rd_syntax_is_plain_group(reader, kids.all[0]);
    free(kids.all);
    return is;
}

bool rd_syntax_is_of_group(struct rd_syntax_reader *reader, CXCursor function)
{
    return has_mark(reader, function, "of group");
}

/* The only statement of the function, or what it returns. */
static bool body_of(struct rd_syntax_reader *reader, CXCursor function, CXCursor *body)
{
    const struct rd_libclang *clang = reader->clang;
    bool found = false;
    for (bool goes_on = true; goes_on && !found;) {
        struct rd_syntax_cursors kids = rd_syntax_children(reader, function);
        goes_on = false;
        for (size_t k = 0; k < kids.n && !found && !goes_on; k++) {
            const enum CXCursorKind kind = clang->getCursorKind(kids.all[k]);
            found = clang->isExpression(kind);
            goes_on = kind == CXCursor_CompoundStmt || kind == CXCursor_ReturnStmt;
            if (found)
                *body = kids.all[k];
            else if (goes_on)
                function = kids.all[k];
        }
        free(kids.all);
    }
    return found;
}

/* Has all of it stand where the call does. */
static void set_place(struct rd_syntax_node *made, const struct rd_syntax_node *place)
{
    made->file = place->file;
    made->line = place->line;
    made->column = place->column;
    for (size_t k = 0; k < made->n_kids; k++)
        if (made->kids[k])
            set_place((struct rd_syntax_node *)made->kids[k], place);
}

/* Tells whether what is called is named alone, or as a member of a plain group. */
static bool names_plain(struct rd_syntax_reader *reader, CXCursor cursor)
{
    const enum CXCursorKind kind = reader->clang->getCursorKind(cursor);
    if (kind == CXCursor_DeclRefExpr)
        return true;
    struct rd_syntax_cursors kids = rd_syntax_operands(reader, cursor);
    bool is = false;
    if (kids.n == 1 && kind == CXCursor_UnexposedExpr) /* the function as a pointer */
        is = names_plain(reader, kids.all[0]);
    else if (kids.n == 1 && kind == CXCursor_MemberRefExpr)
        is = rd_syntax_is_plain_group(reader, kids.all[0]);
    free(kids.all);
    return is;
}

node rd_syntax_call_of_group(struct rd_syntax_reader *reader, CXCursor cursor, CXCursor function,
                             const struct rd_syntax_cursors *kids)
{
    const struct rd_libclang *clang = reader->clang;
    CXCursor body;
    bool is_plain = kids->n > 0 && names_plain(reader, kids->all[0]);
    for (size_t k = 1; k < kids->n; k++)
        is_plain = is_plain && rd_syntax_is_plain_group(reader, kids->all[k]);
    if (!is_plain || !body_of(reader, clang->getCursorDefinition(function), &body))
        return rd_syntax_other(reader, cursor,
                               "a group that is neither a name nor this_thread_block()");
    const struct rd_syntax_node *place = rd_syntax_make(reader, RD_SYNTAX_EMPTY, cursor, 0, NULL),
                                *made = rd_syntax_expression(reader, body);
    if (place && made)
        set_place((struct rd_syntax_node *)made, place);
    return place ? made : NULL;
}
