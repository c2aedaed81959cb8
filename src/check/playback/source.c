// SPDX-License-Identifier: MIT
/* The source that a trace has of a loop that was recorded: of its file the kernels that the loop launches, or the function in a
 * kernel that it is in. */
#include "check/playback/played.h"

#include <stdlib.h>
#include <string.h>

enum { PARTS_MAX = 8, TAB_COLUMNS = 8 };

struct part {
    char *name; /* of the kernel, as the program's paragraph has it; else of the function */
    unsigned first, last;
};

struct parts {
    struct part all[PARTS_MAX];
    unsigned n;
    struct rd_check_functions functions; /* of the file: code of the device may be of use */
};

static void add_part(struct parts *parts, const char *text, char *name,
                     const struct rd_check_function *function)
{
    for (unsigned k = 0; k < parts->n; k++)
        if (name && strcmp(parts->all[k].name, name) == 0)
            function = NULL;
    if (!name || !function || parts->n == PARTS_MAX) {
        free(name);
        return;
    }
    parts->all[parts->n++] = (struct part){name, rd_lexer_line(text, function->head),
                                           rd_lexer_line(text, function->end - 1)};
}

/* The only definition of a kernel in the text; NULL: there is none, or several. */
static const struct rd_check_function *find_kernel(const struct rd_check_functions *functions,
                                                   const char *kernel)
{
    const struct rd_check_function *found = NULL;
    const char *name = kernel;
    for (const char *at = kernel; *at && *at != '<' && *at != '('; at++)
        if (at[0] == ':' && at[1] == ':')
            name = at + 2;
    const size_t length = strcspn(name, "<(");
    for (size_t k = 0; k < functions->n; k++) {
        const struct rd_check_function *one = &functions->all[k];
        if (!one->is_kernel || one->name_length != length || strncmp(one->name, name, length) != 0)
            continue;
        if (found)
            return NULL;
        found = one;
    }
    return found;
}

static void find_parts(struct parts *parts, const struct rd_played *played,
                       const struct rd_played_loop *loop)
{
    const char *text = loop->file->text;
    const struct rd_check_function *around = loop->annotation->function;
    const struct rd_played_launch *before = NULL;
    if (loop->annotation->in_device && around && !around->is_kernel) {
        add_part(parts, text, strndup(around->name, around->name_length), around);
        return;
    }
    for (size_t k = 1; k < loop->n; k++) {
        const struct rd_played_launch *launch = rd_played_launch_before(played, loop, k);
        if (launch && (!before || strcmp(before->kernel, launch->kernel) != 0))
            add_part(parts, text, rd_played_kernel_name(launch),
                     find_kernel(&parts->functions, launch->kernel));
        before = launch;
    }
}

static bool is_in_part(const struct parts *parts, unsigned line)
{
    for (unsigned k = 0; k < parts->n; k++)
        if (line >= parts->all[k].first && line <= parts->all[k].last)
            return true;
    return false;
}

/* Copies the lines of the parts and of functions of the device, with spaces for tabs; of all others their ends alone. */
static void write_lines(const char *text, const struct parts *parts, FILE *out)
{
    unsigned line = 1, column = 0;
    size_t next = 0; /* the first function that doesn't end before */
    const struct rd_check_functions *functions = &parts->functions;
    bool is_in = is_in_part(parts, line);
    for (const char *at = text; *at; at++) {
        while (next < functions->n && functions->all[next].end <= at)
            next++;
        const bool is_device = next < functions->n && functions->all[next].is_device &&
                               at >= functions->all[next].head;
        const unsigned width = *at == '\t' ? TAB_COLUMNS - column % TAB_COLUMNS : 1;
        for (unsigned k = 0; (is_in || is_device) && !strchr("\r\n", *at) && k < width; k++)
            fputc(*at == '\t' ? ' ' : *at, out);
        column += width;
        if (*at == '\n') {
            fputc('\n', out);
            is_in = is_in_part(parts, ++line);
            column = 0;
        }
    }
}

void rd_played_source_init(struct rd_played_source *source, const struct rd_played *played,
                           const struct rd_played_loop *loop)
{
    struct parts parts = {.n = 0};
    size_t size;
    *source = (struct rd_played_source){NULL, NULL};
    rd_check_functions_init(&parts.functions, loop->file->text);
    find_parts(&parts, played, loop);
    FILE *out = parts.n > 0 ? open_memstream(&source->text, &size) : NULL;
    FILE *list = out ? open_memstream(&source->parts, &size) : NULL;
    for (unsigned k = 0; k < parts.n; k++) {
        if (list)
            fprintf(list, "%s %u %u\n", parts.all[k].name, parts.all[k].first, parts.all[k].last);
        free(parts.all[k].name);
    }
    if (out)
        write_lines(loop->file->text, &parts, out);
    rd_check_functions_finish(&parts.functions);
    const bool lacks_out = out && fclose(out) != 0, lacks_list = list && fclose(list) != 0;
    const bool is_bad = lacks_out || lacks_list || (out && !list);
    if (is_bad)
        rd_played_source_finish(source);
}

void rd_played_source_finish(struct rd_played_source *source)
{
    free(source->text);
    free(source->parts);
    *source = (struct rd_played_source){NULL, NULL};
}
