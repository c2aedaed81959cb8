// SPDX-License-Identifier: MIT
/* The live cells of a law as a progression: from the ranges of its claims, and not cell by cell. */
#include "law/cells.h"

/* The values of a variable: first, first + step, …, count of them. */
struct values {
    int64_t first, step, count;
};

/* The conditions on a variable, as far as they were read. */
struct range {
    int64_t least, most;
    int64_t residue, modulus; /* 0: none */
    bool determined;          /* by others: each of their cases gives it one value */
};

struct reading {
    struct rd_law_run *run;
    struct range ranges[LAW_VARIABLES_MAX];
};

static bool is_closed(const struct law_node *node)
{
    return rd_law_variables(node) == 0;
}

/* Tells whether no value of it is below 0. */
static bool never_negative(struct rd_law_run *run, const struct law_node *node)
{
    int64_t value;
    if (node->meaning == LAW_IS_VARIABLE)
        return true;
    if (node->kind == LAW_FUNCTION && !never_negative(run, node->definition->equations[0].body))
        return false;
    if (is_closed(node) && node->kind != LAW_FUNCTION)
        return rd_law_number(run, node, &value) && value >= 0;
    if (node->kind == LAW_BINARY
            ? node->op == LAW_SUBTRACT
            : node->kind != LAW_FUNCTION && !(node->kind == LAW_CALL && node->op == LAW_FLOOR))
        return false;
    for (size_t k = 0; k < node->n_kids; k++)
        if (!never_negative(run, node->kids[k]))
            return false;
    return true;
}

/* variable `relation` number */
static bool read_bound(struct range *range, enum law_relation relation, int64_t number)
{
    if (relation == LAW_NOT_EQUAL || (relation == LAW_LESS && number == INT64_MIN) ||
        (relation == LAW_GREATER && number == INT64_MAX))
        return false;
    const bool below = relation == LAW_LESS || relation == LAW_LESS_EQUAL;
    const bool above = relation == LAW_GREATER || relation == LAW_GREATER_EQUAL;
    const int64_t most = number - (relation == LAW_LESS);
    const int64_t least = number + (relation == LAW_GREATER);
    if (!above && most < range->most)
        range->most = most;
    if (!below && least > range->least)
        range->least = least;
    return true;
}

/* A comparison of a variable, on that side, with a number or with what determines it. */
static bool read_side(struct reading *reading, const struct law_node *atom, unsigned side)
{
    const struct law_node *variable = atom->kids[side], *other = atom->kids[!side];
    const enum law_relation relation =
        side ? rd_law_relation_mirrored(atom->relations[0]) : atom->relations[0];
    int64_t number;
    if (variable->meaning != LAW_IS_VARIABLE)
        return false;
    struct range *range = &reading->ranges[variable->slot];
    if (is_closed(other))
        return rd_law_number(reading->run, other, &number) && read_bound(range, relation, number);
    if (relation != LAW_EQUAL || range->determined ||
        (rd_law_variables(other) & 1u << variable->slot) || !never_negative(reading->run, other))
        return false;
    range->determined = true;
    return true;
}

static bool read_congruence(struct reading *reading, const struct law_node *atom)
{
    const struct law_node *variable = atom->kids[0];
    if (variable->meaning != LAW_IS_VARIABLE || !is_closed(atom->kids[1]) ||
        !is_closed(atom->kids[2]))
        return false;
    struct range *range = &reading->ranges[variable->slot];
    return range->modulus == 0 && rd_law_number(reading->run, atom->kids[1], &range->residue) &&
           rd_law_number(reading->run, atom->kids[2], &range->modulus) && range->residue >= 0 &&
           range->modulus > range->residue;
}

static bool read_atom(struct reading *reading, const struct law_node *atom)
{
    if (atom->kind == LAW_CONGRUENCE)
        return read_congruence(reading, atom);
    return atom->kind == LAW_COMPARISON &&
           (read_side(reading, atom, 0) || read_side(reading, atom, 1));
}

