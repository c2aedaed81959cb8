// SPDX-License-Identifier: MIT
/* Reads a text of PTX: registers, instructions, operands. Longer than others: it is one grammar. */
#include "device/sim/ptx/ptx_internal.h"
#include "base/array.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

enum { NAMES_MAX = 160, NAME_SIZE = RD_PTX_NAME_SIZE, WORD_SIZE = 40 };

struct reader {
    struct rd_ptx_program *program;
    const char *at;
    bool refused;   /* the text is not one that is known */
    unsigned depth; /* of braces */
    struct {
        char name[NAME_SIZE];
        unsigned slot, depth;
    } names[NAMES_MAX]; /* registers that are declared, the innermost last */
    unsigned n_names;
    char user[RD_PTX_USER_MAX][NAME_SIZE]; /* names of operands, "" where they have none */
};

/* ---- refusing ---- */

__attribute__((format(printf, 2, 3))) static bool refuse(struct reader *r, const char *format, ...)
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

static void skip_blanks(struct reader *r)
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

static bool take(struct reader *r, char c)
{
    skip_blanks(r);
    if (*r->at != c)
        return false;
    r->at++;
    return true;
}

static bool is_letter(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '$';
}

/* A word of letters, of which too long a one is cut. */
static void read_word(struct reader *r, char *word, size_t size)
{
    size_t n = 0;
    for (; is_letter(*r->at); r->at++)
        if (n + 1 < size)
            word[n++] = *r->at;
    word[n] = '\0';
}

/* ---- numbers ---- */

static bool read_number(struct reader *r, struct rd_ptx_part *part)
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
            return refuse(r, "the PTX constant '%.18s'", at);
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

static bool find_register(struct reader *r, const char *name, struct rd_ptx_part *part)
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
    return refuse(r, "the PTX register '%%%s', which its asm statement does not declare", name);
}

static bool add_slot(struct reader *r, const char *name, unsigned bits)
{
    struct rd_ptx_program *p = r->program;
    if (r->n_names == NAMES_MAX || p->n_slots == RD_PTX_SLOTS_MAX)
        return refuse(r, "inline PTX of so many registers");
    snprintf(r->names[r->n_names].name, NAME_SIZE, "%s", name);
    r->names[r->n_names].slot = p->n_slots;
    r->names[r->n_names++].depth = r->depth;
    snprintf(p->names[p->n_slots], NAME_SIZE, "%s", name);
    p->widths[p->n_slots++] = (unsigned char)bits;
    return true;
}

/* ---- types ---- */

