#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The obligations of laws in SMT-LIB, as provers answer them: `reductio explain PROGRAM --law smtlib`.

usage: test_law_smtlib.py REDUCTIO [unittest's arguments]"""

import re
import shutil
import subprocess
import sys
import unittest

from cli_case import CliTest
from patience import WAIT_S

SKIPPED = 77
PROVERS = [command for command in (["z3", "-in", "-T:60"], ["cvc5", "--incremental", "--lang=smt2", "--tlimit-per=3000"])
           if shutil.which(command[0])]
ROUNDS = [f"preservation by round {d}" for d in (1, 2, 3)]
# The fault, and the queries whose obligation it doesn't meet.
WRONG = {
    "fold:inclusive-bound": ROUNDS,
    "tournament:interval": ["initialization"] + ROUNDS,
}


class Queries(CliTest):
    def text(self, program, *arguments):
        done = self.cli("explain", program, "--law", "smtlib", *arguments)
        self.assert_holds(done)
        return done.stdout

    def answers(self, prover, text):
        """Returns the prover's answers by the queries' names."""
        done = subprocess.run(prover, input=text, text=True, timeout=WAIT_S, check=False, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT)
        words = [line.strip('"') for line in done.stdout.splitlines() if "timeout" not in line]
        self.assertNotIn("error", done.stdout)
        self.assertEqual(len(words) % 2, 0, done.stdout)
        return dict(zip(words[::2], words[1::2]))

    def programs(self):
        lines = self.cli("list").stdout.splitlines()
        return [line.split()[0] for line in lines if ":" not in line.split()[0]]

    def test_obligations_of_fold_and_tournament_are_met(self):
        for program in ("fold", "tournament"):
            text = self.text(program, "-n", "8")
            names = ["initialization"] + ROUNDS + ["exit"]
            self.assertEqual(re.findall(r'\(echo "(.*)"\)', text), names)
            for prover in PROVERS:
                self.assertEqual(self.answers(prover, text), dict.fromkeys(names, "unsat"))

    def test_other_sizes_are_other_queries(self):
        for program, size, rounds in (("tournament", "13", 4), ("fold-ceil", "7", 3), ("fold", "1", 0)):
            text = self.text(program, "-n", size)
            for prover in PROVERS:
                answers = self.answers(prover, text)
                self.assertEqual(set(answers.values()), {"unsat"})
                self.assertEqual(len(answers), rounds + 2)

    def test_a_wrong_law_is_refuted_where_it_is_wrong(self):
        for program, wrong in WRONG.items():
            text = self.text(program, "-n", "8")
            for prover in PROVERS:
                answers = self.answers(prover, text)
                self.assertEqual([name for name, answer in answers.items() if answer != "unsat"], wrong, prover[0])
                if prover[0] == "z3":  # cvc5 may find no array behind a quantifier, and then it doesn't know
                    self.assertEqual({answers[name] for name in wrong}, {"sat"})

    def test_a_law_that_is_changed_is_refuted(self):
        text = re.sub("\n +", " ", self.text("fold", "-n", "8"))
        changes = (
            ("(= (mod j 4) i)", "(= (mod j 4) (+ i 1))", {"preservation by round 1", "preservation by round 2"}),
            ("(select A (+ i 4))", "(select A (+ i 3))", {"preservation by round 1"}),
            ("(and (<= 0 i) (< i 1)) (= (select A i)", "(and (<= 1 i) (< i 1)) (= (select A i)", {"exit"}),
        )
        for before, after, wrong in changes:
            self.assertIn(before, text)
            for prover in PROVERS[:1]:
                answers = self.answers(prover, text.replace(before, after))
                self.assertEqual({name for name, answer in answers.items() if answer != "unsat"}, wrong)

    def test_obligations_of_all_programs_are_met(self):
        for program in self.programs():
            for arguments in (("-n", "4", "--block", "3"), ("-n", "8", "--block", "4"), ("-n", "8")):
                done = self.cli("explain", program, "--law=smtlib", *arguments)
                if done.returncode == 0:
                    break
            self.assertEqual(done.returncode, 0, done.stderr)
            for prover in PROVERS[:1]:
                with self.subTest(program):
                    self.assertEqual(set(self.answers(prover, done.stdout).values()), {"unsat"})
            self.assertNotRegex(done.stdout, r"[^ ] +\n|true true|\(and\)")

    def test_a_size_that_nobody_said_is_one_that_the_program_takes(self):
        for program in self.programs() + ["multi-block", "multi-block:shared-split", "multi-block:even"]:
            done = self.cli("explain", program, "--law=smtlib")
            self.assertEqual((done.returncode, done.stderr), (0, ""), program)

    def test_what_is_too_large_or_fits_no_program_is_refused(self):
        self.assert_refused(self.cli("explain", "fold", "--law=smtlib", "-n", "12"), "not a power of two")
        self.assert_refused(self.cli("explain", "fold", "--law=smtlib", "-n", "2^14"), "'-n' is 16384")
        self.assert_refused(self.cli("explain", "fold", "--law=smtlib", "-n", "x"), "'-n'")
        self.assert_refused(self.cli("explain", "fold", "-n", "4"), "'-n'", "--law smtlib")


if __name__ == "__main__":
    if not PROVERS:
        print("skipped: there is no z3 and no cvc5")
        sys.exit(SKIPPED)
    unittest.main()
