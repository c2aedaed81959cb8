# SPDX-License-Identifier: MIT
"""Base of the tests of `reductio step`: plays a script, and splits its output into screens."""

import os
import re
import subprocess
import sys
import tempfile
import unittest

import leaks
from patience import WAIT_S

BINARY = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "reductio"


class StepCase(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="reductio-")
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.environment = {k: v for k, v in os.environ.items()
                            if k not in ("NO_COLOR", "COLUMNS", "LINES", "TERM", "LANG",
                                         "LC_CTYPE")}
        self.environment["XDG_STATE_HOME"] = os.path.join(self.folder, "state")
        self.environment["LC_ALL"] = "C.UTF-8"

    def path(self, name):
        return os.path.join(self.folder, name)

    def cli(self, *arguments, stdin="", **environment):
        return subprocess.run([BINARY, *arguments], input=stdin, text=True, timeout=WAIT_S,
                              env=leaks.with_detection({**self.environment, **environment}, arguments), check=False,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def script(self, commands, *arguments, status=0, **environment):
        """Does the commands; returns the screens, the first of them from before any command."""
        if "--trace" not in arguments and "--last" not in arguments:
            arguments = (*arguments, "--device", "sim")
        done = self.cli("step", *arguments, "--script", "-", stdin="\n".join(commands) + "\n",
                        **environment)
        self.assertEqual(done.stderr, "")
        self.assertEqual(done.returncode, status, done.stdout)
        return re.split(r"^\n?> .*\n", done.stdout, flags=re.MULTILINE)

    def last(self, commands, *arguments, **more):
        return self.script(commands, *arguments, **more)[-1]

    def refused(self, commands, *arguments):
        """The message that ends a script."""
        done = self.cli("step", *arguments, "--device", "sim", "--script", "-",
                        stdin="\n".join(commands) + "\n")
        self.assertEqual(done.returncode, 2, done.stdout)
        self.assertRegex(done.stderr, r"\Areductio: [^\n]+\n(Try [^\n]+\n)?\Z")
        return done.stderr

    def assert_in(self, text, *words):
        for word in words:
            self.assertIn(word, text)

    def assert_not_in(self, text, *words):
        for word in words:
            self.assertNotIn(word, text)


def status_line(screen):
    return screen.rstrip("\n").split("\n")[-1]


def boxes(screen):
    """The rows of boxes: the texts in them, with their marks."""
    return [[box.strip() for box in re.split("[│┆]", line)[1:-1]]
            for line in screen.split("\n") if re.match(r" \w+ +…? ?│", line)]
