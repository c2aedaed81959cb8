# SPDX-License-Identifier: MIT
"""Laws of annotated programs: what they can speak of, each right and faulty, in few programs, as each is compiled."""

import os
import re
import subprocess
import sys
import tempfile
import unittest

from patience import WAIT_S

BINARY = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "reductio"
PROGRAMS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "annotated")
TEMPORARY = tempfile.TemporaryDirectory(prefix="reductio-")

# Each statement of it is a case of its own.
HOST = """#include <thread>
#include <unistd.h>
#include <sys/wait.h>
int calls, early[2];
int next() { return ++calls; }
struct before {
    before()
    {
        //@ assert early[0] = 1
        early[0] = 1;
    }
} first;
void rounds(int *A, int n)
{
    //@ invariant for 0 <= i < 2: A[i] = r
    for (int r = 0; r < n; r++) {
        A[0]++;
        A[1]++;
    }
}
int main()
{
    int *B = new int[4]{4, 5, 6, 7}, d[2] = {1, 2}, T = 3;
    //@ assert: for 0 <= i < T: B[i] = i + 4
    //@ assert for 0 <= i < 2: d[i] = i + 1
    //@ assert for 0 <= i < 4: B[i] = next()
    int *A = new int[2]();
    rounds(A, 5000);
    float *device;
    cudaMalloc(&device, 4 * sizeof *device);
    cudaMemset(device, 0, 2 * sizeof *device);
    //@ assert for 0 <= i < 3: device[i] = 0
    if (fork() == 0) {
        //@ assert B[0] = 1
        _exit(0);
    }
    wait(nullptr);
    int C[2] = {0, 0};
    //@ invariant for 0 <= i < 2: C[i] = 4*q
    for (int q = 0; q < 2; q++)
        //@ invariant for 0 <= i < 2: C[i] = 4*q + 2*r
        for (int r = 0; r < 2; r++) {
            C[0] += 2;
            C[1] += 2;
        }
    //@ ensures for 0 <= i < 2: C[i] = 8
    static int large[70000], u[2];
    //@ invariant for 0 <= i < 1: large[i] = 0*q
    for (int q = 0; q < 2; q++)
        ;
    //@ ensures for 0 <= i < 2: large[i] = 0
    //@ invariant for w <= i < 2: u[i] = 1
    for (int w = 2; w > 0; w--)
        u[w - 1] = 1;
    //@ ensures for 0 <= i < 2: u[i] = 1
    int low = -1;
    //@ assert for low <= i < 2 + low: d[i - low] = i - low + 1
    //@ assert for low < i < 2: d[i] = i + 1
    //@ assert for i < 0, i >= low: d[i + 1] = 9
    //@ assert for 0 <= i < 2, i >= low: d[i] = 1 + i
    int shape[2][3] = {{1, 2, 3}, {4, 5, 6}}, t[2] = {0, 3}, past = 1;
    //@ input t[2]
    //@ assert for 0 <= i < 2, 0 <= j < 3: shape[i][j] = 3*i + j + 1
    //@ assert shape[1][2] = 7
    //@ assert past = count of t[j], t[j + 1] > 0
    double f[2] = {0.5, 0.25};
    int s[1] = {0};
    //@ input f[2]
    //@ assert s[0] = sum of f[j]
    cudaFree(device);
    delete[] A;
    delete[] B;
}
"""

# Floats: a copy and a maximum round nothing, a sum of m terms at most m - 1 times, whatever else there is.
FLOATS = """#include <math.h>
int main()
{
    const int n = 4096;
    static float a[n], b[n], c[1];
    float s = 0, t = 0;
    c[0] = 0.3f;
    for (int j = 0; j < n; j++) {
        b[j] = a[j] = 1 + 0.1f * (j % 7);
        s += a[j];
    }
    //@ input a[n]
    //@ input c[1]
    for (int j = 0; j < n; j++)
        t += c[0] * a[j];
    float m = 1 + 0.1f * 6, w = a[5];
    //@ assert for 0 <= i < n: b[i] = a[i]
    //@ assert m = max of a[j]
    //@ assert s = sum of a[j]
    //@ assert t = sum of c[0]*a[j]
    w += a[6];
    //@ assert w = sum of a[j], 5 <= j < 7
    w *= 1.00001f;
    //@ assert w = sum of a[j], 5 <= j < 7, j > 0
    b[9] = nextafterf(b[9], 2);
    //@ assert for 9 <= i < n: b[i] = a[i]
    m = nextafterf(m, 2);
    //@ assert m = max of a[j], 0 <= j
    s *= 1.01f;
    //@ assert s = sum of a[j], 0 <= j
}
"""

