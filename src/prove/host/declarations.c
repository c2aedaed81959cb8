// SPDX-License-Identifier: MIT
/* Declarations of host code: numbers that may be any, arrays, vectors, and variables with an initial value. */
#include "prove/host/host.h"

#include <string.h>

/* (rd_prove_any(), 16) */
bool rd_host_is_any_number(const struct rd_syntax_node *node)
{
    node = rd_host_bare(node);
    return node->kind == RD_SYNTAX_BINARY && node->op && strcmp(node->op, ",") == 0 &&
           rd_host_is_call(node->kids[0], "rd_prove_any");
}

/* No device has memory for more elements. */
static rd_wide most_elements(void)
{
    return (rd_wide)1 << 38;
}

struct value rd_host_any_number(struct rd_host *host,
                                const struct rd_syntax_declaration *declaration,
                                const struct rd_syntax_node *initial)
{
    struct rd_terms *terms = host->terms;
    const struct rd_syntax_node *literal = rd_host_bare(rd_host_bare(initial)->kids[1]);
    const rd_term of_file = rd_host_number(host, literal),
                  number = rd_host_unknown(host, declaration->name, declaration->type);
    rd_wide least, most, own;
    if (!rd_host_goes(host))
        return rd_nothing();
    if (!rd_type_range(declaration->type, &least, &most) || !rd_term_is_number(of_file, &own)) {
        RD_HOST_FAIL(host, initial, "a number of a type that isn't an integer's");
        return rd_nothing();
    }
    const bool is_cut = most > most_elements();
    if (is_cut)
        rd_term_list_add(terms, &host->known,
                         rd_at_most(terms, number, rd_number(terms, most_elements())));
    rd_term_list_add(terms, &host->known, rd_at_most(terms, rd_number(terms, 1), number));
    rd_host_own_number(host, &(struct rd_proof_number){
                                 .name = rd_terms_text(terms, "%s", declaration->name),
                                 .term = number,
                                 .own = own,
                                 .line = literal->line,
                                 .most = is_cut ? "2^38"
                                                : rd_terms_text(terms, "2^%u - 1",
                                                                declaration->type->bits -
                                                                    declaration->type->is_signed)});
    rd_term_list_add_new(terms, &host->natural, number);
    if (!host->has_number)
        host->subject->n = number;
    host->has_number = true;
    return rd_number_value(number);
}

static struct value array_value(struct rd_host *host, const struct rd_syntax_node *node)
{
    const struct rd_syntax_declaration *declaration = node->declaration;
    const bool is_variable = node->op && strcmp(node->op, "[]") == 0;
    const rd_term size = is_variable ? rd_host_number(host, node->kids[0])
                                     : rd_number(host->terms, (rd_wide)declaration->type->length);
    if (!is_variable && node->n_kids > 0 && rd_host_is_harmless_or_fails(host, node->kids[0]))
        rd_host_forget(host, node->kids[0]);
    struct rd_host_array *array =
        rd_host_goes(host)
            ? rd_host_array_add(host, declaration->name, false, declaration->type->of, size)
            : NULL;
    if (!array)
        return rd_nothing();
    array->declaration = declaration;
    return (struct value){
        .kind = VALUE_POINTER, .term = rd_number(host->terms, 0), .array = &array->array};
}

static bool is_zero(const struct rd_syntax_node *node)
{
    node = rd_host_bare(node);
    return (node->kind == RD_SYNTAX_NUMBER && node->number == 0) ||
           (node->kind == RD_SYNTAX_REAL && (!node->name || !*node->name) && node->number == 0);
}

/* std::vector<T> v(n), or v(n, x): memory of the host, with zeros or with x. */
static struct value vector_value(struct rd_host *host, const struct rd_syntax_node *node)
{
    const struct rd_syntax_declaration *declaration = node->declaration;
    const struct rd_syntax_node *initial = node->n_kids > 0 ? rd_host_bare(node->kids[0]) : NULL;
    /* A constructor's name has no type: what a function returns is another vector. */
    const bool is_made = initial && initial->kind == RD_SYNTAX_CALL && initial->type &&
                         initial->type->elements && initial->n_kids >= 2 && initial->n_kids <= 3 &&
                         !initial->kids[0]->type && rd_host_is_readable(host, initial->kids[1]);
    if (!is_made || !rd_host_is_plain(declaration->type->elements) ||
        (initial->n_kids == 3 && !rd_host_is_plain(initial->kids[2]->type))) {
        RD_HOST_FAIL(host, node, "a vector that is not made by v(n) or v(n, x), of numbers");
        return rd_nothing();
    }
    const rd_term size = rd_host_number(host, initial->kids[1]);
    if (initial->n_kids == 3 && rd_host_is_harmless_or_fails(host, initial->kids[2]))
        rd_host_forget(host, initial->kids[2]);
    struct rd_host_array *array =
        rd_host_goes(host)
            ? rd_host_array_add(host, declaration->name, false, declaration->type->elements, size)
            : NULL;
    if (!array)
        return rd_nothing();
    array->declaration = declaration;
    if (initial->n_kids == 2 || is_zero(initial->kids[2]))
        rd_host_content_zero(host, array, size);
    return (struct value){
        .kind = VALUE_POINTER, .term = rd_number(host->terms, 0), .array = &array->array};
}

