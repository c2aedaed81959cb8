// SPDX-License-Identifier: MIT
/* Variables of the device that the host's code of a file sets. `check` runs none of that code: it says so of a kernel that reads
 * one. */
#include "check/unit/unit_internal.h"
#include "check/source/lexer.h"
#include "check/source/rewrite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SOURCES_MAX = 32, SETTERS_MAX = 64, PATH_MAX_BYTES = 1024 };

struct source {
    char path[PATH_MAX_BYTES];
    char *text;
    struct rd_check_functions functions;
};

/* Calls that set the variable that their argument names. */
struct setter {
    const char *word;
    size_t length;
    unsigned argument; /* from 0 */
};

struct walk {
    struct source sources[SOURCES_MAX];
    unsigned n_sources;
    struct setter setters[SETTERS_MAX];
    unsigned n_setters;
    FILE *out;
};

/* ---- the file, and what it includes ---- */

/* Adds a file, whose text may be known: else it is read, if it can be. */
static void add_source(struct walk *walk, const char *path, const char *text)
{
    struct rd_error error;
    struct source *source = &walk->sources[walk->n_sources];
    for (unsigned k = 0; k < walk->n_sources; k++)
        if (strcmp(walk->sources[k].path, path) == 0)
            return;
    if (walk->n_sources == SOURCES_MAX || strlen(path) >= sizeof source->path ||
        (!text && rd_check_read_source(path, &source->text, &error) != RD_OK) ||
        (text && !(source->text = strdup(text))))
        return;
    strcpy(source->path, path);
    rd_check_functions_init(&source->functions, source->text);
    walk->n_sources++;
}

/* Adds the files that this one includes by quotation marks, as far as they lie beside it. */
static void add_included(struct walk *walk, const struct source *source)
{
    size_t length;
    const char *slash = strrchr(source->path, '/');
    int folder = slash ? (int)(slash - source->path) + 1 : 0;
    for (const char *at = strchr(source->text, '#'); at; at = strchr(at + 1, '#')) {
        char path[PATH_MAX_BYTES];
        const char *end = rd_lexer_directive(source->text, at);
        const char *word = end > at ? rd_lexer_word(at + 1, &length) : NULL;
        if (!word || word >= end || !rd_lexer_is(word, length, "include"))
            continue;
        const char *name = rd_lexer_blanks(word + length);
        int size = (int)strcspn(name + (*name == '"'), "\"\n");
        if (*name == '"' && snprintf(path, sizeof path, "%.*s%.*s", folder, source->path, size,
                                     name + 1) < (int)sizeof path)
            add_source(walk, path, NULL);
    }
}

/* ---- calls ---- */

/* Behind the element of a list that begins at `at`: at its comma, or at what closes the list. */
static const char *behind_element(const char *at)
{
    while (*at && !strchr(",)", *at))
        at = rd_lexer_pass(at);
    return at;
}

/* Element `k` of the list whose parenthesis is at `open`, up to *end; NULL where it has no such element. */
static const char *element_of(const char *open, unsigned k, const char **end)
{
    const char *from = open + 1;
    *end = behind_element(from);
    for (; k > 0 && **end == ','; k--) {
        from = *end + 1;
        *end = behind_element(from);
    }
    return k == 0 ? from : NULL;
}

/* The parenthesis of the call of a function whose name ends at `at`, with template arguments or
 * without; NULL where it is not called. */
static const char *parenthesis_behind(const char *at)
{
    at = rd_lexer_blanks(at);
    if (*at == '<')
        at = rd_lexer_blanks(at + strcspn(at, ">;(") + 1);
    return *at == '(' ? at : NULL;
}

/* The next word in [at, end), with its namespaces, also in a string. */
static const char *next_word(const char *at, const char *end, size_t *length)
{
    while (at < end && (!rd_lexer_is_letter(*at) || (*at >= '0' && *at <= '9')))
        at++;
    const char *behind = at;
    while (behind < end && (rd_lexer_is_letter(*behind) || strncmp(behind, "::", 2) == 0))
        behind += *behind == ':' ? 2 : 1;
    *length = (size_t)(behind - at);
    return at < end ? at : NULL;
}