# Kernels whose threads meet, or don't.
MEET = """enum { T = 64 };
__global__ void late(int)
{
    __shared__ int c[T];
    c[threadIdx.x] = 0;
    //@ invariant for 0 <= i < T: c[i] = r
    for (int r = 0; r < 2; r++) {
        __syncthreads();
        c[threadIdx.x]++;
    }
}
__global__ void some(int)
{
    int x = 7;
    //@ invariant for 0 <= l < 32: x[l] = 7 + 0*r
    for (int r = 0; r < 2 + (threadIdx.x == 40); r++)
        ;
}
__global__ void alone(int *A)
{
    A[0] = 5;
    //@ assert A[0] = 5
}
__global__ void all(int)
{
    __shared__ int c[T];
    c[threadIdx.x] = 1;
    __syncthreads();
    //@ invariant for 0 <= i < T: c[i] = 1 + r
    for (int r = 0; r < 2; r++) {
        c[threadIdx.x]++;
        __syncthreads();
    }
    //@ ensures for 0 <= i < T: c[i] = 3
}
int main()
{
    int *A;
    cudaMalloc(&A, sizeof *A);
    late<<<1, T>>>(0);
    some<<<1, T>>>(0);
    alone<<<1, 1>>>(A);
    all<<<1, T>>>(0);
    cudaFree(A);
}
"""

VALUES = """#include <cstdio>
int main(int argc, char **)
{
    int a[8] = {1, 2, 3, 4, 5, 6, 7, 8}, A[8], early[8], sum = 0;
    for (int i = 0; i < 8; i++)
        early[i] = a[i];
    //@ input a[8]
    for (int i = 0; i < 8; i++)
        A[i] = a[i];
    //@ invariant for 0 <= i < w: A[i] = sum of a[j], j mod w = i
    for (int w = 8; w > 1; w /= 2)
        for (int i = 0; i < w / 2; i++)
            A[i] += A[i + w / 2] * (A[i] < 1000);
    //@ ensures A[0] = sum of a[j]
    //@ assert for 0 <= i < 8: early[i] = a[i]
    const int fixed[1] = {3};
    for (int x : fixed)
        sum += x;
    printf("sum %d\\n", A[0]);
    return 0 * argc;
}
"""

NARROW = """__global__ void hist(const unsigned char *d, unsigned *h, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(&h[d[i]], 1u);
}
__global__ void twice(const short *s, short *t, unsigned char *b, bool *f)
{
    __shared__ short m[8];
    short lane = 2 * s[threadIdx.x];
    //@ assert for 0 <= l < 8: lane[l] = 2*s[l]
    t[threadIdx.x] = lane;
    b[threadIdx.x] = s[threadIdx.x];
    f[threadIdx.x] = s[threadIdx.x] > 2;
    m[threadIdx.x] = s[threadIdx.x];
    __syncthreads();
    //@ invariant for 0 <= i < w: m[i] = max of s[j], j mod w = i
    for (int w = 8; w > 1; w /= 2) {
        if (threadIdx.x < w / 2 && m[threadIdx.x] < m[threadIdx.x + w / 2])
            m[threadIdx.x] = m[threadIdx.x + w / 2];
        __syncthreads();
    }
    //@ ensures m[0] = max of s[j]
}
int main()
{
    const int n = 100;
    unsigned char a[n], *d, *b;
    unsigned *h;
    short s[8] = {-3, 200, 300, 4, 5, 6, 7, -8}, *ds, *t, total = 0;
    bool *f;
    for (int i = 0; i < n; i++)
        a[i] = i * 7 % 16;
    cudaMalloc(&d, n);
    cudaMalloc(&h, 64);
    cudaMemset(h, 0, 64);
    cudaMalloc(&ds, sizeof s);
    cudaMalloc(&t, sizeof s);
    cudaMalloc(&b, 8);
    cudaMalloc(&f, 8);
    //@ input a[n]
    cudaMemcpy(d, a, n, cudaMemcpyHostToDevice);
    hist<<<1, 128>>>(d, h, n);
    //@ ensures for 0 <= b < 16: h[b] = count of a[j], a[j] = b
    //@ ensures for 0 <= i < n: d[i] = a[i]
    //@ input s[8]
    cudaMemcpy(ds, s, sizeof s, cudaMemcpyHostToDevice);
    twice<<<1, 8>>>(ds, t, b, f);
    //@ ensures for 0 <= i < 8: t[i] = 2*s[i]
    //@ ensures for 0 <= i < 8: t[i] = 3*s[i]
    //@ ensures for 0 <= i < 8: b[i] = s[i]
    //@ ensures f[3] = 1
    for (int i = 0; i < 8; i++)
        total += s[i];
    //@ ensures total = sum of s[j]
    cudaFree(d);
    cudaFree(h);
    cudaFree(ds);
    cudaFree(t);
    cudaFree(b);
    cudaFree(f);
}
"""


