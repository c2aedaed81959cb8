#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Results in the buffers that `reductio check` compares and prints: --expect, --print, --schedules.

usage: test_check_results.py REDUCTIO [unittest's arguments]"""

import re
import struct
import unittest

from check_case import CheckTest


NOT_JUDGED = "; the result was not judged: give --expect"


class ExpectTest(CheckTest):
    FILL = ["--block", "4", "--arg", "i32[4]:zero", "--arg", "7"]

    def test_equal_buffer_is_as_expected(self):
        self.write("want", "7 7 7 7")
        done = self.run_kernel("fill", *self.FILL, "--expect", "0=@want")
        self.assert_status(done, 0)
        self.assertEqual(done.stdout, "as expected: a is as in 'want'\n"
                         "fill: 0 hazards in 4 threads, which do not communicate: one schedule suffices\n")

    def test_first_difference_is_told_with_both_values_and_the_count(self):
        self.write("want", "7 8 7 9")
        done = self.run_kernel("fill", *self.FILL, "--expect", "0=@want")
        self.assert_status(done, 1)
        self.assertEqual(done.stdout, "unexpected: a[1] is 7, and 'want' has 8; 2 of 4 differ\n"
                         "fill: 0 hazards in 4 threads, which do not communicate: one schedule suffices; 1 unexpected result\n")
        expected = self.report("fill", *self.FILL, "--expect", "0=@want", status=1)["expected"]
        self.assertEqual(expected, [{
            "argument": 0, "array": "a", "file": "want", "n_elems": 4, "compared": True, "differ": 2,
            "first": {"index": 1, "expected": "8", "actual": "7", "schedule": "ascending"}}])

    def test_floats_are_compared_by_their_bits_but_for_nan(self):
        self.write("in", "nan -nan -0 1")
        self.write("same", "nan nan -0 0.5")
        self.write("zero", "nan nan 0 0.5")
        run = ["halves", "--block", "4", "--arg", "f32[4]:@in"]
        self.assert_status(self.run_kernel(*run, "--expect", "0=@same"), 0)
        done = self.run_kernel(*run, "--expect", "0=@zero")
        self.assert_status(done, 1)
        self.assertIn("a[2] is -0, and 'zero' has 0; 1 of 4 differ", done.stdout)

    def test_several_buffers_are_compared_also_with_npy(self):
        header = b"{'descr': '<i4', 'fortran_order': False, 'shape': (2, 2), }"
        self.write("want.npy", b"\x93NUMPY\x01\0" + struct.pack("<H", len(header)) + header +
                   struct.pack("<4i", 0, 1, 2, 3))
        self.write("text", "0 1 2 4")
        report = self.report("copy", "--block", "4", "--arg", "i32[4]:@want.npy", "--arg",
                             "i32[4]:uninit", "--expect", "0=@want.npy", "--expect", "1=@text", status=1)
        self.assertEqual([one["differ"] for one in report["expected"]], [0, 1])
        self.assertEqual([one["array"] for one in report["expected"]], ["a", "out"])

    def test_kernel_without_an_end_is_not_compared(self):
        self.write("want", "7")
        done = self.run_kernel("spin", "--arg", "i32[1]:zero", "--steps", "100000", "--timeout", "60",
                               "--expect", "0=@want")
        self.assert_status(done, 1)
        done = self.run_kernel("forever", "--arg", "i32[1]:zero", "--timeout", "1", "--expect", "0=@want")
        self.assert_status(done, 1)
        self.assertIn("not compared: a and 'want': the kernel did not come to its end\n", done.stdout)

    def test_what_cant_be_compared_is_refused(self):
        self.write("short", "7 7 7")
        self.write("word", "7 7 seven 7")
        for spec, words in {
                "0=@short": "'short' has 3 numbers, and the buffer 4 elements",
                "0=@word": "'word' line 1: 'seven' is not an i32 number",
                "0=@missing": "'missing' can't be opened: No such file",
                "1=@short": "'--expect 1' names '7', which is no buffer",
                "2=@short": "'--expect 2' names no argument: there are 2, from 0 on"}.items():
            with self.subTest(spec):
                self.assert_refused(self.run_kernel("fill", *self.FILL, "--expect", spec, CXX="false"),
                                    words)


class PrintTest(CheckTest):
    COPY = ["copy", "--block", "3", "--arg", "i32[3]:iota", "--arg", "i32[3]:zero"]

    def test_one_buffer_is_its_values_alone(self):
        self.assertTrue(self.run_kernel(*self.COPY, "--print", "1").stdout.endswith("\n0 1 2\n"))

    def test_several_have_their_names(self):
        for option in (["--print", "0", "--print", "1"], ["--print", "all"]):
            done = self.run_kernel(*self.COPY, *option)
            self.assertTrue(done.stdout.endswith("\na: 0 1 2\nout: 0 1 2\n"), done.stdout)

    def test_json_has_them(self):
        report = self.report(*self.COPY, "--print", "1", status=0)
        self.assertEqual(report["buffers"],
                         [{"argument": 1, "array": "out", "type": "i32", "values": [0, 1, 2]}])

    def test_json_keeps_what_a_double_would_change(self):
        self.write("in", "inf nan -0.5 3e38")
        report = self.report("halves", "--block", "4", "--arg", "f32[4]:@in", "--print", "0")
        values = report["buffers"][0]["values"]
        self.assertEqual(values[:3], ["inf", "nan", -0.25])
        self.write("wide", "9223372036854775807 1")
        report = self.report("made<long>", "--arg", "i64[2]:@wide", "--print", "0")
        self.assertEqual(report["buffers"][0]["values"], [3, 1])
        report = self.report("made<long>", "--arg", "i64[2]:plus9223372036854775806", "--print", "0")
        self.assertEqual(report["buffers"][0]["values"], [3, "9223372036854775807"])

    def test_what_is_no_buffer_is_refused(self):
        for index, words in {"2": "names no argument: there are 2", "1": "names '7', which is no buffer"}.items():
            self.assert_refused(self.run_kernel("fill", *ExpectTest.FILL, "--print", index, CXX="false"),
                                f"'--print {index}' {words}")


class SchedulesTest(CheckTest):
    def test_same_results_are_said_to_be(self):
        done = self.run_kernel("int_sum", "--block", "40", "--arg", "i32[1]:zero", "--schedules", "7")
        self.assert_status(done, 0)
        self.assertEqual(done.stdout, "results: the same under all 7 schedules\n"
                         "int_sum: 0 hazards in 40 threads under 7 schedules; the result was not judged: give --expect\n")

    def test_result_that_depends_on_the_schedule_is_a_finding(self):
        run = ["float_sum", "--block", "64", "--arg", "f32[1]:zero", "--schedules", "3"]
        done = self.run_kernel(*run)
        self.assert_status(done, 1)
        self.assertRegex(done.stdout, r"\Aorder-dependent: sum\[0\] is 4\.74\d+ under schedule descending, "
                         r"and\s+4\.74\d+\s+under\s+ascending\n")
        self.assertIn("float_sum: 1 hazard in 64 threads under 3 schedules: order-dependent 1\n", done.stdout)
        results = self.report(*run, status=1)["results"]
        self.assertEqual((results["same"], results["compared"], results["of"]), (False, 3, 3))
        self.assertEqual(results["difference"]["other_schedule"], "ascending")
        self.assertNotEqual(results["difference"]["value"], results["difference"]["other_value"])

    def test_result_that_may_depend_on_the_schedule_is_said_to(self):
        done = self.run_kernel("float_sum", "--block", "64", "--arg", "f32[1]:zero", "--expect-nondeterminism")
        self.assert_status(done, 0)
        self.assertRegex(done.stdout, r"\Aresults differ: sum\[0\] is 4\.74\d+ under schedule descending, and "
                         r"4\.74\d+ under ascending; [123] of 4 schedules differ from ascending\n"
                         r"float_sum: 0 hazards in 64 threads under 4 schedules; the result was not judged: give --expect\n\Z")

    def test_what_is_left_on_the_device_heap_is_compared(self):
        shape = ["--block", "64", "--arg", "i32[64]:zero"]
        told = {how: self.report("leaves_heap", *shape, "--arg", str(how), status=1) for how in range(3)}
        kinds = [(told[how]["results"]["heap_difference"] or {"kind": None})["kind"] for how in told]
        self.assertEqual(kinds, [None, "order", "values"])
        self.assertEqual([told[how]["results"]["same"] for how in told], [True, True, False])
        self.assertEqual([told[how]["counts"] for how in told], [{"leak": 1}, {"leak": 1}, {"leak": 1, "order-dependent": 1}])
        done = self.run_kernel("leaves_heap", *shape, "--arg", "1")
        self.assertRegex(done.stdout, r"device heap: of what a kernel allocates at .*kernels.cu:\d+, blocks of 32 bytes, some hold something else "
                                      r"under schedule descending than under ascending: the same words in another order")
        done = self.run_kernel("leaves_some", *shape, "--one-line")
        self.assertRegex(done.stdout, r"order-dependent: of what a kernel allocates at .*, blocks of 32 bytes, 0 are left under schedule "
                                      r"descending, and 1 under ascending")

    def test_what_is_left_in_variables_is_compared(self):
        shape = ["--block", "64", "--arg", "i32[64]:zero"]
        told = [self.report("leaves_variables", *shape, "--arg", str(how), status=int(how in (1, 2)))["results"] for how in range(5)]
        self.assertEqual([one["same"] for one in told], [True, False, False, True, True])
        order = {"schedule": "descending", "other_schedule": "ascending"}
        self.assertEqual([one["variable_difference"] for one in told], [
            None, {"variable": "last_of", "kind": "values", "index": 2, "value": "0", "other_value": "63", **order},
            {"variable": "last_of_many", "kind": "values", **order}, {"variable": "last_block", "kind": "bytes", **order}, None])
        done = self.run_kernel("leaves_variables", *shape, "--arg", "1", "--one-line")
        self.assertRegex(done.stdout, r"\Aorder-dependent: last_of\[2\] is 0 under schedule descending, and 63 under ascending")
        done = self.run_kernel("leaves_variables", *shape, "--arg", "3")
        self.assertIn("variable: last_block holds something else under schedule descending than under ascending: not judged, as it is no number\n",
                      done.stdout)

    def test_what_is_printed_is_compared(self):
        shape = ["--block", "64", "--arg", "i32[64]:zero"]
        done = self.run_kernel("prints", *shape, "--arg", "1")
        self.assert_status(done, 0)
        self.assertIn("\nresults: the same under all 4 schedules\n"
                      "threads print something else under schedule descending than under ascending\n", done.stdout)
        self.assertIsNone(self.report("prints", *shape, "--arg", "0")["results"]["print_difference"])

    def test_lost_update_is_lost_under_interleave(self):
        run = ["lost_update", "--block", "16", "--arg", "i32[1]:zero", "--schedules", "9", "--seed", "5"]
        report = self.report(*run, status=1)
        self.assertEqual([run["schedule"] for run in report["runs"]],
                         ["ascending", "descending", "random seed 5", "random seed 6", "warp",
                          "interleave seed 5", "random seed 7", "interleave seed 6", "random seed 8"])
        self.assertFalse(report["results"]["same"])
        self.assertEqual(report["results"]["difference"]["other_value"], "16")
        self.assertRegex(report["results"]["difference"]["schedule"], "interleave")

    def test_hazard_of_all_runs_is_told_once(self):
        done = self.run_kernel("many", "--block", "1", "--arg", "i32[1]:zero", "--schedules", "4")
        self.assert_status(done, 1)
        self.assertEqual(done.stdout.count("out-of-bounds: "), 3, done.stdout)
        self.assertNotIn("Seen under", done.stdout)
        self.assertIn("many: 3 hazards in 1 thread under 4 schedules: out-of-bounds 3", done.stdout)

    def test_hazard_of_some_runs_names_them(self):
        run = ["last_one", "--block", "8", "--arg", "i32[1]:zero", "--arg", "i32[8]:zero"]
        self.assert_status(self.run_kernel(*run, "--schedule", "ascending"), 0)
        done = self.run_kernel(*run, "--schedules", "3")
        self.assert_status(done, 1)
        self.assertIn(" Seen under 1 of 3 schedules: descending.\n", done.stdout)
        hazards = self.report(*run, "--schedules", "3")["hazards"]
        self.assertEqual([hazard["schedules"] for hazard in hazards], [["descending"]])

    def test_all_tells_each_run_on_its_own(self):
        done = self.run_kernel("lost_update", "--block", "2", "--arg", "i32[1]:zero", "--schedule", "all",
                               "--print", "0")
        self.assert_status(done, 1)
        self.assertEqual(re.findall("^schedule (.*)$", done.stdout, re.M),
                         ["ascending", "descending", "warp", "random", "interleave"])
        self.assertEqual(len(re.findall("^lost_update: [1-9]", done.stdout, re.M)), 5)
        self.assertNotIn("results", done.stdout)

    def test_all_is_one_object_in_json(self):
        report = self.report("lost_update", "--block", "2", "--arg", "i32[1]:zero", "--schedule", "all")
        self.assertEqual(len(report["runs"]), 5)
        self.assertIsNone(report["results"])

    def test_expectation_names_the_schedule(self):
        self.write("want", "16")
        done = self.run_kernel("lost_update", "--block", "16", "--arg", "i32[1]:zero", "--schedules", "9",
                               "--seed", "5", "--expect", "0=@want")
        self.assertRegex(done.stdout, r"unexpected: sum\[0\] is \d+, and 'want' has 16; 1 of 1 differ, "
                         r"under schedule interleave seed \d\n")


class JudgedTest(CheckTest):
    FILL = ("fill", "--arg", "i32[4]:zero", "--arg", "7")

    def test_no_hazards_is_not_a_right_result(self):
        done = self.run_kernel(*self.FILL, "--block", "4")
        self.assertEqual(done.stdout, "fill: 0 hazards in 4 threads, which do not communicate: one schedule suffices%s\n" % NOT_JUDGED)
        self.assertEqual(self.run_kernel(*self.FILL, "--block", "4", "-q").stdout, done.stdout)
        self.assertIs(self.report(*self.FILL, "--block", "4", status=0)["judged"], False)
        self.run_kernel(*self.FILL, "--block", "4", "--sarif", "log")
        notes = self.log("log")["invocations"][0]["toolExecutionNotifications"]
        self.assertEqual([(note["level"], note["message"]["text"]) for note in notes], [("note", NOT_JUDGED[2:])])

    def test_what_was_compared_is_judged(self):
        self.write("want", "7 7 7 7")
        for arguments in ([*self.FILL, "--block", "4", "--expect", "0=@want"], [*self.FILL, "--block", "8"],
                          ["wild", "--arg", "i32[1]:zero"]):
            self.assertNotIn("judged", self.run_kernel(*arguments).stdout)
        self.assertIs(self.report(*self.FILL, "--block", "4", "--expect", "0=@want")["judged"], True)


if __name__ == "__main__":
    unittest.main()
