# SPDX-License-Identifier: MIT
"""Verdicts say which device looked for hazards: `run`, `step`, `report` and `verify` on a machine with a GPU, played
by the simulator without its detectors; and in the simulator itself.

    test_cli_hazards.py REDUCTIO_FAKE_GPU"""

import json
import os
import pty
import re
import subprocess
import tempfile
import unittest

from cli_case import BINARY, CliTest
from patience import Process
from results_case import FORMATS, agree
from source_lines import needs_lines

HERE = os.path.dirname(os.path.abspath(__file__))
UNLOOKED = "hazards not looked for"


class HazardsCase(CliTest):
    def run_gpu(self, *arguments, **more):
        return self.cli("run", *arguments, "--no-last", **more)

    def result(self, *arguments, **more):
        return json.loads(self.run_gpu(*arguments, "--json", **more).stdout)


class Files(HazardsCase):
    def test_device_that_runs_no_users_kernels_says_so_and_auto_passes_over_it(self):
        check = ('check', '/no/such.cu', '--kernel', 'k', '--grid', '1', '--block', '1')
        done = self.cli(*check, '--device', 'cuda')
        self.assertEqual(done.returncode, 2)
        self.assertEqual(done.stderr, "reductio: 'cuda' runs programs of Reductio, and no kernels of a user's file: use --device sim\n")
        self.assertIn("'/no/such.cu' can't be read", self.cli(*check).stderr)


class Companion(HazardsCase):
    def test_lessons_beside_the_simulator_all_exit_1(self):
        listed = json.loads(self.cli("list", "--json").stdout)
        lessons = [program["name"] for program in listed if program["lesson"]]
        self.assertTrue(lessons)
        for lesson in lessons:
            with self.subTest(lesson):
                done = self.run_gpu(lesson, "--quiet")
                self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
                self.assertIn(" cuda: ", self.last_line(done))

    def test_lessons_whose_result_is_right_hold_where_nobody_looks(self):
        for lesson in ("dot-naive", "puzzle-map:no-guard", "ladder-vectorised:no-fence"):
            with self.subTest(lesson):
                done = self.run_gpu(lesson, "--quiet", "--hazards", "off")
                self.assertEqual(done.returncode, 0, done.stdout)
                self.assertIn(UNLOOKED, done.stdout)

    def test_run_of_a_right_program_names_the_simulator_and_its_n(self):
        done = self.run_gpu("fold")
        self.assert_holds(done)
        self.assertTrue(self.last_line(done).endswith(", 0 hazards in the simulator at n=8"))
        self.assertIn("Hazards were looked for by the simulator, in the same rounds on the same n = 8\n",
                      done.stdout)

    def test_formats_say_who_has_looked_and_at_what_n(self):
        """In every format; and one hazard is not said to be all if others were not looked for."""
        for arguments, by, hazards, state, unlooked in (
                (("fold",), "sim", 0, "HOLDS", r"\A\Z"),
                (("dot-shared", "-n", str(2**21 + 77)), "sim", 0, "HOLDS", r"would take it too long"),
                (("fold", "--hazards", "off"), "off", None, "SKIPPED", r"Hazards were not looked for"),
                (("multiply:one-block", "--hazards", "off"), "off", 1, "VIOLATED", r"Hazards were not looked for")):
            with self.subTest(arguments):
                documents = {name: self.run_gpu(*arguments, "--format", name) for name in FORMATS}
                status = {done.returncode for done in documents.values()}
                _, (subject,) = agree(self, {name: done.stdout for name, done in documents.items()}, status.pop())
                self.assertEqual((subject["facts"]["device"], subject["facts"]["hazards_by"]), ("cuda", by))
                self.assertEqual((subject["hazards"], dict(subject["tests"])["hazards"]), (hazards, state))
                self.assertRegex(" ".join(subject["not_looked_at"]), unlooked)

    def test_run_that_the_simulator_is_too_slow_for_says_both_sizes(self):
        done = self.run_gpu("dot-shared", "-n", str(2**21 + 77), "--quiet")
        self.assert_holds(done)
        self.assertIn("n=%d " % (2**21 + 77), self.last_line(done))
        smaller = int(re.search(r"in the simulator at n=(\d+)$", self.last_line(done)).group(1))
        self.assertLess(smaller, 2**21)
        self.assertEqual(smaller % 2**16, 77)

    def test_run_whose_kernel_communicates_is_tried_under_several_schedules(self):
        done = self.run_gpu("multi-block-atomic", "--quiet")
        self.assert_holds(done)
        self.assertIn("0 hazards under 4 schedules in the simulator at n=1003", self.last_line(done))
        self.assertEqual(self.result("multi-block-atomic", "--schedules", "7")["schedules"], 7)

    def test_hazard_of_a_smaller_run_is_told_with_its_round_and_n(self):
        done = self.run_gpu("dot-naive", "-n", str(2**21 + 77), "--quiet")
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stdout, r"hazard in round 1: race: .* Seen in round 1 of n = \d+\.")

    def test_run_as_json_says_who_looked(self):
        result = self.result("fold")
        self.assertEqual((result["hazards"], result["hazards_by"], result["hazards_n"]), (0, "sim", 8))
        result = self.result("fold", "--hazards", "off")
        self.assertEqual((result["hazards"], result["hazards_by"]), (None, "off"))
        result = self.result("fold", "--device", "sim")
        self.assertEqual((result["hazards"], result["hazards_by"]), (0, "sim"))
        self.assertNotIn("hazards_n", result)

    def test_witness_run_says_that_nobody_looked(self):
        done = self.run_gpu("fold", "-n", "16", "--values", "witness", "--quiet", "--hazards", "off")
        self.assertIn(UNLOOKED, done.stdout)
        done = self.run_gpu("dot-naive", "--values", "witness", "-n", "16", "--quiet")
        self.assertEqual(done.returncode, 1, done.stdout)

    def test_simulator_without_its_detector_says_so(self):
        done = self.run_gpu("dot-naive", "--device", "sim", "--hazards", "off", "--quiet")
        self.assertEqual(done.returncode, 0)
        self.assertIn(UNLOOKED, done.stdout)
        done = self.run_gpu("dot-naive", "--device", "sim", "--hazards", "sim", "--quiet")
        self.assertEqual(done.returncode, 1)
        self.assertNotIn("in the simulator", done.stdout)

    def test_off_still_tells_what_shows_by_itself(self):
        done = self.run_gpu("multiply:one-block", "--hazards", "off", "--quiet")
        self.assertEqual(done.returncode, 1)
        self.assertIn("1 hazard, others not looked for", done.stdout)

    def test_options_that_do_not_go_together_are_refused(self):
        for options, words in ((("--hazards", "of"), ("'--hazards' is 'of'",)),
                               (("--hazards", "off", "--schedules", "3"), ("--schedules",)),
                               (("--hazards", "sanitizer", "--device", "sim"), ("--device cuda",))):
            with self.subTest(options):
                self.assert_refused(self.run_gpu("fold", *options), *words)


