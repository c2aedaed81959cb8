// SPDX-License-Identifier: MIT
/* Arrays of several blocks, worked out side by side, are those that each block has by itself: of all programs, and of laws
 * made at random. */
#include "law_programs.h"
#include "base/random.h"

#include <stdio.h>

static size_t n_together, n_refused;

/* One block at a time, by the tree: the cells as they are after the sentence. */
static enum rd_status move_each(struct rd_law_run *run, const struct rd_law_section *section,
                                enum rd_law_role role, struct rd_law_place place,
                                const struct rd_law_data *data, unsigned char *cells, size_t size,
                                size_t n_blocks)
{
    const struct rd_law_data each = {
        .numeric = data->numeric, .inputs = data->inputs, .one_by_one = true};
    const uint64_t first = place.block;
    enum rd_status status = RD_OK;
    struct rd_law_error error;
    for (size_t k = 0; k < n_blocks && status == RD_OK; k++) {
        place.block = first + k;
        status = rd_law_apply(run, section, role, &place, &each,
                              cells + k * size * data->numeric->size_bytes, NULL, &error);
    }
    return status;
}

/* Compares a sentence of blocks `first` to first + n_blocks - 1. Returns false where a block has no value by itself. */
static bool judge_move(struct rd_law_run *run, const char *name,
                       const struct rd_law_section *section, enum rd_law_role role,
                       struct rd_law_place place, const struct rd_law_data *data,
                       unsigned char *cells, size_t size, size_t n_blocks)
{
    const size_t size_bytes = size * n_blocks * data->numeric->size_bytes;
    unsigned char *together = malloc(size_bytes + 1);
    struct rd_law_data several = *data;
    struct rd_law_error error;
    assert_non_null(together);
    memcpy(together, cells, size_bytes);
    several.n_blocks = n_blocks;
    const enum rd_status status =
        rd_law_apply(run, section, role, &place, &several, together, NULL, &error);
    const enum rd_status plain = move_each(run, section, role, place, data, cells, size, n_blocks);
    n_together += status == RD_OK;
    n_refused += status != RD_OK && plain == RD_OK;
    if (status == RD_OK && plain != RD_OK)
        fail_msg("%s: %zu blocks from %zu on have values together, and not each", name, n_blocks,
                 (size_t)place.block);
    for (size_t k = 0; status == RD_OK && k < size_bytes; k++)
        if (together[k] != cells[k])
            fail_msg("%s: block %zu of %zu, cell %zu, role %d, at %zu", name,
                     (size_t)place.block + k / data->numeric->size_bytes / size, n_blocks,
                     k / data->numeric->size_bytes % size, (int)role, (size_t)place.variable);
    free(together);
    return plain == RD_OK;
}

static void judge_section(struct rd_law_run *run, const char *name,
                          const struct rd_law_section *section, uint64_t first, size_t n_blocks,
                          const struct rd_law_data *data)
{
    struct rd_law_place place = {.block = first};
    struct rd_law_error error;
    struct rd_law_about about;
    uint64_t *steps, size;
    size_t n_steps;
    rd_law_about(section, &about);
    if (about.differs_by_block || about.live_differs_by_block ||
        rd_law_steps(run, section, &place, &steps, &n_steps, &error) != RD_OK)
        return;
    bool goes_on = rd_law_array_size(run, section, &place, &size, &error) == RD_OK && size < 3000;
    unsigned char *cells = calloc(goes_on ? size * n_blocks + 1 : 1, data->numeric->size_bytes);
    assert_non_null(cells);
    for (size_t k = 0; goes_on && k < (n_steps ? n_steps : 1) && k < 12; k++) {
        place.variable = n_steps ? steps[k] : 0;
        goes_on = judge_move(run, name, section, k ? RD_LAW_UPDATE : RD_LAW_START, place, data,
                             cells, size, n_blocks);
    }
    free(cells);
    free(steps);
}

