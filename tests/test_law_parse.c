// SPDX-License-Identifier: MIT
/* Reading paragraphs of laws: what is read, that what is printed reads as the same, and what is said of a mistake. */
#include "reductio/law.h"
#include "law/lexer.h"
#include "laws.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define HEAD "input a[n]\narray A[n]\nlet w = n / 2^d\n"

static struct rd_law *read_law(const char *text)
{
    struct rd_law *law = NULL;
    struct rd_law_error error;
    if (rd_law_create(&law, text, &error) != RD_OK)
        fail_msg("%zu:%zu: %s\n%s", error.line, error.column, error.what.text, text);
    return law;
}

static char *printed(const struct rd_law *law)
{
    char *text;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    assert_non_null(out);
    rd_law_print(law, out);
    assert_int_equal(fclose(out), 0);
    return text;
}

static void assert_same(const char *x, const char *y, bool same)
{
    struct rd_law *a = read_law(x), *b = read_law(y);
    if (rd_law_same(a, b) != same)
        fail_msg("%sthe same:\n%s\n%s", same ? "not " : "", x, y);
    rd_law_destroy(a);
    rd_law_destroy(b);
}

/* ---- what is read ---- */

static void test_paragraph_has_its_inputs_and_sections(void **state)
{
    struct rd_law_about about;
    (void)state;
    struct rd_law *law = read_law("input a[n], b[n][2*n] array A[n] law A = 0\n"
                                  "at fold shared cache[T] steps w = T, w/2, ..., 1 law cache = 0\n"
                                  "update for i < w: cache[i] = cache[i] + cache[0]\n"
                                  "at serial register sum law sum = a[0]");
    assert_int_equal(rd_law_input_count(law), 2);
    assert_string_equal(rd_law_input_name(law, 1), "b");
    assert_null(rd_law_input_name(law, 2));
    assert_int_equal(rd_law_section_count(law), 3);
    assert_null(rd_law_section(law, 3));
    assert_ptr_equal(rd_law_section_at(law, NULL), rd_law_section(law, 0));
    assert_ptr_equal(rd_law_section_at(law, "serial"), rd_law_section(law, 2));
    assert_null(rd_law_section_at(law, "sum"));
    rd_law_about(rd_law_section(law, 0), &about);
    assert_null(about.point);
    assert_null(about.steps);
    assert_string_equal(about.array, "A");
    assert_int_equal(about.kind, RD_LAW_GLOBAL);
    assert_false(about.has_update || about.scalar);
    rd_law_about(rd_law_section(law, 1), &about);
    assert_string_equal(about.point, "fold");
    assert_string_equal(about.steps, "w");
    assert_int_equal(about.kind, RD_LAW_SHARED);
    assert_true(about.has_update && !about.scalar);
    rd_law_about(rd_law_section(law, 2), &about);
    assert_int_equal(about.kind, RD_LAW_REGISTER);
    assert_true(about.scalar);
    rd_law_destroy(law);
}

/* The threads of a point stand behind its array, before or after its sentences. */
static void test_point_says_who_comes_there(void **state)
{
    static const char *const head = "array A[n] law A = 0\nat p register r[32] steps w = 8\n";
    static const struct {
        const char *met;
        bool by_block, by_warp, last;
    } rows[] = {
        {"law r = 0", false, false, false},
        {"when w > 2 and d = 1 law r = 0", false, false, false},
        {"law r = 0 when bytes < 8 and n > 2", false, false, false},
        {"when warp = 0 law r = 0", false, true, false},
        {"law r = 0 when warp = 0, in the last block", false, true, true},
        {"law r = 0 when warp = k*block let k = 0", true, true, false},
    };
    (void)state;
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        struct rd_law_about about;
        char text[200];
        snprintf(text, sizeof text, "%s%s", head, rows[k].met);
        struct rd_law *law = read_law(text);
        rd_law_about(rd_law_section(law, 1), &about);
        if (about.differs_by_block != rows[k].by_block ||
            about.differs_by_warp != rows[k].by_warp || about.of_last_block != rows[k].last)
            fail_msg("%s: %d %d %d", rows[k].met, about.differs_by_block, about.differs_by_warp,
                     about.of_last_block);
        rd_law_destroy(law);
    }
}

