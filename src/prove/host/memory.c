// SPDX-License-Identifier: MIT
/* Calls that make arrays, release them, copy them, and set them. */
#include "prove/host/host.h"

#include <string.h>

/* ---- arrays ---- */

rd_term rd_host_bytes_of(struct rd_host *host, const struct rd_syntax_type *type)
{
    return rd_number(host->terms, type ? type->bits / 8 : 0);
}

bool rd_host_is_plain(const struct rd_syntax_type *type)
{
    return type && type->bits >= 8 &&
           (type->kind == RD_SYNTAX_INTEGER || type->kind == RD_SYNTAX_FLOAT);
}

/* Elements of so many bytes. */
static rd_term elements(struct rd_host *host, rd_term bytes, const struct rd_syntax_type *of)
{
    return rd_div(host->terms, bytes, rd_host_bytes_of(host, of));
}

static struct rd_host_array *allocate(struct rd_host *host, const struct rd_syntax_node *node,
                                      bool is_device)
{
    struct binding *found = rd_host_behind_address(host, node->kids[1]);
    const struct rd_syntax_type *type = found ? found->declaration->type : NULL;
    if (!type || type->kind != RD_SYNTAX_POINTER || !rd_host_is_plain(type->of)) {
        RD_HOST_FAIL(host, node, "memory for what is no pointer to numbers");
        return NULL;
    }
    const struct rd_syntax_declaration *declaration = found->declaration;
    const rd_term bytes = rd_host_number(host, node->kids[2]);
    struct rd_host_array *array =
        rd_host_goes(host)
            ? rd_host_array_add(host, rd_terms_text(host->terms, "%s", declaration->name),
                                is_device, type->of, elements(host, bytes, type->of))
            : NULL;
    if (array)
        rd_state_bind(&host->execution, host->state, declaration,
                      (struct value){.kind = VALUE_POINTER,
                                     .term = rd_number(host->terms, 0),
                                     .array = &array->array});
    return array;
}

void rd_host_allocate_device(struct rd_host *host, const struct rd_syntax_node *node)
{
    allocate(host, node, true);
}

void rd_host_allocate_managed(struct rd_host *host, const struct rd_syntax_node *node)
{
    struct rd_host_array *array = allocate(host, node, true);
    if (array)
        array->is_managed = true;
}

void rd_host_allocate_pinned(struct rd_host *host, const struct rd_syntax_node *node)
{
    allocate(host, node, false);
}

/* Its memory is gone. */
void rd_host_release(struct rd_host *host, const struct rd_syntax_node *node)
{
    const struct value value = rd_host_evaluate(host, node->kids[1]);
    struct rd_host_array *array = rd_host_array_of(&value);
    if (!rd_host_goes(host) || !array)
        return;
    rd_host_end_launch(host);
    array->array.size = rd_number(host->terms, 0);
    rd_host_content_forget(host, array);
}

/* ---- copies ---- */

struct side {
    struct rd_host_array *array;
    rd_term first;
    const struct rd_syntax_declaration *scalar; /* a variable of the host's, in place of an array */
};

static struct side side_of(struct rd_host *host, const struct rd_syntax_node *node)
{
    const struct binding *found = rd_host_behind_address(host, node);
    struct side side = {.scalar = found ? found->declaration : NULL};
    if (found && rd_host_is_plain(found->declaration->type))
        return side;
    side.scalar = NULL;
    const struct value value = rd_host_evaluate(host, node);
    side.array = rd_host_array_of(&value);
    side.first = value.term;
    if (rd_host_goes(host) && !side.array)
        RD_HOST_FAIL(host, node, "a copy of what is no array that the prover knows");
    return side;
}

/* NULL: it is neither, which was said. */
static const struct rd_syntax_type *type_of(const struct side *side)
{
    if (side->scalar)
        return side->scalar->type;
    return side->array ? side->array->of : NULL;
}

static bool goes_as_said(const struct rd_syntax_node *kind, bool to_device, bool from_device)
{
    const struct rd_syntax_node *bare = rd_host_bare(kind);
    enum { HOST_TO_HOST, HOST_TO_DEVICE, DEVICE_TO_HOST, DEVICE_TO_DEVICE, DEFAULT };
    const unsigned said = bare->kind == RD_SYNTAX_NUMBER ? (unsigned)bare->number : DEFAULT + 1;
    return said == DEFAULT || said == (unsigned)(2 * from_device + to_device);
}

