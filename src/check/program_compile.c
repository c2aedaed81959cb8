// SPDX-License-Identifier: MIT
#include "check/program.h"
#include "check/compiler.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { NAME_SIZE = 32 };

/* One of the files, and the name that it has in the directory. */
struct unit {
    struct rd_check_options options;
    const struct rd_annotations *annotations; /* of all files */
    size_t n_annotations;
    char name[NAME_SIZE];
};

static enum rd_status compile_one(const struct rd_check_compiler *compiler, struct unit *it,
                                  const char **main_file, struct rd_error *error)
{
    struct rd_check_unit unit;
    struct rd_check_compiler own = *compiler;
    own.options = &it->options;
    for (unsigned k = 0; k < own.n_words; k++) /* words lie in the text */
        own.words[k] = own.text + (compiler->words[k] - compiler->text);
    enum rd_status status = rd_check_unit_init(&unit, &it->options, compiler->directory, error);
    if (status != RD_OK)
        return status;
    unit.annotations = it->annotations;
    unit.n_annotations = it->n_annotations;
    if (!*main_file && rd_check_unit_has_main(&unit))
        *main_file = it->options.file;
    status = rd_check_unit_write(&unit, it->name, NULL, error);
    if (status == RD_OK)
        status = rd_check_compile_unit(&own, &unit, it->name, error);
    if (status == RD_OK)
        rd_check_compiler_pass_on(&own, it->name);
    if (status == RD_ERROR_INPUT) {
        const size_t length = strlen(it->options.file);
        const bool is_c = length > 2 && strcmp(it->options.file + length - 2, ".c") == 0;
        rd_fail(error, status, "the compiler refuses '%s'%s; its errors are above",
                it->options.file, is_c ? ", which is compiled as C++" : "");
        rd_check_compiler_explain(&own, it->name, error);
    }
    rd_check_unit_finish(&unit);
    return status;
}

static enum rd_status link_all(const struct rd_check_program_options *options,
                               const struct rd_check_compiler *compiler, const struct unit *units,
                               char library[RD_CHECK_PATH_SIZE], struct rd_error *error)
{
    const char *objects[RD_CHECK_FILES_MAX];
    for (unsigned k = 0; k < options->n_files; k++)
        objects[k] = units[k].name;
    snprintf(library, RD_CHECK_PATH_SIZE, "%s/unit.so", compiler->directory);
    enum rd_status status =
        rd_check_link(compiler, "unit", objects, options->n_files, options->libraries, error);
    if (status == RD_ERROR_INPUT) {
        rd_check_compiler_pass_on(compiler, "unit");
        rd_fail(error, status, "the program can't be linked; the linker's errors are above");
    }
    return status;
}

enum rd_status rd_check_program_compile(const struct rd_check_program_options *options,
                                        const struct rd_annotations *annotations,
                                        size_t n_annotations, const struct rd_device_ops *device,
                                        const char *directory, char library[RD_CHECK_PATH_SIZE],
                                        const char **main_file, struct rd_error *error)
{
    struct unit *units = calloc(options->n_files, sizeof *units);
    struct rd_check_compiler compiler;
    *main_file = NULL;
    if (!units)
        return rd_fail(error, RD_ERROR_MEMORY, "no memory for the files of a program");
    enum rd_status status = rd_check_headers_write(directory, error);
    for (unsigned k = 0; k < options->n_files && status == RD_OK; k++) {
        units[k].options = (struct rd_check_options){
            .file = options->files[k],
            .compiler_args = options->compiler_args,
        };
        units[k].annotations = annotations;
        units[k].n_annotations = n_annotations;
        snprintf(units[k].name, sizeof units[k].name, "unit%u", k);
        if (k == 0)
            status = rd_check_compiler_init(&compiler, &units[0].options, device, directory, error);
        if (status == RD_OK)
            status = compile_one(&compiler, &units[k], main_file, error);
    }
    if (status == RD_OK && !*main_file)
        status = rd_fail(error, RD_ERROR_INPUT,
                         options->n_files == 1 ? "'%s' has no main(): give the file that has it, "
                                                 "too, or check one kernel by 'reductio check'"
                                               : "no file has a main(): '%s' and the others",
                         options->files[0]);
    if (status == RD_OK)
        status = link_all(options, &compiler, units, library, error);
    if (status == RD_OK)
        status = device->files->prepare_program(library, error);
    free(units);
    return status;
}

void rd_check_program_clean(const char *directory, unsigned n_files)
{
    static const char *const endings[] = {".cpp", ".o", ".txt"};
    char path[RD_CHECK_PATH_SIZE];
    for (unsigned k = 0; k < n_files; k++)
        for (size_t n = 0; n < sizeof endings / sizeof *endings; n++) {
            snprintf(path, sizeof path, "%s/unit%u%s", directory, k, endings[n]);
            unlink(path);
        }
    rd_check_clean(directory);
}
