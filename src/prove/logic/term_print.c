// SPDX-License-Identifier: MIT
/* Terms as text: for provers, and for people. */
#include "prove/logic/term_internal.h"

#include <ctype.h>
#include <string.h>

/* ---- SMT-LIB ---- */

static void write_digits(rd_wide number, FILE *out)
{
    char digits[48], *first = digits + sizeof digits - 1;
    *first = '\0';
    do {
        *--first = (char)('0' + (int)(number % 10));
        number /= 10;
    } while (number > 0);
    fputs(first, out);
}

static void write_number(rd_wide number, FILE *out)
{
    fputs(number < 0 ? "(- " : "", out);
    write_digits(number < 0 ? -number : number, out);
    fputs(number < 0 ? ")" : "", out);
}

static void write_name(const char *name, FILE *out)
{
    bool simple = isalpha((unsigned char)*name);
    for (const char *c = name; *c && simple; c++)
        simple = isalnum((unsigned char)*c) || strchr("_.@", *c);
    fprintf(out, simple ? "%s" : "|%s|", name);
}

static void write_list(const char *head, rd_term term, FILE *out)
{
    fputc('(', out);
    if (head)
        fputs(head, out);
    else
        write_name(term->name, out);
    for (unsigned k = 0; k < term->n_kids; k++) {
        fputc(' ', out);
        rd_term_write(term->kids[k], out);
    }
    fputc(')', out);
}

static void write_sum(rd_term term, FILE *out)
{
    const bool several = term->n_kids > 1 || term->number != 0;
    fputs(several ? "(+" : "", out);
    for (unsigned k = 0; k < term->n_kids; k++) {
        fputs(several ? " " : "", out);
        if (term->coefficients[k] != 1) {
            fputs("(* ", out);
            write_number(term->coefficients[k], out);
            fputc(' ', out);
        }
        rd_term_write(term->kids[k], out);
        fputs(term->coefficients[k] != 1 ? ")" : "", out);
    }
    if (term->number != 0) {
        fputc(' ', out);
        write_number(term->number, out);
    }
    fputs(several ? ")" : "", out);
}

void rd_term_write(rd_term term, FILE *out)
{
    switch (term->kind) {
    case RD_TERM_NUMBER:
        write_number(term->number, out);
        return;
    case RD_TERM_CONSTANT:
        write_name(term->name, out);
        return;
    case RD_TERM_APPLY:
    case RD_TERM_HOLDS:
        if (term->n_kids > 0)
            write_list(NULL, term, out);
        else
            write_name(term->name, out);
        return;
    case RD_TERM_SUM:
        write_sum(term, out);
        return;
    case RD_TERM_TRUE:
        fputs("true", out);
        return;
    case RD_TERM_FALSE:
        fputs("false", out);
        return;
    case RD_TERM_NOT:
        if (term->kids[0]->kind == RD_TERM_LESS) {
            fputs("(>= ", out);
            rd_term_write(term->kids[0]->kids[0], out);
            fputc(' ', out);
            rd_term_write(term->kids[0]->kids[1], out);
            fputc(')', out);
            return;
        }
        write_list("not", term, out);
        return;
    case RD_TERM_PRODUCT:
        write_list("*", term, out);
        return;
    case RD_TERM_DIV:
        write_list("div", term, out);
        return;
    case RD_TERM_MOD:
        write_list("mod", term, out);
        return;
    case RD_TERM_CHOICE:
        write_list("ite", term, out);
        return;
    case RD_TERM_AND:
        write_list("and", term, out);
        return;
    case RD_TERM_OR:
        write_list("or", term, out);
        return;
    case RD_TERM_LESS:
        write_list("<", term, out);
        return;
    default:
        write_list("=", term, out);
    }
}

/* ---- for people ---- */

/* How tightly a term binds; a part that binds less gets brackets. */
enum {
    LOOSEST,
    OR_LEVEL,
    AND_LEVEL,
    NOT_LEVEL,
    COMPARISON_LEVEL,
    SUM_LEVEL,
    TIMES_LEVEL,
    TIGHTEST
};

static void print(rd_term term, int level, FILE *out);

static void print_joined(rd_term term, const char *word, int level, FILE *out)
{
    for (unsigned k = 0; k < term->n_kids; k++) {
        fputs(k > 0 ? word : "", out);
        print(term->kids[k], level, out);
    }
}

static void print_sum(rd_term term, FILE *out)
{
    for (unsigned k = 0; k < term->n_kids; k++) {
        const rd_wide coefficient = term->coefficients[k];
        fputs(coefficient < 0 ? (k > 0 ? " - " : "-") : (k > 0 ? " + " : ""), out);
        if (coefficient != 1 && coefficient != -1) {
            write_digits(coefficient < 0 ? -coefficient : coefficient, out);
            fputc('*', out);
        }
        print(term->kids[k], TIMES_LEVEL, out);
    }
    if (term->number != 0) {
        fputs(term->number < 0 ? " - " : " + ", out);
        write_digits(term->number < 0 ? -term->number : term->number, out);
    }
}

