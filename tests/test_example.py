#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The project of docs/example, built with the library as it is installed, and its tests, which pass; and fail where their
kernels are exchanged.

usage: test_example.py BUILD [unittest's arguments]"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

from patience import WAIT_S

BUILD = os.path.abspath(sys.argv.pop(1))
EXAMPLE = pathlib.Path(__file__).resolve().parent.parent / "docs/example"
MESON = shutil.which("meson")


@unittest.skipUnless(MESON, "no meson")
class ExampleTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="reductio-")
        cls.addClassCleanup(folder.cleanup)
        subprocess.run([MESON, "install", "-C", BUILD, "--no-rebuild", "--quiet", "--destdir", folder.name], check=True)
        package, = pathlib.Path(folder.name).rglob("reductio.pc")
        # As if it were installed where it is.
        text = package.read_text(encoding="utf-8")
        prefix = next(line for line in text.splitlines() if line.startswith("prefix="))
        package.write_text(text.replace(prefix, f"prefix={folder.name}{prefix.removeprefix('prefix=')}"), encoding="utf-8")
        cls.package, cls.library = str(package.parent), str(package.parent.parent)

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="reductio-")
        self.addCleanup(folder.cleanup)
        self.project = os.path.join(folder.name, "example")
        shutil.copytree(EXAMPLE, self.project)

    def meson(self, *arguments):
        environment = dict(os.environ, PKG_CONFIG_PATH=self.package, LD_LIBRARY_PATH=self.library)
        for name in ("MESON_TEST_ITERATION", "MESON_SOURCE_ROOT", "MESON_BUILD_ROOT"):
            environment.pop(name, None)
        return subprocess.run([MESON, *arguments], cwd=self.project, env=environment, text=True, check=False,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=WAIT_S)

    def build_and_test(self):
        done = self.meson("setup", "build")
        self.assertEqual(done.returncode, 0, done.stdout)
        done = self.meson("compile", "-C", "build")
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertNotIn("warning", done.stdout)
        return self.meson("test", "-C", "build", "--print-errorlogs")

    def test_example_passes(self):
        done = self.build_and_test()
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertRegex(done.stdout, r"Ok: +1 *\n")

    def test_example_fails_with_another_kernel(self):
        path = pathlib.Path(self.project, "test_reductions.c")
        text = path.read_text(encoding="utf-8")
        self.assertIn('"fold:missing-guard"', text)
        path.write_text(text.replace('"fold:missing-guard"', '"fold"'), encoding="utf-8")
        line = next(k for k, text in enumerate(text.splitlines(), 1) if "rd_assert_violated_at(&run, 2, 2)" in text)
        done = self.build_and_test()
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("cell 2 is not the first wrong one of round 2", done.stdout)
        self.assertIn(f"test_reductions.c:{line}: error: Failure!", done.stdout)
        self.assertIn("HOLDS fold n=8 i32", done.stdout)


if __name__ == "__main__":
    unittest.main()
