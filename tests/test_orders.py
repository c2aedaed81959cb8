#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs the kernels of tests/orders as `check` runs them by default: where their threads communicate, under several
schedules. Each must show what its `want` line says, and nothing else; and under the first schedule alone, those whose
fault needs another must not show it. test_orders.py REDUCTIO FILE.cu...

The lines are those of test_hazards.py."""
import json
import subprocess
import sys

from patience import WAIT_S
from test_hazards import cases, faults_under


def run(reductio, path, name, options):
    command = [reductio, 'check', path, '--kernel', name, '--json', *options]
    done = subprocess.run(command, capture_output=True, text=True, timeout=WAIT_S)
    try:
        return done, json.loads(done.stdout)
    except ValueError:
        sys.exit('%s: %s: exit status %d: %s' % (path, name, done.returncode, done.stderr.strip()))


def check(reductio, path, name, options, wants):
    wants = [] if wants == ['clean'] else wants
    done, report = run(reductio, path, name, options)
    faults = faults_under('by default', report['hazards'], wants)
    if done.returncode != (1 if wants else 0) or report['error']:
        faults.append('exit status %d: %s' % (done.returncode, report['error']))
    stuck = any(hazard['name'] == 'no-termination' for hazard in report['hazards'])
    if not stuck and report['communicates'] != (len(report['runs']) > 1):
        faults.append('%d runs of threads that %scommunicate' %
                      (len(report['runs']), '' if report['communicates'] else 'do not '))
    return faults


def main():
    failed = n = needed = 0
    for path in sys.argv[2:]:
        for name, options, wants in cases(path):
            n += 1
            faults = check(sys.argv[1], path, name, options, wants)
            failed += bool(faults)
            for fault in faults:
                print('%s: %s: %s' % (path, name, fault))
            if wants != ['clean']:
                needed += not run(sys.argv[1], path, name, [*options, '--schedule', 'ascending'])[1]['hazards']
    print('%d kernels, %d failed; %d that one schedule does not condemn' % (n, failed, needed))
    return 1 if failed or n == 0 else 0


if __name__ == '__main__':
    sys.exit(main())
