// SPDX-License-Identifier: MIT
/* Instructions that access memory: each is told as an access of C++ would be. */
#include "device/sim/api/hooks.h"
#include "device/sim/detect/async.h"
#include "device/sim/detect/private.h"
#include "device/sim/engine/engine.h"
#include "device/sim/memory/memory.h"
#include "device/sim/object.h"
#include "device/sim/ptx/ptx.h"
#include "device/sim/ptx/ptx_internal.h"

/* ---- addresses ---- */

/* An address in the window of shared memory is the distance from where that begins. */
RD_HOOK uint64_t rd_sim_to_shared(const volatile void *generic)
{
    return (uint64_t)((uintptr_t)generic - rd_sim_here->core.shared);
}

RD_HOOK void *rd_sim_from_shared(uint64_t address)
{
    return (void *)(uintptr_t)(rd_sim_here->core.shared + address);
}

static bool is_shared(enum rd_ptx_word space)
{
    return space == RD_PTX_SHARED || space == RD_PTX_SHARED_CTA || space == RD_PTX_SHARED_CLUSTER;
}

uintptr_t rd_ptx_address(struct rd_ptx_machine *m, unsigned number, enum rd_ptx_word space,
                         bool has_space)
{
    const struct rd_ptx_operand *operand = &m->at->operands[number];
    uint64_t address = (uint64_t)operand->offset;
    if (operand->form != RD_PTX_ADDRESS)
        rd_ptx_refuse(m, "a PTX access without an address in brackets");
    for (unsigned k = 0; k < operand->n; k++)
        address += rd_ptx_get_part(m, &operand->parts[k], rd_ptx_b64);
    if (has_space && is_shared(space)) {
        if (operand->parts[0].kind == RD_PTX_SLOT &&
            m->program->widths[operand->parts[0].slot] == 32)
            address &= rd_ptx_mask(32);
        return rd_sim_here->core.shared + address;
    }
    return (uintptr_t)address;
}

/* ---- telling of accesses ---- */

static int order_of(const struct rd_ptx_instruction *i)
{
    bool acquires = rd_ptx_is(i, RD_PTX_ACQUIRE) || rd_ptx_is(i, RD_PTX_ACQ_REL);
    bool releases = rd_ptx_is(i, RD_PTX_RELEASE) || rd_ptx_is(i, RD_PTX_ACQ_REL);
    bool is_said = acquires || releases || rd_ptx_is(i, RD_PTX_RELAXED);
    return (is_said ? RD_SIM_ORDER_SAID : 0) | (acquires ? RD_SIM_ACQUIRES : 0) |
           (releases ? RD_SIM_RELEASES : 0) |
           (rd_ptx_is(i, RD_PTX_CTA)   ? RD_SIM_OF_BLOCK
            : rd_ptx_is(i, RD_PTX_SYS) ? RD_SIM_OF_SYSTEM
                                       : RD_SIM_OF_GRID);
}

static void tell(struct rd_ptx_machine *m, uintptr_t address, size_t size_bytes, enum rd_sim_op op)
{
    const struct rd_ptx_instruction *i = m->at;
    void *pc = (void *)m->pc;
    rd_sim_private_range(address, size_bytes, op, m->pc, m->frame);
    if (rd_ptx_is(i, RD_PTX_VOLATILE))
        rd_sim_accessed_volatile((void *)address, size_bytes, op == RD_SIM_WRITE, pc);
    else if (order_of(i) & RD_SIM_ORDER_SAID)
        rd_sim_atomic(order_of(i) | (op == RD_SIM_WRITE ? RD_SIM_STORES : RD_SIM_LOADS),
                      (void *)address, size_bytes, pc);
    else
        rd_sim_accessed((void *)address, size_bytes, op == RD_SIM_WRITE, pc);
}

/* ---- loads and stores ---- */

static unsigned parts_of(struct rd_ptx_machine *m, const struct rd_ptx_instruction *i,
                         const struct rd_ptx_operand *operand)
{
    unsigned n = rd_ptx_is(i, RD_PTX_V4) ? 4 : rd_ptx_is(i, RD_PTX_V2) ? 2 : 1;
    if (operand->n != n)
        rd_ptx_refuse(m, "a PTX vector access with another number of registers");
    return n;
}

