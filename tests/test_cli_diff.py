#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""reductio diff.

usage: test_cli_diff.py REDUCTIO [unittest's arguments]"""

import json
import re
import unittest

from cli_case import CliTest


class DiffTest(CliTest):
    def test_finds_the_first_difference(self):
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

    def test_names_step_and_cell(self):
        first = self.record("a.ndjson", "fold")
        with open(first, encoding="utf-8") as file:
            text = file.read()
        changed = text.replace("[12,16,", "[12,17,")
        self.assertNotEqual(text, changed)
        with open(self.path("b.ndjson"), "w", encoding="utf-8") as file:
            file.write(changed)
        done = self.cli("diff", first, self.path("b.ndjson"))
        self.assertEqual(done.stdout, "step 2, A[1]: 16 and 17\n")

    def test_names_the_input(self):
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

    def test_names_the_pass(self):
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


if __name__ == "__main__":
    unittest.main()
