// SPDX-License-Identifier: MIT
#include "check/unit/host_names.h"
#include "check/compiler/compiler.h"
#include "check/source/lexer.h"
#include "check/unit/unit.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* In the compiler's warnings, before the name. */
#define MARK "rd-host-"

/* ---- the unit's texts ---- */

struct text {
    const char *file, *text;
    const struct rd_check_functions *functions;
};

static struct text text_of(const struct rd_check_unit *unit, size_t k)
{
    if (k == 0)
        return (struct text){unit->options->file, unit->text, &unit->functions};
    const struct rd_check_included *included = &unit->includes.all[k - 1];
    return (struct text){included->path, included->text, &included->functions};
}

/* ---- code of the device ---- */

/* Tells whether a place is in code that only the device runs. */
static bool is_of_device(const struct text *text, const char *at)
{
    const struct rd_check_function *function = rd_check_function_at(text->functions, at);
    if (!function || !rd_check_function_is_device(text->functions, at))
        return false;
    if (function->is_device)
        return !function->is_host;
    size_t length; /* a lambda; of both, it may use what the host has */
    for (const char *word = rd_lexer_word(function->body, &length); word && word < at;
         word = rd_lexer_word(word + length, &length))
        if (rd_lexer_is(word, length, "__host__"))
            return false;
    return true;
}

/* Tells whether what is named there is of something else, as a member that is no function, or is not evaluated. */
static bool is_other(const char *text, const char *at, bool is_function)
{
    static const char *const operators[] = {"sizeof", "decltype", "typeid", "alignof", NULL};
    while (at - text >= 2 && strncmp(at - 2, "::", 2) == 0) {
        at -= 2;
        while (at > text && rd_lexer_is_letter(at[-1]))
            at--;
    }
    while (at > text && isspace((unsigned char)at[-1]))
        at--;
    if (!is_function && at > text &&
        (at[-1] == '.' || (at - text >= 2 && strncmp(at - 2, "->", 2) == 0)))
        return true;
    while (at > text && strchr("( \t", at[-1]))
        at--;
    const char *end = at;
    while (at > text && rd_lexer_is_letter(at[-1]))
        at--;
    return rd_lexer_is_one_of(at, (size_t)(end - at), operators);
}

/* Adds the words that code of the device says. */
static void add_words(struct rd_check_host_names *names, const struct text *text)
{
    size_t length;
    for (size_t k = 0; k < text->functions->n; k++) {
        const struct rd_check_function *one = &text->functions->all[k];
        const bool is_mixed = !one->is_device; /* it may have lambdas */
        if ((one->is_device && one->is_host) ||
            (is_mixed && !memmem(one->body, (size_t)(one->end - one->body), "__device__", 10)))
            continue;
        for (const char *word = rd_lexer_word(one->body, &length); word && word < one->end;
             word = rd_lexer_word(word + length, &length))
            if (!is_mixed || is_of_device(text, word))
                rd_check_names_add(&names->words, word, length);
    }
}

/* Adds the names that the device has declared. */
static void add_own(struct rd_check_host_names *names, const struct text *text)
{
    for (size_t k = 0; k < text->functions->n; k++)
        if (text->functions->all[k].is_device)
            rd_check_names_add(&names->own, text->functions->all[k].name,
                               text->functions->all[k].name_length);
    rd_check_names_find_declared(&names->own, text->text, true);
}

/* ---- marks ---- */

static const char *const device_marks[] = {
    "__device__", "__global__",    "__constant__", "__shared__", "__managed__",
    "texture",    "surface",       "constexpr",    "consteval",  "operator",
    "friend",     "typedef",       "using",        "template",   "static_assert",
    "concept",    "__attribute__", "asm",          NULL};

/* Tells whether a word may be a macro that stands for a mark and is defined elsewhere. */
static bool is_shouted(const char *word, size_t length)
{
    bool is_name = false;
    for (size_t k = 0; k < length; k++) {
        if (islower((unsigned char)word[k]))
            return false;
        is_name = is_name || isupper((unsigned char)word[k]);
    }
    return is_name && length >= 3;
}

