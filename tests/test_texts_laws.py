#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A law is stated once, in its program's paragraph: the texts of `reductio explain` have a placeholder where they state it, and
state none of their own beside it, nor do other comments of invariants and kernels; and no other source repeats it. What is
printed there is judged as a law of one's own.

usage: test_texts_laws.py REDUCTIO [unittest's arguments]"""

import concurrent.futures
import pathlib
import re
import subprocess
import unittest

import figures
from patience import WAIT_S

ROOT = pathlib.Path(__file__).parent.parent
SOURCES = [path for folder in ("invariants", "kernels", "src", "include") for path in sorted((ROOT / folder).rglob("*"))
           if path.suffix in (".c", ".h", ".cu") and path.name != "new.c"] # `reductio new` writes a program of its user's
OPERATIONS = r"(?:sum|product|min|max|argmin|argmax|and|or|xor)"
# A formula that says what cells hold: by its range, or as a reduction with conditions; and the same in words.
LAWS = [r"\bfor [^:;.]*(?:[<=]|\bmod\b)[^:;.]*:\s*\w+\s*(?:\[[^\]]*\]\s*)*=", rf"= (?:the )?{OPERATIONS} (?:of|over)\b",
        rf"\b(?:is|holds) (?:the )?{OPERATIONS} (?:of|over) (?:all )?(?:the )?\w+\[[^\]]*\],? (?:over|with|where|for)\b"]
PARAMETER = "\N{SECTION SIGN}"


def comments():
    """The name of a text, or the file of another comment, with its sections but for worked examples, each on a line."""
    for path in SOURCES:
        if path.parent.name not in ("invariants", "kernels"):
            continue
        for comment in re.findall(r"/\*(.*?)\*/", path.read_text(encoding="utf-8"), re.DOTALL):
            lines = re.sub(r"^ \* ?", "", comment, flags=re.MULTILINE)
            name = re.match(r" explain: (\S+)\n", lines)
            for section in re.split(r"\n\s*\n", lines):
                if not section.startswith("Worked example"):
                    yield name[1] if name else path.name, re.sub(r"\s+", " ", section)


def stated(program):
    """The sentences of arrays in the printed statement of a right program, each in a line."""
    found = []
    statement = figures.explained(program).partition("\nStatement\n")[2].partition("\n\n")[0]
    for line in statement.splitlines():
        if re.match(r" {8}\S", line):
            found.append(line.strip())
        elif re.match(r" {9,}\S", line):
            found[-1] += " " + line.strip()
    return [claim.rstrip(";") for claim in found if not claim.startswith("where ")]


def right_programs():
    """The programs that `reductio list` has, but for their faults."""
    return [program for program, about in figures.listed().items() if not about["lesson"]]


def claims(program):
    return [re.sub(r"^when [^:]*: ", "", claim) for claim in stated(program)]


def is_trivial(claim):
    """What an array starts as: zeros, or the input."""
    return re.search(r"\] = (?:0|a\[i\])$", claim)


def sources():
    """All sources, one behind the other, with the strings of paragraphs joined: each sentence in a line, and PARAMETER for what
    a macro is passed; and where each file begins."""
    whole, begins = "", []
    for path in SOURCES:
        text = re.sub(r'"\s*\\?\n\s*"', "", path.read_text(encoding="utf-8"))
        text = re.sub(r"(?:\\n)? +|\\n|\n \*", " ", text)
        begins.append((len(whole), path.relative_to(ROOT)))
        whole += re.sub(r'" (?:term|count) "', PARAMETER, text)
    return whole, begins


def forms(claim):
    """How a claim may stand there: as it is, or with the term from elsewhere; what is passed to a macro, with a number from
    elsewhere; or as its equation alone."""
    cell, _, value = re.sub(r"^for .*: ", "", claim).partition(" = ")
    term = rf"({OPERATIONS} of )[^,]+(?=,)"
    yield {claim, re.sub(term, rf"\1{PARAMETER}", claim, count=1)}
    yield {f'"{value}"', '"' + re.sub(r"(0 <= v < )\w+", rf"\1{PARAMETER}", value) + '"'}
    yield {f"{cell} = {value}", re.sub(term, rf"\1{PARAMETER}", f"{cell} = {value}", count=1)}


def places(whole, begins, claim):
    """Where the claim stands, by the first kind of forms that is there."""
    for kind in forms(claim):
        found = [match.start() for form in kind for match in re.finditer(re.escape(form), whole)]
        if found:
            return [str(max(begin for begin in begins if begin[0] <= at)[1]) for at in found]
    return []


class TextsTest(unittest.TestCase):
    def test_no_text_states_a_law_beside_the_placeholder(self):
        for name, section in comments():
            for law in LAWS:
                with self.subTest(name, section=section[:60]):
                    self.assertNotRegex(section.replace("{law", "{"), law)

    def test_each_right_program_has_its_law_in_its_statement(self):
        statements = {name: section for name, section in comments() if section.startswith("Statement")}
        self.assertEqual(sorted(right_programs()), sorted(name for name in statements if ":" not in name))
        for program in right_programs():
            with self.subTest(program):
                self.assertIn(" {law}", statements[program])

    def test_each_law_stands_once_in_the_sources(self):
        whole, begins = sources()
        programs = right_programs()
        with concurrent.futures.ThreadPoolExecutor(2) as workers:
            found = dict(zip(programs, workers.map(claims, programs)))
        for program, of_program in found.items():
            own = [claim for claim in of_program if not is_trivial(claim)]
            self.assertTrue(own, program)
            for claim in own:
                with self.subTest(program, claim=claim):
                    stands = places(whole, begins, claim)
                    self.assertEqual(len(stands), 1, f"stands in {stands}: one that several programs have is a macro in invariants/invariants.h")

    def test_what_is_printed_as_the_law_is_true_and_enough(self):
        def judged(program):
            law = "; ".join(sentence for sentence in stated(program) if re.search(r"(^|: )A(\[[^=]*\])? = ", sentence))
            done = subprocess.run([figures.REDUCTIO, "run", program, "--device", "sim", "--no-last", "-q", "-n", "16", "--law", law],
                                  capture_output=True, text=True, timeout=WAIT_S, check=False)
            return done.stderr, done.stdout.partition(":")[0]

        programs = right_programs()
        with concurrent.futures.ThreadPoolExecutor(2) as workers:
            for program, verdict in zip(programs, workers.map(judged, programs)):
                with self.subTest(program):
                    self.assertEqual(verdict, ("", "true, and enough"))


if __name__ == "__main__":
    unittest.main()
