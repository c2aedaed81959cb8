// SPDX-License-Identifier: MIT
/* Kernels of a file that is a module, too: what launches them by their names is written behind each. */
#include "check/source/lexer.h"
#include "check/source/rewrite.h"

#include <string.h>

/* Tells whether the function is a template, or declared within one: then its name alone is no function. */
static bool is_template(const struct rd_check_function *function)
{
    size_t length;
    for (const char *word = rd_lexer_word(function->head, &length); word && word < function->name;
         word = rd_lexer_word(word + length, &length))
        if (rd_lexer_is(word, length, "template"))
            return true;
    return false;
}

/* The parameters with their brackets; NULL where one has a default value, which no type has. */
static const char *parameters_of(const struct rd_check_function *function, int *length)
{
    const char *open = rd_lexer_blanks(function->name + function->name_length);
    const char *close = *open == '(' ? rd_lexer_behind(open) : open;
    if (close <= open || memchr(open, '=', (size_t)(close - open)) ||
        memchr(open, '#', (size_t)(close - open)))
        return NULL;
    *length = (int)(close - open);
    return open;
}

void rd_check_modules_register(struct rd_check_edits *edits,
                               const struct rd_check_functions *functions, unsigned *number)
{
    for (size_t k = 0; k < functions->n; k++) {
        const struct rd_check_function *function = &functions->all[k];
        int length = 0, name_length = (int)function->name_length;
        if (!function->is_kernel || is_template(function))
            continue;
        const char *parameters = parameters_of(function, &length);
        if (parameters)
            rd_check_edits_add(
                edits, function->end, function->end,
                " __RD_MODULE_KERNEL(%u, \"%.*s\", static_cast<void (*)%.*s>(&%.*s))", ++*number,
                name_length, function->name, length, parameters, name_length, function->name);
        else
            rd_check_edits_add(edits, function->end, function->end,
                               " __RD_MODULE_KERNEL(%u, \"%.*s\", &%.*s)", ++*number, name_length,
                               function->name, name_length, function->name);
    }
}
