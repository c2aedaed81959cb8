// SPDX-License-Identifier: MIT
/* Instances of the lemmas, for the terms that occur in a goal. */
#include "prove/logic/lemma.h"
#include "prove/logic/lemma_internal.h"

#include <string.h>

/* Limits of the terms of a kind that are looked at, and of those of which pairs are made. */
enum { TERMS_MAX = 64, PAIRS_MAX = 12 };

struct terms_of_kind {
    rd_term all[TERMS_MAX];
    unsigned count;
};

struct found {
    struct rd_terms *terms;
    struct terms_of_kind numbers, quotients, powers, exponents, logs, ceils, products, sums;
    struct terms_of_kind equations, comparisons, roots;
    struct terms_of_kind
        limits; /* large numbers of what is to be shown: ends of types, and bounds */
    struct rd_term_list *instances;
};

static bool has(const struct terms_of_kind *kind, rd_term term)
{
    for (unsigned k = 0; k < kind->count; k++)
        if (kind->all[k] == term)
            return true;
    return false;
}

static void keep(struct terms_of_kind *kind, rd_term term)
{
    if (kind->count < TERMS_MAX && !has(kind, term))
        kind->all[kind->count++] = term;
}

/* A quotient and its remainder are kept as the one that is met first. */
static void keep_quotient(struct terms_of_kind *kind, rd_term term)
{
    for (unsigned k = 0; k < kind->count; k++)
        if (kind->all[k]->kids[0] == term->kids[0] && kind->all[k]->kids[1] == term->kids[1])
            return;
    keep(kind, term);
}

static void look_at(void *self, rd_term part)
{
    struct found *found = self;
    switch (part->kind) {
    case RD_TERM_DIV:
    case RD_TERM_MOD:
        keep_quotient(&found->quotients, part);
        break;
    case RD_TERM_PRODUCT:
        keep(&found->products, part);
        keep(&found->sums, part);
        break;
    case RD_TERM_SUM:
        keep(&found->sums, part);
        break;
    case RD_TERM_LESS:
        keep(&found->comparisons, part);
        break;
    case RD_TERM_EQUAL:
        if (!rd_term_is_condition(part->kids[0]))
            keep(&found->equations, part);
        break;
    case RD_TERM_NUMBER: /* what a power of two is compared with */
        if (part->number > 2 && part->number <= 1024 && (part->number & (part->number - 1)) == 0)
            keep(&found->numbers, part);
        break;
    case RD_TERM_HOLDS:
        if (strcmp(part->name, "P2") == 0)
            keep(&found->powers, part->kids[0]);
        break;
    case RD_TERM_APPLY:
        if (strcmp(part->name, "pow2") == 0)
            keep(&found->exponents, part->kids[0]);
        else if (strcmp(part->name, "log2") == 0)
            keep(&found->logs, part->kids[0]);
        else if (strcmp(part->name, "bit_ceil") == 0)
            keep(&found->ceils, part->kids[0]);
        else if (strcmp(part->name, "root") == 0)
            keep(&found->roots, part->kids[0]);
        break;
    default:
        break;
    }
}

static void add(struct found *found, rd_term instance)
{
    if (instance->kind != RD_TERM_TRUE)
        rd_term_list_add_new(found->terms, found->instances, instance);
}

