// SPDX-License-Identifier: MIT
#include "harness.h"

#include "reductio/device.h"
#include "fake_device.h"
#include "reductio/evidence.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { SKIPPED = 77 };

/* Limit on n for the simulator beside a device that does not look for hazards: sweeps over larger sizes would take
 * minutes, and those in the simulator cover them. */
enum { ACCOMPANIED_MAX = 1 << 10 };

/* ---- the device and the seed ---- */

static struct rd_device *device;

struct rd_device *test_device(void)
{
    static struct fake fake;
    const char *name = getenv("RD_TEST_DEVICE");
    bool blind = name && strcmp(name, "blind") == 0;
    struct rd_error why, error;
    if (device)
        return device;
    if (rd_device_open(name && !blind ? name : "sim", &device, &why, &error) != RD_OK) {
        print_message("skipped: there is no device '%s': %s\n", name ? name : "sim", error.text);
        exit(SKIPPED);
    }
    if (blind) {
        fake_init(&fake, device);
        device = &fake.device;
    }
    print_message("device: %s\n", device->ops->describe(device));
    return device;
}

bool test_device_is_sim(void)
{
    return strcmp(test_device()->ops->name, "sim") == 0;
}

bool test_is_due(void)
{
    static unsigned count;
    return !getenv("RD_TEST_SHORT") || count++ % 13 == 0;
}

static bool has_a_last_of_blocks(const struct test_case *test)
{
    const struct rd_program *program = rd_program_named(test->program);
    for (const struct rd_point_invariant *const *point = rd_program_points(program); *point;
         point++)
        if ((*point)->of_last_block)
            return test->grid != 1;
    return false;
}

bool test_repeats(const struct test_case *test)
{
    bool is_fault = rd_program_is_fault(rd_program_named(test->program));
    return test_device_is_sim() || !(is_fault || has_a_last_of_blocks(test));
}

uint64_t test_seed(void)
{
    static bool known;
    static uint64_t seed;
    const char *text = getenv("RD_TEST_SEED");
    if (known)
        return seed;
    known = true;
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    seed = text ? strtoull(text, NULL, 10) : (uint64_t)now.tv_sec * 1000003 ^ (uint64_t)now.tv_nsec;
    print_message("RD_TEST_SEED=%" PRIu64 "\n", seed);
    return seed;
}

int test_set_up(void **state)
{
    (void)state;
    test_device();
    return 0;
}

int test_tear_down(void **state)
{
    (void)state;
    rd_device_close(device);
    device = NULL;
    return 0;
}

/* ---- running ---- */

static const struct rd_program *program_of(const struct test_case *test)
{
    const struct rd_program *program = test->custom;
    if (!program)
        program = rd_program_named(test->program);
    if (!program)
        fail_msg("no program '%s'", test->program);
    return program;
}

struct rd_shape test_shape(const struct test_case *test)
{
    return rd_program_shape(program_of(test), (struct rd_shape){test->n, test->block, test->grid});
}

bool test_accepts(const struct test_case *test)
{
    const struct rd_shape shape = test_shape(test);
    return rd_program_accept(program_of(test), &shape, NULL) == RD_OK;
}

bool test_accepts_n(const char *program, size_t n)
{
    return rd_program_accept(rd_program_named(program), SHAPE(n), NULL) == RD_OK;
}

unsigned test_types(const char *program)
{
    return rd_program_accept_type(rd_program_named(program), (enum rd_type)RD_HALVES_FIRST, NULL) ==
                   RD_OK
               ? RD_TYPE_COUNT
               : RD_HALVES_FIRST;
}

static void make_values(const struct test_case *test, struct rd_values *values)
{
    struct rd_error error = {""};
    const char *spec = test->values ? test->values : "iota";
    const struct rd_program *program = program_of(test);
    const struct rd_shape shape = test_shape(test);
    enum rd_status status;
    if (!rd_program_has_n_inputs(program))
        status = rd_values_init_two(values, rd_numeric_over(test->type, test->operation), spec,
                                    rd_program_inputs(program, &shape),
                                    rd_program_inputs_b(program, &shape), &error);
    else
        status = rd_values_init(values, rd_numeric_over(test->type, test->operation), spec, test->n,
                                1, rd_program_has_b(program), &error);
    if (status != RD_OK)
        fail_msg("%s", error.text);
}

