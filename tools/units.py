#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes units of sources that are compiled together, which takes half as long: headers are read once for all of them.

usage: units.py FOLDER OUTPUT-FOLDER {--group NAME FILES-A-UNIT UNITS SOURCE.c...}...

A group has as many units as asked, NAME_0.c and so on, each an #include of its sources by their paths from FOLDER; those
that aren't needed are empty. Files of a unit must not mind each other: what a file defines for itself (statics, macros,
tags, enum constants, typedefs) is a name that no other file of its unit has, as anything, nor a header of that as an
enum constant.
"""
import argparse
import functools
import os
import re
import sys

import made

# A comment, or what looks like one in a string.
COMMENT = re.compile(r'/\*.*?\*/|//[^\n]*|("(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\')', re.S)
DIRECTIVE = re.compile(r'^[ \t]*#(?:\\.|[^\n\\])*', re.M | re.S)
MACRO = re.compile(r'^[ \t]*#[ \t]*define[ \t]+(\w+)', re.M)
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]+"([^"]+)"', re.M)
WORD = re.compile(r'[A-Za-z_]\w*')
TAG = re.compile(r'\b(?:struct|union|enum)\s+(\w+)\s*\{')
ENUM = re.compile(r'\benum\b\s*\w*\s*\{([^}]*)\}')
MEMBER = re.compile(r'(?:\.|->)\s*[A-Za-z_]\w*')
KEYWORDS = {'char', 'double', 'float', 'int', 'long', 'short', 'signed', 'sizeof', 'unsigned', 'void'}
# A static of one file may be a local variable in a header of the next. What shadows within a file, -Dunits=false tells.
NO_SHADOW = '#pragma GCC diagnostic ignored "-Wshadow"\n'
OWN = re.compile(r'\b(?:static|typedef)\b')
ASIDE = re.compile(r'\[[^\]]*\]|__attribute__\s*\(\(.*?\)\)', re.S)
PARENTHESES = re.compile(r'\([^()]*\)')


def declarations(text):
    """What stands at file scope, without bodies and initialisers."""
    depth, is_function, found = 0, False, ''
    for part in re.findall(r'[{};]|[^{};]+', text):
        if part == '{':
            if depth == 0:
                is_function = found.rstrip().endswith(')')
            depth += 1
        elif part == '}':
            depth -= 1
            if depth == 0 and is_function:
                yield found
                found = ''
        elif depth == 0 and part == ';':
            yield found
            found = ''
        elif depth == 0:
            found += part


def declared(declaration):
    """The names that a declaration at file scope declares: each is the last word before its parameters or its value."""
    declaration, before = ASIDE.sub('', declaration), None
    while declaration != before:
        declaration, before = PARENTHESES.sub('=', declaration), declaration
    for part in declaration.split(','):
        words = WORD.findall(part.split('=')[0])
        if words:
            yield words[-1]


def constants_in(text):
    """The enum constants that it defines."""
    return {found[0] for constants in ENUM.findall(text) for found in map(WORD.match, map(str.strip, constants.split(','))) if found}


@functools.cache
def constants_of(folder, header):
    """The enum constants of a header, and of those that it includes."""
    path = os.path.join(folder, header)
    if not os.path.exists(path):  # of another folder, or made
        return frozenset()
    with open(path, encoding='utf-8') as file:
        source = file.read()
    own = constants_in(COMMENT.sub(lambda found: '""' if found[1] else ' ', source))
    return own.union(*(constants_of(folder, name) for name in INCLUDE.findall(source)))


class Source:
    """A source: the tags that it defines, all else that it defines for itself, and the words in it."""

    def __init__(self, path, folder):
        with open(path, encoding='utf-8') as file:
            source = file.read()
        text = COMMENT.sub(lambda found: '""' if found[1] else ' ', source)
        self.words = set(WORD.findall(MEMBER.sub('', text)))
        for header in INCLUDE.findall(source):
            self.words |= constants_of(folder, header)
        self.own = set(MACRO.findall(text))
        text = DIRECTIVE.sub('', text)
        self.tags = set(TAG.findall(text))
        self.own |= constants_in(text)
        for declaration in declarations(text):
            own = OWN.search(declaration)  # behind macros that make others
            if own:
                self.own.update(declared(declaration[own.start():]))
        self.own -= KEYWORDS

    def minds(self, other):
        return bool(self.tags & other.tags or self.own & other.words or self.words & other.own)


def units_of(paths, n_files, folder):
    """Sources by unit: first those that mind most others, each in the first unit that has room and none that it minds."""
    sources = {path: Source(path, folder) for path in paths}
    minded = {path: {other for other in paths if other != path and sources[path].minds(sources[other])} for path in paths}
    units = []
    for path in sorted(paths, key=lambda path: -len(minded[path])):
        unit = next((unit for unit in units if len(unit) < n_files and not minded[path].intersection(unit)), None)
        if unit is None:
            units.append([path])
        else:
            unit.append(path)
    return units


def main(folder, output_folder, groups):
    for name, n_files, n_units, *paths in groups:
        units, n_units = units_of(paths, int(n_files), folder), int(n_units)
        if len(units) > n_units:
            return f"{name}: {n_units} units don't do, as files mind each other: {len(units)} do (src/meson.build)"
        for k, unit in enumerate(units + [[]] * (n_units - len(units))):
            made.write(os.path.join(output_folder, f'{name}_{k}.c'),
                       NO_SHADOW + ''.join(f'#include "{os.path.relpath(path, folder)}"\n' for path in unit))
    return 0


if __name__ == '__main__':
    parser = argparse.ArgumentParser()
    parser.add_argument('folder')
    parser.add_argument('output_folder')
    parser.add_argument('--group', action='append', nargs='+', default=[])
    given = parser.parse_args()
    sys.exit(main(given.folder, given.output_folder, given.group))
