// SPDX-License-Identifier: MIT
/* Finds them without a compiler. What can't be told apart from a variable of the device's, as it is declared by a macro or has its
 * name, is left out: it is then taken for device memory. */
#include "check/host_variables.h"
#include "check/annotation.h"
#include "check/compiler.h"
#include "check/lexer.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { SCOPES_MAX = 32, SCOPE_SIZE = 256, PATH_SIZE = 1024 };

struct search {
    const struct rd_check_unit *unit;
    const char *text;
    const struct rd_check_functions *functions;
    enum pass { FIND, DOUBT, SAY } pass;
    struct rd_check_names found;    /* what may be said of them */
    struct rd_check_names doubtful; /* some variable of this name may be the device's */
    struct rd_check_names defined;  /* macros of the texts and of the command line */
    struct rd_check_names types;    /* of the texts, shouted or not: no macro stands for a mark */
    struct rd_check_names type_macros, other_macros; /* those that have been looked up */
    FILE *file;
    char scopes[SCOPES_MAX][SCOPE_SIZE];
    unsigned n_scopes;
    bool is_lost; /* a scope's name was too long, or they are too many */
};

static void begin_text(struct search *search, size_t k)
{
    const struct rd_check_unit *unit = search->unit;
    search->text = k == 0 ? unit->text : unit->includes.all[k - 1].text;
    search->functions = k == 0 ? &unit->functions : &unit->includes.all[k - 1].functions;
    search->n_scopes = 0;
    search->is_lost = false;
}

/* ---- heads of declarations ---- */

static const char *const marks[] = {"__device__",  "__global__", "__constant__", "__shared__",
                                    "__managed__", "texture",    "surface",      "constexpr",
                                    "consteval",   "constinit",  "operator",     "friend",
                                    "typedef",     "using",      "template",     "concept",
                                    "namespace",   "asm",        "return",       "thread_local",
                                    NULL};

static bool has_one_of(const char *at, const char *end, const char *const *words)
{
    size_t length;
    for (const char *word = rd_lexer_word(at, &length); word && word < end;
         word = rd_lexer_word(word + length, &length))
        if (rd_lexer_is_one_of(word, length, words))
            return true;
    return false;
}

static bool has_word(const char *at, const char *end, const char *text)
{
    return has_one_of(at, end, (const char *const[]){text, NULL});
}

static bool is_upper(const char *word, size_t length)
{
    for (size_t k = 0; k < length; k++)
        if (islower((unsigned char)word[k]))
            return false;
    return true;
}

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

static bool is_type_macro(struct search *search, const char *name, size_t length)
{
    const struct rd_check_unit *unit = search->unit;
    size_t n = 0;
    if (rd_check_names_have(&search->type_macros, name, length))
        return true;
    if (rd_check_names_have(&search->other_macros, name, length))
        return false;
    bool good = defines_type(unit->text, name, length, &n);
    for (size_t k = 0; good && k < unit->includes.n; k++)
        good = defines_type(unit->includes.all[k].text, name, length, &n);
    good = good && n > 0;
    rd_check_names_add(good ? &search->type_macros : &search->other_macros, name, length);
    return good;
}

/* Tells whether a word of a declaration may stand for a mark of the device's. */
static bool is_doubtful(struct search *search, const char *word, size_t length)
{
    static const char *const harmless[] = {
        "__restrict__", "__restrict",    "__volatile__", "__align__", "__half",
        "__half2",      "__nv_bfloat16", "__host__",     "FILE",      NULL};
    if (rd_lexer_is_one_of(word, length, harmless))
        return false;
    if (length > 2 && strncmp(word, "__", 2) == 0)
        return true;
    if (rd_check_names_have(&search->defined, word, length))
        return !is_type_macro(search, word, length);
    return length > 2 && is_upper(word, length) &&
           !rd_check_names_have(&search->types, word, length);
}

static bool has_doubtful(struct search *search, const char *at, const char *end)
{
    size_t length;
    for (const char *word = rd_lexer_word(at, &length); word && word < end;
         word = rd_lexer_word(word + length, &length))
        if (is_doubtful(search, word, length))
            return true;
    return false;
}

static bool is_constant(const char *at, const char *end)
{
    const char *last = NULL;
    size_t length;
    for (const char *word = rd_lexer_word(at, &length); word && word < end;
         word = rd_lexer_word(word + length, &length))
        if (rd_lexer_is(word, length, "const"))
            last = word;
    return last && !memchr(last, '*', (size_t)(end - last));
}

/* ---- declarations ---- */

/* Names that a declaration declares, and where the first stands; none where it is of a function. */
struct declared {
    struct rd_check_names names;
    const char *first;
    bool is_variable;
};

