// SPDX-License-Identifier: MIT
#include "prove/syntax/preprocess.h"

#include "base/own_files.h"
#include "base/texts.h"
#include "check/compiler/compiler.h"
#include "check/compiler/headers.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static enum rd_status write_all(const struct rd_preprocess_file *files, size_t n_files,
                                const char *directory, struct rd_error *error)
{
    char path[RD_CHECK_PATH_SIZE];
    enum rd_status status = RD_OK;
    for (size_t k = 0; k < n_files && status == RD_OK; k++) {
        snprintf(path, sizeof path, "%s/%s", directory, files[k].path);
        status = rd_make_own_folders(path, error);
        if (status == RD_OK)
            status = rd_write_own_file(path, files[k].text, error);
    }
    return status;
}

/* The first line of what the compiler has said that is an error, without the directory. */
static enum rd_status refused(const char *said, const char *directory, struct rd_error *error)
{
    char *text = rd_text_of_file(said), *line = text ? strstr(text, "error: ") : NULL;
    enum rd_status status;
    if (line) {
        while (line > text && line[-1] != '\n')
            line--;
        line[strcspn(line, "\n")] = '\0';
        if (strncmp(line, directory, strlen(directory)) == 0)
            line += strlen(directory);
        status = rd_fail(error, RD_ERROR_INPUT, "%s", line);
    } else {
        status = rd_fail(error, RD_ERROR_INPUT, "the compiler can't preprocess the file");
    }
    free(text);
    return status;
}

/* Words of a command. */
struct command {
    const char *words[512];
    size_t n;
};

static void add_all(struct command *command, const char *const *words, size_t n)
{
    const size_t most = sizeof command->words / sizeof *command->words - 1;
    for (size_t k = 0; k < n && command->n < most; k++)
        command->words[command->n++] = words[k];
}

#define OF_NVCC                                                                                    \
    "-D__CUDACC__=1", "-D__NVCC__=1", "-D__CUDACC_VER_MAJOR__=12", "-D__CUDACC_VER_MINOR__=0",     \
        "-DCUDART_VERSION=12000", "-DCUDA_VERSION=12000"

static void add_kind(struct command *command, enum rd_preprocess_as as)
{
    enum { WORDS_MAX = 20 };
    static const char *const words[][WORDS_MAX] = {
        [RD_PREPROCESS_C] = {"-E", "-x", "c", "-std=gnu11"},
        /* Headers of the C++ library have parts for gcc alone, which libclang can't read. */
        [RD_PREPROCESS_CLANG] = {"-E", "-x", "c++", "-std=gnu++17", OF_NVCC, "-U__GNUC__",
                                 "-D__GNUC__=4", "-U__GNUC_MINOR__", "-D__GNUC_MINOR__=2",
                                 "-D__clang__=1", "-D__clang_major__=14", "-D__clang_minor__=0"},
        [RD_PREPROCESS_HOST] = {"-E", "-x", "c++", "-std=gnu++17", OF_NVCC},
        [RD_PREPROCESS_DEVICE] = {"-E", "-x", "c++", "-std=gnu++17", OF_NVCC, "-O1",
                                  "-D__CUDA_ARCH__=900"},
    };
    size_t n = 0;
    while (n < WORDS_MAX && words[as][n])
        n++;
    add_all(command, words[as], n);
}

static enum rd_status compile(const struct rd_preprocess *what, const char *directory,
                              struct rd_preprocessed *made, struct rd_error *error)
{
    struct rd_check_compiler compiler;
    struct command command = {.n = 0};
    char said[RD_CHECK_PATH_SIZE], input[RD_CHECK_PATH_SIZE], output[RD_CHECK_PATH_SIZE];
    char cuda[RD_CHECK_PATH_SIZE];
    size_t n_options = 0;
    snprintf(said, sizeof said, "%s/said.txt", directory);
    snprintf(output, sizeof output, "%s/made.i", directory);
    snprintf(input, sizeof input, "%s/%s", directory, what->path);
    snprintf(cuda, sizeof cuda, "%s/cuda", directory);
    /* CUDA's own, behind those beside the file and in the folders that the options name. */
    const char *const of_files[] = {"-I", directory, "-I", cuda, "-o", output, input};
    const char *const of_folder[] = {"-iquote", what->folder};
    while (what->options && what->options[n_options])
        n_options++;
    rd_check_compiler_name(&compiler);
    add_all(&command, compiler.words, compiler.n_words);
    add_kind(&command, what->as);
    add_all(&command, of_folder, what->folder ? 2 : 0);
    add_all(&command, what->options, n_options);
    add_all(&command, of_files, sizeof of_files / sizeof *of_files);
    if (command.words[command.n - 1] != input)
        return rd_fail(error, RD_ERROR_USAGE, "too many options for the compiler");
    command.words[command.n] = NULL;
    enum rd_status status = rd_check_command_run(command.words, said, error);
    if (status == RD_ERROR_INPUT)
        return refused(said, made->directory, error);
    if (status != RD_OK)
        return status;
    char *text = rd_text_of_file(output);
    if (!text)
        return rd_fail(error, RD_ERROR_IO, "'%s' can't be read: %s", output, strerror(errno));
    made->text = text;
    return RD_OK;
}

enum rd_status rd_preprocess(const struct rd_preprocess *what, struct rd_preprocessed *made,
                             struct rd_error *error)
{
    char directory[256];
    struct rd_preprocessed result = {0};
    enum rd_status status = rd_check_make_directory(directory, error);
    if (status != RD_OK)
        return status;
    snprintf(result.directory, sizeof result.directory, "%s/", directory);
    status = write_all(what->files, what->n_files, directory, error);
    if (status == RD_OK)
        status = compile(what, directory, &result, error);
    rd_check_folder_remove(directory);
    if (status == RD_OK)
        *made = result;
    return status;
}
