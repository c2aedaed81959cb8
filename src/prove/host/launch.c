// SPDX-License-Identifier: MIT
/* Launches of host code: executed where they stand; their goals are made when it is known what law follows, if any. */
#include "prove/host/host.h"
#include "prove/goals/owner.h"
#include "prove/goals/segment.h"

#include <stdlib.h>
#include <string.h>

enum { SHARED_BYTES_MAX = 48 * 1024 };

bool rd_host_is_launch(const struct rd_syntax_node *node)
{
    return node && node->kind == RD_SYNTAX_BINARY && node->op && strcmp(node->op, ",") == 0 &&
           rd_host_is_call(node->kids[0], "rd_prove_launch") &&
           node->kids[1]->kind == RD_SYNTAX_CALL;
}

/* ---- what a thread reads ---- */

/* Of shared memory nothing is known behind a loop's condition where no invariant speaks of it. */
static void note_unsaid(struct rd_host *host, const struct rd_cut *cut,
                        const struct rd_prove_array *array)
{
    if (!array->is_shared || !cut->point || host->missing_invariant)
        return;
    host->missing_invariant = rd_terms_text(
        host->terms,
        "An '//@ invariant' may be missing: of '%s' nothing is known in %s%s, nor behind it%s.",
        array->name, cut->is_bare ? "" : "the loop with the invariant of ", cut->point,
        cut->is_bare ? "" : ", as it speaks of another array");
}

static rd_term read_cell(void *self, const struct rd_cut *cut, const struct rd_prove_array *array,
                         rd_term index)
{
    struct rd_host_launch *launch = self;
    struct rd_host *host = launch->proof.subject->host;
    struct rd_terms *terms = host->terms;
    rd_term of[4] = {launch->proof.block, index}; /* of the block's own memory */
    unsigned count = 2;
    if (launch->proof.y.block)
        of[count++] = launch->proof.y.block;
    if (!array->is_shared) {
        const struct rd_host_array *known = (const struct rd_host_array *)(const void *)array;
        for (size_t k = 0; k < launch->n_before && k < host->n_arrays; k++)
            if (host->arrays[k] == known) {
                rd_host_note_unknown(host, launch->before[k]);
                return rd_host_value(host, launch->before[k]->token, index);
            }
    }
    if (!array->is_shared || cut->array != array) {
        note_unsaid(host, cut, array);
        return rd_apply(terms,
                        rd_terms_text(terms, "unknown %s %u", array->name, launch->proof.fresh++),
                        count, of);
    }
    of[count++] = cut->variable;
    return rd_choice(
        terms, rd_host_cut_live(host, cut, index), rd_host_cut_count(host, cut, index),
        rd_apply(terms, rd_terms_text(terms, "dead %s at %s", array->name, cut->point), count, of));
}

/* Of what isn't known it may be any: a value without a law may be a sum of whatever. */
static unsigned inputs_of(void *self, const struct rd_cut *cut, const struct rd_prove_array *array)
{
    const struct rd_host_launch *launch = self;
    const struct rd_host *host = launch->proof.subject->host;
    (void)cut;
    for (size_t k = 0; k < launch->n_before && k < host->n_arrays && !array->is_shared; k++)
        if (&host->arrays[k]->array == array && launch->before[k]->kind == RD_HOST_INPUT)
            return 1u << launch->before[k]->input;
    return UINT_MAX;
}

static rd_term promised(void *self, const struct rd_cut *cut, const struct rd_cut *promise)
{
    const struct rd_host_launch *launch = self;
    return rd_host_cut_promises(launch->proof.subject->host, cut, promise);
}

static rd_term defined(void *self, const struct rd_cut *cut)
{
    const struct rd_host_launch *launch = self;
    return rd_host_cut_defined(launch->proof.subject->host, cut);
}

/* ---- arguments ---- */

static bool is_same_element(const struct rd_syntax_type *x, const struct rd_syntax_type *y)
{
    return x && y && x->kind == y->kind && x->bits == y->bits;
}

