// SPDX-License-Identifier: MIT
/* Device memory and its shadow. Global memory is one reserved range of addresses; buffers lie in
 * it, page by page, with zones between them that belong to nobody. Shared memory is the linker
 * section that `__shared__` variables go to, dynamic shared memory included. */
#ifndef RD_SIM_MEMORY_H
#define RD_SIM_MEMORY_H

#include "device/sim/object.h"
#include "reductio/status.h"

#include <stddef.h>
#include <stdint.h>

/* Value of each byte of fresh memory, which can't pass for a result. */
enum { RD_SIM_POISON = 0xa5 };

enum rd_sim_space { RD_SPACE_NONE, RD_SPACE_GLOBAL, RD_SPACE_SHARED };

/* Calls of the host's about an array of a program: which allocated it, and the last that copied to it or filled it. */
struct rd_sim_filled {
    const char *made, *call; /* "cudaMalloc", "cudaMemcpy"; NULL: not known, and none */
    struct rd_sim_site made_site, site;
    size_t from, to; /* bytes of the array that the last one wrote */
};

/* An array: a buffer, or a shared variable. In RD_SPACE_NONE, memory that a kernel was passed as an array and
 * can't access: host memory or, with size 0, an invented address. */
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
    bool is_device;            /* a variable of the file that host code can't access */
    bool is_host;              /* one that kernels can't */
    bool is_pointed_to;        /* host memory that a kernel has a pointer to */
    bool is_managed;           /* one that both can */
    bool dynamic;              /* shared memory, of which the launch tells the size */
    char name[64];             /* "" where it has none */
    uintptr_t origin;          /* of the device heap: where it was allocated; else 0 */
    struct rd_sim_actor freer; /* who has freed it, of the device heap */
    struct rd_sim_filled filled;
};

/* Reserves the addresses. RD_ERROR_MEMORY. Does nothing where they are. */
enum rd_status rd_sim_memory_init(struct rd_error *error);

/* A buffer of size_bytes, uninitialised, with at least slack_bytes of usable memory behind it that
 * belongs to nobody. NULL where there is no memory. */
void *rd_sim_memory_alloc(size_t size_bytes, size_t slack_bytes);
/* The same at addresses that it had before; false where something else is there. */
bool rd_sim_memory_alloc_again(void *memory, size_t size_bytes, size_t slack_bytes);
void rd_sim_memory_free(void *memory);
/* Has the buffer at `memory` begin at `base` and be of another size, within the same pages: what else is there belongs to nobody. */
void rd_sim_memory_narrow(const void *memory, const void *base, size_t size_bytes);
/* Addresses without memory, at such a multiple; NULL where there are none. They are to be given back. */
void *rd_sim_memory_reserve(size_t size_bytes, size_t alignment);
void rd_sim_memory_unreserve(void *memory);
/* Has uninitialised memory at addresses that are reserved, whole pages, up to rd_sim_memory_free(). False without memory. */
bool rd_sim_memory_map(void *memory, size_t size_bytes);
/* The host has written it: these bytes are initialised. */
void rd_sim_memory_written(const void *memory, size_t size_bytes);
/* A call of the host's has allocated it; has copied to these bytes, or filled them. Other memory is passed over. */
void rd_sim_memory_made(const void *memory, const char *call, const struct rd_sim_site *site);
void rd_sim_memory_filled(uintptr_t address, size_t size_bytes, const char *call,
                          const struct rd_sim_site *site);
/* The same of any bytes, also of a kernel file's own variables; others are passed over. */
void rd_sim_memory_set(uintptr_t address, size_t size_bytes);
/* Bytes have been copied to global memory: they are initialised where those that they are copies of are, or where nothing is
 * known of these. */
void rd_sim_memory_copied(const void *to, const void *from, size_t size_bytes);
/* The offset of the first of these bytes that is not initialised; size_bytes where all are. */
size_t rd_sim_memory_unset(uintptr_t address, size_t size_bytes);
/* Pointers that a kernel is given, and that lead to no device memory: so that they can be told. */
void *rd_sim_memory_host(size_t size_bytes); /* fresh; NULL where there is none */
void rd_sim_memory_given(uintptr_t address, const char *name, bool is_host);
void rd_sim_memory_forget(uintptr_t address); /* no more; what was not given is passed over */
void rd_sim_memory_name(const void *memory, const char *name, const char *type,
                        unsigned elem_bytes);

