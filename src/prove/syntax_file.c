// SPDX-License-Identifier: MIT
/* A user's file of CUDA C++. */
#include "prove/preprocess.h"
#include "prove/syntax_read.h"

#include "check/compiler.h"
#include "check/lexer.h"
#include "program/sources_table.h"

#include <stdlib.h>
#include <string.h>

/* ---- launches ---- */

/* Finds where the name of a kernel begins that ends there: k, ns::k, k<float>. */
static const char *kernel_before(const char *text, const char *end)
{
    const char *at = end;
    unsigned angles = 0;
    while (at > text && (at[-1] == ' ' || at[-1] == '\t' || at[-1] == '\n'))
        at--;
    do
        if (at > text && (at[-1] == '>' || angles > 0)) {
            at--;
            angles += *at == '>';
            angles -= *at == '<';
        }
    while (at > text && angles > 0);
    while (at > text && (rd_lexer_is_letter(at[-1]) || at[-1] == ':'))
        at--;
    return at;
}

/* The next launch's <<< from `at` on; NULL where there is none. */
static const char *next_launch(const char *at)
{
    while (*at) {
        const char *behind = rd_lexer_skip(at);
        if (rd_lexer_launch_sign(at, '<') > 0)
            return at;
        at = behind > at ? behind : at + 1;
    }
    return NULL;
}

/* The >>> of a launch whose <<< ends at `at`; NULL where there is none. */
static const char *launch_end(const char *at)
{
    while (*at && *at != ';') {
        if (rd_lexer_launch_sign(at, '>') > 0)
            return at;
        const char *behind =
            *at == '(' || *at == '[' || *at == '{' ? rd_lexer_behind(at) : rd_lexer_skip(at);
        at = behind > at ? behind : at + 1;
    }
    return NULL;
}

/* Writes the text with (rd_prove_launch(grid, block), k(x)) in place of k<<<grid, block>>>(x), with as many lines. */
static void write_launches(const char *text, FILE *out)
{
    const char *from = text, *sign;
    while ((sign = next_launch(from))) {
        const char *first = sign + rd_lexer_launch_sign(sign, '<'), *last = launch_end(first);
        const char *kernel = kernel_before(from, sign);
        const char *args = last ? rd_lexer_blanks(last + rd_lexer_launch_sign(last, '>')) : NULL;
        if (!args || *args != '(' || kernel == sign) { /* none, whatever it is */
            fwrite(from, 1, (size_t)(first - from), out);
            from = first;
            continue;
        }
        const char *behind = rd_lexer_behind(args);
        fwrite(from, 1, (size_t)(kernel - from), out);
        fprintf(out, "(rd_prove_launch(%.*s), %.*s%.*s)", (int)(last - first), first,
                (int)(sign - kernel), kernel, (int)(behind - args), args);
        from = behind;
    }
    fputs(from, out);
}

/* ---- the file ---- */

/* Headers of CUDA that a program includes for the words that it has anyway. */
static const char *const known_headers[] = {
    "cuda/cuda.h",
    "cuda/cuda_runtime.h",
    "cuda/cuda_runtime_api.h",
    "cuda/device_launch_parameters.h",
};
enum { KNOWN_HEADERS = sizeof known_headers / sizeof *known_headers };

struct user_file {
    const char *path, *text;
};

static const char *original(void *self, const char *file)
{
    const struct user_file *user = self;
    return strcmp(user->path, file) == 0 ? user->text : NULL;
}

static enum rd_status read_text(struct rd_syntax_unit **unit, const struct user_file *user,
                                const char *rewritten, const char *const *options,
                                struct rd_error *error)
{
    struct rd_preprocess_file files[KNOWN_HEADERS + 3] = {{"unit.cpp", rewritten}};
    size_t n = 1;
    struct rd_preprocessed made;
    for (size_t k = 0; k < KNOWN_HEADERS; k++)
        files[n++] = (struct rd_preprocess_file){known_headers[k], ""};
    for (const struct rd_source *source = rd_file_sources; source->name; source++) {
        const char *slash = strrchr(source->path, '/');
        if (slash && (strcmp(slash, "/prove_cuda.h") == 0 || strcmp(slash, "/prove_host.h") == 0))
            files[n++] = (struct rd_preprocess_file){slash + 1, source->text};
    }
    const char *slash = strrchr(user->path, '/');
    char *folder = slash ? strndup(user->path, (size_t)(slash - user->path) + 1) : strdup(".");
    if (!folder)
        return rd_fail(error, RD_ERROR_MEMORY, "no memory to read '%s'", user->path);
    const struct rd_preprocess what = {.files = files,
                                       .n_files = n,
                                       .path = "unit.cpp",
                                       .as = RD_PREPROCESS_CLANG,
                                       .folder = folder,
                                       .options = options};
    enum rd_status status = rd_preprocess(&what, &made, error);
    if (status == RD_OK) {
        status = rd_preprocess_compare(&what, &made, error);
        if (status != RD_OK)
            free(made.text);
    }
    free(folder);
    if (status != RD_OK)
        return status;
    const struct rd_syntax_text source = {.text = made.text,
                                          .size = strlen(made.text),
                                          .directory = made.directory,
                                          .is_cpp = true,
                                          .original = original,
                                          .self = (void *)user};
    status = rd_syntax_read(unit, &source, error);
    free(made.text);
    return status;
}

enum rd_status rd_syntax_read_file(struct rd_syntax_unit **unit, const char *path,
                                   const char *const *options, struct rd_error *error)
{
    char *text;
    enum rd_status status = rd_check_read_source(path, &text, error);
    if (status != RD_OK)
        return status;
    status = rd_syntax_read_file_text(unit, path, text, options, error);
    free(text);
    return status;
}

enum rd_status rd_syntax_read_file_text(struct rd_syntax_unit **unit, const char *path,
                                        const char *text, const char *const *options,
                                        struct rd_error *error)
{
    enum rd_status status = RD_OK;
    char *rewritten = NULL;
    size_t size;
    FILE *out = open_memstream(&rewritten, &size);
    if (out) {
        fputs("#include \"prove_cuda.h\"\n#line 1 ", out);
        rd_check_write_quoted(path, out);
        fputs("\n", out);
        write_launches(text, out);
    }
    if (!out || fclose(out) != 0)
        status = rd_fail(error, RD_ERROR_MEMORY, "no memory to read '%s'", path);
    else
        status = read_text(unit, &(struct user_file){path, text}, rewritten, options, error);
    free(rewritten);
    return status;
}