static void print_call(rd_term term, FILE *out)
{
    if (strcmp(term->name, "pow2") == 0) {
        fputs("2^", out);
        print(term->kids[0], TIGHTEST, out);
        return;
    }
    if (strcmp(term->name, "P2") == 0) {
        print(term->kids[0], COMPARISON_LEVEL, out);
        fputs(" is a power of two", out);
        return;
    }
    if (strcmp(term->name, "ceil of quotient") == 0) {
        fputs("ceil(", out);
        print(term->kids[0], TIGHTEST, out);
        fputs("/", out);
        print(term->kids[1], TIGHTEST, out);
        fputc(')', out);
        return;
    }
    const bool is_ceil = strcmp(term->name, "ceil of log2") == 0;
    fprintf(out, "%s(", is_ceil ? "ceil(log2" : term->name);
    print_joined(term, ", ", LOOSEST, out);
    fputs(is_ceil ? "))" : ")", out);
}

static int level_of(rd_term term)
{
    switch (term->kind) {
    case RD_TERM_SUM:
        return term->n_kids == 1 && term->number == 0 ? TIMES_LEVEL : SUM_LEVEL;
    case RD_TERM_PRODUCT:
    case RD_TERM_DIV:
    case RD_TERM_MOD:
        return TIMES_LEVEL;
    case RD_TERM_CHOICE:
        return LOOSEST;
    case RD_TERM_NOT:
        return term->kids[0]->kind == RD_TERM_LESS || term->kids[0]->kind == RD_TERM_EQUAL
                   ? COMPARISON_LEVEL
                   : NOT_LEVEL;
    case RD_TERM_AND:
        return AND_LEVEL;
    case RD_TERM_OR:
        return OR_LEVEL;
    case RD_TERM_LESS:
    case RD_TERM_EQUAL:
    case RD_TERM_HOLDS:
        return COMPARISON_LEVEL;
    default:
        return TIGHTEST;
    }
}

static void print_pair(rd_term left, const char *word, rd_term right, int level, FILE *out)
{
    print(left, level, out);
    fputs(word, out);
    print(right, level, out);
}

static void print_bare(rd_term term, FILE *out)
{
    switch (term->kind) {
    case RD_TERM_NUMBER:
        fputs(term->number < 0 ? "-" : "", out);
        write_digits(term->number < 0 ? -term->number : term->number, out);
        return;
    case RD_TERM_SUM:
        print_sum(term, out);
        return;
    case RD_TERM_PRODUCT:
        print_joined(term, "*", TIGHTEST, out);
        return;
    case RD_TERM_DIV:
        print_pair(term->kids[0], " div ", term->kids[1], TIGHTEST, out);
        return;
    case RD_TERM_MOD:
        print_pair(term->kids[0], " mod ", term->kids[1], TIGHTEST, out);
        return;
    case RD_TERM_CHOICE:
        print(term->kids[0], OR_LEVEL, out);
        print_pair(term->kids[1], " : ", term->kids[2], SUM_LEVEL, (fputs(" ? ", out), out));
        return;
    case RD_TERM_NOT:
        if (term->kids[0]->kind == RD_TERM_LESS) {
            print_pair(term->kids[0]->kids[1], " <= ", term->kids[0]->kids[0], SUM_LEVEL, out);
        } else if (term->kids[0]->kind == RD_TERM_EQUAL) {
            print_pair(term->kids[0]->kids[0], " != ", term->kids[0]->kids[1], SUM_LEVEL, out);
        } else {
            fputs("not ", out);
            print(term->kids[0], TIGHTEST, out);
        }
        return;
    case RD_TERM_AND:
        print_joined(term, " and ", NOT_LEVEL, out);
        return;
    case RD_TERM_OR:
        print_joined(term, " or ", AND_LEVEL, out);
        return;
    case RD_TERM_LESS:
        print_pair(term->kids[0], " < ", term->kids[1], SUM_LEVEL, out);
        return;
    case RD_TERM_EQUAL:
        print_pair(term->kids[0], " = ", term->kids[1], SUM_LEVEL, out);
        return;
    case RD_TERM_APPLY:
    case RD_TERM_HOLDS:
        print_call(term, out);
        return;
    case RD_TERM_TRUE:
        fputs("true", out);
        return;
    case RD_TERM_FALSE:
        fputs("false", out);
        return;
    default:
        fputs(term->name, out);
    }
}

static void print(rd_term term, int level, FILE *out)
{
    const bool brackets = level_of(term) < level;
    fputs(brackets ? "(" : "", out);
    print_bare(term, out);
    fputs(brackets ? ")" : "", out);
}

void rd_term_print(rd_term term, FILE *out)
{
    print(term, LOOSEST, out);
}
