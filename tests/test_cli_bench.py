#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""reductio bench.

usage: test_cli_bench.py REDUCTIO [unittest's arguments]"""

import json
import unittest

from cli_case import CliTest


class BenchTest(CliTest):
    def bench(self, *arguments):
        return self.cli("bench", "fold", "-d", "sim", *arguments)

    def test_bad_options_are_refused_before_anything_is_printed(self):
        for arguments, word in ((("-r", "0"), "1 to 101"), (("-r", "102"), "1 to 101"),
                                (("--repeats", "many"), "'--repeats'"), (("-n", "0"), "at least 1"),
                                (("-n", "x"), "'-n'"), (("-n", "12"), "12, not a power of two")):
            with self.subTest(arguments):
                self.assert_refused(self.bench(*arguments), word)

    def test_it_prints_a_line_a_program(self):
        done = self.bench("-n", "1k", "-r", "1", "-t", "u64")
        self.assert_holds(done)
        self.assertRegex(done.stdout.splitlines()[-1], r"^fold +1024 +u64 ")

    def test_verified_is_the_default(self):
        done = self.cli("bench", "verified", "fold", "-d", "sim", "-n", "1k", "-r", "1")
        self.assert_holds(done)
        self.assertRegex(done.stdout.splitlines()[-1], r"^fold +1024 +f32 ")


class BenchRoundsTest(CliTest):
    def bench(self, *arguments):
        return self.cli("bench", "rounds", "-d", "sim", *arguments)

    def test_bad_options_are_refused_before_anything_is_printed(self):
        for arguments, word in (((), "no program"), (("fodl",), "did you mean 'fold'"),
                                (("fold", "-r", "0"), "1 to 101"), (("fold", "-n", "0"), "at least 1"),
                                (("fold", "-t", "i8"), "'i8' is not a type"),
                                (("fold", "-n", "12"), "12, not a power of two"),
                                (("tournament", "fold", "-n", "12"), "12, not a power of two"),
                                (("fold:wrong-half",), "only right programs are measured: use fold"),
                                (7 * ("fold",), "more than 6 programs"),
                                (("fold", "-d", "tpu"), "'tpu'")):
            with self.subTest(arguments):
                self.assert_refused(self.bench(*arguments), word)

    def test_json_has_each_round_with_what_the_schedule_says_of_it(self):
        done = self.bench("fold", "dot-two-phase", "-n", "1k", "-r", "3", "-t", "f64", "--json")
        self.assert_holds(done)
        result = json.loads(done.stdout)
        self.assertEqual((result["device"], result["n"], result["type"], result["repeats"]),
                         ("sim", 1024, "f64", 3))
        self.assertEqual(result["clock"], "processor time of the simulation, and no GPU's")
        fold, dot = result["programs"]
        self.assertEqual([r["width"] for r in fold["rounds"]],
                         [{"name": "half", "value": 512 >> k} for k in range(10)])
        self.assertEqual([r["bytes"] for r in fold["rounds"]], [3 * 8 * (512 >> k) for k in range(10)])
        self.assertEqual([(r["read_elems"], r["written_elems"]) for r in dot["rounds"]],
                         [(2048, 4), (4, 1)])
        for r in fold["rounds"] + dot["rounds"]:
            self.assertLess(0, r["best_us"])
            self.assertLessEqual(r["best_us"], r["median_us"])
            self.assertAlmostEqual(r["gb_per_s"], r["bytes"] / r["median_us"] / 1e3)

    def test_it_prints_a_line_a_round(self):
        done = self.bench("fold", "-n", "8", "-r", "1")
        self.assert_holds(done)
        lines = done.stdout.splitlines()
        self.assertIn("times are processor time of the simulation, and no GPU's", lines)
        self.assertRegex(lines[-1], r"^ +3 +1 +1 +12 +\d+\.\d{3} +\d+\.\d{3} +\d+\.\d{3}$")


class BenchSeedsTest(CliTest):
    def test_bad_options_are_refused_before_anything_is_printed(self):
        for arguments, word in ((("-r", "0"), "1 to 101"), (("-r", "x"), "'--repeats'"),
                                (("fold",), "'fold' is one argument too many")):
            with self.subTest(arguments):
                self.assert_refused(self.cli("bench", "seeds", *arguments), word)


class BenchSimTest(CliTest):
    def bench(self, *arguments):
        return self.cli("bench", "sim", *arguments)

    def test_bad_options_are_refused_before_anything_is_printed(self):
        for arguments, word in ((("-r", "0"), "1 to 101"), (("--to", "2^9"), "2^10 to 2^26"),
                                (("--to", "2^27"), "2^10 to 2^26"), (("--to", "3k"), "power of two"),
                                (("--to", "x"), "'--to'"), (("fold",), "use block-sum or fold-round"),
                                (("block-sum", "fold-round"), "'fold-round' is one kernel too many")):
            with self.subTest(arguments):
                self.assert_refused(self.bench(*arguments), word)

    def test_it_prints_a_line_a_kernel_and_size(self):
        done = self.bench("-r", "1", "--to", "2^11")
        self.assert_holds(done)
        lines = [line.split() for line in done.stdout.splitlines()[2:]]
        self.assertEqual([line[:2] for line in lines], [[kernel, threads]
                                                        for kernel in ("block-sum", "fold-round")
                                                        for threads in ("1024", "2048")])

    def test_records_take_twice_the_bytes_of_the_data_and_there_are_no_hazards(self):
        done = self.bench("-r", "2", "--to", "2^18", "--json")
        self.assert_holds(done)
        result = json.loads(done.stdout)
        self.assertEqual(result["repeats"], 2)
        last = {line["kernel"]: line for line in result["kernels"] if line["threads"] == 2**18}
        self.assertEqual(set(last), {"block-sum", "fold-round"})
        for line in last.values():
            self.assertEqual(line["hazards"], 0)
            self.assertGreater(line["shadow_bytes"], 1.9 * line["data_bytes"])
            self.assertLess(line["shadow_bytes"], 2.1 * line["data_bytes"])
            self.assertGreater(line["resident_bytes"], line["shadow_bytes"] + line["data_bytes"])
        # As often as the kernels say: see kernels/block_sum.cu.
        self.assertEqual(last["fold-round"]["accesses"], 3 * 2**18)
        self.assertEqual(last["block-sum"]["accesses"], 2**10 * (2 * 256 + 3 * 255 + 2))


if __name__ == "__main__":
    unittest.main()
