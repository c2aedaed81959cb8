#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Drives `reductio step` by scripts. usage: test_step.py REDUCTIO [unittest's arguments]"""

import os
import re
import unittest

from short_run import part
from source_lines import needs_lines
from step_case import StepCase, boxes, status_line

MAN_PAGE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "docs",
                        "reductio.1.scd")

ROUND_1 = ["4*", "6*", "8*", "10*", "4", "5", "6", "7"]
ROUND_2 = ["12*", "16*", "8", "10", "4", "5", "6", "7"]


class PositionTest(StepCase):
    def test_first_screen_is_the_input(self):
        screen = self.script([], "fold")[0]
        self.assertEqual(boxes(screen), [[str(k) for k in range(8)]])
        self.assert_in(screen, "for 0 <= i < 8: A[i] = sum of a[j], j mod 8 = i",
                       "HOLDS: 8 live cells asserted", "initialization HOLDS", "exit open",
                       "kernels/fold.cu: fold", "A[i] = OP(A[i], A[i + half]);")
        self.assertIn("step 0 of 3", status_line(screen))

    def test_keys_and_names_go_forth_and_back_by_rounds(self):
        for forth in ("next", "n", "j", "Right", "step", "s", "."):
            for back in ("previous", "p", "k", "rn", "Left", "step-back", "rs", ","):
                screens = self.script([forth, forth, back], "fold")
                self.assertEqual([boxes(s)[-1] for s in screens[1:]],
                                 [ROUND_1, ROUND_2, ROUND_1], (forth, back))

    def test_round_shows_before_and_after(self):
        screen = self.last(["3g", "2g"], "fold")
        self.assertEqual(boxes(screen), [[box.rstrip("*") for box in ROUND_1], ROUND_2])
        self.assertIn("round 2 of 3: half = 2, grid 1 x block 2, 2 threads", status_line(screen))

    def test_home_end_and_numbers(self):
        screens = self.script(["End", "Home", "last", "first", "G", "<", ">", "round 1", "0g"],
                              "fold")
        steps = [re.search(r"(step|round) (\d)", status_line(s)).group(2) for s in screens[1:]]
        self.assertEqual(steps, list("303030310"))

    def test_beyond_the_ends_is_said(self):
        self.assertIn("this is the end: the run has ended", self.last(["End", "n"], "fold"))
        self.assertIn("this is the beginning", self.last(["p"], "fold"))
        self.assertIn("this is the beginning", self.last(["rs"], "fold"))

    def test_the_end_decides_all_obligations(self):
        self.assertIn("initialization HOLDS; preservation HOLDS; exit HOLDS",
                      self.last(["End"], "fold"))
        self.assertIn("preservation HOLDS so far; exit open", self.last(["n"], "fold"))

    def test_play_prints_each_round(self):
        screen = self.last(["play"], "fold")
        self.assertEqual(len(re.findall(r"^ round \d of 3", screen, re.MULTILINE)), 3)

    def test_play_stops_at_what_is_violated(self):
        screen = self.last(["play"], "fold:wrong-half", status=1)
        self.assertEqual(screen.count("stopped: step 1 is violated; Space plays on"), 1)
        self.assertNotIn("round 2 of 3", screen)
        screen = self.last(["play", "play"], "fold:wrong-half", status=1)
        self.assertEqual(len(re.findall(r"^ round \d of 3", screen, re.MULTILINE)), 2)
        screen = self.last(["2g", "x 7", "Home", "play"], "fold", status=1)
        self.assert_in(screen, "round 1 of 3", "stopped: step 2 is violated")

    def test_play_has_a_speed(self):
        for line, said in (("faster", "a round every 0.5 s"), ("-", "a round every 2 s"),
                           ("+\n" * 9 + "+", "a round every 0.125 s, which is as fast as it goes"),
                           ("-\n" * 9 + "-", "a round every 8 s, which is as slow as it goes")):
            self.assertIn(said, status_line(self.last([line], "fold")))

    def test_checkpoints_are_steps_on_the_way(self):
        arguments = ["dot-shared", "-n", "8", "--block", "4", "--grid", "1", "--type", "i32"]
        screens = self.script(["s", "s", "s", "s"], *arguments)
        self.assertEqual([boxes(s)[-1] for s in screens[1:]],
                         [["20", "32", "48", "68"], ["68*", "100*", "48", "68"],
                          ["168*", "100", "48", "68"], ["168*"]])
        self.assertIn("block 0, w = 2 at 'sequential'", status_line(screens[2]))
        self.assertIn("for 0 <= i < 2: cache[i] = sum of x[t]", screens[2])
        self.assertEqual(boxes(self.last(["s", "n"], *arguments))[-1], ["168*"])

    def test_violation_goes_to_the_first_wrong_cell(self):
        screen = self.last(["!"], "fold:wrong-half", status=1)
        self.assertEqual(boxes(screen)[-1], ["3!", "5!", "7!", "9!", "4", "5", "6", "7"])
        self.assert_in(" ".join(screen.split()),
                       "VIOLATED: 4 live cells asserted; step 1, A[0]: expected 4, actual 3",
                       "preservation VIOLATED in round 1", "race: read-write, warp: thread 3 of block 0 writes A[3]")
        self.assertIn("no step is violated", self.last(["!"], "fold"))
        screen = self.last(["!"], "dot-naive", "-n", "8", "--block", "4", status=1)
        self.assert_in(" ".join(screen.split()), "no step is violated; this is the first with a hazard", "168*")

    def test_one_element_has_no_round(self):
        screen = self.last(["n"], "fold", "-n", "1")
        self.assertEqual(boxes(screen), [["0"]])
        self.assertIn("exit HOLDS", screen)


