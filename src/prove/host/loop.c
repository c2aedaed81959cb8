// SPDX-License-Identifier: MIT
/* Loops of host code. One with an invariant is cut where its condition is evaluated: what it changes is unknown there, but for the
 * invariant, and for facts about its variables, which are found as those of a program's rounds are. */
#include "prove/goals/candidates.h"
#include "prove/host/host.h"

#include "base/array.h"

#include <stdlib.h>
#include <string.h>

enum { LAWS_MAX = 8, VARIABLES_MAX = 8 };

struct loop {
    const struct rd_syntax_node *node, *condition, *increment, *body;
    const struct rd_syntax_node *laws[LAWS_MAX];
    size_t n_laws;
    const struct rd_syntax_declaration *variables[VARIABLES_MAX];
    rd_term heads[VARIABLES_MAX];
    size_t n_variables;
    const char *name; /* "line 24" */
};

/* Takes the annotations off the loop's condition. */
static void find_laws(struct rd_host *host, struct loop *loop)
{
    for (;;) {
        const struct rd_syntax_node *bare = rd_host_bare(loop->condition);
        const bool is_list =
            bare && bare->kind == RD_SYNTAX_BINARY && bare->op && strcmp(bare->op, ",") == 0;
        if (!is_list)
            return;
        /* (law, law), condition */
        const struct rd_syntax_node *first = bare->kids[0];
        while (first->kind == RD_SYNTAX_BINARY && first->op && strcmp(first->op, ",") == 0)
            first = first->kids[0];
        if (!rd_host_is_law(first))
            return;
        const struct rd_syntax_node *list = bare->kids[0];
        const struct rd_syntax_node *all[LAWS_MAX];
        size_t n = 0;
        for (; list->kind == RD_SYNTAX_BINARY && n < LAWS_MAX; list = list->kids[0])
            all[n++] = list->kids[1];
        if (n == LAWS_MAX || loop->n_laws + n + 1 > LAWS_MAX) {
            RD_HOST_FAIL(host, loop->node, "more than %d invariants of a loop", LAWS_MAX);
            return;
        }
        loop->laws[loop->n_laws++] = list;
        while (n-- > 0)
            loop->laws[loop->n_laws++] = all[n];
        loop->condition = bare->kids[1];
    }
}

static bool is_all_laws(const struct loop *loop)
{
    for (size_t k = 0; k < loop->n_laws; k++)
        if (!rd_host_is_law(loop->laws[k]))
            return false;
    return true;
}

/* ---- variables ---- */

static bool changes(const struct loop *loop, const struct rd_syntax_declaration *declaration)
{
    const struct rd_syntax_node *parts[] = {loop->condition, loop->increment, loop->body};
    for (unsigned k = 0; k < 3; k++)
        if (parts[k] && rd_host_may_set(parts[k], declaration))
            return true;
    return false;
}

/* Makes what the loop changes unknown. */
static void forget_variables(struct rd_host *host, struct loop *loop)
{
    for (size_t k = host->state->frame; k < host->state->n_bindings && rd_host_goes(host); k++) {
        struct binding *binding = &host->state->bindings[k];
        if (!changes(loop, binding->declaration))
            continue;
        if (binding->value.kind != VALUE_NUMBER) {
            if (binding->value.kind == VALUE_POINTER)
                RD_HOST_FAIL(host, loop->node, "a loop that moves the pointer '%s'",
                             binding->declaration->name);
            binding->value = rd_nothing();
            continue;
        }
        if (loop->n_variables == VARIABLES_MAX) {
            RD_HOST_FAIL(host, loop->node, "a loop of more than %d variables", VARIABLES_MAX);
            return;
        }
        const rd_term head =
            rd_host_unknown(host, binding->declaration->name, binding->declaration->type);
        loop->variables[loop->n_variables] = binding->declaration;
        loop->heads[loop->n_variables++] = head;
        binding->value = rd_number_value(head);
    }
}

static rd_term value_of(struct rd_host *host, const struct rd_syntax_declaration *declaration)
{
    const struct binding *found = rd_state_find(host->state, declaration);
    return found && found->value.kind == VALUE_NUMBER
               ? rd_value_number(&host->execution, found->value)
               : NULL;
}

