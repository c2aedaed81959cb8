// SPDX-License-Identifier: MIT
/* Proofs of users' annotated programs: what is right is proved, and of each fault it is known which goal fails. */
#include "prove/prove.h"
#include "prove/solver/solver.h"
#include "prove/syntax/syntax.h"
#include "short_run.h"
#include "temporary.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

/* A program, and what a case has in the place of a part of it. */
static const char fold[] =
    "__global__ void fold(int *A, size_t half)\n"
    "{\n"
    "    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;\n"
    "    if (i < half)\n"
    "        A[i] += A[i + half];\n"
    "}\n"
    "__global__ void clear(int *A, size_t n)\n"
    "{\n"
    "    if (blockIdx.x == 0 && threadIdx.x < n)\n"
    "        A[threadIdx.x] = 0;\n"
    "}\n"
    "__global__ void spoil(int *A) { A[0] = A[threadIdx.x]; }\n"
    "int main(void)\n"
    "{\n"
    "    const size_t n = 16;\n"
    "    int a[n], sum, *A;\n"
    "    for (size_t j = 0; j < n; j++)\n"
    "        a[j] = (int)(j * j);\n"
    "    //@ requires n = 2^k\n"
    "    //@ input a[n]\n"
    "    cudaMalloc(&A, sizeof a);\n"
    "    cudaMemcpy(A, a, sizeof a, cudaMemcpyHostToDevice);\n"
    "    //@ invariant for 0 <= i < w: A[i] = sum of a[j], j mod w = i\n"
    "    for (size_t w = n; w > 1; w /= 2) {\n"
    "        fold<<<(w / 2 + 255) / 256, 256>>>(A, w / 2);\n"
    "        if (cudaGetLastError() != cudaSuccess) return 1;\n"
    "    }\n"
    "    //@ ensures A[0] = sum of a[j]\n"
    "    if (cudaMemcpy(&sum, A, sizeof sum, cudaMemcpyDeviceToHost) != cudaSuccess) return 1;\n"
    "    //@ ensures sum = sum of a[j]\n"
    "    cudaFree(A);\n"
    "    return sum;\n"
    "}\n";

/* In a block, by a loop of the kernel's; the input has a length that is no power of two. */
static const char blocks[] =
    "enum { T = 32 };\n"
    "__global__ void block_sum(const int *in, int *out, int n)\n"
    "{\n"
    "    __shared__ int cache[T];\n"
    "    int t = threadIdx.x, j = blockIdx.x * T + t;\n"
    "    cache[t] = j < n ? in[j] : 0;\n"
    "    __syncthreads();\n"
    "    //@ invariant for 0 <= i < s: cache[i] = sum of a[j], floor(j / T) = blockIdx.x, j mod s "
    "= i, j < n\n"
    "    for (int s = T; s > 1; s /= 2) {\n"
    "        if (t < s / 2)\n"
    "            cache[t] += cache[t + s / 2];\n"
    "        __syncthreads();\n"
    "    }\n"
    "    if (t == 0)\n"
    "        out[blockIdx.x] = cache[0];\n"
    "}\n"
    "int main(void)\n"
    "{\n"
    "    const int n = 100;\n"
    "    //@ requires n <= 2^30\n"
    "    const int B = (n + T - 1) / T;\n"
    "    int a[n], *in, *sums;\n"
    "    //@ input a[n]\n"
    "    cudaMalloc(&in, sizeof a);\n"
    "    cudaMalloc(&sums, B * sizeof *sums);\n"
    "    cudaMemcpy(in, a, sizeof a, cudaMemcpyHostToDevice);\n"
    "    block_sum<<<B, T>>>(in, sums, n);\n"
    "    //@ ensures for 0 <= k < B: sums[k] = sum of a[j], floor(j / T) = k\n"
    "    return 0;\n"
    "}\n";

