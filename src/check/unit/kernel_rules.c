// SPDX-License-Identifier: MIT
/* Rules of CUDA C++ about kernels that a C++ compiler knows nothing of. */
#include "check/unit/unit.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

struct source {
    const char *file, *text;
    const struct rd_check_functions *functions;
};

static struct source source_of(const struct rd_check_unit *unit, size_t k)
{
    if (k == unit->includes.n)
        return (struct source){unit->options->file, unit->text, &unit->functions};
    const struct rd_check_included *one = &unit->includes.all[k];
    return (struct source){one->path, one->text, &one->functions};
}

static void tell(const struct source *source, const char *at, const char *format, const char *name,
                 size_t length)
{
    const char *start = rd_lexer_line_start(source->text, at);
    const unsigned line = rd_lexer_line(source->text, at);
    fprintf(stderr, "%s:%u:%d: error: ", source->file, line, (int)(at - start) + 1);
    fprintf(stderr, format, (int)length, name);
    fprintf(stderr, "\n%5u | %.*s\n", line, (int)strcspn(start, "\n"), start);
}

/* Tells whether a place lies between an #if and its #endif. */
static bool is_conditional(const char *text, const char *at)
{
    int depth = 0;
    while (text < at) {
        const char *word = text + strspn(text, " \t");
        if (*word == '#') {
            word += 1 + strspn(word + 1, " \t");
            depth += (strncmp(word, "if", 2) == 0) - (strncmp(word, "endif", 5) == 0);
        }
        text += strcspn(text, "\n");
        text += *text == '\n';
    }
    return depth > 0;
}

/* ---- what a kernel returns ---- */

/* The type of C's own that stands before a kernel's name; NULL: there is none, or it is void. */
static const char *returned_type(const struct rd_check_function *kernel)
{
    static const char *const types[] = {"int",   "float",    "double", "char",   "long",
                                        "short", "unsigned", "bool",   "size_t", NULL};
    static const char *const none[] = {"void", "auto", NULL};
    static const char *const marks[] = {"__global__",
                                        NULL}; /* a macro may make kernels of its own */
    const char *at = kernel->head, *found = NULL;
    size_t length;
    const char *word = rd_lexer_word(at, &length);
    if (word && rd_lexer_is(word, length, "template"))
        at = rd_lexer_behind_angles(rd_lexer_blanks(word + length), kernel->name);
    if (rd_lexer_has_one_of(at, kernel->name, none) ||
        !rd_lexer_has_one_of(at, kernel->name, marks))
        return NULL;
    for (word = rd_lexer_word(at, &length); word && word < kernel->name;
         word = rd_lexer_word(word + length, &length)) {
        const char *behind = rd_lexer_blanks(word + length);
        if (*behind == '(' && behind < kernel->name) /* __launch_bounds__(256) */
            length = (size_t)(rd_lexer_behind(behind) - word);
        else if (!found && rd_lexer_is_one_of(word, length, types))
            found = word;
    }
    return found;
}

static unsigned refuse_results(const struct source *source)
{
    unsigned n = 0;
    for (size_t k = 0; k < source->functions->n; k++) {
        const struct rd_check_function *kernel = &source->functions->all[k];
        const char *type = kernel->is_kernel ? returned_type(kernel) : NULL;
        if (!type || is_conditional(source->text, type))
            continue;
        tell(source, type, "a kernel returns void: '%.*s' writes its results to memory",
             kernel->name, kernel->name_length);
        n++;
    }
    return n;
}

/* ---- calls ---- */

/* The last character before `at` that is no blank; '\0' at the text's start. Comments are taken for code. */
static char before(const char *text, const char *at)
{
    while (at > text && isspace((unsigned char)at[-1]))
        at--;
    return at > text ? at[-1] : '\0';
}

/* Tells whether a call may be a statement of its own there. */
static bool starts_statement(const char *text, const char *at)
{
    const char c = before(text, at);
    return c == ';' || c == '{' || c == '}';
}

/* Tells whether the word is, in all texts of the unit, the name of kernels alone. */
static bool is_kernels(const struct rd_check_unit *unit, const char *name, size_t length)
{
    bool is_kernel = false;
    for (size_t k = 0; k <= unit->includes.n; k++) {
        const struct source source = source_of(unit, k);
        for (size_t f = 0; f < source.functions->n; f++) {
            const struct rd_check_function *function = &source.functions->all[f];
            if (function->name_length != length || strncmp(function->name, name, length) != 0)
                continue;
            if (!function->is_kernel)
                return false;
            is_kernel = true;
        }
    }
    return is_kernel;
}

/* Tells whether the name is, anywhere, that of something else, as far as words before it tell: "void fold(float *a);", "auto fold =". */
static bool is_other(const struct rd_check_unit *unit, const char *name, size_t length)
{
    for (size_t k = 0; k <= unit->includes.n; k++) {
        const struct source source = source_of(unit, k);
        size_t n;
        for (const char *word = rd_lexer_word(source.text, &n); word;
             word = rd_lexer_word(word + n, &n)) {
            if (n != length || strncmp(word, name, length) != 0)
                continue;
            const struct rd_check_function *in = rd_check_function_at(source.functions, word);
            const char *start = word;
            while (start > source.text && !strchr(";{}", start[-1]))
                start--;
            static const char *const marks[] = {"__global__", NULL};
            const char c = before(source.text, word);
            const bool is_of_kernel =
                (in && in->name == word) || rd_lexer_has_one_of(start, word, marks);
            if (!is_of_kernel && (rd_lexer_is_letter(c) || c == '*' || c == '&' || c == '>'))
                return true;
        }
    }
    return false;
}

static unsigned refuse_calls(const struct rd_check_unit *unit, const struct source *source)
{
    unsigned n = 0;
    for (size_t k = 0; k < source->functions->n; k++) {
        const struct rd_check_function *in = &source->functions->all[k];
        size_t length;
        for (const char *word = rd_lexer_word(in->body, &length); word && word < in->end;
             word = rd_lexer_word(word + length, &length)) {
            if (*rd_lexer_blanks(word + length) != '(' || !starts_statement(source->text, word) ||
                !is_kernels(unit, word, length) || is_other(unit, word, length) ||
                rd_lexer_is_in_directive(source->text, word) ||
                is_conditional(source->text, word) ||
                rd_check_function_at(source->functions, word) != in)
                continue;
            tell(source, word,
                 "'%.*s' is a kernel: launch it, with <<<blocks, threads>>> behind its name", word,
                 length);
            n++;
        }
    }
    return n;
}

enum rd_status rd_check_kernel_rules_refuse(const struct rd_check_unit *unit,
                                            struct rd_error *error)
{
    unsigned n = 0;
    for (size_t k = 0; k <= unit->includes.n; k++) {
        const struct source source = source_of(unit, k);
        n += refuse_results(&source);
        n += refuse_calls(unit, &source);
    }
    return n == 0 ? RD_OK
                  : rd_fail(error, RD_ERROR_INPUT,
                            "nvcc refuses how '%s' uses kernels; the errors are above",
                            unit->options->file);
}