/* ---- facts ---- */

enum { POWER, ZERO_OR_POWER, POSITIVE, NOT_NEGATIVE, UP_TO_HALF, UP_TO_N, BELOW_TWICE_N, KINDS };

/* A candidate of a variable that has this value; true where it says nothing. */
static rd_term candidate(struct rd_host *host, size_t kind, rd_term value)
{
    struct rd_terms *terms = host->terms;
    const rd_term n = host->subject->n, zero = rd_number(terms, 0), two = rd_number(terms, 2);
    switch (kind) {
    case POWER:
        return rd_holds(terms, "P2", 1, &value);
    case ZERO_OR_POWER:
        return rd_or(terms, rd_equal(terms, value, zero), rd_holds(terms, "P2", 1, &value));
    case POSITIVE:
        return rd_at_most(terms, rd_number(terms, 1), value);
    case NOT_NEGATIVE:
        return rd_at_most(terms, zero, value);
    case UP_TO_HALF:
        return rd_at_most(terms, rd_multiply(terms, two, value), n);
    case UP_TO_N:
        return rd_at_most(terms, value, n);
    default:
        return rd_less(terms, value, rd_multiply(terms, two, n));
    }
}

/* Tells whether the fact of that number is kept, and is not said by a stronger one. */
static bool is_told(const struct rd_host_facts *facts, size_t fact)
{
    return facts->kept[fact] && !(fact % KINDS == ZERO_OR_POWER && facts->kept[fact - 1]);
}

/* Of a loop that is tried, of which nothing is known, none. */
static struct rd_host_facts *facts_of(struct rd_host *host, const struct loop *loop)
{
    static const struct rd_host_facts none;
    if (host->dry)
        return (struct rd_host_facts *)&none;
    const unsigned number = host->n_loops++;
    for (size_t k = 0; k < host->n_facts; k++)
        if (host->facts[k]->loop == number)
            return host->facts[k];
    struct rd_host_facts **grown =
        realloc(host->facts, (host->n_facts + 1) * sizeof(struct rd_host_facts *));
    struct rd_host_facts *made = malloc(sizeof *made);
    bool *kept = calloc(loop->n_variables * KINDS + 1, sizeof *kept);
    if (grown)
        host->facts = grown;
    if (!grown || !made || !kept) {
        free(made);
        free(kept);
        rd_execution_fail_memory(&host->execution);
        return NULL;
    }
    for (size_t k = 0; k < loop->n_variables * KINDS; k++)
        kept[k] = true;
    *made =
        (struct rd_host_facts){.loop = number, .count = loop->n_variables * KINDS, .kept = kept};
    host->facts[host->n_facts++] = made;
    return made;
}

static void drop(void *self, size_t fact)
{
    struct rd_host_facts *facts = self;
    facts->kept[fact] = false;
}

/* Adds the facts that are kept, of variables with these values. */
static void add_facts(struct rd_host *host, const struct loop *loop,
                      const struct rd_host_facts *facts, struct rd_term_list *list)
{
    for (size_t k = 0; k < facts->count; k++)
        if (is_told(facts, k))
            rd_term_list_add_new(host->terms, list,
                                 candidate(host, k % KINDS, loop->heads[k / KINDS]));
}

static bool ask(struct rd_host *host, struct rd_host_facts *facts, rd_term path,
                const struct rd_term_list *given, rd_term values[VARIABLES_MAX])
{
    struct rd_candidates candidates = rd_candidates_of(host->subject);
    struct rd_term_list hypotheses = {0};
    rd_host_hypotheses(host, path, &hypotheses);
    rd_term_list_add_all(host->terms, &hypotheses, given);
    for (size_t k = 0; k < facts->count; k++) {
        if (!facts->kept[k])
            continue;
        if (values[k / KINDS])
            rd_candidates_ask_for(host->subject, &candidates, k, &hypotheses,
                                  candidate(host, k % KINDS, values[k / KINDS]), "");
        else
            facts->kept[k] = false;
    }
    rd_term_list_finish(&hypotheses);
    return rd_candidates_drop(host->subject, &candidates, drop, facts);
}

