#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes the manual page of a subcommand, in scdoc: what the whole page, reductio.1.scd, says of it.

man.py REDUCTIO.1.SCD MAIN.C COMMAND OUTPUT     MAIN.C: has the program's help, which says in a line what a command does
man.py REDUCTIO.1.SCD                          prints the commands
"""
import pathlib
import re
import sys

# The sections of the whole page that a command's page has behind its description.
SECTIONS = {
    "run": ["OPTIONS OF RUN", "READING THE OUTPUT", "CHECKPOINTS", "WITNESS VALUES", "LAWS OF YOUR OWN", "ANNOTATIONS", "WHOLE PROGRAMS",
            "WHOLE PROGRAMS ON A GPU", "HAZARDS ON A GPU", "RESULTS"],
    "step": ["STEPPING"],
    "verify": ["RESULTS"],
    "judge": ["LAWS OF YOUR OWN"],
    "prove": ["PROOFS"],
    "report": ["OPTIONS OF REPORT", "PAGE"],
    "check": ["OPTIONS OF CHECK", "CONTAINMENT", "LAUNCHES IN KERNELS", "STATUS OF CHECK", "JSON OF CHECK", "RESULTS", "HAZARDS",
              "WHAT IS DETECTED", "SCHEDULES"],
    "new": ["ANNOTATIONS"],
}
# These apply to all of them but to check, which has its own.
COMMON = ["EXIT STATUS", "ENVIRONMENT"]


def sections_of(page):
    """{title: text} of the sections of the first level."""
    parts = re.split(r"^# (.*)\n", page, flags=re.M)
    return dict(zip(parts[1::2], parts[2::2]))


def items_of(commands):
    """{command: [(heading, text)]} of the section COMMANDS, where an item is indented under its heading."""
    items = {}
    for heading, text in re.findall(r"^(\*[a-z]+\*[^\n]*)\n((?:\t[^\n]*\n|\n(?=\t))+)", commands, re.M):
        items.setdefault(heading[1:heading.index("*", 1)], []).append((heading, text))
    return items


def summary_of(command, main_c):
    return re.search(rf'"  {command}\b.*?  +(.*?)\\n"', main_c)[1]


def without_others(command, text):
    """The section without the paragraphs that are of the exit status of another command alone."""
    return "\n\n".join(paragraph for paragraph in text.split("\n\n")
                       if not (told := re.match(r"\*(report)\* says nothing|Of several traces, \*(verify)\*", paragraph.lstrip("\n")))
                       or command in told.groups())


def page_of(command, page, main_c):
    sections = sections_of(page)
    items = items_of(sections["COMMANDS"])[command]
    synopsis = re.findall(rf"^\*reductio\* \*{command}\*.*?$", sections["SYNOPSIS"], re.M)
    out = [f"reductio-{command}(1)", "", "# NAME", "", f"reductio-{command} - {summary_of(command, main_c)}", "", "# SYNOPSIS", "",
           re.sub(r"\+\+$", "", "\n".join(synopsis)), "", "# DESCRIPTION", ""]
    for heading, text in items:
        body = re.sub(r"^\t", "", text, flags=re.M).rstrip("\n")
        out += [f"*reductio* {heading}", "", body, ""] if len(items) > 1 else [body, ""]
    for title in SECTIONS.get(command, []) + [title for title in COMMON if command != "check" or title != "EXIT STATUS"]:
        out += [f"# {title}", without_others(command, sections[title]).rstrip("\n"), ""]
    out += ["# SEE ALSO", "", "*reductio*(1), which has it all: sections named here and not found are there."]
    return "\n".join(out) + "\n"


def main():
    page = pathlib.Path(sys.argv[1]).read_text(encoding="utf-8")
    if len(sys.argv) == 2:
        print("\n".join(items_of(sections_of(page)["COMMANDS"])))
    else:
        main_c = pathlib.Path(sys.argv[2]).read_text(encoding="utf-8")
        pathlib.Path(sys.argv[4]).write_text(page_of(sys.argv[3], page, main_c), encoding="utf-8")


if __name__ == "__main__":
    main()
