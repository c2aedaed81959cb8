// SPDX-License-Identifier: MIT
/* Programs of clients, and those that traces define. */
#include "base/sized.h"
#include "device/kernel_names.h"
#include "program/definition.h"
#include "program/operands.h"
#include "program/paragraph.h"
#include "program/program_law.h"
#include "reductio/operation.h"
#include "reductio/values.h"

#include <pthread.h>
#include <stdio.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_MAX_LENGTH = 63, SMALL_N_MAX = 32 };

/* The size of struct rd_program in version 0.1. */
enum { FIRST_SIZE = offsetof(struct rd_program, values) + sizeof(const char *) };

/* Entries live as long as the process, as callers keep them without a time limit. */
static struct rd_definition *_Atomic entries;
static pthread_mutex_t registering = PTHREAD_MUTEX_INITIALIZER;

const struct rd_program *rd_program_registered(const char *name, size_t length)
{
    for (struct rd_definition *entry = atomic_load(&entries); entry; entry = entry->next)
        if (strlen(entry->program.name) == length &&
            strncmp(entry->program.name, name, length) == 0)
            return &entry->program;
    return NULL;
}

bool rd_program_has_own_kernels(const struct rd_program *program)
{
    const struct rd_paragraph *paragraph = rd_paragraph_of(program);
    const size_t count = paragraph ? rd_law_launch_count(paragraph->law) : 0;
    bool has = false;
    for (size_t k = 0; k < count && !has; k++)
        has = paragraph->kernels[k] >= RD_KERNEL_COUNT;
    return has;
}

/* ---- what is asked of a program ---- */

static enum rd_status check_name(const struct rd_program *program, bool played,
                                 struct rd_error *error)
{
    const char *taken =
        played ? RD_PROGRAM_PLAYED_NAME ":" : "abcdefghijklmnopqrstuvwxyz0123456789-:";
    const char *name = program->name ? program->name : "";
    const size_t length = strlen(name), before = strcspn(name, ":");
    const char *fault = name[before] == ':' ? name + before + 1 : "-";
    if (before == 0 || length > NAME_MAX_LENGTH || strspn(name, taken) != length ||
        name[0] == '-' || fault[0] == '\0' || strchr(fault, ':'))
        return rd_fail(error, RD_ERROR_USAGE,
                       "'%.80s' can't be a program's name: use 1 to %d small letters, digits and "
                       "hyphens, of a fault with ':' between",
                       name, NAME_MAX_LENGTH);
    return RD_OK;
}

/* Kernels of clients reduce by what they are written for. */
static enum rd_status check_operation(const struct rd_program *program, struct rd_error *error)
{
    const struct rd_numeric *numeric;
    struct rd_error why;
    if ((unsigned)program->type >= RD_TYPE_COUNT)
        return rd_fail(error, RD_ERROR_USAGE, "'type' of '%s' is %d: use one of enum rd_type",
                       program->name, (int)program->type);
    if ((unsigned)program->operation >= RD_OPERATION_COUNT)
        return rd_fail(error, RD_ERROR_USAGE,
                       "'operation' of '%s' is %d: use one of enum rd_operation", program->name,
                       (int)program->operation);
    if (program->any_operation)
        return rd_fail(error, RD_ERROR_USAGE,
                       "'%s' is of any operation, and a registered kernel of the one it is written "
                       "for: set 'operation', and leave 'any_operation' out",
                       program->name);
    if (rd_operation_selects(program->operation))
        return rd_fail(error, RD_ERROR_USAGE,
                       "'%s' reduces by '%s', which takes kernels of the library: use one of the "
                       "operations that don't select",
                       program->name, rd_operation_name(program->operation));
    if (rd_operation_over(program->operation, program->type, &numeric, &why) != RD_OK)
        return rd_fail(error, RD_ERROR_USAGE, "'operation' of '%s' doesn't fit its 'type': %s",
                       program->name, why.text);
    return RD_OK;
}

static enum rd_status refuse_member(const struct rd_program *program, const char *member,
                                    const char *why, struct rd_error *error)
{
    return rd_fail(error, RD_ERROR_USAGE, "'%s' of '%s': %s", member, program->name, why);
}

/* A number of n and T, on the program's own n. */
static enum rd_status check_number(const struct rd_program *program, const char *member,
                                   const char *expression, struct rd_error *error)
{
    const struct rd_law_sizes sizes = {.n = program->n,
                                       .T = program->block ? program->block : RD_BLOCK_DEFAULT};
    struct rd_law_error why = {0};
    uint64_t value = 0;
    if (!expression)
        return RD_OK;
    if (rd_law_value(expression, &sizes, &value, &why) != RD_OK)
        return refuse_member(program, member, why.what.text, error);
    return value > 0 ? RD_OK : refuse_member(program, member, "it is 0 of the default n", error);
}