static void judge_blocks(struct subject *subject)
{
    const struct rd_numeric *numeric = rd_numeric(figures.shapes % 2 ? RD_TYPE_F32 : RD_TYPE_I64);
    struct rd_round round;
    if (figures.shapes % 3 != 1 || !rd_program_round(subject->program, &subject->shape, 1, &round))
        return;
    const uint64_t all = rd_round_blocks_in_all(&round);
    unsigned char *a = calloc(subject->n_a + 1, numeric->size_bytes);
    unsigned char *b = calloc(subject->n_b + 1, numeric->size_bytes);
    const void *const inputs[] = {a, b};
    const struct rd_law_data data = {.numeric = numeric, .inputs = inputs};
    assert_true(a && b);
    for (size_t j = 0; j < subject->n_a; j++)
        numeric->store(a, j, numeric->from_u64(j * j * 2654435761u % 100003));
    for (size_t j = 0; j < subject->n_b; j++)
        numeric->store(b, j, numeric->from_u64(j * 40503u % 65537));
    for (size_t k = 1; k < rd_law_section_count(subject->law); k++) {
        const struct rd_law_section *section = rd_law_section(subject->law, k);
        const size_t few = all < 5 ? (size_t)all : 5, many = all < 300 ? (size_t)all : 300;
        judge_section(subject->run, subject->program->name, section, 0, few, &data);
        judge_section(subject->run, subject->program->name, section, all - few, few, &data);
        if (subject->shape.n < 5000)
            judge_section(subject->run, subject->program->name, section, 0, many, &data);
    }
    free(a);
    free(b);
}

static void test_blocks_of_each_program_together_are_those_of_each(void **state)
{
    (void)state;
    memset(&figures, 0, sizeof figures);
    n_together = n_refused = 0;
    for_each_subject(judge_blocks);
    print_message("%zu sentences together, %zu refused\n", n_together, n_refused);
    assert_true(n_together > 100);
}

/* ---- laws made at random ---- */

static uint64_t source;

static unsigned below(unsigned most)
{
    return (unsigned)(rd_random(&source) % most);
}

/* An index that stays in a[n], of the block and the cell. */
static void random_index(char *text, size_t size)
{
    static const char *const forms[] = {
        "(block*%u + t*%u) mod n",   "(block div %u)*3 + t mod %u",
        "(block + %u) mod %u + t",   "((t*block + %u) mod n) div %u",
        "min(block*%u + t, n - %u)", "(block mod %u)*2 + t div %u",
    };
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    snprintf(text, size, forms[below(6)], 1 + below(9), 1 + below(9));
#pragma GCC diagnostic pop
}

static void random_term(char *text, size_t size)
{
    char index[100];
    const unsigned x = 1 + below(9), y = 1 + below(5);
    random_index(index, sizeof index);
    switch (below(8)) {
    case 0:
        snprintf(text, size, "a[%s]", index);
        break;
    case 1:
        snprintf(text, size, "sum of a[j], block*%u <= j < min(block*%u + t + %u, n)", x, x, y);
        break;
    case 2:
        snprintf(text, size, "sum of a[j], floor(j/%u) = block", x);
        break;
    case 3:
        snprintf(text, size, "sum of a[j], 0 <= j < n, j mod %u = (block + t) mod %u", x, x);
        break;
    case 4:
        snprintf(text, size, "sum of a[j] * a[%s], 0 <= j < %u", index, y);
        break;
    case 5:
        snprintf(text, size, "sum of a[j], 0 <= j < n, j = (block mod %u)*%u + t", x, y);
        break;
    case 6:
        snprintf(text, size, "max of a[j], block <= j < block + %u, j < n", x);
        break;
    default:
        snprintf(text, size, "a[%s] - sum of a[j], t <= j < n, j div %u <= block", index, 10 * x);
        break;
    }
}

