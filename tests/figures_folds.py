# SPDX-License-Identifier: MIT
"""The figures of the faults of folds, the unfold, tournaments and multiply."""

import re
from collections import Counter

from figures import accesses, calculated, figure, indices, made, plain, run

SIZES = (2, 8, 16, 64)


def statements_match(program, pattern, formula):
    """The statements of all steps, next to a formula over n and d."""
    for n in SIZES:
        for step in run(program, n=n).rounds:
            found = re.match(pattern, step["statement"])
            assert {int(w) for w in found.groups()} == {calculated(formula, n=n, d=step["step"])}, (n, step)


def step_of(result, number):
    return next(step for step in result.rounds if step["step"] == number)


# ---- fold:inclusive-bound ----

@figure("fold:inclusive-bound", r"where w = (n / 2\^d) .* \| .*, i <= (n/2\^d)")
def cells_that_are_claimed(formula, summary):
    statements_match("fold:inclusive-bound", r"for 0 <= i <= (\d+)\b.*= i \(mod (\d+)\)", summary)
    return formula, formula.replace(" ", "")


@figure("fold:inclusive-bound", r"At d = (\d) the claim even names A\[n\]")
def cell_that_does_not_exist(d):
    for n in SIZES:
        named = [s["step"] for s in run("fold:inclusive-bound", n=n).rounds if f"i <= {n}, i < {n}:" in s["statement"]]
        assert named == [d], (n, named)
    return (0,)


@figure("fold:inclusive-bound", r"for n = (\d+), a = (\d+) \.\. (\d+), the claim fails at d = (\d), where "
        r"A\[(\d)\] = (\d+) and the claim says (\d+)\. At d = (\d) it passes by accident: A\[(\d)\] = a\[(\d)\] = "
        r"a\[(\d)\] \+ a\[(\d)\], because a\[(\d)\] = (\d)")
def dead_cell(n, *_):
    done = run("fold:inclusive-bound", n=n)
    a, wrong = done.input["a"]["cells"], done.violation
    passed = step_of(done, wrong["step"] - 1)
    w = n // 2 ** passed["step"]
    assert passed["verdict"] == "HOLDS" and passed["state"]["cells"][w] == a[w] == a[0] + a[w]
    return (n, a[0], a[-1], wrong["step"], wrong["cell"], wrong["actual"], wrong["expected"], passed["step"], w, w, 0, w, 0,
            a[0])


plain("fold:inclusive-bound", r"cell w should equal cell 0", "i = 0 of the claim read modulo w")
plain("fold:inclusive-bound", r"The live cells are 0 <= i < w", "the bound of the fold's own statement")

# ---- fold:tournament-table ----


@figure("fold:tournament-table", r"where D = (2\^d)")
def table(formula):
    statements_match("fold:tournament-table", r"for i = 0 mod (\d+), .* i <= j < min\(i\+(\d+), ", formula)
    return (formula,)


@figure("fold:tournament-table", r"For n = (\d+), a = (\d+) \.\. (\d+), the claim fails at d = (\d) in A\[(\d)\], "
        r"which is a\[(\d)\] \+ a\[(\d)\] = (\d+) where the table says a\[(\d)\] \+ a\[(\d)\] = (\d+)")
def neighbours(n, *_):
    done = run("fold:tournament-table", n=n)
    a, wrong = done.input["a"]["cells"], done.violation
    return (n, a[0], a[-1], wrong["step"], wrong["cell"], *done.inputs("actual"), wrong["actual"], *done.inputs("expected"),
            wrong["expected"])


@figure("fold:tournament-table", r"Where all inputs are equal A\[(\d)\] looks right at every step")
def equal_inputs(cell):
    for n in SIZES:
        for step in run("fold", n=n, values="ones").rounds:
            assert step["state"]["cells"][cell] == 2 ** step["step"], (n, step)
    return (0,)


plain("fold:tournament-table", r"ones can't tell the two apart", "the fold and the table")

# ---- fold:missing-guard ----


