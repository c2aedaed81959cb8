#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs a program on a kernel that lacks some system calls: they fail, by a filter of seccomp's.

usage: without_calls.py ERRNO NUMBER[,NUMBER]... -- PROGRAM [ARGUMENT]..."""

import ctypes
import os
import struct
import sys

LIBC = ctypes.CDLL(None, use_errno=True)


def main():
    error, calls = int(sys.argv[1]), [int(number) for number in sys.argv[2].split(",")]
    code = [(0x20, 0, 0, 0)]  # the number
    for call in calls:
        code += [(0x15, 0, 1, call), (0x06, 0, 0, 0x00050000 | error)]
    code.append((0x06, 0, 0, 0x7FFF0000))
    text = b"".join(struct.pack("HBBI", *one) for one in code)
    buffer = ctypes.create_string_buffer(text)
    program = struct.pack("HxxxxxxP", len(code), ctypes.addressof(buffer))
    if LIBC.prctl(38, 1, 0, 0, 0) != 0 or LIBC.prctl(22, 2, ctypes.create_string_buffer(program), 0, 0) != 0:
        sys.exit("no filter: " + os.strerror(ctypes.get_errno()))
    program = sys.argv[sys.argv.index("--") + 1:]
    os.execvp(program[0], program)


main()
