// SPDX-License-Identifier: MIT
/* A program's launches under other schedules: what differs there, and the annotations in a run of the whole program under such a
 * one. */
#include "base/clock.h"
#include "check/report/findings.h"
#include "check/sandbox/interruption.h"
#include "check/program/told.h"
#include "reductio/text.h"
#include "view/paint.h"
#include "view/parts.h"

#include <inttypes.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

/* Seconds, beside those of the program's own run, after which no further run is begun behind the first of them. */
#define GRACE_S 1.0
/* And the time limit of one. */
#define RUN_GRACE_S 5.0
enum { RUNS_MAX = 3, RUN_TIMES = 10 };

/* ---- what the process has told ---- */

void rd_check_orders_take(struct rd_check_told *told, const json_t *object)
{
    if (strcmp(rd_check_text_of(object, "event"), "difference") == 0) {
        json_t *made = json_deep_copy(object);
        json_object_del(made, "event");
        json_array_append_new(told->differences, made);
    } else if (strcmp(rd_check_text_of(object, "seal"), told->seal) == 0) {
        json_decref(told->tried);
        told->tried = json_pack("{}");
        static const char *const keys[] = {"launches", "less", "fewest", "schedules", "why"};
        for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
            json_object_set(told->tried, keys[k], json_object_get(object, keys[k]));
    }
}

static json_int_t tried_number(const struct rd_check_told *told, const char *key)
{
    return json_integer_value(json_object_get(told->tried, key));
}

/* ---- hazards ---- */

static const char *lesson(const struct rd_check_program_run *run)
{
    return run->device->files->lesson(RD_HAZARD_ORDER_DEPENDENT);
}

/* A hazard of the program, at a line. */
static json_t *make_hazard(const struct rd_check_program_run *run, const char *text,
                           const char *file, unsigned line)
{
    char message[1800];
    struct rd_finding finding = {
        .hazard = RD_HAZARD_ORDER_DEPENDENT,
        .kind = "",
        .scope = "",
        .lesson = lesson(run),
        .message = message,
        .count = 1,
        .n_places = *file ? 1 : 0,
        .places[0] = {.file = file, .line = line, .op = ""},
        .array = "",
        .type = "",
        .before = "",
        .after = "",
    };
    snprintf(message, sizeof message, "%s. %s", text, finding.lesson);
    return rd_check_finding_json(&finding);
}

static unsigned line_of(const json_t *object)
{
    const json_int_t line = json_integer_value(json_object_get(object, "line"));
    return line > 0 && line <= UINT32_MAX ? (unsigned)line : 0;
}

/* The rest of the sentence on a difference. */
static const char *remark_of(const json_t *difference)
{
    const char *kind = rd_check_text_of(difference, "kind");
    return strcmp(kind, "order") == 0 ? ": the same elements in another order"
           : strcmp(kind, "rounding") == 0
               ? ", in their last digits: floats round in the order of their additions"
               : "";
}

void rd_check_orders_difference_text(const json_t *difference, char *text, size_t size)
{
    const long long count = (long long)json_integer_value(json_object_get(difference, "count")),
                    of = (long long)json_integer_value(json_object_get(difference, "n_elems"));
    int n = 0;
    if (strcmp(rd_check_text_of(difference, "kind"), "prints") == 0) {
        snprintf(
            text, size,
            "threads print something else under schedule %.40s than under %.40s, in launch %lld, "
            "of %.200s",
            rd_check_text_of(difference, "other_schedule"),
            rd_check_text_of(difference, "schedule"),
            (long long)json_integer_value(json_object_get(difference, "launch")),
            rd_check_text_of(difference, "kernel"));
        return;
    }
    n = snprintf(text, size,
                 "%.250s is %.80s under schedule %.40s, and %.80s under %.40s, behind launch %lld, "
                 "of %.200s",
                 rd_check_text_of(difference, "cell"), rd_check_text_of(difference, "other_value"),
                 rd_check_text_of(difference, "other_schedule"),
                 rd_check_text_of(difference, "value"), rd_check_text_of(difference, "schedule"),
                 (long long)json_integer_value(json_object_get(difference, "launch")),
                 rd_check_text_of(difference, "kernel"));
    if (of > 1 && n > 0 && (size_t)n < size)
        n += snprintf(text + n, size - (size_t)n, "; %lld of %lld elements differ", count, of);
    if (n > 0 && (size_t)n < size)
        snprintf(text + n, size - (size_t)n, "%s", remark_of(difference));
}

