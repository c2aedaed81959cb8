// SPDX-License-Identifier: MIT
/* The compiler's own checks of shifts, conversions and divisions: -fsanitize=shift-exponent,
 * float-cast-overflow, integer-divide-by-zero and, under -fwrapv of the smallest number by -1 alone,
 * signed-integer-overflow. They come before the operation. A sum that wraps, wraps on a GPU, too,
 * and so does what a shift to the left pushes out: neither is told. */
#include "device/sim/detect/arithmetic.h"
#include "device/sim/api/hooks.h"
#include "device/sim/engine/engine.h"

#include <dlfcn.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#if defined __GNUC__ && !defined __clang__
#pragma GCC diagnostic ignored "-Wbuiltin-declaration-mismatch"
#endif

/* As the compilers lay them out. */
enum type_kind { KIND_INTEGER = 0, KIND_FLOAT = 1 };
struct type_descriptor {
    /* Of an integer twice the logarithm of its bits, and its sign; of a float its bits. */
    uint16_t kind, info;
    char name[];
};
struct location {
    const char *file;
    uint32_t line, column;
};
struct shift_check {
    struct location place;
    const struct type_descriptor *left, *right;
};
struct conversion_check {
    struct location place;
    const struct type_descriptor *from, *to;
};
struct division_check {
    struct location place;
    const struct type_descriptor *type;
};

/* Values wider than a register are handed over by their address, and not looked at. */
static struct rd_sim_number number_of(const struct type_descriptor *type, uintptr_t value)
{
    if (type->kind == KIND_FLOAT)
        return (struct rd_sim_number){type->info <= 64 ? 'f' : 0, type->info, value};
    unsigned bits = 1u << (type->info >> 1);
    if (type->kind != KIND_INTEGER || bits > 64)
        return (struct rd_sim_number){.bits = bits};
    return rd_sim_number_of(type->info & 1 ? 'i' : 'u', bits, value);
}

void rd_sim_check_is_of_file(uintptr_t pc)
{
    Dl_info caller, self;
    if (dladdr((void *)pc, &caller) && dladdr((void *)(uintptr_t)rd_sim_check_is_of_file, &self) &&
        caller.dli_fbase == self.dli_fbase)
        abort();
}

/* Returns whether the processor is to stop at each instruction from the caller on. */
static int tell(const struct rd_sim_operation *operation, uintptr_t pc)
{
    if (!rd_sim_is_running()) {
        rd_sim_check_is_of_file(pc);
        return 0;
    }
    const struct rd_sim_event event = {
        .hazard = RD_HAZARD_UNDEFINED_ARITHMETIC,
        .actor = rd_sim_actor_self(RD_SIM_READ, pc),
        .interval = rd_sim_here->core.interval,
        .operation = *operation,
    };
    rd_sim_here->core.on_event(&event);
    return rd_sim_resume_begin(&event);
}

RD_PRIVATE __attribute__((used)) int rd_sim_check_shift(const void *data, uintptr_t left,
                                                        uintptr_t right, uintptr_t pc);
int rd_sim_check_shift(const void *data, uintptr_t left, uintptr_t right, uintptr_t pc)
{
    const struct shift_check *check = data;
    return tell(&(struct rd_sim_operation){.kind = RD_SIM_SHIFT,
                                           .left = number_of(check->left, left),
                                           .right = number_of(check->right, right)},
                pc);
}

/* Compilers that know no place for it leave that out. The first bytes tell: the kinds of two types are no
 * printable characters. */
static bool has_place(const void *data)
{
    const unsigned char *first;
    memcpy(&first, data, sizeof first);
    return first[0] + first[1] > KIND_FLOAT && first[0] != 0xff && first[1] != 0xff;
}

RD_PRIVATE __attribute__((used)) int rd_sim_check_conversion(const void *data, uintptr_t from,
                                                             uintptr_t none, uintptr_t pc);
int rd_sim_check_conversion(const void *data, uintptr_t from, uintptr_t none, uintptr_t pc)
{
    (void)none;
    const struct type_descriptor *types[2];
    size_t start = has_place(data) ? offsetof(struct conversion_check, from) : 0;
    memcpy(types, (const char *)data + start, sizeof types);
    struct rd_sim_number to = number_of(types[1], 0);
    return tell(&(struct rd_sim_operation){.kind = RD_SIM_CONVERSION,
                                           .left = number_of(types[0], from),
                                           .right = to},
                pc);
}

RD_PRIVATE __attribute__((used)) int rd_sim_check_division(const void *data, uintptr_t left,
                                                           uintptr_t right, uintptr_t pc);
int rd_sim_check_division(const void *data, uintptr_t left, uintptr_t right, uintptr_t pc)
{
    const struct division_check *check = data;
    return tell(&(struct rd_sim_operation){.kind = RD_SIM_DIVISION,
                                           .left = number_of(check->type, left),
                                           .right = number_of(check->type, right)},
                pc);
}

