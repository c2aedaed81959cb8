#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The headers that users' files are compiled with, and what GCC keeps of them, in the user's cache: they are the same as without
one, whatever has become of them.

usage: test_header_cache.py REDUCTIO [unittest's arguments]"""

import glob
import os
import re
import subprocess
import unittest

from cli_case import BINARY, CliTest
from patience import WAIT_S

# A race behind a function of the simulator's headers, whose line is the user's.
RACE = """#include <cmath>
#include <cuda_runtime.h>
__global__ void all_write(float *a) {
    atomicExch(&a[1], 1.0f);
    a[0] = std::fabs((float)threadIdx.x);
}
"""
LINE = "race.cu:5" if os.environ.get("RD_TEST_LINES") != "no" else "write-write"


def uses_gcc():
    done = subprocess.run([*os.environ.get("CXX", "g++").split(), "-E", "-dM", "-x", "c++", "/dev/null"],
                          capture_output=True, text=True, check=False)
    return "__clang__" not in done.stdout


class HeaderCache(CliTest):
    def setUp(self):
        super().setUp()
        self.file = self.path("race.cu")
        with open(self.file, "w", encoding="utf-8") as file:
            file.write(RACE)

    def check(self, *options, cache=None):
        """What is said of the file: twice the same, with the cache of the name, or the test's own."""
        done = self.cli("check", self.file, "--kernel", "all_write", "--grid", "1", "--block", "64", "--arg", "f32[4]:zero", *options,
                        environment={"XDG_CACHE_HOME": cache or self.path("cache")})
        return done.returncode, done.stdout, done.stderr

    def kept(self, name):
        return sorted(glob.glob(os.path.join(self.path("cache"), "reductio", "headers", "*", name)))

    def fill(self):
        """Returns what is said from an empty cache; and has it filled."""
        first = self.check()
        for _ in range(2):
            self.assertEqual(self.check(), first)
        self.assertEqual(len(self.kept("reductio_cuda.hpp")), 1)
        return first

    def test_the_same_is_said_with_and_without(self):
        first = self.fill()
        self.assertEqual(first[0], 1)
        self.assertIn(LINE, first[1])
        self.assertEqual(self.check(cache="/dev/null"), first)
        self.assertEqual(self.check(cache="not/from/the/root"), first)

    def test_folder_that_others_may_write_is_not_used(self):
        os.makedirs(self.path("cache/reductio/headers"))
        os.chmod(self.path("cache/reductio/headers"), 0o777)
        self.assertIn(LINE, self.check()[1])
        self.assertEqual(self.kept("reductio_cuda.hpp"), [])

    def test_umask_is_no_matter(self):
        self.addCleanup(os.umask, os.umask(0o002))
        self.fill()
        first = [os.stat(path).st_ino for path in self.kept("reductio_cuda.hpp") + self.kept("precompiled/*/gch/*.gch")]
        self.check()
        self.assertEqual([os.stat(path).st_ino for path in self.kept("reductio_cuda.hpp") + self.kept("precompiled/*/gch/*.gch")], first)

    def test_several_that_begin_at_once(self):
        command = [BINARY, "check", self.file, "--kernel", "all_write", "--grid", "1", "--block", "64", "--arg", "f32[4]:zero"]
        environment = {**self.environment, "XDG_CACHE_HOME": self.path("cache")}
        for _ in range(2):
            started = [subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
                       for _ in range(4)]
            said = {process.communicate(timeout=WAIT_S)[0] for process in started}
            self.assertEqual(len(said), 1, said)
            self.assertIn(LINE, said.pop())
        left = os.listdir(os.path.join(self.path("cache"), "reductio", "headers"))
        self.assertEqual(len(left), 1, left)

    def test_headers_that_were_lost_or_cut_are_written_again(self):
        first = self.fill()
        lost, cut = self.kept("reductio_math.hpp")[0], self.kept("reductio_cuda.hpp")[0]
        os.remove(lost)
        self.assertEqual(self.check(), first)
        self.assertTrue(os.path.exists(lost))
        with open(cut, "w", encoding="utf-8"):
            pass
        self.assertEqual(self.check(), first)
        self.assertGreater(os.path.getsize(cut), 1000)

    @unittest.skipUnless(uses_gcc(), "GCC alone keeps what it has read")
    def test_what_gcc_keeps_is_made_for_the_second_run_and_again_where_it_was_cut(self):
        first = self.check()
        self.assertEqual(self.kept("precompiled/*/gch/*.gch"), [])
        self.assertEqual(self.check(), first)
        made = self.kept("precompiled/*/gch/*.gch")
        self.assertGreater(len(made), 0)
        for path in made:
            before = os.stat(path)
            os.truncate(path, 100000)
            os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
        self.assertEqual(self.check(), first)
        self.assertEqual(self.kept("precompiled/*/gch/*.gch"), made)
        self.assertGreater(min(map(os.path.getsize, made)), 1000000)

    @unittest.skipUnless(uses_gcc(), "GCC alone keeps what it has read")
    def test_what_gcc_keeps_is_taken(self):
        said, compiler = self.path("said"), self.path("compiler")
        with open(compiler, "w", encoding="utf-8") as script:
            script.write(f'#!/bin/sh\nthis={said}.$$\n{os.environ.get("CXX", "g++")} -H "$@" 2>$this\nstatus=$?\n'
                         f'cat $this >>{said}\ncat $this >&2\nexit $status\n')
        os.chmod(compiler, 0o755)
        self.environment["CXX"] = compiler
        for _ in range(2):
            self.check()
        os.remove(said)
        self.assertIn(LINE, self.check()[1])
        with open(said, encoding="utf-8") as file:
            taken = re.findall(r"^! (.*)$", file.read(), re.M)
        self.assertEqual(sorted(set(taken)), self.kept("precompiled/*/gch/*.gch"))

    @unittest.skipUnless(uses_gcc(), "GCC alone keeps what it has read")
    def test_what_gcc_keeps_is_of_the_files_as_they_are(self):
        first = self.fill()
        for path in self.kept("precompiled/*/files"):
            with open(path, encoding="utf-8") as file:
                lines = file.read()
            self.assertGreater(lines.count("\n"), 50)
            other = re.search(r"^\d+ (\d+)\.\d+ (/usr/.*)$", lines, re.M)  # as if it were another file by now
            with open(path, "w", encoding="utf-8") as file:
                file.write(lines.replace(other[0], other[0].replace(other[1], "1" + other[1])))
        before = {path: os.stat(path).st_ino for path in self.kept("precompiled/*/gch/*.gch")}
        self.assertEqual(self.check(), first)
        for path, inode in before.items():
            self.assertNotEqual(os.stat(path).st_ino, inode)

    @unittest.skipUnless(uses_gcc(), "GCC alone keeps what it has read")
    def test_header_of_the_users_comes_before_what_gcc_keeps(self):
        self.fill()
        os.mkdir(self.path("own"))  # with a header that the simulator's alone include
        with open(self.path("own/limits"), "w", encoding="utf-8") as header:
            header.write("#error these limits are mine\n")
        for _ in range(3):
            status, _, err = self.check("-I", self.path("own"))
            self.assertEqual(status, 2)
            self.assertIn("these limits are mine", err)
        for variable in ("CPATH", "CPLUS_INCLUDE_PATH"):
            self.environment[variable] = self.path("own")
            mine = "these limits are mine"
            without = self.check(cache="/dev/null")  # a compiler may be a script that sets it itself
            for _ in range(2):
                self.assertEqual(mine in self.check()[2], mine in without[2], variable)
            del self.environment[variable]


if __name__ == "__main__":
    unittest.main()
