// SPDX-License-Identifier: MIT
#include "prove/syntax/reader.h"

#include "base/array.h"

#include <string.h>

/* ---- types ---- */

struct row {
    enum rd_syntax_type_kind kind;
    bool is_signed;
};

static struct row row_of(enum CXTypeKind kind)
{
    switch (kind) {
    case CXType_Void:
        return (struct row){RD_SYNTAX_VOID, false};
    case CXType_Bool:
        return (struct row){RD_SYNTAX_BOOL, false};
    case CXType_Char_S:
    case CXType_SChar:
    case CXType_Short:
    case CXType_Int:
    case CXType_Long:
    case CXType_LongLong:
    case CXType_Int128:
        return (struct row){RD_SYNTAX_INTEGER, true};
    case CXType_Char_U:
    case CXType_UChar:
    case CXType_UShort:
    case CXType_UInt:
    case CXType_ULong:
    case CXType_ULongLong:
    case CXType_UInt128:
        return (struct row){RD_SYNTAX_INTEGER, false};
    case CXType_Half:
    case CXType_Float16:
    case CXType_Float:
    case CXType_Double:
    case CXType_LongDouble:
    case CXType_Float128:
        return (struct row){RD_SYNTAX_FLOAT, true};
    case CXType_Pointer:
        return (struct row){RD_SYNTAX_POINTER, false};
    case CXType_ConstantArray:
    case CXType_IncompleteArray:
    case CXType_VariableArray:
    case CXType_DependentSizedArray:
        return (struct row){RD_SYNTAX_ARRAY, false};
    case CXType_Record:
        return (struct row){RD_SYNTAX_RECORD, false};
    default:
        return (struct row){RD_SYNTAX_NO_TYPE, false};
    }
}

/* Without the qualifiers that stand in front. */
static const char *bare(const char *name)
{
    static const char *const qualifiers[] = {"const ", "volatile ", "struct ", "union ", "enum "};
    for (size_t k = 0; k < sizeof qualifiers / sizeof *qualifiers; k++)
        if (strncmp(name, qualifiers[k], strlen(qualifiers[k])) == 0)
            return bare(name + strlen(qualifiers[k]));
    return name;
}

/* Whatever a typedef calls it. One that has none is named by its place, which has no directory. */
static const char *name_of_record(struct rd_syntax_reader *reader, CXType type)
{
    const char *name = bare(rd_syntax_keep(reader, reader->clang->getTypeSpelling(type))),
               *directory = reader->source->directory,
               *place = directory ? strstr(name, directory) : NULL;
    if (!place)
        return name;
    name = rd_texts_format(&reader->unit->texts, "%.*s%s", (int)(place - name), name,
                           place + strlen(directory));
    return name ? name : "";
}

struct members {
    size_t n;
    CXCursor first;
};

static enum CXVisitorResult count_member(CXCursor cursor, CXClientData data)
{
    struct members *members = data;
    if (members->n++ == 0)
        members->first = cursor;
    return CXVisit_Continue;
}

/* The type of the elements of a std::vector of the system's; NULL of other types. */
static const struct rd_syntax_type *elements_of(struct rd_syntax_reader *reader, CXType type)
{
    const struct rd_libclang *clang = reader->clang;
    const CXType element = clang->Type_getTemplateArgumentAsType(type, 0),
                 allocator = clang->Type_getTemplateArgumentAsType(type, 1);
    const char *name = bare(rd_syntax_keep(reader, clang->getTypeSpelling(type)));
    if (strncmp(name, "std::vector<", strlen("std::vector<")) != 0 ||
        element.kind == CXType_Invalid || allocator.kind == CXType_Invalid ||
        !clang->Location_isInSystemHeader(
            clang->getCursorLocation(clang->getTypeDeclaration(type))))
        return NULL;
    const char *by =
        rd_syntax_keep(reader, clang->getTypeSpelling(clang->getCanonicalType(allocator)));
    return strncmp(by, "std::allocator<", strlen("std::allocator<")) == 0
               ? rd_syntax_type_of(reader, element)
               : NULL;
}

/* Of a record with one member, that; of others, their names alone are known. */
static void describe_record(struct rd_syntax_reader *reader, CXType type, struct rd_syntax_type *is)
{
    const struct rd_libclang *clang = reader->clang;
    struct members members = {.n = 0};
    const long long size = clang->Type_getSizeOf(type);
    is->bits = size > 0 && size < 1 << 20 ? (unsigned)size * 8 : 0;
    is->elements = elements_of(reader, type);
    clang->Type_visitFields(type, count_member, &members);
    if (members.n != 1)
        return;
    const struct rd_syntax_type *of =
        rd_syntax_type_of(reader, clang->getCursorType(members.first));
    is->of = of;
    is->member = rd_syntax_keep(reader, clang->getCursorSpelling(members.first));
}