static const char scan[] =
    "#include <utility>\n"
    "template <class X> void swap(X *&x, X *&y) { x = y; }\n"
    "__global__ void look_back(const float *from, float *to, unsigned n, unsigned D)\n"
    "{\n"
    "    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "    if (i < n)\n"
    "        to[i] = i < D ? from[i] : from[i] + from[i - D];\n"
    "}\n"
    "int main(void)\n"
    "{\n"
    "    const unsigned n = 21;\n"
    "    float a[n], *A, *other;\n"
    "    //@ requires n <= 2^30\n"
    "    //@ input a[n]\n"
    "    cudaMalloc(&A, sizeof a);\n"
    "    cudaMalloc(&other, sizeof a);\n"
    "    cudaMemcpy(A, a, sizeof a, cudaMemcpyHostToDevice);\n"
    "    //@ invariant for 0 <= i < n: A[i] = sum of a[j], i - D < j <= i\n"
    "    for (unsigned D = 1; D < n; D *= 2) {\n"
    "        look_back<<<(n + 7) / 8, 8>>>(A, other, n, D);\n"
    "        std::swap(A, other);\n"
    "    }\n"
    "    //@ ensures for 0 <= i < n: A[i] = sum of a[j], j <= i\n"
    "    return 0;\n"
    "}\n";

/* Each thread has a cell of a rectangle, by its row and its column. */
static const char plane[] =
    "__global__ void transpose(const int *in, int *out, int w, int h)\n"
    "{\n"
    "    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + "
    "threadIdx.y;\n"
    "    if (x < w && y < h)\n"
    "        out[x * h + y] = in[y * w + x];\n"
    "}\n"
    "int main(void)\n"
    "{\n"
    "    const int w = 37, h = 21;\n"
    "    //@ requires w <= 2^14\n"
    "    //@ requires h <= 2^14\n"
    "    int *a = (int *)malloc(w * h * sizeof(int)), *in, *out;\n"
    "    //@ input a[h][w]\n"
    "    cudaMalloc(&in, w * h * sizeof *in);\n"
    "    cudaMalloc(&out, w * h * sizeof *out);\n"
    "    cudaMemcpy(in, a, w * h * sizeof *in, cudaMemcpyHostToDevice);\n"
    "    dim3 block(16, 8), grid((w + block.x - 1) / block.x, (h + block.y - 1) / block.y);\n"
    "    transpose<<<grid, block>>>(in, out, w, h);\n"
    "    //@ ensures for 0 <= i < h, 0 <= j < w: out[j*h + i] = a[i][j]\n"
    "    return 0;\n"
    "}\n";

/* Each thread writes cells as far apart as there are threads. */
static const char strided[] =
    "__global__ void copy(const int *in, int *out, int n)\n"
    "{\n"
    "    int all = gridDim.x * blockDim.x;\n"
    "    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += all)\n"
    "        out[i] = in[i];\n"
    "}\n"
    "int main(void)\n"
    "{\n"
    "    const int n = 100;\n"
    "    int a[n], b[n], *in, *out;\n"
    "    for (int j = 0; j < n; j++)\n"
    "        a[j] = j;\n"
    "    //@ requires n <= 2^30\n"
    "    //@ input a[n]\n"
    "    cudaMalloc(&in, n * sizeof *in);\n"
    "    cudaMalloc(&out, n * sizeof *out);\n"
    "    cudaMemcpy(in, a, n * sizeof *in, cudaMemcpyHostToDevice);\n"
    "    copy<<<4, 64>>>(in, out, n);\n"
    "    //@ ensures for 0 <= i < n: out[i] = a[i]\n"
    "    cudaMemcpy(b, out, n * sizeof *out, cudaMemcpyDeviceToHost);\n"
    "    cudaFree(in);\n"
    "    cudaFree(out);\n"
    "    return b[0];\n"
    "}\n";

