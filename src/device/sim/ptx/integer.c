// SPDX-License-Identifier: MIT
/* Instructions on integers and bits. */
#include "device/sim/ptx/ptx_internal.h"
#include "device/sim/object.h"

__extension__ typedef __int128 wide;
__extension__ typedef unsigned __int128 unsigned_wide;

/* The carry flag of the running thread. */
static bool *carry(void)
{
    return &rd_sim_here->block.threads[rd_sim_here->core.thread].carry;
}

static bool is_signed(struct rd_ptx_type type)
{
    return type.kind == RD_PTX_SIGNED;
}

/* An operand as a number. */
static wide number(struct rd_ptx_machine *m, unsigned operand, struct rd_ptx_type type)
{
    uint64_t bits = rd_ptx_get(m, operand, type);
    return is_signed(type) ? (wide)rd_ptx_extended(bits, type.bits) : (wide)bits;
}

static uint64_t saturated(wide x, struct rd_ptx_type type)
{
    wide most = (wide)rd_ptx_mask(is_signed(type) ? type.bits - 1 : type.bits);
    wide least = is_signed(type) ? -most - 1 : 0;
    return (uint64_t)(x > most ? most : x < least ? least : x);
}

static bool is_integer(struct rd_ptx_type type)
{
    return type.kind <= RD_PTX_SIGNED;
}

/* ---- arithmetic; of floats in real.c ---- */

void rd_ptx_real_add(struct rd_ptx_machine *m, const struct rd_ptx_instruction *i);
void rd_ptx_real_sub(struct rd_ptx_machine *m, const struct rd_ptx_instruction *i);
void rd_ptx_real_mul(struct rd_ptx_machine *m, const struct rd_ptx_instruction *i);
void rd_ptx_real_div(struct rd_ptx_machine *m, const struct rd_ptx_instruction *i);
void rd_ptx_real_abs(struct rd_ptx_machine *m, const struct rd_ptx_instruction *i);
void rd_ptx_real_neg(struct rd_ptx_machine *m, const struct rd_ptx_instruction *i);
void rd_ptx_real_min(struct rd_ptx_machine *m, const struct rd_ptx_instruction *i);
void rd_ptx_real_max(struct rd_ptx_machine *m, const struct rd_ptx_instruction *i);

static void sum(struct rd_ptx_machine *m, const struct rd_ptx_instruction *i, bool subtracts,
                bool takes_carry)
{
    struct rd_ptx_type type = i->types[0];
    wide x = number(m, 1, type), y = number(m, 2, type), c = takes_carry ? *carry() : 0;
    wide result = subtracts ? x - y - c : x + y + c;
    if (rd_ptx_is(i, RD_PTX_CC)) {
        unsigned_wide ux = rd_ptx_get(m, 1, type), uy = rd_ptx_get(m, 2, type);
        *carry() =
            subtracts ? ux < uy + (unsigned_wide)c : (ux + uy + (unsigned_wide)c) >> type.bits != 0;
    }
    rd_ptx_put(m, 0, rd_ptx_is(i, RD_PTX_SAT) ? saturated(result, type) : (uint64_t)result);
}

void rd_ptx_run_add(struct rd_ptx_machine *m, const struct rd_ptx_instruction *i)
{
    if (!is_integer(i->types[0]))
        rd_ptx_real_add(m, i);
    else
        sum(m, i, false, false);
}

void rd_ptx_run_sub(struct rd_ptx_machine *m, const struct rd_ptx_instruction *i)
{
    if (!is_integer(i->types[0]))
        rd_ptx_real_sub(m, i);
    else
        sum(m, i, true, false);
}

void rd_ptx_run_addc(struct rd_ptx_machine *m, const struct rd_ptx_instruction *i)
{
    sum(m, i, false, true);
}

void rd_ptx_run_subc(struct rd_ptx_machine *m, const struct rd_ptx_instruction *i)
{
    sum(m, i, true, true);
}

/* The half of a product that is asked for. */
static unsigned_wide product(struct rd_ptx_machine *m, const struct rd_ptx_instruction *i)
{
    struct rd_ptx_type type = i->types[0];
    wide x = number(m, 1, type), y = number(m, 2, type);
    unsigned_wide all =
        is_signed(type) ? (unsigned_wide)(x * y) : (unsigned_wide)x * (unsigned_wide)y;
    if (rd_ptx_is(i, RD_PTX_HI))
        return is_signed(type) ? (unsigned_wide)((wide)all >> type.bits) : all >> type.bits;
    return all;
}

