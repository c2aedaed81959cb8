#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Values in `reductio step`: unknown ones, witness values, and large ones.
usage: test_step_values.py REDUCTIO [unittest's arguments]"""

import os
import unittest

from source_lines import needs_lines
from step_case import StepCase, boxes, status_line

TRACES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "traces")
WITNESS = ("--trace", os.path.join(TRACES, "fold-16-u64-witness.sim.ndjson"))


class ValuesCase(StepCase):
    def values(self, *numbers):
        """A file of numbers, for --values."""
        with open(self.path("values.txt"), "w", encoding="utf-8") as file:
            file.write("\n".join(numbers) + "\n")
        return self.path("values.txt")


class IndexTest(ValuesCase):
    @needs_lines
    def test_threads_of_a_rung_read_indices_and_tell_them_apart_by_the_input(self):
        screens = self.script(["s", "thread 3", "s", "cell 0", "details"], "ladder-sequential", "--op", "argmin", "-n", "3", "--block", "4",
                              "--type", "f32", "--values", "list:3,1,nan")
        said = [" ".join(screen.split()) for screen in screens]
        self.assertIn("thread 0 of block 0 reads indices[0] = 3 at 0, writes x[0] = 3 at 0 (line", said[1])
        self.assertIn("thread 3 of block 0 writes x[3] = none (line", said[2])
        self.assertIn("reads x[0] = 3 at 0 and x[2] = nan at 2, writes x[0] = 3 at 0 (line", said[4])
        self.assert_in(screens[5], "whole: it is made of just these", "indices[2] = nan at 2  input")


    def test_index_of_nothing_is_guessed_and_put_by_its_name(self):
        arguments = ("ladder-vectorised-atomic", "--op", "argmin", "-n", "3", "--block", "4", "--values", "list:3,1,2")
        screen = self.last(["quiz", "= none"], *arguments)
        self.assertIn("right: ", screen)
        self.assertIn("wrong, not none", self.last(["quiz", "= none"], "fold", "--op", "argmin"))
        screen = self.last(["first", "x none", "next"], "fold-guard", "--op", "argmin", "-n", "3", "--values", "list:1,2,3", status=1)
        self.assert_in(" ".join(screen.split()), "A[0] = none from step 0 on", "expected 1 at 0, actual 3 at 2")
        self.assertIn("'none' can't be broken: write a number", self.refused(["x none"], "fold", "--op", "min"))


