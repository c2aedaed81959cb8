// SPDX-License-Identifier: MIT
/* Makes a program's claims from its law. Where its paragraph has no value nothing is claimed, and the watch is told. */
#include "program/program_law.h"
#include "base/array.h"
#include "program/agreement.h"
#include "device/kernel_names.h"
#include "reductio/operation.h"
#include "program/definition.h"
#include "program/paragraph.h"

#include <inttypes.h>
#include <stdlib.h>

static bool ask(const struct rd_program *program, const struct rd_shape *shape,
                struct rd_asked *asked)
{
    asked->cached = rd_paragraph_run(program, shape);
    if (!asked->cached)
        return false;
    asked->run = asked->cached->run;
    asked->law = asked->cached->law;
    asked->n_blocks = 1;
    return true;
}

bool rd_ask_at_step(const struct rd_program *program, const struct rd_shape *shape, unsigned step,
                    struct rd_asked *asked)
{
    if (!ask(program, shape, asked))
        return false;
    asked->section = rd_law_section(asked->law, 0);
    asked->place = (struct rd_law_place){.d = step};
    return true;
}

bool rd_ask_at_point(const struct rd_program *program, const struct rd_shape *shape,
                     const struct rd_place *at, struct rd_asked *asked)
{
    if (!ask(program, shape, asked))
        return false;
    asked->section = asked->cached->paragraph->points[at->point];
    asked->place =
        (struct rd_law_place){.block = at->block,
                              .warp = at->warp == RD_WHOLE_BLOCK ? 0 : (uint64_t)at->warp,
                              .variable = at->variable};
    return asked->section != NULL;
}

/* ---- claims ---- */

static void tell_claim(bool known, const struct rd_asked *asked, struct rd_claim *claim)
{
    struct rd_law_progression cells;
    bool regular;
    *claim = (struct rd_claim){.stride = 1};
    if (known &&
        rd_law_live(asked->run, asked->section, &asked->place, &cells, &regular, NULL) == RD_OK &&
        regular && cells.first == 0)
        *claim = (struct rd_claim){(size_t)cells.count, (size_t)cells.stride};
}

void rd_program_claim(const struct rd_program *program, const struct rd_shape *shape, unsigned step,
                      struct rd_claim *claim)
{
    struct rd_asked asked;
    tell_claim(rd_ask_at_step(program, shape, step, &asked), &asked, claim);
}

void rd_program_claim_at(const struct rd_program *program, const struct rd_shape *shape,
                         const struct rd_place *at, struct rd_claim *claim)
{
    struct rd_asked asked;
    tell_claim(rd_ask_at_point(program, shape, at, &asked), &asked, claim);
}

static enum rd_status check_claim(bool known, const struct rd_asked *asked, const char *where,
                                  struct rd_error *error)
{
    struct rd_law_progression cells;
    struct rd_law_error why;
    bool regular;
    if (!known)
        return RD_OK; /* what can't be asked is refused where it is asked */
    const enum rd_status status =
        rd_law_live(asked->run, asked->section, &asked->place, &cells, &regular, &why);
    if (status != RD_OK)
        return rd_fail(error, status, "the law has no value %s: %s", where, why.what.text);
    if (!regular || (cells.count > 0 && cells.first != 0))
        return rd_fail(error, RD_ERROR_USAGE,
                       "the law's cells %s are not the array's first ones, or its first one and "
                       "others at one distance: a run traces no others",
                       where);
    return RD_OK;
}

enum rd_status rd_program_check_claims(const struct rd_program *program,
                                       const struct rd_shape *shape, struct rd_error *error)
{
    const unsigned rounds =
        rd_program_is_registered(program) ? rd_program_rounds(program, shape) : 0;
    enum rd_status status = RD_OK;
    for (unsigned step = 0; step <= rounds && status == RD_OK && rounds > 0; step++) {
        struct rd_asked asked;
        char where[40];
        snprintf(where, sizeof where, "at step %u", step);
        status = check_claim(rd_ask_at_step(program, shape, step, &asked), &asked, where, error);
    }
    return status == RD_OK ? rd_program_check_agreement(program, shape, error) : status;
}