static bool has_any(const char *at, const char *end, const char *const *words, bool shouted)
{
    size_t length;
    for (const char *word = rd_lexer_word(at, &length); word && word < end;
         word = rd_lexer_word(word + length, &length))
        if (rd_lexer_is_one_of(word, length, words) || (shouted && is_shouted(word, length)))
            return true;
    return false;
}

/* Names that CUDA has functions of its own for, among which a call may choose. */
static bool is_of_cuda(const char *name, size_t length)
{
    static const char *const names[] = {"min",   "max",   "abs",  "swap", "clamp", "pow",
                                        "round", "floor", "ceil", "sqrt", "exp",   "log",
                                        "sin",   "cos",   "dot",  "main", NULL};
    return rd_lexer_is_one_of(name, length, names) || (length > 2 && strncmp(name, "__", 2) == 0) ||
           strncmp(name, "make_", 5) == 0;
}

static bool is_wanted(const struct rd_check_host_names *names, const char *name, size_t length)
{
    return !is_of_cuda(name, length) && rd_check_names_have(&names->words, name, length) &&
           !rd_check_names_have(&names->own, name, length);
}

/* Where an attribute may stand in a declaration: behind labels, directives, template <...> and extern "C". */
static const char *attribute_place(const char *text, const char *at, const char *end)
{
    for (;;) {
        size_t length;
        at = rd_lexer_blanks(at);
        const char *directive = rd_lexer_directive(text, at);
        const char *word = rd_lexer_word(at, &length);
        if (directive > at) {
            at = directive;
            continue;
        }
        if (word != at || word >= end)
            return at;
        const char *next = rd_lexer_blanks(word + length);
        if (*next == ':' && next[1] != ':')
            at = next + 1; /* public: */
        else if (rd_lexer_is(word, length, "template"))
            at = rd_lexer_behind_angles(next, end);
        else if (rd_lexer_is(word, length, "extern") && *next == '"')
            at = rd_lexer_skip(next);
        else
            return at;
    }
}

static void mark(struct rd_check_edits *edits, const char *text, const char *from, const char *end,
                 char kind, const struct rd_check_names *names)
{
    const char *place = attribute_place(text, from, end);
    char *list = NULL;
    size_t size;
    FILE *file = open_memstream(&list, &size);
    for (size_t k = 0; file && k < names->n; k++)
        fprintf(file, "-%.*s", (int)names->all[k].length, names->all[k].word);
    if (!file || fclose(file) != 0 || names->failed) {
        free(list);
        edits->failed = true;
        return;
    }
    rd_check_edits_add(edits, place, place, "__attribute__((deprecated(\"" MARK "%c%u%s\"))) ",
                       kind, rd_lexer_line(text, names->all[0].word), list);
    free(list);
}

static void mark_functions(const struct rd_check_host_names *names, struct rd_check_edits *edits,
                           const struct text *text)
{
    for (size_t k = 0; k < text->functions->n; k++) {
        const struct rd_check_function *one = &text->functions->all[k];
        const char *head = attribute_place(text->text, one->head, one->body);
        if (one->is_device || (one->name > text->text && one->name[-1] == '~') ||
            head > one->name || has_any(head, one->body, device_marks, false) ||
            has_any(head, one->name, (const char *const[]){NULL}, true) ||
            rd_lexer_is_in_directive(text->text, one->name))
            continue;
        struct rd_check_name name = {one->name, one->name_length};
        if (is_wanted(names, one->name, one->name_length))
            mark(edits, text->text, one->head, one->body, 'f',
                 &(struct rd_check_names){.all = &name, .n = 1});
    }
}

/* ---- declarations outside of functions ---- */

/* Adds what a declaration declares behind its first name, from `at` on. */
static void add_further(struct rd_check_names *declared, const struct rd_check_host_names *names,
                        const char *at, const char *end)
{
    bool is_value = true;
    while (at < end) {
        const char *next = rd_lexer_skip(at);
        const size_t length = (size_t)(next - at);
        if (next > at && rd_lexer_is_letter(*at) && !is_value && is_wanted(names, at, length))
            rd_check_names_add(declared, at, length);
        is_value = (is_value || *at == '=') && *at != ',';
        at = rd_lexer_pass(at);
    }
}

