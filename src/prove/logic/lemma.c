// SPDX-License-Identifier: MIT
/* The lemmas as goals: each for constants of which nothing is known. */
#include "prove/logic/lemma.h"
#include "prove/logic/lemma_internal.h"

static struct rd_proof_goal *add_goal(struct rd_proof *proof, const struct rd_lemma *lemma,
                                      const char *part)
{
    struct rd_proof_goal *goal =
        rd_proof_add(proof, RD_PROOF_FACT,
                     rd_terms_text(proof->terms, "lemma %s%s: %s", lemma->name, part, lemma->says));
    if (goal)
        goal->without_lemmas = true;
    return goal;
}

static bool add_direct(struct rd_proof *proof, const struct rd_lemma *lemma, const char *part,
                       const rd_term *p)
{
    struct rd_proof_goal *goal = add_goal(proof, lemma, part);
    if (!goal)
        return false;
    if (lemma->because)
        lemma->because(proof->terms, p, &goal->hypotheses);
    goal->goal = lemma->formula(proof->terms, p);
    return true;
}

/* Adds an induction on the last parameter: the start, and from one number to the next. */
static bool add_induction(struct rd_proof *proof, const struct rd_lemma *lemma, const rd_term *p)
{
    struct rd_terms *terms = proof->terms;
    const unsigned last = lemma->n_parameters - 1;
    rd_term other[RD_LEMMA_PARAMETERS_MAX];
    for (unsigned k = 0; k < last; k++)
        other[k] = p[k];
    other[last] = lemma->start(terms, p);
    if (!add_direct(proof, lemma, ", where it begins", other))
        return false;
    struct rd_proof_goal *goal = add_goal(proof, lemma, ", from one number to the next");
    if (!goal)
        return false;
    rd_term_list_add(terms, &goal->hypotheses, rd_at_most(terms, lemma->start(terms, p), p[last]));
    rd_term_list_add(terms, &goal->hypotheses, lemma->formula(terms, p));
    if (lemma->because)
        lemma->because(terms, p, &goal->hypotheses);
    other[last] = rd_lemma_plus(terms, p[last], 1);
    goal->goal = lemma->formula(terms, other);
    return true;
}

static bool add_all(struct rd_proof *proof, const struct rd_lemma *lemmas)
{
    for (const struct rd_lemma *lemma = lemmas; lemma->name; lemma++) {
        rd_term p[RD_LEMMA_PARAMETERS_MAX] = {NULL};
        if (lemma->is_definition)
            continue;
        for (unsigned k = 0; k < lemma->n_parameters; k++)
            p[k] = rd_constant(proof->terms, lemma->parameters[k]);
        if (!(lemma->start ? add_induction(proof, lemma, p) : add_direct(proof, lemma, "", p)))
            return false;
    }
    return true;
}

/* Adds the meaning of C's test x & (x - 1) == 0, for 64 bits, and so for fewer: x is a power of two, or 0. */
static bool add_bits(struct rd_proof *proof)
{
    static const struct rd_lemma bits = {
        .name = "power-bits",
        .says = "of 64 bits, x & (x - 1) = 0 says that x is a power of two, or 0"};
    char text[8192];
    int n = snprintf(text, sizeof text,
                     "(set-logic QF_BV)\n(declare-const x (_ BitVec 64))\n"
                     "(assert (not (= (= (bvand x (bvsub x (_ bv1 64))) (_ bv0 64))\n"
                     "  (or (= x (_ bv0 64))");
    for (unsigned k = 0; k < 64; k++)
        n += snprintf(text + n, sizeof text - (size_t)n, " (= x (_ bv%llu 64))", 1ull << k);
    snprintf(text + n, sizeof text - (size_t)n, "))))\n(check-sat)\n");
    struct rd_proof_goal *goal = add_goal(proof, &bits, "");
    if (goal)
        goal->smt = rd_terms_text(proof->terms, "%s", text);
    return goal != NULL;
}

/* Adds the meaning of C's x ^ 2^k, for 64 bits, and so for fewer: the bit is turned over, and no sum or difference wraps. */
static bool add_xor(struct rd_proof *proof)
{
    static const struct rd_lemma turned = {
        .name = "xor-power",
        .says = "of 64 bits, x ^ 2^k is x + 2^k where x mod 2^(k + 1) < 2^k, else x - 2^k"};
    struct rd_proof_goal *goal = add_goal(proof, &turned, "");
    if (goal)
        goal->smt = "(set-logic QF_BV)\n"
                    "(declare-const x (_ BitVec 64))\n(declare-const k (_ BitVec 64))\n"
                    "(assert (bvult k (_ bv64 64)))\n"
                    "(define-fun p () (_ BitVec 64) (bvshl (_ bv1 64) k))\n"
                    "(define-fun rest () (_ BitVec 64)"
                    " (bvand x (bvsub (bvshl p (_ bv1 64)) (_ bv1 64))))\n"
                    "(assert (not (ite (bvult rest p)\n"
                    "  (and (= (bvxor x p) (bvadd x p)) (bvuge (bvadd x p) x))\n"
                    "  (and (= (bvxor x p) (bvsub x p)) (bvuge x p)))))\n(check-sat)\n";
    return goal != NULL;
}

enum rd_status rd_lemma_goals(struct rd_proof *proof, struct rd_error *error)
{
    const bool added = add_all(proof, rd_lemmas_of_quotients) &&
                       add_all(proof, rd_lemmas_of_powers) && add_bits(proof) && add_xor(proof);
    if (added && !rd_terms_failed(proof->terms))
        return RD_OK;
    return rd_fail(error, RD_ERROR_MEMORY, "no memory for the lemmas");
}
