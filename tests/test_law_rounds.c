// SPDX-License-Identifier: MIT
/* Rounds by the laws of all programs: starts and updates preserve them, and agree on values with the functions in
 * invariants/ that do the same. */
#include "law_programs.h"

/* ---- updates preserve ---- */

static void judge_preserved(struct subject *subject, const struct rd_law_section *section,
                            const struct rd_law_place *before, const struct rd_law_place *after)
{
    for (size_t input = 0; input < rd_law_input_count(subject->law); input++) {
        struct rd_law_broken broken;
        struct rd_law_error error;
        bool preserved = false;
        if (rd_law_preserves(subject->run, section, before ? RD_LAW_UPDATE : RD_LAW_START, before,
                             after, input, &preserved, &broken, &error) != RD_OK)
            fail_law(subject, &error);
        if (!preserved)
            fail_msg(
                "%s n=%zu block=%u grid=%zu d=%zu block %zu warp %zu at %zu: cell %zu %s, input "
                "%zu %zu times, not %zu",
                subject->program->name, subject->shape.n, subject->shape.block, subject->shape.grid,
                (size_t)after->d, (size_t)after->block, (size_t)after->warp,
                (size_t)after->variable, (size_t)broken.cell, broken.unknown ? "unknown" : "",
                (size_t)broken.index, broken.made, broken.wanted);
        figures.places++;
    }
}

static void judge_preserved_at_point(struct subject *subject, const struct meeting *meeting)
{
    struct rd_law_place after = law_place(&meeting->places[0]), before;
    uint64_t *steps;
    size_t n_steps;
    struct rd_law_error error;
    if (rd_law_steps(subject->run, meeting->section, &after, &steps, &n_steps, &error) != RD_OK)
        fail_law(subject, &error);
    for (size_t k = 0; k < (n_steps ? n_steps : 1); k++) {
        before = after;
        after.variable = n_steps ? steps[k] : 0;
        judge_preserved(subject, meeting->section, k ? &before : NULL, &after);
    }
    free(steps);
}

/* An array aside: at all of its steps in each round. */
static void judge_preserved_aside(struct subject *subject, const struct rd_law_section *section,
                                  unsigned step)
{
    struct rd_law_place after = {.d = step}, before;
    uint64_t *steps;
    size_t n_steps;
    struct rd_law_error error;
    if (rd_law_steps(subject->run, section, &after, &steps, &n_steps, &error) != RD_OK)
        fail_law(subject, &error);
    for (size_t k = 0; k < n_steps; k++) {
        before = after;
        after.variable = steps[k];
        judge_preserved(subject, section, k ? &before : NULL, &after);
        figures.aside++;
    }
    free(steps);
}

static void judge_all_preserved(struct subject *subject)
{
    if (figures.shapes % 5 != 1)
        return;
    for (unsigned step = 0; step <= rd_program_rounds(subject->program, &subject->shape); step++)
        judge_preserved(subject, rd_law_section(subject->law, 0),
                        step ? &(struct rd_law_place){.d = step - 1} : NULL,
                        &(struct rd_law_place){.d = step});
    for (size_t k = 1; k < rd_law_section_count(subject->law); k++) {
        const struct rd_law_section *section = rd_law_section(subject->law, k);
        struct rd_law_about about;
        enum rd_point point;
        rd_law_about(section, &about);
        for (unsigned step = 0; !rd_point_named(about.point, &point) &&
                                step <= rd_program_rounds(subject->program, &subject->shape);
             step++)
            judge_preserved_aside(subject, section, step);
    }
    judge_points(subject, judge_preserved_at_point);
}

static void test_starts_and_updates_preserve_the_laws(void **state)
{
    (void)state;
    memset(&figures, 0, sizeof figures);
    for_each_subject(judge_all_preserved);
    print_message("%zu starts and updates\n", figures.places);
    assert_more_than(1000, figures.places);
    assert_more_than(20, figures.aside);
}

/* ---- values ---- */

static const struct rd_numeric *numeric;

static void *random_values(size_t count, unsigned seed)
{
    unsigned char *values = calloc(count + 1, 8);
    assert_non_null(values);
    for (size_t j = 0; j < count; j++) {
        seed = seed * 1664525u + 1013904223u;
        if (numeric->type == RD_TYPE_F32)
            ((float *)values)[j] =
                (float)((int)(seed >> 8) % 1000003) / 977.0f * (j % 3 ? 1 : 1000);
        else if (numeric->type == RD_TYPE_F64)
            ((double *)values)[j] = ((int)(seed >> 8) % 1000003) / 977.0 * (j % 3 ? 1 : 1000);
        else
            numeric->store(values, j, numeric->from_u64((uint64_t)seed * seed));
    }
    return values;
}