static const struct pair {
    const char *x, *y; /* behind HEAD "law " */
} spellings[] = {
    {"for 0 <= i < w && (i != 3 || !(i == 2)): A[i] = 0",
     "for (0 <= i < w and (i != 3 or not (i = 2))): A[i] = 0"},
    {"for i < w: A[i] = sum of a[j], j % w == i",
     "for i < w:\n\tA[i] = sum of a[j] over j % w = i"},
    {"for i < w: A[i] = sum of all a[j]", "for i < w: A[i] = sum of a[j]"},
    {"for i = 0 mod 4, i < n: A[i] = 0", "for i = 0 (mod 4), i < n: A[i] = 0"},
    {"for i == 0 % 4, i < n: A[i] = 0", "for i = (0 % 4), i < n: A[i] = 0"},
    {"for 0 <= i, j < w: A[i*w + j] = 0", "for 0 <= i < w, 0 <= j < w: A[i*w + j] = 0"},
    {"for i < n: A[3i] = a[2w]", "for i < n: A[3*i] = a[(2*w)]"},
    {"for i < n: A[-i + 2^3^2] = a[i]^2", "for i < n: A[(-i) + 2^(3^2)] = (a[i])^2"},
    {"for i < n: A[i - 1 - 1] = a[i]", "for i < n: A[(i - 1) - 1] = a[i]"},
    {"for i < n: A[i mod 3 mod 2] = a[i]", "for i < n: A[(i mod 3) mod 2] = a[i]"},
};

static const struct pair meanings[] = {
    {"for i < n: A[i / 2] = 0", "for i < n: A[i div 2] = 0"},
    {"for i < n: A[i mod 2] = 0", "for i < n: A[i % 2] = 0"},
    {"for i < n: A[i - (1 - 1)] = 0", "for i < n: A[i - 1 - 1] = 0"},
    {"for i < n: A[i] = a[i] + sum of a[j]", "for i < n: A[i] = a[i] + (sum of a[j])"},
    {"A[0] = sum of a[j]", "A[0] = sum of a[j], in any order"},
    {"A[0] = sum of a[j]", "A[0] = max of a[j]"},
    {"for i = 0 mod 2, i < n: A[i] = 0", "for i = (0 mod 2), i < n: A[i] = 0"},
    {"for i < n: A[i] = 0", "for i <= n: A[i] = 0"},
};

static void test_spellings_of_one_thing_are_the_same(void **state)
{
    (void)state;
    for (unsigned other = 0; other < 2; other++) {
        const struct pair *pairs = other ? meanings : spellings;
        size_t count =
            other ? sizeof meanings / sizeof *meanings : sizeof spellings / sizeof *spellings;
        for (size_t k = 0; k < count; k++) {
            char x[400], y[400];
            snprintf(x, sizeof x, HEAD "law %s", pairs[k].x);
            snprintf(y, sizeof y, HEAD "law %s", pairs[k].y);
            assert_same(x, y, !other);
        }
    }
}

/* Brackets where a sum, a product, a reduction or a condition would be read in another way without. */
static const char *const bracketed[] = {
    "for i < n: A[(i + 1)*2 - (i - (2 - 1))] = 0",
    "for i < n: A[-(i + 1) + (-i)*2 + (-2)^2 + 2^(-i) + -i^2] = 0",
    "for i < n: A[(i mod 3)*2 + (i div 3)*2 + i*(2 mod 3) + i*(n / 2)] = 0",
    "for i < n: A[(i xor 1) + 2 + ((i + 1) xor 1)] = 0",
    "for i < n: A[i xor (1 + 2)] = 0",
    "for i < n: A[max(i, min(1, 2)) + abs(-i) + log2(n) + bit_ceil(i)] = 0",
    "for i < n: A[floor((i + 1) / 2) + ceil(i / (2*3)) + ceil(sqrt(n)) + floor(sqrt(n + 1))] = 0",
    "for i < n: A[i] = (sum of a[j], j < i) + sum of a[j], i < j",
    "for i < n: A[i] = a[i] - (sum of a[j], j < i) - 2*a[i]",
    "for i < n: A[i] = a[i] - sum of a[j], j < i",
    "for i < n: A[i] = -(sum of a[j], j < i)*a[0] + a[1]",
    "for i < n: A[i] = sum of (sum of a[j], j < k)*a[k], k < i",
    "for i < n: A[i] = sum of (a[k] + sum of a[j], j < k), k < i",
    "for i < n: A[i] = 2*(a[i] + 1)^2",
    "for i < n, not (i < 3 and i > 1): A[i] = 0",
    "for i < n, (i < 3 or i > 1) and i = 2: A[i] = 0",
    "for i < n, i < 3 or (i > 1 or not i = 2): A[i] = 0",
    "for i < n, i = (1 mod 3): A[i] = 0",
    "for i < n, i = 1 + i (mod i + 1): A[i] = 0",
    "when d = 0: A = 0; when d > 0 and n > 1: for i < n: A[i] = and of a[j], j < i",
    "for i < n: A[i] = xor of a[j]; A[0] = or of a[j]",
    "for i < n: A[i] = argmax of a[j], j < i or j > i, in any order",
};

