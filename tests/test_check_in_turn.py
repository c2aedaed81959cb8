#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Several launches in turn, and sweeps over shapes, by `reductio check`.

usage: test_check_in_turn.py REDUCTIO [unittest's arguments]"""

import json
import unittest

from test_check_arguments import ShapesTest


class LaunchTest(ShapesTest):
    BUFFERS = ("--buffer", "x=f32[1000]:random:1", "--buffer", "p=f32[4]:uninit", "--expect", "out=sum(x)")

    def launch(self, *launches):
        return self.run_shape(*self.BUFFERS, *[word for one in launches for word in ("--launch", one)], shape=())

    def test_memory_stays_between(self):
        done = self.launch("partial<<<4,256>>>(x, 1000, p)", "partial <<<dim3(1), dim3(32,1), 0>>> (p, 4, out=f32[1]:uninit)")
        self.assert_status(done, 0)
        self.assertIn("as expected: out is sum(x), within the bound of its roundings\n", done.stdout)
        self.assertIn("launched: partial 2 times, 1056 threads\n", done.stdout)
        self.assertIn("partial, partial: 0 hazards in 1056 threads under 4 schedules\n", done.stdout)

    def test_hazards_of_each_are_told(self):
        done = self.launch("partial<<<3,256>>>(x, 1000, p)", "unordered<<<1,32>>>(p, 4, out=f32[1]:uninit)")
        self.assert_status(done, 1)
        self.assertRegex(done.stdout, r"uninitialised: thread 3 of block 0 of unordered\s+reads p\[3\]")
        self.assertRegex(done.stdout, r"race: read-write")
        self.assertIn("unexpected: out[0] is ", done.stdout)

    def test_each_keeps_to_its_limits(self):
        done = self.launch("partial<<<4,256>>>(x, 1000, p)", "unordered<<<1,128>>>(p, 4, out=f32[1]:uninit)")
        self.assert_status(done, 1)
        self.assertRegex(done.stdout, r"a block of 128 threads, where 'unordered'\s+is\s+compiled\s+for at most 64")
        done = self.launch("partial<<<4,256>>>(x, 1000, p)", "partial<<<1,2048>>>(p, 4, out=f32[1]:uninit)")
        self.assert_status(done, 1)
        self.assertIn("cudaErrorInvalidConfiguration", done.stdout)

    def test_structs_go_to_later_launches(self):
        done = self.run_shape("--launch", "shift<<<1,8>>>(i=i32[8]:iota, j=i32[8]:zero, 8)",
                              "--launch", "scale<<<1,8>>>({n=8,x=f32[8]:iota,m={0,2}}, out=f32[8]:uninit)", "--print", "out", shape=())
        self.assert_status(done, 0)
        self.assertTrue(done.stdout.endswith("\n2 3 4 5 6 7 8 9\n"), done.stdout)
        report = json.loads(self.run_shape("--launch", "shift<<<1,8>>>(i=i32[8]:iota, i, 8)", "--json", shape=()).stdout)
        self.assertEqual([one["kernel"] for one in report["launched_in_turn"]], ["shift"])

    def test_what_is_no_launch_is_refused(self):
        for launch, words in {"shift": "has no <<<GRID, BLOCK>>>", "shift<<<1>>>(1)": "has no grid and block",
                              "shift<<<1,2>>>": "has no arguments in brackets", "1<<<1,2>>>(1)": "names no kernel",
                              "shift<<<1,x>>>(1)": "'x' is no whole number", "shift<<<1,2>>>(1,,2)": "has an empty argument",
                              "shft<<<1,2>>>(x, x, 1)": "'shft' is not in 'shapes.cu'",
                              "shift<<<1,2>>>(1)": "'shift' has 3 parameters, and its --launch 1"}.items():
            with self.subTest(launch):
                self.assert_refused(self.run_shape("--launch", launch, shape=()), words)
        done = self.run_shape("--launch", "shift<<<1,2>>>(a=i32[4]:iota, a)", "--launch", "fold<<<1,2>>>(4, b=f32[4]:iota, 2)", shape=())
        self.assert_refused(done, "'shift' has 3 parameters, and its --launch 2")
        self.assert_refused(self.run_shape("--launch", "shift<<<1,2>>>(1)", "--arg", "1", shape=()), "'--launch' says what '--arg' says")
        self.assert_refused(self.run_shape("--buffer", "8", "--kernel", "shift"), "'--buffer' is '8': write NAME=TYPE[COUNT]:FILL")


class SweepTest(ShapesTest):
    ADD = ("--kernel", "add", "--arg", "i32[n]:iota", "--arg", "n", "--arg", "i32[1]:zero", "--expect", "2=sum(0)")

    def test_all_clean_says_how_many(self):
        done = self.run_shape(*self.ADD, "-n", "1..9", "--sweep", "block=4,8", shape=("--grid", "(n+block-1)/block"))
        self.assert_status(done, 0)
        self.assertEqual(done.stdout, "add: 0 hazards in 140 threads of 18 shapes: n 1..9, block 4,8\n")

    def test_first_that_fails_ends_it(self):
        run = (*self.ADD, "-n", "1..100")
        done = self.run_shape(*run)
        self.assert_status(done, 1)
        self.assertTrue(done.stdout.startswith("n = 9, the first shape that fails; 8 of 100 tried before it: n 1..100\n"), done.stdout)
        self.assertIn("unexpected: out[0] is 28, and sum(0) is 36", done.stdout)
        report = json.loads(self.run_shape(*run, "--json").stdout)
        self.assertEqual((report["sweep"]["shape"], report["sweep"]["tried"], report["status"]), ({"n": 9}, 9, 1))

    def test_block_may_be_a_range(self):
        done = self.run_shape(*self.ADD[:2], "--arg", "i32[8]:iota", "--arg", "8", "--arg", "i32[1]:zero", "--expect", "2=sum(0)",
                              shape=("--grid", "8", "--block", "1..3"))
        self.assert_status(done, 0)
        self.assertIn("of 3 shapes: block 1..3", done.stdout)

    def test_kernel_may_depend_on_it(self):
        done = self.run_shape("--kernel", "n::first<float, b>", "--sweep", "b=64,16", "--arg", "f32[64]:iota", "--arg", "f32[1]:zero",
                              "--arg", "64", shape=("--grid", "1", "--block", "32"))
        self.assert_status(done, 1)
        self.assertTrue(done.stdout.startswith("b = 16, the first shape that fails; 1 of 2 tried before it: b 64,16\n"), done.stdout)
        self.assertIn("out-of-bounds", done.stdout)

    def test_what_is_no_sweep_is_refused(self):
        for sweep, words in {"n": "'--sweep' is 'n'", "n=9..1": "has the range 9..1", "n=x": "the sweep of 'n' is 'x'",
                             "m=1..2": "'m' is swept, and nothing uses it", "n=1..2000000": "by at most 1000000"}.items():
            with self.subTest(sweep):
                self.assert_refused(self.run_shape(*self.ADD, "--sweep", sweep, *([] if sweep[0] == "n" else ["-n", "1"])), words)
        self.assert_refused(self.run_shape(*self.ADD, "-n", "0..2"), "'i32[0]:iota' has a count that is not in 1 to 2^33")


if __name__ == "__main__":
    unittest.main()
