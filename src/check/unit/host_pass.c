// SPDX-License-Identifier: MIT
#include "check/unit/host_pass.h"
#include "check/unit/arch_condition.h"
#include "check/unit/unit.h"
#include "base/array.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ARCH "__CUDA_ARCH__"

static bool has_word(const char *at, const char *end, const char *text)
{
    const struct rd_check_name one = {text, strlen(text)};
    const struct rd_check_names words = {.all = (struct rd_check_name *)&one, .n = 1};
    return rd_check_names_have_one_of(&words, at, end);
}

/* ---- macros ---- */

/* The name that a directive defines; NULL: it is another. */
static const char *defined_by(const char *at, const char *end, size_t *length)
{
    size_t n;
    const char *word = end > at ? rd_lexer_word(at + 1, &n) : NULL;
    if (!word || word >= end || !rd_lexer_is(word, n, "define"))
        return NULL;
    const char *name = rd_lexer_word(word + n, length);
    return name && name < end ? name : NULL;
}

/* Calls for each macro that a text, up to its end, defines. */
static void visit_defined(const char *text, const char *from, const char *to,
                          void (*visit)(void *self, const char *name, size_t length,
                                        const char *directive, const char *end),
                          void *self)
{
    size_t length;
    for (const char *at = from; at < to;) {
        const char *end = rd_lexer_directive(text, at), *next = rd_lexer_skip(at);
        const char *name = defined_by(at, end, &length);
        if (name)
            visit(self, name, length, at, end);
        at = end > at ? end : next > at ? next : at + 1;
    }
}

static void add_defined(void *self, const char *name, size_t length, const char *directive,
                        const char *end)
{
    struct rd_check_host_pass *pass = self;
    (void)directive;
    (void)end;
    rd_check_names_add(&pass->defined, name, length);
}

/* Adds a macro whose text says one of the words. */
static void add_word(void *self, const char *name, size_t length, const char *directive,
                     const char *end)
{
    struct rd_check_host_pass *pass = self;
    (void)directive;
    if (rd_check_names_have_one_of(&pass->words, name + length, end))
        rd_check_names_add(&pass->words, name, length);
}

static struct rd_check_pass_macro *macro_of(struct rd_check_host_pass *pass, const char *name,
                                            size_t length)
{
    for (size_t k = 0; k < pass->n_macros; k++)
        if (pass->macros[k].length == length && strncmp(pass->macros[k].name, name, length) == 0)
            return &pass->macros[k];
    if (!rd_array_make_room(&pass->macros, pass->n_macros, &pass->capacity, sizeof *pass->macros)) {
        pass->words.failed = true;
        return NULL;
    }
    pass->macros[pass->n_macros] = (struct rd_check_pass_macro){.name = name, .length = length};
    rd_check_names_add(&pass->words, name, length);
    return &pass->macros[pass->n_macros++];
}

static void add_host(void *self, const char *name, size_t length, const char *directive,
                     const char *end)
{
    struct rd_check_pass_macro *macro = macro_of(self, name, length);
    if (macro) {
        macro->host = directive;
        macro->host_end = end;
    }
}

static void add_device(void *self, const char *name, size_t length, const char *directive,
                       const char *end)
{
    struct rd_check_pass_macro *macro = macro_of(self, name, length);
    if (macro) {
        macro->device = directive;
        macro->device_end = end;
    }
}

/* ---- outside of functions ---- */

/* Tells whether a branch has more than macros and what is the device's alone. */
static bool is_for_host(const struct rd_check_branch *branch, const char *text,
                        const struct rd_check_functions *functions)
{
    static const char *const marks[] = {"__device__", "__constant__", "__global__", NULL};
    bool is_begun = false, is_device = false; /* of a declaration */
    for (const char *at = branch->from; at && at < branch->to;) {
        const struct rd_check_function *function = rd_check_function_from(functions, at);
        if (function) {
            if (function->is_host)
                return true;
            at = function->end;
            continue;
        }
        const char *end = rd_lexer_directive(text, at), *next = rd_lexer_skip(at);
        if (end > at) {
            at = end;
            continue;
        }
        if (*at == ';') {
            if (is_begun && !is_device)
                return true;
            is_begun = is_device = false;
        } else if (next > at && rd_lexer_is_letter(*at)) {
            is_begun = true;
            is_device = is_device || rd_lexer_is_one_of(at, (size_t)(next - at), marks);
        }
        at = next > at ? next : at + 1;
    }
    return is_begun && !is_device;
}

