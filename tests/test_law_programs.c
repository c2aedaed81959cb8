// SPDX-License-Identifier: MIT
/* The laws of all programs: live cells and their inputs, evaluated in two ways, and next to a record; and what starts and
 * updates make of values, next to the functions in invariants/ that do the same. RD_TEST_SHAPES=all: of many more shapes. */
#include "law/law.h"
#include "laws.h"
#include "names.h"
#include "program.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct figures {
    size_t programs, shapes, places, cells, pairs, moved;
} figures;

/* A program on a shape, and its law. */
struct subject {
    const struct rd_program *program;
    struct rd_shape shape;
    const struct rd_law *law;
    struct rd_law_run *run;
    size_t n_a, n_b;
};

static void fail_law(const struct subject *subject, const struct rd_law_error *error)
{
    fail_msg("%s n=%zu block=%u grid=%zu: %zu:%zu: %s", subject->program->name, subject->shape.n,
             subject->shape.block, subject->shape.grid, error->line, error->column,
             error->what.text);
}

/* ---- shapes ---- */

static bool starts_with(const char *text, const char *start)
{
    return strncmp(text, start, strlen(start)) == 0;
}

static size_t add_shapes(struct rd_shape *shapes, size_t count, const size_t *n,
                         const unsigned *block, const size_t *grid)
{
    for (; *n; n++)
        for (const unsigned *b = block; *b; b++)
            for (const size_t *g = grid; *g != SIZE_MAX; g++)
                shapes[count++] = (struct rd_shape){.n = *n, .block = *b, .grid = *g};
    return count;
}

#define SIZES(...)  ((const size_t[]){__VA_ARGS__, 0})
#define BLOCKS(...) ((const unsigned[]){__VA_ARGS__, 0})
#define GRIDS(...)  ((const size_t[]){__VA_ARGS__, SIZE_MAX})

enum { SHAPES_MAX = 1000 };

/* Sizes of 1, around a block, a warp and a power of two; blocks of less than a warp and of several. */
static size_t shapes_of(const char *program, struct rd_shape shapes[SHAPES_MAX])
{
    static const char *const squares[] = {"puzzle-map2d", "puzzle-blocks2d", "puzzle-broadcast",
                                          "puzzle-matmul"};
    const bool all = getenv("RD_TEST_SHAPES") && strcmp(getenv("RD_TEST_SHAPES"), "all") == 0;
    size_t count = 0;
    for (size_t k = 0; k < sizeof squares / sizeof *squares; k++)
        if (strcmp(program, squares[k]) == 0)
            return add_shapes(shapes, 0, SIZES(1, 2, 3, 4, 5, 7, 8), BLOCKS(1, 2, 3, 4, 6, 7),
                              GRIDS(0));
    if (starts_with(program, "ladder")) {
        count = all ? add_shapes(shapes, 0, SIZES(1, 2, 3, 7, 8, 16, 33, 50),
                                 BLOCKS(1, 2, 3, 4, 6, 8, 17), GRIDS(0, 1, 2, 3, 5))
                    : add_shapes(shapes, 0, SIZES(1, 7, 33), BLOCKS(1, 3, 8), GRIDS(0, 1, 3));
        count = add_shapes(shapes, count, SIZES(40), BLOCKS(32), GRIDS(0));
        count = add_shapes(shapes, count, SIZES(70), BLOCKS(33), GRIDS(2));
        count = add_shapes(shapes, count, SIZES(150), BLOCKS(64), GRIDS(0));
        count = add_shapes(shapes, count, SIZES(150), BLOCKS(70), GRIDS(1));
        count = add_shapes(shapes, count, SIZES(97), BLOCKS(96), GRIDS(2));
        count = add_shapes(shapes, count, SIZES(300), BLOCKS(100), GRIDS(3));
        return add_shapes(shapes, count, SIZES(600), BLOCKS(128), GRIDS(2));
    }
    if (strcmp(program, "fold") == 0 || strcmp(program, "unfold") == 0 ||
        strcmp(program, "dot-fold") == 0)
        return add_shapes(shapes, 0, SIZES(1, 2, 4, 8, 16, 32, 64, 128), BLOCKS(1, 4, 256),
                          GRIDS(0));
    if (starts_with(program, "fold") || strstr(program, "tournament") ||
        strcmp(program, "multiply") == 0) {
        for (size_t n = 1; n <= (all ? 66 : 34); n++)
            count = add_shapes(shapes, count, SIZES(n), BLOCKS(4), GRIDS(0));
        return add_shapes(shapes, count, SIZES(100, 127, 128), BLOCKS(4), GRIDS(0));
    }
    count =
        all ? add_shapes(shapes, 0, SIZES(1, 2, 3, 5, 8, 15, 16, 17, 33, 40),
                         BLOCKS(1, 2, 3, 4, 8, 16, 32), GRIDS(0, 1, 2, 3, 7))
            : add_shapes(shapes, 0, SIZES(1, 3, 8, 17, 33), BLOCKS(1, 3, 4, 32), GRIDS(0, 1, 3));
    count = add_shapes(shapes, count, SIZES(100, 130), BLOCKS(64), GRIDS(2, 3));
    return add_shapes(shapes, count, SIZES(200), BLOCKS(128), GRIDS(0));
}

