// SPDX-License-Identifier: MIT
/* Reads what instructions of PTX are made of: words, numbers, registers, types, operands. */
#include "device/sim/ptx/parse.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- refusing ---- */

bool rd_ptx_reader_refuse(struct rd_ptx_reader *r, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (!r->refused && vasprintf(&r->program->refusal, format, arguments) < 0)
        r->program->refusal = NULL;
    r->refused = true;
    va_end(arguments);
    return false;
}

/* ---- words ---- */

void rd_ptx_skip_blanks(struct rd_ptx_reader *r)
{
    for (;;) {
        const char *end;
        if (isspace((unsigned char)*r->at)) {
            r->at++;
        } else if (strncmp(r->at, "//", 2) == 0) {
            r->at += strcspn(r->at, "\n");
        } else if (strncmp(r->at, "/*", 2) == 0) {
            end = strstr(r->at + 2, "*/");
            r->at = end ? end + 2 : r->at + strlen(r->at);
        } else {
            return;
        }
    }
}

bool rd_ptx_take(struct rd_ptx_reader *r, char c)
{
    rd_ptx_skip_blanks(r);
    if (*r->at != c)
        return false;
    r->at++;
    return true;
}

bool rd_ptx_is_letter(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '$';
}

/* A word of letters, of which too long a one is cut. */
void rd_ptx_read_word(struct rd_ptx_reader *r, char *word, size_t size)
{
    size_t n = 0;
    for (; rd_ptx_is_letter(*r->at); r->at++)
        if (n + 1 < size)
            word[n++] = *r->at;
    word[n] = '\0';
}

/* ---- numbers ---- */

static bool read_number(struct rd_ptx_reader *r, struct rd_ptx_part *part)
{
    char *end;
    const char *at = r->at;
    if (at[0] == '0' && strchr("fFdD", at[1]) && at[1]) {
        bool wide = tolower((unsigned char)at[1]) == 'd';
        uint64_t bits = strtoull(at + 2, &end, 16);
        double value;
        float narrow;
        uint32_t half = (uint32_t)bits;
        memcpy(&value, &bits, sizeof value);
        memcpy(&narrow, &half, sizeof narrow);
        if (!wide)
            value = (double)narrow;
        if (end != at + (wide ? 18 : 10))
            return rd_ptx_reader_refuse(r, "the PTX constant '%.18s'", at);
        part->kind = RD_PTX_REAL;
        memcpy(&part->integer, &value, sizeof value);
    } else if (at[0] == '0' && tolower((unsigned char)at[1]) == 'b') {
        part->kind = RD_PTX_INTEGER;
        part->integer = strtoull(at + 2, &end, 2);
    } else {
        size_t digits = strspn(at, "0123456789");
        bool is_hex = at[0] == '0' && tolower((unsigned char)at[1]) == 'x';
        if (!is_hex && (at[digits] == '.' || tolower((unsigned char)at[digits]) == 'e')) {
            double value = strtod(at, &end);
            part->kind = RD_PTX_REAL;
            memcpy(&part->integer, &value, sizeof value);
        } else {
            part->kind = RD_PTX_INTEGER;
            part->integer = strtoull(at, &end, 0);
        }
    }
    r->at = end + (part->kind == RD_PTX_INTEGER && tolower((unsigned char)*end) == 'u');
    return true;
}

static void negate(struct rd_ptx_part *part)
{
    if (part->kind == RD_PTX_INTEGER)
        part->integer = 0 - part->integer;
    else
        part->integer ^= UINT64_C(1) << 63;
}

/* ---- registers ---- */

