# SPDX-License-Identifier: MIT
"""The figures of the faults of dot products, means, norms and sums by several blocks."""

import math
import re

from figures import accesses, calculated, explained, figure, indices, made, observed, plain, run, source_of

# Grids and blocks of the sums by several blocks.
SHAPES = ((1, 4), (2, 8), (4, 8), (3, 64), (8, 1024))


def in_blocks(program, grid, block):
    return run(program, n=grid * block, block=block, grid=grid)


# ---- dot-naive ----

observed("dot-naive", r"it gave (7) to (11) instead", "H200")
plain("dot-naive", r"c\[(0)\]", "the cell's index")


@figure("dot-naive", r"n = (2\^20) with a = (\.5) and b = (2), it gave \d+ to \d+ instead of (\d+)")
def exact_dot_product(n, a, b, _):
    return n, a, b, int(calculated(n) * a * b)


@figure("dot-naive", r"c\[0\] \+= x is (three) things: read c\[0\], add, write it back\. .* one of the (two) "
        r"products is lost")
def read_add_write(*_):
    done = [a[0] for a in accesses("dot-naive", n=2, grid=1, block=2)[0, 0] if a[1] in ("A", "c")]
    assert done == ["reads", "writes"], done
    return len(done) + 1, 2


# ---- dot-shared ----


@figure("dot-shared:floor-halving", r"for T = (\d), s is (\d) and then (\d), and cache\[(\d)\], which holds the "
        r"sums of threads (\d) and (\d), is added to nothing\. .* \| halves a block of (\d) by")
def cell_of_two_threads(block, *_):
    threads = accesses("dot-shared:floor-halving", n=block, block=block, grid=1)
    read, widths = made(threads, "reads", ["cache"]), []
    for of, partner in zip(read[0, 0][::2], read[0, 0][1::2]):
        widths.append(partner - of)
    # Cells of the last round's width up to that of the round before are read by nobody any more.
    [lost] = range(2 * widths[-1], widths[-2])
    return block, *widths, lost, *read[0, lost][:2], block


@figure("dot-shared:floor-halving", r"Of (\d+) ones (\d+) are summed in a block of (\d+), of (\d+) ones (\d+) in a "
        r"block of (\d+)\. For n = (\d+) and one block the invariant fails after the launch: A\[(\d)\] lacks "
        r"(\{[\d,]+\})")
def ones_that_are_summed(some, _, in_some, more, __, in_more, n, cell, lacks):
    sums = [run("dot-shared:floor-halving", n=k, block=block, values="ones").cells[0]
            for k, block in ((some, in_some), (more, in_more))]
    done = run("dot-shared:floor-halving", n=n, block=n, grid=1)
    assert indices(lacks) == done.inputs("lost") and done.violation["step"] == 1
    return some, sums[0], some, more, sums[1], more, n, done.violation["cell"], lacks


@figure("dot-shared:fixed-cache", r"a cache of (\d+) cells, and a block of (\d+) threads\. .* Threads (\d+) to "
        r"(\d+) write and read beyond .* \| has a cache for (\d+) threads, and a block of (\d+)$")
def threads_beyond_the_cache(cells, block, *_):
    for threads in (4 * cells, 2 * cells, block):
        writes = run("dot-shared:fixed-cache", n=1000, block=threads, grid=2).hazards[0]
        first, index, size, times = re.match(
            r"thread (\d+) of block 0 takes index (\d+) of an array of (\d+) elements.*?; (\d+) times", writes).groups()
        assert (int(first), int(index), int(size), int(times)) == (cells, cells, cells, 2 * (threads - cells)), writes
    assert run("dot-shared:fixed-cache", n=1000, block=cells, grid=2).holds
    return cells, block, int(first), int(first) + int(times) // 2 - 1, cells, block


# ---- mse, cosine, norm ----


@figure("mse:dot", r"for a = b = (\d) (\d) the mean squared error is (\d), and this gives (\d)\.")
def error_of_equal_vectors(*_):
    done = run("mse:dot")
    assert done.input["a"]["cells"] == done.input["b"]["cells"]
    return (*map(int, done.input["a"]["cells"]), int(done.violation["expected"]), int(done.violation["actual"]))


@figure("cosine:zero-norm", r"For a zero vector it is (\d)/(\d): not a number, .* cosine gives (\d)\. \| divides "
        r"by a norm that is (\d)$")
def zero_vector(*_):
    done = run("cosine:zero-norm")
    assert done.violation["actual"] == "nan"
    return (int(done.cells[0]), int(min(done.cells[1:])), int(done.violation["expected"]), int(min(done.cells[1:])))


@figure("norm:no-root", r"for a = (\d) \.\. (\d) it is (\d+) instead of (\d+\.\d+)")
def square_of_the_norm(*_):
    done = run("norm:no-root")
    a = done.input["a"]["cells"]
    return int(a[0]), int(a[-1]), int(done.violation["actual"]), round(done.violation["expected"], 2)


