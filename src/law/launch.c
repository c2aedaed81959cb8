// SPDX-License-Identifier: MIT
/* Launches: the names in them, and what they come to in a round. */
#include "law/resolve.h"
#include "law/run.h"

#include <inttypes.h>
#include <string.h>

/* ---- names ---- */

static bool is_scratch(const struct law_node *node)
{
    return node->kind == LAW_ELEMENT && !node->point && node->n_kids == 1 &&
           strcmp(node->name, "scratch") == 0;
}

static bool resolve_operand(struct law_scope *scope, struct law_operand *operand)
{
    const struct rd_law *law = scope->law;
    struct law_node *node = operand->node;
    operand->kind = RD_LAW_OPERAND_NUMBER;
    if (is_scratch(node)) {
        operand->kind = RD_LAW_OPERAND_SCRATCH;
        node = node->kids[0];
    } else if (node->kind == LAW_NAME) {
        if (strcmp(node->name, scope->section->array->name) == 0)
            operand->kind = RD_LAW_OPERAND_ARRAY;
        else if (strcmp(node->name, "ticket") == 0)
            operand->kind = RD_LAW_OPERAND_TICKET;
        for (size_t k = 0; k < law->n_inputs; k++) {
            if (strcmp(node->name, law->inputs[k]->name) == 0) {
                operand->kind = RD_LAW_OPERAND_INPUT;
                operand->input = k;
            }
        }
        if (operand->kind != RD_LAW_OPERAND_NUMBER)
            return true;
    }
    return rd_law_resolve_number(scope, node);
}

/* All numbers of a launch; those that aren't said are NULL. */
static void list_numbers(struct law_launch *launch, struct law_node *numbers[LAW_LAUNCH_NUMBERS])
{
    struct law_node *const all[LAW_LAUNCH_NUMBERS] = {
        launch->when,    launch->threads[0], launch->threads[1], launch->grid[0],
        launch->grid[1], launch->block[0],   launch->block[1],   launch->count,
        launch->shared,  launch->reads,      launch->writes,
    };
    memcpy(numbers, all, sizeof all);
}

bool rd_law_resolve_launch(struct law_scope *scope, struct law_launch *launch)
{
    struct law_node *numbers[LAW_LAUNCH_NUMBERS];
    list_numbers(launch, numbers);
    for (unsigned k = 0; k < launch->n_operands; k++)
        if (!resolve_operand(scope, &launch->operands[k]))
            return false;
    for (unsigned k = 0; k < LAW_LAUNCH_NUMBERS; k++)
        if (numbers[k] && !rd_law_resolve_number(scope, numbers[k]))
            return false;
    return true;
}

bool rd_law_same_launch(const struct law_launch *x, const struct law_launch *y)
{
    struct law_node *of_x[LAW_LAUNCH_NUMBERS], *of_y[LAW_LAUNCH_NUMBERS];
    if (strcmp(x->kernel, y->kernel) != 0 || x->n_operands != y->n_operands ||
        x->cooperative != y->cooperative || x->spoils_inputs != y->spoils_inputs ||
        !x->counter != !y->counter || (x->counter && strcmp(x->counter, y->counter) != 0))
        return false;
    for (unsigned k = 0; k < x->n_operands; k++)
        if (!rd_law_same_node(x->operands[k].node, y->operands[k].node))
            return false;
    list_numbers((struct law_launch *)x, of_x);
    list_numbers((struct law_launch *)y, of_y);
    for (unsigned k = 0; k < LAW_LAUNCH_NUMBERS; k++)
        if (!rd_law_same_node(of_x[k], of_y[k]))
            return false;
    return true;
}

/* ---- numbers ---- */

/* The number that isn't negative; 0 where it isn't said. */
static bool count_of(struct rd_law_run *run, const struct law_node *node, uint64_t *count)
{
    int64_t value = 0;
    if (node && !rd_law_number(run, node, &value))
        return false;
    *count = (uint64_t)value;
    return value >= 0 ||
           rd_law_run_fail(run, node, "a launch takes no negative number, and this is %" PRId64,
                           value);
}

static bool extent_of(struct rd_law_run *run, struct law_node *const extent[2], uint64_t counts[2])
{
    return count_of(run, extent[0], &counts[0]) && count_of(run, extent[1], &counts[1]);
}

static uint64_t rounded_up(uint64_t x, uint64_t y)
{
    return x / y + (x % y > 0);
}

