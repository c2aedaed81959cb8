#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""reductio run --values witness: of kernels that do more than add, or less, it never says that they hold for every
input. The kernels are changed and compiled anew, as somebody does who edits kernels/*.cu.

usage: test_witness_mutants.py BUILD [unittest's arguments]"""
import collections
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

from kernel_build import KernelBuild
from patience import WAIT_S

BUILD = KernelBuild(sys.argv.pop(1)) if len(sys.argv) > 1 else None
KERNELS = pathlib.Path(__file__).resolve().parent.parent / 'kernels'
LIBRARIES = ['sim_kernels_u64', 'sim_kernels_i32', 'sim_traced_kernels_u64', 'sim_traced_kernels_i32']
TRACED = BUILD is None or BUILD.has('sim_traced_kernels_u64')

VIOLATED, INCONCLUSIVE = 1, 3
FOLD = ('fold', 'fold', 'A[i] = OP(A[i], A[i + half]);')
TOP = '((elem)1 << (8 * sizeof(elem) - 1))'

# A change of a kernel's text in its family, the program that is run with it, and the exit status. A kernel that is wrong
# for a share of all values is VIOLATED; one that looks at a value, and may be wrong for one alone, is INCONCLUSIVE.
Mutant = collections.namedtuple('Mutant', 'name program family old new status')
MUTANTS = [Mutant(*row) for row in [
    ('or', *FOLD, 'A[i] |= A[i + half];', VIOLATED),
    ('exclusive_or', *FOLD, 'A[i] ^= A[i + half];', VIOLATED),
    ('saturating', *FOLD, '{ elem s = A[i] + A[i + half]; A[i] = s < A[i] ? (elem)-1 : s; }', VIOLATED),
    ('sum_in_double', *FOLD, 'A[i] = (elem)((double)A[i] + (double)A[i + half]);', VIOLATED),
    ('sum_in_float', *FOLD, 'A[i] = (elem)((float)A[i] + (float)A[i + half]);', VIOLATED),
    ('maximum', *FOLD, 'A[i] = A[i] > A[i + half] ? A[i] : A[i + half];', VIOLATED),
    ('top_bit_dropped', *FOLD, 'A[i] += A[i + half] & ~%s;' % TOP, VIOLATED),
    ('top_bit_of_i32_dropped', *FOLD, 'A[i] += sizeof(elem) == 4 ? A[i + half] & ~%s : A[i + half];' % TOP, VIOLATED),
    ('coefficient_beyond_the_digits', *FOLD, 'A[i] += A[i + half] * (1 + %s);' % TOP, VIOLATED),
    ('clamped_at_the_largest_but_one', *FOLD, '{ elem v = A[i + half]; A[i] += v < (elem)-2 ? v : (elem)-2; }',
     VIOLATED),
    ('remainder_of_the_largest', *FOLD, '{ uint64_t v = A[i + half]; A[i] += v % ~(uint64_t)0; }', VIOLATED),
    *[('neighbour_times_%d' % 2 ** k, *FOLD, 'A[i] += i ? %d * A[i + half - 1] : A[i + half];' % 2 ** k, VIOLATED)
      for k in (3, 4, 5, 6, 10)],
    ('branch_without_effect', *FOLD, 'if (A[i] > 1000) A[i] += A[i + half]; else A[i] += A[i + half];', INCONCLUSIVE),
    ('one_value_left_out', *FOLD, 'if (A[i + half] != 42) A[i] += A[i + half];', INCONCLUSIVE),
    ('one_value_more_in_arithmetic', *FOLD, 'A[i] += A[i + half] + !(A[i] ^ 42);', INCONCLUSIVE),
    ('one_case_of_a_switch', *FOLD, 'switch ((int)A[i + half]) { case 77: break; default: A[i] += A[i + half]; }',
     INCONCLUSIVE),
    ('one_value_in_an_address', *FOLD,
     '{ elem v = A[i + half], x = A[i + half * (size_t)(v & 1)]; A[i] += v + x; A[i] -= x; }',
     INCONCLUSIVE),
    ('loop_as_long_as_a_value', *FOLD, '{ for (elem k = 0; k < (A[i] & 1); k++); A[i] += A[i + half]; }', INCONCLUSIVE),
    ('atomic_or', 'multi-block-atomic -n 40 --block 8', 'multi_block', 'atomicAdd(out, sum);',
     'atomicAdd(out, sum | 1);',
     VIOLATED),
    ('b_of_its_neighbour', 'dot-shared -n 40 --block 8', 'dot_blocks', 'MULTIPLY(a[i], b[i])',
     'MULTIPLY(a[i], b[i ^ 1])', VIOLATED),
    ('no_factor', 'multiply', 'multiply', 'c[i] = a[i] * b[i];', 'c[i] = a[i];', VIOLATED),
    ('in_shared_memory', 'ladder-interleaved-modulo -n 40 --block 8', 'ladder_shared', 'x[t] = OP(x[t], x[t + s]);',
     'x[t] = x[t] | x[t + s];', VIOLATED),
    ('in_the_tournament', 'tournament', 'tournament', 'A[i] = OP(A[i], A[i + D]);',
     'A[i] += A[i + D] == 12345 ? 0 : A[i + D];', INCONCLUSIVE),
]]


def folding(statement):
    """The fold with another statement."""
    return Mutant('', *FOLD, statement, 0)


class Changed:
    """A program whose kernels are those of a changed family."""

    def __init__(self, test, mutant):
        temporary = tempfile.TemporaryDirectory(prefix='reductio-')
        test.addCleanup(temporary.cleanup)
        self.folder = folder = pathlib.Path(temporary.name)
        source = folder / 'kernels' / (mutant.family + '.cu')
        shutil.copytree(KERNELS, folder / 'kernels')
        text = source.read_text(encoding='utf-8')
        assert mutant.old in text, '%s.cu has no %s' % (mutant.family, mutant.old)
        source.write_text(text.replace(mutant.old, mutant.new), encoding='utf-8')
        objects = []
        for library in LIBRARIES:
            if BUILD.has(library):
                objects.append(folder / (library + '.o'))
                assert BUILD.compile(library, mutant.family, folder / 'kernels', objects[-1]), mutant.new
        self.reductio = folder / 'reductio'
        BUILD.link(objects, self.reductio)

    def run(self, *arguments):
        return subprocess.run([self.reductio, 'run', *arguments, '--device', 'sim', '--no-last'], capture_output=True,
                              text=True, timeout=WAIT_S, check=False)


class WitnessMutantsTest(unittest.TestCase):
    def test_mutants_never_hold_for_every_input(self):
        for mutant in MUTANTS:
            if mutant.status == INCONCLUSIVE and not TRACED:
                continue  # without comparisons, nothing shows
            with self.subTest(mutant.name):
                done = Changed(self, mutant).run(*mutant.program.split(), '--values', 'witness', '--quiet')
                self.assertEqual(done.returncode, mutant.status, done.stdout + done.stderr)
                self.assertNotIn('every', done.stdout)
                if mutant.status == INCONCLUSIVE:
                    self.assertIn('INCONCLUSIVE for n=', done.stdout)
                    self.assertIn('what the kernel does depends on values: in round 1 thread', done.stdout)
                    self.assertIn('%s.cu:' % mutant.family, done.stdout)

    def test_what_witness_values_hide_is_told_with_values_that_show_it(self):
        program = Changed(self, folding('A[i] |= A[i + half];'))
        done = program.run('fold', '--values', 'witness', '--json')
        told = json.loads(done.stdout)
        self.assertEqual((done.returncode, told['verdict'], told['values']), (1, 'VIOLATED', 'ones'))
        again = json.loads(program.run('fold', '--values', told['values'], '--type', told['type'], '--json').stdout)
        self.assertEqual(again['violation'], told['violation'])
        trace = program.folder / 'trace.ndjson'
        program.run('fold', '--values', 'witness', '--trace', str(trace))
        verified = subprocess.run([program.reductio, 'verify', trace], capture_output=True, text=True, check=False)
        self.assertEqual(verified.returncode, 1, verified.stdout)

    def test_what_an_optimised_kernel_has_no_more_is_told_where_it_was_seen(self):
        if not TRACED:
            self.skipTest('there is no other build')
        done = Changed(self, folding('{ elem far = A[i + 4096]; (void)far; A[i] += A[i + half]; }')).run(
            'fold', '--values', 'witness', '--quiet')
        self.assertEqual(done.returncode, VIOLATED, done.stdout)
        self.assertNotIn('every', done.stdout)
        self.assertIn('out-of-bounds', done.stdout)

    def test_a_neighbour_that_looks_like_a_digit_is_named(self):
        program = Changed(self, folding('A[i] += i ? 32 * A[i + half - 1] : A[i + half];'))
        self.assertIn('A[1] should hold {1,5}; it holds {1,4x32}: 5 was lost',
                      program.run('fold', '--values', 'witness', '--quiet').stdout)

    def test_dependence_is_in_json_and_its_trace_claims_nothing(self):
        if not TRACED:
            self.skipTest('comparisons are not told')
        program = Changed(self, folding('if (A[i + half] != 42) A[i] += A[i + half];'))
        done = program.run('fold', '--values', 'witness', '--json')
        told = json.loads(done.stdout)
        self.assertEqual((done.returncode, told['verdict']), (INCONCLUSIVE, 'INCONCLUSIVE'))
        self.assertRegex(told['premise']['dependence'],
                         r'^in round 1 thread 0 of block 0 compares 42 with 1 at \S+/fold.cu:\d+:\d+ where the ')
        self.assertGreater(told['premise']['passes'], 100)

    def test_the_same_without_a_change_holds_on_a_condition(self):
        done = Changed(self, folding(FOLD[2])).run('fold', '--values', 'witness', '--quiet')
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertIn('for every input of n=8 provided that the kernel only adds (', done.stdout)


if __name__ == '__main__':
    unittest.main()