/* Goes through the shapes that the program takes. */
static void for_each_subject(void (*judge)(struct subject *subject))
{
    static struct rd_shape shapes[SHAPES_MAX];
    for (size_t k = 0; right_program(k); k++) {
        struct subject subject = {.program = right_program(k)};
        struct rd_law *law;
        struct rd_law_error error;
        if (rd_law_create(&law, rd_program_law(subject.program), &error) != RD_OK)
            fail_msg("%s: %zu:%zu: %s", subject.program->name, error.line, error.column,
                     error.what.text);
        subject.law = law;
        figures.programs++;
        size_t count = shapes_of(subject.program->name, shapes);
        for (size_t s = 0; s < count; s++) {
            struct rd_error refused;
            subject.shape = rd_program_shape(subject.program, shapes[s]);
            if (rd_program_accept(subject.program, &subject.shape, &refused) != RD_OK)
                continue;
            subject.n_a = rd_program_inputs(subject.program, &subject.shape);
            subject.n_b = rd_program_inputs_b(subject.program, &subject.shape);
            const struct rd_law_sizes sizes = {
                .n = subject.shape.n, .T = subject.shape.block, .B = subject.shape.grid};
            assert_int_equal(rd_law_run_create(&subject.run, law, &sizes, &error), RD_OK);
            figures.shapes++;
            judge(&subject);
            rd_law_run_destroy(subject.run);
        }
        rd_law_destroy(law);
    }
}

/* ---- points ---- */

enum { PLACES_MAX = 4096 };

/* All that a warp meets of a point in a round. */
struct meeting {
    const struct rd_point_invariant *point;
    const struct rd_law_section *section;
    size_t count;
    struct rd_place places[PLACES_MAX];
};

typedef void judge_meeting(struct subject *subject, const struct meeting *meeting);

static void judge_round(struct subject *subject, const struct rd_round *round, judge_meeting *judge)
{
    static struct meeting meeting;
    const uint64_t blocks = rd_round_blocks_in_all(round);
    const unsigned warps = (rd_round_threads(round) + 31) / 32;
    meeting.count = 0;
    for (uint64_t block = 0; block < blocks; block++) {
        if (blocks > 4 && block != 0 && block != 1 && block != blocks / 2 && block != blocks - 1)
            continue;
        for (unsigned warp = 0; warp < warps; warp++) {
            const struct rd_passing by = {.shape = &subject->shape,
                                          .type = RD_TYPE_I32,
                                          .round = round,
                                          .block = block,
                                          .warp = warp};
            const size_t passes = rd_program_passes(subject->program, &by, true);
            struct rd_place place;
            for (size_t k = 0; k <= passes; k++) {
                bool met = k < passes && rd_program_pass(subject->program, &by, true, k, &place);
                if (meeting.count > 0 && (!met || place.point != meeting.point->point)) {
                    /* What a block's array holds is the same for all of its warps. */
                    if (warp == 0 ||
                        rd_program_point_is_of_lanes(subject->program, meeting.point->point))
                        judge(subject, &meeting);
                    meeting.count = 0;
                }
                if (!met)
                    continue;
                meeting.point = rd_program_point(subject->program, place.point);
                meeting.section = rd_law_section_at(subject->law, rd_point_name(place.point));
                assert_true(meeting.count < PLACES_MAX);
                meeting.places[meeting.count++] = place;
            }
        }
    }
}