class UnknownTest(ValuesCase):
    def test_cell_of_a_cut_trace_is_not_made_up(self):
        done = self.cli("run", "fold", "-n", "64", "--device", "sim", "--quiet", "--trace",
                        self.path("cut"), "--trace-cells", "4")
        self.assertEqual(done.returncode, 0, done.stderr)
        screens = self.script(["quiz", "cell 30", "next"], "--trace", self.path("cut"))
        self.assertIn("what A[30] holds is not known: it was not copied back, or the trace has "
                      "cut it", status_line(screens[3]))
        self.assertNotIn("A[30] = 0", screens[3])
        self.assertIn("quiz: 0 of 0 right", screens[3])
        screens = self.script(["cell 30", "quiz", "next"], "--trace", self.path("cut"))
        self.assertIn("after round 1, what will A[0] hold?", status_line(screens[2]))
        self.assertIn("not guessed: A[0] = 32: thread 0", screens[3])
        screens = self.script(["quiz", "next"], "--trace", self.path("cut"))
        self.assertIn("not guessed: A[0] = 32: thread 0", screens[2])
        self.assertIn("quiz: 0 of 1 right", screens[2])

    def test_cell_that_is_not_known_has_a_mark(self):
        done = self.cli("run", "fold", "-n", "64", "--device", "sim", "--quiet", "--trace",
                        self.path("cut"), "--trace-cells", "4")
        self.assertEqual(done.returncode, 0, done.stderr)
        screens = self.script(["next", "cell 40", "views changes"], "--trace", self.path("cut"))
        self.assertEqual(set(boxes(screens[2])[-1]), {"?"})
        self.assertEqual(set(boxes(screens[3])[-1]), {"?"})
        screen = self.last(["views sets"], "norm", "-n", "8", "--type", "f64")
        self.assertEqual(set(boxes(screen)[-1]), {"?"})
        self.assertIn("? not known", self.last(["?"] + ["PgDn"] * 2, "fold"))

    @needs_lines
    def test_witness_values_are_not_told(self):
        screens = self.script(["quiz", "next", "quiz", "details", "close", "trace"], *WITNESS)
        self.assertIn("not guessed: A[0] = {0,8}: thread 0 of block 0 reads A[0] and A[8]",
                      screens[2])
        self.assert_in(screens[4], "holds        not known: witness values tell only",
                       "holds        {0,8}", "A[0]  round 1, thread 0 of block 0",
                       "  A[8]  input")
        self.assertIn("thread 0 of block 0 reads A[0] and A[8], writes A[0] (line", screens[5])
        self.assertRegex(screens[6], r"> reads +A\[0\] +line")
        for screen in screens:
            self.assertNotRegex(screen, r"\w\[\d+\] = -?\d")

    def test_dead_cell_at_a_checkpoint_is_not_asserted(self):
        arguments = ["dot-shared", "-n", "8", "--block", "4", "--grid", "1", "--type", "i32"]
        screen = self.last(["s", "s", "cell 3", "details"], *arguments)
        self.assertIn("dead: nothing is asserted of it at a checkpoint", screen)
        self.assertNotIn("leave it alone", screen)
        screen = self.last(["n", "cell 5", "details"], "fold")
        self.assertIn("dead: the round must leave it alone", screen)
        screen = self.last(["n", "cell 5", "details"], "fold", "--frame", "off")
        self.assertIn("dead: nothing is asserted of it, with --frame off", screen)
        self.assertNotIn("leave it alone", screen)

    def test_fault_that_selects_by_value_passes_over_a_cell_of_nothing(self):
        screen = self.last(["next", "break value 1 none", "next"], "fold:tie-index", status=1)
        self.assert_in(screen, "A    │ 1 at 4 │   none │", "A    │ 1 at 4!│ 3 at 3!│")

    def test_value_that_is_right_by_luck_is_told(self):
        screen = self.last(["n", "cell 4", "details"], "fold:inclusive-bound", status=1)
        self.assertIn("it is        right by its value only: its inputs differ", screen)
        screen = self.last(["n", "details"], "fold:inclusive-bound", status=1)
        self.assert_in(screen, "it is        right  ")

    def test_changed_set_has_a_mark_whatever_its_value(self):
        zeros = ("fold", "-n", "8", "--values", "list:0,0,0,0,0,0,0,5")
        self.assertEqual(boxes(self.last(["v sets", "n", "n"], *zeros))[-1][:3],
                         ["{0,2,4,6}*", "{1,3,5,7}*", "{2,6}"])
        self.assertEqual(boxes(self.last(["n", "n"], *zeros))[-1][:2], ["0", "5*"])

    def test_sets_are_told_in_the_title_and_in_what_is_wrong(self):
        screen = self.last(["n", "break thread 1"], "fold", "--values", "witness", status=1)
        self.assert_in(screen, "values iota, as sets, sim", "A[1] lost {5}")
        screen = self.last(["n", "break thread 1", "v values"], "fold", status=1)
        self.assert_not_in(screen, "as sets", "lost {5}")

    def test_reason_why_there_are_no_sets_stays_in_sight(self):
        screen = self.last(["v sets", "n", "break value 9"], "fold", status=1)
        self.assertIn("no sets     a value was put into a cell by hand", screen)
        self.assertNotIn("no sets", self.last(["v sets", "n"], "fold"))


