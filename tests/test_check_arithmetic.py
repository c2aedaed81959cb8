#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`reductio check`: arithmetic that CUDA C++ leaves undefined is a hazard with its place and its operands, and the
thread goes on with what a GPU gives. test_check_arithmetic.py REDUCTIO"""

import os
import platform
import shutil
import unittest

from arithmetic_table import CASES
from check_case import HAS_LINES, HERE, CheckTest

# Elsewhere the value is the processor's, and the report says so.
RESUMES = platform.machine() == "x86_64"


def text_of(kind, cells):
    return " ".join(repr(cell) if kind[0] == "f" else str(cell) for cell in cells)


class CheckArithmeticTest(CheckTest):
    def setUp(self):
        super().setUp()
        shutil.copy(os.path.join(HERE, "check", "arithmetic.cu"), self.folder)
        self.environment["CHECK_KERNELS"] = " ".join(sorted({case.kernel for case in CASES}))

    def compute(self, case, *more, **environment):
        arguments = []
        for number, (kind, cells) in enumerate(case.inputs):
            name = self.write(f"{case.kernel}.{number}", text_of(kind, cells))
            arguments += ["--arg", f"{kind}[{len(cells)}]:@{name}"]
        for kind, cells in case.outputs:
            arguments += ["--arg", f"{kind}[{len(cells)}]:uninit"]
        return self.report(case.kernel, *arguments, "--print", "all", *more, file="arithmetic.cu",
                           shape=("--grid", "1", "--block", str(case.threads)), **environment)

    def assert_as_a_gpu(self, case, report):
        counts = {}
        for hazard in report["hazards"]:
            self.assertEqual(hazard["name"], "undefined-arithmetic", hazard["message"])
            counts[hazard["kind"]] = counts.get(hazard["kind"], 0) + hazard["count"]
            if RESUMES:
                self.assertIn("it goes on with ", hazard["message"])
                self.assertNotIn("this computer's processor", hazard["message"])
        self.assertEqual(counts, case.counts)
        buffers = report["buffers"][len(case.inputs):]
        for number, ((_, cells), buffer) in enumerate(zip(case.outputs, buffers)):
            if RESUMES:
                for index, (wanted, cell) in enumerate(zip(cells, buffer["values"])):
                    self.assertEqual(int(cell), wanted,
                                     f"output {number} of {[x[index] for _, x in case.inputs]}")

    def test_undefined_arithmetic_goes_on_as_on_a_gpu(self):
        for case in CASES:
            with self.subTest(case.kernel):
                self.assert_as_a_gpu(case, self.compute(case, status=1 if case.counts else 0))

    def test_undefined_arithmetic_goes_on_as_on_a_gpu_with_clang(self):
        if not shutil.which("clang++"):
            self.skipTest("no clang++")
        for case in CASES:
            with self.subTest(case.kernel):
                self.assert_as_a_gpu(case, self.compute(case, CHECK_CXX="clang++"))

    def test_a_hazard_names_its_place_and_operands(self):
        for kernel, column, words in (
                ("shifts_one", "16", "shifts 1 to the left by 40"),
                ("in_a_function", "14", "divides 8 by 0")):
            with self.subTest(kernel):
                fill = "plus40" if kernel == "shifts_one" else "zero"
                hazard = self.report(kernel, "--arg", f"i32[1]:{fill}", "--arg", "i32[1]:zero", status=1,
                                     file="arithmetic.cu")["hazards"][0]
                self.assertIn(f"thread 0 of block 0 {words}" if RESUMES else "thread 0 of block 0 ", hazard["message"])
                self.assertEqual(hazard["places"][0]["thread"], 0)
                if HAS_LINES:
                    self.assertEqual(hazard["places"][0]["file"], "arithmetic.cu")
                    self.assertEqual(str(hazard["places"][0]["column"]), column)
                    self.assertIn(" at arithmetic.cu:", hazard["message"])

    def test_a_result_is_used_as_on_a_gpu(self):
        report = self.report("in_a_function", "--arg", "i32[2]:zero", "--arg", "i32[2]:zero", "--print", "1", status=1,
                             file="arithmetic.cu", shape=("--grid", "1", "--block", "2"))
        self.assertEqual({hazard["kind"] for hazard in report["hazards"]}, {"division", "shift"})
        if RESUMES:
            self.assertEqual(report["buffers"][0]["values"], [1, 1])

    def test_what_the_compiler_computes_is_told_and_comes_to_its_end(self):
        report = self.report("constants", "--arg", "i32[4]:zero", "--print", "0", status=1, file="arithmetic.cu")
        self.assertEqual({hazard["kind"] for hazard in report["hazards"]}, {"shift", "conversion", "division"})
        self.assertEqual(report["buffers"][0]["values"][3], 7)
        self.assertEqual(report["runs"][0]["outcome"], "completed")

    def test_threads_that_wait_for_each_other_each_go_on(self):
        for schedule in ("ascending", "random", "interleave"):
            with self.subTest(schedule):
                report = self.report("between_barriers", "--arg", "i32[128]:plus20", "--arg", "i32[128]:zero", "--print",
                                     "1", "--schedule", schedule, status=1, file="arithmetic.cu",
                                     shape=("--grid", "1", "--block", "64"))
                amounts = [83 - i for i in range(64)]
                self.assertEqual({hazard["kind"] for hazard in report["hazards"]}, {"shift"})
                if RESUMES:
                    wanted = [(3 << n) % 2**32 + (1 << n) if n < 32 else 0 for n in amounts]
                    self.assertEqual([cell % 2**32 for cell in report["buffers"][0]["values"][:64]],
                                     [value % 2**32 for value in wanted])

    def test_what_is_counted_in_processes_is_counted_once(self):
        one, four = (self.report("shifts_one", "--arg", "i32[64]:iota", "--arg", "i32[64]:zero", "--jobs", jobs,
                                 file="arithmetic.cu", shape=("--grid", "8", "--block", "64"))["hazards"]
                     for jobs in ("1", "4"))
        counts = [[hazard["count"] for hazard in hazards if hazard["name"] == "undefined-arithmetic"]
                  for hazards in (one, four)]
        self.assertEqual(counts, [[256], [256]])
        self.assertEqual([hazard["message"] for hazard in one], [hazard["message"] for hazard in four])

    # ---- products and sums of floats ----

    def write_products(self):
        return self.write("products.cu", """
