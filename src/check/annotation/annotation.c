// SPDX-License-Identifier: MIT
#include "check/annotation/reading.h"
#include "base/array.h"
#include "base/spelling.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char *const words[RD_ANNOTATION_KINDS + 1] = {
    [RD_ANNOTATION_REQUIRES] = "requires",   [RD_ANNOTATION_INPUT] = "input",
    [RD_ANNOTATION_INVARIANT] = "invariant", [RD_ANNOTATION_ENSURES] = "ensures",
    [RD_ANNOTATION_ASSERT] = "assert",
};

const char *rd_annotation_kind_name(enum rd_annotation_kind kind)
{
    return words[kind];
}

static void name_finish(struct rd_annotation_name *name)
{
    free(name->expression);
    free(name->alias);
}

static void annotation_finish(struct rd_annotation *annotation)
{
    free(annotation->text);
    free(annotation->text_places);
    free(annotation->law);
    free(annotation->places);
    for (size_t k = 0; k < annotation->n_names; k++)
        name_finish(&annotation->names[k]);
    free(annotation->names);
    name_finish(&annotation->array);
    for (size_t k = 0; k < annotation->n_inputs; k++)
        free(annotation->inputs[k]);
    free(annotation->inputs);
    for (size_t k = 0; k < annotation->n_tables; k++)
        free(annotation->tables[k]);
    free(annotation->tables);
}

void rd_annotations_finish(struct rd_annotations *annotations)
{
    for (size_t k = 0; k < annotations->n; k++)
        annotation_finish(&annotations->all[k]);
    free(annotations->all);
    *annotations = (struct rd_annotations){0};
}

enum rd_status rd_annotations_fail(const struct rd_annotations *annotations, const char *at,
                                   struct rd_error *error, const char *format, ...)
{
    char message[400];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    return rd_fail(error, RD_ERROR_USAGE, "%.80s:%u:%u: %s", annotations->file,
                   rd_lexer_line(annotations->text, at),
                   (unsigned)(at - rd_lexer_line_start(annotations->text, at)) + 1, message);
}

static enum rd_status no_memory(struct rd_error *error)
{
    return rd_fail(error, RD_ERROR_MEMORY, "no memory for annotations");
}

/* ---- comments ---- */

/* The kind of the annotation that begins with this word; RD_ANNOTATION_KINDS: of none. */
static enum rd_annotation_kind kind_of(const char *word, size_t length)
{
    unsigned kind = 0;
    while (kind < RD_ANNOTATION_KINDS && !rd_lexer_is(word, length, words[kind]))
        kind++;
    return (enum rd_annotation_kind)kind;
}

/* The text of comments that belong together, without their marks, and where each character of it stands. */
struct comments {
    const char *from, *to;
    char *text;
    const char **places;
    size_t n, capacity;
    bool failed;
};

static void comments_put(struct comments *comments, char c, const char *place)
{
    if (comments->n + 1 >= comments->capacity) {
        const size_t capacity = 2 * comments->capacity + 128;
        char *text = realloc(comments->text, capacity);
        if (text)
            comments->text = text;
        const char **places = text ? realloc(comments->places, capacity * sizeof *places) : NULL;
        if (!places) {
            comments->failed = true;
            return;
        }
        comments->places = places;
        comments->capacity = capacity;
    }
    comments->text[comments->n] = c;
    comments->places[comments->n++] = place;
    comments->text[comments->n] = '\0';
}

static bool is_marked(const char *at)
{
    return at[0] == '/' && (at[1] == '/' || at[1] == '*') && at[2] == '@';
}

/* Tells whether the comment up to `end` begins with an annotation and holds the beginning of another comment, or the file's rest. */
static bool is_unclosed(const char *at, const char *end)
{
    if (!is_marked(at) || at[1] != '*')
        return false;
    const char *word = at + 3 + strspn(at + 3, " \t\n*@");
    const char *other = strstr(at + 3, "/*");
    return kind_of(word, rd_lexer_word_length(word)) < RD_ANNOTATION_KINDS &&
           ((other && other < end - 2) || end - at < 5 || strncmp(end - 2, "*/", 2) != 0);
}

