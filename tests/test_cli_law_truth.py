#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Answers of `reductio run fold --law`, held against a fold written here: each must be true.

usage: test_cli_law_truth.py REDUCTIO [unittest's arguments]"""

import json
import os
import random
import re
import unittest

from cli_case import CliTest

INPUT = [3, 1, 4, 15, 9, 2, 6, 5]
N = len(INPUT)
VALUES = "list:" + ",".join(map(str, INPUT))


def fold_round(cells, d):
    """The array after round d."""
    w = N >> d
    return [cells[i] + cells[i + w] if i < w else cells[i] for i in range(N)]


def run_of(cells, first=0):
    """The arrays from step `first` on, which is this one, to the end."""
    arrays = [list(cells)]
    for d in range(first + 1, N.bit_length()):
        arrays.append(fold_round(arrays[-1], d))
    return arrays


class Claim:
    """A law in its words, and once more as what it means: of step d, the cells, and of each the inputs."""

    def __init__(self, text, cells, holds):
        self.text = text
        self.says = lambda d: {i: sum(INPUT[j] for j in range(N) if holds(d, i, j)) for i in cells(d)}

    def false_cells(self, array, d):
        return [(i, array[i], said) for i, said in self.says(d).items() if array[i] != said]


RIGHT = Claim("for 0 <= i < w: A[i] = sum of a[j], j mod w = i",
              lambda d: range(N >> d), lambda d, i, j: j % (N >> d) == i)
FALSE_AT_FIRST = Claim("for 0 <= i < w: A[i] = sum of a[j], j mod w = i or j = i + 1",
                       lambda d: range(N >> d), lambda d, i, j: j % (N >> d) == i or j == i + 1)
NOT_KEPT = Claim("for 0 <= i < w: A[i] = sum of a[j], floor(j / 2^d) = i",
                 lambda d: range(N >> d), lambda d, i, j: j >> d == i)
TOO_WEAK = Claim("A[0] = sum of a[j], j mod w = 0", lambda d: range(1), lambda d, i, j: j % (N >> d) == 0)
VACUOUS = Claim("for w <= i < w: A[i] = sum of a[j], j mod w = i", lambda d: range(0), lambda d, i, j: False)


class Truth(CliTest):
    def judged(self, claim, status):
        done = self.run_sim("fold", "-n", str(N), "--values", VALUES, "--law", claim.text, "--json")
        self.assertEqual((done.returncode, done.stderr), (status, ""))
        judged = json.loads(done.stdout)
        # A refutation is shown on the values that were given, before any other.
        self.assertTrue(judged["values"].startswith(VALUES))
        return judged

    def assert_first_false(self, claim, judged, step):
        wrong = claim.false_cells(run_of(INPUT)[step], step)
        cell, actual, said = wrong[0]
        self.assertEqual(judged["false"], {"step": step, "cell": cell, "actual": str(actual), "law": str(said)})
        text = self.run_sim("fold", "-n", str(N), "--values", VALUES, "--law", claim.text).stdout
        more = f"; {len(wrong)} cells are wrong" if len(wrong) > 1 else ""
        self.assertRegex(text, rf"(?m)^step {step} +VIOLATED .*\n +A\[{cell}\] is {actual}, and the law says {said}{more}$")
        for before in range(step):
            self.assertRegex(text, rf"(?m)^step {before} +HOLDS ")

    def test_a_sentence_that_is_no_law_is_marked_where_it_stops_being_one(self):
        text = "for 0 <= i < w: A[i] = sum a[j], j mod w = i"
        done = self.run_sim("fold", "-n", str(N), "--law", text)
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        column = int(re.search(r"--law:1:(\d+): ", done.stderr).group(1))
        line, mark = done.stderr.splitlines()[1:]
        self.assertEqual(line.strip(), text)
        self.assertEqual((mark.index("^") - (len(line) - len(text)) + 1, text[column - 1:column + 3]), (column, "a[j]"))
        # With what the message asks for there it is a law.
        self.assertIn("'of'", done.stderr)
        again = text[:column - 1] + "of " + text[column - 1:]
        self.assertEqual(self.run_sim("fold", "-n", str(N), "--law", again).returncode, 0)

    def test_a_law_that_is_false_at_first_is_told_the_first_false_cell(self):
        judged = self.judged(FALSE_AT_FIRST, 1)
        self.assertEqual(judged["verdict"], "not true at first")
        self.assertTrue(FALSE_AT_FIRST.false_cells(INPUT, 0))
        self.assert_first_false(FALSE_AT_FIRST, judged, 0)

    def test_a_law_that_is_not_kept_is_told_the_first_round_and_cell(self):
        judged = self.judged(NOT_KEPT, 1)
        self.assertEqual(judged["verdict"], "not kept")
        arrays = run_of(INPUT)
        step = next(d for d in range(len(arrays)) if NOT_KEPT.false_cells(arrays[d], d))
        self.assertGreater(step, 0)
        self.assert_first_false(NOT_KEPT, judged, step)

    def test_a_law_that_is_too_weak_is_shown_a_state_that_it_lets_through(self):
        judged = self.judged(TOO_WEAK, 1)
        self.assertEqual(judged["verdict"], "true, but too weak")
        arrays = run_of(INPUT)
        for d, array in enumerate(arrays):
            self.assertEqual(TOO_WEAK.false_cells(array, d), [])
        state = judged["state"]
        step, cell = state["step"], state["cell"]
        self.assertNotIn(cell, TOO_WEAK.says(step))
        self.assertEqual(state["was"], str(arrays[step][cell]))
        changed = list(arrays[step])
        changed[cell] = int(state["becomes"])
        self.assertNotEqual(changed, arrays[step])
        self.assertEqual(TOO_WEAK.false_cells(changed, step), [])
        # The next round makes it false, of that cell and with those numbers.
        false = judged["false"]
        self.assertEqual(false["step"], step + 1)
        wrong = TOO_WEAK.false_cells(run_of(changed, step)[1], step + 1)
        self.assertEqual((false["cell"], int(false["actual"]), int(false["law"])), wrong[0])

    def test_a_law_of_no_cell_is_vacuous(self):
        judged = self.judged(VACUOUS, 1)
        self.assertEqual(judged["verdict"], "vacuous")
        self.assertFalse(any(VACUOUS.says(d) for d in range(len(run_of(INPUT)))))
        text = self.run_sim("fold", "-n", str(N), "--law", VACUOUS.text).stdout
        self.assertEqual(len(re.findall(r"(?m)^step \d +no cells: ", text)), len(run_of(INPUT)))

    def test_the_right_law_is_true_and_enough(self):
        self.assertEqual(self.judged(RIGHT, 0)["verdict"], "true, and enough")
        arrays = run_of(INPUT)
        numbers = random.Random(1)
        for d, array in enumerate(arrays):
            self.assertEqual(RIGHT.false_cells(array, d), [])
            # The rounds that are left keep the law and reach the goal, with any values in the dead cells.
            for _ in range(20):
                other = [c if i in RIGHT.says(d) else numbers.randrange(100) for i, c in enumerate(array)]
                rest = run_of(other, d)
                for after, cells in enumerate(rest, d):
                    self.assertEqual(RIGHT.false_cells(cells, after), [])
                self.assertEqual(rest[-1][0], sum(INPUT))

    def test_the_answers_are_different(self):
        claims = (FALSE_AT_FIRST, NOT_KEPT, TOO_WEAK, VACUOUS)
        self.assertEqual(len({self.judged(claim, 1)["verdict"] for claim in claims}), 4)


class Refusals(CliTest):
    """Nothing is half done: no verdict is given, and no trace kept."""

    def assert_refused(self, law, *words, arguments=()):
        done = self.run_sim("fold", "-n", "8", "--law", law, *arguments)
        self.assertEqual((done.returncode, done.stdout), (2, ""), law[:60])
        self.assertRegex(done.stderr, r"\Areductio: [^\n]+\n(  [^\n]*\n +\^\n)?\Z")
        for word in words:
            self.assertIn(word, done.stderr)
        self.assertEqual([f for _, _, files in os.walk(self.folder) for f in files], [])

    def test_more_than_100000_characters(self):
        self.assert_refused("A[0] = a[0]" + " " * 100000, "more than 100000 characters")

    def test_division_by_0(self):
        self.assert_refused("for 0 <= i < w: A[i] = a[i div 0]", "--law:1:26: division by 0: undefined at d = 0")

    def test_no_condition_that_is_undefined_is_passed_over(self):
        for law, message in (
                ("for 0 <= i < w: A[i] = (sum of a[i + k*w], k < 2^d, (k - 1) / 2 >= 0) + a[i]", "'/' of a negative number"),
                ("for 0 <= i < w: A[i] = sum of a[j], j mod w = i; for 0 <= i < w, 5 / i > 0, i > 7: A[i] = 999", "division by 0: ")):
            done = self.cli("run", "fold", "-n", "8", "--law", law)
            self.assertEqual(done.returncode, 2, done.stdout)
            self.assertIn(message, done.stderr)

    def test_division_by_0_in_the_last_round(self):
        law = "for 0 <= i < w: A[i] = (sum of a[j], j mod w = i) + 0 div (3 - d)"
        said = "--law:1:53: division by 0: undefined at d = 3"
        self.assert_refused(law, said, arguments=("--json",))
        self.assert_refused(law, said, arguments=("--quiet",))
        # The steps before it were told as they came; there is no verdict on the law.
        done = self.run_sim("fold", "-n", "8", "--law", law)
        self.assertEqual(done.returncode, 2)
        self.assertEqual(re.findall(r"(?m)^\S+ \d|^[a-z].*:", done.stdout), ["step 0", "step 1", "step 2"])

    def test_no_input_named(self):
        self.assert_refused("for 0 <= i < w: A[i] = sum of i, j mod w = i", "--law:1:31: ", "a[j]")
        self.assert_refused("for 0 <= i < w: A[i] = sum of c[j], j mod w = i", "--law:1:31: ", "'c'")
        self.assert_refused("for 0 <= i < w: A[i] =", "--law:1:23: ")

    def test_no_cell_named(self):
        self.assert_refused("for 0 <= i < w: sum of a[j], j mod w = i", "--law:1:17: ")
        self.assert_refused("", "--law:1:1: ")


if __name__ == "__main__":
    unittest.main()