@figure("fold:missing-guard", r"For n = (\d+), a = (\d+) \.\. (\d+): round (\d) has half = (\d) and (\d+) threads; "
        r"thread (\d) makes A\[(\d)\] = (\d+) \+ (\d+) = (\d+), thread (\d) makes A\[(\d)\] = (\d+) \+ (\d+) = "
        r"(\d+)\. The live cells A\[(\d)\] and A\[(\d)\] .* read A\[(\d)\] and A\[(\d)\] are .* fails at step "
        r"(\d) in A\[(\d)\]")
def threads_beyond_half(n, *_):
    done = run("fold:missing-guard", n=n)
    a, wrong, last = done.input["a"]["cells"], done.violation, done.rounds[-1]
    half, added = last["round"]["width"]["value"], []
    threads = accesses("fold:missing-guard", last["step"], n=n)
    for t in range(half, last["round"]["block"]):
        sum_of = [int(value) for what, _, _, value in threads[0, t]]
        added += [t, made(threads, "writes", "A")[0, t][0], *sum_of]
    spoilt = made(threads, "reads", "A")
    return (n, a[0], a[-1], last["step"], half, last["round"]["block"], *added, *range(half),
            *[spoilt[0, t][1] for t in range(half)], wrong["step"], wrong["cell"])


@figure("fold:missing-guard", r"Where a\[(\d)\] is (\d) it fails in A\[(\d)\]; where a\[(\d)\] is (\d) as well it "
        r"holds")
def nothing_added(first, _, __, second, ___):
    a = [9, 1, 2, 3, 4, 5, 6, 7]
    a[first] = 0
    once = run("fold:missing-guard", n=8, values="list:" + ",".join(map(str, a)))
    a[second] = 0
    twice = run("fold:missing-guard", n=8, values="list:" + ",".join(map(str, a)))
    assert once.violation["step"] == 2 and not twice.violation and " A[2] " in twice.hazards[0]
    return first, 0, once.violation["cell"], second, 0


# ---- fold-guard:zero-identity ----


@figure("fold-guard:zero-identity",
        r"For n = (\d+), a = ((?:-\d ?)+), half = (\d+): cells (\d) and (\d) have no partner, round (\d) makes them (\d), "
        r"and step (\d) fails in A\[(\d)\], which should hold a\[(\d)\] = -(\d) and holds (\d)\.")
def maximum_of_negative_numbers(n, *_):
    done = run("fold-guard:zero-identity", n=n)
    first, wrong = done.rounds[1], done.violation
    a, half, cells = done.input["a"]["cells"], first["round"]["width"]["value"], first["state"]["cells"]
    alone = [i for i in range(half) if i + half >= n]
    assert {cells[i] for i in alone} == {0} and max(a) < 0
    cell = wrong["cell"]
    return n, " ".join(map(str, a)), half, *alone, first["step"], 0, wrong["step"], cell, cell, -a[cell], cells[cell]


for said in (r"is combined as 0,", r"combines it with 0, instead", r"0 is the identity of sums, x \+ 0 = x",
             r"max\(x, 0\) = x only for x >= 0", r"then comes out as 0", r"numbers from 0 on", r"takes 0 for"):
    plain("fold-guard:zero-identity", said, "the zero that it is about")
plain("fold-guard:zero-identity", r"sum, or, xor 0 product 1 .* floats min the largest: 2\^31 - 1 of i32",
      "identities, which test_operations.c combines with values of each type")


# ---- fold:tie-index ----


@figure("fold:tie-index",
        r"For n = (\d+), a = ((?:\d ?)+) it is not: round (\d) makes A\[(\d)\] = (\d), since a\[(\d)\] = (\d) "
        r"is less than a\[(\d)\] = (\d), and leaves A\[(\d)\] = (\d), where a\[(\d)\] = (\d)\. In round (\d) these meet, "
        r"A\[(\d)\] keeps its own, and step (\d) fails in A\[(\d)\]: it should hold (\d), and holds (\d)\. "
        r"What stands there is (\d) either way")
def tie_in_the_other_order(n, *_):
    done = run("fold:tie-index", n=n)
    a, wrong, first = done.input["a"]["cells"], done.violation, done.rounds[1]
    cell, cells = wrong["cell"], first["state"]["cells"]
    winner, other = cells[cell], wrong["expected"]
    assert a[winner] < a[cell] and cells[other] == other and first["verdict"] == "HOLDS"
    assert wrong["actual"] == winner and a[other] == a[winner] == min(a) and other == a.index(min(a))
    return (n, " ".join(map(str, a)), first["step"], cell, winner, winner, a[winner], cell, a[cell], other, cells[other],
            other, a[other], wrong["step"], cell, wrong["step"], cell, other, winner, a[winner])


