// SPDX-License-Identifier: MIT
#include "reductio/program.h"
#include "program/definition.h"
#include "invariants.h"
#include "reductio/law.h"
#include "device/kernel_names.h"
#include "base/array.h"
#include "base/spelling.h"
#include "reductio/operation.h"
#include "program/paragraph.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RD_PROGRAM_ADDRESS(program) &rd_program_##program,
const struct rd_program *const rd_programs[] = {RD_PROGRAMS(RD_PROGRAM_ADDRESS) NULL};

static const struct rd_program *named(const char *name, size_t length)
{
    for (const struct rd_program *const *p = rd_programs; *p; p++)
        if (strlen((*p)->name) == length && strncmp((*p)->name, name, length) == 0)
            return *p;
    return rd_program_registered(name, length);
}

const struct rd_program *rd_program_named(const char *name)
{
    return named(name, strlen(name));
}

bool rd_claim_has_any(const struct rd_claim *claim, size_t first, size_t end)
{
    size_t next = (first + claim->stride - 1) / claim->stride;
    return next < claim->count && next * claim->stride < end;
}

bool rd_claim_has(const struct rd_claim *claim, size_t cell)
{
    return cell % claim->stride == 0 && cell / claim->stride < claim->count;
}

bool rd_program_is_fault(const struct rd_program *program)
{
    return program->twin || (!program->played && strchr(program->name, ':'));
}

const struct rd_program *rd_program_twin(const struct rd_program *program)
{
    const struct rd_definition *definition = rd_program_definition(program);
    if (definition && definition->of_trace)
        return program; /* its trace has no other */
    const struct rd_program *twin = program->twin
                                        ? rd_program_named(program->twin)
                                        : named(program->name, strcspn(program->name, ":"));
    return twin ? twin : program;
}

const char *rd_program_law(const struct rd_program *program)
{
    return program->law ? program->law : rd_program_twin(program)->law;
}

/* ---- types and operations ---- */

/* Tells whether all kernels of its launches are built for the type. */
static bool has_type(const struct rd_program *program, int type)
{
    const struct rd_paragraph *paragraph = rd_paragraph_of(program);
    const size_t count = paragraph ? rd_law_launch_count(paragraph->law) : 0;
    for (size_t k = 0; k < count; k++)
        if (!rd_kernel_has_type(paragraph->kernels[k], (enum rd_type)type))
            return false;
    return true;
}

static bool has_operation(const struct rd_program *program, int operation)
{
    return (int)program->operation == operation || program->any_operation;
}

/* "fold, fold-guard, fold-ceil, tournament or 12 others": the programs that have it, faults left out. */
static void list_programs(char *list, size_t size, bool (*has)(const struct rd_program *, int),
                          int what)
{
    enum { SHOWN = 4 };
    const char *names[SHOWN + 2] = {NULL};
    char more[32];
    size_t count = 0;
    for (size_t k = 0; rd_programs[k]; k++)
        if (!rd_program_is_fault(rd_programs[k]) && has(rd_programs[k], what) && count++ < SHOWN)
            names[count - 1] = rd_programs[k]->name;
    if (count > SHOWN) {
        snprintf(more, sizeof more, "%zu other%s", count - SHOWN, count - SHOWN == 1 ? "" : "s");
        names[SHOWN] = more;
    }
    rd_alternatives(list, size, names);
}

enum rd_status rd_program_accept_type(const struct rd_program *program, enum rd_type type,
                                      struct rd_error *error)
{
    const char *names[RD_TYPE_COUNT + 1] = {NULL};
    char types[8 * RD_TYPE_COUNT], others[200];
    size_t count = 0;
    if (has_type(program, type))
        return RD_OK;
    for (int k = 0; k < RD_TYPE_COUNT; k++)
        if (has_type(program, k))
            names[count++] = rd_numeric((enum rd_type)k)->name;
    rd_alternatives(types, sizeof types, names);
    list_programs(others, sizeof others, has_type, type);
    return rd_fail(error, RD_ERROR_USAGE, "'%s' is of %s, and not of %s: use one of these, or %s",
                   program->name, types, rd_numeric(type)->name, others);
}

enum rd_status rd_program_accept_operation(const struct rd_program *program,
                                           enum rd_operation operation, struct rd_error *error)
{
    char others[200];
    if (has_operation(program, operation))
        return RD_OK;
    list_programs(others, sizeof others, has_operation, operation);
    if (program->operation != RD_OPERATION_SUM)
        return rd_fail(error, RD_ERROR_USAGE, "'%s' reduces by '%s' alone, and not by '%s'",
                       program->name, rd_operation_name(program->operation),
                       rd_operation_name(operation));
    return rd_fail(error, RD_ERROR_USAGE, "'%s' reduces by sums alone, and not by '%s': use %s",
                   program->name, rd_operation_name(operation), others);
}

const struct rd_point_invariant *rd_program_point(const struct rd_program *program,
                                                  enum rd_point point)
{
    for (const struct rd_point_invariant *const *p = rd_program_points(program); *p; p++)
        if ((*p)->point == point)
            return *p;
    return NULL;
}

/* ---- checkpoints ---- */

