#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes the host's tables of kernels and checkpoints from the kernels' own files.

usage: kernels.py list OUTPUT.h KERNELS.h FILE...
       kernels.py units OUTPUT.h TRACED ELEMENT_TYPES.h OPERATIONS.h FILE...
       kernels.py families FILE...

`list` has each kernel with what LAUNCHABLE says of it, and each point that a CHECKPOINT names; KERNELS.h has
the table of the types that parameters have. `units` has each kernel once for each element type, and those of
families that take their operation from operation.h once for each operation and type, with the build that has it; TRACED
names the types that have a second build for the simulator: i32,u64. `families` prints a line for each family, a .cu
file, with its name and what the build must know of it: "operation" where it takes one from operation.h, "observed"
where it has checkpoints, "halves" where it is built of floats of 16 bits, too, and "grid" where its blocks wait for each
other.
"""
import os
import re
import sys

import made

MACROS = {'LAUNCHABLE': 'false', 'LAUNCHABLE_COMMUNICATING': 'true'}
LAUNCHABLE = re.compile(r'^(LAUNCHABLE(?:_COMMUNICATING)?)\b(?:\((\w+), ([^()\n]*)\)$)?', re.M)
KERNEL = re.compile(r'__global__[^{;]*?\bNAME\((\w+)\)')
CHECKPOINT = re.compile(r'\bCHECKPOINT(?:_LANE)?\((\w+),')
MACRO = re.compile(r'^#define (\w+)\(([\w, ]*)\)((?:.*\\\n)*.*)', re.M)
OPERATION = re.compile(r'\bOP\(')
HALVES = re.compile(r'^ALSO_OF_HALVES$', re.M)
# Calls of functions, and not of macros, that take an element straight from memory, or leave one there.
UNSEEN = re.compile(r'^ *(?:\*\w+|[^\s;=]*\]) = ([a-z]\w*)\(|\b(?!if|for|while|switch|return|sizeof)([a-z]\w*)\((?:[^()\n]*, )?\w+\[', re.M)


class Refusal(Exception):
    pass


def blank(text):
    """The text without its comments, with as many lines and characters."""
    return re.sub(r'/\*.*?\*/|//[^\n]*', lambda match: re.sub(r'[^\n]', ' ', match[0]), text, flags=re.S)


class Source:
    def __init__(self, path):
        self.path = path
        with open(path, encoding='utf-8') as file:
            self.text = blank(file.read())
        self.family = os.path.basename(path).removesuffix('.cu')
        self.takes_operation = bool(OPERATION.search(self.text))
        self.is_observed = 'CHECKPOINT' in self.text
        self.of_halves = bool(HALVES.search(self.text))
        self.syncs_grid = 'GRID_SYNC' in self.text

    def refuse(self, offset, problem):
        line = self.text.count('\n', 0, offset) + 1
        folder, name = os.path.split(self.path)
        raise Refusal(f'{os.path.join(os.path.basename(folder), name)}:{line}: {problem}')

    def check_calls(self):
        """Floats of 16 bits go through local variables: see arithmetic.h."""
        for match in UNSEEN.finditer(self.text):
            self.refuse(match.start(match.lastindex), f"'{match[match.lastindex]}' takes an element from memory, or leaves one there, "
                        'and the simulator would not see it of 16 bits: use a local variable')

    def kernels(self, params):
        """(name, whether it communicates, its parameters' kinds) in the order of the file."""
        defined = {match[1]: match.start() for match in KERNEL.finditer(self.text)}
        for match in LAUNCHABLE.finditer(self.text):
            macro, name, types = match.groups()
            if not name:
                self.refuse(match.start(), f"'{macro}' is not of one line: write {macro}(KERNEL, TYPE, ...)")
            if name not in defined:
                self.refuse(match.start(), f"'{name}' is no kernel above that is not launchable yet: name one")
            del defined[name]
            kinds = []
            for elem_type in (word.strip() for word in types.split(',')):
                if elem_type not in params:
                    self.refuse(match.start(), f"'{elem_type}' of '{name}' is no type that the host passes: use "
                                + ', '.join(params))
                kinds.append(params[elem_type])
            yield name, MACROS[macro], kinds
        for name, offset in defined.items():
            self.refuse(offset, f"'{name}' can't be launched: write LAUNCHABLE({name}, TYPE, ...) under it")

    def points(self, sources):
        """The points of its checkpoints; of one in a macro that takes its point, those that the macro is used with."""
        plain = MACRO.sub(lambda match: re.sub(r'[^\n]', ' ', match[0]), self.text)
        yield from CHECKPOINT.findall(plain)
        for macro, parameters, body in MACRO.findall(self.text):
            names = [name.strip() for name in parameters.split(',')]
            for point in dict.fromkeys(CHECKPOINT.findall(body)):
                if point not in names:
                    yield point
                    continue
                for source in sources:
                    for uses in re.findall(r'^%s\(([\w, ]*)\)' % macro, source.text, re.M):
                        yield uses.split(',')[names.index(point)].strip()


def rows(path, n_columns):
    """The rows X(…) of a table in a header."""
    with open(path, encoding='utf-8') as file:
        found = re.findall(r'^ +X\((\w+(?:, [^()]*)?)\)', blank(file.read()), re.M)
    table = [[column.strip() for column in row.split(',')] for row in found]
    return [row for row in table if len(row) == n_columns]


def all_kernels(sources, params):
    known = {}
    for source in sources:
        for name, communicates, kinds in source.kernels(params):
            if name in known:
                raise Refusal(f"'{name}' is a kernel of '{known[name][0].path}' and of '{source.path}': rename one")
            known[name] = source, communicates, kinds
    return known


def families(sources):
    return [source for source in sources if source.path.endswith('.cu')]


def macro(comment, name, entries):
    lines = [f'#define {name}(X)', *(f'    X({", ".join(entry)})' for entry in entries)]
    return [f'/* {comment} */', ' \\\n'.join(lines), '']


def make_list(kernels_h, *paths):
    sources = [Source(path) for path in paths]
    params = {text.strip('"'): f'RD_PARAM_{name}' for name, text in rows(kernels_h, 2)}
    kernels = all_kernels(families(sources), params)
    for source in sources:
        if source.of_halves or not source.path.endswith('.cu'):
            source.check_calls()
    points = dict.fromkeys(point for source in sources for point in source.points(sources))
    return [
        *macro("X(name in the source, name in the enumeration, whether its threads communicate, its parameters)", 'RD_KERNELS',
               [(name, name.upper(), communicates, *kinds) for name, (_, communicates, kinds) in kernels.items()]),
        *macro("X(name, name in the enumeration)", 'RD_POINTS', [(point.lower(), point) for point in points]),
    ]


def make_units(traced, element_types_h, operations_h, *paths):
    sources = families([Source(path) for path in paths])
    types = [(name, upper, kind) for name, upper, _, kind in rows(element_types_h, 4)]
    over = [(name, upper, selects == 'true', of_integers == 'true') for name, upper, selects, of_integers in rows(operations_h, 4)
            if name != 'sum']
    names = [(match[2], source) for source in sources for match in LAUNCHABLE.finditer(source.text)]

    def is_built(source, kind):
        return kind != 'half' or source.of_halves

    def has(kind, selects, of_integers):
        return not (of_integers and kind in ('real', 'half')) and not (selects and kind == 'half')

    # Operations that select are one build of a family, and the others are one: see over.h.
    units_over = [(name, name.upper(), operation, upper, *row, 'selecting' if selects else 'over', source.family)
                  for name, source in names if source.takes_operation
                  for operation, upper, selects, of_integers in over
                  for *row, kind in types if is_built(source, kind) and has(kind, selects, of_integers)]

    return [
        *macro("X(kernel, KERNEL, type, TYPE)", 'RD_KERNEL_UNITS',
               [(name, name.upper(), *row) for name, source in names for *row, kind in types if is_built(source, kind)]),
        *macro("X(kernel, KERNEL, type, TYPE)", 'RD_KERNEL_UNITS_TRACED',
               [(name, name.upper(), *row) for name, _ in names for *row, _ in types if row[0] in traced.split(',')]),
        *macro("X(kernel, KERNEL, operation, OPERATION, type, TYPE, build, family)", 'RD_KERNEL_UNITS_OVER', units_over),
    ]


def print_families(paths):
    for source in families([Source(path) for path in paths]):
        print(source.family, *['operation'] * source.takes_operation, *['observed'] * source.is_observed,
              *['halves'] * source.of_halves, *['grid'] * source.syncs_grid)


def main(what, *arguments):
    if what == 'families':
        print_families(arguments)
        return
    write_table(what, *arguments)


def write_table(what, output, *arguments):
    guard = 'RD_' + re.sub(r'\W', '_', os.path.basename(output)).upper()
    try:
        body = {'list': make_list, 'units': make_units}[what](*arguments)
    except Refusal as refusal:
        sys.exit(f'kernels.py: {refusal}')
    text = '\n'.join(['// SPDX-License-Identifier: MIT', '/* Made by tools/kernels.py. */', f'#ifndef {guard}', f'#define {guard}', '',
                      *body, '#endif', ''])
    made.write(output, text)


if __name__ == '__main__':
    main(*sys.argv[1:])