@figure("fold:tie-index", r"so do ones, of which each cell keeps itself, down to A\[(\d)\] = (\d)")
def ties_that_meet_in_order(*_):
    for values in ("ones", "random:1", "random:2"):
        done = run("fold:tie-index", n=8, values=values)
        assert done.holds and not done.violation and all(step["verdict"] == "HOLDS" for step in done.rounds), values
    cells = [step["state"]["cells"] for step in run("fold:tie-index", n=8, values="ones").rounds]
    assert all(found == list(range(8)) for found in cells)
    return 0, cells[-1][0]


@figure("fold:tie-index", r"not commutative: (\d) and (\d) give (\d), (\d) and (\d) give (\d)\.")
def left_of_two(*_):
    wrong = run("fold:tie-index", n=8).violation
    left, right = wrong["actual"], wrong["expected"]
    return left, right, left, right, left, right


@figure("fold:tie-index", r"A\[(\d)\] takes inputs from behind those of A\[(\d)\]")
def inputs_that_are_not_in_order(*_):
    members = [[j for j in range(8) if j % 4 == cell] for cell in range(2)]  # of step 1, by its statement
    assert "j mod 4 = i" in run("fold:tie-index", n=8).rounds[1]["statement"]
    assert max(members[0]) > min(members[1]) > min(members[0])
    return 0, 1


plain("fold:tie-index", r"-0 is less than 0 here", "zeros, which test_selecting.c tells apart")


# ---- fold:wrong-half ----


