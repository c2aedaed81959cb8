// SPDX-License-Identifier: MIT
/* What a proof must not read as if it were something else: kernels that are executed symbolically. */
#include "prove/execution.h"
#include "prove/prove.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct run {
    struct rd_terms *terms;
    struct rd_syntax_unit *unit;
    struct rd_execution execution;
    struct rd_prove_array A, a;
    bool has_rows;            /* a block is T x T threads */
    bool counts, has_squares; /* elements of `a` are counted, and products of two */
    rd_term units[RD_PROVE_INPUTS_MAX], again[RD_PROVE_INPUTS_MAX];
};

/* Every array holds elements of `a`. */
static unsigned inputs_all(void *self, const struct rd_cut *cut, const struct rd_prove_array *array)
{
    (void)self;
    (void)cut;
    (void)array;
    return 1;
}

static rd_term lane_any(void *self, const struct rd_cut *cut, rd_term thread)
{
    struct run *run = self;
    (void)cut;
    return rd_apply(run->terms, "lane", 1, &thread);
}

static rd_term read_any(void *self, const struct rd_cut *cut, const struct rd_prove_array *array,
                        rd_term index)
{
    struct run *run = self;
    (void)cut;
    if (run->counts) /* an array of one cell that holds all elements */
        return array->input < 0
                   ? rd_number(run->terms, 1)
                   : rd_count_of(run->terms, rd_equal(run->terms, index, run->units[0]));
    return rd_apply(run->terms, array->name, 1, &index);
}

/* The body of a kernel k(a, A, n, T), with what stands before it. */
static void execute(struct run *run, const char *before, const char *body)
{
    char text[2000];
    struct rd_error error;
    struct rd_terms *terms = run->terms = rd_terms_create();
    assert_non_null(terms);
    snprintf(
        text, sizeof text,
        "#include \"kernel.h\"\n%s\n"
        "__global__ void k(const elem *a, elem *A, size_t n)\n{\n"
        "unsigned t = threadIdx.x; size_t i = GLOBAL_THREAD; __shared__ elem s[1024];\n%s\n}\n",
        before, body);
    const enum rd_status status = rd_syntax_read_kernels(&run->unit, "fold.cu", text, &error);
    if (status == RD_ERROR_IO || status == RD_ERROR_DEVICE) {
        rd_terms_destroy(terms);
        print_message("%s\n", error.text);
        skip();
    }
    if (status != RD_OK)
        fail_msg("%s", error.text);
    const rd_term n = rd_constant(terms, "n");
    run->A = (struct rd_prove_array){.name = "A", .size = n, .input = -1};
    run->a = (struct rd_prove_array){.name = "a", .size = n, .input = 0};
    const struct rd_argument arguments[] = {{.array = &run->a}, {.array = &run->A}, {.number = n}};
    run->execution = (struct rd_execution){
        .terms = terms,
        .unit = run->unit,
        .thread = rd_constant(terms, "t"),
        .block = rd_constant(terms, "b"),
        .threads = rd_constant(terms, "T"),
        .blocks = rd_constant(terms, "grid"),
        .origin = rd_constant(terms, "first thread"),
        .dynamic_size = n,
        .law_array = &run->A,
        .read = read_any,
        .lane = lane_any,
        .self = run,
    };
    if (run->has_rows)
        run->execution.y = (struct rd_second_dimension){
            rd_constant(terms, "t_y"), rd_constant(terms, "b_y"), run->execution.threads,
            rd_constant(terms, "grid_y"), rd_constant(terms, "first row")};
    run->units[0] = rd_constant(terms, "j");
    run->again[0] = run->has_squares ? rd_constant(terms, "j'") : NULL;
    if (run->counts) {
        run->execution.n_units = 1;
        run->execution.units = run->units;
        run->execution.again = run->again;
        run->execution.has_squares = run->has_squares;
        run->execution.inputs = inputs_all;
    }
    rd_execute(&run->execution, rd_syntax_function_named(run->unit, "k"), 3, arguments);
}

static void finish(struct run *run)
{
    rd_execution_finish(&run->execution);
    rd_syntax_destroy(run->unit);
    rd_terms_destroy(run->terms);
}

static void assert_refused(const char *before, const char *body, const char *reason)
{
    struct run run = {0};
    execute(&run, before, body);
    if (!strstr(run.execution.failure, reason))
        fail_msg("%s\nwas: '%s', not: '%s'", body, run.execution.failure, reason);
    finish(&run);
}

static void assert_requires(const char *body, const char *what)
{
    struct run run = {0};
    bool has = false;
    execute(&run, "", body);
    assert_string_equal(run.execution.failure, "");
    for (size_t s = 0; s < run.execution.n_segments; s++)
        for (size_t k = 0; k < run.execution.segments[s].n_requirements; k++)
            has = has || strstr(run.execution.segments[s].requirements[k].what, what) != NULL;
    if (!has)
        fail_msg("%s\ndoes not require: %s", body, what);
    finish(&run);
}