static json_t *hazard_of(const struct rd_check_program_run *run, const json_t *difference)
{
    char text[1200], with_place[1500];
    const char *file = rd_check_text_of(difference, "file");
    rd_check_orders_difference_text(difference, text, sizeof text);
    snprintf(with_place, sizeof with_place, "%s at %.200s:%u", text, file, line_of(difference));
    json_t *made = make_hazard(run, with_place, file, line_of(difference));
    static const char *const keys[] = {"array", "kernel", "launch", "index", "n_elems"};
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
        json_object_set(made, keys[k], json_object_get(difference, keys[k]));
    if (*rd_check_text_of(difference, "type"))
        json_object_set(made, "type", json_object_get(difference, "type"));
    json_object_set(made, "before", json_object_get(difference, "value"));
    json_object_set(made, "after", json_object_get(difference, "other_value"));
    return made;
}

/* Each kernel's launches begin with the memory that the program's own schedule has left: others' races are none of theirs. */
static bool has_race(const struct rd_check_told *told, const char *kernel)
{
    size_t k;
    json_t *hazard;
    json_array_foreach(told->hazards, k, hazard)
    {
        if (rd_check_hazard_kind(hazard) == RD_HAZARD_RACE &&
            strcmp(rd_check_text_of(hazard, "kernel"), kernel) == 0)
            return true;
    }
    return false;
}

/* A result that depends on the schedule is a hazard where no race says why. Records in another order and floats in their last
 * digits are none: they are told. */
static void add_differences(const struct rd_check_program_run *run, struct rd_check_told *told)
{
    size_t k;
    json_t *difference;
    if (run->options->expect_nondeterminism)
        return;
    json_array_foreach(told->differences, k, difference)
    {
        if (strcmp(rd_check_text_of(difference, "kind"), "values") != 0 ||
            has_race(told, rd_check_text_of(difference, "kernel")))
            continue;
        json_array_append_new(told->hazards, hazard_of(run, difference));
        json_object_set_new(difference, "is_hazard", json_true());
    }
}

/* ---- a run under another schedule ---- */

/* Verdicts of a further run, as far as they matter. */
struct verdicts {
    json_t *all_violated;            /* each with file, line and message */
    char violated[1200], open[1200]; /* the first; "": none */
    char file[300];                  /* of the violated one */
    unsigned line;
};

static void on_verdict(void *self, const struct rd_played_verdict *verdict)
{
    struct verdicts *verdicts = self;
    char text[RD_SENTENCE_SIZE] = "";
    const struct rd_played_loop *loop = verdict->loop;
    char *to = verdict->verdict == RD_VIOLATED       ? verdicts->violated
               : verdict->verdict == RD_INCONCLUSIVE ? verdicts->open
                                                     : NULL;
    if (loop && loop->result.violated)
        rd_violation_text(&loop->result.violation, rd_numeric(loop->evaluations[0]->array.type),
                          text);
    if (verdict->verdict == RD_VIOLATED)
        json_array_append_new(
            verdicts->all_violated,
            json_pack("{s:o, s:I, s:o}", "file",
                      rd_check_text(verdict->file->file, strlen(verdict->file->file)), "line",
                      (json_int_t)verdict->annotation->line, "message",
                      rd_check_text(*text ? text : "", strlen(text))));
    if (!to || *to)
        return;
    snprintf(to, sizeof verdicts->open, "%s %.300s at %.200s:%u%s%.500s",
             rd_annotation_kind_name(verdict->annotation->kind), verdict->annotation->text,
             verdict->file->file, verdict->annotation->line,
             *text || (verdict->why && *verdict->why) ? ": " : "",
             *text          ? text
             : verdict->why ? verdict->why
                            : "");
    if (verdict->verdict == RD_VIOLATED) {
        snprintf(verdicts->file, sizeof verdicts->file, "%s", verdict->file->file);
        verdicts->line = verdict->annotation->line;
    }
}

