// SPDX-License-Identifier: MIT
/* Variables of a file and their types, structs included, from its debug information. */
#include "device/sim/object.h"
#include "device/sim/source/source.h"
#include "base/array.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct rd_sim_layouts_state {
    uintptr_t file_function;
    /* Made once for each type. */
    struct known {
        const void *type; /* its address in the debug information, while that is open; then NULL */
        struct rd_sim_layout *layout;
    } * known;
    size_t n_known, known_capacity;
};

void rd_sim_layouts_set_file(uintptr_t function)
{
    rd_sim_here->layouts->file_function = function;
}

void rd_sim_layouts_close(void)
{
    struct rd_sim_layouts_state *own = rd_sim_here->layouts;
    for (size_t k = 0; k < own->n_known; k++)
        own->known[k].type = NULL;
}

#ifdef RD_HAVE_LIBDW
#include <dwarf.h>
#include <elfutils/libdwfl.h>

/* The type behind typedefs, const and volatile. False where it has none. */
static bool type_of(Dwarf_Die *die, Dwarf_Die *type)
{
    Dwarf_Attribute attribute;
    if (!dwarf_formref_die(dwarf_attr_integrate(die, DW_AT_type, &attribute), type))
        return false;
    return dwarf_peel_type(type, type) == 0;
}

/* ---- structs ---- */

static bool number_of(Dwarf_Die *die, unsigned name, Dwarf_Word *number)
{
    Dwarf_Attribute attribute;
    return dwarf_formudata(dwarf_attr_integrate(die, name, &attribute), number) == 0;
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
        if (own->known[k].type == die->addr)
            return own->known[k].layout;
    struct rd_sim_layout *layout = calloc(1, sizeof *layout);
    if (!layout ||
        !rd_array_make_room(&own->known, own->n_known, &own->known_capacity, sizeof *own->known)) {
        free(layout);
        return NULL;
    }
    layout->size_bytes = (unsigned)size;
    mark(layout, die, 0);
    own->known[own->n_known++] = (struct known){die->addr, layout};
    return layout;
}

/* Tells whether a type is declared in a file of the user's: not in a library's header, or in one of ours. */
static bool is_declared_by_user(Dwarf_Die *type)
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
        if (is_struct(&child) && is_declared_by_user(&child))
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

/* ---- variables ---- */

struct walk {
    uintptr_t function; /* as in the file */
    void (*visit)(void *self, const struct rd_sim_variable *variable);
    void *self;
};

static unsigned size_of(Dwarf_Die *type)
{
    Dwarf_Word size;
    return dwarf_aggregate_size(type, &size) == 0 ? (unsigned)size : 0;
}

/* The number of elements of each dimension behind the first: how an index is written. */
static void set_dimensions(Dwarf_Die *array, struct rd_sim_variable *variable, unsigned *n_dims)
{
    Dwarf_Die child;
    Dwarf_Attribute attribute;
    Dwarf_Word bound;
    if (dwarf_child(array, &child) != 0)
        return;
    do {
        if (dwarf_tag(&child) != DW_TAG_subrange_type || (*n_dims)++ == 0)
            continue;
        if (variable->n_inner == RD_SIM_INNER_MAX)
            break;
        unsigned count = 0;
        if (dwarf_formudata(dwarf_attr(&child, DW_AT_upper_bound, &attribute), &bound) == 0)
            count = (unsigned)bound + 1;
        else if (dwarf_formudata(dwarf_attr(&child, DW_AT_count, &attribute), &bound) == 0)
            count = (unsigned)bound;
        variable->inner[variable->n_inner++] = count;
    } while (dwarf_siblingof(&child, &child) == 0);
}

static unsigned encoding_of(Dwarf_Die *type)
{
    Dwarf_Attribute attribute;
    Dwarf_Word encoding = 0;
    dwarf_formudata(dwarf_attr(type, DW_AT_encoding, &attribute), &encoding);
    return (unsigned)encoding;
}

static char letter_of(Dwarf_Die *type)
{
    int tag = dwarf_tag(type);
    if (tag != DW_TAG_base_type && tag != DW_TAG_enumeration_type)
        return '\0';
    switch (encoding_of(type)) {
    case DW_ATE_float:
        return 'f';
    case DW_ATE_signed:
    case DW_ATE_signed_char:
        return 'i';
    case DW_ATE_unsigned:
    case DW_ATE_unsigned_char:
    case DW_ATE_boolean:
        return 'u';
    default:
        return tag == DW_TAG_enumeration_type ? 'i' : '\0';
    }
}

/* "f32"; "" where it is no number. */
static void set_type_name(Dwarf_Die *type, char name[4])
{
    char letter = letter_of(type);
    unsigned size = size_of(type);
    if (letter && size <= 8)
        snprintf(name, 4, "%c%u", letter, 8 * size);
}

