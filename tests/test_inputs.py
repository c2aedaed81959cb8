#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Kernels that write to their inputs, once they have read them: the sums stay right, and the run does not hold.

usage: test_inputs.py BUILD"""
import json
import subprocess
import sys
import unittest

from changed_kernels import ChangedKernelsCase

TERM = 'sum = ADD(sum, MULTIPLY(a[i], b[i]));'
DOT = 'dot-shared -n 300 --block 64 --grid 2'
BLOCK = 'sum = ADD(sum, v[i]);'

# The unit and source, the text in it and what it becomes; the run, and words of it.
CASES = [
    ('dot_blocks', 'dot_blocks.cu', TERM, '{ ' + TERM + ' ((elem *)a)[i] = 0; ((elem *)b)[i] = 0; }', DOT,
     'input-changed: a[1] was 1 before the round, and is 0 behind it; 299 elements of the input are another', 2),
    ('dot_blocks', 'dot_blocks.cu', TERM, '{ ' + TERM + ' ((elem *)a)[i] = 0; }', DOT + ' --frame off',
     'a[1] was 1 before the first round, and is 0', 1),
    ('dot_blocks', 'dot_blocks.cu', TERM, '{ ' + TERM + ' if (i == 299) ((elem *)b)[i] = 7; }', DOT, 'b[299] was 300 before', 1),
    ('dot_blocks', 'dot_blocks.cu', TERM, '{ ' + TERM + ' if (i == 299) ((elem *)b)[i] = 7; }', 'dot-two-phase -n 300 --frame off',
     'hazard in round 2: input-changed: b[299] was 300', 1),
    ('multi_block', 'multi_block.cu', BLOCK, '{ ' + BLOCK + ' ((elem *)v)[i] += 1; }', 'multi-block-grid-sync -n 300 --block 64',
     'a[0] was 0 before the round, and is 1', 1),
    ('ladder_stride', 'ladder_stride.cu', 'own = OP(own, a[base + GLOBAL_THREAD]);',
     '{ own = OP(own, a[base + GLOBAL_THREAD]); ((elem *)a)[base + GLOBAL_THREAD] = own; }', 'ladder-tiles -n 300 --block 40 --grid 1',
     'a[41] was 41 before', 1),
]


class InputsTest(ChangedKernelsCase):
    def test_kernel_that_changes_its_inputs_does_not_hold(self):
        for unit, source, old, new, arguments, words, hazards in CASES:
            with self.subTest(new=new, arguments=arguments):
                self.change(unit, source, old, new)
                status, output = self.run_it(arguments)
                self.assertEqual(status, hazards > 0, output)
                self.assertIn('%d hazard' % hazards, output)
                self.assertIn(words, output)

    def test_kernel_that_changes_the_indices_does_not_hold(self):
        unit, source, old, new, arguments, _, _ = CASES[-1]
        self.change(unit, source, old, new, 'sim_selecting_kernels_i32')
        for frame, when in (('', 'round'), (' --frame off', 'first round')):
            status, output = self.run_it(arguments + ' --op argmin --values marked:2' + frame)
            self.assertEqual(status, 1, output)
            self.assertIn(f'input-changed: indices[40] was 40 before the {when}, and is 0 behind it', output)

    def test_trace_of_such_a_run_is_violated_also_without_its_hazard(self):
        self.change(*CASES[2][:4])
        path = self.folder / 'trace.ndjson'
        self.run_it(DOT + ' --trace ' + str(path))

        def verify(records):
            path.write_text('\n'.join(map(json.dumps, records)) + '\n', encoding='utf-8')
            done = subprocess.run([self.reductio, 'verify', '--json', path], capture_output=True, text=True, check=False)
            return json.loads(done.stdout)[0]
        records = [json.loads(line) for line in path.read_text(encoding='utf-8').splitlines()]
        steps = [record for record in records if record['record'] == 'step' and 'round' in record]
        self.assertEqual(steps[0]['unchanged'], ['a'])
        said = verify(records)
        self.assertEqual((said['verdict'], said['reason'], said['hazard']['name']), ('VIOLATED', '', 'input-changed'))
        without = [record for record in records if record['record'] != 'hazard']
        without[-1].update(verdict='HOLDS', hazards=0, obligations={**without[-1]['obligations'], 'exit': 'HOLDS'})
        said = verify(without)
        self.assertEqual(said['verdict'], 'VIOLATED')
        self.assertIn("'unchanged' inputs of step 1", said['reason'])


if __name__ == '__main__':
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    ChangedKernelsCase.build_folder = sys.argv[1]
    unittest.main(argv=sys.argv[:1] + sys.argv[2:])
