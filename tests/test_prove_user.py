#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""reductio prove FILE.cu, of files as people write them: dynamic shared memory, atomics, maxima, nvcc's options; and of each what is
wrong is never proved.

test_prove_user.py REDUCTIO     skipped where there is no cvc5, or no libclang
"""
import json
import os
import re
import shutil
import tempfile

from prove_case import ATOMIC, DYNAMIC, MAX, MAX_CHOICE, MAX_IF, OPERATIONS, SUM, ProveCase, fill, main, tree
from short_run import part, takes_long

# Each thread copies an element, and does something in a loop before.
COPY = """__device__ int more(int *p, int *s, int i, int m, int t, int n)
{
    int *q = p;
    if (i >= m) {
        q = s;
        if (t < n)
            p[t] = 0;
        return i < m;
    }
    return i < m;
}
__global__ void copy(const int *in, int *aux, @element@ *out, int n, int m)
{
    __shared__ int s[64];
    int t = blockIdx.x * blockDim.x + threadIdx.x, p = 0;
    @loop@
}
int main(void)
{
    const int n = 100, m = 3;
    //@ requires 2 <= n <= 2^20
    //@ requires m <= 100
    int a[n], *in, *aux;
    @element@ *out;
    for (int j = 0; j < n; j++)
        a[j] = 5 - j;
    //@ input a[n]
    cudaMalloc(&in, sizeof a);
    cudaMalloc(&aux, n * sizeof(int));
    cudaMalloc(&out, n * sizeof(int));
    cudaMemcpy(in, a, sizeof a, cudaMemcpyHostToDevice);
    copy<<<(n + 63) / 64, 64>>>(in, aux, out, n, m);
    //@ ensures for 0 <= i < n: out[i] = a[i]
    cudaFree(in);
    cudaFree(aux);
    cudaFree(out);
    return 0;
}
"""
# In each trip of the outer loop the inner one ends at another j.
INNER = """int q = 0;
    for (int i = 0; t < n && i < n; i++) {
        int j = i;
        while (j > 1) {
            aux[t] = in[t];
            j /= 2;
        }
        if (i == 0 && j >= 0 && j < n)
            p += in[j];
        if (i == 1 && j >= 0 && j < n)
            q += in[j];
    }
    if (t < n)
        out[t] = in[t] + p - q;"""


# Host code around a launch that copies; @...@ are what a case puts in.
HOST = """#include <stdlib.h>
__global__ void copy(const int *x, int *A, int n)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t < n)
        A[t] = x[@from@];
}
int main(int argc, char **argv)
{
    const int n = 64, m = 30;
    //@ requires 2 <= n <= 1000
    //@ requires m <= 100
    int a[1000], *x, *A, q = 0, w = n;
    for (int j = 0; j < 1000; j++)
        a[j] = j;
    @input@
    cudaMalloc(&x, sizeof a);
    cudaMalloc(&A, sizeof a);
    cudaMemcpy(x, a, sizeof a, cudaMemcpyHostToDevice);
    cudaMemcpy(A, x, sizeof a, cudaMemcpyDeviceToDevice);
    @launch@
    //@ ensures @ensures@
    cudaFree(x);
    cudaFree(A);
    return 0;
}
"""
ONCE = {"from": "t", "input": "//@ input a[n]", "launch": "copy<<<1, 64>>>(x, A, n);", "ensures": "for 0 <= i < n: A[i] = a[i]"}
# The last w may be 0: of a launch of so many threads that none was made.
HALVES = dict(ONCE, launch="""int i = 0;
    //@ invariant for 0 <= i < n: A[i] = a[i]
    for (; w > 0 && i < m; w /= 2) {
        copy<<<n / w, w>>>(x, A, w);
        i++;
    }""", ensures="w >= @least@")
NESTED = dict(ONCE, input="""//@ input a[n]
    if (argc > 1) {
        q = 2;
        if (n > 5) {
            q = 3;
            if (n > 7)
                q = 9;
        }
        q += 5;
    }""", ensures="q <= @most@")

# A rectangle of h rows of w; @...@ are what a case puts in.
PLANE = """__global__ void plane(const int *x, int *A, int w, int h)
{
    int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    if (@if@)
        @do@
}
int main(void)
{
    const int w = 37, h = 21;
    //@ requires w <= 2^14
    //@ requires h <= 2^14
    const int n = w * h;
    int a[n], *x, *A;
    for (int j = 0; j < n; j++)
        a[j] = j;
    //@ input a[h][w]
    cudaMalloc(&x, sizeof a);
    cudaMalloc(&A, sizeof a);
    cudaMemcpy(x, a, sizeof a, cudaMemcpyHostToDevice);
    @shape@
    plane<<<@grid@, @block@>>>(x, A, w, h);
    @behind@
    //@ ensures @ensures@
    cudaFree(x);
    cudaFree(A);
    return 0;
}
"""
MAP = {"if": "column < w && row < h", "do": "A[row * w + column] = x[row * w + column] + 1;", "shape": "", "behind": "",
       "grid": "dim3((w + 15) / 16, (h + 7) / 8)", "block": "dim3(16, 8)", "ensures": "for 0 <= i < h, 0 <= j < w: A[i*w + j] = a[i][j] + 1"}
TRANSPOSE = dict(MAP, do="A[column * h + row] = x[row * w + column];", ensures="for 0 <= i < h, 0 <= j < w: A[j*h + i] = a[i][j]")
# A thread a row, in a column of blocks.
ROWS = dict(MAP, do="""{
        int s = 0;
        for (int k = 0; k < w; k++)
            s += x[row * w + k];
        A[row] = s;
    }""", grid="dim3(1, (h + 63) / 64)", block="dim3(1, 64)", ensures="for 0 <= i < h: A[i] = sum of a[i][k], 0 <= k < w",
            **{"if": "row < h && column == 0"})
# A block a row, of 64 at most.
BLOCKS = dict(ROWS, do="""s[threadIdx.x] = x[blockIdx.y * w + threadIdx.x];
    __syncthreads();
    //@ invariant for 0 <= i < u: s[i] = sum of a[blockIdx.y][k], 0 <= k < w, k mod u = i
    for (int u = 64; u > 1; u /= 2) {
        if (threadIdx.x < u / 2)
            s[threadIdx.x] += s[threadIdx.x + u / 2];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        A[blockIdx.y] = s[0];""", grid="dim3(1, h)", block="64", **{"if": "threadIdx.x < w"})
# Cells of the row below: what its number div w is, is not the row of the thread.
BELOW = dict(MAP, do="A[row * w + column] = x[0];", grid="dim3((2 * w + 15) / 16, (h + 7) / 8)",
             shape="cudaMemcpy(A, x, sizeof a, cudaMemcpyDeviceToDevice);", behind="cudaMemcpy(x, A, sizeof a, cudaMemcpyDeviceToDevice);",
             ensures="for 0 <= i < h, 0 <= j < w: x[i*w + j] = a[i][j]", **{"if": "column >= w && column < 2 * w && row < h - 1"})
# What knows x alone.
LINE = dict(MAP, do="A[column] = x[column] + 1;", grid="(n + 63) / 64", block="64", ensures="for 0 <= i < h, 0 <= j < w: A[i*w + j] = a[i][j] + 1",
            **{"if": "column < w * h"})
SHAPES = {
    "dim3 grid((w + 15) / 16, (h + 7) / 8), block(16, 8);": {},
    "dim3 block(16, 8), grid((w + block.x - 1) / block.x, (h + block.y - 1) / block.y, block.z);": {},
    "const dim3 of{16, 8}, block = of; dim3 grid = dim3((w + 15) / 16, (h + 7) / 8, 1);": {},
    "dim3 blockDim(16, 8), gridDim((w + blockDim.x - 1) / blockDim.x, (h + blockDim.y - 1) / blockDim.y);": {"grid": "gridDim", "block": "blockDim"},
    # A block of one row, and a grid of one column; a name that goals have, too.
    "dim3 block(64), grid((w + 63) / 64, h);": {},
    "int row = h; dim3 block(1, 64), grid(w, (row + 63) / 64);": {},
    "const int p = 16, q = 8;\n//@ requires p <= 32\n//@ requires q <= 32\ndim3 block(p, q), grid((w + p - 1) / p, (h + q - 1) / q);": {},
}

# Each thread takes what lies a stride apart, in floats.
GRID = """#include <math.h>
enum { T = 64, B = 16 };
__global__ void partial(const float *x, float *A, int n)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    float best = -INFINITY;
    for (int i = t; i < n; i += blockDim.x * gridDim.x)
        best = fmaxf(best, x[i]);
    A[t] = best;
}
int main(void)
{
    const int n = 5000;
    float a[n], *x, *A;
    for (int j = 0; j < n; j++)
        a[j] = j;
    //@ requires n <= 2^30
    //@ input a[n]
    cudaMalloc(&x, sizeof a);
    cudaMalloc(&A, B * T * sizeof(float));
    cudaMemcpy(x, a, sizeof a, cudaMemcpyHostToDevice);
    partial<<<B, T>>>(x, A, n);
    //@ ensures for 0 <= t < B*T: A[t] = max of a[j], j mod (B*T) = t
    cudaFree(x);
    cudaFree(A);
    return 0;
}
"""


# Work on a stream of the program's own; @...@ are what a case puts in.
STREAM = """#include <cstdio>
#include <cstdlib>
__global__ void copy(const int *x, int *A, int n)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t < n)
        A[t] = x[t];
}
int main(int argc, char **argv)
{
    const int n = 64;
    //@ requires n <= 1000
    int *a = @new@, *b, *x, *A, first;
    for (int j = 0; j < n; j++)
        a[j] = j;
    //@ input a[n]
    cudaStream_t stream, other;
    cudaEvent_t start, stop;
    cudaSetDevice(0);
    cudaStreamCreate(&stream);
    cudaEventCreate(&start);
    cudaEventCreate(&stop);
    cudaMallocHost(&b, n * sizeof(int));
    cudaMalloc(&x, n * sizeof(int));
    cudaMalloc(&A, n * sizeof(int));
    cudaMemcpyAsync(x, a, n * sizeof(int), cudaMemcpyHostToDevice, stream);
    cudaEventRecord(start, stream);
    @launch@
    cudaEventRecord(stop, stream);
    cudaMemcpyAsync(b, A, n * sizeof(int), cudaMemcpyDeviceToHost, stream);
    cudaMemcpyAsync(&first, A, sizeof(int), cudaMemcpyDeviceToHost, stream);
    @wait@
    //@ ensures for 0 <= i < n: b[i] = a[i]
    //@ ensures first = sum of a[j], j = 0
    float ms;
    cudaEventElapsedTime(&ms, start, stop);
    printf("%f ms\\n", ms);
    cudaStreamDestroy(stream);
    @end@
    cudaFreeHost(b);
    cudaFree(x);
    cudaFree(A);
    delete[] a;
    return 0;
}
"""
IN_ORDER = {"new": "new int[n]", "launch": "copy<<<(n + 63) / 64, 64, 0, stream>>>(x, A, n);", "wait": "cudaStreamSynchronize(stream);", "end": ""}
# Each thread adds up what is its own.
ROUNDED = """__global__ void part(const double *x, @to@ *A, int n)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    @part@
}
int main(void)
{
    const int n = 500;
    double a[n], *x;
    @to@ *A;
    for (int j = 0; j < n; j++)
        a[j] = j - 7;
    //@ requires n <= 2^28
    //@ input a[n]
    cudaMalloc(&x, sizeof a);
    cudaMalloc(&A, 256 * sizeof *A);
    cudaMemcpy(x, a, sizeof a, cudaMemcpyHostToDevice);
    part<<<4, 64>>>(x, A, n);
    //@ ensures for 0 <= t < 256: A[t] = sum of a[j], j mod 256 = t
    cudaFree(x);
    cudaFree(A);
    return 0;
}
"""
# The fold, twice over.
NESTED_LOOPS = """__global__ void fold(int *A, int half)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < half)
        A[i] += A[i + half];
}
int main(void)
{
    int n = 16, *A;
    //@ requires n = 2^k
    int a[n];
    for (int j = 0; j < n; j++)
        a[j] = j;
    //@ input a[n]
    cudaMalloc(&A, sizeof a);
    //@ invariant r >= 0
    for (int r = 0; r < 2; r++) {
        cudaMemcpy(A, a, sizeof a, cudaMemcpyHostToDevice);
        //@ invariant for 0 <= i < w: A[i] = sum of a[j], j mod w = i
        for (int w = n; w > 1; w /= 2)
            fold<<<(w / 2 + 255) / 256, 256>>>(A, w / 2);
        //@ ensures A[0] = sum of a[j]
    }
    cudaFree(A);
    return 0;
}
"""


IN_TURN = """__global__ void copy(const int *x, int *A, int n)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x, i = t;
    @do@
}
int main(void)
{
    const int n = 60;
    //@ requires n <= 2^20
    int a[n], *x, *A;
    for (int j = 0; j < n; j++)
        a[j] = j * 3 + 1;
    //@ input a[n]
    cudaMalloc(&x, sizeof a);
    cudaMalloc(&A, (n + 1) * sizeof *A);
    cudaMemset(A, 0, (n + 1) * sizeof *A);
    cudaMemcpy(x, a, sizeof a, cudaMemcpyHostToDevice);
    copy<<<(n + 31) / 32, 32>>>(x, A, n);
    //@ ensures @ensures@
    cudaFree(x);
    cudaFree(A);
    return 0;
}
"""


class ProveUser(ProveCase):
    EVERY = 5

    def test_crash_of_the_hosts_own_code_refutes_no_goal(self):
        done = self.prove("""#include <stdlib.h>
