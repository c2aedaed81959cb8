// SPDX-License-Identifier: MIT
/* Laws as text with the numbers of a step, next to the sentences that programs print; as LaTeX and MathML. */
#include "reductio/law.h"
#include "law_harness.h"
#include "law/words.h"
#include "laws.h"
#include "reductio/program.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct rd_law *read_law(const char *text)
{
    struct rd_law *law = NULL;
    struct rd_law_error error;
    if (rd_law_create(&law, text, &error) != RD_OK)
        fail_msg("%zu:%zu: %s\n%s", error.line, error.column, error.what.text, text);
    return law;
}

typedef enum rd_status writer_at(struct rd_law_run *run, const struct rd_law_section *section,
                                 const struct rd_law_place *place, FILE *out,
                                 struct rd_law_error *error);

static const char *said_by(writer_at *write, const char *text, unsigned d)
{
    static char said[3000];
    struct rd_law *law = read_law(text);
    struct rd_law_run *run;
    struct rd_law_error error;
    memset(said, 0, sizeof said);
    FILE *out = fmemopen(said, sizeof said - 1, "w");
    assert_non_null(out);
    assert_int_equal(
        rd_law_run_create(&run, law, &(struct rd_law_sizes){.n = 8, .T = 4, .B = 2}, &error),
        RD_OK);
    if (write(run, rd_law_section(law, 0), &(struct rd_law_place){.d = d}, out, &error) != RD_OK)
        fprintf(out, "%zu: %s", error.column, error.what.text);
    fclose(out);
    rd_law_run_destroy(run);
    rd_law_destroy(law);
    return said;
}

static const char *text_of(const char *text, unsigned d)
{
    return said_by(rd_law_text, text, d);
}

#define HEAD                                                                                       \
    "input a[n] array A[n] let w = n / 2^d; D = 2^d; p(x) = x + w; m_0 = n; m_(k+1) = m_k - 3\n"

static void test_text_leaves_out_a_zero_that_is_added_or_subtracted(void **state)
{
    static const struct {
        const char *law, *text;
    } rows[] = {
        {"for 0 <= i < w: A[i] = sum of a[j], (j - d) mod w = i",
         "for 0 <= i < 8: A[i] = sum of a[j], j mod 8 = i"},
        {"for 0 <= i < w: A[i - d] = sum of a[j + d], (d + j) mod(w) = i, j < n",
         "for 0 <= i < 8: A[i] = sum of a[j], j mod 8 = i, j < 8"},
        {"for 0 <= i < w: A[i] = sum of a[j], 3*(2*j + d) mod w = i - d",
         "for 0 <= i < 8: A[i] = sum of a[j], 3*(2*j) mod 8 = i"},
        {"for 0 <= i < w: A[i] = sum of a[j], d - j = 0 - i",
         "for 0 <= i < 8: A[i] = sum of a[j], 0 - j = 0 - i"},
    };
    (void)state;
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        char law[300];
        snprintf(law, sizeof law, "input a[n] array A[n] let w = n / 2^d\nlaw %s", rows[k].law);
        assert_string_equal(text_of(law, 0), rows[k].text);
        assert_null(strstr(said_by(rd_law_mathml_at, law, 0), "<mo>−</mo><mn>0"));
        assert_null(strstr(said_by(rd_law_mathml_at, law, 0), "<mo>+</mo><mn>0"));
    }
}

static void test_text_has_the_numbers_of_the_step(void **state)
{
    (void)state;
    assert_string_equal(text_of(HEAD "law for 0 <= i < w: A[i] = sum of a[j], j mod w = i", 1),
                        "for 0 <= i < 4: A[i] = sum of a[j], j mod 4 = i");
    assert_string_equal(
        text_of(HEAD "law for i = 0 mod D, i < n: A[i] = sum of a[j], i <= j < min(i+D, n)", 2),
        "for i = 0 mod 4, i < 8: A[i] = sum of a[j], i <= j < min(i+4, 8)");
    /* Words and spaces stay, but where a line ends. */
    assert_string_equal(
        text_of(HEAD "law for i<w  :\n    A[ i ] = sum of all a[j] over j%w == i", 1),
        "for i<4  : A[ i ] = sum of all a[j] over j%4 == i");
}

