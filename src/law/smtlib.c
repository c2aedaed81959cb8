// SPDX-License-Identifier: MIT
/* The obligations of a law as queries. */
#include "base/random.h"
#include "law/plan.h"
#include "law/print.h"
#include "law/run.h"
#include "law/smt_writer.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- claims ---- */

/* "0 <= v" stands in the claim itself. */
static bool says_natural(const struct law_binding *binding, const struct law_variable *variable)
{
    for (size_t k = 0; k < binding->n_conditions; k++) {
        const struct law_node *condition = binding->conditions[k];
        if (condition->kind == LAW_COMPARISON && condition->kids[0]->kind == LAW_NUMBER &&
            condition->relations[0] == LAW_LESS_EQUAL && condition->kids[1]->kind == LAW_NAME &&
            condition->kids[1]->meaning == LAW_IS_VARIABLE &&
            condition->kids[1]->slot == variable->slot)
            return true;
    }
    return false;
}

static void write_ranges(struct smt_writer *to, const struct law_binding *binding)
{
    size_t count = binding->n_conditions;
    for (size_t k = 0; k < binding->n_variables; k++)
        count += !says_natural(binding, &binding->variables[k]);
    fputs(count > 1 ? "(and" : "", to->out);
    for (size_t k = 0; k < binding->n_variables; k++)
        if (!says_natural(binding, &binding->variables[k]))
            fprintf(to->out, " (<= 0 %s)", to->scope->terms[binding->variables[k].slot]);
    for (size_t k = 0; k < binding->n_conditions; k++) {
        fputs(count > 1 ? " " : "", to->out);
        rd_smt_condition(to, binding->conditions[k]);
    }
    fputs(count > 1 ? ")" : "", to->out);
}

/* ((i Int) (k Int)) */
static void write_variables(struct smt_writer *to, const struct law_binding *binding)
{
    fputc('(', to->out);
    for (size_t k = 0; k < binding->n_variables; k++)
        fprintf(to->out, "%s(%s Int)", k ? " " : "", to->scope->terms[binding->variables[k].slot]);
    fputc(')', to->out);
}

/* The cell is `target`'s, and its value speaks of the writer's array. */
static void write_equality(struct smt_writer *to, const struct law_claim *claim, const char *target)
{
    fprintf(to->out, "(= (select %s ", target);
    if (claim->whole)
        fputs("the-cell", to->out);
    else
        rd_smt_flat(to, claim->cell, to->section->array);
    fputs(") ", to->out);
    rd_smt_count(to, claim->value);
    fputc(')', to->out);
}

static void write_whole(struct smt_writer *to, const struct law_claim *claim, const char *target)
{
    int64_t count;
    if (!rd_law_count(to->run, to->section->array, &count))
        return;
    fprintf(to->out, "(forall ((the-cell Int)) (=> (and (<= 0 the-cell) (< the-cell %" PRId64 ")) ",
            count);
    write_equality(to, claim, target);
    fputs("))", to->out);
}

typedef void write_claim(struct smt_writer *to, const struct law_claim *claim, const char *target);

/* Tells whether SMT-LIB has a word for it only once its variables are numbers. */
static bool needs_numbers(const struct law_node *node)
{
    const bool call = node->kind == LAW_CALL && node->op != LAW_MIN && node->op != LAW_MAX &&
                      node->op != LAW_ABS && node->op != LAW_FLOOR && node->op != LAW_CEIL;
    const bool power = node->kind == LAW_BINARY && node->op == LAW_POWER && !node->data;
    if (node->meaning == LAW_IS_LAST_STATE || (node->kind == LAW_BINARY && node->op == LAW_XOR))
        return true;
    if ((call || power) && rd_law_variables(node))
        return true;
    if (node->kind == LAW_FAMILY && rd_law_variables(node->kids[0]))
        return true;
    for (size_t k = 0; k < node->n_kids; k++)
        if (needs_numbers(node->kids[k]))
            return true;
    return false;
}

struct cases {
    struct smt_writer *to;
    const struct law_claim *claim;
    const char *target;
};

