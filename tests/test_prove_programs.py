#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`reductio prove`: the programs that are proved, and the lessons, none of which is.

usage: test_prove_programs.py REDUCTIO [unittest's arguments]; with RD_TEST_SHORT=yes, a few of them"""

import json
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
import unittest

import cli_case
from cli_case import CliTest
from patience import WAIT_S

SKIPPED = 77
SHORT = os.environ.get("RD_TEST_SHORT") == "yes"
PROVED = ["fold", "fold-guard", "fold-ceil", "unfold", "tournament", "multiply", "dot-fold", "dot-tournament", "dot-partial",
          "dot-shared", "dot-two-phase", "mse", "cosine", "norm", "multi-block-two-launch", "ladder-interleaved-modulo", "ladder-interleaved-strided",
          "ladder-sequential", "ladder-first-add", "ladder-warp-shuffle", "ladder-unrolled", "ladder-grid-stride", "puzzle-map",
          "puzzle-zip", "puzzle-guard", "puzzle-blocks", "puzzle-shared", "puzzle-block-sum", "dot-cpu", "puzzle-dot",
          "puzzle-map2d", "puzzle-broadcast", "puzzle-blocks2d", "puzzle-pool", "puzzle-conv1d", "puzzle-axis-sum", "puzzle-matmul",
          "multi-block-atomic", "ladder-shuffles-twice", "ladder-tiles", "ladder-vectorised-atomic",
          "multi-block-grid-sync", "multi-block-last-block", "ladder-cooperative", "ladder-vectorised", "ladder-dot"]
LOG = "ceil(log2(n))"
BLOCKS = "B + ceil(n/(T*B)) + ceil(log2(T)) - 1"
# Heights of sums of floats, as their texts have them; dot-cpu's is one more.
HEIGHTS = {"fold": LOG, "fold-guard": LOG, "fold-ceil": LOG, "tournament": LOG, "dot-fold": LOG + " + 1",
           "dot-tournament": LOG + " + 1", "dot-cpu": "n + 1", "dot-partial": "T*B + ceil(n/(T*B)) - 1",
           "dot-shared": BLOCKS, "norm": BLOCKS, "cosine": "B + ceil(n/(T*B)) + 3*ceil(log2(T)) - 1",
           "dot-two-phase": "ceil(n/(T*B)) + 2*ceil(log2(T)) + ceil(B/T) - 1"}
# Of lessons: the obligation at which each is refuted, as its text has it, and a part of the shape of the least run that fails.
WRITTEN, UNWRITTEN, DEAD = ["preservation: " + which for which in ("what is written", "what nobody writes", "dead cells stay")]
LESSONS = {
    "fold:inclusive-bound": (UNWRITTEN, "-n 2 "),
    "fold:tournament-table": (WRITTEN, "-n 4 "),
    "fold:missing-guard": (DEAD, "-n 4 "),
    "fold:wrong-half": (WRITTEN, "-n 2 "),
    "fold:tie-index": (WRITTEN, "-n 8 "),
    "fold-guard:zero-identity": (WRITTEN, "-n 5 "),
    "fold-ceil:floor": (WRITTEN, "-n 3 "),
    "unfold:float": (WRITTEN, "-n 2 "),
    "tournament:interval": ("initialization", "-n 2 "),
    "tournament:lost-tail": (UNWRITTEN, "-n 3 "),
    "tournament:stride-one": (WRITTEN, "-n 3 "),
    "multiply:one-block": ("host", "-n 1025 "),
    "dot-shared:floor-halving": (WRITTEN, "-n 3 "),
    "mse:dot": ("exit", "-n 1 "),
    "cosine:zero-norm": ("host", "-n 1 "),
    "norm:no-root": ("host", "-n 1 "),
    "puzzle-dot:beyond-the-block": ("in bounds", "-n 2 "),
    "puzzle-dot:one-cell": ("no race", "-n 2 "),
    "puzzle-pool:no-halo": (WRITTEN, "-n 4 "),
    "puzzle-conv1d:three-reads": ("host", "-n 4 "),
    "puzzle-conv1d:room-for-4": ("in bounds", "-n 17 "),
    "puzzle-matmul:one-barrier": ("barriers", "-n 3 "),
    "puzzle-matmul:no-tiles": ("host", "-n 2 "),
    "dot-naive": ("no race", "-n 2 "),
    "dot-shared:fixed-cache": ("in bounds", "-n 1 "),
    "multi-block:shared-split": ("in bounds", "-n 2 "),
    "multi-block:divergent-barrier": ("barriers", "-n 2 "),
    "multi-block:no-grid-barrier": ("no race", "-n 2 "),
    "multi-block:no-round-barrier": ("no race", "-n 2 "),
    "ladder-warp-shuffle:one-syncwarp": ("no race", "-n 1 "),
    "multi-block:even": (WRITTEN, "-n 3 "),
    "puzzle-map:no-guard": ("in bounds", "-n 1 "),
    "puzzle-zip:no-guard": ("in bounds", "-n 1 "),
    "puzzle-guard:every-cell": ("no race", "-n 1 "),
    "puzzle-map2d:every-cell": ("no race", "-n 1 "),
    "puzzle-broadcast:every-cell": ("no race", "-n 1 "),
    "puzzle-shared:barrier-in-if": ("barriers", "-n 1 "),
    "puzzle-axis-sum:write-in-loop": ("host", "-n 1 "),  # more writes than the launch says
    "ladder-warp-shuffle:short-mask": ("arithmetic", "-n 1 "),  # a lane that is read is in the mask
    "ladder-warp-shuffle:lockstep": ("no race", "-n 1 "),
    "ladder-warp-shuffle:descending": (WRITTEN, "-n 3 "),
    "ladder-unrolled:stops-at-512": (WRITTEN, ""),
    "ladder-shuffles-twice:no-barrier": ("no race", ""),
    "ladder-vectorised:no-fence": ("no race", "-n 1 "),
    "ladder-vectorised:one-fence": ("no race", "-n 1 "),
}
# Of these, in which A is right, that is proved.
RIGHT_VALUES = ["puzzle-guard:every-cell", "puzzle-map2d:every-cell", "puzzle-broadcast:every-cell"]
# Of these it is only said that they are not proved: some have what the prover can't read, of others the proof takes long.
OTHER_LESSONS = ["multi-block", "ladder-grid-stride:index-wraps"]
# What is proved in one test is known in the next.
CACHE = tempfile.TemporaryDirectory(prefix="reductio-")
QUICK = ["fold", "fold:wrong-half", "ladder-grid-stride:index-wraps"]


def lessons():
    listed = json.loads(subprocess.run([cli_case.BINARY, "list", "--json"], capture_output=True, text=True, check=True).stdout)
    return [row["name"] for row in listed if row["lesson"]]


class Programs(CliTest):
    def prove(self, *arguments, timeout_s=30):
        return self.cli("prove", "--jobs", "2", "--timeout", str(timeout_s), *arguments,
                        environment={"XDG_CACHE_HOME": CACHE.name})

    def proofs(self, *programs, timeout_s=30):
        """The proofs of several programs, by name."""
        proofs = {}
        # A few at a time: what is waited for has a limit, and all of them take a busy machine longer.
        for first in range(0, len(programs), 3):
            some = programs[first:first + 3]
            done = self.prove("--json", *some, timeout_s=timeout_s)
            self.assertEqual(done.stderr, "")
            self.assertIn(done.returncode, (0, 1, 3))
            said = json.loads(done.stdout)
            proofs.update({proof["program"]: proof for proof in (said if len(some) > 1 else [said])})
        return proofs

    def assert_proved(self, proof):
        open_goals = [goal for goal in proof["goals"] if goal["answer"] != "PROVED"]
        self.assertEqual(open_goals, [], proof["program"])
        self.assertNotIn("not_covered", proof)
        self.assertNotIn("replay", proof)
        self.assertEqual(proof["lemmas"], "PROVED")
        self.assertEqual(proof["verdict"], "PROVED", proof["program"])
        self.assertGreater(len(proof["goals"]), 6)

    def assert_refuted(self, proof):
        obligation, shape = LESSONS[proof["program"]]
        self.assertEqual(proof["verdict"], "REFUTED", proof["program"])
        refuted = [goal for goal in proof["goals"] if goal["answer"] == "REFUTED"]
        self.assertIn(obligation, [goal["obligation"] for goal in refuted], proof["program"])
        self.assertTrue(all(goal["counterexample"] for goal in refuted))
        replay = proof["replay"]
        self.assertTrue(replay["fails"])
        self.assertIn(f" {proof['program']} {shape}", replay["run"])
        self.assert_fails(replay)

    def assert_fails(self, replay):
        """Both commands can be pasted, and show what was told."""
        done = self.cli(*shlex.split(replay["run"])[1:])
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertIn(" ".join(replay["what"].split()), " ".join(done.stdout.split()))  # it is wrapped
        done = self.cli(*shlex.split(replay["step"])[1:], "--script", "-", stdin="violation\n")
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)

    def test_quick(self):
        proofs = self.proofs(*QUICK)
        self.assert_proved(proofs["fold"])
        self.assertEqual(proofs["fold"]["for"], "every n from 1 to 2^61, every block of 1 to 1024 threads, where n = bit_ceil(n), and every input")
        self.assertIn("initialization", [goal["obligation"] for goal in proofs["fold"]["goals"]])
        self.assertIn("the round keeps: n div 2^d is a power of two", [goal["what"] for goal in proofs["fold"]["goals"]])
        self.assertNotIn("for", proofs["ladder-grid-stride:index-wraps"])
        self.assert_refuted(proofs["fold:wrong-half"])
        self.assertEqual(proofs["ladder-grid-stride:index-wraps"]["verdict"], "OPEN")
        self.assertTrue(proofs["ladder-grid-stride:index-wraps"]["not_covered"])
        self.assertEqual(proofs["ladder-grid-stride:index-wraps"]["goals"], [])

    def test_run_that_fails_is_told_in_words(self):
        done = self.prove("fold:wrong-half")
        self.assertEqual(done.returncode, 1)
        self.assertIn("\nREFUTED: fold:wrong-half", done.stdout)
        self.assertIn("\nThis run fails: reductio run fold:wrong-half -n 2 --device sim\n", done.stdout)
        self.assertIn("\nStep through it: reductio step fold:wrong-half -n 2 --device sim\n", done.stdout)
        self.assertIn("kernels/fold.cu:34: i + half fits in 64 bits", done.stdout)
        self.assertIn("kernels/fold.cu:34: a thread reads within A (2 goals)\n", done.stdout)
        self.assertNotIn("for every n", done.stdout)

    def test_table_is_summed_up(self):
        done = self.prove(*QUICK)
        self.assertRegex(done.stdout, r"\n1 PROVED, 1 REFUTED, 1 OPEN; .*\n\Z")
        self.assertIn("  this run fails: reductio run fold:wrong-half -n 2 --device sim\n", done.stdout)
        self.assertRegex(done.stdout, r"(?m)^ladder-grid-stride:index-wraps +OPEN +not covered: \w")

    @unittest.skipIf(SHORT, "takes long")
    def test_programs_are_proved_by_name(self):
        for program, proof in self.proofs(*PROVED).items():
            with self.subTest(program=program):
                self.assert_proved(proof)
                if program in HEIGHTS:
                    self.assertEqual(proof["height"], HEIGHTS[program])
                elif program in ("mse", "unfold", "multiply", "puzzle-map"):
                    self.assertNotIn("height", proof)

    def test_all_programs_are_among_them(self):
        listed = json.loads(self.cli("list", "--json").stdout)
        self.assertEqual(sorted(row["name"] for row in listed if not row["lesson"]), sorted(PROVED))

    @unittest.skipIf(SHORT, "takes long")
    def test_lessons_are_refuted_where_their_texts_say(self):
        self.assertEqual(sorted(lessons()), sorted([*LESSONS, *OTHER_LESSONS]))
        for lesson, proof in self.proofs(*LESSONS).items():
            with self.subTest(lesson=lesson):
                self.assert_refuted(proof)
                if lesson in RIGHT_VALUES:
                    self.assertEqual([goal["what"] for goal in proof["goals"]
                                      if goal["answer"] != "PROVED" and goal["obligation"].startswith("preservation")], [])
        # The most of the time would go to goals of these that no prover decides.
        for lesson, proof in self.proofs(*OTHER_LESSONS, timeout_s=3).items():
            with self.subTest(lesson=lesson):
                self.assertNotEqual(proof["verdict"], "PROVED")


def is_missing():
    """What is missing, as `reductio prove` itself says."""
    if not (shutil.which("z3") and shutil.which("cvc5")):
        return "z3 and cvc5 are needed"
    done = subprocess.run([cli_case.BINARY, "prove", "--jobs", "2", "dot-naive"], capture_output=True, text=True, check=False,
                          timeout=WAIT_S, env={**os.environ, "XDG_CACHE_HOME": CACHE.name})
    return done.stdout if "libclang" in done.stdout else None


if __name__ == "__main__":
    if reason := is_missing():
        print("skipped:", reason)
        sys.exit(SKIPPED)
    unittest.main()
