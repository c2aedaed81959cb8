// SPDX-License-Identifier: MIT
#include "prove/syntax/cuda_headers.h"

#include "check/source/includes.h"
#include "check/source/lexer.h"
#include "program/sources_table.h"
#include "check/options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- their texts ---- */

/* A program includes CUDA's headers that `reductio run` has, too. What is read of them is in the prover's own, kernels/prove_*.h, and
 * else their namespaces alone: what uses more of them is an error at its line, of a name that nothing declares. */
static const struct text_of_header {
    const char *beginning; /* of headers' names; the first row is taken */
    const char *text;      /* or the name of the prover's own header */
} texts_of_headers[] = {
    {"cooperative_groups.h", "prove_groups.h"},
    {"cooperative_groups/", "#include <cooperative_groups.h>\n"},
    {"helper_cuda.h", "#include \"helper_functions.h\"\n"
                      "#ifndef MAX\n"
                      "#define MAX(a, b) ((a) > (b) ? (a) : (b))\n"
                      "#endif\n"},
    {"helper_math.h", ""},
    {"helper_functions.h", "prove_helpers.h"},
    {"helper_", "#include \"helper_functions.h\"\n"},
    {"thrust/", "namespace thrust {}\n"},
    {"cub/", "namespace cub {}\n"},
    {"cuda/", "namespace cuda { namespace std {} }\n"},
    {"mma.h", "namespace nvcuda { namespace wmma {} }\n"},
    {"crt/mma.h", "namespace nvcuda { namespace wmma {} }\n"},
    {"", ""},
};

/* Headers of those that a user's file is compiled with that are not CUDA's, by how their names begin or end. */
static bool is_of_cuda(const char *name)
{
    static const char *const others[] = {"ATen/",     "c10/",      "element_types.h", "gpu/",
                                         "pybind11/", "reductio_", "torch/"};
    const size_t length = strlen(name);
    for (size_t k = 0; k < sizeof others / sizeof *others; k++)
        if (strncmp(name, others[k], strlen(others[k])) == 0)
            return false;
    return strchr(name, '/') == NULL || length < 4 || strcmp(name + length - 4, ".hpp") != 0;
}

const char *rd_cuda_header_own(const char *name)
{
    const char *text = "";
    for (const struct rd_source *source = rd_file_sources; source->name; source++) {
        const char *slash = strrchr(source->path, '/');
        if (slash && strcmp(slash + 1, name) == 0)
            text = source->text;
    }
    return text;
}

/* Macros alone are as a run has them. */
static const char *text_of_header(const struct rd_check_header *header)
{
    const struct text_of_header *row = texts_of_headers;
    if (strcmp(header->name, "math_constants.h") == 0)
        return header->text;
    while (strncmp(header->name, row->beginning, strlen(row->beginning)) != 0)
        row++;
    return strncmp(row->text, "prove_", strlen("prove_")) == 0 ? rd_cuda_header_own(row->text)
                                                               : row->text;
}

/* ---- which are there ---- */

static const char word_that_asks[] = "__has_include";

size_t rd_cuda_headers(struct rd_texts *names, const char *text, struct rd_preprocess_file *files,
                       size_t most)
{
    const bool all = strstr(text, word_that_asks) != NULL;
    size_t n = 0;
    for (const struct rd_check_header *header = rd_check_headers; header->name; header++)
        if (is_of_cuda(header->name) && n < most && (all || strstr(text, header->name)))
            files[n++] = (struct rd_preprocess_file){
                rd_texts_format(names, "cuda/%s", header->name), text_of_header(header)};
    return n;
}

const char *rd_cuda_header_missing(const struct rd_error *error)
{
    static const char before[] = "fatal error: ";
    const char *at = strstr(error->text, before);
    if (!at)
        return NULL;
    at += strlen(before);
    at += *at == '\''; /* clang */
    for (const struct rd_check_header *header = rd_check_headers; header->name; header++) {
        const size_t length = strlen(header->name);
        if (is_of_cuda(header->name) && strncmp(at, header->name, length) == 0 &&
            (at[length] == ':' || at[length] == '\''))
            return header->name;
    }
    return NULL;
}

/* Reads the path of a line's marker; false where it is the last one again, the system's, which don't ask for CUDA's, or one
 * of the prover's. */
static bool read_path(const char *marker, const struct rd_preprocessed *made, const char *last,
                      char path[RD_CHECK_PATH_SIZE])
{
    const char *quote = marker + strcspn(marker, "\"\n");
    if (*quote != '"')
        return false;
    snprintf(path, RD_CHECK_PATH_SIZE, "%.*s", (int)strcspn(quote + 1, "\""), quote + 1);
    return strncmp(path, "/usr/", strlen("/usr/")) != 0 && strcmp(path, last) != 0 &&
           strncmp(path, made->directory, strlen(made->directory)) != 0;
}

bool rd_cuda_headers_are_asked_for(const struct rd_preprocessed *made)
{
    char path[RD_CHECK_PATH_SIZE], last[RD_CHECK_PATH_SIZE] = "";
    bool asks = false;
    for (const char *at = made->text; !asks && (at = strstr(at, "\n# "));) {
        at += strlen("\n# ");
        if (!read_path(at, made, last, path))
            continue;
        memcpy(last, path, sizeof last);
        char *text = rd_text_of_file(path);
        asks = text && strstr(text, word_that_asks);
        free(text);
    }
    return asks;
}

/* ---- macros that they lack ---- */