static const void *inputs[2];

static void judge_values(const struct subject *subject, const char *where, const void *cells,
                         const void *wanted, size_t count, size_t stride)
{
    for (size_t k = 0; k < count; k++) {
        rd_bits is = numeric->load(cells, k * stride), should = numeric->load(wanted, k * stride);
        char x[RD_VALUE_TEXT_SIZE], y[RD_VALUE_TEXT_SIZE];
        numeric->format(x, is);
        numeric->format(y, should);
        if (!numeric->same(is, should))
            fail_msg("%s %s n=%zu block=%u grid=%zu %s: cell %zu is %s by the law, not %s",
                     subject->program->name, numeric->name, subject->shape.n, subject->shape.block,
                     subject->shape.grid, where, k * stride, x, y);
    }
    figures.moved += count;
}

static void judge_values_at_point(struct subject *subject, const struct meeting *meeting)
{
    const struct rd_law_data data = {.numeric = numeric, .inputs = inputs, .one_by_one = true};
    const size_t n_cells =
        rd_program_point_cells(subject->program, &subject->shape, meeting->point->point);
    struct rd_law_place place = law_place(&meeting->places[0]);
    uint64_t *steps, size = 0;
    size_t n_steps, met = 0;
    struct rd_law_error error;
    if (rd_law_steps(subject->run, meeting->section, &place, &steps, &n_steps, &error) != RD_OK ||
        rd_law_array_size(subject->run, meeting->section, &place, &size, &error) != RD_OK)
        fail_law(subject, &error);
    void *cells = calloc(size + 1, numeric->size_bytes);
    for (size_t k = 0; k < (n_steps ? n_steps : 1); k++) {
        place.variable = n_steps ? steps[k] : meeting->places[0].variable;
        if (rd_law_apply(subject->run, meeting->section, k ? RD_LAW_UPDATE : RD_LAW_START, &place,
                         &data, cells, NULL, &error) != RD_OK)
            fail_law(subject, &error);
        if (met == meeting->count || meeting->places[met].variable != place.variable)
            continue;
        struct rd_expect expect = {.numeric = numeric,
                                   .shape = subject->shape,
                                   .n = n_cells,
                                   .n_inputs = subject->n_a,
                                   .a = inputs[0],
                                   .b = rd_program_has_b(subject->program) ? inputs[1] : NULL,
                                   .cells = calloc(n_cells + 1024, 8),
                                   .stride = 1};
        struct rd_claim claim;
        char where[100];
        snprintf(where, sizeof where, "%s block %zu warp %d at %zu",
                 rd_point_name(meeting->point->point), (size_t)place.block,
                 meeting->places[met].warp, (size_t)place.variable);
        assert_int_equal(
            rd_program_expect_at(subject->program, &expect, &meeting->places[met], NULL, NULL),
            RD_OK);
        rd_program_claim_at(subject->program, &subject->shape, &meeting->places[met], &claim);
        judge_values(subject, where, cells, expect.cells, claim.count, claim.stride);
        free(expect.cells);
        met++;
    }
    if (met != meeting->count)
        fail_msg("%s n=%zu block=%u grid=%zu %s: the law's steps don't come to %zu",
                 subject->program->name, subject->shape.n, subject->shape.block,
                 subject->shape.grid, rd_point_name(meeting->point->point),
                 (size_t)meeting->places[met].variable);
    free(cells);
    free(steps);
}

