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


if __name__ == "__main__":
    main()
