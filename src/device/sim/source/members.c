// SPDX-License-Identifier: MIT
#include "device/sim/source/members.h"
#include "device/sim/source/source.h"

#include <stdio.h>
#include <string.h>

#ifdef RD_HAVE_LIBDW
#include <dwarf.h>
#include <elfutils/libdwfl.h>

enum { PATH_SIZE = 256, DEPTH_MAX = 16, ELEMENTS_MAX = 512 };

struct walk {
    void (*visit)(void *self, const char *path, size_t offset,
                  const struct rd_file_parameter *type);
    void *self;
    unsigned depth;
};

static bool number_of(Dwarf_Die *die, unsigned name, Dwarf_Word *number)
{
    Dwarf_Attribute attribute;
    return dwarf_formudata(dwarf_attr_integrate(die, name, &attribute), number) == 0;
}

static unsigned size_of(Dwarf_Die *type)
{
    Dwarf_Word size;
    return dwarf_aggregate_size(type, &size) == 0 ? (unsigned)size : 0;
}

/* The type behind typedefs, const and volatile. False where it has none, as what a pointer to void points to. */
static bool type_of(Dwarf_Die *die, Dwarf_Die *type)
{
    Dwarf_Attribute attribute;
    return dwarf_formref_die(dwarf_attr_integrate(die, DW_AT_type, &attribute), type) &&
           dwarf_peel_type(type, type) == 0;
}

static bool is_struct(Dwarf_Die *type)
{
    int tag = dwarf_tag(type);
    return tag == DW_TAG_structure_type || tag == DW_TAG_class_type || tag == DW_TAG_union_type;
}

/* As rd_file_parameter has it; 's' of what is neither a number nor a pointer. */
static char kind_of(Dwarf_Die *type)
{
    Dwarf_Word encoding = 0;
    const char *name = dwarf_diename(type);
    int tag = dwarf_tag(type);
    if (tag == DW_TAG_pointer_type)
        return 'p';
    if (is_struct(type) && name && strcmp(name, "__half") == 0)
        return RD_FILE_KIND_F16;
    if (is_struct(type) && name && strcmp(name, "__nv_bfloat16") == 0)
        return RD_FILE_KIND_BF16;
    if ((tag != DW_TAG_base_type && tag != DW_TAG_enumeration_type) || size_of(type) > 8)
        return 's';
    number_of(type, DW_AT_encoding, &encoding);
    switch (encoding) {
    case DW_ATE_float:
        return 'f';
    case DW_ATE_boolean:
        return 'b';
    case DW_ATE_unsigned:
    case DW_ATE_unsigned_char:
    case DW_ATE_UTF:
        return 'u';
    default:
        return 'i';
    }
}

static void walk_type(struct walk *walk, Dwarf_Die *type, const char *path, size_t offset);

static void walk_array(struct walk *walk, Dwarf_Die *type, const char *path, size_t offset)
{
    Dwarf_Die elem;
    char inner[PATH_SIZE];
    if (!type_of(type, &elem) || size_of(&elem) == 0)
        return;
    unsigned n = size_of(type) / size_of(&elem);
    for (unsigned k = 0; k < n && k < ELEMENTS_MAX; k++) {
        snprintf(inner, sizeof inner, "%s[%u]", path, k);
        walk_type(walk, &elem, inner, offset + k * size_of(&elem));
    }
}

static void walk_member(struct walk *walk, Dwarf_Die *member, const char *path, size_t offset)
{
    Dwarf_Die type;
    Dwarf_Attribute attribute;
    Dwarf_Word at = 0, bits;
    const char *name = dwarf_diename(member);
    char inner[PATH_SIZE];
    if (dwarf_attr(member, DW_AT_external, &attribute) || !type_of(member, &type))
        return; /* a static one */
    number_of(member, DW_AT_data_member_location, &at);
    bool is_base = dwarf_tag(member) == DW_TAG_inheritance;
    snprintf(inner, sizeof inner, "%s%s%s", path, *path && name && !is_base ? "." : "",
             name && !is_base ? name : "");
    if (number_of(member, DW_AT_bit_size, &bits)) {
        const struct rd_file_parameter field = {.kind = 0};
        walk->visit(walk->self, inner, offset, &field);
        return;
    }
    walk_type(walk, &type, inner, offset + at);
}

static void walk_struct(struct walk *walk, Dwarf_Die *type, const char *path, size_t offset)
{
    Dwarf_Die child;
    if (dwarf_child(type, &child) != 0)
        return;
    do {
        int tag = dwarf_tag(&child);
        if (tag == DW_TAG_member || tag == DW_TAG_inheritance)
            walk_member(walk, &child, path, offset);
    } while (dwarf_siblingof(&child, &child) == 0);
}

static void walk_type(struct walk *walk, Dwarf_Die *type, const char *path, size_t offset)
{
    Dwarf_Die pointee;
    struct rd_file_parameter leaf = {.kind = kind_of(type), .size = size_of(type)};
    if (walk->depth == DEPTH_MAX)
        return;
    walk->depth++;
    if (dwarf_tag(type) == DW_TAG_array_type) {
        walk_array(walk, type, path, offset);
    } else if (leaf.kind == 's' && is_struct(type)) {
        walk_struct(walk, type, path, offset);
    } else {
        if (leaf.kind == 'p') {
            bool known = type_of(type, &pointee);
            leaf.size = sizeof(void *);
            leaf.pointee_kind = known ? kind_of(&pointee) : 'v';
            leaf.pointee_size = known ? size_of(&pointee) : 0;
        }
        walk->visit(walk->self, path, offset, &leaf);
    }
    walk->depth--;
}

void rd_sim_members_visit(uintptr_t function, unsigned number,
                          void (*visit)(void *self, const char *path, size_t offset,
                                        const struct rd_file_parameter *type),
                          void *self)
{
    Dwarf_Die parameter, type;
    struct walk walk = {visit, self, 0};
    if (rd_sim_source_parameter_die(function, number, &parameter) && type_of(&parameter, &type) &&
        is_struct(&type))
        walk_struct(&walk, &type, "", 0);
}

#else

void rd_sim_members_visit(uintptr_t function, unsigned number,
                          void (*visit)(void *self, const char *path, size_t offset,
                                        const struct rd_file_parameter *type),
                          void *self)
{
    (void)function, (void)number, (void)visit, (void)self;
}

#endif
