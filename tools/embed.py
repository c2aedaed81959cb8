#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes headers as C strings: embed.py OUTPUT DEPFILE FOLDER NAME=FILE...

Their own names begin with two underscores there, which no user's program may have; but for those of functions that
are linked, and of floats of 16 bits, some of which a macro makes. So do names of one capital letter, as those of
templates' parameters: before an #include a user's program may define N or T as something else."""
import hashlib
import os
import re
import sys

OWN = re.compile(r'\b(?=RD_|rd_(?!sim_|check_|kernel\.|b?f16|##name(?!\()))')

SHORT = re.compile(r"""("(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')|\b([A-Z][0-9]?)\b""")


def reserve(match):
    return match[1] or '__rd_' + match[2]


def text_of(path):
    with open(path, encoding='utf-8') as file:
        lines = [SHORT.sub(reserve, OWN.sub('__', line)).rstrip('\n') for line in file]
    return ''.join('\n     "%s\\n"' % line.replace('\\', '\\\\').replace('"', '\\"') for line in lines)


def main(output, depfile, folder, *arguments):
    headers = [argument.split('=', 1) for argument in arguments]
    texts = {path: text_of(os.path.join(folder, path)) for path in dict(map(reversed, headers))}
    with open(output, 'w', encoding='utf-8') as file:
        file.write('/* Made by tools/embed.py. */\n#include "check/source/includes.h"\n#include <stddef.h>\n\n'
                   'const struct rd_check_header rd_check_headers[] = {\n')
        file.writelines(f'    {{"{name}",{texts[path]}}},\n' for name, path in headers)
        file.write('    {NULL, NULL},\n};\n')
        # Of 16 digits, as it names a folder.
        digest = hashlib.sha256(repr([(name, texts[path]) for name, path in headers]).encode()).hexdigest()[:16]
        file.write(f'const char rd_check_headers_digest[] = "{digest}";\n')
    with open(depfile, 'w', encoding='utf-8') as file:
        file.write(output + ': ' + ' '.join(os.path.join(folder, path) for path in texts) + '\n')


if __name__ == '__main__':
    main(*sys.argv[1:])
