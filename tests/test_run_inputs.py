# SPDX-License-Identifier: MIT
"""Inputs of annotated programs: which of them a law speaks of, what --values and --number set, and promises that leave some out."""

import unittest

from annotated_case import AnnotatedTest, fold

ALIASES = """struct P { int a[4]; };
int main()
{
    int x_1[4] = {100, 200, 300, 400}, x1[4] = {1, 2, 3, 4}, pa[4] = {5, 6, 7, 8}, s = 0, t = 0, u = 0;
    P q = {{50, 60, 70, 80}}, *p = &q;
    //@ input x_1[4]
    //@ input x1[4]
    //@ input pa[4]
    //@ input p->a[4]
    for (int k = 0; k < 4; k++) {
        s += x_1[k];
        t += x1[k];
        u += p->a[k];
    }
    //@ ensures s = sum of x_1[j]
    //@ ensures t = sum of x1[j]
    //@ ensures u = sum of p->a[j]
    //@ ensures %s
}
"""
CALLEE = """static int total(int *a, int n)
{
    int s = 0;
    //@ input a[n]
    for (int k = 0; k < n; k++)
        s += a[k];
    //@ ensures s = sum of a[j]
    return s;
}
int main()
{
    int a[3] = {1, 2, 3}, b[3] = {10, 20, 30}, s = 0;
    //@ input a[3]
    s = a[0] + a[1] + a[2];
    total(b, 3);
    //@ ensures s = sum of a[j]
%s}
"""
ELSEWHERE = """static void check(int s)
{
    //@ ensures s = sum of a[j]
}
static void one(int *a)
{
    //@ input a[2]
}
static void two(int *a)
{
    //@ input a[2]
}
int main()
{
    int x[2] = {1, 2}, y[2] = {%s};
    one(x);
    two(y);
    check(3);
}
"""
SHARED = """int main()
{
    int a[8] = {1, 2, 3, 4, 5, 6, 7, 8}, *b = a + 4, s = 0;
    //@ input a[8]
    //@ input b[4]
    for (int k = 0; k < 8; k++)
        s += a[k] + (k < 4 ? 2 * b[k] : 0);
    //@ ensures s = (sum of a[j]) + (sum of 2*b[j])
}
"""
SIZES = """static int total(const int *a, int n)
{
    int s = 0;
    //@ input a[n]
    for (int k = 0; k < n; k++)
        s += a[k] * (a[k] < 2 && n < 8 ? 7 : 1);
    //@ ensures s = sum of a[j]
    return s;
}
int main()
{
    int a[8] = {1, 2, 3, 4, 5, 6, 7, 8}, b[6] = {2, 3, 4, 5, 6, 7};
    total(a, 8);
    total(b, 6);
}
"""
OTHERS = """#include <cooperative_groups.h>
namespace cg = cooperative_groups;
enum { T = 16, N = 64 };
__global__ void total(const int *in, int *A)
{
    cg::grid_group grid = cg::this_grid();
    const int i = blockIdx.x * T + threadIdx.x;
    A[i] = in[i];
    __syncthreads();
    //@ assert for 0 <= k < T: A[blockIdx.x * T + k] = a[blockIdx.x * T + k]
    %(before)s
    grid.sync();
    //@ invariant for 0 <= c < w: A[c] = sum of a[j], j mod w = c
    for (int w = N; w > 1; w /= 2) {
        %(head)s
        if (i < w / 2)
            A[i] += A[i + w / 2];
        grid.sync();
    }
}
int main()
{
    int a[N], *in, *A, r;
    for (int j = 0; j < N; j++)
        a[j] = j * 3 + 1;
    //@ input a[N]
    cudaMalloc(&in, sizeof a);
    cudaMalloc(&A, sizeof a);
    cudaMemcpy(in, a, sizeof a, cudaMemcpyHostToDevice);
    void *args[] = {&in, &A};
    cudaLaunchCooperativeKernel((void *)total, 4, T, args, 0, 0);
    cudaMemcpy(&r, A, sizeof r, cudaMemcpyDeviceToHost);
    //@ ensures r = sum of a[j]
    cudaFree(in);
    cudaFree(A);
}
"""
PLAIN = """int main()
{
    int a[9] = {3, 1, 4, 1, 5, 9, 2, 6, 5}, r[3] = {0, 1, 0};
    int k = 1;
    //@ input a[9]
    //@ invariant r[1] = max of a[j], 0 < j < k + 1
    for (; k < %s; k++)
        r[1] = a[k + 1] > r[1] ? a[k + 1] : r[1];
    //@ ensures r[1] = max of a[j], 0 < j
}
"""
COUNT = """int main()
{
    int a[6] = {7, 1, 9, 2, 8, 1}, c = 0, k = 0;
    //@ input a[6]
    //@ invariant c = count of a[j], a[j] > 4, j < k
    for (; k < 5; k++)
        c += a[k] > 4;
    //@ ensures c = count of a[j], a[j] > 4
}
"""
PROMISE = """int main()
{
    const int n = 64;
    unsigned a[n], m = START;
    for (int i = 0; i < n; i++)
        a[i] = VALUE;
    int k = 0;
    //@ input a[n]
    //@ invariant m = NAME of a[j], LAW
    for (; k < END; k++)
        STEP;
    //@ ensures m = NAME of a[j]
}
"""
NUMBER = """int main()
{
    int n = 8;
    struct { int n; } other = {.n = 3};
    %s
    //@ requires n = 2^k
    return n - n + other.n - 3;
}
"""