void rd_ptx_run_mul(struct rd_ptx_machine *m, const struct rd_ptx_instruction *i)
{
    if (!is_integer(i->types[0]))
        rd_ptx_real_mul(m, i);
    else
        rd_ptx_put(m, 0, (uint64_t)product(m, i));
}

static void multiply_add(struct rd_ptx_machine *m, const struct rd_ptx_instruction *i, unsigned c)
{
    struct rd_ptx_type type = i->types[0];
    struct rd_ptx_type wide_type = type;
    if (rd_ptx_is(i, RD_PTX_WIDE))
        wide_type.bits *= 2;
    uint64_t x = (uint64_t)product(m, i) & rd_ptx_mask(wide_type.bits);
    uint64_t y = rd_ptx_get(m, 3, wide_type);
    unsigned_wide all = (unsigned_wide)x + y + c;
    if (rd_ptx_is(i, RD_PTX_CC))
        *carry() = all >> wide_type.bits != 0;
    if (rd_ptx_is(i, RD_PTX_SAT) && is_signed(type))
        rd_ptx_put(
            m, 0,
            saturated((wide)rd_ptx_extended(x, type.bits) + rd_ptx_extended(y, type.bits), type));
    else
        rd_ptx_put(m, 0, (uint64_t)all);
}

void rd_ptx_run_mad(struct rd_ptx_machine *m, const struct rd_ptx_instruction *i)
{
    if (!is_integer(i->types[0]))
        rd_ptx_run_fma(m, i);
    else
        multiply_add(m, i, 0);
}

void rd_ptx_run_madc(struct rd_ptx_machine *m, const struct rd_ptx_instruction *i)
{
    multiply_add(m, i, *carry());
}

static uint64_t product24(struct rd_ptx_machine *m, const struct rd_ptx_instruction *i)
{
    struct rd_ptx_type type = i->types[0];
    uint64_t x = rd_ptx_get(m, 1, type) & rd_ptx_mask(24),
             y = rd_ptx_get(m, 2, type) & rd_ptx_mask(24);
    uint64_t all =
        is_signed(type) ? (uint64_t)(rd_ptx_extended(x, 24) * rd_ptx_extended(y, 24)) : x * y;
    return rd_ptx_is(i, RD_PTX_HI) ? all >> 16 : all;
}

void rd_ptx_run_mul24(struct rd_ptx_machine *m, const struct rd_ptx_instruction *i)
{
    rd_ptx_put(m, 0, product24(m, i));
}

void rd_ptx_run_mad24(struct rd_ptx_machine *m, const struct rd_ptx_instruction *i)
{
    rd_ptx_put(m, 0, product24(m, i) + rd_ptx_get(m, 3, i->types[0]));
}

void rd_ptx_run_sad(struct rd_ptx_machine *m, const struct rd_ptx_instruction *i)
{
    struct rd_ptx_type type = i->types[0];
    wide x = number(m, 1, type), y = number(m, 2, type);
    rd_ptx_put(m, 0, (uint64_t)((x < y ? y - x : x - y) + number(m, 3, type)));
}

/* A division by 0 gives all ones, as devices do, though PTX leaves it open. */
void rd_ptx_run_div(struct rd_ptx_machine *m, const struct rd_ptx_instruction *i)
{
    if (!is_integer(i->types[0])) {
        rd_ptx_real_div(m, i);
        return;
    }
    wide x = number(m, 1, i->types[0]), y = number(m, 2, i->types[0]);
    rd_ptx_put(m, 0, y == 0 ? ~UINT64_C(0) : (uint64_t)(x / y));
}

void rd_ptx_run_rem(struct rd_ptx_machine *m, const struct rd_ptx_instruction *i)
{
    wide x = number(m, 1, i->types[0]), y = number(m, 2, i->types[0]);
    rd_ptx_put(m, 0, (uint64_t)(y == 0 ? x : x % y));
}

void rd_ptx_run_abs(struct rd_ptx_machine *m, const struct rd_ptx_instruction *i)
{
    if (!is_integer(i->types[0])) {
        rd_ptx_real_abs(m, i);
        return;
    }
    wide x = number(m, 1, i->types[0]);
    rd_ptx_put(m, 0, (uint64_t)(x < 0 ? -x : x));
}

void rd_ptx_run_neg(struct rd_ptx_machine *m, const struct rd_ptx_instruction *i)
{
    if (!is_integer(i->types[0]))
        rd_ptx_real_neg(m, i);
    else
        rd_ptx_put(m, 0, (uint64_t)-number(m, 1, i->types[0]));
}

