// SPDX-License-Identifier: MIT
/* From objects to the library that is loaded. */
#include "check/compiler/compiler.h"
#include "base/array.h"

#include <stdlib.h>
#include <string.h>

enum { PATH_SIZE = RD_CHECK_PATH_SIZE, DYNAMIC_BYTES = 227 * 1024 };

/* Thread-local variables: shared ones that are extern, and the host's. */
struct names {
    char **all;
    size_t n, capacity;
};

struct variables {
    struct names lacking, of_host;
};

static bool has_name(const struct names *names, const char *name)
{
    for (size_t k = 0; k < names->n; k++)
        if (strcmp(names->all[k], name) == 0)
            return true;
    return false;
}

static void free_names(struct names *names)
{
    for (size_t k = 0; k < names->n; k++)
        free(names->all[k]);
    free(names->all);
}

static void add_variable(void *self, const char *name, bool is_defined)
{
    struct variables *variables = self;
    struct names *names = is_defined ? &variables->of_host : &variables->lacking;
    if (has_name(names, name))
        return;
    char *copy = strdup(name);
    if (copy && rd_array_make_room(&names->all, names->n, &names->capacity, sizeof *names->all))
        names->all[names->n++] = copy;
    else
        free(copy);
}

/* The C++ library has thread-local variables that its headers use: those of std::call_once. */
static bool is_of_library(const char *name)
{
    return strncmp(name, "_ZSt", 4) == 0 || strncmp(name, "_ZNSt", 5) == 0;
}

static void declare_dynamic(FILE *file, const char *name, const char *seen)
{
    fprintf(file, ".globl \"%s\"\n", name);
    if (*seen)
        fprintf(file, "%s \"%s\"\n", seen, name);
    fprintf(file, ".type \"%s\", @object\n\"%s\":\n", name, name);
}

/* All extern shared variables are one: the launch's dynamic shared memory. */
static void declare_all(FILE *file, const struct variables *variables)
{
    fprintf(file, ".section .tbss.dynamic,\"awT\",@nobits\n.balign 128\n");
    for (size_t k = 0; k < variables->lacking.n; k++) {
        const char *name = variables->lacking.all[k];
        if (strcmp(name, "rd_check_dynamic") != 0 && !is_of_library(name) &&
            !has_name(&variables->of_host, name))
            declare_dynamic(file, name, ".hidden");
    }
    declare_dynamic(file, "rd_check_dynamic", "");
    fprintf(file, ".zero %d\n.zero 4096\n.section .note.GNU-stack,\"\",@progbits\n", DYNAMIC_BYTES);
}

static enum rd_status write_dynamic(const struct rd_check_compiler *compiler, const char *name,
                                    const char *const *objects, unsigned n_objects,
                                    struct rd_error *error)
{
    char path[PATH_SIZE], object[PATH_SIZE];
    enum rd_status status = RD_OK;
    struct variables variables = {0};
    snprintf(path, sizeof path, "%s/%s.s", compiler->directory, name);
    FILE *file = fopen(path, "w");
    if (!file)
        return rd_fail(error, RD_ERROR_IO, "'%s' can't be written", path);
    for (unsigned k = 0; k < n_objects && status == RD_OK; k++) {
        snprintf(object, sizeof object, "%s/%s.o", compiler->directory, objects[k]);
        status = compiler->files->prepare_object(object, add_variable, &variables, error);
    }
    declare_all(file, &variables);
    free_names(&variables.lacking);
    free_names(&variables.of_host);
    if (fclose(file) != 0 && status == RD_OK)
        status = rd_fail(error, RD_ERROR_IO, "'%s' can't be written", path);
    return status;
}

enum rd_status rd_check_link(const struct rd_check_compiler *compiler, const char *name,
                             const char *const *objects, unsigned n_objects,
                             const char *const *libraries, struct rd_error *error)
{
    enum rd_status status = write_dynamic(compiler, name, objects, n_objects, error);
    return status == RD_OK
               ? rd_check_compiler_link(compiler, name, objects, n_objects, libraries, error)
               : status;
}
