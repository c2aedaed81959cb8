// SPDX-License-Identifier: MIT
#include "check/unit/arch_condition.h"
#include "check/source/lexer.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { BRANCHES_MAX = 16, ATOMS_MAX = 6 };

/* ---- a condition ---- */

/* Names whose definition is not known: each is taken to be one, and to be none. */
struct atoms {
    const struct rd_check_names *defined; /* macros that may be */
    struct rd_check_name all[ATOMS_MAX];
    unsigned n, set; /* bits of those that are */
};

struct reader {
    const char *at, *end;
    bool on_device;
    struct atoms *atoms;
};

/* What the headers define; 0: nothing, in any program. */
static const struct {
    const char *name;
    long value;
} known[] = {{"__CUDACC__", 1},
             {"__NVCC__", 1},
             {"__CUDACC_VER_MAJOR__", 12},
             {"__CUDACC_VER_MINOR__", 0},
             {"CUDART_VERSION", 12000},
             {"CUDA_VERSION", 12000},
             {"__cplusplus", 201703},
             {"_MSC_VER", 0},
             {"_WIN32", 0},
             {"WIN32", 0},
             {"__HIPCC__", 0},
             {"__HIP_DEVICE_COMPILE__", 0},
             {"__SYCL_DEVICE_ONLY__", 0}};

/* The value of a name, and 0 where it is not defined; what nobody knows may be large. */
static long value_of(struct reader *reader, const char *word, size_t length)
{
    struct atoms *atoms = reader->atoms;
    if (rd_lexer_is(word, length, "__CUDA_ARCH__"))
        return reader->on_device ? RD_CHECK_ARCH : 0;
    for (size_t k = 0; k < sizeof known / sizeof *known; k++)
        if (rd_lexer_is(word, length, known[k].name))
            return known[k].value;
    if (*word != '_' && !rd_check_names_have(atoms->defined, word, length))
        return 0;
    unsigned k = 0;
    while (k < atoms->n &&
           (atoms->all[k].length != length || strncmp(atoms->all[k].word, word, length) != 0))
        k++;
    if (k == ATOMS_MAX)
        return 0;
    if (k == atoms->n)
        atoms->all[atoms->n++] = (struct rd_check_name){word, length};
    return atoms->set >> k & 1 ? 1000000 : 0;
}

static void skip_blanks(struct reader *reader)
{
    const char *at = rd_lexer_blanks(reader->at);
    reader->at = at < reader->end ? at : reader->end;
}

static bool take(struct reader *reader, const char *sign)
{
    skip_blanks(reader);
    const size_t length = strlen(sign);
    if ((size_t)(reader->end - reader->at) < length || strncmp(reader->at, sign, length) != 0)
        return false;
    reader->at += length;
    return true;
}

static long read_or(struct reader *reader);

static long read_defined(struct reader *reader)
{
    size_t length;
    const bool in_parentheses = take(reader, "(");
    const char *word = rd_lexer_word(reader->at, &length);
    if (!word || word >= reader->end)
        return 0;
    reader->at = word + length;
    if (in_parentheses)
        take(reader, ")");
    return value_of(reader, word, length) != 0 || rd_lexer_is(word, length, "__CUDACC_VER_MINOR__");
}

static long read_plain(struct reader *reader)
{
    if (take(reader, "!"))
        return !read_plain(reader);
    if (take(reader, "-"))
        return -read_plain(reader);
    if (take(reader, "(")) {
        const long value = read_or(reader);
        take(reader, ")");
        return value;
    }
    skip_blanks(reader);
    if (reader->at >= reader->end)
        return 0;
    const char *start = reader->at, *next = rd_lexer_skip(start);
    const size_t length = (size_t)(next - start);
    reader->at = next > start ? next : start + 1;
    if (isdigit((unsigned char)*start))
        return strtol(start, NULL, 0);
    if (rd_lexer_is(start, length, "defined"))
        return read_defined(reader);
    if (length > 0 && reader->at < reader->end && *rd_lexer_blanks(reader->at) == '(')
        reader->at = rd_lexer_behind(rd_lexer_blanks(reader->at)); /* a macro with arguments */
    return length > 0 ? value_of(reader, start, length) : 0;
}

static long read_scaled(struct reader *reader)
{
    long value = read_plain(reader);
    for (;;) {
        if (take(reader, "*")) {
            value *= read_plain(reader);
        } else if (take(reader, "/")) {
            const long by = read_plain(reader);
            value = by ? value / by : 0;
        } else if (take(reader, "%")) {
            const long by = read_plain(reader);
            value = by ? value % by : 0;
        } else {
            return value;
        }
    }
}

