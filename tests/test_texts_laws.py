#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What the texts of `reductio explain` state of the array, in the words of a textbook, is judged as a law of one's own: it is
true, and enough, as the program's own law is. So a text can't state another law than the one that is asserted.

usage: test_texts_laws.py REDUCTIO [unittest's arguments]"""

import json
import re
import subprocess
import unittest

import figures
from patience import WAIT_S

# Sentences in words, which no law says: whose sums they are, or when.
IN_WORDS = {"cosine": "sum q over the j", "multi-block-atomic": "sum over the blocks that have added"}
SILENT = {"cosine", "ladder-unrolled"} # in words alone; as another program
SHAPES = [("-n", "16", "--block", "4", "--grid", "2"), ("-n", "16", "--block", "4"), ("-n", "8"),
          ("-n", "45", "--block", "8", "--grid", "3"), ("-n", "45", "--block", "8")]
ZEROS = "when d = 0: A = 0" # so texts begin that speak of the launch alone
AFTER = [(r"After d\s+rounds", ""), (r"After round (\d)", r"when d = \1: "), (r"In round (\d) .*After it", r"when d = \1: "),
         (r"After it|[Aa]fter the\s+launch", "when d > 0: ")]


def formulas(statement):
    """The statement's formulas, each in a line, with the words above it."""
    words, found = "", []
    for line in statement.splitlines():
        formula = re.match(r" {8}(\S.*)", line)
        if formula:
            found.append([words, formula[1]])
        elif found and re.match(r" {9,}\S", line) and found[-1][0] == words:
            found[-1][1] += " " + line.strip()
        else:
            words = line if not line.startswith("    ") else words + " " + line.strip()
    merged = []
    for above, text in found:
        if merged and merged[-1][1].endswith(":"):
            merged[-1][1] += " " + text
        else:
            merged.append([above, text])
    return merged


def steps(statement):
    """Formulas behind the step of which they are: `Step 1 + d, with w = n/2^d: for 0 <= i < w: A[i] = …`."""
    text = re.sub(r"\s+", " ", statement)
    for step, formula in re.findall(r"Step ([^:,]*)[^:]*: (for .*?)(?= Step|$)", text):
        yield "when d = 0: " if step == "0" else "when d > 0: ", formula


def when(words):
    """The condition that the words above a formula put before it: the last of them counts."""
    found = [(match.end(), -k, match.expand(condition)) for k, (pattern, condition) in enumerate(AFTER)
             for match in re.finditer(pattern, words)]
    return max(found)[2] if found else None


def law_of(words, text):
    """The textbook's sentence in the language of laws."""
    every = re.search(r"for (0 <= r < 4) and (0 <= k < B):$", words)
    text = re.sub(r"[;,] (and the ticket|the other cells|the least power).*", "", text)
    text = re.sub(r"for i = 0, D, 2D, ... < n:", "for i = 0 mod D, i < n:", text)
    text = text.replace("over all j with ", "over ").replace("sum of all ", "sum of ").replace("m_d", "m")
    text = re.sub(r"\b2Tk\b", "2*T*k", text)
    text = re.sub(r"(\bk|\))T\b", r"\1*T", text)
    text = text.replace("a[i*n + j]", "a[i][j]")
    defined = re.search(r", p = (bit_ceil\([^)]*\))$", text)
    if defined:
        text = text[:defined.start()].replace(" p ", f" {defined[1]} ")
    if every:
        text = f"for {every[1]}, {every[2]}: {text}"
    elif text.startswith("A[k]"):
        text = f"for 0 <= k < B: {text}"
    return re.sub(r" +", " ", text)


class TextsTest(unittest.TestCase):
    def claims(self, program):
        statement = figures.explained(program).partition("\nStatement\n")[2].partition("\n\n")[0]
        found = [when(words) + law_of(words, text) for words, text in formulas(statement)
                 if re.search(r"(^|: ?)\s*A\[", text) and IN_WORDS.get(program, "|") not in text and when(words) is not None]
        found += [condition + formula for condition, formula in steps(statement)]
        return [ZEROS] * all(claim.startswith(("when d > 0", "when d = 1", "when d = 2")) for claim in found) + found

    def test_what_texts_state_of_the_array_is_the_law(self):
        for program, about in figures.listed().items():
            if about["lesson"]:
                continue
            claims, runs = self.claims(program), 0
            if program in SILENT:
                self.assertEqual(claims, [ZEROS], program)
                continue
            self.assertNotEqual(claims, [ZEROS], program)
            law = "; ".join(claims)
            for shape in SHAPES:
                done = subprocess.run([figures.REDUCTIO, "run", program, "--device", "sim", "--no-last", "--json", *shape, "--law", law],
                                      capture_output=True, text=True, timeout=WAIT_S, check=False)
                if done.returncode == 2 and "--law" not in done.stderr:
                    continue
                with self.subTest(program, shape=shape, law=law):
                    self.assertEqual(done.stderr, "")
                    self.assertEqual(json.loads(done.stdout)["verdict"], "true, and enough")
                runs += 1
            self.assertGreater(runs, 0, program)


if __name__ == "__main__":
    unittest.main()