/* The meetings of all rounds of which the shape decides. */
static void judge_points(struct subject *subject, judge_meeting *judge)
{
    struct rd_round round;
    for (unsigned number = 1; rd_program_round(subject->program, &subject->shape, number, &round);
         number++)
        judge_round(subject, &round, judge);
}

static struct rd_law_place law_place(const struct rd_place *place)
{
    return (struct rd_law_place){.block = place->block,
                                 .warp = place->warp == RD_WHOLE_BLOCK ? 0 : (uint64_t)place->warp,
                                 .variable = place->variable};
}

/* ---- membership ---- */

/* Compares the law's cells with the claim's, and each pair with what `contains` says. */
static void judge_cells(const struct subject *subject, const char *where,
                        const struct rd_claim *claim, const struct rd_law_cells *cells,
                        size_t n_inputs, bool (*contains)(void *context, size_t i, size_t j),
                        void *context)
{
    bool *held = calloc(n_inputs + 1, sizeof *held);
    assert_non_null(held);
    figures.places++;
    if (cells->count != claim->count || cells->n_outside > 0)
        fail_msg("%s n=%zu block=%u grid=%zu %s: %zu cells, not %zu, %zu outside",
                 subject->program->name, subject->shape.n, subject->shape.block,
                 subject->shape.grid, where, cells->count, claim->count, cells->n_outside);
    for (size_t k = 0; k < cells->count; k++) {
        const size_t cell = k * claim->stride;
        if (cells->cells[k] != cell)
            fail_msg("%s n=%zu block=%u grid=%zu %s: cell %zu, not %zu", subject->program->name,
                     subject->shape.n, subject->shape.block, subject->shape.grid, where,
                     (size_t)cells->cells[k], cell);
        memset(held, 0, n_inputs);
        for (size_t q = cells->first[k]; q < cells->first[k + 1]; q++) {
            assert_true(cells->inputs[q] < n_inputs);
            if (held[cells->inputs[q]])
                fail_msg("%s %s: input %zu twice in cell %zu", subject->program->name, where,
                         (size_t)cells->inputs[q], cell);
            held[cells->inputs[q]] = true;
        }
        for (size_t j = 0; contains && j < n_inputs; j++)
            if (held[j] != contains(context, cell, j))
                fail_msg("%s n=%zu block=%u grid=%zu %s: input %zu is %sin cell %zu by the law",
                         subject->program->name, subject->shape.n, subject->shape.block,
                         subject->shape.grid, where, j, held[j] ? "" : "not ", cell);
        figures.cells++;
        figures.pairs += contains ? n_inputs : 0;
    }
    free(held);
}

/* A place of a program, after a round or (`at` not NULL) at a checkpoint. */
struct asked {
    const struct subject *subject;
    unsigned step;
    const struct rd_place *at;
    bool of_b;
};

static bool contains(void *context, size_t i, size_t j)
{
    const struct asked *asked = context;
    const struct rd_program *program = asked->subject->program;
    const struct rd_shape *shape = &asked->subject->shape;
    if (asked->at)
        return asked->of_b ? rd_program_contains_b_at(program, shape, asked->at, i, j)
                           : rd_program_contains_at(program, shape, asked->at, i, j);
    return asked->of_b ? rd_program_contains_b(program, shape, asked->step, i, j)
                       : rd_program_contains(program, shape, asked->step, i, j);
}

static void judge_membership_of(const char *where, const struct rd_law_section *section,
                                const struct rd_law_place *place, struct asked *asked,
                                const struct rd_claim *claim)
{
    const struct subject *subject = asked->subject;
    for (unsigned of_b = 0; of_b < rd_law_input_count(subject->law); of_b++) {
        struct rd_law_cells cells;
        struct rd_law_error error;
        asked->of_b = of_b;
        if (rd_law_cells_init(&cells, subject->run, section, place, (int)of_b, &error) != RD_OK)
            fail_law(subject, &error);
        judge_cells(subject, where, claim, &cells, of_b ? subject->n_b : subject->n_a, contains,
                    asked);
        rd_law_cells_finish(&cells);
    }
}

