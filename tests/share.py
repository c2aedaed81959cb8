#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Names the tests of one share of a build's: of SHARES shares, which have each test once, that of this number.

usage: share.py BUILD SHARES NUMBER [LEFT_OUT_SUITE ...]

NUMBER is taken modulo SHARES.
"""
import json
import subprocess
import sys


def share(tests, shares, number, left_out):
    """The tests' names, every SHARES-th in their order: neighbours are alike, and fall into different shares."""
    names = [test["name"] for test in tests if not left_out & {suite.rpartition(":")[2] for suite in test["suite"]}]
    return sorted(names)[number % shares::shares]


def main():
    build, shares, number, *left_out = sys.argv[1:]
    tests = subprocess.run(["meson", "introspect", "--tests", build], check=True, stdout=subprocess.PIPE).stdout
    print(*share(json.loads(tests), int(shares), int(number), set(left_out)))


if __name__ == "__main__":
    main()
