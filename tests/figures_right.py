# SPDX-License-Identifier: MIT
"""Figures of the right programs, besides their counts (test_counts.c), heights (test_heights.c), worked examples
(test_texts_examples.py) and bounds (test_underflow.py)."""

import re
import struct

from figures import accesses, calculated, explained, figure, made, run


def to_float(value):
    return struct.unpack("f", struct.pack("f", value))[0]


@figure("dot-partial", r"With (\d+) blocks of (\d+) threads and (2\^20) products of (\.5) and (2), each cell is "
        r"(\d+)\.")
def cells_of_a_constant(grid, block, n, a, b, _):
    # .5 * 2 is 1 * 1, and exact.
    done = run("dot-partial", n=calculated(n), block=block, grid=grid, values="ones", **{"trace-cells": grid * block})
    assert a * b == 1 and len(done.cells) == grid * block
    [cell] = set(done.cells)
    return grid, block, n, a, b, int(cell)


@figure("dot-cpu", r"A float that has come to (2\^24) stays there when ones are added")
def float_that_stays(power):
    limit = calculated(power)
    assert to_float(limit + 1) == limit and to_float(limit - 1 + 1) == limit and to_float(limit - 1) != limit
    return (power,)


@figure("dot-cpu", r"from n\*u = 1 on, which is n = (2\^24) for f32")
def rounding_unit(power):
    unit = 1.0
    while to_float(1 + unit) != 1: # half the distance from 1 to the next float, a tie, goes to 1
        unit /= 2
    assert calculated(power) * unit == 1
    return (power,)


@figure("puzzle-matmul", r"where it would make 2n by itself: with n = (\d) and T = (\d) it is (\d+) instead of "
        r"(\d+)\.")
def reads_with_and_without_tiles(n, block, *_):
    with_tiles, without = ({len(cells) for cells in made(accesses(program, n=n, block=block), "reads", ["a", "b"]).values()}
                           for program in ("puzzle-matmul", "puzzle-matmul:no-tiles"))
    return n, block, max(with_tiles), max(without)


@figure("ladder-warp-shuffle", r"(five) fewer from (\d+) threads on")
def fewer_barriers(five, _):
    def barriers(program, formula, block):
        """As test_counts.c compares it with runs."""
        assert formula + " barriers" in re.sub(r"\s+", " ", explained(program)), formula
        return eval(formula, {"ceil": lambda x: x, "log2": lambda x: (x - 1).bit_length(), "max": max, "T": block})
    fewer = {block: barriers("ladder-sequential", "1 + ceil(log2(T))", block) -
             barriers("ladder-warp-shuffle", "1 + max(0, ceil(log2(T)) - 5)", block) for block in range(1, 1025)}
    return max(fewer.values()), min(block for block in fewer if fewer[block] == five)


@figure("puzzle-blocks2d", r"n = (\d), (\d) x (\d) blocks of (\d) x (\d), .* rows 0 \.\. (\d) of columns 0 \.\. "
        r"(\d): (\d) threads at work .* rows 0 \.\. \d of columns (\d) \.\. (\d): (\d) .* columns 0 \.\. \d: (\d) "
        r".* rows (\d) \.\. (\d) of columns \d \.\. \d: (\d) A = (\d+) everywhere: (\d+) of (\d+) threads")
def threads_at_work(n, _, __, block, *___):
    done = run("puzzle-blocks2d", n=n, block=block, values="ones")
    written = made(accesses("puzzle-blocks2d", n=n, block=block, values="ones"), "writes", ["A"])
    at_work = [sum(1 for (b, _), cells in written.items() if b == of and cells) for of in range(4)]
    launch = done.rounds[1]["round"]
    first = sorted({cells[0] % n for (b, _), cells in written.items() if b == 0 and cells})
    last = sorted({cells[0] % n for (b, _), cells in written.items() if b == 1 and cells})
    return (n, 2, 2, block, block, first[-1], first[-1], at_work[0], last[0], last[-1], at_work[1], at_work[2], last[0],
            last[-1], at_work[3], int(done.cells[0]), sum(at_work), (launch["grid"] * launch["block"]) ** 2)


@figure("ladder-interleaved-modulo", r"In a round one thread in (2s) adds")
def threads_that_add(formula):
    for block in (8, 64):
        written = made(accesses("ladder-interleaved-modulo", n=block, block=block, grid=1), "writes", ["x"])
        s = 1
        while s < block:
            # A thread writes as it loads, and once in each round in which it adds.
            adding = [t for (_, t), cells in written.items() if len(cells) > s.bit_length()]
            assert len(adding) == block // calculated(formula.replace("2s", "2*s"), s=s), (block, s, adding)
            s *= 2
    return (formula,)
