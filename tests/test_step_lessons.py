#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Quizzes on a run in `reductio step`, and faults that a student puts into it.
usage: test_step_lessons.py REDUCTIO [unittest's arguments]"""

import re
import unittest

from step_case import StepCase, boxes, status_line

ROUND_1 = ["4*", "6*", "8*", "10*", "4", "5", "6", "7"]


class QuizTest(StepCase):
    def test_next_state_is_hidden_until_it_is_guessed(self):
        screen = self.last(["a"], "fold")
        self.assertEqual(boxes(screen), [[str(k) for k in range(8)], ["?"] * 8])
        self.assert_not_in(screen, "HOLDS: 4", "10*", "▼", "reads")
        self.assertIn("what will A[0] hold?", status_line(screen))
        screen = self.last(["a", "guess 4"], "fold")
        self.assertEqual(boxes(screen)[-1], ROUND_1)
        self.assert_in(screen, "right: A[0] = 4: thread 0 of block 0 reads", "A[4] = 4",
                       "quiz: 1 of 1 right")

    def test_wrong_guess_is_told_why(self):
        screen = self.last(["cell 2", "a", "= 9"], "fold")
        self.assert_in(screen, "wrong, not 9: A[2] = 8: thread 2 of block 0 reads", "A[6] = 6",
                       "quiz: 0 of 1 right")
        screen = self.last(["cell 5", "a", "guess 10"], "fold")
        self.assertIn("wrong, not 10: A[5] = 5: no thread wrote it, so it is as it was", screen)
        screen = self.last(["cell 2", "a", "= 2"], "fold")
        self.assertIn("wrong, 2 is what it held before: A[2] = 8:", screen)
        screen = self.last(["a", "guess 4"], "fold:wrong-half", status=1)
        self.assertIn("but the invariant wants 4", screen)

    def test_whole_round_and_the_sum_can_be_guessed(self):
        self.assertIn("right: all 4 live cells are so, as the invariant says",
                      self.last(["a", "guess 4 6 8 10"], "fold"))
        self.assertIn("right: all 4 live cells are so, but the invariant wants others",
                      self.last(["a", "guess 3 5 7 9"], "fold:wrong-half", status=1))
        self.assertIn("wrong: A[2] = 8", self.last(["a", "guess 4 6 9 10"], "fold"))
        self.assertIn("right: the live cells add up to 28, as before",
                      self.last(["a", "guess sum 28"], "fold"))
        self.assertIn("wrong: the live cells add up to 28", self.last(["a", "=sum 27"], "fold"))
        screen = self.last(["a", "=sum 27"], "fold", "-n", "64", "--type", "f32", "--values", "random:1")
        self.assertIn("these additions of floats round otherwise", " ".join(screen.split()))

    def test_break_that_decides_nothing_says_why(self):
        screen = self.last(["last", "break value 0 nan"], "ladder-vectorised-atomic", "-n", "8", "--block", "4",
                           "--type", "f32", status=3)
        self.assertIn("the run is INCONCLUSIVE; preservation: no bound is promised of infinite values and NaNs",
                      " ".join(screen.split()))

    def test_going_on_gives_up(self):
        self.assert_in(self.last(["a", "n"], "fold"), "not guessed: A[0] = 4", "0 of 1 right")
        screen = self.last(["a", "guess 4", "n"], "fold")
        self.assertEqual(boxes(screen)[-1], ["?"] * 8)
        self.assertIn("the quiz is over: 1 of 1 right", self.last(["a", "guess 4", "a"], "fold"))
        for last in ("next", "step"): # also of the last round one can give up
            self.assertIn("quiz: 0 of 1 right", self.last(["round 2", "a", last], "fold"))

    def test_quiz_says_where_there_is_nothing_to_ask(self):
        self.assertIn("there is no step to be asked about: this run of 'fold' makes no round",
                      self.refused(["a"], "fold", "-n", "1"))
        self.assertIn("this is the last step, and the quiz asks about the next one: go back first",
                      " ".join(self.last(["End", "a"], "fold").split()))
        self.assertIn("after round 3, what will A[0] hold?", self.last(["End", "a", "p", "n"], "fold"))

    def test_quiz_asks_at_checkpoints(self):
        arguments = ["dot-shared", "-n", "8", "--block", "4", "--grid", "1", "--type", "i32"]
        screens = self.script(["s", "a", "guess 68 100"], *arguments)
        self.assertIn("block 0, w = 2, what will cache[0] hold?", status_line(screens[2]))
        self.assertIn("right: all 2 live cells are so, as the invariant says", screens[3])

    def test_score_is_told_at_the_end(self):
        commands = ["a", "guess 4", "n", "guess 1", "n", "n"]
        self.assertTrue(self.last([*commands, "q"], "fold").endswith("quiz: 1 of 3 right\n"))
        self.assertIn("this is the end: the run has ended; quiz: 1 of 3 right",
                      self.last([*commands, "n"], "fold"))
        self.assertNotIn("quiz:", self.last([*commands, "a", "q"], "fold")[-40:])

    def test_what_is_hidden_stays_hidden(self):
        self.assertIn("guess first", self.refused(["a", "details"], "fold"))
        self.assertIn("guess first", self.refused(["a", "trace"], "fold"))
        self.assertEqual(boxes(self.last(["a", "v"], "fold"))[-1], ["?"] * 8)
        self.assertNotIn("10", self.last(["w", "n", "n", "p", "p", "cell 3", "w", "a"], "fold"))

    def test_wrong_guesses_of_form_are_refused(self):
        self.assertIn("there is no question", self.refused(["guess 4"], "fold"))
        self.assertIn("'four' is not a number of the type i32",
                      self.refused(["a", "guess four"], "fold"))
        self.assertIn("3 values, and there are 4 live cells",
                      self.refused(["a", "guess 1 2 3"], "fold"))


class BreakTest(StepCase):
    def test_wrong_value_shows_where_it_fails_first(self):
        screen = self.last(["n", "x value 99"], "fold", status=1)
        self.assertEqual(boxes(screen)[-1], ["99!", "6*", "8*", "10*", "4", "5", "6", "7"])
        self.assert_in(" ".join(screen.split()), "broken A[0] = 99 from step 1 on",
                       "A[0] = 99 from step 1 on: preservation fails, first at step 1, A[0]: "
                       "expected 4, actual 99", "preservation VIOLATED in round 1")
        screen = self.last(["break value 3 7", "n", "End"], "fold", status=1)
        self.assert_in(screen, "initialization VIOLATED", "A[3] = 7 from step 0 on")
        self.assertEqual(boxes(screen)[-1][0], "32!")
        self.assert_in(" ".join(screen.split()), "preservation INCONCLUSIVE")
        screen = self.last(["break value 3 7", "n"], "fold", status=1)
        self.assert_in(" ".join(screen.split()), "initialization VIOLATED: the invariant is false before the first round; "
                                                 "preservation open; exit open")

    def test_dead_cell_is_not_to_be_touched(self):
        screen = self.last(["n", "break value 6 0"], "fold", status=1)
        self.assert_in(" ".join(screen.split()), "dead cell A[6]: expected 6 to stay, actual 0")

    def test_thread_that_does_not_run_loses_its_cell(self):
        for commands in (["n", "thread 2", "x thread"], ["n", "break thread 2"],
                         ["n", "break thread 0:2"]):
            screen = self.last(commands, "fold", status=1)
            self.assertEqual(boxes(screen)[-1][:4], ["4*", "6*", "2!", "10*"])
            self.assertIn("thread 2 of block 0 does not run in round 1", screen)

    def test_barrier_that_nobody_waits_at(self):
        screen = self.last(["s", "s", "x barrier 1"], "dot-shared", "-n", "16", "--block", "8",
                           "--grid", "1", "--type", "i32", status=1)
        self.assert_in(" ".join(screen.split()), "nobody waits at barrier 1 of round 1:")
        self.assertRegex(screen, r"race|VIOLATED")

    def test_number_alone_is_the_value_of_the_selected_cell(self):
        for commands in (["cell 1", "x 99"], ["x 1 99"], ["x A[1] 99"], ["x value 99", "u", "x 1 99"]):
            screen = self.last(["n", *commands], "fold", status=1)
            self.assertEqual(boxes(screen)[-1][:3], ["4*", "99!", "8*"])
        self.assertEqual(boxes(self.last(["n", "x -7"], "fold", status=1))[-1][0], "-7!")

    def test_thread_without_a_number_is_the_one_that_is_seen(self):
        screen = self.last(["n", "cell 2", "x thread"], "fold", status=1)
        self.assertIn("thread 2 of block 0 does not run in round 1", screen)
        self.assertIn("A[2]: expected 8, actual 2", " ".join(screen.split()))

    def test_barrier_without_a_number_is_that_of_the_step(self):
        arguments = ["dot-shared", "-n", "16", "--block", "8", "--grid", "1", "--type", "i32"]
        for steps, barrier in ((["n"], 1), (["s"], 1), (["s", "s"], 2), (["s", "s", "s"], 3)):
            screens = self.script([*steps, "x barrier"], *arguments, status=1)
            self.assertIn(f"nobody waits at barrier {barrier} of round 1:", screens[-1])
            self.assertEqual("'sequential'" in status_line(screens[-2]), steps != ["n"])

    def test_what_a_break_put_there_is_told_as_such(self):
        screen = self.last(["n", "break value 7 99", "n", "cell 7", "Enter"], "fold", status=1)
        self.assert_in(screen, "holds        99, put there by you at step 1", "must hold    7",
                       "it is        wrong", "A[7] = 99  put there by you at step 1")
        screen = self.last(["n", "break value 7 99", "n"], "fold", status=1)
        self.assertIn("expected 7 to stay, actual 99; put there by you at step 1",
                      " ".join(screen.split()))
        self.assertNotIn("put there", self.last(["n", "break value 0 99", "n"], "fold", status=1))

    def test_breaks_in_the_last_round_and_at_the_input(self):
        screen = self.last(["End", "x 5"], "fold", status=1)
        self.assert_in(screen, "A[0] = 5 from step 3 on: preservation fails, first at step 3")
        screen = self.last(["x 5"], "fold", status=1)
        self.assert_in(screen, "A[0] = 5 from step 0 on: initialization fails, first at step 0")
        screen = self.last(["End", "x thread"], "fold", status=1)
        self.assert_in(screen, "thread 0 of block 0 does not run in round 3: preservation fails")

    def test_undo_takes_back_the_last(self):
        commands = ["n", "x value 99", "cell 1", "x value 98"]
        screens = self.script([*commands, "u", "u"], "fold")
        self.assertEqual([boxes(s)[-1][:2] for s in screens[2:]],
                         [["99!", "6*"], ["99!", "6*"], ["99!", "98!"], ["99!", "6*"],
                          ["4*", "6*"]])
        self.assertIn("undone: A[0] = 99 from step 1 on: the run HOLDS", screens[-1])
        self.assertNotIn("broken", screens[-1])
        screens = self.script([*commands, "u", "u", "redo", "U"], "fold", status=1)
        self.assertEqual([boxes(s)[-1][:2] for s in screens[-2:]], [["99!", "6*"], ["99!", "98!"]])
        self.assertIn("A[1] = 98 from step 1 on: preservation fails", screens[-1])
        self.assertIn("no break has been undone",
                      self.refused([*commands, "u", "u", "x 97", "U"], "fold"))

    def test_what_can_not_be_broken_is_refused(self):
        for line, message in (("x value nine", "'nine' is not a number of the type i32"),
                              ("x value", "no value: write value V for the selected cell"),
                              ("x value 8 1", "there is no A[8]"),
                              ("x 8 1", "there is no A[8]"),
                              ("x 1 2 3", "'2 3' is not a number of the type i32"),
                              ("x lunch", "'lunch' can't be broken: write a number for the "
                                          "selected cell, value INDEX V, thread T or barrier N"),
                              ("x vlaue 3", "'vlaue 3' can't be broken: did you mean 'value'?"),
                              ("x", "'break' is incomplete: write break WHAT"),
                              ("x thread 0", "no thread runs before the first round"),
                              ("x barrier", "no thread runs before the first round"),
                              ("u", "nothing is broken: 'break' (the key x) breaks something"),
                              ("U", "no break has been undone")):
            self.assertIn(message, self.refused([line], "fold"))
        for line, message in (("x thread", "no thread is selected, and none wrote A[4]: write "
                                           "thread T, or thread BLOCK:T"),
                              ("x thread two", "'two' is not a thread: write its number"),
                              ("x thread 77", "there is no thread 77 of block 0 in round 1: it has "
                                              "2 blocks of 3 threads"),
                              ("x thread 5:0", "there is no thread 0 of block 5 in round 1"),
                              ("x barrier 0", "'0' is not a barrier"),
                              ("x barrier", "there is no barrier 1 in round 1: its threads pass "
                                            "fewer, or none")):
            self.assertIn(message, self.refused(["n", "cell 4", line], "fold"))
        self.assertIn("thread 1 of block 0 does not run in round 1 already",
                      self.refused(["n", "x thread 1", "x thread 1"], "fold"))
        self.assertIn("can be broken at the end of a round only",
                      self.refused(["s", "x value 1"], "dot-shared"))
        self.refused(["n", "x thread 4711"], "fold")

    def test_trace_can_not_be_broken(self):
        trace = self.path("t.ndjson")
        self.cli("run", "fold", "--device", "sim", "--trace", trace, "--quiet")
        done = self.cli("step", "--trace", trace, "--script", "-", stdin="x value 1\n")
        self.assertEqual(done.returncode, 2)
        self.assertIn("a trace can't be broken: step through its program, 'fold'", done.stderr)


if __name__ == "__main__":
    unittest.main()
