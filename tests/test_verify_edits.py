#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Edits of traces: records are left out, doubled and moved, and each member is changed, whatever it says.
`reductio verify` refuses each, or says what is wrong with it, or gives another verdict; but for what
traces/README.md lists as not checked.

usage: test_verify_edits.py REDUCTIO TRACES"""
import copy
import json
import pathlib
import re
import struct
import subprocess
import sys
import tempfile
import unittest

from short_run import part

BATCH = 500  # traces that one process verifies
NEAR = 3  # records so far apart change places

GOLDEN = ['fold-8-i32-iota.sim', 'tournament-13-u64-witness.sim', 'dot-shared-8-i32-iota.cuda', 'mse-4-i32-iota.sim',
          'ladder-cooperative-8-i32-iota.cuda', 'multi-block-two-launch-8-i32-iota.cuda']
# Runs of this version.
RUNS = ['fold -n 4', 'fold -n 4 --type f64 --values list:1,nan,inf,2', 'fold-guard -n 5 --frame off --values random:3',
        'fold:wrong-half', 'fold:missing-guard', 'unfold:float', 'mse:dot --block 4', 'multiply:one-block -n 1025 --trace-cells 8',
        'tournament -n 40 --type f32 --values random:2 --trace-cells 6 --frame on',
        'tournament:stride-one -n 20 --trace-cells 6 --frame off', 'ladder-warp-shuffle:short-mask --trace-cells 8',
        'dot-naive -n 9 --block 4', 'dot-cpu -n 3', 'norm -n 3 --block 2 --type f32 --values list:1e30,1e30,1',
        'dot-shared -n 24 --block 4 --grid 4 --blocks 0,2', 'ladder-vectorised -n 9 --block 4 --grid 3 --blocks 0,last',
        'ladder-tiles -n 20 --block 33 --grid 1', 'ladder-dot -n 5 --block 2 --grid 2', 'puzzle-matmul -n 2',
        'puzzle-axis-sum:write-in-loop -n 2 --block 2', 'cosine -n 2 --block 2']


def not_checked(readme):
    """[(pattern of the member, where)] that the document lists: `where` is '', 'VIOLATED' or 'older'."""
    section = readme.read_text(encoding='utf-8').split('### Not checked')[1].split('\n## ')[0]
    return [(re.compile(re.escape(name) + r'(\..*)?$'), where)
            for row in re.findall(r'^\| (.*?) \|', section, re.M)
            for name, where in re.findall(r'`([^`]+)`(?: where (\w+))?', row)]


def same_value(left, right, elem_type):
    """Tells whether both are read as the same value of the type."""
    if elem_type != 'f32' or not all(isinstance(x, float) for x in (left, right)):
        return left == right
    return struct.pack('f', left) == struct.pack('f', right)


def changes_of(value):
    """Lists values to put in the place of a member's."""
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, int):
        return [value + 1, value - 1 if value > 0 else 7]
    if isinstance(value, float):
        return [value * 1.5 + 1.0, 'inf', 'nan']
    if isinstance(value, str):
        if value in ('HOLDS', 'VIOLATED', 'INCONCLUSIVE'):
            return sorted({'HOLDS', 'VIOLATED', 'INCONCLUSIVE'} - {value})
        if re.fullmatch('[0-9a-f]{16}', value):
            return ['%016x' % (int(value, 16) ^ 1)]
        return [str(int(value) + 1)] if value.isdigit() else [value + 'x']
    return []


def kind_of(record):
    return 'checkpoint' if 'checkpoint' in record else record['record']


def spots(record):
    """(name, the way from the record to what holds the member, its key) of all members."""
    def walk(value, path, way):
        for key, member in value.items() if isinstance(value, dict) else enumerate(value):
            name = path + '.' + key if isinstance(value, dict) else path
            yield name, way, key
            if isinstance(member, (dict, list)):
                yield from walk(member, name, way + [key])
    return walk(record, kind_of(record), [])


def edited(record, way, key, edit):
    record = copy.deepcopy(record)
    holder = record
    for step in way:
        holder = holder[step]
    edit(holder, key)
    return record


