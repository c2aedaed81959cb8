#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Coverage of the corpus in tests/hazards, by its own statements: every hazard in each of its kinds and scopes, with a
faulty kernel and one that does the same rightly; sizes at the boundaries; and the cases that are easily got wrong.
test_hazards.py checks the statements themselves. test_corpus.py REDUCTIO FILE.cu..."""
import collections
import glob
import json
import os
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'tools'))
import lists  # noqa: E402
from patience import WAIT_S
from test_hazards import SCHEDULES, cases, statements

BINARY, FILES = os.path.abspath(sys.argv[1]), sys.argv[2:]

# No hazards of a kernel alone: test_check_report.py and the puzzles' tests have them.
NOT_OF_KERNELS = {'order-dependent', 'over-budget'}

# name: what is said of it beside the name, which is nothing of most. Kinds of a race come with scopes, of an access with where
# it goes.
KINDS = {name: [''] for name in lists.SIM_HAZARDS if name not in NOT_OF_KERNELS} | {
    'race': [kind + '/' + scope for kind in ('read-write', 'write-write', 'same-value')
             for scope in ('warp', 'block', 'grid')],
    'out-of-bounds': ['global', 'shared', 'stray', 'private'],
    'misaligned': ['global', 'shared'],
    'uninitialised': ['global', 'shared', 'private'],
    'leak': ['lost', 'kept'],
    'dead-frame': ['private'],
    'undefined-arithmetic': ['shift', 'conversion', 'division'],
}
# No hazards of a kernel, but other findings: test_check_report.py, test_check_results.py and the puzzles' tests have
# them.
OTHER_RULES = set(lists.HAZARDS) - set(KINDS) | {
    # Findings of runs, which share the format.
    'violated', 'violated-bits', 'violated-bound', 'violated-frame', 'violated-goal', 'inconclusive'}

# Cases that are easily got wrong: the faulty kernel, and the right one.
NASTY = {
    'a shared array at its last element': ('shared_overrun', 'shared_last'),
    'a race only between the first and the last block': ('first_and_last_block', 'each_block_its_own'),
    'a race that only a summary of three threads can show': ('three_threads', 'three_readers'),
    'a barrier at one line in different iterations of a loop': ('turns_left_out', 'turns_apart'),
    'a barrier in a loop and one behind it': ('loop_and_behind', 'all_in_the_loop'),
    'divergence by early return': ('early_return', 'return_behind'),
    'copies of structs': ('struct_to_neighbour', 'struct_to_its_own'),
    'memcpy': ('copies_overlap', 'copies_meet'),
    'memset': ('set_overlaps', 'set_in_parts'),
    'bytes of accesses of different sizes': ('long_over_a_byte', 'long_beside_a_byte'),
    'vector loads, unaligned': ('vector_skewed', 'vector_straight'),
    'recursion': ('too_deep', 'recursion'),
    'large frames': ('large_frames', 'large_frame'),
    '1024 threads with indices in three dimensions': ('cube_flat', 'cube'),
    'an atomic access and a plain one': ('atomic_and_plain', 'atomic_then_plain'),
    'a barrier that orders the block and not the grid': ('block_barrier_only', 'grid_barrier_between'),
}
AT_LEAST = 60
WARP, BLOCK_MAX = 32, 1024

Case = collections.namedtuple('Case', 'name path options wants right')


def n_threads(options):
    block = dict(zip(options, options[1:]))['--block']
    n = 1
    for dim in block.split(','):
        n *= int(dim)
    return n


def load(path):
    with open(path, encoding='utf-8') as file:
        rights = statements(file.read(), 'right')
    here = {name: Case(name, path, options, wants, rights.get(name)) for name, options, wants in cases(path)}
    assert rights.keys() <= here.keys(), '%s: %s' % (path, rights.keys() - here.keys())
    return here


class CorpusTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.files = {path: load(path) for path in FILES}
        cls.cases = [case for here in cls.files.values() for case in here.values()]

    def faulty(self):
        return [case for case in self.cases if case.wants != ['clean']]

    def right(self):
        return [case for case in self.cases if case.wants == ['clean']]

    def test_all_files_are_run(self):
        folder = os.path.dirname(os.path.abspath(FILES[0]))
        self.assertEqual(sorted(glob.glob(folder + '/*.cu')), sorted(map(os.path.abspath, FILES)))

    def test_under_all_schedules(self):
        self.assertEqual(SCHEDULES, ['ascending', 'descending', 'warp', 'random', 'interleave'])

    def test_there_are_enough(self):
        self.assertGreaterEqual(len(self.faulty()), AT_LEAST)
        self.assertGreaterEqual(len(self.right()), AT_LEAST)

    def test_a_twin_is_right(self):
        for case in self.cases:
            if case.right:
                with self.subTest(case.name):
                    self.assertNotEqual(case.wants, ['clean'])
                    self.assertEqual(self.files[case.path][case.right].wants, ['clean'])

    def test_every_kind_has_a_faulty_kernel_and_its_right_twin(self):
        for name, kinds in KINDS.items():
            for kind in kinds:
                with self.subTest(name=name, kind=kind):
                    self.assertTrue([case for case in self.faulty() if case.right and any(
                        want.partition('/')[0] == name and set(kind.split('/')) - {''} <= set(want.split('/')[1:])
                        for want in case.wants)])

    def test_every_hazard_that_is_wanted_is_one(self):
        for case in self.faulty():
            for want in case.wants:
                with self.subTest(case.name):
                    name, _, rest = want.partition('/')
                    words = {word for kind in KINDS[name] for word in kind.split('/')}
                    self.assertLessEqual(set(rest.split('/')) - {''}, words)

    def test_every_hazard_that_the_tool_knows_is_here(self):
        with tempfile.TemporaryDirectory(prefix='reductio-') as folder:
            path = os.path.join(folder, 'k.cu')
            with open(path, 'w', encoding='utf-8') as file:
                file.write('__global__ void k() {}\n')
            command = [BINARY, 'check', path, '--kernel', 'k', '--grid', '1', '--block', '1', '--sarif', '-']
            done = subprocess.run(command, capture_output=True, text=True, timeout=WAIT_S, check=True)
        rules = json.loads(done.stdout)['runs'][0]['tool']['driver']['rules']
        self.assertEqual({rule['id'] for rule in rules} - OTHER_RULES, set(KINDS))

    def test_every_nasty_case_has_both(self):
        for what, (faulty, right) in NASTY.items():
            with self.subTest(what):
                self.assertIn(faulty, [case.name for case in self.faulty()])
                self.assertIn(right, [case.name for case in self.right()])

    def test_sizes_at_the_boundaries(self):
        for size in (1, WARP - 1, WARP, WARP + 1, 2 * WARP, BLOCK_MAX):
            for kind, chosen in (('faulty', self.faulty()), ('right', self.right())):
                with self.subTest(size=size, kind=kind):
                    self.assertIn(size, [n_threads(case.options) for case in chosen])


if __name__ == '__main__':
    unittest.main(argv=sys.argv[:1])
