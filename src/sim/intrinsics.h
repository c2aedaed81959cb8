// SPDX-License-Identifier: MIT
/* What kernels call, in C and in C++: plain functions, which the macros of cuda.h and the templates
 * of cuda.hpp give CUDA's names. */
#ifndef RD_SIM_INTRINSICS_H
#define RD_SIM_INTRINSICS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A line, and behind it a number: two barriers on one line are two. */
#define RD_SIM_LINE_BITS 20
#define RD_SIM_BARRIER   (__LINE__ + ((unsigned)__COUNTER__ << RD_SIM_LINE_BITS))

/* __syncthreads(), and its forms: `kind` as in enum rd_sim_barrier, `line` as above. */
void rd_sim_block_sync(const char *file, unsigned line);
int rd_sim_syncthreads(int kind, int value, const char *file, unsigned line);
/* The barrier of the whole grid: this_grid().sync(). */
void rd_sim_grid_sync(const char *file, unsigned line);
void rd_sim_syncwarp(unsigned mask, const char *file, unsigned line);
/* `of_block` as of __threadfence_block(). */
void rd_sim_threadfence(int of_block);

enum rd_sim_shuffle { RD_SHFL, RD_SHFL_UP, RD_SHFL_DOWN, RD_SHFL_XOR };
/* Any value of up to 64 bits, as bits. */
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
/* The lanes whose values are this one's. Where `same` is not NULL, it is told whether all values
 * are, and otherwise there are no such lanes. */
unsigned rd_sim_match(unsigned mask, uint64_t value, int *same, const char *file, unsigned line);
unsigned rd_sim_activemask(const char *file, unsigned line);

/* What more is known of an atomic: it is atomic, and orders, among the block's threads only; it may
 * take a lock, which is what atomicCAS() is for. */
enum rd_sim_atomic { RD_SIM_OF_GRID = 0, RD_SIM_OF_BLOCK = 1, RD_SIM_TAKES_LOCK = 2 };

/* Tells of an atomic access to these bytes from pc; the operation itself is done by the caller,
 * behind it: no other thread runs in between. */
void rd_sim_atomic(const volatile void *address, size_t size_bytes, void *pc);
/* The same of which more is known: bits of enum rd_sim_atomic. */
void rd_sim_atomic_of(int atomic, const volatile void *address, size_t size_bytes, void *pc);

/* The operations, for C. Each returns the old value. */
#define RD_SIM_ATOMICS_OF(T, type)                                                                 \
    T rd_sim_add_##type(void *p, T value);                                                         \
    T rd_sim_sub_##type(void *p, T value);                                                         \
    T rd_sim_min_##type(void *p, T value);                                                         \
    T rd_sim_max_##type(void *p, T value);                                                         \
    T rd_sim_exch_##type(void *p, T value);                                                        \
    T rd_sim_cas_##type(void *p, T compare, T value);
RD_SIM_ATOMICS_OF(int32_t, i32)
RD_SIM_ATOMICS_OF(uint32_t, u32)
RD_SIM_ATOMICS_OF(int64_t, i64)
RD_SIM_ATOMICS_OF(uint64_t, u64)
RD_SIM_ATOMICS_OF(float, f32)
RD_SIM_ATOMICS_OF(double, f64)
#define RD_SIM_ATOMICS_OF_BITS(T, type)                                                            \
    T rd_sim_and_##type(void *p, T value);                                                         \
    T rd_sim_or_##type(void *p, T value);                                                          \
    T rd_sim_xor_##type(void *p, T value);
RD_SIM_ATOMICS_OF_BITS(int32_t, i32)
RD_SIM_ATOMICS_OF_BITS(uint32_t, u32)
RD_SIM_ATOMICS_OF_BITS(int64_t, i64)
RD_SIM_ATOMICS_OF_BITS(uint64_t, u64)
uint32_t rd_sim_inc_u32(void *p, uint32_t value);
uint32_t rd_sim_dec_u32(void *p, uint32_t value);

/* The thread comes to a checkpoint; see kernels/checkpoint.h. `point` is an rd_point. */
void rd_sim_checkpoint(int point, const void *array, size_t count, size_t elem_bytes,
                       uint64_t variable);
void rd_sim_checkpoint_lane(int point, const void *value, size_t elem_bytes, uint64_t variable);

/* The block's dynamic shared memory. */
void *rd_sim_dynamic_shared(void);
void *rd_sim_dynamic_shared_as(const char *name); /* as the kernel calls it */

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