/* a - b takes nothing back, as they are of two inputs; to add b to it does. */
static void test_what_is_added_to_a_difference_is_taken_back(void **state)
{
    static const struct {
        const char *body;
        bool subtracts;
    } cases[] = {
        {"elem x = a[t], d = x - 0; A[t] = d * d;", false},
        {"elem x = a[t], d = x - 0; A[t] = d + x;", true},
        {"elem d = 0; if (t < 5) d = a[t] - d; A[t] = d + a[t];", true},
        {"elem d = a[t] - 0; s[t] = d; A[t] = s[t] + a[t];", true},
        {"elem d = a[t] - 0; A[t] = __shfl_sync(0xffffffff, d, 0) + a[t];", true},
        {"elem d[2]; d[0] = a[t] - 0; d[1] = 0; A[t] = d[0] + a[t];", true},
    };
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct run run = {.counts = true, .has_squares = true};
        execute(&run, "", cases[k].body);
        assert_string_equal(run.execution.failure, "");
        if (run.execution.subtracts != cases[k].subtracts)
            fail_msg("%s: whether it takes back is not seen", cases[k].body);
        finish(&run);
    }
}

static void test_elements_decide_nothing(void **state)
{
    (void)state;
    static const char why[] = "a condition on values that are no numbers";
    assert_refused("", "if (a[i]) A[i] = a[i];", why);
    assert_refused("", "A[i] = a[i] ? a[i] : A[i];", why);
    assert_refused("", "if (i < n && a[i]) A[i] = a[i];", why);
}

static void test_parts_on_a_condition_set_nothing(void **state)
{
    (void)state;
    static const char why[] = "that sets a variable";
    assert_refused(
        "", "unsigned z = 1; bool q = t == 5 && (z = 0) > 0; if (t == z && !q) A[i] = 0;", why);
    assert_refused("", "unsigned z = 1; unsigned q = t > 5 ? z++ : 7u; if (t == z + q) A[i] = 0;",
                   why);
    assert_refused("__device__ unsigned f(void) { __syncthreads(); return 1; }",
                   "unsigned q = n < 5 ? f() : 1u; if (q) A[i] = 0;", "that forks");
}

static void test_pointers_keep_the_size_of_what_they_point_to(void **state)
{
    (void)state;
    assert_refused("", "((float *)A)[i] = a[i];", "a pointer that is cast to one to another type");
    assert_refused("", "__shared__ elem *const d; __shared__ elem *const e; d[t] = 0; e[t] = 0;",
                   "'d' and 'e' are the same memory");
    assert_refused("", "{ __shared__ elem s[512]; s[t] = 0; }", "two arrays 's'");
}

static void test_sums_have_bounds_and_strides_that_stay(void **state)
{
    (void)state;
    static const char why[] = "a loop without a checkpoint whose number of trips is not known";
    static const char sum[] = "a loop without a checkpoint whose sum the prover can't state";
    assert_refused("", "elem x = 0; for (size_t k = t; k < n--; k += 4) x = x + a[k]; A[i] = x;",
                   why);
    assert_refused(
        "", "elem x = 0; size_t d = 1; for (size_t k = t; k < n; k += d++) x = x + a[k]; A[i] = x;",
        why);
    assert_refused(
        "", "unsigned w = 1; while ((unsigned char)w < n) w *= 2; A[i] = w > 0 ? a[i] : a[0];",
        why);
    assert_refused("", "elem x = 0; for (size_t k = 1; k < n; k += k) x = x + a[k]; A[i] = x;",
                   sum);
    assert_refused(
        "", "elem x = 0; for (size_t k = t; k < n && k != 5; k++) x = x + a[k]; A[i] = x;", sum);
    assert_refused(
        "", "elem x = 0; for (size_t k = t; k < n && k >= i; k++) x = x + a[k]; A[i] = x;", sum);
    assert_refused("", "elem x = 0; for (size_t k = t; k * k < n; k++) x = x + a[k]; A[i] = x;",
                   sum);
}

/* An index that another type takes for another number, in the trip behind the last, too. */
static void test_indices_of_sums_are_compared_as_they_are(void **state)
{
    (void)state;
    static const char what[] = "fits in the type to which it is converted";
    assert_requires(
        "elem x = 0; for (size_t k = t; (unsigned short)k < n; k++) x = x + a[k]; A[i] = x;", what);
    assert_requires(
        "elem x = 0; for (int k = (int)t - 1; k < n; k++) if (k >= 0) x = x + a[k]; A[i] = x;",
        what);
}

/* What a bound calls, C calls in each trip. */
static void test_bounds_of_sums_call_nothing(void **state)
{
    (void)state;
    assert_refused("__device__ size_t f(size_t n) { __syncthreads(); return n; }",
                   "elem x = 0; for (size_t k = t; k < f(n); k += 4) x = x + a[k]; A[i] = x;",
                   "a loop without a checkpoint whose number of trips is not known");
}

static void test_names_are_of_one_function(void **state)
{
    (void)state;
    assert_refused("__attribute__((overloadable)) __device__ unsigned f(unsigned x) { return x; }\n"
                   "__attribute__((overloadable)) __device__ unsigned f(int x) { return 1; }\n",
                   "if (f((int)t) == 0) A[i] = 0;", "the call of 'f'");
}

static void test_checkpoints_of_helpers_in_loops_are_refused(void **state)
{
    (void)state;
    assert_refused(
        "__device__ void show(const elem *s, unsigned w) { CHECKPOINT(POINT, s, 1024, w); }",
        "for (unsigned w = 8; w > 0; w /= 2) { show(s, w); s[t] = 0; __syncthreads(); }",
        "a checkpoint in a function that a loop calls");
}

static void test_arguments_and_checkpoints_require(void **state)
{
    (void)state;
    assert_requires("A[i] = 0;", "the argument fits in 'n'");
    assert_requires("if (t < 5) { CHECKPOINT(POINT, s, 1024, 1); }",
                    "all threads of the block come to the checkpoint");
}

