# SPDX-License-Identifier: MIT
"""The figures of the faults of the puzzles."""

import re
from collections import Counter

from figures import accesses, calculated, figure, made, plain, run, source_of

OUT_OF_BOUNDS = r"thread (\d+) of block \d+ (reads|writes) (\w+)\[(\d+)\].*? it has (\d+) elements?(?:; (\d+) times)?\."


def beyond(program, n, block):
    """Accesses behind the end of an array: of each place in the source (thread, what, index, size, times)."""
    found = [re.match(OUT_OF_BOUNDS, hazard) for hazard in run(program, n=n, block=block).hazards]
    return [(int(f[1]), f[2], int(f[4]), int(f[5]), int(f[6] or 1)) for f in found]


def unguarded(program):
    """Over many n and blocks: the threads too many are block - n, the first is thread n, and takes index n."""
    for n, block in ((1, 2), (3, 8), (4, 8), (5, 32), (7, 33)):
        for thread, _, index, size, times in beyond(program, n, block):
            assert (thread, index, size, times) == (n, n, n, block - n), (program, n, block)
    assert run(program, n=4, block=4).holds


# ---- maps ----


@figure("puzzle-map:no-guard", r"With one block of (\d) threads for (\d) elements there is\. But a block of (\d) "
        r"has (\d) threads more: thread (\d) reads a\[(\d)\] and writes out\[(\d)\]")
def threads_without_an_element(fit, n, block, *_):
    unguarded("puzzle-map:no-guard")
    [read, write] = beyond("puzzle-map:no-guard", n, block)
    done = run("puzzle-map:no-guard", n=n, block=block)
    assert {int(cell - own) for cell, own in zip(done.cells, done.input["a"]["cells"])} == {10}
    assert run("puzzle-map:no-guard", n=n, block=fit).holds
    return n, n, block, read[-1], read[0], read[2], write[2]


@figure("puzzle-zip:no-guard", r"A block of (\d) for n = (\d) has (\d) threads too many\. They read a\[(\d) \.\. "
        r"(\d)\) and b\[(\d) \.\. (\d)\), and write out\[(\d) \.\. (\d)\): (three) accesses each")
def threads_too_many(block, n, *_):
    unguarded("puzzle-zip:no-guard")
    of = beyond("puzzle-zip:no-guard", n, block)
    assert [what for _, what, *_ in of] == ["reads", "reads", "writes"]
    ends = [end for _, _, first, _, times in of for end in (first, first + times)]
    return block, n, of[0][-1], *ends, len(of)


def every_cell(program, shapes, square):
    """Yields of each shape: threads, cells, writes, and the threads that write one cell."""
    for n, block in shapes:
        written = made(accesses(program, n=n, block=block), "writes", ["A"])
        cells, threads = (n * n, block * block) if square else (n, block)
        times = Counter(index for indices in written.values() for index in indices)
        assert len(written) == threads and set(times) == set(range(cells)) and set(times.values()) == {threads}
    return threads, cells, sum(times.values()), times[0]


@figure("puzzle-guard:every-cell", r"with (\d) threads and n = (\d) there are (\d) \* (\d) = (\d+) writes where "
        r"(\d) are wanted, and each cell is written by all (\d) threads, .* done (\d) times")
def loop_in_each_thread(block, n, *_):
    threads, cells, writes, times = every_cell("puzzle-guard:every-cell", ((1, 3), (3, 4), (5, 7), (n, block)), False)
    return threads, cells, threads, cells, writes, cells, times, threads


@figure("puzzle-map2d:every-cell", r"with (\d) x (\d) threads and n = (\d) there are (\d) \* (\d) = (\d+) writes "
        r"where (\d) are wanted, and all (\d) threads write each")
def loops_in_each_thread(block, _, n, *__):
    threads, cells, writes, times = every_cell("puzzle-map2d:every-cell", ((1, 2), (3, 4), (n, block)), True)
    return block, block, n, threads, cells, writes, cells, times


@figure("puzzle-broadcast:every-cell", r"with (\d) x (\d) threads and n = (\d) there are (\d) \* (\d) = (\d+) "
        r"writes where (\d) are wanted, and each cell is written by all (\d) threads")
def loops_of_a_broadcast(block, _, n, *__):
    threads, cells, writes, times = every_cell("puzzle-broadcast:every-cell", ((1, 2), (3, 4), (n, block)), True)
    return block, block, n, threads, cells, writes, cells, times


plain("puzzle-guard:every-cell", r"for \(i = 0; i < n; i\+\+\)", "the loop of the source")

# ---- shared memory and windows ----


@figure("puzzle-shared:barrier-in-if", r"With n = (\d) and blocks of (\d) all threads pass the guard, .* With n = "
        r"(\d) thread (\d) of block (\d) does not, and never comes to the barrier at which the other (three) wait")
