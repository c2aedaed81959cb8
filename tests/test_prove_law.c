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

__attribute__((unused)) static void set(struct environment *environment, rd_term constant, rd_wide value)
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
        numbers[k] = (struct law_node){
            .kind = LAW_NUMBER, .number = (int64_t)value_of(environment, term->kids[k])};
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
    reading->symbols = (struct symbols){made[0], made[1], made[2], made[3], made[4],
                                        made[5], made[6], made[7], {made[8], made[9]}};
    if (n_units < 2)
        reading->symbols.units[1] = NULL;
    const struct rd_law_units units = {law->n_inputs, reading->symbols.units};
    const struct rd_law_numbers at = {
        .n = made[0],
        .T = made[1],
        .B = made[2],
        .d = form == AT_FIRST ? rd_number(terms, 0)
                              : rd_add(terms, made[3], rd_number(terms, 1)),
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

int main(void)
{
    for (const struct rd_program *const *p = rd_programs; *p; p++) {
        if (rd_program_is_fault(*p))
            continue;
        struct rd_law *law;
        struct rd_law_error error;
        assert_int_equal(rd_law_create(&law, rd_program_law(*p), &error), RD_OK);
        for (size_t k = 0; k < rd_law_section_count(law); k++)
            for (unsigned role = 0; role < 3; role++)
                for (unsigned form = 0; form < 2; form++) {
                    const struct rd_law_section *section = rd_law_section(law, k);
                    struct reading reading;
                    if (section->claims[role].count == 0 || (form == 0 && (k || role == 2)))
                        continue;
                    read_sentence(&reading, law, section, role, form, 2);
                    printf("%s %s role %u d %s: ", (*p)->name, section->name ? section->name : "", role, form ? "S+1" : "0");
                    if (*rd_law_reader_failure(reading.reader)) {
                        printf("FAILED %s\n", rd_law_reader_failure(reading.reader));
                    } else {
                        printf("\n    live  "); rd_term_print(reading.live, stdout);
                        printf("\n    count "); rd_term_print(reading.count, stdout);
                        printf("\n");
                        for (size_t q = 0; q < rd_law_reader_premises(reading.reader)->count; q++) {
                            printf("    premise "); rd_term_print(rd_law_reader_premises(reading.reader)->terms[q], stdout); printf("\n"); }
                    }
                    forget_sentence(&reading);
                }
        rd_law_destroy(law);
    }
    return 0;
}
