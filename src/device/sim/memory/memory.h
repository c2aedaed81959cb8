// SPDX-License-Identifier: MIT
/* Device memory and its shadow. Global memory is one reserved range of addresses; buffers lie in
 * it, page by page, with zones between them that belong to nobody. Shared memory is the linker
 * section that `__shared__` variables go to, dynamic shared memory included. */
#ifndef RD_SIM_MEMORY_H
#define RD_SIM_MEMORY_H

#include "device/sim/engine/core.h"
#include "reductio/status.h"

/* Each byte of fresh memory: nothing that could pass for a result. */
enum { RD_SIM_POISON = 0xa5 };

enum rd_sim_space { RD_SPACE_NONE, RD_SPACE_GLOBAL, RD_SPACE_SHARED };

/* One array: a buffer, or a shared variable. In RD_SPACE_NONE what a kernel was given for one, and
 * which it can't access: host memory, or, of size 0, an address that somebody has made up. */
struct rd_sim_array {
    enum rd_sim_space space;
    uintptr_t base;
    size_t size_bytes;
    char type[8];                       /* "f32"; "" where it is unknown */
    unsigned elem_bytes;                /* 0: unknown */
    const struct rd_sim_layout *layout; /* of its elements, where they are structs; else NULL */
    bool is_single;                     /* a variable that is no array: x, not x[0] */
    unsigned n_inner, inner[2];         /* of more dimensions: those behind the first */
    const char *set_at;                 /* where host code sets it, and nobody gave it: a line */
    bool freed;
    bool dynamic;              /* shared memory, of which the launch tells the size */
    char name[64];             /* "" where it has none */
    uintptr_t origin;          /* of the device heap: where it was allocated; else 0 */
    struct rd_sim_actor freer; /* who has freed it, of the device heap */
};

/* Reserves the addresses. RD_ERROR_MEMORY. Does nothing where they are. */
enum rd_status rd_sim_memory_init(struct rd_error *error);

/* A buffer of size_bytes, uninitialised, with at least slack_bytes of usable memory behind it that
 * belongs to nobody. NULL where there is no memory. */
void *rd_sim_memory_alloc(size_t size_bytes, size_t slack_bytes);
void rd_sim_memory_free(void *memory);
/* The host has written it: these bytes are initialised. */
void rd_sim_memory_written(const void *memory, size_t size_bytes);
/* Pointers that a kernel is given, and that lead to no device memory: so that they can be told. */
void *rd_sim_memory_host(size_t size_bytes); /* fresh; NULL where there is none */
void rd_sim_memory_given(uintptr_t address, const char *name);
void rd_sim_memory_name(const void *memory, const char *name, const char *type,
                        unsigned elem_bytes);

/* The shared memory of the kernels that are linked in, or of a file that has been loaded. */
enum rd_status rd_sim_shared_set(uintptr_t base, size_t size_bytes, struct rd_error *error);
/* A variable in it. What no variable covers is a zone that belongs to nobody. */
void rd_sim_shared_variable(uintptr_t base, size_t size_bytes, const char *name);
/* The dynamic part has this many bytes in the launch that follows. */
void rd_sim_shared_dynamic(uintptr_t base, size_t size_bytes);
/* It has none, and is declared all the same: so that its name can be told. */
void rd_sim_shared_missing(uintptr_t base);
/* The kernel calls it so. */
void rd_sim_shared_name(uintptr_t base, const char *name);
/* Describes the elements of the array at `base`, where they are known. */
struct rd_sim_variable;
void rd_sim_array_typed(uintptr_t base, const struct rd_sim_variable *variable);
void rd_sim_array_named(uintptr_t base, const char *name);
/* The elements of the array at `base` are structs. */
struct rd_sim_layout;
void rd_sim_array_of_structs(uintptr_t base, const struct rd_sim_layout *layout);
/* Poisons it, for a new block. */
void rd_sim_shared_poison(void);

/* The kernel file's own variables (`__device__`, `__constant__`), as global memory. */
enum rd_status rd_sim_module_set(uintptr_t base, size_t size_bytes, struct rd_error *error);
void rd_sim_module_variable(uintptr_t base, size_t size_bytes, const char *name);
/* Marks a variable as uninitialised because host code, which does not run, sets it at a place, "x.cu:12", that stays;
 * NULL where that is not why. The other way round, so much of it has been given. */
void rd_sim_module_forget(uintptr_t base, size_t size_bytes, const char *set_at);
void rd_sim_module_give(uintptr_t base, size_t size_bytes);

/* The shadow record of an address; NULL where it is no device memory. */
uint64_t *rd_sim_shadow(uintptr_t address, enum rd_sim_space *space);

/* The array that an address is in; else the one that it is nearest to, or NULL: then `inside` is
 * false, as it is where that is in RD_SPACE_NONE. */
const struct rd_sim_array *rd_sim_array_at(uintptr_t address, bool *inside);
/* The array of so many rows from which this index leads to an address; NULL where there is none. */
const struct rd_sim_array *rd_sim_array_of_index(uintptr_t address, int64_t index, size_t n_rows);
/* Calls it for each part of global memory that a kernel may write, with its shadow, but for the
 * device heap; until it gives false, and then gives that. */
bool rd_sim_memory_regions(bool (*visit)(void *self, uintptr_t base, size_t size_bytes,
                                         uint64_t *shadow),
                           void *self);
/* Calls it for each array of global memory, the kernel file's own variables too; not for what is in
 * the device heap. */
void rd_sim_memory_visit(void (*visit)(const struct rd_sim_array *array));
/* Tells whether an access to these bytes harms nobody but buffers. */
bool rd_sim_memory_is_mapped(uintptr_t address, size_t size_bytes);

/* The memory that the records of global memory take. */
size_t rd_sim_memory_shadow_bytes(void);

/* Every record of memory that is in use, to be read or changed. */
void rd_sim_shadow_visit(void (*visit)(uint64_t *record));

#endif
