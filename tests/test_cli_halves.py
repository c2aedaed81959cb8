#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Floats of 16 bits: runs, what refuses them, traces and views.

usage: test_cli_halves.py REDUCTIO [unittest's arguments]"""

import itertools
import json
import os
import struct
import unittest

from cli_case import CliTest

TAKES = ("fold", "fold-guard", "fold-ceil", "unfold", "tournament", "dot-shared", "dot-two-phase", "norm", "multi-block-two-launch",
         "multi-block-grid-sync", "multi-block-last-block", "multi-block-atomic", "ladder-interleaved-modulo",
         "ladder-interleaved-strided", "ladder-sequential", "ladder-first-add", "ladder-warp-shuffle", "ladder-unrolled",
         "ladder-grid-stride", "ladder-shuffles-twice", "ladder-tiles", "ladder-vectorised-atomic", "ladder-vectorised",
         "ladder-cooperative", "ladder-dot")
LESSONS = 30  # faults that take them, too
POWERS = ("fold", "unfold")  # which take no other n
OTHERS = "i32, u32, i64, u64, f32 or f64"
HALVES = {"f16": (11, 65504.0), "bf16": (8, float.fromhex("0x1.fep127"))}


COUNT = itertools.count()


def sample(cases):
    """In a short run one of them, in turn."""
    return cases[next(COUNT) % len(cases)::len(cases)] if "RD_TEST_SHORT" in os.environ else cases


def nearest(value, kind):
    """The float of 16 bits nearest to a number, ties to even; by struct of f16, by bits of an f32 of bf16."""
    if kind == "f16":
        return struct.unpack("<e", struct.pack("<e", value))[0]
    bits = struct.unpack("<I", struct.pack("<f", value))[0]
    bits += 0x7fff + (bits >> 16 & 1)
    return struct.unpack("<f", struct.pack("<I", bits >> 16 << 16))[0]


class HalvesTest(CliTest):
    def judged(self, *arguments, status=0):
        done = self.run_sim(*arguments, "--no-last", "--json")
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return json.loads(done.stdout)

    def traced(self, kind, *arguments, status=0):
        """The same, as numbers of the type."""
        return [[nearest(float(cell), kind) for cell in cells] for cells in self.steps(*arguments, "--type", kind, status=status)]

    def steps(self, *arguments, status=0):
        """The cells of each step of a trace."""
        path = self.path("half.ndjson")
        done = self.run_sim(*arguments, "--no-last", "--quiet", "--trace", path)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        with open(path, encoding="utf-8") as file:
            records = [json.loads(line) for line in file]
        return [record["state"]["cells"] for record in records if record["record"] == "step"]

    def rows(self):
        return json.loads(self.cli("list", "--json").stdout)

    def test_list_tells_who_takes_them(self):
        for kind in HALVES:
            takes = [row for row in self.rows() if kind in row["types"]]
            self.assertEqual(tuple(row["name"] for row in takes if not row["lesson"]), TAKES)
            self.assertEqual(len([row for row in takes if row["lesson"]]), LESSONS)

    def test_programs_hold_with_every_operation_that_floats_have(self):
        for row in self.rows():
            if row["name"] not in TAKES:
                continue
            program = row["name"]
            values = "ones" if program == "unfold" else "random:5"  # what an addition rounds away does not come back
            for kind in HALVES:
                for op in (op for op in ("sum", "product", "min", "max") if op in row["ops"]):
                    for n in sample(("1", "2", "32", *(() if program in POWERS else ("3", "33", "61")))):
                        with self.subTest(program=program, kind=kind, op=op, n=n):
                            done = self.run_sim(program, "-n", n, "--type", kind, "--op", op, "--values", values, "--no-last")
                            self.assertIn(done.returncode, (0, 3) if op == "product" else (0,), done.stdout)
                            # A product in any order that may leave the normal numbers has no bound.
                            if op != "product" or program != "ladder-vectorised-atomic":
                                self.assertIn("preservation    HOLDS", done.stdout)

    def test_each_lesson_is_violated(self):
        values = {("unfold:float", "f16"): "list:1,2048", ("unfold:float", "bf16"): "list:1,256",
                  ("ladder-grid-stride:index-wraps", "f16"): "random:1"}  # its iota is infinite in the end
        for row in self.rows():
            for kind in sample(tuple(HALVES)):
                if kind not in row["types"] or not row["lesson"] or row["op"].startswith("arg"):
                    continue
                with self.subTest(lesson=row["name"], kind=kind):
                    done = self.run_sim(row["name"], "--type", kind, "--values", values.get((row["name"], kind), row["values"]),
                                        "--no-last", "--quiet")
                    self.assertEqual(done.returncode, 1, done.stdout + done.stderr)

    def test_rungs_add_in_the_order_of_their_law(self):
        """Dots, packs, an atomic and a difference, each rounded once: the sums below are those that the laws state."""
        for kind in HALVES:
            values = [0.1, 100, -3.3333, 7e-3, 101, 104.9, -1e-2, 0.5]
            a = [nearest(value, kind) for value in values]
            text = "list:" + ",".join(map(str, values))

            def add(x, y, kind=kind):
                return nearest(x + y, kind)

            packs = [add(add(*a[p:p + 2]), add(*a[p + 2:p + 4])) for p in (0, 4)]
            halves = [add(a[i], a[i + 4]) for i in range(4)]
            halves = [add(halves[0], halves[2]), add(halves[1], halves[3])]
            for program, expected in (("ladder-vectorised", add(*packs)), ("ladder-vectorised-atomic", add(*packs)),
                                      ("ladder-sequential", add(*halves))):
                block = "8" if program == "ladder-sequential" else "2"
                self.assertEqual(self.traced(kind, program, "--values", text, "--block", block)[-1][0], expected, program)
            squares = [nearest(x * x, kind) for x in a]
            packs = [add(add(*squares[p:p + 2]), add(*squares[p + 2:p + 4])) for p in (0, 4)]
            both = ",".join(map(str, values + values))
            self.assertEqual(self.traced(kind, "ladder-dot", "--values", "list:" + both, "--block", "2")[-1][0], add(*packs))
            whole = add(a[0], a[1])
            self.assertEqual(self.traced(kind, "unfold", "--values", "list:0.1,100", status=1)[-1], [nearest(whole - a[1], kind), a[1]])

    def test_each_step_is_that_of_sums_which_are_rounded_once(self):
        for kind, (_, largest) in HALVES.items():
            values = [0.1, 1000, -3.3333, 7e-8, largest / 3, 2049, -1e-5, 0.5]
            cells = [nearest(value, kind) for value in values]
            made = self.traced(kind, "fold", "--values", "list:" + ",".join(map(str, values)))
            self.assertEqual(made[0], cells)
            for step, half in enumerate((4, 2, 1), 1):
                cells[:half] = [nearest(cells[i] + cells[i + half], kind) for i in range(half)]
                self.assertEqual(made[step], cells)

    def test_all_other_programs_refuse_and_name_their_types(self):
        programs = [row["name"] for row in self.rows() if "f16" not in row["types"]]
        self.assertGreater(len(programs), 35)
        for program in programs:
            for kind in sample(tuple(HALVES)):
                with self.subTest(program=program, kind=kind):
                    self.assert_refused(self.run_sim(program, "--type", kind), f"'{program}' is of {OTHERS}, and not of {kind}: "
                                        "use one of these, or fold, fold-guard, fold-ceil, unfold or 21 others")
        self.assert_refused(self.cli("bench", "rounds", "multiply", "--type", "f16", "--device", "sim"), OTHERS)
        self.assert_refused(self.run_sim("fold", "--type", "f16", "--op", "argmin"), "32 or 64 bits")
        self.assert_refused(self.run_sim("fold", "--type", "bf16", "--op", "xor"), "use an integer type")

    def test_faults_are_found_with_the_inputs_that_are_missing(self):
        for kind in HALVES:
            done = self.run_sim("fold:wrong-half", "--type", kind, "--no-last")
            self.assertEqual(done.returncode, 1)
            self.assertIn("step 1, A[0]: expected 4, actual 3", done.stdout)
            self.assertIn("A[0] should hold {0,4}; it holds {0,3}", done.stdout)
            done = self.run_sim("fold:missing-guard", "--type", kind, "--no-last")
            self.assertIn("thread 2 of block 0 writes A[2]", done.stdout)
            self.assertRegex(done.stdout, r"when it held 8\s+\(now 12\)")
            done = self.run_sim("fold-guard:zero-identity", "-n", "3", "--type", kind, "--values", "list:-1,-2,-3", "--no-last")
            self.assertEqual(done.returncode, 1)

    def test_bound_is_that_of_the_type(self):
        for kind, (digits, _) in HALVES.items():
            found = self.judged("fold:wrong-half", "--type", kind, status=1)["violation"]
            u = 2.0**-digits
            self.assertAlmostEqual(found["limit"], 4 * u / (1 - u), places=12)

    def test_what_overflows_has_no_bound(self):
        found = self.judged("fold", "-n", "512", "--type", "f16", status=3)
        self.assertEqual(found["obligations"], {"initialization": "HOLDS", "preservation": "HOLDS", "exit": "INCONCLUSIVE"})
        self.assertEqual(self.judged("fold", "-n", "512", "--type", "bf16")["verdict"], "HOLDS")

    def test_trace_verifies_and_a_changed_cell_does_not(self):
        for kind in HALVES:
            path = self.record(f"{kind}.ndjson", "tournament", "-n", "13", "--type", kind, "--values", "random:7")
            done = self.cli("verify", path)
            self.assert_holds(done)
            self.assertIn(f"HOLDS tournament n=13 {kind} sim: ", done.stdout)
            with open(path, encoding="utf-8") as file:
                lines = file.readlines()
            step = json.loads(lines[-2])
            step["state"]["cells"][0] = nearest(step["state"]["cells"][0] * 1.01, kind)
            lines[-2] = json.dumps(step, separators=(",", ":")) + "\n"
            changed = self.path("changed.ndjson")
            with open(changed, "w", encoding="utf-8") as file:
                file.writelines(lines)
            self.assertEqual(self.cli("verify", changed).returncode, 1)
            self.assertEqual(self.cli("diff", path, changed).returncode, 1)
            lines[1] = lines[1].replace('"tournament"', '"multiply"')
            with open(changed, "w", encoding="utf-8") as file:
                file.writelines(lines)
            self.assert_refused(self.cli("verify", changed), OTHERS)

    def test_npy_is_read_where_numpy_has_the_type(self):
        path = self.path("a.npy")
        header = b"{'descr': '<f2', 'fortran_order': False, 'shape': (4,), }"
        header += b" " * (117 - len(header)) + b"\n"
        with open(path, "wb") as file:
            file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header + struct.pack("<4e", 0.1, -2, 6e-8, 65504))
        self.assertEqual(self.traced("f16", "fold", "--values", path)[0],
                         [nearest(value, "f16") for value in (0.1, -2, 6e-8, 65504)])
        self.assert_refused(self.run_sim("fold", "--type", "f32", "--values", path), "'<f2'", "--type f16")
        self.assert_refused(self.run_sim("fold", "--type", "bf16", "--values", path), "NumPy has no arrays")

    def test_laws_of_your_own_are_judged(self):
        for kind in HALVES:
            law = "for 0 <= i < w: A[i] = sum of a[j], j mod w = i"
            done = self.run_sim("fold", "-n", "32", "--type", kind, "--values", "random:3", "--law", law, "--no-last")
            self.assertIn("\ntrue, and enough: ", done.stdout)
            done = self.run_sim("fold", "-n", "32", "--type", kind, "--values", "random:3", "--law", law.replace("j mod w = i", "j < w"), "--no-last")
            self.assertEqual(done.returncode, 1, done.stdout)

    def test_views_show_them(self):
        for kind in HALVES:
            path = self.record("view.ndjson", "fold", "--type", kind, "--values", "list:0.1,0.2,0.3,0.4,0.5,0.6,0.7,0.8")
            page = self.path("page.html")
            done = self.cli("report", path, "-o", page)
            self.assertEqual(done.returncode, 0, done.stderr)
            with open(page, encoding="utf-8") as file:
                self.assertIn(kind, file.read())


if __name__ == "__main__":
    unittest.main()
