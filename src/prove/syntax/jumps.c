// SPDX-License-Identifier: MIT
/* Loops without `continue` and `break`, as far as that is a matter of form:
 *
 *      if (c) continue; rest        if (c) {} else { rest }
 *      if (c) A else continue; rest if (c) { A rest }
 *      for (; a; s) { if (b) break; rest }      for (; a && !b; s) { rest }
 *
 * `continue` at the end of a loop's body does nothing. Others stay, and who executes the loop refuses them. */
#include "prove/syntax/reader.h"

#include <string.h>

typedef const struct rd_syntax_node *node;

/* A node at the place of another. */
static struct rd_syntax_node *make_at(struct rd_syntax_reader *reader, enum rd_syntax_kind kind,
                                      node place, size_t n_kids, node **kids)
{
    struct rd_syntax_node *made =
        rd_syntax_allocate(&reader->unit->memory, sizeof(struct rd_syntax_node));
    node *all = rd_syntax_allocate(&reader->unit->memory, (n_kids + 1) * sizeof *all);
    if (!made || !all) {
        reader->failed = true;
        return NULL;
    }
    *made = (struct rd_syntax_node){.kind = kind,
                                    .n_kids = n_kids,
                                    .kids = all,
                                    .file = place->file,
                                    .line = place->line,
                                    .column = place->column};
    *kids = all;
    return made;
}

/* ---- continue ---- */

static bool has_continue(node of)
{
    bool has = of && of->kind == RD_SYNTAX_CONTINUE;
    if (of &&
        (of->kind == RD_SYNTAX_FOR || of->kind == RD_SYNTAX_WHILE || of->kind == RD_SYNTAX_DO))
        return false; /* it is that loop's */
    for (size_t k = 0; of && k < of->n_kids && !has; k++)
        has = has_continue(of->kids[k]);
    return has;
}

/* The statement is `continue`, or a block that ends with it. */
static bool ends_with_continue(node of)
{
    while (of && of->kind == RD_SYNTAX_BLOCK && of->n_kids > 0)
        of = of->kids[of->n_kids - 1];
    return of && of->kind == RD_SYNTAX_CONTINUE;
}

static node lower(struct rd_syntax_reader *reader, node block, node rest);

/* A branch of an `if` behind which `rest`, which may be NULL, is executed where the branch doesn't go on with the next trip. */
static node branch(struct rd_syntax_reader *reader, node of, node rest, node place)
{
    node *kids;
    if (of && of->kind == RD_SYNTAX_BLOCK)
        return lower(reader, of, rest);
    struct rd_syntax_node *block =
        make_at(reader, RD_SYNTAX_BLOCK, of ? of : place, of ? 1 : 0, &kids);
    if (block && of)
        kids[0] = of;
    return block ? lower(reader, block, rest) : NULL;
}

/* An `if` of which a branch ends with `continue`: what follows is a part of the other. */
static node lower_if(struct rd_syntax_reader *reader, node of, node rest)
{
    node *kids;
    struct rd_syntax_node *made = make_at(reader, RD_SYNTAX_IF, of, 3, &kids);
    if (!made)
        return NULL;
    kids[0] = of->kids[0];
    kids[1] = branch(reader, of->kids[1], rest, of);
    kids[2] = branch(reader, of->n_kids > 2 ? of->kids[2] : NULL, rest, of);
    return kids[1] && kids[2] ? made : NULL;
}

/* The statements from `first` on, as a block. */
static node statements_from(struct rd_syntax_reader *reader, node block, size_t first)
{
    node *kids;
    struct rd_syntax_node *made =
        make_at(reader, RD_SYNTAX_BLOCK, block, block->n_kids - first, &kids);
    if (made)
        memcpy(kids, block->kids + first, (block->n_kids - first) * sizeof *kids);
    return made;
}

/* The block, and behind it `rest`, without the `continue` at ends of branches. */
static node lower(struct rd_syntax_reader *reader, node block, node rest)
{
    size_t n = 0;
    node *kids;
    bool jumps = false, is_if = false;
    for (; n < block->n_kids && !jumps; n++) {
        node kid = block->kids[n];
        is_if =
            kid->kind == RD_SYNTAX_IF && (ends_with_continue(kid->kids[1]) ||
                                          (kid->n_kids > 2 && ends_with_continue(kid->kids[2])));
        jumps = is_if || kid->kind == RD_SYNTAX_CONTINUE;
    }
    const size_t kept = jumps ? n - 1 : n, more = is_if || (!jumps && rest);
    struct rd_syntax_node *made = make_at(reader, RD_SYNTAX_BLOCK, block, kept + more, &kids);
    if (!made)
        return NULL;
    memcpy(kids, block->kids, kept * sizeof *kids);
    if (!is_if) {
        if (more)
            kids[kept] = rest;
        return made;
    }
    node behind = n < block->n_kids ? statements_from(reader, block, n) : rest;
    if (n < block->n_kids && behind)
        behind = lower(reader, behind, rest);
    return (kids[kept] = lower_if(reader, block->kids[n - 1], behind)) ? made : NULL;
}

