#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`reductio check` with --format: all documents say the same, and nothing that was not checked looks clean.

usage: test_check_formats.py REDUCTIO [unittest's arguments]"""

import json
import os
import shutil
import signal
import subprocess
import time
import unittest

import results_case
from check_case import BINARY, CheckTest, HAS_LINES
from patience import Process, WAIT_S
from results_case import FORMATS, agree


class FormatsTest(CheckTest):
    def documents(self, kernel, *arguments, **more):
        done = {name: self.run_kernel(kernel, *arguments, "--format", name, **more) for name in FORMATS}
        statuses = {one.returncode for one in done.values()} | {self.run_kernel(kernel, *arguments, **more).returncode}
        self.assertEqual(len(statuses), 1, done)
        for one in done.values():
            self.assertEqual(bool(one.stderr), statuses == {2}, one.stderr)
        return {name: one.stdout for name, one in done.items()}, statuses.pop()

    def agreed(self, *arguments, **more):
        verdict, (subject,) = agree(self, *self.documents(*arguments, **more))
        self.assertEqual(subject["verdict"], verdict)
        return subject, dict(subject["tests"])

    def test_no_hazard_says_nothing_of_the_result(self):
        subject, states = self.agreed("nothing", "--block", "4", "--no-sandbox")
        self.assertEqual(subject["verdict"], "NO_HAZARD")
        self.assertIn("--no-sandbox", subject["not_contained"])
        self.assertEqual(states, {"hazards": "HOLDS", "local variables": "HOLDS", "result": "SKIPPED"})
        self.assertEqual(subject["not_looked_at"], ["the result was not judged: give --expect"])
        self.assertEqual((subject["hazards"], subject["facts"]["threads"]), (0, 4))

    def test_result_that_was_compared_holds_or_not(self):
        arguments = ("float_sum", "--block", "64", "--arg", "f32[1]:zero", "--schedules", "1")
        self.write("want", "1")
        subject, states = self.agreed(*arguments, "--expect", "0=@want")
        self.assertEqual((subject["verdict"], states["result"], subject["violations"]), ("VIOLATED", "VIOLATED", 1))
        document = json.loads(self.run_kernel(*arguments, "--expect", "0=@want", "--format", "json").stdout)
        violation = document["subjects"][0]["violations"][0]
        self.assertEqual((violation["kind"], violation["cell"], violation["expected"]), ("result", 0, "1"))
        self.write("want", violation["actual"])
        subject, states = self.agreed(*arguments, "--expect", "0=@want")
        self.assertEqual((subject["verdict"], states["result"]), ("HOLDS", "HOLDS"))

    def test_hazard(self):
        arguments = ("lost_update", "--block", "4", "--arg", "i32[1]:zero")
        subject, states = self.agreed(*arguments)
        self.assertEqual((subject["verdict"], subject["hazards"], states["hazards"]), ("VIOLATED", 1, "VIOLATED"))
        document = json.loads(self.run_kernel(*arguments, "--format", "json").stdout)
        hazard = document["subjects"][0]["hazards"][0]
        self.assertEqual((hazard["name"], hazard["array"], hazard["count"]), ("race", "sum", 3))
        if HAS_LINES:
            self.assertEqual([place["file"] for place in hazard["places"]], ["kernels.cu"] * 2)

    def test_hazards_that_are_left_out_are_counted(self):
        subject, states = self.agreed("float_sum", "--block", "64", "--arg", "f32[1]:zero", "--schedules", "2")
        self.assertEqual((subject["hazards"], states["hazards"]), (1, "VIOLATED"))

    def test_launch_that_is_refused(self):
        subject, states = self.agreed("nothing", "--block", "2000")
        self.assertEqual((subject["verdict"], states["hazards"]), ("VIOLATED", "VIOLATED"))
        self.assertNotIn("HOLDS", states.values())

    def test_local_variables_that_were_not_looked_at(self):
        subject, states = self.agreed("nothing", "--private", "off")
        self.assertEqual(states["local variables"], "SKIPPED")
        self.assertIn("local variables: not looked at (--private off)", subject["not_looked_at"])

    def test_kernel_that_does_not_end(self):
        subject, states = self.agreed("spin", "--arg", "i32[1]:zero", "--steps", "1000")
        self.assertEqual((subject["verdict"], states["hazards"]), ("VIOLATED", "VIOLATED"))
        self.assertEqual(states["local variables"], "OPEN")
        _, states = self.agreed("spin", "--arg", "i32[1]:zero", "--timeout", "1")
        self.assertEqual(states["local variables"], "OPEN")

    def test_result_of_a_kernel_that_does_not_end_is_not_compared(self):
        self.write("want", "0")
        subject, states = self.agreed("spin", "--arg", "i32[1]:zero", "--steps", "1000", "--expect", "0=@want")
        self.assertEqual((subject["verdict"], states["result"]), ("VIOLATED", "OPEN"))

    def test_kernel_that_crashes(self):
        subject, states = self.agreed("stop", "--arg", "i32[1]:zero")
        self.assertEqual((subject["verdict"], states["hazards"]), ("VIOLATED", "VIOLATED"))
        self.assertEqual(states["local variables"], "OPEN")

    def interrupt(self, number, compiled, *arguments):
        """Stops the check of a kernel that never ends, while it is compiled or while it runs, and returns its output."""
        command = [BINARY, "check", "kernels.cu", "--kernel", "spin", "--grid", "1", "--block", "1", "--arg",
                   "i32[1]:zero", "-DNESTED=4", *arguments]
        signal.signal(signal.SIGHUP, signal.SIG_DFL)  # under nohup a child would inherit that it's ignored
        with Process(command, cwd=self.folder, env=self.environment, text=True, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE) as process:
            end = time.monotonic() + WAIT_S
            names = set()
            while (names != {"reductio"} if compiled else not names) and time.monotonic() < end:
                time.sleep(0.02)
                names = self.children(process.pid)
            process.send_signal(number)
            out, err = process.communicate(timeout=WAIT_S)
        self.assertEqual((process.returncode, err), (130, ""))
        return out

    @staticmethod
    def children(pid):
        """The names of what the processes run."""
        names = set()
        with open(f"/proc/{pid}/task/{pid}/children", encoding="utf-8") as file:
            for child in file.read().split():
                try:
                    with open(f"/proc/{child}/comm", encoding="utf-8") as comm:
                        names.add(comm.read().strip())
                except (FileNotFoundError, ProcessLookupError):
                    pass
        return names

    @unittest.skipUnless("RD_TEST_LATE_SIGNAL" in os.environ, "takes a library that the build makes")
    def test_child_is_not_signalled_behind_its_end(self):
        ended = 0
        while True:
            done = self.run_kernel("nothing", LD_PRELOAD=os.environ["RD_TEST_LATE_SIGNAL"], LATE_SIGNAL=str(ended + 1))
            if done.returncode == 0:
                break
            self.assertEqual((done.returncode, done.stderr), (130, ""), f"child {ended + 1}")
            ended += 1
        self.assertGreater(ended, 4)  # compiled and linked twice, and run

    def test_interrupted_check_has_a_document_in_which_nothing_holds(self):
        for name, read in results_case.READERS.items():
            with self.subTest(name):
                subject = read(self.interrupt(signal.SIGINT, True, "--format", name))[1][0]
                self.assertEqual((subject["verdict"], subject["hazards"]), ("INTERRUPTED", None))
                self.assertEqual(results_case.state_counts(subject), {"HOLDS": 0, "SKIPPED": 0, "OPEN": 3, "VIOLATED": 0})
        report = json.loads(self.interrupt(signal.SIGTERM, False, "--json"))
        self.assertEqual((report["status"], report["interrupted"], report["private"], report["runs"]),
                         (130, True, False, []))
        self.assertEqual(self.interrupt(signal.SIGHUP, False), "INTERRUPTED spin: no run has ended\n")

    def test_what_could_not_be_checked_is_no_success(self):
        for kernel, more in (("nonesuch", ()), ("nothing", ("--arg", "1")), ("nothing", ("-DNESTED=(",))):
            subject, states = self.agreed(kernel, *more)
            self.assertEqual((subject["verdict"], subject["hazards"]), ("FAILED", None))
            self.assertEqual(set(states.values()), {"OPEN"})

    def test_a_document_stands_beside_the_log(self):
        done = self.run_kernel("lost_update", "--block", "4", "--arg", "i32[1]:zero", "--format", "junit",
                               "--sarif", "log")
        results_case.read_junit(done.stdout)
        with open(os.path.join(self.folder, "log"), encoding="utf-8") as file:
            self.assertEqual(results_case.read_sarif(file.read())[0], "VIOLATED")

    def test_file_names_of_any_bytes_are_text(self):
        name = os.fsdecode(b"<&\">#\x01 \xc3\xa9\xff.cu")
        shutil.copy(os.path.join(self.folder, "kernels.cu"), os.path.join(self.folder, name))
        subject, _ = self.agreed("nothing", file=name)
        self.assertEqual(subject["facts"]["file"], "<&\">#\ufffd \u00e9\ufffd.cu")


if __name__ == "__main__":
    unittest.main()