static void judge_all_values(struct subject *subject)
{
    const struct rd_law_section *section = rd_law_section(subject->law, 0);
    const unsigned rounds = rd_program_rounds(subject->program, &subject->shape);
    const size_t n_cells = rd_program_cells(subject->program, &subject->shape);
    const struct rd_law_data data = {.numeric = numeric, .inputs = inputs, .one_by_one = true};
    struct rd_expect expect;
    struct rd_error refused;
    struct rd_law_error error;
    uint64_t size;
    void *a = random_values(subject->n_a, 1), *b = random_values(subject->n_b, 77);
    inputs[0] = a;
    inputs[1] = b;
    for (size_t k = 0; k < rd_law_input_count(subject->law); k++) {
        if (rd_law_input_size(subject->run, k, &size, &error) != RD_OK)
            fail_law(subject, &error);
        assert_int_equal(size, k ? subject->n_b : subject->n_a);
    }
    if (rd_law_array_size(subject->run, section, NULL, &size, &error) != RD_OK)
        fail_law(subject, &error);
    assert_int_equal(size, n_cells);
    void *cells = calloc(n_cells + 1, numeric->size_bytes);
    assert_int_equal(
        rd_expect_init(&expect, subject->program, numeric, &subject->shape, a, b, &refused), RD_OK);
    for (unsigned step = 0; step <= rounds; step++) {
        char where[40];
        bool any_order = false;
        snprintf(where, sizeof where, "after round %u", step);
        assert_int_equal(rd_program_advance(subject->program, &expect, step, NULL), RD_OK);
        numeric->settle(&expect);
        if (rd_law_apply(subject->run, section, step ? RD_LAW_UPDATE : RD_LAW_START,
                         &(struct rd_law_place){.d = step}, &data, cells, &any_order,
                         &error) != RD_OK)
            fail_law(subject, &error);
        if (any_order != expect.any_order && numeric->is_float)
            fail_msg("%s %s: the law %s any order", subject->program->name, where,
                     any_order ? "says" : "doesn't say");
        if (!expect.any_order || !numeric->is_float)
            judge_values(subject, where, cells, expect.cells, n_cells, 1);
    }
    rd_expect_finish(&expect);
    judge_points(subject, judge_values_at_point);
    free(cells);
    free(a);
    free(b);
}

static void test_updates_of_each_program_give_its_values_to_the_bit(void **state)
{
    (void)state;
    for (unsigned type = 0; type < RD_TYPE_COUNT; type++) {
        numeric = rd_numeric((enum rd_type)type);
        memset(&figures, 0, sizeof figures);
        for_each_subject(judge_all_values);
        print_message("%s: %zu programs, %zu shapes, %zu cells\n", numeric->name, figures.programs,
                      figures.shapes, figures.moved);
        assert_more_than(10000, figures.moved);
    }
}

/* The array that a step asks for is kept from the step before, and undone to where it was: of several blocks of cells, and
 * from inputs that are others in the next run. */
static void test_array_kept_from_step_to_step_is_that_worked_out_anew(void **state)
{
    const struct rd_program *program = rd_program_named("unfold");
    (void)state;
    for (unsigned type = 0; type < RD_TYPE_COUNT; type++) {
        const struct rd_shape shape = rd_program_shape(program, (struct rd_shape){.n = 1 << 13});
        const struct rd_law_sizes sizes = {.n = shape.n, .T = shape.block};
        const unsigned rounds = rd_program_rounds(program, &shape);
        struct rd_law *law;
        struct rd_law_run *run;
        numeric = rd_numeric((enum rd_type)type);
        assert_int_equal(rd_law_create(&law, rd_program_law(program), NULL), RD_OK);
        assert_int_equal(rd_law_run_create(&run, law, &sizes, NULL), RD_OK);
        void *a = random_values(shape.n, 5), *cells = calloc(shape.n, numeric->size_bytes);
        const void *const own[] = {a};
        const struct rd_law_data data = {.numeric = numeric, .inputs = own};
        struct rd_expect expect;
        assert_int_equal(rd_expect_init(&expect, program, numeric, &shape, a, NULL, NULL), RD_OK);
        for (unsigned pass = 0; pass < 2; pass++) {
            for (unsigned step = 0; step <= (pass ? rounds : 0); step++) {
                const struct rd_law_place place = {.d = step};
                assert_int_equal(rd_program_advance(program, &expect, step, NULL), RD_OK);
                assert_int_equal(rd_law_apply(run, rd_law_section(law, 0),
                                              step ? RD_LAW_UPDATE : RD_LAW_START, &place, &data,
                                              cells, NULL, NULL),
                                 RD_OK);
                assert_memory_equal(expect.cells, cells, shape.n * numeric->size_bytes);
            }
            /* In the same memory. */
            memset(a, 0, shape.n / 2 * numeric->size_bytes);
            assert_int_equal(rd_program_start(program, &expect, NULL), RD_OK);
        }
        rd_expect_finish(&expect);
        rd_law_run_destroy(run);
        rd_law_destroy(law);
        free(a);
        free(cells);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_starts_and_updates_preserve_the_laws),
        cmocka_unit_test(test_updates_of_each_program_give_its_values_to_the_bit),
        cmocka_unit_test(test_array_kept_from_step_to_step_is_that_worked_out_anew),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
