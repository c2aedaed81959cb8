// SPDX-License-Identifier: MIT
#include "device/sim/runtime/law_internal.h"
#include "base/array.h"
#include "device/sim/api/hooks.h"
#include "device/sim/engine/engine.h"
#include "device/sim/memory/memory.h"
#include "device/sim/object.h"
#include "device/sim/runtime/runtime_internal.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { NAMES_MAX = RD_SIM_LAW_NAMES_MAX };

/* An annotation that is being told of, by the host or by a thread of a kernel. A name may be a call of a function with
 * annotations of its own, and the threads of a kernel may be switched at an access. */
struct telling {
    pthread_t host; /* the host's thread that tells of it, or that runs the kernel */
    bool in_kernel;
    uint64_t block;
    unsigned thread;
    size_t elem_bytes;
    struct rd_file_law law;
    int64_t values[NAMES_MAX];
    unsigned char lane[8]; /* the value of the thread's variable */
};

/* Memory whose size the program has told, as an input's. */
struct sized {
    const void *cells;
    size_t size_bytes;
};

static struct {
    struct telling **told;
    size_t n, capacity;
    struct sized *sized;
    size_t n_sized, sized_capacity;
} law_state;

/* Memory of the inputs that were given other values. */
enum { SET_MAX = 16 };
static struct {
    struct {
        unsigned site;
        uintptr_t from, to;
    } all[SET_MAX];
    size_t n;
} set_inputs;

/* Calls of the host's threads are serialised. */
static pthread_mutex_t turn = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

static void leave(const int *unused)
{
    (void)unused;
    pthread_mutex_unlock(&turn);
}
#define TAKE_TURN                                                                                  \
    const int rd_turn __attribute__((cleanup(leave))) = pthread_mutex_lock(&turn);                 \
    (void)rd_turn

/* Annotations that this thread of the host tells of, and its stack, on which their expressions may write. */
static __thread struct {
    unsigned depth;
    uintptr_t stack_top;
} host;
static bool is_early; /* one was told of before the program's main function */

static uintptr_t stack_top(void)
{
    pthread_attr_t about;
    void *stack = NULL;
    size_t size_bytes = 0;
    if (pthread_getattr_np(pthread_self(), &about) != 0)
        return 0;
    const bool is_known = pthread_attr_getstack(&about, &stack, &size_bytes) == 0;
    pthread_attr_destroy(&about);
    return is_known ? (uintptr_t)stack + size_bytes : 0;
}

static void on_write(uintptr_t address)
{
    const uintptr_t here = (uintptr_t)__builtin_frame_address(0);
    if (host.depth == 0 || rd_sim_is_running())
        return;
    if (!host.stack_top)
        host.stack_top = stack_top();
    if (address < here || address >= host.stack_top)
        rd_sim_law_lack("an expression of the law has an effect: it writes to memory");
}

void rd_sim_law_program_begins(void)
{
    rd_sim_host_on_write(on_write);
    if (is_early)
        rd_sim_runtime_lacks("annotations that the program came to before main()");
}

static struct telling *telling(void)
{
    const struct rd_sim_core *core = &rd_sim_here->core;
    const bool in_kernel = rd_sim_is_running();
    for (size_t k = law_state.n; k-- > 0;) {
        struct telling *one = law_state.told[k];
        if (pthread_equal(one->host, pthread_self()) && one->in_kernel == in_kernel &&
            (!in_kernel || (one->block == core->block && one->thread == core->thread)))
            return one;
    }
    return NULL;
}

static void forget(const struct telling *telling)
{
    size_t k = law_state.n;
    while (law_state.told[--k] != telling)
        ;
    free(law_state.told[k]);
    memmove(&law_state.told[k], &law_state.told[k + 1],
            (law_state.n-- - k - 1) * sizeof(struct telling *));
}

RD_HOOK unsigned long long rd_sim_law_enter(unsigned site)
{
    TAKE_TURN;
    return rd_sim_is_running() ? rd_sim_law_count(site) : rd_sim_law_instance();
}

RD_HOOK void rd_sim_law_begin(unsigned site, unsigned long long instance,
                              unsigned long long evaluation)
{
    TAKE_TURN;
    struct telling *telling = calloc(1, sizeof *telling);
    if (!telling || !rd_array_make_room(&law_state.told, law_state.n, &law_state.capacity,
                                        sizeof(struct telling *))) {
        free(telling);
        rd_sim_runtime_lacks("no memory for an annotation");
        return;
    }
    law_state.told[law_state.n++] = telling;
    if (!rd_sim_is_running()) {
        host.depth++;
        rd_sim_host_see_all(true);
    }
    telling->host = pthread_self();
    telling->in_kernel = rd_sim_is_running();
    telling->block = rd_sim_here->core.block;
    telling->thread = rd_sim_here->core.thread;
    telling->law = (struct rd_file_law){
        .site = site,
        .instance = instance,
        .evaluation = evaluation,
        .launches = rd_sim_law_launches(),
        .values = telling->values,
    };
}

