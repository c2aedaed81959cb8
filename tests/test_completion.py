#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Completes command lines of reductio in the shells that are there.

test_completion.py REDUCTIO BASH ZSH FISH     the program, and the completions made for the three shells
"""
import os
import re
import shutil
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tools"))
import lists  # noqa: E402

REDUCTIO, BASH, ZSH, FISH = map(os.path.abspath, sys.argv[1:5])
SCRIPT = '''
source "$1"
compopt() { :; }
COMP_LINE=$2
COMP_POINT=${#2}
COMP_WORDBREAKS=$' \\t\\n"\\'><=;|&(:'
_reductio
printf '%s\\n' "${COMPREPLY[@]}"
'''


def cli(*words):
    return subprocess.run([REDUCTIO, *words], capture_output=True, text=True, check=True).stdout


def bash(line):
    done = subprocess.run(["bash", "-c", SCRIPT, "bash", BASH, line], capture_output=True, text=True, check=True,
                          cwd=os.path.dirname(os.path.abspath(__file__)),
                          env={**os.environ, "PATH": os.path.dirname(REDUCTIO) + ":" + os.environ["PATH"]})
    assert done.stderr == "", done.stderr
    return done.stdout.split()


class Completion(unittest.TestCase):
    def test_commands_are_those_of_help(self):
        commands = set(re.findall(r"^  ([a-z]+) ", cli("--help"), re.M))
        self.assertEqual(set(bash("reductio ")), commands)
        self.assertEqual(bash("reductio ver"), ["verify"])
        self.assertEqual(set(bash("reductio -")), {"--help", "--usage", "--version"})

    def test_options_are_those_of_help(self):
        for command in set(re.findall(r"^  ([a-z]+(?: [a-z]+)?) ", cli("--help"), re.M)):
            told = set(re.findall(r"^ {1,6}(?:-., |    )?(--[a-z-]+)", cli(*command.split(), "--help"), re.M))
            self.assertLessEqual({"--help", "--usage", "--version"}, told)
            self.assertEqual({word for word in bash(f"reductio {command} -") if word.startswith("--")}, told, command)

    def test_values_are_what_options_take(self):
        for line, words in (
                ("reductio run fold --type ", " ".join(lists.TYPES)),
                ("reductio run fold -t b", "bf16"),
                ("reductio run fold --op ", " ".join(lists.OPERATIONS)),
                ("reductio run fold --op=arg", "argmin argmax"),
                ("reductio run fold --frame ", "on off"),
                ("reductio check a.cu --schedule r", "random"),
                ("reductio bench sim --to ", ""),
                ("reductio explain fold --law s", "smtlib"),
                ("reductio verify --format j", "json junit"),
                ("reductio report fold --svg v", "violation")):
            self.assertEqual(bash(line), words.split(), line)

    def test_words_of_formats_are_taken(self):
        for form in bash("reductio explain fold --law "):
            self.assertNotEqual(cli("explain", "fold", "--law", form), "")
        for form in bash("reductio run fold --format "):
            self.assertNotEqual(cli("run", "fold", "--device", "sim", "--no-last", "--format", form), "")

    def test_programs_are_completed_once_and_files_always(self):
        programs = {row.split()[0] for row in cli("list").split("\n") if row}
        self.assertEqual(set(bash("reductio run ")), programs)
        self.assertEqual(bash("reductio run fold "), [])
        self.assertEqual(set(bash("reductio run -n 8 --type i32 ")), programs)
        # Readline splits words at a colon.
        self.assertEqual(bash("reductio explain fold:wrong-h"), ["wrong-half"])
        self.assertEqual(sorted(bash("reductio verify a.ndjson laws.")), ["laws.h", "laws.txt"])
        self.assertIn("fold", bash("reductio report fol"))
        self.assertIn("rounds", bash("reductio bench r"))
        self.assertIn("fold", bash("reductio bench rounds f"))

    @unittest.skipUnless(shutil.which("zsh"), "no zsh")
    def test_zsh_reads_its_own(self):
        subprocess.run(["zsh", "-n", ZSH], check=True)
        with open(ZSH, encoding="utf-8") as file:
            text = file.read()
        self.assertIn("_reductio_bench_rounds()", text)
        self.assertIn(f"({' '.join(lists.OPERATIONS)})", text)

    @unittest.skipUnless(shutil.which("fish"), "no fish")
    def test_fish_completes(self):
        def completed(line):
            done = subprocess.run(["fish", "--no-config", "-c", 'source "$argv[1]"; complete -C "$argv[2]"', FISH, line],
                                  capture_output=True, text=True, check=True,
                                  env={**os.environ, "PATH": os.path.dirname(REDUCTIO) + ":" + os.environ["PATH"]})
            self.assertEqual(done.stderr, "")
            return [row.split("\t")[0] for row in done.stdout.split("\n") if row]
        self.assertEqual(completed("reductio ver"), ["verify"])
        self.assertEqual(sorted(completed("reductio run fold --op arg")), ["argmax", "argmin"])
        self.assertIn("fold:wrong-half", completed("reductio explain fold:wr"))
        self.assertEqual([word.rstrip("=") for word in completed("reductio run --fra")], ["--frame"])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
