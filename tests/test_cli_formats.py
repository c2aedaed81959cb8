#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""run and verify with --format: each document is read by a parser of its format, and all say the same; nothing that was
not checked looks clean.

usage: test_cli_formats.py REDUCTIO [unittest's arguments]"""

import contextlib
import json
import os
import re
import signal
import subprocess
import time
import unittest

from patience import Process, WAIT_S
import results_case
from cli_case import BINARY, CliTest, lists
from results_case import FORMATS, agree


class FormatsTest(CliTest):
    def documents(self, *arguments, complains=False):
        """Returns the command's output in each format; asserts that the exit status is the same in all, and in words."""
        done = {name: self.cli(*arguments, "--format", name) for name in FORMATS}
        statuses = {one.returncode for one in done.values()} | {self.cli(*arguments, errors="replace").returncode}
        self.assertEqual(len(statuses), 1, done)
        for one in done.values():
            self.assertEqual(bool(one.stderr), complains, one.stderr)
        return {name: one.stdout for name, one in done.items()}, statuses.pop()

    def agreed(self, *arguments, **more):
        return agree(self, *self.documents(*arguments, **more))

    def run_agreed(self, *arguments, **more):
        verdict, (subject,) = self.agreed("run", *arguments, "--device", "sim", **more)
        self.assertEqual(subject["verdict"], verdict)
        return subject

    def states(self, subject):
        return dict(subject["tests"])


class RunTest(FormatsTest):
    def test_run_that_holds(self):
        subject = self.run_agreed("fold")
        self.assertEqual(subject["verdict"], "HOLDS")
        self.assertEqual([state for _, state in subject["tests"]], ["HOLDS"] * 4)
        self.assertEqual(subject["not_looked_at"], [])
        self.assertEqual({key: subject["facts"][key] for key in ("n", "type", "steps", "cells", "checkpoints")},
                         {"n": 8, "type": "i32", "steps": 4, "cells": 15, "checkpoints": 0})
        self.assertEqual((subject["violations"], subject["hazards"]), (0, 0))

    def test_run_that_is_violated(self):
        subject = self.run_agreed("fold:wrong-half")
        self.assertEqual(subject["verdict"], "VIOLATED")
        self.assertEqual(self.states(subject), {"initialization": "HOLDS", "preservation": "VIOLATED", "exit": "OPEN",
                                                "hazards": "VIOLATED"})
        self.assertEqual((subject["violations"], subject["hazards"]), (1, 1))

    def test_violation_and_hazard_are_data(self):
        document = json.loads(self.run_sim("fold:wrong-half", "--format", "json").stdout)
        (violation,), (hazard,) = (document["subjects"][0][key] for key in ("violations", "hazards"))
        for key, value in {"kind": "bits", "round": 1, "array": "A", "cell": 0, "expected": "4", "actual": "3",
                           "count": 4, "file": "kernels/fold.cu"}.items():
            self.assertEqual(violation[key], value)
        self.assertIn("it holds {0,3}", violation["evidence"])
        for key, value in {"name": "race", "round": 1, "array": "A", "index": 3, "kind": "read-write"}.items():
            self.assertEqual(hazard[key], value)
        self.assertEqual([place["op"] for place in hazard["places"]], ["write", "read"])

    def test_rounds_that_were_not_made_are_not_without_hazards(self):
        subject = self.run_agreed("fold:tournament-table")
        self.assertEqual(subject["hazards"], 0)
        self.assertEqual(self.states(subject)["hazards"], "OPEN")

    def test_run_with_hazards_alone(self):
        subject = self.run_agreed("puzzle-matmul:no-tiles")
        self.assertEqual((subject["verdict"], subject["violations"], subject["hazards"]), ("VIOLATED", 0, 2))
        self.assertEqual(self.states(subject), {"initialization": "HOLDS", "preservation": "HOLDS", "exit": "HOLDS",
                                                "hazards": "VIOLATED"})

    def test_launch_that_is_refused(self):
        subject = self.run_agreed("multiply:one-block")
        self.assertEqual(self.states(subject)["hazards"], "VIOLATED")

    def test_checkpoint_that_nobody_came_to_is_open(self):
        subject = self.run_agreed("ladder-unrolled:stops-at-512")
        self.assertEqual(self.states(subject)["hazards"], "OPEN")
        self.assertGreater(subject["violations"], 1)
        document = json.loads(self.run_sim("ladder-unrolled:stops-at-512", "--format", "json").stdout)
        self.assertRegex(document["subjects"][0]["violations"][0]["place"], r"\Ablock 0, ")

    def test_run_that_is_inconclusive(self):
        subject = self.run_agreed("fold", "--type", "f16", "--values", "list:60000,60000,60000,60000")
        self.assertEqual(subject["verdict"], "INCONCLUSIVE")
        self.assertIn("OPEN", self.states(subject).values())
        self.assertEqual(subject["violations"], 0)

    def test_goal_that_is_not_reached(self):
        subject = self.run_agreed("mse:dot")
        self.assertEqual(self.states(subject), {"initialization": "HOLDS", "preservation": "HOLDS", "exit": "VIOLATED",
                                                "hazards": "HOLDS"})
        self.assertIn("mse", subject["facts"])

    def test_hazards_that_nobody_looked_for(self):
        subject = self.run_agreed("fold", "--hazards", "off")
        self.assertEqual((subject["verdict"], subject["hazards"]), ("HOLDS", None))
        self.assertEqual(self.states(subject)["hazards"], "SKIPPED")
        self.assertEqual(len(subject["not_looked_at"]), 1)

    def test_blocks_and_dead_cells_that_were_left_out_are_told(self):
        subject = self.run_agreed("ladder-sequential", "--blocks", "0", "--frame", "off")
        self.assertGreater(subject["facts"]["checkpoints"], 0)
        self.assertEqual(len(subject["not_looked_at"]), 2)

    def test_witness_runs(self):
        subject = self.run_agreed("fold", "-n", "16", "--values", "witness")
        self.assertEqual(subject["verdict"], "HOLDS")
        self.assertTrue(subject["summary"].startswith("HOLDS for every input of n=16"))
        self.assertEqual(self.run_agreed("fold:wrong-half", "--values", "witness")["verdict"], "VIOLATED")
        self.assertEqual(self.run_agreed("fold-guard:zero-identity", "--values", "witness")["verdict"], "VIOLATED")

    def test_witness_run_that_holds_for_the_inputs_tried_alone_is_open(self):
        subject = self.run_agreed("ladder-vectorised-atomic", "--op", "product", "--values", "witness", "-n", "70",
                                  "--block", "4", "--grid", "3")
        self.assertEqual(subject["verdict"], "INCONCLUSIVE")
        states = self.states(subject)
        self.assertEqual(states.pop("verdict"), "OPEN")
        self.assertEqual(set(states.values()), {"HOLDS"})

    def test_cells_of_indices_are_text(self):
        document = json.loads(self.run_sim("fold:tie-index", "--format", "json").stdout)
        violation = document["subjects"][0]["violations"][0]
        self.assertRegex(violation["expected"], r" at \d+\Z")

    def test_each_program_agrees_with_itself(self):
        """A document is clean if and only if the exit status is 0."""
        programs = [line.split()[0] for line in self.cli("list").stdout.splitlines() if line.strip()]
        self.assertGreater(len(programs), 60)
        for program in programs:
            done = self.run_sim(program, "--no-last", "--format", "json")
            with self.subTest(program):
                verdict, (subject,) = results_case.read_json(done.stdout)
                states = set(self.states(subject).values())
                self.assertEqual(done.returncode, results_case.EXITS[verdict])
                self.assertEqual(bool(states & {"OPEN", "VIOLATED"}), done.returncode != 0)

    @staticmethod
    def has_begun(trace):
        return os.path.exists(trace + ".part") and os.path.getsize(trace + ".part") > 0

    def test_interrupted_run_is_no_success(self):
        for name, read in results_case.READERS.items():
            trace = self.path(name)
            with self.subTest(name), Process(
                    [BINARY, "run", "fold", "-n", "4096", "--values", "witness", "--device", "sim", "--format", name,
                     "--trace", trace], text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                    env=self.environment) as process:
                end = time.monotonic() + WAIT_S
                while not self.has_begun(trace) and time.monotonic() < end:
                    time.sleep(0.02)
                process.send_signal(signal.SIGINT)
                out, err = process.communicate(timeout=WAIT_S)
                self.assertEqual((process.returncode, err), (130, ""))
                subject = read(out)[1][0]
                self.assertEqual(subject["verdict"], "INTERRUPTED")
                states = results_case.state_counts(subject)
                self.assertEqual((states["HOLDS"], states["OPEN"]), (0, 4))
                done = self.cli("verify", trace, "--format", name)
                self.assertEqual(done.returncode, 3)
                subject = read(done.stdout)[1][0]
                states = results_case.state_counts(subject)
                self.assertEqual((states["HOLDS"], states["SKIPPED"]), (0, 1))

    @contextlib.contextmanager
    def interrupted(self, *arguments):
        """The process, which catches signals, and is sent one; it waits for its input."""
        with Process([BINARY, *arguments], text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, env=self.environment) as process:
            caught, end = 0, time.monotonic() + WAIT_S
            while not caught >> signal.SIGINT - 1 & 1 and time.monotonic() < end:
                time.sleep(0.02)
                with open(f"/proc/{process.pid}/status", encoding="utf-8") as file:
                    caught = int(re.search(r"SigCgt:\s*(\w+)", file.read())[1], 16)
            process.send_signal(signal.SIGINT)
            yield process

    def test_run_that_is_interrupted_before_its_inputs_are_there(self):
        pipe = self.path("values")
        os.mkfifo(pipe)
        for name, read in results_case.READERS.items():
            with self.subTest(name), self.interrupted("run", "fold", "--values", pipe, "--device", "sim",
                                                      "--format", name) as process:
                out, err = process.communicate(timeout=WAIT_S)
                self.assertEqual((process.returncode, err), (130, ""))
                subject = read(out)[1][0]
                self.assertEqual(subject["verdict"], "INTERRUPTED")
                self.assertEqual(results_case.state_counts(subject)["HOLDS"], 0)
        with self.interrupted("run", "fold", "--values", pipe, "--device", "sim") as process:
            out, err = process.communicate(timeout=WAIT_S)
            self.assertEqual((process.returncode, out, err),
                             (130, "", "reductio: interrupted: nothing was asserted before\n"))

    @unittest.skipUnless("RD_TEST_LATE_SIGNAL" in os.environ, "takes a library that the build makes")
    def test_signal_right_before_a_call_that_waits(self):
        pipe = self.path("values")
        os.mkfifo(pipe)
        environment = {**self.environment, "LD_PRELOAD": os.environ["RD_TEST_LATE_SIGNAL"], "LATE_SIGNAL_FILE": pipe}
        for arguments in (("run", "fold", "--device", "sim", "--values", pipe), ("verify", pipe)):
            with self.subTest(arguments[0]):
                done = subprocess.run([BINARY, *arguments], capture_output=True, text=True, env=environment,
                                      stdin=subprocess.DEVNULL, timeout=WAIT_S, check=False)
                self.assertEqual(done.returncode, 130, done.stdout)

    def test_interrupted_verify_tells_which_traces_were_not_asserted(self):
        trace = self.record("t.ndjson", "fold")
        for name, read in results_case.READERS.items():
            with self.subTest(name), self.interrupted("verify", "-", trace, "--format", name) as process:
                out, err = process.communicate(timeout=WAIT_S)
                self.assertEqual((process.returncode, err), (130, ""))
                self.assertEqual([subject["verdict"] for subject in read(out)[1]], ["INTERRUPTED"] * 2)
        with self.interrupted("verify", "-", trace, "--json") as process:
            out, err = process.communicate(timeout=WAIT_S)
            self.assertEqual((process.returncode, err), (130, ""))
            self.assertEqual(json.loads(out), [{"trace": path, "interrupted": True} for path in ("-", trace)])

    def test_what_could_not_be_run_has_a_whole_document(self):
        subject = self.run_agreed("fold", "--trace", "/no/such/folder/t.ndjson", complains=True)
        self.assertEqual(subject["verdict"], "FAILED")
        self.assertEqual(subject["tests"], [("verdict", "OPEN")])
        self.assertIsNone(subject["hazards"])

    def test_text_is_the_text(self):
        self.assertEqual(self.run_sim("fold", "--format", "text").stdout, self.run_sim("fold").stdout)


class UsageTest(FormatsTest):
    def test_bad_usage_has_no_document(self):
        for arguments, word in ((("run", "fold", "--json"), "'--json' and '--format tap' both say what to print"),
                                (("run", "fold", "--trace", "-"), "both want standard output"),
                                (("run", "fold", "--law", "A[0] = 1"), "leave --format out"),
                                (("run", "no-such-program"), "no-such-program"),
                                (("verify", "--json", "x"), "both say what to print"),
                                (("verify",), "no trace"),
                                (("check", "x.cu", "--kernel", "k", "--grid", "1", "--block", "1", "--print", "0"),
                                 "leave --format tap out"),
                                (("check", "x.cu", "--kernel", "k", "--grid", "1", "--block", "1", "--sarif", "-"),
                                 "both want standard output"),
                                (("check", "x.cu", "--kernel", "k", "--grid", "1", "--block", "1", "--arg", "i9[2]:one"),
                                 "i9")):
            with self.subTest(arguments):
                self.assert_refused(self.cli(*arguments, "--format", "tap"), word)

    def test_size_that_a_program_does_not_take_is_a_failure(self):
        documents, status = self.documents("run", "fold", "-n", "7", complains=True)
        self.assertEqual(status, 2)
        verdict, (subject,) = agree(self, documents, status)
        self.assertEqual((verdict, subject["verdict"]), ("FAILED", "FAILED"))
        self.assertIn("power of two", documents["tap"])

    def test_unknown_format_is_told_which_there_are(self):
        for command in (("run", "fold"), ("verify", "x"), ("check", "x.cu")):
            self.assert_refused(self.cli(*command, "--format", "xml"), "use " + lists.alternatives(lists.FORMATS))
            self.assert_refused(self.cli(*command, "--format", "juni"), "did you mean 'junit'?")


class VerifyTest(FormatsTest):
    def test_traces_side_by_side(self):
        good, bad = self.record("good.ndjson", "fold"), self.record("bad.ndjson", "fold:wrong-half")
        cut, edited = self.path("cut.ndjson"), self.path("edited.ndjson")
        with open(good, encoding="utf-8") as file:
            lines = file.readlines()
        with open(cut, "w", encoding="utf-8") as file:
            file.writelines(lines[:-2])
        with open(edited, "w", encoding="utf-8") as file:
            file.writelines(line.replace('"cells":15', '"cells":16') for line in lines)
        verdict, subjects = self.agreed("verify", good, bad, cut, edited, "/no/such/trace", complains=True)
        self.assertEqual(verdict, "FAILED")
        self.assertEqual([subject["verdict"] for subject in subjects],
                         ["HOLDS", "VIOLATED", "INCONCLUSIVE", "VIOLATED", "FAILED"])
        self.assertEqual([subject["name"] for subject in subjects], [good, bad, cut, edited, "/no/such/trace"])
        self.assertEqual(self.states(subjects[1])["preservation"], "VIOLATED")
        self.assertEqual(self.states(subjects[1])["hazards"], "VIOLATED")
        for test in ("preservation", "exit", "trace"): # as far as it goes
            self.assertEqual(self.states(subjects[2])[test], "OPEN")
        self.assertEqual(self.states(subjects[3])["trace"], "VIOLATED")

    def test_hazards_are_recorded_and_not_looked_for(self):
        _, (subject,) = self.agreed("verify", self.record("t.ndjson", "fold"))
        self.assertEqual(self.states(subject)["hazards"], "SKIPPED")
        self.assertEqual(subject["hazards"], 0)
        _, (subject,) = self.agreed("verify", self.record("o.ndjson", "fold", "--hazards", "off"))
        self.assertEqual((self.states(subject)["hazards"], subject["hazards"]), ("SKIPPED", None))
        self.assertEqual(len(subject["not_looked_at"]), 1)
        _, (subject,) = self.agreed("verify", self.record("h.ndjson", "multiply:one-block", "--hazards", "off"))
        self.assertEqual(subject["hazards"], 1)
        self.assertEqual(subject["not_looked_at"], ["hazards: nobody had looked for others"])

    def test_names_of_any_bytes_are_text(self):
        trace = self.record("t.ndjson", "fold")
        name = b"<a href=\"x\">&'#\\]]> ok \xc3\xa9\xff\x01\x7f\xef\xbf\xbf%s"
        path = os.path.join(os.fsencode(self.folder), name)
        os.rename(trace, path)
        (said,) = json.loads(self.cli("verify", "--json", os.fsdecode(path)).stdout)
        self.assertTrue(said["trace"].endswith("ok \u00e9\ufffd\x01\x7f\uffff%s"), said["trace"])
        _, (subject,) = self.agreed("verify", os.fsdecode(path))
        self.assertTrue(subject["name"].endswith("<a href=\"x\">&'#\\]]> ok \u00e9\ufffd\ufffd\ufffd\ufffd%s"),
                        subject["name"])

    def test_names_of_several_lines_end_no_line(self):
        trace, path = self.record("t.ndjson", "fold"), self.path("a\nok 9 - b\r\tc")
        os.rename(trace, path)
        documents, _ = self.documents("verify", path)
        self.assertIn("a\nok 9 - b\ufffd\tc", results_case.read_json(documents["json"])[1][0]["name"])
        self.assertIn("a ok 9 - b\ufffd c", results_case.read_tap(documents["tap"])[1][0]["name"])
        self.assertIn("a\nok 9 - b\ufffd\tc", results_case.read_junit(documents["junit"])[1][0]["name"])
        results_case.read_sarif(documents["sarif"])


class SchemaTest(unittest.TestCase):
    """The validator refuses what is not valid."""

    def test_validator_refuses(self):
        for value, schema in ((1, {"type": "string"}), (True, {"type": "integer"}), ("", {"minLength": 1}),
                              (-1, {"minimum": 0}), ("x", {"enum": ["y"]}), (1, {"const": 2}),
                              ({}, {"required": ["a"]}), ({"a": 1}, {"additionalProperties": False}),
                              ({"a": 1}, {"properties": {"a": {"type": "null"}}}), ([], {"minItems": 1}),
                              ([1, 2], {"maxItems": 1}), (["x"], {"items": {"type": "integer"}}),
                              (-1, {"$ref": "#/$defs/count"}), (1, {"pattern": "x"})):
            with self.subTest(schema):
                self.assertTrue(list(results_case.problems(value, schema)))
        self.assertFalse(list(results_case.problems({"a": [1, "x"]}, {"properties": {"a": {"type": ["array"]}}})))


if __name__ == "__main__":
    unittest.main()
