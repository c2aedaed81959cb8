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
    done = subprocess.run([BINARY, "run", PROGRAM, "--device", "sim", "--format", "json", "--", part], capture_output=True, text=True,
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


class Inside(unittest.TestCase):
    def test_race_with_a_grid_that_a_kernel_launches_is_not_looked_for_which_is_said(self):
        verdict, _, lacks = run("parent")
        self.assertEqual((verdict, lacks[:1]), ("INCONCLUSIVE", ["races between grids that launch each other"]))


if __name__ == "__main__":
    unittest.main()
