#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Drives the real binary. usage: test_cli.py REDUCTIO [unittest's arguments]"""

import contextlib
import fcntl
import json
import os
import re
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time
import unittest

BINARY = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "reductio"

PROGRAMS = ["fold", "fold-guard", "fold-ceil", "unfold", "tournament", "multiply", "dot-fold",
            "dot-tournament"]
TYPES = ["i32", "u32", "u64", "f32", "f64"]

# lesson: (step, cell) of its violation, as its document states them
LESSONS = {
    "fold:inclusive-bound": (2, 2),
    "fold:tournament-table": (1, 0),
    "fold:missing-guard": (2, 2),
    "fold:wrong-half": (1, 0),
    "fold-ceil:floor": (2, 0),
    "unfold:float": (1, 0),
    "tournament:interval": (0, 1),
    "tournament:lost-tail": (2, 0),
    "tournament:stride-one": (2, 0),
    "multiply:one-block": (1, 1),
}


class CliTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="reductio-")
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.environment = {k: v for k, v in os.environ.items()
                            if k not in ("NO_COLOR", "COLUMNS", "TERM")}
        self.environment["XDG_STATE_HOME"] = os.path.join(self.folder, "state")

    def path(self, name):
        return os.path.join(self.folder, name)

    def cli(self, *arguments, stdin="", **more):
        """Runs reductio; standard output and standard error come back as text."""
        environment = dict(self.environment, **more.pop("environment", {}))
        streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        streams.update(more)
        return subprocess.run([BINARY, *arguments], input=stdin, text=True, timeout=120,
                              env=environment, check=False, **streams)

    def run_sim(self, *arguments, **more):
        return self.cli("run", *arguments, "--device", "sim", **more)

    def assert_holds(self, done):
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(done.stderr, "")

    def assert_refused(self, done, *words):
        """Exit 2, nothing on standard output, one message with these words in it."""
        self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
        self.assertEqual(done.stdout, "")
        self.assertRegex(done.stderr, r"\Areductio: [^\n]+\n(Try [^\n]+\n([^\n]+\n)?)?\Z")
        for word in words:
            self.assertIn(word, done.stderr)

    @contextlib.contextmanager
    def blocked_run(self, *arguments):
        """A run that has filled the pipe to us, which is a small one, and waits for a reader."""
        with subprocess.Popen([BINARY, "run", *arguments, "--device", "sim"], text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              env=self.environment, pipesize=4096) as process:
            filled, end = -1, time.monotonic() + 60
            while time.monotonic() < end:
                before, filled = filled, struct.unpack("i", fcntl.ioctl(
                    process.stdout, termios.FIONREAD, b"\0" * 4))[0]
                if 0 < before == filled:
                    break
                time.sleep(0.3)
            self.assertIsNone(process.poll())
            yield process

    @staticmethod
    def last_line(done):
        return done.stdout.splitlines()[-1]


class HelpTest(CliTest):
    def test_help_of_each_command_names_it(self):
        for command in ("list", "explain", "run", "verify", "diff"):
            with self.subTest(command):
                done = self.cli(command, "--help")
                self.assert_holds(done)
                self.assertTrue(done.stdout.startswith(f"Usage: reductio {command} "), done.stdout)

    def test_help_lists_the_commands(self):
        done = self.cli("--help")
        self.assert_holds(done)
        for command in ("list", "explain PROGRAM", "run PROGRAM", "verify TRACE", "diff TRACE"):
            self.assertIn(f"  {command}", done.stdout)

    def test_help_tells_every_exit_status(self):
        for arguments in (["--help"], ["run", "--help"]):
            text = " ".join(self.cli(*arguments).stdout.split())
            self.assertIn("3 inconclusive, 130 interrupted, 141 nobody reads the output", text)

    def test_help_of_list_does_not_promise_too_much(self):
        text = " ".join(self.cli("list", "--help").stdout.split())
        self.assertIn("each of which is caught on its default values", text)

    def test_version_is_printed(self):
        for arguments in (["--version"], ["run", "--version"]):
            done = self.cli(*arguments)
            self.assert_holds(done)
            self.assertRegex(done.stdout, r"\Areductio \d+\.\d+\.\d+\n\Z")

    def test_no_command_is_refused(self):
        self.assert_refused(self.cli(), "list, explain, run, verify")

    def test_unknown_command_is_refused_with_the_nearest(self):
        self.assert_refused(self.cli("rnu"), "'rnu'", "did you mean 'run'?")
        self.assert_refused(self.cli("frobnicate"), "'frobnicate'")

    def test_unknown_option_is_refused(self):
        self.assert_refused(self.cli("--frobnicate"), "--frobnicate", "reductio --help")
        for command in ("list", "explain", "run", "verify", "diff"):
            with self.subTest(command):
                done = self.cli(command, "--frobnicate")
                self.assert_refused(done, "--frobnicate", f"reductio {command} --help")


