#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes headers as C strings: embed.py OUTPUT NAME=FILE...

Their own names begin with two underscores there, which no user's program may have; but for those of functions that
are linked, and of floats of 16 bits, some of which a macro makes. So do names of one capital letter, as those of
templates' parameters: before an #include a user's program may define N or T as something else."""
import re
import sys

OWN = re.compile(r'\b(?=RD_|rd_(?!sim_|check_|kernel\.|b?f16|##name(?!\()))')

SHORT = re.compile(r"""("(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')|\b([A-Z][0-9]?)\b""")


def reserve(match):
    return match[1] or '__rd_' + match[2]


out = ['/* Made by tools/embed.py. */', '#include "check/compiler.h"', '#include <stddef.h>', '',
       'const struct rd_check_header rd_check_headers[] = {']
for argument in sys.argv[2:]:
    name, path = argument.split('=', 1)
    out.append('    {"%s",' % name)
    with open(path, encoding='utf-8') as file:
        for line in file:
            line = SHORT.sub(reserve, OWN.sub('__', line)).rstrip('\n').replace('\\', '\\\\').replace('"', '\\"')
            out.append('     "%s\\n"' % line)
    out[-1] += '},'
out += ['    {NULL, NULL},', '};', '']
with open(sys.argv[1], 'w', encoding='utf-8') as file:
    file.write('\n'.join(out))
