# SPDX-License-Identifier: MIT
"""Base of the tests of the command line: runs the binary, and holds its refusals against their form."""

import contextlib
import fcntl
import json
import os
import struct
import subprocess
import sys
import tempfile
import termios
import time
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'tools'))
import lists  # noqa: E402,F401

import leaks
from patience import Process, WAIT_S

BINARY = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "reductio"

PROGRAMS = ["fold", "fold-guard", "fold-ceil", "unfold", "tournament", "multiply", "dot-fold",
            "dot-tournament"]

# lesson: (step, cell) of its violation, as its document states them
LESSONS = {
    "fold:inclusive-bound": (2, 2),
    "fold:tournament-table": (1, 0),
    "fold:missing-guard": (2, 2),
    "fold:wrong-half": (1, 0),
    "fold:tie-index": (2, 0),
    "fold-guard:zero-identity": (1, 2),
    "fold-ceil:floor": (2, 0),
    "unfold:float": (1, 0),
    "tournament:interval": (0, 1),
    "tournament:lost-tail": (2, 0),
    "tournament:stride-one": (2, 0),
    "multiply:one-block": (1, 1),
}


def types_of(program):
    """The types that a program has, as it says itself."""
    listed = subprocess.run([BINARY, "list", "--json"], capture_output=True, text=True, check=True).stdout
    return next(row["types"] for row in json.loads(listed) if row["name"] == program)


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
        return subprocess.run([BINARY, *arguments], input=stdin, text=True, timeout=WAIT_S,
                              env=leaks.with_detection(environment, arguments), check=False, **streams)

    def run_sim(self, *arguments, **more):
        return self.cli("run", *arguments, "--device", "sim", **more)

    def on_a_terminal(self, *arguments, columns=80):
        """Returns the lines that reductio prints on a terminal of so many columns."""
        ours, theirs = os.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("4H", 24, columns, 0, 0))
        with Process([BINARY, *arguments], stdin=theirs, stdout=theirs, stderr=theirs,
                              env=self.environment) as process:
            os.close(theirs)
            text = b""
            with contextlib.suppress(OSError):  # at the end, as the terminal is gone
                while part := os.read(ours, 1 << 16):
                    text += part
            process.wait(timeout=WAIT_S)
        os.close(ours)
        return text.decode().splitlines()

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
        with Process([BINARY, "run", *arguments, "--device", "sim"], text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              env=self.environment, pipesize=4096) as process:
            filled, end = -1, time.monotonic() + WAIT_S
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

    def record(self, name, *arguments):
        """The path of a run's trace."""
        path = self.path(name)
        self.run_sim(*arguments, "--trace", path, "--quiet")
        self.assertTrue(os.path.exists(path))
        self.assertFalse(os.path.exists(path + ".part"))
        return path
