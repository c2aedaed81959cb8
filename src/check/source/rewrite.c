// SPDX-License-Identifier: MIT
#include "check/source/rewrite.h"
#include "base/array.h"
#include "check/source/lexer.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- edits ---- */

void rd_check_edits_add(struct rd_check_edits *edits, const char *from, const char *to,
                        const char *format, ...)
{
    char *text = NULL;
    va_list arguments;
    va_start(arguments, format);
    int length = vasprintf(&text, format, arguments);
    va_end(arguments);
    if (length < 0 ||
        !rd_array_make_room(&edits->all, edits->n, &edits->capacity, sizeof *edits->all)) {
        edits->failed = true;
        if (length >= 0)
            free(text);
        return;
    }
    edits->all[edits->n++] = (struct rd_check_edit){from, to, text};
}

void rd_check_edits_finish(struct rd_check_edits *edits)
{
    for (size_t k = 0; k < edits->n; k++)
        free(edits->all[k].text);
    free(edits->all);
    *edits = (struct rd_check_edits){0};
}

/* ---- applying them ---- */

/* The text so far, and where the next character of the source would stand. */
struct output {
    FILE *file;
    const char *text; /* all of the source */
    size_t column;    /* of the output */
};

static void put(struct output *out, char c)
{
    fputc(c, out->file);
    out->column = c == '\n' ? 0 : out->column + 1;
}

static void put_all(struct output *out, const char *from, const char *to)
{
    for (; from < to; from++)
        put(out, *from);
}

/* Puts the output where the source is: what follows stands on its line and, outside of directives, in
 * its column. */
static void align(struct output *out, const char *from, const char *to)
{
    size_t column = (size_t)(to - rd_lexer_line_start(out->text, to));
    for (; from < to; from++)
        if (*from == '\n') {
            if (from > out->text && from[-1] == '\\')
                put(out, '\\');
            put(out, '\n');
        }
    if (out->column > column && !rd_lexer_is_in_directive(out->text, to)) {
        out->column = 0;
        fprintf(out->file, "\n#line %u\n", rd_lexer_line(out->text, to));
    }
    while (out->column < column)
        put(out, ' ');
}

static int by_place(const void *x, const void *y)
{
    const struct rd_check_edit *one = x, *other = y;
    if (one->from != other->from)
        return one->from < other->from ? -1 : 1;
    return (one->to < other->to) - (one->to > other->to);
}

char *rd_check_edits_apply(struct rd_check_edits *edits, const char *text)
{
    char *result = NULL;
    size_t size;
    const char *at = text;
    struct output out = {.file = edits->failed ? NULL : open_memstream(&result, &size),
                         .text = text};
    if (!out.file)
        return NULL;
    if (edits->n > 0)
        qsort(edits->all, edits->n, sizeof *edits->all, by_place);
    for (size_t k = 0; k < edits->n; k++) {
        const struct rd_check_edit *edit = &edits->all[k];
        if (edit->from < at)
            continue;
        put_all(&out, at, edit->from);
        put_all(&out, edit->text, edit->text + strlen(edit->text));
        align(&out, edit->from, edit->to);
        at = edit->to;
    }
    put_all(&out, at, at + strlen(at));
    if (fclose(out.file) != 0) {
        free(result);
        return NULL;
    }
    return result;
}

/* ---- launches ---- */

/* Tells whether what stands before `at` is part of a name: also with namespaces, and pasted by ##. */
static bool is_behind_name(const char *text, const char *at)
{
    return at > text &&
           (rd_lexer_is_letter(at[-1]) || at[-1] == '#' ||
            (at - text >= 2 && strncmp(at - 2, "::", 2) == 0) || (at[-1] == ':' && *at == ':'));
}

/* Behind what a member is of: "a." or "p->"; `at` itself where nothing of the kind is there. */
static const char *owner_before(const char *text, const char *at)
{
    if (at > text && at[-1] == '.')
        return at - 1;
    return at - text >= 2 && strncmp(at - 2, "->", 2) == 0 ? at - 2 : at;
}

/* Returns the opening bracket of the one that closes before `at`. Only "<" and ">" outside of parentheses
 * count: inside they may compare. */
static const char *bracket_before(const char *text, const char *at, char open, char close)
{
    int depth = 0, parentheses = 0;
    do {
        at--;
        parentheses += (*at == ')') - (*at == '(');
        if (open == '(' || parentheses == 0)
            depth += (*at == close) - (*at == open);
    } while (at > text && depth > 0);
    return at;
}

