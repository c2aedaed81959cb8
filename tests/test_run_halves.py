# SPDX-License-Identifier: MIT
"""Laws of floats of 16 bits: they are worked out in double, and compared within what a half, or a bfloat16, rounds."""

import os
import re
import unittest

from annotated_case import AnnotatedTest

with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "annotated", "halves.cu"), encoding="utf-8") as program:
    TEXT = program.read().replace("0.1f * i", "VALUE")


class Halves(AnnotatedTest):
    def check_values(self, value, status, *wanted, wrong=("", "")):
        return self.check(TEXT.replace("VALUE", value).replace(*wrong), status, *wanted)

    def test_sums_of_halves_hold_within_what_they_round(self):
        output = self.check_values("0.1f * i", 0, "n=32 f16 sim: 6 steps, 63 cells asserted, 0 hazards",
                                   "1 invariant and 4 assertions, 98 cells asserted")
        self.assertEqual(len(re.findall(r"HOLDS \(bound [\d.e-]+, as the order is any\)", output)), 3, output)

    def test_half_that_is_lost_on_the_way_to_a_float_is_told(self):
        self.check_values("1", 1, "VIOLATED: x holds 31, and the law says 32", "VIOLATED: y holds 31, and the law says 32",
                          "with other inputs: x should hold {0..31}; it holds {0,2..31}: 1 was lost", wrong=("k = 1", "k = 2"))
        self.check_values("i + 0.5f", 1, "VIOLATED: x holds ", wrong=("k = 1", "k = 2"))

    def test_round_that_halves_do_not_keep_is_told_without_sets(self):
        output = self.check_values("1", 1, "step 5, A[0]: expected 32, actual 16", "preservation    VIOLATED",
                                   wrong=("i < half)", "i < half && half > 1)"))
        self.assertNotIn("with other inputs", output)

    def test_values_of_halves_are_set(self):
        text = TEXT.replace("VALUE", "1")
        for values, status in ("random:7", 0), ("iota", 0), ("list:" + ",".join(["70000"] * 32), 2):
            self.assertEqual(self.run_text(text, "--values", values)[0], status, values)


if __name__ == "__main__":
    unittest.main()