/* Two ways to a checkpoint with as many barriers on neither: the variable has either's value. */
static void test_ways_behind_a_checkpoint_are_not_told_apart(void **state)
{
    (void)state;
    struct run run = {0};
    execute(&run, "__device__ unsigned f(unsigned t) { if (t < 3) return 1; return 2; }",
            "unsigned z = 0; if (n < 5) { z = f(t); z = 4; __syncthreads(); } else { z = 9; "
            "__syncthreads(); "
            "__syncthreads(); }\nCHECKPOINT(POINT, s, 1024, 1);\nif (t == z) A[i] = 0;");
    assert_string_equal(run.execution.failure, "");
    for (size_t s = 0; s < run.execution.n_segments; s++) {
        const struct rd_segment *segment = &run.execution.segments[s];
        const rd_term four = rd_equal(run.terms, run.execution.thread, rd_number(run.terms, 4));
        for (size_t k = 0; k < segment->n_accesses; k++)
            assert_ptr_not_equal(segment->accesses[k].path, four);
    }
    finish(&run);
}

static enum rd_status status_of(const struct rd_prove_options *options)
{
    struct rd_proof proof;
    struct rd_error error;
    const enum rd_status status =
        rd_prove_program(rd_program_named("fold"), options, &proof, &error);
    rd_proof_finish(&proof);
    return status;
}

static void test_interruption_is_no_program_that_is_not_covered(void **state)
{
    const volatile sig_atomic_t interrupted = 1;
    const enum rd_status status =
        status_of(&(struct rd_prove_options){.interrupted = &interrupted});
    (void)state;
    if (status == RD_ERROR_IO || status == RD_ERROR_DEVICE)
        skip();
    assert_int_equal(status, RD_ERROR_INTERRUPTED);
}

static void test_missing_compiler_is_no_program_that_is_not_covered(void **state)
{
    const char *compiler = getenv("CXX");
    char *kept = compiler ? strdup(compiler) : NULL;
    (void)state;
    setenv("CXX", "/nowhere/compiler", 1);
    const enum rd_status status = status_of(NULL);
    if (kept)
        setenv("CXX", kept, 1);
    else
        unsetenv("CXX");
    free(kept);
    assert_int_equal(status, RD_ERROR_DEVICE);
}

/* The condition of the first requirement of that name. */
static rd_term required(const struct run *run, const char *what)
{
    for (size_t s = 0; s < run->execution.n_segments; s++)
        for (size_t k = 0; k < run->execution.segments[s].n_requirements; k++)
            if (strstr(run->execution.segments[s].requirements[k].what, what))
                return run->execution.segments[s].requirements[k].condition;
    fail_msg("nothing requires: %s (%s)", what, run->execution.failure);
    return NULL;
}

static void assert_says(rd_term term, const char *words)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    rd_term_print(term, out);
    assert_int_equal(fclose(out), 0);
    if (!strstr(text, words))
        fail_msg("'%s' does not say '%s'", text, words);
    free(text);
}

/* Some return from within: those that go on must be all lanes of the warp. */
static void test_lanes_of_a_warp_make_trips_together(void **state)
{
    (void)state;
    struct run run = {0};
    execute(&run,
            "__device__ elem f(elem x) { for (unsigned o = 16; o > 0; o /= 2) {\n"
            "CHECKPOINT_LANE(POINT, x, o); if (threadIdx.x % 32 >= 7) return x; } return x; }",
            "elem y = f(a[0]); if (t == 0) A[0] = y;");
    assert_string_equal(run.execution.failure, "");
    assert_says(required(&run, "lanes of a warp make the loop's trips together"), "< 7");
    finish(&run);
}

/* Then the block makes its trips together, and its barriers count from one to the next. */
static void test_a_block_meets_in_a_loop_of_lanes_with_barriers(void **state)
{
    (void)state;
    struct run run = {0};
    bool meets = false;
    execute(&run, "",
            "elem x = a[0]; for (unsigned o = 16; o > 0; o /= 2) {\n"
            "CHECKPOINT_LANE(POINT, x, o); s[t] = x; __syncthreads(); x = 0; }");
    assert_string_equal(run.execution.failure, "");
    for (size_t s = 0; s < run.execution.n_segments; s++) {
        const struct rd_segment *segment = &run.execution.segments[s];
        for (size_t k = 0; segment->goes_back && k < segment->n_requirements; k++)
            meets = meets || (segment->requirements[k].is_barrier && segment->meets &&
                              strstr(segment->requirements[k].what, "come to the checkpoint"));
        if (segment->goes_back)
            assert_int_equal(segment->phases, 1);
    }
    assert_true(meets);
    finish(&run);
}

/* What a loop counts that its checkpoint doesn't show is each lane's own. */
static void test_a_lane_that_is_read_has_its_own_variables(void **state)
{
    (void)state;
    struct run run = {0};
    bool says = false;
    execute(&run, "",
            "elem x = a[0]; unsigned m = 0; for (unsigned o = 16; o > 0; o /= 2) {\n"
            "CHECKPOINT_LANE(POINT, x, o);\n"
            "x = __shfl_down_sync(0xffffffff, a[m], 1); m = m + t; }");
    assert_string_equal(run.execution.failure, "");
    for (size_t s = 0; s < run.execution.n_segments; s++) {
        const struct rd_segment *segment = &run.execution.segments[s];
        for (size_t k = 0; segment->goes_back && k < run.execution.heads.count; k++)
            says = says || (strstr(run.execution.heads.terms[k]->name, "of a lane") &&
                            rd_term_has(segment->lane, run.execution.heads.terms[k]));
    }
    assert_true(says);
    finish(&run);
}

