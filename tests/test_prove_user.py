#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""reductio prove FILE.cu, of files as people write them: dynamic shared memory, atomics, maxima, nvcc's options; and of each what is
wrong is never proved.

test_prove_user.py REDUCTIO     skipped where there is no cvc5, or no libclang
"""
import json
import os
import re

from prove_case import ATOMIC, DYNAMIC, MAX, MAX_CHOICE, MAX_IF, OPERATIONS, SUM, ProveCase, main, tree
from short_run import takes_long

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


class ProveUser(ProveCase):
    EVERY = 5

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
        # What is said of the copy is asserted of what the launch wrote; behind a loop of the host's it isn't.
        self.assert_proved(copied)
        copied = copied.replace("    //@ ensures r", "    for (int k = 0; k < 2; k++)\n        puts(\"\");\n    //@ ensures r")
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

    @takes_long
    def test_launch_bounds_bound_the_block(self):
        text = tree(SUM).replace("__global__ void reduce", "__global__ void __launch_bounds__(@most@) reduce")
        self.assert_proved(text.replace("@most@", "T"))
        self.assert_proved(text.replace("@most@", "128, 2"))
        self.assert_says(text.replace("@most@", "32"), "a block has no more threads than the kernel's launch bounds", 1)
        self.assert_says(text.replace("@most@", "T + 1"), "which are no number", 3)
        behind = tree(SUM).replace("int main(void)", "__global__ void __launch_bounds__(32) reduce(const int *in, int *out, int n);\nint main(void)")
        self.assert_says(behind, "a block has no more threads than the kernel's launch bounds", 1)

    def test_fault_in_a_maximum_is_refuted(self):
        self.assert_says(tree(MAX, step="if (t < w / 2) s[t] = max(s[t], s[t + w / 2 - 1]);"), "what a thread writes is what the law says", 1)
        self.assert_says(GRID.replace("i < n;", "i < n - 1;"), "what a thread writes is what the law says", 1)

    @takes_long
    def test_law_of_no_cell_is_not_proved(self):
        self.assert_says(tree(SUM, ensures="for B <= k < B: out[k] = 5"), "a law that claims no cell", 3)
        self.assert_says(tree(SUM, ensures="when n = 0: out[0] = 5"), "the hypotheses contradict each other", 3)

    def test_shared_variable_is_told_from_an_array(self):
        self.assert_says(tree(SUM, shared="__shared__ int s[T];\n    __shared__ int last;"), "a shared variable that is no array", 3)

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
