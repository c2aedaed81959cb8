#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Has Coq check the theorems by which `reductio prove` counts one input and speaks of all.

test_prove_coq.py LIFT.V     skipped where there is no coqc
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

SOURCE = os.path.abspath(sys.argv.pop(1))
THEOREMS = {"race_free", "lift", "law", "unit_of_pair", "affine", "quadratic", "known_by_coefficients", "height_bounds_rounding"}
# What would be taken as true without a proof.
ASSUMED = re.compile(r"\b(Axioms?|Parameters?|Conjectures?|Admitted|admit|give_up|bypass_check|type_in_type)\b")


def without_comments(text):
    while "(*" in text:  # from the innermost on
        text = re.sub(r"\(\*(?:(?!\(\*|\*\)).)*\*\)", " ", text, count=1, flags=re.S)
    return text


def theorems_of(text):
    return set(re.findall(r"^\s*(?:Theorem|Corollary|Lemma) (\w+)", text, re.M))


class Coq(unittest.TestCase):
    def setUp(self):
        with open(SOURCE, encoding="utf-8") as file:
            self.text = without_comments(file.read())

    def test_nothing_is_assumed(self):
        self.assertIsNone(ASSUMED.search(self.text))
        for bad in ("Axiom a : False.", "Proof. admit. Admitted.", "Parameter x : nat."):
            self.assertRegex(bad, ASSUMED)

    def test_coq_accepts_it(self):
        printed = re.findall(r"^Print Assumptions (\w+)\.", self.text, re.M)
        self.assertEqual(set(printed), THEOREMS)
        self.assertLessEqual(THEOREMS, theorems_of(self.text))
        with tempfile.TemporaryDirectory(prefix="reductio-") as folder:
            shutil.copy(SOURCE, folder)
            done = subprocess.run(["coqc", "-q", os.path.basename(SOURCE)], cwd=folder, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stdout.splitlines(), ["Closed under the global context"] * len(printed))


if __name__ == "__main__":
    if not shutil.which("coqc"):
        print("skipped: there is no coqc")
        sys.exit(77)
    unittest.main()