static bool has_word(const char *from, const char *end, const char *word, size_t length)
{
    size_t n;
    for (const char *at = from; (at = next_word(at, end, &n)); at += n)
        if (n == length && strncmp(at, word, length) == 0)
            return true;
    return false;
}

static void add_setter(struct walk *walk, const char *word, size_t length, unsigned argument)
{
    for (unsigned k = 0; k < walk->n_setters; k++) {
        const struct setter *setter = &walk->setters[k];
        if (setter->argument == argument && setter->length == length &&
            strncmp(setter->word, word, length) == 0)
            return;
    }
    if (walk->n_setters < SETTERS_MAX)
        walk->setters[walk->n_setters++] = (struct setter){word, length, argument};
}

/* The name of the macro or the function that the place is in, with the list of its parameters behind it;
 * NULL where it is in none. */
static const char *definition_at(const struct source *source, const char *at, size_t *length)
{
    if (rd_lexer_is_in_directive(source->text, at)) {
        const char *word = rd_lexer_word(rd_lexer_line_start(source->text, at), length);
        if (!word || !rd_lexer_is(word, *length, "define"))
            return NULL;
        word = rd_lexer_word(word + *length, length);
        return word && word <= at ? word : NULL;
    }
    const struct rd_check_function *function = rd_check_function_at(&source->functions, at);
    *length = function ? function->name_length : 0;
    return function ? function->name : NULL;
}

/* Tells whether a word is a parameter of what it is in: that sets its arguments, too. */
static bool is_passed_on(struct walk *walk, const struct source *source, const char *word,
                         size_t length)
{
    size_t name_length;
    const char *name = definition_at(source, word, &name_length), *end;
    const char *open = name ? parenthesis_behind(name + name_length) : NULL;
    if (!open || rd_lexer_behind(open) > word)
        return false;
    for (unsigned k = 0;; k++) {
        const char *parameter = element_of(open, k, &end);
        if (!parameter)
            return false;
        if (has_word(parameter, end, word, length)) {
            add_setter(walk, name, name_length, k);
            return true;
        }
    }
}

static void tell(struct walk *walk, const struct source *source, const char *from, const char *end)
{
    size_t length;
    for (const char *word = from; (word = next_word(word, end, &length)); word += length)
        if (!is_passed_on(walk, source, word, length))
            fprintf(walk->out, "%.*s@%s:%u\n", (int)length, word, source->path,
                    rd_lexer_line(source->text, word));
}

/* Tells whether a name stands where its function or macro is defined, rather than used. */
static bool is_definition(const struct source *source, const char *word)
{
    size_t length;
    for (size_t k = 0; k < source->functions.n; k++)
        if (source->functions.all[k].name == word)
            return true;
    return rd_lexer_is_in_directive(source->text, word) &&
           definition_at(source, word, &length) == word;
}

/* Tells what each call of the setter sets. */
static void visit_calls(struct walk *walk, const struct source *source, struct setter setter)
{
    size_t length;
    for (const char *word = rd_lexer_word(source->text, &length); word;
         word = rd_lexer_word(word + length, &length)) {
        const char *end, *open = parenthesis_behind(word + length);
        if (!open || length != setter.length || strncmp(word, setter.word, length) != 0 ||
            is_definition(source, word))
            continue;
        const char *argument = element_of(open, setter.argument, &end);
        if (argument)
            tell(walk, source, argument, end);
    }
}

/* ---- by an address, and by name ---- */

