# SPDX-License-Identifier: MIT
"""Base of tests of the page of `reductio report` in a browser: TEST.py REDUCTIO [PART...]

The page may load nothing from elsewhere, and the browser's console must stay empty."""
import json
import os
import subprocess
import sys
import tempfile
import unittest

from patience import WAIT_S
import webdriver

REDUCTIO = sys.argv[1]


def reductio(*arguments):
    return subprocess.run([REDUCTIO, *arguments], capture_output=True, text=True, timeout=WAIT_S, check=False)


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


def run():
    """The tests, if there is a browser."""
    if webdriver.missing():
        print(f'skipped: there is no {webdriver.missing()}')
        sys.exit(77)
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]])
