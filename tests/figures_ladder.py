# SPDX-License-Identifier: MIT
"""The figures of the faults of the ladder, some by a model of the warp's lines."""

import re

from figures import accesses, calculated, figure, made, plain, run

LANES = 32


def widths(done, points):
    """At which widths block 0 came to checkpoints, in order."""
    seen = [width for point, width in done.checkpoints if re.fullmatch(points, point)]
    return sorted(set(seen), reverse=True)


def lines(program):
    """Distance of the two cells that each line of the old warp tail reads, by lane 0."""
    read = made(accesses(program), "reads", ["x"])[0, 0]
    return [abs(one - other) for one, other in zip(read[:-1:2], read[1::2])] # two cells a line; the last is the result


def lane_by_lane(offsets, order):
    """The sum of 64 ones where each lane goes through all lines before the next lane begins."""
    x = [1] * 2 * LANES
    for t in order:
        for offset in offsets:
            x[t] += x[t + offset]
    return x[0]


def line_by_line(offsets, first, later):
    """The same, where all lanes come through a line before any begins the next; in two orders."""
    x = [1] * 2 * LANES
    for offset in offsets:
        for t in first if offset == offsets[0] else later:
            x[t] += x[t + offset]
    return x[0]


UP, DOWN = range(LANES), range(LANES - 1, -1, -1)

# ---- ladder-warp-shuffle ----


@figure("ladder-warp-shuffle:short-mask", r"Lanes l < (\d+) keep the sum, so only they shuffle, with the mask "
        r"(0x\w+)\. But in the round of o = (\d+) they read lanes (\d+) <= l < (\d+), which are not there")
def lanes_of_the_mask(lanes, mask, *_):
    done = run("ladder-warp-shuffle:short-mask")
    reader, read = map(int, re.match(r"thread (\d+) .* that of thread (\d+) of block 0", done.hazards[0]).groups())
    assert int(mask, 16) == 2 ** lanes - 1
    offset = read - reader
    return reader + 1, mask, offset, offset, read + 1


@figure("ladder-warp-shuffle:short-mask", r"With (\d+) ones in a block of (\d+) each of the (\d+) cells is (\d), "
        r"so that the sum is (\d+) by accident\. With a = (\d) \.\. (\d+) it is (twice) that of the lower (\d+) "
        r"cells, (\d) \* \((\d+) \+ (\d+) \+ \.\.\. \+ (\d+)\) = (\d+), and not (\d+)")
