// SPDX-License-Identifier: MIT
/* Aliases: names in a law for expressions of the program, and the law written with them. */
#include "base/array.h"
#include "check/annotation_reading.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const char *const quantities[] = {"n", "T", "B", "G", "d", "block", "warp", "bytes", NULL};

/* A name as the language has it: letters and digits, from a letter on. */
static char *make_alias(const char *expression, size_t length)
{
    char *alias = malloc(length + 8), *to = alias;
    if (!alias)
        return NULL;
    for (size_t k = 0; k < length && to - alias < 40; k++)
        if (isalnum((unsigned char)expression[k]) &&
            (to > alias || isalpha((unsigned char)expression[k])))
            *to++ = expression[k];
    if (to == alias)
        *to++ = 'v';
    *to = '\0';
    return alias;
}

static bool is_taken(const struct rd_annotation_reading *reading, const char *alias,
                     const char *expression, bool of_array)
{
    const struct rd_annotation *of = reading->of;
    const size_t length = strlen(alias);
    if (rd_lexer_is_one_of(alias, length, rd_annotation_functions) ||
        rd_lexer_is_one_of(alias, length, rd_annotation_language) ||
        rd_lexer_is_one_of(alias, length, rd_annotation_operations) ||
        rd_lexer_is_one_of(alias, length, quantities))
        return true;
    for (size_t k = 0; k < of->n_names; k++)
        if (strcmp(of->names[k].alias, alias) == 0)
            return true;
    if (!of_array && of->array.alias && strcmp(of->array.alias, alias) == 0)
        return true;
    for (size_t k = 0; k < reading->n; k++) { /* another word of the law's */
        const struct rd_annotation_token *token = &reading->tokens[k];
        const bool is_name = token->kind == NAME && rd_annotation_token_is(reading, token, alias);
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

/* Tells whether the function, in whose code the annotation stands, has the word anywhere. */
static bool has_word(const struct rd_annotation *of, const char *word)
{
    const struct rd_check_function *function = of->function;
    size_t length;
    for (const char *at = rd_lexer_word(function->head, &length); at && at < function->end;
         at = rd_lexer_word(at + length, &length))
        if (rd_lexer_is(at, length, word))
            return true;
    return false;
}

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
    name.any = of->kind == RD_ANNOTATION_REQUIRES && is_exponent && !token->is_call &&
               name.expression && !has_word(of, name.expression);
    if (!name.alias) {
        free(name.expression);
        return NULL;
    }
    of->names[of->n_names++] = name;
    return name.alias;
}

static const char *take_input(struct rd_annotation_reading *reading,
                              const struct rd_annotation *input)
{
    struct rd_annotation *of = reading->of;
    for (size_t k = 0; k < of->n_inputs; k++)
        if (strcmp(of->inputs[k], input->array.alias) == 0)
            return input->array.alias;
    char *copy = strdup(input->array.alias);
    if (!copy ||
        !rd_array_make_room(&of->inputs, of->n_inputs, &of->inputs_capacity, sizeof *of->inputs)) {
        free(copy);
        return NULL;
    }
    of->inputs[of->n_inputs++] = copy;
    return input->array.alias;
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
        return take_input(reading, input);
    if (of->array.expression && rd_lexer_is(text, length, of->array.expression))
        return of->array.alias;
    if (token->element) {
        char name[60];
        snprintf(name, sizeof name, "%.*s", (int)length, text);
        rd_annotation_token_fail(reading, token,
                                 "'%s' is not a declared input: declare it with '//@ input'", name);
        return "";
    }
    if (of->kind == RD_ANNOTATION_INVARIANT && rd_lexer_is(text, length, "d") && !has_word(of, "d"))
        return "";
    return take_name(reading, token);
}

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
        const char *alias = token->kind == NAME ? alias_of(reading, token, files, n_files) : "";
        if (!alias) {
            reading->status =
                rd_fail(reading->error, RD_ERROR_MEMORY, "no memory for an annotation");
            return;
        }
        for (; done < token->from; done++, n++) {
            of->law[n] = reading->text[done] == '\n' ? ' ' : reading->text[done];
            of->places[n] = of->text_places[done];
        }
        for (; *alias; alias++, n++) {
            of->law[n] = *alias;
            of->places[n] = of->text_places[token->from];
            done = token->to;
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
