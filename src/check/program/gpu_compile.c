// SPDX-License-Identifier: MIT
#include "check/program/gpu.h"
#include "base/cache_folder.h"
#include "check/compiler/compiler.h"
#include "check/compiler/headers.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NAME_SIZE = 32, WORDS_MAX = 700, HEADER_PATH_SIZE = RD_CACHE_PATH_SIZE + 64 };

/* ---- nvcc ---- */

/* The program that compiles; *is_there tells whether it can be run. */
static const char *nvcc(bool *is_there)
{
    static const char usual[] = "/usr/local/cuda/bin/nvcc";
    const char *given = getenv("NVCC"), *name = given && *given ? given : "nvcc";
    const char *path = getenv("PATH");
    char *copy = strdup(path ? path : ""), *rest = copy, *folder, file[RD_CHECK_PATH_SIZE];
    *is_there = strchr(name, '/') && access(name, X_OK) == 0;
    while (copy && !strchr(name, '/') && !*is_there && (folder = strsep(&rest, ":"))) {
        snprintf(file, sizeof file, "%s/%s", folder, name);
        *is_there = access(file, X_OK) == 0;
    }
    free(copy);
    if (*is_there || name == given || access(usual, X_OK) != 0)
        return name;
    *is_there = true;
    return usual;
}

bool rd_check_gpu_is_there(void)
{
    static const char *const places[] = {"/dev/nvidiactl", "/dev/dxg"};
    const char *visible = getenv("CUDA_VISIBLE_DEVICES");
    bool has_gpu = false, has_nvcc;
    if (visible && (visible[0] == '\0' || visible[0] == '-')) /* programs find none, either */
        return false;
    for (unsigned k = 0; k < sizeof places / sizeof *places && !has_gpu; k++)
        has_gpu = access(places[k], R_OK | W_OK) == 0;
    nvcc(&has_nvcc);
    return has_gpu && has_nvcc;
}

struct command {
    const char *words[WORDS_MAX + 1];
    unsigned n;
};

static void add(struct command *command, const char *word)
{
    if (command->n < WORDS_MAX)
        command->words[command->n++] = word;
}

static bool begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

/* The user's options, behind what is to hold where they say nothing: floats as in the simulator, code for the GPU that is
 * there. */
static struct command begin(const struct rd_check_program_options *options)
{
    struct command command = {.n = 0};
    bool has_fmad = false, has_arch = false, is_there;
    add(&command, nvcc(&is_there));
    for (const char *const *word = options->nvcc_args; word && *word; word++) {
        const char *name = *word + strspn(*word, "-");
        has_fmad = has_fmad || begins(name, "fmad") || begins(name, "use_fast_math");
        has_arch = has_arch || begins(name, "arch") || begins(name, "gpu-architecture") ||
                   begins(name, "gencode") || begins(name, "generate-code");
        add(&command, *word);
    }
    if (!has_fmad)
        add(&command, "-fmad=false");
    if (!has_arch)
        add(&command, "-arch=native");
    return command;
}

static enum rd_status run(struct command *command, const char *directory, const char *name,
                          struct rd_error *error)
{
    char said[RD_CHECK_PATH_SIZE];
    snprintf(said, sizeof said, "%s/%s.txt", directory, name);
    if (command->n == WORDS_MAX)
        return rd_fail(error, RD_ERROR_USAGE, "too many options for nvcc");
    enum rd_status status = rd_check_command_run(command->words, said, error);
    if (status == RD_ERROR_DEVICE)
        rd_fail(error, status,
                "no nvcc: '%s' can't be run; install the CUDA Toolkit, set NVCC, or use "
                "--device sim",
                command->words[0]);
    return status;
}

static void pass_on(const char *directory, const char *name)
{
    const struct rd_check_compiler compiler = {.directory = directory};
    rd_check_compiler_pass_on(&compiler, name);
}

/* ---- a file ---- */

