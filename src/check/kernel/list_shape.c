// SPDX-License-Identifier: MIT
/* The shape of a launch that is proposed for a kernel: that of the file's own where it stands there in numbers. */
#include "check/source/expression.h"
#include "check/source/lexer.h"
#include "check/kernel/list.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS_MAX = 1 << 16, DEPTH_MAX = 4, EXPRESSION_SIZE = 256 };

/* ---- numbers of the file's ---- */

/* The end of a part: at a comma, a semicolon or a bracket that closes, or `end`. */
static const char *part_end(const char *at, const char *end)
{
    for (int depth = 0; at < end; at++) {
        if (depth == 0 && strchr(",;)}", *at))
            break;
        depth += (strchr("([{", *at) != NULL) - (strchr(")]}", *at) != NULL);
    }
    return at;
}

/* What a name of the file's is defined as, once: by #define, by "name = ...", or by "dim3 name(...)". */
static bool find_definition(const char *text, const char *name, size_t name_length,
                            const char **from, const char **to)
{
    const char *before = NULL, *end = text + strlen(text);
    size_t length, before_length = 0;
    unsigned n = 0;
    for (const char *word = rd_lexer_word(text, &length); word;
         before = word, before_length = length, word = rd_lexer_word(word + length, &length)) {
        const char *next = rd_lexer_blanks(word + length);
        if (length != name_length || strncmp(word, name, length) != 0)
            continue;
        if (before && rd_lexer_is(before, before_length, "define")) {
            *from = word + length;
            *to = word + length + strcspn(word + length, "\n");
            n += word[length] != '('; /* a macro with parameters is no number */
        } else if (*next == '=' && next[1] != '=') {
            *from = next + 1;
            *to = part_end(next + 1, end);
            n++;
        } else if (*next && strchr("({", *next) && before &&
                   rd_lexer_is(before, before_length, "dim3")) {
            *from = next;
            *to = rd_lexer_behind(next);
            n++;
        } else if (*next && strchr("+-*/", *next) && (next[1] == '=' || next[1] == *next)) {
            n += 2; /* it changes */
        }
    }
    return n == 1;
}

static bool value_of(const char *text, const char *from, const char *to, unsigned depth,
                     int64_t *value)
{
    char written[EXPRESSION_SIZE];
    size_t used = 0, length;
    struct rd_error error;
    for (const char *at = from; at < to && used + 32 < sizeof written;) {
        const char *next = rd_lexer_skip(at), *begin, *end;
        const bool is_name = rd_lexer_is_letter(*at) && !isdigit((unsigned char)*at);
        length = (size_t)(next - at);
        int64_t known;
        if (is_name) {
            if (depth == DEPTH_MAX || !find_definition(text, at, length, &begin, &end) ||
                !value_of(text, begin, end, depth + 1, &known))
                return false;
            used +=
                (size_t)snprintf(written + used, sizeof written - used, "%lld", (long long)known);
        } else if (next > at && isdigit((unsigned char)*at)) {
            const size_t digits = strspn(at, "0123456789");
            if (strspn(at + digits, "uUlL") != length - digits || digits > 12)
                return false;
            used +=
                (size_t)snprintf(written + used, sizeof written - used, "%.*s", (int)digits, at);
        } else if (next == at) {
            written[used++] = isspace((unsigned char)*at) ? ' ' : *at;
            next = at + 1;
        }
        at = next;
    }
    written[used] = '\0';
    const char *start = written + strspn(written, " ");
    while (used > 0 && written[used - 1] == ' ')
        used--;
    return start < written + used &&
           rd_check_expression(start, (size_t)(written + used - start), value, &error) == RD_OK;
}

/* "256", "dim3(16, 16)", or a name that stands for one of them. */
static bool read_dim(const char *text, const char *from, const char *to, unsigned depth,
                     unsigned dim[3])
{
    size_t length;
    const char *begin, *end, *at = rd_lexer_blanks(from);
    while (to > at && isspace((unsigned char)to[-1]))
        to--;
    const char *word = rd_lexer_word(at, &length);
    if (word == at && word + length == to && depth < DEPTH_MAX &&
        find_definition(text, word, length, &begin, &end))
        return read_dim(text, begin, end, depth + 1, dim);
    if (word == at && rd_lexer_is(word, length, "dim3"))
        at = rd_lexer_blanks(word + length);
    const bool has_parts = at < to && strchr("({", *at) && rd_lexer_behind(at) == to;
    if (has_parts) {
        at++;
        to--;
    }
    dim[0] = dim[1] = dim[2] = 1;
    for (unsigned k = 0; k < 3 && at < to; k++) {
        int64_t value;
        const char *part = part_end(at, to);
        if (!value_of(text, at, part, 0, &value) || value < 1 || value > THREADS_MAX ||
            (part < to && !has_parts))
            return false;
        dim[k] = (unsigned)value;
        at = part + (part < to);
    }
    return at == to;
}

