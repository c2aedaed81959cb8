// SPDX-License-Identifier: MIT
#include "sim/context.h"

#include <stdlib.h>
#include <sys/mman.h>

/* Valgrind takes a switch for an overrun unless it is told of the stacks. */
#if __has_include(<valgrind/valgrind.h>)
#include <valgrind/valgrind.h>
#else
#define VALGRIND_STACK_REGISTER(start, end) ((void)0)
#endif
/* The address sanitizer guards each frame until it is left; those of a thread that ends in its middle
 * never are. */
#if __has_include(<sanitizer/asan_interface.h>)
#include <sanitizer/asan_interface.h>
#else
#define ASAN_UNPOISON_MEMORY_REGION(start, size) ((void)0)
#endif

enum { PAGE = 4096, STACK_BYTES = 64 * PAGE, COLOUR_BYTES = 192, COLOURS = PAGE / COLOUR_BYTES };

struct rd_sim_stack *rd_sim_stack_entered;

#if defined __x86_64__ && !defined RD_NO_ASSEMBLER

static void enter(void)
{
    rd_sim_stack_entered->main(rd_sim_stack_entered);
    abort();
}

/* As the switch leaves it: the place to go on, on top. Behind it the stack is as after a call. */
static void make(struct rd_sim_stack *stack, uintptr_t top)
{
    void **place = (void **)(top & ~(uintptr_t)15) - 2;
    place[1] = NULL;
    place[0] = (void *)enter;
    stack->context = place;
}

#elif defined RD_HAVE_FCONTEXT

static void enter(struct rd_transfer from)
{
    void **save = from.data;
    *save = from.context;
    rd_sim_stack_entered->main(rd_sim_stack_entered);
    abort();
}

static void make(struct rd_sim_stack *stack, uintptr_t top)
{
    stack->context = make_fcontext((void *)top, top - stack->base, enter);
}

#else

#include <ucontext.h>

static void enter(void)
{
    rd_sim_stack_entered->main(rd_sim_stack_entered);
    abort();
}

static void make(struct rd_sim_stack *stack, uintptr_t top)
{
    ucontext_t *context = (ucontext_t *)((top - sizeof *context) & ~(uintptr_t)63);
    getcontext(context);
    context->uc_stack.ss_sp = (void *)stack->base;
    context->uc_stack.ss_size = (uintptr_t)context - stack->base;
    context->uc_link = NULL;
    makecontext(context, enter, 0);
    stack->context = context;
}

void rd_sim_context_switch(void **save, void *to)
{
    ucontext_t here;
    *save = &here;
    swapcontext(&here, to);
}

#endif

static uintptr_t top_of(const struct rd_sim_stack *stack, unsigned number)
{
    return stack->base + stack->size_bytes - number % COLOURS * COLOUR_BYTES;
}

struct rd_sim_stack *rd_sim_stack_create(unsigned number, void (*main)(struct rd_sim_stack *stack))
{
    struct rd_sim_stack *stack = malloc(sizeof *stack);
    if (!stack)
        return NULL;
    char *memory = mmap(NULL, PAGE + STACK_BYTES, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
    if (memory == MAP_FAILED || mprotect(memory, PAGE, PROT_NONE) != 0) {
        free(stack);
        return NULL;
    }
    *stack = (struct rd_sim_stack){
        .main = main, .base = (uintptr_t)memory + PAGE, .size_bytes = STACK_BYTES};
    (void)VALGRIND_STACK_REGISTER(stack->base, stack->base + stack->size_bytes);
    make(stack, top_of(stack, number));
    return stack;
}

void rd_sim_stack_reset(struct rd_sim_stack *stack)
{
    ASAN_UNPOISON_MEMORY_REGION((void *)stack->base, stack->size_bytes);
    make(stack, top_of(stack, 0));
}