def lower_cells(n, block, *_):
    ones, done = (run("ladder-warp-shuffle:short-mask", n=n, block=block, values=values) for values in ("ones", "iota"))
    a = done.input["a"]["cells"]
    cells = [a[i] + a[i + LANES] for i in range(LANES)]
    written = accesses("ladder-warp-shuffle:short-mask", n=n, block=block, values="ones")
    folded = {[int(value) for what, array, _, value in written[0, t] if (what, array) == ("writes", "x")][-1] for t in UP}
    lower = cells[:LANES // 2]
    assert done.cells[0] == 2 * sum(lower)
    return (n, block, LANES, *folded, ones.cells[0], a[0], a[-1], 2, len(lower), 2, lower[0], lower[1], lower[-1], done.cells[0],
            done.violation["expected"])


plain("ladder-warp-shuffle:short-mask", r"`if \(t < 32\)` and the mask 0xffffffff", "all lanes of a warp")


@figure("ladder-warp-shuffle:lockstep", r"Lane (\d) reads x\[(\d+)\] in its second line, which lane (\d+) has "
        r"written in its first")
def second_line(*_):
    first, second = lines("ladder-warp-shuffle:lockstep")[:2]
    lane = made(accesses("ladder-warp-shuffle:lockstep"), "writes", ["x"])[0, second]
    assert first == LANES and lane[:2] == [second, second] # as it loads, and in its first line
    return 0, second, lane[1]


@figure("ladder-warp-shuffle:lockstep", r"With (\d+) ones, and one lane running to its end after the other, the "
        r"sum is (\d+), or in descending order (\d+)")
def lane_after_lane(n, *_):
    done, offsets = run("ladder-warp-shuffle:lockstep", n=n), lines("ladder-warp-shuffle:lockstep")
    assert offsets == [32, 16, 8, 4, 2, 1] and done.cells == [lane_by_lane(offsets, UP)]
    return n, done.cells[0], lane_by_lane(offsets, DOWN)


plain("ladder-warp-shuffle:lockstep", r"compute capability 7\.0", "Volta's, by NVIDIA's own numbering")
plain("ladder-warp-shuffle:lockstep", r"(two) barriers of the warp a line, one .*? and one behind", "counted in the sentence")


@figure("ladder-warp-shuffle:one-syncwarp", r"with a barrier of the warp after each line, where it needs (two)\..* "
        r"All (\d+) lanes add, .* In the round of s = (\d+) lane (\d) reads x\[(\d+)\] while lane (\d+) adds "
        r"x\[(\d+)\] to it.* \| one barrier of the warp a round, not (two)")
def all_lanes_add(*_):
    offsets = lines("ladder-warp-shuffle:one-syncwarp")
    threads = accesses("ladder-warp-shuffle:one-syncwarp")
    read, written = made(threads, "reads", ["x"]), made(threads, "writes", ["x"])
    adding = [t for t in range(2 * LANES) if len(written[0, t]) == 1 + len(offsets)]
    second = read[0, offsets[1]][2:4]
    assert second[0] == read[0, 0][3] == offsets[1]
    return 2, len(adding), offsets[1], 0, read[0, 0][3], offsets[1], second[1], 2


@figure("ladder-warp-shuffle:one-syncwarp", r"If lane (\d) always comes first, (\d+) ones make (\d+)\. In the "
        r"simulator the lane that came to the barrier last, (\d+), goes on first, and one of them is counted "
        r"(twice): (\d+)\. In descending order they make (\d+),")
def orders_of_a_line(_, n, *__):
    offsets = lines("ladder-warp-shuffle:one-syncwarp")
    done, last = run("ladder-warp-shuffle:one-syncwarp", n=n), LANES - 1
    assert done.cells == [line_by_line(offsets, UP, [last, *range(last)])]
    [again] = done.inputs("extra")
    return (0, n, line_by_line(offsets, UP, UP), last, 1 + done.inputs("extra").count(again), done.cells[0],
            line_by_line(offsets, DOWN, DOWN))


@figure("ladder-warp-shuffle:descending", r"In the round of s = (\d+) lane (\d+) adds x\[(\d+)\] to x\[(\d+)\], "
        r"and then lane (\d+) adds x\[(\d+)\], .* (\d+) ones make (\d+)")
def last_lane_first(s, last, *groups):
    done = run("ladder-warp-shuffle:descending", n=groups[-2])
    offsets = lines("ladder-warp-shuffle:descending")
    read = made(accesses("ladder-warp-shuffle:descending"), "reads", ["x"])
    line = offsets.index(s)
    own, partner = read[0, last][2 * line:2 * line + 2]
    assert last == LANES - 1 and read[0, own - s][2 * line + 1] == own
    assert done.cells == [line_by_line(offsets, DOWN, DOWN)]
    return offsets[line], own, partner, own, own - s, read[0, own - s][2 * line + 1], groups[-2], done.cells[0]


# ---- the other rungs ----


@figure("ladder-unrolled:stops-at-512", r"begins with a block of (\d+)\. .* At the checkpoint of width w in block "
        r"k, w = (\d+), \.\.\., (\d+) with T > (w/2):")
def rounds_of_the_list(_, most, least, formula):
    for block in (33, 64, 100, 128, 256, 512, 1024):
        due = [w for w in (2 ** k for k in range(10, 5, -1)) if least <= w <= most and block > calculated(formula, w=w)]
        assert widths(run("ladder-unrolled:stops-at-512", n=block, block=block), "sequential") == due, block
    return due[0], due[0], due[-1], formula


@figure("ladder-unrolled:stops-at-512", r"A block may have (\d+) threads\. With T = (\d+) the first round is that "
        r"of w = (\d+), at which x\[i\] should hold own\[i\] \+ own\[i \+ (\d+)\]; it holds own\[i\]\. What "
        r"threads (\d+) to (\d+) brought is lost: half of the sum\. With (\d+) threads or fewer .* \| has no "
        r"round for a block of (\d+)")
def lost_half(_, block, *__):
    most = int(re.search(r"the device takes 1 to (\d+)", run("multiply:one-block").hazards[0])[1])
    done = run("ladder-unrolled:stops-at-512", n=block, block=block)
    first = widths(done, "sequential")[0]
    own, partner = done.inputs("expected")
    assert done.inputs("actual") == [own] and 2 * done.cells[0] == block
    for threads in (1, 33, 511, 512):
        assert run("ladder-unrolled:stops-at-512", n=threads, block=threads).holds, threads
    return most, block, first, partner - own, first, block - 1, first, block


@figure("ladder-unrolled:stops-at-512", r"`if \(T > (\d+)\)`, before all others")
def first_of_the_right_list(_):
    return (widths(run("ladder-unrolled", n=1024, block=1024), "sequential")[0] // 2,)


@figure("ladder-grid-stride:index-wraps", r"It has (\d+) bits here, so that a run of (\d+) elements .* Where base \+ t "
        r"is (\d+) or more, thread t means to add a\[base \+ t\] or nothing, and adds a\[base \+ t - (\d+)\] a second "
        r"time\..* surely right is the program for n <= (65536 - G \+ 1) only\..* \| a (\d+)-bit index")
def indices_that_wrap(_, __, wrap, ___, formula, ____):
    for block, grid in ((256, 32), (96, 3)):
        threads = block * grid
        surely = calculated(formula, G=threads)
        shape = {"block": block, "grid": grid, "values": "ones", "blocks": "0"}
        assert run("ladder-grid-stride:index-wraps", n=surely, **shape).holds, shape
        # The first trip some of whose indices do not fit begins there.
        base = next(base for base in range(0, 2 * wrap, threads) if base + threads > wrap)
        assert run("ladder-grid-stride:index-wraps", n=base, **shape).holds, shape
        done = run("ladder-grid-stride:index-wraps", n=base + 1, **shape)
        twice = sum(base + t >= wrap for t in range(threads))
        fit = sum(base + t < min(wrap, base + 1) for t in range(threads))
        assert sum(done.cells) == base + fit + twice, shape
    bits = wrap.bit_length() - 1
    return bits, 2 ** bits + 1, wrap, wrap, formula, bits


@figure("ladder-grid-stride:index-wraps", r"With n = (\d+), (\d+) blocks of (\d+): in the trip of base = (\d+) "
        r"input (\d+) is lost, and (\d) is counted (twice); and (\d) to (\d+) are counted (twice) as well")
def inputs_that_are_counted_twice(n, *_):
    done = run("ladder-grid-stride:index-wraps", n=n)
    launch = done.rounds[1]["round"]
    [lost], [twice] = done.inputs("lost"), done.inputs("extra")
    base = max(base for point, base in done.checkpoints if point == "grid_stride" and base < n)
    # Each thread of the last trip adds what it added in the first one.
    again = launch["grid"] * launch["block"]
    a = range(n)
    assert sum(done.cells) == sum(a) - lost + sum(a[:again])
    return n, launch["grid"], launch["block"], base, lost, twice, 2, twice + 1, again - 1, 2


plain("ladder-grid-stride:index-wraps", r"an unsigned of (32) bits does at (2\^32)", "the width of C's unsigned")
plain("ladder-grid-stride:index-wraps", r"as (32) bits do at (2\^32)", "the width of C's unsigned")
plain("ladder-grid-stride:index-wraps", r"An int overflows at 2\^31", "the width of C's int")


@figure("ladder-shuffles-twice:no-barrier", r"In the first warp, at w = (\d+), \.\.\., (\d):")
def shuffle_of_sums(*_):
    seen = widths(run("ladder-shuffles-twice:no-barrier"), "shuffle_sums")
    assert all(w == 2 * after for w, after in zip(seen, seen[1:]))
    return seen[0], seen[-1]


@figure("ladder-vectorised:no-fence", r"In the block with the last ticket, at w = (\d+), \.\.\., (\d):")
@figure("ladder-vectorised:one-fence", r"In the block with the last ticket, at w = (\d+), \.\.\., (\d):")
def shuffle_of_partials(*_):
    seen = widths(run("ladder-vectorised"), "shuffle_(?:partials|sums)")
    return seen[0], seen[-1]
