// SPDX-License-Identifier: MIT
/* The proof of a user's CUDA program: its main function is executed once for each set of inputs that count. */
#include "prove/host/host.h"

#include "prove/prove.h"
#include "check/source/lexer.h"

#include <stdlib.h>
#include <string.h>

/* ---- one pass ---- */

static rd_term read_cell(void *self, const struct rd_cut *cut, const struct rd_prove_array *array,
                         rd_term index)
{
    struct rd_host *host = self;
    (void)cut;
    (void)index;
    RD_HOST_FAIL(host, NULL, "host code that uses a number of the array '%s'", array->name);
    return rd_number(host->terms, 0);
}

static void begin_subject(struct rd_host *host, struct rd_proof_subject *subject,
                          struct rd_proof *proof, unsigned inputs)
{
    struct rd_terms *terms = host->terms;
    *subject = (struct rd_proof_subject){
        .program = &host->program,
        .proof = proof,
        .terms = terms,
        .n = rd_number(terms, (rd_wide)1 << 38),
        .T = rd_constant(terms, "T"),
        .B = rd_constant(terms, "B"),
        .steps = rd_constant(terms, "d"),
        .cell = rd_constant(terms, "i"),
        .n_units = host->n_inputs,
        .suffix = "",
        .host = host,
    };
    for (size_t k = 0; k < host->n_inputs; k++) {
        subject->units[k] = inputs & 1u << k ? rd_constant(terms, k == 0 ? "j" : "j2") : NULL;
        if (subject->units[k])
            continue;
        subject->values_only = true;
        subject->suffix =
            rd_terms_text(terms, "%s%s%s is %s", subject->suffix,
                          *subject->suffix ? " and all of " : ", where all of ",
                          host->inputs[k]->of->array.expression,
                          host->operation == RD_OPERATION_SUM ? "0" : "the neutral element");
    }
}

static void finish_pass(struct rd_host *host)
{
    rd_host_launches_finish(host);
    rd_state_destroy(host->state);
    host->state = NULL;
    rd_execution_finish(&host->execution);
    rd_term_list_finish(&host->known);
    rd_term_list_finish(&host->natural);
    host->known = host->natural = (struct rd_term_list){0};
    for (size_t k = 0; k < host->n_arrays; k++)
        free(host->arrays[k]);
    for (size_t k = 0; k < host->n_contents; k++)
        free(host->contents[k]);
    for (size_t k = 0; k < host->n_taken; k++)
        free(host->taken[k]);
    host->n_arrays = host->n_contents = host->n_taken = 0;
    rd_term_list_finish(&host->subject->base);
    host->subject->base = (struct rd_term_list){0};
}

/* argc, argv */
static void bind_arguments(struct rd_host *host, const struct rd_syntax_function *function)
{
    for (size_t k = 0; k < function->n_parameters; k++) {
        const struct rd_syntax_declaration *parameter = function->parameters[k];
        struct value value = rd_nothing();
        if (parameter->type && parameter->type->kind == RD_SYNTAX_INTEGER)
            value = rd_number_value(rd_host_unknown(host, parameter->name, parameter->type));
        if (value.kind == VALUE_NUMBER) /* no arguments */
            rd_host_own_number(host, &(struct rd_proof_number){
                                         .name = rd_terms_text(host->terms, "%s", parameter->name),
                                         .term = rd_value_number(&host->execution, value),
                                         .own = 1});
        rd_state_bind(&host->execution, host->state, parameter, value);
    }
}

static void check_met(struct rd_host *host)
{
    for (size_t k = 0; k < host->n_laws && rd_host_goes(host); k++)
        if (!host->laws[k].met)
            rd_subject_fail(host->subject,
                            "%s:%u: an annotation that main() does not come to, by calls and loops "
                            "that the prover reads",
                            host->path, host->laws[k].of->line);
}

