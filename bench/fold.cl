/* SPDX-License-Identifier: MIT
 * The fold of kernels/fold.cu in OpenCL. */
kernel void fold(global float *A, ulong half_n)
{
    size_t i = get_global_id(0);
    if (i < half_n)
        A[i] += A[i + half_n];
}