/* As programs are written: errors are checked, a function has the loop, numbers come from the command line. */
static const char careful[] =
    "#include <cstdio>\n"
    "#include <cstdlib>\n"
    "#define CHECK(x) do { cudaError_t e = (x); if (e != cudaSuccess) { \\\n"
    "    fprintf(stderr, \"%s\\n\", cudaGetErrorString(e)); exit(1); } } while (0)\n"
    "__global__ void fold(double *A, unsigned half)\n"
    "{\n"
    "    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "    if (i < half) A[i] = A[i] + A[i + half];\n"
    "}\n"
    "static void reduce(double *A, unsigned w)\n"
    "{\n"
    "    //@ invariant for 0 <= i < w: A[i] = sum of a[j], j mod w = i\n"
    "    while (w > 1) {\n"
    "        w >>= 1;\n"
    "        const int block = 128;\n"
    "        dim3 grid((w + block - 1) / block), threads(block);\n"
    "        fold<<<grid, threads>>>(A, w);\n"
    "        CHECK(cudaGetLastError());\n"
    "    }\n"
    "}\n"
    "int main(int argc, char **argv)\n"
    "{\n"
    "    unsigned n = 1024;\n"
    "    if (argc > 1) n = (unsigned)atoi(argv[1]);\n"
    "    size_t bytes = n * sizeof(double);\n"
    "    double *a = (double *)malloc(bytes), *A, result = 0.5;\n"
    "    for (unsigned j = 0; j < n; ++j) a[j] = rand() / 7.0;\n"
    "    //@ requires n = 2^k\n"
    "    //@ requires n <= 2^30\n"
    "    //@ input a[n]\n"
    "    CHECK(cudaMalloc((void **)&A, bytes));\n"
    "    CHECK(cudaMemcpy(A, a, bytes, cudaMemcpyHostToDevice));\n"
    "    reduce(A, n);\n"
    "    CHECK(cudaMemcpy(&result, A, sizeof(double), cudaMemcpyDeviceToHost));\n"
    "    //@ ensures result = sum of a[j]\n"
    "    printf(\"%g\\n\", result);\n"
    "    return 0;\n"
    "}\n";

/* Instances of templates, of which one is deduced. */
static const char templates[] =
    "template <int K, typename V>\n"
    "__device__ V times(V x)\n"
    "{\n"
    "    V sum = 0;\n"
    "    if constexpr (sizeof(V) == 4)\n"
    "        for (int k = 0; k < K; k++) sum += x;\n"
    "    return sum;\n"
    "}\n"
    "template <int T, typename V> __global__ void scale(const V *in, V *out, int n)\n"
    "{\n"
    "    __shared__ V s[T];\n"
    "    int t = threadIdx.x, i = blockIdx.x * T + t;\n"
    "    s[t] = i < n ? in[i] : V(0);\n"
    "    __syncthreads();\n"
    "    if (i < n) out[i] = times<2>(s[T - 1 - (T - 1 - t)]);\n"
    "}\n"
    "int main(void)\n"
    "{\n"
    "    const int n = 100;\n"
    "    //@ requires n <= 2^30\n"
    "    int a[n], *x, *A;\n"
    "    //@ input a[n]\n"
    "    cudaMalloc(&x, n * sizeof(int));\n"
    "    cudaMalloc(&A, n * sizeof(int));\n"
    "    cudaMemcpy(x, a, n * sizeof(int), cudaMemcpyHostToDevice);\n"
    "    scale<64><<<(n + 63) / 64, 64>>>(x, A, n);\n"
    "    //@ ensures for 0 <= i < n: A[i] = 2 * a[i]\n"
    "    return 0;\n"
    "}\n";

static char folder[TEMPORARY_SIZE], path[TEMPORARY_PATH_SIZE];

/* The text with `to` in place of `from`, which it has. */
static char *changed(const char *text, const char *from, const char *to)
{
    const char *at = strstr(text, from);
    char *made = NULL;
    if (!at)
        fail_msg("the program has no '%s'", from);
    else if (asprintf(&made, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from)) < 0)
        fail();
    return made;
}

/* Keeps the goals whose words have this. */
static void keep(struct rd_proof *proof, const char *goal)
{
    size_t n = 0;
    for (size_t k = 0; k < proof->count; k++)
        if (strstr(proof->goals[k].what, goal))
            proof->goals[n++] = proof->goals[k];
        else
            rd_term_list_finish(&proof->goals[k].hypotheses);
    proof->count = n;
}