static long read_sum(struct reader *reader)
{
    long value = read_scaled(reader);
    for (;;) {
        if (take(reader, "+"))
            value += read_scaled(reader);
        else if (take(reader, "-"))
            value -= read_scaled(reader);
        else
            return value;
    }
}

static long read_comparison(struct reader *reader)
{
    long value = read_sum(reader);
    for (;;) {
        if (take(reader, ">="))
            value = value >= read_sum(reader);
        else if (take(reader, "<="))
            value = value <= read_sum(reader);
        else if (take(reader, "=="))
            value = value == read_sum(reader);
        else if (take(reader, "!="))
            value = value != read_sum(reader);
        else if (take(reader, ">"))
            value = value > read_sum(reader);
        else if (take(reader, "<"))
            value = value < read_sum(reader);
        else
            return value;
    }
}

static long read_and(struct reader *reader)
{
    long value = read_comparison(reader) != 0;
    while (take(reader, "&&")) {
        const long other = read_comparison(reader) != 0;
        value = value && other;
    }
    return value;
}

static long read_or(struct reader *reader)
{
    long value = read_and(reader);
    while (take(reader, "||")) {
        const long other = read_and(reader);
        value = value || other;
    }
    return value;
}

/* ---- a group ---- */

struct branch {
    const char *word; /* "ifndef" */
    size_t length;
    const char *condition, *condition_end;
    struct rd_check_branch text;
};

struct branches {
    struct branch all[BRANCHES_MAX];
    unsigned n;
};

static bool is_true(const struct branch *branch, struct atoms *atoms, bool on_device)
{
    struct reader reader = {branch->condition, branch->condition_end, on_device, atoms};
    if (rd_lexer_is(branch->word, branch->length, "else"))
        return true;
    if (rd_lexer_is(branch->word, branch->length, "ifdef"))
        return read_defined(&reader) != 0;
    if (rd_lexer_is(branch->word, branch->length, "ifndef"))
        return read_defined(&reader) == 0;
    return read_or(&reader) != 0;
}

/* The number of the branch that is taken; their number where none is. */
static unsigned taken(const struct branches *branches, struct atoms *atoms, bool on_device)
{
    unsigned k = 0;
    while (k < branches->n && !is_true(&branches->all[k], atoms, on_device))
        k++;
    return k;
}

/* Reads all branches; returns the place behind the #endif, or NULL where there is none. */
static const char *read_branches(struct branches *branches, const char *text, const char *at)
{
    int depth = 0;
    branches->n = 0;
    while (*at) {
        const char *end = rd_lexer_directive(text, at);
        if (end == at) {
            const char *next = rd_lexer_skip(at);
            at = next > at ? next : at + 1;
            continue;
        }
        size_t length = 0;
        const char *word = rd_lexer_word(at + 1, &length);
        const bool is_word = word && word < end;
        const bool opens = is_word && length >= 2 && strncmp(word, "if", 2) == 0;
        const bool closes = is_word && rd_lexer_is(word, length, "endif");
        depth += opens;
        if (is_word && depth == 1 && (opens || closes || strncmp(word, "el", 2) == 0)) {
            if (branches->n > 0)
                branches->all[branches->n - 1].text.to = at;
            if (closes)
                return end;
            if (branches->n == BRANCHES_MAX)
                return NULL;
            branches->all[branches->n++] =
                (struct branch){word, length, word + length, end, {end, end}};
        }
        depth -= closes;
        at = end;
    }
    return NULL;
}

bool rd_check_arch_group_read(struct rd_check_arch_group *group, const char *text, const char *at,
                              const struct rd_check_names *words,
                              const struct rd_check_names *defined)
{
    struct branches branches;
    struct atoms atoms = {.defined = defined};
    size_t length;
    const char *end = rd_lexer_directive(text, at);
    const char *word = end > at ? rd_lexer_word(at + 1, &length) : NULL;
    if (!word || word >= end || length < 2 || strncmp(word, "if", 2) != 0)
        return false;
    *group = (struct rd_check_arch_group){.at = at, .end = read_branches(&branches, text, at)};
    bool asks = false;
    for (unsigned k = 0; k < branches.n; k++)
        asks = asks || rd_check_names_have_one_of(words, branches.all[k].condition,
                                                  branches.all[k].condition_end);
    if (!group->end || !asks)
        return false;
    for (atoms.set = 0; atoms.set < 1u << atoms.n || atoms.set == 0; atoms.set++) {
        const unsigned host = taken(&branches, &atoms, false),
                       device = taken(&branches, &atoms, true);
        if (host == device)
            continue;
        group->differs = true;
        if (host < branches.n)
            group->host = branches.all[host].text;
        if (device < branches.n)
            group->device = branches.all[device].text;
        break;
    }
    return true;
}
