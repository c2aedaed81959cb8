// SPDX-License-Identifier: MIT
/* Reads a text of PTX: its instructions, and the constraints of its asm statement. */
#include "device/sim/ptx/parse.h"
#include "base/array.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- instructions ---- */

static bool is_space(enum rd_ptx_word word)
{
    return word >= RD_PTX_GLOBAL && word <= RD_PTX_PARAM;
}

static bool read_words(struct rd_ptx_reader *r, struct rd_ptx_instruction *i, const char *start)
{
    while (*r->at == '.') {
        char text[RD_PTX_WORD_SIZE] = "", more[RD_PTX_WORD_SIZE / 2];
        enum rd_ptx_word word = RD_PTX_HINT;
        r->at++;
        rd_ptx_read_word(r, text, sizeof text / 2);
        if (strncmp(r->at, "::", 2) == 0) {
            r->at += 2;
            rd_ptx_read_word(r, more, sizeof more - 3);
            strcat(text, "::");
            strcat(text, more);
        }
        if (i->n_types < 5 && rd_ptx_find_type(text, &i->types[i->n_types])) {
            i->n_types++;
            continue;
        }
        if (!rd_ptx_find_word(text, &word) ||
            !rd_ptx_list_has(i->opcode->words, word == RD_PTX_HINT ? "L1::*" : text)) {
            while (rd_ptx_is_letter(*r->at) || *r->at == '.' || *r->at == ':')
                r->at++;
            return rd_ptx_reader_refuse(r, "the PTX instruction '%.*s'", (int)(r->at - start),
                                        start);
        }
        rd_ptx_add(&i->words, word);
        if (is_space(word) && !i->has_space) {
            i->first_space = word;
            i->has_space = true;
        }
    }
    return true;
}

static bool read_guard(struct rd_ptx_reader *r, struct rd_ptx_instruction *i)
{
    bool negated = rd_ptx_take(r, '!');
    if (!rd_ptx_read_part(r, &i->guard))
        return false;
    i->guard.is_negated = negated;
    rd_ptx_skip_blanks(r);
    return true;
}

static bool read_instruction(struct rd_ptx_reader *r)
{
    struct rd_ptx_program *p = r->program;
    struct rd_ptx_instruction i = {.guard = {.kind = RD_PTX_NONE}};
    char name[RD_PTX_WORD_SIZE];
    size_t capacity = p->capacity;
    if (rd_ptx_take(r, '@') && !read_guard(r, &i))
        return false;
    rd_ptx_skip_blanks(r);
    const char *start = r->at;
    rd_ptx_read_word(r, name, sizeof name);
    if (!name[0])
        return rd_ptx_reader_refuse(r, "inline PTX like '%.20s'", start);
    const char *behind = r->at;
    if (rd_ptx_take(r, ':') || strcmp(name, "bra") == 0 || strcmp(name, "brx") == 0 ||
        strcmp(name, "call") == 0 || strcmp(name, "ret") == 0)
        return rd_ptx_reader_refuse(r, "labels and branches in inline PTX");
    r->at = behind;
    for (i.opcode = rd_ptx_opcodes; i.opcode->name; i.opcode++)
        if (strcmp(i.opcode->name, name) == 0)
            break;
    if (!i.opcode->name) {
        while (rd_ptx_is_letter(*r->at) || *r->at == '.' || *r->at == ':')
            r->at++;
        return rd_ptx_reader_refuse(r, "the PTX instruction '%.*s'", (int)(r->at - start), start);
    }
    if (!read_words(r, &i, start))
        return false;
    int length = (int)(r->at - start);
    while (!rd_ptx_take(r, ';') && *r->at) {
        if (*r->at == '}')
            break;
        if (i.n == RD_PTX_OPERANDS_MAX)
            return rd_ptx_reader_refuse(r, "the PTX instruction '%.*s' of so many operands", length,
                                        start);
        if (!rd_ptx_read_operand(r, &i.operands[i.n++]))
            return false;
        if (!rd_ptx_take(r, ',') && !rd_ptx_take(r, ';')) {
            rd_ptx_skip_blanks(r);
            if (*r->at && *r->at != '}')
                return rd_ptx_reader_refuse(r, "inline PTX like '%.*s'", (int)strcspn(start, ";\n"),
                                            start);
            break;
        }
        if (r->at[-1] == ';')
            break;
    }
    if (i.n < i.opcode->least || i.n > i.opcode->most || i.n_types < i.opcode->types)
        return rd_ptx_reader_refuse(r, "the PTX instruction '%.*s' of %u operands", length, start,
                                    i.n);
    if (!rd_ptx_is_form(&i))
        return rd_ptx_reader_refuse(r, "the PTX instruction '%.*s'", length, start);
    if (!rd_array_make_room(&p->code, p->n, &capacity, sizeof *p->code))
        return rd_ptx_reader_refuse(r, "inline PTX, for want of memory");
    p->capacity = (unsigned)capacity;
    p->code[p->n++] = i;
    return true;
}

static bool read_statement(struct rd_ptx_reader *r)
{
    char word[RD_PTX_WORD_SIZE];
    if (rd_ptx_take(r, ';'))
        return true;
    if (rd_ptx_take(r, '{')) {
        r->depth++;
        return true;
    }
    if (rd_ptx_take(r, '}')) {
        while (r->n_names > 0 && r->names[r->n_names - 1].depth >= r->depth && r->depth > 0)
            r->n_names--;
        r->depth -= r->depth > 0;
        return true;
    }
    if (rd_ptx_take(r, '.')) {
        rd_ptx_read_word(r, word, sizeof word);
        if (strcmp(word, "reg") == 0)
            return rd_ptx_read_declaration(r);
        return rd_ptx_reader_refuse(r, "the directive .%s in inline PTX", word);
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
static void read_constraints(struct rd_ptx_reader *r, const char *at)
{
    struct rd_ptx_program *p = r->program;
    while (*at && !r->refused) {
        size_t length = 0;
        if (p->n_user == RD_PTX_USER_MAX) {
            rd_ptx_reader_refuse(r, "inline PTX of so many operands");
            return;
        }
        if (*at == '[') {
            length = strcspn(at + 1, "]");
            snprintf(r->user[p->n_user], RD_PTX_NAME_SIZE, "%.*s", (int)length, at + 1);
            at += length + 2;
        }
        if (*at == '=')
            p->outputs |= UINT64_C(1) << p->n_user;
        at += strspn(at, "=+&%");
        if (*at >= '0' && *at <= '9') { /* tied to that operand */
            rd_ptx_reader_refuse(r, "inline PTX with the constraint '%c'", *at);
            return;
        }
        unsigned width = width_of(*at);
        if (width == 0) {
            rd_ptx_reader_refuse(r, "inline PTX with the constraint '%c'", *at);
            return;
        }
        snprintf(p->names[p->n_user], RD_PTX_NAME_SIZE, "%%%u", p->n_user);
        p->widths[p->n_user++] = (unsigned char)width;
        at += strcspn(at, ",");
        at += *at == ',';
    }
    p->n_slots = p->n_user;
}

struct rd_ptx_program *rd_ptx_parse(const char *text, const char *constraints)
{
    struct rd_ptx_program *p = calloc(1, sizeof *p);
    struct rd_ptx_reader *r = calloc(1, sizeof *r);
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
    for (rd_ptx_skip_blanks(r); *r->at && !r->refused; rd_ptx_skip_blanks(r))
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