static void add_side_goals(struct rd_host *host, const struct side *side, rd_term cells,
                           const struct rd_syntax_node *node, const char *what)
{
    struct rd_terms *terms = host->terms;
    if (side->array)
        rd_host_goal(
            host, RD_PROOF_IN_BOUNDS, rd_terms_text(terms, "line %u", node->line), what, 0, NULL,
            rd_and(terms, rd_at_most(terms, rd_number(terms, 0), side->first),
                   rd_at_most(terms, rd_add(terms, side->first, cells), side->array->array.size)));
}

/* What the array holds behind a copy to its first cells; NULL: it isn't known. */
static const struct rd_host_content *received(struct rd_host *host, const struct side *to,
                                              const struct side *from, rd_term cells)
{
    const rd_term zero = rd_number(host->terms, 0);
    const struct rd_host_content *of = from->array ? from->array->content : NULL;
    if (!of || to->first != zero || from->first != zero || to->array == from->array)
        return NULL;
    if (of->kind != RD_HOST_INPUT && of->kind != RD_HOST_ZERO &&
        (cells != from->array->array.size ||
         cells != to->array->array.size)) /* a part of what is known */
        return NULL;
    struct rd_host_content *content = rd_host_content_add(host, of->kind, to->array);
    if (!content)
        return NULL;
    const rd_term token = content->token;
    const char *dead = content->dead;
    *content = *of;
    content->token = token;
    content->dead = dead;
    if (of->kind == RD_HOST_INPUT || of->kind == RD_HOST_ZERO)
        content->cells = rd_least(host->terms, cells, of->cells);
    return content;
}

/* What the array holds behind a copy of a variable to its first cell that has the laws' neutral element; NULL: it isn't known. In terms
 * of sums, an element's number is its value; of other laws it is a count. */
static const struct rd_host_content *started(struct rd_host *host, const struct side *to,
                                             const struct side *from, rd_term cells)
{
    const struct rd_execution of_laws = {.operation = host->operation, .element = host->element};
    const struct binding *found = rd_state_find(host->state, from->scalar);
    const struct value *value = found ? &found->value : &(const struct value){.kind = VALUE_NONE};
    const bool is_value = value->kind == VALUE_NUMBER ||
                          (value->kind == VALUE_ELEMENT && host->operation == RD_OPERATION_SUM);
    rd_wide number;
    if (!is_value || to->first != rd_number(host->terms, 0) || cells != rd_number(host->terms, 1) ||
        !rd_host_is_element(host, to->array->of) || !rd_host_is_element(host, type_of(from)) ||
        !rd_term_is_number(value->term, &number) || !rd_is_neutral(&of_laws, number))
        return NULL;
    struct rd_host_content *content = rd_host_content_add(host, RD_HOST_ZERO, to->array);
    if (content)
        content->cells = cells;
    return content;
}

/* `is_async`: to memory of the host, which has it once the host has waited. */
static void receive(struct rd_host *host, const struct rd_syntax_node *node, const struct side *to,
                    const struct side *from, rd_term cells, bool is_async)
{
    const rd_term value = to->array || !from->array
                              ? NULL
                              : rd_host_value(host, from->array->content->token, from->first);
    if (value && to->scalar && rd_host_has_law(host, to->scalar))
        rd_host_note_unknown(host, from->array->content);
    const struct rd_host_content *content = !to->array    ? NULL
                                            : from->array ? received(host, to, from, cells)
                                                          : started(host, to, from, cells);
    struct rd_host_async_copy copy = {.array = to->array, .receives = true, .content = content};
    if (to->array && (is_async || !content))
        rd_host_content_forget(host, to->array);
    else if (to->array)
        rd_host_content_set(host, to->array, content);
    struct value received_value = value ? rd_element_value(value) : rd_nothing();
    if (is_async && !to->array && value) {
        copy.scalar = to->scalar;
        copy.value = value;
        copy.unknown = rd_host_constant(host, copy.scalar->name);
        received_value = rd_element_value(copy.unknown);
    }
    struct binding *receiver = to->array ? NULL : rd_state_find(host->state, to->scalar);
    if (receiver)
        receiver->value = received_value;
    if (is_async && rd_host_goes(host))
        rd_host_async_copy_add(host, node, copy);
}

static bool is_asynchronous(const struct rd_syntax_node *copy)
{
    return strcmp(copy->name, "cudaMemcpyAsync") == 0;
}

