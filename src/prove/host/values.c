// SPDX-License-Identifier: MIT
/* Values of host code, and goals that speak of them. */
#include "prove/host/host.h"

#include <stdlib.h>
#include <string.h>

static bool is_word(const char *word, size_t length, const char *text)
{
    return strlen(text) == length && strncmp(text, word, length) == 0;
}

/* What stands in the file for the law's word; NULL: the same. */
static const char *own_word(const struct rd_host *host, const struct rd_annotation *of,
                            const char *word, size_t length)
{
    for (size_t k = 0; k < of->n_names; k++)
        if (is_word(word, length, of->names[k].alias))
            return of->names[k].expression;
    for (size_t k = 0; k < host->n_inputs; k++)
        if (is_word(word, length, host->inputs[k]->of->array.alias))
            return host->inputs[k]->of->array.expression;
    return NULL;
}

/* Puts the file's own words in the place of those that stand for them in a law; the caller frees it. */
static char *in_words_of_file(const struct rd_host *host, const struct rd_annotation *of,
                              const char *text)
{
    char *made = NULL;
    size_t size;
    FILE *out = open_memstream(&made, &size);
    for (size_t length = 0; out && *text; text += length) {
        for (length = 0; rd_lexer_is_letter(text[length]);)
            length++;
        const char *own = length > 0 ? own_word(host, of, text, length) : NULL;
        length += length == 0;
        if (own)
            fputs(own, out);
        else
            fwrite(text, 1, length, out);
    }
    if (out && fclose(out) == 0)
        return made;
    free(made);
    return NULL;
}

static void fail_by_law(struct rd_host *host, const struct rd_host_law *law)
{
    char *why = in_words_of_file(host, law->of, rd_law_reader_failure(law->reader));
    rd_subject_fail(host->subject, "%s:%u: %s", host->path, law->of->line,
                    why ? why : rd_law_reader_failure(law->reader));
    free(why);
}

bool rd_host_goes(struct rd_host *host)
{
    struct rd_proof_subject *subject = host->subject;
    if (*host->execution.failure)
        rd_subject_fail_by(subject, host->execution.lacks_memory ? RD_ERROR_MEMORY : RD_OK,
                           host->execution.failure);
    for (size_t k = 0; k < host->n_laws && !*subject->failure; k++)
        if (host->laws[k].reader && *rd_law_reader_failure(host->laws[k].reader))
            fail_by_law(host, &host->laws[k]);
    return rd_subject_goes(subject);
}

/* ---- constants ---- */

/* Names of constants that goals have anyway. */
static bool is_reserved(const char *name)
{
    static const char *const reserved[] = {"t_y",     "b_y",     "u_y",   "c_y",  "T",    "B",
                                           "d",       "i",       "block", "i2",   "j",    "j2",
                                           "t",       "u",       "b",     "c",    "grid", "thread",
                                           "thread2", "threads", "row",   "row2", NULL};
    for (size_t k = 0; reserved[k]; k++)
        if (strcmp(name, reserved[k]) == 0)
            return true;
    return false;
}

static bool is_taken(const struct rd_host *host, const char *name)
{
    for (size_t k = 0; k < host->n_taken; k++)
        if (strcmp(host->taken[k], name) == 0)
            return true;
    return false;
}

rd_term rd_host_constant(struct rd_host *host, const char *name)
{
    struct rd_terms *terms = host->terms;
    const char *own = is_reserved(name) ? rd_terms_text(terms, "%s of main", name) : name;
    for (unsigned k = 2; is_taken(host, own); k++)
        own = rd_terms_text(terms, "%s (%u)", name, k);
    char **grown = realloc(host->taken, (host->n_taken + 1) * sizeof *grown);
    if (grown)
        host->taken = grown;
    if (!grown || !(host->taken[host->n_taken] = strdup(own))) {
        rd_execution_fail_memory(&host->execution);
        return rd_number(terms, 0);
    }
    host->n_taken++;
    return rd_constant(terms, own);
}

