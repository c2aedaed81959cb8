#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""tools/kernels.py: what the host knows of kernels comes out of their files, and what is amiss there is refused.

usage: test_kernel_tables.py BUILD
"""
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent
TABLES = ROOT / 'tools/kernels.py'
sys.path.insert(0, str(ROOT / 'tools'))
import lists  # noqa: E402

ADD = """// SPDX-License-Identifier: MIT
/* LAUNCHABLE(not_this, elem *) CHECKPOINT(NOR_THIS, x, 1, 1) */
#include "kernel.h"

EXTERN_C __global__ void NAME(add)(const elem *a, elem *A, size_t n)
{
    CHECKPOINT(FIRST_POINT, A, n, 1);
}
LAUNCHABLE(add, const elem *, elem *, size_t)
"""

COUNT = """#define LOOP(name, POINT) \\
    static void name(void)    \\
    {                         \\
        CHECKPOINT_LANE(POINT, x, 1); \\
        CHECKPOINT_LANE(ITS_OWN, x, 1); \\
    }
LOOP(one, SECOND_POINT)
LOOP(other, THIRD_POINT)
EXTERN_C __global__ void NAME(count)(unsigned *ticket)
{
    CHECKPOINT(FIRST_POINT, A, n, 1);
    x = OP(x, y);
}
LAUNCHABLE_COMMUNICATING(count, unsigned *)

ALSO_OF_HALVES
"""


class KernelTables(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix='reductio-')
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name) / 'kernels'
        self.folder.mkdir()

    def make(self, what, **files):
        """The status, what it said, and the rows of each table, without blanks."""
        paths = []
        for name, text in files.items():
            paths.append(self.folder / (name + '.cu'))
            paths[-1].write_text(text, encoding='utf-8')
        output = self.folder / 'made.h'
        tables = {'list': ['kernels.h'], 'units': ['element_types.h', 'operations.h']}[what]
        more = ['i32,u64'] if what == 'units' else []
        done = subprocess.run([TABLES, what, output, *more, *(ROOT / 'kernels' / table for table in tables), *paths],
                              capture_output=True, text=True, check=False)
        if done.returncode != 0:
            self.assertFalse(output.exists())
            return done.stderr
        text = output.read_text(encoding='utf-8')
        return {name: [row.replace(' ', '') for row in re.findall(r'X\((.*)\)', rows)]
                for name, rows in re.findall(r'#define (\w+)\(X\)((?:.*\\\n)*.*)', text)}

    def test_rows_come_out_of_the_files(self):
        self.assertEqual(self.make('list', add=ADD, count=COUNT), {
            'RD_KERNELS': ['add,ADD,false,RD_PARAM_CONST_ELEMS,RD_PARAM_ELEMS,RD_PARAM_SIZE', 'count,COUNT,true,RD_PARAM_UNSIGNED'],
            'RD_POINTS': ['first_point,FIRST_POINT', 'second_point,SECOND_POINT', 'third_point,THIRD_POINT', 'its_own,ITS_OWN'],
        })

    def test_units_are_of_all_types_and_those_of_any_operation_of_each(self):
        units = self.make('units', add=ADD, count=COUNT)
        with_halves = [f'{name},{name.upper()}' for name in lists.TYPES]
        types = with_halves[:-len(lists.HALVES)]
        self.assertEqual(units['RD_KERNEL_UNITS'], [*(f'add,ADD,{row}' for row in types), *(f'count,COUNT,{row}' for row in with_halves)])
        self.assertEqual(units['RD_KERNEL_UNITS_TRACED'], [f'{kernel},{row}' for kernel in ('add,ADD', 'count,COUNT') for row in (types[0], types[3])])
        for name, build, rows in (('max', 'over', with_halves), ('xor', 'over', types[:4]), ('argmin', 'selecting', types)):
            self.assertEqual([row for row in units['RD_KERNEL_UNITS_OVER'] if f',{name},' in row],
                             [f'count,COUNT,{name},{name.upper()},{row},{build},count' for row in rows])
        self.assertFalse([row for row in units['RD_KERNEL_UNITS_OVER'] if ',sum,' in row or row.startswith('add')])

    def test_families_are_told_by_what_they_use(self):
        names = {'add': ADD, 'count': COUNT, 'none': '/* CHECKPOINT(X, a, 1, 1) = OP(x, y) */\n', 'short': 'x = OP(x, y); GRID_SYNC();'}
        paths = []
        for name, text in names.items():
            paths.append(self.folder / (name + '.cu'))
            paths[-1].write_text(text, encoding='utf-8')
        done = subprocess.run([TABLES, 'families', *paths], capture_output=True, text=True, check=True)
        self.assertEqual(done.stdout, 'add observed\ncount operation observed halves\nnone\nshort operation grid\n')

    def test_what_is_amiss_is_refused_with_its_line(self):
        for says, text in (
                (r"kernels/bad\.cu:5: 'add' can't be launched: write LAUNCHABLE\(add, TYPE, \.\.\.\) under it",
                 ADD.replace('LAUNCHABLE(add, const elem *, elem *, size_t)\n', '')),
                (r"kernels/bad\.cu:9: 'float \*' of 'add' is no type that the host passes: use elem \*, const elem \*",
                 ADD.replace('const elem *, elem *, size_t)', 'float *, elem *, size_t)')),
                (r"kernels/bad\.cu:9: 'ad' is no kernel above", ADD.replace('LAUNCHABLE(add,', 'LAUNCHABLE(ad,')),
                (r"kernels/bad\.cu:9: 'LAUNCHABLE' is not of one line", ADD.replace('elem *, size_t)\n', 'elem *,\n    size_t)\n')),
                (r"kernels/bad\.cu:10: 'add' is no kernel above that is not launchable yet", ADD + 'LAUNCHABLE(add, elem *)\n')):
            with self.subTest(says=says):
                self.assertRegex(self.make('list', bad=text), r'\Akernels\.py: ' + says)
        seen = [ADD.replace('    CHECKPOINT(FIRST_POINT, A, n, 1);', f'    {line};')
                for line in ('A[n] = sum(a, n)', '*A = sum(a, n)', 'elem x = sum(A[n])', 'elem x = sum(n, A[n])')]
        for text in seen:
            self.assertRegex(self.make('list', bad=text + 'ALSO_OF_HALVES\n'),
                             r"\Akernels\.py: kernels/bad\.cu:7: 'sum' takes an element from memory, or leaves one there")
        self.assertRegex(self.make('list', one=ADD, other=ADD), "'add' is a kernel of '.*one.cu' and of '.*other.cu': rename one")
        for text in seen:
            self.assertIn('RD_KERNELS', self.make('list', of_words=text))

    def test_build_has_all_families(self):
        """A new file is taken up when Meson configures."""
        listed = (pathlib.Path(self.build) / 'kernels/kernel_list.h').read_text(encoding='utf-8')
        for path in sorted((ROOT / 'kernels').glob('*.cu')):
            for kernel in re.findall(r'^LAUNCHABLE\w*\((\w+),', path.read_text(encoding='utf-8'), re.M):
                self.assertIn(f' X({kernel}, ', listed, f"'{path.name}' is not in this build: run meson setup --reconfigure {self.build}")


if __name__ == '__main__':
    KernelTables.build = sys.argv.pop(1)
    unittest.main()
