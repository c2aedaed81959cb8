// SPDX-License-Identifier: MIT
/* Sums that lanes make by shuffles, without a checkpoint: as the thread that writes one knows them.
 *
 *      for (o = 16; o > 0; o /= 2) v += __shfl_down_sync(~0u, v, o);
 *      if (t % 32 == 0) A[t / 32] = v;
 *
 * A lane that reads beyond its warp gets its own value, so the written-out sum has a choice for each lane that is read.
 * Where the path knows t mod 32 all are decided: what is left is f(t) + f(t + 1) + ... + f(t + 31), which is summed up
 * like the trips of a loop. */
#include "prove/kernel/loops.h"

enum { WARP = 32, PARTS_MIN = 5, REMAINDERS_MAX = 64 };

/* What a path knows of the thread: x mod modulus = rest, or, with a modulus of 0, x = rest. */
struct known_rest {
    rd_term x;
    rd_wide modulus, rest;
};

/* Finds it: the thread's number itself, or its remainder. */
static bool find_rest(const struct rd_execution *execution, rd_term path, struct known_rest *known)
{
    unsigned count;
    const rd_term *parts = rd_term_conjuncts(&path, &count);
    bool found = false;
    for (unsigned k = 0; k < count; k++)
        for (unsigned side = 0; side < 2 && parts[k]->kind == RD_TERM_EQUAL; side++) {
            const rd_term x = parts[k]->kids[side];
            rd_wide rest, modulus;
            if (!rd_term_is_number(parts[k]->kids[1 - side], &rest))
                continue;
            if (x == execution->thread) {
                *known = (struct known_rest){x, 0, rest};
                return true;
            }
            if (!found && x->kind == RD_TERM_MOD && rd_term_has(x, execution->thread) &&
                rd_term_is_number(x->kids[1], &modulus) && modulus > 0) {
                *known = (struct known_rest){x->kids[0], modulus, rest};
                found = true;
            }
        }
    return found;
}

/* Remainders that the path knows, and the numbers that they are. */
struct remainders {
    struct rd_terms *terms;
    const struct known_rest *known;
    unsigned count;
    rd_term from[REMAINDERS_MAX], to[REMAINDERS_MAX];
};

static void note_remainder(void *self, rd_term part)
{
    struct remainders *all = self;
    const struct known_rest *known = all->known;
    rd_wide modulus, more;
    if (part->kind != RD_TERM_MOD || all->count == REMAINDERS_MAX ||
        !rd_term_is_number(part->kids[1], &modulus) || modulus < 1 ||
        known->modulus % modulus != 0 ||
        !rd_term_is_number(rd_subtract(all->terms, part->kids[0], known->x), &more))
        return;
    all->from[all->count] = part;
    all->to[all->count++] =
        rd_number(all->terms, ((known->rest + more) % modulus + modulus) % modulus);
}

/* The value where the path holds, which knows the thread's remainder. */
static rd_term decided(struct rd_terms *terms, rd_term value, const struct known_rest *known)
{
    struct remainders all = {.terms = terms, .known = known};
    struct rd_seen seen = {0};
    const rd_term rest = rd_number(terms, known->rest);
    if (known->modulus == 0)
        return rd_replace(terms, value, 1, &known->x, &rest);
    rd_term_visit(value, &seen, note_remainder, &all);
    rd_seen_finish(&seen);
    return rd_replace(terms, value, all.count, all.from, all.to);
}

static rd_term at_lane(struct rd_execution *execution, rd_term f, rd_term lane)
{
    const rd_term other = rd_add(execution->terms, execution->thread, lane);
    return rd_replace(execution->terms, f, 1, &execution->thread, &other);
}

/* Tells whether it is f(t) + f(t + 1) + ... + f(t + count - 1). */
static bool repeats(struct rd_execution *execution, rd_term f, unsigned count, rd_term sum)
{
    struct rd_terms *terms = execution->terms;
    rd_term left = sum;
    for (unsigned lane = 0; lane < count; lane++) {
        left = rd_subtract(terms, left, at_lane(execution, f, rd_number(terms, lane)));
        if (left->kind == RD_TERM_SUM && left->n_kids >= count - lane)
            return false; /* it was none of its parts */
    }
    return left == rd_number(terms, 0);
}

/* Returns the f of which the sum is one; NULL: it is no such sum. */
static rd_term find_repeated(struct rd_execution *execution, rd_term sum)
{
    for (unsigned k = 0; k < sum->n_kids; k++)
        if (repeats(execution, sum->kids[k], sum->n_kids, sum))
            return sum->kids[k];
    return NULL;
}

/* The lane is one of the warp's, as an equation: the remainder of x + lane, where that of x is known. */
static rd_term is_remainder(struct rd_terms *terms, const struct known_rest *known, rd_term lane)
{
    const rd_term more =
        rd_subtract(terms, rd_add(terms, known->x, lane), rd_number(terms, known->rest));
    return rd_equal(terms, rd_mod(terms, more, rd_number(terms, known->modulus)), lane);
}

rd_term rd_sum_of_lanes(struct rd_execution *execution, struct state *state, rd_term value,
                        bool as_equation)
{
    struct rd_terms *terms = execution->terms;
    struct known_rest known;
    if (value->kind == RD_TERM_NUMBER || !find_rest(execution, state->path, &known))
        return value;
    const rd_term sum = decided(terms, value, &known);
    if (sum->kind != RD_TERM_SUM || sum->number != 0 || sum->n_kids < PARTS_MIN ||
        sum->n_kids > WARP)
        return value;
    const rd_term f = find_repeated(execution, sum);
    if (!f)
        return sum;
    const rd_term path = state->path,
                  lane = rd_constant(terms, rd_terms_text(terms, "lane@%u", execution->fresh++));
    rd_term_list_add(terms, &execution->heads, lane);
    const rd_term count = rd_number(terms, sum->n_kids),
                  is_lane = rd_within(terms, rd_number(terms, 0), lane, count);
    state->path = rd_and(terms, path, is_lane);
    const rd_term found = rd_sum_of_trips(
        execution, state, at_lane(execution, f, lane), lane,
        as_equation && known.modulus == sum->n_kids ? is_remainder(terms, &known, lane) : is_lane);
    state->path = path;
    return found ? found : sum;
}
