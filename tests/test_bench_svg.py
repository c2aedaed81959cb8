#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The charts of `reductio bench`: well-formed, with units, and each marker where its figure belongs.
usage: test_bench_svg.py REDUCTIO [unittest's arguments]"""

import json
import math
import os
import re
import resource
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ET

from patience import WAIT_S
from short_run import takes_long

BINARY = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "reductio"
SVG = "{http://www.w3.org/2000/svg}"
SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")


def number(label):
    """The value of a label: "0.5", "10⁵", "2×10⁻⁷", "2¹⁰"."""
    times, _, power = label.rpartition("×")
    found = re.fullmatch(r"(\d+?)([⁰¹²³⁴⁵⁶⁷⁸⁹⁻]+)", power)
    if not found:
        return float(label)
    return float(times or 1) * float(found[1]) ** int(found[2].translate(SUPERSCRIPTS))


def of_class(element, name):
    return [e for e in element.iter() if name in e.get("class", "").split()]


class Panel:
    """A panel of a chart, read as a person reads it: by the ticks of its axes."""

    def __init__(self, element):
        self.caption = of_class(element, "rdp-caption")[0].text
        self.y_ticks = [(number(tick.find(SVG + "text").text), float(tick.find(SVG + "line").get("y1")))
                        for tick in of_class(of_class(element, "rdp-y")[0], "rdp-tick")]
        self.x_ticks = {tick.find(SVG + "text").text: float(tick.find(SVG + "line").get("x1"))
                        for tick in of_class(of_class(element, "rdp-x")[0], "rdp-tick")}
        self.series = [self.marks(series) for series in of_class(element, "rdp-series")]
        self.bests = [[tuple(map(float, re.fullmatch(r"M(\S+) (\S+)V(\S+)m-5 0h10", best.get("d")).groups()))
                       for best in of_class(series, "rdp-best")] for series in of_class(element, "rdp-series")]

    @staticmethod
    def marks(series):
        """(x, y, what a pointer is told) of each marker."""
        found = []
        for group in series.findall(SVG + "g"):
            mark = of_class(group, "rdp-mark")[0]
            x, y = re.fullmatch(r"translate\((\S+) (\S+)\)", mark.get("transform")).groups()
            found.append((float(x), float(y), group.find(SVG + "title").text))
        return found

    def value(self, y, log=True):
        (low, at_low), (high, at_high) = self.y_ticks[0], self.y_ticks[-1]
        part = (y - at_low) / (at_high - at_low)
        return low * (high / low) ** part if log else low + (high - low) * part


class SvgTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="reductio-")
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.path = os.path.join(folder.name, "chart.svg")

    def bench(self, *arguments, **more):
        return subprocess.run([BINARY, "bench", *arguments], text=True, capture_output=True,
                              timeout=WAIT_S, check=False, **more)

    def draw(self, *arguments):
        """The chart's root, its panels, and what was printed."""
        done = self.bench(*arguments, "--svg", self.path)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        with open(self.path, encoding="utf-8") as file:
            text = file.read()
        # Nothing is asked of anywhere, and nothing runs.
        self.assertNotIn("http", text.replace("http://www.w3.org/2000/svg", ""))
        self.assertNotIn("<script", text)
        root = ET.fromstring(text)
        self.assert_can_be_read_out(root)
        self.assert_text_is_inside(root)
        return root, [Panel(panel) for panel in of_class(root, "rdp-panel")], done.stdout

    def assert_can_be_read_out(self, root):
        self.assertEqual(root.get("role"), "img")
        ids = {e.get("id"): e for e in root.iter() if e.get("id")}
        title, desc = (ids[name] for name in root.get("aria-labelledby").split())
        self.assertEqual((title.tag, desc.tag), (SVG + "title", SVG + "desc"))
        self.assertTrue(title.text.strip() and desc.text.strip())

    def assert_text_is_inside(self, root):
        _, _, width, height = map(float, root.get("viewBox").split())
        for text in root.iter(SVG + "text"):
            x, y = float(text.get("x")), float(text.get("y"))
            size = float(text.get("font-size", 11))
            length = 0.6 * size * len(text.text)
            left = {"end": x - length, "middle": x - length / 2}.get(text.get("text-anchor"), x)
            self.assertGreaterEqual(left, 0, text.text)
            self.assertLessEqual(left + length, width, text.text)
            self.assertTrue(8 < y < height, text.text)

    def assert_close(self, actual, expected):
        self.assertAlmostEqual(actual / expected, 1, delta=0.002)