/* The shared memory of the kernels that are linked in, or of a file that has been loaded. */
enum rd_status rd_sim_shared_set(uintptr_t base, size_t size_bytes, struct rd_error *error);
/* Moves it by so many bytes: there it lies in another thread of the host's. */
void rd_sim_shared_move(intptr_t bytes);
/* A variable in it. What no variable covers is a zone that belongs to nobody. */
void rd_sim_shared_variable(uintptr_t base, size_t size_bytes, const char *name);
/* The dynamic part has this many bytes in the launch that follows. */
void rd_sim_shared_dynamic(uintptr_t base, size_t size_bytes);
/* Notes that a kernel without dynamic shared memory declares an array of it, so that reports can name the array. */
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
/* Poison its variables: all, for a launch, and those that have been used since rd_sim_shared_set(), for a new block. */
void rd_sim_shared_poison(void);
void rd_sim_shared_poison_used(void);

/* The kernel file's own variables (`__device__`, `__constant__`), as global memory. */
enum rd_status rd_sim_module_set(uintptr_t base, size_t size_bytes, struct rd_error *error);
/* The same of a further file. */
enum rd_status rd_sim_module_add(uintptr_t base, size_t size_bytes, struct rd_error *error);
void rd_sim_module_variable(uintptr_t base, size_t size_bytes, const char *name);
/* Marks the variable that begins there as a device's, which host code can't access. */
void rd_sim_module_device(uintptr_t base);
/* Marks the variable that begins there as the host's, which kernels can't access unless it is registered. */
void rd_sim_module_host(uintptr_t base);
/* Marks the variable that begins there as managed: kernels and host code can access it. */
void rd_sim_module_managed(uintptr_t base);
bool rd_sim_module_has_managed(void);
/* Visits the granules of managed variables, as rd_sim_memory_regions() those of all memory. */
bool rd_sim_module_managed_regions(bool (*visit)(void *self, uintptr_t base, size_t size_bytes,
                                                 uint64_t *shadow),
                                   void *self);
/* Tells whether the address is in a variable of the host's. */
bool rd_sim_module_is_host(uintptr_t address);
/* Memory of the host's is registered for devices: what its pages hold is in global memory, too, the first of its bytes at `alias`.
 * False without memory. */
bool rd_sim_registered_add(uintptr_t base, size_t size_bytes, uintptr_t alias);
void rd_sim_registered_drop(uintptr_t base);
/* The address in global memory of what is registered, and of the heap in the same pages; of all else its own. */
uintptr_t rd_sim_registered_alias(uintptr_t address);
/* Marks a variable as uninitialised because host code, which does not run, sets it at a place, "x.cu:12", that stays;
 * NULL where that is not why. The other way round, so much of it has been given. */
void rd_sim_module_forget(uintptr_t base, size_t size_bytes, const char *set_at);
void rd_sim_module_give(uintptr_t base, size_t size_bytes);
/* Tells whether the address is in one of them; what nobody gave is there as the file has it, and not poisoned. */
bool rd_sim_module_has(uintptr_t address);
/* The range of those of the first file. */
void rd_sim_module_range(uintptr_t *base, size_t *size_bytes);
/* The range in which all those of further files are; of 0 bytes where there are none. */
void rd_sim_module_others(uintptr_t *base, size_t *size_bytes);

/* The shadow record of an address; NULL where it is no device memory. */
uint64_t *rd_sim_shadow(uintptr_t address, enum rd_sim_space *space);

/* The array that an address is in; else the one that it is nearest to, or NULL: then `inside` is
 * false, as it is where that is in RD_SPACE_NONE. */
const struct rd_sim_array *rd_sim_array_at(uintptr_t address, bool *inside);
/* The array, which is live, has just been accessed by the launch that runs: see known_shadow in struct rd_sim_core. */
void rd_sim_array_is_known(const struct rd_sim_array *array);
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

/* Visits every record of memory that is in use, to read or change it. */
void rd_sim_shadow_visit(void (*visit)(uint64_t *record));

/* The shared memory of the kernels that are linked in, or of a client's. */

/* The section of shared variables of one program or library. */
struct rd_sim_shared {
    uintptr_t start, end;
    uintptr_t dynamic; /* in it, RD_SIM_DYNAMIC_MAX bytes */
};

