// SPDX-License-Identifier: MIT
/* Variables of the host's, found without a compiler. One that can't be told from a variable of the device's, as a macro declares it
 * or both have one name, is doubtful: it is then taken for device memory. */
#include "check/unit/unit_internal.h"
#include "check/source/lexer.h"
#include "check/annotation/annotation.h"

#include <stdlib.h>
#include <string.h>

enum { SCOPES_MAX = 32, SCOPE_SIZE = 256 };

/* A namespace or a class that is open; "" for extern "C". */
struct scope {
    char path[SCOPE_SIZE];
    const char *head, *brace; /* of a class: where its declaration and its body begin; else NULL */
};

struct search {
    const struct rd_check_unit *unit;
    const char *text;
    const struct rd_check_functions *functions;
    enum pass { FIND, DOUBT, WRITE } pass;
    struct rd_check_marks marks;
    struct rd_check_names found;    /* of variables that seem to be the host's */
    struct rd_check_names doubtful; /* some variable of this name may be the device's */
    FILE *file;
    struct scope scopes[SCOPES_MAX];
    unsigned n_scopes;
    bool is_lost; /* a scope's name was too long, or they are too many */
    bool failed;  /* there was no memory for a name */
};

static void begin_text(struct search *search, size_t k)
{
    const struct rd_check_unit *unit = search->unit;
    search->text = k == 0 ? unit->text : unit->includes.all[k - 1].text;
    search->functions = k == 0 ? &unit->functions : &unit->includes.all[k - 1].functions;
    search->n_scopes = 0;
    search->is_lost = false;
}

/* ---- declarations ---- */

/* A declaration. In "static struct s {int a;} x", the body of the type is between `body` and `rest`; else both are where it begins. */
struct declaration {
    const char *from, *body, *rest, *end;
};

static struct declaration declaration_of(const char *from, const char *end)
{
    return (struct declaration){from, from, from, end};
}

/* Names that a declaration declares, and where the first stands; none where it is of a function. */
struct declared {
    struct rd_check_names names;
    const char *first;
    const char *path; /* "a::b::" before it, if there is any */
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
        at = rd_lexer_pass(at);
    }
}

/* Where "a::b::x" begins. */
static const char *path_before(const char *word, const char *from)
{
    while (word - 2 > from && word[-1] == ':' && word[-2] == ':' && rd_lexer_is_letter(word[-3]))
        for (word -= 2; word > from && rd_lexer_is_letter(word[-1]); word--)
            ;
    return word;
}

static struct declared read_declaration(const struct declaration *of)
{
    struct declared declared = {.first = NULL};
    const char *at = of->rest, *end = of->end;
    size_t length = 0;
    unsigned n_words = of->body < of->rest;
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
    if (!declared.first)
        return declared;
    declared.path = path_before(declared.first, of->rest);
    declared.is_variable = n_words >= 2 && !(at < end && *at == '(') && declared.path[-1] != ':' &&
                           (declared.path == declared.first || declared.path > of->rest);
    rd_check_names_add(&declared.names, declared.first, length);
    if (declared.is_variable && declared.path == declared.first)
        add_further(&declared.names, at, end);
    return declared;
}

/* Makes a name doubtful, where a variable has it that was found. */
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

/* Writes "=n::s::x" or ">f x", behind a "~" where the name is doubtful. */
static void write_name(const struct search *search, const struct declared *declared,
                       const struct rd_check_name *name, const struct rd_check_function *function)
{
    const bool is_doubtful = rd_check_names_have(&search->doubtful, name->word, name->length);
    fprintf(search->file, "\n\"%s%s", is_doubtful ? "~" : "", function ? ">" : "=");
    if (function)
        fprintf(search->file, "%.*s ", (int)function->name_length, function->name);
    for (unsigned scope = 0; !function && scope < search->n_scopes; scope++)
        fputs(search->scopes[scope].path, search->file);
    fprintf(search->file, "%.*s%.*s\\0\"", (int)(declared->first - declared->path), declared->path,
            (int)name->length, name->word);
}

/* Finds, doubts or writes what is declared in the function; NULL: outside of functions. */
static void look_at(struct search *search, const struct declaration *of,
                    const struct rd_check_function *function)
{
    struct declared declared = read_declaration(of);
    const struct rd_check_names *names = &declared.names;
    if (!declared.first)
        return;
    search->failed = search->failed || names->failed;
    const bool is_sure = !rd_check_marks_are_there(of->from, of->body) &&
                         !rd_check_marks_are_there(of->rest, of->end) &&
                         !rd_check_marks_are_doubtful(&search->marks, of->from, of->body) &&
                         !rd_check_marks_are_doubtful(&search->marks, of->rest, declared.path) &&
                         !rd_lexer_is_constant(of->from, of->body) &&
                         !rd_lexer_is_constant(of->rest, declared.path);
    for (size_t k = 0; search->pass == DOUBT && !is_sure && k < names->n; k++)
        rd_check_names_add(&search->doubtful, names->all[k].word, names->all[k].length);
    if (search->pass == DOUBT && !is_sure)
        doubt_words(search, of->rest, declared.first);
    for (size_t k = 0; is_sure && declared.is_variable && k < names->n; k++) {
        if (search->pass == FIND)
            rd_check_names_add(&search->found, names->all[k].word, names->all[k].length);
        else if (search->pass == WRITE && !search->is_lost)
            write_name(search, &declared, &names->all[k], function);
    }
    rd_check_names_finish(&declared.names);
}

