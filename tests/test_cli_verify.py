#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""reductio run --trace and verify.

usage: test_cli_verify.py REDUCTIO [unittest's arguments]"""

import itertools
import json
import os
import re
import unittest

from cli_case import CliTest
from patience import WAIT_S


class VerifyTest(CliTest):
    def test_trace_on_standard_output_leaves_the_text_on_standard_error(self):
        done = self.run_sim("fold", "--trace", "-")
        self.assertEqual(done.returncode, 0)
        records = [json.loads(line) for line in done.stdout.splitlines()]
        self.assertEqual(records[0]["record"], "version")
        self.assertEqual(records[-1]["record"], "verdict")
        self.assertIn("HOLDS fold n=8 i32 sim: 4 steps", done.stderr)

    def test_of_standard_input(self):
        trace = self.run_sim("fold", "--trace", "-").stdout
        done = self.cli("verify", "-", stdin=trace)
        self.assert_holds(done)
        self.assertEqual(done.stdout, "HOLDS fold n=8 i32 sim: 4 steps, 15 cells asserted, "
                                      "0 hazards recorded  -\n")

    def test_prints_a_line_a_trace(self):
        first = self.record("a.ndjson", "fold")
        second = self.record("b.ndjson", "tournament", "-n", "5", "--type", "f64")
        done = self.cli("verify", first, second)
        self.assert_holds(done)
        lines = done.stdout.splitlines()
        self.assertEqual(len(lines), 2)
        self.assertEqual(lines[0], "HOLDS fold n=8 i32 sim: 4 steps, 15 cells asserted, 0 hazards "
                                   f"recorded  {first}")
        self.assertTrue(lines[1].startswith("HOLDS tournament n=5 f64 sim: "))

    def test_gives_the_worst_and_goes_on(self):
        good = self.record("good.ndjson", "fold")
        bad = self.record("bad.ndjson", "fold:wrong-half")
        cut = self.path("cut.ndjson")
        with open(good, encoding="utf-8") as file, open(cut, "w", encoding="utf-8") as out:
            out.writelines(file.readlines()[:-2])
        self.assertEqual(self.cli("verify", good, bad).returncode, 1)
        self.assertEqual(self.cli("verify", good, cut).returncode, 3)
        self.assertEqual(self.cli("verify", bad, cut).returncode, 1)
        done = self.cli("verify", "/no/such/file", bad, good)
        self.assertEqual(done.returncode, 2)
        self.assertIn("/no/such/file", done.stderr)
        self.assertEqual([line.split()[0] for line in done.stdout.splitlines()
                          if line[0] != " "], ["VIOLATED", "HOLDS"])

    def test_quiet_prints_what_does_not_hold(self):
        good = self.record("good.ndjson", "fold")
        bad = self.record("bad.ndjson", "fold:wrong-half")
        self.assertEqual(self.cli("verify", "--quiet", good).stdout, "")
        done = self.cli("verify", "--quiet", good, bad)
        self.assertTrue(done.stdout.startswith("VIOLATED "))
        self.assertIn("A[0]: expected 4, actual 3", done.stdout)

    def test_tells_the_first_hazard(self):
        path = self.record("h.ndjson", "multiply:one-block", "-n", "1025")
        self.assertIn("\n    hazard in round 1: illegal-launch: cudaErrorInvalidConfiguration: ",
                      self.cli("verify", path).stdout)
        item = json.loads(self.cli("verify", "--json", path).stdout)[0]
        self.assertEqual((item["hazard"]["name"], item["hazard"]["step"]), ("illegal-launch", 1))
        self.assertIn("cudaErrorInvalidConfiguration", item["hazard"]["message"])
        item = json.loads(self.cli("verify", "--json", self.record("g.ndjson", "fold")).stdout)[0]
        self.assertIsNone(item["hazard"])

    def test_who_has_looked_for_hazards_must_go_with_the_device(self):
        """The last record's word on hazards is taken as it stands, but some of it can't be true of the device."""
        path = self.record("t.ndjson", "multi-block-atomic", "-n", "64", "--block", "16")
        with open(path, encoding="utf-8") as file:
            records = [json.loads(line) for line in file]
        run = next(record for record in records if record["record"] == "run")
        last = records[-1]
        self.assertEqual(last["schedules"], 4)

        def verify(device, of_run, **of_last):
            edited = [dict(record) for record in records]
            for record in edited:
                if record["record"] == "run":
                    record["device"] = dict(run["device"], name=device)
                    record.update({"hazards_by": of_run} if of_run else {})
            edited[-1].update(of_last)
            for key in [key for key, value in edited[-1].items() if value is None and key in of_last]:
                del edited[-1][key]
            with open(self.path("e.ndjson"), "w", encoding="utf-8") as file:
                file.writelines(json.dumps(record) + "\n" for record in edited)
            return self.cli("verify", self.path("e.ndjson"))

        for right in (("sim", None), ("cuda", None, "sim", 64), ("cuda", "off", "off", None, None),
                      ("cuda", "sanitizer", "sanitizer", None, None), ("sim", "launch", "launch", None, None)):
            with self.subTest(right):
                device, of_run, by, n, schedules = (*right, *(None, None, last["schedules"])[len(right) - 2:])
                done = verify(device, of_run, hazards_by=by, hazards_n=n, schedules=schedules)
                self.assert_holds(done)
        for wrong, words in ((("sim", None, "sanitizer", None, None), "compute-sanitizer had looked for hazards of a run in the simulator"),
                             (("sim", None, "sim", 64, 4), "had accompanied a run in the simulator"),
                             (("cuda", "sanitizer", "sanitizer", None, 4), "4 schedules, and compute-sanitizer tries none"),
                             (("cuda", "off", "off", None, 4), "4 schedules, and no device had looked"),
                             (("cuda", "off", "off", 64, None), "n = 64, and no device had looked"),
                             (("cuda", "sanitizer", "sanitizer", 64, None), "n = 64, and compute-sanitizer looks at the run itself"),
                             (("cuda", "off", "sim", 64, None), "the simulator had looked for hazards, and nobody was to"),
                             (("sim", "launch", "sim", None, 4), "the simulator had looked for hazards, and the launch's own run was to"),
                             (("cuda", "launch", "launch", 64, None), "n = 64, and no device had looked"),
                             (("cuda", None, "sim", 128, 4), "had run n = 128 beside a run of n = 64"),
                             (("cuda", None, "sim", 64, 65), "65 schedules, and at most 64 are tried")):
            with self.subTest(wrong):
                device, of_run, by, n, schedules = wrong
                done = verify(device, of_run, hazards_by=by, hazards_n=n, schedules=schedules)
                self.assertNotEqual(done.returncode, 0, done.stdout)
                self.assertIn(words, done.stdout)

    def test_size_of_the_run_in_the_simulator_is_one_that_the_program_takes(self):
        path = self.record("t.ndjson", "fold", "-n", "8")
        with open(path, encoding="utf-8") as file:
            text = file.read().replace('"name":"sim"', '"name":"cuda"')
        for n, status in ((4, 0), (3, 1)):
            lines = [json.loads(line) for line in text.splitlines()]
            lines[-1].update(hazards_by="sim", hazards_n=n)
            with open(self.path("e.ndjson"), "w", encoding="utf-8") as file:
                file.writelines(json.dumps(line) + "\n" for line in lines)
            done = self.cli("verify", self.path("e.ndjson"))
            self.assertEqual(done.returncode, status, done.stdout)
            self.assertEqual("which the program does not take" in done.stdout, status == 1, done.stdout)

    def test_minor_version_is_a_number_from_0(self):
        with open(self.record("t.ndjson", "fold"), encoding="utf-8") as file:
            text = file.read()
        for minor in "-1", "9.5", '"9"':
            with open(self.path("e.ndjson"), "w", encoding="utf-8") as file:
                file.write(re.sub('"minor":[0-9]+', '"minor":' + minor, text))
            done = self.cli("verify", self.path("e.ndjson"))
            self.assertEqual(done.returncode, 2, done.stdout)
            self.assertIn("the 'minor' of the 'version' record is no version", done.stderr)

    def test_json_is_an_array(self):
        good = self.record("good.ndjson", "fold")
        done = self.cli("verify", "--json", good, "/no/such/file")
        self.assertEqual(done.returncode, 2)
        items = json.loads(done.stdout)
        self.assertEqual(items[0]["verdict"], "HOLDS")
        self.assertIn("/no/such/file", items[1]["error"])

    def test_the_last_run_is_kept_unless_told_otherwise(self):
        last = os.path.join(self.environment["XDG_STATE_HOME"], "reductio", "last.ndjson")
        self.run_sim("fold", "--no-last")
        self.assertFalse(os.path.exists(last))
        self.run_sim("fold", "-n", "4")
        done = self.cli("verify", "--last")
        self.assert_holds(done)
        self.assertIn("fold n=4 ", done.stdout)
        self.assertTrue(os.path.exists(last))

    def test_a_run_without_a_trace_leaves_none_as_the_last(self):
        program = self.path("bare.cu")
        for text, status, words in (("int main() { return 1 }", 2, "fold n=4 "), ("int main() { return 0; }", 3, None)):
            self.run_sim("fold", "-n", "4")
            with open(program, "w") as file:
                file.write(text)
            self.assertEqual(self.cli("run", program, "--device", "sim").returncode, status)
            done = self.cli("verify", "--last")
            if words:
                self.assertIn(words, done.stdout)
            else:
                self.assert_refused(done, "or the last one had no trace")

    def test_a_last_trace_that_cannot_be_kept_disturbs_nobody(self):
        environment = {"XDG_STATE_HOME": "/dev/null/state"}
        self.assert_holds(self.run_sim("fold", "--quiet", environment=environment))

    def test_of_two_runs_at_once_the_last_to_end_is_the_last(self):
        folder = os.path.join(self.environment["XDG_STATE_HOME"], "reductio")
        # The first run goes on until someone reads its output.
        with self.blocked_run("fold", "-n", "2048") as process:
            started = os.listdir(folder)
            self.assertEqual(len(started), 1)
            self.assert_holds(self.run_sim("fold", "-n", "4"))
            self.assertIn("fold n=4 ", self.cli("verify", "--last").stdout)
            self.assertEqual(sorted(os.listdir(folder)), sorted(["last.ndjson"] + started))
            text, complaint = process.communicate(timeout=WAIT_S)
        self.assertEqual((process.returncode, complaint), (0, ""), text)
        done = self.cli("verify", "--last")
        self.assert_holds(done)
        self.assertIn("fold n=2048 ", done.stdout)
        self.assertEqual(os.listdir(folder), ["last.ndjson"])

    def test_what_a_killed_run_left_is_removed(self):
        folder = os.path.join(self.environment["XDG_STATE_HOME"], "reductio")
        with self.blocked_run("fold", "-n", "2048") as process:
            process.kill()
            process.communicate(timeout=WAIT_S)
        self.assertEqual(len(os.listdir(folder)), 1)
        self.run_sim("fold")
        self.assertEqual(os.listdir(folder), ["last.ndjson"])

    def test_a_last_trace_ends_before_it_fills_the_disk(self):
        last = os.path.join(self.environment["XDG_STATE_HOME"], "reductio", "last.ndjson")
        done = self.run_sim("fold", "-n", "2^20", "--trace-cells", "all", "--quiet")
        self.assertEqual(done.returncode, 0)
        self.assertRegex(done.stderr, r"\Areductio: note: [^\n]+ 64 MiB[^\n]+\n\Z")
        self.assertTrue(64 << 20 < os.path.getsize(last) < 80 << 20)
        with open(last, "rb") as file:
            file.seek(-1, os.SEEK_END)
            self.assertEqual(file.read(), b"\n")

    def test_trace_cells_cuts_the_states(self):
        def size(cells):
            path = self.record(f"t{cells}.ndjson", "fold", "-n", "256", "--trace-cells", cells)
            self.assertEqual(self.cli("verify", path).returncode, 0)
            return os.path.getsize(path)
        self.assertLess(size("8"), size("all"))

    def test_what_was_cut_out_is_not_asserted_again(self):
        path = self.record("cut.ndjson", "ladder-sequential", "-n", "16", "--block", "8", "--values", "random:2",
                           "--trace-cells", "4")
        done = self.cli("verify", path)
        self.assertEqual((done.returncode, done.stdout.splitlines()[1:]), (3, [
            "    cells were cut out of its states, and can't be asserted again: '--trace-cells all' keeps them",
            "    preservation INCONCLUSIVE: cells that were cut out can't be asserted again",
            "    exit INCONCLUSIVE: nothing follows from what is not decided"]))

    def test_cut_traces_of_right_programs_are_never_violated(self):
        expected = {0: 0, 3: 0}
        for program, cells in itertools.product(
                ("ladder-warp-shuffle", "ladder-atomic", "multi-block-atomic", "norm", "puzzle-pool", "fold"), "0147"):
            path = self.record("cut.ndjson", program, "--values", "random:2", "--trace-cells", cells)
            with self.subTest(program=program, cells=cells):
                done = self.cli("verify", path)
                self.assertIn(done.returncode, (0, 3), done.stdout)
                self.assertEqual(done.returncode == 3, "can't be asserted again: " in done.stdout)
                expected[done.returncode] += 1
        self.assertTrue(expected[0] >= 4 and expected[3] >= 16, expected)

    def test_of_inputs_that_were_cut_out_no_bound_is_the_reason(self):
        values = self.path("values.txt")
        with open(values, "w", encoding="utf-8") as file:
            file.write(" ".join(str(k) for k in range(64)))
        path = self.record("cut.ndjson", "fold", "-n", "64", "--values", values, "--trace-cells", "4")
        done = self.cli("verify", path)
        self.assertEqual(done.returncode, 3)
        self.assertEqual([line.split(": ")[1] for line in done.stdout.splitlines()[2:]],
                         3 * ["its inputs are not known"])


if __name__ == "__main__":
    unittest.main()
