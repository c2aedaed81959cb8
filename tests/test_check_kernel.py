#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""From a file to a launched kernel: its name, its parameters, the compiler, the
limits of a launch and of the heap.

usage: test_check_kernel.py REDUCTIO [unittest's arguments]"""

import json
import os
import shutil
import unittest

from check_case import CheckTest, HAS_LINES


class KernelTest(CheckTest):
    def value(self, kernel, spec):
        done = self.run_kernel(kernel, "--arg", spec, "--print", "0")
        self.assert_status(done, 0)
        return done.stdout.splitlines()[-1]

    def test_overloads_and_templates_are_named_by_their_parameters(self):
        self.assertEqual(self.value("over(int*)", "i32[1]:zero"), "1")
        self.assertEqual(self.value("over(float *)", "f32[1]:zero"), "2")
        self.assertEqual(self.value("made<double>", "f64[1]:zero"), "3")
        self.assertEqual(self.value("made(short*)", "i16[1]:zero"), "3")
        self.assertEqual(self.value("inner::nested", "i32[1]:zero"), "4")

    def test_all_kinds_of_parameters_are_taken(self):
        done = self.run_kernel(
            "all_kinds", "--arg", "-3", "--arg", "true", "--arg", "65535", "--arg", "-5000000000", "--arg",
            "1e300", "--arg", "0x0000003f02000000", "--arg", "0x0000803f" + "00000000" * 2 + "00000040",
            "--arg", "f64[7]:uninit", "--print", "7")
        self.assert_status(done, 0)
        self.assertEqual(done.stdout.splitlines()[-1], "-3 1 65535 -5000000000 1e+300 2.5 3")

    def test_missing_kernel_lists_those_there_are(self):
        done = self.run_kernel("nonesuch")
        self.assert_refused(done, "'nonesuch' is not in 'kernels.cu', which has the kernels ", "fill, ",
                            "inner::nested")
        self.assertEqual(len(done.stderr.splitlines()), 1)
        self.assertEqual(done.stderr.count("over"), 1)

    def test_name_that_is_not_enough_says_what_is(self):
        for kernel, words in {
                "over": "'over' is the name of several kernels: give its parameters, too: over(int*), over(float*)",
                "over(char*)": "'over(char*)' is not in 'kernels.cu', which has over(int*), over(float*)",
                "made": "'made' is a template, or no kernel: of a template give the arguments, 'made<float>'",
        }.items():
            with self.subTest(kernel):
                done = self.run_kernel(kernel, "--arg", "i32[1]:zero")
                self.assert_refused(done, words)
                self.assertEqual(len(done.stderr.splitlines()), 1)

    def test_name_that_the_c_library_has_too_is_the_kernel(self):
        self.write("names.cu", """
            __global__ void fadd(const float *a, float *out) { out[0] = a[0] + 1; }
            __global__ void index(int *out) { extern __shared__ int s[]; s[threadIdx.x] = 1; out[0] = s[0]; }
            """)
        done = self.check("--kernel", "fadd", "--arg", "f32[1]:one", "--arg", "f32[1]:zero", "--print", "1",
                          file="names.cu")
        self.assert_status(done, 0)
        self.assertEqual(done.stdout.splitlines()[-1], "2")
        done = self.check("--kernel", "index", "--arg", "i32[1]:zero", file="names.cu")
        self.assert_status(done, 1)
        self.assertIn("s[0] (shared), and the launch gives it no memory", " ".join(done.stdout.split()))
        self.assertIn("--shared", done.stdout)

    def test_algorithms_of_thrust_run_in_the_thread_that_calls_them(self):
        self.write("thrust.cu", """
            #include <thrust/execution_policy.h>
            #include <thrust/reduce.h>
            #include <thrust/sort.h>
            __global__ void k(int *a, int *sum)
            {
                thrust::sort(thrust::seq, a, a + 4);
                sum[0] = thrust::reduce(thrust::seq, a, a + 4);
            }
            """)
        self.write("values", "4 1 3 2")
        done = self.check("--kernel", "k", "--arg", "i32[4]:@values", "--arg", "i32[1]:zero", "--print", "all", file="thrust.cu")
        self.assert_status(done, 0)
        self.assertEqual([line.split(": ")[-1] for line in done.stdout.splitlines()[-2:]], ["1 2 3 4", "10"])

    def test_shared_memory_that_the_launch_does_not_give_is_told_once_and_by_name(self):
        fold = """
            %s
            extern __shared__ float tile[];
            tile[threadIdx.x] = p[threadIdx.x];
            __syncthreads();
            for (int s = 16; s > 0; s /= 2) {
                if (threadIdx.x < s)
                    tile[threadIdx.x] += tile[threadIdx.x + s];
                __syncthreads();
            }
            p[0] = tile[0];
        """
        self.write("missing.cu", """
            __global__ void fold(float *p)
            {%s}
            __global__ void both(float *p)
            {%s own[threadIdx.x] = 0; own[40 + threadIdx.x] = 0; }
            """ % (fold % "", fold % "__shared__ int own[32];"))
        more = ("--arg", "f32[32]:iota")
        for kernel, counts in (("fold", {"out-of-bounds": 1}), ("both", {"out-of-bounds": 2})):
            with self.subTest(kernel):
                report = json.loads(self.check("--kernel", kernel, *more, "--json", file="missing.cu",
                                               shape=("--grid", "1", "--block", "32")).stdout)
                self.assertEqual({**report["counts"], "race": 0}, {**counts, "race": 0})
                missing = [h for h in report["hazards"] if h.get("array") == "tile"]
                self.assertEqual(len(missing), 1)
                self.assertNotIn("pairs", missing[0])
                self.assertRegex(missing[0]["message"], r"tile\[0\] \(shared\) at missing.cu:\d+:\d+, and the launch "
                                                        r"gives it no memory; \d+ times\. .*--shared")
        report = json.loads(self.check("--kernel", "fold", *more, "--json", "--shared", "128", file="missing.cu",
                                       shape=("--grid", "1", "--block", "32")).stdout)
        self.assertNotIn("out-of-bounds", report["counts"])

    def test_template_that_cant_be_made_shows_why(self):
        done = self.run_kernel("made<nonesuch>", "--arg", "i32[1]:zero")
        self.assert_refused(done, "'made<nonesuch>' can't be made of what 'kernels.cu' declares")
        self.assertRegex(done.stderr, "error: .*nonesuch")

    def test_file_without_kernels_says_so(self):
        self.write("none.cu", "int x;\n")
        self.assert_refused(self.check("--kernel", "k", file="none.cu"),
                            "'k' is not in 'none.cu', which has no kernels, unless they are templates")

    # bytes, signed for unsigned, an enumeration, a struct, any, a boolean, a pointer
    POINTERS = [word for spec in ("u8", "i64", "i8", "f32", "f64", "u8", "u64")
                for word in ("--arg", spec + "[1]:zero")]

    def test_buffers_that_suit_the_pointers_are_taken(self):
        self.assert_status(self.run_kernel("all_pointers", *self.POINTERS), 0)

    def test_arguments_must_suit_the_kernel(self):
        for arguments, words in (
                (["fill", "--arg", "i32[1]:zero"], "'fill' has 2 parameters, and there is 1 --arg"),
                (["nothing", "--arg", "1", "--arg", "2"], "'nothing' has 0 parameters, and there are 2 --arg"),
                (["over(int*)"], "'over(int*)' has 1 parameter, and there are 0 --arg"),
                (["fill", "--arg", "1", "--arg", "1"], "'1' is no buffer, and parameter 0 ('a') is a pointer"),
                (["fill", "--arg", "u8[4]:zero", "--arg", "1"], "is a buffer of u8, and parameter 0"),
                (["fill", "--arg", "f32[4]:zero", "--arg", "1"], "points to i32: write i32[4]"),
                (["halves", "--arg", "i32[4]:zero"], "points to f32: write f32[4]"),
                (["all_pointers", *self.POINTERS[:2], "--arg", "f32[1]:zero", *self.POINTERS[4:]],
                 "parameter 1 ('sizes') points to u64: write u64[1]"),
                (["all_pointers", *self.POINTERS[:-2], "--arg", "f64[1]:zero"],
                 "points to pointers, which are u64: write u64[1]"),
                (["fill", "--arg", "i32[4]:zero", "--arg", "i32[4]:zero"], "is a buffer, and parameter 1"),
                (["fill", "--arg", "i32[4]:zero", "--arg", "2147483648"], "is out of the range of parameter 1 ('value')"),
                (["fill", "--arg", "i32[4]:zero", "--arg", "x"], "'x' is no whole number"),
                (["all_kinds", "--arg", "1", "--arg", "2", *["--arg", "1"] * 6], "parameter 1 ('b'), a bool"),
                (["all_kinds", *["--arg", "1"] * 8], "parameter 5 ('p'), a struct of 8 bytes")):
            with self.subTest(arguments):
                self.assert_refused(self.run_kernel(*arguments), words)

    def test_parameters_have_one_number_everywhere(self):
        """--print, --expect and "argument" in --json count alike: the first is 0."""
        for number, specs in ((0, ("f32[4]:zero", "1")), (1, ("i32[4]:zero", "x"))):
            arguments = [word for spec in specs for word in ("--arg", spec)]
            self.assert_refused(self.run_kernel("fill", *arguments), "parameter %d" % number)
        report = self.report("fill", "--arg", "i32[4]:zero", "--arg", "7", "--print", "0", shape=("--grid", "1", "--block", "4"))
        self.assertEqual(report["buffers"][0]["argument"], 0)


class CompilerTest(CheckTest):
    def script(self, text):
        name = self.write("compiler", "#!/bin/sh\n" + text)
        os.chmod(os.path.join(self.folder, name), 0o700)
        return os.path.join(self.folder, name)

    # Answers the question for its macros as a compiler, and then does as told.
    PRETENCE = 'for word; do [ "$word" = -dM ] && exit 0; last=$word; done\n'

    def test_no_compiler_is_an_error(self):
        self.assert_refused(self.run_kernel("nothing", CXX="nonesuch-cxx"),
                            "no C++ compiler: 'nonesuch-cxx'", "install one (apt-get install g++) or set CXX")
        self.assert_refused(self.run_kernel("nothing", CXX=self.script("exit 127\n")), "no C++ compiler: ")
        self.assert_refused(self.run_kernel("nothing", CXX="false"), "'false' is no C++ compiler: set CXX")
        self.assert_refused(self.run_kernel("nothing", CXX=self.script("kill -9 $$\n")),
                            "was ended by signal 9 (Killed)")

    def test_default_that_is_missing_is_an_error(self):
        self.assert_refused(self.run_kernel("nothing", CXX="", PATH="/nonexistent"), "no C++ compiler: 'g++'")

    def test_default_is_what_there_is(self):
        for name in ("", "  ", "g++"):
            self.assert_status(self.run_kernel("nothing", CXX=name), 0)

    def test_what_the_compiler_leaves_must_be_of_use(self):
        gcc = shutil.which("gcc") or shutil.which("cc")
        link = ('for word; do [ "$before" = -o ] && out=$word; before=$word; done\n'
                '[ "$1" = -shared ] && { echo \'%s\' | ' + gcc + ' -shared -fPIC -x c - -o "$out"; exit; }\n')
        kernel = "unsigned rd_check_describe() { return 0; } void rd_check_thread() {}"
        for text, words in {
                "exit 0\n": "unit.o' is no object file of this machine",
                'echo text > "$last"\n': "unit.o' is no object file of this machine",
                '[ "$1" = -shared ] && { echo linker says no; exit 1; }\nexec g++ "$@"\n':
                    "the compiler refuses the file; its errors are above",
                '[ "$1" = -shared ] && exit 0\nexec g++ "$@"\n': "the compiled file can't be loaded: ",
                link % "int x;" + 'exec g++ "$@"\n': "the compiled file has no kernel",
                link % kernel + 'exec g++ "$@"\n': "the compiled file has no shared memory"}.items():
            with self.subTest(words):
                self.assert_refused(self.run_kernel("nothing", CXX=self.script(self.PRETENCE + text)), words)

    def test_scan_of_a_whole_block_is_refused_in_a_sentence(self):
        self.write("scan.cu", "#include <cooperative_groups/scan.h>\nnamespace cg = cooperative_groups;\n"
                   "__global__ void k(int *a) { a[threadIdx.x] = cg::inclusive_scan(cg::this_thread_block(), 1); }\n")
        done = self.check("--kernel", "k", file="scan.cu")
        self.assert_refused(done, "the compiler refuses the file; its errors are above")
        self.assertRegex(done.stderr, r"error: static assertion failed.*CUDA scans tiles and coalesced groups")

    def test_own_errors_of_the_file_are_passed_on(self):
        self.write("bad.cu", "\n__global__ void k() { undeclared(); }\n")
        done = self.check("--kernel", "k", file="bad.cu")
        self.assert_refused(done, "the compiler refuses the file; its errors are above")
        self.assertRegex(done.stderr, r"(?m)^bad\.cu:2:23: error: ")
        self.assertNotIn("rd_", done.stderr.splitlines()[1])

    def test_undefined_function_is_told(self):
        self.write("undefined.cu", "__device__ int elsewhere();\n__global__ void k(int *a) { a[0] = elsewhere(); }\n")
        self.assert_refused(self.check("--kernel", "k", "--arg", "i32[1]:zero", file="undefined.cu"),
                            "Reductio does not simulate elsewhere(), which no file that was given defines (line 2)")

    def test_file_that_cant_be_read_is_an_error(self):
        self.write("nul.cu", b"__global__ void k() {}\0\n")
        for name, words in {"missing.cu": "'missing.cu' can't be read: No such file",
                            ".": "'.' is a folder: give a source file",
                            "nul.cu": "'nul.cu' has a NUL byte, so it is no source file"}.items():
            self.assert_refused(self.check("--kernel", "k", file=name), words)

    def test_name_of_the_file_may_have_any_letters(self):
        name = 'a "b" \\ c.cu'
        self.write(name, "__global__ void k(int *a) { a[1] = 1; }\n")
        done = self.check("--kernel", "k", "--arg", "i32[1]:zero", file=name)
        self.assert_status(done, 1)
        if HAS_LINES:
            self.assertIn(name + ":1:", done.stdout)

    def test_options_reach_the_compiler(self):
        os.mkdir(os.path.join(self.folder, "include"))
        self.write("include/value.h", "#define VALUE 5\n")
        self.write("options.cu", "#include <value.h>\n__global__ void k(int *a) "
                   "{ a[0] = VALUE + MORE + (__cplusplus > 201703L); }\n")
        for standard, value in {"-std=gnu++20": "16", "--std=c++14": "15", "-std=c++11": "15", "": "15"}.items():
            done = self.check("--kernel", "k", "-DMORE=10", "-I", "include", *standard.split(), "--arg",
                              "i32[1]:zero", "--print", "0", file="options.cu", CXX="g++ -O1")
            self.assert_status(done, 0)
            self.assertEqual(done.stdout.splitlines()[-1], value)
        done = self.run_kernel("nothing", "-std=nonesuch")
        self.assert_refused(done, "the compiler refuses the file")
        self.assertIn("-std=nonesuch", done.stderr)

    @unittest.skipUnless(shutil.which("clang++"), "no clang++")
    def test_clang_will_do(self):
        hazard = self.report("tile", "--block", "2", "--arg", "i32[2]:zero", status=1,
                             CXX="clang++")["hazards"][0]
        self.assertEqual((hazard["name"], hazard["array"]), ("race", "cells"))
        if HAS_LINES:
            self.assertEqual((hazard["type"], hazard["index"]), ("f32", 67))
            self.assertEqual(hazard["places"][0]["file"], "kernels.cu")
        self.assert_refused(self.run_kernel("nonesuch", CXX="clang++"), "which has the kernels fill")

    def test_folder_for_temporary_files_must_be_there(self):
        self.assert_refused(self.run_kernel("nothing", TMPDIR="/nonexistent"),
                            "no folder can be made in '/nonexistent': No such file", "set TMPDIR")
        self.assert_refused(self.run_kernel("nothing", TMPDIR="/" + "x" * 300), "is too long for a folder")


class LaunchTest(CheckTest):
    def test_launch_that_a_device_would_refuse_is_a_hazard(self):
        for arguments, words in (
                (["--block", "0"], "a block of 0 x 1 x 1 threads"),
                (["--block", "1025"], "a block of 1025 x 1 x 1 threads"),
                (["--block", "1,1,65"], "at most 64 in z"),
                (["--block", "32,32,2"], "a block of 32 x 32 x 2 threads"),
                (["--grid", "0"], "a grid of 0 x 1 x 1 blocks"),
                (["--grid", "2147483648"], "a grid of 2147483648 x 1 x 1 blocks"),
                (["--grid", "1,65536"], "a grid of 1 x 65536 x 1 blocks"),
                (["--shared", "232449"], "cudaErrorInvalidValue: 232449 bytes of dynamic shared")):
            with self.subTest(arguments):
                done = self.run_kernel("nothing", *arguments, "--one-line", CXX="false")
                self.assert_status(done, 1)
                self.assertRegex(done.stdout, r"\Aillegal-launch: cudaErrorInvalid")
                self.assertIn(words, done.stdout)
                self.assertTrue(done.stdout.endswith("nothing: 1 hazard in 0 threads: illegal-launch 1\n"))

    def test_buffers_beyond_the_machine_are_refused(self):
        self.assert_refused(self.run_kernel("nothing", *["--arg", "f64[8589934592]:zero"] * 64, CXX="false"),
                            "the buffers take 4096.0 GiB", "this machine has")


class HeapTest(CheckTest):
    def got(self, kernel, *arguments):
        done = self.run_kernel(kernel, "--arg", "i32[1]:zero", "--print", "0", *arguments)
        self.assert_status(done, 0)
        return done.stdout.splitlines()[-1]

    def test_malloc_takes_what_the_heap_has(self):
        self.assertEqual(self.got("allocates"), "1")
        self.assertEqual(self.got("allocates", "--heap", "1M"), "1")
        self.assertEqual(self.got("allocates", "--heap", "1048575"), "0")

    def test_the_smallest_heap_can_be_used_to_its_end_again_and_again(self):
        self.assertEqual(self.got("takes_all", "--heap", "16"), "3")


if __name__ == "__main__":
    unittest.main()
