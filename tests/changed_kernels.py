# SPDX-License-Identifier: MIT
"""Programs with a kernel that was changed in one place: what their tests share."""
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

from mutants import KERNELS, Build
from patience import WAIT_S


class Compiler(Build):
    """A build folder's compiler, without a look at what its programs launch."""

    def right_programs(self):
        return []


class ChangedKernelsCase(unittest.TestCase):
    build_folder = None  # given by the test's main program

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix='reductio-')
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.build = Compiler(self.build_folder)
        self.reductio = self.folder / 'reductio'
        shutil.copytree(KERNELS, self.folder / 'kernels')

    def change(self, unit, source, old, new, library='sim_kernels_i32'):
        """Builds the program with that unit of a source whose first such text is another."""
        text = (KERNELS / source).read_text(encoding='utf-8')
        self.assertIn(old, text)
        (self.folder / 'kernels' / source).write_text(text.replace(old, new, 1), encoding='utf-8')
        self.assertTrue(self.build.compile(library, unit, self.folder / 'kernels', self.folder / 'unit.o'), new)
        shutil.copy(KERNELS / source, self.folder / 'kernels' / source)
        self.build.link([self.folder / 'unit.o'], self.reductio)

    def run_it(self, arguments, elem_type='i32'):
        """(status, output in one line) of a run in the simulator."""
        done = subprocess.run([self.reductio, 'run', *arguments.split(), '--type', elem_type, '--device', 'sim', '--no-last',
                               '--quiet'], capture_output=True, text=True, check=False, timeout=WAIT_S)
        return done.returncode, re.sub(r'\s+', ' ', done.stdout + done.stderr)