const char *rd_check_gpu_main_file(const struct rd_check_laws *laws)
{
    for (unsigned file = 0; file < laws->n_files; file++)
        for (size_t k = 0; k < laws->functions[file].n; k++) {
            const struct rd_check_function *function = &laws->functions[file].all[k];
            if (rd_lexer_is(function->name, function->name_length, "main"))
                return laws->files[file].file;
        }
    return NULL;
}

bool rd_check_gpu_is_in_kernel(const struct rd_check_laws *laws, unsigned file,
                               const struct rd_annotation *annotation)
{
    return rd_check_function_is_device(&laws->functions[file], annotation->comment);
}

static char *text_of(const struct rd_check_laws *laws, unsigned file)
{
    const struct rd_annotations *of = &laws->files[file];
    struct rd_annotations hosts = *of;
    hosts.all = calloc(of->n + 1, sizeof *of->all);
    hosts.n = 0;
    struct rd_check_edits edits = {.failed = !hosts.all};
    for (size_t k = 0; k < of->n && hosts.all; k++)
        if (!rd_check_gpu_is_in_kernel(laws, file, &of->all[k]))
            hosts.all[hosts.n++] = of->all[k];
    rd_check_launches_place(&edits, of->text, &laws->functions[file]);
    rd_annotations_replace(&hosts, of->text, &edits);
    char *text = rd_check_edits_apply(&edits, of->text);
    rd_check_edits_finish(&edits);
    free(hosts.all);
    return text;
}

static enum rd_status write_unit(const struct rd_check_laws *laws, unsigned file,
                                 const char *directory, struct rd_error *error)
{
    char path[RD_CHECK_PATH_SIZE], *text = text_of(laws, file);
    snprintf(path, sizeof path, "%s/unit%u.cu", directory, file);
    FILE *out = text ? fopen(path, "w") : NULL;
    enum rd_status status = RD_OK;
    if (!text)
        status = rd_fail(error, RD_ERROR_MEMORY, "no memory for '%s'", laws->files[file].file);
    else if (!out)
        status = rd_fail(error, RD_ERROR_IO, "'%s' can't be written", path);
    if (out) {
        fputs("#include \"reductio_gpu.hpp\"\n#line 1 ", out);
        rd_check_write_quoted(laws->files[file].file, out);
        fprintf(out, "\n%s\n", text);
        if (fclose(out) != 0)
            status = rd_fail(error, RD_ERROR_IO, "'%s' can't be written", path);
    }
    free(text);
    return status;
}

static enum rd_status compile_one(const struct rd_check_program_options *options,
                                  const struct rd_check_laws *laws, unsigned file,
                                  const char *directory, const char *headers, bool is_silent,
                                  struct rd_error *error)
{
    const char *path = options->files[file], *slash = strrchr(path, '/');
    char name[NAME_SIZE], source[RD_CHECK_PATH_SIZE], object[RD_CHECK_PATH_SIZE],
        beside[RD_CHECK_PATH_SIZE];
    struct command command = begin(options);
    enum rd_status status = write_unit(laws, file, directory, error);
    if (status != RD_OK)
        return status;
    snprintf(name, sizeof name, "unit%u", file);
    snprintf(source, sizeof source, "%s/%s.cu", directory, name);
    snprintf(object, sizeof object, "%s/%s.o", directory, name);
    snprintf(beside, sizeof beside, "%.*s", slash ? (int)(slash - path) + 1 : 1,
             slash ? path : ".");
    if (strchr(beside, ',')) { /* where nvcc parts lists */
        add(&command, "-I");
        add(&command, beside);
    } else {
        add(&command, "-Xcompiler");
        add(&command, "-iquote");
        add(&command, "-Xcompiler");
        add(&command, beside);
    }
    const char *const rest[] = {"-I", headers, "-c", source, "-o", object};
    for (unsigned k = 0; k < sizeof rest / sizeof *rest; k++)
        add(&command, rest[k]);
    status = run(&command, directory, name, error);
    if (status == RD_OK || (status == RD_ERROR_INPUT && !is_silent))
        pass_on(directory, name);
    if (status == RD_ERROR_INPUT)
        rd_fail(error, status, "nvcc refuses '%s'%s", path,
                is_silent ? "" : "; its errors are above");
    return status;
}

/* ---- all of them ---- */

