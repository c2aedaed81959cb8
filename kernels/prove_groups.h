// SPDX-License-Identifier: MIT
/* <cooperative_groups.h> for the prover: the block. A function of its is read as what its body says, where it is called:
 * src/prove/syntax/groups.c. What else there is of groups is not declared. */
#ifndef RD_PROVE_GROUPS_H
#define RD_PROVE_GROUPS_H

#define RD_PROVE_OF_GROUP __attribute__((annotate("of group")))

namespace cooperative_groups
{

struct __attribute__((annotate("group"))) thread_block {
    RD_PROVE_OF_GROUP static void sync()
    {
        __syncthreads();
    }
    RD_PROVE_OF_GROUP static unsigned thread_rank()
    {
        return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    }
    RD_PROVE_OF_GROUP static unsigned size()
    {
        return blockDim.x * blockDim.y * blockDim.z;
    }
    RD_PROVE_OF_GROUP static unsigned num_threads()
    {
        return blockDim.x * blockDim.y * blockDim.z;
    }
    RD_PROVE_OF_GROUP static const uint3 &thread_index()
    {
        return threadIdx;
    }
    RD_PROVE_OF_GROUP static const uint3 &group_index()
    {
        return blockIdx;
    }
    RD_PROVE_OF_GROUP static const dim3 &group_dim()
    {
        return blockDim;
    }
    RD_PROVE_OF_GROUP static const dim3 &dim_threads()
    {
        return blockDim;
    }
};
__attribute__((annotate("this group"))) thread_block this_thread_block();
RD_PROVE_OF_GROUP inline void sync(const thread_block &)
{
    __syncthreads();
}
RD_PROVE_OF_GROUP inline unsigned thread_rank(const thread_block &)
{
    return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}

} // namespace cooperative_groups

#endif