def thread_behind_the_guard(whole, block, n, *_):
    assert run("puzzle-shared:barrier-in-if", n=whole, block=block).holds
    waits, passed, of = re.match(r"thread (\d+) of block \d+ waits at .* thread (\d+) of block (\d+) has passed it by",
                                 run("puzzle-shared:barrier-in-if", n=n, block=block).hazards[0]).groups()
    assert int(waits) < n % block == int(passed)
    return n // block * block + block, block, n, int(passed), int(of), n % block


@figure("puzzle-pool:no-halo", r"With n = (\d+) and (two) blocks of (\d), thread (\d) of block (\d) adds a\[(\d)\] "
        r"alone, since copy\[-(\d)\] and copy\[-(\d)\] are not there: A\[(\d)\] is (\d+) and should be (\d) \+ "
        r"(\d) \+ (\d) = (\d+); A\[(\d)\] is (\d+) and should be (\d+)\. Each edge between blocks makes (two) "
        r"cells wrong")
def edge_between_blocks(n, _, block, *__):
    done, right = (run(p, n=n, block=block) for p in ("puzzle-pool:no-halo", "puzzle-pool"))
    read = made(accesses("puzzle-pool:no-halo", n=n, block=block), "reads", ["a", "copy"])
    a = done.input["a"]["cells"]
    first, second = (i for i in range(n) if done.cells[i] != right.cells[i])
    [alone] = [thread for thread, cells in read.items() if thread[0] == 1 and len(cells) == 2]
    for size, threads in ((12, 4), (33, 8), (64, 16)):
        of, wanted = (run(p, n=size, block=threads) for p in ("puzzle-pool:no-halo", "puzzle-pool"))
        wrong = sum(x != y for x, y in zip(of.cells, wanted.cells))
        assert wrong == sum(min(2, size - edge) for edge in range(threads, size, threads)), (size, threads)
    assert run("puzzle-pool:no-halo", n=block, block=block).holds
    return (n, n // block, block, alone[1], alone[0], read[alone][0], 1, 2, first, done.cells[first], a[first], a[first - 1],
            a[first - 2], right.cells[first], second, done.cells[second], right.cells[second], second - first + 1)


@figure("puzzle-pool:no-halo", r"the (two) elements before the block's own\. Either the first (two) threads read "
        r"(two) elements each, or, as here, blocks overlap by (two)")
def halo(*_):
    read = made(accesses("puzzle-pool", n=16, block=8), "reads", ["a"])
    first, second = ({cells[0] for (block, _), cells in read.items() if block == of} for of in (0, 1))
    return (2, 2, 2, len(first & second))


@figure("puzzle-dot:beyond-the-block", r"thread (\d) adds n products, however")
def thread_that_adds(_):
    read = made(accesses("puzzle-dot:beyond-the-block"), "reads", ["product"])
    [thread] = {t for (_, t), cells in read.items() if cells}
    return (thread,)


@figure("puzzle-dot:beyond-the-block", r"But with n = (\d+) and (two) blocks of (\d), each block has made (\d) "
        r"products, .* product\[(\d) \.\. (\d+)\) are not .* those of (\d) products")
def products_of_a_block(n, _, block, *__):
    done = run("puzzle-dot:beyond-the-block", n=n, block=block)
    first, size, times = map(int, re.match(r"thread 0 of block 0 reads product\[(\d+)\].*, (\d+) elements; (\d+) times",
                                           done.hazards[0]).groups())
    blocks = n // block
    assert first == size and times == blocks * (n - block)
    return n, blocks, block, size, first, first + times // blocks, size


@figure("puzzle-dot:one-cell", r"all blocks write A\[(\d)\]\. .* With n = (\d+) and (two) blocks of (\d), both "
        r"write their sums to A\[(\d)\]")
