// SPDX-License-Identifier: MIT
/* Names in the law of an annotation: what stands for each of the program's expressions. */
#include "base/array.h"
#include "check/annotation/reading.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const char *const quantities[] = {"n", "T", "B", "G", "d", "block", "warp", "bytes", NULL};

/* Tells whether the language may have the underscore, too: not one in front of a number, or of "d", where it would be that of a
 * numbered definition, "r_0" and "r_d". */
static bool keeps_underscore(const char *expression, size_t length, size_t at)
{
    size_t end = at + 1;
    while (end < length && isalnum((unsigned char)expression[end]))
        end++;
    return expression[at] == '_' && at + 1 < length && isalpha((unsigned char)expression[at + 1]) &&
           !(end == at + 2 && expression[at + 1] == 'd');
}

/* "value_" and "ones_" stand before names that this file makes. */
static bool is_beginning_of_ours(const char *alias, size_t length)
{
    return (length + 1 == strlen(RD_ANNOTATION_VALUE) &&
            strncmp(alias, RD_ANNOTATION_VALUE, length) == 0) ||
           (length + 1 == strlen(RD_ANNOTATION_ONES) &&
            strncmp(alias, RD_ANNOTATION_ONES, length) == 0);
}

/* A name as the language has it: letters and digits, from a letter on, and single underscores between them. */
static char *make_alias(const char *expression, size_t length)
{
    char *alias = malloc(length + 8), *to = alias;
    if (!alias)
        return NULL;
    for (size_t k = 0; k < length && to - alias < 40; k++)
        if (isalnum((unsigned char)expression[k]) &&
            (to > alias || isalpha((unsigned char)expression[k])))
            *to++ = expression[k];
        else if (to > alias && to[-1] != '_' && keeps_underscore(expression, length, k) &&
                 !is_beginning_of_ours(alias, (size_t)(to - alias)))
            *to++ = '_';
    if (to == alias)
        *to++ = 'v';
    *to = '\0';
    return alias;
}

/* Tells whether it stands for an input that the program calls something else: "x1", of x_1 and of x->1. */
static bool is_of_another_input(const struct rd_annotation_reading *reading, const char *alias,
                                const char *expression)
{
    for (size_t f = 0; f < reading->n_files; f++)
        for (size_t k = 0; k < reading->files[f].n; k++) {
            const struct rd_annotation *one = &reading->files[f].all[k];
            if (one->kind == RD_ANNOTATION_INPUT && one->array.alias &&
                strcmp(one->array.alias, alias) == 0 &&
                strcmp(one->array.expression, expression) != 0)
                return true;
        }
    return false;
}

static bool is_taken(const struct rd_annotation_reading *reading, const char *alias,
                     const char *expression, bool of_array)
{
    const struct rd_annotation *of = reading->of;
    const size_t length = strlen(alias);
    if (strcmp(alias, "columns") == 0 || is_of_another_input(reading, alias, expression) ||
        rd_lexer_is_one_of(alias, length, rd_annotation_functions) ||
        rd_lexer_is_one_of(alias, length, rd_annotation_language) ||
        rd_lexer_is_one_of(alias, length, rd_annotation_operations) ||
        (rd_lexer_is_one_of(alias, length, quantities) &&
         !(of_array && !of->scalar && strcmp(alias, "n") != 0)))
        return true;
    for (size_t k = 0; k < of->n_names; k++)
        if (strcmp(of->names[k].alias, alias) == 0)
            return true;
    if (!of_array && of->array.alias && strcmp(of->array.alias, alias) == 0)
        return true;
    for (size_t k = 0; k < reading->n; k++) { /* another word of the law's */
        const struct rd_annotation_token *token = &reading->tokens[k];
        const bool is_name =
            token->kind == RD_TOKEN_NAME && rd_annotation_token_is(reading, token, alias);
        if (is_name && strcmp(alias, expression) != 0)
            return true;
    }
    return false;
}

char *rd_annotation_new_alias(const struct rd_annotation_reading *reading, const char *expression,
                              bool of_array, const struct rd_annotation *input)
{
    char *alias = make_alias(expression, strlen(expression));
    while (alias && ((input && strcmp(alias, input->array.alias) == 0) ||
                     is_taken(reading, alias, expression, of_array))) {
        char *longer = realloc(alias, strlen(alias) + 2);
        if (!longer) {
            free(alias);
            return NULL;
        }
        alias = longer;
        strcat(alias, "v");
    }
    return alias;
}

/* The input that the expression names, in any of the files. */
const struct rd_annotation *rd_annotation_input_named(const struct rd_annotations *files,
                                                      size_t n_files, const char *text,
                                                      size_t length)
{
    for (size_t f = 0; f < n_files; f++)
        for (size_t k = 0; k < files[f].n; k++) {
            const struct rd_annotation *one = &files[f].all[k];
            if (one->kind == RD_ANNOTATION_INPUT && one->array.expression &&
                rd_lexer_is(text, length, one->array.expression))
                return one;
        }
    return NULL;
}