#define ADD(found, lemma, ...)                                                                     \
    add(found, rd_lemma_##lemma((found)->terms, (const rd_term[]){__VA_ARGS__}))

static bool is_number(rd_term term)
{
    return term->kind == RD_TERM_NUMBER;
}

static unsigned few(const struct terms_of_kind *kind)
{
    return kind->count < PAIRS_MAX ? kind->count : PAIRS_MAX;
}

/* ---- quotients ---- */

/* c = a*b with some b: a number, or a factor. */
static rd_term ratio(struct found *found, rd_term c, rd_term a)
{
    if (is_number(a) && (a->number <= 0 || is_number(c)))
        return NULL;
    rd_term rest = rd_mod(found->terms, c, a);
    if (!is_number(rest) || rest->number != 0)
        return NULL;
    rd_term b = rd_div(found->terms, c, a);
    return is_number(b) && b->number <= 1 ? NULL : b;
}

static void add_pair(struct found *found, rd_term one, rd_term other)
{
    const rd_term x = one->kids[0], h = one->kids[1], w = other->kids[1];
    if (other->kids[0] != x || h == w)
        return;
    ADD(found, halving, x, h, w);
    rd_term b = ratio(found, w, h);
    if (b)
        ADD(found, nested, x, h, b);
}

static void add_quotients(struct found *found)
{
    const struct terms_of_kind *all = &found->quotients;
    for (unsigned k = 0; k < all->count; k++) {
        const rd_term x = all->all[k]->kids[0], m = all->all[k]->kids[1];
        if (!is_number(m))
            ADD(found, quotient, x, m);
        if (x->kind == RD_TERM_DIV && !(is_number(x->kids[1]) && is_number(m)))
            ADD(found, nested, x->kids[0], x->kids[1], m);
    }
    for (unsigned k = 0; k < all->count; k++)
        for (unsigned i = 0; i < all->count; i++)
            if (i != k && !(is_number(all->all[k]->kids[1]) && is_number(all->all[i]->kids[1])))
                add_pair(found, all->all[k], all->all[i]);
    for (unsigned k = 0; k < few(all); k++)
        for (unsigned i = 0; i < k; i++)
            if (!is_number(all->all[k]->kids[1]) && all->all[i]->kids[1] == all->all[k]->kids[1])
                ADD(found, apart, all->all[k]->kids[0], all->all[i]->kids[0], all->all[k]->kids[1]);
}

/* Tells whether x < m is spoken of. */
static bool is_below(const struct found *found, rd_term x, rd_term m)
{
    for (unsigned k = 0; k < found->comparisons.count; k++)
        if (found->comparisons.all[k]->kids[0] == x && found->comparisons.all[k]->kids[1] == m)
            return true;
    return false;
}

/* A part of the sum is below m. */
static bool has_rest_of(const struct found *found, rd_term sum, rd_term m)
{
    if (sum->kind != RD_TERM_SUM)
        return is_below(found, sum, m);
    for (unsigned k = 0; k < sum->n_kids; k++)
        if (is_below(found, sum->kids[k], m))
            return true;
    return false;
}

/* x = m*q + r, of a dividend x or one that stands alone: the number of a thread, say. */
static void add_number(struct found *found, rd_term x, rd_term sum, rd_term m, bool is_alone)
{
    bool is_dividend = is_alone;
    rd_term q, r;
    rd_split(found->terms, sum, m, &q, &r);
    for (unsigned k = 0; k < found->quotients.count; k++)
        is_dividend = is_dividend || (found->quotients.all[k]->kids[0] == x &&
                                      found->quotients.all[k]->kids[1] == m);
    if (is_dividend && is_below(found, r, m) && !rd_term_has(r, m))
        ADD(found, unique, x, m, q, r);
}

/* Two cells, each a row of so many and a place in it: where they are one, the rows are. */
static void add_rows(struct found *found, rd_term equation)
{
    struct rd_terms *terms = found->terms;
    const rd_term difference = rd_subtract(terms, equation->kids[0], equation->kids[1]);
    if (difference->kind != RD_TERM_SUM)
        return;
    for (unsigned k = 0; k < difference->n_kids; k++) {
        const rd_term monomial = difference->kids[k];
        for (unsigned f = 0; monomial->kind == RD_TERM_PRODUCT && f < monomial->n_kids; f++) {
            const rd_term m = monomial->kids[f];
            rd_term rows, rest;
            rd_split(terms, difference, m, &rows, &rest);
            if (is_number(rows) || rd_term_has(rest, m) || !has_rest_of(found, rest, m))
                continue;
            ADD(found, small, m, rows);
            for (unsigned i = 0; i < difference->n_kids; i++) {
                const rd_term x = difference->kids[i];
                const bool is_alone = equation->kids[0] == x || equation->kids[1] == x;
                if (x->kind != RD_TERM_CONSTANT)
                    continue;
                if (difference->coefficients[i] == 1)
                    add_number(found, x, rd_subtract(terms, x, difference), m, is_alone);
                else if (difference->coefficients[i] == -1)
                    add_number(found, x, rd_add(terms, x, difference), m, is_alone);
            }
        }
    }
}

/* x div m = q: x is in the q-th stretch of m. */
static void add_stretch(struct found *found, rd_term equation)
{
    for (unsigned side = 0; side < 2; side++) {
        const rd_term quotient = equation->kids[side], q = equation->kids[1 - side];
        if (quotient->kind == RD_TERM_DIV && !is_number(quotient->kids[1]) && !is_number(q))
            ADD(found, within, quotient->kids[0], quotient->kids[1], q);
    }
}

/* Two dividends by one divisor. */
static void add_near(struct found *found, rd_term x, rd_term y, rd_term m)
{
    struct rd_terms *terms = found->terms;
    const rd_term q = rd_div(terms, y, m);
    for (int step = -1; step <= 1; step++)
        ADD(found, within, x, m, rd_lemma_plus(terms, q, step));
    ADD(found, monotone, x, y, m);
}

static rd_term without_factor(struct found *found, rd_term product, rd_term factor)
{
    for (unsigned k = 0; k < product->n_kids; k++)
        if (product->kids[k] == factor)
            return rd_div(found->terms, product, factor);
    return NULL;
}

/* q of a sum m*q + rest, as far as it can be seen in it. */
static rd_term multiple_in(struct found *found, rd_term sum, rd_term m)
{
    struct rd_terms *terms = found->terms;
    rd_term q = rd_div(terms, sum, m);
    for (unsigned k = 0; q->kind == RD_TERM_SUM && k < q->n_kids; k++)
        if (q->kids[k]->kind == RD_TERM_DIV && q->kids[k]->kids[1] == m && q->coefficients[k] == 1)
            return rd_subtract(terms, q, q->kids[k]);
    return q->kind == RD_TERM_DIV ? rd_number(terms, 0) : q;
}

static void add_many_quotients(struct found *found)
{
    const struct terms_of_kind *all = &found->quotients;
    struct rd_terms *terms = found->terms;
    for (unsigned k = 0; k < few(all); k++) {
        const rd_term x = all->all[k]->kids[0], m = all->all[k]->kids[1];
        if (is_number(m))
            continue;
        for (int q = -1; q <= 1; q++)
            ADD(found, within, x, m, rd_number(terms, q));
        for (unsigned i = 0; i < found->sums.count && i < 2 * PAIRS_MAX; i++) {
            const rd_term q = multiple_in(found, found->sums.all[i], m);
            if (!is_number(q) && q != rd_div(terms, x, m))
                ADD(found, within, x, m, q);
        }
        for (unsigned i = 0; i < all->count; i++)
            if (i != k && all->all[i]->kids[1] == m)
                add_near(found, x, all->all[i]->kids[0], m);
        for (unsigned i = 0; i < few(&found->products); i++) {
            rd_term g = without_factor(found, found->products.all[i], m);
            if (g)
                ADD(found, bounded, x, m, g);
        }
    }
}

/* ---- powers of two ---- */

static void add_exponents(struct found *found)
{
    struct rd_terms *terms = found->terms;
    const struct terms_of_kind *all = &found->exponents;
    for (unsigned k = 0; k < all->count; k++) {
        const rd_term e = all->all[k];
        ADD(found, pow2_positive, e);
        ADD(found, pow2_power, e);
        keep(&found->powers, rd_power_of_two(terms, e));
        /* 2^(e - 1) and 2^e; nothing less than 1 step apart is left by the constructors but that */
        const rd_term next = rd_lemma_plus(terms, e, 1);
        if (e->kind == RD_TERM_SUM && e->number < 0)
            ADD(found, pow2_step, next);
    }
    for (unsigned k = 0; k < few(all); k++)
        for (unsigned i = 0; i < few(all); i++)
            if (i != k)
                ADD(found, pow2_grows, all->all[k], all->all[i]);
}

static void add_logs(struct found *found)
{
    for (unsigned k = 0; k < found->ceils.count; k++) {
        ADD(found, bit_ceil, found->ceils.all[k]);
        const rd_term x = found->ceils.all[k];
        keep(&found->powers, rd_apply(found->terms, "bit_ceil", 1, &x));
        keep(&found->powers, x); /* x = bit_ceil(x) says that it is one */
    }
    for (unsigned k = 0; k < found->logs.count; k++) {
        const rd_term x = found->logs.all[k], log = rd_lemma_log(found->terms, x);
        ADD(found, log2, x);
        ADD(found, power_meaning, x);
        keep(&found->exponents, log);
    }
    for (unsigned k = 0; k < few(&found->logs); k++)
        for (unsigned i = 0; i < few(&found->logs); i++)
            if (i != k)
                ADD(found, log2_monotone, found->logs.all[k], found->logs.all[i]);
}

static bool is_quotient(const struct found *found, rd_term x, rd_term y)
{
    for (unsigned k = 0; k < found->quotients.count; k++)
        if (found->quotients.all[k]->kids[0] == x && found->quotients.all[k]->kids[1] == y)
            return true;
    return false;
}

static void add_power(struct found *found, rd_term x)
{
    if (is_number(x))
        return;
    ADD(found, power_positive, x);
    ADD(found, power_half, x);
}

static void add_powers(struct found *found)
{
    struct rd_terms *terms = found->terms;
    struct terms_of_kind *all = &found->powers;
    if (all->count == 0)
        return;
    keep(all, rd_number(terms, 1));
    keep(all, rd_number(terms, 2));
    for (unsigned k = 0; k < found->numbers.count && k < 3; k++)
        keep(all, found->numbers.all[k]);
    ADD(found, pow2_power, rd_number(terms, 0));
    ADD(found, pow2_power, rd_number(terms, 1));
    for (unsigned k = 0; k < all->count; k++) {
        const rd_term x = all->all[k];
        add_power(found, x);
        if (!is_number(x) && has(all, rd_lemma_times(terms, 2, x)))
            ADD(found, power_double, x);
    }
    for (unsigned k = 0; k < few(&found->ceils); k++)
        for (unsigned i = 0; i < few(all); i++)
            ADD(found, bit_ceil_between, found->ceils.all[k], all->all[i]);
    for (unsigned k = 0; k < few(all); k++)
        for (unsigned i = 0; i < few(all); i++) {
            const rd_term x = all->all[k], y = all->all[i];
            if (i == k || (is_number(x) && is_number(y)))
                continue;
            ADD(found, power_apart, x, y);
            if (is_quotient(found, y, x)) {
                ADD(found, power_divides, x, y);
                add_power(found, rd_div(terms, y, x));
            }
        }
}

/* A power of two below a number is at most half of the next power that isn't: with n < 2^31, n is at most 2^30. */
static void add_limits(struct found *found)
{
    enum { LIMITS_MAX = 4, EXPONENT_MAX = 64 };
    struct rd_terms *terms = found->terms;
    for (unsigned k = 0; k < found->limits.count && k < LIMITS_MAX; k++) {
        int e = 0;
        while (e < EXPONENT_MAX && (rd_wide)1 << e < found->limits.all[k]->number)
            e++;
        const rd_term limit = rd_number(terms, (rd_wide)1 << e);
        ADD(found, pow2_power, rd_number(terms, e));
        for (unsigned i = 0; i < few(&found->powers); i++)
            if (!is_number(found->powers.all[i]))
                ADD(found, power_apart, found->powers.all[i], limit);
    }
}

static void add_many_powers(struct found *found)
{
    struct rd_terms *terms = found->terms;
    const struct terms_of_kind *all = &found->powers, *exponents = &found->exponents;
    for (unsigned k = 0; k < few(all); k++)
        for (unsigned i = 0; i < few(all); i++) {
            const rd_term x = all->all[k], y = all->all[i];
            if (is_number(x) || is_number(y))
                continue;
            if (i != k)
                ADD(found, power_divides, x, y);
            if (i <= k && has(&found->products, rd_multiply(terms, x, y)))
                ADD(found, power_product, x, y);
        }
    for (unsigned k = 0; k < few(all); k++)
        if (!is_number(all->all[k]))
            ADD(found, power_double, all->all[k]);
    for (unsigned k = 0; k < few(exponents); k++)
        for (unsigned i = 0; i <= k; i++)
            if (has(exponents, rd_add(terms, exponents->all[k], exponents->all[i])) ||
                has(&found->products, rd_multiply(terms, rd_power_of_two(terms, exponents->all[k]),
                                                  rd_power_of_two(terms, exponents->all[i]))))
                ADD(found, pow2_sum, exponents->all[k], exponents->all[i]);
}

static void add_roots(struct found *found)
{
    for (unsigned k = 0; k < found->roots.count; k++)
        ADD(found, root, found->roots.all[k]);
}

static void look_for_limits(void *self, rd_term part)
{
    struct found *found = self;
    if (part->kind == RD_TERM_NUMBER && part->number > 1024)
        keep(&found->limits, part);
}

static void look_at_goal(struct found *found, const struct rd_proof_goal *goal)
{
    struct rd_seen seen = {0};
    for (size_t k = 0; k < goal->hypotheses.count; k++)
        rd_term_visit(goal->hypotheses.terms[k], &seen, look_at, found);
    rd_term_visit(goal->goal, &seen, look_at, found);
    rd_seen_finish(&seen);
    seen = (struct rd_seen){0};
    rd_term_visit(goal->goal, &seen, look_for_limits, found);
    rd_seen_finish(&seen);
}

void rd_lemma_instances(struct rd_terms *terms, const struct rd_proof_goal *goal, bool more,
                        struct rd_term_list *instances)
{
    struct found found = {.terms = terms, .instances = instances};
    look_at_goal(&found, goal);
    add_logs(&found);
    add_roots(&found);
    add_exponents(&found);
    add_powers(&found);
    add_quotients(&found);
    for (unsigned k = 0; k < found.equations.count; k++) {
        add_rows(&found, found.equations.all[k]);
        if (found.products.count > 0)
            add_stretch(&found, found.equations.all[k]);
    }
    if (!more)
        return;
    add_many_powers(&found);
    add_limits(&found);
    add_many_quotients(&found);
}

/* ---- tables ---- */

static rd_term power_of(struct found *found, int exponent)
{
    return rd_number(found->terms, (rd_wide)1 << exponent);
}

/* Adds a row of a function's table: where `is` holds of the argument, the value is that. */
static void add_row(struct found *found, rd_term is, rd_term application, rd_term value)
{
    add(found, rd_implies(found->terms, is, rd_equal(found->terms, application, value)));
}

static void add_table_of_logs(struct found *found, rd_term x, bool is_ceil, int end)
{
    struct rd_terms *terms = found->terms;
    const rd_term application = rd_apply(terms, is_ceil ? "bit_ceil" : "log2", 1, &x);
    for (int k = 0; k <= end; k++) {
        const rd_term from =
            is_ceil ? k > 0 ? rd_lemma_plus(terms, power_of(found, k - 1), 1) : rd_number(terms, 1)
                    : power_of(found, k);
        const rd_term to =
            is_ceil ? rd_lemma_plus(terms, power_of(found, k), 1) : power_of(found, k + 1);
        add_row(found, rd_within(terms, from, x, to), application,
                is_ceil ? power_of(found, k) : rd_number(terms, k));
    }
}

bool rd_lemma_tables(struct rd_terms *terms, const struct rd_proof_goal *goal, int exponents,
                     struct rd_term_list *facts)
{
    struct found found = {.terms = terms, .instances = facts};
    const rd_term end = rd_number(terms, ((rd_wide)1 << exponents) + 1);
    const struct terms_of_kind *kinds[] = {&found.powers, &found.logs, &found.ceils};
    look_at_goal(&found, goal);
    for (unsigned kind = 0; kind < sizeof kinds / sizeof *kinds; kind++)
        for (unsigned k = 0; k < kinds[kind]->count; k++)
            add(&found, rd_less(terms, kinds[kind]->all[k], end));
    for (unsigned k = 0; k < found.powers.count; k++) {
        rd_term is = rd_false(terms), x = found.powers.all[k];
        for (int e = 0; e <= exponents; e++)
            is = rd_or(terms, is, rd_equal(terms, x, power_of(&found, e)));
        add(&found, rd_equal(terms, rd_lemma_power(terms, x), is));
    }
    for (unsigned k = 0; k < found.exponents.count; k++) {
        const rd_term e = found.exponents.all[k], value = rd_power_of_two(terms, e);
        add(&found, rd_at_most(terms, e, rd_number(terms, exponents)));
        for (int n = 0; n <= exponents; n++)
            add_row(&found, rd_equal(terms, e, rd_number(terms, n)), value, power_of(&found, n));
    }
    for (unsigned k = 0; k < found.logs.count; k++)
        add_table_of_logs(&found, found.logs.all[k], false, exponents);
    add_roots(&found); /* that says all of them */
    for (unsigned k = 0; k < found.ceils.count; k++)
        add_table_of_logs(&found, found.ceils.all[k], true, exponents);
    return found.powers.count + found.exponents.count + found.logs.count + found.ceils.count > 0;
}
