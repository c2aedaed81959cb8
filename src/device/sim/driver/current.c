// SPDX-License-Identifier: MIT
/* Contexts of the driver's, and those that are current in a thread of the host's. */
#include "device/sim/driver/driver.h"

enum { STACK_MAX = 64, DEVICES_MAX = 16 };

static struct CUctx_st *contexts; /* all that were ever made */
static struct CUctx_st primary[DEVICES_MAX];
static _Thread_local struct CUctx_st *stack[STACK_MAX];
static _Thread_local unsigned depth;

bool rd_sim_context_is(const struct CUctx_st *context)
{
    for (const struct CUctx_st *live = contexts; live; live = live->next)
        if (live == context)
            return !live->destroyed;
    for (size_t k = 0; k < DEVICES_MAX; k++)
        if (context == &primary[k])
            return true;
    return false;
}

struct CUctx_st *rd_sim_context_primary(int device)
{
    struct CUctx_st *context = &primary[device];
    context->device = device;
    context->is_primary = true;
    return context;
}

/* A device that the runtime has chosen since then has its primary context current. */
struct CUctx_st *rd_sim_context_now(void)
{
    const int device = rd_sim_device_now();
    struct CUctx_st *top = depth > 0 ? stack[depth - 1] : NULL;
    if (top && top->device == device)
        return top;
    return rd_sim_runtime_is_used() ? rd_sim_context_primary(device) : NULL;
}

/* What is made from now on is of the one that is current. */
static void follow(void)
{
    const struct CUctx_st *top = depth > 0 ? stack[depth - 1] : NULL;
    if (top)
        cudaSetDevice(top->device);
    rd_sim_memory_context_set(top && !top->is_primary ? top : NULL);
}

CUresult rd_sim_context_push(struct CUctx_st *context)
{
    if (depth == STACK_MAX)
        return CUDA_ERROR_OUT_OF_MEMORY;
    stack[depth++] = context;
    follow();
    return CUDA_SUCCESS;
}

void rd_sim_context_add(struct CUctx_st *context)
{
    context->next = contexts;
    contexts = context;
}

struct CUctx_st *rd_sim_context_top(void)
{
    return depth > 0 ? stack[depth - 1] : NULL;
}

void rd_sim_context_pop(void)
{
    depth -= depth > 0;
    follow();
}
