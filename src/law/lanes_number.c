// SPDX-License-Identifier: MIT
/* Numbers and conditions as codes. */
#include "law/lanes.h"

#include <string.h>

enum { CODE_MAX = 96, DEFINITIONS_MAX = 80, NUMBERS_DEEP = 100, NUMBERS_MAX = 1000 };

/* A code in the making. */
struct building {
    struct lane_code_step steps[CODE_MAX];
    size_t count;
    uint64_t variables, curved;
};

/* ---- making ---- */

static bool add_step(struct building *building, enum lane_step step, int64_t number)
{
    if (building->count == CODE_MAX)
        return false;
    building->steps[building->count++] = (struct lane_code_step){step, number};
    return true;
}

/* Tells whether the steps from `first` on are a constant. */
static bool ends_constant(const struct building *building, size_t first)
{
    return building->count == first + 1 && building->steps[first].step == LANE_CONSTANT;
}

static bool make(struct lane_maker *maker, const struct lane_names *names,
                 const struct law_node *node, struct building *building);

/* Combines the dependences of an operation's two sides. */
struct reach {
    uint64_t variables, curved;
};

static void unite(struct building *building, enum lane_step step, const struct reach *left,
                  const struct reach *right)
{
    const uint64_t variables = left->variables | right->variables;
    uint64_t curved = left->curved | right->curved;
    if (step == LANE_TIMES && left->variables != 0 && right->variables != 0)
        curved = variables;
    if (step != LANE_ADD && step != LANE_SUBTRACT && step != LANE_NEGATIVE && step != LANE_TIMES)
        curved = variables;
    building->variables = variables;
    building->curved = curved;
}

/* Gives up where what was made from `first` on is below 0. */
static bool add_natural(struct building *building, size_t first)
{
    return ends_constant(building, first) ? building->steps[first].number >= 0
                                          : add_step(building, LANE_NATURAL, 0);
}

static bool make_two(struct lane_maker *maker, const struct lane_names *names, enum lane_step step,
                     const struct law_node *x, const struct law_node *y, bool natural,
                     struct building *building)
{
    const size_t first = building->count;
    struct reach left, right;
    int64_t folded;
    building->variables = building->curved = 0;
    if (!make(maker, names, x, building) || (natural && !add_natural(building, first)))
        return false;
    left.variables = building->variables;
    left.curved = natural ? building->variables : building->curved;
    const size_t second = building->count;
    const bool left_is_constant =
        building->steps[first].step == LANE_CONSTANT && second == first + 1;
    building->variables = building->curved = 0;
    if (!make(maker, names, y, building) || (natural && !add_natural(building, second)))
        return false;
    right.variables = building->variables;
    right.curved = building->curved;
    unite(building, step, &left, &right);
    if (left_is_constant && ends_constant(building, second)) {
        if (!rd_lane_of_two(step, building->steps[first].number, building->steps[second].number,
                            &folded))
            return false;
        building->count = first;
        return add_step(building, LANE_CONSTANT, folded);
    }
    return add_step(building, step, 0);
}

static bool make_one(struct lane_maker *maker, const struct lane_names *names, enum lane_step step,
                     const struct law_node *x, struct building *building)
{
    const size_t first = building->count;
    int64_t folded;
    if (!make(maker, names, x, building))
        return false;
    if (step != LANE_NEGATIVE)
        building->curved = building->variables;
    if (!ends_constant(building, first))
        return add_step(building, step, 0);
    if (!rd_lane_of_one(step, building->steps[first].number, &folded))
        return false;
    building->steps[first].number = folded;
    return true;
}

static bool make_extreme(struct lane_maker *maker, const struct lane_names *names,
                         const struct law_node *node, struct building *building)
{
    const size_t first = building->count;
    uint64_t variables = 0;
    bool constant = true;
    int64_t result = 0;
    for (size_t k = 0; k < node->n_kids; k++) {
        const size_t second = building->count;
        building->variables = building->curved = 0;
        if (!make(maker, names, node->kids[k], building))
            return false;
        variables |= building->variables;
        constant &= ends_constant(building, second);
        if (constant) {
            const int64_t other = building->steps[second].number;
            result =
                k == 0 || (node->op == LAW_MIN ? other < result : other > result) ? other : result;
        }
        if (k > 0 && !add_step(building, node->op == LAW_MIN ? LANE_MIN : LANE_MAX, 0))
            return false;
        if (constant) {
            building->count = first;
            if (!add_step(building, LANE_CONSTANT, result))
                return false;
        }
    }
    building->variables = building->curved = variables;
    return true;
}

