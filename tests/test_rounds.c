// SPDX-License-Identifier: MIT
/* The rounds of all programs, next to a record. RD_TEST_RECORD=FILE writes the record of now. */
#include "device/kernel_names.h"
#include "reductio/program.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* rounds.txt has a line for each round of each program on a few shapes, and for each program a digest of the rounds
 * on many. It was written by functions that were independent of the sentences:
 *     fold 8 4 0 round 1: fold(A, 4) threads 4, grid 1x0, block 4x0, half 4, shared 0
 *     fold: 130 rounds of 30 shapes, b4e1a6f2e6a01234 */
enum { LINE_MAX_SIZE = 400, SHOWN = 6 };

/* The first few are shown, the others digested. 0: as where the user says nothing. */
static const struct rd_shape shapes[] = {
    {0, 0, 0},        {1, 0, 0},       {8, 4, 0},        {11, 4, 2},      {33, 8, 3},
    {64, 64, 1},      {2, 1, 0},       {3, 2, 2},        {4, 1, 4},       {5, 3, 1},
    {6, 4, 2},        {7, 7, 7},       {9, 8, 0},        {15, 16, 0},     {16, 2, 8},
    {17, 16, 0},      {31, 32, 1},     {32, 8, 4},       {63, 3, 0},      {65, 32, 0},
    {100, 64, 2},     {127, 17, 8},    {128, 128, 0},    {128, 64, 2},    {255, 33, 0},
    {256, 256, 1},    {257, 256, 2},   {512, 64, 0},     {1000, 100, 10}, {1023, 512, 0},
    {1024, 1024, 1},  {1025, 1024, 0}, {4096, 256, 16},  {10003, 96, 5},  {65536, 1024, 64},
    {65537, 256, 32}, {1 << 20, 0, 0}, {1000003, 32, 0}, {1 << 24, 7, 9}, {4294967296, 512, 8},
};

static const char *const operands[] = {"A", "a", "b", "scratch", "ticket", ""};

/* All members of a round, in words. */
static void write_round(char line[LINE_MAX_SIZE], const struct rd_round *round)
{
    FILE *out = fmemopen(line, LINE_MAX_SIZE, "w");
    assert_non_null(out);
    fprintf(out, "%s(", round->kernel_name);
    for (unsigned k = 0; k < round->n_operands; k++) {
        const char *name = operands[round->operands[k].kind];
        fprintf(out, "%s%s", k ? ", " : "", name);
        if (round->operands[k].size > 0 || !*name)
            fprintf(out, "%s%zu", *name ? " " : "", round->operands[k].size);
    }
    fprintf(out, ") threads %zu, grid %zux%u, block %ux%u, %s %zu, shared %zu", round->threads,
            round->grid, round->grid_y, round->block, round->block_y, round->width_name,
            round->width, round->shared_elems);
    fputs(round->cooperative ? ", cooperative" : "", out);
    fputs(round->spoils_inputs ? ", spoils inputs" : "", out);
    if (round->reads_max > 0 || round->writes_max > 0)
        fprintf(out, ", reads %u, writes %u", round->reads_max, round->writes_max);
    assert_int_equal(fclose(out), 0);
}

static uint64_t digest_text(uint64_t digest, const char *text)
{
    for (; *text; text++)
        digest = (digest ^ (unsigned char)*text) * 1099511628211u;
    return digest;
}

struct digest {
    uint64_t value;
    size_t rounds, shapes;
};

static void add_shape(const struct rd_program *program, const struct rd_shape *shape, bool shown,
                      struct digest *digest, FILE *out)
{
    char line[LINE_MAX_SIZE];
    struct rd_round round;
    unsigned number = 1;
    for (; rd_program_round(program, shape, number, &round); number++) {
        assert_int_equal(round.number, number);
        write_round(line, &round);
        digest->value = digest_text(digest->value, line);
        if (shown)
            fprintf(out, "%s %zu %u %zu round %u: %s\n", program->name, shape->n, shape->block,
                    shape->grid, number, line);
    }
    assert_int_equal(rd_program_rounds(program, shape), number - 1);
    digest->rounds += number - 1;
    digest->shapes++;
}

static void write_rounds(FILE *out)
{
    for (const struct rd_program *const *p = rd_programs; *p; p++) {
        struct digest digest = {.value = 14695981039346656037u};
        for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
            struct rd_shape shape = s ? rd_program_shape(*p, shapes[s]) : rd_program_default(*p);
            if (rd_program_accept(*p, &shape, NULL) == RD_OK)
                add_shape(*p, &shape, s < SHOWN, &digest, out);
        }
        fprintf(out, "%s: %zu rounds of %zu shapes, %016" PRIx64 "\n", (*p)->name, digest.rounds,
                digest.shapes, digest.value);
    }
}

static void test_rounds_are_as_recorded(void **state)
{
    const char *file = getenv("RD_TEST_RECORD");
    FILE *out = file ? fopen(file, "w") : tmpfile(), *records = fopen("tests/rounds.txt", "r");
    char is[LINE_MAX_SIZE], was[LINE_MAX_SIZE];
    size_t lines = 0;
    (void)state;
    assert_non_null(out);
    write_rounds(out);
    if (file) {
        assert_int_equal(fclose(out), 0);
        skip();
    }
    assert_non_null(records);
    rewind(out);
    for (; fgets(was, sizeof was, records); lines++) {
        if (!fgets(is, sizeof is, out))
            fail_msg("no such round any more: %s", was);
        assert_string_equal(is, was);
    }
    if (fgets(is, sizeof is, out))
        fail_msg("not recorded: %s", is);
    fclose(records);
    fclose(out);
    assert_true(lines > 500);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rounds_are_as_recorded),
    };
    return cmocka_run_group_tests_name("rounds", tests, NULL, NULL) != 0;
}
