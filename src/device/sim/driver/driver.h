// SPDX-License-Identifier: MIT
/* CUDA's driver interface: layers over the functions of the runtime, which do the work and see the calls as the driver's. What its
 * parts share. */
#ifndef RD_SIM_DRIVER_H
#define RD_SIM_DRIVER_H

#include "device/sim/api/hooks.h"
#include "device/sim/driver/api.h"
#include "device/sim/runtime/runtime_internal.h"

struct rd_sim_file;

/* ---- calls.c ---- */

/* What has to be there before a call. */
enum rd_sim_driver_needs { RD_CU_NEEDS_NOTHING, RD_CU_NEEDS_INIT, RD_CU_NEEDS_CONTEXT };

/* A call of the driver's that the host makes. */
struct rd_sim_driver_call {
    struct rd_sim_host_call call;
    struct rd_sim_outer outer;
    const struct rd_sim_outer *before;
};

/* Begins it; where this is false, *result is what it is to return at once. */
bool rd_sim_driver_begins(struct rd_sim_driver_call *call, enum rd_sim_driver_needs needs,
                          CUresult *result);
CUresult rd_sim_driver_ends(const struct rd_sim_driver_call *call, CUresult result);
/* The driver's number, and name, of an error of the runtime's. */
CUresult rd_sim_driver_result(cudaError_t error);

#define RD_CU_BEGIN_NAMED(text, needs)                                                             \
    struct rd_sim_driver_call cu = {                                                               \
        .call = {text, {.pc = (uintptr_t)__builtin_return_address(0)}}};                           \
    CUresult rd_cu_before;                                                                         \
    if (!rd_sim_driver_begins(&cu, needs, &rd_cu_before))                                          \
    return rd_cu_before
#define RD_CU_BEGIN(name, needs) RD_CU_BEGIN_NAMED(#name, needs)
#define RD_CU_END(result)        return rd_sim_driver_ends(&cu, (result))
/* Ends it with what a function of the runtime gives. */
#define RD_CU_DO(error) RD_CU_END(rd_sim_driver_result(error))

/* ---- current.c ---- */

struct CUctx_st {
    int device;
    unsigned flags, n_retained; /* the latter of a primary one */
    bool is_primary, destroyed;
    struct CUctx_st *next;
};

/* The one of the calling thread, or NULL: there is none. */
struct CUctx_st *rd_sim_context_now(void);
/* Tells whether it is one, and not destroyed. */
bool rd_sim_context_is(const struct CUctx_st *context);
/* The primary one of a device, which there is. */
struct CUctx_st *rd_sim_context_primary(int device);
/* From now on this is one. */
void rd_sim_context_add(struct CUctx_st *context);
/* The stack of the calling thread; its top is NULL where it is empty, and nothing is popped then. */
CUresult rd_sim_context_push(struct CUctx_st *context);
struct CUctx_st *rd_sim_context_top(void);
void rd_sim_context_pop(void);

/* ---- modules.c ---- */

struct CUfunc_st {
    const struct rd_sim_kernel *kernel;
    char *symbol;
    struct CUmod_st *module;
};

/* Tells whether its module is there. */
bool rd_sim_function_is(const struct CUfunc_st *function);
/* The text of an image, as which programs have a module; with its NUL. The caller frees it. NULL without memory. */
char *rd_sim_image_of(const char *library);
/* The symbol of what an expression names in a library that was compiled while the program runs; it stays. NULL: it names nothing. */
const char *rd_sim_module_lowered(const char *library, const char *expression);

#endif
