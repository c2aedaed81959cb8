// SPDX-License-Identifier: MIT
/* Laws as terms next to laws evaluated, at random places, for tests. */
#ifndef RD_TEST_LAW_TERMS_HARNESS_H
#define RD_TEST_LAW_TERMS_HARNESS_H

#include "prove/law/law_terms.h"
#include "reductio/program.h"
#include "term_value.h"

/* The quantities as constants. */
struct symbols {
    rd_term n, T, B, S, block, warp, variable, cell, units[2], again[2], bytes;
};

/* A sentence as terms. */
struct reading {
    struct rd_terms *terms;
    struct rd_law_reader *reader;
    struct symbols symbols;
    rd_term live, count;
    bool squares; /* a product may have two elements of an input */
};

/* The round: none so far; one behind another, S + 1; any, S. */
enum form { AT_FIRST, LATER, ANY_ROUND, FORM_COUNT };

struct place {
    struct rd_law_sizes sizes;
    struct rd_law_place place;
    uint64_t units[2], again[2];
    uint64_t input_sizes[2];
};

/* A subject of comparison: one sentence, read and evaluated. */
struct subject {
    const char *name;
    const struct rd_program *program; /* NULL: any sizes are fine */
    const struct rd_law *law;
    const struct rd_law_section *section;
    enum rd_law_role role;
    enum form form;
    unsigned n_units;
    struct reading reading;
    size_t points, live, counted;
    uint64_t random;
};

/* Makes a reader, and the constants. The caller forgets the sentence. */
void open_reading(struct reading *reading, const struct rd_law *law, enum form form,
                  unsigned n_units, struct rd_law_numbers *at);
/* Reads whether a cell is live, and what it counts. */
void read_sentence(struct reading *reading, const struct rd_law *law,
                   const struct rd_law_section *section, enum rd_law_role role, enum form form,
                   unsigned n_units);
void forget_sentence(struct reading *reading);
/* A random number. */
uint64_t below(struct subject *subject, uint64_t end);
/* Choose sizes that the program accepts, and a place with inputs; false where there is none. */
bool choose_sizes(struct subject *subject, struct place *place);
bool choose_place(struct subject *subject, struct rd_law_run *run, struct place *place);
/* Gives the constants their values. */
void set_all(struct subject *subject, struct rd_law_run *run, const struct place *place,
             struct environment *environment);
void fail_at(const struct subject *subject, const struct place *place, size_t cell,
             const char *what, rd_wide is, rd_wide wanted);
/* Tells whether what the reader takes for granted of steps is so. */
bool premises_hold(const struct subject *subject, struct environment *environment);
/* Compares cells at the place: they are live, and count, as the sentence evaluated says. */
void compare_cells(struct subject *subject, struct rd_law_run *run, const struct place *place);

#endif
