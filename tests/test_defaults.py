#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Default sizes of runs: each right program holds at them, and at odd sizes; each lesson is
caught. The sizes reach what round numbers would hide: several blocks, more than one trip, and ends in the middle
of a block and of a warp.

usage: test_defaults.py REDUCTIO"""
import json
import os
import subprocess
import sys
import unittest

# Programs whose threads go through more elements than one.
STRIDED = {'dot-partial', 'dot-shared', 'dot-two-phase', 'mse', 'cosine', 'norm', 'multi-block-two-launch',
           'multi-block-grid-sync', 'multi-block-last-block', 'multi-block-atomic', 'ladder-grid-stride',
           'ladder-shuffles-twice', 'ladder-tiles', 'ladder-vectorised-atomic', 'ladder-vectorised',
           'ladder-cooperative', 'ladder-dot'}
ONE_THREAD = {'dot-cpu'}
# Programs whose n is the side of a square.
SQUARES = {'puzzle-map2d', 'puzzle-blocks2d', 'puzzle-broadcast', 'puzzle-matmul'}
SIZES = [(1, None, None), (2, None, None), (3, 2, None), (7, None, None), (31, 8, None), (33, 32, None), (61, 16, 3),
         (100, 33, 2), (101, 1, None), (255, 64, None), (257, 31, None), (999, 128, 3), (1023, 1024, None),
         (4097, 96, 5), (64, 5, None), (256, 7, None), (1024, 48, None)]

# Every which program is run: in a short run, as under sanitizers, one of seven.
EVERY = 7 if 'RD_TEST_SHORT' in os.environ else 1


def reductio(*arguments):
    return subprocess.run([REDUCTIO, *arguments], capture_output=True, text=True, check=False)


def trace_of(program):
    """The rounds of a run by default, and its status."""
    done = reductio('run', program, '--device', 'sim', '--no-last', '--quiet', '--trace', '-')
    records = [json.loads(line) for line in done.stdout.splitlines()]
    return done, [record['round'] for record in records if 'round' in record], records


class DefaultsTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.listed = json.loads(reductio('list', '--json').stdout)
        cls.right = [program for program in cls.listed if not program['lesson']]
        cls.lessons = [program for program in cls.listed if program['lesson']]

    def test_right_program_holds_by_default(self):
        for program in self.right[::EVERY]:
            with self.subTest(program['name']):
                done, rounds, _ = trace_of(program['name'])
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertTrue(rounds)

    def test_lesson_is_caught_by_default(self):
        for program in self.lessons[::EVERY]:
            with self.subTest(program['name']):
                done, _, _ = trace_of(program['name'])
                self.assertEqual(done.returncode, 1, done.stderr)

    def test_default_has_several_blocks_and_an_end_within_one(self):
        for program in self.right:
            with self.subTest(program['name']):
                _, rounds, records = trace_of(program['name'])
                n = program['n']
                self.assertEqual(n, records[1]['n'])
                self.assertEqual(program['block'], records[1]['block'])
                if program['name'] in ONE_THREAD:
                    continue
                self.assertTrue(any(r['grid'] * r.get('grid_y', 1) > 1 for r in rounds), rounds)
                self.assertNotEqual(n % max(r['block'] for r in rounds), 0)
                if program['name'] in STRIDED:
                    threads = rounds[0]['grid'] * rounds[0]['block']
                    self.assertGreater(n, threads)
                    self.assertNotEqual(n % threads, 0)
                    self.assertNotEqual(n % 2, 0)

    def test_programs_that_are_known_to_stride_are_all(self):
        """A program with a thread an element, or for two, has as many threads as it takes."""
        for program in self.right:
            if program['grid'] > 0 and program['name'] not in STRIDED:
                self.assertLessEqual(program['n'], 2 * program['grid'] * program['block'], program['name'])

    def test_right_program_holds_on_odd_sizes(self):
        for program in self.right[::EVERY]:
            name, taken = program['name'], 0
            for n, block, grid in SIZES:
                size = str(n if name not in SQUARES else n % 29 + 1)
                options = ['-n', size] + (['--block', str(block)] if block else []) + (['--grid', str(grid)] if grid else [])
                with self.subTest(name, options=options):
                    done = reductio('run', name, *options, '--device', 'sim', '--no-last', '--quiet', '--values', 'random:5')
                    self.assertIn(done.returncode, (0, 2), done.stdout + done.stderr)
                    taken += done.returncode == 0
            self.assertGreater(taken, 3, name)

    def test_block_that_is_named_stands_alone(self):
        """The block and the grid of a default go with its n, and with nothing else."""
        for arguments, block, grid in (['dot-shared', '-n', '1003'], 256, 4), (['dot-shared', '--block', '128'], 128, 8), \
                (['dot-shared', '--grid', '2'], 256, 2), (['dot-shared'], 64, 5), (['dot-shared', '--values', 'ones'], 64, 5), \
                (['fold', '--values', 'list:1,2,3,4'], 256, None):
            with self.subTest(arguments):
                done = reductio('run', *arguments, '--device', 'sim', '--no-last', '--quiet', '--trace', '-')
                run = json.loads(done.stdout.splitlines()[1])
                self.assertEqual((run['block'], run.get('grid')), (block, grid))


if __name__ == '__main__':
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    REDUCTIO = sys.argv[1]
    unittest.main(argv=sys.argv[:1] + sys.argv[2:])
