#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""reductio run: what it prints.

usage: test_cli_run.py REDUCTIO [unittest's arguments]"""

import json
import os
import re
import subprocess
import unittest

from cli_case import BINARY, LESSONS, PROGRAMS, CliTest, types_of, lists
from short_run import part
from source_lines import needs_lines


class RunTest(CliTest):
    def test_operation_is_carried_by_the_trace_and_asserted_again(self):
        path, values = self.path("max.ndjson"), "list:-5,-3,-9,-1,-7"
        done = self.run_sim("fold-guard", "--op", "max", "--values", values, "--trace", path)
        self.assert_holds(done)
        self.assertIn("A[i] = max of a[j], 0 <= j < 5, j mod 8 = i", done.stdout)
        self.assertIn("and A[0] = max of all a[j]", " ".join(done.stdout.split()))
        self.assertTrue(done.stdout.endswith(
            "HOLDS fold-guard n=5 max of i32 sim: 4 steps, 12 cells asserted, 0 hazards\n"))
        with open(path, encoding="utf-8") as file:
            text = file.read()
        self.assertEqual(self.cli("verify", path).returncode, 0)
        for other in ('"op":"min",', ""):
            with open(path, "w", encoding="utf-8") as file:
                file.write(text.replace('"op":"max",', other))
            done = self.cli("verify", path)
            self.assertEqual(done.returncode, 1, done.stdout)
            self.assertIn("step 1, A[0]: expected", done.stdout)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text.replace('"op":"max"', '"op":"mean"'))
        self.assertIn("'op' is \"mean\": not one that this reader knows", self.cli("verify", path).stderr)

    def test_cells_of_indices_are_told_with_their_inputs(self):
        path, values = self.path("argmin.ndjson"), "list:4,-3,7,-3,5"
        done = self.run_sim("fold-guard", "--op", "argmin", "--values", values, "--trace", path)
        self.assert_holds(done)
        self.assertIn("|  4 at 0 | -3 at 1 |  7 at 2 | -3 at 3 |  5 at 4 |", done.stdout)
        self.assertIn("A[i] = argmin of a[j], 0 <= j < 5, j mod 8 = i", done.stdout)
        self.assertIn("and A[0] = argmin of all a[j]", " ".join(done.stdout.split()))
        self.assertIn("a unchanged: HOLDS", done.stdout)
        with open(path, encoding="utf-8") as file:
            text = file.read()
        last = json.loads([line for line in text.splitlines() if '"step":3' in line][0])
        self.assertEqual(last["state"]["cells"], [1, 1, 2, 3, 4])
        self.assertEqual(self.cli("verify", path).returncode, 0)
        # The other index of the same value, an index of no input, and another operation.
        for old, new, words in (('"cells":[1,1,2,3,4]', '"cells":[3,1,2,3,4]', "A[0]: expected -3 at 1, actual -3 at 3"),
                                ('"cells":[1,1,2,3,4]', '"cells":[9,1,2,3,4]', "A[0]: expected -3 at 1, actual 9"),
                                ('"op":"argmin"', '"op":"argmax"', "expected ")):
            self.assertIn(old, text)
            with open(path, "w", encoding="utf-8") as file:
                file.write(text.replace(old, new))
            done = self.cli("verify", path)
            self.assertEqual(done.returncode, 1, done.stdout)
            self.assertIn(words, done.stdout)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text.replace('"cells":[4,-3,7,-3,5]', '"cells":[4,-3,7,-4,5]'))
        self.assertEqual(self.cli("verify", path).returncode, 1)

    def test_difference_of_indices_is_told_with_their_inputs(self):
        left, right, other = self.path("left.ndjson"), self.path("right.ndjson"), self.path("other.ndjson")
        self.run_sim("fold:tie-index", "--trace", left)
        with open(left, encoding="utf-8") as file, open(right, "w", encoding="utf-8") as changed:
            changed.write(file.read().replace('"cells":[4,3,', '"cells":[2,3,').replace('"cells":[4,1,', '"cells":[2,1,'))
        self.assertIn("A[0]: 1 at 4 and 1 at 2", self.cli("diff", left, right).stdout)
        for path, values in ((left, "1,nan,3,-2"), (right, "1,nan,3,-4"), (other, "1,nan,3,-4")):
            self.run_sim("fold", "--op", "argmin", "--type", "f32", "--values", "list:" + values, "--trace", path)
        self.assertIn("input a[3]: -2 and -4", self.cli("diff", left, right).stdout)
        self.assertEqual(self.cli("diff", right, other).returncode, 0)

    def test_wrong_index_is_told_in_json_with_both_inputs(self):
        done = self.run_sim("fold:tie-index", "--json")
        self.assertEqual(done.returncode, 1)
        violation = json.loads(done.stdout)["violation"]
        self.assertEqual([violation[name] for name in ("expected", "actual", "expected_input", "actual_input")], [2, 4, 1, 1])
        done = self.run_sim("fold:tie-index")
        self.assertIn("step 2, A[0]: expected 1 at 2, actual 1 at 4", done.stdout)

    def test_witness_of_an_operation_says_what_it_looked_at(self):
        for operation, passes, told in (("max", 13, ", each input there or not"), ("xor", 1, ", each input odd or even times"),
                                        ("product", 13, "")):
            done = self.run_sim("ladder-warp-shuffle", "--op", operation, "--values", "witness", "-n", "13", "--block", "4")
            self.assert_holds(done)
            self.assertIn("{0..7}*| {8..12}*", done.stdout)
            self.assertIn(f"HOLDS for every input of n=13 provided that the kernel only combines by {operation} (witness, {passes} "
                          f"pass{'es' * (passes > 1)}{told}; 142 on other values in u64 and i32", self.last_line(done))
        answer = json.loads(self.run_sim("fold", "--op", "max", "--values", "witness", "--json").stdout)
        self.assertEqual(answer["premise"]["condition"], "the kernel only combines by max")
        done = self.run_sim("ladder-vectorised-atomic", "--op", "product", "--values", "witness", "-n", "70", "--block", "4",
                            "--grid", "3")
        self.assertEqual(done.returncode, 3)
        self.assertIn("what the kernel does depends on values", self.last_line(done))
        done = self.run_sim("fold-guard:zero-identity", "--values", "witness")
        self.assertEqual(done.returncode, 1)

    def test_product_of_many_floats_is_within_rounding_or_says_why_not(self):
        """178 factors of bf16 are halved by rounding at most. Those that are powers of 2 are multiplied exactly."""
        def run(factors):
            return self.run_sim("tournament", "--op", "product", "--type", "bf16", "--values", "list:" + ",".join(factors))
        rough = ["1.0078125", "0.9921875"] * 90
        self.assert_holds(run(rough[:178]))
        self.assert_holds(run(rough[:178] + ["1", "-2", "0.5"] * 100))
        done = run(rough[:179])
        self.assertEqual(done.returncode, 3)
        self.assertIn("so many roundings may change a product by as much as it is, and no bound is promised", " ".join(done.stdout.split()))
        done = run(rough[:2] + ["1e30"] * 3)
        self.assertEqual(done.returncode, 3)
        self.assertIn("may have a product too large or too small for a normal float", " ".join(done.stdout.split()))

    def test_trace_of_witness_values_over_an_operation_is_asserted_again(self):
        path = self.record("max.ndjson", "ladder-sequential", "--op", "max", "--values", "witness", "-n", "13", "--block", "4")
        self.assertEqual(self.cli("verify", path).returncode, 0)
        self.assertIn("{0..3}", self.cli("step", path, "--script", "end").stdout + self.cli("report", path, "--output", "-").stdout)
        with open(path, encoding="utf-8") as file:
            text = file.read()
        for other in ('"op":"min",', '"op":"or",', ""):
            with open(path, "w", encoding="utf-8") as file:
                file.write(text.replace('"op":"max",', other))
            done = self.cli("verify", path)
            self.assertEqual(done.returncode, 1, done.stdout)
        path = self.record("ones.ndjson", "fold", "--op", "max", "--values", "ones")
        with open(path, encoding="utf-8") as file:
            text = file.read()
        with open(path, "w", encoding="utf-8") as file:
            file.write(text.replace('"values":"ones"', '"values":"witness"', 1))
        self.assertIn("'values' is \"witness\", and there is no 'witness' beside it", self.cli("verify", path).stderr)

    def test_operation_that_does_not_go_with_the_run_is_refused(self):
        for arguments, words in ((("dot-shared", "--op", "max"), "'dot-shared' reduces by sums alone"),
                                 (("fold", "--op", "and", "--type", "f32"), "'and' works on the bits of integers"),
                                 (("dot-shared", "--op", "argmax"), "'dot-shared' reduces by sums alone"),
                                 (("fold", "--op", "argmin", "--values", "witness"), "witness values"),
                                 (("fold", "--op", "mean"), "'--op' is 'mean'"),
                                 (("tournament:interval", "--op", "min"), "sums alone"),
                                 (("fold", "--op", "argmin", "--values", "witness"), "--values marked:J")):
            self.assert_refused(self.run_sim(*arguments), words)

    @needs_lines
    def test_rungs_by_an_operation_that_selects_have_indices_everywhere(self):
        done = self.run_sim("ladder-sequential", "--op", "argmin", "-n", "3", "--block", "4", "--type", "f64", "--values", "list:nan,2,-0")
        self.assert_holds(done)
        self.assertIn("| none |", done.stdout)
        self.assertRegex(done.stdout, r"\| *-0 at 2\*?\| +2 at 1 \| +-0 at 2 (\||:) +none (\||:)")
        done = self.run_sim("ladder-shuffles-twice:no-barrier", "--op", "argmax", "--type", "f32", "-q")
        self.assertEqual(done.returncode, 1)
        self.assertRegex(" ".join(done.stdout.split()), r"as fresh memory does \(now \d+\)")
        done = self.run_sim("fold:wrong-half", "--op", "argmax", "--type", "f32", "-q")
        self.assertRegex(" ".join(done.stdout.split()), r"writes A\[\d\] .* when it held \d+ \(now \d+\);")

    def test_default_values_show_what_the_operation_does(self):
        for operation in lists.OPERATIONS[1:]:
            done = self.run_sim("fold", "--op", operation)
            self.assert_holds(done)
            self.assertIn("values random:1", " ".join(done.stdout.split()))
        self.assertIn("values list:-4", " ".join(self.run_sim("fold-guard:zero-identity").stdout.split()))
        self.assertIn("values random:1", " ".join(self.run_sim("fold-guard:zero-identity", "-n", "7").stdout.split()))
        self.assertIn("values iota", " ".join(self.run_sim("fold", "--op", "sum").stdout.split()))

    def test_operations_that_are_taken_are_listed(self):
        self.assert_refused(self.run_sim("fold", "--op", "bogus"),
                            "use " + lists.alternatives(lists.OPERATIONS))

    def test_a_fault_is_told_in_the_words_of_the_operation(self):
        done = self.run_sim("fold:wrong-half", "--op", "product", "--values", "random:1")
        self.assertEqual(done.returncode, 1)
        self.assertIn("was wrongly combined", " ".join(done.stdout.split()))
        self.assertNotIn("added", done.stdout)
        done = self.run_sim("fold-guard:zero-identity", "--op", "sum")
        self.assert_holds(done)
        self.assertIn("The fault does not show with this operation on these values. What is wrong, and where: "
                      "reductio explain fold-guard:zero-identity", " ".join(done.stdout.split()))
        self.assertNotIn("does not show", self.run_sim("fold-guard:zero-identity").stdout)
        done = self.run_sim("fold-guard:zero-identity", "--values", "ones")
        self.assert_holds(done)
        self.assertIn("The fault does not show in this run. What is wrong", " ".join(done.stdout.split()))

    def test_fold_ends_with_the_documented_line(self):
        done = self.run_sim("fold", "-n", "8")
        self.assert_holds(done)
        self.assertEqual(self.last_line(done),
                         "HOLDS fold n=8 i32 sim: 4 steps, 15 cells asserted, 0 hazards")
        self.assertTrue(done.stdout.startswith("device sim ("))
        for obligation in ("initialization", "preservation", "exit"):
            self.assertRegex(done.stdout, rf"(?m)^{obligation} +HOLDS  ")

    def test_without_a_gpu_says_so_first(self):
        done = self.cli("run", "fold", "--device", "cuda", "--quiet", "--no-last")
        if done.returncode == 0:
            self.skipTest("there is a GPU")
        self.assertRegex(done.stderr, "^reductio: (no GPU can be used: cudaError|'cuda' is not in this build: )")

    def test_fold_shows_live_dead_and_changed_cells_apart(self):
        done = self.run_sim("fold", "-n", "8")
        self.assertIn("    +----+----+----+----+....................\n"
                      "    |  4*|  6*|  8*| 10*|  4 :  5 :  6 :  7 :\n"
                      "    +----+----+----+----+....................\n", done.stdout)
        self.assertIn("round 1 of 3: fold, half = 4, grid 1 x block 4, 4 threads\n", done.stdout)

    def test_atomic_sum_of_subnormal_floats_is_zero_and_holds(self):
        values = ("--values", "list:1e-40,2e-40,3e-40,1.2e-38,-1.19e-38,0,0,0", "--block", "2", "--grid", "4")
        done = self.run_sim("multi-block-atomic", *values, "--type", "f32")
        self.assert_holds(done)
        self.assertRegex(done.stdout, r"round 1 of 1: [^\n]*\n +0\n +\+-+\+\n +\| 0 \|\n")
        done = self.run_sim("multi-block-two-launch", *values, "--type", "f32")
        self.assert_holds(done)
        self.assertIn("| 6.99999e-40*|", done.stdout)

    def test_floats_that_a_program_adds_in_any_order_are_told_with_both_orders_and_hold(self):
        done = self.run_sim("multi-block-atomic", "-n", "10003", "--grid", "20", "--type", "f32", "--values", "random:7")
        self.assert_holds(done)
        self.assertRegex(done.stdout, r"Depends on the schedule, as it may: A\[0\] is -26\.5\d+ under schedule\s+descending, "
                         r"and\s+-26\.5\d+\s+under\s+ascending\.")
        self.assertIn("0 hazards under 4 schedules", done.stdout)

    def test_every_program_holds_for_every_type(self):
        for program in PROGRAMS:
            for element_type in types_of(program):
                with self.subTest(program=program, type=element_type):
                    done = self.run_sim(program, "-n", "16", "--type", element_type)
                    self.assert_holds(done)
                    self.assertTrue(self.last_line(done).startswith(
                        f"HOLDS {program} n=16 {element_type} sim: "))

    def test_one_element_makes_no_round(self):
        done = self.run_sim("fold", "-n", "1")
        self.assert_holds(done)
        self.assertEqual(self.last_line(done),
                         "HOLDS fold n=1 i32 sim: 1 step, 1 cell asserted, 0 hazards")

    def test_each_lesson_is_violated_at_its_cell(self):
        for lesson, (step, cell) in LESSONS.items():
            with self.subTest(lesson):
                done = self.run_sim(lesson)
                self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
                self.assertRegex(self.last_line(done), rf"^VIOLATED {lesson} n=\d+ ")
                self.assertRegex(done.stdout, rf"(?m)^step {step}, (dead cell )?A\[{cell}\]: "
                                              "expected .*, actual ")

    def test_the_twin_of_each_lesson_holds_on_the_same_data(self):
        for lesson in LESSONS:
            if lesson == "unfold:float":  # it has no right twin on that data: see its document
                continue
            with self.subTest(lesson):
                n = json.loads(self.run_sim(lesson, "--json").stdout)["n"]
                self.assert_holds(self.run_sim(lesson.split(":")[0], "-n", str(n)))

    def test_a_changed_dead_cell_leaves_the_live_ones_their_verdict(self):
        for values, box in (("iota", "12!: 15!:"), ("witness", "{2,4,6}!:   {3,5,7}!:")):
            with self.subTest(values):
                text = self.run_sim("fold:missing-guard", "--values", values).stdout
                self.assertIn("    2 cells asserted: HOLDS\n"
                              "    6 dead cells, not all unchanged: VIOLATED\n", text)
                self.assertIn(box, text)
        self.assertNotIn("not all unchanged", self.run_sim("fold:wrong-half").stdout)

    def test_lost_inputs_are_named(self):
        done = self.run_sim("tournament:lost-tail", "-n", "3")
        self.assertIn("A[0] should hold {0..2}; it holds {0,1}: 2 was lost in round 2\n",
                      done.stdout)
        done = self.run_sim("tournament:stride-one", environment={"COLUMNS": "200"})
        self.assertIn("A[0] should hold {0..3}; it holds {0,1x2}: 2 and 3 were "
                      "lost and 1 was counted twice in round 2\n", done.stdout)

    def test_a_refused_launch_is_a_hazard(self):
        done = self.run_sim("multiply:one-block", "-n", "1025")
        self.assertEqual(done.returncode, 1)
        self.assertIn("hazard in round 1: illegal-launch: cudaErrorInvalidConfiguration",
                      done.stdout)
        self.assertTrue(self.last_line(done).endswith(", 1 hazard"))
        self.assertIn(" grid 1 x block 1025, launch refused\n", done.stdout)
        done = self.run_sim("multiply:one-block", "-n", "1025", "--values", "witness")
        self.assertIn(" grid 1 x block 1025, launch refused\n", done.stdout)

    def messages(self, *arguments):
        reports = json.loads(self.run_sim(*arguments, "--json").stdout)["hazard_reports"]
        return [report["message"] for report in reports]

    @needs_lines
    def test_dynamic_shared_memory_is_told_in_its_type(self):
        self.assertIn(" writes vector[1] (shared) ", self.messages("multi-block:no-round-barrier")[0])
        self.assertIn(" when it held 512 (now 1024); ", self.messages("multi-block:no-round-barrier")[0])
        self.assertIn(" when it held 3; ", self.messages("puzzle-matmul:one-barrier")[0])
        for element_type in part(types_of("multi-block:no-round-barrier")):
            self.assertIn(" when it held 512 (now 1024); ",
                          self.messages("multi-block:no-round-barrier", "-t", element_type)[0])
        self.assertIn(" gives it 32 bytes, 8 elements", self.messages("puzzle-dot:beyond-the-block")[0])

    def test_fresh_memory_is_told_as_such(self):
        self.assertIn(" when it held 0xa5a5a5a5, as fresh memory does (now ",
                      " ".join(self.messages("ladder-shuffles-twice:no-barrier")))

    def test_a_block_out_of_step_is_told_once(self):
        reports = json.loads(self.run_sim("multi-block", "--json").stdout)["hazard_reports"]
        self.assertEqual([report["name"] for report in reports],
                         ["barrier-divergence", "race"])

    def test_quiet_prints_one_line(self):
        done = self.run_sim("fold", "--quiet")
        self.assert_holds(done)
        self.assertEqual(done.stdout,
                         "HOLDS fold n=8 i32 sim: 4 steps, 15 cells asserted, 0 hazards\n")
        done = self.run_sim("fold:wrong-half", "--quiet")
        self.assertEqual(done.stdout.count("\n"), 1)
        self.assertIn("step 1, A[0]: expected 4, actual 3", done.stdout)

    def test_quiet_ends_with_the_first_hazard(self):
        for values in ("iota", "witness"):
            done = self.run_sim("multiply:one-block", "-n", "1025", "--quiet", "--values", values)
            self.assertEqual(done.stdout.count("\n"), 1)
            self.assertRegex(done.stdout, "; hazard in round 1: illegal-launch: "
                                          "cudaErrorInvalidConfiguration: [^;]+\n$")

    def test_a_large_array_is_elided_to_a_few_lines(self):
        done = self.run_sim("fold", "-n", "2^20", environment={"COLUMNS": "100"})
        self.assert_holds(done)
        lines = done.stdout.splitlines()
        self.assertLess(len(lines), 21 * 10 + 20)
        self.assertTrue(all(len(line) <= 100 for line in lines[1:]))
        self.assertIn("cells)", done.stdout)
        self.assertEqual(lines[-1], "HOLDS fold n=1048576 i32 sim: 21 steps, 2097151 cells "
                                    "asserted, 0 hazards")

    def test_lines_fit_any_width(self):
        for width in (20, 40, 80, 200):
            for n in ("7", "33", "300"):
                with self.subTest(width=width, n=n):
                    done = self.run_sim("tournament", "-n", n,
                                        environment={"COLUMNS": str(width)})
                    boxes = [line for line in done.stdout.splitlines()
                             if re.match(r" +[+|:.]", line)]
                    self.assertTrue(boxes)
                    self.assertLessEqual(max(map(len, boxes)), width)

    def test_sentences_are_broken_at_spaces_where_a_terminal_is_narrow(self):
        done = self.run_sim("fold:wrong-half", environment={"COLUMNS": "40"})
        lines = done.stdout.splitlines()[1:-1] # the device and the verdict are lines for scripts, too
        self.assertLessEqual(max(map(len, lines)), 40)
        self.assertIn("\n    does not keep it\n", done.stdout)

    def test_the_last_line_is_wrapped_on_a_terminal_only(self):
        for arguments in (["dot-two-phase"], ["fold:wrong-half", "--quiet"], ["puzzle-matmul:one-barrier"],
                          ["fold:wrong-half", "--values", "witness", "-q"]):
            with self.subTest(arguments):
                lines = self.on_a_terminal("run", *arguments, "--device", "sim")
                self.assertLessEqual(max(map(len, lines)), 80)
                last = self.last_line(self.run_sim(*arguments))
                self.assertGreater(len(last), 80)
                first = max(k for k, line in enumerate(lines) if line[:1] != " ")
                self.assertEqual(" ".join(line.strip() for line in lines[first:]), last)

    def test_frame_off_says_what_was_not_copied(self):
        done = self.run_sim("fold", "--frame", "off")
        self.assert_holds(done)
        self.assertIn("(not looked at: 4 dead cells)", done.stdout)
        # A dead cell that was changed goes unseen, until a round uses it.
        done = self.run_sim("fold:missing-guard", "--frame", "off", "--json")
        self.assertNotEqual((json.loads(done.stdout)["violation"] or {}).get("kind"), "frame")

    def test_color_only_repeats_the_text(self):
        plain = self.run_sim("fold:wrong-half", "--color", "never").stdout
        color = self.run_sim("fold:wrong-half", "--color", "always").stdout
        self.assertNotIn("\033", plain)
        self.assertIn("\033[", color)
        self.assertEqual(re.sub(r"\033\[[0-9;]*m", "", color), plain)
        self.assertEqual(self.run_sim("fold:wrong-half").stdout, plain)

    def test_floats_tell_of_bits_and_bound(self):
        done = self.run_sim("fold", "--type", "f32", "--values", "random:3")
        self.assert_holds(done)
        self.assertIn("8 cells asserted (bits and bound): HOLDS", done.stdout)
        done = self.run_sim("fold", "--type", "f32", "--values", "list:1,nan,inf,4")
        self.assertIn("2 unbounded cells", done.stdout)
        self.assertIn("4 cells asserted (bits and bound): HOLDS", done.stdout)
        done = self.run_sim("fold", "--type", "f32", "--values", "list:nan,inf")
        self.assertIn("2 cells asserted (bits): HOLDS", done.stdout)
        self.assertNotIn("(bits and bound)", done.stdout)

    def test_short_options_are_those_of_bench(self):
        done = self.cli("run", "fold", "-t", "u64", "-d", "sim", "-q")
        self.assert_holds(done)
        self.assertTrue(done.stdout.startswith("HOLDS fold n=8 u64 sim: "))

    def test_device_cuda_without_a_gpu_is_refused(self):
        done = self.cli("run", "fold", "--device", "cuda")
        if done.returncode == 0:
            self.skipTest("there is a GPU")
        self.assert_refused(done)


