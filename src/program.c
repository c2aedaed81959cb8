// SPDX-License-Identifier: MIT
#include "program.h"
#include "explain.h"
#include "invariants.h"

#include <stdlib.h>
#include <string.h>

#define RD_PROGRAM_ADDRESS(program) &rd_program_##program,
const struct rd_program *const rd_programs[] = {RD_PROGRAMS(RD_PROGRAM_ADDRESS) NULL};

static const struct rd_program *named(const char *name, size_t length)
{
    for (const struct rd_program *const *p = rd_programs; *p; p++)
        if (strlen((*p)->name) == length && strncmp((*p)->name, name, length) == 0)
            return *p;
    return NULL;
}

const struct rd_program *rd_program_named(const char *name)
{
    return named(name, strlen(name));
}

bool rd_claim_has(const struct rd_claim *claim, size_t cell)
{
    return cell % claim->stride == 0 && cell / claim->stride < claim->count;
}

bool rd_program_is_lesson(const struct rd_program *program)
{
    return strchr(program->name, ':') != NULL;
}

const struct rd_program *rd_program_twin(const struct rd_program *program)
{
    return named(program->name, strcspn(program->name, ":"));
}

const char *rd_program_explain(const struct rd_program *program)
{
    for (const struct rd_explanation *text = rd_explanations; text->name; text++)
        if (strcmp(text->name, program->name) == 0)
            return text->text;
    return "";
}

enum rd_status rd_program_accept(const struct rd_program *program, size_t n, struct rd_error *error)
{
    if (n == 0)
        return rd_fail(error, RD_ERROR_USAGE,
                       "'n' is 0, and there is nothing to reduce: give at least one element");
    if (n > SIZE_MAX / 64)
        return rd_fail(error, RD_ERROR_USAGE, "'n' is %zu, more than memory can hold", n);
    return program->accept ? program->accept(n, error) : RD_OK;
}

/* Which invariant speaks of a step, and which of its own steps that is. */
static const struct rd_invariant *invariant_at(const struct rd_program *program, unsigned *step)
{
    if (!program->multiplies_first)
        return program->invariant;
    if (*step == 0)
        return &rd_invariant_product;
    --*step;
    return program->invariant;
}

void rd_program_claim(const struct rd_program *program, size_t n, unsigned step,
                      struct rd_claim *claim)
{
    invariant_at(program, &step)->claim(n, step, claim);
}

bool rd_program_contains(const struct rd_program *program, size_t n, unsigned step, size_t i,
                         size_t j)
{
    return invariant_at(program, &step)->contains(n, step, i, j);
}

void rd_program_advance(const struct rd_program *program, struct rd_expect *expect, unsigned step)
{
    if (program->multiplies_first && step == 1)
        rd_invariant_product.advance(expect, 1);
    else
        invariant_at(program, &step)->advance(expect, step);
}

void rd_program_statement(const struct rd_program *program, size_t n, unsigned step,
                          char text[RD_STATEMENT_SIZE])
{
    const char *term = program->multiplies_first && step > 0 ? "a[j]*b[j]" : "a[j]";
    invariant_at(program, &step)->statement(n, step, term, text);
}

bool rd_program_round(const struct rd_program *program, size_t n, unsigned block_max,
                      unsigned number, struct rd_round *round)
{
    if (!program->multiplies_first)
        return program->schedule(n, block_max, number, round);
    if (number == 1)
        return rd_schedule_multiply(n, block_max, 1, round);
    if (!program->schedule(n, block_max, number - 1, round))
        return false;
    round->number = number;
    return true;
}

unsigned rd_program_rounds(const struct rd_program *program, size_t n)
{
    struct rd_round round;
    unsigned number = 1;
    while (rd_program_round(program, n, 1, number, &round))
        number++;
    return number - 1;
}

enum rd_status rd_expect_init(struct rd_expect *expect, const struct rd_program *program,
                              const struct rd_numeric *numeric, size_t n, const void *a,
                              const void *b, struct rd_error *error)
{
    struct rd_expect e = {
        .numeric = numeric,
        .n = n,
        .a = a,
        .b = program->has_b ? b : NULL,
        .bounded = numeric->is_float && program->bounded && n <= RD_BOUND_MAX,
    };
    e.stride = 1;
    e.cells = malloc(n * numeric->size_bytes);
    if (e.bounded) {
        e.exact = malloc(n * numeric->wide_bytes);
        e.weight = malloc(n * numeric->wide_bytes);
    }
    if (!e.cells || (e.bounded && (!e.exact || !e.weight))) {
        rd_expect_finish(&e);
        return rd_fail(error, RD_ERROR_MEMORY, "no memory for the expected values of %zu cells", n);
    }
    if (program->prepare)
        program->prepare(&e);
    else
        numeric->begin(&e);
    *expect = e;
    return RD_OK;
}

void rd_expect_finish(struct rd_expect *expect)
{
    free(expect->cells);
    free(expect->spare);
    free(expect->exact);
    free(expect->weight);
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
    rd_program_claim(program, expect->n, rd_program_rounds(program, expect->n), &last);
    /* A lesson may claim what does not follow from its last claim, and start over. */
    if (last.stride > 1 && !rd_program_is_lesson(program)) {
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
