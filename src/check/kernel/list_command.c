// SPDX-License-Identifier: MIT
/* Commands for kernels of which nothing but their text and their types is known. */
#include "check/source/lexer.h"
#include "check/kernel/list.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *rd_check_listed_parameter(const struct rd_check_listed *listed, unsigned number,
                                      size_t *length, const char **name, size_t *name_length)
{
    const char *at = listed->parameters, *end = listed->parameters_end;
    if (!at)
        return NULL;
    for (unsigned k = 0; at < end; k++) {
        const char *from = rd_lexer_blanks(at), *to = from;
        for (int depth = 0; to < end && (depth > 0 || *to != ','); to++)
            depth += (strchr("<([{", *to) != NULL) - (strchr(">)]}", *to) != NULL);
        if (k == number) {
            const char *last = to;
            for (const char *equal = from; equal < to; equal++)
                if (*equal == '=')
                    last = to = equal; /* a default */
            while (to > from && isspace((unsigned char)to[-1]))
                to--;
            last = to;
            while (last > from && (last[-1] == ']' || isspace((unsigned char)last[-1])))
                for (last--; last > from && *last != '['; last--)
                    ;
            const char *word = last;
            while (word > from && rd_lexer_is_letter(word[-1]))
                word--;
            bool has_name = word > from && word < last;
            *name = has_name ? word : to;
            *name_length = has_name ? (size_t)(last - word) : 0;
            *length = (size_t)(to - from);
            return from;
        }
        at = to + 1;
    }
    return NULL;
}

/* ---- shape ---- */

/* Tells whether the kernel's text has it. */
static bool has_text(const struct rd_check_listed *listed, const char *text)
{
    return listed->body &&
           memmem(listed->body, (size_t)(listed->end - listed->body), text, strlen(text)) != NULL;
}

/* The first number from 4 to 1024 among the template's arguments, which may well be the block's; 0: there is none. */
static unsigned number_in_name(const struct rd_check_listed *listed)
{
    for (const char *at = strchr(listed->name, '<'); at && *at; at++) {
        if (!isdigit((unsigned char)*at) || rd_lexer_is_letter(at[-1]))
            continue;
        unsigned long number = strtoul(at, NULL, 10);
        if (number >= 4 && number <= 1024)
            return (unsigned)number;
    }
    return 0;
}

static struct rd_check_shape shape_of(const struct rd_check_listed *listed, const char *text)
{
    struct rd_check_shape shape;
    unsigned number = number_in_name(listed);
    bool is_flat = !has_text(listed, "threadIdx.y") && !has_text(listed, "blockIdx.y");
    if (rd_check_shape_of_launch(text, listed, &shape))
        return shape;
    if (number >= 32 && is_flat) {
        shape = (struct rd_check_shape){.count = 1024, .size = 1024};
        snprintf(shape.grid, sizeof shape.grid, "%u", (1024 + number - 1) / number);
        snprintf(shape.block, sizeof shape.block, "%u", number);
        return shape;
    }
    if (number > 0 && number <= 32 && !is_flat && !has_text(listed, "threadIdx.z")) {
        const unsigned blocks = (32 + number - 1) / number;
        shape = (struct rd_check_shape){.count = 1024, .size = 32};
        snprintf(shape.grid, sizeof shape.grid, "%u,%u", blocks, blocks);
        snprintf(shape.block, sizeof shape.block, "%u,%u", number, number);
        return shape;
    }
    const unsigned bound = rd_check_shape_bound(text, listed);
    if (bound > 0 && bound < 256) { /* a block of the usual size is refused */
        shape = (struct rd_check_shape){.count = 1024, .size = 1024};
        snprintf(shape.grid, sizeof shape.grid, "%u", (1024 + bound - 1) / bound);
        snprintf(shape.block, sizeof shape.block, "%u", bound);
        return shape;
    }
    if (has_text(listed, "threadIdx.z"))
        return (struct rd_check_shape){"2,2,2", "8,8,4", 4096, 16, 0};
    if (has_text(listed, "threadIdx.y") || has_text(listed, "blockIdx.y"))
        return (struct rd_check_shape){"2,2", "16,16", 1024, 32, 0};
    return (struct rd_check_shape){"4", "256", 1024, 1024, 0};
}

