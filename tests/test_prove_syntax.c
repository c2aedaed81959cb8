// SPDX-License-Identifier: MIT
/* Functions of C as trees: what a proof reads must be what the compiler reads. */
#include "program/sources_table.h"
#include "prove/syntax/syntax.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct rd_syntax_unit *read_text(const char *file, const char *changed)
{
    struct rd_error error;
    struct rd_syntax_unit *unit = NULL;
    if (rd_syntax_read_kernels(&unit, file, changed, &error) != RD_OK)
        fail_msg("%s: %s", file, error.text);
    return unit;
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

/* The function f of a text that begins with kernel.h is read as `tree`. */
static void assert_read(const char *code, const char *tree)
{
    char *text;
    assert_true(asprintf(&text, "#include \"kernel.h\"\n%s\n", code) > 0);
    struct rd_syntax_unit *unit = read_text("multiply.cu", text);
    char *is = printed(unit, "f");
    assert_string_equal(is, tree);
    free(is);
    free(text);
    rd_syntax_destroy(unit);
}

static void test_kernel_is_read_with_the_names_and_types_of_its_words(void **state)
{
    (void)state;
    struct rd_syntax_unit *unit = read_text("fold.cu", NULL);
    char *fold = printed(unit, "fold");
    assert_string_equal(fold,
                        "kernel void fold(f64* A, u64 half)\n"
                        "    u64 i = ((u64(blockIdx.x) * u64(blockDim.x)) + u64(threadIdx.x))\n"
                        "    if (i < half)\n"
                        "        (A[i] = rd_prove_combine(A[i], A[(i + half)]))\n");
    free(fold);
    const struct rd_syntax_function *function = rd_syntax_function_named(unit, "fold");
    assert_string_equal(function->file, "kernels/fold.cu");
    assert_string_equal(function->parameters[0]->type->of->name, "elem");
    assert_string_equal(function->parameters[1]->type->name, "size_t");
    assert_true(function->parameters[0]->is_parameter);
    const struct rd_syntax_node *index = function->body->kids[0],
                                *product = index->kids[0]->kids[0];
    assert_false(index->declaration->is_global);
    assert_string_equal(product->kids[0]->kids[0]->kids[0]->name, "blockIdx");
    assert_true(product->kids[0]->kids[0]->kids[0]->declaration->is_extern);
    assert_null(rd_syntax_function_named(unit, "fold_f64"));
    assert_null(rd_syntax_function(unit, rd_syntax_function_count(unit)));
    rd_syntax_destroy(unit);
}

static void test_lines_are_those_of_the_file_and_of_its_headers(void **state)
{
    (void)state;
    struct rd_syntax_unit *unit = read_text("ladder_shared.cu", NULL);
    const struct rd_source *file = rd_source_of_file("kernels/ladder_shared.cu"),
                           *header = rd_source_of_file("kernels/ladder.h");
    const struct rd_syntax_function *one = rd_syntax_function_named(unit, "load_one"),
                                    *sum = rd_syntax_function_named(unit, "sum_of_sums");
    size_t length;
    const char *line = rd_source_line(file->text, one->line, &length);
    assert_memory_equal(line, "__device__ inline void load_one(", 32);
    line = rd_source_line(file->text, one->body->kids[2]->line, &length);
    assert_memory_equal(line, "    x[threadIdx.x] = own;", length);
    /* A macro's expansion is where the macro stands. */
    assert_string_equal(sum->file, "kernels/ladder.h");
    line = rd_source_line(header->text, sum->line, &length);
    assert_memory_equal(line, "LANES_SUM(sum_of_sums, SHUFFLE_SUMS)", length);
    line = rd_source_line(header->text, sum->body->kids[0]->line, &length);
    assert_memory_equal(line, "LANES_SUM(sum_of_sums, SHUFFLE_SUMS)", length);
    rd_syntax_destroy(unit);
}

static void test_columns_are_told_where_no_macro_stands_before(void **state)
{
    (void)state;
    struct rd_syntax_unit *unit =
        read_text("fold.cu", "#include \"kernel.h\"\nvoid f(int a, int bb) {\n"
                             "    a   =  bb /* + */ + a;\n\tbb = GLOBAL_THREAD > bb;\n}\n");
    const struct rd_syntax_node *body = rd_syntax_function_named(unit, "f")->body,
                                *first = body->kids[0], *last = body->kids[1];
    assert_int_equal(first->line, 3);
    assert_int_equal(first->column, 5);
    assert_int_equal(first->kids[1]->kids[0]->column, 12);
    assert_int_equal(first->kids[1]->kids[1]->column, 0);
    assert_int_equal(last->line, 4);
    assert_int_equal(last->column, 2);
    assert_int_equal(last->kids[1]->column, 0);
    rd_syntax_destroy(unit);
}

static void test_shared_memory_is_told_from_other_variables(void **state)
{
    (void)state;
    assert_read("__constant__ unsigned limit;\n"
                "__global__ void f(volatile elem *a) {\n"
                "    DYNAMIC_SHARED(elem, x);\n"
                "    __shared__ elem fixed[256], one;\n"
                "    volatile elem *v = x;\n"
                "    static unsigned kept;\n"
                "    if (limit) one = v[0] + fixed[kept];\n"
                "}",
                "kernel void f(volatile f64* a)\n"
                "    shared f64* const x\n"
                "    shared f64[256] fixed\n"
                "    shared f64 one\n"
                "    volatile f64* v = x\n"
                "    static u32 kept\n"
                "    if limit\n"
                "        (one = (v[0] + fixed[kept]))\n");
}

static void test_width_of_arithmetic_is_told_by_casts(void **state)
{
    (void)state;
    assert_read("size_t f(unsigned u, int i, size_t s, unsigned char c, long long l, bool b) {\n"
                "    s = u + 1;\n"     /* in 32 bits, then widened */
                "    u = s * 2 + u;\n" /* in 64 bits, then narrowed */
                "    i = u + i;\n"     /* without a sign */
                "    i = c + c;\n"     /* as int */
                "    s = -1; i = -1;\n"
                "    c = 300; u = 0xffffffff; l = 0xffffffff; s = 1 << 3;\n"
                "    u += s; s += u; u <<= s; c *= 2;\n"
                "    b = u; if (i < u) return i; if (s > l) return (int)s;\n"
                "    return (size_t)s + (unsigned long)l;\n"
                "}",
                "u64 f(u32 u, i32 i, u64 s, u8 c, i64 l, bool b)\n"
                "    (s = u64((u + 1u)))\n"
                "    (u = u32(((s * 2ul) + u64(u))))\n"
                "    (i = i32((u + u32(i))))\n"
                "    (i = (i32(c) + i32(c)))\n"
                "    (s = u64((-1)))\n"
                "    (i = (-1))\n"
                "    (c = 44u)\n"
                "    (u = 4294967295u)\n"
                "    (l = 4294967295l)\n"
                "    (s = u64((1 << 3)))\n"
                "    (u += s)\n"
                "    (s += u64(u))\n"
                "    (u <<= s)\n"
                "    (c *= 2)\n"
                "    (b = bool(u))\n"
                "    if (u32(i) < u)\n"
                "        return u64(i)\n"
                "    if (s > u64(l))\n"
                "        return u64(i32(s))\n"
                "    return (s + u64(l))\n");
}

static void test_elements_are_doubles_and_their_numbers_have_no_casts(void **state)
{
    (void)state;
    struct rd_syntax_unit *unit = read_text(
        "fold.cu", "#include \"identity.h\"\n#include \"atomic_operation.h\"\n"
                   "elem f(elem *p, float x, int i) {\n"
                   "    elem a = {0}, b = ELEM(0), c = IDENTITY, d = 1, e = 2.0f, g = 0.5;\n"
                   "    a = ADD(OP(b, c), SUBTRACT(d, MULTIPLY(e, g)));\n"
                   "    ATOMIC_OP(p, a);\n"
                   "    return x + i;\n"
                   "}\n");
    char *is = printed(unit, "f");
    assert_string_equal(is, "f64 f(f64* p, f32 x, i32 i)\n"
                            "    f64 a = 0.\n"
                            "    f64 b = 0.\n"
                            "    f64 c = rd_prove_identity()\n"
                            "    f64 d = 1.\n"
                            "    f64 e = 2.\n"
                            "    f64 g = 0.5\n"
                            "    (a = (rd_prove_combine(b, c) + (d - (e * g))))\n"
                            "    rd_prove_atomic(p, a)\n"
                            "    return f64((x + f32(i)))\n");
    free(is);
    rd_syntax_destroy(unit);
}

static void test_each_operator_is_read_as_written(void **state)
{
    (void)state;
    assert_read(
        "int f(int a, int b, int *p) {\n"
        "    a = (a + b) * (a - b) / (a % b);\n"
        "    a = a << 1 >> b & 3 | 4 ^ ~b;\n"
        "    a = a < b && a <= b || !(a > b) && a >= b || a == b || a != b;\n"
        "    a += 1, b -= 1, a *= 2, b /= 2, a %= 3, b &= 1, a |= 2, b ^= 3, a <<= 1, b >>= 1;\n"
        "    a++; b--; ++a; --b; a = -b - -1 + + b;\n"
        "    *p++ = *&a; p[a] = 1 [p]; (*(p + b))++;\n"
        "    a = b = a ? b : (b, a);\n"
        "    return a /* > */ + /* < */\n b - (0x10 + 010 + 0b11 + 'a' + 'b');\n"
        "}",
        "i32 f(i32 a, i32 b, i32* p)\n"
        "    (a = (((a + b) * (a - b)) / (a % b)))\n"
        "    (a = ((((a << 1) >> b) & 3) | (4 ^ (~b))))\n"
        "    (a = (((((a < b) && (a <= b)) || ((!(a > b)) && (a >= b))) || (a == b)) || (a != "
        "b)))\n"
        "    ((((((((((a += 1) , (b -= 1)) , (a *= 2)) , (b /= 2)) , (a %= 3)) , (b &= 1)) , (a |= "
        "2)) , (b ^= 3)) , (a <<= 1)) , (b >>= 1))\n"
        "    (a++)\n"
        "    (b--)\n"
        "    (++a)\n"
        "    (--b)\n"
        "    (a = (((-b) - (-1)) + (+b)))\n"
        "    ((*(p++)) = (*(&a)))\n"
        "    (p[a] = p[1])\n"
        "    ((*(p + b))++)\n"
        "    (a = (b = (a ? b : (b , a))))\n"
        "    return ((a + b) - ((((16 + 8) + 3) + 97) + 98))\n");
}

static void test_each_part_of_a_for_may_be_missing(void **state)
{
    (void)state;
    assert_read("void f(int a, int b) {\n"
                "    for (;;) break;\n"
                "    for (a = 0;;) { continue; }\n"
                "    for (; a < b;) ;\n"
                "    for (;; a++) ;\n"
                "    for (int i = 0, j = b; ; i++, j--) ;\n"
                "    for (const char *s = \";)\"; *s; ) ;\n"
                "    for (int i = ';'; (a < b) && (({0;}), 1); f(i, b)) for (; a;) ;\n"
                "    for (a = ({0; 1;}); a; ({0; b;})) ;\n"
                "}",
                "void f(i32 a, i32 b)\n"
                "    for -; -; -\n"
                "        break\n"
                "    for (a = 0); -; -\n"
                "        continue\n"
                "    for -; (a < b); -\n"
                "        ;\n"
                "    for -; -; (a++)\n"
                "        ;\n"
                "    for i32 i = 0, i32 j = b; -; ((i++) , (j--))\n"
                "        ;\n"
                "    for const i8* s = \";)\"; (*s); -\n"
                "        ;\n"
                "    for i32 i = 59; ((a < b) && (<a statement in an expression> , 1)); f(i, b)\n"
                "        for -; a; -\n"
                "            ;\n"
                "    for (a = <a statement in an expression>); a; <a statement in an expression>\n"
                "        ;\n");
}

static void test_statements_are_read_in_their_blocks(void **state)
{
    (void)state;
    assert_read("enum { FOUR = 4 };\n"
                "struct pair { elem x[2]; unsigned n; };\n"
                "elem f(struct pair *p, unsigned n) {\n"
                "    struct pair own = {{1, 2}, FOUR}, all[2] = {{{0}}};\n"
                "    do n--; while (n > sizeof(elem));\n"
                "    while (n) { if (n % 2) n = 1; else if (n == 3) return 0; else { n = 0; } }\n"
                "    p->x[0] = own.x[1], (*p).n = all->n;\n"
                "    *p = (struct pair){{3, 4}, 5};\n"
                "    ;\n"
                "    _Pragma(\"GCC unroll 4\") for (; n;) n--;\n"
                "    { unsigned n = 1; p->n = n; }\n"
                "    if (n) return p->x[n];\n"
                "    return __shfl_xor_sync(~0u, own.x[0], 1);\n"
                "}",
                "f64 f({pair}* p, u32 n)\n"
                "    {pair} own = {{1., 2.}, 4u}\n"
                "    {pair}[2] all = {{{0.}}}\n"
                "    do\n"
                "        (n--)\n"
                "    while (u64(n) > 8ul)\n"
                "    while n\n"
                "        if (n % 2u)\n"
                "            (n = 1u)\n"
                "        else\n"
                "            if (n == 3u)\n"
                "                return 0.\n"
                "            else\n"
                "                (n = 0u)\n"
                "    ((p->x[0] = own.x[1]) , ((*p).n = all->n))\n"
                "    ((*p) = {{3., 4.}, 5u})\n"
                "    ;\n"
                "    for -; n; -\n"
                "        (n--)\n"
                "        u32 n = 1u\n"
                "        (p->n = n)\n"
                "    if n\n"
                "        return p->x[n]\n"
                "    return __shfl_xor_sync((~0u), own.x[0], 1)\n");
}

static void test_function_that_begins_with_a_macro_of_the_system_is_read(void **state)
{
    (void)state;
    assert_read("#include <stdbool.h>\nbool f(bool a) { return a || true; }",
                "bool f(bool a)\n    return bool((i32(a) || 1))\n");
}

static void test_a_name_is_of_the_declaration_that_hides_others(void **state)
{
    (void)state;
    struct rd_syntax_unit *unit = read_text(
        "fold.cu", "unsigned n;\nvoid f(void) { n = 1; { unsigned n; n = 2; } n = 3; }\n");
    const struct rd_syntax_node *body = rd_syntax_function_named(unit, "f")->body,
                                *first = body->kids[0]->kids[0],
                                *inner = body->kids[1]->kids[1]->kids[0],
                                *last = body->kids[2]->kids[0];
    assert_ptr_equal(first->declaration, last->declaration);
    assert_true(first->declaration->is_global);
    assert_ptr_not_equal(inner->declaration, first->declaration);
    assert_ptr_equal(inner->declaration, body->kids[1]->kids[0]->declaration);
    rd_syntax_destroy(unit);
}

static void test_checkpoints_and_barriers_are_calls(void **state)
{
    (void)state;
    assert_read("void f(elem *x, unsigned s, elem own) {\n"
                "    CHECKPOINT(SEQUENTIAL, x, blockDim.x, 2 * s);\n"
                "    CHECKPOINT_LANE(SHUFFLE_DOWN, own, s);\n"
                "    GRID_SYNC(); __syncthreads(); __syncwarp(); __syncwarp(s); __threadfence();\n"
                "    if (__syncthreads_or(s > 0)) atomicInc(&s, GRID_THREADS);\n"
                "}",
                "void f(f64* x, u32 s, f64 own)\n"
                "    rd_prove_checkpoint(\"SEQUENTIAL\", x, u64(blockDim.x), u64((2u * s)))\n"
                "    rd_prove_lane(\"SHUFFLE_DOWN\", own, u64(s))\n"
                "    rd_prove_grid_sync()\n"
                "    __syncthreads()\n"
                "    __syncwarp()\n"
                "    __syncwarp(s)\n"
                "    __threadfence()\n"
                "    if __syncthreads_or((s > 0u))\n"
                "        atomicInc((&s), u32((u64(gridDim.x) * u64(blockDim.x))))\n");
    struct rd_syntax_unit *unit = read_text("dot_blocks.cu", NULL);
    const struct rd_syntax_node *checkpoint =
        rd_syntax_function_named(unit, "dot_shared")->body->kids[7];
    assert_int_equal(checkpoint->kind, RD_SYNTAX_CALL);
    assert_string_equal(checkpoint->name, "rd_prove_checkpoint");
    rd_syntax_destroy(unit);
}

static void test_what_is_outside_of_the_language_says_so(void **state)
{
    (void)state;
    assert_read(
        "int f(int a, int *p) {\n"
        "    switch (a) { case 1: return 2; }\n"
        "    if (a) goto out;\n"
        "    __asm__(\"\");\n"
        "    a = ({ int b = a; b; });\n"
        "    a = a ?: 1;\n"
        "    struct { int x, y; } s = {.y = 1};\n"
        "    a = _Generic(a, int: 1, default: 2);\n"
        "out:\n    return a;\n"
        "}",
        "i32 f(i32 a, i32* p)\n"
        "    <a switch>\n"
        "    if a\n"
        "        <a goto>\n"
        "    <assembly>\n"
        "    (a = <a statement in an expression>)\n"
        "    (a = <an expression that libclang does not show>)\n"
        "    {(unnamed at kernels/multiply.cu:8:5)} s = {<an expression that libclang does not "
        "show>}\n"
        "    (a = <what libclang calls GenericSelectionExpr>)\n"
        "    <a label>\n");
    assert_read("int f(int a, ...) {\n"
                "    int n[a];\n"
                "    __builtin_va_list args;\n"
                "    __builtin_va_start(args, a);\n"
                "    a = __builtin_va_arg(args, int);\n"
                "    void *p = &&on; goto *p;\n"
                "on: return sizeof n; }",
                "i32 f(i32 a)\n"
                "    i32[0] n, of length a\n"
                "    {__va_list_tag}[1] args\n"
                "    __builtin_va_start(args, a)\n"
                "    (a = <an expression that libclang does not show>)\n"
                "    void* p = <what libclang calls AddrLabelExpr>\n"
                "    <a goto>\n"
                "    <a label>\n");
}

static void test_a_text_that_no_compiler_takes_is_refused_with_its_line(void **state)
{
    (void)state;
    static const struct {
        const char *text, *says;
    } refused[] = {
        {"#include \"kernel.h\"\n\nvoid f(void) { unknown(); }\n", "kernels/fold.cu:3: "},
        {"void f(void) {\n", "kernels/fold.cu:"},
        {"#include \"nowhere.h\"\n", "nowhere.h"},
        {"#error no\n", "#error no"},
    };
    for (size_t k = 0; k < sizeof refused / sizeof *refused; k++) {
        struct rd_error error;
        struct rd_syntax_unit *unit = NULL;
        const enum rd_status status =
            rd_syntax_read_kernels(&unit, "fold.cu", refused[k].text, &error);
        assert_int_equal(status, RD_ERROR_INPUT);
        assert_non_null(strstr(error.text, refused[k].says));
        assert_null(strstr(error.text, "/tmp"));
        assert_null(unit);
    }
    struct rd_error error;
    struct rd_syntax_unit *unit = NULL;
    assert_int_equal(rd_syntax_read_kernels(&unit, "ladder.h", NULL, &error), RD_ERROR_INPUT);
    assert_int_equal(rd_syntax_read_kernels(&unit, "nothing.cu", NULL, &error), RD_ERROR_INPUT);
    assert_string_equal(error.text, "no kernels are in a file 'nothing.cu'");
    rd_syntax_destroy(NULL);
}

/* ---- all kernels ---- */

static void find_others(const struct rd_syntax_node *node, unsigned *n, unsigned *nodes)
{
    if (!node)
        return;
    ++*nodes;
    if (node->kind == RD_SYNTAX_OTHER) {
        print_error("%s:%u: %s\n", node->file, node->line, node->name);
        ++*n;
    }
    for (size_t k = 0; k < node->n_kids; k++)
        find_others(node->kids[k], n, nodes);
}

static bool ends_with(const char *text, const char *end)
{
    const size_t length = strlen(text);
    return length >= strlen(end) && strcmp(text + length - strlen(end), end) == 0;
}

static void test_all_kernels_are_read_whole(void **state)
{
    unsigned n_kernels = 0, n_known = 0, others = 0, nodes = 0;
    (void)state;
    for (const struct rd_source *source = rd_file_sources; source->name; source++) {
        if (!ends_with(source->path, ".cu"))
            continue;
        struct rd_syntax_unit *unit = read_text(strrchr(source->path, '/') + 1, NULL);
        for (size_t k = 0; k < rd_syntax_function_count(unit); k++) {
            const struct rd_syntax_function *function = rd_syntax_function(unit, k);
            find_others(function->body, &others, &nodes);
            n_kernels += function->is_kernel;
            if (function->is_kernel)
                assert_non_null(rd_source_of_kernel(function->name));
        }
        rd_syntax_destroy(unit);
    }
    for (const struct rd_source *source = rd_kernel_sources; source->name; source++)
        n_known++;
    assert_int_equal(n_kernels, n_known);
    assert_int_equal(others, 0);
    assert_in_range(nodes, 5000, 100000);
}

static bool lacks_libclang(enum rd_status status, const struct rd_error *error)
{
    if (status != RD_ERROR_IO || !strstr(error->text, "apt-get install libclang-dev"))
        return false;
    printf("skipped: there is no libclang\n");
    return true;
}

/* Prints the trees of files of kernels, for test_prove_tree.py. */
static int print_trees(char **files)
{
    struct rd_error error;
    struct rd_syntax_unit *unit;
    for (; *files; files++) {
        const enum rd_status status = rd_syntax_read_kernels(&unit, *files, NULL, &error);
        if (lacks_libclang(status, &error))
            return 77;
        if (status != RD_OK) {
            fprintf(stderr, "%s\n", error.text);
            return 1;
        }
        for (size_t k = 0; k < rd_syntax_function_count(unit); k++) {
            printf("%s: %s\n", *files, rd_syntax_function(unit, k)->name);
            rd_syntax_print(rd_syntax_function(unit, k)->body, 0, stdout);
        }
        rd_syntax_destroy(unit);
    }
    return 0;
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kernel_is_read_with_the_names_and_types_of_its_words),
        cmocka_unit_test(test_lines_are_those_of_the_file_and_of_its_headers),
        cmocka_unit_test(test_columns_are_told_where_no_macro_stands_before),
        cmocka_unit_test(test_shared_memory_is_told_from_other_variables),
        cmocka_unit_test(test_width_of_arithmetic_is_told_by_casts),
        cmocka_unit_test(test_elements_are_doubles_and_their_numbers_have_no_casts),
        cmocka_unit_test(test_each_operator_is_read_as_written),
        cmocka_unit_test(test_each_part_of_a_for_may_be_missing),
        cmocka_unit_test(test_statements_are_read_in_their_blocks),
        cmocka_unit_test(test_function_that_begins_with_a_macro_of_the_system_is_read),
        cmocka_unit_test(test_a_name_is_of_the_declaration_that_hides_others),
        cmocka_unit_test(test_checkpoints_and_barriers_are_calls),
        cmocka_unit_test(test_what_is_outside_of_the_language_says_so),
        cmocka_unit_test(test_a_text_that_no_compiler_takes_is_refused_with_its_line),
        cmocka_unit_test(test_all_kernels_are_read_whole),
    };
    struct rd_error error;
    struct rd_syntax_unit *unit = NULL;
    if (argc > 1)
        return print_trees(argv + 1);
    const enum rd_status status = rd_syntax_read_kernels(&unit, "unfold.cu", NULL, &error);
    rd_syntax_destroy(unit);
    return lacks_libclang(status, &error) ? 77 : cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
