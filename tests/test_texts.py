#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The texts that students read: the field's own terms, figures that stand elsewhere, too, and what each
explanation must have.

usage: test_texts.py REDUCTIO ROOT [unittest's arguments]"""

import json
import pathlib
import re
import subprocess
import sys
import unittest

REDUCTIO = sys.argv.pop(1)
ROOT = pathlib.Path(sys.argv.pop(1))

# Words that are refused, and those to use instead.
INSTEAD = {
    r"forth and back": "back and forth",
    r"as if nothing stood": "as if padded with the neutral element",
    r"nobody's promise": "unspecified",
    r"as chance has it": "unpredictably",
    r"takes it that": "assumes",
    r"\b(?:take|takes|took) turns": "are serialised",
    r"threads? (?:has|have|had) nothing (?:else )?to do": "is idle",
    r"Nobody reads the output": "The reader closed the pipe",
    r"a matter of luck": "unspecified",
    r"\bA lesson:|a lesson\. |faulty twins?\b": "a fault",
}
FOLDERS = ["include", "kernels", "invariants", "src", "docs", "bench", "traces", "tools"]
FILES = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"]

TERMS = ["maintenance", "termination", "variant", "partially correct", "totally correct", "coalesced",
         "bank conflicts", "divergence", "g_h", "Higham", "Harris", "butterfly", "associative", "commutative",
         "Brent", "Cormen"]

# Loops in which no thread comes to a checkpoint, and which so have no steps in the law.
UNSEEN_LOOPS = {"dot-partial"}


def reductio(*arguments):
    return subprocess.run([REDUCTIO, *arguments], stdout=subprocess.PIPE, text=True, check=True).stdout


def reductio_of_a_fault(*arguments):
    return subprocess.run([REDUCTIO, *arguments], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                          check=False).stdout


def joined(text):
    """One line, without a comment's margin."""
    return re.sub(r"\s+(?:\* )?", " ", text)


class TextsTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.programs = json.loads(reductio("list", "--json"))
        cls.texts = {p["name"]: reductio("explain", p["name"]) for p in cls.programs}

    def test_terms_are_those_of_the_field(self):
        paths = [ROOT / name for name in FILES]
        for folder in FOLDERS:
            paths += [p for p in (ROOT / folder).rglob("*")
                      if p.suffix in (".c", ".h", ".cu", ".md", ".scd", ".py", ".hpp", ".js", ".html")]
        self.assertGreater(len(paths), 300)
        for path in paths:
            text = joined(path.read_text(encoding="utf-8"))
            for pattern, better in INSTEAD.items():
                found = re.search(pattern, text)
                self.assertIsNone(found, f"{path}: {found and found.group()}: {better}")

    def test_terms_are_named(self):
        said = joined("".join(self.texts.values()))
        for term in TERMS:
            self.assertIn(term, said)

    def test_right_programs_with_a_loop_have_a_variant(self):
        for program in self.programs:
            if program["lesson"]:
                continue
            name = program["name"]
            has_steps = "\nsteps " in reductio("explain", name, "--law", "text")
            rounds = json.loads(reductio("run", name, "--device", "sim", "--json"))["steps"] - 1
            self.assertEqual("\nVariant\n" in self.texts[name], has_steps or rounds > 1 or name in UNSEEN_LOOPS, name)

    def test_intervals_are_half_open(self):
        for name, text in self.texts.items():
            self.assertIsNone(re.search(r"\.\.[^.\n]*- 1\]", text), name)

    def test_no_line_is_wider_than_a_terminal(self):
        for name, text in self.texts.items():
            for line in text.split("\n"):
                self.assertLessEqual(len(line), 80, (name, line))
            for line in reductio("explain", name, "--law", "text").split("\n"):
                self.assertLessEqual(len(line), 80, (name, line))

    def test_bandwidths_are_those_of_the_benchmark(self):
        table = {}
        for line in (ROOT / "bench/README.md").read_text(encoding="utf-8").split("\n"):
            cells = [cell.strip() for cell in line.split("|")]
            if len(cells) == 9 and cells[1] not in table: # the first table is that of f32
                table[cells[1]] = cells[7].split(" ")[0]
        figures = 0
        for name, text in self.texts.items():
            for sentence in re.findall(r"[^.]*\d+ GB/s[^.]*\.", joined(text)):
                told = re.findall(r"\b(\d{3,4})\b(?! products)", sentence.replace("H200", ""))
                rungs = [name, *re.findall(r"ladder-[a-z-]+", sentence)]
                self.assertEqual(sorted(told), sorted(table[rung] for rung in rungs), (name, sentence))
                figures += len(told)
        self.assertEqual(figures, 6)
        kernels = "".join(joined(p.read_text(encoding="utf-8")) for p in (ROOT / "kernels").glob("*.cu"))
        for rungs in (("sequential", "interleaved-strided"), ("shuffles-twice", "grid-stride"),
                      ("tiles", "shuffles-twice")):
            first, second = (table["ladder-" + rung] for rung in rungs)
            self.assertRegex(kernels, rf"\b{first} (?:GB/s, )?and {second}\b")

    def test_limits_that_the_man_page_tells_are_those_of_the_source(self):
        man = joined((ROOT / "docs/reductio.1.scd").read_text(encoding="utf-8"))
        steps = re.search(r"STEPS_MAX \(\(uint64_t\)1 << (\d+)\)", (ROOT / "src/device/sim/engine/schedule_policy.c").read_text(encoding="utf-8"))
        seconds = re.search(r"TIME_LIMIT_S = (\d+)", (ROOT / "src/run/state.c").read_text(encoding="utf-8"))
        self.assertIn(f"more than 2^{steps[1]} accesses between two barriers", man)
        self.assertIn(f"end there, as *multi-block*, {seconds[1]} s each", man)
        self.assertIn("*report* says nothing of the run by it: 0 where the file was written, else 2.", man)

    def test_default_sizes_that_the_readme_tells_are_those_of_the_programs(self):
        readme = joined((ROOT / "README.md").read_text(encoding="utf-8"))
        sizes = {p["name"]: p["n"] for p in self.programs if not p["lesson"]}
        self.assertIn(f"`fold` on {sizes['fold']} elements, most on 7 to 15 or on some thousand", readme)
        usual = [n for n in sizes.values() if 7 <= n <= 15 or 1000 < n < 11000]
        self.assertGreater(len(usual), 0.9 * len(sizes))
        self.assertFalse([n for n in sizes.values() if n >= 100 and n % 2 == 0])

    def test_faults_that_have_a_name_of_their_own_are_told(self):
        own = [p["name"] for p in self.programs if p["lesson"] and ":" not in p["name"]]
        self.assertEqual(own, ["dot-naive", "multi-block"])
        for path, mark in (("README.md", "`"), ("docs/reductio.1.scd", "*")):
            text = joined((ROOT / path).read_text(encoding="utf-8"))
            self.assertIn(" and ".join(mark + name + mark for name in own), text)

    def test_weaker_invariant_does_not_tell_a_mirrored_fold(self):
        a = list(range(8))
        fold, mirrored = a[:], a[:]
        told = []
        for half in (4, 2, 1):
            fold = [fold[i] + fold[i + half] for i in range(half)]
            mirrored = [mirrored[i] + mirrored[2 * half - 1 - i] for i in range(half)]
            told.append((fold, mirrored))
            self.assertEqual(sum(fold), sum(mirrored))
        text = joined(self.texts["fold"])
        self.assertIn("A mirrored fold adds A[w-1-i] to A[i]: after its first round n = 8 has "
                      f"{' '.join(map(str, told[0][1]))}, where this fold has {' '.join(map(str, told[0][0]))}.",
                      text)
        self.assertIn(f"Both add up to {sum(a)}", text)
        self.assertEqual(told[-1], ([28], [28]))

    def test_numbers_of_the_lecture_are_right(self):
        text = (ROOT / "traces/LECTURE.md").read_text(encoding="utf-8")
        text = joined(re.sub(r"```.*?```", "", text, flags=re.S))
        n, exact = re.search(r"On an NVIDIA H200, (\d+) products gave \d+, where (\d+) is right", text).groups()
        self.assertEqual(int(exact), sum(i * (i + 1) for i in range(int(n))))
        trace = reductio_of_a_fault("run", "dot-naive", "-n", n, "--type", "i32", "--device", "sim", "--no-last", "--quiet",
                                    "--trace", "-")
        states = [json.loads(line)["state"]["cells"] for line in trace.splitlines() if '"state"' in line]
        self.assertEqual(states[-1], [int(exact)])
        self.assertIn(f"Both end with {sum(range(8))} in A[0]", text)
        mirrored = [i + 7 - i for i in range(4)]
        self.assertIn(f"keeps it, too, with {' '.join(map(str, mirrored))} after the first round", text)
        faults = re.search(r"`multi-block` has four faults in one kernel: .*? each shows in a fault of its own: ([^.]*)\.", text)
        self.assertEqual(len(re.findall(r"`multi-block:[a-z-]+`", faults[1])), 4)
        ways = re.search(r"The four ways that work are ([^.:]*)[.:]", text)
        self.assertEqual(len(re.findall(r"`multi-block-[a-z-]+`", ways[1])), 4)


if __name__ == "__main__":
    unittest.main()
