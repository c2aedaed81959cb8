#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Documents and the schema have the hazards, types and operations of the tables, and no others.

usage: test_tables.py"""
import json
import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent


def read(path):
    return (ROOT / path).read_text(encoding='utf-8')


def rows(path):
    """The rows X(…) of a header's tables, with lines and literals put together again."""
    text = re.sub(r'/\*.*?\*/', '', read(path), flags=re.S)
    text = re.sub(r'\s*\\\n\s*', ' ', text).replace('" "', '')
    return [re.findall(r'"[^"]*"|[^\s,()]+', row) for row in re.findall(r'\bX\((\w+, (?:"[^"]*"|[^()"])*)\)', text)]


HAZARDS = {row[1].strip('"'): row[-1].strip('"') for row in rows('include/reductio/hazard_table.h')}
TYPES = [row[0] for row in rows('kernels/element_types.h') if len(row) > 2]
HALVES = [row[0] for row in rows('kernels/element_types.h') if row[-1] == 'half']
OPERATIONS = [row[0] for row in rows('kernels/operations.h')]


class Tables(unittest.TestCase):
    def test_tables_have_rows(self):
        self.assertGreater(len(HAZARDS), 20)
        self.assertEqual((TYPES[0], OPERATIONS[0]), ('i32', 'sum'))
        self.assertEqual(HALVES, TYPES[-2:])

    def test_sentences_of_hazards_are_sentences(self):
        for name, sentence in HAZARDS.items():
            self.assertRegex(sentence, r'\A[A-Z][^.]{20,}\.\Z', name)
        self.assertEqual(len(set(HAZARDS.values())), len(HAZARDS))

    def test_man_page_names_all_hazards(self):
        page = read('docs/reductio.1.scd')
        section = page.partition('\n# HAZARDS\n')[2].partition('\n## ')[0]
        named = set(re.findall(r'\*([a-z]+(?:-[a-z]+)*)\*', section))
        self.assertEqual(named, set(HAZARDS))

    def test_schema_has_the_types_and_the_operations_of_runs(self):
        properties = json.loads(read('traces/schema.json'))['$defs']['run']['properties']
        self.assertEqual(properties['type']['enum'], TYPES)
        self.assertEqual(['sum', *properties['op']['enum']], OPERATIONS)

    def test_documents_name_the_types_of_runs(self):
        for path, mark in (('docs/reductio.1.scd', '*'), ('traces/README.md', '`')):
            names = [mark + name + mark for name in TYPES]
            self.assertTrue(', '.join(names[:-1]) + ' or ' + names[-1] in read(path), path)
        self.assertTrue(f'"{", ".join(TYPES[:-1])} or {TYPES[-1]}"' in read('kernels/element_types.h'))

    def test_man_page_names_the_types_of_buffers(self):
        names = ['i8', 'u8', 'i16', 'u16', *TYPES]
        self.assertTrue(f"a buffer of {', '.join(names[:-1])} or {names[-1]}" in read('docs/reductio.1.scd'))

    def test_man_page_names_the_operations(self):
        page = read('docs/reductio.1.scd')
        for name in OPERATIONS:
            self.assertTrue(f'*{name}*' in page, name)


if __name__ == '__main__':
    unittest.main()
