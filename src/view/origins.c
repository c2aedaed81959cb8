// SPDX-License-Identifier: MIT
#include "view/origins.h"
#include "base/append.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

const char *rd_line_text(unsigned line, const char *file, char text[RD_LINE_TEXT_SIZE])
{
    const char *name = strrchr(file, '/');
    size_t length = strlen(file);
    bool shared = length > 2 && strcmp(file + length - 2, ".h") == 0;
    snprintf(text, RD_LINE_TEXT_SIZE, "line %u%s%s", line, shared ? " of " : "",
             !shared ? ""
             : name  ? name + 1
                     : file);
    return text;
}

static void append_thread(char text[RD_ORIGIN_TEXT_SIZE], const struct rd_origin *node)
{
    char line[RD_LINE_TEXT_SIZE];
    rd_append(text, RD_ORIGIN_TEXT_SIZE, "round %u, %sthread %u of block %" PRIu64, node->step,
              node->kind == RD_ORIGIN_REGISTER ? "register of " : "", node->thread, node->block);
    if (node->line > 0)
        rd_append(text, RD_ORIGIN_TEXT_SIZE, ", %s", rd_line_text(node->line, node->file, line));
    if (node->children == 0 && !node->cut && !node->lacks)
        rd_append(text, RD_ORIGIN_TEXT_SIZE, "; made of nothing that was read");
}

const char *rd_origin_text(const struct rd_origin *node, char text[RD_ORIGIN_TEXT_SIZE])
{
    text[0] = '\0';
    switch (node->kind) {
    case RD_ORIGIN_WRITTEN:
    case RD_ORIGIN_REGISTER:
        append_thread(text, node);
        break;
    case RD_ORIGIN_ZERO:
        rd_append(text, RD_ORIGIN_TEXT_SIZE,
                  node->value == 0 ? "0 on any input" : "the same on any input");
        break;
    case RD_ORIGIN_INPUT:
        rd_append(text, RD_ORIGIN_TEXT_SIZE, "input");
        break;
    case RD_ORIGIN_START:
        rd_append(text, RD_ORIGIN_TEXT_SIZE, "as it was before the first round");
        break;
    case RD_ORIGIN_UNWRITTEN:
        rd_append(text, RD_ORIGIN_TEXT_SIZE, "nobody has written it");
        break;
    case RD_ORIGIN_OUTSIDE:
        rd_append(text, RD_ORIGIN_TEXT_SIZE, "not known: it is not there");
        break;
    case RD_ORIGIN_PUT:
        rd_append(text, RD_ORIGIN_TEXT_SIZE, "put there by you at step %u", node->step);
        break;
    }
    if (node->minus)
        rd_append(text, RD_ORIGIN_TEXT_SIZE, "; subtracted");
    if (node->cut)
        rd_append(text, RD_ORIGIN_TEXT_SIZE, ", and so on");
    if (node->lacks)
        rd_append(text, RD_ORIGIN_TEXT_SIZE, "; what it is made of is not all seen");
    return text;
}

const char *rd_origins_text(const struct rd_origins *tree, char text[RD_ORIGIN_TEXT_SIZE])
{
    text[0] = '\0';
    switch (tree->extent) {
    case RD_ORIGINS_WHOLE:
        rd_append(text, RD_ORIGIN_TEXT_SIZE,
                  "whole: it is made of just these, by runs on random inputs");
        break;
    case RD_ORIGINS_CUT:
        rd_append(text, RD_ORIGIN_TEXT_SIZE, "not whole: these are %zu values, and more are in it",
                  tree->count);
        break;
    case RD_ORIGINS_LACK:
        rd_append(text, RD_ORIGIN_TEXT_SIZE,
                  "not whole: not all that some value is made of is seen, or known");
        break;
    case RD_ORIGINS_UNCHECKED:
        rd_append(text, RD_ORIGIN_TEXT_SIZE, "not checked to be whole: %s", tree->why);
        break;
    }
    return text;
}

const char *rd_access_verb(enum rd_access_op op)
{
    static const char *const verbs[] = {
        [RD_ACCESS_READ] = "reads", [RD_ACCESS_WRITE] = "writes", [RD_ACCESS_ATOMIC] = "updates",
        [RD_ACCESS_HOLD] = "holds", [RD_ACCESS_HAND] = "hands",   [RD_ACCESS_TAKE] = "takes",
    };
    return verbs[op];
}