static void add_further(struct rd_check_names *names, const char *at, const char *end)
{
    bool is_value = true;
    while (at < end) {
        const char *next = rd_lexer_skip(at);
        if (next > at && rd_lexer_is_letter(*at) && !is_value)
            rd_check_names_add(names, at, (size_t)(next - at));
        is_value = (is_value || *at == '=') && *at != ',';
        at = next > at ? next : strchr("([{", *at) ? rd_lexer_behind(at) : at + 1;
    }
}

static struct declared read_declaration(const char *at, const char *end)
{
    struct declared declared = {.first = NULL};
    size_t length = 0;
    unsigned n_words = 0;
    while (at < end && !strchr("(=[,{", *at)) {
        const char *next = rd_lexer_skip(at);
        if (*at == '<') {
            at = rd_lexer_behind_angles(at, end);
            continue;
        }
        if (next > at && rd_lexer_is_letter(*at)) {
            declared.first = at;
            length = (size_t)(next - at);
            n_words++;
        }
        at = next > at ? next : at + 1;
    }
    declared.is_variable = n_words >= 2 && !(at < end && *at == '(') && declared.first[-1] != ':';
    if (declared.first)
        rd_check_names_add(&declared.names, declared.first, length);
    if (declared.is_variable)
        add_further(&declared.names, at, end);
    return declared;
}

/* Doubts what both run, or may: of variables that are known. */
static void doubt(struct search *search, const char *word, size_t length)
{
    if (rd_check_names_have(&search->found, word, length))
        rd_check_names_add(&search->doubtful, word, length);
}

static void doubt_words(struct search *search, const char *at, const char *end)
{
    size_t length;
    for (const char *word = rd_lexer_word(at, &length); word && word < end;
         word = rd_lexer_word(word + length, &length))
        doubt(search, word, length);
}

static void say(const struct search *search, const struct rd_check_name *name,
                const struct rd_check_function *function)
{
    if (rd_check_names_have(&search->doubtful, name->word, name->length))
        return;
    fputs(function ? "\n\">" : "\n\"=", search->file);
    if (function)
        fprintf(search->file, "%.*s ", (int)function->name_length, function->name);
    for (unsigned scope = 0; !function && scope < search->n_scopes; scope++)
        fputs(search->scopes[scope], search->file);
    fprintf(search->file, "%.*s\\0\"", (int)name->length, name->word);
}

/* Finds, doubts or says what is declared from `from` up to `end`: in the function, or, of NULL, in none. */
static void look_at(struct search *search, const char *from, const char *end,
                    const struct rd_check_function *function)
{
    struct declared declared = read_declaration(from, end);
    const struct rd_check_names *names = &declared.names;
    if (!declared.first)
        return;
    const bool is_strange = has_one_of(from, end, marks) || has_word(from, end, "__attribute__") ||
                            has_word(from, end, "__declspec") ||
                            has_doubtful(search, from, declared.first);
    const bool is_sure = !is_strange && !is_constant(from, declared.first);
    for (size_t k = 0; search->pass == DOUBT && !is_sure && k < names->n; k++)
        rd_check_names_add(&search->doubtful, names->all[k].word, names->all[k].length);
    if (search->pass == DOUBT && !is_sure)
        doubt_words(search, from, declared.first);
    for (size_t k = 0; is_sure && declared.is_variable && k < names->n; k++) {
        if (search->pass == FIND)
            rd_check_names_add(&search->found, names->all[k].word, names->all[k].length);
        else if (search->pass == SAY && !search->is_lost)
            say(search, &names->all[k], function);
    }
    rd_check_names_finish(&declared.names);
}

/* ---- scopes ---- */

/* Enters "namespace a::b {" or extern "C" {, which begins at `at`. */
static void enter(struct search *search, const char *at, const char *end)
{
    static const char *const others[] = {"namespace", "inline", "extern", NULL};
    char path[SCOPE_SIZE] = "";
    size_t length, used = 0;
    const bool is_namespace = has_word(at, end, "namespace");
    if (search->n_scopes == SCOPES_MAX) {
        search->is_lost = true;
        return;
    }
    for (const char *word = rd_lexer_word(at, &length); word && word < end;
         word = rd_lexer_word(word + length, &length)) {
        if (rd_lexer_is_one_of(word, length, others))
            continue;
        int n = snprintf(path + used, sizeof path - used, "%.*s::", (int)length, word);
        used += n < 0 ? 0 : (size_t)n;
        if (used >= sizeof path) {
            search->is_lost = true;
            return;
        }
    }
    if (is_namespace && used == 0)
        snprintf(path, sizeof path, "(anonymous namespace)::");
    memcpy(search->scopes[search->n_scopes++], path, sizeof path);
}