/* Checks the members that only a client's program may have: a trace's names no files here, and no program. */
static enum rd_status check_clients(const struct rd_program *program, struct rd_error *error)
{
    enum { TRIED_MAX = 1 << 20 };
    const struct rd_shape usual = rd_program_default(program);
    const size_t n_a = rd_program_inputs(program, &usual);
    const size_t n_b = rd_program_has_b(program) ? rd_program_inputs_b(program, &usual) : 0;
    struct rd_values values;
    struct rd_error why;
    if (program->twin && !rd_program_named(program->twin))
        return refuse_member(program, "twin", "there is no such program: register it first", error);
    if (!program->values || n_a > TRIED_MAX || n_b > TRIED_MAX)
        return RD_OK;
    if (rd_values_init_two(&values, rd_numeric(program->type), program->values, n_a, n_b, &why) !=
        RD_OK)
        return refuse_member(program, "values", why.text, error);
    rd_values_finish(&values);
    return RD_OK;
}

static enum rd_status check_members(const struct rd_program *program, struct rd_error *error)
{
    if (!program->summary)
        return rd_fail(error, RD_ERROR_USAGE, "'%s' has no summary: give it one line",
                       program->name);
    if (!rd_program_law(program))
        return rd_fail(error, RD_ERROR_USAGE, "'%s' has no law: give it a paragraph",
                       program->name);
    if (program->n == 0)
        return rd_fail(error, RD_ERROR_USAGE, "'%s' has no default size: set 'n'", program->name);
    const enum rd_goal last = program->played ? RD_GOAL_UNASKED : RD_GOAL_NONE;
    if ((unsigned)program->goal > last || program->goal == RD_GOAL_RESULT || program->result)
        return rd_fail(error, RD_ERROR_USAGE,
                       "the goal of '%s' can't be told in a trace: use one of RD_GOAL_SUM to "
                       "RD_GOAL_LAST, or RD_GOAL_NONE",
                       program->name);
    if (program->goal == RD_GOAL_LAST && !program->goal_text)
        return rd_fail(error, RD_ERROR_USAGE,
                       "'%s' doesn't say what it promises: set 'goal_text', or use another goal",
                       program->name);
    if (program->block > RD_BLOCK_MAX || program->n_block > RD_BLOCK_MAX)
        return refuse_member(program, program->block > RD_BLOCK_MAX ? "block" : "n_block",
                             "a block has at most 1024 threads", error);
    enum rd_status status = check_operation(program, error);
    if (status == RD_OK)
        status = check_number(program, "reads", program->reads, error);
    return status == RD_OK ? check_number(program, "blocks", program->blocks, error) : status;
}

/* Asks for the rounds on a shape. */
static enum rd_status check_rounds(const struct rd_program *program, const struct rd_shape *shape,
                                   bool has_kernels, struct rd_error *error)
{
    struct rd_paragraph_watch watch;
    rd_paragraph_watch_begin(&watch, program);
    rd_program_rounds(program, shape);
    const size_t cells = rd_program_cells(program, shape);
    const enum rd_status status = rd_paragraph_watch_end(&watch, error);
    if (status != RD_OK)
        return status;
    if (cells == 0)
        return rd_fail(error, RD_ERROR_USAGE, "the array of '%s' has no cells of n = %zu",
                       program->name, shape->n);
    const enum rd_status asserted = rd_program_check_claims(program, shape, error);
    return asserted == RD_OK && has_kernels ? rd_program_check_operands(program, shape, error)
                                            : asserted;
}

/* Its own size, and small ones that it takes. */
static enum rd_status check_shapes(const struct rd_program *program, bool has_kernels,
                                   struct rd_error *error)
{
    const struct rd_shape usual = rd_program_default(program);
    enum rd_status status = rd_program_accept(program, &usual, error);
    if (status == RD_OK)
        status = check_rounds(program, &usual, has_kernels, error);
    for (size_t n = 1; n <= SMALL_N_MAX && status == RD_OK; n++) {
        const struct rd_shape small = rd_program_shape(program, (struct rd_shape){.n = n});
        if (rd_program_accept(program, &small, NULL) == RD_OK)
            status = check_rounds(program, &small, has_kernels, error);
    }
    return status;
}

/* Refuses sections of points that the program lacks, and points without a section: no run would assert them. */
static enum rd_status check_sections(const struct rd_program *program, struct rd_error *error)
{
    const struct rd_paragraph *paragraph = rd_paragraph_of(program);
    for (size_t k = 1; k < rd_law_section_count(paragraph->law); k++) {
        struct rd_law_about about;
        enum rd_point point;
        rd_law_about(rd_law_section(paragraph->law, k), &about);
        if (!rd_point_named(about.point, &point))
            return rd_fail(error, RD_ERROR_USAGE,
                           "'law' of '%s' says what holds at '%.60s', and there is no such point",
                           program->name, about.point);
    }
    for (const char *word = program->points; word && *word; word += strspn(word, " ")) {
        char name[64];
        enum rd_point point;
        const size_t length = strcspn(word, " ");
        snprintf(name, sizeof name, "%.*s", (int)length, word);
        if (length >= sizeof name || !rd_point_named(name, &point))
            return rd_fail(error, RD_ERROR_USAGE,
                           "'points' of '%s' lists '%.*s', and there is no such point",
                           program->name, length < 60 ? (int)length : 60, word);
        if (!paragraph->points[point])
            return rd_fail(error, RD_ERROR_USAGE,
                           "'points' of '%s' lists '%s', of which its paragraph says nothing",
                           program->name, name);
        word += length;
    }
    return RD_OK;
}

