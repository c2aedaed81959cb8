// SPDX-License-Identifier: MIT
/* Compares start and updates with the law on inputs that look random. Values are polynomials of the inputs, so that two
 * that differ are the same for hardly any of them.
 *
 * A maximum, a minimum, `and` and `or` are decided by a few of their inputs, and others could be left out unseen. So each input
 * in turn is made the one that decides wherever it is: larger than all others for a maximum, and so on. Two such values are then
 * the same for all of these trials where the same inputs are in them. Of many inputs that is done where the sums of them, which
 * tell at once that the same are in both, are not the same: by a maximum, one may be in a cell twice. */
#include "program/agreement.h"
#include "base/array.h"
#include "base/random.h"
#include "device/kernel_names.h"
#include "law/as_sums.h"
#include "program/definition.h"
#include "program/paragraph.h"
#include "reductio/law.h"
#include "reductio/operation.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SMALL_N_MAX = 32, CELLS_MAX = 1 << 16, WORK_MAX = 1 << 24, BLOCKS_MAX = 16 };

/* ---- inputs ---- */

/* Which inputs decide. */
enum trial_form {
    RANDOM,
    HIGHEST,        /* one is larger than all others, */
    LOWEST,         /* or smaller */
    ALONE,          /* one has bits, */
    ALONE_BESIDE,   /* and so have all of the other list, as factors */
    MISSING,        /* one lacks bits */
    MISSING_BESIDE, /* and so do all of the other list */
    TRIAL_FORMS
};

struct trial {
    enum trial_form form;
    size_t input; /* that decides, counting those of a, and then those of b */
};

/* In turn up to so many inputs; of more, that many. */
enum { DECIDING_ALL = 64, DECIDING_MANY = 256 };

/* The trials of a program at a size. */
struct trials {
    size_t n_a, n_b, n_deciding;
    bool has[TRIAL_FORMS];
};

static void trials_init(struct trials *trials, const struct rd_program *program,
                        const struct rd_shape *shape, bool by_some)
{
    const enum rd_operation operation = program->operation;
    const bool has_b = rd_program_has_b(program);
    *trials = (struct trials){.n_a = rd_program_inputs(program, shape),
                              .n_b = has_b ? rd_program_inputs_b(program, shape) : 0};
    const size_t n = trials->n_a + trials->n_b;
    trials->n_deciding = n < DECIDING_MANY ? n : DECIDING_MANY;
    trials->has[RANDOM] = true;
    trials->has[HIGHEST] = by_some || operation == RD_OPERATION_MAX;
    trials->has[LOWEST] = by_some || operation == RD_OPERATION_MIN;
    trials->has[ALONE] = by_some || operation == RD_OPERATION_OR;
    trials->has[ALONE_BESIDE] = trials->has[ALONE] && has_b;
    trials->has[MISSING] = by_some || operation == RD_OPERATION_AND;
    trials->has[MISSING_BESIDE] = trials->has[MISSING] && has_b;
}

/* The trial of that number; false where there are no more. */
static bool trials_at(const struct trials *trials, size_t number, struct trial *trial)
{
    *trial = (struct trial){.form = RANDOM};
    for (unsigned form = RANDOM; form < TRIAL_FORMS; form++) {
        const size_t n = !trials->has[form] ? 0 : form == RANDOM ? 1 : trials->n_deciding;
        if (number < n) {
            const size_t all = trials->n_a + trials->n_b;
            trial->form = (enum trial_form)form;
            trial->input = trials->n_deciding == all
                               ? number
                               : (size_t)(rd_random_at(form, number) % (all ? all : 1));
            return true;
        }
        number -= n;
    }
    return false;
}

/* The value of an input, of the list with the one that decides or of the other. */
static uint64_t value_of(enum trial_form form, bool decides, bool same_list, uint64_t random)
{
    enum { FEW = 255, MANY = 1 << 16 }; /* products of two don't wrap, nor come to a larger one */
    switch (form) {
    case HIGHEST:
        return decides ? MANY + random % FEW : 1 + random % FEW;
    case LOWEST:
        return decides ? 1 + random % FEW : MANY + random % FEW;
    case ALONE_BESIDE:
    case ALONE:
        return decides || (form == ALONE_BESIDE && !same_list) ? random | 1 : 0;
    case MISSING_BESIDE:
    case MISSING:
        return decides || (form == MISSING_BESIDE && !same_list) ? random : UINT64_MAX;
    default:
        return random | 1; /* a product of odd numbers isn't 0 */
    }
}

/* Makes the inputs of a, or of b. */
static uint64_t *make_inputs(const struct trials *trials, const struct trial *trial, bool of_b)
{
    const size_t count = of_b ? trials->n_b : trials->n_a, first = of_b ? trials->n_a : 0;
    uint64_t *numbers = rd_array_alloc((count + 1) * sizeof *numbers), state = of_b;
    for (size_t k = 0; numbers && k < count; k++)
        numbers[k] = value_of(trial->form, first + k == trial->input,
                              (trial->input >= trials->n_a) == of_b, rd_random(&state));
    return numbers;
}

