// SPDX-License-Identifier: MIT
/* Laws as terms, next to the laws evaluated: for all programs, at random sizes, places, cells and inputs. */
#include "base/random.h"
#include "law/cells.h"
#include "prove/law_terms.h"
#include "reductio/numeric.h"
#include "reductio/program.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- the value of a term ---- */

enum { NAMES_MAX = 16 };

struct environment {
    size_t count;
    rd_term constants[NAMES_MAX];
    rd_wide values[NAMES_MAX];
    struct rd_law_run *run; /* for definitions by number */
    bool undefined;
};

static void set(struct environment *environment, rd_term constant, rd_wide value)
{
    for (size_t k = 0; k < environment->count; k++) {
        if (environment->constants[k] == constant) {
            environment->values[k] = value;
            return;
        }
    }
    assert_true(environment->count < NAMES_MAX);
    environment->constants[environment->count] = constant;
    environment->values[environment->count++] = value;
}

static rd_wide value_of(struct environment *environment, rd_term term);

/* NAME_k(x), by the definition. */
static rd_wide family_value(struct environment *environment, rd_term term)
{
    struct rd_law_run *run = environment->run;
    struct law_node numbers[LAW_INDICES_MAX], *kids[LAW_INDICES_MAX];
    const struct law_definition *definition = NULL;
    int64_t value = 0;
    for (size_t k = 0; k < run->law->n_definitions; k++)
        if (run->law->definitions[k]->kind == LAW_LET_FAMILY &&
            strcmp(run->law->definitions[k]->name, term->name) == 0)
            definition = run->law->definitions[k];
    if (!definition)
        fail_msg("a function %s", term->name);
    for (size_t k = 0; k < term->n_kids; k++) {
        numbers[k] = (struct law_node){.kind = LAW_NUMBER,
                                       .number = (int64_t)value_of(environment, term->kids[k])};
        kids[k] = &numbers[k];
    }
    const struct law_node node = {.kind = LAW_FAMILY,
                                  .name = term->name,
                                  .meaning = LAW_IS_DEFINITION,
                                  .definition = (struct law_definition *)definition,
                                  .n_kids = term->n_kids,
                                  .kids = kids};
    if (!rd_law_number(run, &node, &value))
        environment->undefined = true;
    return value;
}

static rd_wide applied(struct environment *environment, rd_term term)
{
    const rd_wide x = value_of(environment, term->kids[0]);
    rd_wide value = 1;
    if (strcmp(term->name, "pow2") == 0) {
        environment->undefined |= x < 0 || x > 100;
        return environment->undefined ? 0 : (rd_wide)1 << (int)x;
    }
    if (strcmp(term->name, "bit_ceil") == 0) {
        while (value < x)
            value *= 2;
        return value;
    }
    if (strcmp(term->name, "log2") == 0) {
        environment->undefined |= x < 1;
        for (value = 0; x >> value > 1; value++)
            ;
        return value;
    }
    if (strcmp(term->name, "root") == 0) {
        while (value * value <= x)
            value++;
        return value - 1;
    }
    if (strcmp(term->name, "before") == 0)
        return 2 + x;
    if (strcmp(term->name, "xor") == 0)
        return x ^ value_of(environment, term->kids[1]);
    return family_value(environment, term);
}

static rd_wide quotient(struct environment *environment, rd_term term, rd_wide *remainder)
{
    const rd_wide x = value_of(environment, term->kids[0]);
    const rd_wide y = value_of(environment, term->kids[1]);
    if (y < 1) {
        environment->undefined = true;
        return *remainder = 0;
    }
    *remainder = (x % y + y) % y;
    return (x - *remainder) / y;
}

static rd_wide sum_of(struct environment *environment, rd_term term)
{
    rd_wide sum = term->number;
    for (unsigned k = 0; k < term->n_kids; k++)
        sum += term->coefficients[k] * value_of(environment, term->kids[k]);
    return sum;
}

static rd_wide junction(struct environment *environment, rd_term term)
{
    const bool is_and = term->kind == RD_TERM_AND;
    for (unsigned k = 0; k < term->n_kids; k++)
        if ((value_of(environment, term->kids[k]) != 0) != is_and)
            return !is_and;
    return is_and;
}

static rd_wide constant_value(const struct environment *environment, rd_term term)
{
    for (size_t k = 0; k < environment->count; k++)
        if (environment->constants[k] == term)
            return environment->values[k];
    fail_msg("a constant %s", term->name);
    return 0;
}