RD_HOOK void rd_sim_law_name(long long value)
{
    TAKE_TURN;
    struct telling *current = telling();
    if (current && current->law.n_values < NAMES_MAX)
        current->values[current->law.n_values++] = value;
    else if (current)
        current->law.lack = "the law takes too many names from the program";
}

RD_HOOK void rd_sim_law_lack(const char *text)
{
    TAKE_TURN;
    struct telling *current = telling();
    if (current && !current->law.lack)
        current->law.lack = text;
}

/* The bytes from there to the end of the memory that was allocated; 0: it lies in none. */
static size_t allocated_from(const void *cells)
{
    const struct rd_sim_allocation *allocation = rd_sim_allocation_at(cells);
    if (allocation && allocation->freed) {
        rd_sim_law_lack("the array's memory has been freed");
        return 0;
    }
    if (allocation)
        return allocation->size_bytes - (size_t)((uintptr_t)cells - allocation->base);
    const struct rd_sim_core *core = &rd_sim_here->core;
    const bool is_shared =
        rd_sim_is_running() && (uintptr_t)cells - core->shared < core->shared_size;
    bool inside = false;
    const struct rd_sim_array *shared =
        is_shared ? rd_sim_array_at((uintptr_t)cells, &inside) : NULL;
    if (shared && inside)
        return shared->size_bytes - (size_t)((uintptr_t)cells - shared->base);
    uintptr_t base;
    size_t size_bytes;
    if (rd_sim_host_block_at((uintptr_t)cells, &base, &size_bytes))
        return size_bytes - (size_t)((uintptr_t)cells - base);
    return 0;
}

/* The bytes from there to the end of what it lies in; 0: that is not known. */
static size_t bytes_from(const void *cells)
{
    const size_t allocated = allocated_from(cells);
    if (allocated)
        return allocated;
    for (size_t k = law_state.n_sized; k-- > 0;)
        if (law_state.sized[k].cells == cells)
            return law_state.sized[k].size_bytes;
    return 0;
}

static void remember(const void *cells, size_t size_bytes)
{
    size_t k = 0;
    while (k < law_state.n_sized && law_state.sized[k].cells != cells)
        k++;
    if (k == law_state.n_sized &&
        !rd_array_make_room(&law_state.sized, law_state.n_sized, &law_state.sized_capacity,
                            sizeof *law_state.sized))
        return;
    law_state.n_sized += k == law_state.n_sized;
    law_state.sized[k] = (struct sized){cells, size_bytes};
}

RD_HOOK void rd_sim_law_array(const char *type, const void *cells, size_t elem_bytes, size_t count)
{
    TAKE_TURN;
    struct telling *current = telling();
    if (!current || current->law.lack)
        return;
    const size_t known = cells ? bytes_from(cells) : 0;
    if (!cells)
        rd_sim_law_lack("the array is a null pointer");
    else if (count == 0 && known < elem_bytes)
        rd_sim_law_lack(
            "the size of the array is not known: it lies in no memory that was allocated, and no "
            "'input' says its size");
    if (current->law.lack)
        return;
    current->law.n_elems = count ? count : known / elem_bytes;
    current->law.size_bytes = current->law.n_elems * elem_bytes;
    current->law.type = type;
    current->elem_bytes = elem_bytes;
    current->law.cells = cells;
    if (count > 1 && !rd_sim_allocation_at(cells))
        remember(cells, current->law.size_bytes);
}

RD_HOOK void rd_sim_law_lane(const char *type, const void *value, size_t elem_bytes)
{
    TAKE_TURN;
    struct telling *current = telling();
    if (!current || current->law.lack)
        return;
    if (!current->in_kernel)
        rd_sim_law_lack("a law by lane is of a kernel's variable, and here the host has called");
    current->law.is_register = true;
    current->law.n_elems = 1;
    current->law.size_bytes = current->elem_bytes = elem_bytes;
    current->law.type = type;
    memcpy(current->lane, value, elem_bytes);
    current->law.cells = current->lane;
}