static void test_lanes_have_the_same_mask(void **state)
{
    (void)state;
    struct run run = {0};
    execute(&run, "",
            "elem x = a[0], y = __shfl_down_sync(0xffffffff >> (t < 16 ? 16 : 0), x, 0);\n"
            "if (t == 0) A[0] = y;");
    assert_string_equal(run.execution.failure, "");
    assert_says(required(&run, "each lane of a shuffle's mask comes to it"), "< 16");
    finish(&run);
}

/* A checkpoint that is the same for threads at different k says nothing of k. */
static void test_variables_that_a_checkpoint_does_not_fix(void **state)
{
    (void)state;
    static const char *const bodies[] = {"k - t", "k / 1024", "k + m"};
    for (size_t b = 0; b < sizeof bodies / sizeof bodies[0]; b++) {
        char body[400];
        struct run run = {0};
        snprintf(body, sizeof body,
                 "unsigned m = 0; for (unsigned k = t; k < n; k += 1024) {\n"
                 "CHECKPOINT(POINT, s, 1024, %s); s[t] = 0; m = m + t; __syncthreads(); }",
                 bodies[b]);
        execute(&run, "", body);
        assert_string_equal(run.execution.failure, "");
        for (size_t k = 0; k < run.execution.n_segments; k++) {
            const struct rd_cut *cut = &run.execution.segments[k].from;
            for (size_t i = 0; i < run.execution.heads.count; i++)
                assert_false(rd_cut_fixes(&run.execution, cut, run.execution.heads.terms[i]));
        }
        finish(&run);
    }
}

/* Another warp may have left the loop of lanes by another trip. */
static void test_what_another_warp_has_written_behind_a_loop_of_lanes(void **state)
{
    (void)state;
    assert_refused("",
                   "elem x = a[0]; for (unsigned o = 16; o > t / 32; o /= 2) {\n"
                   "CHECKPOINT_LANE(POINT, x, o); }\n"
                   "s[t] = x; __syncthreads(); A[i] = s[1023 - t];",
                   "by a thread that can't be told");
}

/* Two states that were apart across the barrier: by one of them a thread has written before it, by the other one behind it. */
static void test_what_was_written_last_lies_there(void **state)
{
    (void)state;
    static const char helpers[] =
        "__device__ const elem *f(const elem *x, const elem *y, unsigned t)\n"
        "{ if (t < 1) return x; return y; }\n"
        "__device__ elem g(elem x) { return x; }";
    struct run run = {0};
    execute(&run, helpers,
            "const elem *p = f(s, a, t); s[t] = a[i]; __syncthreads(); if (t == 1) s[0] = 7;\n"
            "__syncthreads(); p = a; elem y = g(0); A[i] = s[0];");
    assert_string_equal(run.execution.failure, "");
    assert_int_equal(run.execution.n_segments, 1);
    const struct rd_segment *segment = &run.execution.segments[0];
    const rd_term left = segment->accesses[segment->n_accesses - 1].value;
    assert_int_equal(left->kind, RD_TERM_CHOICE);
    assert_ptr_equal(left->kids[1], rd_number(run.terms, 7));
    finish(&run);
}

/* A barrier in a later trip is one of those who make that trip. */
static void test_barriers_of_a_trip_are_its_threads(void **state)
{
    (void)state;
    struct run run = {0};
    bool says = false;
    execute(&run, "",
            "for (unsigned w = 1024; w > t; w /= 2) {\n"
            "CHECKPOINT(POINT, s, 1024, w); s[t] = 0; __syncthreads(); }");
    assert_string_equal(run.execution.failure, "");
    for (size_t s = 0; s < run.execution.n_segments; s++) {
        const struct rd_segment *segment = &run.execution.segments[s];
        for (size_t k = 0; segment->goes_back && k < segment->n_requirements; k++)
            for (size_t h = 0; h < run.execution.heads.count; h++)
                says = says || (segment->requirements[k].is_barrier &&
                                rd_term_has(segment->requirements[k].control,
                                            run.execution.heads.terms[h]));
    }
    assert_true(says);
    finish(&run);
}

/* Who has returned from within a loop does not come to a barrier behind it. */
static void test_barriers_behind_a_loop_are_of_those_who_left_it(void **state)
{
    (void)state;
    struct run run = {0};
    bool says = false;
    execute(&run, "",
            "elem x = a[0]; for (unsigned o = 2; o > 0; o /= 2) {\n"
            "CHECKPOINT_LANE(POINT, x, o); if (t == 3) return; }\n__syncthreads(); A[i] = x;");
    assert_string_equal(run.execution.failure, "");
    for (size_t s = 0; s < run.execution.n_segments; s++)
        for (size_t k = 0; k < run.execution.segments[s].n_requirements; k++) {
            const struct rd_requirement *requirement = &run.execution.segments[s].requirements[k];
            says = says || (requirement->is_barrier &&
                            rd_term_has(requirement->control, run.execution.thread));
        }
    assert_true(says);
    finish(&run);
}