def edits_of_members(records, elem_type):
    """(what, name, the member's place in an array or None, the records) for each change of a member."""
    def put(value):
        def edit(holder, key):
            holder[key] = value
        return edit

    def remove(holder, key):
        del holder[key]

    def double(holder, key):
        holder.insert(key, holder[key])

    for number, record in enumerate(records):
        for name, way, key in spots(record):
            value = record
            for step in [*way, key]:
                value = value[step]
            edits = [(repr(new), put(new)) for new in changes_of(value) if not same_value(value, new, elem_type)]
            edits += [('left out', remove)] + [('doubled', double)] * isinstance(key, int)
            for what, edit in edits if not name.endswith('.record') else []:
                index = key if isinstance(key, int) and what not in ('left out', 'doubled') else None
                changed = edited(record, way, key, edit)
                yield '%s: %s' % (name, what), name, (record, index), records[:number] + [changed] + records[number + 1:]


def mended(records):
    """The records, and in the last one what they then add up to."""
    last = copy.deepcopy(records[-1])
    steps = [record for record in records if record['record'] == 'step']
    passes = {record.get('pass') for record in steps}
    kinds = [kind_of(record) for record in records]
    last['steps'] = sum(kind_of(record) == 'step' and record.get('pass') == max(passes, key=lambda k: k or 0)
                        for record in steps)
    last['cells'] = sum(record['claim']['count'] for record in steps)
    last['hazards'] = kinds.count('hazard')
    if 'checkpoint' in kinds:
        last['checkpoints'] = kinds.count('checkpoint')
    else:
        last.pop('checkpoints', None)
    return records[:-1] + [last]


def edits_of_records(records):
    for number, record in enumerate(records):
        kind = kind_of(record)
        if kind in ('step', 'checkpoint', 'hazard'):
            name = 'hazard count' if kind == 'hazard' else kind
            yield '%s left out, as if there had been none' % kind, name, (record, None), \
                mended(records[:number] + records[number + 1:])
            yield '%s doubled, and counted twice' % kind, name, (record, None), mended(records[:number + 1] + records[number:])
        yield '%s left out' % kind, kind, (record, None), records[:number] + records[number + 1:]
        yield '%s doubled' % kind, kind, (record, None), records[:number + 1] + records[number:]
        for other in range(number + 1, min(number + 1 + NEAR, len(records))):
            moved = list(records)
            moved[number], moved[other] = moved[other], moved[number]
            kinds = {kind, kind_of(records[other])}
            name = 'hazard order' if kinds == {'hazard'} else 'order' if kinds == {'hazard', 'checkpoint'} else 'records'
            yield '%s and %s change places' % (kind, kind_of(records[other])), name, (record, None), moved
        for word in {'verdict', 'interrupted', 'step', 'hazard'} - {record['record']}:
            changed = {**record, 'record': word}
            yield '%s becomes %s' % (kind, word), kind + '.record', (record, None), \
                records[:number] + [changed] + records[number + 1:]


def renumbered(records, gone):
    """The records without that one, as if its warp, or its block, had never come to it."""
    place = records[gone]['checkpoint']
    rest = copy.deepcopy(records[:gone] + records[gone + 1:])
    for record in rest:
        other = record.get('checkpoint', {})
        if record.get('step') == records[gone]['step'] and other.get('number', 0) > place['number'] and \
                (other['block'], other.get('warp')) == (place['block'], place.get('warp')):
            other['number'] -= 1
    return rest


def forgeries(records):
    """(what, how it must end, the records): edits of several records that agree with each other."""
    points = [number for number, record in enumerate(records) if kind_of(record) == 'checkpoint']
    for number in points:
        yield 'number %d left out, and the others counted anew' % number, 'VIOLATED', mended(renumbered(records, number))
    for number, following in zip(points, points[1:]):
        if records[number]['step'] != records[following]['step']:
            continue
        moved = copy.deepcopy(records)
        moved[number], moved[following] = moved[following], moved[number]
        one, other = moved[number]['checkpoint'], moved[following]['checkpoint']
        one['number'], other['number'] = other['number'], one['number']
        yield 'number %d with the next one, by their numbers' % number, 'VIOLATED', moved
    last = copy.deepcopy(records[points[-1]])
    last['checkpoint']['number'] += 1
    yield 'one more at the end', 'VIOLATED', mended(records[:points[-1] + 1] + [last] + records[points[-1] + 1:])
    last = copy.deepcopy(records)
    last[points[-1]]['state']['cells'][0] += 1
    yield 'the last one is false', 'VIOLATED', last
    block = records[points[-1]]['checkpoint']['block']
    none_of_block = [record for record in records if record.get('checkpoint', {}).get('block') != block]
    yield 'a block has none', 'VIOLATED', mended(none_of_block)
    none = mended([record for record in records if 'checkpoint' not in record])
    yield 'none at all', 'VIOLATED', none
    yield 'none at all, as an older version may have it', 'INCONCLUSIVE', [{**none[0], 'minor': 2}, *none[1:]]
    yield 'none, of no block', 'refused', [none[0], {**none[1], 'blocks': {'listed': [], 'last': False}}, *none[2:]]


