// SPDX-License-Identifier: MIT
#include "check/launches.h"
#include "check/lexer.h"

#include <ctype.h>
#include <string.h>

/* Whether what stands before `at` is part of a name: also with namespaces, and pasted by ##. */
static bool is_behind_name(const char *text, const char *at)
{
    return at > text &&
           (rd_lexer_is_letter(at[-1]) || at[-1] == '#' ||
            (at - text >= 2 && strncmp(at - 2, "::", 2) == 0) || (at[-1] == ':' && *at == ':'));
}

/* Behind what a member is of: "a." or "p->"; `at` itself where nothing of the kind is there. */
static const char *owner_before(const char *text, const char *at)
{
    if (at > text && at[-1] == '.')
        return at - 1;
    return at - text >= 2 && strncmp(at - 2, "->", 2) == 0 ? at - 2 : at;
}

/* Where the bracket opens that closes before `at`. Of "<" and ">" only those count that stand outside
 * parentheses, where they may compare. */
static const char *bracket_before(const char *text, const char *at, char open, char close)
{
    int depth = 0, parentheses = 0;
    do {
        at--;
        parentheses += (*at == ')') - (*at == '(');
        if (open == '(' || parentheses == 0)
            depth += (*at == close) - (*at == open);
    } while (at > text && depth > 0);
    return at;
}

static const char *spaces_before(const char *text, const char *at)
{
    while (at > text && isspace((unsigned char)at[-1]))
        at--;
    return at;
}

/* Where the kernel begins whose launch operator is at `at`: a name, with template arguments, or a
 * pointer to it. */
static const char *kernel_before(const char *text, const char *at)
{
    at = spaces_before(text, at);
    if (at > text && at[-1] == '>')
        at = spaces_before(text, bracket_before(text, at, '<', '>'));
    for (;;) {
        while (at > text && (at[-1] == ')' || at[-1] == ']'))
            at = at[-1] == ')' ? bracket_before(text, at, '(', ')')
                               : bracket_before(text, at, '[', ']');
        while (is_behind_name(text, at))
            at--;
        const char *owner = owner_before(text, at);
        if (owner == at)
            return at;
        at = spaces_before(text, owner);
    }
}

/* Behind the ">>>" that ends the launch operator before `at`; NULL where there is none. A ">>>" in
 * parentheses belongs to what stands there. */
static const char *behind_operator(const char *at)
{
    int parentheses = 0;
    while (*at && *at != ';') {
        const char *next = rd_lexer_skip(at);
        if (next > at) {
            at = next;
            continue;
        }
        parentheses += (*at == '(') - (*at == ')');
        if (parentheses == 0 && strncmp(at, ">>>", 3) == 0)
            return at + 3;
        at++;
    }
    return NULL;
}

/* Whether the kernel that is launched there, "n::k<int>", has the name of this one. */
static bool names_kernel(const char *name, const char *kernel)
{
    const struct {
        const char *at;
        size_t length;
    } names[] = {{name, strcspn(name, "< \t\n")}, {kernel, strcspn(kernel, "<( ")}};
    size_t start[2], length[2];
    for (unsigned k = 0; k < 2; k++) {
        start[k] = names[k].length;
        while (start[k] > 0 && names[k].at[start[k] - 1] != ':')
            start[k]--;
        length[k] = names[k].length - start[k];
    }
    return length[0] == length[1] && strncmp(name + start[0], kernel + start[1], length[0]) == 0;
}

/* ---- whose ---- */

/* Whether a macro, whose text this place is in, is used in the device's code. */
static bool is_of_device(const char *text, const struct rd_check_functions *functions,
                         const char *at)
{
    size_t length, n;
    const char *start = rd_lexer_line_start(text, at);
    while (start - text >= 2 && start[-2] == '\\')
        start = rd_lexer_line_start(text, start - 1);
    const char *define = rd_lexer_word(start, &n), *name = rd_lexer_word(define + n, &length);
    if (!name || name >= at)
        return false;
    for (const char *word = rd_lexer_word(text, &n); word; word = rd_lexer_word(word + n, &n))
        if (n == length && strncmp(word, name, n) == 0 &&
            rd_check_function_is_device(functions, word))
            return true;
    return false;
}

static bool is_on_device(const char *text, const struct rd_check_functions *functions,
                         const char *at)
{
    return rd_lexer_is_in_directive(text, at) ? is_of_device(text, functions, at)
                                              : rd_check_function_is_device(functions, at);
}

/* ---- the file ---- */

/* One launch: k <<< g, b >>> (x). */
struct launch {
    const char *kernel, *open, *close; /* k, and its two signs */
    const char *arguments, *end;       /* the parenthesis behind it, and behind that */
};

static bool find(const char *text, const char *at, struct launch *launch)
{
    const char *behind = strncmp(at, "<<<", 3) == 0 ? behind_operator(at + 3) : NULL;
    if (!behind)
        return false;
    *launch = (struct launch){
        .kernel = kernel_before(text, at),
        .open = at,
        .close = behind - 3,
        .arguments = rd_lexer_blanks(behind),
    };
    launch->end = *launch->arguments == '(' ? rd_lexer_behind(launch->arguments) : behind;
    return true;
}

static void replace(struct rd_check_edits *edits, const struct launch *launch, bool on_device)
{
    if (!on_device) {
        rd_check_edits_add(edits, launch->kernel, launch->end, "__rd_host()");
        return;
    }
    rd_check_edits_add(edits, launch->kernel, launch->kernel, "__RD_LAUNCH(");
    rd_check_edits_add(edits, launch->open, launch->open + 3, ")(");
    rd_check_edits_add(edits, launch->close, launch->close + 3, ")");
}

struct rd_check_launches rd_check_launches_replace(struct rd_check_edits *edits, const char *text,
                                                   const struct rd_check_functions *functions,
                                                   const char *kernel)
{
    struct rd_check_launches n = {0, 0};
    struct launch launch;
    for (const char *at = text; *at;) {
        const char *next = rd_lexer_skip(at);
        if (next > at) {
            at = next;
        } else if (find(text, at, &launch)) {
            bool on_device = is_on_device(text, functions, launch.kernel);
            n.of_kernel += names_kernel(launch.kernel, kernel);
            n.on_device += on_device;
            replace(edits, &launch, on_device);
            at = on_device ? launch.close + 3 : launch.end;
        } else {
            at++;
        }
    }
    return n;
}
