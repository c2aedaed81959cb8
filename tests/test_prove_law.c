// SPDX-License-Identifier: MIT
/* Laws as terms, next to the laws evaluated: for all programs, at random sizes, places, cells and inputs. */
#include "law_terms_harness.h"
#include "reductio/numeric.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- programs ---- */

/* Programs of which sentences are read with units for squares alone: else this is the reason. Programs of which no sentence may be
 * left out aren't here. */
static const struct {
    const char *program, *why;
} not_read[] = {
    {"mse", "'(a[j]-b[j])^2': a product with two elements of the same array"},
    {"cosine", "'a[j]^2': a product with two elements of the same array"},
    {"norm", "'a[j]^2': a product with two elements of the same array"},
};

static bool has_squares(const struct subject *subject)
{
    const char *failure = rd_law_reader_failure(subject->reading.reader);
    for (size_t k = 0; k < sizeof not_read / sizeof *not_read; k++)
        if (strcmp(not_read[k].program, subject->name) == 0 &&
            strncmp(failure, not_read[k].why, strlen(not_read[k].why)) == 0)
            return true;
    return false;
}

static void read_subject(struct subject *subject)
{
    subject->reading.squares = false;
    read_sentence(&subject->reading, subject->law, subject->section, subject->role, subject->form,
                  subject->n_units);
    if (has_squares(subject)) {
        forget_sentence(&subject->reading);
        subject->reading.squares = true;
        read_sentence(&subject->reading, subject->law, subject->section, subject->role,
                      subject->form, subject->n_units);
    }
    if (*rd_law_reader_failure(subject->reading.reader))
        fail_msg("%s %s role %d: %s", subject->name,
                 subject->section->name ? subject->section->name : "program", (int)subject->role,
                 rd_law_reader_failure(subject->reading.reader));
}

/* Enough is so many points, with a cell that is live and one that counts something, unless none does. */
static bool is_wanting(const struct subject *subject, size_t points)
{
    return subject->points < points || subject->live == 0 ||
           (subject->counted == 0 && subject->reading.count->kind != RD_TERM_NUMBER);
}

static void compare_sentence(struct subject *subject, size_t points)
{
    enum { PLACES = 4 }; /* with the same sizes */
    read_subject(subject);
    subject->points = subject->live = subject->counted = 0;
    for (size_t k = 0; k < points && is_wanting(subject, points); k++) {
        struct place place = {.sizes = {0}};
        struct rd_law_run *run;
        struct rd_law_error error;
        if (!choose_sizes(subject, &place) ||
            rd_law_run_create(&run, subject->law, &place.sizes, &error) != RD_OK)
            continue;
        for (unsigned p = 0; p < PLACES; p++)
            if (choose_place(subject, run, &place))
                compare_cells(subject, run, &place);
        rd_law_run_destroy(run);
    }
    if (is_wanting(subject, points))
        fail_msg("%s %s role %d form %d: %zu points, %zu live, %zu not 0", subject->name,
                 subject->section->name ? subject->section->name : "program", (int)subject->role,
                 (int)subject->form, subject->points, subject->live, subject->counted);
    forget_sentence(&subject->reading);
}

/* Compares each sentence of the paragraph. */
static void compare_law(const char *name, const struct rd_program *program, const char *text,
                        size_t points)
{
    struct rd_law *law;
    struct rd_law_error error;
    if (rd_law_create(&law, text, &error) != RD_OK)
        fail_msg("%s: %zu:%zu: %s", name, error.line, error.column, error.what.text);
    for (size_t k = 0; k < law->n_sections; k++) {
        for (unsigned role = 0; role < 3; role++) {
            for (unsigned form = 0; form < FORM_COUNT; form++) {
                struct subject subject = {.name = name,
                                          .program = program,
                                          .law = law,
                                          .section = law->sections[k],
                                          .role = (enum rd_law_role)role,
                                          .form = (enum form)form,
                                          .random = 1};
                if (subject.section->claims[role].count == 0 ||
                    (form == AT_FIRST && role == RD_LAW_UPDATE) || (form != LATER && k > 0))
                    continue;
                for (unsigned units = 1; units <= law->n_inputs; units++) {
                    subject.n_units = units;
                    compare_sentence(&subject, points);
                }
            }
        }
    }
    rd_law_destroy(law);
}