static const char *const specials[RD_PTX_N_SPECIALS] = {
    [RD_PTX_TID_X] = "tid.x",
    [RD_PTX_TID_Y] = "tid.y",
    [RD_PTX_TID_Z] = "tid.z",
    [RD_PTX_NTID_X] = "ntid.x",
    [RD_PTX_NTID_Y] = "ntid.y",
    [RD_PTX_NTID_Z] = "ntid.z",
    [RD_PTX_CTAID_X] = "ctaid.x",
    [RD_PTX_CTAID_Y] = "ctaid.y",
    [RD_PTX_CTAID_Z] = "ctaid.z",
    [RD_PTX_NCTAID_X] = "nctaid.x",
    [RD_PTX_NCTAID_Y] = "nctaid.y",
    [RD_PTX_NCTAID_Z] = "nctaid.z",
    [RD_PTX_LANEID] = "laneid",
    [RD_PTX_WARPID] = "warpid",
    [RD_PTX_NWARPID] = "nwarpid",
    [RD_PTX_SMID] = "smid",
    [RD_PTX_NSMID] = "nsmid",
    [RD_PTX_GRIDID] = "gridid",
    [RD_PTX_LANEMASK_EQ] = "lanemask_eq",
    [RD_PTX_LANEMASK_LE] = "lanemask_le",
    [RD_PTX_LANEMASK_LT] = "lanemask_lt",
    [RD_PTX_LANEMASK_GE] = "lanemask_ge",
    [RD_PTX_LANEMASK_GT] = "lanemask_gt",
    [RD_PTX_CLOCK] = "clock",
    [RD_PTX_CLOCK_HI] = "clock_hi",
    [RD_PTX_CLOCK64] = "clock64",
    [RD_PTX_GLOBALTIMER] = "globaltimer",
    [RD_PTX_GLOBALTIMER_LO] = "globaltimer_lo",
    [RD_PTX_GLOBALTIMER_HI] = "globaltimer_hi",
    [RD_PTX_DYNAMIC_SMEM_SIZE] = "dynamic_smem_size",
    [RD_PTX_TOTAL_SMEM_SIZE] = "total_smem_size",
    [RD_PTX_WARP_SZ] = "WARP_SZ",
};

static bool find_register(struct rd_ptx_reader *r, const char *name, struct rd_ptx_part *part)
{
    for (unsigned k = r->n_names; k-- > 0;)
        if (strcmp(r->names[k].name, name) == 0) {
            part->kind = RD_PTX_SLOT;
            part->slot = r->names[k].slot;
            return true;
        }
    for (unsigned k = 0; k < RD_PTX_N_SPECIALS; k++)
        if (strcmp(specials[k], name) == 0) {
            part->kind = RD_PTX_SPECIAL;
            part->slot = k;
            return true;
        }
    return rd_ptx_reader_refuse(
        r, "the PTX register '%%%s', which its asm statement does not declare", name);
}

static bool add_slot(struct rd_ptx_reader *r, const char *name, unsigned bits)
{
    struct rd_ptx_program *p = r->program;
    if (r->n_names == RD_PTX_NAMES_MAX || p->n_slots == RD_PTX_SLOTS_MAX)
        return rd_ptx_reader_refuse(r, "inline PTX of so many registers");
    snprintf(r->names[r->n_names].name, RD_PTX_NAME_SIZE, "%s", name);
    r->names[r->n_names].slot = p->n_slots;
    r->names[r->n_names++].depth = r->depth;
    snprintf(p->names[p->n_slots], RD_PTX_NAME_SIZE, "%s", name);
    p->widths[p->n_slots++] = (unsigned char)bits;
    return true;
}

/* ---- types ---- */

