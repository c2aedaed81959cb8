#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Kernels whose checkpoints are not where the program says they are: left out, doubled, in a branch, with another
variable, or while the array is still written. What the kernel computes stays right, so that nothing else tells.

usage: test_checkpoints.py BUILD"""
import sys
import unittest

from changed_kernels import ChangedKernelsCase

HEAD = 'CHECKPOINT(SEQUENTIAL, cache, blockDim.x, 2 * s);'
END = 'CHECKPOINT(SEQUENTIAL, cache, blockDim.x, 1);'
LANE = 'CHECKPOINT_LANE(POINT, own, 2 * o);'
STRIDE = 'CHECKPOINT_LANE(GRID_STRIDE, own, base);'
EARLY = 'cache[t] = sum;\n    __syncthreads();\n    for (unsigned s = blockDim.x / 2; s > 0; s /= 2) {\n        ' + HEAD
DOT = 'dot-shared -n 300 --block 64 --grid 2'
WARP = 'ladder-warp-shuffle -n 300 --block 64'
GRID = 'ladder-grid-stride -n 300 --block 48 --grid 2'

# The unit, its source, the text in it and what it becomes; the run, its status, and words of it.
CASES = [
    ('dot_blocks', 'dot_blocks.cu', HEAD, HEAD, DOT, 0, ['0 hazards']),
    ('dot_blocks', 'dot_blocks.cu', HEAD, ';', DOT, 3,
     ['checkpoint-missing: block 0 does not come to', 'w = 64', '2 blocks lack some']),
    ('dot_blocks', 'dot_blocks.cu', END, ';', DOT, 3, ['checkpoint-missing', 'w = 1, which is due as its checkpoint 7']),
    ('dot_blocks', 'dot_blocks.cu', HEAD, 'if (s != 8) { ' + HEAD + ' }', DOT, 3, ['checkpoint-missing', 'w = 16']),
    ('dot_blocks', 'dot_blocks.cu', HEAD, 'if (blockIdx.x == 0) { ' + HEAD + ' }', DOT, 3,
     ['checkpoint-missing: block 1']),
    ('dot_blocks', 'dot_blocks.cu', HEAD, HEAD + HEAD, DOT, 1, ['checkpoint-order', 'w = 64 as its checkpoint 2']),
    ('dot_blocks', 'dot_blocks.cu', END, END + END, DOT, 1, ['checkpoint-order', 'where no more are due']),
    ('dot_blocks', 'dot_blocks.cu', END, END + END.replace(' 1)', ' 4)'), DOT, 1, ['checkpoint-order', 'w = 4 as its']),
    ('dot_blocks', 'dot_blocks.cu', HEAD, HEAD.replace('2 * s', '0'), DOT, 1, ['checkpoint-order', 'w = 0 as its']),
    ('dot_blocks', 'dot_blocks.cu', END, END.replace(' 1)', ' 0)'), DOT, 1, ['checkpoint-order', 'w = 0 as its']),
    ('dot_blocks', 'dot_blocks.cu', HEAD, HEAD.replace('2 * s', 's'), DOT, 1, ['checkpoint-order']),
    ('dot_blocks', 'dot_blocks.cu', HEAD, HEAD.replace('2 * s', '64 / s'), DOT, 1, ['checkpoint-order']),
    ('dot_blocks', 'dot_blocks.cu', HEAD, HEAD.replace('SEQUENTIAL', 'TILE_SUMS'), DOT, 1, ["'tile_sums'"]),
    ('dot_blocks', 'dot_blocks.cu', HEAD, HEAD.replace('blockDim.x', '32'), DOT, 1, ['an array of 32 cells']),
    ('dot_blocks', 'dot_blocks.cu', HEAD, HEAD.replace('blockDim.x', '1 << 28'), DOT, 1, ['an array of 0 cells']),
    ('dot_blocks', 'dot_blocks.cu', HEAD, 'if (t % 2 == 0) { ' + HEAD + ' }', DOT, 1,
     ['checkpoint-divergence', '32 of its threads, and 64 should']),
    ('dot_blocks', 'dot_blocks.cu', HEAD, 'if (t < s) { ' + HEAD + ' }', DOT, 1, ['checkpoint-divergence']),
    ('dot_blocks', 'dot_blocks.cu', HEAD, 'if (t / 32 == 0) { ' + HEAD + ' }', DOT, 1, ['checkpoint-divergence']),
    ('dot_blocks', 'dot_blocks.cu', HEAD, HEAD.replace('2 * s', '2 * s + (t == 5)'), DOT, 1, ['checkpoint-divergence']),
    ('dot_blocks', 'dot_blocks.cu', EARLY,
     'cache[t] = sum;\n' + HEAD.replace('2 * s', 'blockDim.x') + EARLY[15:-len(HEAD)] +
     'if (2 * s != blockDim.x) ' + HEAD, DOT, 1, ['checkpoint-race', 'Put __syncthreads() before it']),
    ('dot_blocks', 'dot_blocks.cu', END, 'for (;;) { ' + END + ' }', DOT, 1, ['no-termination', 'has no end']),
    ('ladder_warp', 'ladder.h', LANE, ';', WARP, 3, ['checkpoint-missing: block 0, warp 0', 'w = 32']),
    ('ladder_warp', 'ladder.h', LANE, 'if (o != 4) ' + LANE, WARP, 3, ['checkpoint-missing', 'w = 8']),
    ('ladder_warp', 'ladder.h', LANE, LANE + LANE, WARP, 1, ['checkpoint-order']),
    ('ladder_warp', 'ladder.h', LANE, 'if (lane < o) ' + LANE, WARP, 1, ['checkpoint-divergence', '16 of its threads, and 32']),
    ('ladder_warp', 'ladder.h', LANE, LANE.replace('2 * o', '0'), WARP, 1, ['checkpoint-order', 'w = 0 as its']),
    ('ladder_stride', 'ladder_stride.cu', STRIDE, 'if (base + GLOBAL_THREAD < n) ' + STRIDE, GRID, 1,
     ['checkpoint-divergence']),
    ('ladder_stride', 'ladder_stride.cu', STRIDE, 'if (threadIdx.x >= 32) ' + STRIDE, GRID, 1,
     ['checkpoint-divergence', '32 of its threads, and 48 should']),
    ('ladder_stride', 'ladder_stride.cu', STRIDE, STRIDE.replace('base', 'base + blockDim.x'), GRID, 1, ['checkpoint-order']),
]


class CheckpointsTest(ChangedKernelsCase):
    def test_checkpoint_that_is_not_where_it_should_be_is_told(self):
        for unit, source, old, new, arguments, status, words in CASES:
            with self.subTest(new):
                self.change(unit, source, old, new)
                got, output = self.run_it(arguments)
                self.assertEqual(got, status, output)
                for word in words:
                    self.assertIn(word, output)


if __name__ == '__main__':
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    ChangedKernelsCase.build_folder = sys.argv[1]
    unittest.main(argv=sys.argv[:1] + sys.argv[2:])
