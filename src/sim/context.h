// SPDX-License-Identifier: MIT
/* Stacks, and switching between them: a few instructions on x86-64, else Boost.Context's C
 * functions, else ucontext. Boost.Context also keeps the floating-point control words, which no
 * kernel changes; that is half of its time, and a barrier is little more than a switch. */
#ifndef RD_SIM_CONTEXT_H
#define RD_SIM_CONTEXT_H

#include <stddef.h>
#include <stdint.h>

/* A stack that is not running holds its place in `context`. */
struct rd_sim_stack {
    void *context;
    void (*main)(struct rd_sim_stack *stack);
    uintptr_t base; /* of the usable part; an unmapped page lies below */
    size_t size_bytes;
    struct rd_sim_stack *next; /* for the owner's lists */
};

/* A stack on which `main` starts when it is first switched to; it must not return. The number
 * colours the stack: stacks whose tops share cache sets cost more than the switch itself. NULL
 * where there is no memory. */
struct rd_sim_stack *rd_sim_stack_create(unsigned number, void (*main)(struct rd_sim_stack *stack));
/* Starts again from the top; what was on it is lost. */
void rd_sim_stack_reset(struct rd_sim_stack *stack);

/* Who switches to a stack that has not started yet says so here. */
extern struct rd_sim_stack *rd_sim_stack_entered;

#if defined __x86_64__ && !defined RD_NO_ASSEMBLER
/* Leaves the running context, keeps its place in *save, and goes on in the other. The compiler
 * saves what it needs of the registers that are named. It is for functions that call others, too:
 * those keep nothing below the stack pointer. */
static inline __attribute__((always_inline)) void rd_sim_context_switch(void **save, void *to)
{
    __asm__ volatile("push %%rbp\n\t"
                     "lea 1f(%%rip), %%rax\n\t"
                     "push %%rax\n\t"
                     "mov %%rsp, (%%rdi)\n\t"
                     "mov %%rsi, %%rsp\n\t"
                     "pop %%rax\n\t"
                     "jmp *%%rax\n"
                     "1:\n\t"
                     "pop %%rbp\n\t"
                     : "+D"(save), "+S"(to)
                     :
                     : "rax", "rbx", "rcx", "rdx", "r8", "r9", "r10", "r11", "r12", "r13", "r14",
                       "r15", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7",
                       "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15",
                       "memory", "cc");
}
#elif defined RD_HAVE_FCONTEXT
/* boost/context/detail/fcontext.hpp, as C. */
struct rd_transfer {
    void *context;
    void *data;
};
struct rd_transfer jump_fcontext(void *to, void *data);
void *make_fcontext(void *top, size_t size_bytes, void (*main)(struct rd_transfer));

/* Leaves the running context, keeps its place in *save, and goes on in the other. */
static inline void rd_sim_context_switch(void **save, void *to)
{
    struct rd_transfer from = jump_fcontext(to, save);
    *(void **)from.data = from.context;
}
#else
void rd_sim_context_switch(void **save, void *to);
#endif

#endif
