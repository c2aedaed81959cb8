// SPDX-License-Identifier: MIT
/* Facts about the variable of a loop with a checkpoint: what holds whenever threads come there. Found as those of rounds are. */
#include "prove/goals/candidates.h"
#include "prove/goals/segment.h"

#include <stdlib.h>
#include <string.h>

static bool is_at(const struct rd_cut *cut, const char *point)
{
    return cut->point && strcmp(cut->point, point) == 0;
}

static rd_term variable_of(struct rd_launch_proof *launch)
{
    return rd_constant(launch->subject->terms, "its variable");
}

static rd_term fact_at(struct rd_launch_proof *launch, const struct rd_point_fact *fact,
                       rd_term variable)
{
    const rd_term any = variable_of(launch);
    return rd_replace(launch->subject->terms, fact->said, 1, &any, &variable);
}

/* Adds the facts at a cut. */
static void add_facts(struct rd_launch_proof *launch, const struct rd_cut *cut,
                      struct rd_term_list *hypotheses)
{
    for (size_t k = 0; k < launch->points->count && cut->point; k++)
        if (!launch->points->list[k].dropped && is_at(cut, launch->points->list[k].point))
            rd_term_list_add_new(launch->subject->terms, hypotheses,
                                 fact_at(launch, &launch->points->list[k], cut->variable));
}

void rd_segment_base(struct rd_launch_proof *launch, const struct rd_cut *from,
                     struct rd_term_list *hypotheses)
{
    struct rd_terms *terms = launch->subject->terms;
    rd_term_list_add_all(terms, hypotheses, &launch->hypotheses);
    rd_term_list_add_all(terms, hypotheses, &launch->execution.head_ranges);
    add_facts(launch, from, hypotheses);
}

/* ---- candidates ---- */

static void add(struct rd_launch_proof *launch, const char *point, rd_term said)
{
    struct rd_point_fact *grown =
        realloc(launch->points->list, (launch->points->count + 1) * sizeof *grown);
    if (!grown) {
        rd_subject_fail_by(launch->subject, RD_ERROR_MEMORY, "no memory for a proof");
        return;
    }
    launch->points->list = grown;
    /* The facts outlive the kernel's syntax, whose text the name is. */
    launch->points->list[launch->points->count++] =
        (struct rd_point_fact){rd_terms_text(launch->subject->terms, "%s", point), said, false};
}

static void add_candidates(struct rd_launch_proof *launch, const char *point)
{
    struct rd_terms *terms = launch->subject->terms;
    const rd_term v = variable_of(launch), T = launch->threads, two = rd_number(terms, 2),
                  half = rd_div(terms, v, two);
    add(launch, point, rd_holds(terms, "P2", 1, &v));
    /* A loop that counts halves. */
    add(launch, point, rd_or(terms, rd_less(terms, v, two), rd_holds(terms, "P2", 1, &half)));
    add(launch, point, rd_at_most(terms, rd_number(terms, 1), v));
    add(launch, point, rd_at_most(terms, v, T));
    add(launch, point, rd_at_most(terms, v, rd_number(terms, 32)));
    add(launch, point, rd_at_most(terms, v, rd_add(terms, launch->subject->n, launch->all)));
    add(launch, point, rd_equal(terms, rd_mod(terms, v, launch->all), rd_number(terms, 0)));
    add(launch, point, rd_at_most(terms, v, rd_apply(terms, "bit_ceil", 1, &T)));
    add(launch, point, rd_less(terms, v, rd_multiply(terms, rd_number(terms, 2), T)));
    if (launch->y.thread) /* tiles of a square of n: the last one is cut off there */
        add(launch, point,
            rd_or(terms, rd_equal(terms, rd_mod(terms, v, T), rd_number(terms, 0)),
                  rd_equal(terms, v, launch->subject->n)));
}

/* A loop that begins at a number: it may fall from there, by halves down to 0. */
static void add_candidates_from(struct rd_launch_proof *launch, const char *point, rd_term first)
{
    struct rd_terms *terms = launch->subject->terms;
    const rd_term v = variable_of(launch);
    add(launch, point, rd_at_most(terms, v, first));
    add(launch, point,
        rd_or(terms, rd_equal(terms, v, rd_number(terms, 0)), rd_holds(terms, "P2", 1, &v)));
}