static void refuse(struct rd_check_host_pass *pass, const char *file, const char *text,
                   const char *at, const char *why)
{
    if (pass->refused_why)
        return;
    pass->refused_file = file;
    pass->refused_line = rd_lexer_line(text, at);
    pass->refused_why = why;
}

static void look_outside(struct rd_check_host_pass *pass, const char *file, const char *text,
                         const struct rd_check_functions *functions)
{
    struct rd_check_arch_group group;
    for (const char *at = text; *at;) {
        const struct rd_check_function *function = rd_check_function_from(functions, at);
        const char *end = rd_lexer_directive(text, at), *next = rd_lexer_skip(at);
        if (function) {
            at = function->end;
        } else if (rd_check_arch_group_read(&group, text, at, &pass->words, &pass->defined) &&
                   group.differs) {
            if (is_for_host(&group.host, text, functions) ||
                (group.device.from && is_for_host(&group.device, text, functions)))
                refuse(pass, file, text, at,
                       "here '" ARCH "' gives the host other declarations than the device, and "
                       "Reductio compiles both at once: ask for it within the functions");
            if (group.host.from)
                visit_defined(text, group.host.from, group.host.to, add_host, pass);
            if (group.device.from)
                visit_defined(text, group.device.from, group.device.to, add_device, pass);
            at = group.end;
        } else {
            at = end > at ? end : next > at ? next : at + 1;
        }
    }
}

/* ---- in functions ---- */

enum treatment { AS_IT_IS, OF_HOST, OF_BOTH };

static enum treatment treatment_of(const struct rd_check_host_pass *pass,
                                   const struct rd_check_function *function)
{
    if (!function->is_host ||
        !rd_check_names_have_one_of(&pass->words, function->head, function->end))
        return AS_IT_IS;
    return function->is_device || has_word(function->head, function->body, "constexpr") ? OF_BOTH
                                                                                        : OF_HOST;
}

static void look_inside(struct rd_check_host_pass *pass, const char *file, const char *text,
                        const struct rd_check_functions *functions)
{
    for (size_t k = 0; k < functions->n; k++) {
        const struct rd_check_function *one = &functions->all[k];
        const enum treatment treatment = treatment_of(pass, one);
        if (treatment == OF_HOST && has_word(one->body, one->end, "__device__"))
            refuse(pass, file, text, one->body,
                   "this function of the host has a lambda of the device's, and asks for "
                   "'" ARCH
                   "': Reductio compiles both at once: give the lambda a function of its own "
                   "to ask in");
        if (treatment == OF_BOTH && has_word(one->body, one->end, "goto"))
            refuse(pass, file, text, one->body,
                   "this function of the host and the device asks for '" ARCH "' and has a 'goto': "
                   "Reductio compiles both at once, and can't make two functions of it");
    }
}

static const struct rd_check_functions *functions_of(const struct rd_check_unit *unit, size_t k,
                                                     const char **file, const char **text)
{
    *file = k == 0 ? unit->options->file : unit->includes.all[k - 1].path;
    *text = k == 0 ? unit->text : unit->includes.all[k - 1].text;
    return k == 0 ? &unit->functions : &unit->includes.all[k - 1].functions;
}

void rd_check_host_pass_init(struct rd_check_host_pass *pass, const struct rd_check_unit *unit)
{
    const char *file, *text;
    bool asks = false;
    *pass = (struct rd_check_host_pass){.n_macros = 0};
    for (size_t k = 0; k <= unit->includes.n && !asks; k++) {
        functions_of(unit, k, &file, &text);
        asks = strstr(text, ARCH) != NULL;
    }
    if (!asks)
        return;
    rd_check_names_add(&pass->words, ARCH, strlen(ARCH));
    for (const char *const *word = unit->options->compiler_args; word && *word; word++)
        if (strncmp(*word, "-D", 2) == 0)
            rd_check_names_add(&pass->defined, *word + 2, strcspn(*word + 2, "=("));
    for (unsigned round = 0; round < 2;
         round++) /* of macros made of others, whatever their order */
        for (size_t k = 0; k <= unit->includes.n; k++) {
            functions_of(unit, k, &file, &text);
            visit_defined(text, text, text + strlen(text), round ? add_word : add_defined, pass);
        }
    for (size_t k = 0; k <= unit->includes.n; k++) {
        const struct rd_check_functions *functions = functions_of(unit, k, &file, &text);
        look_outside(pass, file, text, functions);
    }
    for (size_t k = 0; k <= unit->includes.n; k++) {
        const struct rd_check_functions *functions = functions_of(unit, k, &file, &text);
        look_inside(pass, file, text, functions);
    }
}

