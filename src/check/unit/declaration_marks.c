// SPDX-License-Identifier: MIT
/* Marks of declarations, found without a compiler. */
#include "check/unit/unit_internal.h"
#include "check/source/lexer.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static bool is_upper(const char *word, size_t length)
{
    for (size_t k = 0; k < length; k++)
        if (islower((unsigned char)word[k]))
            return false;
    return true;
}

/* ---- macros that are types ---- */

/* Tells whether a text up to `end` has no other words than those of arithmetic types. */
static bool is_arithmetic(const char *at, const char *end)
{
    static const char *const types[] = {"float", "double", "int",      "unsigned", "long",
                                        "short", "char",   "signed",   "int32_t",  "uint32_t",
                                        "bool",  "size_t", "uint64_t", "int64_t",  NULL};
    size_t length, n = 0;
    for (const char *word = rd_lexer_word(at, &length); word && word < end;
         word = rd_lexer_word(word + length, &length), n++)
        if (!rd_lexer_is_one_of(word, length, types))
            return false;
    return n > 0;
}

/* Tells whether each definition of the macro in a text is of an arithmetic type; *n grows by their number. */
static bool defines_type(const char *text, const char *name, size_t name_length, size_t *n)
{
    size_t length;
    for (const char *word = rd_lexer_word(text, &length); word;
         word = rd_lexer_word(word + length, &length)) {
        if (!rd_lexer_is(word, length, "define") || !rd_lexer_is_in_directive(text, word))
            continue;
        const char *macro = word + length;
        macro += strspn(macro, " \t");
        if (strncmp(macro, name, name_length) != 0 || rd_lexer_is_letter(macro[name_length]))
            continue;
        const char *line = rd_lexer_line_start(text, word), *hash = line + strspn(line, " \t");
        if (!is_arithmetic(macro + name_length, rd_lexer_directive(text, hash)))
            return false;
        ++*n;
    }
    return true;
}

static bool is_type_macro(struct rd_check_marks *marks, const char *name, size_t length)
{
    const struct rd_check_unit *unit = marks->unit;
    size_t n = 0;
    if (rd_check_names_have(&marks->type_macros, name, length))
        return true;
    if (rd_check_names_have(&marks->other_macros, name, length))
        return false;
    bool good = defines_type(unit->text, name, length, &n);
    for (size_t k = 0; good && k < unit->includes.n; k++)
        good = defines_type(unit->includes.all[k].text, name, length, &n);
    good = good && n > 0;
    rd_check_names_add(good ? &marks->type_macros : &marks->other_macros, name, length);
    return good;
}

/* ---- words ---- */

/* Tells whether a word is of C++ or names a type of a common library. No macro of a header's is called so. */
static bool is_common(const char *word, size_t length)
{
    static const char *const words[] = {
        "static",   "extern",   "inline", "const",        "volatile", "mutable", "register",
        "struct",   "class",    "union",  "enum",         "typename", "auto",    "decltype",
        "void",     "bool",     "char",   "wchar_t",      "short",    "int",     "long",
        "float",    "double",   "signed", "unsigned",     "public",   "private", "protected",
        "std",      "string",   "vector", "cudaStream_t", "dim3",     "virtual", "explicit",
        "operator", "template", "uint",   "ulong",        "ushort",   "thrust",  NULL};
    static const char *const elements[] = {"char",  "uchar",  "short", "ushort",   "int",
                                           "uint",  "long",   "ulong", "longlong", "ulonglong",
                                           "float", "double", NULL};
    if (rd_lexer_is_one_of(word, length, words) ||
        (length > 2 && strncmp(word + length - 2, "_t", 2) == 0))
        return true;
    return length > 1 && word[length - 1] >= '1' && word[length - 1] <= '4' &&
           rd_lexer_is_one_of(word, length - 1, elements);
}

/* Tells whether a word is a part of "a::b", which no mark is. */
static bool is_qualified(const char *word, size_t length)
{
    return word[-1] == ':' || (word[length] == ':' && word[length + 1] == ':');
}

static bool is_doubtful(struct rd_check_marks *marks, const char *word, size_t length)
{
    static const char *const harmless[] = {
        "__restrict__", "__restrict",    "__volatile__", "__align__", "__half",
        "__half2",      "__nv_bfloat16", "__host__",     "FILE",      NULL};
    if (rd_lexer_is_one_of(word, length, harmless))
        return false;
    if (length > 2 && strncmp(word, "__", 2) == 0)
        return true;
    if (rd_check_names_have(&marks->defined, word, length))
        return !is_type_macro(marks, word, length);
    if (rd_check_names_have(&marks->types, word, length))
        return false;
    return marks->knows_headers ? length > 2 && is_upper(word, length)
                                : !is_common(word, length) && !is_qualified(word, length);
}