static bool find_type(const char *word, struct rd_ptx_type *type)
{
    static const struct {
        const char *name;
        struct rd_ptx_type type;
    } all[] = {
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
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        if (strcmp(all[k].name, word) == 0) {
            *type = all[k].type;
            return true;
        }
    return false;
}

/* ".reg .b32 a, b<4>;" */
static bool read_declaration(struct reader *r)
{
    struct rd_ptx_type type;
    char word[WORD_SIZE];
    skip_blanks(r);
    if (!take(r, '.'))
        return refuse(r, "such a .reg directive in inline PTX");
    read_word(r, word, sizeof word);
    if (!find_type(word, &type))
        return refuse(r, "PTX registers of type .%s", word);
    do {
        char name[NAME_SIZE - 4];
        skip_blanks(r);
        r->at += strspn(r->at, "%");
        read_word(r, name, sizeof name);
        if (!name[0])
            return refuse(r, "such a .reg directive in inline PTX");
        if (take(r, '<')) {
            unsigned long n = strtoul(r->at, (char **)(uintptr_t)&r->at, 10);
            for (unsigned long k = 0; k < n && !r->refused; k++) {
                char numbered[NAME_SIZE];
                snprintf(numbered, sizeof numbered, "%.28s%lu", name, k);
                add_slot(r, numbered, type.bits);
            }
            take(r, '>');
        } else {
            add_slot(r, name, type.bits);
        }
        if (r->refused)
            return false;
    } while (take(r, ','));
    return take(r, ';') || refuse(r, "such a .reg directive in inline PTX");
}

/* ---- operands ---- */

static bool read_user(struct reader *r, struct rd_ptx_part *part)
{
    part->kind = RD_PTX_SLOT;
    if (*r->at == '[') {
        char name[NAME_SIZE];
        r->at++;
        read_word(r, name, sizeof name);
        r->at += *r->at == ']';
        for (unsigned k = 0; k < r->program->n_user; k++)
            if (name[0] && strcmp(r->user[k], name) == 0) {
                part->slot = k;
                return true;
            }
        return refuse(r, "the operand '%%[%s]', which its asm statement does not have", name);
    }
    unsigned long number = strtoul(r->at, (char **)(uintptr_t)&r->at, 10);
    part->slot = (unsigned)number;
    return number < r->program->n_user ||
           refuse(r, "the operand '%%%lu', which its asm statement does not have", number);
}

static bool read_part(struct reader *r, struct rd_ptx_part *part)
{
    char name[NAME_SIZE];
    *part = (struct rd_ptx_part){.kind = RD_PTX_NONE};
    if (take(r, '!')) {
        bool read = read_part(r, part);
        part->is_negated = true;
        return read;
    }
    if (take(r, '-')) {
        skip_blanks(r);
        if (!isdigit((unsigned char)*r->at))
            return refuse(r, "such an operand of inline PTX");
        bool read = read_number(r, part);
        negate(part);
        return read;
    }
    skip_blanks(r);
    if (isdigit((unsigned char)*r->at))
        return read_number(r, part);
    if (*r->at == '%' && (r->at[1] == '[' || isdigit((unsigned char)r->at[1]))) {
        r->at++;
        return read_user(r, part);
    }
    r->at += strspn(r->at, "%");
    read_word(r, name, sizeof name - 2);
    if (!name[0])
        return refuse(r, "such an operand of inline PTX");
    if (strcmp(name, "_") == 0)
        return true;
    if (*r->at == '.' && strchr("xyzw", r->at[1]) && r->at[1] && !is_letter(r->at[2])) {
        strncat(name, r->at, 2);
        r->at += 2;
    }
    return find_register(r, name, part);
}

/* "[p + 16]", "[p + %3]": behind its bracket. */
static bool read_address(struct reader *r, struct rd_ptx_operand *operand)
{
    operand->form = RD_PTX_ADDRESS;
    operand->n = 1;
    if (!read_part(r, &operand->parts[0]))
        return false;
    while (!take(r, ']')) {
        struct rd_ptx_part more;
        bool minus = take(r, '-');
        if (!minus && !take(r, '+'))
            return refuse(r, "such an address in inline PTX");
        if (!read_part(r, &more))
            return false;
        if (more.kind == RD_PTX_INTEGER)
            operand->offset += (int64_t)(minus ? 0 - more.integer : more.integer);
        else if (!minus && operand->n < RD_PTX_PARTS_MAX)
            operand->parts[operand->n++] = more;
        else
            return refuse(r, "such an address in inline PTX");
    }
    return true;
}

static bool read_operand(struct reader *r, struct rd_ptx_operand *operand)
{
    *operand = (struct rd_ptx_operand){.form = RD_PTX_SINGLE};
    if (take(r, '['))
        return read_address(r, operand);
    if (take(r, '{')) {
        operand->form = RD_PTX_VECTOR;
        do {
            if (operand->n == RD_PTX_PARTS_MAX)
                return refuse(r, "PTX vectors of so many parts");
            if (!read_part(r, &operand->parts[operand->n++]))
                return false;
        } while (take(r, ','));
        return take(r, '}') || refuse(r, "such an operand of inline PTX");
    }
    operand->n = 1;
    if (!read_part(r, &operand->parts[0]))
        return false;
    if (take(r, '|')) {
        operand->form = RD_PTX_PAIR;
        operand->n = 2;
        return read_part(r, &operand->parts[1]);
    }
    return true;
}

/* ---- instructions ---- */

static bool find_word(const char *text, enum rd_ptx_word *word)
{
#define TEXT(name, text) text,
    static const char *const all[] = {RD_PTX_WORDS(TEXT)};
#undef TEXT
    for (unsigned k = 0; k < RD_PTX_N_WORDS; k++)
        if (strcmp(all[k], text) == 0) {
            *word = (enum rd_ptx_word)k;
            return true;
        }
    *word = RD_PTX_HINT; /* of the caches: "L2::128B", "L1::evict_last" */
    return strncmp(text, "L1::", 4) == 0 || strncmp(text, "L2::", 4) == 0;
}

/* Tells whether the words that an opcode may have, "sat lo hi", have this one. */
static bool may_have(const char *words, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = words; (at = strstr(at, word)); at += length)
        if ((at == words || at[-1] == ' ') && (at[length] == ' ' || !at[length]))
            return true;
    return false;
}

