// SPDX-License-Identifier: MIT
/* Annotations as they are found in a file: what is the law's, what is the program's, and what they stand before. */
#include "check/annotation/annotation.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

/* The file "t.cu" of this text. */
struct read {
    struct rd_check_functions functions;
    struct rd_annotations annotations;
    enum rd_status status;
    struct rd_error error;
};

static void read_text(struct read *read, const char *text)
{
    rd_check_functions_init(&read->functions, text);
    read->error.text[0] = '\0';
    read->status =
        rd_annotations_init(&read->annotations, "t.cu", text, &read->functions, 1, &read->error);
    if (read->status == RD_OK)
        read->status = rd_annotations_read(&read->annotations, 1, &read->error);
}

static void finish(struct read *read)
{
    rd_annotations_finish(&read->annotations);
    rd_check_functions_finish(&read->functions);
}

/* What an annotation takes from the program: "law|name=alias ...|array|inputs". */
static void describe(const struct rd_annotation *of, char *to, size_t size)
{
    size_t n = (size_t)snprintf(to, size, "%s|", of->law ? of->law : "");
    for (size_t k = 0; k < of->n_names; k++)
        n += (size_t)snprintf(to + n, size - n, "%s%s=%s%s", k ? " " : "", of->names[k].expression,
                              of->names[k].alias, of->names[k].any ? "?" : "");
    n += (size_t)snprintf(to + n, size - n, "|%s%s|", of->array.alias ? of->array.alias : "",
                          of->scalar ? "." : "");
    for (size_t k = 0; k < of->n_inputs; k++)
        n += (size_t)snprintf(to + n, size - n, "%s%s", k ? " " : "", of->inputs[k]);
}