class JsonTest(CliTest):
    def test_a_run_that_holds(self):
        done = self.run_sim("fold", "--json")
        self.assert_holds(done)
        result = json.loads(done.stdout)
        expected = {
            "program": "fold", "n": 8, "type": "i32", "values": "iota", "device": "sim",
            "verdict": "HOLDS", "interrupted": False, "steps": 4, "cells": 15, "hazards": 0,
            "hazard_reports": [], "violation": None, "evidence": None,
            "obligations": dict.fromkeys(("initialization", "preservation", "exit"), "HOLDS"),
        }
        self.assertEqual({key: result.get(key) for key in expected}, expected)

    def test_each_lesson_names_its_step_and_cell(self):
        for lesson, place in LESSONS.items():
            with self.subTest(lesson):
                done = self.run_sim(lesson, "--json")
                self.assertEqual(done.returncode, 1)
                result = json.loads(done.stdout)
                self.assertEqual(result["verdict"], "VIOLATED")
                violation = result["violation"]
                self.assertEqual((violation["step"], violation["cell"]), place)
                self.assertNotEqual(violation["expected"], violation["actual"])

    def test_evidence_has_the_sets(self):
        evidence = json.loads(self.run_sim("fold:wrong-half", "--json").stdout)["evidence"]
        self.assertEqual(evidence["lost"], {"count": 1, "inputs": [{"index": 4, "times": 1}]})
        self.assertEqual(evidence["extra"], {"count": 1, "inputs": [{"index": 3, "times": 1}]})

    def test_hazards_are_reported(self):
        result = json.loads(self.run_sim("multiply:one-block", "--json").stdout)
        self.assertEqual(result["hazards"], 1)
        self.assertEqual(result["hazard_reports"][0]["name"], "illegal-launch")

    def test_witness_runs_tell_their_passes(self):
        result = json.loads(self.run_sim("fold", "-n", "16", "--values", "witness",
                                         "--json").stdout)
        self.assertEqual(result["values"], "witness")
        self.assertGreaterEqual(result["passes"], 2)

    def test_large_numbers_are_strings(self):
        values = "list:18446744073709551615,1,5,6"
        result = json.loads(self.run_sim("fold:wrong-half", "--type", "u64", "--values", values,
                                         "--json").stdout)
        self.assertEqual(result["violation"]["actual"], 0)
        values = "list:18446744073709551610,1,5,6"
        result = json.loads(self.run_sim("fold:wrong-half", "--type", "u64", "--values", values,
                                         "--json").stdout)
        self.assertEqual(result["violation"]["actual"], "18446744073709551611")


if __name__ == "__main__":
    unittest.main()
