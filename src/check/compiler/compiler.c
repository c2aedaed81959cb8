// SPDX-License-Identifier: MIT
/* The machine's C++ compiler: which it is, how it compiles and links, and what it says. */
#include "check/compiler/compiler.h"

#include "base/cache_folder.h"
#include "check/compiler/compiler_internal.h"
#include "check/compiler/headers.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct rd_check_command begin(const struct rd_check_compiler *compiler)
{
    struct rd_check_command command = {.n = 0};
    for (unsigned k = 0; k < compiler->n_words; k++)
        rd_check_command_add(&command, compiler->words[k]);
    return command;
}

static enum rd_status run(const struct rd_check_command *command, const char *said,
                          struct rd_error *error)
{
    pid_t process;
    enum rd_status status = rd_check_command_start(command, said, &process, error);
    return status == RD_OK ? rd_check_command_finish(command->words[0], process, error) : status;
}

static void path_of(char path[RD_CHECK_PATH_SIZE], const struct rd_check_compiler *compiler,
                    const char *name, const char *ending)
{
    snprintf(path, RD_CHECK_PATH_SIZE, "%s/%s%s", compiler->directory, name, ending);
}

/* The number that a macro stands for; 0 where there is none. */
static unsigned macro_of(const char *path, const char *name)
{
    char line[256];
    unsigned value = 0;
    size_t start = strlen("#define "), length = strlen(name);
    FILE *file = fopen(path, "r");
    while (file && value == 0 && fgets(line, sizeof line, file))
        if (strncmp(line + start, name, length) == 0 && line[start + length] == ' ')
            value = (unsigned)strtoul(line + start + length, NULL, 10);
    if (file)
        fclose(file);
    return value;
}

const char *rd_check_compiler_name(struct rd_check_compiler *compiler)
{
    const char *given = getenv("CXX"), *name = given && given[strspn(given, " \t")] ? given : "g++";
    compiler->n_words = 0;
    snprintf(compiler->text, sizeof compiler->text, "%s", name);
    char *rest = compiler->text, *word;
    while ((word = strsep(&rest, " \t")) && compiler->n_words < 16)
        if (*word)
            compiler->words[compiler->n_words++] = word;
    return name;
}

enum rd_status rd_check_compiler_init(struct rd_check_compiler *compiler,
                                      const struct rd_check_options *options,
                                      const struct rd_device_ops *device, const char *directory,
                                      struct rd_error *error)
{
    static const char *const macros[] = {"-E", "-v", "-dM", "-x", "c++", "/dev/null", NULL};
    char said[RD_CHECK_PATH_SIZE];
#ifdef __x86_64__
    if (options->fmad && !__builtin_cpu_supports("fma"))
        return rd_fail(error, RD_ERROR_DEVICE,
                       "'--fmad on' needs a processor that multiplies and adds in one operation "
                       "(FMA), and this one does not: leave it out");
#endif
    *compiler = (struct rd_check_compiler){
        .directory = directory, .options = options, .files = device->files};
    const char *name = rd_check_compiler_name(compiler);
    struct rd_check_command command = begin(compiler);
    rd_check_command_add_all(&command, macros);
    path_of(said, compiler, "macros", ".txt");
    enum rd_status status = run(&command, said, error);
    if (status == RD_ERROR_INPUT)
        return rd_fail(error, RD_ERROR_DEVICE, "'%s' is no C++ compiler: set CXX to g++ or clang++",
                       name);
    compiler->clang = macro_of(said, "__clang_major__");
    compiler->gcc = compiler->clang ? 0 : macro_of(said, "__GNUC__");
    snprintf(compiler->shadow, sizeof compiler->shadow, "%s=%s",
             compiler->clang ? "-asan-mapping-offset" : "-fasan-shadow-offset",
             compiler->files->private_shadow);
    return status == RD_OK ? rd_check_compiler_write_macros(compiler, error) : status;
}

/* ---- compiling ---- */