rd_term rd_host_unknown(struct rd_host *host, const char *name, const struct rd_syntax_type *type)
{
    struct rd_terms *terms = host->terms;
    const rd_term constant = rd_host_constant(host, name);
    rd_wide least, most;
    if (rd_type_range(type, &least, &most)) {
        rd_term_list_add(
            terms, &host->known,
            rd_within(terms, rd_number(terms, least), constant, rd_number(terms, most + 1)));
        if (least == 0)
            rd_term_list_add_new(terms, &host->natural, constant);
    }
    return constant;
}

/* ---- goals ---- */

void rd_host_hypotheses(struct rd_host *host, rd_term path, struct rd_term_list *list)
{
    rd_term_list_add_all(host->terms, list, &host->subject->base);
    rd_term_list_add_all(host->terms, list, &host->known);
    unsigned count;
    const rd_term *parts = rd_term_conjuncts(&path, &count);
    for (unsigned k = 0; k < count; k++)
        rd_term_list_add_new(host->terms, list, parts[k]);
}

void rd_host_goal(struct rd_host *host, enum rd_proof_obligation obligation, const char *segment,
                  const char *what, size_t count, const rd_term *more, rd_term goal)
{
    struct rd_term_list base = {0}, list = {0};
    if (host->dry || host->state->path->kind == RD_TERM_FALSE)
        return;
    rd_host_hypotheses(host, host->state->path, &base);
    for (size_t k = 0; k < count; k++)
        rd_term_list_add(host->terms, &list, more[k]);
    rd_subject_add_goal(host->subject, obligation, segment, what, &base, &list, goal);
    rd_term_list_finish(&base);
    rd_term_list_finish(&list);
}

/* Numbers must fit: of what was evaluated since the last call. */
static void add_requirement_goals(struct rd_host *host)
{
    struct state *state = host->state;
    for (size_t k = 0; k < state->n_requirements && rd_host_goes(host); k++) {
        const struct rd_requirement *requirement = &state->requirements[k];
        rd_host_goal(host, RD_PROOF_ARITHMETIC, "main", requirement->what, 1, &requirement->path,
                     requirement->condition);
    }
    state->n_requirements = 0;
}

/* ---- expressions ---- */

const struct rd_syntax_node *rd_host_bare(const struct rd_syntax_node *node)
{
    while (node && node->kind == RD_SYNTAX_CAST)
        node = node->kids[0];
    return node;
}

bool rd_host_takes_address(const struct rd_syntax_node *node)
{
    return node->kind == RD_SYNTAX_UNARY && node->op && strcmp(node->op, "&") == 0;
}

struct binding *rd_host_binding_of(struct rd_host *host, const struct rd_syntax_node *name)
{
    return name && name->kind == RD_SYNTAX_NAME && name->declaration
               ? rd_state_find(host->state, name->declaration)
               : NULL;
}

struct binding *rd_host_behind_address(struct rd_host *host, const struct rd_syntax_node *node)
{
    node = rd_host_bare(node);
    return rd_host_takes_address(node) ? rd_host_binding_of(host, node->kids[0]) : NULL;
}

bool rd_host_is_call(const struct rd_syntax_node *node, const char *name)
{
    return node && node->kind == RD_SYNTAX_CALL && node->name && strcmp(node->name, name) == 0 &&
           (node->n_kids == 0 || !node->kids[0]->defined_file) &&
           (node->n_kids == 0 || node->kids[0]->kind != RD_SYNTAX_NAME || node->kids[0]->of_system);
}

const char *rd_host_callee(const struct rd_syntax_node *call)
{
    const bool of_object = call->n_kids > 0 && call->kids[0]->kind == RD_SYNTAX_MEMBER;
    const char *name = of_object ? call->kids[0]->name : call->name;
    return name ? name : "a pointer";
}

bool rd_host_has_call(const struct rd_syntax_node *node, const char *name)
{
    if (!node)
        return false;
    if (rd_host_is_call(node, name ? name : "rd_prove_launch"))
        return true;
    for (size_t k = 0; k < node->n_kids; k++)
        if (rd_host_has_call(node->kids[k], name))
            return true;
    return false;
}

