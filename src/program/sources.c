// SPDX-License-Identifier: MIT
#include "reductio/sources.h"
#include "device/kernel_names.h"
#include "program/sources_registered.h"
#include "program/sources_table.h"

#include <string.h>

static const struct rd_source *find(const struct rd_source *sources, const char *name)
{
    for (const struct rd_source *source = sources; source->name; source++)
        if (strcmp(source->name, name) == 0)
            return source;
    return NULL;
}

const struct rd_source *rd_source_of_kernel(const char *name)
{
    const struct rd_source *source = find(rd_kernel_sources, name);
    return source ? source : rd_registered_source_of_kernel(name);
}

const struct rd_source *rd_source_of_file(const char *path)
{
    size_t length = strlen(path);
    for (const struct rd_source *source = rd_file_sources; source->name; source++) {
        size_t size = strlen(source->path);
        const char *end = path + length - (size < length ? size : length);
        if (strcmp(end, source->path) == 0 && (end == path || end[-1] == '/'))
            return source;
    }
    return rd_registered_source_of_file(path);
}

void rd_source_explain_absence(const char *kernel, struct rd_error *why)
{
    rd_registered_source_explain_absence(kernel, why);
}

const struct rd_source *rd_source_of_invariant(const struct rd_program *program)
{
    const struct rd_program *twin = rd_program_twin(program);
    bool same = twin && strcmp(rd_program_law(twin), rd_program_law(program)) == 0;
    return find(rd_invariant_sources, same ? twin->name : program->name);
}

const struct rd_source *rd_source_of_program(const struct rd_program *program)
{
    return find(rd_invariant_sources, program->name);
}

/* ---- laws ---- */

void rd_source_of_law(const struct rd_program *program, struct rd_source *law)
{
    const char *text = rd_program_law(program);
    *law = (struct rd_source){.name = program->name,
                              .path = "in the language of laws",
                              .text = text,
                              .first = 1,
                              .last = rd_source_lines(text)};
}

/* Tells whether the line begins with that word. */
static bool begins(const char *line, const char *word)
{
    const size_t length = strlen(word);
    return line && strncmp(line, word, length) == 0 && line[length] == ' ';
}

static bool is_at(const char *line, const struct rd_place *place)
{
    return begins(line, "at") && begins(line + strlen("at "), rd_point_name(place->point));
}

bool rd_source_of_claim(const struct rd_program *program, const struct rd_place *place,
                        struct rd_source *claim)
{
    struct rd_source law;
    size_t length;
    unsigned line = 1;
    rd_source_of_law(program, &law);
    while (place && line <= law.last && !is_at(rd_source_line(law.text, line, &length), place))
        line++;
    for (line += place != NULL; line <= law.last; line++) {
        const char *text = rd_source_line(law.text, line, &length);
        if (begins(text, "at"))
            break;
        if (!begins(text, "law"))
            continue;
        claim[0] = law;
        claim->first = line;
        while (line < law.last && *rd_source_line(law.text, line + 1, &length) == ' ')
            line++; /* what goes on is set in */
        claim->last = line;
        return true;
    }
    return false;
}

const char *rd_source_line(const char *text, unsigned number, size_t *length)
{
    const char *line = number > 0 ? text : NULL;
    for (unsigned k = 1; line && k < number; k++) {
        line = strchr(line, '\n');
        line = line ? line + 1 : NULL;
    }
    if (!line || *line == '\0')
        return NULL;
    *length = strcspn(line, "\n");
    return line;
}

unsigned rd_source_lines(const char *text)
{
    unsigned lines = 0;
    for (const char *at = text; *at; lines++) {
        at += strcspn(at, "\n");
        at += *at == '\n';
    }
    return lines;
}