class Views(HazardsCase):
    def trace(self, *arguments):
        path = self.path("trace.ndjson")
        self.run_gpu(*arguments, "--quiet", "--trace", path)
        return path

    def test_verify_says_what_the_trace_says(self):
        for options, words in (((), "0 hazards recorded in the simulator at n=8"), (("--hazards", "off"), UNLOOKED),
                               (("--device", "sim"), "0 hazards recorded"),
                               (("--device", "sim", "--hazards", "off"), UNLOOKED)):
            with self.subTest(options):
                done = self.cli("verify", self.trace("fold", *options))
                self.assert_holds(done)
                self.assertRegex(done.stdout, r", %s  /" % re.escape(words))

    def test_verify_of_an_older_trace_of_a_gpu_says_that_nobody_looked(self):
        path = self.path("older.ndjson")
        with open(os.path.join(HERE, "..", "traces", "fold-64-f32-random-7.cuda.ndjson"), encoding="utf-8") as now, \
                open(path, "w", encoding="utf-8") as older:
            for record in map(json.loads, now):
                if record["record"] == "version":
                    record["minor"] = 2
                for member in "hazards_by", "hazards_n", "unchanged":
                    record.pop(member, None)
                older.write(json.dumps(record) + "\n")
        self.assertIn(UNLOOKED, self.cli("verify", path).stdout)
        self.assertIsNone(json.loads(self.cli("verify", "--json", path).stdout)[0].get("hazards_n"))
        self.assertEqual(json.loads(self.cli("verify", "--json", path).stdout)[0]["hazards_by"], "off")

    def test_verify_of_a_trace_without_its_end_takes_the_device_for_who_looked(self):
        for options, words in ((("--device", "sim"), "0 hazards"), ((), UNLOOKED),
                               (("--device", "sim", "--hazards", "off"), UNLOOKED)):
            with self.subTest(options):
                path = self.trace("fold", *options)
                with open(path, encoding="utf-8") as trace:
                    lines = trace.readlines()
                with open(path, "w", encoding="utf-8") as trace:
                    trace.writelines(lines[:-1])
                done = self.cli("verify", path)
                self.assertEqual(done.returncode, 3)
                self.assertIn(words, done.stdout)

    def test_trace_with_another_word_for_who_looked_is_refused(self):
        path = self.trace("fold", "--hazards", "off")
        with open(path, encoding="utf-8") as trace:
            text = trace.read()
        with open(path, "w", encoding="utf-8") as trace:
            trace.write(text.replace('"hazards_by":"off"', '"hazards_by":"me"'))
        done = self.cli("verify", path)
        self.assertEqual(done.returncode, 2)
        self.assertIn("'hazards_by' is \"me\"", done.stderr)

    def step(self, *arguments):
        return self.cli("step", *arguments, "--script", "-", stdin="next\n").stdout

    def test_step_says_who_looked(self):
        self.assertRegex(self.step("fold"), r"hazards +none, in the simulator at n = 8\n")
        self.assertRegex(self.step("fold", "--hazards", "off"), r"hazards +not looked for\n")
        self.assertRegex(self.step("fold", "--device", "sim"), r"hazards +none\n")
        self.assertRegex(self.step("--trace", self.trace("fold", "--hazards", "off")),
                         r"hazards +not looked for\n")
        self.assertIn("race", self.step("dot-naive"))

    def test_report_says_who_looked(self):
        for options, words in (((), "in the same rounds on the same n = 8"),
                               (("--hazards", "off"), "Hazards were not looked for")):
            with self.subTest(options):
                self.assertIn(words, self.cli("report", "fold", *options, "-o", "-").stdout)
        page = self.cli("report", "fold", "--device", "sim", "-o", "-").stdout
        self.assertNotIn("looked for", page)

    def test_diff_takes_no_notice_of_who_looked(self):
        traces = []
        for name, options in (("a", ("--hazards", "off")), ("b", ("--device", "sim"))):
            traces.append(self.path(name))
            self.run_gpu("fold", *options, "--quiet", "--trace", traces[-1])
        self.assertEqual(self.cli("diff", *traces).returncode, 0)


