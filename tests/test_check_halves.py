#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Floats of 16 bits in `reductio check`: buffers, values, variables and arithmetic of a user's file.

usage: test_check_halves.py REDUCTIO [unittest's arguments]"""

import json
import math
import struct
import unittest

from check_case import CheckTest

SHAPE = ("--grid", "1", "--block", "8")
KINDS = {"f16": "__half", "bf16": "__nv_bfloat16"}
FILE = """#include <cuda_fp16.h>
#include <cuda_bf16.h>
struct own { unsigned short bits; };
__constant__ half scale[2];
__device__ half one;
template <class T> __global__ void sum(const T *in, T *out)
{
    __shared__ T s[8];
    s[threadIdx.x] = in[threadIdx.x];
    for (unsigned half = 4; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half)
            s[threadIdx.x] += s[threadIdx.x + half];
    }
    if (threadIdx.x == 0)
        *out = s[0];
}
template <class T> __global__ void warp(const T *in, T *out)
{
    T x = in[threadIdx.x];
    for (int across = 4; across > 0; across /= 2)
        x = __hadd(x, __shfl_down_sync(0xff, x, across, 8));
    if (threadIdx.x == 0)
        *out = x;
}
template <class T> __global__ void work(const T *x, const T *y, T *sum, T *product, T *quotient, int *less, float *real)
{
    unsigned i = threadIdx.x;
    sum[i] = x[i] + y[i];
    product[i] = __hmul(x[i], y[i]);
    quotient[i] = x[i] / y[i];
    less[i] = x[i] < y[i];
    real[i] = (float)(x[i] - y[i]);
}
template <class T> __global__ void rounded(const double *in, const int *whole, T *out, T *of_whole)
{
    out[threadIdx.x] = T(in[threadIdx.x]);
    of_whole[threadIdx.x] = T(whole[threadIdx.x]);
}
template <class T> __global__ void racy(const T *in, T *out)
{
    *out = *out + in[threadIdx.x];
}
template <class T> __global__ void beyond(const T *in, T *out)
{
    out[threadIdx.x + 1] = in[threadIdx.x];
}
template <class T> __global__ void unset(T *out)
{
    __shared__ T s[8];
    out[threadIdx.x] = s[threadIdx.x];
}
template <class T> __global__ void fill(T *out, T value)
{
    out[threadIdx.x] = value;
}
__global__ void reverse(const own *in, own *out)
{
    out[threadIdx.x] = in[7 - threadIdx.x];
}
template <class T> __global__ void add(const T *in, T *out)
{
    out[threadIdx.x + 1] = atomicAdd(out, in[threadIdx.x]);
}
template <class T> __global__ void beside(const T *in, T *out)
{
    __shared__ T s[2];
    if (threadIdx.x < 2)
        s[threadIdx.x] = 0;
    __syncthreads();
    atomicAdd(&s[threadIdx.x % 2], in[threadIdx.x]);
    __syncthreads();
    out[threadIdx.x] = s[threadIdx.x % 2];
}
template <class T> __global__ void half_atomic(const T *in, T *out)
{
    if (threadIdx.x == 0)
        *out = in[0];
    else
        atomicAdd(out, in[threadIdx.x]);
}
template <class P> __global__ void pairs(const P *in, P *out)
{
    atomicAdd(out, in[threadIdx.x / 2]);
}
__global__ void scaled(half *out)
{
    out[threadIdx.x] = out[threadIdx.x] * scale[threadIdx.x % 2] + one;
}
"""


def nearest(kind, x):
    """The number of that type nearest to a double, ties to even."""
    if kind == "f16":
        try:
            return struct.unpack("<e", struct.pack("<e", x))[0]
        except OverflowError:
            return math.copysign(math.inf, x)
    if x == 0 or math.isinf(x):
        return x
    unit = 2.0 ** (max(math.frexp(x)[1], -125) - 8)
    return round(x / unit) * unit


class HalvesTest(CheckTest):
    def setUp(self):
        super().setUp()
        self.write("halves.cu", FILE)

    def of(self, kernel, *arguments, status=0):
        specs = [word for argument in arguments for word in ("--arg", argument)]
        return self.report(kernel, *specs, "--print", "all", file="halves.cu", shape=SHAPE, status=status)

    def values(self, kernel, *arguments):
        return [buffer["values"] for buffer in self.of(kernel, *arguments)["buffers"]]

    def test_sums_are_those_of_the_folds_tree(self):
        for kind, name in KINDS.items():
            values, result = self.values(f"sum<{name}>", kind + "[8]:random:3", kind + "[1]:uninit")
            self.assertEqual(values, [nearest(kind, value) for value in values])
            while len(values) > 1:
                half = len(values) // 2
                values = [nearest(kind, values[i] + values[i + half]) for i in range(half)]
            self.assertEqual(result, values)
            self.assertEqual(self.values(f"warp<{name}>", kind + "[8]:random:3", kind + "[1]:uninit")[1], values)

    def test_each_operation_is_rounded_once(self):
        for kind, name in KINDS.items():
            for seed in range(4):
                x, y, *results = self.values(f"work<{name}>", f"{kind}[8]:random:{2 * seed}", f"{kind}[8]:random:{2 * seed + 1}",
                                             kind + "[8]:uninit", kind + "[8]:uninit", kind + "[8]:uninit", "i32[8]:uninit", "f32[8]:uninit")
                pairs = list(zip(x, y))
                self.assertEqual(results[0], [nearest(kind, a + b) for a, b in pairs])
                self.assertEqual(results[1], [nearest(kind, a * b) for a, b in pairs])
                self.assertEqual(results[2], [nearest(kind, a / b) for a, b in pairs])
                self.assertEqual(results[3], [int(a < b) for a, b in pairs])
                self.assertEqual(results[4], [nearest(kind, a - b) for a, b in pairs])

    def test_numbers_are_rounded_once_on_their_way(self):
        """Just above the middle of two numbers: by way of a float, that would be the middle, and rounded to even."""
        for kind, name in KINDS.items():
            digits = 11 if kind == "f16" else 8
            numbers = [s * (1 + 2.0 ** -digits + e * 2.0 ** -40) for s in (1, -1) for e in (1, 0, -1)] + [2.0 ** -20, 1e30]
            whole = [2 ** 30 + 2 ** (30 - digits) + e for e in (1, 0, -1)] + [0, -5, 2049, 257, -2147483648]
            self.write("numbers", " ".join(map(repr, numbers)))
            self.write("whole", " ".join(map(str, whole)))
            _, _, got, of_whole = self.values(f"rounded<{name}>", "f64[8]:@numbers", "i32[8]:@whole", kind + "[8]:uninit", kind + "[8]:uninit")
            for wanted, found in ((numbers, got), (whole, of_whole)):
                self.assertEqual([float(value) for value in found], [nearest(kind, float(value)) for value in wanted], kind)

    def test_faults_are_told_with_their_values(self):
        for kind, name in KINDS.items():
            report = self.of(f"racy<{name}>", kind + "[8]:iota", kind + "[1]:zero", status=1)
            self.assertEqual([(one["name"], one["type"]) for one in report["hazards"]], [("race", kind)])
            report = self.of(f"beyond<{name}>", kind + "[8]:iota", kind + "[8]:zero", status=1)
            self.assertEqual([(one["name"], one["array"], one["index"]) for one in report["hazards"]], [("out-of-bounds", "out", 8)])
            report = self.of(f"unset<{name}>", kind + "[8]:zero", status=1)
            self.assertEqual([(one["name"], one["array"]) for one in report["hazards"]], [("uninitialised", "s")])

    def test_atomics_add_one_after_the_other(self):
        for kind, name in KINDS.items():
            report = self.of(f"add<{name}>", kind + "[8]:iota", kind + "[9]:zero", status=1)
            self.assertEqual([one["name"] for one in report["hazards"]], ["order-dependent"])
            values, out = [buffer["values"] for buffer in report["buffers"]]
            before = [0.0]
            for value in values:
                before.append(nearest(kind, before[-1] + value))
            self.assertEqual(sorted(out), sorted([before[-1]] + before[:-1]))
            values, out = self.values(f"beside<{name}>", kind + "[8]:iota", kind + "[8]:uninit")
            self.assertEqual(out, [sum(values[0::2]), sum(values[1::2])] * 4)
            report = self.of(f"pairs<{name}2>", kind + "[8]:iota", kind + "[2]:zero")
            self.assertIs(report["private"], True, report["not_private"])
            values, out = [buffer["values"] for buffer in report["buffers"]]
            self.assertEqual(out, [2 * sum(values[0::2]), 2 * sum(values[1::2])])

    def test_an_atomic_beside_a_plain_write_is_a_race(self):
        for kind, name in KINDS.items():
            report = self.of(f"half_atomic<{name}>", kind + "[8]:iota", kind + "[1]:zero", status=1)
            self.assertEqual([(one["name"], one["type"]) for one in report["hazards"]], [("race", kind)])

    def test_values_of_parameters_and_variables(self):
        for kind, name in KINDS.items():
            for spec, value in (("-1.5", -1.5), ("0.1", nearest(kind, 0.1)), (kind + ":3", 3.0), ("bits:0x4000", 2.0)):
                self.assertEqual(self.values(f"fill<{name}>", kind + "[8]:uninit", spec)[0], [value] * 8)
        self.assertEqual(self.values("fill<own>", "f16[8]:uninit", "f16:2.5")[0], [2.5] * 8)
        self.assertEqual(self.values("fill<own>", "bf16[8]:uninit", "bf16:-3")[0], [-3.0] * 8)
        self.assertEqual(self.values("fill<own>", "u16[8]:uninit", "0x003c")[0], [0x3c00] * 8)
        self.assertEqual(self.values("reverse", "bf16[8]:iota", "bf16[8]:uninit")[1], list(map(float, range(7, -1, -1))))
        report = self.report("scaled", "--arg", "f16[8]:iota", "--set", "scale=f16[2]:plus1", "--set", "one=f16:0.5", "--print", "0",
                             file="halves.cu", shape=SHAPE)
        self.assertEqual(report["buffers"][0]["values"], [i * (i % 2 + 1) + 0.5 for i in range(8)])

    def test_results_are_compared_with_what_is_expected(self):
        self.write("in", "0.1 0.2 0.3 0.4 0.5 0.6 0.7 0.8")
        for kind, name in KINDS.items():
            wanted = [nearest(kind, float(text)) for text in "0.1 0.2 0.3 0.4 0.5 0.6 0.7 0.8".split()]
            while len(wanted) > 1:
                wanted = [nearest(kind, a + b) for a, b in zip(wanted, wanted[len(wanted) // 2:])]
            run = (f"sum<{name}>", "--arg", kind + "[8]:@in", "--arg", kind + "[1]:uninit", "--expect", "1=@want")
            for value, status in ((wanted[0], 0), (wanted[0] + 0.25, 1)):
                self.write("want", repr(value))
                self.assertEqual(self.report(*run, file="halves.cu", shape=SHAPE, status=status)["judged"], True)

    def test_what_does_not_suit_is_refused(self):
        for kernel, arguments, words in (
                ("sum<half>", ("bf16[8]:iota", "f16[1]:zero"), "is a buffer of bf16, and parameter 0 ('in') points to f16: write f16[8]"),
                ("sum<half>", ("f32[8]:iota", "f16[1]:zero"), "is a buffer of f32, and parameter 0 ('in') points to f16: write f16[8]"),
                ("fill<unsigned short>", ("f16[8]:iota", "1"), "is a buffer of f16, and parameter 0 ('out') points to u16: write u16[8]"),
                ("fill<half>", ("f16[8]:iota", "65520"), "'65520' is out of the range of parameter 1 ('value'), of type f16"),
                ("fill<half>", ("f16[8]:iota", "bf16:1"), "'bf16:1' is a number of type bf16, and parameter 1 ('value') is f16"),
                ("fill<own>", ("f16[8]:iota", "f32:1"), "'f32:1' is a number of type f32, and parameter 1 ('value') is none of its size"),
                ("fill<own>", ("f16[8]:iota", "f16:x"), "'f16:x' is no number, and parameter 1 ('value') is of type f16")):
            with self.subTest(arguments):
                specs = [word for argument in arguments for word in ("--arg", argument)]
                self.assert_refused(self.check("--kernel", kernel, *specs, file="halves.cu", shape=SHAPE), words)

    def test_cast_to_an_integer_is_the_nearest_there_is(self):
        for kind, name in KINDS.items():
            self.write("casts.cu", "#include <cuda_fp16.h>\n#include <cuda_bf16.h>\n__global__ void k(const %s *x, long long *out)\n{\n"
                                   "    out[0] = (unsigned char)x[0], out[1] = (signed char)x[0], out[2] = (unsigned)x[1];\n"
                                   "    out[3] = (short)x[2], out[4] = (int)x[2], out[5] = (long long)x[2], out[6] = (bool)x[3];\n"
                                   "    out[7] = (bool)x[1] && x[0] && (unsigned char)x[3] == 0 && (int)x[4] == -2;\n}\n" % name)
            self.write("in", "300 -1 inf -0 -2.75")
            self.write("want", f"255 127 0 32767 {2 ** 31 - 1} {2 ** 63 - 1} 0 1")
            report = self.report("k", "--arg", kind + "[5]:@in", "--arg", "i64[8]:uninit", "--expect", "1=@want", file="casts.cu", shape=("--grid", "1", "--block", "1"), status=0)
            self.assertEqual((report["judged"], report["hazards"]), (True, []))

    def test_shared_array_of_a_class_with_a_constructor_is_no_read(self):
        self.write("class.cu", "struct mine { unsigned short bits; mine() = default; __device__ mine(float x) : bits((unsigned short)x) {} };\n"
                               "__global__ void k(mine *out) { __shared__ mine s[8]; s[threadIdx.x] = mine(2); out[threadIdx.x] = s[threadIdx.x]; }\n")
        done = self.check("--kernel", "k", "--arg", "u16[8]:uninit", "--json", file="class.cu", shape=SHAPE)
        self.assert_status(done, 0)
        self.assertEqual(json.loads(done.stdout)["hazards"], [])


if __name__ == "__main__":
    unittest.main()
