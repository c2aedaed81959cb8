#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`reductio run FILE.cu`: whole programs, their output and their end, mistakes of host code, and the order of streams.

usage: test_run_file.py REDUCTIO [CLASS[.METHOD]...]; for those of Mistakes, the build's tests/cached_cxx may be the
compiler"""

import json
import os
import re
import subprocess
import tempfile
import unittest

from check_case import BINARY, HERE
from patience import WAIT_S

PROGRAMS = os.path.join(HERE, "programs_cu")


def run(*arguments, stdin="", env=None):
    done = subprocess.run([BINARY, "run", *arguments], input=stdin, env=env, capture_output=True, text=True, timeout=WAIT_S, check=False)
    return done.returncode, done.stdout, done.stderr


def program(name):
    return os.path.join(PROGRAMS, name + ".cu")


def line_of(name, mistake):
    """The line of the program where a mistake is to be told."""
    with open(program(name), encoding="utf-8") as file:
        return next(k for k, line in enumerate(file, 1) if re.search(rf"// want {mistake}$", line))


class Whole(unittest.TestCase):
    def test_program_right_comes_through_and_is_inconclusive(self):
        status, out, err = run(program("vector_add"), "--", "3000")
        self.assertEqual(err, "")
        self.assertEqual(out.splitlines()[0], "c[2999] = 8997")
        self.assertRegex(out.splitlines()[-1], r"^INCONCLUSIVE .*vector_add\.cu: exit status 0, 1 launch, 0 hazards: no invariant")
        self.assertEqual(status, 3)

    def test_program_of_the_runtime_has_cudas_results(self):
        status, out, _ = run(program("runtime"))
        wrong = [line for line in out.splitlines() if line.endswith("WRONG")]
        self.assertEqual(wrong, [])
        self.assertGreater(len(re.findall(r": ok$", out, re.M)), 60)
        self.assertIn("0 hazards", out)
        self.assertEqual(status, 3)

    def test_program_has_helpers_of_nvidias_samples_without_their_folder(self):
        status, out, err = run(program("helpers"))
        self.assertEqual([line for line in out.splitlines() if line.endswith("WRONG")], [], err)
        self.assertGreater(len(re.findall(r": ok$", out, re.M)), 20, out + err)
        self.assertEqual(status, 3)
        status, out, err = run(program("helpers"), "--", "fail")
        self.assertRegex(err, r'CUDA error at .*helpers\.cu:\d+ code=101\(cudaErrorInvalidDevice\) "cudaSetDevice\(99\)"')
        self.assertIn("exit status 1", out.splitlines()[-1])
        self.assertEqual(status, 1)

    def test_program_that_fails_is_violated_and_its_status_is_said(self):
        status, out, _ = run(program("mistakes"), "--", "exit")
        self.assertIn("exit status 7", out.splitlines()[-1])
        self.assertNotIn("sandbox", out)
        self.assertEqual(status, 1)

    def test_leak_is_told_with_the_line_of_the_allocation(self):
        _, out, _ = run(program("mistakes"), "--one-line", "--", "leak")
        self.assertRegex(out, r"mistakes\.cu:\d+:\d+: leak: device memory of 1024 bytes, allocated by cudaMalloc")

    def test_launch_with_arguments_of_other_types_is_told_once_in_the_files_own_types(self):
        with tempfile.TemporaryDirectory() as folder:
            source = os.path.join(folder, "launches.cu")
            with open(source, "w", encoding="utf-8") as file:
                file.write("__global__ void k(const int *a, float x) {}\n"
                           "int main() { float *d = 0; k<<<1, 1>>>(d, 1.f); k<<<1, 1>>>(0); }\n")
            status, _, err = run(source)
        errors = [line.partition(" error: ")[2] for line in err.splitlines() if " error: " in line]
        self.assertEqual(status, 2)
        self.assertEqual(len(errors), 2, err)
        self.assertNotIn("enable_if", err)
        self.assertRegex(errors[0], r"float ?\*.*const int ?\*|no matching function")
        self.assertRegex(errors[1], r"too few arguments to function .*k\(const int\*, float\)|no matching function")
        self.assertRegex(err, r"launches\.cu:2:\d+: ")

    def test_program_reads_standard_input(self):
        _, out, _ = run(program("mistakes"), "--", "input", stdin="a line\n")
        self.assertIn("read a line", out)

    def test_program_that_does_not_end_is_stopped(self):
        status, out, _ = run(program("mistakes"), "--timeout", "2", "--", "loop")
        self.assertIn("stopped after 2 s", out.splitlines()[-1])
        self.assertEqual(status, 3)

    def test_program_that_makes_threads_is_stopped_even_as_one_begins(self):
        status, out, _ = run(program("endless_threads"), "--timeout", "1")
        self.assertIn("stopped after 1 s, 0 launches, 0 hazards", out.splitlines()[-1])
        self.assertEqual(status, 3)

    def test_program_whose_launch_is_only_slow_is_not_said_to_have_no_end(self):
        status, out, _ = run(program("slow"), "--timeout", "4")
        self.assertRegex(out.splitlines()[-1], r"^INCONCLUSIVE .*stopped after 4 s, 1 launch, 0 hazards")
        self.assertEqual(status, 3)
        status, out, _ = run(program("slow"), "--timeout", "12", "--", "endless")
        self.assertIn("of block 9 of work does not come to an end", " ".join(out.split()))
        self.assertEqual(status, 1)

    def test_block_that_passes_barriers_is_not_said_to_have_no_end(self):
        # Of all threads, or of the first or the last one alone: the others wait.
        for first, last in ((0, 63), (0, 0), (63, 63)):
            with self.subTest(first=first):
                status, out, _ = run(program("slow_barriers"), "--timeout", "3", "--", str(first), str(last))
                self.assertRegex(out.splitlines()[-1], r"^INCONCLUSIVE .*stopped after 3 s, 1 launch, 0 hazards")
                self.assertEqual(status, 3)

    def test_index_that_the_host_takes_beside_an_array_is_no_crash(self):
        status, out, _ = run(program("host_index"))
        self.assertRegex(out.splitlines()[-1], r"^INCONCLUSIVE .*exit status 0, 0 launches, 0 hazards")
        self.assertEqual(status, 3)

    def test_kernel_that_is_only_slow_is_inconclusive(self):
        n = 1 << 24
        done = subprocess.run([BINARY, "check", program("slow"), "--kernel", "work", "--grid", str(n // 256), "--block", "256",
                               "--arg", f"f32[{n}]:zero", "--arg", str(n), "--arg", "0", "--private", "off", "--jobs", "1",
                               "--timeout", "1", "--json"], capture_output=True, text=True, timeout=WAIT_S, check=False)
        report = json.loads(done.stdout)
        self.assertEqual((done.returncode, report["counts"], report["stopped_after_s"]), (3, {}, 1))
        self.assertEqual(report["runs"][0]["outcome"], "timeout")

    def test_launches_made_again_leave_what_they_leave_and_find_what_they_find(self):
        status, out, _ = run(program("repeats"), "--timeout", "40", "--json")
        lines = out.splitlines()
        self.assertEqual(lines[:7], ["sum: 8000"] + [f"sum of {k % 3}: {k % 3 * 2000}" for k in range(6)])
        self.assertEqual(lines[7:13], ["by 1: 4000"] * 3 + ["by 2: 8000"] * 3)
        sums = [k // 6 * 100 + (k % 3 == 0) * 10 + k % 2 for k in range(12)]
        self.assertEqual(lines[13:25], [f"all of them: {value}" for value in sums])
        self.assertEqual(lines[25], "counted: 6")
        self.assertEqual(lines[26:32], ["said"] * 6)
        self.assertIn('"launches": 2130', out)  # run one by one, they would take minutes
        self.assertIn('"laws": "1 invariant (7 executions), 7 exits not asserted, 24320 cells asserted"', out)
        self.assertEqual(status, 0)
        status, out, _ = run(program("repeats"), "--timeout", "40", "--json", "--", "faulty")
        hazards = json.loads(out[out.index("\n{") :])["hazards"]
        found = [(hazard["places"][0]["line"], hazard["count"]) for hazard in hazards]
        racing = line_of("repeats", "race")
        once = [(line_of("repeats", what), 1) for what in ("order", "read", "out-of-bounds")]
        self.assertEqual(found, [(racing, 6 * 248), (racing, 6 * 7), *once])
        self.assertIn('"laws": "1 invariant (7 executions), 2 executions violated, 5 exits not asserted, ', out)
        self.assertEqual(status, 1)

    def test_json_has_what_the_text_has(self):
        status, out, _ = run(program("mistakes"), "--json", "--", "streams")
        document = json.loads(out)
        self.assertEqual((status, document["status"]), (1, 1))
        self.assertEqual([hazard["name"] for hazard in document["hazards"]], ["race"])
        self.assertEqual(document["launches"], 1)


class Mistakes(unittest.TestCase):
    WANTED = {
        "direction": "copy-direction", "size": "out-of-bounds", "host-pointer": "out-of-bounds", "host-access": "host-access",
        "variable": "host-access", "shadow-launch": "host-access", "shadow-copy": "host-access", "shadow-fill": "host-access",
        "no-symbol": "unchecked-error", "unchecked": "out-of-bounds", "launch": "illegal-launch", "assert": "assert-failed",
        "double-free": "invalid-free", "wrong-free": "invalid-free", "managed": "race", "pinned": "race", "streams": "race",
        "callback": "race", "callback-kernel": "race", "query": "race", "late": "race", "managed-variable": "race", "peer": "race",
        "memcmp": "race", "fread": "race", "printf": "host-access", "macro": "race",
        "copied-variable": "race", "scopes": "race", "overlap": "race", "overlap-rows": "race", "overlap-pitch": "race", "idle-stream": "race",
        "timing": "unchecked-error",
        "abort": "crash", "null": "crash", "heap-leak": "leak", "alarm": "crash",
    }

    def test_each_mistake_is_told_with_its_line(self):
        for mistake, hazard in self.WANTED.items():
            with self.subTest(mistake=mistake):
                status, out, _ = run(program("mistakes"), "--one-line", "--devices", "2", "--", mistake)
                place = rf"mistakes\.cu:{line_of('mistakes', mistake)}(:\d+)?: {hazard}: "
                self.assertRegex(out, place)
                self.assertEqual(status, 1)

    def test_thread_that_freed_is_told_with_its_own_launch(self):
        _, out, _ = run(program("mistakes"), "--one-line", "--", "freed")
        self.assertRegex(out, rf"mistakes\.cu:{line_of('mistakes', 'freed')}:\d+: out-of-bounds: thread 0 of block 0 of look reads")
        self.assertRegex(out, r"which thread \(1,2,0\) of block 3 of give_late has freed at")

    def test_right_programs_have_no_hazards(self):
        for right in ("none", "checked", "event", "heap", "in-turn", "polls", "timed", "beside", "variables", "addresses", "library", "library-parts", "exchange"):
            with self.subTest(right=right):
                status, out, _ = run(program("mistakes"), "--", right)
                self.assertIn("0 hazards", out.splitlines()[-1])
                self.assertEqual(status, 3)

    def test_variables_of_several_devices_are_said_to_be_one(self):
        _, out, _ = run(program("mistakes"), "--devices", "2", "--", "two-devices")
        self.assertIn("not looked at: variables of the device", out)
        self.assertIn("0 hazards", out.splitlines()[-1])


class Files(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory(prefix="reductio-")
        self.addCleanup(self.folder.cleanup)

    def write(self, name, text):
        path = os.path.join(self.folder.name, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def test_default_streams_per_thread_are_refused(self):
        path = self.write("main.cu", "#define CUDA_API_PER_THREAD_DEFAULT_STREAM\n#include <cuda_runtime.h>\nint main() { return 0; }\n")
        for options in ([], ["-default-stream", "per-thread"], ["--default-stream=per-thread"], ["-DCUDA_API_PER_THREAD_DEFAULT_STREAM"]):
            with self.subTest(options=options):
                status, _, err = run(path if not options else program("vector_add"), *options)
                self.assertEqual(status, 2)
                self.assertIn("gives stream 0 another order, which is not simulated", err)
        self.assertEqual(run(program("vector_add"), "-default-stream", "legacy", "--", "3")[0], 3)

    def test_several_files_and_nvccs_options(self):
        main = self.write("main.cu", """#include <cstdio>