struct value rd_host_evaluate(struct rd_host *host, const struct rd_syntax_node *node)
{
    struct states one = {.count = 1, .items = {host->state}};
    const rd_term outer = host->in_expression;
    struct states *kept = host->evaluated;
    if (!outer)
        host->in_expression = host->state->path;
    host->evaluated = &one;
    rd_evaluate(&host->execution, &one, node);
    host->evaluated = kept;
    host->in_expression = outer;
    if (rd_host_goes(host) && (one.count != 1 || one.items[0] != host->state))
        RD_HOST_FAIL(host, node, "an expression whose parts are on several paths");
    if (!rd_host_goes(host))
        return rd_nothing();
    add_requirement_goals(host);
    return rd_state_pop(host->state);
}

rd_term rd_host_number(struct rd_host *host, const struct rd_syntax_node *node)
{
    const struct value value = rd_host_evaluate(host, node);
    if (rd_host_goes(host) && value.kind != VALUE_NUMBER)
        RD_HOST_FAIL(host, node, "a number is expected here, and its value isn't known");
    return rd_host_goes(host) ? rd_value_number(&host->execution, value)
                              : rd_number(host->terms, 0);
}

bool rd_host_is_one_of(const char *text, const char *const *texts)
{
    for (size_t k = 0; text && texts[k]; k++)
        if (strcmp(text, texts[k]) == 0)
            return true;
    return false;
}

static bool is_number_type(const struct rd_syntax_type *type)
{
    return type && (type->kind == RD_SYNTAX_INTEGER || type->kind == RD_SYNTAX_BOOL);
}

bool rd_host_is_selection(struct rd_host *host, const struct rd_syntax_node *node)
{
    enum rd_operation operation;
    return rd_is_selection(node, &operation) && is_number_type(node->type) &&
           rd_host_is_readable(host, node->kids[1]) && rd_host_is_readable(host, node->kids[2]);
}

bool rd_host_is_readable(struct rd_host *host, const struct rd_syntax_node *node)
{
    static const char *const binary[] = {"+",  "-",  "*",  "/",  "%",  "<",  ">", "<=", ">=",
                                         "==", "!=", "&&", "||", "<<", ">>", "&", NULL};
    static const char *const assigning[] = {
        "=", "+=", "-=", "*=", "/=", "%=", "&=", "<<=", ">>=", NULL};
    static const char *const unary[] = {"+", "-", "!", "++", "--", NULL};
    const struct binding *found;
    if (!node)
        return false;
    switch (node->kind) {
    case RD_SYNTAX_NUMBER:
        return is_number_type(node->type);
    case RD_SYNTAX_NAME:
        found = node->declaration ? rd_state_find(host->state, node->declaration) : NULL;
        return is_number_type(node->type) && found && found->value.kind == VALUE_NUMBER;
    case RD_SYNTAX_MEMBER:
        return rd_host_is_extent(host, node);
    case RD_SYNTAX_CAST:
        return is_number_type(node->type) && rd_host_is_readable(host, node->kids[0]);
    case RD_SYNTAX_CALL:
        return rd_host_knows_call(node) || rd_host_own_function(host, node) ||
               rd_host_is_selection(host, node);
    case RD_SYNTAX_UNARY:
        if (node->op && (strcmp(node->op, "sizeof ") == 0 || strcmp(node->op, "size of ") == 0))
            return true;
        return rd_host_is_one_of(node->op, unary) && rd_host_is_readable(host, node->kids[0]);
    case RD_SYNTAX_ASSIGN:
        return node->kids[0]->kind == RD_SYNTAX_NAME && is_number_type(node->kids[0]->type) &&
               rd_host_is_one_of(node->op, assigning) &&
               (strcmp(node->op, "=") == 0 || rd_host_is_readable(host, node->kids[0])) &&
               rd_host_is_readable(host, node->kids[1]);
    case RD_SYNTAX_BINARY:
        return rd_host_is_one_of(node->op, binary) && rd_host_is_readable(host, node->kids[0]) &&
               rd_host_is_readable(host, node->kids[1]);
    case RD_SYNTAX_CONDITIONAL:
        return rd_host_is_readable(host, node->kids[0]) &&
               rd_host_is_readable(host, node->kids[1]) && rd_host_is_readable(host, node->kids[2]);
    default:
        return false;
    }
}

