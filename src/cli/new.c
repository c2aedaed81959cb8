// SPDX-License-Identifier: MIT
/* reductio new NAME: a program of one's own to begin with. */
#include "cli/cli.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* In these texts ~ stands for the name. */

static const char program_source[] =
    "// ~: adds up n numbers, the upper half onto the lower, until one is left.\n"
    "//\n"
    "//     reductio run ~.cu            each round, and whether the invariant holds\n"
    "//     reductio step ~.cu           the same, step by step\n"
    "//     nvcc ~.cu -o ~ && ./~        on a GPU: annotations are comments\n"
    "#include <cstdio>\n"
    "#include <cuda_runtime.h>\n"
    "\n"
    "// A round: cell i takes what cell i + half holds.\n"
    "__global__ void ~(int *A, size_t half)\n"
    "{\n"
    "    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;\n"
    "    if (i < half)\n"
    "        A[i] += A[i + half];\n"
    "}\n"
    "\n"
    "int main(void)\n"
    "{\n"
    "    const size_t n = 16;\n"
    "    int a[n], *A, sum = 0;\n"
    "    for (size_t i = 0; i < n; i++)\n"
    "        a[i] = (int)i + 1;\n"
    "    if (cudaMalloc(&A, n * sizeof *A) != cudaSuccess)\n"
    "        return 1;\n"
    "\n"
    "    // What must be so for all this to work, and what the laws below call a[j].\n"
    "    //@ requires n = 2^k\n"
    "    //@ input a[n]\n"
    "    if (cudaMemcpy(A, a, n * sizeof *A, cudaMemcpyHostToDevice) != cudaSuccess)\n"
    "        return 1;\n"
    "\n"
    "    // True each time the loop's condition is evaluated: before the first round, and after "
    "each.\n"
    "    //@ invariant for 0 <= i < w: A[i] = sum of a[j], j mod w = i\n"
    "    for (size_t w = n; w > 1; w /= 2) {\n"
    "        ~<<<(unsigned)((w / 2 + 255) / 256), 256>>>(A, w / 2);\n"
    "        if (cudaGetLastError() != cudaSuccess)\n"
    "            return 1;\n"
    "    }\n"
    "\n"
    "    // The invariant, when w is 1.\n"
    "    //@ ensures A[0] = sum of a[j]\n"
    "    if (cudaMemcpy(&sum, A, sizeof sum, cudaMemcpyDeviceToHost) != cudaSuccess ||\n"
    "        cudaFree(A) != cudaSuccess)\n"
    "        return 1;\n"
    "    //@ ensures sum = sum of a[j]\n"
    "    printf(\"the sum of 1 to %zu is %d\\n\", n, sum);\n"
    "    return 0;\n"
    "}\n";

static const char test[] =
    "/* Runs ~.cu in the simulator: what is asserted in it has to hold. */\n"
    "#include <setjmp.h>\n"
    "#include <stdarg.h>\n"
    "#include <stddef.h>\n"
    "#include <stdint.h>\n"
    "#include <cmocka.h>\n"
    "#include <stdio.h>\n"
    "#include <stdlib.h>\n"
    "\n"
    "static const char *reductio, *file;\n"
    "\n"
    "static void test_~_holds(void **state)\n"
    "{\n"
    "    char command[4096];\n"
    "    (void)state;\n"
    "    snprintf(command, sizeof command, \"'%s' run '%s' --device sim\", reductio, file);\n"
    "    assert_int_equal(system(command), 0);\n"
    "}\n"
    "\n"
    "int main(int argc, char **argv)\n"
    "{\n"
    "    const struct CMUnitTest tests[] = {\n"
    "        cmocka_unit_test(test_~_holds),\n"
    "    };\n"
    "    if (argc != 3) {\n"
    "        fprintf(stderr, \"usage: %s REDUCTIO FILE.cu\\n\", argv[0]);\n"
    "        return 2;\n"
    "    }\n"
    "    reductio = argv[1];\n"
    "    file = argv[2];\n"
    "    return cmocka_run_group_tests(tests, NULL, NULL) != 0;\n"
    "}\n";

static const char build[] =
    "# meson setup build && meson test -C build\n"
    "project('~', 'c', default_options: ['c_std=c11', 'warning_level=2'])\n"
    "reductio = find_program('reductio')\n"
    "test_~ = executable('test_~', 'test_~.c', dependencies: dependency('cmocka'))\n"
    "test('~', test_~, args: [reductio.full_path(), files('~.cu')], timeout: 120)\n"
    "\n"
    "# The program for a GPU, where there is nvcc.\n"
    "nvcc = find_program('nvcc', required: false)\n"
    "if nvcc.found()\n"
    "  custom_target('~', input: '~.cu', output: '~',\n"
    "    command: [nvcc, '@INPUT@', '-o', '@OUTPUT@'], build_by_default: true)\n"
    "endif\n";

static bool is_name(const char *text)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz_";
    static const char others[] = "abcdefghijklmnopqrstuvwxyz_0123456789";
    return *text && strchr(letters, *text) && strspn(text, others) == strlen(text) &&
           strlen(text) <= 40;
}