class Faults(HazardsCase):
    FAULT = {"FAKE_GPU_FAULT": "1"}

    @needs_lines
    def test_stopped_kernel_of_a_lesson_is_a_finding_with_its_place(self):
        for lesson, place in (("dot-shared:fixed-cache", r"kernels/dot_blocks\.cu:\d+:\d+, thread 256 of block 0"),
                              ("multi-block:shared-split", r"kernels/multi_block\.cu:\d+:\d+, thread \d+ of block \d+")):
            with self.subTest(lesson):
                done = self.run_gpu(lesson, environment=self.FAULT)
                self.assertEqual(done.returncode, 1, done.stderr)
                self.assertEqual(done.stderr, "")
                text = " ".join(done.stdout.split())
                self.assertIn("hazard in round 1: kernel-fault: cudaErrorIllegalAddress: ", text)
                self.assertRegex(text, "the place is " + place)
                self.assertIn("hazard in round 1: out-of-bounds: ", text)

    def test_stopped_kernel_without_a_place_says_that_none_was_found(self):
        done = self.run_gpu("fold", "--quiet", environment=self.FAULT)
        self.assertEqual(done.returncode, 1)
        self.assertIn("the simulator has not found the place, on n = 8", done.stdout)

    def test_stopped_kernel_where_nobody_looks_says_who_does(self):
        done = self.run_gpu("dot-shared:fixed-cache", "--quiet", "--hazards", "off", environment=self.FAULT)
        self.assertEqual(done.returncode, 1)
        self.assertIn("1 hazard, others not looked for", done.stdout)
        self.assertIn("nobody has looked for the place: --hazards sim does", done.stdout)

    def test_kernel_stopped_in_a_later_round_leaves_the_steps_before_it(self):
        path = self.path("trace.ndjson")
        done = self.run_gpu("fold", "--quiet", "--trace", path, environment={"FAKE_GPU_FAULT": "2"})
        self.assertEqual(done.returncode, 1)
        self.assertIn(": 2 steps, ", done.stdout)
        verified = self.cli("verify", path)
        self.assertEqual(verified.returncode, 1)
        self.assertIn("hazard in round 2: kernel-fault", verified.stdout)
        self.assertNotIn("the trace says", verified.stdout)

    def test_device_that_is_not_there_fails_the_environment(self):
        self.assert_refused(self.run_gpu("fold", "--device", "cuda", environment={"FAKE_GPU_NONE": "1"}),
                            "no GPU can be used")