class CellTest(StepCase):
    def test_cell_is_selected_by_its_index(self):
        for command in ("cell 5", "/5", "/ 5", "g 5", "cell A[5]"):
            self.assertIn(" [5] ", self.last([command], "fold"))
        screens = self.script(["Down", "l", "Tab", "Up", "h", "PgDn", "PgUp"], "fold")
        selected = [re.search(r"\[(\d)\]", s).group(1) for s in screens[1:]]
        self.assertEqual(selected, list("1232170"))

    def test_viewport_follows_the_cell(self):
        screen = self.last(["n", "cell 700"], "fold-guard", "-n", "1000")
        self.assert_in(screen, "[700]", "of 1000")
        self.assertIn("700", boxes(screen)[0])
        screen = self.last(["n", "cell 1048575"], "fold", "-n", "2^20")
        self.assertIn("1048575", boxes(screen)[0])
        self.assertIn("of 1048576", screen)

    @needs_lines
    def test_large_screen_has_the_facts_in_its_whole_width(self):
        for size, commands, program in (("120 40", ["n"], ("fold", "-n", "16")),
                                        ("160 50", ["s", "s"], ("dot-shared", "-n", "16"))):
            screen = self.last([f"size {size}", *commands], *program)
            self.assertRegex(screen, r"\n invariant   for 0 <= i < \d+: [^\n]*mod \d+ = i")
            self.assertRegex(screen, r"\n threads     thread 0 of block 0 reads [^\n]*\(line \d+\)\n")
            self.assertNotIn("…\n", screen.split(" kernels/")[1])
        low = self.last(["size 120 24", "n"], "fold", "-n", "64")
        self.assertRegex(low, r"\n invariant [^\n]* +\d+ ")  # the source beside it

    def test_strip_is_closed_at_its_end(self):
        for n in (64, 2 ** 20):
            screen = self.last([f"cell {n - 1}"], "fold", "-n", str(n))
            self.assertRegex(re.search(r"^ (?:all|some) .*$", screen, re.MULTILINE).group(0),
                             r"^ (?:all|some) +[^ ]*\[[^ ]*\] \d+-\d+ of \d+$")

    def test_status_line_keeps_its_keys(self):
        line = status_line(self.last(["s", "s"], "dot-shared", "-n", "2^20", "--block", "512"))
        self.assertRegex(line, r"\A round 1 of 1: block 0, .* \? keys  q quit\Z")
        self.assertNotIn("…", line)
        for size in ("60 22", "80 24", "100 30", "160 50"):
            screens = self.script([f"size {size}", "n"], "multi-block-two-launch", "-n", "2^16")
            self.assertIn("? keys  q quit", status_line(screens[-1]))

    def test_active_threads_are_those_of_run(self):
        for program, *options in (("dot-naive",), ("puzzle-map2d",), ("fold", "-n", "1024")):
            run = self.cli("run", program, "--device", "sim", *options).stdout
            said = re.search(r"round 1 of \d+: .*?, (\d+ threads?|\d+ of \d+ threads active) \S", " ".join(run.split())).group(1)
            done = self.cli("step", program, "--device", "sim", "--script", "-", *options,
                            stdin="size 160 40\nnext\n").stdout
            self.assertIn(f", {said}", status_line(done))

    def test_strip_tells_live_from_dead(self):
        strip = re.search(r"^ all .*$", self.last(["n"], "fold", "-n", "64"),
                          re.MULTILINE).group(0)
        self.assertRegex(strip, r"^ all +\[█+\]█+·+ 0-11 of 64$")

    def test_watched_cell_is_followed(self):
        screen = self.last(["w", "n", "n", "n"], "fold")
        self.assertIn("A[0]        0 → 4* → 12* → 28*", screen)
        self.assertNotIn("12* → 28*", self.last(["w", "w", "n", "n", "n"], "fold"))
        self.assertIn("A[3]        3 → 10*", self.last(["watch 3", "n"], "fold"))

    @needs_lines
    def test_several_cells_are_watched(self):
        four = ["watch 3", "watch 0", "watch 5", "watch 1"]
        rows = ["A[3]        3 → 10*", "A[0]        0 → 4* → 12*", "A[5]        5 → 5",
                "A[1]        1 → 6*"]
        screen = self.last([*four, "n", "n"], "fold")
        self.assertEqual([re.search(re.escape(row), screen).start() for row in rows],
                         sorted(screen.index(row) for row in rows))
        self.assert_in(screen, "hazards     none", "A[i] = OP(A[i], A[i + half]);", "exit open")
        self.assertIn("4 cells are watched already: drop one with 'unwatch INDEX'",
                      self.refused([*four, "w 2"], "fold"))
        screen = self.last([*four, "unwatch 0", "w 2", "n"], "fold")
        self.assert_in(screen, rows[0], "A[2]        2 → 8*", rows[3])
        self.assertNotIn("A[0]  ", screen)
        for drop in (["W"], ["unwatch"], ["w 3", "w 0", "unwatch 5", "unwatch 1"]):
            self.assertNotRegex(self.last([*four, *drop, "n"], "fold"), r"A\[\d\]  ")
        self.assertIn("A[7] is not watched", self.refused(["w", "unwatch 7"], "fold"))
        self.assertIn("no cell is watched", self.refused(["unwatch"], "fold"))

    def test_watched_cell_of_a_block_is_that_blocks(self):
        arguments = ("dot-shared", "-n", "16", "--block", "4")
        screens = self.script(["s", "w 0", "s", "s", "s", "s", "w", "W 0"], *arguments)
        self.assertIn("cache[0]    0 → 6* → 20* (block 0, round 1)\n", screens[4])
        self.assertIn("cache[0]    0 → 6* → 20* (block 0, round 1)\n", screens[6])
        self.assert_in(screens[7], "cache[0]    0 → 6* → 20* (block 0,",
                       "cache[0]    20 → 62* (block 1, round 1)\n")
        self.assertIn("(block 0,", screens[8])
        self.assertNotIn("(block 1,", screens[8])

    def test_details_have_the_expression_tree(self):
        screen = self.last(["n", "n", "Enter"], "fold")
        self.assertRegex(screen, r"A\[0\] = 12 +round 2, thread 0 of block 0")
        self.assertRegex(screen, r"  A\[0\] = 4 +round 1, thread 0 of block 0")
        self.assertRegex(screen, r"    A\[4\] = 4 +input")

    def test_details_tell_what_is_in_a_cell(self):
        screen = self.last(["n", "n", "Enter"], "fold")
        self.assert_in(screen, "A[0]", "live: the invariant claims it", "holds        12",
                       "must hold    12", "holds        {0,2,4,6}")
        screen = self.last(["!", "details"], "fold:wrong-half", status=1)
        self.assert_in(screen, "holds        3", "must hold    4", "it is        wrong",
                       "was lost     {4}", "too much     {3}")
        self.assertNotIn("must hold", self.last(["Enter", "Esc"], "fold"))

    def test_views_go_round(self):
        screens = self.script(["n", "v", "v", "v", "v"], "fold")
        self.assertEqual([boxes(s)[-1][0] for s in screens[1:]],
                         ["4*", "{0,4}*", "+4*", "4*", "4*"])
        self.assertEqual([re.search(r"cells show ([a-z ]+)", s).group(1).strip()
                          for s in screens[1:]],
                         ["values", "index sets", "changes", "expected", "values"])
        screen = self.last(["!", "views expected"], "fold:wrong-half", status=1)
        self.assertEqual(boxes(screen)[-1][:4], ["4!", "6!", "8!", "10!"])


    def test_sets_are_written_as_everywhere(self):
        screens = self.script(["views sets", "n", "n", "n", "last"], "fold", "-n", "64")
        self.assertEqual([boxes(s)[-1][0] for s in screens[1:]],
                         ["{0}", "{0,32}*", "{0,16,32,48}*", "{0..56 by 8}*", "{0..63}*"])
        run = self.cli("run", "fold", "-n", "64", "--values", "witness", "--device", "sim").stdout
        self.assert_in(run, " {0,32}*", " {0,16,32,48}*", " {0..56 by 8}*", " {0..63}*")

    def test_set_counted_twice_is_written_as_everywhere(self):
        screen = self.last(["views sets", "!"], "tournament:stride-one", status=1)
        self.assertEqual(boxes(screen)[-1][0], "{0,1x2}!")
        self.assertIn("{0,1x2}!", self.cli("run", "tournament:stride-one", "--values", "witness",
                                           "--device", "sim").stdout)

    def test_set_too_wide_for_its_box_is_whole_in_the_details(self):
        arguments = ("dot-shared", "-n", "200", "--block", "4", "--grid", "3", "--type", "i32")
        screens = self.script(["views sets", "last", "details"], *arguments)
        self.assertEqual(boxes(screens[2])[-1][0], "{0..3,12..15,24..27,…*")
        self.assert_in(re.sub(r",[ │]*\n[│ ]*", ",", screens[3]),
                       "holds        {" + ",".join(f"{k}..{k + 3}" for k in range(0, 200, 12)) + "}")
        for line in screens[3].split("\n"):
            self.assertLessEqual(len(line), 80)


