// SPDX-License-Identifier: MIT
#include "check/check.h"
#include "check/headers.h"

#include <dirent.h>
#include <errno.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PATH_SIZE = 512, COMMAND_MAX = 128, DYNAMIC_BYTES = 227 * 1024 };

extern char **environ;

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
    *content = text;
    return RD_OK;
}

/* The user's file with its launches blanked, in place of the file: errors name the user's lines. */
static enum rd_status write_unit(const struct rd_check_options *options, const char *directory,
                                 struct rd_error *error)
{
    char *text = NULL, path[PATH_SIZE];
    enum rd_status status = read_file(options->file, &text, error);
    if (status != RD_OK)
        return status;
    rd_check_blank_launches(text);
    snprintf(path, sizeof path, "%s/unit.cpp", directory);
    FILE *file = fopen(path, "w");
    if (file)
        fprintf(file,
                "#define main rd_check_main\n#line 1 \"%s\"\n%s\n#undef main\n"
                "#line 1 \"--kernel\"\nRD_CHECK_KERNEL(%s)\n",
                options->file, text, options->kernel);
    free(text);
    if (!file || fclose(file) != 0)
        return rd_fail(error, RD_ERROR_IO, "'%s' can't be written", path);
    return RD_OK;
}

static enum rd_status run(const char *const *command, struct rd_error *error)
{
    pid_t child;
    int status,
        failed = posix_spawnp(&child, command[0], NULL, NULL, (char *const *)command, environ);
    if (failed)
        return rd_fail(error, RD_ERROR_DEVICE,
                       "no C++ compiler: '%s': %s; install one (apt-get install g++) or set CXX",
                       command[0], strerror(failed));
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
        return rd_fail(error, RD_ERROR_DEVICE,
                       "no C++ compiler: '%s'; install one (apt-get install g++) or set CXX",
                       command[0]);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        return rd_fail(error, RD_ERROR_INPUT,
                       "the compiler refuses the file; its errors are above");
    return RD_OK;
}

static void declare_dynamic(void *self, const char *name)
{
    fprintf(self, ".globl \"%s\"\n.type \"%s\", @object\n\"%s\":\n", name, name, name);
}

/* All extern shared variables are one: the launch's dynamic shared memory. */
static enum rd_status write_dynamic(const char *directory, const char *object,
                                    struct rd_error *error)
{
    char path[PATH_SIZE];
    snprintf(path, sizeof path, "%s/dynamic.s", directory);
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

static enum rd_status write_headers(const char *directory, struct rd_error *error)
{
    char path[PATH_SIZE];
    enum rd_status status = RD_OK;
    snprintf(path, sizeof path, "%s/cuda", directory);
    if (mkdir(path, 0700) != 0 && errno != EEXIST)
        return rd_fail(error, RD_ERROR_IO, "'%s' can't be made: %s", path, strerror(errno));
    for (const struct rd_check_header *header = rd_check_headers; header->name && status == RD_OK;
         header++)
        status = write_file(directory, header->name, header->text, strlen(header->text), error);
    return status;
}

enum rd_status rd_check_compile(const struct rd_check_options *options, const char *directory,
                                char *library, size_t library_size, struct rd_error *error)
{
    const char *compiler = getenv("CXX"), *command[COMMAND_MAX];
    char unit[PATH_SIZE], object[PATH_SIZE], dynamic[PATH_SIZE], beside[PATH_SIZE];
    const char *slash = strrchr(options->file, '/');
    unsigned n = 0;
    compiler = compiler && *compiler ? compiler : "g++"; /* whose options the ones below are */
    snprintf(unit, sizeof unit, "%s/unit.cpp", directory);
    snprintf(object, sizeof object, "%s/unit.o", directory);
    snprintf(dynamic, sizeof dynamic, "%s/dynamic.s", directory);
    snprintf(library, library_size, "%s/unit.so", directory);
    snprintf(beside, sizeof beside, "%.*s", slash ? (int)(slash - options->file) : 1,
             slash ? options->file : ".");
    enum rd_status status = write_headers(directory, error);
    if (status == RD_OK)
        status = write_unit(options, directory, error);
    if (status != RD_OK)
        return status;

    /* Two barriers or accesses must not become one, nor one access several; shared variables must
     * not share a section; copies must be calls, and of the plain functions: some systems harden
     * them without being asked. */
    static const char *const fixed[] = {"-std=gnu++17",
                                        "-O1",
                                        "-g",
                                        "-fPIC",
                                        "-w",
                                        "-fwrapv",
                                        "-ffp-contract=off",
                                        "-fsanitize=thread",
                                        "-fsanitize=bounds",
                                        "-fno-extern-tls-init",
                                        "-fdata-sections",
                                        "-fno-threadsafe-statics",
                                        "-fno-tree-tail-merge",
                                        "-fno-crossjumping",
                                        "-fno-strict-aliasing",
                                        "-fno-tree-sra",
                                        "-U_FORTIFY_SOURCE",
                                        "-fno-builtin-memcpy",
                                        "-fno-builtin-memset",
                                        "-fno-builtin-memmove",
                                        "-fpermissive",
                                        NULL};
    command[n++] = compiler;
    for (unsigned k = 0; fixed[k]; k++)
        command[n++] = fixed[k];
    for (unsigned k = 0; options->compiler_args && options->compiler_args[k] && n < 100; k++)
        command[n++] = options->compiler_args[k];
    const char *const rest[] = {"-I", directory, "-iquote", beside, "-include", "reductio_cuda.hpp",
                                "-c", unit,      "-o",      object, NULL};
    for (unsigned k = 0; rest[k]; k++)
        command[n++] = rest[k];
    command[n] = NULL;
    status = run(command, error);
    if (status == RD_OK)
        status = write_dynamic(directory, object, error);
    if (status != RD_OK)
        return status;
    const char *const link[] = {
        compiler, "-shared", "-Wl,--wrap=memcpy,--wrap=memset,--wrap=memmove",
        "-o",     library,   object,
        dynamic,  NULL};
    return run(link, error);
}

void rd_check_clean(const char *directory)
{
    static const char *const names[] = {"unit.cpp", "unit.o", "dynamic.s", "unit.so"};
    char path[PATH_SIZE];
    for (unsigned k = 0; k < sizeof names / sizeof *names; k++) {
        snprintf(path, sizeof path, "%s/%s", directory, names[k]);
        unlink(path);
    }
    for (const struct rd_check_header *header = rd_check_headers; header->name; header++) {
        snprintf(path, sizeof path, "%s/%s", directory, header->name);
        unlink(path);
    }
    snprintf(path, sizeof path, "%s/cuda", directory);
    rmdir(path);
    rmdir(directory);
}
