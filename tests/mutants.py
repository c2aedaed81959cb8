#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Mutation test: changes the kernels of the right programs in one place at a time, and runs the programs
in the simulator. A mutant is killed where a run does not end as it does with the kernel unchanged: an
invariant is violated, or there is a hazard, a crash, or no end. One that survives must be in
tests/mutants.txt, with the argument why it is no other program, or why nothing can tell.

usage: mutants.py [-v] BUILD [FAMILY...]      FAMILY.cu or, of what families share, FAMILY.h in kernels/

Kernels that no right program launches are left out: lessons, and those of the benchmark and of the GPU's
copies. Exits with 1 where there are survivors, or explanations of mutants that are none."""
import collections
import concurrent.futures
import json
import os
import pathlib
import queue
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile

from kernel_build import KernelBuild
from mutations import functions_of, mutants_of, without_kernels

ROOT = pathlib.Path(__file__).resolve().parent.parent
KERNELS = ROOT / 'kernels'
WORKERS = 2
HANGS_S = 3  # a right run takes some milliseconds
# Sums of floats are compared in all bits, so that their order tells; atomic ones within a bound only.
TYPES = ['i32', 'f32']
# Subtraction of floats does not give back what was rounded away; what is made of sums that wrap is not exact.
NOT_WITH = {('unfold', 'f32'), ('mse', 'i32'), ('norm', 'i32'), ('cosine', 'i32')}
# Programs whose n is the side of a square.
SQUARES = {'puzzle-map2d', 'puzzle-blocks2d', 'puzzle-broadcast', 'puzzle-matmul'}
SIDE = re.compile(r'(-n \d\d)\d+')
# Half empty blocks, half empty warps, one block and several, more of them than work, odd sizes; what a
# program refuses is left out. A sum that begins as 0 is not one of -0 only,
# and to add 0 * inf is not to add nothing; a block of 9 keeps out `norm`, whose exact value is then no number.
# Most mutants are killed by the first.
SHAPES = ['-n 100 --block 4 --grid 3', '-n 100 --block 4', '', '-n 1', '-n 2', '-n 3 --block 2', '-n 5 --block 3',
          '-n 7', '-n 8 --block 4', '-n 16 --block 8', '-n 9 --block 4 --grid 1', '-n 64 --block 1',
          '-n 64 --block 16 --grid 3', '-n 33 --block 32', '-n 32 --block 32', '-n 100 --block 7 --grid 2',
          '-n 1 --block 64 --grid 3', '-n 128 --block 32', '-n 256 --block 64 --grid 2', '-n 300 --block 40 --grid 2',
          '-n 75 --block 100', '-n 500 --block 100 --grid 3', '-n 1000 --block 37', '-n 700 --block 256 --grid 2',
          '-n 1024 --block 256', '-n 4096 --block 16 --grid 40', '-n 2500 --block 1000 --grid 1',
          '-n 3000 --block 1024', '-n 9000 --block 64 --grid 3', '-n 16 --block 4 --grid 1',
          '-n 600 --block 1 --grid 37', '-n 4 --block 48 --grid 1', '-n 2 --block 2 --grid 1',
          '-n 16 --block 3', '-n 3 --block 1 --grid 1', '-n 7 --block 1 --grid 3', '-n 100 --block 31',
          '-n 200 --block 33', '--values list:-0,-0,-0,-0,-0,-0,-0,-0 --block 4', '--values list:-0,-0',
          '--values list:1,2,3,4,5,6,1,inf,inf --block 9']


def ends(command):
    """The exit status; negative where a signal ended it, None where nothing did."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                               start_new_session=True, env={**os.environ, 'OMP_NUM_THREADS': '1'})
    try:
        return process.wait(HANGS_S)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        return None


class Build(KernelBuild):
    """A build folder, and what its programs launch."""

    def __init__(self, folder):
        super().__init__(folder)
        self.launches = {name: self.kernels_of(name) for name in self.right_programs()}

    def right_programs(self):
        listed = subprocess.run([self.reductio, 'list', '--json'], capture_output=True, text=True, check=True).stdout
        return [program['name'] for program in json.loads(listed) if not program['lesson']]

    def kernels_of(self, program):
        """The kernels that the program launches, as its trace names them."""
        traced = subprocess.run([self.reductio, 'run', program, '--device', 'sim', '--no-last', '--quiet', '--trace',
                                 '-'], capture_output=True, text=True, check=True).stdout
        rounds = [json.loads(line).get('round') for line in traced.splitlines()]
        return {step['kernel'] for step in rounds if step}