/* ---- arguments ---- */

/* Tells whether a parameter's name is one of a size: n, width, num_rows, N. */
static bool is_size(const char *name, size_t length)
{
    static const char *const words[] = {"n",     "m",        "k",      "w",      "h",     "len",
                                        "size",  "count",    "width",  "height", "rows",  "cols",
                                        "pitch", "dim",      "stride", "num",    "total", "length",
                                        "elems", "elements", "nx",     "ny",     NULL};
    char lower[64];
    size_t used = length < sizeof lower - 1 ? length : sizeof lower - 1;
    for (size_t k = 0; k < used; k++)
        lower[k] = (char)tolower((unsigned char)name[k]);
    lower[used] = '\0';
    for (const char *const *word = words; *word; word++)
        if (strlen(*word) > 2 ? strstr(lower, *word) != NULL : strcmp(lower, *word) == 0)
            return true;
    return lower[0] == 'n' && used > 1 && (name[1] == '_' || isupper((unsigned char)name[1]));
}

static void write_buffer(const struct rd_file_parameter *type, bool is_input,
                         const struct rd_check_shape *shape, FILE *file)
{
    const char kind = type->pointee_kind;
    if (kind == RD_FILE_KIND_F16 || kind == RD_FILE_KIND_BF16)
        fprintf(file, "%s[%u]:%s", kind == RD_FILE_KIND_F16 ? "f16" : "bf16", shape->count,
                is_input ? "random:1" : "zero");
    else if (kind == 'f')
        fprintf(file, "f%u[%u]:%s", 8 * type->pointee_size, shape->count,
                is_input ? "random:1" : "zero");
    else if (kind == 'i' || kind == 'u')
        fprintf(file, "%c%u[%u]:%s", kind, 8 * type->pointee_size, shape->count,
                is_input ? "iota" : "zero");
    else if (kind == 'p')
        fprintf(file, "u64[%u]:zero", shape->count);
    else
        fprintf(file, "u8[%u*%u]:zero", shape->count, type->pointee_size ? type->pointee_size : 8);
}

static void write_value(const struct rd_file_parameter *type, bool of_size,
                        const struct rd_check_shape *shape, FILE *file)
{
    switch (type->kind) {
    case 'i':
    case 'u':
        fprintf(file, "%u", of_size ? shape->size : 1);
        return;
    case 'b':
    case 'f':
    case RD_FILE_KIND_F16:
    case RD_FILE_KIND_BF16:
        fputs("1", file);
        return;
    default:
        fputs("'{}'", file);
    }
}

static void write_quoted(const char *text, FILE *file)
{
    static const char plain[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:=,+-";
    if (*text && !text[strspn(text, plain)]) {
        fputs(text, file);
        return;
    }
    fputc('\'', file);
    for (; *text; text++)
        fputs(*text == '\'' ? "'\\''" : (char[]){*text, '\0'}, file);
    fputc('\'', file);
}

void rd_check_listed_command(const struct rd_check_listed *listed, const char *text,
                             const struct rd_check_options *options, FILE *file)
{
    const struct rd_check_shape shape = shape_of(listed, text);
    fputs("reductio check ", file);
    write_quoted(options->file, file);
    fputs(" --kernel ", file);
    write_quoted(listed->name, file);
    fprintf(file, " --grid %s --block %s", shape.grid, shape.block);
    if (shape.shared_bytes > 0)
        fprintf(file, " --shared %zu", shape.shared_bytes);
    else if (has_text(listed, "extern __shared__"))
        fputs(" --shared 8K", file);
    for (unsigned k = 0; k < listed->n; k++) {
        const struct rd_file_parameter *type = &listed->types[k];
        const char *name = "";
        size_t length = 0, name_length = 0;
        const char *one = rd_check_listed_parameter(listed, k, &length, &name, &name_length);
        bool is_input = one && memmem(one, length, "const", 5);
        fputs(" --arg ", file);
        if (type->kind == 'p')
            write_buffer(type, is_input, &shape, file);
        else
            write_value(type, is_size(name, name_length), &shape, file);
    }
    for (const char *const *argument = options->compiler_args; argument && *argument; argument++) {
        fputc(' ', file);
        write_quoted(*argument, file);
    }
}
