// SPDX-License-Identifier: MIT
/* Undefined arithmetic goes on with what a GPU gives. The compiler's check can't return a value: the
 * operation comes behind it, and is the processor's. So the processor stops at each instruction
 * from there on, a few, until it is the one of the operands that the check has named; that is
 * carried out here, and the thread goes on behind it. Where it does not come, as the compiler has done
 * the work before, the value stays the processor's, and the finding says so. */
#include "device/sim/object.h"
#include "device/sim/detect/arithmetic.h"

#ifdef RD_SIM_RESUMES

#include <signal.h>
#include <string.h>
#include <ucontext.h>

/* Intel's manual, volume 2: ModRM, SIB, REX and VEX. */
enum { FLAG_PARITY = 4, FLAG_ZERO = 0x40, FLAG_SIGN = 0x80, FLAG_STEP = 0x100 };
enum { RAX = 0, RCX = 1, RDX = 2, RSP = 4, RBP = 5 };
enum { REX_B = 1, REX_X = 2, REX_R = 4, REX_W = 8 };

/* Instructions to wait for it: those that get the operands, a few, and the hooks of their accesses. */
enum { STEPS_MAX = 1024 };
/* A stop takes microseconds: a launch that does so by the million would not end. */
enum { RESUMED_MAX = 1 << 13 };

enum kind { OTHER, CALLS, RETURNS, SHIFTS, DIVIDES, CONVERTS, SUBTRACTS };

struct instruction {
    enum kind kind;
    unsigned size_bytes; /* of the operand; of a conversion, of its result */
    unsigned digit, reg; /* the middle field of ModRM: more of the operation, or a register */
    unsigned rm;         /* the register of the operand, where it is not in memory: */
    bool in_memory;
    uintptr_t address;
    bool is_high; /* bits 8 to 15 of that register */
    uint8_t amount;
    bool is_double;
    uintptr_t next;
};

static const int registers[] = {REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP,
                                REG_RSI, REG_RDI, REG_R8,  REG_R9,  REG_R10, REG_R11,
                                REG_R12, REG_R13, REG_R14, REG_R15};

static uint64_t get(const greg_t *context, unsigned number)
{
    return (uint64_t)context[registers[number]];
}

/* ---- reading an instruction ---- */

struct reader {
    const uint8_t *at;
    uint8_t rex;
    bool is_narrow; /* 66 */
    uint8_t repeat; /* f2, f3 or 0 */
    bool is_long;   /* behind 0f */
};

static int32_t read_disp(struct reader *r, bool wide)
{
    int32_t disp = (int8_t)*r->at;
    if (wide)
        memcpy(&disp, r->at, sizeof disp);
    r->at += wide ? 4 : 1;
    return disp;
}

/* The operand that ModRM names. `behind` bytes of the instruction come after it. */
static void read_operand(struct reader *r, const greg_t *context, unsigned behind,
                         struct instruction *i)
{
    uint8_t modrm = *r->at++, mod = modrm >> 6;
    uintptr_t address = 0;
    bool relative = false, wide = mod == 2;
    i->digit = modrm >> 3 & 7;
    i->reg = i->digit | (r->rex & REX_R ? 8 : 0);
    i->rm = (modrm & 7u) | (r->rex & REX_B ? 8 : 0);
    i->in_memory = mod != 3;
    if (!i->in_memory)
        return;
    if ((modrm & 7) == RSP) {
        uint8_t sib = *r->at++;
        unsigned index = (sib >> 3 & 7u) | (r->rex & REX_X ? 8 : 0);
        if (index != RSP)
            address = get(context, index) << (sib >> 6);
        if ((sib & 7) == RBP && mod == 0)
            wide = true;
        else
            address += get(context, (sib & 7u) | (r->rex & REX_B ? 8 : 0));
    } else if ((modrm & 7) == RBP && mod == 0) {
        relative = wide = true;
    } else {
        address = get(context, i->rm);
    }
    if (mod == 1 || wide)
        address += (uintptr_t)(intptr_t)read_disp(r, wide);
    i->address = address + (relative ? (uintptr_t)r->at + behind : 0);
}

