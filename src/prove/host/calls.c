// SPDX-License-Identifier: MIT
/* Calls of host code. Calls of CUDA succeed: what happens where one fails is not among the claims. */
#include "prove/host/host.h"

#include <string.h>

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
                                           "min",
                                           "max",
                                           "fmin",
                                           "fminf",
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
                                           "getLastCudaError",
                                           "printLastCudaError",
                                           "findCudaDevice",
                                           "gpuGetMaxGflopsDeviceId",
                                           "checkCmdLineFlag",
                                           "getCmdLineArgumentInt",
                                           "getCmdLineArgumentFloat",
                                           "sdkCreateTimer",
                                           "sdkDeleteTimer",
                                           "sdkStartTimer",
                                           "sdkStopTimer",
                                           "sdkResetTimer",
                                           "sdkGetTimerValue",
                                           "sdkGetAverageTimerValue",
                                           NULL};
    return rd_is_call_of_system(node) && rd_host_is_one_of(node->name, harmless);
}

/* ---- functions of CUDA's and of C's ---- */

static bool is_number(const struct rd_syntax_node *node, uint64_t number)
{
    node = rd_host_bare(node);
    return node->kind == RD_SYNTAX_NUMBER && node->number == number;
}

/* On a condition it is no more than what may happen. */
static void wait_for_all(struct rd_host *host, const struct rd_syntax_node *node)
{
    (void)node;
    if (host->in_expression == host->state->path)
        rd_host_synchronize(host);
}

static void wait_for_stream(struct rd_host *host, const struct rd_syntax_node *node)
{
    const bool on_made = !is_number(node->kids[1], 0);
    if (on_made && !rd_host_is_stream(host, node->kids[1]))
        RD_HOST_FAIL(host, node, "a stream that is not known to be made by cudaStreamCreate()");
    else if (on_made == host->busy_on_made)
        wait_for_all(host, node);
}

/* It measures time, and changes nothing but variables that it gets the address of. */
static void use_event(struct rd_host *host, const struct rd_syntax_node *node)
{
    for (size_t k = 1; k < node->n_kids; k++) {
        const struct rd_syntax_node *bare = rd_host_bare(node->kids[k]);
        const bool takes = rd_host_takes_address(bare);
        if ((takes ? bare->kids[0] : bare)->kind != RD_SYNTAX_NAME && !is_number(bare, 0))
            RD_HOST_FAIL(host, node, "an argument of '%s' that is no event", node->name);
    }
    if (rd_host_goes(host))
        rd_host_forget(host, node);
}

static void choose_device(struct rd_host *host, const struct rd_syntax_node *node)
{
    if (!is_number(node->kids[1], 0))
        RD_HOST_FAIL(host, node, "another device than 0");
}

static void do_nothing(struct rd_host *host, const struct rd_syntax_node *node)
{
    (void)host;
    (void)node;
}

struct known_call {
    const char *name;
    size_t n_min, n_max; /* arguments that are written */
    void (*perform)(struct rd_host *host, const struct rd_syntax_node *node);
    bool on_condition; /* it may stand where it is only called on a condition */
};

static const struct known_call known_calls[] = {
    {"cudaMalloc", 2, 2, rd_host_allocate_device, false},
    {"cudaMallocManaged", 2, 2, rd_host_allocate_managed, false},
    {"cudaMallocHost", 2, 2, rd_host_allocate_pinned, false},
    {"cudaFree", 1, 1, rd_host_release, false},
    {"cudaFreeHost", 1, 1, rd_host_release, false},
    {"free", 1, 1, rd_host_release, false},
    {"operator delete[]", 1, 1, rd_host_release, false},
    {"cudaMemcpy", 4, 4, rd_host_copy, false},
    {"cudaMemcpyAsync", 4, 5, rd_host_copy, false},
    {"cudaMemset", 3, 3, rd_host_clear, false},
    {"cudaMemsetAsync", 3, 4, rd_host_clear, false},
    {"cudaStreamCreate", 1, 1, rd_host_make_stream, false},
    {"cudaStreamSynchronize", 1, 1, wait_for_stream, false},
    {"cudaStreamDestroy", 1, 1, rd_host_end_stream, false},
    {"cudaEventCreate", 1, 1, use_event, false},
    {"cudaEventRecord", 1, 2, use_event, false},
    {"cudaEventSynchronize", 1, 1, use_event, false},
    {"cudaEventElapsedTime", 3, 3, use_event, false},
    {"cudaEventDestroy", 1, 1, use_event, false},
    {"cudaDeviceSynchronize", 0, 0, wait_for_all, true},
    {"cudaThreadSynchronize", 0, 0, wait_for_all, true},
    {"cudaGetLastError", 0, 0, do_nothing, true},
    {"cudaPeekAtLastError", 0, 0, do_nothing, true},
    {"cudaSetDevice", 1, 1, choose_device, false},
};

static const struct known_call *find_call(const struct rd_syntax_node *node)
{
    for (size_t k = 0; k < sizeof known_calls / sizeof *known_calls && rd_is_call_of_system(node);
         k++)
        if (strcmp(known_calls[k].name, node->name) == 0)
            return &known_calls[k];
    return NULL;
}

bool rd_host_knows_call(const struct rd_syntax_node *node)
{
    return find_call(node) != NULL;
}

/* ---- the hook ---- */

