// SPDX-License-Identifier: MIT
#include "check/source/kernel_names.h"
#include "check/source/lexer.h"
#include "check/source/rewrite.h"

#include <ctype.h>
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

/* Behind what is in brackets from `at` on; NULL where they are not closed, or hold what no type and no
 * constant has. */
static const char *behind_brackets(const char *at)
{
    char open[64];
    size_t depth = 0;
    for (; *at; at++) {
        if (strchr(";{}\"\\#`\n\r", *at) || (*at == '=' && at[1] != '=' && !strchr("=<>!", at[-1])))
            return NULL;
        bool is_sign = depth > 0 && open[depth - 1] == '('; /* rather than a bracket */
        if (strchr("([", *at) || (*at == '<' && !is_sign)) {
            if (depth == sizeof open)
                return NULL;
            open[depth++] = *at;
        } else if (strchr(")]", *at) || (*at == '>' && !is_sign)) {
            char wanted = *at == ')' ? '(' : *at == ']' ? '[' : '<';
            if (depth == 0 || open[--depth] != wanted)
                return NULL;
            if (depth == 0)
                return at + 1;
        }
    }
    return NULL;
}

bool rd_check_kernel_is_name(const char *text)
{
    const char *at = text + (strncmp(text, "::", 2) == 0 ? 2 : 0);
    for (;;) {
        if (!rd_lexer_is_letter(*at) || isdigit((unsigned char)*at))
            return false;
        at += rd_lexer_word_length(at);
        at += strspn(at, " ");
        if (*at == '<' && !(at = behind_brackets(at)))
            return false;
        if (strncmp(at, "::", 2) != 0)
            break;
        at += 2;
    }
    at += strspn(at, " ");
    if (*at == '(' && !(at = behind_brackets(at)))
        return false;
    return *at == '\0';
}

size_t rd_check_kernel_name_length(const char *kernel)
{
    int depth = 0;
    size_t k = 0;
    for (; kernel[k] && (kernel[k] != '(' || depth > 0); k++)
        depth += (kernel[k] == '<') - (kernel[k] == '>' && depth > 0);
    return k;
}

void rd_check_kernel_expression(const char *kernel, FILE *file)
{
    size_t length = rd_check_kernel_name_length(kernel);
    if (kernel[length])
        fprintf(file, "*static_cast<void (*)%s>(&%.*s)", kernel + length, (int)length, kernel);
    else
        fputs(kernel, file);
}

/* ---- symbols ---- */

/* The C++ library can tell: it is there where files are compiled. */
char *rd_check_demangle(const char *symbol)
{
    static const char *const names[] = {"libstdc++.so.6", "libc++abi.so.1"};
    static char *(*demangle)(const char *, char *, size_t *, int *);
    int status;
    for (unsigned k = 0; k < sizeof names / sizeof *names && !demangle; k++) {
        void *library = dlopen(names[k], RTLD_LAZY | RTLD_LOCAL);
        if (library)
            *(void **)&demangle = dlsym(library, "__cxa_demangle");
    }
    bool is_mangled =
        strncmp(symbol, "_Z", 2) == 0; /* else "d" would be taken for a type, double */
    char *plain = is_mangled && demangle ? demangle(symbol, NULL, NULL, &status) : NULL;
    if (plain)
        rd_check_names_restore(plain);
    return plain;
}

void rd_check_written_name(const char *symbol, char *name, size_t size)
{
    static const char nameless[] = "(anonymous namespace)::";
    char *plain = rd_check_demangle(symbol);
    const char *at = plain ? plain : symbol;
    while (strncmp(at, nameless, sizeof nameless - 1) == 0)
        at += sizeof nameless - 1;
    snprintf(name, size, "%s", at);
    rd_check_names_restore(name);
    free(plain);
}