static void add_starts(struct rd_launch_proof *launch, const char *point)
{
    for (size_t s = 0; s < launch->execution.n_segments; s++) {
        const struct rd_cut *to = &launch->execution.segments[s].to;
        if (is_at(to, point) && to->variable->kind == RD_TERM_NUMBER) {
            add_candidates_from(launch, point, to->variable);
            return;
        }
    }
}

static bool has_candidates(const struct rd_launch_proof *launch, const char *point)
{
    for (size_t k = 0; k < launch->points->count; k++)
        if (strcmp(launch->points->list[k].point, point) == 0)
            return true;
    return false;
}

/* ---- asked ---- */

static void drop_fact(void *self, size_t fact)
{
    struct rd_launch_proof *launch = self;
    launch->points->list[fact].dropped = true;
}

static struct rd_term_list hypotheses_of(struct rd_launch_proof *launch,
                                         const struct rd_segment *segment)
{
    struct rd_term_list hypotheses = {0};
    rd_segment_base(launch, &segment->from, &hypotheses);
    rd_term_list_add(launch->subject->terms, &hypotheses, segment->path);
    return hypotheses;
}

static bool ask(struct rd_launch_proof *launch, bool by_models)
{
    struct rd_proof_subject *subject = launch->subject;
    struct rd_candidates candidates = rd_candidates_of(subject);
    candidates.by_models = by_models;
    for (size_t s = 0; s < launch->execution.n_segments; s++) {
        const struct rd_segment *segment = &launch->execution.segments[s];
        struct rd_term_list hypotheses = hypotheses_of(launch, segment);
        for (size_t k = 0; k < launch->points->count; k++)
            if (!launch->points->list[k].dropped &&
                is_at(&segment->to, launch->points->list[k].point))
                rd_candidates_ask_for(
                    subject, &candidates, k, &hypotheses,
                    fact_at(launch, &launch->points->list[k], segment->to.variable), launch->name);
        rd_term_list_finish(&hypotheses);
    }
    return rd_candidates_drop(subject, &candidates, drop_fact, launch);
}

void rd_launch_find_facts(struct rd_launch_proof *launch)
{
    struct rd_proof_subject *subject = launch->subject;
    for (size_t s = 0; s < launch->execution.n_segments && !launch->points->known; s++) {
        const struct rd_cut *from = &launch->execution.segments[s].from;
        if (from->point && from->variable->kind != RD_TERM_NUMBER &&
            !has_candidates(launch, from->point)) {
            add_candidates(launch, from->point);
            if (subject->host) /* loops of the programs here need no more facts */
                add_starts(launch, from->point);
        }
    }
    for (unsigned way = 0; way < 2 && !launch->points->known && launch->points->count > 0; way++)
        while (rd_subject_goes(subject) && ask(launch, way == 0))
            ;
    launch->points->known = true;
    for (size_t s = 0; s < launch->execution.n_segments && rd_subject_goes(subject); s++) {
        const struct rd_segment *segment = &launch->execution.segments[s];
        struct rd_term_list base = {0}, path = {0};
        rd_segment_base(launch, &segment->from, &base);
        rd_term_list_add(subject->terms, &path, segment->path);
        for (size_t k = 0; k < launch->points->count; k++)
            if (!launch->points->list[k].dropped &&
                is_at(&segment->to, launch->points->list[k].point))
                rd_subject_add_goal(
                    subject, RD_PROOF_FACT, launch->name,
                    rd_terms_text(subject->terms,
                                  segment->to.is_bare ? "at %s: %s" : "at the checkpoint '%s': %s",
                                  rd_section_of(launch, &segment->to) &&
                                          rd_section_of(launch, &segment->to)->name
                                      ? rd_section_of(launch, &segment->to)->name
                                      : launch->points->list[k].point,
                                  rd_subject_text(subject, launch->points->list[k].said)),
                    &base, &path, fact_at(launch, &launch->points->list[k], segment->to.variable));
        rd_term_list_finish(&base);
        rd_term_list_finish(&path);
    }
}
