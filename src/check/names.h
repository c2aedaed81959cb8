// SPDX-License-Identifier: MIT
/* Names of a user's file that are also those of the simulator, of the compiler's own calls or of the C
 * library: they get another one behind the user's back, "index$", which no other program has. */
#ifndef RD_CHECK_NAMES_H
#define RD_CHECK_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Words of the file's text, which must stay. Begins as {0}. */
struct rd_check_names {
    struct rd_check_name {
        const char *word;
        size_t length;
    } * all;
    size_t n, capacity;
};

void rd_check_names_finish(struct rd_check_names *names);

void rd_check_names_add(struct rd_check_names *names, const char *word, size_t length);
bool rd_check_names_have(const struct rd_check_names *names, const char *word, size_t length);

/* Those that can never be meant for what is elsewhere. */
void rd_check_names_find_own(struct rd_check_names *names, const char *text);
/* Those of the device's variables that the file declares; or also of its kernels and functions. */
void rd_check_names_find_declared(struct rd_check_names *names, const char *text, bool functions);
/* Those of its managed variables only, which the host may use by name. */
void rd_check_names_find_managed(struct rd_check_names *names, const char *text);

/* What follows in the file calls them otherwise. */
void rd_check_names_write(const struct rd_check_names *names, bool of_headers, FILE *file);
/* As the user has it: takes the sign out of a name, or of a list of them. */
void rd_check_names_restore(char *text);

#endif