/* ---- code that does nothing that annotations speak of ---- */

static bool is_reached(const struct rd_host_array *array)
{
    return array && (!array->is_device || array->is_managed);
}

struct rd_host_array *rd_host_base_of(struct rd_host *host, const struct rd_syntax_node *target)
{
    const bool points = target->kind == RD_SYNTAX_UNARY && target->op && *target->op == '*';
    if (target->kind != RD_SYNTAX_INDEX && !points)
        return NULL;
    const struct binding *found = rd_host_binding_of(host, rd_host_bare(target->kids[0]));
    struct rd_host_array *array = found ? rd_host_array_of(&found->value) : NULL;
    return is_reached(array) ? array : NULL;
}

static bool is_step(const struct rd_syntax_node *node)
{
    return node->kind == RD_SYNTAX_UNARY && node->op &&
           (strcmp(node->op, "++") == 0 || strcmp(node->op, "--") == 0);
}

/* Variables that the statement itself declares, as the j of a loop. */
static bool declares(const struct rd_syntax_node *node,
                     const struct rd_syntax_declaration *declaration)
{
    if (!node)
        return false;
    if (node->kind == RD_SYNTAX_DECLARE && node->declaration == declaration)
        return true;
    for (size_t k = 0; k < node->n_kids; k++)
        if (declares(node->kids[k], declaration))
            return true;
    return false;
}

struct harm {
    struct rd_host *host;
    const struct rd_syntax_node *all, *why;
};

static bool sets_own(struct harm *harm, const struct rd_syntax_node *target)
{
    struct rd_host *host = harm->host;
    if (target->kind == RD_SYNTAX_NAME)
        return target->declaration &&
               (rd_host_binding_of(host, target) || declares(harm->all, target->declaration));
    const struct rd_host_array *array = rd_host_base_of(host, target);
    const struct rd_syntax_node *base = array ? rd_host_bare(target->kids[0]) : NULL;
    return array && !rd_host_has_call(harm->all, "rd_prove_law") && base->declaration;
}

static bool is_harmless(struct harm *harm, const struct rd_syntax_node *node, bool in_call)
{
    bool is = true;
    if (!node)
        return true;
    switch (node->kind) {
    case RD_SYNTAX_OTHER:
    case RD_SYNTAX_LIST:
        is = node->kind == RD_SYNTAX_LIST;
        break;
    case RD_SYNTAX_CALL:
        is = rd_host_is_harmless_call(node) || rd_host_is_call(node, "rd_prove_any");
        in_call = true;
        break;
    case RD_SYNTAX_ASSIGN:
        is = sets_own(harm, node->kids[0]);
        break;
    case RD_SYNTAX_UNARY:
        if (is_step(node))
            is = sets_own(harm, node->kids[0]);
        else if (rd_host_takes_address(node)) /* what it is used for isn't known */
            is = in_call && node->kids[0]->kind == RD_SYNTAX_NAME;
        break;
    case RD_SYNTAX_RETURN: /* of main(): such runs are left out */
        is = harm->host->depth == 0;
        break;
    case RD_SYNTAX_DECLARE:
        is = !node->declaration->is_static && !rd_may_be_reference(node->declaration->type);
        break;
    default:
        break;
    }
    if (!is && !harm->why)
        harm->why = node;
    for (size_t k = 0; k < node->n_kids && is; k++)
        is = is_harmless(harm, node->kids[k], in_call);
    return is;
}

