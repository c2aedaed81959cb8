#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`reductio run PROGRAM --law` of floats: what is rounding and what is not, infinities, NaNs, and numbers that the type can't hold.

usage: test_cli_law_floats.py REDUCTIO [unittest's arguments]"""

import json
import unittest

from law_case import FOLD, LawTest


class FloatsTest(LawTest):
    def test_terms_that_cancel_buy_no_tolerance(self):
        for kind, large in (("f32", 40), ("f64", 40), ("f32", 62), ("f64", 62)):
            for more in ("", " + 77"):
                law = f"for 0 <= i < w: A[i] = 2^{large}*a[1] - 2^{large}*a[1]{more}"
                done = self.run_sim("fold", "-n", "8", "--json", "--law", law, "--type", kind)
                self.assertIn(done.returncode, (1, 2), done.stdout)  # false, or it can't be told
                if done.returncode == 1:
                    self.assertEqual(json.loads(done.stdout)["verdict"], "not true at first")
                else:
                    self.assert_refused(done, "can't be told from what rounding makes of it")
        for n, kind, power, more in ((512, "bf16", 55, 5), (128, "bf16", 55, 1), (2048, "f16", 52, 2)):
            law = (f"for 0 <= i < w: A[i] = (sum of a[j], j mod w = i) + 2^{power}*a[i] - 2^{power}*a[i]"
                   f" + {more}*a[i]*a[0] - {more}*a[i]*a[1]")
            done = self.run_sim("fold", "-n", str(n), "--law", law, "--type", kind, "--values", "random:1")
            self.assert_refused(done, "can't be told from what rounding makes of it")
        lost = "for 0 <= i < w: A[i] = (sum of a[j], j mod w = i, j != 5) + 2^20*(sum of a[j], j < n) - 2^20*(sum of a[j], j < n)"
        judged = self.judged("fold", lost, "-n", "64", "--type", "f32")
        self.assertEqual((judged["verdict"], judged["false"]["cell"]), ("not true at first", 5))

    def test_claims_on_one_sum_in_two_orders_are_judged_by_the_bound(self):
        backwards = "for 0 <= i < w: A[i] = (sum of a[n-1-k], k < n, (n-1-k) mod w = i)"
        for kind in ("f64", "f32"):
            for law in (f"{FOLD}; {backwards}", f"{backwards}; {FOLD}"):
                for n in ("64", "1024"):
                    judged = self.judged("fold", law, "-n", n, "--type", kind, "--values", "random:7", status=0)
                    self.assertEqual(judged["verdict"], "true, and enough")
            # One of them lacks an input, or has one twice: the claims differ, by more than rounding explains.
            for wrong in (backwards.replace("k < n", "k < n, k != 5"), backwards + " + a[i]"):
                for law in (f"{FOLD}; {wrong}", f"{wrong}; {FOLD}"):
                    judged = self.judged("fold", law, "-n", "64", "--type", kind, "--values", "random:7", status=1)
                    self.assertIn(judged["verdict"], ("not true at first", "not kept"))
            # Terms that cancel are no sum in another order.
            large = backwards + " + 2^60*a[1] - 2^60*a[1]"
            done = self.run_sim("fold", "--law", f"{FOLD}; {large}", "-n", "64", "--type", kind, "--values", "random:7")
            self.assertIn(done.returncode, (1, 2), done.stdout)

    def test_of_many_floats_an_input_for_another_is_found(self):
        """By a run with it marked, where rounding hides it."""
        law = f"when w > 1: {FOLD}; when w = 1: A[0] = (sum of a[j], 0 < j) + a[1]"
        for kind, values in (("f32", "random:1"), ("f16", "marked:0")):
            judged = self.judged("fold", law, "-n", "8192", "--type", kind, "--values", "random:1")
            self.assertEqual((judged["verdict"], judged["values"], judged["false"]["step"]), ("not kept", values, 13))

    def test_floats_are_never_decided_for_all_values(self):
        for kind in ("f32", "f64"):
            text = self.run_sim("fold", "--type", kind, "--law", FOLD, "-q").stdout
            self.assertIn("true, and enough", text)
            self.assertNotIn("for all values", text)
            self.assertFalse(self.judged("fold", FOLD, "--type", kind, status=0)["for_all_values"])

    def test_a_cell_that_overflows_on_the_way_leaves_a_law_open(self):
        for kind, large in (("f32", "3e38"), ("f64", "1.5e308")):
            values = ("--type", kind, "--values", f"list:{large},0,-{large},0,{large},0,-{large},0")
            judged = self.judged("fold", FOLD, *values, status=3)
            self.assertEqual((judged["verdict"], judged["overflow"]["step"], judged["overflow"]["law"]), ("true so far", 2, "0"))
            self.assertIn(judged["overflow"]["actual"], ("nan", "-nan", "inf"))
            text = self.run_sim("fold", "--law", FOLD, *values).stdout
            self.assertRegex(text, r"(?m)^step 1 +HOLDS .*\nstep 2 +OVERFLOW .*\n +A\[0\] is -?(nan|inf), and the law says 0$")
            self.assertIn(f"whether it holds can't be told, as {kind} overflows on the way to a sum", " ".join(text.split()))
            # A law that is false at another step, or on other values, is refuted all the same.
            self.assertEqual(self.judged("fold", FOLD + ", j != 2", *values)["verdict"], "not true at first")
            judged = self.judged("fold", FOLD + ", j != 2*d", *values)
            self.assertEqual((judged["verdict"], judged["false"]["step"]), ("not true at first", 0))
            judged = self.judged("fold", f"when d < 2: {FOLD}; when d > 1: for 0 <= i < w: A[i] = 0*a[i]", *values)
            self.assertEqual((judged["verdict"], judged["values"]), ("not kept", "ones"))
        # An infinite cell is wrong if the law's finite sum can't overflow on the way.
        judged = self.judged("fold", "when d = 3: A[0] = a[1]", "--type", "f32", "--values", "list:inf,1,1,1,1,1,1,1")
        self.assertEqual((judged["verdict"], judged["false"]["actual"]), ("not kept", "inf"))
        # A sum that overflows in any order is infinite in the law as in the cell.
        self.judged("fold", FOLD, "--type", "f32", "--values", "list:3e38,3e38,3e38,3e38", status=0)

    def test_differences_are_as_exact_as_their_parts(self):
        law = "for 0 <= i < w: A[i] = (sum of 3*a[j], j mod w = i) - (sum of 2*a[j], j mod w = i)"
        values = ("--type", "f64", "--values", "list:9007199254740991,0,0,0,9007199254740991,0,0,0")
        self.judged("fold", law, *values, status=0)
        self.assertIn("each round keeps it", self.run_sim("fold", "--law", law, "-q", *values).stdout)
        self.judged("fold", law.replace("3*a", "4*a") + " - (sum of 1*a[j], j mod w = i)", *values, status=0)
        self.assertEqual(self.judged("fold", law.replace("3*a", "4*a"), *values)["verdict"], "not true at first")

    def test_values_next_to_each_other_are_told_apart(self):
        judged = self.judged("cosine", "when d = 0: for 0 <= i < 15: A[i] = 0")
        self.assertNotEqual(judged["state"]["was"], judged["state"]["becomes"])
        values = ("--type", "f64", "--values", "list:9007199254740991,0,0,0,0,0,0,0")
        done = self.run_sim("fold", "-n", "8", "-q", "--law", "when d = 0: A[0] = a[0] - 101", *values)
        self.assertIn("A[0] is 9007199254740991, and the law says 9007199254740890\n", done.stdout)

    def test_nan_is_no_number_that_a_law_says(self):
        values = ("--type", "f32", "--values", "list:nan,1,2,3", "-n", "4")
        self.assertEqual(self.judged("fold", FOLD, *values, status=0)["verdict"], "true, and enough")
        judged = self.judged("fold", "for 0 <= i < w: A[i] = sum of a[j], 0 < j, j mod w = i", *values)
        self.assertEqual(judged["verdict"], "not true at first")

    def test_contradictory_claims_of_floats_are_false(self):
        says = "before the first round A[0] is {}, and the law says two things of it: {} and {}"
        for kind in ("f16", "bf16", "f32", "f64"):
            for values, law, numbers in (("iota", FOLD + "; A[0] = 999", (0, 0, 999)), ("iota", "A[0] = a[0]; A[0] = a[1]", (0, 0, 1)),
                                         ("list:inf,1,2,3,4,5,6,7", "A[0] = a[0]; A[0] = a[1]", ("inf", "inf", 1)),
                                         ("list:1,1,2,3,4,5,6,7", "A[0] = 2; for 0 <= i < w: A[i] = a[i]", (1, 2, 1))):
                with self.subTest(kind, law=law):
                    done = self.run_sim("fold", "-n", "8", "--type", kind, "--values", values, "--law", law)
                    self.assertEqual((done.returncode, done.stderr), (1, ""))
                    self.assertIn(says.format(*numbers), done.stdout)
        # Both are told although f32 rounds them to one number.
        judged = self.judged("fold", "A[0] = 2^24; A[0] = 2^24 + 1", "-n", "8", "--type", "f32")
        self.assertEqual(judged["false"], {"step": 0, "cell": 0, "actual": "0", "law": "16777216", "law_also": "16777217"})

    def test_claims_of_floats_that_round_differently_agree(self):
        # The last is the first in another order.
        law = "for 0 <= i < w: A[i] = sum of a[j], j mod w = i; for i < 1: A[i] = sum of a[n - 1 - j], j < n, (n - 1 - j) mod w = i"
        for kind in ("f32", "f64"):
            done = self.run_sim("fold", "-n", "8", "--type", kind, "--values", "random:7", "--law", law, "--json")
            self.assertIn(done.returncode, (0, 3), done.stdout + done.stderr)
            self.assertNotIn("false", json.loads(done.stdout))

    def test_floats_are_what_the_law_says_within_rounding_alone(self):
        sums = "when d = 0: A[0] = 0; when d > 0: A[0] = sum of a[j]"
        for more, verdict in ((", 0 <= j < n", "true, and enough"), (", 1 <= j < n", "not kept"),
                              (", 0 <= j < n - 1", "not kept")):
            judged = self.judged("multi-block-atomic", sums + more, "-n", "100000", "--type", "f32",
                                 status=int(verdict == "not kept"))
            self.assertEqual(judged["verdict"], verdict)
        infinite = "for 0 <= i < w: A[i] = (a[i] + 100)^1000"
        self.assertEqual(self.judged("fold", infinite, "--type", "f32")["verdict"], "not true at first")
        self.judged("fold", FOLD, "-n", "4", "--type", "f32", "--values", "list:3e38,3e38,3e38,3e38", status=0)
        blocks = "when d = 0: A = 0; when d > 0: for 0 <= k < B: A[k] = sum of (a[j]-b[j])^2, floor((j mod G)/T) = k"
        self.judged("mse", blocks, "-n", "64", "--block", "1", "--grid", "64", status=0)

    def test_floats_whose_other_states_overflow_are_no_inputs_alone(self):
        for arguments in (("-t", "f16", "-n", "8192", "--values", "ones"), ("-t", "f32", "-n", "4", "--values", "list:3e38,3e38,-3e38,0")):
            self.assertNotIn("inputs alone", self.run_sim("fold", "-q", "--law", FOLD, *arguments).stdout)

    def test_false_laws_of_narrow_floats_are_refuted_at_any_size(self):
        """The bound on rounding counts the additions that were made: none at first, then the height of the tree."""
        squares = "for 0 <= i < w: A[i] = sum of a[j]*a[j], j mod w = i"
        for kind, n in (("bf16", "256"), ("bf16", "1024"), ("f16", "2048")):
            with self.subTest(kind, n=n):
                self.assertEqual(self.judged("fold", squares, "-n", n, "--type", kind, "--values", "random:1")["verdict"], "not true at first")
                self.judged("fold", FOLD, "-n", n, "--type", kind, "--values", "random:1", status=0)

    def test_of_products_no_more_is_rounding_than_the_factors_make(self):
        """A cell of k + 1 factors is off by (1 + u)^k - 1 at most, and none before the first round."""
        product, cubes = FOLD.replace("sum", "product"), FOLD.replace("sum of a[j]", "product of a[j]*a[j]*a[j]")
        for n in ("256", "512", "1024", "2048"):
            at = ("-n", n, "--op", "product", "--type", "bf16")
            with self.subTest(n):
                self.assertEqual(self.judged("fold", cubes, *at)["verdict"], "not true at first")
                judged = self.judged("fold", f"when d = 0: {product}; when d > 0: {cubes}", *at)
                self.assertEqual((judged["verdict"], judged["false"]["step"]), ("not kept", 1))
                # Also where it leaves the normal numbers, and where what rounding may do is more than the product.
                for values in ("random:1", "ones"):
                    self.assertEqual(self.judged("fold", product, *at, "--values", values, status=0)["verdict"], "true, and enough")

    def test_a_float_is_infinite_by_the_rounds_and_not_by_rounding(self):
        """A tolerance that reaches the largest number makes no infinity, nor one that the law overflows to on its own way."""
        narrow = "list:" + ",".join({0: "40000", 1: "-18000", 32: "40000"}.get(j, "0") for j in range(64))
        for n, kind, values, step, said in (("8", "bf16", "list:2e38,-0.4e38,0,0,2e38,-0.4e38,0,0", 3, "3.19e+38"),
                                            ("64", "f16", narrow, 6, "62000")):
            judged = self.judged("fold", FOLD, "-n", n, "--type", kind, "--values", values, status=3)
            self.assertEqual((judged["verdict"], judged["overflow"]),
                             ("true so far", {"step": step, "cell": 0, "actual": "inf", "law": said}))
            # Another number than that is neither in the cell nor would be without the overflow.
            other = f"when d < {step}: {FOLD}; when d = {step}: A[0] = (sum of a[j], j < n) - a[0]"
            judged = self.judged("fold", other, "-n", n, "--type", kind, "--values", values)
            self.assertEqual((judged["verdict"], judged["values"][:4], judged["false"]["step"]), ("not kept", "list", step))

    def test_the_own_law_of_a_program_is_not_refuted_by_its_arithmetic(self):
        product, dot = FOLD.replace("sum", "product"), "when d > 0: A[0] = sum of a[j]*b[j], 0 <= j < n"
        for law, values, step in ((product, "3e38,0,3e38,1", 2), (FOLD, "3e38,-inf,3e38,1", 2), (product, "1e38,1e-38,1e38,1e-38", 2)):
            judged = self.judged("fold", law, "-n", "4", "--op", "product" if law == product else "sum", "--type", "f32",
                                 "--values", "list:" + values, status=3)
            self.assertEqual((judged["verdict"], judged["overflow"]["step"]), ("true so far", step))
        text = self.run_sim("fold", "-n", "4", "--op", "product", "--type", "f32", "--values", "list:3e38,0,3e38,1", "--law", product, "-q").stdout
        self.assertIn("f32 overflows on the way to a product: at step 2 A[0] is nan, and the law says 0;", text)
        # A product that underflows on the way to a normal number is open, too.
        for values, actual in (("1e-25,1e20,1e-15,1", "9.999946e-21"), ("1e-30,1e30,1e-30,3e8", "0")):
            at = ("-n", "4", "--op", "product", "--type", "f32", "--values", "list:" + values)
            judged = self.judged("fold", product, *at, status=3)
            self.assertEqual((judged["verdict"], judged["underflow"]["step"], judged["underflow"]["actual"]), ("true so far", 2, actual))
            done = self.run_sim("fold", *at, "--law", product)
            self.assertRegex(done.stdout, r"(?m)^step 2   UNDERFLOW .*\n +A\[0\] is " + actual)
            self.assertIn("f32 underflows on the way to a product: at step 2", " ".join(done.stdout.split()))
        # One that is rounded down to the largest number has left nothing.
        self.judged("fold", product, "-n", "2", "--op", "product", "--type", "f16", "--values", "list:106,618", status=0)
        # A result that the inputs make infinite or NaN is so exactly: a law that says a number there is false.
        for values in ("inf,-inf,1,1", "inf,1,inf,1", "inf,1,-inf,1"):
            at = ("-n", "4", "--type", "f32", "--values", "list:" + values)
            self.judged("fold", FOLD, *at, status=0)
            self.assertEqual(self.judged("fold", f"when d < 2: {FOLD}; when d = 2: A[0] = a[1]", *at)["verdict"], "not kept")
        # A product that underflows is rounded, too.
        self.judged("dot-cpu", dot, "-n", "4", "--type", "f32", "--values", "list:1e-23,1e-23,3e-23,1e-23,1e-23,1e-23,2e-23,1e-23", status=0)

    def test_where_rounding_was_allowed_for_is_told_of_all_values(self):
        for values in ("ones", "random:1"):
            done = self.run_sim("fold", "-n", "8", "--type", "f32", "--values", values, "--law", FOLD, "-q")
            self.assertIn("but for what rounding explains", done.stdout)

    def test_what_was_added_without_a_rounding_is_asserted_exactly(self):
        """bf16 adds 256 ones exactly, and each power of 2 of them."""
        for last in ("(sum of a[j], j mod w = i) - a[539]", "sum of a[j], j mod w = i, j*1 != 539"):
            judged = self.judged("fold", f"when d < 8: {FOLD}; when d >= 8: for 0 <= i < w: A[i] = {last}", "-n", "1024", "--type", "bf16",
                                 "--values", "ones")
            self.assertEqual((judged["verdict"], judged["values"], judged["false"]["step"]), ("not kept", "ones", 8))

    def test_number_that_the_type_can_not_hold_is_told_exactly(self):
        arguments = ("fold", "-n", "4", "--type", "f32", "--values", "list:33554432,1,0,0", "--law", "A[0] = sum of a[j], j < 2")
        told = "A[0] is 33554432, and the law says 33554433, which f32 can't hold\n"
        done = self.run_sim(*arguments)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertEqual(done.stdout.count(told), 2, done.stdout)
        done = self.run_sim(*arguments, "--json")
        self.assertEqual((json.loads(done.stdout)["false"]["actual"], json.loads(done.stdout)["false"]["law"]), ("33554432", "33554433"))
        done = self.cli("step", *arguments[:-1], arguments[-1], "--device", "sim", "--script", "-", stdin="screen\n")
        self.assertIn("the law says 33554433", done.stdout + done.stderr)
        # Also where the cell is far from it.
        arguments = ("fold", "-n", "4", "--type", "f32", "--values", "list:33554432,1,0,0", "--law", "A[1] = sum of a[j], j < 2")
        self.assertIn("A[1] is 1, and the law says 33554433\n", self.run_sim(*arguments).stdout)
        self.assertEqual(json.loads(self.run_sim(*arguments, "--json").stdout)["false"]["law"], "33554433")

    def test_another_value_that_refutes_a_weak_law_is_a_number(self):
        weak = "A[0] = sum of a[j], j mod w = 0"
        for kind, n, values in (("f16", "8192", "ones"), ("bf16", "8192", "ones"), ("f16", "8", "list:60000,1,2,3,5000,1,2,3"),
                                ("f32", "4", "list:3e38,3e38,-3e38,-3e38"), ("f64", "4", "list:1.7e308,1e308,-1.7e308,1e308")):
            with self.subTest(kind, n=n):
                judged = self.judged("fold", weak, "-n", n, "--type", kind, "--values", values)
                self.assertEqual(judged["verdict"], "true, but too weak")
                self.assertNotIn(judged["state"]["becomes"], ("inf", "-inf", "nan"))
        weak = weak.replace("sum", "product")
        for n in ("8", "256"):
            judged = self.judged("fold", weak, "-n", n, "--op", "product", "--type", "bf16", "--values", "ones")
            self.assertEqual(judged["verdict"], "true, but too weak")


if __name__ == "__main__":
    unittest.main()
