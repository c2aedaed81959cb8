#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Arguments of `reductio check`: structs by their members, pointers into buffers, fills; and lists of kernels.

usage: test_check_arguments.py REDUCTIO [unittest's arguments]"""

import json
import os
import re
import shlex
import shutil
import unittest

from check_case import BINARY, HERE, CheckTest


class ShapesTest(CheckTest):
    def setUp(self):
        super().setUp()
        shutil.copy(os.path.join(HERE, "check", "shapes.cu"), self.folder)

    def run_shape(self, *arguments, shape=("--grid", "1", "--block", "8"), **more):
        return self.check(*arguments, "--private", "off", file="shapes.cu", shape=shape, **more)


class StructTest(ShapesTest):
    def scale(self, *specs):
        return self.run_shape("--kernel", "scale", *[word for spec in specs for word in ("--arg", spec)], "--print", "all")

    def test_members_have_names_or_places(self):
        done = self.scale("p={n=8, x=f32[8]:iota, v={1,0.5}, m={3,4}}", "f32[8]:zero")
        self.assert_status(done, 0)
        self.assertTrue(done.stdout.endswith("\np.x: 0 1 2 3 4 5 6 7\nout: 5.5 6.5 7.5 8.5 9.5 10.5 11.5 12.5\n"), done.stdout)
        done = self.scale("{8, buf, v.b=2, m[1]=-1}", "buf=f32[8]:iota")
        self.assert_status(done, 0)
        self.assertTrue(done.stdout.endswith("\nbuf: 1 2 3 4 5 6 7 8\n"), done.stdout)
        self.assertIn("race", self.scale("{8, buf+1}", "buf=f32[9]:iota").stdout)

    def test_types_of_members_are_held_to(self):
        self.assert_refused(self.scale("{8, f64[9]:iota}", "f32[8]:zero"), "'f64[9]:iota' is a buffer of f64, and member 'p.x' points to f32")
        self.assert_refused(self.scale("{8, buf+1}", "buf=f64[9]:iota"), "'buf+1' is a buffer of f64, and member 'p.x' points to f32")

    def test_what_is_not_given_is_zero(self):
        done = self.scale("{n=8, x=f32[8]:iota}", "f32[8]:uninit")
        self.assertTrue(done.stdout.endswith("\nout: 0 1 2 3 4 5 6 7\n"), done.stdout)

    def test_buffer_of_a_member_has_its_bounds(self):
        done = self.scale("p={n=8, x=f32[4]:iota}", "f32[8]:zero")
        self.assert_status(done, 1)
        self.assertRegex(done.stdout, r"out-of-bounds: thread 4 of block 0 reads p\.x\[4\],\s+and\s+it\s+has\s+4")

    def test_what_is_no_member_is_refused(self):
        for spec, words in {
                "{n=8, q=1}": "'q' is no member of parameter 0 ('p'), which has n, x, v.a, v.b, m[0], m[1], field",
                "{n=8, n=9}": "'n' of parameter 0 ('p') is given twice",
                "{n=1.5}": "'1.5' is no whole number, and member 'p.n' is of type i32",
                "{x=8}": "'8' is no buffer, and member 'p.x' is a pointer",
                "{field=1}": "'field' of parameter 0 ('p') is a bit field: write the struct's bytes in hex",
                "{n={1}}": "'{1}' is a struct, and 'n' of parameter 0 ('p') is none",
                "{1,buf,1,1,1,1,1}": "bit field",
                "{n=8": "'{n=8' is no struct: write {MEMBER=SPEC, ...}"}.items():
            with self.subTest(spec):
                self.assert_refused(self.scale(spec, "buf=f32[8]:zero"), words)
        self.assert_refused(self.run_shape("--kernel", "add", "--arg", "i32[1]:zero", "--arg", "{1}", "--arg", "i32[1]:zero"),
                            "'{1}' is a struct, and parameter 1 ('n') is none")


class BufferTest(ShapesTest):
    def shift(self, *specs, block="7"):
        return self.run_shape("--kernel", "shift", *[word for spec in specs for word in ("--arg", spec)], "--print", "0",
                              shape=("--grid", "1", "--block", block))

    def test_pointer_into_a_buffer_is_that_buffer(self):
        done = self.shift("x=i32[16]:iota", "x+8", "8", block="8")
        self.assert_status(done, 0)
        self.assertTrue(done.stdout.endswith("\n0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7\n"), done.stdout)

    def test_overlap_is_seen(self):
        done = self.shift("x=i32[8]:iota", "x+1", "7")
        self.assert_status(done, 1)
        self.assertIn("race: read-write", done.stdout)
        done = self.shift("x=i32[8]:iota", "x", "8", block="8")
        self.assert_status(done, 0)

    def test_bounds_are_those_of_the_buffer(self):
        done = self.shift("x=i32[8]:iota", "x+2", "7")
        self.assertRegex(done.stdout, r"writes x\[8\],\s+and\s+it\s+has\s+8")

    def test_findings_have_the_names_that_were_given(self):
        shape = ("--kernel", "shift", "--arg", "b=i32[8]:iota", "--arg", "i32[8]:zero", "--arg", "9", "--print", "all")
        done = self.run_shape(*shape, shape=("--grid", "1", "--block", "9"))
        self.assert_status(done, 1)
        self.assertRegex(done.stdout, r"reads b\[8\],\s+and\s+it\s+has\s+8")
        self.assertRegex(done.stdout, r"writes parameter 1\[8\],\s+and\s+it\s+has\s+8")
        self.assertTrue(done.stdout.endswith("\nb: 0 1 2 3 4 5 6 7\nparameter 1: 0 1 2 3 4 5 6 7\n"), done.stdout)

    def test_what_leads_nowhere_is_refused(self):
        for spec, words in {"x+9": "'x+9' leads out of 'x', which has 8 elements",
                            "x-1": "'x-1' leads out of 'x'",
                            "y": "'y' is no buffer, and parameter 1 ('b') is a pointer"}.items():
            self.assert_refused(self.shift("x=i32[8]:iota", spec, "7"), words)
        self.assert_refused(self.shift("x=i32[8]:iota", "x=i32[8]:iota", "7"), "two buffers have the name 'x'")

    def test_fills(self):
        for fill, floats, ints in (("plus-2", "-2 -1 0 1", "-2 -1 0 1"), ("alternate", "0 -1 2 -3", "0 -1 2 -3"),
                                   ("all-7", "-7 -7 -7 -7", "-7 -7 -7 -7"), ("witness", "1 2 4 8", "1 2 4 8")):
            done = self.run_shape("--kernel", "show", "--arg", "f32[2*2]:" + fill, "--arg", "i32[(1+3)]:" + fill,
                                  "--print", "all")
            self.assertTrue(done.stdout.endswith(f"\na: {floats}\nb: {ints}\n"), done.stdout)
        self.assert_refused(self.shift("i32[32]:witness", "i32[32]:zero", "7"), "at most 31")
        self.assert_refused(self.shift("i32[4/0]:zero", "i32[32]:zero", "7"), "'4/0' divides by 0")
        self.assert_refused(self.shift("i32[4]:all", "i32[32]:zero", "7"), "has the fill 'all'")
        self.assert_refused(self.shift("i32[4]:all1.5", "i32[32]:zero", "7"), "has the fill 'all1.5'")


class ListTest(ShapesTest):
    def list(self, *arguments, file="shapes.cu"):
        return self.check(*arguments, file=file, shape=())

    def test_kernels_have_commands_that_run(self):
        done = self.list()
        self.assert_status(done, 0)
        self.assertTrue(done.stdout.startswith("shapes.cu: 13 kernels\n"), done.stdout)
        self.assertIn("\nfold(float *A, int w), line 66\n"
                      "    reductio check shapes.cu --kernel fold --grid 4 --block 256 --arg f32[1024]:zero --arg 1024\n", done.stdout)
        self.assertIn("\nn::first<double, 64>(const T *in, T *out, int count), line ", done.stdout)
        self.assertIn("--kernel 'n::first<double, 64>' --grid 1 --block 64 --arg f64[1024]:random:1 ", done.stdout)
        self.assertIn("\nn::never<float>(T *a), line ", done.stdout)
        self.assertRegex(done.stdout, r"\nn::none<float>\(.*\n    its parameters are unknown here")
        lines = [int(line) for line in re.findall(r", line (\d+)$", done.stdout, re.M)]
        self.assertEqual(lines, sorted(lines), done.stdout)
        for line in done.stdout.splitlines():
            if line.startswith("    reductio check shapes.cu --kernel scale") or "first<double" in line and "reductio" in line:
                words = shlex.split(line)
                again = self.check(*words[3:], "--private", "off", file=words[2], shape=())
                self.assertIn(again.returncode, (0, 1), again.stderr)

    def test_commands_have_the_launches_that_the_file_makes(self):
        self.write("launched.cu", """#define THREADS 128
enum { TILE = 16 };
__global__ void derived(float *x) { x[threadIdx.x] = 1; }
__global__ void single(float *x) { x[0] = 1; }
__global__ void tiled(float *x) { extern __shared__ float s[]; x[threadIdx.y] = s[0]; }
__global__ void deep(float *x) { x[(threadIdx.z * 16 + threadIdx.y) * 16 + threadIdx.x] = 1; }
__global__ void wide(float *x) { x[threadIdx.x] = 1; }
__global__ void huge(float *x) { x[threadIdx.x] = 1; }
template <int S> __global__ void made(float *x) { x[threadIdx.x] = S; }
__global__ void varied(float *x) { x[threadIdx.x] = 1; }
void go(float *x, int n)
{
    const dim3 block(TILE, TILE), grid = dim3(2, 3);
    int blocks = (n + THREADS - 1) / THREADS, threads = 32;
    derived<<<blocks, THREADS>>>(x);
    single<<<1, 1>>>(x);
    tiled<<<grid, block, TILE * TILE * 4>>>(x);
    deep<<<dim3(2, 2, 2), dim3(8, 8, 4)>>>(x);
    wide<<<1024, dim3(32, 2)>>>(x);
    huge<<<1, dim3(65536, 65536)>>>(x);
    made<3><<<4, threads * 2>>>(x);
    for (int t = 1; t < 8; t *= 2)
        varied<<<1, t>>>(x);
}
""")
        done = self.list(file="launched.cu")
        self.assert_status(done, 0)
        for kernel, shape in (("derived", "--grid 8 --block 128 --arg f32[1024]"), ("single", "--grid 1 --block 1 "),
                              ("tiled", "--grid 2,3 --block 16,16 --shared 1024 --arg f32[2304]"),
                              ("deep", "--grid 2,2,2 --block 8,8,4 --arg f32[4096]"), ("wide", "--grid 4 --block 256 "),
                              ("huge", "--grid 4 --block 256 "), ("'made<3>'", "--grid 4 --block 64 "), ("varied", "--grid 4 --block 256 ")):
            self.assertIn(f" --kernel {kernel} {shape}", done.stdout)

    def test_json_has_them(self):
        done = self.list("--json", "-DNDEBUG")
        self.assert_status(done, 0)
        kernels = {one["kernel"]: one for one in json.loads(done.stdout)["kernels"]}
        self.assertEqual([one["name"] for one in kernels["add"]["parameters"]], ["a", "n", "out"])
        self.assertTrue(kernels["n::never<float>"]["template"])
        self.assertIsNone(kernels["n::none<float>"]["command"])
        self.assertTrue(kernels["add"]["command"].endswith(" -DNDEBUG"))

    def test_file_without_kernels_is_refused(self):
        self.write("empty.cu", "int x;\n")
        self.assert_refused(self.list(file="empty.cu"), "'empty.cu' has no kernels")
        self.write("bad.cu", "int x\n")
        done = self.list(file="bad.cu")
        self.assert_status(done, 2)
        self.assertIn("bad.cu:1", done.stderr)


assert BINARY

if __name__ == "__main__":
    unittest.main()