static const char *blanks_before(const char *text, const char *at)
{
    while (at > text &&
           (isspace((unsigned char)at[-1]) || (at[-1] == '\\' && *at == '\n'))) /* in a macro */
        at--;
    return at;
}

/* The start of a comment that ends at `at`, and perhaps with its line; `at` itself where there is none. */
static const char *comment_before(const char *text, const char *at, bool ends_line)
{
    if (at - text >= 4 && at[-1] == '/' && at[-2] == '*') {
        for (const char *start = at - 4; start >= text; start--)
            if (start[0] == '/' && start[1] == '*')
                return start;
        return at;
    }
    for (const char *start = rd_lexer_line_start(text, at); ends_line && start < at;) {
        const char *next = rd_lexer_skip(start);
        if (start[0] == '/' && start[1] == '/')
            return start;
        start = next > start ? next : start + 1;
    }
    return at;
}

static const char *spaces_before(const char *text, const char *at)
{
    for (;;) {
        const char *blanks = blanks_before(text, at);
        at = comment_before(text, blanks, memchr(blanks, '\n', (size_t)(at - blanks)) != NULL);
        if (at == blanks)
            return at;
    }
}

/* Returns the start of the kernel whose launch operator is at `at`: a name, with template arguments, or a
 * pointer to it. */
static const char *kernel_before(const char *text, const char *at)
{
    at = spaces_before(text, at);
    if (at > text && at[-1] == '>')
        at = spaces_before(text, bracket_before(text, at, '<', '>'));
    for (;;) {
        while (at > text && (at[-1] == ')' || at[-1] == ']'))
            at = at[-1] == ')' ? bracket_before(text, at, '(', ')')
                               : bracket_before(text, at, '[', ']');
        while (is_behind_name(text, at))
            at--;
        const char *owner = owner_before(text, at);
        if (owner == at)
            return at;
        at = spaces_before(text, owner);
    }
}

/* Behind the ">>>" that ends the launch operator before `at`, and where it is; NULL where there is none. A ">>>" in
 * parentheses belongs to what stands there. */
static const char *behind_operator(const char *at, const char **close)
{
    int parentheses = 0;
    while (*at && *at != ';') {
        const char *next = rd_lexer_skip(at);
        if (next > at) {
            at = next;
            continue;
        }
        parentheses += (*at == '(') - (*at == ')');
        size_t sign = parentheses == 0 ? rd_lexer_launch_sign(at, '>') : 0;
        if (sign > 0) {
            *close = at;
            return at + sign;
        }
        at++;
    }
    return NULL;
}

/* Tells whether the kernel that is launched there, "n::k<int>", has the name of this one. */
static bool names_kernel(const char *name, const char *kernel)
{
    const struct {
        const char *at;
        size_t length;
    } names[] = {{name, strcspn(name, "< \t\n")}, {kernel, strcspn(kernel, "<( ")}};
    size_t start[2], length[2];
    for (unsigned k = 0; k < 2; k++) {
        start[k] = names[k].length;
        while (start[k] > 0 && names[k].at[start[k] - 1] != ':')
            start[k]--;
        length[k] = names[k].length - start[k];
    }
    return length[0] == length[1] && strncmp(name + start[0], kernel + start[1], length[0]) == 0;
}

/* ---- whose ---- */

/* Tells whether a macro, whose text this place is in, is used in the device's code. */
static bool is_of_device(const char *text, const struct rd_check_functions *functions,
                         const char *at)
{
    size_t length, n;
    const char *start = rd_lexer_line_start(text, at);
    while (start - text >= 2 && start[-2] == '\\')
        start = rd_lexer_line_start(text, start - 1);
    const char *define = rd_lexer_word(start, &n), *name = rd_lexer_word(define + n, &length);
    if (!name || name >= at)
        return false;
    for (const char *word = rd_lexer_word(text, &n); word; word = rd_lexer_word(word + n, &n))
        if (n == length && strncmp(word, name, n) == 0 &&
            rd_check_function_is_device(functions, word))
            return true;
    return false;
}

static bool is_on_device(const char *text, const struct rd_check_functions *functions,
                         const char *at)
{
    return rd_lexer_is_in_directive(text, at) ? is_of_device(text, functions, at)
                                              : rd_check_function_is_device(functions, at);
}