static bool read_arguments(struct rd_host *host, const struct rd_syntax_node *call,
                           const struct rd_syntax_function *kernel,
                           struct rd_argument arguments[RD_PROVE_ARGUMENTS_MAX])
{
    if (call->n_kids - 1 != kernel->n_parameters || kernel->n_parameters > RD_PROVE_ARGUMENTS_MAX) {
        RD_HOST_FAIL(host, call, "a launch with so many arguments");
        return false;
    }
    for (size_t k = 0; k < kernel->n_parameters && rd_host_goes(host); k++) {
        const struct rd_syntax_type *type = kernel->parameters[k]->type;
        if (type && type->kind == RD_SYNTAX_FLOAT) {
            arguments[k] = (struct rd_argument){.is_float = true,
                                                .number = rd_host_factor(host, call->kids[k + 1])};
            continue;
        }
        const struct value value = rd_host_evaluate(host, call->kids[k + 1]);
        const struct rd_host_array *array = rd_host_array_of(&value);
        if (!rd_host_goes(host))
            return false;
        if (value.kind == VALUE_NUMBER && type && type->kind == RD_SYNTAX_INTEGER) {
            arguments[k].number = rd_value_number(&host->execution, value);
        } else if (array && array->is_device && type && type->kind == RD_SYNTAX_POINTER &&
                   is_same_element(array->of, type->of)) {
            arguments[k] = (struct rd_argument){.array = &array->array, .number = value.term};
        } else {
            RD_HOST_FAIL(host, call, "the argument for '%s' is nothing that the prover knows",
                         kernel->parameters[k]->name);
        }
    }
    return rd_host_goes(host);
}

/* ---- what it leaves ---- */

bool rd_host_launch_writes(const struct rd_host_launch *launch, const struct rd_host_array *array)
{
    const struct rd_execution *execution = &launch->proof.execution;
    for (size_t s = 0; s < execution->n_segments; s++)
        for (size_t k = 0; k < execution->segments[s].n_accesses; k++)
            if (execution->segments[s].accesses[k].is_write &&
                execution->segments[s].accesses[k].array == &array->array)
                return true;
    return false;
}

/* What a cell holds behind the launch, where it is known which thread may write it; NULL: it isn't known. Goals of
 * races say that it is one. */
static rd_term formula_of(struct rd_host *host, const struct rd_host_launch *launch,
                          const struct rd_host_array *array, const struct rd_host_content *before)
{
    struct rd_terms *terms = host->terms;
    const struct rd_launch_proof *proof = &launch->proof;
    const rd_term cell = host->subject->cell;
    /* Of an index y*w + x, the quotient and the remainder by w name its thread where x is below w alone. */
    if (!proof->by_number || proof->y.number || proof->execution.n_segments != 1)
        return NULL;
    const struct rd_segment *segment = &proof->execution.segments[0];
    rd_term formula = rd_host_value(host, before->token, cell);
    for (size_t k = 0; k < segment->n_accesses; k++) {
        const struct rd_kernel_access *access = &segment->accesses[k];
        struct rd_owner owner;
        if (!access->is_write || access->array != &array->array)
            continue;
        if (access->is_atomic || rd_has_head(&proof->execution, access->value) ||
            rd_has_head(&proof->execution, access->path) ||
            rd_has_head(&proof->execution, access->index) ||
            !rd_find_owner(proof, access, cell, &owner) ||
            rd_term_has(owner.number[0], proof->number))
            return NULL;
        rd_term made = rd_and(terms, rd_place_of(proof), access->path);
        made = rd_and(terms, made, rd_equal(terms, access->index, cell));
        formula = rd_choice(terms, rd_at_owner(proof, made, &owner, false),
                            rd_at_owner(proof, access->value, &owner, false), formula);
    }
    return formula;
}