def cell_of_all_blocks(_, n, __, block, *___):
    for size, threads in ((5, 2), (16, 4), (n, block)):
        written = made(accesses("puzzle-dot:one-cell", n=size, block=threads), "writes", ["A"])
        writers = {thread: cells for thread, cells in written.items() if cells}
        assert writers == {(b, 0): [0] for b in range(-(-size // threads))}, (size, threads)
    return 0, n, len(writers), block, 0


@figure("puzzle-conv1d:three-reads", r"But (\d) reads of a thread were promised, and with n = (\d+), m = (\d) and "
        r"blocks of (\d) threads (\d), (\d) and (\d) of block (\d) make (\d): a\[t\], b\[t\] and a\[(\d) \+ t\], "
        r"while threads (\d) to (\d) have made (one), and wait for them\. With n = (\d) there is no halo")
def reads_of_a_thread(promised, n, _, block, *groups):
    done = run("puzzle-conv1d:three-reads", n=n, block=block)
    read = made(accesses("puzzle-conv1d:three-reads", n=n, block=block), "reads", ["a", "b"])
    busy = [t for t in range(block) if len(read[0, t]) == 3]
    idle = [t for t in range(block) if len(read[0, t]) == 1]
    allowed = int(re.search(r"and (\d+) are allowed", done.hazards[0])[1])
    assert all(read[0, t] == [t, t, block + t] for t in busy) and idle == list(range(idle[0], block))
    assert run("puzzle-conv1d:three-reads", n=groups[-1], block=block).holds
    return (allowed, n, len(done.input["b"]["cells"]), block, *busy, 0, len(read[0, busy[0]]), block, idle[0], idle[-1], 1,
            groups[-1])


plain("puzzle-conv1d:three-reads", r"threads m-1 <= t < 2m-1", "those of the right program's cure")


@figure("puzzle-conv1d:room-for-4", r"made for (\d)\. .* b_tile\[(\d)\]\. A b of up to (\d) elements fits\. With n "
        r"= (\d+) b has m = (\d), and the loop over j reads b_tile\[(\d)\], .* loaded b\[(\d)\] at all.* \| has "
        r"room for (\d) elements of b, and takes (\d)")
def room_of_b(room, _, __, n, m, *___):
    done = run("puzzle-conv1d:room-for-4", n=n)
    index, size = map(int, re.search(r"reads b_tile\[(\d+)\] \(shared\).*? it has (\d+) bytes", done.hazards[0]).groups())
    loaded = made(accesses("puzzle-conv1d:room-for-4", n=n), "reads", ["b"])
    m = len(done.input["b"]["cells"])
    [missing] = set(range(m)) - {i for cells in loaded.values() for i in cells}
    fits = size // 4 # f32
    for few in range(1, n):
        fine = run("puzzle-conv1d:room-for-4", n=few)
        assert fine.holds == (len(fine.input["b"]["cells"]) <= room), few
    return fits, fits, fits, n, m, index, missing, fits, m


# ---- sums and products ----


@figure("puzzle-axis-sum:write-in-loop", r"with blocks of (\d) there are (\d) writes of each block where (\d) was "
        r"allowed\. And a block of (\d) makes no halving: with --block (\d) nothing is ever written, and "
        r"A\[(\d)\] stays (\d)")
def writes_of_a_block(block, _, __, one, *___):
    for threads in (2, 4, 64, block):
        written = made(accesses("puzzle-axis-sum:write-in-loop", block=threads), "writes", ["A"])
        per_block = Counter(b for (b, _), cells in written.items() for _ in cells)
        assert set(per_block.values()) == {threads.bit_length() - 1}, threads
    allowed = int(re.search(r"and (\d+) are allowed", run("puzzle-axis-sum:write-in-loop", block=block).hazards[0])[1])
    alone = run("puzzle-axis-sum:write-in-loop", block=one)
    assert not any(made(accesses("puzzle-axis-sum:write-in-loop", block=one), "writes", ["A"]).values())
    assert not any(alone.cells)
    return block, per_block[0], allowed, 1, 1, 0, int(alone.cells[0])


plain("puzzle-axis-sum:write-in-loop", r"cache\[0\]", "where a fold leaves its sum")
plain("puzzle-axis-sum:write-in-loop", r"thread 0", "the thread that writes")


@figure("puzzle-matmul:no-tiles", r"with n = (\d) a thread makes (\d+) reads of global memory, and (\d) were "
        r"promised\. Only with tiles of one element, of --block (\d), are")
def reads_of_global_memory(n, _, __, one):
    for size, block in ((2, 2), (3, 2), (5, 3), (n, 3)):
        done = run("puzzle-matmul:no-tiles", n=size, block=block)
        read = made(accesses("puzzle-matmul:no-tiles", n=size, block=block), "reads", ["a", "b"])
        allowed = int(re.search(r"and (\d+) are allowed", done.hazards[0])[1])
        assert allowed == calculated("2 * ((n + T - 1) / T)", n=size, T=block)
        assert all(len(cells) in (0, 2 * size) for cells in read.values()), (size, block)
    assert run("puzzle-matmul:no-tiles", n=n, block=one).holds
    return n, len(read[0, 0]), allowed, 1


@figure("puzzle-matmul:one-barrier", r"(Two) barriers a turn: after the loading, and after the use")
def barriers_of_a_turn(_):
    loops = [source_of("puzzle_matmul.cu", kernel).partition("    for (")[2]
             for kernel in ("puzzle_matmul", "puzzle_matmul_one_barrier")]
    right, fault = (loop.count("__syncthreads();") for loop in loops)
    assert fault == right - 1
    return (right,)