/* Tells whether the text has "#define NAME". */
static bool defines(const char *text, const char *name, size_t length)
{
    static const char word[] = "define";
    for (const char *at = text; (at = strstr(at, word));) {
        at += strlen(word);
        at += strspn(at, " \t");
        if (strncmp(at, name, length) == 0 && !rd_lexer_is_letter(at[length]))
            return true;
    }
    return false;
}

/* Tells whether a run has the macro by a header of CUDA's, and the prover's words of it have not. */
static bool is_lacking(const char *name, size_t length)
{
    bool has = false;
    for (const struct rd_source *source = rd_file_sources; source->name; source++) {
        const char *slash = strrchr(source->path, '/');
        if (slash && strncmp(slash + 1, "prove_", strlen("prove_")) == 0 &&
            defines(source->text, name, length))
            return false;
    }
    for (const struct rd_check_header *header = rd_check_headers; header->name && !has; header++)
        has = strcmp(header->name, "math_constants.h") != 0 && defines(header->text, name, length);
    return has;
}

/* Finds such a macro in the text's conditions; one that the text defines is its own, and the compiler's begin with "__". */
static bool find_lacking(const char *text, char *name, size_t size)
{
    for (const char *at = text; (at = strchr(at, '#'));) {
        at += 1 + strspn(at + 1, " \t");
        if (strncmp(at, "if", 2) != 0 && strncmp(at, "elif", 4) != 0)
            continue;
        for (const char *end = at + strcspn(at, "\n"); at < end;) {
            const size_t length = rd_lexer_word_length(at);
            if (length > 0 && length < size && strncmp(at, "__", 2) != 0 &&
                is_lacking(at, length) && !defines(text, at, length)) {
                memcpy(name, at, length);
                name[length] = '\0';
                return true;
            }
            at += length ? length : 1;
        }
    }
    return false;
}

enum rd_status rd_cuda_headers_check_macros(const struct rd_preprocessed *made,
                                            struct rd_error *error)
{
    char path[RD_CHECK_PATH_SIZE], last[RD_CHECK_PATH_SIZE] = "", name[100];
    bool lacks = false;
    for (const char *at = made->text; !lacks && (at = strstr(at, "\n# "));) {
        at += strlen("\n# ");
        if (!read_path(at, made, last, path))
            continue;
        memcpy(last, path, sizeof last);
        char *text = rd_text_of_file(path);
        lacks = text && find_lacking(text, name, sizeof name);
        free(text);
    }
    return lacks ? rd_fail(error, RD_ERROR_INPUT,
                           "%s: a condition asks for '%s', a macro of CUDA's that the prover does "
                           "not have",
                           path, name)
                 : RD_OK;
}

/* ---- what they lack ---- */

/* Tells whether the text has the name, which it declares then, or uses. */
static bool has_name(const char *text, const char *name)
{
    const size_t length = strlen(name);
    for (const char *at = text; (at = strstr(at, name)); at += length)
        if ((at == text || !rd_lexer_is_letter(at[-1])) && !rd_lexer_is_letter(at[length]))
            return true;
    return false;
}

static bool is_theirs(const char *name)
{
    for (const struct rd_check_header *header = rd_check_headers; header->name; header++)
        if (has_name(header->text, name))
            return true;
    return false;
}

/* Reads the first name in quotes. */
static bool read_name(const char *said, char *name, size_t size)
{
    const char *from = strchr(said, '\''), *to = from ? strchr(from + 1, '\'') : NULL;
    const size_t length = to ? (size_t)(to - from) - 1 : 0;
    if (length == 0 || length >= size)
        return false;
    memcpy(name, from + 1, length);
    name[length] = '\0';
    return true;
}

/* Tells whether the prover's own words are all that there is of the header, or whether it has the name, if one is given. */
static bool may_lack(const char *header, const char *name)
{
    const struct rd_check_header *found = rd_check_headers;
    while (found->name && strcmp(found->name, header) != 0)
        found++;
    return found->name && strcmp(header, "cuda.h") != 0 &&
           strncmp(header, "cuda_runtime", 12) != 0 && (!name || has_name(found->text, name));
}

/* Writes "<cuda_fp16.h> and <mma.h>": those that the text includes, and that have the name, if one is given. */
static void write_included(const struct rd_preprocessed *made, const char *name, char *text,
                           size_t size)
{
    enum { MOST = 2 };
    char marker[sizeof made->directory + 16], header[100], quoted[104];
    unsigned n = 0;
    *text = '\0';
    snprintf(marker, sizeof marker, " \"%scuda/", made->directory);
    for (const char *at = made->text; (at = strstr(at, marker));) {
        at += strlen(marker);
        snprintf(header, sizeof header, "%.*s", (int)strcspn(at, "\""), at);
        snprintf(quoted, sizeof quoted, "<%s>", header);
        if (may_lack(header, name) && !strstr(text, quoted) && n++ < MOST)
            rd_append(text, size, "%s%s", *text ? " and " : "", quoted);
    }
    if (n > MOST)
        snprintf(text, size, "CUDA's headers");
}

void rd_cuda_headers_explain(const struct rd_preprocessed *made, struct rd_error *error)
{
    char name[100], included[256];
    if (!read_name(error->text, name, sizeof name) || !is_theirs(name))
        return;
    write_included(made, name, included, sizeof included);
    if (!*included)
        write_included(made, NULL, included, sizeof included);
    if (*included)
        rd_append(error->text, sizeof error->text,
                  ": the prover doesn't know all that %s declare%s", included,
                  strchr(included, ' ') ? "" : "s");
}
