// SPDX-License-Identifier: MIT
/* What a program claims, from its law. Each thread keeps the paragraphs that it has read, and the last runs of them.
 * The paragraphs are built in, and have values wherever a program comes to; without memory nothing is claimed. */
#include "array.h"
#include "law/law.h"
#include "names.h"
#include "operation.h"
#include "program.h"

#include <assert.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>

struct paragraph {
    struct paragraph *next;
    const char *text, *launch, *kernel;
    struct rd_law *law;
    enum rd_kernel *kernels; /* of its launches */
};

/* The inputs of a cell, for who asks for one after the other. */
struct members {
    const struct rd_law_section *section; /* NULL: of none */
    struct rd_law_place place;
    int input;
    uint64_t cell;
    size_t count;
    uint64_t *list;
};

struct held_run {
    const struct rd_program *program; /* NULL: none; */
    const char *name, *text, *launch,
        *kernel; /* its members, as another program may come to lie there */
    struct rd_shape shape;
    const struct rd_law *law;
    const enum rd_kernel *kernels;
    struct rd_law_run *run;
    struct members members;
};

enum { RUNS_HELD = 4 };

struct kept {
    struct paragraph *paragraphs;
    struct held_run runs[RUNS_HELD];
    unsigned oldest;
};

static once_flag once = ONCE_FLAG_INIT;
static tss_t key;
static bool has_key;

static void let_go(struct held_run *held)
{
    rd_law_run_destroy(held->run);
    free(held->members.list);
    *held = (struct held_run){0};
}

static void forget_paragraph(struct paragraph *paragraph)
{
    rd_law_destroy(paragraph->law);
    free(paragraph->kernels);
    free(paragraph);
}

static void forget(void *context)
{
    struct kept *kept = context;
    for (unsigned k = 0; k < RUNS_HELD; k++)
        let_go(&kept->runs[k]);
    while (kept->paragraphs) {
        struct paragraph *first = kept->paragraphs;
        kept->paragraphs = first->next;
        forget_paragraph(first);
    }
    free(kept);
}

static void make_key(void)
{
    has_key = tss_create(&key, forget) == thrd_success;
}

static struct kept *kept_here(void)
{
    call_once(&once, make_key);
    if (!has_key)
        return NULL;
    struct kept *kept = tss_get(key);
    if (!kept) {
        kept = calloc(1, sizeof *kept);
        if (kept && tss_set(key, kept) != thrd_success) {
            free(kept);
            kept = NULL;
        }
    }
    return kept;
}

static bool find_kernels(struct paragraph *paragraph)
{
    const size_t count = rd_law_launch_count(paragraph->law);
    paragraph->kernels = calloc(count + 1, sizeof *paragraph->kernels);
    for (size_t k = 0; paragraph->kernels && k < count; k++)
        if (!rd_kernel_named(paragraph->kernel ? paragraph->kernel
                                               : rd_law_launch_kernel(paragraph->law, k),
                             &paragraph->kernels[k]))
            return false;
    return paragraph->kernels;
}

static bool read_paragraph(struct paragraph *paragraph)
{
    const char *launch = paragraph->launch;
    char *whole = NULL;
    if (asprintf(&whole, "%s%s%s", paragraph->text, launch ? "\nlaunch " : "",
                 launch ? launch : "") < 0)
        return false;
    enum rd_status status = rd_law_create(&paragraph->law, whole, NULL);
    free(whole);
    return status == RD_OK && find_kernels(paragraph);
}

static const struct paragraph *paragraph_of(struct kept *kept, const struct rd_program *program)
{
    const char *text = rd_program_law(program), *launch = program->launch,
               *kernel = program->kernel;
    for (struct paragraph *p = kept->paragraphs; p; p = p->next)
        if (p->text == text && p->launch == launch && p->kernel == kernel)
            return p;
    struct paragraph *made = calloc(1, sizeof *made);
    if (!made)
        return NULL;
    made->text = text;
    made->launch = launch;
    made->kernel = kernel;
    if (!read_paragraph(made)) {
        forget_paragraph(made);
        return NULL;
    }
    made->next = kept->paragraphs;
    kept->paragraphs = made;
    return made;
}

static bool is_of(const struct held_run *held, const struct rd_program *program,
                  const struct rd_shape *shape)
{
    return held->program == program && held->name == program->name && held->text == program->law &&
           held->launch == program->launch && held->kernel == program->kernel &&
           held->shape.n == shape->n && held->shape.block == shape->block &&
           held->shape.grid == shape->grid;
}

