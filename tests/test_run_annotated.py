# SPDX-License-Identifier: MIT
"""Annotated programs, run whole: right ones hold, and of each fault the round, the cell and what it holds are named."""

import json
import os
import re
import subprocess
import unittest

from annotated_case import BINARY, TEMPORARY, AnnotatedTest, fold, kernel
from patience import WAIT_S


class Annotated(AnnotatedTest):
    # ---- right ones ----

    def test_annotated_fold_holds_and_its_own_output_comes_first(self):
        output = self.check(
            fold(), 0,
            "initialization  HOLDS", "preservation    HOLDS", "exit            HOLDS",
            "for 0 <= i < 4: A[i] = sum of a[j], j mod 4 = i",
            "HOLDS fold.cu: exit status 0, 3 launches, 0 hazards: 1 invariant and 3 assertions, 17 cells "
            "asserted")
        self.assertTrue(output.startswith("the program's own words\n"), output)

    def test_annotated_floats_hold_within_rounding(self):
        self.check(fold(type="float", value="1.0f / (i + 3)", n="64"), 0, "within\n", "HOLDS fold.cu")
        self.check(fold(type="double", value="1.0 / (i + 3)", n="64"), 0, "HOLDS fold.cu")

    def test_annotated_host_loop_with_shadowed_names_holds(self):
        self.check("int main()\n{\n    int a[4] = {1, 2, 3, 4}, A[4] = {1, 2, 3, 4}, i = 7, j = 9, w = 99;\n"
                   "    //@ input a[4]\n"
                   "    //@ invariant for 0 <= i < w: A[i] = sum of a[j], j mod w = i\n"
                   "    for (int w = 4; w > 1; w /= 2) for (int i = 0; i < w / 2; i++) A[i] += A[i + w / 2];\n"
                   "    //@ ensures A[0] = sum of a[j]\n    return i + j + w - 115;\n}\n", 0, "HOLDS fold.cu")

    def test_annotated_do_and_while_and_expressions_are_asserted(self):
        text = "struct shape { int n; };\nint half(int n) { return n / 2; }\nint main()\n{\n" \
               "    shape it = {4}, *s = &it;\n    int A[4] = {0};\n" \
               "    //@ invariant for 0 <= i < s->n: A[i] = 0\n    %s\n" \
               "    //@ ensures for 0 <= i < half(8): A[i] = 0\n}\n"
        for loop in ("while (s->n > 1) s->n--;", "do s->n--; while (s->n > 1);",
                     "do { s->n--; } while (s->n > 1);", "for (;;) { if (s->n == 1) break; s->n--; }"):
            self.check(text % loop, 3, "preservation    HOLDS", "doesn't follow from the invariant")

    def test_annotated_cells_from_others_than_the_first_are_asserted(self):
        text = "int main()\n{\n    int a[8], A[8] = {0, 0, 5, 5};\n" \
               "    //@ assert for 2 <= i < 4: A[i] = %s\n    //@ assert A[3] = %s\n}\n"
        self.check(text % (5, 5), 0, "2 assertions, 3 cells asserted")
        self.check(text % (5, 4), 1, "VIOLATED: A[3] holds 5, and the law says 4", "1 violated")
        self.check(text % (4, 5), 1, "VIOLATED: A[2] holds 5, and the law says 4", "1 violated")
        text = "int main()\n{\n    int a[8], A[8];\n    for (int i = 0; i < 8; i++) a[i] = A[i] = i;\n" \
               "    //@ input a[8]\n    //@ invariant for w <= i < 8: A[i] = a[i] + 1\n" \
               "    for (int w = 8; w > 0; w--) A[w - 1] += 1%s;\n}\n"
        self.check(text % "", 0, "asserted without a trace, at 9 evaluations: ", "at step 1 are not the array's first ones", "exit            NOT ASSERTED",
                   "1 exit not asserted")
        self.check(text % " + (w == 3)", 1, "at step 6, 1 cell is wrong", "VIOLATED: A[2] holds 4, and the law says 3")

    # ---- kernels ----

    def test_annotated_dynamic_shared_array_has_the_size_of_the_launch(self):
        text = kernel().replace("__shared__ int cache[T];", "extern __shared__ int cache[];")
        self.check(text.replace("<<<4, T>>>", "<<<4, T, T * sizeof(int)>>>"), 0, "HOLDS fold.cu")
        self.check(text.replace("<<<4, T>>>", "<<<4, T, T * sizeof(int)>>>").replace("w = T; w > 1", "w = T; w > 2"),
                   1, "VIOLATED: cache[0] holds")

    def test_annotated_input_with_more_elements_than_its_memory_is_not_known(self):
        for declared in ("int *a = new int[4]{1, 2, 3, 4};", "int a[4] = {1, 2, 3, 4};",
                         "int *a; cudaMallocManaged(&a, 16); a[0] = 10; a[1] = a[2] = a[3] = 0;"):
            self.check("int main()\n{\n    %s\n    int n = 8, sum = 10;\n    //@ input a[n]\n"
                       "    //@ assert sum = sum of a[j]\n}\n" % declared, 3 if "Managed" not in declared else 1,
                       "INCONCLUSIVE: the input a is not known: the input is said to have more elements than")

    def test_annotated_float_that_no_sum_can_be_is_violated(self):
        text = "#include <cmath>\nint main()\n{\n    float a[4] = {1, 2, %s}, x = %s;\n    //@ input a[4]\n" \
               "    //@ assert x = sum of a[j]\n}\n"
        self.check(text % ("3, 4", "NAN"), 1, "VIOLATED: x holds nan, and the law says 10")
        self.check(text % ("3, 4", "INFINITY"), 1, "VIOLATED: x holds inf, and the law says 10")
        self.check(text % ("3e38f, 3e38f", "INFINITY"), 0, "HOLDS fold.cu")
        self.check(text % ("3e38f, -3e38f", "INFINITY"), 3, "INCONCLUSIVE: x is inf, and the exact value 0: a number on the way may have been too large")

    def test_annotated_array_of_another_type_is_an_error_at_its_place(self):
        for declared, cell, why in (("long double s[4]", "s[i]", "a law is of an array of integers or floats"),
                                    ("struct { int x; } s[4]", "s[i]", "a law is of an array of integers or floats"),
                                    ("struct { int x; } s", "s[i]", "a law speaks of an array"),
                                    ("_Bool **s = 0", "s[i]", "a law is of an array of integers or floats")):
            output = self.check("int main()\n{\n    %s;\n    //@ assert for 0 <= i < 4: %s = 0\n}\n"
                                % (declared.replace("_Bool", "bool"), cell), 2, "fold.cu:4:", why)
            self.assertNotIn("reductio_law.hpp", output)

    def test_annotated_promise_may_bind_an_index_that_is_called_as_the_loops_variable(self):
        text = """int main()
{
    const int n = 8;
    int x[n];
    for (int i = 0; i < n; i++)
        x[i] = i * i;
    //@ input x[n]
    int total = x[0];
    //@ invariant total = LAW
    for (int i = 0; i < n - 1; i++)
        total = x[i + 1];
    //@ ensures total = max of x[i]
}
"""
        self.check(text.replace("LAW", "sum of x[j], j = i"), 3, "exit            INCONCLUSIVE", "doesn't follow from the invariant")
        self.check(text.replace("LAW", "max of x[j], j <= i"), 0, "exit            HOLDS")

    def test_annotated_inputs_that_come_too_late_are_not_told_as_lost(self):
        late = "    //@ input a[n]\n    //@ invariant"
        text = fold(value="i").replace("A[i] += ", "A[i] += 0 * ").replace("    //@ input a[n]\n", "").replace("    //@ invariant", late)
        self.assertNotIn("with other inputs", self.check(text, 1, "preservation    VIOLATED"))

    def test_annotated_input_of_another_type_is_an_error_at_its_place(self):
        for declared, why in (("long double s[4] = {}", "a law is of an array of integers or floats"), ("char **s = 0", "a law is of an array of integers or floats"),
                              ("int s = 4", "an input is an array, and this is none")):
            output = self.check("int main()\n{\n    %s;\n    int e = 0;\n    //@ input s[4]\n    //@ ensures e = sum of s[j]\n}\n" % declared,
                                2, "fold.cu:5:", why)
            self.assertNotIn("reductio_law.hpp", output)

    def test_annotated_loop_of_a_kernel_holds_in_each_block(self):
        self.check(kernel(), 0, "reached 4 times: 0 violated, 0 inconclusive", "in block 0 of launch 1",
                   "exit            HOLDS", "HOLDS fold.cu: exit status 0, 1 launch, 0 hazards: 1 invariant (4 executions) and 2 "
                   "assertions (5 executions), 516 cells asserted")

    def test_annotated_loop_of_a_kernel_leaves_hazards_to_its_launch(self):
        text = kernel().replace("    if (t == 0)\n", "    A[4] = t;\n    if (t == 0)\n").replace("4 * sizeof *A", "5 * sizeof *A")
        output = self.check(text, 1, "race: write-write", "cells asserted, hazards told with the launch",
                            "Hazards are told with the launch, of which all rounds are parts")
        self.assertNotIn("0 hazards", output)
        self.run_text(text, "--trace=t.ndjson", "--quiet")
        with open(os.path.join(TEMPORARY.name, "t.ndjson"), encoding="utf-8") as trace:
            self.assertEqual(trace.read().count('"hazards_by":"launch"'), 2)
        verified = self.of_trace("verify", status=3)
        for told in "hazards told with the launch", "with the race at fold.cu:", "initialization INCONCLUSIVE: so it was in this run":
            self.assertIn(told, verified)
        with open(os.path.join(TEMPORARY.name, "t.ndjson"), encoding="utf-8") as trace:
            edited = re.sub('"undefined_by":"[^"]*",', "", trace.read())
        with open(os.path.join(TEMPORARY.name, "t.ndjson"), "w", encoding="utf-8") as trace:
            trace.write(edited)
        self.assertIn("the trace says INCONCLUSIVE of initialization, and its cells say HOLDS", self.of_trace("verify", status=1))
        self.run_text(text, "--trace=t.ndjson", "--quiet")
        with open(os.path.join(TEMPORARY.name, "script"), "w", encoding="utf-8") as script:
            script.write("next\nquit\n")
        for status, output in (self.run_text(text, "--script=script", command="step"),
                               (3, self.of_trace("step", "--script=script", "--trace", status=3))):
            self.assertIn("hazards     of the launch: run tells them", output)
            self.assertIn("initialization HOLDS so far", output)

    def test_annotated_wrong_round_of_a_kernel_is_named(self):
        self.check(kernel(wrong=" - (w == 16)"), 1, "step 3, cache[0]: expected 154, actual 124",
                   "preservation    VIOLATED      it is false after round 3")

    def test_annotated_kernel_whose_threads_have_not_met_does_not_hold(self):
        for parts in ({"first": ""}, {"barrier": "if (w > 4) __syncthreads()"}):
            self.check(kernel(**parts), 1, "the threads have not met at a barrier", "4 inconclusive")

    def test_annotated_name_that_differs_among_threads_does_not_hold(self):
        self.check(kernel(width="w + t"), 3, "a name in the law differs among the threads",
                   " in another, in block 0: it is 't', and the law is one for all threads of the block; ")

    def test_annotated_header_is_asserted_and_its_mistakes_are_told_at_their_place(self):
        for law, status, told in (("A[0] = 1", 1, "loop.h:3: assert A[0] = 1\n    VIOLATED: A[0] holds 0"),
                                  ("A[0] = size", 2, "loop.h:3:23: 'size' is no variable of the program here"), ("A[0] =", 2, "loop.h:3:22: ")):
            with open(os.path.join(TEMPORARY.name, "loop.h"), "w", encoding="utf-8") as file:
                file.write("void f(int *A)\n{\n    //@ assert %s\n}\n" % law)
            self.check('#include "loop.h"\nint main() { f(new int[2]()); }\n', status, told)

    def test_maximum_of_none_is_infinite(self):
        text = """#include <math.h>
__global__ void largest(const float *a, float *out, int n)
{
    __shared__ float s[64];
    int t = threadIdx.x;
    s[t] = t < n ? a[t] : START;
    __syncthreads();
    //@ invariant for 0 <= i < w: s[i] = max of a[j], j mod w = i
    for (int w = 64; w > 1; w /= 2) {
        if (t < w / 2)
            s[t] = fmaxf(s[t], s[t + w / 2]);
        __syncthreads();
    }
    if (t == 0)
        *out = s[0];
}
int main()
{
    const int n = 20;
    float a[n], *A, *out;
    for (int j = 0; j < n; j++)
        a[j] = -3.5f - j % 7;
    //@ input a[n]
    cudaMalloc(&A, sizeof a);
    cudaMalloc(&out, sizeof *out);
    cudaMemcpy(A, a, sizeof a, cudaMemcpyHostToDevice);
    largest<<<1, 64>>>(A, out, n);
    //@ ensures out[0] = max of a[j]
    cudaFree(A);
    cudaFree(out);
}
"""
        status, output = self.run_text(text.replace("START", "-INFINITY"))
        self.assertEqual(status, 0, output)
        status, output = self.run_text(text.replace("START", "-3.4e38f"))
        self.assertEqual(status, 1, output)
        self.assertIn("step 0, s[20]: expected", output)
        self.assertIn("the exact value is -inf\n", output)

    def test_annotated_product_by_tiles_has_laws_of_two_indices(self):
        here = os.path.dirname(os.path.abspath(__file__))
        with open(os.path.join(here, "programs_cu", "multiply.cu"), encoding="utf-8") as file:
            text = file.read()
        with open(os.path.join(here, "..", "docs", "reductio.1.scd"), encoding="utf-8") as file:
            page = file.read()
        for line in (line.strip() for line in text.splitlines() if "//@" in line):
            self.assertIn("\n" + line, page.replace("\n    ", "\n"))
        self.check(text, 0, "1 invariant (8 executions) and 2 assertions (9 executions), 8 exits not asserted", ", 0 hazards")
        self.check(text.replace("(m + y) * n + column", "(m + x) * n + column"), 1, "sumv[0]: expected 36, actual 0",
                   "VIOLATED: C[0] holds 66, and the law says 79")

    def test_annotated_input_of_too_many_elements_says_what_to_do(self):
        text = "int a[2048], h[1];\nint main()\n{\n    const int n = 2048;\n    //@ input a[n]\n    for (int i = 0; i < n; i++) h[0] += a[i] == 0;\n" \
               "    //@ ensures for 0 <= b < 1: h[b] = count of a[j], a[j] = b\n    return 0;\n}\n"
        self.check(text, 3, "the input a has 2048 elements: conditions and indices speak of those of at most 1024; where a literal sets its size, "
                            "'--number NAME=1024' asserts it for so many")

    # ---- conditions ----

    def test_annotated_condition_with_powers_is_true_of_some_numbers(self):
        text = "int main()\n{\n    int n = %d, m = 16;\n    //@ requires %s\n    return n * m * 0;\n}\n"
        for n, condition, status in ((64, "n = 3^k", 1), (81, "n = 3^k", 0), (12, "n = 4^k", 1), (64, "n = 4^k", 0),
                                     (60, "n = 2^k", 1), (64, "n = 2^k and m = 2^l", 0), (64, "n = 2^k and m = 3^l", 1),
                                     (1 << 30, "n = 2^k", 0), (48, "n = 3 * 2^k", 0), (64, "n = 3 * 2^k", 1), (64, "n = 2^k and m != 0", 0),
                                     (64, "n = 2^k and not m = 3", 0), (1024, "n = 3^k or n = 4^k", 0)):
            with self.subTest(n=n, condition=condition):
                self.check(text % (n, condition), status or 3, "VIOLATED: n is " if status else "HOLDS, asserted 1 time")

    def test_annotated_condition_has_the_number_of_rounds(self):
        text = "int main()\n{\n    int n = 8, w = n;\n    //@ invariant %s\n    while (w > 1) w /= 2;\n    %s\n    return 0;\n}\n"
        self.check(text % ("w * 2^d = n", ""), 0, "HOLDS, asserted 4 times")
        self.check(text % ("d = 0 or w = n", ""), 1, "VIOLATED: w is 4, n is 8, at evaluation 1")
        self.check(text % ("w >= 1", "//@ assert d = 3 and w = 1"), 2, "'d' is no variable of the program here")

    def test_annotated_sentence_in_other_words_is_told_what_to_write(self):
        for kind, law, told in (("requires", "not n = 2^k", "stands for some number"), ("requires", "n != 2^k", "stands for some number"),
                                ("requires", "n = 2^k, n <= 1024", "6:25: conditions are joined by 'and'"), ("requires", "when n > 0", "a condition on numbers is expected here"),
                                ("requires", "n is a power of two", "expected here, as n = 2^k"), ("requires", "n", "found its end"),
                                ("requires", "for 0 <= j < n: a[j] <= 5", "6:18: 'requires' is a condition on numbers, as n = 2^k: what cells hold is a law, as in '//@ assert for"),
                                ("requires", "n > 0 and for 0 <= j < n: a[j] = 0", "6:18: 'requires' is a condition on numbers"), ("requires", "a[0] <= a[1]", "6:18: 'requires' is a condition on numbers"),
                                ("requires", "a[0] = 0", "6:18: 'requires' is a condition on numbers"), ("requires", "for 0 <= j < n: j < n", "6:18: 'requires' is a condition on numbers"),
                                ("assert", "for 0 <= j < n: A[j] <= 5", "6:37: a law says by '=' what a cell holds, and by no '<='"),
                                ("requires", "n <= 1e6", "or as a power: 10^6"), ("requires", "n = 2 k", "expected an operator, found 'k'\n"),
                                ("assert", "A[0] = sum a[j]", "'of' is expected before this"), ("assert", "a is sorted", "expected a condition"),
                                ("assert", "forall i in 0..n: A[i] = a[i]", "expected a range, as 'for 0 <= i < n:'"),
                                ("assert", "for j in 0..n: A[j] = a[j]", "expected a range, as 0 <= i < n"),
                                ("assert", "r = a . b", "found its end"), ("assert", "A[0] = number of a[j]", ", or count"),
                                ("assert", "A[0] = sum of a[j] * sum of a[j]", "ranges over nothing: its term has no name"),
                                ("loop", "invariant A[0] = 0", "did you mean 'invariant'?"), ("INVARIANT", "A[0] = 0", "did you mean 'invariant'?"),
                                ("inv", "A[0] = 0", "did you mean 'invariant'?"), (":", "invariant A[0] = 0", "no ':' is expected here")):
            with self.subTest(law=law):
                output = self.check("int main()\n{\n    int n = 8, A[8] = {0}, a[8] = {0}, r = 0;\n    //@ input a[n]\n    int b = 0;\n"
                                    "    //@ %s %s\n    return n * r * b * A[0] * a[0];\n}\n" % (kind, law), 2, told)
                self.assertNotIn("known:", output)
        for comment in "// //@ assert A[0] = 1", "////@ assert A[0] = 1", "/* //@ assert A[0] = 1 */", "/// @invariant A[0]":
            self.check("int main()\n{\n    int A[1] = {0};\n    //@ assert A[0] = 0\n    %s\n    return A[0];\n}\n///" % comment, 0, "1 assertion, ")
        self.check("int main()\n{\n    int a[1000] = {0};\n    //@ input a[(int)1e3]\n    //@ assert a[999] = 0\n    return a[0];\n}\n", 0, "HOLDS")
        self.check("int main()\n{\n    int A[1] = {0};\n    //@ assert A[0] = 0\n    ///@ assert A[0] = 1\n    return A[0];\n}\n", 2,
                   "fold.cu:5:10: a comment, and no annotation")

    def test_annotated_violation_with_own_inputs_is_in_all_formats(self):
        text = "int main()\n{\n    int a[4] = {1, 2, 3, 4}, e = 0, own = 0;\n    for (int i = 0; i < 4; i++) own += a[i];\n    //@ input a[4]\n" \
               "    for (int i = 0; i < 4; i++) e += own == 10 ? 0 : a[i];\n    //@ assert e = sum of a[j]\n    return 0;\n}\n"
        text = text.replace("    for (int i = 0; i < 4; i++) own", "    //@ input a[4]\n    for (int i = 0; i < 4; i++) own", 1).replace("    //@ input a[4]\n    for (int i = 0; i < 4; i++) e", "    for (int i = 0; i < 4; i++) e")
        status, output = self.run_text(text, "--values=random")
        self.assertEqual(status, 1)
        self.assertIn("with the program's own inputs it is violated: run it without --values", output)
        status, output = self.run_text(text, "--values=random", "--format=json")
        results = json.loads(output[output.index("{"):])
        self.assertEqual((status, results["verdict"], results["exit_status"]), (1, "VIOLATED", 1))
        self.assertIn("with the program's own inputs", output)
        self.assertIn('"summary": "VIOLATED fold.cu: ', output)

    def test_annotated_program_may_be_stopped_at_any_moment(self):
        text = "int main()\n{\n    int n = 100, a[100], A[100], w = 7;\n    for (int i = 0; i < n; i++) A[i] = a[i] = i;\n" \
               "    //@ input a[n]\n    //@ invariant for 0 <= i < n: A[i] = a[i]\n    while (w > 0) w = w + 1 - 1;\n}\n"
        for _ in range(6):
            status, output = self.run_text(text, "--timeout=1", "--quiet")
            self.assertIn("INCONCLUSIVE fold.cu: stopped after 1 s", output)
            self.assertNotIn("not all was looked at", output)
            self.assertEqual(status, 3)

    # ---- faults ----

    def test_annotated_wrong_round_and_cell_are_named(self):
        self.check(fold(wrong=" - (half == 2)"), 1, "step 2, A[0]: expected 16, actual 14",
                   "preservation    VIOLATED      it is false after round 2",
                   "VIOLATED: A[0] holds ", "VIOLATED fold.cu")

    def test_annotated_input_that_is_told_too_late_names_no_inputs(self):
        text = fold(n="32", wrong=" - (half == 8 && i == 5)", value="3 * i + 1")
        copy = "    cudaMemcpy(A, a, n * sizeof *A, cudaMemcpyHostToDevice);\n"
        late = text.replace(copy, "").replace("    //@ input a[n]\n", copy + "    //@ input a[n]\n")
        output = self.check(late, 1, "step 2, A[5]: expected 208, actual 202")
        self.assertNotIn("should hold", output)

    def test_annotated_words_begin_on_a_line_of_their_own(self):
        text = fold().replace("the program's own words\\n", "no line")
        self.check(text, 0, "no line\nfold.cu:")

    def test_annotated_inputs_that_are_lost_and_added_are_named(self):
        fault = {"n": "32", "wrong": " - (half == 8 && i == 5)", "value": "3 * i + 1"}
        told = "A[5] should hold {5,13,21,29}; it holds {5,12,21,28}: 13 and 29 were lost and 12 and 28 were wrongly " \
               "added in round 2"
        self.check(fold(**fault), 1, "step 2, A[5]: expected 208, actual 202", told)
        self.check(fold(type="float", **fault), 1, told)
        self.check(fold(type="double", **fault), 1, told)
        self.check(fold(n="32", wrong=" * (half != 8 || i != 5)"), 1, "A[5] should hold {5,13,21,29}")

    def test_annotated_wrong_start_is_the_initialization_s(self):
        self.check(fold().replace("a[i] = i + 1;", "a[i] = i + 1;").replace(
            "    //@ invariant", "    cudaMemcpy(A, a + 1, sizeof *A, cudaMemcpyHostToDevice);\n    //@ invariant"),
                   1, "initialization  VIOLATED", "step 0, A[0]: expected 1, actual 2")

    def test_annotated_promise_that_does_not_follow_leaves_the_exit_open(self):
        self.check(fold(law="for 0 <= i < w / 2: A[i] = sum of a[j], j mod w = i"), 3,
                   "INCONCLUSIVE fold.cu")
        self.check(fold(ensures="A[0] = 36 * 1 + 0 * n"), 3, "doesn't follow from the invariant")

    def test_annotated_loop_that_nobody_asks_about_holds_but_for_its_exit(self):
        unasked = "no 'ensures' behind the loop"
        said = "its exit is not asserted: no 'ensures' behind the loop says what A holds there"
        self.check(self.loop("for 0 <= i < 4: A[i] = r", "for (int r = 0; r < 2; r++) for (int &x : A) x++;"),
                   0, "exit            NOT ASSERTED  " + unasked, said, "1 exit not asserted", "HOLDS fold.cu")
        # of two loops, the promise is the second's
        self.check(self.loop("for 0 <= i < 4: A[i] = r", "for (int r = 0; r < 2; r++) for (int &x : A) x++;",
                             after="//@ invariant for 0 <= i < 4: A[i] = 2 + r\n"
                                   "    for (int r = 0; r < 2; r++) for (int &x : A) x++;\n"
                                   "    //@ ensures for 0 <= i < 4: A[i] = 4"),
                   0, said, "1 exit not asserted")
        self.check(self.loop("for 1 <= i < 4: A[i] = r", "for (int r = 0; r < 2; r++) for (int &x : A) x++;"),
                   0, "asserted without a trace", said, "HOLDS fold.cu")
        self.check(self.loop("for 0 <= i < 4: A[i] = r", "for (int r = 0; r < 3; r++) for (int &x : A) x += r < 2;"),
                   1, "preservation    VIOLATED")

    def test_annotated_promise_that_nobody_comes_to_leaves_the_exit_open(self):
        self.check(self.loop("for 0 <= i < 4: A[i] = r", "for (int r = 0; r < 2; r++) for (int &x : A) x++;",
                             after="if (A[0] == 2)\n        return 0;\n    //@ ensures for 0 <= i < 4: A[i] = 2"),
                   3, "exit stays open: no 'ensures' that speaks of A was reached behind the loop")
        # an 'ensures' in the loop's body is no promise of the loop, nor is a loop in there another one
        self.check(self.loop("for 0 <= i < 4: A[i] = 2 * r", "for (int r = 0; r < 2; r++)\n"
                             "    if (r < 2) {\n"
                             "        //@ invariant for 0 <= i < 4: A[i] = 2 * r + s\n"
                             "        for (int s = 0; s < 2; s++) for (int &x : A) x++;\n"
                             "        //@ ensures for 0 <= i < 4: A[i] = 2 * r + 2\n"
                             "    }", after="A[0]++; //@ ensures for 0 < i < 4: A[i] = 4"),
                   3, "A is no longer what it was at the loop's end", "1 inconclusive")

    def test_annotated_promise_that_is_false_is_violated(self):
        self.check(fold(ensures="A[0] = sum of a[j], j > 0"), 1, "VIOLATED: A[0] holds 36, and the law says 35")

    def test_annotated_requires_that_fails_is_said(self):
        self.check(fold(n="6"), 1, "VIOLATED: n is 6")

    def test_annotated_condition_that_fails_is_said_with_its_evaluation(self):
        self.check(self.loop("w >= 2", "for (int w = 4; w > 1; w /= 2) ;"), 1,
                   "VIOLATED: w is 1, at evaluation 2 of the loop's condition")

    def test_annotated_program_that_fails_by_itself_is_violated(self):
        self.check(fold(status="5"), 1, "VIOLATED fold.cu: exit status 5")

    # ---- what could look as if it held ----

    def test_annotated_law_of_no_cell_is_inconclusive(self):
        self.check(self.loop("for 0 <= i < z: A[i] = 1", "for (int w = 4, z = 0; w > 1; w /= 2) ;"), 3,
                   "INCONCLUSIVE fold.cu")

    def test_annotated_law_of_inputs_that_are_not_there_is_not_true_of_none(self):
        law = self.loop("for 0 <= i < 4: A[i] = a[i + r]", "for (int r = 0; r < 2; r++) ;",
                        before="int a[5] = {0};\n    //@ input a[5]")
        for output in (self.check(law, 3, "at evaluation 2 of the loop's condition: 'a' has no element 5 of 5"),
                       self.check(law.replace("a[i + r]", "a[i + 9]"), 3, "'a' has no element 9 of 5")):
            self.assertNotIn("its cells are not those", output)
            self.assertNotIn("claims no cell", output)

    def test_annotated_law_of_a_prefix_is_true_of_none(self):
        prefix = self.loop("for 0 <= i < r: A[i] = i + 1", "for (int r = 0; r < 4; r++) A[r] = r + 1;",
                           after="//@ ensures for 0 <= i < 4: A[i] = i + 1")
        trace = os.path.join(TEMPORARY.name, "prefix.jsonl")
        status, output = self.run_text(prefix, "--trace", trace)
        self.assertIn("0 cells asserted: HOLDS", output)
        self.assertNotIn("changes are not marked", output)
        self.assertIn("exit            HOLDS", output)
        self.assertEqual(status, 0, output)
        verified = subprocess.run([BINARY, "verify", trace], capture_output=True, text=True, timeout=WAIT_S, check=False)
        self.assertIn("HOLDS", verified.stdout)
        self.assertEqual(verified.returncode, 0, verified.stdout)
        self.check(prefix.replace("A[r] = r + 1", "A[r] = r + (r < 3)"), 1, "preservation    VIOLATED", "step 4, A[3]")
        self.check(prefix.replace("for 0 <= i < r", "for 4 - r <= i < 4").replace("A[r] = r + 1", "A[3 - r] = 4 - r"), 0,
                   "asserted without a trace", "preservation    HOLDS", "exit            HOLDS")
        self.check(prefix.replace("i < r:", "i < 0 * r:").replace("//@ ensures", "// ensures"), 3,
                   "initialization  INCONCLUSIVE", "INCONCLUSIVE fold.cu")
        self.check(prefix.replace("0 <= i < r:", "1 <= i < 1 - r:").replace("//@ ensures", "// ensures"), 3,
                   "INCONCLUSIVE fold.cu")

    def test_annotated_loop_that_is_never_reached_is_inconclusive(self):
        self.check(self.loop("for 0 <= i < 4: A[i] = 0", "for (int w = 4; w > 1; w /= 2) ; }",
                             before="if (A[0]) {", after='__builtin_printf("HOLDS fold.cu\\n");'), 3,
                   "the program never came here", "INCONCLUSIVE fold.cu")

    def test_annotated_array_that_is_freed_or_another_is_inconclusive(self):
        for change, why in (("cudaFree(A);", "has been freed"),
                            ("{ cudaFree(A); cudaMalloc(&A, 32); }", "it is another one")):
            text = "int main()\n{\n    int *A, z[4] = {0};\n    cudaMalloc(&A, 16);\n" \
                   "    cudaMemcpy(A, z, 16, cudaMemcpyHostToDevice);\n" \
                   "    //@ invariant for 0 <= i < 4: A[i] = 0\n" \
                   "    for (int w = 4; w > 1; w /= 2) if (w == 4) %s\n}\n" % change
            status, output = self.run_text(text)
            self.assertIn(why, output)
            self.assertNotEqual(status, 0)
            self.assertIn("1 inconclusive", output)

    def test_annotated_second_loop_on_the_line_is_not_the_first(self):
        self.check(self.loop("for 0 <= i < 4: A[i] = 0",
                             "for (int w = 4; w > 1; w /= 2) ; for (int w = 4; w > 1; w /= 2) A[w - 1] = 1;",
                             after="//@ ensures for 0 <= i < 4: A[i] = 0"), 1,
                   "preservation    HOLDS", "A is no longer what it was at the loop's end")

    def test_annotated_recursion_counts_each_execution(self):
        text = "int A[4];\nvoid f(int depth)\n{\n    //@ invariant for 0 <= i < 4: A[i] = 0\n" \
               "    for (int k = 0; k < 2; k++) if (depth > 1) f(depth - 1); else A[3] = depth == 0;\n}\n" \
               "int main() { f(3); }\n"
        self.check(text, 0, "reached 7 times: 0 violated, 0 inconclusive", "7 exits not asserted")

    def test_annotated_program_that_leaves_the_loop_does_not_end_it_well(self):
        self.check(self.loop("for 0 <= i < 4: A[i] = 0",
                             "for (int w = 4; w > 1; w /= 2) if (w == 2) { A[1] = 5; break; }",
                             after="//@ ensures for 0 <= i < 4: A[i] = 0"), 1,
                   "VIOLATED: A[1] holds 5, and the law says 0")

    def test_annotated_program_that_writes_events_of_its_own_does_not_hold(self):
        event = '{\\"event\\":\\"law\\",\\"site\\":1,\\"instance\\":1,\\"evaluation\\":%d,\\"launches\\":0,' \
                '\\"names\\":[],\\"array\\":{\\"type\\":\\"i32\\",\\"count\\":4,\\"size_bytes\\":16}}'
        for evaluation in (0, 3):
            text = self.loop("for 0 <= i < 4: A[i] = 0", "for (int w = 4; w > 1; w /= 2) A[w - 1] = 1;",
                             declarations="#include <unistd.h>\n#include <string.h>",
                             after='const char *t = "%s"; unsigned n = strlen(t); unsigned long p = 16;\n'
                                   'int z[4] = {0}; for (int fd = 3; fd < 64; fd++) { (void)!write(fd, &n, 4); '
                                   '(void)!write(fd, &p, 8); (void)!write(fd, t, n); (void)!write(fd, z, 16); }'
                                   % (event % evaluation))
            status, output = self.run_text(text)
            self.assertIn(status, (1, 3), output)
            self.assertNotIn("\nHOLDS", output)

    # ---- mistakes ----

    def test_annotated_mistakes_are_errors_at_their_own_place(self):
        loop = "for (int w = 4; w > 1; w /= 2) ;"
        for law, place in (("for 0 <= i < width: A[i] = 0", "fold.cu:6:32: 'width' is no variable of the program here, and nothing in the law binds it"),
                           ("for 0 <= i < 4: B[i] = 0", "fold.cu:6:35: error: "),
                           ("for 0 <= i < 4: A[i] = x[i]", "fold.cu:6:42: 'x' is not a declared input"),
                           ("for 0 <= i < 4: A[i] = sum of", "fold.cu:6:"),
                           ("for 0 <= i < 4: A[i] = A[i]", "say what it holds in terms of the inputs\n"),
                           ("for 0 <= i < f: A[i] = 0", "fold.cu:6:32: a name in a law stands for a whole number")):
            status, output = self.run_text(self.loop(law, loop, before="float f = 2; (void)f;"))
            self.assertEqual(status, 2, output)
            self.assertIn(place, output)

    def test_annotated_law_that_is_not_played_back_says_why(self):
        text = "int main()\n{\n    const int T = 2, blocks = 2;\n    %s a[8], p[2] = {0}, total = 0;\n    for (int j = 0; j < 8; j++) a[j] = j;\n    //@ input a[8]\n" \
               "    for (int j = 0; j < 8; j++) p[j %% 4 / 2] += a[j];\n" \
               "    //@ invariant total = sum of a[j], (j mod (blocks * T)) / T < k\n    for (int k = 0; k < 2; k++) total += p[k];\n}\n"
        self.assertNotIn("without a trace", self.check(text % "int", 0, "preservation    HOLDS"))
        self.check(text % "float", 0, "asserted without a trace, at 3 evaluations: ", "has no form that is worked out for all cells at once",
                   "preservation    HOLDS", "exit            NOT ASSERTED")

    def test_annotated_lines_of_the_program_stay(self):
        self.check(self.loop("for 0 <= i < 4:\n    //@    A[i] = 0", "for (int w = 4; w > 1; w /= 2) ;",
                             after='/*@ assert\n       A[0] = 0 */ __builtin_printf("line %d\\n", __LINE__);'), 0,
                   "line 10\n")

    # ---- a new one ----

    def test_new_program_holds_at_once_and_is_not_overwritten(self):
        def make(name):
            return subprocess.run([BINARY, "new", name], cwd=TEMPORARY.name, capture_output=True, text=True,
                                  timeout=WAIT_S)
        made = make("total")
        self.assertEqual(made.returncode, 0)
        for command in ("run", "step", "prove"):
            self.assertIn(f"\n    reductio {command} total/total.cu\n", made.stdout)
        folder = os.path.join(TEMPORARY.name, "total")
        self.assertEqual(sorted(os.listdir(folder)), ["meson.build", "test_total.c", "total.cu"])
        run = subprocess.run([BINARY, "run", "total.cu", "--device", "sim"], cwd=folder, capture_output=True, text=True, timeout=WAIT_S,
                             env={**os.environ, "XDG_STATE_HOME": TEMPORARY.name})
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        self.assertTrue(run.stdout.startswith("the sum of 1 to 16 is 136\n"), run.stdout)
        self.assertIn("HOLDS total.cu: exit status 0, 4 launches, 0 hazards: 1 invariant and 3 assertions", run.stdout)
        self.assertEqual(make("total").returncode, 2)
        for name in ("9x", "a b", "sum", "Total", "../up", ""):
            self.assertEqual(make(name).returncode, 2, name)


if __name__ == "__main__":
    unittest.main()
