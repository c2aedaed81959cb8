#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`reductio run FILE.cu` under several schedules: what depends on the order of blocks is found, and what may is told."""

import json
import os
import re
import subprocess
import tempfile
import unittest

from check_case import BINARY, HERE
from patience import WAIT_S

RIGHT, WRONG = (os.path.join(HERE, "programs_cu", name) for name in ("orders_right.cu", "orders_wrong.cu"))


def run(file, *arguments, status=0):
    done = subprocess.run([BINARY, "run", file, "--device", "sim", *arguments], capture_output=True, text=True, timeout=WAIT_S,
                          check=False)
    assert done.returncode == status, done.stdout + done.stderr
    return done.stdout


def line_of(file, pattern):
    with open(file, encoding="utf-8") as lines:
        return next(k for k, line in enumerate(lines, 1) if re.search(pattern, line))


class Orders(unittest.TestCase):
    maxDiff = None

    def test_program_whose_promises_hold_in_each_order_holds_and_what_differs_is_told(self):
        subject = json.loads(run(RIGHT, "--schedules", "3", "--format", "json"))["subjects"][-1]
        self.assertEqual(subject["verdict"], "HOLDS")
        facts = subject["facts"]
        self.assertEqual((facts["communicating_launches"], facts["schedules"], facts["results_that_differ"]), (5, 3, 2))
        self.assertRegex(facts["results_differ"], r"^sum\[0\] is .* under schedule descending, and .* under ascending, behind "
                                                  "launch 1, of total, in their last digits: ")
        self.assertRegex(subject["summary"], "0 hazards under 3 schedules, 2 results differ: 3 assertions")
        self.assertEqual(subject["not_looked_at"], [])

    def test_result_that_another_order_changes_is_a_hazard_and_so_is_a_race_that_another_order_shows(self):
        outcome = json.loads(run(WRONG, "--schedules", "4", "--json", "--", "race", status=1))
        found = {(hazard["name"], place["line"]) for hazard in outcome["hazards"] for place in hazard["places"][:1]}
        for wanted in [("race", "want race$"), ("order-dependent", "want order-dependent$"), ("order-dependent", "//@ ensures")]:
            self.assertIn((wanted[0], line_of(WRONG, wanted[1])), found)
        self.assertEqual({name for name, _ in found}, {"race", "order-dependent"})
        told = {hazard["message"].split(". ")[0]: hazard for hazard in outcome["hazards"]}
        value = next(hazard for text, hazard in told.items() if text.startswith("value is 34 under schedule descending, and 11 under "))
        self.assertEqual((value["array"], value["before"], value["after"], value["launch"]), ("value", "11", "34", 1))
        self.assertTrue(any("first[0]: expected 0, actual 255" in text for text in told), told)
        race = next(hazard for hazard in outcome["hazards"] if hazard["name"] == "race")
        self.assertIn("descending", race["schedules"])
        self.assertNotIn("ascending", race["schedules"])
        kinds = {difference["array"]: difference["kind"] for difference in outcome["differences"] if difference["launch"] < 3}
        self.assertEqual(kinds, {"value": "values", "out": "order"})

    def test_one_schedule_is_said_and_shows_nothing_of_the_others(self):
        out = run(WRONG, "--schedule", "ascending", "--quiet", "--", "race")
        self.assertRegex(out.strip(), r"^HOLDS \S+: exit status 0, 3 launches, 0 hazards under 1 schedule: 1 assertion")

    def test_race_between_phases_of_a_barrier_is_found_in_any_order(self):
        outcome = json.loads(run(WRONG, "--schedule", "ascending", "--json", "--", "phases", status=1))
        self.assertEqual([hazard["name"] for hazard in outcome["hazards"]], ["race"])
        self.assertIn(line_of(WRONG, "want race-of-phases$"), [place["line"] for place in outcome["hazards"][0]["places"]])

    def test_what_kernels_allocate_and_print_is_compared_as_sets(self):
        ranked = run(WRONG, "--json", "--", "ranked", status=1)
        outcome = json.loads(ranked[ranked.index("{"):])  # behind what the program prints
        heap = f"what a kernel allocates at {WRONG}:{line_of(WRONG, 'want heap$')}, 16 bytes,"
        found = {difference["array"]: difference for difference in outcome["differences"] if difference["launch"] > 2}
        self.assertEqual({name: one["kind"] for name, one in found.items()}, {heap: "values", "what threads print": "prints"})
        self.assertEqual((found[heap]["cell"], found[heap]["kernel"]), ("byte 4 of " + heap, "push"))
        self.assertEqual([hazard["array"] for hazard in outcome["hazards"] if hazard.get("launch") == 3], [heap])
        self.assertEqual({one["line"] for one in outcome["violated_under"]}, {line_of(WRONG, "//@ ensures")})

    def test_annotation_that_another_order_violates_has_a_failed_test(self):
        linked = json.loads(run(WRONG, "--format", "json", "--", "linked", status=1))["subjects"]
        self.assertEqual(linked[-1]["facts"]["results_that_differ"], 1)  # as above, and none of the heap's, or of what is printed
        self.assertEqual((linked[0]["kind"], linked[0]["verdict"]), ("annotation", "VIOLATED"))
        self.assertEqual([(test["name"], test["state"]) for test in linked[0]["tests"]][:2],
                         [("assertion", "HOLDS"), ("under schedule descending", "VIOLATED")])

    def test_blocks_of_other_processes_that_communicate_by_shared_memory_are_run_in_other_orders(self):
        printed = run(WRONG, "--schedules", "2", "--jobs", "2", "--json", "--", "latest", status=1)
        outcome = json.loads(printed[printed.index("{"):])
        self.assertEqual([difference["array"] for difference in outcome["differences"] if difference["launch"] == 3], ["out"])

    def test_run_under_another_order_that_is_killed_from_outside_shows_nothing(self):
        with tempfile.TemporaryDirectory() as folder:
            printed = run(os.path.join(HERE, "programs_cu", "orders_killed.cu"), "--json", "--write", folder, "--",
                          os.path.join(folder, "ran"), status=3)
        outcome = json.loads(printed[printed.index("{"):])
        self.assertEqual(outcome["hazards"], [])
        self.assertEqual(outcome["lacks"], ["annotations under schedule descending, where results differ: the run was ended by signal 9 (Killed)"])

    def test_both_options_are_refused(self):
        done = subprocess.run([BINARY, "run", WRONG, "--schedule", "random", "--schedules", "3"], capture_output=True, text=True,
                              timeout=WAIT_S, check=False)
        self.assertEqual(done.returncode, 2)
        self.assertIn("leave out '--schedule'", done.stderr)


if __name__ == "__main__":
    unittest.main()
