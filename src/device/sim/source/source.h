// SPDX-License-Identifier: MIT
/* Source lines of code addresses, from the debug information. */
#ifndef RD_SIM_SOURCE_H
#define RD_SIM_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct rd_sim_line {
    char file[400]; /* "" where it is unknown */
    unsigned line, column;
};

/* From here on the file is told as it is written here, and those beside it likewise; both texts must
 * stay. Of files in the folder `ours` no line is told, but that of the user's in which their code stands. */
void rd_sim_source_set_names(const char *file, const char *ours);
/* How a path is told. */
void rd_sim_source_name(const char *path, char *name, size_t size);
/* Tells whether it is of that folder. */
bool rd_sim_source_is_ours(const char *path);

/* The line of the call that returns to pc. */
void rd_sim_source_line(uintptr_t pc, struct rd_sim_line *line);
/* The calls by which the code before pc is reached in its function, the outermost first: of functions that the
 * compiler has inlined there, and at last the one that returns to pc. Returns how many; 0 where they are
 * unknown. */
enum { RD_SIM_CALLS_MAX = 16 };
unsigned rd_sim_source_calls(uintptr_t pc, struct rd_sim_line calls[RD_SIM_CALLS_MAX]);
/* The name of a parameter of the function at an address; "" where it is unknown. */
void rd_sim_source_parameter(uintptr_t function, unsigned number, char *name, size_t size);

struct rd_sim_site;
/* Where the access or the call is, as a person here would write the file's name. */
struct rd_sim_line rd_sim_site_line(const struct rd_sim_site *site);

enum { RD_SIM_INNER_MAX = 2 };

/* A variable of a file, or the declaration of one that is elsewhere. */
struct rd_sim_variable {
    const char *name;
    bool is_placed; /* it has a place: */
    bool is_thread_local;
    uint64_t offset;  /* in the file, or in each thread's instance of what is thread-local */
    bool is_extern;   /* a declaration */
    bool in_function; /* it is declared in the function that was asked for */
    char type[8];     /* of its elements: "f32"; "" where they are no numbers */
    unsigned elem_bytes;
    const struct rd_sim_layout *layout;    /* of its elements, where they are structs; else NULL */
    bool is_array, is_pointer, is_boolean; /* the latter two of its elements */
    char pointee[4];                       /* what such pointers lead to, as type */
    unsigned n_inner, inner[RD_SIM_INNER_MAX]; /* its dimensions behind the first */
};
/* Calls `visit` for each variable of the file that a function is in. */
void rd_sim_source_variables(uintptr_t function,
                             void (*visit)(void *self, const struct rd_sim_variable *variable),
                             void *self);

/* The same as the Dwarf_Die. False where it is unknown, or in a build without libdw. */
bool rd_sim_source_parameter_die(uintptr_t function, unsigned number, void *die);

/* The debug information of this process, as a Dwfl; NULL where there is none. */
void *rd_sim_source_dwfl(void);

#endif
