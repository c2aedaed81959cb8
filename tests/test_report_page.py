#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The page of `reductio report` in a browser: test_report_page.py REDUCTIO [PART...]

Each step's cells are compared with the trace of the same run; every key is pressed. Exits 77 where there is no browser."""
import os
import re
import time

from page_case import Page, reductio, run


class Steps(Page):
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
        """Splits the stepper's words on obligations, one each; two that have one reason are joined by a comma."""
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
            .map((l) => l.textContent)""")

    def test_the_sentence_of_the_claim_is_marked_in_the_law(self):
        self.page('fold:wrong-half', '-n', '8', '--device', 'sim')
        for step in range(2):
            self.assertEqual(self.claimed(), ['law for 0 <= i < w: A[i] = sum of a[j], j mod w = i'])
            self.assertEqual(self.browser.find('.claimed.broke') != [], step == 1)
            self.browser.press('s')
        self.page('dot-shared', '-n', '8', '--block', '4', '--grid', '1', '--device', 'sim')
        for words in ('law when d = 0: for 0 <= i < B: A[i] = 0', 'law for 0 <= i < min(w, T): cache[i] = sum of x[block][t]'):
            self.assertIn(words, self.claimed()[0])
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

    def await_equal(self, read, wanted):
        """For what a link has done: the page hears of the change of its address a little later."""
        for _ in range(100):
            if read() == wanted:
                break
            time.sleep(0.1)
        self.assertEqual(read(), wanted)

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
        self.await_equal(self.round, '2')
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
        self.await_equal(lambda: self.values()[:2], ['68', '100'])
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


if __name__ == '__main__':
    run()