static void read_prefixes(struct reader *r)
{
    static const uint8_t of_vex[] = {0, 0x66, 0xf3, 0xf2};
    for (;; r->at++) {
        if (*r->at == 0x66)
            r->is_narrow = true;
        else if (*r->at == 0xf2 || *r->at == 0xf3)
            r->repeat = *r->at;
        else
            break;
    }
    if ((*r->at & 0xf0) == 0x40)
        r->rex = *r->at++ & 15;
    r->is_long = true;
    if (*r->at == 0xc5) { /* VEX, as for 0f */
        r->rex = r->at[1] & 0x80 ? 0 : REX_R;
        r->repeat = of_vex[r->at[1] & 3];
        r->at += 2;
    } else if (*r->at == 0xc4 && (r->at[1] & 31) == 1) {
        r->rex = (uint8_t)((~r->at[1] >> 5 & 7) | (r->at[2] & 0x80 ? REX_W : 0));
        r->repeat = of_vex[r->at[2] & 3];
        r->at += 3;
    } else if (*r->at == 0x0f) {
        r->at++;
    } else {
        r->is_long = false;
    }
}

static unsigned size_of(const struct reader *r)
{
    return r->rex & REX_W ? 8 : r->is_narrow ? 2 : 4;
}

/* Reads an opcode of two bytes: cvttss2si, cvttsd2si, subss and subsd. */
static void read_long(struct reader *r, uint8_t code, const greg_t *context, struct instruction *i)
{
    if ((code != 0x2c && code != 0x5c) || (r->repeat != 0xf3 && r->repeat != 0xf2))
        return;
    i->kind = code == 0x2c ? CONVERTS : SUBTRACTS;
    i->is_double = r->repeat == 0xf2;
    i->size_bytes = r->rex & REX_W ? 8 : 4;
    read_operand(r, context, 0, i);
}

static struct instruction read_instruction(const greg_t *context)
{
    struct reader r = {.at = (const uint8_t *)context[REG_RIP]};
    struct instruction i = {.kind = OTHER};
    read_prefixes(&r);
    uint8_t code = *r.at++;
    bool is_byte = code == 0xc0 || code == 0xd0 || code == 0xd2 || code == 0xf6;
    if (r.is_long) {
        read_long(&r, code, context, &i);
    } else if (code == 0xc0 || code == 0xc1 || (code >= 0xd0 && code <= 0xd3)) {
        bool is_immediate = code < 0xd0;
        read_operand(&r, context, is_immediate, &i);
        i.kind = i.digit >= 4 ? SHIFTS : OTHER;
        i.amount = is_immediate ? *r.at++ : code < 0xd2 ? 1 : (uint8_t)get(context, RCX);
    } else if (code == 0xf6 || code == 0xf7) {
        read_operand(&r, context, 0, &i);
        i.kind = i.digit >= 6 ? DIVIDES : OTHER;
    } else if (code == 0xff) {
        read_operand(&r, context, 0, &i);
        i.kind = i.digit == 2 ? CALLS : OTHER;
    } else if (code == 0xe8) {
        i.kind = CALLS;
    } else if (code == 0xc3) {
        i.kind = RETURNS;
    }
    if (i.kind == SHIFTS || i.kind == DIVIDES) {
        i.size_bytes = is_byte ? 1 : size_of(&r);
        i.is_high = is_byte && !i.in_memory && !r.rex && i.rm >= 4;
        i.rm -= i.is_high ? 4 : 0;
    }
    i.next = (uintptr_t)r.at;
    return i;
}

/* ---- operands ---- */

static uint64_t cut(uint64_t value, unsigned size_bytes)
{
    return size_bytes < 8 ? value & (((uint64_t)1 << 8 * size_bytes) - 1) : value;
}

static uint64_t load(const struct instruction *i, const greg_t *context)
{
    uint64_t value = 0;
    if (i->in_memory)
        memcpy(&value, (const void *)i->address, i->size_bytes);
    else
        value = get(context, i->rm) >> (i->is_high ? 8 : 0);
    return cut(value, i->size_bytes);
}

