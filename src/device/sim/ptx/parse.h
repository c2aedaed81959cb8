// SPDX-License-Identifier: MIT
/* The reader of a text of PTX. What it can't read it refuses: the program's refusal names it. Private to parse.c,
 * parse_operands.c and forms.c. */
#ifndef RD_SIM_PTX_PARSE_H
#define RD_SIM_PTX_PARSE_H

#include "device/sim/ptx/ptx_internal.h"

enum { RD_PTX_NAMES_MAX = 160, RD_PTX_WORD_SIZE = 40 };

struct rd_ptx_reader {
    struct rd_ptx_program *program;
    const char *at;
    bool refused;   /* the text is not one that is known */
    unsigned depth; /* of braces */
    struct {
        char name[RD_PTX_NAME_SIZE];
        unsigned slot, depth;
    } names[RD_PTX_NAMES_MAX]; /* registers that are declared, the innermost last */
    unsigned n_names;
    char user[RD_PTX_USER_MAX][RD_PTX_NAME_SIZE]; /* names of operands, "" where they have none */
};

/* Refuses the text, of which only the first reason is kept. Returns false. */
__attribute__((format(printf, 2, 3))) bool rd_ptx_reader_refuse(struct rd_ptx_reader *r,
                                                                const char *format, ...);

/* Passes over blanks and comments. */
void rd_ptx_skip_blanks(struct rd_ptx_reader *r);
/* Passes over blanks, and over `c` if it stands there: tells whether it did. */
bool rd_ptx_take(struct rd_ptx_reader *r, char c);
/* Tells whether it may stand in a word. */
bool rd_ptx_is_letter(char c);
/* Reads a word of letters; one that is too long is cut. */
void rd_ptx_read_word(struct rd_ptx_reader *r, char *word, size_t size);

/* Finds the type of that name, "f16x2", and the name of a type. */
bool rd_ptx_find_type(const char *word, struct rd_ptx_type *type);
const char *rd_ptx_type_name(struct rd_ptx_type type);

/* "sat" */
const char *rd_ptx_word_text(enum rd_ptx_word word);
/* False: there is none of this text. */
bool rd_ptx_find_word(const char *text, enum rd_ptx_word *word);
/* Tells whether a list, "sat lo hi", has that word. */
bool rd_ptx_list_has(const char *list, const char *word);
/* Tells whether the instruction may have its words beside its types; forms.c. */
bool rd_ptx_is_form(const struct rd_ptx_instruction *i);

/* Read what stands there. False: refused. */
bool rd_ptx_read_declaration(struct rd_ptx_reader *r); /* behind ".reg" */
bool rd_ptx_read_part(struct rd_ptx_reader *r, struct rd_ptx_part *part);
bool rd_ptx_read_operand(struct rd_ptx_reader *r, struct rd_ptx_operand *operand);

#endif
