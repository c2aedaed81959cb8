// SPDX-License-Identifier: MIT
#include "reductio/run_record.h"
#include "base/array.h"
#include "base/texts.h"
#include "reductio/summary.h"
#include "view/parts.h"

#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 100 };

struct rd_run_record_memory {
    struct rd_texts texts;
    size_t violations_capacity, hazards_capacity;
};

static enum rd_status fail(struct rd_error *error)
{
    return rd_fail(error, RD_ERROR_MEMORY, "no memory for the record of a run");
}

static enum rd_status on_begin(void *self, const struct rd_run *run, struct rd_error *error)
{
    struct rd_run_record *record = self;
    (void)error;
    record->pass = run->pass;
    return RD_OK;
}

/* ---- violations ---- */

static bool add_violation(struct rd_run_record *record, const struct rd_violation *violation)
{
    record->n_violated++;
    if (record->n_violations == RD_RUN_RECORD_VIOLATIONS_MAX)
        return true;
    if (!rd_array_make_room(&record->violations, record->n_violations,
                            &record->memory->violations_capacity, sizeof *violation))
        return false;
    record->violations[record->n_violations++] = *violation;
    return true;
}

static enum rd_status on_step(void *self, const struct rd_run *run, const struct rd_step *step,
                              struct rd_error *error)
{
    struct rd_run_record *record = self;
    (void)run;
    if (step->violation && !add_violation(record, step->violation))
        return fail(error);
    return RD_OK;
}

const struct rd_violation *rd_run_record_violation(const struct rd_run_record *record,
                                                   unsigned round, size_t cell)
{
    for (size_t k = 0; k < record->n_violations; k++)
        if (record->violations[k].step == round && record->violations[k].cell == cell)
            return &record->violations[k];
    return NULL;
}

bool rd_run_record_is_whole(const struct rd_run *run, const struct rd_run_record *record)
{
    const struct rd_shape shape = rd_run_shape(run);
    return record->ended && !record->result.interrupted &&
           record->result.steps == rd_program_rounds(run->program, &shape) + 1;
}

/* ---- hazards ---- */

/* NULL without memory. */
static struct rd_finding *copy_finding(struct rd_texts *texts, const struct rd_finding *finding)
{
    struct rd_finding *copy = malloc(sizeof *copy);
    if (!copy)
        return NULL;
    *copy = *finding;
    const char **members[] = {&copy->kind,  &copy->scope, &copy->message, &copy->lesson,
                              &copy->array, &copy->type,  &copy->before,  &copy->after};
    for (size_t k = 0; k < sizeof members / sizeof *members; k++)
        *members[k] = rd_texts_keep(texts, *members[k]);
    for (unsigned k = 0; k < copy->n_places; k++) {
        copy->places[k].file = rd_texts_keep(texts, copy->places[k].file);
        copy->places[k].op = rd_texts_keep(texts, copy->places[k].op);
    }
    return copy;
}

static enum rd_status on_hazard(void *self, const struct rd_run *run,
                                const struct rd_hazard *hazard, struct rd_error *error)
{
    struct rd_run_record *record = self;
    struct rd_texts *texts = &record->memory->texts;
    (void)run;
    if (!rd_array_make_room(&record->hazards, record->n_hazards, &record->memory->hazards_capacity,
                            sizeof *hazard))
        return fail(error);
    struct rd_hazard copy = *hazard;
    copy.name = rd_texts_keep(texts, hazard->name);
    copy.message = rd_texts_keep(texts, hazard->message);
    if (hazard->finding && !(copy.finding = copy_finding(texts, hazard->finding)))
        return fail(error);
    record->hazards[record->n_hazards++] = copy;
    return texts->failed ? fail(error) : RD_OK;
}

const struct rd_hazard *rd_run_record_hazard(const struct rd_run_record *record,
                                             enum rd_hazard_kind kind, const char *array,
                                             int64_t index)
{
    for (size_t k = 0; k < record->n_hazards; k++) {
        const struct rd_finding *finding = record->hazards[k].finding;
        bool is_of_cell = !array || (finding && strcmp(finding->array, array) == 0 &&
                                     finding->index_known && finding->index == index);
        if (is_of_cell && record->hazards[k].kind == kind)
            return &record->hazards[k];
    }
    return NULL;
}

/* ---- the end ---- */

static void print_explanation(const struct rd_paint *paint, const struct rd_run_record *record,
                              const struct rd_run *run)
{
    const struct rd_result *result = &record->result;
    const struct rd_summary summary = rd_summary_of_run(run, result);
    char text[RD_SENTENCE_SIZE];
    for (size_t k = 0; k < record->n_hazards; k++)
        rd_paint_wrap(paint, RD_INK_PLAIN, 0, rd_hazard_text(&record->hazards[k], text));
    rd_print_violation(paint, run, result);
    rd_print_obligations(paint, run, result);
    rd_print_schedules(paint, result);
    rd_print_looked(paint, run, result);
    fprintf(paint->out, "%s", rd_summary_text(&summary, text));
}

static enum rd_status on_end(void *self, const struct rd_run *run, const struct rd_result *result,
                             struct rd_error *error)
{
    struct rd_run_record *record = self;
    char *text = NULL;
    size_t size;
    if (result->failed)
        return RD_OK;
    record->result = *result;
    record->ended = true;
    if (result->violated && result->violation.kind == RD_VIOLATION_GOAL &&
        !add_violation(record, &result->violation))
        return fail(error);
    const struct rd_paint paint = {.out = open_memstream(&text, &size), .width = COLUMNS};
    if (!paint.out)
        return fail(error);
    print_explanation(&paint, record, run);
    fclose(paint.out);
    record->explanation = rd_texts_keep(&record->memory->texts, text);
    free(text);
    return record->memory->texts.failed ? fail(error) : RD_OK;
}

enum rd_status rd_run_record_init(struct rd_run_record *record, struct rd_error *error)
{
    struct rd_run_record_memory *memory = calloc(1, sizeof *memory);
    if (!memory)
        return fail(error);
    *record = (struct rd_run_record){
        .observer = {.self = record,
                     .begin = on_begin,
                     .step = on_step,
                     .hazard = on_hazard,
                     .end = on_end},
        .explanation = "",
        .memory = memory,
    };
    return RD_OK;
}

void rd_run_record_finish(struct rd_run_record *record)
{
    if (!record->memory)
        return;
    for (size_t k = 0; k < record->n_hazards; k++)
        free((void *)record->hazards[k].finding);
    free(record->hazards);
    free(record->violations);
    rd_texts_finish(&record->memory->texts);
    free(record->memory);
    record->memory = NULL;
}

enum rd_status rd_run_record(const struct rd_run *run, struct rd_run_record *record,
                             struct rd_error *error)
{
    enum rd_status status = rd_run_record_init(record, error);
    if (status != RD_OK)
        return status;
    const struct rd_observer *const observers[] = {&record->observer, NULL};
    status = rd_run(run, observers, &record->result, error);
    if (status != RD_OK && status != RD_ERROR_INTERRUPTED)
        rd_run_record_finish(record);
    return status;
}
