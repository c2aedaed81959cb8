// SPDX-License-Identifier: MIT
#include "prove/syntax/preprocess.h"
#include "prove/syntax/unit.h"

#include "program/sources_table.h"

#include <stdlib.h>
#include <string.h>

/* Texts that the compiler is given: all headers of kernels/, and the one file. */
static size_t texts_of(struct rd_preprocess_file *files, size_t most, const char *wanted,
                       const char *changed, bool *is_there)
{
    size_t n = 0;
    *is_there = false;
    files[n++] = (struct rd_preprocess_file){"kernels/half.h", ""}; /* prove_words.h has none */
    for (const struct rd_source *source = rd_file_sources; source->name && n < most; source++) {
        const char *slash = strrchr(source->path, '/'), *name = slash ? slash + 1 : source->path;
        const bool is_wanted = strcmp(name, wanted) == 0;
        const size_t length = strlen(name);
        const bool is_kernel = length > 3 && strcmp(name + length - 3, ".cu") == 0;
        *is_there = *is_there || (is_wanted && is_kernel);
        if (is_kernel && !is_wanted)
            continue;
        const bool are_words = strcmp(name, "prove_words.h") == 0;
        files[n++] = (struct rd_preprocess_file){are_words ? "kernels/kernel.h" : source->path,
                                                 is_wanted && changed ? changed : source->text};
    }
    return n;
}

struct originals {
    const struct rd_preprocess_file *files;
    size_t n_files;
};

static const char *original(void *self, const char *file)
{
    const struct originals *of = self;
    for (size_t k = 0; k < of->n_files; k++)
        if (strcmp(of->files[k].path, file) == 0)
            return of->files[k].text;
    return NULL;
}

enum rd_status rd_syntax_read_kernels(struct rd_syntax_unit **unit, const char *file,
                                      const char *changed, struct rd_error *error)
{
    enum { FILES_MAX = 64 };
    struct rd_preprocess_file files[FILES_MAX];
    struct rd_preprocessed made;
    char main_file[256];
    bool is_there;
    const size_t n = texts_of(files, FILES_MAX, file, changed, &is_there);
    if (!is_there)
        return rd_fail(error, RD_ERROR_INPUT, "no kernels are in a file '%s'", file);
    snprintf(main_file, sizeof main_file, "kernels/%s", file);
    enum rd_status status = rd_preprocess(
        &(struct rd_preprocess){.files = files, .n_files = n, .path = main_file}, &made, error);
    if (status != RD_OK)
        return status;
    struct originals of = {files, n};
    const struct rd_syntax_text source = {.text = made.text,
                                          .size = strlen(made.text),
                                          .directory = made.directory,
                                          .original = original,
                                          .self = &of};
    status = rd_syntax_read(unit, &source, error);
    free(made.text);
    return status;
}

/* ---- what was read ---- */

void rd_syntax_destroy(struct rd_syntax_unit *unit)
{
    if (!unit)
        return;
    rd_syntax_memory_finish(&unit->memory);
    rd_texts_finish(&unit->texts);
    free(unit->functions);
    free(unit);
}

size_t rd_syntax_function_count(const struct rd_syntax_unit *unit)
{
    return unit->count;
}

const struct rd_syntax_function *rd_syntax_function(const struct rd_syntax_unit *unit, size_t index)
{
    return index < unit->count ? &unit->functions[index] : NULL;
}

static bool is_same_text(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

const struct rd_syntax_function *rd_syntax_function_called(const struct rd_syntax_unit *unit,
                                                           const struct rd_syntax_node *call)
{
    const struct rd_syntax_node *name = call->n_kids > 0 ? call->kids[0] : NULL;
    for (size_t k = 0; call->name && name && name->defined_file && k < unit->count; k++) {
        const struct rd_syntax_function *function = &unit->functions[k];
        if (strcmp(function->name, call->name) == 0 && function->line == name->defined_line &&
            strcmp(function->file, name->defined_file) == 0 &&
            is_same_text(function->instance, name->instance) &&
            is_same_text(function->symbol, name->symbol))
            return function;
    }
    return NULL;
}

const char *rd_syntax_code_outside_main(const struct rd_syntax_unit *unit)
{
    return unit->code_outside_main;
}

const struct rd_syntax_function *rd_syntax_main(const struct rd_syntax_unit *unit)
{
    static const char global[] = "c:@F@main"; /* of no namespace */
    for (size_t k = 0; k < unit->count; k++)
        if (strcmp(unit->functions[k].name, "main") == 0 && unit->functions[k].symbol &&
            strncmp(unit->functions[k].symbol, global, strlen(global)) == 0)
            return &unit->functions[k];
    return NULL;
}

const struct rd_syntax_function *rd_syntax_function_named(const struct rd_syntax_unit *unit,
                                                          const char *name)
{
    for (size_t k = 0; k < unit->count; k++)
        if (strcmp(unit->functions[k].name, name) == 0)
            return &unit->functions[k];
    return NULL;
}

/* ---- memory that goes together ---- */

struct rd_syntax_page {
    struct rd_syntax_page *next;
    size_t used, size;
    _Alignas(16) unsigned char bytes[];
};

void *rd_syntax_allocate(struct rd_syntax_memory *memory, size_t size_bytes)
{
    enum { PAGE_BYTES = 1 << 16 };
    struct rd_syntax_page *page = memory->pages;
    const size_t size = (size_bytes + 15) / 16 * 16;
    if (!page || page->size - page->used < size) {
        const size_t room = size > PAGE_BYTES ? size : PAGE_BYTES;
        page = calloc(1, sizeof *page + room);
        if (!page) {
            memory->failed = true;
            return NULL;
        }
        page->next = memory->pages;
        page->size = room;
        memory->pages = page;
    }
    void *made = page->bytes + page->used;
    page->used += size;
    return made;
}

void rd_syntax_memory_finish(struct rd_syntax_memory *memory)
{
    while (memory->pages) {
        struct rd_syntax_page *next = memory->pages->next;
        free(memory->pages);
        memory->pages = next;
    }
}