/* Puts what is inside the comment at `at`; returns its end. */
static const char *put_comment(struct comments *comments, const char *at)
{
    const char *end = rd_lexer_skip(at);
    const bool is_block = at[1] == '*';
    const char *inside = is_block && end - at >= 5 && end[-1] == '/' ? end - 2 : end;
    for (const char *c = at + 3; c < inside; c++) {
        const bool starts = c[-1] == '\n';
        if (starts) /* a star or an @ that draws the margin */
            while (c < inside && (*c == ' ' || *c == '\t'))
                comments_put(comments, ' ', c++);
        if (c < inside && starts && (*c == '*' || *c == '@'))
            comments_put(comments, ' ', c);
        else if (c < inside)
            comments_put(comments, isspace((unsigned char)*c) && *c != '\n' ? ' ' : *c, c);
    }
    comments_put(comments, '\n', end);
    return end;
}

/* Reads the comments from `at` on that are marked, and have only blanks between them. */
static const char *take_comments(struct comments *comments, const char *at)
{
    comments->from = at;
    comments->n = 0;
    while (is_marked(at)) {
        comments->to = put_comment(comments, at);
        at = comments->to + strspn(comments->to, " \t\r\n");
    }
    return comments->to;
}

bool rd_annotations_are_in(const char *text)
{
    return strstr(text, "//@") || strstr(text, "/*@");
}

const struct rd_annotations *rd_annotations_of(const struct rd_annotations *files, size_t n_files,
                                               const char *path)
{
    struct stat own, other;
    const bool is_there = stat(path, &own) == 0;
    for (size_t k = 0; k < n_files; k++)
        if (strcmp(files[k].file, path) == 0 ||
            (is_there && stat(files[k].file, &other) == 0 && own.st_dev == other.st_dev &&
             own.st_ino == other.st_ino))
            return &files[k];
    return NULL;
}

/* ---- what they stand before ---- */

static bool is_word_at(const char *at, const char *word)
{
    const size_t length = strlen(word);
    return strncmp(at, word, length) == 0 && !rd_lexer_is_letter(at[length]);
}

/* Passes over blanks, comments, directives and labels. */
static const char *at_statement(const char *text, const char *at)
{
    for (;;) {
        at = rd_lexer_blanks(at);
        const char *behind = rd_lexer_directive(text, at);
        if (behind == at && rd_lexer_is_letter(*at)) {
            const char *colon = rd_lexer_blanks(rd_lexer_skip(at));
            if (colon[0] == ':' && colon[1] != ':' && !is_word_at(at, "default"))
                behind = colon + 1;
        }
        if (behind == at)
            return at;
        at = behind;
    }
}

const char *rd_annotation_statement_end(const char *at)
{
    static const char *const heads[] = {"for", "while", "if", "switch", NULL};
    at = rd_lexer_blanks(at);
    if (*at == '{')
        return rd_lexer_behind(at);
    for (unsigned k = 0; heads[k]; k++) {
        if (!is_word_at(at, heads[k]))
            continue;
        const char *open = rd_lexer_blanks(at + strlen(heads[k]));
        if (*open != '(') /* if constexpr (...) */
            open = rd_lexer_blanks(rd_lexer_skip(open));
        const char *end = *open == '(' ? rd_annotation_statement_end(rd_lexer_behind(open)) : open;
        const char *next = rd_lexer_blanks(end);
        return k == 2 && is_word_at(next, "else") ? rd_annotation_statement_end(next + 4) : end;
    }
    if (is_word_at(at, "do"))
        at = rd_annotation_statement_end(at + 2);
    while (*at && *at != ';') {
        const char *next = rd_lexer_skip(at);
        at = *at == '(' || *at == '{' ? rd_lexer_behind(at) : next > at ? next : at + 1;
    }
    return *at ? at + 1 : at;
}

/* The first ';' from `at` on that stands in no bracket; NULL before `end`: there is none. */
static const char *semicolon(const char *at, const char *end)
{
    while (at < end && *at != ';') {
        const char *next = rd_lexer_skip(at);
        at = *at == '(' || *at == '{' || *at == '[' ? rd_lexer_behind(at)
             : next > at                            ? next
                                                    : at + 1;
    }
    return at < end ? at : NULL;
}

/* Tells whether a condition declares a variable: "int left = n", "auto *p = next()". */
static bool declares(const char *condition)
{
    const char *type = rd_lexer_blanks(condition);
    if (!rd_lexer_is_letter(*type) || isdigit((unsigned char)*type))
        return false;
    const char *name = rd_lexer_blanks(rd_lexer_skip(type));
    if (rd_lexer_is_letter(*name))
        return !is_word_at(name, "and") && !is_word_at(name, "or") && !is_word_at(type, "not") &&
               !is_word_at(type, "sizeof") && !is_word_at(type, "new") &&
               !is_word_at(name, "xor") && !is_word_at(name, "not_eq") &&
               !is_word_at(name, "bitand") && !is_word_at(name, "bitor") &&
               !is_word_at(type, "co_await");
    return is_word_at(type, "auto");
}

