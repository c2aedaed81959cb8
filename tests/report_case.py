# SPDX-License-Identifier: MIT
"""Base of tests of the page that `reductio report` writes: TEST.py REDUCTIO TRACES-FOLDER [PART...]"""
import html
import html.parser
import os
import re
import subprocess
import sys
import tempfile
import unittest

import leaks
from patience import WAIT_S

REDUCTIO, TRACES = map(os.path.abspath, sys.argv[1:3])
HOSTILE = '</script><img src=x onerror=alert(1)>"\' --><!-- \u2028\u0007&lt;{{data}}'
VOID = {'meta', 'link', 'input', 'br', 'img'}
BYTES_MAX = 32 << 20
SVG = '{http://www.w3.org/2000/svg}'


class Parsed(html.parser.HTMLParser):
    """A page's elements; complains where they are not nested as they should be."""

    def __init__(self, text):
        super().__init__()
        self.open, self.elements, self.texts, self.wrong = [], [], [], []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.wrong.append((tag, self.getpos()))

    def handle_data(self, data):
        self.texts.append((self.open[-1] if self.open else '', data))

    def text(self):
        return ''.join(text for tag, text in self.texts if tag not in ('script', 'style'))


class Report(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory(prefix='reductio-report-')
        self.addCleanup(self.folder.cleanup)
        self.path = os.path.join(self.folder.name, 'page.html')

    def reductio(self, *arguments, env=None):
        environment = {**os.environ, 'XDG_STATE_HOME': self.folder.name, **(env or {})}
        return subprocess.run([REDUCTIO, *arguments], capture_output=True, timeout=WAIT_S, check=False,
                              env=leaks.with_detection(environment, arguments))

    def report(self, *arguments):
        made = self.reductio('report', *arguments, '-o', self.path)
        self.assertEqual((made.returncode, made.stdout), (0, b''), arguments)
        with open(self.path, encoding='utf-8') as file:
            text = file.read()
        # Nothing is said but what a page says, too: that a trace is less than a whole run.
        note = re.fullmatch(r"(reductio: note: '.*' tells less than a whole run: (?P<why>.*)\n)?", made.stderr.decode(), re.S)
        self.assertIsNotNone(note, (arguments, made.stderr))
        self.assertIn(note['why'] or '', html.unescape(text), arguments)
        return text

    def refused(self, *arguments, env=None):
        made = self.reductio('report', *arguments, env=env)
        self.assertEqual(made.returncode, 2, arguments)
        return made.stderr.decode()