/* ---- the file ---- */

/* One launch: k <<< g, b >>> (x). */
struct launch {
    const char *kernel, *open, *open_end, *close, *close_end; /* k, and its two signs */
    const char *arguments, *end; /* the parenthesis behind it, and behind that */
};

static bool find(const char *text, const char *at, struct launch *launch)
{
    size_t sign = rd_lexer_launch_sign(at, '<');
    const char *close, *behind = sign > 0 ? behind_operator(at + sign, &close) : NULL;
    if (!behind)
        return false;
    *launch = (struct launch){
        .kernel = kernel_before(text, at),
        .open = at,
        .open_end = at + sign,
        .close = close,
        .close_end = behind,
        .arguments = rd_lexer_blanks(behind),
    };
    launch->end = *launch->arguments == '(' ? rd_lexer_behind(launch->arguments) : behind;
    return true;
}

static void replace_launch(struct rd_check_edits *edits, const struct launch *launch, bool runs)
{
    if (!runs) {
        rd_check_edits_add(edits, launch->kernel, launch->end, "__rd_host()");
        return;
    }
    rd_check_edits_add(edits, launch->kernel, launch->kernel, "__RD_LAUNCH(");
    rd_check_edits_add(edits, launch->open, launch->open_end, ")(");
    rd_check_edits_add(edits, launch->close, launch->close_end, ")");
}

struct rd_check_launches rd_check_launches_replace(struct rd_check_edits *edits, const char *text,
                                                   const struct rd_check_functions *functions,
                                                   const char *kernel)
{
    struct rd_check_launches n = {0, 0};
    struct launch launch;
    for (const char *at = text; *at;) {
        const char *next = rd_lexer_skip(at);
        if (next > at) {
            at = next;
        } else if (find(text, at, &launch)) {
            bool on_device = is_on_device(text, functions, launch.kernel);
            bool runs = on_device || !kernel;
            n.of_kernel += kernel && names_kernel(launch.kernel, kernel);
            n.on_device += on_device;
            replace_launch(edits, &launch, runs);
            at = runs ? launch.close_end : launch.end;
        } else {
            at++;
        }
    }
    return n;
}

/* "fold<int>" of "fold < int >" up to `end`, as C writes it in a string: blanks are one, or none at the end. */
static char *kernel_text(const char *at, const char *end)
{
    char *text = malloc(2 * (size_t)(end - at) + 1), *out = text;
    for (; text && at < end; at++) {
        if (isspace((unsigned char)*at)) {
            if (out > text && out[-1] != ' ')
                *out++ = ' ';
            continue;
        }
        if (*at == '"' || *at == '\\')
            *out++ = '\\';
        *out++ = *at;
    }
    while (text && out > text && out[-1] == ' ')
        out--;
    if (text)
        *out = '\0';
    return text;
}

void rd_check_launches_place(struct rd_check_edits *edits, const char *text,
                             const struct rd_check_functions *functions)
{
    struct launch launch;
    for (const char *at = text; *at;) {
        const char *next = rd_lexer_skip(at);
        if (next > at) {
            at = next;
        } else if (find(text, at, &launch)) {
            char *kernel = kernel_text(launch.kernel, launch.open);
            at = launch.open_end;
            if (kernel && !rd_lexer_is_in_directive(text, launch.kernel) &&
                !is_on_device(text, functions, launch.kernel))
                rd_check_edits_add(edits, at, at,
                                   "__rd_launch_place(\"%s\", __FILE__, %u) = ", kernel,
                                   rd_lexer_line(text, launch.kernel));
            edits->failed = edits->failed || !kernel;
            free(kernel);
        } else {
            at++;
        }
    }
}

/* ---- returns ---- */

/* Behind the body of the lambda whose [ is at `at`; `at` itself where that is an index. */
static const char *behind_lambda(const char *text, const char *at)
{
    const char *before = at;
    while (before > text && strchr(" \t\n", before[-1]))
        before--;
    bool is_index =
        before > text && (rd_lexer_is_letter(before[-1]) || strchr(")]", before[-1]) != NULL);
    bool returns = before - text >= 6 && strncmp(before - 6, "return", 6) == 0;
    if (is_index && !returns)
        return at;
    const char *body = rd_lexer_behind(at);
    while (*body && !strchr("{;)", *body)) {
        const char *next = rd_lexer_skip(body);
        body = next > body ? next : *body == '(' ? rd_lexer_behind(body) : body + 1;
    }
    return *body == '{' ? rd_lexer_behind(body) : at;
}