/* The program's law on the shape; NULL where there is no memory for it. */
static struct held_run *hold(const struct rd_program *program, const struct rd_shape *shape)
{
    struct kept *kept = kept_here();
    const struct rd_law_sizes sizes = {.n = shape->n, .T = shape->block, .B = shape->grid};
    struct rd_law_run *run;
    for (unsigned k = 0; kept && k < RUNS_HELD; k++)
        if (is_of(&kept->runs[k], program, shape))
            return &kept->runs[k];
    const struct paragraph *paragraph = kept ? paragraph_of(kept, program) : NULL;
    if (!paragraph || rd_law_run_create(&run, paragraph->law, &sizes, NULL) != RD_OK)
        return NULL;
    struct held_run *held = &kept->runs[kept->oldest++ % RUNS_HELD];
    let_go(held);
    held->program = program;
    held->name = program->name;
    held->text = program->law;
    held->launch = program->launch;
    held->kernel = program->kernel;
    held->law = paragraph->law;
    held->kernels = paragraph->kernels;
    held->shape = *shape;
    held->run = run;
    return held;
}

/* ---- inputs and cells ---- */

static const struct rd_law *law_of(const struct rd_program *program)
{
    struct kept *kept = kept_here();
    const struct paragraph *paragraph = kept ? paragraph_of(kept, program) : NULL;
    return paragraph ? paragraph->law : NULL;
}

bool rd_program_has_b(const struct rd_program *program)
{
    const struct rd_law *law = law_of(program);
    return law && rd_law_input_count(law) > 1;
}

bool rd_program_has_n_inputs(const struct rd_program *program)
{
    const struct rd_law *law = law_of(program);
    bool all = law;
    for (size_t k = 0; all && k < rd_law_input_count(law); k++)
        all = rd_law_input_has_n(law, k);
    return all;
}

bool rd_program_passes_input(const struct rd_program *program)
{
    const struct rd_law *law = law_of(program);
    return law && rd_law_launches_pass(law, 0);
}

static size_t input_size(const struct rd_program *program, const struct rd_shape *shape,
                         size_t input)
{
    struct held_run *held = hold(program, shape);
    uint64_t size;
    if (!held || input >= rd_law_input_count(held->law) ||
        rd_law_input_size(held->run, input, &size, NULL) != RD_OK)
        return 0;
    return size;
}

size_t rd_program_inputs(const struct rd_program *program, const struct rd_shape *shape)
{
    return input_size(program, shape, 0);
}

size_t rd_program_inputs_b(const struct rd_program *program, const struct rd_shape *shape)
{
    return input_size(program, shape, 1);
}

size_t rd_program_cells(const struct rd_program *program, const struct rd_shape *shape)
{
    struct held_run *held = hold(program, shape);
    uint64_t size;
    if (!held ||
        rd_law_array_size(held->run, rd_law_section(held->law, 0), NULL, &size, NULL) != RD_OK)
        return 0;
    return size;
}

/* Where a law is asked. */
struct asked {
    struct held_run *held;
    const struct rd_law_section *section;
    struct rd_law_place place;
};

static bool ask_at_step(const struct rd_program *program, const struct rd_shape *shape,
                        unsigned step, struct asked *asked)
{
    asked->held = hold(program, shape);
    if (!asked->held)
        return false;
    asked->section = rd_law_section(asked->held->law, 0);
    asked->place = (struct rd_law_place){.d = step};
    return true;
}

static bool ask_at_point(const struct rd_program *program, const struct rd_shape *shape,
                         const struct rd_place *at, struct asked *asked)
{
    asked->held = hold(program, shape);
    if (!asked->held)
        return false;
    asked->section = rd_law_section_at(asked->held->law, rd_point_name(at->point));
    asked->place =
        (struct rd_law_place){.block = at->block,
                              .warp = at->warp == RD_WHOLE_BLOCK ? 0 : (uint64_t)at->warp,
                              .variable = at->variable};
    return asked->section != NULL;
}

/* ---- claims ---- */

static void tell_claim(bool known, const struct asked *asked, struct rd_claim *claim)
{
    struct rd_law_progression cells;
    bool regular;
    *claim = (struct rd_claim){.stride = 1};
    if (known &&
        rd_law_live(asked->held->run, asked->section, &asked->place, &cells, &regular, NULL) ==
            RD_OK &&
        regular && cells.first == 0)
        *claim = (struct rd_claim){(size_t)cells.count, (size_t)cells.stride};
}

void rd_program_claim(const struct rd_program *program, const struct rd_shape *shape, unsigned step,
                      struct rd_claim *claim)
{
    struct asked asked;
    tell_claim(ask_at_step(program, shape, step, &asked), &asked, claim);
}

void rd_program_claim_at(const struct rd_program *program, const struct rd_shape *shape,
                         const struct rd_place *at, struct rd_claim *claim)
{
    struct asked asked;
    tell_claim(ask_at_point(program, shape, at, &asked), &asked, claim);
}

/* ---- rounds ---- */

static enum rd_operand operand_of(const struct rd_law_operand *operand)
{
    switch (operand->kind) {
    case RD_LAW_OPERAND_ARRAY:
        return RD_OPERAND_A;
    case RD_LAW_OPERAND_INPUT:
        return operand->value == 0 ? RD_OPERAND_INPUT : RD_OPERAND_B;
    case RD_LAW_OPERAND_SCRATCH:
        return RD_OPERAND_SCRATCH;
    case RD_LAW_OPERAND_TICKET:
        return RD_OPERAND_TICKET;
    case RD_LAW_OPERAND_NUMBER:
        break;
    }
    return RD_OPERAND_SIZE;
}

