#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""reductio prove FILE.cu, of forms that kernels and host code have often: rows of shared memory, min() and max(), static variables, factors
that are floats; and of each what is wrong is never proved.

test_prove_forms.py REDUCTIO     skipped where there is no cvc5, or no libclang
"""
from prove_case import SUM, ProveCase, fill, main, tree

# A kernel that copies; @...@ are what a case puts in.
COPY = """#include <algorithm>
#include <stdio.h>
@before@
__global__ void copy(const @type@ *x, @type@ *A, int n@parameter@)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x, u = threadIdx.x, v = threadIdx.y;
    @do@
}
int main(int argc, char **argv)
{
    const int n = 60;
    //@ requires n <= @most@
    @set@
    @type@ a[1000], *x, *A;
    for (int j = 0; j < 1000; j++)
        a[j] = 7 * j + 1;
    //@ input a[n]
    cudaMalloc(&x, sizeof a);
    cudaMalloc(&A, sizeof a);
    cudaMemcpy(x, a, sizeof a, cudaMemcpyHostToDevice);
    cudaMemset(A, 0, sizeof a);
    copy<<<@grid@, @block@>>>(x, A, n@argument@);
    //@ ensures for 0 <= i < n: A[i] = @ensures@
    cudaFree(x);
    cudaFree(A);
    return 0;
}
"""
PLAIN = {"before": "", "type": "int", "parameter": "", "argument": "", "do": "if (t < n) A[t] = x[t];", "most": "1000", "set": "",
         "grid": "(n + 63) / 64", "block": "64", "ensures": "a[i]"}
ROWS = dict(PLAIN, most="64", grid="1", block="dim3(8, 8)", do="""__shared__ int s[8][9];
    t = v * 8 + u;
    @store@ = t < n ? x[t] : 0;
    __syncthreads();
    if (t < n)
        A[t] = @load@;""")
SCALED = dict(PLAIN, type="float", parameter=", float f", argument=", f", do="if (t < n) A[t] = f * x[t];", ensures="3 * a[i]")


class ProveFormsTest(ProveCase):
    def of(self, parts, **more):
        return fill(COPY, dict(parts, **more))

    def assert_all_proved(self, parts, *cases):
        for case in cases:
            with self.subTest(case):
                self.assert_proved(self.of(parts, **case))

    def assert_refuted(self, parts, *cases):
        for case in cases:
            with self.subTest(case):
                self.assert_says(self.of(parts, **case), "REFUTED: ", 1)

    def assert_open(self, parts, says, *cases):
        for case in cases:
            with self.subTest(case):
                self.assert_says(self.of(parts, **case), says, 3)

    def rows(self, store, load=None, **more):
        return dict(more, do=fill(ROWS["do"], {"store": store, "load": load or store}))

    def test_rows_of_shared_memory_are_proved(self):
        self.assert_all_proved(ROWS, self.rows("s[v][u]"), self.rows("s[u][v]"), self.rows("s[v][u + 1]"), self.rows("(*(s + v))[u]"))
        turned = ROWS["do"].replace("if (t < n)\n", "t = u * 8 + v;\n    if (t < n)\n")
        self.assert_all_proved(ROWS, {"do": fill(turned, {"store": "s[v][u]", "load": "s[u][v]"})})

    def test_wrong_rows_of_shared_memory_are_refuted(self):
        no_barrier = ROWS["do"].replace("__syncthreads();", "")
        self.assert_refuted(ROWS, self.rows("s[v][u]", "s[u][v]"), self.rows("s[v + 1][u]"), self.rows("s[v][u + 2]"),
                            self.rows("s[v][u]", block="dim3(16, 4)"), {"do": fill(no_barrier, {"store": "s[v][u]", "load": "s[v][7 - u]"})})

    def test_a_law_of_rows_is_told_to_be_none(self):
        law = "__syncthreads();\n    //@ invariant for 0 <= i < w: s[i] = sum of a[j], j = i\n    for (int w = 4; w > 1; w /= 2) {\n"
        text = ROWS["do"].replace("__syncthreads();", law + "        s[v][u] = 0;\n        __syncthreads();\n    }")
        self.assert_open(ROWS, "an invariant of an array of arrays", {"do": fill(text, {"store": "s[v][u]", "load": "s[v][u]"})})

    def test_a_loop_that_ends_at_zero_is_told(self):
        text = tree(SUM, step="").replace("i < w: s", "i < @cells@: s").replace("j mod w", "j mod (@cells@)")
        text = text.replace("for (int w = T; w > 1; w /= 2) {", "for (int h = T / 2; h > 0; h /= 2) {\n        if (t < h)\n            s[t] += s[t + h];")
        self.assert_proved(fill(text, {"cells": "max(2*h, 1)"}))
        says = "ends with h = 0, where its invariant must hold, too. If that is of '2*h' cells, they are none there, and 'max(2*h, 1)' are one."
        self.assert_says(fill(text, {"cells": "2*h"}), says, 3)

    def test_the_lesser_and_the_greater_of_two_numbers(self):
        strided = "for (int i = t; i < n; i += blockDim.x * gridDim.x)\n        A[i] = x[i];"
        self.assert_all_proved(PLAIN, {"set": "int g = std::min((n + 63) / 64, 3);", "grid": "g", "do": strided},
                               {"grid": "std::max<size_t>(n / 64, 16)"}, {"grid": "min((n + 63) / 64, 16)"},
                               {"do": "int i = min(t, n - 1);\n    if (t < n)\n        A[t] = x[i];"})
        self.assert_refuted(PLAIN, {"grid": "std::min((n + 63) / 64, 3)"}, {"set": "int g = 0, h = std::max(g = 3, 16);", "grid": "g + h - h"},
                            {"before": "namespace own { int max(int, int y) { return y; } }", "set": "int g = own::max(16, 1);", "grid": "g"},
                            {"do": "int i = max(t, 1);\n    if (t < n)\n        A[t] = x[i];"})

    def test_lanes_of_a_warp_are_32(self):
        self.assert_all_proved(PLAIN, {"do": "t = blockIdx.x * 2 * warpSize + u;\n    if (t < n)\n        A[t] = x[t];"})
        self.assert_refuted(PLAIN, {"do": "int warpSize = 31;\n    t = blockIdx.x * 2 * warpSize + u;\n    if (t < n)\n        A[t] = x[t];"})

    def test_static_variables_of_main_are_as_others(self):
        self.assert_all_proved(PLAIN, {"set": "static int g = 16;", "grid": "g"}, {"set": "static int g;\n    g += 16;", "grid": "g"},
                               {"do": "static const int T = 64;\n    if (blockIdx.x * T + u < n)\n        A[t] = x[t];"})
        of_function = "static int first(int n)\n{\n    static int k = n;\n    return k;\n}"
        self.assert_open(PLAIN, "the static variable 'k'", {"before": of_function, "set": "int g = first(1);\n    g = first(16);", "grid": "g"},
                         {"set": "int g = 0;\n    if (argc > 1) {\n        static int k = 16;\n        g = k;\n    }", "grid": "g"},
                         {"do": "static int k = 64;\n    if (t < n)\n        A[t] = x[t] + 0 * k;"})

    def test_whole_factors_are_known(self):
        self.assert_all_proved(SCALED, {"argument": ", 3.0f"}, {"argument": ", 3"}, {"set": "const float f = 3;"},
                               {"set": "float f = -3;", "argument": ", -f"})
        self.assert_refuted(SCALED, {"argument": ", 2"}, {"set": "float f = -3;"})
        self.assert_open(SCALED, "the value of 'f' is not known here", {"argument": ", 2.5f"}, {"set": "float f = 3;\n    f = 4;"},
                         {"set": "float f = 3;\n    if (argc > 1)\n        f = 4;"}, {"set": "float f = 3;\n    f++;"}, {"argument": ", -3u"},
                         {"set": "float f = 3;\n    for (int k = 0; k < 2; k++)\n        f += k;"})
        # Where it isn't used, it needn't be known.
        self.assert_all_proved(SCALED, {"argument": ", 2.5f", "do": "if (t < n) A[t] = x[t];", "ensures": "a[i]"})


if __name__ == "__main__":
    main()
