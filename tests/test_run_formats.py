#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`reductio run FILE.cu` with --format: all documents say the same of the program and of each annotation, and nothing that was not
asserted looks clean.

usage: test_run_formats.py REDUCTIO [unittest's arguments]"""

import json
import subprocess
import unittest

from check_case import BINARY, CheckTest
from patience import WAIT_S
from results_case import FORMATS, agree

FOLD = """#include <cstdio>
#include <cstdlib>
#ifndef SHIFT
#define SHIFT 0
#endif
__global__ void fold(int *A, int half)
{
    int i = threadIdx.x;
    if (i < half)
        A[i] += A[i + half - SHIFT];
}
int main(int argc, char **argv)
{
    int n = 8, a[8], *A;
    for (int i = 0; i < n; i++)
        a[i] = i;
    cudaMalloc(&A, sizeof a);
    //@ requires n = 2^k
    //@ input a[n]
    cudaMemcpy(A, a, sizeof a, cudaMemcpyHostToDevice);
    //@ invariant for 0 <= i < w: A[i] = sum of a[j], j mod w = i
    for (int w = n; w > 1; w /= 2)
        fold<<<1, 8>>>(A, w / 2);
    const int more = argc - 1;
    //@ assert more < 2
    cudaFree(A);
    printf("the program's own words\\n");
    return argc > 1 ? atoi(argv[1]) : 0;
}
"""
PLAIN = """#include <cstdio>
int main() { printf("the program's own words\\n"); }
"""


class RunFormatsTest(CheckTest):
    def run_file(self, *arguments):
        return subprocess.run([BINARY, "run", *arguments], cwd=self.folder, env=self.environment, capture_output=True, text=True,
                              timeout=WAIT_S, check=False)

    def agreed(self, text, *arguments, formats=FORMATS):
        """Returns the verdict and the subjects, as all documents have them."""
        self.write("t.cu", text)
        behind = arguments.index("--") if "--" in arguments else len(arguments)
        done = {name: self.run_file("--device", "sim", "t.cu", *arguments[:behind], "--format", name, *arguments[behind:])
                for name in formats}
        statuses = {one.returncode for one in done.values()}
        self.assertEqual(len(statuses), 1, done)
        for one in done.values():
            self.assertNotIn("own words", one.stdout)
            self.assertEqual("own words" in one.stderr, statuses != {2}, one.stderr)
        return agree(self, {name: one.stdout for name, one in done.items()}, statuses.pop())

    def test_program_whose_annotations_hold(self):
        verdict, subjects = self.agreed(FOLD)
        self.assertEqual((verdict, [subject["verdict"] for subject in subjects]), ("HOLDS", ["HOLDS"] * 4))
        self.assertEqual([subject["name"].split(": ", 1)[0] for subject in subjects], ["t.cu:18", "t.cu:21", "t.cu:25", "t.cu"])
        self.assertEqual(subjects[1]["tests"], [("initialization", "HOLDS"), ("preservation", "HOLDS"), ("exit", "SKIPPED")])
        self.assertEqual(subjects[2]["tests"], [("assertion", "HOLDS")])
        self.assertEqual(subjects[3]["tests"], [("end", "HOLDS"), ("hazards", "HOLDS")])
        self.assertEqual((subjects[3]["facts"]["launches"], subjects[3]["hazards"], subjects[1]["hazards"]), (3, 0, None))

    def test_violations_hazards_and_a_bad_end_are_data(self):
        arguments = ("-DSHIFT=1", "--", "7", "more")
        verdict, subjects = self.agreed(FOLD, *arguments)
        self.assertEqual((verdict, subjects[1]["violations"]), ("VIOLATED", 1))
        self.assertEqual(subjects[2]["tests"], [("assertion", "VIOLATED")])
        self.assertEqual(subjects[3]["tests"], [("end", "VIOLATED"), ("hazards", "VIOLATED")])
        self.assertEqual(subjects[3]["facts"]["end"], "exit status 7")
        document = json.loads(self.run_file("--device", "sim", "t.cu", "--format", "json", *arguments).stdout)
        (violation,) = document["subjects"][1]["violations"]
        self.assertEqual({key: violation[key] for key in ("round", "array", "cell", "expected", "line")},
                         {"round": 1, "array": "A", "cell": 0, "expected": "4", "line": 21})
        self.assertEqual(document["subjects"][3]["hazards"][0]["name"], "race")

    def test_violation_of_an_assertion_names_its_cell_and_no_step(self):
        self.write("t.cu", """int main() {
    int a[4] = {1, 2, 3, 4}, sum[4] = {1, 2, 4, 4};
    //@ input a[4]
    //@ assert for 0 <= i < 4: sum[i] = sum of a[j], j = i
    return sum[0] - 1;
}
""")
        document = json.loads(self.run_file("--device", "sim", "t.cu", "--format", "json").stdout)
        (violation,) = document["subjects"][0]["violations"]
        self.assertEqual(violation["message"], "sum[2] holds 4, and the law says 3")

    def test_program_without_annotations_is_open_and_what_is_not_contained_is_said(self):
        verdict, (subject,) = self.agreed(PLAIN, "--no-sandbox")
        self.assertEqual((verdict, subject["tests"]),
                         ("INCONCLUSIVE", [("end", "HOLDS"), ("hazards", "HOLDS"), ("verdict", "OPEN")]))
        self.assertIn("--no-sandbox", subject["not_contained"])

    def test_program_that_does_not_compile_has_a_document_in_which_nothing_holds(self):
        verdict, (subject,) = self.agreed("int main() { return x; }\n")
        self.assertEqual((verdict, subject["tests"]), ("FAILED", [("verdict", "OPEN")]))


if __name__ == "__main__":
    unittest.main()
