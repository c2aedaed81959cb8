// SPDX-License-Identifier: MIT
/* The array as a program's law says that it must be: it starts as the paragraph's `start`, and its `update` moves it on. */
#include "program/definition.h"
#include "program/expect_blocks.h"
#include "program/paragraph.h"
#include "program/program_law.h"
#include "base/array.h"

#include <stdlib.h>
#include <string.h>

static enum rd_status fail(const struct rd_program *program, enum rd_status status,
                           const struct rd_law_error *why, struct rd_error *error)
{
    if (status == RD_ERROR_INTERRUPTED)
        return rd_fail(error, status, "%s", why->what.text);
    return rd_fail(error, status == RD_OK ? RD_ERROR_MEMORY : status,
                   "the law of '%s' can't be evaluated: %s", program->name,
                   status == RD_OK ? rd_status_text(RD_ERROR_MEMORY) : why->what.text);
}

/* ---- floats: how far they may be off ---- */

/* A number of a byte that stands for itself, as rd_law_heights has them. */
enum { BYTE_HEIGHT_MAX = UINT8_MAX - 1 };

static enum rd_status begin_heights(struct rd_expect *expect, struct rd_error *error)
{
    const uint32_t all = (uint32_t)expect->height + 1;
    if (expect->heights)
        return RD_OK;
    expect->height_bytes = all <= BYTE_HEIGHT_MAX ? sizeof(uint8_t) : sizeof(uint32_t);
    expect->heights = rd_array_alloc(expect->n * expect->height_bytes);
    if (!expect->heights)
        return rd_fail(error, RD_ERROR_MEMORY, "no memory for the heights of %zu cells", expect->n);
    if (expect->height_bytes == sizeof(uint8_t))
        memset(expect->heights, (int)all, expect->n);
    else
        for (size_t i = 0; i < expect->n; i++)
            ((uint32_t *)expect->heights)[i] = all;
    return RD_OK;
}

static enum rd_status widen_heights(struct rd_expect *expect, struct rd_error *error)
{
    const uint8_t *bytes = expect->heights;
    uint32_t *heights = rd_array_alloc(expect->n * sizeof *heights);
    if (!heights)
        return rd_fail(error, RD_ERROR_MEMORY, "no memory for the heights of %zu cells", expect->n);
    for (size_t i = 0; i < expect->n; i++)
        heights[i] = bytes[i];
    free(expect->heights);
    expect->heights = heights;
    expect->height_bytes = sizeof *heights;
    return RD_OK;
}

static unsigned highest(const struct rd_expect *expect)
{
    const uint8_t *bytes = expect->heights;
    const uint32_t *words = expect->heights;
    uint8_t most_byte = 0;
    uint32_t most = 0;
    if (expect->height_bytes == sizeof *bytes) {
#pragma omp simd reduction(max : most_byte)
        for (size_t i = 0; i < expect->n; i++)
            most_byte = bytes[i] > most_byte ? bytes[i] : most_byte;
        most = most_byte;
    } else {
#pragma omp simd reduction(max : most)
        for (size_t i = 0; i < expect->n; i++)
            most = words[i] > most ? words[i] : most;
    }
    return most > 0 ? most - 1 : 0;
}

static enum rd_status move_heights(struct rd_expect *expect, const struct rd_asked *asked,
                                   enum rd_law_role role, const void *const *inputs,
                                   struct rd_law_error *why, struct rd_error *error)
{
    const enum rd_operation operation = expect->numeric->operation;
    enum rd_status status = begin_heights(expect, error);
    if (status == RD_OK && expect->height_bytes == sizeof(uint8_t)) {
        if (rd_law_apply_in(asked->run, asked->section, role, &asked->place, &rd_law_heights,
                            operation, inputs, expect->heights, why) == RD_OK)
            return RD_OK;
        status = widen_heights(expect, error);
    }
    return status != RD_OK
               ? status
               : rd_law_apply_in(asked->run, asked->section, role, &asked->place,
                                 &rd_law_great_heights, operation, inputs, expect->heights, why);
}

static enum rd_status move_bounds(struct rd_expect *expect, const struct rd_program *program,
                                  const struct rd_asked *asked, enum rd_law_role role,
                                  const void *const *inputs, struct rd_error *error)
{
    const struct rd_numeric *numeric = expect->numeric;
    struct rd_law_error why;
    why.what.text[0] = '\0';
    enum rd_status status = move_heights(expect, asked, role, inputs, &why, error);
    if (status == RD_OK && expect->bounded)
        status = rd_law_apply_in(asked->run, asked->section, role, &asked->place, numeric->exact,
                                 numeric->operation, inputs, expect->exact, &why);
    if (status == RD_OK && expect->bounded)
        status = rd_law_apply_in(asked->run, asked->section, role, &asked->place, numeric->weight,
                                 numeric->operation, inputs, expect->weight, &why);
    if (status != RD_OK)
        return fail(program, status, &why, error);
    expect->height = highest(expect);
    /* The host's additions: of all cells, or of one a block. */
    if (asked->place.d > 0 && program->goal == RD_GOAL_TOTAL)
        expect->height += (unsigned)(expect->n - 1);
    if (asked->place.d > 0 && program->goal == RD_GOAL_RESULT)
        expect->height += (unsigned)(expect->shape.grid - 1);
    return RD_OK;
}

