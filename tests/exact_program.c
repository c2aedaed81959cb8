// SPDX-License-Identifier: MIT
#include "exact_program.h"

#include "device/sim/api/intrinsics.h"
#include "base/random.h"

#include <string.h>

struct exact_program program;
static uint64_t state;

void exact_program_seed(uint64_t seed)
{
    state = seed;
}

unsigned exact_below(unsigned n)
{
    return (unsigned)(rd_random(&state) % n);
}

bool exact_one_in(unsigned n)
{
    return exact_below(n) == 0;
}

/* Features of a program. */
static struct style {
    bool has_volatile, has_scopes, has_orders, has_compare, has_fences, has_atomics;
    unsigned density, words;
} style;

static unsigned atomic_bits(void)
{
    unsigned bits = 0;
    if (style.has_scopes)
        bits |= exact_one_in(3)   ? RD_SIM_OF_BLOCK
                : exact_one_in(6) ? RD_SIM_OF_THREAD
                                  : RD_SIM_OF_GRID;
    if (style.has_orders && exact_one_in(2))
        bits |= RD_SIM_ORDER_SAID | (exact_one_in(3) ? RD_SIM_ACQUIRES : 0) |
                (exact_one_in(3) ? RD_SIM_RELEASES : 0) |
                (exact_one_in(3)   ? RD_SIM_LOADS
                 : exact_one_in(2) ? RD_SIM_STORES
                                   : 0);
    return bits;
}

static struct op strong_op(bool writes)
{
    struct op op = {.kind = ATOMIC, .offset = 8 + 4 * exact_below(2), .size = 4};
    if (exact_one_in(8))
        op.offset = 4 * exact_below(4);
    if (style.has_volatile && exact_one_in(2)) {
        op.kind = writes ? VOLATILE_WRITE : VOLATILE_READ;
        return op;
    }
    op.atomic = atomic_bits();
    if (style.has_compare && exact_one_in(3) && !(op.atomic & (RD_SIM_LOADS | RD_SIM_STORES))) {
        op.compares = true;
        op.fails = exact_one_in(2);
        op.atomic |= RD_SIM_TAKES_LOCK;
    }
    return op;
}

static struct op plain_op(void)
{
    struct op op = {.kind = exact_one_in(2) ? READ : WRITE, .size = 4};
    if (exact_one_in(4))
        op.size = 1u << exact_below(4);
    unsigned area = exact_one_in(10) ? BYTES : 4 * style.words;
    if (op.size > area)
        op.size = 4;
    op.offset = exact_below(area / op.size) * op.size;
    return op;
}

static struct op any_op(void)
{
    bool strong = style.has_atomics || style.has_volatile;
    if (style.has_fences && exact_one_in(4))
        return (struct op){.kind = FENCE, .of_block = style.has_scopes && exact_one_in(3)};
    return strong && exact_one_in(2) ? strong_op(exact_one_in(2)) : plain_op();
}

/* A thread's part of a phase: at random, or as one that hands something over, or takes it. */
static void make_ops(struct op ops[OPS_MAX])
{
    const struct op fence = {.kind = FENCE, .of_block = style.has_scopes && exact_one_in(4)};
    bool strong = style.has_atomics || style.has_volatile;
    memset(ops, 0, OPS_MAX * sizeof *ops);
    if (strong && style.has_fences && exact_one_in(3)) {
        ops[0] = plain_op();
        ops[1] = fence;
        ops[2] = strong_op(true);
    } else if (strong && exact_one_in(3)) {
        ops[0] = strong_op(false);
        if (style.has_fences && !exact_one_in(4))
            ops[1] = fence;
        ops[2] = plain_op();
    } else {
        for (unsigned k = 0; k < OPS_MAX; k++)
            if (exact_one_in(style.density))
                ops[k] = any_op();
    }
}

static void make_shape(void)
{
    static const unsigned sizes[] = {2, 3, 33, 34, 64, 70};
    bool exits = exact_one_in(3), partial = exact_one_in(3);
    memset(&program, 0, sizeof program);
    program.blocks = 1 + exact_below(BLOCKS_MAX);
    program.threads = sizes[exact_below(exact_one_in(16) ? 6 : 4)];
    program.phases = 1 + exact_below(PHASES_MAX);
    for (unsigned k = 0; k < program.phases; k++) {
        program.barriers[k] = (enum barrier)exact_below(5);
        if (program.barriers[k] == OF_LANES && !partial)
            program.barriers[k] = NONE;
        program.lanes[k] = exact_one_in(2) ? 0x55555555u : (uint32_t)rd_random(&state);
    }
    for (unsigned b = 0; b < program.blocks; b++)
        for (unsigned t = 0; t < program.threads; t++)
            program.exits[b][t] =
                (uint8_t)(exits && exact_one_in(4) ? exact_below(program.phases) : program.phases);
}

void exact_program_make(void)
{
    bool many = exact_one_in(32);
    make_shape();
    style = (struct style){
        .has_volatile = exact_one_in(4),
        .has_scopes = exact_one_in(3),
        .has_orders = exact_one_in(4),
        .has_compare = exact_one_in(4),
        .has_fences = exact_one_in(2),
        .has_atomics = !exact_one_in(4),
        .density = 1 + exact_below(4),
        .words = 1 + exact_below(2),
    };
    program.by_fence = exact_one_in(8);
    if (many) { /* all threads, with little to do */
        style.density = 40;
        for (unsigned b = 0; b < program.blocks; b++)
            for (unsigned t = 0; t < program.threads; t++)
                for (unsigned k = 0; k < program.phases; k++)
                    if (exact_one_in(style.density))
                        program.ops[b][t][k][0] = any_op();
        return;
    }
    for (unsigned n = 2 + exact_below(4); n > 0; n--) {
        unsigned b = exact_below(program.blocks),
                 t = (exact_below(2) * 32 + exact_below(2)) % program.threads;
        for (unsigned k = 0; k < program.phases; k++)
            make_ops(program.ops[b][t][k]);
    }
}