/* The laws of all sections, one behind the other, in their author's words. */
static const char *words_of(const char *text)
{
    static char said[3000];
    struct rd_law *law = read_law(text);
    struct rd_law_words words = {.law = law};
    memset(said, 0, sizeof said);
    FILE *out = fmemopen(said, sizeof said - 1, "w");
    assert_non_null(out);
    for (size_t k = 0; k < rd_law_section_count(law); k++)
        assert_int_equal(rd_law_words(&words, rd_law_section(law, k), out), RD_OK);
    fclose(out);
    rd_law_words_finish(&words);
    rd_law_destroy(law);
    return said;
}

static void test_words_are_the_authors_with_each_definition_once(void **state)
{
    (void)state;
    assert_string_equal(words_of(HEAD "law for 0 <= i<w  :\n    A[ i ] = sum of a[j], j%w == i"),
                        "for 0 <= i<w : A[ i ] = sum of a[j], j%w == i\nwhere w = n / 2^d\n");
    assert_string_equal(words_of(HEAD "law when d = 0: A = 0; when D > 1: A[p(0)] = a[m_d]"),
                        "when d = 0: A = 0;\n"
                        "when D > 1: A[p(0)] = a[m_d]\n"
                        "where p(x) = x + w\n"
                        "where w = n / 2^d\n"
                        "where m_0 = n; m_(k+1) = m_k - 3\n"
                        "where D = 2^d\n");
    assert_string_equal(
        words_of("input a[n] array A[B]\n"
                 "let for 0 <= k < B, 0 <= t < T: x[k][t] = sum of a[j], j mod G = k*T + t\n"
                 "law for 0 <= k < B: A[k] = sum of x[k][t], 0 <= t < T\n"
                 "at here shared c[T] law for 0 <= t < T: c[t] = x[block][t]"),
        "for 0 <= k < B: A[k] = sum of x[k][t], 0 <= t < T\n"
        "where x[k][t] = sum of a[j], j mod G = k*T + t\n"
        "for 0 <= t < T: c[t] = x[block][t]\n");
}

static void test_text_replaces_the_largest_part_that_is_a_number(void **state)
{
    (void)state;
    assert_string_equal(
        text_of(HEAD "law for 0 <= i < 2*w + 1: A[i + w - 1] = a[(n - w) / 4 + i]", 1),
        "for 0 <= i < 9: A[i + 4 - 1] = a[1 + i]");
    assert_string_equal(text_of(HEAD "law A[p(0)] = sum of a[i + 2*w - w], i < 2", 1),
                        "A[4] = sum of a[i + 8 - 4], i < 2");
}

