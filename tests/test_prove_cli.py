#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""reductio prove: what it prints, and with which status it ends.

test_prove_cli.py REDUCTIO     skipped where there is no cvc5 or no z3
"""
import json
import os
import re
import shutil
import sys
import tempfile
import unittest

from cli_case import CliTest

SKIPPED = 77


class Prove(CliTest):
    cache = tempfile.TemporaryDirectory(prefix="reductio-")  # one for all: lemmas are proved once

    def setUp(self):
        super().setUp()
        self.environment["XDG_CACHE_HOME"] = Prove.cache.name

    def prove(self, *words, **more):
        return self.cli("prove", *words, **more)

    def test_lemmas_are_proved_and_then_known(self):
        folder = self.path("queries")
        done = self.prove("--lemmas", "--smt", folder)
        self.assert_holds(done)
        self.assertRegex(done.stdout, r"(?m)^PROVED: lemmas: \d+ goals \((cvc5|Z3) \d+(, (cvc5|Z3) \d+)?\), [\d.]+ s\n\Z")
        self.assertNotIn("OPEN", done.stdout)
        self.assertIn("lemmas-001.smt2", os.listdir(folder))
        for name in os.listdir(folder):
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                self.assertRegex(file.read(), r"\A; lemmas: .*\n(\(set-option [^\n]*\n)?\(set-logic [\s\S]*\(check-sat\)\n")
        again = json.loads(self.prove("--lemmas", "--json").stdout)
        self.assertEqual(again["verdict"], "PROVED")
        self.assertTrue(all(goal["cached"] and goal["satisfiable"] for goal in again["goals"]))

    def test_goals_are_told_in_groups_with_the_question(self):
        done = self.prove("tournament", "--verbose")
        self.assertRegex(done.stdout, r"(?m)^no race\n  (PROVED|REFUTED|OPEN) ")
        self.assertRegex(done.stdout, r"(?m)^         given .*\n")
        self.assertRegex(done.stdout, r"(?m)^         show  .*\n         (cvc5|Z3) [\d.]+, \d+\.\d\d s")
        self.assertRegex(done.stdout.splitlines()[-1], r"^PROVED: tournament\b.*: \d+ goals \(")
        self.assertEqual(done.returncode, 0)

    def test_file_of_ones_own_is_proved_or_refuted_by_its_run(self):
        self.cli("new", "own", "--in", self.path(""))
        path = self.path("own/own.cu")
        done = self.prove(path)
        self.assertRegex(done.stdout.splitlines()[-1],
                         rf"^PROVED: {path}, for every n from 1 to 2\^38 \(for the 16 of line \d+\), where n = 2\^k, and every input: \d+ goals ")
        self.assertEqual(done.returncode, 0)
        with open(path, encoding="utf-8") as file:
            text = file.read()
        with open(path, "w", encoding="utf-8") as file:
            file.write(text.replace("A[i + half]", "A[i + half - 1]"))
        done = self.prove(path, "--timeout", "2")
        self.assertIn(f"This run fails: reductio run {path} --device sim\n", done.stdout)
        self.assertRegex(done.stdout, r"(?m)^  REFUTED own: what a thread writes is what the law says\n {9}counterexample to the goal: ")
        self.assertRegex(done.stdout, rf"(?m)^REFUTED: {path}: ")
        self.assertEqual(done.returncode, 1)

    def test_file_that_is_not_read_is_open_with_why(self):
        path = self.path("bare.cu")
        with open(path, "w", encoding="utf-8") as file:
            file.write("int main(void)\n{\n    return 0;\n}\n")
        done = self.prove(path)
        self.assertIn(f"OPEN: {path} is not covered: {path} has no annotations: ", done.stdout)
        self.assertEqual(done.returncode, 3)

    def test_fault_is_not_proved(self):
        done = self.prove("tournament:stride-one", "--json", "--timeout", "1")
        said = json.loads(done.stdout)
        self.assertIn(said["verdict"], ("REFUTED", "OPEN"))
        self.assertEqual(done.returncode, 1 if said["verdict"] == "REFUTED" else 3)
        for goal in said["goals"]:
            if goal["answer"] == "REFUTED":
                self.assertTrue(all(re.fullmatch(r"-?\d+", number) for number in goal["counterexample"].values()))

    def test_without_provers_it_is_open_with_what_to_install(self):
        done = self.prove("tournament", environment={"PATH": self.path("nothing")})
        self.assertEqual((done.returncode, done.stderr), (3, ""))
        self.assertNotIn("PROVED", done.stdout)
        self.assertIn("apt-get install", done.stdout)

    def test_bad_usage_is_refused(self):
        self.assert_refused(self.prove("nonesuch"), "'nonesuch' is not a program")
        self.assert_refused(self.prove("file.cu"), "'file.cu' can't be read")
        self.assert_refused(self.prove("--timeout", "0"), "'--timeout'")
        self.assert_refused(self.prove("--jobs", "x"), "'--jobs'")
        self.assert_refused(self.prove("--lemmas", "fold"), "'--lemmas'")
        self.assert_refused(self.prove("--lemmas", "--smt", "/dev/null/x"), "/dev/null/x")


if __name__ == "__main__":
    if not shutil.which("cvc5") or not shutil.which("z3"):
        print("skipped: cvc5 and z3 are needed")
        sys.exit(SKIPPED)
    unittest.main()
