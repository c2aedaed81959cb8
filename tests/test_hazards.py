#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs the kernels of tests/hazards under every schedule: each must show what its `want` line says, and
nothing else. test_hazards.py REDUCTIO FILE.cu...

    // run NAME: OPTIONS            of `reductio check`
    // want NAME: HAZARD, ...       or clean; a hazard is its name, and what else is said of it: race/read-write/warp
    // right NAME: TWIN             the kernel that does the same without the fault
    // taught NAME: HAZARD: WORDS; ...   what is found first, and words of its lesson: see test_check_lessons.py"""
import json
import os
import re
import shlex
import subprocess
import sys

from patience import WAIT_S

SCHEDULES = ['ascending', 'descending', 'warp', 'random', 'interleave']
MAX_ERRORS = '1000'


def statements(text, word):
    found = re.findall(r'^// %s (\S+): (.*)$' % word, text, re.M)
    assert len(dict(found)) == len(found), found
    return dict(found)


def cases(path):
    with open(path, encoding='utf-8') as file:
        text = file.read()
    runs, wants = statements(text, 'run'), statements(text, 'want')
    assert runs.keys() == wants.keys() and runs, path
    return [(name, shlex.split(runs[name]), wants[name].split(', ')) for name in runs]


def meets(want, hazard):
    name, *rest = want.split('/')
    return hazard['name'] == name and set(rest) <= {hazard['kind'], hazard['scope']}


def faults_under(schedule, hazards, wants):
    names = {want.partition('/')[0] for want in wants}
    return (['%s: no %s in %s' % (schedule, want, [hazard['message'] for hazard in hazards])
             for want in wants if not any(meets(want, hazard) for hazard in hazards)] +
            ['%s: unwanted %s: %s' % (schedule, hazard['name'], hazard['message'])
             for hazard in hazards if hazard['name'] not in names])


def check(reductio, path, name, arguments, wants):
    command = [reductio, 'check', path, '--kernel', name, '--schedule', 'all', '--json', '--max-errors', MAX_ERRORS,
               *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=WAIT_S)
    said = 'exit status %d: %s' % (done.returncode, done.stderr.strip())
    try:
        report = json.loads(done.stdout)
    except ValueError:
        return [said]
    wants = [] if wants == ['clean'] else wants
    # A launch that is refused at once is no run of any schedule.
    refused = not report['runs'] and wants == ['illegal-launch']
    ran = [run['schedule'].split()[0] for run in report['runs']]
    # The local variables of a kernel that was ended are not all looked at.
    unseen = report['not_private'] and all(run['ended'] for run in report['runs'])
    if report['error'] or unseen or report['hazards_left_out'] or (ran != SCHEDULES and not refused):
        return [said, 'under %s; %s' % (', '.join(ran), report['error'] or report['not_private'])]
    faults = []
    for schedule in SCHEDULES:
        # Local variables are looked at under the first schedule only.
        under = [hazard for hazard in report['hazards']
                 if refused or hazard.get('kind') == 'private'
                 or schedule in [seen.split()[0] for seen in hazard['schedules']]]
        faults += faults_under(schedule, under, wants)
    if done.returncode != (1 if wants else 0):
        faults.append(said)
    return faults


def main():
    failed = n = 0
    for path in map(os.path.abspath, sys.argv[2:]):
        for name, arguments, wants in cases(path):
            n += 1
            faults = check(sys.argv[1], path, name, arguments, wants)
            failed += bool(faults)
            for fault in faults:
                print('%s: %s: %s' % (path, name, fault))
    print('%d kernels, %d failed' % (n, failed))
    return 1 if failed or n == 0 else 0


if __name__ == '__main__':
    sys.exit(main())
