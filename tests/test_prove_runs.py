#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Goals next to runs: of kernels that are changed, one of which all goals are proved holds in every run of n <= 8 elements, blocks of up to 4
threads and up to 2 blocks, and one that fails in such a run has a goal that is not proved.

usage: test_prove_runs.py BUILD PROVE_MUTANTS [FILE/FUNCTION...]      all changes of these; without one, some of each

The changes are those of tests/mutants.py, each compiled and run in the simulator."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

from kernel_build import KernelBuild
from mutants import ends
from mutations import mutants_of
from patience import WAIT_S

SKIPPED = 77
BUILD = KernelBuild(sys.argv[1]) if len(sys.argv) > 1 else None
PROVER = os.path.abspath(sys.argv[2]) if len(sys.argv) > 2 else 'prove_mutants'
CHOSEN = sys.argv[3:]
KERNELS = pathlib.Path(__file__).resolve().parent.parent / 'kernels'
LIBRARY = 'sim_kernels_u64'
# Of a function that several programs call, one. Elements are of 8 bytes, as the prover has them.
PLACES = {
    'fold/fold': 'fold',
    'fold_any/fold_guard': 'fold-guard',
    'fold_any/fold_ceil': 'fold-ceil',
    'unfold/unfold': 'unfold',
    'tournament/tournament': 'tournament',
    'dot_threads/dot_partial': 'dot-partial',
    'puzzle_sums/puzzle_block_sum': 'puzzle-block-sum',
    'ladder_shared/ladder_interleaved_modulo': 'ladder-interleaved-modulo',
    'ladder_shared/ladder_interleaved_strided': 'ladder-interleaved-strided',
    'ladder_shared/ladder_sequential': 'ladder-sequential',
    'ladder_shared/ladder_first_add': 'ladder-first-add',
    'ladder_warp/fold_to': 'ladder-warp-shuffle',
    'ladder_warp/ladder_warp_shuffle': 'ladder-warp-shuffle',
    'ladder_stride/ladder_grid_stride': 'ladder-grid-stride',
    'dot_blocks/dot_shared': 'dot-shared',
    'dot_blocks/sum_partials': 'dot-two-phase',
    'multi_block/sum_block': 'multi-block-atomic',
    'multi_block/block_sums': 'multi-block-two-launch',
}
SHORT = ['fold/fold', 'fold_any/fold_guard', 'tournament/tournament', 'puzzle_sums/puzzle_block_sum', 'ladder_warp/fold_to']
SOME = 16  # one change of so many, where no function is named: each takes some seconds, and of blocks many
RUNS = [(n, block, grid) for n in (5, 8, 7, 1, 2, 3, 4, 6) for block in (4, 3, 2, 1) for grid in (2, 1)]


class Runs(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix='reductio-')
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        shutil.copytree(KERNELS, cls.folder / 'kernels')
        cls.environment = {**os.environ, 'XDG_CACHE_HOME': folder.name}

    def fails(self, program, file, text, among):
        """The first of the runs that fails with that text as the file, in words; None where none does, and False where it doesn't compile."""
        (self.folder / 'kernels' / (file + '.cu')).write_text(text, encoding='utf-8')
        unit = self.folder / 'unit.o'
        compiled = BUILD.compile(LIBRARY, file, self.folder / 'kernels', unit, ['-g0'])
        (self.folder / 'kernels' / (file + '.cu')).write_text((KERNELS / (file + '.cu')).read_text(encoding='utf-8'), encoding='utf-8')
        if not compiled:
            return False
        BUILD.link([unit], self.folder / 'reductio', ['-s'])
        for n, block, grid in among:
            words = ['run', program, '-n', n, '--block', block, '--values', 'random:1', '--type', 'u64', '--device', 'sim', '--no-last',
                     '--quiet'] + (['--grid', grid] if grid else [])
            if ends([self.folder / 'reductio', *map(str, words)]) != 0:
                return ' '.join(map(str, words))
        return None

    def accepted(self, program):
        """The runs that the unchanged program takes, and holds in."""
        taken = []
        for n, block, grid in RUNS:
            for given in (grid, 0):
                words = ['run', program, '-n', n, '--block', block, '--type', 'u64', '--device', 'sim', '--no-last', '--quiet',
                         *(['--grid', given] if given else [])]
                if ends([BUILD.reductio, *map(str, words)]) == 0:
                    taken.append((n, block, given))
                    break
        self.assertGreater(len(set(taken)), 3, program)
        return list(dict.fromkeys(taken))

    def words(self, program, file, texts):
        paths = []
        for k, text in enumerate(texts):
            paths.append(self.folder / f'{k}.cu')
            paths[-1].write_text(text, encoding='utf-8')
        done = subprocess.run([PROVER, program, file + '.cu', *paths], env=self.environment, text=True, timeout=20 * WAIT_S,
                              check=False, capture_output=True)
        if done.returncode == SKIPPED:
            self.skipTest('cvc5 and z3 are needed')
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        if done.stdout.startswith('unread') and 'libclang' in done.stdout:
            self.skipTest(done.stdout)
        self.assertEqual(len(done.stdout.splitlines()), len(texts))
        return done.stdout.splitlines()

    def look_at(self, place):
        file, function = place.split('/')
        program = PLACES[place]
        text = (KERNELS / (file + '.cu')).read_text(encoding='utf-8')
        mutants = [mutant for mutant in mutants_of(text) if mutant.function.name == function]
        mutants = mutants if CHOSEN else mutants[1::SOME]
        self.assertTrue(mutants, place)
        among = self.accepted(program)
        self.assertIsNone(self.fails(program, file, text, among), 'unchanged')
        failures = [self.fails(program, file, mutant.text, among) for mutant in mutants]
        kept = [(mutant, failure) for mutant, failure in zip(mutants, failures) if failure is not False]
        words = self.words(program, file, [mutant.text for mutant, _ in kept])
        for (mutant, failure), word in zip(kept, words):
            if CHOSEN:
                print(f'{place}\n- {mutant.line}\n+ {mutant.changed}\n  {failure or "holds"}; {word}', flush=True)
            with self.subTest(place=place, line=mutant.line, changed=mutant.changed):
                self.assertFalse(failure and word.startswith('PROVED'), failure)

    def test_what_is_proved_holds_in_all_small_runs(self):
        for place in CHOSEN or SHORT:
            with self.subTest(place):
                self.look_at(place)


if __name__ == '__main__':
    if BUILD and not BUILD.has(LIBRARY):
        print('skipped: there are no kernels of u64')
        sys.exit(SKIPPED)
    unittest.main(argv=sys.argv[:1])