static bool make_call(struct lane_maker *maker, const struct lane_names *names,
                      const struct law_node *node, struct building *building)
{
    static const enum lane_step steps[LAW_FUNCTION_COUNT] = {
        [LAW_ABS] = LANE_ABS,
        [LAW_LOG2] = LANE_LOG2,
        [LAW_BIT_CEIL] = LANE_BIT_CEIL,
        [LAW_FLOOR_ROOT] = LANE_FLOOR_ROOT,
        [LAW_CEIL_ROOT] = LANE_CEIL_ROOT,
    };
    if (node->op == LAW_MIN || node->op == LAW_MAX)
        return make_extreme(maker, names, node, building);
    if (node->op == LAW_FLOOR || node->op == LAW_CEIL)
        return make_two(maker, names, node->op == LAW_FLOOR ? LANE_QUOTIENT : LANE_CEILING,
                        node->kids[0], node->kids[1], false, building);
    return make_one(maker, names, steps[node->op], node->kids[0], building);
}

static bool make_binary(struct lane_maker *maker, const struct lane_names *names,
                        const struct law_node *node, struct building *building)
{
    static const enum lane_step steps[LAW_OPERATOR_COUNT] = {
        [LAW_ADD] = LANE_ADD,      [LAW_SUBTRACT] = LANE_SUBTRACT, [LAW_XOR] = LANE_XOR,
        [LAW_TIMES] = LANE_TIMES,  [LAW_POWER] = LANE_POWER,       [LAW_SLASH] = LANE_QUOTIENT,
        [LAW_DIV] = LANE_QUOTIENT, [LAW_PERCENT] = LANE_REMAINDER, [LAW_MOD] = LANE_REMAINDER,
    };
    return make_two(maker, names, steps[node->op], node->kids[0], node->kids[1],
                    node->op == LAW_SLASH || node->op == LAW_PERCENT, building);
}

static const struct law_equation *equation_of(const struct law_definition *definition,
                                              int64_t index)
{
    const struct law_equation *found = NULL;
    if (definition->kind != LAW_LET_FAMILY)
        return definition->equations;
    for (size_t k = 0; k < definition->n_equations; k++) {
        const struct law_equation *equation = &definition->equations[k];
        if (!equation->successor && equation->index == index)
            return equation;
        if (equation->successor && index > 0)
            found = equation;
    }
    return found;
}

struct lane_names *rd_lane_enter(struct lane_maker *maker, const struct lane_names *names,
                                 const struct law_node *node, int64_t index,
                                 const struct law_node **body)
{
    const bool family = node->definition->kind == LAW_LET_FAMILY;
    const struct law_equation *equation = equation_of(node->definition, index);
    if (!equation || maker->depth == DEFINITIONS_MAX ||
        equation->n_parameters + 1 > LAW_VARIABLES_MAX)
        return NULL;
    struct lane_names *inner = rd_law_arena_get(&maker->lanes->arena, sizeof *inner);
    if (!inner)
        return NULL;
    for (size_t k = 0; k < equation->n_parameters; k++)
        inner->slots[k] = (struct lane_name){
            .kind = LANE_NAME_EXPRESSION, .node = node->kids[k + family], .names = names};
    if (equation->successor)
        inner->slots[equation->n_parameters] =
            (struct lane_name){.kind = LANE_NAME_NUMBER, .number = index - 1};
    *body = equation->body;
    return inner;
}

/* NAME, NAME(x) or NAME_k(x) of a number. */
static bool make_defined(struct lane_maker *maker, const struct lane_names *names,
                         const struct law_node *node, struct building *building)
{
    const struct law_node *body;
    int64_t index = 0;
    if (node->definition->kind == LAW_LET_FAMILY) {
        struct lane_code code;
        if (!rd_lane_number(maker, names, node->kids[0], &code) || !rd_lane_is_constant(&code))
            return false;
        index = code.steps[0].number;
    }
    struct lane_names *inner = rd_lane_enter(maker, names, node, index, &body);
    if (!inner)
        return false;
    maker->depth++;
    bool made = make(maker, inner, body, building);
    maker->depth--;
    return made;
}