void rd_ptx_run_min(struct rd_ptx_machine *m, const struct rd_ptx_instruction *i)
{
    if (!is_integer(i->types[0])) {
        rd_ptx_real_min(m, i);
        return;
    }
    wide x = number(m, 1, i->types[0]), y = number(m, 2, i->types[0]);
    rd_ptx_put(m, 0, (uint64_t)(y < x ? y : x));
}

void rd_ptx_run_max(struct rd_ptx_machine *m, const struct rd_ptx_instruction *i)
{
    if (!is_integer(i->types[0])) {
        rd_ptx_real_max(m, i);
        return;
    }
    wide x = number(m, 1, i->types[0]), y = number(m, 2, i->types[0]);
    rd_ptx_put(m, 0, (uint64_t)(x < y ? y : x));
}

void rd_ptx_run_dp4a(struct rd_ptx_machine *m, const struct rd_ptx_instruction *i)
{
    uint64_t x = rd_ptx_get(m, 1, rd_ptx_b32), y = rd_ptx_get(m, 2, rd_ptx_b32);
    int64_t all = (int64_t)rd_ptx_get(m, 3, rd_ptx_b32);
    for (unsigned k = 0; k < 32; k += 8) {
        uint64_t a = x >> k & 255, b = y >> k & 255;
        all += (is_signed(i->types[0]) ? rd_ptx_extended(a, 8) : (int64_t)a) *
               (is_signed(i->types[1]) ? rd_ptx_extended(b, 8) : (int64_t)b);
    }
    rd_ptx_put(m, 0, (uint64_t)all);
}

/* Differences of the four bytes; with .add their sum and the last operand. */
void rd_ptx_run_vabsdiff4(struct rd_ptx_machine *m, const struct rd_ptx_instruction *i)
{
    uint64_t x = rd_ptx_get(m, 1, rd_ptx_b32), y = rd_ptx_get(m, 2, rd_ptx_b32),
             all = rd_ptx_get(m, 3, rd_ptx_b32), bytes = 0;
    for (unsigned k = 0; k < 3; k++)
        if (i->types[k].kind != RD_PTX_UNSIGNED)
            rd_ptx_refuse(m, "the PTX instruction 'vabsdiff4' of signed numbers");
    for (unsigned k = 0; k < 32; k += 8) {
        uint64_t a = x >> k & 255, b = y >> k & 255, d = a < b ? b - a : a - b;
        all += d;
        bytes |= d << k;
    }
    rd_ptx_put(m, 0, rd_ptx_is(i, RD_PTX_ADD) ? all : bytes);
}

/* ---- bits ---- */

#define BITWISE(name, expression)                                                                  \
    void rd_ptx_run_##name(struct rd_ptx_machine *m, const struct rd_ptx_instruction *i)           \
    {                                                                                              \
        struct rd_ptx_type type = i->types[0];                                                     \
        uint64_t x = rd_ptx_get(m, 1, type), y = i->n > 2 ? rd_ptx_get(m, 2, type) : 0;            \
        (void)y;                                                                                   \
        rd_ptx_put(m, 0, expression);                                                              \
    }
BITWISE(and, x &y)
BITWISE(or, x | y)
BITWISE(xor, x ^ y)
BITWISE(not, type.kind == RD_PTX_PRED ? !x : ~x)
BITWISE(cnot, x == 0)
BITWISE(popc, (uint64_t)__builtin_popcountll(x))
BITWISE(clz, x ? (uint64_t)__builtin_clzll(x) - (64 - type.bits) : type.bits)

/* Shifts by more than all bits leave none, or the sign. */
void rd_ptx_run_shl(struct rd_ptx_machine *m, const struct rd_ptx_instruction *i)
{
    uint64_t n = rd_ptx_get(m, 2, rd_ptx_b32);
    rd_ptx_put(m, 0, n >= i->types[0].bits ? 0 : rd_ptx_get(m, 1, i->types[0]) << n);
}

void rd_ptx_run_shr(struct rd_ptx_machine *m, const struct rd_ptx_instruction *i)
{
    unsigned bits = i->types[0].bits;
    uint64_t n = rd_ptx_get(m, 2, rd_ptx_b32), x = rd_ptx_get(m, 1, i->types[0]);
    if (is_signed(i->types[0]))
        rd_ptx_put(m, 0, (uint64_t)(rd_ptx_extended(x, bits) >> (n < bits ? n : bits - 1)));
    else
        rd_ptx_put(m, 0, n >= bits ? 0 : x >> n);
}

