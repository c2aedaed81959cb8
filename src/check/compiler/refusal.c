// SPDX-License-Identifier: MIT
/* Finds out why the compiler refuses a file, and changes the file so that it takes it. */
#include "base/cache_folder.h"
#include "check/compiler/compiler.h"
#include "check/compiler/headers.h"
#include "check/source/lexer.h"

#include <stdlib.h>
#include <string.h>

/* Reasons why the compiler refuses a file that nvcc would take, and what to do about it. */
struct refusal {
    const struct rd_check_unit *unit;
    /* Names that the file declares, and of these what stands in lines with an error. */
    struct rd_check_names declared, names;
    const char *feature; /* what the simulator does not know and an error is about; or NULL */
    char place[256];     /* of it: "line 12", "util.cuh:3" */
    char near[256];      /* the last place of the user's that was named */
    struct rd_check_error_lines errors;
};

/* ---- what was said ---- */

static void add_names(struct refusal *refusal, const char *at, const char *end)
{
    size_t length;
    for (const char *word = rd_lexer_word(at, &length); word && word < end;
         word = rd_lexer_word(word + length, &length))
        if (rd_check_names_have(&refusal->declared, word, length))
            rd_check_names_add(&refusal->names, word, length);
}

/* Returns what a program does that declares types of CUDA's itself, as to load its libraries by hand: "redefinition of ‘struct
 * CUuuid_st’". NULL: it is about something else. */
static const char *own_declaration(const char *said)
{
    static const char *const errors[] = {"redefinition of ", "conflicting declaration "};
    size_t length;
    for (size_t k = 0; k < sizeof errors / sizeof *errors; k++) {
        const char *error = strstr(said, errors[k]);
        for (const char *word = error ? rd_lexer_word(error + strlen(errors[k]), &length) : NULL;
             word; word = rd_lexer_word(word + length, &length))
            if (strncmp(word, "CU", 2) == 0 || strncmp(word, "cuda", 4) == 0)
                return "a program's own declarations of CUDA's interface";
    }
    return NULL;
}

/* The feature has been named by a message about a header of ours: the place is that of the user's which was named before, or its
 * first use. */
static void place_in_ours(struct refusal *refusal)
{
    const char *text = refusal->unit->text;
    unsigned line = 1;
    snprintf(refusal->place, sizeof refusal->place, "%s", refusal->near);
    for (const char *at = text; *at && !refusal->place[0]; line++) {
        const char *end = at + strcspn(at, "\n"), *found = rd_check_feature_on(text, at, end);
        if (found && strcmp(found, refusal->feature) == 0)
            snprintf(refusal->place, sizeof refusal->place, "line %u", line);
        at = *end ? end + 1 : end;
    }
}

/* Reads a message about another file: "util.cuh:3:10: ...". */
static void visit_elsewhere(struct refusal *refusal, const char *said)
{
    const char *colon = strchr(said, ':');
    size_t digits = colon ? strspn(colon + 1, "0123456789") : 0;
    if (digits == 0 || colon[1 + digits] != ':' || strncmp(said, "--kernel", 8) == 0 ||
        strstr(said, " declared here")) /* "'at::Tensor' declared here", which was only alike */
        return;
    const struct rd_check_includes *includes = &refusal->unit->includes;
    for (size_t k = 0; k < includes->n && !refusal->feature; k++) {
        const struct rd_check_included *included = &includes->all[k];
        if (strncmp(said, included->path, (size_t)(colon - said)) != 0 ||
            included->path[colon - said])
            continue;
        const char *at = rd_lexer_line_at(included->text, (unsigned)strtoul(colon + 1, NULL, 10));
        add_names(refusal, at, at + strcspn(at, "\n"));
        refusal->feature = rd_check_feature_on(included->text, at, at + strcspn(at, "\n"));
    }
    if (!refusal->feature)
        refusal->feature = rd_check_feature_named(colon + 1 + digits);
    if (!refusal->feature)
        refusal->feature = own_declaration(colon + 1 + digits);
    const char *directory = refusal->unit->directory;
    char headers[RD_CACHE_PATH_SIZE];
    rd_check_headers_find(directory, headers, sizeof headers);
    const bool is_ours =
        strncmp(said, directory, strlen(directory)) == 0 ||
        (strncmp(said, headers, strlen(headers)) == 0 && said[strlen(headers)] == '/');
    char *place = refusal->feature ? refusal->place : refusal->near;
    if (!refusal->feature && !strstr(said, " error: "))
        return;
    if (!is_ours)
        snprintf(place, sizeof refusal->place, "%.*s", (int)(colon - said + 1 + digits), said);
    else if (refusal->feature)
        place_in_ours(refusal);
}

