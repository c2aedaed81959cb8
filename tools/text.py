#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes files as C strings: text.py OUTPUT HEADER NAME=FILE... HEADER declares the names."""
import sys

from explain import c_string

output, header, *texts = sys.argv[1:]
with open(output, 'w', encoding='utf-8') as target:
    target.write('/* Made by tools/text.py. */\n#include "%s"\n' % header)
    for text in texts:
        name, path = text.split('=', 1)
        with open(path, encoding='utf-8') as file:
            target.write('\nconst char %s[] =\n%s;\n' % (name, c_string(file.read())))