static enum rd_status run_on(const struct test_case *test, const struct rd_values *values,
                             const struct rd_observer *observer, struct rd_result *result,
                             struct rd_error *error)
{
    const struct rd_run run = {
        .program = program_of(test),
        .numeric = values->numeric,
        .n = test->n ? test->n : values->n,
        .a = values->a,
        .b = values->b,
        .values = values->spec,
        .block = test->block,
        .grid = test->grid,
        .blocks.all = true,
        .frame = test->frame,
        .device = test->device ? test->device : test_device(),
        .go_on = test->go_on,
        .n_schedules = test->n_schedules ? test->n_schedules : 1,
        .hazards_by = (test->alone || test->n > ACCOMPANIED_MAX) && !test_device_is_sim()
                          ? RD_HAZARDS_BY_NOBODY
                          : RD_HAZARDS_BY_SIM,
        .pass = test->unexplained,
        .passes = test->unexplained,
    };
    return rd_run(&run, (const struct rd_observer *const[]){observer, NULL}, result, error);
}

enum rd_status test_run(const struct test_case *test, struct rd_result *result,
                        struct rd_error *error)
{
    struct rd_values values;
    make_values(test, &values);
    enum rd_status status = run_on(test, &values, NULL, result, error);
    rd_values_finish(&values);
    return status;
}

enum rd_status test_run_observed(const struct test_case *test, const struct rd_observer *observer,
                                 struct rd_values *values, struct rd_result *result,
                                 struct rd_error *error)
{
    make_values(test, values);
    return run_on(test, values, observer, result, error);
}

/* The live cells are there in any case; the others where the expectation still has them. */
static void *expected_cells(const struct rd_expect *expect)
{
    const struct rd_numeric *numeric = expect->numeric;
    void *cells = calloc(expect->n, numeric->size_bytes);
    assert_non_null(cells);
    for (size_t i = 0; i < expect->n; i += expect->stride)
        numeric->store(cells, i, rd_expect_cell(expect, i));
    return cells;
}

static void *copy_of(const void *data, size_t size_bytes)
{
    void *copy = malloc(size_bytes ? size_bytes : 1);
    assert_non_null(copy);
    memcpy(copy, data, size_bytes);
    return copy;
}

static enum rd_status record_begin(void *self, const struct rd_run *run, struct rd_error *error)
{
    struct test_record *record = self;
    (void)run, (void)error;
    record->begins++;
    return RD_OK;
}

static enum rd_status record_step(void *self, const struct rd_run *run, const struct rd_step *step,
                                  struct rd_error *error)
{
    struct test_record *record = self;
    (void)error;
    assert_true(record->n_steps < TEST_STEPS_MAX);
    struct test_step *s = &record->steps[record->n_steps++];
    *s = (struct test_step){
        .number = step->number,
        .has_round = step->round != NULL,
        .claim = step->claim,
        .verdict = step->verdict,
        .whole = step->whole,
        .n_cells = step->n_cells,
        .n_asserted = step->n_asserted,
        .n_unbounded = step->n_unbounded,
        .violated = step->violation != NULL,
        .cells = copy_of(step->cells, step->n_cells * run->numeric->size_bytes),
        .expected = expected_cells(step->expect),
    };
    if (step->round)
        s->round = *step->round;
    if (step->violation)
        s->violation = *step->violation;
    const struct rd_shape shape = rd_run_shape(run);
    if (rd_step_statement(step, run->program, &shape, run->numeric->operation, s->statement) !=
        s->statement)
        snprintf(s->statement, sizeof s->statement, "%s", step->statement);
    return RD_OK;
}

static enum rd_status record_hazard(void *self, const struct rd_run *run,
                                    const struct rd_hazard *hazard, struct rd_error *error)
{
    struct test_record *record = self;
    (void)run, (void)error;
    record->hazards++;
    record->hazard = *hazard;
    snprintf(record->hazard_message, sizeof record->hazard_message, "%s", hazard->message);
    record->hazard.message = record->hazard_message;
    return RD_OK;
}

static enum rd_status record_end(void *self, const struct rd_run *run,
                                 const struct rd_result *result, struct rd_error *error)
{
    struct test_record *record = self;
    (void)run, (void)error;
    record->ends++;
    record->ended = *result;
    return RD_OK;
}

void test_record(const struct test_case *test, struct test_record *record)
{
    *record = (struct test_record){.program = program_of(test)};
    make_values(test, &record->values);
    const struct rd_observer observer = {
        .self = record,
        .begin = record_begin,
        .step = record_step,
        .hazard = record_hazard,
        .end = record_end,
    };
    record->status = run_on(test, &record->values, &observer, &record->result, &record->error);
}