static void set_type(Dwarf_Die *die, struct rd_sim_variable *variable)
{
    Dwarf_Die type;
    unsigned n_dims = 0;
    bool known = type_of(die, &type);
    variable->is_array = known && dwarf_tag(&type) == DW_TAG_array_type;
    while (known && dwarf_tag(&type) == DW_TAG_array_type) {
        set_dimensions(&type, variable, &n_dims);
        known = type_of(&type, &type);
    }
    if (!known)
        return;
    variable->elem_bytes = size_of(&type);
    variable->layout = rd_sim_layout_of(&type);
    variable->is_boolean = encoding_of(&type) == DW_ATE_boolean;
    set_type_name(&type, variable->type);
    variable->is_pointer = dwarf_tag(&type) == DW_TAG_pointer_type;
    if (variable->is_pointer && type_of(&type, &type))
        set_type_name(&type, variable->pointee);
}

/* A place in the file, or in each thread's instance of its thread-local variables. */
static void set_place(Dwarf_Die *die, struct rd_sim_variable *variable)
{
    Dwarf_Attribute attribute;
    Dwarf_Op *operations;
    size_t n;
    if (dwarf_getlocation(dwarf_attr_integrate(die, DW_AT_location, &attribute), &operations, &n) !=
            0 ||
        n == 0)
        return;
    Dwarf_Op *first = &operations[0];
    Dwarf_Addr address = first->number;
    Dwarf_Attribute indirect;
    bool is_constant =
        first->atom == DW_OP_addr || first->atom == DW_OP_const8u || first->atom == DW_OP_const4u;
    if (first->atom == DW_OP_addrx)
        is_constant = dwarf_getlocation_attr(&attribute, first, &indirect) == 0 &&
                      dwarf_formaddr(&indirect, &address) == 0;
    bool is_tls = n == 2 && (operations[1].atom == DW_OP_GNU_push_tls_address ||
                             operations[1].atom == DW_OP_form_tls_address);
    if (!is_constant || (n > 1 && !is_tls))
        return;
    variable->is_placed = true;
    variable->is_thread_local = is_tls;
    variable->offset = address;
}

static void visit(const struct walk *walk, Dwarf_Die *die, bool in_function)
{
    Dwarf_Attribute attribute;
    const char *name = dwarf_formstring(dwarf_attr_integrate(die, DW_AT_name, &attribute));
    struct rd_sim_variable variable = {
        .name = name ? name : "",
        .is_extern = dwarf_hasattr(die, DW_AT_declaration) && dwarf_hasattr(die, DW_AT_external),
        .in_function = in_function,
    };
    set_place(die, &variable);
    set_type(die, &variable);
    walk->visit(walk->self, &variable);
}

static void walk_children(const struct walk *walk, Dwarf_Die *die, bool in_function)
{
    Dwarf_Die child;
    Dwarf_Addr start;
    if (dwarf_child(die, &child) != 0)
        return;
    do {
        switch (dwarf_tag(&child)) {
        case DW_TAG_variable:
            visit(walk, &child, in_function);
            break;
        case DW_TAG_subprogram:
            walk_children(walk, &child,
                          dwarf_lowpc(&child, &start) == 0 && start == walk->function);
            break;
        case DW_TAG_namespace:
        case DW_TAG_lexical_block:
        case DW_TAG_inlined_subroutine:
            walk_children(walk, &child, in_function);
            break;
        default:
            break;
        }
    } while (dwarf_siblingof(&child, &child) == 0);
}

void rd_sim_source_variables(uintptr_t function,
                             void (*visit_one)(void *self, const struct rd_sim_variable *variable),
                             void *self)
{
    Dwarf_Addr bias;
    Dwfl *dwfl = rd_sim_source_dwfl();
    Dwfl_Module *module = dwfl ? dwfl_addrmodule(dwfl, function) : NULL;
    Dwarf_Die *unit = NULL;
    while (module && (unit = dwfl_module_nextcu(module, unit, &bias))) {
        const struct walk walk = {function - bias, visit_one, self};
        walk_children(&walk, unit, false);
    }
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

void rd_sim_source_variables(uintptr_t function,
                             void (*visit)(void *self, const struct rd_sim_variable *variable),
                             void *self)
{
    (void)function, (void)visit, (void)self;
}

#endif

bool rd_sim_layouts_can_be_known(void)
{
#ifdef RD_HAVE_LIBDW
    return true;
#else
    return false;
#endif
}

bool rd_sim_layouts_any(bool (*suits)(const struct rd_sim_layout *layout, const void *self),
                        const void *self)
{
    struct rd_sim_layouts_state *own = rd_sim_here->layouts;
    know_all();
    for (size_t k = 0; k < own->n_known; k++)
        if (suits(own->known[k].layout, self))
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