enum rd_status rd_program_check_claim_at(const struct rd_program *program,
                                         const struct rd_shape *shape, const struct rd_place *at,
                                         struct rd_error *error)
{
    struct rd_asked asked;
    char where[80];
    if (!rd_program_is_registered(program))
        return RD_OK;
    snprintf(where, sizeof where, "at '%s' of block %" PRIu64, rd_point_name(at->point), at->block);
    return check_claim(rd_ask_at_point(program, shape, at, &asked), &asked, where, error);
}

/* ---- members ---- */

static bool is_place(const struct rd_law_place *x, const struct rd_law_place *y)
{
    return x->d == y->d && x->block == y->block && x->warp == y->warp && x->variable == y->variable;
}

static bool find_members(const struct rd_asked *asked, int input, uint64_t cell)
{
    struct rd_cached_members *members = &asked->cached->members;
    bool live;
    if (members->section == asked->section && members->input == input && members->cell == cell &&
        is_place(&members->place, &asked->place))
        return true;
    free(members->list);
    *members = (struct rd_cached_members){0};
    if (rd_law_cell(asked->run, asked->section, &asked->place, cell, input, &live, &members->list,
                    &members->count, NULL) != RD_OK)
        return false;
    members->section = asked->section;
    members->place = asked->place;
    members->input = input;
    members->cell = cell;
    return true;
}

static bool has_member(bool known, const struct rd_asked *asked, int input, uint64_t cell,
                       uint64_t index)
{
    if (!known || (size_t)input >= rd_law_input_count(asked->law) ||
        !find_members(asked, input, cell))
        return false;
    const struct rd_cached_members *members = &asked->cached->members;
    return rd_array_find(members->list, members->count, index) != SIZE_MAX;
}

bool rd_program_contains(const struct rd_program *program, const struct rd_shape *shape,
                         unsigned step, size_t i, size_t j)
{
    struct rd_asked asked;
    return has_member(rd_ask_at_step(program, shape, step, &asked), &asked, 0, i, j);
}

bool rd_program_contains_b(const struct rd_program *program, const struct rd_shape *shape,
                           unsigned step, size_t i, size_t j)
{
    struct rd_asked asked;
    return has_member(rd_ask_at_step(program, shape, step, &asked), &asked, 1, i, j);
}

bool rd_program_contains_at(const struct rd_program *program, const struct rd_shape *shape,
                            const struct rd_place *at, size_t i, size_t j)
{
    struct rd_asked asked;
    return has_member(rd_ask_at_point(program, shape, at, &asked), &asked, 0, i, j);
}

bool rd_program_contains_b_at(const struct rd_program *program, const struct rd_shape *shape,
                              const struct rd_place *at, size_t i, size_t j)
{
    struct rd_asked asked;
    return has_member(rd_ask_at_point(program, shape, at, &asked), &asked, 1, i, j);
}

/* ---- sentences ---- */

static void tell_statement(bool known, const struct rd_asked *asked, char text[RD_STATEMENT_SIZE])
{
    if (!known || rd_law_text_at(asked->run, asked->section, &asked->place, text, RD_STATEMENT_SIZE,
                                 NULL) != RD_OK)
        text[0] = '\0';
}

void rd_program_statement(const struct rd_program *program, const struct rd_shape *shape,
                          unsigned step, enum rd_operation operation, char text[RD_STATEMENT_SIZE])
{
    struct rd_asked asked;
    tell_statement(rd_ask_at_step(program, shape, step, &asked), &asked, text);
    rd_operation_in_words(operation, text, RD_STATEMENT_SIZE);
}

void rd_program_statement_at(const struct rd_program *program, const struct rd_shape *shape,
                             const struct rd_place *at, enum rd_operation operation,
                             char text[RD_STATEMENT_SIZE])
{
    struct rd_asked asked;
    tell_statement(rd_ask_at_point(program, shape, at, &asked), &asked, text);
    rd_operation_in_words(operation, text, RD_STATEMENT_SIZE);
}

const char *rd_program_array(const struct rd_program *program)
{
    const bool is_played = program && program->played;
    const struct rd_paragraph *paragraph = is_played ? rd_paragraph_of(program) : NULL;
    struct rd_law_about about = {.array = "A"};
    if (paragraph)
        rd_law_about(rd_law_section(paragraph->law, 0), &about);
    return about.array;
}