static rd_wide value_of(struct environment *environment, rd_term term)
{
    const rd_term *kids = term->kids;
    rd_wide value = 1, remainder;
    switch (term->kind) {
    case RD_TERM_NUMBER:
        return term->number;
    case RD_TERM_CONSTANT:
        return constant_value(environment, term);
    case RD_TERM_APPLY:
        return applied(environment, term);
    case RD_TERM_SUM:
        return sum_of(environment, term);
    case RD_TERM_PRODUCT:
        for (unsigned k = 0; k < term->n_kids; k++)
            value *= value_of(environment, kids[k]);
        return value;
    case RD_TERM_DIV:
        return quotient(environment, term, &remainder);
    case RD_TERM_MOD:
        quotient(environment, term, &remainder);
        return remainder;
    case RD_TERM_CHOICE:
        return value_of(environment, kids[value_of(environment, kids[0]) ? 1 : 2]);
    case RD_TERM_TRUE:
        return 1;
    case RD_TERM_FALSE:
        return 0;
    case RD_TERM_NOT:
        return !value_of(environment, kids[0]);
    case RD_TERM_AND:
    case RD_TERM_OR:
        return junction(environment, term);
    case RD_TERM_LESS:
        return value_of(environment, kids[0]) < value_of(environment, kids[1]);
    case RD_TERM_EQUAL:
        return value_of(environment, kids[0]) == value_of(environment, kids[1]);
    default:
        fail_msg("a term of kind %d", (int)term->kind);
        return 0;
    }
}

/* ---- a paragraph ---- */

/* The quantities as constants. */
struct symbols {
    rd_term n, T, B, S, block, warp, variable, cell, units[2];
};

/* A sentence as terms. */
struct reading {
    struct rd_terms *terms;
    struct rd_law_reader *reader;
    struct symbols symbols;
    rd_term live, count;
};

/* The first round is one whose number is known. */
enum form { AT_FIRST, LATER, FORM_COUNT };

static rd_term before(void *self, rd_term cell)
{
    return rd_apply(self, "before", 1, &cell);
}

static void read_sentence(struct reading *reading, const struct rd_law *law,
                          const struct rd_law_section *section, enum rd_law_role role,
                          enum form form, unsigned n_units)
{
    static const char *const names[] = {"n", "T", "B", "S", "k", "v", "s", "c", "u", "w"};
    struct rd_terms *terms = reading->terms = rd_terms_create();
    rd_term made[sizeof names / sizeof *names];
    assert_non_null(terms);
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        made[k] = rd_constant(terms, names[k]);
    reading->symbols = (struct symbols){made[0], made[1], made[2], made[3],           made[4],
                                        made[5], made[6], made[7], {made[8], made[9]}};
    if (n_units < 2)
        reading->symbols.units[1] = NULL;
    const struct rd_law_units units = {law->n_inputs, reading->symbols.units};
    const struct rd_law_numbers at = {
        .n = made[0],
        .T = made[1],
        .B = made[2],
        .d = form == AT_FIRST ? rd_number(terms, 0) : rd_add(terms, made[3], rd_number(terms, 1)),
        .block = made[4],
        .warp = made[5],
        .variable = made[6],
    };
    const struct rd_law_reading how = {role, before, terms};
    reading->reader = rd_law_reader_create(terms, law, units);
    assert_non_null(reading->reader);
    reading->live = rd_law_term_live(reading->reader, section, role, &at, made[7]);
    reading->count = rd_law_term_count(reading->reader, section, &how, &at, made[7]);
    assert_false(rd_terms_failed(terms));
}

static void forget_sentence(struct reading *reading)
{
    rd_law_reader_destroy(reading->reader);
    rd_terms_destroy(reading->terms);
}

/* ---- at random places ---- */

struct place {
    struct rd_law_sizes sizes;
    struct rd_law_place place;
    uint64_t units[2];
    uint64_t input_sizes[2];
};

enum { CELLS_MAX = 4096 };

/* A subject of comparison: one sentence, read and evaluated. */
struct subject {
    const struct rd_program *program;
    const struct rd_law *law;
    const struct rd_law_section *section;
    enum rd_law_role role;
    enum form form;
    unsigned n_units;
    struct reading reading;
    size_t points, live, counted;
    uint64_t random;
};

