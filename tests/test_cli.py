#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The command line as a whole: help, unknown commands, and an environment that fails.

usage: test_cli.py REDUCTIO [unittest's arguments]"""

import json
import os
import resource
import signal
import subprocess
import time
import unittest

from cli_case import BINARY, CliTest
from patience import Process, WAIT_S


class HelpTest(CliTest):
    def test_help_of_each_command_names_it(self):
        for command in ("list", "explain", "run", "step", "verify", "diff", "report", "check", "bench"):
            with self.subTest(command):
                done = self.cli(command, "--help")
                self.assert_holds(done)
                self.assertTrue(done.stdout.startswith(f"Usage: reductio {command} "), done.stdout)

    def test_help_lists_the_commands(self):
        done = self.cli("--help")
        self.assert_holds(done)
        for command in ("list", "explain PROGRAM", "run PROGRAM", "verify TRACE", "diff TRACE"):
            self.assertIn(f"  {command}", done.stdout)

    def test_help_says_what_each_command_takes(self):
        for command, takes in (("list", ""), ("explain", " PROGRAM"), ("run", " PROGRAM"),
                               ("step", " PROGRAM|FILE.cu|--trace=FILE|--last"), ("verify", " TRACE...|--last"),
                               ("diff", " TRACE TRACE"), ("report", " TRACE|PROGRAM|FILE.cu|--last"),
                               ("check", " FILE.cu")):
            with self.subTest(command):
                self.assertTrue(self.cli(command, "--help").stdout.startswith(
                    f"Usage: reductio {command} [OPTION...]{takes}\n"))

    def test_help_has_a_line_a_command_and_fits_the_terminal(self):
        lines = self.cli("--help").stdout.splitlines()
        commands = lines[lines.index("Commands:") + 1:]
        for line in commands[:commands.index("")]:
            self.assertRegex(line, r"^  [a-z]+ .{18,}")
        for command in ([], ["run"], ["check"], ["report"], ["run", "x.cu"], ["bench"], ["bench", "rounds"], ["bench", "sim"]):
            for line in self.cli(*command, "--help").stdout.splitlines():
                self.assertLessEqual(len(line), 80)

    def test_help_tells_every_exit_status(self):
        for arguments in (["--help"], ["run", "--help"]):
            text = " ".join(self.cli(*arguments).stdout.split())
            self.assertIn("3 inconclusive, 130 interrupted, 141 nobody reads the output", text)

    def test_help_of_each_command_tells_its_exit_statuses(self):
        for command in (["list"], ["explain"], ["step"], ["verify"], ["diff"], ["report"], ["check"], ["judge"], ["new"],
                        ["prove"], ["run", "x.cu"], ["bench"], ["bench", "rounds"], ["bench", "sim"], ["bench", "seeds"]):
            with self.subTest(command):
                text = " ".join(self.cli(*command, "--help").stdout.split())
                self.assertRegex(text, "Exit status: .*0.* 2")

    def test_help_of_list_does_not_promise_too_much(self):
        text = " ".join(self.cli("list", "--help").stdout.split())
        self.assertIn("each of which is caught with its own operation on its default values", text)

    def test_version_is_printed(self):
        for arguments in (["--version"], ["run", "--version"]):
            done = self.cli(*arguments)
            self.assert_holds(done)
            self.assertRegex(done.stdout, r"\Areductio \d+\.\d+\.\d+\n\Z")

    def test_no_command_is_refused(self):
        self.assert_refused(self.cli(), "list, explain, run, judge, prove, verify")

    def test_unknown_command_is_refused_with_the_nearest(self):
        self.assert_refused(self.cli("rnu"), "'rnu'", "did you mean 'run'?")
        self.assert_refused(self.cli("frobnicate"), "'frobnicate'")

    def test_help_is_a_command_too(self):
        self.assertEqual(self.cli("help").stdout, self.cli("--help").stdout)
        self.assertEqual(self.cli("help", "verify").stdout, self.cli("verify", "--help").stdout)
        self.assert_refused(self.cli("help", "frobnicate"), "'frobnicate'")

        self.assertEqual(self.cli("-h").stdout, self.cli("--help").stdout)
        self.assertEqual(self.cli("run", "x.cu", "-h").stdout, self.cli("run", "x.cu", "--help").stdout)

    def test_files_where_others_are_asked_for_are_told_apart(self):
        for name, text in (("mine.cu", "int main() {}\n"), ("t.ndjson", "{}\n")):
            with open(self.path(name), "w", encoding="utf-8") as file:
                file.write(text)
        writes = "'mine.cu' is a program, and a trace is asked for: 'reductio run mine.cu --trace FILE' writes one"
        for words, said in (
                (("mine.cu",), "'mine.cu' is not a command: 'reductio run mine.cu' runs it"),
                (("run", "mine"), "'mine' is not a program: did you mean the file 'mine.cu'?"),
                (("verify", "mine.cu"), writes), (("diff", "t.ndjson", "mine.cu"), writes),
                (("step", "--trace", "mine.cu"), writes), (("step", "--trace=mine.cu"), writes),
                (("report", "fold", "--compare", "mine.cu", "-o", "x.html"), writes),
                (("prove", "t.ndjson"), "'t.ndjson' is a file, and no source: if it is a trace, 'reductio verify t.ndjson'"),
                (("run", "mine.cu", "5"), "there is no file '5': the program's own arguments stand behind --"),
                (("run", "mine.cu", "mine.cu"), "'mine.cu' is named twice"),
                (("run", "mine.cu", "-d", "gpu"), "'gpu' is no device that runs a program: use --device sim or cuda"),
                (("run", "mine.cu", "--device", "gpu"), "'gpu' is no device that runs a program: use --device sim or cuda")):
            with self.subTest(words):
                self.assert_refused(self.cli(*words, cwd=self.folder), said)

    def test_options_of_programs_are_told_beside_a_file(self):
        self.assert_refused(self.cli("run", "sum.cu", "-n", "100"), "'--number n=100' sets a file's variable n")
        self.assert_refused(self.cli("run", "sum.cu", "--block", "64"), "'--block' is of Reductio's own programs")
        self.assert_refused(self.cli("run", "sum.cu", "--law", "A[0] = 0"), "'//@ invariant LAW' before a loop")

    def test_unknown_option_is_refused(self):
        self.assert_refused(self.cli("--frobnicate"), "--frobnicate", "reductio --help")
        for command in ("list", "explain", "run", "verify", "diff"):
            with self.subTest(command):
                done = self.cli(command, "--frobnicate")
                self.assert_refused(done, "--frobnicate", f"reductio {command} --help")

    def test_option_that_is_nearly_one_is_refused_with_the_nearest(self):
        for words, meant in ((("run", "--vlaues", "ones", "fold"), "--values"),
                             (("step", "--scirpt=x", "fold"), "--script"),
                             (("report", "fold", "--comparre", "x"), "--compare"),
                             (("list", "--jsn"), "--json"), (("--hlep",), "--help")):
            with self.subTest(words):
                self.assert_refused(self.cli(*words), f"did you mean '{meant}'?", "--help")
        for words in (("run", "fold", "--val", "ones"), ("run", "--trace", "--vlaues", "fold"),
                      ("run", "fold", "-qn8")):
            with self.subTest(words):
                self.assert_holds(self.cli(*words, "--device", "sim", cwd=self.folder))
        self.assertTrue(os.path.exists(self.path("--vlaues")))

    def test_word_that_begins_a_choice_is_refused_with_that_one(self):
        for option, word, meant in (("--frame", "of", "off"), ("--frame", "o", "on"), ("--frame", "onn", "on"),
                                    ("--color", "alway", "always"), ("--type", "i2", "i32")):
            with self.subTest(word):
                self.assert_refused(self.cli("run", "fold", option, word), f"did you mean '{meant}'?")

    def test_file_where_a_program_is_asked_for_is_told_apart(self):
        self.assert_refused(self.cli("explain", "tree.cu"), "'tree.cu' is a file", "'reductio run tree.cu' runs it")

    def test_lesson_is_found_by_its_own_name(self):
        for command in ("run", "explain", "step", "report"):
            self.assert_refused(self.cli(command, "wrong-half"),
                                "'wrong-half' is not a program: did you mean 'fold:wrong-half'?")
        self.assert_refused(self.cli("run", "wrong-hlaf"), "did you mean 'fold:wrong-half'?")
        self.assert_refused(self.cli("run", "no-guard"), ":no-guard' or '")


class EnvironmentTest(CliTest):
    def test_a_full_disk_is_told(self):
        laws = os.path.join(self.folder, "laws")
        with open(laws, "w", encoding="ascii") as file:
            file.write("fold: for 0 <= i < w: A[i] = sum of a[j], j mod w = i\n")
        with open("/dev/full", "w", encoding="ascii") as full:
            for arguments in (["list"], ["--help"], ["explain", "fold"], ["run", "fold"],
                              ["run", "fold", "--json"], ["run", "fold", "--quiet"], ["judge", laws]):
                with self.subTest(arguments):
                    done = self.cli(*arguments, stdout=full)
                    self.assertEqual(done.returncode, 2)
                    self.assertEqual(done.stderr.count("No space left on device"), 1)

    def test_a_limit_on_the_size_of_files_is_told(self):
        path = os.path.join(self.folder, "written")
        for arguments in (["list"], ["run", "fold", "--device", "sim", "--trace", path], ["report", "fold", "-o", path]):
            with self.subTest(arguments), open(path, "w", encoding="ascii") as out:
                done = self.cli(*arguments, stdout=out,
                                preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100)))
                self.assertEqual(done.returncode, 2)
                self.assertEqual(done.stderr.count("File too large"), 1, done.stderr)

    def test_a_run_that_memory_does_not_hold_is_refused(self):
        done = self.run_sim("fold", "-n", str(2 ** 40))
        self.assertEqual(done.returncode, 2)
        self.assertRegex(done.stderr, r"'n' is 1099511627776, for which fold takes [\d.]+ GiB of memory, and [\d.]+ GiB")
        self.assert_refused(self.run_sim("dot-shared", "--grid", str(2 ** 31)),
                            "'grid' is 2147483648", "cudaErrorInvalidConfiguration")

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
        with Process([BINARY, *arguments], stdout=subprocess.PIPE, text=True,
                              env=self.environment) as process:
            end = time.monotonic() + WAIT_S
            while time.monotonic() < end:  # until the trace has a step
                try:
                    with open(path + ".part", encoding="utf-8") as file:
                        if '"step"' in file.read(1 << 20):
                            break
                except FileNotFoundError:
                    pass
                time.sleep(0.01)
            process.send_signal(number)
            text = process.communicate(timeout=WAIT_S)[0]
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
            text, complaint = process.communicate(timeout=WAIT_S)
        self.assertEqual((process.returncode, complaint), (130, ""), text[-200:])
        self.assertTrue(text.splitlines()[-1].startswith("INTERRUPTED "), text[-200:])
        with open(path, encoding="utf-8") as file:
            record = json.loads(file.readlines()[-1])
        self.assertEqual((record["record"], record["verdict"]), ("interrupted", "INCONCLUSIVE"))

    def test_interrupted_json_is_inconclusive(self):
        path = self.path("t.ndjson")
        with Process([BINARY, "run", "fold-guard", "-n", "20000", "--values", "witness",
                               "--device", "sim", "--trace", path, "--no-last", "--json"],
                              stdout=subprocess.PIPE, text=True, env=self.environment) as process:
            end = time.monotonic() + WAIT_S
            while time.monotonic() < end and not (os.path.exists(path + ".part") and
                                                  os.path.getsize(path + ".part") > 10000):
                time.sleep(0.01)
            process.send_signal(signal.SIGINT)
            text = process.communicate(timeout=WAIT_S)[0]
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
                              stderr=subprocess.PIPE, text=True, timeout=WAIT_S)
        self.assertEqual(done.returncode, 2)
        for name in (path, path + ".part"):
            if os.path.exists(name):
                with open(name, encoding="utf-8") as file:
                    for line in file:
                        json.loads(line)


if __name__ == "__main__":
    unittest.main()