/* ---- break ---- */

/* `if (b) break;` */
static bool is_guarded_break(node of)
{
    node then = of->kind == RD_SYNTAX_IF && of->n_kids == 2 ? of->kids[1] : NULL;
    while (then && then->kind == RD_SYNTAX_BLOCK && then->n_kids == 1)
        then = then->kids[0];
    return then && then->kind == RD_SYNTAX_BREAK;
}

static node negated(struct rd_syntax_reader *reader, node condition)
{
    static const char *const opposites[][2] = {{"<", ">="}, {">=", "<"},  {">", "<="},
                                               {"<=", ">"}, {"==", "!="}, {"!=", "=="}};
    node *kids;
    const bool compares = condition->kind == RD_SYNTAX_BINARY && condition->op &&
                          condition->kids[0]->type && condition->kids[1]->type &&
                          rd_syntax_is_integer(condition->kids[0]->type) &&
                          rd_syntax_is_integer(condition->kids[1]->type);
    for (size_t k = 0; compares && k < sizeof opposites / sizeof *opposites; k++)
        if (strcmp(condition->op, opposites[k][0]) == 0) {
            struct rd_syntax_node *made = make_at(reader, RD_SYNTAX_BINARY, condition, 2, &kids);
            if (!made)
                return NULL;
            made->op = opposites[k][1];
            made->type = condition->type;
            memcpy(kids, condition->kids, 2 * sizeof *kids);
            return made;
        }
    struct rd_syntax_node *made = make_at(reader, RD_SYNTAX_UNARY, condition, 1, &kids);
    if (!made)
        return NULL;
    made->op = "!";
    made->type = condition->type;
    kids[0] = condition;
    return made;
}

static bool is_true(node condition)
{
    while (condition && condition->kind == RD_SYNTAX_CAST)
        condition = condition->kids[0];
    return !condition || (condition->kind == RD_SYNTAX_NUMBER && condition->number != 0);
}

/* The condition, and that b doesn't hold. An annotation's law stands in front of a condition: (law, condition). */
static node with_break(struct rd_syntax_reader *reader, node condition, node b)
{
    node *kids, inner = condition;
    while (inner && inner->kind == RD_SYNTAX_CAST)
        inner = inner->kids[0];
    const bool is_list = inner && inner->kind == RD_SYNTAX_BINARY && strcmp(inner->op, ",") == 0;
    node goes_on = negated(reader, b);
    if (!goes_on || is_true(condition))
        return goes_on;
    struct rd_syntax_node *made = make_at(reader, RD_SYNTAX_BINARY, condition, 2, &kids);
    if (!made)
        return NULL;
    made->op = is_list ? "," : "&&";
    made->type = goes_on->type;
    kids[0] = is_list ? inner->kids[0] : condition;
    kids[1] = is_list ? with_break(reader, inner->kids[1], b) : goes_on;
    return kids[1] ? made : NULL;
}

/* ---- loops ---- */

node rd_syntax_without_jumps(struct rd_syntax_reader *reader, node loop)
{
    const size_t body_at = loop->kind == RD_SYNTAX_FOR ? 3 : 1, condition_at = body_at == 3 ? 1 : 0;
    node body = loop->kids[body_at], condition = loop->kids[condition_at], *kids;
    const bool breaks =
        body->kind == RD_SYNTAX_BLOCK && body->n_kids > 1 && is_guarded_break(body->kids[0]);
    if (!breaks && (body->kind != RD_SYNTAX_BLOCK || body->n_kids < 2 || !has_continue(body)))
        return loop;
    if (breaks) {
        if (!(condition = with_break(reader, condition, body->kids[0]->kids[0])))
            return NULL;
        body = statements_from(reader, body, 1);
    }
    if (body && has_continue(body))
        body = lower(reader, body, NULL);
    struct rd_syntax_node *made = make_at(reader, loop->kind, loop, loop->n_kids, &kids);
    if (!made || !body)
        return NULL;
    memcpy(kids, loop->kids, loop->n_kids * sizeof *kids);
    kids[condition_at] = condition;
    kids[body_at] = body;
    made->type = loop->type;
    return made;
}
