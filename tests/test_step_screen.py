#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Drives the screen of `reductio step` in tmux, and compares captured panes.
usage: test_step_screen.py REDUCTIO [unittest's arguments]"""

import contextlib
import fcntl
import os
import pty
import re
import select
import shutil
import signal
import struct
import subprocess
import sys
import termios
import time
import unittest

from patience import WAIT_S
from step_case import BINARY, StepCase, boxes, status_line

SKIPPED = 77
COSTLY_LAW = "for i < w: A[i] = sum of a[(j + k*i) mod n], 0 <= j < n, 0 <= k < n"


class Pane(StepCase):
    """A terminal of 80 x 24 with a shell in it."""

    def tmux(self, *arguments):
        return subprocess.run(["tmux", "-f", "/dev/null", "-S", self.path("socket"), *arguments],
                              check=True, text=True, env=self.environment, timeout=WAIT_S,
                              stdout=subprocess.PIPE).stdout

    def start(self, *arguments, width=80, height=24, **environment):
        """Starts `reductio step` in a shell that keeps the terminal's state before and after."""
        term = environment.pop("TERM", "screen")
        self.environment.update(environment)
        words = " ".join(f"'{word}'" for word in (BINARY, "step", *arguments))
        with open(self.path("shell"), "w", encoding="utf-8") as file:
            file.write(f"cd '{self.folder}'\nexport TERM={term}\nstty -a >before\n{words} 2>errors & echo $! >pid\n"
                       "fg >/dev/null 2>&1\necho $? >status.part\nstty -a >after\n"
                       "mv status.part status\necho back in the shell\nexec sleep 1000\n")
        self.tmux("-u", "new-session", "-d", "-x", str(width), "-y", str(height), "sh", "-m",
                  self.path("shell"))
        self.addCleanup(self.tmux, "kill-server")

    def step(self, *arguments, **more):
        self.start(*arguments, "--device", "sim", **more)
        return self.wait("q quit")

    def pane(self):
        return self.tmux("capture-pane", "-p")

    def wait(self, *words, gone=()):
        """The pane, once these words are on it and those are gone."""
        end = time.monotonic() + WAIT_S
        while True:
            pane = self.pane()
            if all(w in pane for w in words) and not any(w in pane for w in gone):
                return pane
            if time.monotonic() > end:
                self.fail(f"not seen: {words}, or not gone: {gone}, in\n{pane}")
            time.sleep(0.05)

    def assert_becomes(self, text, message):
        """The terminal may show the first lines of a screen a moment before the last."""
        end = time.monotonic() + WAIT_S
        while self.pane().rstrip("\n") != text and time.monotonic() < end:
            time.sleep(0.05)
        self.assertEqual(self.pane().rstrip("\n"), text, message)

    def press(self, *keys):
        self.tmux("send-keys", *keys)

    def wait_for_end(self):
        """The exit status; the terminal must be as it was."""
        end = time.monotonic() + WAIT_S
        while not os.path.exists(self.path("status")):
            if time.monotonic() > end:
                self.fail("it does not end:\n" + self.pane())
            time.sleep(0.05)
        with open(self.path("before"), encoding="utf-8") as before:
            with open(self.path("after"), encoding="utf-8") as after:
                self.assertEqual(before.read(), after.read())
        self.assertIn("back in the shell", self.wait("back in the shell"))
        self.assertEqual(self.tmux("display-message", "-p", "#{alternate_on} #{cursor_flag}"),
                         "0 1\n")
        with open(self.path("status"), encoding="utf-8") as file:
            return int(file.read())

    def kill(self, name):
        with open(self.path("pid"), encoding="utf-8") as file:
            pid = file.read().strip()
        subprocess.run(["kill", "-" + name, pid], check=True)


class KeysTest(Pane):
    def test_screen_shows_what_a_script_prints(self):
        self.step("fold")
        keys = [("n", "next", "round 1 of 3"), ("Right", "next", "round 2 of 3"),
                ("Left", "previous", "round 1 of 3"), ("/", None, "cell: _"),
                ("3", None, "cell: 3_"), ("Enter", "cell 3", "[3]"),
                ("v", "v", "cells show index sets"), ("v", "v", "cells show changes"),
                ("v", "v", "cells show expected"), ("v", "v", "cells show values"), ("End", "last", "round 3 of 3"),
                ("H", "hazards", "none in the whole run"), ("H", "H", "round 3 of 3"),
                ("?", "help", "thread-next"), ("Escape", "close", "round 3 of 3"),
                ("Home", "first", "step 0 of 3"), ("w", "watch", "A[3]        3")]
        commands = []
        for key, command, seen in keys:
            self.press(key)
            gone = ["thread-next"] if key == "Escape" else []
            self.wait(seen, gone=gone)
            if command:
                commands.append(command)
                self.assert_becomes(self.last(commands, "fold").rstrip("\n"), commands)
        self.press("q")
        self.assertEqual(self.wait_for_end(), 0)

    def test_long_command_says_that_it_runs(self):
        self.step("fold", "-n", "2^20")
        self.press("n")
        self.wait("round 1 of 20", "q quit", gone=["running ..."])
        for keys, seen in ((["x", "thread 0", "Enter"], "does not run in round 1"),
                           (["u"], "undone: ")):
            self.press(*keys)
            self.wait(" running ...", gone=["q quit"])
            self.wait(seen, gone=["running ..."])
        done = self.script(["n", "x thread 0"], "fold", "-n", "2^15", status=1)
        self.assertNotIn("running", "".join(done))

    def test_threads_and_checkpoints_have_keys(self):
        self.step("dot-shared", "-n", "8", "--block", "4", "--grid", "1", "--type", "i32")
        self.press("s")
        self.wait("w = 4 at 'sequential'")
        self.press("s")
        self.wait("w = 2 at 'sequential'")
        self.press("S-Right")
        self.wait("thread 0 of block 0, number 1")
        self.press("]")
        self.wait("thread 1 of block 0, number 2")
        self.press("S-Left")
        self.wait("thread 0 of block 0, number 1")
        self.press("r", "s")
        self.wait("w = 4 at 'sequential'")
        self.press("1", "g")
        self.wait("round 1 of 1: n = 8")
        self.press("r", "n")
        self.wait("step 0 of 1")
        self.press("z")
        self.wait("z does nothing: ? shows the keys")

    def test_play_goes_on_until_a_key(self):
        self.step("fold")
        self.press("Space")
        self.wait("round 1 of 3")
        self.wait("round 3 of 3")
        self.wait("this is the end")
        self.press("Home", "Space")
        self.wait("round 1 of 3")
        self.press("Home")
        self.wait("step 0 of 3")
        time.sleep(2)
        self.assertIn("step 0 of 3", self.pane())

    def test_speed_changes_while_it_plays(self):
        self.step("fold", "-n", "64")
        self.press("Space", "+", "+", "+")
        self.wait("│ 2016*│", "this is the end")
        self.press("Home", "Space", "-")
        self.wait("round 1 of 6")

    def test_line_can_be_edited_and_left(self):
        self.step("fold")
        self.press("/", "7", "BSpace", "5")
        self.wait("cell: 5_")
        self.press("Enter")
        self.wait("[5]")
        self.press("/", "1", "Escape")
        self.assertIn("[5]", self.wait("q quit", gone=["cell:"]))
        self.press("g", "9", "9", "Enter")
        self.wait("there is no A[99]")

    def test_end_of_a_long_line_stays_in_sight(self):
        self.step("fold")
        self.press("/")
        self.press("-l", "1234567890" * 20 + "42")
        line = self.wait("cell: ", "042_").rstrip("\n").split("\n")[-1]
        self.assertRegex(line, r"^ cell: \d{72}_$")
        self.press("BSpace", "BSpace")
        self.wait("890_")
        self.press("C-u", "3", "Enter")
        self.wait(" [3] ")

    def test_q_closes_what_lies_over_the_screen_first(self):
        self.step("fold")
        for key, over in (("?", "thread-next"), ("Enter", "holds        0")):
            self.press(key)
            self.wait(over)
            self.press("q")
            self.wait("step 0 of 3", gone=[over])
        self.press("q")
        self.assertEqual(self.wait_for_end(), 0)

    def test_a_law_is_typed_with_its_mistakes_below_it(self):
        self.step("fold")
        self.press("L")
        self.wait("law: _")
        self.press("-l", "for 0 <= i < w A[i] = sum of a[j], j / 2^d = i")
        self.press("Enter")
        pane = self.wait("expected ',' or ':' after the ranges, found 'A'").rstrip("\n").split("\n")
        line, mark = pane[-3], pane[-2]
        self.assertEqual(mark.index("^"), line.index("A[i]"))
        self.press("Left", ":")
        self.wait("law: for 0 <= i < w: A[i] = sum", gone=["expected"])
        self.press("Enter")
        self.wait("your law is not kept: first refuted in round 1: A[0] is 4, and the law says 1")
        self.press("n")
        self.wait(" law      1≠    5≠    9≠   13≠", "VIOLATED: A[0] is 4, and the law says 1")
        self.press("L")
        self.wait("law: for 0 <= i < w: A[i] = sum of a[j], j / 2^d = i_")
        self.press("Escape")
        self.wait("1≠", gone=["law: for 0"])
        self.press("L", "C-u", "Enter")
        self.wait("your law is judged no more", gone=["1≠"])

    def interrupt_a_law(self, *arguments):
        self.start(*arguments)
        self.wait("q quit")
        self.press("L")
        self.press("-l", COSTLY_LAW)
        self.press("Enter")
        self.wait(" running ...")
        self.press("C-c")
        self.wait("interrupted", "i < 16384", gone=["running", "law: for"])
        # All is as it was: there is no law, keys are taken, and another law is judged.
        self.press("n")
        self.wait("round 1 of 14", gone=["interrupted"])
        self.press("L")
        self.wait("law: _")
        self.press("-l", "for i < 1: A[0] = a[0]")
        self.press("Enter")
        self.wait("your law is not kept: first refuted in round 1")
        # The answer stays when the run of a later law is interrupted.
        self.press("L", "C-u")
        self.press("-l", COSTLY_LAW)
        self.press("Enter")
        self.wait(" running ...")
        self.press("C-c")
        self.wait("interrupted", gone=["running"])
        self.press("L")
        self.wait("law: for i < 1: A[0] = a[0]_")
        self.press("Escape")
        self.wait("q quit", gone=["law: for"])
        self.press("C-c")
        self.assertEqual(self.wait_for_end(), 130)

    def test_judging_a_run_by_a_law_can_be_interrupted(self):
        self.interrupt_a_law("fold", "-n", "2^14", "--device", "sim")

    def test_judging_a_trace_by_a_law_can_be_interrupted(self):
        self.cli("run", "fold", "-n", "2^14", "--device", "sim", "--quiet", "--no-last", "--trace-cells", "all",
                 "--trace", self.path("trace"))
        self.interrupt_a_law("--trace", self.path("trace"))

    def test_a_law_given_at_the_start_can_be_interrupted(self):
        self.start("fold", "-n", "2^14", "--device", "sim", "--law", COSTLY_LAW)
        self.wait_for_law()
        self.kill("INT")
        self.wait("interrupted", "i < 16384")
        self.press("n")
        self.wait("round 1 of 14", gone=["interrupted"])
        self.press("q")
        self.assertEqual(self.wait_for_end(), 0)

    def wait_for_law(self):
        """Until the program catches SIGINT, as it does once the law is judged; so does the shell that becomes it."""
        end = time.monotonic() + WAIT_S
        caught = 0
        while not caught & 1 << signal.SIGINT - 1 and time.monotonic() < end:
            with contextlib.suppress(OSError, ValueError):
                caught = self.signals_caught()
            time.sleep(0.02)
        self.assertTrue(caught & 1 << signal.SIGINT - 1)

    def signals_caught(self):
        with open(self.path("pid"), encoding="utf-8") as file:
            pid = int(file.read())
        if not os.path.samefile(f"/proc/{pid}/exe", BINARY):
            return 0
        with open(f"/proc/{pid}/status", encoding="utf-8") as file:
            return int(re.search(r"SigCgt:\s*(\w+)", file.read()).group(1), 16)

    def test_a_script_is_not_begun_after_an_interrupted_law(self):
        process = subprocess.Popen([BINARY, "step", "fold", "-n", "2^14", "--device", "sim", "--script", "-",
                                    "--law", COSTLY_LAW], env=self.environment, text=True, stdin=subprocess.PIPE,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        with open(self.path("pid"), "w", encoding="utf-8") as file:
            file.write(str(process.pid))
        self.wait_for_law()
        process.send_signal(signal.SIGINT)
        said, errors = process.communicate("n\n", timeout=WAIT_S)
        self.assertEqual((process.returncode, said, errors), (130, "", "reductio: --law: interrupted\n"))

    def test_line_is_edited_at_the_cursor(self):
        self.step("fold")
        self.press("/", "7", "6", "Left", "BSpace", "End", "BSpace", "3", "Home", "Right", "Enter")
        self.wait("[3]")

    def test_quiz_takes_a_guess(self):
        self.step("fold")
        self.press("a")
        self.assertEqual(boxes(self.wait("what will A[0] hold?"))[-1], ["?"] * 8)
        self.press("=", "4", "Enter")
        self.wait("right: A[0] = 4", "1 of 1 right")


class SizesTest(Pane):
    def test_resize_redraws(self):
        self.step("fold-guard", "-n", "1000")
        self.press("n")
        for width, height in ((132, 40), (61, 22), (100, 30), (80, 24)):
            self.tmux("resize-window", "-x", str(width), "-y", str(height))
            want = self.last([f"size {width} {height}", "n"], "fold-guard", "-n", "1000")
            pane = self.wait(status_line(want), want.split("\n")[4].strip())
            end = time.monotonic() + WAIT_S
            while pane.rstrip("\n") != want.rstrip("\n") and time.monotonic() < end:
                time.sleep(0.05)
                pane = self.pane()
            self.assertEqual(pane.rstrip("\n"), want.rstrip("\n"))
        self.tmux("resize-window", "-x", "30", "-y", "8")
        self.wait("30 x 8 is too small")
        self.tmux("resize-window", "-x", "80", "-y", "24")
        self.wait("round 1 of 10")
        self.press("q")
        self.assertEqual(self.wait_for_end(), 0)


    def test_small_terminal_takes_q_only(self):
        self.step("fold")
        self.press("n", "/")
        self.wait("cell: _")
        self.tmux("resize-window", "-x", "40", "-y", "10")
        self.wait("40 x 10 is too small")
        self.press("3", "n")
        self.tmux("resize-window", "-x", "80", "-y", "24")
        self.wait("cell: _", "A[i] = sum of a[j], j mod 4 = i")
        self.tmux("resize-window", "-x", "40", "-y", "10")
        self.wait("40 x 10 is too small")
        self.press("q")
        self.wait("back in the shell")


class LooksTest(Pane):
    def test_color_only_repeats_what_the_text_says(self):
        self.step("fold:wrong-half", TERM="xterm-256color")
        self.press("!")
        self.wait("VIOLATED: 4 live")
        self.assertIn("\x1b[31m", re.sub(r"\x1b\[(\d+;)*31(;\d+)*m", "\x1b[31m",
                                         self.tmux("capture-pane", "-p", "-e")))

    RED = r"\x1b\[(\d+;)*31(;\d+)*m *13≠"

    def with_a_law(self, **environment):
        """The pane behind the first round, with its colours, of a run that a law is wrong of."""
        self.start("fold", "--law", "for 0 <= i < w: A[i] = sum of a[j], j / 2^d = i", "--device",
                   "sim", TERM="xterm-256color", **environment)
        self.wait("your law is not kept: first refuted in round 1")
        self.press("n")
        self.wait("13≠", "1 of 3")
        return self.tmux("capture-pane", "-p", "-e")

    def test_what_refutes_a_law_is_red(self):
        self.assertRegex(self.with_a_law(), self.RED)

    def test_what_refutes_a_law_is_marked_without_colour(self):
        self.assertNotRegex(self.with_a_law(NO_COLOR="1"), self.RED)

    def test_no_color_is_kept_to(self):
        self.step("fold:wrong-half", NO_COLOR="1")
        self.press("!")
        self.wait("VIOLATED: 4 live")
        pane = self.tmux("capture-pane", "-p", "-e")
        self.assertNotRegex(pane, r"\x1b\[(\d+;)*3[0-7](;\d+)*m")
        self.assertIn("\x1b[", pane)

    def test_ascii_where_the_locale_has_no_utf8(self):
        self.step("fold", LC_ALL="C")
        self.press("n")
        pane = self.wait("round 1 of 3")
        self.assertTrue(pane.isascii(), pane)
        self.assertIn("|   4*|   6*|", pane)


class EndsTest(Pane):
    def test_quit_has_the_status_of_the_run(self):
        self.step("fold:wrong-half")
        self.press("q")
        self.assertEqual(self.wait_for_end(), 1)

    def end_by(self, name):
        """The exit status after this signal."""
        self.step("fold")
        self.press("n")
        self.wait("round 1 of 3")
        self.kill(name)
        return self.wait_for_end()

    def test_sigterm_restores_the_terminal(self):
        self.assertEqual(self.end_by("TERM"), 130)

    def test_sighup_restores_the_terminal(self):
        self.assertEqual(self.end_by("HUP"), 130)

    def test_crash_restores_the_terminal(self):
        self.assertGreater(self.end_by("SEGV"), 0)

    def test_abort_restores_the_terminal(self):
        self.assertGreater(self.end_by("ABRT"), 0)

    def test_interrupt_key_leaves(self):
        self.step("fold")
        self.press("C-c")
        self.assertEqual(self.wait_for_end(), 130)

    def test_stop_key_gives_the_terminal_to_the_shell(self):
        self.step("fold")
        self.press("n")
        self.wait("round 1 of 3")
        self.press("C-z")
        self.assertGreater(self.wait_for_end(), 128)

    def test_stopped_program_goes_on_where_it_was(self):
        with open(self.path("rc"), "w", encoding="utf-8") as file:
            file.write("PS1='shell> '\nexport TERM=screen\n")
        self.tmux("-u", "new-session", "-d", "-x", "80", "-y", "24", "env", "ENV=" + self.path("rc"),
                  "sh", "-i")
        self.addCleanup(self.tmux, "kill-server")
        self.wait("shell>")
        self.press(f"'{BINARY}' step fold --device sim", "Enter")
        self.wait("q quit")
        self.press("n")
        self.wait("round 1 of 3")
        self.press("C-z")
        self.wait("shell>", gone=["round 1 of 3"])
        self.press("stty -a | grep -o '.echo '", "Enter")
        self.wait("\n echo")
        self.press("fg", "Enter")
        self.wait("round 1 of 3", gone=["shell>"])
        self.press("n")
        self.wait("round 2 of 3")

    def test_terminal_without_a_cursor_to_move_is_refused(self):
        self.start("fold", "--device", "sim", TERM="dumb")
        self.assertEqual(self.wait_for_end(), 2)
        with open(self.path("errors"), encoding="utf-8") as errors:
            self.assertIn("the terminal 'dumb' can't move its cursor: use '--script FILE'",
                          errors.read())

    def test_unknown_terminal_is_refused(self):
        self.start("fold", "--device", "sim", TERM="no-such-terminal")
        self.assertEqual(self.wait_for_end(), 2)
        with open(self.path("errors"), encoding="utf-8") as errors:
            self.assertIn("the terminal 'no-such-terminal' is not known here", errors.read())


class HangupTest(StepCase):
    """A terminal without a shell, that goes away."""

    def begin(self, ignored=()):
        """The process, and the end of its terminal that tmux would have."""
        master, terminal = pty.openpty()
        fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))

        def ignore():
            for number in ignored:
                signal.signal(number, signal.SIG_IGN)

        # Its own session without a controlling terminal: a hangup sends it no signal.
        process = subprocess.Popen([BINARY, "step", "fold", "--device", "sim"], stdin=terminal,
                                   stdout=terminal, stderr=subprocess.PIPE, text=True,
                                   start_new_session=True, preexec_fn=ignore,
                                   env=dict(self.environment, TERM="screen"))
        os.close(terminal)
        self.addCleanup(process.stderr.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        seen = b""
        while b"quit" not in seen:
            self.assertTrue(select.select([master], [], [], WAIT_S)[0], seen)
            seen += os.read(master, 4096)
        return process, master

    def test_terminal_that_has_gone_is_the_end(self):
        process, master = self.begin()
        os.close(master)
        self.assertEqual(process.wait(WAIT_S), 2)
        self.assertIn("the terminal has gone", process.stderr.read())

    def test_ignored_signals_stay_ignored(self):
        process, master = self.begin([signal.SIGHUP, signal.SIGINT])
        self.addCleanup(os.close, master)
        for number in (signal.SIGHUP, signal.SIGINT):
            process.send_signal(number)
        time.sleep(1)
        self.assertIsNone(process.poll())
        os.write(master, b"q")
        self.assertEqual(process.wait(WAIT_S), 0)


def has_screen():
    done = subprocess.run([BINARY, "step", "fold", "--device", "sim"], text=True, check=False,
                          stdin=subprocess.DEVNULL, stderr=subprocess.PIPE)
    return "not in this build" not in done.stderr


if __name__ == "__main__":
    if not shutil.which("tmux") or not has_screen():
        print("skipped: there is no %s" % ("screen in this build" if shutil.which("tmux") else "tmux"))
        sys.exit(SKIPPED)
    unittest.main()
