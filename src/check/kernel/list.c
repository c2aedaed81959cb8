// SPDX-License-Identifier: MIT
#include "check/kernel/list.h"
#include "check/report/findings.h"
#include "check/unit/unit.h"
#include "check/source/lexer.h"
#include "reductio/version.h"
#include "check/kernel/check.h"
#include "base/exit_status.h"
#include "check/source/kernel_names.h"
#include "check/kernel/compile.h"

#include <ctype.h>
#include <dlfcn.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CHILD_S = 20 };

struct list {
    struct rd_check_listed all[RD_CHECK_LISTED_MAX];
    unsigned n, n_left_out;
    struct rd_check_unit unit;
};

/* ---- finding them ---- */

static struct rd_check_listed *add(struct list *list, const char *name, size_t length)
{
    for (unsigned k = 0; k < list->n; k++)
        if (strlen(list->all[k].name) == length && strncmp(list->all[k].name, name, length) == 0)
            return &list->all[k];
    if (list->n == RD_CHECK_LISTED_MAX || length >= sizeof list->all[0].name) {
        list->n_left_out++;
        return NULL;
    }
    struct rd_check_listed *listed = &list->all[list->n++];
    memcpy(listed->name, name, length);
    return listed;
}

/* Fills in what the text says of the kernel, which is found by the last part of its name. */
static void place(const struct list *list, struct rd_check_listed *listed,
                  const struct rd_check_function *function)
{
    const char *open = strchr(function->name + function->name_length, '(');
    listed->head = function->head;
    listed->line = rd_lexer_line(list->unit.text, function->name);
    listed->body = function->body;
    listed->end = function->end;
    if (!open || open > function->body)
        return;
    listed->parameters = open + 1;
    listed->parameters_end = rd_lexer_behind(open) - 1;
}

static bool has_template(const struct rd_check_function *function)
{
    return strncmp(function->head, "template", 8) == 0;
}

static const struct rd_check_function *function_of(const struct list *list, const char *name)
{
    size_t length = strcspn(name, "<(");
    const char *plain = name;
    for (const char *at = name; at + 1 < name + length; at++)
        if (at[0] == ':' && at[1] == ':')
            plain = at + 2;
    length -= (size_t)(plain - name);
    for (size_t k = 0; k < list->unit.functions.n; k++) {
        const struct rd_check_function *function = &list->unit.functions.all[k];
        if (function->is_kernel && function->name_length == length &&
            strncmp(function->name, plain, length) == 0)
            return function;
    }
    return NULL;
}

/* A kernel that the compiler has made: of several of one name each with its parameters. */
struct made {
    struct list *list;
    char names[RD_CHECK_LISTED_MAX][512];
    unsigned n;
};

static void visit_made(void *self, const char *symbol)
{
    struct made *made = self;
    if (made->n < RD_CHECK_LISTED_MAX)
        rd_check_written_name(symbol, made->names[made->n++], sizeof made->names[0]);
}

static void add_made(struct made *made)
{
    for (unsigned k = 0; k < made->n; k++) {
        size_t length = strcspn(made->names[k], "(");
        unsigned alike = 0;
        for (unsigned m = 0; m < made->n; m++)
            alike += strcspn(made->names[m], "(") == length &&
                     strncmp(made->names[m], made->names[k], length) == 0;
        add(made->list, made->names[k], alike > 1 ? strlen(made->names[k]) : length);
    }
}

/* ---- templates ---- */

/* The instances that the text launches: k<float, 256><<<. */
static bool add_launched(struct list *list, const struct rd_check_function *function,
                         const char *qualified)
{
    const char *text = list->unit.text, *end = text + strlen(text);
    bool found = false;
    size_t length;
    for (const char *at = text; (at = rd_lexer_word(at, &length)); at += length) {
        if (length != function->name_length || strncmp(at, function->name, length) != 0 ||
            at[length] != '<' || rd_lexer_launch_sign(at + length, '<') > 0)
            continue;
        const char *behind = rd_lexer_behind_angles(at + length, end);
        const char *next = rd_lexer_blanks(behind);
        char name[512];
        int made = snprintf(name, sizeof name, "%s%.*s", qualified,
                            (int)(behind - at - (long)length), at + length);
        if (rd_lexer_launch_sign(next, '<') == 0 || made >= (int)sizeof name ||
            !rd_check_kernel_is_name(name))
            continue;
        /* Arguments that a function around the launch has as its own, as T, are no instance. */
        const struct rd_check_function *around = rd_check_function_at(&list->unit.functions, at);
        if (around && has_template(around))
            continue;
        struct rd_check_listed *listed = add(list, name, (size_t)made);
        if (listed)
            listed->is_template = true;
        found = true;
    }
    return found;
}