class MessageTest(StepCase):
    @needs_lines
    def test_message_of_some_lines_leaves_the_source_in_sight(self):
        lines = {"fold": ["n", "break value 99"], "fold-guard": ["n", "n", "break thread 0"],
                 "dot-shared": ["n", "n", "break thread 0"], "multi-block": ["n", "views sets"]}
        for program, commands in lines.items():
            for size in part(["60 22", "80 24", "120 40"]):
                with self.subTest(program=program, size=size):
                    screen = self.last([f"size {size}", *commands], program, status=1)
                    self.assertRegex(screen, r"▶ +\d+ ")


class NamesTest(StepCase):
    """Arrays, kernels and programs that have two names are shown with both."""

    @needs_lines
    def test_kernel_calls_the_arrays_by_names_of_its_own(self):
        self.assertIn(" kernels/multi_block.cu: multi_block; v is a, out is A ─",
                      self.last(["n"], "multi-block", status=1))
        self.assertIn(" kernels/fold.cu: fold ─", self.last(["n"], "fold"))
        self.assertIn(" kernels/multi_block.cu: called by sum_grid_sync; v is a, partials is scratch, out is A ",
                      self.last(["size 100 24", "n"], "multi-block-grid-sync"))

    def test_shared_memory_is_called_as_the_kernel_calls_it(self):
        screen = self.last(["n", "details"], "multi-block:no-round-barrier", "-n", "16",
                           "--block", "8", status=1)
        self.assert_in(screen, "  vector[0] = ", "    vector[")
        self.assertIn("x[0]", self.last(["n"], "ladder-sequential", "-n", "64"))

    @needs_lines
    def test_line_of_a_function_that_kernels_share_is_shown(self):
        screen = self.last(["n", "t"], "ladder-first-add", "-n", "64")
        self.assert_in(screen, "> reads   a[0] = 0                 line 46 of ladder.h",
                       " kernels/ladder.h: called by ladder_first_add ─")
        self.assertRegex(screen, r"▶ +46 +own = OP\(own, a\[i\]\);")
        screen = self.last(["n"], "ladder-vectorised", "-n", "64")
        self.assertRegex(screen, r"▶ +\d+ +A\[0\] = sum;")

    def test_what_a_lane_takes_from_another_is_shown(self):
        run = ("ladder-warp-shuffle", "-n", "64", "--block", "32")
        screens = self.script(["s", "s", "cell 3", "details"], *run)
        self.assert_in(screens[1], "thread 0 of block 0 reads x[0] = 32, then holds r[0] = 32")
        self.assertRegex(screens[3], r"thread 3 of block 0 holds r\[3\] = 38 and takes r\[19\] = 70 of"
                                     r" thread\s+19, then holds r\[3\] = 108")
        self.assert_in(screens[4], "whole: it is made of just these, by runs on random inputs",
                       "  r[19] = 70  round 1, register of thread 19 of block 0, line ")

    def test_what_came_through_lanes_is_in_the_tree(self):
        run = ("ladder-vectorised", "-n", "64", "--block", "4", "--grid", "3")
        screens = self.script(["n", "details"] + ["PgDn"] * 12, *run)
        self.assert_in(screens[1], "thread 0 of block 2 holds r[0] = 2016, writes A[0] = 2016",
                       "scratch")
        tree = "".join(screens[2:])
        for block in range(3):
            self.assertRegex(tree, rf"scratch\[{block}\] = \d+  round 1, thread 0 of block {block}")
        for element in range(64):
            self.assertIn(f" a[{element}] = {element}  input", tree)

    def test_strip_of_a_long_array_has_each_part_with_a_live_cell(self):
        strip = re.search(r"^ (all|some) +(.*?) 69994-", self.last(["cell 70000", "round 16"], "tournament", "-n", "131072"), re.M)
        self.assertEqual(strip[1], "some")
        self.assertEqual(len(re.findall("[█▒]", strip[2])), 2)  # A[0] and A[65536]
        self.assertRegex(self.last(["n"], "fold", "-n", "512"), r"(?m)^ all +\[")

    def test_register_that_was_given_nothing_says_so(self):
        self.assertIn("nothing was read or taken for r[0]",
                      self.last(["s"], "ladder-vectorised", "-n", "64"))


