#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Looks of the page of `reductio report`, and its accessibility: test_report_looks.py REDUCTIO [PART...]

Where RD_TEST_AXE names the file axe.min.js of axe-core, it checks the page for accessibility as well as the checks here do.
Exits 77 where there is no browser."""
import os
import struct
import zlib

import webdriver

from page_case import Page, run

NORMAL_CONTRAST, LARGE_CONTRAST = 4.5, 3.0  # WCAG 2, success criterion 1.4.3


class Looks(Page):
    # ---- looks ----

    def check_picture(self, png):
        """Asserts that the picture is not empty: it has several colours, none of which fills nearly all of it."""
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
        """Tells whether some of the element lies beyond its right edge."""
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
        """Asserts that each control and landmark has a role and a name."""
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
    run()
