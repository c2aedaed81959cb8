#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Hostile programs are contained: they harm neither the machine nor what Reductio says of them. With SANDBOX=off in the
environment they run without, and the tests fail that are of it; the programs are bounded by themselves.

usage: test_sandbox.py REDUCTIO [--alone | --beside] [unittest's arguments]

--alone takes the tests that fill the machine with processes, and so disturb others; --beside all but these."""

import ctypes
import json
import os
import pty
import shutil
import signal
import socket
import subprocess
import sys
import termios
import time
import unittest
import uuid

from check_case import BINARY, HERE, CheckTest
from patience import Process, WAIT_S

MORE = ("--no-sandbox",) if os.environ.get("SANDBOX") == "off" else ()
PRIVATE = "--private", "off"
ATTACK = "it made a system call that no program needs and an attack does"
ARGUMENT = "--arg", "i32[1]:zero"
LIBC = ctypes.CDLL(None, use_errno=True)


def has_landlock():
    return LIBC.syscall(444, None, 0, 1) > 0


def has_namespaces():
    return subprocess.run(["unshare", "-Urpfm", "true"], capture_output=True, check=False).returncode == 0


def processes_with(mark):
    """Lists the processes that have it in their environment."""
    found = []
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open("/proc/%s/environ" % name, "rb") as file:
                if mark.encode() in file.read():
                    found.append(int(name))
        except OSError:
            pass
    return found


class SandboxTest(CheckTest):
    """As initialisation of a file that is checked."""

    def setUp(self):
        super().setUp()
        for name in os.listdir(os.path.join(HERE, "hostile_cu")):
            shutil.copy(os.path.join(HERE, "hostile_cu", name), self.folder)
        self.mark = "mark-%s" % uuid.uuid4()

    def arguments(self, name, *more):
        return ["check", name + ".cu", "--kernel", "k", "--grid", "1", "--block", "1", *ARGUMENT, *PRIVATE, *MORE, *more]

    def hostile(self, name, *more, status=None, prefix=(), pass_fds=(), **environment):
        done = subprocess.run([*prefix, BINARY, *self.arguments(name, *more)], cwd=self.folder,
                              env=dict(self.environment, HOSTILE_MARK=self.mark, **environment), capture_output=True,
                              text=True, errors="replace", timeout=WAIT_S, check=False, pass_fds=pass_fds)
        self.assertEqual(processes_with(self.mark), [], "left behind")
        if status is not None:
            self.assert_status(done, status)
        return done

    def assert_clean(self, done):
        self.assert_status(done, 0)
        self.assertIn("k: 0 hazards in 1 thread", done.stdout)

    def assert_stopped(self, done, words):
        """The sandbox has ended it, and says why."""
        self.assert_status(done, 2)
        self.assertIn("it was stopped: " + words, done.stderr)
        self.assertNotIn("0 hazards", done.stdout)

    def assert_nothing_done(self, done, *but):
        """What the program has tried was refused."""
        tried = [line for line in done.stderr.splitlines() if ": " in line]
        self.assertTrue(tried)
        for line in tried:
            what, how = line.split(": ", 1)
            (self.assertEqual if what in but else self.assertNotEqual)(how, "done", line)

    @staticmethod
    def without(*calls, number=38):
        """A prefix that runs a program on a kernel that lacks system calls: ENOSYS."""
        return [sys.executable, os.path.join(HERE, "without_calls.py"), str(number), ",".join(map(str, calls)), "--"]


class ProgramTest:
    """The same, as the main function of a program: before the class that it changes."""

    def arguments(self, name, *more):
        return ["run", "-DIN_MAIN", name + ".cu", *MORE, *more]

    def assert_clean(self, done):
        self.assert_status(done, 3)
        self.assertRegex(done.stdout, "INCONCLUSIVE .*: exit status 0, 0 launches, 0 hazards: no invariant was asserted\n")

    def assert_stopped(self, done, words):
        self.assert_status(done, 3)
        self.assertIn("not looked at: it was stopped: " + words, done.stdout)
        self.assertIn(": stopped by the sandbox, 0 launches", done.stdout)


class Bombs(SandboxTest):
    """Fill the machine with processes where nothing contains them."""

    def test_a_fork_bomb_is_stopped(self):
        self.assert_stopped(self.hostile("fork_bomb", "--processes", "50"), "it had more than 50 processes and threads")

    def test_so_are_threads(self):
        self.assert_stopped(self.hostile("threads", "--processes", "50"), "it had more than 50 processes and threads")

    def test_siblings_and_processes_far_below_are_seen(self):
        done = self.hostile("siblings", "--processes", "150")
        self.assert_stopped(done, "it had more than 150 processes and threads")
        self.assertRegex(done.stderr, "sibling: (?!done)")


class Processes(SandboxTest):
    def test_nothing_is_left_behind(self):
        start = time.monotonic()
        self.assert_clean(self.hostile("daemon"))
        self.assertLess(time.monotonic() - start, WAIT_S)

    def is_contained(self):
        """Tells whether one of the processes has a filter of system calls."""
        for process in processes_with(self.mark):
            try:
                with open("/proc/%d/status" % process, encoding="utf-8") as file:
                    if "Seccomp:\t2\n" in file.read():
                        return True
            except OSError:
                pass
        return False

    def test_nothing_is_left_when_reductio_is_killed(self):
        with Process([BINARY, *self.arguments("endless")], cwd=self.folder,
                              env=dict(self.environment, HOSTILE_MARK=self.mark), stderr=subprocess.DEVNULL,
                              stdout=subprocess.DEVNULL) as process:
            end = time.monotonic() + WAIT_S
            while not self.is_contained() and time.monotonic() < end and process.poll() is None:
                time.sleep(0.05)
            self.assertIsNone(process.poll(), "it had ended before")
            process.kill()
        while processes_with(self.mark) and time.monotonic() < end:
            time.sleep(0.05)
        self.assertEqual(processes_with(self.mark), [])
        for name in os.listdir(self.folder):
            if name.startswith("reductio-"):
                shutil.rmtree(os.path.join(self.folder, name))

    def test_an_endless_program_is_stopped(self):
        done = self.hostile("endless", "--timeout", "1")
        self.assertIn("stopped after 1 s", done.stdout + done.stderr)
        self.assertIn(done.returncode, (2, 3))

    def test_other_processes_are_out_of_reach(self):
        with Process(["sleep", "60"], start_new_session=True) as other:
            try:
                done = self.hostile("others", HOSTILE_TARGET=str(other.pid), HOSTILE_PARENT=str(os.getpid()))
                self.assert_clean(done)
                self.assert_nothing_done(done)
                self.assertIsNone(other.poll(), "killed")
            finally:
                other.kill()

    def test_tracing_ends_the_program(self):
        with Process(["sleep", "60"], start_new_session=True) as other:
            try:
                done = self.hostile("ptrace", HOSTILE_TARGET=str(other.pid))
                self.assert_stopped(done, ATTACK)
                self.assertNotIn("ptrace: done", done.stderr)
            finally:
                other.kill()


class Memory(SandboxTest):
    def test_memory_is_limited(self):
        self.assert_stopped(self.hostile("memory", "--memory", "256M"), "it took more than 256.0 MiB of memory (--memory)")

    def test_the_private_folder_is_limited_and_files_are(self):
        done = self.hostile("disk", "--memory", "64M")
        self.assert_clean(done)
        self.assertRegex(done.stderr, "raise: (?!done)")
        self.assertRegex(done.stderr, "large: (?!done)")
        if has_namespaces():
            self.assertIn("wrote 16\n", done.stderr)


class Files(SandboxTest):
    def setUp(self):
        super().setUp()
        self.file = os.path.join(self.folder, "mine.txt")
        self.write("mine.txt", "mine")
        self.before = os.stat(self.file)

    def assert_untouched(self):
        after = os.stat(self.file)
        for name in ("st_mode", "st_nlink", "st_size", "st_mtime_ns", "st_ino", "st_ctime_ns"):
            self.assertEqual(getattr(after, name), getattr(self.before, name), name)
        self.assertFalse(os.path.lexists(self.file + ".other"))

    def test_a_file_is_read_and_no_more(self):
        done = self.hostile("files", HOSTILE_FILE=self.file)
        self.assert_clean(done)
        self.assert_untouched()
        self.assert_nothing_done(done, "read")

    def test_without_landlock_file_systems_are_read_only(self):
        if not has_namespaces():
            self.skipTest("no namespaces")
        done = self.hostile("files", HOSTILE_FILE=self.file, prefix=self.without(444))
        self.assert_clean(done)
        self.assert_untouched()
        self.assertNotIn("not contained", done.stdout)

    def test_a_program_writes_in_its_own_folder_alone(self):
        folder = os.path.join(self.folder, "named")
        os.mkdir(folder)
        done = self.hostile("writes", HOSTILE_FOLDER=folder)
        self.assert_clean(done)
        self.assert_nothing_done(done, "own", "null")
        self.assertEqual(os.listdir(folder), [])
        self.assertFalse(os.path.exists(os.path.join(self.folder, "hostile.txt")))

    def test_descriptors_of_the_parent_are_not_inherited(self):
        with open(os.path.join(self.folder, "secret"), "w+", encoding="utf-8") as file:
            file.write("secret")
            file.flush()
            done = self.hostile("inherited", pass_fds=(file.fileno(),))
        self.assert_clean(done)
        self.assertNotIn("secret", done.stderr)


class Calls(SandboxTest):
    def test_there_is_no_network(self):
        path = os.path.join(self.folder, "socket")
        with socket.socket() as tcp, socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as udp, \
                socket.socket(socket.AF_UNIX) as local:
            tcp.bind(("127.0.0.1", 0))
            udp.bind(tcp.getsockname())
            local.bind(path)
            tcp.listen()
            local.listen()
            done = self.hostile("network", HOSTILE_PORT=str(tcp.getsockname()[1]), HOSTILE_SOCKET=path)
        self.assert_clean(done)
        self.assert_nothing_done(done)

    def test_there_are_no_privileges(self):
        done = self.hostile("mounts")
        self.assert_clean(done)
        self.assert_nothing_done(done)

    def test_a_mount_ends_the_program(self):
        done = self.hostile("mount", HOSTILE_FOLDER=self.folder)
        self.assert_stopped(done, ATTACK)
        self.assertNotIn("mount: ", done.stderr.replace("umount: ", ""))

    @unittest.skipUnless(os.uname().machine == "x86_64", "of another processor")
    def test_so_do_calls_of_other_architectures(self):
        self.assert_stopped(self.hostile("x32"), ATTACK)
        done = self.hostile("i386")  # some kernels know no such calls, and end it themselves
        self.assertNotIn("int 0x80", done.stderr)

    def test_a_program_without_harm_has_what_it_needs(self):
        done = self.hostile("harmless")
        self.assert_clean(done)
        self.assertIn("thread 1, process 7, reading 1, mapping 1\n", done.stderr)
        self.assertIn("from a shell\n", done.stderr)
        self.assertIn("kill itself: 0\n", done.stderr)


class BombsOfPrograms(ProgramTest, Bombs):
    pass


class ProcessesOfPrograms(ProgramTest, Processes):
    pass


class MemoryOfPrograms(ProgramTest, Memory):
    pass


class FilesOfPrograms(ProgramTest, Files):
    def test_a_folder_that_is_named_is_written_to(self):
        folder = os.path.join(self.folder, "named")
        os.mkdir(folder)
        for prefix in ((), self.without(444)):
            with self.subTest(prefix):
                done = self.hostile("writes", "--write", "named", prefix=prefix, HOSTILE_FOLDER=folder)
                self.assert_clean(done)
                self.assert_nothing_done(done, "own", "null", "named")
                with open(os.path.join(folder, "written"), encoding="utf-8") as file:
                    self.assertEqual(file.read(), "hostile\n")
                os.unlink(os.path.join(folder, "written"))

    def test_a_folder_that_is_not_there_is_told(self):
        self.assert_refused(self.hostile("writes", "--write", "nowhere"), "'--write nowhere' names no directory")


class CallsOfPrograms(ProgramTest, Calls):
    pass


class Verdict(SandboxTest):
    RACE = '#include "verdict.cu"\n__global__ void race(int *a) { a[0] = threadIdx.x; }\n'

    def test_a_verdict_of_its_own_is_not_the_last(self):
        self.write("race.cu", self.RACE)
        done = self.check("--kernel", "race", *ARGUMENT, *PRIVATE, *MORE, file="race.cu", shape=("--grid", "1", "--block", "2"))
        self.assert_status(done, 1)
        self.assertTrue(done.stdout.splitlines()[-1].startswith("race: 1 hazard in 2 threads: race 1"), done.stdout)

    def test_a_program_that_closes_all_is_not_clean(self):
        done = self.hostile("descriptors", status=2)
        self.assertNotIn("0 hazards", done.stdout)

    def test_a_record_of_its_own_is_none(self):
        done = self.hostile("record", status=2)
        self.assertNotIn("0 hazards", done.stdout)
        self.assertIn("the initialisation of 'record.cu' has ended the process: no thread has run", done.stderr)

    def on_terminal(self, name):
        """Runs it on a terminal of its own: what was written there, and the modes before and after."""
        parent, child = pty.openpty()
        before = termios.tcgetattr(child), os.get_blocking(child)
        with Process([BINARY, *self.arguments(name)], cwd=self.folder, env=self.environment, stdin=child,
                              stdout=child, stderr=child, start_new_session=True) as process:
            os.set_blocking(parent, False)
            written, end = b"", time.monotonic() + WAIT_S
            while time.monotonic() < end:
                ended = process.poll() is not None
                try:
                    written += os.read(parent, 1 << 16)
                except BlockingIOError:
                    if ended:
                        break
                    time.sleep(0.01)
        after = termios.tcgetattr(child), os.get_blocking(child)
        os.close(child)
        os.close(parent)
        return written.decode(errors="replace"), before, after

    def test_the_terminal_is_as_it_was(self):
        written, before, after = self.on_terminal("terminal")
        self.assertEqual(before, after)
        self.assertRegex(written, "type: (?!done)")
        self.assertIn("modes: done", written)

    def test_the_verdict_stands_on_a_screen_that_shows_it(self):
        written, _, _ = self.on_terminal("verdict")
        reset = written.rindex("\x1b[?1049l")
        self.assertGreater(reset, written.rindex("\x1b[?1049h"))
        self.assertGreater(written.rindex("\x1b[0m"), written.rindex("\x1b[8m"))
        self.assertGreater(written.rindex("k: 0 hazards in 1 thread"), written.rindex("\x1b[J"))


class VerdictOfPrograms(ProgramTest, SandboxTest):
    def test_a_verdict_of_its_own_is_not_the_last(self):
        done = self.hostile("verdict")
        self.assert_clean(done)
        self.assertEqual(done.stdout.splitlines()[-1], "INCONCLUSIVE verdict.cu: exit status 0, 0 launches, 0 hazards: "
                         "no invariant was asserted")

    def test_in_a_file_it_is_at_the_end(self):
        path = os.path.join(self.folder, "out")
        with open(path, "w", encoding="utf-8") as file:
            subprocess.run([BINARY, *self.arguments("rewind")], cwd=self.folder, env=self.environment, stdout=file,
                           timeout=WAIT_S, check=False)
        with open(path, encoding="utf-8") as file:
            lines = file.read().splitlines()
        self.assertTrue(lines[-1].startswith("INCONCLUSIVE rewind.cu: exit status 0"), lines)
        self.assertEqual(lines[-2], "HOLDS rewind.cu: all of it")

    def test_a_program_that_closes_all_is_not_clean(self):
        done = self.hostile("descriptors", status=3)
        self.assertIn("not all was looked at", done.stdout)

    def test_kernels_of_another_process_are_not_looked_at(self):
        done = self.hostile("elsewhere", status=3)
        self.assertIn("not looked at: kernels that a process of the program's own making has launched\n", done.stdout)
        self.assertIn("not all was looked at", done.stdout.splitlines()[-1])

    def test_a_recording_of_its_own_is_none(self):
        for name in ("recording", "unsaid"):
            with self.subTest(name):
                done = self.hostile(name)
                self.assertIn("not all was looked at", done.stdout)
                self.assertIn(done.returncode, (1, 3))


class Compiling(SandboxTest):
    def test_a_file_that_takes_the_disk_is_refused(self):
        self.write("large.cu", "char large[1ull << 34] = {1};\n__global__ void k(int *a) {}\n")
        done = self.hostile("large", status=2, prefix=["bash", "-c", 'ulimit -f 100000; exec "$0" "$@"'])
        self.assertIn("File too large", done.stderr)


class Told(SandboxTest):
    def report_of(self, name, *more, prefix=()):
        done = self.hostile(name, "--json", *more, prefix=prefix)
        report = json.loads(done.stdout)
        return report["contained"], report["not_contained"]

    @unittest.skipUnless(has_landlock() and has_namespaces(), "the kernel lacks some of it")
    def test_nothing_is_missing_where_the_kernel_has_all(self):
        self.assertEqual(self.report_of("harmless"), (True, None))

    def test_no_sandbox_is_said(self):
        done = self.hostile("harmless", "--no-sandbox")
        self.assertIn("not contained: anything: --no-sandbox\n", done.stdout)
        self.assertIn("; not, or not all, contained", done.stdout.splitlines()[-1])
        self.assertEqual(self.report_of("harmless", "--no-sandbox"), (False, "anything: --no-sandbox"))

    def test_what_the_kernel_lacks_is_said(self):
        unshare, landlock, seccomp = 272, 444, 317
        for calls, *said in (((unshare,), "processes left behind faster than they are ended: no namespace"),
                             ((unshare, landlock), "writing files: the kernel has no Landlock", "processes left behind"),
                             ((seccomp,), "system calls and the network: the kernel has no seccomp")):
            with self.subTest(calls):
                contained, missing = self.report_of("harmless", prefix=self.without(*calls))
                self.assertIs(contained, False)
                for words in said:
                    self.assertIn(words, missing)

    def test_without_namespaces_other_means_contain_it(self):
        prefix = self.without(272)
        self.assert_clean(self.hostile("daemon", prefix=prefix))
        self.assert_stopped(self.hostile("fork_bomb", "--processes", "50", prefix=prefix), "it had more than 50")
        with Process(["sleep", "60"], start_new_session=True) as other:
            try:
                done = self.hostile("others", HOSTILE_TARGET=str(other.pid), HOSTILE_PARENT=str(os.getpid()), prefix=prefix)
                self.assert_nothing_done(done)
                self.assertIsNone(other.poll(), "killed")
            finally:
                other.kill()
        self.assertIn("thread 1, process 7", self.hostile("harmless", prefix=prefix).stderr)

    def test_options_that_can_not_be_taken_are_told(self):
        for option, value, words in (("--memory", "1", "use at least 64M"), ("--processes", "2", "use a number from 16 on")):
            self.assert_refused(self.hostile("harmless", option, value), option, words)


class Selection(unittest.TestLoader):
    def __init__(self, fills_the_machine):
        super().__init__()
        self.fills_the_machine = fills_the_machine

    def loadTestsFromTestCase(self, testCaseClass):
        if issubclass(testCaseClass, Bombs) != self.fills_the_machine:
            return self.suiteClass()
        return super().loadTestsFromTestCase(testCaseClass)


if __name__ == "__main__":
    signal.signal(signal.SIGTTOU, signal.SIG_IGN)
    LOADER = unittest.defaultTestLoader
    if sys.argv[1:2] in (["--alone"], ["--beside"]):
        LOADER = Selection(sys.argv.pop(1) == "--alone")
    unittest.main(testLoader=LOADER)
