// SPDX-License-Identifier: MIT
#include "check/program/program.h"
#include "check/compiler/compiler.h"
#include "check/compiler/headers.h"
#include "check/unit/unit.h"
#include "check/program/namesakes.h"
#include "check/kernel/compile.h"
#include "check/unit/host_names.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NAME_SIZE = 32 };

/* One of the files, and the name that it has in the directory. */
struct unit {
    struct rd_check_options options;
    struct rd_check_unit unit;
    bool is_read; /* the unit is to be finished */
    char name[NAME_SIZE];
};

/* Tells whether a program with this file loads modules, whose kernels have names. */
static bool loads_modules(const struct rd_check_unit *unit)
{
    static const char *const calls[] = {"cuModuleLoad", "cuLinkAdd"};
    for (size_t k = 0; k < sizeof calls / sizeof *calls; k++) {
        if (strstr(unit->text, calls[k]))
            return true;
        for (size_t n = 0; n < unit->includes.n; n++)
            if (strstr(unit->includes.all[n].text, calls[k]))
                return true;
    }
    return false;
}

static bool is_c(const char *path)
{
    const size_t length = strlen(path);
    return length > 2 && strcmp(path + length - 2, ".c") == 0;
}

/* A file that has nothing to do with CUDA sees none of its headers, as with nvcc, and may call things by names of theirs. What
 * the compiler does not take so is compiled as all others are. */
static enum rd_status compile_as_host(struct rd_check_compiler *compiler,
                                      struct rd_check_unit *unit, const char *name,
                                      struct rd_error *error)
{
    if (!unit->is_of_host)
        return RD_OK;
    enum rd_status status = rd_check_unit_write(unit, name, NULL, error);
    compiler->is_of_host = true;
    if (status == RD_OK)
        status = rd_check_compiler_compile(compiler, name, error);
    if (status == RD_ERROR_INPUT && is_c(unit->options->file)) { /* C has more than C++ takes */
        compiler->is_c = true;
        status = rd_check_compiler_compile(compiler, name, error);
        compiler->is_c = false;
    }
    if (status != RD_ERROR_INPUT)
        return status;
    unit->is_of_host = compiler->is_of_host = false;
    return RD_OK;
}

static enum rd_status compile_one(const struct rd_check_compiler *compiler, struct unit *unit,
                                  struct rd_error *error)
{
    struct rd_check_compiler own = *compiler;
    own.options = &unit->options;
    own.unit = &unit->unit;
    own.annotations = unit->unit.annotations;
    own.n_annotations = unit->unit.n_annotations;
    for (unsigned k = 0; k < own.n_words; k++) /* words lie in the text */
        own.words[k] = own.text + (compiler->words[k] - compiler->text);
    const struct rd_check_host_pass *pass = &unit->unit.pass;
    bool is_refused = false;
    enum rd_status status = compile_as_host(&own, &unit->unit, unit->name, error);
    if (status == RD_OK && !unit->unit.is_of_host && pass->refused_why)
        return rd_fail(error, RD_ERROR_INPUT, "%s:%u: %s", pass->refused_file, pass->refused_line,
                       pass->refused_why);
    if (status == RD_OK && !unit->unit.is_of_host) {
        status = rd_check_host_names_refuse(&own, &unit->unit, error);
        if (status == RD_OK)
            status = rd_check_kernel_rules_refuse(&unit->unit, error);
        is_refused = status == RD_ERROR_INPUT;
        if (status == RD_OK)
            status = rd_check_unit_write(&unit->unit, unit->name, NULL, error);
        if (status == RD_OK)
            status = rd_check_compile_unit(&own, &unit->unit, unit->name, error);
    }
    if (status == RD_OK)
        rd_check_compiler_pass_on(&own, unit->name);
    if (status == RD_ERROR_INPUT && !is_refused) {
        const bool has_numbers = own.n_annotations > 0 && own.annotations->n_numbers > 0;
        rd_fail(error, status, "the compiler refuses '%s'%s%s; its errors are above",
                unit->options.file, is_c(unit->options.file) ? ", which is compiled as C++" : "",
                has_numbers ? ", with the numbers that '--number' sets" : "");
        rd_check_compiler_explain(&own, unit->name, error);
    }
    return status;
}

/* Makes a module of a file that has kernels and no main(), and an image that stands for it. */
static enum rd_status link_module(const struct rd_check_program_options *options,
                                  const struct rd_check_compiler *compiler, struct unit *unit,
                                  struct rd_check_modules *modules, struct rd_error *error)
{
    struct rd_check_module *made = &modules->all[modules->n];
    const char *object = unit->name;
    char name[NAME_SIZE];
    if (unit->unit.n_registered == 0 || rd_check_unit_has_main(&unit->unit))
        return RD_OK;
    snprintf(name, sizeof name, "module%zu", modules->n);
    snprintf(made->library, sizeof made->library, "%s/%s.so", compiler->directory, name);
    snprintf(made->image, sizeof made->image, "%s/%s.image", compiler->directory, name);
    enum rd_status status = rd_check_link(compiler, name, &object, 1, options->libraries, error);
    if (status == RD_OK && options->n_files > 1)
        status = rd_check_namesakes_restore(made->library, error);
    FILE *image = status == RD_OK ? fopen(made->image, "w") : NULL;
    if (status == RD_ERROR_INPUT) { /* the program may do without it */
        rd_check_compiler_pass_on(compiler, name);
        return RD_OK;
    }
    if (status != RD_OK)
        return status;
    if (!image || fprintf(image, "%s%s\n", RD_FILE_IMAGE, made->library) < 0 || fclose(image) != 0)
        return rd_fail(error, RD_ERROR_IO, "'%s' can't be written", made->image);
    made->file = unit->options.file;
    modules->n++;
    return RD_OK;
}