static void add_fact_goals(struct rd_host *host, const struct loop *loop,
                           const struct rd_host_facts *facts, rd_term values[VARIABLES_MAX],
                           const char *where)
{
    for (size_t k = 0; k < facts->count; k++)
        if (is_told(facts, k) && values[k / KINDS])
            rd_host_goal(
                host, RD_PROOF_FACT, rd_terms_text(host->terms, "%s, %s", loop->name, where),
                rd_terms_text(host->terms, "%s",
                              rd_subject_text(host->subject,
                                              candidate(host, k % KINDS, loop->heads[k / KINDS]))),
                0, NULL, candidate(host, k % KINDS, values[k / KINDS]));
}

/* ---- one trip ---- */

static void find_values(struct rd_host *host, const struct loop *loop,
                        rd_term values[VARIABLES_MAX])
{
    for (size_t k = 0; k < loop->n_variables; k++)
        values[k] = value_of(host, loop->variables[k]);
}

/* Splits the path at the condition: the state goes on in the loop, *done behind it. */
static void test(struct rd_host *host, const struct loop *loop, struct state **done)
{
    rd_term condition = rd_true(host->terms);
    *done = NULL;
    if (loop->condition && !rd_host_is_readable(host, loop->condition))
        RD_HOST_FAIL(host, loop->node, "a loop whose condition the prover doesn't read");
    else if (loop->condition)
        condition = rd_value_condition(&host->execution, rd_host_evaluate(host, loop->condition));
    if (!rd_host_goes(host))
        return;
    *done = rd_state_copy(&host->execution, host->state);
    if (!*done)
        return;
    (*done)->path = rd_and(host->terms, (*done)->path, rd_not(host->terms, condition));
    host->state->path = rd_and(host->terms, host->state->path, condition);
}

static void perform_trip(struct rd_host *host, const struct loop *loop)
{
    host->n_around++;
    rd_host_perform(host, loop->body);
    rd_host_perform(host, loop->increment);
    host->n_around--;
}

static void add_end_goal(struct rd_host *host, const struct loop *loop,
                         rd_term values[VARIABLES_MAX])
{
    struct rd_terms *terms = host->terms;
    struct rd_term_list hypotheses = {0};
    rd_term found = rd_false(terms);
    const char *what = "the loop comes to an end: none of its variables was found to fall or to "
                       "grow with each trip";
    if (host->subject->values_only)
        return;
    rd_host_hypotheses(host, host->state->path, &hypotheses);
    for (size_t k = 0; k < loop->n_variables && found->kind == RD_TERM_FALSE; k++)
        for (unsigned way = 0; way < 2 && values[k] && found->kind == RD_TERM_FALSE; way++) {
            const rd_term goal = way ? rd_less(terms, loop->heads[k], values[k])
                                     : rd_less(terms, values[k], loop->heads[k]);
            if (!rd_subject_follows(host->subject, &hypotheses, goal))
                continue;
            found = goal;
            what = rd_terms_text(
                terms, "the loop comes to an end: each trip makes %s %s, whose type has an end",
                loop->variables[k]->name, way ? "larger" : "smaller");
        }
    rd_term_list_finish(&hypotheses);
    rd_host_goal(host, RD_PROOF_TERMINATION, loop->name, what, 0, NULL, found);
}

/* ---- arrays ---- */

static void clear_changes(struct rd_host *host)
{
    for (size_t k = 0; k < host->n_arrays; k++)
        host->arrays[k]->changed = false;
}

