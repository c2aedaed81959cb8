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

    def test_says_where_steps_are_not_compared(self):
        fold = self.record("fold.ndjson", "fold")
        for others in (("tournament",), ("fold", "-n", "16"), ("fold", "--type", "f32"), ("fold", "--frame", "off"),
                       ("fold", "--values", "witness")):
            with self.subTest(others):
                done = self.cli("diff", fold, self.record("other.ndjson", *others))
                self.assertEqual(done.returncode, 1)
                self.assertRegex(done.stdout, r"\n(the steps are not compared: [^\n]+\n)\Z")
                found = json.loads(self.cli("diff", "--json", fold, self.path("other.ndjson")).stdout)
                self.assertIs(found["steps_compared"], False)
        done = self.cli("diff", fold, self.record("max.ndjson", "fold", "--op", "max", "--values", "iota"))
        self.assertEqual(done.stdout, 'op: "sum" and "max"\nthe steps are not compared: of another program, n, type, '
                                      'op or frame, and of witness values, they are others\n')
        other = self.record("other.ndjson", "fold", "--block", "3")
        self.assertNotIn("not compared", self.cli("diff", fold, other).stdout)
        self.assertNotIn("steps_compared", json.loads(self.cli("diff", "--json", fold, other).stdout))

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

    def record_of_last_block(self):
        """A trace whose last block adds the sums of all, as lines: those of its own, and the others."""
        path = self.record("last.ndjson", "ladder-vectorised", "-n", "2048", "--block", "64", "--grid", "3",
                           "-d", "sim")
        with open(path, encoding="utf-8") as file:
            lines = file.readlines()
        own = [line for line in lines if '"shuffle_partials","block":2,' in line]
        self.assertEqual(len(own), 6)
        return path, own, [line for line in lines if line not in own]

    def write(self, name, lines):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.writelines(lines)
        return self.path(name)

    def as_block_0(self, own, others):
        """The same, had block 0 been the last."""
        behind = next(k for k, line in enumerate(others) if '"block":1,' in line)
        return others[:behind] + [line.replace('"block":2,', '"block":0,') for line in own] + others[behind:]

    def test_tells_which_inputs_were_looked_at(self):
        path = self.record("dot.ndjson", "dot-shared", "-n", "8", "-d", "sim")
        with open(path, encoding="utf-8") as file:
            text = file.read()
        both = '"unchanged":["a","b"]'
        self.assertIn(both, text)
        fewer = self.write("fewer.ndjson", [text.replace(both, '"unchanged":["a"]')])
        none = self.write("none.ndjson", [text.replace("," + both, "")])
        self.assertEqual(self.cli("diff", path, fewer).stdout, 'step 1: unchanged: ["a","b"] and ["a"]\n')
        self.assertEqual(self.cli("diff", path, none).stdout, 'step 1: unchanged: ["a","b"] and -\n')

    def test_any_block_may_be_the_last(self):
        path, own, others = self.record_of_last_block()
        other = self.write("other.ndjson", self.as_block_0(own, others))
        self.assert_holds(self.cli("verify", other))
        done = self.cli("diff", path, other)
        self.assert_holds(done)
        self.assertIn("the same", done.stdout)

    def test_what_the_last_block_has_is_compared(self):
        path, own, others = self.record_of_last_block()
        own[2] = re.sub(r'"cells":\[\d+', '"cells":[77', own[2])
        other = self.write("other.ndjson", self.as_block_0(own, others))
        self.assertRegex(self.cli("diff", path, other).stdout,
                         r"\Astep 1, the last block, warp 0, w = 8, r\[0\]: \d+ and 77\n\Z")
        own[2] = self.record_of_last_block()[1][2]
        without = self.write("other.ndjson", self.as_block_0(own[:-1], others))
        self.assertEqual(self.cli("diff", path, without).stdout,
                         "step 1, the last block, warp 0, w = 1: only the first trace has this checkpoint\n")

    def test_checkpoint_that_one_trace_lacks_is_named(self):
        path = self.record_of_last_block()[0]
        with open(path, encoding="utf-8") as file:
            lacking = self.write("less.ndjson", [line for line in file if '"block":1,"warp":1,"number":3,' not in line])
        self.assertEqual(self.cli("diff", path, lacking).stdout,
                         "step 1, block 1, warp 1, w = 32: only the first trace has this checkpoint\n")
        done = self.cli("diff", "--json", lacking, path)
        self.assertEqual(json.loads(done.stdout)["place"], "block 1, warp 1, w = 32")


if __name__ == "__main__":
    unittest.main()