void test_record_finish(struct test_record *record)
{
    for (unsigned s = 0; s < record->n_steps; s++) {
        free(record->steps[s].cells);
        free(record->steps[s].expected);
    }
    rd_values_finish(&record->values);
}

const char *test_cell_text(const struct test_record *record, unsigned step, size_t cell)
{
    static char text[RD_VALUE_TEXT_SIZE];
    const struct rd_numeric *numeric = record->values.numeric;
    const struct test_step *s = &record->steps[step];
    size_t stride = s->whole ? 1 : s->claim.stride;
    if (cell % stride != 0 || cell / stride >= s->n_cells)
        return ".";
    numeric->format(text, numeric->load(s->cells, cell / stride));
    return text;
}

/* ---- assertions ---- */

void assert_text(const char *actual, const char *expected)
{
    assert_string_equal(actual, expected);
}

void assert_contains(const char *text, const char *fragment)
{
    if (!strstr(text, fragment))
        fail_msg("no \"%s\" in \"%s\"", fragment, text);
}

/* Describes a case, for messages. */
static const char *case_text(const struct test_case *test)
{
    static char text[256];
    snprintf(text, sizeof text, "%s n=%zu %s values=%s block=%u frame=%s", program_of(test)->name,
             test->n, rd_numeric(test->type)->name, test->values ? test->values : "iota",
             test->block, test->frame ? "on" : "off");
    return text;
}

static void fail_with_result(const struct test_case *test, const struct rd_result *result)
{
    const struct rd_violation *v = &result->violation;
    char expected[RD_VALUE_TEXT_SIZE] = "", actual[RD_VALUE_TEXT_SIZE] = "";
    if (result->violated) {
        rd_numeric(test->type)->format(expected, v->expected);
        rd_numeric(test->type)->format(actual, v->actual);
    }
    fail_msg("%s: %s (%s, %s, %s), %u steps, %" PRIu64 " cells, %u hazards; %s at step %u, cell "
             "%zu: expected %s, actual %s",
             case_text(test), rd_verdict_name(result->verdict),
             rd_verdict_name(result->obligations[0]), rd_verdict_name(result->obligations[1]),
             rd_verdict_name(result->obligations[2]), result->steps, result->cells, result->hazards,
             result->violated ? rd_violation_kind_name(v->kind) : "nothing", v->step, v->cell,
             expected, actual);
}

/* The last state's cell 0, for a look at the goal that owes nothing to the driver. */
static enum rd_status keep_first_cell(void *self, const struct rd_run *run,
                                      const struct rd_step *step, struct rd_error *error)
{
    (void)error;
    *(rd_bits *)self = run->numeric->load(step->cells, 0);
    return RD_OK;
}

static rd_bits naive_goal(const struct rd_program *program, const struct rd_values *values)
{
    const struct rd_numeric *numeric = values->numeric;
    rd_bits sum = 0;
    for (size_t j = 0; j < values->n; j++) {
        if (program->goal != RD_GOAL_SUM && j > 0)
            break;
        rd_bits a = numeric->load(values->a, j);
        sum += values->b ? a * numeric->load(values->b, j) : a;
    }
    return numeric->from_u64(sum);
}

void assert_holds(const struct test_case *test)
{
    const struct rd_program *program = program_of(test);
    struct rd_values values;
    struct rd_result r;
    struct rd_error error = {""};
    rd_bits first = 0;
    const struct rd_observer observer = {.self = &first, .step = keep_first_cell};

    make_values(test, &values);
    enum rd_status status = run_on(test, &values, &observer, &r, &error);
    if (status != RD_OK)
        fail_msg("%s: %s", case_text(test), error.text);

    unsigned rounds = rd_program_rounds(program, SHAPE(values.n));
    uint64_t cells = 0;
    for (unsigned step = 0; step <= rounds; step++) {
        struct rd_claim claim;
        rd_program_claim(program, SHAPE(values.n), step, &claim);
        cells += claim.count;
    }
    if (r.verdict != RD_HOLDS || r.obligations[RD_INITIALIZATION] != RD_HOLDS ||
        r.obligations[RD_PRESERVATION] != RD_HOLDS || r.obligations[RD_EXIT] != RD_HOLDS ||
        r.steps != rounds + 1 || r.cells != cells || r.hazards || r.violated || r.explained ||
        r.interrupted || r.failed)
        fail_with_result(test, &r);
    if (!values.numeric->is_float && first != naive_goal(program, &values))
        fail_msg("%s: A[0] is %" PRIu64 " at exit", case_text(test), first);
    rd_values_finish(&values);
}