static enum rd_status refuse_declaration(const struct rd_annotations *annotations,
                                         const struct rd_annotation *annotation,
                                         struct rd_error *error)
{
    return rd_annotations_fail(annotations, annotation->word, error,
                               "the loop's condition declares a variable, so that nothing can be "
                               "asserted before it: declare it in the loop");
}

static enum rd_status find_loop(const struct rd_annotations *annotations,
                                struct rd_annotation *annotation, const char *from,
                                struct rd_error *error)
{
    const char *text = annotations->text, *loop = at_statement(text, from), *open = NULL;
    if (is_word_at(loop, "for")) {
        open = rd_lexer_blanks(loop + 3);
    } else if (is_word_at(loop, "while")) {
        open = rd_lexer_blanks(loop + 5);
    } else if (is_word_at(loop, "do")) {
        const char *end = rd_lexer_blanks(rd_annotation_statement_end(rd_lexer_blanks(loop + 2)));
        open = is_word_at(end, "while") ? rd_lexer_blanks(end + 5) : NULL;
    } else {
        return rd_annotations_fail(annotations, annotation->word, error,
                                   "an invariant stands before a loop: for, while or do");
    }
    if (!open || *open != '(')
        return rd_annotations_fail(annotations, annotation->word, error,
                                   "the loop behind the invariant has no condition that is found");
    const char *close = rd_lexer_behind(open) - 1;
    annotation->loop = loop;
    annotation->loop_line = rd_lexer_line(text, loop);
    annotation->condition = open + 1;
    annotation->loop_end = rd_annotation_statement_end(loop);
    if (!is_word_at(loop, "for"))
        return declares(open + 1) ? refuse_declaration(annotations, annotation, error) : RD_OK;
    const char *first = semicolon(open + 1, close);
    const char *second = first ? semicolon(first + 1, close) : NULL;
    if (!second)
        return rd_annotations_fail(annotations, annotation->word, error,
                                   "a for over a range has no condition at which an invariant "
                                   "could be asserted: count its rounds");
    annotation->condition = first + 1;
    annotation->no_condition = rd_lexer_blanks(first + 1) == second;
    return declares(first + 1) ? refuse_declaration(annotations, annotation, error) : RD_OK;
}

/* The last character of code before `at`. */
static char before(const char *text, const char *at)
{
    char last = '{';
    for (const char *c = text; c < at;) {
        const char *next = rd_lexer_directive(text, c);
        next = next > c ? next : rd_lexer_skip(c);
        const bool is_comment = c[0] == '/' && (c[1] == '/' || c[1] == '*');
        if (next == c) {
            last = isspace((unsigned char)*c) ? last : *c;
            next = c + 1;
        } else if (!is_comment && *c != '#') {
            last = 'a';
        }
        c = next;
    }
    return last;
}

static enum rd_status check_statement(const struct rd_annotations *annotations,
                                      const struct rd_annotation *annotation,
                                      struct rd_error *error)
{
    const char last = before(annotations->text, annotation->comment);
    const char *behind = rd_lexer_blanks(annotation->end);
    if (!strchr(";{}:", last) || is_word_at(behind, "else"))
        return rd_annotations_fail(
            annotations, annotation->word, error,
            "'%s' stands where a statement may, and here is the middle of one: %s",
            words[annotation->kind],
            last == ')' ? "give the statement before it braces" : "put it before or behind");
    return RD_OK;
}

/* ---- the annotations of comments ---- */