class Laws(unittest.TestCase):
    def run_program(self, *arguments, folder=TEMPORARY.name):
        run = subprocess.run([BINARY, "run", *arguments], cwd=folder, capture_output=True, text=True, timeout=WAIT_S,
                             env={**os.environ, "XDG_STATE_HOME": TEMPORARY.name})
        return run.returncode, run.stdout + run.stderr

    def run_text(self, text, *arguments):
        with open(os.path.join(TEMPORARY.name, "it.cu"), "w", encoding="utf-8") as file:
            file.write(text)
        return self.run_program("it.cu", "--device", "sim", *arguments)

    def assert_law(self, output, law, *told):
        """What is told of the annotation that has these words."""
        found, at = [], False
        for line in output.splitlines():
            if line.startswith(("it.cu:", "laws.cu:")) and not line.startswith("it.cu:1 "):
                at = law in line or (at and " = " in line and ", values " in line)
            if at:
                found.append(line)
        for words in told:
            self.assertIn(words, "\n".join(found), output)

    def test_laws_of_what_programs_do_hold(self):
        status, output = self.run_program("laws.cu", "--device", "sim", folder=PROGRAMS)
        self.assertEqual(status, 0, output)
        self.assert_law(output, "x[l] = ", "reached 4 times: 0 violated", "in warp 0 of block 0 of launch 3",
                        "exit            HOLDS")
        self.assertIn("HOLDS laws.cu: exit status 0, 4 launches, 0 hazards under 4 schedules: 2 invariants (5 executions) and 10 assertions (13 executions)", output)

    def test_laws_that_are_violated_are_told_with_their_inputs(self):
        status, output = self.run_program("laws.cu", "--device", "sim", "--", "wrong", folder=PROGRAMS)
        self.assertEqual(status, 1, output)
        for law, words in (
                ("H[b] = count", "H[1] holds 36, and the law says 37"),
                ("y[r] = sum", "y[0] holds 7, and the law says 25"),
                ("x[l] = ", "x[0] should hold {0..28 by 4}; it holds {0,3,8,11,16,19,24,27}: 4, 12, 20 and 28 were lost"),
                ("d_sums[k] = ", "19 and 27 were counted twice"),
                ("turned[r][c] = ", "turned[0][3] holds 31, and the law says 30"),
                ("turned[r][c] = ", "turned[0][3] should hold {24}; it holds {25}: 24 was lost"),
                ("total = sum", "total should hold {0..127}; it holds {0..4,6..127}: 5 was lost"),
                ("best = argmax", "VIOLATED: best holds"),
                ("A[i] = sum of B[j]", "preservation    VIOLATED      it is false after round 2")):
            self.assert_law(output, law, words)
        self.assert_law(output, "tile[r][c] = ", "HOLDS")

    def test_laws_of_the_host_s_code_are_told_as_they_are(self):
        status, output = self.run_text(HOST)
        self.assertEqual(status, 1, output)
        for law, words in (
                ("early[0] = 1", "VIOLATED: early[0] holds 0, and the law says 1"),
                ("B[i] = i + 4", "HOLDS"), ("d[i] = i + 1", "HOLDS"),
                ("B[i] = next()", "an expression of the law has an effect"),
                ("A[i] = r", "asserted without a trace, at 5001 evaluations"), ("A[i] = r", "preservation    HOLDS"),
                ("device[i] = 0", "device[2] is not initialised, and the law says 0"),
                ("C[i] = 4*q + 2*r", "not asserted: no 'ensures' behind the loop"),
                ("invariant for 0 <= i < 2: C[i] = 4*q", "reached 2 times: 0 violated, 0 inconclusive"),
                ("large[i] = 0*q", "exit stays open: 'ensures', line 51, doesn't follow"),
                ("large[i] = 0*q", "there the invariant says nothing of large[1], and 'ensures' does"),
                ("u[i] = 1", "exit            HOLDS"),
                ("d[i - low] = ", "'i' begins at -1, and a name that a law binds is 0 or more"),
                ("d[i + 1] = 9", "'i' begins at -1, and a name that a law binds is 0 or more"), ("d[i] = 1 + i", "HOLDS"),
                ("for low < i < 2: d[i] = ", "HOLDS"), ("shape[i][j] = ", "HOLDS"), ("shape[1][2] = 7", "VIOLATED: shape[1][2] holds 6, and the law says 7"),
                ("past = count", "'t' has no element 2"),
                ("s[0] = ", "the input f is of f64, and the array of i32, which doesn't have all its numbers")):
            self.assert_law(output, law, words)
        self.assertIn("not looked at: annotations that a process of the program's own making came to", output)

    def test_floats_are_held_to_the_roundings_of_their_law(self):
        status, output = self.run_text(FLOATS)
        self.assertEqual(status, 1, output)
        for law, words in (
                ("for 0 <= i < n: b[i] = a[i]", "HOLDS"), ("assert m = max of a[j]", "HOLDS"), ("assert s = sum of a[j]", "HOLDS"),
                ("t = sum of c[0]*a[j]", "HOLDS"), ("w = sum of a[j], 5 <= j < 7", "HOLDS"),
                ("5 <= j < 7, j > 0", "INCONCLUSIVE: "), ("for 9 <= i < n: b[i] = a[i]", "VIOLATED: b[9] holds"),
                ("m = max of a[j], 0 <= j", "VIOLATED: m holds"), ("s = sum of a[j], 0 <= j", "VIOLATED: s holds")):
            self.assert_law(output, law, words)

    def test_laws_at_which_threads_have_not_met_are_findings(self):
        status, output = self.run_text(MEET)
        self.assertEqual(status, 1, output)
        self.assertRegex(output, r"it.cu:6:9: checkpoint-race: thread 0 of block 0 comes to the law, and no barrier\n"
                                 r"    is behind what it has written to element 0\n  it.cu:5:")
        self.assertRegex(output, r"it.cu:15:9: checkpoint-divergence: 1 of the 32 lanes of block 0 come to\n"
                                 r"    evaluation 3 of the loop's condition, and thread 32 has left the loop")
        self.assert_law(output, "c[i] = 1 + r", "exit            HOLDS")
        self.assert_law(output, "A[0] = 5", "HOLDS")
        self.assertIn("(checkpoint-race 2, checkpoint-divergence 1)", output)

    def test_laws_are_asserted_with_other_values(self):
        status, output = self.run_text(VALUES, "--values", "list:1000,2,3,4,5,6,7,9")
        self.assertEqual(status, 1, output)
        self.assertTrue(output.startswith("sum 36\n"), output)
        self.assertEqual(output.count("sum "), 1 + output.count("sum of"))
        self.assertIn("with the values list:1000,2,3,4,5,6,7,9 for a, in a run whose output is not shown:", output)
        self.assert_law(output, "A[i] = sum", "preservation    VIOLATED      it is false after round 1")
        self.assert_law(output, "early[i] = a[i]", "INCONCLUSIVE: early is what it was with the program's own inputs")

    def test_laws_behind_a_race_are_open_as_other_orders_may_end_otherwise(self):
        text = """__global__ void fold(int *A, int half) { if (threadIdx.x < half) A[threadIdx.x] += A[threadIdx.x + half]; }
__global__ void last(int *sum, const int *A) { RACE *sum = A[0] + 7 - threadIdx.x; }
int main()
{
    int a[8] = {1, 2, 3, 4, 5, 6, 7, 8}, *A, *s, sum;
    cudaMalloc(&A, sizeof a);
    cudaMalloc(&s, sizeof *s);
    //@ input a[8]
    cudaMemcpy(A, a, sizeof a, cudaMemcpyHostToDevice);
    //@ invariant for 0 <= i < w: A[i] = sum of a[j], j mod w = i
    for (int w = 8; w > 1; w /= 2)
        fold<<<1, 4>>>(A, w / 2);
    //@ ensures A[0] = sum of a[j]
    last<<<1, 8>>>(s, A);
    cudaMemcpy(&sum, s, sizeof sum, cudaMemcpyDeviceToHost);
    //@ ensures sum = sum of a[j]
    //@ assert sum > 0
    //@ invariant sum = r + sum of a[j]
    for (int r = 0; r < 2; r++)
        sum++;
    cudaFree(A);
    cudaFree(s);
}
"""
        status, output = self.run_text(text.replace("RACE", "if (threadIdx.x == 7)"))
        self.assertEqual(status, 0, output)
        status, output = self.run_text(text.replace("RACE", ""))
        self.assertEqual(status, 1, output)
        open_for = "it holds as this run went; whether another, with the race at it.cu:2:54, ends otherwise was not looked at"
        self.assert_law(output, "A[i] = sum", "exit            HOLDS")
        self.assertIn("it.cu:13: ensures A[0] = sum of a[j]\n    HOLDS\n", output)
        self.assertIn("it.cu:16: ensures sum = sum of a[j]\n    INCONCLUSIVE: " + open_for, output)
        self.assert_law(output, "sum = r + sum", open_for)
        self.assert_law(output, "assert sum > 0", "INCONCLUSIVE: " + open_for)
        self.assertIn("3 inconclusive", output)

    def test_laws_in_a_kernel_that_races_are_open(self):
        status, output = self.run_text("""__global__ void k(int *out)
{
    __shared__ int s[4];
    s[threadIdx.x] = 1;
    __syncthreads();
    //@ invariant for 0 <= i < 4: s[i] = 1 + r
    for (int r = 0; r < 2; r++) {
        s[threadIdx.x]++;
        __syncthreads();
    }
    *out = s[0] + threadIdx.x;
}
int main()
{
    int *out;
    cudaMalloc(&out, sizeof *out);
    k<<<1, 4>>>(out);
    cudaFree(out);
}
""")
        self.assertEqual(status, 1, output)
        self.assert_law(output, "s[i] = 1 + r", "INCONCLUSIVE: it holds as this run went; whether another, with the race at it.cu:11:10")

    def test_promise_of_a_number_is_open_as_other_inputs_have_another(self):
        status, output = self.run_text(VALUES.replace("ensures A[0] = sum of a[j]", "ensures A[0] = 36"))
        self.assertEqual(status, 3, output)
        self.assertIn("of some inputs the invariant says there that A[0] holds something else\n", output)

    def test_number_that_was_lost_on_the_way_is_not_taken_for_the_sum(self):
        text = """#include <cstdio>
int main()
{
    float a[4] = {3e38f, LAST, -3e38f, 1}, x = 0;
    //@ input a[4]
    for (int i = 0; i < 4; i++)
        x += a[i];
    //@ ensures x = sum of a[i]
}
"""
        status, output = self.run_text(text.replace("LAST", "3e38f"))
        self.assertEqual(status, 3, output)
        self.assertIn("INCONCLUSIVE: x is inf, and the exact value 3e+38: a number on the way may have been too large", output)
        status, output = self.run_text(text.replace("LAST", "1"))
        self.assertEqual(status, 0, output)
        self.assertIn("ensures x = sum of a[i]\n    HOLDS (bound ", output)
        status, output = self.run_text(text.replace("LAST", "INFINITY").replace("-3e38f", "1").replace("cstdio", "cmath"))
        self.assertEqual(status, 0, output)

    def test_laws_behind_what_is_the_same_in_each_order_hold(self):
        status, output = self.run_text("""__global__ void k(int *out) { *out = 1; }
int main()
{
    int *out, one = 0;
    cudaMalloc(&out, sizeof *out);
    k<<<1, 4>>>(out);
    k<<<1, 4096>>>(out);
    cudaMemcpy(&one, out, sizeof one, cudaMemcpyDeviceToHost);
    //@ ensures out[0] = 1
    cudaFree(out);
}
""")
        self.assertEqual(status, 1, output)
        self.assertIn("race: same-value", output)
        self.assertIn("it.cu:9: ensures out[0] = 1\n    HOLDS\n", output)

    def test_floats_that_no_sum_can_be_are_told_apart(self):
        text = """#include <cmath>
int main()
{
    TYPE a[4] = {VALUES};
    //@ input a[4]
    TYPE x = IS;
    //@ ensures x = LAW
}
"""
        for kind, values, value, law, said in (
                ("float", "1e-20f, 2e-20f", "a[0] * a[0]", "a[0]*a[0]", "HOLDS (bound"),
                ("double", "1e-200, 2e-200", "a[0] * a[1]", "a[0]*a[1]", "HOLDS (bound"),
                ("float", "1e-20f, 2e-20f", "a[0] * a[1]", "a[0]", "VIOLATED: x holds"),
                ("float", "1e-30f, 1e-30f, 1e30f, 1e30f", "a[0] * a[1] * a[2] * a[3]", "product of a[j]",
                 "INCONCLUSIVE: some of the factors may have a product too large or too small"),
                ("float", "1, 2, 3, 4", "23", "product of a[j]", "VIOLATED: x holds 23, and the law says 24"),
                ("double", "1e308, 1e308, -1e308", "a[0] + a[1] + a[2]", "sum of a[j]", "INCONCLUSIVE: x is inf"),
                ("float", "NAN, 1", "7", "sum of a[j]", "VIOLATED: x holds 7, and the law says nan"),
                ("float", "INFINITY, 1", "-INFINITY", "sum of a[j]", "VIOLATED: x holds -inf, and the law says inf"),
                ("float", "3e38f, 3e38f, -INFINITY", "a[0] + a[1] + a[2]", "sum of a[j]", "HOLDS (bound"),
                ("float", "1, 4, 9, 3", "(a[0] / 13 + a[1] / 13 + a[2] / 13 + a[3] / 13) * 13", "sum of a[j]", "HOLDS (bound"),
                ("float", "1, 2", "2", "max of a[j]", "HOLDS\n"),
                ("float", "1, 2, 3, 4", "4.0000005f", "count of a[j], j < 4", "VIOLATED: x holds 4.0000005, and the law says 4")):
            with self.subTest(values=values, law=law):
                told = self.run_text(text.replace("TYPE", kind).replace("VALUES", values).replace("IS", value).replace("LAW", law))[1]
                self.assertIn("    " + said, told)

    def test_float_sum_of_whole_numbers_that_lacks_one_is_wrong(self):
        for kind, law, said in (("float", "sum of h_ones[j]", "VIOLATED: total_sum holds 9999, and the law says 10000"),
                                ("float", "sum of h_ones[j], j < 9999", "HOLDS (bound, as the order is any)"),
                                ("double", "sum of h_ones[j]*h_ones[j]", "VIOLATED: total_sum holds 9999, and the law says 10000")):
            with self.subTest(kind, law=law):
                told = self.run_text(f"""int main()
{{
    static {kind} h_ones[10000], total_sum = 0;
    for (int i = 0; i < 10000; i++)
        h_ones[i] = 1;
    //@ input h_ones[10000]
    //@ invariant total_sum = sum of h_ones[j], j < loop_variable
    for (int loop_variable = 0; loop_variable < 2; loop_variable++)
        total_sum += h_ones[loop_variable];
    for (int i = 2; i < 9999; i++)
        total_sum += h_ones[i];
    //@ ensures total_sum = {law}
}}
""")[1]
                self.assert_law(told, "ensures", said)
                self.assertIn("    total_sum = sum of h_ones[j], j < 1\n", told)

    def test_law_that_claims_nothing_behind_the_last_round_is_told(self):
        text = """int main()
{
    int a[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    //@ input a[8]
    //@ invariant for 0 <= i < LIVE: a[i] = sum of a[j], j mod CELLS = i
    for (int w = 4; w > 0; w /= 2)
        for (int i = 0; i < w; i++)
            a[i] += a[i + w];
}
"""
        for live, is_told in (("2*w", True), ("max(1, 2*w)", False)):
            status, output = self.run_text(text.replace("LIVE", live).replace("CELLS", "max(1, 2*w)"))
            self.assertEqual(status, 0, output)
            self.assertEqual("behind the last round the law claims no cell: what that round makes is not asserted" in output, is_told, output)

    def test_inputs_that_a_law_multiplies_are_told_with_their_factors(self):
        status, output = self.run_text("""int main()
{
    int a[4] = {5, 2, 3, 4}, x, y, z;
    //@ input a[4]
    x = a[0] + a[1];
    y = a[0] - 2*a[1];
    z = -a[2];
    //@ ensures x = a[0] - a[1]
    //@ ensures y = a[0] - a[1]
    //@ ensures z = a[2] - a[3]
    //@ ensures y = 2*a[0] - 3*a[1]
}
""")
        self.assertEqual(status, 1, output)
        self.assertEqual(re.findall("with other inputs: (.*)\n", output), [
            "x should hold {0,1x-1}; it holds {0,1}: 1 was added instead of subtracted",
            "y should hold {0,1x-1}; it holds {0,1x-2}: 1 was subtracted too often",
            "z should hold {2,3x-1}; it holds {2x-1}: 2 was wrongly subtracted and 3 was not subtracted",
            "y should hold {0x2,1x-3}; it holds {0,1x-2}: 0 was counted too seldom and 1 was subtracted too seldom"])

    def test_laws_of_narrow_integers_are_of_their_numbers(self):
        status, output = self.run_text(NARROW)
        self.assertEqual(status, 1, output)
        for law, words in (
                ("h[b] = count", "HOLDS"), ("d[i] = a[i]", "HOLDS"), ("t[i] = 2*s[i]", "HOLDS"), ("f[3] = 1", "HOLDS"),
                ("t[i] = 3*s[i]", "VIOLATED: t[0] holds -6, and the law says -9"),
                ("t[i] = 3*s[i]", "with other inputs: t[0] should hold {0x3}; it holds {0x2}: 0 was counted too seldom"),
                ("b[i] = s[i]", "VIOLATED: b[0] holds 253, and the law says -3"),
                ("m[i] = max", "exit            HOLDS"), ("lane[l] = ", "HOLDS"), ("total = sum", "HOLDS")):
            self.assert_law(output, law, words)
        status, output = self.run_text(NARROW, "--values", "list:70000,2,3,4,5,6,7,8")
        self.assertEqual(status, 2, output)
        self.assertIn("'--values' is 'list:70000,2,3,4,5,6,7,8', and the elements of 's', of 16 bits, have no room for all of them", output)

    def test_annotations_behind_a_stop_are_said_to_be_unreached_for_that(self):
        status, output = self.run_text("""__global__ void ends(int *s)
{
    //@ assert s[0] = 0
    while (*(volatile int *)s == 0)
        ;
}
int main()
{
    int *s;
    cudaMallocManaged(&s, sizeof *s);
    *s = 0;
    ends<<<1, 1>>>(s);
    cudaDeviceSynchronize();
    //@ ensures s[0] = 1
}
""", "--timeout", "1")
        self.assertEqual(status, 3, output)
        self.assert_law(output, "s[0] = 1", "INCONCLUSIVE: the program was stopped before it came here")
        self.assert_law(output, "s[0] = 0", "INCONCLUSIVE: the program was stopped before a launch that comes here was over")

    def test_trace_that_is_not_written_is_said(self):
        status, output = self.run_text("int main() { return 0; }\n", "--trace", "none.ndjson")
        self.assertEqual(status, 3, output)
        self.assertIn("reductio: no trace was written, as there is no annotation: rounds are those of a loop", output)
        self.assertFalse(os.path.exists(os.path.join(TEMPORARY.name, "none.ndjson")))

    def test_law_of_numbers_that_are_not_whole_is_one_error_at_the_annotation(self):
        status, output = self.run_text("int main() {\n    float f = 2.5f, g = 1;\n    int n = 0;\n    //@ assert n = f*g\n}\n")
        self.assertEqual((status, output.count("\n")), (2, 1), output)
        self.assertIn("it.cu:4:20: a name in a law stands for a whole number, and this is none", output)


if __name__ == "__main__":
    unittest.main()