static const struct {
    const char *name;
    struct rd_ptx_type type;
} types[] = {
    {"pred", {RD_PTX_PRED, 1, false}},     {"b8", {RD_PTX_BITS, 8, false}},
    {"b16", {RD_PTX_BITS, 16, false}},     {"b32", {RD_PTX_BITS, 32, false}},
    {"b64", {RD_PTX_BITS, 64, false}},     {"u8", {RD_PTX_UNSIGNED, 8, false}},
    {"u16", {RD_PTX_UNSIGNED, 16, false}}, {"u32", {RD_PTX_UNSIGNED, 32, false}},
    {"u64", {RD_PTX_UNSIGNED, 64, false}}, {"s8", {RD_PTX_SIGNED, 8, false}},
    {"s16", {RD_PTX_SIGNED, 16, false}},   {"s32", {RD_PTX_SIGNED, 32, false}},
    {"s64", {RD_PTX_SIGNED, 64, false}},   {"f16", {RD_PTX_F, 16, false}},
    {"f32", {RD_PTX_F, 32, false}},        {"f64", {RD_PTX_F, 64, false}},
    {"bf16", {RD_PTX_BF, 16, false}},      {"f16x2", {RD_PTX_F, 32, true}},
    {"bf16x2", {RD_PTX_BF, 32, true}},     {"tf32", {RD_PTX_TF, 32, false}},
};

bool rd_ptx_find_type(const char *word, struct rd_ptx_type *type)
{
    for (size_t k = 0; k < sizeof types / sizeof *types; k++)
        if (strcmp(types[k].name, word) == 0) {
            *type = types[k].type;
            return true;
        }
    return false;
}

const char *rd_ptx_type_name(struct rd_ptx_type type)
{
    for (size_t k = 0; k < sizeof types / sizeof *types; k++)
        if (types[k].type.kind == type.kind && types[k].type.bits == type.bits &&
            types[k].type.is_packed == type.is_packed)
            return types[k].name;
    return "";
}

/* ".reg .b32 a, b<4>;" */
bool rd_ptx_read_declaration(struct rd_ptx_reader *r)
{
    struct rd_ptx_type type;
    char word[RD_PTX_WORD_SIZE];
    rd_ptx_skip_blanks(r);
    if (!rd_ptx_take(r, '.'))
        return rd_ptx_reader_refuse(r, "such a .reg directive in inline PTX");
    rd_ptx_read_word(r, word, sizeof word);
    if (!rd_ptx_find_type(word, &type))
        return rd_ptx_reader_refuse(r, "PTX registers of type .%s", word);
    do {
        char name[RD_PTX_NAME_SIZE - 4];
        rd_ptx_skip_blanks(r);
        r->at += strspn(r->at, "%");
        rd_ptx_read_word(r, name, sizeof name);
        if (!name[0])
            return rd_ptx_reader_refuse(r, "such a .reg directive in inline PTX");
        if (rd_ptx_take(r, '<')) {
            unsigned long n = strtoul(r->at, (char **)(uintptr_t)&r->at, 10);
            for (unsigned long k = 0; k < n && !r->refused; k++) {
                char numbered[RD_PTX_NAME_SIZE];
                snprintf(numbered, sizeof numbered, "%.28s%lu", name, k);
                add_slot(r, numbered, type.bits);
            }
            rd_ptx_take(r, '>');
        } else {
            add_slot(r, name, type.bits);
        }
        if (r->refused)
            return false;
    } while (rd_ptx_take(r, ','));
    return rd_ptx_take(r, ';') || rd_ptx_reader_refuse(r, "such a .reg directive in inline PTX");
}

/* ---- operands ---- */

static bool read_user(struct rd_ptx_reader *r, struct rd_ptx_part *part)
{
    part->kind = RD_PTX_SLOT;
    if (*r->at == '[') {
        char name[RD_PTX_NAME_SIZE];
        r->at++;
        rd_ptx_read_word(r, name, sizeof name);
        r->at += *r->at == ']';
        for (unsigned k = 0; k < r->program->n_user; k++)
            if (name[0] && strcmp(r->user[k], name) == 0) {
                part->slot = k;
                return true;
            }
        return rd_ptx_reader_refuse(
            r, "the operand '%%[%s]', which its asm statement does not have", name);
    }
    unsigned long number = strtoul(r->at, (char **)(uintptr_t)&r->at, 10);
    part->slot = (unsigned)number;
    return number < r->program->n_user ||
           rd_ptx_reader_refuse(r, "the operand '%%%lu', which its asm statement does not have",
                                number);
}