class Sanitizer(HazardsCase):
    """With reports of the tool as it writes them."""

    def run_sanitized(self, *arguments, reports=os.path.join(HERE, "sanitizer"), **more):
        log = self.path("log")
        environment = {"PATH": os.path.join(HERE, "sanitizer") + ":" + os.environ["PATH"],
                       "FAKE_SANITIZER": reports, "FAKE_SANITIZER_LOG": log}
        done = self.run_gpu(*arguments, "--hazards", "sanitizer", environment=environment, **more)
        self.calls = []
        if os.path.exists(log):
            with open(log, encoding="utf-8") as lines:
                self.calls = lines.read().splitlines()
        return done

    def test_findings_have_rule_place_and_threads(self):
        done = self.run_sanitized("dot-shared:fixed-cache", "--json")
        self.assertEqual(done.returncode, 1, done.stderr)
        result = json.loads(done.stdout)
        self.assertEqual(result["hazards_by"], "sanitizer")
        self.assertEqual([(h["name"], h["step"], h["message"]) for h in result["hazard_reports"]], [
            ("out-of-bounds", 1, "a write by thread (256,0,0) of block (1,0,0) at kernels/dot_blocks.cu:44; 2 times "
                                 "(memcheck: Invalid __shared__ write of size 4 bytes)"),
            ("misaligned", 1, "a read by thread (3,0,0) of block (0,0,0) at kernels/dot_blocks.cu:51 (memcheck: "
                              "Invalid __global__ read of size 8 bytes)"),
            ("race", 1, "a write by thread (1,0,0) of block (1,0,0) at kernels/dot_blocks.cu:46; a write by thread "
                        "(33,0,0) of block (1,0,0) at kernels/dot_blocks.cu:46 (racecheck: Potential WAW hazard "
                        "detected at __shared__ 0x4 in block (1,0,0))"),
            ("race", 1, "a read by a thread at kernels/dot_blocks.cu:47; a write by a thread at "
                        "kernels/dot_blocks.cu:48; 508 times (racecheck: race reported)"),
            ("uninitialised", 1, "a read by thread (2,0,0) of block (1,0,0) at kernels/dot_blocks.cu:43 (initcheck: "
                                 "Uninitialized __global__ memory read of size 4 bytes)"),
            ("barrier-divergence", 1, "thread (50,0,0) of block (0,0,0) at kernels/dot_blocks.cu:50 (synccheck: "
                                      "Barrier error detected)"),
        ])

    def test_all_four_tools_run_the_same_program_on_the_gpu(self):
        done = self.run_sanitized("dot-shared", "-n", "77", "--block", "32", "--quiet", reports="none")
        self.assert_holds(done)
        self.assertEqual([call.split()[1] for call in self.calls],
                         ["memcheck", "racecheck", "initcheck", "synccheck"])
        for call in self.calls:
            self.assertIn(" run dot-shared --type f32 --op sum --values iota --device cuda --hazards off ", call)
            self.assertTrue(call.endswith(" -n 77 --block 32"), call)
        self.assert_holds(self.run_sanitized("fold", "-n", "8", "--op", "max", "--quiet", reports="none"))
        self.assertIn(" run fold --type i32 --op max ", self.calls[-1])

    def test_what_it_does_not_look_at_is_said(self):
        done = self.run_sanitized("fold", "--quiet", reports="none")
        self.assertIn("0 hazards by compute-sanitizer (races: in shared memory only)", done.stdout)
        done = self.run_sanitized("fold", reports="none")
        self.assertIn("not races in global memory", " ".join(done.stdout.split()))

    def test_tool_that_is_missing_is_refused(self):
        with tempfile.TemporaryDirectory() as empty:
            done = self.run_gpu("fold", "--hazards", "sanitizer", environment={"PATH": empty})
        self.assert_refused(done, "'compute-sanitizer' is not on the PATH")

    def test_tool_that_can_not_look_is_refused(self):
        self.assert_refused(self.run_sanitized("fold", reports="broken"), "memcheck", "Device not supported")

    def test_machine_without_a_gpu_is_refused(self):
        done = self.run_gpu("fold", "--hazards", "sanitizer", environment={"FAKE_GPU_NONE": "1"})
        self.assert_refused(done, "there is none")

    def test_values_of_standard_input_are_refused(self):
        self.assert_refused(self.run_sanitized("fold", "--values", "-", stdin="1 2 3 4"), "'--values' is '-'")


