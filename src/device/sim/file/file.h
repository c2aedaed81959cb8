// SPDX-License-Identifier: MIT
/* Files of users' kernels, in the simulator. */
#ifndef RD_SIM_FILE_H
#define RD_SIM_FILE_H

#include "device/files.h"
#include "device/sim/engine/engine.h"
#include "device/sim/source/source.h"

extern const struct rd_file_ops rd_sim_files;

/* As in struct rd_file_ops. */
enum rd_status rd_sim_object_prepare(const char *path,
                                     void (*found)(void *self, const char *name, bool is_defined),
                                     void *self, struct rd_error *error);
enum rd_status rd_sim_object_prepare_program(const char *path, struct rd_error *error);
void rd_sim_object_kernels(const char *path, void (*kernel)(void *self, const char *name),
                           void *self);

/* ---- module.c: the file of this process ---- */

struct rd_sim_file {
    const struct rd_file_source *source;
    void *handle; /* of the library, which stays loaded */
    struct rd_file file;
    uintptr_t base, data, data_end; /* what its symbols are relative to; what can be written */
    void (*thread)(void *const *arguments);
    void *kernel; /* of a program: where main is called */
    int (*main)(int argc, char **argv);
    void (**constructors)(int argc, char **argv, char **environment); /* of a program */
    size_t n_constructors;
    void *(*step_parameter)(unsigned number, unsigned *own); /* of launches in turn; else NULL */
    uintptr_t code, code_end, start, end;                    /* and all of it */
    bool may_communicate; /* some kernel calls what its threads may communicate by, */
    bool may_be_exact;    /* and what may ask for an exact launch */
    bool reads_elsewhere; /* some kernel may read what no hook tells of: descriptions of textures */
    bool tells_returns;   /* see struct rd_sim_grid */
    bool makes_streams;   /* it calls what can make one that doesn't wait for the default stream */
    struct rd_sim_file_dynamic {
        uintptr_t base; /* of dynamic shared memory; what it is, as the only declaration has it: */
        bool is_declared; /* the file has such a variable */
        char name[64];
        struct rd_sim_variable variable; /* of it, the type */
    } dynamic;
};
/* The file in use: whose kernel is launched next, or runs. */
struct rd_sim_file *rd_sim_file(void);
/* The file of this process, whichever module of its is in use. */
const struct rd_sim_file *rd_sim_file_program(void);

/* ---- modules: further files, which a program loads while it runs ---- */

/* Loads one, which is in use then. RD_ERROR_INPUT, RD_ERROR_MEMORY. */
enum rd_status rd_sim_file_add(const struct rd_file_source *source, struct rd_sim_file **added,
                               struct rd_error *error);
/* Makes the file with this code the one in use; and looks once more at the shared memory of that which is. */
void rd_sim_file_enter(uintptr_t pc);
void rd_sim_file_enter_again(void);
/* Tells whether the file of the program is the only one that was ever loaded. */
bool rd_sim_file_is_only(void);
/* The file that lies at the address; NULL: none does. */
const struct rd_sim_file *rd_sim_file_at(uintptr_t address);
/* Tells whether code of one of the files is there. */
bool rd_sim_file_has_code(uintptr_t pc);
/* The symbol of a function or a variable, by its address, for the caller to free; NULL: there is none. */
char *rd_sim_file_symbol_at(uintptr_t address);
/* Finds a variable of a file by its symbol. */
bool rd_sim_file_variable(const struct rd_sim_file *file, const char *name, uintptr_t *address,
                          size_t *size_bytes);
/* Visits what the file has of its kernels: functions without parameters that return a struct rd_sim_kernel. */
void rd_sim_file_module_kernels(const struct rd_sim_file *file,
                                void (*visit)(void *self, const void *entry), void *self);

/* ---- undefined_symbols.c ---- */

/* Of the symbols that a library does not define. */
struct rd_sim_asked {
    char nowhere[512]; /* the first that only others define, of no use to it; "": none */
    bool any_communicates, any_exact; /* as may_communicate and may_be_exact */
    bool any_elsewhere, any_stream;   /* as reads_elsewhere and makes_streams */
};
struct rd_sim_asked rd_sim_file_asks(const char *library);

/* ---- absent.c ---- */

struct rd_sim_absent {
    uintptr_t base;
    size_t size_bytes;
    const char *what; /* NULL: a variable that nothing defines */
};
/* Makes whole pages inaccessible, as what they stand for is not simulated. */
bool rd_sim_absent_add(void *base, size_t size_bytes, const char *what);
/* The same of the variables that a library, which has just been loaded, uses and nothing defines. */
bool rd_sim_absent_add_variables(void *handle);
/* Returns what is not simulated at the address; NULL: it is none of such memory. */
const struct rd_sim_absent *rd_sim_absent_at(const void *address);

/* ---- absent_told.c ---- */