__global__ void blur(const int *in, int *out, int n)
{
    __shared__ int s[130];
    int i = blockIdx.x * 128 + threadIdx.x, t = threadIdx.x + 1;
    s[t] = i < n ? in[i] : 0;
    if (threadIdx.x == 0)
        s[0] = i > 0 ? in[i - 1] : 0;
    if (threadIdx.x == 127)
        s[129] = i + 1 < n ? in[i + 1] : 0;
    __syncthreads();
    if (i < n)
        out[i] = s[t - 1] + s[t] + s[t + 1];
}
int main()
{
    const int n = 1000;
    int a[n], r[n], *in, *out;
    for (int i = 0; i < n; i++)
        a[i] = i % 10;
    //@ requires n <= 2^20
    cudaMalloc(&in, sizeof a);
    cudaMalloc(&out, sizeof a);
    //@ input a[n]
    cudaMemcpy(in, a, sizeof a, cudaMemcpyHostToDevice);
    blur<<<(n + 127) / 128, 128>>>(in, out, n);
    cudaMemcpy(r, out, sizeof r, cudaMemcpyDeviceToHost);
    //@ ensures for 0 <= i < n: r[i] = sum of a[j], i - 1 <= j <= i + 1
    if (r[1] != a[0] + a[1] + a[2])
        return 1;
    cudaFree(in);
    cudaFree(out);
}
""", "--timeout", "3")
        self.assertNotIn("REFUTED", done.stdout)
        self.assertIn("An '//@ assert' may be missing", done.stdout)
        self.assertEqual(done.returncode, 3, done.stdout + done.stderr)

    def test_quotient_of_a_number_that_may_be_negative_is_not_given(self):
        self.assert_says("""#include <stdlib.h>
