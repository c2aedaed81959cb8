// SPDX-License-Identifier: MIT
#include "base/texts.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct rd_texts_page {
    struct rd_texts_page *next;
    size_t used, size;
    char text[];
};

enum { PAGE_BYTES = 1 << 16 };

const char *rd_texts_keep(struct rd_texts *texts, const char *text)
{
    if (!text)
        return NULL;
    size_t size = strlen(text) + 1;
    struct rd_texts_page *page = texts->pages;
    if (!page || page->size - page->used < size) {
        size_t room = size > PAGE_BYTES ? size : PAGE_BYTES;
        page = malloc(sizeof *page + room);
        if (!page) {
            texts->failed = true;
            return NULL;
        }
        *page = (struct rd_texts_page){.next = texts->pages, .size = room};
        texts->pages = page;
    }
    char *copy = memcpy(page->text + page->used, text, size);
    page->used += size;
    return copy;
}

const char *rd_texts_format(struct rd_texts *texts, const char *format, ...)
{
    char *text;
    va_list arguments;
    va_start(arguments, format);
    int length = vasprintf(&text, format, arguments);
    va_end(arguments);
    if (length < 0) {
        texts->failed = true;
        return NULL;
    }
    const char *copy = rd_texts_keep(texts, text);
    free(text);
    return copy;
}

void rd_texts_finish(struct rd_texts *texts)
{
    while (texts->pages) {
        struct rd_texts_page *next = texts->pages->next;
        free(texts->pages);
        texts->pages = next;
    }
}

void rd_append(char *text, size_t size, const char *format, ...)
{
    size_t length = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text + length, size - length, format, arguments);
    va_end(arguments);
}

char *rd_text_of_file(const char *path)
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
