// SPDX-License-Identifier: MIT
/* Values as those of another type: conversions and initializations. */
#include "prove/syntax/reader.h"

#include "base/array.h"

#include <string.h>

typedef const struct rd_syntax_node *node;

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

bool rd_syntax_is_function(node kid)
{
    return kid->kind == RD_SYNTAX_NAME && !kid->declaration;
}

/* The kid as a value of the type. Conversions that change no value are left out: a read of a variable, an array that becomes a
 * pointer to its first element, qualifiers. Of literals none is left. */
node rd_syntax_converted(struct rd_syntax_reader *reader, CXCursor cursor, node kid,
                         const struct rd_syntax_type *type)
{
    if (!kid || !kid->type || kid->kind == RD_SYNTAX_OTHER || rd_syntax_is_same(kid->type, type))
        return kid;
    if (type->kind == RD_SYNTAX_POINTER &&
        (kid->type->kind == RD_SYNTAX_ARRAY ? rd_syntax_is_same(kid->type->of, type->of)
                                            : rd_syntax_is_function(kid)))
        return kid;
    const bool is_literal = kid->kind == RD_SYNTAX_NUMBER;
    const bool folds = is_literal && rd_syntax_is_integer(kid->type) && rd_syntax_is_integer(type);
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
    return rd_syntax_converted(reader, cursor, rd_syntax_expression(reader, cursor),
                               rd_syntax_type_of(reader, type));
}
