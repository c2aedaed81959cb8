// SPDX-License-Identifier: MIT
/* Variables of a file, from its debug information. */
#include "device/sim/memory/layout.h"
#include "device/sim/source/source.h"

#include <stdio.h>

#ifdef RD_HAVE_LIBDW
#include <dwarf.h>
#include <elfutils/libdwfl.h>

struct walk {
    uintptr_t function; /* as in the file */
    void (*visit)(void *self, const struct rd_sim_variable *variable);
    void *self;
};

/* The type behind typedefs, const and volatile. False where it has none. */
static bool type_of(Dwarf_Die *die, Dwarf_Die *type)
{
    Dwarf_Attribute attribute;
    if (!dwarf_formref_die(dwarf_attr_integrate(die, DW_AT_type, &attribute), type))
        return false;
    return dwarf_peel_type(type, type) == 0;
}

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

void rd_sim_source_variables(uintptr_t function,
                             void (*visit)(void *self, const struct rd_sim_variable *variable),
                             void *self)
{
    (void)function, (void)visit, (void)self;
}

#endif
