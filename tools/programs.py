#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes the list of programs from the files in which they are defined.

usage: programs.py OUTPUT.h FILE...

A program comes behind the one above it in its file, and the first of a file at the end of the list, but where a
comment in the file places it:

    /* list: dot_cpu after dot_tournament, dot_partial after dot_cpu */

so that `reductio list` shows what belongs together, whatever file it is in. What is placed by such a comment comes before
what follows in the file.
"""
import re
import sys

import made

PROGRAM = re.compile(r'^(?:const struct rd_program rd_program_|RD_LESSON\()(\w+)\b', re.M)
PLACES = re.compile(r'^/\* list: (.*?) \*/$', re.M)
PLACE = re.compile(r'(\w+) after (\w+)')


class Refusal(Exception):
    pass


def read(path):
    """The file's programs, in its order, and {program: the one that it comes behind}."""
    with open(path, encoding='utf-8') as file:
        text = file.read()
    programs, places = PROGRAM.findall(text), {}
    for line in PLACES.findall(text):
        for part in line.split(', '):
            match = PLACE.fullmatch(part)
            if not match:
                raise Refusal(f"{path}: 'list: {part}' is not PROGRAM after PROGRAM")
            if match[1] not in programs:
                raise Refusal(f"{path}: 'list: {part}' places a program that is not in this file")
            places[match[1]] = match[2]
    return programs, places


def order_of(files):
    """All programs in the order of the list."""
    known, placed, following, first = {}, {}, {}, []
    for path, (programs, places) in files.items():
        for above, program in zip([None, *programs], programs):
            if program in known:
                raise Refusal(f"'{program}' is a program of '{known[program]}' and of '{path}': rename one")
            known[program] = path
            if program in places:
                placed.setdefault(places[program], []).append(program)
            elif above:
                following[above] = program
            else:
                first.append(program)
    for other, programs in placed.items():
        if other not in known:
            raise Refusal(f"{known[programs[0]]}: 'list: {programs[0]} after {other}' names no program")
    listed, to_do = [], first[::-1]
    while to_do:
        program = to_do.pop()
        listed.append(program)
        to_do += [following[program]] if program in following else []
        to_do += placed.get(program, [])[::-1]
    if len(listed) < len(known):
        lost = next(program for program in known if program not in listed)
        raise Refusal(f"{known[lost]}: '{lost}' comes behind itself in the list")
    return listed


def main(output, *paths):
    try:
        programs = order_of({path: read(path) for path in paths})
    except Refusal as refusal:
        sys.exit(f'programs.py: {refusal}')
    text = '\n'.join(['// SPDX-License-Identifier: MIT', '/* Made by tools/programs.py. X(program): as `reductio list` has them. */',
                      '#define RD_PROGRAMS(X) \\', ' \\\n'.join(f'    X({program})' for program in programs), ''])
    made.write(output, text)


if __name__ == '__main__':
    main(*sys.argv[1:])
