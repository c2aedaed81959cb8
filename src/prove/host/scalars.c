// SPDX-License-Identifier: MIT
/* Variables of the host that hold elements: copied from a cell, or added up from arrays of the host, where the laws are of sums. What
 * the prover doesn't read of this is forgotten as all else. */
#include "prove/host/host.h"

#include <string.h>

static bool is_float(const struct rd_syntax_node *node)
{
    return node->type && node->type->kind == RD_SYNTAX_FLOAT;
}

const struct rd_syntax_node *rd_host_bare_float(const struct rd_syntax_node *node)
{
    while (node && node->kind == RD_SYNTAX_CAST && is_float(node) && is_float(node->kids[0]) &&
           node->type->bits >= node->kids[0]->type->bits)
        node = node->kids[0];
    return node;
}

static bool is_op(const struct rd_syntax_node *node, const char *op)
{
    return node->op && strcmp(node->op, op) == 0;
}

/* A sum of another type than the inputs' is another sum, where it wraps. */
static bool is_of_laws(const struct rd_host *host, const struct rd_syntax_type *type)
{
    return host->operation == RD_OPERATION_SUM && host->element && rd_host_is_element(host, type);
}

rd_term rd_host_scalar(struct rd_host *host, const struct binding *found)
{
    const struct value *value = &found->value;
    rd_wide number;
    if (!rd_host_is_element(host, found->declaration->type))
        return NULL;
    if (value->kind == VALUE_ELEMENT)
        return value->term;
    return value->kind == VALUE_NUMBER && host->operation == RD_OPERATION_SUM &&
                   rd_term_is_number(value->term, &number)
               ? value->term
               : NULL;
}

static bool is_literal(const struct rd_syntax_node *node)
{
    return node->number <= INT64_MAX &&
           (node->kind == RD_SYNTAX_NUMBER ||
            (node->kind == RD_SYNTAX_REAL && (!node->name || !*node->name)));
}

/* Each type of floats has such numbers. */
enum { FACTOR_MAX = 2048 };

rd_term rd_host_factor(struct rd_host *host, const struct rd_syntax_node *node)
{
    const struct rd_syntax_node *of = node;
    bool is_negative = false;
    while (of->type && (of->kind == RD_SYNTAX_CAST
                            ? of->type->kind == RD_SYNTAX_FLOAT
                            : of->kind == RD_SYNTAX_UNARY && is_op(of, "-") &&
                                  (of->type->kind == RD_SYNTAX_FLOAT || of->type->is_signed))) {
        is_negative = is_negative != (of->kind == RD_SYNTAX_UNARY);
        of = of->kids[0];
    }
    const struct binding *found = rd_host_binding_of(host, of);
    rd_wide number;
    if (is_literal(of) && of->number <= FACTOR_MAX) {
        number = (rd_wide)of->number;
    } else if (!found || found->value.kind != VALUE_FACTOR ||
               !rd_term_is_number(found->value.term, &number)) {
        if (rd_host_is_harmless_or_fails(host, node))
            rd_host_forget(host, node);
        return NULL;
    }
    return rd_number(host->terms, is_negative ? -number : number);
}

bool rd_host_has_law(const struct rd_host *host, const struct rd_syntax_declaration *declaration)
{
    for (size_t k = 0; k < host->n_laws; k++)
        if (host->laws[k].of->scalar &&
            strcmp(host->laws[k].of->array.expression, declaration->name) == 0)
            return true;
    return false;
}

bool rd_host_is_sum(struct rd_host *host, const struct rd_syntax_node *node)
{
    node = rd_host_bare_float(node);
    if (!is_of_laws(host, node->type))
        return false;
    if (is_literal(node))
        return true;
    if (node->kind == RD_SYNTAX_BINARY && is_op(node, "+"))
        return rd_host_is_sum(host, node->kids[0]) && rd_host_is_sum(host, node->kids[1]);
    if (node->kind == RD_SYNTAX_INDEX) {
        const struct rd_host_array *array = rd_host_base_of(host, node);
        /* As what lies there, not as what a cast makes of it. */
        return array && array->of && is_of_laws(host, array->of) &&
               array->of->bits == node->type->bits && !rd_sets(node->kids[1]) &&
               rd_host_is_readable(host, node->kids[1]);
    }
    const struct binding *found = rd_host_binding_of(host, node);
    return found && rd_host_scalar(host, found);
}

static rd_term cell_of(struct rd_host *host, const struct rd_syntax_node *node)
{
    struct rd_terms *terms = host->terms;
    const struct rd_host_array *array = rd_host_base_of(host, node);
    const struct binding *base = rd_host_binding_of(host, rd_host_bare(node->kids[0]));
    const rd_term first = base->value.term; /* what is evaluated may move the binding */
    const rd_term index = rd_add(terms, first, rd_host_number(host, node->kids[1]));
    if (!rd_host_goes(host))
        return rd_number(terms, 0);
    rd_host_goal(host, RD_PROOF_IN_BOUNDS, rd_terms_text(terms, "line %u", node->line),
                 rd_terms_text(terms, "the host reads within %s", array->array.name), 0, NULL,
                 rd_within(terms, rd_number(terms, 0), index, array->array.size));
    rd_host_note_unknown(host, array->content);
    return rd_host_value(host, array->content->token, index);
}

