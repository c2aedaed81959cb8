// SPDX-License-Identifier: MIT
/* Names of a file: those that it declares, and those that it must not have for the compiler. */
#include "check/source/rewrite.h"
#include "base/array.h"
#include "check/source/lexer.h"

#include <stdlib.h>
#include <string.h>

void rd_check_names_finish(struct rd_check_names *names)
{
    free(names->all);
    *names = (struct rd_check_names){0};
}

bool rd_check_names_have(const struct rd_check_names *names, const char *word, size_t length)
{
    for (size_t k = 0; k < names->n; k++)
        if (names->all[k].length == length && strncmp(names->all[k].word, word, length) == 0)
            return true;
    return false;
}

bool rd_check_names_have_one_of(const struct rd_check_names *names, const char *at, const char *end)
{
    size_t length;
    for (const char *word = rd_lexer_word(at, &length); word && word < end;
         word = rd_lexer_word(word + length, &length))
        if (rd_check_names_have(names, word, length))
            return true;
    return false;
}

void rd_check_names_add(struct rd_check_names *names, const char *word, size_t length)
{
    if (rd_check_names_have(names, word, length))
        return;
    if (rd_array_make_room(&names->all, names->n, &names->capacity, sizeof *names->all))
        names->all[names->n++] = (struct rd_check_name){word, length};
    else
        names->failed = true;
}

/* ---- declarations ---- */

/* Behind the value that a variable begins with: at the comma or the end of the declaration. */
static const char *behind_value(const char *at)
{
    while (*at && *at != ',' && *at != ';')
        at = rd_lexer_pass(at);
    return at;
}

/* The names in "int a, *b[3] = {1}, f(int)", the rest of a declaration, which ends at `end` at the latest. */
static void add_declared(struct rd_check_names *names, const char *at, const char *end,
                         bool functions)
{
    static const char *const others[] = {
        "__attribute__", "__launch_bounds__", "__align__",   "alignas",
        "decltype",      "__cluster_dims__",  "__maxnreg__", NULL};
    const char *word = NULL;
    size_t length = 0;
    while (at < end && !strchr(";{}", *at)) {
        const char *next = rd_lexer_skip(at);
        if (next > at) {
            bool is_other = rd_lexer_is_one_of(at, (size_t)(next - at), others);
            bool is_word = rd_lexer_is_letter(*at) && !is_other;
            word = is_word ? at : word;
            length = is_word ? (size_t)(next - at) : length;
            at = is_other ? rd_lexer_blanks(next) : next;
            if (is_other && *at == '(')
                at = rd_lexer_behind(at);
        } else if (*at == '(' || *at == ',' || *at == '=' || *at == '[') {
            bool is_function = *at == '(';
            if (word && (functions || !is_function))
                rd_check_names_add(names, word, length);
            if (is_function)
                return;
            at = *at == '[' ? rd_lexer_behind(at) : *at == '=' ? behind_value(at) : at + 1;
            word = NULL;
        } else {
            at = *at == '<' ? rd_lexer_behind_angles(at, at + strcspn(at, ";")) : at + 1;
        }
    }
    if ((at >= end || *at == ';') && word)
        rd_check_names_add(names, word, length);
}

/* The end of the directive that a word is in; else that of the text. */
static const char *last_of(const char *text, const char *word, const char *end)
{
    if (!rd_lexer_is_in_directive(text, word))
        return end;
    for (const char *at = strchr(word, '\n'); at; at = strchr(at + 1, '\n'))
        if (at[-1] != '\\' && (at[-1] != '\r' || at[-2] != '\\'))
            return at;
    return end;
}