/* "k<float, 256>": an argument for each parameter of the template. */
static void add_example(struct list *list, const struct rd_check_function *function,
                        const char *qualified)
{
    const char *open = strchr(function->head, '<');
    const char *end = open ? rd_lexer_behind_angles(open, function->name) : NULL;
    char name[512];
    size_t length = (size_t)snprintf(name, sizeof name, "%s<", qualified);
    if (!open || end == function->name)
        return;
    bool is_first = true;
    for (const char *at = open + 1; at < end - 1;) {
        const char *from = rd_lexer_blanks(at), *to = from;
        for (int depth = 0; to < end - 1 && (depth > 0 || *to != ','); to++)
            depth += (strchr("<(", *to) != NULL) - (strchr(">)", *to) != NULL);
        bool has_default = memchr(from, '=', (size_t)(to - from));
        bool is_type = strncmp(from, "class", 5) == 0 || strncmp(from, "typename", 8) == 0;
        bool is_bool = strncmp(from, "bool", 4) == 0;
        if (has_default)
            break;
        if (length < sizeof name)
            length +=
                (size_t)snprintf(name + length, sizeof name - length, "%s%s", is_first ? "" : ", ",
                                 is_type   ? "float"
                                 : is_bool ? "true"
                                           : "256");
        is_first = false;
        at = to + 1;
    }
    if (length + 1 < sizeof name)
        length += (size_t)snprintf(name + length, sizeof name - length, ">");
    struct rd_check_listed *listed = add(list, name, length);
    if (listed)
        listed->is_template = true;
}

/* The namespaces around a place: "n::m::". */
static void namespaces_of(const char *text, const char *at, char names[256])
{
    size_t length, used = 0;
    names[0] = '\0';
    for (const char *word = text; (word = rd_lexer_word(word, &length)) && word < at;
         word += length) {
        if (!rd_lexer_is(word, length, "namespace") || rd_lexer_is_in_directive(text, word))
            continue;
        const char *name = rd_lexer_blanks(word + length), *open = name;
        while (rd_lexer_is_letter(*open) || *open == ':')
            open++;
        const char *brace = rd_lexer_blanks(open);
        if (*brace == '{' && rd_lexer_behind(brace) > at && open > name && used < 200)
            used += (size_t)snprintf(names + used, 256 - used, "%.*s::", (int)(open - name), name);
    }
}

static void add_templates(struct list *list)
{
    for (size_t k = 0; k < list->unit.functions.n; k++) {
        const struct rd_check_function *function = &list->unit.functions.all[k];
        char names[256], qualified[512];
        if (!function->is_kernel || !has_template(function))
            continue;
        namespaces_of(list->unit.text, function->head, names);
        snprintf(qualified, sizeof qualified, "%s%.*s", names, (int)function->name_length,
                 function->name);
        if (!add_launched(list, function, qualified))
            add_example(list, function, qualified);
    }
}

/* ---- their parameters ---- */

static enum rd_status write_list(struct list *list, const char *directory, const bool *refused,
                                 struct rd_error *error)
{
    char path[RD_CHECK_PATH_SIZE];
    enum rd_status status = rd_check_unit_write(&list->unit, "again", NULL, error);
    if (status != RD_OK)
        return status;
    snprintf(path, sizeof path, "%s/again.cpp", directory);
    FILE *file = fopen(path, "a");
    if (!file)
        return rd_fail(error, RD_ERROR_IO, "'%s' can't be written", path);
    for (unsigned k = 0; k < list->n; k++) {
        if (refused[k])
            continue;
        fprintf(file, "#line %u \"--list\"\n__RD_CHECK_LISTED(%u, ", k + 1, k);
        rd_check_kernel_expression(list->all[k].name, file);
        fputs(")\n", file);
    }
    return fclose(file) == 0 ? RD_OK : rd_fail(error, RD_ERROR_IO, "'%s' can't be written", path);
}

/* Notes the lines of the list that the compiler has refused. */
static bool note_refused(const char *directory, unsigned n, bool *refused)
{
    char path[RD_CHECK_PATH_SIZE], *line = NULL;
    size_t size = 0;
    bool any = false;
    snprintf(path, sizeof path, "%s/again.txt", directory);
    FILE *file = fopen(path, "r");
    while (file && getline(&line, &size, file) >= 0) {
        const char *at = strstr(line, "--list:");
        unsigned long number = at ? strtoul(at + strlen("--list:"), NULL, 10) : 0;
        if (number > 0 && number <= n && !refused[number - 1])
            any = refused[number - 1] = true;
    }
    free(line);
    if (file)
        fclose(file);
    return any;
}

