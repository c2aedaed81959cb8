#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes units of sources that are compiled together, which takes half as long: headers are read once for all of them.

usage: units.py FOLDER FILES-A-UNIT OUTPUT.c... -- SOURCE.c...

Each source stands in one unit, as an #include by its path from FOLDER. Files of a unit must not mind each other: what a file
defines for itself (statics, macros, tags, enum constants, typedefs) is a name that no other file of its unit has, as
anything. Units that aren't needed are empty.
"""
import os
import re
import sys

import made

# A comment, or what looks like one in a string.
COMMENT = re.compile(r'/\*.*?\*/|//[^\n]*|("(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\')', re.S)
DIRECTIVE = re.compile(r'^[ \t]*#(?:\\.|[^\n\\])*', re.M | re.S)
MACRO = re.compile(r'^[ \t]*#[ \t]*define[ \t]+(\w+)', re.M)
WORD = re.compile(r'[A-Za-z_]\w*')
TAG = re.compile(r'\b(?:struct|union|enum)\s+(\w+)\s*\{')
ENUM = re.compile(r'\benum\b\s*\w*\s*\{([^}]*)\}')
MEMBER = re.compile(r'(?:\.|->)\s*[A-Za-z_]\w*')
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


class Source:
    """A source: the tags that it defines, all else that it defines for itself, and the words in it."""

    def __init__(self, path):
        with open(path, encoding='utf-8') as file:
            text = COMMENT.sub(lambda found: '""' if found[1] else ' ', file.read())
        self.words = set(WORD.findall(MEMBER.sub('', text)))
        self.own = set(MACRO.findall(text))
        text = DIRECTIVE.sub('', text)
        self.tags = set(TAG.findall(text))
        for constants in ENUM.findall(text):
            self.own.update(found[0] for found in map(WORD.match, map(str.strip, constants.split(','))) if found)
        for declaration in declarations(text):
            own = OWN.search(declaration)  # behind macros that make others
            if own:
                self.own.update(declared(declaration[own.start():]))


class Unit:
    def __init__(self):
        self.paths, self.tags, self.own, self.words = [], set(), set(), set()

    def takes(self, source):
        return not (self.tags & source.tags or self.own & source.words or self.words & source.own)

    def add(self, path, source):
        self.paths.append(path)
        self.tags |= source.tags
        self.own |= source.own
        self.words |= source.words


def main(folder, n_files, *rest):
    outputs, paths = rest[:rest.index('--')], rest[rest.index('--') + 1:]
    units = [Unit() for _ in outputs]
    for path in paths:
        source = Source(path)
        unit = next((unit for unit in units if len(unit.paths) < int(n_files) and unit.takes(source)), None)
        if unit is None:
            return f'{path}: each of {len(units)} units has a name of it: there must be more in src/meson.build'
        unit.add(path, source)
    for output, unit in zip(outputs, units):
        made.write(output, ''.join(f'#include "{os.path.relpath(path, folder)}"\n' for path in unit.paths))
    return 0


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:]))
