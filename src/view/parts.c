// SPDX-License-Identifier: MIT
/* The parts of the page that all views share. */
#include "view/parts.h"
#include "reductio/sources.h"
#include "base/texts.h"
#include "reductio/operation.h"
#include "device/kernel_names.h"
#include "program/definition.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- names in kernels ---- */

/* Names of a kernel for the arrays of its program. */

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

/* ---- where a kernel, and an access in it, stand ---- */

unsigned rd_played_line(const struct rd_program *program)
{
    const char *colon = program->played ? strrchr(program->name, ':') : NULL;
    return colon ? (unsigned)strtoul(colon + 1, NULL, 10) : 0;
}

/* The function of a kernel that the loop is in, or the kernel. */
static const struct rd_source *played_source(const struct rd_program *program, const char *kernel)
{
    const struct rd_definition *definition = rd_program_definition(program);
    const unsigned n = definition ? definition->n_sources : 0, line = rd_played_line(program);
    for (unsigned k = 0; k < n; k++) {
        const struct rd_source *source = &definition->sources[k];
        if (strcmp(source->name, kernel) == 0 || (line >= source->first && line <= source->last))
            return source;
    }
    return NULL;
}

const struct rd_source *rd_kernel_source(const struct rd_program *program, const char *kernel,
                                         struct rd_error *why)
{
    const struct rd_source *source =
        program->played ? played_source(program, kernel) : rd_source_of_kernel(kernel);
    if (!source && why && program->played)
        rd_fail(why, RD_ERROR_INPUT,
                program->source_text
                    ? "it is in another file than the loop"
                    : "it is not in the file of the loop, or the trace is of an older version");
    else if (!source && why)
        rd_source_explain_absence(kernel, why);
    return source;
}

const struct rd_source *rd_access_source(const struct rd_access *access, const char *kernel)
{
    const struct rd_source *own = rd_source_of_kernel(kernel);
    const struct rd_source *file = access->line > 0 ? rd_source_of_file(access->file) : NULL;
    const bool inside = own && access->line >= own->first && access->line <= own->last;
    return file && inside && strcmp(file->path, own->path) == 0 ? own : file;
}

/* ---- how a value came about ---- */

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

/* ---- parts of the page ---- */

/* Behind an obligation and its verdict stands the reason. */
enum { INDENT = 4 };

void rd_print_title(const struct rd_paint *paint, const struct rd_run *run, unsigned rounds)
{
    static const char key[] = "| live |   : dead :   * changed   ! wrong";
    char text[512];
    rd_paint_print(paint, RD_INK_BOLD, "%s", run->program->name);
    fputc(':', paint->out);
    snprintf(text, sizeof text, "n = %zu, %s, values %s, %u round%s", run->n, run->numeric->title,
             run->values ? run->values : "?", rounds, rd_plural(rounds));
    rd_paint_flow(paint, RD_INK_PLAIN, strlen(run->program->name) + 1, 0, text);
    fputc('\n', paint->out);
    if (paint->width < sizeof key - 1) {
        rd_paint_wrap(paint, RD_INK_DIM, 0, key);
    } else {
        rd_paint_print(paint, RD_INK_DIM, "%s", key);
        fputc('\n', paint->out);
    }
    if (run->numeric->is_float)
        rd_paint_wrap(paint, RD_INK_DIM, 0, rd_float_text(run->program, run->numeric));
}

const char *rd_dimensions_text(size_t x, unsigned y, char text[RD_DIMENSIONS_TEXT_SIZE])
{
    if (y > 1)
        snprintf(text, RD_DIMENSIONS_TEXT_SIZE, "(%zu,%u)", x, y);
    else
        snprintf(text, RD_DIMENSIONS_TEXT_SIZE, "%zu", x);
    return text;
}

const char *rd_threads_text(const struct rd_round *round, char text[RD_THREADS_TEXT_SIZE])
{
    const size_t launched = round->grid * (round->grid_y > 1 ? round->grid_y : 1) * round->block *
                            (round->block_y > 1 ? round->block_y : 1);
    if (round->threads == launched)
        snprintf(text, RD_THREADS_TEXT_SIZE, "%zu thread%s", launched, rd_plural(launched));
    else
        snprintf(text, RD_THREADS_TEXT_SIZE, "%zu of %zu threads active", round->threads, launched);
    return text;
}

bool rd_is_of_host(const char *kernel)
{
    return strcmp(kernel, "host") == 0;
}

void rd_print_step_head(const struct rd_paint *paint, const struct rd_round *round, unsigned rounds,
                        bool refused)
{
    char text[256];
    fputc('\n', paint->out);
    if (!round) {
        rd_paint_wrap(paint, RD_INK_BOLD, 0, "step 0: initialization");
        return;
    }
    if (rd_is_of_host(round->kernel_name)) {
        snprintf(text, sizeof text, "round %u of %u: on the host", round->number, rounds);
        rd_paint_wrap(paint, RD_INK_BOLD, 0, text);
        return;
    }
    char grid[RD_DIMENSIONS_TEXT_SIZE], block[RD_DIMENSIONS_TEXT_SIZE],
        threads[RD_THREADS_TEXT_SIZE];
    rd_dimensions_text(round->grid, round->grid_y, grid);
    rd_dimensions_text(round->block, round->block_y, block);
    snprintf(text, sizeof text, "round %u of %u: %s, %s = %zu, grid %s x block %s, %s",
             round->number, rounds, round->kernel_name, round->width_name, round->width, grid,
             block, refused ? "launch refused" : rd_threads_text(round, threads));
    rd_paint_wrap(paint, RD_INK_BOLD, 0, text);
}

