// SPDX-License-Identifier: MIT
#include "program/definition.h"
#include "base/texts.h"
#include "program/paragraph.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MEMBER(member, kind)                                                                       \
    {                                                                                              \
#member, kind, offsetof(struct rd_program, member)                                         \
    }
const struct rd_program_member rd_program_members[] = {
    MEMBER(summary, RD_MEMBER_TEXT),
    MEMBER(law, RD_MEMBER_TEXT),
    MEMBER(launch, RD_MEMBER_TEXT),
    MEMBER(kernel, RD_MEMBER_TEXT),
    MEMBER(points, RD_MEMBER_TEXT),
    MEMBER(goal_text, RD_MEMBER_TEXT),
    MEMBER(goal_words, RD_MEMBER_TEXT),
    MEMBER(reads, RD_MEMBER_TEXT),
    MEMBER(blocks, RD_MEMBER_TEXT),
    MEMBER(twin, RD_MEMBER_TEXT),
    MEMBER(accept, RD_MEMBER_TEXT),
    MEMBER(values, RD_MEMBER_TEXT),
    MEMBER(bounded, RD_MEMBER_FLAG),
    MEMBER(no_witness, RD_MEMBER_FLAG),
    MEMBER(may_hang, RD_MEMBER_FLAG),
    MEMBER(any_order, RD_MEMBER_FLAG),
    MEMBER(played, RD_MEMBER_FLAG),
    MEMBER(block, RD_MEMBER_UNSIGNED),
    MEMBER(n_block, RD_MEMBER_UNSIGNED),
    MEMBER(n, RD_MEMBER_SIZE),
    MEMBER(n_grid, RD_MEMBER_SIZE),
    MEMBER(type, RD_MEMBER_TYPE),
    MEMBER(operation, RD_MEMBER_OPERATION),
    MEMBER(source_file, RD_MEMBER_TEXT),
    MEMBER(source_text, RD_MEMBER_TEXT),
    MEMBER(source_parts, RD_MEMBER_TEXT),
    {NULL, RD_MEMBER_TEXT, 0},
};

static const void *at(const struct rd_program *program, const struct rd_program_member *member)
{
    return (const char *)program + member->offset;
}

/* The law of a fault may be that of the right program. */
const char *rd_member_text(const struct rd_program *program, const struct rd_program_member *member)
{
    if (member->offset == offsetof(struct rd_program, law))
        return rd_program_law(program);
    return *(const char *const *)at(program, member);
}

uint64_t rd_member_number(const struct rd_program *program, const struct rd_program_member *member)
{
    const void *value = at(program, member);
    switch (member->kind) {
    case RD_MEMBER_FLAG:
        return *(const bool *)value;
    case RD_MEMBER_UNSIGNED:
        return *(const unsigned *)value;
    case RD_MEMBER_SIZE:
        return *(const size_t *)value;
    case RD_MEMBER_TYPE:
        return *(const enum rd_type *)value;
    case RD_MEMBER_OPERATION:
        return *(const enum rd_operation *)value;
    case RD_MEMBER_TEXT:
        break;
    }
    return 0;
}

void rd_member_set_text(struct rd_program *program, const struct rd_program_member *member,
                        const char *text)
{
    memcpy((char *)program + member->offset, &text, sizeof text);
}

void rd_member_set_number(struct rd_program *program, const struct rd_program_member *member,
                          uint64_t number)
{
    void *value = (char *)program + member->offset;
    if (member->kind == RD_MEMBER_FLAG)
        *(bool *)value = number != 0;
    else if (member->kind == RD_MEMBER_UNSIGNED)
        *(unsigned *)value = (unsigned)number;
    else if (member->kind == RD_MEMBER_SIZE)
        *(size_t *)value = number;
    else if (member->kind == RD_MEMBER_TYPE)
        *(enum rd_type *)value = (enum rd_type)number;
    else if (member->kind == RD_MEMBER_OPERATION)
        *(enum rd_operation *)value = (enum rd_operation)number;
}

