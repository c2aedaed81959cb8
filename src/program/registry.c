// SPDX-License-Identifier: MIT
/* Programs of clients, and those that traces define. */
#include "base/sized.h"
#include "device/kernel_names.h"
#include "program/definition.h"
#include "program/operands.h"
#include "program/paragraph.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_MAX_LENGTH = 63, SMALL_N_MAX = 32 };

/* The size of struct rd_program in version 0.1. */
enum { FIRST_SIZE = offsetof(struct rd_program, values) + sizeof(const char *) };

struct entry {
    struct entry *next;
    struct rd_program program; /* its texts are the entry's */
};

/* Entries live as long as the process, as callers keep them without a time limit. */
static struct entry *_Atomic entries;
static pthread_mutex_t registering = PTHREAD_MUTEX_INITIALIZER;

const struct rd_program *rd_program_registered(const char *name, size_t length)
{
    for (struct entry *entry = atomic_load(&entries); entry; entry = entry->next)
        if (strlen(entry->program.name) == length &&
            strncmp(entry->program.name, name, length) == 0)
            return &entry->program;
    return NULL;
}

bool rd_program_is_registered(const struct rd_program *program)
{
    for (struct entry *entry = atomic_load(&entries); entry; entry = entry->next)
        if (&entry->program == program)
            return true;
    return false;
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

/* ---- entries ---- */

static void free_entry(struct entry *entry)
{
    if (!entry)
        return;
    for (const struct rd_program_member *m = rd_program_members; m->name; m++)
        if (m->kind == RD_MEMBER_TEXT)
            free(*(char **)((char *)&entry->program + m->offset));
    free((char *)entry->program.name);
    free(entry);
}

static struct entry *make_entry(const struct rd_program *program)
{
    struct entry *entry = calloc(1, sizeof *entry);
    if (!entry)
        return NULL;
    entry->program = *program;
    entry->program.name = strdup(program->name);
    bool copied = entry->program.name != NULL;
    for (const struct rd_program_member *m = rd_program_members; m->name; m++) {
        const char *const *text = (const void *)((const char *)program + m->offset);
        if (m->kind != RD_MEMBER_TEXT || !*text)
            continue;
        char *copy = strdup(*text);
        rd_member_set_text(&entry->program, m, copy);
        copied = copied && copy;
    }
    if (!copied) {
        free_entry(entry);
        return NULL;
    }
    return entry;
}

static bool is_same_text(const char *x, const char *y)
{
    return x == y || (x && y && strcmp(x, y) == 0);
}

static bool is_same(const struct rd_program *x, const struct rd_program *y)
{
    bool same = x->goal == y->goal;
    for (const struct rd_program_member *m = rd_program_members; m->name && same; m++)
        same = m->kind == RD_MEMBER_TEXT ? is_same_text(rd_member_text(x, m), rd_member_text(y, m))
                                         : rd_member_number(x, m) == rd_member_number(y, m);
    return same;
}

/* ---- what is asked of a program ---- */

static enum rd_status check_name(const struct rd_program *program, struct rd_error *error)
{
    static const char taken[] = "abcdefghijklmnopqrstuvwxyz0123456789-:";
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
    if ((unsigned)program->goal > RD_GOAL_RESULT || program->goal == RD_GOAL_RESULT ||
        program->result)
        return rd_fail(error, RD_ERROR_USAGE,
                       "the goal of '%s' can't be told in a trace: use one of RD_GOAL_SUM to "
                       "RD_GOAL_LAST",
                       program->name);
    if (program->goal == RD_GOAL_LAST && !program->goal_text)
        return rd_fail(error, RD_ERROR_USAGE,
                       "'%s' doesn't say what it promises: set 'goal_text', or use another goal",
                       program->name);
    if (program->any_operation || program->operation != RD_OPERATION_SUM)
        return rd_fail(error, RD_ERROR_USAGE,
                       "'%s' is of other operations, and registered kernels are of sums: leave "
                       "'any_operation' and 'operation' out",
                       program->name);
    return RD_OK;
}

/* Asks for the rounds on a shape. */
static enum rd_status check_rounds(const struct rd_program *program, const struct rd_shape *shape,
                                   bool has_kernels, struct rd_error *error)
{
    rd_program_rounds(program, shape);
    const size_t cells = rd_program_cells(program, shape);
    const enum rd_status status = rd_paragraph_failure(program, error);
    if (status != RD_OK)
        return status;
    if (cells == 0)
        return rd_fail(error, RD_ERROR_USAGE, "the array of '%s' has no cells of n = %zu",
                       program->name, shape->n);
    return has_kernels ? rd_program_check_operands(program, shape, error) : RD_OK;
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

static enum rd_status check_paragraph(const struct rd_program *program, struct rd_error *error)
{
    rd_paragraph_failure(program, NULL); /* of another program that lay there */
    const struct rd_paragraph *paragraph = rd_paragraph_of(program);
    if (!paragraph) {
        const enum rd_status status = rd_paragraph_failure(program, error);
        return status != RD_OK ? status
                               : rd_fail(error, RD_ERROR_MEMORY, "no memory for a paragraph");
    }
    if (rd_law_launch_count(paragraph->law) == 0)
        return rd_fail(error, RD_ERROR_USAGE,
                       "'%s' launches no kernel: its paragraph has no 'launch'", program->name);
    return RD_OK;
}

/* ---- registering ---- */

static enum rd_status put(const struct rd_program *program, bool has_kernels,
                          const struct rd_program **registered, struct rd_error *error)
{
    enum rd_status status = check_name(program, error);
    if (status == RD_OK)
        status = check_members(program, error);
    if (status != RD_OK)
        return status;
    const struct rd_program *known = rd_program_named(program->name);
    if (known && rd_program_is_registered(known) && is_same(known, program)) {
        status = has_kernels ? check_shapes(known, true, error) : RD_OK;
        if (status == RD_OK)
            *registered = known;
        return status;
    }
    if (known && !rd_program_is_registered(known))
        return rd_fail(error, RD_ERROR_USAGE,
                       "'%s' is the name of another program, of the library's: rename yours",
                       program->name);
    if (known)
        return rd_fail(
            error, RD_ERROR_USAGE,
            "'%s' is the name of another program, of a trace or a client: rename one, or "
            "read the traces one by one",
            program->name);
    struct entry *entry = make_entry(program);
    if (!entry)
        return rd_fail(error, RD_ERROR_MEMORY, "no memory for a program");
    status = check_paragraph(&entry->program, error);
    if (status == RD_OK)
        status = check_shapes(&entry->program, has_kernels, error);
    if (status != RD_OK) {
        free_entry(entry);
        return status;
    }
    entry->next = atomic_load(&entries);
    atomic_store(&entries, entry);
    *registered = &entry->program;
    return RD_OK;
}

static enum rd_status put_locked(const struct rd_program *program, bool has_kernels,
                                 const struct rd_program **registered, struct rd_error *error)
{
    const struct rd_program *found;
    pthread_mutex_lock(&registering);
    const enum rd_status status = put(program, has_kernels, &found, error);
    pthread_mutex_unlock(&registering);
    if (status == RD_OK && registered)
        *registered = found;
    return status;
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
    return put_locked(&own, true, registered, error);
}

/* Its kernels become names, where they are nothing else. */
static enum rd_status declare_kernels(const struct rd_program *program, struct rd_error *error)
{
    enum rd_kernel kernel;
    struct rd_law *law;
    enum rd_status status = rd_paragraph_read(program, &law, error);
    if (status != RD_OK)
        return status;
    for (size_t k = 0; k < rd_law_launch_count(law) && status == RD_OK; k++)
        status = rd_kernel_declare(program->kernel ? program->kernel : rd_law_launch_kernel(law, k),
                                   &kernel, error);
    rd_law_destroy(law);
    return status;
}

enum rd_status rd_program_define(const struct rd_program *program, struct rd_error *error)
{
    enum rd_status status = check_name(program, error);
    if (status == RD_OK)
        status = program->law ? declare_kernels(program, error)
                              : rd_fail(error, RD_ERROR_USAGE, "'%s' has no law", program->name);
    return status == RD_OK ? put_locked(program, false, NULL, error) : status;
}