static bool is_space(enum rd_ptx_word word)
{
    return word >= RD_PTX_GLOBAL && word <= RD_PTX_PARAM;
}

static bool read_words(struct reader *r, struct rd_ptx_instruction *i, const char *start)
{
    while (*r->at == '.') {
        char text[WORD_SIZE] = "", more[WORD_SIZE / 2];
        enum rd_ptx_word word = RD_PTX_HINT;
        r->at++;
        read_word(r, text, sizeof text / 2);
        if (strncmp(r->at, "::", 2) == 0) {
            r->at += 2;
            read_word(r, more, sizeof more - 3);
            strcat(text, "::");
            strcat(text, more);
        }
        if (i->n_types < 5 && find_type(text, &i->types[i->n_types])) {
            i->n_types++;
            continue;
        }
        if (!find_word(text, &word) ||
            !may_have(i->opcode->words, word == RD_PTX_HINT ? "L1::*" : text)) {
            while (is_letter(*r->at) || *r->at == '.' || *r->at == ':')
                r->at++;
            return refuse(r, "the PTX instruction '%.*s'", (int)(r->at - start), start);
        }
        rd_ptx_add(&i->words, word);
        i->last_word = word;
        if (is_space(word) && !i->has_space) {
            i->first_space = word;
            i->has_space = true;
        }
    }
    return true;
}

static bool read_guard(struct reader *r, struct rd_ptx_instruction *i)
{
    bool negated = take(r, '!');
    if (!read_part(r, &i->guard))
        return false;
    i->guard.is_negated = negated;
    skip_blanks(r);
    return true;
}

static bool read_instruction(struct reader *r)
{
    struct rd_ptx_program *p = r->program;
    struct rd_ptx_instruction i = {.guard = {.kind = RD_PTX_NONE}};
    char name[WORD_SIZE];
    size_t capacity = p->capacity;
    if (take(r, '@') && !read_guard(r, &i))
        return false;
    skip_blanks(r);
    const char *start = r->at;
    read_word(r, name, sizeof name);
    if (!name[0])
        return refuse(r, "inline PTX like '%.20s'", start);
    const char *behind = r->at;
    if (take(r, ':') || strcmp(name, "bra") == 0 || strcmp(name, "brx") == 0 ||
        strcmp(name, "call") == 0 || strcmp(name, "ret") == 0)
        return refuse(r, "labels and branches in inline PTX");
    r->at = behind;
    for (i.opcode = rd_ptx_opcodes; i.opcode->name; i.opcode++)
        if (strcmp(i.opcode->name, name) == 0)
            break;
    if (!i.opcode->name) {
        while (is_letter(*r->at) || *r->at == '.' || *r->at == ':')
            r->at++;
        return refuse(r, "the PTX instruction '%.*s'", (int)(r->at - start), start);
    }
    if (!read_words(r, &i, start))
        return false;
    int length = (int)(r->at - start);
    while (!take(r, ';') && *r->at) {
        if (*r->at == '}')
            break;
        if (i.n == RD_PTX_OPERANDS_MAX)
            return refuse(r, "the PTX instruction '%.*s' of so many operands", length, start);
        if (!read_operand(r, &i.operands[i.n++]))
            return false;
        if (!take(r, ',') && !take(r, ';')) {
            skip_blanks(r);
            if (*r->at && *r->at != '}')
                return refuse(r, "inline PTX like '%.*s'", (int)strcspn(start, ";\n"), start);
            break;
        }
        if (r->at[-1] == ';')
            break;
    }
    if (i.n < i.opcode->least || i.n > i.opcode->most || i.n_types < i.opcode->types)
        return refuse(r, "the PTX instruction '%.*s' of %u operands", length, start, i.n);
    if (!rd_array_make_room(&p->code, p->n, &capacity, sizeof *p->code))
        return refuse(r, "inline PTX, for want of memory");
    p->capacity = (unsigned)capacity;
    p->code[p->n++] = i;
    return true;
}