static void judge_membership_at_point(struct subject *subject, const struct meeting *meeting)
{
    if (!meeting->section)
        fail_msg("%s: no law at '%s'", subject->program->name,
                 rd_point_name(meeting->point->point));
    for (size_t k = 0; k < meeting->count; k++) {
        const struct rd_law_place place = law_place(&meeting->places[k]);
        struct asked asked = {subject, 0, &meeting->places[k], false};
        struct rd_claim claim;
        char where[100];
        snprintf(where, sizeof where, "%s block %zu warp %d at %zu",
                 rd_point_name(meeting->point->point), (size_t)asked.at->block, asked.at->warp,
                 (size_t)asked.at->variable);
        rd_program_claim_at(subject->program, &subject->shape, asked.at, &claim);
        judge_membership_of(where, meeting->section, &place, &asked, &claim);
    }
}

static void judge_membership(struct subject *subject)
{
    const unsigned rounds = rd_program_rounds(subject->program, &subject->shape);
    for (unsigned step = 0; step <= rounds; step++) {
        struct asked asked = {subject, step, NULL, false};
        struct rd_claim claim;
        char where[40];
        snprintf(where, sizeof where, "after round %u", step);
        rd_program_claim(subject->program, &subject->shape, step, &claim);
        judge_membership_of(where, rd_law_section(subject->law, 0),
                            &(struct rd_law_place){.d = step}, &asked, &claim);
    }
    judge_points(subject, judge_membership_at_point);
}

/* ---- what was recorded ---- */

/* laws.txt has a line for each step of each program on a few shapes, and one for all checkpoints of a point: the
 * claim, a digest of which inputs are in which cell, and the sentence. It was written by functions that were
 * independent of the laws:
 *     fold 8 4 0 after 1: 4/1 ab4455bba0e16d85 for 0 <= i < 4: A[i] = sum of a[j], j mod 4 = i
 *     dot-cpu 8 4 0 at serial: 5 places ec1844ef36e02ddc
 * A digest of 0: the cells hold no sums. */
enum { RECORD_MAX = 600 };

static uint64_t digest_bit(uint64_t digest, bool bit)
{
    return (digest ^ (bit ? 0x9e : 0x31)) * 1099511628211u;
}

static uint64_t digest_number(uint64_t digest, uint64_t number)
{
    for (unsigned bit = 0; bit < 64; bit++)
        digest = digest_bit(digest, number >> bit & 1);
    return digest;
}

static const uint64_t digest_of_nothing = 14695981039346656037u;

static uint64_t digest_members(uint64_t digest, struct asked *asked, const struct rd_claim *claim)
{
    const struct subject *subject = asked->subject;
    for (unsigned of_b = 0; of_b <= rd_program_has_b(subject->program); of_b++) {
        asked->of_b = of_b;
        for (size_t i = 0; i < claim->count; i++)
            for (size_t j = 0; j < (of_b ? subject->n_b : subject->n_a); j++)
                digest = digest_bit(digest, contains(asked, i * claim->stride, j));
    }
    return digest;
}

static void judge_recorded_step(const struct subject *subject, unsigned step, const char *record,
                                const char *recorded)
{
    struct asked asked = {subject, step, NULL, false};
    struct rd_claim claim;
    size_t count, stride;
    unsigned long long digest;
    int length;
    char statement[RD_STATEMENT_SIZE];
    assert_int_equal(sscanf(recorded, "%zu/%zu %llx %n", &count, &stride, &digest, &length), 3);
    rd_program_claim(subject->program, &subject->shape, step, &claim);
    rd_program_statement(subject->program, &subject->shape, step, RD_OPERATION_SUM, statement);
    if (claim.count != count || claim.stride != stride ||
        (digest != 0 && digest_members(digest_of_nothing, &asked, &claim) != digest))
        fail_msg("%s: the law claims %zu/%zu", record, claim.count, claim.stride);
    if (strcmp(statement, recorded + length) != 0)
        fail_msg("%s: the law says %s", record, statement);
    figures.cells += count;
}