COPIED = """int main()
{
    const int n = 8;
    int a[n] = {%(own)s}, c[n], s = 0;
    for (int k = 0; k < n; k++)
        c[k] = a[k];
    //@ input a[n]
    for (int k = %(first)s; k < n; k++)
        s += %(term)s;
    //@ ensures s = sum of a[j]
}
"""
TOLD_LATE = """__global__ void dot(const int *x, const int *y, int *S, int n) { if (threadIdx.x < n) atomicAdd(S, x[threadIdx.x] * y[threadIdx.x]); }
int main()
{
    const int n = 4;
    int a[n] = {1, 2, 3, 4}, b[n] = {5, 6, 7, 8}, *x, *y, *S;
    cudaMalloc(&x, sizeof a);
    cudaMalloc(&y, sizeof b);
    cudaMalloc(&S, sizeof *S);
    //@ input a[n]
    cudaMemcpy(x, a, sizeof a, cudaMemcpyHostToDevice);
    cudaMemcpy(y, b, sizeof b, cudaMemcpyHostToDevice);
    cudaMemset(S, 0, sizeof *S);
    //@ input b[n]
    dot<<<1, 32>>>(x, y, S, n);
    //@ ensures S[0] = sum of a[j]*b[j]
    cudaFree(x);
    cudaFree(y);
    cudaFree(S);
}
"""
DERIVED = """int main()
{
    int a[4] = {1, 2, 3, 4}, b[4], s = 0;
    //@ input a[4]
    for (int k = 0; k < 4; k++)
        b[k] = 2 * a[k];
    //@ input b[4]
    for (int k = 0; k < 4; k++)
        s += 2 * a[k] * a[k];
    //@ ensures s = sum of a[j]*b[j]
}
"""

PINNED = """__global__ void add(int *A) { A[threadIdx.x]++; }
int main()
{
    int a[8] = {1, 2, 3, 4, 5, 6, 7, 8}, *A, *h;
    cudaStream_t s;
    cudaStreamCreate(&s);
    cudaMalloc(&A, sizeof a);
    cudaMallocHost(&h, 2 * sizeof a);
    //@ input a[8]
    cudaMemcpy(A, a, sizeof a, cudaMemcpyHostToDevice);
    add<<<1, 8, 0, s>>>(A);
    cudaMemcpyAsync(h, A, sizeof a, cudaMemcpyDeviceToHost, s);
    h[8] = 5;
    //@ assert h[8] = 5
    %s
    //@ ensures for 0 <= i < 8: h[i] = a[i] + 1
    cudaStreamSynchronize(s);
    //@ assert for 0 <= i < 8: h[i] = a[i] + 1
    cudaStreamDestroy(s);
    cudaFree(A);
    cudaFreeHost(h);
}
"""