/* The value that is written to A, the first time. */
static rd_term written(const struct run *run)
{
    assert_string_equal(run->execution.failure, "");
    for (size_t s = 0; s < run->execution.n_segments; s++)
        for (size_t k = 0; k < run->execution.segments[s].n_accesses; k++)
            if (run->execution.segments[s].accesses[k].is_write &&
                run->execution.segments[s].accesses[k].array == &run->A)
                return run->execution.segments[s].accesses[k].value;
    fail_msg("nothing is written");
    return NULL;
}

static void assert_writes(const char *before, const char *body, const char *words)
{
    struct run run = {0};
    execute(&run, before, body);
    assert_says(written(&run), words);
    finish(&run);
}

static const char pairs[] = "struct pair { elem x[2]; };\n"
                            "__device__ elem f(struct pair p) { p.x[0] = 0; return p.x[1]; }\n"
                            "__device__ void g(struct pair *p, elem v) { p[1].x[0] = v; }\n";

static void test_records_and_own_arrays_are_values(void **state)
{
    (void)state;
    assert_writes(pairs, "struct pair p = {{a[3], a[4]}}; A[i] = f(p) + p.x[0];", "a(3) + a(4)");
    assert_writes(pairs, "struct pair p[2]; p[0].x[1] = 0; g(p, a[3]); A[i] = p[1].x[0];", "a(3)");
    assert_writes(pairs, "struct pair p = {{a[3], a[4]}}, q = p; q.x[0] = 0; A[i] = p.x[0];",
                  "a(3)");
    assert_writes(
        "", "elem x[3]; for (unsigned k = 0; k < 3; k++) x[k] = a[k]; x[1] += x[2]; A[i] = x[1];",
        "a(1) + a(2)");
    assert_writes(pairs, "A[i] = ((const struct pair *)a)[t].x[1];", "a(2*t + 1)");
    assert_refused(pairs, "struct pair p; p.x[0] = 0; A[i] = p.x[1];", "read before it is set");
    assert_refused(pairs, "struct pair p; if (n < 5) p.x[1] = 0; A[i] = p.x[1];",
                   "read before it is set");
    assert_refused("", "elem x[3] = {0}; x[t % 2] = 0;", "an index that isn't known");
    assert_refused("", "elem x[3] = {0}; x[3] = 0;", "beyond the end");
    assert_refused("", "elem x[3] = {0}; elem *p = x; p[0] = 0;",
                   "a pointer to a thread's own array");
    assert_refused(pairs, "((struct pair *)A)[t] = ((const struct pair *)a)[t];", "no element");
    assert_refused(pairs, "A[i] = ((const struct pair *)s)[t].x[1];",
                   "a pointer that is cast to one to another type");
}

/* What a loop's earlier trips have left in a caller's array isn't seen. */
static void test_loops_with_a_checkpoint_leave_arrays_of_callers_alone(void **state)
{
    (void)state;
    static const char before[] =
        "__device__ void f(elem *x, elem y) { for (unsigned o = 16; o > 0; o /= 2) {\n"
        "CHECKPOINT_LANE(POINT, y, o); x[0] = y; } }";
    assert_refused(before, "elem x[1] = {0}; f(x, a[0]); A[i] = x[0];",
                   "a loop that may write an array of its caller");
    assert_refused("__device__ void f(elem *x, elem y) { x[0] = x[0] + y; }",
                   "elem x[1] = {0}; for (size_t k = t; k < n; k++) f(x, a[k]); A[i] = x[0];",
                   "number of trips is not known");
    assert_writes("__device__ void f(elem *x) { x[0] = 0; }",
                  "elem x[1] = {a[3]}, y = 0; for (unsigned o = 16; o > 0; o /= 2) {\n"
                  "CHECKPOINT_LANE(POINT, y, o); A[i] = x[0]; f(x); }",
                  "x@");
}

static void test_pointers_to_packs_are_aligned(void **state)
{
    (void)state;
    struct run run = {0};
    execute(&run, pairs, "A[i] = ((const struct pair *)(a + 2 * t + 1))[0].x[0];");
    assert_int_equal(required(&run, "is aligned for what it is cast to")->kind, RD_TERM_FALSE);
    finish(&run);
}

/* Of the four only the sum is known, from the law. */
static void test_a_checkpoint_of_a_sum_knows_the_sum(void **state)
{
    (void)state;
    static const char before[] = "struct pair { elem x[2]; };\n"
                                 "__device__ elem both(struct pair p) { return p.x[0] + p.x[1]; }";
    static const char loop[] = "struct pair p = {{0, 0}}; for (unsigned o = 16; o > 0; o /= 2) {\n"
                               "CHECKPOINT_LANE(POINT, both(p), o); p.x[1] = p.x[1] + a[o]; }\n"
                               "CHECKPOINT_LANE(POINT, both(p), 0); A[i] = %s;";
    char body[400];
    struct run run = {0};
    snprintf(body, sizeof body, loop, "both(p)");
    execute(&run, before, body);
    const rd_term law = rd_apply(run.terms, "lane", 1, &run.execution.thread);
    assert_ptr_equal(written(&run), law);
    finish(&run);
    snprintf(body, sizeof body, loop, "p.x[1]");
    execute(&run, before, body);
    assert_ptr_not_equal(written(&run), rd_apply(run.terms, "lane", 1, &run.execution.thread));
    finish(&run);
}