/* Ends the run, in one sentence, where the address that the code there accesses is in such memory. */
void rd_sim_absent_tell(const void *address, const struct rd_sim_site *site);

/* Tells the device's variables from the host's: variable_owners.c. */
void rd_sim_file_tell_owners(const struct rd_sim_file *file);

/* As in struct rd_file_ops. */
enum rd_status rd_sim_file_load(const struct rd_file_source *source, struct rd_error *error);
/* The kernel that a parameter is of, in several launches, and its number there. */
uintptr_t rd_sim_file_kernel_of(unsigned *number);
void rd_sim_file_parameter_name(unsigned number, char name[64]);
void rd_sim_file_variables(void (*visit)(void *self, const struct rd_file_variable *variable),
                           void *self);
struct rd_file_type rd_sim_file_type_of(const struct rd_file_variable *variable);
/* Finds the address of a kernel by the name that a launch has of it, "n::k<float>"; *is_only: no other has that. */
bool rd_sim_file_function(const char *name, uintptr_t *address, bool *is_only);
/* Static shared memory of the kernel at an address, and its __launch_bounds__; 0: none. */
void rd_sim_file_limits(uintptr_t kernel, size_t *static_bytes, unsigned *threads_max);
/* A grid is launched with so much dynamic shared memory, of any kernel. */
void rd_sim_file_set_shared(size_t shared_bytes);
/* The name of all variables by which the compiler tells whether another, of a class with a constructor, has begun: each
 * thread asks, though shared memory has no beginning. */
extern const char rd_sim_guard_name[];

/* ---- launches.c: the launches of one run ---- */

/* Launches: of the checked kernel, and by kernels. A grid that a kernel launches runs when the launching grid has
 * ended, in the order of one CUDA stream: its own launches run before the next grid. So it sees all that was written
 * before its launch, and the grid that launched it sees none of its writes. */

struct rd_sim_event;

/* A run begins, of which this is the first grid; its thread, its arguments and how it runs are those of
 * all others, but for what they have of their own. All must stay. */
void rd_sim_launches_begin(const struct rd_file_launch *launch, const struct rd_sim_grid *grid);
/* A program begins, whose launches are run so. */
void rd_sim_launches_of_program(const struct rd_file_launch *launch);
/* The same of a further launch, of this kernel, by the host code of a program. */
void rd_sim_launches_again(const struct rd_file_launch *launch, const struct rd_sim_grid *grid,
                           const char *kernel);
struct rd_sim_launch;
/* The running thread launches it: see launch.h. */
void rd_sim_launches_add(const struct rd_sim_launch *launch);
/* Tells whether an event is kept for later: of memory that a grid has not freed, and another may. */
bool rd_sim_launches_keep(const struct rd_sim_event *event);
/* The first grid has ended: runs those that were launched, up to one that does not come to its end. */
enum rd_sim_ending rd_sim_launches_run(void);
/* Tells of allocations on the device's heap that no grid has freed: called at a program's end, and by
 * rd_sim_launches_run of any other. */
void rd_sim_launches_tell_leaks(void);
/* Tells of what was found in the running grid, once. */
void rd_sim_launches_settle(void);
bool rd_sim_launches_communicate(void);
/* The threads of all grids so far. */
uint64_t rd_sim_launches_threads(void);
/* The grid that runs. */
const struct rd_sim_grid *rd_sim_launches_grid(void);

/* ---- run.c ---- */

/* Launches are run so from now on: what ends the process is told. `on_host_signal`, which is optional, is called for a signal
 * while no kernel runs; pc is 0 where the user's code at it is unknown. `on_waiting`, likewise, of a thread that does not end and
 * has looked at that address last, by a volatile access or an atomic one: true where it waits for the host, which is no hazard. */
void rd_sim_file_begin(const struct rd_file_launch *launch,
                       void (*on_host_signal)(int number, uintptr_t pc, const void *address),
                       bool (*on_waiting)(uintptr_t address, uintptr_t pc));

/* A launch of a program begins, serial or not; and has ended. */
void rd_sim_file_launch_begins(bool is_serial);
void rd_sim_file_launch_ends(void);
/* Around what is not the program's, and takes `seconds`: its time stands still. */
struct itimerval;
void rd_sim_file_timer_stop(struct itimerval *left);
void rd_sim_file_timer_go_on(const struct itimerval *left, double seconds);

enum rd_status rd_sim_file_launch(const struct rd_file_launch *launch, struct rd_error *error);
struct rd_file_state rd_sim_file_state(void);
void rd_sim_file_differs(const void *before, const void *after, size_t size_bytes);

/* ---- multiply_add.c ---- */

/* Tells whether the code of a kernel, loaded at `base`, or of what it may call, multiplies floats and adds or
 * subtracts such, so that nvcc may make one operation of two; on a processor that is not known here, that it does. */
bool rd_sim_object_multiplies_and_adds(const char *path, uintptr_t base, uintptr_t kernel);

#endif
