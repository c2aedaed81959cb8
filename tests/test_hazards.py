#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs the kernels of tests/hazards under every schedule: each must show what its `want` line says, and
nothing else. test_hazards.py REDUCTIO FILE.cu..."""
import concurrent.futures
import os
import re
import shlex
import subprocess
import sys

SCHEDULES = ['ascending', 'descending', 'warp', 'random', 'interleave']


def cases(path):
    text = open(path, encoding='utf-8').read()
    runs = dict(re.findall(r'^// run (\S+): (.*)$', text, re.M))
    wants = dict(re.findall(r'^// want (\S+): (.*)$', text, re.M))
    assert runs.keys() == wants.keys() and runs, path
    return [(name, shlex.split(runs[name]), wants[name].split(', ')) for name in runs]


def hazards(output):
    """{schedule: [(name, words of the message)]}"""
    found, schedule = {}, None
    for line in output.splitlines():
        head = re.match(r'schedule (\w+)$', line)
        hazard = re.match(r'([a-z-]+): (.*)$', line)
        if head:
            schedule = head.group(1)
            found[schedule] = []
        elif hazard and schedule and not re.search(r'\d+ hazards?( in|$)', line):
            found[schedule].append((hazard.group(1), hazard.group(2)))
    return found


def meets(want, found):
    name, _, rest = want.partition('/')
    for its, message in found:
        words = re.match(r'([a-z-]+), ([a-z]+): ', message)
        have = {words.group(1), words.group(2)} if words else set(re.findall(r'\((shared)\)', message))
        if its == 'out-of-bounds' or its == 'uninitialised':
            have = {'shared'} if '(shared)' in message else {'global'}
        if its == 'leak':
            have = {'kept'} if 'holds a pointer to them' in message else {'lost'}
        if its == name and set(rest.split('/')) - {''} <= have:
            return True
    return False


def check(reductio, path, name, arguments, wants):
    command = [reductio, 'check', path, '--kernel', name, '--schedule', 'all', *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    found, faults = hazards(done.stdout), []
    if sorted(found) != sorted(SCHEDULES):
        return ['exit status %d: %s' % (done.returncode, done.stderr.strip() or done.stdout.strip())]
    names = set() if wants == ['clean'] else {want.partition('/')[0] for want in wants}
    for schedule in SCHEDULES:
        missing = [want for want in wants if names and not meets(want, found[schedule])]
        extra = [message for message in found[schedule] if message[0] not in names]
        faults += ['%s: no %s in %s' % (schedule, want, found[schedule]) for want in missing]
        faults += ['%s: unwanted %s: %s' % (schedule, *message) for message in extra]
    if done.returncode != (1 if names else 0):
        faults.append('exit status %d' % done.returncode)
    return faults


def main():
    failed = n = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        jobs = [(path, name, pool.submit(check, sys.argv[1], path, name, arguments, wants))
                for path in sys.argv[2:] for name, arguments, wants in cases(path)]
        for path, name, job in jobs:
            faults = job.result()
            n += 1
            failed += bool(faults)
            for fault in faults:
                print('%s: %s: %s' % (path, name, fault))
    print('%d kernels, %d failed' % (n, failed))
    return 1 if failed or n == 0 else 0


if __name__ == '__main__':
    sys.exit(main())