class Progress(HazardsCase):
    LONG = ("fold", "-n", "2^22", "--quiet", "--device", "sim")

    def on_terminal(self, *arguments, term="xterm", command=("run", "--no-last")):
        """Returns what is written to standard error, a terminal, and to standard output, a pipe."""
        master, slave = pty.openpty()
        with Process([BINARY, *command, *arguments], stdout=subprocess.PIPE, stderr=slave,
                              env=dict(self.environment, TERM=term)) as process:
            os.close(slave)
            shown = b""
            while True:
                try:
                    piece = os.read(master, 4096)
                except OSError:
                    break
                if not piece:
                    break
                shown += piece
            out = process.stdout.read().decode()
        os.close(master)
        return shown.decode(), out

    def test_long_run_on_a_terminal_says_what_it_does_and_leaves_nothing(self):
        shown, out = self.on_terminal(*self.LONG)
        place = 0
        for words in ("filling in 4194304 values", "copying to the device", "round 1 of 22: running",
                      "round 1 of 22: copying back and asserting", "round 22 of 22: copying back and asserting"):
            self.assertIn(words, shown[place:])
            place = shown.index(words, place)
        self.assertTrue(shown.endswith("\r\x1b[K"))
        self.assertNotIn("\n", shown)
        self.assertTrue(out.startswith("HOLDS fold n=4194304 "))

    def test_run_beside_the_simulator_says_when_that_looks(self):
        shown, _ = self.on_terminal("fold", "-n", "2^22", "--quiet")
        self.assertIn("looking for hazards, in the simulator", shown)

    def test_many_passes_of_witness_values_say_which_one_it_is(self):
        many = ("fold", "-n", "2^11", "--values", "witness", "--quiet", "--device", "sim")
        shown, out = self.on_terminal(*many)
        place = 0
        for words in ("pass 1 of 142 on other values: ", "pass 142 of 142 on other values: ",
                      "pass 1 of 512 on witness values: ", "pass 512 of 512 on witness values: "):
            self.assertIn(words, shown[place:])
            place = shown.index(words, place)
        self.assertTrue(shown.endswith("\r\x1b[K"))
        self.assertTrue(out.startswith("HOLDS "))
        few = [word if word != "2^11" else "16" for word in many]
        self.assertEqual(self.on_terminal(*few)[0], "")

    def test_check_says_how_long_a_kernel_may_run(self):
        with open(self.path("hang.cu"), "w", encoding="utf-8") as file:
            file.write("__global__ void hang(volatile int *a)\n{\n    while (*a == 0)\n        ;\n}\n"
                       "__global__ void ends(int *a)\n{\n    a[0] = 1;\n}\n")
        options = ("--grid", "1", "--block", "1", "--arg", "i32[1]:zero", "--steps", str(1 << 40))
        check = ("check", self.path("hang.cu"))
        shown, out = self.on_terminal("--kernel", "hang", *options, "--timeout", "3", command=check)
        self.assertRegex(shown, r"hang under ascending: 2 s; it is stopped after 3 s \(--timeout\)")
        self.assertTrue(shown.endswith("\r\x1b[K"))
        self.assertIn("no-termination", out)
        for more in ({"term": "dumb"}, {}):
            kernel = "hang" if more else "ends"
            self.assertEqual(self.on_terminal("--kernel", kernel, *options, "--timeout", "2", command=check, **more)[0], "")

    def test_short_run_or_poor_terminal_shows_nothing(self):
        self.assertEqual(self.on_terminal("fold", "--quiet")[0], "")
        self.assertEqual(self.on_terminal(*self.LONG, term="dumb")[0], "")

    def test_long_run_in_a_pipe_shows_nothing(self):
        self.assertEqual(self.cli("run", "--no-last", *self.LONG, environment={"TERM": "xterm"}).stderr, "")


if __name__ == "__main__":
    unittest.main()