/* ---- comparison ---- */

struct comparison {
    const struct rd_program *program;
    const struct rd_shape *shape;
    const struct rd_law_section *section;
    struct trials trials;
    struct trial trial;          /* the one that is under way, */
    enum rd_operation operation; /* and what is in the place of a sum */
    struct rd_law_run *run;
    struct rd_law_data data;
    uint64_t *inputs[2];
    const void *given[2];
    uint64_t *cells, *stated; /* by the updates, and then by the law */
    size_t n_cells;
    char where[80];
    struct rd_error *error;
};

/* The steps of a run that is played are those of a user's file: its law has no sentence of them to agree with. */
static bool is_tried(const struct rd_program *program, const struct rd_shape *shape)
{
    return rd_program_is_registered(program) && !program->played && rd_paragraph_of(program) &&
           rd_program_inputs(program, shape) <= CELLS_MAX &&
           (!rd_program_has_b(program) || rd_program_inputs_b(program, shape) <= CELLS_MAX);
}

static void finish(struct comparison *made)
{
    rd_law_run_destroy(made->run);
    free(made->inputs[0]);
    free(made->inputs[1]);
    free(made->cells);
    free(made->stated);
}

/* Makes inputs, and an array of zeros. `place`: one at which the array has its size. */
static enum rd_status begin(struct comparison *made, const struct rd_law_place *place)
{
    const struct rd_program *program = made->program;
    const struct rd_shape *shape = made->shape;
    const struct rd_law *law = rd_paragraph_of(program)->law;
    const struct rd_law_sizes sizes = {
        .n = shape->n, .T = shape->block, .B = shape->grid, .work_max = WORK_MAX};
    struct rd_law_error why = {0};
    uint64_t n_cells = 0;
    enum rd_status status = rd_law_run_create(&made->run, law, &sizes, &why);
    if (status == RD_OK)
        status = rd_law_array_size(made->run, made->section, place, &n_cells, &why);
    if (status != RD_OK)
        return rd_fail(made->error, status, "the array has no size %s: %s", made->where,
                       why.what.text);
    made->n_cells = n_cells;
    if (n_cells > CELLS_MAX)
        return RD_OK;
    made->inputs[0] = make_inputs(&made->trials, &made->trial, false);
    made->inputs[1] = make_inputs(&made->trials, &made->trial, true);
    made->cells = calloc(n_cells + 1, sizeof *made->cells);
    made->stated = calloc(n_cells + 1, sizeof *made->stated);
    if (!made->inputs[0] || !made->inputs[1] || !made->cells || !made->stated)
        return rd_fail(made->error, RD_ERROR_MEMORY, "no memory for a program");
    made->given[0] = made->inputs[0];
    made->given[1] = made->inputs[1];
    made->data = (struct rd_law_data){.numeric = rd_numeric_over(RD_TYPE_U64, made->operation),
                                      .inputs = made->given};
    return RD_OK;
}

/* *decided is set to false if what is asked takes too long at a size at which it may. */
static enum rd_status apply(struct comparison *made, enum rd_law_role role,
                            const struct rd_law_place *place, uint64_t *cells, bool *decided)
{
    struct rd_law_error why = {0};
    const enum rd_status status =
        rd_law_apply(made->run, made->section, role, place, &made->data, cells, NULL, &why);
    if (status != RD_ERROR_USAGE)
        return status == RD_OK ? RD_OK : rd_fail(made->error, status, "%s", why.what.text);
    *decided = false;
    return made->shape->n > SMALL_N_MAX
               ? RD_OK
               : rd_fail(made->error, status, "the law has no value %s of n = %zu: %s", made->where,
                         made->shape->n, why.what.text);
}

static enum rd_status refuse(const struct comparison *made, enum rd_law_role role, size_t cell)
{
    struct rd_law_about about;
    rd_law_about(made->section, &about);
    return rd_fail(made->error, RD_ERROR_USAGE,
                   "the law of '%s' and its '%s' give %s[%zu] different values %s of n = %zu: "
                   "correct one of them",
                   made->program->name, role == RD_LAW_START ? "start" : "update", about.array,
                   cell, made->where, made->shape->n);
}

/* Moves the array on, and compares the cells that the law claims there. */
static enum rd_status move(struct comparison *made, enum rd_law_role role,
                           const struct rd_law_place *place, bool *decided)
{
    enum rd_status status = apply(made, role, place, made->cells, decided);
    if (status != RD_OK || !*decided)
        return status;
    memcpy(made->stated, made->cells, made->n_cells * sizeof *made->cells);
    status = apply(made, RD_LAW_LAW, place, made->stated, decided);
    for (size_t k = 0; status == RD_OK && *decided && k < made->n_cells; k++)
        if (made->cells[k] != made->stated[k])
            return refuse(made, role, k);
    return status;
}

