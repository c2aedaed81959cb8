# SPDX-License-Identifier: MIT
"""Figures that texts state, each next to what a run gives.

A figure is a pattern, whose groups are the numbers of a text, and a function that gets them and returns what they
should be. A number of a text that no figure takes must be said to be no claim, with a reason, or to be an
observation of a GPU that the text names."""

import functools
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from patience import WAIT_S

KERNELS = pathlib.Path(__file__).parent.parent / "kernels"
REDUCTIO = sys.argv.pop(1)
NUMBER = re.compile(r"\d+|\b(?:two|three|four|five|six|seven|eight|nine|ten|twice)\b", re.IGNORECASE)
WORDS = {"once": 1, "twice": 2, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7,
         "eight": 8, "nine": 9, "ten": 10}

FIGURES = {} # a program's: [(pattern, function)]
PLAIN = {}   # a program's, or those of all under "": [(pattern, reason)]
OBSERVED = {} # a program's: [(pattern, GPU)]


def figure(program, pattern):
    def register(compute):
        FIGURES.setdefault(program, []).append((pattern, compute))
        return compute
    return register


def plain(program, pattern, reason):
    PLAIN.setdefault(program, []).append((pattern, reason))


def observed(program, pattern, gpu):
    OBSERVED.setdefault(program, []).append((pattern, gpu))


def reductio(*arguments):
    done = subprocess.run([REDUCTIO, *arguments], capture_output=True, text=True, timeout=WAIT_S, check=False)
    assert done.returncode in (0, 1, 3) and not done.stderr, (arguments, done.returncode, done.stderr)
    return done.stdout


@functools.lru_cache(None)
def listed():
    return {p["name"]: p for p in json.loads(reductio("list", "--json"))}


@functools.lru_cache(None)
def explained(program):
    return reductio("explain", program).partition("\nWhere to look\n")[0]


def document(program):
    """The explanation on one line, and behind a bar what `list` says of the program."""
    return re.sub(r"\s+", " ", explained(program).strip()) + " | " + listed()[program]["summary"]


def names():
    """A pattern of the names of all programs."""
    return r"(?<![\w-])(?:" + "|".join(sorted(map(re.escape, listed()), key=len, reverse=True)) + r")(?![\w-])"


def source_of(file, kernel):
    """A kernel's body."""
    return (KERNELS / file).read_text(encoding="utf-8").partition(f"NAME({kernel})(")[2].partition("\n}\n")[0]


def formulas(program):
    """The lines of a fault's text that say what is claimed: of its statement, or of a claim of its own."""
    found = re.search(r"\n(?:Statement|The claim)\n(.*?)\n\n", explained(program), re.DOTALL)
    return re.findall(r"^ {8,}(\S.*)$", found[1], re.MULTILINE) if found else []


def states_its_twins_law(program):
    return "\nStatement\n" in explained(program)


# ---- runs ----

def options_of(sizes):
    return [word for name, value in sizes.items() for word in ("-n" if name == "n" else "--" + name, str(value))]


class Run:
    """A run in the simulator, and its trace."""

    def __init__(self, program, sizes):
        with tempfile.TemporaryDirectory(prefix="reductio-") as folder:
            trace = os.path.join(folder, "trace.ndjson")
            self.result = json.loads(reductio("run", program, "--device", "sim", "--json", "--no-last",
                                              "--trace-cells", "all", *options_of(sizes), "--trace", trace))
            with open(trace, encoding="utf-8") as file:
                lines = file.readlines()
        records = [json.loads(line) for line in lines if '"checkpoint":' not in line]
        points = (re.search(r'"point":"(\w+)","block":0,.*?"variable":(\d+)\}', line) for line in lines)
        self.checkpoints = [(point[1], int(point[2])) for point in points if point] # of block 0
        states = [json.loads(line) for line in lines if '"state":' in line]
        self.states = [state["state"]["cells"] for state in states if "cells" in state["state"]] # checkpoints', too
        self.points = [(state["checkpoint"]["variable"], state["state"]["cells"]) for state in states
                       if "checkpoint" in state and "cells" in state["state"]]
        self.input = records[1]["input"]
        self.rounds = [r for r in records if r["record"] == "step"] # and the start; no checkpoints
        self.cells = self.rounds[-1]["state"]["cells"]
        self.hazards = [h["message"] for h in self.result["hazard_reports"]]
        self.violation = self.result.get("violation") or {}
        self.holds = self.result["verdict"] == "HOLDS"

    def inputs(self, of):
        """The inputs that the evidence names as expected, actual, lost or extra, as often as they are in it."""
        return [i["index"] for i in self.result["evidence"][of]["inputs"] for _ in range(i["times"])]


@functools.lru_cache(None)
def run_of(program, sizes):
    return Run(program, dict(sizes))


def run(program, **sizes):
    return run_of(program, tuple(sizes.items()))


@functools.lru_cache(None)
def accesses_of(program, sizes):
    page = reductio("report", program, *options_of(dict(sizes)), "--device", "sim", "-o", "-")
    data = json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.S)[1])
    return [{(block, t): [access[:4] for access in done] for block, t, done, count in frame.get("threads", [])
             if len(done) == count} for frame in data[0]]


def accesses(program, frame=-1, **sizes):
    """Accesses of a round's threads, as the report's page has them: (block, thread): [what, array, index, value]."""
    return accesses_of(program, tuple(sizes.items()))[frame]


def made(threads, what, arrays):
    """The indices that each thread reads or writes, in order."""
    return {thread: [index for word, array, index, _ in done if word == what and array in arrays]
            for thread, done in threads.items()}


# ---- texts ----

plain("", r"\bpower of two\b", "a kind of number")
plain("", r"\b[Oo]n an H200\b", "a GPU's name")


def value_of(text):
    if re.fullmatch(r"-?\d+", text):
        return int(text)
    if re.fullmatch(r"\d*\.\d+", text):
        return float(text)
    return WORDS.get(text.lower(), text)


def calculated(formula, **values):
    """A formula of a text, for these values."""
    code = re.sub(r"log2 (\w+)", r"log2(\1)", formula).replace("^", "**").replace("/", "//")
    functions = {"floor": lambda x: x, "log2": lambda x: int(x).bit_length() - 1}
    return eval(code, {"__builtins__": {}}, {**functions, **values})


def indices(text):
    """A set of inputs as texts have it: {0,1x2,4..6}."""
    found = []
    for part in text.strip("{}").split(","):
        first, _, last = part.partition("..")
        index, _, times = first.partition("x")
        found += list(range(int(index), int(last or index) + 1)) * int(times or 1)
    return found


def spans(text, patterns):
    """Spans of the patterns' groups or, of a pattern without groups, of its matches; and the patterns without a match."""
    covered, idle = [], []
    for pattern in patterns:
        matches = list(re.finditer(pattern, text))
        if not matches:
            idle.append(pattern)
        for match in matches:
            covered += [match.span(group) for group in range(1, match.re.groups + 1)] or [match.span()]
    return covered, idle


def uncovered(text, covered):
    """The numbers of a text that lie in no span, each with some words around it."""
    return [text[max(0, found.start() - 40):found.start()] + "<" + found.group() + ">" + text[found.end():found.end() + 30]
            for found in NUMBER.finditer(text)
            if not any(first <= found.start() and found.end() <= last for first, last in covered)]