static void test_text_has_the_brackets_that_its_numbers_need(void **state)
{
    static const struct {
        const char *law, *text;
    } laws[] = {
        {"sum of a[j], 0 < j, i = n mod j", "sum of a[j], 0 < j, i = (8 mod j)"},
        {"sum of a[j], 0 < j, i = 8 mod j", "sum of a[j], 0 < j, i = 8 mod j"},
        {"sum of a[j], i = d - 1 + 3 mod (j+1)", "sum of a[j], i = (3 mod (j+1))"},
        {"sum of a[j], i = d + 3 mod (j+1)", "sum of a[j], i = 1 + 3 mod (j+1)"},
        {"sum of a[j], i = n mod j mod 3", "sum of a[j], i = 8 mod j mod 3"},
        {"sum of a[j], j mod(w) = i", "sum of a[j], j mod 4 = i"},
        {"sum of a[j], not(w)= j", "sum of a[j], not 4= j"},
        {"sum of a[j], -r_d(j) + 3 = i", "sum of a[j], -(j + 1) + 3 = i"},
        {"sum of a[j], n - r_d(j) = i", "sum of a[j], 8 - (j + 1) = i"},
        {"sum of a[j], r_d(j) - n = i", "sum of a[j], j + 1 - 8 = i"},
        {"sum of a[j], floor(r_d(j) / 2) = i", "sum of a[j], floor((j + 1) / 2) = i"},
        {"sum of a[j], (3r_d(j))^2 = i", "sum of a[j], (3*(j + 1))^2 = i"},
        {"sum of a[j], i = 0 mod r_d(j)", "sum of a[j], i = 0 mod (j + 1)"},
        {"sum of a[j], i = 0 (mod r_d(j))", "sum of a[j], i = 0 (mod j + 1)"},
        {"sum of a[j], i = q_d(j)", "sum of a[j], i = (5 mod (j+1))"},
        {"sum of a[j], i = -q_d(j)*0 mod (j+1)", "sum of a[j], i = -(5 mod (j+1))*0 mod (j+1)"},
        {"sum of a[j], 0 <= i = q_d(j)", "sum of a[j], 0 <= i = (5 mod (j+1))"},
        {"sum of a[j], 0 <= i = w mod (j+1)", "sum of a[j], 0 <= i = (4 mod (j+1))"},
        {"sum of a[j], i = -z_d(j) mod (j+1)", "sum of a[j], i = (-8 mod (j+1))"},
        {"sum of a[j], i = -r_d(0) mod (j+1)", "sum of a[j], i = (-1) mod (j+1)"},
        {"sum of a[j], i = q_d(j) (mod 3)", "sum of a[j], i = (5 mod (j+1)) (mod 3)"},
        {"sum of a[j], s_d(j)^2 = i", "sum of a[j], (-j)^2 = i"},
        {"sum of a[j], -s_d(j) = i", "sum of a[j], -(-j) = i"},
        {"sum of a[j], c_d(j)^2 = 2^c_d(j)", "sum of a[j], (j^3)^2 = 2^j^3"},
    };
    (void)state;
    for (size_t k = 0; k < sizeof laws / sizeof *laws; k++) {
        char law[600], wanted[200];
        snprintf(law, sizeof law,
                 HEAD "let r_0(j) = j; r_(k+1)(j) = r_k(j) + 1; s_0(j) = j; s_(k+1)(j) = -s_k(j); "
                      "c_0(j) = j; c_(k+1)(j) = c_k(j)^3; q_0(j) = j; q_(k+1)(j) = 5 mod (j+1); "
                      "z_0(j) = j; z_(k+1)(j) = n\n"
                      "law for i < 4: A[i] = %s",
                 laws[k].law);
        snprintf(wanted, sizeof wanted, "for i < 4: A[i] = %s", laws[k].text);
        assert_string_equal(text_of(law, 1), wanted);
    }
}

static void test_text_brackets_negative_numbers(void **state)
{
    (void)state;
    assert_string_equal(text_of(HEAD "law for i < 3: A[i - (w - n)] = a[i]", 1),
                        "for i < 3: A[i - (-4)] = a[i]");
}

static void test_text_of_functions_and_families(void **state)
{
    (void)state;
    assert_string_equal(text_of(HEAD "law for i < m_d: A[p(i)] = a[m_(d-1)]", 1),
                        "for i < 5: A[p(i)] = a[8]; p(x) = x + 4");
    assert_string_equal(text_of("input a[n] array A[n] let r_0(j) = j; r_(d+1)(j) = r_d(j) div 2\n"
                                "law for i < n: A[i] = sum of a[j], r_d(j) = r_(d-1)(i)",
                                2),
                        "for i < 8: A[i] = sum of a[j], j div 2 div 2 = r_(1)(i); "
                        "r_0(j) = j; r_(d+1)(j) = r_d(j) div 2");
}

/* An index that is the same number everywhere is left out, and then it has that value in the definition. */
static void test_text_has_the_definitions_that_it_speaks_of(void **state)
{
    static const char *const own =
        "input a[n] array A[n] let for 0 <= k < n, 0 <= t < n:\n    x[k][t] = sum of a[j], "
        "j mod n = k*2 + t\nlet for 0 <= k < n: S[k] = sum of x[k][t], t < 2\nlaw ";
    char law[400];
    (void)state;
    snprintf(law, sizeof law, "%sA[0] = sum of x[d][t], 0 <= t < 4", own);
    assert_string_equal(text_of(law, 3),
                        "A[0] = sum of x[t], 0 <= t < 4; x[t] = sum of a[j], j mod 8 = 6 + t");
    assert_string_equal(text_of(law, 0),
                        "A[0] = sum of x[t], 0 <= t < 4; x[t] = sum of a[j], j mod 8 = t");
    snprintf(law, sizeof law, "%sA[0] = x[d][1] + x[d + 1][1]", own);
    assert_string_equal(text_of(law, 3),
                        "A[0] = x[3] + x[4]; x[k] = sum of a[j], j mod 8 = k*2 + 1");
    snprintf(law, sizeof law, "%sA[0] = sum of S[m], m < d", own);
    assert_string_equal(text_of(law, 3), "A[0] = sum of S[m], m < 3; S[k] = sum of x[k][t], t < 2; "
                                         "x[k][t] = sum of a[j], j mod 8 = k*2 + t");
    snprintf(law, sizeof law, "%swhen d = 1: A[0] = S[1]; when d > 1: A[0] = a[0]", own);
    assert_string_equal(text_of(law, 2), "A[0] = a[0]");
}