static void test_laws_made_at_random_agree(void **state)
{
    const unsigned seed =
        getenv("RD_TEST_SEED") ? (unsigned)atoi(getenv("RD_TEST_SEED")) : 20261124;
    const struct rd_numeric *numerics[] = {rd_numeric(RD_TYPE_F32), rd_numeric(RD_TYPE_U32)};
    enum { N = 400 };
    const unsigned n_laws = getenv("RD_TEST_SHORT") ? 100 : 400;
    static float floats[N];
    static uint32_t words[N];
    size_t n_read = 0;
    (void)state;
    print_message("seed %u\n", seed);
    source = seed;
    n_together = n_refused = 0;
    for (unsigned j = 0; j < N; j++) {
        words[j] = (uint32_t)rd_random(&source);
        floats[j] = (float)(int)(words[j] >> 8) / 977;
    }
    for (unsigned k = 0; k < n_laws; k++) {
        char term[300], text[900];
        const struct rd_numeric *numeric = numerics[k % 2];
        const void *const inputs[] = {k % 2 ? (void *)words : (void *)floats};
        const struct rd_law_data data = {.numeric = numeric, .inputs = inputs};
        const struct rd_law_sizes sizes = {.n = N, .T = 1 + below(40), .B = 64};
        struct rd_law *law;
        struct rd_law_run *run;
        struct rd_law_error error;
        random_term(term, sizeof term);
        snprintf(text, sizeof text,
                 "input a[n]\narray A[B]\nlaw for 0 <= i < B: A[i] = 0\n"
                 "at sequential shared c[T]\nsteps w = bit_ceil(T), w/2, ..., 1\n"
                 "law for 0 <= t < T: c[t] = 0\n"
                 "start for 0 <= t < T%s: c[t] = %s\n"
                 "update for 0 <= i < w, i + w < T%s: c[i] = c[i] %c c[i + w]\n",
                 below(4) ? "" : ", t mod 3 != 1", term, below(6) ? "" : ", i mod (block + 1) = 0",
                 below(3) ? '+' : '-');
        if (rd_law_create(&law, text, &error) != RD_OK)
            fail_msg("%s: %zu:%zu: %s", text, error.line, error.column, error.what.text);
        n_read++;
        assert_int_equal(rd_law_run_create(&run, law, &sizes, &error), RD_OK);
        judge_section(run, text, rd_law_section(law, 1), below(20), 2 + below(30), &data);
        judge_section(run, text, rd_law_section(law, 1), 0, 1 + below(300), &data);
        rd_law_run_destroy(run);
        rd_law_destroy(law);
    }
    print_message("%zu laws: %zu sentences together, %zu refused\n", n_read, n_together, n_refused);
    assert_true(n_together > n_laws);
}

/* ---- a size that goes by the block ---- */

/* What is read of another block's array lies in that array, however large the one of the block that reads would be. */
static void judge_own_sizes(const char *index, enum rd_status expected)
{
    enum { N = 64, B = 8 };
    char text[300];
    int64_t a[N], cells[2][B];
    const void *const inputs[] = {a};
    const struct rd_law_sizes sizes = {.n = N, .T = 4, .B = B};
    struct rd_law_data data = {.numeric = rd_numeric(RD_TYPE_I64), .inputs = inputs};
    struct rd_law_error error;
    struct rd_law *law;
    struct rd_law_run *run;
    snprintf(text, sizeof text,
             "input a[n]\narray A[B]\nlaw for 0 <= i < B: A[i] = 0\n"
             "update for 1 <= k < B: A[k] = part.c[k][%s]\n"
             "at part shared c[3*block]\nlaw for 0 <= i < 3*block: c[i] = a[i]\n",
             index);
    for (size_t j = 0; j < N; j++)
        a[j] = (int64_t)j + 1;
    if (rd_law_create(&law, text, &error) != RD_OK)
        fail_msg("%zu:%zu: %s", error.line, error.column, error.what.text);
    assert_int_equal(rd_law_run_create(&run, law, &sizes, &error), RD_OK);
    for (uint64_t block = 0; block < B; block++) {
        const struct rd_law_place place = {.d = 1, .block = block};
        memset(cells, 0, sizeof cells);
        for (size_t k = 0; k < 2; k++) {
            data.one_by_one = k > 0;
            assert_int_equal(rd_law_apply(run, rd_law_section(law, 0), RD_LAW_UPDATE, &place, &data,
                                          cells[k], NULL, &error),
                             expected);
        }
        assert_memory_equal(cells[0], cells[1], sizeof cells[0]);
    }
    rd_law_run_destroy(run);
    rd_law_destroy(law);
}

static void test_an_array_of_each_blocks_own_size_is_read_within_it(void **state)
{
    (void)state;
    judge_own_sizes("k", RD_OK);
    judge_own_sizes("k + 2", RD_ERROR_USAGE); /* there is no element 3 of block 1's */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_blocks_of_each_program_together_are_those_of_each),
        cmocka_unit_test(test_laws_made_at_random_agree),
        cmocka_unit_test(test_an_array_of_each_blocks_own_size_is_read_within_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