/* The processor stops behind the instruction that follows the one which asks it to: at the caller. */
#ifdef RD_SIM_RESUMES
#define CHECK(name, check)                                                                         \
    RD_HOOK void name(const void *data, uintptr_t left, uintptr_t right);                          \
    __attribute__((naked)) void name(__attribute__((unused)) const void *data,                     \
                                     __attribute__((unused)) uintptr_t left,                       \
                                     __attribute__((unused)) uintptr_t right)                      \
    {                                                                                              \
        __asm__("mov (%rsp), %rcx\n\t"                                                             \
                "sub $8, %rsp\n\t"                                                                 \
                "call " #check "\n\t"                                                              \
                "add $8, %rsp\n\t"                                                                 \
                "test %eax, %eax\n\t"                                                              \
                "jz 1f\n\t"                                                                        \
                "pushfq\n\t"                                                                       \
                "orl $0x100, (%rsp)\n\t"                                                           \
                "popfq\n"                                                                          \
                "1:\tret");                                                                        \
    }
#else
#define CHECK(name, check)                                                                         \
    RD_HOOK void name(const void *data, uintptr_t left, uintptr_t right);                          \
    void name(const void *data, uintptr_t left, uintptr_t right)                                   \
    {                                                                                              \
        check(data, left, right, (uintptr_t)__builtin_return_address(0));                          \
    }
#endif
CHECK(__ubsan_handle_shift_out_of_bounds, rd_sim_check_shift)
CHECK(__ubsan_handle_float_cast_overflow, rd_sim_check_conversion)
CHECK(__ubsan_handle_divrem_overflow, rd_sim_check_division)
RD_HOOK_RENAMED(__ubsan_handle_shift_out_of_bounds)
RD_HOOK_RENAMED(__ubsan_handle_float_cast_overflow)
RD_HOOK_RENAMED(__ubsan_handle_divrem_overflow)

/* ---- results of a GPU ---- */

struct rd_sim_number rd_sim_number_of(char letter, unsigned bits, uint64_t value)
{
    unsigned above = bits < 64 ? 64 - bits : 0;
    value <<= above;
    value = letter == 'i' ? (uint64_t)((int64_t)value >> above) : value >> above;
    return (struct rd_sim_number){letter, bits, value};
}

double rd_sim_number_real(struct rd_sim_number number)
{
    double wide;
    float narrow;
    uint32_t low = (uint32_t)number.value;
    memcpy(&wide, &number.value, sizeof wide);
    memcpy(&narrow, &low, sizeof narrow);
    return number.bits == 32 ? (double)narrow : wide;
}

struct rd_sim_number rd_sim_ptx_shift(struct rd_sim_number value, uint64_t amount, bool to_the_left)
{
    uint32_t by = (uint32_t)amount;
    uint64_t result;
    if (to_the_left)
        result = by < value.bits ? value.value << by : 0;
    else if (value.letter == 'i')
        result = (uint64_t)((int64_t)value.value >> (by < value.bits ? by : 63));
    else
        result = by < value.bits ? value.value >> by : 0;
    return rd_sim_number_of(value.letter, value.bits, result);
}

/* The nearest integer of a type of 32 or 64 bits. */
static uint64_t clamp(double x, char letter, unsigned bits)
{
    double end = ldexp(1, (int)bits - (letter == 'i'));
    if (x >= end)
        return letter == 'i' ? ((uint64_t)1 << (bits - 1)) - 1 : UINT64_MAX >> (64 - bits);
    if (letter == 'i')
        return x < -end ? (uint64_t)1 << (bits - 1) : (uint64_t)(int64_t)x;
    return x > 0 ? (uint64_t)x : 0;
}

struct rd_sim_number rd_sim_ptx_convert(struct rd_sim_number from, struct rd_sim_number to)
{
    unsigned bits = to.bits <= 32 ? 32 : 64;
    double x = rd_sim_number_real(from);
    uint64_t result;
    if (x != x)
        result = from.bits == 32 && bits == 32 ? 0 : (uint64_t)1 << (bits - 1);
    else
        result = clamp(x, to.letter, bits);
    return rd_sim_number_of(to.letter, to.bits, result);
}

void rd_sim_ptx_divide(struct rd_sim_number left, struct rd_sim_number right,
                       struct rd_sim_number *quotient, struct rd_sim_number *remainder)
{
    uint64_t ones = left.bits == 64 && left.value <= UINT32_MAX ? UINT32_MAX : UINT64_MAX;
    bool by_zero = right.value == 0;
    *quotient = rd_sim_number_of(left.letter, left.bits, by_zero ? ones : left.value);
    *remainder = rd_sim_number_of(left.letter, left.bits, by_zero ? ones : 0);
}
