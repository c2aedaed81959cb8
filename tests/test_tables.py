#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Documents and the schema have the hazards, types, operations, devices and formats of the tables, and no others.

usage: test_tables.py"""
import contextlib
import io
import pathlib
import re
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / 'tools'))
import lists  # noqa: E402
from lists import HALVES, HAZARDS, OPERATIONS, TYPES, read  # noqa: E402


class Tables(unittest.TestCase):
    def test_tables_have_rows(self):
        self.assertGreater(len(HAZARDS), 20)
        self.assertEqual((TYPES[0], OPERATIONS[0]), ('i32', 'sum'))
        self.assertEqual(HALVES, TYPES[-len(HALVES):])
        self.assertEqual((lists.DEVICES[0], lists.FORMATS[0]), ('auto', 'text'))

    def test_sentences_of_hazards_are_sentences(self):
        for name, sentence in HAZARDS.items():
            self.assertRegex(sentence, r'\A[A-Z][^.]{20,}\.\Z', name)
        self.assertEqual(len(set(HAZARDS.values())), len(HAZARDS))

    def test_man_page_names_all_hazards(self):
        page = read('docs/reductio.1.scd')
        section = page.partition('\n# HAZARDS\n')[2].partition('\n## ')[0]
        named = set(re.findall(r'\*([a-z]+(?:-[a-z]+)*)\*', section))
        self.assertEqual(named, set(HAZARDS))

    def test_documents_and_the_schema_have_the_lists_of_the_tables(self):
        self.assertEqual(list(lists.stale()), [], 'run meson compile -C BUILD records')

    def test_a_list_that_is_another_is_seen(self):
        schema, last = read('traces/schema.json'), f'"{TYPES[-1]}"'
        try:
            changed = [(path, place, names.replace(last, last + ', "i128"')) for path, place, names in lists.LISTS]
            lists.LISTS, kept = changed, lists.LISTS
            self.assertEqual(list(lists.stale()), ['traces/schema.json'])
            self.assertEqual(lists.made('traces/schema.json'), schema.replace(last + ']', last + ', "i128"]'))
        finally:
            lists.LISTS = kept

    def test_lists_refuses_arguments_that_it_does_not_know(self):
        for arguments in (['--help'], ['--check', 'x'], ['']):
            with contextlib.redirect_stderr(io.StringIO()) as told:
                self.assertEqual(lists.main(arguments), 2, arguments)
            self.assertIn('usage: lists.py', told.getvalue())

    def test_kernels_have_the_kinds_of_the_table(self):
        """element.h says once more what a type is, for the preprocessor."""
        facts = dict(re.findall(r'^#define RD_KIND_(\w+) +(\w+)$', read('kernels/element.h'), re.M))
        self.assertEqual(facts, {row[0]: row[-1] for row in lists.rows('kernels/element_types.h')})

    def test_files_that_contributors_are_sent_to_are_there(self):
        section = read('CONTRIBUTING.md').partition('\n## What to touch to add something\n')[2].partition('\n## ')[0]
        table = [line for line in section.split('\n') if line.startswith('| a')]
        self.assertEqual(len(table), 6)
        paths = [path for line in table for path in re.findall(r'`([\w/.<>]+)`', line)]
        self.assertGreater(len(paths), 20)
        for path in paths:
            self.assertTrue(list(ROOT.glob(re.sub(r'<\w+>', '*', path))), path)


if __name__ == '__main__':
    unittest.main()