static bool visit_case(struct rd_law_run *run, void *context)
{
    const struct cases *cases = context;
    struct smt_scope *outer = cases->to->scope;
    struct smt_scope scope = rd_smt_scope_of_case(run, cases->claim->binding);
    cases->to->scope = &scope;
    fputs("\n      ", cases->to->out);
    write_equality(cases->to, cases->claim, cases->target);
    cases->to->scope = outer;
    return run->status == RD_OK;
}

static void write_cases(struct smt_writer *to, const struct law_claim *claim, const char *target)
{
    struct cases cases = {to, claim, target};
    fputs("(and true", to->out);
    rd_law_cases(to->run, claim->binding, visit_case, &cases);
    fputc(')', to->out);
}

static void write_claimed(struct smt_writer *to, const struct law_claim *claim, const char *target)
{
    fputs("\n    ", to->out);
    if (claim->binding && !claim->whole &&
        (needs_numbers(claim->value) || needs_numbers(claim->cell))) {
        write_cases(to, claim, target);
        return;
    }
    if (claim->binding) {
        fputs("(forall ", to->out);
        write_variables(to, claim->binding);
        fputs(" (=> ", to->out);
        write_ranges(to, claim->binding);
        fputc(' ', to->out);
    }
    if (claim->whole)
        write_whole(to, claim, target);
    else
        write_equality(to, claim, target);
    fputs(claim->binding ? "))" : "", to->out);
}

/* A claim of A[i] for these i. */
static bool is_of_variable(const struct law_claim *claim)
{
    return claim->binding && claim->binding->n_variables == 1 && claim->cell->n_kids == 1 &&
           claim->cell->kids[0]->kind == LAW_NAME &&
           claim->cell->kids[0]->slot == claim->binding->variables[0].slot;
}

/* Tells whether the claim names the cell `target`. */
static void write_named(struct smt_writer *to, const struct law_claim *claim, const char *target)
{
    fputs("\n      ", to->out);
    if (claim->whole) {
        fputs("true", to->out);
        return;
    }
    if (is_of_variable(claim)) {
        to->scope->terms[claim->binding->variables[0].slot] = target;
        write_ranges(to, claim->binding);
        return;
    }
    if (claim->binding) {
        fputs("(exists ", to->out);
        write_variables(to, claim->binding);
        fputs(" (and ", to->out);
        write_ranges(to, claim->binding);
        fputc(' ', to->out);
    }
    fprintf(to->out, "(= %s ", target);
    rd_smt_flat(to, claim->cell, to->section->array);
    fputc(')', to->out);
    fputs(claim->binding ? "))" : "", to->out);
}

/* An active claim, with its variables by their names. */
static bool write_if_active(struct smt_writer *to, const struct law_claim *claim,
                            write_claim *write, const char *target)
{
    struct smt_scope scope = {0};
    size_t base, top;
    bool active = true;
    if (!rd_law_run_push(to->run, claim->cell, claim->frame, NULL, 0, &base, &top))
        return false;
    for (size_t v = 0; claim->binding && v < claim->binding->n_variables; v++)
        scope.terms[claim->binding->variables[v].slot] = claim->binding->variables[v].name;
    to->scope = &scope;
    if (claim->when && !rd_law_condition(to->run, claim->when, &active))
        active = false;
    if (active)
        write(to, claim, target);
    to->scope = NULL;
    rd_law_run_pop(to->run, base, top);
    return active;
}

/* Joins the active claims of the role by a word; of none, writes the other. */
static void write_claims(struct smt_writer *to, enum rd_law_role role, write_claim *write,
                         const char *target, const char *word, const char *none)
{
    const struct law_claims *claims = &to->section->claims[role];
    FILE *out = to->out;
    char *text = NULL;
    size_t size, count = 0;
    to->out = open_memstream(&text, &size);
    for (size_t k = 0; to->out && k < claims->count && !rd_smt_has_failed(to); k++)
        count += write_if_active(to, &claims->claims[k], write, target);
    if (!to->out || fclose(to->out) != 0)
        rd_law_run_no_memory(to->run);
    to->out = out;
    if (count > 1)
        fprintf(out, "\n  (%s%s)", word, text ? text : "");
    else
        fputs(count > 0 && text ? text : none, out);
    free(text);
}

/* ---- a step ---- */

static bool go(struct smt_writer *to, uint64_t d)
{
    return rd_law_run_go(to->run, to->section, &(struct rd_law_place){.d = d});
}

