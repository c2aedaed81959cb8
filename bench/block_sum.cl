/* SPDX-License-Identifier: MIT
 * kernels/block_sum.cu in OpenCL. */
kernel void block_sum(global const float *a, global float *out, local float *s)
{
    uint t = get_local_id(0);
    s[t] = a[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint o = get_local_size(0) / 2; o > 0; o /= 2) {
        if (t < o)
            s[t] += s[t + o];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (t == 0)
        out[get_group_id(0)] = s[0];
}
