// SPDX-License-Identifier: MIT
/* The CUDA runtime of a program that runs whole: what its parts share. Operations run eagerly, in the order in which the host
 * makes them. Private to this folder, but for what starts and ends a program. */
#ifndef RD_SIM_RUNTIME_INTERNAL_H
#define RD_SIM_RUNTIME_INTERNAL_H

#include "device/files.h"
#include "device/sim/object.h"
#include "device/sim/file/launch.h"
#include "device/sim/runtime/api.h"

#include <stdbool.h>
#include <stdint.h>

/* ---- program.c ---- */

/* As in struct rd_file_ops. */
int rd_sim_runtime_run(const struct rd_file_program *program, int argc, char **argv);
void rd_sim_runtime_finish(void);

/* ---- current.c ---- */

/* The program of this process; NULL: none, then calls of CUDA's functions do nothing. */
const struct rd_file_program *rd_sim_runtime_program(void);
void rd_sim_runtime_set(const struct rd_file_program *program);
/* Around what a thread of the host's does with the simulator: one does at a time; the simulator is that of the thread then.
 * They nest. */
void rd_sim_runtime_enter(void);
void rd_sim_runtime_leave(void);
/* Tells whether the calling thread is between the two. */
bool rd_sim_runtime_is_inside(void);
/* A simulator for a further thread, where no kernel runs; NULL without memory. */
struct rd_sim *rd_sim_runtime_thread(void);
/* The calling thread makes a thread: what that is to begin with, see moments.h; NULL without memory. And it has waited for its end. */
void *rd_sim_runtime_fork(void);
void rd_sim_runtime_join(void *ended);
/* Teams, see moments.h. NULL, too, where the runtime itself calls for one. */
void *rd_sim_runtime_team_fork(void);
void rd_sim_runtime_team_enter(void *team);
void rd_sim_runtime_team_leave(void *team);
void rd_sim_runtime_team_join(void *team);
/* Something could not be looked at. */
void rd_sim_runtime_lacks(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* What the thread allocates from now on, and its streams, are of this context of the driver's; NULL: a primary one. */
void rd_sim_memory_context_set(const void *context);
const void *rd_sim_memory_context(void);

/* ---- errors.c ---- */

/* A place in the host's code: a return address, or where that is 0, a file and a line. */
struct rd_sim_host_place {
    uintptr_t pc;
    const char *file;
    unsigned line;
};

/* A call of a function of the runtime's that host code makes. */
struct rd_sim_host_call {
    const char *name; /* "cudaMalloc" */
    struct rd_sim_host_place place;
};
#define RD_HOST_CALL(name)                                                                         \
    {                                                                                              \
        name,                                                                                      \
        {                                                                                          \
            .pc = (uintptr_t)__builtin_return_address(0)                                           \
        }                                                                                          \
    }

/* Begins a call; *error is what it is to return at once where this is false: no program runs, a kernel calls it, or an earlier
 * error has made an end of the context. */
bool rd_sim_call_begins(const struct rd_sim_host_call *call, cudaError_t *error);
/* Ends it, and returns the error. One is kept for cudaGetLastError(). */
cudaError_t rd_sim_call_ends(const struct rd_sim_host_call *call, cudaError_t error);
/* The same by cudaErrorNotReady, of a call that needs what is not over yet: an error there, where it is the answer to a question. */
cudaError_t rd_sim_call_is_early(const struct rd_sim_host_call *call);
/* The same of a launch, which returns nothing. */
void rd_sim_launch_ends(const struct rd_sim_host_call *call, cudaError_t error);
/* From now on all calls fail so: the context is lost. */
void rd_sim_error_sticks(cudaError_t error);
/* Tells whether the host has called the runtime, by which its primary context is there. */
bool rd_sim_runtime_is_used(void);
bool rd_sim_error_has_stuck(void);
/* The error whose name the text begins with; cudaErrorUnknown: none. */
cudaError_t rd_sim_error_named(const char *text);
/* The program is over: an error that nobody has looked at is told. */
void rd_sim_errors_finish(void);

/* A function of another interface, as the driver's, is made of those of the runtime: these are its call then. */
struct rd_sim_outer {
    const struct rd_sim_host_call *call;
    const char *(*error_name)(cudaError_t error); /* as that interface has it */
};
/* Sets that of the calling thread, NULL: none, and gives the one before. */
const struct rd_sim_outer *rd_sim_outer_set(const struct rd_sim_outer *outer);
const struct rd_sim_host_call *rd_sim_outer_call(void);
/* NULL where the host calls the runtime. */
const char *rd_sim_outer_error_name(cudaError_t error);

/* Begin and end a function of the runtime. */
#define RD_BEGIN(name)                                                                             \
    const struct rd_sim_host_call rd_own_call = RD_HOST_CALL(#name);                               \
    const struct rd_sim_host_call call = rd_sim_outer_call() ? *rd_sim_outer_call() : rd_own_call; \
    cudaError_t rd_error_before;                                                                   \
    if (!rd_sim_call_begins(&call, &rd_error_before))                                              \
    return rd_error_before
#define RD_END(error) return rd_sim_call_ends(&call, (error))

/* ---- findings.c ---- */

/* A finding about host code. Its sentence is "TEXT at PLACE" or, with another place, "TEXT at PLACE; OTHER at PLACE". */
struct rd_sim_host_finding {
    enum rd_hazard_kind hazard;
    const char *lesson; /* NULL: that of the hazard */
    struct rd_sim_host_place place;
    const char *other_text; /* NULL: there is none */
    struct rd_sim_host_place other;
    const char *array; /* NULL: unknown */
};
void rd_sim_host_tell(const struct rd_sim_host_finding *finding, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* A call begins; and whether something has been told of it since then: its failure is then not told once more. */
void rd_sim_host_tells(void);
bool rd_sim_host_has_told(void);
/* A signal has come while the host's code ran. Does not return. */
void rd_sim_host_signal(int number, uintptr_t pc, const void *address);

/* ---- allocations.c ---- */

enum rd_sim_memory_kind {
    RD_SIM_MEMORY_DEVICE,
    RD_SIM_MEMORY_MANAGED,
    RD_SIM_MEMORY_PINNED, /* of the host, which kernels may access, too */
};

struct rd_sim_allocation {
    uintptr_t base;
    size_t size_bytes;
    enum rd_sim_memory_kind kind;
    int device;
    unsigned flags;
    const void *context; /* of the driver's, which it ends with; NULL: a primary one */
    bool freed;
    bool only_by_free;             /* the C library's, which is told and frees none of it */
    bool is_of_graph, is_reserved; /* a node takes it; and has not yet */
    /* The device's address of registered host memory, which is the same memory; else 0. */
    uintptr_t alias;
    struct rd_sim_host_call made, freer;
};

/* The allocation that the address is in, or behind whose last byte it is; NULL: it is in none. Freed ones last. */
struct rd_sim_allocation *rd_sim_allocation_at(const void *address);
/* The program is over, or its device is reset: tells what has not been freed. */
void rd_sim_allocations_tell_leaks(void);
/* Tells whether memory of CUDA's has, at some multiple of 8 bytes, a pointer into the range. */
bool rd_sim_allocations_point_to(uintptr_t base, size_t size_bytes);
/* All is freed. */
void rd_sim_allocations_drop(const struct rd_sim_host_call *call);
/* The name by which a finding calls it. */
const char *rd_sim_allocation_name(const struct rd_sim_allocation *allocation, char *name,
                                   size_t size);
/* As cudaMalloc() and the like. */
cudaError_t rd_sim_memory_take(const struct rd_sim_host_call *call, void **pointer,
                               size_t size_bytes, enum rd_sim_memory_kind kind, unsigned flags);
/* Addresses for memory that a node of a graph is to take. */
cudaError_t rd_sim_memory_take_for_graph(const struct rd_sim_host_call *call, void **pointer,
                                         size_t size_bytes);
/* The node takes it: its bytes are unset. cudaErrorInvalidValue where it is still there, which it may be if `may_be`. */
cudaError_t rd_sim_memory_renew(const struct rd_sim_host_call *call, void *pointer, bool may_be);
/* Bytes that nodes of graphs have taken; and the most that there were since the last reset. */
size_t rd_sim_memory_graph_bytes(bool most);
void rd_sim_memory_graph_reset(void);
/* Tells whether a node of a graph takes the memory: it may be freed now, and there again when it is to be freed. */
bool rd_sim_memory_is_of_graph(const void *pointer);
/* Tells what is wrong with a free of that pointer; false where nothing is. */
bool rd_sim_memory_is_not_to_give(const struct rd_sim_host_call *call, void *pointer, bool of_host);
/* Gives memory of the host's to devices, too, under another address; and takes it back. */
cudaError_t rd_sim_memory_register(const struct rd_sim_host_call *call, void *pointer,
                                   size_t size_bytes, unsigned flags);
cudaError_t rd_sim_memory_unregister(const struct rd_sim_host_call *call, void *pointer);
bool rd_sim_memory_has_aliases(void);
/* Bytes of devices that are allocated. */
size_t rd_sim_memory_live_bytes(void);
/* Frees it, at its turn in a stream. */
cudaError_t rd_sim_memory_give(const struct rd_sim_host_call *call, void *pointer);
/* The context ends: what has not been freed of it is told, and freed. */
void rd_sim_allocations_end(const struct rd_sim_host_call *call, const void *context);
/* Maps memory at addresses that are reserved, as rd_sim_memory_take() gives it. */
cudaError_t rd_sim_memory_map_at(const struct rd_sim_host_call *call, void *pointer,
                                 size_t size_bytes);
/* Tells whether the host may access some of the memory that kernels may access. */
bool rd_sim_memory_is_seen(void);

/* ---- host_seen.c ---- */

/* The program begins, or has a further module. */
void rd_sim_host_access_begin(void);
/* All accesses by host code are looked at, wherever they are, until it was called with false as often as with true. */
void rd_sim_host_see_all(bool all);
/* The same of a range. */
void rd_sim_host_see_unset(uintptr_t address, size_t size_bytes);
/* host_unset.c: memory has been copied to the host, of which bytes may be unset; host code accesses some; it is the host's no more. */
void rd_sim_host_unset_copied(const void *to, const void *from, size_t size_bytes,
                              const struct rd_sim_host_call *call);
void rd_sim_host_unset_accessed(uintptr_t address, size_t size_bytes, bool writes, uintptr_t pc);
void rd_sim_host_unset_forget(uintptr_t address, size_t size_bytes);
/* Tells whether the byte is unset, as far as is known. */
bool rd_sim_host_unset_has(uintptr_t address);

/* ---- host.c ---- */

/* From now on each write that is looked at is told of. */
void rd_sim_host_on_write(void (*call)(uintptr_t address));
/* A thread of a kernel waits, at pc, for what another is to write there: true, and told as not simulated, where the host may. */
bool rd_sim_host_is_awaited(uintptr_t address, uintptr_t pc);
/* The host accesses memory, at pc. */
void rd_sim_host_access(uintptr_t address, size_t size_bytes, enum rd_sim_op op, uintptr_t pc);
/* The file of host code's atomics, which a linker is to take in. */
extern const void *const rd_sim_host_atomics;
/* Hooks of allocation and of freeing. */
void rd_sim_host_allocated(void *memory, size_t size_bytes);
/* True where it is CUDA's memory, which is told. */
bool rd_sim_host_freed(void *memory, uintptr_t pc);
/* Tells whether a pointer is one to the host's own memory, as far as that is known: what the C library gave, or the stack. */
bool rd_sim_host_has(const void *pointer);
/* Finds what the host has allocated by malloc() or new; false where the address is in none of it. */
bool rd_sim_host_block_at(uintptr_t address, uintptr_t *base, size_t *size_bytes);

/* ---- variables.c ---- */

/* The variable of a file that the address is in; NULL: it is in none. */
const struct rd_sim_array *rd_sim_variable_at(uintptr_t address);
/* Tells whether it is in a variable of the file that is marked as a device's, and not as managed. */
bool rd_sim_is_device_variable(uintptr_t address);
bool rd_sim_is_managed_variable(uintptr_t address);
/* The program has asked for the device's address of the variable at this one. */
void rd_sim_variable_is_asked(uintptr_t address);
/* Notes the variables to which pointers are copied from memory of the device. */
void rd_sim_variables_are_copied(const void *from, size_t size_bytes);
/* Tells of a pointer to a variable of the device that host code has from itself: nobody has asked for it, and no memory of the device
 * has it. `what`: who is given it, as "cudaMemcpy is given". False: it is none. */
bool rd_sim_tell_shadow(const void *pointer, const struct rd_sim_host_place *place,
                        const char *what);

/* ---- launch.c ---- */

struct rd_sim_step;
/* Errors that CUDA tells of a launch at once. */
cudaError_t rd_sim_launch_check(const struct rd_sim_launch *launch, bool cooperative);
/* Runs a launch in its step, and gives its error. */
cudaError_t rd_sim_host_launch(const struct rd_sim_launch *launch, bool cooperative,
                               const struct rd_sim_step *step, bool may_race);

/* ---- devices.c ---- */

/* The device that the host's calls are for, from 0. */
int rd_sim_device_now(void);
bool rd_sim_device_exists(int device);
/* Tells whether kernels of a device may access memory of that one. */
bool rd_sim_device_may_access(int device, int peer);
/* Pools are given to other devices, by cudaMemPoolSetAccess(); and whether any are: whose, nobody keeps. */
void rd_sim_pools_share(void);
bool rd_sim_pools_are_shared(void);
/* Memory that each device has, and the limit of what kernels allocate. */
size_t rd_sim_device_bytes(void);
size_t rd_sim_heap_wanted(void);

/* ---- streams.c ---- */

/* The number of a stream, 0 for the default stream; UINT_MAX: it is none. */
unsigned rd_sim_stream_number(const void *stream);

/* Destroys the streams of a context. */
void rd_sim_streams_end(const void *context);

/* ---- module_images.c ---- */

/* The file that stands for the one of this name, which would be made of a file that was given; NULL: none does. */
const char *rd_sim_module_image(const char *path);
/* Says so of a file that could not be read. */
void rd_sim_module_image_lacks(const char *path);

/* ---- refused_writes.c ---- */

/* With which a file is linked so that writes to files are seen to be refused. */
extern const char rd_sim_files_link_option[];
/* A function of the C++ library's, which a loaded file has been linked with and we have not. */
void *rd_sim_cxx_library_function(const char *name);

/* ---- library_memory.c ---- */

extern const char rd_sim_library_memory_link_option[];

#endif