/* ---- any sentence ---- */

/* Arrays of several blocks, one behind the other: RD_ERROR_USAGE where they aren't worked out side by side. */
static enum rd_status apply_blocks(const struct rd_expect *expect, const struct rd_asked *asked,
                                   enum rd_law_role role, struct rd_error *error)
{
    const void *const inputs[] = {expect->a, expect->b};
    const struct rd_law_data data = {
        .numeric = expect->numeric, .inputs = inputs, .n_blocks = asked->n_blocks};
    struct rd_law_error why;
    bool any_order = false;
    enum rd_status status = rd_law_apply(asked->run, asked->section, role, &asked->place, &data,
                                         expect->cells, &any_order, &why);
    if (status != RD_OK)
        return rd_fail(error, status, "%s", why.what.text);
    return any_order ? rd_fail(error, RD_ERROR_USAGE, "a sum in any order is of one block") : RD_OK;
}

static enum rd_status apply_kept(struct rd_expect *expect, const struct rd_program *program,
                                 const struct rd_asked *asked, enum rd_law_role role, bool bounds,
                                 struct rd_error *error)
{
    const struct rd_numeric *numeric = expect->numeric;
    const void *const inputs[] = {expect->a, expect->b};
    const struct rd_law_data data = {.numeric = numeric, .inputs = inputs};
    struct rd_law_error why;
    bool any_order = false;
    numeric->settle(expect);
    enum rd_status status = rd_law_apply(asked->run, asked->section, role, &asked->place, &data,
                                         expect->cells, &any_order, &why);
    if (status != RD_OK)
        return fail(program, status, &why, error);
    if (bounds && numeric->is_float && numeric->operation == RD_OPERATION_SUM)
        status = move_bounds(expect, program, asked, role, inputs, error);
    if (status == RD_OK && any_order)
        numeric->sum_any_order(expect);
    if (status == RD_OK && program->played && expect->bounded) {
        expect->any_order = true;
        /* The law says how often it rounds: of any tree of its terms. Its program may round once more a round and an input. */
        const uint64_t most = expect->n_inputs + asked->place.d;
        expect->roundings_max = expect->height == 0     ? 0
                                : most < expect->height ? expect->height
                                : most < UINT32_MAX     ? (unsigned)most
                                                        : UINT32_MAX;
    }
    return status;
}

static enum rd_status apply(struct rd_expect *expect, const struct rd_program *program,
                            const struct rd_asked *asked, enum rd_law_role role, bool bounds,
                            struct rd_error *error)
{
    rd_law_run_interrupt(asked->run, rd_paragraph_interruption());
    /* At checkpoints arrays are of one block, and the next asks for those of another. */
    if (bounds && !expect->kept)
        expect->kept = rd_law_kept_create();
    rd_law_run_keep(asked->run, expect->kept);
    enum rd_status status = asked->n_blocks > 1
                                ? apply_blocks(expect, asked, role, error)
                                : apply_kept(expect, program, asked, role, bounds, error);
    rd_law_run_keep(asked->run, NULL);
    rd_law_run_interrupt(asked->run, NULL);
    return status;
}

/* ---- the forms that have loops of their own ---- */

static bool is_all(const struct rd_law_form *form, const struct rd_expect *expect)
{
    return form->first == 0 && form->stride == 1 && (size_t)form->count == expect->n;
}

static bool is_start_by_copy(const struct rd_law_form *form, const struct rd_expect *expect)
{
    return form->kind == RD_LAW_COPY && form->input == 0 && is_all(form, expect);
}

static bool move_by_form(const struct rd_law_form *form, struct rd_expect *expect)
{
    const struct rd_numeric *numeric = expect->numeric;
    if (expect->heights || form->first != 0)
        return false;
    const int64_t n = (int64_t)expect->n, distance = form->distance;
    if (form->kind == RD_LAW_TIMES_INPUT && form->input == 1 && is_all(form, expect)) {
        numeric->multiply(expect);
        return true;
    }
    if (form->kind != RD_LAW_PAIRS || distance < 1)
        return false;
    if (form->stride == 1 && form->count <= distance) {
        numeric->fold(expect, (size_t)(distance + form->count), (size_t)distance);
        return true;
    }
    if (form->stride == 2 * distance && form->count == (n - distance - 1) / (2 * distance) + 1) {
        numeric->pair(expect, (size_t)distance);
        return true;
    }
    return false;
}