enum rd_status rd_check_compiler_start(const struct rd_check_compiler *compiler,
                                       const char *source_name, const char *name,
                                       enum rd_check_build build, pid_t *process,
                                       struct rd_error *error)
{
    const struct rd_check_options *options = compiler->options;
    const char *slash = strrchr(options->file, '/');
    char headers[RD_CACHE_PATH_SIZE], toolkit[RD_CACHE_PATH_SIZE + sizeof "/toolkit"],
        precompiled[RD_CHECK_PRECOMPILED_SIZE], beside[RD_CHECK_PATH_SIZE],
        source[RD_CHECK_PATH_SIZE], object[RD_CHECK_PATH_SIZE], said[RD_CHECK_PATH_SIZE];
    struct rd_check_command whole = begin(compiler), command = begin(compiler);
    rd_check_headers_find(compiler->directory, headers, sizeof headers);
    snprintf(toolkit, sizeof toolkit, "%s/toolkit", headers);
    snprintf(beside, sizeof beside, "%.*s", slash ? (int)(slash - options->file) + 1 : 1,
             slash ? options->file : ".");
    path_of(source, compiler, source_name, ".cpp");
    path_of(object, compiler, name, ".o");
    path_of(said, compiler, name, ".txt");
    rd_check_compiler_add_options(&command, compiler, build);
    rd_check_command_add(&command,
                         "-fno-omit-frame-pointer"); /* see source.h: whatever was asked for */
    if (!compiler->is_of_host &&
        rd_check_precompiled_find(compiler, command.words, command.n, headers, precompiled)) {
        rd_check_command_add(&whole, "-iquote");
        rd_check_command_add(&whole, precompiled);
    }
    rd_check_command_add(&whole,
                         "-iquote"); /* before all others, as if they were beside the unit */
    rd_check_command_add(&whole, headers);
    command.words[command.n] = NULL;
    rd_check_command_add_all(&whole, command.words + compiler->n_words);
    const char *const folders[] = {"-I",    compiler->directory, "-I",   headers, "-idirafter",
                                   toolkit, "-iquote",           beside, NULL};
    const char *const files[] = {"-include", RD_CHECK_MACROS, "-c", source, "-o", object, NULL};
    rd_check_command_add_all(&whole, folders);
    if (!compiler->is_of_host) {
        rd_check_command_add(&whole, "-include");
        rd_check_command_add(&whole, RD_CHECK_FIRST);
    }
    if (compiler->is_c) {
        rd_check_command_add(&whole, "-x");
        rd_check_command_add(&whole, "c");
        rd_check_command_add(&whole, "-std=gnu17"); /* which still has functions of before ISO C */
    }
    rd_check_command_add_all(&whole, files);
    return rd_check_command_start(&whole, said, process, error);
}

enum rd_status rd_check_compiler_wait(const struct rd_check_compiler *compiler, pid_t process,
                                      struct rd_error *error)
{
    return rd_check_command_finish(compiler->words[0], process, error);
}

enum rd_status rd_check_compiler_compile(const struct rd_check_compiler *compiler, const char *name,
                                         struct rd_error *error)
{
    pid_t process;
    enum rd_status status =
        rd_check_compiler_start(compiler, name, name, RD_CHECK_BUILD_PLAIN, &process, error);
    return status == RD_OK ? rd_check_compiler_wait(compiler, process, error) : status;
}

enum rd_status rd_check_compiler_warn(const struct rd_check_compiler *compiler, const char *name,
                                      struct rd_error *error)
{
    pid_t process;
    enum rd_status status =
        rd_check_compiler_start(compiler, name, name, RD_CHECK_BUILD_WARNINGS, &process, error);
    return status == RD_OK ? rd_check_compiler_wait(compiler, process, error) : status;
}

/* ---- linking ---- */

