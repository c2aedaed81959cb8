#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes an archive of one object, in which only the listed symbols are global.

usage: archive.py OUTPUT.a INPUT.a SYMBOLS COMPILER...

What is bound within the object stays so: its calls of __tsan_read4(), say, are of its own function of that name, and a
client's are not.
"""
import os
import subprocess
import sys
import tempfile


def main(output, objects, symbols, compiler):
    def run(*command):
        subprocess.run(command, check=True)

    with tempfile.TemporaryDirectory(dir=os.path.dirname(output) or '.') as folder:
        whole = os.path.join(folder, 'reductio.o')
        # Groups of which one is kept by name, among all objects of a link, would be so by names that are local then.
        run(*compiler, '-r', '-nostdlib', '-o', whole, '-Wl,--whole-archive', objects, '-Wl,--no-whole-archive',
            '-Wl,--force-group-allocation')
        run('objcopy', '--keep-global-symbols=' + symbols, whole)
        if os.path.exists(output):
            os.remove(output)
        run('ar', 'rcsD', output, whole)


if __name__ == '__main__':
    main(sys.argv[1], sys.argv[2], sys.argv[3], sys.argv[4:])
