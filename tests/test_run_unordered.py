#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`reductio run FILE.cu` of what orders operations besides streams and events: launches of one graph, threads of the host, and
launches in kernels. What is ordered by chance alone is no HOLDS."""

import json
import subprocess
import unittest

from check_case import BINARY, HERE
from patience import WAIT_S

PROGRAM = f"{HERE}/programs_cu/unordered.cu"


def run(part):
    done = subprocess.run([BINARY, "run", PROGRAM, "--device", "sim", "-Xcompiler", "-fopenmp", "--format", "json", "--", part], capture_output=True, text=True,
                          timeout=WAIT_S, check=False)
    subject = json.loads(done.stdout)["subjects"][-1]
    hazards = [hazard["name"] for hazard in subject["hazards"]]
    return subject["verdict"], hazards, subject["not_looked_at"]


class Graphs(unittest.TestCase):
    def test_launches_of_one_executable_graph_on_two_streams_are_in_order(self):
        self.assertEqual(run("graph-twice"), ("HOLDS", [], []))

    def test_launches_of_two_executable_graphs_on_two_streams_race(self):
        verdict, hazards, _ = run("graph-two")
        self.assertEqual((verdict, set(hazards)), ("VIOLATED", {"race"}))


class Threads(unittest.TestCase):
    def assert_by_chance(self, part, *words):
        verdict, hazards, lacks = run(part)
        self.assertEqual((verdict, hazards), ("INCONCLUSIVE", []), lacks)
        for word in ("threads of the host", *words):
            self.assertIn(word, " ".join(lacks))

    def test_what_two_threads_do_by_chance_in_one_order_does_not_hold(self):
        self.assert_by_chance("chance", "kernel put")

    def test_what_two_threads_launch_on_one_stream_does_not_hold(self):
        self.assert_by_chance("one-stream")

    def test_members_of_one_team_are_in_no_order(self):
        self.assert_by_chance("team-chance")

    def test_mutex_does_not_say_which_thread_is_first(self):
        self.assert_by_chance("mutex")

    def test_wait_by_another_thread_is_none_of_this_one(self):
        self.assert_by_chance("waits")
        self.assert_by_chance("events")

    def test_host_code_of_one_thread_behind_the_launch_of_another_does_not_hold(self):
        self.assert_by_chance("host")

    def test_launches_for_which_no_thread_waits_race(self):
        verdict, hazards, _ = run("race")
        self.assertEqual((verdict, hazards), ("VIOLATED", ["race"]))

    def test_threads_with_memory_of_their_own_or_in_turn_hold(self):
        for part in ("apart", "leaves", "turn", "event", "teams"):
            with self.subTest(part):
                self.assertEqual(run(part), ("HOLDS", [], []))


class Inside(unittest.TestCase):
    def test_race_with_a_grid_that_a_kernel_launches_is_not_looked_for_which_is_said(self):
        verdict, _, lacks = run("parent")
        self.assertEqual((verdict, lacks[:1]), ("INCONCLUSIVE", ["races between grids that launch each other"]))


if __name__ == "__main__":
    unittest.main()
