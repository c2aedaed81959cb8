// SPDX-License-Identifier: MIT
/* Numbers of the file: those that it requires something of, and those that it sets itself. Its run as it stands, with these and without
 * arguments, is not among the runs that are proved where it breaks what the file requires. */
#include "prove/host/host.h"

#include <string.h>

void rd_host_own_number(struct rd_host *host, const struct rd_proof_number *number)
{
    struct rd_proof *proof = host->subject->proof;
    if (!host->first_pass || host->dry || proof->n_numbers == RD_PROOF_NUMBERS_MAX)
        return;
    proof->numbers[proof->n_numbers++] = *number;
    if (number->own < 1 && number->line > 0 && !proof->own_run)
        proof->own_run = rd_terms_text(host->terms, "%s of line %u is %lld", number->name,
                                       number->line, (long long)number->own);
}

/* Tells whether the value is the number where conditions hold that don't depend on it. */
static bool may_be(rd_term value, rd_term number)
{
    if (value->kind != RD_TERM_CHOICE)
        return value == number;
    return !rd_term_has(value->kids[0], number) &&
           (may_be(value->kids[1], number) || may_be(value->kids[2], number));
}

void rd_host_note_use(struct rd_host *host, rd_term value)
{
    struct rd_proof *proof = host->subject->proof;
    for (size_t k = 0; k < proof->n_numbers; k++)
        if (proof->numbers[k].line == 0) /* argc */
            value = rd_replace(host->terms, value, 1, &proof->numbers[k].term,
                               (rd_term[]){rd_number(host->terms, proof->numbers[k].own)});
    for (size_t k = 0; k < proof->n_numbers; k++) {
        struct rd_proof_number *any = &proof->numbers[k];
        any->is_named = any->is_named || (any->line > 0 && may_be(value, any->term));
        any->is_used = any->is_used || (any->line > 0 && rd_term_has(value, any->term));
    }
}

bool rd_host_is_power_of_two(rd_wide x)
{
    return x > 0 && (x & (x - 1)) == 0;
}

/* The reader of laws makes P2 of a number that may be any. */
static rd_term decide_powers(struct rd_terms *terms, rd_term condition)
{
    rd_term made = rd_true(terms);
    unsigned count;
    const rd_term *parts = rd_term_conjuncts(&condition, &count);
    for (unsigned k = 0; k < count; k++) {
        rd_wide number;
        const bool is_known = parts[k]->kind == RD_TERM_HOLDS &&
                              strcmp(parts[k]->name, "P2") == 0 &&
                              rd_term_is_number(parts[k]->kids[0], &number);
        made = rd_and(terms, made,
                      is_known ? rd_truth(terms, rd_host_is_power_of_two(number)) : parts[k]);
    }
    return made;
}

/* The condition, where the numbers have these values; NULL: the file's own. */
static rd_term with_numbers(const struct rd_proof *proof, rd_term condition, const rd_wide *values)
{
    rd_term from[RD_PROOF_NUMBERS_MAX], to[RD_PROOF_NUMBERS_MAX];
    for (size_t k = 0; k < proof->n_numbers; k++) {
        from[k] = proof->numbers[k].term;
        to[k] = rd_number(proof->terms, values ? values[k] : proof->numbers[k].own);
    }
    return decide_powers(proof->terms,
                         rd_replace(proof->terms, condition, (unsigned)proof->n_numbers, from, to));
}

static rd_term in_own_run(struct rd_host *host, rd_term condition)
{
    return with_numbers(host->subject->proof, condition, NULL);
}

bool rd_proof_takes(const struct rd_proof *proof, const rd_wide *values)
{
    for (size_t k = 0; k < proof->required.count; k++) {
        const rd_term path = with_numbers(proof, proof->required_paths.terms[k], values);
        if (path->kind != RD_TERM_FALSE &&
            with_numbers(proof, proof->required.terms[k], values)->kind != RD_TERM_TRUE)
            return false;
    }
    return true;
}

/* "n = 1000 of line 15": the numbers that the condition has. */
static const char *numbers_of(struct rd_host *host, rd_term condition)
{
    const struct rd_proof *proof = host->subject->proof;
    const char *text = "";
    for (size_t k = 0; k < proof->n_numbers; k++) {
        const struct rd_proof_number *number = &proof->numbers[k];
        if (number->line > 0 && rd_term_has(condition, number->term))
            text =
                rd_terms_text(host->terms, "%s%s%s = %lld of line %u", text, *text ? " and " : "",
                              number->name, (long long)number->own, number->line);
    }
    return text;
}

/* Tells whether what is known of the own run contradicts the condition. */
static bool is_broken(struct rd_host *host, rd_term condition)
{
    struct rd_term_list known = {0}, in_run = {0};
    const rd_term path = in_own_run(host, host->state->path), own = in_own_run(host, condition);
    if (own->kind == RD_TERM_TRUE || path->kind == RD_TERM_FALSE)
        return false;
    if (own->kind == RD_TERM_FALSE)
        return true;
    rd_host_hypotheses(host, path, &known);
    for (size_t k = 0; k < known.count; k++)
        rd_term_list_add(host->terms, &in_run, in_own_run(host, known.terms[k]));
    const bool is = rd_subject_follows(host->subject, &in_run, rd_not(host->terms, own)) &&
                    !rd_subject_follows(host->subject, &in_run, rd_false(host->terms));
    rd_term_list_finish(&known);
    rd_term_list_finish(&in_run);
    return is;
}

void rd_host_own_run(struct rd_host *host, const struct rd_host_law *law, rd_term condition)
{
    struct rd_proof *proof = host->subject->proof;
    if (!host->first_pass || host->dry)
        return;
    rd_term_list_add(host->terms, &proof->required_paths, host->state->path);
    rd_term_list_add(host->terms, &proof->required, condition);
    if (proof->own_run || !is_broken(host, condition))
        return;
    const char *numbers = numbers_of(host, condition);
    proof->own_run = rd_terms_text(host->terms, "%s%sline %u is false: requires %s", numbers,
                                   *numbers ? ", so " : "", law->of->line, law->of->text);
}

/* Notes a variable, once. */
static void note(struct rd_proof *proof, const char *name, rd_term number)
{
    if (number->kind != RD_TERM_CONSTANT || proof->n_required_names == RD_PROOF_NUMBERS_MAX)
        return;
    for (size_t k = 0; k < proof->n_required_names; k++)
        if (proof->required_names[k].term == number)
            return;
    proof->required_names[proof->n_required_names++] = (struct rd_proof_name){name, number};
}

/* One of rows*cols. */
static void note_factor(void *self, rd_term part)
{
    note(self, part->name, part);
}

void rd_host_note_required(struct rd_host *host, const struct rd_host_law *law, const char *name,
                           rd_term number)
{
    struct rd_proof *proof = host->subject->proof;
    if (host->dry || !host->first_pass ||
        (law->of->kind != RD_ANNOTATION_REQUIRES && law->of->kind != RD_ANNOTATION_INPUT))
        return;
    rd_host_note_use(host, number);
    note(proof, rd_terms_text(host->terms, "%s", name), number);
    struct rd_seen seen = {0};
    if (number->kind != RD_TERM_CHOICE) /* of a variable that is set in a branch */
        rd_term_visit(number, &seen, note_factor, proof);
    rd_seen_finish(&seen);
}
