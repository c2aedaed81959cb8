// SPDX-License-Identifier: MIT
// A loop in a header of laws.cu.
#ifndef LAWS_H
#define LAWS_H

template <int N> void fold(int (&A)[N], int n, int wrong)
{
    //@ invariant for 0 <= i < w: A[i] = sum of B[j], j mod w = i
    for (int w = n; w > 1; w /= 2)
        for (int i = 0; i < w / 2; i++)
            A[i] += A[i + w / 2 - (wrong && w == 4)];
    //@ ensures A[0] = sum of B[j]
}

#endif