static void test_paragraphs_as_terms_say_what_they_say_evaluated(void **state)
{
    (void)state;
    for (const struct rd_program *const *program = rd_programs; *program; program++) {
        const char *text = rd_program_law(*program);
        if (!rd_program_is_fault(*program))
            compare_law((*program)->name, *program, text, strstr(text, "\nat ") ? 250 : 600);
        else if (strcmp(text, rd_program_law(rd_program_twin(*program))) != 0)
            compare_law((*program)->name, *program, text, 100);
    }
}

/* What no program's paragraph has. */
static void test_other_paragraphs_as_terms_say_what_they_say_evaluated(void **state)
{
    static const char *const laws[] = {
        "input a[n] array A[n] law for 0 <= i < n: A[i] = a[n - 1 - i] - a[i]",
        "input a[n] array A[n] law for 0 <= i < n: A[n - 1 - i] = 3*a[i] - 2*a[i]*2",
        "input a[n] array A[2*n] law for 0 <= i < n: A[2*i + 1] = -a[i]; for 0 <= i < n: A[2*i] = "
        "7",
        "input a[n][3] array A[n][3] law for 0 <= i < n, 0 <= q < 3: A[i][q] = a[i][2 - q]",
        "input a[2][n] array A[n][2] law for 0 <= i < n, q <= 1: A[i][q] = a[q][i]",
        "input a[n] array A[n] let w = max(n div 3, 1) law for 0 <= i < w: A[i] = sum of a[j], j = "
        "i "
        "(mod w)",
        "input a[n] array A[n] let w = 2^d law for i < n: A[i] = sum of a[j], j = i (mod w)",
        /* of which both may hold */
        "input a[n] array A[n] law for 0 <= i < n: A[i] = sum of a[j], j < i or j = 0 (mod 3)",
        "input a[n] array A[n] let for 0 <= k < n, 0 <= t < 4: x[k][t] = a[k] law for 0 <= i < n: "
        "A[i] = "
        "sum of x[k][t], k = i and t = 1 or k = i and t < 3 and t = k mod 4",
        "input a[n] array A[n] law for 0 <= i < n: A[i] = sum of a[j], not (j < i or j > i + 2)",
        "input a[n] array A[n] law for 0 <= i < n: A[i] = sum of a[2*j + 1], 2*j + 1 < n, j >= i",
        "input a[n] array A[n] law for 0 <= i < n: A[i] = sum of a[4*j + 5 + q], 4*j + 5 + q < n, "
        "q < 4, j "
        ">= i",
        "input a[n] array A[n] law for 0 <= i < n: A[i] = sum of a[n - 1 - (2*j - 3)], 3 <= 2*j, "
        "2*j - 3 < "
        "n, j >= i",
        "input a[n] array A[n] law for 0 <= i < n: A[i] = sum of a[3*j + q], 3*j + q < n, q < 3, j "
        ">= i, q "
        "!= i mod 3",
        /* of the elements that a defined array has */
        "input a[n] array A[3] let for 0 <= k < 3, 0 <= t <= n: x[k][t] = sum of a[j], j mod 3 = "
        "k, j < t "
        "law for 0 <= i < 3: A[i] = x[i][n]",
        "input a[n] array A[n] let for 0 <= k < 2: x[k] = sum of a[j], j = 3*k law for 0 <= i < n: "
        "A[i] = "
        "sum of x[k]",
        "input a[n] array A[n] let f(x, y) = x*y + 1; g(x) = f(x, 2) law for 0 <= i < n: A[i] = "
        "sum of "
        "a[j], g(j) <= i",
        "input a[n] array A[n] let s(x) = sum of a[j], j mod 4 = x law for 0 <= i < n: A[i] = s(i "
        "mod 4) + "
        "s(i mod 2)",
        "input a[n] array A[n] let m_0 = n; m_(c+1) = ceil(m_c / 2) law for 0 <= i < m_d: A[i] = "
        "sum of "
        "a[j], j mod m_d = i",
        "input a[n] array A[n] let m_0 = n; m_1 = 3; m_(c+1) = m_c + 1 law for 0 <= i < n: A[i] = "
        "sum of "
        "a[j], j mod m_(d+1) = i",
        "input a[n] array A[n] let e_0(j) = a[j]; e_1(j) = 2*a[n - 1 - j] law for 0 <= i < n: A[i] "
        "= "
        "e_(i mod 2)(i)",
        "input a[n] array A[n] law for 0 <= i < n, t = i + 1, u = 2*t: A[i] = sum of a[j], j < u, "
        "t <= j",
        "input a[n] array A[n] law for 0 <= i < n: A[i] = sum of a[j], abs(j - i) <= log2(i + 1)",
        "input a[n] array A[n] law for 0 <= i < n: A[i] = sum of a[j], floor(sqrt(j)) = "
        "floor(sqrt(i))",
        "input a[n] array A[n] law for 0 <= i < n: A[i] = sum of a[j], j xor i < 4, bit_ceil(j) = "
        "bit_ceil(i)",
        "input a[n] array A[n] law for 0 <= i < n: A[i] = sum of a[j], j < max(i, 3), j >= min(i, "
        "2)",
        "input a[n] array A[n] law for 0 <= i < n: A[i] = sum of a[j], max(j, 2) <= i, min(j, i) < "
        "7",
        "input a[n] array A[n] law for 0 <= i < n: A[i] = sum of a[j], 4^2 > j*j*j - i, j != 2",
        "input a[n], b[n] array A[n] law for 0 <= i < n: A[i] = (a[i] + 2)*(b[i] - 1) - b[n - 1 - "
        "i]",
        "input a[n] array A[n] law for 0 <= i < n: A[i] = sum of a[j], floor((j - 5) / 2) >= 0, j "
        "<= i",
        "input a[n] array A[n] law for 0 <= i < n: A[i] = a[i] update for i < n: A[i] = p.x[0][i] "
        "at p "
        "shared x[n] law for i < n: x[i] = a[i]; for 2 <= i < n: x[i] = a[i] start for i < n: x[i] "
        "= "
        "a[i]",
        "input a[n] array A[n] law A = 5 update A = sum of a[j], j < n",
        "input a[n] array s law s = sum of a[j], j <= d start s = a[0] update s = s + sum of a[j], "
        "j = d",
        "input a[n] array A[n] law for 0 <= i < n: A[i] = a[i] update for 1 <= i < n: A[i] = A[i - "
        "1] - "
        "2*A[i]; A[0] = p.x[0][0] - p.x[0][1] at p shared x[2*T] steps s = 1, s + 1, ..., T law "
        "for i < "
        "T: x[i] "
        "= sum of a[j], j mod T = i, j < s; for T <= i < 2*T: x[i] = a[0] start for i < 2*T: x[i] "
        "= a[0] "
        "update for i < T: x[i] = sum of a[j], j mod T = i, j < s",
        "input a[n] array A[n] law for 0 <= i < n: A[i] = a[i] update for 0 <= i < n: A[i] = sum "
        "of "
        "p.x[k][t], k < B, t < T, k*T + t = i at p shared x[T] law for t < T: x[t] = sum of a[j], "
        "j = "
        "block*T + t start for t < T: x[t] = sum of a[j], j = block*T + t",
    };
    (void)state;
    for (size_t k = 0; k < sizeof laws / sizeof *laws; k++)
        compare_law(laws[k], NULL, laws[k], 200);
}