void rd_print_checkpoint_head(const struct rd_paint *paint, const struct rd_step *step)
{
    char text[RD_SENTENCE_SIZE + 64], place[RD_SENTENCE_SIZE];
    snprintf(text, sizeof text, "round %u, %s: %s at the checkpoint '%s'", step->number,
             rd_place_text(step->place, step->point->variable, place), step->point->array,
             rd_point_name(step->place->point));
    fputc('\n', paint->out);
    rd_paint_wrap(paint, RD_INK_BOLD, 0, text);
}

static const char *cells_are(size_t count, const char *one, const char *many)
{
    return count == 1 ? one : many;
}

void rd_print_elided(const struct rd_paint *paint, struct rd_elided elided)
{
    char text[128];
    size_t hidden = elided.live + elided.dead;
    if (elided.live > 0 && elided.dead > 0)
        snprintf(text, sizeof text, "(not shown: %zu live and %zu dead cells)", elided.live,
                 elided.dead);
    else if (hidden > 0)
        snprintf(text, sizeof text, "(not shown: %zu %s %s)", hidden,
                 elided.live > 0 ? "live" : "dead", cells_are(hidden, "cell", "cells"));
    if (hidden > 0)
        rd_paint_wrap(paint, RD_INK_DIM, INDENT, text);
    if (elided.uncopied > 0) {
        snprintf(text, sizeof text, "(not looked at: %zu dead %s)", elided.uncopied,
                 cells_are(elided.uncopied, "cell", "cells"));
        rd_paint_wrap(paint, RD_INK_DIM, INDENT, text);
    }
}

const char *rd_asserted_how(const struct rd_step_foot *foot, char text[RD_HOW_SIZE])
{
    if (!foot->is_float)
        return "";
    if (foot->any_order && foot->widest > 0) {
        snprintf(text, RD_HOW_SIZE, " (bound %.2g, as the order is any)", foot->widest);
        return text;
    }
    if (foot->any_order)
        return " (bound, as the order is any)";
    return foot->bounded && foot->n_unbounded < foot->n_asserted ? " (bits and bound)" : " (bits)";
}

const char *rd_float_text(const struct rd_program *program, const struct rd_numeric *numeric)
{
    if (!numeric->is_float)
        return "";
    if (!numeric->rounds)
        return "floats: = is to the bits; nothing is rounded, a NaN loses to any number, and -0 is "
               "less than 0";
    if (program->played)
        return "floats: = is within rounding of the exact value, whatever the order (bound)";
    return program->bounded && numeric->operation == RD_OPERATION_SUM
               ? "floats: = is to the bits of the documented expression (bits), and "
                 "within rounding of the exact value (bound)"
               : "floats: = is to the bits of the documented expression (bits)";
}

struct rd_step_foot rd_frame_foot(const struct rd_history_about *about,
                                  const struct rd_frame *frame)
{
    const bool dead = about->frame && !frame->inside && !about->witness;
    return (struct rd_step_foot){
        .statement = frame->statement,
        .n_asserted = frame->n_asserted,
        .n_unbounded = frame->n_unbounded,
        .widest = frame->widest,
        .n_frame = dead ? frame->n_cells - rd_claim_live(&frame->claim, frame->n_cells) : 0,
        .bounded = frame->bounded,
        .any_order = frame->any_order,
        .is_float = about->numeric->is_float,
        .verdict = frame->verdict,
        .frame_violated = frame->violated && frame->violation.kind == RD_VIOLATION_FRAME,
    };
}

/* Prints the assertion and its verdict. */
static void print_verdict(const struct rd_paint *paint, const char *text, enum rd_verdict verdict)
{
    size_t column = rd_paint_flow(paint, RD_INK_PLAIN, 0, INDENT, text);
    rd_paint_flow(paint, rd_paint_verdict(verdict), column, INDENT, rd_verdict_name(verdict));
    fputc('\n', paint->out);
}

void rd_print_step_foot(const struct rd_paint *paint, const struct rd_step_foot *foot)
{
    char text[128], how[RD_HOW_SIZE];
    int length = snprintf(text, sizeof text, "%" PRIu64 " cell%s asserted", foot->n_asserted,
                          rd_plural(foot->n_asserted));
    length +=
        snprintf(text + length, sizeof text - (size_t)length, "%s", rd_asserted_how(foot, how));
    if (foot->n_frame > 0 && foot->verdict == RD_HOLDS)
        length += snprintf(text + length, sizeof text - (size_t)length, ", %zu dead unchanged",
                           foot->n_frame);
    static const char *const inputs[] = {"", ", a unchanged", ", b unchanged",
                                         ", a and b unchanged"};
    snprintf(text + length, sizeof text - (size_t)length,
             "%s:", inputs[foot->unchanged & (RD_INPUT_A | RD_INPUT_B)]);
    rd_paint_wrap(paint, RD_INK_PLAIN, INDENT, foot->statement);
    print_verdict(paint, text, foot->frame_violated ? RD_HOLDS : foot->verdict);
    if (foot->frame_violated) {
        snprintf(text, sizeof text, "%zu dead cell%s, not all unchanged:", foot->n_frame,
                 rd_plural(foot->n_frame));
        print_verdict(paint, text, RD_VIOLATED);
    }
    if (foot->n_unbounded > 0) {
        snprintf(text, sizeof text,
                 "%" PRIu64 " unbounded cell%s (%s): the bound is INCONCLUSIVE there",
                 foot->n_unbounded, rd_plural(foot->n_unbounded),
                 foot->any_order ? "infinite, NaN, or farther off than the law's own roundings"
                                 : "infinite or NaN");
        rd_paint_wrap(paint, RD_INK_DOUBT, INDENT, text);
    }
}