/* A register of 4 bytes is cleared above, a narrower one is not. */
static void set(greg_t *context, unsigned number, uint64_t value, unsigned size_bytes)
{
    greg_t *at = &context[registers[number]];
    uint64_t keep = size_bytes >= 4 ? 0 : (uint64_t)*at & ~cut(UINT64_MAX, size_bytes);
    *at = (greg_t)(keep | cut(value, size_bytes));
}

static void store(const struct instruction *i, greg_t *context, uint64_t value)
{
    if (i->in_memory)
        memcpy((void *)i->address, &value, i->size_bytes);
    else if (i->is_high)
        context[registers[i->rm]] =
            (greg_t)((get(context, i->rm) & ~(uint64_t)0xff00) | (value & 0xff) << 8);
    else
        set(context, i->rm, value, i->size_bytes);
}

/* As after a shift, whose carry and overflow nobody asks for. */
static void set_flags(greg_t *context, uint64_t value, unsigned size_bytes)
{
    uint64_t flags = (uint64_t)context[REG_EFL] & ~(uint64_t)(FLAG_PARITY | FLAG_ZERO | FLAG_SIGN);
    flags |= cut(value, size_bytes) == 0 ? FLAG_ZERO : 0;
    flags |= value >> (8 * size_bytes - 1) & 1 ? FLAG_SIGN : 0;
    flags |= __builtin_popcountll(value & 0xff) % 2 == 0 ? FLAG_PARITY : 0;
    context[REG_EFL] = (greg_t)flags;
}

/* ---- carrying it out ---- */

static bool shift(const struct instruction *i, greg_t *context, struct rd_sim_operation *operation)
{
    const struct rd_sim_number left = operation->left, right = operation->right;
    if (8 * i->size_bytes != left.bits || (uint8_t)right.value != i->amount ||
        load(i, context) != cut(left.value, i->size_bytes))
        return false;
    operation->to_the_left = i->digit != 5 && i->digit != 7;
    operation->result = rd_sim_ptx_shift(left, right.value, operation->to_the_left);
    store(i, context, operation->result.value);
    set_flags(context, operation->result.value, i->size_bytes);
    return true;
}

static void set_quotient(const struct instruction *i, greg_t *context, uint64_t quotient,
                         uint64_t remainder)
{
    if (i->size_bytes == 1) {
        set(context, RAX, (quotient & 0xff) | (remainder & 0xff) << 8, 2);
        return;
    }
    set(context, RAX, quotient, i->size_bytes);
    set(context, RDX, remainder, i->size_bytes);
}

static bool divide(const struct instruction *i, greg_t *context, struct rd_sim_operation *operation)
{
    struct rd_sim_number remainder;
    uint64_t divisor = load(i, context);
    if (divisor != cut(operation->right.value, i->size_bytes) ||
        cut(get(context, RAX), i->size_bytes) != cut(operation->left.value, i->size_bytes))
        return false;
    rd_sim_ptx_divide(operation->left, operation->right, &operation->result, &remainder);
    set_quotient(i, context, operation->result.value, remainder.value);
    return true;
}

/* The number that is converted, as in the check. */
static struct rd_sim_number source(const struct instruction *i, const ucontext_t *context)
{
    unsigned size_bytes = i->is_double ? 8 : 4;
    struct rd_sim_number number = {'f', 8 * size_bytes, 0};
    if (i->in_memory)
        memcpy(&number.value, (const void *)i->address, size_bytes);
    else
        memcpy(&number.value, &context->uc_mcontext.fpregs->_xmm[i->rm], size_bytes);
    return number;
}

static bool is_long_unsigned(const struct rd_sim_operation *operation)
{
    return operation->right.letter == 'u' && operation->right.bits == 64;
}

/* To an unsigned integer of 64 bits, the processor converts what is too large for a signed one less
 * 2^63, which is then put back; clang tries both, one after the other. Of an infinity, whether it has
 * been subtracted. */