/* Takes the token's expression from the program; its alias. NULL where there is no memory. */
static const char *take_name(struct rd_annotation_reading *reading,
                             const struct rd_annotation_token *token)
{
    struct rd_annotation *of = reading->of;
    const size_t length = token->to - token->from;
    for (size_t k = 0; k < of->n_names; k++)
        if (rd_lexer_is(reading->text + token->from, length, of->names[k].expression))
            return of->names[k].alias;
    if (!rd_array_make_room(&of->names, of->n_names, &of->names_capacity, sizeof *of->names))
        return NULL;
    struct rd_annotation_name name = {.at = of->text_places[token->from]};
    name.expression = strndup(reading->text + token->from, length);
    name.alias =
        name.expression ? rd_annotation_new_alias(reading, name.expression, false, NULL) : NULL;
    const bool is_exponent =
        token > reading->tokens &&
        rd_annotation_token_is_sign(reading, (size_t)(token - reading->tokens) - 1, "^");
    name.any = name.expression && of->kind == RD_ANNOTATION_REQUIRES && is_exponent &&
               rd_lexer_word_length(reading->text + token->from) == length &&
               !rd_annotation_is_in_scope(reading, name.expression);
    if (!name.alias) {
        free(name.expression);
        return NULL;
    }
    of->names[of->n_names++] = name;
    return name.alias;
}

/* Adds a name to a list, if it is not there; the name there, or NULL where there is no memory. */
static const char *list_name(char ***list, size_t *n, size_t *capacity, const char *before,
                             const char *alias)
{
    char *name = NULL;
    if (asprintf(&name, "%s%s", before, alias) < 0)
        return NULL;
    for (size_t k = 0; k < *n; k++)
        if (strcmp((*list)[k], name) == 0) {
            free(name);
            return (*list)[k];
        }
    if (!rd_array_make_room(list, *n, capacity, sizeof **list)) {
        free(name);
        return NULL;
    }
    return (*list)[(*n)++] = name;
}

/* The bracket that closes the index behind the token. */
static size_t index_end(const struct rd_annotation_reading *reading, size_t name)
{
    return rd_annotation_part_end(reading, name + 2, reading->n - 1, "");
}

/* The name of the input in the law: its own, one of its numbers, or ones in its place. */
static const char *take_input(struct rd_annotation_reading *reading,
                              const struct rd_annotation_token *token,
                              const struct rd_annotation *input)
{
    struct rd_annotation *of = reading->of;
    const char *alias = input->array.alias;
    const size_t at = (size_t)(token - reading->tokens);
    if (token->counted)
        return list_name(&of->inputs, &of->n_inputs, &of->inputs_capacity, RD_ANNOTATION_ONES,
                         alias);
    if (!token->number)
        return list_name(&of->inputs, &of->n_inputs, &of->inputs_capacity, "", alias);
    const char *name =
        list_name(&of->tables, &of->n_tables, &of->tables_capacity, RD_ANNOTATION_VALUE, alias);
    if (!token->element) {
        rd_annotation_token_fail(reading, token,
                                 "'%s' is an array: one of its elements is expected here", alias);
        return name;
    }
    reading->tokens[at + 1].instead = "(";
    reading->tokens[index_end(reading, at)].instead = ")";
    return name;
}

/* An array that is no input: in a kernel, often the parameter to which the host passes one. */
static void fail_undeclared(struct rd_annotation_reading *reading,
                            const struct rd_annotation_token *token,
                            const struct rd_annotations *files, size_t n_files)
{
    char names[120] = "", why[240];
    size_t n = 0;
    for (size_t f = 0; f < n_files; f++)
        for (size_t k = 0; k < files[f].n; k++) {
            const struct rd_annotation *one = &files[f].all[k];
            if (one->kind == RD_ANNOTATION_INPUT && one->array.expression && n < sizeof names)
                n += (size_t)snprintf(names + n, sizeof names - n, "%s'%.30s'", n ? " or " : "",
                                      one->array.expression);
        }
    snprintf(why, sizeof why, "'%.*s' is not a declared input: %s%s%sdeclare it with '//@ input'",
             token->to - token->from < 60 ? (int)(token->to - token->from) : 60,
             reading->text + token->from, n ? "say it in terms of " : "", names, n ? ", or " : "");
    rd_annotation_token_fail(reading, token, "%s", why);
}

