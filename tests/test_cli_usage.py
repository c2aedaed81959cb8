#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Bad usage of reductio run, verify and diff.

usage: test_cli_usage.py REDUCTIO [unittest's arguments]"""

import json
import pathlib
import re
import unittest

from cli_case import CliTest, lists

DOCS = pathlib.Path(__file__).resolve().parent.parent / "docs"


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
            ("fold", "--type", "i16"): "use " + lists.alternatives(lists.TYPES),
            ("fold", "--type", "float"): lists.alternatives(lists.TYPES),
            ("fold", "--values", "itoa"): "'iota'",
            ("fold", "--values", "/no/such/file"): "'/no/such/file'",
            ("fold", "--values", ""): "",
            ("fold", "--values", "random:x"): "'random:x'",
            ("fold", "--values", "list:"): "'list:'",
            ("fold", "--values", "list:1,x"): "x",
            ("fold", "--block", "0"): "1 to 1024",
            ("fold", "--block", "1025"): "1 to 1024",
            ("fold", "--block", "many"): "'many'",
            ("fold", "--device", "gpu"): lists.alternatives(lists.DEVICES),
            ("fold", "--trace", ""): "'--trace'",
            ("fold", "--trace", "/no/such/folder/t"): "'/no/such/folder/t'",
            ("",): "reductio list",
            ("fold", "--trace-cells", "-5"): "'-5'",
            ("fold", "-n", "2^32", "--op", "argmin"): "holds an index of 32 bits",
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

    def test_bytes_of_no_trace_do_not_reach_the_terminal(self):
        with open(self.path("bytes"), "wb") as file:
            file.write(b"\x1b[2J\x07\x7f\n")
        done = self.cli("verify", self.path("bytes"))
        self.assert_refused(done, "is not JSON")
        self.assertTrue(done.stderr.rstrip("\n").isprintable(), done.stderr)

    def test_man_page_has_the_options_of_each_subcommand(self):
        page = (DOCS / "reductio.1.scd").read_text(encoding="utf-8")
        commands = sorted(set(re.findall(r"^  ([a-z]+) ", self.cli("--help").stdout, re.M)))
        described = page.partition("# COMMANDS\n")[2].partition("\n# ")[0]
        self.assertEqual(commands, sorted(set(re.findall(r"^\*([a-z]+)\*", described, re.M))))
        for command in commands:
            told = set(re.findall(r"(?<![\w-])--[a-z-]+", self.cli(command, "--help").stdout))
            for option in told - {"--help", "--usage", "--version", "--define", "--include"}:  # -D and -I
                self.assertTrue(f"*{option}*" in page, f"{command} {option}")


if __name__ == "__main__":
    unittest.main()