/* ---- scopes ---- */

static struct scope *open_scope(struct search *search, const char *head, const char *brace)
{
    if (search->n_scopes == SCOPES_MAX) {
        search->is_lost = true;
        return NULL;
    }
    struct scope *scope = &search->scopes[search->n_scopes++];
    *scope = (struct scope){.head = head, .brace = brace};
    return scope;
}

static void add_to_path(struct search *search, struct scope *scope, const char *word, size_t length)
{
    const size_t used = strlen(scope->path);
    const int n =
        snprintf(scope->path + used, sizeof scope->path - used, "%.*s::", (int)length, word);
    search->is_lost |= n < 0 || (size_t)n >= sizeof scope->path - used;
}

/* Enters "namespace a::b {" or extern "C" {, which begins at `at`. */
static void enter_namespace(struct search *search, const char *at, const char *end)
{
    static const char *const others[] = {"namespace", "inline", "extern", NULL};
    struct scope *scope = open_scope(search, NULL, NULL);
    size_t length;
    if (!scope)
        return;
    for (const char *word = rd_lexer_word(at, &length); word && word < end;
         word = rd_lexer_word(word + length, &length))
        if (!rd_lexer_is_one_of(word, length, others))
            add_to_path(search, scope, word, length);
    if (!scope->path[0] && rd_lexer_has_one_of(at, end, (const char *const[]){"namespace", NULL}))
        add_to_path(search, scope, "(anonymous namespace)", 21);
}

/* Tells whether what is before the brace is of a type's definition, as "static struct alignas(8) s : t", and finds its name: "" of
 * an enumeration, or where there is none. */
static bool is_type_head(const char *at, const char *brace, const char **name, size_t *name_length)
{
    static const char *const words[] = {"struct", "class", "union", "enum", NULL};
    static const char *const attributes[] = {"__align__", "alignas", "__attribute__", NULL};
    bool is_type = false, is_enum = false, has_bases = false;
    size_t length;
    *name = "";
    *name_length = 0;
    while (at < brace) {
        const char *next = rd_lexer_skip(at);
        length = (size_t)(next - at);
        if (next == at) {
            has_bases = has_bases || (is_type && *at == ':' && at[1] != ':' && at[-1] != ':');
            if (!has_bases && (*at == '(' || *at == '<' || *at == '=' || *at == ','))
                return false;
            at = *at == '[' ? rd_lexer_behind(at) : at + 1;
        } else if (rd_lexer_is_one_of(at, length, attributes)) {
            at = rd_lexer_blanks(next);
            at = *at == '(' ? rd_lexer_behind(at) : at;
        } else if (has_bases || !rd_lexer_is_letter(*at) || rd_lexer_is(at, length, "final")) {
            at = next;
        } else if (rd_lexer_is_one_of(at, length, words)) {
            is_enum = is_enum || rd_lexer_is(at, length, "enum");
            is_type = true;
            at = next;
        } else if (is_type && *name_length > 0) {
            return false; /* "struct s x{3}" */
        } else {
            *name = is_type ? at : *name;
            *name_length = is_type ? length : 0;
            at = next;
        }
    }
    *name_length = is_enum ? 0 : *name_length;
    return is_type;
}

/* Goes on behind a brace that opens. */
static const char *behind_brace(struct search *search, const char *at, struct declaration *now)
{
    const bool has_value = now->from && memchr(now->from, '=', (size_t)(at - now->from));
    const char *name;
    size_t length;
    if (!now->from || has_value)
        return rd_lexer_behind(at);
    if (rd_lexer_has_one_of(now->from, at, (const char *const[]){"namespace", "extern", NULL})) {
        enter_namespace(search, now->from, at);
        now->from = NULL;
        return at + 1;
    }
    if (!is_type_head(now->from, at, &name, &length)) {
        if (memchr(now->from, '(', (size_t)(at - now->from))) /* of a function that is not known */
            now->from = NULL;
        return rd_lexer_behind(at);
    }
    if (length > 0) {
        struct scope *scope = open_scope(search, now->from, at);
        if (scope)
            add_to_path(search, scope, name, length);
        now->from = NULL;
        return at + 1;
    }
    now->body = at;
    now->rest = rd_lexer_behind(at);
    return now->rest;
}

