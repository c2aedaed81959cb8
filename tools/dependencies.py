#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Holds every #include "..." against the rules of who may include whom.

usage: dependencies.py [ROOT]           the includes that the rules refuse, and the circles
       dependencies.py --draw [ROOT]    the rooms' dependencies as they are, as a picture in Mermaid
       dependencies.py --draw-inside ROOM [ROOT]   the same of the rooms inside of `sim`, `check` or `prove`
       dependencies.py --objects BUILD [ROOT]   the circles of calls among the simulator's object files that are not known

A room is a folder of src, or what belongs to it elsewhere; the simulator, `check` and `prove` have rooms inside. Dependencies point one
way; what doesn't is an exception, with its reason, here.
"""
import collections
import os
import pathlib
import re
import subprocess
import sys

# The devices: each is a folder.
DEVICES = re.findall(r'^    X\((\w+), \w+\)', pathlib.Path(__file__).resolve().parent.parent.joinpath('src/device/devices.h')
                     .read_text(encoding='utf-8'), re.M)

# The rooms that each room may include beside itself.
RULES = {
    'base': [],
    'tables': [],  # of types, operations, kernels and their log: what kernels and the host share
    'element': ['base', 'tables'],
    'law': ['base', 'element', 'tables'],
    'device': ['base', 'element', 'tables'],
    **{name: ['base', 'element', 'device', 'tables'] for name in DEVICES},
    'kernels': ['sim', 'tables'],
    'program': ['base', 'element', 'law', 'device', 'tables'],
    'invariants': ['program'],
    'run': ['base', 'element', 'law', 'device', 'program'],
    'trace': ['base', 'element', 'law', 'device', 'program', 'run'],
    'history': ['base', 'element', 'law', 'device', 'program', 'run', 'trace'],
    'bench': ['base', 'element', 'device', 'program', 'run'],
    'view': ['base', 'element', 'law', 'device', 'program', 'run', 'trace', 'history', 'bench'],
    'step': ['base', 'element', 'law', 'device', 'program', 'run', 'trace', 'history', 'view'],
    'check': ['base', 'element', 'law', 'device', 'program', 'run', 'trace', 'view'],
    'prove': ['base', 'element', 'law', 'device', 'program', 'run', 'view', 'tables', 'check'],
    'cli': ['base', 'element', 'law', 'device', 'program', 'run', 'trace', 'history', 'bench', 'view', 'step', 'check', 'prove'],
    'library': ['base', 'element', 'law', 'device', 'program', 'run', 'trace', 'history', 'bench', 'view'],
}

# Files that include what the rules refuse: the rooms, and the reason.
EXCEPTIONS = {
    'src/program/program.c': (['invariants'], 'the registry of programs names each of them'),
    'src/run/premise.c': (['sim'], 'which cells and comparisons threads make, only the simulator can tell'),
    'src/history/accesses.h': (['sim'], 'who accessed what, only the simulator can tell'),
    'src/bench/sim.c': (['sim'], 'measures the simulator itself'),
    'src/view/results_sarif.c': (['sim'], 'a rule of the log teaches what the simulator teaches of its hazard'),
}

# Circles of rooms, by the exceptions above.
CIRCLES = {
    ('invariants', 'program'): 'a program is found by its name: the registry knows what is made of the interface',
}

# The rooms inside of the simulator. `core` is the data that all of it shares, and the headers that kernels are compiled with.
SIM_RULES = {
    'core': [],
    'source': ['core'],
    'memory': ['core', 'source'],
    'engine': ['core', 'source', 'memory'],
    'detect': ['core', 'source', 'memory', 'engine'],
    'report': ['core', 'source', 'memory', 'engine', 'detect'],
    'api': ['core', 'source', 'memory', 'engine', 'detect'],
    'ptx': ['core', 'source', 'memory', 'engine', 'detect', 'api', 'file'],
    'file': ['core', 'source', 'memory', 'engine', 'detect', 'report', 'api', 'runtime'],
    'runtime': ['core', 'source', 'memory', 'engine', 'detect', 'report', 'api', 'file'],
    'driver': ['core', 'source', 'memory', 'engine', 'detect', 'report', 'api', 'file', 'runtime'],
    'libraries': ['core', 'source', 'memory', 'engine', 'detect', 'report', 'api', 'file', 'runtime'],
    'device': ['core', 'source', 'memory', 'engine', 'detect', 'report', 'api', 'file'],
}
SIM = 'src/device/sim/'
SIM_CORE = [SIM + name for name in ('object.h', 'object.c', 'api/cuda.h', 'api/hooks.h', 'api/intrinsics.h', 'api/own_kernel.h',
                                    'engine/detector.h', 'engine/event.h', 'memory/record.h', 'source/source.h')]

# The rooms of `check` and of `run FILE.cu`. `options` are those of both.
CHECK_RULES = {
    'sandbox': [],
    'options': ['sandbox'],
    'source': ['options'],
    'annotation': ['source'],
    'report': [],
    'unit': ['options', 'source', 'annotation'],
    'compiler': ['options', 'sandbox', 'source', 'annotation', 'unit'],
    'playback': ['source', 'annotation', 'report'],
    'kernel': ['options', 'sandbox', 'source', 'annotation', 'report', 'unit', 'compiler'],
    'program': ['options', 'sandbox', 'source', 'annotation', 'report', 'unit', 'compiler', 'playback', 'kernel'],
}
CHECK_EXCEPTIONS = {
    'src/check/unit/host_names.c': (['compiler'], 'which declaration a word of the device\'s code means, only the compiler can tell'),
}

# The rooms of the proof. `prove` is what others ask for: the functions that make a proof.
PROVE_RULES = {
    'logic': [],
    'syntax': [],
    'prove': ['logic'],
    'law': ['logic'],
    'solver': ['logic'],
    'kernel': ['logic', 'syntax'],
    'goals': ['logic', 'syntax', 'prove', 'law', 'solver', 'kernel'],
    'host': ['logic', 'syntax', 'prove', 'law', 'solver', 'kernel', 'goals'],
    'replay': ['logic'],
    'report': ['logic', 'prove', 'law', 'solver', 'goals'],
}
PROVE_EXCEPTIONS = {
    'src/prove/goals/subject.c': (['host'], 'the law of a user\'s program is asked of what its arrays hold, in place of a step'),
    'src/prove/goals/launch_goals.c': (['host'], 'the law at a cut of a user\'s kernel is one of what its arrays hold'),
}

# Rooms with rooms inside. Files of `core` belong to that whatever their folder; those that are in no folder to `rest`.
Inside = collections.namedtuple('Inside', 'folder rules exceptions core rest')
INSIDE = {
    'sim': Inside(SIM, SIM_RULES, {}, SIM_CORE, 'device'),
    'check': Inside('src/check/', CHECK_RULES, CHECK_EXCEPTIONS, [], 'options'),
    'prove': Inside('src/prove/', PROVE_RULES, PROVE_EXCEPTIONS, [], 'prove'),
}

# Circles of rooms inside of a room.
INSIDE_CIRCLES = {
    ('file', 'runtime'): 'host code launches kernels of a loaded file, and files.c has all that a device does with one, a program, too',
    ('compiler', 'unit'): 'host_names.c marks names in a unit\'s text, and has the compiler warn of them',
    ('goals', 'host'): 'goals are made of a user\'s program while it is executed, and its law is what the execution knows',
}

# Circles of object files inside of the simulator: none but these, and parts of them.
SIM_CIRCLES = [
    # A launch runs blocks, whose threads give way to each other: the one that gives way asks for the next thread, and that may end a
    # barrier, a warp's meeting, the block or the grid.
    {'engine/barrier', 'engine/block_order', 'engine/epochs', 'engine/grid', 'engine/jobs', 'engine/park', 'engine/schedule_policy',
     'engine/scheduler', 'engine/threads', 'engine/warp'},
    # Cells have chains of strong accesses, which keep clocks in cells.
    {'detect/attempt', 'detect/causality', 'detect/cell'},
    # A check hands over what a GPU would compute, which is computed by the check's functions.
    {'detect/arithmetic', 'detect/resume'},
]

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
FOLDERS = {**{'src/device/' + name: name for name in DEVICES}, 'src/view/step': 'step', 'kernels': 'kernels', 'invariants': 'invariants'}
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


def inside_room_of(path, room):
    """The room of a file inside of its room."""
    inside = INSIDE[room]
    names = path[len(inside.folder):].split('/')
    return 'core' if path in inside.core else names[0] if len(names) > 1 else inside.rest


def files_of(root):
    for top in SEARCHED:
        for folder, _, names in os.walk(os.path.join(root, top)):
            for name in names:
                path = os.path.relpath(os.path.join(folder, name), root)
                if name.endswith(('.c', '.h', '.cu', '.cuh')) and not path.startswith(USERS + '/'):
                    yield path


def includes_of(root, path):
    """Lists the files that a file includes: the path, and the room, of each."""
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
        self.inside = {room: {} for room in INSIDE}
        for path in sorted(files_of(root)):
            room = room_of(path)
            if room is None or room in INSIDE and inside_room_of(path, room) not in INSIDE[room].rules:
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
        if room == other and room in INSIDE:
            self.follow(self.inside[room], path, found, inside_room_of(path, room), inside_room_of(found, room),
                        INSIDE[room].rules, INSIDE[room].exceptions)
        self.follow(self.rooms, path, found, room, other, RULES, EXCEPTIONS)

    def follow(self, rooms, path, found, room, other, rules, exceptions):
        """Notes that a file of the room includes a file of the other, if it may."""
        if other != room and self.allow(path, found, room, other, rules, exceptions):
            rooms.setdefault(room, {}).setdefault(other, []).append(path)

    def allow(self, path, found, room, other, rules, exceptions):
        """Tells whether the rules, or an exception, let a file of the room include a file of the other."""
        if other in rules.get(room, ()):
            return True
        if other not in exceptions.get(path, ([],))[0]:
            self.refused.append(f'{path} includes {found}: {room} may not include {other}')
            return False
        self.excepted.add((path, other))
        return True

    def complaints(self):
        yield from self.refused
        exceptions = [EXCEPTIONS, *(inside.exceptions for inside in INSIDE.values())]
        for path, (others, _) in [item for some in exceptions for item in some.items()]:
            for other in others:
                if (path, other) not in self.excepted:
                    yield f'{path} includes nothing of {other}: the exception is not needed'
        for circle in components({path: [other for other in found if other in self.files] for path, found in self.files.items()}):
            yield 'a circle of files: ' + ', '.join(circle)
        yield from self.complaints_of_circles(components(self.rooms), CIRCLES)
        yield from self.complaints_of_circles([circle for rooms in self.inside.values() for circle in components(rooms)], INSIDE_CIRCLES)

    @staticmethod
    def complaints_of_circles(circles, known):
        for circle in circles:
            if circle not in known:
                yield 'a circle of rooms: ' + ', '.join(circle)
        for circle in known:
            if circle not in circles:
                yield 'no circle any more: ' + ', '.join(circle)

    def draw_rooms(self):
        return self.draw(self.rooms, RULES)

    def draw_inside(self, room):
        return self.draw(self.inside[room], INSIDE[room].rules)

    @staticmethod
    def draw(rooms, rules):
        """Each arrow but those that others stand for: cli -> law where cli -> program -> law. Exceptions are dotted."""
        by_rule = {room: [other for other in others if other in rules[room]] for room, others in rooms.items()}

        def reaches(start, end, without):
            seen, todo = set(), [start]
            while todo:
                node = todo.pop()
                for other in by_rule.get(node, ()):
                    if (node, other) != without and other not in seen:
                        seen.add(other)
                        todo.append(other)
            return end in seen

        lines = ['flowchart TD']
        for room in rules:
            for other in sorted(rooms.get(room, {}), key=list(rules).index):
                if other not in rules[room]:
                    lines.append(f'    {room} -.-> {other}')
                elif not reaches(room, other, (room, other)):
                    lines.append(f'    {room} --> {other}')
        return '\n'.join(lines) + '\n'


def sim_objects(build, root):
    """The simulator's object files in a build, by their sources: "engine/grid"."""
    sources = {path[len('src/'):].replace('/', '_') + '.o': os.path.splitext(path[len(SIM):])[0]
               for path in files_of(root) if path.startswith(SIM) and path.endswith('.c')}
    found = {}
    for folder, _, names in os.walk(build):
        for name in names:
            if name in sources:
                found.setdefault(sources[name], os.path.join(folder, name))
    return found


