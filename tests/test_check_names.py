#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Names of a user's file that the simulator, its libraries or the compiler have, too: each means what the file
declares.

usage: test_check_names.py REDUCTIO [unittest's arguments]"""

import re
import subprocess
import unittest

from check_case import BINARY, CheckTest

KEYWORDS = set(
    "alignas alignof and asm auto bitand bitor bool break case catch char class compl const constexpr continue "
    "decltype default delete do double else enum explicit export extern false float for friend goto if inline int long "
    "mutable namespace new noexcept not nullptr operator or private protected public register return short signed "
    "sizeof static struct switch template this throw true try typedef typeid typename union unsigned using virtual "
    "void volatile while xor".split())
# As many in a file: a compiler takes longer to start than for these.
MANY = 800


def output_of(*command):
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout


def symbols(wanted=""):
    """Lists the names in C++ that the binary, and libraries whose name has `wanted`, define or ask for."""
    libraries = re.findall(r"=> (/\S+)", output_of("ldd", BINARY))
    names = set()
    for path in [BINARY, *(library for library in libraries if wanted in library)]:
        for line in output_of("nm", "-D", path).splitlines():
            name = line.split()[-1].partition("@")[0]
            if re.fullmatch(r"[A-Za-z_]\w*", name) and not name.startswith(("_Z", "__wrap__Z")):
                names.add(name)
    return sorted(names - KEYWORDS)


# Uses of a name in a file, by kind: its declaration, and its use in the kernel k, where each adds 1.
FORMS = {
    "shared": ("", "{{ extern __shared__ int {0}[]; {0}[0] = 1; sum += {0}[0]; }}"),
    "shared of the file": ("extern __shared__ int {0}[];", "{0}[0] = 1; sum += {0}[0];"),
    "variable": ("__device__ int {0} = 1;", "sum += {0};"),
    "constant": ("__constant__ int {0}[2] = {{1, 1}};", "sum += {0}[1];"),
    "function": ("__device__ int {0}(const int *a, int one) {{ return a[0] - a[0] + one; }}", "sum += {0}(a, 1);"),
    "kernel": ("__global__ void {0}(int *a, int one) {{ a[0] += one; }}", "{0}<<<1, 1>>>(a, 1);"),
}


def file_of(names, form):
    declaration, use = FORMS[form]
    lines = [declaration.format(name) for name in names]
    lines += ["__global__ void k(int *a)", "{", "    int sum = 0;", *[use.format(name) for name in used(names, form)],
              "    a[0] += sum;", "}", ""]
    return "\n".join(lines)


def used(names, form):
    """A launch takes the compiler longer than anything else: of kernels some are."""
    return names[::20] if form == "kernel" else names


class NamesTest(CheckTest):
    def adds_up(self, names, form, private="off"):
        self.write("names.cu", file_of(names, form))
        done = self.check("--kernel", "k", "--shared", "4", "--arg", "i32[1]:zero", "--print", "0", "--private",
                          private, file="names.cu")
        return done.returncode == 0 and done.stdout.splitlines()[-1] == str(len(used(names, form))), done

    def assert_free(self, form, libraries="/libc."):
        """Each of them is what the file declares; where one is not, it is found among its neighbours."""
        known = symbols(libraries)
        self.assertGreater(len(known), 300)
        for first in range(0, len(known), MANY):
            names = known[first:first + MANY]
            good, done = self.adds_up(names, form)
            while not good and len(names) > 1:
                half = names[:len(names) // 2]
                good, halved = self.adds_up(half, form)
                names = names[len(half):] if good else half
                good, done = self.adds_up(names, form) if good else (good, halved)
            self.assertTrue(good, "%s: %s\n%s%s" % (form, names[:9], done.stdout[-900:], done.stderr[-900:]))

    def test_shared_arrays_may_have_the_name_of_any_symbol(self):
        self.assert_free("shared", "")
        self.assert_free("shared of the file")

    def test_variables_may_have_the_name_of_any_symbol(self):
        self.assert_free("variable")
        self.assert_free("constant")

    def test_functions_may_have_the_name_of_any_symbol(self):
        self.assert_free("function")

    def test_kernels_may_have_the_name_of_any_symbol(self):
        self.assert_free("kernel")

    def test_builds_that_look_at_local_variables_take_them_too(self):
        for form in FORMS:
            with self.subTest(form):
                good, done = self.adds_up(symbols("/libc.")[::20], form, "on")
                self.assertTrue(good, done.stdout + done.stderr)

    def test_names_are_told_as_the_file_has_them(self):
        self.write("told.cu", """
__global__ void signal(int *y0, int raw)
{
    extern __shared__ int filter[];
    filter[raw] = y0[raw];
}
__global__ void k(int *a)
{
    extern __shared__ int index[];
    index[threadIdx.x + 1] = a[0];
}
__device__ int _end[4], main;
__global__ void variables(int *a)
{
    a[0] = _end[4] + main;
}
""")
        for kernel, arguments, words in (
                ("k", [], [" writes index[4] (shared)"]),
                ("signal", ["--arg", "4"], ["reads y0[4]", ", and it has 1 element;"]),
                ("variables", [], ["reads _end[4]", ", and it has 4 elements;"])):
            with self.subTest(kernel):
                done = self.check("--kernel", kernel, "--shared", "16", "--arg", "i32[1]:zero", *arguments,
                                  "--one-line", "--block", "4", file="told.cu")
                self.assert_status(done, 1)
                for part in words:
                    self.assertIn(part, done.stdout)
                self.assertNotIn("$", done.stdout + done.stderr)
        self.assert_refused(self.check("--kernel", "none", file="told.cu"), "the kernels signal, k, variables")

    def test_own_names_of_the_simulators_headers_are_free(self):
        self.write("own.cu", """
#define RD_INLINE 1
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
struct rd_same { int rd_call; };
template <class T> struct rd_bound { T rd_word_of; };
enum { RD_BARE = 1, RD_SHFL };
int rd_check_main;
__device__ int rd_sim_block_sync(rd_same s) { return s.rd_call; }
__global__ void rd_check_thread(int *rd_sim_place)
{
    rd_bound<int> rd_describe = {RD_BARE};
    cg::thread_block block = cg::this_thread_block();
    __shared__ int rd_check_dynamic;
    rd_check_dynamic = rd_describe.rd_word_of;
    block.sync();
    rd_sim_place[0] = rd_check_dynamic + RD_INLINE + rd_sim_block_sync({RD_SHFL});
}
""")
        done = self.check("--kernel", "rd_check_thread", "--arg", "i32[1]:zero", "--print", "0", file="own.cu")
        self.assert_status(done, 0)
        self.assertEqual(done.stdout.splitlines()[-1], "4")

    def test_headers_beside_the_file_are_the_users(self):
        self.write("intrinsics.h", "#define VALUE 7\n")
        self.write("beside.cu", '#include "intrinsics.h"\n__global__ void k(int *a) { a[0] = VALUE; }\n')
        done = self.check("--kernel", "k", "--arg", "i32[1]:zero", "--print", "0", file="beside.cu")
        self.assertEqual(done.stdout.splitlines()[-1:], ["7"], done.stderr)

    def test_what_is_defined_nowhere_is_not_taken_from_the_program(self):
        undefined = "no file that was given, and no library, defines '%s'"
        not_there = "does not simulate %s, which no file that was given, and no library, defines (line 2)"
        for declaration, use, name, told in (("extern __device__ int raw[4];", "raw[0]", "raw", undefined),
                                             ('extern "C" __device__ int json_object(int);', "json_object(1)", "json_object", undefined),
                                             ("extern __constant__ float environment[4];", "environment[0]", "environment", not_there)):
            self.write("nowhere.cu", "%s\n__global__ void k(int *a) { a[0] = %s; }\n" % (declaration, use))
            self.assert_refused(self.check("--kernel", "k", "--arg", "i32[1]:zero", file="nowhere.cu"), told % name)


if __name__ == "__main__":
    unittest.main()
