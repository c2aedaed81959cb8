// SPDX-License-Identifier: MIT
/* Finds a file's kernels, and compiles it for one of them. */
#include "check/compiler/compiler.h"
#include "check/compiler/headers.h"
#include "check/unit/unit.h"
#include "check/source/kernel_names.h"
#include "check/kernel/compile.h"
#include "check/unit/host_names.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- the kernels that the compiler sees in a file ---- */

enum { NAME_SIZE = 200, KERNELS_MAX = 200, LIST_SIZE = 320 };

struct kernels {
    char names[KERNELS_MAX][NAME_SIZE]; /* with their parameters: "n::k(int*)" */
    unsigned n;
};

static void add_kernel(void *self, const char *symbol)
{
    struct kernels *kernels = self;
    if (kernels->n < KERNELS_MAX)
        rd_check_written_name(symbol, kernels->names[kernels->n++], NAME_SIZE);
}

static struct kernels *list_kernels(const struct rd_file_ops *files, const char *object)
{
    struct kernels *kernels = calloc(1, sizeof *kernels);
    if (kernels)
        files->list_kernels(object, add_kernel, kernels);
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

/* Counts the kernels of this name, and lists them. */
static unsigned find_overloads(const struct kernels *kernels, const char *name,
                               char list[LIST_SIZE])
{
    unsigned n = 0;
    for (unsigned k = 0; k < kernels->n; k++)
        if (rd_check_kernel_name_length(kernels->names[k]) == strlen(name) &&
            strncmp(kernels->names[k], name, strlen(name)) == 0) {
            append(list, kernels->names[k], strlen(kernels->names[k]));
            n++;
        }
    return n;
}

static void list_names(const struct kernels *kernels, char list[LIST_SIZE])
{
    for (unsigned k = 0; k < kernels->n; k++) {
        size_t length = rd_check_kernel_name_length(kernels->names[k]);
        bool again = false;
        for (unsigned before = 0; before < k && !again; before++)
            again = rd_check_kernel_name_length(kernels->names[before]) == length &&
                    strncmp(kernels->names[before], kernels->names[k], length) == 0;
        if (!again)
            append(list, kernels->names[k], length);
    }
}

/* ---- why ---- */

/* Tells whether the file declares anything of this name: a template, for instance. */
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
        if (rd_check_kernel_name_length(kernels->names[k]) != strlen(plain) ||
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
    snprintf(plain, sizeof plain, "%.*s", (int)rd_check_kernel_name_length(name), name);
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

/* The file does not compile with its kernel named. Compiles NAME.cpp, the file without its kernel.
 * RD_OK where just one kernel has that name: `full` is it with its parameters, as the C library may
 * have a function of the name, too. RD_ERROR_INPUT otherwise, and why, of the kernel or of the
 * file. */
static enum rd_status kernel_explain(const struct rd_check_compiler *compiler, const char *name,
                                     char *full, size_t full_size, struct rd_error *error)
{
    char object[RD_CHECK_PATH_SIZE];
    enum rd_status status = rd_check_compiler_compile(compiler, name, error);
    if (status != RD_OK) { /* the file is at fault, whatever the kernel */
        rd_check_compiler_explain(compiler, name, error);
        return status;
    }
    snprintf(object, sizeof object, "%s/%s.o", compiler->directory, name);
    struct kernels *kernels = list_kernels(compiler->files, object);
    if (!kernels)
        return rd_fail(error, RD_ERROR_MEMORY, "no memory for the names of kernels");
    status = explain(compiler, kernels, full, full_size, error);
    free(kernels);
    return status;
}

enum { FULL_NAME_SIZE = 4096 };

/* ---- compiling ---- */

/* The compiler has refused the file with its kernel. Without it? And with its parameters? */
static enum rd_status compile_otherwise(const struct rd_check_compiler *compiler,
                                        struct rd_check_unit *unit, struct rd_error *error)
{
    char full[FULL_NAME_SIZE];
    enum rd_status status = rd_check_unit_write(unit, "file", NULL, error);
    if (status == RD_OK)
        status = kernel_explain(compiler, "file", full, sizeof full, error);
    if (status == RD_OK)
        status = rd_check_unit_write(unit, "unit", full, error);
    if (status == RD_OK)
        status = rd_check_compiler_compile(compiler, "unit", error);
    else
        return status;
    if (status == RD_ERROR_INPUT) {
        rd_check_compiler_pass_on(compiler, "unit");
        rd_fail(error, status, "'%s' can't be launched; the compiler's errors are above", full);
    }
    return status;
}

/* Compiles what was written of it, or what can be, as it is to be run. */
static enum rd_status compile_unit(const struct rd_check_compiler *compiler,
                                   struct rd_check_unit *unit, struct rd_error *error)
{
    enum rd_status status = rd_check_compile_unit(compiler, unit, "unit", error);
    if (status == RD_ERROR_INPUT && !unit->options->kernel) {
        rd_check_compiler_explain(compiler, "unit", error);
        return status;
    }
    return status == RD_ERROR_INPUT ? compile_otherwise(compiler, unit, error) : status;
}

/* From NAME.o to the library. */
static enum rd_status link_library(const struct rd_check_compiler *compiler, const char *name,
                                   char library[RD_CHECK_PATH_SIZE], struct rd_error *error)
{
    snprintf(library, RD_CHECK_PATH_SIZE, "%s/%s.so", compiler->directory, name);
    return rd_check_link(compiler, name, &name, 1, NULL, error);
}

/* The unit as it is to be run. */
static enum rd_status link_unit(const struct rd_check_compiler *compiler,
                                char library[RD_CHECK_PATH_SIZE], struct rd_error *error)
{
    rd_check_compiler_pass_on(compiler, "unit");
    enum rd_status status = link_library(compiler, "unit", library, error);
    if (status == RD_ERROR_INPUT)
        rd_check_compiler_pass_on(compiler, "unit");
    return status;
}

/* The build for local variables is made beside the plain one, from the same file; if that had to be written
 * once more, behind it. */
static void finish_private(struct rd_check *check, const struct rd_check_compiler *compiler,
                           pid_t process, char library[RD_CHECK_PATH_SIZE])
{
    struct rd_error error;
    enum rd_status status = rd_check_compiler_wait(compiler, process, &error);
    if (status == RD_ERROR_INPUT &&
        rd_check_compiler_start(compiler, "unit", "private", RD_CHECK_BUILD_PRIVATE_OTHERWISE,
                                &process, &error) == RD_OK)
        status = rd_check_compiler_wait(compiler, process, &error);
    if (status == RD_OK)
        status = link_library(compiler, "private", library, &error);
    if (status == RD_OK)
        check->private_library = library;
    else if (status != RD_ERROR_INTERRUPTED)
        snprintf(check->not_private, sizeof check->not_private,
                 "the compiler can't build the file for that");
    if (status == RD_OK && !rd_check_compiler_fills(compiler))
        snprintf(check->not_private, sizeof check->not_private,
                 "not all: reads before they are set are not seen: that takes g++ 12 or clang++ 8");
}

enum rd_status rd_check_compile(struct rd_check *check, const char *directory,
                                char library[RD_CHECK_PATH_SIZE],
                                char private_library[RD_CHECK_PATH_SIZE], struct rd_error *error)
{
    const struct rd_check_options *options = check->options;
    struct rd_check_compiler compiler;
    struct rd_check_unit unit;
    pid_t process;
    enum rd_status status = rd_check_unit_init(&unit, options, directory, error);
    if (status != RD_OK)
        return status;
    bool is_beside = false;
    status = rd_check_compiler_init(&compiler, options, check->device, directory, error);
    compiler.unit = &unit;
    if (status == RD_OK)
        status = rd_check_headers_write(directory, error);
    if (status == RD_OK)
        status = rd_check_host_names_refuse(&compiler, &unit, error);
    if (status == RD_OK)
        status = rd_check_kernel_rules_refuse(&unit, error);
    if (status == RD_OK)
        status = rd_check_unit_write(&unit, "unit", options->kernel, error);
    if (status == RD_OK)
        is_beside =
            options->private_memory && !options->compile_only &&
            rd_check_compiler_start(&compiler, "unit", "private", RD_CHECK_BUILD_PRIVATE_OTHERWISE,
                                    &process, error) == RD_OK;
    if (status == RD_OK)
        status = compile_unit(&compiler, &unit, error);
    if (status == RD_OK)
        status = link_unit(&compiler, library, error);
    if (is_beside && status == RD_OK)
        finish_private(check, &compiler, process, private_library);
    else if (is_beside)
        rd_check_compiler_wait(&compiler, process, &(struct rd_error){""});
    rd_check_unit_finish(&unit);
    return status;
}

enum rd_status rd_check_compile_again(const struct rd_check *check, const char *directory,
                                      enum rd_check_build build, char library[RD_CHECK_PATH_SIZE],
                                      struct rd_error *error)
{
    struct rd_check_compiler compiler;
    pid_t process;
    enum rd_status status =
        rd_check_compiler_init(&compiler, check->options, check->device, directory, error);
    if (status == RD_OK)
        status = rd_check_compiler_start(&compiler, "unit", "again", build, &process, error);
    if (status == RD_OK)
        status = rd_check_compiler_wait(&compiler, process, error);
    return status == RD_OK ? link_library(&compiler, "again", library, error) : status;
}

enum rd_status rd_check_compile_file(const struct rd_check *check, struct rd_check_unit *unit,
                                     const char *directory, char object[RD_CHECK_PATH_SIZE],
                                     struct rd_error *error)
{
    struct rd_check_compiler compiler;
    snprintf(object, RD_CHECK_PATH_SIZE, "%s/unit.o", directory);
    enum rd_status status =
        rd_check_compiler_init(&compiler, check->options, check->device, directory, error);
    compiler.unit = unit;
    if (status == RD_OK)
        status = rd_check_headers_write(directory, error);
    if (status == RD_OK)
        status = rd_check_host_names_refuse(&compiler, unit, error);
    if (status == RD_OK)
        status = rd_check_kernel_rules_refuse(unit, error);
    if (status == RD_OK)
        status = rd_check_unit_write(unit, "unit", NULL, error);
    if (status != RD_OK)
        return status;
    status = rd_check_compile_unit(&compiler, unit, "unit", error);
    if (status == RD_ERROR_INPUT)
        rd_check_compiler_explain(&compiler, "unit", error);
    return status;
}

enum rd_status rd_check_compile_list(const struct rd_check *check, const char *directory,
                                     char library[RD_CHECK_PATH_SIZE], struct rd_error *error)
{
    struct rd_check_compiler compiler;
    enum rd_status status =
        rd_check_compiler_init(&compiler, check->options, check->device, directory, error);
    if (status == RD_OK)
        status = rd_check_compiler_compile(&compiler, "again", error);
    return status == RD_OK ? link_library(&compiler, "again", library, error) : status;
}

void rd_check_clean(const char *directory)
{
    static const char *const names[] = {"unit.cpp",
                                        "unit.o",
                                        "unit.s",
                                        "unit.so",
                                        "unit.txt",
                                        "file.cpp",
                                        "file.o",
                                        "file.txt",
                                        "probe.cpp",
                                        "probe.o",
                                        "probe.txt",
                                        "macros.txt",
                                        "host.cpp",
                                        "host.txt",
                                        RD_CHECK_MACROS,
                                        "private.o",
                                        "private.s",
                                        "private.so",
                                        "private.txt",
                                        "again.o",
                                        "again.s",
                                        "again.so",
                                        "again.txt",
                                        "unit.missing.cpp",
                                        "private.missing.cpp",
                                        "again.missing.cpp",
                                        "again.cpp",
                                        "unit.absent.s",
                                        "unit" RD_FILE_ABSENT_LIBRARY_SUFFIX,
                                        "private.absent.s",
                                        "private" RD_FILE_ABSENT_LIBRARY_SUFFIX,
                                        "again.absent.s",
                                        "again" RD_FILE_ABSENT_LIBRARY_SUFFIX};
    char path[RD_CHECK_PATH_SIZE];
    for (unsigned k = 0; k < sizeof names / sizeof *names; k++) {
        snprintf(path, sizeof path, "%s/%s", directory, names[k]);
        unlink(path);
    }
    rd_check_headers_remove(directory);
    bool is_there = true;
    for (size_t k = 0; is_there; k++) {
        char name[RD_CHECK_INCLUDED_NAME];
        rd_check_included_name(name, k);
        snprintf(path, sizeof path, "%s/%s", directory, name);
        is_there = unlink(path) == 0;
    }
    rmdir(directory);
}
