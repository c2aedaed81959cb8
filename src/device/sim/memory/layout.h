// SPDX-License-Identifier: MIT
/* Which bytes of a struct are its members', and which are padding: a struct is copied with all of them. */
#ifndef RD_SIM_LAYOUT_H
#define RD_SIM_LAYOUT_H

#include "device/sim/engine/event.h"

enum { RD_SIM_LAYOUT_MAX = 512 }; /* bytes of a struct */

struct rd_sim_layout {
    unsigned size_bytes;
    bool used[RD_SIM_LAYOUT_MAX];
};

/* The layout of a struct, from the debug information, as a Dwarf_Die; it stays. NULL where the type is
 * none, or too large. */
const struct rd_sim_layout *rd_sim_layout_of(void *type);
/* That of what a parameter of a function points to. */
const struct rd_sim_layout *rd_sim_layout_of_parameter(uintptr_t function, unsigned number);
/* The user's structs in the file that this function is in, asked for when they are needed. */
void rd_sim_layouts_set_file(uintptr_t function);

/* Tells whether all that is uninitialised in this access is padding of structs. */
bool rd_sim_layout_explains(const struct rd_sim_event *event);

#endif
