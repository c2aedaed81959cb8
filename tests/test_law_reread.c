// SPDX-License-Identifier: MIT
/* The text of a law at a step, read again, is the same law at that step: of laws made at random, with families, signs,
 * powers and remainders, all cells hold the same inputs. RD_TEST_LAWS is how many, RD_TEST_SEED from which on. */
#include "reductio/law.h"
#include "base/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { LAWS = 5000, PART_MAX = 400, SAID_MAX = 8192 };

static uint64_t seed;

static uint64_t random_below(uint64_t end)
{
    return rd_random(&seed) % end;
}

static uint64_t setting(const char *name, uint64_t otherwise)
{
    const char *number = getenv(name);
    return number ? strtoull(number, NULL, 10) : otherwise;
}

static const char *one_of(const char *const *list, size_t count)
{
    return list[random_below(count)];
}

/* ---- laws ---- */

/* An expression that speaks of the names; brackets stand here and there. What is too long is cut off, and no law. */
static void expression(char text[PART_MAX], const char *const *names, size_t count, unsigned depth)
{
    static const char *const operators[] = {" + ", "+",     " - ",   "*",   " mod ",
                                            "%",   " div ", " xor ", " / ", "^"};
    char left[PART_MAX], right[PART_MAX];
    text[0] = '\0';
    if (depth == 0) {
        strcpy(text, one_of(names, count));
        return;
    }
    expression(left, names, count, depth - 1);
    expression(right, names, count, random_below(depth));
    const bool of_left = random_below(3) == 0, of_right = random_below(3) == 0;
    switch (random_below(9)) {
    case 0:
        snprintf(text, PART_MAX, of_left ? "-(%s)" : "-%s", left);
        break;
    case 1:
        snprintf(text, PART_MAX, "%s(%s%s%s / %s%s%s)", random_below(2) ? "floor" : "ceil",
                 of_left ? "(" : "", left, of_left ? ")" : "", of_right ? "(" : "", right,
                 of_right ? ")" : "");
        break;
    case 2:
        snprintf(text, PART_MAX, random_below(2) ? "min(%s, %s)" : "max(%s, %s)", left, right);
        break;
    case 3:
        snprintf(text, PART_MAX, random_below(4) ? "%s" : "(%s)", left);
        break;
    default:
        snprintf(text, PART_MAX, "%s%s%s%s%s%s%s", of_left ? "(" : "", left, of_left ? ")" : "",
                 one_of(operators, sizeof operators / sizeof *operators), of_right ? "(" : "",
                 right, of_right ? ")" : "");
    }
}

/* A condition on the cell i and the input j. */
static void condition(char text[PART_MAX], unsigned depth)
{
    static const char *const names[] = {
        "i", "j", "j",      "r_d(j)", "r_d(j)",  "r_(d-1)(j)", "s_d(j)",  "s_1(j)", "3r_d(j)", "2j",
        "d", "w", "(w)",    "n",      "r_6(j)",  "p(j)",       "p(d)",    "v",      "2w",      "1",
        "2", "3", "n - 11", "m_d",    "m_(d-1)", "(d - 1)",    "(w - n)", "0",      "s_d(j)",  "T"};
    static const char *const relations[] = {" < ", " <= ", " = ", " = ", " = ", " > ", " != "};
    const size_t count = sizeof names / sizeof *names;
    char left[PART_MAX], right[PART_MAX], third[PART_MAX];
    if (depth > 0 && random_below(3) == 0) {
        condition(left, depth - 1);
        condition(right, depth - 1);
        const unsigned kind = (unsigned)random_below(4);
        snprintf(text, PART_MAX,
                 kind == 0   ? "not (%s and %s)"
                 : kind == 1 ? "(%s or %s)"
                             : "%s and %s",
                 left, right);
        return;
    }
    expression(left, names, count, (unsigned)random_below(3));
    expression(right, names, count, (unsigned)random_below(3));
    expression(third, names, count, (unsigned)random_below(2));
    switch (random_below(8)) {
    case 0:
        snprintf(text, PART_MAX, "%s = %s (mod %s)", left, right, third);
        break;
    case 1:
        snprintf(text, PART_MAX, "%s = %zu mod %s", left, (size_t)random_below(4), third);
        break;
    case 2:
        snprintf(text, PART_MAX, "%s = n mod %s", left, third);
        break;
    case 3:
        snprintf(text, PART_MAX, "%s <= %s < %s", left, right, third);
        break;
    default:
        snprintf(text, PART_MAX, "%s%s%s", left,
                 one_of(relations, sizeof relations / sizeof *relations), right);
    }
}

