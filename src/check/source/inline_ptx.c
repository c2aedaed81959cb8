// SPDX-License-Identifier: MIT
/* Makes a call of an asm statement:
 *
 *     asm volatile("add.u32 %0, %1, 1;" : "=r"(y) : "r"(x) : "memory");
 *
 *     do { uint64_t __rd_v[] = {0, __rd_ptx_in(x), 0};
 *          const uint64_t __rd_w = rd_sim_ptx("add.u32 %0, %1, 1;", "" "=r" "," "r", __rd_v, __FILE__, __RD_SIM_BARRIER);
 *          (void)__rd_w; if (__rd_w >> 0 & 1) y = __rd_ptx_out<decltype(y)>(__rd_v[0]); } while (0)
 *
 * Each operand stays on its line, but for those in a macro. */
#include "check/source/rewrite.h"
#include "check/source/lexer.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { OPERANDS_MAX = 64 };

struct operand {
    const char *name, *name_end;             /* [name]; NULL: none */
    const char *constraint, *constraint_end; /* "=r", or a macro that is that */
    const char *value, *value_end;           /* within its parentheses */
    bool is_out;
};

struct statement {
    const char *start, *template, *template_end, *end;
    struct operand operands[OPERANDS_MAX];
    unsigned n;
    bool has_template; /* that is not empty */
};

/* ---- reading ---- */

static bool is_asm(const char *word, size_t length)
{
    static const char *const words[] = {"asm", "__asm__", "__asm", NULL};
    return rd_lexer_is_one_of(word, length, words);
}

/* At the parenthesis of an asm statement; NULL where it is none. */
static const char *open_of(const char *word, size_t length)
{
    static const char *const qualifiers[] = {"volatile", "__volatile__", "__volatile",
                                             "goto",     "inline",       NULL};
    if (!is_asm(word, length))
        return NULL;
    const char *at = rd_lexer_blanks(word + length);
    for (size_t k = 0; qualifiers[k]; k++) {
        size_t size = strlen(qualifiers[k]);
        if (strncmp(at, qualifiers[k], size) == 0 && !rd_lexer_is_letter(at[size])) {
            at = rd_lexer_blanks(at + size);
            k = (size_t)-1;
        }
    }
    return *at == '(' ? at : NULL;
}

/* The next of these characters outside of strings, comments and brackets; else `end`. */
static const char *next_of(const char *at, const char *end, const char *characters)
{
    while (at < end && !strchr(characters, *at)) {
        const char *next = rd_lexer_skip(at);
        at = next > at ? next : *at == '(' || *at == '[' ? rd_lexer_behind(at) : at + 1;
    }
    return at < end ? at : end;
}

static const char *trim(const char *start, const char *end)
{
    while (end > start && isspace((unsigned char)end[-1]))
        end--;
    return end;
}

static bool read_operand(struct statement *s, const char *at, const char *end, bool is_out)
{
    struct operand *o = &s->operands[s->n];
    *o = (struct operand){.is_out = is_out};
    at = rd_lexer_blanks(at);
    if (at >= end)
        return true;
    if (*at == '[') {
        o->name = at;
        o->name_end = rd_lexer_behind(at);
        at = rd_lexer_blanks(o->name_end);
    }
    const char *open = next_of(at, end, "(");
    if (open >= end || s->n + 1 == OPERANDS_MAX)
        return false;
    o->constraint = at;
    o->constraint_end = trim(at, open);
    o->value = open + 1;
    o->value_end = rd_lexer_behind(open) - 1;
    s->n++;
    return o->value_end < end;
}

static bool read_operands(struct statement *s, const char *at, const char *end, bool is_out)
{
    while (at < end) {
        const char *comma = next_of(at, end, ",");
        if (!read_operand(s, at, comma, is_out))
            return false;
        at = comma + 1;
    }
    return true;
}

/* False where it is none, or one of another form. */
static bool read_statement(struct statement *s, const char *word, size_t length)
{
    const char *open = open_of(word, length);
    if (!open)
        return false;
    *s = (struct statement){.start = word, .end = rd_lexer_behind(open)};
    const char *end = s->end - 1, *colon = next_of(open + 1, end, ":");
    s->template = rd_lexer_blanks(open + 1);
    s->template_end = trim(s->template, colon);
    for (const char *at = s->template; at < s->template_end && !s->has_template;)
        if (strncmp(at, "\"\"", 2) == 0)
            at = rd_lexer_blanks(at + 2);
        else
            s->has_template = true;
    for (unsigned section = 0; section < 2 && colon < end; section++) {
        const char *next = next_of(colon + 1, end, ":");
        if (!read_operands(s, colon + 1, next, section == 0))
            return false;
        colon = next;
    }
    return true;
}

/* ---- whose it is ---- */

/* "=r", also with a macro before or behind it, as "=" WIDTH. */
static bool is_constraint(const struct operand *o)
{
    bool is_quoted = false;
    for (const char *at = o->constraint; at < o->constraint_end; at++)
        if (*at == '"')
            is_quoted = !is_quoted;
        else if (is_quoted && !strchr("=+&% rlhfdnC", *at))
            return false;
    return true;
}

/* Tells whether it may be PTX: its constraints are letters that nvcc has, and its text has instructions that end with a semicolon. */
static bool is_ptx(const struct statement *s)
{
    for (unsigned k = 0; k < s->n; k++)
        if (!is_constraint(&s->operands[k]))
            return false;
    return !s->has_template || *s->template != '"' ||
           memchr(s->template, ';', (size_t)(s->template_end - s->template));
}