/* Shared section of the kernels that are linked in. */
struct rd_sim_shared rd_sim_shared_of_library(void);
/* Finds the variables of that section, which are shared memory from now on. RD_ERROR_MEMORY. */
enum rd_status rd_sim_shared_use(const struct rd_sim_shared *shared, struct rd_error *error);

/* The same of those that are linked in. */
enum rd_status rd_sim_shared_init(struct rd_error *error);

/* The most of dynamic shared memory; for its place see intrinsics.h. */
size_t rd_sim_dynamic_shared_max(void);

/* A variable's name without what the compiler has put behind it: "cache.0" is "cache". */
void rd_sim_plain_name(char *plain, size_t size, const char *name);

/* ---- shadow.c: records of single bytes, of memory that threads use byte by byte: see SPLIT in record.h ---- */

/* The four records of a granule's bytes; NULL without memory. Bytes beyond the end of the array do
 * not become initialised with the others. */
uint64_t *rd_sim_split(uint64_t *shadow);

/* The first bytes of a granule are initialised, the others are not. */
void rd_sim_split_written(uintptr_t address, size_t size_bytes);

/* The record of the byte at the address, which that of its granule is or which is split off from it. */
uint64_t *rd_sim_byte_record(uint64_t *shadow, uintptr_t address);
/* The records of the bytes of a granule whose record is split. */
const uint64_t *rd_sim_split_records(uint64_t record);
/* Marks bytes of a granule, one bit each, as written by the host. */
void rd_sim_granule_written(uint64_t *shadow, unsigned bytes);

/* The bytes of a granule that are initialised, one bit each. */
enum { RD_SIM_GRANULE_ALL = 15 };
unsigned rd_sim_granule_set(uint64_t record);
/* Makes it that of a granule of which these bytes are, and which nobody has accessed; memory that does not exist stays so. */
void rd_sim_granule_restore(uint64_t *record, unsigned set);

/* Part of rd_sim_shadow_visit. */
void rd_sim_splits_visit(void (*visit)(uint64_t *record));
/* Part of rd_sim_memory_shadow_bytes. */
size_t rd_sim_splits_bytes(void);

/* ---- heap.c ---- */

/* The device heap: what malloc, free, new and delete in a kernel give and take. It lies at the
 * upper end of the simulator's global memory. Addresses are given again as late as can be, so that
 * memory which is used after it was freed is seen. */

/* The option with which a kernel file is linked, so that its malloc, free, new and delete are those
 * of hooks.c. */
extern const char rd_sim_heap_link_option[];

/* Default of CUDA's cudaLimitMallocHeapSize. */
#define RD_SIM_HEAP_BYTES ((size_t)8 << 20)

/* The addresses it may use. Nothing has been allocated. */
void rd_sim_heap_init(uintptr_t base, size_t size_bytes);
/* The limit of the launch that follows; 0: the default. What is allocated stays. */
void rd_sim_heap_limit(size_t size_bytes);

/* Allocates memory for the running thread, at pc. NULL if the heap is used up. The alignment is a power of two. */
void *rd_sim_heap_alloc(size_t size_bytes, size_t alignment, uintptr_t pc);
/* The size of what is allocated there; false where that is nothing. */
bool rd_sim_heap_find(const void *memory, size_t *size_bytes);
/* Frees what is allocated there, in the name of the running thread, at pc. */
void rd_sim_heap_free(void *memory, uintptr_t pc);

/* The allocation that an address is in, as an array; else the nearest, or NULL: then `inside` is
 * false. Valid until the next call. */
const struct rd_sim_array *rd_sim_heap_array(uintptr_t address, bool *inside);
/* The launch has ended: tells what it has allocated and not freed. */
void rd_sim_heap_tell_leaks(void);
/* Calls `visit` with each block that has not been freed. */
void rd_sim_heap_visit_live(void (*visit)(void *self, const struct rd_sim_array *array),
                            void *self);
/* Size of its addresses that have been used. */
size_t rd_sim_heap_used(void);
/* Tells whether the address is one of those. */
bool rd_sim_heap_has(uintptr_t address);
/* Calls it for those addresses, as rd_sim_memory_regions does for others. */
bool rd_sim_heap_region(bool (*visit)(void *self, uintptr_t base, size_t size_bytes,
                                      uint64_t *shadow),
                        void *self);

#endif