/* ---- a fault that claims something else of what its right program does ---- */

/* For the same array, which the right program's update moves. Rounds of a client's fault need not be those of the program
 * that it names. */
static bool claims_otherwise(const struct rd_program *program, const struct rd_expect *expect,
                             const struct rd_asked *asked)
{
    const struct rd_program *twin = rd_program_twin(program);
    struct rd_asked of_twin;
    struct rd_law_about about;
    rd_law_about(asked->section, &about);
    if (!rd_program_is_fault(program) || rd_program_is_registered(program) || about.has_update ||
        rd_program_law(program) == rd_program_law(twin) ||
        rd_program_cells(twin, &expect->shape) != expect->n ||
        !rd_ask_at_step(twin, &expect->shape, 0, &of_twin))
        return false;
    rd_law_about(of_twin.section, &about);
    return about.has_update;
}

/* Tells whether cell k of `own` holds the same inputs by `twins`. Both are ascending. */
static bool same_inputs(const struct rd_law_cells *own, size_t k, const struct rd_law_cells *twins)
{
    const size_t at = rd_array_find(twins->cells, twins->count, own->cells[k]);
    const size_t count = own->first[k + 1] - own->first[k];
    return at != SIZE_MAX && twins->first[at + 1] - twins->first[at] == count &&
           (count == 0 || memcmp(own->inputs + own->first[k], twins->inputs + twins->first[at],
                                 count * sizeof *own->inputs) == 0);
}

/* Puts what the fault claims into the cells of which its right program claims something else. */
static enum rd_status override(struct rd_expect *expect, const struct rd_program *program,
                               unsigned step, struct rd_error *error)
{
    const struct rd_numeric *numeric = expect->numeric;
    const void *const inputs[] = {expect->a, expect->b};
    const struct rd_law_data data = {.numeric = numeric, .inputs = inputs};
    const size_t size_bytes = expect->n * numeric->size_bytes;
    struct rd_asked asked;
    struct rd_law_error why;
    struct rd_law_cells own = {0}, twins = {0};
    enum rd_status status = RD_ERROR_MEMORY;
    void *claimed = malloc(size_bytes + 1);
    why.what.text[0] = '\0';
    if (claimed && rd_ask_at_step(rd_program_twin(program), &expect->shape, step, &asked))
        status = rd_law_cells_init(&twins, asked.run, asked.section, &asked.place, 0, &why);
    if (status == RD_OK && !rd_ask_at_step(program, &expect->shape, step, &asked))
        status = RD_ERROR_MEMORY;
    if (status == RD_OK)
        status = rd_law_cells_init(&own, asked.run, asked.section, &asked.place, 0, &why);
    if (status == RD_OK) {
        memcpy(claimed, expect->cells, size_bytes);
        status = rd_law_apply(asked.run, asked.section, RD_LAW_LAW, &asked.place, &data, claimed,
                              NULL, &why);
    }
    for (size_t k = 0; status == RD_OK && k < own.count; k++)
        if (!same_inputs(&own, k, &twins))
            numeric->store(expect->cells, own.cells[k], numeric->load(claimed, own.cells[k]));
    rd_law_cells_finish(&own);
    rd_law_cells_finish(&twins);
    free(claimed);
    return status == RD_OK ? RD_OK : fail(program, status, &why, error);
}

/* From the input at every step: what the claim gets wrong must not enter the sums. */
static enum rd_status claim_otherwise(const struct rd_program *program, struct rd_expect *expect,
                                      unsigned step, struct rd_error *error)
{
    const struct rd_program *twin = rd_program_twin(program);
    enum rd_status status = rd_program_start(twin, expect, error);
    for (unsigned d = 0; status == RD_OK && d <= step; d++)
        status = rd_program_advance(twin, expect, d, error);
    expect->numeric->settle(expect);
    return status == RD_OK ? override(expect, program, step, error) : status;
}

/* ---- the interface ---- */

enum rd_status rd_program_start(const struct rd_program *program, struct rd_expect *expect,
                                struct rd_error *error)
{
    struct rd_asked asked;
    struct rd_law_form form;
    rd_law_kept_forget(expect->kept);
    if (!rd_ask_at_step(program, &expect->shape, 0, &asked))
        return fail(program, RD_OK, NULL, error);
    if (claims_otherwise(program, expect, &asked))
        return rd_program_start(rd_program_twin(program), expect, error);
    rd_law_recognise(asked.run, asked.section, RD_LAW_START, &asked.place, &form);
    if (is_start_by_copy(&form, expect)) {
        expect->numeric->begin(expect);
        return RD_OK;
    }
    memset(expect->cells, 0, expect->n * expect->numeric->size_bytes);
    return apply(expect, program, &asked, RD_LAW_START, true, error);
}

