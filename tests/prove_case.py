# SPDX-License-Identifier: MIT
"""Files with annotations, and what `reductio prove FILE.cu` says of them."""
import shutil
import sys
import tempfile
import unittest

from cli_case import CliTest
from short_run import OneOfSome

SKIPPED = 77

# Each block reduces its part in shared memory; @...@ are what a case puts in.
TREE = """#include <stdio.h>
#ifndef T
#define T 64
#endif
@before@
__global__ void reduce(const int *in, int *out, int n)
{
    @shared@
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    s[t] = i < n ? in[i] : @neutral@;
    __syncthreads();
    //@ invariant for 0 <= i < w: s[i] = @op@ of a[j], floor(j / T) = blockIdx.x, j mod w = i
    for (int w = T; w > 1; w /= 2) {
        @step@
        __syncthreads();
    }
    if (t == 0)
        @out@;
}
int main(void)
{
    const int n = 1000;
    //@ requires n <= 2^30
    const int B = (n + T - 1) / T;
    int a[n], *in, *out;
    for (int j = 0; j < n; j++)
        a[j] = 5 - j;
    //@ input a[n]
    cudaMalloc(&in, sizeof a);
    cudaMalloc(&out, B * sizeof(int));
    cudaMemcpy(in, a, sizeof a, cudaMemcpyHostToDevice);
    cudaMemset(out, 0, B * sizeof(int));
    reduce<<<B, T@bytes@>>>(in, out, n);
    //@ ensures @ensures@
    cudaFree(in);
    cudaFree(out);
    return 0;
}
"""
SUM = {"before": "", "shared": "__shared__ int s[T];", "neutral": "0", "op": "sum", "step": "if (t < w / 2) s[t] += s[t + w / 2];",
       "out": "out[blockIdx.x] = s[0]", "bytes": "", "ensures": "for 0 <= k < B: out[k] = sum of a[j], floor(j / T) = k"}
DYNAMIC = dict(SUM, shared="extern __shared__ int s[];", bytes=", T * sizeof(int)")
ATOMIC = dict(SUM, out="atomicAdd(out, s[0])", ensures="out[0] = sum of a[j]")
MAX = dict(SUM, op="max", neutral="-2147483647 - 1", step="if (t < w / 2) s[t] = max(s[t], s[t + w / 2]);",
           ensures="for 0 <= k < B: out[k] = max of a[j], floor(j / T) = k")
MAX_IF = dict(MAX, step="if (t < w / 2 && s[t + w / 2] > s[t]) s[t] = s[t + w / 2];")
MAX_CHOICE = dict(MAX, step="if (t < w / 2) s[t] = s[t] > s[t + w / 2] ? s[t] : s[t + w / 2];")


def by_sign(name, neutral, sign):
    return dict(SUM, op=name, neutral=neutral, step=f"if (t < w / 2) s[t] {sign}= s[t + w / 2];",
                ensures=f"for 0 <= k < B: out[k] = {name} of a[j], floor(j / T) = k")


OPERATIONS = {
    "product": by_sign("product", "1", "*"), "and": by_sign("and", "-1", "&"), "or": by_sign("or", "0", "|"), "xor": by_sign("xor", "0", "^"),
    "min": dict(MAX, op="min", neutral="2147483647", step="if (t < w / 2) s[t] = min(s[t], s[t + w / 2]);",
                ensures="for 0 <= k < B: out[k] = min of a[j], floor(j / T) = k")}


def fill(text, parts, **more):
    """The text with the parts in the places of @name@."""
    for name, part in dict(parts, **more).items():
        text = text.replace(f"@{name}@", part)
    return text


def tree(parts, **more):
    return fill(TREE, parts, **more)


class ProveCase(OneOfSome, CliTest):
    cache = tempfile.TemporaryDirectory(prefix="reductio-")

    def setUp(self):
        super().setUp()
        self.environment["XDG_CACHE_HOME"] = ProveCase.cache.name

    def prove(self, text, *options):
        path = self.path("user.cu")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return self.cli("prove", path, *options)

    def assert_proved(self, text, *options, shape="every n from 1 to 2^31 - 1 (for the "):
        done = self.prove(text, *options)
        last = done.stdout.splitlines()[-1]
        self.assertTrue(last.startswith("PROVED: "), done.stdout)
        self.assertIn(shape, last)
        self.assertEqual(done.returncode, 0, done.stderr)

    def assert_says(self, text, what, status, *options):
        done = self.prove(text, "--timeout", "3", *options)
        self.assertIn(what, done.stdout + done.stderr)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)


def main():
    if not shutil.which("cvc5") or not shutil.which("z3"):
        print("skipped: cvc5 and z3 are needed")
        sys.exit(SKIPPED)
    unittest.main()