static const struct rd_check_function *function_from(const struct rd_check_functions *functions,
                                                     const char *at)
{
    for (size_t k = 0; k < functions->n; k++)
        if (functions->all[k].head == at)
            return &functions->all[k];
    return NULL;
}

static void look_outside(struct search *search)
{
    static const char *const types[] = {"struct", "class", "union", "enum", NULL};
    const char *start = NULL;
    for (const char *at = search->text; *at;) {
        const struct rd_check_function *function = function_from(search->functions, at);
        const char *directive = rd_lexer_directive(search->text, at), *next = rd_lexer_skip(at);
        const bool has_value = start && memchr(start, '=', (size_t)(at - start));
        if (function) {
            at = function->end;
            start = NULL;
        } else if (directive > at) {
            at = directive;
        } else if (*at == '{' && start && !has_value &&
                   has_one_of(start, at, (const char *const[]){"namespace", "extern", NULL})) {
            enter(search, start, at++);
            start = NULL;
        } else if (*at == '{') {
            const bool is_type = start && !has_value && has_one_of(start, at, types);
            at = rd_lexer_behind(at);
            if (is_type) { /* and what is declared with it is left out */
                at += strcspn(at, ";");
                start = NULL;
            }
        } else if (*at == '(' || *at == '[') {
            at = rd_lexer_behind(at);
        } else if (*at == ';' || *at == '}') {
            if (start && *at == ';')
                look_at(search, start, at, NULL);
            if (*at == '}' && search->n_scopes > 0)
                search->n_scopes--;
            at++;
            start = NULL;
        } else {
            start = start || next == at || !rd_lexer_is_letter(*at) ? start : at;
            at = next > at ? next : at + 1;
        }
    }
}

/* ---- static variables of functions ---- */

/* Tells whether a function surely is the host's alone, all of it. */
static bool is_of_host(struct search *search, const struct rd_check_function *one)
{
    return !one->is_device && !one->is_kernel &&
           !has_one_of(one->head, one->body,
                       (const char *const[]){"constexpr", "consteval", "__attribute__", "operator",
                                             "__device__", "__global__", NULL}) &&
           !has_doubtful(search, one->head, one->name) &&
           !has_one_of(one->body, one->end,
                       (const char *const[]){"__device__", "__global__", NULL});
}

/* The host's names in what both run may be of what the host alone runs of it; those of parameters are not. */
static void doubt_words_of_both(struct search *search, const struct rd_check_function *one)
{
    struct rd_check_names parameters = {0};
    size_t length;
    for (const char *word = rd_lexer_word(one->name + one->name_length, &length);
         word && word < one->body; word = rd_lexer_word(word + length, &length))
        rd_check_names_add(&parameters, word, length);
    for (const char *word = rd_lexer_word(one->body, &length); word && word < one->end;
         word = rd_lexer_word(word + length, &length))
        if (!rd_check_names_have(&parameters, word, length) && word[-1] != '.' &&
            !(word[-1] == '>' && word[-2] == '-'))
            doubt(search, word, length);
    rd_check_names_finish(&parameters);
}

/* What is declared so may have the name of another unit's variable. */
static void doubt_statics(struct search *search, const char *at, const char *end)
{
    struct declared declared = read_declaration(at, end);
    for (size_t k = 0; k < declared.names.n; k++)
        rd_check_names_add(&search->doubtful, declared.names.all[k].word,
                           declared.names.all[k].length);
    rd_check_names_finish(&declared.names);
    doubt_words(search, at, end);
}

static void look_inside(struct search *search, const struct rd_check_function *one)
{
    const bool is_host = is_of_host(search, one);
    size_t length;
    for (const char *word = rd_lexer_word(one->body, &length); word && word < one->end;
         word = rd_lexer_word(word + length, &length)) {
        if (!rd_lexer_is(word, length, "static"))
            continue;
        const char *end = word;
        while (*end && end < one->end && *end != ';') {
            const char *next = rd_lexer_skip(end);
            end = next > end ? next : strchr("([{", *end) ? rd_lexer_behind(end) : end + 1;
        }
        if (is_host)
            look_at(search, word, end, one);
        else if (search->pass == DOUBT)
            doubt_statics(search, word, end);
    }
    /* A lambda may be of both, too. */
    const bool is_mixed = !one->is_device && has_word(one->body, one->end, "__host__") &&
                          has_word(one->body, one->end, "__device__");
    const bool is_both =
        (one->is_device && one->is_host && !one->is_kernel) ||
        has_one_of(one->head, one->body, (const char *const[]){"constexpr", "consteval", NULL}) ||
        has_doubtful(search, one->head, one->name);
    if (search->pass == DOUBT && (is_both || is_mixed))
        doubt_words_of_both(search, one);
}