rd_term rd_host_sum_value(struct rd_host *host, const struct rd_syntax_node *node)
{
    struct rd_terms *terms = host->terms;
    node = rd_host_bare_float(node);
    if (is_literal(node))
        return rd_number(terms, (rd_wide)(int64_t)node->number);
    if (node->kind == RD_SYNTAX_BINARY) {
        const rd_term first = rd_host_sum_value(host, node->kids[0]);
        return rd_add(terms, first, rd_host_sum_value(host, node->kids[1]));
    }
    if (node->kind == RD_SYNTAX_INDEX)
        return cell_of(host, node);
    return rd_host_scalar(host, rd_host_binding_of(host, node));
}

bool rd_host_add_up(struct rd_host *host, const struct rd_syntax_node *node)
{
    const struct rd_syntax_node *target = node->kind == RD_SYNTAX_ASSIGN ? node->kids[0] : NULL;
    struct binding *found = target ? rd_host_binding_of(host, target) : NULL;
    const bool adds = target && is_op(node, "+=");
    if (adds && is_float(target) && node->kids[1]->type &&
        target->type->bits < node->kids[1]->type->bits) /* it is rounded */
        return false;
    if (!found || !(adds || is_op(node, "=")) || !rd_host_has_law(host, found->declaration) ||
        !is_of_laws(host, target->type) || (adds && !rd_host_scalar(host, found)) ||
        !rd_host_is_sum(host, node->kids[1]))
        return false;
    const rd_term more = rd_host_sum_value(host, node->kids[1]);
    found = rd_host_binding_of(host, target);
    if (!rd_host_goes(host) || !found)
        return true;
    const rd_term before = adds ? rd_host_scalar(host, found) : rd_number(host->terms, 0);
    found->value = rd_element_value(rd_add(host->terms, before, more));
    return true;
}

/* ---- their laws ---- */

/* What the law says of a variable. */
static const struct rd_host_content *scalar_content(struct rd_host *host,
                                                    const struct rd_syntax_node *call,
                                                    const struct rd_host_law *law,
                                                    const char *segment)
{
    const struct rd_host_array scalar = {
        .array = {.name = law->of->array.alias, .size = rd_number(host->terms, 1)}};
    if (law->law->sections[0]->claims[RD_LAW_LAW].count == 1)
        return rd_host_law_content(host, call, law, &scalar, segment);
    RD_HOST_FAIL(host, call, "several claims of a variable");
    return NULL;
}

/* A variable of the host's, which was copied from a cell, or added up. */
void rd_host_scalar_assert(struct rd_host *host, const struct rd_syntax_node *call,
                           const struct rd_host_law *law, const char *segment,
                           enum rd_host_law_place place)
{
    const struct binding *found = rd_host_behind_address(host, call->kids[2]);
    const rd_term holds = found ? rd_host_scalar(host, found) : NULL;
    if (host->dry) /* no invariant is assumed there */
        return;
    if (!holds) {
        RD_HOST_FAIL(host, call,
                     "a law of a variable that is neither copied from an array by cudaMemcpy() nor "
                     "set to a number and then added up, in a loop with an '//@ invariant' of it");
        return;
    }
    const struct rd_host_content *content = scalar_content(host, call, law, segment);
    if (!content)
        return;
    const rd_term zero = rd_number(host->terms, 0), live = rd_host_live(host, content->token, zero),
                  equal = rd_equal(host->terms, holds, rd_host_count(host, content->token, zero));
    if (place == RD_HOST_ALONE &&
        rd_and(host->terms, host->state->path, live)->kind == RD_TERM_FALSE)
        RD_HOST_FAIL(host, call, "a law that claims nothing");
    rd_host_goal(host, rd_host_obligation_at(place), segment, "the variable is what the law says",
                 1, &live, equal);
}

/* Where its condition doesn't hold the law says nothing. */
void rd_host_scalar_assume(struct rd_host *host, const struct rd_syntax_node *call,
                           const struct rd_host_law *law)
{
    const rd_term zero = rd_number(host->terms, 0);
    struct binding *found = rd_host_behind_address(host, call->kids[2]);
    const struct rd_host_content *content = scalar_content(host, call, law, NULL);
    if (!found || !rd_host_is_element(host, found->declaration->type))
        RD_HOST_FAIL(host, call, "an invariant of such a variable");
    if (rd_host_goes(host) && content)
        found->value =
            rd_element_value(rd_choice(host->terms, rd_host_live(host, content->token, zero),
                                       rd_host_count(host, content->token, zero),
                                       rd_host_constant(host, found->declaration->name)));
}
