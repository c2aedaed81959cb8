// SPDX-License-Identifier: MIT
/* What the compiler says of a file that it refuses, told at the user's own lines. */
#include "check/compiler/compiler_internal.h"
#include "base/cache_folder.h"
#include "base/spelling.h"
#include "check/compiler/compiler.h"
#include "check/compiler/headers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct telling {
    const struct rd_check_compiler *compiler;
    struct rd_check_messages messages;
    char headers[RD_CACHE_PATH_SIZE]; /* the folder of ours */
    const char *
        until_path; /* a bracket is not closed: errors behind this line follow from it; NULL: none */
    unsigned until_line;
    struct rd_check_place *told; /* places of errors that have been told */
    size_t n_told;
};

/* ---- places ---- */

static bool begins_with(const struct rd_check_place *place, const char *text)
{
    return place->length >= strlen(text) && strncmp(place->path, text, strlen(text)) == 0;
}

/* Tells whether the place is in a file that the user has not written: a header of ours, or what is added to the file. */
static bool is_ours(const struct telling *telling, const struct rd_check_place *place)
{
    const char *at = place->path + strspn(place->path, " ");
    struct rd_check_place bare = *place;
    if (strncmp(at, "from ", 5) == 0)
        at += 5;
    bare.length -= (size_t)(at - place->path);
    bare.path = at;
    return begins_with(&bare, telling->headers) ||
           begins_with(&bare, telling->compiler->directory) || begins_with(&bare, "--kernel") ||
           begins_with(&bare, "<");
}

static bool is_of_path(const struct rd_check_place *place, const char *path)
{
    return place->length == strlen(path) && strncmp(place->path, path, place->length) == 0;
}

/* The text of the file that the place is in; NULL: it is not one of the user's that were read. */
static const char *text_of(const struct telling *telling, const struct rd_check_place *place)
{
    const struct rd_check_unit *unit = telling->compiler->unit;
    if (!unit)
        return NULL;
    if (is_of_path(place, unit->options->file))
        return unit->text;
    for (size_t k = 0; k < unit->includes.n; k++)
        if (is_of_path(place, unit->includes.all[k].path))
            return unit->includes.all[k].text;
    return NULL;
}

/* ---- one error ---- */

/* Quotes the line of a place, with a mark below its column. */
static void quote(const char *text, unsigned number, unsigned column)
{
    const char *line = rd_lexer_line_at(text, number);
    const size_t length = strcspn(line, "\n");
    fprintf(stderr, "%5u | %.*s\n", number, (int)length, line);
    if (column == 0 || column > length + 1)
        return;
    fputs("      | ", stderr);
    for (unsigned k = 1; k < column; k++)
        fputc(line[k - 1] == '\t' ? '\t' : ' ', stderr);
    fputs("^\n", stderr);
}

static void tell_lines(const struct telling *telling, size_t from, size_t to)
{
    for (size_t k = from; k < to; k++)
        fprintf(stderr, "%s\n", telling->messages.lines[k]);
}

/* Tells the lines before a message, without those that lead through our headers. */
static void tell_head(const struct telling *telling, const struct rd_check_message *message)
{
    struct rd_check_place place;
    const char *behind;
    for (size_t k = message->head; k < message->line; k++) {
        const char *line = telling->messages.lines[k];
        const bool is_path = strncmp(line, "In file included from ", 22) == 0 ||
                             strncmp(line, "                 from ", 22) == 0;
        const char *at = is_path ? line + 22 : line;
        const size_t colon = strcspn(at, ":");
        const bool has_place = rd_check_place_read(&place, at, &behind);
        if (!has_place)
            place = (struct rd_check_place){at, colon, 0, 0};
        if (!is_ours(telling, &place))
            fprintf(stderr, "%s\n", line);
    }
}

static bool was_told(struct telling *telling, const struct rd_check_place *place)
{
    for (size_t k = 0; k < telling->n_told; k++)
        if (rd_check_place_is_same(&telling->told[k], place))
            return true;
    telling->told[telling->n_told++] = *place;
    return false;
}

