// SPDX-License-Identifier: MIT
/* A law as functions in C: one for each array, which asserts what the law says of it. */
#include "law/c_writer.h"
#include "law/plan.h"
#include "element/operation_table.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

enum { C_PREFIX_MAX = 80 };

void rd_c_fail(struct c_writer *to, const struct law_node *node, const char *format, ...)
{
    char text[sizeof to->error->what.text];
    va_list args;
    if (to->status != RD_OK)
        return;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    to->status = rd_law_fail_at(to->law, to->error, node->span, RD_ERROR_USAGE, "%s", text);
}

static bool is_letter(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* The first place of the word; NULL where it isn't there. What stands before the text isn't looked at. */
static const char *find_word(const char *text, const char *word)
{
    const size_t length = strlen(word);
    for (const char *at = text; (at = strstr(at, word)); at += length)
        if ((at == text || !is_letter(at[-1])) && !is_letter(at[length]))
            return at;
    return NULL;
}

/* ---- functions ---- */

static bool c_begin(struct c_writer *to, struct c_function *function)
{
    *function = (struct c_function){.outer = to->function, .indent = 1};
    function->body = open_memstream(&function->body_text, &function->body_size);
    function->constants = open_memstream(&function->constants_text, &function->constants_size);
    function->has_constant = calloc(to->law->n_definitions + 1, sizeof *function->has_constant);
    to->function = function;
    if (function->body && function->constants && function->has_constant)
        return true;
    to->status = RD_ERROR_MEMORY;
    return false;
}

/* Ends it: its texts stay until they are freed. */
static void c_end(struct c_writer *to, struct c_function *function)
{
    if ((function->body && fclose(function->body) != 0) ||
        (function->constants && fclose(function->constants) != 0))
        to->status = RD_ERROR_MEMORY;
    to->function = function->outer;
}

static void c_free(struct c_function *function)
{
    free(function->body_text);
    free(function->constants_text);
    free(function->has_constant);
}

void rd_c_uses_input(struct c_writer *to, const struct law_array *input)
{
    to->function->uses.inputs |= UINT64_C(1) << input->index;
}

void rd_c_uses_quantity(struct c_writer *to, unsigned quantity)
{
    to->function->uses.quantities |= 1u << quantity;
}

static void add_uses(struct c_uses *uses, const struct c_uses *more)
{
    uses->quantities |= more->quantities;
    uses->inputs |= more->inputs;
}

static void write_quantities(const struct c_writer *to, unsigned quantities, bool typed, bool *any,
                             FILE *out)
{
    for (unsigned q = 0; q < LAW_QUANTITY_COUNT; q++) {
        if (!(quantities & 1u << q))
            continue;
        fprintf(out, "%s%s", *any ? ", " : "", typed ? "int64_t " : "");
        rd_c_name(q == LAW_STEP ? to->section->steps->name
                                : rd_law_quantity_name((enum law_quantity)q),
                  out);
        *any = true;
    }
}

static void write_inputs(const struct c_writer *to, uint64_t inputs, bool typed, bool *any,
                         FILE *out)
{
    for (size_t k = 0; k < to->law->n_inputs; k++) {
        if (!(inputs & UINT64_C(1) << k))
            continue;
        fprintf(out, "%s%s", *any ? ", " : "", typed ? "const elem *" : "");
        rd_c_name(to->law->inputs[k]->name, out);
        *any = true;
    }
}

/* Writes what is passed: with types, as parameters, or without; whether anything was. */
static bool c_arguments(const struct c_writer *to, const struct c_uses *uses, bool typed, FILE *out)
{
    bool any = false;
    write_inputs(to, uses->inputs, typed, &any, out);
    write_quantities(to, uses->quantities, typed, &any, out);
    return any;
}

/* ---- definitions ---- */

static void write_function_name(const struct c_writer *to, const struct law_definition *definition,
                                FILE *out)
{
    fprintf(out, "%s_", to->prefix);
    if (definition->section->index > 0)
        fprintf(out, "%s_", definition->section->name);
    fputs(definition->name, out);
}

static const struct law_equation *last_equation(const struct law_definition *definition)
{
    for (size_t k = 0; k < definition->n_equations; k++)
        if (definition->equations[k].successor)
            return &definition->equations[k];
    return &definition->equations[definition->n_equations - 1];
}

static void write_return(struct c_writer *to, const struct law_node *body)
{
    rd_c_reductions(to, body);
    char *value = rd_c_text(to, body, C_LEVEL_OR);
    rd_c_line(to, "return %s;", value ? value : "");
    free(value);
}

/* Renames an equation's parameters, where the first equation has other names. */
static void rename_parameters(struct c_writer *to, const struct law_definition *definition,
                              const struct law_equation *equation)
{
    for (size_t k = 0; k < equation->n_parameters; k++) {
        const char *name = equation->parameters[k].name;
        const char *first = definition->equations[0].parameters[k].name;
        if (strcmp(name, first) == 0)
            continue;
        rd_c_indent(to);
        fputs("const int64_t ", to->function->body);
        rd_c_name(name, to->function->body);
        fputs(" = ", to->function->body);
        rd_c_name(first, to->function->body);
        fputs(";\n", to->function->body);
        rd_c_line(to, "(void)%s;", name);
    }
}

static void write_equation(struct c_writer *to, const struct law_definition *definition,
                           const struct law_equation *equation)
{
    struct c_function *function = to->function;
    function->signed_slots =
        definition->kind == LAW_LET_ARRAY ? 0 : (uint32_t)((1ull << equation->n_parameters) - 1);
    rename_parameters(to, definition, equation);
    if (equation->successor) {
        rd_c_indent(to);
        fputs("const int64_t ", function->body);
        rd_c_name(equation->index_name, function->body);
        fputs(" = index - 1;\n", function->body);
    }
    write_return(to, equation->body);
}

static void write_body(struct c_writer *to, const struct law_definition *definition)
{
    const struct law_equation *last = last_equation(definition);
    for (size_t k = 0; k < definition->n_equations; k++) {
        const struct law_equation *equation = &definition->equations[k];
        if (equation == last)
            continue;
        rd_c_line(to, "if (index == %" PRId64 ") {", equation->index);
        to->function->indent++;
        write_equation(to, definition, equation);
        to->function->indent--;
        rd_c_line(to, "}");
    }
    write_equation(to, definition, last);
}

static void write_parameters(const struct law_definition *definition, bool any, FILE *out)
{
    if (definition->kind == LAW_LET_FAMILY) {
        fprintf(out, "%sint64_t index", any ? ", " : "");
        any = true;
    }
    for (size_t k = 0; k < definition->equations[0].n_parameters; k++) {
        fprintf(out, "%sint64_t ", any ? ", " : "");
        rd_c_name(definition->equations[0].parameters[k].name, out);
        any = true;
    }
    fputs(any ? "" : "void", out);
}

/* Compilers ask for a word about a parameter that nothing is made of. */
static void write_unused(const struct law_definition *definition, const char *body, FILE *out)
{
    const bool family = definition->kind == LAW_LET_FAMILY;
    if (family && !find_word(body, "index"))
        fputs("    (void)index;\n", out);
    for (size_t k = 0; k < definition->equations[0].n_parameters; k++) {
        const char *name = definition->equations[0].parameters[k].name;
        char spelled[200];
        FILE *text = fmemopen(spelled, sizeof spelled, "w");
        if (!text)
            return;
        rd_c_name(name, text);
        fclose(text);
        if (!find_word(body, spelled))
            fprintf(out, "    (void)%s;\n", spelled);
    }
}

static void write_function(struct c_writer *to, const struct law_definition *definition,
                           const struct c_function *function)
{
    FILE *out = to->functions;
    fprintf(out, "\nstatic %s ", definition->data ? "elem" : "int64_t");
    write_function_name(to, definition, out);
    fputc('(', out);
    bool any = c_arguments(to, &function->uses, true, out);
    write_parameters(definition, any, out);
    fputs(")\n{\n", out);
    write_unused(definition, function->body_text, out);
    fprintf(out, "%s%s}\n", function->constants_text, function->body_text);
}

/* Twice where it calls itself: what it must pass on is known after the first time. */
static void write_definition(struct c_writer *to, const struct law_definition *definition)
{
    struct c_definition *known = &to->definitions[definition->index];
    known->state = C_BEGUN;
    for (unsigned pass = 0; pass < 2 && to->status == RD_OK; pass++) {
        struct c_function function;
        if (c_begin(to, &function))
            write_body(to, definition);
        c_end(to, &function);
        known->uses = function.uses;
        if (pass == 1 && to->status == RD_OK)
            write_function(to, definition, &function);
        c_free(&function);
    }
    known->state = C_WRITTEN;
}

/* Sees to it that the function knows the definition. */
static void c_define(struct c_writer *to, const struct law_definition *definition)
{
    struct c_function *function = to->function;
    if (function->has_constant[definition->index])
        return;
    function->has_constant[definition->index] = true;
    char *value = rd_c_text(to, definition->equations[0].body, C_LEVEL_OR);
    fputs("    const int64_t ", function->constants);
    rd_c_name(definition->name, function->constants);
    fprintf(function->constants, " = %s;\n", value ? value : "");
    free(value);
}

void rd_c_call(struct c_writer *to, const struct law_node *node)
{
    const struct law_definition *definition = node->definition;
    if (rd_c_is_constant(definition)) {
        c_define(to, definition);
        rd_c_name(definition->name, to->function->body);
        return;
    }
    if (to->definitions[definition->index].state == C_UNSEEN)
        write_definition(to, definition);
    FILE *out = to->function->body;
    const struct c_uses *uses = &to->definitions[definition->index].uses;
    add_uses(&to->function->uses, uses);
    write_function_name(to, definition, out);
    fputc('(', out);
    bool any = c_arguments(to, uses, false, out);
    for (size_t k = 0; k < node->n_kids; k++) {
        fputs(any ? ", " : "", out);
        rd_c_expression(to, node->kids[k], C_LEVEL_OR);
        any = true;
    }
    fputc(')', out);
}

/* ---- claims ---- */

/* Tells whether the loop itself keeps the index below the size. */
static bool is_kept_below(const struct law_claim *claim, const struct law_node *index,
                          const struct law_node *size)
{
    const struct law_plan *plan = claim->binding ? claim->binding->plan : NULL;
    for (size_t l = 0; plan && l < plan->n_levels; l++) {
        const struct law_plan_level *level = &plan->levels[l];
        for (size_t k = 0; k < level->n_hints; k++) {
            const struct law_hint *hint = &level->hints[k];
            if (rd_law_same_node(hint->side, index) && hint->relation == LAW_LESS &&
                !hint->modulus && rd_law_same_node(hint->other, size))
                return true;
        }
    }
    return false;
}

/* index >= size: there is no such cell. */
static void write_outside(struct c_writer *to, const struct law_claim *claim,
                          const struct law_array *array)
{
    FILE *out = to->function->body;
    for (size_t k = 0; !claim->whole && k < claim->cell->n_kids; k++) {
        const struct law_node *index = claim->cell->kids[k], *size = array->sizes[k];
        if (!rd_c_is_natural(index, 0)) {
            rd_c_expression(to, index, C_LEVEL_SUM);
            fputs(" < 0 || ", out);
        }
        if (is_kept_below(claim, index, size))
            continue;
        rd_c_expression(to, index, C_LEVEL_SUM);
        fputs(" >= ", out);
        rd_c_expression(to, size, C_LEVEL_SUM);
        fputs(" || ", out);
    }
}

/* The flat index of the cell. The caller frees it. */
static char *cell_text(struct c_writer *to, const struct law_claim *claim,
                       const struct law_array *array)
{
    if (claim->whole)
        return strdup("cell");
    if (claim->cell->n_kids == 0)
        return strdup("0");
    if (claim->cell->n_kids == 1)
        return rd_c_text(to, claim->cell->kids[0], C_LEVEL_OR);
    rd_c_fail(to, claim->cell, "'%.40s' has several indices, which C's arrays of unknown size lack",
              array->name);
    return NULL;
}

static void write_assertion(struct c_writer *to, const struct law_claim *claim)
{
    const struct law_array *array = to->section->array;
    rd_c_reductions(to, claim->value);
    char *cell = cell_text(to, claim, array);
    char *value = rd_c_text(to, claim->value, C_LEVEL_SUM);
    rd_c_indent(to);
    fputs("if (", to->function->body);
    write_outside(to, claim, array);
    rd_c_name(array->name, to->function->body);
    fprintf(to->function->body, "[%s] != %s) {\n", cell ? cell : "", value ? value : "");
    to->function->indent++;
    rd_c_line(to, "*wrong = %s;", cell ? cell : "");
    rd_c_line(to, "return false;");
    to->function->indent--;
    rd_c_line(to, "}");
    free(cell);
    free(value);
}

/* A = 0: of all cells. */
static void write_whole(struct c_writer *to, const struct law_claim *claim)
{
    const struct law_array *array = to->section->array;
    rd_c_indent(to);
    fputs("for (int64_t cell = 0; cell < ", to->function->body);
    for (size_t k = 0; k < array->n_sizes; k++) {
        fputs(k > 0 ? " * " : "", to->function->body);
        rd_c_expression(to, array->sizes[k], array->n_sizes > 1 ? C_LEVEL_UNARY : C_LEVEL_SUM);
    }
    fputs(array->n_sizes > 0 ? "; cell++) {\n" : "1; cell++) {\n", to->function->body);
    to->function->indent++;
    write_assertion(to, claim);
    to->function->indent--;
    rd_c_line(to, "}");
}

static void write_claim(struct c_writer *to, const struct law_claim *claim)
{
    if (claim->when) {
        char *when = rd_c_text(to, claim->when, C_LEVEL_OR);
        rd_c_line(to, "if (%s) {", when ? when : "");
        to->function->indent++;
        free(when);
    }
    struct c_cases cases = rd_c_open_cases(to, claim->binding, true);
    if (claim->whole && to->section->array->n_sizes > 0)
        write_whole(to, claim);
    else
        write_assertion(to, claim);
    rd_c_close(to, cases);
    if (claim->when) {
        to->function->indent--;
        rd_c_line(to, "}");
    }
}

/* ---- sections ---- */

static void write_holds(struct c_writer *to, const struct c_function *function)
{
    const struct rd_law_section *section = to->section;
    FILE *out = to->functions;
    bool any = false;
    fprintf(out, "\n/* Tells whether the law holds of %s", section->array->name);
    if (section->name)
        fprintf(out, " at %s", section->name);
    fprintf(out, "; else *wrong is a cell that isn't what it says. */\nbool %s_", to->prefix);
    fprintf(out, section->name ? "%s_holds(" : "holds(", section->name);
    write_inputs(to, function->uses.inputs, true, &any, out);
    fputs(any ? ", const elem *" : "const elem *", out);
    rd_c_name(section->array->name, out);
    any = true;
    write_quantities(to, function->uses.quantities, true, &any, out);
    fputs(", int64_t *wrong)\n{\n", out);
    fprintf(out, "%s%s    return true;\n}\n", function->constants_text, function->body_text);
}

static void write_section(struct c_writer *to)
{
    const struct law_claims *claims = &to->section->claims[RD_LAW_LAW];
    struct c_function function;
    if (claims->count == 0)
        return;
    if (c_begin(to, &function))
        for (size_t k = 0; k < claims->count && to->status == RD_OK; k++)
            write_claim(to, &claims->claims[k]);
    c_end(to, &function);
    if (to->status == RD_OK)
        write_holds(to, &function);
    c_free(&function);
}

/* The paragraph as a comment. */
static void write_paragraph(const struct rd_law *law, const char *name, FILE *out)
{
    char *text = NULL;
    size_t size;
    FILE *printed = open_memstream(&text, &size);
    if (!printed)
        return;
    rd_law_print(law, printed);
    if (fclose(printed) != 0) {
        free(text);
        return;
    }
    fprintf(out,
            "/* The law of %s. It is asserted where a run comes to: T and B are 1 or more.\n *\n",
            name);
    char *rest = NULL;
    for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
        fprintf(out, " *     %s\n", line);
    fputs(" */\n", out);
    free(text);
}

/* Tells whether it stands in the law as a name, and not as the operation of `sum of`. */
static bool is_name(const char *text, const char *word)
{
    const size_t length = strlen(word);
    for (const char *at = text; (at = find_word(at, word)); at += length) {
        const char *behind = at + length + strspn(at + length, " \t\r\n");
        if (strncmp(behind, "of", 2) != 0)
            return true;
    }
    return false;
}

/* Names the variable of each reduction by a word that the paragraph doesn't have as a name. */
static void choose_words(struct c_writer *to)
{
    for (int k = 0; k < RD_OPERATION_COUNT; k++) {
        const char *const choice[] = {rd_operation_row((enum rd_operation)k)->c_variable, "total",
                                      "value"};
        size_t at = 0;
        while (at < 2 && is_name(to->law->text, choice[at]))
            at++;
        to->words[k] = choice[at];
    }
}

static void make_prefix(char prefix[C_PREFIX_MAX], const char *name)
{
    snprintf(prefix, C_PREFIX_MAX, "%s%s", isdigit((unsigned char)name[0]) ? "law_" : "", name);
    for (char *at = prefix; *at; at++)
        if (!isalnum((unsigned char)*at))
            *at = '_';
}

/* Breaks what is longer than a line behind a comma. */
static void write_wrapped(const char *text, FILE *out)
{
    enum { WIDTH = 100, DEEPER = 8 };
    size_t column = 0;
    for (const char *at = text; *at; at++) {
        size_t next = strcspn(at + 1, ",\n") + 2; /* up to where it may be broken again */
        fputc(*at, out);
        column = *at == '\n' ? 0 : column + 1;
        if (*at == ',' && at[1] == ' ' && column + next > WIDTH) {
            fprintf(out, "\n%*s", DEEPER, "");
            column = DEEPER;
            at++;
        }
    }
}

static enum rd_status write_source(struct c_writer *to, const char *name, FILE *out)
{
    char *functions = NULL;
    size_t size;
    to->functions = open_memstream(&functions, &size);
    if (!to->functions)
        return RD_ERROR_MEMORY;
    for (size_t k = 0; k < to->law->n_sections && to->status == RD_OK; k++) {
        to->section = to->law->sections[k];
        write_section(to);
    }
    if (fclose(to->functions) != 0)
        to->status = RD_ERROR_MEMORY;
    if (to->status == RD_OK) {
        write_paragraph(to->law, name, out);
        fputs("#include <stdbool.h>\n#include <stdint.h>\n\ntypedef int64_t elem; /* of the "
              "arrays */\n",
              out);
        rd_c_helpers(to->helpers, out);
        write_wrapped(functions, out);
    }
    free(functions);
    return to->status;
}

enum rd_status rd_law_c(const struct rd_law *law, const char *name, FILE *out,
                        struct rd_law_error *error)
{
    enum { INPUTS_MAX = 64 };
    char prefix[C_PREFIX_MAX];
    struct rd_law_error ignored = {0};
    make_prefix(prefix, name);
    struct c_writer writer = {
        .law = law, .prefix = prefix, .status = RD_OK, .error = error ? error : &ignored};
    choose_words(&writer);
    if (law->n_inputs > INPUTS_MAX)
        return rd_law_fail_at(law, writer.error, (struct law_span){0}, RD_ERROR_USAGE,
                              "more than %d inputs", INPUTS_MAX);
    writer.definitions = calloc(law->n_definitions + 1, sizeof *writer.definitions);
    enum rd_status status = writer.definitions ? write_source(&writer, name, out) : RD_ERROR_MEMORY;
    free(writer.definitions);
    if (status == RD_ERROR_MEMORY)
        rd_law_fail_at(law, writer.error, (struct law_span){0}, status, "no memory for a law in C");
    return status;
}
