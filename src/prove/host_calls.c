// SPDX-License-Identifier: MIT
/* Calls of host code, arrays that they make, and what they copy. Calls of CUDA succeed: what happens where one fails is not among the claims. */
#include "prove/host.h"

#include <string.h>

static bool is_one_of(const char *text, const char *const *texts)
{
    for (size_t k = 0; texts[k]; k++)
        if (strcmp(text, texts[k]) == 0)
            return true;
    return false;
}

/* Of no function of the user's that has such a name. */
static bool is_of_system(const struct rd_syntax_node *node)
{
    return node->name && node->n_kids > 0 && node->kids[0]->of_system &&
           !node->kids[0]->defined_file;
}

/* They change nothing but what they are given the address of. */
bool rd_host_is_harmless_call(const struct rd_syntax_node *node)
{
    static const char *const harmless[] = {"printf",
                                           "fprintf",
                                           "puts",
                                           "fputs",
                                           "putchar",
                                           "fputc",
                                           "fflush",
                                           "perror",
                                           "rand",
                                           "srand",
                                           "time",
                                           "clock",
                                           "atoi",
                                           "atol",
                                           "atoll",
                                           "strtol",
                                           "abs",
                                           "labs",
                                           "fabs",
                                           "fabsf",
                                           "sqrt",
                                           "sqrtf",
                                           "sin",
                                           "cos",
                                           "sinf",
                                           "cosf",
                                           "exp",
                                           "expf",
                                           "log",
                                           "logf",
                                           "pow",
                                           "powf",
                                           "fmax",
                                           "fmaxf",
                                           "strcmp",
                                           "strtoul",
                                           "strtoull",
                                           "drand48",
                                           "exit",
                                           "abort",
                                           "cudaGetErrorString",
                                           "cudaGetErrorName",
                                           NULL};
    return is_of_system(node) && is_one_of(node->name, harmless);
}

static const char *const quiet[] = {"cudaDeviceSynchronize", "cudaThreadSynchronize",
                                    "cudaGetLastError", "cudaPeekAtLastError", NULL};

/* They measure time. */
static const char *const of_events[] = {"cudaEventCreate",      "cudaEventRecord",
                                        "cudaEventSynchronize", "cudaEventElapsedTime",
                                        "cudaEventDestroy",     NULL};

bool rd_host_knows_call(const struct rd_syntax_node *node)
{
    static const char *const known[] = {"cudaMalloc",
                                        "cudaMallocHost",
                                        "cudaFree",
                                        "cudaFreeHost",
                                        "free",
                                        "cudaMemcpy",
                                        "cudaMemcpyAsync",
                                        "cudaMemset",
                                        "cudaMemsetAsync",
                                        "cudaStreamCreate",
                                        "cudaStreamSynchronize",
                                        "cudaStreamDestroy",
                                        "cudaSetDevice",
                                        "operator delete[]",
                                        NULL};
    return is_of_system(node) && (is_one_of(node->name, known) || is_one_of(node->name, quiet) ||
                                  is_one_of(node->name, of_events));
}

/* ---- pointers ---- */

static struct binding *binding_of(struct rd_host *host, const struct rd_syntax_node *name)
{
    return name && name->kind == RD_SYNTAX_NAME && name->declaration
               ? rd_state_find(host->state, name->declaration)
               : NULL;
}

static struct binding *behind_address(struct rd_host *host, const struct rd_syntax_node *node)
{
    node = rd_host_bare(node);
    const bool takes = node->kind == RD_SYNTAX_UNARY && node->op && strcmp(node->op, "&") == 0;
    return takes ? binding_of(host, node->kids[0]) : NULL;
}

static rd_term size_of_type(struct rd_host *host, const struct rd_syntax_type *type)
{
    return rd_number(host->terms, type ? type->bits / 8 : 0);
}

static bool is_plain(const struct rd_syntax_type *type)
{
    return type && type->bits >= 8 &&
           (type->kind == RD_SYNTAX_INTEGER || type->kind == RD_SYNTAX_FLOAT);
}

/* Elements of so many bytes. */
static rd_term elements(struct rd_host *host, rd_term bytes, const struct rd_syntax_type *of)
{
    return rd_div(host->terms, bytes, size_of_type(host, of));
}