/* Adds the annotation whose word is at `from` of the comments' text, and which ends before `to`. */
static enum rd_status add(struct rd_annotations *annotations, const struct comments *comments,
                          enum rd_annotation_kind kind, size_t from, size_t to, unsigned site,
                          const struct rd_check_functions *functions, struct rd_error *error)
{
    if (!rd_array_make_room(&annotations->all, annotations->n, &annotations->capacity,
                            sizeof *annotations->all))
        return no_memory(error);
    const char *word = comments->places[from];
    struct rd_annotation *one = &annotations->all[annotations->n++];
    *one = (struct rd_annotation){
        .kind = kind,
        .site = site,
        .comment = comments->from,
        .end = comments->to,
        .word = word,
        .line = rd_lexer_line(annotations->text, word),
        .column = (unsigned)(word - rd_lexer_line_start(annotations->text, word)) + 1,
        .in_device = rd_check_function_is_device(functions, comments->from),
        .function = rd_check_function_at(functions, comments->from),
    };
    if (!one->function)
        return rd_annotations_fail(annotations, word, error,
                                   "'%s' stands in a function, and here is none", words[kind]);
    from += strlen(words[kind]);
    if (from < to && comments->text[from] == ':' && comments->text[from + 1] != ':')
        from++; /* "invariant: A[0] = ..." */
    while (from < to && isspace((unsigned char)comments->text[from]))
        from++;
    while (to > from && isspace((unsigned char)comments->text[to - 1]))
        to--;
    while (to > from && comments->text[to - 1] == ';') /* as C has it */
        to--;
    if (from == to)
        return rd_annotations_fail(annotations, word, error, "'%s' of what? A law stands behind it",
                                   words[kind]);
    one->text = strndup(comments->text + from, to - from);
    one->text_places = malloc((to - from + 1) * sizeof *one->text_places);
    if (!one->text || !one->text_places)
        return no_memory(error);
    memcpy(one->text_places, comments->places + from, (to - from + 1) * sizeof *one->text_places);
    return RD_OK;
}

/* The word that is meant: one that is like it, that it abbreviates, or that has another one in front, as "loop
 * invariant"; NULL: none. */
static const char *meant_word(const char *text, const char *word)
{
    enum { SHORTEST = 3 };
    const char *second = text + strlen(word) + strspn(text + strlen(word), " \t");
    if (strcmp(word, "loop") == 0 &&
        kind_of(second, rd_lexer_word_length(second)) < RD_ANNOTATION_KINDS)
        return words[kind_of(second, rd_lexer_word_length(second))];
    for (size_t k = 0; k < RD_ANNOTATION_KINDS; k++)
        if (strlen(word) >= SHORTEST && strncasecmp(words[k], word, strlen(word)) == 0)
            return words[k];
    return rd_nearest(word, words);
}

/* Refuses what looks like one, and is none; other marks, as //@{, are someone else's. */
static enum rd_status refuse_word(const struct rd_annotations *annotations, const char *place,
                                  const char *text, size_t length, bool is_apart,
                                  struct rd_error *error)
{
    char word[40];
    snprintf(word, sizeof word, "%.*s", (int)(length < 39 ? length : 39), text);
    const char *nearest = meant_word(text, word);
    if (!nearest && !is_apart)
        return RD_OK;
    if (nearest)
        return rd_annotations_fail(annotations, place, error,
                                   "unknown annotation '%s': did you mean '%s'?", word, nearest);
    return rd_annotations_fail(annotations, place, error,
                               "unknown annotation '%s': use requires, input, invariant, ensures "
                               "or assert",
                               word);
}

/* Tells whether a comment of its own begins there with what is nearly an annotation's word, and no word of laws. */
static bool is_misspelt(const struct comments *comments, size_t at)
{
    enum { SHORTEST = 4 };
    char word[40];
    const size_t length = rd_lexer_word_length(comments->text + at);
    snprintf(word, sizeof word, "%.*s", (int)(length < 39 ? length : 39), comments->text + at);
    const char *mark = comments->places[at];
    while (mark[-1] == ' ' || mark[-1] == '\t')
        mark--;
    return mark[-1] == '@' && length >= SHORTEST && comments->text[at + length] != '[' &&
           !rd_annotation_is_word(word) && meant_word(comments->text + at, word);
}

/* Tells whether an annotation's word stands behind a colon. */
static bool is_behind_colon(const char *text)
{
    const char *word = text + 1 + strspn(text + 1, " \t");
    return *text == ':' && kind_of(word, rd_lexer_word_length(word)) < RD_ANNOTATION_KINDS;
}