/* ---- numbers and conditions of launches and of steps ---- */

/* The numbers at random places; the last step of a point, where `node` is NULL. */
static void compare_number(struct subject *subject, const struct law_node *node)
{
    struct rd_law_numbers at;
    struct reading *reading = &subject->reading;
    size_t compared = 0;
    open_reading(reading, subject->law, LATER, 1, &at);
    const rd_term term = node ? rd_law_term_of(reading->reader, subject->section, node, &at)
                              : rd_law_term_last_step(reading->reader, subject->section, &at);
    if (*rd_law_reader_failure(reading->reader))
        fail_msg("%s: %s", subject->name, rd_law_reader_failure(reading->reader));
    for (unsigned k = 0; k < 30; k++) {
        struct place place = {.sizes = {0}};
        struct environment environment;
        struct rd_law_run *run;
        struct rd_law_error error;
        int64_t wanted = 0;
        bool holds = false, known = true;
        assert_true(choose_sizes(subject, &place));
        assert_int_equal(rd_law_run_create(&run, subject->law, &place.sizes, &error), RD_OK);
        if (choose_place(subject, run, &place)) {
            place.place.bytes = (uint64_t)4 << below(subject, 2);
            set_all(subject, run, &place, &environment);
            rd_law_run_begin(run, &error);
            known = premises_hold(subject, &environment) &&
                    rd_law_run_go(run, subject->section, &place.place);
            if (!node) {
                known = known && rd_law_go_to_last_step(run);
                wanted = run->quantities[LAW_STEP];
            } else if (rd_law_is_condition(node)) {
                known = known && rd_law_condition(run, node, &holds);
                wanted = holds;
            } else {
                known = known && rd_law_number(run, node, &wanted);
            }
            const rd_wide value = known ? term_value(&environment, term) : wanted;
            if (value != wanted || environment.undefined)
                fail_at(subject, &place, 0, "number", value, wanted);
            compared += known;
        }
        rd_law_run_destroy(run);
    }
    assert_true(compared > 0);
    forget_sentence(reading);
}

