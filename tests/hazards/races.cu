// SPDX-License-Identifier: MIT
// Races and their right twins. Each `run` line says how a kernel is launched, under every schedule; each
// `want` line what must be reported, and nothing else may be.

// run block_sum: --grid 3 --block 64 --arg f32[192]:iota --arg f32[3]:uninit
// want block_sum: clean
__global__ void block_sum(const float *a, float *out)
{
    __shared__ float s[64];
    unsigned t = threadIdx.x;
    s[t] = a[blockIdx.x * 64 + t];
    __syncthreads();
    for (unsigned o = 32; o > 0; o /= 2) {
        if (t < o)
            s[t] += s[t + o];
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = s[0];
}

// run block_sum_no_barrier: --grid 1 --block 64 --arg f32[64]:iota --arg f32[1]:uninit
// want block_sum_no_barrier: race
// right block_sum_no_barrier: block_sum
__global__ void block_sum_no_barrier(const float *a, float *out)
{
    __shared__ float s[64];
    unsigned t = threadIdx.x;
    s[t] = a[t];
    __syncthreads();
    for (unsigned o = 32; o > 0; o /= 2)
        if (t < o)
            s[t] += s[t + o];
    if (t == 0)
        out[0] = s[0];
}

// run all_add: --grid 2 --block 32 --arg i32[64]:one --arg i32[1]:zero
// want all_add: race
// right all_add: all_add_atomic
__global__ void all_add(const int *a, int *c)
{
    c[0] += a[blockIdx.x * blockDim.x + threadIdx.x];
}

// run all_add_atomic: --grid 2 --block 32 --arg i32[64]:one --arg i32[1]:zero
// want all_add_atomic: clean
__global__ void all_add_atomic(const int *a, int *c)
{
    atomicAdd(c, a[blockIdx.x * blockDim.x + threadIdx.x]);
}

// run first_and_last_block: --grid 5 --block 4 --arg i32[16]:zero
// want first_and_last_block: race/write-write/grid
// taught first_and_last_block: race/write-write/grid: second launch; atomic
// right first_and_last_block: each_block_its_own
__global__ void first_and_last_block(int *a)
{
    unsigned b = blockIdx.x;
    if (threadIdx.x == 0)
        a[b == 4 ? 0 : b] = (int)b + 1;
}

// run each_block_its_own: --grid 5 --block 4 --arg i32[16]:zero
// want each_block_its_own: clean
__global__ void each_block_its_own(int *a)
{
    if (threadIdx.x == 0)
        a[blockIdx.x] = 1;
}

// Threads 0 and 1 only read; thread 0 then writes. A shadow that keeps one reader, and happens to keep
// thread 0, would see thread 0 alone.
// run three_threads: --grid 1 --block 3 --arg i32[1]:zero --arg i32[3]:zero
// want three_threads: race
// right three_threads: three_readers
__global__ void three_threads(int *a, int *out)
{
    out[threadIdx.x] = a[0];
    if (threadIdx.x == 0)
        a[0] = 5;
}

// run three_readers: --grid 1 --block 3 --arg i32[1]:zero --arg i32[3]:zero
// want three_readers: clean
__global__ void three_readers(int *a, int *out)
{
    out[threadIdx.x] = a[0];
    __syncthreads();
    if (threadIdx.x == 0)
        a[0] = 5;
}

// run same_value: --grid 1 --block 33 --arg i32[1]:zero
// want same_value: race/same-value
__global__ void same_value(int *flag)
{
    if (threadIdx.x >= 31)
        flag[0] = 0;
}

// run other_value: --grid 1 --block 33 --arg i32[1]:zero
// want other_value: race/write-write
__global__ void other_value(int *flag)
{
    flag[0] = (int)threadIdx.x + 1;
}

// run atomic_and_plain: --grid 1 --block 2 --arg i32[1]:zero --arg i32[1]:zero
// want atomic_and_plain: race
// taught atomic_and_plain: race/read-write/warp: make the plain one atomic, too
// right atomic_and_plain: atomic_then_plain
__global__ void atomic_and_plain(int *a, int *out)
{
    if (threadIdx.x == 0)
        atomicAdd(a, 1);
    else
        out[0] = a[0];
}

// run atomic_then_plain: --grid 1 --block 2 --arg i32[1]:zero --arg i32[1]:zero
// want atomic_then_plain: clean
__global__ void atomic_then_plain(int *a, int *out)
{
    if (threadIdx.x == 0)
        atomicAdd(a, 1);
    __syncthreads();
    if (threadIdx.x == 1)
        out[0] = a[0];
}

// A barrier orders a block, not the grid.
// run barrier_is_no_grid_barrier: --grid 2 --block 2 --arg i32[2]:zero
// want barrier_is_no_grid_barrier: race/read-write/grid
__global__ void barrier_is_no_grid_barrier(int *a)
{
    if (threadIdx.x == 0)
        a[blockIdx.x] = 1;
    __syncthreads();
    if (threadIdx.x == 1 && a[1 - blockIdx.x] == 7)
        a[blockIdx.x] = 2;
}

// The block writes, and later only reads: another block's read still races with the write.
// run write_then_read: --grid 2 --block 2 --arg i32[1]:zero --arg i32[4]:zero
// want write_then_read: race/read-write/grid
__global__ void write_then_read(int *a, int *out)
{
    if (blockIdx.x == 0 && threadIdx.x == 0)
        a[0] = 3;
    __syncthreads();
    out[blockIdx.x * 2 + threadIdx.x] = a[0];
}

// Bytes beside each other are different locations.
// run bytes_apart: --grid 1 --block 64 --arg u8[64]:zero
// want bytes_apart: clean
__global__ void bytes_apart(unsigned char *a)
{
    a[threadIdx.x] = (unsigned char)threadIdx.x;
}

// run bytes_overlap: --grid 1 --block 2 --arg u8[64]:zero
// want bytes_overlap: race
// right bytes_overlap: bytes_apart
__global__ void bytes_overlap(unsigned char *a)
{
    if (threadIdx.x == 0)
        *(unsigned *)a = 7;
    else
        a[3] = 1;
}

// run bytes_beside_a_word: --grid 1 --block 2 --arg u8[64]:zero
// want bytes_beside_a_word: clean
__global__ void bytes_beside_a_word(unsigned char *a)
{
    if (threadIdx.x == 0)
        *(unsigned *)a = 7;
    else
        a[4] = 1;
}

// run wide_halves: --grid 1 --block 2 --arg f64[2]:zero
// want wide_halves: race
__global__ void wide_halves(double *a)
{
    if (threadIdx.x == 0)
        a[0] = 1;
    else
        ((int *)a)[1] = 3;
}

// run in_a_helper: --grid 1 --block 32 --arg i32[32]:iota
// want in_a_helper: race
__device__ int right_neighbour(volatile int *p)
{
    return p[1];
}
__global__ void in_a_helper(int *a)
{
    if (threadIdx.x < 31)
        a[threadIdx.x] = right_neighbour(a + threadIdx.x);
}

// run struct_copy: --grid 1 --block 2 --arg i32[8]:iota
// want struct_copy: race
struct pair {
    int x, y;
};
__global__ void struct_copy(int *a)
{
    pair *p = (pair *)a;
    if (threadIdx.x == 0)
        p[0] = p[1];
    else
        a[3] = 9;
}

// A compiler tells a copy's write before its read: what it writes shows only after both.
struct small {
    short value;
};

// run small_copies: --grid 1 --block 2 --arg i16[1]:zero --arg i16[2]:iota
// want small_copies: race/write-write
__global__ void small_copies(small *out, const small *in)
{
    out[0] = in[threadIdx.x];
}

// run small_copies_of_one: --grid 1 --block 2 --arg i16[1]:one --arg i16[2]:one
// want small_copies_of_one: race/same-value
__global__ void small_copies_of_one(small *out, const small *in)
{
    out[0] = in[0];
}

// A write of what is there, and a read of something else behind it.
// run same_value_then_read: --grid 1 --block 2 --arg i16[1]:one --arg i16[2]:iota --arg i16[2]:uninit
// want same_value_then_read: race/same-value
__global__ void same_value_then_read(short *out, const short *in, short *seen)
{
    out[0] = 1;
    seen[threadIdx.x] = in[threadIdx.x];
}

// The thread ends at the read: its write doesn't take place, and nobody knows of which value.
// run small_copy_from_nowhere: --grid 1 --block 2 --arg i16[1]:zero --arg i16[2]:zero
// want small_copy_from_nowhere: race/write-write, out-of-bounds
__global__ void small_copy_from_nowhere(small *out, const small *in)
{
    out[0] = in[threadIdx.x == 0 ? 0 : (size_t)1 << 44];
}

// run file_variable: --grid 2 --block 1 --arg i32[1]:zero
// want file_variable: race/read-write/grid
__device__ int counter;
__global__ void file_variable(int *out)
{
    counter += 1;
}
int main()
{
    int *d;
    file_variable<<<2, 1>>>(d);
    return 0;
}