void rd_check_host_pass_finish(struct rd_check_host_pass *pass)
{
    rd_check_names_finish(&pass->words);
    rd_check_names_finish(&pass->defined);
    free(pass->macros);
    *pass = (struct rd_check_host_pass){.n_macros = 0};
}

/* ---- changes ---- */

/* Directives by which the macros are the host's from here on, or the device's; what follows is the text's at `at`. */
static char *switch_to(const struct rd_check_host_pass *pass, bool device, const char *text,
                       const char *at)
{
    char *result = NULL;
    size_t size;
    FILE *file = open_memstream(&result, &size);
    if (!file)
        return NULL;
    fputs("\n#undef " ARCH "\n", file);
    if (device)
        fprintf(file, "#define " ARCH " %d\n", RD_CHECK_ARCH);
    for (size_t k = 0; k < pass->n_macros; k++) {
        const struct rd_check_pass_macro *macro = &pass->macros[k];
        const char *from = device ? macro->device : macro->host;
        const char *to = device ? macro->device_end : macro->host_end;
        fprintf(file, "#undef %.*s\n", (int)macro->length, macro->name);
        if (from)
            fprintf(file, "%.*s\n", (int)(to - from), from);
    }
    fprintf(file, "#line %u\n", rd_lexer_line(text, at));
    return fclose(file) == 0 ? result : NULL;
}

/* The function's body as the host has it, in its columns. */
static char *host_body(const struct rd_check_function *function, const char *text)
{
    struct rd_check_edits edits = {0};
    const struct rd_check_functions none = {0};
    char *copy = strndup(function->body, (size_t)(function->end - function->body));
    if (!copy)
        return NULL;
    rd_check_launches_replace(&edits, copy, &none, NULL);
    char *body = rd_check_edits_apply(&edits, copy), *result = NULL;
    const int column = (int)(function->body - rd_lexer_line_start(text, function->body));
    if (body && asprintf(&result, "%*s%s", column, "", body) < 0)
        result = NULL;
    rd_check_edits_finish(&edits);
    free(copy);
    free(body);
    return result;
}

static void replace(const struct rd_check_host_pass *pass, struct rd_check_edits *edits,
                    const char *text, const struct rd_check_function *function,
                    enum treatment treatment)
{
    const bool is_constant = has_word(function->head, function->body, "constexpr");
    const char *const start = function->body, *const end = function->end;
    char *host = switch_to(pass, false, text, start),
         *device = switch_to(pass, true, text, end - 1);
    char *body = treatment == OF_BOTH ? host_body(function, text) : NULL;
    edits->failed = edits->failed || !host || !device || (treatment == OF_BOTH && !body);
    if (host && device && treatment == OF_HOST) {
        rd_check_edits_add(edits, start, start, "%s", host);
        rd_check_edits_add(edits, end, end, "%s", device);
    } else if (host && device && body) {
        rd_check_edits_add(edits, start, start, "{ if (%s__rd_on_device())",
                           is_constant ? "!__builtin_is_constant_evaluated() && " : "");
        rd_check_edits_add(edits, end, end, " else%s%s%s}", host, body, device);
    }
    free(host);
    free(device);
    free(body);
}

void rd_check_host_pass_replace(const struct rd_check_host_pass *pass, struct rd_check_edits *edits,
                                const char *text, const struct rd_check_functions *functions)
{
    for (size_t k = 0; pass->words.n > 0 && k < functions->n; k++) {
        const enum treatment treatment = treatment_of(pass, &functions->all[k]);
        if (treatment != AS_IT_IS)
            replace(pass, edits, text, &functions->all[k], treatment);
    }
}
