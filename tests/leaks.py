# SPDX-License-Identifier: MIT
"""Under the address sanitizer, leaks are looked for in the first starts of each command: the look takes as long as the start
itself, and finds in the hundredth what it found in the first ones."""
import collections

STARTS = 5  # of each command of a test's file
starts = collections.Counter()


def looked_for(environment, arguments):
    """The environment of one start of reductio, with these arguments."""
    command = arguments[0] if arguments else ""
    starts[command] += 1
    if "ASAN_OPTIONS" in environment and starts[command] > STARTS:
        return {**environment, "ASAN_OPTIONS": environment["ASAN_OPTIONS"] + ":detect_leaks=0"}
    return environment
