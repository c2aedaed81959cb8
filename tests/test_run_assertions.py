#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The assertions of reductio_cmocka.h fail with the caller's file and line, and with an explanation.

usage: test_run_assertions.py PROGRAM [unittest's arguments]; PROGRAM is made of cmocka_failures.c"""

import os
import pathlib
import re
import subprocess
import sys
import unittest

from patience import WAIT_S

PROGRAM = os.path.abspath(sys.argv.pop(1))
SOURCE = pathlib.Path(__file__).with_name("cmocka_failures.c")

RIGHT = "HOLDS fold n=8 i32 sim: 4 steps, 15 cells asserted, 0 hazards"
WRONG = ("hazard in round 1: race: read-write", "step 1, A[0]: expected 4, actual 3; 4 cells are wrong",
         "A[0] should hold {0,4}; it holds {0,3}", "preservation    VIOLATED      round 1 does not keep it",
         "VIOLATED fold:wrong-half n=8 i32 sim: 2 steps")
SAID = {
    "law_holds": ("the law does not hold", *WRONG),
    "every_step_holds": ("not every step holds", *WRONG),
    "violated_at": ("cell 0 is not the first wrong one of round 1", RIGHT),
    "violated_elsewhere": ("cell 0 is not the first wrong one of round 2", *WRONG),
    "no_hazard": ("there is a hazard", *WRONG),
    "no_hazard_unlooked": ("hazards were not looked for, or not in all rounds", "hazards not looked for"),
    "no_hazard_in_part": ("hazards were not looked for, or not in all rounds", "step 1, A[0]: expected 1, actual 4"),
    "hazard": ("no hazard race at A[3]", RIGHT),
    "hazard_elsewhere": ("no hazard race at A[2]", *WRONG),
    "hazard_of_another_kind": ("no hazard leak", *WRONG),
    "unknown": ("the run could not be run: 'program' of the run is NULL: set it (rd_program_named() returns NULL for an unknown name)",),
    "refused": ("fold could not be run: 'n' is 7, not a power of two",),
    "interrupted": ("fold could not be run: interrupted",),
}


class AssertionsTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.done = subprocess.run([PROGRAM], text=True, timeout=WAIT_S, check=False, stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT)
        parts = re.split(r"^\[ RUN      \] (\w+)\n", cls.done.stdout, flags=re.M)
        cls.said = dict(zip(parts[1::2], parts[2::2]))

    def test_all_fail(self):
        self.assertEqual(self.done.returncode, len(SAID), self.done.stdout)
        self.assertEqual(set(self.said), set(SAID))

    def test_failures_have_the_callers_line(self):
        lines = {match[1]: number for number, line in enumerate(SOURCE.read_text(encoding="utf-8").splitlines(), 1)
                 if (match := re.search(r"/\* line of (\w+) \*/", line))}
        for name, said in self.said.items():
            with self.subTest(name):
                self.assertRegex(said, rf"\bcmocka_failures\.c:{lines[name]}: error: Failure!")

    def test_failures_explain(self):
        for name, words in SAID.items():
            for word in words:
                with self.subTest(name):
                    self.assertIn(word, self.said[name])


if __name__ == "__main__":
    unittest.main()