/* Tells whether something is asserted or launched in it, or may be by a function of the program's own. */
static bool matters(struct rd_host *host, const struct rd_syntax_node *node)
{
    if (!node)
        return false;
    bool found =
        rd_host_is_launch(node) || rd_host_is_law(node) || rd_host_own_function(host, node);
    for (size_t k = 0; k < node->n_kids && !found; k++)
        found = matters(host, node->kids[k]);
    return found;
}

static void perform_pass(struct rd_host *host, const struct rd_syntax_function *function)
{
    struct rd_terms *terms = host->terms;
    host->execution = (struct rd_execution){
        .terms = terms,
        .unit = host->unit,
        .thread = rd_constant(terms, "t"),
        .block = rd_constant(terms, "b"),
        .threads = rd_constant(terms, "T"),
        .blocks = rd_constant(terms, "B"),
        .origin = rd_constant(terms, "first thread"),
        .n_units = host->n_inputs,
        .units = host->subject->units,
        .read = read_cell,
        .evaluate = rd_host_call,
        .self = host,
    };
    host->state = rd_state_create(&host->execution);
    host->rounds = rd_number(terms, 0);
    host->fresh = host->n_effects = host->n_loops = host->depth = host->n_around = 0;
    host->in_expression = NULL;
    host->element = NULL;
    host->has_stream = host->is_busy = false;
    host->n_async_copies = 0;
    host->dry = false;
    rd_term_list_add(terms, &host->natural, rd_constant(terms, "b"));
    rd_term_list_add(terms, &host->natural, rd_constant(terms, "b_y"));
    for (size_t k = 0; k < host->n_inputs; k++)
        if (host->subject->units[k])
            rd_term_list_add(terms, &host->natural, host->subject->units[k]);
    if (!host->state || !rd_host_laws_begin(host))
        return;
    bind_arguments(host, function);
    const struct rd_syntax_node *body = function->body;
    size_t n = body->n_kids; /* behind these nothing is claimed */
    while (n > 0 && !matters(host, body->kids[n - 1]))
        n--;
    rd_host_perform_statements(host, body->kids, n);
    rd_host_end_launch(host);
    check_met(host);
}

static void prove_all(struct rd_host *host, struct rd_proof *proof,
                      const struct rd_prove_options *options)
{
    struct rd_proof_subject *subject = host->subject;
    const struct rd_syntax_function *function = rd_syntax_main(host->unit);
    const unsigned n_sets = 1u << host->n_inputs;
    if (!function || !function->body) {
        rd_subject_fail(subject, "%s has no main()", host->path);
        return;
    }
    if (rd_syntax_function_named(host->unit, "operator new[]") ||
        rd_syntax_function_named(host->unit, "operator delete[]")) {
        rd_subject_fail(subject, "%s has an 'operator new[]' of its own", host->path);
        return;
    }
    if (rd_syntax_code_outside_main(host->unit)) {
        rd_subject_fail(subject, "%s", rd_syntax_code_outside_main(host->unit));
        return;
    }
    for (unsigned set = 0; set < n_sets && rd_subject_goes(subject); set++) {
        begin_subject(host, subject, proof, n_sets - 1 - set);
        subject->options = options;
        host->first_pass = set == 0;
        host->n_asserted = 0;
        host->end_line = 0;
        perform_pass(host, function);
        rd_host_goes(host);
        finish_pass(host);
    }
    if (rd_subject_goes(subject) && host->n_asserted == 0)
        rd_subject_fail(subject, "%s asserts nothing: write '//@ ensures' behind its last launch",
                        host->path);
}

/* ---- the file ---- */

