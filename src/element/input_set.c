// SPDX-License-Identifier: MIT
#include "reductio/input_set.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

/* ---- members ---- */

static bool start_run(struct rd_input_set *set, size_t index, int64_t times)
{
    if (set->n_runs == RD_INPUT_RUNS_MAX)
        return false;
    set->runs[set->n_runs++] = (struct rd_input_run){.first = index, .count = 1, .times = times};
    return true;
}

/* Two alone make no run: where the third shows that they are none, the second may begin one. */
static bool add_to_runs(struct rd_input_set *set, size_t index, int64_t times)
{
    struct rd_input_run *run = set->n_runs > 0 ? &set->runs[set->n_runs - 1] : NULL;
    if (!run || run->times != times || index <= run->first)
        return start_run(set, index, times);
    if (run->count == 1)
        run->stride = index - run->first;
    size_t last = run->first + (run->count - 1) * run->stride;
    if (index - last == run->stride) {
        run->count++;
        return true;
    }
    if (run->count != 2 || index <= last)
        return start_run(set, index, times);
    if (!start_run(set, last, times))
        return false;
    run->count = 1;
    run[1].stride = index - last;
    run[1].count = 2;
    return true;
}

void rd_input_set_add(struct rd_input_set *set, size_t index, int64_t times)
{
    if (set->count < RD_INPUT_SET_MAX) {
        set->index[set->count] = index;
        set->times[set->count] = times;
    }
    if (set->in_runs == set->count && add_to_runs(set, index, times))
        set->in_runs++;
    set->count++;
}

/* ---- as text ---- */

/* The ellipsis, what is not known, the brace and the NUL always have room. */
enum { TAIL = sizeof ",...,?}" };

struct writer {
    char *text;
    size_t size, at;
    bool full; /* something had no room */
};

/* Appends a member and its comma, if it fits. */
__attribute__((format(printf, 2, 3))) static void put(struct writer *writer, const char *format,
                                                      ...)
{
    char member[128];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(member, sizeof member, format, arguments);
    va_end(arguments);
    writer->full |= writer->at + 1 + (size_t)length + TAIL > writer->size;
    if (!writer->full)
        writer->at += (size_t)snprintf(writer->text + writer->at, writer->size - writer->at, "%s%s",
                                       writer->at > 1 ? "," : "", member);
}

static void put_run(struct writer *writer, const struct rd_input_run *run)
{
    enum { ROW_MIN = 3, STRIDED_MIN = 5 };
    char times[32] = "", by[32] = "";
    bool once = run->times == 1, row = run->stride == 1;
    if (!once)
        snprintf(times, sizeof times, "x%" PRId64, run->times);
    if (run->count < (row ? ROW_MIN : STRIDED_MIN)) {
        for (size_t k = 0; k < run->count; k++)
            put(writer, "%zu%s", run->first + k * run->stride, times);
        return;
    }
    if (!row)
        snprintf(by, sizeof by, " by %zu", run->stride);
    put(writer, "%s%zu..%zu%s%s%s", once ? "" : "(", run->first,
        run->first + (run->count - 1) * run->stride, by, once ? "" : ")", times);
}

const char *rd_input_set_text(const struct rd_input_set *set, char *text, size_t size)
{
    struct writer writer = {.text = text, .size = size, .at = 1};
    snprintf(text, size, "{");
    for (size_t k = 0; k < set->n_runs && !writer.full; k++)
        put_run(&writer, &set->runs[k]);
    bool more = writer.full || set->in_runs < set->count;
    const char *comma = writer.at > 1 ? "," : "";
    snprintf(text + writer.at, size - writer.at, "%s%s%s%s}", more ? comma : "", more ? "..." : "",
             set->open ? (more ? "," : comma) : "", set->open ? "?" : "");
    return text;
}

int64_t rd_input_set_times(const struct rd_input_set *set, size_t index)
{
    for (size_t k = 0; k < set->count && k < RD_INPUT_SET_MAX; k++)
        if (set->index[k] == index)
            return set->times[k];
    for (size_t k = 0; k < set->n_runs; k++) {
        const struct rd_input_run *run = &set->runs[k];
        const size_t distance = index - run->first, stride = run->stride ? run->stride : 1;
        if (index >= run->first && distance % stride == 0 && distance / stride < run->count)
            return run->times;
    }
    return 0;
}