class Family:
    """One source, the units that are compiled from it, and the runs of the programs that launch their kernels."""

    def __init__(self, build, name):
        self.build, self.name = build, name
        self.source = next(path for path in (KERNELS / (name + '.cu'), KERNELS / (name + '.h')) if path.exists())
        self.text = self.source.read_text(encoding='utf-8')
        texts = {path.stem: path.read_text(encoding='utf-8') for path in sorted(KERNELS.glob('*.cu'))}
        if self.source.suffix == '.cu':
            texts = {name: self.text}
        else:
            texts = {unit: text for unit, text in texts.items() if '#include "%s"' % self.source.name in text}
        self.kernels, self.programs = {}, {}
        for unit, text in texts.items():
            kernels = {function.name for function in functions_of(text) if function.is_kernel}
            self.programs[unit] = [program for program, launched in build.launches.items() if launched & kernels]
            self.kernels[unit] = kernels & set().union(*(build.launches[program] for program in self.programs[unit]))
        launched = set().union(*self.kernels.values())
        self.mutants = [mutant for mutant in mutants_of(self.text) if launched and
                        (not mutant.function.is_kernel or mutant.function.name in launched)]
        self.parts = [(unit, elem_type) for unit in texts for elem_type in TYPES]
        self.runs, self.objects = {}, {}

    def commands(self, reductio, part):
        unit, elem_type = part
        runs = [(program, SIDE.sub(r'\1', shape) if program in SQUARES else shape)
                for shape in SHAPES for program in self.programs[unit] if (program, elem_type) not in NOT_WITH]
        return [[reductio, 'run', program, '--values', 'random:1', *shape.split(), '--type', elem_type, '--device',
                 'sim', '--no-last', '--quiet'] for program, shape in runs]

    def prepare(self, folder):
        """Finds the runs that aren't refused, which must hold, also with a program that is linked as those of mutants
        are; and compiles the unchanged source, to compare with."""
        for part in self.parts:
            for function in {mutant.function for mutant in self.mutants}:
                self.write(folder, self.text, function)
                self.objects[part, function.name] = self.compile(folder, part)
                assert self.objects[part, function.name], '%s does not compile' % self.source
            self.build.link([folder / 'unit.o'], folder / 'reductio', ['-s'])
            before, now = self.commands(self.build.reductio, part), self.commands(folder / 'reductio', part)
            status = [(ends(old), ends(new)) for old, new in zip(before, now)]
            # One that takes too long is left out, too.
            wrong = [shlex.join(map(str, run)) for run, pair in zip(now, status)
                     if pair not in ((0, 0), (2, 2)) and None not in pair]
            assert not wrong, 'unchanged, it does not hold: %s' % wrong[0]
            self.runs[part] = [k for k, pair in enumerate(status) if pair == (0, 0)]

    def write(self, folder, text, function):
        """Only the kernels that a change in the function may concern are compiled."""
        sources = folder / 'kernels'
        if self.source.suffix == '.h':
            (sources / self.source.name).write_text(text, encoding='utf-8')
            for unit, kernels in self.kernels.items():
                whole = (KERNELS / (unit + '.cu')).read_text(encoding='utf-8')
                (sources / (unit + '.cu')).write_text(without_kernels(whole, kernels), encoding='utf-8')
        else:
            kept = {function.name} if function.is_kernel else self.kernels[self.name]
            (sources / self.source.name).write_text(without_kernels(text, kept), encoding='utf-8')

    def compile(self, folder, part):
        """The bytes of the object, without its worker's folder, which checks of bounds name; None where the compiler
        refuses it."""
        unit, elem_type = part
        # Without debug information, objects are the same where the code is.
        done = self.build.compile('sim_kernels_' + elem_type, unit, folder / 'kernels', folder / 'unit.o', ['-g0'])
        return (folder / 'unit.o').read_bytes().replace(bytes(folder), b'') if done else None

    def outcome(self, mutant, folder):
        """Returns the mutant's end: killed, hung (and so killed), same (code), survived, or none, no program."""
        self.write(folder, mutant.text, mutant.function)
        outcome = 'same'
        for part in self.parts:
            unit_object = self.compile(folder, part)
            if not unit_object:
                return 'none'
            if unit_object == self.objects[part, mutant.function.name]:
                continue
            outcome = 'survived'
            self.build.link([folder / 'unit.o'], folder / 'reductio', ['-s'])
            commands = self.commands(folder / 'reductio', part)
            for k in self.runs[part]:
                status = ends(commands[k])
                if status != 0:
                    return 'hung' if status is None else 'killed'
        return outcome


