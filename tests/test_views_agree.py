#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""One run in all views: run, step, report and verify say the same of it, and for the same reasons.

usage: test_views_agree.py REDUCTIO [unittest's arguments]"""

import html
import os
import re
import subprocess
import sys
import tempfile
import unittest

from patience import WAIT_S

REDUCTIO = os.path.abspath(sys.argv.pop(1))

OVERFLOW = ("--type", "f32", "--values", "list:3e38,3e38,-3e38,-3e38,4,5,6,7", "--block", "4")
# Runs whose obligations do not all hold, each for another reason.
RUNS = (
    ("dot-naive", "-n", "8"),
    ("fold:inclusive-bound",),
    ("tournament:interval",),
    ("puzzle-map:no-guard",),
    ("ladder-warp-shuffle:short-mask",),
    ("mse:dot",),
    ("norm", "-n", "8", "--type", "f32", "--values", "list:3e38,3e38,3e38,3e38,1,1,1,1"),
    ("ladder-vectorised-atomic", "-n", "8", *OVERFLOW),
)
BOTH, BITS = "(bits and bound)", "(bits)"
FLOATS = (
    (("fold", "-n", "8", "--type", "f32", "--values", "random:3"), BOTH, "A[0] = sum of all a[j], within rounding (bound 8.2e-07)"),
    (("dot-shared", "-n", "64", "--block", "16", "--type", "f64"), BITS,
     "the cells of A add up to the sum of all a[j]*b[j], within rounding (bound 7.8e-11)"),
    (("multiply", "-n", "8", "--type", "f32"), BOTH, "A[i] = a[i]*b[i] for all i, each rounded once"),
    (("unfold", "-n", "8", "--type", "f32"), BITS, "A = a, the input again, to the bit"),
    (("puzzle-map", "--type", "f32"), BITS, "for all i, to the bit as documented"),
    (("multi-block-atomic", "-n", "64", "--block", "16", "--type", "f32"), "(bound 0.00084, as the order is any)",
     "A[0] = sum of all a[j], within rounding (bound 0.00084)"),
)


def flat(text):
    return " ".join(text.split())


class ViewsTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="reductio-")
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.environment = dict(os.environ, XDG_STATE_HOME=self.folder, NO_COLOR="1", COLUMNS="80")

    def cli(self, *arguments, stdin=""):
        done = subprocess.run([REDUCTIO, *arguments], input=stdin, capture_output=True, text=True, timeout=WAIT_S,
                              env=self.environment, check=False)
        self.assertEqual(done.stderr, "", arguments)
        return done.stdout

    def run_and_record(self, *run):
        trace = os.path.join(self.folder, "trace.ndjson")
        return self.cli("run", *run, "--device", "sim", "--trace", trace), trace

    def last_screen(self, *run):
        return self.cli("step", *run, "--device", "sim", "--script", "-", stdin="size 100 44\nlast\n").rsplit("\n> ", 1)[1]

    def page(self, *run):
        """Its last step, as text."""
        path = os.path.join(self.folder, "page.html")
        self.cli("report", *run, "--device", "sim", "-o", path)
        with open(path, encoding="utf-8") as file:
            text = file.read()
        last = text[text.rindex("<article"):text.rindex("</article>")]
        return flat(html.unescape(re.sub(r"<[^>]*>", " ", last))), flat(html.unescape(re.sub(r"<[^>]*>", "", text)))

    # ---- the verdict of the run ----

    def test_what_a_hazard_alone_violates_says_so_in_run_verify_and_report(self):
        alone = "VIOLATED for {} alone: nothing that was asserted is violated"
        for run, hazards in ((("puzzle-conv1d:three-reads",), "a hazard"), (("puzzle-map:no-guard",), "hazards"),
                             (("ladder-vectorised:one-fence",), "a hazard"),
                             (("puzzle-conv1d:three-reads", "--values", "witness"), "a hazard")):
            with self.subTest(run):
                text, trace = self.run_and_record(*run)
                self.assertIn(alone.format(hazards), flat(text))
                self.assertIn(alone.format(hazards), flat(self.cli("verify", trace)))
                self.assertIn(alone.format(hazards), self.page(*run)[1])
        for run in ("fold", "fold:wrong-half", "fold:tournament-table"):
            with self.subTest(run):
                text, trace = self.run_and_record(run)
                self.assertNotIn("alone:", flat(text) + flat(self.cli("verify", trace)) + self.page(run)[1])

    # ---- obligations ----

    def reasons(self, text):
        """{obligation: (verdict, reason)} of what `run` prints."""
        found = re.findall(r"^(initialization|preservation|exit) +([A-Z]+) +(.*(?:\n {30}.*)*)", text, re.M)
        self.assertEqual(len(found), 3, text)
        return {name: (verdict, flat(reason)) for name, verdict, reason in found}

    def test_an_obligation_that_does_not_hold_has_the_same_reason_in_all_views(self):
        told = set()
        for run in RUNS:
            text, trace = self.run_and_record(*run)
            screen, (page, _) = flat(self.last_screen(*run)), self.page(*run)
            verified = flat(self.cli("verify", trace))
            for name, (verdict, reason) in self.reasons(text).items():
                self.assertNotIn(reason, ("", "not decided"), run)
                if verdict == "HOLDS":
                    continue
                told.add(reason)
                self.assertIn(f"{name} {verdict}: {reason}", verified, run)
                if "does not keep it" in reason or "it is false after" in reason:  # told with its round, as "VIOLATED in round 1"
                    self.assertIn(f"{name} VIOLATED in round", screen, run)
                    self.assertIn(f"{name} VIOLATED in round", page, run)
                    continue
                self.assertRegex(screen, rf"{name} {verdict}(?:, \w+ {verdict})?: {re.escape(reason)}", run)
                self.assertIn(f"{name} {verdict} {reason}", page, run)
        self.assertGreaterEqual(len(told), 6, told)

    def test_a_trace_has_the_reasons_of_its_run(self):
        for run in RUNS:
            _, trace = self.run_and_record(*run)
            live = re.search(r" obligations (.*?)\n [a-z]", self.last_screen(*run), re.S)[1]
            screens = self.cli("step", "--trace", trace, "--script", "-", stdin="size 100 44\nlast\n")
            self.assertEqual(flat(re.findall(r" obligations (.*?)\n [a-z]", screens, re.S)[-1]), flat(live), run)

    # ---- floats ----

    def test_an_equation_of_floats_says_what_is_meant_in_all_views(self):
        for run, how, goal in FLOATS:
            text, trace = self.run_and_record(*run)
            meant = "floats: = is to the bits of the documented expression (bits)"
            if BITS != how:
                meant += ", and within rounding of the exact value (bound)"
            self.assertEqual(flat(text).count(meant), 1, run)
            self.assertIn(f"asserted {how}", flat(text), run)
            self.assertTrue(self.reasons(text)["exit"][1].endswith(goal), run)
            self.assertIn(f"asserted {how}", flat(self.last_screen(*run)), run)
            last, page = self.page(*run)
            self.assertIn(f"asserted {how}", last, run)
            self.assertIn(goal, last, run)
            self.assertIn(meant, page, run)
            details = self.cli("step", "--trace", trace, "--script", "-", stdin="size 120 60\nlast\ndetails\n")
            self.assertIn(meant, details, run)

    def test_integers_are_told_without_a_word_of_rounding(self):
        for run in (("fold", "-n", "8"), ("multiply", "-n", "8"), ("puzzle-map", "--type", "i32")):
            text, _ = self.run_and_record(*run)
            last, _ = self.page(*run)
            for view in (text, last, self.last_screen(*run)):
                self.assertNotRegex(view, r"floats|\(bits|rounding|rounded", run)

    # ---- counts and marks ----

    def test_as_many_cells_are_marked_as_are_counted_in_all_views(self):
        for run, marked, counted in ((("fold:missing-guard",), 2, "2 dead cells are wrong"),
                                     (("fold:wrong-half",), 4, "4 cells are wrong"),
                                     (("puzzle-pool:no-halo",), 2, "2 cells are wrong")):
            text, trace = self.run_and_record(*run)
            array = text[[found.start() for found in re.finditer(r"^round \d+ of", text, re.M)][-1]:]
            self.assertEqual(len(re.findall(r"\d!", array)), marked, run)
            self.assertIn(counted, flat(array), run)
            screen = self.cli("step", *run, "--device", "sim", "--script", "-", stdin="violation\n").rsplit("\n> ", 1)[1]
            self.assertEqual(len(re.findall(r"\d!", screen)), marked, run)
            self.assertIn(counted, flat(screen), run)
            path = os.path.join(self.folder, "picture.svg")
            self.cli("report", *run, "--device", "sim", "--svg", "violation", "-o", path)
            with open(path, encoding="utf-8") as file:
                picture = file.read()
            self.assertEqual(len(re.findall(r'class="cell [^"]*wrong"', picture)), marked, run)
            self.assertIn(counted, flat(re.sub(r"<[^>]*>", " ", picture)), run)
            self.assertIn(counted, flat(self.cli("verify", trace)), run)

    def test_marks_after_breaks_are_as_many_as_are_counted(self):
        screen = self.cli("step", "fold", "-n", "8", "--device", "sim", "--script", "-",
                          stdin="next\ncell 1\nbreak 99\nbreak value 6 5\nnext\nnext\n")
        counts = []
        for part in screen.split("\n> ")[1:]:
            said = re.search(r"; (?:(\d+) live cells? and (\d+) dead cells? are|(\d+) cells? (?:is|are)) wrong", flat(part))
            wanted = sum(int(number or 0) for number in said.groups()) if said else 0
            counts.append(wanted)
            self.assertEqual(len(re.findall(r"\d!", part)), wanted, part)
        self.assertEqual(counts, [0, 0, 1, 2, 2, 3])


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[1:]])