/* "annotations under schedule descending, where results differ: the run took too long". */
static void say_lack(struct rd_check_told *told, const char *schedule, const char *where,
                     const char *why)
{
    char text[1500];
    snprintf(text, sizeof text, "annotations under schedule %s%s: %s", schedule, where, why);
    json_array_append_new(told->lacks, rd_check_text(text, strlen(text)));
}

/* Notes that nothing was asserted under that schedule, though something differs there. */
static void leave_out(struct rd_check_told *told, const char *schedule)
{
    if (!json_object_get(told->tried, "unasserted"))
        json_object_set_new(told->tried, "unasserted", json_array());
    json_array_append_new(json_object_get(told->tried, "unasserted"), json_string(schedule));
}

/* A fault of the program ends it; other signals, as that of a system short of memory, come from outside. */
static bool has_ended_by_itself(const struct rd_check_told *told)
{
    static const int faults[] = {0 /* told by the program's process */,
                                 SIGSEGV,
                                 SIGBUS,
                                 SIGFPE,
                                 SIGILL,
                                 SIGTRAP,
                                 SIGABRT,
                                 SIGSYS};
    bool is_fault = false;
    for (size_t k = 0; k < sizeof faults / sizeof *faults; k++)
        is_fault = is_fault || told->status == faults[k];
    return rd_check_told_is_at_its_end(told) || (strcmp(told->how, "signal") == 0 && is_fault);
}

/* Notes which annotations that schedule violates. */
static void add_violated(struct rd_check_told *told, const struct verdicts *verdicts,
                         const char *schedule)
{
    size_t k;
    json_t *violated;
    if (!json_object_get(told->tried, "violated"))
        json_object_set_new(told->tried, "violated", json_array());
    json_array_foreach(verdicts->all_violated, k, violated)
    {
        json_object_set_new(violated, "schedule", json_string(schedule));
        json_array_append(json_object_get(told->tried, "violated"), violated);
    }
}

/* Adds what a run under that schedule shows that the first has not. */
static void add_run(const struct rd_check_program_run *run, struct rd_check_told *told,
                    const struct rd_check_told *further, const struct verdicts *verdicts,
                    const char *schedule)
{
    char text[1600], end[200], own_end[200];
    size_t k;
    json_t *hazard;
    const bool ended_by_itself = has_ended_by_itself(further);
    rd_check_told_end_text(told, own_end);
    rd_check_told_end_text(further, end);
    if (!ended_by_itself) {
        snprintf(text, sizeof text, "the run was %s", end);
        json_object_set_new(told->tried, "why_unasserted", json_string(text));
    }
    told->n_asserted_anew += ended_by_itself;
    add_violated(told, verdicts, schedule);
    if (verdicts->violated[0]) {
        snprintf(text, sizeof text, "where launches run under schedule %s, this is violated: %s",
                 schedule, verdicts->violated);
        json_array_append_new(told->hazards,
                              make_hazard(run, text, verdicts->file, verdicts->line));
    } else if (ended_by_itself && verdicts->open[0] && told->laws->summary.open == 0) {
        say_lack(told, schedule, "", verdicts->open);
    }
    json_array_foreach(further->hazards, k, hazard)
    {
        json_object_set_new(hazard, "schedules", json_pack("[s]", schedule));
        rd_check_told_add_hazard(told, hazard, false);
    }
    if (ended_by_itself && strcmp(end, own_end) != 0 && !verdicts->violated[0]) {
        snprintf(text, sizeof text,
                 "where launches run under schedule %s, the program's end is %s, "
                 "and else %s",
                 schedule, end, own_end);
        json_array_append_new(told->hazards, make_hazard(run, text, "", 0));
    }
}