/* Copies values by way of a pipe: where the memory may not be written, read() fails, and no signal comes. */
static bool copy_by_pipe(void *cells, const void *values, size_t size_bytes)
{
    enum { CHUNK = 4096 };
    int ends[2];
    size_t done = 0;
    if (pipe(ends) != 0)
        return false;
    while (done < size_bytes) {
        const size_t n = size_bytes - done < CHUNK ? size_bytes - done : CHUNK;
        if (write(ends[1], (const char *)values + done, n) != (ssize_t)n ||
            read(ends[0], (char *)cells + done, n) != (ssize_t)n)
            break;
        done += n;
    }
    close(ends[0]);
    close(ends[1]);
    return done == size_bytes;
}

static bool was_set(unsigned site)
{
    for (size_t k = 0; k < set_inputs.n; k++)
        if (set_inputs.all[k].site == site)
            return true;
    return false;
}

/* Tells whether another input, which was given values, has some of this memory: they would no longer be its. */
static bool shares_memory(unsigned site, const void *cells, size_t size_bytes)
{
    const uintptr_t from = (uintptr_t)cells, to = from + size_bytes;
    size_t own = 0;
    for (size_t k = 0; k < set_inputs.n; k++)
        if (set_inputs.all[k].site != site && from < set_inputs.all[k].to &&
            set_inputs.all[k].from < to)
            return true;
    while (own < set_inputs.n && set_inputs.all[own].site != site)
        own++;
    if (own == SET_MAX)
        return true;
    set_inputs.n += own == set_inputs.n;
    set_inputs.all[own].site = site;
    set_inputs.all[own].from = from;
    set_inputs.all[own].to = to;
    return false;
}

RD_HOOK void rd_sim_law_input(const void *cells, size_t size_bytes)
{
    TAKE_TURN;
    const struct telling *current = telling();
    const struct rd_file_program *program = rd_sim_runtime_program();
    if (!current || current->law.lack || !cells)
        return;
    const size_t allocated = allocated_from(cells);
    if (allocated && allocated < size_bytes)
        rd_sim_law_lack("the input is said to have more elements than its memory has");
    if (current->in_kernel || current->law.lack || !program || !program->input)
        return;
    size_t given_bytes = 0;
    const void *own = NULL,
               *values = program->input(program->how.self, current->law.site, &given_bytes, &own);
    if (!values)
        return;
    if (given_bytes != size_bytes) {
        rd_sim_law_lack("it was given other values, and they were for an array of another size, "
                        "that of its first time");
        return;
    }
    const bool is_derived = own && set_inputs.n > 0 && !was_set(current->law.site) &&
                            memcmp(cells, own, size_bytes) != 0;
    if (shares_memory(current->law.site, cells, size_bytes)) {
        rd_sim_law_lack("it shares memory with another input that was given other values");
        return;
    }
    if (is_derived) {
        rd_sim_law_lack("it is another one when an input before it is: the program derives it, and "
                        "other values would not be what it derives");
        return;
    }
    if (!copy_by_pipe((void *)cells, values, size_bytes)) {
        rd_sim_law_lack("the input can't be given other values: its memory is constant");
        return;
    }
    if (rd_sim_allocation_at(cells))
        rd_sim_memory_set((uintptr_t)cells, size_bytes);
}

RD_HOOK void rd_sim_law_end(void)
{
    size_t pairs[2 * RD_SIM_LAW_UNWRITTEN_MAX], of_others[2 * RD_SIM_LAW_OTHERS_MAX];
    char pending[600] = "";
    TAKE_TURN;
    struct telling *current = telling();
    const struct rd_file_program *program = rd_sim_runtime_program();
    if (!current)
        return;
    if (!current->in_kernel) {
        host.depth--;
        rd_sim_host_see_all(false);
    }
    is_early = is_early || !program;
    if (current->law.lack)
        current->law.cells = NULL;
    if (program && current->in_kernel)
        rd_sim_law_arrives(&current->law, current->elem_bytes);
    else if (program) {
        if (current->law.cells) {
            current->law.n_unwritten = rd_sim_law_unwritten(
                current->law.cells, current->law.n_elems, current->elem_bytes, pairs);
            current->law.n_of_others =
                rd_sim_law_pending(current->law.cells, current->law.n_elems, current->elem_bytes,
                                   of_others, pending, sizeof pending);
        }
        current->law.unwritten = pairs;
        current->law.of_others = of_others;
        current->law.pending = *pending ? pending : NULL;
        program->on_law(program->how.self, &current->law);
    }
    forget(current);
}
