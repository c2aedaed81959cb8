// SPDX-License-Identifier: MIT
/* Calls whose results are dropped or not: the host's of CUDA's runtime, and exchanges of kernels; and which kernels the host names
 * by their addresses. */
#include "check/source/rewrite.h"
#include "check/source/lexer.h"

#include <ctype.h>
#include <string.h>

/* Behind the last character in front of a place that is neither blank nor of a comment; comments of a line are not known from
 * behind, and leave that at what they end with. */
static const char *before(const char *text, const char *at)
{
    for (;;) {
        while (at > text && isspace((unsigned char)at[-1]))
            at--;
        if (at - text < 4 || strncmp(at - 2, "*/", 2) != 0)
            return at;
        const char *start = at - 2;
        while (start > text && strncmp(start, "/*", 2) != 0)
            start--;
        at = start;
    }
}

static bool ends_in_word(const char *text, const char *end, const char *word)
{
    size_t length = strlen(word);
    return (size_t)(end - text) >= length && strncmp(end - length, word, length) == 0 &&
           ((size_t)(end - text) == length || !rd_lexer_is_letter(end[-(ptrdiff_t)length - 1]));
}

/* Returns the bracket that the one before `end` closes. */
static const char *bracket_before(const char *text, const char *end)
{
    int depth = 0;
    do {
        end--;
        depth += (*end == ')') - (*end == '(');
    } while (end > text && depth > 0);
    return end;
}

/* Tells whether what stands there is a statement from its first character on. */
static bool begins_statement(const char *text, const char *at)
{
    const char *end = before(text, at);
    const char *line = rd_lexer_line_start(text, end);
    const char *comment = strstr(line, "//"); /* behind it, nothing of the line counts */
    if (comment && comment < end)
        return begins_statement(text, comment);
    if (end > text && end[-1] == ')') {
        const char *open = bracket_before(text, end);
        const char *head = before(text, open);
        const bool is_void = strncmp(rd_lexer_blanks(open + 1), "void", 4) == 0;
        /* "if (x) f();", but not "y = (int)f();" */
        return is_void ? begins_statement(text, open)
                       : head > text && rd_lexer_is_letter(head[-1]) &&
                             !ends_in_word(text, head, "return");
    }
    return end > text && (strchr(";{}", end[-1]) || ends_in_word(text, end, "else") ||
                          ends_in_word(text, end, "do"));
}

/* Tells whether it is a name of the driver's or of NVRTC's. Those of others begin with "cu", too. */
static bool is_of_driver(const char *word, size_t length)
{
    static const char *const beginnings[] = {
        "cuInit",   "cuCtx",   "cuDevice", "cuMem",   "cuModule", "cuFunc",    "cuLaunch",
        "cuStream", "cuEvent", "cuLink",   "cuArray", "cuTexObj", "cuSurfObj", "nvrtc"};
    for (size_t k = 0; k < sizeof beginnings / sizeof *beginnings; k++) {
        const size_t n = strlen(beginnings[k]);
        if (length >= n && strncmp(word, beginnings[k], n) == 0 &&
            (length == n || isupper((unsigned char)word[n]) || islower((unsigned char)word[n - 1])))
            return true;
    }
    return false;
}

/* Tells whether it is a name of the runtime's, or of a library's that the simulator has. */
static bool is_of_cuda(const char *word, size_t length)
{
    static const char *const beginnings[] = {"cuda", "cublas", "cufft", "curand", "cusparse"};
    for (size_t k = 0; k < sizeof beginnings / sizeof *beginnings; k++) {
        size_t n = strlen(beginnings[k]);
        if (length > n && strncmp(word, beginnings[k], n) == 0 && isupper((unsigned char)word[n]))
            return true;
    }
    return is_of_driver(word, length);
}

/* Tells whether it is a function whose error a statement of its own drops. */
static bool returns_error(const char *word, size_t length)
{
    static const char *const others[] = {"cudaGetLastError",    "cudaPeekAtLastError",
                                         "cudaGetErrorString",  "cudaGetErrorName",
                                         "nvrtcGetErrorString", NULL};
    static const char *const others_of_libraries[] = {
        "cublasGetStatusName", "cublasGetStatusString", "cusparseGetErrorName",
        "cusparseGetErrorString", NULL};
    return is_of_cuda(word, length) && !rd_lexer_is_one_of(word, length, others) &&
           !rd_lexer_is_one_of(word, length, others_of_libraries);
}

/* Tells whether the name is a macro of the file's, or sounds like one of its headers': no function of CUDA's that fails has such
 * a word in its name. */
static bool is_macro(const char *text, const char *name, size_t length)
{
    static const char *const words[] = {"Check", "CHECK", "Err", "Safe", "Assert", "Call"};
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        if (memmem(name, length, words[k], strlen(words[k])))
            return true;
    for (const char *at = text; (at = strstr(at, "define")); at++) {
        size_t n;
        const char *word = rd_lexer_word(at + strlen("define"), &n);
        if (word && n == length && strncmp(word, name, length) == 0 &&
            rd_lexer_is_in_directive(text, at))
            return true;
    }
    return false;
}

