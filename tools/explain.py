#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Turns the comments that start with `/* explain: PROGRAM` into a C table of texts.

usage: explain.py OUTPUT.c INPUT.c...

So `reductio explain` prints the very comment that stands over the invariant. A line `{law}`, or `{law POINT}`, of it is printed
as what the program's paragraph says there.
"""
import re
import sys

PLACEHOLDER = re.compile(r" +\{law(?: \w+)?\}")
HEADING = re.compile(r"Statement|Worked example.*|Initialization|Preservation|Variant|Exit|What this shows|Floats|A weaker invariant|"
                     r"Cost|What is wrong|The claim|The cure")
COMMENT = re.compile(r"/\* explain: (\S+)\n(.*?)\*/", re.DOTALL)


def c_string(text):
    lines = text.splitlines(keepends=True)
    escaped = (line.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") for line in lines)
    return "\n".join(f'     "{line}"' for line in escaped)


def body(comment):
    lines = [re.sub(r"^ \*( |$)", "", line.rstrip()) for line in comment.splitlines()]
    return "\n".join(lines).strip("\n") + "\n"


def check(name, text):
    """A line that has lost its indentation means that something has reflowed the comment. The first
    paragraph has none. A law's place is a line of its own."""
    for line in text.splitlines():
        if "{law" in line and not PLACEHOLDER.fullmatch(line):
            sys.exit(f"explain: {name}: '{{law}}' or '{{law POINT}}' expected as a line of its own: '{line}'")
    for line in text.partition("\n\n")[2].splitlines():
        if line and not line.startswith("    ") and not HEADING.fullmatch(line):
            sys.exit(f"explain: {name}: a line that is neither indented nor a heading: '{line}'")


def main(output, inputs):
    entries = []
    for path in inputs:
        with open(path, encoding="utf-8") as source:
            for name, comment in COMMENT.findall(source.read()):
                check(name, body(comment))
                entries.append(f'    {{"{name}",\n{c_string(body(comment))}}},\n')
    with open(output, "w", encoding="utf-8") as target:
        target.write('/* Made by tools/explain.py. */\n#include "program/explain.h"\n\n')
        target.write("const struct rd_explanation rd_explanations[] = {\n")
        target.writelines(entries)
        target.write("    {0, 0},\n};\n")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
