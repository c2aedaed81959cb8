#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""reductio list and explain.

usage: test_cli_list.py REDUCTIO [unittest's arguments]"""

import json
import os
import re
import unittest

from cli_case import LESSONS, PROGRAMS, CliTest

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")


class ListAndExplainTest(CliTest):
    def test_list_shows_lessons_under_their_programs(self):
        done = self.cli("list")
        self.assert_holds(done)
        lines = done.stdout.splitlines()
        twins = {item["name"]: item["twin"] for item in
                 json.loads(self.cli("list", "--json").stdout)}
        above = set()
        for line in lines:
            name, summary = line.split(None, 1)
            self.assertTrue(summary)
            if line.startswith("  "):
                self.assertIn(twins[name], above)
            else:
                self.assertEqual(twins[name], name)
                above.add(name)
        names = [line.split()[0] for line in lines]
        for name in PROGRAMS + list(LESSONS):
            self.assertIn(name, names)

    def test_list_json_agrees_with_the_text(self):
        items = json.loads(self.cli("list", "--json").stdout)
        lines = self.cli("list").stdout.splitlines()
        self.assertEqual([item["name"] for item in items], [line.split()[0] for line in lines])
        for item in items:
            self.assertEqual(item["lesson"], item["twin"] != item["name"])
            if ":" in item["name"]:
                self.assertTrue(item["lesson"])
            else:
                self.assertEqual(item["lesson"], item["name"] in ("dot-naive", "multi-block"))

    def test_programs_that_take_an_operation_are_those_that_the_documents_name(self):
        items = json.loads(self.cli("list", "--json").stdout)
        right = [item["name"] for item in items if not item["lesson"]]
        takes = {item["name"] for item in items if not item["lesson"] and len(item["ops"]) > 1}
        self.assertLessEqual({"fold", "fold-guard", "fold-ceil", "tournament"}, takes)
        self.assertEqual({name for name in right if name.startswith("ladder-")} - takes, {"ladder-dot"})
        said = "fold, fold-guard, fold-ceil, tournament, and the rungs of the ladder but ladder-dot"
        for name in "README.md", "docs/reductio.1.scd":
            with open(os.path.join(ROOT, name), encoding="utf-8") as file:
                self.assertIn(said, " ".join(re.sub("[*`]", "", file.read()).split()), name)
        self.assertIn("as the folds, tournament and the rungs of the ladder but ladder-dot", re.sub(r"\s+", " ", self.cli("run", "--help").stdout))

    def test_list_takes_no_argument(self):
        self.assert_refused(self.cli("list", "fold"), "'fold'")

    def test_explain_prints_a_text_for_each_program(self):
        for name in PROGRAMS + list(LESSONS):
            with self.subTest(name):
                done = self.cli("explain", name)
                self.assert_holds(done)
                self.assertIn(name, done.stdout)
                self.assertGreater(len(done.stdout.splitlines()), 5)

    @staticmethod
    def source(place):
        """The text at FILE:FIRST-LAST."""
        path, first, last = re.fullmatch(r"(.+):(\d+)-(\d+)", place).groups()
        with open(os.path.join(os.path.dirname(__file__), "..", path), encoding="utf-8") as file:
            return "".join(file.readlines()[int(first) - 1:int(last)])

    def places(self, name):
        """Reads the section "Where to look": for each subject the source text at its place."""
        lines = self.cli("explain", name).stdout.partition("\nWhere to look\n")[2].splitlines()
        return {what: self.source(place) for place, what in (line.split(None, 1) for line in lines)}

    def test_explain_tells_where_to_look(self):
        for name in (line.split()[0] for line in self.cli("list").stdout.splitlines()):
            with self.subTest(name):
                places = self.places(name)
                self.assertGreaterEqual(len(places), 2)
                for what, text in places.items():
                    self.assertIn(what.rpartition(" ")[2] if "kernel" in what else "", text)
        places = self.places("fold:wrong-half")
        self.assertIn("A[i + half - 1]", places["the kernel fold_wrong_half"])
        self.assertIn("A[i + half]", places["right: fold"])
        places = self.places("multiply:one-block")
        self.assertIn("multiply", places["the right kernel, multiply"])
        self.assertIn("in blocks of n", places["the fault: its claim, its rounds"])
        self.assertIn("explain: multiply\n", places["the invariant"])

    def test_a_lesson_points_to_its_explanation(self):
        for values in ("iota", "witness"):
            lines = self.run_sim("fold:wrong-half", "--values", values).stdout.splitlines()
            self.assertEqual(lines[-2], "What is wrong, and where: reductio explain fold:wrong-half")
            self.assertNotIn("reductio explain", self.run_sim("fold", "--values", values).stdout)

    def test_explain_and_list_fit_a_terminal_of_80_columns(self):
        names = [line.split()[0] for line in self.cli("list").stdout.splitlines()]
        for command in [("list",)] + [("explain", name) for name in names]:
            for line in self.cli(*command).stdout.splitlines():
                self.assertLessEqual(len(line), 80, (command, line))

    def test_explain_prints_a_law_in_other_languages(self):
        for name in PROGRAMS + list(LESSONS):
            for language, word in (("text", "\nlaw "), ("latex", " = "), ("mathml", "<math>"), ("c", "_holds(")):
                done = self.cli("explain", name, "--law", language)
                self.assert_holds(done)
                self.assertIn(word, done.stdout)
        text = self.cli("explain", "--law=text", "fold").stdout
        self.assertIn("law for 0 <= i < w: A[i] = sum of a[j], j mod w = i\n", text)
        law = text.partition("\nlaw ")[2].partition("\nstart")[0]
        self.assert_holds(self.run_sim("fold", "-n", "8", "-q", "--law", law))
        self.assertEqual(self.cli("explain", "--law=latex", "fold").stdout,
                         "A_{i} = \\sum_{j \\bmod w = i} a_{j}, \\quad 0 \\le i < w\n"
                         "\\text{where } w = \\left\\lfloor \\frac{n}{2^{d}} \\right\\rfloor\n")
        self.assertIn("\n<!-- at sequential -->\n<math>",
                      self.cli("explain", "--law=mathml", "dot-shared").stdout)

    def test_laws_in_other_languages_have_lines_of_100_columns(self):
        for name, language, begins in (("ladder-unrolled:stops-at-512", "smtlib", (" ", "(", ";")), ("puzzle-matmul", "c", " "),
                                       ("puzzle-matmul", "latex", ("    ", "A", "\\", "%"))):
            done = self.cli("explain", name, "--law", language)
            lines = done.stdout.splitlines()
            self.assertGreater(max(map(len, lines)), 80)
            for line in lines:
                self.assertLessEqual(len(line), 100, (name, language, line))
            if language != "c":
                self.assertEqual([line for line in lines if line and not line.startswith(begins)], [])
        source = self.cli("explain", "puzzle-matmul", "--law", "c").stdout
        for line in source.partition(" */")[0].splitlines()[1:]:
            self.assertTrue(line.startswith(" *"), line)

    def test_what_a_law_speaks_of_is_defined_behind_it(self):
        text = self.cli("explain", "--law=latex", "dot-shared").stdout
        shared = text.partition("% at sequential\n")[2].replace("\n    ", " ").splitlines()
        self.assertTrue(shared[1].startswith("\\text{where } x_{k,\\, t} = \\sum_{"), shared)
        self.assertEqual(shared[2], "\\text{where } G = B \\cdot T")
        self.assertIn("\\text{where } r_{c + 1}\\left(j\\right) = r_{c}\\left(j\\right) \\bmod ",
                      self.cli("explain", "--law=latex", "fold-ceil").stdout)
        self.assertIn("\n<math><mtext>where </mtext><mrow><mi>w</mi></mrow><mo>=</mo>", self.cli("explain", "--law=mathml", "fold").stdout)

    def test_the_law_of_a_lesson_is_of_its_operation(self):
        self.assertIn("start for 0 <= i < n: A[i] = i\n", self.cli("explain", "fold:tie-index", "--law=text").stdout)
        source = self.cli("explain", "fold:tie-index", "--law=c").stdout
        self.assertIn("if (index < 0 || a[j] < a[index])", source)
        self.assertNotIn("sum", source)
        for name, operation, sign in (("fold:tie-index", "argmin", "arg\\,min"), ("fold-guard:zero-identity", "max", "\\max")):
            text = self.cli("explain", name, "--law=text").stdout
            self.assertIn(f" = {operation} of a[j], ", text)
            self.assertIn(f" = {operation}(A[i], A[i + w])\n", text)
            self.assertIn(sign, self.cli("explain", name, "--law=latex").stdout)
            self.assertIn(operation, self.cli("explain", name, "--law=mathml").stdout.replace("arg min", "argmin"))
            self.assertIn(f"\n; The program reduces by {operation}; ", self.cli("explain", name, "--law=smtlib").stdout)
            for language in ("text", "latex", "mathml", "c"):
                self.assertNotIn("sum of", self.cli("explain", name, "--law", language).stdout)
        text = self.cli("explain", "fold:tie-index", "--law=c").stdout
        self.assertIn("        elem index = -1;\n        for (int64_t j = 0; j < n; j++)\n            if (j % w == i)\n"
                      "                if (index < 0 || a[j] < a[index])\n                    index = j;\n", text)

    def test_a_law_in_c_is_as_one_would_write_it(self):
        text = self.cli("explain", "fold", "--law=c").stdout
        self.assertEqual(text[text.index("bool fold_holds"):], """\
bool fold_holds(const elem *a, const elem *A, int64_t n, int64_t d, int64_t *wrong)
{
    const int64_t w = n / power(2, d);
    for (int64_t i = 0; i < w; i++) {
        elem sum = 0;
        for (int64_t j = 0; j < n; j++)
            if (j % w == i)
                sum += a[j];
        if (i >= n || A[i] != sum) {
            *wrong = i;
            return false;
        }
    }
    return true;
}
""")

    def test_explain_without_a_known_program_is_refused(self):
        self.assert_refused(self.cli("explain", "fold", "--law", "pascal"), "'--law' is 'pascal'", "latex", "c")
        self.assert_refused(self.cli("explain"), "reductio list")
        self.assert_refused(self.cli("explain", "fodl"), "'fodl'", "'fold'")
        self.assert_refused(self.cli("explain", "fold", "unfold"), "'unfold'")


if __name__ == "__main__":
    unittest.main()