/* Tells whether an error is about a name that says nothing of a feature, whatever else stands in its line: "‘FIXME’ was not declared
 * in this scope". */
static bool is_of_other_name(const char *said)
{
    static const char mark[] = "error: ";
    const char *error = strstr(said, mark),
               *undeclared = strstr(said, "was not declared in this scope");
    size_t length;
    const char *name = error ? rd_lexer_word(error + strlen(mark), &length) : NULL;
    if (!name || !undeclared || name > undeclared || undeclared - (name + length) > 8)
        return false;
    char word[128];
    snprintf(word, sizeof word, "%.*s", (int)length, name);
    return !rd_check_feature_named(word);
}

static void read_line(void *self, const char *said, unsigned line)
{
    struct refusal *refusal = self;
    const char *text = refusal->unit->text, *at = rd_lexer_line_at(text, line);
    const char *end = at + strcspn(at, "\n");
    if (line == 0 && !refusal->feature)
        visit_elsewhere(refusal, said);
    if (line == 0)
        return;
    if (strstr(said, " error: ") &&
        refusal->errors.n < sizeof refusal->errors.all / sizeof(unsigned))
        refusal->errors.all[refusal->errors.n++] = line;
    add_names(refusal, at, end);
    if (!refusal->feature && !is_of_other_name(said)) {
        refusal->feature = rd_check_feature_on(text, at, end);
        if (!refusal->feature && strstr(said, " has no member named ")) /* 'class at::Tensor' */
            refusal->feature = rd_check_feature_named(said);
        if (!refusal->feature)
            refusal->feature = own_declaration(said);
        snprintf(refusal->place, sizeof refusal->place, "line %u", line);
        snprintf(refusal->near, sizeof refusal->near, "line %u", line);
    }
}

/* Looks at what the compiler has said of the directory's file NAME.cpp, made of the unit. */
static void init(struct refusal *refusal, const struct rd_check_compiler *compiler,
                 const struct rd_check_unit *unit, const char *name)
{
    *refusal = (struct refusal){.unit = unit};
    rd_check_names_find_declared(&refusal->declared, unit->text, true);
    for (size_t k = 0; k < unit->includes.n; k++)
        rd_check_names_find_declared(&refusal->declared, unit->includes.all[k].text, true);
    rd_check_compiler_visit(compiler, name, unit->options->file, read_line, refusal);
}

static void finish(struct refusal *refusal)
{
    rd_check_names_finish(&refusal->declared);
    rd_check_names_finish(&refusal->names);
}

/* ---- what to do ---- */

/* The probe's line has an error: no header declares the name that stands there. */
static void drop(void *self, const char *said, unsigned line)
{
    struct rd_check_names *names = self;
    (void)said;
    if (line > 0 && line <= names->n)
        names->all[line - 1].length = 0;
}