__global__ void k(int *a) { a[threadIdx.x] = 0; }
int main(int argc, char **argv)
{
    int n = atoi(argv[1]), *a;
    //@ requires n / 2 >= -3 and n <= 100
    cudaMalloc(&a, 400);
    k<<<1, 1>>>(a);
    //@ ensures a[0] = 0
    cudaFree(a);
}
""", "'n' is not negative", 3)

    def test_sums_of_blocks_are_proved_whatever_the_block(self):
        self.assert_proved(tree(SUM))

    def test_dynamic_shared_memory_has_the_bytes_of_the_launch(self):
        self.assert_proved(tree(DYNAMIC))
        self.assert_says(tree(DYNAMIC, bytes=", T"), "user.cu:10: a thread writes within s", 1)
        self.assert_says(tree(DYNAMIC, bytes=""), "user.cu:10: a thread writes within s", 1)

    def test_shared_memory_at_file_scope(self):
        at_file_scope = dict(DYNAMIC, before="extern __shared__ int s[];", shared="")
        self.assert_proved(tree(at_file_scope))
        self.assert_says(tree(at_file_scope, bytes=", T"), "user.cu:10: a thread writes within s", 1)
        self.assert_says(tree(at_file_scope, shared="extern __shared__ int r[]; r[0] = 1;"), "'r' and 's' are the same memory", 3)
        self.assert_proved(tree(SUM, before="__shared__ int s[T];", shared=""))

    def test_arrays_of_one_name_are_not_one_array(self):
        # What the function leaves in its own array the kernel doesn't read in that of its own.
        put = "__device__ void put(int x) { __shared__ int s[T]; s[threadIdx.x] = x; }"
        text = tree(SUM, before=put).replace("s[t] = i < n ? in[i] : 0;", "put(i < n ? in[i] : 0);")
        self.assert_says(text, "two arrays 's' in shared memory", 3)

    @takes_long
    def test_name_that_nothing_binds_is_refused_at_its_place(self):
        said = "'zzz' is no variable of the program here, and nothing in the law binds it"
        text = tree(SUM, ensures="for 0 <= k < B: out[k] = sum of a[j], floor(j / T) = k, zzz = 5")
        self.assert_says(text, "user.cu:34:73: " + said, 3)
        done = self.cli("run", self.path("user.cu"))
        self.assertIn("user.cu:34:73: " + said, done.stderr)
        self.assertNotIn("declared", done.stderr)
        self.assert_says(tree(SUM, ensures="n = zzz"), "user.cu:34:21: 'zzz' is no variable of the program here\n", 3)
        # Beside other errors the compiler's words are all there.
        self.prove(text.replace("return 0;", "return yyy;"))
        self.assertIn("yyy", self.cli("run", self.path("user.cu")).stderr)

    def test_own_run_that_is_none_of_the_proved_is_said_beside_the_verdict(self):
        text = tree(SUM).replace("n <= 2^30", "n < 1000")
        self.assert_proved(text, shape="and every input, but not of its own run (n = 1000 of line 22, so line 23 is false: requires n < 1000): ")

    @takes_long
    def test_atomics_of_all_blocks_onto_a_cell(self):
        self.assert_proved(tree(ATOMIC))
        self.assert_says(tree(ATOMIC, out="{ atomicAdd(out, s[0]); atomicAdd(out, s[0]); }"), "what that one thread adds to it", 1)
        self.assert_says(tree(ATOMIC, out="*out += s[0]"), "user.cu:18: reduce reads behind a checkpoint or a barrier what it writes", 3)
        self.assert_says(tree(ATOMIC).replace("    cudaMemset(out, 0, B * sizeof(int));\n", ""), "a cell to which no thread adds", 1)
        # A function of the user's own of that name is what it says.
        self.assert_says(tree(ATOMIC, before="__device__ void atomicAdd(int *p, short x) { *p = x; }", out="atomicAdd(out, (short)s[0])"),
                         "user.cu", 3)

    @takes_long
    def test_launch_without_a_law_is_told_where_the_verdict_is_open(self):
        copied = tree(ATOMIC).replace("    //@ ensures ", "    int r;\n    cudaMemcpy(&r, out, sizeof r, cudaMemcpyDeviceToHost);\n"
                                      "    //@ ensures ").replace("ensures out[0]", "ensures r")
        said = "no law directly behind line 33 says what the cells of 'out' hold"
        self.assertIn(f"An '//@ assert' may be missing: {said}.\n", self.prove(copied, "--timeout", "1").stdout)
        self.assertEqual(json.loads(self.prove(copied, "--timeout", "1", "--json").stdout)["missing_law"], said)
        self.assertNotIn("may be missing", self.prove(copied.replace("ensures r", "ensures out[0]"), "--timeout", "1").stdout)
        # Another kernel reads it.
        with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "annotated", "two_launches.cu"), encoding="utf-8") as file:
            lines = file.read().splitlines(True)
        between = next(k for k, line in enumerate(lines) if "//@ assert" in line)
        lines[between] = "\n"
        self.assertIn(f"no law directly behind line {between} says what the cells of 'A' hold", self.prove("".join(lines), "--timeout", "1").stdout)
        asserted = copied.replace("    int r;", "    //@ assert out[0] = sum of a[j]\n    int r;")
        self.assert_proved(asserted)  # whose last line is the verdict
        self.assertNotIn("missing_law", json.loads(self.prove(asserted, "--json").stdout))

    def test_maximum_by_call_choice_and_if(self):
        for parts in (MAX, MAX_CHOICE, MAX_IF):
            self.assert_proved(tree(parts))
        self.assert_proved(GRID, shape="and every input without a NaN")
        self.assert_proved(GRID.replace("best = fmaxf(best, x[i]);", "if (x[i] > best)\n            best = x[i];"))

    def test_minimum_and_maximum_atomically(self):
        unsigned = tree(MAX, neutral="0", out="atomicMax(out, s[0])", ensures="out[0] = max of a[j]").replace("int *", "unsigned *").replace(
            "int s[T]", "unsigned s[T]").replace("int a[n]", "unsigned a[n]").replace(", *in, *out", ", *in, *out")
        self.assert_proved(unsigned)
        self.assert_says(unsigned.replace("atomicMax(out", "atomicMin(out"), "the call of 'atomicMin'", 3)
        self.assert_says(unsigned.replace("atomicMax(out, s[0])", "atomicMax((int *)out, (int)s[0])"), "the call of 'atomicMax'", 3)

    @takes_long
    def test_another_operation_or_element_is_named_with_its_line(self):
        for parts, changes, said in (
                (MAX, {"neutral": "0"}, "user.cu:10: an element that is 0: neutral to max is -2147483648 alone"),
                (MAX, {"neutral": "-2147483647"}, "an element that is -2147483647: neutral to max"),
                (MAX, {"step": "if (t < w / 2) s[t] = min(s[t], s[t + w / 2]);"}, "user.cu:14: the min of elements, of which the laws are of max"),
                (MAX, {"step": "if (t < w / 2) s[t] += s[t + w / 2];"}, "user.cu:14: '+=' of elements, of which the laws are of max"),
                (MAX, {"step": "if (t < w / 2) s[t] = max((unsigned)s[t], (unsigned)s[t + w / 2]);"}, "user.cu:14: an element that becomes one of another order"),
                (MAX_IF, {"step": "if (t < w / 2 && s[t + w / 2] < s[t]) s[t] = s[t + w / 2];"}, "user.cu:14: the min of elements"),
                (MAX_IF, {"step": "if (t < w / 2 && s[t + w / 2] > s[0]) s[t] = s[t + w / 2];"}, "user.cu:14: '>' of elements"),
                (MAX_CHOICE, {"step": "if (t < w / 2) s[t] = s[t] > s[t + w / 2] ? s[t] : s[w / 2];"}, "user.cu:14: '>' of elements"),
                (MAX, {"ensures": "for 0 <= k < B: out[k] = sum of a[j], floor(j / T) = k"}, "a reduction by a second operation"),
                (SUM, {"step": "if (t < w / 2) s[t] = max(s[t], s[t + w / 2]);"}, "the max of elements, of which the laws are of sum")):
            with self.subTest(said=said):
                self.assert_says(tree(parts, **changes), said, 3)
        self.assert_says(GRID.replace("-INFINITY", "-3.4e38f"), "neutral to max is -INFINITY alone", 3)
        self.assert_says(GRID.replace("-INFINITY", "INFINITY"), "an element that is INFINITY", 3)

    def test_each_operation_is_proved_and_a_fault_in_it_is_not(self):
        for name, said, status, changes in (
                ("product", "an element that is 0: neutral to product is 1 alone", 3, {"neutral": "0"}),
                ("and", "an element that is 255: neutral to and is -1 alone", 3, {"out": "out[blockIdx.x] = s[0] & 255"}),
                ("or", "'+=' of elements, of which the laws are of or", 3, {"step": "if (t < w / 2) s[t] += s[t + w / 2];"}),
                ("xor", "the operator '~' of such an operand", 3, {"out": "out[blockIdx.x] = ~s[0]"}),
                ("min", "what a thread writes is what the law says", 1, {"out": "out[blockIdx.x] = s[2]"})):
            with self.subTest(operation=name):
                self.assert_proved(tree(OPERATIONS[name]))
                self.assert_says(tree(OPERATIONS[name], **changes), said, status)

    def halves(self, case, step="h /= 2", threads=64):
        """The tree whose variable is what a thread adds from, as most write it: it ends at 0."""
        text = tree(case).replace("#define T 64", f"#define T {threads}").replace("w / 2", "h")
        return (text.replace("i < w: ", "i < max(2*h, 1): ").replace("j mod w", "j mod max(2*h, 1)")
                .replace("int w = T; w > 1; w /= 2", f"int h = T / 2; h > 0; {step}"))

    @takes_long
    def test_loop_that_falls_from_a_number_to_none(self):
        self.assert_proved(self.halves(SUM))
        self.assert_proved(self.halves(MAX, step="h >>= 1", threads=256))
        self.assert_says(self.halves(SUM, threads=96), "what a thread writes is what the law says", 1)
        self.assert_says(self.halves(SUM).replace("h = T / 2", "h = T / 4"), "what the law says", 1)
        self.assert_says(self.halves(SUM).replace("h > 0", "h > 1"), "what the law says", 1)

    @takes_long
    def test_bound_that_is_missing_is_named(self):
        said = "A bound of n, as in '//@ requires n <= 2^"
        self.assertIn(said, " ".join(self.prove(tree(SUM).replace("    //@ requires n <= 2^30\n", "")).stdout.split()))
        self.assertNotIn("A bound of", self.prove(tree(SUM)).stdout)

    def test_bound_of_a_number_that_the_file_does_not_set_is_named_too(self):
        text = self.host(dict(ONCE, launch="copy<<<(n + 127) / 128, 128>>>(x, A, n);")).replace("n = 64, m", "n = argc > 1 ? atoi(argv[1]) : 64, m")
        text = text.replace("a[1000]", "a[n]").replace("j < 1000", "j < n")
        self.assert_says(text.replace("2 <= n <= 1000", "n >= 2"), "A bound of n, as in '//@ requires n <= 2^30', may be missing above the lines", 3)
        # A power of two below 2^31 is 2^30 at most.
        self.assert_proved(text.replace("2 <= n <= 1000", "n = 2^k"), shape="where n = 2^k and m <= 100")
        self.assert_proved(self.host(dict(ONCE, launch="copy<<<(n + 127) / 128, 128>>>(x, A, n);")).replace("2 <= n <= 1000", "n = 2^k").replace("a[1000]", "a[n]"))

    def test_number_that_literals_make_may_be_any(self):
        text = self.host(ONCE).replace("<<<1, 64>>>", "<<<(n + 63) / 64, 64>>>")
        for made, own in (("n = 1 << 6, m = 30", 64), ("n = (1u << 4) * 3 + 0x10, m = 30", 64), ("m = 30; int n; n = 8 * 8", 64)):
            with self.subTest(made=made):
                self.assert_proved(text.replace("n = 64, m = 30", made), shape=f"every n from 1 to 2^31 - 1 (for the {own} of line 10)")
                done = self.cli("run", self.path("user.cu"), "--number", "n=7")
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        for made, said in (("n = 5 - 7, m = 30", "but not of its own run (n of line 10 is -2): "), ("n = 5 / 7, m = 30", "but not of its own run (n of line 10 is 0): ")):
            self.assert_proved(text.replace("n = 64, m = 30", made), shape=said)
        self.assert_says(text.replace("n = 64, m = 30", "n = 1 << 40, m = 30"), "a shift is by less than the bits of its type", 3)
        self.assert_proved(text.replace("n = 64, m = 30", "n = 64 * sizeof(char), m = 30"), shape="every m from 1 to ")

    @takes_long
    def test_names_of_cuda_are_the_systems(self):
        copy = self.copy("@call@\n    if (t < n)\n        out[t] = in[t];")
        for defined, call in (("__device__ void __syncthreads(int *p) { *p = 5; }", "__syncthreads(out);"),
                              ("__device__ void __threadfence(int *p) { *p = 5; }", "__threadfence(out);"),
                              ("namespace q { __device__ void __syncthreads() {} }", "s[threadIdx.x] = 1; q::__syncthreads(); p = s[63 - threadIdx.x];")):
            with self.subTest(call):
                done = self.prove(f"{defined}\n" + copy.replace("@call@", call))
                self.assertNotIn("\nPROVED", done.stdout)
        place = "struct Q { unsigned x; };\nnamespace q { __device__ const Q gridDim = {5}; }\n"
        self.assert_says(place + copy.replace("@call@", "if (q::gridDim.x != 1) return;"), "that the prover knows", 3)

    def test_bound_that_names_the_variable_is_no_bound(self):
        loop = "int q = 1;\n    while (q < n / q)\n        q *= 2;\n    if (t < n && q * 2 > n)\n        out[t] = in[t];"
        self.assert_says(self.copy(loop), "whose number of trips is not known", 3)

    def test_return_in_a_loop_of_a_function_is_not_passed_over(self):
        text = self.copy("if (t < n)\n        out[t] = in[t];")
        launch = "copy<<<(n + 63) / 64, 64>>>(in, aux, out, n, m);"
        go = "static void go(int *in, int *aux, int *out, int n, int m)\n{\n    for (int k = 0; k < 9; k++)\n        if (k == 3)\n            return;\n    " + launch + "\n}\n"
        moved = text.replace(launch, "go(in, aux, out, n, m);").replace("int main(void)", go + "int main(void)")
        self.assert_says(moved, "in a loop without an invariant", 3)
        self.assert_proved(moved.replace("            return;\n", "            break;\n"))

    def test_code_that_runs_where_none_is_written_is_not_passed_over(self):
        text = self.copy("if (t < n)\n        out[t] = in[t];").replace("    //@ ensures", "    @here@\n    //@ ensures")
        clears = "struct G { int *p; ~G() { cudaMemset(p, 0, 4); } };\n"
        member = "static int *kept;\nstruct G { int *p = (cudaMemset(kept, 0, 4), kept); };\n"
        attribute = "static void clear(int **p) { cudaMemset(*p, 0, 4); }\n"
        acting = "an object of a type with a constructor, a destructor or members with initial values"
        for before, here, said in ((clears, "{ G g = {out}; }", acting), (clears, "G{out};", acting),
                                   (clears, "{ std::vector<G> g(1); }", acting), (member, "kept = out; { G g; }", acting),
                                   (attribute, "{ int *p __attribute__((cleanup(clear))) = out; }", "a variable with an attribute")):
            with self.subTest(here):
                self.assert_says("#include <vector>\n" + before + text.replace("@here@", here), said, 3)
        self.assert_proved("struct G { int *p; };\n" + text.replace("@here@", "{ G g = {out}; [[maybe_unused]] int k = 3; }"))

    @takes_long
    def test_what_runs_beside_main_is_refused(self):
        text = self.copy("if (t < n)\n        out[t] = in[t];")
        bad = "__global__ void bad(int *p) { p[5] = 1; }\nstatic int go(void) { int *p; cudaMalloc(&p, 4); bad<<<1, 1>>>(p); return 1; }\n"
        acting = "an object of a type with a constructor, a destructor or members with initial values"
        chosen = "a constructor, destructor, ifunc or alias function: code outside main()"
        for beside, said in (("static int h = go();", "worked out before main()"), ("static int h = [] { return go(); }();", "worked out before main()"),
                             ("struct S { static int h; };\nint S::h = go();", "worked out before main()"),
                             ("struct S { inline static int h = go(); };", "worked out before main()"),
                             ("struct S { ~S() { go(); } };\nstatic S s;", acting), ("__attribute__((constructor)) static void init(void) { go(); }", chosen),
                             ("[[gnu::destructor]] static void end(void) { go(); }", chosen)):
            with self.subTest(beside):
                self.assert_says(bad + beside + "\n" + text, said, 3)
        self.assert_proved("#include <vector>\nstatic int kept = 3;\nstatic std::vector<int> v;\n" + text)
        within = text.replace("int main(void)\n{", "namespace q { int main(void)\n{") + "}\nint main(void) { go(); return q::main(); }\n"
        self.assertNotIn("\nPROVED", self.prove(bad + within, "--timeout", "3").stdout)

    def test_functions_of_one_line_are_told_apart(self):
        two = "namespace q { static int f(unsigned v) { return 0; } static int f(int v) { return 1; } }\n"
        text = two + self.copy("if (t < n)\n        out[t] = in[t];").replace("    //@ ensures", "    int k = q::f(0);\n    //@ ensures k = @k@\n    //@ ensures")
        self.assert_proved(text.replace("@k@", "1"))
        self.assertNotIn("\nPROVED", self.prove(text.replace("@k@", "0"), "--timeout", "3").stdout)

    @takes_long
    def test_launch_bounds_bound_the_block(self):
        text = tree(SUM).replace("__global__ void reduce", "__global__ void __launch_bounds__(@most@) reduce")
        self.assert_proved(text.replace("@most@", "T"))
        self.assert_proved(text.replace("@most@", "128, 2"))
        self.assert_says(text.replace("@most@", "32"), "a block has no more threads than the kernel's launch bounds", 1)
        self.assert_says(text.replace("@most@", "T + 1"), "which are no number", 3)
        behind = tree(SUM).replace("int main(void)", "__global__ void __launch_bounds__(32) reduce(const int *in, int *out, int n);\nint main(void)")
        self.assert_says(behind, "a block has no more threads than the kernel's launch bounds", 1)

    def test_header_that_counts_as_the_systems_is_refused(self):
        own = os.path.join(self.folder, "own.h")
        with open(own, "w", encoding="utf-8") as file:
            file.write("#pragma GCC system_header\n__device__ inline int max(int x, char y) { return 5; }\n")
        self.assert_says('#include "own.h"\n' + self.copy("if (t < n)\n        out[t] = in[t];"), "counts as a system's header", 3)

    def test_fault_in_a_maximum_is_refuted(self):
        self.assert_says(tree(MAX, step="if (t < w / 2) s[t] = max(s[t], s[t + w / 2 - 1]);"), "what a thread writes is what the law says", 1)
        self.assert_says(GRID.replace("i < n;", "i < n - 1;"), "what a thread writes is what the law says", 1)

    def copy(self, loop, element="int"):
        return COPY.replace("@loop@", loop).replace("@element@", element)

    def test_inner_loop_ends_otherwise_in_each_trip_of_the_outer_one(self):
        self.assert_says(self.copy(INNER), "This run fails", 1)

    def test_condition_that_writes_as_it_ends_a_loop_is_not_passed_over(self):
        loop = "if (t < n) out[t] = in[t];\n    for (int i = 0; more(out, s, i, m, t, n); i++)\n        s[threadIdx.x] = 0;"
        self.assert_says(self.copy(loop), "a loop without a checkpoint whose number of trips is not known", 3)

    def test_law_is_of_one_type(self):
        copied = "if (t < n)\n        out[t] = in[t];"
        self.assert_proved(self.copy(copied))
        self.assert_says(self.copy(copied, "unsigned"), "a law of an array of another type than the inputs'", 3)

    @takes_long
    def test_law_of_no_cell_is_not_proved(self):
        self.assert_says(tree(SUM, ensures="for B <= k < B: out[k] = 5"), "a law that claims no cell", 3)
        self.assert_says(tree(SUM, ensures="when n = 0: out[0] = 5"), "the hypotheses contradict each other", 3)

    @takes_long
    def test_runs_that_end_before_the_law_are_left_out_and_said(self):
        text = self.copy("if (t < n)\n        out[t] = in[t];").replace("    int a[n],", "    if (n > 50)\n        return 0;\n    int a[n],")
        self.assert_proved(text, shape=", in runs that don't end early, as at line 25: ")
        self.assert_says(text.replace("n > 50", "n > 1"), "the hypotheses contradict each other", 3)

    def test_shared_variable_is_told_from_an_array(self):
        self.assert_says(tree(SUM, shared="__shared__ int s[T];\n    __shared__ int last;"), "a shared variable that is no array", 3)

    @takes_long
    def test_run_without_an_end_is_ended(self):
        endless = "for (unsigned r = m; r >= 0; r--)\n        __syncthreads();\n    if (t < n)\n        out[t] = in[t];"
        self.assert_says(self.copy(endless), "OPEN", 3)

    @takes_long
    def test_code_that_asks_who_compiles_it_is_not_proved(self):
        written = "if (t < n)\n        out[t] = in[t]{};"
        said = "user.cu:18: code that differs by a macro of the compiler's own"
        for condition in ("ifndef __CUDA_ARCH__", "ifdef __clang__", "if __GNUC__ == 4"):
            with self.subTest(condition=condition):
                self.assert_says(self.copy(f"int q = 1;\n#{condition}\n    q = 0;\n#endif\n    " + written.format(" + q")), said, 3)
        # A header of the program's is one however it is come to; one that counts as the system's is refused; one that hides nothing is read.
        differs, counts, pragma = "code that differs", "counts as a system's header", "#pragma GCC system_header\n"
        elsewhere = tempfile.mkdtemp(prefix="reductio-")
        self.addCleanup(shutil.rmtree, elsewhere)
        os.symlink(elsewhere, self.path("link"))
        text = '#include "own.h"\n' + self.copy(written.format(""))
        by_folder = text.replace('"own.h"', "<own.h>")
        for before, said, where in (("", differs, self.folder), (pragma, counts, self.folder), ("", differs, elsewhere), (pragma, counts, elsewhere)):
            with open(os.path.join(where, "own.h"), "w", encoding="utf-8") as file:
                file.write(before + "#ifdef __clang__\n#define PLUS 0\n#else\n#define PLUS 1\nint q;\n#endif\n")
            if where == self.folder:
                self.assert_says(text, said, 3)
                os.remove(self.path("own.h"))
                continue
            for name in (os.path.join(elsewhere, "own.h"), os.path.join(self.path("link"), "own.h")):
                with self.subTest(name=name, before=before):
                    self.assert_says(text.replace("own.h", name), said, 3)
            for folder in (elsewhere, self.path("link"), os.path.join(elsewhere, "..", os.path.basename(elsewhere))):
                with self.subTest(folder=folder, before=before):
                    self.assert_says(by_folder, counts, 3, "-isystem", folder)
            for variable in ("CPATH", "CPLUS_INCLUDE_PATH"):
                with self.subTest(variable=variable, before=before):
                    self.environment[variable] = elsewhere
                    self.assert_says(by_folder, counts if variable == "CPLUS_INCLUDE_PATH" else said, 3)
                    del self.environment[variable]
        self.assert_proved("#ifndef __CUDACC__\n#error\n#endif\n#include <assert.h>\n#include <math.h>\n" + self.copy(written.format("")).replace(
            "    cudaFree(in);", "    assert(n < INFINITY);\n    cudaFree(in);"))

    def test_text_that_hides_from_the_comparison_is_not_proved(self):
        with open(self.path("own.h"), "w", encoding="utf-8") as file:
            file.write('int q;\n # 1 "/usr/include/x.h" 1 3\n#ifdef __clang__\n#define PLUS 0\n#else\n#define PLUS 1\n#endif\n')
        with open(self.path("cuda.h"), "w", encoding="utf-8") as file:
            file.write("#define PLUS 1\n")
        kernel = self.copy("if (t < n)\n        out[t] = in[t] + PLUS;")
        for text, said in (('#include "own.h"\n' + kernel, "own.h:2: a directive that says which line"),
                           ("#define PLUS 0\n/*\n*/# /* */\\\n7\n" + kernel, "user.cu:3: a directive that says which line"),
                           ("#define PLUS 0\n#\\ \n\\\n1\n" + kernel, "user.cu:2: a directive that says which line"),
                           ("#define PLUS 0\n#ifdef RD_PR\\\nOVE_CUDA_H\n#endif\n" + kernel, "a name that begins with 'rd_prove'"),
                           ("#ifdef RD_PROVE_CUDA_H\n#define PLUS 0\n#else\n#define PLUS 1\n#endif\n" + kernel, "a name that begins with 'rd_prove'"),
                           ('#define PLUS 0\n#undef PLUS\n#include "cuda.h"\n#ifndef PLUS\n#define PLUS 0\n#endif\n' + kernel, "This run fails")):
            with self.subTest(said=said):
                self.assert_says(text, said, 1 if "fails" in said else 3)
        self.assert_proved("#include <cuda.h>\n#include <cuda_runtime.h>\n// # 12\n" + kernel.replace("PLUS", "0"))

    def host(self, parts, of=HOST, **more):
        return fill(of, parts, **more)

    def test_launch_of_no_threads_is_known_to_be_none(self):
        self.assert_proved(self.host(HALVES, least="0"))
        self.assert_says(self.host(HALVES, least="1"), "This run fails", 1)

    def test_function_that_returns_a_shape_is_none_of_its_arguments(self):
        text = self.host(ONCE, launch="copy<<<grid(n), 1>>>(x, A, n);")
        self.assert_proved(text.replace("grid(n)", "dim3(n)"))
        for shape in ("n - 1", "n"):
            with self.subTest(shape=shape):
                of_own = f"static dim3 grid(int n) {{ return dim3({shape}); }}\n" + text
                self.assert_says(of_own, "user.cu:1: the call of 'dim3'", 3)

    def assert_plane(self, parts, **more):
        self.assert_proved(fill(PLANE, parts, **more), shape="every w from 1 to 2^31 - 1 (for the 37 of line ")

    def test_threads_in_two_dimensions_are_told_by_row_and_column(self):
        for parts in (MAP, TRANSPOSE, ROWS, dict(ROWS, **{"if": "row < h"}), LINE):
            with self.subTest(parts=parts):
                self.assert_plane(parts)

    def blocks(self, parts, **more):
        zeros = "    __shared__ int s[64];\n    s[threadIdx.x] = 0;\n"
        return fill(PLANE, parts, **more).replace("w <= 2^14", "w <= 64").replace("    if (threadIdx.x < w)", zeros + "    if (threadIdx.x < w)")

    @takes_long
    def test_sum_of_a_row_by_its_block(self):
        self.assert_proved(self.blocks(BLOCKS), shape="where w <= 64 and h <= 2^14")
        self.assert_says(self.blocks(BLOCKS, block="dim3(64, 2)"), "This run fails", 1)
        self.assert_says(self.blocks(BLOCKS, grid="dim3(2, h)"), "This run fails", 1)

    @takes_long
    def test_what_a_launch_in_two_dimensions_leaves_is_not_known_without_a_law(self):
        self.assert_says(fill(PLANE, BELOW), "This run fails", 1)
        right = fill(PLANE, TRANSPOSE, behind=BELOW["behind"], ensures=TRANSPOSE["ensures"].replace("A[", "x["))
        self.assert_says(right, "no law directly behind line 21 says what the cells of 'A' hold", 3)
        self.assert_proved(right.replace("    cudaMemcpy(x, A", f"    //@ assert {TRANSPOSE['ensures']}\n    cudaMemcpy(x, A"),
                           shape="where w <= 2^14 and h <= 2^14")

    @takes_long
    def test_number_that_is_called_as_one_of_the_goals_is_not_that_one(self):
        # What is there is right already, so that a launch of which nothing came to write would be.
        wrong = fill(PLANE, MAP, shape=BELOW["shape"], ensures="for 0 <= i < h, 0 <= j < w: A[i*w + j] = a[i][j]",
                     **{"if": "column < w && row < h && blockIdx.y < h && threadIdx.y < h"})
        for name in ("row", "t_y", "b_y"):
            with self.subTest(name=name):
                kernel, main_function = wrong.split("int main")
                self.assert_says(kernel + "int main" + re.sub(r"\bh\b", name, main_function), "This run fails", 1)

    def test_shapes_are_read_as_they_are_written(self):
        for shape, more in SHAPES.items():
            with self.subTest(shape=shape):
                self.assert_plane(MAP, shape=shape, **dict({"grid": "grid", "block": "block"}, **more))

    @takes_long
    def test_fault_in_two_dimensions_is_refuted(self):
        for goal, parts in (
                ("no other thread writes", dict(LINE, block="dim3(64, 2)")),
                ("no other thread writes", dict(LINE, grid="dim3((n + 63) / 64, 2)")),
                ("no other thread writes", dict(ROWS, block="dim3(2, 64)", **{"if": "row < h"})),
                ("what a thread writes", dict(ROWS, do=ROWS["do"].replace("k = 0", "k = 1"))),
                ("what a thread writes", dict(TRANSPOSE, do="A[column * w + row] = x[row * w + column];")),
                ("a thread reads within x", dict(MAP, **{"if": "column < w"})),
                ("a cell that no thread writes", dict(MAP, grid="dim3((h + 15) / 16, (w + 7) / 8)")),
                ("a block has 1 to 1024 threads", dict(MAP, block="dim3(16, 65)"))):
            with self.subTest(goal=goal, parts=parts):
                done = self.prove(fill(PLANE, parts), "--timeout", "3")
                self.assertIn("This run fails", done.stdout)
                self.assertRegex(done.stdout, f"(?m)^  REFUTED .*{goal}")
                self.assertEqual(done.returncode, 1)

    @takes_long
    def test_what_is_not_told_in_two_dimensions_is_refused(self):
        warp = "int v = __shfl_down_sync(~0u, x[0], 0); A[row * w + column] = v;"
        for said, parts in (("user.cu:21: a launch in three dimensions", dict(MAP, block="dim3(16, 8, 2)")),
                            ("user.cu:21: a launch in three dimensions", dict(MAP, grid="dim3(w, h, h)")),
                            ("user.cu:5: lanes of a block of two dimensions", dict(MAP, do="{ " + warp + " }")),
                            ("user.cu:4: '__syncthreads_or' in a block of two", dict(MAP, **{"if": "__syncthreads_or(threadIdx.y == 1)"})),
                            ("which thread adds the counted input can't be told", dict(MAP, do="atomicAdd(A, x[0]);", shape="cudaMemset(A, 0, sizeof a);")),
                            ("user.cu:20: a statement of the host", dict(MAP, shape="dim3 block(16, 4); block.y = 8;", block="block")),
                            ("user.cu:20: the variable 'of'", dict(MAP, shape="dim3 block(16, 4), &of = block; of.y = 8;", block="block"))):
            with self.subTest(said=said):
                self.assert_says(fill(PLANE, parts), said, 3)

    @takes_long
    def test_number_that_may_be_negative_is_what_requires_says(self):
        text = self.host(dict(ONCE, launch="copy<<<(n + 63) / 64, 64>>>(x, A, n);")).replace("n = 64, m", "n = argc > 1 ? atoi(argv[1]) : 64, m")
        for requires in ("1 <= n and n <= 1000", "n - 1 >= 0 and n <= 1000", "n mod 4 = 0 and 0 < n < 1000", "n = 4 or n = 8", "n = 2^k and n < 1000", "n div 4 = 6 and n > 0"):
            with self.subTest(requires=requires):
                self.assert_proved(text.replace("2 <= n <= 1000", requires), shape=f"where {requires} and m <= 100")
        for requires, line in (("n + 1 <= 5", 16), ("n <= 1000", 16), ("n * n <= 100", 16), ("n mod 4 = 0 and n < 1000", 16), ("n / 4 < 9", 16), ("n div 4 = 6", 11), ("n != 0 and n < 9", 16),
                               ("2^n <= 100", 11), ("bit_ceil(n) <= 64", 11), ("m mod n = 0 and n < 1000", 11), ("not (n >= 9 or n < 0 and n > 0)", 16)):
            with self.subTest(requires=requires):
                done = self.prove(text.replace("2 <= n <= 1000", requires), "--timeout", "3")
                self.assertRegex(done.stdout, f"(OPEN|REFUTED) +line {line}: 'n' is not negative")

    def test_run_that_breaks_what_is_required_refutes_nothing(self):
        text = self.host(ONCE).replace("n = 64, m", "n = argc > 1 ? atoi(argv[1]) : 64, m").replace("2 <= n <= 1000", "n <= 10")
        self.assert_says(text, "the file's own numbers are not as its 'requires' says", 3)

    def test_what_is_not_covered_is_said_in_words_of_the_file(self):
        squares = self.host(ONCE, ensures="for 0 <= i < n: A[i] = in[i] * in[i]").replace("int a[1000]", "int in[1000]").replace("a[j]", "in[j]").replace("a[n]", "in[n]")
        squares = squares.replace("sizeof a", "sizeof in").replace("x, a,", "x, in,")
        kernel = "    int t = blockIdx.x"
        for text, said in ((squares, "user.cu:22: 'in[i] * in[i]': a product with two elements of the same array: laws are proved that are sums of elements, each times a number"),
                           (self.host(ONCE).replace("for (int j = 0; j < 1000; j++)", "for (int &j : a)").replace("a[j] = j", "j = 3"),
                            "user.cu:14: a range-based for: write for (int i = 0; i < n; i++)\n"),
                           (self.host(ONCE).replace(kernel, "    int *q = 0; q[1] = 3;\n" + kernel), "user.cu:4: an index into 'q', which is no array that the prover knows")):
            with self.subTest(said=said):
                self.assert_says(text, said, 3)
        done = self.cli("prove", self.path("user.cu"), "--", "4")
        self.assertIn("'4' behind '--' is an argument of a run: a proof is of runs with any, and takes none", done.stderr)
        self.assertEqual(done.returncode, 2)

    def test_input_that_some_runs_do_not_meet_is_refused(self):
        some = "if (argc > 1 && n > 5) {\n        //@ input a[n - 5]\n        exit(0);\n    }"
        self.assert_says(self.host(ONCE, **{"input": some, "from": "n > 5 ? t : 1000 + t", "ensures": "n >= 1"}),
                         "an input within an 'if' or a loop", 3)

    def test_run_that_fails_has_another_n_and_other_inputs_than_the_file(self):
        reversed_copy = self.host(ONCE, **{"from": "n - 1 - t"}).replace("a[j] = j", "a[j] = 1")
        self.assert_says(reversed_copy, "user.cu --number n=2 --number m=1 --values random --device sim", 1)
        done = self.cli("run", self.path("user.cu"), "--number", "q=3")
        self.assertIn("'--number' sets 'q', and no 'requires' or 'input' names a variable of that name", done.stderr)
        self.assertEqual(done.returncode, 2)

    @takes_long
    def test_work_on_one_stream_is_in_order_and_the_host_waits_for_it(self):
        self.assert_proved(self.host(IN_ORDER, STREAM))
        waits = IN_ORDER["wait"]
        launches = IN_ORDER["launch"]
        for said, changes in (
                ("a second stream", {"launch": "cudaStreamCreate(&other);\n" + launches}),
                ("a stream that is not known", {"launch": launches.replace("stream", "other")}),
                ("a stream that is not known", {"launch": launches.replace("stream", "(cudaStream_t)2")}),
                ("a stream that is not known", {"launch": "cudaStreamDestroy(stream);\n" + launches}),
                ("work on one stream behind that on another", {"launch": launches.replace(", 0, stream", "")}),
                ("work on one stream behind that on another", {"wait": "cudaMemcpy(A, x, 4, cudaMemcpyDeviceToDevice);\n" + waits}),
                ("within an 'if' or a loop", {"launch": "if (argc > 1) {\n" + launches + "}"}),
                ("'a' is changed while a copy of it may be under way", {"launch": "a[1] = 5;\n" + launches}),
                ("'a' is changed while a copy of it may be under way", {"launch": "delete[] a;\n" + launches}),
                ("'b' is changed while a copy of it may be under way", {"wait": "b[1] = 5;\n" + waits}),
                ("'first' is used while a copy to it may be under way", {"wait": "first = 5;\n" + waits}),
                ("an asynchronous copy from a variable", {"wait": waits + "\ncudaMemcpyAsync(A, &first, 4, cudaMemcpyHostToDevice, stream);"}),
                ("an asynchronous copy within the host", {"wait": waits + "\ncudaMemcpyAsync(b, a, 4, cudaMemcpyHostToHost, stream);"}),
                ("another device than 0", {"wait": "cudaSetDevice(1);\n" + waits})):
            with self.subTest(said=said):
                self.assert_says(self.host(IN_ORDER, STREAM, **changes), said, 3)

    def test_law_of_what_the_host_has_not_waited_for_is_refused(self):
        for wait in ("cudaEventSynchronize(stop);", "if (argc > 1)\n        cudaStreamSynchronize(stream);"):
            with self.subTest(wait=wait):
                text = self.host(IN_ORDER, STREAM, wait=wait)
                self.assert_says(text, "a law of 'b' while a copy to it may be under way", 3)
                text = text.replace("    //@ ensures for 0 <= i < n: b[i] = a[i]\n", "")
                self.assert_says(text, "'first' is used while a copy to it may be under way", 3)

    def test_wait_for_another_stream_is_none(self):
        text = self.host(IN_ORDER, STREAM, launch=IN_ORDER["launch"].replace(", 0, stream", ""))
        text = text.replace("Host, stream)", "Host)").replace("Device, stream)", "Device)")
        self.assert_says(text, "a law of 'b' while a copy to it may be under way", 3)

    @takes_long
    def test_negative_constants_are_negative(self):
        head = "constexpr int L = -1;\nenum { E = -2 };\ntemplate <int N> __device__ int of(int x) { return N < 0 ? 7 : x; }\n"
        for value in ("of<-1>(in[t])", "L < 0 ? 7 : in[t]", "E < 0 ? 7 : in[t]"):
            with self.subTest(value=value):
                self.assert_says(head + self.copy(f"if (t < n) out[t] = {value};"), "This run fails", 1)

    @takes_long
    def test_leak_refutes_no_law(self):
        text = self.host(IN_ORDER, STREAM).replace("requires n <= 1000", "requires n >= 1")
        self.assertIn("cudaFree(A);", text)
        self.assert_says(text.replace("cudaFree(A);", ""), "OPEN: ", 3)

    def test_trip_that_passes_by_the_step_of_its_loop_is_not_passed_over(self):
        loop = "int i = t;\n    while (i < n) {\n        @more@p += in[i];\n        i += n;\n    }\n    if (t < n)\n        out[t] = p;"
        self.assert_proved(self.copy(loop.replace("@more@", "")))
        self.assert_says(self.copy(loop.replace("@more@", "if (i == m) {\n            i += n;\n            continue;\n        }\n        ")),
                         "a loop without a checkpoint whose number of trips is not known", 3)

    @takes_long
    def test_promise_behind_the_loop_of_a_kernel_follows_from_its_invariant(self):
        last, said = "    if (t == 0)", "user.cu:17: what the law says behind the loop follows from its invariant"
        right = "ensures s[0] = sum of a[j], floor(j / T) = blockIdx.x"
        self.assertIn(f"PROVED  reduce, from line 13 at w@0 to its end: {self.path('user.cu')[:-7]}{said}",
                      self.prove(tree(SUM).replace(last, f"    //@ {right}\n{last}")).stdout)
        for promise in (right, right.replace("ensures", "assert"), right.replace("s[0]", "for 0 <= i < 1: s[i]")):
            with self.subTest(promise=promise):
                self.assert_proved(tree(SUM).replace(last, f"    //@ {promise}\n{last}"))
        for promise, status in ((right.replace("s[0]", "s[1]"), 1), (right.replace(", floor(j / T) = blockIdx.x", ""), 1), (right.replace("s[0]", "s[64]"), 3),
                                (right.replace("s[0]", "for 0 <= i < 2: s[i]"), 1)):
            with self.subTest(promise=promise):
                self.assert_says(tree(SUM).replace(last, f"    //@ {promise}\n{last}"), f"{said}\n", status)
        # The invariant says less where the loop ends earlier, or elsewhere in each thread.
        self.assert_says(tree(SUM).replace(last, f"    //@ {right}\n{last}").replace("w > 1", "w > 2"), said, 1)
        self.assert_says(tree(SUM).replace(last, f"    //@ {right}\n{last}").replace("w > 1", "w > 1 + t"), "all threads of the block come to", 1)

    @takes_long
    def test_promise_elsewhere_in_a_kernel_is_one_open_goal(self):
        last, right = "    if (t == 0)", "//@ ensures s[0] = sum of a[j], floor(j / T) = blockIdx.x"
        said = "an annotation in a kernel is proved directly behind a loop, of the array of its invariant alone"
        for promise in (f"int q = 5;\n    {right}", f"if (n > 5) {{\n    {right}\n    }}", "\n    //@ ensures n >= 1", "\n    //@ ensures s[t] = sum of a[j]"):
            with self.subTest(promise=promise):
                done = self.prove(tree(SUM).replace(last, f"    {promise}\n{last}"), "--timeout", "3")
                self.assertIn(f"user.cu:18: {said}", done.stdout)
                self.assertRegex(done.stdout.splitlines()[-1], r"^OPEN: \S+: (\d+) of (?!\1)\d+ goals proved")
                self.assertEqual(len(re.findall(r"(?m)^  (OPEN|REFUTED)", done.stdout)), 1)
        self.assert_says(tree(SUM).replace(last, f"    if (t == 5)\n        s[0] = 7;\n    {right}\n{last}"), said, 1)
        self.assert_says(tree(SUM).replace(last, f"    //@ requires n >= 1\n{last}"), "line 17: a 'requires' or an 'input' in a kernel", 3)

    def test_new_is_read_of_arrays_without_values(self):
        for new in ("new int(n)", "new int[n]()"):
            with self.subTest(new=new):
                self.assert_says(self.host(IN_ORDER, STREAM, new=new), "CXXNewExpr", 3)
        self.assert_says(self.host(IN_ORDER, STREAM, new="new int[n - 1]"), "the input is within its array", 1)

    @takes_long
    def test_branches_in_branches_of_the_host(self):
        self.assert_proved(self.host(NESTED, most="14"))
        self.assert_says(self.host(NESTED, most="13"), "n = 8", 3)

    def test_element_that_is_rounded_is_not_passed_over(self):
        part = "@to@ s = 0; for (int i = t; i < n; i += 256) s += x[i]; A[t] = s;"
        self.assert_proved(fill(ROUNDED, {"part": part, "to": "double"}))
        for to, part in (("float", part), ("double", part.replace("@to@ s", "float s")),
                         ("float", part.replace("@to@ s", "double s")), ("double", part.replace("x[i]", "(float)x[i]"))):
            with self.subTest(to=to, part=part):
                self.assert_says(fill(ROUNDED, {"part": part, "to": to}), "an element that is rounded", 3)

    def test_loops_with_invariants_may_stand_within_each_other(self):
        self.assert_proved(NESTED_LOOPS)
        self.assert_says(NESTED_LOOPS.replace("A[i + half];", "A[i + half - 1];"), "This run fails", 1)

    def test_map_of_a_fixed_size_in_which_each_cell_is_written(self):
        text = """__global__ void twice(const int *in, int *out)
{
    out[threadIdx.x] = 2 * in[threadIdx.x];
}
int main(void)
{
    int h[32], *in, *out;
    for (int i = 0; i < 32; i++)
        h[i] = i;
    cudaMalloc(&in, sizeof h);
    cudaMalloc(&out, sizeof h);
    cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
    //@ input in[32]
    twice<<<1, 32>>>(in, out);
    //@ ensures for 0 <= i < 32: out[i] = 2 * in[i]
    cudaFree(in);
    cudaFree(out);
    return 0;
}
"""
        self.assert_says(text, "PROVED: ", 0)
        self.assert_says(text.replace("<<<1, 32>>>", "<<<1, 31>>>"), "a cell that no thread writes", 1)

    def test_loop_of_the_host_that_falls_from_a_half_to_none(self):
        halves = (NESTED_LOOPS.replace("< w: A[i]", "< max(2*h, 1): A[i]").replace("j mod w", "j mod max(2*h, 1)")
                  .replace("int w = n; w > 1; w /= 2", "int h = n / 2; h >= 1; h /= 2").replace("w / 2", "h"))
        self.assert_proved(halves)
        self.assert_says(halves.replace("h >= 1", "h > 1"), "what the law says", 1)
        self.assert_says(halves.replace("h = n / 2", "h = n / 4"), "what the law says", 1)

    def test_right_side_of_an_assignment_comes_first(self):
        law = "for 0 <= i < n: A[i] = a[i]"
        for right, wrong in part((("A[t++] = x[t];", "A[t] = x[t++];"), ("A[t] += x[t];", "A[t] += x[t++];"),
                                  ("*(A + i++) = x[i];", "*(A + i) = x[i++];"), ("A[t] = (i++, x[t]);", "A[i] = (i++, x[t]);"),
                                  ("float v[2]; i = 0; v[0] = x[t + i++]; A[t] = v[i - 1];", "float v[2]; i = 0; v[0] = v[1] = 0; v[i] = x[t + 0 * i++]; A[t] = v[0];")), 5):
            with self.subTest(wrong=wrong):
                for do, says in ((right, "PROVED: "), (wrong, "This run fails")):
                    text = fill(IN_TURN, {"do": f"if (t < n) {{ {do} }}", "ensures": law})
                    if "float" in do:
                        text = text.replace("int *", "float *").replace("int a[n]", "float a[n]")
                    self.assert_says(text, says, says != "PROVED: ")

    def test_shuffle_is_by_less_than_a_warp(self):
        do = "int v = t < n ? x[t] : 0; v = __shfl_down_sync(0xffffffff, v, %s); if (threadIdx.x == 0) A[blockIdx.x] = v;"
        law = "for 0 <= k < (n + 31) / 32: A[k] = sum of a[j], j = 32*k + %s"
        self.assert_proved(fill(IN_TURN, {"do": do % 31, "ensures": law % 31}))
        self.assert_says(fill(IN_TURN, {"do": do % 33, "ensures": law % 0}), "This run fails", 1)
        self.assert_says(fill(IN_TURN, {"do": do % 33, "ensures": law % 1}), "a shuffle is by less than a warp", 3)

    def test_file_without_free_numbers_is_run_with_other_inputs(self):
        text = fill(IN_TURN, {"do": "if (t < n) A[t] = x[0];", "ensures": "for 0 <= i < 60: A[i] = a[i]"})
        text = text.replace("    //@ requires n <= 2^20\n", "").replace("a[n]", "a[60]").replace("j * 3 + 1", "4")
        self.assert_says(text, "This run fails: reductio run", 1)

    def test_run_that_fails_is_told_as_violated(self):
        text = fill(IN_TURN, {"do": "if (t < n) A[t] = x[0];", "ensures": "for 0 <= i < n: A[i] = a[i]"})
        self.assertRegex(self.prove(text, "--timeout", "3").stdout, r"(?m)^ +VIOLATED \S+user.cu: exit status 0, .* 1 violated")

    def test_options_of_nvcc_are_those_of_the_run(self):
        with open(self.path("own.h"), "w", encoding="utf-8") as file:
            file.write("#define STEP if (t < w / 2) s[t] += s[t + w / 2];\n")
        text = tree(SUM, before="#include <own.h>", step="STEP")
        folder = self.path("")
        self.assert_proved(text, "-DT=32", f"-I{folder}", "-O3", "-arch=sm_80")
        # The run that fails is compiled with them, too.
        wrong = tree(SUM, before="#include <own.h>", step="STEP", out="out[blockIdx.x] = s[1]")
        self.assert_says(wrong, f"user.cu -DT=32 -I{folder} --device sim", 1, "-DT=32", "-I", folder)


if __name__ == "__main__":
    main()
