// SPDX-License-Identifier: MIT
#include "law_programs.h"

struct figures figures;

void fail_law(const struct subject *subject, const struct rd_law_error *error)
{
    fail_msg("%s n=%zu block=%u grid=%zu: %zu:%zu: %s", subject->program->name, subject->shape.n,
             subject->shape.block, subject->shape.grid, error->line, error->column,
             error->what.text);
}

/* ---- shapes ---- */

bool starts_with(const char *text, const char *start)
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

static bool is_short(void)
{
    return getenv("RD_TEST_SHORT");
}

void assert_more_than(size_t least, size_t count)
{
    assert_true(count > (is_short() ? least / 24 : least));
}

void for_each_subject(void (*judge)(struct subject *subject))
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
            if (is_short() && s % 8 != k % 8)
                continue;
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
                    /* A block's array is the same for all of its warps. */
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

void judge_points(struct subject *subject, judge_meeting *judge)
{
    struct rd_round round;
    for (unsigned number = 1; rd_program_round(subject->program, &subject->shape, number, &round);
         number++)
        judge_round(subject, &round, judge);
}

struct rd_law_place law_place(const struct rd_place *place)
{
    return (struct rd_law_place){.block = place->block,
                                 .warp = place->warp == RD_WHOLE_BLOCK ? 0 : (uint64_t)place->warp,
                                 .variable = place->variable};
}
