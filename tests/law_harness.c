// SPDX-License-Identifier: MIT
/* Laws with the sizes of a run, and the cells that they claim as text. */
#include "law_harness.h"

#include <stdio.h>
#include <stdlib.h>

const struct rd_law_sizes law_sizes_8 = {.n = 8, .T = 4, .B = 2};

struct law_subject law_subject(const char *text, struct rd_law_sizes sizes)
{
    struct law_subject subject;
    struct rd_law_error error;
    if (rd_law_create(&subject.law, text, &error) != RD_OK)
        fail_msg("%s\n%zu:%zu: %s", text, error.line, error.column, error.what.text);
    assert_int_equal(rd_law_run_create(&subject.run, subject.law, &sizes, &error), RD_OK);
    subject.section = rd_law_section(subject.law, rd_law_section_count(subject.law) - 1);
    return subject;
}

void law_subject_finish(struct law_subject *subject)
{
    rd_law_run_destroy(subject->run);
    rd_law_destroy(subject->law);
}

/* The first element of a in the cell leads back to it. */
static void assert_located(const struct law_subject *subject, const struct rd_law_place *place,
                           uint64_t cell)
{
    struct rd_law_error error;
    bool live, found = false;
    uint64_t *inputs, *cells;
    size_t count;
    assert_int_equal(
        rd_law_cell(subject->run, subject->section, place, cell, 0, &live, &inputs, &count, &error),
        RD_OK);
    if (count > 0 && rd_law_is_invertible(subject->section)) {
        assert_int_equal(rd_law_locate(subject->run, subject->section, place, 0, inputs[0], &cells,
                                       &count, &error),
                         RD_OK);
        for (size_t k = 0; k < count; k++)
            found |= cells[k] == cell;
        assert_true(found);
        free(cells);
    }
    free(inputs);
}

/* One cell asked for, the cells of one input, and the cells as a progression are as in the list of all. */
static void assert_asked_one_by_one(const struct law_subject *subject,
                                    const struct rd_law_place *place, int input,
                                    const struct rd_law_cells *cells)
{
    struct rd_law_error error;
    struct rd_law_progression row;
    bool live, regular;
    uint64_t *list;
    size_t count;
    assert_int_equal(rd_law_live(subject->run, subject->section, place, &row, &regular, &error),
                     RD_OK);
    if (regular)
        assert_int_equal(row.count, cells->count + cells->n_outside);
    for (size_t k = 0; k < cells->count; k++) {
        const uint64_t *inputs = cells->inputs + cells->first[k];
        const size_t n_inputs = cells->first[k + 1] - cells->first[k];
        assert_int_equal(rd_law_cell(subject->run, subject->section, place, cells->cells[k], input,
                                     &live, &list, &count, &error),
                         RD_OK);
        assert_true(live);
        assert_int_equal(count, n_inputs);
        if (count > 0)
            assert_memory_equal(list, inputs, count * sizeof *list);
        free(list);
        assert_located(subject, place, cells->cells[k]);
    }
}

const char *law_cells_text(const char *text, struct rd_law_sizes sizes, struct rd_law_place place,
                           int input)
{
    static char said[2000];
    struct law_subject subject = law_subject(text, sizes);
    struct rd_law_cells cells;
    struct rd_law_error error;
    size_t length = 0;
    said[0] = '\0';
    if (rd_law_cells_init(&cells, subject.run, subject.section, &place, input, &error) != RD_OK) {
        snprintf(said, sizeof said, "%zu: %s", error.column, error.what.text);
        law_subject_finish(&subject);
        return said;
    }
    for (size_t k = 0; k < cells.count; k++) {
        length += (size_t)sprintf(said + length, "%s%zu:", k ? " " : "", (size_t)cells.cells[k]);
        for (size_t q = cells.first[k]; q < cells.first[k + 1]; q++)
            length += (size_t)sprintf(said + length, "%s%zu", q > cells.first[k] ? "," : "",
                                      (size_t)cells.inputs[q]);
    }
    if (cells.n_outside > 0)
        sprintf(said + length, " outside %zu, %d", cells.n_outside, (int)cells.outside);
    if (input != RD_LAW_NO_INPUT)
        assert_asked_one_by_one(&subject, &place, input, &cells);
    rd_law_cells_finish(&cells);
    law_subject_finish(&subject);
    return said;
}

const char *law_cells_text_8(const char *law, unsigned d)
{
    char text[600];
    snprintf(text, sizeof text, LAW_HEAD "law %s", law);
    return law_cells_text(text, law_sizes_8, (struct rd_law_place){.d = d}, RD_LAW_FIRST_INPUT);
}
