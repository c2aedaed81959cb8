// SPDX-License-Identifier: MIT
#include "check/source/lexer.h"
#include "base/array.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* ---- words ---- */

bool rd_lexer_is_letter(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

size_t rd_lexer_word_length(const char *at)
{
    size_t length = 0;
    while (rd_lexer_is_letter(at[length]))
        length++;
    return length;
}

/* Behind the raw string whose quotation mark is at `at`: R"mark( anything at all )mark". */
static const char *skip_raw(const char *at)
{
    char end[20] = ")"; /* the standard has marks of at most 16 characters */
    size_t length = strcspn(at + 1, "(\n");
    if (at[1 + length] != '(' || length > 16)
        return at + 1;
    memcpy(end + 1, at + 1, length);
    strcpy(end + 1 + length, "\"");
    const char *found = strstr(at + 1 + length, end);
    return found ? found + strlen(end) : at + strlen(at);
}

/* Behind a number: 1'024, 0xffu, 1.5e-3f. */
static const char *skip_number(const char *at)
{
    while (rd_lexer_is_letter(*at) || *at == '.' || (*at == '\'' && rd_lexer_is_letter(at[1])))
        at++;
    return at;
}

/* Behind a word, and what is raw behind the words R, LR, uR, UR and u8R. */
static const char *skip_word(const char *at)
{
    static const char *const raw[] = {"R\"", "LR\"", "uR\"", "UR\"", "u8R\""};
    for (size_t k = 0; k < sizeof raw / sizeof *raw; k++)
        if (strncmp(at, raw[k], strlen(raw[k])) == 0)
            return skip_raw(at + strlen(raw[k]) - 1);
    while (rd_lexer_is_letter(*at))
        at++;
    return at;
}

/* The end of a line that may go on behind a backslash. */
static const char *line_end(const char *at)
{
    const char *end = at + strcspn(at, "\n");
    while (*end && end > at && end[-1] == '\\')
        end += 1 + strcspn(end + 1, "\n");
    return end;
}

const char *rd_lexer_skip(const char *at)
{
    if (at[0] == '/' && at[1] == '/')
        return line_end(at);
    if (at[0] == '/' && at[1] == '*') {
        const char *end = strstr(at + 2, "*/");
        return end ? end + 2 : at + strlen(at);
    }
    if (*at == '"' || *at == '\'') {
        char quote = *at++;
        while (*at && *at != quote && *at != '\n')
            at += at[0] == '\\' && at[1] ? 2 : 1;
        return *at == quote ? at + 1 : at;
    }
    if (isdigit((unsigned char)*at))
        return skip_number(at);
    return rd_lexer_is_letter(*at) ? skip_word(at) : at;
}

const char *rd_lexer_directive(const char *text, const char *at)
{
    const char *start = at;
    if (*at != '#')
        return at;
    while (start > text && start[-1] != '\n' && isspace((unsigned char)start[-1]))
        start--;
    bool is_first = start == text || start[-1] == '\n';
    return is_first ? line_end(at) : at;
}

const char *rd_lexer_line_start(const char *text, const char *at)
{
    while (at > text && at[-1] != '\n')
        at--;
    return at;
}

bool rd_lexer_is_in_directive(const char *text, const char *at)
{
    const char *start = rd_lexer_line_start(text, at);
    while (start - text >= 2 && start[-2] == '\\')
        start = rd_lexer_line_start(text, start - 1);
    while (*start != '\n' && isspace((unsigned char)*start))
        start++;
    return *start == '#' && start < at && rd_lexer_directive(text, start) >= at;
}

/* The word of a directive that begins at a '#'; false where it is none. `from` is where to look back to. */
static bool directive_is(const char *from, const char *at, const char *name)
{
    const char *start = at;
    while (start > from && (start[-1] == ' ' || start[-1] == '\t'))
        start--;
    const char *word = at + 1 + strspn(at + 1, " \t");
    return *at == '#' && start > from && start[-1] == '\n' &&
           strncmp(word, name, strlen(name)) == 0;
}

const char *rd_lexer_behind_branches(const char *from, const char *at)
{
    int depth = 0;
    if (!directive_is(from, at, "el"))
        return at;
    for (const char *line = line_end(at); *line; line = line_end(line)) {
        line++;
        const char *hash = line + strspn(line, " \t");
        if (directive_is(from, hash, "if"))
            depth++;
        else if (directive_is(from, hash, "endif") && depth-- == 0)
            return line_end(hash);
    }
    return at;
}

const char *rd_lexer_behind(const char *at)
{
    char open = *at, close = open == '(' ? ')' : open == '[' ? ']' : '}';
    const char *from = at;
    int depth = 0;
    while (*at) {
        const char *next = *at == '#' ? rd_lexer_behind_branches(from, at) : rd_lexer_skip(at);
        if (next > at) {
            at = next;
            continue;
        }
        depth += (*at == open) - (*at == close);
        at++;
        if (depth == 0)
            break;
    }
    return at;
}

const char *rd_lexer_pass(const char *at)
{
    const char *next = rd_lexer_skip(at);
    if (next > at || !*at)
        return next;
    return strchr("([{", *at) ? rd_lexer_behind(at) : at + 1;
}

const char *rd_lexer_word(const char *at, size_t *length)
{
    while (*at) {
        const char *next = rd_lexer_skip(at);
        bool is_word = rd_lexer_is_letter(*at) && !isdigit((unsigned char)*at) &&
                       rd_lexer_is_letter(next[-1]); /* rather than a raw string */
        if (is_word) {
            *length = (size_t)(next - at);
            return at;
        }
        at = next > at ? next : at + 1;
    }
    return NULL;
}

bool rd_lexer_is(const char *word, size_t length, const char *text)
{
    return strlen(text) == length && strncmp(word, text, length) == 0;
}

bool rd_lexer_is_one_of(const char *word, size_t length, const char *const *texts)
{
    for (; *texts; texts++)
        if (rd_lexer_is(word, length, *texts))
            return true;
    return false;
}

bool rd_lexer_has_one_of(const char *at, const char *end, const char *const *texts)
{
    size_t length;
    for (const char *word = rd_lexer_word(at, &length); word && word < end;
         word = rd_lexer_word(word + length, &length))
        if (rd_lexer_is_one_of(word, length, texts))
            return true;
    return false;
}

bool rd_lexer_is_constant(const char *at, const char *end)
{
    const char *last = NULL;
    size_t length;
    for (const char *word = rd_lexer_word(at, &length); word && word < end;
         word = rd_lexer_word(word + length, &length))
        if (rd_lexer_is(word, length, "const"))
            last = word;
    return last && !memchr(last, '*', (size_t)(end - last));
}

const char *rd_lexer_behind_angles(const char *at, const char *end)
{
    int depth = 0;
    while (at < end) {
        if (*at == '(') {
            at = rd_lexer_behind(at);
            continue;
        }
        depth += (*at == '<') - (*at == '>');
        at++;
        if (depth == 0)
            break;
    }
    return at;
}

const char *rd_lexer_blanks(const char *at)
{
    for (;;) {
        bool is_comment = at[0] == '/' && (at[1] == '/' || at[1] == '*');
        if (is_comment)
            at = rd_lexer_skip(at);
        else if (isspace((unsigned char)*at))
            at++;
        else if (at[0] == '\\' && at[1] == '\n')
            at += 2;
        else
            return at;
    }
}

size_t rd_lexer_launch_sign(const char *at, char bracket)
{
    if (at[0] != bracket || at[1] != bracket)
        return 0;
    const char *third = rd_lexer_blanks(at + 2);
    return *third == bracket ? (size_t)(third + 1 - at) : 0;
}

const char *rd_lexer_line_at(const char *text, unsigned line)
{
    for (; line > 1 && *text; line--) {
        text += strcspn(text, "\n");
        text += *text == '\n';
    }
    return text;
}

unsigned rd_lexer_line(const char *text, const char *at)
{
    unsigned line = 1;
    for (; text < at && *text; text++)
        line += *text == '\n';
    return line;
}

/* ---- functions ---- */

/* The kind of block that a brace starts. */
enum block { FUNCTION, CONTAINER, OTHER };

/* ---- marks ---- */

enum { MARKS_MAX = 64 };

/* The words that mark a function: CUDA's, and macros of the file that stand for it. */
struct marks {
    struct {
        const char *word;
        size_t length;
    } all[MARKS_MAX];
    unsigned n;
};

static bool is_mark(const struct marks *marks, const char *word, size_t length)
{
    for (unsigned k = 0; k < marks->n; k++)
        if (marks->all[k].length == length && strncmp(marks->all[k].word, word, length) == 0)
            return true;
    return false;
}

static bool has_mark(const struct marks *marks, const char *from, const char *to)
{
    size_t length;
    for (const char *word = rd_lexer_word(from, &length); word && word < to;
         word = rd_lexer_word(word + length, &length))
        if (is_mark(marks, word, length))
            return true;
    return false;
}

static void add_mark(struct marks *marks, const char *word, size_t length)
{
    if (marks->n < MARKS_MAX) {
        marks->all[marks->n].word = word;
        marks->all[marks->n++].length = length;
    }
}

/* Adds the macro that a directive defines, if its text has a mark. */
static void add_macro(struct marks *marks, const char *directive, const char *end)
{
    size_t length;
    const char *define = rd_lexer_word(directive + 1, &length);
    if (!define || define >= end || !rd_lexer_is(define, length, "define"))
        return;
    const char *name = rd_lexer_word(define + length, &length);
    if (name && name < end && has_mark(marks, name + length, end))
        add_mark(marks, name, length);
}

static void find_marks(struct marks *marks, const char *const *texts, size_t n_texts,
                       const char *mark)
{
    *marks = (struct marks){.n = 0};
    add_mark(marks, mark, strlen(mark));
    for (size_t k = 0; k < n_texts; k++)
        for (const char *at = strchr(texts[k], '#'); at; at = strchr(at + 1, '#')) {
            const char *end = rd_lexer_directive(texts[k], at);
            if (end > at)
                add_macro(marks, at, end);
        }
}

/* ---- heads ---- */

/* At the parameters of "operator+=(" or "operator()(", from behind its first word. */
static const char *behind_operator(const char *at, const char *end)
{
    at = rd_lexer_blanks(at);
    if (*at == '(')
        at = rd_lexer_behind(at);
    while (at < end && *at != '(')
        at++;
    return at;
}

/* Finds the function's name in a head: the word before the last parentheses that are parameters. */
static void find_name(const char *head, const char *end, struct rd_check_function *function)
{
    static const char *const others[] = {"__attribute__",
                                         "__launch_bounds__",
                                         "__align__",
                                         "alignas",
                                         "decltype",
                                         "noexcept",
                                         "throw",
                                         "requires",
                                         "__cluster_dims__",
                                         "__maxnreg__",
                                         "__block_size__",
                                         "__declspec",
                                         NULL};
    const char *word = NULL, *behind = NULL; /* the last one, and its template arguments */
    size_t length = 0;
    for (const char *at = head; at < end;) {
        const char *directive = rd_lexer_directive(head, at), *next = rd_lexer_skip(at);
        if (directive > at) {
            at = directive;
        } else if (next > at) {
            if (rd_lexer_is_letter(*at)) {
                word = at;
                length = (size_t)(next - at);
            }
            at = behind = next;
            if (word && rd_lexer_is(word, length, "template"))
                at = rd_lexer_behind_angles(rd_lexer_blanks(at), end);
            else if (word && rd_lexer_is(word, length, "operator"))
                at = behind_operator(at, end);
        } else if (*at == '(') {
            bool is_operator = word && rd_lexer_is(word, length, "operator");
            bool is_next = word && (is_operator || rd_lexer_blanks(behind) == at);
            if (is_next && !rd_lexer_is_one_of(word, length, others)) {
                function->name = word;
                function->name_length = length;
            }
            at = rd_lexer_behind(at);
        } else if (*at == '<') {
            at = behind = rd_lexer_behind_angles(at, end);
        } else if (strncmp(at, "::", 2) == 0) {
            at += 2;
        } else if (*at == '=' || *at == ':' || strncmp(at, "->", 2) == 0) {
            return; /* a value, the members of a constructor, the type of the result */
        } else {
            at++;
        }
    }
}

/* Behind the words "template <...>" that a head may begin with. */
static const char *behind_templates(const char *head, const char *end)
{
    size_t length;
    const char *word;
    while ((word = rd_lexer_word(head, &length)) && word < end &&
           rd_lexer_is(word, length, "template"))
        head = rd_lexer_behind_angles(rd_lexer_blanks(word + length), end);
    return head;
}

static enum block classify(const char *head, const char *end, struct rd_check_function *function)
{
    static const char *const containers[] = {"namespace", "struct", "class",
                                             "union",     "extern", NULL};
    size_t length;
    function->name = NULL;
    find_name(head, end, function);
    if (function->name)
        return FUNCTION;
    head = behind_templates(head, end);
    if (head >= end) /* among a template's parameters: a value that a type is made of */
        return OTHER;
    if (memchr(head, '=', (size_t)(end - head)))
        return OTHER;
    for (const char *word = rd_lexer_word(head, &length); word && word < end;
         word = rd_lexer_word(word + length, &length)) {
        if (rd_lexer_is(word, length, "enum"))
            return OTHER;
        if (rd_lexer_is_one_of(word, length, containers))
            return CONTAINER;
    }
    return OTHER;
}

/* ---- the file ---- */

/* Tells whether the colon ends "public:", with which a head would begin. */
static bool ends_access(const char *head, const char *colon)
{
    static const char *const accesses[] = {"public", "protected", "private", NULL};
    size_t length;
    const char *word = *colon == ':' ? rd_lexer_word(head, &length) : NULL;
    return word && word < colon && rd_lexer_is_one_of(word, length, accesses) &&
           rd_lexer_blanks(word + length) == colon;
}

void rd_check_functions_init(struct rd_check_functions *functions, const char *text)
{
    size_t capacity = 0;
    const char *head = text;
    int depth = 0; /* of parentheses */
    *functions = (struct rd_check_functions){0};
    for (const char *at = text; *at;) {
        const char *directive = rd_lexer_directive(text, at), *next = rd_lexer_skip(at);
        struct rd_check_function function = {.body = at};
        if (directive > at && rd_lexer_blanks(head) == at)
            head = directive;
        if (directive > at || next > at) {
            at = directive > at ? directive : next;
            continue;
        }
        enum block block = *at == '{' ? classify(head, at, &function) : CONTAINER;
        if (block == CONTAINER) {
            head = strchr(";{}", *at) || ends_access(head, at) ? at + 1 : head;
            depth += (*at == '(') - (*at == ')');
            at++;
            continue;
        }
        function.head = rd_lexer_blanks(head);
        function.end = rd_lexer_behind(at);
        at = function.end;
        if (block == OTHER)
            continue; /* an initialiser: its declaration goes on */
        if (depth > 0 && rd_lexer_is(function.name, function.name_length, "main"))
            continue; /* a shader's, that a macro makes a string of */
        head = at;
        if (rd_array_make_room(&functions->all, functions->n, &capacity, sizeof *functions->all))
            functions->all[functions->n++] = function;
    }
    rd_check_functions_mark(&functions, &text, 1);
}

void rd_check_functions_mark(struct rd_check_functions *const *functions, const char *const *texts,
                             size_t n)
{
    struct marks kernel, device, host;
    find_marks(&kernel, texts, n, "__global__");
    find_marks(&device, texts, n, "__device__");
    find_marks(&host, texts, n, "__host__");
    for (size_t k = 0; k < n; k++)
        for (size_t i = 0; i < functions[k]->n; i++) {
            struct rd_check_function *one = &functions[k]->all[i];
            one->is_kernel = has_mark(&kernel, one->head, one->body);
            one->is_device = one->is_kernel || has_mark(&device, one->head, one->body);
            one->is_host = !one->is_device || has_mark(&host, one->head, one->body);
        }
}

void rd_check_functions_finish(struct rd_check_functions *functions)
{
    free(functions->all);
    *functions = (struct rd_check_functions){0};
}

bool rd_check_functions_have_kernel(const struct rd_check_functions *functions, const char *name)
{
    size_t end = strcspn(name, "<( "), start = end;
    while (start > 0 && name[start - 1] != ':')
        start--;
    for (size_t k = 0; k < functions->n; k++)
        if (functions->all[k].is_kernel && functions->all[k].name_length == end - start &&
            strncmp(functions->all[k].name, name + start, end - start) == 0)
            return true;
    return false;
}

const struct rd_check_function *rd_check_function_at(const struct rd_check_functions *functions,
                                                     const char *at)
{
    for (size_t k = 0; k < functions->n; k++)
        if (at >= functions->all[k].body && at < functions->all[k].end)
            return &functions->all[k];
    return NULL;
}

const struct rd_check_function *rd_check_function_from(const struct rd_check_functions *functions,
                                                       const char *at)
{
    for (size_t k = 0; k < functions->n; k++)
        if (functions->all[k].head == at)
            return &functions->all[k];
    return NULL;
}

/* Tells whether a lambda that is marked for the device has this place in its body. */
static bool is_in_lambda(const struct rd_check_function *function, const char *at)
{
    size_t length;
    for (const char *word = rd_lexer_word(function->body, &length); word && word < at;
         word = rd_lexer_word(word + length, &length)) {
        if (!rd_lexer_is(word, length, "__device__"))
            continue;
        const char *body = word + length;
        while (body < at && *body != '{' && *body != ';')
            body = *body == '(' ? rd_lexer_behind(body) : body + 1;
        if (body < at && *body == '{' && at < rd_lexer_behind(body))
            return true;
    }
    return false;
}

bool rd_check_function_is_device(const struct rd_check_functions *functions, const char *at)
{
    const struct rd_check_function *function = rd_check_function_at(functions, at);
    return function && (function->is_device || is_in_lambda(function, at));
}
