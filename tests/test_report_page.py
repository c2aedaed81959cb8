#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The page of `reductio report` in a browser: test_report_page.py REDUCTIO [PART...]

Each step's cells are compared with the trace of the same run; every key is pressed. Nothing may be asked for from
anywhere, and nothing may be said on the browser's console. Where RD_TEST_AXE names the file axe.min.js of axe-core, it
checks the page for accessibility as well as the checks here do. Exits 77 where there is no browser."""
import json
import os
import re
import struct
import subprocess
import sys
import tempfile
import time
import unittest
import zlib

import webdriver

REDUCTIO = sys.argv[1]
NORMAL_CONTRAST, LARGE_CONTRAST = 4.5, 3.0  # WCAG 2, success criterion 1.4.3


def reductio(*arguments):
    return subprocess.run([REDUCTIO, *arguments], capture_output=True, text=True, timeout=120, check=False)


class Page(unittest.TestCase):
    browser = None

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix='reductio-report-')
        cls.browser = webdriver.Browser()
        cls.browser.__enter__()

    @classmethod
    def tearDownClass(cls):
        cls.browser.__exit__()
        cls.folder.cleanup()

    def setUp(self):
        self.browser.cdp('Emulation.setEmulatedMedia', features=[
            {'name': 'prefers-color-scheme', 'value': 'light'}, {'name': 'prefers-reduced-motion', 'value': 'reduce'}])
        self.browser.cdp('Emulation.setDeviceMetricsOverride', width=1280, height=800, deviceScaleFactor=1, mobile=False)
        self.quiet = True

    def tearDown(self):
        said = [entry['message'] for entry in self.browser.log('browser')]
        if self.quiet:
            self.assertEqual(said, [])
        for entry in self.browser.log('performance'):
            message = json.loads(entry['message'])['message']
            if message['method'] == 'Network.requestWillBeSent':
                self.assertRegex(message['params']['request']['url'], '^(file:///|data:,|about:blank)')

    def page(self, *arguments, name='page.html'):
        path = os.path.join(self.folder.name, name)
        made = reductio('report', *arguments, '-o', path)
        self.assertEqual((made.returncode, made.stderr), (0, ''), arguments)
        self.browser.open(path)
        return path

    def trace(self, *arguments):
        path = os.path.join(self.folder.name, 'trace.ndjson')
        reductio('run', *arguments, '--device', 'sim', '--no-last', '--quiet', '--trace', path)
        with open(path, encoding='utf-8') as file:
            return [json.loads(line) for line in file]

    # ---- what the page says now ----

    def round(self):
        return self.browser.run("return document.querySelector('.frame.on').dataset.step") + \
            ('i' if self.browser.run("return document.querySelector('.frame.on').dataset.inside === '1'") else '')

    def cells(self, run=0):
        """(value, marks) of each cell of the step that is shown."""
        return self.browser.run("""
            return [...document.querySelectorAll(`#run${arguments[0]} .frame.on .after .cell`)].map((cell) =>
                [cell.querySelector('.v').textContent, ['live', 'dead', 'changed', 'wrong'].filter((m) => cell.classList.contains(m))])
            """, run)

    def values(self, run=0):
        return [value for value, marks in self.cells(run)]

    def said(self):
        return self.browser.run("return document.getElementById('said').textContent")

    # ---- the steps ----

    def check_against_trace(self, *arguments):
        records = self.trace(*arguments)
        steps = [r for r in records if r['record'] == 'step']
        self.page(*arguments, '--device', 'sim')
        before = {}
        for number, step in enumerate(steps):
            if number:
                self.browser.press('s')
            array = 'cache' if 'checkpoint' in step else 'A'
            shown = self.cells()
            wanted = [str(cell) for cell in step['state']['cells']]
            self.assertEqual([value for value, marks in shown], wanted, (arguments, number))
            live = {k * step['claim']['stride'] for k in range(step['claim']['count'])}
            for k, (value, marks) in enumerate(shown):
                self.assertEqual('live' in marks, k in live, (arguments, number, k))
                changed = array in before and before[array][k] != value
                self.assertEqual('changed' in marks, changed, (arguments, number, k))
            before[array] = wanted
            verdict = self.browser.run("return document.querySelector('.frame.on .asserted .verdict').textContent")
            self.assertEqual(verdict, step['verdict'])
        return len(steps)

    def test_lines_keep_their_dashes_while_they_are_drawn_and_after(self):
        self.browser.cdp('Emulation.setEmulatedMedia', features=[
            {'name': 'prefers-color-scheme', 'value': 'light'}, {'name': 'prefers-reduced-motion', 'value': 'no-preference'}])
        for program, kind in (('multi-block-atomic', 'late'), ('ladder-vectorised', 'through')):
            self.page(program, '-n', '256', '--block', '32', '--grid', '4', '--device', 'sim')
            self.browser.press('n')
            self.assertTrue(self.browser.run("return document.querySelector('.frame.on .stage').classList.contains('moving')"))
            for moment in ('drawn', 'over'):
                dashes = self.browser.run("""
                    if (arguments[0] === 'over')
                        for (const animation of document.getAnimations())
                            animation.finish();
                    return [...document.querySelectorAll('.frame.on .arrow')].map((arrow) => {
                        const line = arrow.querySelector('.line');
                        return [['late', 'through'].filter((c) => arrow.classList.contains(c)).join(), line.getAttribute('stroke-dasharray'),
                                getComputedStyle(line).strokeDasharray];
                    })""", moment)
                self.assertTrue(any(mark == kind for mark, _, _ in dashes), program)
                for mark, told, seen in dashes:
                    self.assertEqual(told is not None, mark != '', (program, moment))
                    if mark:
                        self.assertEqual([float(part) for part in re.findall(r'[\d.]+', seen)],
                                         [float(part) for part in told.split()], (program, moment, mark))
                    elif moment == 'over':
                        self.assertEqual(seen, 'none', (program, moment))

    def test_each_step_shows_the_cells_of_the_trace(self):
        self.assertEqual(self.check_against_trace('fold', '-n', '8'), 4)
        self.assertEqual(self.check_against_trace('fold', '-n', '1'), 1)
        self.assertEqual(self.check_against_trace('tournament', '-n', '33'), 7)
        self.assertEqual(self.check_against_trace('fold', '-n', '1024'), 11)
        self.check_against_trace('dot-shared', '-n', '8', '--block', '4', '--grid', '1', '--type', 'i32')

    def test_a_violated_round_marks_its_wrong_cells_and_says_why(self):
        self.page('fold:wrong-half', '-n', '8', '--device', 'sim')
        self.browser.press('!')
        self.assertEqual(self.round(), '1')
        self.assertEqual([k for k, (value, marks) in enumerate(self.cells()) if 'wrong' in marks], [0, 1, 2, 3])
        text = self.browser.run("return document.querySelector('.frame.on').innerText")
        self.assertIn('expected 4, actual 3', text)
        self.assertIn('A[0] should hold {0,4}; it holds {0,3}', text)
        self.assertIn('hazard: race', text)
        sites = self.browser.run("return [...document.querySelectorAll('.of-kernel.on .site')].map((l) => l.textContent)")
        self.assertEqual([site.strip() for site in sites], ['A[i] = OP(A[i], A[i + half - 1]);'])

    def standings(self):
        """As the stepper has them: with the reason of what does not hold."""
        return self.browser.run("""return [...document.querySelectorAll('.frame.on .obligations tr')].map((row) => {
            const verdict = row.querySelector('b').textContent, reason = row.querySelector('.reason')?.textContent;
            return `${row.querySelector('th').textContent} ${verdict}` + (reason && verdict !== 'HOLDS' ? `: ${reason}` : '');
        })""")

    @staticmethod
    def apart(words):
        """What the stepper says of each obligation; two that have one reason are joined by a comma."""
        told = []
        for part in words.split('; '):
            both = re.fullmatch(r'(\w+ INCONCLUSIVE), (\w+ INCONCLUSIVE)(: .*)', part)
            told += [both[1] + both[3], both[2] + both[3]] if both else [part]
        return told

    def test_each_step_says_of_the_obligations_what_the_stepper_says(self):
        for arguments in (('fold', '-n', '8'), ('fold', '-n', '1'), ('fold:wrong-half', '-n', '16'), ('dot-naive', '-n', '8'),
                          ('tournament:interval',), ('dot-shared', '-n', '8', '--block', '4', '--grid', '1')):
            self.page(*arguments, '--device', 'sim')
            steps = self.browser.run('return moments.length')
            script = os.path.join(self.folder.name, 'script')
            with open(script, 'w', encoding='utf-8') as file:
                file.write('s\n' * (steps - 1))
            said = reductio('step', *arguments, '--device', 'sim', '--script', script).stdout
            told = [self.apart(' '.join(words.split())) for words in
                    re.findall(r'^ obligations (.*?)\n [a-z]', said, re.M | re.S)]
            self.assertEqual(len(told), steps, arguments)
            for number in range(steps):
                if number:
                    self.browser.press('s')
                self.assertEqual(self.standings(), told[number], (arguments, number))
        self.page('fold', '-n', '8', '--device', 'sim')
        self.assertEqual(self.standings(), ['initialization HOLDS', 'preservation open', 'exit open'])
        self.assertNotIn('4 steps', self.browser.run('return document.body.innerText'))
        self.browser.press('End')
        self.assertEqual(self.standings(), ['initialization HOLDS', 'preservation HOLDS', 'exit HOLDS'])
        self.assertIn('4 steps', self.browser.run('return document.body.innerText'))

    def claimed(self):
        return self.browser.run("""return [...document.querySelectorAll('.of-invariant .claimed')].filter((l) => l.checkVisibility())
            .map((l) => l.textContent).filter((text) => /^\\S.*\\(/.test(text))""")

    def test_the_function_of_the_claim_is_marked_in_the_invariants_source(self):
        self.page('fold:wrong-half', '-n', '8', '--device', 'sim')
        for step in range(2):
            self.assertEqual([line.split('(')[0] for line in self.claimed()], ['void rd_fold_advance'])
            self.assertEqual(self.browser.find('.claimed.broke') != [], step == 1)
            self.browser.press('s')
        self.page('dot-shared', '-n', '8', '--block', '4', '--grid', '1', '--device', 'sim')
        for names in (['rd_block_sums_advance'], ['rd_block_fold_advance']):
            self.assertEqual([line.split('(')[0].split()[-1] for line in self.claimed()], names)
            self.browser.press('s')
        seen = self.browser.run("""const line = document.querySelector('.claimed'), pre = line.closest('pre').getBoundingClientRect();
            const box = line.getBoundingClientRect(); return box.top >= pre.top - 1 && box.bottom <= pre.bottom + 1""")
        self.assertTrue(seen)

    def test_lines_that_ran_are_marked_in_what_the_kernel_calls(self):
        self.page('ladder-warp-shuffle', '-n', '256', '--block', '64', '--device', 'sim')
        self.browser.press('End')
        ran = self.browser.run("""return [...document.querySelectorAll('.ran')].filter((l) => l.checkVisibility())
            .map((l) => [l.closest('.code').dataset.path, l.textContent.trim()])""")
        self.assertIn('kernels/ladder.h', {path for path, line in ran})
        for path, line in ran:
            self.assertRegex(line, r'[\[\]*=]|atomic|LANES_SUM', path)  # none is a brace or a comment
        self.page('fold', '-n', '8', '--device', 'sim')
        self.assertEqual(self.browser.find('.of-helper'), [])

    def test_a_step_with_a_hazard_says_so_among_the_steps(self):
        self.page('dot-naive', '-n', '8', '--block', '4', '--device', 'sim')
        titles = [title for name, title in self.stops()]
        self.assertRegex(titles[1], ': HOLDS, [0-9]+ hazards?$')
        self.assertRegex(titles[0], ': HOLDS$')
        self.assertEqual(len(self.browser.find('#stops .hazardous')), 1)
        self.assertEqual([name for name, title in self.stops()], ['0', '1\u26a0\ufe0e'])
        self.assertEqual(self.standing(), 'HOLDS')
        self.browser.press('!')
        self.assertEqual(self.round(), '1')
        self.assertIn('no step is violated; the first with a hazard: 1, round 1 of 1', self.said())
        self.assertRegex(self.standing(), '^HOLDS \u26a0 [0-9]+ hazards?: the run is VIOLATED$')
        over, picture = (self.browser.run("return document.querySelector('.frame.on ' + arguments[0]).getBoundingClientRect().top", e)
                         for e in ('.standing', 'svg'))
        self.assertLess(over, picture)

    def standing(self):
        return self.browser.run("return document.querySelector('.frame.on .standing').textContent")

    def sites(self):
        return self.browser.run("""return [...document.querySelectorAll('.of-kernel.on .site')]
            .map((l) => [Number(l.dataset.l), l.dataset.site])""")

    def test_the_places_of_hazards_are_marked_where_the_step_has_them(self):
        self.page('fold:wrong-half', '-n', '8', '--device', 'sim')
        seen = []
        for _ in range(4):
            seen.append(self.sites())
            self.browser.press('Right')
        places = [[], [[34, 'race: write, race: read']], [[34, 'race: write, race: read']], []]
        self.assertEqual(seen, places)  # of one thread, in the last round, nobody is in the way

    def test_the_names_of_the_kernels_parameters_are_told(self):
        for arguments, names in ((('dot-naive', '-n', '8', '--block', '4'), 'dot_naive; c is A'), (('fold', '-n', '8'), None)):
            self.page(*arguments, '--device', 'sim')
            self.browser.press('End')
            told = self.browser.run("return document.querySelector('.of-kernel.on summary').textContent")
            self.assertEqual(told.partition('; ')[2], names.partition('; ')[2] if names else '')

    def test_play_stops_at_what_is_violated_and_goes_on_from_there(self):
        self.page('fold:wrong-half', '-n', '8', '--device', 'sim')
        self.browser.press(*'++++++++', 'Space')
        self.wait_for_rest()
        self.assertEqual(self.round(), '1')
        self.assertEqual(self.said(), 'stopped: step 1 is violated; space plays on')
        self.browser.press('Space')
        self.wait_for_rest()
        self.assertEqual(self.round(), '3')

    def test_a_run_of_one_step_has_nothing_to_play(self):
        self.page('fold', '-n', '1', '--device', 'sim')
        self.assertTrue(self.browser.run("return document.getElementById('play').disabled"))
        self.page('fold', '-n', '2', '--device', 'sim')
        self.assertFalse(self.browser.run("return document.getElementById('play').disabled"))

    # ---- keys ----

    def test_every_key_does_what_the_help_says(self):
        self.page('fold', '-n', '8', '--device', 'sim')
        for key, then in (('Right', '1'), ('n', '2'), ('j', '3'), ('Right', '3'), ('Left', '2'), ('p', '1'), ('k', '0'),
                          ('Left', '0'), ('End', '3'), ('Home', '0'), ('G', '3'), ('<', '0'), ('>', '3'), ('Home', '0'),
                          ('s', '1'), ('.', '2'), (',', '1')):
            self.browser.press(key)
            self.assertEqual(self.round(), then, key)
        self.browser.press('2', 'g')
        self.assertEqual(self.round(), '2')
        self.browser.press('9', '9', 'g')
        self.assertEqual(self.round(), '3')
        self.browser.press('!')
        self.assertEqual(self.said(), 'no step is violated, and none has a hazard')
        self.browser.press('?')
        self.assertTrue(self.browser.run("return document.getElementById('help').open"))
        listed = self.browser.run("return [...document.querySelectorAll('#help kbd')].map((k) => k.textContent)")
        self.assertEqual(set(listed), {'\u2192', '\u2190', '\u2191', '\u2193', 'n', 'p', 'j', 'k', 's', ',', '[', ']', 'Shift', 'Home',
                                       'End', '<', '>', '2', 'g', 'space', '+', '-', '!', 'v', 'h', 'l', 'Enter', 'Esc',
                                       'T', '?'})
        self.browser.press('Escape')
        self.assertFalse(self.browser.run("return document.getElementById('help').open"))
        self.browser.press('T')
        self.assertEqual(self.browser.run('return document.documentElement.dataset.theme'), 'dark')

    def wait_for_rest(self):
        for _ in range(100):
            if self.browser.run("return document.getElementById('play').textContent") == 'play':
                break
            time.sleep(0.1)

    def test_space_plays_to_the_end_and_stops(self):
        self.page('fold', '-n', '8', '--device', 'sim')
        self.browser.press(*'++++++++')
        self.assertEqual(self.said(), 'speed 9 of 9')
        self.browser.press('Space')
        self.assertEqual(self.browser.run("return document.getElementById('play').textContent"), 'stop')
        self.wait_for_rest()
        self.assertEqual(self.round(), '3')
        self.browser.press('-')
        self.assertEqual(self.said(), 'speed 8 of 9')
        self.browser.press('Space', 'Left')
        self.assertEqual(self.browser.run("return document.getElementById('play').textContent"), 'play')

    def test_the_views_show_changes_and_what_is_expected(self):
        self.page('fold:wrong-half', '-n', '8', '--device', 'sim')
        self.browser.press('Right')
        names, labels, seen = [], [], {}
        for _ in range(4):
            name = self.browser.run("return document.getElementById('views').value")
            names.append(name)
            seen[name] = self.values()
            labels.append(self.browser.run("return [...document.querySelectorAll('.frame.on svg > .when')].at(-1).textContent"))
            self.browser.press('v')
        self.assertEqual(seen['values'], ['3', '5', '7', '9', '4', '5', '6', '7'])
        self.assertEqual(seen['expected'], ['4, not 3', '6, not 5', '8, not 7', '10, not 9', '4', '5', '6', '7'])
        self.assertEqual(labels, ['after', 'sets', 'changes', 'expected'])
        self.assertEqual(seen['changes'], ['0\u21923', '1\u21925', '2\u21927', '3\u21929', '', '', '', ''])
        self.assertEqual(seen['sets'], ['{0,3}', '{1,4}', '{2,5}', '{3,6}', '{4}', '{5}', '{6}', '{7}'])
        self.assertEqual(names, ['values', 'sets', 'changes', 'expected'])
        self.assertEqual(self.values(), seen['values'])

    def options(self):
        return self.browser.run("return [...document.querySelectorAll('#views option')].map((o) => o.value)")

    def above(self, row='.before'):
        return self.browser.run("return [...document.querySelectorAll('.frame.on ' + arguments[0] + ' .v')].map((v) => v.textContent)",
                                row)

    def test_the_view_can_be_chosen_in_a_menu(self):
        self.page('fold', '-n', '8', '--device', 'sim')
        self.assertEqual(self.options(), ['values', 'sets', 'changes', 'expected'])
        self.browser.press('Right')
        self.browser.run("const menu = document.getElementById('views'); menu.value = 'sets';"
                         "menu.dispatchEvent(new Event('change')); return 0")
        self.assertEqual(self.values()[:5], ['{0,4}', '{1,5}', '{2,6}', '{3,7}', '{4}'])
        self.page('puzzle-map', '-n', '4', '--device', 'sim')  # makes no sums
        self.assertEqual(self.options(), ['values', 'changes', 'expected'])

    def test_sets_stand_in_the_rows_above_too(self):
        self.page('fold', '-n', '8', '--device', 'sim', '--values', 'witness')
        self.browser.press('2', 'g')
        self.assertEqual(self.browser.run("return document.getElementById('views').value"), 'sets')
        after = ['{2,6}', '{3,7}', '{4}', '{5}', '{6}', '{7}']
        self.assertEqual(self.above(), ['{0,4}', '{1,5}', *after])
        self.assertEqual(self.values(), ['{0,2,4,6}', '{1,3,5,7}', *after])
        self.browser.press('n')
        self.assertEqual(self.values()[0], '{0..7}')
        self.browser.press('v', 'v', 'v')
        self.assertEqual(self.above()[:2], ['12', '16'])
        self.page('dot-shared', '-n', '8', '--block', '4', '--grid', '2', '--device', 'sim', '--values', 'witness')
        self.browser.press('s')
        self.assertEqual(self.above('[data-array="a"]'), ['{0}', '{1}', '{2}', '{3}', '', '', '', ''])
        self.browser.press('s')
        self.assertEqual(self.above(), ['{0}', '{1}', '{2}', '{3}'])
        self.assertEqual(self.values()[:2], ['{0,2}', '{1,3}'])
        self.browser.press('End')
        # The blocks' arrays as they were read first; what was folded into them since is another mark.
        self.assertEqual(self.above('.source'), [f'{{{k}}}' for k in range(8)])

    def test_a_trace_of_witness_values_shows_sets_from_the_start(self):
        path = os.path.join(self.folder.name, 'witness.ndjson')
        reductio('run', 'fold:wrong-half', '-n', '8', '--values', 'witness', '--device', 'sim', '--no-last', '--quiet', '--trace', path)
        self.page(path)
        self.assertEqual(self.options(), ['sets', 'changes', 'expected'])
        self.assertEqual(self.browser.run("return document.getElementById('views').value"), 'sets')
        ones = [f'{{{k}}}' for k in range(8)]
        self.assertEqual(self.values(), ones)
        self.browser.press('Right')
        self.assertEqual(self.above(), ones)
        self.assertEqual(self.values(), ['{0,3}', '{1,4}', '{2,5}', '{3,6}', *ones[4:]])
        self.browser.press('l', 'Enter')
        text = self.browser.run("return document.querySelector('.cellbox').innerText")
        self.assertIn('it holds {0,3}, and before {0}', text)
        self.assertIn('the invariant wants {0,4}', text)
        self.browser.press('v')
        self.assertEqual(self.values()[0], '{0}\u2192{0,3}')
        self.browser.press('v')
        self.assertEqual(self.values()[:5], ['{0,4}, not {0,3}', '{1,5}, not {1,4}', '{2,6}, not {2,5}', '{3,7}, not {3,6}', '?'])

    def test_enter_tells_what_is_in_the_cell_that_has_the_focus(self):
        self.page('fold:wrong-half', '-n', '8', '--device', 'sim')
        self.browser.press('Right', 'l', 'l', 'Down', 'h', 'Up', 'l', 'Enter')
        self.assertEqual(self.browser.run("return document.activeElement.dataset.i"), '1')
        text = self.browser.run("return document.querySelector('.cellbox').innerText")
        self.assertIn('A[1]', text)
        self.assertIn('it holds 5, and before 1', text)
        self.assertIn('the invariant wants 6', text)
        self.assertIn('wrong: 6 was expected', text)
        self.assertIn('inputs in it: {1,4}; there should be {1,5}', text)
        self.assertRegex(text, r'A\[1\] = 5 +\(round 1, thread 1 of block 0.*\)\s+\u2514 A\[1\] = 1 +\(input\)\s+\u2514 A\[4\] = 4 +\(input\)')
        self.browser.press('Right')  # the cell stays chosen
        self.assertIn('A[1]', self.browser.run("return document.querySelector('.cellbox').innerText"))
        self.browser.press('Escape')
        self.assertEqual(self.browser.find('.cellbox'), [])
        self.browser.click('.frame.on .after .cell')
        self.assertIn('A[0]', self.browser.run("return document.querySelector('.cellbox').innerText"))

    def test_the_brackets_show_one_thread_after_the_other(self):
        self.page('fold', '-n', '8', '--device', 'sim')
        self.browser.press('Right')
        arrows = self.browser.run("""return [...document.querySelectorAll('.frame.on .arrow')]
            .map((a) => [a.dataset.t, a.dataset.from, a.dataset.to])""")
        self.assertEqual(arrows, [[f'0.{t}', f'0.{k}', str(t)] for t in range(4) for k in (t, t + 4)])
        seen = []
        for key in (']', ']', 'Shift+Right', '[', 'Shift+Left', '['):
            self.browser.press(key)
            seen.append(self.browser.run("""return [document.querySelector('.threadbox')?.innerText ?? null,
                [...document.querySelectorAll('.frame.on .followed')].map((a) => a.dataset.from)]"""))
        zero = ['thread 0 of block 0 reads A[0] = 0, reads A[4] = 4, writes A[0] = 4', ['0.0', '0.4']]
        one = ['thread 1 of block 0 reads A[1] = 1, reads A[5] = 5, writes A[1] = 6', ['0.1', '0.5']]
        self.assertEqual(seen[:2] + seen[3:], [zero, one, one, zero, [None, []]])
        self.assertIn('thread 2 of block 0', seen[2][0])
        self.assertEqual(self.browser.run("return [...document.querySelectorAll('.of-kernel.on .ran')].map((l) => l.textContent.trim())"),
                         ['A[i] = OP(A[i], A[i + half]);'])
        self.browser.press('Home', ']')
        self.assertEqual(self.said(), 'of this step, no thread is known: nothing has run yet')
        self.assertTrue(self.browser.run("return document.getElementById('said').getBoundingClientRect().width > 50"))
        self.browser.press('Right')
        self.assertFalse(self.browser.run("return document.getElementById('said').getBoundingClientRect().width > 50"))

    def test_of_a_long_array_the_threads_of_the_shown_cells_are_told(self):
        self.page('fold:wrong-half', '-n', '4096', '--device', 'sim')
        self.browser.press('Right')
        self.assertEqual([line for line, site in self.sites()], [34])
        ran = self.browser.run("return [...document.querySelectorAll('.of-kernel.on .ran')].map((l) => l.dataset.l)")
        self.assertEqual(ran, ['34'])
        self.browser.press(']')
        self.assertEqual(self.browser.run("return document.querySelector('.threadbox').innerText"),
                         'thread 0 of block 0 reads A[0] = 0, reads A[2047] = 2047, writes A[0] = 2047')
        self.browser.press('[', '[')
        self.assertIn('thread 95 of block 0 reads A[95] = 95', self.browser.run("return document.querySelector('.threadbox').innerText"))
        self.browser.press('l', 'Enter')
        self.assertRegex(self.browser.run("return document.querySelector('.cellbox').innerText"), r'A\[2047\] = 2047 +\(input\)')
        text = self.browser.run("return document.querySelector('.frame.on').innerText")
        self.assertIn('no arrows are drawn of more than 1024 cells', text)
        for name, fill in (('wrong', 0), ('changed', 1), ('live', 2), ('dead', 3)):
            both = self.browser.run("""const fill = (e) => e && getComputedStyle(e).fill;
                const bar = document.querySelector(`.frame .stage .overview .${arguments[0]}`);
                return [fill(document.querySelectorAll('.frame.on .bars rect')[arguments[1]]), fill(bar)]""", name, fill)
            if name != 'changed':  # all that were are wrong
                self.assertEqual(*both, name)

    def test_buttons_do_what_keys_do(self):
        self.page('fold', '-n', '8', '--device', 'sim')
        for button, then in (('next', '1'), ('last', '3'), ('back', '2'), ('first', '0')):
            self.browser.click('#' + button)
            self.assertEqual(self.round(), then, button)
        self.browser.click('#stops li:nth-child(3) a')
        self.assertEqual(self.round(), '2')
        self.browser.click('#theme')
        self.assertEqual(self.browser.run('return document.documentElement.dataset.theme'), 'dark')
        self.browser.click('#keys')
        self.browser.click('#close')
        self.assertFalse(self.browser.run("return document.getElementById('help').open"))

    def stops(self):
        return self.browser.run("return [...document.querySelectorAll('#stops a')].map((a) => [a.textContent, a.title])")

    def test_each_step_has_a_button_with_its_number_and_name(self):
        self.page('dot-shared', '-n', '8', '--block', '4', '--grid', '1', '--device', 'sim')
        self.assertEqual(self.stops(), [['0', '0, step 0: initialization: HOLDS'],
                                        ['1.1', "1.1, round 1, block 0, w = 4: cache at 'sequential': HOLDS"],
                                        ['1.2', "1.2, round 1, block 0, w = 2: cache at 'sequential': HOLDS"],
                                        ['1.3', "1.3, round 1, block 0, w = 1: cache at 'sequential': HOLDS"],
                                        ['1', '1, round 1 of 1: dot_shared, n = 8: HOLDS']])
        for element in self.browser.find('#stops a'):
            self.assertRegex(self.browser.label(element), '^[0-9.]+, .*: HOLDS$')
        self.browser.click('#stops li:nth-child(3) a')
        self.assertEqual(self.values()[:2], ['68', '100'])
        self.page('fold', '-n', '8', '--device', 'sim')
        self.assertFalse(self.browser.run("return document.getElementById('steps').checkVisibility()"))

    def test_hundreds_of_steps_have_a_slider_and_a_menu(self):
        self.page('dot-shared', '-n', '2k', '--block', '16', '--grid', '24', '--device', 'sim')
        steps = self.browser.run('return moments.length')
        self.assertGreater(steps, 100)
        self.assertEqual([name for name, title in self.stops()], ['0', '1'])
        options = self.browser.run("return [...document.querySelectorAll('#place option')].map((o) => o.textContent)")
        self.assertEqual(len(options), steps)
        self.assertEqual(options[7], "1.7, round 1, block 1, w = 8: cache at 'sequential': HOLDS")
        self.assertEqual(self.browser.run("return [...document.querySelectorAll('#place optgroup')].map((g) => g.label)"),
                         ['start', 'round 1'])
        go = "const e = document.getElementById(arguments[0]); e.value = arguments[1]; e.dispatchEvent(new Event(arguments[2])); return at"
        self.assertEqual(self.browser.run(go, 'place', '7', 'change'), 7)
        self.assertEqual(self.browser.run("return document.querySelector('.frame.on h2').textContent"),
                         "round 1, block 1, w = 8: cache at 'sequential'")
        self.assertEqual(self.browser.run(go, 'step', '9', 'input'), 9)
        self.assertEqual(self.browser.run("return document.getElementById('place').value"), '9')
        self.assertEqual(self.browser.run("return document.getElementById('step').getAttribute('aria-valuetext')"), options[9])
        self.assertEqual(self.browser.run("return document.querySelector('#stops [aria-current]').textContent"), '1')
        self.browser.press('End')
        self.assertEqual(self.browser.run("return [document.getElementById('step').value, location.hash]"), [str(steps - 1), '#round=1'])

    def test_a_link_goes_to_its_round(self):
        path = self.page('fold', '-n', '8', '--device', 'sim')
        self.browser.open(path + '#round=2')
        self.assertEqual(self.round(), '2')
        self.browser.press('Right')
        self.assertEqual(self.browser.run('return location.hash'), '#round=3')
        self.browser.run("location.hash = '#round=1'; return 0")
        time.sleep(0.2)
        self.assertEqual(self.round(), '1')
        self.browser.open(path + '#round=99')
        self.assertEqual(self.browser.run('return location.hash'), '#round=3')

    def test_two_runs_go_side_by_side(self):
        self.page('fold', '-n', '8', '--device', 'sim', '--compare', 'tournament')
        self.browser.press('Right', 'Right')
        self.assertEqual(self.values(0), ['12', '16', '8', '10', '4', '5', '6', '7'])
        self.assertEqual(self.values(1), ['6', '1', '5', '3', '22', '5', '13', '7'])
        left, right = (self.browser.run("return document.getElementById('run' + arguments[0]).getBoundingClientRect().left", k)
                       for k in (0, 1))
        self.assertLess(left + 300, right)

    # ---- looks ----

    def check_picture(self, png):
        """It is a picture with something on it: of several colours, and none of them nearly all of it."""
        self.assertEqual(png[:8], b'\x89PNG\r\n\x1a\n')
        width, height = struct.unpack('>II', png[16:24])
        at, packed = 8, b''
        while at < len(png):
            size, = struct.unpack('>I', png[at:at + 4])
            if png[at + 4:at + 8] == b'IDAT':
                packed += png[at + 8:at + 8 + size]
            at += size + 12
        rows = zlib.decompress(packed)
        self.assertGreater(len(set(rows)), 50)
        self.assertGreater(len(packed), 20000)
        return width, height, zlib.crc32(rows)

    def test_each_theme_has_a_picture_of_its_own(self):
        path = self.page('fold:wrong-half', '-n', '8', '--device', 'sim')
        seen = set()
        for theme in ('light', 'dark'):
            self.browser.cdp('Emulation.setEmulatedMedia', features=[
                {'name': 'prefers-color-scheme', 'value': theme}, {'name': 'prefers-reduced-motion', 'value': 'reduce'}])
            self.browser.open(path + '#round=1')
            self.assertEqual(self.browser.run('return document.documentElement.dataset.theme'), theme)
            seen.add(self.check_picture(self.browser.screenshot()))
        self.assertEqual(len(seen), 2)

    def test_the_chart_of_times_has_the_colours_of_the_theme(self):
        path = self.page('fold', '-n', '64', '--device', 'sim', '--times')
        for theme, colour in (('light', 'rgb(10, 98, 171)'), ('dark', 'rgb(108, 184, 255)')):
            self.browser.cdp('Emulation.setEmulatedMedia', features=[
                {'name': 'prefers-color-scheme', 'value': theme}, {'name': 'prefers-reduced-motion', 'value': 'reduce'}])
            self.browser.open(path)
            self.assertEqual(self.browser.run("return getComputedStyle(document.querySelector('.times .rdp-s0')).color"),
                             colour)
            self.assertEqual(self.browser.run("return getComputedStyle(document.querySelector('.times .rdp-mark')).fill"),
                             colour)

    def test_no_screen_is_too_small_or_too_large(self):
        path = self.page('fold:wrong-half', '-n', '16', '--device', 'sim')
        for width, height in ((360, 740), (800, 1200), (1280, 800), (1920, 1080), (3840, 2160)):
            self.browser.cdp('Emulation.setDeviceMetricsOverride', width=width, height=height, deviceScaleFactor=1,
                             mobile=width < 500)
            self.browser.open(path + '#round=1')
            wide = self.browser.run('return document.documentElement.scrollWidth')
            self.assertLessEqual(wide, width)
            high = self.browser.run("return document.querySelector('.frame.on .v').getBoundingClientRect().height")
            self.assertGreater(high, 11, width)

    def cut(self, selector):
        """Whether something of it is beyond its right edge."""
        return self.browser.run("""const e = document.querySelector('.frame.on ' + arguments[0]);
            return e.scrollWidth > e.clientWidth + 1""", selector)

    def test_overviews_fit_side_by_side(self):
        path = self.page('fold', '-n', '2^12', '--device', 'sim', '--compare', 'tournament')
        for width, height in ((1280, 800), (1920, 1080)):
            self.browser.cdp('Emulation.setDeviceMetricsOverride', width=width, height=height, deviceScaleFactor=1, mobile=False)
            self.browser.open(path + '#round=1')
            self.assertFalse(self.cut('.stage'), width)

    def test_a_large_picture_leaves_room_for_its_claim(self):
        path = self.page('fold', '-n', '1024', '--device', 'sim')
        self.browser.cdp('Emulation.setDeviceMetricsOverride', width=1280, height=800, deviceScaleFactor=1, mobile=False)
        self.browser.open(path + '#round=1')
        high, bottom = self.browser.run('''const on = document.querySelector('.frame.on');
            return [on.querySelector('.stage').getBoundingClientRect().height, on.querySelector('.stage').scrollHeight]''')
        self.assertLess(high, 0.55 * 800)
        self.assertGreater(bottom, 800)  # the rest can be scrolled to

    def test_a_set_too_long_for_its_box_is_cut_at_its_end(self):
        self.page('fold:wrong-half', '-n', '8', '--device', 'sim', '--values', 'witness')
        self.browser.press('3', 'g')
        boxes = self.browser.run('''return [...document.querySelectorAll('.frame.on .after .cell')].map((cell) => {
            const text = cell.querySelector('.v').getBoundingClientRect(), box = cell.querySelector('rect').getBoundingClientRect();
            return [cell.querySelector('.v').textContent, box.bottom - text.bottom, box.right - text.right]})''')
        for text, below, beside in boxes:
            self.assertNotIn('…', text[:-1])
            self.assertGreater(below, -1, text)
            self.assertGreater(beside, -1, text)

    def test_on_a_phone_the_formula_and_eight_cells_are_whole(self):
        self.browser.cdp('Emulation.setDeviceMetricsOverride', width=390, height=844, deviceScaleFactor=1, mobile=True)
        for arguments in (('dot-shared', '-n', '16', '--block', '8', '--grid', '2'), ('tournament', '-n', '8'), ('fold', '-n', '8')):
            self.page(*arguments, '--device', 'sim')
            self.browser.press('s', 's')
            self.assertFalse(self.cut('.claim'), arguments)
            self.assertFalse(self.cut('.stage'), arguments)
            size = self.browser.run("return parseFloat(getComputedStyle(document.querySelector('.frame.on .claim')).fontSize)")
            self.assertGreaterEqual(size, 11)

    def test_without_scripts_every_round_is_there(self):
        self.browser.cdp('Emulation.setScriptExecutionDisabled', value=True)
        try:
            self.page('fold', '-n', '8', '--device', 'sim')
        finally:
            self.browser.cdp('Emulation.setScriptExecutionDisabled', value=False)
        shown = self.browser.run("return [...document.querySelectorAll('.frame')].filter((f) => f.offsetHeight > 100).length")
        self.assertEqual(shown, 4)

    def test_it_prints_one_round_a_page(self):
        self.page('fold', '-n', '8', '--device', 'sim')
        pdf = self.browser.pdf()
        pages = pdf.count(b'/Type /Page\n')
        self.assertGreaterEqual(pages, 5)  # the sources behind the four rounds
        self.assertLessEqual(pages, 8)
        self.page('fold', '-n', '8', '--device', 'sim', '--compare', 'tournament')
        self.browser.cdp('Emulation.setEmulatedMedia', media='print')
        try:
            begins = self.browser.run("""return ['display', 'breakBefore'].map((name) =>
                getComputedStyle(document.querySelector(name === 'display' ? '.two' : '.run + .run'))[name])""")
        finally:
            self.browser.cdp('Emulation.setEmulatedMedia', media='')
        self.assertEqual(begins, ['block', 'page'])

    def test_less_motion_where_it_is_asked_for(self):
        path = self.page('fold', '-n', '8', '--device', 'sim')
        self.browser.press('Right')
        self.assertEqual(self.browser.run('return document.getAnimations().length'), 0)
        self.browser.cdp('Emulation.setEmulatedMedia', features=[
            {'name': 'prefers-color-scheme', 'value': 'light'}, {'name': 'prefers-reduced-motion', 'value': 'no-preference'}])
        self.browser.open(path)
        self.browser.press('Right')
        self.assertGreater(self.browser.run('return document.getAnimations().length'), 0)

    # ---- who can use it ----

    def check_contrast(self, what):
        """Text stands out from what is behind it, as WCAG 2 asks for."""
        weak = self.browser.run(r"""
            const luminance = (rgb) => rgb.map((c) => c / 255).map((c) => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
                .reduce((sum, c, k) => sum + c * [0.2126, 0.7152, 0.0722][k], 0);
            const parse = (color) => { const p = color.match(/[\d.]+/g).map(Number); return {rgb: p.slice(0, 3), alpha: p[3] ?? 1}; };
            const behind = (element) => {
                if (element.matches('.bang')) // stands on its flag
                    return parse(getComputedStyle(element.parentElement.querySelector('.flag')).fill).rgb;
                if (element.closest('.cell'))
                    return parse(getComputedStyle(element.closest('.cell').querySelector('rect')).fill).rgb;
                for (let e = element; e; e = e.parentElement) {
                    const color = parse(getComputedStyle(e).backgroundColor);
                    if (color.alpha > 0.5) return color.rgb;
                }
                return [255, 255, 255];
            };
            const weak = [];
            for (const element of document.querySelectorAll('body *')) {
                const own = [...element.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim());
                if (!own || !element.checkVisibility() || element.matches('script, style, title, :disabled') || element.closest('.unseen'))
                    continue;
                const style = getComputedStyle(element), svg = element.namespaceURI.endsWith('svg');
                const size = parseFloat(style.fontSize) * (svg ? element.getScreenCTM().a : 1);
                const large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
                const [x, y] = [luminance(parse(svg ? style.fill : style.color).rgb), luminance(behind(element))].sort((p, q) => q - p);
                const ratio = (x + 0.05) / (y + 0.05);
                if (ratio < (large ? arguments[1] : arguments[0]))
                    weak.push(`${element.tagName}.${element.className.baseVal ?? element.className} "${element.textContent.slice(0, 20)}" ${ratio.toFixed(2)}`);
            }
            return weak;""", NORMAL_CONTRAST, LARGE_CONTRAST)
        self.assertEqual(weak, [], what)

    def check_names(self, what):
        """Whatever can be used has a role and a name."""
        for selector, role in (('button', 'button'), ('a', 'link'), ('input', 'slider'), ('nav', 'navigation'),
                               ('main', 'main'), ('.run', 'region'), ('.frame.on', 'article'), ('summary', None),
                               ('.frame.on .after .cell', 'button'), ('.frame.on svg', 'group'), ('pre', None)):
            for element in self.browser.find(selector):
                if not self.browser.run('return arguments[0].checkVisibility()', {webdriver.ELEMENT: element}):
                    continue
                if selector != 'main':
                    self.assertNotEqual(self.browser.label(element).strip(), '', (what, selector))
                if role:
                    self.assertEqual(self.browser.role(element), role, (what, selector))
        lost = self.browser.run("""
            const ids = [...document.querySelectorAll('[id]')].map((e) => e.id);
            const wanted = [...document.querySelectorAll('[aria-labelledby], [for]')]
                .flatMap((e) => [e.getAttribute('aria-labelledby'), e.getAttribute('for')]).filter(Boolean);
            return [ids.filter((id, k) => ids.indexOf(id) !== k), wanted.filter((id) => !ids.includes(id))]""")
        self.assertEqual(lost, [[], []], what)
        self.assertEqual(self.browser.run("return document.documentElement.lang"), 'en')

    def check_axe(self, what):
        path = os.environ.get('RD_TEST_AXE')
        if not path or not os.path.exists(path):
            return
        with open(path, encoding='utf-8') as file:
            self.browser.run(file.read() + '; return 0')
        found = self.browser.ask('POST', '/execute/async', {'args': [], 'script': """
            const done = arguments[arguments.length - 1];
            axe.run().then((r) => done(r.violations.map((v) => `${v.id}: ${v.nodes.map((n) => n.target).join(' ')}`)));"""})
        self.assertEqual(found, [], what)

    def test_it_can_be_used_with_a_keyboard_and_a_screen_reader(self):
        for arguments in (('fold:wrong-half', '-n', '8'), ('fold', '-n', '8', '--compare', 'tournament'),
                          ('dot-shared', '-n', '8', '--block', '4', '--grid', '1')):
            self.page(*arguments, '--device', 'sim')
            self.browser.press('Right', 'l', 'Enter')
            for theme in ('light', 'dark'):
                self.assertEqual(self.browser.run('return document.documentElement.dataset.theme'), theme)
                self.check_contrast((arguments, theme))
                self.check_axe((arguments, theme))
                self.browser.press('T')
            self.check_names(arguments)

    def test_each_step_is_said_aloud(self):
        self.page('fold:wrong-half', '-n', '8', '--device', 'sim')
        self.browser.press('Right')
        self.assertEqual(self.said(), 'round 1 of 3: fold_wrong_half, half = 4: VIOLATED, 1 hazard')
        self.assertEqual(self.browser.role(self.browser.find('#said')[0]), 'status')

    def test_a_request_is_refused_by_the_page_itself(self):
        self.quiet = False
        self.page('fold', '-n', '8', '--device', 'sim')
        caught = self.browser.ask('POST', '/execute/async', {'args': [], 'script': """
            const done = arguments[arguments.length - 1];
            document.addEventListener('securitypolicyviolation', (event) => done(event.effectiveDirective));
            const image = new Image();
            image.src = 'https://127.0.0.1:1/x.png';
            document.body.append(image);
            setTimeout(() => done('nothing'), 3000);"""})
        self.assertEqual(caught, 'img-src')
        self.browser.log('performance')


if __name__ == '__main__':
    if webdriver.missing():
        print(f'skipped: there is no {webdriver.missing()}')
        sys.exit(77)
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]])
