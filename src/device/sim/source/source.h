// SPDX-License-Identifier: MIT
/* The source of what runs, from the debug information: lines of code addresses, variables and their types, and the calls
 * by which a thread has come to where it is. */
#ifndef RD_SIM_SOURCE_H
#define RD_SIM_SOURCE_H

#include "device/sim/engine/event.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct rd_sim_line {
    char file[400]; /* "" where it is unknown */
    unsigned line, column;
};

/* From here on the file is told as it is written here, and those beside it likewise; both texts must
 * stay. Of files in the folder `library_folder`, or in RD_FILE_HEADERS of it, no line is told, but that of the user's in which
 * their code stands. */
void rd_sim_source_set_names(const char *file, const char *library_folder);
/* Writes a path as reports name it. */
void rd_sim_source_name(const char *path, char *name, size_t size);
/* Tells whether it is of that folder. */
bool rd_sim_source_is_ours(const char *path);

/* Until NULL: places that are no user's are told as this one. The text must stay. */
void rd_sim_source_instead(const char *file, unsigned line);
/* The line of the call that returns to pc. */
void rd_sim_source_line(uintptr_t pc, struct rd_sim_line *line);
/* The process has loaded a further file: its debug information is read anew when it is needed. */
void rd_sim_source_changed(void);
/* The calls by which the code before pc is reached in its function, the outermost first: of functions that the
 * compiler has inlined there, and at last the one that returns to pc. Returns how many; 0 where they are
 * unknown. */
enum { RD_SIM_CALLS_MAX = 16 };
unsigned rd_sim_source_calls(uintptr_t pc, struct rd_sim_line calls[RD_SIM_CALLS_MAX]);
/* The name of a parameter of the function at an address; "" where it is unknown. */
void rd_sim_source_parameter(uintptr_t function, unsigned number, char *name, size_t size);

struct rd_sim_site;
/* Returns the line of the access or the call, with the file's name as a person here would write it. */
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

/* ---- call_path.c ---- */

/* The calls by which a thread has come to where it waits, from the frames on its stack. Threads that
 * come to a barrier by different calls are in different branches, as if each branch had a barrier of
 * its own. What kernels are made of is compiled with -fno-omit-frame-pointer. */

/* A function's own, as the compiler lays it out. */
struct rd_sim_frame {
    const struct rd_sim_frame *caller; /* the frame of the function that called it, */
    uintptr_t pc;                      /* and where it returns to in that */
};

/* The frame of the function that this stands in, which then has one. */
#define RD_SIM_FRAME ((const struct rd_sim_frame *)__builtin_frame_address(0))
/* Makes the compiler give a function a frame that it has no other need of. */
#define RD_SIM_NEEDS_FRAME __asm__ volatile("" ::"r"(RD_SIM_FRAME))

/* A thread that waits: the frame of the function that it waits in, and where its stack ends. */
struct rd_sim_path {
    const struct rd_sim_frame *frame;
    uintptr_t end;
};

/* A frame that lies behind the one of the function it has called, on the same stack. It has its callers' attribute, as
 * functions of different ones are not inlined. */
__attribute__((no_sanitize("address"))) static inline bool
rd_sim_frame_is_within(const struct rd_sim_frame *frame, const struct rd_sim_frame *called,
                       uintptr_t end)
{
    uintptr_t at = (uintptr_t)frame;
    return at > (uintptr_t)called && at <= end - sizeof *frame && at % sizeof(void *) == 0;
}

/* Return addresses of a short path, innermost first, without the frames of what runs threads. Most threads come to a barrier
 * by the same way. */
enum { RD_SIM_WAY_MAX = 8 };
struct rd_sim_way {
    unsigned n; /* 0: the path is another one */
    uintptr_t pcs[RD_SIM_WAY_MAX];
};
struct rd_sim_way rd_sim_way_of(const struct rd_sim_path *path);

/* Tells whether the path is that way. */
__attribute__((no_sanitize("address"))) static inline bool
rd_sim_way_is_taken(const struct rd_sim_way *way, const struct rd_sim_path *path)
{
    const struct rd_sim_frame *frame = path->frame;
    for (unsigned k = 0;; frame = frame->caller) {
        if (frame->pc != way->pcs[k])
            return false;
        if (++k >= way->n)
            return way->n > 0;
        if (!rd_sim_frame_is_within(frame->caller, frame, path->end))
            return false;
    }
}

/* Tells whether two threads have come by different calls of the source; copies that the compiler has made of one
 * call are one. False where there is no debug information that could tell. */
bool rd_sim_paths_differ(const struct rd_sim_path *one, const struct rd_sim_path *other);

/* The outermost calls that differ; false where none do. */
bool rd_sim_paths_part(const struct rd_sim_path *one, const struct rd_sim_path *other,
                       struct rd_sim_site *call_of_one, struct rd_sim_site *call_of_other);

/* ---- variables.c: which bytes of a struct are its members', and which are padding ---- */

enum { RD_SIM_LAYOUT_MAX = 512 }; /* bytes of a struct */

struct rd_sim_layout {
    unsigned size_bytes;
    bool used[RD_SIM_LAYOUT_MAX];
};

/* False in a build that reads no debug information. */
bool rd_sim_layouts_can_be_known(void);
/* The layout of a struct, from the debug information, as a Dwarf_Die; it stays. NULL where the type is
 * none, or too large. */
const struct rd_sim_layout *rd_sim_layout_of(void *type);
/* Layout of what a parameter of a function points to. */
const struct rd_sim_layout *rd_sim_layout_of_parameter(uintptr_t function, unsigned number);
/* The user's structs in the file that this function is in, asked for when they are needed. */
void rd_sim_layouts_set_file(uintptr_t function);
/* The debug information is closed; layouts stay. */
void rd_sim_layouts_close(void);

/* Tells whether any struct suits, of those that are known and the user's. */
bool rd_sim_layouts_any(bool (*suits)(const struct rd_sim_layout *layout, const void *self),
                        const void *self);

#endif
