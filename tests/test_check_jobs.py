#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`reductio check --jobs`: blocks in several processes, with the report of one. RD_TEST_JOBS sets which
numbers are tried on the corpus.

usage: test_check_jobs.py REDUCTIO [unittest's arguments]"""

import concurrent.futures
import os
import re
import unittest

from check_case import CheckTest, HERE
from test_hazards import cases

NUMBERS = os.environ.get("RD_TEST_JOBS", "3").split()

# In a build with the address sanitizer: what it says of threads that end on stacks it does not know.
OF_THE_SANITIZER = re.compile(r"==\d+==WARNING: ASan is ignoring requested .*?sanitizers/issues/189\n", re.DOTALL)

KERNELS = r"""
#include <cstdio>
#include <unistd.h>

__global__ void tell(int *process, const int *a, int *sums)
{
    __shared__ int s[32];
    s[threadIdx.x] = a[threadIdx.x] + blockIdx.x;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int k = 0; k < 32; k++)
            sums[blockIdx.x] += s[k];
        process[blockIdx.x] = getpid();
    }
}

__global__ void total(int *process, int *sum)
{
    atomicAdd(sum, 1);
    if (threadIdx.x == 0)
        process[blockIdx.x] = getpid();
}

__global__ void say(int *a)
{
    printf("block %u\n", blockIdx.x);
    a[blockIdx.x + (threadIdx.x == 2 ? blockIdx.x : 0)] = 1;
}

__global__ void forever(int *a)
{
    a[blockIdx.x] = 1;
    for (;;)
        asm volatile("");
}

// Each block takes a while, more than a process costs.
__global__ void slow(int *process, const int *a, int *sums)
{
    int sum = 0;
    for (int k = 0; k < 20000; k++)
        sum += a[(threadIdx.x + k) % 1024];
    sums[blockIdx.x * blockDim.x + threadIdx.x] = sum;
    if (threadIdx.x == 0)
        process[blockIdx.x] = getpid();
}
"""


class JobsTest(CheckTest):
    def setUp(self):
        super().setUp()
        self.write("jobs.cu", KERNELS)

    def run_jobs(self, kernel, *arguments):
        return self.check("--kernel", kernel, *arguments, file="jobs.cu")

    def printed(self, kernel, *arguments):
        """The numbers of each buffer that --print shows."""
        done = self.run_jobs(kernel, "--print", "all", *arguments)
        self.assert_status(done, 0)
        return [line.split(": ")[1].split() for line in done.stdout.splitlines()
                if ": " in line and line.split(": ")[1][0] in "-0123456789" and "hazards" not in line]

    def test_blocks_that_share_nothing_are_run_by_processes(self):
        arguments = ["tell", "--grid", "50", "--block", "32", "--arg", "i32[50]:zero", "--arg",
                     "i32[32]:iota", "--arg", "i32[50]:zero"]
        for jobs in (1, 2, 3, 8):
            processes, _, sums = self.printed(*arguments, "--jobs", str(jobs))
            self.assertEqual(len(set(processes)), jobs)
            self.assertEqual(sums, [str(496 + 32 * block) for block in range(50)])

    def test_blocks_that_add_to_one_cell_are_run_by_one_process(self):
        processes, total = self.printed("total", "--grid", "50", "--block", "32", "--arg", "i32[50]:zero",
                                        "--arg", "i32[1]:zero", "--jobs", "4", "--schedule", "ascending")
        self.assertEqual((len(set(processes)), total), (1, ["1600"]))

    @unittest.skipIf(len(os.sched_getaffinity(0)) < 2, "one core")
    def test_by_default_a_long_kernel_is_run_by_processes(self):
        processes, _, _ = self.printed("slow", "--grid", "16", "--block", "128", "--arg", "i32[16]:zero",
                                       "--arg", "i32[1024]:one", "--arg", "i32[2048]:zero")
        # The first blocks tell that it is long.
        self.assertGreater(len(set(processes)), 2)

    def test_by_default_a_short_kernel_is_run_by_one_process(self):
        processes, _, _ = self.printed("tell", "--grid", "2", "--block", "32", "--arg", "i32[2]:zero",
                                       "--arg", "i32[32]:iota", "--arg", "i32[2]:zero")
        self.assertEqual(len(set(processes)), 1)

    def test_what_is_printed_and_found_stands_in_the_order_of_blocks(self):
        arguments = ["say", "--grid", "16", "--block", "2", "--arg", "i32[32]:zero"]
        one = self.run_jobs(*arguments, "--jobs", "1")
        self.assertEqual(one.stdout.splitlines()[2], "block 1")
        self.assertIn("race", one.stdout)
        for jobs in "2", "5":
            self.assertEqual(self.run_jobs(*arguments, "--jobs", jobs).stdout, one.stdout)

    def test_kernel_that_never_ends_is_told_as_by_one_process(self):
        arguments = ["forever", "--grid", "4", "--block", "2", "--arg", "i32[4]:zero", "--timeout", "1"]
        one = self.run_jobs(*arguments, "--jobs", "1")
        self.assert_status(one, 1)
        self.assertEqual(self.run_jobs(*arguments, "--jobs", "2").stdout, one.stdout)

    def test_report_of_the_corpus_is_that_of_one_process(self):
        hazards = os.path.join(HERE, "hazards")
        runs = [(os.path.join(hazards, name), kernel, arguments)
                for name in sorted(os.listdir(hazards)) if name.endswith(".cu")
                for kernel, arguments, _ in cases(os.path.join(hazards, name))
                if re.search("[2-9]|1[0-9]", arguments[arguments.index("--grid") + 1])]
        self.assertGreater(len(runs), 30)

        def reports(run):
            path, kernel, arguments = run
            # Local variables are looked at by one process, whatever the number. Those that nobody has set are filled
            # only where they are looked at.
            private = "on" if path.endswith("private.cu") else "off"
            outputs = [self.check("--kernel", kernel, "--schedule", "all", "--print", "all", "--private", private,
                                  *arguments, "--jobs", jobs, file=path) for jobs in ("1", *NUMBERS)]
            return kernel, [(done.returncode, done.stdout, OF_THE_SANITIZER.sub("", done.stderr))
                            for done in outputs]

        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            for kernel, (one, *others) in pool.map(reports, runs):
                for several in others:
                    with self.subTest(kernel):
                        self.assertEqual(several, one)


if __name__ == "__main__":
    unittest.main()