static enum rd_status part_namesakes(const struct rd_check_compiler *compiler,
                                     const struct unit *units, unsigned n, struct rd_error *error)
{
    struct rd_check_object objects[RD_CHECK_FILES_MAX];
    char(*paths)[RD_CHECK_PATH_SIZE] = calloc(n, sizeof *paths);
    if (!paths)
        return rd_fail(error, RD_ERROR_MEMORY, "no memory for the names of objects");
    for (unsigned k = 0; k < n; k++) {
        snprintf(paths[k], sizeof *paths, "%s/%s.o", compiler->directory, units[k].name);
        objects[k] = (struct rd_check_object){.path = paths[k], .unit = &units[k].unit};
    }
    const enum rd_status status = rd_check_namesakes_part(objects, n, error);
    free(paths);
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
        options->n_files > 1 ? part_namesakes(compiler, units, options->n_files, error) : RD_OK;
    if (status != RD_OK)
        return status;
    status = rd_check_link(compiler, "unit", objects, options->n_files, options->libraries, error);
    if (status == RD_OK && options->n_files > 1)
        return rd_check_namesakes_restore(library, error);
    if (status == RD_ERROR_INPUT) {
        rd_check_compiler_pass_on(compiler, "unit");
        rd_fail(error, status, "the program can't be linked; the linker's errors are above");
    }
    return status;
}

/* Reads all files, and says which has the main function. */
static enum rd_status read_units(const struct rd_check_program_options *options,
                                 const char *directory, struct unit *units, bool *loads,
                                 const char **main_file, struct rd_error *error)
{
    *loads = false;
    for (unsigned k = 0; k < options->n_files; k++) {
        struct unit *unit = &units[k];
        unit->options = (struct rd_check_options){
            .file = options->files[k],
            .compiler_args = options->compiler_args,
        };
        snprintf(unit->name, sizeof unit->name, "unit%u", k);
        const enum rd_status status =
            rd_check_unit_init(&unit->unit, &unit->options, directory, error);
        if (status != RD_OK)
            return status;
        unit->is_read = true;
        *loads |= loads_modules(&unit->unit);
        if (!*main_file && rd_check_unit_has_main(&unit->unit))
            *main_file = unit->options.file;
    }
    return RD_OK;
}

enum rd_status rd_check_program_compile(const struct rd_check_program_options *options,
                                        const struct rd_annotations *annotations,
                                        size_t n_annotations, const struct rd_device_ops *device,
                                        const char *directory, char library[RD_CHECK_PATH_SIZE],
                                        const char **main_file, struct rd_check_modules *modules,
                                        struct rd_error *error)
{
    struct unit *units = calloc(options->n_files, sizeof *units);
    struct rd_check_compiler compiler;
    bool loads = false;
    *main_file = NULL;
    if (!units)
        return rd_fail(error, RD_ERROR_MEMORY, "no memory for the files of a program");
    enum rd_status status = rd_check_headers_write(directory, error);
    if (status == RD_OK)
        status = read_units(options, directory, units, &loads, main_file, error);
    if (status == RD_OK)
        status = rd_check_compiler_init(&compiler, &units[0].options, device, directory, error);
    for (unsigned k = 0; k < options->n_files && status == RD_OK; k++) {
        units[k].unit.annotations = annotations;
        units[k].unit.n_annotations = n_annotations;
        units[k].unit.is_module = loads;
        status = compile_one(&compiler, &units[k], error);
    }
    if (status == RD_OK && !*main_file)
        status = rd_fail(error, RD_ERROR_INPUT,
                         options->n_files == 1 ? "'%s' has no main(): give the file that has it, "
                                                 "too, or check one kernel by 'reductio check'"
                                               : "no file has a main(): '%s' and the others",
                         options->files[0]);
    if (status == RD_OK)
        status = link_all(options, &compiler, units, library, error);
    for (unsigned k = 0; k < options->n_files && status == RD_OK && loads; k++)
        status = link_module(options, &compiler, &units[k], modules, error);
    if (status == RD_OK)
        status = device->files->prepare_program(library, error);
    for (unsigned k = 0; k < options->n_files; k++)
        if (units[k].is_read)
            rd_check_unit_finish(&units[k].unit);
    free(units);
    return status;
}

/* Removes what an uncontained program has had compiled, and loaded: else it is in its private folder. */
static void clean_loaded(const char *directory)
{
    char path[RD_CHECK_PATH_SIZE];
    snprintf(path, sizeof path, "%.400s/modules", directory);
    rd_check_folder_remove(path);
    for (unsigned k = 1, is_there = 1; is_there; k++) {
        snprintf(path, sizeof path, "%.400s/loaded%u.so", directory, k);
        is_there = unlink(path) == 0;
    }
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
    for (unsigned k = 0; k < n_files; k++) {
        static const char *const of_modules[] = {".s",
                                                 ".so",
                                                 ".txt",
                                                 ".image",
                                                 ".missing.cpp",
                                                 ".absent.s",
                                                 RD_FILE_ABSENT_LIBRARY_SUFFIX};
        for (size_t n = 0; n < sizeof of_modules / sizeof *of_modules; n++) {
            snprintf(path, sizeof path, "%s/module%u%s", directory, k, of_modules[n]);
            unlink(path);
        }
    }
    clean_loaded(directory);
    rd_check_clean(directory);
}
