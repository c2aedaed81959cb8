// SPDX-License-Identifier: MIT
#include "device/sim/object.h"
#include "device/sim/memory/layout.h"
#include "base/array.h"
#include "device/sim/memory/memory.h"
#include "device/sim/memory/splits.h"
#include "device/sim/source/source.h"

#include <stdlib.h>
#include <string.h>

struct rd_sim_layouts_state {
    uintptr_t file_function;
    /* Made once for each type. */
    struct known {
        uint64_t type; /* its offset in the debug information */
        struct rd_sim_layout *layout;
    } * known;
    size_t n_known, known_capacity;
};

void rd_sim_layouts_set_file(uintptr_t function)
{
    rd_sim_here->layouts->file_function = function;
}

/* ---- from the debug information ---- */

#ifdef RD_HAVE_LIBDW
#include <dwarf.h>
#include <elfutils/libdwfl.h>

static bool number_of(Dwarf_Die *die, unsigned name, Dwarf_Word *number)
{
    Dwarf_Attribute attribute;
    return dwarf_formudata(dwarf_attr_integrate(die, name, &attribute), number) == 0;
}

static bool type_of(Dwarf_Die *die, Dwarf_Die *type)
{
    Dwarf_Attribute attribute;
    return dwarf_formref_die(dwarf_attr_integrate(die, DW_AT_type, &attribute), type) &&
           dwarf_peel_type(type, type) == 0;
}

static void mark_bytes(struct rd_sim_layout *layout, Dwarf_Word from, Dwarf_Word to)
{
    for (; from < to && from < layout->size_bytes; from++)
        layout->used[from] = true;
}

static void mark(struct rd_sim_layout *layout, Dwarf_Die *type, Dwarf_Word offset);

static void mark_array(struct rd_sim_layout *layout, Dwarf_Die *array, Dwarf_Word offset)
{
    Dwarf_Die elem;
    Dwarf_Word size, elem_size;
    if (!type_of(array, &elem) || dwarf_aggregate_size(array, &size) != 0 ||
        dwarf_aggregate_size(&elem, &elem_size) != 0 || elem_size == 0)
        return;
    for (Dwarf_Word at = 0; at < size && at < layout->size_bytes; at += elem_size)
        mark(layout, &elem, offset + at);
}

static void mark_member(struct rd_sim_layout *layout, Dwarf_Die *member, Dwarf_Word offset)
{
    Dwarf_Die type;
    Dwarf_Attribute attribute;
    Dwarf_Word at = 0, bits, size;
    if (dwarf_attr(member, DW_AT_external, &attribute) || !type_of(member, &type))
        return; /* a static one */
    if (number_of(member, DW_AT_bit_size, &size) &&
        number_of(member, DW_AT_data_bit_offset, &bits)) {
        mark_bytes(layout, offset + bits / 8, offset + (bits + size + 7) / 8);
        return;
    }
    number_of(member, DW_AT_data_member_location, &at);
    mark(layout, &type, offset + at);
}

static bool is_struct(Dwarf_Die *type)
{
    int tag = dwarf_tag(type);
    return tag == DW_TAG_structure_type || tag == DW_TAG_class_type || tag == DW_TAG_union_type;
}

static void mark(struct rd_sim_layout *layout, Dwarf_Die *type, Dwarf_Word offset)
{
    Dwarf_Die child;
    Dwarf_Word size;
    if (dwarf_tag(type) == DW_TAG_array_type) {
        mark_array(layout, type, offset);
    } else if (!is_struct(type)) {
        if (dwarf_aggregate_size(type, &size) == 0)
            mark_bytes(layout, offset, offset + size);
    } else if (dwarf_child(type, &child) == 0) {
        do {
            int tag = dwarf_tag(&child);
            if (tag == DW_TAG_member || tag == DW_TAG_inheritance)
                mark_member(layout, &child, offset);
        } while (dwarf_siblingof(&child, &child) == 0);
    }
}

const struct rd_sim_layout *rd_sim_layout_of(void *type)
{
    struct rd_sim_layouts_state *own = rd_sim_here->layouts;
    Dwarf_Word size;
    Dwarf_Die *die = type;
    if (!is_struct(die) || dwarf_aggregate_size(die, &size) != 0 || size > RD_SIM_LAYOUT_MAX)
        return NULL;
    for (size_t k = 0; k < own->n_known; k++)
        if (own->known[k].type == dwarf_dieoffset(die))
            return own->known[k].layout;
    struct rd_sim_layout *layout = calloc(1, sizeof *layout);
    if (!layout ||
        !rd_array_make_room(&own->known, own->n_known, &own->known_capacity, sizeof *own->known)) {
        free(layout);
        return NULL;
    }
    layout->size_bytes = (unsigned)size;
    mark(layout, die, 0);
    own->known[own->n_known++] = (struct known){dwarf_dieoffset(die), layout};
    return layout;
}