static void define_law(struct smt_writer *to, uint64_t d)
{
    if (!go(to, d))
        return;
    fprintf(to->out, "(define-fun law-%" PRIu64 " ((%s (Array Int Int))) Bool", d, to->array);
    write_claims(to, RD_LAW_LAW, write_claimed, to->array, "and", " true");
    fputs(")\n", to->out);
}

/* Writes the array after the round: the cells that it claims, and all others as they were. */
static void define_update(struct smt_writer *to, uint64_t d)
{
    const char *array = to->array;
    char after[100];
    if (!go(to, d))
        return;
    snprintf(after, sizeof after, "%.80s-after", array);
    fprintf(to->out,
            "(define-fun update-%" PRIu64
            " ((%s (Array Int Int)) (%s (Array Int Int))) Bool\n  (and",
            d, array, after);
    write_claims(to, RD_LAW_UPDATE, write_claimed, after, "and", " true");
    fputs("\n    (forall ((the-cell Int)) (or", to->out);
    write_claims(to, RD_LAW_UPDATE, write_named, "the-cell", "or", " false");
    fprintf(to->out, "\n      (= (select %s the-cell) (select %s the-cell))))))\n", after, array);
}

/* ---- queries ---- */

static void begin_query(struct smt_writer *to, const char *name)
{
    fprintf(to->out, "\n(echo \"%s\")\n(push 1)\n", name);
}

static void end_query(struct smt_writer *to)
{
    fputs("(check-sat)\n(pop 1)\n", to->out);
}

static void ask_initialization(struct smt_writer *to, const struct rd_law_obligations *obligations)
{
    const bool input = obligations->beginning == RD_LAW_BEGINS_AS_INPUT;
    if (!go(to, 0))
        return;
    begin_query(to, "initialization");
    if (to->section->claims[RD_LAW_START].count > 0) {
        fputs("(assert", to->out);
        write_claims(to, RD_LAW_START, write_claimed, to->array, "and", " true");
        fputs(")\n", to->out);
    } else {
        fprintf(to->out, "(assert (forall ((the-cell Int)) (= (select %s the-cell) ", to->array);
        fprintf(to->out, input ? "(ite (= the-cell %s) 1 0))))\n" : "0)))\n", to->input);
    }
    fprintf(to->out, "(assert (not (law-0 %s)))\n", to->array);
    end_query(to);
}

static void ask_preservation(struct smt_writer *to, uint64_t d)
{
    char name[60];
    snprintf(name, sizeof name, "preservation by round %" PRIu64, d);
    begin_query(to, name);
    fprintf(to->out,
            "(assert (law-%" PRIu64 " %s))\n(assert (update-%" PRIu64 " %s %s-after))\n"
            "(assert (not (law-%" PRIu64 " %s-after)))\n",
            d - 1, to->array, d, to->array, to->array, d, to->array);
    end_query(to);
}

static void write_total(struct smt_writer *to)
{
    int64_t count;
    enum { CELLS_MAX = 4096 };
    if (!rd_law_count(to->run, to->section->array, &count))
        return;
    if (count > CELLS_MAX) {
        rd_law_run_fail(to->run, NULL, "more than %d cells to add up: take a smaller n", CELLS_MAX);
        return;
    }
    fputs("(= 1 (+ 0", to->out);
    for (int64_t k = 0; k < count; k++)
        fprintf(to->out, " (select %s %" PRId64 ")", to->array, k);
    fputs("))", to->out);
}

static void write_promise(struct smt_writer *to, enum rd_law_promise promise)
{
    int64_t count;
    if (promise == RD_LAW_PROMISES_FIRST) {
        fprintf(to->out, "(= (select %s 0) 1)", to->array);
    } else if (promise == RD_LAW_PROMISES_TOTAL) {
        write_total(to);
    } else if (rd_law_count(to->run, to->section->array, &count)) {
        fprintf(to->out,
                "(forall ((the-cell Int)) (=> (and (<= 0 the-cell) (< the-cell %" PRId64
                ")) (= (select %s the-cell) (ite (= the-cell %s) 1 0))))",
                count, to->array, to->input);
    }
}