/* Makes the trip without goals, and tells which arrays it changes, by flags, and how variables; the state and arrays stay as they are. */
static bool try_trip(struct rd_host *host, const struct loop *loop, rd_term *path,
                     rd_term values[VARIABLES_MAX], bool **changed, size_t *n_changed)
{
    struct state *kept = host->state, *done = NULL;
    const size_t n = host->n_arrays;
    const struct rd_host_content **contents = calloc(n + 1, sizeof(struct rd_host_content *));
    bool *flags = calloc(n + 1, sizeof *flags);
    struct rd_host_launch *pending = host->pending;
    const bool dry = host->dry;
    host->state = rd_state_copy(&host->execution, kept);
    if (!contents || !flags || !host->state) {
        free((void *)contents);
        free(flags);
        if (!host->state)
            host->state = kept;
        rd_execution_fail_memory(&host->execution);
        return false;
    }
    for (size_t k = 0; k < n; k++)
        contents[k] = host->arrays[k]->content;
    clear_changes(host);
    host->dry = true;
    test(host, loop, &done);
    perform_trip(host, loop);
    host->dry = dry;
    find_values(host, loop, values);
    *path = host->state->path;
    const bool runs = rd_host_runs(host);
    for (size_t k = 0; k < n; k++) {
        flags[k] = host->arrays[k]->changed;
        host->arrays[k]->content = contents[k];
    }
    rd_state_destroy(done);
    rd_state_destroy(host->state);
    host->state = kept;
    host->pending = pending;
    free((void *)contents);
    *changed = flags;
    *n_changed = n;
    if (rd_host_goes(host) && !runs)
        RD_HOST_FAIL(host, loop->node, "a loop that is always left in its first trip");
    return rd_host_goes(host);
}

static void forget_changed(struct rd_host *host, const bool *changed, size_t n)
{
    for (size_t k = 0; k < n; k++)
        if (changed[k])
            rd_host_content_forget(host, host->arrays[k]);
}

/* What a kernel writes by a pointer that its parameters don't tell. */
static void check_changed(struct rd_host *host, const struct loop *loop, const bool *changed,
                          size_t n)
{
    for (size_t k = 0; k < n; k++)
        if (host->arrays[k]->changed && !changed[k])
            RD_HOST_FAIL(host, loop->node, "a loop that writes '%s' by a pointer to const",
                         host->arrays[k]->array.name);
}

/* ---- the loop ---- */

static void assert_all(struct rd_host *host, const struct loop *loop, enum rd_host_law_place place)
{
    for (size_t k = 0; k < loop->n_laws && rd_host_goes(host); k++)
        rd_host_law_assert(host, loop->laws[k], place);
    rd_host_end_launch(host);
}

static void assume_all(struct rd_host *host, const struct loop *loop,
                       const struct rd_host_facts *facts)
{
    struct rd_term_list list = {0};
    add_facts(host, loop, facts, &list);
    for (size_t k = 0; k < list.count; k++)
        host->state->path = rd_and(host->terms, host->state->path, list.terms[k]);
    rd_term_list_finish(&list);
    for (size_t k = 0; k < loop->n_laws && rd_host_goes(host); k++)
        rd_host_law_assume(host, loop->laws[k]);
}

static void find_facts(struct rd_host *host, const struct loop *loop, struct rd_host_facts *facts,
                       rd_term before, rd_term first[VARIABLES_MAX], rd_term path,
                       rd_term values[VARIABLES_MAX])
{
    const struct rd_term_list none = {0};
    bool dropped = true;
    ask(host, facts, before, &none, first);
    while (dropped && rd_host_goes(host)) {
        struct rd_term_list given = {0};
        add_facts(host, loop, facts, &given);
        dropped = ask(host, facts, path, &given, values);
        rd_term_list_finish(&given);
    }
}

