#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""reductio prove FILE.cu: programs as they are usually written, and their faults.

test_prove_usual.py REDUCTIO     skipped where there is no cvc5, or no libclang
"""
from prove_case import ProveCase, fill, main

# What the kernel makes of a; @...@ are what a case puts in.
PROGRAM = """@kernel@
int main(void)
{
    const int n = 1000@numbers@;
    //@ requires n <= 2^20
    @requires@
    int a[n], *x, *A;
    for (int j = 0; j < n; j++)
        a[j] = 5 - j;
    //@ input a[n]
    cudaMalloc(&x, sizeof a);
    cudaMalloc(&A, (n + 255) * sizeof *A);
    cudaMemset(A, 0, (n + 255) * sizeof *A);
    cudaMemcpy(x, a, sizeof a, cudaMemcpyHostToDevice);
    @launch@
    //@ ensures @ensures@
    cudaFree(x);
    cudaFree(A);
    return 0;
}
"""


def program(kernel, launch, ensures, numbers="", requires=""):
    return fill(PROGRAM, {"kernel": kernel, "launch": launch, "ensures": ensures, "numbers": numbers, "requires": requires})


# A thread a column of n rows of w; the matrix lies row by row.
COLUMNS = """__global__ void columns(const int *x, int *A, int h, int w)
{
    int c = blockIdx.x * blockDim.x + threadIdx.x, s = 0;
    if (c >= @columns@)
        return;
    for (int r = 0; r < h; r++)
        s += x[r * w@and@];
    A[c] = s;
}"""

MATRIX = """int main(void)
{
    const int h = 30, w = 40;
    //@ requires 1 <= h <= 2^12
    //@ requires @least@ <= w <= 2^12
    int a[h * w + 1], *x, *A;
    for (int j = 0; j < h * w + 1; j++)
        a[j] = 5 - j;
    //@ input a[h*w + 1]
    cudaMalloc(&x, sizeof a);
    cudaMalloc(&A, (w + 1) * sizeof *A);
    cudaMemcpy(x, a, sizeof a, cudaMemcpyHostToDevice);
    columns<<<(w + 64) / 64, 64>>>(x, A, h, w);
    //@ ensures @ensures@
    cudaFree(x);
    cudaFree(A);
    return 0;
}
"""
BY_COLUMN = {"columns": "w", "and": " + c", "least": "1", "ensures": "for 0 <= i < w: A[i] = sum of a[j], j < h*w, j mod w = i"}


class Sums(ProveCase):
    def columns(self, **changed):
        return fill(COLUMNS + "\n" + MATRIX, dict(BY_COLUMN, **changed))

    def test_sum_of_a_column_is_proved(self):
        self.assert_proved(self.columns(), shape="every h from 1 to 2^31 - 1 (for the 30 of line ")

    def test_sum_of_another_column_is_refuted(self):
        for fault in ({"and": " + c + 1"}, {"ensures": BY_COLUMN["ensures"].replace("w = i", "w = i + 1")}):
            self.assert_says(self.columns(**fault), "REFUTED: ", 1)

    def test_bounds_of_each_factor_are_told(self):
        """Also where a run fails: its numbers are small."""
        text = self.columns().replace("    //@ requires 1 <= h <= 2^12\n", "").replace("//@ requires 1 <= w <= 2^12", "//@ requires w >= 1")
        hint = "Bounds of w and h, as in '//@ requires w <= 2^15' and '//@ requires h <= 2^15', may be missing"
        self.assertRegex(self.prove(text, "--timeout", "2").stdout, rf"\nOPEN: .*\n{hint.replace('^', '.')}")
        self.assertRegex(self.prove(text.replace("w = i", "w = i + 1"), "--timeout", "2").stdout, rf"\nREFUTED: .*\n{hint.replace('^', '.')}")
        self.assertNotIn("may be missing", self.prove(self.columns(), "--timeout", "2").stdout)

    def test_columns_without_a_width_are_not_proved(self):
        """Each trip reads the same element then."""
        text = self.columns(ensures="for 0 <= i < 1: A[i] = sum of a[j], w >= 2, j < h*(w - 1), j mod max(w - 1, 1) = 0", **{"and": ""})
        done = self.prove(text.replace("r * w", "r * (w - 1)"), "--timeout", "3")
        self.assertRegex(done.stdout, "(OPEN|REFUTED) .*a loop adds an input in one trip at most")
        self.assertNotIn("\nPROVED", done.stdout)


ONE_THREAD = """__global__ void finish(const int *x, int *A, int n)
{
    int s = 0;
    for (int i = 0; i < n; i++)
        s += x[i];
    A[0] = s;
}"""


REVERSE = """__global__ void reverse(const int *x, int *A)
{
    __shared__ int s[64];
    s[threadIdx.x] = x[blockIdx.x * 64 + threadIdx.x];
    __syncthreads();
    A[blockIdx.x * 64 + 63 - threadIdx.x] = s[threadIdx.x];
}"""


class Reverse(ProveCase):
    def test_part_of_a_block_backwards_is_proved(self):
        ensures = "for 0 <= i < 64*floor(n / 64): A[i] = sum of a[j], j / 64 = i / 64, j mod 64 = 63 - i mod 64"
        more = {"numbers": ", b = n / 64", "requires": "//@ requires n >= 64"}
        self.assert_proved(program(REVERSE, "reverse<<<b, 64>>>(x, A);", ensures, **more))
        for this, other in (("63 - t", "62 - t"), ("64 + 63 - threadIdx.x", "64 + 64 - threadIdx.x")):
            self.assert_says(program(REVERSE.replace(this, other), "reverse<<<b, 64>>>(x, A);", ensures.replace("63", "62") if this == "63 - t" else
                                     ensures, **more), "REFUTED: ", 1)


class OneThread(ProveCase):
    def test_what_one_thread_writes_is_proved(self):
        self.assert_proved(program(ONE_THREAD, "finish<<<1, 1>>>(x, A, n);", "A[0] = sum of a[j]"))

    def test_cell_that_the_one_thread_leaves_out_is_refuted(self):
        self.assert_says(program(ONE_THREAD, "finish<<<1, 1>>>(x, A, n);", "for 0 <= i < 2: A[i] = sum of a[j]"), "REFUTED: ", 1)


# Sums of a warp by shuffles, without an invariant.
WARPS = """__device__ int sum_of_warp(int v)
{
    for (int o = @first@; o > @last@; o /= 2)
        v += @shuffle@;
    return v;
}
__global__ void warps(const int *x, int *A, int n)
{
    int v = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        v += x[i];
    v = sum_of_warp(v);
    @add@
}"""
RIGHT = {"first": "16", "last": "0", "shuffle": "__shfl_down_sync(0xffffffff, v, o)", "add": "if (threadIdx.x % 32 == 0)\n        atomicAdd(A, v);"}
BLOCK = dict(RIGHT, add="""__shared__ int s[32];
    int lane = threadIdx.x % warpSize, warp = threadIdx.x / warpSize;
    if (lane == 0)
        s[warp] = v;
    __syncthreads();
    v = threadIdx.x < blockDim.x / warpSize ? s[lane] : 0;
    if (warp == 0)
        v = sum_of_warp(v);
    if (threadIdx.x == 0)
        A[blockIdx.x] = v;""")


class Shuffles(ProveCase):
    def program(self, parts, ensures="A[0] = sum of a[j]", launch="warps<<<8, 128>>>(x, A, n);", **changed):
        return program(fill(WARPS, dict(parts, **changed)), launch, ensures)

    def test_sums_of_warps_are_proved(self):
        self.assert_proved(self.program(RIGHT))
        self.assert_proved(self.program(RIGHT, launch="warps<<<(n + 127) / 128, 128>>>(x, A, n);",
                                        add="if ((threadIdx.x & 31) == 0)\n        atomicAdd(A, v);").replace(" += blockDim.x * gridDim.x", " += n"))

    def test_sums_of_blocks_are_proved(self):
        self.assert_proved(self.program(BLOCK, "for 0 <= b < 8: A[b] = sum of a[j], (j / 128) mod 8 = b"))

    def test_faults_of_a_warp_are_refuted(self):
        for fault in ({"first": "8"}, {"last": "1"}, {"shuffle": "__shfl_down_sync(0xffffffff, v, 2 * o - 1)"},
                      {"add": RIGHT["add"].replace("== 0", "== 1")}, {"add": RIGHT["add"].replace("% 32", "% 16")}):
            self.assert_says(self.program(RIGHT, **fault), "REFUTED: ", 1)

    def test_faults_of_a_block_are_refuted(self):
        for this, other in (("s[lane]", "s[0]"), ("blockDim.x / warpSize", "blockDim.x / warpSize - 1"),
                            ("    __syncthreads();\n", "")):
            self.assert_says(self.program(BLOCK, "for 0 <= b < 8: A[b] = sum of a[j], (j / 128) mod 8 = b", add=BLOCK["add"].replace(this, other)),
                             "REFUTED: ", 1)

    def test_block_whose_lanes_hand_on_their_own_sums_is_not_proved(self):
        """What lane 1 has added up is no sum of the warp: its parts are too many to be told one by one."""
        text = self.program(BLOCK, "for 0 <= b < 8: A[b] = sum of a[j], (j / 128) mod 8 = b", add=BLOCK["add"].replace("lane == 0", "lane == 1"))
        self.assert_says(text, "sums of too many parts", 3)


# A thread adds up some of its eight elements, and copies in a loop.
JUMPS = """__global__ void parts(const int *x, int *A, int n)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x, v = 0, k = 0;
    @loop@
    if (t < (n + 7) / 8)
        A[t] = v;
}"""
BREAK = """for (; k < 8; k++) {
        int i = t * 8 + k;
        if (i >= n)
            break;
        v += x[i];
    }"""
CONTINUE = """for (; k < 8; k++) {
        int i = t * 8 + k;
        if (i >= n) {
            continue;
        }
        if (k % 2 == 0)
            v += x[i];
        else
            continue;
        v += 0;
    }"""
FOREVER = """while (true) {
        if (k >= 8)
            break;
        if (t * 8 + k < n)
            v += x[t * 8 + k];
        k++;
    }"""
STRIDE = """__global__ void stride(const int *x, int *A, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
        if (i % 2 == 1)
            continue;
        A[i] = x[i];
    }
}"""
BROKEN_TREE = """__global__ void tree(const int *x, int *A, int n)
{
    __shared__ int s[64];
    int t = threadIdx.x, i = blockIdx.x * 64 + t, v = 0;
    for (int k = 0; k < 2; k++) {
        int other = 63 - t;
        if (@if@)
            break;
        s[t] = k == 0 && i < n ? x[i] : 0;
        __syncthreads();
        v += s[other];
        __syncthreads();
    }
    if (blockIdx.x * 64 + 63 - t < n)
        A[blockIdx.x * 64 + 63 - t] = v;
}"""


# The host leaves its loop by `break`, and skips a part of another's trips.
HOST = """__global__ void fold(int *A, int half)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < half)
        A[i] += A[i + half];
}"""
ROUNDS = """for (int j = 0; j < n; j++) {
        if (j % 3 == 0) {
            a[j] = 1;
            continue;
        }
        a[j] = j;
    }
    //@ input a[n]
    cudaMemcpy(x, a, sizeof a, cudaMemcpyHostToDevice);
    int w = n;
    //@ invariant for 0 <= i < w: x[i] = sum of a[j], j mod w = i
    while (true) {
        if (w @last@)
            break;
        w /= 2;
        fold<<<(w + 63) / 64, 64>>>(x, w);
    }"""


class Jumps(ProveCase):
    def test_host_loops_that_are_left_early(self):
        for last, word in (("<= 1", "PROVED: "), ("<= 2", "REFUTED: "), ("< 1", "REFUTED: ")):
            text = program(HOST, ROUNDS.replace("@last@", last), "x[0] = sum of a[j]", requires="//@ requires n = 2^k")
            text = text.replace("    //@ input a[n]\n", "", 1).replace("n = 1000", "n = 1024")
            done = self.prove(text, "--timeout", "3")
            self.assertRegex(done.stdout, f"(?m)^{word}", last)

    def parts(self, loop, ensures="for 0 <= i < ceil(n / 8): A[i] = sum of a[j], j / 8 = i"):
        return program(fill(JUMPS, {"loop": loop}), "parts<<<(n + 255) / 256, 256>>>(x, A, n);", ensures)

    def test_loops_that_are_left_early_are_proved(self):
        self.assert_proved(self.parts(BREAK))
        self.assert_proved(self.parts(FOREVER))

    def test_trips_that_are_left_early_are_proved(self):
        self.assert_proved(self.parts(CONTINUE, "for 0 <= i < ceil(n / 8): A[i] = sum of a[j], j / 8 = i, j mod 2 = 0"))
        self.assert_proved(program(STRIDE, "stride<<<4, 64>>>(x, A, n);", "for 0 <= i < n: A[i] = sum of a[j], j = i, j mod 2 = 0"))

    def test_loops_that_are_left_too_early_are_refuted(self):
        for loop, this, other in ((BREAK, "i >= n", "i + 1 >= n"), (BREAK, "break", "continue; else if (k == 7) break"), (FOREVER, "k >= 8", "k >= 7"),
                                  (CONTINUE, "i >= n", "i >= n - 1")):
            ensures = "for 0 <= i < ceil(n / 8): A[i] = sum of a[j], j / 8 = i" + (", j mod 2 = 0" if loop == CONTINUE else "")
            text = self.parts(loop.replace(this, other), ensures)
            if "else if" in other:
                self.assert_says(text.replace("v += x[i]", "v += x[i] + x[i / 2]"), "REFUTED: ", 1)
            else:
                self.assert_says(text, "REFUTED: ", 1)

    def test_break_of_some_threads_before_a_barrier_is_not_proved(self):
        ensures = "for 0 <= i < n: A[i] = a[i]"
        launch = "tree<<<(n + 63) / 64, 64>>>(x, A, n);"
        self.assert_proved(program(fill(BROKEN_TREE, {"if": "k == 1"}), launch, ensures))
        done = self.prove(program(fill(BROKEN_TREE, {"if": "k == 1 && t < 32"}), launch, ensures), "--timeout", "3")
        self.assertRegex(done.stdout, "(OPEN|REFUTED) .*all threads of the block come to the barrier")
        self.assertNotIn("\nPROVED", done.stdout)

    def test_break_elsewhere_is_said(self):
        """Of a loop whose trips aren't stated; the last element of a thread's would be left out, or not."""
        loop = "for (int i = t * 8; i < n && i < t * 8 + 8; i++) {\n        v += x[i];\n        if (i % 8 == 7)\n            break;\n    }"
        self.assert_says(self.parts(loop), "a 'break'", 3)


# One kernel in two launches: of 64 blocks, and of one that adds up what these have left.
TWICE = """__global__ void reduce(const int *in, int *out, int n)
{
    __shared__ int s[64];
    int t = threadIdx.x, v = 0;
    for (int i = blockIdx.x * blockDim.x + t; i < n; i += blockDim.x * gridDim.x)
        v += in[i];
    s[t] = v;
    __syncthreads();
    //@ invariant @invariant@
    for (int d = 32; d > 0; d /= 2) {
        if (t < d)
            s[t] += s[t + d];
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = s[0];
}"""
FIRST = "for 0 <= k < max(2*d, 1): s[k] = sum of a[j], (j / 64) mod 16 = blockIdx.x, j mod max(2*d, 1) = k"
SECOND = "for 0 <= k < max(2*d, 1): s[k] = sum of a[j], ((j / 64) mod 16) mod max(2*d, 1) = k"
EACH = f"when gridDim.x > 1: {FIRST}; when gridDim.x = 1: {SECOND}"
LAUNCHES = """int *part;
    cudaMalloc(&part, 16 * sizeof *part);
    reduce<<<16, 64>>>(x, part, n);
    //@ assert for 0 <= b < 16: part[b] = sum of a[j], (j / 64) mod 16 = b
    reduce<<<1, 64>>>(part, A, 16);"""

# A scan whose sums go from one half of the array to the other and back.
PING_PONG = """__global__ void scan(const int *x, int *A)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = x[t];
    __syncthreads();
    for (int d = 1; d < @length@; d *= 2) {
        int v = t >= d ? s[t - d] : 0;
        __syncthreads();
        s[t] += v;
        __syncthreads();
    }
    A[t] = s[t];
}"""


class Invariants(ProveCase):
    def twice(self, invariant):
        return program(fill(TWICE, {"invariant": invariant}), LAUNCHES, "A[0] = sum of a[j]")

    def test_kernel_of_two_launches_is_proved_by_a_claim_for_each(self):
        self.assert_proved(self.twice(EACH))

    def test_claim_of_the_other_launch_is_not_proved(self):
        turned = f"when gridDim.x = 1: {FIRST}; when gridDim.x > 1: {SECOND}"
        for invariant in (EACH.replace("> 1", "> 2").replace("= 1:", "= 2:"), turned):
            done = self.prove(self.twice(invariant), "--timeout", "2")
            self.assertRegex(done.stdout, "(?m)^(OPEN|REFUTED): ")
            self.assertNotIn("\nPROVED", done.stdout)

    def test_claims_that_disagree_are_not_proved(self):
        """Both speak of the cells of each launch of one block."""
        done = self.prove(self.twice(EACH.replace("> 1", ">= 1")), "--timeout", "2")
        self.assertRegex(done.stdout, "(OPEN|REFUTED) .*reduce.*the law has a value")

    def test_invariant_of_two_launches_is_named(self):
        said = self.prove(self.twice(FIRST), "--timeout", "1").stdout
        self.assertRegex(said, r"\n(OPEN|REFUTED): .*\n(.*\n)*The invariant of line 10 is the same in the launches of lines 33 and 35: .*'when gridDim.x > 1: ")
        self.assertIn("reduce of line 35, from its start to line 10 at 32: ", said)

    def test_loop_without_an_invariant_is_named(self):
        for length, which in (("64", "the loop of line 7 has none, and so its trips are written out"),
                              ("n", "of 's' nothing is known in the loop of line 7, nor behind it")):
            text = program(fill(PING_PONG, {"length": length}).replace("int *A)", "int *A, int n)"), f"scan<<<1, 64>>>(x, A, {length});",
                           "for 0 <= i < 64: A[i] = sum of a[j], j <= i", requires="//@ requires n >= 1024")
            text = text.replace("64", "1024") if length == "64" else text
            self.assertIn(f"An '//@ invariant' may be missing: {which}", self.prove(text, "--timeout", "1").stdout)


# A tree whose last rounds are a warp's.
WARP_TREE = """__global__ void tree(const int *x, int *A, int n)
{
    __shared__ int s[64];
    int t = threadIdx.x, i = blockIdx.x * 64 + t;
    s[t] = i < n ? x[i] : 0;
    __syncthreads();
    @before@
    for (int w = @first@; w > 1; w /= 2) {
        if (t < w / 2)
            s[t] += s[t + w / 2];
        @barriers@
    }
    if (t == 0)
        A[blockIdx.x] = s[0];
}"""


class WarpBarriers(ProveCase):
    GOAL = "all lanes of the warp come to its barrier"

    def said(self, barriers, before="//@ invariant for 0 <= k < w: s[k] = sum of a[j], j / 64 = blockIdx.x, j mod w = k", first="64"):
        text = program(fill(WARP_TREE, {"barriers": barriers, "before": before, "first": first}), "tree<<<(n + 63) / 64, 64>>>(x, A, n);",
                       "for 0 <= b < ceil(n / 64): A[b] = sum of a[j], j / 64 = b")
        return self.prove(text, "--timeout", "2").stdout

    def test_lanes_of_a_loop_with_an_invariant_come_together(self):
        """Its variable is one for all. That the law is asked without a barrier is what fails."""
        said = self.said("if (w > 32)\n            __syncthreads();\n        else\n            __syncwarp();")
        self.assertIn("\nREFUTED: ", said)
        self.assertRegex(said, "PROVED  .*" + self.GOAL)
        self.assertNotRegex(said, "REFUTED .*" + self.GOAL)

    def test_some_lanes_of_a_loop_with_an_invariant_are_refuted(self):
        self.assertRegex(self.said("if (t < w)\n            __syncwarp();\n        __syncthreads();"), "REFUTED .*" + self.GOAL)

    def test_lanes_of_another_loop_are_open(self):
        """A run fails for another reason, which says nothing of the lanes."""
        said = self.said("__syncwarp();", "int m = n < 64 ? n : 64;", "m")
        self.assertNotRegex(said, "(REFUTED|PROVED) .*" + self.GOAL)


if __name__ == "__main__":
    main()