static void ask_exit(struct smt_writer *to, const struct rd_law_obligations *obligations)
{
    if (obligations->promise == RD_LAW_PROMISES_NOTHING) {
        fputs("\n; exit: the goal is what the law says after the last round\n", to->out);
        return;
    }
    if (!go(to, obligations->rounds))
        return;
    begin_query(to, "exit");
    fprintf(to->out, "(assert (law-%" PRIu64 " %s))\n(assert (not ", obligations->rounds,
            to->array);
    write_promise(to, obligations->promise);
    fputs("))\n", to->out);
    end_query(to);
}

/* ---- all of it ---- */

static void write_head(struct smt_writer *to, const struct rd_law_obligations *obligations)
{
    const int64_t *quantities = to->run->quantities;
    const struct law_array *input = to->section->law->inputs[0];
    int64_t count;
    if (!rd_law_count(to->run, input, &count))
        return;
    fprintf(to->out, "; The obligations of the law of %s for n = %" PRId64 ", T = %" PRId64,
            obligations->name, quantities[LAW_N], quantities[LAW_T]);
    if (to->run->has_b)
        fprintf(to->out, ", B = %" PRId64, quantities[LAW_B]);
    fputs(".\n", to->out);
    if (obligations->operation)
        fprintf(
            to->out,
            "; The program reduces by %s; the queries ask which inputs a cell is made of, as if "
            "it added them.\n",
            obligations->operation);
    if (obligations->rounds_of)
        fprintf(to->out,
                "; The rounds are those that %s documents. What the kernel of the fault does "
                "otherwise,\n; a run shows, and no query here.\n",
                obligations->rounds_of);
    fprintf(to->out,
            "; A cell is how often it holds input %s of %s, whichever that is. A query is unsat "
            "where "
            "its\n; obligation holds, and else sat.\n"
            "(set-logic ALL)\n(declare-const %s Int)\n(assert (and (<= 0 %s) (< %s %" PRId64
            ")))\n",
            to->input, input->name, to->input, to->input, to->input, count);
    fprintf(to->out,
            "(declare-const %s (Array Int Int))\n(declare-const %s-after (Array Int Int))\n",
            to->array, to->array);
}

static void write_all(struct smt_writer *to, const struct rd_law_obligations *obligations)
{
    const bool moves = to->section->claims[RD_LAW_UPDATE].count > 0;
    if (!go(to, 0))
        return;
    write_head(to, obligations);
    for (uint64_t d = 0; d <= obligations->rounds && !rd_smt_has_failed(to); d++) {
        define_law(to, d);
        if (d > 0 && moves)
            define_update(to, d);
    }
    ask_initialization(to, obligations);
    for (uint64_t d = 1; moves && d <= obligations->rounds && !rd_smt_has_failed(to); d++)
        ask_preservation(to, d);
    if (!moves && obligations->rounds > 0)
        fputs("\n; preservation: no update stands beside the law; a round leaves what it says\n",
              to->out);
    ask_exit(to, obligations);
}

typedef bool name_visit(const char *name, const void *context);

/* Tells whether any name that a formula may have is so: that of the array, and those that a `for` binds. */
static bool has_name(const struct rd_law_section *section, name_visit *is_so, const void *context)
{
    if (is_so(section->array->name, context))
        return true;
    for (unsigned role = 0; role < 3; role++)
        for (size_t k = 0; k < section->claims[role].count; k++) {
            const struct law_binding *binding = section->claims[role].claims[k].binding;
            for (size_t v = 0; binding && v < binding->n_variables; v++)
                if (is_so(binding->variables[v].name, context))
                    return true;
        }
    return false;
}

static bool is_equal(const char *name, const void *context)
{
    return strcmp(name, context) == 0;
}

/* Names with a meaning of their own in SMT-LIB, but for those that a law can't have. */
static bool is_taken(const char *name, const void *context)
{
    static const char *const words[] = {"select", "store",  "ite",    "distinct", "forall",
                                        "exists", "true",   "false",  "par",      "as",
                                        "match",  "assert", "update", "implies",  "const"};
    (void)context;
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        if (strcmp(name, words[k]) == 0)
            return true;
    return false;
}

/* A name for the input's index that the law doesn't have. */
static const char *name_input(const struct rd_law_section *section)
{
    return !has_name(section, is_equal, "j") ? "j" : "the-input";
}

/* ---- whether there are such arrays ---- */

enum { TRIED_MAX = 1 << 22 }; /* elements of an array, in all rounds */