static bool read_values(const struct range *range, struct values *values)
{
    const int64_t step = range->modulus ? range->modulus : 1;
    int64_t first = range->least, behind = (first - range->residue) % step;
    if (range->determined) {
        *values = (struct values){.step = 1, .count = 1};
        return range->least == 0 && range->most == INT64_MAX && range->modulus == 0;
    }
    if (range->most == INT64_MAX)
        return false;
    if (behind != 0 && __builtin_add_overflow(first, behind < 0 ? -behind : step - behind, &first))
        return false;
    *values = (struct values){
        .first = first,
        .step = step,
        .count = range->most < first ? 0 : (range->most - first) / step + 1,
    };
    return true;
}

/* ---- progressions ---- */

/* offset + the sum of slopes[slot] times the variable */
struct form {
    int64_t offset, slopes[LAW_VARIABLES_MAX];
};

static bool add_linear(struct rd_law_run *run, const struct law_node *node, int64_t factor,
                       struct form *form)
{
    int64_t number;
    if (is_closed(node))
        return rd_law_number(run, node, &number) &&
               !__builtin_mul_overflow(number, factor, &number) &&
               !__builtin_add_overflow(form->offset, number, &form->offset);
    if (node->meaning == LAW_IS_VARIABLE)
        return !__builtin_add_overflow(form->slopes[node->slot], factor, &form->slopes[node->slot]);
    if (node->kind != LAW_BINARY || (node->op != LAW_ADD && node->op != LAW_TIMES))
        return false;
    if (node->op == LAW_ADD)
        return add_linear(run, node->kids[0], factor, form) &&
               add_linear(run, node->kids[1], factor, form);
    const unsigned closed = !is_closed(node->kids[0]);
    return is_closed(node->kids[closed]) && rd_law_number(run, node->kids[closed], &number) &&
           !__builtin_mul_overflow(factor, number, &factor) &&
           add_linear(run, node->kids[!closed], factor, form);
}

/* Puts the cells of a variable's values around those of the variables with smaller slopes. */
static bool widen(struct rd_law_progression *cells, int64_t slope, const struct values *values)
{
    int64_t start, stride;
    if (values->count < 1) {
        cells->count = 0;
        return true;
    }
    if (__builtin_mul_overflow(values->first, slope, &start) ||
        __builtin_mul_overflow(values->step, slope, &stride) ||
        __builtin_add_overflow(cells->first, start, &cells->first))
        return false;
    if (slope == 0 || (values->count == 1 && cells->stride > 0))
        return true;
    if (cells->count <= 1)
        cells->stride = stride;
    else if (cells->stride * cells->count != stride)
        return false;
    return !__builtin_mul_overflow(cells->count, values->count, &cells->count);
}

/* The variable with the least slope of at least `from`, which is not done. */
static const struct law_variable *next_variable(const struct law_binding *binding,
                                                const struct form *form, uint32_t done)
{
    const struct law_variable *next = NULL;
    for (size_t k = 0; k < binding->n_variables; k++) {
        const struct law_variable *variable = &binding->variables[k];
        if (!(done & 1u << variable->slot) &&
            (!next || form->slopes[variable->slot] < form->slopes[next->slot]))
            next = variable;
    }
    return next;
}

/* The cells of a claim whose ranges were read. */
static bool lay_out(const struct reading *reading, const struct law_claim *claim,
                    struct rd_law_progression *cells)
{
    struct form form = {0};
    uint32_t done = 0;
    *cells = (struct rd_law_progression){.count = 1};
    if (!add_linear(reading->run, claim->cell->kids[0], 1, &form))
        return false;
    cells->first = form.offset;
    for (size_t k = 0; claim->binding && k < claim->binding->n_variables; k++) {
        const struct law_variable *variable = next_variable(claim->binding, &form, done);
        const struct range *range = &reading->ranges[variable->slot];
        const int64_t slope = form.slopes[variable->slot];
        struct values values;
        done |= 1u << variable->slot;
        if (slope < 0 || !read_values(range, &values) || (range->determined && slope != 0) ||
            !widen(cells, slope, &values))
            return false;
    }
    return true;
}

static bool hold(struct rd_law_run *run, struct law_node *const *checks, size_t count, bool *holds)
{
    for (size_t k = 0; k < count && *holds; k++)
        if (!rd_law_condition(run, checks[k], holds))
            return false;
    return true;
}

