# SPDX-License-Identifier: MIT
"""Base of the tests of annotated programs: the programs, and how they are run."""

import os
import subprocess
import sys
import tempfile
import unittest

from patience import WAIT_S

BINARY = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "reductio"
TEMPORARY = tempfile.TemporaryDirectory(prefix="reductio-")

FOLD = """#include <cstdio>
%(before)s
__global__ void fold(%(type)s *A, int half)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < half)
        A[i] += A[i + half%(wrong)s];
}

int main(int argc, char **argv)
{
    const int n = %(n)s;
    %(type)s a[n], *A, result;
    for (int i = 0; i < n; i++)
        a[i] = %(value)s;
    cudaMalloc(&A, n * sizeof *A);
    //@ requires n = 2^k
    //@ input a[n]
    cudaMemcpy(A, a, n * sizeof *A, cudaMemcpyHostToDevice);
    //@ invariant %(law)s
    for (int w = n; w > 1; w /= 2)
        fold<<<1, 64>>>(A, w / 2);
    //@ ensures %(ensures)s
    cudaMemcpy(&result, A, sizeof result, cudaMemcpyDeviceToHost);
    //@ ensures result = sum of a[j]
    printf("the program's own words\\n");
    cudaFree(A);
    return %(status)s;
}
"""

KERNEL = """#define T 64
__global__ void total(int *A, const int *a)
{
    __shared__ int cache[T];
    int t = threadIdx.x;
    cache[t] = a[blockIdx.x * T + t];
    %(first)s
    //@ invariant for 0 <= i < %(width)s: cache[i] = sum of a[blockIdx.x * 64 + j], 0 <= j < 64, j mod w = i
    for (int w = T; w > 1; w /= 2) {
        if (t < w / 2)
            cache[t] += cache[t + w / 2%(wrong)s];
        %(barrier)s;
    }
    //@ ensures cache[0] = sum of a[j], floor(j / 64) = blockIdx.x
    if (t == 0)
        A[blockIdx.x] = cache[0];
}
int main(void)
{
    const int n = 256;
    int a[n], *A, *b;
    for (int i = 0; i < n; i++)
        a[i] = i * i %% 37;
    cudaMalloc(&A, 4 * sizeof *A);
    cudaMalloc(&b, n * sizeof *b);
    //@ input a[n]
    cudaMemcpy(b, a, sizeof a, cudaMemcpyHostToDevice);
    total<<<4, T>>>(A, b);
    //@ ensures for 0 <= k < 4: A[k] = sum of a[j], floor(j / 64) = k
    cudaFree(A);
    cudaFree(b);
}
"""


def kernel(**parts):
    values = {"first": "__syncthreads();", "width": "w", "wrong": "", "barrier": "__syncthreads()"}
    values.update(parts)
    return KERNEL % values


def fold(**parts):
    values = {"type": "int", "wrong": "", "n": "8", "value": "i + 1", "before": "", "status": "0",
              "law": "for 0 <= i < w: A[i] = sum of a[j], j mod w = i",
              "ensures": "A[0] = sum of a[j]"}
    values.update(parts)
    return FOLD % values


class AnnotatedTest(unittest.TestCase):
    def run_text(self, text, *options, name="fold.cu", command="run"):
        with open(os.path.join(TEMPORARY.name, name), "w", encoding="utf-8") as file:
            file.write(text)
        run = subprocess.run([BINARY, command, name, "--device", "sim", *options], cwd=TEMPORARY.name,
                             capture_output=True, text=True, timeout=WAIT_S,
                             env={**os.environ, "XDG_STATE_HOME": TEMPORARY.name})
        return run.returncode, run.stdout + run.stderr

    def of_trace(self, *command, status=0):
        run = subprocess.run([BINARY, *command, "t.ndjson"], cwd=TEMPORARY.name, capture_output=True, text=True,
                             timeout=WAIT_S)
        self.assertEqual(run.returncode, status, run.stdout + run.stderr)
        return run.stdout

    def check(self, text, status, *wanted, name="fold.cu"):
        found, output = self.run_text(text, name=name)
        for part in wanted:
            self.assertIn(part, output)
        self.assertEqual(found, status, output)
        return output

    def loop(self, law, loop, before="", after="", declarations=""):
        return "%s\nint main()\n{\n    int A[4] = {0};\n    %s\n    //@ invariant %s\n    %s\n    %s\n" \
               "    return 0;\n}\n" % (declarations, before, law, loop, after)
