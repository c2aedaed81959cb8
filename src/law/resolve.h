// SPDX-License-Identifier: MIT
/* Finds out what each name of a paragraph stands for, and what each reduction and each `for` binds. Private to
 * src/law. */
#ifndef RD_LAW_RESOLVE_H
#define RD_LAW_RESOLVE_H

#include "law/tree.h"

/* Once, after parsing. RD_ERROR_USAGE, RD_ERROR_MEMORY. */
enum rd_status rd_law_resolve(struct rd_law *law, struct rd_law_error *error);

/* The scope in which names are looked up. */
struct law_scope {
    struct rd_law *law;
    struct rd_law_section *section;
    struct rd_law_error *error;
    enum rd_status status;
    size_t n_definitions;  /* so many of them are known: those that stand before */
    unsigned allowed;      /* quantities, as bits; */
    unsigned needs;        /* those that were used */
    bool moves;            /* a start or an update, that reads the array itself */
    bool binds_nothing;    /* a claim without a `for` */
    unsigned n_reductions; /* in whose terms it is */
    size_t n_variables;    /* known here */
    struct law_variable variables[LAW_VARIABLES_MAX];
    unsigned n_slots; /* of the frame, so far */
};

/* The functions below return false where they failed, with the scope's status set. */
bool rd_law_scope_fail(struct law_scope *scope, struct law_span span, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
bool rd_law_scope_no_memory(struct law_scope *scope);
/* Makes a variable known, in a slot of its own. */
bool rd_law_scope_bind(struct law_scope *scope, const char *name, struct law_span span,
                       unsigned *slot);
/* Tells whether a name means something that a reduction doesn't bind. */
bool rd_law_scope_knows(const struct law_scope *scope, const char *name);
/* "'W' isn't known here", with what may be meant. */
bool rd_law_scope_fail_unknown(struct law_scope *scope, const struct law_node *node);

/* Resolves the names of an expression, or of one that must not have a value of the elements' type. */
bool rd_law_resolve_value(struct law_scope *scope, struct law_node *node);
bool rd_law_resolve_number(struct law_scope *scope, struct law_node *node);
bool rd_law_resolve_launch(struct law_scope *scope, struct law_launch *launch);

#endif
