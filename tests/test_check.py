#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The options of reductio check, on kernels small enough to see what they change.
test_check.py REDUCTIO"""
import os
import subprocess
import sys
import tempfile
import unittest

BINARY = sys.argv.pop(1)

ALLOCATES = r"""
#include <cstdlib>
__global__ void allocates(int *got)
{
    void *p = malloc(1 << 20);
    *got = p != NULL;
    free(p);
}

__global__ void takes_all(int *got)
{
    *got = 0;
    for (int k = 0; k < 3; k++) {
        char *all = new char[16];
        *got += all && !malloc(1);
        delete[] all;
    }
}
"""


class CheckTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="reductio-")
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def path(self, name):
        return os.path.join(self.folder, name)

    def check(self, text, kernel, *arguments):
        """Runs check on a kernel of a file of this text."""
        with open(self.path("kernels.cu"), "w", encoding="utf-8") as file:
            file.write(text)
        return subprocess.run([BINARY, "check", self.path("kernels.cu"), "--kernel", kernel,
                               *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              text=True, timeout=120, check=False)


class HeapTest(CheckTest):
    def got(self, kernel, *arguments):
        done = self.check(ALLOCATES, kernel, "--block", "1", "--arg", "i32[1]:zero",
                          "--print", "0", *arguments)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout.splitlines()[-1]

    def test_malloc_takes_what_the_heap_has(self):
        self.assertEqual(self.got("allocates"), "1")
        self.assertEqual(self.got("allocates", "--heap", "1M"), "1")
        self.assertEqual(self.got("allocates", "--heap", "1048575"), "0")

    def test_the_smallest_heap_can_be_used_to_its_end_again_and_again(self):
        self.assertEqual(self.got("takes_all", "--heap", "16"), "3")

    def test_a_heap_of_nothing_is_refused(self):
        done = self.check(ALLOCATES, "allocates", "--block", "1", "--heap", "0")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("reductio: '--heap' is 0", done.stderr)
        self.assertIn("use at least 16", done.stderr)


if __name__ == "__main__":
    unittest.main()
