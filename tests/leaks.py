# SPDX-License-Identifier: MIT
"""Under the address sanitizer, leaks are looked for in the first starts of each command with the same options: the look takes as
long as the start itself."""
import collections

STARTS = 2  # of each command with the same options, in a test's file
starts = collections.Counter()


def with_detection(environment, arguments):
    """The environment of one start of reductio, with these arguments."""
    words = [str(word) for word in arguments]
    kind = (*words[:1], *sorted({word.partition("=")[0] for word in words[1:] if word.startswith("-")}))
    starts[kind] += 1
    if "ASAN_OPTIONS" in environment and starts[kind] > STARTS:
        return {**environment, "ASAN_OPTIONS": environment["ASAN_OPTIONS"] + ":detect_leaks=0"}
    return environment
