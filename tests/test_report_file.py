#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Pages of `reductio report`, read without a browser: test_report_file.py REDUCTIO TRACES-FOLDER [PART...]"""
import glob
import json
import os
import re
import shutil
import subprocess
import sys
import unittest

from report_case import BYTES_MAX, HOSTILE, Parsed, REDUCTIO, Report, SVG, TRACES
from short_run import SHORT, part
from source_lines import needs_lines


class Page(Report):
    # ---- the command ----

    def test_report_of_what_makes_no_sense_is_refused(self):
        trace = os.path.join(TRACES, 'fold-8-i32-iota.sim.ndjson')
        for arguments, words in (
                ((), 'nothing to report'),
                (('fold',), 'no file to write: use -o FILE'),
                (('fold', '-o', ''), "'-o' is ''"),
                (('fold', 'tournament', '-o', 'x'), "'tournament' is one argument too many"),
                (('fold', trace, '-o', 'x'), 'one argument too many'),
                (('flod', '-o', 'x'), "did you mean 'fold'?"),
                (('fold', '--last', '-o', 'x'), 'no run has left'),
                ((trace, '-n', '8', '-o', 'x'), 'a trace has its n'),
                (('fold', '--svg', '1', '--png', '1', '-o', 'x'), 'one picture too many'),
                (('fold', '--svg', 'foo', '-o', 'x'), "'--svg' is 'foo', no round: write its number, 0 for the start, violation or all"),
                (('fold', '--device', 'sim', '--svg', 'violation', '-o', self.path), 'no step is violated: name a round by its number'),
                (('fold', '--png', '-1', '-o', 'x'), "'--png' is '-1', no round"),
                (('fold', '--svg', '1', '--compare', 'tournament', '-o', 'x'), "'--compare' is for the page"),
                (('-', '--compare', '-', '-o', 'x'), "'-' stands twice"),
                (('fold', '--values', 'witness', '--type', 'i32', '-o', 'x'), 'witness values are u64'),
                (('puzzle-map', '--values', 'witness', '-o', 'x'), 'makes no sums of inputs'),
                ((trace, '--times', '-o', 'x'), 'a trace knows no times'),
                (('fold', '--compare', trace, '--times', '-o', 'x'), "'--compare' names a trace"),
                (('fold', '--svg', '1', '--times', '-o', 'x'), "'--times' is for the page"),
                (('fold:wrong-half', '--device', 'sim', '--times', '-o', self.path), "'fold:wrong-half' has a fault"),
                (('fold', '--device', 'sim', '--compare', 'multi-block', '-o', self.path),
                 "'--compare' is 'multi-block', which does not run on the n = 8 of 'fold' (this fault has a thread for each cell, and"
                 " n = 8 is not 1 block of 1024: use multi-block-two-launch): use -n 8192, which both take, or record it alone, by"
                 " 'reductio run multi-block --trace FILE'"),
                (('fold', '--device', 'sim', '--grid', '2', '--compare', 'tournament', '-o', self.path), "'--grid' is 2, and 'fold'"),
                (('./no-such-trace', '-o', self.path), 'no-such-trace'),
                (('fold', '-n', '7', '--device', 'sim', '-o', self.path), 'not a power of two'),
                (('fold', '-n', '8', '--device', 'sim', '--svg', '4', '-o', self.path), 'there is no round 4: the last that ended is 3'),
                (('fold', '--svg', '2^32', '-o', 'x'), "'--svg' is 2^32, more rounds than a run has: use 4294967293 or less"),
                (('fold', '--png', '4294967295', '-o', 'x'), "'--png' is 4294967295, more rounds than a run has"),
                (('fold', '-n', '8', '--device', 'sim', '-o', '/no/such/folder/x'), "'/no/such/folder/x' can't be written"),
                (('fold', '-n', '8', '--device', 'sim', '-o', '/dev/full'), "'/dev/full' can't be written: No space left"),
                (('fold', '-n', '8', '--device', 'sim', '-o', self.folder.name), "' can't be written: ")):
            self.assertIn(words, self.refused(*arguments), arguments)
        self.assertEqual(os.listdir(self.folder.name), [])

    def test_report_overwrites_whole_or_not_at_all(self):
        with open(self.path, 'w', encoding='utf-8') as file:
            file.write('old')
        os.chmod(self.path, 0o600)
        self.refused('fold', '-n', '7', '--device', 'sim', '-o', self.path)
        with open(self.path, encoding='utf-8') as file:
            self.assertEqual(file.read(), 'old')
        self.assertTrue(self.report('fold', '-n', '8', '--device', 'sim').startswith('<!DOCTYPE html>'))
        self.assertEqual(os.listdir(self.folder.name), ['page.html'])

    def test_report_writes_what_a_link_names_and_the_link_stays(self):
        os.mkdir(os.path.join(self.folder.name, 'far'))
        target = os.path.join(self.folder.name, 'far', 'target.html')
        os.symlink('far/target.html', os.path.join(self.folder.name, 'middle.html'))
        os.symlink(os.path.join(self.folder.name, 'middle.html'), self.path)
        for program in ('fold', 'tournament'):  # the link dangles, then it does not
            text = self.report(program, '-n', '8', '--device', 'sim')
            self.assertIn(f'<title>{program} of 8', text)
            self.assertTrue(os.path.islink(self.path) and os.path.islink(os.path.join(self.folder.name, 'middle.html')))
            self.assertFalse(os.path.islink(target))
            with open(target, encoding='utf-8') as file:
                self.assertEqual(file.read(), text)
        made = subprocess.run([REDUCTIO, 'report', 'fold', '-n', '8', '--device', 'sim', '-o', 'middle.html'], check=False,
                              cwd=self.folder.name)
        self.assertEqual(made.returncode, 0)
        self.assertEqual(sorted(os.listdir(self.folder.name)), ['far', 'middle.html', 'page.html'])
        self.assertEqual(os.listdir(os.path.dirname(target)), ['target.html'])
        for name, where in (('loop.html', 'loop.html'), ('nowhere.html', 'no-such-folder/x')):
            link = os.path.join(self.folder.name, name)
            os.symlink(where, link)
            self.assertIn(f"'{link}' can't be written: ", self.refused('fold', '-n', '8', '--device', 'sim', '-o', link))
            self.assertTrue(os.path.islink(link))

    def test_report_of_the_last_run_is_that_of_its_trace(self):
        self.reductio('run', 'fold', '-n', '8', '--device', 'sim')
        self.assertIn('round 3 of 3: fold, half = 1', self.report('--last'))

    def test_report_on_witness_values_is_that_on_the_programs_own_and_begins_with_sets(self):
        for program in ('fold', 'dot-shared'):
            arguments = (program, '-n', '8', '--block', '4', '--device', 'sim')
            plain, sets = self.report(*arguments), self.report(*arguments, '--values', 'witness')
            self.assertIn('<div class="one" data-view="values">', plain)
            self.assertEqual(sets, plain.replace('data-view="values"', 'data-view="sets"'))
        self.assertIn(' data-view="sets">', self.report('fold', '-n', '8', '--device', 'sim', '--values', 'witness', '--compare', 'tournament'))

    def test_two_programs_are_of_one_input(self):
        for arguments, words in (
                (('fold', '-n', '8192', '--compare', 'multi-block'), ('fold of 8192', 'multi-block of 8192')),
                (('fold', '-n', '8', '--block', '4', '--compare', 'multi-block'), ('n = 8, i32, values iota, 1 round',)),
                (('fold', '-n', '8', '--block', '4', '--grid', '2', '--compare', 'dot-shared'), ('grid 2, block 4',)),
                (('dot-shared', '-n', '8', '--block', '4', '--grid', '2', '--compare', 'fold'), ('grid 2, block 4',))):
            text = self.report(*arguments, '--device', 'sim')
            for word in words:
                self.assertIn(word, text, arguments)

    def test_report_goes_to_standard_output_where_asked(self):
        made = self.reductio('report', 'fold', '-n', '8', '--device', 'sim', '-o', '-')
        self.assertEqual((made.returncode, made.stderr), (0, b''))
        self.assertEqual(made.stdout.decode(), self.report('fold', '-n', '8', '--device', 'sim'))

    def test_report_of_a_trace_shows_what_that_of_the_run_does(self):
        trace = os.path.join(self.folder.name, 't.ndjson')
        self.reductio('run', 'fold:wrong-half', '-n', '16', '--device', 'sim', '--trace', trace)
        def boxes(text):
            return re.findall(r'<article.*?</article>', text, re.S)
        live = boxes(self.report('fold:wrong-half', '-n', '16', '--device', 'sim'))
        recorded = boxes(self.report(trace))
        self.assertGreaterEqual(len(recorded), 2)
        for one, other in zip(live[:1], recorded[:1]):
            self.assertEqual(one, other)
        # The recorded run has ended where the other one goes on.
        ended = '<b class="INCONCLUSIVE">INCONCLUSIVE</b><p class="reason">nothing follows from a false invariant</p>\n'
        for k, (one, other) in enumerate(zip(live, recorded)):
            tables = [re.search(r'<table class="obligations">.*?</table>', box, re.S).group() for box in (one, other)]
            if k + 1 == len(recorded):
                tables[0] = tables[0].replace('<b class="open">open</b>', ended)
            self.assertEqual(*tables)

    # ---- the page ----

    def test_each_step_has_its_own_standing_of_the_obligations(self):
        text = self.report('fold:wrong-half', '-n', '8', '--device', 'sim')
        rows = [re.findall(r'<th scope="row">(\w+)</th><td><b class="(\w+)">([^<]*)</b>', frame)
                for frame in re.findall(r'<article.*?</article>', text, re.S)]
        begun = [('initialization', 'HOLDS', 'HOLDS'), ('preservation', 'open', 'open'), ('exit', 'open', 'open')]
        broken = [begun[0], ('preservation', 'VIOLATED', 'VIOLATED in round 1'), begun[2]]
        ended = [*broken[:2], ('exit', 'INCONCLUSIVE', 'INCONCLUSIVE')]
        self.assertEqual(rows, [begun, broken, broken, ended])
        self.assertEqual(text.count('<table class="obligations">'), 4)

    def check_page(self, text, what):
        page = Parsed(text)
        self.assertEqual((page.wrong, page.open), ([], []), what)
        self.assertLess(len(text.encode()), BYTES_MAX, what)
        for tag, attributes in page.elements:
            self.assertNotIn(tag, ('img', 'iframe', 'object', 'embed', 'base', 'form', 'use', 'image'), what)
            for name, value in attributes.items():
                self.assertFalse(name.startswith('on'), (what, tag, name))
                if name in ('src', 'href', 'xlink:href', 'action', 'srcset'):
                    self.assertEqual(value, 'data:,', (what, tag, name))
        self.assertNotIn('@import', text)
        self.assertNotIn('url(', text)
        self.assertEqual(sum(tag == 'script' for tag, _ in page.elements), 2, what)
        policy = next(a['content'] for tag, a in page.elements if a.get('http-equiv') == 'Content-Security-Policy')
        self.assertRegex(policy, "^default-src 'none'; script-src 'sha256-[^']+'; style-src 'sha256-[^']+'; img-src data:; ")
        data = next(text for tag, text in page.texts if tag == 'script' and text.startswith('['))
        self.assertIsInstance(json.loads(data), list)
        return page

    @needs_lines
    def test_lines_of_another_file_are_none_of_the_kernels(self):
        page = Parsed(self.report('ladder-first-add', '-n', '64', '--block', '32', '--device', 'sim'))
        data = json.loads(next(text for tag, text in page.texts if tag == 'script' and text.startswith('[')))
        accesses = [access for frame in data[0] for thread in frame.get('threads', [])
                    for access in thread[2]]
        self.assertEqual({a[5] for a in accesses if a[:2] == ['reads', 'a']}, {'kernels/ladder.h'})
        self.assertNotIn(0, {a[4] for a in accesses})
        self.assertEqual({len(a) for a in accesses if a[:2] == ['writes', 'A']}, {5})

    def test_a_trace_that_its_rerun_differs_from_is_told(self):
        trace = os.path.join(self.folder.name, 'edited')
        with open(os.path.join(TRACES, 'fold-8-i32-iota.sim.ndjson'), encoding='utf-8') as file:
            text = file.read()
        with open(trace, 'w', encoding='utf-8') as file:
            file.write(text.replace('[12,16,8,', '[12,17,8,'))
        words = 'a re-run in the simulator, which differs from the trace at step 2 in A[1]: 17 in the trace, 16 in the re-run'
        self.assertIn(words, self.report(trace))
        self.assertNotIn('re-run', self.report(os.path.join(TRACES, 'fold-8-i32-iota.cuda.ndjson')))

    def test_every_golden_trace_has_a_page_that_asks_for_nothing(self):
        # The GPU's are as the simulator's but for the device.
        traces = sorted(glob.glob(os.path.join(TRACES, '*.sim.ndjson')))
        self.assertGreater(len(traces), 50)
        traces += sorted(glob.glob(os.path.join(TRACES, '*.cuda.ndjson')))[::8]
        for trace in part(traces, 20):
            self.check_page(self.report(trace), trace)

    def test_each_part_of_the_template_is_filled_in(self):
        with open(os.path.join(TRACES, '..', 'src', 'view', 'report', 'page.html'), encoding='utf-8') as file:
            split = re.split(r'\{\{([a-z]+)\}\}', file.read())
        begins = {'policy': "default-src 'none'", 'version': '', 'title': 'fold of 8: HOLDS - reductio', 'style': '.picture {',
                  'heading': '<div class="name">', 'runs': '<div class="one"', 'times': '<section class="times"',
                  'proof': '<section class="proof"',
                  'data': '[[{', 'script': "'use strict'"}
        self.assertEqual(sorted(split[1::2]), sorted(begins))
        text = self.report('fold', '-n', '8', '--device', 'sim', '--times')
        for before, name in zip(split[0::2], split[1::2]):
            line = before[before.rindex('\n'):]
            self.assertRegex(text, re.escape(line) + r'[\s/*]*' + re.escape(begins[name]), name)

    def test_the_box_of_a_violation_stands_at_its_warp_alone(self):
        with open(os.path.join(TRACES, 'ladder-shuffles-twice-100-u64-random-7.sim.ndjson'), encoding='utf-8') as file:
            records = [json.loads(line) for line in file]
        step = next(r for r in records if r.get('checkpoint', {}).get('number') == 2 and r['checkpoint']['warp'] == 0)
        cells = step['state']['cells']
        violation = {'kind': 'bits', 'step': 1, 'checkpoint': step['checkpoint'], 'cell': 0, 'expected': cells[0],
                     'actual': str(int(cells[0]) ^ 1), 'count': 1}
        cells[0] = violation['actual']
        step.update(verdict='VIOLATED', violation=violation)
        records[-1].update(verdict='VIOLATED', violation=violation)
        records[-1]['obligations']['preservation'] = 'VIOLATED'
        trace = os.path.join(self.folder.name, 'warp.ndjson')
        with open(trace, 'w', encoding='utf-8') as file:
            file.writelines(json.dumps(record) + '\n' for record in records)
        frames = re.findall(r'<article.*?</article>', self.report(trace), re.S)
        boxed = [re.search(r'<h2.*?>(.*?)</h2>', frame)[1] for frame in frames if 'class="broken"' in frame]
        self.assertEqual(boxed, ['round 1, block 0, warp 0, base = 66: r at &#39;grid_stride&#39;'])

    def hostile_trace(self):
        with open(os.path.join(TRACES, 'fold-8-i32-iota.sim.ndjson'), encoding='utf-8') as file:
            records = [json.loads(line) for line in file]
        for record in records:
            if record['record'] == 'version':
                record['minor'] = 2  # the words of statements are its own
            if record['record'] == 'run':
                record['values'] = HOSTILE
                record['device'] = {'name': 'sim', 'description': HOSTILE}
            if record['record'] == 'step':
                record['statement'] = HOSTILE
            if record['record'] == 'verdict':
                record['hazards'] = 1
        hazard = {'record': 'hazard', 'name': HOSTILE, 'step': 2, 'message': HOSTILE}
        records.insert(4, hazard)
        path = os.path.join(self.folder.name, HOSTILE.replace('/', '') + '.ndjson')
        with open(path, 'w', encoding='utf-8') as file:
            for record in records:
                file.write(json.dumps(record) + '\n')
        return path

    def test_hostile_text_in_a_trace_stays_text(self):
        page = self.check_page(self.report(self.hostile_trace()), 'hostile')
        shown = HOSTILE.replace('\u0007', '\ufffd')
        self.assertGreaterEqual(page.text().count(shown), 3)

    def test_a_long_array_is_an_overview_and_its_violation(self):
        sizes = ('fold:wrong-half', '2^11'), ('fold:wrong-half', '2^16'), ('fold', '2^20')
        for program, size in sizes[:1] if SHORT else sizes:
            text = self.report(program, '-n', size, '--device', 'sim')
            page = self.check_page(text, size)
            self.assertRegex(page.text(), 'a bar(, not all looked at)?; 96 of them below')
            self.assertLess(len(text), 4 << 20)

    def test_pages_stay_below_their_bound(self):
        pages = (('fold', '-n', '1024', '--compare', 'tournament'), ('fold', '-n', '1024'),
                 ('tournament', '-n', '1023', '--type', 'f64', '--values', 'random'), ('multi-block', '-n', '1024', '--block', '32'))
        for arguments in pages[1:2] if SHORT else pages:
            self.check_page(self.report(*arguments, '--device', 'sim'), arguments)

    @unittest.skipIf(SHORT, 'reads a page of 32 MiB: ./check --all')
    def test_many_checkpoints_of_many_cells_stay_below_the_bound_and_the_page_says_so(self):
        # About 260 pictures of 1024 cells, and those of the steps, which are kept.
        page = self.report('dot-shared', '-n', '24k', '--block', '1024', '--grid', '24', '--device', 'sim')
        told = self.check_page(page, 'checkpoints').text()
        frames = re.findall(r'<article.*?</article>', page, re.S)
        undrawn = [frame for frame in frames if 'class="picture undrawn"' in frame]
        self.assertGreater(len(undrawn), 100)
        self.assertGreater(len(frames) - len(undrawn), 20)
        self.assertEqual({re.search(r'data-inside="(\d)"', frame)[1] for frame in undrawn}, {'1'})
        self.assertIn(f'{len(undrawn)} pictures are left out: the page would become too large', told)
        self.assertIn('of some cells and threads, what they hold or did is left out', told)
        whole = self.check_page(self.report('fold', '-n', '64', '--device', 'sim'), 'whole')
        self.assertNotIn('left out', whole.text())
        self.assertNotIn('not drawn', whole.text())

    def test_arrows_that_are_not_drawn_are_told(self):
        # The inputs of 64 products are no row.
        page = self.check_page(self.report('dot-fold', '-n', '64', '--device', 'sim'), 'arrows')
        self.assertIn('64 arrows are not drawn: from arrays too long for a row', page.text())
        frames = re.findall(r'<article.*?</article>', self.report('dot-fold', '-n', '64', '--device', 'sim'), re.S)
        self.assertEqual([number for number, frame in enumerate(frames) if 'not drawn' in frame], [1])

    def compared(self, *arguments):
        return re.findall(r'class="compared">(.*?)</b>', self.report(*arguments))

    def test_two_runs_are_compared_in_words(self):
        traces = {}
        for name, more in (('same', ()), ('f32', ('--type', 'f32')), ('other', ('--values', 'list:0,1,2,3,4,5,6,8'))):
            traces[name] = os.path.join(self.folder.name, name + '.ndjson')
            self.reductio('run', 'fold', '-n', '8', '--device', 'sim', '--no-last', *more, '--trace', traces[name])
        fold = ('fold', '-n', '8', '--device', 'sim', '--compare')
        self.assertEqual(self.compared(*fold, traces['same']), ['the same in all 4 steps'])
        self.assertEqual(self.compared(*fold, traces['f32']), ['they differ in type: i32 and f32'])
        self.assertEqual(self.compared(*fold, traces['other']), ['they differ in values: iota and list:0,1,2,3,4,5,6,8'])
        self.assertEqual(self.compared(*fold, 'fold:wrong-half'),
                         ['they first differ at round 1 of 3: fold, half = 4: A[0] is 4 and 3'])
        self.assertEqual(self.compared('dot-shared', '-n', '8', '--block', '4', '--device', 'sim', '--compare', 'dot-shared'),
                         ['the same in all 8 steps'])
        self.assertEqual(self.compared('fold', '-n', '8', '--device', 'sim'), [])

    def test_a_cut_trace_is_told_of_at_once(self):
        with open(os.path.join(TRACES, 'fold-8-i32-iota.sim.ndjson'), encoding='utf-8') as file:
            lines = file.readlines()[:3]
        trace = os.path.join(self.folder.name, 'cut.ndjson')
        with open(trace, 'w', encoding='utf-8') as file:
            file.writelines(lines)
        for more in ((), ('--svg', '0')):
            made = self.reductio('report', trace, '-o', self.path, *more)
            self.assertEqual((made.returncode, made.stderr.decode()),
                             (0, f"reductio: note: '{trace}' tells less than a whole run: it has no last record; the trace ends after"
                                 " step 0 of 3\n"))

    def test_a_picture_of_the_violation_is_that_of_its_step(self):
        run = ('fold:wrong-half', '-n', '8', '--device', 'sim', '--svg')
        self.assertEqual(self.report(*run, 'violation'), self.report(*run, '1'))

    def test_times_are_drawn_where_they_are_asked_for(self):
        arguments = ('fold', '-n', '64', '--device', 'sim', '--compare', 'tournament')
        self.assertNotIn('class="times"', self.report(*arguments))
        page = self.report(*arguments, '--times')
        chart = Parsed(page[page.index('<section class="times"'):page.index('</main>')])
        self.assertEqual(chart.wrong, [])
        for words in ('fold and tournament, round by round', 'time per round, \u00b5s', 'bandwidth per round, GB/s',
                      'processor time of the simulation'):
            self.assertIn(words, chart.text())
        marks = [attributes for _, attributes in chart.elements if 'rdp-mark' in attributes.get('class', '')]
        self.assertGreaterEqual(len(marks), 2 * 2 * 6)
        self.assertNotIn('style', {name for _, attributes in chart.elements for name in attributes})

    def test_the_page_is_valid(self):
        if not shutil.which('tidy'):
            self.skipTest('there is no tidy')
        for arguments in (('fold:wrong-half', '-n', '8'), ('fold', '-n', '8', '--compare', 'tournament'),
                          ('dot-shared', '-n', '8', '--block', '4', '--grid', '1')):
            self.report(*arguments, '--device', 'sim')
            told = subprocess.run(['tidy', '-q', '-e', '-utf8', '--drop-empty-elements', 'no', self.path],
                                  capture_output=True, text=True, check=False).stderr
            # tidy does not know SVG's and MathML's elements: those complaints don't count.
            serious = [line for line in told.splitlines() if 'Error' in line or ('proprietary' not in line and 'is not recognized' not in line)]
            self.assertEqual(serious, [], arguments)


if __name__ == '__main__':
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
