// SPDX-License-Identifier: MIT
/* Source code that a program has compiled while it runs, as by NVRTC: in its own process, with its confinement, and in its private
 * folder. */
#include "base/own_files.h"
#include "base/texts.h"
#include "check/compiler/compiler.h"
#include "check/compiler/headers.h"
#include "check/program/program.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NAME_SIZE = 32, OPTIONS_MAX = 200 };

/* The folder of what is compiled, which has our headers; NULL where there can be none. */
static const char *folder_of(const struct rd_check_program_run *run, struct rd_error *error)
{
    static char folder[400];
    const char *own = getenv("TMPDIR");
    if (folder[0])
        return folder;
    /* Without a sandbox the folder of the run will do. */
    if (!own || strncmp(own, run->directory, strlen(run->directory)) != 0)
        own = run->directory;
    snprintf(folder, sizeof folder, "%.380s/modules", own);
    if (mkdir(folder, 0700) != 0 && errno != EEXIST) {
        rd_fail(error, RD_ERROR_IO, "'%s' can't be made: %s", folder, strerror(errno));
        folder[0] = '\0';
        return NULL;
    }
    if (rd_check_headers_write(folder, error) == RD_OK)
        return folder;
    folder[0] = '\0';
    return NULL;
}

static enum rd_status write_headers(const struct rd_file_compile *compile, const char *folder,
                                    struct rd_error *error)
{
    char path[RD_CHECK_PATH_SIZE];
    enum rd_status status = RD_OK;
    mkdir(folder, 0700);
    for (size_t k = 0; k < compile->n_headers && status == RD_OK; k++) {
        if (compile->header_names[k][0] == '/' || strstr(compile->header_names[k], ".."))
            continue; /* the file of that name is there, or the compiler says that it isn't */
        snprintf(path, sizeof path, "%.300s/%.200s", folder, compile->header_names[k]);
        status = rd_make_own_folders(path, error);
        if (status == RD_OK)
            status = rd_write_own_file(path, compile->headers[k], error);
    }
    return status;
}

/* What the compiler has said of NAME, with the names that the user has given. */
static char *log_of(const char *folder, const char *name)
{
    char path[RD_CHECK_PATH_SIZE];
    snprintf(path, sizeof path, "%.400s/%s.txt", folder, name);
    char *text = rd_text_of_file(path);
    if (text)
        rd_check_names_restore(text);
    return text;
}

static enum rd_status compile_unit(struct rd_check_unit *unit,
                                   const struct rd_check_options *options,
                                   const struct rd_device_ops *device, const char *name, char **log,
                                   struct rd_error *error)
{
    struct rd_check_compiler compiler;
    enum rd_status status =
        rd_check_compiler_init(&compiler, options, device, unit->directory, error);
    if (status == RD_OK)
        status = rd_check_unit_write(unit, name, NULL, error);
    if (status == RD_OK)
        status = rd_check_compile_unit(&compiler, unit, name, error);
    *log = log_of(unit->directory, name);
    if (status != RD_OK)
        return status;
    status = rd_check_link(&compiler, name, &name, 1, NULL, error);
    if (status == RD_ERROR_INPUT) {
        free(*log);
        *log = log_of(unit->directory, name);
    }
    return status;
}

/* Has a folder searched for headers: of one with a copy of CUDA's, as builds of NVIDIA's samples make it, only for
 * those in quotation marks, as ours take the place of CUDA's. The text must stay. */
static void add_folder(const char *words[OPTIONS_MAX + 1], size_t *n, const char *folder)
{
    static char texts[OPTIONS_MAX][RD_CHECK_PATH_SIZE];
    char copy[RD_CHECK_PATH_SIZE];
    if (*n + 1 >= OPTIONS_MAX)
        return;
    snprintf(copy, sizeof copy, "%.400s/cooperative_groups.h", folder);
    snprintf(texts[*n], sizeof texts[*n], "%s%.400s", access(copy, F_OK) == 0 ? "-iquote" : "-I",
             folder);
    words[*n] = texts[*n];
    ++*n;
}

/* The options of the program's own files don't matter: as with NVRTC, those of the call do. */
static void take_options(const struct rd_file_compile *compile, const char *headers,
                         const char *words[OPTIONS_MAX + 1])
{
    char beside[RD_CHECK_PATH_SIZE];
    const char *slash = strrchr(compile->name, '/');
    size_t n = 0;
    for (size_t k = 0; compile->options[k] && n + 1 < OPTIONS_MAX; k++)
        if (strncmp(compile->options[k], "-I", 2) == 0)
            add_folder(words, &n, compile->options[k] + 2);
        else
            words[n++] = compile->options[k];
    if (compile->n_headers > 0)
        add_folder(words, &n, headers);
    snprintf(beside, sizeof beside, "%.*s", slash ? (int)(slash - compile->name) + 1 : 1,
             slash ? compile->name : "."); /* the source's own folder */
    add_folder(words, &n, beside);
    words[n] = NULL;
}

enum rd_status rd_check_program_module(const struct rd_check_program_run *run,
                                       struct rd_file_compile *compile, struct rd_error *error)
{
    static unsigned number;
    static const char *words[OPTIONS_MAX + 1];
    char name[NAME_SIZE], path[RD_CHECK_PATH_SIZE], headers[RD_CHECK_PATH_SIZE];
    struct rd_check_unit unit;
    const char *folder = folder_of(run, error);
    if (!folder)
        return RD_ERROR_IO;
    snprintf(name, sizeof name, "nvrtc%u", ++number);
    snprintf(path, sizeof path, "%.400s/%s.cu", folder, name);
    snprintf(headers, sizeof headers, "%.400s/%s.headers", folder, name);
    take_options(compile, headers, words);
    const struct rd_check_options options = {.file = path, .compiler_args = words};
    enum rd_status status = rd_write_own_file(path, compile->text, error);
    if (status == RD_OK && compile->n_headers > 0)
        status = write_headers(compile, headers, error);
    if (status == RD_OK)
        status = rd_check_unit_init(&unit, &options, folder, error);
    if (status != RD_OK)
        return status;
    unit.is_module = true;
    unit.shown = compile->name;
    unit.expressions = compile->expressions;
    unit.n_expressions = compile->n_expressions;
    status = compile_unit(&unit, &options, run->device, name, &compile->log, error);
    rd_check_unit_finish(&unit);
    snprintf(compile->library, sizeof compile->library, "%.400s/%s.so", folder, name);
    return status;
}
