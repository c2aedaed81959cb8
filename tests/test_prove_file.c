// SPDX-License-Identifier: MIT
/* Users' files of CUDA C++ as trees. */
#include "prove/syntax/syntax.h"
#include "temporary.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static const char *const no_options[] = {NULL};

/* Reads the text as a file of its own, whose name is cut to "user.cu" in the message. */
static enum rd_status read_text(struct rd_syntax_unit **unit, const char *text,
                                const char *const *options, struct rd_error *error)
{
    char folder[TEMPORARY_SIZE], path[TEMPORARY_PATH_SIZE];
    assert_non_null(mkdtemp(temporary_name(folder, "prove-file")));
    snprintf(path, sizeof path, "%s/user.cu", folder);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
    const enum rd_status status = rd_syntax_read_file(unit, path, options, error);
    unlink(path);
    rmdir(folder);
    if (status != RD_OK) {
        const char *name = strstr(error->text, "user.cu");
        if (name)
            memmove(error->text, name, strlen(name) + 1);
    }
    return status;
}

static char *printed(const struct rd_syntax_unit *unit, const char *name)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    const struct rd_syntax_function *function = rd_syntax_function_named(unit, name);
    assert_non_null(function);
    rd_syntax_print_function(function, out);
    fclose(out);
    return text;
}

static void assert_read(const char *code, const char *name, const char *tree)
{
    struct rd_error error;
    struct rd_syntax_unit *unit = NULL;
    if (read_text(&unit, code, no_options, &error) != RD_OK)
        fail_msg("%s", error.text);
    char *is = printed(unit, name);
    assert_string_equal(is, tree);
    free(is);
    rd_syntax_destroy(unit);
}

static void test_kernel_of_a_user_is_read_with_its_own_types(void **state)
{
    (void)state;
    static const char code[] = "#include <cuda_runtime.h>\n"
                               "#define SIZE 64\n"
                               "const int T = 32;\n"
                               "static __constant__ float scale;\n"
                               "__device__ inline int twice(int i) { return 2 * i; }\n"
                               "__global__ void __launch_bounds__(T)\n"
                               "k(const float *__restrict__ in, float *out, int n)\n"
                               "{\n"
                               "    __shared__ float cache[SIZE];\n"
                               "    extern __shared__ float rest[];\n"
                               "    int j = blockIdx.x * T + threadIdx.x;\n"
                               "    cache[threadIdx.x] = j < n ? scale * in[j] : 0;\n"
                               "    rest[twice(j)] = T;\n"
                               "    __syncthreads();\n"
                               "    if (bool last = n) return;\n"
                               "}\n";
    assert_read(code, "k",
                "kernel void k(const f32* in, f32* out, i32 n)\n"
                "    shared f32[64] cache\n"
                "    extern shared f32[0] rest\n"
                "    i32 j = i32(((blockIdx.x * 32u) + threadIdx.x))\n"
                "    (cache[threadIdx.x] = ((j < n) ? (scale * in[j]) : 0.))\n"
                "    (rest[twice(j)] = 32.)\n"
                "    __syncthreads()\n"
                "    <a statement whose condition has two parts>\n");
    assert_read(code, "twice", "i32 twice(i32 i)\n    return (2 * i)\n");
    struct rd_error error;
    struct rd_syntax_unit *unit = NULL;
    assert_int_equal(read_text(&unit, code, no_options, &error), RD_OK);
    const struct rd_syntax_function *kernel = rd_syntax_function_named(unit, "k");
    assert_non_null(strstr(kernel->file, "/user.cu"));
    const struct rd_syntax_node *second = kernel->body->kids[3],
                                *product = second->kids[1]->kids[1];
    assert_int_equal(second->line, 12);
    assert_int_equal(second->column, 5);
    assert_true(product->kids[0]->declaration->is_constant);
    assert_true(product->kids[0]->declaration->is_static);
    rd_syntax_destroy(unit);
}

