// SPDX-License-Identifier: MIT
// Variables that have names of others in host_variables.cu: each is what it is there.
static __device__ int quiet[4], kept_name;
static int managed[4];
__global__ void read_other(int *out)
{
    *out += quiet[0] + kept_name;
}
void in_other_file(int *out)
{
    read_other<<<1, 1>>>(out);
    managed[0] = 1;
}
