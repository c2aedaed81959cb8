// SPDX-License-Identifier: MIT
/* What a kernel calls the arrays of its program. */
#include "reductio/sources.h"
#include "view/parts.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* The next parameter's name, the last word before a comma or the end; NULL behind the last. */
static const char *next_parameter(const char **list, int *length)
{
    const char *end = *list + strcspn(*list, ",)"), *first = end;
    if (**list == '\0' || **list == ')')
        return NULL;
    while (first > *list && (isalnum((unsigned char)first[-1]) || first[-1] == '_'))
        first--;
    *length = (int)(end - first);
    *list = end + (*end == ',');
    return first;
}

const char *rd_kernel_names_text(const char *kernel, const struct rd_round *round,
                                 char text[RD_KERNEL_NAMES_SIZE])
{
    static const char *const names[] = {
        [RD_OPERAND_A] = "A",           [RD_OPERAND_INPUT] = "a",
        [RD_OPERAND_B] = "b",           [RD_OPERAND_SCRATCH] = "scratch",
        [RD_OPERAND_TICKET] = "ticket", [RD_OPERAND_SIZE] = NULL,
    };
    const struct rd_source *source = rd_source_of_kernel(kernel);
    char head[96];
    size_t line, at = 0;
    int length;
    text[0] = '\0';
    if (!source)
        return text;
    snprintf(head, sizeof head, "NAME(%s)(", source->name);
    const char *list = rd_source_line(source->text, source->first, &line);
    list = list ? strstr(list, head) : NULL;
    list = list ? list + strlen(head) : "";
    for (unsigned k = 0; k < round->n_operands && at < RD_KERNEL_NAMES_SIZE; k++) {
        const char *name = names[round->operands[k].kind];
        const char *its = next_parameter(&list, &length);
        if (!its)
            break;
        if (name && !(strncmp(name, its, (size_t)length) == 0 && name[length] == '\0'))
            at += (size_t)snprintf(text + at, RD_KERNEL_NAMES_SIZE - at, "%s%.*s is %s",
                                   at > 0 ? ", " : "", length, its, name);
    }
    return text;
}