static bool make_named(struct lane_maker *maker, const struct lane_names *names,
                       const struct law_node *node, struct building *building)
{
    if (node->meaning == LAW_IS_DEFINITION)
        return make_defined(maker, names, node, building);
    if (node->meaning == LAW_IS_QUANTITY) {
        if (node->slot == LAW_B && !maker->lanes->has_b)
            return false;
        if (node->slot == LAW_N || node->slot == LAW_T || node->slot == LAW_B)
            return add_step(building, LANE_CONSTANT, maker->lanes->quantities[node->slot]);
        /* The block is a variable where several are worked out side by side. */
        building->variables = node->slot == LAW_BLOCK ? RD_LANE_BLOCK : 0;
        return add_step(building, LANE_VARIABLE, (int64_t)node->slot);
    }
    if (node->meaning != LAW_IS_VARIABLE || node->slot >= LAW_VARIABLES_MAX)
        return false;
    const struct lane_name *name = &names->slots[node->slot];
    switch (name->kind) {
    case LANE_NAME_VARIABLE:
        building->variables = (uint64_t)1 << name->variable;
        return add_step(building, LANE_VARIABLE, (int64_t)name->variable);
    case LANE_NAME_NUMBER:
        return add_step(building, LANE_CONSTANT, name->number);
    case LANE_NAME_EXPRESSION:
        return make(maker, name->names, name->node, building);
    default:
        return false;
    }
}

static bool make_any(struct lane_maker *maker, const struct lane_names *names,
                     const struct law_node *node, struct building *building)
{
    building->variables = building->curved = 0;
    switch (node->kind) {
    case LAW_NUMBER:
        return add_step(building, LANE_CONSTANT, node->number);
    case LAW_NAME:
        return make_named(maker, names, node, building);
    case LAW_CALL:
        return make_call(maker, names, node, building);
    case LAW_FUNCTION:
    case LAW_FAMILY:
        return make_defined(maker, names, node, building);
    case LAW_NEGATIVE:
        return make_one(maker, names, LANE_NEGATIVE, node->kids[0], building);
    case LAW_BINARY:
        return make_binary(maker, names, node, building);
    default:
        return false;
    }
}

static bool make(struct lane_maker *maker, const struct lane_names *names,
                 const struct law_node *node, struct building *building)
{
    if (maker->number_depth == NUMBERS_DEEP || maker->n_numbers == NUMBERS_MAX)
        return false;
    maker->n_numbers++;
    maker->number_depth++;
    const size_t first = building->count;
    const bool made = make_any(maker, names, node, building);
    maker->number_depth--;
    return made && (!node->begins || (node->begins_from >= 0 && add_natural(building, first)));
}

/* Number of stack entries that the code takes. */
static size_t height_of(const struct building *building)
{
    size_t top = 0, most = 0;
    for (size_t k = 0; k < building->count; k++) {
        const enum lane_step step = building->steps[k].step;
        if (step == LANE_CONSTANT || step == LANE_VARIABLE)
            top++;
        else if (!rd_lane_is_of_one(step))
            top--;
        most = top > most ? top : most;
    }
    return most;
}

static bool keep(struct lane_maker *maker, const struct building *building, struct lane_code *code)
{
    const size_t size_bytes = building->count * sizeof *code->steps;
    struct lane_code_step *steps = rd_law_arena_get(&maker->lanes->arena, size_bytes);
    if (!steps || height_of(building) > LANE_STACK)
        return false;
    memcpy(steps, building->steps, size_bytes);
    *code = (struct lane_code){building->count, steps, building->variables, building->curved};
    return true;
}

bool rd_lane_number(struct lane_maker *maker, const struct lane_names *names,
                    const struct law_node *node, struct lane_code *code)
{
    struct building building = {.count = 0};
    maker->n_numbers = maker->number_depth > 0 ? maker->n_numbers : 0;
    return !node->data && make(maker, names, node, &building) && keep(maker, &building, code);
}