int twice(int x);
extern "C" int half(int x);
void launch(int *a);
int main() { int *a, h = 0; cudaMalloc(&a, sizeof h); launch(a); cudaMemcpy(&h, a, sizeof h, cudaMemcpyDeviceToHost);
             printf("%d %d\\n", half(2 * twice(VALUE)), h); return cudaFree(a); }
""")
        old = self.write("old.c", "int half(x)\n    int x;\n{\n    int class = x;\n    return class / 2;\n}\n")  # no C++
        other = self.write("other.cpp", "int twice(int x) { return 2 * x; }\n")
        kernel = self.write("kernel.cu", "__global__ void set(int *a) { *a = 5; }\nvoid launch(int *a) { set<<<1, 1>>>(a); }\n")
        status, out, err = run("-O3", "-arch=sm_90", "-gencode", "arch=compute_90,code=sm_90", "-Xcompiler", "-Wall", "-lineinfo",
                               "-DVALUE=21", main, other, kernel, old, "-lcudart")
        self.assertEqual(out.splitlines()[:1], ["42 5"], err)
        self.assertEqual(status, 3)

    def test_thread_local_variables_of_the_host_are_not_shared_memory(self):
        status, out, err = run(program("host_threads"), program("host_threads_other"))
        self.assertEqual([line for line in out.splitlines() if line.endswith("WRONG")], [], err)
        self.assertEqual(len(re.findall(r": ok$", out, re.M)), 8, out + err)
        self.assertIn(" 6 launches, 0 hazards", out)
        self.assertEqual(status, 3)

    def test_streams_are_of_the_copy_of_the_library_that_the_program_has(self):
        compiler = os.environ.get("CXX", "g++")
        with tempfile.TemporaryDirectory() as folder:
            for option in "", " -static-libstdc++":
                with self.subTest(option=option):
                    status, out, err = run(program("streams"), "--write", folder, "--", os.path.join(folder, "x"),
                                           env={**os.environ, "CXX": compiler + option})
                    self.assertEqual(out.splitlines()[0], "1.5", err)
                    self.assertIn("0 hazards", out)
                    self.assertEqual(status, 3)

    def test_functions_of_one_name_are_each_files_own(self):
        names = [program("namesakes"), os.path.join(PROGRAMS, "namesakes_host.cpp"), program("namesakes_other")]
        for files in names, names[::-1]:
            with self.subTest(first=os.path.basename(files[0])):
                status, out, err = run(*files)
                self.assertEqual(out.splitlines()[:1], ["1 1 1 1 1 1 1 1 1 1 3 | 18 3 3 2"], err)
                self.assertEqual(status, 3)

    def test_device_function_of_another_file_that_may_be_the_hosts_is_refused(self):
        files = [self.write("main.cu", "extern __device__ int scale(int x);\nint on_host();\n"
                                       "__global__ void k(int *out) { *out = scale(0); }\n"
                                       "int main() { int *a; cudaMalloc(&a, 4); k<<<1, 1>>>(a); cudaFree(a); return on_host(); }\n"),
                 self.write("device.cu", "__device__ int scale(int x) { return x + 1; }\n"),
                 self.write("host.cpp", "int scale(int x) { return x + 2; }\nint on_host() { return scale(0) - 2; }\n")]
        status, out, err = run(*files)
        self.assertRegex(err, r"main\.cu' uses 'scale\(int\)' of the device, which '.*device\.cu' has, and another file has a function of that name")
        self.assertEqual((status, out), (2, ""))

    def test_openmp_is_the_hosts_compilers(self):
        main = self.write("main.cu", """#include <cstdio>