@figure("fold:wrong-half", r"adds A\[i \+ half - (\d)\] .* \| adds A\[i\+half-(\d)\]")
def neighbours_partner(*_):
    off = set()
    for n in SIZES:
        for (_, i), (own, partner) in made(accesses("fold:wrong-half", 1, n=n), "reads", "A").items():
            assert own == i
            off.add(i + n // 2 - partner)
    return (*off, *off)


@figure("fold:wrong-half", r"For n = (\d+), a = (\d+) \.\. (\d+), step (\d) fails in A\[(\d)\]: it should hold the "
        r"inputs (\d) and (\d), that is (\d+), and holds (\d) and (\d), that is (\d+)\. Input (\d) is then "
        r"counted (twice), and input (\d) is in no live cell any more\. \(Thread (\d) writes A\[(\d)\] in the "
        r"same round in which thread (\d) reads it: .* so that A\[(\d)\] may also hold what A\[(\d)\] becomes")
def wrong_partner(n, *_):
    done = run("fold:wrong-half", n=n)
    a, wrong = done.input["a"]["cells"], done.violation
    threads = accesses("fold:wrong-half", 1, n=n)
    read, written = made(threads, "reads", "A"), made(threads, "writes", "A")
    times = Counter(index for cells in read.values() for index in cells)
    [(twice, count)] = [(index, count) for index, count in times.items() if count > 1]
    [lost] = set(range(n)) - set(times)
    [racing] = [(thread, t) for (_, thread), cells in written.items() for (_, t), others in read.items()
                if t != thread and cells[0] in others]
    return (n, a[0], a[-1], wrong["step"], wrong["cell"], *done.inputs("expected"), wrong["expected"], *done.inputs("actual"),
            wrong["actual"], twice, count, lost, racing[0], written[0, racing[0]][0], racing[1], wrong["cell"],
            written[0, racing[0]][0])


plain("fold:wrong-half", r"partner is w/2 further on", "the fold's own partner, half = w/2")

# ---- fold-ceil:floor ----


@figure("fold-ceil:floor", r"With m odd, (floor\(m/2\)) threads add A\[i \+ (floor\(m/2\))\] to A\[i\]: cell (m - "
        r"1) is nobody's")
def odd_cell(threads, partner, nobodys):
    for n in (3, 5, 7, 33):
        read = made(accesses("fold-ceil:floor", 1, n=n), "reads", "A")
        assert len(read) == calculated(threads, m=n), n
        assert all(cells == [i, i + calculated(partner, m=n)] for (_, i), cells in read.items()), n
        left = set(range(n)) - {index for cells in read.values() for index in cells}
        assert left == {calculated(nobodys, m=n)}, (n, left)
    return threads, partner, nobodys


@figure("fold-ceil:floor", r"For n = (\d+), a = (\d+) \.\. (\d+): round (\d) \(half = (\d)\) is right, round (\d) "
        r"has m = (\d), half = (\d), and step (\d) fails in A\[(\d)\], which should hold the inputs (\{[\d,]+\}) "
        r"and holds (\{[\d,]+\})\. The loop then ends with (\d) and (\d) lost")
def odd_cell_of_round_2(n, *groups):
    done = run("fold-ceil:floor", n=n)
    a, wrong = done.input["a"]["cells"], done.violation
    first, second = done.rounds[1:]
    should, holds = groups[-4:-2]
    assert indices(should) == done.inputs("expected") and indices(holds) == done.inputs("actual")
    half = first["round"]["width"]["value"]
    assert first["verdict"] == "HOLDS"
    # One live cell is left: what it lacks of all inputs is lost.
    lost = set(range(n)) - set(done.inputs("actual"))
    return (n, a[0], a[-1], first["step"], half, second["step"], half, second["round"]["width"]["value"], wrong["step"],
            wrong["cell"], should, holds, *sorted(lost))


@figure("fold-ceil:floor", r"starts from blockDim\.x / 2 has the same fault: of T terms it keeps "
        r"(2\^floor\(log2\(T\)\))")
@figure("dot-shared:floor-halving", r"a block of T threads keeps the sums of (2\^floor\(log2 T\)) of them")
def terms_that_a_shared_fold_keeps(formula):
    for block in (1, 2, 3, 6, 8, 31, 33, 96, 1000, 1024):
        done = run("dot-shared:floor-halving", n=block, block=block, values="ones")
        assert done.cells == [calculated(formula, T=block)], (block, done.cells)
    return (formula,)


plain("fold-ceil:floor", r"blockDim\.x / 2", "where such a fold begins")
plain("fold-ceil:floor", r"guard a power of two", "a kind of number")


# ---- unfold:float ----


@figure("unfold:float", r"In f32, (\d) \+ (2\^24) = (2\^24): the (\d) is rounded away\. The folded array of a = "
        r"(\d), (2\^24) is (2\^24), (2\^24), and step (\d) fails in A\[(\d)\]: it should be (\d) again, and is "
        r"(2\^24) - (2\^24) = (\d)")
def rounded_away(one, power, *_):
    done = run("unfold:float", n=2)
    a, wrong = done.input["a"]["cells"], done.violation
    assert a == [one, calculated(power)] and done.rounds[0]["state"]["cells"] == [a[1], a[1]]
    return (one, power, power, one, one, power, power, power, wrong["step"], wrong["cell"], int(wrong["expected"]), power, power,
            int(wrong["actual"]))


plain("unfold:float", r"In f32", "a type")

# ---- tournaments ----


@figure("tournament:interval", r"from i = D on, where the sum is (\d)\. For a = (\d) \.\. (\d) initialization "
        r"fails: A\[(\d)\] is (\d), and the claim says (\d)\. Cell (\d) alone comes out right")
def empty_interval(empty, first, last, *_):
    done = run("tournament:interval", n=last + 1)
    a, wrong = done.input["a"]["cells"], done.violation
    assert wrong["step"] == 0 and wrong["count"] == last and empty == wrong["expected"]
    return (sum(a[1:1]), a[0], a[-1], wrong["cell"], wrong["actual"], wrong["expected"], 0)


@figure("tournament:interval", r"a\[i, i\+D\) \+ a\[i\+D, (i\+2D)\) = a\[i, (i\+2D)\)")
def neighbouring_intervals(end, whole):
    for n in SIZES:
        for step in run("tournament", n=n).rounds[1:]:
            distance = step["round"]["width"]["value"]
            of = int(re.search(r"i <= j < min\(i\+(\d+),", step["statement"])[1])
            assert {calculated(f.replace("2D", "2*D"), i=0, D=distance) for f in (end, whole)} == {of}, step
    return end, whole


@figure("tournament:lost-tail", r"guard is (i \+ 2D) <= n")
def guard(formula):
    for n in (2, 3, 7, 8, 18):
        played = made(accesses("tournament:lost-tail", 1, n=n), "writes", "A")
        both = {i for i in range(0, n, 2) if calculated(formula.replace("2D", "2*D"), i=i, D=1) <= n}
        assert {cells[0] for cells in played.values() if cells} == both, (n, played)
    return (formula,)


@figure("tournament:lost-tail", r"For n = (\d): round (\d) makes A\[(\d)\] = a\[(\d)\] \+ a\[(\d)\]; round (\d) "
        r"has D = (\d), and (\d) \+ (\d) <= (\d) is false, so a\[(\d)\] is never added: step (\d) fails in "
        r"A\[(\d)\], which should hold the inputs (\{[\d.]+\}) and holds (\{[\d,]+\})")
def tail(n, *groups):
    done = run("tournament:lost-tail", n=n)
    wrong, second = done.violation, done.rounds[2]["round"]
    should, holds = groups[-2:]
    assert indices(should) == done.inputs("expected") and indices(holds) == done.inputs("actual")
    distance = second["width"]["value"]
    assert 0 + 2 * distance > n
    [lost] = done.inputs("lost")
    return (n, 1, 0, *made(accesses("tournament:lost-tail", 1, n=n), "reads", "A")[0, 0], second["number"], distance, 0,
            2 * distance, n, lost, wrong["step"], wrong["cell"], should, holds)


@figure("tournament:lost-tail", r"(For n a power of two the fault can't show)")
def powers_of_two(sentence):
    for n in (1, 2, 3, 4, 7, 8, 12, 31, 32, 33):
        assert run("tournament:lost-tail", n=n).holds == (n & (n - 1) == 0), n
    return (sentence,)


@figure("tournament:stride-one", r"always A\[i \+ (\d)\] .* The first round is right, because D = (\d)\. In the "
        r"second, the winners lie (two) apart, and A\[i \+ (\d)\] is")
def next_cell(*_):
    done = run("tournament:stride-one")
    off = {b - a for frame in (1, 2) for a, b in made(accesses("tournament:stride-one", frame), "reads", "A").values()}
    first, second = (step["round"]["width"]["value"] for step in done.rounds[1:])
    assert done.rounds[1]["verdict"] == "HOLDS"
    return (*off, first, second, *off)


@figure("tournament:stride-one", r"For n = (\d+), a = (\d+) \.\. (\d+), step (\d) fails in A\[(\d)\]: it should "
        r"hold the inputs (\{[\d.]+\}), that is (\d+), and holds (\{[\dx,]+\}), that is (\d+)")
def loser(n, *groups):
    done = run("tournament:stride-one", n=n)
    a, wrong = done.input["a"]["cells"], done.violation
    should, holds = groups[4], groups[6]
    assert indices(should) == done.inputs("expected") and indices(holds) == done.inputs("actual")
    return n, a[0], a[-1], wrong["step"], wrong["cell"], should, wrong["expected"], holds, wrong["actual"]


# ---- multiply ----


@figure("multiply:one-block", r"launched as <<<(\d), n>>>.* A block has at most (\d+) threads\. With n = (\d+) .* "
        r"Up to n = (\d+) the fault can't show.* \| launches <<<(\d), n>>>")
def one_block(one, most, too_many, largest, summary):
    for n in (1, 33, 1000):
        launch = run("multiply:one-block", n=n).rounds[1]["round"]
        assert (launch["grid"], launch["block"]) == (one, n)
    assert run("multiply:one-block", n=largest).holds
    refused = run("multiply:one-block", n=too_many)
    assert refused.cells == refused.rounds[0]["state"]["cells"] and "cudaErrorInvalidConfiguration" in refused.hazards[0]
    [of, limit] = re.search(r"a block of (\d+) threads, where the device takes 1 to (\d+)", refused.hazards[0]).groups()
    assert int(of) == too_many
    return 1, int(limit), int(limit) + 1, int(limit), 1
