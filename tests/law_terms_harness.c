// SPDX-License-Identifier: MIT
#include "law_terms_harness.h"
#include "base/random.h"
#include "law/cells.h"
#include "reductio/numeric.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static rd_term before(void *self, rd_term cell)
{
    return rd_apply(self, "before", 1, &cell);
}

void open_reading(struct reading *reading, const struct rd_law *law, enum form form,
                  unsigned n_units, struct rd_law_numbers *at)
{
    static const char *const names[] = {"n", "T", "B", "S", "k", "v", "s",
                                        "c", "u", "w", "p", "q", "y"};
    struct rd_terms *terms = reading->terms = rd_terms_create();
    rd_term made[sizeof names / sizeof *names];
    assert_non_null(terms);
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        made[k] = rd_constant(terms, names[k]);
    reading->symbols = (struct symbols){made[0],
                                        made[1],
                                        made[2],
                                        made[3],
                                        made[4],
                                        made[5],
                                        made[6],
                                        made[7],
                                        {made[8], made[9]},
                                        {made[10], made[11]},
                                        made[12]};
    if (n_units < 2)
        reading->symbols.units[1] = reading->symbols.again[1] = NULL;
    const struct rd_law_units units = {.count = law->n_inputs,
                                       .index = reading->symbols.units,
                                       .again = reading->squares ? reading->symbols.again : NULL};
    *at = (struct rd_law_numbers){
        .n = made[0],
        .T = made[1],
        .B = made[2],
        .d = form == AT_FIRST    ? rd_number(terms, 0)
             : form == ANY_ROUND ? made[3]
                                 : rd_add(terms, made[3], rd_number(terms, 1)),
        .block = made[4],
        .warp = made[5],
        .variable = made[6],
        .bytes = made[12],
    };
    reading->reader = rd_law_reader_create(terms, law, units);
    assert_non_null(reading->reader);
}

void read_sentence(struct reading *reading, const struct rd_law *law,
                   const struct rd_law_section *section, enum rd_law_role role, enum form form,
                   unsigned n_units)
{
    struct rd_law_numbers at;
    open_reading(reading, law, form, n_units, &at);
    const struct rd_law_reading how = {role, before, reading->terms};
    const rd_term cell = reading->symbols.cell;
    reading->live = rd_law_term_live(reading->reader, section, role, &at, cell);
    reading->count = rd_law_term_count(reading->reader, section, &how, &at, cell);
    assert_false(rd_terms_failed(reading->terms));
}

void forget_sentence(struct reading *reading)
{
    rd_law_reader_destroy(reading->reader);
    rd_terms_destroy(reading->terms);
}

/* ---- at random places ---- */

enum { CELLS_MAX = 4096 };

uint64_t below(struct subject *subject, uint64_t end)
{
    return rd_random(&subject->random) % end;
}

static bool accepts(const struct subject *subject, const struct rd_law_sizes *sizes)
{
    struct rd_error error;
    const struct rd_program *program = subject->program;
    const struct rd_shape shape = {.n = sizes->n,
                                   .block = (unsigned)sizes->T,
                                   .grid = program && program->blocks ? sizes->B : 0};
    return !program || rd_program_accept(program, &shape, &error) == RD_OK;
}

/* Sizes that the program accepts; most are small. */
bool choose_sizes(struct subject *subject, struct place *place)
{
    static const uint64_t threads[] = {1, 2, 3, 4, 5, 8, 16, 17, 32, 33, 48, 64, 70, 128};
    const bool square = subject->law->inputs[0]->n_sizes > 1;
    for (unsigned attempt = 0; attempt < 50; attempt++) {
        struct rd_law_sizes *sizes = &place->sizes;
        *sizes = (struct rd_law_sizes){
            .n = square              ? 1 + below(subject, 4)
                 : below(subject, 5) ? 1 + below(subject, 40)
                                     : (uint64_t)1 << below(subject, 7),
            .T = threads[below(subject, square ? 4 : sizeof threads / sizeof *threads)],
            .B = 1 + below(subject, 4),
        };
        if (accepts(subject, sizes))
            return true;
        sizes->B = (sizes->n + sizes->T - 1) / sizes->T;
        if (accepts(subject, sizes))
            return true;
    }
    return false;
}

/* The round, and a step of the point; false where there is none for the sentence. */
bool choose_place(struct subject *subject, struct rd_law_run *run, struct place *place)
{
    struct rd_law_error error;
    uint64_t *values = NULL;
    size_t count = 0;
    place->place = (struct rd_law_place){
        .d = subject->form == AT_FIRST || (subject->form == ANY_ROUND &&
                                           subject->role != RD_LAW_UPDATE && below(subject, 4) == 0)
                 ? 0
                 : 1 + below(subject, below(subject, 3) ? 2 : 6),
        .block = below(subject, place->sizes.B),
        .warp = below(subject, (place->sizes.T + 31) / 32),
    };
    if (rd_law_steps(run, subject->section, &place->place, &values, &count, &error) != RD_OK)
        return false;
    const size_t first = subject->role == RD_LAW_UPDATE;
    if (subject->section->steps && count > first)
        place->place.variable = values[first + below(subject, count - first)];
    free(values);
    if (subject->section->steps && count <= first)
        return false;
    for (unsigned k = 0; k < subject->law->n_inputs; k++) {
        if (rd_law_input_size(run, k, &place->input_sizes[k], &error) != RD_OK ||
            place->input_sizes[k] == 0)
            return false;
        place->units[k] = k == 1 && below(subject, 3) ? place->units[0] % place->input_sizes[1]
                                                      : below(subject, place->input_sizes[k]);
        place->again[k] = place->units[k];
    }
    return true;
}