static void assert_reads_as_printed(const char *text)
{
    struct rd_law *law = read_law(text);
    char *once = printed(law);
    struct rd_law *again = read_law(once);
    char *twice = printed(again);
    if (!rd_law_same(law, again))
        fail_msg("reads as another:\n%s\n%s", text, once);
    assert_string_equal(once, twice);
    free(once);
    free(twice);
    rd_law_destroy(law);
    rd_law_destroy(again);
}

static void test_what_is_printed_reads_as_the_same(void **state)
{
    (void)state;
    for (size_t k = 0; right_program(k); k++) {
        char text[10000];
        snprintf(text, sizeof text, "%slaunch %s", rd_program_law(right_program(k)),
                 right_program(k)->launch);
        assert_reads_as_printed(text);
    }
    for (size_t k = 0; k < sizeof bracketed / sizeof *bracketed; k++) {
        char text[600];
        snprintf(text, sizeof text, HEAD "law %s", bracketed[k]);
        assert_reads_as_printed(text);
    }
    assert_reads_as_printed(
        "input a[n] array A[n]\n"
        "let w = 2; p(i, j) = i + j; m_0 = 1; m_7 = 2; m_(d+1) = m_d + m_(2*d)\n"
        "let for 0 <= k < n, t <= 3: x[k][t] = a[k]\n"
        "law A = x[0][1] start A[0] = q.r[0][1][2] update A = A[0]\n"
        "at q register r[m_3] steps k = 0, k + 1, ..., n let u = k law r = a[u]");
}

static void test_print_is_a_sentence_a_line(void **state)
{
    (void)state;
    struct rd_law *law =
        read_law("input a[n]array A[n]let w=n/2^d law for 0<=i<w:A[i]=sum of a[j],\n"
                 "j%w==i update for 0<=i&&i<w:A[i]=A[i]+A[i+w]");
    char *text = printed(law);
    assert_string_equal(text, "input a[n]\n"
                              "array A[n]\n"
                              "let w = n / 2^d\n"
                              "law for 0 <= i < w: A[i] = sum of a[j], j % w = i\n"
                              "update for 0 <= i and i < w: A[i] = A[i] + A[i + w]\n");
    free(text);
    rd_law_destroy(law);
}

/* ---- mistakes ---- */