static void leave(struct rd_host *host, struct rd_host_launch *launch)
{
    for (size_t k = 0; k < launch->n_before && rd_host_goes(host); k++) {
        struct rd_host_array *array = host->arrays[k];
        if (!rd_host_launch_writes(launch, array))
            continue;
        const rd_term formula = formula_of(host, launch, array, launch->before[k]);
        struct rd_host_content *content =
            rd_host_content_add(host, formula ? RD_HOST_LAUNCH : RD_HOST_UNKNOWN, array);
        if (!content)
            return;
        content->formula = formula;
        if (!formula) {
            content->launch_line = launch->line;
            content->written = array->array.name;
        }
        rd_host_content_set(host, array, content);
    }
}

/* ---- the launch ---- */

static struct rd_host_launch *create(struct rd_host *host)
{
    struct rd_host_launch *launch = calloc(1, sizeof *launch);
    struct rd_host_launch **grown = realloc(host->launches, (host->n_launches + 1) * sizeof *grown);
    if (grown)
        host->launches = grown;
    if (launch)
        launch->before = calloc(host->n_arrays + 1, sizeof(struct rd_host_content *));
    if (!launch || !grown || !launch->before) {
        if (launch)
            free((void *)launch->before);
        free(launch);
        rd_execution_fail_memory(&host->execution);
        return NULL;
    }
    for (size_t k = 0; k < host->n_arrays; k++)
        launch->before[k] = host->arrays[k]->content;
    launch->n_before = host->n_arrays;
    launch->path = host->state->path;
    return host->launches[host->n_launches++] = launch;
}

/* In a dry run: whatever the kernel may write, by its parameters. */
static void spoil(struct rd_host *host, const struct rd_syntax_function *kernel,
                  const struct rd_argument *arguments)
{
    for (size_t k = 0; k < kernel->n_parameters; k++)
        if (arguments[k].array && !kernel->parameters[k]->type->of->is_const)
            rd_host_content_forget(host,
                                   (struct rd_host_array *)(void *)(uintptr_t)arguments[k].array);
}

static rd_term bytes_of_shared(struct rd_terms *terms, const struct rd_prove_array *array)
{
    const struct rd_syntax_type *of =
        array->declaration ? rd_type_element(array->declaration->type->of) : NULL;
    const rd_wide element = of && of->bits >= 8 ? of->bits / 8 : 8;
    return rd_multiply(terms, rd_number(terms, element), array->size);
}

static void add_shared_goal(struct rd_host *host, const struct rd_host_launch *launch,
                            const struct rd_syntax_node *node)
{
    struct rd_terms *terms = host->terms;
    const struct rd_execution *execution = &launch->proof.execution;
    rd_term bytes = launch->shared_bytes;
    rd_wide n_arrays = execution->dynamic_name ? 1 : 0;
    for (size_t k = 0; k < execution->n_shared; k++)
        if (!execution->dynamic_name ||
            strcmp(execution->shared[k]->name, execution->dynamic_name) != 0) {
            bytes = rd_add(terms, bytes, bytes_of_shared(terms, execution->shared[k]));
            n_arrays++;
        }
    if (n_arrays > 1) /* each may have to begin at a multiple of 16 bytes */
        bytes = rd_add(terms, bytes, rd_number(terms, (n_arrays - 1) * 15));
    rd_host_goal(host, RD_PROOF_HOST, rd_terms_text(terms, "line %u", node->line),
                 "the block's shared memory is at most 48 KiB", 0, NULL,
                 rd_at_most(terms, bytes, rd_number(terms, SHARED_BYTES_MAX)));
}