static void test_text_at_most_as_long_as_there_is_room(void **state)
{
    struct law_subject subject =
        law_subject(HEAD "law for i < w: A[i] = a[i]", (struct rd_law_sizes){.n = 8, .T = 4});
    char text[9];
    (void)state;
    assert_int_equal(rd_law_text_at(subject.run, subject.section, &(struct rd_law_place){.d = 1},
                                    text, sizeof text, NULL),
                     RD_OK);
    assert_string_equal(text, "for i < ");
    law_subject_finish(&subject);
}

static void test_text_leaves_claims_out_whose_condition_does_not_hold(void **state)
{
    static const char *const law = HEAD "law when d = 0: A = 0; when d > 0: for 0 <= i, j < D: "
                                        "A[i] = a[j]; when d > 1: A[n] = a[d]";
    (void)state;
    assert_string_equal(text_of(law, 0), "A = 0");
    assert_string_equal(text_of(law, 1), "for 0 <= i, j < 2: A[i] = a[j]");
    assert_string_equal(text_of(law, 2), "for 0 <= i, j < 4: A[i] = a[j]; A[8] = a[2]");
}

/* The law may be defined all the same: a condition to the left may be false. */
static void test_text_of_what_is_undefined_has_its_numbers(void **state)
{
    (void)state;
    assert_string_equal(text_of(HEAD "law for i < n / (w - 4): A[i] = 0", 1),
                        "for i < 8 / 0: A[i] = 0");
    assert_string_equal(
        text_of(HEAD "law for 0 <= i < w, d > 0, 5 mod d < 9: A[i] = a[m_(d-1)]", 0),
        "for 0 <= i < 8, 0 > 0, 5 mod 0 < 9: A[i] = a[m_(-1)]; m_0 = 8; m_(k+1) = m_k - 3");
    assert_string_equal(text_of("input a[n] array A[n] let p = n / 2^(d-1)\n"
                                "law for i < n, d > 0 and i < p: A[i] = a[i]",
                                0),
                        "for i < 8, 0 > 0 and i < p: A[i] = a[i]; p = 8 / 2^(-1)");
}

/* ---- formulas ---- */

typedef enum rd_status writer(const struct rd_law_section *section, FILE *out);

static void assert_written(writer *write, const char *sentences, const char *wanted)
{
    char paragraph[600], *text;
    size_t length;
    snprintf(
        paragraph, sizeof paragraph,
        "input a[n] array A[n] let w = n / 2^d; m_0 = n; m_(d+1) = m_d; f(x) = x; low_w = 3 law %s",
        sentences);
    struct rd_law *law = read_law(paragraph);
    FILE *out = open_memstream(&text, &length);
    assert_non_null(out);
    assert_int_equal(write(rd_law_section(law, 0), out), RD_OK);
    fclose(out);
    char *where = strstr(text, "\\text{where }"); /* the definitions, which come last */
    where = where ? where : strstr(text, "<math><mtext>where ");
    if (where)
        *where = '\0';
    if (strcmp(text, wanted) != 0)
        fail_msg("%s\n%s, not\n%s", sentences, text, wanted);
    free(text);
    rd_law_destroy(law);
}

