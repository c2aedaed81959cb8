#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The pictures that `reductio report` writes: test_report_picture.py REDUCTIO TRACES-FOLDER [PART...]"""
import json
import os
import re
import shutil
import sys
import unittest
import xml.etree.ElementTree

from report_case import Report, SVG, TRACES


class Picture(Report):
    # ---- pictures ----

    def test_each_round_has_a_picture_in_svg(self):
        for k in range(4):
            picture = xml.etree.ElementTree.fromstring(self.report('fold', '-n', '8', '--device', 'sim', '--svg', str(k)))
            values = [''.join(text.itertext()) for text in picture.iter('{http://www.w3.org/2000/svg}text') if text.get('class') == 'v']
            wanted = [[0, 1, 2, 3, 4, 5, 6, 7], [4, 6, 8, 10, 4, 5, 6, 7], [12, 16, 8, 10, 4, 5, 6, 7],
                      [28, 16, 8, 10, 4, 5, 6, 7]]
            self.assertEqual(values[-8:], [str(value) for value in wanted[k]])
            self.assertEqual(len(values), 8 if k == 0 else 16)

    def drawn(self, *arguments):
        """A picture's root, as SVG."""
        return xml.etree.ElementTree.fromstring(self.report(*arguments, '--device', 'sim'))

    def boxes(self, group):
        """Yields of each cell its rectangle's x, y, width and height, its value's element, and its own."""
        for cell in group.iter(f'{SVG}g'):
            if 'cell' in (cell.get('class') or '').split():
                rect = cell.find(f'{SVG}rect')
                yield ([float(rect.get(name)) for name in ('x', 'y', 'width', 'height')],
                       next(text for text in cell.iter(f'{SVG}text') if text.get('class') == 'v'), cell)

    def test_a_value_stays_in_its_box_and_off_its_marks(self):
        runs = [('fold:wrong-half', '-n', str(n), '--type', 'f64', '--values', 'random') for n in (8, 16, 64)]
        runs += [('fold:wrong-half', '-n', '8', '--type', kind, '--values', f'list:{",".join([value] * 8)}')
                 for kind, value in (('i32', '-2147483648'), ('u64', '18446744073709551615'), ('f64', '-1.7976931348623157e+308'))]
        runs.append(('multi-block', '-n', '32', '--block', '8', '--type', 'f64', '--values', 'random'))
        flags = 0
        for run in runs:
            root = self.drawn(*run, '--svg', '1')
            for (x, y, width, _), text, cell in self.boxes(root):
                size = float(text.get('font-size') or root.get('font-size'))
                half = 0.602 * size * len(text.text or '') / 2
                self.assertGreaterEqual(size, 10, run)
                self.assertLessEqual(half, width / 2 - 3, (run, text.text))
                self.assertAlmostEqual(float(text.get('x')), x + width / 2, delta=1)
                for other in cell:
                    if other.get('class') in ('flag', 'bang', 'later'):
                        flags += 1
                    if other.get('class') in ('bang', 'later'):
                        self.assertLess(float(other.get('y')), float(text.get('y')) - 0.8 * size, run)
        self.assertGreater(flags, 40)

    def test_a_source_shows_what_was_read_and_what_came_over_it(self):
        root = self.drawn('multi-block', '-n', '16', '--block', '4', '--values', 'iota', '--svg', '1')
        row = [group for group in root.iter(f'{SVG}g') if group.get('class') == 'source']
        self.assertEqual(len(row), 1)
        self.assertEqual([text.text for _, text, _ in self.boxes(row[0])], [str(k) for k in range(16)])
        later = {float(text.get('x')): text.text for text in row[0].iter(f'{SVG}text') if text.get('class') == 'later'}
        starts = [box[0] for box, _, _ in self.boxes(row[0])]
        which = {starts.index(max(start for start in starts if start < x)): text for x, text in later.items()}
        # Each block's sum over its first cell, block 0 then over the others' what it took from there.
        self.assertEqual({k: which[k] for k in (4, 8, 12)}, {4: '\u219222', 8: '\u219238', 12: '\u219254'})
        self.assertEqual(sorted(which), [0, 1, 2, 3, 4, 8, 12])
        arrow = [group for group in root.iter(f'{SVG}g') if 'arrow' in (group.get('class') or '').split()]
        self.assertEqual([(a.get('data-from'), 'late' in a.get('class')) for a in arrow], [('1.0', True)])
        text = ''.join(root.itertext())
        self.assertIn('read after it was overwritten', text)
        self.assertIn('3 hazards, the first: barrier-divergence', text)
        self.assertNotIn('overwritten', ''.join(self.drawn('fold', '-n', '8', '--svg', '1').itertext()))

    def test_arrows_end_at_their_cells_and_lie_below_the_boxes(self):
        for run in (('fold:wrong-half', '-n', '64'), ('tournament', '-n', '32'), ('fold', '-n', '256'), ('fold', '-n', '16')):
            root = self.drawn(*run, '--svg', '1')
            order = [group.get('class') for group in root.iter(f'{SVG}g') if group.get('class') in ('arrows', 'arrows many', 'after')]
            self.assertEqual(order[1:], ['after'], run)
            cells = {cell.get('data-i'): box for box, _, cell in self.boxes(root) if cell.get('data-i')}
            arrows = [group for group in root.iter(f'{SVG}g') if 'arrow' in (group.get('class') or '').split()]
            self.assertGreaterEqual(len(arrows), 8)
            for arrow in arrows:
                x, y, width, height = cells[arrow.get('data-to')]
                head = re.match(r'M(\S+) (\S+)m-4 0h8l-4 (-?\d+)z', next(p.get('d') for p in arrow if p.get('class') == 'head'))
                tip = float(head[2]) + float(head[3])
                self.assertTrue(x < float(head[1]) < x + width, run)
                edge = y if int(head[3]) > 0 else y + height
                self.assertLess(abs(tip - edge), 4, (run, arrow.get('data-to')))

    def test_the_words_of_a_picture_say_what_is_wrong_and_stay_in_it(self):
        for run in (('fold:wrong-half', '-n', '8'), ('puzzle-axis-sum', '-n', '8'), ('fold:wrong-half', '-n', '16', '--type', 'f64', '--values', 'random')):
            root = self.drawn(*run, '--svg', '1')
            width, height = (float(root.get(name)) for name in ('width', 'height'))
            for text in root.iter(f'{SVG}text'):
                if text.get('class') in ('title', 'claim', 'reason'):
                    length = 0.54 * float(text.get('font-size')) * len(''.join(text.itertext()))
                    self.assertLessEqual(float(text.get('x')) + length, width, run)
                    self.assertLess(float(text.get('y')), height)
        text = ''.join(self.drawn('fold:wrong-half', '-n', '8', '--svg', '1').itertext())
        self.assertIn('step 1, A[0]: expected 4, actual 3', text)
        self.assertIn('hazard: race', text)
        self.assertNotIn('expected', ''.join(self.drawn('fold', '-n', '8', '--svg', '1').itertext()))

    def notes(self, root):
        """The lines of small letters below a picture, each with where it begins and the element around it."""
        for group in root.iter(f'{SVG}g'):
            for text in group.findall(f'{SVG}text'):
                if text.get('class') == 'note' and text.get('x') == '40':
                    yield text.text, group

    def test_a_picture_of_all_rounds_says_its_hazards_and_signs(self):
        for name, size, hazards, claim in (('fold:wrong-half', '8', 'hazard: race', 'VIOLATED'), ('dot-naive', '1000', '3 hazards, the first: race', 'HOLDS')):
            root = self.drawn(name, '-n', size, '--svg', 'all')
            reasons = [text.text for text in root.iter(f'{SVG}text') if text.get('class') == 'reason']
            self.assertIn(hazards, reasons)
            self.assertIn(claim, ''.join(root.itertext()))
            self.assertIn('changed; !: wrong; dashed box: the claim is not of it', [text for text, _ in self.notes(root)])
        self.assertIn('read after it was overwritten', [text for text, _ in self.notes(root)])
        right = self.drawn('fold', '-n', '8', '--svg', 'all')
        self.assertNotIn('hazard', ''.join(right.itertext()))
        self.assertEqual([text for text, _ in self.notes(right)], ['changed; !: wrong; dashed box: the claim is not of it'])

    def test_notes_stay_in_the_picture(self):
        for which in ('1', 'all'):
            root = self.drawn('dot-naive', '--svg', which)
            width, height = (float(root.get(name)) for name in ('width', 'height'))
            notes = list(self.notes(root))
            words = ' '.join(text for text, _ in notes)
            self.assertIn('2000 arrows are not drawn: from arrays too long for a row, of more than 32 cells', words)
            for text, group in notes:
                x, y = map(float, re.match(r'translate\((\S+) (\S+)\)', group.get('transform')).groups())
                self.assertLessEqual(x + 40 + 0.54 * 12 * len(text), width, text)
                self.assertLess(y, height)

    def texts(self, root, name):
        """The texts of a class."""
        return [text.text for text in root.iter(f'{SVG}text') if text.get('class') == name]

    def test_a_way_that_was_gone_often_says_how_often(self):
        for run, wanted in ((('fold:wrong-half', '-n', '8', '--svg', '3'), ['2\u00d7']), (('dot-naive', '-n', '1000', '--svg', '1'), ['1000\u00d7']),
                            (('fold:wrong-half', '-n', '64', '--svg', '6'), ['2\u00d7']), (('fold', '-n', '8', '--svg', '3'), [])):
            root = self.drawn(*run)
            told = self.texts(root, 'times')
            self.assertEqual(told, ['2\u00d7', *wanted] if wanted else [], run) # the note's sign is the first
            words = [text for text, _ in self.notes(root)]
            self.assertEqual('read and written so often, by one thread or several' in words, bool(wanted), run)
            self.assertNotIn('the colours only tell neighbouring arrows apart', words)

    def test_a_grid_tells_what_its_cells_were_before(self):
        root = self.drawn('fold', '-n', '64', '--values', 'iota', '--svg', '2')
        self.assertEqual([text for text in self.texts(root, 'was') if text != 'x\u2192'], [f'{32 + 2 * k}\u2192' for k in range(16)])
        wrong = self.drawn('fold:wrong-half', '-n', '64', '--values', 'iota', '--svg', '1')
        for (x, _, width, _), value, cell in self.boxes(wrong):
            self.assertLessEqual(0.602 * 16 * len(value.text), width, cell.get('data-i'))
        self.assertEqual(len(self.texts(wrong, 'was')), 1 + 32) # and the note's sign
        widths = [{box[2] for box, _, _ in self.boxes(self.drawn('fold', '-n', '64', '--svg', number))} for number in ('0', '1')]
        self.assertEqual(widths[0], widths[1])
        words = [text for text, _ in self.notes(root)]
        self.assertIn('what it was before', words)
        self.assertIn('the colours only tell neighbouring arrows apart', words)

    def test_what_is_read_from_a_long_array_is_named(self):
        root = self.drawn('dot-shared', '-n', '1000', '--svg', '1')
        self.assertEqual(self.texts(root, 'far'), ['cache[0]'] * 4)
        self.assertNotIn('not drawn', ' '.join(text for text, _ in self.notes(root)))

    def test_a_late_arrow_of_a_file_is_dashed_without_a_measure_of_its_own(self):
        for which in ('1', 'all'):
            root = self.drawn('dot-naive', '-n', '8', '--svg', which)
            lines = [arrow.find(f'{SVG}path') for arrow in root.iter(f'{SVG}g') if 'late' in (arrow.get('class') or '').split()]
            self.assertTrue(lines)
            for line in lines:
                self.assertEqual((line.get('stroke-dasharray'), line.get('pathLength')), ('7 5', None))

    def test_a_picture_has_what_came_through_registers_and_says_so(self):
        run = ('ladder-vectorised', '-n', '256', '--block', '32', '--grid', '4')
        picture = self.drawn(*run, '--svg', '1')
        self.assertIn('read by another lane, and handed on from register to register by shuffles',
                      ' '.join(text for text, _ in self.notes(picture)))
        text = self.report(*run, '--device', 'sim', '--svg', '1')
        arrows = re.findall(r'class="arrow ([^"]*)"[^>]*data-from="1\.(\d)" data-to="0">(<path[^>]*>)', text)
        self.assertEqual(sorted(k for _, k, _ in arrows), ['0', '1', '2', '3'])
        for marks, number, path in arrows:
            self.assertEqual('through' in marks, number != '0')  # lane 0 has read the first itself
            self.assertEqual('stroke-dasharray="2 4"' in path, number != '0')
        words = ' '.join(text for text, _ in self.notes(self.drawn('fold', '-n', '64', '--svg', '1')))
        self.assertNotIn('register', words)

    def test_an_overview_has_each_bar_with_a_live_cell_and_says_what_it_has_not_looked_at(self):
        text = self.report('tournament', '-n', '524288', '--device', 'sim', '--svg', '18')
        bars = re.findall(r'<rect class="([^"]*)"[^>]*><title>', text)
        self.assertEqual(sum(bar.startswith('live') for bar in bars), 2)
        self.assertIn('4096 a bar, not all looked at;', text)
        text = self.report('tournament', '-n', '131072', '--device', 'sim', '--svg', '1')
        self.assertIn('1024 a bar; ', text)

    def test_a_picture_of_floats_says_how_they_are_equal(self):
        run = ('fold', '-n', '8', '--device', 'sim', '--svg')
        for which in ('2', 'all'):
            text = self.report(*run, which, '--type', 'f32')
            self.assertIn('>HOLDS (bits and bound)<', text)
            self.assertIn('floats: = is to the bits of the documented expression (bits), and within',
                          ' '.join(re.findall(r'class="note"[^>]*>([^<]*)<', text)))
            text = self.report(*run, which)
            self.assertNotRegex(text, 'floats|bits')

    def test_a_dashed_box_of_another_array_is_of_a_cell_that_nobody_read(self):
        notes = ' '.join(text for text, _ in self.notes(self.drawn('puzzle-block-sum', '-n', '8', '--svg', '1')))
        self.assertIn('or, in another array, it was not read', ' '.join(notes.split()))
        notes = ' '.join(text for text, _ in self.notes(self.drawn('fold', '-n', '8', '--svg', '1')))
        self.assertNotIn('another array', notes)

    def test_a_wrong_dead_cell_is_drawn_as_a_dead_one(self):
        text = self.report('fold:missing-guard', '--device', 'sim', '--svg', '2')
        self.assertIn('class="cell dead changed wrong"', text)
        for rule in re.findall(r'\.picture \.(?:wrong|dead)[^{]*rect \{[^}]*\}', text):
            self.assertNotIn('stroke-dasharray: none', rule)

    def test_a_verdict_in_doubt_is_no_violation_in_a_picture(self):
        # An overflow in one order of the additions, and none in another.
        run = ('ladder-vectorised-atomic', '-n', '8', '--type', 'f32', '--values', 'list:3e38,3e38,-3e38,-3e38,4,5,6,7',
               '--block', '4', '--device', 'sim')
        for arguments, wanted in (((*run, '--svg', '1'), [('verdict doubt', 'INCONCLUSIVE')]),
                                  ((*run, '--svg', 'all'), [('verdict holds', 'HOLDS'), ('verdict doubt', 'INCONCLUSIVE')]),
                                  (('fold:wrong-half', '-n', '8', '--device', 'sim', '--svg', '1'), [('verdict violated', 'VIOLATED')])):
            text = self.report(*arguments)
            self.assertEqual(re.findall(r'class="(verdict \w+)"[^>]*>(\w+)(?: \([^)]*\))?<', text), wanted)
        self.assertRegex(text, r'\.picture \.doubt \{[^}]*font-style: italic')

    def test_of_a_run_that_stopped_inside_a_round_the_last_that_ended_is_told(self):
        with open(os.path.join(TRACES, 'dot-shared-8-i32-iota.sim.ndjson'), encoding='utf-8') as file:
            records = file.readlines()[:6]
        self.assertIn('checkpoint', json.loads(records[-1]))
        trace = os.path.join(self.folder.name, 'stopped.ndjson')
        with open(trace, 'w', encoding='utf-8') as file:
            file.writelines(records)
        for wanted in ('1', '2'):
            self.assertIn(f'there is no round {wanted}: the last that ended is 0', self.refused(trace, '--svg', wanted, '-o', self.path))

    def test_the_picture_in_the_readme_is_the_programs_own(self):
        with open(os.path.join(TRACES, '..', 'docs', 'fold.svg'), encoding='utf-8') as file:
            self.assertEqual(file.read(), self.report('fold', '-n', '8', '--device', 'sim', '--svg', 'all'))

    def test_a_picture_of_all_rounds_has_each_once(self):
        for arguments in (('fold', '-n', '8'), ('dot-shared', '-n', '8', '--block', '4', '--grid', '1'),
                          ('fold:wrong-half', '-n', '64'), ('fold', '-n', '2^12')):
            text = self.report(*arguments, '--device', 'sim', '--svg', 'all')
            picture = xml.etree.ElementTree.fromstring(text)
            verdicts = [t.text for t in picture.iter('{http://www.w3.org/2000/svg}text') if 'verdict' in (t.get('class') or '')]
            self.assertEqual(len(verdicts), text.count('class="title"') - 1, arguments)

    def test_a_picture_in_png_takes_a_program_and_says_so(self):
        text = self.refused('fold', '-n', '8', '--device', 'sim', '--png', '1', '-o', self.path, env={'PATH': '/nowhere'})
        self.assertIn("PNG takes the program 'rsvg-convert'", text)
        self.assertFalse(os.path.exists(self.path))
        if not shutil.which('rsvg-convert'):
            self.skipTest('there is no rsvg-convert')
        made = self.reductio('report', 'fold', '-n', '8', '--device', 'sim', '--png', '1', '-o', self.path)
        self.assertEqual(made.returncode, 0, made.stderr)
        with open(self.path, 'rb') as file:
            self.assertEqual(file.read(8), b'\x89PNG\r\n\x1a\n')


if __name__ == '__main__':
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
