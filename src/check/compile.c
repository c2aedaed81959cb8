// SPDX-License-Identifier: MIT
#include "check/compiler.h"
#include "check/headers.h"

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
    return good ? RD_OK : rd_fail(error, RD_ERROR_IO, "'%s' can't be written", path);
}

static enum rd_status read_file(const char *path, char **content, struct rd_error *error)
{
    FILE *file = fopen(path, "r");
    size_t size = 0, capacity = 1 << 16;
    char *text = malloc(capacity);
    while (file && text) {
        size_t n = fread(text + size, 1, capacity - size - 1, file);
        size += n;
        if (n == 0)
            break;
        if (size == capacity - 1) {
            char *grown = realloc(text, capacity *= 2);
            if (!grown)
                break;
            text = grown;
        }
    }
    bool good = file && text && !ferror(file);
    if (file)
        fclose(file);
    if (!good) {
        free(text);
        return rd_fail(error, RD_ERROR_IO, "'%s' can't be read: %s", path, strerror(errno));
    }
    text[size] = '\0';
    if (strlen(text) != size) {
        free(text);
        return rd_fail(error, RD_ERROR_INPUT, "'%s' has a NUL byte, so it is no source file", path);
    }
    *content = text;
    return RD_OK;
}

/* A path as it stands in a string of C. */
static void write_quoted(FILE *file, const char *path)
{
    for (; *path; path++)
        fprintf(file, *path == '"' || *path == '\\' ? "\\%c" : "%c", *path);
}

enum { FULL_NAME_SIZE = 4096 };

/* The user's file with its launches blanked, in place of the file: errors name the user's lines.
 * With its kernel named, or without: NULL. */
static enum rd_status write_unit(const struct rd_check_options *options, const char *directory,
                                 const char *name, const char *kernel, struct rd_error *error)
{
    char *text = NULL, path[PATH_SIZE];
    enum rd_status status = read_file(options->file, &text, error);
    if (status != RD_OK)
        return status;
    unsigned n_launches = rd_check_blank_launches(text, options->kernel);
    snprintf(path, sizeof path, "%s/%s", directory, name);
    FILE *file = fopen(path, "w");
    if (file) {
        fputs("#define main rd_check_main\n#line 1 \"", file);
        write_quoted(file, options->file);
        fprintf(file, "\"\n%s\n#undef main\n#line 1 \"--kernel\"\n", text);
        if (kernel) {
            fputs("RD_CHECK_KERNEL(", file);
            rd_check_kernel_expression(kernel, file);
            fprintf(file, ")\nconst unsigned rd_check_launches = %u;\n", n_launches);
        }
    }
    free(text);
    if (!file || fclose(file) != 0)
        return rd_fail(error, RD_ERROR_IO, "'%s' can't be written", path);
    return RD_OK;
}

static void declare_dynamic(void *self, const char *name)
{
    fprintf(self, ".globl \"%s\"\n.type \"%s\", @object\n\"%s\":\n", name, name, name);
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

/* The compiler has refused the file with its kernel. Without it? And with its parameters? */
static enum rd_status compile_otherwise(const struct rd_check_compiler *compiler,
                                        struct rd_error *error)
{
    char full[FULL_NAME_SIZE];
    const struct rd_check_options *options = compiler->options;
    enum rd_status status = write_unit(options, compiler->directory, "file.cpp", NULL, error);
    if (status == RD_OK)
        status = rd_check_kernel_explain(compiler, "file", full, sizeof full, error);
    if (status == RD_OK)
        status = write_unit(options, compiler->directory, "unit.cpp", full, error);
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

/* From NAME.o to the library. */
static enum rd_status link_library(const struct rd_check_compiler *compiler, const char *name,
                                   char library[RD_CHECK_PATH_SIZE], struct rd_error *error)
{
    snprintf(library, RD_CHECK_PATH_SIZE, "%s/%s.so", compiler->directory, name);
    enum rd_status status = write_dynamic(compiler->directory, name, error);
    return status == RD_OK ? rd_check_compiler_link(compiler, name, error) : status;
}

/* Compiles it as it is to be run. */
static enum rd_status compile_plain(const struct rd_check_compiler *compiler,
                                    char library[RD_CHECK_PATH_SIZE], struct rd_error *error)
{
    enum rd_status status = rd_check_compiler_compile(compiler, "unit", error);
    if (status == RD_ERROR_INPUT)
        status = compile_otherwise(compiler, error);
    if (status != RD_OK)
        return status;
    rd_check_compiler_pass_on(compiler, "unit");
    status = link_library(compiler, "unit", library, error);
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
    else
        snprintf(check->not_private, sizeof check->not_private,
                 "the compiler can't build the file for that");
    if (status == RD_OK && !rd_check_compiler_fills(compiler))
        snprintf(check->not_private, sizeof check->not_private,
                 "reads before they are set are not seen: that takes g++ 12 or clang++ 8");
}

enum rd_status rd_check_compile(struct rd_check *check, const char *directory,
                                char library[RD_CHECK_PATH_SIZE],
                                char private_library[RD_CHECK_PATH_SIZE], struct rd_error *error)
{
    const struct rd_check_options *options = check->options;
    struct rd_check_compiler compiler;
    pid_t process;
    enum rd_status status = write_unit(options, directory, "unit.cpp", options->kernel, error);
    if (status == RD_OK)
        status = write_headers(directory, error);
    if (status == RD_OK)
        status = rd_check_compiler_init(&compiler, options, directory, error);
    if (status != RD_OK)
        return status;
    bool is_beside =
        options->private_memory &&
        rd_check_compiler_start(&compiler, "unit", "private", RD_CHECK_BUILD_PRIVATE_OTHERWISE,
                                &process, error) == RD_OK;
    status = compile_plain(&compiler, library, error);
    if (is_beside && status == RD_OK)
        finish_private(check, &compiler, process, private_library);
    else if (is_beside)
        rd_check_compiler_wait(&compiler, process, &(struct rd_error){""});
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
