// SPDX-License-Identifier: MIT
#include "prove/preprocess.h"

#include "check/check_internal.h"
#include "check/compiler.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    if (!file)
        return false;
    const bool written = fputs(text, file) >= 0;
    return fclose(file) == 0 && written;
}

/* The whole file; NULL where it can't be read. */
static char *read_file(const char *path)
{
    size_t size = 0;
    char *text = NULL;
    FILE *file = fopen(path, "r");
    if (!file)
        return NULL;
    if (getdelim(&text, &size, '\0', file) < 0) {
        free(text);
        text = ferror(file) ? NULL : strdup("");
    }
    fclose(file);
    return text;
}

/* In the directory there is one folder, and no file is deeper. */
static enum rd_status write_all(const struct rd_preprocess_file *files, size_t n_files,
                                const char *directory, struct rd_error *error)
{
    char path[RD_CHECK_PATH_SIZE];
    for (size_t k = 0; k < n_files; k++) {
        const char *slash = strchr(files[k].path, '/');
        snprintf(path, sizeof path, "%s/%.*s", directory, slash ? (int)(slash - files[k].path) : 0,
                 files[k].path);
        if (mkdir(path, 0700) != 0 && errno != EEXIST)
            return rd_fail(error, RD_ERROR_IO, "no folder '%s': %s", path, strerror(errno));
        snprintf(path, sizeof path, "%s/%s", directory, files[k].path);
        if (!write_file(path, files[k].text))
            return rd_fail(error, RD_ERROR_IO, "'%s' can't be written: %s", path, strerror(errno));
    }
    return RD_OK;
}

static void remove_all(const struct rd_preprocess_file *files, size_t n_files,
                       const char *directory)
{
    static const char *const others[] = {"said.txt", "made.i"};
    char path[RD_CHECK_PATH_SIZE];
    for (size_t k = 0; k < sizeof others / sizeof *others; k++) {
        snprintf(path, sizeof path, "%s/%s", directory, others[k]);
        unlink(path);
    }
    for (size_t k = 0; k < n_files; k++) {
        snprintf(path, sizeof path, "%s/%s", directory, files[k].path);
        unlink(path);
    }
    for (size_t k = 0; k < n_files; k++) {
        const char *slash = strchr(files[k].path, '/');
        if (slash) {
            snprintf(path, sizeof path, "%s/%.*s", directory, (int)(slash - files[k].path),
                     files[k].path);
            rmdir(path);
        }
    }
    rmdir(directory);
}

/* The first line of what the compiler has said that is an error, without the directory. */
static enum rd_status refused(const char *said, const char *directory, struct rd_error *error)
{
    char *text = read_file(said), *line = text ? strstr(text, "error: ") : NULL;
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

static enum rd_status compile(const char *directory, const char *path, struct rd_preprocessed *made,
                              struct rd_error *error)
{
    static const char *const options[] = {"-E", "-x", "c", "-std=gnu11", "-o"};
    enum { OPTIONS = sizeof options / sizeof *options };
    struct rd_check_compiler compiler;
    char said[RD_CHECK_PATH_SIZE], input[RD_CHECK_PATH_SIZE], output[RD_CHECK_PATH_SIZE];
    rd_check_compiler_name(&compiler);
    const char *words[sizeof compiler.words / sizeof *compiler.words + OPTIONS + 3];
    size_t n = 0;
    for (unsigned k = 0; k < compiler.n_words; k++)
        words[n++] = compiler.words[k];
    for (size_t k = 0; k < OPTIONS; k++)
        words[n++] = options[k];
    snprintf(said, sizeof said, "%s/said.txt", directory);
    snprintf(output, sizeof output, "%s/made.i", directory);
    snprintf(input, sizeof input, "%s/%s", directory, path);
    words[n++] = output;
    words[n++] = input;
    words[n] = NULL;
    enum rd_status status = rd_check_command_run(words, said, error);
    if (status == RD_ERROR_INPUT)
        return refused(said, made->directory, error);
    if (status != RD_OK)
        return status;
    char *text = read_file(output);
    if (!text)
        return rd_fail(error, RD_ERROR_IO, "'%s' can't be read: %s", output, strerror(errno));
    made->text = text;
    return RD_OK;
}

enum rd_status rd_preprocess(const struct rd_preprocess_file *files, size_t n_files,
                             const char *path, struct rd_preprocessed *made, struct rd_error *error)
{
    char directory[256];
    struct rd_preprocessed result = {0};
    enum rd_status status = rd_check_make_directory(directory, error);
    if (status != RD_OK)
        return status;
    snprintf(result.directory, sizeof result.directory, "%s/", directory);
    status = write_all(files, n_files, directory, error);
    if (status == RD_OK)
        status = compile(directory, path, &result, error);
    remove_all(files, n_files, directory);
    if (status == RD_OK)
        *made = result;
    return status;
}