/* The host waits for a copy from or to its memory, unless that is asynchronous. */
static void order_copy(struct rd_host *host, const struct rd_syntax_node *node,
                       const struct side *to, const struct side *from)
{
    const bool is_async = is_asynchronous(node);
    const bool to_device = to->array && to->array->is_device,
               from_device = from->array && from->array->is_device;
    if (is_async && !to_device && !from_device)
        RD_HOST_FAIL(host, node, "an asynchronous copy within the host");
    if (to_device || from_device)
        rd_host_issue(host, node, is_async && node->n_kids == 6 ? node->kids[5] : NULL);
    if (!is_async && to_device != from_device && rd_host_goes(host))
        rd_host_synchronize(host);
    if (to_device &&
        to->array->is_managed) /* the host's memory was read: it may not be there yet */
        host->is_busy = true;
    if (is_async && to_device && !from_device && from->scalar)
        RD_HOST_FAIL(host, node, "an asynchronous copy from a variable");
    else if (is_async && to_device && !from_device && rd_host_goes(host))
        rd_host_async_copy_add(host, node, (struct rd_host_async_copy){.array = from->array});
}

void rd_host_copy(struct rd_host *host, const struct rd_syntax_node *node)
{
    struct rd_terms *terms = host->terms;
    const struct side to = side_of(host, node->kids[1]), from = side_of(host, node->kids[2]);
    const rd_term bytes = rd_host_number(host, node->kids[3]);
    const struct rd_syntax_type *to_type = type_of(&to), *from_type = type_of(&from);
    if (!rd_host_goes(host) || !to_type || !from_type)
        return;
    if (!rd_host_is_plain(to_type) || !rd_host_is_plain(from_type) ||
        to_type->kind != from_type->kind || to_type->bits != from_type->bits) {
        RD_HOST_FAIL(host, node, "a copy between arrays of two types");
        return;
    }
    if (!goes_as_said(node->kids[4], to.array && to.array->is_device,
                      from.array && from.array->is_device)) {
        RD_HOST_FAIL(host, node, "a copy in another direction than it says");
        return;
    }
    const rd_term cells = elements(host, bytes, to_type);
    rd_host_goal(
        host, RD_PROOF_HOST, rd_terms_text(terms, "line %u", node->line),
        "the copy is of whole elements", 0, NULL,
        rd_equal(terms, rd_multiply(terms, cells, rd_host_bytes_of(host, to_type)), bytes));
    add_side_goals(host, &to, cells, node, "the copy is within the array that it is to");
    add_side_goals(host, &from, cells, node, "the copy is within the array that it is from");
    if (!to.array)
        rd_host_goal(host, RD_PROOF_IN_BOUNDS, rd_terms_text(terms, "line %u", node->line),
                     "the copy is of the variable alone", 0, NULL,
                     rd_equal(terms, cells, rd_number(terms, 1)));
    order_copy(host, node, &to, &from);
    const bool is_async = is_asynchronous(node) && !(to.array && to.array->is_device);
    if (rd_host_goes(host))
        receive(host, node, &to, &from, cells, is_async);
}

void rd_host_clear(struct rd_host *host, const struct rd_syntax_node *node)
{
    struct rd_terms *terms = host->terms;
    const struct side to = side_of(host, node->kids[1]);
    const rd_term value = rd_host_number(host, node->kids[2]),
                  bytes = rd_host_number(host, node->kids[3]);
    if (!rd_host_goes(host))
        return;
    if (!to.array || !to.array->is_device || !rd_host_is_plain(to.array->of)) {
        RD_HOST_FAIL(host, node, "cudaMemset() of what is no array of the device");
        return;
    }
    const rd_term cells = elements(host, bytes, to.array->of);
    add_side_goals(host, &to, cells, node, "the zeros are within the array");
    rd_host_goal(
        host, RD_PROOF_HOST, rd_terms_text(terms, "line %u", node->line),
        "the zeros are whole elements", 0, NULL,
        rd_equal(terms, rd_multiply(terms, cells, rd_host_bytes_of(host, to.array->of)), bytes));
    rd_host_issue(host, node, node->n_kids == 5 ? node->kids[4] : NULL);
    if (value == rd_number(terms, 0) && to.first == rd_number(terms, 0))
        rd_host_content_zero(host, to.array, cells);
    else
        rd_host_content_forget(host, to.array);
}
