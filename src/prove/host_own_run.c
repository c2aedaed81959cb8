// SPDX-License-Identifier: MIT
/* The run of the file as it stands, with the numbers that it sets and without arguments: it is not among the runs that are proved where it
 * breaks what the file requires. */
#include "prove/host.h"

#include <string.h>

void rd_host_own_number(struct rd_host *host, rd_term number, rd_wide own, const char *name,
                        unsigned line)
{
    const char **told = &host->subject->proof->own_run;
    if (host->n_own < RD_HOST_OWN_MAX)
        host->own[host->n_own++] = (struct rd_host_own){number, own, name, line};
    if (own < 1 && line > 0 && !*told)
        *told = rd_terms_text(host->terms, "%s of line %u is 0", name, line);
}

static bool is_power_of_two(rd_wide x)
{
    return x > 0 && (x & (x - 1)) == 0;
}

/* With the file's own numbers. The reader of laws makes P2 of numbers that may be any. */
static rd_term in_own_run(struct rd_host *host, rd_term condition)
{
    struct rd_terms *terms = host->terms;
    rd_term numbers[RD_HOST_OWN_MAX], own[RD_HOST_OWN_MAX], made = rd_true(terms);
    unsigned count;
    for (size_t k = 0; k < host->n_own; k++) {
        numbers[k] = host->own[k].number;
        own[k] = rd_number(terms, host->own[k].own);
    }
    condition = rd_replace(terms, condition, (unsigned)host->n_own, numbers, own);
    const rd_term *parts = rd_term_conjuncts(&condition, &count);
    for (unsigned k = 0; k < count; k++) {
        rd_wide number;
        const bool is_known = parts[k]->kind == RD_TERM_HOLDS &&
                              strcmp(parts[k]->name, "P2") == 0 &&
                              rd_term_is_number(parts[k]->kids[0], &number);
        made = rd_and(terms, made, is_known ? rd_truth(terms, is_power_of_two(number)) : parts[k]);
    }
    return made;
}

/* "n = 1000 of line 15": the numbers that the condition has. */
static const char *numbers_of(struct rd_host *host, rd_term condition)
{
    const char *text = "";
    for (size_t k = 0; k < host->n_own; k++)
        if (host->own[k].line > 0 && rd_term_has(condition, host->own[k].number))
            text =
                rd_terms_text(host->terms, "%s%s%s = %lld of line %u", text, *text ? " and " : "",
                              host->own[k].name, (long long)host->own[k].own, host->own[k].line);
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
    const char **told = &host->subject->proof->own_run;
    if (!host->first_pass || host->dry || *told || !is_broken(host, condition))
        return;
    const char *numbers = numbers_of(host, condition);
    *told = rd_terms_text(host->terms, "%s%sline %u is false: requires %s", numbers,
                          *numbers ? ", so " : "", law->of->line, law->of->text);
}