static void test_launch_is_a_call_behind_one_of_its_shape(void **state)
{
    (void)state;
    assert_read("template <class X> __global__ void many(X *x, int n) { x[threadIdx.x] = n; }\n"
                "namespace deep { __global__ void k(float *x, size_t n) { x[n] = 0; } }\n"
                "__global__ void l(int n);\n"
                "int main()\n"
                "{\n"
                "    // l<<<1, 2>>>(3) is none\n"
                "    const char *text = \"l<<<1, 2>>>(3)\";\n"
                "    float *x; int n = 3; dim3 grid(n, 2), block = n; cudaStream_t s = nullptr;\n"
                "    many<float><<<grid, block, 3 * sizeof(float), s>>>(x,\n"
                "        (n + 1) * 2);\n"
                "    deep::k <<< 1,\n"
                "        (n > 3 ? 1 : 2) >>> (x, n);\n"
                "    if (n > 2 && n >> 1 << 2) l<<<dim3(1, 2), n>>>(n);\n"
                "    for (n = 5; n > 0; n--) { l<<<n, n>>>(n); l<<<n, n>>>(0); }\n"
                "    return text[0];\n"
                "}\n",
                "main",
                "i32 main()\n"
                "    const i8* text = \"l<<<1, 2>>>(3)\"\n"
                "    f32* x\n"
                "    i32 n = 3\n"
                "    {dim3} grid = dim3(u32(n), 2u)\n"
                "    {dim3} block = dim3(u32(n))\n"
                "    {rd_prove_stream}* s = {rd_prove_stream}*(0u)\n"
                "    (rd_prove_launch(grid, block, (3ul * 4ul), s) , many(x, ((n + 1) * 2)))\n"
                "    (rd_prove_launch(dim3(1u), dim3(u32(((n > 3) ? 1 : 2)))) , k(x, u64(n)))\n"
                "    if ((n > 2) && bool(((n >> 1) << 2)))\n"
                "        (rd_prove_launch(dim3(1u, 2u), dim3(u32(n))) , l(n))\n"
                "    for (n = 5); (n > 0); (n--)\n"
                "        (rd_prove_launch(dim3(u32(n)), dim3(u32(n))) , l(n))\n"
                "        (rd_prove_launch(dim3(u32(n)), dim3(u32(n))) , l(0))\n"
                "    return i32(text[0])\n");
}

static void test_cpp_that_no_proof_reads_says_so(void **state)
{
    (void)state;
    assert_read(
        "struct v2 { int a; v2 operator+(v2 o) const { return o; } int get() { return a; } };\n"
        "int f(int n, int *p)\n"
        "{\n"
        "    v2 a = {1}, b = a + a, c = b;\n"
        "    int m[3] = {1};\n"
        "    for (int i : m) n += i;\n"
        "    [](int i) { return i; };\n"
        "    delete[] p;\n"
        "    if (n = 1; n > 2) return 3;\n"
        "    while (int x = n) n -= x;\n"
        "    n = int(2.5f) + static_cast<short>(n) + c.get();\n"
        "    try { n = 1; } catch (int) { }\n"
        "    return true ? n : *reinterpret_cast<int *>(p);\n"
        "}\n",
        "f",
        "i32 f(i32 n, i32* p)\n"
        "    {v2} a = {1}\n"
        "    {v2} b = <an overloaded operator>\n"
        "    {v2} c = b\n"
        "    i32[3] m = {1}\n"
        "    <a range-based for: write for (int i = 0; i < n; i++)>\n"
        "    <a lambda>\n"
        "    operator delete[](p)\n"
        "    <a statement whose condition has two parts>\n"
        "    <a statement whose condition has two parts>\n"
        "    (n = ((i32(2.5f) + i32(i16(n))) + c.get()))\n"
        "    <a try>\n"
        "    return (1u ? n : (*p))\n");
}

/* Of the C++ library. */
static void test_vectors_are_read(void **state)
{
    (void)state;
    assert_read(
        "#include <algorithm>\n#include <cstdio>\n#include <vector>\n"
        "int f(int n) { std::vector<int> v(3), w; printf(\"%d\", n); v.data()[1] = v.size();\n"
        "w = v; v.push_back(n); return v[n]; }\n",
        "f",
        "i32 f(i32 n)\n"
        "    {std::vector<int>} v = vector(3ul)\n"
        "    {std::vector<int>} w = vector()\n"
        "    printf(\"%d\", n)\n"
        "    (v[1] = i32((size of v)))\n"
        "    <an overloaded operator>\n"
        "    v.push_back(n)\n"
        "    return v[u64(n)]\n");
}