static uint64_t below(struct subject *subject, uint64_t end)
{
    return rd_random(&subject->random) % end;
}

/* Sizes that the program accepts; most are small. */
static bool choose_sizes(struct subject *subject, struct place *place)
{
    static const uint64_t threads[] = {1, 2, 3, 4, 5, 8, 16, 17, 32, 33, 48, 70};
    const bool square = subject->law->inputs[0]->n_sizes > 1;
    struct rd_error error;
    for (unsigned attempt = 0; attempt < 50; attempt++) {
        struct rd_law_sizes sizes = {
            .n = square              ? 1 + below(subject, 4)
                 : below(subject, 5) ? 1 + below(subject, 40)
                                     : (uint64_t)1 << below(subject, 7),
            .T = threads[below(subject, square ? 4 : sizeof threads / sizeof *threads)],
            .B = 1 + below(subject, 4),
        };
        struct rd_shape shape = {.n = sizes.n,
                                 .block = (unsigned)sizes.T,
                                 .grid = subject->program->blocks ? sizes.B : 0};
        if (rd_program_accept(subject->program, &shape, &error) != RD_OK) {
            sizes.B = (sizes.n + sizes.T - 1) / sizes.T;
            shape.grid = subject->program->blocks ? sizes.B : 0;
            if (rd_program_accept(subject->program, &shape, &error) != RD_OK)
                continue;
        }
        place->sizes = sizes;
        return true;
    }
    return false;
}

/* The round, and a step of the point; false where there is none for the sentence. */
static bool choose_place(struct subject *subject, struct rd_law_run *run, struct place *place)
{
    struct rd_law_error error;
    uint64_t *values = NULL;
    size_t count = 0;
    place->place = (struct rd_law_place){
        .d = subject->form == AT_FIRST ? 0 : 1 + below(subject, below(subject, 3) ? 2 : 6),
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
        place->units[k] = k == 1 && below(subject, 4) ? place->units[0] % place->input_sizes[1]
                                                      : below(subject, place->input_sizes[k]);
    }
    return true;
}

static void set_all(struct subject *subject, struct rd_law_run *run, const struct place *place,
                    struct environment *environment)
{
    const struct symbols *symbols = &subject->reading.symbols;
    *environment = (struct environment){.run = run};
    set(environment, symbols->n, (rd_wide)place->sizes.n);
    set(environment, symbols->T, (rd_wide)place->sizes.T);
    set(environment, symbols->B, (rd_wide)place->sizes.B);
    set(environment, symbols->S, (rd_wide)place->place.d - 1);
    set(environment, symbols->block, (rd_wide)place->place.block);
    set(environment, symbols->warp, (rd_wide)place->place.warp);
    set(environment, symbols->variable, (rd_wide)place->place.variable);
    for (unsigned k = 0; k < subject->n_units; k++)
        set(environment, symbols->units[k], (rd_wide)place->units[k]);
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

static void fail_at(const struct subject *subject, const struct place *place, size_t cell,
                    const char *what, rd_wide is, rd_wide wanted)
{
    rd_term_print(subject->reading.live, stdout);
    printf("\n");
    rd_term_print(subject->reading.count, stdout);
    printf("\n");
    fail_msg("%s %s role %d n=%d T=%d B=%d d=%d block=%d warp=%d step=%d units %d %d cell %zu: %s "
             "%d, not %d",
             subject->program->name, subject->section->name ? subject->section->name : "program",
             (int)subject->role, (int)place->sizes.n, (int)place->sizes.T, (int)place->sizes.B,
             (int)place->place.d, (int)place->place.block, (int)place->place.warp,
             (int)place->place.variable, (int)place->units[0], (int)place->units[1], cell, what,
             (int)is, (int)wanted);
}

static bool premises_hold(const struct subject *subject, struct environment *environment)
{
    const struct rd_term_list *premises = rd_law_reader_premises(subject->reading.reader);
    for (size_t k = 0; k < premises->count; k++)
        if (!value_of(environment, premises->terms[k]))
            return false;
    return true;
}

static void compare_cells(struct subject *subject, struct rd_law_run *run,
                          const struct place *place)
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
    const size_t most = 30, stride = 1 + count / most, shift = below(subject, stride);
    for (size_t cell = shift, at = 0; cell < count; cell += stride) {
        while (at < claimed.count && claimed.cells[at] < cell)
            at++;
        const bool wanted = at < claimed.count && claimed.cells[at] == cell;
        set(&environment, subject->reading.symbols.cell, (rd_wide)cell);
        const bool live = value_of(&environment, subject->reading.live) != 0;
        if (live != wanted || environment.undefined)
            fail_at(subject, place, cell, "live", live, wanted);
        const rd_wide value =
            live ? value_of(&environment, subject->reading.count) : (rd_wide)(2 + cell);
        if (value != cells[cell] || environment.undefined)
            fail_at(subject, place, cell, "count", value, cells[cell]);
        subject->points++;
        subject->live += live;
        subject->counted += live && value != 0;
    }
    rd_law_cells_finish(&claimed);
}