void rd_lane_constant(struct lane_maker *maker, int64_t number, struct lane_code *code)
{
    struct building building = {.count = 1, .steps = {{LANE_CONSTANT, number}}};
    if (!keep(maker, &building, code))
        *code = (struct lane_code){.count = 0};
}

/* ---- conditions ---- */

static bool append(struct building *building, const struct lane_code *code)
{
    if (CODE_MAX - building->count < code->count)
        return false;
    memcpy(building->steps + building->count, code->steps, code->count * sizeof *code->steps);
    building->count += code->count;
    building->variables |= code->variables;
    building->curved |= code->curved;
    return true;
}

/* A condition that may hold at both ends of a line and not between them. */
static bool bend(struct building *building)
{
    building->curved = building->variables;
    return true;
}

bool rd_lane_relation(struct lane_maker *maker, const struct lane_code *left,
                      enum law_relation relation, const struct lane_code *right,
                      struct lane_code *code)
{
    const bool mirrored = relation == LAW_GREATER || relation == LAW_GREATER_EQUAL;
    const enum lane_step step = relation == LAW_EQUAL || relation == LAW_NOT_EQUAL ? LANE_EQUAL
                                : relation == LAW_LESS || relation == LAW_GREATER  ? LANE_LESS
                                                                                  : LANE_LESS_EQUAL;
    struct building building = {.count = 0};
    return append(&building, mirrored ? right : left) &&
           append(&building, mirrored ? left : right) && add_step(&building, step, 0) &&
           (relation != LAW_NOT_EQUAL || (add_step(&building, LANE_NOT, 0) && bend(&building))) &&
           keep(maker, &building, code);
}

static bool make_chain(struct lane_maker *maker, const struct lane_names *names,
                       const struct law_node *node, struct building *building)
{
    for (size_t k = 0; k + 1 < node->n_kids; k++) {
        struct lane_code left, right, both;
        if (!rd_lane_number(maker, names, node->kids[k], &left) ||
            !rd_lane_number(maker, names, node->kids[k + 1], &right) ||
            !rd_lane_relation(maker, &left, node->relations[k], &right, &both) ||
            !append(building, &both) || (k > 0 && !add_step(building, LANE_AND, 0)))
            return false;
    }
    return true;
}

static bool make_congruence(struct lane_maker *maker, const struct lane_names *names,
                            const struct law_node *node, struct building *building)
{
    struct lane_code x, y, modulus;
    return rd_lane_number(maker, names, node->kids[0], &x) &&
           rd_lane_number(maker, names, node->kids[1], &y) &&
           rd_lane_number(maker, names, node->kids[2], &modulus) && append(building, &x) &&
           append(building, &modulus) && add_step(building, LANE_REMAINDER, 0) &&
           append(building, &y) && append(building, &modulus) &&
           add_step(building, LANE_REMAINDER, 0) && add_step(building, LANE_EQUAL, 0) &&
           bend(building);
}

/* Both sides are evaluated: where the one to the right has a value only if the left says so, apply.c is asked. */
static bool make_condition(struct lane_maker *maker, const struct lane_names *names,
                           const struct law_node *node, struct building *building)
{
    switch (node->kind) {
    case LAW_COMPARISON:
        return make_chain(maker, names, node, building);
    case LAW_CONGRUENCE:
        return make_congruence(maker, names, node, building);
    case LAW_NOT:
        return make_condition(maker, names, node->kids[0], building) &&
               add_step(building, LANE_NOT, 0) && bend(building);
    case LAW_LOGIC:
        return make_condition(maker, names, node->kids[0], building) &&
               make_condition(maker, names, node->kids[1], building) &&
               add_step(building, node->op == LAW_AND ? LANE_AND : LANE_OR, 0) &&
               (node->op == LAW_AND || bend(building));
    default:
        return false;
    }
}

bool rd_lane_condition(struct lane_maker *maker, const struct lane_names *names,
                       const struct law_node *node, struct lane_code *code)
{
    struct building building = {.count = 0};
    return make_condition(maker, names, node, &building) && keep(maker, &building, code);
}