static void compare_launch(struct subject *subject, const struct law_launch *launch)
{
    const struct law_node *const nodes[] = {
        launch->when,    launch->threads[0], launch->threads[1], launch->grid[0],
        launch->grid[1], launch->block[0],   launch->block[1],   launch->count,
        launch->shared,  launch->reads,      launch->writes};
    for (size_t k = 0; k < sizeof nodes / sizeof *nodes; k++)
        if (nodes[k])
            compare_number(subject, nodes[k]);
    for (unsigned k = 0; k < launch->n_operands; k++)
        if (launch->operands[k].kind == RD_LAW_OPERAND_NUMBER)
            compare_number(subject, launch->operands[k].node);
}

static void compare_steps(struct subject *subject)
{
    const struct rd_law_section *section = subject->section;
    if (section->met)
        compare_number(subject, section->met);
    if (!section->steps)
        return;
    compare_number(subject, section->first);
    compare_number(subject, section->next);
    compare_number(subject, section->last);
    compare_number(subject, NULL);
}

static void test_launches_and_steps_as_terms_have_their_numbers(void **state)
{
    (void)state;
    for (const struct rd_program *const *program = rd_programs; *program; program++) {
        struct rd_law *law;
        struct rd_law_error error;
        char *text;
        const char *launch = (*program)->launch;
        if (rd_program_is_fault(*program))
            continue;
        assert_true(asprintf(&text, "%s%s%s", rd_program_law(*program), launch ? "\nlaunch " : "",
                             launch ? launch : "") > 0);
        assert_int_equal(rd_law_create(&law, text, &error), RD_OK);
        struct subject subject = {.name = (*program)->name,
                                  .program = *program,
                                  .law = law,
                                  .section = law->sections[0],
                                  .form = LATER,
                                  .n_units = 1,
                                  .random = 1};
        for (size_t k = 0; k < law->n_launches; k++)
            compare_launch(&subject, &law->launches[k]);
        for (size_t k = 1; k < law->n_sections; k++) {
            subject.section = law->sections[k];
            compare_steps(&subject);
        }
        rd_law_destroy(law);
        free(text);
    }
}

/* ---- forms ---- */