class ListAndExplainTest(CliTest):
    def test_list_shows_lessons_under_their_programs(self):
        done = self.cli("list")
        self.assert_holds(done)
        lines = done.stdout.splitlines()
        twins = {item["name"]: item["twin"] for item in
                 json.loads(self.cli("list", "--json").stdout)}
        above = set()
        for line in lines:
            name, summary = line.split(None, 1)
            self.assertTrue(summary)
            if line.startswith("  "):
                self.assertIn(twins[name], above)
            else:
                self.assertEqual(twins[name], name)
                above.add(name)
        names = [line.split()[0] for line in lines]
        for name in PROGRAMS + list(LESSONS):
            self.assertIn(name, names)

    def test_list_json_agrees_with_the_text(self):
        items = json.loads(self.cli("list", "--json").stdout)
        lines = self.cli("list").stdout.splitlines()
        self.assertEqual([item["name"] for item in items], [line.split()[0] for line in lines])
        for item in items:
            self.assertEqual(item["lesson"], item["twin"] != item["name"])
            if ":" in item["name"]:
                self.assertTrue(item["lesson"])
            else:
                self.assertEqual(item["lesson"], item["name"] in ("dot-naive", "multi-block"))

    def test_list_takes_no_argument(self):
        self.assert_refused(self.cli("list", "fold"), "'fold'")

    def test_explain_prints_a_text_for_each_program(self):
        for name in PROGRAMS + list(LESSONS):
            with self.subTest(name):
                done = self.cli("explain", name)
                self.assert_holds(done)
                self.assertIn(name, done.stdout)
                self.assertGreater(len(done.stdout.splitlines()), 5)

    @staticmethod
    def source(place):
        """The text at FILE:FIRST-LAST."""
        path, first, last = re.fullmatch(r"(.+):(\d+)-(\d+)", place).groups()
        with open(os.path.join(os.path.dirname(__file__), "..", path), encoding="utf-8") as file:
            return "".join(file.readlines()[int(first) - 1:int(last)])

    def places(self, name):
        """Where to look, as what there is: the text at its place."""
        lines = self.cli("explain", name).stdout.partition("\nWhere to look\n")[2].splitlines()
        return {what: self.source(place) for place, what in (line.split(None, 1) for line in lines)}

    def test_explain_tells_where_to_look(self):
        for name in (line.split()[0] for line in self.cli("list").stdout.splitlines()):
            with self.subTest(name):
                places = self.places(name)
                self.assertGreaterEqual(len(places), 2)
                for what, text in places.items():
                    self.assertIn(what.rpartition(" ")[2] if "kernel" in what else "", text)
        places = self.places("fold:wrong-half")
        self.assertIn("A[i + half - 1]", places["the kernel fold_wrong_half"])
        self.assertIn("A[i + half]", places["right: fold"])
        places = self.places("multiply:one-block")
        self.assertIn("multiply", places["the right kernel, multiply"])
        self.assertIn("round->grid = 1;", places["the lesson: its claim, its rounds"])
        self.assertIn("explain: multiply\n", places["the invariant"])

    def test_a_lesson_points_to_its_explanation(self):
        for values in ("iota", "witness"):
            lines = self.run_sim("fold:wrong-half", "--values", values).stdout.splitlines()
            self.assertEqual(lines[-2], "What is wrong, and where: reductio explain fold:wrong-half")
            self.assertNotIn("reductio explain", self.run_sim("fold", "--values", values).stdout)

    def test_explain_and_list_fit_a_terminal_of_80_columns(self):
        names = [line.split()[0] for line in self.cli("list").stdout.splitlines()]
        for command in [("list",)] + [("explain", name) for name in names]:
            for line in self.cli(*command).stdout.splitlines():
                self.assertLessEqual(len(line), 80, (command, line))

    def test_explain_without_a_known_program_is_refused(self):
        self.assert_refused(self.cli("explain"), "reductio list")
        self.assert_refused(self.cli("explain", "fodl"), "'fodl'", "'fold'")
        self.assert_refused(self.cli("explain", "fold", "unfold"), "'unfold'")