static const char *const recorder[] = {"calls", "faults", "frames", "laws", "memory"};
enum { N_RECORDER = sizeof recorder / sizeof *recorder };

/* Compiles the recorder, too, and links it all. */
static enum rd_status link_all(const struct rd_check_program_options *options,
                               const char *directory, const char *headers, bool is_silent,
                               char *program, struct rd_error *error)
{
    static char units[RD_CHECK_FILES_MAX][RD_CHECK_PATH_SIZE],
        sources[N_RECORDER][HEADER_PATH_SIZE];
    char wraps[HEADER_PATH_SIZE];
    struct command command = begin(options);
    for (unsigned k = 0; k < options->n_files; k++) {
        snprintf(units[k], sizeof units[k], "%s/unit%u.o", directory, k);
        add(&command, units[k]);
    }
    for (unsigned k = 0; k < N_RECORDER; k++) {
        snprintf(sources[k], sizeof sources[k], "%s/%s.c", headers, recorder[k]);
        add(&command, sources[k]);
    }
    snprintf(wraps, sizeof wraps, "%s/wraps", headers);
    snprintf(program, RD_CHECK_PATH_SIZE, "%s/program", directory);
    const char *const rest[] = {"-I", headers, "-optf", wraps, "-o", program};
    for (unsigned k = 0; k < sizeof rest / sizeof *rest; k++)
        add(&command, rest[k]);
    for (const char *const *word = options->nvcc_libraries; word && *word; word++)
        add(&command, *word);
    enum rd_status status = run(&command, directory, "program", error);
    if (status == RD_OK || (status == RD_ERROR_INPUT && !is_silent))
        pass_on(directory, "program");
    if (status == RD_ERROR_INPUT)
        rd_fail(error, status, "the program can't be linked by nvcc%s",
                is_silent ? "" : "; its errors are above");
    return status;
}

enum rd_status rd_check_gpu_compile(const struct rd_check_program_options *options,
                                    const struct rd_check_laws *laws, const char *directory,
                                    bool is_silent, char program[RD_CHECK_PATH_SIZE],
                                    struct rd_error *error)
{
    char folder[RD_CHECK_PATH_SIZE], all[RD_CACHE_PATH_SIZE], headers[HEADER_PATH_SIZE];
    snprintf(folder, sizeof folder, "%s/gpu", directory);
    for (unsigned k = options->n_files; k < laws->n_files; k++) /* nvcc reads headers as they are */
        if (laws->files[k].n > 0) {
            rd_annotations_fail(&laws->files[k], laws->files[k].all[0].word, error,
                                "annotations of included files are not asserted on a GPU");
            return RD_ERROR_INPUT;
        }
    enum rd_status status = rd_check_headers_write(directory, error);
    if (status == RD_OK && mkdir(folder, 0700) != 0 && errno != EEXIST)
        status = rd_fail(error, RD_ERROR_IO, "'%s' can't be made: %s", folder, strerror(errno));
    rd_check_headers_find(directory, all, sizeof all);
    snprintf(headers, sizeof headers, "%s/gpu", all);
    for (unsigned k = 0; k < options->n_files && status == RD_OK; k++)
        status = compile_one(options, laws, k, folder, headers, is_silent, error);
    if (status == RD_OK)
        status = link_all(options, folder, headers, is_silent, program, error);
    return status;
}

void rd_check_gpu_clean(const char *directory, unsigned n_files)
{
    static const char *const endings[] = {".cu", ".o", ".txt"};
    char path[RD_CHECK_PATH_SIZE];
    for (unsigned k = 0; k < n_files; k++)
        for (size_t n = 0; n < sizeof endings / sizeof *endings; n++) {
            snprintf(path, sizeof path, "%s/gpu/unit%u%s", directory, k, endings[n]);
            unlink(path);
        }
    snprintf(path, sizeof path, "%s/gpu/program", directory);
    unlink(path);
    snprintf(path, sizeof path, "%s/gpu/program.txt", directory);
    unlink(path);
    snprintf(path, sizeof path, "%s/gpu", directory);
    rmdir(path);
}