/* x*y, where a y of 0 isn't said. */
static bool area(struct rd_law_run *run, const struct law_node *node, const uint64_t sides[2],
                 uint64_t *product)
{
    return (!__builtin_mul_overflow(sides[0], sides[1] ? sides[1] : 1, product) &&
            *product <= INT64_MAX) ||
           rd_law_run_fail(run, node, "a launch of 2^63 threads or more");
}

/* As many blocks as the threads take, unless they are said. */
static bool find_threads(struct rd_law_run *run, const struct law_launch *launch,
                         struct rd_law_launch *made)
{
    const struct law_node *said = launch->threads[0] ? launch->threads[0] : launch->grid[0];
    const uint64_t most = (uint64_t)run->quantities[LAW_T];
    uint64_t threads[2], blocks;
    if (!extent_of(run, launch->threads, threads) || !extent_of(run, launch->grid, made->grid) ||
        !extent_of(run, launch->block, made->block))
        return false;
    if (!launch->block[0])
        made->block[0] = threads[0] < most ? threads[0] : most;
    if (made->block[0] == 0)
        return rd_law_run_fail(run, said, "a block of no threads");
    if (!launch->grid[0]) {
        made->grid[0] = rounded_up(threads[0], made->block[0]);
        made->grid[1] = rounded_up(threads[1], made->block[1] ? made->block[1] : 1);
    }
    if (launch->threads[0])
        return area(run, said, threads, &made->threads);
    return area(run, said, made->grid, &blocks) && area(run, said, made->block, &threads[0]) &&
           area(run, said, (const uint64_t[]){blocks, threads[0]}, &made->threads);
}

static bool make_operand(struct rd_law_run *run, const struct law_operand *operand,
                         struct rd_law_operand *made)
{
    made->kind = operand->kind;
    if (operand->kind == RD_LAW_OPERAND_INPUT)
        made->value = operand->input;
    if (operand->kind == RD_LAW_OPERAND_SCRATCH)
        return count_of(run, operand->node->kids[0], &made->value);
    return operand->kind != RD_LAW_OPERAND_NUMBER || count_of(run, operand->node, &made->value);
}

static bool make_launch(struct rd_law_run *run, const struct law_launch *launch,
                        struct rd_law_launch *made)
{
    *made = (struct rd_law_launch){
        .index = (size_t)(launch - run->law->launches),
        .kernel = launch->kernel,
        .counter = launch->counter,
        .cooperative = launch->cooperative,
        .spoils_inputs = launch->spoils_inputs,
        .n_operands = launch->n_operands,
    };
    for (unsigned k = 0; k < launch->n_operands; k++)
        if (!make_operand(run, &launch->operands[k], &made->operands[k]))
            return false;
    return find_threads(run, launch, made) && count_of(run, launch->count, &made->count) &&
           count_of(run, launch->shared, &made->shared) &&
           count_of(run, launch->reads, &made->reads) &&
           count_of(run, launch->writes, &made->writes);
}

/* ---- the interface ---- */

size_t rd_law_launch_count(const struct rd_law *law)
{
    return law->n_launches;
}

const char *rd_law_launch_kernel(const struct rd_law *law, size_t index)
{
    return index < law->n_launches ? law->launches[index].kernel : NULL;
}

bool rd_law_launches_pass(const struct rd_law *law, size_t input)
{
    for (size_t k = 0; k < law->n_launches; k++)
        for (unsigned o = 0; o < law->launches[k].n_operands; o++)
            if (law->launches[k].operands[o].kind == RD_LAW_OPERAND_INPUT &&
                law->launches[k].operands[o].input == input)
                return true;
    return false;
}

enum rd_status rd_law_launch(struct rd_law_run *run, uint64_t round, struct rd_law_launch *launch,
                             bool *found, struct rd_law_error *error)
{
    const struct rd_law *law = run->law;
    const struct rd_law_place place = {.d = round};
    struct rd_law_launch made;
    bool holds = false;
    rd_law_run_begin(run, error);
    if (!rd_law_run_go(run, law->sections[0], &place))
        return run->status;
    for (size_t k = 0; !holds && k < law->n_launches; k++) {
        const struct law_launch *next = &law->launches[k];
        holds = round == 1;
        if (next->when && !rd_law_condition(run, next->when, &holds))
            return run->status;
        if (holds && !make_launch(run, next, &made))
            return run->status;
    }
    *found = holds;
    if (holds)
        *launch = made;
    return RD_OK;
}
