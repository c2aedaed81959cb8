// SPDX-License-Identifier: MIT
// Inline PTX: an asm statement of the file has become a call of rd_sim_ptx(), around which its
// operands are taken and given.
#ifndef RD_PTX_HPP
#define RD_PTX_HPP

#include "reductio_ptx.h"

template <class T, bool = std::is_integral<T>::value || std::is_enum<T>::value> struct rd_ptx_bits {
    static_assert(sizeof(T) <= 8, "an operand has at most 64 bits");
    static inline __attribute__((always_inline)) uint64_t of(T x)
    {
        uint64_t bits = 0;
        __builtin_memcpy(&bits, &x, sizeof x);
        return bits;
    }
    static inline __attribute__((always_inline)) T value(uint64_t bits)
    {
        T x;
        __builtin_memcpy(&x, &bits, sizeof x);
        return x;
    }
};
template <class T> struct rd_ptx_bits<T, true> {
    static inline __attribute__((always_inline)) uint64_t of(T x)
    {
        return (uint64_t)x;
    }
    static inline __attribute__((always_inline)) T value(uint64_t bits)
    {
        return (T)bits;
    }
};
template <class T> RD_INLINE uint64_t rd_ptx_in(T x)
{
    return rd_ptx_bits<T>::of(x);
}
template <class T>
RD_INLINE typename std::remove_cv<typename std::remove_reference<T>::type>::type
rd_ptx_out(uint64_t bits)
{
    return rd_ptx_bits<
        typename std::remove_cv<typename std::remove_reference<T>::type>::type>::value(bits);
}

// ---- addresses within a memory space ----

RD_INLINE size_t __cvta_generic_to_shared(const volatile void *p)
{
    return (size_t)rd_sim_to_shared(p);
}
RD_INLINE void *__cvta_shared_to_generic(size_t address)
{
    return rd_sim_from_shared(address);
}
#define RD_CVTA_SAME(space)                                                                        \
    RD_INLINE size_t __cvta_generic_to_##space(const void *p)                                      \
    {                                                                                              \
        return (size_t)p;                                                                          \
    }                                                                                              \
    RD_INLINE void *__cvta_##space##_to_generic(size_t address)                                    \
    {                                                                                              \
        return (void *)address;                                                                    \
    }
RD_CVTA_SAME(global)
RD_CVTA_SAME(local)
RD_CVTA_SAME(constant)
RD_CVTA_SAME(grid_constant)
#undef RD_CVTA_SAME
RD_INLINE unsigned rd_is_in_space(const char *text, const void *p)
{
    uint64_t values[] = {0, (uint64_t)p};
    rd_sim_ptx(text, "=r,l", values, "", 0);
    return (unsigned)values[0];
}
#define RD_IS_SPACE(name, space)                                                                   \
    RD_INLINE unsigned name(const void *p)                                                         \
    {                                                                                              \
        return rd_is_in_space(                                                                     \
            "{ .reg .pred p; isspacep." #space " p, %1; selp.u32 %0, 1, 0, p; }", p);              \
    }
RD_IS_SPACE(__isGlobal, global)
RD_IS_SPACE(__isShared, shared)
RD_IS_SPACE(__isLocal, local)
RD_IS_SPACE(__isConstant, const)
#undef RD_IS_SPACE

#endif
