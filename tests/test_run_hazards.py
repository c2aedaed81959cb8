#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Kernels of ours, changed so that their sums hang on the order of threads, on too narrow a scope, or on accesses
that leave no trace in the result: the run does not hold.

usage: test_run_hazards.py BUILD"""
import sys
import unittest

from changed_kernels import ChangedKernelsCase

ATOMIC = ('multi_block', 'multi_block.cu', 'atomicAdd(out, sum);')
LOAD = ('multi_block', 'multi_block.cu', 'sum = ADD(sum, v[i]);')
LAST = ('multi_block', 'multi_block.cu', '__threadfence();\n        if (atomicInc')
BARRIER = ('dot_blocks', 'dot_blocks.cu', 'cache[t] = sum;\n    __syncthreads();')
SUM = 'multi-block-atomic -n 300 --block 64'

# The unit, source and text in it, what it becomes; the run, and words of it.
CASES = [
    (ATOMIC, 'atomicAdd_block(out, sum);', SUM, 'race: '),
    (ATOMIC, '*out += sum;', SUM, 'race: read-write, grid'),
    (ATOMIC, '{ elem old = atomicAdd(out, (elem)0); atomicExch(out, old + sum); }', SUM, 'order-dependent'),
    (ATOMIC, 'atomicExch(out, sum);', SUM, 'expected'),
    (LOAD, 'sum += v[i] + (v[n] - v[n]);', SUM, 'out-of-bounds'),
    (LOAD, 'sum += v[i] + 0 * v[n];', SUM, 'out-of-bounds'),
    (LOAD, 'sum += v[i] + (1 << (31 + (i == 7))) * 0;', SUM, 'undefined-arithmetic'),
    (LAST, 'if (atomicInc', 'multi-block-last-block -n 300 --block 64', 'race: read-write, grid'),
    (BARRIER, 'cache[t] = sum;\n    if (t < 32) { __syncthreads(); } else { __syncthreads(); }',
     'dot-shared -n 300 --block 64 --grid 2', 'barrier-divergence'),
]


class RunHazardsTest(ChangedKernelsCase):
    def test_kernel_whose_sum_hangs_on_more_than_its_inputs_does_not_hold(self):
        for (unit, source, old), new, arguments, words in CASES:
            with self.subTest(new=new):
                self.change(unit, source, old, new)
                status, output = self.run_it(arguments)
                self.assertEqual(status, 1, output)
                self.assertIn(words, output)


if __name__ == '__main__':
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    ChangedKernelsCase.build_folder = sys.argv[1]
    unittest.main(argv=sys.argv[:1] + sys.argv[2:])