static struct value number_value(struct rd_host *host,
                                 const struct rd_syntax_declaration *declaration,
                                 const struct rd_syntax_node *initial)
{
    if (rd_host_is_readable(host, initial))
        return rd_number_value(rd_host_number(host, initial));
    if (rd_host_has_law(host, declaration) && rd_host_is_sum(host, initial))
        return rd_element_value(rd_host_sum_value(host, initial));
    if (!rd_host_is_harmless_or_fails(host, initial))
        return rd_nothing();
    rd_host_forget(host, initial);
    return rd_number_value(rd_host_unknown(host, declaration->name, declaration->type));
}

/* The value of a variable that is declared with one; what isn't known of it is nothing. */
static struct value initial_value(struct rd_host *host, const struct rd_syntax_node *node)
{
    const struct rd_syntax_declaration *declaration = node->declaration;
    const struct rd_syntax_type *type = declaration->type;
    const struct rd_syntax_node *initial = node->kids[0];
    if (type->kind == RD_SYNTAX_POINTER)
        return rd_host_pointer(host, declaration->name, type, initial);
    if (type->kind == RD_SYNTAX_INTEGER && rd_host_is_any_number(initial))
        return rd_host_any_number(host, declaration, initial);
    if (type->kind == RD_SYNTAX_INTEGER || type->kind == RD_SYNTAX_BOOL)
        return number_value(host, declaration, initial);
    if (type->kind == RD_SYNTAX_FLOAT && rd_host_own_function(host, rd_host_bare_float(initial)))
        return rd_host_evaluate(host, rd_host_bare_float(initial));
    if (rd_host_has_law(host, declaration) && rd_host_is_sum(host, initial))
        return rd_element_value(rd_host_sum_value(host, initial));
    if (type->kind == RD_SYNTAX_FLOAT && host->operation == RD_OPERATION_SUM && is_zero(initial))
        return rd_element_value(rd_number(host->terms, 0));
    if (type->kind == RD_SYNTAX_FLOAT) {
        const rd_term factor = rd_host_factor(host, initial);
        return factor ? (struct value){.kind = VALUE_FACTOR, .term = factor} : rd_nothing();
    }
    if (rd_host_is_shape(type)) {
        rd_term extents[RD_HOST_EXTENTS];
        rd_host_shape(host, initial, extents);
        return rd_host_shape_value(host, extents);
    }
    if (rd_host_is_harmless_or_fails(host, initial))
        rd_host_forget(host, initial);
    return rd_nothing();
}

void rd_host_declare(struct rd_host *host, const struct rd_syntax_node *node)
{
    const struct rd_syntax_declaration *declaration = node->declaration;
    struct value value = rd_nothing();
    /* In main() it is set once, as others are. */
    if (declaration->is_static && (host->depth > 0 || host->n_around > 0 || host->dry)) {
        RD_HOST_FAIL(host, node, "the static variable '%s' of a function, a branch or a loop",
                     declaration->name);
        return;
    }
    if (rd_may_be_reference(declaration->type)) {
        RD_HOST_FAIL(host, node, "the variable '%s', a reference", declaration->name);
        return;
    }
    if (declaration->type->kind == RD_SYNTAX_ARRAY)
        value = array_value(host, node);
    else if (declaration->type->elements)
        value = vector_value(host, node);
    else if (node->n_kids > 0)
        value = initial_value(host, node);
    else if (declaration->is_static && declaration->type->kind == RD_SYNTAX_INTEGER)
        value = rd_number_value(rd_number(host->terms, 0));
    if (rd_host_goes(host))
        rd_state_bind(&host->execution, host->state, declaration, value);
}