static void execute(struct rd_host *host, struct rd_host_launch *launch,
                    const struct rd_syntax_function *kernel, size_t n_arguments,
                    const struct rd_argument *arguments)
{
    struct rd_launch_proof *proof = &launch->proof;
    proof->execution = (struct rd_execution){
        .terms = host->terms,
        .unit = host->unit,
        .thread = proof->thread,
        .block = proof->block,
        .threads = proof->threads,
        .blocks = proof->grid,
        .origin = proof->origin,
        .y = {proof->y.thread, proof->y.block, proof->y.threads, proof->y.grid, proof->y.origin},
        .dynamic_bytes = launch->shared_bytes,
        .n_units = host->subject->n_units,
        .units = host->subject->units,
        .read = read_cell,
        .inputs = inputs_of,
        .promised = promised,
        .defined = defined,
        .of_any_type = true,
        .operation = host->operation,
        .element = host->element,
        .self = launch,
    };
    if (!rd_execute(&proof->execution, kernel, n_arguments, arguments))
        rd_subject_fail_by(host->subject, proof->execution.lacks_memory ? RD_ERROR_MEMORY : RD_OK,
                           proof->execution.failure);
    else if (proof->execution.meets || proof->execution.ticket.drawn)
        rd_subject_fail(host->subject, "%s: the blocks of %s meet, or draw tickets", host->path,
                        proof->name);
    else if (rd_host_goes(host))
        rd_launch_name_places(proof);
}

/* __launch_bounds__(256): CUDA refuses a block of more. */
static void add_bounds_goals(struct rd_host *host, const struct rd_syntax_node *node,
                             const struct rd_syntax_function *kernel,
                             const rd_term block[RD_HOST_EXTENTS])
{
    char *end;
    if (!kernel->bounds || !rd_host_goes(host))
        return;
    const long most = strtol(kernel->bounds, &end, 10);
    if (end == kernel->bounds || *end || *kernel->bounds == '0' || most < 1 || most > 1 << 20) {
        RD_HOST_FAIL(host, node, "the launch bounds of '%s', which are no number: %s", kernel->name,
                     kernel->bounds);
        return;
    }
    rd_host_goal(host, RD_PROOF_HOST, rd_terms_text(host->terms, "line %u", node->line),
                 "a block has no more threads than the kernel's launch bounds", 0, NULL,
                 rd_at_most(host->terms, rd_multiply(host->terms, block[0], block[1]),
                            rd_number(host->terms, most)));
}

/* Returns an earlier launch of the kernel, at another line; NULL: there is none. */
static const struct rd_host_launch *launched_before(const struct rd_host *host,
                                                    const struct rd_host_launch *launch)
{
    for (size_t k = 0; k < host->n_launches; k++)
        if (host->launches[k]->kernel == launch->kernel && host->launches[k]->line != launch->line)
            return host->launches[k];
    return NULL;
}

/* An invariant with one claim that is one of two launches may be true of one alone. */
static void note_shared_invariant(struct rd_host *host, const struct rd_host_launch *launch)
{
    const struct rd_execution *execution = &launch->proof.execution;
    const struct rd_host_launch *other = launched_before(host, launch);
    for (size_t s = 0; other && s < execution->n_segments && !host->missing_invariant; s++) {
        if (rd_host_claims(host, &execution->segments[s].from) != 1)
            continue;
        host->is_of_launches = true;
        host->missing_invariant = rd_terms_text(
            host->terms,
            "The invariant of %s is the same in the launches of lines %u and %u: if it is not true "
            "of both, say one for each, as 'when gridDim.x > 1: ...; when gridDim.x = 1: ...'.",
            execution->segments[s].from.point, other->line, launch->line);
    }
}

/* What such a loop makes may be more than provers know. */
static void note_written_out(struct rd_host *host, const struct rd_host_launch *launch)
{
    const unsigned line = launch->proof.execution.written_out_line;
    if (line > 0 && !host->missing_invariant)
        host->missing_invariant = rd_terms_text(
            host->terms,
            "An '//@ invariant' may be missing: the loop of line %u has none, and so its trips are "
            "written out, one behind the other.",
            line);
}

