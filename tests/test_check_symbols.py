#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Variables of the device that host code sets: --set gives them, and reading one that nobody gave is a hazard.

usage: test_check_symbols.py REDUCTIO [unittest's arguments]"""

import unittest

from check_case import CheckTest

HEADER = """
__constant__ int from_header;
inline void set_header(int v) { cudaMemcpyToSymbol(from_header, &v, sizeof v); }
"""
# Variables that the host sets, one after the other: name, type, expression that reads it, statement that sets it.
HOST_SETS = (
    ("filter[5]", "__constant__ float", "filter[2]", "CHECK(cudaMemcpyToSymbol(filter, from, 20));"),
    ("whole", "__device__ int", "whole", "cudaMemcpyToSymbol((const void *)&whole, from, 4);"),
    ("named", "__device__ int", "named", 'cuModuleGetGlobal(&pointer, &size, module, "named");'),
    ("params", "__constant__ struct { float scale; int n; }", "params.n", "upload(params, from);"),
    ("by_macro", "__device__ unsigned", "by_macro", "SEND(by_macro, from);"),
    ("hidden", "static __device__ unsigned long long", "hidden",
     "cudaGetSymbolAddress(&pointer, hidden);\n    cudaMemset(pointer, 0, 8);"),
    ("flag", "__constant__ bool", "flag", "cudaMemcpyToSymbolAsync(flag, from, 1, 0, cudaMemcpyDefault, 0);"),
    ("managed", "__managed__ int", "managed", "managed = 3;"),
    ("squares[2]", "__device__ __managed__ int", "squares[1]", "squares[1] += 3;"),
    ("updated", "__device__ int", "atomicAdd(&updated, 1)", "cudaMemcpyToSymbol(updated, from, 4);"),
)
# Variables that host code does not set.
OTHERS = """
__device__ int counter, total = 4, written;
__device__ __managed__ int seen;
__constant__ int half_known[2] = {1, 2};
static __constant__ float alone[4];
namespace { __device__ int inner; }
namespace a { __constant__ float w[2][3]; }
namespace b { __constant__ double w; }
enum kind { ONE, TWO };
__device__ kind which;
__device__ float *table;
__device__ char near, by;
__constant__ float4 four;
__constant__ bool on;
"""
OTHER_READS = ("counter", "total", "half_known[1]", "alone[1]", "inner", "a::w[1][2]", "b::w", "which", "table[2]",
               "near + by", "four.y", "on", "seen")


def source():
    lines = ['#include "more.cuh"', "#define CHECK(call) do { if (call) return; } while (0)", OTHERS,
             *["%s %s;" % (kind, name) for name, kind, _, _ in HOST_SETS],
             "template <class T> void upload(const T &symbol, const void *from)",
             "{", "    cudaMemcpyToSymbol(symbol, from, sizeof(T));", "}",
             "#define SEND(symbol, from) upload(symbol, from)",
             "int cuModuleGetGlobal(void **pointer, size_t *size, void *module, const char *name) { return 0; }",
             "void host(const void *from, void *module)", "{", "    void *pointer;", "    size_t size;",
             *["    " + call for _, _, _, call in HOST_SETS],
             "    // cudaMemcpyToSymbol(counter, from, 4)",
             '    const char *text = "cudaMemcpyToSymbol(counter, from, 4)";',
             "    cudaMemcpyFromSymbol(&size, total, 4);",
             "    void *back; cudaGetSymbolAddress(&back, counter);",
             "    void *here = 0; cudaMemcpy(here, back, 4, cudaMemcpyDeviceToHost);",
             "    if (seen == 4) return;", "}",
             "__global__ void k(float *out, int i)", "{", "    __shared__ int shared;", "    shared = 0;"]
    reads = [read for _, _, read, _ in HOST_SETS] + ["from_header"] + list(OTHER_READS)
    lines += ["    if (i == %d) out[0] = %s + shared;" % (number, read) for number, read in enumerate(reads)]
    lines += ["    if (i == 100) { whole = 7; out[0] = whole; }", "}"]
    return "\n".join(lines) + "\n", reads


class SymbolsTest(CheckTest):
    def setUp(self):
        super().setUp()
        text, self.reads = source()
        self.lines = text.splitlines()
        self.write("more.cuh", HEADER)
        self.write("set.cu", text)

    def run_read(self, read, *sets, **more):
        number = self.reads.index(read) if read in self.reads else read
        arguments = [word for one in sets for word in ("--set", one)]
        return self.run_kernel("k", "--arg", "f32[1]:zero", "--arg", str(number), "--one-line", "--print", "0",
                               *arguments, file="set.cu", **more)

    def line_of(self, words):
        return 1 + next(k for k, line in enumerate(self.lines) if words in line)

    def test_variable_that_host_code_sets_and_nobody_gives_is_uninitialised(self):
        for name, _, read, call in HOST_SETS:
            with self.subTest(name=name):
                done = self.run_read(read)
                self.assert_status(done, 1)
                plain = name.partition("[")[0]
                self.assertRegex(done.stdout, r"\Aset\.cu:\d+:\d+: uninitialised: thread 0 of block 0 \w+ (byte 4 of )?"
                                 + plain)
                first = call.splitlines()[0]
                self.assertIn(", which host code sets at set.cu:%d, and nobody gave. No host code is run: give the "
                              "variable its value, by --set NAME=SPEC." % self.line_of(first), done.stdout)
        self.assertIn("host code sets at more.cuh:3", self.run_read("from_header").stdout)

    def test_other_variables_begin_as_the_file_has_them(self):
        for read in (*OTHER_READS, 100):
            if read != "table[2]":
                self.assert_status(self.run_read(read), 0)

    def test_variable_that_is_given_has_that_value(self):
        for read, given, value in (
                ("filter[2]", ["filter=f32[5]:iota"], "2"), ("whole", ["whole=-77"], "-77"),
                ("params.n", ["params=0x0000000005000000"], "5"), ("by_macro", ["by_macro=0x10"], "16"),
                ("hidden", ["hidden=3"], "3"), ("flag", ["flag=true"], "1"), ("managed", ["managed=9"], "9"),
                ("from_header", ["from_header=4"], "4"), ("counter", ["::counter=6"], "6"), ("total", ["total=5"], "5"),
                ("half_known[1]", ["half_known=i32[1]:zero"], "2"), ("alone[1]", ["alone=f32[4]:plus2"], "3"),
                ("inner", ["inner=8"], "8"), ("a::w[1][2]", ["a::w=f32[6]:iota"], "5"), ("b::w", ["b::w=0.5"], "0.5"),
                ("which", ["which=1"], "1"), ("table[2]", ["table=f32[3]:iota"], "2"),
                ("near + by", ["near=3", "by=-1"], "2"), ("four.y", ["four=0x00000000000000400000000000000000"], "2"),
                ("on", ["on=1"], "1")):
            with self.subTest(given=given):
                done = self.run_read(read, *given)
                self.assert_status(done, 0)
                self.assertEqual(done.stdout.splitlines()[-1], value)

    def test_only_as_much_is_given_as_the_buffer_has(self):
        self.assert_status(self.run_read("filter[2]", "filter=f32[3]:iota"), 0)
        done = self.run_read("filter[2]", "filter=f32[2]:iota")
        self.assert_status(done, 1)
        self.assertIn("reads filter[2] at", done.stdout)
        self.assertIn("and nobody gave", done.stdout)
        self.assertIn("uninitialised", self.run_read("alone[1]", "alone=f32[4]:uninit").stdout)

    def test_buffer_of_a_pointer_has_its_end(self):
        done = self.run_read("table[2]", "table=f32[2]:iota")
        self.assertIn("out-of-bounds: thread 0 of block 0 reads table[2] at", done.stdout)

    def test_what_a_variable_cant_take_is_refused(self):
        for given, words in (
                ("filtre=3", ["'filtre'", "the file's variables are ", "'filter'", "'a::w'"]),
                ("out=3", ["'out'", "the file's variables are "]),
                ("w=3", ["'w', of which the file has 2"]),
                ("shared=3", ["'shared', which is in shared memory"]),
                ("filter=3", ["'3' is for 'filter', an array: write f32[5]:FILL"]),
                ("filter=f32[6]:zero", ["'filter'", "write f32[5]:FILL"]),
                ("filter=i32[5]:zero", ["an array of f32: write f32[5]:FILL"]),
                ("filter=host:f32[5]:zero", ["write f32[5]:FILL"]),
                ("whole=2.5", ["'2.5' is no whole number, and 'whole' is of type i32"]),
                ("near=300", ["'300' is out of the range of 'near', of type i8"]),
                ("flag=2", ["'2' is for 'flag', a bool"]),
                ("params=0x00", ["'params', a struct of 8 bytes"]),
                ("whole=i32[1]:one", ["'whole' is no pointer"]),
                ("table=i32[4]:one", ["'table' points to f32: write f32[4]"]),
                ("table=4", ["'4' is no buffer, and 'table' is a pointer"]),
                ("whole=i32[4]:what", ["'what'"])):
            with self.subTest(given=given):
                self.assert_refused(self.run_read("counter", given), *words)
        for given in (["whole"], ["=3"], ["whole="], ["whole+1=3"], ["whole=1", "whole=2"]):
            self.assert_refused(self.run_read("counter", *given), "'--set'")

    def test_variables_are_given_in_every_run(self):
        done = self.run_read("whole", "whole=5", shape=("--grid", "4", "--block", "1", "--schedules", "3"))
        self.assertNotIn("uninitialised", done.stdout)
        self.assertEqual(done.stdout.splitlines()[-1], "5")


if __name__ == "__main__":
    unittest.main()
