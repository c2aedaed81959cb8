// SPDX-License-Identifier: MIT
#include "cli/cli.h"
#include "reductio/operation.h"
#include "check/report/findings.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

json_t *rd_cli_json_text(const char *text)
{
    return rd_check_text(text, strlen(text));
}

static json_t *real(double value)
{
    if (isnan(value))
        return json_string("nan");
    if (isinf(value))
        return json_string(value > 0 ? "inf" : "-inf");
    return json_real(value);
}

json_t *rd_cli_json_value(const struct rd_numeric *numeric, rd_bits value)
{
    if (numeric->is_float)
        return real(numeric->to_double(value));
    char text[RD_VALUE_TEXT_SIZE];
    numeric->format(text, value);
    if (!rd_numeric_is_exact_double(numeric, value))
        return json_string(text);
    return json_integer((json_int_t)strtoll(text, NULL, 10));
}

static json_t *size(uint64_t value)
{
    return json_integer((json_int_t)value);
}

json_t *rd_cli_json_violation(const struct rd_violation *violation,
                              const struct rd_numeric *numeric)
{
    json_t *object =
        json_pack("{s:s, s:i, s:o, s:o, s:o, s:o}", "kind", rd_violation_kind_name(violation->kind),
                  "step", (int)violation->step, "cell", size(violation->cell), "expected",
                  rd_cli_json_value(numeric, violation->expected), "actual",
                  rd_cli_json_value(numeric, violation->actual), "count", size(violation->count));
    if (violation->of_inputs) { /* of indices */
        if (violation->expected_is_input)
            json_object_set_new(object, "expected_input",
                                rd_cli_json_value(violation->of_inputs, violation->expected_input));
        if (violation->actual_is_input)
            json_object_set_new(object, "actual_input",
                                rd_cli_json_value(violation->of_inputs, violation->actual_input));
    }
    if (violation->outcome.name) { /* a number, and no cell's */
        json_object_set_new(object, "outcome", json_string(violation->outcome.name));
        json_object_set_new(object, "expected", real(violation->outcome.deviation.exact));
        json_object_set_new(object, "actual", real(violation->outcome.actual));
    }
    const struct rd_deviation *deviation =
        violation->outcome.name ? &violation->outcome.deviation : &violation->deviation;
    if (deviation->exact != 0 || deviation->error != 0 || deviation->limit != 0) {
        json_object_set_new(object, "exact", real(deviation->exact));
        json_object_set_new(object, "error", real(deviation->error));
        json_object_set_new(object, "limit", real(deviation->limit));
    }
    return object;
}

/* {"count": 4, "inputs": [{"index": 1, "times": 1}, …]}: the first ones, where there are many. */
static json_t *input_set(const struct rd_input_set *set)
{
    json_t *inputs = json_array();
    for (size_t k = 0; k < set->count && k < RD_INPUT_SET_MAX; k++)
        json_array_append_new(inputs, json_pack("{s:o, s:I}", "index", size(set->index[k]), "times",
                                                (json_int_t)set->times[k]));
    return json_pack("{s:o, s:o}", "count", size(set->count), "inputs", inputs);
}

static json_t *evidence_json(const struct rd_evidence *evidence)
{
    json_t *object = json_pack(
        "{s:i, s:o, s:o, s:o, s:o, s:b}", "step", (int)evidence->step, "cell", size(evidence->cell),
        "expected", input_set(&evidence->expected), "lost", input_set(&evidence->lost), "extra",
        input_set(&evidence->extra), "partial", (int)evidence->partial);
    if (!evidence->partial) /* what the cell holds follows from all differences only */
        json_object_set_new(object, "actual", input_set(&evidence->actual));
    return object;
}

/* The premise of a witness run's verdict on inputs that were not tried: no proof. */
static json_t *premise_json(const struct rd_run *run, const struct rd_premise *premise)
{
    const enum rd_operation operation = run->numeric->operation;
    char condition[64] = "the kernel only adds, or multiplies a by b and adds";
    if (operation != RD_OPERATION_SUM)
        snprintf(condition, sizeof condition, "the kernel only combines by %s",
                 rd_operation_name(operation));
    return json_pack("{s:s, s:i, s:i, s:b, s:o}", "condition", condition, "passes",
                     (int)premise->passes, "compared", (int)premise->n_compared, "comparisons_seen",
                     (int)premise->has_comparisons, "dependence",
                     *premise->dependence ? rd_cli_json_text(premise->dependence) : json_null());
}

json_t *rd_cli_json_result(const struct rd_run *run, const struct rd_result *result)
{
    json_t *obligations = json_object();
    for (int k = 0; k < RD_OBLIGATION_COUNT; k++)
        json_object_set_new(obligations, rd_obligation_name((enum rd_obligation)k),
                            json_string(rd_verdict_name(result->obligations[k])));
    json_t *object = json_pack(
        "{s:s, s:o, s:s, s:o, s:s, s:o, s:s, s:b, s:o, s:i, s:o, s:i, s:o, s:o}", "program",
        run->program->name, "n", size(run->n), "type", run->numeric->name, "values",
        rd_cli_json_text(run->values), "device", run->device->ops->name, "device_name",
        rd_cli_json_text(run->device->ops->describe(run->device)), "verdict",
        rd_verdict_name(result->verdict), "interrupted", (int)result->interrupted, "obligations",
        obligations, "steps", (int)result->steps, "cells", size(result->cells), "hazards",
        (int)result->hazards, "violation",
        result->violated ? rd_cli_json_violation(&result->violation, run->numeric) : json_null(),
        "evidence", result->explained ? evidence_json(&result->evidence) : json_null());
    if (run->numeric->operation != RD_OPERATION_SUM)
        json_object_set_new(object, "op", json_string(rd_operation_name(run->numeric->operation)));
    if (!rd_hazards_looked_for(result->hazards_by) && result->hazards == 0)
        json_object_set_new(object, "hazards", json_null());
    json_object_set_new(object, "hazards_by", json_string(rd_hazards_by_name(result->hazards_by)));
    if (result->hazards_n > 0)
        json_object_set_new(object, "hazards_n", size(result->hazards_n));
    if (result->hazards_n > 0 && result->hazards_grid > 0)
        json_object_set_new(object, "hazards_grid", size(result->hazards_grid));
    if (*result->unlooked)
        json_object_set_new(object, "unlooked", rd_cli_json_text(result->unlooked));
    if (result->checkpoints > 0)
        json_object_set_new(object, "checkpoints", size(result->checkpoints));
    if (result->truncated)
        json_object_set_new(object, "truncated", json_true());
    if (result->n_schedules > 0)
        json_object_set_new(object, "schedules", json_integer(result->n_schedules));
    if (*result->untried)
        json_object_set_new(object, "untried", rd_cli_json_text(result->untried));
    if (*result->accepted)
        json_object_set_new(object, "nondeterminism", rd_cli_json_text(result->accepted));
    if (result->outcome.name)
        json_object_set_new(object, result->outcome.name, real(result->outcome.actual));
    if (run->passes > 0)
        json_object_set_new(object, "passes", json_integer(run->passes));
    if (run->passes > 0 || result->premise.numeric)
        json_object_set_new(object, "premise", premise_json(run, &result->premise));
    return object;
}

void rd_cli_json_print(json_t *value)
{
    json_dumpf(value, stdout, JSON_INDENT(2));
    putchar('\n');
    json_decref(value);
}