/* Whatever it is called. */
static void test_own_vector_is_outside_of_the_language(void **state)
{
    (void)state;
    assert_read(
        "namespace own { template <class T> struct vector { vector(int); T &operator[](int); "
        "T *data(); }; }\n"
        "int f(int n) { own::vector<int> v(3); v.data()[0] = n; return v[n]; }\n",
        "f",
        "i32 f(i32 n)\n"
        "    <an object of a type with a constructor, a destructor or members with initial "
        "values>\n"
        "    (<an object of a type with a constructor, a destructor or members with initial "
        "values>.data()[0] = n)\n"
        "    return <an overloaded operator>\n");
}

static void test_no_temporary_file_is_left(void **state)
{
    (void)state;
    char folder[TEMPORARY_SIZE];
    const char *before = getenv("TMPDIR");
    char *kept = before ? strdup(before) : NULL;
    struct rd_error error;
    struct rd_syntax_unit *unit = NULL;
    assert_non_null(mkdtemp(temporary_name(folder, "prove-file")));
    setenv("TMPDIR", folder, 1);
    assert_int_equal(read_text(&unit, "int f();\n", no_options, &error), RD_OK);
    rd_syntax_destroy(unit);
    unit = NULL;
    assert_int_equal(read_text(&unit, "#error\n", no_options, &error), RD_ERROR_INPUT);
    assert_int_equal(rd_syntax_read_kernels(&unit, "fold.cu", "no\n", &error), RD_ERROR_INPUT);
    if (kept)
        setenv("TMPDIR", kept, 1);
    else
        unsetenv("TMPDIR");
    free(kept);
    assert_int_equal(rmdir(folder), 0);
}

static void test_file_is_compiled_with_the_options(void **state)
{
    (void)state;
    static const char *const options[] = {"-DN=3", "-DT=short", NULL};
    struct rd_error error;
    struct rd_syntax_unit *unit = NULL;
    assert_int_equal(read_text(&unit, "int f(T x) { return x + N; }\n", options, &error), RD_OK);
    char *is = printed(unit, "f");
    assert_string_equal(is, "i32 f(i16 x)\n    return (i32(x) + 3)\n");
    free(is);
    rd_syntax_destroy(unit);
}

static void test_file_that_can_not_be_read_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *says;
    } refused[] = {
        {"\n\nint f() { return unknown; }\n", "user.cu:3: use of undeclared identifier 'unknown'"},
        {"#include <nccl.h>\n", "user.cu:1:10: fatal error: nccl.h"},
        {"__global__ void k(int n);\nvoid f() { k<<<1>>>(2); }\n", "user.cu:2: "},
        {"__global__ void k(int n);\nvoid f() { k<<<1, 1>>>(2, 3); }\n", "user.cu:2: "},
    };
    for (size_t k = 0; k < sizeof refused / sizeof *refused; k++) {
        struct rd_error error = {""};
        struct rd_syntax_unit *unit = NULL;
        assert_int_equal(read_text(&unit, refused[k].text, no_options, &error), RD_ERROR_INPUT);
        if (strncmp(error.text, refused[k].says, strlen(refused[k].says)) != 0)
            fail_msg("%s", error.text);
        assert_null(unit);
    }
    struct rd_error error;
    struct rd_syntax_unit *unit = NULL;
    assert_int_equal(rd_syntax_read_file(&unit, "/nowhere/user.cu", NULL, &error), RD_ERROR_IO);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kernel_of_a_user_is_read_with_its_own_types),
        cmocka_unit_test(test_launch_is_a_call_behind_one_of_its_shape),
        cmocka_unit_test(test_cpp_that_no_proof_reads_says_so),
        cmocka_unit_test(test_vectors_are_read),
        cmocka_unit_test(test_own_vector_is_outside_of_the_language),
        cmocka_unit_test(test_no_temporary_file_is_left),
        cmocka_unit_test(test_file_is_compiled_with_the_options),
        cmocka_unit_test(test_file_that_can_not_be_read_is_refused),
    };
    struct rd_error error;
    struct rd_syntax_unit *unit = NULL;
    const enum rd_status status = rd_syntax_read_kernels(&unit, "unfold.cu", NULL, &error);
    rd_syntax_destroy(unit);
    if (status == RD_ERROR_IO && strstr(error.text, "apt-get install libclang-dev")) {
        printf("skipped: there is no libclang\n");
        return 77;
    }
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
