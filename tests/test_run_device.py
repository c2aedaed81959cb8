#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Features of kernels, in programs that check themselves: each finding stands below a line that wants it, and each such line has one.

usage: test_run_device.py REDUCTIO FILE [unittest's arguments]"""

import re
import subprocess
import sys
import unittest

from check_case import BINARY
from patience import WAIT_S

FILE = sys.argv.pop(1) if len(sys.argv) > 1 else None


class Device(unittest.TestCase):
    maxDiff = None

    def test_program_is_right_and_its_faults_are_found_where_they_are(self):
        with open(FILE, encoding="utf-8") as file:
            wanted = {(k + 1, name) for k, line in enumerate(file, 1) for name in re.findall(r"^ *// want ([\w-]+)$", line)}
        done = subprocess.run([BINARY, "run", FILE, "--one-line"], capture_output=True, text=True, timeout=WAIT_S, check=False)
        place = r"^%s:(\d+)(?::\d+)?: ([\w-]+): " % re.escape(FILE)
        found = {(int(line), name) for line, name in re.findall(place, done.stdout, re.M)}
        self.assertEqual(found, wanted, done.stdout + done.stderr)
        self.assertEqual(done.stdout.splitlines()[0], "right")
        self.assertEqual(done.returncode, 1 if wanted else 3)


if __name__ == "__main__":
    if not FILE:
        sys.exit(__doc__)
    unittest.main()