@figure("norm:no-root", r"off by the factor (1/\(\|a\| \|b\|\))")
def factor_of_a_cosine(formula):
    for n in (3, 8, 61):
        done = run("norm:no-root", n=n, type="f64")
        norm, square = done.violation["expected"], done.violation["actual"]
        right, made_of_it = square / (norm * norm), square / (square * square) # of a and a
        assert math.isclose(made_of_it / right, 1 / (norm * norm))
    return (formula,)


# ---- multi-block ----

observed("multi-block", r"on an H200 the kernel hangs, at (8 x 1024) as at (4 x 8)", "H200")
observed("multi-block:no-grid-barrier", r"on an H200, (3077) or (2054) have been seen", "H200")


@figure("multi-block", r"(Four) things, each of which")
def faults_that_are_named(_):
    things = re.sub(r"\s+", " ", explained("multi-block")).partition('"An even number"')[0]
    return (len(set(re.findall(r"\(multi-block:[a-z-]+\)", things))),)


@figure("multi-block", r"each block gets all of it, (\d+) x (\d+) cells; a static array of (\d+) x (\d+) int is "
        r"more than the (\d+) KiB")
def shared_memory_of_a_block(grid, block, too_many, _, kib):
    launch = run("multi-block").rounds[1]["round"]
    assert too_many * block * 4 > kib * 1024 >= (too_many - 1) * block * 4
    return launch["grid"], launch["block"], too_many, launch["block"], 48 # of an array whose size the source has


@figure("multi-block", r"leave others waiting at a barrier, (three) times")
def barriers_that_not_all_reach(_):
    return (len(re.findall(r"^ {8,}__syncthreads\(\);", source_of("multi_block.cu", "multi_block"), re.MULTILINE)),)


@figure("multi-block:shared-split", r"In block (\d) that is t, and all is well; from block (\d) on it is beyond")
def blocks_beyond_their_array(well, first):
    for grid, block in SHAPES:
        done = in_blocks("multi-block:shared-split", grid, block)
        if grid == 1:
            assert done.holds
            continue
        of, index, times = re.match(r"thread 0 of block (\d+) writes vector\[(\d+)\].*?; (\d+) times", done.hazards[0]).groups()
        assert (int(of), int(index), int(times)) == (first, block, (grid - 1) * block), done.hazards[0]
    return first - 1, int(of)


@figure("multi-block:no-grid-barrier", r"Of B blocks of T ones with k cells stale, the result is (B\*T - "
        r"k\*\(T-1\)): for (\d+) x (\d+), on an H200, (\d+) or (\d+) have been seen, never (\d+)\. In the "
        r"simulator block (\d) runs first, .* finds all others stale: (\d+)\.")
def stale_cells(formula, blocks, threads, one, other, *_):
    for grid, block in SHAPES:
        done = in_blocks("multi-block:no-grid-barrier", grid, block)
        assert done.cells == [calculated(formula, B=grid, T=block, k=grid - 1)], (grid, block, done.cells)
    possible = [calculated(formula, B=blocks, T=threads, k=k) for k in range(blocks)]
    assert one in possible[1:] and other in possible[1:]
    launch = run("multi-block:no-grid-barrier").rounds[1]["round"]
    return formula, launch["grid"], launch["block"], one, other, possible[0], 0, done.cells[0]


plain("multi-block:no-grid-barrier", r"sums that may|block (0) (?:adds|reads)", "the block that adds")


@figure("multi-block:no-round-barrier", r"thread (\d) reads cell (B/2), which thread (B/2) has loaded; and in the "
        r"second round thread (\d) may add cell (B/4) before thread (B/4) has made it in the first: cell (\d) of "
        r"(\d) blocks, cell (\d) of (\d)\.")
def last_rounds(thread, half, _, __, quarter, *groups):
    cells = []
    for blocks in groups[-3::2]:
        done = made(accesses("multi-block:no-round-barrier", n=8 * blocks, block=8, grid=blocks), "reads", ["vector"])
        rounds = done[0, thread][-2 * (blocks.bit_length() - 1) - 1:] # and the last read, of the result
        assert rounds[1] == calculated(half, B=blocks) and rounds[3] == calculated(quarter, B=blocks), rounds
        cells += [rounds[3], blocks]
    return 0, half, half, 0, quarter, quarter, *cells


plain("multi-block:no-round-barrier", r"block 0", "the block that adds")


@figure("multi-block:even", r"blocks of (\d) threads: an even .* But (\d) is halved to (\d) and, by floor, to "
        r"(\d): cache\[(\d)\], which holds (two) threads' cells, is lost in every block\. Of (\d) x (\d) ones "
        r"(\d+) are summed\. .* \| halves blocks of (\d) by floor: (\d+) of (\d+)")
def even_block(block, *_):
    done = run("multi-block:even")
    launch = done.rounds[1]["round"]
    read = made(accesses("multi-block:even"), "reads", ["cache"])
    widths = [b - a for a, b in zip(read[0, 0][:4:2], read[0, 0][1:4:2])]
    lost = 2 * widths[-1]
    assert lost + 1 == widths[0] and not done.hazards
    of_two = set(read[0, lost][:-1]) # the last read is that of the result
    return (launch["block"], launch["block"], *widths, lost, len(of_two), launch["grid"], launch["block"],
            sum(done.cells), launch["block"], sum(done.cells), launch["grid"] * launch["block"])