static void test_annotation_takes_what_the_law_does_not_bind(void **state)
{
    (void)state;
    static const struct {
        const char *before, *law, *wanted;
    } rows[] = {
        {"input a[n]\n//@ invariant", "for 0 <= i < w: A[i] = sum of a[j], j mod w = i",
         "for 0 <= i < w: A[i] = sum of a[j], j mod w = i|w=w|A|a"},
        {"input a[n]\n//@ invariant:", "for 0 <= i < w: A[i] = sum of a[j], j mod w = i",
         "for 0 <= i < w: A[i] = sum of a[j], j mod w = i|w=w|A|a"},
        {"input a[n]\n//@ invariant", "for 0 <= i < s->w: b.A[i] = sum of a[j], j mod s->w = i",
         "for 0 <= i < sw: bA[i] = sum of a[j], j mod sw = i|s->w=sw|bA|a"},
        {"input a[n]\n//@ invariant",
         "for i = 0 mod D, i < n: A[i] = sum of a[j], i <= j < min(i + D, n)",
         "for i = 0 mod D, i < nv: A[i] = sum of a[j], i <= j < min(i + D, nv)|D=D n=nv|A|a"},
        {"input a[n]\n//@ invariant", "A[0] = sum of a[j], j < count(w, 2)",
         "A[0] = sum of a[j], j < countw2|count(w, 2)=countw2|A|a"},
        {"input a[n]\n//@ invariant",
         "for 0 <= i < n / 2^d: A[i] = sum of a[q + j], 0 <= j < 2, q = 2i",
         "for 0 <= i < nv / 2^d: A[i] = sum of a[q + j], 0 <= j < 2, q = 2i|n=nv|A|a"},
        {"input a[n]\n//@ invariant", "for w <= i < u: A[i] = sum of a[j], v <= j < i",
         "for w <= i < u: A[i] = sum of a[j], v <= j < i|w=w u=u v=v|A|a"},
        {"input a[n]\n//@ invariant", "for i < w, i != v: A[i] = sum of a[i + q], q < 3 and u < w",
         "for i < w, i != v: A[i] = sum of a[i + q], q < 3 and u < w|w=w v=v u=u|A|a"},
        {"input a[n]\n//@ invariant", "total = sum of a[j], j < i",
         "total = sum of a[j], j < i|i=i|total.|a"},
        {"input a[n]\n//@ invariant", "a[0] = sum of a[j], j < i",
         "av[0] = sum of a[j], j < i|i=i|av|a"},
        {"input a[n]\n//@ invariant", "1 <= w <= blockDim.x",
         "1 <= w <= blockDimx|w=w blockDim.x=blockDimx||"},
        {"input a[n]\n//@ requires", "n = 2^k", "nv = 2^k|n=nv k=k?||"},
        {"input a[n]\n//@ requires:", "n = 2^k", "nv = 2^k|n=nv k=k?||"},
        /* names of variables that are in no scope there, and of one that is */
        {"input a[n]\n{ int k; }\nfor (int k = 0; k < 2; k++) g(k);\n//@ requires", "n = 2^k",
         "nv = 2^k|n=nv k=k?||"},
        {"input a[n]\nint k = 3;\n//@ requires", "n = 2^k", "nv = 2^k|n=nv k=k||"},
        {"input a[n]\n{ int d; }\n//@ invariant", "A[0] = d", "A[0] = d||A|"},
        {"input a[n]\nint d = 3;\n//@ invariant", "A[0] = d", "A[0] = dv|d=dv|A|"},
        {"input a[n]\n//@ invariant", "for 0 <= i < T: B[i] = 0",
         "for 0 <= i < Tv: B[i] = 0|T=Tv|B|"},
        /* words of the language that are the program's names */
        {"input in[n]\n//@ invariant",
         "for 0 <= i < steps: update[i] = sum of in[j], j mod start = i, in any order",
         "for 0 <= i < stepsv: updatev[i] = sum of inv[j], j mod startv = i, in any "
         "order|steps=stepsv start=startv|updatev|inv"},
        {"input all[n]\n//@ invariant", "order[0] = sum of all all[j], j < in and at->over = any",
         "orderv[0] = sum of all allv[j], j < inv and atover = anyv|in=inv at->over=atover "
         "any=anyv|orderv|allv"},
        /* what is counted, and elements as numbers */
        {"input a[n]\n//@ invariant", "for 0 <= b < 4: H[b] = count of a[j], j < i, a[j] = b",
         "for 0 <= b < 4: H[b] = sum of ones_a[j], j < i, value_a_(j) = b|i=i|H|ones_a"},
        {"input a[n]\n//@ invariant", "A[0] = a[a[2] + 1]", "A[0] = a[value_a_(2) + 1]||A|a"},
        {"input a[n]\n//@ invariant", "for a[0] <= i < a[1]: A[i] = 0",
         "for value_a_(0) <= i < value_a_(1): A[i] = 0||A|"},
        /* arrays of arrays */
        {"input a[n][4]\n//@ invariant", "for 0 <= i, j < 4: A[i][j + 1] = a[i][j]",
         "for 0 <= i, j < 4: A[i*columns + (j + 1)] = a[i][j]|__rd_law_columns(A)=columns|A|a"},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        char text[500], found[500];
        struct read read;
        const bool is_loop = strstr(rows[k].before, "invariant");
        snprintf(text, sizeof text, "void f()\n{\n//@ %s %s\n%s\n}\n", rows[k].before, rows[k].law,
                 is_loop ? "for (int w = 8; w > 1; w /= 2) g();" : ";");
        read_text(&read, text);
        if (read.status != RD_OK)
            fail_msg("'%s': %s", rows[k].law, read.error.text);
        describe(&read.annotations.all[1], found, sizeof found);
        assert_string_equal(found, rows[k].wanted);
        finish(&read);
    }
}