def is_live(record, index):
    """Tells whether the claim of a checkpoint speaks of the cell."""
    claim = record['claim']
    present = record.get('present', -1) >> index & 1
    return present and index % claim['stride'] == 0 and index // claim['stride'] < claim['count']


class VerifyTest(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix='reductio-')
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.known = not_checked(TRACES / 'README.md')
        self.assertGreater(len(self.known), 10)

    def verify(self, traces):
        """Returns verify's document of each trace."""
        paths = [self.folder / ('%d.ndjson' % k) for k in range(len(traces))]
        for path, records in zip(paths, traces):
            path.write_text('\n'.join(map(json.dumps, records)) + '\n', encoding='utf-8')
        done = subprocess.run([REDUCTIO, 'verify', '--json', *paths], capture_output=True, text=True, check=False)
        self.assertIn(done.returncode, (0, 1, 2, 3), done.stderr)
        return json.loads(done.stdout)

    def recorded(self, arguments):
        """The trace of a run in the simulator."""
        done = subprocess.run([REDUCTIO, 'run', *arguments.split(), '--device', 'sim', '--no-last', '--quiet', '--trace', '-'],
                              capture_output=True, text=True, check=False)
        records = [json.loads(line) for line in done.stdout.splitlines()]
        self.assertEqual(records[0]['minor'], THIS_MINOR, done.stderr)
        return records

    def is_listed(self, name, spot, right, older):
        """Tells whether the format's document lists such an edit as one that goes unnoticed."""
        record, index = spot
        if name == 'checkpoint.state.cells' and right['verdict'] == 'HOLDS':
            return index is not None and not is_live(record, index)
        holds = {'': True, 'VIOLATED': right['verdict'] == 'VIOLATED', 'older': older}
        return any(pattern.match(name) and holds[where] for pattern, where in self.known)

    def check_all(self, records):
        right = self.verify([records])[0]
        self.assertNotIn('error', right)
        if right['verdict'] != 'INCONCLUSIVE':
            self.assertEqual(right['reason'], '')
        older = records[0]['minor'] < THIS_MINOR
        edits = [*edits_of_records(records), *edits_of_members(records, records[1]['type'])]
        edits = [edit for edit in edits if edit[3] != records]
        self.assertGreater(len(edits), 100)
        edits = part(edits, 20)
        unnoticed = set()
        for first in range(0, len(edits), BATCH):
            batch = edits[first:first + BATCH]
            for (what, name, spot, _), said in zip(batch, self.verify([edit[3] for edit in batch])):
                same = 'error' not in said and all(said[key] == right[key] for key in ('reason', 'verdict'))
                if same and not self.is_listed(name, spot, right, older):
                    unnoticed.add(what)
        self.assertEqual(sorted(unnoticed), [])

    def test_edit_of_a_golden_trace_is_noticed(self):
        for name in GOLDEN:
            with self.subTest(name):
                text = (TRACES / (name + '.ndjson')).read_text(encoding='utf-8')
                self.check_all([json.loads(line) for line in text.splitlines()])

    def test_edit_of_a_trace_of_this_version_is_noticed(self):
        for arguments in RUNS:
            with self.subTest(arguments):
                self.check_all(self.recorded(arguments))

    def test_checkpoints_that_are_forged_throughout_are_noticed(self):
        for arguments in ('dot-shared -n 24 --block 4 --grid 3 --type i32', 'ladder-vectorised -n 40 --block 40 --grid 2',
                          'multi-block-two-launch -n 40 --block 4 --type i32', 'puzzle-matmul -n 5 --type i32'):
            records = self.recorded(arguments)
            cases = list(forgeries(records))
            for (what, ending, _), said in zip(cases, self.verify([case[2] for case in cases])):
                with self.subTest(arguments, what=what):
                    self.assertEqual(said.get('verdict', 'refused'), ending, said)


if __name__ == '__main__':
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    REDUCTIO, TRACES = sys.argv[1], pathlib.Path(sys.argv[2])
    THIS_MINOR = int(re.search(r'"minor":(\d+)', (TRACES / 'README.md').read_text(encoding='utf-8'))[1])
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