/* The alias of a name in the law; its own text where it is the law's. */
static const char *alias_of(struct rd_annotation_reading *reading,
                            const struct rd_annotation_token *token,
                            const struct rd_annotations *files, size_t n_files)
{
    const struct rd_annotation *of = reading->of;
    const char *text = reading->text + token->from;
    const size_t length = token->to - token->from;
    const struct rd_annotation *input = rd_annotation_input_named(files, n_files, text, length);
    if (token->bound)
        return "";
    if (input && !token->cell)
        return take_input(reading, token, input);
    if (of->array.expression && rd_lexer_is(text, length, of->array.expression)) {
        if (!token->cell && !token->element && !of->scalar)
            rd_annotation_token_fail(reading, token, "'%s' is an array: a number is expected here",
                                     of->array.expression);
        return of->array.alias;
    }
    if (token->element) {
        fail_undeclared(reading, token, files, n_files);
        return "";
    }
    if (of->kind == RD_ANNOTATION_INVARIANT && rd_lexer_is(text, length, "d") &&
        !rd_annotation_is_in_scope(reading, "d"))
        return "";
    return take_name(reading, token);
}

/* A[i][j]: of an array of arrays, whose cells lie row by row. */
void rd_annotation_flatten(struct rd_annotation_reading *reading)
{
    struct rd_annotation *of = reading->of;
    const char *array = of->array.expression;
    for (size_t k = 0; k < reading->n && reading->status == RD_OK; k++) {
        if (!reading->tokens[k].cell)
            continue;
        const size_t first = k + 1, close = index_end(reading, k), second = close + 1;
        if (!rd_annotation_token_is_sign(reading, second, "["))
            continue;
        struct rd_annotation_name name = {.at = of->text_places[reading->tokens[k].from]};
        const size_t last = rd_annotation_part_end(reading, second + 1, reading->n - 1, "");
        if (asprintf(&name.expression, "__rd_law_columns(%s)", array) < 0)
            name.expression = NULL;
        bool known = false;
        for (size_t one = 0; one < of->n_names && name.expression; one++)
            known = known || strcmp(of->names[one].expression, name.expression) == 0;
        if (!known && name.expression)
            name.alias = strdup("columns");
        if (name.alias &&
            rd_array_make_room(&of->names, of->n_names, &of->names_capacity, sizeof *of->names)) {
            of->names[of->n_names++] = name;
        } else {
            if (!known)
                reading->status =
                    rd_fail(reading->error, RD_ERROR_MEMORY, "no memory for an annotation");
            free(name.alias);
            free(name.expression);
        }
        const bool plain_row = close == first + 2, plain_column = last == second + 2;
        reading->tokens[first].instead = plain_row ? "[" : "[(";
        reading->tokens[close].instead = plain_row ? "*columns + " : ")*columns + ";
        reading->tokens[second].instead = plain_column ? "" : "(";
        reading->tokens[last].instead = plain_column ? "]" : ")]";
    }
}

/* Puts the law together, with aliases. */
void rd_annotation_write_aliases(struct rd_annotation_reading *reading,
                                 const struct rd_annotations *files, size_t n_files)
{
    struct rd_annotation *of = reading->of;
    const size_t length = strlen(reading->text);
    const size_t most = length + reading->n * 48 + 1;
    size_t n = 0, done = 0;
    of->law = malloc(most);
    of->places = malloc(most * sizeof *of->places);
    const bool has_memory = of->law && of->places;
    for (size_t k = 0; has_memory && k < reading->n && reading->status == RD_OK; k++) {
        const struct rd_annotation_token *token = &reading->tokens[k];
        const char *alias =
            token->kind == RD_TOKEN_NAME ? alias_of(reading, token, files, n_files) : "";
        if (!alias) {
            reading->status =
                rd_fail(reading->error, RD_ERROR_MEMORY, "no memory for an annotation");
            return;
        }
        for (; done < token->from; done++, n++) {
            of->law[n] = reading->text[done] == '\n' ? ' ' : reading->text[done];
            of->places[n] = of->text_places[done];
        }
        const bool is_number =
            *alias && strncmp(alias, RD_ANNOTATION_VALUE, strlen(RD_ANNOTATION_VALUE)) == 0;
        if (rd_annotation_token_is_word(reading, k, "count")) /* sum of ones */
            alias = "sum";
        if (token->instead) {
            alias = token->instead;
            done = token->to;
        }
        for (; *alias; alias++, n++) {
            of->law[n] = *alias;
            of->places[n] = of->text_places[token->from];
            done = token->to;
        }
        if (is_number) {
            of->law[n] = '_';
            of->places[n++] = of->text_places[token->from];
        }
        for (; done < token->to; done++, n++) {
            of->law[n] = reading->text[done];
            of->places[n] = of->text_places[done];
        }
    }
    if (!has_memory) {
        if (reading->status == RD_OK)
            reading->status =
                rd_fail(reading->error, RD_ERROR_MEMORY, "no memory for an annotation");
        return;
    }
    of->law[n] = '\0';
    of->places[n] = of->text_places[length];
}