static bool convert(const struct instruction *i, ucontext_t *context, bool subtracted,
                    struct rd_sim_operation *operation)
{
    const uint64_t high = (uint64_t)1 << 63;
    const struct rd_sim_number from = source(i, context), left = operation->left;
    struct rd_sim_number to = operation->right;
    bool less = is_long_unsigned(operation) && subtracted &&
                rd_sim_number_real(from) == rd_sim_number_real(left) - 0x1p63;
    if (from.bits != left.bits || (from.value != left.value && !less))
        return false;
    operation->result = rd_sim_ptx_convert(left, to);
    if (to.bits < 32)
        to.bits = 32; /* whoever cuts it comes behind */
    uint64_t value = rd_sim_ptx_convert(left, to).value;
    set(context->uc_mcontext.gregs, i->reg, less ? value ^ high : value, i->size_bytes);
    return true;
}

/* ---- stopping ---- */

struct rd_sim_resume_state {
    struct {
        bool is_on;            /* the processor stops at each instruction */
        bool is_due;           /* the operation is yet to come */
        bool subtracted;       /* since the last conversion */
        unsigned steps, depth; /* of calls, below the caller of the check */
        struct rd_sim_event event;
        struct sigaction before;
        uint64_t budget; /* of accesses, kept until it is over */
    } pending;
    unsigned n_resumed;
    bool is_known, stops;  /* whether the processor stops at each instruction */
    volatile bool stopped; /* it has done so in the trial */
};

static void end(ucontext_t *context)
{
    struct rd_sim_resume_state *own = rd_sim_here->resume;
    context->uc_mcontext.gregs[REG_EFL] &= ~(greg_t)FLAG_STEP;
    if (own->pending.is_on)
        sigaction(SIGTRAP, &own->pending.before, NULL);
    if (own->pending.is_on && own->pending.budget < rd_sim_here->core.budget)
        rd_sim_here->core.budget = own->pending.budget;
    own->pending.is_on = false;
}

/* Carries the operation out and tells, if this is its instruction. */
static bool carry_out(const struct instruction *i, ucontext_t *context)
{
    struct rd_sim_resume_state *own = rd_sim_here->resume;
    struct rd_sim_operation *operation = &own->pending.event.operation;
    greg_t *at = context->uc_mcontext.gregs;
    bool done =
        (i->kind == SHIFTS && operation->kind == RD_SIM_SHIFT && shift(i, at, operation)) ||
        (i->kind == DIVIDES && operation->kind == RD_SIM_DIVISION && divide(i, at, operation)) ||
        (i->kind == CONVERTS && operation->kind == RD_SIM_CONVERSION &&
         convert(i, context, own->pending.subtracted, operation));
    own->pending.subtracted =
        i->kind == SUBTRACTS || (own->pending.subtracted && i->kind != CONVERTS);
    if (!done)
        return false;
    at[REG_RIP] = (greg_t)i->next;
    if (!own->pending.event.resumed) {
        own->pending.event.resumed = true;
        rd_sim_here->core.on_event(&own->pending.event);
    }
    own->pending.is_due = false;
    return true;
}

/* A thread that waits lets another go on. */
static bool is_same_thread(void)
{
    const struct rd_sim_actor *actor = &rd_sim_here->resume->pending.event.actor;
    return rd_sim_here->core.thread == actor->thread && rd_sim_here->core.block == actor->block;
}

/* The operation has been carried out; what clang converts twice comes once more. */
static void leave_soon(void)
{
    struct rd_sim_resume_state *own = rd_sim_here->resume;
    enum { MORE = 6 };
    own->pending.steps = STEPS_MAX - (is_long_unsigned(&own->pending.event.operation) ? MORE : 1);
}