static uint64_t digests[RD_POINT_COUNT];
static size_t n_places[RD_POINT_COUNT];

static void digest_meeting(struct subject *subject, const struct meeting *meeting)
{
    uint64_t *digest = &digests[meeting->point->point];
    for (size_t k = 0; k < meeting->count; k++) {
        struct asked asked = {subject, 0, &meeting->places[k], false};
        struct rd_claim claim;
        rd_program_claim_at(subject->program, &subject->shape, asked.at, &claim);
        *digest = digest_number(digest_number(*digest, claim.count), claim.stride);
        *digest = digest_members(*digest, &asked, &claim);
        n_places[meeting->point->point]++;
    }
}

static void judge_recorded_points(struct subject *subject, const char *point, const char *record,
                                  const char *recorded)
{
    size_t wanted;
    unsigned long long digest;
    int which = 0;
    while (which < RD_POINT_COUNT && strcmp(rd_point_name((enum rd_point)which), point) != 0)
        which++;
    assert_true(which < RD_POINT_COUNT);
    assert_int_equal(sscanf(recorded, "%zu places %llx", &wanted, &digest), 2);
    for (int p = 0; p < RD_POINT_COUNT; p++) {
        digests[p] = digest_of_nothing;
        n_places[p] = 0;
    }
    judge_points(subject, digest_meeting);
    if (n_places[which] != wanted || digests[which] != digest)
        fail_msg("%s: %zu places, and another digest", record, n_places[which]);
    figures.places += wanted;
}

static void judge_record(char *record)
{
    char name[60], kind[10], where[40];
    int length;
    struct subject subject = {0};
    struct rd_law *law;
    record[strcspn(record, "\n")] = '\0';
    assert_int_equal(sscanf(record, "%59s %zu %u %zu %9s %39[^:]: %n", name, &subject.shape.n,
                            &subject.shape.block, &subject.shape.grid, kind, where, &length),
                     6);
    subject.program = rd_program_named(name);
    assert_non_null(subject.program);
    subject.n_a = rd_program_inputs(subject.program, &subject.shape);
    subject.n_b = rd_program_inputs_b(subject.program, &subject.shape);
    assert_int_equal(rd_law_create(&law, rd_program_law(subject.program), NULL), RD_OK);
    subject.law = law;
    if (strcmp(kind, "after") == 0)
        judge_recorded_step(&subject, (unsigned)atoi(where), record, record + length);
    else
        judge_recorded_points(&subject, where, record, record + length);
    rd_law_destroy(law);
}

static void test_laws_say_what_is_recorded(void **state)
{
    char record[RECORD_MAX];
    FILE *records = fopen("tests/laws.txt", "r");
    (void)state;
    assert_non_null(records);
    memset(&figures, 0, sizeof figures);
    while (fgets(record, sizeof record, records)) {
        judge_record(record);
        figures.programs++;
    }
    fclose(records);
    print_message("%zu records, %zu cells, %zu places\n", figures.programs, figures.cells,
                  figures.places);
    assert_true(figures.programs > 1000 && figures.places > 1000);
}

/* ---- from the input to the cell ---- */

/* Programs with a point whose law can't be read that way: values made by functions. */
static const char *const one_way[] = {"cosine", "ladder-vectorised", "ladder-dot",
                                      "ladder-cooperative", "ladder-vectorised-atomic"};