static void test_annotation_is_refused_at_its_place(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } rows[] = {
        {"void f()\n{\n    //@ invariant A[0] = 0\n    g();\n}\n",
         "t.cu:3:9: an invariant stands before a loop: for, while or do"},
        {"void f()\n{\n    //@ ensures A[0] = sum a[j]\n}\n", "t.cu:3:28: "},
        {"void f()\n{\n    //@ ensures A[0] = sum of x[j]\n}\n",
         "t.cu:3:31: 'x' is not a declared input: declare it with '//@ input'"},
        {"void f()\n{\n    //@ input a[n]\n    //@ input b[n]\n    //@ ensures A[0] = sum of "
         "in[j]\n}\n",
         "t.cu:5:31: 'in' is not a declared input: say it in terms of 'a' or 'b', or declare it "
         "with '//@ input'"},
        {"void f()\n{\n    //@ input a[n]\n    //@ ensures A[0] = sum of a[j],\n    //    a\n}\n",
         "t.cu:4:36: "},
        {"void f()\n{\n    /*@ input a[n]\n      @ ensures\n      @   A[0] = sum of a[j], j mod = "
         "0 */\n}\n",
         "t.cu:5:37: "},
        {"void f()\n{\n    if (x)\n        //@ assert x = 1\n        g();\n}\n",
         "t.cu:4:13: 'assert' stands where a statement may, and here is the middle of one: give "
         "the "
         "statement before it braces"},
        {"#define M //@ assert x = 1\nvoid f() {}\n",
         "t.cu:1:15: an annotation in a directive is asserted nowhere: put it into a function"},
        {"//@ assert x = 1\n", "t.cu:1:5: 'assert' stands in a function, and here is none"},
        {"void f()\n{\n    //@ invarant x = 1\n    for (;;) g();\n}\n",
         "t.cu:3:9: unknown annotation 'invarant': did you mean 'invariant'?"},
        {"void f(int n)\n{\n    //@ requires n = 2^k\n    // @ invariant n = 1\n    for (;;) "
         "g();\n}\n",
         "t.cu:4:10: a comment, and no annotation: the @ stands right behind the slashes, '//@ "
         "invariant'"},
        {"void f(int n)\n{\n    //@ requires n = 2^k\n    //@ inptu a[n]\n}\n",
         "t.cu:4:9: unknown annotation 'inptu': did you mean 'input'?"},
        {"void f()\n{\n    //@ invariant 1 = 1\n    for (;;) g();\n}\n",
         "t.cu:3:19: the condition says nothing of the program"},
        {"void f()\n{\n    //@ invariant x = 1\n    for (int x : xs) g();\n}\n",
         "t.cu:3:9: a for over a range has no condition"},
        {"void f()\n{\n    //@ invariant x = 1\n    while (int k = g()) h();\n}\n",
         "t.cu:3:9: the loop's condition declares a variable"},
        {"void f()\n{\n    //@ input a[n][m][k]\n}\n",
         "t.cu:3:22: an input has one size or two, and an annotation of its own"},
        {"void f()\n{\n    //@ input a[n]\n    //@ assert A[0] = A[a]\n}\n",
         "t.cu:4:25: 'a' is an array: one of its elements is expected here"},
        {"void f()\n{\n    //@ assert for 0 <= i < B: B[i] = 0\n}\n",
         "t.cu:3:29: 'B' is an array: a number is expected here"},
        {"void f()\n{\n    //@ requires\n    g();\n}\n",
         "t.cu:3:9: 'requires' of what? A law stands behind it"},
        {"void f()\n{\n    //@ invariant A[0] = 0; C[0] = 0\n    for (;;) g();\n}\n",
         "t.cu:3:29: this annotation speaks of 'A': give another array one of its own"},
        {"void f(int n)\n{\n    //@ assert for 0 <= i < n A[i] = 0\n}\n",
         "t.cu:3:31: a ':' is expected before this"},
        {"void f(int n)\n{\n    //@ assert for 0 <= i < n, A[i] = 0\n}\n",
         "t.cu:3:32: a ':' is expected before this"},
        {"void f(int n)\n{\n    //@ assert when n > 2 A[0] = 0\n}\n",
         "t.cu:3:27: a ':' is expected before this"},
        {"void f(int n)\n{\n    //@ input a[n]\n    //@ ensures *dr = sum of a[j]\n}\n",
         "t.cu:4:17: a cell is named by its index: write dr[0]"},
        {"void f(int n)\n{\n    //@ input a[n]\n    //@ ensures r[0] = max over j of a[j]\n}\n",
         "t.cu:4:28: 'of' is expected here, and ranges behind the element: sum of a[j], 0 <= j < "
         "n"},
        {"void f(int n)\n{\n    //@ input a[n]\n    //@ ensures r[0] = a[0]; G = 4\n}\n",
         "t.cu:4:30: a condition and a law are two annotations: give this condition a line of its "
         "own, '//@ ensures'"},
        {"void f(int n)\n{\n    //@ input a[n]\n    //@ assert G = 4; r[0] = a[0]\n}\n",
         "t.cu:4:16: a condition and a law are two annotations: give this condition a line of its "
         "own, '//@ assert'"},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        struct read read;
        read_text(&read, rows[k].text);
        if (read.status != RD_ERROR_USAGE ||
            strncmp(read.error.text, rows[k].message, strlen(rows[k].message)) != 0)
            fail_msg("'%s' says '%s', where '%s' was to be said", rows[k].text, read.error.text,
                     rows[k].message);
        finish(&read);
    }
}