/* "every n from 1 to 2^31 - 1 (for the 16 of line 3), " */
static void write_numbers(const struct rd_proof *proof, FILE *out)
{
    unsigned count = 0;
    for (size_t k = 0; k < proof->n_numbers; k++) {
        const struct rd_proof_number *number = &proof->numbers[k];
        if (number->is_named)
            fprintf(out, "every %s from 1 to %s (for the %lld of line %u), ", number->name,
                    number->most, (long long)number->own, number->line);
        else if (number->is_used)
            fprintf(out, "every number from 1 to %s in place of the %lld of line %u, ",
                    number->most, (long long)number->own, number->line);
        count += number->is_named || number->is_used;
    }
    for (size_t k = 0; k < proof->n_required_names; k++) {
        const char *name = proof->required_names[k].name; /* of an argument, say */
        bool is_told = false;
        for (size_t i = 0; i < proof->n_numbers; i++)
            is_told = is_told || strcmp(proof->numbers[i].name, name) == 0;
        if (!is_told)
            fprintf(out, "every %s, ", name);
        count += !is_told;
    }
    if (count == 0)
        fputs("its own sizes, ", out);
}

static const char *shape_of(const struct rd_host *host)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    unsigned n = 0;
    write_numbers(host->subject->proof, out);
    for (size_t k = 0; k < host->n_laws; k++)
        if (host->laws[k].of->kind == RD_ANNOTATION_REQUIRES)
            fprintf(out, "%s%s", n++ ? " and " : "where ", host->laws[k].of->text);
    fputs(n ? ", and every input" : "and every input", out);
    if (host->program.type == RD_TYPE_F32)
        fputs(host->operation == RD_OPERATION_SUM || host->operation == RD_OPERATION_PRODUCT
                  ? ", rounding aside"
                  : " without a NaN",
              out);
    if (host->is_left_early)
        fprintf(out, ", in runs that don't end early, as at line %u", host->end_line);
    const char *kept = fclose(out) == 0 ? rd_terms_text(host->terms, "%s", text) : NULL;
    free(text);
    return kept;
}

static enum rd_status read_unit(struct rd_host *host, struct rd_syntax_unit **unit,
                                const char *const *compiler_options, struct rd_error *error)
{
    enum rd_status status;
    /* A size that must be constant can't be any number: there, the numbers are the file's. */
    char *any_numbers = rd_host_text(host->annotations, true),
         *its_numbers = rd_host_text(host->annotations, false);
    if (any_numbers && its_numbers)
        status = rd_syntax_read_file_text(unit, host->path, any_numbers, its_numbers,
                                          compiler_options, error);
    else
        status = rd_fail(error, RD_ERROR_MEMORY, "no memory to read '%s'", host->path);
    free(any_numbers);
    free(its_numbers);
    return status;
}

/* "FILE:25: use of undeclared identifier 'jj'" of a name in an annotation. */
static void explain_name(const struct rd_host *host, struct rd_error *error)
{
    const size_t length = strlen(host->path);
    const struct rd_error said = *error;
    if (strncmp(said.text, host->path, length) == 0 && said.text[length] == ':')
        rd_annotations_explain_name(host->annotations,
                                    (unsigned)strtoul(said.text + length + 1, NULL, 10), said.text,
                                    error);
}

static enum rd_status make_goals(struct rd_host *host, const char *const *compiler_options,
                                 const struct rd_prove_options *options, struct rd_proof *proof,
                                 struct rd_error *error)
{
    struct rd_syntax_unit *unit = NULL;
    enum rd_status status = RD_OK;
    if (host->n_laws == 0) {
        rd_subject_fail(host->subject,
                        "%s has no annotations: write its law as '//@ invariant' "
                        "and '//@ ensures'",
                        host->path);
        return RD_OK;
    }
    host->laws = calloc(host->n_laws, sizeof *host->laws);
    if (!host->laws)
        return rd_fail(error, RD_ERROR_MEMORY, "no memory for annotations");
    status = rd_host_laws_init(host, error);
    if (status != RD_OK || !rd_subject_goes(host->subject))
        return status;
    status = read_unit(host, &unit, compiler_options, error);
    if (status == RD_ERROR_INPUT) { /* it has what the reader doesn't know */
        explain_name(host, error);
        rd_subject_fail(host->subject, "%s", error->text);
        return RD_OK;
    }
    if (status != RD_OK)
        return status;
    host->unit = unit;
    prove_all(host, proof, options);
    rd_syntax_destroy(unit);
    if (host->subject->status != RD_OK)
        return rd_fail(error, host->subject->status, "%s", host->subject->failure);
    if (rd_subject_goes(host->subject)) {
        proof->shape = shape_of(host);
        proof->missing_law = host->missing_law;
        proof->missing_invariant = host->missing_invariant;
        proof->is_of_launches = host->is_of_launches;
    }
    return RD_OK;
}