/* Tells whether host code copies or fills by a pointer of this name. */
static bool is_written_by(const char *text, const char *pointer, size_t pointer_length)
{
    size_t length;
    for (const char *word = rd_lexer_word(text, &length); word;
         word = rd_lexer_word(word + length, &length)) {
        const char *end, *open = parenthesis_behind(word + length);
        if (!open || (strncmp(word, "cudaMemcpy", 10) != 0 && strncmp(word, "cudaMemset", 10) != 0))
            continue;
        const char *target = element_of(open, 0, &end);
        if (target && has_word(target, end, pointer, pointer_length))
            return true;
    }
    return false;
}

/* cudaGetSymbolAddress((void **)&pointer, symbol) */
static void visit_addresses(struct walk *walk, const struct source *source)
{
    size_t length, n;
    for (const char *word = rd_lexer_word(source->text, &length); word;
         word = rd_lexer_word(word + length, &length)) {
        const char *end, *open = parenthesis_behind(word + length), *last = NULL;
        size_t last_length = 0;
        if (!open || !rd_lexer_is(word, length, "cudaGetSymbolAddress"))
            continue;
        const char *pointer = element_of(open, 0, &end);
        for (const char *at = pointer; (at = next_word(at, end, &n)); at += n)
            last = at, last_length = n;
        const char *symbol = element_of(open, 1, &end);
        if (symbol && last && is_written_by(source->text, last, last_length))
            tell(walk, source, symbol, end);
    }
}

/* Tells whether what stands behind a variable's name assigns to it, to an element or to a member. */
static bool is_assigned(const char *at)
{
    at = rd_lexer_blanks(at);
    while (*at == '[' || *at == '.') {
        at = *at == '[' ? rd_lexer_behind(at) : rd_lexer_skip(rd_lexer_blanks(at + 1));
        at = rd_lexer_blanks(at);
    }
    if (*at == '=')
        return at[1] != '=';
    if (strncmp(at, "++", 2) == 0 || strncmp(at, "--", 2) == 0)
        return true;
    at += strncmp(at, "<<", 2) == 0 || strncmp(at, ">>", 2) == 0;
    return *at && strchr("+-*/%&|^<>", *at) && at[1] == '=' &&
           !(strchr("<>", *at) && at[-1] != *at);
}

static void visit_managed(struct walk *walk, const struct source *source)
{
    size_t length;
    struct rd_check_names managed = {0};
    rd_check_names_find_managed(&managed, source->text);
    for (const char *word = managed.n ? rd_lexer_word(source->text, &length) : NULL; word;
         word = rd_lexer_word(word + length, &length))
        if (rd_check_names_have(&managed, word, length) && is_assigned(word + length) &&
            rd_check_function_at(&source->functions, word) &&
            !rd_check_function_is_device(&source->functions, word))
            tell(walk, source, word, word + length);
    rd_check_names_finish(&managed);
}

char *rd_check_host_sets_find(const struct rd_check_unit *unit)
{
    char *found = NULL;
    size_t size = 0;
    struct walk *walk = calloc(1, sizeof *walk);
    if (!walk || !(walk->out = open_memstream(&found, &size)))
        goto done;
    add_source(walk, unit->options->file, unit->text); /* a pipe is read but once */
    for (unsigned k = 0; k < walk->n_sources; k++)
        add_included(walk, &walk->sources[k]);
    add_setter(walk, "cudaMemcpyToSymbol", 18, 0);
    add_setter(walk, "cudaMemcpyToSymbolAsync", 23, 0);
    add_setter(walk, "cuModuleGetGlobal", 17, 3);
    for (unsigned s = 0; s < walk->n_setters; s++)
        for (unsigned k = 0; k < walk->n_sources; k++)
            visit_calls(walk, &walk->sources[k], walk->setters[s]);
    for (unsigned k = 0; k < walk->n_sources; k++) {
        visit_addresses(walk, &walk->sources[k]);
        visit_managed(walk, &walk->sources[k]);
    }
    fclose(walk->out);
done:
    for (unsigned k = 0; walk && k < walk->n_sources; k++) {
        rd_check_functions_finish(&walk->sources[k].functions);
        free(walk->sources[k].text);
    }
    free(walk);
    return found;
}