/* Leaves a scope at its brace: behind a class, variables of it may be declared. */
static void leave(struct search *search, const char *brace, struct declaration *now)
{
    now->from = NULL;
    if (search->n_scopes == 0)
        return;
    const struct scope *scope = &search->scopes[--search->n_scopes];
    if (scope->head)
        *now = (struct declaration){scope->head, scope->brace, brace + 1, NULL};
}

/* Tells whether what is declared is a member that is no variable. */
static bool is_member(const struct search *search, const struct declaration *now)
{
    return search->n_scopes > 0 && search->scopes[search->n_scopes - 1].head &&
           !rd_lexer_has_one_of(now->from, now->end, (const char *const[]){"static", NULL});
}

static void look_outside(struct search *search)
{
    struct declaration now = {NULL, NULL, NULL, NULL};
    for (const char *at = search->text; *at;) {
        const struct rd_check_function *function = rd_check_function_from(search->functions, at);
        const char *directive = rd_lexer_directive(search->text, at), *next = rd_lexer_skip(at);
        if (function) {
            at = function->end;
            now.from = NULL;
        } else if (directive > at) {
            at = directive;
        } else if (*at == '{') {
            at = behind_brace(search, at, &now);
        } else if (*at == '(' || *at == '[') {
            at = rd_lexer_behind(at);
        } else if (*at == ';') {
            now.end = at++;
            if (now.from && !is_member(search, &now))
                look_at(search, &now, NULL);
            now.from = NULL;
        } else if (*at == '}') {
            leave(search, at++, &now);
        } else {
            if (!now.from && next > at && rd_lexer_is_letter(*at))
                now = declaration_of(at, NULL);
            at = next > at ? next : at + 1;
        }
    }
}

/* ---- static variables of functions ---- */

/* Tells whether a function surely is the host's alone, all of it. */
static bool is_of_host(struct search *search, const struct rd_check_function *one)
{
    return !one->is_device && !one->is_kernel &&
           !rd_lexer_has_one_of(one->head, one->body,
                                (const char *const[]){"constexpr", "consteval", "__attribute__",
                                                      "operator", "__device__", "__global__",
                                                      NULL}) &&
           !rd_check_marks_are_doubtful(&search->marks, one->head, one->name) &&
           !rd_lexer_has_one_of(one->body, one->end,
                                (const char *const[]){"__device__", "__global__", NULL});
}

/* Doubts words of a function that the device runs, too, in the whole or in part. Its parameters are no variables. */
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
    search->failed = search->failed || parameters.failed;
    rd_check_names_finish(&parameters);
}

/* Doubts what a static declaration of such a function has: another unit's variable may be called so. */
static void doubt_statics(struct search *search, const char *at, const char *end)
{
    const struct declaration of = declaration_of(at, end);
    struct declared declared = read_declaration(&of);
    for (size_t k = 0; k < declared.names.n; k++)
        rd_check_names_add(&search->doubtful, declared.names.all[k].word,
                           declared.names.all[k].length);
    search->failed = search->failed || declared.names.failed;
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
        while (*end && end < one->end && *end != ';')
            end = rd_lexer_pass(end);
        if (is_host)
            look_at(search, &(struct declaration){word, word, word, end}, one);
        else if (search->pass == DOUBT)
            doubt_statics(search, word, end);
    }
    /* A lambda may be of both, too. */
    const bool is_mixed =
        !one->is_device &&
        rd_lexer_has_one_of(one->body, one->end, (const char *const[]){"__host__", NULL}) &&
        rd_lexer_has_one_of(one->body, one->end, (const char *const[]){"__device__", NULL});
    const bool is_both =
        (one->is_device && one->is_host && !one->is_kernel) ||
        rd_lexer_has_one_of(one->head, one->body,
                            (const char *const[]){"constexpr", "consteval", NULL}) ||
        rd_check_marks_are_doubtful(&search->marks, one->head, one->name);
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

/* Doubts words of laws: these stand in code of the device, and may name variables of the host's. */
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

bool rd_check_host_variables_write(const struct rd_check_unit *unit, FILE *file)
{
    struct search search = {.unit = unit, .file = file};
    rd_check_marks_init(&search.marks, unit);
    look(&search, FIND);
    doubt_laws(&search);
    look(&search, DOUBT);
    fputs("__attribute__((used, section(\"rd_host_names\"))) static const char __rd_host_names[] = "
          "\"\"",
          file);
    for (size_t k = 0; k < search.doubtful.n; k++)
        fprintf(file, "\n\"-%.*s\\0\"", (int)search.doubtful.all[k].length,
                search.doubtful.all[k].word);
    if (search.marks.knows_macros)
        look(&search, WRITE);
    fputs(";\n", file);
    const bool done = !search.failed && !search.found.failed && !search.doubtful.failed &&
                      !rd_check_marks_failed(&search.marks);
    rd_check_names_finish(&search.found);
    rd_check_names_finish(&search.doubtful);
    rd_check_marks_finish(&search.marks);
    return done;
}