static const struct mistake {
    const char *law;
    size_t column;
    const char *message;
} mistakes[] = {
    /* signs */
    {"for 0 <= i < w A[i] = sum of a[j], j mod w = i", 16,
     "expected ',' or ':' after the ranges, found 'A'"},
    {"for 0 <= i < w, A[i] = sum of a[j], j mod w = i", 15,
     "expected ':' after the ranges, found ','"},
    {"for 0 <= i < w: A[i] = sum a[j], j mod w = i", 28, "expected 'of' after 'sum', found 'a'"},
    {"for 0 <= i < w: A[i] = sum over j of a[j], j mod w = i", 28,
     "expected 'of' after 'sum', found 'over'"},
    {"for 0 <= i < w: A[i] = Sum of a[j], j mod w = i", 24,
     "'Sum' is no operation: use sum, product, min, max, and, or, xor, argmin, argmax"},
    {"for 0 <= i < w: A[i] = sum of a[j], j mod w", 44,
     "expected a comparison, such as 'j mod w = i', found the end of the sentence"},
    {"for 0 <= i < w: A[i] = sum of a, j mod w = i", 32, "expected '[' after the array 'a'"},
    {"for 0 <= i < w: A[i] = sum of a[j] where j mod w = i", 36,
     "expected ',', ';' or the end of the sentence, found 'where'"},
    {"for 0 <= i < w: A[i] = sum of a[j], j mod w = i, in order", 53,
     "expected 'in any order', found 'order'"},
    {"for 0 <= i < w: A[i] = sum of a[j], j mod w == i &", 50, "'&' has no meaning here"},
    {"for 0 \xe2\x89\xa4 i < w: A[i] = 0", 7,
     "the character 0xe2 has no meaning here: a law is plain ASCII"},
    {"for 0 <= i < w: A[i = 0", 21, "expected ']', found '='"},
    {"for 0 <= i < w: A[i] 0", 22, "expected '=' after the cell, found '0'"},
    {"for 0 <= i < w: 0 = A[i]", 17, "expected a cell, such as 'A[i]', found '0'"},
    {"for 0 <= i < w: A[i] = 0;", 25,
     "expected another claim after the ';', found the end of the sentence: leave the ';' out"},
    {"forall i: A[i] = a[i]", 1,
     "expected the range of a cell's index, as in 'for 0 <= i < n: A[i] = a[i]': a law names its "
     "bounds"},
    {"for all i < n: A[i] = a[i]", 5,
     "expected the range of a cell's index, as in 'for 0 <= i < n: A[i] = a[i]': a law names its "
     "bounds"},
    {"for i: A[i] = a[i]", 5,
     "expected the range of a cell's index, as in 'for 0 <= i < n: A[i] = a[i]': a law names its "
     "bounds"},
    {"when d: A = 0", 7, "expected a comparison, such as 'j mod w = i', found ':'"},
    {"for i < w: A[i] = max(i)", 19, "'max' takes two numbers or more"},
    {"for i < w: A[i] = log2(i, 2)", 19, "'log2' takes one number"},
    {"for i < w: A[i] = floor(i)", 25,
     "'floor' is of a quotient or a root: floor(x / y) or floor(sqrt(x))"},
    {"for 0 <= i < 9223372036854775808: A[i] = 0", 14, "the number is 2^63 or more"},
    /* in two ways */
    {"for 0 <= i < w: A[i] = sum of a[j], j mod w * 3 = i", 45,
     "'*' after 'mod' can be read in two ways: put one of the two in brackets"},
    {"for i < w: A[i / 2 * 2] = 0", 20,
     "'*' after '/' can be read in two ways: put one of the two in brackets"},
    {"for i < w: A[i + 1 xor 2] = 0", 20,
     "'xor' after '+' can be read in two ways: put one of the two in brackets"},
    {"for i < w: A[3i^2] = 0", 14,
     "'^' beside '3i' can be read in two ways: put a '*' into that, or brackets around it"},
    {"for i < w: A[2^3i] = 0", 16,
     "'^' beside '3i' can be read in two ways: put a '*' into that, or brackets around it"},
    {"for i < w, !i < 3: A[i] = 0", 12,
     "'!' before a comparison can be read in two ways, as C takes it with the first name: put the "
     "comparison in brackets"},
    {"for i < w, i = -1 mod 4: A[i] = 0", 16,
     "'mod' after a number can be read in two ways here: put brackets around the remainder, or "
     "write '... = x (mod m)' by itself"},
    {"for i < w, 0 <= i = 3 mod 4: A[i] = 0", 21,
     "'mod' after a number can be read in two ways here: put brackets around the remainder, or "
     "write '... = x (mod m)' by itself"},
    {"for i < w, i != 2 != 3: A[i] = 0", 19, "'!=' in a chain of comparisons: join two with 'and'"},
    {"for i < w: A[i] = (i < 3) + 4", 19, "expected a number, found a condition"},
    /* names */
    {"for 0 <= i < w: A[i] = sum of a[j], j mod W = i", 43,
     "'W' isn't known here: did you mean 'w'?"},
    {"for 0 <= i < w: A[i] = sum(a[j])", 24,
     "'sum' is an operation, and no function: write it as in 'sum of a[j], j < n'"},
    {"for 0 <= i < w: A[i] = sum", 24,
     "'sum' is an operation: write it as in 'sum of a[j], j < n'"},
    {"for 0 <= i < w: A[i] = mim(i, 3)", 24, "'mim' isn't known here: did you mean 'min'?"},
    {"for 0 <= i < w: A[i] = sum of b[j], j mod w = i", 31, "'b' isn't known here (known: a)"},
    {"A[i] = sum of a[j], j mod w = i", 3,
     "'i' isn't known here (known: G, w, n, T, B, d): bind it in front, as in 'for 0 <= i < n: '"},
    {"for 0 <= i < w: A[i] = warp", 24, "'warp' isn't known here (known: G, w, i, n, T, B, d)"},
    {"for 0 <= n < w: A[n] = sum of a[j], j mod w = n", 10,
     "'n' has a meaning already: bind another name"},
    {"for 2 < 3: A[0] = 0", 1,
     "the 'for' binds no name: use 'when' for a condition of the whole claim"},
    {"for 0 <= i < w: A[i] = w(i)", 24, "'w' was defined as a number"},
    {"for 0 <= i < w: A[i] = x.y[i]", 24, "no point 'x' in the paragraph"},
    /* bounds */
    {"for 0 <= i: A[i] = sum of a[j], j mod w = i", 5,
     "'i' has no upper bound: add one, such as 'i < n'"},
    {"for 0 <= i < w: A[i] = sum of a[2*j], j > 3", 35,
     "'j' has no upper bound: add one, such as 'j < n'"},
    {"for 0 <= i < W: A[i] = sum of a[j], j mod W = i", 14,
     "'W' isn't known here: did you mean 'w'?"},
    {"for 0 <= i < n: A[i] = sum of a[i + k], -1 <= k <= 1", 41,
     "'k' begins below 0, and a name that a law binds is 0 or more: of a[i + k], -1 <= k write a[i "
     "+ "
     "k - 1], 0 <= k"},
    {"for 0 - n < i < 1: A[0 - i] = 0", 5,
     "'i' begins below 0, and a name that a law binds is 0 or more: of a[i + k], -1 <= k write a[i "
     "+ "
     "k - 1], 0 <= k"},
    {"for -1 <= i < w: A[i] = sum of a[j], j mod w = i", 5,
     "'i' begins below 0, and a name that a law binds is 0 or more: of a[i + k], -1 <= k write a[i "
     "+ "
     "k - 1], 0 <= k"},
    {"for 0 <= i < w, i - 2 <= k < i: A[k + 2] = 0", 17,
     "'k' may begin below 0 here, and a name that a law binds is 0 or more: add '0 <= k'"},
    {"for 0 <= i < w, i <= k + 1, k < i: A[k + 1] = 0", 17,
     "'k' may begin below 0 here, and a name that a law binds is 0 or more: add '0 <= k'"},
    {"for -4 <= 2*k < w, k < w: A[k + 2] = 0", 5,
     "'k' begins below 0, and a name that a law binds is 0 or more: of a[i + k], -1 <= k write a[i "
     "+ "
     "k - 1], 0 <= k"},
    {"for k < w, k = 3 or k >= -2: A[k + 2] = 0", 21,
     "'k' begins below 0, and a name that a law binds is 0 or more: of a[i + k], -1 <= k write a[i "
     "+ "
     "k - 1], 0 <= k"},
    {"for k < w, not (k < -2): A[k + 2] = 0", 16,
     "'k' begins below 0, and a name that a law binds is 0 or more: of a[i + k], -1 <= k write a[i "
     "+ "
     "k - 1], 0 <= k"},
    {"for k < w, k = 3 or k + 2 >= 0: A[k + 2] = 0", 21,
     "'k' begins below 0, and a name that a law binds is 0 or more: of a[i + k], -1 <= k write a[i "
     "+ "
     "k - 1], 0 <= k"},
    {"for k < w, k = 3 or k >= 0 - 2: A[k + 2] = 0", 21,
     "'k' begins below 0, and a name that a law binds is 0 or more: of a[i + k], -1 <= k write a[i "
     "+ "
     "k - 1], 0 <= k"},
    {"for i mod 4 = 0: A[i] = 0", 5, "'i' has no upper bound: add one, such as 'i < n'"},
    /* arrays */
    {"for 0 <= i < w: A[i] = sum of A[j], j mod w = i", 31,
     "'A' is what the law describes: say what it holds in terms of the inputs (a)"},
    {"for 0 <= i < w: A[i] = sum of j, j mod w = i", 31,
     "expected a term that names an array, such as 'a[j]', after 'of'"},
    {"for 0 <= i < w: B[i] = sum of a[j], j mod w = i", 17,
     "'B' isn't the array here: that is 'A'"},
    {"for 0 <= i < w: A[i][0] = 0", 17, "'A' has 1 index, not 2"},
    {"for 0 <= i < w: A[i] = a[i][0]", 24, "'a' has 1 index, not 2"},
    {"for 0 <= i < w: A = a[i]", 17, "expected '[' after the array 'A'"},
    {"for 0 <= i < w: A[i] = sum of a[j], a[j] = i", 37,
     "the value of an element can't stand here: conditions, indices and sizes know only numbers, "
     "such as n and d"},
    {"for 0 <= i < w: A[i] = sum of a[j] / 2, j mod w = i", 31,
     "elements are added, subtracted and multiplied: '/' is of numbers"},
    {"for 0 <= i < w: A[i] = 2^a[i]", 26, "an exponent is a number"},
};