bool rd_check_marks_are_doubtful(struct rd_check_marks *marks, const char *at, const char *end)
{
    size_t length;
    for (const char *word = rd_lexer_word(at, &length); word && word < end;
         word = rd_lexer_word(word + length, &length))
        if (is_doubtful(marks, word, length))
            return true;
    return false;
}

bool rd_check_marks_are_there(const char *at, const char *end)
{
    static const char *const words[] = {
        "__device__", "__global__", "__constant__", "__shared__",   "__managed__", "__attribute__",
        "texture",    "surface",    "constexpr",    "consteval",    "constinit",   "__declspec",
        "operator",   "friend",     "typedef",      "using",        "template",    "concept",
        "namespace",  "asm",        "return",       "thread_local", NULL};
    return rd_lexer_has_one_of(at, end, words);
}

/* ---- what the texts define ---- */

static void find_macros(struct rd_check_marks *marks, const char *text)
{
    size_t length;
    for (const char *word = rd_lexer_word(text, &length); word;
         word = rd_lexer_word(word + length, &length))
        if (rd_lexer_is(word, length, "define") && rd_lexer_is_in_directive(text, word)) {
            const char *name = word + length + strspn(word + length, " \t");
            const size_t n = rd_lexer_word_length(name);
            if (n > 0)
                rd_check_names_add(&marks->defined, name, n);
        }
}

static const char *behind_attributes(const char *at)
{
    static const char *const attributes[] = {"__align__", "alignas", "__attribute__", NULL};
    for (const char *next = rd_lexer_skip(at);
         rd_lexer_is_one_of(at, (size_t)(next - at), attributes); next = rd_lexer_skip(at)) {
        at = rd_lexer_blanks(next);
        at = rd_lexer_blanks(*at == '(' ? rd_lexer_behind(at) : at);
    }
    return at;
}

/* Types of "typedef float REAL;", "using REAL = float" and "struct REAL": those whose names could be taken for a mark's. */
static void find_types(struct rd_check_marks *marks, const char *text)
{
    static const char *const words[] = {"struct", "class", "union", "enum", "using", NULL};
    size_t length;
    for (const char *word = rd_lexer_word(text, &length); word;
         word = rd_lexer_word(word + length, &length)) {
        const char *name = rd_lexer_blanks(word + length), *at = name;
        if (rd_lexer_is(word, length, "typedef"))
            while (*at && *at != ';') {
                const char *next = rd_lexer_skip(at);
                name = next > at && rd_lexer_is_letter(*at) ? at : name;
                at = rd_lexer_pass(at);
            }
        else if (!rd_lexer_is_one_of(word, length, words))
            continue;
        else
            name = behind_attributes(name);
        const size_t n = rd_lexer_word_length(name);
        if (n > 0 && (!marks->knows_headers || is_upper(name, n)))
            rd_check_names_add(&marks->types, name, n);
    }
}

static void find_options(struct rd_check_marks *marks)
{
    for (const char *const *word = marks->unit->options->compiler_args; word && *word; word++) {
        const bool is_alone = strcmp(*word, "-D") == 0 && word[1];
        const char *name = is_alone ? *++word : *word + 2;
        if (is_alone || strncmp(*word, "-D", 2) == 0)
            rd_check_names_add(&marks->defined, name, strcspn(name, "=("));
        else if (strncmp(*word, "-include", 8) == 0 || strncmp(*word, "-imacros", 8) == 0)
            marks->knows_macros = false;
    }
}

void rd_check_marks_init(struct rd_check_marks *marks, const struct rd_check_unit *unit)
{
    const struct rd_check_includes *includes = &unit->includes;
    *marks = (struct rd_check_marks){.unit = unit, .knows_macros = true};
    marks->knows_headers =
        rd_check_includes_are_known(unit->options, unit->options->file, unit->text);
    for (size_t k = 0; k < includes->n && marks->knows_headers; k++)
        marks->knows_headers = rd_check_includes_are_known(unit->options, includes->all[k].path,
                                                           includes->all[k].text);
    for (size_t k = 0; k <= includes->n; k++) {
        const char *text = k == 0 ? unit->text : includes->all[k - 1].text;
        find_macros(marks, text);
        find_types(marks, text);
    }
    find_options(marks);
}

bool rd_check_marks_failed(const struct rd_check_marks *marks)
{
    return marks->defined.failed || marks->types.failed || marks->type_macros.failed ||
           marks->other_macros.failed;
}

void rd_check_marks_finish(struct rd_check_marks *marks)
{
    rd_check_names_finish(&marks->defined);
    rd_check_names_finish(&marks->types);
    rd_check_names_finish(&marks->type_macros);
    rd_check_names_finish(&marks->other_macros);
}