/* Gives other names to what headers declare, too. */
static enum rd_status rename_clashing(struct refusal *refusal,
                                      const struct rd_check_compiler *compiler,
                                      struct rd_check_unit *unit, bool *changed,
                                      struct rd_error *error)
{
    struct rd_check_names *names = &refusal->names;
    size_t before = unit->others.n;
    if (names->failed || refusal->declared.failed)
        return rd_fail(error, RD_ERROR_MEMORY, "no memory for the names of '%s'",
                       unit->options->file);
    if (names->n == 0)
        return RD_OK;
    enum rd_status status = rd_check_unit_write_probe(unit, "probe", names, error);
    if (status == RD_OK)
        status = rd_check_compiler_compile(compiler, "probe", error);
    if (status != RD_OK && status != RD_ERROR_INPUT)
        return status;
    if (status == RD_ERROR_INPUT)
        rd_check_compiler_visit(compiler, "probe", "probe", drop, names);
    for (size_t k = 0; k < names->n; k++)
        if (names->all[k].length > 0)
            rd_check_names_add(&unit->others, names->all[k].word, names->all[k].length);
    *changed = unit->others.n > before;
    return RD_OK;
}

/* Tells whether there is something to take out of the file that the simulator does not know. */
static bool can_remove(const struct rd_check_unit *unit)
{
    struct rd_check_edits edits = {0};
    bool can = rd_check_features_remove(&edits, unit->text, &unit->functions, NULL);
    for (size_t k = 0; k < unit->includes.n && !can; k++)
        can = rd_check_features_remove(&edits, unit->includes.all[k].text,
                                       &unit->includes.all[k].functions, NULL);
    rd_check_edits_finish(&edits);
    return can;
}

/* Changes the unit so that it may compile; *changed tells whether there was anything to change. */
static enum rd_status evade(struct refusal *refusal, const struct rd_check_compiler *compiler,
                            struct rd_check_unit *unit, bool *changed, struct rd_error *error)
{
    *changed = !unit->removes_features && refusal->feature && can_remove(unit);
    if (*changed) {
        unit->removes_features = true;
        unit->errors = refusal->errors;
    }
    return *changed ? RD_OK : rename_clashing(refusal, compiler, unit, changed, error);
}

/* ---- compiling what is changed ---- */

/* Leaves out what the simulator does not know, and gives other names to what is also a header's, as far
 * as the compiler's errors are about these. RD_ERROR_INPUT where that is of no help. */
static enum rd_status compile_changed(const struct rd_check_compiler *compiler,
                                      struct rd_check_unit *unit, const char *name,
                                      struct rd_error *error)
{
    struct refusal refusal;
    const char *named = unit->options->kernel, *kernel = named && *named ? named : NULL;
    /* The feature that was left out at first: errors of the second try come from its absence. (Not for a kernel chosen by name:
     * the name may be wrong.) */
    const char *feature = NULL;
    char place[sizeof refusal.place] = "";
    enum rd_status status = RD_ERROR_INPUT;
    bool changed = true;
    for (unsigned k = 0; k < 3 && status == RD_ERROR_INPUT && changed; k++) {
        init(&refusal, compiler, unit, name);
        if (kernel || refusal.feature) {
            feature = refusal.feature;
            memcpy(place, refusal.place, sizeof place);
        }
        status = evade(&refusal, compiler, unit, &changed, error);
        if (status == RD_OK && changed)
            status = rd_check_unit_write(unit, name, kernel, error);
        if (status == RD_OK)
            status = changed ? rd_check_compiler_compile(compiler, name, error) : RD_ERROR_INPUT;
        if (status == RD_ERROR_INPUT && !changed && feature)
            status = rd_fail(error, RD_ERROR_DEVICE, "Reductio does not simulate %s (%s)", feature,
                             place);
        finish(&refusal);
    }
    return status;
}

enum rd_status rd_check_compile_unit(const struct rd_check_compiler *compiler,
                                     struct rd_check_unit *unit, const char *name,
                                     struct rd_error *error)
{
    enum rd_status status = rd_check_compiler_compile(compiler, name, error);
    return status == RD_ERROR_INPUT ? compile_changed(compiler, unit, name, error) : status;
}
