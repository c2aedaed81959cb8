// SPDX-License-Identifier: MIT
/* The parts of the HTML page that need no browser: text stays text, and statements become formulas. */
#include "harness.h"
#include "device/kernel_names.h"
#include "view/report/markup.h"
#include "view/report/page.h"
#include "reductio/report.h"
#include "temporary.h"

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

/* A report of a run of the program on n elements, in the words of `statement`, or its own where that is NULL. */
struct asserted {
    const char *program;
    size_t n;
    unsigned step;
    bool inside; /* at the first of its checkpoints, in block 1 */
    const char *statement;
};

static char *math(const struct asserted *asserted)
{
    const struct rd_program *program = rd_program_named(asserted->program);
    const struct rd_shape asked = {asserted->n, 0, 0};
    const struct rd_history_about about = {
        .program = program,
        .shape = rd_program_shape(program, asked),
        .n_a = asserted->n,
        .n_b = rd_program_has_b(program) ? asserted->n : 0,
    };
    char own[RD_STATEMENT_SIZE];
    struct rd_frame frame = {.step = asserted->step, .array = "A", .n_cells = asserted->n};
    frame.point = "";
    if (asserted->inside) {
        const struct rd_point_invariant *point = rd_program_points(program)[0];
        frame.inside = true;
        frame.place = (struct rd_place){
            .point = point->point, .block = 1, .warp = RD_WHOLE_BLOCK, .number = 1, .variable = 4};
        frame.point = rd_point_name(point->point);
        frame.array = point->array;
        rd_program_statement_at(program, &about.shape, &frame.place, RD_OPERATION_SUM, own);
    } else {
        rd_program_statement(program, &about.shape, asserted->step, RD_OPERATION_SUM, own);
    }
    frame.statement = asserted->statement ? asserted->statement : own;
    struct rd_statements statements;
    struct rd_markup markup = {.data = NULL};
    rd_statements_init(&statements, &about);
    rd_statements_write(&statements, &frame, &markup);
    rd_statements_finish(&statements);
    assert_false(markup.failed);
    return markup.data;
}

/* The formula has this in it. */
static void assert_math(struct asserted asserted, const char *wanted)
{
    char *text = math(&asserted);
    if (!strstr(text, wanted))
        fail_msg("\"%s\" is\n%s\nwithout\n%s", asserted.program, text, wanted);
    free(text);
}

static void test_mathml_of_a_law_has_the_numbers_of_the_step(void **state)
{
    (void)state;
    const struct asserted fold = {.program = "fold", .n = 8, .step = 1};
    assert_math(fold,
                "<math class=\"scope\"><mrow><mtext>for</mtext><mspace width=\"0.3em\"/><mrow>"
                "<mn>0</mn><mo>≤</mo><mi>i</mi><mo>&lt;</mo><mn>4</mn></mrow><mo>:</mo>");
    assert_math(fold,
                "<math display=\"block\"><mrow><msub><mi>A</mi><mrow><mi>i</mi></mrow></msub>"
                "<mo>=</mo><mrow><munder><mo>∑</mo><mrow><mrow><mrow><mi>j</mi><mo>mod</mo>"
                "<mn>4</mn></mrow><mo>=</mo><mi>i</mi></mrow></mrow></munder><msub><mi>a</mi>");
    assert_math((struct asserted){.program = "fold:wrong-half", .n = 8, .step = 1}, "<mn>4</mn>");
}

static void test_mathml_of_two_conditions_has_a_line_for_each(void **state)
{
    (void)state;
    assert_math((struct asserted){.program = "puzzle-conv1d", .n = 17, .step = 1},
                "</mtd></mtr><mtr><mtd>");
}

static void test_mathml_at_a_checkpoint_says_what_the_names_mean(void **state)
{
    (void)state;
    const struct asserted cache = {.program = "dot-shared", .n = 100, .inside = true};
    assert_math(cache, "<msub><mi>cache</mi><mrow><mi>i</mi></mrow></msub><mo>=</mo>");
    assert_math(cache, "<msub><mi>x</mi><mrow><mn>1</mn><mo>,</mo><mi>t</mi></mrow></msub>");
    assert_math(cache, "<mtext>where, for</mtext>");
    assert_math(
        cache,
        "<msub><mi>x</mi><mrow><mi>k</mi><mo>,</mo><mi>t</mi></mrow></msub></mrow><mo>=</mo>");
}

static void test_mathml_of_other_words_is_that_of_what_they_say(void **state)
{
    (void)state;
    const char *other = "for 0 <= i < 3: A[i] = sum of a[j], j mod 6 mod 3 = i";
    assert_math((struct asserted){.program = "fold", .n = 11, .step = 1, .statement = other},
                "<mi>j</mi><mo>mod</mo><mn>6</mn></mrow><mo>mod</mo><mn>3</mn>");
    assert_math((struct asserted){.program = "fold", .n = 8, .statement = "A[7] = 3"},
                "<msub><mi>A</mi><mrow><mn>7</mn></mrow></msub><mo>=</mo><mn>3</mn>");
}

static void test_a_sentence_that_is_no_law_stays_text(void **state)
{
    (void)state;
    const struct asserted said = {
        .program = "fold", .n = 8, .statement = "for i < 4: the others as folded; A[0] & more"};
    assert_math(said,
                "<p class=\"sentence\">for i &lt; 4: the others as folded; A[0] &amp; more</p>");
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
        "A[0] = 1 array B[2]",
        "A[0] = 1\nat cache shared c[2] law c[0] = 1",
        "1 2 3 4 = = = <= < mod mod",
    };
    (void)state;
    for (size_t k = 0; k < sizeof hostile / sizeof *hostile; k++) {
        char *text = math(&(struct asserted){.program = "fold", .n = 8, .statement = hostile[k]});
        assert_null(strstr(text, "<script"));
        assert_null(strstr(text, "<img"));
        assert_null(strstr(text, "<b>"));
        int depth = 0;
        for (const char *c = strchr(text, '<'); c; c = strchr(c + 1, '<')) {
            depth += c[1] == '/' ? -1 : strchr(c, '>')[-1] == '/' ? 0 : 1;
            assert_true(depth >= 0);
        }
        assert_int_equal(depth, 0);
        free(text);
    }
}

/* ---- the bound of a page ---- */

static size_t page_size(struct rd_history *history, size_t bytes_max)
{
    char path[TEMPORARY_SIZE];
    int file = mkstemp(temporary_name(path, "test_report"));
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
        cmocka_unit_test(test_mathml_of_a_law_has_the_numbers_of_the_step),
        cmocka_unit_test(test_mathml_of_two_conditions_has_a_line_for_each),
        cmocka_unit_test(test_mathml_at_a_checkpoint_says_what_the_names_mean),
        cmocka_unit_test(test_mathml_of_other_words_is_that_of_what_they_say),
        cmocka_unit_test(test_a_sentence_that_is_no_law_stays_text),
        cmocka_unit_test(test_mathml_of_anything_is_well_formed),
        cmocka_unit_test(test_a_page_is_never_larger_than_it_may_be),
    };
    return cmocka_run_group_tests(tests, test_set_up, test_tear_down) != 0;
}