static void replace_dropped(struct rd_check_edits *edits, const char *text, const char *word,
                            size_t length)
{
    const char *open = rd_lexer_blanks(word + length);
    if (*open != '(' || !returns_error(word, length))
        return;
    const char *behind = rd_lexer_blanks(rd_lexer_behind(open));
    if (*behind == ';' && begins_statement(text, word) && !is_macro(text, word, length))
        rd_check_edits_add(edits, word, word, "__rd_drops(), ");
}

/* ---- kernels ---- */

static bool is_kernel(const struct rd_check_functions *functions, const char *word, size_t length)
{
    for (size_t k = 0; k < functions->n; k++)
        if (functions->all[k].is_kernel && functions->all[k].name_length == length &&
            strncmp(functions->all[k].name, word, length) == 0)
            return true;
    return false;
}

/* Tells whether a cast to a pointer to void ends there: "(const void *)". */
static bool ends_in_cast(const char *text, const char *end)
{
    if (end == text || end[-1] != ')')
        return false;
    const char *at = end - 1, *word;
    while (at > text && (rd_lexer_is_letter(at[-1]) || strchr(" *\t", at[-1])))
        at--;
    size_t length;
    for (word = rd_lexer_word(at, &length); word && word < end;
         word = rd_lexer_word(word + length, &length))
        if (rd_lexer_is(word, length, "void"))
            return at > text && at[-1] == '(' && memchr(word, '*', (size_t)(end - word));
    return false;
}

/* "(void *)k<int>" is "(void *)__rd_known(k<int>)". */
static void replace_address(struct rd_check_edits *edits, const char *text, const char *word,
                            size_t length)
{
    const char *start = word, *behind = rd_lexer_blanks(word + length);
    while (start - text >= 2 && strncmp(start - 2, "::", 2) == 0) {
        start -= 2;
        while (start > text && rd_lexer_is_letter(start[-1]))
            start--;
    }
    if (*behind == '<' && rd_lexer_launch_sign(behind, '<') == 0)
        behind = rd_lexer_behind_angles(behind, behind + strcspn(behind, ";{}"));
    else
        behind = word + length;
    const char *next = rd_lexer_blanks(behind);
    const char *end = before(text, start);
    if (end > text && end[-1] == '&') {
        start = end - 1;
        end = before(text, start);
    }
    if (*next == '(' || rd_lexer_launch_sign(next, '<') > 0 || !ends_in_cast(text, end))
        return;
    rd_check_edits_add(edits, start, start, "__rd_known(");
    rd_check_edits_add(edits, behind, behind, ", \"%.*s\")", (int)length, word);
}

/* main gets another name, and what has another name does not return 0 by itself. */
static void end_main(struct rd_check_edits *edits, const struct rd_check_function *function)
{
    size_t length;
    const char *type = rd_lexer_word(function->head, &length);
    bool is_void = false;
    for (; type && type < function->name; type = rd_lexer_word(type + length, &length))
        is_void = is_void || rd_lexer_is(type, length, "void");
    if (rd_lexer_is(function->name, function->name_length, "main") && !is_void)
        rd_check_edits_add(edits, function->end - 1, function->end - 1, "return 0;");
}

void rd_check_host_calls_replace(struct rd_check_edits *edits, const char *text,
                                 const struct rd_check_functions *functions)
{
    size_t length;
    for (size_t k = 0; k < functions->n; k++)
        end_main(edits, &functions->all[k]);
    for (const char *word = rd_lexer_word(text, &length); word;
         word = rd_lexer_word(word + length, &length)) {
        bool is_call = is_of_cuda(word, length);
        if ((!is_call && !is_kernel(functions, word, length)) ||
            rd_lexer_is_in_directive(text, word) || !rd_check_function_at(functions, word) ||
            rd_check_function_is_device(functions, word))
            continue;
        if (is_call)
            replace_dropped(edits, text, word, length);
        else
            replace_address(edits, text, word, length);
    }
}

void rd_check_exchanges_replace(struct rd_check_edits *edits, const char *text,
                                const struct rd_check_functions *functions)
{
    static const char *const names[] = {"atomicExch", "atomicExch_block", "atomicExch_system",
                                        NULL};
    size_t length;
    for (size_t k = 0; k < functions->n; k++) /* it has its own */
        if (rd_lexer_is_one_of(functions->all[k].name, functions->all[k].name_length, names))
            return;
    for (const char *word = rd_lexer_word(text, &length); word;
         word = rd_lexer_word(word + length, &length)) {
        const char *open = rd_lexer_blanks(word + length);
        if (*open == '(' && rd_lexer_is_one_of(word, length, names) &&
            *rd_lexer_blanks(rd_lexer_behind(open)) == ';' && begins_statement(text, word) &&
            rd_check_function_is_device(functions, word))
            rd_check_edits_add(edits, word, word + length, "__rd_set_%.*s", (int)length, word);
    }
}