static void test_what_atomics_add_is_not_read(void **state)
{
    (void)state;
    assert_refused("", "atomicAdd(A, a[i]); A[i + 1] = A[0];", "to which line");
    assert_refused("", "A[i] = atomicAdd(A, a[i]);",
                   "a cell that is set to a value that is no element");
    assert_refused("", "atomicAdd(s, a[i]);", "an atomic of such operands");
    assert_refused("", "for (size_t k = t; k < n; k++) atomicAdd(A, a[k]);",
                   "number of trips is not known");
}

static void test_checkpoints_are_guarded_for_all_threads_alike(void **state)
{
    (void)state;
    static const char loop[] =
        "elem x = 0; for (unsigned k = 0; k < 99; k++) {\n"
        "if (%s) { CHECKPOINT_LANE(POINT, x, k); } x = x + a[k]; } A[i] = x;";
    static const struct {
        const char *guard, *reason;
    } cases[] = {
        {"(k & (k - 1)) == 0", ""},
        {"k > t", "a checkpoint to which some threads come"},
        {"k++ < 7", "pass by its checkpoint"},
        {"(k & (n - 1)) == 0", "'&' with a mask"},
        {"((unsigned short)k & (k - 1)) == 0", "'&' with a mask"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char body[300];
        snprintf(body, sizeof body, loop, cases[k].guard);
        assert_refused("", body, cases[k].reason);
    }
}

/* What the block has written is there behind a checkpoint of lanes, but not where the loop may write it, too. */
static void test_what_lies_there_behind_a_checkpoint_of_lanes(void **state)
{
    (void)state;
    static const char loop[] =
        "s[t] = a[3]; __syncthreads(); elem x = 0; for (unsigned k = 0; k < 99; k++) {\n"
        "CHECKPOINT_LANE(POINT, x, k); x = s[k]; %s } A[i] = x;";
    char body[300];
    snprintf(body, sizeof body, loop, "");
    assert_writes("", body, "a(3)");
    snprintf(body, sizeof body, loop, "f(s + k);");
    struct run run = {0};
    execute(&run, "__device__ void f(elem *p) { *p = 0; }", body);
    assert_string_equal(run.execution.failure, "");
    assert_ptr_not_equal(written(&run), NULL);
    assert_false(rd_term_has(
        written(&run), rd_apply(run.terms, "a", 1, (const rd_term[]){rd_number(run.terms, 3)})));
    finish(&run);
}

static void assert_counted_refused(bool has_squares, const char *body, const char *reason)
{
    struct run run = {.counts = true, .has_squares = has_squares};
    execute(&run, "", body);
    if (!strstr(run.execution.failure, reason))
        fail_msg("%s\nwas: '%s', not: '%s'", body, run.execution.failure, reason);
    finish(&run);
}

static void test_products_of_one_input_are_no_counts(void **state)
{
    static const char why[] = "a product of elements that are not of two inputs",
                      sum[] = "a loop without a checkpoint whose sum the prover can't state";
    (void)state;
    for (unsigned squares = 0; squares < 2; squares++) {
        assert_counted_refused(squares, "A[i] = A[0] * a[i];", why); /* A[0] is 1, and is the sum */
        assert_counted_refused(squares, "A[i] = a[i] * a[i] * a[i];", why);
        assert_counted_refused(squares, "A[i] = (a[i] + 1) * a[i];", why);
        assert_counted_refused(squares, "s[t] = a[i]; A[i] = s[t] * a[i];", why);
        assert_counted_refused(squares, "elem x = a[i]; if (t > 5) x = A[i]; A[i] = x * a[i];",
                               why);
    }
    assert_counted_refused(false, "A[i] = a[i] * a[i];", why);
    assert_counted_refused(
        true, "elem x = 1; for (size_t k = t; k < n; k++) x = x + x * 2; A[i] = x;", sum);
    assert_counted_refused(
        true,
        "elem x = 1, y = 0; for (size_t k = t; k < n; k++) { y = y + x; x = x + a[k]; } A[i] = y;",
        sum);
}

static void test_squares_are_counted_in_both_factors(void **state)
{
    static const struct {
        const char *body, *says;
    } cases[] = {
        {"A[t] = a[t] * a[t + 1];", "t = j and t + 1 = j'"},
        {"A[t] = 3 * (a[t] * (2 * a[t]));", "3*(t = j ? (t = j' ? 2 : 0) : 0)"},
        {"A[t] = (a[t] - a[t]) * a[t];", "0"},
        {"A[t] = 4 * a[t];", "4"},
    };
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct run run = {.counts = true, .has_squares = true};
        execute(&run, "", cases[k].body);
        assert_string_equal(run.execution.failure, "");
        const struct rd_segment *segment = &run.execution.segments[0];
        assert_says(segment->accesses[segment->n_accesses - 1].value, cases[k].says);
        finish(&run);
    }
}

static void assert_height(rd_term height, const char *words)
{
    if (words)
        assert_non_null(height);
    else
        assert_null(height);
    if (words)
        assert_says(height, words);
}