/* Rather than of a library's headers, or of ours. */
static bool is_users(Dwarf_Die *type)
{
    const char *file = dwarf_decl_file(type);
    return file && strncmp(file, "/usr/", 5) != 0 && !rd_sim_source_is_ours(file);
}

static void add_all(Dwarf_Die *die)
{
    Dwarf_Die child;
    if (dwarf_child(die, &child) != 0)
        return;
    do {
        if (is_struct(&child) && is_users(&child))
            rd_sim_layout_of(&child);
        if (is_struct(&child) || dwarf_tag(&child) == DW_TAG_namespace ||
            dwarf_tag(&child) == DW_TAG_subprogram || dwarf_tag(&child) == DW_TAG_lexical_block)
            add_all(&child);
    } while (dwarf_siblingof(&child, &child) == 0);
}

static void know_all(void)
{
    struct rd_sim_layouts_state *own = rd_sim_here->layouts;
    Dwarf_Addr bias;
    Dwfl *dwfl = own->file_function ? rd_sim_source_dwfl() : NULL;
    Dwfl_Module *module = dwfl ? dwfl_addrmodule(dwfl, own->file_function) : NULL;
    Dwarf_Die *unit = NULL;
    own->file_function = 0;
    while (module && (unit = dwfl_module_nextcu(module, unit, &bias)))
        add_all(unit);
}

const struct rd_sim_layout *rd_sim_layout_of_parameter(uintptr_t function, unsigned number)
{
    Dwarf_Die parameter, type;
    if (!rd_sim_source_parameter_die(function, number, &parameter) || !type_of(&parameter, &type) ||
        dwarf_tag(&type) != DW_TAG_pointer_type || !type_of(&type, &type))
        return NULL;
    return rd_sim_layout_of(&type);
}

#else

const struct rd_sim_layout *rd_sim_layout_of(void *type)
{
    (void)type;
    return NULL;
}

const struct rd_sim_layout *rd_sim_layout_of_parameter(uintptr_t function, unsigned number)
{
    (void)function, (void)number;
    return NULL;
}

static void know_all(void)
{
}

#endif

/* ---- accesses ---- */

static bool is_initialised(uintptr_t address)
{
    enum rd_sim_space space;
    const uint64_t *shadow = rd_sim_shadow(address, &space);
    if (!shadow || *shadow == RD_NO_MEMORY)
        return true;
    uint64_t record =
        rd_record_kind(*shadow) == RD_SPLIT ? rd_sim_split_records(*shadow)[address % 4] : *shadow;
    bool is_old = space == RD_SPACE_SHARED && record < rd_sim_here->core.block_floor;
    return (record & RD_INIT) && !is_old;
}

/* Tells whether the bytes that are uninitialised are padding, if structs of this kind lie there one after the
 * other, the first `offset` bytes before the access. */
static bool explains(const struct rd_sim_layout *layout, const struct rd_sim_event *event,
                     size_t offset)
{
    for (size_t k = 0; k < event->size_bytes; k++)
        if (layout->used[(offset + k) % layout->size_bytes] && !is_initialised(event->address + k))
            return false;
    return true;
}

static bool has_members(const struct rd_sim_layout *layout)
{
    return memchr(layout->used, 1, layout->size_bytes) != NULL;
}

bool rd_sim_layout_explains(const struct rd_sim_event *event)
{
    struct rd_sim_layouts_state *own = rd_sim_here->layouts;
    bool inside;
    const struct rd_sim_array *array = rd_sim_array_at(event->address, &inside);
    if (event->size_bytes < 2 || !array || !inside)
        return event->size_bytes == 1 && array && inside && array->layout &&
               !has_members(array->layout);
    if (array->layout)
        return array->layout->size_bytes > 0 &&
               explains(array->layout, event, event->address - array->base);
    if (array->elem_bytes > 1)
        return false;
    know_all(); /* of plain bytes, structs may have been made */
    for (size_t k = 0; k < own->n_known; k++)
        if (own->known[k].layout->size_bytes > 1 && has_members(own->known[k].layout) &&
            event->size_bytes % own->known[k].layout->size_bytes == 0 &&
            explains(own->known[k].layout, event, 0))
            return true;
    return false;
}

static void layouts_finish(void)
{
    struct rd_sim_layouts_state *own = rd_sim_here->layouts;
    for (size_t k = 0; k < own->n_known; k++)
        free(own->known[k].layout);
    free(own->known);
}

const struct rd_sim_part rd_sim_part_layouts = {
    .size_bytes = sizeof(struct rd_sim_layouts_state),
    .at = offsetof(struct rd_sim, layouts),
    .finish = layouts_finish,
};