void rd_ptx_run_shf(struct rd_ptx_machine *m, const struct rd_ptx_instruction *i)
{
    uint64_t low = rd_ptx_get(m, 1, rd_ptx_b32), high = rd_ptx_get(m, 2, rd_ptx_b32),
             n = rd_ptx_get(m, 3, rd_ptx_b32), both = high << 32 | low;
    n = rd_ptx_is(i, RD_PTX_WRAP) ? n & 31 : n < 32 ? n : 32;
    rd_ptx_put(m, 0, rd_ptx_is(i, RD_PTX_L) ? both << n >> 32 : both >> n);
}

void rd_ptx_run_lop3(struct rd_ptx_machine *m, const struct rd_ptx_instruction *i)
{
    uint64_t a = rd_ptx_get(m, 1, i->types[0]), b = rd_ptx_get(m, 2, i->types[0]),
             c = rd_ptx_get(m, 3, i->types[0]), table = rd_ptx_get(m, 4, rd_ptx_b32), result = 0;
    for (unsigned k = 0; k < 8; k++)
        if (table >> k & 1)
            result |= (k & 4 ? a : ~a) & (k & 2 ? b : ~b) & (k & 1 ? c : ~c);
    rd_ptx_put(m, 0, result);
}

/* The selectors of the modes of prmt: as in the tables of the PTX ISA. */
static uint64_t selectors(const struct rd_ptx_instruction *i, uint64_t selector)
{
    static const unsigned short f4e[] = {0x3210, 0x4321, 0x5432, 0x6543},
                                b4e[] = {0x5670, 0x6701, 0x7012, 0x0123},
                                rc8[] = {0x0000, 0x1111, 0x2222, 0x3333},
                                ecl[] = {0x3210, 0x3211, 0x3222, 0x3333},
                                ecr[] = {0x0000, 0x1110, 0x2210, 0x3210},
                                rc16[] = {0x1010, 0x3232, 0x1010, 0x3232};
    unsigned k = selector & 3;
    return rd_ptx_is(i, RD_PTX_F4E)    ? f4e[k]
           : rd_ptx_is(i, RD_PTX_B4E)  ? b4e[k]
           : rd_ptx_is(i, RD_PTX_RC8)  ? rc8[k]
           : rd_ptx_is(i, RD_PTX_ECL)  ? ecl[k]
           : rd_ptx_is(i, RD_PTX_ECR)  ? ecr[k]
           : rd_ptx_is(i, RD_PTX_RC16) ? rc16[k]
                                       : selector;
}

void rd_ptx_run_prmt(struct rd_ptx_machine *m, const struct rd_ptx_instruction *i)
{
    uint64_t both = rd_ptx_get(m, 2, rd_ptx_b32) << 32 | rd_ptx_get(m, 1, rd_ptx_b32), result = 0;
    uint64_t which = selectors(i, rd_ptx_get(m, 3, rd_ptx_b32));
    for (unsigned k = 0; k < 4; k++) {
        uint64_t selector = which >> 4 * k & 15, byte = both >> 8 * (selector & 7) & 255;
        if (selector & 8)
            byte = byte & 128 ? 255 : 0;
        result |= byte << 8 * k;
    }
    rd_ptx_put(m, 0, result);
}

void rd_ptx_run_bfe(struct rd_ptx_machine *m, const struct rd_ptx_instruction *i)
{
    struct rd_ptx_type type = i->types[0];
    uint64_t x = rd_ptx_get(m, 1, type), at = rd_ptx_get(m, 2, rd_ptx_b32) & 255,
             n = rd_ptx_get(m, 3, rd_ptx_b32) & 255, result;
    uint64_t last = at + n - 1 < type.bits - 1 ? at + n - 1 : type.bits - 1;
    uint64_t sign = n > 0 && is_signed(type) ? x >> last & 1 : 0;
    result = at < type.bits ? x >> at : 0;
    uint64_t kept = at >= type.bits ? 0 : n < type.bits - at ? n : type.bits - at;
    result &= kept == 0 ? 0 : rd_ptx_mask((unsigned)kept);
    if (sign)
        result |= kept == 0 ? ~UINT64_C(0) : ~rd_ptx_mask((unsigned)kept);
    rd_ptx_put(m, 0, n == 0 ? 0 : result);
}

