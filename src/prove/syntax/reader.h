// SPDX-License-Identifier: MIT
/* The reader of syntax: what its files share. Private to this folder. */
#ifndef RD_PROVE_SYNTAX_READER_H
#define RD_PROVE_SYNTAX_READER_H

#include "prove/syntax/libclang.h"
#include "prove/syntax/unit.h"

#include <stdlib.h>

struct rd_syntax_cursors {
    CXCursor *all;
    size_t n, capacity;
};

struct rd_syntax_known_type {
    CXType type;
    const struct rd_syntax_type *is;
};
struct rd_syntax_known_declaration {
    CXCursor cursor;
    const struct rd_syntax_declaration *is;
};

struct rd_syntax_reader {
    const struct rd_libclang *clang;
    struct rd_syntax_unit *unit;
    const struct rd_syntax_text *source;
    bool failed; /* without memory */
    size_t n_types, types_capacity;
    struct rd_syntax_known_type *types;
    size_t n_declarations, declarations_capacity;
    struct rd_syntax_known_declaration *declarations;
    const char *file;                   /* the one that was named last */
    struct rd_syntax_cursors instances; /* of templates, that calls name */
};

/* ---- cursor.c ---- */

/* Children; the caller frees `all`. */
struct rd_syntax_cursors rd_syntax_children(struct rd_syntax_reader *reader, CXCursor cursor);
/* Offsets at which the cursor's text begins and ends. */
size_t rd_syntax_start(const struct rd_syntax_reader *reader, CXCursor cursor);
size_t rd_syntax_end(const struct rd_syntax_reader *reader, CXCursor cursor);
/* Keeps a text of libclang's, and disposes of it. */
const char *rd_syntax_keep(struct rd_syntax_reader *reader, CXString text);
void rd_syntax_place(struct rd_syntax_reader *reader, CXCursor cursor, const char **file,
                     unsigned *line, unsigned *column);
/* Keeps what stands between two places, without spaces and line markers. */
const char *rd_syntax_between(struct rd_syntax_reader *reader, size_t from, size_t to);

/* A node for the cursor, with room for kids, which are NULL. It and all that make nodes return NULL without memory alone, where the
 * reader has `failed`. */
struct rd_syntax_node *rd_syntax_make(struct rd_syntax_reader *reader, enum rd_syntax_kind kind,
                                      CXCursor cursor, size_t n_kids,
                                      const struct rd_syntax_node ***kids);
const struct rd_syntax_node *rd_syntax_other(struct rd_syntax_reader *reader, CXCursor cursor,
                                             const char *what);

const struct rd_syntax_node *rd_syntax_other_kind(struct rd_syntax_reader *reader, CXCursor cursor);
/* Children that are expressions: others name types, templates and the like. */
struct rd_syntax_cursors rd_syntax_operands(struct rd_syntax_reader *reader, CXCursor cursor);
const struct rd_syntax_type *rd_syntax_type_at(struct rd_syntax_reader *reader, CXCursor cursor);

/* ---- type.c ---- */

const struct rd_syntax_type *rd_syntax_type_of(struct rd_syntax_reader *reader, CXType type);
/* Tells whether a value of the one is a value of the other, unchanged: names and qualifiers are no matter. */
bool rd_syntax_is_same(const struct rd_syntax_type *a, const struct rd_syntax_type *b);
const struct rd_syntax_declaration *rd_syntax_declaration_of(struct rd_syntax_reader *reader,
                                                             CXCursor cursor);
/* Tells whether it is declared by the system, or by the prover's own headers. */
bool rd_syntax_is_of_system(struct rd_syntax_reader *reader, CXCursor declared);
/* Tells whether objects of the type run code of the program's where none is written, as they begin or end: by a constructor, a
 * destructor or a member's initial value; also of what points to such an object, or has one as a template's argument. */
bool rd_syntax_is_nontrivial(struct rd_syntax_reader *reader, CXType type);
extern const char rd_syntax_nontrivial_text[]; /* what it is, in words */
/* Tells whether the declaration has this annotation: "shared". */
bool rd_syntax_has_annotation(struct rd_syntax_reader *reader, CXCursor cursor, const char *name);
/* The rest of its annotation that begins so: "256" of "launch_bounds 256"; NULL: there is none. */
const char *rd_syntax_annotation(struct rd_syntax_reader *reader, CXCursor cursor,
                                 const char *beginning);

bool rd_syntax_is_integer(const struct rd_syntax_type *type);

/* ---- groups.c ---- */

/* Tells whether it is one of the prover's groups, or a reference to one: no node has such a value. */
bool rd_syntax_is_group(struct rd_syntax_reader *reader, CXType type);
/* Tells whether the expression is such a group, and does nothing else: a name, or this_thread_block(). */
bool rd_syntax_is_plain_group(struct rd_syntax_reader *reader, CXCursor cursor);
/* Tells whether it is a function of the prover's groups; what a call of it means. */
bool rd_syntax_is_of_group(struct rd_syntax_reader *reader, CXCursor function);
const struct rd_syntax_node *rd_syntax_call_of_group(struct rd_syntax_reader *reader,
                                                     CXCursor cursor, CXCursor function,
                                                     const struct rd_syntax_cursors *kids);

/* ---- literal.c ---- */

const struct rd_syntax_node *rd_syntax_number(struct rd_syntax_reader *reader, CXCursor cursor,
                                              uint64_t value);
/* Makes a node of what the compiler works out to be a whole number; NULL also where it can't. */
const struct rd_syntax_node *rd_syntax_constant(struct rd_syntax_reader *reader, CXCursor cursor,
                                                const char *name);
const struct rd_syntax_node *rd_syntax_literal(struct rd_syntax_reader *reader, CXCursor cursor);

/* ---- convert.c ---- */

bool rd_syntax_is_function(const struct rd_syntax_node *node);
const struct rd_syntax_node *rd_syntax_converted(struct rd_syntax_reader *reader, CXCursor cursor,
                                                 const struct rd_syntax_node *kid,
                                                 const struct rd_syntax_type *type);
/* The value of an initialization of that type. */
const struct rd_syntax_node *rd_syntax_initial(struct rd_syntax_reader *reader, CXCursor cursor,
                                               CXType type);

/* ---- expression.c, statement.c ---- */

const struct rd_syntax_node *rd_syntax_expression(struct rd_syntax_reader *reader, CXCursor cursor);
const struct rd_syntax_node *rd_syntax_statement(struct rd_syntax_reader *reader, CXCursor cursor);

/* ---- jumps.c ---- */

/* The loop, `for` or `while`, without jumps that are a matter of form. */
const struct rd_syntax_node *rd_syntax_without_jumps(struct rd_syntax_reader *reader,
                                                     const struct rd_syntax_node *loop);

#endif