void set_all(struct subject *subject, struct rd_law_run *run, const struct place *place,
             struct environment *environment)
{
    const struct symbols *symbols = &subject->reading.symbols;
    *environment = (struct environment){.run = run};
    environment_set(environment, symbols->n, (rd_wide)place->sizes.n);
    environment_set(environment, symbols->T, (rd_wide)place->sizes.T);
    environment_set(environment, symbols->B, (rd_wide)place->sizes.B);
    environment_set(environment, symbols->S, (rd_wide)place->place.d - (subject->form == LATER));
    environment_set(environment, symbols->block, (rd_wide)place->place.block);
    environment_set(environment, symbols->warp, (rd_wide)place->place.warp);
    environment_set(environment, symbols->variable, (rd_wide)place->place.variable);
    environment_set(environment, symbols->bytes, (rd_wide)place->place.bytes);
    for (unsigned k = 0; k < subject->n_units; k++) {
        environment_set(environment, symbols->units[k], (rd_wide)place->units[k]);
        environment_set(environment, symbols->again[k], (rd_wide)place->again[k]);
    }
}

/* The cells after the sentences, from others before, with inputs that are zero but for the units. */
static bool apply(struct subject *subject, struct rd_law_run *run, const struct place *place,
                  int64_t *cells, size_t *count)
{
    const struct rd_numeric *numeric = rd_numeric(RD_TYPE_I64);
    int64_t *inputs[2] = {NULL, NULL};
    struct rd_law_error error;
    uint64_t size;
    bool done = rd_law_array_size(run, subject->section, &place->place, &size, &error) == RD_OK &&
                size <= CELLS_MAX;
    for (unsigned k = 0; k < subject->law->n_inputs; k++) {
        inputs[k] = calloc(place->input_sizes[k], sizeof *inputs[k]);
        assert_non_null(inputs[k]);
        if (k < subject->n_units)
            inputs[k][place->units[k]] = 1;
    }
    for (size_t k = 0; done && k < size; k++)
        cells[k] = (int64_t)(2 + k);
    const struct rd_law_data data = {.numeric = numeric,
                                     .inputs = (const void *const *)inputs,
                                     .inside_only = true,
                                     .as_written = true};
    done = done && rd_law_apply(run, subject->section, subject->role, &place->place, &data, cells,
                                NULL, &error) == RD_OK;
    *count = done ? size : 0;
    free(inputs[0]);
    free(inputs[1]);
    return done;
}

void fail_at(const struct subject *subject, const struct place *place, size_t cell,
             const char *what, rd_wide is, rd_wide wanted)
{
    fail_msg("%s %s role %d n=%d T=%d B=%d d=%d block=%d warp=%d step=%d units %d %d cell %zu: %s "
             "%d, not %d",
             subject->name, subject->section->name ? subject->section->name : "program",
             (int)subject->role, (int)place->sizes.n, (int)place->sizes.T, (int)place->sizes.B,
             (int)place->place.d, (int)place->place.block, (int)place->place.warp,
             (int)place->place.variable, (int)place->units[0], (int)place->units[1], cell, what,
             (int)is, (int)wanted);
}

bool premises_hold(const struct subject *subject, struct environment *environment)
{
    const struct rd_term_list *premises = rd_law_reader_premises(subject->reading.reader);
    for (size_t k = 0; k < premises->count; k++)
        if (!term_value(environment, premises->terms[k]))
            return false;
    return true;
}

void compare_cells(struct subject *subject, struct rd_law_run *run, const struct place *place)
{
    static int64_t cells[CELLS_MAX];
    struct rd_law_cells claimed;
    struct rd_law_error error;
    struct environment environment;
    size_t count;
    set_all(subject, run, place, &environment);
    if (!apply(subject, run, place, cells, &count) || !premises_hold(subject, &environment))
        return;
    rd_law_run_begin(run, &error);
    if (!rd_law_run_go(run, subject->section, &place->place) ||
        !rd_law_collect(run, &subject->section->claims[subject->role], RD_LAW_NO_INPUT, NULL,
                        &claimed, NULL))
        return;
    const size_t most = 12, stride = 1 + count / most, shift = below(subject, stride);
    for (size_t cell = shift, at = 0; cell < count; cell += stride) {
        while (at < claimed.count && claimed.cells[at] < cell)
            at++;
        const bool wanted = at < claimed.count && claimed.cells[at] == cell;
        environment_set(&environment, subject->reading.symbols.cell, (rd_wide)cell);
        const bool live = term_value(&environment, subject->reading.live) != 0;
        if (live != wanted || environment.undefined)
            fail_at(subject, place, cell, "live", live, wanted);
        const rd_wide value =
            live ? term_value(&environment, subject->reading.count) : (rd_wide)(2 + cell);
        if (value != cells[cell] || environment.undefined)
            fail_at(subject, place, cell, "count", value, cells[cell]);
        subject->points++;
        subject->live += live;
        subject->counted += live && value != 0;
    }
    rd_law_cells_finish(&claimed);
}