static const char *printed(rd_term term)
{
    static char text[4][1000];
    static unsigned next;
    char *to = text[next++ % 4];
    FILE *out = fmemopen(to, sizeof text[0], "w");
    assert_non_null(out);
    rd_term_print(term, out);
    assert_int_equal(fclose(out), 0);
    return to;
}

/* After a round all is said by what there was before it, and threads and elements are told apart by quotients and remainders. */
static void test_terms_have_one_form(void **state)
{
    static const struct {
        const char *law;
        unsigned section;
        enum rd_law_role role;
        const char *live, *count;
    } forms[] = {
        {"input a[n] array A[n] let w = n / 2^d law for 0 <= i < w: A[i] = sum of a[j], j mod w = "
         "i",
         0, RD_LAW_LAW, "0 <= c and c < (n div 2^S) div 2",
         "c = u mod ((n div 2^S) div 2) ? 1 : 0"},
        {"input a[n] array A[n] let m = ceil(n / 2^d) let r_0(j) = j; r_(c+1)(j) = r_c(j) mod "
         "ceil(n / "
         "2^(c+1)) law for 0 <= i < m: A[i] = sum of a[j], r_d(j) = i",
         0, RD_LAW_LAW, "0 <= c and c < ((n - 1) div 2^S) div 2 + 1",
         "c = r(S, u) mod (((n - 1) div 2^S) div 2 + 1) ? 1 : 0"},
        {"input a[n] array A[n] law when d = 0: A = 0; when d > 0: for i < n: A[i] = a[i]", 0,
         RD_LAW_LAW, "0 <= c and c < n", "c = u ? 1 : 0"},
        {"input a[n] array A[B] let for 0 <= k < B, 0 <= t < T: x[k][t] = sum of a[j], j mod G = "
         "k*T + t "
         "law for i < B: A[i] = 0 at p register r[32] law for 0 <= l < min(32, T - 32*warp): r[l] "
         "= "
         "x[block][32*warp + l]",
         1, RD_LAW_LAW, "0 <= c and c < 32 and 32*v + c < T",
         "k = (u mod (T*B)) div T and v = (u mod T) div 32 and c = (u mod T) mod 32 ? 1 : 0"},
        {"input a[n][n] array A[n*n] law for i < n, j < n: A[i*n + j] = a[j][i]", 0, RD_LAW_LAW,
         "0 <= c div n and c div n < n", "c div n = u mod n and c mod n = u div n ? 1 : 0"},
    };
    (void)state;
    for (size_t k = 0; k < sizeof forms / sizeof *forms; k++) {
        struct reading reading = {.squares = false};
        struct rd_law *law;
        struct rd_law_error error;
        assert_int_equal(rd_law_create(&law, forms[k].law, &error), RD_OK);
        read_sentence(&reading, law, law->sections[forms[k].section], forms[k].role, LATER, 1);
        assert_string_equal(rd_law_reader_failure(reading.reader), "");
        assert_string_equal(printed(reading.live), forms[k].live);
        assert_string_equal(printed(reading.count), forms[k].count);
        forget_sentence(&reading);
        rd_law_destroy(law);
    }
}

