// SPDX-License-Identifier: MIT
/* Cuts what the compiler has said into messages. Private to compiler_errors.c. */
#ifndef RD_CHECK_COMPILER_MESSAGES_H
#define RD_CHECK_COMPILER_MESSAGES_H

#include <stdbool.h>
#include <stddef.h>

struct rd_check_compiler;

/* A place in a line of a message, "sum.cu:12:3". */
struct rd_check_place {
    const char *path;
    size_t length;         /* of the path */
    unsigned line, column; /* from 1; column 0: none is named */
};

/* An error, a warning or a note, with the lines before it that say how the compiler came there, and behind it those that quote
 * the source. All are numbers of lines of what was said, the last exclusive. */
struct rd_check_message {
    size_t head, line, end;
    struct rd_check_place place;
    const char *text; /* "expected ';' before 'return'" */
    bool is_error, is_note;
};

struct rd_check_messages {
    char *said, **lines;
    size_t n_lines;
    struct rd_check_message *all;
    size_t n;
};

/* Reads the directory's file NAME.txt; empty where that can't be read. The caller finishes it. */
void rd_check_messages_init(struct rd_check_messages *messages,
                            const struct rd_check_compiler *compiler, const char *name);
void rd_check_messages_finish(struct rd_check_messages *messages);

/* Reads the place at the start of a line, behind blanks and "from "; `*behind` is behind its colon. False: there is none. */
bool rd_check_place_read(struct rd_check_place *place, const char *line, const char **behind);
bool rd_check_place_is_same(const struct rd_check_place *a, const struct rd_check_place *b);

#endif