static void law_text(char text[SAID_MAX])
{
    static const char *const of_r[] = {"j", "r_c(j)", "r_c(j)", "r_c(j)", "c", "n", "2", "3", "d"};
    static const char *const of_s[] = {"s_c(j)", "s_c(j)", "j", "2", "c", "w", "(c - 1)"};
    static const char *const of_p[] = {"x", "x", "w", "d", "2", "3"};
    char r[PART_MAX], s[PART_MAX], p[PART_MAX], conditions[3][PART_MAX];
    expression(r, of_r, sizeof of_r / sizeof *of_r, (unsigned)random_below(3));
    expression(s, of_s, sizeof of_s / sizeof *of_s, (unsigned)random_below(3));
    expression(p, of_p, sizeof of_p / sizeof *of_p, (unsigned)random_below(3));
    for (unsigned k = 0; k < 3; k++)
        condition(conditions[k], 1);
    snprintf(text, SAID_MAX,
             "input a[n] array A[n] let w = n / 2^d; v = n div 2^(d-1); p(x) = %s; "
             "m_0 = n; m_(c+1) = m_c - 3; r_0(j) = j; r_(c+1)(j) = %s; s_0(j) = %s; "
             "s_(c+1)(j) = %s\nlaw for 0 <= i < n, %s: A[i] = sum of a[j], %s, %s",
             p, r, random_below(2) ? "j" : "n", s, random_below(2) ? "i < n" : "d > 0 or i > 0",
             conditions[0], random_below(2) ? conditions[1] : conditions[2]);
}

/* ---- comparing ---- */

struct reading {
    struct rd_law *law;
    struct rd_law_run *run;
    struct rd_law_cells cells;
    enum rd_status status;
};

static void finish(struct reading *reading)
{
    if (reading->status == RD_OK)
        rd_law_cells_finish(&reading->cells);
    rd_law_run_destroy(reading->run);
    rd_law_destroy(reading->law);
}

/* False where the text can't be read. */
static bool read_at(struct reading *reading, const char *text, uint64_t n, uint64_t d,
                    struct rd_law_error *error)
{
    *reading = (struct reading){.status = RD_ERROR_USAGE};
    if (rd_law_create(&reading->law, text, error) != RD_OK)
        return false;
    const struct rd_law_sizes sizes = {.n = n, .T = 4};
    assert_int_equal(rd_law_run_create(&reading->run, reading->law, &sizes, error), RD_OK);
    reading->status =
        rd_law_cells_init(&reading->cells, reading->run, rd_law_section(reading->law, 0),
                          &(struct rd_law_place){.d = d}, 0, error);
    return true;
}

static bool same_cells(const struct rd_law_cells *x, const struct rd_law_cells *y)
{
    return x->count == y->count && memcmp(x->cells, y->cells, x->count * sizeof *x->cells) == 0 &&
           memcmp(x->first, y->first, (x->count + 1) * sizeof *x->first) == 0 &&
           memcmp(x->inputs, y->inputs, x->first[x->count] * sizeof *x->inputs) == 0;
}

/* The sentence at the step, and its definitions, as a paragraph. */
static void reworded(char again[SAID_MAX], const char *said)
{
    const char *definitions = strstr(said, "; ");
    const int length = definitions ? (int)(definitions - said) : (int)strlen(said);
    snprintf(again, SAID_MAX, "input a[n] array A[n] %s%s\nlaw %.*s", definitions ? "let " : "",
             definitions ? definitions + 2 : "", length, said);
}

/* Returns whether the law has a value there, and asserts that its text has the same. */
static bool assert_reads_the_same(const char *text, uint64_t n, uint64_t d)
{
    char said[SAID_MAX], again[SAID_MAX];
    struct reading law, other;
    struct rd_law_error error;
    if (!read_at(&law, text, n, d, &error) ||
        rd_law_text_at(law.run, rd_law_section(law.law, 0), &(struct rd_law_place){.d = d}, said,
                       sizeof said, &error) != RD_OK) {
        finish(&law);
        return false;
    }
    reworded(again, said);
    if (!read_at(&other, again, n, d, &error))
        fail_msg("n = %zu, d = %zu: %s\n%s\n%zu: %s", (size_t)n, (size_t)d, text, again,
                 error.column, error.what.text);
    const bool has_value = law.status == RD_OK;
    /* A number that is too large is one in the end, and need not be met. */
    const bool one_has_none = has_value != (other.status == RD_OK);
    if (one_has_none && strstr(error.what.text, "2^63 or more")) {
        finish(&law);
        finish(&other);
        return false;
    }
    if (one_has_none || (has_value && !same_cells(&law.cells, &other.cells)))
        fail_msg("n = %zu, d = %zu: %s\nis another law than\n%s\n%s", (size_t)n, (size_t)d, text,
                 again, error.what.text);
    finish(&law);
    finish(&other);
    return has_value;
}

static void test_text_at_a_step_reads_as_the_law_at_that_step(void **state)
{
    const uint64_t count = setting("RD_TEST_LAWS", LAWS);
    size_t with_value = 0;
    (void)state;
    seed = setting("RD_TEST_SEED", 1);
    print_message("seed %zu\n", (size_t)seed);
    for (uint64_t k = 0; k < count; k++) {
        char text[SAID_MAX];
        law_text(text);
        with_value += assert_reads_the_same(text, 4 + random_below(6), random_below(4));
    }
    print_message("%zu laws, %zu of them with a value\n", (size_t)count, with_value);
    assert_true(with_value > count / 50);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_text_at_a_step_reads_as_the_law_at_that_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