/* What has no formula is said, in the law's words. */
static void test_sentences_without_formulas_say_why(void **state)
{
    static const struct {
        const char *law, *why;
    } sentences[] = {
        {"for 0 <= i < n: A[i] = sum of a[j mod n], j < 2*n",
         "'sum of a[j mod n], j < 2*n': which elements these are isn't known"},
        {"for 0 <= i < n: A[i*i] = a[i]", "'A[i*i]': which claim this cell has isn't known"},
        {"for 0 <= i < n, 0 <= q < 2: A[i + q] = a[i]", "'A[i + q]': which claim this cell has"},
        {"for 0 <= i < n: A[i] = a[i]*a[0]",
         "'a[i]*a[0]': a product with two elements of the same array"},
        {"for 0 <= i < n: A[i] = a[i]^3", "'a[i]^3': such a power of an element"},
        {"for 0 <= i < n: A[i] = max of a[j], j <= i",
         "'max of a[j], j <= i': a reduction that is no sum"},
        {"for 0 <= i < n: A[i] = sum of 1 + a[j], j <= i",
         "'sum of 1 + a[j], j <= i': which elements"},
        {"for 0 <= i < n: A[i] = sum of a[j], 3^j < i", "'3^j': a power that is neither"},
        {"for 0 <= i < n: A[i] = sum of a[j], j mod (0 - 2) = i",
         "'j mod (0 - 2)': a quotient by what isn't positive"},
    };
    (void)state;
    for (size_t k = 0; k < sizeof sentences / sizeof *sentences; k++) {
        struct reading reading = {.squares = false};
        struct rd_law *law;
        struct rd_law_error error;
        char text[300];
        snprintf(text, sizeof text, "input a[n] array A[n] law %s", sentences[k].law);
        if (rd_law_create(&law, text, &error) != RD_OK)
            fail_msg("%s: %zu: %s", text, error.column, error.what.text);
        read_sentence(&reading, law, law->sections[0], RD_LAW_LAW, LATER, 1);
        const char *failure = rd_law_reader_failure(reading.reader);
        if (strncmp(failure, sentences[k].why, strlen(sentences[k].why)) != 0)
            assert_string_equal(failure, sentences[k].why);
        forget_sentence(&reading);
        rd_law_destroy(law);
    }
}

/* ---- definitions and premises ---- */

static void test_definitions_have_terms_where_they_have_values(void **state)
{
    struct reading reading = {.squares = false};
    struct rd_law_numbers at;
    struct rd_law *law;
    struct rd_law_error error;
    struct rd_term_list values = {0};
    (void)state;
    assert_int_equal(
        rd_law_create(&law,
                      "input a[n] array A[n] let w = n / 2^d; p = 2^(d-1); f(x) = x + 1 let L "
                      "= T - 32*warp law A = a[0] at q shared x[T] steps s = 1, 2*s, ..., n let "
                      "Q = s + n div 2 law x = a[0]",
                      &error),
        RD_OK);
    open_reading(&reading, law, LATER, 1, &at);
    at.warp = NULL;
    rd_law_term_definitions(reading.reader, law->sections[0], &at, &values);
    assert_string_equal(rd_law_reader_failure(reading.reader), "");
    assert_int_equal(values.count, 3);
    assert_string_equal(printed(values.terms[0]), "T*B");
    assert_string_equal(printed(values.terms[1]), "(n div 2^S) div 2");
    assert_string_equal(printed(values.terms[2]), "2^S");
    values.count = 0;
    at.d = rd_number(reading.terms, 0);
    rd_law_term_definitions(reading.reader, law->sections[1], &at, &values);
    assert_int_equal(values.count, 3);
    assert_string_equal(printed(values.terms[1]), "n");
    assert_string_equal(printed(values.terms[2]), "s + n div 2");
    rd_term_list_finish(&values);
    forget_sentence(&reading);
    rd_law_destroy(law);
}

/* The last step of halves is known of powers of two alone. */
static void test_last_steps_of_halves_have_premises(void **state)
{
    static const struct {
        const char *steps, *last, *premises[2];
    } cases[] = {
        {"s = n, s/2, ..., 2", "2", {"n = bit_ceil(n)", "2 <= n"}},
        {"s = 1, 2*s, ..., n", "n", {"n = bit_ceil(n)", "1 <= n"}},
        {"s = bit_ceil(T), s/2, ..., 1", "1", {NULL}},
        {"s = 1, 2*s, ..., bit_ceil(T)", "bit_ceil(T)", {NULL}},
        {"s = bit_ceil(T), s/2, ..., 8", "8 < bit_ceil(T) ? 8 : bit_ceil(T)", {NULL}},
        {"s = 0, s + T, ..., n*T", "n*T", {NULL}},
        {"s = 0, s + 2, ..., n", "2*n div 2", {NULL}},
        {"s = 0, min(max(2*s, 1), n), ..., n", "n", {NULL}},
        {"s = n", "n", {NULL}},
    };
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct reading reading = {.squares = false};
        struct rd_law_numbers at;
        struct rd_law *law;
        struct rd_law_error error;
        char text[200];
        snprintf(text, sizeof text,
                 "input a[n] array A[n] law A = a[0] at q shared x[T] steps %s law x = a[0]",
                 cases[k].steps);
        assert_int_equal(rd_law_create(&law, text, &error), RD_OK);
        open_reading(&reading, law, LATER, 1, &at);
        const rd_term last = rd_law_term_last_step(reading.reader, law->sections[1], &at);
        const struct rd_term_list *premises = rd_law_reader_premises(reading.reader);
        assert_string_equal(rd_law_reader_failure(reading.reader), "");
        assert_string_equal(printed(last), cases[k].last);
        assert_int_equal(premises->count, cases[k].premises[0] ? 2 : 0);
        for (size_t p = 0; p < premises->count; p++)
            assert_string_equal(printed(premises->terms[p]), cases[k].premises[p]);
        forget_sentence(&reading);
        rd_law_destroy(law);
    }
}

