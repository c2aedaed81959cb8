#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes the parts of the HTML page as C strings, and the page's Content-Security-Policy, which lets it
run and look by these parts alone and ask for nothing: page.py OUTPUT PAGE.html PICTURE.css PLOT.css PAGE.css SCRIPT.js...
"""
import base64
import hashlib
import sys


def read(path):
    with open(path, encoding='utf-8') as file:
        return file.read()


def literal(name, text):
    lines = [f'const char {name}[] =']
    for line in text.splitlines(keepends=True) or ['']:
        line = line.replace('\\', '\\\\').replace('"', '\\"').replace('\n', '\\n').replace('?', '\\?')
        lines.append(f'    "{line}"')
    return '\n'.join(lines) + ';\n'


def source(text):
    return "'sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() + "'"


def main():
    output, page, picture, plot, style, *scripts = sys.argv[1:]
    picture, style = read(picture), read(plot) + read(style)
    script = ''.join(read(path) for path in scripts)
    if '</' in script or '</' in picture + style:
        sys.exit('page.py: "</" would end the element')
    style = '\n' + picture + style
    script = '\n' + script
    policy = (f"default-src 'none'; script-src {source(script)}; style-src {source(style)}; "
              "img-src data:; base-uri 'none'; form-action 'none'")
    with open(output, 'w', encoding='utf-8') as file:
        file.write('/* Made by tools/page.py. */\n#include "view/report/picture.h"\n\n')
        file.write(literal('rd_report_page', read(page)))
        file.write(literal('rd_report_picture_css', '\n' + picture))
        file.write(literal('rd_report_style', style))
        file.write(literal('rd_report_script', script))
        file.write(literal('rd_report_policy', policy))


if __name__ == '__main__':
    if len(sys.argv) < 7:
        sys.exit(__doc__)
    main()