#include <omp.h>
__global__ void add(int *sum, int value) { atomicAdd(sum, value); }
int main()
{
    int *sum, h = 0, threads = 0;
    cudaMalloc(&sum, sizeof h);
    cudaMemset(sum, 0, sizeof h);
#pragma omp parallel num_threads(3)
    {
        add<<<1, 2>>>(sum, omp_get_thread_num() + 1);
#pragma omp atomic
        threads++;
    }
    cudaMemcpy(&h, sum, sizeof h, cudaMemcpyDeviceToHost);
    cudaFree(sum);
    printf("%d threads, sum %d\\n", threads, h);
}
""")
        _, out, err = run(main, "-Xcompiler", "-fopenmp", "-lcublas", "-lcudart_static")
        self.assertEqual(out.splitlines()[:1], ["3 threads, sum 12"], out + err)

    def test_process_of_open_mpi_knows_that_it_is_alone(self):
        # A library that stands for Open MPI's, of which only the name is looked at.
        library = os.path.join(self.folder.name, "libmpi.so")
        source = self.write("mpi.c", "#include <stdlib.h>\nint MPI_Init(void) { return !getenv(\"OMPI_MCA_ess_singleton_isolated\"); }\n")
        subprocess.run(["cc", "-shared", "-fPIC", "-Wl,-soname," + library, source, "-o", library], check=True)
        main = self.write("main.cpp", 'extern "C" int MPI_Init();\nint main() { return MPI_Init(); }\n')
        _, out, err = run(main, "-L" + self.folder.name, "-lmpi")
        self.assertIn("exit status 0", out, err)
        # By other means, as mpirun would say.
        _, out, err = run(main, "-L" + self.folder.name, "-lmpi", env=dict(os.environ, OMPI_COMM_WORLD_SIZE="2"))
        self.assertIn("exit status 1", out, err)
        plain = self.write("plain.cpp", '#include <cstdlib>\nint main() { return getenv("OMPI_MCA_ess_singleton_isolated") != nullptr; }\n')
        _, out, err = run(plain)
        self.assertIn("exit status 0", out, err)

    def test_functions_of_graphics_are_missed_where_they_are_called(self):
        main = self.write("main.cpp", """#include <cstdio>