class Inputs(AnnotatedTest):
    def test_inputs_whose_names_differ_by_signs_are_two(self):
        self.check(ALIASES % "s = 1000", 0, "4 assertions, 3 cells asserted")
        for wrong in "t = sum of x_1[j]", "s = sum of x1[j]", "u = sum of pa[j]":
            self.check(ALIASES % wrong, 1, "VIOLATED")

    def test_input_of_the_law_s_function_comes_first(self):
        self.check(CALLEE % "", 0, "2 assertions, 2 cells asserted")
        self.check(CALLEE % "    s++;\n    //@ ensures s = sum of a[j]\n", 1, "VIOLATED: s holds 7, and the law says 6")

    def test_inputs_of_other_functions_must_be_the_same(self):
        self.check(ELSEWHERE % "1, 2", 0, "HOLDS")
        self.check(ELSEWHERE % "1, 3", 3, "INCONCLUSIVE: two functions have told inputs of the name a, lines 7 and 11, and neither is that of the law")

    def test_values_of_inputs_that_share_memory_are_not_known(self):
        self.check(SHARED, 0, "HOLDS")
        status, output = self.run_text(SHARED, "--values", "iota")
        self.assertEqual(status, 3, output)
        self.assertIn("it shares memory with another input that was given other values", output)

    def test_values_are_for_an_array_of_one_size(self):
        self.check(SIZES, 0, "HOLDS")
        status, output = self.run_text(SIZES, "--values", "ones")
        self.assertEqual(status, 3, output)
        self.assertIn("they were for an array of another size", output)

    def test_values_of_inputs_that_were_taken_before_are_not_looked_at(self):
        status, output = self.run_text(COPIED % {"own": "1, 2, 3, 4, 5, 6, 7, 8", "first": 0, "term": "k % 2 ? c[k] : a[k]"},
                                       "--values", "random")
        self.assertEqual(status, 3, output)
        self.assertIn("with other values for a[1] alone, s is what it was with the program's own inputs: "
                      "'input' at line 7 stands behind where they were taken", output)
        status, output = self.run_text(TOLD_LATE, "--values", "random", "--format", "json")
        self.assertEqual(status, 3, output)
        self.assertIn("with other values for b alone, S is what it was", output)
        status, output = self.run_text(DERIVED, "--values", "random")
        self.assertEqual(status, 3, output)
        self.assertIn("the input b is not known: it is another one when an input before it is", output)

    def test_values_show_what_a_program_does_wrong(self):
        for own, first, term in (("0, 1, 2, 3, 4, 5, 6, 7", 1, "a[k]"), ("1, 1, 1, 1, 1, 1, 1, 1", 0, "a[0]")):
            status, output = self.run_text(COPIED % {"own": own, "first": first, "term": term}, "--values", "random")
            self.assertEqual(status, 1, output)
            self.assertIn("VIOLATED: s holds", output)

    def test_promise_that_leaves_an_input_out_does_not_follow(self):
        for name, start, value, step in (("max", "0", "i", "m = a[k] > m ? a[k] : m"), ("min", "~0u", "64 - i", "m = a[k] < m ? a[k] : m"),
                                         ("and", "~0u", "~1u", "m &= a[k]"), ("or", "0", "2", "m |= a[k]")):
            text = PROMISE.replace("NAME", name).replace("START", start).replace("STEP", step)
            with self.subTest(name):
                self.check(text.replace("VALUE", value).replace("LAW", "j < k").replace("END", "n"), 0, "exit            HOLDS")
                for end in "n - 1", "n / 2":
                    same = text.replace("VALUE", "2").replace("LAW", "j < k").replace("END", end)
                    self.check(same, 3, "exit            INCONCLUSIVE", "doesn't follow from the invariant at the loop's end")

    def test_promise_by_another_operation_does_not_follow(self):
        text = """__global__ void add(int *S, const int *A, int k) { S[0] OP A[k]; }
int main()
{
    const int n = 8;
    int a[n] = {VALUES}, z = START, *A, *S;
    //@ input a[n]
    cudaMalloc(&A, sizeof a);
    cudaMalloc(&S, sizeof z);
    cudaMemcpy(A, a, sizeof a, cudaMemcpyHostToDevice);
    cudaMemcpy(S, &z, sizeof z, cudaMemcpyHostToDevice);
    //@ invariant S[0] = LAW of a[j], j < k
    for (int k = 0; k < n; k++)
        add<<<1, 1>>>(S, A, k);
    //@ ensures S[0] = GOAL of a[j]
    cudaFree(A);
    cudaFree(S);
}
"""
        for law, operation, start, values, same in (("sum", "+=", "0", "0, 0, 5, 0, 0, 0, 0, 0", ("max", "or", "xor")), ("or", "|=", "0", "2, 0, 0, 0, 0, 0, 0, 0", ("sum", "max", "xor")),
                                                    ("and", "&=", "~0", "3, 3, 3, 3, 3, 3, 3, 3", ("min", "max", "or"))):
            own = text.replace("OP", operation).replace("VALUES", values).replace("START", start).replace("LAW", law)
            self.check(own.replace("GOAL", law), 0, "exit            HOLDS")
            for goal in same:
                with self.subTest(law=law, goal=goal):
                    self.check(own.replace("GOAL", goal), 3, "exit            INCONCLUSIVE", "doesn't follow from the invariant at the loop's end")

    def test_promise_of_one_cell_that_leaves_an_input_out_does_not_follow(self):
        self.check(PLAIN % "8", 0, "asserted without a trace", "exit            HOLDS")
        self.check(PLAIN % "7", 3, "exit            INCONCLUSIVE", "doesn't follow from the invariant at the loop's end")

    def test_exit_by_conditions_on_values_is_of_this_run_s(self):
        self.check(COUNT, 0, "exit            HOLDS", "its exit was looked at for the numbers that the inputs have in this run")

    def test_cells_that_other_blocks_write_are_open(self):
        wait = "grid.sync();"
        text = "another block has written A[0], and nothing orders that with the law"
        self.check(OTHERS % {"before": "", "head": wait}, 0, "1 invariant (4 executions) and 2 assertions (5 executions), 4 exits not asserted")
        output = self.check(OTHERS % {"before": "", "head": ""}, 3, text, "1 invariant (4 executions)")
        self.assertNotIn("VIOLATED", output)
        self.check(OTHERS % {"before": "//@ assert for 0 <= i < T*(blockIdx.x+1): A[i] = a[i]", "head": wait}, 1, text, "3 inconclusive")

    def test_memory_that_a_stream_may_still_write_is_open(self):
        for wait, status in (("", 3), ("cudaStreamSynchronize(s);", 0)):
            output = self.check(PINNED % wait, status)
            told = "h[0] may still be written by cudaMemcpyAsync at fold.cu:12, for which the host has not waited" in output
            self.assertEqual(told, status == 3, output)
            self.assertIn("0 hazards", output)

    def test_name_of_the_law_s_own_may_be_that_of_its_function(self):
        text = "__global__ void k(int *x) { //@ requires blockDim.x = 2^k\n x[threadIdx.x] = 1; }\n" \
               "int main() { int *x; cudaMalloc(&x, 64); k<<<1, %s>>>(x); cudaFree(x); }\n"
        self.check(text % "16", 3, "HOLDS, asserted 1 time")
        self.check(text % "12", 1, "VIOLATED")

    def test_number_that_cannot_be_is_said_to_be_that(self):
        rows = (
            (("n=0",), 1, "VIOLATED: n is 0"),
            (("n=-1",), 2, "'--number n' is '-1': use a whole number from 0 to "),
            (("n=x",), 2, "'--number n' is 'x': use a whole number from 0 to "),
            (("n=4294967304",), 2, "'--number' sets 'n' to 4294967304, and at line %d it is 8: its type can't hold that number"),
            (("n=2147483648",), 2, "the compiler refuses 'fold.cu', with the numbers that '--number' sets; its errors are above"),
            (("m=5",), 2, "is set to a literal before: it can set 'n'"),
            (("n=8", "n=16"), 2, "'--number' sets 'n' twice"),
        )
        text = fold()
        line = 1 + text[:text.index("requires")].count("\n")
        for numbers, status, told in rows:
            found, output = self.run_text(text, *(word for number in numbers for word in ("--number", number)))
            self.assertEqual(found, status, output)
            self.assertIn(told % line if "%" in told else told, output)

    def test_number_that_the_program_sets_elsewhere_is_refused(self):
        for more, status, told in (("", 3, "HOLDS, asserted 1 time"), ("n *= 2;", 2, "'--number' sets 'n' to 16, and at line 6 it is 32")):
            found, output = self.run_text(NUMBER % more, "--number", "n=16")
            self.assertEqual(found, status, output)
            self.assertIn(told, output)

    def test_laws_of_lanes_in_an_uneven_stride_say_what_to_write(self):
        text = """__global__ void total(int *out, const int *a, int n)
{
    int t = threadIdx.x, G = blockDim.x, lanes = t / 32 * 32, x = 0;
    //@ invariant for 0 <= l < 32: x[l] = sum of a[j], j < %s, j mod G = lanes + l
    for (%s)
        x += a[i];
    out[t] = x;
}
int main()
{
    const int n = 200;
    int a[n], *A, *o;
    for (int j = 0; j < n; j++) a[j] = j;
    cudaMalloc(&A, sizeof a); cudaMalloc(&o, 64 * sizeof *o);
    //@ input a[n]
    cudaMemcpy(A, a, sizeof a, cudaMemcpyHostToDevice);
    total<<<1, 64>>>(o, A, n);
    cudaFree(A); cudaFree(o);
}
"""
        stride = "int i = t; i < n; i += G"
        status, output = self.run_text(text % ("i", stride))
        self.assertEqual(status, 3, output)
        self.assertIn("it is 'i', and the law is one for all threads of the warp: say it by what all lanes share, as d, the number of rounds made", output)
        status, output = self.run_text(text % ("d*G", stride))
        self.assertEqual(status, 1, output)
        self.assertIn("8 of 32 lanes came to evaluation 4 of the loop's condition: others have left the loop", output)
        self.assertIn("for (first = 0; first < n; first += stride) if (first + t < n)", " ".join(output.split()))
        status, output = self.run_text(text.replace("a[i]", "a[first + t]") % ("first", "int first = 0; first < n; first += G) if (first + t < n"))
        self.assertEqual(status, 0, output)

    def test_all_promises_behind_a_loop_are_its_exit(self):
        def with_second(second):
            return fold(ensures="A[0] = sum of a[j]\n    //@ ensures " + second)
        output = self.check(with_second("A[0] = sum of a[j], j < n"), 0)
        self.assertIn("the loop has ended, and A[0] = sum of a[j]; A[0] = sum of a[j], j < n", " ".join(output.split()))
        for second, reason in (("A[0] = sum of a[j], j > 0", "of some inputs the invariant says there that A[0] holds something else"),
                               ("A[1] = 40", "there the invariant says nothing of A[1], and 'ensures' does")):
            text = with_second(second).replace("= i;", "= i ? 8 * i : 0;") if "> 0" in second else with_second(second)
            line = 1 + text[:text.index(second)].count("\n")
            found, output = self.run_text(text)
            self.assertIn("exit            INCONCLUSIVE", output)
            self.assertIn("'ensures', line %d, doesn't follow from the invariant at the loop's end: %s" % (line, reason), output)
        output = self.check(with_second("A[0] = sum of a[j]").replace("//@ ensures A[0] = sum of a[j]\n    cuda", "cudaMemset(A, 0, 4);\n    //@ ensures A[0] = 0\n    cuda")
                            .replace("//@ ensures result", "//"), 0)
        self.assertIn("exit            HOLDS", output)
        text = with_second("\n    //@ ensures ".join("A[0] = sum of a[j], j < n + %d" % k for k in range(8)))
        self.assertIn("more than 8 'ensures' behind the loop speak of A: join some by ';'", self.run_text(text)[1])


if __name__ == "__main__":
    unittest.main()