/* Looks at all texts. */
static void look(struct search *search, enum pass pass)
{
    const struct rd_check_unit *unit = search->unit;
    search->pass = pass;
    for (size_t k = 0; k <= unit->includes.n; k++) {
        begin_text(search, k);
        if (pass == DOUBT)
            rd_check_names_find_declared(&search->doubtful, search->text, false);
        look_outside(search);
        for (size_t one = 0; one < search->functions->n; one++)
            look_inside(search, &search->functions->all[one]);
    }
}

static void find_macros(struct search *search, const char *text)
{
    size_t length;
    for (const char *word = rd_lexer_word(text, &length); word;
         word = rd_lexer_word(word + length, &length))
        if (rd_lexer_is(word, length, "define") && rd_lexer_is_in_directive(text, word)) {
            const char *name = word + length + strspn(word + length, " \t");
            size_t n = 0;
            while (rd_lexer_is_letter(name[n]))
                n++;
            if (n > 0)
                rd_check_names_add(&search->defined, name, n);
        }
}

/* Types that have a name in upper case, of "typedef float REAL;", "using REAL = float" and "struct REAL". */
static void find_types(struct search *search, const char *text)
{
    static const char *const words[] = {"struct", "class", "union", "enum", "using", NULL};
    size_t length;
    for (const char *word = rd_lexer_word(text, &length); word;
         word = rd_lexer_word(word + length, &length)) {
        const char *name = rd_lexer_blanks(word + length), *at = name;
        size_t n = 0;
        if (rd_lexer_is(word, length, "typedef"))
            while (*at && *at != ';') {
                const char *next = rd_lexer_skip(at);
                name = next > at && rd_lexer_is_letter(*at) ? at : name;
                at = next > at ? next : strchr("([{", *at) ? rd_lexer_behind(at) : at + 1;
            }
        else if (!rd_lexer_is_one_of(word, length, words))
            continue;
        while (rd_lexer_is_letter(name[n]))
            n++;
        if (n > 0 && is_upper(name, n))
            rd_check_names_add(&search->types, name, n);
    }
}

/* False where macros come from what is not read: a file that an option includes. */
static bool find_all_macros(struct search *search)
{
    const struct rd_check_unit *unit = search->unit;
    for (size_t k = 0; k <= unit->includes.n; k++) {
        begin_text(search, k);
        find_macros(search, search->text);
        find_types(search, search->text);
    }
    for (const char *const *word = unit->options->compiler_args; word && *word; word++) {
        const bool is_alone = strcmp(*word, "-D") == 0 && word[1];
        const char *name = is_alone ? *++word : *word + 2;
        if (is_alone || strncmp(*word, "-D", 2) == 0)
            rd_check_names_add(&search->defined, name, strcspn(name, "=("));
        else if (strncmp(*word, "-include", 8) == 0 || strncmp(*word, "-imacros", 8) == 0)
            return false;
    }
    return true;
}

/* Laws stand in code of the device, and may name what the host has. */
static void doubt_laws(struct search *search)
{
    const struct rd_check_unit *unit = search->unit;
    for (size_t k = 0; k < unit->n_annotations; k++)
        for (size_t law = 0; law < unit->annotations[k].n; law++) {
            const char *text = unit->annotations[k].all[law].text;
            if (text)
                doubt_words(search, text, text + strlen(text));
        }
}

/* ---- all of them ---- */

void rd_check_host_variables_write(const struct rd_check_unit *unit, FILE *file)
{
    struct search search = {.unit = unit, .file = file};
    const bool knows_macros = find_all_macros(&search);
    look(&search, FIND);
    doubt_laws(&search);
    look(&search, DOUBT);
    fputs("__attribute__((used, section(\"rd_host_names\"))) static const char __rd_host_names[] = "
          "\"\"",
          file);
    for (size_t k = 0; k < search.doubtful.n; k++)
        fprintf(file, "\n\"-%.*s\\0\"", (int)search.doubtful.all[k].length,
                search.doubtful.all[k].word);
    if (knows_macros)
        look(&search, SAY);
    fputs(";\n", file);
    rd_check_names_finish(&search.found);
    rd_check_names_finish(&search.defined);
    rd_check_names_finish(&search.types);
    rd_check_names_finish(&search.doubtful);
    rd_check_names_finish(&search.type_macros);
    rd_check_names_finish(&search.other_macros);
}
