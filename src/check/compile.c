// SPDX-License-Identifier: MIT
#include "check/compiler.h"
#include "check/headers.h"
#include "check/refusal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH_SIZE = RD_CHECK_PATH_SIZE, DYNAMIC_BYTES = 227 * 1024 };

static enum rd_status write_file(const char *directory, const char *name, const char *content,
                                 size_t size, struct rd_error *error)
{
    char path[PATH_SIZE];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    FILE *file = fopen(path, "w");
    bool good = file && fwrite(content, 1, size, file) == size;
    if (file && fclose(file) != 0)
        good = false;
    return good ? RD_OK
                : rd_fail(error, RD_ERROR_IO, "'%s' can't be written: %s", path, strerror(errno));
}

enum { FULL_NAME_SIZE = 4096 };

static void declare_dynamic(void *self, const char *name)
{
    const char *seen = strcmp(name, "rd_check_dynamic") == 0 ? "" : ".hidden ";
    fprintf(self, ".globl \"%s\"\n", name);
    if (*seen)
        fprintf(self, "%s\"%s\"\n", seen, name);
    fprintf(self, ".type \"%s\", @object\n\"%s\":\n", name, name);
}

/* All extern shared variables are one: the launch's dynamic shared memory. */
static enum rd_status write_dynamic(const char *directory, const char *name, struct rd_error *error)
{
    char path[PATH_SIZE], object[PATH_SIZE];
    snprintf(path, sizeof path, "%s/%s.s", directory, name);
    snprintf(object, sizeof object, "%s/%s.o", directory, name);
    FILE *file = fopen(path, "w");
    if (!file)
        return rd_fail(error, RD_ERROR_IO, "'%s' can't be written", path);
    fprintf(file, ".section .tbss.dynamic,\"awT\",@nobits\n.balign 128\n");
    enum rd_status status = rd_check_object_prepare(object, declare_dynamic, file, error);
    declare_dynamic(file, "rd_check_dynamic");
    fprintf(file, ".zero %d\n.zero 4096\n.section .note.GNU-stack,\"\",@progbits\n", DYNAMIC_BYTES);
    if (fclose(file) != 0 && status == RD_OK)
        status = rd_fail(error, RD_ERROR_IO, "'%s' can't be written", path);
    return status;
}

/* Of the headers, in ours. */
static const char *const folders[] = {"cuda", "cooperative_groups"};
enum { N_FOLDERS = sizeof folders / sizeof *folders };

static enum rd_status write_headers(const char *directory, struct rd_error *error)
{
    char path[PATH_SIZE];
    enum rd_status status = RD_OK;
    for (unsigned k = 0; k < N_FOLDERS; k++) {
        snprintf(path, sizeof path, "%s/%s", directory, folders[k]);
        if (mkdir(path, 0700) != 0 && errno != EEXIST)
            return rd_fail(error, RD_ERROR_IO, "'%s' can't be made: %s", path, strerror(errno));
    }
    for (const struct rd_check_header *header = rd_check_headers; header->name && status == RD_OK;
         header++)
        status = write_file(directory, header->name, header->text, strlen(header->text), error);
    return status;
}

/* ---- compiling ---- */

