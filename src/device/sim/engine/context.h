// SPDX-License-Identifier: MIT
/* Stacks, and switching between them: a few instructions on x86-64, else Boost.Context's C
 * functions, else ucontext. Boost.Context also keeps the floating-point control words, which no
 * kernel changes; that is half of its time, and a barrier is little more than a switch.
 *
 * The processor guesses where a return goes from the calls before it, whichever stack they were on.
 * A switch leaves those calls unreturned, so that each return behind it could be guessed wrong,
 * which costs more than all else here. Hence three ways to go on:
 *   - who gives way and goes on later does both in one function: its return goes where the one
 *     before it, that of another thread at the same barrier, was called from; where that is another
 *     place, since threads come from one barrier to the next, it gets there by a jump;
 *   - a stack starts by a call, not by a return to a place that was put on it;
 *   - who goes on because another thread has ended gets there by a jump, and ends, too, as the call
 *     of the one before it. */
#ifndef RD_SIM_CONTEXT_H
#define RD_SIM_CONTEXT_H

#include "device/sim/source/source.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct rd_sim_stack {
    void *top;      /* where it starts; first, for the assembler */
    uintptr_t base; /* of the usable part; an unmapped page lies below */
    size_t size_bytes;
    struct rd_sim_stack *next; /* for the owner's lists */
    bool is_taken;             /* for the owner */
    unsigned valgrind_id;
};

/* The number colours the stack: stacks whose tops share cache sets cost more than the switch
 * itself. NULL where there is no memory. */
struct rd_sim_stack *rd_sim_stack_create(unsigned number);
/* A list of them, on which nothing runs. */
void rd_sim_stacks_destroy(struct rd_sim_stack *stacks);

/* Runs `main` from the top of the stack; what was on it is lost. It must not return. Called outside
 * of a function that RD_SIM_GIVING_WAY defines, it does not return either; there, it may, when the
 * context that was given way goes on. */
void rd_sim_stack_start(struct rd_sim_stack *stack, void (*main)(struct rd_sim_stack *stack));

/* The thread on this stack ends in its middle: the address sanitizer need not guard it any more. */
void rd_sim_stack_unguard(const struct rd_sim_stack *stack);

/* The contents of a stack whose context has given way can be copied, another run on it meanwhile, and
 * what was there be put back to the same place. */
size_t rd_sim_stack_used(const struct rd_sim_stack *stack, void *const *context);
void rd_sim_stack_save(const struct rd_sim_stack *stack, void *const *context, void *copy);
void rd_sim_stack_restore(const struct rd_sim_stack *stack, void *const *context, const void *copy);

/* Goes on where that context gave way. The running context is lost. */
void rd_sim_context_resume(void *const *context);

/* Defines `void name(const char *file, unsigned line)`, which calls
 *     void *next(const char *file, unsigned line, void *context)
 * with its own context, and goes on in the one that `next` returns, which may be its own. It
 * returns when somebody goes on in its own. */
#if defined __x86_64__ && !defined RD_NO_ASSEMBLER
/* Pushes a register, and tells the unwinder: a signal may come between any two instructions, and
 * whoever looks for the callers then finds them. */
#define RD_SIM_PUSH(name)                                                                          \
    "push %" name "\n\t"                                                                           \
    ".cfi_adjust_cfa_offset 8\n\t"                                                                 \
    ".cfi_rel_offset %" name ", 0\n\t"
#define RD_SIM_POP(name)                                                                           \
    "pop %" name "\n\t"                                                                            \
    ".cfi_adjust_cfa_offset -8\n\t"                                                                \
    ".cfi_restore %" name "\n\t"
#define RD_SIM_PUSH_ALL                                                                            \
    RD_SIM_PUSH("rbp")                                                                             \
    RD_SIM_PUSH("rbx")                                                                             \
    RD_SIM_PUSH("r12")                                                                             \
    RD_SIM_PUSH("r13")                                                                             \
    RD_SIM_PUSH("r14")                                                                             \
    RD_SIM_PUSH("r15")
#define RD_SIM_POP_ALL                                                                             \
    RD_SIM_POP("r15")                                                                              \
    RD_SIM_POP("r14")                                                                              \
    RD_SIM_POP("r13")                                                                              \
    RD_SIM_POP("r12")                                                                              \
    RD_SIM_POP("rbx")                                                                              \
    RD_SIM_POP("rbp")
#define RD_SIM_GIVING_WAY(name, next)                                                              \
    __attribute__((naked)) void name(__attribute__((unused)) const char *file,                     \
                                     __attribute__((unused)) unsigned line)                        \
    {                                                                                              \
        __asm__(RD_SIM_PUSH_ALL "mov %rsp, %rdx\n\t"                                               \
                                "sub $8, %rsp\n\t"                                                 \
                                ".cfi_adjust_cfa_offset 8\n\t"                                     \
                                "call " #next "\n\t"                                               \
                                "mov 56(%rsp), %rdx\n\t"                                           \
                                "mov %rax, %rsp\n\t"                                               \
                                ".cfi_adjust_cfa_offset -8\n\t" RD_SIM_POP_ALL                     \
                                "cmp %rdx, (%rsp)\n\t"                                             \
                                "jne 1f\n\t"                                                       \
                                "ret\n"                                                            \
                                "1:\tpop %rcx\n\t"                                                 \
                                ".cfi_adjust_cfa_offset -8\n\t"                                    \
                                ".cfi_register %rip, %rcx\n\t"                                     \
                                "jmp *%rcx");                                                      \
    }
/* The frame of such a function: what it has pushed first is the frame of its caller. */
static inline const struct rd_sim_frame *rd_sim_context_frame(void *const *context)
{
    return (const struct rd_sim_frame *)(context + 5);
}
#else
#define RD_SIM_GIVING_WAY(name, next)                                                              \
    void name(const char *file, unsigned line)                                                     \
    {                                                                                              \
        void *self[] = {NULL, __builtin_frame_address(0)};                                         \
        rd_sim_context_leaving = self;                                                             \
        void **to = next(file, line, self);                                                        \
        rd_sim_context_leaving = NULL;                                                             \
        if (to != self)                                                                            \
            rd_sim_context_switch(self, *to);                                                      \
    }
static inline const struct rd_sim_frame *rd_sim_context_frame(void *const *context)
{
    return context[1];
}
/* Context that is about to be left, if it will go on. */
extern _Thread_local void **rd_sim_context_leaving;
/* Leaves the running context, keeps its place in *save, and goes on in the other. */
void rd_sim_context_switch(void **save, void *to);
#endif

#endif