class HazardsTest(StepCase):
    @needs_lines
    def test_all_hazards_can_be_read(self):
        screens = self.script(["n", "hazards"] + ["PgDn"] * 3 + ["PgUp", "H"], "multi-block", "-n", "32",
                              "--block", "4", status=1)
        self.assertIn("hazards     5 in this round, H shows all; ", screens[1])
        self.assertIn("> round 1    barrier-divergence: ", screens[2])
        seen = "\n".join(screens[2:5])
        self.assert_in(seen, "> round 1    barrier-divergence: ", "> round 1    race: ",
                       "take it out of the branch.", "many add to one cell, use an atomic.")
        self.assertIn("17-37 of 37: Down, Up", screens[4])
        self.assertIn("1-21 of 37: Down, Up", screens[6])
        self.assertNotIn("> round 1", screens[7])

    def test_hazards_of_other_rounds_are_named(self):
        screens = self.script(["H"], "multi-block", status=1)
        self.assertIn("none here; the first of 2 is in round 1: H shows all", screens[0])
        self.assert_in(screens[1], "none here", "  round 1    barrier-divergence: ")
        self.assertIn("none in the whole run", self.last(["H"], "fold"))

    def test_hazards_of_the_round_under_way_are_those_of_its_checkpoints(self):
        arguments = ("dot-shared", "-n", "16", "--block", "4")
        screens = self.script(["s", "s", "break barrier 2", "H"], *arguments, status=1)
        self.assertIn("hazards     1 in this round, H shows it; race: ", screens[3])
        self.assertIn("> round 1    race: ", screens[4])
        for screen in screens[3:]:
            self.assertNotIn("none here", screen)
        self.assertIn("hazards     none\n", self.last(["s", "s"], *arguments))

    def test_hazard_that_is_cut_can_be_read(self):
        screens = self.script(["size 60 22", "n", "hazards"], "fold:wrong-half", status=1)
        self.assertIn("H shows it in full", screens[2])
        self.assertNotIn("use an atomic", screens[2])
        self.assertIn("use an atomic", screens[3])

    def test_hazards_are_hidden_in_a_quiz(self):
        self.assertIn("that would tell the answer", self.refused(["quiz", "H"], "multi-block"))