static void describe(struct rd_syntax_reader *reader, CXType type, struct rd_syntax_type *is)
{
    const struct rd_libclang *clang = reader->clang;
    CXType canonical = clang->getCanonicalType(type), plain = canonical;
    const char *name = rd_syntax_keep(reader, clang->getTypeSpelling(type));
    if (canonical.kind == CXType_Enum)
        plain = clang->getCanonicalType(
            clang->getEnumDeclIntegerType(clang->getTypeDeclaration(canonical)));
    const struct row row = row_of(plain.kind);
    *is = (struct rd_syntax_type){
        .kind = row.kind,
        .is_signed = row.is_signed,
        .is_const = clang->isConstQualifiedType(canonical) || clang->isConstQualifiedType(type),
        .is_volatile =
            clang->isVolatileQualifiedType(canonical) || clang->isVolatileQualifiedType(type),
        .name = name,
    };
    if (row.kind == RD_SYNTAX_POINTER) {
        is->of = rd_syntax_type_of(
            reader, clang->getPointeeType(type.kind == CXType_Pointer ? type : canonical));
    } else if (row.kind == RD_SYNTAX_ARRAY) {
        const bool has_sugar = row_of(type.kind).kind == RD_SYNTAX_ARRAY;
        const long long length = clang->getArraySize(canonical);
        is->of =
            rd_syntax_type_of(reader, clang->getArrayElementType(has_sugar ? type : canonical));
        is->length = length > 0 ? (uint64_t)length : 0;
    } else {
        is->name = row.kind == RD_SYNTAX_RECORD ? name_of_record(reader, canonical) : bare(name);
        if (row.kind == RD_SYNTAX_RECORD)
            describe_record(reader, canonical, is);
        if (row.kind == RD_SYNTAX_BOOL || row.kind == RD_SYNTAX_INTEGER ||
            row.kind == RD_SYNTAX_FLOAT) {
            const long long size = clang->Type_getSizeOf(plain);
            is->bits = size > 0 ? (unsigned)size * 8 : 0;
        }
    }
}

const struct rd_syntax_type *rd_syntax_type_of(struct rd_syntax_reader *reader, CXType type)
{
    for (size_t k = 0; k < reader->n_types; k++)
        if (reader->clang->equalTypes(reader->types[k].type, type))
            return reader->types[k].is;
    struct rd_syntax_type *is = rd_syntax_allocate(&reader->unit->memory, sizeof *is);
    if (!is || !rd_array_make_room(&reader->types, reader->n_types, &reader->types_capacity,
                                   sizeof *reader->types)) {
        static const struct rd_syntax_type none = {.kind = RD_SYNTAX_NO_TYPE, .name = ""};
        reader->failed = true;
        return &none;
    }
    /* Known before it is described: a record's member may lead back to it. */
    reader->types[reader->n_types++] = (struct rd_syntax_known_type){type, is};
    describe(reader, type, is);
    return is;
}

bool rd_syntax_is_same(const struct rd_syntax_type *a, const struct rd_syntax_type *b)
{
    if (a->kind != b->kind)
        return false;
    switch (a->kind) {
    case RD_SYNTAX_VOID:
    case RD_SYNTAX_BOOL:
        return true;
    case RD_SYNTAX_INTEGER:
    case RD_SYNTAX_FLOAT:
        return a->bits == b->bits && a->is_signed == b->is_signed;
    case RD_SYNTAX_ARRAY:
        if (a->length != b->length)
            return false;
        /* fall through */
    case RD_SYNTAX_POINTER:
        return rd_syntax_is_same(a->of, b->of);
    case RD_SYNTAX_RECORD:
    case RD_SYNTAX_NO_TYPE:
        return strcmp(bare(a->name), bare(b->name)) == 0;
    }
    return false;
}

bool rd_syntax_is_integer(const struct rd_syntax_type *type)
{
    return type->kind == RD_SYNTAX_INTEGER || type->kind == RD_SYNTAX_BOOL;
}

/* ---- non-trivial classes ---- */

/* The prover's own headers, which lie in its directory. */
static bool is_of_prover(struct rd_syntax_reader *reader, CXSourceLocation location)
{
    static const char *const own[] = {"prove_cuda.h", "prove_host.h", "prove_words.h"};
    const char *directory = reader->source->directory;
    const size_t length = directory ? strlen(directory) : 0;
    unsigned line, column;
    CXString name;
    bool is_own = false;
    reader->clang->getPresumedLocation(location, &name, &line, &column);
    const char *file = reader->clang->getCString(name);
    if (file && strncmp(file, directory ? directory : "", length) == 0) {
        const char *slash = strrchr(file, '/');
        is_own = strncmp(file + length, "cuda/", strlen("cuda/")) == 0; /* of a user's file */
        for (size_t k = 0; k < sizeof own / sizeof *own; k++)
            is_own = is_own || strcmp(slash ? slash + 1 : file, own[k]) == 0;
    }
    reader->clang->disposeString(name);
    return is_own;
}

