#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""reductio prove: what it prints, and with which status it ends.

test_prove_cli.py REDUCTIO     skipped where there is no cvc5 or no z3
"""
import json
import os
import pathlib
import re
import shutil
import sys
import tempfile
import unittest

from cli_case import CliTest
from results_case import problems
from short_run import takes_long

SKIPPED = 77
SCHEMA = json.loads((pathlib.Path(__file__).resolve().parent.parent / "docs/proof.schema.json").read_text(encoding="utf-8"))


class Prove(CliTest):
    cache = tempfile.TemporaryDirectory(prefix="reductio-")  # one for all: lemmas are proved once

    def setUp(self):
        super().setUp()
        self.environment["XDG_CACHE_HOME"] = Prove.cache.name

    def prove(self, *words, **more):
        return self.cli("prove", *words, **more)

    def test_lemmas_are_proved_and_then_known(self):
        folder = self.path("queries")
        done = self.prove("--lemmas", "--smt", folder)
        self.assert_holds(done)
        self.assertRegex(done.stdout, r"(?m)^PROVED: lemmas: \d+ goals \((cvc5|Z3) \d+(, (cvc5|Z3) \d+)?\), [\d.]+ s\n\Z")
        self.assertNotIn("OPEN", done.stdout)
        self.assertIn("lemmas-001.smt2", os.listdir(folder))
        for name in os.listdir(folder):
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                self.assertRegex(file.read(), r"\A; lemmas: .*\n(\(set-option [^\n]*\n)?\(set-logic [\s\S]*\(check-sat\)\n")
        again = json.loads(self.prove("--lemmas", "--json").stdout)
        self.assertEqual(again["verdict"], "PROVED")
        self.assertTrue(all(goal["cached"] and goal["satisfiable"] for goal in again["goals"]))

    def test_goals_are_told_in_groups_with_the_question(self):
        done = self.prove("tournament", "--verbose")
        self.assertRegex(done.stdout, r"(?m)^no race\n  (PROVED|REFUTED|OPEN) ")
        self.assertRegex(done.stdout, r"(?m)^         given .*\n")
        self.assertRegex(done.stdout, r"(?m)^         show  .*\n         (cvc5|Z3) [\d.]+, \d+\.\d\d s")
        self.assertRegex(done.stdout.splitlines()[-1], r"^PROVED: tournament\b.*: \d+ goals \(")
        self.assertEqual(done.returncode, 0)

    def test_file_of_ones_own_is_proved_or_refuted_by_its_run(self):
        self.cli("new", "own", "--in", self.path(""))
        path = self.path("own/own.cu")
        done = self.prove(path)
        self.assertRegex(done.stdout.splitlines()[-1],
                         rf"^PROVED: {path}, for every n from 1 to 2\^38 \(for the 16 of line \d+\), where n = 2\^k, and every input: \d+ goals ")
        self.assertEqual(done.returncode, 0)
        with open(path, encoding="utf-8") as file:
            text = file.read()
        with open(path, "w", encoding="utf-8") as file:
            file.write(text.replace("A[i + half]", "A[i + half - 1]"))
        done = self.prove(path, "--timeout", "2")
        self.assertRegex(done.stdout, rf"""\nThis run fails: reductio run {path} --device sim
 +{path}:\d+: invariant for 0 <= i < w: A.*: step 1, A\[0\]: expected .*; \d cells are wrong
 +VIOLATED {path}: exit status 0, """)
        self.assertRegex(done.stdout, r"(?m)^  REFUTED own: what a thread writes is what the law says\n {9}counterexample to the goal: ")
        self.assertRegex(done.stdout, rf"(?m)^REFUTED: {path}: ")
        self.assertEqual(done.returncode, 1)

    def test_file_that_is_not_read_is_open_with_why(self):
        path = self.path("bare.cu")
        with open(path, "w", encoding="utf-8") as file:
            file.write("int main(void)\n{\n    return 0;\n}\n")
        done = self.prove(path)
        self.assertIn(f"OPEN: {path} is not covered: {path} has no annotations: ", done.stdout)
        self.assertEqual(done.returncode, 3)

    def test_fault_is_not_proved(self):
        done = self.prove("tournament:stride-one", "--json", "--timeout", "1")
        said = json.loads(done.stdout)
        self.assertIn(said["verdict"], ("REFUTED", "OPEN"))
        self.assertEqual(done.returncode, 1 if said["verdict"] == "REFUTED" else 3)
        for goal in said["goals"]:
            if goal["answer"] == "REFUTED":
                self.assertTrue(all(re.fullmatch(r"-?\d+", number) for number in goal["counterexample"].values()))

    def test_without_provers_it_is_open_with_what_to_install(self):
        done = self.prove("tournament", environment={"PATH": self.path("nothing")})
        self.assertEqual((done.returncode, done.stderr), (3, ""))
        self.assertNotIn("PROVED", done.stdout)
        self.assertIn("apt-get install", done.stdout)

    def test_proof_is_told_as_sentences_once_it_is_known(self):
        self.assertIn("no proof of it is known here; 'reductio prove fold' looks for one", self.words("explain", "fold"))
        self.assert_holds(self.prove("tournament"))
        told = self.words("explain", "tournament")
        self.assertIn("PROVED for every n", told)
        self.assertRegex(told, r"\bat first when .*: \{j = i\} .*\bin each round tournament: when ")
        self.assertRegex(told, r"\{[^{}]+\} and \{[^{}]+\} are disjoint, and together \{[^{}]+\}")
        self.assertRegex(told, r"\bno thread reads or writes what another one writes.*\bA\[0\] holds every input once\b")
        self.assertIn("<p>PROVED for every n", self.page("tournament"))
        self.assertIn("are disjoint, and together {", self.page("tournament"))

    def test_nothing_is_told_of_faults_and_of_what_is_not_known(self):
        self.assertNotIn("PROVED", self.words("explain", "tournament:stride-one"))
        for program, why in (("fold", "no proof of it is known here"), ("tournament:stride-one", "it is a fault: ")):
            with self.subTest(program):
                self.assertNotIn("PROVED", self.page(program))
                self.assertIn(why, self.page(program).replace("&#39;", "'"))

    def test_proof_is_known_only_with_all_answers_of_these_provers(self):
        self.assert_holds(self.prove("tournament"))
        cache = self.path("cache")
        shutil.copytree(Prove.cache.name, cache)
        self.assertIn("PROVED", self.words("explain", "tournament", XDG_CACHE_HOME=cache))
        self.assertIn("no proof of it is known here", self.words("explain", "tournament", XDG_CACHE_HOME=self.path("other")))
        self.assertIn("can't be looked up: ", self.words("explain", "tournament", PATH=self.path("nothing")))
        proofs = os.path.join(cache, "reductio", "proofs")
        for name in os.listdir(proofs):
            with open(os.path.join(proofs, name), encoding="utf-8") as file:
                is_lemma = "(declare-const x (_ BitVec 64))" in file.read()
            if is_lemma:
                os.remove(os.path.join(proofs, name))
        told = self.words("explain", "tournament", XDG_CACHE_HOME=cache)
        self.assertNotIn("PROVED", told)
        self.assertIn("it was proved before, but not as it is now: 'reductio prove tournament' asks again", told)

    def test_stepper_tells_why_with_the_numbers_of_the_round(self):
        self.assert_holds(self.prove("tournament"))
        screen = self.step("tournament", "-n", "8", script="next\ncell 2\nproof\n")
        self.assertIn("before A[2] = {2 <= j < 3} A[3] = {3 <= j < 4} here A[2] = {2 <= j < 4}", screen)
        self.assertIn("{2 <= j < 3} and {3 <= j < 4} are disjoint, and together {2 <= j < 4}", screen)
        self.assertIn("counted: so it is for each of the 8 inputs", screen)
        self.assertRegex(screen, r"every n when .* are disjoint, and together .*PROVED for every n")
        screen = self.step("fold", "-n", "8", script="next\nnext\ncell 1\nproof\n")
        self.assertIn("{j mod 4 = 1} and {j mod 4 = 3} are disjoint, and together {j mod 2 = 1}", screen)
        self.assertNotIn("PROVED", screen)
        self.assertIn("'reductio prove fold' looks for one", screen)
        screen = self.step("dot-shared", script="step\nstep\nstep\nproof\n")
        self.assertIn("are disjoint, and together {j = j2 and j mod 320 < 64 and j mod 16 = 0}", screen)

    def words(self, *words, **environment):
        return " ".join(self.cli(*words, environment=environment).stdout.split())

    def page(self, program):
        page = self.path("page.html")
        done = self.cli("report", program, "-n", "8", "--device", "sim", "-o", page)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        with open(page, encoding="utf-8") as file:
            return file.read()

    def step(self, *words, script):
        done = self.cli("step", *words, "--device", "sim", "--script", "-", stdin=script)
        self.assert_holds(done)
        lines = done.stdout[done.stdout.rindex("> proof"):].split("\n")
        first = next(k for k, line in enumerate(lines) if "why " in line)
        last = next(k for k, line in enumerate(lines) if k > first and re.search("[└+]─*[─-]{20}", line))
        return " ".join(" ".join(re.split("[│|]", line)[1] for line in lines[first + 1:last]).split())

    @takes_long
    def test_json_is_as_its_schema_says_with_all_members(self):
        seen = set()
        self.cli("new", "own", "--in", self.path(""))
        path = pathlib.Path(self.path("own/own.cu"))
        text = path.read_text(encoding="utf-8")
        path.write_text(text.replace("n = 16;", "n = 15;"), encoding="utf-8")
        self.assertNotEqual(path.read_text(encoding="utf-8"), text)
        wrong = pathlib.Path(self.path("own/wrong.cu"))
        wrong.write_text(text.replace("A[i + half]", "A[i + half - 1]"), encoding="utf-8")
        for words in ([path], [wrong], ["--lemmas"], ["tournament"], ["tournament:stride-one"], ["dot-naive", "tournament:interval"]):
            said = json.loads(self.prove(*words, "--json", "--timeout", "2").stdout)
            for proof in said if isinstance(said, list) else [said]:
                self.assertEqual(list(problems(proof, SCHEMA, SCHEMA)), [])
                seen |= {*proof, *(f"goal.{key}" for goal in proof["goals"] for key in goal)}
                seen |= {f"replay.{key}" for key in proof.get("replay", {})}
                seen |= {f"sentence.{key}" for sentence in proof.get("sentences", []) for key in sentence}
        known = {*SCHEMA["properties"]}
        known |= {f"{name}.{key}" for name in ("goal", "replay", "sentence") for key in SCHEMA["$defs"][name]["properties"]}
        # These take a program whose result the host computes, one that is not covered, goals that stay open, and a launch
        # without a law.
        self.assertEqual(known - seen - {"by_host", "not_covered", "goal.reason", "replay.n_tried", "missing_law", "missing_invariant"}, set())
        proof["goals"] = [{"obligation": "none"}]
        self.assertNotEqual(list(problems(proof, SCHEMA, SCHEMA)), [])

    def test_refuted_goals_of_one_wording_share_a_line(self):
        done = self.prove("multi-block", "--timeout", "2")
        self.assertRegex(done.stdout, r"\n  REFUTED multi_block.*: no other thread .* \(\d+ goals\)\n {9}counterexample to the first: n = ")
        refuted = [line for line in done.stdout.splitlines() if line.startswith("  REFUTED ")]
        self.assertEqual(len(refuted), len(set(refuted)))

    def test_bad_usage_is_refused(self):
        self.assert_refused(self.prove("nonesuch"), "'nonesuch' is not a program")
        self.assert_refused(self.prove("file.cu"), "'file.cu' can't be read")
        self.assert_refused(self.prove("--timeout", "0"), "'--timeout'")
        self.assert_refused(self.prove("--jobs", "x"), "'--jobs'")
        self.assert_refused(self.prove("--lemmas", "fold"), "'--lemmas'")
        self.assert_refused(self.prove("--lemmas", "--smt", "/dev/null/x"), "/dev/null/x")


if __name__ == "__main__":
    if not shutil.which("cvc5") or not shutil.which("z3"):
        print("skipped: cvc5 and z3 are needed")
        sys.exit(SKIPPED)
    unittest.main()