static void assert_mistake(const char *text, size_t line, size_t column, const char *message)
{
    struct rd_law *law = NULL;
    struct rd_law_error error;
    if (rd_law_create(&law, text, &error) != RD_ERROR_USAGE)
        fail_msg("read: %s", text);
    assert_null(law);
    if (error.line != line || error.column != column || strcmp(error.what.text, message) != 0)
        fail_msg("%s\n%zu:%zu: %s\nand not\n%zu:%zu: %s", text, error.line, error.column,
                 error.what.text, line, column, message);
    assert_int_equal(rd_law_create(&law, text, NULL), RD_ERROR_USAGE);
}

static void test_mistake_is_told_with_its_column(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof mistakes / sizeof *mistakes; k++) {
        char text[400];
        snprintf(text, sizeof text, HEAD "law\n%s", mistakes[k].law);
        assert_mistake(text, 5, mistakes[k].column, mistakes[k].message);
    }
}

static void test_mistake_in_a_paragraph_is_told_with_its_line(void **state)
{
    (void)state;
    assert_mistake("law A = 0", 1, 10,
                   "no 'array': say which the law speaks of, as in 'array A[n]'");
    assert_mistake("array A[n]\n", 2, 1, "no 'law' of the array: say what its cells hold");
    assert_mistake("array A[n]\narray B[n]", 2, 1, "a second 'array': a law speaks of one");
    assert_mistake("array A[n]\nlaw A = 0\nlaw A = 0", 3, 1,
                   "the sentence stands there already: join claims with ';'");
    assert_mistake("array A[n]\nlaw A = 0\nlet x = 3; x = 4", 3, 12,
                   "'x' is bound twice: choose another name");
    assert_mistake("array A[n]\nlaw A = 0\nlet n = 3", 3, 5,
                   "'n' is bound twice: choose another name");
    assert_mistake("array A[n]\nlaw A = 0\nlet A = 3", 3, 5,
                   "'A' is bound twice: choose another name");
    assert_mistake("input a[n]\narray A[n]\nlaw A = 0\nlet a = 3", 4, 5,
                   "'a' is bound twice: choose another name");
    assert_mistake("array A[n]\nlaw A = 0\nlet k = 2; f(k) = 3", 3, 14,
                   "'k' is bound twice: choose another name");
    assert_mistake("array A[n]\nlaw A = 0\nlet k = k + 1", 3, 9,
                   "'k' isn't known here (known: G, n, T, B, d, block, warp)");
    assert_mistake("array A[n]\nlet max = 2\nlaw A = 0", 2, 5, "'max' has a meaning already");
    assert_mistake("array A[n]\nlet m_0 = 2; m_(d+2) = 1\nlaw A = 0", 2, 19,
                   "expected '1', found '2'");
    assert_mistake("array A[n]\nlet m_0 = 2; m_0 = 1\nlaw A = 0", 2, 14,
                   "the equation stands there already");
    assert_mistake("array A[n]\nlet m_0 = 2; m_1(x) = 1\nlaw A = 0", 2, 14,
                   "another number of parameters than in the equation before");
    assert_mistake("array A[n]\nlet f(x) = 2\nlaw A[f(1, 2)] = 0", 3, 7,
                   "'f' was defined with 1 parameters, not 2");
    assert_mistake("array A[n]\nlet for k < n: x[k + 1] = 2\nlaw A = 0", 2, 16,
                   "expected an array with the variables as its indices, such as 'x[k][t]'");
    assert_mistake("array A[n]\nlet for k < n: x[k][t] = 2\nlaw A = 0", 2, 21,
                   "'t' has no upper bound: add one, such as '0 <= t < n'");
    assert_mistake("array A[n]\nlaw A = 0\nat p cache[T]", 3, 6,
                   "expected 'shared' or 'register', and the array, after the point");
    assert_mistake("array A[n]\nlaw A = 0\nat p shared c[T]", 3, 4,
                   "no 'law' of the array: say what its cells hold");
    assert_mistake("array A[n]\nlaw A = 0\nat p shared c[T] law c = 0\nat p register r law r = 0",
                   4, 4, "the point stands in the paragraph already");
    assert_mistake("array A[n]\nlaw A = 0\nat p shared c[T]\nlaw c[d] = 0", 4, 7,
                   "'d' isn't known here (known: G, n, T, B, block)");
    assert_mistake("array A[n]\nlet w = n / 2^d\nlaw A = 0\nat p shared c[T]\nlaw c[w] = 0", 5, 7,
                   "'w' speaks of 'd', which has no meaning here");
    assert_mistake("array A[n]\nlaw A = p.c[0][0]\nat p shared c[T]\nlaw c = 0", 2, 9,
                   "a law speaks of the inputs, not of the array at a point");
    assert_mistake("array A[n]\nlaw A = 0 start A = p.c[0]\nat p shared c[T]\nlaw c = 0", 2, 21,
                   "'c' has 2 indices, not 1");
    assert_mistake("array A[n]\nlaw A = 0 start A = p.d[0][0]\nat p shared c[T]\nlaw c = 0", 2, 21,
                   "the array at 'p' is 'c', not 'd'");
    assert_mistake("array A[n] law A = 0\nat p shared c[T] steps w = T, w/2, 1 law c = 0", 2, 36,
                   "expected '...', found '1'");
    assert_mistake("array A[n] law A = 0\nat p shared c[T] steps w = T, w/2 law c = 0", 2, 35,
                   "expected ', ..., ' and the last value, found the end of the sentence");
    assert_mistake("array A[n] law A = 0 when d = 1: A = 1", 1, 22,
                   "a 'when' that is no point's: join claims and launches with ';'");
    assert_mistake("array A[n] law A = 0\nat p shared c[T] when d = 1 when n = 2 law c = 0", 2, 29,
                   "the sentence stands there already: join conditions with 'and'");
    assert_mistake("array A[n] law A = 0\nat p shared c[T] when d = 1, in the block law c = 0", 2,
                   37, "expected 'in the last block', found 'block'");
    assert_mistake("array A[n] law A = 0\nat p shared c[T] when d law c = 0", 2, 25,
                   "expected a comparison, such as 'j mod w = i', found the end of the sentence");
    assert_mistake("array A[n] law A = 0\nat p shared c[T] when warp = 0 law c = 0", 2, 23,
                   "'warp' isn't known here (known: G, n, T, B, d, block, bytes)");
    assert_mistake("array A[n] law A = 0\nat p shared c[T] law c = bytes", 2, 26,
                   "'bytes' isn't known here (known: G, n, T, B, block)");
    assert_mistake("input a array A[n] law A = 0", 1, 9,
                   "expected '[' and the size of the input, found the end of the sentence");
    assert_mistake("array A[n] law A = 0 nonsense", 1, 22,
                   "expected ',', ';' or the end of the sentence, found 'nonsense'");
    assert_mistake(
        "fold", 1, 1,
        "expected 'input', 'array', 'let', 'law', 'start', 'update', 'launch', 'at' or 'when', "
        "found 'fold'");
}