/* ---- squares ---- */

/* A form of two places is, of the sum of two unit vectors, the sum of what it is of each pair. */
static void test_squares_are_counted_by_pairs(void **state)
{
    enum { SIZE = 5 };
    struct reading reading = {.squares = true};
    struct rd_law *law;
    struct rd_law_run *run;
    struct rd_law_error error;
    const struct rd_law_place place = {.d = 1};
    const struct rd_law_sizes sizes = {.n = SIZE, .T = 2, .B = 1};
    (void)state;
    assert_int_equal(
        rd_law_create(&law,
                      "input a[n] array A[n] law for i < n: A[i] = 3*a[i]^2 - a[i]*a[0] + (sum "
                      "of a[j], j <= i)*(sum of a[j], j mod 2 = 0)",
                      &error),
        RD_OK);
    assert_int_equal(rd_law_run_create(&run, law, &sizes, &error), RD_OK);
    read_sentence(&reading, law, law->sections[0], RD_LAW_LAW, LATER, 1);
    assert_string_equal(rd_law_reader_failure(reading.reader), "");
    struct environment environment = {.run = run};
    environment_set(&environment, reading.symbols.n, SIZE);
    for (unsigned first = 0; first < SIZE; first++) {
        for (unsigned second = 0; second < SIZE; second++) {
            int64_t input[SIZE] = {0}, cells[SIZE] = {0};
            const void *const inputs[] = {input};
            const struct rd_law_data data = {
                .numeric = rd_numeric(RD_TYPE_I64), .inputs = inputs, .as_written = true};
            input[first]++;
            input[second]++;
            assert_int_equal(
                rd_law_apply(run, law->sections[0], RD_LAW_LAW, &place, &data, cells, NULL, &error),
                RD_OK);
            for (unsigned cell = 0; cell < SIZE; cell++) {
                rd_wide sum = 0;
                environment_set(&environment, reading.symbols.cell, cell);
                for (unsigned pair = 0; pair < 4; pair++) {
                    environment_set(&environment, reading.symbols.units[0],
                                    pair & 1 ? second : first);
                    environment_set(&environment, reading.symbols.again[0],
                                    pair & 2 ? second : first);
                    sum += term_value(&environment, reading.count);
                }
                assert_int_equal((int64_t)sum, cells[cell]);
            }
        }
    }
    forget_sentence(&reading);
    rd_law_run_destroy(run);
    rd_law_destroy(law);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_paragraphs_as_terms_say_what_they_say_evaluated),
        cmocka_unit_test(test_other_paragraphs_as_terms_say_what_they_say_evaluated),
        cmocka_unit_test(test_launches_and_steps_as_terms_have_their_numbers),
        cmocka_unit_test(test_terms_have_one_form),
        cmocka_unit_test(test_sentences_without_formulas_say_why),
        cmocka_unit_test(test_definitions_have_terms_where_they_have_values),
        cmocka_unit_test(test_last_steps_of_halves_have_premises),
        cmocka_unit_test(test_squares_are_counted_by_pairs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