void rd_host_launch(struct rd_host *host, const struct rd_syntax_node *node)
{
    struct rd_terms *terms = host->terms;
    const struct rd_syntax_node *shape = node->kids[0], *call = node->kids[1];
    const char *name = call->name ? call->name : "?";
    const struct rd_syntax_function *kernel = rd_syntax_function_called(host->unit, call);
    struct rd_argument arguments[RD_PROVE_ARGUMENTS_MAX] = {0};
    if (!kernel || !kernel->body || !kernel->is_kernel) {
        RD_HOST_FAIL(host, node, "the kernel '%s' is not in the file", name);
        return;
    }
    rd_host_issue(host, node, shape->n_kids > 4 ? shape->kids[4] : NULL);
    rd_term grid[RD_HOST_EXTENTS], block[RD_HOST_EXTENTS];
    rd_host_shape(host, shape->kids[1], grid);
    rd_host_shape(host, shape->kids[2], block);
    const rd_term shared =
        shape->n_kids > 3 ? rd_host_number(host, shape->kids[3]) : rd_number(terms, 0);
    if (!rd_host_goes(host) || !read_arguments(host, call, kernel, arguments))
        return;
    if (host->dry) {
        spoil(host, kernel, arguments);
        return;
    }
    rd_host_end_launch(host);
    struct rd_host_launch *launch = create(host);
    if (!launch)
        return;
    launch->shared_bytes = shared;
    launch->line = node->line;
    launch->kernel = kernel;
    if (launched_before(host, launch))
        name = rd_terms_text(terms, "%s of line %u", name, node->line);
    launch->proof = (struct rd_launch_proof){
        .subject = host->subject,
        .name = rd_terms_text(terms, "%s", name),
        .thread = rd_constant(terms, "t"),
        .block = rd_constant(terms, "b"),
        .number = rd_constant(terms, "thread"),
        .origin = rd_constant(terms, "first thread"),
    };
    rd_host_add_shape_goals(host, node, grid, block);
    add_bounds_goals(host, node, kernel, block);
    rd_host_find_shape(host, launch, grid, block);
    rd_term_list_add_all(terms, &host->known, &launch->shape);
    execute(host, launch, kernel, call->n_kids - 1, arguments);
    if (!rd_host_goes(host))
        return;
    add_shared_goal(host, launch, node);
    note_shared_invariant(host, launch);
    note_written_out(host, launch);
    leave(host, launch);
    host->pending = launch;
    host->n_effects++;
}

/* ---- its goals ---- */

void rd_host_add_launch_goals(struct rd_host *host, struct rd_host_array *array,
                              const struct rd_host_content *after)
{
    struct rd_host_launch *launch = host->pending;
    struct rd_launch_proof *proof = &launch->proof;
    struct rd_point_facts points = {0};
    if (host->dry || !rd_host_goes(host) || (launch->told && !array))
        return;
    if (array && !launch->told &&
        host->state->path != launch->path) /* some never come to the law */
        rd_host_add_launch_goals(host, NULL, NULL);
    proof->points = &points;
    proof->A = array ? &array->array : NULL;
    for (size_t k = 0; array && k < launch->n_before; k++)
        if (host->arrays[k] == array)
            proof->before = launch->before[k]->token;
    proof->after = after ? after->token : NULL;
    rd_term_list_finish(&proof->hypotheses);
    proof->hypotheses = (struct rd_term_list){0};
    rd_host_hypotheses(host, array ? host->state->path : launch->path, &proof->hypotheses);
    if (proof->by_number || launch->shape.count > 0)
        rd_term_list_add_all(host->terms, &proof->hypotheses, &launch->shape);
    rd_launch_add_goals(proof);
    free(points.list);
    launch->told = true;
}

void rd_host_end_launch(struct rd_host *host)
{
    if (host->pending && rd_host_goes(host))
        rd_host_add_launch_goals(host, NULL, NULL);
    host->pending = NULL;
}

void rd_host_launches_finish(struct rd_host *host)
{
    for (size_t k = 0; k < host->n_launches; k++) {
        struct rd_host_launch *launch = host->launches[k];
        rd_execution_finish(&launch->proof.execution);
        rd_term_list_finish(&launch->proof.hypotheses);
        rd_term_list_finish(&launch->shape);
        free((void *)launch->before);
        free(launch);
    }
    free(host->launches);
    host->launches = NULL;
    host->n_launches = 0;
    host->pending = NULL;
}