/* The compiler has refused the file with its kernel. Without it? And with its parameters? */
static enum rd_status compile_otherwise(const struct rd_check_compiler *compiler,
                                        struct rd_check_unit *unit, struct rd_error *error)
{
    char full[FULL_NAME_SIZE];
    enum rd_status status = rd_check_unit_write(unit, "file", NULL, error);
    if (status == RD_OK)
        status = rd_check_kernel_explain(compiler, "file", full, sizeof full, error);
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

/* Leaves out what the simulator does not know, and gives other names to what is also a header's, as far
 * as the compiler's errors are about these. RD_ERROR_INPUT where that is of no help. */
static enum rd_status compile_changed(const struct rd_check_compiler *compiler,
                                      struct rd_check_unit *unit, struct rd_error *error)
{
    struct rd_check_refusal refusal;
    enum rd_status status = RD_ERROR_INPUT;
    bool changed = true;
    for (unsigned k = 0; k < 3 && status == RD_ERROR_INPUT && changed; k++) {
        rd_check_refusal_init(&refusal, compiler, unit, "unit");
        status = rd_check_refusal_evade(&refusal, compiler, unit, &changed, error);
        if (status == RD_OK && changed)
            status = rd_check_unit_write(unit, "unit", unit->options->kernel, error);
        if (status == RD_OK)
            status = changed ? rd_check_compiler_compile(compiler, "unit", error) : RD_ERROR_INPUT;
        if (status == RD_ERROR_INPUT && !changed && refusal.feature)
            status = rd_fail(error, RD_ERROR_DEVICE, "Reductio does not simulate %s (%s)",
                             refusal.feature, refusal.place);
        rd_check_refusal_finish(&refusal);
    }
    return status;
}

/* Compiles what was written of it, or what can be, as it is to be run. */
static enum rd_status compile_unit(const struct rd_check_compiler *compiler,
                                   struct rd_check_unit *unit, struct rd_error *error)
{
    enum rd_status status = rd_check_compiler_compile(compiler, "unit", error);
    if (status == RD_ERROR_INPUT)
        status = compile_changed(compiler, unit, error);
    return status == RD_ERROR_INPUT ? compile_otherwise(compiler, unit, error) : status;
}

/* From NAME.o to the library. */
static enum rd_status link_library(const struct rd_check_compiler *compiler, const char *name,
                                   char library[RD_CHECK_PATH_SIZE], struct rd_error *error)
{
    snprintf(library, RD_CHECK_PATH_SIZE, "%s/%s.so", compiler->directory, name);
    enum rd_status status = write_dynamic(compiler->directory, name, error);
    return status == RD_OK ? rd_check_compiler_link(compiler, name, error) : status;
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
    status = rd_check_unit_write(&unit, "unit", options->kernel, error);
    if (status == RD_OK)
        status = write_headers(directory, error);
    if (status == RD_OK)
        status = rd_check_compiler_init(&compiler, options, directory, error);
    if (status == RD_OK)
        is_beside =
            options->private_memory &&
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

enum rd_status rd_check_compile_again(const struct rd_check_options *options, const char *directory,
                                      enum rd_check_build build, char library[RD_CHECK_PATH_SIZE],
                                      struct rd_error *error)
{
    struct rd_check_compiler compiler;
    pid_t process;
    enum rd_status status = rd_check_compiler_init(&compiler, options, directory, error);
    if (status == RD_OK)
        status = rd_check_compiler_start(&compiler, "unit", "again", build, &process, error);
    if (status == RD_OK)
        status = rd_check_compiler_wait(&compiler, process, error);
    return status == RD_OK ? link_library(&compiler, "again", library, error) : status;
}

void rd_check_clean(const char *directory)
{
    static const char *const names[] = {
        "unit.cpp",   "unit.o",      "unit.s",  "unit.so",   "unit.txt",   "file.cpp",  "file.o",
        "file.txt",   "probe.cpp",   "probe.o", "probe.txt", "macros.txt", "private.o", "private.s",
        "private.so", "private.txt", "again.o", "again.s",   "again.so",   "again.txt"};
    char path[PATH_SIZE];
    for (unsigned k = 0; k < sizeof names / sizeof *names; k++) {
        snprintf(path, sizeof path, "%s/%s", directory, names[k]);
        unlink(path);
    }
    for (const struct rd_check_header *header = rd_check_headers; header->name; header++) {
        snprintf(path, sizeof path, "%s/%s", directory, header->name);
        unlink(path);
    }
    for (unsigned k = 0; k < N_FOLDERS; k++) {
        snprintf(path, sizeof path, "%s/%s", directory, folders[k]);
        rmdir(path);
    }
    rmdir(directory);
}