static void finish(struct rd_host *host)
{
    for (size_t k = 0; host->laws && k < host->n_laws; k++) {
        rd_law_reader_destroy(host->laws[k].reader);
        rd_law_destroy(host->laws[k].law);
        free((void *)host->laws[k].names);
    }
    for (size_t k = 0; k < host->n_facts; k++) {
        free(host->facts[k]->kept);
        free(host->facts[k]);
    }
    free(host->facts);
    free(host->laws);
    free(host->arrays);
    free(host->contents);
    free(host->taken);
}

static enum rd_status read_annotations(struct rd_annotations *annotations,
                                       struct rd_check_functions *functions, const char *path,
                                       const char *text, struct rd_error *error)
{
    rd_check_functions_init(functions, text);
    enum rd_status status = rd_annotations_init(annotations, path, text, functions, 1, error);
    if (status == RD_OK)
        status = rd_annotations_read(annotations, 1, error);
    return status == RD_ERROR_USAGE ? RD_ERROR_INPUT : status;
}

static void discard_goals(struct rd_proof *proof)
{
    for (size_t k = 0; k < proof->count; k++)
        rd_term_list_finish(&proof->goals[k].hypotheses);
    proof->count = 0;
    proof->shape = proof->own_run = NULL;
    proof->missing_law = proof->missing_invariant = NULL;
}

/* Terms fail by themselves where a number of theirs is beyond those that they have, or a sum has more parts. */
static char *reason_of(const struct rd_host *host)
{
    char *text = NULL;
    if (*host->subject->failure)
        return strdup(host->subject->failure);
    if (asprintf(
            &text,
            "%s:%u: numbers that are too large for a proof, or sums of too many parts, in this "
            "statement or in what it launches",
            host->path, host->line) < 0)
        return NULL;
    return text;
}

enum rd_status rd_prove_file(const char *path, const char *const *compiler_options,
                             const struct rd_prove_options *options, struct rd_proof *proof,
                             struct rd_error *error)
{
    struct rd_check_functions functions = {0};
    struct rd_annotations annotations = {0};
    struct rd_proof_subject subject = {0};
    char *text = NULL;
    *proof = (struct rd_proof){.name = path, .terms = rd_terms_create()};
    if (!proof->terms)
        return rd_fail(error, RD_ERROR_MEMORY, "no memory for a proof");
    struct rd_host host = {
        .subject = &subject,
        .terms = proof->terms,
        .path = path,
        .annotations = &annotations,
        .program = {.name = path, .type = RD_TYPE_I32},
    };
    subject.terms = proof->terms;
    enum rd_status status = rd_check_read_source(path, &text, error);
    if (status != RD_OK && status != RD_ERROR_MEMORY)
        status = RD_ERROR_INPUT;
    if (status == RD_OK)
        status = read_annotations(&annotations, &functions, path, text, error);
    if (status == RD_OK) {
        host.n_laws = annotations.n;
        status = make_goals(&host, compiler_options, options, proof, error);
    }
    if (status == RD_OK && !rd_subject_goes(&subject)) {
        discard_goals(proof);
        proof->not_covered = reason_of(&host);
        if (!proof->not_covered)
            status = rd_fail(error, RD_ERROR_MEMORY, "no memory for a proof");
    }
    finish(&host);
    rd_annotations_finish(&annotations);
    rd_check_functions_finish(&functions);
    free(text);
    if (status != RD_OK)
        rd_proof_finish(proof);
    return status;
}
