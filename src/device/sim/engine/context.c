// SPDX-License-Identifier: MIT
#include "device/sim/engine/context.h"
#include "device/sim/engine/detector.h"

#include <stdlib.h>
#include <sys/mman.h>

/* Valgrind takes a switch for an overrun unless it is told of the stacks, and what is put back onto
 * a stack for a write below it. */
#if __has_include(<valgrind/memcheck.h>)
#include <valgrind/memcheck.h>
#else
#define VALGRIND_STACK_REGISTER(start, end)      0
#define VALGRIND_STACK_DEREGISTER(id)            ((void)0)
#define VALGRIND_MAKE_MEM_UNDEFINED(start, size) ((void)0)
#endif
/* The address sanitizer guards each frame until it is left; those of a thread that ends in its middle
 * never are. */
#if __has_include(<sanitizer/asan_interface.h>)
#include <sanitizer/asan_interface.h>
#else
#define ASAN_UNPOISON_MEMORY_REGION(start, size) ((void)0)
#endif

/* CUDA gives a thread up to 512 KiB of local memory; frames are larger here. What is not touched takes
 * no memory. */
enum { PAGE = 4096, STACK_BYTES = 256 * PAGE, COLOUR_BYTES = 192, COLOURS = PAGE / COLOUR_BYTES };

#if defined __x86_64__ && !defined RD_NO_ASSEMBLER

__attribute__((naked)) void
rd_sim_stack_start(__attribute__((unused)) struct rd_sim_stack *stack,
                   __attribute__((unused)) void (*main)(struct rd_sim_stack *stack))
{
    __asm__(".cfi_undefined %rip\n\t" /* nobody has called it */
            "mov (%rdi), %rsp\n\t"
            "xor %ebp, %ebp\n\t"
            "call *%rsi\n\t"
            "ud2");
}

static uintptr_t lowest(void *const *context)
{
    return (uintptr_t)context;
}

__attribute__((naked)) void rd_sim_context_resume(__attribute__((unused)) void *const *context)
{
    __asm__("mov %rdi, %rsp\n\t"
            ".cfi_def_cfa_offset 56\n\t" /* as who has given way had left it */
            ".cfi_rel_offset %r15, 0\n\t"
            ".cfi_rel_offset %r14, 8\n\t"
            ".cfi_rel_offset %r13, 16\n\t"
            ".cfi_rel_offset %r12, 24\n\t"
            ".cfi_rel_offset %rbx, 32\n\t"
            ".cfi_rel_offset %rbp, 40\n\t" RD_SIM_POP_ALL "pop %rcx\n\t"
            ".cfi_adjust_cfa_offset -8\n\t"
            ".cfi_register %rip, %rcx\n\t"
            "jmp *%rcx");
}

#else

_Thread_local void **rd_sim_context_leaving;

/* The context is a variable of the function that gives way, and holds the place that the switch has
 * kept: for ucontext, a record in the switch's frame, of which a little lies below. */
static uintptr_t lowest(void *const *context)
{
    return (uintptr_t)*context - 512;
}

static _Thread_local struct {
    struct rd_sim_stack *stack;
    void (*main)(struct rd_sim_stack *stack);
} starting;

/* Returns the place for the context that is about to be left; one that nobody reads if that ends. */
static void **place_to_keep(void)
{
    static _Thread_local void *nowhere;
    void **place = rd_sim_context_leaving ? rd_sim_context_leaving : &nowhere;
    rd_sim_context_leaving = NULL;
    return place;
}

void rd_sim_context_resume(void *const *context)
{
    rd_sim_context_switch(place_to_keep(), *context);
}

#ifdef RD_HAVE_FCONTEXT

/* boost/context/detail/fcontext.hpp, as C. */
struct transfer {
    void *context;
    void *data;
};
struct transfer jump_fcontext(void *to, void *data);
void *make_fcontext(void *top, size_t size_bytes, void (*main)(struct transfer));

static void enter(struct transfer from)
{
    void **save = from.data;
    *save = from.context;
    starting.main(starting.stack);
    abort();
}

void rd_sim_stack_start(struct rd_sim_stack *stack, void (*main)(struct rd_sim_stack *stack))
{
    starting.stack = stack;
    starting.main = main;
    size_t size_bytes = (uintptr_t)stack->top - stack->base;
    rd_sim_context_switch(place_to_keep(), make_fcontext(stack->top, size_bytes, enter));
}

void rd_sim_context_switch(void **save, void *to)
{
    struct transfer from = jump_fcontext(to, save);
    *(void **)from.data = from.context;
}

