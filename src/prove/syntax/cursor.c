// SPDX-License-Identifier: MIT
#include "prove/syntax/reader.h"

#include "base/array.h"

#include <ctype.h>
#include <string.h>

/* ---- cursors ---- */

struct visit {
    struct rd_syntax_reader *reader;
    struct rd_syntax_cursors found;
};

static enum CXChildVisitResult add_child(CXCursor cursor, CXCursor parent, CXClientData data)
{
    struct visit *visit = data;
    (void)parent;
    if (!rd_array_make_room(&visit->found.all, visit->found.n, &visit->found.capacity,
                            sizeof *visit->found.all)) {
        visit->reader->failed = true;
        return CXChildVisit_Break;
    }
    visit->found.all[visit->found.n++] = cursor;
    return CXChildVisit_Continue;
}

struct rd_syntax_cursors rd_syntax_children(struct rd_syntax_reader *reader, CXCursor cursor)
{
    struct visit visit = {.reader = reader};
    reader->clang->visitChildren(cursor, add_child, &visit);
    return visit.found;
}

static size_t offset_of(const struct rd_syntax_reader *reader, CXSourceLocation location)
{
    unsigned offset = 0;
    reader->clang->getExpansionLocation(location, NULL, NULL, NULL, &offset);
    return offset <= reader->source->size ? offset : reader->source->size;
}

size_t rd_syntax_start(const struct rd_syntax_reader *reader, CXCursor cursor)
{
    return offset_of(reader, reader->clang->getRangeStart(reader->clang->getCursorExtent(cursor)));
}

size_t rd_syntax_end(const struct rd_syntax_reader *reader, CXCursor cursor)
{
    return offset_of(reader, reader->clang->getRangeEnd(reader->clang->getCursorExtent(cursor)));
}

const char *rd_syntax_keep(struct rd_syntax_reader *reader, CXString text)
{
    const char *given = reader->clang->getCString(text),
               *kept = rd_texts_keep(&reader->unit->texts, given ? given : "");
    reader->clang->disposeString(text);
    return kept ? kept : "";
}

/* The column, in the original, of what is at `offset`; 0 where a macro or a comment stands before it in its line. */
static unsigned column_of(const struct rd_syntax_reader *reader, size_t offset, const char *file,
                          unsigned line)
{
    const struct rd_syntax_text *source = reader->source;
    const char *text = source->original ? source->original(source->self, file) : NULL;
    for (unsigned k = 1; text && k < line; k++)
        if ((text = strchr(text, '\n')))
            text++;
    if (!text)
        return 0;
    const char *made = source->text + offset, *at = text;
    while (made > source->text && made[-1] != '\n')
        made--;
    /* But for spaces, which the preprocessor keeps as it likes. */
    for (;; made++, at++) {
        while (*made == ' ' || *made == '\t')
            made++;
        while (*at == ' ' || *at == '\t')
            at++;
        if (*made != *at || *at == '\n')
            return 0;
        if (made >= source->text + offset)
            return (unsigned)(at - text) + 1;
    }
}

void rd_syntax_place(struct rd_syntax_reader *reader, CXCursor cursor, const char **file,
                     unsigned *line, unsigned *column)
{
    CXString name;
    const char *directory = reader->source->directory;
    CXSourceLocation start = reader->clang->getRangeStart(reader->clang->getCursorExtent(cursor));
    reader->clang->getPresumedLocation(start, &name, line, column);
    const char *given = reader->clang->getCString(name);
    if (!given)
        given = "";
    if (directory && strncmp(given, directory, strlen(directory)) == 0)
        given += strlen(directory);
    if (!reader->file || strcmp(reader->file, given) != 0)
        reader->file = rd_texts_keep(&reader->unit->texts, given);
    reader->clang->disposeString(name);
    *file = reader->file ? reader->file : "";
    *column = column_of(reader, offset_of(reader, start), *file, *line);
}

const char *rd_syntax_between(struct rd_syntax_reader *reader, size_t from, size_t to)
{
    enum { LONGEST = 64 };
    char text[LONGEST] = "";
    size_t n = 0;
    const char *source = reader->source->text;
    for (size_t at = from; at < to && n + 1 < LONGEST; at++) {
        if (source[at] == '#' && at > 0 && source[at - 1] == '\n')
            while (at < to && source[at] != '\n')
                at++;
        else if (!isspace((unsigned char)source[at]))
            text[n++] = source[at];
    }
    const char *kept = rd_texts_keep(&reader->unit->texts, text);
    return kept ? kept : "";
}

/* ---- nodes ---- */

struct rd_syntax_node *rd_syntax_make(struct rd_syntax_reader *reader, enum rd_syntax_kind kind,
                                      CXCursor cursor, size_t n_kids,
                                      const struct rd_syntax_node ***kids)
{
    struct rd_syntax_node *node = rd_syntax_allocate(&reader->unit->memory, sizeof *node);
    const struct rd_syntax_node **all =
        rd_syntax_allocate(&reader->unit->memory, (n_kids + 1) * sizeof *all);
    if (!node || !all) {
        reader->failed = true;
        return NULL;
    }
    node->kind = kind;
    node->n_kids = n_kids;
    node->kids = all;
    rd_syntax_place(reader, cursor, &node->file, &node->line, &node->column);
    if (kids)
        *kids = all;
    return node;
}

const struct rd_syntax_node *rd_syntax_other(struct rd_syntax_reader *reader, CXCursor cursor,
                                             const char *what)
{
    struct rd_syntax_node *node = rd_syntax_make(reader, RD_SYNTAX_OTHER, cursor, 0, NULL);
    if (node)
        node->name = what;
    return node;
}

const struct rd_syntax_type *rd_syntax_type_at(struct rd_syntax_reader *reader, CXCursor cursor)
{
    return rd_syntax_type_of(reader, reader->clang->getCursorType(cursor));
}

const struct rd_syntax_node *rd_syntax_other_kind(struct rd_syntax_reader *reader, CXCursor cursor)
{
    const char *kind = rd_syntax_keep(
        reader, reader->clang->getCursorKindSpelling(reader->clang->getCursorKind(cursor)));
    return rd_syntax_other(reader, cursor,
                           rd_texts_format(&reader->unit->texts, "what libclang calls %s", kind));
}

/* Children that are expressions: others name types, templates and the like. */
struct rd_syntax_cursors rd_syntax_operands(struct rd_syntax_reader *reader, CXCursor cursor)
{
    struct rd_syntax_cursors kids = rd_syntax_children(reader, cursor);
    size_t n = 0;
    for (size_t k = 0; k < kids.n; k++)
        if (reader->clang->isExpression(reader->clang->getCursorKind(kids.all[k])))
            kids.all[n++] = kids.all[k];
    kids.n = n;
    return kids;
}