unsigned rd_round_threads(const struct rd_round *round)
{
    return round->block * (round->block_y ? round->block_y : 1);
}

uint64_t rd_round_blocks_in_all(const struct rd_round *round)
{
    return (uint64_t)round->grid * (round->grid_y ? round->grid_y : 1);
}

size_t rd_program_passes(const struct rd_program *program, const struct rd_passing *by, bool last)
{
    size_t count = 0;
    for (const struct rd_point_invariant *const *p = rd_program_points(program); *p; p++)
        if (last || !(*p)->of_last_block)
            count += rd_program_point_passes(program, *p, by);
    return count;
}

bool rd_program_pass(const struct rd_program *program, const struct rd_passing *by, bool last,
                     size_t k, struct rd_place *place)
{
    size_t before = 0;
    for (const struct rd_point_invariant *const *p = rd_program_points(program); *p; p++) {
        size_t passes = last || !(*p)->of_last_block ? rd_program_point_passes(program, *p, by) : 0;
        if (k - before < passes) {
            *place = (struct rd_place){
                .point = (*p)->point,
                .block = by->block,
                .warp = rd_program_point_is_of_lanes(program, (*p)->point) ? (int)by->warp
                                                                           : RD_WHOLE_BLOCK,
                .number = (unsigned)(k + 1),
                .variable = rd_program_point_variable(program, *p, by, k - before),
            };
            return true;
        }
        before += passes;
    }
    return false;
}

/* ---- shapes ---- */

struct rd_shape rd_program_default(const struct rd_program *program)
{
    return rd_program_shape(program,
                            (struct rd_shape){program->n, program->n_block, program->n_grid});
}

/* ---- expectations ---- */

static bool are_whole(const struct rd_numeric *numeric, const void *cells, size_t n)
{
    for (size_t j = 0; cells && j < n; j++) {
        const double x = numeric->to_double(numeric->load(cells, j));
        if (!isfinite(x) || x != trunc(x))
            return false;
    }
    return true;
}

static bool has_whole_inputs(const struct rd_expect *expect, size_t n_b)
{
    return are_whole(expect->numeric, expect->a, expect->n_inputs) &&
           are_whole(expect->numeric, expect->b, n_b);
}

enum rd_status rd_expect_init(struct rd_expect *expect, const struct rd_program *program,
                              const struct rd_numeric *numeric, const struct rd_shape *shape,
                              const void *a, const void *b, struct rd_error *error)
{
    size_t n = rd_program_cells(program, shape);
    struct rd_expect e = {
        .numeric = numeric,
        .shape = *shape,
        .n = n,
        .n_inputs = rd_program_inputs(program, shape),
        .a = a,
        .b = rd_program_has_b(program) ? b : NULL,
        .bounded = numeric->is_float && numeric->operation == RD_OPERATION_SUM &&
                   (program->bounded || program->played) && n <= RD_BOUND_MAX,
    };
    e.whole =
        program->played && e.bounded && has_whole_inputs(&e, rd_program_inputs_b(program, shape));
    e.has_products = program->played && strpbrk(rd_program_law(program), "*^");
    e.stride = 1;
    e.cells = rd_array_alloc(n * numeric->size_bytes);
    if (e.bounded) {
        e.exact = rd_array_alloc(n * numeric->wide_bytes);
        e.weight = rd_array_alloc(n * numeric->wide_bytes);
    }
    if (!e.cells || (e.bounded && (!e.exact || !e.weight))) {
        rd_expect_finish(&e);
        return rd_fail(error, RD_ERROR_MEMORY, "no memory for the expected values of %zu cells", n);
    }
    enum rd_status status = rd_program_start(program, &e, error);
    if (status != RD_OK)
        rd_expect_finish(&e);
    else
        *expect = e;
    return status;
}

void rd_expect_finish(struct rd_expect *expect)
{
    free(expect->cells);
    free(expect->spare);
    free(expect->exact);
    free(expect->weight);
    free(expect->heights);
    rd_law_kept_destroy(expect->kept);
    *expect = (struct rd_expect){0};
}

/* Has the system hand out the memory now, and not while a run waits for it. */
static void touch_pages(char *memory, size_t size_bytes)
{
    enum { PAGE = 4096 };
#pragma omp parallel for if (size_bytes > (1 << 20))
    for (size_t at = 0; at < size_bytes; at += PAGE)
        memory[at] = 0;
}

enum rd_status rd_expect_live_only(struct rd_expect *expect, const struct rd_program *program,
                                   struct rd_error *error)
{
    struct rd_claim last;
    rd_program_claim(program, &expect->shape, rd_program_rounds(program, &expect->shape), &last);
    /* A fault may claim what does not follow from its last claim, and start over. */
    if (last.stride > 1 && !rd_program_is_fault(program)) {
        size_t size_bytes = (expect->n + 1) / 2 * expect->numeric->size_bytes;
        expect->spare = malloc(size_bytes);
        if (!expect->spare)
            return rd_fail(error, RD_ERROR_MEMORY, "no memory for the expected values of %zu cells",
                           expect->n / 2);
        touch_pages(expect->spare, size_bytes);
        expect->live_only = true;
    }
    return RD_OK;
}
