#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes the lists of types, operations, devices, formats and hazards that documents and the schema have, from the tables in
the headers. tests/test_tables.py refuses a document whose list is another.

usage: lists.py             writes the documents anew
       lists.py --check     writes nothing; names each document whose list is another, and fails if there is one
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent


def read(path):
    return (ROOT / path).read_text(encoding='utf-8')


def rows(path, table=r'\w+'):
    """The rows X(…) of a header's tables, or of the one of that name, with lines and literals put together again."""
    text = re.sub(r'/\*.*?\*/', '', read(path), flags=re.S)
    text = re.sub(r'\s*\\\n\s*', ' ', text).replace('" "', '')
    text = '\n'.join(re.findall(rf'^#define {table}\(X\).*', text, re.M))
    return [re.findall(r'"[^"]*"|[^\s,()]+', row) for row in re.findall(r'\bX\((\w+(?:, (?:"[^"]*"|[^()"])*)?)\)', text)]


TYPES = [row[0] for row in rows('kernels/element_types.h')]
HALVES = [row[0] for row in rows('kernels/element_types.h') if row[-1] == 'half']
OPERATIONS = [row[0] for row in rows('kernels/operations.h')]
DEVICES = ['auto', *(row[0] for row in rows('src/device/devices.h', 'RD_DEVICES'))]
FORMATS = ['text', *(row[0] for row in rows('src/view/results.h', 'RD_DOCUMENT_FORMATS'))]
SIM_HAZARDS = [row[1].strip('"') for row in rows('include/reductio/hazard_table.h', 'RD_SIM_HAZARDS')]
HAZARDS = {row[1].strip('"'): row[-1].strip('"') for row in rows('include/reductio/hazard_table.h')}


def alternatives(names, mark='', word='or'):
    marked = [mark + name + mark for name in names]
    return ', '.join(marked[:-1]) + f' {word} ' + marked[-1]


def choice(names, mark=''):
    return '|'.join(mark + name + mark for name in names)


def quoted(names):
    return ', '.join(f'"{name}"' for name in names)


# (document, what surrounds the list there, the list). A document may have it several times.
MAN, BOLD = 'docs/reductio.1.scd', r'[*a-z0-9, |\n]+?'
LISTS = [
    (MAN, rf'(?<=_TYPE_\n\t)({BOLD})(?=\. Integers)', alternatives(TYPES, '*')),
    (MAN, rf'(?<=a buffer of )({BOLD})(?=\+\+)', alternatives(['i8', 'u8', 'i16', 'u16', *TYPES])),
    (MAN, rf'(?<=The run reduces by )({BOLD})(?=; of these)', alternatives(OPERATIONS, '*')),
    (MAN, rf'(?<=\*--device\* )({BOLD})(?=\n\tThe default)', choice(DEVICES, '*')),
    (MAN, rf'(?<=\*--format\* )({BOLD})(?=\n\tPrints the results)', choice(FORMATS, '*')),
    (MAN, rf'(?<=take \*--format\* )({BOLD})(?=: standard)', alternatives(FORMATS[1:], '*')),
    ('README.md', r'(?<=`--type )([a-z0-9|]+)(?=`\. Of integers)', choice(TYPES)),
    ('README.md', r'(?<=`--format )([a-z|]+)(?=` of `run`)', choice(FORMATS[1:])),
    ('traces/README.md', r'(?<=of an element: )([`a-z0-9, ]+`)', alternatives(TYPES, '`')),
    ('traces/README.md', r'(?<=what the run reduces by: )([`a-z, ]+ or `\w+`)(?=\. Where it)', alternatives(OPERATIONS[1:], '`')),
    ('traces/schema.json', r'(?<="type": \{ "enum": \[)([a-z0-9", ]+)', quoted(TYPES)),
    ('traces/schema.json', r'(?<="op": \{ "enum": \[)([a-z0-9", ]+)', quoted(OPERATIONS[1:])),
]


def made(path):
    """The document with its lists as the tables have them."""
    text = read(path)
    for document, place, names in LISTS:
        if document == path:
            text, count = re.subn(place, names.replace('\\', r'\\'), text)
            if count == 0:
                sys.exit(f"lists.py: '{path}' has no place for '{names}'")
    return text


def stale():
    return {path: made(path) for path in dict.fromkeys(path for path, _, _ in LISTS) if made(path) != read(path)}


def main(arguments):
    if arguments not in ([], ['--check']):
        print(__doc__[__doc__.index('usage: '):], end='', file=sys.stderr)
        return 2
    changed = stale()
    for path, text in changed.items():
        if arguments:
            print(f"lists.py: '{path}' has other names than the tables: run meson compile -C BUILD records", file=sys.stderr)
        else:
            (ROOT / path).write_text(text, encoding='utf-8')
    return 1 if arguments and changed else 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
