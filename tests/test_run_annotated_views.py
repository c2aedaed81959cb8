# SPDX-License-Identifier: MIT
"""Views of annotated programs: the traces, steps and pages of their loops."""

import html
import os
import subprocess
import unittest

from annotated_case import BINARY, TEMPORARY, AnnotatedTest, fold, kernel
from patience import WAIT_S


class Views(AnnotatedTest):
    def test_annotated_trace_is_verified_and_stepped_through(self):
        status, output = self.run_text(fold(), "--trace=t.ndjson", "--quiet")
        self.assertEqual(status, 0, output)
        self.assertIn("HOLDS fold.cu:", self.of_trace("verify"))
        with open(os.path.join(TEMPORARY.name, "script"), "w", encoding="utf-8") as script:
            script.write("next\nquit\n")
        status, output = self.run_text(fold(), "--script=script", command="step")
        self.assertIn("round 1 of 3", output)
        self.assertNotIn("kernels/fold.cu", output)
        self.assertIn("fold.cu: fold ─", output)
        line = next(k for k, text in enumerate(fold().splitlines(), 1) if "A[i] +=" in text)
        self.assertRegex(output, rf"(?m)^ +{line} +A\[i\] \+=")
        self.assertIn("threads     whole programs record states", output)

    def test_annotated_loop_of_a_kernel_is_not_said_to_be_without_hazards(self):
        with open(os.path.join(TEMPORARY.name, "script"), "w", encoding="utf-8") as script:
            script.write("hazards\nquit\n")
        output = self.run_text(kernel(), "--script=script", command="step")[1]
        self.assertIn("told with the launch, of which the rounds are parts", " ".join(output.replace("│", " ").split()))
        self.assertNotIn("none in the whole run", output)

    def test_annotated_diff_of_two_versions_names_the_first_step(self):
        for name, parts in (("right", {}), ("wrong", {"wrong": "] + (half == 2) * A[i"})):
            self.run_text(fold(**parts), "--trace=%s.ndjson" % name, name=name + ".cu")
        diff = subprocess.run([BINARY, "diff", "right.ndjson", "wrong.ndjson"], cwd=TEMPORARY.name,
                              capture_output=True, text=True, timeout=WAIT_S)
        self.assertEqual(diff.returncode, 1, diff.stderr)
        self.assertIn("step 2, A[0]: 16 and ", diff.stdout)

    def test_annotated_exit_says_the_promise_as_its_author_wrote_it(self):
        text = fold(ensures="v.x[0] = sum of a[j], (j - v.z)\n    //@    < p->n + v.z").replace("A[0]", "v.x[0]")
        text = text.replace("*A, result;", "result;\n    struct { int *x; int n, z; } v, *p = &v;\n    v.n = n;\n    v.z = 0;")
        text = text.replace("sizeof *A", "sizeof *v.x").replace("(A)", "(v.x)").replace("&A,", "&v.x,").replace("(A,", "(v.x,") \
                   .replace("&result, A,", "&result, v.x,")
        text = text.replace("invariant for 0 <= i < w: A[i] = sum of a[j], j mod", "invariant for 0 <= i < w: v.x[i] = sum of a[j], (j - v.z) mod")
        status, output = self.run_text(text, "--trace=t.ndjson")
        self.assertEqual(status, 0, output)
        words = "v.x[0] = sum of a[j], (j - v.z) < p->n + v.z"
        self.assertIn("the loop has ended, and " + words, " ".join(output.split()))
        self.assertIn("sum of a[j], j mod 4 = i", output)
        self.assertNotIn("j - 0", output)
        verified = subprocess.run([BINARY, "verify", "--format=json", "t.ndjson"], cwd=TEMPORARY.name, capture_output=True, text=True, timeout=WAIT_S)
        self.assertEqual(verified.returncode, 0, verified.stdout + verified.stderr)
        with open(os.path.join(TEMPORARY.name, "t.ndjson"), encoding="utf-8") as trace:
            self.assertIn('"goal_words":"%s"' % words, trace.read())
        self.run_text(text, "-o", "page.html", command="report")
        with open(os.path.join(TEMPORARY.name, "page.html"), encoding="utf-8") as page:
            self.assertIn("the loop has ended, and " + html.escape(words), page.read())

    def test_annotated_loop_of_the_host_is_shown_without_a_kernel(self):
        with open(os.path.join(TEMPORARY.name, "script"), "w", encoding="utf-8") as script:
            script.write("next\nquit\n")
        text = fold().replace("fold<<<1, 64>>>(A, w / 2);", "for (int i = 0; i < w / 2; i++) b[i] += b[i + w / 2];") \
                     .replace("A[", "b[").replace("result;", "result, b[n];").replace("a[i] =", "b[i] = a[i] =")
        text = text.replace("b[i] += b[i + half", "A[i] += A[i + half").replace("&result, A,", "&result, b,").replace("DeviceToHost", "HostToHost")
        status, output = self.run_text(text, "--script=script", command="step")
        self.assertEqual(status, 0, output)
        self.assertIn("no kernel: on the host", output)
        self.assertIn("n = 8, on the host ", output)
        self.assertNotIn("grid", output)
        self.run_text(text, "-o", "page.html", command="report")
        with open(os.path.join(TEMPORARY.name, "page.html"), encoding="utf-8") as page:
            page = page.read()
        self.assertIn("<summary>no kernel: on the host</summary>", page)
        self.assertIn('<p class="facts">on the host</p>', page)

    def test_annotated_step_keeps_its_trace_where_files_that_do_not_last_are_kept(self):
        folder = os.path.join(TEMPORARY.name, "temporary")
        os.mkdir(folder)
        with open(os.path.join(TEMPORARY.name, "fold.cu"), "w", encoding="utf-8") as file:
            file.write(fold())
        step = subprocess.Popen([BINARY, "step", "fold.cu", "--device=sim", "--script=-"], cwd=TEMPORARY.name, stdin=subprocess.PIPE,
                                stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env={**os.environ, "TMPDIR": folder})
        while step.stdout.readline() not in (b"", b"step 0: initialization\n"):
            pass
        found = os.listdir(folder)
        step.communicate(b"quit\n", timeout=WAIT_S)
        self.assertEqual(step.returncode, 0)
        self.assertTrue(any(name.startswith("reductio-trace-") for name in found), found)
        self.assertEqual(os.listdir(folder), [])

    def test_annotated_page_is_written(self):
        status, output = self.run_text(fold(), command="report")
        self.assertEqual((status, output.count("round")), (2, 0), output)
        self.assertIn("no file to write: use -o FILE", output)
        status, output = self.run_text(fold(), "-o", "page.html", command="report")
        self.assertEqual(status, 0, output)
        self.assertTrue(output.endswith("\nwritten: page.html\n"), output)
        with open(os.path.join(TEMPORARY.name, "page.html"), encoding="utf-8") as page:
            text = page.read()
        self.assertIn("fold.cu:", text)
        self.assertRegex(text, r'<summary>kernel: [^<]*fold\.cu</summary>')
        self.assertIn("a file's proof is not shown here", html.unescape(text))

    def test_exit_of_which_nothing_is_said_has_the_same_words_on_a_page(self):
        text = "\n".join(line for line in fold().split("\n") if "ensures" not in line)
        self.assertIn("NOT ASSERTED", self.run_text(text)[1])
        self.assertEqual(self.run_text(text, "-o", "page.html", command="report")[0], 0)
        with open(os.path.join(TEMPORARY.name, "page.html"), encoding="utf-8") as page:
            shown = page.read()
        self.assertRegex(shown, r'<th scope="row">exit</th><td><b class="[A-Z]*">NOT ASSERTED</b>')
        self.assertNotIn("not asserted: ", shown)

    def test_page_of_a_loop_that_was_not_recorded_is_not_written(self):
        text = "__global__ void k(int *a) { a[threadIdx.x] = 0; }\nint main() { int *a; cudaMalloc(&a, 4); k<<<1, 2>>>(a); cudaFree(a); }\n"
        for shown, said in ((text, "fix first what the run reported"), (text.replace("1, 2", "1, 1"), "rounds are those of a loop, of the host or of a kernel, with an '//@ invariant'")):
            status, output = self.run_text(shown, "-o", "none.html", command="report")
            self.assertEqual(status, 2, output)
            self.assertIn("there is nothing to show", output)
            self.assertIn(said, output)


if __name__ == "__main__":
    unittest.main()
