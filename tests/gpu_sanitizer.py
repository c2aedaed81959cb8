#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""CUDA's own checkers find nothing in the right programs.

    gpu_sanitizer.py REDUCTIO

Runs each right program on the GPU under compute-sanitizer's four tools, and exits with 77 where one of the
two is missing."""
import concurrent.futures
import json
import shutil
import subprocess
import sys

from gpu_corpus import SKIPPED, gpus

TOOLS = ['memcheck', 'racecheck', 'initcheck', 'synccheck']
AT_ONCE, RUN_S, FOUND = 8, 120, 99


def programs(reductio):
    listed = json.loads(subprocess.run([reductio, 'list', '--json'], capture_output=True, check=True).stdout)
    return [program['name'] for program in listed if not program['lesson']]


def check(reductio, tool, program):
    """Returns the tool's words on the program; '' where it finds nothing."""
    command = ['compute-sanitizer', '--tool', tool, '--error-exitcode', str(FOUND), reductio, 'run', program,
               '--device', 'cuda', '--hazards', 'off', '--quiet', '--no-last']
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=RUN_S)
    except subprocess.TimeoutExpired:
        return 'does not end within %d s' % RUN_S
    return '' if done.returncode == 0 else done.stdout + done.stderr


def main():
    if not shutil.which('compute-sanitizer') or not gpus():
        print('skipped: there is no %s' % ('GPU' if shutil.which('compute-sanitizer') else 'compute-sanitizer'))
        return SKIPPED
    cases = [(tool, program) for program in programs(sys.argv[1]) for tool in TOOLS]
    with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
        found = list(pool.map(lambda case: check(sys.argv[1], *case), cases))
    for (tool, program), text in zip(cases, found):
        if text:
            print('%s: %s:\n%s' % (tool, program, text[:2000]))
    print('%d runs, %d with findings' % (len(cases), sum(map(bool, found))))
    return 1 if any(found) or not cases else 0


if __name__ == '__main__':
    sys.exit(main())
