// SPDX-License-Identifier: MIT
/* Texts that are kept, put together bit by bit, or written from numbers. */
#ifndef RD_BASE_TEXTS_H
#define RD_BASE_TEXTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Copies of texts that all live until they go together. Begins as {0}. */
struct rd_texts {
    struct rd_texts_page *pages;
    bool failed; /* there was no memory for one of them */
};

/* Returns a copy; NULL of NULL, and without memory, where `failed` is set. */
const char *rd_texts_keep(struct rd_texts *texts, const char *text);
/* Returns the formatted text, or NULL likewise. */
const char *rd_texts_format(struct rd_texts *texts, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void rd_texts_finish(struct rd_texts *texts);

/* Returns the whole file, up to its first NUL; NULL where it can't be read, or without memory. The caller frees it. */
char *rd_text_of_file(const char *path);

#ifdef __cplusplus
extern "C" {
#endif

/* Appends to the text, which ends with a NUL, and cuts what does not fit into its size. */
__attribute__((format(printf, 3, 4))) void rd_append(char *text, size_t size, const char *format,
                                                     ...);

#ifdef __cplusplus
}
#endif

/* Tells whether the texts are equal; NULL is equal to NULL alone. */
static inline bool rd_text_is_same(const char *x, const char *y)
{
    return x == y || (x && y && strcmp(x, y) == 0);
}

/* Size of a whole number as text: a sign, 20 digits and the NUL. The functions below write numbers as printf does, in a
 * tenth of the time: traces consist of them. */
enum { RD_DIGITS_SIZE = 22 };

/* Returns the length, without the NUL. */
static inline int rd_digits(char text[RD_DIGITS_SIZE], bool negative, uint64_t magnitude)
{
    char digits[RD_DIGITS_SIZE], *const end = digits + sizeof digits - 1, *at = end;
    *end = '\0';
    do
        *--at = (char)('0' + magnitude % 10);
    while ((magnitude /= 10) > 0);
    if (negative)
        *--at = '-';
    memcpy(text, at, (size_t)(end - at) + 1);
    return (int)(end - at);
}

static inline int rd_digits_signed(char text[RD_DIGITS_SIZE], int64_t number)
{
    return rd_digits(text, number < 0, number < 0 ? -(uint64_t)number : (uint64_t)number);
}

#endif