class RoundsTest(SvgTest):
    def test_each_marker_is_where_its_figure_belongs(self):
        root, panels, printed = self.draw("rounds", "fold", "dot-fold", "-n", "2^12", "-d", "sim",
                                          "-r", "3", "--json")
        result = json.loads(printed)
        self.assertEqual([panel.caption for panel in panels],
                         ["time per round, µs", "bandwidth per round, GB/s"])
        self.assertEqual([key.text for key in of_class(root, "rdp-key")], ["fold", "dot-fold"])
        for panel, figure in zip(panels, ("median_us", "gb_per_s")):
            self.assertEqual(list(panel.x_ticks), [str(k) for k in range(1, 14)])
            for program, marks, bests in zip(result["programs"], panel.series, panel.bests):
                self.assertEqual(len(marks), len(program["rounds"]))
                self.assertEqual(len(bests), len(program["rounds"]))
                for measured, (x, y, _), best in zip(program["rounds"], marks, bests):
                    self.assertEqual(best[:2], (x, y))  # a line from the marker
                    faster = measured["median_us"] / measured["best_us"]
                    self.assert_close(panel.value(best[2]), measured["best_us"] if figure == "median_us"
                                      else measured["gb_per_s"] * faster)
                for measured, (x, y, _) in zip(program["rounds"], marks):
                    self.assertAlmostEqual(x, panel.x_ticks[str(measured["round"])], delta=0.02)
                    self.assert_close(panel.value(y), measured[figure])

    def test_a_pointer_is_told_round_and_value(self):
        _, panels, printed = self.draw("rounds", "fold", "-n", "8", "-d", "sim", "-r", "1", "--json")
        rounds = json.loads(printed)["programs"][0]["rounds"]
        for panel, figure, unit in zip(panels, ("median_us", "gb_per_s"), ("µs", "GB/s")):
            for k, (measured, mark) in enumerate(zip(rounds, panel.series[0])):
                found = re.fullmatch(r"fold, round (\d), half = (\d): (\S+) (\S+), best (\S+) (\S+)", mark[2])
                self.assertEqual(found.group(1, 2, 4, 6), (str(k + 1), str(4 >> k), unit, unit))
                self.assert_close(number(found[3]), measured[figure])
                self.assertEqual(found[3], found[5])  # of one repeat

    def test_times_of_the_simulation_are_called_so(self):
        root, _, _ = self.draw("rounds", "fold", "-n", "8", "-d", "sim", "-r", "1")
        self.assertIn("processor time of the simulation, and no GPU's",
                      of_class(root, "rdp-subtitle")[0].text)

    def test_six_programs_and_a_program_of_no_rounds_have_a_chart(self):
        root, panels, _ = self.draw("rounds", "fold", "fold-guard", "fold-ceil", "tournament", "dot-fold",
                                    "multi-block-two-launch", "-n", "1", "-d", "sim", "-r", "1")
        self.assertEqual(len(of_class(root, "rdp-key")), 6)
        self.assertEqual([len(marks) for marks in panels[0].series], [0, 0, 0, 0, 1, 2])
        _, panels, _ = self.draw("rounds", "fold", "-n", "1", "-d", "sim", "-r", "1")
        self.assertEqual(panels[0].series, [[]])

    def test_colours_are_told_from_the_background_in_light_and_dark(self):
        root, _, _ = self.draw("rounds", "fold", "-n", "8", "-d", "sim", "-r", "1")
        style = re.sub(r"/\*.*?\*/|\s", "", root.find(SVG + "style").text, flags=re.DOTALL)
        dark = "".join(re.findall(r"@media\(prefers-color-scheme:dark\)\{((?:[^{}]+\{[^{}]*\})*)\}",
                                  style))
        light = re.sub(r"@media[^{]+\{(?:[^{}]+\{[^{}]*\})*\}", "", style)
        for scheme in (light, dark):
            paper = re.search(r"\.rdp-paper\{fill:#(\w{6});?\}", scheme)[1]
            colours = re.findall(r"\.rdp(?:-s\d)?\{color:#(\w{6});?\}", scheme)
            self.assertEqual(len(set(colours)), 7)
            for colour in colours:
                self.assertGreaterEqual(contrast(colour, paper), 4.5, colour)