static void test_annotation_of_others_is_passed_over(void **state)
{
    (void)state;
    struct read read;
    read_text(&read,
              "//@{\nvoid f() {}\n//@}\n/*@brief of it */\nconst char *s = \"//@ assert\";\n");
    assert_int_equal(read.status, RD_OK);
    assert_int_equal(read.annotations.n, 0);
    finish(&read);
}

static void test_annotation_finds_the_loop_and_its_condition(void **state)
{
    (void)state;
    static const struct {
        const char *loop, *condition;
    } rows[] = {
        {"for (int w = f(1; 2); w > 1; w /= 2) g();", " w > 1"},
        {"while (w > 1) g();", "w > 1"},
        {"do { while (u) g(); } while (w > 1);", "w > 1"},
        {"do g(); while (w > 1);", "w > 1"},
        {"#pragma unroll\n  for (int w = 8;; w /= 2) g();", ""},
        {"outer: // a label\n  while (w > 1) g();", "w > 1"},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        char text[500];
        struct read read;
        snprintf(text, sizeof text, "void f()\n{\n//@ invariant w > 0\n  %s\n}\n", rows[k].loop);
        read_text(&read, text);
        if (read.status != RD_OK)
            fail_msg("'%s': %s", rows[k].loop, read.error.text);
        const struct rd_annotation *of = &read.annotations.all[0];
        if (strncmp(of->condition, rows[k].condition, strlen(rows[k].condition)) != 0)
            fail_msg("'%s': the condition is at '%s'", rows[k].loop, of->condition);
        assert_int_equal(of->no_condition, rows[k].condition[0] == '\0');
        finish(&read);
    }
}

static void test_annotation_lines_go_on_until_another_word(void **state)
{
    (void)state;
    struct read read;
    read_text(&read, "void f()\n{\n    //@ input a[n]\n    //@ invariant for 0 <= i < w:\n"
                     "    //@     A[i] = sum of a[j], j mod w = i\n    //@ invariant w > 0\n"
                     "    while (w) g();\n}\n");
    if (read.status != RD_OK)
        fail_msg("%s", read.error.text);
    assert_int_equal(read.annotations.n, 3);
    assert_string_equal(read.annotations.all[1].law,
                        "for 0 <= i < w:      A[i] = sum of a[j], j mod w = i");
    assert_int_equal(read.annotations.all[2].line, 6);
    assert_int_equal(read.annotations.all[2].site, 3);
    finish(&read);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_annotation_takes_what_the_law_does_not_bind),
        cmocka_unit_test(test_annotation_is_refused_at_its_place),
        cmocka_unit_test(test_annotation_of_others_is_passed_over),
        cmocka_unit_test(test_annotation_finds_the_loop_and_its_condition),
        cmocka_unit_test(test_annotation_lines_go_on_until_another_word),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
