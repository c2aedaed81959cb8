// SPDX-License-Identifier: MIT
#include "cli/compile_commands.h"
#include "cli/cli.h"

#include <jansson.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS_MAX = 4000 };

static struct {
    char *all[WORDS_MAX + 1];
    int n;
} words;

static void add(const char *word)
{
    char *copy = strdup(word);
    if (!copy || words.n == WORDS_MAX)
        rd_cli_usage("run", "'--compile-commands' has more than %d options", WORDS_MAX);
    words.all[words.n++] = copy;
}

/* Options whose value is a path, which is relative to the command's folder. */
static size_t path_at(const char *word)
{
    static const char *const options[] = {"-I", "-L", "-isystem", "-include", "-iquote"};
    for (size_t k = 0; k < sizeof options / sizeof *options; k++)
        if (strncmp(word, options[k], strlen(options[k])) == 0)
            return strlen(options[k]);
    return 0;
}

static void add_path(const char *option, const char *directory, const char *path)
{
    char *whole;
    if (asprintf(&whole, "%s%s%s%s", option, *path == '/' ? "" : directory, *path == '/' ? "" : "/",
                 path) < 0)
        return;
    add(whole);
    free(whole);
}

/* One word of a command; *next_is_path: the one before it was an option that has a path. */
static void add_word(const char *word, const char *directory, bool *next_is_path)
{
    size_t at = path_at(word);
    if (*next_is_path) {
        add_path("", directory, word);
        *next_is_path = false;
    } else if (at > 0 && word[at] == '\0') {
        add(word);
        *next_is_path = true;
    } else if (at == 2) {
        const char option[] = {word[0], word[1], '\0'};
        add_path(option, directory, word + at + (word[at] == '='));
    } else {
        add(word);
    }
}

/* The words of a shell's command: blanks, quotes and backslashes are as there. */
static void split(char *command, void (*visit)(void *self, const char *word), void *self)
{
    for (char *at = command; *at;) {
        char *to, *word, quote = '\0';
        while (*at == ' ' || *at == '\t' || *at == '\n')
            at++;
        if (!*at)
            return;
        for (to = word = at; *at && (quote || !strchr(" \t\n", *at)); at++) {
            if (quote ? *at == quote : *at == '"' || *at == '\'')
                quote = quote ? '\0' : *at;
            else if (*at == '\\' && quote != '\'' && at[1])
                *to++ = *++at;
            else
                *to++ = *at;
        }
        at += *at != '\0';
        *to = '\0';
        visit(self, word);
    }
}

/* Tells whether both are the same file, from a folder of the entry's and from here. */
static bool is_same(const char *directory, const char *file, const char *named)
{
    char whole[PATH_MAX], one[PATH_MAX], other[PATH_MAX];
    snprintf(whole, sizeof whole, "%s%s%s", *file == '/' ? "" : directory, *file == '/' ? "" : "/",
             file);
    return realpath(whole, one) && realpath(named, other) && strcmp(one, other) == 0;
}

struct taking {
    const char *directory, *file;
    bool is_first, next_is_path, has_files;
};

/* Tells whether the word is the file that is compiled, by whatever path. */
static bool is_the_file(const struct taking *taking, const char *word)
{
    char whole[PATH_MAX];
    if (strcmp(word, taking->file) == 0)
        return true;
    if (*word == '-' || taking->next_is_path)
        return false;
    snprintf(whole, sizeof whole, "%s%s%s", *word == '/' ? "" : taking->directory,
             *word == '/' ? "" : "/", word);
    return is_same(taking->directory, taking->file, whole);
}

/* The compiler itself, and the file that it compiles, are no options. */
static void take_word(void *self, const char *word)
{
    struct taking *taking = self;
    bool is_first = taking->is_first;
    taking->is_first = false;
    if (is_first || is_the_file(taking, word))
        return;
    add_word(word, taking->directory, &taking->next_is_path);
}

static void take_entry(const json_t *entry, bool with_file)
{
    const char *directory = json_string_value(json_object_get(entry, "directory")),
               *file = json_string_value(json_object_get(entry, "file")),
               *command = json_string_value(json_object_get(entry, "command"));
    struct taking taking = {directory ? directory : ".", file ? file : "", true, false, false};
    const json_t *arguments = json_object_get(entry, "arguments"), *argument;
    size_t k;
    char *copy = command ? strdup(command) : NULL;
    if (copy)
        split(copy, take_word, &taking);
    free(copy);
    json_array_foreach(arguments, k, argument)
    {
        if (json_is_string(argument))
            take_word(&taking, json_string_value(argument));
    }
    if (with_file && file)
        add_path("", taking.directory, file);
}

static bool is_named(const json_t *entry, int argc, char **argv)
{
    const char *directory = json_string_value(json_object_get(entry, "directory")),
               *file = json_string_value(json_object_get(entry, "file"));
    for (int k = 1; k < argc && strcmp(argv[k], "--") != 0; k++)
        if (file && rd_cli_is_source(argv[k]) &&
            is_same(directory ? directory : ".", file, argv[k]))
            return true;
    return false;
}

static bool names_source(int argc, char **argv)
{
    for (int k = 1; k < argc && strcmp(argv[k], "--") != 0; k++)
        if (argv[k][0] != '-' && rd_cli_is_source(argv[k]))
            return true;
    return false;
}

static void take(const char *path, int argc, char **argv)
{
    json_error_t error;
    size_t k;
    json_t *entry, *database = json_load_file(path, 0, &error);
    bool has_files = names_source(argc, argv);
    if (!json_is_array(database))
        rd_cli_usage("run", "'--compile-commands' is '%s', which is no compilation database: %s",
                     path, database ? "it is no array" : error.text);
    json_array_foreach(database, k, entry)
    {
        const char *file = json_string_value(json_object_get(entry, "file"));
        if (has_files ? is_named(entry, argc, argv) : file && rd_cli_is_source(file))
            take_entry(entry, !has_files);
    }
    json_decref(database);
}

int rd_cli_compile_commands_take(int argc, char ***argv)
{
    static const char option[] = "--compile-commands";
    char **given = *argv;
    for (int k = 1; k < argc && strcmp(given[k], "--") != 0; k++) {
        size_t length = sizeof option - 1;
        bool joined = strncmp(given[k], option, length) == 0 && given[k][length] == '=';
        if (!joined && strcmp(given[k], option) != 0)
            continue;
        if (!joined && k + 1 == argc)
            rd_cli_usage("run", "'%s' has no value: name a compile_commands.json", option);
        add(given[0]);
        take(joined ? given[k] + length + 1 : given[k + 1], argc, given);
        for (int n = 1; n < argc; n++)
            if (n != k && (joined || n != k + 1))
                add(given[n]);
        *argv = words.all;
        return words.n;
    }
    return argc;
}