static bool read_claim(struct rd_law_run *run, const struct law_claim *claim,
                       struct rd_law_progression *cells)
{
    struct reading reading = {.run = run};
    bool holds = true;
    if (claim->whole) {
        *cells = (struct rd_law_progression){.stride = 1};
        return rd_law_count(run, run->section->array, &cells->count);
    }
    for (unsigned slot = 0; slot < LAW_VARIABLES_MAX; slot++)
        reading.ranges[slot].most = INT64_MAX;
    const struct law_plan *plan = claim->binding ? claim->binding->plan : NULL;
    if (plan && rd_law_plan_here(run, plan)->in_order)
        return false; /* conditions are read here in any order */
    if (plan && (!hold(run, plan->checks, plan->n_checks, &holds) ||
                 !hold(run, claim->binding->begins, claim->binding->n_begins, &holds)))
        return false;
    if (!holds) {
        *cells = (struct rd_law_progression){.stride = 1};
        return true;
    }
    for (size_t level = 0; plan && level < plan->n_levels; level++)
        for (size_t k = 0; k < plan->levels[level].n_checks; k++)
            if (!read_atom(&reading, plan->levels[level].checks[k]))
                return false;
    if (run->section->array->n_sizes == 0) {
        *cells = (struct rd_law_progression){.count = 1, .stride = 1};
        return true;
    }
    return run->section->array->n_sizes == 1 && lay_out(&reading, claim, cells);
}

/* Appends what lies behind the last cell, in the same stride. */
static bool append(struct rd_law_progression *all, const struct rd_law_progression *more)
{
    if (more->count == 0)
        return true;
    if (all->count == 0) {
        *all = *more;
        return true;
    }
    const int64_t stride = all->count > 1 ? all->stride : more->first - all->first;
    if (stride < 1 || more->first != all->first + all->count * stride ||
        (more->count > 1 && more->stride != stride))
        return false;
    all->stride = stride;
    all->count += more->count;
    return true;
}

static bool read_claims(struct rd_law_run *run, struct rd_law_progression *cells)
{
    const struct law_claims *claims = &run->section->claims[RD_LAW_LAW];
    int64_t size;
    *cells = (struct rd_law_progression){0};
    for (size_t k = 0; k < claims->count; k++) {
        const struct law_claim *claim = &claims->claims[k];
        struct rd_law_progression of_claim;
        bool active = true;
        if (claim->when && !rd_law_condition(run, claim->when, &active))
            return false;
        if (active && (!read_claim(run, claim, &of_claim) || !append(cells, &of_claim)))
            return false;
    }
    if (cells->stride < 1)
        cells->stride = 1;
    return rd_law_count(run, run->section->array, &size) &&
           (cells->count == 0 ||
            (cells->first >= 0 && cells->count - 1 <= (size - 1 - cells->first) / cells->stride &&
             cells->first < size));
}

/* Tells whether the cells, as a list, are a progression. */
static bool find_progression(const struct rd_law_cells *list, struct rd_law_progression *cells)
{
    const size_t count = list->count;
    *cells = (struct rd_law_progression){.stride = 1, .count = (int64_t)count};
    if (count > 0)
        cells->first = (int64_t)list->cells[0];
    if (count > 1)
        cells->stride = (int64_t)(list->cells[1] - list->cells[0]);
    for (size_t k = 1; k < count; k++)
        if (list->cells[k] - list->cells[k - 1] != (uint64_t)cells->stride)
            return false;
    return list->n_outside == 0;
}

enum rd_status rd_law_live(struct rd_law_run *run, const struct rd_law_section *section,
                           const struct rd_law_place *place, struct rd_law_progression *cells,
                           bool *regular, struct rd_law_error *error)
{
    struct rd_law_error why = {0};
    struct rd_law_cells list;
    rd_law_run_begin(run, &why);
    *regular = rd_law_run_go(run, section, place) && read_claims(run, cells);
    if (run->status != RD_ERROR_USAGE) {
        if (run->status != RD_OK && error)
            *error = why;
        run->error = error;
        return run->status;
    }
    /* what is undefined may be so of cells that the law never comes to */
    const enum rd_status status =
        rd_law_cells_init(&list, run, section, place, RD_LAW_NO_INPUT, error);
    if (status == RD_OK) {
        *regular = find_progression(&list, cells);
        rd_law_cells_finish(&list);
    }
    return status;
}
