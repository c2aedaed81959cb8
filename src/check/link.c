// SPDX-License-Identifier: MIT
/* From objects to the library that is loaded. */
#include "check/compiler.h"
#include "base/array.h"

#include <stdlib.h>
#include <string.h>

enum { PATH_SIZE = RD_CHECK_PATH_SIZE, DYNAMIC_BYTES = 227 * 1024 };

/* Names of extern shared variables, each of which is declared once. */
struct dynamic {
    FILE *file;
    char **names;
    size_t n, capacity;
};

static void declare_dynamic(void *self, const char *name)
{
    struct dynamic *dynamic = self;
    const char *seen = strcmp(name, "rd_check_dynamic") == 0 ? "" : ".hidden ";
    for (size_t k = 0; k < dynamic->n; k++)
        if (strcmp(dynamic->names[k], name) == 0)
            return;
    char *copy = strdup(name);
    if (copy &&
        rd_array_make_room(&dynamic->names, dynamic->n, &dynamic->capacity, sizeof *dynamic->names))
        dynamic->names[dynamic->n++] = copy;
    else
        free(copy);
    fprintf(dynamic->file, ".globl \"%s\"\n", name);
    if (*seen)
        fprintf(dynamic->file, "%s\"%s\"\n", seen, name);
    fprintf(dynamic->file, ".type \"%s\", @object\n\"%s\":\n", name, name);
}

/* All extern shared variables are one: the launch's dynamic shared memory. */
static enum rd_status write_dynamic(const struct rd_check_compiler *compiler, const char *name,
                                    const char *const *objects, unsigned n_objects,
                                    struct rd_error *error)
{
    char path[PATH_SIZE], object[PATH_SIZE];
    enum rd_status status = RD_OK;
    snprintf(path, sizeof path, "%s/%s.s", compiler->directory, name);
    struct dynamic dynamic = {.file = fopen(path, "w")};
    if (!dynamic.file)
        return rd_fail(error, RD_ERROR_IO, "'%s' can't be written", path);
    fprintf(dynamic.file, ".section .tbss.dynamic,\"awT\",@nobits\n.balign 128\n");
    for (unsigned k = 0; k < n_objects && status == RD_OK; k++) {
        snprintf(object, sizeof object, "%s/%s.o", compiler->directory, objects[k]);
        status = compiler->files->prepare_object(object, declare_dynamic, &dynamic, error);
    }
    declare_dynamic(&dynamic, "rd_check_dynamic");
    fprintf(dynamic.file, ".zero %d\n.zero 4096\n.section .note.GNU-stack,\"\",@progbits\n",
            DYNAMIC_BYTES);
    for (size_t k = 0; k < dynamic.n; k++)
        free(dynamic.names[k]);
    free(dynamic.names);
    if (fclose(dynamic.file) != 0 && status == RD_OK)
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
