#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""reductio prove FILE.cu, of memory of the host's: vectors, managed memory, variables that are added up or copied; and of each what is
wrong is never proved.

test_prove_memory.py REDUCTIO     skipped where there is no cvc5, or no libclang
"""
from prove_case import ATOMIC, MAX, OPERATIONS, SUM, ProveCase, fill, main, tree
from short_run import takes_long

# The host's memory is vectors.
VECTOR = """#include <algorithm>
#include <numeric>
#include <vector>
@before@
__global__ void add(const int *x, int *A, int n)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t < n)
        A[t] += x[t];
}
int main(void)
{
    const int n = 100;
    //@ requires 2 <= n <= 2^28
    std::vector<int> a(n), @start@, b(n);
    for (size_t j = 0; j < a.size(); j++)
        a[j] = j;
    int *x, *A;
    @more@
    //@ input a[n]
    cudaMalloc(&x, n * sizeof(int));
    cudaMalloc(&A, n * sizeof(int));
    cudaMemcpy(x, a.data(), @bytes@, cudaMemcpyHostToDevice);
    cudaMemcpy(A, start.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    add<<<(n + 63) / 64, 64>>>(x, A, n);
    cudaMemcpy(&b[0], A, n * sizeof(int), cudaMemcpyDeviceToHost);
    @behind@
    //@ ensures @ensures@
    cudaFree(x);
    cudaFree(A);
    return 0;
}
"""
VECTORS = {"before": "", "start": "start(n)", "more": "", "bytes": "a.size() * sizeof(int)", "behind": "",
           "ensures": "for 0 <= i < n: b[i] = a[i]"}

# The host adds up what the blocks have left; @...@ are what a case puts in.
ADDED = """for 0 <= k < B: out[k] = sum of a[j], floor(j / T) = k
    @type@ h[B], s = @start@;
    cudaMemcpy(h, out, B * sizeof(@type@), cudaMemcpyDeviceToHost);
    @before@
    //@ invariant s = sum of a[j], floor(j / T) < i
    for (int i = @first@; i @until@; i++)
        @step@
    //@ ensures s = sum of a[j]"""
ADDS = {"type": "int", "start": "0", "before": "", "first": "0", "until": "< B", "step": "s += h[i];"}

# Memory that both reach.
MANAGED = """#include <cstdio>
#include <utility>
__global__ void add(const int *x, int *A, int n)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t < n)
        A[t] += x[t];
}
static int first(const int *p) { return p[0] > 0; }
int main(int argc, char **argv)
{
    const int n = 100;
    //@ requires 2 <= n <= 2^28
    int *x, *A, y = 0, s = 0;
    cudaMallocManaged(&x, n * sizeof(int));
    cudaMallocManaged(&A, n * sizeof(int));
    for (int j = 0; j < n; j++)
        x[j] = j;
    //@ input x[n]
    cudaMemset(A, 0, n * sizeof(int));
    @before@
    add<<<(n + 63) / 64, 64>>>(x, A, n);
    @wait@
    @behind@
    //@ ensures @ensures@
    cudaFree(x);
    cudaFree(A);
    return y;
}
"""
WAITED = {"before": "", "wait": "cudaDeviceSynchronize();", "behind": 'printf("%d\\n", A[0]);', "ensures": "for 0 <= i < n: A[i] = x[i]"}


class ProveMemory(ProveCase):
    def test_vectors_are_memory_of_the_host(self):
        for changes in ({}, {"start": "start(n, 0)"}, {"start": "start = std::vector<int>(n)"}, {"before": "using std::vector;"},
                        {"behind": "const int *p = b.data();\n    //@ assert for 0 <= i < n: p[i] = a[i]"},
                        {"behind": "{\n        std::vector<int> c(b.size() / 2);\n        c[0] = b[1];\n    }"}):
            with self.subTest(**changes):
                self.assert_proved(fill(VECTOR, VECTORS, **changes))

    @takes_long
    def test_fault_about_a_vector_is_never_proved(self):
        lived = "const int *p;\n    {\n        std::vector<int> c(n);\n        p = c.data();\n        cudaMemcpy(c.data(), A, n * sizeof(int), " \
            "cudaMemcpyDeviceToHost);\n    }"
        for said, status, changes in (
                ("a live cell is what the law says", 1, {"start": "start(n, 1)"}),
                ("the copy is within the array that it is from", 1, {"start": "start(n - 1)"}),
                ("the input is within its array", 1, {"before": "#define a(n) a(n - 1)"}),
                ("a live cell is what the law says", 1, {"bytes": "(a.size() - 1) * sizeof(int)"}),
                ("a live cell is what the law says", 1, {"behind": "b[n / 2] = 7;"}),
                ("a live cell is what the law says", 1, {"behind": "std::swap(b, start);"}),
                ("each cell that the law names is in the array", 3, {"behind": lived, "ensures": "for 0 <= i < n: p[i] = a[i]"}),
                ("each cell that the law names is in the array", 3, {"behind": lived.replace("std::vector<int> c(n);", "int c[n];").replace(
                    "c.data()", "c"), "ensures": "for 0 <= i < n: p[i] = a[i]"}),
                ("each cell that the law names is in the array", 3, {"behind": lived.replace(
                    "cudaMemcpyDeviceToHost);", 'cudaMemcpyDeviceToHost);\n        printf("%p", (void *)&c);'), "before": "#include <cstdio>",
                    "ensures": "for 0 <= i < n: p[i] = a[i]"}),
                ("user.cu:28: a statement that the prover doesn't read, in a loop", 3, {"behind": "for (int i = 0, part[4]; i < 4; i++)\n        part[i] = 1;"}),
                ("user.cu:15: a vector that is not made by v(n) or v(n, x), of numbers", 3, {"start": "start{n}"}),
                ("user.cu:15: a vector that is not made by v(n) or v(n, x), of numbers", 3, {
                    "before": "std::vector<int> make(int n) { return std::vector<int>(n, 1); }", "start": "start = make(n)"}),
                ("user.cu:15: a vector that is not made by v(n) or v(n, x), of numbers", 3, {
                    "before": "namespace own { std::vector<int> vector(int n) { return std::vector<int>(n, 1); } }", "start": "start = own::vector(n)"}),
                ("user.cu:15: a vector that is not made by v(n) or v(n, x), of numbers", 3, {"start": "start(a)"}),
                ("user.cu:15: a vector that is not made by v(n) or v(n, x), of numbers", 3, {"start": "start(&a[0], &a[n])"}),
                ("user.cu:19: a vector that is not made by v(n) or v(n, x), of numbers", 3, {"more": "std::vector<bool> f(n);"}),
                ("user.cu:19: the call of 'resize'", 3, {"more": "a.resize(n + 1);"}),
                ("user.cu:27: the call of 'push_back'", 3, {"behind": "b.push_back(3);"}),
                ("user.cu:27: an overloaded operator", 3, {"behind": "b = start;"}),
                ("user.cu:27: the call of 'fill'", 3, {"behind": "std::fill(b.begin(), b.end(), 3);"}),
                ("user.cu:19: the variable 'r', a reference", 3, {"more": "std::vector<int> &r = a;"}),
                ("user.cu:27: an argument that is neither a number nor a pointer", 3, {"before": "void f(std::vector<int> &v) { v[0] = 1; }", "behind": "f(b);"})):
            with self.subTest(said=said, **changes):
                self.assert_says(fill(VECTOR, VECTORS, **changes), said, status)

    @takes_long
    def test_what_a_call_may_write_is_not_known(self):
        wrong = "a live cell is what the law says"
        head = "#include <cstdio>\n#include <cstdlib>\n#include <ctime>"
        for call in ('printf("abc%n\\n", &b[0] + 1);', 'printf("abc%n\\n", b.data() + 1);', "time((time_t *)(void *)(b.data() + 2));",
                     'strtol("12x", (char **)(void *)(b.data() + 2), 10);', "time((0, (time_t *)(void *)b.data()));",
                     'const int *p = b.data();\n    printf("abc%n\\n", n > 3 ? p : 0);',
                     'for (int i = 0; i < 1; i++) {\n        int *q = &b[0];\n        printf("abc%n\\n", q);\n    }'):
            with self.subTest(call):
                done = self.prove(fill(VECTOR, VECTORS, before=head, behind=call), "--timeout", "3")
                self.assertNotIn("\nPROVED", "\n" + done.stdout)
                self.assertIn(done.returncode, (1, 3), done.stderr)
        self.assert_says(fill(VECTOR, VECTORS, before=head, behind='const int *p = b.data();\n    printf("abc%n\\n", (int *)p + 1);'), wrong, 1)
        self.assert_proved(fill(VECTOR, VECTORS, before=head, behind='printf("%d\\n", b[1] + 1);'))

    def test_pointer_of_another_type_is_not_followed(self):
        for cast in ("long *p = (long *)b.data();", "long *p = (long *)(void *)(b.data() + 1);", "float *p = (float *)b.data();",
                     "unsigned char *p = (unsigned char *)b.data();", "int *p = (int *)((char *)b.data() + 1);"):
            with self.subTest(cast):
                self.assert_says(fill(VECTOR, VECTORS, behind=cast, ensures="p[0] = a[0]"), "user.cu:27: a pointer that is cast to one to another type", 3)

    def test_overload_for_arrays_of_constant_length_is_not_passed_over(self):
        kinds = ("template <int N> static int f(int (&)[N]) { return 2; }\nstatic int f(const void *) { return 1; }",
                 "static int f(int (&)[100]) { return 2; }\nstatic int f(const void *) { return 1; }")
        for kind in kinds:
            with self.subTest(kind):
                self.assert_says(fill(VECTOR, VECTORS, before=kind, behind="int z[n];\n    if (f(z) == 2)\n        b[0] = 7;"),
                                 "an array whose length a number gives, for a function that may have overloads", 3)

    @takes_long
    def test_managed_memory_is_the_hosts_once_it_has_waited(self):
        adds = "//@ invariant s = sum of x[j], j < i\n    for (int i = 0; i < n; i++)\n        s += A[i];"
        for changes in ({}, {"behind": adds, "ensures": "s = sum of x[j]"}, {"wait": "if (cudaDeviceSynchronize() != cudaSuccess)\n        return 1;"},
                        {"wait": "", "behind": "int *p = A;\n    p++;"}):
            with self.subTest(**changes):
                self.assert_proved(fill(MANAGED, WAITED, **changes), shape="every n from 1 to")
        used = "is used while work of the device may be under way: cudaDeviceSynchronize() before it"
        for said, status, changes in (
                ("user.cu:24: 'A' " + used, 3, {"wait": ""}),
                ("user.cu:24: 'x' " + used, 3, {"wait": "", "behind": "x[1] = 5;"}),
                ("user.cu:24: 'x' " + used, 3, {"wait": "", "behind": "y = *(x + 1);"}),
                ("user.cu:24: 'x' " + used, 3, {"wait": "", "behind": "for (int j = 0; j < n; j++)\n        y += x[j] > 3;"}),
                ("user.cu:24: 'x' " + used, 3, {"wait": "", "behind": "std::swap(x[0], x[1]);"}),
                ("user.cu:9: 'x' " + used, 3, {"wait": "", "behind": "y = first(x);"}),
                ("user.cu:24: 'x' " + used, 3, {"wait": "int *p = x;", "behind": "p[0] = 3;"}),
                ("user.cu:25: 'A' " + used, 3, {"wait": "if (argc > 1)\n        cudaDeviceSynchronize();"}),
                ("user.cu:24: 'A' " + used, 3, {"wait": "cudaGetLastError();"}),
                ("user.cu:21: 'A' " + used, 3, {"before": "A[1] = 0;"}),
                ("user.cu:26: the call of 'swap'", 3, {"wait": "cudaDeviceSynchronize();\n    int *D;\n    cudaMalloc(&D, n * sizeof(int));",
                                            "behind": "std::swap(A, D);\n    A[0] = 7;", "ensures": "for 0 <= i < n: D[i] = x[i]"}),
                ("user.cu:25: 'A' " + used, 3, {"wait": "cudaDeviceSynchronize();\n    cudaMemset(A, 0, 4);"}),
                ("a live cell is what the law says", 1, {"behind": "A[n / 2] = 7;"}),
                ("what a thread writes is what the law says", 1, {"before": "cudaDeviceSynchronize();\n    A[1] = 1;"})):
            with self.subTest(said=said, **changes):
                self.assert_says(fill(MANAGED, WAITED, **changes), said, status)
        self.assert_says(fill(MANAGED, WAITED).replace("Managed(&A, n * sizeof(int))", "Managed(&A, n * sizeof(int), 2)"),
                         "user.cu:16: the call of 'cudaMallocManaged' with 3 arguments", 3)

    def added(self, of=SUM, **changes):
        return tree(of, ensures=fill(ADDED, ADDS, **changes))

    def test_sum_of_the_host_is_proved_by_an_invariant(self):
        for changes in ({}, {"step": "s = h[i] + s;"}, {"before": "const int *p = h + 1;", "step": "s += p[i - 1];"},
                        {"step": "{\n            int x = 3;\n            s += h[i];\n            x++;\n        }"}):
            with self.subTest(**changes):
                self.assert_proved(self.added(**changes))
        floats = self.added(type="float").replace("const int *in, int *out", "const float *in, float *out").replace("int s[T]", "float s[T]").replace(
            "int a[n], *in, *out", "float a[n], *in, *out").replace("sizeof(int)", "sizeof(float)")
        self.assert_proved(floats)
        self.assert_proved(floats.replace("float h[B], s = 0;", "float h[B];\n    double s = 0;"))

    @takes_long
    def test_fault_in_a_sum_of_the_host_is_never_proved(self):
        unread = "a law of a variable that is neither copied from an array by cudaMemcpy() nor"
        for said, status, changes in (
                ("line 38, before the loop: the variable is what the law says", 1, {"first": "1"}),
                ("line 41: the variable is what the law says", 1, {"until": "< B - 1"}),
                ("line 40: the host reads within h", 1, {"until": "<= B"}),
                ("line 38, before the loop: the variable is what the law says", 1, {"start": "1"}),
                ("line 38, after a trip: the variable is what the law says", 1, {"step": "if (i != 1) s += h[i];"}),
                ("line 38, after a trip: the variable is what the law says", 1, {"step": "s += h[0];"}),
                ("line 38, after a trip: the variable is what the law says", 1, {"before": "h[B / 2] = 5;"}),
                ("line 38, after a trip: the variable is what the law says", 1, {"step": "s += h[i] + 1;"}),
                (unread, 3, {"step": "s += (float)h[i];"}),
                (unread, 3, {"step": "s += ((unsigned *)h)[i];"}),
                (unread, 3, {"step": "s += ((short *)h)[i];"}),
                (unread, 3, {"step": "s += 2 * h[i];"}),
                (unread, 3, {"step": "s += h[s = i];"}),
                (unread, 3, {"step": "for (int k = i; k <= i; k++) s += h[k];"})):
            with self.subTest(said=said, **changes):
                self.assert_says(self.added(**changes), said, status)
        # Of another type it is another sum, where it wraps.
        self.assert_says(self.added().replace("h[B], s = 0;", "h[B];\n    long long s = 0;"), unread, 3)
        self.assert_says(self.added().replace("    //@ invariant s", "    // s"), unread, 3)
        self.assert_says(self.added(MAX).replace("= sum of", "= max of"), unread, 3)

    @takes_long
    def test_start_value_that_is_copied_from_a_variable(self):
        set_to = "cudaMemset(out, 0, B * sizeof(int));"
        copied = "int start = START;\n    cudaMemcpy(out, &start, sizeof start, cudaMemcpyHostToDevice);"
        most = tree(MAX, out="atomicMax(out, s[0])", ensures="out[0] = max of a[j]")
        least = tree(OPERATIONS["min"], out="atomicMin(out, s[0])", ensures="out[0] = min of a[j]")
        for text, start, wrong in ((most, "-2147483647 - 1", "12345"), (least, "2147483647", "-12345"), (tree(ATOMIC), "0", "1")):
            self.assertIn(set_to, text)
            with self.subTest(start=start):
                self.assert_proved(text.replace(set_to, copied.replace("START", start)))
                self.assert_says(text.replace(set_to, copied.replace("START", wrong)), "a cell to which no thread adds", 1)
        for fault in (copied.replace("cudaMemcpy(out,", "start++;\n    cudaMemcpy(out,"), copied.replace("cudaMemcpy(out,", "cudaMemcpy(out + 1,")):
            text = most.replace(set_to, fault.replace("START", "-2147483647 - 1"))
            done = self.prove(text.replace("B * sizeof(int)", "(B + 1) * sizeof(int)"), "--timeout", "3")
            self.assertRegex(done.stdout, r"(?m)^(REFUTED|OPEN): user|^(REFUTED|OPEN): /", done.stderr)
        floats = tree(ATOMIC).replace("const int *in, int *out", "const float *in, float *out").replace("int s[T]", "float s[T]").replace(
            "int a[n], *in, *out", "float a[n], *in, *out").replace("sizeof(int)", "sizeof(float)").replace(
                "cudaMemset(out, 0, B * sizeof(float));", copied.replace("int start", "float start"))
        self.assert_proved(floats.replace("START", "0.0f"))
        self.assert_says(floats.replace("START", "0.5f"), "a cell to which no thread adds", 1)


if __name__ == "__main__":
    main()