/* ---- the file's launch ---- */

/* Behind the sign <<< of the first launch of the kernel; NULL: the text has none. */
static const char *find_launch(const char *text, const struct rd_check_listed *listed)
{
    const size_t whole = strcspn(listed->name, "<(");
    size_t start = whole, length;
    while (start > 0 && listed->name[start - 1] != ':')
        start--;
    for (const char *word = rd_lexer_word(text, &length); word;
         word = rd_lexer_word(word + length, &length)) {
        const char *at = rd_lexer_blanks(word + length);
        if (length != whole - start || strncmp(word, listed->name + start, length) != 0)
            continue;
        if (*at == '<' && rd_lexer_launch_sign(at, '<') == 0)
            at = rd_lexer_blanks(rd_lexer_behind_angles(at, text + strlen(text)));
        const size_t sign = rd_lexer_launch_sign(at, '<');
        if (sign > 0)
            return at + sign;
    }
    return NULL;
}

/* UINT64_MAX where it has more than that. */
static uint64_t threads_of(const unsigned dim[3])
{
    uint64_t threads;
    return __builtin_mul_overflow((uint64_t)dim[0] * dim[1], dim[2], &threads) ? UINT64_MAX
                                                                               : threads;
}

static void write_dim(char text[RD_CHECK_DIM_SIZE], const unsigned dim[3])
{
    snprintf(text, RD_CHECK_DIM_SIZE,
             dim[2] > 1   ? "%u,%u,%u"
             : dim[1] > 1 ? "%u,%u"
                          : "%u",
             dim[0], dim[1], dim[2]);
}

static unsigned larger(unsigned x, unsigned y)
{
    return x > y ? x : y;
}

/* A grid that covers so much along each dimension that the block has. */
static void cover(unsigned grid[3], const unsigned block[3])
{
    const unsigned size = block[1] > 1 || block[2] > 1 ? 32 : 1024;
    for (unsigned k = 0; k < 3; k++)
        grid[k] = block[k] > 1 || k == 0 ? (size + block[k] - 1) / block[k] : 1;
}

unsigned rd_check_shape_bound(const char *text, const struct rd_check_listed *listed)
{
    int64_t most;
    size_t length;
    const char *end = listed->parameters;
    for (const char *word = listed->head && end ? rd_lexer_word(listed->head, &length) : NULL;
         word && word < end; word = rd_lexer_word(word + length, &length)) {
        const char *open = rd_lexer_blanks(word + length);
        if (rd_lexer_is(word, length, "__launch_bounds__") && *open == '(')
            return value_of(text, open + 1, part_end(open + 1, end), 0, &most) && most > 0 &&
                           most < 1024
                       ? (unsigned)most
                       : 0;
    }
    return 0;
}

bool rd_check_shape_of_launch(const char *text, const struct rd_check_listed *listed,
                              struct rd_check_shape *shape)
{
    unsigned grid[3], block[3];
    int64_t shared;
    const char *at = find_launch(text, listed), *close = at ? strstr(at, ">>>") : NULL;
    if (!close)
        return false;
    const char *comma = part_end(at, close);
    const char *behind = comma < close ? part_end(comma + 1, close) : close;
    if (comma == close || !read_dim(text, comma + 1, behind, 0, block) || threads_of(block) == 0 ||
        threads_of(block) > 1024)
        return false;
    if (!read_dim(text, at, comma, 0, grid) || threads_of(grid) > THREADS_MAX / threads_of(block))
        cover(grid, block);
    write_dim(shape->grid, grid);
    write_dim(shape->block, block);
    const bool is_flat = grid[1] * block[1] * grid[2] * block[2] == 1;
    const bool is_deep = grid[2] * block[2] > 1;
    const unsigned most = is_deep ? 64 : 1024; /* else it is too large an array to propose */
    shape->size = larger(larger(grid[0] * block[0], grid[1] * block[1]), grid[2] * block[2]);
    shape->size = larger(shape->size, is_flat ? 1024 : is_deep ? 16 : 32);
    if (!is_flat && shape->size > most)
        return false;
    shape->count = is_flat ? shape->size : shape->size * shape->size * (is_deep ? shape->size : 1);
    shape->shared_bytes = 0;
    const char *end = behind < close ? part_end(behind + 1, close) : close;
    if (behind < close && value_of(text, behind + 1, end, 0, &shared) && shared > 0)
        shape->shared_bytes = (size_t)shared;
    return true;
}