/* Cuts off what a message suggests where that is a name of ours: "; did you mean '__rd_thread'?" */
static size_t length_without_ours(const char *text)
{
    const char *suggests = strstr(text, "; did you mean ");
    const bool is_ours = suggests && (strstr(suggests, "__rd_") || strstr(suggests, "__RD_"));
    return is_ours ? (size_t)(suggests - text) : strlen(text);
}

/* Replaces each "FROM...TO" of the text, whose angle brackets are balanced, by what stands between. */
static void unwrap(char *text, const char *from, const char *to)
{
    for (char *at = strstr(text, from); at; at = strstr(at, from)) {
        char *inner = at + strlen(from), *end = inner;
        for (int depth = 1; *end && depth > 0; end++)
            depth += (*end == '<') - (*end == '>');
        if (end == inner || strncmp(end, to, strlen(to)) != 0)
            return;
        const size_t length = (size_t)(end - 1 - inner);
        memmove(at, inner, length);
        memmove(at + length, end + strlen(to), strlen(end + strlen(to)) + 1);
    }
}

static void cut_out(char *text, const char *word)
{
    for (char *at = strstr(text, word); at; at = strstr(at, word))
        memmove(at, at + strlen(word), strlen(at + strlen(word)) + 1);
}

/* Cuts " before ‘__rd_block_sync’" off: that is in the text of a macro, as __syncthreads(), and not in the user's. */
static void cut_before(char *text)
{
    char *at = strstr(text, " before ‘__rd_"), *end = at ? strstr(at, "’") : NULL;
    if (end)
        memmove(at, end + strlen("’"), strlen(end + strlen("’")) + 1);
}

/* Writes a message with the user's types alone: "std::enable_if<true, int*>::type" is how a launch passes an int*. */
static void write_plain(char *plain, size_t size, const char *text)
{
    snprintf(plain, size, "%.*s", (int)length_without_ours(text), text);
    cut_before(plain);
    unwrap(plain, "typename __rd_same<", "::type");
    unwrap(plain, "std::enable_if<true, ", "::type");
    unwrap(plain, "__rd_integer<", "");
    cut_out(plain, ", const char*, unsigned int"); /* the place of a call */
    cut_out(plain, "template<class __rd_T> ");
    cut_out(plain, "__rd_");
    char *also = strstr(plain, "’ {aka ‘"); /* the same now */
    char *end = also ? strchr(also, '}') : NULL;
    const char *type = also;
    while (type && type > plain && strncmp(type, "‘", strlen("‘")) != 0)
        type--;
    const size_t length = also ? (size_t)(also - type) - strlen("‘") : 0;
    if (end && strncmp(type + strlen("‘"), also + strlen("’ {aka ‘"), length) == 0)
        memmove(also + strlen("’"), end + 1, strlen(end + 1) + 1);
}

static void tell_at(const struct rd_check_place *place, const char *kind, const char *said)
{
    fprintf(stderr, "%.*s:%u:%u: %s: %s\n", (int)place->length, place->path, place->line,
            place->column, kind, said);
}

/* Tells what an error's note about our headers says of the user's call: how the function is declared, and why that is of no use to a
 * template of the user's. */
static void tell_candidate(const struct rd_check_place *place, const struct rd_check_message *note,
                           bool of_ours)
{
    char plain[512];
    const bool is_candidate = strncmp(note->text, "candidate: ", 11) == 0;
    if (!is_candidate && (of_ours || strncmp(note->text, "  ", 2) != 0))
        return;
    write_plain(plain, sizeof plain, note->text);
    if (!strstr(plain, "__RD_") && !strstr(plain, "<lambda"))
        tell_at(place, "note", plain);
}

