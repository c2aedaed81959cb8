// SPDX-License-Identifier: MIT
/* A user's file of CUDA C++. */
#include "prove/syntax/cuda_headers.h"
#include "prove/syntax/preprocess.h"
#include "prove/syntax/unit.h"

#include "check/unit/unit.h"
#include "check/source/lexer.h"

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

struct user_file {
    const char *path, *text;
};

static const char *original(void *self, const char *file)
{
    const struct user_file *user = self;
    return strcmp(user->path, file) == 0 ? user->text : NULL;
}

enum { FILES_MAX = 512 };

/* The text to preprocess, and what the prover has for it to include. */
static size_t files_of(const char *rewritten, const char *headers, struct rd_texts *names,
                       struct rd_preprocess_file files[FILES_MAX])
{
    size_t n = 0;
    files[n++] = (struct rd_preprocess_file){"unit.cpp", rewritten};
    files[n++] = (struct rd_preprocess_file){"prove_cuda.h", rd_cuda_header_own("prove_cuda.h")};
    files[n++] = (struct rd_preprocess_file){"prove_host.h", rd_cuda_header_own("prove_host.h")};
    return n + rd_cuda_headers(names, headers, files + n, FILES_MAX - n);
}

/* Preprocesses it with CUDA's headers that `headers` names. */
static enum rd_status preprocess_with(const char *headers, struct rd_preprocess *what,
                                      const char *rewritten, struct rd_texts *names,
                                      struct rd_preprocess_file files[FILES_MAX],
                                      struct rd_preprocessed *made, struct rd_error *error)
{
    what->n_files = headers ? files_of(rewritten, headers, names, files) : 0;
    if (!headers || names->failed)
        return rd_fail(error, RD_ERROR_MEMORY, "no memory to read the file");
    return rd_preprocess(what, made, error);
}

/* Of CUDA's headers those are written that the file names; others where its own headers turn out to ask for them. */
static enum rd_status preprocess(const struct user_file *user, const char *rewritten,
                                 const char *const *options, struct rd_preprocessed *made,
                                 struct rd_error *error)
{
    struct rd_preprocess_file files[FILES_MAX];
    struct rd_texts names = {0};
    const char *slash = strrchr(user->path, '/'), *missing;
    const char *folder =
        slash ? rd_texts_format(&names, "%.*s", (int)(slash - user->path) + 1, user->path) : ".";
    const char *headers = rd_texts_keep(&names, rewritten);
    struct rd_preprocess what = {.files = files,
                                 .path = "unit.cpp",
                                 .as = RD_PREPROCESS_CLANG,
                                 .folder = folder,
                                 .options = options};
    enum rd_status status = preprocess_with(headers, &what, rewritten, &names, files, made, error);
    while (status == RD_ERROR_INPUT && (missing = rd_cuda_header_missing(error)) &&
           !strstr(headers, missing)) {
        headers = rd_texts_format(&names, "%s %s", headers, missing);
        status = preprocess_with(headers, &what, rewritten, &names, files, made, error);
    }
    const bool asks = status == RD_OK && rd_cuda_headers_are_asked_for(made);
    if (asks)
        free(made->text);
    if (asks || status == RD_ERROR_INPUT) /* which may be as a header isn't there */
        status = preprocess_with("__has_include", &what, rewritten, &names, files, made, error);
    if (status == RD_OK) {
        status = rd_cuda_headers_check_macros(made, error);
        if (status == RD_OK)
            status = rd_preprocess_compare(&what, made, error);
        if (status != RD_OK)
            free(made->text);
    }
    rd_texts_finish(&names);
    return status;
}

/* ---- the C++ library ---- */

