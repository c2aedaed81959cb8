#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Holds every #include "..." against the rules of who may include whom.

usage: dependencies.py [ROOT]           the includes that the rules refuse, and the circles
       dependencies.py --draw [ROOT]    the rooms' dependencies as they are, as a picture in Mermaid

A room is a folder of src, or what belongs to it elsewhere. Dependencies point one way; what doesn't is an exception, with its
reason, here.
"""
import os
import re
import sys

# What each room may include beside itself. `sim` and `cuda` are devices; `hooks` is what kernels call there.
RULES = {
    'base': [],
    'tables': [],  # of types, operations, kernels and their log: what kernels and the host share
    'element': ['base', 'tables'],
    'law': ['base', 'element', 'tables'],
    'device': ['base', 'element', 'tables'],
    'sim': ['base', 'element', 'device', 'tables'],
    'cuda': ['base', 'element', 'device', 'tables'],
    'kernels': ['sim', 'tables'],
    'program': ['base', 'element', 'law', 'device', 'tables'],
    'invariants': ['program'],
    'run': ['base', 'element', 'law', 'device', 'program'],
    'trace': ['base', 'element', 'law', 'device', 'program', 'run'],
    'history': ['base', 'element', 'law', 'device', 'program', 'run', 'trace'],
    'bench': ['base', 'element', 'device', 'program', 'run'],
    'view': ['base', 'element', 'law', 'device', 'program', 'run', 'trace', 'history', 'bench'],
    'step': ['base', 'element', 'law', 'device', 'program', 'run', 'trace', 'history', 'view'],
    'check': ['base', 'element', 'device', 'sim', 'view'],
    'cli': ['base', 'element', 'law', 'device', 'program', 'run', 'trace', 'history', 'bench', 'view', 'step', 'check'],
    'library': ['base', 'element', 'law', 'device', 'program', 'run', 'trace', 'history', 'bench', 'view'],
}

# Of each file that includes what the rules refuse: what, and why it may.
EXCEPTIONS = {
    'src/device/device.c': (['sim', 'cuda'], 'the registry of devices names each of them'),
    'src/program/program.c': (['invariants'], 'the registry of programs names each of them'),
    'src/run/premise.c': (['sim'], 'which cells and comparisons threads make, only the simulator can tell'),
    'src/history/accesses.h': (['sim'], 'who accessed what, only the simulator can tell'),
    'src/bench/sim.c': (['sim'], 'measures the simulator itself'),
    'src/view/results_sarif.c': (['sim'], 'a rule of the log teaches what the simulator teaches of its hazard'),
}

# Circles of rooms, by the exceptions above.
CIRCLES = {
    ('cuda', 'device', 'sim'): 'a device is opened by its name: the registry knows what knows the interface',
    ('invariants', 'program'): 'a program is found by its name: the registry knows what is made of the interface',
}

# Public headers and tables, whose folder does not tell.
PUBLIC = {
    'base': ['status', 'version'],
    'element': ['input_set', 'numeric', 'numeric_lanes', 'operation', 'shape', 'values'],
    'law': ['law'],
    'device': ['checkpoint', 'device', 'hazard_table', 'hazards', 'launchable'],
    'program': ['program', 'sources'],
    'run': ['candidate', 'evidence', 'premise', 'run', 'witness'],
    'trace': ['trace'],
    'history': ['history'],
    'bench': ['bench', 'bench_rounds'],
    'view': ['plot', 'plot_rounds', 'reductio_cmocka', 'report', 'run_record', 'summary', 'text'],
    'library': ['reductio'],
}
TABLES = ['kernels/' + name for name in ('element.h', 'element_types.h', 'half.h', 'kernels.h', 'log.h', 'operations.h')]
FOLDERS = {'src/device/sim': 'sim', 'src/device/cuda': 'cuda', 'src/view/step': 'step', 'kernels': 'kernels', 'invariants': 'invariants'}
MADE = {'kernel_list.h': 'tables', 'kernel_units.h': 'device', 'observed_families.h': 'device', 'program_list.h': 'invariants'}
SEARCHED = ['src', 'include', 'invariants', 'kernels']  # as by the compiler, behind the file's own folder
USERS = 'src/check/include'  # a user's file is compiled with these


def room_of(path):
    """The room of a file; None where no rule says."""
    name = os.path.splitext(os.path.basename(path))[0]
    if path in TABLES:
        return 'tables'
    if path.startswith('include/reductio/'):
        return next((room for room, names in PUBLIC.items() if name in names), None)
    for folder, room in FOLDERS.items():
        if path.startswith(folder + '/'):
            return room
    room = path.split('/')[1] if path.startswith('src/') else None
    return room if room in RULES else None


def files_of(root):
    for top in SEARCHED:
        for folder, _, names in os.walk(os.path.join(root, top)):
            for name in names:
                path = os.path.relpath(os.path.join(folder, name), root)
                if name.endswith(('.c', '.h', '.cu', '.cuh')) and not path.startswith(USERS + '/'):
                    yield path


def includes_of(root, path):
    """What a file includes: the path, and the room, of each."""
    with open(os.path.join(root, path), encoding='utf-8') as file:
        names = re.findall(r'^\s*#\s*include\s+"([^"]+)"', file.read(), re.M)
    for name in names:
        found = next((candidate for folder in [os.path.dirname(path), *SEARCHED]
                      for candidate in [os.path.normpath(os.path.join(folder, name))]
                      if os.path.exists(os.path.join(root, candidate))), None)
        yield found or name, room_of(found) if found else MADE.get(name)


def components(edges):
    """The sets of nodes of which each leads to each other (Tarjan, SIAM J. Comput. 1, 1972), of two and more."""
    index, low, stack, found = {}, {}, [], []

    def visit(node):
        index[node] = low[node] = len(index)
        stack.append(node)
        for other in edges.get(node, ()):
            if other not in index:
                visit(other)
                low[node] = min(low[node], low[other])
            elif other in stack:
                low[node] = min(low[node], index[other])
        if low[node] == index[node]:
            at = stack.index(node)
            if len(stack) - at > 1:
                found.append(tuple(sorted(stack[at:])))
            del stack[at:]

    sys.setrecursionlimit(10000)
    for node in sorted(edges):
        if node not in index:
            visit(node)
    return found


class Tree:
    """The includes of all files."""

    def __init__(self, root):
        self.files, self.rooms, self.refused, self.excepted = {}, {}, [], set()
        for path in sorted(files_of(root)):
            room = room_of(path)
            if room is None:
                self.refused.append(f'{path} is in no room')
                continue
            self.files[path] = []
            for found, other in includes_of(root, path):
                self.files[path].append(found)
                self.add(path, room, found, other)

    def add(self, path, room, found, other):
        if other is None:
            self.refused.append(f'{path} includes {found}, which is in no room')
            return
        if other == room:
            return
        if other not in RULES[room]:
            if other not in EXCEPTIONS.get(path, ([],))[0]:
                self.refused.append(f'{path} includes {found}: {room} may not include {other}')
                return
            self.excepted.add((path, other))
        self.rooms.setdefault(room, {}).setdefault(other, []).append(path)

    def complaints(self):
        yield from self.refused
        for path, (others, _) in EXCEPTIONS.items():
            for other in others:
                if (path, other) not in self.excepted:
                    yield f'{path} includes nothing of {other}: the exception is not needed'
        for circle in components({path: [other for other in found if other in self.files] for path, found in self.files.items()}):
            yield 'a circle of files: ' + ', '.join(circle)
        circles = components(self.rooms)
        for circle in circles:
            if circle not in CIRCLES:
                yield 'a circle of rooms: ' + ', '.join(circle)
        for circle in CIRCLES:
            if circle not in circles:
                yield 'no circle any more: ' + ', '.join(circle)

    def draw(self):
        """Each arrow but those that others stand for: cli -> law where cli -> program -> law. Exceptions are dotted."""
        def reaches(start, end, without):
            seen, todo = set(), [start]
            while todo:
                node = todo.pop()
                for other in self.by_rule.get(node, ()):
                    if (node, other) != without and other not in seen:
                        seen.add(other)
                        todo.append(other)
            return end in seen

        self.by_rule = {room: [other for other in others if other in RULES[room]] for room, others in self.rooms.items()}
        lines = ['flowchart TD']
        for room in RULES:
            for other in sorted(self.rooms.get(room, {}), key=list(RULES).index):
                if other not in RULES[room]:
                    lines.append(f'    {room} -.-> {other}')
                elif not reaches(room, other, (room, other)):
                    lines.append(f'    {room} --> {other}')
        return '\n'.join(lines) + '\n'


def main(arguments):
    draws = '--draw' in arguments
    roots = [argument for argument in arguments if argument != '--draw']
    tree = Tree(roots[0] if roots else '.')
    if draws:
        sys.stdout.write(tree.draw())
        return 0
    complaints = list(tree.complaints())
    for complaint in complaints:
        print(complaint)
    print(f'{len(tree.files)} files, {len(EXCEPTIONS)} exceptions, {len(CIRCLES)} circles of rooms, {len(complaints)} complaints')
    return len(complaints) > 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
