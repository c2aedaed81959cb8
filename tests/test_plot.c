// SPDX-License-Identifier: MIT
/* Charts: where values and ticks are, what is left out, and that text stays text. */
#include "reductio/plot.h"
#include "view/plot/panel.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static bool is_near(double x, double y)
{
    return fabs(x - y) < 1e-9 * (1 + fabs(y));
}

/* ---- numbers ---- */

static void test_values_are_written_with_so_many_digits(void **state)
{
    static const struct {
        double value;
        unsigned digits;
        const char *text;
    } known[] = {
        {0, 3, "0"},           {1, 3, "1"},
        {1.5, 3, "1.5"},       {0.0123456, 3, "0.0123"},
        {402.4, 3, "402"},     {1326.559, 3, "1327"},
        {-2.5, 3, "-2.5"},     {123456, 3, "123456"},
        {1.5e9, 3, "1.5×10⁹"}, {2e-7, 3, "2×10⁻⁷"},
        {0.0005, 1, "0.0005"}, {1e21, 2, "1×10²¹"},
    };
    char text[RD_NUMBER_TEXT_SIZE];
    (void)state;
    for (size_t k = 0; k < sizeof known / sizeof *known; k++)
        assert_string_equal(rd_svg_value_text(known[k].value, known[k].digits, text),
                            known[k].text);
    assert_string_equal(rd_svg_power_text(2, 20, text), "2²⁰");
    assert_string_equal(rd_svg_power_text(10, -3, text), "10⁻³");
}

/* ---- scales ---- */

/* The labels of an axis that is fitted to these values, with a space behind each. */
static const char *labels(enum rd_plot_scale kind, double least, double most)
{
    static char text[1024];
    struct rd_tick ticks[RD_TICKS_MAX];
    const struct rd_scale scale = rd_scale_fit(kind, least, most);
    size_t count = rd_scale_ticks(&scale, ticks);
    text[0] = '\0';
    for (size_t k = 0; k < count; k++)
        if (ticks[k].label[0]) {
            strcat(text, ticks[k].label);
            strcat(text, " ");
        }
    return text;
}

static void test_ticks_are_round_numbers_around_the_values(void **state)
{
    (void)state;
    assert_string_equal(labels(RD_PLOT_LINEAR, 0.6, 7.77), "0 2 4 6 8 ");
    assert_string_equal(labels(RD_PLOT_LINEAR, -3, 10), "-5 0 5 10 ");
    assert_string_equal(labels(RD_PLOT_LINEAR, 0, 0), "0 0.2 0.4 0.6 0.8 1 ");
    assert_string_equal(labels(RD_PLOT_LINEAR, 100, 130000), "0 50000 100000 150000 ");
    assert_string_equal(labels(RD_PLOT_LOG10, 1.1, 28), "0.5 1 2 5 10 20 50 ");
    assert_string_equal(labels(RD_PLOT_LOG10, 0.011, 8000), "0.01 0.1 1 10 100 1000 10000 ");
    assert_string_equal(labels(RD_PLOT_LOG10, 1e6, 1e7), "5×10⁵ 10⁶ 2×10⁶ 5×10⁶ 10⁷ 2×10⁷ ");
    assert_string_equal(labels(RD_PLOT_LOG10, 3, 3), "2 5 10 ");
    assert_string_equal(labels(RD_PLOT_LOG2, 1024, 5000), "2¹⁰ 2¹¹ 2¹² 2¹³ ");
    assert_string_equal(labels(RD_PLOT_LOG2, 1, 1), "2⁰ 2¹ ");
    assert_string_equal(labels(RD_PLOT_LOG10, 1, 0), "0.5 1 2 5 10 20 "); /* there are no values */
}

static void test_the_scale_of_any_values_holds_them_and_has_labels(void **state)
{
    static const enum rd_plot_scale kinds[] = {RD_PLOT_LINEAR, RD_PLOT_LOG10, RD_PLOT_LOG2};
    (void)state;
    for (size_t k = 0; k < 3; k++)
        for (double least = 1.3e-9; least < 1e15; least *= 7.7)
            for (double times = 1; times < 1e9; times *= 3.1) {
                const struct rd_scale scale = rd_scale_fit(kinds[k], least, least * times);
                struct rd_tick ticks[RD_TICKS_MAX];
                size_t count = rd_scale_ticks(&scale, ticks), labelled = 0;
                assert_true(scale.low <= least * (1 + 1e-9));
                assert_true(scale.high >= least * times * (1 - 1e-9));
                for (size_t t = 0; t < count; t++) {
                    labelled += ticks[t].label[0] != '\0';
                    assert_true(ticks[t].value >= scale.low - 1e-3 * fabs(scale.high));
                    assert_true(ticks[t].value <= scale.high * 1.01);
                }
                assert_in_range(labelled, 2, 16);
            }
}

