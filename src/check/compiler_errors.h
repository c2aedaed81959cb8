// SPDX-License-Identifier: MIT
/* What the compiler says of a file that it refuses, told at the user's own lines. Private to absent.c. */
#ifndef RD_CHECK_COMPILER_ERRORS_H
#define RD_CHECK_COMPILER_ERRORS_H

struct rd_check_compiler;

/* Tells on standard error what has been said of NAME: each error once, at a line of the user's, and what it is about a launch
 * without what the launch is made of. Errors that follow from a bracket that nothing closes are told as that one. */
void rd_check_compiler_errors_tell(const struct rd_check_compiler *compiler, const char *name);

#endif
