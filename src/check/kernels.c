// SPDX-License-Identifier: MIT
/* Which kernels a file has, as its compiler sees it. */
#include "check/compiler.h"
#include "check/lexer.h"
#include "check/names.h"

#include <ctype.h>
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_SIZE = 200, KERNELS_MAX = 200, LIST_SIZE = 320 };

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
        while (rd_lexer_is_letter(*at))
            at++;
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

/* Where the parameters begin in "k(int*)" or "k<(1 > 0)>(int*)": behind all template arguments; the
 * end where there are none. */
static size_t name_length(const char *kernel)
{
    int depth = 0;
    size_t k = 0;
    for (; kernel[k] && (kernel[k] != '(' || depth > 0); k++)
        depth += (kernel[k] == '<') - (kernel[k] == '>' && depth > 0);
    return k;
}

void rd_check_kernel_expression(const char *kernel, FILE *file)
{
    size_t length = name_length(kernel);
    if (kernel[length])
        fprintf(file, "*static_cast<void (*)%s>(&%.*s)", kernel + length, (int)length, kernel);
    else
        fputs(kernel, file);
}

/* ---- the list ---- */

struct kernels {
    char names[KERNELS_MAX][NAME_SIZE]; /* with their parameters: "n::k(int*)" */
    unsigned n;
};

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

static void add_kernel(void *self, const char *symbol)
{
    static const char nameless[] = "(anonymous namespace)::";
    struct kernels *kernels = self;
    char *plain = rd_check_demangle(symbol);
    const char *name = plain ? plain : symbol;
    if (strncmp(name, nameless, sizeof nameless - 1) == 0)
        name += sizeof nameless - 1;
    if (kernels->n < KERNELS_MAX) {
        snprintf(kernels->names[kernels->n], NAME_SIZE, "%s", name);
        rd_check_names_restore(kernels->names[kernels->n++]);
    }
    free(plain);
}

static struct kernels *list_kernels(const char *object)
{
    struct kernels *kernels = calloc(1, sizeof *kernels);
    if (kernels)
        rd_check_object_kernels(object, add_kernel, kernels);
    return kernels;
}

static void append(char list[LIST_SIZE], const char *name, size_t length)
{
    size_t used = strlen(list);
    const char *comma = used > 0 ? ", " : "";
    if (used + length + sizeof ", , ..." < LIST_SIZE)
        snprintf(list + used, LIST_SIZE - used, "%s%.*s", comma, (int)length, name);
    else if (used >= 3 && strcmp(list + used - 3, "...") != 0)
        snprintf(list + used, LIST_SIZE - used, "%s...", comma);
}

/* How many kernels have this name, and which. */
static unsigned find_overloads(const struct kernels *kernels, const char *name,
                               char list[LIST_SIZE])
{
    unsigned n = 0;
    for (unsigned k = 0; k < kernels->n; k++)
        if (name_length(kernels->names[k]) == strlen(name) &&
            strncmp(kernels->names[k], name, strlen(name)) == 0) {
            append(list, kernels->names[k], strlen(kernels->names[k]));
            n++;
        }
    return n;
}

static void list_names(const struct kernels *kernels, char list[LIST_SIZE])
{
    for (unsigned k = 0; k < kernels->n; k++) {
        size_t length = name_length(kernels->names[k]);
        bool again = false;
        for (unsigned before = 0; before < k && !again; before++)
            again = name_length(kernels->names[before]) == length &&
                    strncmp(kernels->names[before], kernels->names[k], length) == 0;
        if (!again)
            append(list, kernels->names[k], length);
    }
}

/* ---- why ---- */

/* Whether the file declares anything of this name: a template, for instance. */
static bool is_declared(const struct rd_check_compiler *compiler, const char *name)
{
    char path[RD_CHECK_PATH_SIZE], copy[RD_CHECK_PATH_SIZE];
    const char *colons = strncmp(name, "::", 2) == 0 ? "" : "::";
    struct rd_error error;
    snprintf(path, sizeof path, "%s/probe.cpp", compiler->directory);
    snprintf(copy, sizeof copy, "%s/file.cpp", compiler->directory);
    FILE *file = fopen(path, "w");
    if (!file)
        return false;
    fprintf(file, "#include \"%s\"\nnamespace rd_probe { using %s%.*s; }\n", copy, colons,
            (int)strcspn(name, "<( "), name);
    return fclose(file) == 0 && rd_check_compiler_compile(compiler, "probe", &error) == RD_OK;
}

/* The one kernel of this name, with its parameters; NULL where there is not just one. */
static const char *only_one(const struct kernels *kernels, const char *plain)
{
    const char *found = NULL;
    for (unsigned k = 0; k < kernels->n; k++) {
        if (name_length(kernels->names[k]) != strlen(plain) ||
            strncmp(kernels->names[k], plain, strlen(plain)) != 0)
            continue;
        if (found)
            return NULL;
        found = kernels->names[k];
    }
    return found;
}

static enum rd_status explain(const struct rd_check_compiler *compiler,
                              const struct kernels *kernels, char *full, size_t full_size,
                              struct rd_error *error)
{
    const char *name = compiler->options->kernel, *file = compiler->options->file;
    char list[LIST_SIZE] = "", plain[NAME_SIZE];
    bool is_special = name[strcspn(name, "<(")] != '\0';
    snprintf(plain, sizeof plain, "%.*s", (int)name_length(name), name);
    unsigned n = find_overloads(kernels, plain, list);
    const char *only = is_special ? NULL : only_one(kernels, plain);
    if (only) { /* functions that are no kernels have the name, too */
        snprintf(full, full_size, "%s", only);
        return RD_OK;
    }
    if (!is_special && n > 1)
        return rd_fail(error, RD_ERROR_INPUT,
                       "'%s' is the name of several kernels: give its parameters, too: %s", name,
                       list);
    if (is_special && n > 0)
        return rd_fail(error, RD_ERROR_INPUT, "'%s' is not in '%s', which has %s", name, file,
                       list);
    if (is_declared(compiler, name)) {
        if (!is_special)
            return rd_fail(error, RD_ERROR_INPUT,
                           "'%s' is a template, or no kernel: of a template give the arguments, "
                           "'%s<float>', or the parameters, '%s(float*)'",
                           name, name, name);
        rd_check_compiler_pass_on(compiler, "unit");
        return rd_fail(error, RD_ERROR_INPUT,
                       "'%s' can't be made of what '%s' declares; the compiler's errors are above",
                       name, file);
    }
    list_names(kernels, list);
    return rd_fail(error, RD_ERROR_INPUT, "'%s' is not in '%s', which has %s%s", name, file,
                   *list ? "the kernels " : "no kernels, unless they are templates", list);
}

enum rd_status rd_check_kernel_explain(const struct rd_check_compiler *compiler, const char *name,
                                       char *full, size_t full_size, struct rd_error *error)
{
    char object[RD_CHECK_PATH_SIZE];
    enum rd_status status = rd_check_compiler_compile(compiler, name, error);
    if (status != RD_OK) { /* the file is at fault, whatever the kernel */
        rd_check_compiler_pass_on(compiler, name);
        return status;
    }
    snprintf(object, sizeof object, "%s/%s.o", compiler->directory, name);
    struct kernels *kernels = list_kernels(object);
    if (!kernels)
        return rd_fail(error, RD_ERROR_MEMORY, "no memory for the names of kernels");
    status = explain(compiler, kernels, full, full_size, error);
    free(kernels);
    return status;
}