/* Tells the notes of an error, which stands at that place of the user's. */
static void tell_notes(const struct telling *telling, size_t error,
                       const struct rd_check_place *place)
{
    const struct rd_check_messages *messages = &telling->messages;
    bool of_ours = false; /* what follows a candidate of ours is about that */
    for (size_t k = error + 1; k < messages->n && messages->all[k].is_note; k++) {
        const struct rd_check_message *note = &messages->all[k];
        const bool in_ours = is_ours(telling, &note->place);
        if (strncmp(note->text, "candidate: ", 11) == 0)
            of_ours = in_ours;
        if (in_ours)
            tell_candidate(place, note, of_ours);
        if (in_ours || of_ours || strstr(note->text, "in expansion of macro"))
            continue;
        tell_head(telling, note);
        tell_lines(telling, note->line, note->end);
    }
}

/* Says of a name that a compiler does not find what it is in CUDA; empty: nothing more is known. */
static void write_hint(char *hint, size_t size, const char *text)
{
    static const char *const barriers[] = {"__syncthreads", "__syncwarp", NULL};
    char name[64];
    size_t length;
    const char *word = rd_lexer_word(text, &length);
    *hint = '\0';
    if (!word || !strstr(text, "was not declared in this scope"))
        return;
    snprintf(name, sizeof name, "%.*s", (int)length, word);
    const char *nearest = rd_nearest(name, barriers);
    if (nearest && strcmp(nearest, name) == 0)
        snprintf(hint, size, "; it is called with parentheses, %s()", name);
    else if (nearest)
        snprintf(hint, size, "; did you mean '%s'?", nearest);
}

static void tell_users(struct telling *telling, size_t number)
{
    const struct rd_check_message *error = &telling->messages.all[number];
    char hint[128], plain[1024];
    if (was_told(telling, &error->place))
        return;
    const char *line = telling->messages.lines[error->line];
    tell_head(telling, error);
    write_plain(plain, sizeof plain, error->text);
    write_hint(hint, sizeof hint, plain);
    fprintf(stderr, "%.*s%s%s\n", (int)(error->text - line), line, plain, hint);
    /* Lines of a suggestion stand below the mark. */
    const bool is_cut = error->text[length_without_ours(error->text)] != '\0';
    const size_t end = is_cut && error->end > error->line + 3 ? error->line + 3 : error->end;
    tell_lines(telling, error->line + 1, end);
    tell_notes(telling, number, &error->place);
}

/* ---- errors in what is not the user's ---- */

/* Finds the user's place that an error in our headers comes from: the launch, or the call. */
static bool find_users(const struct telling *telling, size_t number, struct rd_check_place *found)
{
    const struct rd_check_messages *messages = &telling->messages;
    const struct rd_check_message *error = &messages->all[number];
    struct rd_check_place place;
    const char *behind;
    bool is_found = false;
    for (size_t k = number + 1; k < messages->n && messages->all[k].is_note && !is_found; k++) {
        const char *text = messages->all[k].text;
        const bool leads = strstr(text, "in expansion of macro") || strstr(text, "expanded from") ||
                           strstr(text, "requested here");
        is_found = leads && !is_ours(telling, &messages->all[k].place);
        if (is_found)
            *found = messages->all[k].place;
    }
    for (size_t k = error->line; k > error->head && !is_found; k--) {
        const char *line = messages->lines[k - 1];
        is_found = rd_check_place_read(&place, line, &behind) && !is_ours(telling, &place);
        if (is_found)
            *found = place;
    }
    return is_found;
}

/* Tells whether an error says no more than that a launch is none: what is wrong stands in another. */
static bool is_of_closure(const char *text)
{
    return strstr(text, "<lambda(auto:1") || strstr(text, "object of type") ||
           strstr(text, "object type");
}