bool rd_syntax_is_of_system(struct rd_syntax_reader *reader, CXCursor declared)
{
    const CXSourceLocation location = reader->clang->getCursorLocation(declared);
    return reader->clang->Location_isInSystemHeader(location) || is_of_prover(reader, location);
}

const char rd_syntax_nontrivial_text[] =
    "an object of a type with a constructor, a destructor or members with "
    "initial values";

bool rd_syntax_is_nontrivial(struct rd_syntax_reader *reader, CXType type)
{
    const struct rd_libclang *clang = reader->clang;
    for (;;) {
        type = clang->getCanonicalType(type);
        if (type.kind == CXType_Pointer || type.kind == CXType_LValueReference ||
            type.kind == CXType_RValueReference)
            type = clang->getPointeeType(type);
        else if (row_of(type.kind).kind == RD_SYNTAX_ARRAY)
            type = clang->getArrayElementType(type);
        else
            break;
    }
    if (type.kind != CXType_Record)
        return false;
    const int n = clang->Type_getNumTemplateArguments(type);
    for (int k = 0; k < n; k++) {
        const CXType argument = clang->Type_getTemplateArgumentAsType(type, (unsigned)k);
        if (argument.kind != CXType_Invalid && rd_syntax_is_nontrivial(reader, argument))
            return true;
    }
    return !clang->isPODType(type) &&
           !rd_syntax_is_of_system(reader, clang->getTypeDeclaration(type));
}

/* ---- declarations ---- */

const char *rd_syntax_annotation(struct rd_syntax_reader *reader, CXCursor cursor,
                                 const char *beginning)
{
    struct rd_syntax_cursors kids = rd_syntax_children(reader, cursor);
    const char *found = NULL;
    for (size_t k = 0; k < kids.n && !found; k++) {
        if (reader->clang->getCursorKind(kids.all[k]) != CXCursor_AnnotateAttr)
            continue;
        const char *given = rd_syntax_keep(reader, reader->clang->getCursorSpelling(kids.all[k]));
        if (given && strncmp(given, beginning, strlen(beginning)) == 0)
            found = given + strlen(beginning);
    }
    free(kids.all);
    return found;
}

bool rd_syntax_has_annotation(struct rd_syntax_reader *reader, CXCursor cursor, const char *name)
{
    const char *rest = rd_syntax_annotation(reader, cursor, name);
    return rest && *rest == '\0';
}

static bool is_global(const struct rd_syntax_reader *reader, CXCursor cursor)
{
    const enum CXCursorKind kind =
        reader->clang->getCursorKind(reader->clang->getCursorSemanticParent(cursor));
    return kind == CXCursor_TranslationUnit || kind == CXCursor_Namespace ||
           kind == CXCursor_LinkageSpec;
}

const struct rd_syntax_declaration *rd_syntax_declaration_of(struct rd_syntax_reader *reader,
                                                             CXCursor cursor)
{
    const struct rd_libclang *clang = reader->clang;
    const char *file;
    unsigned column;
    cursor = clang->getCanonicalCursor(cursor);
    for (size_t k = reader->n_declarations; k-- > 0;)
        if (clang->equalCursors(reader->declarations[k].cursor, cursor))
            return reader->declarations[k].is;
    struct rd_syntax_declaration *is = rd_syntax_allocate(&reader->unit->memory, sizeof *is);
    if (!is || !rd_array_make_room(&reader->declarations, reader->n_declarations,
                                   &reader->declarations_capacity, sizeof *reader->declarations)) {
        reader->failed = true;
        return NULL;
    }
    reader->declarations[reader->n_declarations++] =
        (struct rd_syntax_known_declaration){cursor, is};
    const enum CX_StorageClass storage = clang->Cursor_getStorageClass(cursor);
    is->name = rd_syntax_keep(reader, clang->getCursorSpelling(cursor));
    is->type = rd_syntax_type_of(reader, clang->getCursorType(cursor));
    is->is_static = storage == CX_SC_Static;
    is->is_extern = storage == CX_SC_Extern;
    is->is_parameter = clang->getCursorKind(cursor) == CXCursor_ParmDecl;
    is->is_global = !is->is_parameter && is_global(reader, cursor);
    is->is_shared = rd_syntax_has_annotation(reader, cursor, "shared");
    is->is_constant = rd_syntax_has_annotation(reader, cursor, "constant");
    rd_syntax_place(reader, cursor, &file, &is->line, &column);
    return is;
}
