#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What of CUDA compiles and means what CUDA says: headers of the user's, narrow floats, textures, functions that are not there.
tests/coverage/numbers.txt, and the lines of textures.txt on arrays of two dimensions, are what an H100 has printed.

usage: test_check_coverage.py REDUCTIO [unittest's arguments]"""

import os
import subprocess
import sys
import unittest

from check_case import BINARY, HERE, CheckTest
from patience import WAIT_S
from short_run import OneOfSome


def printed(done):
    """Lines that a program has printed: an empty one and the last one are Reductio's."""
    lines = done.stdout.splitlines()[:-1]
    return lines[:-1] if lines and not lines[-1] else lines


class CoverageTest(OneOfSome, CheckTest):
    def run_file(self, path, prefix=()):
        return subprocess.run([*prefix, BINARY, "run", path], cwd=self.folder, env=self.environment, capture_output=True,
                              text=True, timeout=WAIT_S)

    def assert_prints(self, text, *lines):
        self.write("whole.cu", text)
        done = self.run_file("whole.cu")
        self.assertEqual(printed(done), list(lines), done.stdout + done.stderr)
        return done

    def test_programs_print_what_a_gpu_has_printed(self):
        for name in ("numbers", "textures"):
            with self.subTest(name):
                done = self.run_file(os.path.join(HERE, "coverage", name + ".cu"))
                with open(os.path.join(HERE, "coverage", name + ".txt"), encoding="utf-8") as file:
                    self.assertEqual(printed(done), file.read().splitlines())

    def test_launch_in_a_header_runs(self):
        self.write("inner.cuh", "#pragma once\n__global__ void k(int *a) { a[threadIdx.x] += 1; }\n")
        self.write("outer.cuh", '#include "inner.cuh"\ninline void go(int *a) { k<<<1, 4>>>(a); }\n')
        self.assert_prints('#include "outer.cuh"\n#include "inner.cuh"\n#include <cstdio>\nint main()\n{\n'
                           "    int *a, b[4];\n    cudaMalloc(&a, 16);\n    cudaMemset(a, 0, 16);\n    go(a);\n"
                           "    cudaMemcpy(b, a, 16, cudaMemcpyDeviceToHost);\n    printf(\"%d\\n\", b[3]);\n"
                           "    cudaFree(a);\n}\n", "1")

    def test_function_that_is_not_there_is_told_only_where_it_is_called(self):
        text = ("#include <cstdio>\nvoid elsewhere(int);\nextern \"C\" int plain(void);\nint main(int argc, char **)\n{\n"
                "    if (argc > %d)\n        elsewhere(plain());\n    printf(\"done\\n\");\n}\n")
        self.assert_prints(text % 5, "done")
        self.write("whole.cu", text % 0)
        done = self.run_file("whole.cu")
        self.assertIn("Reductio does not simulate plain, which no file that was given defines (line 7)",
                      done.stdout + done.stderr)
        self.assertNotIn("done", done.stdout)

    def test_variable_that_is_not_there_is_told_only_where_it_is_accessed(self):
        text = ("#include <cstdio>\nextern int there[], other;\nextern const char *(*call)(int);\n"
                "static void *const fonts[] = {there, &other};\nint main(int argc, char **)\n{\n"
                "    if (fonts[0] == fonts[1] || !fonts[0])\n        return 1;\n"
                "    if (argc > %d)\n        %s;\n    printf(\"done\\n\");\n}\n")
        self.assert_prints(text % (5, "return there[1000000]"), "done")
        for code, name in (("return there[1000000]", "there"), ("other = 2", "other"), ('printf("%s", call(1))', "call")):
            self.write("whole.cu", text % (0, code))
            done = self.run_file("whole.cu")
            self.assertIn(f"Reductio does not simulate {name}, which no file that was given, and no library, defines (line 10)",
                          done.stdout + done.stderr)
            self.assertNotIn("done", done.stdout)
            self.assertNotIn("crash", done.stdout + done.stderr)

    def test_many_variables_that_are_not_there_take_few_addresses(self):
        names = [f"font{k}" for k in range(20)]
        self.write("whole.cu", "#include <cstdio>\nextern int %s[];\nint main(int argc, char **)\n{\n" % "[], ".join(names) +
                   "    void *fonts[] = {%s};\n    puts(fonts[argc] ? \"done\" : \"\");\n    return %s[argc];\n}\n" % (", ".join(names), names[7]))
        done = self.run_file("whole.cu", prefix=["bash", "-c", 'ulimit -v 4000000; exec "$0" "$@"'])
        self.assertIn("done\n", done.stdout, done.stderr)
        self.assertIn("Reductio does not simulate font7, which no file that was given, and no library, defines (line 7)", done.stdout)

    def test_variable_of_a_device_that_is_not_there_is_told_where_it_is_accessed(self):
        text = ("extern __device__ int there[];\n__global__ void k(int *a) { *a = %s; }\n"
                "int main()\n{\n    int *a, b = 1;\n    cudaMalloc(&a, 4);\n    %s;\n    k<<<1, 1>>>(a);\n"
                "    cudaDeviceSynchronize();\n    cudaFree(a);\n}\n")
        for value, code, line in (("there[3]", "", "line 2"), ("1", "cudaMemcpyToSymbol(there, &b, 4)", ""),
                                  ("1", "cudaGetSymbolAddress((void **)&a, there)", "")):
            self.write("whole.cu", text % (value, code))
            done = self.run_file("whole.cu")
            self.assertIn(f"Reductio does not simulate there, which no file that was given, and no library, defines ({line}",
                          done.stdout + done.stderr)
            self.assertNotIn("out of bounds", done.stdout + done.stderr)

    def test_thread_with_many_fetches_or_races_comes_to_its_end(self):
        text = ("#include <cstdio>\n__global__ void k(unsigned *a, cudaTextureObject_t t)\n{\n    for (int x = 0; x < 5000; x++)\n"
                "        %s;\n}\nint main()\n{\n    unsigned *a;\n    cudaMalloc(&a, 4096);\n    cudaMemset(a, 0, 4096);\n"
                "    cudaResourceDesc of = {};\n    of.resType = cudaResourceTypeLinear;\n    of.res.linear.devPtr = a;\n"
                "    of.res.linear.sizeInBytes = 4096;\n    of.res.linear.desc = cudaCreateChannelDesc<unsigned>();\n"
                "    cudaTextureDesc how = {};\n    cudaTextureObject_t t;\n    cudaCreateTextureObject(&t, &of, &how, nullptr);\n"
                "    k<<<1, 2>>>(a, t);\n    printf(\"%%s\\n\", cudaGetErrorString(cudaDeviceSynchronize()));\n"
                "    cudaDestroyTextureObject(t);\n    cudaFree(a);\n}\n")
        for code, hazard in (("a[threadIdx.x] += tex1Dfetch<unsigned>(t, 8 + x % 100)", None), ("a[0] = x", "race")):
            self.write("whole.cu", text % code)
            done = self.run_file("whole.cu")
            self.assertTrue(done.stdout.startswith("no error\n"), done.stdout)
            self.assertNotIn("no-termination", done.stdout)
            self.assertEqual("race" if "race" in done.stdout else None, hazard, done.stdout)

    def test_files_of_c_and_of_cuda_call_each_other(self):
        self.write("part.c", "void back(int n);\nstruct pair { int a, b; };\nint *there(int *restrict p, int n)\n{\n"
                   "    struct pair of = {n, 1};\n    *p = of.a;\n    back(n);\n    return p;\n}\n")
        self.write("whole.cu", "#include <cstdio>\nextern \"C\" int *there(int *, int);\n"
                   "__global__ void k(int n) { printf(\"%d\\n\", n); }\n"
                   "extern \"C\" void back(int n)\n{\n    k<<<1, 1>>>(n);\n    cudaDeviceSynchronize();\n}\n"
                   "int main()\n{\n    int n, *(*by)(int *, int) = there;\n    by(&n, 3);\n    printf(\"%d\\n\", *there(&n, 4));\n}\n")
        done = subprocess.run([BINARY, "run", "whole.cu", "part.c"], cwd=self.folder, env=self.environment, capture_output=True,
                              text=True, timeout=WAIT_S)
        self.assertEqual(printed(done), ["3", "4", "4"], done.stdout + done.stderr)

    def test_header_that_is_nowhere_is_said_in_one_sentence(self):
        sentence = "whole.cu:1 includes 'nowhere.h', which is nowhere: give the folder that has it, -I FOLDER"
        for text in ("", "NOWHERE_Handle handle;\n"):  # also where the file could do without it, and where other errors would follow
            self.write("whole.cu", "#include <nowhere.h>\n" + text + "int main() { return 0; }\n")
            done = self.run_file("whole.cu")
            self.assertEqual((done.returncode, done.stdout, done.stderr), (2, "", "reductio: " + sentence + "\n"))
        self.write("whole.cu", "#ifdef _WIN32\n#include <nowhere.h>\n#endif\nint main() { return 0; }\n")
        self.assertEqual(self.run_file("whole.cu").returncode, 3)

    def test_shared_variable_is_aligned_by_alignas(self):
        self.assert_prints("#include <cstdio>\n__global__ void k(int *a)\n{\n"
                           "    __shared__ alignas(64) float s[4];\n    a[0] = (int)((unsigned long long)s % 64);\n}\n"
                           "int main()\n{\n    int *a, b = 7;\n    cudaMalloc(&a, 4);\n    k<<<1, 1>>>(a);\n"
                           "    cudaMemcpy(&b, a, 4, cudaMemcpyDeviceToHost);\n    printf(\"%d\\n\", b);\n"
                           "    cudaFree(a);\n}\n", "0")

    def test_what_textures_and_surfaces_access_is_looked_at(self):
        text = ("__global__ void get(cudaTextureObject_t t, float *a)\n{\n    a[0] = tex2D<float>(t, 1.5f, 1.5f);\n}\n"
                "__global__ void set(cudaSurfaceObject_t s)\n{\n    surf2Dwrite(1.0f, s, 4 * threadIdx.x, 0);\n}\n"
                "int main()\n{\n    float *a;\n    cudaArray_t array;\n"
                "    cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();\n"
                "    cudaMallocArray(&array, &format, 4, 4, cudaArraySurfaceLoadStore);\n    cudaMalloc(&a, 4);\n"
                "    cudaResourceDesc what = {};\n    cudaTextureDesc how = {};\n    cudaTextureObject_t t;\n"
                "    cudaSurfaceObject_t s;\n    what.resType = cudaResourceTypeArray;\n    what.res.array.array = array;\n"
                "    cudaCreateTextureObject(&t, &what, &how, NULL);\n    cudaCreateSurfaceObject(&s, &what);\n"
                "    %s;\n    cudaFree(a);\n    cudaFreeArray(array);\n    cudaDestroyTextureObject(t);\n}\n")
        for call, word in (("get<<<1, 1>>>(t, a)", "whole.cu:3"), ("set<<<1, 5>>>(s)", "whole.cu:7")):
            with self.subTest(call):
                self.write("whole.cu", text % call)
                done = self.run_file("whole.cu")
                self.assertEqual(done.returncode, 1, done.stdout)
                self.assertIn(word, done.stdout)
        self.write("whole.cu", text % "set<<<1, 4>>>(s)")
        done = self.run_file("whole.cu")
        self.assertIn("0 hazards", done.stdout)

    def test_rarer_names_mean_what_cuda_says(self):
        whole = (  # by hand, of the bytes and halves; of the functions, the values of tables
            ("__vadd4(0x01ff80ffu, 0x01017f01u)", "200ff00"), ("__vaddss4(0x7f80017fu, 0x01ff0201u)", "7f80037f"),
            ("__vsubus2(0x00050003u, 0x00020004u)", "30000"), ("__vabsdiffu4(0x10ff0005u, 0x20010007u)", "10fe0002"),
            ("__vcmpgts4(0x01ff7f80u, 0x000000ffu)", "ff00ff00"), ("__vsetltu2(0x00010002u, 0x00020001u)", "10000"),
            ("__vsadu4(0x10ff0005u, 0x20010007u)", "110"), ("__vavgs2(0xfffd0003u, 0u)", "fffe0002"),
            ("__vnegss2(0x80000001u)", "7fffffff"), ("__vmaxs4(0x80017f00u, 0x00ff0001u)", "17f01"),
            ("(unsigned)__dp4a((int)0xff020304, 0x02010101, 10)", "11"), ("__dp4a(0xff000001u, 0x02000001u, 0u)", "1ff"),
            ("(unsigned)__dp2a_hi(0x00030002, 0x04050607, 1)", "17"), ("__fns(0x29u, 0, 2)", "3"),
            ("__fns(0x29u, 5, -2)", "3"), ("__fns(0x29u, 1, 0)", "ffffffff"), ("(unsigned)__viaddmax_s32(2, 3, 4)", "5"),
            ("(unsigned)__vimin3_s32_relu(-5, 2, 3)", "0"), ("__vimax3_s16x2(0x0001ffffu, 0x00020000u, 0u)", "20000"))
        real = (("erfinv(0.5)", "0.476936276204"), ("erfinv(-1e-5)", "-8.86226925476e-06"),
                ("normcdfinv(0.975)", "1.95996398454"), ("erfcinvf(2.f)", "-inf"), ("norm(3, of)", "13"),
                ("rnorm4d(1, 1, 1, 1)", "0.5"), ("cyl_bessel_i0(1.)", "1.26606587775"))
        text = ("#include <cutil.h>\n__global__ void k(unsigned *a, double *b)\n{\n    const double of[3] = {3, 4, 12};\n"
                + "".join(f"    *a++ = {call};\n" for call, _ in whole) + "".join(f"    *b++ = {call};\n" for call, _ in real)
                + "}\n#define LAUNCH(type) \\\n    add<type> \\\n    <<<1, 1>>>(a)\n"
                "template <class T> __global__ void add(T *a) { a[0] += 1; }\nint main(int argc, char **argv)\n{\n"
                f"    unsigned *a, c[{len(whole)}], timer = 0;\n    double *b, d[{len(real)}];\n"
                "    CUT_DEVICE_INIT(argc, argv);\n    cutCreateTimer(&timer);\n"
                "    CUDA_SAFE_CALL(cudaMalloc((void **)&a, sizeof c));\n    CUDA_SAFE_CALL(cudaMalloc((void **)&b, sizeof d));\n"
                "    k << <1, 1 >> >(a, b);\n    CUT_CHECK_ERROR(\"k\");\n    LAUNCH(unsigned);\n"
                "    CUDA_SAFE_CALL(cudaMemcpy(c, a, sizeof c, cudaMemcpyDeviceToHost));\n"
                "    CUDA_SAFE_CALL(cudaMemcpy(d, b, sizeof d, cudaMemcpyDeviceToHost));\n    c[0]--;\n"
                "    for (unsigned x : c)\n        printf(\"%x\\n\", x);\n    for (double x : d)\n"
                "        printf(\"%.12g\\n\", x);\n"
                "    printf(\"%d\\n\", isprint('a') && cutComparefe((float *)c, (float *)c, 1, 0));\n"
                "    CUDA_SAFE_CALL(cudaFree(a));\n    CUDA_SAFE_CALL(cudaFree(b));\n    CUT_EXIT(argc, argv);\n}\n")
        self.assert_prints(text, *[value for _, value in whole + real], "1")

    def test_random_numbers_are_those_of_thrust(self):
        # As CUDA 13.0 makes them of the same file on the host.
        self.assert_prints(
            "#include <thrust/random.h>\n#include <thrust/device_malloc.h>\n#include <thrust/device_free.h>\n#include <climits>\n"
            "__global__ void k(unsigned *a)\n{\n    thrust::default_random_engine e;\n    e.discard(threadIdx.x);\n"
            "    a[threadIdx.x] = e();\n}\nstruct pool {\n    thrust::device_ptr<void> at;\n    pool() { at = thrust::device_malloc(12); }\n"
            "    ~pool() { thrust::device_free(at); }\n};\nint main()\n{\n    thrust::minstd_rand e, f(42);\n    thrust::minstd_rand0 e0;\n"
            "    for (int i = 0; i < 3; i++)\n        printf(\"%u %u\\n\", e(), e0());\n    e.discard(1000000007ull);\n"
            "    printf(\"%u\\n\", e());\n    thrust::uniform_int_distribution<unsigned> u(0, UINT_MAX);\n"
            "    thrust::uniform_int_distribution<int> d(-3, 3);\n    for (int i = 0; i < 3; i++) {\n        int x = d(f);\n"
            "        printf(\"%u %d\\n\", u(f), x);\n    }\n    thrust::normal_distribution<float> n(10, 2);\n"
            "    thrust::random::normal_distribution<double> m;\n    double x = m(f);\n    printf(\"%.5f %.10f\\n\", n(f), x);\n"
            "    pool memory;\n    unsigned *a = (unsigned *)memory.at.get(), b[3];\n    k<<<1, 3>>>(a);\n"
            "    cudaMemcpy(b, a, sizeof b, cudaMemcpyDeviceToHost);\n    printf(\"%u %u %u\\n\", b[0], b[1], b[2]);\n}\n",
            "48271 16807", "182605794 282475249", "1291394886 1622650073", "1403408596", "2453984814 -2", "1922743629 -1",
            "4153106315 1", "11.14408 0.3291652725", "48271 182605794 1291394886")

    def test_what_is_not_simulated_of_a_library_names_the_users_line(self):
        self.write("whole.cu", "#include <thrust/device_vector.h>\ntypedef thrust::device_vector<int> V;\nint main()\n{\n"
                   "    V v(3);\n    v.resize(1, 2, 3, 4);\n}\n")
        done = self.run_file("whole.cu")
        self.assertEqual((done.returncode, done.stderr), (2, "reductio: Reductio does not simulate this part of Thrust (line 6)\n"))

    def test_kernel_of_an_extension_runs_without_pytorch(self):
        self.write("whole.cu", "#include <torch/extension.h>\n#include <cstdio>\n__global__ void k(int *a) { a[0] = 7; }\n"
                   "#define CHECK(t, type) if ((t).options().dtype() != (type)) { std::cout << t.options(); throw 1; }\n"
                   "torch::Tensor run(torch::Tensor x)\n{\n    CHECK(x, torch::kInt32);\n"
                   "    auto y = torch::zeros({x.size(0), 4}, x.options());\n"
                   "    k<<<1, 1, 0, at::cuda::getCurrentCUDAStream()>>>(y.data_ptr<int>());\n    return y;\n}\n"
                   "PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def(\"run\", &run, py::arg(\"x\")); }\n"
                   "int main()\n{\n    int *a, b;\n    cudaMalloc(&a, 4);\n    k<<<1, 1>>>(a);\n"
                   "    cudaMemcpy(&b, a, 4, cudaMemcpyDeviceToHost);\n    printf(\"%d\\n\", b);\n    fflush(stdout);\n"
                   "    run(torch::Tensor());\n}\n")
        done = self.run_file("whole.cu")
        self.assertEqual(done.stdout.splitlines()[0], "7", done.stderr)
        self.assertIn("Reductio does not simulate PyTorch (line 7)", done.stdout + done.stderr)

    def test_sweep_tells_of_each_file(self):
        os.makedirs(os.path.join(self.folder, "swept", "deep"))
        self.write("swept/whole.cu", '#include "type.h"\n#include "part.cu"\nint main() { k<<<1, 1>>>(0); }\n')
        self.write("swept/part.cu", "__global__ void k(type *a) { a[0] = 0; }\n")
        self.write("swept/absent.cu", "#include <nowhere/to_be.h>\n")
        self.write("swept/wrong.cu", "int f() { return x; }\n")
        self.write("swept/deep/type.h", "typedef int type;\n")

        def swept(*files):
            done = subprocess.run([sys.executable, os.path.join(HERE, os.pardir, "tools", "sweep.py"), os.path.join(self.folder, "swept"), *files,
                                   "--reductio", BINARY, "--syntax-only", "--jobs", "1", "--name", "some/one", "--commit", "abc"],
                                  env=dict(self.environment, CXX="g++"), capture_output=True, text=True, timeout=WAIT_S)
            cells = [[cell.strip() for cell in line.split("|")[1:-1]] for line in done.stdout.splitlines() if "|" in line]
            return done, cells, {row[0]: row[1:3] for row in cells}

        done, cells, outcomes = swept()
        self.assertEqual(outcomes["whole.cu"], ["compiles", ""], done.stdout + done.stderr)
        self.assertEqual(outcomes["part.cu"], ["part", "of whole.cu"])
        self.assertEqual(outcomes["absent.cu"], ["refused", "absent.cu:1 includes `nowhere/to_be.h`, which is nowhere"])
        self.assertEqual(outcomes["wrong.cu"][0], "compiler")
        self.assertEqual(cells[-1], ["some/one", "abc", "4", "1", "1", "1", "1"])
        self.assertEqual(swept("part.cu")[2]["part.cu"], ["part", "of whole.cu"])  # which was not asked for


if __name__ == "__main__":
    unittest.main()
