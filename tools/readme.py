#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks that the sessions in a Markdown file, or in a man page's source, are what the program really prints.

usage: readme.py REDUCTIO FILE [--write]

Each ```console block, or ``` block that begins so, holds commands, `$ reductio …`, and under each what it prints. A
line `...` stands for any number of lines. In a man page's source a backslash is written twice. With --write, blocks
without `...` are brought up to date instead. The commands see the present folder, and what they write is not left in it.
"""
import os
import re
import subprocess
import sys
import tempfile

BLOCK = re.compile(r"(```(?:console)?\n)(?=\$ (?:reductio|printf|echo) )(.*?)(```)", re.DOTALL)


def shadow(folder):
    """A folder that has what the present one has, to write into."""
    work = os.path.join(folder, "work")
    os.mkdir(work)
    for name in os.listdir("."):
        os.symlink(os.path.abspath(name), os.path.join(work, name))
    return work


def run(program, command, folder, work):
    environment = dict(os.environ, COLUMNS="80", XDG_STATE_HOME=folder, NO_COLOR="1")
    shell = command.replace("reductio ", f"'{program}' ", 1)
    return subprocess.run(
        shell, shell=True, cwd=work, capture_output=True, text=True, env=environment, timeout=60, check=False
    )


def sessions(block):
    command, expected = None, []
    for line in block.splitlines():
        if line.startswith("$ "):
            if command:
                yield command, expected
            command, expected = line[2:], []
        else:
            expected.append(line)
    if command:
        yield command, expected


def matches(expected, actual):
    pattern = "".join(r"(?:.*\n)*?" if e == "..." else re.escape(e) + "\n" for e in expected)
    return re.fullmatch(pattern, actual) is not None


def main(arguments):
    write = "--write" in arguments
    program, path = [a for a in arguments if a != "--write"]
    program = os.path.abspath(program)
    with open(path, encoding="utf-8") as source:
        text = source.read()
    wrong = 0
    backslash = "\\\\" if path.endswith(".scd") else "\\"

    def visit(match):
        nonlocal wrong
        lines = []
        with tempfile.TemporaryDirectory() as folder:
            work = shadow(folder)
            for command, expected in sessions(match.group(2).replace(backslash, "\\")):
                done = run(program, command, folder, work)
                actual = done.stdout + done.stderr
                if not matches(expected, actual):
                    wrong += 1
                    print(f"not what it prints: {command}\n{actual}")
                lines.append(f"$ {command}\n")
                lines.append("\n".join(expected) + "\n" if "..." in expected else actual)
        return match.group(1) + "".join(lines).replace("\\", backslash) + match.group(3)

    updated, count = BLOCK.subn(visit, text)
    if count == 0:
        print(f"no console block in {path}")
        return 1
    if write:
        with open(path, "w", encoding="utf-8") as target:
            target.write(updated)
        return 0
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
