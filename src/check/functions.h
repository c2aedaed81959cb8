// SPDX-License-Identifier: MIT
/* The functions of a file, found without a compiler: whose code a place in the text is. */
#ifndef RD_CHECK_FUNCTIONS_H
#define RD_CHECK_FUNCTIONS_H

#include <stdbool.h>
#include <stddef.h>

struct rd_check_function {
    const char *head, *name; /* "template <class T> __global__ void k(T *a)", and k in it */
    size_t name_length;
    const char *body, *end; /* its { and behind its } */
    bool is_kernel;
    bool is_device; /* also a kernel; marked so, or by a macro of the file that does it */
};

struct rd_check_functions {
    struct rd_check_function *all;
    size_t n;
};

/* Finds them; none where there is no memory. They point into the text, which must stay. */
void rd_check_functions_init(struct rd_check_functions *functions, const char *text);
void rd_check_functions_finish(struct rd_check_functions *functions);

/* Whether a kernel of this name is among them: which may have namespaces, template arguments and
 * parameters, none of which is compared. */
bool rd_check_functions_have_kernel(const struct rd_check_functions *functions, const char *name);

/* The function in whose body a place is; NULL where it is in none. */
const struct rd_check_function *rd_check_function_at(const struct rd_check_functions *functions,
                                                     const char *at);

/* Whether the place is in code for the device: in a function that is marked so, or a lambda in a
 * function of the host's. */
bool rd_check_function_is_device(const struct rd_check_functions *functions, const char *at);

#endif
