#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Puts the sources of kernels and invariants into a C table.

usage: sources.py OUTPUT.c ROOT FILE...

A kernel's part of its file goes from the comment over it to its closing brace; an invariant's from its
`explain` comment to the next one, or the end. A claim's is the function that `advance` names, what its cells
hold. The files of kernels are there whole, too, with the headers that they share.
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
    """Where the comment begins that ends in the line before `offset`; `offset` where there is none."""
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


class Claims:
    """The function behind the claims of each program, after its rounds and at its checkpoints."""

    def __init__(self, texts):
        self.texts = texts
        self.points = self.definitions(r'struct rd_point_invariant (\w+) = \{(.*?)\n\};')
        self.lists = self.definitions(r'struct rd_point_invariant \*const (\w+)\[\] = \{(.*?)\};')
        self.macros = {match[1]: match[2].replace('\\\n', '\n') for text in texts.values()
                       for match in re.finditer(r'^#define (\w+)((?:.*\\\n)*.*)', text, re.M)}
        self.functions = self.definitions(r'^[a-z][\w ]*?\*?(\w+)\([^;{}]*?\)\n\{(.*?)\n\}')

    def definitions(self, pattern):
        """{name: {path: match}}, as files may have static ones of the same name."""
        found = {}
        for path, text in self.texts.items():
            for match in re.finditer(pattern, text, re.M | re.S):
                found.setdefault(match[1], {})[path] = match
        return found

    @staticmethod
    def look_up(found, name, path):
        """The path of the definition, and the definition: that of the file itself first."""
        if path in found[name]:
            return path, found[name][path]
        (other, match), = found[name].items()
        return other, match

    def expanded(self, members):
        """With those of the right program, a macro that stands first, before its own: the last of a name counts."""
        first, rest = re.match(r'\s*(\w*)(.*)', members, re.S).groups()
        return self.expanded(self.macros[first]) + rest if first in self.macros else members

    def of(self, function, path):
        where, match = self.look_up(self.functions, function, path)
        text = self.texts[where]
        comment = start_of_comment(text, match.start())
        explains = text.startswith('/* explain: ', comment)
        return where, line_of(text, match.start() if explains else comment), line_of(text, match.end())

    def __iter__(self):
        """(program, checkpoint or None, path, first, last)"""
        for path, text in self.texts.items():
            for program in re.findall(r'^const struct rd_program \w+ = \{(.*?)\};$', text, re.M | re.S) + re.findall(
                    r'^RD_LESSON\(\w+,(.*?)\);$', text, re.M | re.S):
                program = self.expanded(program)
                members = dict(re.findall(r'\.(name|points|advance) = "?([\w:-]+)', program))
                yield (members['name'], None, *self.of(members['advance'], path))
                if members.get('points', 'NULL') == 'NULL':
                    continue
                where, match = self.look_up(self.lists, members['points'], path)
                for name in re.findall(r'&(\w+)', match[2]):
                    inner, point = self.look_up(self.points, name, where)
                    yield (members['name'], re.search(r'\.point = (\w+)', point[2])[1],
                           *self.of(re.search(r'\.advance = (\w+)', point[2])[1], inner))


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
    claims = ['    {%s, %s},' % (entry(name, path, first, last), point or 'RD_POINT_COUNT') for name, point, path, first, last
              in Claims({path: text for path, text in texts.items() if not path.endswith(('.cu', '.h'))})]
    out = ['/* Made by tools/sources.py. */', '#include "sources_table.h"', '']
    for path in sorted(used, key=paths.index):
        out += ['static const char text_%d[] =' % paths.index(path), c_string(texts[path]) + ';', '']
    for table, entries in tables.items():
        out += ['const struct rd_source %s[] = {' % table, *entries, '    {0},', '};', '']
    out += ['const struct rd_claim_source rd_claim_sources[] = {', *claims, '    {{0}, RD_POINT_COUNT},', '};', '']
    with open(output, 'w', encoding='utf-8') as file:
        file.write('\n'.join(out))


if __name__ == '__main__':
    main(sys.argv[1], sys.argv[2], sys.argv[3:])
