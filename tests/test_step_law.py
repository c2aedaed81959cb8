#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A law of one's own in `reductio step`: which cells refute it, from which round on, and what comes of it.
usage: test_step_law.py REDUCTIO [unittest's arguments]"""

import os
import unittest

from source_lines import needs_lines
from step_case import StepCase, boxes, status_line

FOLD = "for 0 <= i < w: A[i] = sum of a[j], j mod w = i"
HALVES = "for 0 <= i < w: A[i] = sum of a[j], j / 2^d = i"
# A right law of each of these, in words of one's own.
RIGHT = [("fold", FOLD), ("unfold", "for i < 2^d: A[i] = sum of a[j], 0 <= j < n, j mod 2^d = i"),
         ("puzzle-map", "when d = 0: for 0 <= i < n: A[i] = 0; when d = 1: for 0 <= i < n: A[i] = a[i] + 10"),
         ("dot-partial", "when d = 1: for 0 <= t < G: A[t] = sum of a[j]*b[j], j mod G = t")]


def law_row(screen):
    rows = [line for line in screen.split("\n") if line.startswith(" law  ")]
    return rows[-1].split()[1:] if rows else None


class LawTest(StepCase):
    def test_cells_that_refute_a_law_are_marked_and_told(self):
        screens = self.script(["next", "cell 2", "next", "Enter"], "fold", "--law", HALVES)
        self.assertEqual(law_row(screens[0]), list("01234567"))
        self.assert_in(screens[0], "your law is not kept: first refuted in round 1: A[0] is 4, and the law says 1;",
                       "HOLDS: 8 cells; first refuted in round 1")
        self.assertEqual(law_row(screens[1]), ["1≠", "5≠", "9≠", "13≠", *"····"])
        self.assert_in(screens[1], "for 0 <= i < 4: A[i] = sum of a[j], j / 2 = i",
                       "VIOLATED: A[0] is 4, and the law says 1; 4 cells are wrong;")
        self.assertIn("VIOLATED: A[2] is 8, and the law says 9; 4 cells are wrong;", screens[2])
        self.assertEqual(law_row(screens[3]), ["6≠", "22≠", *"······"])
        self.assert_not_in(screens[4], "your law     says")
        self.assertIn("your law     says 6, and it is not that",
                      self.last(["law " + HALVES, "2g", "Enter"], "fold"))

    def test_a_law_is_judged_of_the_loop_of_a_file(self):
        with open(self.path("mine.cu"), "w", encoding="utf-8") as file:
            file.write("""__global__ void fold(int *A, int half) { if (threadIdx.x < half) A[threadIdx.x] += A[threadIdx.x + half]; }
int main()
{
    int a[8] = {1, 2, 3, 4, 5, 6, 7, 8}, *A;
    cudaMalloc(&A, sizeof a);
    //@ input a[8]
    cudaMemcpy(A, a, sizeof a, cudaMemcpyHostToDevice);
    //@ invariant for 0 <= i < w: A[i] = sum of a[j], j mod w = i
    for (int w = 8; w > 1; w /= 2)
        fold<<<1, 4>>>(A, w / 2);
    //@ ensures A[0] = sum of a[j]
    cudaFree(A);
}
""")
        right = self.last([], self.path("mine.cu"), "--law", "for 0 <= i < n/2^d: A[i] = sum of a[j], j mod (n/2^d) = i")
        self.assertIn("your law is true at each step, and at the end it gives the goal; whether it is enough was not asked", " ".join(right.split()))
        self.assertIn("; true at each step", right)
        self.assertNotIn("run --law", right)
        halves = self.last([], self.path("mine.cu"), "--law", HALVES.replace("w", "n/2^d"))
        self.assertIn("your law is not kept: first refuted in round 1: A[0] is 6, and the law says 3; 4 cells are wrong",
                      " ".join(halves.split()))
        said = self.refused([], self.path("mine.cu"), "--law", "for 0 <= i < n: A[i] = sum of a[j], j = i")
        self.assertIn("what it says of cell 4 behind round 1 can't be asserted", said)

    def test_each_verdict_is_told(self):
        for law, words in ((FOLD, "your law is true, and enough: it holds at each step"),
                           ("for 0 <= i < w: A[i] = 1 + a[i]", "your law is not true at first: before the first round"),
                           ("when d > 0: for 0 <= i < 1: A[i + n] = 0", "your law is not kept: first refuted in round 1"),
                           ("when d = 9: A[0] = 0", "your law is vacuous: it claims no cell"),
                           ("when d = 0: for 0 <= i < n: A[i] = a[i]", "your law is true, but too weak: at step")):
            with self.subTest(law):
                self.assertIn(words, " ".join(self.last(["law " + law], "fold").split()))
        self.assertIn(" your law claims no cell here; vacuous ", " ".join(self.last(["law when d = 9: A[0] = 0"], "fold").split()))

    def test_a_weak_law_is_refuted_by_a_number_also_where_others_overflow(self):
        for kind, values, becomes, was in (("f16", "60000,1,2,3,5000,1,2,3", "4748", "5000"), ("f32", "3e38,3e38,-3e38,-3e38", "-2.9999957e+38", "-3e+38"),
                                           ("f32", "3e38,1,2e37,1", "1.999977e+37", "2e+37")):
            with self.subTest(kind, values=values):
                told = " ".join(self.last(["law A[0] = sum of a[j], j mod w = 0"], "fold", "--type", kind, "--values", "list:" + values).split())
                self.assertIn("your law is true, but too weak: at step 0 it says nothing", told)
                self.assertIn(f"were that {becomes} instead of {was},", told)
        # A run that overflows or underflows itself is brought back by another factor, or by one of the other sign.
        for operation, values, becomes in (("product", "-3.4e38,-4e19", "1"), ("product", "5.9e-39,1.7e-39", "-1"), ("sum", "-2e38,-2e38", "2e+38")):
            with self.subTest(operation, values=values):
                told = " ".join(self.last([f"law A[0] = {operation} of a[j], j mod w = 0"], "fold", "--op", operation, "--type", "f32",
                                          "--values", "list:" + values, status=3).split())
                self.assertIn(f"your law is true, but too weak: at step 0 it says nothing of A[1]: were that {becomes} instead", told)

    def test_a_law_says_the_number_and_not_what_its_own_order_rounds_it_to(self):
        screens = self.script(["3g"], "fold", "--type", "bf16", "--values", "list:2e38,-0.4e38,0,0,2e38,-0.4e38,0,0", "--law", FOLD, status=3)
        self.assert_in(screens[1], "OVERFLOW: A[0] is inf, and the law says 3.19e+38")
        screens = self.script(["2g"], "fold", "--op", "product", "--type", "f32", "--values", "list:1e-30,1e30,1e-30,3e8",
                              "--law", FOLD.replace("sum", "product"), status=3)
        self.assert_in(screens[1], "UNDERFLOW: A[0] is 0, and the law says 3.00000016e-22")

    def test_a_law_is_left_again(self):
        self.assertIsNotNone(law_row(self.last(["law " + FOLD], "fold")))
        screens = self.script(["law " + FOLD, "law", "next"], "fold")
        self.assertIn("your law is judged no more", status_line(screens[2]))
        self.assertIsNone(law_row(screens[3]))
        self.assertNotIn("your law", screens[3])

    def test_the_command_takes_a_file_as_run_does(self):
        with open(self.path("law"), "w", encoding="utf-8") as file:
            file.write("# of the fold\nfor 0 <= i < w:\n    A[i] = sum of a[j], j mod w = i # folded\n")
        with open(self.path("script"), "w", encoding="utf-8") as file:
            file.write(f"law @{self.path('law')}\n")
        done = self.cli("step", "fold", "--device", "sim", "--script", self.path("script"))
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("your law is true, and enough", done.stdout)
        with open(self.path("law"), "a", encoding="utf-8") as file:
            file.write("    and\n")
        done = self.cli("step", "fold", "--device", "sim", "--script", self.path("script"))
        self.assertEqual(done.returncode, 2)
        self.assertIn(f"script:1: {self.path('law')}:4:8: expected a ", done.stderr)

    def test_a_law_that_can_t_be_read_leaves_the_one_before(self):
        self.assertIn("standard input:1:20: expected ',' or ':'", self.refused(["law for 0 <= i < w A[i] = a[i]"], "fold"))
        done = self.cli("step", "fold", "--device", "sim", "--script", os.devnull, "--law", "for 0 <= i < w A[i] = a[i]")
        self.assertEqual(done.returncode, 2)
        self.assertEqual(done.stderr.split("\n")[1:], ["  for 0 <= i < w A[i] = a[i]", "  " + 15*" " + "^", ""])

    def test_of_another_operation_laws_are_judged_as_they_are_written(self):
        minimum = FOLD.replace("sum of", "argmin of")
        screens = self.script(["law " + minimum, "next", "next", "next"], "fold", "--op", "argmin", "--values", "ones")
        self.assertIn("HOLDS: 1 cell; true, and enough", screens[4])
        screens = self.script(["law " + minimum, "next"], "fold", "--op", "max", "--values", "random:1")
        self.assertIn("VIOLATED: A[0] is -788417095, and the law says 0", screens[2])

    def test_cells_beside_one_outside_are_told(self):
        law = FOLD.replace("i < w", "i <= w")
        for kind in ("i32", "f32"):
            screens = self.script(["law " + law, "next"], "fold", "--type", kind)
            self.assertEqual(law_row(screens[1]), list("01234567"))
            self.assertIn("the law claims A[8], and the array has no such cell", " ".join(screens[1].split()))
            self.assertEqual(law_row(screens[2])[:4], ["4", "6", "8", "10"])
        # Cells for which the law has no value show none.
        screens = self.script(["law for 0 <= i <= n: A[i] = a[i + 1]"], "fold")
        self.assertEqual(law_row(screens[1]), list("········"))

    def test_a_cell_that_overflows_is_neither_right_nor_wrong(self):
        screens = self.script(["law " + FOLD, "next", "next"], "fold", "--type", "f32", "--values", "list:3e38,0,-3e38,0,3e38,0,-3e38,0",
                              status=3)
        self.assertEqual(law_row(screens[3])[0], "·")
        self.assertIn("OVERFLOW: A[0] is nan, and the law says 0; true so far", " ".join(screens[3].replace("-nan", "nan").split()))

    def test_a_cell_of_indices_is_chosen_from_inputs(self):
        self.assertIn("inputs that it was chosen from, by a run", self.last(["cell 1", "Enter"], "fold", "--op", "argmin"))
        self.assertIn("inputs in it, by a run", self.last(["cell 1", "Enter"], "fold", "--op", "min"))

    def test_a_column_is_that_of_the_script(self):
        for line, column in (("  law  A[0] = ?", 15), ("L A[0] = ?", 10), ("\tlaw A[0] = ? # why", 13)):
            self.assertIn(f"standard input:2:{column}: ", self.refused(["next", line], "fold"))

    @needs_lines
    def test_cells_of_indices_are_told_with_their_inputs(self):
        minimum = "for 0 <= i < w: A[i] = argmin of a[j], j / 2^d = i"
        screens = self.script(["size 120 30", "next"], "fold", "-n", "4", "--op", "argmin", "--values", "list:7,5,6,9", "--law", minimum)
        self.assertEqual(law_row(screens[2])[:3], ["5", "at", "1≠"])
        self.assert_in(" ".join(screens[2].split()), "VIOLATED: A[0] is 6 at 2, and the law says 5 at 1",
                       "thread 0 of block 0 reads A[0] = 7 at 0 and A[2] = 6 at 2, writes A[0] = 6 at 2 (line")

    def test_a_law_without_a_value_is_told_with_its_place(self):
        self.assertIn("standard input:1:18: division by 0: undefined at d = 0",
                      self.refused(["law for 0 <= i < w div d: A[i] = a[i]"], "fold"))

    def test_a_law_that_takes_far_too_long_is_refused(self):
        self.assertIn("takes too long: more than 335",
                      self.refused(["law for 0 <= i < 10^18: A[0] = a[0]"], "fold"))

    def test_a_broken_run_is_judged_anew(self):
        screens = self.script(["law " + FOLD, "next", "break value 9", "undo"], "fold")
        self.assertEqual(law_row(screens[2])[0], "4")
        self.assertEqual(law_row(screens[3])[0], "4≠")
        self.assertIn("first refuted in round 1", screens[3])
        self.assertEqual(law_row(screens[4])[0], "4")
        self.assertIn("HOLDS: 4 cells; true, and enough", screens[4])

    def test_a_quiz_is_not_told_the_answer(self):
        screen = self.last(["law " + FOLD, "quiz"], "fold")
        self.assertIsNone(law_row(screen))
        self.assertNotIn("your law", screen)
        self.assertIn("guess first", self.last(["quiz", "law " + FOLD], "fold"))

    def test_at_a_checkpoint_a_law_is_silent(self):
        law = "when d = 1: for 0 <= k < B: A[k] = sum of a[j]*b[j], floor((j mod G) / T) = k"
        screens = self.script(["step", "last"], "dot-shared", "--law", law)
        self.assertIsNone(law_row(screens[1]))
        self.assertIn("claims A, at the end of a round", screens[1])
        self.assertIsNotNone(law_row(screens[2]))

    def test_large_arrays_have_their_refuted_parts_in_the_strip(self):
        screen = self.last(["next"], "fold", "-n", "1024", "--law", HALVES)
        self.assertRegex(screen, r"(?m)^ all .*≠≠≠≠")
        self.assertNotIn("≠", self.last(["next"], "fold", "-n", "1024", "--law", FOLD))
        self.assertTrue(self.last(["next"], "fold", "--law", HALVES, LC_ALL="C").isascii())

    def test_programs_of_all_kinds_take_laws(self):
        for program, law in RIGHT:
            with self.subTest(program):
                self.assertRegex(self.last(["law " + law], program), "your law is true( so far|, and enough|, but too weak)")


class TraceTest(StepCase):
    def record(self, *arguments):
        done = self.cli("run", *arguments, "--device", "sim", "--quiet", "--no-last", "--trace", self.path("trace"))
        self.assertIn(done.returncode, (0, 1), done.stderr)

    def refused_trace(self):
        done = self.cli("step", "--trace", self.path("trace"), "--law", FOLD, "--script", os.devnull)
        self.assertEqual(done.returncode, 2)
        return done.stderr

    def test_a_trace_is_judged_as_its_run_is(self):
        for arguments in (("fold", "-n", "16"), ("fold", "-n", "8", "--type", "f32"), ("fold:wrong-half", "-n", "8")):
            with self.subTest(arguments):
                self.record(*arguments)
                status = 1 if ":" in arguments[0] else 0
                commands = ["law " + HALVES, "next", "law " + FOLD] # the trace of a fault ends where it shows
                live = self.script(commands, *arguments, status=status)
                trace = self.script(commands, "--trace", self.path("trace"), status=status)
                self.assertEqual([law_row(s) for s in live], [law_row(s) for s in trace])
                self.assertEqual(status_line(live[1]), status_line(trace[1]))
                self.assertEqual(boxes(live[2]), boxes(trace[2]))

    def test_of_a_trace_that_breaks_off_a_law_is_true_so_far(self):
        self.record("fold", "-n", "8")
        with open(self.path("trace"), encoding="utf-8") as file:
            lines = file.readlines()
        steps = [k for k, line in enumerate(lines) if '"step"' in line]
        with open(self.path("trace"), "w", encoding="utf-8") as file:
            file.writelines(lines[:steps[2]])
        screen = self.last(["law " + FOLD], "--trace", self.path("trace"), status=3)
        self.assertIn("your law is true so far: it holds at each step that was made", screen)
        self.assertIn("; true so far", screen)

    def test_a_trace_without_the_values_says_so(self):
        self.record("fold", "-n", "8192", "--trace-cells", "64")
        self.assertRegex(self.refused_trace(), r"A\[32\] is not known at step 0|does not hold the inputs")
        self.record("fold", "--values", "witness")
        self.assertIn("witness values tell only", self.refused_trace())


if __name__ == "__main__":
    unittest.main()
