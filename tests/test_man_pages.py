#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Each subcommand has a manual page, with its usage and its options.

test_man_pages.py REDUCTIO FOLDER     the program, and where the pages are
"""
import pathlib
import re
import subprocess
import sys
import unittest

REDUCTIO, FOLDER = sys.argv[1:3]


def cli(*words):
    return subprocess.run([REDUCTIO, *words], capture_output=True, text=True, check=True).stdout


def plain(page):
    """A page of roff as text: no requests, no fonts, no escapes."""
    text = re.sub(r"\\f[A-Z]", "", page.read_text(encoding="utf-8"))
    return re.sub(r"\\&", "", text).replace("\\-", "-")


class ManPages(unittest.TestCase):
    def test_each_subcommand_has_a_page_with_its_options(self):
        help_text = cli("--help")
        commands = sorted(set(re.findall(r"^  ([a-z]+) ", help_text, re.M)))
        pages = sorted(path.stem.removeprefix("reductio-") for path in pathlib.Path(FOLDER).glob("reductio-*.1"))
        self.assertEqual(pages, commands)
        for command in commands:
            text = plain(pathlib.Path(FOLDER) / f"reductio-{command}.1")
            about = re.search(rf"^  {command}\b.*?  +(.*)$", help_text, re.M)[1]
            self.assertIn(f"reductio-{command} - {about}", text)
            self.assertIn(f"reductio {command}", text)
            told = set(re.findall(r"^ {1,6}(?:-., |    )?(--[a-z-]+)", cli(command, "--help"), re.M))
            if command in ("report", "step"):  # which take those of a run
                told -= set(re.findall(r"--[a-z-]+", cli("run", "--help")))
            for option in told - {"--help", "--usage", "--version", "--define", "--include"}:
                self.assertIn(option, text, command)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