class ThreadTest(StepCase):
    ARROWS = """\
      └──┬──┴──┬──┴──┬──┴──┬──┴──┬──┴──┬──┴──┬──┴──┬──┘
         ├─────│─────│─────│─────┘     │     │     │
         │     ├─────│─────│───────────┘     │     │
         │     │     ├─────│─────────────────┘     │
         │     │     │     ├───────────────────────┘
      ┌──▼──┬──▼──┬──▼──┬──▼──┬┄┄┄┄┄┬┄┄┄┄┄┬┄┄┄┄┄┬┄┄┄┄┄┐
"""
    ALONE = """\
      └──┬──┴─────┴─────┴─────┴──┬──┴─────┴─────┴─────┘
         ├───────────────────────┘
      ┌──▼──┬─────┬─────┬─────┬┄┄┄┄┄┬┄┄┄┄┄┬┄┄┄┄┄┬┄┄┄┄┄┐
"""

    @needs_lines
    def test_arrows_lead_from_what_was_read_to_what_was_written(self):
        screen = self.last(["n"], "fold")
        self.assertIn(self.ARROWS, screen)
        self.assertIn("thread 0 of block 0 reads", screen)
        self.assertIn("▶  17 ", screen)

    def test_arrow_joins_what_it_reads_and_passes_under_the_others(self):
        rows = self.last(["n", "n"], "fold:tournament-table", "-n", "8", status=1)
        self.assertIn("├─────│─────┘     │", rows)
        both = self.last(["n"], "fold:wrong-half", "-n", "8", status=1)
        self.assertIn("├─────│─────│─────┤", both)  # A[3] is read, and written

    @needs_lines
    def test_long_trace_tells_how_much_of_it_is_seen(self):
        arguments = ("dot-cpu", "-n", "64")
        self.assertRegex(self.last(["n", "t"], *arguments), r"\n +1-\d+ of \d+: Down, Up\n")
        last = self.last(["n", "t"] + ["Down"] * 300, *arguments)
        total = re.search(r" \d+-(\d+) of (\d+): Down, Up", last)
        self.assertEqual(total.group(1), total.group(2))
        self.assertRegex(last, r"\n > writes  A\[0\] = \d+ ")
        self.assertNotIn(": Down, Up", self.last(["n", "t"], "fold"))

    def test_thread_stands_alone(self):
        for key in ("]", "S-Right", "thread-next", "thread 0", "thread 0:0"):
            screen = self.last(["n", key], "fold")
            self.assertIn(self.ALONE, screen, key)
            self.assertIn("thread 0 of block 0, number 1 of the 4", screen)
        self.assertIn("thread 2 of block 0", self.last(["n", "]", "]", "]"], "fold"))
        self.assertIn("thread 0 of block 1", self.last(["n", "["], "fold"))
        self.assertIn("this is the last thread of this step", self.last(["n", "[", "]"], "fold"))
        self.assertIn(self.ARROWS, self.last(["n", "]", "Esc"], "fold"))

    def test_tournament_draws_neighbours(self):
        self.assertIn("├─────┘     ├─────┘     ├─────┘     ├─────┘",
                      self.last(["n"], "tournament", "-n", "8"))

    def test_cells_out_of_view_are_named(self):
        self.assertRegex(self.last(["n"], "fold-guard", "-n", "1000"), r"┴──┬──┘\n +\[512\] \[513\] ")

    def test_trace_follows_a_thread(self):
        screens = self.script(["n", "thread 2", "t", "Down", "Down", "Up"], "fold")
        self.assert_in(screens[3], "thread 2 of block 0", "> reads", "A[2] = 2", "A[6] = 6",
                       "writes  A[2] = 8")
        self.assertRegex(screens[5], r"> writes  A\[2\] = 8")
        self.assertRegex(screens[6], r"> reads ")