/* ---- sentences in a text ---- */

static void assert_sentence(const char *paragraph, const char *word, const char *expected)
{
    struct rd_law_sentence found = {NULL, NULL};
    assert_int_equal(rd_law_find_sentence(paragraph, word, &found), *expected != '\0');
    const size_t length = (size_t)(found.end - found.begin);
    assert_int_equal(length, strlen(expected));
    assert_memory_equal(found.begin, expected, length);
}

static void test_sentences_end_where_any_other_begins(void **state)
{
    static const char paragraph[] = "input a[n]\n"
                                    "array A[n]\n"
                                    "law when d = 0: A = 0;\n"
                                    "when d > 0: A[0] = a[0];\n"
                                    "\n"
                                    "  A[1] = a[1]\n"
                                    "launch fold(A, n) by 1 thread\n"
                                    "at p shared c[T]\n"
                                    "when d = 1\n"
                                    "law c = 0\n"
                                    "update c = 0\n";
    (void)state;
    assert_sentence(paragraph, "input", "input a[n]\n");
    assert_sentence(paragraph, "law",
                    "law when d = 0: A = 0;\nwhen d > 0: A[0] = a[0];\n\n"
                    "  A[1] = a[1]\n");
    assert_sentence(paragraph, "launch", "launch fold(A, n) by 1 thread\n");
    assert_sentence(paragraph, "update", ""); /* the point's */
    assert_sentence("array A[n]\nlaw A = 0", "law", "law A = 0");
}