/* Above inputs and above cells; of the last write. */
static void test_heights_are_those_of_the_trees(void **state)
{
    static const struct {
        const char *body, *loads, *cells;
    } cases[] = {
        {"A[t] = a[t];", "0", NULL},
        {"A[t] = a[t] + a[t + 1];", "1", NULL},
        {"A[t] = A[t] + a[t] + a[t];", "2", "2"},
        {"A[t] = (A[t] + A[t + 1]) + (A[t + 2] + A[t + 3]);", NULL, "2"},
        {"A[t] = ((A[t] + A[t + 1]) + A[t + 2]) + A[t + 3];", NULL, "3"},
        {"elem x = 0; x = x + a[t]; A[t] = x;", "0", NULL},
        {"elem x = 0; if (t < 5) x = a[t] + a[t]; A[t] = x + a[t];", "2", NULL},
        {"A[t] = a[t] * a[t + 1];", "1", NULL},
        {"A[t] = a[t] + a[t]; A[t] = A[t] + a[t];", "2", "1"},
        {"elem x = 0; for (size_t k = t; k < n; k += 4) x = x + a[k]; A[t] = x;", "ceil(n/4) - 1",
         NULL},
        {"elem x = 1; for (size_t k = t; k < n; k += 4) x = x + a[k]; A[t] = x;", "ceil(n/4)",
         NULL},
        {"elem x = 0; for (size_t k = t; k < n; k++) x = x + (a[k] + a[k]); A[t] = x;", "n", NULL},
        {"elem x = A[t]; for (size_t k = t; k < n; k++) x = x + a[k]; A[t] = x;", "n", "n"},
    };
    static const char *const unknown[] = {
        "A[t] = a[t] - a[t + 1];",
        "A[t] = s[t] + a[t];", /* which nothing is known of */
        "elem x = 0; for (size_t k = t; k < n; k++) x = (x + a[k]) + a[k]; A[t] = x;",
        "elem x = 0; for (size_t k = t; k < n + t; k++) x = x + a[k]; A[t] = x;",
    };
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct run run = {.counts = true, .has_squares = true};
        execute(&run, "", cases[k].body);
        assert_string_equal(run.execution.failure, "");
        const struct rd_segment *segment = &run.execution.segments[0];
        const struct rd_height height = segment->accesses[segment->n_accesses - 1].height;
        if (!height.known)
            fail_msg("%s: its height isn't known", cases[k].body);
        assert_height(height.loads, cases[k].loads);
        assert_height(height.cells, cases[k].cells);
        finish(&run);
    }
    for (size_t k = 0; k < sizeof unknown / sizeof *unknown; k++) {
        struct run run = {.counts = true, .has_squares = true};
        execute(&run, "", unknown[k]);
        assert_string_equal(run.execution.failure, "");
        const struct rd_segment *segment = &run.execution.segments[0];
        if (segment->accesses[segment->n_accesses - 1].height.known)
            fail_msg("%s: its height is known", unknown[k]);
        finish(&run);
    }
    /* Heights are those above cells at the last checkpoint, of which the register's aren't. */
    struct run run = {.counts = true, .has_squares = true};
    execute(&run, "", "elem x = A[t]; CHECKPOINT(POINT, s, 1024, 1); A[t] = x;");
    assert_string_equal(run.execution.failure, "");
    assert_int_equal(run.execution.n_segments, 2);
    assert_false(run.execution.segments[1].accesses[0].height.known);
    finish(&run);
}

/* Places in y are names of their own; what a launch of one row has of them is 0 and 1. */
static void test_places_have_two_dimensions(void **state)
{
    static const char body[] = "A[GLOBAL_THREAD_Y * n + i] = a[blockDim.y + gridDim.y];";
    (void)state;
    for (unsigned has_rows = 0; has_rows < 2; has_rows++) {
        struct run run = {.has_rows = has_rows};
        execute(&run, "", body);
        assert_string_equal(run.execution.failure, "");
        const struct rd_segment *segment = &run.execution.segments[0];
        assert_says(segment->accesses[0].index, has_rows ? "T + grid_y" : "2");
        if (has_rows)
            assert_says(segment->accesses[1].index, "n*first row");
        finish(&run);
    }
}

/* Of y*width + k, k may be no place in that row. */
static void test_a_cell_of_a_row_is_that_of_its_thread(void **state)
{
    struct run run = {.has_rows = true};
    (void)state;
    execute(&run, "",
            "unsigned y = threadIdx.y; s[y * blockDim.x + t] = a[i]; __syncthreads();\n"
            "A[i] = s[y * blockDim.x + 5];");
    assert_string_equal(run.execution.failure, "");
    assert_says(required(&run, "a cell that is read is in a row of the block's threads"), "5 < T");
    finish(&run);
}

static void test_writers_in_two_dimensions_are_told(void **state)
{
    static const char why[] = "by a thread that can't be told";
    static const char *const writes[] = {"s[t] = a[i];", "if (t == 3) s[0] = a[i];",
                                         "s[threadIdx.y * 2 + t] = a[i];",
                                         "s[threadIdx.y * blockDim.x + 2 * t] = a[i];"};
    (void)state;
    for (size_t k = 0; k < sizeof writes / sizeof *writes; k++) {
        struct run run = {.has_rows = true};
        char body[200];
        snprintf(body, sizeof body, "%s __syncthreads(); A[i] = s[0];", writes[k]);
        execute(&run, "", body);
        if (!strstr(run.execution.failure, why))
            fail_msg("%s\nwas: '%s', not: '%s'", body, run.execution.failure, why);
        finish(&run);
    }
}

static void test_warps_of_rows_are_refused(void **state)
{
    struct run run = {.has_rows = true};
    (void)state;
    execute(&run, "", "A[i] = __shfl_down_sync(0xffffffff, a[i], 1);");
    assert_ptr_not_equal(strstr(run.execution.failure, "lanes of a block of two dimensions"), NULL);
    finish(&run);
}

