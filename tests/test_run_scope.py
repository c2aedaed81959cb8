# SPDX-License-Identifier: MIT
"""Names of laws that are, or are not, the program's; and annotations that the preprocessor leaves out."""

import os
import unittest

from annotated_case import TEMPORARY, AnnotatedTest

REQUIRES = """%s
int main()
{
    int n = 16;
    //@ requires n = 2^K
}
"""
MEMBER = """struct S {
    static void other(int K) { (void)K; }
    void run()
    {
        int n = 16;
        //@ requires n = 2^K
    }
    int K;
};
int main()
{
    S s = {3};
    s.run();
}
"""
ROUNDS = """%s
int main()
{
    int a[4] = {1, 2, 3, 4}, s = 0;
    //@ input a[4]
    //@ invariant s = sum of a[j], j < d
    for (int k = 0; k < 4; k++)
        s += a[k];
    //@ ensures s = sum of a[j]
}
"""
GROUPS = """int main()
{
    int a[4] = {1, 2, 3, 4}, s = 0;
    //@ input a[4]
%s
    //@ invariant s = sum of a[j], j < %s
#endif
    for (int k = 0; k < 4; k++)
        s += a[k];
    //@ ensures s = sum of a[j]
}
"""


class Scope(AnnotatedTest):
    def test_exponent_that_the_program_has_is_the_program_s(self):
        for declared in ("const int K = 3;", "static int J = 1, K{3};", "enum { J, K = 3 };", "#define K 3", "namespace { const int K = 3; }",
                         "template <int J> int f(int) { return J; } constexpr int K = 3;"):
            with self.subTest(declared):
                self.check(REQUIRES % declared, 1, "VIOLATED: n is 16, K is 3")
        self.check(MEMBER, 1, "VIOLATED: n is 16, K is 3")

    def test_exponent_that_a_header_has_is_the_program_s(self):
        with open(os.path.join(TEMPORARY.name, "own.h"), "w", encoding="utf-8") as header:
            header.write("const int K = 3;\n")
        self.check(REQUIRES % '#include "own.h"', 1, "VIOLATED: n is 16, K is 3")
        status, output = self.run_text(REQUIRES % "", "-DK=3")
        self.assertEqual(status, 3, output)
        self.assertIn("INCONCLUSIVE: 'K' is a macro, and stood for any number", output)

    def test_exponent_that_only_others_have_is_any(self):
        for declared in ("", "int f(int K) { return K; }", "struct S { int K; };", "enum class E { K };", "void g() { int K = 3; (void)K; }",
                         "template <int K> int f() { return K; }"):
            with self.subTest(declared):
                self.check(REQUIRES % declared, 3, "HOLDS, asserted 1 time")
        self.check(REQUIRES.replace("2^K", "2^s.K") % "struct S { int K; } s = {3};", 1, "VIOLATED: n is 16, s.K is 3")

    def test_d_of_the_program_is_no_number_of_rounds(self):
        self.check(ROUNDS % "", 0, "preservation    HOLDS")
        for declared in "const int d = 0;", "#define d 0":
            self.check(ROUNDS % declared, 1, "preservation    VIOLATED")

    def test_what_the_preprocessor_leaves_out_is_not_asserted(self):
        self.assertNotIn("d + 1", self.check(GROUPS % ("#if 0", "d + 1"), 0, "0 hazards: 1 assertion, 1 cell asserted"))
        self.check(GROUPS % ("#if 1", "d + 1"), 1, "VIOLATED")
        self.check(GROUPS % ("#ifdef NONE", "d + 1"), 3, "INCONCLUSIVE: the program never came here")
        self.check(GROUPS % ("#if 0\n    //@ invariant s = 7\n#else", "d"), 0, "preservation    HOLDS")


if __name__ == "__main__":
    unittest.main()