class ScriptTest(StepCase):
    def test_bad_lines_are_told_by_their_number(self):
        for line, message in (
                ("nxt", "'nxt' is no command: did you mean 'next'?"),
                ("wacth 3", "'wacth' is no command: did you mean 'watch'?"),
                ("xyzzy", "'xyzzy' is no command: 'help' and the man page list them"),
                ("next 3", "'3' is too much"),
                ("cell", "'cell' is incomplete: write cell INDEX"),
                ("cell x", "'x' is not a cell"),
                ("cell 8", "there is no A[8]: the last is A[7]"),
                ("9g", "there is no round 9: the last is 3"),
                ("round x", "'x' is not a round"),
                ("views all", "'all' is no view"),
                ("thread x", "'x' is not a thread"),
                ("thread 9", "thread 9 of block 0 did nothing here"),
                ("size 1", "'size 1' is no size: write size COLUMNS LINES, each 1 to 1000"),
                ("size 80 0", "'size 80 0' is no size"),
                ("size 4294967376 24", "'size 4294967376 24' is no size"),
                ("size -1 24", "'size -1 24' is no size"),
                ("size 80 24 3", "'size 80 24 3' is no size"),
                ("9999999999999999999999g", "there is no round 9999999999999999999999: the last"),
                ("cell 18446744073709551616", "there is no A[18446744073709551616]: the last"),
                ("thread 99999999999999999999", "'99999999999999999999' is not a thread"),
                ("x" * 512, "the line is too long: at most 511 characters"),
                ("ne\0xt", "a NUL byte is in it: a script is a text file"),
                ("next # \0", "a NUL byte is in it"),
                ("next\rnext", "the control character 0x0d is in it"),
                ("\x1b[A", "the control character 0x1b is in it: write keys by name"),
                ("\x7f", "the control character 0x7f is in it")):
            error = self.refused(["# a comment", "next", "", line], "fold")
            self.assertIn("standard input:4: " + message, error)

    def test_script_may_be_a_file(self):
        with open(self.path("script"), "w", encoding="utf-8") as file:
            file.write("next # one round\n  next\nquit\nnonsense\n")
        done = self.cli("step", "fold", "--device", "sim", "--script", self.path("script"))
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("> next\n", done.stdout)
        self.assertIn("round 2 of 3", done.stdout)
        done = self.cli("step", "fold", "--device", "sim", "--script", self.path("none"))
        self.assertEqual(done.returncode, 2)
        self.assertIn("none' can't be opened: No such file", done.stderr)

    def run_file(self, content):
        with open(self.path("script"), "wb") as file:
            file.write(content)
        return self.cli("step", "fold", "--device", "sim", "--script", self.path("script"))

    def test_lines_may_end_as_editors_have_them(self):
        want = self.run_file(b"next\nnext\n").stdout
        for content in (b"next\nnext", b"next\r\nnext\r\n", b"next\r\n\r\nnext",
                        b"\xef\xbb\xbfnext\nnext\n", b"\n \t next \t\n#" + b"x" * 5000 + b"\nnext"):
            done = self.run_file(content)
            self.assertEqual((done.returncode, done.stderr, done.stdout), (0, "", want), content)

    def test_endless_file_is_refused(self):
        done = self.cli("step", "fold", "--device", "sim", "--script", "/dev/zero")
        self.assertEqual(done.returncode, 2)
        self.assertIn("/dev/zero:1: a NUL byte is in it", done.stderr)
        done = self.cli("step", "fold", "--device", "sim", "--script", self.folder)
        self.assertEqual(done.returncode, 2)
        self.assertRegex(done.stderr, "'.*' can't be read: Is a directory")

    @needs_lines
    def test_sizes_from_the_smallest_on(self):
        for width, height in ((60, 22), (80, 24), (100, 30), (132, 43), (200, 60)):
            screen = self.last([f"size {width} {height}", "n"], "fold")
            lines = screen.rstrip("\n").split("\n")
            self.assertLessEqual(max(len(line) for line in lines), width)
            self.assertEqual(len(lines), height)
            self.assert_in(screen, "HOLDS: 4 live cells", "exit open", "hazards     none",
                           "A[i] = OP(A[i], A[i + half]);", "round 1 of 3")
        screen = self.last(["size 40 10"], "fold")
        self.assertIn("40 x 10 is too small", screen)

    def test_ascii_where_the_locale_has_no_utf8(self):
        screens = self.script(["n", "?", "Esc", "a"], "fold", LC_ALL="C")
        for screen in screens:
            self.assertTrue(screen.isascii(), screen)
        self.assertIn("|   4*|   6*|   8*|  10*|   4 :   5 :", screens[1])
        self.assertIn("+-----+-----+-----+-----+......", screens[1])
        self.assertNotIn("?", screens[1].replace("? keys", ""))

    def test_help_and_man_page_are_one(self):
        screen = self.last(["size 84 60", "help"], "fold", LC_ALL="C")
        keys = screen.split("- keys -")[1].split("boxes:")[0]
        told = [match.rstrip() for match in re.findall(r"\| (.{14}\S.*?) *\|$", keys, re.MULTILINE)]
        with open(MAN_PAGE, encoding="utf-8") as file:
            keys = file.read().split("The keys, the names for scripts, and what they do:")[1]
        listed = keys.split("```")[1].strip("\n").split("\n")
        self.assertEqual(told, listed)
        self.assertGreater(len(told), 20)


