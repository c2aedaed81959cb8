// SPDX-License-Identifier: MIT
/* Matrices that lie in the registers of a warp: ldmatrix, mma. Lane 4g + t has the elements of "row" g, and of the columns that
 * follow from t (PTX ISA, "Matrix Fragments for mma"). Products are exact; they are summed in double precision, and the sum is
 * rounded once. A GPU rounds on the way. */
#include "device/sim/api/intrinsics.h"
#include "device/sim/detect/private.h"
#include "device/sim/object.h"
#include "device/sim/ptx/ptx.h"
#include "device/sim/ptx/ptx_internal.h"
#include "device/sim/source/source.h"

enum { WARP = RD_SIM_WARP, EXCHANGE = 32, WORDS_MAX = 4 };

/* Gathers words of all lanes: two registers each. */
static void gather(struct rd_ptx_machine *m, const uint32_t *parts, unsigned n,
                   uint32_t all[WARP][8])
{
    uint64_t values[WARP];
    RD_SIM_NEEDS_FRAME;
    for (unsigned k = 0; k < n; k += 2) {
        uint64_t both = parts[k] | (k + 1 < n ? (uint64_t)parts[k + 1] << 32 : 0);
        unsigned present =
            rd_sim_exchange(EXCHANGE + k, ~0u, both, values, m->file, rd_ptx_line(m));
        if (k == 0)
            rd_sim_whole_warp(present, m->file, rd_ptx_line(m));
        for (unsigned lane = 0; lane < WARP; lane++) {
            bool is_there = present >> lane & 1;
            all[lane][k] = is_there ? (uint32_t)values[lane] : 0;
            if (k + 1 < n)
                all[lane][k + 1] = is_there ? (uint32_t)(values[lane] >> 32) : 0;
        }
    }
}

/* Lanes 8k to 8k + 7 have the addresses of the rows of matrix k. */
void rd_ptx_run_ldmatrix(struct rd_ptx_machine *m, const struct rd_ptx_instruction *i)
{
    unsigned n = rd_ptx_is(i, RD_PTX_X4) ? 4 : rd_ptx_is(i, RD_PTX_X2) ? 2 : 1;
    unsigned lane = rd_sim_here->core.thread % WARP;
    uint32_t row[4] = {0, 0, 0, 0}, all[WARP][8];
    uintptr_t from = rd_ptx_address(m, 1, RD_PTX_SHARED, i->has_space);
    RD_SIM_NEEDS_FRAME;
    if (i->operands[0].n != n || i->types[0].bits != 16 || !rd_ptx_is(i, RD_PTX_M8N8))
        rd_ptx_refuse(m, "such a PTX instruction 'ldmatrix'");
    if (lane < 8 * n) {
        rd_sim_accessed((void *)from, sizeof row, 0, (void *)m->pc);
        memcpy(row, (const void *)from, sizeof row);
    }
    gather(m, row, 4, all);
    for (unsigned k = 0; k < n; k++) {
        unsigned g = lane / 4, t = lane % 4;
        uint32_t bits = all[8 * k + g][t];
        if (rd_ptx_is(i, RD_PTX_TRANS)) {
            unsigned low = all[8 * k + 2 * t][g / 2] >> 16 * (g % 2) & 0xffff,
                     high = all[8 * k + 2 * t + 1][g / 2] >> 16 * (g % 2) & 0xffff;
            bits = low | high << 16;
        }
        rd_ptx_put_part(m, &i->operands[0].parts[k], bits);
    }
}

/* ---- mma ---- */

/* Elements of 32 bits in a register: 1 of tf32, 2 of f16, 4 of s8. */
struct shape {
    unsigned n_a, n_b, k, per_word; /* registers of a and b */
};

static bool find_shape(const struct rd_ptx_instruction *i, struct shape *shape)
{
    struct rd_ptx_type a = i->types[1];
    unsigned k = rd_ptx_is(i, RD_PTX_M16N8K4)    ? 4
                 : rd_ptx_is(i, RD_PTX_M16N8K8)  ? 8
                 : rd_ptx_is(i, RD_PTX_M16N8K16) ? 16
                 : rd_ptx_is(i, RD_PTX_M16N8K32) ? 32
                                                 : 0;
    unsigned bits = a.kind == RD_PTX_TF ? 32 : a.bits;
    bool is_integer = a.kind == RD_PTX_UNSIGNED || a.kind == RD_PTX_SIGNED;
    if (k == 0 || bits > 32 || (is_integer && bits != 8) || (!is_integer && a.kind < RD_PTX_F) ||
        (a.kind == RD_PTX_F && bits != 16))
        return false;
    *shape = (struct shape){16 * k * bits / 32 / WARP, 8 * k * bits / 32 / WARP, k, 32 / bits};
    return shape->n_a >= 1 && shape->n_b >= 1 && shape->n_a <= 4;
}