__global__ void products(const float *a, const double *d, float *out, double *wide)
{
    out[0] = a[0] * a[0] - a[1];
    wide[0] = d[0] * d[0] - d[1];
    float sum = 0;
    for (int k = 0; k < 2; k++)
        sum += a[2 + k] * a[2 + k];
    out[1] = sum;
}
__global__ void product(const float *a, float *out) { out[0] = a[0] * a[0]; }
""")

    def compute_products(self, *more, **environment):
        a, b = 1 + 2.0**-12, 1 + 2.0**-27
        floats = self.write("a", f"{a!r} {1 + 2.0**-11!r} 3 {a!r}")
        doubles = self.write("d", f"{b!r} {1 + 2.0**-26!r}")
        return self.report("products", "--arg", f"f32[4]:@{floats}", "--arg", f"f64[2]:@{doubles}", "--arg",
                           "f32[2]:zero", "--arg", "f64[1]:zero", "--print", "all", *more, status=0,
                           file=self.write_products(), **environment)

    def test_products_are_rounded_by_themselves_and_the_report_says_so(self):
        for more in ((), ("--fmad", "off")):
            report = self.compute_products(*more)
            self.assertEqual((report["fmad"], report["multiplies_and_adds"]), ("off", True))
            self.assertEqual([float(buffer["values"][0]) for buffer in report["buffers"][2:]], [0, 0])
        done = self.run_kernel("products", *["--arg", "f32[4]:one", "--arg", "f64[2]:one", "--arg", "f32[2]:zero",
                                            "--arg", "f64[1]:zero"], file="products.cu")
        self.assertIn("floats: a*b + c is rounded twice here, and once by nvcc", done.stdout)

    def test_fmad_rounds_products_and_sums_once(self):
        if platform.machine() == "x86_64":
            with open("/proc/cpuinfo", encoding="utf-8") as file:
                has_fma = " fma " in file.read()
            if not has_fma:
                self.assert_refused(self.run_kernel("products", "--fmad", "on", file=self.write_products()), "FMA")
                return
        for compiler in ("g++", "clang++"):
            if not shutil.which(compiler):
                continue
            with self.subTest(compiler):
                report = self.compute_products("--fmad", "on", CXX=compiler)
                self.assertEqual((report["fmad"], report["multiplies_and_adds"]), ("on", False))
                self.assertEqual([float(buffer["values"][0]) for buffer in report["buffers"][2:]],
                                 [2.0**-24, 2.0**-54])
        done = self.run_kernel("products", *["--arg", "f32[4]:one", "--arg", "f64[2]:one", "--arg", "f32[2]:zero",
                                            "--arg", "f64[1]:zero", "--fmad", "on"], file="products.cu")
        self.assertNotIn("floats:", done.stdout)

    def test_of_integers_nothing_is_said(self):
        report = self.report("nothing", status=0)
        self.assertFalse(report["multiplies_and_adds"])
        self.assertNotIn("floats:", self.run_kernel("nothing").stdout)

    def test_fmad_takes_on_and_off_only(self):
        self.assert_refused(self.run_kernel("nothing", "--fmad", "yes"), "'--fmad' is 'yes': use on or off")

    @unittest.skipUnless(RESUMES, "other instructions")
    def test_undefined_arithmetic_goes_on_as_on_a_gpu_with_fmad(self):
        for case in CASES:
            if case.kernel in ("shifts_const", "converts_float", "converts_double", "divides_long"):
                with self.subTest(case.kernel):
                    self.assert_as_a_gpu(case, self.compute(case, "--fmad", "on", status=1))


if __name__ == "__main__":
    unittest.main()