/* Each trip makes the accesses of a loop that is summed up; how many there are isn't known. */
static void test_accesses_of_sums_repeat(void **state)
{
    struct run run = {.counts = true};
    (void)state;
    execute(&run, "",
            "elem x = 0; for (size_t k = t; k < n && k + i < n; k++) x = x + a[k]; A[i] = x;");
    assert_string_equal(run.execution.failure, "");
    for (size_t k = 0; k < run.execution.segments[0].n_accesses; k++)
        assert_int_equal(run.execution.segments[0].accesses[k].repeats,
                         !run.execution.segments[0].accesses[k].is_write);
    finish(&run);
}

static void test_shuffles_read_lanes_of_their_mask(void **state)
{
    (void)state;
    struct run run = {0};
    execute(
        &run, "",
        "elem x = a[t], y = __shfl_sync((0xffffffff >> n % 32) << t / 16 % 2 * 16, x, n % 16);\n"
        "A[i] = y;");
    assert_says(written(&run), "n mod 16 + 32*t div 32");
    assert_says(required(&run, "a lane that is read is in the mask"), "n mod 16 < ");
    assert_says(required(&run, "a mask that is shifted loses no lane"), "<= n mod 32");
    finish(&run);
    assert_refused("", "elem x = a[t]; A[i] = __shfl_sync(0xf0f, x, 0);",
                   "a shuffle of such a mask");
    assert_refused("", "elem x = a[t]; A[i] = __shfl_sync(n < 5 ? 0xf : 0xff, x, 0);",
                   "a shuffle of such a mask");
}

static void test_a_bit_is_turned_over_by_a_power_of_two(void **state)
{
    (void)state;
    struct run run = {0};
    execute(&run, "", "A[t ^ 4] = a[i];");
    assert_string_equal(run.execution.failure, "");
    for (size_t k = 0; k < run.execution.segments[0].n_accesses; k++)
        if (run.execution.segments[0].accesses[k].is_write)
            assert_says(run.execution.segments[0].accesses[k].index, "t mod 8 < 4 ? t + 4 : t - 4");
    finish(&run);
    execute(&run, "", "A[t ^ 6] = a[i];");
    assert_int_equal(required(&run, "'^' is of a number and a power of two")->kind, RD_TERM_FALSE);
    finish(&run);
    execute(&run, "", "A[t ^ n] = a[i];");
    required(&run, "'^' is of a number and a power of two");
    finish(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_heights_are_those_of_the_trees),
        cmocka_unit_test(test_products_of_one_input_are_no_counts),
        cmocka_unit_test(test_squares_are_counted_in_both_factors),
        cmocka_unit_test(test_what_is_added_to_a_difference_is_taken_back),
        cmocka_unit_test(test_elements_decide_nothing),
        cmocka_unit_test(test_parts_on_a_condition_set_nothing),
        cmocka_unit_test(test_pointers_keep_the_size_of_what_they_point_to),
        cmocka_unit_test(test_sums_have_bounds_and_strides_that_stay),
        cmocka_unit_test(test_indices_of_sums_are_compared_as_they_are),
        cmocka_unit_test(test_bounds_of_sums_call_nothing),
        cmocka_unit_test(test_barriers_behind_a_loop_are_of_those_who_left_it),
        cmocka_unit_test(test_names_are_of_one_function),
        cmocka_unit_test(test_checkpoints_of_helpers_in_loops_are_refused),
        cmocka_unit_test(test_arguments_and_checkpoints_require),
        cmocka_unit_test(test_ways_behind_a_checkpoint_are_not_told_apart),
        cmocka_unit_test(test_lanes_of_a_warp_make_trips_together),
        cmocka_unit_test(test_a_block_meets_in_a_loop_of_lanes_with_barriers),
        cmocka_unit_test(test_a_lane_that_is_read_has_its_own_variables),
        cmocka_unit_test(test_lanes_have_the_same_mask),
        cmocka_unit_test(test_variables_that_a_checkpoint_does_not_fix),
        cmocka_unit_test(test_what_another_warp_has_written_behind_a_loop_of_lanes),
        cmocka_unit_test(test_what_was_written_last_lies_there),
        cmocka_unit_test(test_barriers_of_a_trip_are_its_threads),
        cmocka_unit_test(test_records_and_own_arrays_are_values),
        cmocka_unit_test(test_loops_with_a_checkpoint_leave_arrays_of_callers_alone),
        cmocka_unit_test(test_pointers_to_packs_are_aligned),
        cmocka_unit_test(test_a_checkpoint_of_a_sum_knows_the_sum),
        cmocka_unit_test(test_what_atomics_add_is_not_read),
        cmocka_unit_test(test_checkpoints_are_guarded_for_all_threads_alike),
        cmocka_unit_test(test_what_lies_there_behind_a_checkpoint_of_lanes),
        cmocka_unit_test(test_places_have_two_dimensions),
        cmocka_unit_test(test_a_cell_of_a_row_is_that_of_its_thread),
        cmocka_unit_test(test_writers_in_two_dimensions_are_told),
        cmocka_unit_test(test_warps_of_rows_are_refused),
        cmocka_unit_test(test_accesses_of_sums_repeat),
        cmocka_unit_test(test_shuffles_read_lanes_of_their_mask),
        cmocka_unit_test(test_a_bit_is_turned_over_by_a_power_of_two),
        cmocka_unit_test(test_interruption_is_no_program_that_is_not_covered),
        cmocka_unit_test(test_missing_compiler_is_no_program_that_is_not_covered),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
