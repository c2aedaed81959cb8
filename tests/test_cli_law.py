#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`reductio run PROGRAM --law`: laws of one's own, right, wrong in every way, and unreadable.

usage: test_cli_law.py REDUCTIO [unittest's arguments]"""

import contextlib
import json
import os
import re
import signal
import subprocess
import time
import unittest

from cli_case import BINARY, lists
from law_case import FOLD, TOURNAMENT, LawTest
from patience import Process, WAIT_S
from short_run import SHORT, part, takes_long

# Right laws, in words and with the operators of C.
RIGHT = (
    ("fold", ("-n", "8"), FOLD),
    ("fold", ("-n", "8"), "for 0 <= i && i < n / 2^d: A[i] = sum of a[j], j % (n / 2^d) == i"),
    ("fold", ("-n", "16", "--type", "f32", "--values", "random:7"), FOLD),
    ("fold", ("-n", "1"), FOLD),
    ("fold", ("-n", "8"), "let v = n / 2^d law for 0 <= k < v: A[k] = sum of a[j], j mod v = k"),
    ("tournament", ("-n", "13"), "for i = 0 mod 2^d, i < n: A[i] = sum of a[j], i <= j < min(i + 2^d, n)"),
    ("dot-shared", ("-n", "100"),
     "when d = 0: A = 0; when d > 0: for 0 <= k < B: A[k] = sum of a[j]*b[j], floor((j mod G) / T) = k"),
    ("puzzle-map", ("-n", "9"), "when d = 0: for 0 <= i < n: A[i] = 0; when d = 1: for 0 <= i < n: A[i] = a[i] + 10"),
)


class Law(LawTest):
    def test_right_laws_are_true_and_enough(self):
        for program, arguments, law in RIGHT:
            with self.subTest(law):
                self.assertEqual(self.judged(program, law, *arguments, status=0)["verdict"], "true, and enough")

    def test_of_another_operation_a_law_is_read_as_it_is_written(self):
        for program, law in (("fold", FOLD), ("fold-guard", "for 0 <= i < min(w, n): A[i] = sum of a[j], j mod w = i"),
                             ("tournament", "for i = 0 mod 2^d, i < n: A[i] = sum of a[j], i <= j < min(i + 2^d, n)")):
            for operation in lists.OPERATIONS[1:]:
                for values in ("random:3", "ones"):
                    said = law.replace("sum of", operation + " of")
                    arguments = ("-n", "8", "--op", operation, "--values", values)
                    judged = self.judged(program, said, *arguments, status=0)
                    self.assertEqual((judged["verdict"], judged["op"], judged["for_all_values"]),
                                     ("true, and enough", operation, False))
            self.assertEqual(self.judged(program, law, "-n", "8", "--op", "max")["verdict"], "not kept")
            self.assertEqual(self.judged(program, law.replace("sum", "max"), "-n", "8", "--op", "min")["verdict"], "not kept")
        for operation, elem_type in (("min", "f32"), ("max", "f32"), ("argmax", "i32"), ("or", "u32")):
            weak = f"A[0] = {operation} of a[j], j mod w = 0"
            judged = self.judged("fold", weak, "-n", "8", "--op", operation, "--type", elem_type)
            self.assertEqual(judged["verdict"], "true, but too weak", operation)
        for operation in ("min", "max"):  # whichever of two inputs wins
            for elem_type in ("i32", "u32", "f32", "f64"):
                judged = self.judged("fold", f"A[0] = {operation} of a[j], j mod w = 0", "-n", "2", "--op", operation, "--type", elem_type)
                self.assertEqual(judged["verdict"], "true, but too weak", (operation, elem_type))
        # If A[0] already holds the result, only a cell with the operation's identity shows that the others are needed.
        for arguments, law in (
                (("-n", "64", "--op", "argmin"), "when w = 1: A[0] = argmin of a[j]"),
                (("-n", "2", "--op", "argmin", "--values", "list:1,2"), "when w = 1: A[0] = argmin of a[j]"),
                (("-n", "4", "--op", "max", "--values", "list:1,5,2147483647,3"), "when w = 1: A[0] = max of a[j]"),
                (("-n", "4", "--op", "max", "--type", "f32", "--values", "list:1,inf,2,3"), "when w = 1: A[0] = max of a[j]"),
                (("-n", "8", "--op", "product", "--values", "list:1,2,3,0,5,6,7,8"), "when w = 1: A[0] = product of a[j]"),
                (("-n", "8", "--op", "or"), "when w > 2: for 0 <= i < w: A[i] = or of a[j], j mod w = i; "
                                            "when w <= 2: A[0] = or of a[j], j mod w = 0")):
            with self.subTest(law, arguments=arguments):
                judged = self.judged("fold", law, *arguments)
                self.assertEqual(judged["verdict"], "true, but too weak")
                self.assertIn("with_others", judged["state"])
        for law in (FOLD, "for 0 <= i < w: A[i] = a[i]"):
            self.assert_refused(self.run_sim("fold", "--op", "argmin", "--law", law), "--law:1:24: 'A' holds indices of inputs")

    def test_the_law_that_is_printed_by_explain_is_true_and_enough_of_each_size(self):
        done = self.run_sim("fold", "--law", FOLD, "--sizes", "1..64")
        self.assertEqual(done.returncode, 0)
        self.assertIn("7 sizes of 1 to 64 were tried", done.stdout)

    def test_a_law_wrong_in_five_ways_gets_five_answers(self):
        cases = (
            ("for 0 <= i < w: A[i] = sum of a[j], j mod w = i + 1 or j = i", "not true at first",
             {"step": 0, "cell": 0, "actual": "0", "law": "1"}),
            ("for 0 <= i < w: A[i] = sum of a[j], j / 2^d = i", "not kept",
             {"step": 1, "cell": 0, "actual": "4", "law": "1"}),
            ("A[0] = sum of a[j], j mod w = 0", "true, but too weak",
             {"step": 1, "cell": 0, "actual": "9", "law": "4"}),
            ("for n <= i < w: A[i] = sum of a[j], j mod w = i", "vacuous", None),
        )
        for law, verdict, cell in cases:
            with self.subTest(law):
                judged = self.judged("fold", law, "-n", "8")
                self.assertEqual(judged["verdict"], verdict)
                self.assertEqual(judged.get("false"), cell)
        done = self.run_sim("fold", "-n", "8", "--law", "for 0 <= i < w: A[i] = sum a[j], j mod w = i")
        self.assert_refused(done, "--law:1:28: ", "'of'")
        self.assertIn("\n" + " " * 29 + "^\n", done.stderr)
        self.assertEqual(done.stderr.splitlines()[1][29], "a")

    def test_a_law_that_gives_up_before_the_goal_is_too_weak_there(self):
        judged = self.judged("fold", "when d < 2: " + FOLD, "-n", "8")
        self.assertEqual(judged["verdict"], "true, but too weak")
        self.assertEqual((judged["state"]["step"], judged["state"]["cell"], judged["state"]["at_end"]), (3, 0, True))

    def test_a_law_true_of_the_values_by_chance_is_refuted_by_others(self):
        # a[j] is j with iota, and not with other values.
        judged = self.judged("fold", "when d = 0: for 0 <= i < n: A[i] = i + 0*a[i]; when d > 0: " + FOLD, "-n", "8")
        self.assertEqual(judged["verdict"], "not true at first")
        self.assertEqual(judged["values"], "random:1")

    def test_what_a_law_leaves_unsaid_is_tried_by_the_kernel_itself(self):
        # The rounds are documented by the inputs alone; what the kernel makes of another array, it tells itself.
        shape = ("-n", "16", "--block", "2", "--grid", "4", "--type", "i32")
        for program, d, needs in (("multi-block-two-launch", 2, "117"), ("multi-block-atomic", 1, "3"), ("dot-two-phase", 2, None),
                                  ("multi-block-grid-sync", 1, False), ("multi-block-last-block", 1, False)):
            with self.subTest(program):
                what = "a[j]*b[j]" if program.startswith("dot") else "a[j]"
                law = f"when d = {d}: A[0] = sum of {what}, 0 <= j < n"
                judged = self.judged(program, law, *shape, status=0 if needs is False else 1)
                text = self.run_sim(program, "--law", law, "-q", *shape).stdout
                self.assertNotIn("for all values", text)
                if needs is False:
                    self.assertFalse(judged["for_all_values"])
                    continue
                self.assertEqual(judged["verdict"], "true, but too weak")
                self.assertEqual((judged["state"]["step"], judged["state"]["cell"]), (d - 1, 0))
                self.assertNotIn("was", judged["state"])
                self.assertIn(f"after round {d} A[0] is ", text)
        law = "when d = 1: for 0 <= k < B: A[k] = sum of a[j], floor((j mod (B*T)) / T) = k"
        self.assertFalse(self.judged("ladder-sequential", law, "-n", "64", "--block", "16", "--grid", "4",
                                     status=0)["for_all_values"])

    def test_a_stronger_law_is_not_called_weaker(self):
        for more in ("", "; when d = 2: A[0] = a[0] + a[4]", "; when d = 1: A[7] = a[7]"):
            law = "when d = 3: for i < n: A[i] = a[i]" + more
            self.assertEqual(self.judged("unfold", law, "-n", "8")["verdict"], "true, but too weak")
        done = self.run_sim("fold", "-n", "8", "-q", "--law", FOLD)
        self.assertIn("each round keeps it, and at the end it gives the goal: for all values", done.stdout)
        self.assertIn("; for n = 8 alone", done.stdout)

    def test_a_run_that_ends_early_leaves_the_law_open(self):
        judged = self.judged("fold-ceil:floor", "when d = 0: A[0] = a[0]", status=3)
        self.assertEqual(judged["verdict"], "true so far")
        self.assertNotIn("for_all_values", judged)
        done = self.run_sim("fold-ceil:floor", "-q", "--law", "when d = 0: A[0] = a[0]")
        self.assertIn("nobody knows whether it is enough", done.stdout)

    def test_sizes_of_which_a_law_says_nothing_are_told(self):
        for program, law, sizes, n in (("fold", "when n = 1: A[0] = a[0]", "1..64", 2),
                                       ("tournament", "when n mod 2 = 0: " + TOURNAMENT, "2..11", 3)):
            judged = self.judged(program, law, "--sizes", sizes)
            self.assertEqual((judged["verdict"], judged["n"]), ("vacuous", n))
            done = self.run_sim(program, "--law", law, "--sizes", sizes)
            self.assertIn(f"with a round of which it says nothing is {n}:", done.stdout)
        # One input takes no round.
        judged = self.judged("fold", "when n > 1: " + FOLD, "--sizes", "1..8", status=0)
        self.assertEqual((judged["silent_sizes"], judged["sizes"]["tried"]), (1, 4))

    def test_the_steps_that_refute_a_law_are_shown(self):
        law = "when d = 0: for 0 <= i < n: A[i] = i + 0*a[i]; when d > 0: " + FOLD
        for more in ((), ("--sizes", "8..8")):
            text = self.run_sim("fold", "--law", law, *(more or ("-n", "8"))).stdout
            first, behind, second = text.partition("\nrandom:1 refutes it:\n")
            self.assertTrue(behind, text)
            self.assertNotIn("VIOLATED", first)
            self.assertRegex(second, r"\Astep 0   VIOLATED for .*\n +A\[0\] is -?\d+, and the law says 0; 8 cells are wrong\nstep 1   HOLDS ")
        # A law that the given values themselves refute is shown refuted once.
        text = self.run_sim("fold", "-n", "8", "--law", FOLD + " + 1").stdout
        self.assertNotIn("refutes", text)
        self.assertEqual(text.count("step 0 "), 1)

    def test_sizes_are_counted_in_all_forms(self):
        self.assertIn("1 size of 1 to 1 was tried, all that fold takes; the last:\n",
                      self.run_sim("fold", "--law", FOLD, "--sizes", "1..1").stdout)
        self.assertRegex(self.run_sim("fold", "--law", FOLD, "--sizes", "1..64", "-q").stdout,
                         r"\Atrue, and enough: fold n=64 .*: 7 sizes of 1 to 64 were tried, all that fold takes; the last: it holds ")
        self.assertRegex(self.run_sim("fold", "--law", "when n < 5: " + FOLD + "; when n > 4: A[0] = a[0]", "--sizes", "1..64", "-q").stdout,
                         r"\Anot kept: fold n=8 .*: the smallest n of 1 to 64 that refutes it is 8: after round 1 A\[0\] is 4, and")

    def test_an_error_of_sizes_names_its_n(self):
        for law, sizes, *words in (
                ("for i < n: A[i] = a[i + 4 mod (n - 1)]", "1..8", "--law:1:25: division by 0: undefined at d = 0, of n = 1\n"),
                (f"when n < 4: {FOLD}; when n > 3: A[0] = 2^62*a[1] - 2^62*a[1]", "1..8",
                 "can't be told", ", of n = 4; of --sizes 1..8, 2 before it don't refute it")):
            self.assert_refused(self.run_sim("fold", "--type", "f64", "--law", law, "--sizes", sizes, "-q"), *words)

    def test_steps_of_no_cell_end_without_a_blank(self):
        text = self.run_sim("fold", "-n", "8", "--law", "when d > 2: A[0] = sum of a[j]").stdout
        self.assertEqual(text.splitlines()[:3], ["step 0   no cells", "step 1   no cells", "step 2   no cells"])

    def test_names_that_are_offered_have_a_value(self):
        law = "for 0 <= i < Q: A[i] = a[i]"
        self.assert_refused(self.run_sim("fold", "--law", law), "(known: w, n, T, d)")
        self.assert_refused(self.run_sim("dot-shared", "--law", law), "(known: G, n, T, B, d)")

    def test_a_law_in_a_file_is_refused_with_its_line(self):
        with open(self.path("law"), "w", encoding="utf-8") as file:
            file.write("for 0 <= i < w:\n  A[i] = sum a[j], j mod w = i\n")
        done = self.run_sim("fold", "--law", "@" + self.path("law"))
        self.assertEqual(done.returncode, 2)
        self.assertTrue(done.stderr.startswith(f"reductio: {self.path('law')}:2:14: expected 'of'"), done.stderr)

    def test_sizes_tell_their_progress_on_a_terminal_alone(self):
        arguments = [BINARY, "run", "fold", "--device", "sim", "--law", FOLD, "--sizes", "1..64"]
        ours, theirs = os.openpty()
        with Process(arguments, stdin=theirs, stdout=subprocess.PIPE, stderr=theirs,
                              env={**self.environment, "TERM": "xterm"}) as process:
            os.close(theirs)
            told = b""
            with contextlib.suppress(OSError):  # at the end, as the terminal is gone
                while part := os.read(ours, 1 << 16):
                    told += part
            self.assertIn(b"7 sizes of 1 to 64", process.stdout.read())
            process.wait(timeout=WAIT_S)
        os.close(ours)
        self.assertIn(b"n = 32, of 1 to 64", told)
        self.assertTrue(told.endswith(b"\r\x1b[K"), told[-80:])
        self.assertEqual(self.run_sim("fold", "--law", FOLD, "--sizes", "1..64").stderr, "")

    def test_what_was_not_compared_is_told_beside_the_verdict(self):
        for kind in part(("i32", "f32")):
            judged = self.judged("fold", FOLD, "-n", "65536", "--type", kind, status=0)
            self.assertEqual((judged["inputs_compared"], judged["not_compared"], judged["compared_up_to"]),
                             (False, "n times the steps is more than 2^20", 8192))
            self.assertNotIn("differs_at", judged)
            done = self.run_sim("fold", "-q", "--law", FOLD, "-n", "65536", "--type", kind)
            self.assertIn("whether it counts an input for another was not looked at, as n times the steps is more than 2^20; "
                          "it does not at any n up to 8192 that the program takes", done.stdout)
            judged = self.judged("fold", FOLD, "-n", "64", "--type", kind, status=0)
            self.assertTrue(judged["inputs_compared"])
            self.assertNotIn("not looked at", self.run_sim("fold", "-q", "--law", FOLD, "-n", "64", "--type", kind).stdout)
        more = "for 0 <= i < w: A[i] = (sum of 3*a[j], j mod w = i) - (sum of 2*a[j], j mod w = i)"
        self.assertEqual(self.judged("fold", more, status=0)["not_compared"], "a cell is more than inputs under the operation")
        judged = self.judged("fold", FOLD.replace("j mod w = i", "0 <= j < n, not (j mod w != i)"), "-n", "2048", status=0)
        self.assertEqual((judged["not_compared"], judged["compared_up_to"]), ("that takes too long", 512))

    @takes_long
    def test_a_difference_at_a_smaller_n_is_told_and_tried(self):
        def wrong(left, right):
            return f"when w > 1: {FOLD}; when w = 1: A[0] = (sum of a[j], j != {left}) + a[{right}]"
        judged = self.judged("fold", wrong("0", "1"), "-n", "65536", "--type", "f16", "--values", "random:1")
        self.assertEqual((judged["verdict"], judged["values"]), ("not kept", "marked:0"))
        judged = self.judged("fold", wrong("n - 1", "n - 2"), "-n", "65536", "--type", "f16", "--values", "random:1")
        self.assertEqual((judged["verdict"], judged["values"]), ("not kept", "marked:65534"))
        # On other values only the smaller n was run.
        law = wrong("n div 2", "n div 2 + 1")
        at = ("-n", "65536", "--type", "f16", "--values", "random:1")
        judged = self.judged("fold", law, *at, status=0)
        self.assertEqual((judged["compared_up_to"], judged["differs_at"]), (4, {"n": 4, "input": 2}))
        done = self.run_sim("fold", "-q", "--law", law, *at)
        self.assertIn("; at n = 4 it has a[2] in a cell more or less often than the goal: -n 4 shows it", done.stdout)
        self.assertEqual(self.judged("fold", law, "-n", "4", "--type", "f32")["verdict"], "not kept")

    def test_of_other_operations_an_input_that_is_left_out_is_found(self):
        # Most random numbers are never the result, and a few of them fill all bits by `or`.
        for operation, more, values in (("max", "d = 0 or j != 0", "marked:0"), ("or", "w > 1 or j < n/2", "marked:32"),
                                        ("argmin", "w > 1 or j < n-1", "marked:63"), ("product", "w > 1 or j != 3", None)):
            law = FOLD.replace("sum", operation) + ", " + more
            judged = self.judged("fold", law, "-n", "64", "--op", operation)
            self.assertEqual(judged["verdict"], "not kept", operation)
            if values:
                self.assertEqual(judged["values"], values)
        law = "for 0 <= k < B: A[k] = max of a[j], floor((j mod G)/T) = k, j < (n-1)*d"
        judged = self.judged("ladder-sequential", law, "--op", "max", "-n", "1000")
        self.assertEqual((judged["verdict"], judged["values"]), ("not kept", "marked:999"))
        law = law.replace("max of", "argmin of")
        judged = self.judged("ladder-sequential", law, "--op", "argmin", "-n", "1000")
        self.assertEqual((judged["verdict"], judged["values"]), ("not kept", "marked:999"))
        judged = self.judged("ladder-sequential", law.replace("(n-1)*d", "n*d"), "--op", "argmin", "-n", "1000", status=0)
        self.assertEqual(judged["verdict"], "true, and enough")
        done = self.run_sim("ladder-vectorised-atomic", "-n", "50", "--op", "argmin", "--law", "A[0] = argmin of a[j], j < n")
        self.assertRegex(done.stdout, r"before the first round A\[0\] is none, and the law says -?\d+ at \d+\n")
        done = self.run_sim("fold", "-n", "8", "-q", "--op", "max", "--law", FOLD.replace("sum", "max"))
        self.assertIn("for these values and n = 8 alone", done.stdout)

    def test_what_misses_the_goal_already_is_not_said_to_hold_it(self):
        done = self.run_sim("fold:wrong-half", "-q", "--law", "when d = 0: A[0] = a[0]")
        self.assertIn("at step 3 it says nothing of A[0], which is 16, and must be 28 for the goal", done.stdout)

    def test_the_own_laws_of_programs_do_not_take_too_long(self):
        for n, kind in ((800, "i32"), (400, "f32")) if SHORT else ((2500, "i32"), (1000, "f32")):
            law = "for 0 <= i < m: A[i] = sum of a[j], r_d(j) = i"
            self.judged("fold-ceil", law, "-n", str(n), "--type", kind, status=0)
        self.judged("fold", FOLD, "-n", "65536", "--type", "f32", status=0)

    def test_a_long_list_of_values_ends_with_a_whole_number(self):
        numbers = ",".join(str(k) for k in range(1, 17))
        done = self.run_sim("fold", "-q", "--law", FOLD, "--values", "list:" + numbers)
        self.assertIn("values list:1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,..., random:1, random:2:", done.stdout)
        done = self.run_sim("fold", "-q", "--law", FOLD, "--values", "list:1,2,3,4,5,6,7,8")
        self.assertIn("values list:1,2,3,4,5,6,7,8, random:1", done.stdout)

    def test_cells_that_there_are_not_are_counted_as_such(self):
        done = self.run_sim("fold", "-q", "--law", "for 0 <= i < 10: A[i] = 1", "-n", "8")
        self.assertIn("A[8], and the array has no such cell; it claims 2 such cells", done.stdout)
        self.assertNotIn("are wrong", done.stdout)

    def test_a_fault_has_the_goal_of_its_right_program(self):
        judged = self.judged("fold:inclusive-bound", FOLD, "-n", "8", status=0)
        self.assertEqual((judged["verdict"], judged["run"]), ("true, and enough", "VIOLATED"))

    def test_a_step_without_cells_says_so(self):
        done = self.run_sim("fold", "-n", "4", "--law", "when d > 0: " + FOLD)
        self.assertTrue(done.stdout.startswith("step 0   no cells\n"), done.stdout)

    def test_no_heading_of_the_help_is_empty(self):
        text = self.run_sim("--help").stdout
        self.assertRegex(text, r"A law of your own:\n +--law=")
        self.assertNotRegex(text, r":\n\n [A-Z]")

    def test_a_law_of_sums_is_decided_for_all_values(self):
        blocks = "when d = 0: A = 0; when d > 0: for 0 <= k < B: A[k] = sum of %s, floor((j mod G) / T) = k"
        cases = (
            ("fold", FOLD, (), True),
            ("fold", "let v = n / 2^d law for 0 <= k < v: A[k] = sum of a[j], j mod v = k", (), True),
            ("tournament", "for i = 0 mod D, i < n: A[i] = sum of a[j], i <= j < min(i+D, n)", ("-n", "11"), True),
            ("ladder-sequential", blocks % "a[j]", ("-n", "300", "--block", "32"), True),
            # The factors of a product, and numbers, are not told by which inputs are where; large ones are tried alone.
            ("dot-shared", blocks % "a[j]*b[j]", ("-n", "100", "--block", "16"), False),
            ("puzzle-map", "when d = 0: A = 0; when d > 0: for 0 <= i < n: A[i] = a[i] + 10", (), False),
            ("fold", FOLD, ("-n", "2^17"), False),
        )
        for program, law, arguments, always in cases:
            with self.subTest(program=program, arguments=arguments):
                judged = self.judged(program, law, *arguments, status=0)
                self.assertEqual((judged["verdict"], judged["for_all_values"]), ("true, and enough", always))
        self.assertIn("for all values", self.run_sim("fold", "-n", "8", "-q", "--law", FOLD).stdout)
        self.assertNotIn("for all values", self.run_sim("fold", "-n", "2^17", "-q", "--law", FOLD).stdout)

    def test_contradictory_claims_are_false(self):
        for law, first, second in (("for 0 <= i < w: A[i] = 17; " + FOLD, 17, 0), (FOLD + "; A[0] = 999", 0, 999)):
            done = self.run_sim("fold", "-n", "8", "--law", law)
            self.assertEqual((done.returncode, done.stderr), (1, ""))
            self.assertIn(f"before the first round A[0] is 0, and the law says two things of it: {first} and {second}", done.stdout)

    def test_laws_have_the_inputs_and_the_array_of_the_program(self):
        for law in ("let q = 1\ninput c[n]\nlaw for 0 <= i < w: A[i] = c[i]",
                    "law " + FOLD + " at zz shared q[100] law for i < 5: q[i] = 3"):
            self.assert_refused(self.run_sim("fold", "-n", "8", "--law", law), "leave the sentences")

    def test_law_of_cells_that_the_array_lacks_is_not_true(self):
        done = self.run_sim("dot-naive", "--law", "for 0 <= t < G: A[t] = 0")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("the law claims A[1], and the array has no such cell", done.stdout)

    def test_a_sentence_that_is_no_law_is_told_with_its_place(self):
        for law, place in (("update A[0] = 3", "--law:1:1:"), ("  at cache shared x[3] law x[0] = 1", "--law:1:3:"),
                           ("A[0] = a[0] start A[0] = 1", "--law:1:19:"),
                           ("let v = 3\nlaw A[0] = a[0]\nupdate A[0] = A[1]", "--law:3:8:")):
            done = self.run_sim("fold", "-n", "8", "--law", law)
            self.assert_refused(done, place, "leave the sentences")
            column = int(place.split(":")[-2])
            self.assertEqual(done.stderr.splitlines()[2], " " * (column + 1) + "^")

    def test_a_law_without_a_value_is_told_with_its_place(self):
        done = self.run_sim("fold", "-n", "8", "--law", "for i < n div d: A[i] = a[i]")
        self.assert_refused(done, "--law:1:9: division by 0: undefined at d = 0")
        self.assertEqual(done.stderr.splitlines()[1:], ["  for i < n div d: A[i] = a[i]", " " * 10 + "^"])
        done = self.run_sim("fold", "--law", FOLD + "; when d = 0: for d - 2 <= k < d: A[k + 2] = 7")
        self.assert_refused(done, "'k' begins at -2, and a name that a law binds is 0 or more at d = 0")
        done = self.run_sim("fold", "-n", "8", "--law", "let q = 1\nlaw for i < w:\n A[i] = a[i div (d - q)]")
        self.assert_refused(done, "--law:3:9:", "at d = 0")

    def test_no_line_is_wider_than_the_terminal(self):
        law = FOLD + "; for w <= i < 2*w, d > 0: A[i] = sum of a[j], j mod (2*w) = i"
        for arguments in (["--law", law], ["--law", "A[0] = sum of a[j], j mod w = 0", "--quiet"], ["--law", law, "--sizes", "1..8"],
                          ["--law", law + " +* 3"], ["--law", law + "; for i < w div d: A[i] = 0"], ["--law", "A[0] = a[0]" + " + 0"*40 + " +"],
                          ["--op", "argmin", "--law", "for 0 <= i < w: A[i] = argmin of a[j], j / 2^d = i"]):
            with self.subTest(arguments):
                lines = self.on_a_terminal("run", "fold", "--device", "sim", *arguments)
                self.assertLessEqual(max(map(len, lines)), 80, lines)
        # In a pipe a message is one line, and so is the last line.
        done = self.run_sim("fold", "--law", law + " +* 3 and this is wider than a terminal")
        self.assertGreater(len(done.stderr.splitlines()[0]), 60)
        self.assertEqual(len(done.stderr.splitlines()), 3)
        self.assertEqual(len(self.run_sim("fold", "--law", "A[0] = sum of a[j], j mod w = 0", "--quiet").stdout.splitlines()), 1)

    def test_the_mark_stands_below_the_place_where_a_long_law_is_cut(self):
        for before, behind in ((0, 300), (60, 300), (300, 300), (300, 0)):
            law = "A[0] = " + "0 + "*before + "? " + "+ 0"*behind
            told, mark = self.run_sim("fold", "--law", law).stderr.splitlines()[1:]
            self.assertLessEqual(len(told), 80)
            self.assertEqual(told[mark.index("^")], "?")
            self.assertEqual((told.startswith("  ..."), told.endswith("...")), (before > 0, behind > 0))

    def test_color_only_repeats_the_text(self):
        for law in (FOLD, "A[0] = a[0]", "when d > 2: A[0] = sum of a[j]"):
            plain = self.run_sim("fold", "--law", law, "--color", "never").stdout
            color = self.run_sim("fold", "--law", law, "--color", "always").stdout
            self.assertIn("\033[", color)
            self.assertEqual(re.sub(r"\033\[[0-9;]*m", "", color), plain)
            self.assertEqual(self.run_sim("fold", "--law", law).stdout, plain)

    def test_cells_of_indices_are_told_with_their_inputs(self):
        law = "for 0 <= i < w: A[i] = argmin of a[j], j / 2^d = i"
        told = self.run_sim("fold", "-n", "4", "--op", "argmin", "--values", "list:7,5,6,9", "--law", law).stdout
        self.assertIn("         A[0] is 6 at 2, and the law says 5 at 1; 2 cells are wrong\n", told)
        # Also where other values refute it than those of the options.
        told = self.run_sim("fold", "-n", "4", "--op", "argmin", "--values", "list:0,1,2,3", "--law", "A[0] = 0").stdout
        self.assertRegex(told, r"after round 1 A\[0\] is (-\d+) at (\d), and the law says -?\d+ at 0\n")

    def test_an_option_of_another_subcommand_is_told_with_its_place(self):
        for command in ("judge", "verify", "check", "report"):
            self.assert_refused(self.cli(command, "--law", "@laws"), "'--law' is not an option here", "'judge FILE'")
        for law in ("@laws", FOLD, "A[0] = a[0]"):
            self.assert_refused(self.cli("explain", "fold", "--law", law), f"'{law}', a law", "'run PROGRAM --law LAW|@FILE'")
        self.assert_refused(self.cli("explain", "fold", "--law", "tex"), "use text, latex")

    def test_a_law_has_100000_characters_of_its_own(self):
        for length, status in ((100000, 0), (100001, 2)):
            with open(self.path("law"), "w", encoding="utf-8") as file:
                file.write("law " + " " * (length - 4 - len(FOLD)) + FOLD)
            done = self.run_sim("fold", "-n", "8", "-q", "--law", "@" + self.path("law"))
            self.assertEqual(done.returncode, status, done.stderr)
        self.assertIn("more than 100000 characters", done.stderr)

    def test_json_has_the_range_of_sizes(self):
        judged = self.judged("fold", FOLD + ", j < 7", "--sizes", "1..16")
        self.assertEqual((judged["n"], judged["sizes"]), (8, {"from": 1, "to": 16, "tried": 4}))
        self.assertNotIn("sizes", self.judged("fold", FOLD, status=0))

    def test_a_law_that_takes_far_too_long_is_refused(self):
        for law in ("for 0 <= i < 10^18: A[0] = a[0]", "for 0 <= i < w, 0 <= k < 10^9: A[i] = a[i]",
                    "for 0 <= i < w: A[i] = sum of a[j mod n], 0 <= j < 10^12", "for i < w: A[i] = a[i]^(10^12)"):
            with self.subTest(law):
                done = self.run_sim("fold", "-n", "8", "--law", law)
                self.assert_refused(done, "takes too long: more than 335", "evaluations at d = 0: take a smaller n, or bound its variables more closely")

    def test_evaluating_a_law_can_be_interrupted(self):
        # A true law of twenty terms a cell: its whole run takes many times what is waited here.
        law = ("for 0 <= i < w: A[i] = sum of a[j] + 0 * (sum of a[(j*k*k) mod n], 0 <= k < 20), "
               "0 <= j < n, j mod w = i")
        command = [BINARY, "run", "fold", "-n", "2^22", "--device", "sim", "--law", law]
        with Process(command, env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            time.sleep(1)
            process.send_signal(signal.SIGINT)
            self.assertEqual(process.wait(20), 130)
            self.assertEqual(process.stderr.read(), b"")

    def test_other_values_are_as_many(self):
        judged = self.judged("fold", FOLD + ", j < 4", "--values", "list:1,2,3,4", status=0)
        self.assertEqual((judged["n"], judged["values"]), (4, "list:1,2,3,4, random:1, random:2"))

    def test_a_law_that_says_what_a_fault_does_misses_the_goal(self):
        law = "when d = 0: for 0 <= i < n: A[i] = a[i]; when d = 1: A[0] = 2*a[0]; when d = 1: A[1] = a[1]"
        judged = self.judged("fold:wrong-half", law, "-n", "2")
        self.assertEqual((judged["verdict"], judged["misses"]["actual"], judged["misses"]["law"]),
                         ("true, but too weak", "0", "1"))

    def test_a_size_of_which_a_law_says_nothing_does_not_refute_it(self):
        done = self.run_sim("fold", "--sizes", "1..4", "-q", "--law", "when d > 0: " + FOLD)
        self.assertTrue(done.stdout.startswith("true, but too weak: fold n=2 "), done.stdout)
        self.assertEqual(len(done.stdout.splitlines()), 1)

    def test_what_is_undefined_in_the_programs_definitions_is_told_where_it_is_used(self):
        for program, law, column, why in (
                ("fold-ceil", "for i < p: A[i] = a[i]", 9, "'p': a negative exponent: undefined at d = 0"),
                ("fold", "for 0 <= i < G: A[i] = a[i]", 14, "'G': 'B' has no value: the run has no number of blocks")):
            done = self.run_sim(program, "--law", law)
            self.assertEqual(done.returncode, 2)
            self.assertIn("--law:1:%d: %s" % (column, why), done.stderr)

    def test_a_size_of_which_the_law_has_no_value_is_named(self):
        done = self.run_sim("tournament", "--sizes", "18..24", "--law",
                            "for i = 0 mod D, i < n: A[i] = sum of a[j], i <= j < i+D, 64 mod (20 - n) <= 99")
        self.assertEqual(done.returncode, 2)
        self.assertIn("division by 0: undefined at d = 0, of n = 20; of --sizes 18..24, 2 before it don't refute it",
                      done.stderr)

    def test_interrupted_sizes_tell_what_is_known(self):
        command = [BINARY, "run", "fold-guard", "--device", "sim", "--law", FOLD.replace("i < w", "i < min(w, n)"), "--sizes", "1..4096"]
        with Process(command, env=self.environment, stdout=subprocess.PIPE, text=True) as process:
            time.sleep(2)
            process.send_signal(signal.SIGINT)
            self.assertEqual(process.wait(20), 130)
            told = process.stdout.read()
        count = int(re.search(r"\Ainterrupted at n = \d+: (\d+) sizes of 1 to 4096 were tried, and none refutes it\n\Z", told)[1])
        self.assertGreater(count, 1)

    def test_looking_for_sizes_can_be_interrupted(self):
        command = [BINARY, "run", "fold", "--device", "sim", "--law", FOLD, "--sizes", "549755813889..1099511627775"]
        with Process(command, env=self.environment, stdout=subprocess.PIPE) as process:
            time.sleep(0.5)
            process.send_signal(signal.SIGINT)
            self.assertEqual(process.wait(20), 130)

    def test_a_fault_breaks_the_right_law_where_it_does_its_harm(self):
        judged = self.judged("fold:wrong-half", FOLD, "-n", "8")
        self.assertEqual((judged["verdict"], judged["false"]["step"]), ("not kept", 1))
        self.assertEqual(judged["run"], "VIOLATED")

    def test_the_smallest_n_that_refutes_is_found(self):
        done = self.run_sim("fold", "--law", "for 0 <= i < w: A[i] = sum of a[j], j / 2^d = i", "--sizes", "1..64")
        self.assertEqual(done.returncode, 1)
        self.assertTrue(done.stdout.startswith("the smallest n of 1 to 64 that refutes it is 4:\n"), done.stdout)
        self.assertIn("step 1   VIOLATED for 0 <= i < 2: A[i] = sum of a[j], j / 2 = i\n"
                      "         A[0] is 2, and the law says 1; 2 cells are wrong\n", done.stdout)

    def test_steps_are_shown_with_their_numbers(self):
        done = self.run_sim("fold", "-n", "8", "--law", FOLD)
        self.assertEqual(done.stdout.splitlines()[1], "step 1   HOLDS    for 0 <= i < 4: A[i] = sum of a[j], j mod 4 = i")

    def test_a_law_may_come_from_a_file(self):
        with open(self.path("law"), "w", encoding="utf-8") as file:
            file.write("let v = n / 2^d\nlaw for 0 <= i < v:\n    A[i] = sum of a[j], j mod v = i\n")
        self.assertEqual(self.judged("fold", "@" + self.path("law"), "-n", "8", status=0)["verdict"],
                         "true, and enough")
        with open(self.path("law"), "a", encoding="utf-8") as file:
            file.write("    and\n")
        done = self.run_sim("fold", "-n", "8", "--law", "@" + self.path("law"))
        self.assert_refused(done, self.path("law") + ":4:8: ")

    def test_a_law_of_another_operation_than_the_run_is_told_so(self):
        for operation, word in (("max", "sum"), ("sum", "max")):
            done = self.run_sim("fold", "-n", "8", "-q", "--op", operation, "--law", f"for 0 <= i < w: A[i] = {word} of a[j], j mod w = i")
            self.assertEqual(done.returncode, 1)
            self.assertIn(f"; it says '{word} of', and the run reduces by {operation}", done.stdout)
        done = self.run_sim("fold", "-n", "8", "-q", "--op", "max", "--law", "for 0 <= i < w: A[i] = max of a[j], j mod w = 0")
        self.assertNotIn("it says", done.stdout)

    def test_cells_that_there_are_not_are_told(self):
        done = self.run_sim("fold", "-n", "8", "--law", "for 0 <= i < 2*n: A[i] = sum of a[j], j = i", "-q")
        self.assertEqual(done.returncode, 1)
        self.assertIn("the law claims A[8], and the array has no such cell", done.stdout)

    def test_what_is_no_law_is_refused(self):
        deep = "(" * 50000 + "1" + ")" * 50000
        for law, *words in (
                ("", "--law:1:1: "), ("for 0 <= i:", "--law:1:"), ("A[0] = sum of j", "array"),
                ("B[0] = sum of a[j]", "'B'"), ("A[0] = 1 / 0", "0"), ("A[0] = a[0] mod w * 3", "'*'"),
                ("A[0] = sum of A[j]", "'A'"), ("A[0] = 99999999999999999999", "--law:1:8: "), (deep, "--law:1:"),
                ("x" * 110000, "100000"), ("\x01", "--law:1:1: "), ("let w = 3 law A[0] = a[0]", "--law:1:5: ", "w"),
                ("let a = 3 law A[0] = 3", "--law:1:5: ", "'a'"),
                ("at sequential shared x[T] law x[0] = a[0]", ""),
                (FOLD + " update for 0 <= i < w: A[i] = A[i]", "'update'"),
                (FOLD + " launch fold(A, w) by w threads", "--law:1:", "'launch'"), ("launch fold(A, w) by w threads", "--law:1:1: ", "'launch'")):
            with self.subTest(law[:40]):
                self.assert_refused(self.run_sim("fold", "-n", "8", "--law", law), *words)

    def test_an_operation_that_the_type_lacks_is_refused_in_a_law(self):
        for kind, word in (("f16", "argmin"), ("bf16", "argmax"), ("f16", "xor"), ("f32", "and"), ("f64", "or")):
            for value in (f"{word} of a[j], j mod w = i", f"({word} of 2*a[j], j mod w = i) + a[i]"):
                with self.subTest(kind=kind, value=value):
                    self.assert_refused(self.run_sim("fold", "-n", "4", "--type", kind, "--law", f"for i < w: A[i] = {value}"),
                                        "--law:1:", f"'{word}' isn't an operation of {kind}")

    def test_inputs_are_compared_as_the_operation_counts_them(self):
        """By max it is enough that an input is in a cell, by xor two of it cancel; a sum counts each."""
        twice = "for 0 <= i < w: A[i] = {} of a[j div 2], 0 <= j < 2*n, (j div 2) mod w = i"
        thrice = "for 0 <= i < w: A[i] = xor of a[j div 3], 0 <= j < 3*n, (j div 3) mod w = i"
        for n in ("64", "65536"):
            self.assertNotIn("differs_at", self.judged("fold", twice.format("max"), "-n", n, "--op", "max", status=0))
            self.assertNotIn("differs_at", self.judged("fold", thrice, "-n", n, "--op", "xor", status=0))
        self.judged("fold", twice.format("sum"), "-n", "64", status=1)
        self.judged("fold", twice.format("xor"), "-n", "64", "--op", "xor", status=1)

    def test_index_of_no_input_in_a_state_is_read_by_nobody(self):
        with open(self.path("script"), "w", encoding="utf-8") as script:
            script.write("break value 7 2000000000\nnext\nnext\n")
        law = "A[0] = argmin of a[j], 0 <= j < n, j mod w = 0"
        done = self.cli("step", "fold", "-n", "8", "--op", "argmin", "--values", "random:2", "--device", "sim", "--law", law,
                        "--script=" + self.path("script"))
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("a[2000000000]", done.stdout)

    def test_options_that_do_not_go_together_are_refused(self):
        for arguments, word in (
                (("--law", FOLD, "--values", "witness"), "witness"), (("--sizes", "1..4"), "--law"),
                (("--law", FOLD, "--trace", "x"), "--trace"), (("--law", FOLD, "--sizes", "4"), "1..64"),
                (("--law", FOLD, "--sizes", "4..1"), "smaller"), (("--law", FOLD, "--sizes", "0..4"), "from 1"),
                (("--law", FOLD, "--sizes", "1..4", "-n", "4"), "-n"), (("--law", FOLD, "--sizes", "3..3"), "takes no n"),
                (("--law", "@/nonesuch"), "'/nonesuch' can't be read: No such file or directory"), (("--law", "@/"), "'/' is no file of text")):
            with self.subTest(arguments):
                self.assert_refused(self.run_sim("fold", *arguments), word)

    def test_law_that_contradicts_itself_is_refuted_with_both_values(self):
        own = "for 0 <= i < w: A[i] = sum of a[j], j mod w = i"
        # At first they agree.
        done = self.run_sim("fold", "--law", f"{own}; A[0] = a[0]")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("after round 1 A[0] is 4, and the law says two things of it: 4 and 0\nnot kept: ", done.stdout)
        # Also where neither is what the run has.
        done = self.run_sim("fold", "--law", "A[0] = 7; A[0] = 8", "--json")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertEqual(json.loads(done.stdout)["false"],
                         {"step": 0, "cell": 0, "actual": "0", "law": "7", "law_also": "8"})
        # A contradiction of a later step is no weakness of this one.
        done = self.run_sim("fold", "--law", f"for 0 <= i < w, w < 8: A[i] = sum of a[j], j mod w = i; for 0 <= i < 1, w < 8: A[i] = 9")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("after round 1 A[0] is 4, and the law says two things of it: 4 and 9", done.stdout)
        self.assertTrue(self.last_line(done).startswith("not kept: "), done.stdout)
        with open(self.path("laws"), "w", encoding="utf-8") as file:
            file.write(f"fold: {own}; A[0] = 7\n")
        done = self.cli("judge", self.path("laws"))
        self.assertEqual((done.returncode, done.stderr), (0, ""))


if __name__ == "__main__":
    unittest.main()