/* A law of its own has no point that its kernels don't come to; that of another program may. */
static enum rd_status check_all_points(const struct rd_program *program, struct rd_error *error)
{
    const struct rd_paragraph *paragraph = rd_paragraph_of(program);
    for (int point = 0; program->points && program->law && point < RD_POINT_COUNT; point++)
        if (paragraph->points[point] && !rd_program_point(program, (enum rd_point)point))
            return rd_fail(error, RD_ERROR_USAGE,
                           "'points' of '%s' leaves out '%s', of which its paragraph says what "
                           "holds there: list it, or leave 'points' out",
                           program->name, rd_point_name((enum rd_point)point));
    return RD_OK;
}

/* Copies the program, reads its paragraph and tries its rounds. */
static enum rd_status make(const struct rd_program *program, bool has_kernels,
                           struct rd_definition **made, struct rd_error *error)
{
    struct rd_definition *definition = rd_definition_create(program);
    if (!definition)
        return rd_fail(error, RD_ERROR_MEMORY, "no memory for a program");
    enum rd_status status = rd_definition_read(definition, !has_kernels, error);
    if (status == RD_OK && rd_law_launch_count(definition->paragraph->law) == 0)
        status = rd_fail(error, RD_ERROR_USAGE,
                         "'%s' launches no kernel: its paragraph has no 'launch'", program->name);
    if (status == RD_OK)
        status = check_sections(&definition->program, error);
    if (status == RD_OK)
        status = check_shapes(&definition->program, has_kernels, error);
    if (status == RD_OK) /* words would stand beside a verdict that is not theirs */
        status = rd_program_check_goal(&definition->program, error);
    if (status == RD_OK)
        *made = definition;
    else
        rd_program_release(&definition->program);
    return status;
}

/* ---- registering ---- */

static enum rd_status put(const struct rd_program *program, const struct rd_program **registered,
                          struct rd_error *error)
{
    struct rd_definition *entry;
    const struct rd_program *known = rd_program_named(program->name);
    if (known && rd_program_is_registered(known) && rd_program_is_same(known, program)) {
        const enum rd_status status = check_shapes(known, true, error);
        if (status == RD_OK)
            *registered = known;
        return status;
    }
    if (known)
        return rd_fail(error, RD_ERROR_USAGE,
                       "'%s' is the name of another program, of %s: rename yours", program->name,
                       rd_program_is_registered(known) ? "a client" : "the library's");
    enum rd_status status = make(program, true, &entry, error);
    if (status != RD_OK)
        return status;
    status = check_all_points(&entry->program, error);
    if (status == RD_OK)
        status = check_clients(&entry->program, error);
    if (status != RD_OK) {
        rd_program_release(&entry->program);
        return status;
    }
    entry->next = atomic_load(&entries);
    atomic_store(&entries, entry);
    *registered = &entry->program;
    return RD_OK;
}

enum rd_status rd_program_register(const struct rd_program *program,
                                   const struct rd_program **registered, struct rd_error *error)
{
    struct rd_program own;
    if (!program || !rd_sized_copy(&own, sizeof own, program, program->size, FIRST_SIZE))
        return rd_fail(error, RD_ERROR_USAGE,
                       "'size' is not that of a program of this version: set it to sizeof(struct "
                       "rd_program)");
    own.size = sizeof own;
    own.definition = NULL;
    const struct rd_program *found = NULL;
    enum rd_status status = check_name(&own, false, error);
    if (status == RD_OK)
        status = check_members(&own, error);
    if (status != RD_OK)
        return status;
    pthread_mutex_lock(&registering);
    status = put(&own, &found, error);
    pthread_mutex_unlock(&registering);
    if (status == RD_OK && registered)
        *registered = found;
    return status;
}

enum rd_status rd_program_define(const struct rd_program *program,
                                 const struct rd_program **defined, struct rd_error *error)
{
    struct rd_definition *definition;
    enum rd_status status = check_name(program, program->played, error);
    if (status == RD_OK && !program->law)
        status = rd_fail(error, RD_ERROR_USAGE, "'%s' has no law", program->name);
    if (status == RD_OK)
        status = check_members(program, error);
    const struct rd_program *known = status == RD_OK ? rd_program_named(program->name) : NULL;
    if (known && !rd_program_is_registered(known))
        status = rd_fail(error, RD_ERROR_USAGE,
                         "'%s' is the name of another program, of the library's", program->name);
    if (status == RD_OK)
        status = make(program, false, &definition, error);
    if (status != RD_OK)
        return status;
    definition->of_trace = true;
    *defined = &definition->program;
    return status;
}
