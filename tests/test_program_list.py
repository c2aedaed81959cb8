#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""tools/programs.py: the list of programs comes out of the files that define them, in the order that these ask for.

usage: test_program_list.py BUILD
"""
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent
LIST = ROOT / 'tools/programs.py'


def defines(*programs):
    return ''.join('const struct rd_program rd_program_%s = {\n};\n' % program for program in programs)


class ProgramList(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix='reductio-')
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def make(self, **files):
        """The programs in order, or what is amiss."""
        paths = []
        for name, text in files.items():
            paths.append(self.folder / (name + '.c'))
            paths[-1].write_text(text, encoding='utf-8')
        output = self.folder / 'made.h'
        done = subprocess.run([LIST, output, *paths], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            self.assertFalse(output.exists())
            return done.stderr.replace(str(self.folder) + '/', '')
        return re.findall(r'X\((\w+)\)', output.read_text(encoding='utf-8').partition('(X)')[2])

    def test_programs_follow_each_other_as_in_their_files(self):
        self.assertEqual(self.make(a=defines('one', 'two'), b='int no_program;\n', c=defines('three') + 'RD_LESSON(three_wrong, three,'),
                         ['one', 'two', 'three', 'three_wrong'])

    def test_comment_places_a_program_and_what_follows_it(self):
        self.assertEqual(self.make(a='/* list: five after two, four after three */\n' + defines('one', 'five', 'six', 'four'),
                                   b='/* list: two after one */\n/* list: seven after six */\n' + defines('two', 'three', 'seven')),
                         ['one', 'two', 'five', 'six', 'seven', 'three', 'four'])

    def test_what_is_amiss_is_refused(self):
        for says, files in (
                ("a.c: 'list: one behind two' is not PROGRAM after PROGRAM", {'a': '/* list: one behind two */\n' + defines('one')}),
                ("a.c: 'list: one after two' names no program", {'a': '/* list: one after two */\n' + defines('one')}),
                ("a.c: 'list: two after one' places a program that is not in this file",
                 {'a': '/* list: two after one */\n' + defines('one'), 'b': defines('two')}),
                ("a.c: 'one' comes behind itself in the list",
                 {'a': '/* list: one after two */\n' + defines('one'), 'b': '/* list: two after one */\n' + defines('two')}),
                ("'one' is a program of 'a.c' and of 'b.c': rename one", {'a': defines('one'), 'b': defines('one')})):
            with self.subTest(says=says):
                self.assertEqual(self.make(**files), 'programs.py: ' + says + '\n')

    def test_build_lists_all_files(self):
        """A new file is taken up when Meson configures."""
        listed = subprocess.run([self.build / 'src/cli/reductio', 'list'], capture_output=True, text=True, check=True).stdout
        n_defined = 0
        for path in sorted((ROOT / 'invariants').glob('*.c')):
            text = path.read_text(encoding='utf-8')
            n_defined += len(re.findall(r'^const struct rd_program|^RD_LESSON\(', text, re.M))
            for name in re.findall(r'^const struct rd_program \w+ = \{\n\s*\.name = "(.*?)"', text, re.M):
                self.assertRegex(listed, r'(?m)^ *%s ' % name,
                                 f"'{path.name}' is not in this build: run meson setup --reconfigure {self.build}")
        self.assertEqual(len(re.findall(r'(?m)^ *[a-z]', listed)), n_defined)


if __name__ == '__main__':
    ProgramList.build = pathlib.Path(sys.argv.pop(1))
    unittest.main()