def explanations(path):
    """{(family, function, line, changed line): argument}. An entry of the file is a paragraph: what it is about, as
    family/function, one or more; the line; the changed line; and why that is the same."""
    found = {}
    for entry in path.read_text(encoding='utf-8').split('\n\n'):
        lines = [line for line in entry.strip().splitlines() if not line.startswith('#')]
        if not lines:
            continue
        assert len(lines) > 3 and lines[1].startswith('- ') and lines[2].startswith('+ '), entry
        for place in lines[0].split():
            key = (*place.split('/'), lines[1][2:], lines[2][2:])
            assert key not in found, entry
            found[key] = ' '.join(line.strip() for line in lines[3:])
    return found


def key_of(family, mutant):
    return family.name, mutant.function.name, mutant.line, mutant.changed


def judge(family, folders, verbose):
    """[(key, outcome)] of its mutants, each worker in a folder of its own."""
    def one(mutant):
        folder = folders.get()
        try:
            outcome = family.outcome(mutant, folder)
        finally:
            folders.put(folder)
        if verbose:
            print('%-8s %s' % (outcome, ' '.join(key_of(family, mutant))), flush=True)
        return outcome
    first = folders.get()
    family.prepare(first)
    folders.put(first)
    with concurrent.futures.ThreadPoolExecutor(WORKERS) as pool:
        return [(key_of(family, mutant), outcome)
                for mutant, outcome in zip(family.mutants, pool.map(one, family.mutants))]


def explained_as(outcome, argument):
    if outcome != 'survived' or not argument:
        return outcome
    return 'gap' if argument.startswith('gap:') else 'equivalent'


def tell(name, outcomes):
    """Prints the score; returns how many survived without an explanation."""
    count = collections.Counter(outcomes)
    print('%-16s %4d mutants, %4d killed, %3d equivalent, %d gaps, %d survived' %
          (name, len(outcomes) - count['none'], count['killed'] + count['hung'], count['same'] + count['equivalent'],
           count['gap'], count['survived']), end='; ')
    print('%d of the killed do not end, %d of the equivalent are the same machine code' %
          (count['hung'], count['same']), flush=True)
    return count['survived']


def main(arguments):
    verbose = arguments[:1] == ['-v']
    build_folder, *names = arguments[verbose:]
    build = Build(build_folder)
    known = explanations(ROOT / 'tests/mutants.txt')
    names = names or sorted(path.stem for path in KERNELS.glob('*.cu')) + ['ladder']
    outcomes, faults = [], 0
    with tempfile.TemporaryDirectory(prefix='reductio-') as temporary:
        for name in names:
            folders = queue.Queue()
            for k in range(WORKERS):
                folders.put(pathlib.Path(temporary, name, str(k)))
                shutil.copytree(KERNELS, pathlib.Path(temporary, name, str(k), 'kernels'))
            family = Family(build, name)
            if not family.mutants:
                print('%-16s no right program launches it' % name)
                continue
            judged = judge(family, folders, verbose)
            survivors = {key for key, outcome in judged if outcome == 'survived'}
            for key in sorted(survivors - known.keys()):
                print('survived:\n%s/%s\n- %s\n+ %s\n' % key)
            stale = {key for key in known if key[0] == name} - survivors
            for key in sorted(stale):
                print('explained, and no survivor:\n%s/%s\n- %s\n+ %s\n' % key)
            explained = [explained_as(outcome, known.get(key)) for key, outcome in judged]
            faults += tell(name, explained) + len(stale)
            outcomes += explained
    tell('in total', outcomes)
    return faults != 0


if __name__ == '__main__':
    if len(sys.argv) < 2 or sys.argv[1] in ('-h', '--help'):
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1:]))