/* NULL: of all goals. */
static void prove(const char *text, const char *goal, struct rd_proof *proof)
{
    const struct rd_solver_options options = {.timeout_s = goal ? 1 : 10};
    struct rd_error error;
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
    enum rd_status status = rd_prove_file(path, NULL, NULL, proof, &error);
    unlink(path);
    if (status == RD_OK && goal)
        keep(proof, goal);
    if (status == RD_OK)
        status = rd_solver_ask(proof, &options, &error);
    if (status != RD_OK)
        fail_msg("%s", error.text);
}

static void assert_proved(const char *text, const char *shape)
{
    struct rd_proof proof;
    prove(text, NULL, &proof);
    if (proof.not_covered)
        fail_msg("%s", proof.not_covered);
    for (size_t k = 0; k < proof.count; k++)
        if (proof.goals[k].answer != RD_ANSWER_PROVED)
            fail_msg("%s: %s: %s", proof.goals[k].segment, proof.goals[k].what,
                     proof.goals[k].model ? proof.goals[k].model : "");
    assert_true(proof.count > 10);
    assert_string_equal(proof.shape, shape);
    rd_proof_finish(&proof);
}

/* Some goal whose words have this isn't proved. */
static void assert_fails(const char *text, const char *from, const char *to, const char *goal)
{
    struct rd_proof proof;
    bool fails = false;
    char *made = changed(text, from, to);
    prove(made, goal, &proof);
    free(made);
    if (proof.not_covered)
        fail_msg("'%s': %s", to, proof.not_covered);
    for (size_t k = 0; k < proof.count; k++)
        fails = fails || proof.goals[k].answer != RD_ANSWER_PROVED;
    if (!fails)
        fail_msg("'%s': each goal with '%s' is proved", to, goal);
    rd_proof_finish(&proof);
}

static void assert_not_covered(const char *text, const char *from, const char *to, const char *why)
{
    struct rd_proof proof;
    char *made = changed(text, from, to);
    prove(made, NULL, &proof);
    free(made);
    if (!proof.not_covered || !strstr(proof.not_covered, why))
        fail_msg("'%s': %s", to, proof.not_covered ? proof.not_covered : "it is covered");
    assert_int_equal(rd_proof_verdict(&proof), RD_ANSWER_OPEN);
    rd_proof_finish(&proof);
}

static void test_right_programs_are_proved_for_any_size(void **state)
{
    (void)state;
    assert_proved(fold, "every n from 1 to 2^38 (for the 16 of line 15), where n = 2^k, and every "
                        "input");
    assert_proved(careful, "every n from 1 to 2^32 - 1 (for the 1024 of line 23), where n = 2^k "
                           "and n <= 2^30, and every input, rounding aside");
    assert_proved(blocks, "every n from 1 to 2^31 - 1 (for the 100 of line 19), where n <= 2^30, "
                          "and every input");
    assert_proved(strided, "every n from 1 to 2^31 - 1 (for the 100 of line 9), where n <= 2^30, "
                           "and every input");
    assert_proved(plane, "every w from 1 to 2^31 - 1 (for the 37 of line 9), every h from 1 to "
                         "2^31 - 1 (for the 21 of line 9), where w <= 2^14 and h <= 2^14, and "
                         "every input");
    assert_proved(scan, "every n from 1 to 2^32 - 1 (for the 21 of line 11), where n <= 2^30, and "
                        "every input, rounding aside");
}

static void test_instances_of_templates_are_read(void **state)
{
    (void)state;
    assert_proved(templates,
                  "every n from 1 to 2^31 - 1 (for the 100 of line 19), where n <= 2^30, "
                  "and every input");
    assert_fails(templates, "times<2>", "times<3>", "what a thread writes");
    assert_fails(templates, "scale<64>", "scale<32>", "a thread writes within s");
    assert_fails(templates, "sizeof(V) == 4", "sizeof(V) == 8", "what a thread writes");
    assert_not_covered(templates, "    //@ ensures",
                       "    scale<32><<<1, 32>>>(x, A, 1);\n    //@ ensures",
                       "more than one function is named 'scale'");
    assert_not_covered(
        templates, "int main(void)",
        "template <> __device__ int times<2, int>(int x) { return x; }\nint main(void)", "user.cu");
}

