// SPDX-License-Identifier: MIT
/* The texts of `reductio explain`, with the laws that they speak of in their places.
 *
 * A line of a text that is `{law}` stands for the law of the program's array, and `{law POINT}` for that at the point: the
 * program's paragraph is the only place that states them. */
#include "base/texts.h"
#include "law/words.h"
#include "program/explain.h"
#include "reductio/program.h"

#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 80, INDENT = 4 };

/* ---- lines ---- */

/* Returns the bytes of a sentence that fit: up to the end of its ranges if the rest has a line of its own; else up to a comma
 * or, without one, a space. */
static size_t part_of(const char *line, size_t columns)
{
    const size_t length = strlen(line);
    const char *colon = NULL;
    if (length <= columns)
        return length;
    for (const char *at = line; (at = strstr(at, ": ")) != NULL; at++)
        if ((size_t)(at - line) < columns && length - (size_t)(at + 2 - line) <= columns - INDENT)
            colon = at;
    if (colon)
        return (size_t)(colon + 1 - line);
    size_t comma = 0, space = 0;
    for (size_t k = 1; k <= columns; k++) {
        if (line[k] != ' ')
            continue;
        space = k;
        if (strchr(",;", line[k - 1]))
            comma = k;
    }
    return comma > columns / 2 ? comma : space > 0 ? space : length;
}

static void print_sentence(const char *line, size_t indent, FILE *out)
{
    size_t columns = COLUMNS - indent, part = part_of(line, columns);
    fprintf(out, "%*s%.*s\n", (int)indent, "", (int)part, line);
    for (const char *rest = line + part; *rest; rest += part) {
        rest++; /* the space */
        part = part_of(rest, columns - INDENT);
        fprintf(out, "%*s%.*s\n", (int)(indent + INDENT), "", (int)part, rest);
    }
}

/* ---- laws ---- */

struct expansion {
    const struct rd_program *program;
    struct rd_law_words words;
    bool failed; /* there was no memory */
};

/* The section that the line stands for; NULL if it is another line. */
static const struct rd_law_section *section_of(const struct rd_law *law, const char *line,
                                               size_t length)
{
    static const char head[] = "{law", at[] = "{law ";
    char point[64];
    if (length < sizeof head || line[length - 1] != '}' || strncmp(line, head, strlen(head)) != 0)
        return NULL;
    if (length == sizeof head)
        return rd_law_section(law, 0);
    if (length > sizeof at + sizeof point || strncmp(line, at, strlen(at)) != 0)
        return NULL;
    snprintf(point, sizeof point, "%.*s", (int)(length - sizeof at), line + strlen(at));
    return rd_law_section_at(law, point);
}

static void print_law(struct expansion *expansion, const struct rd_law_section *section,
                      size_t indent, FILE *out)
{
    enum { LONGER = 8 }; /* no name of an operation is longer by as much as this times */
    char *text = NULL, *said = NULL;
    size_t size, room;
    FILE *words = open_memstream(&text, &size);
    expansion->failed |= !words;
    if (!words)
        return;
    expansion->failed |= rd_law_words(&expansion->words, section, words) != RD_OK;
    if (fclose(words) == 0 && (said = malloc(room = LONGER * size + 1)) != NULL) {
        memcpy(said, text, size + 1);
        rd_operation_in_words(expansion->program->operation, said, room);
        for (char *rest = said, *line; (line = strsep(&rest, "\n")) && *line;)
            print_sentence(line, indent, out);
    }
    expansion->failed |= !said;
    free(said);
    free(text);
}

static void expand(struct expansion *expansion, const char *text, FILE *out)
{
    for (const char *line = text; *line;) {
        const size_t length = strcspn(line, "\n"), indent = strspn(line, " ");
        const size_t ended = length + (line[length] == '\n');
        const struct rd_law_section *section =
            indent < length ? section_of(expansion->words.law, line + indent, length - indent)
                            : NULL;
        if (section)
            print_law(expansion, section, indent, out);
        else
            fwrite(line, 1, ended, out);
        line += ended;
    }
}

static const char *text_of(const struct rd_program *program)
{
    for (const struct rd_explanation *text = rd_explanations; text->name; text++)
        if (strcmp(text->name, program->name) == 0)
            return text->text;
    return "";
}

char *rd_program_explain(const struct rd_program *program)
{
    const char *text = text_of(program), *paragraph = rd_program_law(program);
    struct expansion expansion = {.program = program};
    struct rd_law *law = NULL;
    char *made = NULL;
    size_t size;
    if (!strstr(text, "{law") || !paragraph)
        return strdup(text);
    if (rd_law_create(&law, paragraph, NULL) != RD_OK)
        return NULL;
    expansion.words.law = law;
    FILE *out = open_memstream(&made, &size);
    expansion.failed = !out;
    if (out) {
        expand(&expansion, text, out);
        expansion.failed |= fclose(out) != 0;
    }
    rd_law_words_finish(&expansion.words);
    rd_law_destroy(law);
    if (!expansion.failed)
        return made;
    free(made);
    return NULL;
}
