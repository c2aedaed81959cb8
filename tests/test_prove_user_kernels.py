#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""reductio prove FILE.cu: loops, functions, constants and values in kernels, and texts that hide something from the prover.

test_prove_user_kernels.py REDUCTIO     skipped where there is no cvc5, or no libclang
"""
import os
import shutil
import tempfile

from prove_case import ProveCase, fill, main
from short_run import part, takes_long

# Each thread copies an element, and does something in a loop before.
COPY = """__device__ int more(int *p, int *s, int i, int m, int t, int n)
{
    int *q = p;
    if (i >= m) {
        q = s;
        if (t < n)
            p[t] = 0;
        return i < m;
    }
    return i < m;
}
__global__ void copy(const int *in, int *aux, @element@ *out, int n, int m)
{
    __shared__ int s[64];
    int t = blockIdx.x * blockDim.x + threadIdx.x, p = 0;
    @loop@
}
int main(void)
{
    const int n = 100, m = 3;
    //@ requires 2 <= n <= 2^20
    //@ requires m <= 100
    int a[n], *in, *aux;
    @element@ *out;
    for (int j = 0; j < n; j++)
        a[j] = 5 - j;
    //@ input a[n]
    cudaMalloc(&in, sizeof a);
    cudaMalloc(&aux, n * sizeof(int));
    cudaMalloc(&out, n * sizeof(int));
    cudaMemcpy(in, a, sizeof a, cudaMemcpyHostToDevice);
    copy<<<(n + 63) / 64, 64>>>(in, aux, out, n, m);
    //@ ensures for 0 <= i < n: out[i] = a[i]
    cudaFree(in);
    cudaFree(aux);
    cudaFree(out);
    return 0;
}
"""

# In each trip of the outer loop the inner one ends at another j.
INNER = """int q = 0;
    for (int i = 0; t < n && i < n; i++) {
        int j = i;
        while (j > 1) {
            aux[t] = in[t];
            j /= 2;
        }
        if (i == 0 && j >= 0 && j < n)
            p += in[j];
        if (i == 1 && j >= 0 && j < n)
            q += in[j];
    }
    if (t < n)
        out[t] = in[t] + p - q;"""

# Each thread adds up what is its own.
ROUNDED = """__global__ void part(const double *x, @to@ *A, int n)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    @part@
}
int main(void)
{
    const int n = 500;
    double a[n], *x;
    @to@ *A;
    for (int j = 0; j < n; j++)
        a[j] = j - 7;
    //@ requires n <= 2^28
    //@ input a[n]
    cudaMalloc(&x, sizeof a);
    cudaMalloc(&A, 256 * sizeof *A);
    cudaMemcpy(x, a, sizeof a, cudaMemcpyHostToDevice);
    part<<<4, 64>>>(x, A, n);
    //@ ensures for 0 <= t < 256: A[t] = sum of a[j], j mod 256 = t
    cudaFree(x);
    cudaFree(A);
    return 0;
}
"""

IN_TURN = """__global__ void copy(const int *x, int *A, int n)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x, i = t;
    @do@
}
int main(void)
{
    const int n = 60;
    //@ requires n <= 2^20
    int a[n], *x, *A;
    for (int j = 0; j < n; j++)
        a[j] = j * 3 + 1;
    //@ input a[n]
    cudaMalloc(&x, sizeof a);
    cudaMalloc(&A, (n + 1) * sizeof *A);
    cudaMemset(A, 0, (n + 1) * sizeof *A);
    cudaMemcpy(x, a, sizeof a, cudaMemcpyHostToDevice);
    copy<<<(n + 31) / 32, 32>>>(x, A, n);
    //@ ensures @ensures@
    cudaFree(x);
    cudaFree(A);
    return 0;
}
"""


class ProveUserKernels(ProveCase):
    EVERY = 5

    @takes_long
    def test_names_of_cuda_are_the_systems(self):
        copy = self.copy("@call@\n    if (t < n)\n        out[t] = in[t];")
        for defined, call in (("__device__ void __syncthreads(int *p) { *p = 5; }", "__syncthreads(out);"),
                              ("__device__ void __threadfence(int *p) { *p = 5; }", "__threadfence(out);"),
                              ("namespace q { __device__ void __syncthreads() {} }", "s[threadIdx.x] = 1; q::__syncthreads(); p = s[63 - threadIdx.x];")):
            with self.subTest(call):
                done = self.prove(f"{defined}\n" + copy.replace("@call@", call))
                self.assertNotIn("\nPROVED", done.stdout)
        place = "struct Q { unsigned x; };\nnamespace q { __device__ const Q gridDim = {5}; }\n"
        self.assert_says(place + copy.replace("@call@", "if (q::gridDim.x != 1) return;"), "that the prover knows", 3)

    def test_name_of_the_library_is_known_however_it_is_written(self):
        with open(self.path("own.h"), "w", encoding="utf-8") as file:
            file.write("#define LIBRARY std\n")
        for before, name in (("", "std"), ("#define JOIN(x, y) x##y\n", "JOIN(st, d)"), ("", "st\\\nd"), ('#include "own.h"\n', "LIBRARY")):
            with self.subTest(name=name):
                self.assert_proved(before + self.copy(f"int i = {name}::min(t, n);\n    if (t < n) out[t] = in[i];"))
        loop = "int i = LIBRARY::min(t, n);\n    if (t < n) out[t] = in[i];"
        self.assert_proved(self.copy(loop), "-DLIBRARY=std")
        self.assert_says("#include <stdlib.h>\n" + self.copy("if (t < n) out[t] = std::beta(in[t], 1);"), "user.cu:17: the call of 'beta'", 3)

    def test_invariant_of_cells_that_the_array_does_not_have_is_not_proved(self):
        loop = """__shared__ int rows[64];
    rows[threadIdx.x] = 0;
    __syncthreads();
    //@ invariant when d >= 0: for @range@: rows[k] = 0
    for (int d = 32; d > 0; d /= 2) {
        __syncthreads();
    }
    if (t < n) out[t] = in[t];"""
        self.assert_proved(self.copy(loop.replace("@range@", "0 <= k < 64")))
        for cells in "70 <= k < 75", "0 <= k < 65 + d - d":
            with self.subTest(cells):
                self.assertIn("\nOPEN: ", self.prove(self.copy(loop.replace("@range@", cells))).stdout)

    def test_invariant_that_claims_no_cell_at_any_trip_is_not_proved(self):
        loop = """__shared__ int rows[64];
    rows[threadIdx.x] = 0;
    __syncthreads();
    //@ invariant when d > @least@: for 0 <= k < 64: rows[k] = 0
    for (int d = 32; d > 0; d /= 2) {
        __syncthreads();
    }
    if (t < n) out[t] = in[t];"""
        self.assert_proved(self.copy(loop.replace("@least@", "16")))
        self.assertIn("\nOPEN: ", self.prove(self.copy(loop.replace("@least@", "32"))).stdout)

    def test_bound_that_names_the_variable_is_no_bound(self):
        loop = "int q = 1;\n    while (q < n / q)\n        q *= 2;\n    if (t < n && q * 2 > n)\n        out[t] = in[t];"
        self.assert_says(self.copy(loop), "whose number of trips is not known", 3)

    def test_return_in_a_loop_of_a_function_is_not_passed_over(self):
        text = self.copy("if (t < n)\n        out[t] = in[t];")
        launch = "copy<<<(n + 63) / 64, 64>>>(in, aux, out, n, m);"
        go = "static void go(int *in, int *aux, int *out, int n, int m)\n{\n    for (int k = 0; k < 9; k++)\n        if (k == 3)\n            return;\n    " + launch + "\n}\n"
        moved = text.replace(launch, "go(in, aux, out, n, m);").replace("int main(void)", go + "int main(void)")
        self.assert_says(moved, "in a loop without an invariant", 3)
        self.assert_proved(moved.replace("            return;\n", "            break;\n"))

    def test_code_that_runs_where_none_is_written_is_not_passed_over(self):
        text = self.copy("if (t < n)\n        out[t] = in[t];").replace("    //@ ensures", "    @here@\n    //@ ensures")
        clears = "struct G { int *p; ~G() { cudaMemset(p, 0, 4); } };\n"
        member = "static int *kept;\nstruct G { int *p = (cudaMemset(kept, 0, 4), kept); };\n"
        attribute = "static void clear(int **p) { cudaMemset(*p, 0, 4); }\n"
        acting = "an object of a type with a constructor, a destructor or members with initial values"
        for before, here, said in ((clears, "{ G g = {out}; }", acting), (clears, "G{out};", acting),
                                   (clears, "{ std::vector<G> g(1); }", acting), (member, "kept = out; { G g; }", acting),
                                   (attribute, "{ int *p __attribute__((cleanup(clear))) = out; }", "a variable with an attribute")):
            with self.subTest(here):
                self.assert_says("#include <vector>\n" + before + text.replace("@here@", here), said, 3)
        self.assert_proved("struct G { int *p; };\n" + text.replace("@here@", "{ G g = {out}; [[maybe_unused]] int k = 3; }"))

    @takes_long
    def test_what_runs_beside_main_is_refused(self):
        text = self.copy("if (t < n)\n        out[t] = in[t];")
        bad = "__global__ void bad(int *p) { p[5] = 1; }\nstatic int go(void) { int *p; cudaMalloc(&p, 4); bad<<<1, 1>>>(p); return 1; }\n"
        acting = "an object of a type with a constructor, a destructor or members with initial values"
        chosen = "a constructor, destructor, ifunc or alias function: code outside main()"
        for beside, said in (("static int h = go();", "worked out before main()"), ("static int h = [] { return go(); }();", "worked out before main()"),
                             ("struct S { static int h; };\nint S::h = go();", "worked out before main()"),
                             ("struct S { inline static int h = go(); };", "worked out before main()"),
                             ("struct S { ~S() { go(); } };\nstatic S s;", acting), ("__attribute__((constructor)) static void init(void) { go(); }", chosen),
                             ("[[gnu::destructor]] static void end(void) { go(); }", chosen)):
            with self.subTest(beside):
                self.assert_says(bad + beside + "\n" + text, said, 3)
        self.assert_proved("#include <vector>\nstatic int kept = 3;\nstatic std::vector<int> v;\n" + text)
        within = text.replace("int main(void)\n{", "namespace q { int main(void)\n{") + "}\nint main(void) { go(); return q::main(); }\n"
        self.assertNotIn("\nPROVED", self.prove(bad + within, "--timeout", "3").stdout)

    def test_functions_of_one_line_are_told_apart(self):
        two = "namespace q { static int f(unsigned v) { return 0; } static int f(int v) { return 1; } }\n"
        text = two + self.copy("if (t < n)\n        out[t] = in[t];").replace("    //@ ensures", "    int k = q::f(0);\n    //@ ensures k = @k@\n    //@ ensures")
        self.assert_proved(text.replace("@k@", "1"))
        self.assertNotIn("\nPROVED", self.prove(text.replace("@k@", "0"), "--timeout", "3").stdout)

    def test_header_that_counts_as_the_systems_is_refused(self):
        own = os.path.join(self.folder, "own.h")
        with open(own, "w", encoding="utf-8") as file:
            file.write("#pragma GCC system_header\n__device__ inline int max(int x, char y) { return 5; }\n")
        self.assert_says('#include "own.h"\n' + self.copy("if (t < n)\n        out[t] = in[t];"), "counts as a system's header", 3)

    def copy(self, loop, element="int"):
        return COPY.replace("@loop@", loop).replace("@element@", element)

    def test_inner_loop_ends_otherwise_in_each_trip_of_the_outer_one(self):
        self.assert_says(self.copy(INNER), "This run fails", 1)

    def test_condition_that_writes_as_it_ends_a_loop_is_not_passed_over(self):
        loop = "if (t < n) out[t] = in[t];\n    for (int i = 0; more(out, s, i, m, t, n); i++)\n        s[threadIdx.x] = 0;"
        self.assert_says(self.copy(loop), "a loop without a checkpoint whose number of trips is not known", 3)

    def test_law_is_of_one_type(self):
        copied = "if (t < n)\n        out[t] = in[t];"
        self.assert_proved(self.copy(copied))
        self.assert_says(self.copy(copied, "unsigned"), "a law of an array of another type than the inputs'", 3)

    @takes_long
    def test_runs_that_end_before_the_law_are_left_out_and_said(self):
        text = self.copy("if (t < n)\n        out[t] = in[t];").replace("    int a[n],", "    if (n > 50)\n        return 0;\n    int a[n],")
        self.assert_proved(text, shape=", in runs that don't end early, as at line 25: ")
        self.assert_says(text.replace("n > 50", "n > 1"), "the hypotheses contradict each other", 3)

    @takes_long
    def test_run_without_an_end_is_ended(self):
        endless = "for (unsigned r = m; r >= 0; r--)\n        __syncthreads();\n    if (t < n)\n        out[t] = in[t];"
        self.assert_says(self.copy(endless), "OPEN", 3)

    @takes_long
    def test_code_that_asks_who_compiles_it_is_not_proved(self):
        written = "if (t < n)\n        out[t] = in[t]{};"
        said = "user.cu:18: code that differs by a macro of the compiler's own"
        for condition in ("ifndef __CUDA_ARCH__", "ifdef __clang__", "if __GNUC__ == 4"):
            with self.subTest(condition=condition):
                self.assert_says(self.copy(f"int q = 1;\n#{condition}\n    q = 0;\n#endif\n    " + written.format(" + q")), said, 3)
        # A header of the program's is one however it is come to; one that counts as the system's is refused; one that hides nothing is read.
        differs, counts, pragma = "code that differs", "counts as a system's header", "#pragma GCC system_header\n"
        elsewhere = tempfile.mkdtemp(prefix="reductio-")
        self.addCleanup(shutil.rmtree, elsewhere)
        os.symlink(elsewhere, self.path("link"))
        text = '#include "own.h"\n' + self.copy(written.format(""))
        by_folder = text.replace('"own.h"', "<own.h>")
        for before, said, where in (("", differs, self.folder), (pragma, counts, self.folder), ("", differs, elsewhere), (pragma, counts, elsewhere)):
            with open(os.path.join(where, "own.h"), "w", encoding="utf-8") as file:
                file.write(before + "#ifdef __clang__\n#define PLUS 0\n#else\n#define PLUS 1\nint q;\n#endif\n")
            if where == self.folder:
                self.assert_says(text, said, 3)
                os.remove(self.path("own.h"))
                continue
            for name in (os.path.join(elsewhere, "own.h"), os.path.join(self.path("link"), "own.h")):
                with self.subTest(name=name, before=before):
                    self.assert_says(text.replace("own.h", name), said, 3)
            for folder in (elsewhere, self.path("link"), os.path.join(elsewhere, "..", os.path.basename(elsewhere))):
                with self.subTest(folder=folder, before=before):
                    self.assert_says(by_folder, counts, 3, "-isystem", folder)
            for variable in ("CPATH", "CPLUS_INCLUDE_PATH"):
                with self.subTest(variable=variable, before=before):
                    self.environment[variable] = elsewhere
                    self.assert_says(by_folder, counts if variable == "CPLUS_INCLUDE_PATH" else said, 3)
                    del self.environment[variable]
        self.assert_proved("#ifndef __CUDACC__\n#error\n#endif\n#include <assert.h>\n#include <math.h>\n" + self.copy(written.format("")).replace(
            "    cudaFree(in);", "    assert(n < INFINITY);\n    cudaFree(in);"))

    def test_text_that_hides_from_the_comparison_is_not_proved(self):
        with open(self.path("own.h"), "w", encoding="utf-8") as file:
            file.write('int q;\n # 1 "/usr/include/x.h" 1 3\n#ifdef __clang__\n#define PLUS 0\n#else\n#define PLUS 1\n#endif\n')
        with open(self.path("cuda.h"), "w", encoding="utf-8") as file:
            file.write("#define PLUS 1\n")
        kernel = self.copy("if (t < n)\n        out[t] = in[t] + PLUS;")
        for text, said in (('#include "own.h"\n' + kernel, "own.h:2: a directive that says which line"),
                           ("#define PLUS 0\n/*\n*/# /* */\\\n7\n" + kernel, "user.cu:3: a directive that says which line"),
                           ("#define PLUS 0\n#\\ \n\\\n1\n" + kernel, "user.cu:2: a directive that says which line"),
                           ("#define PLUS 0\n#ifdef RD_PR\\\nOVE_CUDA_H\n#endif\n" + kernel, "a name that begins with 'rd_prove'"),
                           ("#ifdef RD_PROVE_CUDA_H\n#define PLUS 0\n#else\n#define PLUS 1\n#endif\n" + kernel, "a name that begins with 'rd_prove'"),
                           ('#define PLUS 0\n#undef PLUS\n#include "cuda.h"\n#ifndef PLUS\n#define PLUS 0\n#endif\n' + kernel, "This run fails")):
            with self.subTest(said=said):
                self.assert_says(text, said, 1 if "fails" in said else 3)
        self.assert_proved("#include <cuda.h>\n#include <cuda_runtime.h>\n// # 12\n" + kernel.replace("PLUS", "0"))

    @takes_long
    def test_negative_constants_are_negative(self):
        head = "constexpr int L = -1;\nenum { E = -2 };\ntemplate <int N> __device__ int of(int x) { return N < 0 ? 7 : x; }\n"
        for value in ("of<-1>(in[t])", "L < 0 ? 7 : in[t]", "E < 0 ? 7 : in[t]"):
            with self.subTest(value=value):
                self.assert_says(head + self.copy(f"if (t < n) out[t] = {value};"), "This run fails", 1)

    def test_trip_that_passes_by_the_step_of_its_loop_is_not_passed_over(self):
        loop = "int i = t;\n    while (i < n) {\n        @more@p += in[i];\n        i += n;\n    }\n    if (t < n)\n        out[t] = p;"
        self.assert_proved(self.copy(loop.replace("@more@", "")))
        self.assert_says(self.copy(loop.replace("@more@", "if (i == m) {\n            i += n;\n            continue;\n        }\n        ")),
                         "a loop without a checkpoint whose number of trips is not known", 3)

    def test_element_that_is_rounded_is_not_passed_over(self):
        part = "@to@ s = 0; for (int i = t; i < n; i += 256) s += x[i]; A[t] = s;"
        self.assert_proved(fill(ROUNDED, {"part": part, "to": "double"}))
        for to, part in (("float", part), ("double", part.replace("@to@ s", "float s")),
                         ("float", part.replace("@to@ s", "double s")), ("double", part.replace("x[i]", "(float)x[i]"))):
            with self.subTest(to=to, part=part):
                self.assert_says(fill(ROUNDED, {"part": part, "to": to}), "an element that is rounded", 3)

    def test_right_side_of_an_assignment_comes_first(self):
        law = "for 0 <= i < n: A[i] = a[i]"
        for right, wrong in part((("A[t++] = x[t];", "A[t] = x[t++];"), ("A[t] += x[t];", "A[t] += x[t++];"),
                                  ("*(A + i++) = x[i];", "*(A + i) = x[i++];"), ("A[t] = (i++, x[t]);", "A[i] = (i++, x[t]);"),
                                  ("float v[2]; i = 0; v[0] = x[t + i++]; A[t] = v[i - 1];", "float v[2]; i = 0; v[0] = v[1] = 0; v[i] = x[t + 0 * i++]; A[t] = v[0];")), 5):
            with self.subTest(wrong=wrong):
                for do, says in ((right, "PROVED: "), (wrong, "This run fails")):
                    text = fill(IN_TURN, {"do": f"if (t < n) {{ {do} }}", "ensures": law})
                    if "float" in do:
                        text = text.replace("int *", "float *").replace("int a[n]", "float a[n]")
                    self.assert_says(text, says, says != "PROVED: ")

    def test_shuffle_is_by_less_than_a_warp(self):
        do = "int v = t < n ? x[t] : 0; v = __shfl_down_sync(0xffffffff, v, %s); if (threadIdx.x == 0) A[blockIdx.x] = v;"
        law = "for 0 <= k < (n + 31) / 32: A[k] = sum of a[j], j = 32*k + %s"
        self.assert_proved(fill(IN_TURN, {"do": do % 31, "ensures": law % 31}))
        self.assert_says(fill(IN_TURN, {"do": do % 33, "ensures": law % 0}), "This run fails", 1)
        self.assert_says(fill(IN_TURN, {"do": do % 33, "ensures": law % 1}), "a shuffle is by less than a warp", 3)

    def test_file_without_free_numbers_is_run_with_other_inputs(self):
        text = fill(IN_TURN, {"do": "if (t < n) A[t] = x[0];", "ensures": "for 0 <= i < 60: A[i] = a[i]"})
        text = text.replace("    //@ requires n <= 2^20\n", "").replace("a[n]", "a[60]").replace("j * 3 + 1", "4")
        self.assert_says(text, "This run fails: reductio run", 1)

    def test_run_that_fails_is_told_as_violated(self):
        text = fill(IN_TURN, {"do": "if (t < n) A[t] = x[0];", "ensures": "for 0 <= i < n: A[i] = a[i]"})
        self.assertRegex(self.prove(text, "--timeout", "3").stdout, r"(?m)^ +VIOLATED \S+user.cu: exit status 0, .* 1 violated")


if __name__ == "__main__":
    main()