def sim_circles(build, root):
    """The objects of the simulator, and the circles of those that need each other's symbols."""
    objects, defined, needed = sim_objects(build, root), {}, {}
    for name, path in objects.items():
        listing = subprocess.run(['nm', path], stdout=subprocess.PIPE, encoding='utf-8', check=True).stdout
        symbols = [line.split()[-2:] for line in listing.splitlines()]
        # A build under a sanitizer calls `__ubsan_…` everywhere, which the simulator has for kernels: no source names these.
        needed[name] = {symbol for kind, symbol in symbols if kind == 'U' and not symbol.startswith('__')}
        defined.update({symbol: name for kind, symbol in symbols if kind.isupper() and kind != 'U'})
    edges = {name: {defined[symbol] for symbol in symbols if symbol in defined} for name, symbols in needed.items()}
    return objects, components(edges)


def check_objects(build, root):
    objects, circles = sim_circles(build, root)
    unknown = [circle for circle in circles if not any(set(circle) <= known for known in SIM_CIRCLES)]
    for circle in unknown:
        print('a circle of object files: ' + ', '.join(circle))
    print(f'{len(objects)} object files, {len(circles)} circles of them, {len(unknown)} complaints')
    return not objects or len(unknown) > 0


def main(arguments):
    if arguments[:1] == ['--objects']:
        return check_objects(arguments[1], arguments[2] if len(arguments) > 2 else '.')
    if arguments[:1] == ['--draw']:
        sys.stdout.write(Tree(*arguments[1:] or '.').draw_rooms())
        return 0
    if arguments[:1] == ['--draw-inside']:
        sys.stdout.write(Tree(*arguments[2:] or '.').draw_inside(arguments[1]))
        return 0
    tree = Tree(*arguments or '.')
    complaints = list(tree.complaints())
    for complaint in complaints:
        print(complaint)
    print(f'{len(tree.files)} files, {len(tree.excepted)} exceptions, {len(CIRCLES) + len(INSIDE_CIRCLES)} circles of rooms, '
          f'{len(complaints)} complaints')
    return len(complaints) > 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