/* Tells whether the variable may be set: by an assignment, or by a call that gets its address. */
bool rd_host_may_set(const struct rd_syntax_node *node,
                     const struct rd_syntax_declaration *declaration)
{
    if (!node)
        return false;
    const bool takes =
        node->kind == RD_SYNTAX_ASSIGN || is_step(node) || rd_host_takes_address(node);
    if (takes && node->kids[0]->kind == RD_SYNTAX_NAME && node->kids[0]->declaration == declaration)
        return true;
    for (size_t k = 0; k < node->n_kids; k++)
        if (rd_host_may_set(node->kids[k], declaration))
            return true;
    return false;
}

/* A pointer that the code moves may point anywhere in what it pointed into; one that it sets, elsewhere. */
static bool moves_base(struct rd_host *host, const struct rd_syntax_node *all,
                       const struct rd_syntax_node *node)
{
    if (!node)
        return false;
    const bool sets = node->kind == RD_SYNTAX_ASSIGN || is_step(node);
    if (sets && rd_host_base_of(host, node->kids[0]) &&
        rd_host_may_set(all, rd_host_bare(node->kids[0]->kids[0])->declaration))
        return true;
    for (size_t k = 0; k < node->n_kids; k++)
        if (moves_base(host, all, node->kids[k]))
            return true;
    return false;
}

bool rd_host_is_harmless(struct rd_host *host, const struct rd_syntax_node *node,
                         const struct rd_syntax_node **why)
{
    struct harm harm = {.host = host, .all = node};
    bool is = is_harmless(&harm, node, false);
    if (is && moves_base(host, node, node)) {
        is = false;
        harm.why = node;
    }
    if (why)
        *why = harm.why;
    return is;
}

/* Forgets the arrays to which the expression may point: all that it names, but of those that it only reads a number from. */
static void forget_pointed(struct rd_host *host, const struct rd_syntax_node *node, bool addressed)
{
    if (!node)
        return;
    const bool reads = node->kind == RD_SYNTAX_INDEX ||
                       (node->kind == RD_SYNTAX_UNARY && node->op && strcmp(node->op, "*") == 0);
    if (reads && !addressed && is_number_type(node->type))
        return;
    const struct binding *found = rd_host_binding_of(host, node);
    struct rd_host_array *array = found ? rd_host_array_of(&found->value) : NULL;
    if (is_reached(array))
        rd_host_content_forget(host, array);
    for (size_t k = 0; k < node->n_kids; k++)
        forget_pointed(host, node->kids[k], rd_host_takes_address(node));
}

static bool is_of_pointer(const struct rd_syntax_type *type)
{
    return !type || !(is_number_type(type) || type->kind == RD_SYNTAX_FLOAT);
}

static void forget_arrays(struct rd_host *host, const struct rd_syntax_node *node)
{
    if (!node)
        return;
    if (node->kind == RD_SYNTAX_ASSIGN || is_step(node)) {
        struct rd_host_array *array = rd_host_base_of(host, node->kids[0]);
        if (array)
            rd_host_content_forget(host, array);
    }
    /* A call may write where its arguments point, and so may what is done with a pointer of the code's own. */
    for (size_t k = 1; k < node->n_kids && node->kind == RD_SYNTAX_CALL; k++)
        forget_pointed(host, node->kids[k], false);
    if (node->kind == RD_SYNTAX_ASSIGN && is_of_pointer(node->kids[0]->type))
        forget_pointed(host, node->kids[1], false);
    if (node->kind == RD_SYNTAX_DECLARE && is_of_pointer(node->declaration->type) &&
        node->n_kids > 0)
        forget_pointed(host, node->kids[0], false);
    for (size_t k = 0; k < node->n_kids; k++)
        forget_arrays(host, node->kids[k]);
}

void rd_host_forget(struct rd_host *host, const struct rd_syntax_node *node)
{
    forget_arrays(host, node);
    for (size_t k = host->state->frame; k < host->state->n_bindings; k++) {
        const struct rd_syntax_declaration *declaration = host->state->bindings[k].declaration;
        if (!rd_host_may_set(node, declaration))
            continue;
        struct value value = rd_nothing();
        if (is_number_type(declaration->type))
            value = rd_number_value(rd_host_unknown(host, declaration->name, declaration->type));
        host->state->bindings[k].value = value;
    }
}