extern "C" void (*glXGetProcAddress(const unsigned char *name))();
static void (*bind)() = glXGetProcAddress((const unsigned char *)"glBindBuffer");
int main(int argc, char **) { puts("begins"); if (argc > 1) bind(); }
""")
        status, out, err = run(main)
        self.assertEqual((status, out.splitlines()[0]), (3, "begins"), err)
        self.assertIn("exit status 0", out)
        status, out, err = run(main, "--", "bind")
        self.assertEqual((status, out.splitlines()[0]), (3, "begins"), err)
        self.assertRegex(out, r"Reductio does not simulate graphics \(line 4\)")

    def test_macros_of_the_user_do_not_reach_the_simulators_headers(self):
        status, out, err = run(program("macros"), "-DY=3", "-D", "L", "-DV", "-UV", "-DZ(x)=x")
        self.assertEqual((status, err), (3, ""))
        self.assertEqual(out.splitlines()[:4],
                         ["scale<<<1, N>>>(p)", "launch: (scale<<<1, N>>>(p))", "as (scale<<<1, N>>>(p))", "36 1"])

    def test_compilation_database_has_files_and_options(self):
        self.write("main.cu", """#include <cstdio>
#include "value.h"
int twice(int x);
int main() { printf("%d %s\\n", twice(VALUE), NAME); }
""")
        self.write("other.cpp", "int twice(int x) { return 2 * x; }\n")
        os.mkdir(os.path.join(self.folder.name, "include"))
        # Headers that include each other by paths that grow: each is one file.
        self.write("include/value.h", '#pragma once\n#include "../include/other.h"\nstruct one {};\n#define VALUE 21\n')
        self.write("include/other.h", '#pragma once\n#include "../include/value.h"\n')
        database = self.write("compile_commands.json", json.dumps([
            {"directory": self.folder.name, "file": "main.cu",
             "command": "nvcc -Iinclude -DNAME='\"a b\"' -arch=sm_90 -c main.cu -o main.o"},
            {"directory": self.folder.name, "file": "other.cpp", "arguments": ["g++", "-O2", "-c", "other.cpp"]}]))
        status, out, err = run("--compile-commands", database)
        self.assertEqual(out.splitlines()[:1], ["42 a b"], err)
        self.assertEqual(status, 3)
        # The same files by other paths, as Bear writes them.
        self.write("compile_commands.json", json.dumps([
            {"directory": self.folder.name, "file": os.path.join(self.folder.name, "main.cu"),
             "command": "nvcc -Iinclude -DNAME='\"a b\"' -c ./main.cu -o main.o"},
            {"directory": self.folder.name, "file": "other.cpp",
             "arguments": ["g++", "-c", os.path.join(self.folder.name, "other.cpp")]}]))
        status, out, err = run("--compile-commands", database)
        self.assertEqual((status, out.splitlines()[:1]), (3, ["42 a b"]), err)

    def test_arguments_of_classes_are_passed_as_bytes(self):
        """On the device neither copy constructors nor destructors of a kernel's parameters run."""
        main = self.write("by_value.cu", """#include <cstdio>
#include <memory>
struct cells {
    std::shared_ptr<int> kept;
    int *a;
    cells(int *a_) : kept(new int(1)), a(a_) {}
    cells(const cells &other) : kept(other.kept), a(other.a) {}
    ~cells() { a = nullptr; }
};
__global__ void set(cells c, int x) { c.a[threadIdx.x] = x; __syncthreads(); c.a[threadIdx.x]++; }
template <class T> __global__ void add(T c, int x)
{
    if (threadIdx.x == 3)
        return;
    c.a[threadIdx.x] += x;
}
int main()
{
    int *a, got[64];
    cudaMalloc(&a, sizeof got);
    cells c(a);
    set<<<1, 64>>>(c, 5);
    add<<<1, 64>>>(c, 20);
    add<cells><<<1, 64>>>(c, 300);
    cudaMemcpy(got, a, sizeof got, cudaMemcpyDeviceToHost);
    printf("%d %d %d\\n", got[0], got[3], (int)c.kept.use_count());
    return cudaFree(a);
}
""")
        status, out, err = run(main)
        self.assertEqual(out.splitlines()[:1], ["326 6 1"], out + err)
        self.assertIn("3 launches, 0 hazards", out.splitlines()[-1])
        self.assertEqual(status, 3)

    def test_headers_of_the_programs_own_are_its_own(self):
        """One with launches that is included with angle brackets, and one that has the name of a header of NVIDIA's samples."""
        os.mkdir(os.path.join(self.folder.name, "parts"))
        self.write("parts/kernel.cuh", "#pragma once\n__global__ void k(int *a) { a[threadIdx.x] = 7; }\n"
                   "inline void start(int *a) { k<<<1, 32>>>(a); }\n")
        self.write("helper_math.h", "#pragma once\ninline __device__ __host__ float2 make_float2(float s) { return make_float2(s, s); }\n")
        main = self.write("own_headers.cu", """#include <cstdio>
#include <kernel.cuh>
#include "helper_math.h"
int main()
{
    int *a, last;
    cudaMalloc(&a, 32 * sizeof *a);
    start(a);
    cudaMemcpy(&last, a + 31, sizeof last, cudaMemcpyDeviceToHost);
    printf("%d %g\\n", last, make_float2(3).y);
    return cudaFree(a);
}
""")
        status, out, err = run(main, "-I", os.path.join(self.folder.name, "parts"))
        self.assertEqual(out.splitlines()[:1], ["7 3"], err)
        self.assertEqual(status, 3)

    def test_main_without_a_return_ends_with_status_0(self):
        status, out, _ = run(self.write("end.cu", """#include <cstdio>
#include <vector>
int main(int argc, char **)
{
    std::vector<float> values(4096, 1.0f);
    printf("%g\\n", values[5]);
    if (argc > 5)
        cudaDeviceReset();
}
"""))
        self.assertEqual(out.splitlines()[0], "1")
        self.assertIn("exit status 0, 0 launches, 0 hazards", out)
        self.assertEqual(status, 3)

    def test_write_that_the_sandbox_refuses_is_said(self):
        path = os.path.join(self.folder.name, "written")
        source = self.write("write.cu", """#include <cstdio>
#include <fstream>
int main(int argc, char **argv)
{
    if (argc > 2)
        return fopen(argv[1], "w") ? 0 : 1;
    std::ofstream stream(argv[1]);
    return stream ? 0 : 1;
}
""")
        for more in ((), ("by fopen",)):
            status, out, _ = run(source, "--", path, *more)
            self.assertIn(f"the sandbox has refused to write '{path}'", out)
            self.assertEqual(status, 1)

    def test_file_without_main_is_refused(self):
        status, _, err = run(self.write("none.cu", "__global__ void k() {}\n"))
        self.assertIn("has no main()", err)
        self.assertEqual(status, 2)

    def test_file_that_does_not_compile_is_refused_at_its_line(self):
        status, _, err = run(self.write("bad.cu", "int main()\n{\n    return x;\n}\n"))
        self.assertRegex(err, r"bad\.cu:3:12: error")
        self.assertIn("int main()", err)
        self.assertEqual(status, 2)


if __name__ == "__main__":
    unittest.main()