static void test_values_stand_between_the_ends(void **state)
{
    struct rd_scale linear = {RD_PLOT_LINEAR, 0, 8, 300, 100};
    struct rd_scale decades = {RD_PLOT_LOG10, 0.1, 1000, 0, 400};
    struct rd_scale powers = {RD_PLOT_LOG2, 1024, 4096, 10, 30};
    (void)state;
    assert_true(is_near(rd_scale_at(&linear, 0), 300));
    assert_true(is_near(rd_scale_at(&linear, 2), 250));
    assert_true(is_near(rd_scale_at(&decades, 1), 100));
    assert_true(is_near(rd_scale_at(&decades, 1000), 400));
    assert_true(is_near(rd_scale_at(&powers, 2048), 20));
}

/* ---- charts ---- */

static const double xs[] = {0, 1, 2, 3, 4};
static const char *const names[] = {"one", "two", "three", "four", "five"};

/* The chart of one series of y values, at names; freed by the next call. */
static const char *chart(struct rd_plot *plot, struct rd_plot_panel *panel, const double *y,
                         size_t count)
{
    static char *text;
    size_t size;
    static struct rd_plot_series series; /* the panel keeps it */
    series = (struct rd_plot_series){.name = "s", .count = count, .x = xs, .y = y};
    if (!panel->series) {
        panel->series = &series;
        panel->n_series = 1;
    }
    if (!panel->y.label)
        panel->y = (struct rd_plot_axis){.label = "time", .unit = "µs", .scale = RD_PLOT_LOG10};
    if (!plot->title)
        plot->title = "a title";
    plot->x =
        (struct rd_plot_axis){.label = "x", .scale = RD_PLOT_NAMES, .names = names, .n_names = 5};
    plot->panels = panel;
    plot->n_panels = 1;
    free(text);
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    rd_plot_write(plot, out);
    assert_int_equal(fclose(out), 0);
    return text;
}

static unsigned count_of(const char *text, const char *what)
{
    unsigned count = 0;
    for (const char *at = strstr(text, what); at; at = strstr(at + 1, what))
        count++;
    return count;
}

static void test_what_has_no_place_is_left_out_and_makes_a_gap(void **state)
{
    const double y[] = {1, 2, 0, NAN, 5};
    struct rd_plot plot = {0};
    struct rd_plot_panel panel = {0};
    (void)state;
    const char *svg = chart(&plot, &panel, y, 5);
    assert_int_equal(count_of(svg, "<g><title>"), 3);
    const char *line = strstr(strstr(svg, "rdp-series"), "rdp-line");
    char path[200];
    snprintf(path, sizeof path, "%.*s", (int)strcspn(line, "/"), line);
    assert_int_equal(count_of(path, "M"), 2);
    assert_int_equal(count_of(path, "L"), 1);
    assert_null(strstr(svg, "nan"));
    assert_null(strstr(svg, "inf"));
}

static void test_the_best_is_at_the_end_of_a_line_and_within_the_axis(void **state)
{
    const double y[] = {20, 30, 40}, best[] = {1, INFINITY, 0};
    const struct rd_plot_series series = {.name = "s", .count = 3, .x = xs, .y = y, .best = best};
    struct rd_plot plot = {0};
    struct rd_plot_panel panel = {.y = {.label = "time", .unit = "ms", .scale = RD_PLOT_LOG10},
                                  .series = &series,
                                  .n_series = 1};
    double x, from, to, last;
    (void)state;
    const char *svg = chart(&plot, &panel, y, 3);
    assert_int_equal(count_of(svg, "class=\"rdp-best\""), 1); /* the others have no place */
    assert_non_null(strstr(svg, "s, one: 20 ms, best 1 ms<"));
    assert_non_null(strstr(svg, "s, two: 30 ms<"));
    assert_non_null(strstr(svg, "s 20 to 40.")); /* the range is that of the medians */
    const char *line = strstr(svg, "class=\"rdp-best\" d=");
    assert_int_equal(sscanf(strstr(line, "d="), "d=\"M%lf %lfV%lf", &x, &from, &to), 3);
    assert_int_equal(sscanf(strstr(svg, "rdp-axis\" x1=") + 10, "x1=\"%*f\" y1=\"%lf", &last), 1);
    assert_true(from < to && to < last);
}

static void test_a_chart_of_nothing_says_so(void **state)
{
    const double y[] = {-1, NAN};
    struct rd_plot plot = {0};
    struct rd_plot_panel panel = {0};
    (void)state;
    const char *svg = chart(&plot, &panel, y, 2);
    assert_non_null(strstr(svg, "nothing was measured"));
    assert_non_null(strstr(svg, "s has no values"));
}