/* ---- programs ---- */

/* Sentences that aren't read, by the program and the reason. */
static const struct {
    const char *program, *why;
} not_read[] = {
    {"mse", "'(a[j]-b[j])^2': a product with two elements of the same array"},
    {"cosine", "'a[j]^2': a product with two elements of the same array"},
    {"norm", "'a[j]^2': a product with two elements of the same array"},
};

static bool is_read(const struct subject *subject)
{
    const char *failure = rd_law_reader_failure(subject->reading.reader);
    for (size_t k = 0; k < sizeof not_read / sizeof *not_read; k++)
        if (strcmp(not_read[k].program, subject->program->name) == 0 &&
            strncmp(failure, not_read[k].why, strlen(not_read[k].why)) == 0)
            return false;
    if (*failure)
        fail_msg("%s %s role %d: %s", subject->program->name,
                 subject->section->name ? subject->section->name : "program", (int)subject->role,
                 failure);
    return true;
}

static void compare_sentence(struct subject *subject, size_t points)
{
    read_sentence(&subject->reading, subject->law, subject->section, subject->role, subject->form,
                  subject->n_units);
    const bool read = is_read(subject);
    subject->points = subject->live = subject->counted = 0;
    for (size_t k = 0; read && k < 4 * points && subject->points < points; k++) {
        struct place place = {.sizes = {0}};
        struct rd_law_run *run;
        struct rd_law_error error;
        if (!choose_sizes(subject, &place) ||
            rd_law_run_create(&run, subject->law, &place.sizes, &error) != RD_OK)
            continue;
        if (choose_place(subject, run, &place))
            compare_cells(subject, run, &place);
        rd_law_run_destroy(run);
    }
    if (read && (subject->points < points || subject->live == 0 ||
                 (subject->counted == 0 && subject->reading.count->kind != RD_TERM_NUMBER)))
        fail_msg("%s %s role %d form %d: %zu points, %zu live, %zu not 0", subject->program->name,
                 subject->section->name ? subject->section->name : "program", (int)subject->role,
                 (int)subject->form, subject->points, subject->live, subject->counted);
    if (getenv("RD_TEST_PRINT"))
        printf("%s %s role %d form %d: %zu points, %zu live, %zu not 0\n", subject->program->name,
               subject->section->name ? subject->section->name : "program", (int)subject->role,
               (int)subject->form, subject->points, subject->live, subject->counted);
    forget_sentence(&subject->reading);
}

static void compare_program(const struct rd_program *program, size_t points)
{
    struct rd_law *law;
    struct rd_law_error error;
    assert_int_equal(rd_law_create(&law, rd_program_law(program), &error), RD_OK);
    for (size_t k = 0; k < law->n_sections; k++) {
        for (unsigned role = 0; role < 3; role++) {
            for (unsigned form = 0; form < FORM_COUNT; form++) {
                struct subject subject = {.program = program,
                                          .law = law,
                                          .section = law->sections[k],
                                          .role = (enum rd_law_role)role,
                                          .form = (enum form)form,
                                          .random = 1};
                if (subject.section->claims[role].count == 0 ||
                    (form == AT_FIRST && (k > 0 || role == RD_LAW_UPDATE)))
                    continue;
                for (unsigned units = 1; units <= law->n_inputs; units++) {
                    subject.n_units = units;
                    compare_sentence(&subject, points);
                }
            }
        }
    }
    rd_law_destroy(law);
}

static void test_paragraphs_as_terms_say_what_they_say_evaluated(void **state)
{
    (void)state;
    for (const struct rd_program *const *program = rd_programs; *program; program++)
        if (!rd_program_is_fault(*program))
            compare_program(*program, 500);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_paragraphs_as_terms_say_what_they_say_evaluated),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