static enum rd_status run_under(const struct rd_check_program_run *first,
                                struct rd_check_told *told, rd_check_run_once *run_once,
                                const struct rd_schedule *schedule, struct rd_error *error)
{
    struct rd_check_program_run run = *first;
    struct rd_check_program_options options = *first->options;
    struct rd_check_laws laws = {0};
    struct verdicts verdicts = {.all_violated = json_array()};
    char name[RD_SCHEDULE_NAME_SIZE];
    struct rd_check_told further = {.options = &options, .laws = &laws};
    const struct rd_played_options silent = {
        .width = 100,
        .on_verdict = on_verdict,
        .verdicts = &verdicts,
        .interrupted = rd_interruption(),
    };
    rd_check_told_init(&further);
    rd_schedule_name(schedule, name);
    const double limit_s = RUN_GRACE_S + RUN_TIMES * told->seconds;
    if (!options.n_schedules && limit_s < options.common.timeout_s)
        options.common.timeout_s = (unsigned)limit_s;
    const off_t input_end = lseek(STDIN_FILENO, 0, SEEK_CUR);
    if (told->input_start >= 0)
        lseek(STDIN_FILENO, told->input_start, SEEK_SET);
    run.options = &options;
    run.one_order = true;
    run.schedule = *schedule;
    run.silent = true;
    enum rd_status status = rd_check_laws_init(&laws, run.options, error);
    if (status == RD_OK)
        status = run_once(&run, &further, error);
    if (input_end >= 0)
        lseek(STDIN_FILENO, input_end, SEEK_SET);
    if (status == RD_OK && laws.n > 0)
        status = rd_played_judge(&laws.played, &silent, &laws.summary, error);
    if (status == RD_OK)
        add_run(&run, told, &further, &verdicts, name);
    json_decref(verdicts.all_violated);
    rd_check_told_finish(&further);
    rd_check_laws_finish(&laws);
    return status;
}

/* Tells whether a further run under that schedule can show more: something has differed there, or an annotation in a kernel is
 * true of moments that another order may not have. */
static bool is_wanted(const struct rd_check_told *told, const char *schedule, unsigned number)
{
    size_t k;
    json_t *difference;
    json_array_foreach(told->differences, k, difference)
    {
        if (strcmp(rd_check_text_of(difference, "other_schedule"), schedule) == 0)
            return true;
    }
    return told->laws->in_kernels && number == 1;
}

/* Nothing was asserted where results differ: that all holds is not known. */
static void make_lacks(struct rd_check_told *told)
{
    size_t k;
    json_t *schedule;
    const char *why = rd_check_text_of(told->tried, "why_unasserted");
    json_array_foreach(json_object_get(told->tried, "unasserted"), k, schedule)
        say_lack(told, json_string_value(schedule), ", where results differ",
                 told->input_start < 0 ? "standard input, a pipe, can be read once"
                 : *why                ? why
                                       : "the run would take too long");
    if (told->tried)
        json_object_del(told->tried, "unasserted");
}