#else

#include <ucontext.h>

static void enter(void)
{
    starting.main(starting.stack);
    abort();
}

void rd_sim_stack_start(struct rd_sim_stack *stack, void (*main)(struct rd_sim_stack *stack))
{
    static _Thread_local ucontext_t context;
    starting.stack = stack;
    starting.main = main;
    getcontext(&context);
    context.uc_stack.ss_sp = (void *)stack->base;
    context.uc_stack.ss_size = (uintptr_t)stack->top - stack->base;
    context.uc_link = NULL;
    makecontext(&context, enter, 0);
    rd_sim_context_switch(place_to_keep(), &context);
}

void rd_sim_context_switch(void **save, void *to)
{
    ucontext_t here;
    *save = &here;
    swapcontext(&here, to);
}

#endif
#endif

struct rd_sim_stack *rd_sim_stack_create(unsigned number)
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
        .top = memory + PAGE + STACK_BYTES - number % COLOURS * COLOUR_BYTES,
        .base = (uintptr_t)memory + PAGE,
        .size_bytes = STACK_BYTES,
    };
    stack->valgrind_id = VALGRIND_STACK_REGISTER(stack->base, stack->base + stack->size_bytes);
    RD_SIM_TELL(stack, stack);
    return stack;
}

static void unmap(uintptr_t low, uintptr_t high)
{
    if (high > low)
        munmap((void *)low, high - low);
}

void rd_sim_stacks_destroy(struct rd_sim_stack *stacks)
{
    uintptr_t low = 0, high = 0; /* neighbours, which are unmapped at once */
    for (struct rd_sim_stack *stack; (stack = stacks);) {
        const uintptr_t begin = stack->base - PAGE, end = stack->base + stack->size_bytes;
        stacks = stack->next;
        rd_sim_stack_unguard(stack);
        VALGRIND_STACK_DEREGISTER(stack->valgrind_id);
        free(stack);
        if (end == low) {
            low = begin;
        } else if (begin == high) {
            high = end;
        } else {
            unmap(low, high);
            low = begin;
            high = end;
        }
    }
    unmap(low, high);
}

void rd_sim_stack_unguard(const struct rd_sim_stack *stack)
{
    ASAN_UNPOISON_MEMORY_REGION((void *)stack->base, stack->size_bytes);
    RD_SIM_TELL(stack_clear, stack);
}

/* ---- keeping aside ---- */

static uintptr_t from_where(const struct rd_sim_stack *stack, void *const *context)
{
    uintptr_t low = lowest(context) & ~(uintptr_t)15;
    return low < stack->base ? stack->base : low;
}

static size_t bytes_used(const struct rd_sim_stack *stack, void *const *context)
{
    return (uintptr_t)stack->top - from_where(stack, context);
}

size_t rd_sim_stack_used(const struct rd_sim_stack *stack, void *const *context)
{
    size_t used = bytes_used(stack, context), size = used;
    RD_SIM_EACH_DETECTOR
    size += detector->stack_marks ? detector->stack_marks(used) : 0;
    return size;
}

/* Other functions' frames, which a sanitizer would not have touched. */
__attribute__((no_sanitize("address"))) static void
copy_words(volatile uint64_t *to, const volatile uint64_t *from, size_t size_bytes)
{
    for (size_t k = 0; k < size_bytes / sizeof *to; k++)
        to[k] = from[k];
}

void rd_sim_stack_save(const struct rd_sim_stack *stack, void *const *context, void *copy)
{
    uintptr_t from = from_where(stack, context);
    size_t size = bytes_used(stack, context);
    copy_words(copy, (void *)from, size);
    char *marks = (char *)copy + size;
    RD_SIM_EACH_DETECTOR
    if (detector->stack_marks) {
        detector->stack_save(from, size, marks);
        marks += detector->stack_marks(size);
    }
}

void rd_sim_stack_restore(const struct rd_sim_stack *stack, void *const *context, const void *copy)
{
    size_t size = bytes_used(stack, context);
    (void)VALGRIND_MAKE_MEM_UNDEFINED(from_where(stack, context), size);
    rd_sim_stack_unguard(stack);
    copy_words((void *)from_where(stack, context), copy, size);
    const char *marks = (const char *)copy + size;
    RD_SIM_EACH_DETECTOR
    if (detector->stack_marks) {
        detector->stack_restore(from_where(stack, context), size, marks);
        marks += detector->stack_marks(size);
    }
}
