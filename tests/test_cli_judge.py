#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`reductio judge`: which law catches which fault.

usage: test_cli_judge.py REDUCTIO [unittest's arguments]"""

import json
import os
import unittest

from cli_case import CliTest
from short_run import takes_long
from source_lines import needs_lines

DOCS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "docs")
LAWS = """# The fold's, one that is too weak, and the tournament's
fold: for 0 <= i < w: A[i] = sum of a[j], j mod w = i
fold: A[0] = sum of a[j],
    j mod w = 0

tournament: for i = 0 mod D, i < n: A[i] = sum of a[j], i <= j < min(i+D, n)
"""


class Judge(CliTest):
    def file_of(self, text):
        with open(self.path("laws"), "w", encoding="utf-8") as file:
            file.write(text)
        return self.path("laws")

    def judge(self, text, *arguments):
        return self.cli("judge", self.file_of(text), *arguments)

    def judged(self, *arguments, laws=LAWS):
        done = self.judge(laws, "--json", *arguments)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return {(one["program"], one["law"], one["subject"]): one for one in json.loads(done.stdout)}

    def test_laws_are_judged_by_the_program_and_its_faults(self):
        judged = self.judged()
        self.assertEqual(judged["fold", 1, "fold"]["verdict"], "true, and enough")
        self.assertEqual(judged["fold", 2, "fold"]["verdict"], "true, but too weak")
        self.assertEqual((judged["fold", 1, "fold:wrong-half"]["verdict"], judged["fold", 1, "fold:wrong-half"]["round"]),
                         ("not kept", 1))
        self.assertEqual(judged["tournament", 1, "tournament:lost-tail"]["round"], 2)
        self.assertEqual({key[2] for key in judged if key[0] == "tournament"},
                         {"tournament", "tournament:interval", "tournament:lost-tail", "tournament:stride-one"})

    def test_the_name_of_a_fault_is_refused_as_such(self):
        done = self.judge("# of a fault\nfold:wrong-half: A[0] = 1\n")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("laws:2: 'fold:wrong-half' is a fault: name the right program", done.stderr)

    def test_a_law_without_a_value_on_its_program_is_told_with_its_place_and_the_others_are_judged(self):
        for law, place, why in (
                ("for 0 <= i < 10^18: A[0] = a[0]", "16: ", "takes too long: more than 335"),
                ("for i < n div d: A[i] = a[i]", "15: ", "division by 0: undefined at d = 0")):
            done = self.judge("fold: A[0] = sum of a[j], j mod w = 0\nfold: " + law + "\n")
            self.assertEqual(done.returncode, 2)
            self.assertEqual(done.stderr.count("\n"), 1)
            self.assertIn("laws:2:" + place, done.stderr)
            self.assertIn(why, done.stderr)
            self.assertRegex(done.stdout, r"\n  fold +too weak +- +HOLDS\n(.*\n)*  fold:wrong-half +round 1 +- ")
        self.assertRegex(done.stdout, r"-: [^.]*the law\s+no\s+value\s+there")

    def test_laws_of_further_programs_are_judged_behind_one_without_a_value(self):
        done = self.judge("fold-guard: A[0] = 5 div d\n" + LAWS)
        self.assertEqual(done.returncode, 2)
        self.assertIn(":1:20: division by 0: undefined at d = 0", done.stderr)
        for row in ("fold-guard +has no value there +HOLDS", "fold +enough +too weak +HOLDS", "tournament +enough +HOLDS"):
            self.assertRegex(done.stdout, "\n  " + row + "\n")

    def test_what_is_wrong_before_a_law_has_no_value_is_the_verdict(self):
        law = "for 0 <= i < w: A[i] = (sum of a[j], j mod w = i) + 1 div (3 - d)"
        for more, cell in (("", "not kept, round 2"), (" + 1", "not true at first")):
            done = self.judge(f"fold: {law}{more}\n")
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertRegex(done.stdout, f"\n  fold +{cell} +HOLDS\n")
            done = self.run_sim("fold", "-n", "8", "--quiet", "--law", law + more)
            self.assertEqual(done.returncode, 1)
            self.assertIn("at step 3 it has no value, and from there on it wasn't looked at: law:1:53: division by 0: "
                          "undefined at d = 3", done.stdout)
            done = self.run_sim("fold", "-n", "8", "--json", "--law", law + more)
            self.assertEqual(json.loads(done.stdout)["no_value"]["step"], 3)

    def test_the_matrix_has_a_column_for_each_law(self):
        lines = self.judge(LAWS).stdout.splitlines()
        self.assertEqual(lines[:4], ["fold", "  law 1: for 0 <= i < w: A[i] = sum of a[j], j mod w = i",
                                     "  law 2: A[0] = sum of a[j],", "         j mod w = 0"])
        self.assertEqual(lines[5].split(), "fold enough too weak HOLDS".split())

    def test_a_dash_is_standard_input(self):
        done = self.cli("judge", "-", stdin=LAWS)
        self.assertEqual((done.returncode, done.stdout), (0, self.judge(LAWS).stdout))
        self.assert_refused(self.cli("judge", "-", stdin="fold: A[0] = sum a[j]\n"), "reductio: standard input:1:18: expected 'of'")
        self.assert_refused(self.cli("judge", "-", stdin=""), "standard input", "no law")

    def test_the_matrix_fits_the_terminal(self):
        laws = "".join(f"fold: A[{cell}] = sum of a[j], j mod w = {cell}\n" for cell in range(4))
        for width, columns, is_short in ((80, 3, True), (130, 4, False), (60, 1, True)):
            done = self.cli("judge", self.file_of(laws), environment={"COLUMNS": str(width)})
            self.assertLessEqual(max(map(len, done.stdout.splitlines())), width)
            self.assertIn(f"  law {columns}", done.stdout)
            self.assertIn("  law 4: A[3] =", done.stdout)
            self.assertEqual(done.stdout.count("the run itself"), -(-4 // columns))
            self.assertEqual("round R: not kept" in done.stdout, is_short)
        # Where the longest names stand.
        names = [program["name"] for program in json.loads(self.cli("list", "--json").stdout) if program["lesson"]]
        longest = max(names, key=lambda name: (":" in name, len(name)))
        self.assertGreater(len(longest), 30)
        lines = self.judge(longest.split(":")[0] + ": A[0] = a[0]\n").stdout.splitlines()
        self.assertTrue(any(line.startswith("  " + longest) for line in lines), lines)
        for line in lines:
            self.assertLessEqual(len(line), 80)

    everything = None

    def all_judged(self):
        """All programs and their faults, judged once."""
        Judge.everything = Judge.everything or json.loads(self.cli("judge", "--json").stdout)
        return Judge.everything

    @takes_long
    def test_all_programs_keep_their_own_laws(self):
        judged = self.all_judged()
        right = [one for one in judged if one["program"] == one["subject"]]
        listed = json.loads(self.cli("list", "--json").stdout)
        self.assertEqual([one["program"] for one in right], [program["name"] for program in listed if not program["lesson"]])
        for one in right:
            self.assertEqual((one["verdict"], one["run"]), ("true, and enough", "HOLDS"), one["program"])
        for one in judged:
            if one["program"] != one["subject"]:
                self.assertEqual(one["run"], "VIOLATED", one["subject"])

    def test_a_fault_has_as_many_hazards_as_in_its_run(self):
        """Judging goes on behind a violated step, and a run does not."""
        judged = {one["subject"]: one["hazards"] for one in self.judged().values()}
        self.assertIn("fold:wrong-half", judged)
        for name, hazards in judged.items():
            run = json.loads(self.run_sim(name, "--json").stdout)
            self.assertEqual(run["hazards"], hazards, name)
        self.assertIn("the run itself is VIOLATED, with 1 hazard\n", self.run_sim("fold:missing-guard", "--law", "A[0] = 0", "-q").stdout)

    def test_faults_of_another_operation_or_array_have_a_row(self):
        judged = {one["subject"]: one for one in self.all_judged()}
        for name, round_ in (("fold:tie-index", 2), ("fold-guard:zero-identity", 1)):
            self.assertEqual((judged[name]["verdict"], judged[name]["round"]), ("not kept", round_))
        self.assertEqual((judged["dot-naive"]["verdict"], judged["dot-naive"]["reason"], judged["dot-naive"]["run"]),
                         ("not judged", "another array", "VIOLATED"))
        self.assertEqual(set(judged), {program["name"] for program in json.loads(self.cli("list", "--json").stdout)})
        one = self.judged()["fold", 2, "fold:tie-index"]
        self.assertEqual((one["verdict"], one["reason"], one["run"]), ("not judged", "reduces by argmin", "VIOLATED"))
        self.assertNotIn("round", one)
        self.assertRegex(self.judge(LAWS).stdout, r"(?m)^  fold:tie-index +- +- +VIOLATED$")
        one_law = "".join(LAWS.splitlines(True)[:2])
        self.assertRegex(self.judge(one_law).stdout, r"(?m)^  fold:tie-index +reduces by argmin +VIOLATED$")

    @needs_lines  # hazards are counted by their lines
    def test_the_page_is_what_it_prints(self):
        with open(os.path.join(DOCS, "LAWS.md"), encoding="utf-8") as file:
            self.assertTrue(file.read().endswith(self.cli("judge", "--markdown").stdout))

    def assert_refused(self, done, *words):
        self.assertEqual((done.returncode, done.stdout), (2, ""), done.stderr)
        self.assertRegex(done.stderr, r"\Areductio: [^\n]+\n\Z")
        for word in words:
            self.assertIn(word, done.stderr)

    def test_comments_end_with_their_lines(self):
        laws = "fold: for 0 <= i < w: # the live cells\n  # and what each holds\n  A[i] = sum of a[j], j mod w = i # of the input\n"
        self.assertEqual(self.judge(laws).returncode, self.judge("fold: for 0 <= i < w: A[i] = sum of a[j], j mod w = i\n").returncode)
        self.assertRegex(self.judge(laws).stdout, r"(?m)^  fold +enough +HOLDS$")
        self.assert_refused(self.judge(laws.replace("j mod", "k mod")), ":3:")
        path = self.path("law")
        with open(path, "w", encoding="utf-8") as file:
            file.write(laws.removeprefix("fold: "))
        self.assertEqual(self.run_sim("fold", "--law", "@" + path).returncode, 0)

    def test_files_that_hold_no_laws_are_refused(self):
        for text, *words in (("", "no law"), ("# nothing\n", "no law"), ("  A[0] = a[0]\n", ":1: "),
                             ("fod: A[0] = a[0]\n", ":1: ", "'fod'"), ("fold\n", "colon"),
                             ("fold: A[0] = sum a[j]\n", ":1:18: "),
                             ("fold: A[0] = sum of a[j],\n  j mod\n", ":2:8: "),
                             ("fold: A[0] = a[0]\nfold: A[0] = sum a[j]\n", ":2:18: "),
                             ("fold:wrong-half: A[0] = a[0]\n", "is a fault"), ("fold: A[0] = \0\n", "text")):
            with self.subTest(text):
                self.assert_refused(self.judge(text), *words)
        self.assert_refused(self.cli("judge", "/nonesuch"), "/nonesuch")
        self.assert_refused(self.cli("judge", self.folder), "file of laws")


if __name__ == "__main__":
    unittest.main()
