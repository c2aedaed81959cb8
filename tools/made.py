# SPDX-License-Identifier: MIT
"""Files that the build makes."""
import os


def write(path, text):
    """Writes the file, unless it is so already: what includes it isn't compiled anew then."""
    if os.path.exists(path):
        with open(path, encoding='utf-8') as file:
            if file.read() == text:
                return
    with open(path, 'w', encoding='utf-8') as file:
        file.write(text)