bool rd_ptx_read_part(struct rd_ptx_reader *r, struct rd_ptx_part *part)
{
    char name[RD_PTX_NAME_SIZE];
    *part = (struct rd_ptx_part){.kind = RD_PTX_NONE};
    if (rd_ptx_take(r, '!')) {
        bool read = rd_ptx_read_part(r, part);
        part->is_negated = true;
        return read;
    }
    if (rd_ptx_take(r, '-')) {
        rd_ptx_skip_blanks(r);
        if (!isdigit((unsigned char)*r->at))
            return rd_ptx_reader_refuse(r, "such an operand of inline PTX");
        bool read = read_number(r, part);
        negate(part);
        return read;
    }
    rd_ptx_skip_blanks(r);
    if (isdigit((unsigned char)*r->at))
        return read_number(r, part);
    if (*r->at == '%' && (r->at[1] == '[' || isdigit((unsigned char)r->at[1]))) {
        r->at++;
        return read_user(r, part);
    }
    r->at += strspn(r->at, "%");
    rd_ptx_read_word(r, name, sizeof name - 2);
    if (!name[0])
        return rd_ptx_reader_refuse(r, "such an operand of inline PTX");
    if (strcmp(name, "_") == 0)
        return true;
    if (*r->at == '.' && strchr("xyzw", r->at[1]) && r->at[1] && !rd_ptx_is_letter(r->at[2])) {
        strncat(name, r->at, 2);
        r->at += 2;
    }
    return find_register(r, name, part);
}

/* "[p + 16]", "[p + %3]": behind its bracket. */
static bool read_address(struct rd_ptx_reader *r, struct rd_ptx_operand *operand)
{
    operand->form = RD_PTX_ADDRESS;
    operand->n = 1;
    if (!rd_ptx_read_part(r, &operand->parts[0]))
        return false;
    while (!rd_ptx_take(r, ']')) {
        struct rd_ptx_part more;
        bool minus = rd_ptx_take(r, '-');
        if (!minus && !rd_ptx_take(r, '+'))
            return rd_ptx_reader_refuse(r, "such an address in inline PTX");
        if (!rd_ptx_read_part(r, &more))
            return false;
        if (more.kind == RD_PTX_INTEGER)
            operand->offset += (int64_t)(minus ? 0 - more.integer : more.integer);
        else if (!minus && operand->n < RD_PTX_PARTS_MAX)
            operand->parts[operand->n++] = more;
        else
            return rd_ptx_reader_refuse(r, "such an address in inline PTX");
    }
    return true;
}

bool rd_ptx_read_operand(struct rd_ptx_reader *r, struct rd_ptx_operand *operand)
{
    *operand = (struct rd_ptx_operand){.form = RD_PTX_SINGLE};
    if (rd_ptx_take(r, '['))
        return read_address(r, operand);
    if (rd_ptx_take(r, '{')) {
        operand->form = RD_PTX_VECTOR;
        do {
            if (operand->n == RD_PTX_PARTS_MAX)
                return rd_ptx_reader_refuse(r, "PTX vectors of so many parts");
            if (!rd_ptx_read_part(r, &operand->parts[operand->n++]))
                return false;
        } while (rd_ptx_take(r, ','));
        return rd_ptx_take(r, '}') || rd_ptx_reader_refuse(r, "such an operand of inline PTX");
    }
    operand->n = 1;
    if (!rd_ptx_read_part(r, &operand->parts[0]))
        return false;
    if (rd_ptx_take(r, '|')) {
        operand->form = RD_PTX_PAIR;
        operand->n = 2;
        return rd_ptx_read_part(r, &operand->parts[1]);
    }
    return true;
}