static void call_malloc(struct rd_host *host, const struct rd_syntax_node *node, bool is_device)
{
    struct binding *found = behind_address(host, node->kids[1]);
    const struct rd_syntax_type *type = found ? found->declaration->type : NULL;
    if (!type || type->kind != RD_SYNTAX_POINTER || !is_plain(type->of)) {
        RD_HOST_FAIL(host, node, "memory for such a pointer");
        return;
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
}

/* Its memory is gone. */
static void call_free(struct rd_host *host, const struct rd_syntax_node *node)
{
    const struct value value = rd_host_evaluate(host, node->kids[1]);
    struct rd_host_array *array = rd_host_array_of(&value);
    if (!rd_host_goes(host) || !array)
        return;
    if (host->pending)
        rd_host_tell_launch(host, NULL, NULL);
    host->pending = NULL;
    array->array.size = rd_number(host->terms, 0);
    rd_host_content_forget(host, array);
}

/* ---- copies ---- */

struct side {
    struct rd_host_array *array;
    rd_term first;
    struct binding *scalar; /* a variable of the host's, in place of an array */
};

static struct side side_of(struct rd_host *host, const struct rd_syntax_node *node)
{
    struct side side = {.scalar = behind_address(host, node)};
    const struct rd_syntax_type *type = side.scalar ? side.scalar->declaration->type : NULL;
    if (type && is_plain(type))
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
        return side->scalar->declaration->type;
    return side->array ? side->array->of : NULL;
}

static bool goes_as_said(const struct rd_syntax_node *kind, bool to_device, bool from_device)
{
    const struct rd_syntax_node *bare = rd_host_bare(kind);
    enum { HOST_TO_HOST, HOST_TO_DEVICE, DEVICE_TO_HOST, DEVICE_TO_DEVICE, DEFAULT };
    const unsigned said = bare->kind == RD_SYNTAX_NUMBER ? (unsigned)bare->number : DEFAULT + 1;
    return said == DEFAULT || said == (unsigned)(2 * from_device + to_device);
}

static void tell_side(struct rd_host *host, const struct side *side, rd_term cells,
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

/* `flies`: to memory of the host, which has it once the host has waited. */
static void receive(struct rd_host *host, const struct rd_syntax_node *node, const struct side *to,
                    const struct side *from, rd_term cells, bool flies)
{
    const rd_term value = to->array || !from->array
                              ? NULL
                              : rd_host_value(host, from->array->content->token, from->first);
    const struct rd_host_content *content = to->array ? received(host, to, from, cells) : NULL;
    struct rd_host_flight flight = {.array = to->array, .receives = true, .content = content};
    if (to->array && (flies || !content))
        rd_host_content_forget(host, to->array);
    else if (to->array)
        rd_host_content_set(host, to->array, content);
    if (!to->array)
        to->scalar->value = value ? rd_element_value(value) : rd_nothing();
    if (flies && !to->array && value) {
        flight.scalar = to->scalar->declaration;
        flight.value = value;
        flight.unknown = rd_host_constant(host, flight.scalar->name);
        to->scalar->value = rd_element_value(flight.unknown);
    }
    if (flies && rd_host_goes(host))
        rd_host_fly(host, node, flight);
}

/* The host waits for a copy from or to its memory, unless that is asynchronous. */
static void order_copy(struct rd_host *host, const struct rd_syntax_node *node,
                       const struct side *to, const struct side *from)
{
    const bool is_async = node->n_kids == 6 || strcmp(node->name, "cudaMemcpyAsync") == 0;
    const bool to_device = to->array && to->array->is_device,
               from_device = from->array && from->array->is_device;
    if (is_async && !to_device && !from_device)
        RD_HOST_FAIL(host, node, "an asynchronous copy within the host");
    if (to_device || from_device)
        rd_host_issue(host, node, is_async && node->n_kids == 6 ? node->kids[5] : NULL);
    if (!is_async && to_device != from_device && rd_host_goes(host))
        rd_host_synchronize(host);
    if (is_async && to_device && !from_device && from->scalar)
        RD_HOST_FAIL(host, node, "an asynchronous copy from a variable");
    else if (is_async && to_device && !from_device && rd_host_goes(host))
        rd_host_fly(host, node, (struct rd_host_flight){.array = from->array});
}

static void call_memcpy(struct rd_host *host, const struct rd_syntax_node *node)
{
    struct rd_terms *terms = host->terms;
    const struct side to = side_of(host, node->kids[1]), from = side_of(host, node->kids[2]);
    const rd_term bytes = rd_host_number(host, node->kids[3]);
    const struct rd_syntax_type *to_type = type_of(&to), *from_type = type_of(&from);
    if (!rd_host_goes(host) || !to_type || !from_type)
        return;
    if (!is_plain(to_type) || !is_plain(from_type) || to_type->kind != from_type->kind ||
        to_type->bits != from_type->bits) {
        RD_HOST_FAIL(host, node, "a copy between arrays of two types");
        return;
    }
    if (!goes_as_said(node->kids[4], to.array && to.array->is_device,
                      from.array && from.array->is_device)) {
        RD_HOST_FAIL(host, node, "a copy in another direction than it says");
        return;
    }
    const rd_term cells = elements(host, bytes, to_type);
    rd_host_goal(host, RD_PROOF_HOST, rd_terms_text(terms, "line %u", node->line),
                 "the copy is of whole elements", 0, NULL,
                 rd_equal(terms, rd_multiply(terms, cells, size_of_type(host, to_type)), bytes));
    tell_side(host, &to, cells, node, "the copy is within the array that it is to");
    tell_side(host, &from, cells, node, "the copy is within the array that it is from");
    if (!to.array)
        rd_host_goal(host, RD_PROOF_IN_BOUNDS, rd_terms_text(terms, "line %u", node->line),
                     "the copy is of the variable alone", 0, NULL,
                     rd_equal(terms, cells, rd_number(terms, 1)));
    order_copy(host, node, &to, &from);
    const bool flies =
        strcmp(node->name, "cudaMemcpyAsync") == 0 && !(to.array && to.array->is_device);
    if (rd_host_goes(host))
        receive(host, node, &to, &from, cells, flies);
}

static void call_memset(struct rd_host *host, const struct rd_syntax_node *node)
{
    struct rd_terms *terms = host->terms;
    const struct side to = side_of(host, node->kids[1]);
    const rd_term value = rd_host_number(host, node->kids[2]),
                  bytes = rd_host_number(host, node->kids[3]);
    if (!rd_host_goes(host))
        return;
    if (!to.array || !to.array->is_device || !is_plain(to.array->of)) {
        RD_HOST_FAIL(host, node, "cudaMemset() of what is no array of the device");
        return;
    }
    const rd_term cells = elements(host, bytes, to.array->of);
    tell_side(host, &to, cells, node, "the zeros are within the array");
    rd_host_goal(
        host, RD_PROOF_HOST, rd_terms_text(terms, "line %u", node->line),
        "the zeros are whole elements", 0, NULL,
        rd_equal(terms, rd_multiply(terms, cells, size_of_type(host, to.array->of)), bytes));
    rd_host_issue(host, node, node->n_kids == 5 ? node->kids[4] : NULL);
    const struct rd_execution of_laws = {.operation = host->operation, .element = host->element};
    if (value != rd_number(terms, 0) || to.first != rd_number(terms, 0) ||
        !rd_is_neutral(&of_laws, 0)) {
        rd_host_content_forget(host, to.array);
        return;
    }
    struct rd_host_content *content = rd_host_content_add(host, RD_HOST_ZERO, to.array);
    if (content) {
        content->cells = cells;
        rd_host_content_set(host, to.array, content);
    }
}

/* ---- the hook ---- */

const struct rd_syntax_function *rd_host_own_function(struct rd_host *host,
                                                      const struct rd_syntax_node *node)
{
    const struct rd_syntax_function *function =
        node->kind == RD_SYNTAX_CALL ? rd_syntax_function_called(host->unit, node) : NULL;
    return function && function->body && !function->is_kernel ? function : NULL;
}

static bool is_number(const struct rd_syntax_node *node, uint64_t number)
{
    node = rd_host_bare(node);
    return node->kind == RD_SYNTAX_NUMBER && node->number == number;
}

static const char *const freeing[] = {"cudaFree", "cudaFreeHost", "free", "operator delete[]",
                                      NULL};
static const char *const waiting[] = {"cudaDeviceSynchronize", "cudaThreadSynchronize",
                                      "cudaStreamSynchronize", NULL};

/* On a condition it is no more than what may happen. */
static void wait(struct rd_host *host, const struct rd_syntax_node *node)
{
    const bool of_all = node->n_kids == 1, on_made = !of_all && !is_number(node->kids[1], 0);
    if (on_made && !rd_host_is_stream(host, node->kids[1]))
        RD_HOST_FAIL(host, node, "a stream that is not known to be made by cudaStreamCreate()");
    else if (host->in_expression == host->state->path && (of_all || on_made == host->busy_on_made))
        rd_host_synchronize(host);
}

/* It changes nothing but variables that it gets the address of. */
static void call_of_event(struct rd_host *host, const struct rd_syntax_node *node)
{
    for (size_t k = 1; k < node->n_kids; k++) {
        const struct rd_syntax_node *bare = rd_host_bare(node->kids[k]);
        const bool takes = bare->kind == RD_SYNTAX_UNARY && bare->op && *bare->op == '&';
        if ((takes ? bare->kids[0] : bare)->kind != RD_SYNTAX_NAME && !is_number(bare, 0))
            RD_HOST_FAIL(host, node, "such an argument of '%s'", node->name);
    }
    if (rd_host_goes(host))
        rd_host_forget(host, node);
}

static void perform_call(struct rd_host *host, const struct rd_syntax_node *node)
{
    const struct rd_syntax_function *own = rd_host_own_function(host, node);
    if (own) {
        const struct value value = rd_host_enter(host, node, own);
        if (rd_host_goes(host))
            rd_state_push(&host->execution, host->state, value);
        return;
    }
    const char *name = rd_host_knows_call(node) ? node->name : "";
    const size_t n = node->n_kids - (node->n_kids > 0); /* arguments that are written */
    if (strcmp(name, "cudaMalloc") == 0 && n == 2)
        call_malloc(host, node, true);
    else if (strcmp(name, "cudaMallocHost") == 0 && n == 2)
        call_malloc(host, node, false);
    else if (is_one_of(name, freeing) && n == 1)
        call_free(host, node);
    else if ((strcmp(name, "cudaMemcpy") == 0 && n == 4) ||
             (strcmp(name, "cudaMemcpyAsync") == 0 && (n == 4 || n == 5)))
        call_memcpy(host, node);
    else if ((strcmp(name, "cudaMemset") == 0 && n == 3) ||
             (strcmp(name, "cudaMemsetAsync") == 0 && (n == 3 || n == 4)))
        call_memset(host, node);
    else if (strcmp(name, "cudaStreamCreate") == 0 && n == 1)
        rd_host_make_stream(host, node);
    else if (strcmp(name, "cudaStreamDestroy") == 0 && n == 1)
        rd_host_end_stream(host, node);
    else if (is_one_of(name, of_events))
        call_of_event(host, node);
    else if (is_one_of(name, waiting))
        wait(host, node);
    else if (strcmp(name, "cudaSetDevice") == 0 && !is_number(node->kids[1], 0))
        RD_HOST_FAIL(host, node, "another device than 0");
    else if (!rd_host_knows_call(node))
        RD_HOST_FAIL(host, node, "the call of '%s'", node->name ? node->name : "a pointer");
    rd_state_push(&host->execution, host->state,
                  rd_number_value(rd_number(host->terms, 0))); /* cudaSuccess */
}

/* sizeof of an array whose length isn't constant. */
static bool push_size(struct rd_host *host, const struct rd_syntax_node *node)
{
    const struct binding *found = binding_of(host, rd_host_bare(node->kids[0]));
    const struct rd_host_array *array = found ? rd_host_array_of(&found->value) : NULL;
    if (!array || found->declaration->type->kind != RD_SYNTAX_ARRAY)
        RD_HOST_FAIL(host, node, "sizeof of what is no array of variable length");
    else
        rd_state_push(&host->execution, host->state,
                      rd_number_value(rd_multiply(host->terms, array->array.size,
                                                  size_of_type(host, array->of))));
    return true;
}

bool rd_host_call(void *self, struct states *states, const struct rd_syntax_node *node)
{
    struct rd_host *host = self;
    if (states->count != 1 || states->items[0] != host->state)
        return false;
    if (node->kind == RD_SYNTAX_CALL) {
        /* What stands behind an && or in a branch is done on a condition only. */
        if (!(node->name && is_one_of(node->name, quiet)) &&
            host->in_expression != host->state->path) {
            RD_HOST_FAIL(host, node, "a call on a condition within an expression");
            return true;
        }
        /* A function's loop leaves another state, which a part of an expression doesn't hand on. */
        if (rd_host_own_function(host, node) && states != host->evaluated) {
            RD_HOST_FAIL(host, node, "a call in a part of an expression");
            return true;
        }
        perform_call(host, node);
        states->items[0] = host->state;
        return true;
    }
    if (node->kind == RD_SYNTAX_UNARY && node->op && strcmp(node->op, "sizeof ") == 0)
        return push_size(host, node);
    if (node->kind == RD_SYNTAX_CAST && node->type && node->type->kind == RD_SYNTAX_POINTER) {
        rd_evaluate(&host->execution, states, node->kids[0]);
        return true;
    }
    return false;
}