class SourceTest(StepCase):
    def test_exit_status_is_that_of_the_run(self):
        self.script([], "fold", status=0)
        self.script([], "fold:wrong-half", status=1)

    def test_bad_options_are_refused(self):
        for arguments, message in (
                ([], "no program"),
                (["fold", "--last"], "no run has left"),
                (["fold", "tournament"], "one argument too many: step takes one program"),
                (["fold", "--type", "i33"], "'--type' is 'i33'"),
                (["fold", "--trace", "x"], "name one")):
            done = self.cli("step", *arguments, "--script", "-")
            self.assertEqual(done.returncode, 2, arguments)
            self.assertIn(message, done.stderr)

    def test_without_a_terminal_the_screen_is_refused(self):
        done = self.cli("step", "fold", "--device", "sim")
        self.assertEqual(done.returncode, 2)
        self.assertRegex(done.stderr, "use '--script FILE'")

    def test_trace_and_last_run(self):
        trace = self.path("t.ndjson")
        done = self.cli("run", "fold", "--device", "sim", "--trace", trace, "--quiet")
        self.assertEqual(done.returncode, 0)
        for arguments in (["--trace", trace], ["--last"]):
            screens = self.script(["n", "n", "End"], *arguments)
            self.assertEqual([boxes(s)[-1] for s in screens[1:3]], [ROUND_1, ROUND_2])
            self.assertIn("exit HOLDS", screens[3])
        done = self.cli("run", "fold:wrong-half", "--device", "sim", "--quiet")
        self.script([], "--last", status=1)

    def test_edited_trace_says_what_verify_says(self):
        trace = self.path("t.ndjson")
        self.cli("run", "fold", "-n", "8", "--device", "sim", "--trace", trace, "--quiet")
        with open(trace, encoding="utf-8") as file:
            lines = file.readlines()
        edits = ((1, "6,7]", "6,9]", "the input is not what 'iota' makes"),
                 (3, '"verdict":"HOLDS"', '"verdict":"INCONCLUSIVE"',
                  "the trace says INCONCLUSIVE of step 1, and its cells say HOLDS"),
                 (4, '"grid":1', '"grid":7', "the round of step 2 is not the one that fold makes"),
                 (5, None, None, "the trace ends after step 1 of 3"))
        for line, was, is_now, words in edits:
            changed = lines[:line - 1] if was is None else lines[:]
            if was:
                self.assertIn(was, lines[line])
                changed[line] = lines[line].replace(was, is_now)
            with open(trace, "w", encoding="utf-8") as file:
                file.writelines(changed)
            reason = self.cli("verify", trace).stdout.splitlines()[-1].strip()
            self.assertIn(words, reason)
            shown = self.cli("step", "--trace", trace, "--script", "-", stdin="n\nEnd\nn\n").stdout
            for screen in re.split(r"^\n?> .*\n", shown, flags=re.MULTILINE):
                self.assertIn(f" trace {reason} ", " ".join(screen.split()))
            self.assertIn(f"this is the end: {reason}", " ".join(screen.split()))
            self.assertNotIn("does not have the input", shown)


if __name__ == "__main__":
    unittest.main()