void assert_violated(const struct test_case *test, const struct test_violation *wanted)
{
    char text[512];
    struct rd_result r;
    struct rd_error error = {""};
    const struct rd_numeric *numeric = rd_numeric(test->type);
    if (test_run(test, &r, &error) != RD_OK)
        fail_msg("%s: %s", case_text(test), error.text);
    const struct rd_violation *v = &r.violation;
    if (r.verdict != RD_VIOLATED || !r.violated || v->kind != wanted->kind ||
        v->step != wanted->step || v->cell != wanted->cell || r.steps != v->step + 1)
        fail_with_result(test, &r);
    assert_int_equal(r.obligations[RD_INITIALIZATION], v->step == 0 ? RD_VIOLATED : RD_HOLDS);
    assert_int_equal(r.obligations[RD_PRESERVATION], v->step == 0 ? RD_INCONCLUSIVE : RD_VIOLATED);
    assert_int_equal(r.obligations[RD_EXIT], RD_INCONCLUSIVE);
    numeric->format(text, v->expected);
    assert_text(text, wanted->expected);
    numeric->format(text, v->actual);
    assert_text(text, wanted->actual);

    assert_int_equal(r.explained, wanted->lost != NULL);
    if (!r.explained)
        return;
    const struct rd_evidence *e = &r.evidence;
    assert_int_equal(e->step, v->step);
    assert_int_equal(e->cell, v->cell);
    assert_false(e->partial);
    assert_text(rd_input_set_text(&e->expected, text, sizeof text), wanted->expected_set);
    assert_text(rd_input_set_text(&e->actual, text, sizeof text), wanted->actual_set);
    assert_text(rd_input_set_text(&e->lost, text, sizeof text), wanted->lost);
    assert_text(rd_input_set_text(&e->extra, text, sizeof text), wanted->extra);
}

void assert_fault(const struct test_case *test, const struct test_violation *wanted)
{
    struct test_case twin = *test;
    twin.program = rd_program_twin(rd_program_named(test->program))->name;
    assert_violated(test, wanted);
    assert_holds(&twin);
}

void assert_refused(const struct test_case *test, const char *fragment)
{
    struct rd_result result;
    struct rd_error error = {""};
    struct rd_values values;
    memset(&result, 0xa5, sizeof result);
    struct rd_result before = result;
    make_values(test, &values);
    assert_int_equal(run_on(test, &values, NULL, &result, &error), RD_ERROR_USAGE);
    assert_contains(error.text, fragment);
    assert_memory_equal(&result, &before, sizeof result);
    rd_values_finish(&values);
}

void assert_steps(const struct test_case *test, const char *const *rows)
{
    struct test_record record;
    unsigned step = 0;
    test_record(test, &record);
    assert_int_equal(record.status, RD_OK);
    for (; rows[step]; step++) {
        char row[256];
        size_t cell = 0;
        assert_true(step < record.n_steps);
        assert_int_equal(record.steps[step].number, step);
        snprintf(row, sizeof row, "%s", rows[step]);
        for (char *word = strtok(row, " |"); word; word = strtok(NULL, " |"), cell++)
            if (strcmp(word, ".") != 0 && strcmp(word, test_cell_text(&record, step, cell)) != 0)
                fail_msg("%s, step %u: A[%zu] is %s, not %s", case_text(test), step, cell,
                         test_cell_text(&record, step, cell), word);
        assert_int_equal(cell, record.values.n);
    }
    assert_int_equal(record.n_steps, step);
    test_record_finish(&record);
}

void assert_rounds(const char *name, size_t n, const size_t *widths, size_t threads)
{
    const struct rd_program *program = rd_program_named(name);
    struct rd_round round;
    unsigned number = 1;
    size_t total = 0;
    assert_non_null(program);
    for (; rd_program_round(program, SHAPE_OF(n, 256), number, &round); number++) {
        assert_true(widths[number - 1] != 0);
        assert_int_equal(round.number, number);
        assert_int_equal(round.width, widths[number - 1]);
        assert_true(round.block >= 1 && round.block <= 256);
        assert_true(round.grid * round.block >= round.threads);
        assert_true((round.grid - 1) * round.block < round.threads);
        total += round.threads;
    }
    assert_int_equal(widths[number - 1], 0);
    assert_int_equal(total, threads);
    assert_int_equal(rd_program_rounds(program, SHAPE(n)), number - 1);
}
