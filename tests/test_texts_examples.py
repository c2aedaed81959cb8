#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The worked examples in the texts of the right programs are runs in the simulator: of the inputs that they state each
row of cells is a row of the run, each A[i] is what the run leaves there, and each sum is right.

usage: test_texts_examples.py REDUCTIO [unittest's arguments]"""

import concurrent.futures
import itertools
import re
import unittest

from figures import WORDS, accesses, calculated, explained, listed, run

CELL = r"(?:\d+|\.)"
ROW = re.compile(rf"(?:[=:]|w = 2:|sums:|, and)\s*({CELL}(?:[ |]+{CELL})+)(?=\s*(?:$|\||[;,a-zA-Z(]|  ))")
ALONE = re.compile(r"\b(?:x|r|cache|sum|A)\s*= (\d+)(?=\s*(?:\||$|  ))")
# Rows that are no cells: numbers of threads, blocks and elements.
HEADINGS = re.compile(r"\s+(?:thread|block|i):")


def example_of(program):
    text = explained(program).partition("\nWorked example")[2].partition("\n\n")[0]
    first, _, rest = text.partition("\n")
    if " x " in first and re.search(r"a = \d \d  ", rest):
        return matrices(first, rest.split("\n"))
    return first, rest.split("\n")


def matrices(first, lines):
    """Matrices that stand side by side, each as one row of its rows."""
    names = re.findall(r"(\w) = (\d+) +(\d+)", lines[0])
    below = re.findall(r"(\d+) +(\d+)", lines[1].split("A[")[0])
    rows = {name: f"{x} {y} {z} {w}" for (name, x, y), (z, w) in zip(names, below)}
    return f"{first}, a = {rows['a']}, b = {rows['b']}", [f"    A = {rows['A']}", *lines]


def stated(first, name):
    """An input as the heading has it, or None."""
    found = re.findall(rf"\b{name} = (?:b = )?(\d+)(?: \.\. (\d+)|((?: \d+)*))", first)
    if not found:
        return None
    start, end, more = found[-1]
    return list(range(int(start), int(end) + 1)) if end else [int(start), *map(int, more.split())]


def sizes_of(program, first):
    """The options of the run that the heading tells of."""
    sizes = {"n": int(re.findall(r"n = (\d+)", first)[-1])}
    blocks = re.search(r"(?:(one|two) )?blocks? of (\d+)", first)
    if blocks:
        sizes["block"] = int(blocks[2])
        if blocks[1] and listed()[program]["grid"]:
            sizes["grid"] = WORDS[blocks[1]]
    a, b = stated(first, "a"), stated(first, "b")
    if a == [1] or a and set(a) == {1}:
        return {**sizes, "values": "ones"}
    if b is None and "a = b" in first:
        b = a
    return {**sizes, "values": "list:" + ",".join(map(str, a + (b or [])))}


def written(threads):
    """Cells that a round's threads wrote: each array of a block, and each over all blocks, as first and as last written."""
    cells = {}
    for (block, _), done in threads.items():
        for what, array, index, value in done:
            if what == "writes":
                for of in (block, "all"):
                    cells.setdefault((of, array), {}).setdefault(index, []).append(float(value))
    return [[values[i][which] for i in sorted(values)] for values in cells.values() for which in (0, -1)]


def read(threads):
    """Inputs that each thread read, their products, and the running total of what it read of shared arrays."""
    rows = []
    for done in threads.values():
        a, b = ([float(value) for what, array, _, value in done if what == "reads" and array == name] for name in "ab")
        shared = (float(value) for what, array, _, value in done if what == "reads" and array not in ("a", "b"))
        rows += [a, [x * y for x, y in zip(a, b)], list(itertools.accumulate(shared))]
    return rows


def rows_of(program, sizes):
    """All rows of a run: its arrays at each step and checkpoint, its inputs, and what threads read and wrote."""
    done = run(program, **sizes)
    rows = done.states + [array["cells"] for array in done.input.values()] + [[0] * 4] # a pack before the loop
    frames = accesses(program, slice(None), **sizes)
    for threads in frames:
        rows += written(threads) + read(threads)
    return rows, done


def is_among(row, rows):
    return any(len(row) <= len(known) and all(cell == "." or float(cell) == value for cell, value in zip(row, known))
               for known in rows)


class ExamplesTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        right = [name for name, program in listed().items() if not program["lesson"]]
        cls.examples = {name: example_of(name) for name in right}
        with concurrent.futures.ThreadPoolExecutor(4) as workers:
            runs = workers.map(lambda name: rows_of(name, sizes_of(name, cls.examples[name][0])), right)
            cls.runs = dict(zip(right, runs))

    def lines(self):
        return [(program, line) for program, (_, lines) in self.examples.items() for line in lines]

    def test_runs_are_of_the_stated_inputs(self):
        for program, (first, _) in self.examples.items():
            _, done = self.runs[program]
            for name in "ab":
                told = stated(first, name)
                if told and name in done.input:
                    cells = done.input[name]["cells"]
                    self.assertEqual(told * (len(cells) if told == [1] else 1), cells, (program, name))

    def test_rows_are_those_of_runs(self):
        told = [(program, line, row) for program, line in self.lines() for row in ROW.findall(line) + ALONE.findall(line)
                if not HEADINGS.match(line) or "=" in line]
        self.assertGreater(len(told), 100)
        self.assertEqual([of for of in told if not is_among(re.findall(CELL, of[2]), self.runs[of[0]][0])], [])

    def test_rows_are_those_of_their_steps(self):
        told = [(program, line, int(step), ROW.findall(line)) for program, line in self.lines()
                for step in re.findall(r"^ +(?:d =|step) (\d)\b", line)]
        self.assertGreater(len(told), 30)
        wrong = [of for of in told if not all(
            is_among(re.findall(CELL, row), [self.runs[of[0]][1].rounds[of[2]]["state"]["cells"]]) for row in of[3])]
        self.assertEqual(wrong, [])

    def test_widths_are_those_of_their_steps(self):
        """D is how far the claimed cells lie apart; w or m is the bound of the claim's first sentence, or all n cells."""
        told = [(program, line, int(step), name, int(width)) for program, line in self.lines()
                for step, name, width in re.findall(r"^ +(?:d =|step) (\d), ([wmD]) = (\d+):", line)]
        self.assertGreater(len(told), 25)
        wrong = []
        for program, line, step, name, width in told:
            of = self.runs[program][1].rounds[step]
            n = len(self.runs[program][1].cells)
            claimed = of["claim"]["stride"] if name == "D" else int(re.match(r"for 0 <= i < (\d+)", of["statement"])[1])
            if claimed != (width if name == "D" else min(width, n)):
                wrong.append((program, line, claimed))
        self.assertEqual(wrong, [])

    def test_rows_are_those_of_their_checkpoints(self):
        told = [(program, line, int(variable), row) for program, line in self.lines()
                for variable, row in re.findall(rf"\b(?:w|s|base) = (?:\d+, )*(\d+): +(?:x|r|cache|own) = *"
                                                rf"({CELL}(?:[ |]+{CELL})*)(?=\s*(?:$|\||[;,a-zA-Z(]|  ))", line)
                if not re.search(r" in thread \d", line)] # packs, of which a checkpoint has the sums
        self.assertGreater(len(told), 30)
        wrong = [of for of in told if not is_among(re.findall(CELL, of[3]), [
            cells for variable, cells in self.runs[of[0]][1].points if variable == of[2]])]
        self.assertEqual(wrong, [])

    def test_cells_are_the_sums_of_these_inputs(self):
        told, wrong = 0, []
        for program, line in self.lines():
            a = self.runs[program][1].input.get("a", {}).get("cells")
            for cell, terms in re.findall(r"\b[Ax]\[(\d)\] = (a\[\d\](?: ?\+ ?(?:a\[\d\]|\.\.\.))+)", line):
                told += 1
                row = re.findall(CELL, (ROW.findall(line) + ALONE.findall(line))[0])
                named = [int(i) for i in re.findall(r"\d", terms)]
                if "..." in terms:
                    named = range(named[0], named[-1] + 1)
                if int(row[int(cell)]) != sum(a[i] for i in named):
                    wrong.append((program, line, row))
        self.assertGreater(told, 12)
        self.assertEqual(wrong, [])

    def test_cells_are_what_runs_leave(self):
        told = [(program, line, int(index), int(value)) for program, line in self.lines()
                for index, value in re.findall(r"\bA\[(\d)\] = (?:[\d +]+ = )?(\d+)(?=$|;|,| {2})", line)]
        self.assertGreater(len(told), 20)
        self.assertEqual([of for of in told if self.runs[of[0]][1].cells[of[2]] != of[3]], [])

    def test_sums_are_right(self):
        told = [(program, terms, int(total)) for program, line in self.lines()
                for terms, total in re.findall(r"(?<![\w*.\]])(\d+(?: [-+] \d+)+) = (\d+)(?![\w*.])", line)]
        self.assertGreater(len(told), 5)
        self.assertEqual([of for of in told if calculated(of[1]) != of[2]], [])


if __name__ == "__main__":
    unittest.main()
