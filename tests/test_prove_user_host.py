#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""reductio prove FILE.cu: numbers, branches, loops, streams and launches of the host's code.

test_prove_user_host.py REDUCTIO     skipped where there is no cvc5, or no libclang
"""
from prove_case import ProveCase, fill, main
from short_run import takes_long

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


class ProveUserHost(ProveCase):
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
    for (int i = 0; i < n; i++)
        a[i] += 0;
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

    def test_law_that_has_no_value_somewhere_is_open_there(self):
        whole = dict(ONCE, launch="copy<<<(n + 127) / 128, 128>>>(x, A, n);")
        shifted = dict(whole, **{"from": "t + 1", "launch": "copy<<<(n + 127) / 128, 128>>>(x, A, n - 1);"})
        for parts, ensures in ((shifted, "for 0 <= i < n: A[i] = a[i + 1]"), (shifted, "for 0 <= i < n - 1: A[i] = a[2*n - i]"),
                               (whole, "for 0 <= i < n: A[i] = sum of a[j], j = i, n mod (n - 2) >= 0"),
                               (whole, "for 0 <= i < n: A[i] = sum of a[j], j = i, 2^(n - 5) >= 0"),
                               (whole, "for 0 <= i < n: A[i] = sum of a[j], j = i, log2(n - 2) >= 0")):
            with self.subTest(ensures=ensures):
                done = self.prove(self.host(dict(parts, ensures=ensures)), "--timeout", "3")
                self.assertIn("OPEN    line 22: the law has a value: no quotient by 0, and no element that an input doesn't have", done.stdout)
                self.assertEqual(done.returncode, 3, done.stdout + done.stderr)
        for parts, ensures in ((shifted, "for 0 <= i < n - 1: A[i] = a[i + 1]"), (shifted, "for 0 <= i < n - 1: A[i] = sum of a[j], j = i + 1"),
                               (whole, "for 0 <= i < n: A[i] = sum of a[j], j = i, n mod (n - 1) >= 0, log2(n) >= 0")):
            with self.subTest(ensures=ensures):
                self.assert_proved(self.host(dict(parts, ensures=ensures)), shape="where 2 <= n <= 1000")

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
    def test_leak_refutes_no_law(self):
        text = self.host(IN_ORDER, STREAM).replace("requires n <= 1000", "requires n >= 1")
        self.assertIn("cudaFree(A);", text)
        self.assert_says(text.replace("cudaFree(A);", ""), "OPEN: ", 3)

    def test_new_is_read_of_arrays_without_values(self):
        for new in ("new int(n)", "new int[n]()"):
            with self.subTest(new=new):
                self.assert_says(self.host(IN_ORDER, STREAM, new=new), "CXXNewExpr", 3)
        self.assert_says(self.host(IN_ORDER, STREAM, new="new int[n - 1]"), "the input is within its array", 1)

    @takes_long
    def test_branches_in_branches_of_the_host(self):
        self.assert_proved(self.host(NESTED, most="14"))
        self.assert_says(self.host(NESTED, most="13"), "n = 8", 3)

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


if __name__ == "__main__":
    main()