static void judge_located(struct subject *subject, const struct rd_law_section *section,
                          const struct rd_law_place *place)
{
    struct rd_law_cells cells;
    struct rd_law_error error;
    uint64_t n_inputs;
    if (!rd_law_is_invertible(section)) {
        bool known = false;
        for (size_t k = 0; k < sizeof one_way / sizeof *one_way; k++)
            known |= starts_with(subject->program->name, one_way[k]);
        if (!known)
            fail_msg("%s: not invertible", subject->program->name);
        return;
    }
    for (size_t input = 0; input < rd_law_input_count(subject->law); input++) {
        if (rd_law_cells_init(&cells, subject->run, section, place, (int)input, &error) != RD_OK ||
            rd_law_input_size(subject->run, input, &n_inputs, &error) != RD_OK)
            fail_law(subject, &error);
        for (uint64_t j = 0; j < n_inputs; j++) {
            uint64_t *located;
            size_t count, met = 0;
            if (rd_law_locate(subject->run, section, place, input, j, &located, &count, &error) !=
                RD_OK)
                fail_law(subject, &error);
            for (size_t k = 0; k < cells.count; k++) {
                bool held = false;
                for (size_t q = cells.first[k]; q < cells.first[k + 1]; q++)
                    held |= cells.inputs[q] == j;
                if (!held)
                    continue;
                if (met == count || located[met] != cells.cells[k])
                    fail_msg(
                        "%s n=%zu block=%u grid=%zu d=%zu: input %zu isn't located in cell %zu",
                        subject->program->name, subject->shape.n, subject->shape.block,
                        subject->shape.grid, (size_t)place->d, (size_t)j, (size_t)cells.cells[k]);
                met++;
            }
            if (met != count)
                fail_msg("%s n=%zu block=%u grid=%zu d=%zu: input %zu is located in cell %zu",
                         subject->program->name, subject->shape.n, subject->shape.block,
                         subject->shape.grid, (size_t)place->d, (size_t)j, (size_t)located[met]);
            figures.pairs += cells.count;
            free(located);
        }
        figures.places++;
        rd_law_cells_finish(&cells);
    }
}

static void judge_located_at_point(struct subject *subject, const struct meeting *meeting)
{
    for (size_t k = 0; k < meeting->count; k++) {
        const struct rd_law_place place = law_place(&meeting->places[k]);
        judge_located(subject, meeting->section, &place);
    }
}

static void judge_all_located(struct subject *subject)
{
    if (figures.shapes % 7 != 1)
        return;
    for (unsigned step = 0; step <= rd_program_rounds(subject->program, &subject->shape); step++)
        judge_located(subject, rd_law_section(subject->law, 0), &(struct rd_law_place){.d = step});
    judge_points(subject, judge_located_at_point);
}

static void test_cells_of_an_input_are_those_that_hold_it(void **state)
{
    (void)state;
    memset(&figures, 0, sizeof figures);
    for_each_subject(judge_all_located);
    print_message("%zu places, %zu pairs\n", figures.places, figures.pairs);
    assert_true(figures.pairs > 100000);
}

static void test_claims_and_members_are_those_of_the_law(void **state)
{
    (void)state;
    memset(&figures, 0, sizeof figures);
    for_each_subject(judge_membership);
    print_message("%zu programs, %zu shapes, %zu places, %zu cells, %zu pairs\n", figures.programs,
                  figures.shapes, figures.places, figures.cells, figures.pairs);
    assert_int_equal(figures.programs, count_right_programs());
    assert_true(figures.pairs > 1000000);
}

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

static void judge_all_preserved(struct subject *subject)
{
    if (figures.shapes % 5 != 1)
        return;
    for (unsigned step = 0; step <= rd_program_rounds(subject->program, &subject->shape); step++)
        judge_preserved(subject, rd_law_section(subject->law, 0),
                        step ? &(struct rd_law_place){.d = step - 1} : NULL,
                        &(struct rd_law_place){.d = step});
    judge_points(subject, judge_preserved_at_point);
}

static void test_starts_and_updates_preserve_the_laws(void **state)
{
    (void)state;
    memset(&figures, 0, sizeof figures);
    for_each_subject(judge_all_preserved);
    print_message("%zu starts and updates\n", figures.places);
    assert_true(figures.places > 1000);
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
    const struct rd_law_data data = {.numeric = numeric, .inputs = inputs};
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
        meeting->point->advance(&expect, &meeting->places[met], true);
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
    const struct rd_law_data data = {.numeric = numeric, .inputs = inputs};
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
        rd_program_advance(subject->program, &expect, step);
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
        assert_true(figures.moved > 10000);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_claims_and_members_are_those_of_the_law),
        cmocka_unit_test(test_laws_say_what_is_recorded),
        cmocka_unit_test(test_cells_of_an_input_are_those_that_hold_it),
        cmocka_unit_test(test_starts_and_updates_preserve_the_laws),
        cmocka_unit_test(test_updates_of_each_program_give_its_values_to_the_bit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