/* ---- limits ---- */

/* `before` and `behind` as often as it says, around the middle, as the value of a law. */
static void assert_too_deep(const char *before, const char *middle, const char *behind,
                            size_t count, const char *message)
{
    char *text = NULL;
    size_t size;
    struct rd_law *law = NULL;
    struct rd_law_error error;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    fputs(HEAD "law for i < n: A[i] = ", out);
    for (size_t k = 0; k < count; k++)
        fputs(before, out);
    fputs(middle, out);
    for (size_t k = 0; k < count; k++)
        fputs(behind, out);
    assert_int_equal(fclose(out), 0);
    assert_int_equal(rd_law_create(&law, text, &error), RD_ERROR_USAGE);
    if (!strstr(error.what.text, message))
        fail_msg("%s%s%s: %s, not %s", before, middle, behind, error.what.text, message);
    free(text);
}

static void test_too_deep_is_told(void **state)
{
    static const char *const brackets = "more than 200 levels of brackets and signs";
    static const char *const levels = "an expression of more than 500 levels";
    (void)state;
    for (size_t count = 501; count <= 5000; count += 4499) {
        assert_too_deep("(", "1", ")", count, brackets);
        assert_too_deep("-", "1", "", count, brackets);
        assert_too_deep("2^", "1", "", count, brackets);
        assert_too_deep("a[", "1", "]", count, brackets);
        assert_too_deep("max(1, ", "1", ")", count, brackets);
        assert_too_deep("sum of ", "a[i]", "", count, brackets);
        assert_too_deep("(not ", "j = 1", ")", count, brackets);
        assert_too_deep("1+", "1", "", count, levels);
        assert_too_deep("1*", "1", "", count, levels);
    }
    assert_too_deep("", "sum of a[j], j = 1", " and j = 1", 1000, levels);
}