static void test_text_stays_text(void **state)
{
    const double y[] = {1};
    const char *const notes[] = {"]]><!--"};
    const struct rd_plot_series series = {
        .name = "a<b", .count = 1, .x = xs, .y = y, .notes = notes};
    struct rd_plot_panel panel = {
        .y = {.label = "\"t\"", .unit = "<s>"}, .series = &series, .n_series = 1};
    struct rd_plot plot = {.title = "</title><script>alert(1)</script>&amp;",
                           .subtitle = "\x01 \xff \xc3 \xed\xa0\x80 \xc0\x80 µ \xf0\x9f\x98\x80",
                           .description = "<desc>"};
    (void)state;
    const char *svg = chart(&plot, &panel, y, 1);
    assert_null(strstr(svg, "<script"));
    assert_non_null(strstr(svg, "&lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt;&amp;amp;"));
    assert_non_null(
        strstr(svg, ">\uFFFD \uFFFD \uFFFD \uFFFD\uFFFD\uFFFD \uFFFD\uFFFD µ \xf0\x9f\x98\x80<"));
    assert_non_null(strstr(svg, "a&lt;b, ]]&gt;&lt;!--: 1 &lt;s&gt;"));
    assert_non_null(strstr(svg, "&quot;t&quot;, &lt;s&gt;"));
    assert_int_equal(count_of(svg, "<title"), 2);
    assert_int_equal(count_of(svg, "<desc"), 1);
}

static void test_a_chart_in_a_page_has_its_ids_and_no_paper(void **state)
{
    const double y[] = {1, 2};
    struct rd_plot plot = {.id = "round-7", .inlined = true};
    struct rd_plot_panel panel = {0};
    (void)state;
    const char *svg = chart(&plot, &panel, y, 2);
    assert_int_equal(strncmp(svg, "<svg ", 5), 0);
    assert_non_null(strstr(svg, "aria-labelledby=\"round-7-title round-7-desc\""));
    assert_non_null(strstr(svg, "<title id=\"round-7-title\">"));
    assert_non_null(strstr(svg, "<desc id=\"round-7-desc\">"));
    assert_null(strstr(svg, "rdp-paper"));
    assert_null(strstr(svg, "<style"));
    assert_non_null(strstr(rd_plot_css, ".rdp-s5 {"));
    plot.inlined = false;
    svg = chart(&plot, &panel, y, 2);
    assert_non_null(strstr(svg, "<rect class=\"rdp-paper\""));
    assert_non_null(strstr(svg, rd_plot_css));
}

static void test_series_have_shapes_of_their_own(void **state)
{
    enum { N = RD_PLOT_SERIES_MAX };
    const double y[] = {1};
    struct rd_plot_series series[N];
    char shapes[N][200];
    for (size_t k = 0; k < N; k++)
        series[k] = (struct rd_plot_series){.name = names[k % 5], .count = 1, .x = xs, .y = y};
    struct rd_plot_panel panel = {.series = series, .n_series = N};
    struct rd_plot plot = {0};
    (void)state;
    const char *at = strstr(chart(&plot, &panel, y, 1), "rdp-panel");
    for (size_t k = 0; k < N; k++) {
        at = strstr(at + 1, "class=\"rdp-mark\"");
        assert_non_null(at);
        const char *shape = strstr(at, " d=\"");
        snprintf(shapes[k], sizeof shapes[k], "%.*s", (int)strcspn(shape, "/"), shape);
        for (size_t other = 0; other < k; other++)
            assert_string_not_equal(shapes[k], shapes[other]);
    }
}

static void test_stems_start_at_nothing_and_have_their_values(void **state)
{
    const double y[] = {2, 4};
    struct rd_plot_panel panel = {.y = {.label = "time", .unit = "ms", .scale = RD_PLOT_LINEAR},
                                  .form = RD_PLOT_STEMS};
    struct rd_plot plot = {0};
    (void)state;
    const char *svg = chart(&plot, &panel, y, 2);
    assert_int_equal(count_of(svg, "class=\"rdp-stem\""), 2);
    assert_non_null(strstr(svg, ">2</text>"));
    /* From 0, at the bottom of an area of 210 pixels, to the middle of an axis that ends at 4. */
    double from, to;
    const char *stem = strstr(svg, "class=\"rdp-stem\"");
    assert_int_equal(sscanf(strstr(stem, "y1="), "y1=\"%lf\"", &from), 1);
    assert_int_equal(sscanf(strstr(stem, "y2="), "y2=\"%lf\"", &to), 1);
    assert_true(is_near(from - to, 105));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values_are_written_with_so_many_digits),
        cmocka_unit_test(test_ticks_are_round_numbers_around_the_values),
        cmocka_unit_test(test_the_scale_of_any_values_holds_them_and_has_labels),
        cmocka_unit_test(test_values_stand_between_the_ends),
        cmocka_unit_test(test_what_has_no_place_is_left_out_and_makes_a_gap),
        cmocka_unit_test(test_the_best_is_at_the_end_of_a_line_and_within_the_axis),
        cmocka_unit_test(test_a_chart_of_nothing_says_so),
        cmocka_unit_test(test_text_stays_text),
        cmocka_unit_test(test_a_chart_in_a_page_has_its_ids_and_no_paper),
        cmocka_unit_test(test_series_have_shapes_of_their_own),
        cmocka_unit_test(test_stems_start_at_nothing_and_have_their_values),
    };
    return cmocka_run_group_tests_name("plot", tests, NULL, NULL) != 0;
}
