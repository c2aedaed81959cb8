#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Command lines that `reductio check` refuses before it calls the compiler.

usage: test_check_usage.py REDUCTIO [unittest's arguments]"""

import subprocess
import unittest

from check_case import BINARY, CheckTest


class UsageTest(CheckTest):
    def test_bad_options_are_refused_before_the_compiler(self):
        k = ["--kernel", "k"]
        for arguments, *words in (
                ([], "no kernel: name one with --kernel"),
                (["--kernel", ""], "no kernel"),
                ([*k, "second.cu"], "'second.cu' is one argument too many: check takes one file"),
                ([*k, "--grid", "1,2,3,4"], "'--grid' is '1,2,3,4': write X, X,Y or X,Y,Z"),
                ([*k, "--block", "-1"], "'--block' is '-1'"),
                ([*k, "--block", "1,"], "'--block' is '1,'"),
                ([*k, "--block", "4294967296"], "'--block' is '4294967296'"),
                ([*k, "--shared", "x"], "'--shared' is 'x', not a whole number"),
                ([*k, "--heap", "0"], "'--heap' is 0", "use at least 16"),
                ([*k, "--jobs", "0"], "'--jobs' is '0': use a whole number from 1 to 256"),
                ([*k, "--jobs", "257"], "'--jobs' is '257'"),
                ([*k, "--schedule", "sideways"], "use ascending, descending, warp, random, interleave or all"),
                ([*k, "--schedules", "0"], "'--schedules' is '0': use a whole number from 1 to 1000"),
                ([*k, "--schedules", "1001"], "'--schedules' is '1001'"),
                ([*k, "--schedules", "3", "--schedule", "warp"], "leave out '--schedule warp'"),
                ([*k, "--seed", "-1"], "'--seed' is '-1': use a whole number from 0 to 18446744073709551615"),
                ([*k, "--seed", "18446744073709551616"], "'--seed' is '18446744073709551616'"),
                ([*k, "--steps", "0"], "'--steps' is 0"),
                ([*k, "--timeout", "1.5"], "'--timeout' is '1.5': use a whole number from 1"),
                ([*k, "--timeout", "4294967297"], "'--timeout' is '4294967297'"),
                ([*k, "--max-errors", "none"], "'--max-errors' is 'none'"),
                ([*k, "--print", "first"], "'--print' names 'first', which is no buffer"),
                ([*k, "--print", "a b"], "'--print' is 'a b': use the index of an argument, the name of a buffer, or all"),
                ([*k, "--print", "64"], "'--print 64' names no argument: there are 0, from 0 on"),
                ([*k, *["--print", "0"] * 65], "'--print 0' is one too many"),
                ([*k, "--expect", "0"], "'--expect' is '0': write INDEX=@FILE"),
                ([*k, "--expect", "0=@"], "'--expect' is '0=@'"),
                ([*k, "--expect", "x=@y"], "'--expect' names 'x', which is no buffer"),
                ([*k, "--expect", "123456789=@y"], "'--expect 123456789' names no argument"),
                ([*k, *["--expect", "0=@x"] * 65], "'--expect 0=@x' is one too many"),
                ([*k, *["--arg", "1"] * 65], "'--arg 1' is one argument too many"),
                ([*k, *["-Dx"] * 61], "'-Dx' is one option too many for the compiler"),
                ([*k, "--json", "--sarif", "-"], "'--json' and '--sarif -' both want standard output"),
                ([*k, "--frobnicate"], "--frobnicate")):
            with self.subTest(arguments[-2:]):
                self.assert_refused(self.check(*arguments, CXX="false"), *words)

    def test_kernel_is_a_name_and_no_expression(self):
        for kernel in ("k+1", "k, k", "&k", "*k", "(k)", "k()()", "k;", "k<0>; int x", "k<0>)(", "1k", "k 2", "k<int", "k>",
                       "k<{}>", 'k<"a">', "n::", "::", "k(int*) = 0", "k<a = 1>", "k\n#include", "k//", "k<int>k", "k->l",
                       "k.l", "k[0]", "-k", "k<int>()::l", "k(int;)", "k$"):
            with self.subTest(kernel):
                self.assert_refused(self.check("--kernel", kernel, CXX="false"), "is no kernel's name: write NAME")
        for kernel in ("k", "::k", "n::k", "n::m<int>::k", "k<float, 2>", "k<(1 > 0)>", "k<sizeof(int) * 2>", "k<'a'>",
                       "k(int *, const float *)", "k<-1>(n::t<int[2]> *)", "k<n::f>", "k <int>", "k<int> (int)",
                       "k<a<b<c>>>", "k(void (*)(int))", "k<(x >= 2)>", "k<x == 2>"):
            with self.subTest(kernel):
                self.assert_refused(self.check("--kernel", kernel, CXX="false"), "'false' is no C++ compiler")

    def test_no_grid_or_no_block_is_refused(self):
        for shape, words in (([], "no grid: give the number of its blocks with --grid"),
                             (["--block", "32"], "no grid: "),
                             (["--grid", "1"], "no block: give the number of its threads with --block")):
            with self.subTest(shape):
                self.assert_refused(self.check("--kernel", "k", shape=shape, CXX="false"), words)

    def test_device_without_users_kernels_is_refused(self):
        for name, words in (("toaster", "'toaster' is no device of this build that runs a user's kernels: use --device sim"),
                            ("cuda", "use --device sim")):
            self.assert_refused(self.check("--kernel", "k", "--device", name, CXX="false"), words)
        for name in ("sim", "auto"):
            self.assert_refused(self.check("--kernel", "k", "--device", name, CXX="false"), "'false' is no C++ compiler")

    def test_no_file_is_refused(self):
        done = subprocess.run([BINARY, "check", "--kernel", "k"], capture_output=True, text=True, check=False)
        self.assert_refused(done, "no file: reductio check FILE.cu --kernel NAME")

    def test_bad_specs_are_refused_before_the_compiler(self):
        for spec, words in {
                "f8[4]:zero": "has an unknown type: use i8, u8, i16, u16, i32, u32, i64, u64, f32, f64, f16 or bf16",
                "i32[4]": "is no buffer: write TYPE[COUNT]:FILL",
                "i32[0]:zero": "has a count that is not in 1 to 2^33",
                "i32[4]:full": "the buffer 'i32[4]:full' has the fill 'full': use zero",
                "i32[4]:@": "'@' names no file",
                "i32[4]:@missing": "'missing' can't be opened: No such file",
                "host:4": "is no buffer"}.items():
            self.assert_refused(self.check("--kernel", "k", "--arg", spec, CXX="false"), words)


if __name__ == "__main__":
    unittest.main()