const struct rd_syntax_function *rd_host_own_function(struct rd_host *host,
                                                      const struct rd_syntax_node *node)
{
    const struct rd_syntax_function *function =
        node->kind == RD_SYNTAX_CALL ? rd_syntax_function_called(host->unit, node) : NULL;
    return function && function->body && !function->is_kernel ? function : NULL;
}

/* Tells whether the text has templates, or more than one function of that name. */
static bool may_be_overloaded(const struct rd_host *host, const struct rd_syntax_function *function)
{
    unsigned n = 0;
    for (size_t k = 0; k < rd_syntax_function_count(host->unit); k++)
        n += strcmp(rd_syntax_function(host->unit, k)->name, function->name) == 0;
    return n > 1 || strstr(host->annotations->text, "template") ||
           strstr(host->annotations->text, "#include \"");
}

/* The length of an array that a number gives is a constant in the program, and none in the text that is read: an overload that
 * takes the array by its length would be passed over. */
static void check_arrays(struct rd_host *host, const struct rd_syntax_node *call,
                         const struct rd_syntax_function *function)
{
    for (size_t k = 1; k < call->n_kids; k++) {
        const struct rd_syntax_node *bare = rd_host_bare(call->kids[k]);
        const struct rd_syntax_type *type =
            bare->kind == RD_SYNTAX_NAME && bare->declaration ? bare->declaration->type : NULL;
        if (type && type->kind == RD_SYNTAX_ARRAY && type->length == 0 &&
            may_be_overloaded(host, function))
            RD_HOST_FAIL(
                host, call,
                "an array whose length a number gives, for a function that may have overloads");
    }
}

static void perform_call(struct rd_host *host, const struct rd_syntax_node *node)
{
    const struct rd_syntax_function *own = rd_host_own_function(host, node);
    const struct known_call *known = own ? NULL : find_call(node);
    const size_t n = node->n_kids - (node->n_kids > 0);
    struct value value = rd_number_value(rd_number(host->terms, 0)); /* cudaSuccess */
    if (own) {
        check_arrays(host, node, own);
        value = rd_host_goes(host) ? rd_host_enter(host, node, own) : value;
    } else if (!known)
        RD_HOST_FAIL(host, node, "the call of '%s'", rd_host_callee(node));
    else if (n < known->n_min || n > known->n_max)
        RD_HOST_FAIL(host, node, "the call of '%s' with %zu arguments", known->name, n);
    else
        known->perform(host, node);
    if (rd_host_goes(host))
        rd_state_push(&host->execution, host->state, value);
}

/* sizeof of an array whose length isn't constant, and the size of a vector. */
static bool push_size(struct rd_host *host, const struct rd_syntax_node *node)
{
    const bool of_vector = strcmp(node->op, "size of ") == 0;
    const struct binding *found = rd_host_binding_of(host, rd_host_bare(node->kids[0]));
    const struct rd_host_array *array = found ? rd_host_array_of(&found->value) : NULL;
    if (!array || (!of_vector && found->declaration->type->kind != RD_SYNTAX_ARRAY)) {
        RD_HOST_FAIL(host, node, "%s",
                     of_vector ? "the size of a vector that isn't known"
                               : "sizeof of what is no array of variable length");
        return true;
    }
    const rd_term bytes = of_vector ? rd_number(host->terms, 1) : rd_host_bytes_of(host, array->of);
    rd_state_push(&host->execution, host->state,
                  rd_number_value(rd_multiply(host->terms, array->array.size, bytes)));
    return true;
}

static bool is_same_element(const struct rd_syntax_type *x, const struct rd_syntax_type *y)
{
    return x->kind == y->kind && x->bits == y->bits && x->is_signed == y->is_signed;
}

/* A pointer counts in elements of its own type, an array in those that it was made of. */
static void check_cast(struct rd_host *host, const struct rd_syntax_node *node)
{
    const struct rd_syntax_type *to = node->type->of, *from = node->kids[0]->type;
    const struct rd_syntax_type *of = !from                            ? NULL
                                      : from->elements                 ? from->elements
                                      : from->kind != RD_SYNTAX_RECORD ? from->of
                                                                       : NULL;
    if (!rd_host_goes(host) || !to || to->kind == RD_SYNTAX_VOID)
        return;
    if (!of || !is_same_element(to, of))
        RD_HOST_FAIL(host, node, "a pointer that is cast to one to another type");
}

bool rd_host_call(void *self, struct states *states, const struct rd_syntax_node *node)
{
    struct rd_host *host = self;
    if (states->count != 1 || states->items[0] != host->state)
        return false;
    if (node->kind == RD_SYNTAX_CALL && rd_host_is_selection(host, node))
        return false;
    if (node->kind == RD_SYNTAX_CALL) {
        /* What stands behind an && or in a branch is done on a condition only. */
        const struct known_call *known = find_call(node);
        if (!(known && known->on_condition) && host->in_expression != host->state->path) {
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
    if (node->kind == RD_SYNTAX_UNARY && node->op &&
        (strcmp(node->op, "sizeof ") == 0 || strcmp(node->op, "size of ") == 0))
        return push_size(host, node);
    if (rd_host_push_extent(host, node))
        return true;
    if (node->kind == RD_SYNTAX_CAST && node->type && node->type->kind == RD_SYNTAX_POINTER) {
        rd_evaluate(&host->execution, states, node->kids[0]);
        check_cast(host, node);
        return true;
    }
    return false;
}