/* Marks what "static int n = 3;" declares, or "int f(int);", if the device's code names it. */
static void mark_declaration(const struct rd_check_host_names *names, struct rd_check_edits *edits,
                             const struct text *text, const char *from, const char *end)
{
    const char *name = NULL, *at = attribute_place(text->text, from, end), *start = at;
    size_t length = 0;
    unsigned n_words = 0;
    if (has_any(start, end, device_marks, false))
        return;
    while (at < end && !strchr("(=[,{", *at)) {
        const char *next = rd_lexer_skip(at);
        if (*at == '<') {
            at = rd_lexer_behind_angles(at, end);
            continue;
        }
        if (next > at && rd_lexer_is_letter(*at)) {
            name = at;
            length = (size_t)(next - at);
            n_words++;
        }
        at = next > at ? next : at + 1;
    }
    const bool is_function = at < end && *at == '(';
    if (n_words < 2 || has_any(start, name, (const char *const[]){NULL}, true) ||
        (!is_function && rd_lexer_is_constant(start, name)) ||
        (name > text->text && (name[-1] == ':' || name[-1] == '~')))
        return;
    struct rd_check_names declared = {0};
    if (is_wanted(names, name, length))
        rd_check_names_add(&declared, name, length);
    if (!is_function)
        add_further(&declared, names, at, end);
    if (declared.n > 0)
        mark(edits, text->text, from, end, is_function ? 'f' : 'v', &declared);
    rd_check_names_finish(&declared);
}

static void mark_declarations(const struct rd_check_host_names *names, struct rd_check_edits *edits,
                              const struct text *text)
{
    static const char *const open[] = {"namespace", "extern", NULL};
    const char *start = NULL;
    bool has_body = false;
    for (const char *at = text->text; *at;) {
        const struct rd_check_function *function = rd_check_function_from(text->functions, at);
        const char *directive = rd_lexer_directive(text->text, at), *next = rd_lexer_skip(at);
        if (function) {
            at = function->end;
            start = NULL;
        } else if (directive > at) {
            at = directive;
        } else if (*at == '{' && start && !memchr(start, '=', (size_t)(at - start)) &&
                   has_any(start, at, open, false)) {
            at++;
            start = NULL;
        } else if (*at == '{') {
            has_body = true;
            at = rd_lexer_behind(at);
        } else if (*at == '(' || *at == '[') {
            at = rd_lexer_behind(at);
        } else if (*at == ';' || *at == '}') {
            if (start && *at == ';' &&
                (!has_body || memchr(start, '=', (size_t)(at - start)) != NULL))
                mark_declaration(names, edits, text, start, at);
            at++;
            start = NULL;
        } else {
            if (!start && next > at && rd_lexer_is_letter(*at)) {
                start = at;
                has_body = false;
            }
            at = next > at ? next : at + 1;
        }
    }
}

void rd_check_host_names_mark(const struct rd_check_host_names *names, struct rd_check_edits *edits,
                              const struct rd_check_unit *unit, const char *text)
{
    for (size_t k = 0; k <= unit->includes.n; k++) {
        const struct text candidate = text_of(unit, k);
        if (candidate.text != text)
            continue;
        mark_functions(names, edits, &candidate);
        if (k == 0 || !unit->includes.all[k - 1].is_in_function)
            mark_declarations(names, edits, &candidate);
    }
}

/* ---- what the compiler says of them ---- */

struct uses {
    const struct rd_check_unit *unit;
    struct text asked;    /* the text that is asked for */
    const char *said[64]; /* places of those that have been told */
    unsigned n;
};