typedef enum rd_status try_one(struct comparison *made, const struct rd_place *at);

static enum rd_status try_copy(const struct comparison *made, const struct rd_place *at,
                               try_one *each)
{
    struct comparison one = *made;
    const enum rd_status status = each(&one, at);
    finish(&one);
    return status;
}

/* Tells whether the sums in the place of a program's maxima are the same: the same inputs are in both, each as often. */
static bool has_same_sums(const struct comparison *made, const struct rd_place *at, try_one *each)
{
    struct rd_error unsaid;
    struct comparison sums = *made;
    sums.operation = RD_OPERATION_SUM;
    sums.trial = (struct trial){.form = RANDOM};
    sums.error = &unsaid;
    return try_copy(&sums, at, each) == RD_OK;
}

/* Tries all trials; `each` makes one. */
static enum rd_status try_all(struct comparison *made, const struct rd_place *at, try_one *each)
{
    const char *text = rd_program_law(made->program);
    char *sums = rd_law_as_sums(text, made->program->operation);
    enum rd_status status =
        sums ? RD_OK : rd_fail(made->error, RD_ERROR_MEMORY, "no memory for a program");
    const bool by_some = sums && strcmp(sums, text) != 0;
    free(sums);
    trials_init(&made->trials, made->program, made->shape, by_some);
    made->operation = made->program->operation;
    if (!by_some && made->trials.n_a + made->trials.n_b > DECIDING_ALL &&
        has_same_sums(made, at, each))
        made->trials.n_deciding = 0;
    for (size_t k = 0; status == RD_OK && trials_at(&made->trials, k, &made->trial); k++)
        status = try_copy(made, at, each);
    return status;
}

/* ---- the array at steps ---- */

static enum rd_status try_steps(struct comparison *made, const struct rd_place *at)
{
    (void)at;
    struct rd_law_place place = {0};
    bool decided = true;
    snprintf(made->where, sizeof made->where, "at step 0");
    enum rd_status status = begin(made, &place);
    if (status != RD_OK || made->n_cells > CELLS_MAX)
        return status;
    status = move(made, RD_LAW_START, &place, &decided);
    const unsigned rounds = rd_program_rounds(made->program, made->shape);
    for (unsigned step = 1; status == RD_OK && decided && step <= rounds; step++) {
        place.d = step;
        snprintf(made->where, sizeof made->where, "at step %u", step);
        status = move(made, RD_LAW_UPDATE, &place, &decided);
    }
    return status;
}

enum rd_status rd_program_check_agreement(const struct rd_program *program,
                                          const struct rd_shape *shape, struct rd_error *error)
{
    if (!is_tried(program, shape))
        return RD_OK;
    struct comparison made = {.program = program,
                              .shape = shape,
                              .section = rd_law_section(rd_paragraph_of(program)->law, 0),
                              .error = error};
    return try_all(&made, NULL, try_steps);
}

/* ---- an array inside a kernel ---- */

/* Goes through the steps up to that of the place. */
static enum rd_status try_point(struct comparison *made, const struct rd_place *at)
{
    struct rd_law_place place = {.block = at->block,
                                 .warp = at->warp == RD_WHOLE_BLOCK ? 0 : (uint64_t)at->warp,
                                 .variable = at->variable};
    const uint64_t last = place.variable;
    struct rd_law_about about;
    struct rd_law_error why = {0};
    bool decided = true, more = true;
    snprintf(made->where, sizeof made->where, "at '%s' of block %" PRIu64, rd_point_name(at->point),
             at->block);
    enum rd_status status = begin(made, &place);
    if (status != RD_OK || made->n_cells > CELLS_MAX)
        return status;
    rd_law_about(made->section, &about);
    if (about.steps)
        status = rd_law_first(made->run, made->section, &place, &place.variable, &why);
    if (status != RD_OK)
        return rd_fail(made->error, status, "%s", why.what.text);
    status = move(made, RD_LAW_START, &place, &decided);
    while (about.steps && status == RD_OK && decided && place.variable != last) {
        status = rd_law_next(made->run, made->section, &place, &place.variable, &more, &why);
        if (status != RD_OK || !more)
            return status == RD_OK ? RD_OK : rd_fail(made->error, status, "%s", why.what.text);
        status = move(made, RD_LAW_UPDATE, &place, &decided);
    }
    return status;
}

enum rd_status rd_program_check_agreement_at(const struct rd_program *program,
                                             const struct rd_shape *shape,
                                             const struct rd_place *at, struct rd_error *error)
{
    const struct rd_paragraph *paragraph =
        is_tried(program, shape) ? rd_paragraph_of(program) : NULL;
    const struct rd_law_section *section = paragraph ? paragraph->points[at->point] : NULL;
    if (!section || (at->block >= BLOCKS_MAX && at->block + 1 != shape->grid))
        return RD_OK;
    struct comparison made = {
        .program = program, .shape = shape, .section = section, .error = error};
    return try_all(&made, at, try_point);
}
