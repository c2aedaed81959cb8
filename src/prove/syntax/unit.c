// SPDX-License-Identifier: MIT
/* A unit: all functions of a text that has been preprocessed. */
#include "prove/syntax/reader.h"

#include "base/array.h"

#include <stdlib.h>
#include <string.h>

static bool add_function(struct rd_syntax_reader *reader, CXCursor cursor, CXCursor body,
                         const char *instance)
{
    const struct rd_libclang *clang = reader->clang;
    struct rd_syntax_unit *unit = reader->unit;
    struct rd_syntax_cursors kids = rd_syntax_children(reader, cursor);
    const struct rd_syntax_declaration **parameters =
        rd_syntax_allocate(&unit->memory, (kids.n + 1) * sizeof *parameters);
    struct rd_syntax_function function = {.instance = instance, .parameters = parameters};
    unsigned column;
    for (size_t k = 0; k < kids.n && parameters; k++)
        if (clang->getCursorKind(kids.all[k]) == CXCursor_ParmDecl &&
            !rd_syntax_is_group(reader, clang->getCursorType(kids.all[k])))
            parameters[function.n_parameters++] = rd_syntax_declaration_of(reader, kids.all[k]);
    free(kids.all);
    function.name = rd_syntax_keep(reader, clang->getCursorSpelling(cursor));
    function.symbol = rd_syntax_keep(reader, clang->getCursorUSR(cursor));
    function.is_kernel = rd_syntax_has_annotation(reader, cursor, "global");
    function.bounds = rd_syntax_annotation(reader, cursor, "launch_bounds ");
    if (!function.bounds) /* declared before */
        function.bounds =
            rd_syntax_annotation(reader, clang->getCanonicalCursor(cursor), "launch_bounds ");
    function.returns = rd_syntax_type_of(reader, clang->getCursorResultType(cursor));
    function.body = rd_syntax_statement(reader, body);
    rd_syntax_place(reader, cursor, &function.file, &function.line, &column);
    if (!parameters || !function.body || reader->failed ||
        !rd_array_make_room(&unit->functions, unit->count, &unit->capacity,
                            sizeof *unit->functions))
        return false;
    unit->functions[unit->count++] = function;
    return true;
}

/* ---- before and behind main() ---- */

static void note_code_outside_main(struct rd_syntax_reader *reader, CXCursor cursor,
                                   const char *what)
{
    const char *file;
    unsigned line, column;
    if (reader->unit->code_outside_main)
        return;
    rd_syntax_place(reader, cursor, &file, &line, &column);
    reader->unit->code_outside_main =
        rd_texts_format(&reader->unit->texts, "%s:%u: %s", file, line, what);
}

/* Tells whether an expression calls something, but for a constructor of the system's, or is a lambda. */
static bool has_call(struct rd_syntax_reader *reader, CXCursor cursor)
{
    const struct rd_libclang *clang = reader->clang;
    const enum CXCursorKind kind = clang->getCursorKind(cursor);
    const CXCursor referenced = clang->getCursorReferenced(cursor);
    if (kind == CXCursor_LambdaExpr || kind == CXCursor_CXXNewExpr ||
        (kind == CXCursor_CallExpr && (clang->getCursorKind(referenced) != CXCursor_Constructor ||
                                       !rd_syntax_is_of_system(reader, referenced))))
        return true;
    struct rd_syntax_cursors kids = rd_syntax_children(reader, cursor);
    bool has = false;
    for (size_t k = 0; k < kids.n && !has; k++)
        has = has_call(reader, kids.all[k]);
    free(kids.all);
    return has;
}

/* Tells whether the declaration's own words have that one. */
static bool has_word(const struct rd_syntax_reader *reader, CXCursor cursor, const char *word)
{
    const size_t from = rd_syntax_start(reader, cursor), to = rd_syntax_end(reader, cursor);
    return from < to && memmem(reader->source->text + from, to - from, word, strlen(word));
}

static void check_initializer(struct rd_syntax_reader *reader, CXCursor cursor)
{
    const struct rd_libclang *clang = reader->clang;
    const CXCursor initial = clang->Cursor_getVarDeclInitializer(cursor);
    if (rd_syntax_is_of_system(reader, cursor))
        return;
    if (rd_syntax_is_nontrivial(reader, clang->getCursorType(cursor)))
        note_code_outside_main(reader, cursor, rd_syntax_nontrivial_text);
    if (!clang->Cursor_isNull(initial) && !has_word(reader, cursor, "constexpr") &&
        has_call(reader, initial))
        note_code_outside_main(reader, cursor,
                               "a variable whose initial value is worked out before main()");
}