static void test_fault_fails_at_its_goal(void **state)
{
    static const struct {
        const char *of, *from, *to, *goal;
    } faults[] = {
        {fold, "A[i + half]", "A[i + half - 1]", "what a thread writes"},
        {fold, "i < half", "i <= half", "no other thread reads"},
        {fold, "(w / 2 + 255) / 256, 256", "1, 256", "a cell that no thread writes"},
        {fold, "256, 256>>>", "256, 2048>>>", "a block has 1"},
        {fold, "A, a, sizeof a,", "A, a, sizeof a / 2,", "a live cell is what the law says"},
        {fold, "A, a, sizeof a,", "A, a, 2 * sizeof a,", "the copy is within the array"},
        {fold, "    //@ requires n = 2^k\n", "", "what a thread writes"},
        {fold, "ensures A[0] = sum of a[j]\n", "ensures A[0] = sum of a[j], j > 0\n",
         "a live cell is what the law says"},
        {fold, "ensures sum = sum of a[j]", "ensures sum = sum of a[j], j > 0", "the variable is"},
        {fold, "(A, w / 2);", "(A, w / 2); clear<<<1, 1>>>(A, 1);", "what a thread writes"},
        {fold, "w /= 2) {", "w += 0) {", "the loop comes to an end"},
        {fold, "n; w > 1", "2 * n; w > 1", "each cell that the law names is in"},
        {fold, "        if (cudaGetLastError", "        w -= w % 3;\n        if (cudaGetLastError",
         "what a thread writes"},
        /* On ways that don't come to the law. */
        {fold, "    //@ invariant",
         "    if (n == 4) { spoil<<<1, 2>>>(A); return 0; }\n    //@ invariant", "no other thread"},
        {fold, "(A, w / 2);", "(A, w > 999 ? w : w / 2); if (w > 999) return 1;",
         "a thread reads within A"},
        {blocks, "s / 2];\n        __syncthreads();", "s / 2];", "a barrier stands before"},
        {blocks, "j < n ?", "j <= n ?", "a thread reads within in"},
        {blocks, "= (n + T - 1) / T;", "= n / T;", "the grid has 1"},
        {blocks, "s > 1; s /= 2", "s > 2; s /= 2", "what a thread writes"},
        {blocks, "(in, sums, n);", "(in, sums, -n);", "numbers of the invariant are not negative"},
        {scan, "D *= 2", "D += D - 1", "is what the law says"},
        {scan, "        std::swap(A, other);\n", "", "is what the law says"},
        {careful, "(A, n);", "(A, n / 2);", "a live cell is what the law says"},
        {careful, "&result, A,", "&result, A + 1,", "the variable is"},
        {scan, "n <= 2^30", "n <= 2^32", "fits in 32 bits"},
        {fold, "256, 256>>>", "256, dim3(256, 2)>>>", "no other thread"},
        {fold, "256, 256>>>", "256, dim3(256, 8)>>>", "a block has 1"},
        {plane, "/ block.x", "/ (block.x + 1)", "a cell that no thread writes"},
        {plane, "/ block.y", "/ (block.y + 1)", "a cell that no thread writes"},
        {plane, "(h + block.y - 1)", "(h + 65536 * block.y)", "65535 rows of blocks"},
        {plane, "(h + block.y - 1)", "(h - 1)", "the grid has 1 to 65535 rows of blocks"},
        {plane, "x < w &&", "x <= w &&", "a thread reads within in"},
        {plane, "&& y < h", "", "a thread writes within out"},
        {plane, "out[x * h + y]", "out[x]", "no other thread writes"},
        {plane, "out[x * h + y]", "out[y]", "no other thread writes"},
        {plane, "out[x * h + y]", "out[y * w + x]", "what a thread writes"},
        {strided, "i += all", "i += all - 1", "no other thread writes"},
        {strided, "i += all", "i += all + 1", "a cell that no thread writes"},
        {strided, "threadIdx.x; i", "threadIdx.x + 1; i", "a cell that no thread writes"},
        {strided, "i < n;", "i < n - 1;", "a cell that no thread writes"},
        {strided, "i < n;", "i <= n;", "a thread reads within in"},
        {strided, "out[i] = in[i]", "out[i] = in[n - 1 - i]", "what a thread writes"},
    };
    (void)state;
    for (size_t k = 0; k < sizeof faults / sizeof *faults; k += short_run_step(7))
        assert_fails(faults[k].of, faults[k].from, faults[k].to, faults[k].goal);
}