void rd_ptx_run_bfi(struct rd_ptx_machine *m, const struct rd_ptx_instruction *i)
{
    struct rd_ptx_type type = i->types[0];
    uint64_t x = rd_ptx_get(m, 1, type), to = rd_ptx_get(m, 2, type),
             at = rd_ptx_get(m, 3, rd_ptx_b32) & 255, n = rd_ptx_get(m, 4, rd_ptx_b32) & 255;
    uint64_t mask = at >= type.bits || n == 0 ? 0 : rd_ptx_mask(n < 64 ? (unsigned)n : 64) << at;
    rd_ptx_put(m, 0, (to & ~mask) | (at < 64 ? x << at & mask : 0));
}

void rd_ptx_run_bfind(struct rd_ptx_machine *m, const struct rd_ptx_instruction *i)
{
    struct rd_ptx_type type = i->types[0];
    uint64_t x = rd_ptx_get(m, 1, type);
    if (is_signed(type) && x >> (type.bits - 1))
        x = ~x & rd_ptx_mask(type.bits);
    uint64_t at = x ? 63 - (uint64_t)__builtin_clzll(x) : rd_ptx_mask(32);
    rd_ptx_put(m, 0, rd_ptx_is(i, RD_PTX_SHIFTAMT) && x ? type.bits - 1 - at : at);
}

void rd_ptx_run_brev(struct rd_ptx_machine *m, const struct rd_ptx_instruction *i)
{
    uint64_t x = rd_ptx_get(m, 1, i->types[0]), result = 0;
    for (unsigned k = 0; k < i->types[0].bits; k++)
        result |= (x >> k & 1) << (i->types[0].bits - 1 - k);
    rd_ptx_put(m, 0, result);
}

/* The n-th bit that is set from a base on, upwards or downwards. */
void rd_ptx_run_fns(struct rd_ptx_machine *m, const struct rd_ptx_instruction *i)
{
    uint64_t x = rd_ptx_get(m, 1, rd_ptx_b32), found = rd_ptx_mask(32);
    int64_t base = (int64_t)(rd_ptx_get(m, 2, rd_ptx_b32) & 31),
            n = rd_ptx_extended(rd_ptx_get(m, 3, rd_ptx_b32), 32), step = n < 0 ? -1 : 1;
    int64_t left = n == 0 ? 1 : n < 0 ? -n : n;
    (void)i;
    for (int64_t at = base; at >= 0 && at < 32 && left > 0; at += step) {
        bool is_set = x >> at & 1;
        left -= is_set;
        if (left == 0 && is_set)
            found = (uint64_t)at;
        if (n == 0)
            break;
    }
    rd_ptx_put(m, 0, found);
}

/* ---- moves, choices ---- */

/* Also packs a vector's parts into one register, and takes them apart. */
void rd_ptx_run_mov(struct rd_ptx_machine *m, const struct rd_ptx_instruction *i)
{
    const struct rd_ptx_operand *to = &i->operands[0], *from = &i->operands[1];
    struct rd_ptx_type type = i->types[0];
    uint64_t bits = 0;
    if (from->n == 0 || to->n == 0)
        return;
    for (unsigned k = 0; k < from->n; k++) {
        struct rd_ptx_type part = {from->n > 1 ? RD_PTX_BITS : type.kind, type.bits / from->n,
                                   type.is_packed};
        bits |= rd_ptx_get_part(m, &from->parts[k], part) << k * part.bits;
    }
    for (unsigned k = 0; k < to->n; k++) {
        unsigned width = type.bits / to->n;
        rd_ptx_put_part(m, &to->parts[k], bits >> k * width & rd_ptx_mask(width));
    }
}

void rd_ptx_run_selp(struct rd_ptx_machine *m, const struct rd_ptx_instruction *i)
{
    bool first = rd_ptx_get(m, 3, rd_ptx_pred);
    rd_ptx_put(m, 0, rd_ptx_get(m, first ? 1 : 2, i->types[0]));
}

void rd_ptx_run_slct(struct rd_ptx_machine *m, const struct rd_ptx_instruction *i)
{
    uint64_t c = rd_ptx_get(m, 3, i->types[1]);
    if (rd_ptx_is(i, RD_PTX_FTZ))
        c = rd_ptx_without_subnormal(c, i->types[1]);
    bool first = i->types[1].kind == RD_PTX_F ? rd_ptx_real_of(c, i->types[1]) >= 0
                                              : rd_ptx_extended(c, 32) >= 0;
    rd_ptx_put(m, 0, rd_ptx_get(m, first ? 1 : 2, i->types[0]));
}
