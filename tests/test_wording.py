#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Messages say one thing in one way: see CONTRIBUTING.md. usage: test_wording.py SRC"""

import pathlib
import re
import sys
import unittest

SRC = pathlib.Path(sys.argv.pop(1))

# Words that are refused, and those to use instead.
INSTEAD = {
    r"\bcannot\b|\bcan not\b": "can't",
    r"\bout of memory for\b|^out of memory$|\bnot enough memory\b": "no memory for SOMETHING",
    r"^can't \w+ ": "the subject first: 'FILE' can't be written",
}


class WordingTest(unittest.TestCase):
    def test_messages_keep_to_the_words(self):
        files = list(SRC.rglob("*.c"))
        self.assertGreater(len(files), 50)
        for path in files:
            code = re.sub(r"/\*.*?\*/", "", path.read_text(encoding="utf-8"), flags=re.S)
            for text in re.findall(r'"((?:[^"\\\n]|\\.)*)"', code):
                for pattern, better in INSTEAD.items():
                    self.assertIsNone(re.search(pattern, text), f"{path}: '{text}': {better}")


if __name__ == "__main__":
    unittest.main()