/* Tells whether the program that is written has that name already: a word of C++, a target of Meson's, or a name of its own. */
static bool is_taken(const char *text)
{
    static const char *const taken[] = {"alignas",
                                        "alignof",
                                        "and",
                                        "and_eq",
                                        "asm",
                                        "auto",
                                        "bitand",
                                        "bitor",
                                        "bool",
                                        "break",
                                        "case",
                                        "catch",
                                        "char",
                                        "class",
                                        "compl",
                                        "concept",
                                        "const",
                                        "const_cast",
                                        "consteval",
                                        "constexpr",
                                        "constinit",
                                        "continue",
                                        "co_await",
                                        "co_return",
                                        "co_yield",
                                        "decltype",
                                        "default",
                                        "delete",
                                        "do",
                                        "double",
                                        "dynamic_cast",
                                        "else",
                                        "enum",
                                        "explicit",
                                        "export",
                                        "extern",
                                        "false",
                                        "float",
                                        "for",
                                        "friend",
                                        "goto",
                                        "if",
                                        "inline",
                                        "int",
                                        "long",
                                        "mutable",
                                        "namespace",
                                        "new",
                                        "noexcept",
                                        "not",
                                        "not_eq",
                                        "nullptr",
                                        "operator",
                                        "or",
                                        "or_eq",
                                        "private",
                                        "protected",
                                        "public",
                                        "register",
                                        "reinterpret_cast",
                                        "requires",
                                        "return",
                                        "short",
                                        "signed",
                                        "sizeof",
                                        "static",
                                        "static_assert",
                                        "static_cast",
                                        "struct",
                                        "switch",
                                        "template",
                                        "this",
                                        "thread_local",
                                        "throw",
                                        "true",
                                        "try",
                                        "typedef",
                                        "typeid",
                                        "typename",
                                        "union",
                                        "unsigned",
                                        "using",
                                        "virtual",
                                        "void",
                                        "volatile",
                                        "wchar_t",
                                        "while",
                                        "xor",
                                        "xor_eq",
                                        "all",
                                        "benchmark",
                                        "clean",
                                        "dist",
                                        "install",
                                        "reconfigure",
                                        "test",
                                        "uninstall",
                                        "main",
                                        "a",
                                        "i",
                                        "j",
                                        "n",
                                        "w",
                                        "half",
                                        "sum",
                                        "printf",
                                        "linux",
                                        "unix",
                                        NULL};
    for (size_t k = 0; taken[k]; k++)
        if (strcmp(text, taken[k]) == 0)
            return true;
    return false;
}

/* Writes a text with the name in it. */
static bool write_text(const char *path, const char *text, const char *name)
{
    FILE *file = fopen(path, "wx");
    if (!file)
        return false;
    for (; *text; text++)
        if (*text == '~')
            fputs(name, file);
        else
            fputc(*text, file);
    return fclose(file) == 0;
}

enum { KEY_IN = 512 };

struct input {
    const char *name, *folder;
};

static error_t parse_new(int key, char *argument, struct argp_state *state)
{
    struct input *input = state->input;
    switch (key) {
    case KEY_IN:
        input->folder = argument;
        return 0;
    case ARGP_KEY_ARG:
        if (input->name)
            rd_cli_usage("new", "'%s' is one name too many", argument);
        input->name = argument;
        return 0;
    case ARGP_KEY_END:
        if (!input->name)
            rd_cli_usage("new", "no name: reductio new NAME");
        return 0;
    }
    return ARGP_ERR_UNKNOWN;
}

int rd_cli_new(int argc, char **argv)
{
    static const struct {
        const char *format, *text;
    } files[] = {{"%s/%s.cu", program_source}, {"%s/test_%s.c", test}, {"%s/meson.build", build}};
    static const struct argp_option options[] = {
        {"in", KEY_IN, "FOLDER", 0, "Make it in that folder (default: here)", 0},
        {0},
    };
    const struct argp argp = {
        .options = options,
        .parser = parse_new,
        .args_doc = "NAME",
        .doc = "Makes a folder with an annotated CUDA program of that name, its test and a build "
               "file: "
               "a beginning for your own.\vExit status: 0, or 2 where it can't be written.",
    };
    struct input input = {.folder = "."};
    char own[4096], path[4200];
    rd_cli_parse(&argp, "reductio new", argc, argv, &input);
    const char *name = input.name;
    if (!is_name(name))
        rd_cli_usage("new",
                     "'%s' can't be the name of a kernel: use up to 40 small letters, digits and "
                     "_, and begin with no digit",
                     name);
    if (is_taken(name))
        rd_cli_usage(
            "new", "'%s' can't be the name of a kernel: it means something else in what is written",
            name);
    const bool here = strcmp(input.folder, ".") == 0;
    const int length =
        snprintf(own, sizeof own, "%s%s%s", here ? "" : input.folder, here ? "" : "/", name);
    if (length < 0 || (size_t)length >= sizeof own || mkdir(own, 0777) != 0) {
        rd_cli_complain("'%.200s' can't be made: %s", own,
                        (size_t)length >= sizeof own ? "the path is too long" : strerror(errno));
        return RD_EXIT_FAILED;
    }
    for (size_t k = 0; k < sizeof files / sizeof *files; k++) {
        snprintf(path, sizeof path, files[k].format, own, name);
        if (!write_text(path, files[k].text, name)) {
            rd_cli_complain("'%.200s' can't be written: %s", path, strerror(errno));
            return RD_EXIT_FAILED;
        }
    }
    printf("%s/%s.cu, its test and meson.build are there. Now:\n"
           "    reductio run %s/%s.cu\n"
           "    reductio step %s/%s.cu\n"
           "    reductio prove %s/%s.cu\n"
           "    meson setup %s/build %s && meson test -C %s/build\n",
           own, name, own, name, own, name, own, name, own, own, own);
    return 0;
}