/* In a process of its own: loading runs the file's own initialisation. */
static void describe(const struct rd_check *check, const struct list *list, const char *library,
                     FILE *file)
{
    struct rd_device *device;
    struct rd_error error;
    alarm(CHILD_S);
    if (check->device->open(&device, &error) != RD_OK)
        return;
    void *handle = dlopen(library, RTLD_LAZY | RTLD_LOCAL);
    for (unsigned k = 0; handle && k < list->n; k++) {
        char symbol[40];
        const struct rd_file_parameter *parameters;
        unsigned (*listed)(const struct rd_file_parameter **parameters);
        snprintf(symbol, sizeof symbol, "rd_check_listed%u", k);
        *(void **)&listed = dlsym(handle, symbol);
        if (!listed)
            continue;
        unsigned n = listed(&parameters);
        for (unsigned m = 0; m <= n && m < RD_CHECK_LISTED_PARAMETERS_MAX; m++)
            fprintf(file, "%u %u %u %d %d %u %u\n", k, n, m, m < n ? parameters[m].kind : 0,
                    m < n ? parameters[m].pointee_kind : 0, m < n ? parameters[m].size : 0,
                    m < n ? parameters[m].pointee_size : 0);
    }
    fflush(file);
}

static void read_described(struct list *list, FILE *file)
{
    unsigned k, n, m, size, pointee_size;
    int kind, pointee_kind;
    rewind(file);
    while (fscanf(file, "%u %u %u %d %d %u %u", &k, &n, &m, &kind, &pointee_kind, &size,
                  &pointee_size) == 7) {
        if (k >= list->n || m >= RD_CHECK_LISTED_PARAMETERS_MAX ||
            n > RD_CHECK_LISTED_PARAMETERS_MAX)
            continue;
        list->all[k].n = n;
        list->all[k].is_known = list->all[k].is_known || m == n;
        list->all[k].types[m] = (struct rd_file_parameter){.kind = (char)kind,
                                                           .pointee_kind = (char)pointee_kind,
                                                           .size = size,
                                                           .pointee_size = pointee_size};
    }
}

static enum rd_status learn(const struct rd_check *check, struct list *list, const char *directory,
                            struct rd_error *error)
{
    bool refused[RD_CHECK_LISTED_MAX] = {false};
    char library[RD_CHECK_PATH_SIZE];
    enum rd_status status = write_list(list, directory, refused, error);
    if (status == RD_OK)
        status = rd_check_compile_list(check, directory, library, error);
    if (status == RD_ERROR_INPUT && note_refused(directory, list->n, refused)) {
        status = write_list(list, directory, refused, error);
        if (status == RD_OK)
            status = rd_check_compile_list(check, directory, library, error);
    }
    if (status == RD_ERROR_INPUT)
        return RD_OK; /* their parameters stay unknown */
    FILE *file = status == RD_OK ? tmpfile() : NULL;
    if (!file)
        return status != RD_OK ? status : rd_fail(error, RD_ERROR_IO, "no temporary file");
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        describe(check, list, library, file);
        _exit(0);
    }
    if (child > 0)
        waitpid(child, NULL, 0);
    read_described(list, file);
    fclose(file);
    return RD_OK;
}

/* ---- telling ---- */

static void print_text(const struct list *list, const struct rd_check_options *options)
{
    printf("%s: %u kernel%s\n", options->file, list->n, list->n == 1 ? "" : "s");
    for (unsigned k = 0; k < list->n; k++) {
        const struct rd_check_listed *listed = &list->all[k];
        printf("%s", listed->name);
        if (listed->parameters && !strchr(listed->name, '(')) {
            fputc('(', stdout);
            bool was_blank = true;
            for (const char *at = listed->parameters; at < listed->parameters_end; at++) {
                bool is_blank = isspace((unsigned char)*at);
                if (!is_blank || !was_blank)
                    putchar(is_blank ? ' ' : *at);
                was_blank = is_blank;
            }
            fputc(')', stdout);
        }
        if (listed->line > 0)
            printf(", line %u", listed->line);
        putchar('\n');
        fputs("    ", stdout);
        if (listed->is_known)
            rd_check_listed_command(listed, list->unit.text, options, stdout);
        else
            fputs("its parameters are unknown here: the compiler makes no such kernel of the "
                  "template, or of the file",
                  stdout);
        putchar('\n');
    }
    if (list->n_left_out > 0)
        printf("%u more are left out\n", list->n_left_out);
}