enum rd_status rd_check_compiler_link(const struct rd_check_compiler *compiler, const char *name,
                                      const char *const *objects, unsigned n_objects,
                                      const char *const *libraries, struct rd_error *error)
{
    enum { OBJECTS_MAX = 256 };
    static char paths[OBJECTS_MAX][RD_CHECK_PATH_SIZE];
    char dynamic[RD_CHECK_PATH_SIZE], library[RD_CHECK_PATH_SIZE], said[RD_CHECK_PATH_SIZE],
        missing[RD_CHECK_PATH_SIZE], variables[RD_CHECK_PATH_SIZE], absent[RD_CHECK_PATH_SIZE];
    struct rd_check_missing lacks;
    struct rd_check_command command = begin(compiler);
    path_of(dynamic, compiler, name, ".s");
    path_of(library, compiler, name, ".so");
    path_of(said, compiler, name, ".txt");
    const char *const words[] = {"-shared",
                                 "-Wl,--wrap=memcpy,--wrap=memset,--wrap=memmove",
                                 "-Wl,--wrap=fmin,--wrap=fminf,--wrap=fmax,--wrap=fmaxf",
                                 compiler->files->link_option,
                                 "-o",
                                 library,
                                 dynamic,
                                 NULL};
    rd_check_command_add_all(&command, words);
    if (!compiler->options->kernel)
        rd_check_command_add_all(&command, compiler->files->program_link_options);
    for (unsigned k = 0; k < n_objects && k < OBJECTS_MAX; k++) {
        path_of(paths[k], compiler, objects[k], ".o");
        rd_check_command_add(&command, paths[k]);
    }
    if (libraries)
        rd_check_command_add_all(&command, libraries);
    rd_check_command_add(&command, "-Wl,-z,defs,--warn-unresolved-symbols,--no-demangle");
    enum rd_status status = run(&command, said, error);
    if (status != RD_OK)
        return status;
    path_of(missing, compiler, name, ".missing.cpp");
    path_of(variables, compiler, name, ".absent.s");
    path_of(absent, compiler, name, RD_FILE_ABSENT_LIBRARY_SUFFIX);
    status =
        rd_check_missing_write(missing, variables, said, (const char(*)[RD_CHECK_PATH_SIZE])paths,
                               n_objects < OBJECTS_MAX ? n_objects : OBJECTS_MAX, &lacks, error);
    if (status == RD_OK && lacks.variables) {
        /* in a library of its own, as no code that is linked with them reaches over so much memory */
        struct rd_check_command other = begin(compiler);
        const char *const to[] = {"-shared", "-nostdlib", "-o", absent, variables, NULL};
        rd_check_command_add_all(&other, to);
        status = run(&other, said, error);
        rd_check_command_add(&command, absent);
    }
    if (lacks.functions) {
        rd_check_command_add(&command, "-fPIC");
        rd_check_command_add(&command, missing);
    }
    if (status == RD_OK && (lacks.functions || lacks.variables))
        status = run(&command, said, error);
    return status;
}

/* ---- what it says ---- */

/* "sum.cu:12:3: error: ...": the line of that file. */
static unsigned line_of(const char *said, const char *file)
{
    size_t length = strlen(file);
    char *end;
    if (strncmp(said, file, length) != 0 || said[length] != ':')
        return 0;
    unsigned long line = strtoul(said + length + 1, &end, 10);
    return *end == ':' && line <= UINT32_MAX ? (unsigned)line : 0;
}

void rd_check_compiler_visit(const struct rd_check_compiler *compiler, const char *name,
                             const char *source,
                             void (*visit)(void *self, const char *said, unsigned line), void *self)
{
    char path[RD_CHECK_PATH_SIZE], *said = NULL;
    size_t size = 0;
    path_of(path, compiler, name, ".txt");
    FILE *file = fopen(path, "r");
    while (file && getline(&said, &size, file) > 0)
        visit(self, said, line_of(said, source));
    free(said);
    if (file)
        fclose(file);
}

/* Tells whether the line quotes the file, "    5 |     return y;", in which names are the user's own. */
static bool is_quoted_source(const char *said)
{
    const char *at = said + strspn(said, " 0123456789");
    return at > said && *at == '|';
}

void rd_check_compiler_pass_on(const struct rd_check_compiler *compiler, const char *name)
{
    char path[RD_CHECK_PATH_SIZE], *said = NULL;
    size_t size = 0;
    path_of(path, compiler, name, ".txt");
    FILE *file = fopen(path, "r");
    while (file && getline(&said, &size, file) > 0) {
        if (!is_quoted_source(said))
            rd_check_names_restore(said);
        fputs(said, stderr);
    }
    free(said);
    if (file)
        fclose(file);
}

enum rd_status rd_check_make_directory(char made[256], struct rd_error *error)
{
    const char *given = getenv("TMPDIR"), *tmp = given && *given ? given : "/tmp";
    char path[256];
    int length = snprintf(path, sizeof path, "%s/reductio-XXXXXX", tmp);
    if (length >= (int)sizeof path)
        return rd_fail(error, RD_ERROR_IO, "'%s' is too long for a folder: set TMPDIR", tmp);
    if (!mkdtemp(path))
        return rd_fail(error, RD_ERROR_IO, "no folder can be made in '%s': %s; set TMPDIR", tmp,
                       strerror(errno));
    memcpy(made, path, sizeof path);
    return RD_OK;
}