class RunTest(CliTest):
    def test_fold_ends_with_the_documented_line(self):
        done = self.run_sim("fold", "-n", "8")
        self.assert_holds(done)
        self.assertEqual(self.last_line(done),
                         "HOLDS fold n=8 i32 sim: 4 steps, 15 cells asserted, 0 hazards")
        self.assertTrue(done.stdout.startswith("device sim ("))
        for obligation in ("initialization", "preservation", "exit"):
            self.assertRegex(done.stdout, rf"(?m)^{obligation} +HOLDS  ")

    def test_without_a_gpu_says_so_first(self):
        done = self.cli("run", "fold", "--device", "cuda", "--quiet", "--no-last")
        if done.returncode == 0:
            self.skipTest("there is a GPU")
        self.assertRegex(done.stderr, "^reductio: (no GPU can be used: cudaError|'cuda' is not in this build: )")

    def test_fold_shows_live_dead_and_changed_cells_apart(self):
        done = self.run_sim("fold", "-n", "8")
        self.assertIn("    +----+----+----+----+....................\n"
                      "    |  4*|  6*|  8*| 10*|  4 :  5 :  6 :  7 :\n"
                      "    +----+----+----+----+....................\n", done.stdout)
        self.assertIn("round 1 of 3: fold, half = 4, grid 1 x block 4, 4 active\n", done.stdout)

    def test_every_program_holds_for_every_type(self):
        for program in PROGRAMS:
            for element_type in TYPES:
                with self.subTest(program=program, type=element_type):
                    done = self.run_sim(program, "-n", "16", "--type", element_type)
                    self.assert_holds(done)
                    self.assertTrue(self.last_line(done).startswith(
                        f"HOLDS {program} n=16 {element_type} sim: "))

    def test_one_element_makes_no_round(self):
        done = self.run_sim("fold", "-n", "1")
        self.assert_holds(done)
        self.assertEqual(self.last_line(done),
                         "HOLDS fold n=1 i32 sim: 1 step, 1 cell asserted, 0 hazards")

    def test_each_lesson_is_violated_at_its_cell(self):
        for lesson, (step, cell) in LESSONS.items():
            with self.subTest(lesson):
                done = self.run_sim(lesson)
                self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
                self.assertRegex(self.last_line(done), rf"^VIOLATED {lesson} n=\d+ ")
                self.assertRegex(done.stdout, rf"(?m)^step {step}, (dead cell )?A\[{cell}\]: "
                                              "expected .*, actual ")

    def test_the_twin_of_each_lesson_holds_on_the_same_data(self):
        for lesson in LESSONS:
            if lesson == "unfold:float":  # it has no right twin on that data: see its document
                continue
            with self.subTest(lesson):
                n = json.loads(self.run_sim(lesson, "--json").stdout)["n"]
                self.assert_holds(self.run_sim(lesson.split(":")[0], "-n", str(n)))

    def test_a_changed_dead_cell_leaves_the_live_ones_their_verdict(self):
        for values, box in (("iota", "12!: 15!:"), ("witness", "{2,4,6}!:   {3,5,7}!:")):
            with self.subTest(values):
                text = self.run_sim("fold:missing-guard", "--values", values).stdout
                self.assertIn("    2 cells asserted: HOLDS\n"
                              "    6 dead cells, not all unchanged: VIOLATED\n", text)
                self.assertIn(box, text)
        self.assertNotIn("not all unchanged", self.run_sim("fold:wrong-half").stdout)

    def test_lost_inputs_are_named(self):
        done = self.run_sim("tournament:lost-tail", "-n", "3")
        self.assertIn("A[0] should hold {0, 1, 2}; it holds {0, 1}: 2 was lost in round 2\n",
                      done.stdout)
        done = self.run_sim("tournament:stride-one", environment={"COLUMNS": "200"})
        self.assertIn("A[0] should hold {0, 1, 2, 3}; it holds {0, 1 (2 times)}: 2 and 3 were "
                      "lost and 1 was counted twice in round 2\n", done.stdout)

    def test_a_refused_launch_is_a_hazard(self):
        done = self.run_sim("multiply:one-block", "-n", "1025")
        self.assertEqual(done.returncode, 1)
        self.assertIn("hazard in round 1: illegal-launch: cudaErrorInvalidConfiguration",
                      done.stdout)
        self.assertTrue(self.last_line(done).endswith(", 1 hazard"))
        self.assertIn(" grid 1 x block 1025, 0 active, launch refused\n", done.stdout)
        done = self.run_sim("multiply:one-block", "-n", "1025", "--values", "witness")
        self.assertIn(" grid 1 x block 1025, 0 active, launch refused\n", done.stdout)

    def messages(self, *arguments):
        reports = json.loads(self.run_sim(*arguments, "--json").stdout)["hazard_reports"]
        return [report["message"] for report in reports]

    def test_dynamic_shared_memory_is_told_in_its_type(self):
        self.assertIn(" writes dynamic shared memory[1] ", self.messages("multi-block:no-round-barrier")[0])
        self.assertIn(" when it held 512 (now 1024); ", self.messages("multi-block:no-round-barrier")[0])
        self.assertIn(" when it held 3; ", self.messages("puzzle-matmul:one-barrier")[0])
        for element_type in TYPES:
            self.assertIn(" when it held 512 (now 1024); ",
                          self.messages("multi-block:no-round-barrier", "-t", element_type)[0])
        self.assertIn(" gives it 32 bytes, 8 elements", self.messages("puzzle-dot:beyond-the-block")[0])

    def test_fresh_memory_is_told_as_such(self):
        self.assertIn(" when it held 0xa5a5a5a5, as fresh memory does (now ",
                      " ".join(self.messages("ladder-shuffles-twice:no-barrier")))

    def test_a_block_out_of_step_is_told_once(self):
        reports = json.loads(self.run_sim("multi-block", "--json").stdout)["hazard_reports"]
        self.assertEqual([report["name"] for report in reports],
                         ["barrier-divergence", "barrier-skipped-by-exit", "race"])

    def test_quiet_prints_one_line(self):
        done = self.run_sim("fold", "--quiet")
        self.assert_holds(done)
        self.assertEqual(done.stdout,
                         "HOLDS fold n=8 i32 sim: 4 steps, 15 cells asserted, 0 hazards\n")
        done = self.run_sim("fold:wrong-half", "--quiet")
        self.assertEqual(done.stdout.count("\n"), 1)
        self.assertIn("step 1, A[0]: expected 4, actual 3", done.stdout)

    def test_quiet_ends_with_the_first_hazard(self):
        for values in ("iota", "witness"):
            done = self.run_sim("multiply:one-block", "-n", "1025", "--quiet", "--values", values)
            self.assertEqual(done.stdout.count("\n"), 1)
            self.assertRegex(done.stdout, "; hazard in round 1: illegal-launch: "
                                          "cudaErrorInvalidConfiguration: [^;]+\n$")

    def test_a_large_array_is_elided_to_a_few_lines(self):
        done = self.run_sim("fold", "-n", "2^20", environment={"COLUMNS": "100"})
        self.assert_holds(done)
        lines = done.stdout.splitlines()
        self.assertLess(len(lines), 21 * 10 + 20)
        self.assertTrue(all(len(line) <= 100 for line in lines[1:]))
        self.assertIn("cells)", done.stdout)
        self.assertEqual(lines[-1], "HOLDS fold n=1048576 i32 sim: 21 steps, 2097151 cells "
                                    "asserted, 0 hazards")

    def test_lines_fit_any_width(self):
        for width in (20, 40, 80, 200):
            for n in ("7", "33", "300"):
                with self.subTest(width=width, n=n):
                    done = self.run_sim("tournament", "-n", n,
                                        environment={"COLUMNS": str(width)})
                    boxes = [line for line in done.stdout.splitlines()
                             if re.match(r" +[+|:.]", line)]
                    self.assertTrue(boxes)
                    self.assertLessEqual(max(map(len, boxes)), width)

    def test_sentences_are_broken_at_spaces_where_a_terminal_is_narrow(self):
        done = self.run_sim("fold:wrong-half", environment={"COLUMNS": "40"})
        lines = done.stdout.splitlines()[1:-1] # the device and the verdict are lines for scripts, too
        self.assertLessEqual(max(map(len, lines)), 40)
        self.assertIn("\n    does not keep it\n", done.stdout)

    def on_a_terminal(self, *arguments, columns=80):
        """What a run prints on a terminal of so many columns, line by line."""
        ours, theirs = os.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("4H", 24, columns, 0, 0))
        with subprocess.Popen([BINARY, "run", *arguments, "--device", "sim"], stdin=theirs, stdout=theirs,
                              stderr=theirs, env=self.environment) as process:
            os.close(theirs)
            text = b""
            with contextlib.suppress(OSError):  # at the end, as the terminal is gone
                while part := os.read(ours, 1 << 16):
                    text += part
            process.wait(timeout=60)
        os.close(ours)
        return text.decode().splitlines()

    def test_the_last_line_is_wrapped_on_a_terminal_only(self):
        for arguments in (["dot-two-phase"], ["fold:wrong-half", "--quiet"], ["puzzle-matmul:one-barrier"],
                          ["fold:wrong-half", "--values", "witness", "-q"]):
            with self.subTest(arguments):
                lines = self.on_a_terminal(*arguments)
                self.assertLessEqual(max(map(len, lines)), 80)
                last = self.last_line(self.run_sim(*arguments))
                self.assertGreater(len(last), 80)
                first = max(k for k, line in enumerate(lines) if line[:1] != " ")
                self.assertEqual(" ".join(line.strip() for line in lines[first:]), last)

    def test_frame_off_says_what_was_not_copied(self):
        done = self.run_sim("fold", "--frame", "off")
        self.assert_holds(done)
        self.assertIn("(not copied: 4 dead cells)", done.stdout)
        # A dead cell that was changed goes unseen, until a round uses it.
        done = self.run_sim("fold:missing-guard", "--frame", "off", "--json")
        self.assertNotEqual((json.loads(done.stdout)["violation"] or {}).get("kind"), "frame")

    def test_color_only_repeats_the_text(self):
        plain = self.run_sim("fold:wrong-half", "--color", "never").stdout
        color = self.run_sim("fold:wrong-half", "--color", "always").stdout
        self.assertNotIn("\033", plain)
        self.assertIn("\033[", color)
        self.assertEqual(re.sub(r"\033\[[0-9;]*m", "", color), plain)
        self.assertEqual(self.run_sim("fold:wrong-half").stdout, plain)

    def test_floats_tell_of_bits_and_bound(self):
        done = self.run_sim("fold", "--type", "f32", "--values", "random:3")
        self.assert_holds(done)
        self.assertIn("8 cells asserted (bits and bound): HOLDS", done.stdout)
        done = self.run_sim("fold", "--type", "f32", "--values", "list:1,nan,inf,4")
        self.assertIn("2 unbounded cells", done.stdout)
        self.assertIn("4 cells asserted (bits and bound): HOLDS", done.stdout)
        done = self.run_sim("fold", "--type", "f32", "--values", "list:nan,inf")
        self.assertIn("2 cells asserted (bits): HOLDS", done.stdout)
        self.assertNotIn("(bits and bound)", done.stdout)

    def test_short_options_are_those_of_bench(self):
        done = self.cli("run", "fold", "-t", "u64", "-d", "sim", "-q")
        self.assert_holds(done)
        self.assertTrue(done.stdout.startswith("HOLDS fold n=8 u64 sim: "))

    def test_device_cuda_without_a_gpu_is_refused(self):
        done = self.cli("run", "fold", "--device", "cuda")
        if done.returncode == 0:
            self.skipTest("there is a GPU")
        self.assert_refused(done)


