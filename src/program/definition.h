// SPDX-License-Identifier: MIT
/* The members of a program that say all about it where it is not built in: what a trace has of one that a client has
 * registered. Private. */
#ifndef RD_PROGRAM_DEFINITION_H
#define RD_PROGRAM_DEFINITION_H

#include "reductio/program.h"

enum rd_member_kind {
    RD_MEMBER_TEXT, /* const char *, which may be NULL */
    RD_MEMBER_FLAG,
    RD_MEMBER_UNSIGNED,
    RD_MEMBER_SIZE,
};

struct rd_program_member {
    const char *name;
    enum rd_member_kind kind;
    size_t offset;
};

/* All but the name, the goal, the result, and the type and operation of a run that says nothing; the last has no name. */
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

/* Tells whether a client has registered the program, or a trace has defined it. */
bool rd_program_is_registered(const struct rd_program *program);
/* Tells whether it launches a kernel that a client has registered. */
bool rd_program_has_own_kernels(const struct rd_program *program);
/* Finds a registered program by its name; NULL where there is none. */
const struct rd_program *rd_program_registered(const char *name, size_t length);

/* Registers the program that a trace defines; its kernels need not be there. Errors as of rd_program_register. */
enum rd_status rd_program_define(const struct rd_program *program, struct rd_error *error);

#endif
