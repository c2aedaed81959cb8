#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""mse, norm, cosine and the dot products on numbers whose squares underflow, next to exact fractions: a
right run is never VIOLATED, and of a cosine that nothing is promised of it says so.

usage: test_underflow.py REDUCTIO [unittest's arguments]"""

import decimal
import fractions
import json
import os
import random
import struct
import unittest

from cli_case import CliTest

# The unit roundoff, half of the smallest number, and the exponents of what is squared here: squares
# vanish below about half of the second.
TYPES = {
    "f32": (fractions.Fraction(1, 2**24), fractions.Fraction(1, 2**150), (-149, -40)),
    "f64": (fractions.Fraction(1, 2**53), fractions.Fraction(1, 2**1075), (-1074, -480)),
}
RUNS = 6 if "RD_TEST_SHORT" in os.environ else 40
BLOCK, GRID = 2, 2

decimal.setcontext(decimal.Context(prec=60, Emin=-10**6, Emax=10**6))


def rounded(value, kind):
    return struct.unpack("f", struct.pack("f", value))[0] if kind == "f32" else value


def root(value):
    return fractions.Fraction((decimal.Decimal(value.numerator) / value.denominator).sqrt())


def inputs(kind, rng, count):
    """Numbers side by side, or far from each other; subnormal ones and zeros among them."""
    low, high = TYPES[kind][2]
    middle, spread = rng.randint(low, high), rng.choice([0, 1, 4, 40])
    if rng.random() < 0.6:
        middle = low // 2 + rng.randint(-8, 24)
    values = []
    for _ in range(count):
        exponent = min(max(middle + rng.randint(-spread, spread), low), high)
        number = rng.choice([1.0, 1.5, rng.uniform(1, 2)]) * rng.choice([1, 1, -1])
        values.append(rounded(number * 2.0**exponent, kind) if rng.random() < 0.95 else 0.0)
    return values


def height(n, roundings):
    """Counts the roundings of a term, the trips of a thread, the fold (a single term is added to nothing), and the host's
    additions."""
    return roundings + -(-n // (BLOCK * GRID)) - 1 + (n > 1) + GRID - 1


def off_by(kind, weight, n, roundings):
    """Bounds the distance of a sum of n terms, each with so many roundings, from the exact one."""
    unit, smallest, _ = TYPES[kind]
    gamma = height(n, roundings) * unit / (1 - height(n, roundings) * unit)
    return gamma * weight + n * smallest * (1 + gamma)


class UnderflowTest(CliTest):
    def outcome(self, program, kind, a, b=()):
        """The verdict, and what the last record of the run's trace says of its number."""
        path = self.path("trace")
        values = ",".join(repr(x) for x in (*a, *b))
        done = self.run_sim(program, "--type", kind, "--values", "list:" + values, "--block",
                            str(BLOCK), "--grid", str(GRID), "--trace", path, "--quiet")
        self.assertEqual(done.stderr, "")
        with open(path, encoding="utf-8") as trace:
            last = json.loads(trace.readlines()[-1])
        verify = self.cli("verify", path)
        self.assertEqual(verify.returncode, done.returncode, verify.stdout)
        return last["verdict"], last["outcome"]["actual"], last["outcome"].get("deviation", {})

    def assert_number(self, case, verdict, actual, deviation, exact, limit):
        """The exact value and the bound are right, and with them the verdict."""
        self.assertEqual(verdict, "HOLDS", case)
        told = fractions.Fraction(deviation.get("exact", 0.0))
        tiny = fractions.Fraction(1, 2**1074)
        self.assertLessEqual(abs(told - exact), abs(exact) / 2**50 + tiny, case)
        self.assertLessEqual(abs(fractions.Fraction(actual) - exact), limit + abs(exact) / 2**49 + tiny,
                             case)
        bound = fractions.Fraction(deviation.get("limit", 0.0))
        self.assertLessEqual(limit, bound * (1 + fractions.Fraction(1, 2**50)) + tiny, case)
        self.assertLessEqual(bound, limit * fractions.Fraction(101, 100) + abs(exact) / 2**48 + 2 * tiny,
                             case)

    def each_case(self, two):
        for kind in TYPES:
            for seed in range(RUNS):
                rng = random.Random(f"{kind} {seed}")
                n = rng.choice([1, 2, 3, 4, 7, 9])
                a = inputs(kind, rng, n)
                b = inputs(kind, rng, n) if two else a
                yield kind, n, a, b, (kind, seed, a, b)

    def test_norm_of_numbers_whose_squares_underflow_holds(self):
        for kind, n, a, _, case in self.each_case(False):
            square = sum(fractions.Fraction(x)**2 for x in a)
            error = off_by(kind, square, n, 1)
            exact = root(square)
            limit = (error / exact if error <= square else root(error)) if square else 0
            self.assert_number(case, *self.outcome("norm", kind, a), exact, limit)

    def test_mse_of_numbers_whose_squares_underflow_holds(self):
        for kind, n, a, b, case in self.each_case(True):
            square = sum((fractions.Fraction(x) - fractions.Fraction(y))**2 for x, y in zip(a, b))
            self.assert_number(case, *self.outcome("mse", kind, a, b), square / n,
                               off_by(kind, square, n, 3) / n)

    def test_cosine_holds_or_says_that_nothing_is_promised(self):
        seen = set()
        for kind, n, a, b, case in self.each_case(True):
            aa, bb = (sum(fractions.Fraction(x)**2 for x in v) for v in (a, b))
            terms = [fractions.Fraction(x) * fractions.Fraction(y) for x, y in zip(a, b)]
            verdict, actual, deviation = self.outcome("cosine", kind, a, b)
            if aa * bb == 0:
                self.assertEqual((verdict, actual), ("HOLDS", 0), case)
                continue
            norms = root(aa) * root(bb)
            r = max(off_by(kind, x, n, 1) / x for x in (aa, bb)) + fractions.Fraction(1, 2**1074) / norms
            error = off_by(kind, sum(abs(t) for t in terms), n, 1) + abs(sum(terms)) * r
            limit = error / (norms * (1 - r)) if r < 1 else 1
            seen.add((kind, limit < 1))
            if limit < 1:
                self.assert_number(case, verdict, actual, deviation, sum(terms) / norms, limit)
            else:
                self.assertEqual(verdict, "INCONCLUSIVE", case)
        self.assertEqual(len(seen), 4, "both kinds, of both types")

    def test_dot_products_of_numbers_whose_products_underflow_hold(self):
        for kind, n, a, b, case in self.each_case(True):
            for program in ("dot-cpu", "dot-shared", "dot-tournament", "ladder-dot", "puzzle-dot"):
                values = ",".join(repr(x) for x in (*a, *b))
                done = self.run_sim(program, "--type", kind, "--values", "list:" + values,
                                    "--block", "2", "--quiet", "--no-last")
                self.assertEqual(done.returncode, 0, (program, n, case, done.stdout))

    def test_examples_are_as_explained(self):
        for program, kind, values, verdict in (
                ("norm", "f32", "1e-20,1e-20", "HOLDS"),
                ("mse", "f32", "1e-30,1e-30,3e-30,1e-30", "HOLDS"),
                ("cosine", "f32", "1e-22,2e-22,3e-22,1e-22", "HOLDS"),
                ("cosine", "f32", "1e-30,1e-30,1e-30,1e-30", "INCONCLUSIVE"),
                ("cosine", "f64", "1e-170,1e-170,1e-170,1e-170", "INCONCLUSIVE"),
                ("cosine", "f64", "1e-150,1e-150,1e-150,1e-150", "HOLDS"),
                ("cosine", "f64", "0,0,1e-170,1e-170", "HOLDS"),
                ("cosine:zero-norm", "f64", "0,0,1,1", "VIOLATED"),
                ("norm:no-root", "f32", "1e-15,1e-15", "VIOLATED"),
                ("mse:dot", "f32", "1e-15,1e-15,1e-15,1e-15", "VIOLATED")):
            done = self.run_sim(program, "--type", kind, "--values", "list:" + values, "--no-last")
            self.assertTrue(self.last_line(done).startswith(verdict + " "), (program, values, done.stdout))
            if verdict == "INCONCLUSIVE":
                self.assertIn("underflow", done.stdout)


if __name__ == "__main__":
    unittest.main()
