# SPDX-License-Identifier: MIT
"""Tests of `reductio run PROGRAM --law`: a law of one's own, judged or refused."""

import json

from cli_case import CliTest

FOLD = "for 0 <= i < w: A[i] = sum of a[j], j mod w = i"
TOURNAMENT = "for i = 0 mod D, i < n: A[i] = sum of a[j], i <= j < min(i + D, n)"


class LawTest(CliTest):
    def judged(self, program, law, *arguments, status=1):
        done = self.run_sim(program, "--law", law, "--json", *arguments)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return json.loads(done.stdout)

    def assert_refused(self, done, *words):
        """As of all commands; behind the message the line of the law may stand, with a mark below."""
        self.assertEqual((done.returncode, done.stdout), (2, ""), done.stderr)
        self.assertRegex(done.stderr, r"\Areductio: [^\n]+\n(  [^\n]*\n +\^\n|Try [^\n]+\n)?\Z")
        for word in words:
            self.assertIn(word, done.stderr)
