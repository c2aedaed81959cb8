#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The sentences that are printed at the steps, read as they stand and worked out from the input alone: they
name the cells that are asserted, and no others, and each cell holds what they say. An index that leaves its
array, or a name that nothing defines, is a fault of the sentence.

usage: test_statements.py REDUCTIO [unittest's arguments]"""

import functools
import json
import operator
import os
import re
import unittest

from cli_case import CliTest

SHAPES = [(13, 4, 2), (24, 8, 3), (45, 12, 3), (37, 32, 1), (70, 40, 1), (16, 16, 2)]
if "RD_TEST_SHORT" in os.environ:
    SHAPES = SHAPES[1::3]


class Array:
    """A list that has no cell before its first or behind its last, and rows of so many."""

    def __init__(self, cells, row=0):
        self.cells, self.row = list(cells), row

    def __getitem__(self, index):
        if isinstance(index, tuple):
            if not 0 <= index[1] < self.row:
                raise IndexError(index)
            index = index[0] * self.row + index[1]
        if index < 0:
            raise IndexError(index)
        return self.cells[index]


class Defined:
    """Name that a sentence behind a semicolon defines, worked out when its value is asked for."""

    def __init__(self, work_out):
        self.work_out, self.known = work_out, {}

    def __getitem__(self, index):
        if index not in self.known:
            self.known[index] = self.work_out(index)
        return self.known[index]

    __call__ = __getitem__


def parts(text):
    """At commas outside brackets."""
    found, depth = [""], 0
    for c in text:
        depth += (c in "([") - (c in ")]")
        if c == "," and depth == 0:
            found.append("")
        else:
            found[-1] += c
    return [part.strip() for part in found]


@functools.lru_cache(maxsize=None)
def compiled(text):
    return compile(code(text), text, "eval")


def code(text):
    """An expression or a condition, as Python has it."""
    text = re.sub(r"^(\w+) = (\w+) \(mod (\d+)\)$", r"(\1 - \2) % \3 == 0", text)
    text = re.sub(r"^(\w+) = (\d+) mod (\d+)$", r"\1 % \3 == \2", text)
    text = re.sub(r"(?<![<>=])=(?!=)", "==", text)
    text = re.sub(r"\bmod\b", "%", text).replace("^", "**").replace("/", "//")
    text = re.sub(r"\bfloor\(", "(", text)
    text = re.sub(r"\bceil\((.*?) // (.*?)\)", r"-(-(\1) // (\2))", text)
    text = re.sub(r"\b(\d+)([a-z])\b", r"\1*\2", text)
    text = re.sub(r"(\w+)\[(\w+)\]\[(\w+)\]", r"\1[\2, \3]", text)
    return re.sub(r"\b([a-z])_(\w)\(", r"\1_[\2](", text)


@functools.lru_cache(maxsize=None)
def filtering(name, conditions):
    """The values of the name, among `_values`, that meet all conditions: one expression for all of them."""
    return compile(f"[{name} for {name} in _values{''.join(f' if ({code(c)})' for c in conditions)}]", name, "eval")


FUNCTIONS = {"__builtins__": {}, "min": min, "bit_ceil": lambda x: 1 << (x - 1).bit_length()}


@functools.lru_cache(maxsize=None)
def names(text):
    return set(re.findall(r"\b[a-z]\w*\b(?![\[(])", text)) - {"and", "or", "min", "mod"}


class Sentence:
    def __init__(self, statement, cell_array, known, widest):
        self.known, self.array, self.widest = dict(known), cell_array, widest
        self.claims = []
        for sentence in statement.split("; "):
            if sentence.startswith("for ") or not self.claims:
                self.claims.append(sentence)
            else:
                self.define(sentence)

    def define(self, sentence):
        left, right = sentence.split(" = ", 1)
        numbered = re.fullmatch(r"(\w_)(\d+|\((\w)\+1\))\((\w)\)", left)
        if numbered:
            name, number, before, index = numbered.groups()
            family = self.known.setdefault(name, {})
            for k in range(1, 40) if before else [int(number)]:
                family[k] = Defined(lambda value, k=k: self.value(
                    right, {index: value, **({before: k - 1} if before else {})}))
            return
        name, indices = re.fullmatch(r"(\w+)((?:\[\w\])+)", left).groups()
        indices = re.findall(r"\w", indices)
        operation, terms = right.split(" of ", 1)
        self.known[name] = Defined(lambda values: self.total(
            parts(terms), dict(zip(indices, values if len(indices) > 1 else (values,))), operation))

    def value(self, text, bound):
        return eval(compiled(text), FUNCTIONS, {**self.known, **bound})

    def limit(self, term, name):
        """A name that alone is the index of an array has no more values than that has cells."""
        sizes = [len(self.known[array].cells) for array in re.findall(rf"(\w+)\[{name}\]", term)
                 if isinstance(self.known.get(array), Array)]
        return min(sizes, default=self.widest)

    def each(self, conditions, bound, free, term=""):
        """The values of the free names that meet all conditions."""
        free, ready = sorted(free), set(bound) | set(self.known)
        if not free:
            if all(self.value(c, bound) for c in conditions):
                yield bound
            return
        name = free[0]
        now = [c for c in conditions if names(c) <= ready | {name}]
        later = [c for c in conditions if c not in now]
        known = {**FUNCTIONS, **self.known, **bound, "_values": range(self.limit(term, name))}
        for value in eval(filtering(name, tuple(now)), known):
            yield from self.each(later, {**bound, name: value}, free[1:], term)

    def total(self, terms, bound, operation="sum"):
        """A sum: its term, and its conditions."""
        term, *conditions = terms
        free = names(" ".join([term, *conditions])) - set(bound) - set(self.known)
        cases = self.each(conditions, bound, free, term)
        if operation in SELECTING:  # the first, as max() and min() of Python have it, in the order of the index
            of_input = re.fullmatch(r"a\[(.*)\]", term)  # else what is defined is an index itself
            indices = {self.value(of_input.group(1) if of_input else term, where) for where in cases} - {NO_INDEX}
            return SELECTING[operation](sorted(indices), key=self.known["a"].__getitem__, default=NO_INDEX)
        function, nothing = OPERATIONS[operation]
        return functools.reduce(function, (self.value(term, where) for where in cases), nothing)

    def cells(self):
        """All cells that are claimed, each with what it must hold."""
        found = {}
        for claim in self.claims:
            scope, equation = claim.split(": ", 1) if ": " in claim else ("", claim)
            left, right = equation.split(" = ", 1)
            for bound in self.scope(scope):
                cell, value = self.equation(left, right, bound)
                assert cell not in found, claim
                found[cell] = value
        return found

    def scope(self, text):
        if not text.startswith("for "):
            return [{}]
        conditions, defined = [], []
        text = re.sub(r"0 <= i, j < (\d+)", r"0 <= i < \1, 0 <= j < \1", text[len("for "):])
        for part in parts(text):
            let = re.fullmatch(r"([tmij]) = (.*)", part)
            if let and not re.fullmatch(r"\d+ mod \d+", let.group(2)):
                defined.append(let.groups())
            else:
                conditions.append(part)
        return [self.let(defined, bound) for bound in self.each(
            conditions, {}, names(" ".join(conditions)) - set(self.known))]

    def let(self, defined, bound):
        for name, text in defined:
            bound = {**bound, name: self.value(text, bound)}
        return bound

    def equation(self, left, right, bound):
        index = re.fullmatch(r"\w+\[(.*)\]", left)
        operation = right[:right.index(" of ")] if " of " in right else ""
        value = (self.total(parts(right[len(operation) + 4:]), bound, operation)
                 if operation in OPERATIONS or operation in SELECTING else
                 self.value(right, bound))
        return (self.value(index.group(1), bound) if index else 0), value


# And what each makes of no terms, of i32.
OPERATIONS = {
    "sum": (operator.add, 0), "product": (operator.mul, 1), "min": (min, 2**31 - 1), "max": (max, -2**31),
    "and": (operator.and_, -1), "or": (operator.or_, 0), "xor": (operator.xor, 0),
}
SELECTING = {"argmin": min, "argmax": max}
NO_INDEX = 2**32 - 1


class StatementsTest(CliTest):
    maxDiff = None

    def programs(self, lessons):
        listed = json.loads(self.cli("list", "--json").stdout)
        return [p for p in listed if p["lesson"] == lessons]

    def trace_of(self, program, shape, *options):
        path = self.path("trace")
        n, block, grid = shape
        more = ["-n", str(n)] if n else []
        more += ["--block", str(block)] if block else []
        for grid_option in (["--grid", str(grid)], []) if grid else ([],):
            done = self.run_sim(program, *more, *grid_option, "--type", "i32", "--values", "random:7",
                                "--frame", "on", "--trace", path, "--quiet", *options)
            if done.returncode in (0, 1):
                with open(path, encoding="utf-8") as trace:
                    return [json.loads(line) for line in trace]
        return None

    def check(self, program, shape, *options):
        """Compares the sentences of a run with its cells, and returns how many there were."""
        records = self.trace_of(program, shape, *options)
        if not records:
            return 0
        run, read = records[1], 0
        inputs = {name: Array(run["input"][name]["cells"]) for name in run["input"]}
        if "matmul" in program or "2d" in program or "broadcast" in program:
            for array in inputs.values():
                array.row = run["n"]
        for record in records:
            if record["record"] != "step":
                continue
            place, state = record.get("checkpoint"), record["state"]
            widest = max(len(array.cells) for array in inputs.values())
            claim, cells = record["claim"], state["cells"]
            claimed = [k * claim["stride"] for k in range(claim["count"])]
            widest = max(widest, run["block"], claimed[-1] + 1)
            case = (program, shape, record["step"], place, record["statement"])
            sentence = Sentence(record["statement"], cells, inputs, widest)
            try:
                said = sentence.cells()
            except (NameError, IndexError, KeyError, SyntaxError, TypeError) as error:
                self.fail(f"{case}: {error!r}")
            self.assertEqual(sorted(said), claimed, case)
            wrong = record.get("violation", {})
            for cell, value in said.items():
                held = cells[cell] if state["whole"] else cells[cell // claim["stride"]]
                if cell == wrong.get("cell"):
                    held = wrong["expected"]
                elif wrong:
                    continue
                self.assertEqual((value - held) % 2**32, 0, (case, cell, value, held))
            read += 1
        return read

    def test_sentences_of_operations_say_what_the_cells_hold(self):
        for operation in (*OPERATIONS, *SELECTING):
            for program in ("fold", "fold-guard", "fold-ceil", "tournament"):
                self.assertGreater(self.check(program, (8, 0, 0), "--op", operation), 3)
                if program != "fold":
                    self.assertGreater(self.check(program, (13, 0, 0), "--op", operation), 3)
            for program in self.programs(lessons=False):
                if program["name"].startswith("ladder-") and program["name"] != "ladder-dot":
                    self.assertGreater(self.check(program["name"], (13, 3, 2), "--op", operation), 3)

    def test_sentences_say_what_the_cells_hold(self):
        for program in self.programs(lessons=False):
            read = 0
            for shape in (*SHAPES, (0, 0, 0)):
                n = shape[0]
                if program["name"] in ("fold", "unfold", "dot-fold"):
                    shape = (1 << (n % 5), *shape[1:])
                if "2d" in program["name"] or program["name"] in ("puzzle-matmul", "puzzle-broadcast"):
                    shape = (n % 7 + 1, shape[1] % 4 + 1, 0)
                if program["n"] > 100 and shape[0] == 0:
                    continue
                read += self.check(program["name"], shape)
            self.assertGreater(read, 0, program["name"])

    def test_sentences_bind_no_name_of_their_checkpoint(self):
        for program in self.programs(lessons=False):
            small = ["-n", "4"] if program["n"] > 4 else []
            done = self.run_sim(program["name"], *small, "--no-last", environment={"COLUMNS": "1000"})
            found = re.findall(r"(\w+) = \d+: \w+ at the checkpoint '\w+'\n(?:    [+| ].*\n)*"
                               r"    (\w.*)\n", done.stdout)
            for variable, sentence in found:
                self.assertNotIn(variable, names(sentence), (program["name"], sentence))

    def test_sentences_of_faults_say_what_is_asserted(self):
        read = 0
        for program in self.programs(lessons=True):
            if program["n"] <= 100:
                read += self.check(program["name"], (0, 0, 0))
        self.assertGreater(read, 100)


if __name__ == "__main__":
    unittest.main()