static bool read_statement(struct reader *r)
{
    char word[WORD_SIZE];
    if (take(r, ';'))
        return true;
    if (take(r, '{')) {
        r->depth++;
        return true;
    }
    if (take(r, '}')) {
        while (r->n_names > 0 && r->names[r->n_names - 1].depth >= r->depth && r->depth > 0)
            r->n_names--;
        r->depth -= r->depth > 0;
        return true;
    }
    if (take(r, '.')) {
        read_word(r, word, sizeof word);
        if (strcmp(word, "reg") == 0)
            return read_declaration(r);
        return refuse(r, "the directive .%s in inline PTX", word);
    }
    return read_instruction(r);
}

/* ---- the statement's operands ---- */

static unsigned width_of(char letter)
{
    switch (letter) {
    case 'r':
    case 'f':
        return 32;
    case 'h':
        return 16;
    case 'l':
    case 'd':
    case 'n':
        return 64;
    default:
        return 0;
    }
}

/* "[sum]=r,r" */
static void read_constraints(struct reader *r, const char *at)
{
    struct rd_ptx_program *p = r->program;
    while (*at && !r->refused) {
        size_t length = 0;
        if (p->n_user == RD_PTX_USER_MAX) {
            refuse(r, "inline PTX of so many operands");
            return;
        }
        if (*at == '[') {
            length = strcspn(at + 1, "]");
            snprintf(r->user[p->n_user], NAME_SIZE, "%.*s", (int)length, at + 1);
            at += length + 2;
        }
        if (*at == '=')
            p->outputs |= UINT64_C(1) << p->n_user;
        at += strspn(at, "=+&%");
        if (*at >= '0' && *at <= '9') { /* tied to that operand */
            refuse(r, "inline PTX with the constraint '%c'", *at);
            return;
        }
        unsigned width = width_of(*at);
        if (width == 0) {
            refuse(r, "inline PTX with the constraint '%c'", *at);
            return;
        }
        snprintf(p->names[p->n_user], NAME_SIZE, "%%%u", p->n_user);
        p->widths[p->n_user++] = (unsigned char)width;
        at += strcspn(at, ",");
        at += *at == ',';
    }
    p->n_slots = p->n_user;
}

struct rd_ptx_program *rd_ptx_parse(const char *text, const char *constraints)
{
    struct rd_ptx_program *p = calloc(1, sizeof *p);
    struct reader *r = calloc(1, sizeof *r);
    if (p) {
        p->text = strdup(text);
        p->constraints = strdup(constraints);
        p->widths = calloc(RD_PTX_SLOTS_MAX, 1);
        p->names = calloc(RD_PTX_SLOTS_MAX, sizeof *p->names);
    }
    if (!r || !p || !p->text || !p->constraints || !p->widths || !p->names) {
        rd_ptx_destroy(p);
        free(r);
        return NULL;
    }
    r->program = p;
    r->at = text;
    read_constraints(r, constraints);
    for (skip_blanks(r); *r->at && !r->refused; skip_blanks(r))
        if (!read_statement(r))
            break;
    if (r->refused && !p->refusal) { /* no memory for the sentence */
        rd_ptx_destroy(p);
        p = NULL;
    }
    free(r);
    return p;
}

void rd_ptx_destroy(struct rd_ptx_program *p)
{
    if (!p)
        return;
    free(p->text);
    free(p->constraints);
    free(p->widths);
    free(p->names);
    free(p->code);
    free(p->refusal);
    free(p);
}