/* Numbers that look random. */
static void fill(uint64_t *cells, uint64_t count, uint64_t seed)
{
    for (uint64_t k = 0; k < count; k++)
        cells[k] = rd_random(&seed);
}

/* Moves an array through all rounds: no array would be there after a round that says two things of a cell, or reads one that
 * doesn't exist, and so any law. */
static enum rd_status try_rounds(struct rd_law_run *run, const struct rd_law_section *section,
                                 const struct rd_law_obligations *obligations,
                                 const void *const *inputs, uint64_t *cells,
                                 struct rd_law_error *error)
{
    const struct rd_law_data data = {.numeric = rd_numeric(RD_TYPE_U64), .inputs = inputs};
    const bool starts = section->claims[RD_LAW_START].count > 0;
    const bool moves = section->claims[RD_LAW_UPDATE].count > 0;
    enum rd_status status = RD_OK;
    for (uint64_t d = starts ? 0 : 1; d <= (moves ? obligations->rounds : 0) && status == RD_OK;
         d++) {
        const struct rd_law_place place = {.d = d};
        status = rd_law_apply(run, section, d == 0 ? RD_LAW_START : RD_LAW_UPDATE, &place, &data,
                              cells, NULL, error);
    }
    return status;
}

static enum rd_status try_arrays(struct rd_law_run *run, const struct rd_law_section *section,
                                 const struct rd_law_obligations *obligations,
                                 struct rd_law_error *error)
{
    const size_t n_inputs = run->law->n_inputs;
    const struct rd_law_place first = {.d = 0};
    void **arrays = calloc(n_inputs + 1, sizeof *arrays); /* the inputs, and the array */
    enum rd_status status = arrays ? RD_OK : RD_ERROR_MEMORY;
    for (size_t k = 0; status == RD_OK && k <= n_inputs; k++) {
        uint64_t count;
        status = k < n_inputs ? rd_law_input_size(run, k, &count, error)
                              : rd_law_array_size(run, section, &first, &count, error);
        if (status == RD_OK && count > TRIED_MAX / (obligations->rounds + 1)) {
            rd_law_run_fail(run, NULL,
                            "%" PRIu64 " elements and %" PRIu64
                            " rounds are too many for queries: choose a smaller n",
                            count, obligations->rounds);
            status = run->status;
        }
        arrays[k] = status == RD_OK ? malloc((count + 1) * sizeof(uint64_t)) : NULL;
        if (status == RD_OK && !arrays[k])
            status = RD_ERROR_MEMORY;
        if (status == RD_OK)
            fill(arrays[k], count, k + 1);
    }
    if (status == RD_OK)
        status = try_rounds(run, section, obligations, (const void *const *)arrays,
                            arrays[n_inputs], error);
    for (size_t k = 0; arrays && k <= n_inputs; k++)
        free(arrays[k]);
    free(arrays);
    if (status != RD_ERROR_MEMORY)
        return status;
    rd_law_run_begin(run, error);
    rd_law_run_no_memory(run);
    return run->status;
}

enum rd_status rd_law_smtlib(struct rd_law_run *run, const struct rd_law_obligations *obligations,
                             FILE *out, struct rd_law_error *error)
{
    const struct rd_law_section *section = rd_law_section(run->law, 0);
    char *text = NULL;
    size_t size;
    struct smt_writer writer = {.run = run,
                                .section = section,
                                .input = name_input(section),
                                .array = section->array->name};
    rd_law_run_begin(run, error);
    writer.out = open_memstream(&text, &size);
    if (!writer.out) {
        rd_law_run_no_memory(run);
        return run->status;
    }
    if (run->law->n_inputs == 0)
        rd_law_run_fail(run, NULL, "the paragraph has no input");
    else if (has_name(section, is_taken, NULL))
        rd_law_run_fail(run, NULL, "a name in the law means something else in SMT-LIB");
    else if (try_arrays(run, section, obligations, error) == RD_OK) {
        rd_law_run_begin(run, error);
        write_all(&writer, obligations);
    }
    if (fclose(writer.out) != 0 && run->status == RD_OK)
        rd_law_run_no_memory(run);
    if (run->status == RD_OK)
        fwrite(text, 1, size, out);
    free(text);
    return run->status;
}