/* Looks at the instruction that comes. Returns whether it has been carried out, so that the next comes. */
static bool look(ucontext_t *context, bool *is_over)
{
    struct rd_sim_resume_state *own = rd_sim_here->resume;
    struct instruction i = read_instruction(context->uc_mcontext.gregs);
    *is_over = ++own->pending.steps >= STEPS_MAX || !is_same_thread();
    if (i.kind == CALLS)
        own->pending.depth++;
    else if (i.kind == RETURNS)
        *is_over = *is_over || own->pending.depth-- == 0;
    if (*is_over || own->pending.depth > 0 || !carry_out(&i, context))
        return false;
    leave_soon();
    return true;
}

static void on_step(int number, siginfo_t *info, void *self)
{
    (void)number, (void)info;
    ucontext_t *context = self;
    bool is_over = true;
    while (rd_sim_here->resume->pending.is_on && look(context, &is_over)) {
    }
    if (is_over)
        end(context);
}

static void step_here(struct sigaction *before)
{
    struct sigaction action = {.sa_sigaction = on_step, .sa_flags = SA_SIGINFO};
    sigemptyset(&action.sa_mask);
    sigaction(SIGTRAP, &action, before);
}

static void on_trial(int number, siginfo_t *info, void *context)
{
    (void)number, (void)info;
    rd_sim_here->resume->stopped = true;
    ((ucontext_t *)context)->uc_mcontext.gregs[REG_EFL] &= ~(greg_t)FLAG_STEP;
}

/* Not where the instructions are carried out by another program, as under valgrind. */
static bool stops_at_instructions(void)
{
    struct rd_sim_resume_state *own = rd_sim_here->resume;
    if (!own->is_known) {
        struct sigaction action = {.sa_sigaction = on_trial, .sa_flags = SA_SIGINFO}, before;
        sigemptyset(&action.sa_mask);
        sigaction(SIGTRAP, &action, &before);
        __asm__ volatile("lea -128(%%rsp), %%rsp\n\t"
                         "pushfq\n\t"
                         "orl $0x100, (%%rsp)\n\t"
                         "popfq\n\t"
                         "nop\n\t"
                         "nop\n\t"
                         "lea 128(%%rsp), %%rsp" ::
                             : "memory", "cc");
        sigaction(SIGTRAP, &before, NULL);
        own->stops = own->stopped;
        own->is_known = true;
    }
    return own->stops;
}

bool rd_sim_resume_begin(const struct rd_sim_event *event)
{
    struct rd_sim_resume_state *own = rd_sim_here->resume;
    const struct rd_sim_operation *operation = &event->operation;
    own->pending.event = *event;
    own->pending.is_due = operation->left.letter && operation->right.letter;
    own->pending.steps = own->pending.depth = 0;
    own->pending.subtracted = false;
    if (!own->pending.is_due || !stops_at_instructions() ||
        (operation->kind != RD_SIM_DIVISION && own->n_resumed++ >= RESUMED_MAX))
        return false;
    own->pending.is_on = true;
    own->pending.budget = rd_sim_here->core.budget;
    if (!rd_sim_here->core.on_access)
        rd_sim_here->core.budget = UINT64_MAX; /* until then no other thread goes on */
    step_here(&own->pending.before);
    return true;
}

bool rd_sim_resume_division(void *self)
{
    ucontext_t *context = self;
    struct instruction i = read_instruction(context->uc_mcontext.gregs);
    return rd_sim_here->resume->pending.is_due && is_same_thread() && i.kind == DIVIDES &&
           carry_out(&i, context);
}

uintptr_t rd_sim_next_instruction(const void *self)
{
    const ucontext_t *context = self;
    return (uintptr_t)context->uc_mcontext.gregs[REG_RIP];
}

const struct rd_sim_part rd_sim_part_resume = {
    .size_bytes = sizeof(struct rd_sim_resume_state),
    .at = offsetof(struct rd_sim, resume),
};

#else

const struct rd_sim_part rd_sim_part_resume = {.size_bytes = 0};

bool rd_sim_resume_begin(const struct rd_sim_event *event)
{
    (void)event;
    return false;
}

bool rd_sim_resume_division(void *context)
{
    (void)context;
    return false;
}

uintptr_t rd_sim_next_instruction(const void *context)
{
    (void)context;
    return 0;
}

#endif
