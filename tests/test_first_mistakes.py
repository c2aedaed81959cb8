#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Mistakes of a beginner in a file: each is told at the user's own line, once, and without what Reductio is made of."""

import concurrent.futures
import os
import re
import subprocess
import unittest

from check_case import BINARY, TEMPORARY
from patience import WAIT_S

PROGRAM = r"""#include <stdio.h>
#include <stdlib.h>

__global__ void twice(int *data, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        data[i] = 2 * data[i];
    }
}

int main(void)
{
    const int n = 1000;
    int *host = (int *)malloc(n * sizeof(int)), *device;
    for (int i = 0; i < n; i++)
        host[i] = i;
    cudaMalloc(&device, n * sizeof(int));
    cudaMemcpy(device, host, n * sizeof(int), cudaMemcpyHostToDevice);
    twice<<<(n + 255) / 256, 256>>>(device, n);
    cudaMemcpy(host, device, n * sizeof(int), cudaMemcpyDeviceToHost);
    printf("%d\n", host[10]);
    cudaFree(device);
    free(host);
    return 0;
}
"""
LAUNCH = "    twice<<<(n + 255) / 256, 256>>>(device, n);\n"
STATEMENT = "        data[i] = 2 * data[i];\n"

# What is replaced, by what, and what is said: "LINE: pattern" of each error, in order.
MISTAKES = {
    "brace of a block": (STATEMENT + "    }\n", STATEMENT, ["7: no '}' closes this '{'"]),
    "brace of a kernel": (STATEMENT + "    }\n}\n", STATEMENT + "    }\n", ["5: no '}' closes this '{'"]),
    "brace of main": ("    return 0;\n}\n", "    return 0;\n", ["13: no '}' closes this '{'"]),
    "brace too much": ("    return 0;\n}\n", "    return 0;\n}\n}\n", ["27: .*}"]),
    "parenthesis of a macro": ("host[10]);", "host[10];", [r"22: no '\)' closes this '\('"]),
    "parenthesis of a launch": ("<<<(n + 255)", "<<<(n + 255", [r"20: no '\)' closes this '\('"]),
    "quotation mark": ('\\n"', "\\n", ["22: missing terminating \" character"]),
    "comment": ("    const int n", "    /* the size\n    const int n", ["14: unterminated .*comment"]),
    "semicolon": ("    free(host);", "    free(host)", ["24: expected ."]),
    "semicolon before a barrier": (STATEMENT, STATEMENT[:-2] + "\n        __syncthreads();\n", ["8: expected .;.$"]),
    "semicolon before a barrier of a warp": (STATEMENT, STATEMENT[:-2] + "\n        __syncwarp();\n", ["8: expected .;. before .__syncwarp.$"]),
    "semicolon of a struct": ("__global__ void", "struct point { int x; }\n__global__ void", ["[45]: .*expected .;. after struct"]),
    "misspelt mark": ("__global__ void", "__globl__ void", ["4: .*__globl__", "20: .*twice"]),
    "misspelt index": ("threadIdx.x", "threadidx.x", ["6: .*threadidx.*threadIdx"]),
    "misspelt barrier": (STATEMENT, STATEMENT + "        __syncthread();\n", ["9: .*__syncthread.*__syncthreads"]),
    "misspelt kernel": ("    twice<<<", "    twic<<<", ["20: .*twic\\b"]),
    "argument left out": ("(device, n);", "(device);", ["20: (too few|no matching).*twice"]),
    "address of a pointer": ("(device, n);", "(&device, n);", ["20: .*(int\\*\\*.*int\\*|twice)"]),
    "one size for a launch": ("<<<(n + 255) / 256, 256>>>", "<<<n>>>", ["20: a launch is configured by <<<blocks, threads>>>"]),
    "value for a pointer": ("2 * data[i];", "atomicAdd(data[i], 1);", ["8: .*atomicAdd"]),
    "result of a kernel": ("__global__ void", "__global__ int", ["4: a kernel returns void: 'twice' writes its results to memory"]),
    "call of a kernel": ("<<<(n + 255) / 256, 256>>>", "", ["20: 'twice' is a kernel: launch it, with <<<blocks, threads>>> behind its name"]),
    "mark of an annotation": (LAUNCH, "    /*@ assert n = 1000\n" + LAUNCH, ["20: no '\\*/' closes the annotation that begins here"]),
    "name in an annotation": (LAUNCH, "    //@ assert m = 1000\n" + LAUNCH, ["20: 'm' is no variable of the program here"]),
}
# Programs that resemble a mistake, and have none.
RIGHT = {
    "function of the same name": ("int main(void)\n{", "void twice(int *data) { data[0]++; }\nint main(void)\n{\n    int one[1] = {0};\n    twice(one);"),
    "code that nobody compiles": (LAUNCH, "#ifdef NOWHERE\n    twice(device, n);\n#endif\n" + LAUNCH),
    "kernel that takes a function of its name": ("int main(void)\n{", "template <class F> void call(F twice)\n{\n    twice();\n}\nint main(void)\n{\n    call([] {});"),
    "comment within an annotation's": (LAUNCH, "    /*@ assert n = 1000 */ /* all of them */\n" + LAUNCH),
}


def run(name, old, new):
    path = os.path.join(TEMPORARY.name, re.sub(r"\W", "_", name) + ".cu")
    assert old in PROGRAM, name
    with open(path, "w", encoding="utf-8") as file:
        file.write(PROGRAM.replace(old, new, 1))
    done = subprocess.run([BINARY, "run", path], capture_output=True, text=True, errors="replace", timeout=WAIT_S, check=False)
    return path, done


def run_all(programs):
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        started = {name: pool.submit(run, name, *what[:2]) for name, what in programs.items()}
        return {name: each.result() for name, each in started.items()}


class FirstMistakes(unittest.TestCase):
    def test_each_mistake_is_told_once_at_its_line(self):
        for name, (path, done) in run_all(MISTAKES).items():
            with self.subTest(name):
                said = done.stderr
                told = [f"{found[1]}: {found[2]}" for found in
                        re.finditer("^(?:reductio: )?" + re.escape(path) + r":(\d+):\d+: (?:(?:fatal )?error: )?(?!note: )(.*)$", said, re.M)]
                wanted = MISTAKES[name][2]
                self.assertEqual(len(told), len(wanted), said)
                for pattern, line in zip(wanted, told):
                    self.assertRegex(line, "^" + pattern)
                self.assertEqual(done.returncode, 2, said)
                self.assertNotRegex(said, r"--kernel|/headers/|__rd_|__RD_|reductio_\w+\.h")

    def test_right_programs_that_resemble_them_run(self):
        for name, (_, done) in run_all(RIGHT).items():
            with self.subTest(name):
                self.assertEqual(done.stdout.splitlines()[:1], ["20"], done.stderr)


if __name__ == "__main__":
    unittest.main()
