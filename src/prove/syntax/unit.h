// SPDX-License-Identifier: MIT
/* Units of syntax, and the reader of a text that has been preprocessed: by libclang, or that says what to install.
 * Private to this folder. */
#ifndef RD_PROVE_SYNTAX_UNIT_H
#define RD_PROVE_SYNTAX_UNIT_H

#include "base/texts.h"
#include "prove/syntax/syntax.h"

/* Memory that goes together. */
struct rd_syntax_memory {
    struct rd_syntax_page *pages;
    bool failed;
};
/* Zeroed; NULL without memory, where `failed` is set. */
void *rd_syntax_allocate(struct rd_syntax_memory *memory, size_t size_bytes);
void rd_syntax_memory_finish(struct rd_syntax_memory *memory);

struct rd_syntax_unit {
    struct rd_syntax_memory memory;
    struct rd_texts texts;
    size_t count, capacity;
    struct rd_syntax_function *functions;
    const char *code_outside_main;
};

/* A text that was preprocessed, with line markers. */
struct rd_syntax_text {
    char *text;
    size_t size;
    const char *directory; /* in front of the names of files; it is left out */
    bool is_cpp;
    /* Optional: the text of a file before it was preprocessed; NULL where that is not known. */
    const char *(*original)(void *self, const char *file);
    void *self;
};

/* Reads the functions of the text into a new unit. */
enum rd_status rd_syntax_read(struct rd_syntax_unit **unit, const struct rd_syntax_text *source,
                              struct rd_error *error);

#endif
