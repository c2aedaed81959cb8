#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Mutants of the kernels of programs that `reductio prove` proves: of none may it say that it is proved.

usage: test_prove_mutants.py PROVE_MUTANTS [FILE/FUNCTION...]      without a function, some mutants of each

The mutants are those of tests/mutants.py, which kills them by runs. A mutant that is proved must be in EQUIVALENT, with
the argument why it is the same program, or in tests/mutants.txt, of those that no run can tell from the kernel either."""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

from mutants import explanations
from mutations import mutants_of
from patience import WAIT_S

SKIPPED = 77
PROVER = os.path.abspath(sys.argv[1]) if len(sys.argv) > 1 else 'prove_mutants'
CHOSEN = sys.argv[2:]
ROOT = pathlib.Path(__file__).resolve().parent.parent
# File and function: the program whose kernels it belongs to.
KERNELS = {
    'fold/fold': 'fold',
    'fold_any/fold_guard': 'fold-guard',
    'fold_any/fold_ceil': 'fold-ceil',
    'unfold/unfold': 'unfold',
    'tournament/tournament': 'tournament',
    'multiply/multiply': 'multiply',
    'dot_threads/dot_partial': 'dot-partial',
    'dot_blocks/dot_shared': 'dot-shared',
    'similarity/squared_error': 'mse',
    'similarity/three_dots': 'cosine',
    'ladder_shared/ladder_interleaved_modulo': 'ladder-interleaved-modulo',
    'puzzle_sums/puzzle_block_sum': 'puzzle-block-sum',
    'puzzle_maps2d/puzzle_map2d': 'puzzle-map2d',
    'puzzle_maps2d/puzzle_broadcast': 'puzzle-broadcast',
    'puzzle_sums/puzzle_axis_sum': 'puzzle-axis-sum',
    'puzzle_windows/puzzle_pool': 'puzzle-pool',
    'puzzle_windows/puzzle_conv1d': 'puzzle-conv1d',
    'puzzle_matmul/puzzle_matmul': 'puzzle-matmul',
}
# Changes that are wrong in what is hard to see: by name, the program's file and function, and what is replaced there.
PICK = """__device__ inline elem *pick(unsigned t, elem *x)
{
    __shared__ elem other[32];
    if (t == 1) {
        x[0] = 0;
        return other;
    }
    return x;
}
"""
LAST = '    CHECKPOINT(SEQUENTIAL, cache, blockDim.x, 1);\n'
LANE = """__device__ inline void write(elem *x)
{
    elem own = 0;
    if (threadIdx.x == 1) {
        x[0] = 0;
        CHECKPOINT_LANE(NOWHERE, own, 0);
    }
}
"""
CHANGES = {
    'a thread that goes another way writes what is read behind a barrier': (
        PICK, [(LAST, LAST + 'elem *p = pick(t, cache);\n__syncthreads();\n')]),
    'a thread writes before a checkpoint of lanes': (LANE, [(LAST, LAST + 'write(cache);\n__syncthreads();\n')]),
    'threads leave a loop with barriers': ('', [('s > 0;', 's > 0 && t < 2 * s;'), (LAST, '')]),
    'threads end by two ways, on neither of which they write': (
        '', [('    cache[t] =', '__shared__ elem q[32]; elem *p = cache; if (n == 7) { if (t == 0) { p = q; return; } return; }\n'
                              'cache[t] =')]),
}
SOME = 12  # one of so many, if no function is named: each takes a second and more
LONG = ['dot_blocks/dot_shared', 'similarity/squared_error', 'similarity/three_dots', 'ladder_shared/ladder_interleaved_modulo',  # only if they are named
        'puzzle_maps2d/puzzle_broadcast', 'puzzle_sums/puzzle_axis_sum', 'puzzle_windows/puzzle_conv1d', 'puzzle_matmul/puzzle_matmul']
# (file, function, line, changed line): why it is the same.
EQUIVALENT = {}


def mutants(place):
    file, function = place.split('/')
    text = (ROOT / 'kernels' / (file + '.cu')).read_text(encoding='utf-8')
    return text, [mutant for mutant in mutants_of(text) if mutant.function.name == function]


class Mutants(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix='reductio-')
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        cls.environment = {**os.environ, 'XDG_CACHE_HOME': folder.name}

    def words(self, place, texts):
        """What is said of the program with each of the texts in place of its file."""
        paths = []
        for k, text in enumerate(texts):
            paths.append(self.folder / f'{k}.cu')
            paths[-1].write_text(text, encoding='utf-8')
        done = subprocess.run([PROVER, KERNELS[place], place.split('/')[0] + '.cu', *paths], env=self.environment, text=True,
                              timeout=10 * WAIT_S, check=False, capture_output=True)
        if done.returncode == SKIPPED:
            self.skipTest('cvc5 and z3 are needed')
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        words = done.stdout.splitlines()
        self.assertEqual(len(words), len(texts), done.stdout)
        return words

    def look_at(self, place):
        file, function = place.split('/')
        text, changed = mutants(place)
        changed = changed if CHOSEN else changed[1::SOME]
        known = explanations(ROOT / 'tests' / 'mutants.txt')
        before, *words = self.words(place, [text] + [mutant.text for mutant in changed])
        if before.startswith('unread') and 'libclang' in before:
            self.skipTest(before)
        self.assertEqual(before, 'PROVED', 'unchanged')
        self.assertTrue(changed)
        for mutant, word in zip(changed, words):
            key = (file, function, mutant.line, mutant.changed)
            if CHOSEN:
                print(f'{place}\n- {mutant.line}\n+ {mutant.changed}\n  {word}', flush=True)
            with self.subTest(place=place, line=mutant.line, changed=mutant.changed):
                if key in EQUIVALENT:
                    self.assertEqual(word, 'PROVED', 'is explained, and is not proved')
                elif key not in known:
                    self.assertNotEqual(word, 'PROVED')

    def test_no_change_is_proved(self):
        if CHOSEN:
            self.skipTest('mutants were chosen')
        place, function = 'puzzle_sums/puzzle_block_sum', 'EXTERN_C __global__ void NAME(puzzle_block_sum)'
        before, rest = (ROOT / 'kernels/puzzle_sums.cu').read_text(encoding='utf-8').split(function)
        texts = []
        for name, (helper, replaced) in CHANGES.items():
            changed = rest
            for old, new in replaced:
                self.assertIn(old, changed, name)
                changed = changed.replace(old, new, 1)
            texts.append(before + helper + function + changed)
        for name, word in zip(CHANGES, self.words(place, texts)):
            with self.subTest(name):
                self.assertRegex(word, '^(REFUTED|OPEN)')

    def test_no_mutant_is_proved(self):
        for place in CHOSEN or [place for place in KERNELS if place not in LONG]:
            self.look_at(place)


if __name__ == '__main__':
    unittest.main(argv=sys.argv[:1])
