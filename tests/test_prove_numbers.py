#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""reductio prove FILE.cu, of numbers of the host that are set more than once: which of them the proof says to be any.

test_prove_numbers.py REDUCTIO     skipped where there is no cvc5, or no libclang
"""
from prove_case import ProveCase, fill, main

# A launch that copies; @...@ are what a case puts in.
COPY = """#include <stdio.h>
__global__ void copy(const int *x, int *A, int n)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t < n)
        A[t] = x[t];
}
int main(int argc, char **argv)
{
    @set@
    //@ requires n <= @most@
    int a[1000], *x, *A;
    for (int j = 0; j < 1000; j++)
        a[j] = j;
    //@ input a[n]
    cudaMalloc(&x, sizeof a);
    cudaMalloc(&A, sizeof a);
    cudaMemcpy(x, a, sizeof a, cudaMemcpyHostToDevice);
    cudaMemset(A, 0, sizeof a);
    copy<<<(n + 63) / 64, 64>>>(x, A, n);
    //@ ensures for 0 <= i < n: A[i] = a[i]
    cudaFree(x);
    cudaFree(A);
    return 0;
}
"""
ANY = "every n from 1 to 2^31 - 1 (for the {} of line {}), where n"


class ProveNumbersTest(ProveCase):
    def assert_number(self, text, shape, most="1000"):
        self.assert_proved(fill(COPY, {"set": text, "most": most}), shape=", for " + shape)

    def test_a_number_that_is_set_again_is_the_last(self):
        self.assert_number("int n = 5;", ANY.format(5, 10))
        self.assert_number("int n = 5;\n    n = 3;", ANY.format(3, 11))
        self.assert_number("int n;\n    n = 5;\n    n = 3;", ANY.format(3, 12))
        self.assert_number("int n = 5, m = n; n = 3; m = n;", ANY.format(3, 10))

    def test_a_number_of_a_block_that_has_ended_is_another(self):
        self.assert_number("{ int n = 7; printf(\"%d\", n); }\n    int n = 5;", ANY.format(5, 11))
        self.assert_number("int n = 5;\n    for (int n = 7; n < 8; n++)\n        printf(\"%d\", n);", ANY.format(5, 10))

    def test_a_number_that_arguments_set_is_any(self):
        self.assert_number("int n = 5;\n    if (argc > 1)\n        n = 3;", ANY.format(5, 10))
        self.assert_number("int n = 5;\n    if (argc > 1) {\n        n = 3;\n    }", ANY.format(5, 10))

    def test_a_number_that_is_another_for_some_n_is_told(self):
        of = "every number from 1 to 2^31 - 1 in place of the 5 of line 10, where n"
        self.assert_number("int n = 5;\n    if (argc < 2)\n        n = n < 1000 ? n : 7;", of)
        self.assert_number("int n = 5;\n    n = n < 1000 ? n + 1 : 7;", of)

    def test_a_number_that_is_not_its_variable_is_not_told(self):
        self.assert_number("int n = 5;\n    printf(\"%d\", n);\n    n = argc > 0 ? argc : 7;", "its own sizes, where n")

    def test_a_run_with_another_number_sets_the_last(self):
        path = self.path("user.cu")
        with open(path, "w", encoding="utf-8") as file:
            file.write(fill(COPY, {"set": "{ int n = 7; printf(\"inner %d\\n\", n); }\n    int n = 5;\n    n = 9;\n    printf(\"n %d\\n\", n);",
                                   "most": "1000"}))
        done = self.cli("run", path, "--number", "n=4")
        self.assertIn("inner 7", done.stdout)
        self.assertIn("n 4", done.stdout)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)


if __name__ == "__main__":
    main()
