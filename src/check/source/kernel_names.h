// SPDX-License-Identifier: MIT
/* Names of kernels: as users write them, as the compiler takes them, and as symbols have them. */
#ifndef RD_CHECK_KERNEL_NAMES_H
#define RD_CHECK_KERNEL_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Tells whether the text is a kernel's name, "n::k", with template arguments and parameters or without,
 * "k<float, 2>(float *)", rather than any expression. */
bool rd_check_kernel_is_name(const char *text);

/* Returns the offset of the parameters in "k(int*)" or "k<(1 > 0)>(int*)", behind all template arguments; the
 * end if there are none. */
size_t rd_check_kernel_name_length(const char *kernel);
/* Writes the expression that names the kernel: "k<float>" is that, "k(int*)" a cast of k. */
void rd_check_kernel_expression(const char *kernel, FILE *file);

/* The name that a symbol of C++ stands for; the caller frees it. NULL where it is none, or nobody
 * here can tell. */
char *rd_check_demangle(const char *symbol);
/* Writes the kernel's name as a user writes it: "n::k(int*)", without namespaces that have no name. */
void rd_check_written_name(const char *symbol, char *name, size_t size);

#endif
