#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""reductio run: its values, and witness values.

usage: test_cli_values.py REDUCTIO [unittest's arguments]"""

import json
import re
import unittest

from cli_case import PROGRAMS, CliTest


class ValuesTest(CliTest):
    def test_n_follows_from_a_file(self):
        with open(self.path("numbers"), "w", encoding="ascii") as file:
            file.write("# four numbers\n1 2\n3,4\n")
        done = self.run_sim("fold", "--values", self.path("numbers"), "--json")
        self.assert_holds(done)
        self.assertEqual(json.loads(done.stdout)["n"], 4)

    def test_standard_input_is_read(self):
        done = self.run_sim("fold-ceil", "--values", "-", "--quiet", stdin="5 6 7\n")
        self.assert_holds(done)
        self.assertTrue(done.stdout.startswith("HOLDS fold-ceil n=3 "))

    def test_a_wrong_count_is_refused(self):
        self.assert_refused(self.run_sim("fold", "--values", "-", "-n", "8", stdin="1 2 3 4\n"),
                            "4", "8")

    def test_a_program_with_its_own_list_takes_another_n(self):
        done = self.run_sim("unfold:float", "-n", "4", "--quiet")
        self.assertIn(" n=4 f32 ", done.stdout)


class WitnessTest(CliTest):
    def test_fold_shows_sets_and_ends_with_the_documented_line(self):
        done = self.run_sim("fold", "-n", "16", "--values", "witness")
        self.assert_holds(done)
        self.assertRegex(self.last_line(done),
                         r"^HOLDS for every input of n=16 provided that the kernel only adds \(witness, 2 "
                         r"passes; \d+ on other values in u64 and i32, \d+ of them compared: the same "
                         r"accesses( and comparisons|, and branches not looked at)\)$")
        for text in ("{0,8}*", "{0,4,8,12}*", "{0..15}*"):
            self.assertIn(text, done.stdout)

    def test_products_are_told_apart(self):
        done = self.run_sim("dot-fold", "-n", "16", "--values", "witness", "--quiet")
        self.assert_holds(done)
        self.assertRegex(done.stdout,
                         r"^HOLDS for every a and b of n=16 provided that the kernel only multiplies a by b "
                         r"and adds \(witness, \d+ passes; .*\)\n$")

    def test_every_program_holds(self):
        for program in PROGRAMS:
            with self.subTest(program):
                self.assert_holds(self.run_sim(program, "-n", "32", "--values", "witness"))

    def test_a_large_n_shows_counts_only(self):
        done = self.run_sim("fold-guard", "-n", "300", "--values", "witness")
        self.assert_holds(done)
        self.assertNotIn("{", done.stdout)
        self.assertIn("300 cells asserted: HOLDS", done.stdout)

    def test_a_lesson_is_violated(self):
        done = self.run_sim("fold:wrong-half", "-n", "16", "--values", "witness",
                            environment={"COLUMNS": "200"})
        self.assertEqual(done.returncode, 1)
        self.assertRegex(self.last_line(done),
                         r"^VIOLATED for some input of n=16 \(witness, pass 1 of \d+\)$")
        self.assertIn("A[0] should hold {0,8}; it holds {0,7}: 8 was lost and 7 was wrongly "
                      "added in round 1\n", done.stdout)

    def test_hazards_tell_sets_too(self):
        done = self.run_sim("fold:wrong-half", "--values", "witness")
        self.assertRegex(" ".join(done.stdout.split()), r"when it held \{3\} \(now \{3,6\}\)")
        done = self.run_sim("fold:wrong-half", "-n", "32", "--values", "witness")
        self.assertRegex(" ".join(done.stdout.split()), r"when it held \{\?\}[;,]")
        done = self.run_sim("fold:wrong-half")
        self.assertIn("when it held 3 (now 9)", " ".join(done.stdout.split()))

    def test_another_type_is_refused(self):
        self.assert_refused(self.run_sim("fold", "--values", "witness", "--type", "i32"),
                            "'--type'", "u64")
        self.assert_holds(self.run_sim("fold", "--values", "witness", "--type", "u64"))

    def test_a_program_about_floats_is_refused(self):
        self.assert_refused(self.run_sim("unfold:float", "--values", "witness"), "'unfold:float'",
                            "f32", "whole numbers")

    def test_too_many_passes_are_refused_with_the_largest_n(self):
        for program in ("fold", "fold-guard", "unfold", "multiply", "dot-tournament"):
            with self.subTest(program):
                done = self.run_sim(program, "-n", "2^24", "--values", "witness")
                self.assert_refused(done, "'-n' is 16777216")
                passes, fine = map(int, re.search(r" (\d+) passes .* at most (\d+)\n",
                                                  done.stderr).groups())
                self.assertGreater(passes, 2 ** 24 // 64)
                self.assertTrue(2 ** 16 < fine < 2 ** 20, fine)
                if program in ("fold", "unfold"):
                    self.assertEqual(fine & fine - 1, 0)  # they take nothing else


if __name__ == "__main__":
    unittest.main()
