// SPDX-License-Identifier: MIT
/* Changes to a file's text that leave all else on its line and in its column. */
#ifndef RD_CHECK_REWRITE_H
#define RD_CHECK_REWRITE_H

#include "check/source/lexer.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct rd_check_edit {
    const char *from, *to;
    char *text;
};

/* Begins as {0}. */
struct rd_check_edits {
    struct rd_check_edit *all;
    size_t n, capacity;
    bool failed; /* there was no memory for one */
};

/* Text from `from` up to `to` is to be this. */
void rd_check_edits_add(struct rd_check_edits *edits, const char *from, const char *to,
                        const char *format, ...) __attribute__((format(printf, 4, 5)));
void rd_check_edits_finish(struct rd_check_edits *edits);

/* The text as it is then; the caller frees it. What lies in another edit is left out. NULL where
 * there is no memory. */
char *rd_check_edits_apply(struct rd_check_edits *edits, const char *text);

/* The kernel launches of a file, `k<<<g, b>>>(x)`, which are no C++. */

/* Numbers of launches of the kernel, and of launches in the device's code. */
struct rd_check_launches {
    unsigned of_kernel, on_device;
};

/* Makes C++ of them: of one in the device's code a call that launches, of one in the host's, if that
 * never runs, a call that does nothing. `kernel` is a name, which may have namespaces and template
 * arguments: neither is compared; NULL: the host's code runs, too. */
struct rd_check_launches rd_check_launches_replace(struct rd_check_edits *edits, const char *text,
                                                   const struct rd_check_functions *functions,
                                                   const char *kernel);

/* Has each launch of the host's code, which stays as it is, tell the kernel's name and its place: see
 * include/gpu/reductio_gpu.hpp. */
void rd_check_launches_place(struct rd_check_edits *edits, const char *text,
                             const struct rd_check_functions *functions);
/* Has the host's code tell, before each call of CUDA's runtime that stands as a statement of its own, that it drops what that
 * returns; and which kernel it is whose address it makes a pointer to void. Has main return 0 at its end. */
void rd_check_host_calls_replace(struct rd_check_edits *edits, const char *text,
                                 const struct rd_check_functions *functions);

/* Has each atomicExch() of the device's code that stands as a statement of its own tell that nobody takes the old value. */
void rd_check_exchanges_replace(struct rd_check_edits *edits, const char *text,
                                const struct rd_check_functions *functions);

/* Names of a user's file that are also those of the simulator, of the compiler's own calls or of the C
 * library: they get another one behind the user's back, "index$", which no other program has. */

/* Words of the file's text, which must stay. Begins as {0}. */
struct rd_check_names {
    struct rd_check_name {
        const char *word;
        size_t length;
    } * all;
    size_t n, capacity;
    bool failed; /* there was no memory for one: who relies on all of them fails, too */
};

void rd_check_names_finish(struct rd_check_names *names);

void rd_check_names_add(struct rd_check_names *names, const char *word, size_t length);
bool rd_check_names_have(const struct rd_check_names *names, const char *word, size_t length);
/* Tells whether some word from `at` up to `end` is one of them. */
bool rd_check_names_have_one_of(const struct rd_check_names *names, const char *at,
                                const char *end);

/* Finds names of the file's own, which can't be meant for something declared elsewhere. */
void rd_check_names_find_own(struct rd_check_names *names, const char *text);
/* Finds names of device variables that the file declares; with `functions`, also of its kernels and functions. */
void rd_check_names_find_declared(struct rd_check_names *names, const char *text, bool functions);
/* Finds names of the file's managed variables only, which the host may use by name. */
void rd_check_names_find_managed(struct rd_check_names *names, const char *text);

/* All that follows in the file calls them otherwise. */
void rd_check_names_write(const struct rd_check_names *names, bool of_headers, FILE *file);
/* As the user has it: takes the sign out of a name, or of a list of them. */
void rd_check_names_restore(char *text);

/* Modules. */

/* Has the kernels of a file launched by their names, as a module's: modules.c. Counts them. */
void rd_check_modules_register(struct rd_check_edits *edits,
                               const struct rd_check_functions *functions, unsigned *number);

/* Inline PTX. */

/* Makes calls of those of the device's code, which have the simulator interpret their text: src/device/sim/ptx/ptx.h. */
void rd_check_asm_replace(struct rd_check_edits *edits, const char *text,
                          const struct rd_check_functions *functions);

/* The returns of a file's kernels. */

/* Has each return of a kernel tell that the thread goes: who waits at a barrier wants to know why others
 * don't come. */
void rd_check_returns_replace(struct rd_check_edits *edits, const char *text,
                              const struct rd_check_functions *functions);

/* Has each `new` of the device's code that gives an object its values tell that the object is made. */
void rd_check_news_replace(struct rd_check_edits *edits, const char *text,
                           const struct rd_check_functions *functions);

#endif
