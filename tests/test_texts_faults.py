#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Each number in the texts of the faults is what a run in the simulator gives, or is said to be no claim; so
are some numbers of the right programs.

usage: test_texts_faults.py REDUCTIO [unittest's arguments]"""

import concurrent.futures
import re
import traceback
import unittest

import figures
# Each has the figures of some programs in figures' tables.
import figures_blocks
import figures_folds
import figures_ladder
import figures_puzzles
import figures_right
from short_run import part


def of_runs(program, pattern, compute):
    """Returns the text's words there, its numbers, and those of runs or why there are none."""
    found = re.search(pattern, figures.document(program))
    if not found:
        return None, None, None
    told = tuple(map(figures.value_of, found.groups()))
    try:
        return found.group(), told, tuple(compute(*told))
    except Exception as error:
        return found.group(), told, "".join(traceback.format_exception(type(error), error, error.__traceback__)[-2:])


class FaultsTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.faults = [name for name, program in figures.listed().items() if program["lesson"]]

    def test_figures_are_those_of_runs(self):
        stated = part([(program, *entry) for program in figures.listed()
                       for entry in figures.FIGURES.get(program, [])])
        with concurrent.futures.ThreadPoolExecutor(4) as workers:
            computed = workers.map(lambda entry: of_runs(*entry), stated)
            for (program, pattern, compute), (found, told, actual) in zip(stated, computed):
                with self.subTest(program, figure=compute.__name__):
                    self.assertIsNotNone(found, f"not in the text: {pattern}")
                    self.assertIsInstance(actual, tuple, f"{found}\n{actual}")
                    self.assertEqual(told, actual, found)

    def test_no_number_is_unaccounted_for(self):
        for program in self.faults:
            with self.subTest(program):
                text = figures.document(program)
                own = [pattern for pattern, _ in figures.FIGURES.get(program, []) + figures.PLAIN.get(program, []) +
                       figures.OBSERVED.get(program, [])]
                covered, idle = figures.spans(text, own)
                self.assertEqual(idle, [], "in no text")
                everywhere, _ = figures.spans(text, [figures.names(), *(pattern for pattern, _ in figures.PLAIN[""])])
                twins, _ = figures.spans(text, map(re.escape, figures.formulas(program)))
                self.assertEqual(figures.uncovered(text, covered + everywhere + twins), [], "compute it in a figure")

    def test_statements_are_those_of_the_right_programs(self):
        of = [program for program in self.faults if figures.states_its_twins_law(program)]
        self.assertEqual(len(of), 9)
        for program in of:
            right = re.sub(r"\s+", " ", figures.explained(figures.listed()[program]["twin"]))
            for formula in figures.formulas(program):
                self.assertIn(formula, right, program)

    def test_observations_name_their_gpu(self):
        for program, sentences in figures.OBSERVED.items():
            for pattern, gpu in sentences:
                sentence = [s for s in re.split(r"(?<=\.) (?=[A-Z])", figures.document(program)) if re.search(pattern, s)]
                self.assertEqual(len(sentence), 1, (program, pattern))
                self.assertIn(gpu, sentence[0], program)

    def test_tables_name_programs(self):
        for table in (figures.FIGURES, figures.PLAIN, figures.OBSERVED):
            self.assertLessEqual(set(table), {"", *figures.listed()})


if __name__ == "__main__":
    unittest.main()