/* constructor, destructor; what is found by a function is found before main(), too. */
static void check_attributes(struct rd_syntax_reader *reader, CXCursor cursor)
{
    struct rd_syntax_cursors kids = rd_syntax_children(reader, cursor);
    for (size_t k = 0; k < kids.n; k++)
        if (reader->clang->getCursorKind(kids.all[k]) == CXCursor_UnexposedAttr &&
            !rd_syntax_is_of_system(reader, cursor) &&
            (has_word(reader, kids.all[k], "structor") || has_word(reader, kids.all[k], "ifunc") ||
             has_word(reader, kids.all[k], "alias")))
            note_code_outside_main(
                reader, cursor,
                "a constructor, destructor, ifunc or alias function: code outside main()");
    free(kids.all);
}

/* ---- functions ---- */

/* Bounds of a launch may stand at any declaration. */
static void add_bounds(struct rd_syntax_reader *reader, CXCursor cursor)
{
    const char *bounds = rd_syntax_annotation(reader, cursor, "launch_bounds ");
    const char *symbol =
        bounds ? rd_syntax_keep(reader, reader->clang->getCursorUSR(cursor)) : NULL;
    for (size_t k = 0; symbol && k < reader->unit->count; k++) {
        struct rd_syntax_function *function = &reader->unit->functions[k];
        if (function->symbol && strcmp(function->symbol, symbol) == 0)
            function->bounds =
                !function->bounds || strcmp(function->bounds, bounds) == 0 ? bounds : "several";
    }
}

/* Reads the function if it has a body. */
static bool read_function(struct rd_syntax_reader *reader, CXCursor cursor)
{
    const struct rd_libclang *clang = reader->clang;
    check_attributes(reader, cursor);
    if (!clang->isCursorDefinition(cursor))
        add_bounds(reader, cursor);
    if (!clang->isCursorDefinition(cursor) || rd_syntax_is_of_group(reader, cursor) ||
        clang->Location_isInSystemHeader(clang->getCursorLocation(cursor)))
        return true;
    struct rd_syntax_cursors kids = rd_syntax_children(reader, cursor);
    bool done = true;
    for (size_t k = 0; k < kids.n; k++)
        if (clang->getCursorKind(kids.all[k]) == CXCursor_CompoundStmt)
            done = add_function(reader, cursor, kids.all[k], NULL);
    free(kids.all);
    return done;
}

static bool read_functions(struct rd_syntax_reader *reader, CXCursor cursor)
{
    struct rd_syntax_cursors kids = rd_syntax_children(reader, cursor);
    bool done = !reader->failed;
    for (size_t k = 0; k < kids.n && done; k++) {
        switch (reader->clang->getCursorKind(kids.all[k])) {
        case CXCursor_FunctionDecl:
            done = read_function(reader, kids.all[k]);
            break;
        case CXCursor_VarDecl:
            check_initializer(reader, kids.all[k]);
            break;
        case CXCursor_StructDecl: /* static members */
        case CXCursor_ClassDecl:
            done =
                rd_syntax_is_of_system(reader, kids.all[k]) || read_functions(reader, kids.all[k]);
            break;
        case CXCursor_Namespace:
        case CXCursor_LinkageSpec:
        case CXCursor_UnexposedDecl: /* extern "C" of clang 14 */
            done = read_functions(reader, kids.all[k]);
            break;
        default:
            break;
        }
    }
    free(kids.all);
    return done;
}

/* Reads the instances of templates that calls name, and those that these call. */
static bool read_instances(struct rd_syntax_reader *reader)
{
    for (size_t i = 0; i < reader->instances.n; i++) {
        CXCursor cursor = reader->instances.all[i];
        struct rd_syntax_cursors kids = rd_syntax_children(reader, cursor);
        const char *instance = rd_syntax_keep(reader, reader->clang->getCursorUSR(cursor));
        bool done = true;
        for (size_t k = 0; k < kids.n && done; k++)
            if (reader->clang->getCursorKind(kids.all[k]) == CXCursor_CompoundStmt)
                done = add_function(reader, cursor, kids.all[k], instance);
        free(kids.all);
        if (!done)
            return false;
    }
    return true;
}