static double element(uint32_t word, unsigned at, struct rd_ptx_type type)
{
    struct rd_ptx_type single = {RD_PTX_F, 32, false};
    if (type.kind == RD_PTX_TF)
        return rd_ptx_real_of(word & ~UINT32_C(0x1fff), single);
    uint64_t bits = word >> at * type.bits & rd_ptx_mask(type.bits);
    if (type.kind == RD_PTX_SIGNED)
        return (double)rd_ptx_extended(bits, type.bits);
    return type.kind == RD_PTX_UNSIGNED ? (double)bits : rd_ptx_real_of(bits, type);
}

/* A's row and column: register r of lane 4g + t has row g + 8 (r mod 2), and of columns those of part r div 2. */
static double of_a(uint32_t all[WARP][8], const struct shape *s, unsigned row, unsigned column,
                   struct rd_ptx_type type)
{
    unsigned part = column / (4 * s->per_word), within = column % (4 * s->per_word);
    unsigned r = s->n_a == 1 ? 0 : row / 8 + 2 * part;
    return element(all[4 * (row % 8) + within / s->per_word][r], within % s->per_word, type);
}

static double of_b(uint32_t all[WARP][8], const struct shape *s, unsigned row, unsigned column,
                   struct rd_ptx_type type)
{
    unsigned part = row / (4 * s->per_word), within = row % (4 * s->per_word);
    return element(all[4 * column + within / s->per_word][part], within % s->per_word, type);
}

static void check_lists(struct rd_ptx_machine *m, const struct rd_ptx_instruction *i,
                        const struct shape *s)
{
    unsigned n_c = i->types[3].bits == 16 ? 2 : 4, n_d = i->types[0].bits == 16 ? 2 : 4;
    if (i->operands[0].n != n_d || i->operands[1].n != s->n_a || i->operands[2].n != s->n_b ||
        i->operands[3].n != n_c || !rd_ptx_is(i, RD_PTX_ROW) || !rd_ptx_is(i, RD_PTX_COL) ||
        i->n_types != 4)
        rd_ptx_refuse(m, "a PTX instruction 'mma' of other registers than its shape has");
}

/* Element e of lane 4g + t of an accumulator: row g + 8 (e div 2), column 2t + e mod 2. */
static double of_c(struct rd_ptx_machine *m, const struct rd_ptx_operand *c, unsigned e,
                   struct rd_ptx_type type)
{
    if (type.bits == 16)
        return rd_ptx_real_of(
            rd_ptx_get_part(m, &c->parts[e / 2], rd_ptx_b32) >> 16 * (e % 2) & 0xffff, type);
    uint64_t bits = rd_ptx_get_part(m, &c->parts[e], rd_ptx_b32);
    return type.kind == RD_PTX_F ? rd_ptx_real_of(bits, type) : (double)rd_ptx_extended(bits, 32);
}

static uint64_t of_integer(const struct rd_ptx_instruction *i, double x)
{
    if (rd_ptx_is(i, RD_PTX_SATFINITE))
        x = x > 2147483647.0 ? 2147483647.0 : x < -2147483648.0 ? -2147483648.0 : x;
    return (uint64_t)(int64_t)x & rd_ptx_mask(32);
}

void rd_ptx_run_mma(struct rd_ptx_machine *m, const struct rd_ptx_instruction *i)
{
    struct shape s;
    uint32_t parts[4], a[WARP][8], b[WARP][8];
    unsigned lane = rd_sim_here->core.thread % WARP, g = lane / 4, t = lane % 4;
    struct rd_ptx_type of_d = i->types[0];
    uint64_t packed = 0;
    RD_SIM_NEEDS_FRAME;
    if (!find_shape(i, &s) || (rd_ptx_is(i, RD_PTX_SATFINITE) && of_d.kind == RD_PTX_F))
        rd_ptx_refuse(m, "a PTX instruction 'mma' of this shape and these types");
    check_lists(m, i, &s);
    for (unsigned k = 0; k < s.n_a; k++)
        parts[k] = (uint32_t)rd_ptx_get_part(m, &i->operands[1].parts[k], rd_ptx_b32);
    gather(m, parts, s.n_a, a);
    for (unsigned k = 0; k < s.n_b; k++)
        parts[k] = (uint32_t)rd_ptx_get_part(m, &i->operands[2].parts[k], rd_ptx_b32);
    gather(m, parts, s.n_b, b);
    double results[4];
    for (unsigned e = 0; e < 4; e++) {
        double sum = of_c(m, &i->operands[3], e, i->types[3]);
        for (unsigned k = 0; k < s.k; k++)
            sum += of_a(a, &s, g + 8 * (e / 2), k, i->types[1]) *
                   of_b(b, &s, k, 2 * t + e % 2, i->types[2]);
        results[e] = sum;
    }
    for (unsigned e = 0; e < 4; e++) {
        if (of_d.kind != RD_PTX_F) {
            rd_ptx_put_part(m, &i->operands[0].parts[e], of_integer(i, results[e]));
            continue;
        }
        uint64_t bits = rd_ptx_nearest(results[e], of_d);
        packed = e % 2 ? packed | bits << 16 : bits;
        if (of_d.bits == 32)
            rd_ptx_put_part(m, &i->operands[0].parts[e], bits);
        else if (e % 2)
            rd_ptx_put_part(m, &i->operands[0].parts[e / 2], packed);
    }
}