static unsigned to_unsigned(uint64_t number)
{
    return number < UINT_MAX ? (unsigned)number : UINT_MAX;
}

bool rd_program_round(const struct rd_program *program, const struct rd_shape *shape,
                      unsigned number, struct rd_round *round)
{
    struct held_run *held = hold(program, shape);
    struct rd_law_launch launch;
    bool found;
    if (!held || rd_law_launch(held->run, number, &launch, &found, NULL) != RD_OK || !found)
        return false;
    *round = (struct rd_round){
        .number = number,
        .kernel = held->kernels[launch.index],
        .width_name = launch.counter ? launch.counter : "n",
        .width = launch.counter ? launch.count : shape->n,
        .threads = launch.threads,
        .grid = launch.grid[0],
        .block = to_unsigned(launch.block[0]),
        .grid_y = to_unsigned(launch.grid[1]),
        .block_y = to_unsigned(launch.block[1]),
        .shared_elems = launch.shared,
        .cooperative = launch.cooperative,
        .spoils_inputs = launch.spoils_inputs,
        .reads_max = to_unsigned(launch.reads),
        .writes_max = to_unsigned(launch.writes),
        .n_operands = launch.n_operands,
    };
    static_assert(RD_LAW_OPERANDS_MAX <= (int)RD_OPERANDS_MAX, "a round has all operands");
    for (unsigned k = 0; k < launch.n_operands; k++) {
        const struct rd_law_operand *operand = &launch.operands[k];
        round->operands[k].kind = operand_of(operand);
        if (operand->kind == RD_LAW_OPERAND_SCRATCH || operand->kind == RD_LAW_OPERAND_NUMBER)
            round->operands[k].size = operand->value;
    }
    return true;
}

/* ---- members ---- */

static bool is_place(const struct rd_law_place *x, const struct rd_law_place *y)
{
    return x->d == y->d && x->block == y->block && x->warp == y->warp && x->variable == y->variable;
}

static bool find_members(const struct asked *asked, int input, uint64_t cell)
{
    struct members *members = &asked->held->members;
    bool live;
    if (members->section == asked->section && members->input == input && members->cell == cell &&
        is_place(&members->place, &asked->place))
        return true;
    free(members->list);
    *members = (struct members){0};
    if (rd_law_cell(asked->held->run, asked->section, &asked->place, cell, input, &live,
                    &members->list, &members->count, NULL) != RD_OK)
        return false;
    members->section = asked->section;
    members->place = asked->place;
    members->input = input;
    members->cell = cell;
    return true;
}

static bool has_member(bool known, const struct asked *asked, int input, uint64_t cell,
                       uint64_t index)
{
    if (!known || (size_t)input >= rd_law_input_count(asked->held->law) ||
        !find_members(asked, input, cell))
        return false;
    const struct members *members = &asked->held->members;
    return rd_array_find(members->list, members->count, index) != SIZE_MAX;
}

bool rd_program_contains(const struct rd_program *program, const struct rd_shape *shape,
                         unsigned step, size_t i, size_t j)
{
    struct asked asked;
    return has_member(ask_at_step(program, shape, step, &asked), &asked, 0, i, j);
}

bool rd_program_contains_b(const struct rd_program *program, const struct rd_shape *shape,
                           unsigned step, size_t i, size_t j)
{
    struct asked asked;
    return has_member(ask_at_step(program, shape, step, &asked), &asked, 1, i, j);
}

bool rd_program_contains_at(const struct rd_program *program, const struct rd_shape *shape,
                            const struct rd_place *at, size_t i, size_t j)
{
    struct asked asked;
    return has_member(ask_at_point(program, shape, at, &asked), &asked, 0, i, j);
}

bool rd_program_contains_b_at(const struct rd_program *program, const struct rd_shape *shape,
                              const struct rd_place *at, size_t i, size_t j)
{
    struct asked asked;
    return has_member(ask_at_point(program, shape, at, &asked), &asked, 1, i, j);
}

/* ---- sentences ---- */

static void tell_statement(bool known, const struct asked *asked, char text[RD_STATEMENT_SIZE])
{
    if (!known || rd_law_text_at(asked->held->run, asked->section, &asked->place, text,
                                 RD_STATEMENT_SIZE, NULL) != RD_OK)
        text[0] = '\0';
}

void rd_program_statement(const struct rd_program *program, const struct rd_shape *shape,
                          unsigned step, enum rd_operation operation, char text[RD_STATEMENT_SIZE])
{
    struct asked asked;
    tell_statement(ask_at_step(program, shape, step, &asked), &asked, text);
    rd_operation_in_words(operation, text, RD_STATEMENT_SIZE);
}

void rd_program_statement_at(const struct rd_program *program, const struct rd_shape *shape,
                             const struct rd_place *at, char text[RD_STATEMENT_SIZE])
{
    struct asked asked;
    tell_statement(ask_at_point(program, shape, at, &asked), &asked, text);
}
