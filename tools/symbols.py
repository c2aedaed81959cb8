#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Lists what the public headers declare: the symbols that a client sees, and no others.

usage: symbols.py OUTPUT.map OUTPUT.txt COMPILER... -- HEADER...

OUTPUT.map is a version script for the shared library, OUTPUT.txt a list for objcopy, which makes the archive.
COMPILER is the C compiler with the options by which it finds the headers.
"""
import os
import re
import subprocess
import sys

import made


def own_text(preprocessed, folder):
    """The lines of the headers in the folder, of what the preprocessor has put together."""
    kept, inside = [], False
    for line in preprocessed.splitlines():
        marker = re.match(r'# \d+ "(.*?)"', line)
        if marker:
            inside = os.path.realpath(marker.group(1)).startswith(folder + os.sep)
        elif inside and not line.startswith('#'):
            kept.append(line)
    return '\n'.join(kept)


def outside_braces(text):
    """The text with each pair of braces emptied: what is declared in a struct is no symbol."""
    depth, out = 0, []
    for char in text:
        depth -= char == '}'
        if depth == 0:
            out.append(char)
        depth += char == '{'
    return ''.join(out)


def symbols(text):
    """The functions, and the variables that are extern, of declarations in C."""
    for declaration in re.split(r';|\{\}', outside_braces(text)):
        if re.search(r'\b(static|typedef)\b', declaration):
            continue
        if '__asm__' in declaration:
            continue
        function = re.search(r'\b(\w+)\s*\(', re.sub(r'__attribute__\s*\(\(.*?\)\)', '', declaration))
        variable = re.search(r'\bextern\b[^()]*?\b(\w+)\s*(\[\w*\]\s*)*$', declaration)
        if function or variable:
            yield (function or variable).group(1)


def main(version_script, names, compiler, headers):
    include = [word for header in headers for word in ('-include', os.path.abspath(header))]
    preprocessed = subprocess.run([*compiler, '-E', '-x', 'c', *include, '/dev/null'], check=True, capture_output=True,
                                  encoding='utf-8').stdout
    found = set()
    for folder in {os.path.dirname(os.path.realpath(header)) for header in headers}:
        found.update(symbols(own_text(preprocessed, folder)))
    made.write(version_script, '{\nglobal:\n%slocal:\n    *;\n};\n' % ''.join(f'    {name};\n' for name in sorted(found)))
    made.write(names, ''.join(name + '\n' for name in sorted(found)))


if __name__ == '__main__':
    border = sys.argv.index('--')
    main(sys.argv[1], sys.argv[2], sys.argv[3:border], sys.argv[border + 1:])
