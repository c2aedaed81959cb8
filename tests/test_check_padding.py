#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Structs are copied with their padding, which nobody reads; a member that nobody has written is still found.

usage: test_check_padding.py REDUCTIO [unittest's arguments]"""

import unittest

from check_case import HAS_LINES, CheckTest

FILE = """
struct plain { char c; int v; double d; };
struct inner { short a; int b; };
struct outer { inner in[2]; char t; };
struct alignas(8) lonely { short a; };
struct bits { unsigned x : 3; unsigned y : 7; char z; };
struct derived : inner { char q; };
struct empty {};
struct with_empty { empty e; long l; };
union either { char c; double d; };
template <class T> __device__ void copy(T *a)
{
    T x = a[0];
    a[1] = x;
    a[2] = a[1];
    memcpy(a + 3, a, 2 * sizeof(T));
}
__global__ void of_plain(plain *a) { a[0].c = 1; a[0].v = 2; a[0].d = 3; copy(a); }
__global__ void of_outer(outer *a)
{
    for (inner &in : a[0].in)
        in.a = in.b = 1;
    a[0].t = 3;
    copy(a);
}
__global__ void of_lonely(lonely *a) { a[0].a = 1; copy(a); }
__global__ void of_bits(bits *a) { a[0].z = 1; a[0] = {1, 2, 3}; a[1].z = 1; copy(a); }
__global__ void of_derived(derived *a) { a[0].a = 1; a[0].b = 1; a[0].q = 5; copy(a); }
__global__ void of_empty(with_empty *a) { a[0].l = 1; copy(a); }
__global__ void of_bytes(unsigned char *raw) { plain *a = (plain *)raw; a[0].c = 1; a[0].v = 2; a[0].d = 3; copy(a); }
__global__ void of_heap(unsigned char *)
{
    plain *a = (plain *)malloc(5 * sizeof(plain));
    a[0].c = 1; a[0].v = 2; a[0].d = 3;
    copy(a);
    free(a);
}
__global__ void of_shared(unsigned char *r)
{
    __shared__ plain a[5];
    a[0].c = 1; a[0].v = 2; a[0].d = 3;
    copy(a);
    r[0] = a[2].v;
}
__global__ void member_plain(plain *a) { a[0].c = 1; a[0].d = 3; copy(a); }
__global__ void member_outer(outer *a) { a[0].in[0].a = a[0].in[0].b = a[0].in[1].a = 1; a[0].t = 3; copy(a); }
__global__ void member_heap(unsigned char *)
{
    plain *a = (plain *)malloc(5 * sizeof(plain));
    a[0].c = 1; a[0].v = 2;
    copy(a);
    free(a);
}
__global__ void member_shared(unsigned char *r)
{
    __shared__ plain a[5];
    a[0].c = 1; a[0].d = 3;
    copy(a);
    r[0] = 1;
}
__global__ void member_alone(plain *a) { a[0].c = 1; a[0].d = 1; a[1].v = a[0].v; }
__global__ void member_union(either *a) { a[0].c = 1; a[1].d = a[0].d; }
__global__ void padding_as_a_value(plain *a) { a[0].c = 1; ((char *)a)[30] = ((char *)a)[2]; }
__global__ void vector(float4 *a) { a[0].x = a[0].y = a[0].w = 1; a[1] = a[0]; }
"""


class PaddingTest(CheckTest):
    def hazards(self, kernel):
        self.write("padding.cu", FILE)
        return self.report(kernel, "--arg", "u8[160]:uninit", file="padding.cu")["hazards"]

    def test_padding_may_be_copied(self):
        for kernel in ("of_plain", "of_outer", "of_lonely", "of_bits", "of_derived", "of_empty", "of_bytes", "of_heap",
                       "of_shared"):
            with self.subTest(kernel):
                self.assertEqual(self.hazards(kernel), [])

    @unittest.skipUnless(HAS_LINES, "no types in this build")
    def test_member_that_is_not_written_is_still_found(self):
        for kernel in ("member_plain", "member_outer", "member_heap", "member_shared", "member_alone", "member_union",
                       "padding_as_a_value", "vector"):
            with self.subTest(kernel):
                self.assertIn("uninitialised", [hazard["name"] for hazard in self.hazards(kernel)])


if __name__ == "__main__":
    unittest.main()
