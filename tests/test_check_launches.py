#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Kernels that kernels launch: they run, with their own grids, shared memory and arguments.

usage: test_check_launches.py REDUCTIO [unittest's arguments]"""

import unittest

from check_case import HAS_LINES, CheckTest

FILE = """
#define ONE_MORE(kernel, a) kernel<<<1, 1>>>(a, 1)
namespace n
{
template <class T> __global__ void add(T *a, T value, int times = 1)
{
    a[blockIdx.x * blockDim.x + threadIdx.x] += value * times;
}
}
__global__ void turn(int *a)
{
    extern __shared__ int s[];
    s[threadIdx.x] = a[threadIdx.x];
    __syncthreads();
    a[threadIdx.x] = s[(threadIdx.x + 1) % blockDim.x];
}
__global__ void middle(int *a)
{
    a[threadIdx.x] += 10;
    if (threadIdx.x == 0)
        turn<<<1, 4, 16>>>(a);
}
// 0 1 2 3 becomes 10 11 12 13, is turned, and gets 1 more each.
__global__ void three_deep(int *a)
{
    if (threadIdx.x == 0) {
        middle<<<1, 4>>>(a);
        n::add<<<2, dim3(2, 1)>>>(a, 1);
    }
}
// Arguments have the values of when it is launched, and the child sees what was written by then.
__global__ void values(int *a)
{
    int i = 3;
    a[i] = 7;
    n::add<int><<<1, 1>>>(a + i, i, 2); a[0] = a[3];
    i = 100;
}
__global__ void in_any_way(int *a, int which)
{
    void (*table[])(int *) = {turn, middle};
    struct { void (*kernel)(int *); } own = {turn};
    auto launch = [=] { n::add<<<1, 4>>>(a, 100); };
    switch (which) {
    case 0:ONE_MORE(n::add, a); break;
    case 1: table[1] <<< 1, 4, 0, 0 >>> (a); break;
    case 2: own.kernel<<<1, 4, 4 * sizeof(int), cudaStreamFireAndForget>>>(a); break;
    case 3: launch(); break;
    default:n::add<int><<<1, (4 > 3 ? 4 : 1)>>>(a, -1, 2);
    }
}
__global__ void at_the_end(int *a)
{
    n::add<<<1, 4, 0, cudaStreamTailLaunch>>>(a, 1);
    middle<<<1, 4>>>(a);
}
__global__ void takes_null(int *a, const float *none, unsigned long long n)
{
    a[0] = none == nullptr && n == 0;
}
__global__ void gives_null(int *a)
{
    takes_null<<<1, 1>>>(a, 0, 0);
}
struct pair { int x; float y; __host__ __device__ pair(int x, float y) : x(x), y(y) {} pair(const pair &) = default; };
__global__ void takes_struct(int *a, pair p)
{
    a[0] = p.x + (int)p.y;
}
__global__ void gives_struct(int *a)
{
    pair p(3, 4.5f);
    takes_struct<<<1, 1>>>(a, p);
    p.x = 99;
}
__global__ void by_all(int *a)
{
    n::add<<<1, 1>>>(a + threadIdx.x, 1);
}
__global__ void child_runs_over(int *a)
{
    n::add<<<4, 2>>>(a, 1); a[4] = 1;
}
__global__ void races(int *a)
{
    a[0] = threadIdx.x;
}
__global__ void child_races(int *a)
{
    races<<<1, 2>>>(a);
    races<<<1, 2>>>(a);
}
__global__ void too_large(int *a)
{
    n::add<<<1, 2048>>>(a, 1);
}
__global__ void without_end(int *a)
{
    a[0] += 1;
    without_end<<<1, 1>>>(a);
}
__global__ void gives_local(int *a)
{
    int i[4] = {1, 2, 3, 4};
    __shared__ int s[4];
    n::add<<<1, 4>>>(i, 1);
    n::add<<<1, 4>>>(s, 1);
    a[0] = i[0];
}
__global__ void frees(int *p, int *a)
{
    a[0] = *p;
    free(p);
}
__global__ void takes(int *a)
{
    int *p = (int *)malloc(4), *q = (int *)malloc(8);
    *p = 5;
    frees<<<1, 1>>>(p, a);
    a[1] = q != nullptr;
}
void hidden(int *a)
{
    n::add<<<1, 4>>>(a, 1);
}
#define HIDDEN hidden // behind a macro, nobody looks for functions of the host
#define DEVICE __device__
DEVICE void seen(int *a)
{
    n::add<<<1, 4>>>(a, 1);
}
__global__ void calls(int *a, int which)
{
    if (which)
        seen(a);
    else
        HIDDEN(a);
}
int main()
{
    int *a;
    three_deep<<<1, 32>>>(a);
    n::add<<<1, 1>>>(a, 1);
}
"""


class LaunchesTest(CheckTest):
    def setUp(self):
        super().setUp()
        self.write("launches.cu", FILE)

    def run_on(self, kernel, *arguments, block="1", more=()):
        return self.check("--kernel", kernel, "--arg", "i32[4]:iota", *arguments, shape=("--grid", "1", "--block", block),
                          file="launches.cu", *more)

    def cells(self, kernel, *arguments, **more):
        done = self.run_on(kernel, *arguments, "--print", "0", **more)
        self.assert_status(done, 0)
        return [int(cell) for cell in done.stdout.splitlines()[-1].split()]

    def test_children_and_theirs_run_in_order(self):
        self.assertEqual(self.cells("three_deep", block="32"), [12, 13, 14, 11])
        self.assertEqual(self.cells("at_the_end"), [12, 13, 14, 11])
        self.assertEqual(self.cells("by_all", block="4"), [1, 2, 3, 4])

    def test_child_gets_the_values_of_when_it_was_launched(self):
        self.assertEqual(self.cells("values"), [7, 1, 2, 13])
        self.assertEqual(self.cells("gives_null"), [1, 1, 2, 3])
        self.assertEqual(self.cells("gives_struct"), [7, 1, 2, 3])

    def test_launches_may_be_written_in_any_way(self):
        for which, cells in enumerate(([1, 1, 2, 3], [11, 12, 13, 10], [1, 2, 3, 0], [100, 101, 102, 103],
                                       [-2, -1, 0, 1])):
            self.assertEqual(self.cells("in_any_way", "--arg", str(which)), cells)
        self.assertEqual(self.cells("calls", "--arg", "1"), [1, 2, 3, 4])

    def test_function_of_the_host_is_refused(self):
        self.write("plain.cu", FILE.replace("HIDDEN(a)", "hidden(a)"))
        line = FILE[:FILE.index("HIDDEN(a)")].count("\n") + 1
        done = self.check("--kernel", "calls", "--arg", "i32[4]:iota", "--arg", "0", shape=("--grid", "1", "--block", "1"), file="plain.cu")
        self.assert_refused(done, "code of the device uses what only the host has; the errors are above")
        self.assertRegex(done.stderr, rf"(?m)^plain\.cu:{line}:9: error: 'hidden' is a function of the host ")

    def test_launch_that_hides_is_not_left_out_in_silence(self):
        self.assert_refused(self.run_on("calls", "--arg", "0"), "Reductio does not simulate a launch in a function that "
                            "has neither __global__ nor __device__", "(line %d)" %
                            (FILE[:FILE.index("void hidden")].count("\n") + 3))

    def test_hazards_of_a_child_are_told_with_its_name(self):
        report = self.report("child_runs_over", "--arg", "i32[4]:iota", file="launches.cu", status=1)
        own, childs = sorted(report["hazards"], key=lambda hazard: "kernel" in hazard)
        self.assertEqual((own["name"], childs["name"], childs["kernel"]), ("out-of-bounds", "out-of-bounds", "n::add"))
        self.assertIn("thread 0 of block 2 of n::add ", childs["message"])
        self.assertNotIn("of n::add", own["message"])
        if HAS_LINES:
            line = FILE[:FILE.index("a[4] = 1;")].count("\n") + 1
            self.assertEqual((own["places"][0]["line"], own["places"][0]["column"]), (line, 34))
        self.assertEqual(report["threads"], 9)
        self.assertEqual(report["runs"][0]["launches"], [{"kernel": "n::add", "launches": 1, "threads": 8}])

    def test_same_hazard_of_several_launches_is_counted(self):
        report = self.report("child_races", "--arg", "i32[4]:iota", file="launches.cu", status=1)
        hazard, = report["hazards"]
        self.assertEqual((hazard["name"], hazard["kernel"], hazard["count"]), ("race", "races", 2))
        self.assertEqual(report["runs"][0]["launches"], [{"kernel": "races", "launches": 2, "threads": 4}])

    def test_text_says_what_was_launched_and_what_was_not_looked_for(self):
        done = self.run_on("three_deep")
        self.assert_status(done, 0)
        self.assertIn("launched by kernels: middle 1 time, 4 threads; turn 1 time, 4 threads; n::add 1 time, 4 threads\n",
                      done.stdout)
        last = "races between grids that launch each other were not looked for"
        self.assertIn(last, done.stdout.splitlines()[-1])
        self.assertIn(last, self.run_on("three_deep", "-q").stdout)
        self.assertNotIn("launch", self.run_on("turn", block="4", more=("--shared", "16")).stdout)

    def test_launch_that_a_device_refuses_is_a_hazard(self):
        for kernel, words in (("too_large", "launches a grid at launches.cu:%d: cudaErrorInvalidConfiguration: a block "
                               "of 2048 x 1 x 1 threads" % (FILE[:FILE.index("2048")].count("\n") + 1)),
                              ("without_end", "cudaErrorLaunchMaxDepthExceeded")):
            done = self.run_on(kernel, "--one-line")
            self.assert_status(done, 1)
            self.assertIn("illegal-launch: thread 0 of block 0", done.stdout)
            self.assertIn(words, done.stdout)
            self.assertIn("cudaGetLastError()", done.stdout)

    def test_child_is_not_given_pointers_to_what_it_cant_see(self):
        report = self.report("gives_local", "--arg", "i32[4]:iota", file="launches.cu", status=1)
        self.assertEqual(report["counts"], {"out-of-bounds": 2})
        own, shared = report["hazards"]
        self.assertIn("passes a pointer to a variable of its own to n::add", own["message"])
        self.assertIn("passes a pointer to its block's shared memory to n::add", shared["message"])

    def test_memory_that_a_child_frees_is_no_leak(self):
        report = self.report("takes", "--arg", "i32[4]:iota", "--print", "0", file="launches.cu", status=1)
        self.assertEqual([(hazard["name"], hazard["bytes"]) for hazard in report["hazards"]], [("leak", 8)])
        self.assertEqual(report["buffers"][0]["values"][:2], [5, 1])

    def test_children_run_under_every_schedule(self):
        report = self.report("child_races", "--arg", "i32[4]:iota", "--schedules", "5", file="launches.cu", status=1)
        self.assertEqual([len(run["launches"]) for run in report["runs"]], [1] * 5)
        self.assertEqual(len(report["hazards"][0]["schedules"]), 5)


if __name__ == "__main__":
    unittest.main()