static void test_latex_is_as_in_textbooks(void **state)
{
    static const struct {
        const char *law, *latex;
    } formulas[] = {
        {"for 0 <= i < w: A[i] = sum of a[j], j mod w = i",
         "A_{i} = \\sum_{j \\bmod w = i} a_{j}, \\quad 0 \\le i < w\n"},
        {"for i = 0 mod w, i < n: A[i] = a[(i + 1)*2]^2",
         "A_{i} = a_{\\left(i + 1\\right) \\cdot 2}^{2}, \\quad i \\equiv 0 \\pmod{w},\\; i < n\n"},
        {"when d > 0 and not d = 2: A = product of (a[j] - 1), j != 3 or j >= n / 2",
         "A = \\prod_{j \\ne 3 \\lor j \\ge \\left\\lfloor \\frac{n}{2} \\right\\rfloor} "
         "\\left(a_{j} - 1\\right), \\quad \\text{when } d > 0 \\land \\lnot d = 2\n"},
        {"A[m_(d-1)] = argmin of a[low_w]",
         "A_{m_{d - 1}} = \\operatorname*{arg\\,min} a_{\\mathrm{low\\_w}}\n"},
        {"A[ceil((n + 1) / 2) + ceil(sqrt(n)) + log2(n)] = a[max(f(1), bit_ceil(2), abs(-3)) xor "
         "1]",
         "A_{\\left\\lceil \\frac{n + 1}{2} \\right\\rceil + \\left\\lceil \\sqrt{n} "
         "\\right\\rceil + "
         "\\left\\lfloor \\log_2\\left(n\\right) \\right\\rfloor} = "
         "a_{\\max\\left(f\\left(1\\right), \\mathrm{bit\\_ceil}\\left(2\\right), "
         "\\left|-3\\right|\\right) "
         "\\oplus 1}\n"},
    };
    (void)state;
    for (size_t k = 0; k < sizeof formulas / sizeof *formulas; k++)
        assert_written(rd_law_latex, formulas[k].law, formulas[k].latex);
}

static void test_mathml_is_of_elements_that_browsers_have(void **state)
{
    (void)state;
    assert_written(rd_law_mathml, "for 0 <= i < w: A[i] = sum of a[j], j mod w = i",
                   "<math><msub><mi>A</mi><mrow><mi>i</mi></mrow></msub><mo>=</mo><mrow><munder>"
                   "<mo>∑</mo><mrow><mrow><mrow><mi>j</mi><mo>mod</mo><mi>w</mi></mrow><mo>=</mo>"
                   "<mi>i</mi></mrow></mrow></munder><msub><mi>a</mi><mrow><mi>j</mi></mrow></msub>"
                   "</mrow><mo>,</mo><mspace width=\"1em\"/><mrow><mn>0</mn><mo>≤</mo><mi>i</mi>"
                   "<mo>&lt;</mo><mi>w</mi></mrow></math>\n");
    assert_written(
        rd_law_mathml, "when d = 0: A[n / 2] = a[-(n + 1)]^2 - max of a[j], j = 1 (mod 2)",
        "<math><msub><mi>A</mi><mrow><mrow><mo>⌊</mo><mfrac><mi>n</mi><mn>2</mn></mfrac><mo>⌋</mo>"
        "</mrow></mrow></msub><mo>=</mo><mrow><msup><msub><mi>a</mi><mrow><mrow><mo>−</mo><mrow>"
        "<mo>(</mo><mrow><mi>n</mi><mo>+</mo><mn>1</mn></mrow><mo>)</mo></mrow></mrow></mrow></"
        "msub>"
        "<mn>2</mn></msup><mo>−</mo><mrow><munder><mo>max</mo><mrow><mrow><mi>j</mi><mo>≡</mo>"
        "<mn>1</mn><mspace width=\"1em\"/><mo>(</mo><mi>mod</mi><mspace width=\"0.3em\"/><mn>2</mn>"
        "<mo>)</mo></mrow></mrow></munder><msub><mi>a</mi><mrow><mi>j</mi></mrow></msub></mrow></"
        "mrow>"
        "<mo>,</mo><mspace width=\"1em\"/><mtext>when </mtext><mrow><mi>d</mi><mo>=</mo><mn>0</mn>"
        "</mrow></math>\n");
}

