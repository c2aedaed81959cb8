#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Puts the sources of kernels and invariants into a C table.

usage: sources.py OUTPUT.c ROOT FILE...

A kernel's part of its file goes from the comment over it to its closing brace; an invariant's from its
`explain` comment to the next one, or the end. The files of kernels are there whole, too,
with the headers that they share.
"""
import os
import re
import sys

from explain import c_string

KERNEL = re.compile(r'^EXTERN_C __global__ void[^{;]*?NAME\((\w+)\)', re.M)
EXPLAIN = re.compile(r'^/\* explain: (\S+)$', re.M)


def line_of(text, offset):
    return text.count('\n', 0, offset) + 1


def start_of_comment(text, offset):
    """Finds the start of the comment that ends in the line before `offset`; `offset` where there is none."""
    before = text[:offset]
    return before.rfind('/*') if before.rstrip(' ').endswith('*/\n') else offset


def kernels(text):
    for match in KERNEL.finditer(text):
        end = text.index('\n}', match.end()) + 2
        yield match.group(1), line_of(text, start_of_comment(text, match.start())), line_of(text, end)


def invariants(text):
    starts = list(EXPLAIN.finditer(text))
    for match, behind in zip(starts, starts[1:] + [None]):
        part = text[match.start():behind.start() if behind else len(text)].rstrip()
        yield match.group(1), line_of(text, match.start()), line_of(text, match.start() + len(part))


def read(path):
    with open(path, encoding='utf-8') as file:
        return file.read()


def main(output, root, paths):
    texts = {path: read(path) for path in paths}
    tables = {'rd_kernel_sources': [], 'rd_invariant_sources': [], 'rd_file_sources': []}
    used = set()

    def entry(name, path, first, last):
        used.add(path)
        return '{"%s", "%s", text_%d, %d, %d}' % (name, os.path.relpath(path, root), paths.index(path), first, last)

    for path, text in texts.items():
        if path.endswith(('.cu', '.h')):
            tables['rd_file_sources'].append(f"    {entry(os.path.relpath(path, root), path, 1, len(text.splitlines()))},")
        is_kernel = path.endswith('.cu')
        for name, first, last in (kernels if is_kernel else invariants)(text):
            tables['rd_kernel_sources' if is_kernel else 'rd_invariant_sources'].append(f'    {entry(name, path, first, last)},')
    out = ['/* Made by tools/sources.py. */', '#include "program/sources_table.h"', '']
    for path in sorted(used, key=paths.index):
        out += ['static const char text_%d[] =' % paths.index(path), c_string(texts[path]) + ';', '']
    for table, entries in tables.items():
        out += ['const struct rd_source %s[] = {' % table, *entries, '    {0},', '};', '']
    with open(output, 'w', encoding='utf-8') as file:
        file.write('\n'.join(out))


if __name__ == '__main__':
    main(sys.argv[1], sys.argv[2], sys.argv[3:])