static void perform_cut_loop(struct rd_host *host, struct loop *loop)
{
    struct rd_terms *terms = host->terms;
    rd_term first[VARIABLES_MAX] = {0}, values[VARIABLES_MAX] = {0}, path;
    bool *changed = NULL;
    size_t n_changed = 0;
    struct state *done = NULL;
    const rd_term before = host->state->path, rounds = host->rounds;
    loop->name = rd_terms_text(terms, "line %u", loop->node->line);
    host->rounds = rd_number(terms, 0);
    assert_all(host, loop, RD_HOST_AT_START);
    struct state *entry = rd_state_copy(&host->execution, host->state);
    if (!entry)
        return;
    forget_variables(host, loop);
    for (size_t k = 0; k < loop->n_variables; k++) {
        const struct binding *found = rd_state_find(entry, loop->variables[k]);
        first[k] = found ? rd_value_number(&host->execution, found->value) : NULL;
    }
    rd_state_destroy(entry);
    host->rounds = rd_host_constant(host, "rounds");
    rd_term_list_add(terms, &host->known, rd_at_most(terms, rd_number(terms, 0), host->rounds));
    rd_term_list_add_new(terms, &host->natural, host->rounds);
    const rd_term head_rounds = host->rounds;
    if (rd_host_goes(host) && try_trip(host, loop, &path, values, &changed, &n_changed)) {
        struct rd_host_facts *facts = facts_of(host, loop);
        if (facts && !facts->found && !host->dry) {
            find_facts(host, loop, facts, before, first, path, values);
            facts->found = true;
        }
        if (facts && rd_host_goes(host)) {
            struct state *head = host->state;
            const rd_term at_head = head->path;
            head->path = before;
            add_fact_goals(host, loop, facts, first, "before the loop");
            head->path = at_head;
            forget_changed(host, changed, n_changed);
            assume_all(host, loop, facts);
            const struct rd_host_content **contents =
                calloc(n_changed + 1, sizeof(struct rd_host_content *));
            if (!contents)
                rd_execution_fail_memory(&host->execution);
            for (size_t k = 0; k < n_changed && contents; k++)
                contents[k] = host->arrays[k]->content;
            clear_changes(host);
            if (rd_host_goes(host))
                test(host, loop, &done);
            perform_trip(host, loop);
            host->rounds = rd_add(terms, head_rounds, rd_number(terms, 1));
            check_changed(host, loop, changed, n_changed);
            if (rd_host_goes(host)) {
                find_values(host, loop, values);
                assert_all(host, loop, RD_HOST_AT_END);
                add_fact_goals(host, loop, facts, values, "after a trip");
                add_end_goal(host, loop, values);
            }
            for (size_t k = 0; k < n_changed && contents; k++)
                host->arrays[k]->content = contents[k];
            for (size_t k = 0; k < n_changed; k++)
                host->arrays[k]->changed = changed[k];
            free((void *)contents);
            if (done) {
                rd_state_destroy(host->state);
                host->state = done;
            }
        }
    }
    free(changed);
    host->rounds = rounds;
    host->n_effects++;
}

static void perform_free_loop(struct rd_host *host, const struct loop *loop)
{
    const struct rd_syntax_node *why = NULL;
    if (rd_host_has_call(loop->node, NULL))
        RD_HOST_FAIL(host, loop->node, "a loop that launches kernels, and has no invariant");
    else if (rd_host_is_harmless(host, loop->node, &why))
        rd_host_forget(host, loop->node);
    else if (why && why->kind == RD_SYNTAX_CALL)
        RD_HOST_FAIL(host, why, "the call of '%s' in a loop without an invariant",
                     rd_host_callee(why));
    else
        RD_HOST_FAIL(host, why ? why : loop->node,
                     "a statement that the prover doesn't read, in a loop without an invariant");
}

static bool is_false(const struct rd_syntax_node *node)
{
    node = rd_host_bare(node);
    return node && node->kind == RD_SYNTAX_NUMBER && node->number == 0;
}

void rd_host_loop(struct rd_host *host, const struct rd_syntax_node *node)
{
    struct loop loop = {.node = node};
    if (node->kind == RD_SYNTAX_FOR) {
        loop.condition = node->kids[1];
        loop.increment = node->kids[2];
        loop.body = node->kids[3];
    } else {
        const bool is_do = node->kind == RD_SYNTAX_DO;
        loop.condition = node->kids[is_do ? 1 : 0];
        loop.body = node->kids[is_do ? 0 : 1];
    }
    find_laws(host, &loop);
    if (rd_host_goes(host) && !is_all_laws(&loop))
        RD_HOST_FAIL(host, node, "a loop's condition with a comma");
    if (!rd_host_goes(host))
        return;
    if (node->kind == RD_SYNTAX_DO && loop.n_laws == 0 && is_false(loop.condition)) {
        rd_host_perform(host, loop.body);
        return;
    }
    if (loop.n_laws == 0) {
        perform_free_loop(host, &loop);
        return;
    }
    if (node->kind == RD_SYNTAX_FOR)
        rd_host_perform_header(host, node->kids[0]);
    else if (node->kind == RD_SYNTAX_DO)
        rd_host_perform(host, loop.body); /* before the condition is evaluated first */
    if (rd_host_goes(host) && rd_host_runs(host))
        perform_cut_loop(host, &loop);
}
