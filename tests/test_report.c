// SPDX-License-Identifier: MIT
/* The parts of the HTML page that need no browser: text stays text, and statements become formulas. */
#include "harness.h"
#include "view/report/markup.h"
#include "view/report/mathml.h"
#include "view/report/report.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- text ---- */

static void assert_markup(const char *text, const char *wanted)
{
    struct rd_markup markup = {.data = NULL};
    rd_markup_raw(&markup, "");
    rd_markup_text(&markup, text);
    assert_false(markup.failed);
    assert_string_equal(markup.data, wanted);
    free(markup.data);
}

static void test_markup_text_of_a_hostile_name_stays_text(void **state)
{
    (void)state;
    assert_markup("</script><img src=x onerror=alert(1)>",
                  "&lt;/script&gt;&lt;img src=x onerror=alert(1)&gt;");
    assert_markup("\" onload='x' &amp; ]]>", "&quot; onload=&#39;x&#39; &amp;amp; ]]&gt;");
    assert_markup("<!--", "&lt;!--");
}

static void test_markup_text_that_is_no_utf8_is_mended(void **state)
{
    (void)state;
    assert_markup("a\xff"
                  "b",
                  "a\xef\xbf\xbd"
                  "b");
    assert_markup("\xc3", "\xef\xbf\xbd");                                 /* cut short */
    assert_markup("\xc0\xaf", "\xef\xbf\xbd\xef\xbf\xbd");                 /* an overlong '/' */
    assert_markup("\xed\xa0\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"); /* a surrogate */
    assert_markup("\xf4\x90\x80\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
    assert_markup("\x1b[31m\x01", "\xef\xbf\xbd[31m\xef\xbf\xbd"); /* no terminal's controls */
    assert_markup("\xe2\x80\xa8", "\xe2\x80\xa8");                 /* U+2028 is text in HTML */
    assert_markup("\xc3\xa4 \xf0\x9f\x99\x82\n\t", "\xc3\xa4 \xf0\x9f\x99\x82\n\t");
}

static void assert_json(const char *text, const char *wanted)
{
    struct rd_markup markup = {.data = NULL};
    json_t *string = rd_markup_string(text);
    rd_markup_json(&markup, string);
    assert_false(markup.failed);
    assert_string_equal(markup.data, wanted);
    json_t *again = json_loads(markup.data, JSON_DECODE_ANY, NULL);
    assert_string_equal(json_string_value(again), json_string_value(string));
    json_decref(again);
    json_decref(string);
    free(markup.data);
}

static void test_markup_json_can_not_end_its_element(void **state)
{
    (void)state;
    assert_json("</script><!--", "\"\\u003c/script\\u003e\\u003c!--\"");
    assert_json("]]> &amp;", "\"]]\\u003e \\u0026amp;\"");
    assert_json("\xe2\x80\xa8\xe2\x80\xa9", "\"\\u2028\\u2029\"");
    assert_json("\" \\ \n", "\"\\\" \\\\ \\n\"");
    assert_json("a\xff", "\"a\\uFFFD\"");
}

static void test_markup_grows_over_any_bound(void **state)
{
    (void)state;
    struct rd_markup markup = {.data = NULL};
    for (int k = 0; k < 10000; k++)
        rd_markup_format(&markup, "%d,", k % 10);
    assert_int_equal(markup.size, 20000);
    assert_int_equal(strlen(markup.data), 20000);
    char *longer = malloc(5001);
    memset(longer, 'x', 5000);
    longer[5000] = '\0';
    rd_markup_format(&markup, "%s", longer); /* more than the formatter's own room */
    assert_int_equal(markup.size, 25000);
    free(longer);
    free(markup.data);
}

/* ---- formulas ---- */

static char *math(const char *statement)
{
    struct rd_markup markup = {.data = NULL};
    rd_mathml_statement(&markup, statement);
    assert_false(markup.failed);
    return markup.data;
}

/* The formula has this in it. */
static void assert_math(const char *statement, const char *wanted)
{
    char *text = math(statement);
    if (!strstr(text, wanted))
        fail_msg("\"%s\" is\n%s\nwithout\n%s", statement, text, wanted);
    free(text);
}

static void test_mathml_of_a_sum_has_its_condition_below_the_sign(void **state)
{
    (void)state;
    const char *fold = "for 0 <= i < 4: A[i] = sum of a[j], j mod 4 = i";
    assert_math(fold, "<msub><mi>A</mi><mrow><mi>i</mi></mrow></msub><mo>=</mo>");
    assert_math(fold, "<munder><mo movablelimits=\"false\">∑</mo><mtable><mtr><mtd><mi>j</mi>"
                      "<mo>mod</mo><mn>4</mn><mo>=</mo><mi>i</mi></mtd></mtr></mtable></munder>"
                      "<msub><mi>a</mi><mrow><mi>j</mi></mrow></msub>");
    assert_math(fold, "<mtext>for</mtext>");
    assert_math(fold, "<mn>0</mn><mo>≤</mo><mi>i</mi><mo>&lt;</mo><mn>4</mn>");
    assert_math("for 0 <= i < 2: x[i] = sum of own[t], t mod 2 = i; own[t] = sum of a[j], j < 9",
                "<msub><mi>own</mi><mrow><mi>t</mi></mrow></msub><mo>=</mo><munder>");
    assert_math("for 0 <= i < 2: A[i] = a[i]; for 2 <= i < 4: A[i] = 0",
                "<math class=\"scope\"><mrow><mtext>for</mtext><mspace width=\"0.3em\"></mspace>"
                "<mn>2</mn>");
    assert_math("A[0] = sum of a[j], j mod m_1 = 0; m_k = ceil(9 / 2^k)",
                "<msup><mn>2</mn><mi>k</mi></msup><mo>⌉</mo>");
    assert_math("A[0] = sum of all a[j], 5 blocks in any order", "∑</mo><mi>j</mi></munder>");
    assert_math("A[0] = sum of all a[j], 5 blocks in any order", "<mtext>blocks</mtext>");
}

static void test_mathml_of_two_conditions_has_a_line_for_each(void **state)
{
    (void)state;
    assert_math("for 0 <= i < 17: A[i] = sum of a[i+j]*b[j], 0 <= j < 5, i+j < 17",
                "<mn>5</mn></mtd></mtr><mtr><mtd><mi>i</mi><mo>+</mo><mi>j</mi>");
}

static void test_mathml_of_calls_powers_and_products_has_their_signs(void **state)
{
    (void)state;
    assert_math("for 0 <= k < 2: A[k] = sum of (a[j]-b[j])^2, floor((j mod 8) / 4) = k", "⌊");
    assert_math("for 0 <= k < 2: A[k] = sum of (a[j]-b[j])^2, floor((j mod 8) / 4) = k",
                "<msup><mrow><mo stretchy=\"false\">(</mo>");
    assert_math("for i = 0 mod 2, i < 8: A[i] = sum of a[j], i <= j < min(i+2, 8)", "<mi>min</mi>");
    assert_math("for 0 <= i < 3: A[i] = sum of a[j], r_1(j) = i",
                "<msub><mi>r</mi><mn>1</mn></msub><mo stretchy=\"false\">(</mo><mi>j</mi>");
    assert_math("for i = 0 mod 2, i < 8: A[i] = sum of a[j], i <= j < min(i+2, 8)",
                "<mi>i</mi><mo>≡</mo><mn>0</mn><mspace width=\"0.5em\"></mspace>"
                "<mo stretchy=\"false\">(</mo><mi>mod</mi><mspace width=\"0.25em\"></mspace>"
                "<mn>2</mn><mo stretchy=\"false\">)</mo><mo>,</mo>");
    assert_math("for 0 <= i <= 4: A[i] = sum of a[j], j = i (mod 4)",
                "<mi>j</mi><mo>≡</mo><mi>i</mi><mspace");
    assert_math("for 0 <= i < 8: A[i] = a[i] * b[i]", "</msub><mo>⋅</mo><msub>");
    assert_math("for 0 <= i, j < 5: A[i*5 + j] = a[i][j] + 10",
                "<mi>i</mi><mo>,</mo><mi>j</mi></mrow></msub><mo>+</mo><mn>10</mn>");
    assert_math("for 0 <= i <= 4: A[i] = sum of a[j], j = i (mod 4)", "<mi>mod</mi>");
    assert_math("for 0 <= k < 4: A[3k], A[3k+1], A[3k+2] = sums of a[j]*b[j], a[j]^2, b[j]^2, "
                "floor((j mod 1024) / 256) = k",
                "<msup><msub><mi>b</mi><mrow><mi>j</mi></mrow></msub><mn>2</mn></msup>"
                "<mo stretchy=\"false\">)</mo>");
}

static void assert_no_math(const char *statement, const char *unwanted)
{
    char *text = math(statement);
    if (strstr(text, unwanted))
        fail_msg("\"%s\" is\n%s\nwith\n%s", statement, text, unwanted);
    free(text);
}

static void test_mathml_of_a_sum_of_sums_has_one_equals_sign(void **state)
{
    (void)state;
    const char *blocks =
        "for lanes 0 <= l < 16: r[l] = sum of the sums of blocks k, (k mod 32) mod 16 = l";
    assert_math(blocks, "<mi>r</mi><mrow><mi>l</mi></mrow></msub><mo>=</mo><munder>");
    assert_math(blocks, "<mtext>sums</mtext>");
    assert_no_math(blocks, "<mtext>sum</mtext>");
}

static void test_mathml_of_a_name_of_a_variable_is_no_word(void **state)
{
    (void)state;
    assert_math("thread 0: total = sum of a[j]*b[j], 0 <= j < min(1, 16)",
                "<mi>total</mi><mo>=</mo>");
    assert_math("sum = sum of a[j], 0 <= j < 3", "<mi>sum</mi><mo>=</mo><munder>");
    assert_math("total = 3", "<mi>total</mi><mo>=</mo><mn>3</mn>");
    assert_math("for 0 <= i < 2, q < 3: cache[3i+q] = sum of x_q[t], t mod 2 = i",
                "<msub><mi>x</mi><mrow><mi>q</mi><mo>,</mo><mi>t</mi></mrow></msub>");
    assert_math("for i < 2: A[i] = sum of a[j], r_0(j) = i", "<msub><mi>r</mi><mn>0</mn></msub>");
    assert_math("for i < 2: x[i] = sum of what threads t .. t + 1 brought", "<mo>\u2026</mo>");
    assert_no_math("for i < 2: x[i] = sum of what threads t brought", "<mi>threads</mi>");
}

static void test_mathml_of_words_stays_words(void **state)
{
    (void)state;
    assert_math("for 0 <= w < 8: s[w] = sum of what the lanes of warp w brought",
                "<mtext>lanes</mtext>");
    assert_math("for i < 4: A[i] = sum of a[j], j mod 4 = i; the others as folded",
                "<mtext>folded</mtext>");
    assert_math("for lanes 0 <= l < 8 of warp 2: r[l] = sum of a[j] in packs p, p < 3",
                "<mtext>lanes</mtext>");
    assert_math("for lanes 0 <= l < 8 of warp 2: r[l] = sum of a[j] in packs p, p < 3",
                "<msub><mi>a</mi><mrow><mi>j</mi></mrow></msub>");
}

/* A trace may bring any statement: what comes out is balanced, and has no markup of its own. */
static void test_mathml_of_anything_is_well_formed(void **state)
{
    static const char *const hostile[] = {
        "",
        ":",
        ": ",
        "for : = sum of ",
        "sum of",
        "A[0] = sum of ",
        "A[0] = sum of ,,,",
        "A[[[[[[i]",
        "A[i",
        "((((((((((",
        "))))",
        "a^",
        "a^2^3^4",
        "_",
        "a_",
        "a_1_2[",
        "<script>alert(1)</script>: A[i] = <b>",
        "A[i] = sum of <img onerror=x>, j mod 4 = i; </math><b>",
        "floor(min(a, b), (c / d)) = k (mod )",
        "\xff\xfe = sum of \xe2\x80\xa8",
        "1 2 3 4 = = = <= < mod mod",
    };
    (void)state;
    for (size_t k = 0; k < sizeof hostile / sizeof *hostile; k++) {
        char *text = math(hostile[k]);
        assert_null(strstr(text, "<script"));
        assert_null(strstr(text, "<img"));
        assert_null(strstr(text, "<b>"));
        int depth = 0;
        for (const char *c = strchr(text, '<'); c; c = strchr(c + 1, '<')) {
            depth += c[1] == '/' ? -1 : 1;
            assert_true(depth >= 0);
        }
        assert_int_equal(depth, 0);
        free(text);
    }
}

/* ---- the bound of a page ---- */

static size_t page_size(struct rd_history *history, size_t bytes_max)
{
    char path[] = "/tmp/test_report-XXXXXX";
    int file = mkstemp(path);
    struct rd_error error = {""};
    struct stat about;
    const struct rd_report report = {.history = history, .bytes_max = bytes_max};
    assert_true(file >= 0);
    enum rd_status status = rd_report_write(path, &report, &error);
    if (status != RD_OK)
        fail_msg("%s", error.text);
    assert_int_equal(stat(path, &about), 0);
    unlink(path);
    close(file);
    return (size_t)about.st_size;
}

/* Long values, of which every estimate would be one; the program has many checkpoints. */
static void test_a_page_is_never_larger_than_it_may_be(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        struct rd_values values;
        struct rd_history *history;
        struct rd_error error = {""};
        struct rd_run run = {
            .program = rd_program_named(k ? "dot-shared" : "tournament"),
            .numeric = rd_numeric(RD_TYPE_F64),
            .device = test_device(),
            .n = k ? 1000 : 255,
            .block = 64,
            .grid = k ? 4 : 0,
            .frame = true,
            .blocks.all = true,
        };
        assert_int_equal(rd_values_init_two(&values, run.numeric, test_random_values(0), run.n,
                                            k ? run.n : 0, &error),
                         RD_OK);
        run.values = values.spec;
        run.a = values.a;
        run.b = values.b;
        assert_int_equal(rd_history_run(&history, &run, NULL, &error), RD_OK);
        size_t whole = page_size(history, 0);
        assert_true(whole > 500 << 10);
        for (size_t most = 200 << 10; most < whole; most += 100 << 10) {
            size_t size = page_size(history, most);
            if (size > most)
                fail_msg("%s: %zu bytes, and %zu is the most", run.program->name, size, most);
        }
        rd_history_destroy(history);
        rd_values_finish(&values);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_markup_text_of_a_hostile_name_stays_text),
        cmocka_unit_test(test_markup_text_that_is_no_utf8_is_mended),
        cmocka_unit_test(test_markup_json_can_not_end_its_element),
        cmocka_unit_test(test_markup_grows_over_any_bound),
        cmocka_unit_test(test_mathml_of_a_sum_has_its_condition_below_the_sign),
        cmocka_unit_test(test_mathml_of_two_conditions_has_a_line_for_each),
        cmocka_unit_test(test_mathml_of_calls_powers_and_products_has_their_signs),
        cmocka_unit_test(test_mathml_of_a_sum_of_sums_has_one_equals_sign),
        cmocka_unit_test(test_mathml_of_a_name_of_a_variable_is_no_word),
        cmocka_unit_test(test_mathml_of_words_stays_words),
        cmocka_unit_test(test_mathml_of_anything_is_well_formed),
        cmocka_unit_test(test_a_page_is_never_larger_than_it_may_be),
    };
    return cmocka_run_group_tests(tests, test_set_up, test_tear_down) != 0;
}