class WitnessTest(CliTest):
    def test_fold_shows_sets_and_ends_with_the_documented_line(self):
        done = self.run_sim("fold", "-n", "16", "--values", "witness")
        self.assert_holds(done)
        self.assertRegex(self.last_line(done),
                         r"^HOLDS for every input of n=16 \(witness, \d+ passes\)$")
        for text in ("{0,8}*", "{0,4,8,12}*", "{0..15}*"):
            self.assertIn(text, done.stdout)

    def test_products_are_told_apart(self):
        done = self.run_sim("dot-fold", "-n", "16", "--values", "witness", "--quiet")
        self.assert_holds(done)
        self.assertRegex(done.stdout,
                         r"^HOLDS for every a of n=16, with b = 1 \(witness, \d+ passes\)\n$")

    def test_every_program_holds(self):
        for program in PROGRAMS:
            with self.subTest(program):
                self.assert_holds(self.run_sim(program, "-n", "32", "--values", "witness"))

    def test_a_large_n_shows_counts_only(self):
        done = self.run_sim("fold-guard", "-n", "300", "--values", "witness")
        self.assert_holds(done)
        self.assertNotIn("{", done.stdout)
        self.assertIn("300 cells asserted: HOLDS", done.stdout)

    def test_a_lesson_is_violated(self):
        done = self.run_sim("fold:wrong-half", "-n", "16", "--values", "witness",
                            environment={"COLUMNS": "200"})
        self.assertEqual(done.returncode, 1)
        self.assertRegex(self.last_line(done),
                         r"^VIOLATED for some input of n=16 \(witness, pass 1 of \d+\)$")
        self.assertIn("A[0] should hold {0, 8}; it holds {0, 7}: 8 was lost and 7 was wrongly "
                      "added in round 1\n", done.stdout)

    def test_another_type_is_refused(self):
        self.assert_refused(self.run_sim("fold", "--values", "witness", "--type", "i32"),
                            "'--type'", "u64")
        self.assert_holds(self.run_sim("fold", "--values", "witness", "--type", "u64"))

    def test_a_program_about_floats_is_refused(self):
        self.assert_refused(self.run_sim("unfold:float", "--values", "witness"), "'unfold:float'",
                            "f32", "whole numbers")

    def test_too_many_passes_are_refused_with_the_largest_n(self):
        for program in ("fold", "fold-guard", "unfold", "multiply", "dot-tournament"):
            with self.subTest(program):
                done = self.run_sim(program, "-n", "2^24", "--values", "witness")
                self.assert_refused(done, "'-n' is 16777216")
                passes, fine = map(int, re.search(r" (\d+) passes .* at most (\d+)\n",
                                                  done.stderr).groups())
                self.assertGreater(passes, 2 ** 24 // 64)
                self.assertTrue(2 ** 16 < fine < 2 ** 20, fine)
                if program in ("fold", "unfold"):
                    self.assertEqual(fine & fine - 1, 0)  # they take nothing else


class BadUsageTest(CliTest):
    def test_bad_options_are_refused(self):
        cases = {
            (): "reductio list",
            ("fodl",): "'fold'",
            ("xyzzy",): "'xyzzy'",
            ("fold", "unfold"): "'unfold'",
            ("fold", "-n"): "'n'",
            ("fold", "-n", ""): "'-n'",
            ("fold", "-n", "0"): "at least 1",
            ("fold", "-n", "-1"): "'-1'",
            ("fold", "-n", "+8"): "'+8'",
            ("fold", "-n", " 8"): "' 8'",
            ("fold", "-n", "8x"): "'8x'",
            ("fold", "-n", "1e3"): "'1e3'",
            ("fold", "-n", "8.0"): "'8.0'",
            ("fold", "-n", "0x8"): "'0x8'",
            ("fold", "-n", "2^"): "'2^'",
            ("fold", "-n", "3^4"): "'3^4'",
            ("fold", "-n", "2^2^2"): "'2^2^2'",
            ("fold", "-n", "2^64"): "too large",
            ("fold", "-n", "99999999999999999999"): "too large",
            ("fold", "-n", "18446744073709551616"): "too large",
            ("fold", "-n", "99999999999999999999G"): "too large",
            ("fold", "--type", "i33"): "'i32'",
            ("fold", "--type", "float"): "i32, u32, u64, f32 or f64",
            ("fold", "--values", "itoa"): "'iota'",
            ("fold", "--values", "/no/such/file"): "'/no/such/file'",
            ("fold", "--values", ""): "",
            ("fold", "--values", "random:x"): "'random:x'",
            ("fold", "--values", "list:"): "'list:'",
            ("fold", "--values", "list:1,x"): "x",
            ("fold", "--block", "0"): "1 to 1024",
            ("fold", "--block", "1025"): "1 to 1024",
            ("fold", "--block", "many"): "'many'",
            ("fold", "--device", "gpu"): "auto, sim or cuda",
            ("fold", "--trace", ""): "'--trace'",
            ("fold", "--trace", "/no/such/folder/t"): "/no/such/folder/t",
            ("fold", "--trace-cells", "-5"): "'-5'",
            ("fold", "--trace-cells", "al"): "'al'",
            ("fold", "--frame", "maybe"): "on or off",
            ("fold", "--color", "sometimes"): "auto, always or never",
            ("fold", "--json", "--trace", "-"): "standard output",
        }
        for arguments, word in cases.items():
            with self.subTest(arguments):
                self.assert_refused(self.cli("run", *arguments), word)

    def test_fold_of_no_power_of_two_names_the_others(self):
        self.assert_refused(self.run_sim("fold", "-n", "12"), "12", "fold-guard", "fold-ceil")

    def test_more_memory_than_there_is_is_refused(self):
        with open("/proc/sys/vm/overcommit_memory", encoding="ascii") as file:
            if file.read().strip() == "1":
                self.skipTest("this system promises any amount of memory")
        # The address sanitizer ends a process for that unless told otherwise, and adds a warning.
        environment = {"ASAN_OPTIONS": "allocator_may_return_null=1"}
        done = self.run_sim("fold", "-n", "2^40", "--no-last", environment=environment)
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertRegex(done.stderr, r"reductio: [^\n]*memory[^\n]*\n\Z")

    def test_n_takes_powers_and_suffixes(self):
        for text, n in (("2^10", 1024), ("1k", 1024), ("2K", 2048), ("0008", 8), ("2^0", 1)):
            with self.subTest(text):
                result = json.loads(self.run_sim("fold", "-n", text, "--json").stdout)
                self.assertEqual(result["n"], n)

    def test_verify_and_diff_want_their_traces(self):
        self.assert_refused(self.cli("verify"), "--last")
        self.assert_refused(self.cli("verify", "/no/such/file"), "/no/such/file")
        self.assert_refused(self.cli("verify", "--last"), "last.ndjson", "run a program first")
        self.assert_refused(self.cli("diff"), "two")
        self.assert_refused(self.cli("diff", "a"), "two")
        self.assert_refused(self.cli("diff", "a", "b", "c"), "'c'")
        self.assert_refused(self.cli("diff", "-", "-"), "stands twice")
        self.assert_refused(self.cli("diff", "/no/such/a", "/no/such/b"), "/no/such/a")


class BenchTest(CliTest):
    def bench(self, *arguments):
        return self.cli("bench", "fold", "-d", "sim", *arguments)

    def test_bad_options_are_refused_before_anything_is_printed(self):
        for arguments, word in ((("-r", "0"), "1 to 101"), (("-r", "102"), "1 to 101"),
                                (("--repeats", "many"), "'--repeats'"), (("-n", "0"), "at least 1"),
                                (("-n", "x"), "'-n'"), (("-n", "12"), "12, not a power of two")):
            with self.subTest(arguments):
                self.assert_refused(self.bench(*arguments), word)

    def test_it_prints_a_line_a_program(self):
        done = self.bench("-n", "1k", "-r", "1", "-t", "u64")
        self.assert_holds(done)
        self.assertRegex(done.stdout.splitlines()[-1], r"^fold +1024 +u64 ")

    def test_verified_is_the_default(self):
        done = self.cli("bench", "verified", "fold", "-d", "sim", "-n", "1k", "-r", "1")
        self.assert_holds(done)
        self.assertRegex(done.stdout.splitlines()[-1], r"^fold +1024 +f32 ")


class BenchRoundsTest(CliTest):
    def bench(self, *arguments):
        return self.cli("bench", "rounds", "-d", "sim", *arguments)

    def test_bad_options_are_refused_before_anything_is_printed(self):
        for arguments, word in (((), "no program"), (("fodl",), "did you mean 'fold'"),
                                (("fold", "-r", "0"), "1 to 101"), (("fold", "-n", "0"), "at least 1"),
                                (("fold", "-t", "i8"), "'i8' is not a type"),
                                (("fold", "-n", "12"), "12, not a power of two"),
                                (("tournament", "fold", "-n", "12"), "12, not a power of two"),
                                (("fold:wrong-half",), "only right programs are measured: use fold"),
                                (7 * ("fold",), "more than 6 programs"),
                                (("fold", "-d", "tpu"), "'tpu'")):
            with self.subTest(arguments):
                self.assert_refused(self.bench(*arguments), word)

    def test_json_has_each_round_with_what_the_schedule_says_of_it(self):
        done = self.bench("fold", "dot-two-phase", "-n", "1k", "-r", "3", "-t", "f64", "--json")
        self.assert_holds(done)
        result = json.loads(done.stdout)
        self.assertEqual((result["device"], result["n"], result["type"], result["repeats"]),
                         ("sim", 1024, "f64", 3))
        self.assertEqual(result["clock"], "processor time of the simulation")
        fold, dot = result["programs"]
        self.assertEqual([r["width"] for r in fold["rounds"]],
                         [{"name": "half", "value": 512 >> k} for k in range(10)])
        self.assertEqual([r["bytes"] for r in fold["rounds"]], [3 * 8 * (512 >> k) for k in range(10)])
        self.assertEqual([(r["read_elems"], r["written_elems"]) for r in dot["rounds"]],
                         [(2048, 4), (4, 1)])
        for r in fold["rounds"] + dot["rounds"]:
            self.assertLess(0, r["best_us"])
            self.assertLessEqual(r["best_us"], r["median_us"])
            self.assertAlmostEqual(r["gb_per_s"], r["bytes"] / r["median_us"] / 1e3)

    def test_it_prints_a_line_a_round(self):
        done = self.bench("fold", "-n", "8", "-r", "1")
        self.assert_holds(done)
        lines = done.stdout.splitlines()
        self.assertIn("times are processor time of the simulation, and no GPU's", lines)
        self.assertRegex(lines[-1], r"^ +3 +1 +1 +12 +\d+\.\d{3} +\d+\.\d{3} +\d+\.\d{3}$")


class BenchSeedsTest(CliTest):
    def test_bad_options_are_refused_before_anything_is_printed(self):
        for arguments, word in ((("-r", "0"), "1 to 101"), (("-r", "x"), "'--repeats'"),
                                (("fold",), "'fold' is one argument too many")):
            with self.subTest(arguments):
                self.assert_refused(self.cli("bench", "seeds", *arguments), word)


class BenchSimTest(CliTest):
    def bench(self, *arguments):
        return self.cli("bench", "sim", *arguments)

    def test_bad_options_are_refused_before_anything_is_printed(self):
        for arguments, word in ((("-r", "0"), "1 to 101"), (("--to", "2^9"), "2^10 to 2^26"),
                                (("--to", "2^27"), "2^10 to 2^26"), (("--to", "3k"), "power of two"),
                                (("--to", "x"), "'--to'"), (("fold",), "use block-sum or fold-round"),
                                (("block-sum", "fold-round"), "'fold-round' is one kernel too many")):
            with self.subTest(arguments):
                self.assert_refused(self.bench(*arguments), word)

    def test_it_prints_a_line_a_kernel_and_size(self):
        done = self.bench("-r", "1", "--to", "2^11")
        self.assert_holds(done)
        lines = [line.split() for line in done.stdout.splitlines()[2:]]
        self.assertEqual([line[:2] for line in lines], [[kernel, threads]
                                                        for kernel in ("block-sum", "fold-round")
                                                        for threads in ("1024", "2048")])

    def test_records_take_twice_the_bytes_of_the_data_and_there_are_no_hazards(self):
        done = self.bench("-r", "2", "--to", "2^18", "--json")
        self.assert_holds(done)
        result = json.loads(done.stdout)
        self.assertEqual(result["repeats"], 2)
        last = {line["kernel"]: line for line in result["kernels"] if line["threads"] == 2**18}
        self.assertEqual(set(last), {"block-sum", "fold-round"})
        for line in last.values():
            self.assertEqual(line["hazards"], 0)
            self.assertGreater(line["shadow_bytes"], 1.9 * line["data_bytes"])
            self.assertLess(line["shadow_bytes"], 2.1 * line["data_bytes"])
            self.assertGreater(line["resident_bytes"], line["shadow_bytes"] + line["data_bytes"])
        # As often as the kernels say: see kernels/block_sum.cu.
        self.assertEqual(last["fold-round"]["accesses"], 3 * 2**18)
        self.assertEqual(last["block-sum"]["accesses"], 2**10 * (2 * 256 + 3 * 255 + 2))


class ValuesTest(CliTest):
    def test_n_follows_from_a_file(self):
        with open(self.path("numbers"), "w", encoding="ascii") as file:
            file.write("# four numbers\n1 2\n3,4\n")
        done = self.run_sim("fold", "--values", self.path("numbers"), "--json")
        self.assert_holds(done)
        self.assertEqual(json.loads(done.stdout)["n"], 4)

    def test_standard_input_is_read(self):
        done = self.run_sim("fold-ceil", "--values", "-", "--quiet", stdin="5 6 7\n")
        self.assert_holds(done)
        self.assertTrue(done.stdout.startswith("HOLDS fold-ceil n=3 "))

    def test_a_wrong_count_is_refused(self):
        self.assert_refused(self.run_sim("fold", "--values", "-", "-n", "8", stdin="1 2 3 4\n"),
                            "4", "8")

    def test_a_program_with_its_own_list_takes_another_n(self):
        done = self.run_sim("unfold:float", "-n", "4", "--quiet")
        self.assertIn(" n=4 f32 ", done.stdout)


class JsonTest(CliTest):
    def test_a_run_that_holds(self):
        done = self.run_sim("fold", "--json")
        self.assert_holds(done)
        result = json.loads(done.stdout)
        expected = {
            "program": "fold", "n": 8, "type": "i32", "values": "iota", "device": "sim",
            "verdict": "HOLDS", "interrupted": False, "steps": 4, "cells": 15, "hazards": 0,
            "hazard_reports": [], "violation": None, "evidence": None,
            "obligations": dict.fromkeys(("initialization", "preservation", "exit"), "HOLDS"),
        }
        self.assertEqual({key: result.get(key) for key in expected}, expected)

    def test_each_lesson_names_its_step_and_cell(self):
        for lesson, place in LESSONS.items():
            with self.subTest(lesson):
                done = self.run_sim(lesson, "--json")
                self.assertEqual(done.returncode, 1)
                result = json.loads(done.stdout)
                self.assertEqual(result["verdict"], "VIOLATED")
                violation = result["violation"]
                self.assertEqual((violation["step"], violation["cell"]), place)
                self.assertNotEqual(violation["expected"], violation["actual"])

    def test_evidence_has_the_sets(self):
        evidence = json.loads(self.run_sim("fold:wrong-half", "--json").stdout)["evidence"]
        self.assertEqual(evidence["lost"], {"count": 1, "inputs": [{"index": 4, "times": 1}]})
        self.assertEqual(evidence["extra"], {"count": 1, "inputs": [{"index": 3, "times": 1}]})

    def test_hazards_are_reported(self):
        result = json.loads(self.run_sim("multiply:one-block", "--json").stdout)
        self.assertEqual(result["hazards"], 1)
        self.assertEqual(result["hazard_reports"][0]["name"], "illegal-launch")

    def test_witness_runs_tell_their_passes(self):
        result = json.loads(self.run_sim("fold", "-n", "16", "--values", "witness",
                                         "--json").stdout)
        self.assertEqual(result["values"], "witness")
        self.assertGreaterEqual(result["passes"], 2)

    def test_large_numbers_are_strings(self):
        values = "list:18446744073709551615,1,5,6"
        result = json.loads(self.run_sim("fold:wrong-half", "--type", "u64", "--values", values,
                                         "--json").stdout)
        self.assertEqual(result["violation"]["actual"], 0)
        values = "list:18446744073709551610,1,5,6"
        result = json.loads(self.run_sim("fold:wrong-half", "--type", "u64", "--values", values,
                                         "--json").stdout)
        self.assertEqual(result["violation"]["actual"], "18446744073709551611")


class TraceTest(CliTest):
    def record(self, name, *arguments):
        path = self.path(name)
        self.run_sim(*arguments, "--trace", path, "--quiet")
        self.assertTrue(os.path.exists(path))
        self.assertFalse(os.path.exists(path + ".part"))
        return path

    def test_trace_on_standard_output_leaves_the_text_on_standard_error(self):
        done = self.run_sim("fold", "--trace", "-")
        self.assertEqual(done.returncode, 0)
        records = [json.loads(line) for line in done.stdout.splitlines()]
        self.assertEqual(records[0]["record"], "version")
        self.assertEqual(records[-1]["record"], "verdict")
        self.assertIn("HOLDS fold n=8 i32 sim: 4 steps", done.stderr)

    def test_verify_of_standard_input(self):
        trace = self.run_sim("fold", "--trace", "-").stdout
        done = self.cli("verify", "-", stdin=trace)
        self.assert_holds(done)
        self.assertEqual(done.stdout, "HOLDS fold n=8 i32 sim: 4 steps, 15 cells asserted, "
                                      "0 hazards  -\n")

    def test_verify_prints_a_line_a_trace(self):
        first = self.record("a.ndjson", "fold")
        second = self.record("b.ndjson", "tournament", "-n", "5", "--type", "f64")
        done = self.cli("verify", first, second)
        self.assert_holds(done)
        lines = done.stdout.splitlines()
        self.assertEqual(len(lines), 2)
        self.assertEqual(lines[0], "HOLDS fold n=8 i32 sim: 4 steps, 15 cells asserted, 0 hazards"
                                   f"  {first}")
        self.assertTrue(lines[1].startswith("HOLDS tournament n=5 f64 sim: "))

    def test_verify_gives_the_worst_and_goes_on(self):
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

    def test_verify_quiet_prints_what_does_not_hold(self):
        good = self.record("good.ndjson", "fold")
        bad = self.record("bad.ndjson", "fold:wrong-half")
        self.assertEqual(self.cli("verify", "--quiet", good).stdout, "")
        done = self.cli("verify", "--quiet", good, bad)
        self.assertTrue(done.stdout.startswith("VIOLATED "))
        self.assertIn("A[0]: expected 4, actual 3", done.stdout)

    def test_verify_tells_the_first_hazard(self):
        path = self.record("h.ndjson", "multiply:one-block", "-n", "1025")
        self.assertIn("\n    hazard in round 1: illegal-launch: cudaErrorInvalidConfiguration: ",
                      self.cli("verify", path).stdout)
        item = json.loads(self.cli("verify", "--json", path).stdout)[0]
        self.assertEqual((item["hazard"]["name"], item["hazard"]["step"]), ("illegal-launch", 1))
        self.assertIn("cudaErrorInvalidConfiguration", item["hazard"]["message"])
        item = json.loads(self.cli("verify", "--json", self.record("g.ndjson", "fold")).stdout)[0]
        self.assertIsNone(item["hazard"])

    def test_verify_json_is_an_array(self):
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
            text, complaint = process.communicate(timeout=60)
        self.assertEqual((process.returncode, complaint), (0, ""), text)
        done = self.cli("verify", "--last")
        self.assert_holds(done)
        self.assertIn("fold n=2048 ", done.stdout)
        self.assertEqual(os.listdir(folder), ["last.ndjson"])

    def test_what_a_killed_run_left_is_removed(self):
        folder = os.path.join(self.environment["XDG_STATE_HOME"], "reductio")
        with self.blocked_run("fold", "-n", "2048") as process:
            process.kill()
            process.communicate(timeout=60)
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

    def test_diff_finds_the_first_difference(self):
        first = self.record("a.ndjson", "fold", "--values", "list:1,2,3,4")
        same = self.record("same.ndjson", "fold", "--values", "list:1,2,3,4")
        other = self.record("other.ndjson", "fold", "--values", "list:1,2,3,5")
        done = self.cli("diff", first, same)
        self.assert_holds(done)
        self.assertIn("the same", done.stdout)
        done = self.cli("diff", first, other)
        self.assertEqual(done.returncode, 1)
        self.assertTrue(done.stdout.strip())
        self.assertEqual(self.cli("diff", "--quiet", first, other).stdout, "")
        self.assertTrue(json.loads(self.cli("diff", "--json", first, other).stdout)["differs"])
        self.assertEqual(self.cli("diff", first, "/no/such/file").returncode, 2)

    def test_diff_names_step_and_cell(self):
        first = self.record("a.ndjson", "fold")
        with open(first, encoding="utf-8") as file:
            text = file.read()
        changed = text.replace("[12,16,", "[12,17,")
        self.assertNotEqual(text, changed)
        with open(self.path("b.ndjson"), "w", encoding="utf-8") as file:
            file.write(changed)
        done = self.cli("diff", first, self.path("b.ndjson"))
        self.assertEqual(done.stdout, "step 2, A[1]: 16 and 17\n")

    def test_diff_names_the_input(self):
        paths = []
        for name, b in (("a", "4,6,7"), ("b", "4,5,7"), ("c", "4,6,7")):
            a = "1,2,9" if name == "c" else "1,2,3"
            paths.append(self.record(name, "dot-tournament", "--values", f"list:{a},{b}"))
            with open(paths[-1], encoding="utf-8") as file:
                text = re.sub('"values":"[^"]*"', '"values":"list:x"', file.read())
            with open(paths[-1], "w", encoding="utf-8") as file:
                file.write(text)
        self.assertEqual(self.cli("diff", *paths[:2]).stdout, "input b[1]: 6 and 5\n")
        self.assertEqual(self.cli("diff", paths[0], paths[2]).stdout, "input a[2]: 3 and 9\n")
        found = json.loads(self.cli("diff", "--json", *paths[:2]).stdout)
        self.assertEqual((found["array"], found["cell"]), ("b", 1))

    def test_diff_names_the_pass(self):
        first = self.record("a.ndjson", "fold", "-n", "16", "--values", "witness")
        with open(first, encoding="utf-8") as file:
            lines = file.readlines()
        k = next(k for k, line in enumerate(lines) if '"pass":2,"step":1,' in line)
        lines[k] = re.sub('"cells":\\[[^,]*,', '"cells":[77,', lines[k])
        with open(self.path("b.ndjson"), "w", encoding="utf-8") as file:
            file.writelines(lines)
        done = self.cli("diff", first, self.path("b.ndjson"))
        self.assertRegex(done.stdout, r"\Apass 2, step 1, A\[0\]: \d+ and 77\n\Z")
        done = self.cli("diff", "--json", first, self.path("b.ndjson"))
        self.assertEqual(json.loads(done.stdout)["pass"], 2)


class EnvironmentTest(CliTest):
    def test_a_full_disk_is_told(self):
        with open("/dev/full", "w", encoding="ascii") as full:
            for arguments in (["list"], ["--help"], ["explain", "fold"], ["run", "fold"],
                              ["run", "fold", "--json"], ["run", "fold", "--quiet"]):
                with self.subTest(arguments):
                    done = self.cli(*arguments, stdout=full)
                    self.assertEqual(done.returncode, 2)
                    self.assertEqual(done.stderr.count("No space left on device"), 1)

    def test_a_full_disk_for_the_trace_is_told(self):
        done = self.run_sim("fold", "--trace", "/dev/full")
        self.assertEqual(done.returncode, 2)
        self.assertIn("No space left on device", done.stderr)

    def closed_pipe(self, *arguments):
        reader, writer = os.pipe()
        os.close(reader)
        with os.fdopen(writer, "w") as out:
            return self.cli(*arguments, stdout=out)

    def test_a_closed_pipe_ends_quietly(self):
        for arguments in (["list"], ["run", "fold"], ["run", "fold", "--json"],
                          ["explain", "fold"]):
            with self.subTest(arguments):
                done = self.closed_pipe(*arguments)
                self.assertEqual((done.returncode, done.stderr), (141, ""))

    def test_a_closed_pipe_leaves_the_trace(self):
        path = self.path("t.ndjson")
        self.closed_pipe("run", "fold", "--device", "sim", "--trace", path)
        self.assertTrue(os.path.exists(path) or os.path.exists(path + ".part"))

    def interrupt(self, number):
        path = self.path("long.ndjson")
        arguments = ["run", "fold-guard", "-n", "20000", "--values", "witness", "--device", "sim",
                     "--trace", path, "--trace-cells", "4", "--no-last"]
        with subprocess.Popen([BINARY, *arguments], stdout=subprocess.PIPE, text=True,
                              env=self.environment) as process:
            end = time.monotonic() + 60
            while time.monotonic() < end:  # until the trace has a step
                try:
                    with open(path + ".part", encoding="utf-8") as file:
                        if '"step"' in file.read(1 << 20):
                            break
                except FileNotFoundError:
                    pass
                time.sleep(0.01)
            process.send_signal(number)
            text = process.communicate(timeout=60)[0]
        self.assertEqual(process.returncode, 130)
        self.assertTrue(text.splitlines()[-1].startswith("INTERRUPTED "), text[-200:])
        with open(path, encoding="utf-8") as file:
            records = [json.loads(line) for line in file]
        self.assertEqual(records[-1]["record"], "interrupted")
        done = self.cli("verify", path)
        self.assertEqual(done.returncode, 3)
        self.assertIn("interrupted", done.stdout)

    def test_a_blocked_write_survives_an_interruption(self):
        path = self.path("t.ndjson")
        with self.blocked_run("fold", "-n", "2048", "--trace", path) as process:
            process.send_signal(signal.SIGINT)
            time.sleep(0.3)
            text, complaint = process.communicate(timeout=60)
        self.assertEqual((process.returncode, complaint), (130, ""), text[-200:])
        self.assertTrue(text.splitlines()[-1].startswith("INTERRUPTED "), text[-200:])
        with open(path, encoding="utf-8") as file:
            record = json.loads(file.readlines()[-1])
        self.assertEqual((record["record"], record["verdict"]), ("interrupted", "INCONCLUSIVE"))

    def test_interrupted_json_is_inconclusive(self):
        path = self.path("t.ndjson")
        with subprocess.Popen([BINARY, "run", "fold-guard", "-n", "20000", "--values", "witness",
                               "--device", "sim", "--trace", path, "--no-last", "--json"],
                              stdout=subprocess.PIPE, text=True, env=self.environment) as process:
            end = time.monotonic() + 60
            while time.monotonic() < end and not (os.path.exists(path + ".part") and
                                                  os.path.getsize(path + ".part") > 10000):
                time.sleep(0.01)
            process.send_signal(signal.SIGINT)
            text = process.communicate(timeout=60)[0]
        result = json.loads(text)
        self.assertEqual((process.returncode, result["interrupted"], result["verdict"]),
                         (130, True, "INCONCLUSIVE"))

    def test_interruption_ends_the_trace_and_exits_130(self):
        self.interrupt(signal.SIGINT)

    def test_termination_is_an_interruption(self):
        self.interrupt(signal.SIGTERM)

    def test_closed_standard_output_does_not_reach_the_trace(self):
        path = self.path("t.ndjson")
        done = subprocess.run(["sh", "-c", 'exec "$0" run fold --device sim --trace "$1" >&-',
                               BINARY, path], env=self.environment, check=False,
                              stderr=subprocess.PIPE, text=True, timeout=60)
        self.assertEqual(done.returncode, 2)
        for name in (path, path + ".part"):
            if os.path.exists(name):
                with open(name, encoding="utf-8") as file:
                    for line in file:
                        json.loads(line)


if __name__ == "__main__":
    unittest.main()