/* The statement of the loop whose first word is at `word`, if it has braces: up to behind it. */
static const char *behind_loop(const char *word, size_t length)
{
    const char *at = rd_lexer_blanks(word + length);
    if (*at == '(')
        at = rd_lexer_blanks(rd_lexer_behind(at));
    return *at == '{' ? rd_lexer_behind(at) : at + strcspn(at, ";");
}

static bool is_loop(const char *word, size_t length)
{
    return rd_lexer_is(word, length, "for") || rd_lexer_is(word, length, "while") ||
           rd_lexer_is(word, length, "do");
}

static void replace_return(struct rd_check_edits *edits, const char *text,
                           const struct rd_check_function *kernel, const char *word,
                           const char *loop)
{
    const char *behind = word + strlen("return");
    rd_check_edits_add(edits, word, behind, "return __rd_return(%u, %u)%s",
                       rd_lexer_line(text, kernel->head), rd_lexer_line(text, loop ? loop : word),
                       *rd_lexer_blanks(behind) == ';' ? "" : ",");
}

static void replace_in(struct rd_check_edits *edits, const char *text,
                       const struct rd_check_function *kernel)
{
    const char *loop = NULL, *loop_end = NULL; /* the outermost */
    for (const char *at = kernel->body; at < kernel->end;) {
        const char *next = rd_lexer_skip(at);
        size_t length = (size_t)(next - at);
        if (*at == '[') {
            const char *behind = behind_lambda(text, at);
            next = behind > at ? behind : at + 1;
        }
        if (at >= loop_end)
            loop = NULL;
        if (rd_lexer_is(at, length, "return")) {
            replace_return(edits, text, kernel, at, loop);
        } else if (!loop && is_loop(at, length)) {
            loop = at;
            loop_end = behind_loop(at, length);
        }
        at = next > at ? next : at + 1;
    }
}

/* The only kernel in which a macro is used; NULL where other functions use it, too, or several. */
static const struct rd_check_function *user_of(const char *text,
                                               const struct rd_check_functions *functions,
                                               const char *name, size_t name_length)
{
    size_t length;
    const struct rd_check_function *user = NULL;
    for (const char *word = rd_lexer_word(text, &length); word;
         word = rd_lexer_word(word + length, &length)) {
        if (length != name_length || strncmp(word, name, length) != 0 || word == name)
            continue;
        const struct rd_check_function *function = rd_check_function_at(functions, word);
        if (!function || !function->is_kernel)
            return NULL;
        user = user ? user : function;
    }
    return user;
}

/* A macro with a return in it: where it stands in the kernel is where it is used. */
static void replace_in_macro(struct rd_check_edits *edits, const char *text,
                             const struct rd_check_functions *functions, const char *directive,
                             const char *end)
{
    size_t length, n;
    const char *define = rd_lexer_word(directive + 1, &n);
    if (!define || define >= end || !rd_lexer_is(define, n, "define"))
        return;
    const char *name = rd_lexer_word(define + n, &length);
    const struct rd_check_function *user =
        name && name < end ? user_of(text, functions, name, length) : NULL;
    for (const char *word = user ? rd_lexer_word(name + length, &n) : NULL; word && word < end;
         word = rd_lexer_word(word + n, &n))
        if (rd_lexer_is(word, n, "return"))
            rd_check_edits_add(
                edits, word, word + n, "return __rd_return(%u, __LINE__)%s",
                rd_lexer_line(text, user->head),
                *rd_lexer_blanks(word + n) == ';' || rd_lexer_blanks(word + n) >= end ? "" : ",");
}

void rd_check_returns_replace(struct rd_check_edits *edits, const char *text,
                              const struct rd_check_functions *functions)
{
    for (size_t k = 0; k < functions->n; k++)
        if (functions->all[k].is_kernel)
            replace_in(edits, text, &functions->all[k]);
    for (const char *at = strchr(text, '#'); at; at = strchr(at + 1, '#')) {
        const char *end = rd_lexer_directive(text, at);
        if (end > at)
            replace_in_macro(edits, text, functions, at, end);
    }
}
