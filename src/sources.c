// SPDX-License-Identifier: MIT
#include "sources.h"
#include "sources_table.h"

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
    return find(rd_kernel_sources, name);
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
    return NULL;
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

const struct rd_source *rd_source_of_claim(const struct rd_program *program,
                                           const struct rd_place *place, unsigned k)
{
    enum rd_point point = place ? place->point : RD_POINT_COUNT;
    for (const struct rd_claim_source *claim = rd_claim_sources; claim->source.name; claim++)
        if (claim->point == point && strcmp(claim->source.name, program->name) == 0 && k-- == 0)
            return &claim->source;
    return NULL;
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
