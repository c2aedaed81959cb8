#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""On a GPU a run tells what is wrong, as it does in the simulator.

    gpu_hazards.py REDUCTIO

Exits with 77 where there is no GPU; where compute-sanitizer is missing, or does not know the GPU, its part is left
out."""
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

from gpu_corpus import SKIPPED, gpus

REDUCTIO = sys.argv.pop(1)

# Faults in spite of which the GPU's result is right, by its hardware or by luck: the simulator alone finds them.
HIDDEN = ['dot-shared:fixed-cache', 'multi-block:shared-split', 'multi-block:divergent-barrier', 'puzzle-map:no-guard',
          'puzzle-zip:no-guard', 'puzzle-guard:every-cell', 'puzzle-map2d:every-cell', 'puzzle-broadcast:every-cell',
          'puzzle-shared:barrier-in-if', 'puzzle-dot:beyond-the-block', 'puzzle-conv1d:three-reads',
          'puzzle-axis-sum:write-in-loop', 'puzzle-matmul:no-tiles', 'ladder-vectorised:no-fence',
          'ladder-vectorised:one-fence']

# Pattern of the place of a finding: a build without libdw knows no lines.
PLACE = r'thread \(?\d+' if os.environ.get('RD_TEST_LINES') == 'no' else r'kernels/\w+\.cu:\d+'


def run(*arguments):
    return subprocess.run([REDUCTIO, 'run', *arguments, '--device', 'cuda', '--no-last'], capture_output=True,
                          text=True, timeout=180)


def result(*arguments):
    return json.loads(run(*arguments, '--json').stdout)


class Gpu(unittest.TestCase):
    def programs(self, lesson):
        listed = json.loads(subprocess.run([REDUCTIO, 'list', '--json'], capture_output=True, check=True).stdout)
        return [program['name'] for program in listed if program['lesson'] == lesson]

    def test_lessons_all_exit_1(self):
        for lesson in self.programs(True):
            with self.subTest(lesson):
                done = run(lesson, '--quiet')
                self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
                self.assertIn(' cuda: ', done.stdout.splitlines()[-1])

    def test_right_programs_all_hold_beside_the_simulator(self):
        for program in self.programs(False):
            with self.subTest(program):
                done = run(program, '--quiet')
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
                self.assertRegex(done.stdout, r'0 hazards( under \d+ schedules)? in the simulator at n=\d+$')

    def test_hazards_that_do_not_show_have_their_place(self):
        for lesson in HIDDEN:
            with self.subTest(lesson):
                found = result(lesson)
                self.assertEqual((found['verdict'], found['hazards_by']), ('VIOLATED', 'sim'))
                self.assertRegex(' '.join(hazard['message'] for hazard in found['hazard_reports']), PLACE)

    def test_stopped_kernel_is_a_finding_with_its_place(self):
        for lesson in ('dot-shared:fixed-cache', 'multi-block:shared-split'):
            with self.subTest(lesson):
                found = {hazard['name']: hazard['message'] for hazard in result(lesson)['hazard_reports']}
                self.assertIn('out-of-bounds', found)
                if 'kernel-fault' in found: # whether memory is behind the array is the device's to say
                    self.assertRegex(found['kernel-fault'], r'^cudaError\w+: .* the place is .*' + PLACE)
                done = run(lesson, '--quiet', '--hazards', 'off')
                self.assertIn(done.returncode, (0, 1), done.stderr)
                self.assertIn('not looked for', done.stdout)

    def test_large_run_says_both_sizes(self):
        done = run('fold', '-n', '2^28', '--quiet')
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn('n=268435456 ', done.stdout)
        self.assertTrue(done.stdout.endswith('0 hazards in the simulator at n=1048576\n'), done.stdout)

    def test_trace_of_a_run_where_nobody_looked_says_so(self):
        with tempfile.NamedTemporaryFile(suffix='.ndjson') as trace:
            run('fold', '--quiet', '--hazards', 'off', '--trace', trace.name)
            done = subprocess.run([REDUCTIO, 'verify', trace.name], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn('hazards not looked for', done.stdout)


class Sanitizer(unittest.TestCase):
    def setUp(self):
        if not shutil.which('compute-sanitizer'):
            self.skipTest('no compute-sanitizer')
        done = run('fold', '--hazards', 'sanitizer', '--quiet')
        if 'not supported' in done.stderr:
            self.skipTest(done.stderr)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn('0 hazards by compute-sanitizer', done.stdout)

    def test_findings_have_rule_place_and_thread(self):
        for lesson, name, words in (
                ('dot-shared:fixed-cache', 'out-of-bounds', r'by thread \(\d+,0,0\) of block \(\d+,0,0\) at \S*dot_blocks\.cu:\d+'),
                ('ladder-shuffles-twice:no-barrier', 'race', r'at \S*\w+\.cu:\d+')):
            with self.subTest(lesson):
                found = result(lesson, '--hazards', 'sanitizer')
                self.assertEqual((found['verdict'], found['hazards_by']), ('VIOLATED', 'sanitizer'))
                messages = [hazard['message'] for hazard in found['hazard_reports'] if hazard['name'] == name]
                self.assertTrue(messages, found['hazard_reports'])
                self.assertRegex(messages[0], words)


if __name__ == '__main__':
    if not gpus():
        print('skipped: there is no GPU')
        sys.exit(SKIPPED)
    unittest.main(verbosity=2)