void rd_ptx_run_ld(struct rd_ptx_machine *m, const struct rd_ptx_instruction *i)
{
    struct rd_ptx_type type = i->types[0];
    unsigned n = parts_of(m, i, &i->operands[0]), size = type.bits / 8;
    uintptr_t from = rd_ptx_address(m, 1, i->first_space, i->has_space);
    unsigned char bytes[64];
    tell(m, from, (size_t)n * size, RD_SIM_READ);
    memcpy(bytes, (const void *)from, (size_t)n * size);
    for (unsigned k = 0; k < n; k++) {
        uint64_t bits = 0;
        memcpy(&bits, bytes + (size_t)k * size, size);
        if (type.kind == RD_PTX_SIGNED)
            bits = (uint64_t)rd_ptx_extended(bits, type.bits);
        rd_ptx_put_part(m, &i->operands[0].parts[k], bits);
    }
}

void rd_ptx_run_st(struct rd_ptx_machine *m, const struct rd_ptx_instruction *i)
{
    struct rd_ptx_type type = i->types[0];
    unsigned n = parts_of(m, i, &i->operands[1]), size = type.bits / 8;
    uintptr_t to = rd_ptx_address(m, 0, i->first_space, i->has_space);
    unsigned char bytes[64];
    for (unsigned k = 0; k < n; k++) {
        uint64_t bits = rd_ptx_get_part(m, &i->operands[1].parts[k], type);
        memcpy(bytes + (size_t)k * size, &bits, size);
    }
    tell(m, to, (size_t)n * size, RD_SIM_WRITE);
    memcpy((void *)to, bytes, (size_t)n * size);
}

/* ---- atomics ---- */

static uint64_t sum(uintptr_t address, uint64_t x, uint64_t y, struct rd_ptx_type type)
{
    if (type.kind != RD_PTX_F && type.kind != RD_PTX_BF)
        return x + y;
    if (type.is_packed) {
        struct rd_ptx_type one = {type.kind, 16, false};
        return sum(address, x >> 16, y >> 16, one) << 16 |
               sum(address, x & 0xffff, y & 0xffff, one);
    }
    double a = rd_ptx_real_of(x, type), b = rd_ptx_real_of(y, type);
    if (type.bits == 32)
        return rd_ptx_nearest((double)rd_sim_atomic_sum((void *)address, (float)a, (float)b), type);
    return rd_ptx_nearest(a + b, type);
}

static bool is_less(uint64_t x, uint64_t y, struct rd_ptx_type type)
{
    return type.kind == RD_PTX_SIGNED
               ? rd_ptx_extended(x, type.bits) < rd_ptx_extended(y, type.bits)
               : x < y;
}

static uint64_t combine(struct rd_ptx_machine *m, uintptr_t address, uint64_t old, uint64_t value)
{
    const struct rd_ptx_instruction *i = m->at;
    struct rd_ptx_type type = i->types[0];
    if (rd_ptx_is(i, RD_PTX_ADD))
        return sum(address, old, value, type);
    if (rd_ptx_is(i, RD_PTX_EXCH))
        return value;
    if (rd_ptx_is(i, RD_PTX_MIN))
        return is_less(value, old, type) ? value : old;
    if (rd_ptx_is(i, RD_PTX_MAX))
        return is_less(old, value, type) ? value : old;
    if (rd_ptx_is(i, RD_PTX_AND))
        return old & value;
    if (rd_ptx_is(i, RD_PTX_OR))
        return old | value;
    if (rd_ptx_is(i, RD_PTX_XOR))
        return old ^ value;
    if (rd_ptx_is(i, RD_PTX_INC))
        return old >= value ? 0 : old + 1;
    if (rd_ptx_is(i, RD_PTX_DEC))
        return old == 0 || old > value ? value : old - 1;
    rd_ptx_refuse(m, "a PTX atomic without an operation");
}

static void update(struct rd_ptx_machine *m, unsigned at, bool has_result)
{
    const struct rd_ptx_instruction *i = m->at;
    struct rd_ptx_type type = i->types[0];
    size_t size = type.bits / 8;
    uintptr_t address = rd_ptx_address(m, at, i->first_space, i->has_space);
    uint64_t value = rd_ptx_get(m, at + 1, type), old = 0, next;
    if (rd_ptx_is(i, RD_PTX_CAS)) {
        if (i->n != 4)
            rd_ptx_refuse(m, "the PTX instruction 'atom.cas' of three operands");
        next = rd_ptx_get(m, 3, type);
        rd_sim_atomic_cas(order_of(i) | RD_SIM_TAKES_LOCK, (void *)address, size, &value,
                          (void *)m->pc);
        memcpy(&old, (const void *)address, size);
        if (old == value)
            memcpy((void *)address, &next, size);
    } else {
        rd_sim_atomic(order_of(i), (void *)address, size, (void *)m->pc);
        memcpy(&old, (const void *)address, size);
        next = combine(m, address, old, value);
        memcpy((void *)address, &next, size);
    }
    if (has_result)
        rd_ptx_put(m, 0, old);
}