def luminance(colour):
    parts = [int(colour[k:k + 2], 16) / 255 for k in (0, 2, 4)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(x, y):
    """As WCAG 2 defines it."""
    light, dark = sorted((luminance(x), luminance(y)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


class OtherBenchmarksTest(SvgTest):
    def test_sim_is_drawn_over_its_threads_beside_what_it_may_take(self):
        _, (panel,), printed = self.draw("sim", "-r", "1", "--to", "2^12", "--json")
        lines = json.loads(printed)["kernels"]
        self.assertEqual(panel.caption, "time per thread, ns")
        self.assertEqual([number(label) for label in panel.x_ticks], [2**10, 2**11, 2**12])
        at = dict(zip((2**10, 2**11, 2**12), panel.x_ticks.values()))
        for kernel, marks in zip(("block-sum", "fold-round"), panel.series):
            measured = [line for line in lines if line["kernel"] == kernel]
            self.assertEqual(len(marks), len(measured))
            for line, (x, y, told) in zip(measured, marks):
                self.assertAlmostEqual(x, at[line["threads"]], delta=0.02)
                self.assert_close(panel.value(y), line["median_ns"])
                self.assertIn(f"{kernel}, threads of the launch {line['threads']}: ", told)
        levels = {of_class(level, "rdp-level-name")[0].text:
                  float(of_class(level, "rdp-level")[0].get("y1"))
                  for level in ET.parse(self.path).iter(SVG + "g")
                  if [e for e in level if e.get("class") == "rdp-level"]}
        self.assertEqual(set(levels), {"block-sum: may take 160", "block-sum: aims at 80",
                                       "fold-round: may take 30", "fold-round: aims at 15"})
        for name, y in levels.items():
            self.assert_close(panel.value(y), float(name.split()[-1]))

    def test_verified_is_drawn_from_nothing_with_its_values(self):
        done_root, (panel,), printed = self.draw("fold", "tournament", "multi-block-two-launch", "-d",
                                                 "sim", "-n", "1k", "-r", "1")
        self.assertEqual(panel.caption, "time of a run, ms")
        self.assertEqual(panel.y_ticks[0][0], 0)
        lines = [line.split() for line in printed.splitlines()[2:]]
        self.assertEqual(list(panel.x_ticks), [line[0] for line in lines])
        for column, marks in zip((3, 5), panel.series):
            for line, (_, y, told) in zip(lines, marks):
                # Printed to a µs, drawn to a hundredth of a pixel.
                self.assertAlmostEqual(panel.value(y, log=False), float(line[column]),
                                       delta=0.001 + 1e-4 * panel.y_ticks[-1][0])
                self.assertTrue(told.endswith(" ms"), told)
        self.assertEqual(len(of_class(done_root, "rdp-value")), 6)

    @takes_long
    def test_seeds_are_drawn_next_to_the_articles_figures(self):
        _, (panel,), printed = self.draw("seeds", "-d", "sim", "-r", "1")
        self.assertEqual(panel.caption, "time of the kernel, or of the loop, ms")
        rows = [[float(word) for word in line.split()[3:]] for line in printed.splitlines()
                if line.startswith("kernel, or loop") and "fixed" not in line]
        self.assertEqual(rows[0][1:3], [16.335, 2.967])
        for column, marks in enumerate(panel.series):
            self.assertEqual(len(marks), 2)
            for row, (x, y, _), n in zip(rows, marks, ("10⁶", "10⁷")):
                self.assertAlmostEqual(x, panel.x_ticks[n], delta=0.02)
                self.assertAlmostEqual(panel.value(y), row[1 + column],
                                       delta=0.002 * row[1 + column] + 0.0006)


class FailureTest(SvgTest):
    BENCHMARKS = (("rounds", "fold", "-n", "8", "-d", "sim"), ("sim", "--to", "2^10"),
                  ("seeds", "-d", "sim"), ("fold", "-n", "8", "-d", "sim"))

    def assert_refused(self, done, *words):
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertRegex(done.stderr, r"\Areductio: [^\n]+\n\Z")
        for word in words:
            self.assertIn(word, done.stderr)

    def test_a_path_that_cannot_be_written_is_told_before_anything_is_measured(self):
        for benchmark in self.BENCHMARKS:
            with self.subTest(benchmark):
                path = os.path.join(self.folder, "no", "chart.svg")
                self.assert_refused(self.bench(*benchmark, "--svg", path),
                                    f"the chart '{path}' can't be written: No such file")
                self.assert_refused(self.bench(*benchmark, "--svg", self.folder), "Is a directory")
                self.assert_refused(self.bench(*benchmark, "--svg", "-"), "name a file")

    def test_a_full_disk_is_told_and_leaves_no_file(self):
        done = self.bench("rounds", "fold", "-n", "8", "-d", "sim", "--svg", "/dev/full")
        self.assert_refused(done, "the chart '/dev/full' can't be written: No space left")
        self.assertTrue(os.path.exists("/dev/full"))
        done = self.bench("rounds", "fold", "-n", "8", "-d", "sim", "--svg", self.path,
                          restore_signals=False, # SIGXFSZ stays ignored: the write fails
                          preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000)))
        self.assert_refused(done, "can't be written: File too large")
        self.assertFalse(os.path.exists(self.path))

    def test_a_program_that_is_refused_leaves_what_is_at_the_path(self):
        with open(self.path, "w", encoding="utf-8") as file:
            file.write("mine")
        for arguments in (("rounds", "fold", "-n", "12"), ("rounds", "fold:wrong-half"),
                          ("fold", "-n", "12")):
            with self.subTest(arguments):
                done = self.bench(*arguments, "-d", "sim", "--svg", self.path)
                self.assertEqual(done.returncode, 2)
                with open(self.path, encoding="utf-8") as file:
                    self.assertEqual(file.read(), "mine")


if __name__ == "__main__":
    unittest.main()
