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


if __name__ == "__main__":
    main()