/* Headers that bring nothing of the user's own, and use nothing of std but what they include. */
static bool is_plain_header(const char *at)
{
    static const char *const names[] = {"<assert.h>",
                                        "<cassert>",
                                        "<cfloat>",
                                        "<climits>",
                                        "<cmath>",
                                        "<cstdint>",
                                        "<cstdio>",
                                        "<cstdlib>",
                                        "<cstring>",
                                        "<ctime>",
                                        "<float.h>",
                                        "<limits.h>",
                                        "<math.h>",
                                        "<stdbool.h>",
                                        "<stddef.h>",
                                        "<stdint.h>",
                                        "<stdio.h>",
                                        "<stdlib.h>",
                                        "<string.h>",
                                        "<time.h>",
                                        "<cuda.h>",
                                        "<cuda_runtime.h>",
                                        "<cuda_runtime_api.h>"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (strncmp(at, names[k], strlen(names[k])) == 0)
            return true;
    return false;
}

/* Tells whether the word is std, or asks for something of the library's: its own names and macros. */
static bool is_of_library(const char *word, size_t length)
{
    static const char *const beginnings[] = {"_GLIBCXX", "__GLIBCXX", "__STDCPP", "__cpp_lib",
                                             "__gnu_"};
    bool is = rd_lexer_is(word, length, "std") || rd_lexer_is(word, length, "import");
    for (size_t k = 0; k < sizeof beginnings / sizeof *beginnings; k++)
        is = is || strncmp(word, beginnings[k], strlen(beginnings[k])) == 0;
    return is;
}

/* Tells whether the text, and what it includes, may name something of the C++ library: names of macros may be pasted together,
 * cut by the end of a line, or be an option's. */
static bool may_use_std(const char *text, const char *const *options)
{
    static const char *const signs[] = {"##", "%:", "??", "\\\n", "\\\r"};
    bool may = options && options[0];
    for (size_t k = 0; k < sizeof signs / sizeof *signs; k++)
        may = may || strstr(text, signs[k]);
    for (const char *at = text; !may && *at;) {
        const size_t length = rd_lexer_word_length(at);
        may = is_of_library(at, length);
        if (length >= strlen("include") && strncmp(at, "include", strlen("include")) == 0)
            may = may || !is_plain_header(rd_lexer_blanks(at + length));
        at += length > 0 ? length : 1;
    }
    return may;
}

/* Returns the user's text as the reader takes it; NULL without memory. */
static char *rewrite(const struct user_file *user, const char *const *options)
{
    char *rewritten = NULL;
    size_t size;
    FILE *out = open_memstream(&rewritten, &size);
    if (!out)
        return NULL;
    if (!may_use_std(user->text, options))
        fputs("#define RD_PROVE_NO_STD\n", out);
    fputs("#include \"prove_cuda.h\"\n#line 1 ", out);
    rd_check_write_quoted(user->path, out);
    fputs("\n", out);
    write_launches(user->text, out);
    if (fclose(out) == 0)
        return rewritten;
    free(rewritten);
    return NULL;
}

/* *is_preprocessed: what is wrong, if anything, is wrong for the reader of syntax. */
static enum rd_status read_text(struct rd_syntax_unit **unit, const struct user_file *user,
                                const char *const *options, bool *is_preprocessed,
                                struct rd_error *error)
{
    struct rd_preprocessed made;
    char *rewritten = rewrite(user, options);
    *is_preprocessed = false;
    if (!rewritten)
        return rd_fail(error, RD_ERROR_MEMORY, "no memory to read '%s'", user->path);
    enum rd_status status = preprocess(user, rewritten, options, &made, error);
    free(rewritten);
    if (status != RD_OK)
        return status;
    *is_preprocessed = true;
    const struct rd_syntax_text source = {.text = made.text,
                                          .size = strlen(made.text),
                                          .directory = made.directory,
                                          .is_cpp = true,
                                          .original = original,
                                          .self = (void *)user};
    status = rd_syntax_read(unit, &source, error);
    if (status == RD_ERROR_INPUT)
        rd_cuda_headers_explain(&made, error);
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
    status = rd_syntax_read_file_text(unit, path, text, NULL, options, error);
    free(text);
    return status;
}

enum rd_status rd_syntax_read_file_text(struct rd_syntax_unit **unit, const char *path,
                                        const char *text, const char *other,
                                        const char *const *options, struct rd_error *error)
{
    bool is_preprocessed;
    enum rd_status status =
        read_text(unit, &(struct user_file){path, text}, options, &is_preprocessed, error);
    if (status == RD_ERROR_INPUT && is_preprocessed && other && strcmp(text, other) != 0)
        status =
            read_text(unit, &(struct user_file){path, other}, options, &is_preprocessed, error);
    return status;
}