static json_t *parameters_json(const struct rd_check_listed *listed)
{
    json_t *all = json_array();
    for (unsigned k = 0; k < listed->n && listed->is_known; k++) {
        const char *name = "";
        size_t length = 0, name_length = 0;
        const char *text = rd_check_listed_parameter(listed, k, &length, &name, &name_length);
        json_array_append_new(all,
                              json_pack("{s:o, s:o, s:I}", "name", rd_check_text(name, name_length),
                                        "text", rd_check_text(text ? text : "", length), "size",
                                        (json_int_t)listed->types[k].size));
    }
    return all;
}

static json_t *command_json(const struct rd_check_listed *listed, const char *source,
                            const struct rd_check_options *options)
{
    char *text = NULL;
    size_t size;
    FILE *out = listed->is_known ? open_memstream(&text, &size) : NULL;
    if (!out)
        return json_null();
    rd_check_listed_command(listed, source, options, out);
    fclose(out);
    json_t *command = rd_check_text(text, size);
    free(text);
    return command;
}

static void print_json(const struct list *list, const struct rd_check_options *options)
{
    json_t *kernels = json_array();
    for (unsigned k = 0; k < list->n; k++) {
        const struct rd_check_listed *listed = &list->all[k];
        json_array_append_new(kernels,
                              json_pack("{s:o, s:o, s:b, s:o, s:o}", "kernel",
                                        rd_check_text(listed->name, strlen(listed->name)), "line",
                                        listed->line > 0 ? json_integer(listed->line) : json_null(),
                                        "template", listed->is_template, "parameters",
                                        listed->is_known ? parameters_json(listed) : json_null(),
                                        "command", command_json(listed, list->unit.text, options)));
    }
    json_t *all = json_pack("{s:s, s:o, s:o, s:i, s:i}", "reductio", rd_version(), "file",
                            rd_check_text(options->file, strlen(options->file)), "kernels", kernels,
                            "left_out", (int)list->n_left_out, "status", RD_EXIT_HOLDS);
    json_dumpf(all, stdout, JSON_INDENT(2));
    putchar('\n');
    json_decref(all);
}

/* ---- all of it ---- */

/* Kernels in the order of the text; behind them those that stand elsewhere. */
static int by_line(const void *left, const void *right)
{
    const struct rd_check_listed *a = left, *b = right;
    const unsigned of_a = a->line - 1,
                   of_b = b->line - 1; /* the greatest number where there is none */
    return of_a != of_b ? (of_a < of_b ? -1 : 1) : strcmp(a->name, b->name);
}

static enum rd_status find(struct rd_check *check, struct list *list, const char *directory,
                           struct rd_error *error)
{
    char object[RD_CHECK_PATH_SIZE];
    struct made *made = calloc(1, sizeof *made);
    if (!made)
        return rd_fail(error, RD_ERROR_MEMORY, "no memory for the names of kernels");
    enum rd_status status = rd_check_compile_file(check, &list->unit, directory, object, error);
    if (status == RD_OK && check->options->compile_only) {
        free(made);
        return RD_OK;
    }
    if (status == RD_OK) {
        made->list = list;
        check->device->files->list_kernels(object, visit_made, made);
        add_made(made);
        add_templates(list);
        for (unsigned k = 0; k < list->n; k++) {
            const struct rd_check_function *function = function_of(list, list->all[k].name);
            if (function)
                place(list, &list->all[k], function);
        }
        qsort(list->all, list->n, sizeof *list->all, by_line);
        if (list->n == 0)
            status = rd_fail(error, RD_ERROR_INPUT, "'%s' has no kernels", check->options->file);
    }
    free(made);
    return status == RD_OK ? learn(check, list, directory, error) : status;
}

int rd_check_list(struct rd_check *check, const char *directory)
{
    struct rd_error error = {""};
    struct list *list = calloc(1, sizeof *list);
    enum rd_status status = list
                                ? rd_check_unit_init(&list->unit, check->options, directory, &error)
                                : rd_fail(&error, RD_ERROR_MEMORY, "no memory for a list");
    if (status == RD_OK) {
        status = find(check, list, directory, &error);
        if (status == RD_OK && check->options->common.json && !check->options->compile_only)
            print_json(list, check->options);
        else if (status == RD_OK && !check->options->compile_only)
            print_text(list, check->options);
        rd_check_unit_finish(&list->unit);
    }
    free(list);
    if (status == RD_OK)
        return RD_EXIT_HOLDS;
    fprintf(stderr, "reductio: %s\n", error.text);
    return RD_EXIT_FAILED;
}