class WitnessTest(ValuesCase):
    def test_quiz_on_a_witness_trace_asks_for_inputs(self):
        self.assertIn("after round 1, which inputs will A[0] hold? '=' takes them, as {0,4}",
                      status_line(self.last(["quiz"], *WITNESS)))
        for guess in ("{0,8}", "0 8", "8, 0", "{0..8 by 8}"):
            screen = self.last(["quiz", "guess " + guess], *WITNESS)
            self.assert_in(screen, "right: A[0] = {0,8}: thread 0 of block 0 reads",
                           "quiz: 1 of 1 right")
        for guess in ("{0,7}", "{0}", "{}", "{0,8x2}", "{0..8}"):
            screen = self.last(["quiz", "guess " + guess], *WITNESS)
            self.assert_in(screen, f"wrong, not {guess}: A[0] = {{0,8}}:", "quiz: 0 of 1 right")
        for guess, message in (("sum 3", "witness values have no sum"), ("{0,16}", "'{0,16}' is not a set of inputs 0 to 15"),
                               ("{0,8", "is not a set"), ("0,8}", "is not a set"), ("{0 by 0}", "is not a set"),
                               ("{x}", "is not a set"), ("{99999999999999999999}", "is not a set")):
            done = self.cli("step", *WITNESS, "--script", "-", stdin=f"quiz\nguess {guess}\n")
            self.assertEqual(done.returncode, 2)
            self.assertIn(message, done.stderr)

    def test_inputs_can_be_guessed_of_any_sum(self):
        self.assertIn("right: A[1] = {1,5}: thread 1",
                      self.last(["cell 1", "quiz", "guess {1,5}"], "fold"))
        screen = self.last(["quiz", "guess {0,4}"], "fold:wrong-half", status=1)
        self.assertIn("wrong, not {0,4}: A[0] = {0,3}: thread 0", screen)
        self.assertIn("but the invariant wants {0,4}", " ".join(screen.split()))

    def test_witness_values_begin_with_sets(self):
        screens = self.script(["n", "views values"], "fold", "--values", "witness")
        self.assertIn("fold: n = 8, i32, values iota, as sets, sim", screens[1])
        self.assertIn("cells show index sets", screens[1])
        self.assertEqual(boxes(screens[1])[-1][:4], ["{0,4}*", "{1,5}*", "{2,6}*", "{3,7}*"])
        self.assertEqual(boxes(screens[2])[-1][:4], ["4*", "6*", "8*", "10*"])

    def test_witness_values_take_no_other_type_and_no_program_that_makes_no_sums(self):
        for arguments, message in ((["fold", "--type", "f32"], "witness values are u64"),
                                   (["puzzle-map"], "makes no sums of inputs")):
            self.assertIn(message, self.refused([], *arguments, "--values", "witness"))


class WrapsTest(ValuesCase):
    """Sums that an integer type holds modulo 2^32 only."""

    def test_sum_that_wraps_is_told_with_the_whole_of_it(self):
        for kind, held in (("i32", "-65536"), ("u32", "4294901760")):
            screens = self.script(["last", "details"], "fold", "-n", "131072", "--type", kind)
            self.assertIn("HOLDS: 1 live cell asserted, 131071 dead unchanged; A[0]: 8589869056 mod 2^32",
                          " ".join(screens[1].split()))
            self.assertRegex(screens[2], rf"must hold    {held} [^\n]*\n[^\n]*which is     "
                                         rf"8589869056 mod 2\^32, as {kind} wraps")

    def test_products_wrap_too(self):
        numbers = ["100000"] * 4
        screen = self.last(["n", "n", "n"], "dot-fold", "-n", "4", "--values", self.values(*numbers * 2))
        self.assertIn("A[0]: 40000000000 mod 2^32", " ".join(screen.split()))

    def test_sums_that_fit_are_as_they_are(self):
        half = str(2**30)
        for numbers, *arguments in (([], "-n", "65536"), ([], "-n", "131072", "--type", "u64"),
                                    ([], "-n", "131072", "--type", "f32"),
                                    ([half, half], "-n", "2", "--type", "u32"),
                                    ([half, half, "-" + half, "-" + half], "-n", "4")):
            values = ["--values", self.values(*numbers)] if numbers else []
            for screen in self.script(["last", "details"], "fold", *arguments, *values):
                self.assertNotIn("mod 2^", screen)
        screen = self.last(["last"], "fold", "-n", "2", "--values", self.values(half, half))
        self.assertIn("A[0]: 2147483648 mod 2^32", " ".join(screen.split()))