void rd_ptx_run_atom(struct rd_ptx_machine *m, const struct rd_ptx_instruction *i)
{
    (void)i;
    update(m, 1, true);
}

void rd_ptx_run_red(struct rd_ptx_machine *m, const struct rd_ptx_instruction *i)
{
    (void)i;
    update(m, 0, false);
}

void rd_ptx_run_fence(struct rd_ptx_machine *m, const struct rd_ptx_instruction *i)
{
    (void)m;
    rd_sim_threadfence(rd_ptx_is(i, RD_PTX_CTA));
}

/* ---- spaces ---- */

void rd_ptx_run_cvta(struct rd_ptx_machine *m, const struct rd_ptx_instruction *i)
{
    uint64_t from = rd_ptx_get(m, 1, i->types[0]);
    if (!is_shared(i->first_space))
        rd_ptx_put(m, 0, from);
    else if (rd_ptx_is(i, RD_PTX_TO))
        rd_ptx_put(m, 0, rd_sim_to_shared((void *)(uintptr_t)from));
    else
        rd_ptx_put(m, 0, (uint64_t)(uintptr_t)rd_sim_from_shared(from));
}

void rd_ptx_run_isspacep(struct rd_ptx_machine *m, const struct rd_ptx_instruction *i)
{
    enum rd_sim_space space = RD_SPACE_NONE;
    uintptr_t address = (uintptr_t)rd_ptx_get(m, 1, rd_ptx_b64);
    rd_sim_shadow(address, &space);
    rd_ptx_put(m, 0,
               is_shared(i->first_space)         ? space == RD_SPACE_SHARED
               : i->first_space == RD_PTX_GLOBAL ? space == RD_SPACE_GLOBAL
               : i->first_space == RD_PTX_LOCAL  ? rd_sim_is_on_stack(address)
                                                 : false);
}

/* ---- asynchronous copies ---- */

/* cp.async.ca.shared.global [to], [from], size, bytes read: the rest is 0. */
static void copy(struct rd_ptx_machine *m, const struct rd_ptx_instruction *i)
{
    if (i->n < 3)
        rd_ptx_refuse(m, "the PTX instruction 'cp.async' of two operands");
    uintptr_t to = rd_ptx_address(m, 0, RD_PTX_SHARED, true),
              from = rd_ptx_address(m, 1, RD_PTX_GLOBAL, true);
    uint64_t size = rd_ptx_get(m, 2, rd_ptx_b32), read = size;
    if (i->n > 3 && !(rd_ptx_is(i, RD_PTX_CACHE_HINT) && i->n == 4)) {
        const struct rd_ptx_part *last = &i->operands[3].parts[0];
        bool is_pred = last->kind == RD_PTX_SLOT && m->program->widths[last->slot] == 1;
        read = is_pred ? (rd_ptx_get(m, 3, rd_ptx_pred) ? 0 : size) : rd_ptx_get(m, 3, rd_ptx_b32);
    }
    if ((size != 4 && size != 8 && size != 16) || read > size)
        rd_ptx_refuse(m, "the PTX instruction 'cp.async' of such a size");
    rd_sim_async_copy((void *)to, (const void *)from, size, read, (void *)m->pc);
}

void rd_ptx_run_cp(struct rd_ptx_machine *m, const struct rd_ptx_instruction *i)
{
    if (!rd_ptx_is(i, RD_PTX_ASYNC))
        rd_ptx_refuse(m, "such a PTX instruction 'cp'");
    if (rd_ptx_is(i, RD_PTX_COMMIT_GROUP))
        rd_sim_async_commit();
    else if (rd_ptx_is(i, RD_PTX_WAIT_ALL))
        rd_sim_async_wait(0, true);
    else if (rd_ptx_is(i, RD_PTX_WAIT_GROUP))
        rd_sim_async_wait(i->n > 0 ? (unsigned)rd_ptx_get(m, 0, rd_ptx_b32) : 0, false);
    else
        copy(m, i);
}