/* ---- writing ---- */

/* The output goes on at this line and in this column, outside of directives. */
static void put_place(FILE *out, const char *text, const char *at, bool in_directive)
{
    if (in_directive)
        return;
    fprintf(out, "\n#line %u\n", rd_lexer_line(text, at));
    for (const char *c = rd_lexer_line_start(text, at); c < at; c++)
        fputc(*c == '\t' ? '\t' : ' ', out);
}

/* A directive, as #if around a part of the template, on lines of its own. */
static const char *put_directive(FILE *out, const char *at, const char *directive_end)
{
    fputc('\n', out);
    fwrite(at, 1, (size_t)(directive_end - at), out);
    fputc('\n', out);
    return directive_end;
}

/* On one line, but for directives, without comments. `text` is where the file begins. */
static void put(FILE *out, const char *text, const char *at, const char *end)
{
    while (at < end) {
        const char *directive_end = rd_lexer_directive(text, at);
        if (directive_end > at) {
            at = put_directive(out, at, directive_end);
            continue;
        }
        bool is_comment = at[0] == '/' && (at[1] == '/' || at[1] == '*');
        const char *next = rd_lexer_skip(at);
        if (is_comment || (at[0] == '\\' && at[1] == '\n')) {
            fputc(' ', out);
            at = is_comment ? next : at + 2;
        } else if (next > at) {
            for (; at < next && at < end; at++)
                if (at[0] == '\\' && at[1] == '\n')
                    at++;
                else
                    fputc(*at == '\n' ? ' ' : *at, out);
        } else {
            fputc(*at == '\n' ? ' ' : *at, out);
            at++;
        }
    }
}

static bool is_read(const struct operand *o)
{
    return !o->is_out || memchr(o->constraint, '+', (size_t)(o->constraint_end - o->constraint));
}

static void write_values(const struct statement *s, const char *text, bool in_directive, FILE *out)
{
    fputs("do { __UINT64_TYPE__ __rd_v[] = {", out);
    for (unsigned k = 0; k < s->n; k++) {
        const struct operand *o = &s->operands[k];
        if (is_read(o)) {
            fputs("__rd_ptx_in(", out);
            put_place(out, text, o->value, in_directive);
            put(out, text, o->value, o->value_end);
            fputs("), ", out);
        } else {
            fputs("0, ", out);
        }
    }
    fputs("0}; const __UINT64_TYPE__ __rd_w =", out);
}

static void write_call(const struct statement *s, const char *text, bool in_directive, FILE *out)
{
    put_place(out, text, s->start, in_directive);
    fputs(in_directive ? " rd_sim_ptx(" : "rd_sim_ptx(", out);
    put(out, text, s->template, s->template_end);
    fputs(", \"\"", out);
    for (unsigned k = 0; k < s->n; k++) {
        const struct operand *o = &s->operands[k];
        fputs(k > 0 ? " \",\" " : " ", out);
        if (o->name) {
            fputc('"', out);
            put(out, text, o->name, o->name_end);
            fputs("\" ", out);
        }
        put(out, text, o->constraint, o->constraint_end);
    }
    fputs(", __rd_v, __FILE__, __RD_SIM_BARRIER); (void)__rd_w;", out);
}

static void write_result(const struct operand *o, unsigned number, const char *text,
                         bool in_directive, FILE *out)
{
    fprintf(out, " if (__rd_w >> %u & 1) ", number);
    put_place(out, text, o->value, in_directive);
    put(out, text, o->value, o->value_end);
    fputs(" = __rd_ptx_out<decltype(", out);
    put(out, text, o->value, o->value_end);
    fprintf(out, ")>(__rd_v[%u]);", number);
}

static char *write_statement(const struct statement *s, const char *text)
{
    char *result = NULL;
    size_t size;
    FILE *out = open_memstream(&result, &size);
    bool in_directive = rd_lexer_is_in_directive(text, s->start);
    if (!out)
        return NULL;
    write_values(s, text, in_directive, out);
    write_call(s, text, in_directive, out);
    for (unsigned k = 0; k < s->n; k++)
        if (s->operands[k].is_out)
            write_result(&s->operands[k], k, text, in_directive, out);
    fputs(" } while (0)", out);
    if (!in_directive)
        fprintf(out, "\n#line %u\n", rd_lexer_line(text, s->start));
    if (fclose(out) != 0) {
        free(result);
        return NULL;
    }
    return result;
}

/* Rather than a declaration, in which asm is something else. */
static bool is_code(const char *text, const struct rd_check_functions *functions, const char *at)
{
    return rd_check_function_at(functions, at) || rd_lexer_is_in_directive(text, at);
}

void rd_check_asm_replace(struct rd_check_edits *edits, const char *text,
                          const struct rd_check_functions *functions)
{
    size_t length;
    struct statement s;
    for (const char *word = rd_lexer_word(text, &length); word;
         word = rd_lexer_word(word + length, &length)) {
        if (!is_asm(word, length) || !is_code(text, functions, word) ||
            !read_statement(&s, word, length) || (!s.has_template && s.n == 0) ||
            !(rd_check_function_is_device(functions, word) || is_ptx(&s)))
            continue;
        char *changed = write_statement(&s, text);
        if (changed)
            rd_check_edits_add(edits, s.start, s.end, "%s", changed);
        else
            edits->failed = true;
        free(changed);
    }
}