/* An error at a launch's configuration, which is the user's place: "no match for call to '(...) (int*, int)'". */
static void tell_configuration(struct telling *telling, const struct rd_check_message *error)
{
    char said[512];
    const char *text = text_of(telling, &error->place), *types = strstr(error->text, ") (");
    if (was_told(telling, &error->place))
        return;
    snprintf(
        said, sizeof said,
        "a launch is configured by <<<blocks, threads>>>, or <<<blocks, threads, shared bytes, "
        "stream>>>: numbers or dim3, and a stream%s%.*s",
        types ? "; this one gives " : "", types ? (int)strcspn(types + 2, ")") + 1 : 0,
        types ? types + 2 : "");
    tell_at(&error->place, "error", said);
    if (text)
        quote(text, error->place.line, error->place.column);
}

/* Writes why a launch is none, as clang's note about it says: "candidate template ignored: substitution failure [...]: why". */
static void write_refused(char *said, size_t size, const struct rd_check_messages *messages,
                          size_t error)
{
    snprintf(said, size, "the kernel can't be launched with arguments of these types");
    for (size_t k = error + 1; k < messages->n && messages->all[k].is_note; k++) {
        const char *failure = strstr(messages->all[k].text, "substitution failure"),
                   *why = failure ? strstr(failure, "]: ") : NULL;
        if (why)
            snprintf(said, size, "%s", why + strlen("]: "));
    }
}

static void tell_ours(struct telling *telling, size_t number, bool with_closure)
{
    const struct rd_check_message *error = &telling->messages.all[number];
    struct rd_check_place place;
    char said[512];
    if (!find_users(telling, number, &place) || is_of_closure(error->text) != with_closure ||
        was_told(telling, &place))
        return;
    if (with_closure)
        write_refused(said, sizeof said, &telling->messages, number);
    else
        write_plain(said, sizeof said, error->text);
    const char *text = text_of(telling, &place);
    tell_at(&place, "error", said);
    if (text)
        quote(text, place.line, place.column);
    if (!with_closure)
        tell_notes(telling, number, &place);
}

/* ---- brackets ---- */

/* Tells whether the compiler says that something is not closed: only then the text is looked at. */
static bool says_unclosed(const char *text)
{
    return (strstr(text, "at end of input") && strstr(text, "}")) || strstr(text, "expected '}'") ||
           strstr(text, "unterminated argument list invoking macro") ||
           strstr(text, "unterminated function-like macro invocation") ||
           strncmp(text, "missing terminating ", 20) == 0;
}

static void tell_unclosed(struct telling *telling, const char *path, const char *text,
                          const struct rd_check_unclosed *unclosed)
{
    const unsigned line = rd_lexer_line(text, unclosed->open),
                   column =
                       (unsigned)(unclosed->open - rd_lexer_line_start(text, unclosed->open)) + 1;
    const char open = *unclosed->open;
    if (open == '"' || open == '\'')
        fprintf(stderr, "%s:%u:%u: error: missing terminating %c character\n", path, line, column,
                open);
    else
        fprintf(stderr, "%s:%u:%u: error: no '%c' closes this '%c'\n", path, line, column,
                open == '('   ? ')'
                : open == '[' ? ']'
                              : '}',
                open);
    quote(text, line, column);
    if (open == '{' && unclosed->before) {
        const unsigned before = rd_lexer_line(text, unclosed->before);
        fprintf(stderr,
                "%s:%u:%u: note: by its indentation, the '}' here is not its own: one is missing "
                "above\n",
                path, before,
                (unsigned)(unclosed->before - rd_lexer_line_start(text, unclosed->before)) + 1);
        quote(text, before, 0);
    }
    telling->until_path = path;
    telling->until_line = line;
}

