#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes anew what is recorded of the programs, for a reader of the change to judge: tests/rounds.txt and docs/LAWS.md; the
lists that documents have of the tables, by lists.py; and the picture of the dependencies in CONTRIBUTING.md.

records.py SOURCE TEST_ROUNDS REDUCTIO
"""
import os
import pathlib
import subprocess
import sys


def main():
    source, test_rounds, reductio = pathlib.Path(sys.argv[1]), *map(os.path.abspath, sys.argv[2:])
    subprocess.run([test_rounds], cwd=source, env={**os.environ, 'RD_TEST_RECORD': 'tests/rounds.txt'}, check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    matrix = subprocess.run([reductio, 'judge', '--markdown'], capture_output=True, encoding='utf-8', check=True).stdout
    page = source / 'docs/LAWS.md'
    text = page.read_text(encoding='utf-8')
    page.write_text(text[:text.index('\n## ')] + matrix, encoding='utf-8')
    subprocess.run([sys.executable, pathlib.Path(__file__).with_name('lists.py')], check=True)
    picture = subprocess.run([sys.executable, pathlib.Path(__file__).with_name('dependencies.py'), '--draw', source],
                             capture_output=True, encoding='utf-8', check=True).stdout
    page = source / 'CONTRIBUTING.md'
    text = page.read_text(encoding='utf-8')
    start = text.index('```mermaid\n') + len('```mermaid\n')
    page.write_text(text[:start] + picture + text[text.index('```', start):], encoding='utf-8')


if __name__ == '__main__':
    main()
