// SPDX-License-Identifier: MIT
/* One stream that the program makes, beside the default one. What is done on one stream is done in order; work on the other one must stand
 * behind a synchronisation. Memory of the host that an asynchronous copy reads or writes is in flight until then: nothing else may change
 * it, and what is copied there isn't known before. */
#include "prove/host/host.h"

#include <string.h>

static const char made_stream[] = "a stream";

static bool is_made(const struct value *value)
{
    return value->kind == VALUE_PLACE && value->name == made_stream;
}

bool rd_host_is_stream(struct rd_host *host, const struct rd_syntax_node *node)
{
    const struct binding *found = rd_host_binding_of(host, rd_host_bare(node));
    return found && is_made(&found->value);
}

void rd_host_make_stream(struct rd_host *host, const struct rd_syntax_node *node)
{
    struct binding *found = rd_host_behind_address(host, node->kids[1]);
    if (!found || host->has_stream || host->n_around > 0) {
        RD_HOST_FAIL(host, node,
                     found && host->has_stream
                         ? "a second stream"
                         : "a stream that is made within an 'if' or a loop, or not for a variable");
        return;
    }
    host->has_stream = true;
    found->value = (struct value){.kind = VALUE_PLACE, .name = made_stream};
}

void rd_host_end_stream(struct rd_host *host, const struct rd_syntax_node *node)
{
    struct binding *found = rd_host_binding_of(host, rd_host_bare(node->kids[1]));
    if (found && is_made(&found->value))
        found->value = rd_nothing();
    else
        RD_HOST_FAIL(host, node, "a stream that is not known to be made by cudaStreamCreate()");
}

/* Tells whether it is the stream that the program made, and not the default one. */
static bool is_of_made(struct rd_host *host, const struct rd_syntax_node *stream)
{
    const struct rd_syntax_node *bare = stream ? rd_host_bare(stream) : NULL;
    if (!bare || (bare->kind == RD_SYNTAX_NUMBER && bare->number == 0))
        return false;
    if (!rd_host_is_stream(host, bare))
        RD_HOST_FAIL(host, stream, "a stream that is not known to be made by cudaStreamCreate()");
    return true;
}

void rd_host_issue(struct rd_host *host, const struct rd_syntax_node *node,
                   const struct rd_syntax_node *stream)
{
    const bool on_made = is_of_made(host, stream);
    if (on_made && host->n_around > 0)
        RD_HOST_FAIL(host, node, "work on a stream within an 'if' or a loop");
    else if (host->is_busy && host->busy_on_made != on_made)
        RD_HOST_FAIL(host, node,
                     "work on one stream behind that on another, and no synchronisation of the "
                     "host's between them");
    host->is_busy = true;
    host->busy_on_made = on_made;
}

/* ---- memory in flight ---- */

bool rd_host_is_in_flight(const struct rd_host *host, const struct rd_host_array *array)
{
    for (size_t k = 0; k < host->n_async_copies; k++)
        if (host->async_copies[k].array == array)
            return true;
    return false;
}

bool rd_host_awaits(const struct rd_host *host, const struct rd_host_array *array)
{
    for (size_t k = 0; k < host->n_async_copies; k++)
        if (host->async_copies[k].array == array && host->async_copies[k].receives)
            return true;
    return false;
}

void rd_host_async_copy_add(struct rd_host *host, const struct rd_syntax_node *node,
                            struct rd_host_async_copy copy)
{
    if (host->n_around > 0)
        RD_HOST_FAIL(host, node,
                     "an asynchronous copy of the host's memory within an 'if' or a loop");
    else if (host->n_async_copies == RD_HOST_ASYNC_COPIES_MAX)
        RD_HOST_FAIL(host, node, "more than %d copies at a time", RD_HOST_ASYNC_COPIES_MAX);
    else
        host->async_copies[host->n_async_copies++] = copy;
}

void rd_host_check_async_copies(struct rd_host *host, const struct rd_syntax_node *node)
{
    for (size_t k = 0; k < host->n_async_copies; k++)
        if (host->async_copies[k].scalar && rd_host_may_set(node, host->async_copies[k].scalar))
            RD_HOST_FAIL(host, node, "'%s' is used while a copy to it may be under way",
                         host->async_copies[k].scalar->name);
}

/* ---- managed memory ---- */

/* Tells whether pointers are only handed on, to a function, which is executed, or to another pointer, or moved. */
static bool hands_on(struct rd_host *host, const struct rd_syntax_node *node)
{
    if (node->kind == RD_SYNTAX_DECLARE)
        return true;
    if (node->kind == RD_SYNTAX_ASSIGN ||
        (node->kind == RD_SYNTAX_UNARY && node->op &&
         (strcmp(node->op, "++") == 0 || strcmp(node->op, "--") == 0)))
        return node->kids[0]->kind == RD_SYNTAX_NAME;
    if (node->kind != RD_SYNTAX_CALL)
        return false;
    const struct rd_syntax_function *function = rd_syntax_function_called(host->unit, node);
    return (function && function->body) || rd_host_is_law(node) || rd_host_knows_call(node) ||
           rd_host_is_call(node, "swap");
}

/* The managed array that the node reads or writes; NULL: none. `handed`: a pointer itself is only handed on. */
static const struct rd_host_array *find_use(struct rd_host *host, const struct rd_syntax_node *node,
                                            bool handed)
{
    const struct binding *found = handed ? NULL : rd_host_binding_of(host, node);
    const struct rd_host_array *array = found ? rd_host_array_of(&found->value) : NULL;
    if (array && array->is_managed)
        return array;
    const bool hands = node && hands_on(host, node);
    for (size_t k = 0; node && k < node->n_kids; k++) {
        const struct rd_syntax_node *kid = rd_host_bare(node->kids[k]);
        const bool is_place =
            hands && kid && rd_host_takes_address(kid) && kid->kids[0]->kind == RD_SYNTAX_NAME;
        array = is_place ? NULL : find_use(host, kid, hands && kid && kid->kind == RD_SYNTAX_NAME);
        if (array)
            return array;
    }
    return NULL;
}

void rd_host_check_managed(struct rd_host *host, const struct rd_syntax_node *node)
{
    const struct rd_host_array *array = host->is_busy ? find_use(host, node, false) : NULL;
    if (array)
        RD_HOST_FAIL(host, node,
                     "'%s' is used while work of the device may be under way: "
                     "cudaDeviceSynchronize() before it, outside any 'if' and loop",
                     array->array.name);
}

/* ---- waiting ---- */

static void complete(struct rd_host *host, const struct rd_host_async_copy *copy)
{
    struct binding *found = copy->scalar ? rd_state_find(host->state, copy->scalar) : NULL;
    if (found && found->value.kind == VALUE_ELEMENT && found->value.term == copy->unknown)
        found->value = rd_element_value(copy->value);
    if (copy->array && copy->receives && copy->content)
        rd_host_content_set(host, copy->array, copy->content);
}

void rd_host_synchronize(struct rd_host *host)
{
    struct rd_host_async_copy completed[RD_HOST_ASYNC_COPIES_MAX];
    const size_t n = host->n_async_copies;
    if (host->n_around > 0) /* it isn't on all ways */
        return;
    memcpy(completed, host->async_copies, sizeof completed);
    host->n_async_copies = 0;
    host->is_busy = false;
    for (size_t k = 0; k < n && rd_host_goes(host); k++)
        complete(host, &completed[k]);
}