static void test_what_is_not_read_is_said(void **state)
{
    static const struct {
        const char *of, *from, *to, *why;
    } others[] = {
        {fold, "sum, *A;", "sum, *A; hide(&A);", "undeclared identifier 'hide'"},
        {fold, "(A, w / 2);", "(A, w / 2); system(\"x\");", "user.cu:25: the call of 'system'"},
        {fold, "(A, w / 2);", "(A, w / 2); if (w == 4) break;", "user.cu:25: a 'break'"},
        {fold, "    //@ invariant for 0 <= i < w: A[i] = sum of a[j], j mod w = i\n", "",
         "user.cu:23: a loop that launches kernels, and has no invariant"},
        {fold, "A[i] += A[i + half]", "A[A[i]] += A[i + half]",
         "an index into 'A' that is an element"},
        {careful, "    CHECK(cudaGetLastError());\n", "    if (w == 4) return;\n",
         "that returns in a branch"},
        {fold, "A[i] += A[i + half];", "{ int &x = A[i]; x += A[i + half]; }",
         "the variable 'x' of such a type"},
        {fold, "(A, w / 2);", "(A, w / 2); size_t &x = w; x--;", "the variable 'x', a reference"},
        {fold, "(A, w / 2);", "(A, w / 2); for (int k = 0; k < 2; k++) { size_t &x = w; x--; }",
         "a statement that the prover doesn't read"},
        {careful, "(double *A, unsigned w)", "(double *A, unsigned &w)",
         "an argument that is neither a number nor a pointer"},
        {careful, "(A, n);", "(a, n);", "the argument for 'A'"},
        {scan, "std::swap(A, other)", "swap(A, other)",
         "an argument that is neither a number nor a pointer"},
        {fold, "256, 256>>>", "256, dim3(16, 1, 2)>>>", "user.cu:25: a launch in three dimensions"},
        {plane, "grid, block>>>", "grid, dim3(16, 8, w)>>>", "a launch in three dimensions"},
        {plane, "blockIdx.y * blockDim.y", "blockIdx.y * blockDim.x",
         "user.cu:5: which thread writes a cell of out can't be told"},
        {plane, "    transpose<<<", "    block.y = 4;\n    transpose<<<",
         "user.cu:18: a statement of the host that the prover doesn't read"},
        {plane, "    transpose<<<", "    block = dim3(16, 4);\n    transpose<<<",
         "user.cu:18: an overloaded operator"},
        {plane, "if (x < w", "if (__syncthreads_or(threadIdx.y == 1) && x < w",
         "user.cu:4: '__syncthreads_or' in a block of two dimensions"},
        {plane, "= in[y * w + x]", "= __shfl_down_sync(~0u, in[y * w + x], 0)",
         "user.cu:5: lanes of a block of two dimensions"},
        {fold, "cudaMemcpyHostToDevice", "cudaMemcpyDeviceToHost", "in another direction"},
        {blocks, "    //@ ensures for 0", "    //  ensures for 0",
         "asserts nothing: write '//@ ensures'"},
        /* The last trip's write stays. */
        {strided, "out[i] = in[i]", "{ out[i] = in[i]; if (i > all) out[i - all] = 0; }",
         "user.cu:5: a cell of out has another writer on another way"},
        {strided, "= in[i]", "= in[i] + (i > all ? out[i - all] : 0)",
         "user.cu:5: a loop without a checkpoint that reads the array which it writes"},
    };
    (void)state;
    for (size_t k = 0; k < sizeof others / sizeof *others; k += short_run_step(7))
        assert_not_covered(others[k].of, others[k].from, others[k].to, others[k].why);
}

