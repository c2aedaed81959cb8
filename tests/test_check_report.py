#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Reports of `reductio check`, also of kernels that crash or never end.

usage: test_check_report.py REDUCTIO [unittest's arguments]"""

import json
import os
import re
import shutil
import unittest

from check_case import CheckTest, HAS_LINES


class ReportTest(CheckTest):
    RACE = ["tile", "--grid", "2", "--block", "64", "--arg", "i32[64]:zero"]

    def test_summary_counts_by_name(self):
        done = self.run_kernel("many", "--block", "2", "--arg", "i32[3]:zero")
        self.assertEqual(done.stdout.splitlines()[-1],
                         "many: 3 hazards in 2 threads: out-of-bounds 2, race 1")

    def test_race_tells_both_sides_and_the_values(self):
        done = self.run_kernel("tile", "--block", "2", "--arg", "i32[2]:zero", "--one-line")
        at = r" at kernels\.cu:\d+:\d+" if HAS_LINES else ""
        front = r"kernels\.cu:\d+:\d+: " if HAS_LINES else ""
        cell = r"cells\[2\]\[1\] \(shared\)" if HAS_LINES else r"cells\[67\] \(shared\)"
        values = r"when it held 0\.5 \(now 1\.5\)" if HAS_LINES else r"when it held 0x\w+ \(now 0x\w+\)"
        self.assertRegex(done.stdout, rf"\A{front}race: write-write, warp: thread 1 of block 0 writes {cell}{at}; "
                         rf"thread 0 of block 0 had written it{at}, {values}; no barrier between, in interval "
                         r"0\. Which lane of a warp writes last")

    @unittest.skipUnless(HAS_LINES, "no source lines")
    def test_places_stand_in_front_as_compilers_have_it(self):
        run = ["tile", "--block", "2", "--arg", "i32[2]:zero"]
        done = self.run_kernel(*run, COLUMNS="1000")
        self.assertRegex(done.stdout, "".join((
            r"\Akernels\.cu:(\d+:\d+): race: write-write, warp: thread 1 of block 0 writes cells\[2\]\[1\] \(shared\)\n",
            r"  kernels\.cu:\1: thread 0 of block 0 had written it, when it held 0\.5 \(now 1\.5\)\n",
            r"  no barrier between, in interval 0\n",
            r"  Which lane of a warp writes last [^\n]*\.\ntile: 1 hazard")))
        narrow = self.run_kernel(*run, COLUMNS="60")
        self.assertLessEqual(max(map(len, narrow.stdout.splitlines())), 60)
        self.assertEqual(narrow.stdout.split(), done.stdout.split())

    @unittest.skipUnless(HAS_LINES, "no source lines")
    def test_threads_at_two_barriers_have_a_line_each(self):
        self.write("step.cu", "__global__ void k() {\nif (threadIdx.x < 1)\n__syncthreads();\nelse\n__syncthreads();\n}\n")
        done = self.check("--kernel", "k", "--block", "2", file="step.cu", COLUMNS="1000")
        self.assertRegex(done.stdout, r"\Astep\.cu:5: barrier-divergence: thread 1 of block 0 waits at the barrier\n"
                         r"  step\.cu:3: thread 0 of block 0 at another\n  [^\n]*\.\nk: 1 hazard")

    def test_max_errors_cuts_every_form(self):
        run = ["many", "--block", "1", "--arg", "i32[1]:zero", "--max-errors", "1"]
        done = self.run_kernel(*run, "--sarif", "log")
        self.assertEqual(done.stdout.count("out-of-bounds: "), 1)
        self.assertIn("\n2 more are left out\nmany: 3 hazards", done.stdout)
        self.assertEqual(len(self.log("log")["results"]), 1)
        report = self.report(*run)
        self.assertEqual((len(report["hazards"]), report["hazards_left_out"]), (1, 2))
        self.assertEqual(report["counts"], {"out-of-bounds": 3})

    def test_a_block_out_of_step_is_told_once_and_two_blocks_twice(self):
        half = "if (threadIdx.x < 1)\n__syncthreads();\nelse\n__syncthreads();\n"
        self.write("step.cu", "__global__ void once() {\n" + half + half + "}\n"
                   "__global__ void twice() {\nif (blockIdx.x == 0) {\n" + half + "} else {\n" + half + "}\n}\n")
        hazards = self.report("once", "--block", "2", file="step.cu")["hazards"]
        self.assertEqual([(hazard["name"], hazard["count"]) for hazard in hazards], [("barrier-divergence", 2)])
        self.assertIn(" at step.cu:5, and thread 0 of block 0 at another at step.cu:3; out of step from then on, also "
                      "at lines 7 and 9; 2 times. ", hazards[0]["message"])
        hazards = self.report("twice", "--grid", "2", "--block", "2", file="step.cu")["hazards"]
        self.assertEqual([(hazard["name"], hazard["count"]) for hazard in hazards], [("barrier-divergence", 1)] * 2)

    def test_quiet_is_the_last_line(self):
        done = self.run_kernel("print", "--block", "2", "--arg", "i32[1]:zero", "-q")
        self.assert_status(done, 1)
        self.assertEqual(done.stdout, "print: 1 hazard in 2 threads: out-of-bounds 1\n")

    def test_output_of_the_kernel_comes_before_the_report(self):
        done = self.run_kernel("print", "--block", "2", "--arg", "i32[2]:zero")
        self.assertEqual(done.stdout.splitlines()[0][:9], "thread 0,")
        self.assertEqual(done.stdout.splitlines()[-1], "print: 0 hazards in 2 threads, which do not communicate: one schedule "
                         "suffices; the result was not judged: give --expect")

    def test_same_seed_gives_the_same_bytes(self):
        for kernel in (self.RACE, ["wild", "--block", "3", "--arg", "i32[4]:zero"],
                       ["copy", "--block", "8", "--arg", "host:i32[8]:one", "--arg", "i32[3]:zero"],
                       ["deep", "--arg", "i32[1]:zero"]):
            run = [*kernel, "--schedule", "interleave", "--seed", "42"]
            first = self.run_kernel(*run, "--json")
            self.assertNotRegex(first.stdout, r"0x[0-9a-f]{6,}")
            self.assertEqual(self.run_kernel(*run, "--json").stdout, first.stdout)
            if shutil.which("setarch"): # the addresses are others
                fixed = self.run_kernel(*run, "--json", prefix=["setarch", "-R"])
                if fixed.returncode != 1: # not everywhere may a process ask for it
                    continue
                self.assertEqual(fixed.stdout, first.stdout)

    def test_another_seed_gives_another_order(self):
        run = [*self.RACE, "--schedule", "random", "--seed"]
        self.assertNotEqual(self.run_kernel(*run, "1").stdout, self.run_kernel(*run, "2").stdout)

    @unittest.skipUnless(HAS_LINES, "no source lines")
    def test_stopped_thread_is_told_with_its_line(self):
        for arguments, words in (
                (["forever", "--arg", "i32[1]:zero", "--timeout", "1"], "does not come to an end at kernels.cu:"),
                (["forever", "--arg", "i32[1]:zero", "--timeout", "1"], ", and was stopped after 1 s. "),
                (["spin", "--arg", "i32[1]:zero", "--steps", "100000"], "does not come to an end at kernels.cu:"),
                (["spin", "--arg", "i32[1]:zero", "--steps", "100000"],
                 ", and was stopped after 100000 accesses with no barrier between. "),
                (["divide", "--arg", "i32[2]:one", "--arg", "0"],
                 "divides 1 by 0 at kernels.cu:"),
                (["stop", "--arg", "i32[1]:zero"], "was ended by signal "),
                (["deep", "--arg", "i32[1]:zero"], "overflows its stack at kernels.cu:")):
            with self.subTest(arguments):
                self.assertIn(words, self.run_kernel(*arguments, "--one-line").stdout)


class JsonTest(CheckTest):
    def test_hazard_has_all_its_fields(self):
        hazard = self.report("tile", "--block", "2", "--arg", "i32[2]:zero", status=1)["hazards"][0]
        self.assertEqual((hazard["name"], hazard["kind"], hazard["scope"]), ("race", "write-write", "warp"))
        self.assertEqual(hazard["array"], "cells")
        self.assertEqual([place["op"] for place in hazard["places"]], ["write", "write"])
        self.assertEqual([place["thread"] for place in hazard["places"]], [1, 0])
        self.assertTrue(hazard["message"].endswith(hazard["lesson"]))
        if HAS_LINES:
            self.assertEqual((hazard["type"], hazard["index"]), ("f32", 67))
            self.assertEqual((hazard["before"], hazard["after"]), ("0.5", "1.5"))

    def test_index_has_three_dimensions(self):
        hazard = self.report("grid_race", "--grid", "1,2", "--block", "1,2", "--arg", "f64[4]:zero",
                             status=1)["hazards"][0]
        self.assertEqual([place["thread_index"] for place in hazard["places"]], [[0, 1, 0], [0, 0, 0]])
        self.assertEqual((hazard["index"], hazard["before"], hazard["after"]), (3, "0", "10"))

    def test_what_the_kernel_prints_is_a_member(self):
        report = self.report("print", "--block", "2", "--arg", "i32[2]:zero", status=0)
        self.assertEqual(report["runs"][0]["printed"], 'thread 0, "\ufffd"\nthread 1, "\ufffd"\n')

    def test_every_outcome_is_one_object(self):
        one = ["--arg", "i32[1]:one"]
        for arguments, status, outcome, names in (
                (["nothing"], 0, "completed", {}),
                (["nothing", "--block", "1025"], 1, None, {"illegal-launch": 1}),
                (["forever", *one, "--timeout", "1"], 1, "timeout", {"no-termination": 1}),
                (["spin", "--arg", "i32[1]:zero", "--steps", "100000"], 1, "completed",
                 {"no-termination": 1}),
                (["stop", *one], 1, "crash", {"crash": 1}),
                (["divide", "--arg", "i32[2]:one", "--arg", "0"], 1, "completed", {"undefined-arithmetic": 1}),
                (["deep", *one], 1, "crash", {"out-of-bounds": 1}),
                (["leave", *one], 2, "failed", {}),
                (["nonesuch"], 2, None, {}),
                (["fill", *one], 2, "failed", {}),
                (["fill", "--arg", "i32[1]:none", "--arg", "1"], 2, None, {})):
            with self.subTest(arguments):
                report = self.report(*arguments, status=status)
                self.assertEqual(report["counts"], names)
                self.assertEqual([run["outcome"] for run in report["runs"]], [outcome] if outcome else [])

    def test_file_that_does_not_compile_is_one_object(self):
        self.write("bad.cu", "__global__ void k() { x = 1; }\n")
        done = self.check("--kernel", "k", "--json", file="bad.cu")
        self.assert_status(done, 2)
        self.assertIn("refuses the file", json.loads(done.stdout)["error"])
        self.assertRegex(done.stderr, r"bad\.cu:1:23: error: .*x.* (was not|undeclared)")


class NothingRanTest(CheckTest):
    def test_initialisation_that_ends_the_process_is_an_error(self):
        for code, words in {
                "std::exit(0)": "the initialisation of 'init.cu' has ended the process: no thread has run",
                "std::abort()": "the initialisation of 'init.cu' was ended by signal 6 (Aborted): no",
                "*(volatile int *)8 = 1": "was ended by signal 11 (Segmentation fault): no thread",
        }.items():
            with self.subTest(code):
                self.write("init.cu", "struct first { first() { %s; } } it;\n"
                           "__global__ void k(int *a) { a[0] = 1; }\n" % code)
                # The address sanitizer would end the process by itself.
                sanitizer = os.environ.get("ASAN_OPTIONS", "") + ":handle_segv=0"
                self.assert_refused(self.check("--kernel", "k", "--arg", "i32[1]:zero", file="init.cu",
                                               ASAN_OPTIONS=sanitizer), words)

    def test_initialisation_without_an_end_is_an_error(self):
        self.write("init.cu", "struct first { first() { for (;;) asm volatile(\"\"); } } it;\n"
                   "__global__ void k(int *a) { a[0] = 1; }\n")
        self.assert_refused(self.check("--kernel", "k", "--arg", "i32[1]:zero", "--timeout", "1",
                                       file="init.cu"),
                            "the initialisation of 'init.cu' was stopped after 1 s: no thread has run")

    def test_kernel_that_leaves_is_an_error(self):
        self.assert_refused(self.run_kernel("leave", "--arg", "i32[1]:zero"),
                            "the kernel has ended the process, as by exit()")

    def test_budget_of_nothing_is_refused(self):
        for option in ("--steps", "--timeout"):
            self.assert_refused(self.run_kernel("nothing", option, "0"), f"'{option}' is ")


class StrayTest(CheckTest):
    def messages(self, *arguments):
        hazards = self.report("copy", "--block", "4", *arguments, status=1)["hazards"]
        self.assertEqual({hazard["name"] for hazard in hazards}, {"out-of-bounds"})
        self.assertEqual({hazard["kind"] for hazard in hazards}, {"stray"})
        return [hazard["message"] for hazard in hazards]

    def test_stray_pointers_are_told_by_what_they_are(self):
        out = ["--arg", "i32[4]:zero"]
        for spec, words in {
                "host:i32[4]:iota": "reads a[0]%s, and a is a host pointer",
                "freed:i32[4]:iota": "reads a[0]%s, which has been freed",
                "0": "reads a[0]%s, and a is a null pointer",
                "0x12340": "reads a[0]%s, and a is 0x12340, which is no device memory"}.items():
            with self.subTest(spec):
                message, = self.messages("--arg", spec, *out)
                self.assertRegex(message, re.escape(words).replace("%s", r"( at \S+)?"))

    def test_host_memory_is_not_written_either(self):
        message, = self.messages("--arg", "i32[4]:zero", "--arg", "host:i32[4]:uninit")
        self.assertRegex(message, r"writes out\[0\]( at \S+)?, and out is a host pointer")

    def test_of_two_null_pointers_neither_is_named(self):
        message, = self.messages("--arg", "0", "--arg", "0")
        self.assertIn("reads a null pointer", message)

    def test_constants_of_the_file_may_be_read(self):
        self.write("c.cu", "static const int table[4] = {3, 1, 4, 1};\n__global__ void k(int *out, int n) "
                   "{ for (int i = 0; i < n; i++) out[i] = table[(i + n) % 4]; }\n")
        done = self.check("--kernel", "k", "--arg", "i32[4]:zero", "--arg", "4", "--print", "0", file="c.cu")
        self.assert_status(done, 0)
        self.assertTrue(done.stdout.endswith("3 1 4 1\n"))

    def test_no_buffer_on_the_device_to_look_at(self):
        for option in (["--print", "0"], ["--expect", "0=@kernels.cu"]):
            self.assert_refused(self.run_kernel("copy", "--arg", "host:i32[4]:iota", "--arg", "0", *option),
                                f"'{option[0]} 0' names 'host:i32[4]:iota', which is no buffer on the device")


if __name__ == "__main__":
    unittest.main()