static void test_mathml_at_a_step_has_its_numbers_and_what_is_defined(void **state)
{
    (void)state;
    const char *said = said_by(rd_law_mathml_at,
                               HEAD "law when d = 0: A[0] = 1; when d = 1: for 0 <= i < w: "
                                    "A[i - 6 + p(0)] = sum of a[j], p(j) = m_(i+1)",
                               1);
    static const char *const parts[] = {
        "<math class=\"scope\"><mrow><mtext>for</mtext><mspace width=\"0.3em\"/><mrow><mn>0</mn>"
        "<mo>≤</mo><mi>i</mi><mo>&lt;</mo><mn>4</mn></mrow><mo>:</mo></mrow></math> "
        "<math display=\"block\"><mrow><msub><mi>A</mi><mrow><mrow><mrow><mi>i</mi><mo>−</mo>"
        "<mn>6</mn></mrow><mo>+</mo><mn>4</mn></mrow></mrow></msub><mo>=</mo><mrow><munder>",
        "<math class=\"scope\"><mrow><mtext>where</mtext></mrow></math> <math display=\"block\">"
        "<mrow><mrow><mi>p</mi><mo>(</mo><mi>x</mi><mo>)</mo></mrow><mo>=</mo><mrow><mi>x</mi>"
        "<mo>+</mo>"
        "<mn>4</mn></mrow></mrow></math>",
        "<msub><mi>m</mi><mrow><mn>0</mn></mrow></msub></mrow><mo>=</mo><mn>8</mn>",
        "<msub><mi>m</mi><mrow><mi>k</mi><mo>+</mo><mn>1</mn></mrow></msub></mrow><mo>=</mo>",
    };
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
        if (!strstr(said, parts[k]))
            fail_msg("%s\nis not in\n%s", parts[k], said);
    assert_non_null(strstr(said_by(rd_law_mathml_at, HEAD "law A[n / (d - d)] = 0", 0),
                           "<mfrac><mn>8</mn><mn>0</mn></mfrac>"));
}

/* The queries of one round. */
static enum rd_status write_queries(struct rd_law_run *run, const struct rd_law_section *section,
                                    const struct rd_law_place *place, FILE *out,
                                    struct rd_law_error *error)
{
    const struct rd_law_obligations obligations = {
        .name = "it", .rounds = place->d, .promise = RD_LAW_PROMISES_FIRST};
    (void)section;
    return rd_law_smtlib(run, &obligations, out, error);
}

static void test_what_smtlib_has_no_word_for_is_refused(void **state)
{
    (void)state;
    assert_string_equal(
        said_by(write_queries, HEAD "law for i < n: A[i] = sum of a[j], j xor 1 = i", 1),
        "36: SMT-LIB has no word for 'xor', and it is no number here at d = 0");
    assert_string_equal(
        said_by(write_queries, HEAD "law for i < n: A[i] = sum of a[j], floor(sqrt(j)) = i", 1),
        "36: SMT-LIB has no word for a root, and it is no number here at d = 0");
    assert_string_equal(
        said_by(write_queries, HEAD "law A[0] = a[0] * a[1]", 1),
        "12: how often an input is in it can't be said in SMT-LIB: a product of two "
        "values that may both hold it at d = 0");
    assert_string_equal(said_by(write_queries, HEAD "law A[n div d] = a[0]", 1),
                        "7: division by 0: undefined at d = 0");
    assert_string_equal(said_by(write_queries, HEAD "law for select < n: A[select] = a[select]", 0),
                        "1: a name in the law means something else in SMT-LIB");
    /* Of no array after the round anything would be true. */
    assert_string_equal(
        said_by(write_queries,
                HEAD "law A[0] = sum of a[j] update A[0] = A[0] + 1; A[0] = A[0] + A[1]", 1),
        "48: two claims on 'A' say different things of cell 0 at d = 1");
    assert_string_equal(
        said_by(write_queries, HEAD "law A[0] = a[0] start A[0] = a[1]; A[0] = a[0]", 0),
        "36: two claims on 'A' say different things of cell 0 at d = 0");
    /* Names don't meet those of the formulas. */
    assert_non_null(strstr(said_by(write_queries, HEAD "law for j < 2: A[j] = a[j]", 0),
                           "(forall ((j Int)) (=> (and (<= 0 j) (< j 2)) (= (select A j) "
                           "(ite (= j the-input) 1 0))))"));
    /* An expression that comes to a number is written as one. */
    assert_non_null(
        strstr(said_by(write_queries, HEAD "law for i < 2: A[i] = a[ceil(sqrt(n)) + (i xor 1)]", 0),
               "(= (select A 1) (ite (= 3 j) 1 0))"));
}

