#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The log of `reductio check --sarif`.

usage: test_check_sarif.py REDUCTIO [unittest's arguments]"""

import json
import os
import shutil
import unittest

from check_case import CheckTest, HAS_LINES, HERE


class SarifTest(CheckTest):
    def test_result_has_rule_places_and_count(self):
        done = self.run_kernel("lost_update", "--block", "4", "--arg", "i32[1]:zero", "--sarif", "log")
        self.assert_status(done, 1)
        self.assertIn("lost_update: ", done.stdout)
        run = self.log("log")
        self.assertEqual(run["invocations"], [{"executionSuccessful": True, "exitCode": 1, "toolExecutionNotifications": [
            {"level": "note", "message": {"text": "the result was not judged: give --expect"}}]}])
        self.assertEqual(run["tool"]["driver"]["name"], "reductio")
        result = run["results"][0]
        self.assertEqual((result["ruleId"], result["level"]), ("race", "error"))
        self.assertEqual(result["properties"]["array"], "sum")
        self.assertEqual(result["occurrenceCount"], 3)
        self.assertEqual(len(result["relatedLocations"]), 1)
        if HAS_LINES:
            for location in result["locations"] + result["relatedLocations"]:
                physical = location["physicalLocation"]
                self.assertEqual(physical["artifactLocation"], {"uri": "kernels.cu"})
                self.assertEqual(physical["region"]["startLine"], self.line("sum[0] += 1;"))

    def line(self, text):
        with open(os.path.join(HERE, "check", "kernels.cu"), encoding="utf-8") as file:
            return next(n for n, line in enumerate(file, 1) if text in line)

    def test_clean_run_has_all_rules_and_no_result(self):
        self.run_kernel("nothing", "--sarif", "log")
        run = self.log("log")
        self.assertEqual(run["results"], [])
        rules = {rule["id"]: rule for rule in run["tool"]["driver"]["rules"]}
        for name in ("race", "barrier-divergence", "barrier-skipped-by-exit", "out-of-bounds",
                     "misaligned", "uninitialised", "illegal-launch", "no-termination",
                     "shuffle-from-inactive-lane", "mask-mismatch", "assert-failed", "leak",
                     "undefined-arithmetic", "dead-frame", "crash", "order-dependent", "plain-read-of-atomic",
                     "unexpected-result"):
            self.assertGreater(len(rules[name]["help"]["text"]), 30)
            self.assertRegex(rules[name]["shortDescription"]["text"], r"\A[A-Z].{20,}\.\Z")

    def test_failure_is_a_notification(self):
        done = self.run_kernel("nonesuch", "--sarif", "log")
        self.assert_status(done, 2)
        run = self.log("log")
        invocation = run["invocations"][0]
        self.assertFalse(invocation["executionSuccessful"])
        self.assertEqual(invocation["exitCode"], 2)
        self.assertIn("'nonesuch' is not in 'kernels.cu'",
                      invocation["toolExecutionNotifications"][0]["message"]["text"])
        self.assertEqual({(result["kind"], result["ruleId"]) for result in run["results"]}, {("open", "inconclusive")})

    def test_illegal_launch_is_at_the_file(self):
        self.run_kernel("nothing", "--block", "2000", "--sarif", "log")
        result = self.log("log")["results"][0]
        self.assertEqual(result["ruleId"], "illegal-launch")
        self.assertEqual(result["locations"][0]["physicalLocation"],
                         {"artifactLocation": {"uri": "kernels.cu"}})

    def test_differences_are_results_too(self):
        self.write("want", "1")
        self.run_kernel("float_sum", "--block", "64", "--arg", "f32[1]:zero", "--schedules", "2",
                        "--expect", "0=@want", "--sarif", "log")
        self.assertEqual([result["ruleId"] for result in self.log("log")["results"]],
                         ["order-dependent", "unexpected-result"])

    def test_standard_output_has_the_log_alone(self):
        done = self.run_kernel("print", "--block", "2", "--arg", "i32[1]:zero", "--sarif", "-")
        self.assert_status(done, 1)
        self.assertEqual(self.validated(json.loads(done.stdout))["results"][0]["ruleId"], "out-of-bounds")

    def test_uri_is_as_given(self):
        os.mkdir(os.path.join(self.folder, "a b"))
        shutil.copy(os.path.join(self.folder, "kernels.cu"), os.path.join(self.folder, "a b", "k#.cu"))
        for given, uri in {"a b/k#.cu": "a%20b/k%23.cu",
                           os.path.join(self.folder, "kernels.cu"): "file://" + os.path.join(self.folder, "kernels.cu")}.items():
            self.run_kernel("wild", "--arg", "i32[1]:zero", "--sarif", "log", file=given)
            location = self.log("log")["results"][0]["locations"][0]["physicalLocation"]
            self.assertEqual(location["artifactLocation"]["uri"], uri if HAS_LINES else location)

    def test_file_that_cant_be_written_is_a_failure(self):
        done = self.run_kernel("nothing", "--sarif", "no/such/folder")
        self.assert_status(done, 2)
        self.assertIn("reductio: 'no/such/folder' can't be written: No such file", done.stderr)
        self.assertEqual(done.stdout, "") # told before anything runs

    def test_file_that_is_refused_has_a_log(self):
        self.assert_refused(self.check("--kernel", "k", "--sarif", "log", "--arg", "i32[1]:zero", file="no.cu"))
        self.assertEqual(self.log("log")["invocations"][0]["exitCode"], 2)


if __name__ == "__main__":
    unittest.main()
