// SPDX-License-Identifier: MIT
/* Programs that are not built in: what a trace has of one that a client has registered, and the copies that the library
 * keeps of them. A client's lives as long as the process; one that a trace defines as long as it has references, and no
 * lookup by name finds it. Private. */
#ifndef RD_PROGRAM_DEFINITION_H
#define RD_PROGRAM_DEFINITION_H

#include "reductio/program.h"
#include "reductio/sources.h"

#include <stdatomic.h>

struct rd_paragraph;

/* Characters of a recorded program's name, which is a file, a colon and a line. */
#define RD_PROGRAM_PLAYED_NAME "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._+"

enum { RD_DEFINITION_SOURCES_MAX = 8 };

/* A program with all that it consists of. */
struct rd_definition {
    struct rd_program program;      /* its texts are the definition's */
    struct rd_paragraph *paragraph; /* as it was read */
    bool of_trace;                  /* else it is registered, */
    struct rd_definition *next;     /* and this comes behind it */
    atomic_uint references;
    struct rd_source sources[RD_DEFINITION_SOURCES_MAX]; /* of one that was played: its functions */
    unsigned n_sources;
};

enum rd_member_kind {
    RD_MEMBER_TEXT, /* const char *, which may be NULL */
    RD_MEMBER_FLAG,
    RD_MEMBER_UNSIGNED,
    RD_MEMBER_SIZE,
    RD_MEMBER_TYPE, /* a trace has the names of these */
    RD_MEMBER_OPERATION,
};

struct rd_program_member {
    const char *name;
    enum rd_member_kind kind;
    size_t offset;
};

/* All but the name, the goal and what a registered program doesn't have; the last has no name. */
extern const struct rd_program_member rd_program_members[];

/* Values of members. */
const char *rd_member_text(const struct rd_program *program,
                           const struct rd_program_member *member);
uint64_t rd_member_number(const struct rd_program *program, const struct rd_program_member *member);
void rd_member_set_text(struct rd_program *program, const struct rd_program_member *member,
                        const char *text);
void rd_member_set_number(struct rd_program *program, const struct rd_program_member *member,
                          uint64_t number);

/* "sum", "input", "product", "total", "last", "result". */
const char *rd_goal_name(enum rd_goal goal);
/* Looks it up; false where there is none of that name. */
bool rd_goal_named(const char *name, enum rd_goal *goal);

/* The copy that the program is; NULL of any other, also of a copy of that. */
struct rd_definition *rd_program_definition(const struct rd_program *program);
/* Copies the program's texts, with one reference. NULL where there is no memory. */
struct rd_definition *rd_definition_create(const struct rd_program *program);
/* Reads its paragraph, for its lifetime. With `absent`, kernels need not be there. RD_ERROR_USAGE, RD_ERROR_MEMORY. */
enum rd_status rd_definition_read(struct rd_definition *definition, bool absent,
                                  struct rd_error *error);

/* Takes a reference, until rd_program_release, and returns the program. Those that last have none: nothing happens, as
 * with NULL. */
const struct rd_program *rd_program_retain(const struct rd_program *program);
void rd_program_release(const struct rd_program *program);
/* Tells whether both say the same, names apart. */
bool rd_program_is_same(const struct rd_program *x, const struct rd_program *y);

/* Tells whether a client has registered the program, or a trace has defined it. */
bool rd_program_is_registered(const struct rd_program *program);
/* Tells whether it launches a kernel that a client has registered. */
bool rd_program_has_own_kernels(const struct rd_program *program);
/* Finds a registered program by its name; NULL where there is none. */
const struct rd_program *rd_program_registered(const char *name, size_t length);

/* Checks that the program's `goal_text`, a law of its arrays, follows from its law. RD_ERROR_USAGE if it doesn't, at the
 * program's own size or at a small one that it takes, or if the text can't be read. RD_ERROR_MEMORY. */
enum rd_status rd_program_check_goal(const struct rd_program *program, struct rd_error *error);

/* Makes the program that a trace defines, for rd_program_release; its kernels need not be there. Errors as of
 * rd_program_register. */
enum rd_status rd_program_define(const struct rd_program *program,
                                 const struct rd_program **defined, struct rd_error *error);

#endif