/* Looks for a bracket in the file that an error about one, or its note, names; else in the file that is compiled. */
static void find_unclosed(struct telling *telling)
{
    const struct rd_check_messages *messages = &telling->messages;
    const struct rd_check_unit *unit = telling->compiler->unit;
    struct rd_check_unclosed unclosed;
    for (size_t k = 0; k < messages->n; k++)
        if (strncmp(messages->all[k].text, "unterminated ", 13) == 0 &&
            strstr(messages->all[k].text, " comment"))
            return;
    for (size_t k = 0; k < messages->n && unit && !telling->until_path; k++) {
        if (!messages->all[k].is_error || !says_unclosed(messages->all[k].text))
            continue;
        const char *path = unit->options->file, *text = unit->text;
        for (size_t n = 0; n < unit->includes.n; n++) {
            const struct rd_check_included *included = &unit->includes.all[n];
            if (is_of_path(&messages->all[k].place, included->path) ||
                (k + 1 < messages->n && messages->all[k + 1].is_note &&
                 is_of_path(&messages->all[k + 1].place, included->path))) {
                path = included->path;
                text = included->text;
            }
        }
        if (rd_check_unclosed_find(&unclosed, text))
            tell_unclosed(telling, path, text, &unclosed);
    }
}

/* Tells of a parenthesis that is open at the end of a launch's configuration, "k<<<(n + 255 / 256, 256>>>(a)", which leaves no launch.
 * False: the error, of the user's file, is another. */
static bool tell_launch(struct telling *telling, const struct rd_check_message *error)
{
    const struct rd_check_unit *unit = telling->compiler->unit;
    const char *text = text_of(telling, &error->place), *open = NULL;
    if (!text || strncmp(error->text, "expected primary-expression before", 34) != 0)
        return false;
    const char *at = rd_lexer_line_at(text, error->place.line), *end = at + strcspn(at, "\n");
    while (at < end && rd_lexer_launch_sign(at, '<') == 0)
        at++;
    for (; at < end && rd_lexer_launch_sign(at, '>') == 0; at++)
        if (*at == '(' && rd_lexer_behind(at) > end - (*end == '\n'))
            open = open ? open : at;
        else if (*at == '(')
            at = rd_lexer_behind(at) - 1;
    if (!open || at >= end)
        return false;
    const bool is_file = is_of_path(&error->place, unit->options->file);
    for (size_t k = 0; k < unit->includes.n && !is_file; k++)
        if (text == unit->includes.all[k].text)
            tell_unclosed(telling, unit->includes.all[k].path, text,
                          &(struct rd_check_unclosed){open, at});
    if (is_file)
        tell_unclosed(telling, unit->options->file, text, &(struct rd_check_unclosed){open, at});
    return true;
}

/* Tells whether an error follows from the bracket, or says the same. */
static bool is_consequence(const struct telling *telling, const struct rd_check_message *error)
{
    if (!telling->until_path)
        return telling->n_told > 0 && strstr(error->text, "at end of input");
    return says_unclosed(error->text) || !is_of_path(&error->place, telling->until_path) ||
           error->place.line >= telling->until_line;
}

/* ---- all ---- */

void rd_check_compiler_errors_tell(const struct rd_check_compiler *compiler, const char *name)
{
    struct telling telling = {.compiler = compiler};
    const struct rd_check_messages *messages = &telling.messages;
    rd_check_messages_init(&telling.messages, compiler, name);
    rd_check_headers_find(compiler->directory, telling.headers, sizeof telling.headers);
    telling.told = calloc(2 * messages->n + 1, sizeof *telling.told);
    if (telling.told)
        find_unclosed(&telling);
    for (size_t k = 0; k < messages->n && telling.told; k++) {
        const struct rd_check_message *error = &messages->all[k];
        if (!error->is_error || is_consequence(&telling, error))
            continue;
        if (is_ours(&telling, &error->place))
            tell_ours(&telling, k, false);
        else if (strstr(error->text, "__rd_launcher"))
            tell_configuration(&telling, error);
        else if (!tell_launch(&telling, error))
            tell_users(&telling, k);
    }
    /* Where nothing says more. */
    for (size_t k = 0; k < messages->n && telling.n_told == 0 && !telling.until_path; k++)
        if (messages->all[k].is_error)
            tell_ours(&telling, k, true);
    if (telling.n_told == 0 && !telling.until_path)
        rd_check_compiler_pass_on(compiler, name);
    free(telling.told);
    rd_check_messages_finish(&telling.messages);
}