enum rd_status rd_program_advance(const struct rd_program *program, struct rd_expect *expect,
                                  unsigned step, struct rd_error *error)
{
    struct rd_asked asked;
    struct rd_law_form form;
    if (!rd_ask_at_step(program, &expect->shape, step, &asked))
        return fail(program, RD_OK, NULL, error);
    if (claims_otherwise(program, expect, &asked))
        return claim_otherwise(program, expect, step, error);
    if (step == 0)
        return RD_OK;
    rd_law_recognise(asked.run, asked.section, RD_LAW_UPDATE, &asked.place, &form);
    if (move_by_form(&form, expect))
        return RD_OK;
    return apply(expect, program, &asked, RD_LAW_UPDATE, true, error);
}

/* ---- at checkpoints ---- */

/* From the array as it was at `from` to the place, by the steps between; *reached is false where none of them leads
 * there. */
static enum rd_status go_on(struct rd_expect *expect, const struct rd_program *program,
                            struct rd_asked *asked, uint64_t from, uint64_t to, bool *reached,
                            struct rd_error *error)
{
    enum rd_status status = RD_OK;
    bool more = true;
    asked->place.variable = from;
    while (status == RD_OK && more && asked->place.variable != to) {
        struct rd_law_error why;
        uint64_t next;
        status = rd_law_next(asked->run, asked->section, &asked->place, &next, &more, &why);
        if (status != RD_OK)
            return fail(program, status, &why, error);
        if (!more)
            break;
        asked->place.variable = next;
        status = apply(expect, program, asked, RD_LAW_UPDATE, false, error);
    }
    *reached = asked->place.variable == to;
    return status;
}

static enum rd_status expect_at(const struct rd_program *program, struct rd_expect *expect,
                                struct rd_asked *asked, const struct rd_law_about *about,
                                const uint64_t *from, struct rd_error *error)
{
    const uint64_t variable = asked->place.variable;
    struct rd_law_error why;
    uint64_t first;
    bool reached = false;
    if (!about->steps || !about->has_update)
        return apply(expect, program, asked, RD_LAW_START, false, error);
    if (!about->update_reads)
        return apply(expect, program, asked, RD_LAW_UPDATE, false, error);
    if (from) {
        enum rd_status status = go_on(expect, program, asked, *from, variable, &reached, error);
        if (status != RD_OK || reached)
            return status;
    }
    enum rd_status status = rd_law_first(asked->run, asked->section, &asked->place, &first, &why);
    if (status != RD_OK)
        return fail(program, status, &why, error);
    asked->place.variable = first;
    status = apply(expect, program, asked, RD_LAW_START, false, error);
    if (status == RD_OK)
        status = go_on(expect, program, asked, first, variable, &reached, error);
    if (status == RD_OK && !reached) {
        asked->place.variable = variable;
        status = apply(expect, program, asked, RD_LAW_LAW, false, error);
    }
    return status;
}

enum rd_status rd_program_expect_at(const struct rd_program *program, struct rd_expect *expect,
                                    const struct rd_place *at, const uint64_t *from,
                                    struct rd_error *error)
{
    struct rd_law_about about;
    struct rd_asked asked;
    if (!rd_ask_at_point(program, &expect->shape, at, &asked))
        return fail(program, RD_OK, NULL, error);
    rd_law_about(asked.section, &about);
    return expect_at(program, expect, &asked, &about, from, error);
}

size_t rd_program_cells_of_block(const struct rd_program *program, const struct rd_shape *shape,
                                 const struct rd_place *at)
{
    struct rd_law_about about;
    struct rd_asked asked;
    uint64_t size;
    if (!rd_ask_at_point(program, shape, at, &asked))
        return 0;
    rd_law_about(asked.section, &about);
    if (about.differs_by_block || about.live_differs_by_block ||
        rd_law_array_size(asked.run, asked.section, &asked.place, &size, NULL) != RD_OK)
        return 0;
    return (size_t)size;
}

enum rd_status rd_program_expect_blocks(const struct rd_program *program, struct rd_expect *expect,
                                        const struct rd_place *at, size_t n_blocks,
                                        const uint64_t *from, bool *known, struct rd_error *error)
{
    struct rd_law_about about;
    struct rd_asked asked;
    struct rd_error why;
    *known = false;
    if (!rd_ask_at_point(program, &expect->shape, at, &asked))
        return fail(program, RD_OK, NULL, error);
    rd_law_about(asked.section, &about);
    asked.n_blocks = n_blocks;
    const enum rd_status status = expect_at(program, expect, &asked, &about, from, &why);
    *known = status == RD_OK;
    return status == RD_OK || status == RD_ERROR_USAGE ? RD_OK
                                                       : rd_fail(error, status, "%s", why.text);
}