static void test_own_run_that_breaks_what_is_required_is_said(void **state)
{
    static const struct {
        const char *of, *from, *to, *own_run;
    } cases[] = {
        {fold, "n = 16", "n = 16", NULL},
        {fold, "n = 16", "n = 1000", "n = 1000 of line 15, so line 19 is false: requires n = 2^k"},
        {fold, "n = 16", "n = 0", "n of line 15 is 0"},
        {careful, "n = 1024", "n = 1000",
         "n = 1000 of line 23, so line 28 is false: requires n = 2^k"},
        {careful, "requires n = 2^k", "requires n < 1000",
         "n = 1024 of line 23, so line 28 is false: requires n < 1000"},
        /* Nothing is known of what it is then. */
        {careful, "argc > 1", "rand() > 1", NULL},
        {careful, "requires n = 2^k", "requires n = 2^k\n    if (n < 9) return 1;", NULL},
        {blocks, "const int B = (n + T - 1) / T;",
         "const int B = (n + T - 1) / T;\n    //@ requires B mod 2 = 1",
         "n = 100 of line 19, so line 22 is false: requires B mod 2 = 1"},
        {fold, "requires n = 2^k", "requires n mod 3 = 1", NULL},
        {fold, "requires n = 2^k", "requires n mod 3 = 0",
         "n = 16 of line 15, so line 19 is false: requires n mod 3 = 0"},
    };
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k += short_run_step(3)) {
        struct rd_proof proof;
        char *made = changed(cases[k].of, cases[k].from, cases[k].to);
        prove(made, "no goal", &proof);
        free(made);
        if (proof.not_covered)
            fail_msg("'%s': %s", cases[k].to, proof.not_covered);
        if (!cases[k].own_run && proof.own_run)
            fail_msg("'%s': %s", cases[k].to, proof.own_run);
        if (cases[k].own_run)
            assert_string_equal(proof.own_run ? proof.own_run : "", cases[k].own_run);
        rd_proof_finish(&proof);
    }
    assert_not_covered(fold, "const size_t n = 16;", "enum { N = 100 }; const size_t n = N;",
                       "user.cu:19: 'requires n = 2^k' is true of no run");
}

static void test_program_without_annotations_is_open(void **state)
{
    struct rd_proof proof;
    (void)state;
    prove("int main(void) { return 0; }\n", NULL, &proof);
    assert_non_null(strstr(proof.not_covered, "has no annotations"));
    rd_proof_finish(&proof);
}

static void test_file_that_can_not_be_read_is_an_error(void **state)
{
    struct rd_proof proof;
    struct rd_error error;
    (void)state;
    assert_int_equal(rd_prove_file("/nowhere/user.cu", NULL, NULL, &proof, &error), RD_ERROR_INPUT);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs("int main(void)\n{\n    //@ ensure A[0] = 1\n}\n", file);
    fclose(file);
    assert_int_equal(rd_prove_file(path, NULL, NULL, &proof, &error), RD_ERROR_INPUT);
    assert_non_null(strstr(error.text, "user.cu:3:9: unknown annotation 'ensure'"));
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_right_programs_are_proved_for_any_size),
        cmocka_unit_test(test_instances_of_templates_are_read),
        cmocka_unit_test(test_fault_fails_at_its_goal),
        cmocka_unit_test(test_what_is_not_read_is_said),
        cmocka_unit_test(test_own_run_that_breaks_what_is_required_is_said),
        cmocka_unit_test(test_program_without_annotations_is_open),
        cmocka_unit_test(test_file_that_can_not_be_read_is_an_error),
    };
    char names[200];
    struct rd_error error;
    struct rd_syntax_unit *unit = NULL;
    rd_solver_names(names, sizeof names);
    const enum rd_status status = rd_syntax_read_kernels(&unit, "unfold.cu", NULL, &error);
    rd_syntax_destroy(unit);
    if (status == RD_ERROR_IO || !strstr(names, "cvc5 ")) {
        puts("skipped: libclang and cvc5 are needed");
        return 77;
    }
    if (!mkdtemp(temporary_name(folder, "prove-host")))
        return 1;
    snprintf(path, sizeof path, "%s/user.cu", folder);
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    rmdir(folder);
    return failed != 0;
}