static const char *const goal_names[] = {
    [RD_GOAL_SUM] = "sum",     [RD_GOAL_INPUT] = "input",     [RD_GOAL_PRODUCT] = "product",
    [RD_GOAL_TOTAL] = "total", [RD_GOAL_LAST] = "last",       [RD_GOAL_RESULT] = "result",
    [RD_GOAL_NONE] = "none",   [RD_GOAL_UNASKED] = "unasked",
};

const char *rd_goal_name(enum rd_goal goal)
{
    return goal_names[goal];
}

bool rd_goal_named(const char *name, enum rd_goal *goal)
{
    for (size_t k = 0; k < sizeof goal_names / sizeof *goal_names; k++) {
        if (strcmp(goal_names[k], name) == 0) {
            *goal = (enum rd_goal)k;
            return true;
        }
    }
    return false;
}

/* ---- copies ---- */

struct rd_definition *rd_program_definition(const struct rd_program *program)
{
    return program->definition && &program->definition->program == program
               ? (struct rd_definition *)program->definition
               : NULL;
}

bool rd_program_is_registered(const struct rd_program *program)
{
    return rd_program_definition(program) != NULL;
}

static void destroy(struct rd_definition *definition)
{
    for (unsigned k = 0; k < definition->n_sources; k++)
        free((char *)definition->sources[k].name);
    rd_paragraph_release(definition->paragraph);
    for (const struct rd_program_member *m = rd_program_members; m->name; m++)
        if (m->kind == RD_MEMBER_TEXT)
            free(*(char **)((char *)&definition->program + m->offset));
    free((char *)definition->program.name);
    free(definition);
}

/* Reads the lines "NAME FIRST LAST" of source_parts, as far as they can be meant. */
static void read_sources(struct rd_definition *definition)
{
    const struct rd_program *program = &definition->program;
    const char *at = program->source_parts;
    while (program->played && at && *at && program->source_text && program->source_file &&
           definition->n_sources < RD_DEFINITION_SOURCES_MAX) {
        struct rd_source source = {.path = program->source_file, .text = program->source_text};
        char name[80];
        if (sscanf(at, "%79s %u %u", name, &source.first, &source.last) == 3 && source.first > 0 &&
            source.first <= source.last && source.last <= rd_source_lines(source.text) &&
            (source.name = strdup(name)))
            definition->sources[definition->n_sources++] = source;
        at = strchr(at, '\n');
        at = at ? at + 1 : NULL;
    }
}

struct rd_definition *rd_definition_create(const struct rd_program *program)
{
    struct rd_definition *definition = calloc(1, sizeof *definition);
    if (!definition)
        return NULL;
    atomic_init(&definition->references, 1);
    definition->program = *program;
    definition->program.definition = definition;
    definition->program.name = strdup(program->name);
    bool copied = definition->program.name != NULL;
    for (const struct rd_program_member *m = rd_program_members; m->name; m++) {
        const char *const *text = at(program, m);
        if (m->kind != RD_MEMBER_TEXT || !*text)
            continue;
        char *copy = strdup(*text);
        rd_member_set_text(&definition->program, m, copy);
        copied = copied && copy;
    }
    if (!copied) {
        destroy(definition);
        return NULL;
    }
    read_sources(definition);
    return definition;
}

enum rd_status rd_definition_read(struct rd_definition *definition, bool absent,
                                  struct rd_error *error)
{
    return rd_paragraph_create(&definition->program, absent, &definition->paragraph, error);
}

const struct rd_program *rd_program_retain(const struct rd_program *program)
{
    struct rd_definition *definition = program ? rd_program_definition(program) : NULL;
    if (definition)
        atomic_fetch_add(&definition->references, 1);
    return program;
}

void rd_program_release(const struct rd_program *program)
{
    struct rd_definition *definition = program ? rd_program_definition(program) : NULL;
    if (definition && atomic_fetch_sub(&definition->references, 1) == 1)
        destroy(definition);
}

bool rd_program_is_same(const struct rd_program *x, const struct rd_program *y)
{
    bool same = x == y || x->goal == y->goal;
    for (const struct rd_program_member *m = rd_program_members; m->name && same && x != y; m++)
        same = m->kind == RD_MEMBER_TEXT
                   ? rd_text_is_same(rd_member_text(x, m), rd_member_text(y, m))
                   : rd_member_number(x, m) == rd_member_number(y, m);
    return same;
}
