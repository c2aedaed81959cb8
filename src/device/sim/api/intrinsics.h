// SPDX-License-Identifier: MIT
/* Functions for kernels, in C and in C++: plain ones, which the macros of cuda.h and the templates
 * of reductio_cuda.hpp give CUDA's names. */
#ifndef RD_SIM_INTRINSICS_H
#define RD_SIM_INTRINSICS_H

#include <stddef.h>
#include <stdint.h>

/* CUDA's dim3 and uint3. */
struct rd_sim_dim {
    unsigned x, y, z;
};

#ifdef __cplusplus
extern "C" {
#endif

/* Names a barrier by its line and a number, since two barriers may stand on one line. */
#define RD_SIM_LINE_BITS     20
#define RD_SIM_BARRIER       (__LINE__ + ((unsigned)__COUNTER__ << RD_SIM_LINE_BITS))
#define RD_SIM_LINE(barrier) ((barrier) & ((1u << RD_SIM_LINE_BITS) - 1))

/* __syncthreads() and its forms. `kind` is an enum rd_sim_barrier, `line` an RD_SIM_BARRIER. */
void rd_sim_block_sync(const char *file, unsigned line);
int rd_sim_syncthreads(int kind, int value, const char *file, unsigned line);
/* The barrier of the whole grid: this_grid().sync(). */
void rd_sim_grid_sync(const char *file, unsigned line);
void rd_sim_syncwarp(unsigned mask, const char *file, unsigned line);
/* __threadfence(), or with `of_block` __threadfence_block(). */
void rd_sim_threadfence(int of_block);

enum rd_sim_shuffle { RD_SHFL, RD_SHFL_UP, RD_SHFL_DOWN, RD_SHFL_XOR };
/* Shuffles a value of up to 64 bits, passed as bits. */
uint64_t rd_sim_shuffle(int kind, unsigned mask, uint64_t value, int lane, int width,
                        const char *file, unsigned line);

enum rd_sim_vote {
    RD_VOTE_BALLOT,
    RD_VOTE_ANY,
    RD_VOTE_ALL,
    RD_VOTE_ADD,
    RD_VOTE_MIN_U,
    RD_VOTE_MAX_U,
    RD_VOTE_MIN_S,
    RD_VOTE_MAX_S,
    RD_VOTE_AND,
    RD_VOTE_OR,
    RD_VOTE_XOR,
    RD_VOTE_MATCH_ANY,
    RD_VOTE_MATCH_ALL,
};
unsigned rd_sim_vote(int kind, unsigned mask, unsigned value, const char *file, unsigned line);
/* Gives the values of all lanes that meet, whose numbers are the bits of the result; `operation`, from 32 on, must be
 * the same for all. */
unsigned rd_sim_exchange(unsigned operation, unsigned mask, uint64_t value, uint64_t values[32],
                         const char *file, unsigned line);
/* A matrix instruction, for which these lanes have met: all of the warp must. */
void rd_sim_whole_warp(unsigned present, const char *file, unsigned line);
/* __match_any_sync(): the lanes that have this lane's value. With `same` __match_all_sync(): all lanes of the mask, or none,
 * and *same whether all have that value. */
unsigned rd_sim_match(unsigned mask, uint64_t value, int *same, const char *file, unsigned line);
unsigned rd_sim_activemask(const char *file, unsigned line);
/* Reports a call of a warp function of before CUDA 9, "__shfl_down", which takes no mask. */
void rd_sim_outdated(const char *name, const char *file, unsigned line);

/* Notes that the thread returns before the end of the kernel, which begins at line `first`: it reaches no line from `from` on. */
void rd_sim_return(const char *file, unsigned line, unsigned first, unsigned from);

/* Ends the thread, as behind the last statement of its kernel. */
void rd_sim_end(void);

/* Marks a struct that placement `new` has made as initialised. Hooks see what its constructor sets, but not what a function
 * returns straight into the object, for which g++ has no hook. `bytes` has a 0 for each byte of padding; NULL if that is
 * unknown. An aggregate has no constructor: all of it is set. */
void rd_sim_made(void *object, size_t size_bytes, const unsigned char *bytes, int is_aggregate);

/* Properties of an atomic. */
enum rd_sim_atomic {
    RD_SIM_OF_GRID = 0,
    RD_SIM_OF_BLOCK = 1,    /* it is atomic, and orders, among the block's threads only */
    RD_SIM_OF_THREAD = 2,   /* not even among these */
    RD_SIM_TAKES_LOCK = 4,  /* it may, as atomicCAS() is for that */
    RD_SIM_LOADS = 8,       /* it only reads, */
    RD_SIM_STORES = 16,     /* or only writes */
    RD_SIM_ORDER_SAID = 32, /* its caller says what it orders: nothing, or */
    RD_SIM_ACQUIRES = 64,
    RD_SIM_RELEASES = 128,
    RD_SIM_OF_SYSTEM = 256,  /* of the grid, and of the host and of other devices, too */
    RD_SIM_IS_DROPPED = 512, /* nobody takes the old value */
};

/* Checks an atomic access from pc; `atomic` is bits of enum rd_sim_atomic. The caller then performs the operation itself: no
 * other thread runs in between. */
void rd_sim_atomic(int atomic, const volatile void *address, size_t size_bytes, void *pc);
/* Checks a compare-and-swap, which only reads if the bytes differ from those compared. */
void rd_sim_atomic_cas(int atomic, const volatile void *address, size_t size_bytes,
                       const void *compared, void *pc);

/* Checks a plain access from pc that has no hook, as a texture's; the caller makes it afterwards. */
void rd_sim_accessed(const volatile void *address, size_t size_bytes, int writes, void *pc);
/* The same of a volatile one. */
void rd_sim_accessed_volatile(const volatile void *address, size_t size_bytes, int writes,
                              void *pc);

/* Result of an atomic sum of floats of 32 bits at that address: in global memory subnormal operands, and a subnormal result, are
 * flushed to zeros of their sign (PTX ISA, "atom"). */
float rd_sim_atomic_sum(const volatile void *address, float x, float y);

/* Checks a printf() from pc before it is made: whether the arguments are those that the format asks for, and what %s reads. `kinds`
 * has a letter for each argument, 'i', 'f' or 'p', and `pointers` what is a pointer. 0: it can't be made. */
int rd_sim_printf(const char *format, const char *kinds, const void *const *pointers, unsigned n,
                  void *pc);
/* printf() from pc, of a kernel or of the host. */
int rd_sim_printf_made(void *pc, const char *format, ...);
/* It is made, and prints this, or begins so: noted, for what is printed under other schedules. */
void rd_sim_printed(const char *text);

/* The operations, for C, of the device's scope and of the block's. Each returns the old value. */
#define RD_SIM_ATOMIC_OF(T, name, type)                                                            \
    T rd_sim_##name##_##type(void *p, T value);                                                    \
    T rd_sim_##name##_block_##type(void *p, T value);
#define RD_SIM_ATOMICS_OF(T, type)                                                                 \
    RD_SIM_ATOMIC_OF(T, add, type)                                                                 \
    RD_SIM_ATOMIC_OF(T, sub, type)                                                                 \
    RD_SIM_ATOMIC_OF(T, min, type)                                                                 \
    RD_SIM_ATOMIC_OF(T, max, type)                                                                 \
    RD_SIM_ATOMIC_OF(T, exch, type)                                                                \
    T rd_sim_cas_##type(void *p, T compare, T value);                                              \
    T rd_sim_cas_block_##type(void *p, T compare, T value);
RD_SIM_ATOMICS_OF(int32_t, i32)
RD_SIM_ATOMICS_OF(uint32_t, u32)
RD_SIM_ATOMICS_OF(int64_t, i64)
RD_SIM_ATOMICS_OF(uint64_t, u64)
RD_SIM_ATOMICS_OF(float, f32)
RD_SIM_ATOMICS_OF(double, f64)
uint16_t rd_sim_cas_u16(void *p, uint16_t compare, uint16_t value);
uint16_t rd_sim_cas_block_u16(void *p, uint16_t compare, uint16_t value);
#define RD_SIM_ATOMICS_OF_BITS(T, type)                                                            \
    RD_SIM_ATOMIC_OF(T, and, type)                                                                 \
    RD_SIM_ATOMIC_OF(T, or, type)                                                                  \
    RD_SIM_ATOMIC_OF(T, xor, type)
RD_SIM_ATOMICS_OF_BITS(int32_t, i32)
RD_SIM_ATOMICS_OF_BITS(uint32_t, u32)
RD_SIM_ATOMICS_OF_BITS(int64_t, i64)
RD_SIM_ATOMICS_OF_BITS(uint64_t, u64)
RD_SIM_ATOMIC_OF(uint32_t, inc, u32)
RD_SIM_ATOMIC_OF(uint32_t, dec, u32)

/* The thread comes to a checkpoint; see kernels/checkpoint.h. `point` is an rd_point. */
void rd_sim_checkpoint(int point, const void *array, size_t count, size_t elem_bytes,
                       uint64_t variable);
void rd_sim_checkpoint_lane(int point, const void *value, size_t elem_bytes, uint64_t variable);

/* The block's dynamic shared memory. */
void *rd_sim_dynamic_shared(void);
void *rd_sim_dynamic_shared_as(const char *name); /* as the kernel calls it */
/* The same of a kernel outside the library, whose file has that memory. */
void *rd_sim_dynamic_shared_named(void *dynamic, const char *name);

/* The largest block of shared memory of any GPU so far (compute capability 9.0), less what static
 * variables take. */
enum { RD_SIM_DYNAMIC_MAX = 227 * 1024 };

#ifdef __cplusplus
[[noreturn]]
#else
_Noreturn
#endif
void rd_sim_assert_fail(const char *text, const char *file, unsigned line);
long long rd_sim_clock(void);

#ifdef __cplusplus
}
#endif

#endif