/* The compiler's first error; RD_OK if it has none. Those of the C++ library are of what it has for gcc alone: who uses
 * that has an error of his own. */
static enum rd_status first_error(struct rd_syntax_reader *reader, CXTranslationUnit tu,
                                  struct rd_error *error)
{
    const struct rd_libclang *clang = reader->clang;
    enum rd_status status = RD_OK;
    for (unsigned k = 0; k < clang->getNumDiagnostics(tu) && status == RD_OK; k++) {
        CXDiagnostic diagnostic = clang->getDiagnostic(tu, k);
        if (clang->getDiagnosticSeverity(diagnostic) >= CXDiagnostic_Error &&
            !clang->Location_isInSystemHeader(clang->getDiagnosticLocation(diagnostic))) {
            CXString name, text = clang->getDiagnosticSpelling(diagnostic);
            unsigned line = 0, column = 0;
            clang->getPresumedLocation(clang->getDiagnosticLocation(diagnostic), &name, &line,
                                       &column);
            const char *file = clang->getCString(name), *directory = reader->source->directory;
            if (file && directory && strncmp(file, directory, strlen(directory)) == 0)
                file += strlen(directory);
            status = rd_fail(error, RD_ERROR_INPUT, "%s:%u: %s", file ? file : "", line,
                             clang->getCString(text));
            clang->disposeString(name);
            clang->disposeString(text);
        }
        clang->disposeDiagnostic(diagnostic);
    }
    return status;
}

static enum rd_status read_unit(struct rd_syntax_reader *reader, CXIndex index,
                                struct rd_error *error)
{
    static const char *const of_c[] = {"-x",
                                       "cpp-output",
                                       "-std=gnu11",
                                       "-Wno-everything",
                                       "-Werror=implicit-function-declaration",
                                       "-Werror=implicit-int",
                                       "-Werror=int-conversion",
                                       "-Werror=incompatible-pointer-types"};
    static const char *const of_cpp[] = {"-x", "c++-cpp-output", "-std=gnu++17", "-w",
                                         "-ferror-limit=0"};
    const struct rd_libclang *clang = reader->clang;
    const bool is_cpp = reader->source->is_cpp;
    struct CXUnsavedFile file = {"reductio_unit.i", reader->source->text, reader->source->size};
    CXTranslationUnit tu = NULL;
    const enum CXErrorCode code = clang->parseTranslationUnit2(
        index, file.Filename, is_cpp ? of_cpp : of_c,
        is_cpp ? sizeof of_cpp / sizeof *of_cpp : sizeof of_c / sizeof *of_c, &file, 1,
        CXTranslationUnit_None, &tu);
    if (code != CXError_Success)
        return rd_fail(error, RD_ERROR_INPUT, "libclang can't read the text: its error %d", code);
    enum rd_status status = first_error(reader, tu, error);
    if (status == RD_OK &&
        (!read_functions(reader, clang->getTranslationUnitCursor(tu)) || !read_instances(reader) ||
         reader->failed || reader->unit->memory.failed || reader->unit->texts.failed))
        status = rd_fail(error, RD_ERROR_MEMORY, "no memory to read the syntax");
    clang->disposeTranslationUnit(tu);
    return status;
}

enum rd_status rd_syntax_read(struct rd_syntax_unit **unit, const struct rd_syntax_text *source,
                              struct rd_error *error)
{
    struct rd_syntax_reader reader = {.source = source};
    enum rd_status status = rd_libclang_load(&reader.clang, error);
    if (status != RD_OK)
        return status;
    reader.unit = calloc(1, sizeof *reader.unit);
    if (!reader.unit)
        return rd_fail(error, RD_ERROR_MEMORY, "no memory to read the syntax");
    reader.clang->toggleCrashRecovery(
        0); /* its handlers of signals would take the simulator's place */
    CXIndex index = reader.clang->createIndex(0, 0);
    status = read_unit(&reader, index, error);
    reader.clang->disposeIndex(index);
    free(reader.types);
    free(reader.declarations);
    free(reader.instances.all);
    if (status == RD_OK)
        *unit = reader.unit;
    else
        rd_syntax_destroy(reader.unit);
    return status;
}