enum rd_status rd_check_orders_judge(const struct rd_check_program_run *run,
                                     struct rd_check_told *told, rd_check_run_once *run_once,
                                     struct rd_error *error)
{
    const json_int_t n = tried_number(told, "schedules");
    const struct rd_played_summary *summary = &told->laws->summary;
    const bool is_judged = summary->invariants + summary->assertions > 0,
               is_violated = is_judged && summary->verdict == RD_VIOLATED;
    const double start_s = rd_clock_s(CLOCK_MONOTONIC);
    enum rd_status status = RD_OK;
    unsigned runs = 0;
    for (unsigned k = 1; k < n && status == RD_OK && !is_violated; k++) {
        const struct rd_schedule schedule = rd_schedule_number(k, run->options->common.seed);
        char name[RD_SCHEDULE_NAME_SIZE];
        const double spent_s = rd_clock_s(CLOCK_MONOTONIC) - start_s;
        rd_schedule_name(&schedule, name);
        if (!is_wanted(told, name, k) || !rd_check_told_is_at_its_end(told))
            continue;
        const bool is_affordable = runs == 0 || run->options->n_schedules ||
                                   (runs < RUNS_MAX && spent_s <= told->seconds + GRACE_S);
        const unsigned before = told->n_asserted_anew;
        if (told->input_start >= 0 && is_affordable) {
            status = run_under(run, told, run_once, &schedule, error);
            runs++;
        }
        if (told->n_asserted_anew == before)
            leave_out(told, name);
    }
    if (told->n_asserted_anew == 0 && is_judged && summary->verdict == RD_HOLDS)
        make_lacks(told);
    add_differences(run, told);
    return status;
}

/* ---- telling ---- */

void rd_check_orders_set(const struct rd_check_told *told, json_t *outcome)
{
    json_object_set_new(outcome, "communicating", json_integer(tried_number(told, "launches")));
    json_object_set_new(outcome, "schedules",
                        json_integer(told->tried ? tried_number(told, "schedules") : 1));
    json_object_set_new(outcome, "fewest_schedules",
                        json_integer(told->tried ? tried_number(told, "fewest") : 1));
    json_object_set_new(outcome, "under_fewer", json_integer(tried_number(told, "less")));
    json_object_set_new(outcome, "why_fewer", json_string(rd_check_text_of(told->tried, "why")));
    json_object_set(outcome, "differences", told->differences);
    json_t *unasserted = json_object_get(told->tried, "unasserted");
    json_t *violated = json_object_get(told->tried, "violated");
    json_object_set_new(outcome, "violated_under", violated ? json_incref(violated) : json_array());
    json_object_set_new(outcome, "not_asserted_under",
                        unasserted ? json_incref(unasserted) : json_array());
}

void rd_check_orders_print(const json_t *outcome, FILE *file)
{
    size_t k;
    json_t *difference;
    char text[1200];
    json_array_foreach(json_object_get(outcome, "differences"), k, difference)
    {
        if (json_object_get(difference, "is_hazard"))
            continue;
        rd_check_orders_difference_text(difference, text, sizeof text);
        fprintf(file, "results differ: %s\n", text);
    }
    json_array_foreach(json_object_get(outcome, "not_asserted_under"), k, difference)
        fprintf(file, "annotations were not asserted under schedule %s, where results differ\n",
                json_string_value(difference));
}

void rd_check_orders_summary(const json_t *outcome, char text[300])
{
    const long long launches =
                        (long long)json_integer_value(json_object_get(outcome, "communicating")),
                    less = (long long)json_integer_value(json_object_get(outcome, "under_fewer")),
                    n = (long long)json_integer_value(json_object_get(outcome, "schedules")),
                    fewest =
                        (long long)json_integer_value(json_object_get(outcome, "fewest_schedules"));
    size_t told = 0, k, length = 0;
    json_t *difference;
    json_array_foreach(json_object_get(outcome, "differences"), k, difference) told +=
        !json_object_get(difference, "is_hazard");
    text[0] = '\0';
    if (launches == 0)
        return;
    if (fewest < n)
        length = (size_t)snprintf(text, 300, " under %lld to", fewest);
    else
        length = (size_t)snprintf(text, 300, " under");
    length +=
        (size_t)snprintf(text + length, 300 - length, " %lld schedule%s", n, n == 1 ? "" : "s");
    if (less > 0)
        length +=
            (size_t)snprintf(text + length, 300 - length,
                             " (%lld of %lld launches that communicate not under all: %.100s)",
                             less, launches, rd_check_text_of(outcome, "why_fewer"));
    if (told > 0)
        snprintf(text + length, 300 - length, ", %zu result%s differ%s", told, told == 1 ? "" : "s",
                 told == 1 ? "s" : "");
}