/* Finds macros that the text defines with one of the marks, or with another such macro, in their meaning. */
static void find_macros(struct rd_check_names *macros, const char *text, const char *const *marks)
{
    const char *text_end = text + strlen(text);
    size_t length;
    for (const char *word = strstr(text, "define"); word && (word = rd_lexer_word(word, &length));
         word = strstr(word + length, "define")) {
        if (!rd_lexer_is(word, length, "define") || !rd_lexer_is_in_directive(text, word))
            continue;
        const char *name = word + length + strspn(word + length, " \t");
        const size_t name_length = rd_lexer_word_length(name);
        const char *end = last_of(text, word, text_end);
        size_t of_part;
        for (const char *part = rd_lexer_word(name + name_length, &of_part); part && part < end;
             part = rd_lexer_word(part + of_part, &of_part))
            if (rd_lexer_is_one_of(part, of_part, marks) ||
                rd_check_names_have(macros, part, of_part)) {
                rd_check_names_add(macros, name, name_length);
                break;
            }
    }
}

static void find_marked(struct rd_check_names *names, const char *text, const char *const *marks,
                        bool functions)
{
    const char *end = text + strlen(text);
    struct rd_check_names macros = {0};
    size_t length;
    find_macros(&macros, text, marks);
    for (const char *word = rd_lexer_word(text, &length); word;
         word = rd_lexer_word(word + length, &length))
        if (rd_lexer_is_one_of(word, length, marks) ||
            (macros.n > 0 && rd_check_names_have(&macros, word, length) &&
             !rd_lexer_is_in_directive(text, word)))
            add_declared(names, word + length, last_of(text, word, end), functions);
    names->failed = names->failed || macros.failed;
    rd_check_names_finish(&macros);
}

void rd_check_names_find_declared(struct rd_check_names *names, const char *text, bool functions)
{
    static const char *const marks[] = {"__global__",   "__device__",  "__shared__",
                                        "__constant__", "__managed__", NULL};
    find_marked(names, text, marks, functions);
}

void rd_check_names_find_managed(struct rd_check_names *names, const char *text)
{
    static const char *const marks[] = {"__managed__", NULL};
    find_marked(names, text, marks, false);
}

/* ---- names of ours, and of the compiler's ---- */

static bool is_own(const char *word, size_t length)
{
    static const char *const prefixes[] = {"rd_sim_", "rd_check_", "__tsan_", "__ubsan_",
                                           "__asan_", "__wrap_",   "__rd_",   "__RD_"};
    for (size_t k = 0; k < sizeof prefixes / sizeof *prefixes; k++)
        if (length > strlen(prefixes[k]) && strncmp(word, prefixes[k], strlen(prefixes[k])) == 0)
            return true;
    return rd_lexer_is(word, length, "main");
}

void rd_check_names_find_own(struct rd_check_names *names, const char *text)
{
    size_t length;
    struct rd_check_names declared = {0};
    for (const char *word = rd_lexer_word(text, &length); word;
         word = rd_lexer_word(word + length, &length))
        if (is_own(word, length))
            rd_check_names_add(names, word, length);
    /* The linker's and the compiler's own names begin so. */
    rd_check_names_find_declared(&declared, text, false);
    for (size_t k = 0; k < declared.n; k++)
        if (declared.all[k].word[0] == '_')
            rd_check_names_add(names, declared.all[k].word, declared.all[k].length);
    names->failed = names->failed || declared.failed;
    rd_check_names_finish(&declared);
}

/* ---- another name ---- */

void rd_check_names_write(const struct rd_check_names *names, bool of_headers, FILE *file)
{
    for (size_t k = 0; k < names->n; k++) {
        int length = (int)names->all[k].length;
        const char *word = names->all[k].word;
        if (of_headers)
            fprintf(file, "#undef %.*s\n", length, word);
        fprintf(file, "#ifndef %.*s\n#define %.*s %.*s$\n#endif\n", length, word, length, word,
                length, word);
    }
}

void rd_check_names_restore(char *text)
{
    char *to = text;
    for (; *text; text++)
        if (*text != '$')
            *to++ = *text;
    *to = '\0';
}