/* Each element that is opened is closed, in the other order, and all text is escaped. */
static void assert_well_formed(const char *text)
{
    char open[100][20];
    size_t depth = 0;
    for (const char *at = text; *at; at++) {
        if (*at == '&')
            assert_true(strncmp(at, "&lt;", 4) == 0 || strncmp(at, "&gt;", 4) == 0);
        if (*at != '<')
            continue;
        const char *end = strchr(at, '>');
        assert_non_null(end);
        if (at[1] == '/') {
            assert_true(depth > 0);
            depth--;
            if (strncmp(open[depth], at + 2, strlen(open[depth])) != 0)
                fail_msg("%s is open: %s", open[depth], at);
        } else if (end[-1] != '/') {
            assert_true(depth < 100);
            snprintf(open[depth++], 20, "%.*s", (int)strcspn(at + 1, " >"), at + 1);
        }
        at = end;
    }
    assert_int_equal(depth, 0);
}

static void test_formulas_of_all_programs_are_well_formed(void **state)
{
    (void)state;
    for (size_t k = 0; right_program(k); k++) {
        struct rd_law *law = read_law(rd_program_law(right_program(k)));
        for (size_t s = 0; s < rd_law_section_count(law); s++) {
            char *text;
            size_t length;
            FILE *out = open_memstream(&text, &length);
            assert_non_null(out);
            rd_law_mathml(rd_law_section(law, s), out);
            fclose(out);
            assert_well_formed(text);
            free(text);
            out = open_memstream(&text, &length);
            assert_non_null(out);
            rd_law_latex(rd_law_section(law, s), out);
            fclose(out);
            int open = 0;
            for (const char *at = text; *at; at++) {
                open += *at == '{' ? 1 : *at == '}' ? -1 : 0;
                assert_true(open >= 0);
            }
            assert_int_equal(open, 0);
            free(text);
        }
        rd_law_destroy(law);
    }
}

/* As many as a paragraph may well have when another program writes it. */
static void test_formulas_explain_each_of_many_definitions(void **state)
{
    enum { COUNT = 100 };
    writer *const writers[] = {rd_law_latex, rd_law_mathml};
    char paragraph[3000], *text;
    size_t length = 0;
    (void)state;
    length += (size_t)sprintf(paragraph, "input a[n] array A[n] let x0 = n");
    for (int k = 1; k < COUNT; k++)
        length += (size_t)sprintf(paragraph + length, "; x%d = x%d + 1", k, k - 1);
    sprintf(paragraph + length, " law A[0] = a[x%d]", COUNT - 1);
    struct rd_law *law = read_law(paragraph);
    for (size_t k = 0; k < sizeof writers / sizeof *writers; k++) {
        size_t lines = 0;
        FILE *out = open_memstream(&text, &length);
        assert_non_null(out);
        assert_int_equal(writers[k](rd_law_section(law, 0), out), RD_OK);
        fclose(out);
        for (const char *at = text; (at = strchr(at, '\n')); at++)
            lines++;
        assert_int_equal(lines, 1 + COUNT);
        free(text);
    }
    rd_law_destroy(law);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_text_leaves_out_a_zero_that_is_added_or_subtracted),
        cmocka_unit_test(test_text_has_the_numbers_of_the_step),
        cmocka_unit_test(test_words_are_the_authors_with_each_definition_once),
        cmocka_unit_test(test_text_replaces_the_largest_part_that_is_a_number),
        cmocka_unit_test(test_text_has_the_brackets_that_its_numbers_need),
        cmocka_unit_test(test_text_brackets_negative_numbers),
        cmocka_unit_test(test_text_of_functions_and_families),
        cmocka_unit_test(test_text_has_the_definitions_that_it_speaks_of),
        cmocka_unit_test(test_text_at_most_as_long_as_there_is_room),
        cmocka_unit_test(test_text_leaves_claims_out_whose_condition_does_not_hold),
        cmocka_unit_test(test_text_of_what_is_undefined_has_its_numbers),
        cmocka_unit_test(test_latex_is_as_in_textbooks),
        cmocka_unit_test(test_mathml_is_of_elements_that_browsers_have),
        cmocka_unit_test(test_mathml_at_a_step_has_its_numbers_and_what_is_defined),
        cmocka_unit_test(test_what_smtlib_has_no_word_for_is_refused),
        cmocka_unit_test(test_formulas_of_all_programs_are_well_formed),
        cmocka_unit_test(test_formulas_explain_each_of_many_definitions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
