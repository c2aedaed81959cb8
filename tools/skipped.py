#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Names the tests that the last `meson test` of a build folder skipped or left out, why, and what would run them.

skipped.py BUILD

A quick run leaves out the suite `thorough`, takes a part of each sweep, and skips cases that take long.
A test that is skipped prints `skipped:` and what is missing; of one that runs in part, unittest counts the skipped cases.
"""
import json
import pathlib
import re
import subprocess
import sys
import textwrap

# Missing things, as the tests name them, and the cure.
CURES = [
    (r"device 'cuda'|GPU", "a machine with an NVIDIA GPU and nvcc runs them: ./check -Dcuda=enabled"),
    (r"nvcc", "the CUDA Toolkit runs them: ./check -Dcuda=enabled"),
    (r"tmux|chrom|z3|cvc5|coqc|zsh|fish|rsvg|tidy", "./check --all installs what they need"),
    (r"screen in this build", "libncurses-dev, and a new build folder"),
    (r"libclang", "libclang-dev, and a new build folder"),
    (r"jsonschema", "python3-jsonschema"),
]


def cure(reason):
    return next((text for pattern, text in CURES if re.search(pattern, reason)), "see the log in build/meson-logs")


def left_out(build, names):
    """The tests of the suite `thorough` that were not run."""
    tests = json.loads(subprocess.run(["meson", "introspect", "--tests", build], check=True, stdout=subprocess.PIPE).stdout)
    return sorted(test["name"] for test in tests
                  if any(suite.endswith(":thorough") for suite in test["suite"]) and test["name"] not in names)


def main():
    # Each setup of tests has a log of its own.
    log = max((pathlib.Path(sys.argv[1]) / "meson-logs").glob("testlog*.json"), key=lambda path: path.stat().st_mtime)
    skipped, in_part = {}, []
    tests = [json.loads(line) for line in log.read_text(encoding="utf-8", errors="replace").splitlines()]
    for test in tests:
        name = test["name"].rpartition(" / ")[2]
        output = test.get("stdout", "") + test.get("stderr", "")
        if test["result"] == "SKIP":
            reason = re.search(r"skipped: (.*)", output)
            skipped.setdefault(cure(reason[1] if reason else ""), []).append(name)
        elif cases := re.search(r"^OK \(.*skipped=(\d+)", output, re.M):
            in_part.append(f"{name} ({cases[1]})")
    fill = textwrap.TextWrapper(width=96, initial_indent="    ", subsequent_indent="    ", break_on_hyphens=False)
    for text, names in sorted(skipped.items()):
        print(f"reductio: {len(names)} of {len(tests)} tests were skipped; {text}:")
        print(fill.fill(" ".join(names)))
    out = left_out(sys.argv[1], {test["name"].rpartition(" / ")[2] for test in tests})
    if out:
        print(f"reductio: {len(out)} tests, which take most of the time, were left out, and of sweeps a few cases were run; "
              "./check --all runs all:")
        print(fill.fill(" ".join(out)))
    if in_part:
        print("reductio: cases were skipped in these tests, so many; ./check --all runs them, and installs what most of them need:")
        print(fill.fill(" ".join(in_part)))


if __name__ == "__main__":
    main()