static void tell(struct uses *uses, const char *at, size_t length, bool is_function,
                 unsigned declared)
{
    const char *text = uses->asked.text, *start = rd_lexer_line_start(text, at);
    const struct rd_check_function *in = rd_check_function_at(uses->asked.functions, at);
    const unsigned line = rd_lexer_line(text, at);
    if (uses->n == sizeof uses->said / sizeof *uses->said)
        return;
    for (unsigned k = 0; k < uses->n; k++)
        if (uses->said[k] == at)
            return;
    uses->said[uses->n++] = at;
    fprintf(stderr, "%s:%u:%d: error: '%.*s' is a %s of the host (line %u), and '%.*s' %s: nvcc ",
            uses->asked.file, line, (int)(at - start) + 1, (int)length, at,
            is_function ? "function" : "variable", declared, (int)in->name_length, in->name,
            in->is_kernel   ? "is a kernel"
            : in->is_device ? "is the device's"
                            : "has it in a lambda of the device's");
    fprintf(stderr, is_function
                        ? "refuses the call; give it __device__, too\n"
                        : "refuses it; make it __device__ or constexpr, or pass its value\n");
    fprintf(stderr, "%5u | %.*s\n", line, (int)strcspn(start, "\n"), start);
}

/* Reads a warning about a line of the text. */
static void read_line(void *self, const char *said, unsigned line)
{
    struct uses *uses = self;
    const char *mark = line > 0 ? strstr(said, MARK) : NULL;
    char *behind;
    if (!mark)
        return;
    const char kind = mark[strlen(MARK)];
    const unsigned long declared = strtoul(mark + strlen(MARK) + 1, &behind, 10);
    if (*behind != '-')
        return;
    struct rd_check_names names = {0};
    for (const char *name = behind; *name == '-';) {
        const size_t n = rd_lexer_word_length(name + 1);
        rd_check_names_add(&names, name + 1, n);
        name += 1 + n;
    }
    size_t length;
    const char *at = rd_lexer_line_at(uses->asked.text, line), *end = at + strcspn(at, "\n");
    for (const char *word = rd_lexer_word(at, &length); word && word < end;
         word = rd_lexer_word(word + length, &length)) {
        const char *next = rd_lexer_blanks(word + length);
        if (rd_check_names_have(&names, word, length) && is_of_device(&uses->asked, word) &&
            !is_other(uses->asked.text, word, kind == 'f') &&
            (kind != 'f' || *next == '(' || *next == '<'))
            tell(uses, word, length, kind == 'f', (unsigned)declared);
    }
    rd_check_names_finish(&names);
}

static bool has_marks(const struct rd_check_host_names *names, const struct rd_check_unit *unit)
{
    bool any = false;
    for (size_t k = 0; k <= unit->includes.n && !any; k++) {
        struct rd_check_edits edits = {0};
        rd_check_host_names_mark(names, &edits, unit, text_of(unit, k).text);
        any = edits.n > 0;
        rd_check_edits_finish(&edits);
    }
    return any;
}

static enum rd_status look(const struct rd_check_compiler *compiler, struct rd_check_unit *unit,
                           struct uses *uses, struct rd_error *error)
{
    enum rd_status status = rd_check_unit_write(unit, "host", NULL, error);
    if (status == RD_OK)
        status = rd_check_compiler_warn(compiler, "host", error);
    if (status != RD_OK && status != RD_ERROR_INPUT) /* of errors, the compilation tells */
        return status;
    for (size_t k = 0; k <= unit->includes.n; k++) {
        uses->asked = text_of(unit, k);
        rd_check_compiler_visit(compiler, "host", uses->asked.file, read_line, uses);
    }
    return RD_OK;
}

enum rd_status rd_check_host_names_refuse(const struct rd_check_compiler *compiler,
                                          struct rd_check_unit *unit, struct rd_error *error)
{
    struct rd_check_host_names names = {.words = {0}};
    struct uses uses = {.unit = unit};
    enum rd_status status = RD_OK;
    for (size_t k = 0; k <= unit->includes.n; k++) {
        const struct text text = text_of(unit, k);
        add_words(&names, &text);
        add_own(&names, &text);
    }
    if (names.words.failed || names.own.failed)
        status =
            rd_fail(error, RD_ERROR_MEMORY, "no memory for the names of '%s'", unit->options->file);
    else if (has_marks(&names, unit)) {
        unit->marked = &names;
        status = look(compiler, unit, &uses, error);
        unit->marked = NULL;
    }
    rd_check_names_finish(&names.words);
    rd_check_names_finish(&names.own);
    if (status == RD_OK && uses.n > 0)
        return rd_fail(error, RD_ERROR_INPUT,
                       "code of the device uses what only the host has; the errors are above");
    return status;
}