static void test_too_long_is_told(void **state)
{
    struct rd_law *law = NULL;
    struct rd_law_error error;
    char *text = malloc(RD_LAW_LENGTH_MAX + 100);
    (void)state;
    memset(text, ' ', RD_LAW_LENGTH_MAX + 99);
    memcpy(text, "array A[n] law A = 0", 20);
    text[RD_LAW_LENGTH_MAX] = '\0';
    assert_int_equal(rd_law_create(&law, text, &error), RD_OK);
    rd_law_destroy(law);
    text[RD_LAW_LENGTH_MAX] = ' ';
    text[RD_LAW_LENGTH_MAX + 1] = '\0';
    assert_int_equal(rd_law_create(&law, text, &error), RD_ERROR_USAGE);
    assert_string_equal(error.what.text, "a paragraph of more than 100000 characters");
    free(text);
}

static void test_too_many_variables_are_told(void **state)
{
    char text[1000], *at = text;
    (void)state;
    at += sprintf(at, "input a[n] array A[n] law\nA[0] = sum of a[0");
    for (unsigned k = 0; k < 33; k++)
        at += sprintf(at, " + v%u", k);
    sprintf(at, "]");
    assert_mistake(text, 2, 203, "more than 32 variables in one sentence");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sentences_end_where_any_other_begins),
        cmocka_unit_test(test_paragraph_has_its_inputs_and_sections),
        cmocka_unit_test(test_point_says_who_comes_there),
        cmocka_unit_test(test_spellings_of_one_thing_are_the_same),
        cmocka_unit_test(test_what_is_printed_reads_as_the_same),
        cmocka_unit_test(test_print_is_a_sentence_a_line),
        cmocka_unit_test(test_mistake_is_told_with_its_column),
        cmocka_unit_test(test_mistake_in_a_paragraph_is_told_with_its_line),
        cmocka_unit_test(test_too_deep_is_told),
        cmocka_unit_test(test_too_long_is_told),
        cmocka_unit_test(test_too_many_variables_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