class EditedTest(ValuesCase):
    """An edited trace is not a trace of the re-run by which `step` explains its cells."""

    def edited(self, old, new):
        done = self.cli("run", "fold", "--device", "sim", "--quiet", "--trace", self.path("trace"))
        self.assertEqual(done.returncode, 0, done.stderr)
        with open(self.path("trace"), encoding="utf-8") as file:
            text = file.read()
        self.assertIn(old, text)
        with open(self.path("trace"), "w", encoding="utf-8") as file:
            file.write(text.replace(old, new))
        return self.path("trace")

    def test_rerun_that_differs_is_told(self):
        trace = self.edited("[12,16,8,", "[12,17,8,")
        screen = self.last(["n", "n"], "--trace", trace, status=1)
        self.assertIn("the accesses, trees and sets are those of a re-run in the "
                      "simulator, which differs from the trace at step 2 in A[1]: 17 in the trace, "
                      "16 in the re-run", " ".join(screen.split()))

    def test_rerun_that_is_the_same_is_not_told(self):
        for trace in (self.edited("[12,16,8,", "[12,16,8,"),
                      os.path.join(TRACES, "fold-8-f32-special.cuda.ndjson"), WITNESS[1]):
            self.assertNotIn("re-run", self.last(["n", "n"], "--trace", trace))


class ChangesTest(ValuesCase):
    def change(self, kind, *numbers):
        """Returns the value that the first round of a fold adds to A[0], as shown."""
        screen = self.last(["views changes", "cell 0", "next"], "fold", "-n", str(len(numbers)),
                           "--type", kind, "--values", self.values(*numbers))
        return boxes(screen)[-1][0]

    def test_u64_beyond_a_double_falls_by_one(self):
        self.assertEqual(self.change("u64", "9223372036854775809", "18446744073709551615"), "-1*")
        self.assertEqual(self.change("u64", "9223372036854775808", "1"), "+1*")

    def test_i32_changes_by_more_than_it_holds(self):
        self.assertEqual(self.change("i32", "2147483647", "1"), "-4294967295*")
        self.assertEqual(self.change("i32", "7", "-9"), "-9*")

    def test_i64_changes_by_more_than_a_double_or_it_holds(self):
        self.assertEqual(self.change("i64", "9223372036854775806", "1"), "+1*")
        self.assertEqual(self.change("i64", "9223372036854775807", "1"), "-18446744073709…*")


class UsageTest(StepCase):
    def test_a_trace_takes_no_options_of_a_run(self):
        for option in (("-n", "16"), ("--values", "ones"), ("--type", "f32"), ("--block", "2")):
            done = self.cli("step", "--trace", WITNESS[1], *option, "--script", os.devnull)
            self.assertEqual((done.returncode, done.stdout), (2, ""), option)
            self.assertIn("a trace has its n, type, values, block and grid", done.stderr)

    def test_standard_input_is_read_once_only(self):
        done = self.cli("step", "--trace", "-", "--script", "-")
        self.assertEqual(done.returncode, 2)
        self.assertIn("'-' stands twice: standard input can be read once only", done.stderr)
        with open(WITNESS[1], encoding="utf-8") as trace:
            with open(self.path("script"), "w", encoding="utf-8") as script:
                script.write("next\n")
            done = self.cli("step", "--trace", "-", "--script", self.path("script"),
                            stdin=trace.read())
        self.assertEqual((done.returncode, done.stderr), (0, ""))


if __name__ == "__main__":
    unittest.main()