static enum rd_status read_comments(struct rd_annotations *annotations,
                                    const struct comments *comments, unsigned first_site,
                                    const struct rd_check_functions *functions,
                                    struct rd_error *error)
{
    const char *text = comments->text;
    enum rd_status status = RD_OK;
    for (size_t at = 0; at < comments->n && status == RD_OK;) {
        size_t from = at + strspn(text + at, " \n"), length = rd_lexer_word_length(text + from);
        enum rd_annotation_kind kind = kind_of(text + from, length);
        if (from >= comments->n)
            break;
        if (kind == RD_ANNOTATION_KINDS) { /* the whole comment is someone else's */
            if (is_behind_colon(text + from))
                status = rd_annotations_fail(annotations, comments->places[from], error,
                                             "an annotation begins with its word: no ':' is "
                                             "expected here");
            else if (length > 0 && !isdigit((unsigned char)text[from]))
                status = refuse_word(annotations, comments->places[from], text + from, length,
                                     comments->places[from][-1] != '@', error);
            do
                at += strcspn(text + at, "\n") + 1;
            while (at < comments->n && comments->places[at][-1] != '@');
            continue;
        }
        size_t to = from;
        for (;;) { /* lines that begin with no word of their own */
            to += strcspn(text + to, "\n");
            const size_t next = to + strspn(text + to, " \n");
            if (next >= comments->n ||
                kind_of(text + next, rd_lexer_word_length(text + next)) < RD_ANNOTATION_KINDS ||
                is_misspelt(comments, next))
                break;
            to = next;
        }
        status = add(annotations, comments, kind, from, to, first_site + (unsigned)annotations->n,
                     functions, error);
        struct rd_annotation *one = status == RD_OK ? &annotations->all[annotations->n - 1] : NULL;
        if (one)
            status = one->kind == RD_ANNOTATION_INVARIANT
                         ? find_loop(annotations, one, comments->to, error)
                         : check_statement(annotations, one, error);
        at = to;
    }
    return status;
}

/* A macro's text is no place: it may be used anywhere. */
static enum rd_status check_directive(const struct rd_annotations *annotations, const char *at,
                                      const char *end, struct rd_error *error)
{
    for (; at < end; at++) {
        const char *word = is_marked(at) ? at + 3 + strspn(at + 3, " \t") : NULL;
        if (word && kind_of(word, rd_lexer_word_length(word)) < RD_ANNOTATION_KINDS)
            return rd_annotations_fail(annotations, word, error,
                                       "an annotation in a directive is asserted nowhere: put it "
                                       "into a function");
    }
    return RD_OK;
}

/* The word of a comment that is an annotation but for one more mark, or blanks, before the @: "// @ invariant",
 * "///@ invariant"; NULL: it is none. What is commented out, "// //@", is none. */
static const char *word_apart(const char *at)
{
    if (at[0] != '/' || (at[1] != '/' && at[1] != '*'))
        return NULL;
    const char *mark = at + 2;
    if (*mark == '/' || *mark == '!')
        mark++;
    else
        mark += strspn(mark, " \t");
    if (mark == at + 2 || *mark != '@')
        return NULL;
    const char *word = mark + 1 + strspn(mark + 1, " \t");
    const size_t length = rd_lexer_word_length(word);
    const bool is_followed = length > 0 && (word[length] == ' ' || word[length] == '\t');
    return is_followed && kind_of(word, length) < RD_ANNOTATION_KINDS ? word : NULL;
}

enum rd_status rd_annotations_init(struct rd_annotations *annotations, const char *file,
                                   const char *text, const struct rd_check_functions *functions,
                                   unsigned first_site, struct rd_error *error)
{
    struct comments comments = {0};
    enum rd_status status = RD_OK;
    const char *apart = NULL;
    *annotations = (struct rd_annotations){.file = file, .text = text};
    for (const char *at = text; *at && status == RD_OK;) {
        const char *directive = rd_lexer_directive(text, at), *next = rd_lexer_skip(at);
        if (directive > at) {
            status = check_directive(annotations, at, directive, error);
            at = rd_annotation_behind_left_out(text, at);
        } else if (is_unclosed(at, next)) {
            return rd_annotations_fail(annotations, at, error,
                                       "no '*/' closes the annotation that begins here%s",
                                       *next ? ": the next one is that of another comment" : "");
        } else if (is_marked(at)) {
            at = take_comments(&comments, at);
            status = comments.failed
                         ? no_memory(error)
                         : read_comments(annotations, &comments, first_site, functions, error);
        } else {
            apart = apart ? apart : word_apart(at);
            at = next > at ? next : at + 1;
        }
    }
    if (status == RD_OK && apart &&
        annotations->n > 0) /* a file without others may mean no such thing */
        status = rd_annotations_fail(annotations, apart, error,
                                     "a comment, and no annotation: the @ stands right behind the "
                                     "slashes, '//@ %.*s'",
                                     (int)rd_lexer_word_length(apart), apart);
    free(comments.text);
    free(comments.places);
    return status;
}
