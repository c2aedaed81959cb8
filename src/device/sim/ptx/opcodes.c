// SPDX-License-Identifier: MIT
/* The instructions that are simulated. */
#include "device/sim/ptx/ptx_internal.h"

#define ROUNDINGS "rn rz rm rp "
#define FLOATS    ROUNDINGS "ftz sat "
#define COMPARES  "eq ne lt le gt ge lo ls hi hs equ neu ltu leu gtu geu num nan and or xor ftz"
#define SPACES    "global shared shared::cta shared::cluster local const param "
#define CACHES    "ca cg cs lu cv wb wt nc L1::* "
#define ORDERS    "weak volatile relaxed acquire release acq_rel cta cluster gpu sys "
#define ROW(name, least, most, types, words)                                                       \
    {                                                                                              \
#name, rd_ptx_run_##name, least, most, words, types                                        \
    }
#define NOTHING(name, least, most, words)                                                          \
    {                                                                                              \
#name, rd_ptx_run_nothing, least, most, words, 0                                           \
    }

const struct rd_ptx_opcode rd_ptx_opcodes[] = {
    ROW(mov, 2, 2, 1, ""),
    ROW(add, 3, 3, 1, FLOATS "cc"),
    ROW(sub, 3, 3, 1, FLOATS "cc"),
    ROW(addc, 3, 3, 1, "cc"),
    ROW(subc, 3, 3, 1, "cc"),
    ROW(mul, 3, 3, 1, FLOATS "wide hi lo"),
    ROW(mad, 4, 4, 1, FLOATS "wide hi lo cc"),
    ROW(madc, 4, 4, 1, "hi lo cc"),
    ROW(mul24, 3, 3, 1, "hi lo"),
    ROW(mad24, 4, 4, 1, "hi lo"),
    ROW(fma, 4, 4, 1, FLOATS "relu"),
    ROW(sad, 4, 4, 1, ""),
    ROW(div, 3, 3, 1, ROUNDINGS "ftz approx full"),
    ROW(rem, 3, 3, 1, ""),
    ROW(abs, 2, 2, 1, "ftz"),
    ROW(neg, 2, 2, 1, "ftz"),
    ROW(min, 3, 3, 1, "ftz NaN"),
    ROW(max, 3, 3, 1, "ftz NaN"),
    ROW(and, 3, 3, 1, ""),
    ROW(or, 3, 3, 1, ""),
    ROW(xor, 3, 3, 1, ""),
    ROW(not, 2, 2, 1, ""),
    ROW(cnot, 2, 2, 1, ""),
    ROW(shl, 3, 3, 1, ""),
    ROW(shr, 3, 3, 1, ""),
    ROW(shf, 4, 4, 1, "l r clamp wrap"),
    ROW(lop3, 5, 5, 1, ""),
    ROW(prmt, 4, 4, 1, "f4e b4e rc8 ecl ecr rc16"),
    ROW(bfe, 4, 4, 1, ""),
    ROW(bfi, 5, 5, 1, ""),
    ROW(bfind, 2, 2, 1, "shiftamt"),
    ROW(fns, 4, 4, 1, ""),
    ROW(popc, 2, 2, 1, ""),
    ROW(clz, 2, 2, 1, ""),
    ROW(brev, 2, 2, 1, ""),
    ROW(dp4a, 4, 4, 2, ""),
    ROW(vabsdiff4, 4, 4, 3, "add"),
    ROW(cvt, 2, 3, 2, "rn rz rm rp rna rni rzi rmi rpi ftz sat relu"),
    ROW(setp, 3, 4, 1, COMPARES),
    ROW(set, 3, 4, 2, COMPARES),
    ROW(selp, 4, 4, 1, ""),
    ROW(slct, 4, 4, 2, "ftz"),
    ROW(rcp, 2, 2, 1, ROUNDINGS "ftz approx"),
    ROW(sqrt, 2, 2, 1, ROUNDINGS "ftz approx"),
    ROW(rsqrt, 2, 2, 1, "ftz approx"),
    ROW(sin, 2, 2, 1, "ftz approx"),
    ROW(cos, 2, 2, 1, "ftz approx"),
    ROW(ex2, 2, 2, 1, "ftz approx"),
    ROW(lg2, 2, 2, 1, "ftz approx"),
    ROW(tanh, 2, 2, 1, "approx"),
    ROW(copysign, 3, 3, 1, ""),
    ROW(testp, 2, 2, 1, "finite infinite number notanumber normal subnormal"),
    ROW(ld, 2, 2, 1, SPACES CACHES ORDERS "v2 v4"),
    {"ldu", rd_ptx_run_ld, 2, 2, "global v2 v4", 1},
    ROW(st, 2, 2, 1, SPACES CACHES ORDERS "v2 v4"),
    ROW(atom, 3, 4, 1,
        "global shared shared::cta relaxed acquire release acq_rel cta gpu sys "
        "add inc dec exch cas min max and or xor noftz"),
    ROW(red, 2, 2, 1,
        "global shared shared::cta relaxed release cta gpu sys add inc dec min max and or xor "
        "noftz"),
    ROW(cvta, 2, 2, 1, "to global shared shared::cta local const param"),
    ROW(isspacep, 2, 2, 0, "global shared shared::cta local const param"),
    ROW(cp, 0, 4, 0,
        "async ca cg shared shared::cta shared::cluster global L1::* commit_group wait_group "
        "wait_all"),
    NOTHING(prefetch, 1, 1, "global local L1 L2 L1::*"),
    NOTHING(prefetchu, 1, 1, "L1"),
    NOTHING(discard, 2, 2, "global L2"),
    NOTHING(applypriority, 2, 2, "global L1::*"),
    NOTHING(nanosleep, 1, 1, ""),
    NOTHING(griddepcontrol, 0, 0, "wait launch_dependents"),
    {"membar", rd_ptx_run_fence, 0, 0, "cta gl sys", 0},
    ROW(fence, 0, 0, 0, "sc acq_rel cta cluster gpu sys"),
    ROW(shfl, 5, 5, 1, "sync up down bfly idx"),
    ROW(vote, 3, 3, 1, "sync all any uni ballot"),
    ROW(match, 3, 3, 1, "any all sync"),
    ROW(activemask, 1, 1, 1, ""),
    ROW(redux, 3, 3, 1, "sync add min max and or xor"),
    ROW(elect, 2, 2, 0, "sync"),
    ROW(bar, 1, 4, 0, "sync warp arrive red popc and or cta aligned"),
    {"barrier", rd_ptx_run_bar, 1, 4, "sync arrive red popc and or cta aligned", 0},
    ROW(trap, 0, 0, 0, ""),
    {"brkpt", rd_ptx_run_trap, 0, 0, "", 0},
    ROW(exit, 0, 0, 0, ""),
    ROW(ldmatrix, 2, 2, 1, "sync aligned m8n8 x1 x2 x4 trans shared shared::cta"),
    ROW(mma, 4, 4, 4, "sync aligned m16n8k16 m16n8k8 m16n8k4 m16n8k32 row col satfinite"),
    {0},
};
