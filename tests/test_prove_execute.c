// SPDX-License-Identifier: MIT
/* What a proof must not read as if it were something else: ways, loops, barriers and checkpoints of kernels that are executed
 * symbolically. */
#include "execution_harness.h"

#include "prove/prove.h"

#include <stdlib.h>
#include <string.h>

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

/* One trip stands for all of a loop that writes, unless what it does depends on those before it. */
static void test_a_trip_that_writes_stands_for_all(void **state)
{
    struct run run = {.counts = true};
    (void)state;
    execute(&run, "", "for (size_t k = i; k < n; k += 8) A[k] = a[k];");
    assert_string_equal(run.execution.failure, "");
    assert_int_equal(run.execution.n_trips, 1);
    const struct rd_segment *segment = &run.execution.segments[0];
    for (size_t k = 0; k < segment->n_accesses; k++) {
        assert_true(segment->accesses[k].repeats);
        assert_ptr_equal(segment->accesses[k].index, run.execution.trips[0].i);
        assert_true(rd_term_has(segment->accesses[k].path, run.execution.trips[0].i));
    }
    finish(&run);
    static const struct {
        const char *body, *why;
    } others[] = {
        {"for (size_t k = i; k < n; k++) A[k] = A[k + 1];", "that reads the array which it writes"},
        {"for (size_t k = i; k < n; k++) { elem x = A[k]; for (size_t m = k; m < n; m++) A[m] = x; "
         "}",
         "that reads the array which it writes"},
        {"for (size_t k = i; k < n; k++) s[t] = a[k];", "a write to memory that threads share"},
        {"elem x = 0; for (size_t k = i; k < n; k++) { x = x + a[k]; A[k] = x; }",
         "that writes a sum before it has ended"},
    };
    for (size_t k = 0; k < sizeof others / sizeof *others; k++)
        assert_refused("", others[k].body, others[k].why);
}

/* Asserts that the first value written to A is one of which nothing is known. */
static void assert_unknown(const char *before, const char *body)
{
    struct run run = {.counts = true};
    execute(&run, before, body);
    if (*run.execution.failure || written(&run)->kind != RD_TERM_APPLY)
        fail_msg("%s: '%s'", body, run.execution.failure);
    finish(&run);
}

/* What another trip, or what trips that aren't told, may have left. */
static void test_what_loops_leave_is_unknown(void **state)
{
    (void)state;
    assert_unknown("", "for (size_t k = n; k > 1; k /= 2) s[k + t] = a[i]; A[i] = s[t];");
    assert_unknown("", "for (size_t k = n; k > 1; k /= 2) A[i] = A[i + k];");
    assert_unknown("", "elem x = a[i]; for (size_t k = n; k > 1; k /= 2) { x = s[k]; s[k] = x; } "
                       "A[i] = x;");
    assert_unknown("", "elem x = 1; for (size_t k = t; k < n; k++) x = x + x * 2; A[i] = x;");
    assert_refused("", "for (size_t k = n; k > 1; k /= 2) atomicAdd(A, a[i]);",
                   "that writes memory which blocks share");
    assert_refused("", "for (size_t k = n; k > 1; k /= 2) { s[t] = a[i]; if (t == k) return; }",
                   "number of trips is not known");
}

/* A loop with a barrier is cut at its condition, where no law says what cells hold. */
static void test_a_loop_with_a_barrier_is_cut_at_its_condition(void **state)
{
    struct run run = {.counts = true};
    (void)state;
    execute(&run, "",
            "s[t] = a[i]; __syncthreads(); for (unsigned w = blockDim.x / 2; w > 0; w /= 2) {\n"
            "if (t < w) s[t] = s[t] + s[t + w];\n__syncthreads(); } A[i] = s[0];");
    assert_string_equal(run.execution.failure, "");
    assert_int_equal(run.execution.n_segments, 3);
    for (size_t k = 0; k < 3; k++) {
        const struct rd_segment *segment = &run.execution.segments[k];
        assert_int_equal(segment->from.is_bare, k > 0);
        assert_int_equal(segment->to.is_bare, k < 2);
        assert_int_equal(segment->goes_back, k == 1);
        assert_int_equal(segment->meets, k < 2);
        assert_null(segment->to.array);
    }
    finish(&run);
    assert_refused("",
                   "for (unsigned w = n; w > 1; w /= 2) for (unsigned v = w; v > 1; v /= 2) "
                   "__syncthreads();",
                   "a loop without a checkpoint whose number of trips is not known");
}

/* A loop whose trips aren't told ends only if its variable goes one way; one with a barrier is cut, and all threads come there. */
static void test_loops_that_are_not_told_require(void **state)
{
    (void)state;
    assert_requires("for (size_t k = n; k > 1; k = k) A[i] = a[i];",
                    "the loop comes to an end: its variable falls, or grows");
    assert_requires("for (unsigned w = n; w > t; w /= 2) { s[t] = 0; __syncthreads(); }",
                    "all threads of the block come to the loop's condition");
    assert_requires("if (t < 5) __syncwarp(); A[i] = a[i];",
                    "all lanes of the warp come to its barrier");
    assert_requires("for (unsigned k = t; k > 0; k /= 2) { s[t] = 0; __syncwarp(); }",
                    "all lanes of the warp come to its barrier");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
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
        cmocka_unit_test(test_barriers_of_a_trip_are_its_threads),
        cmocka_unit_test(test_checkpoints_are_guarded_for_all_threads_alike),
        cmocka_unit_test(test_warps_of_rows_are_refused),
        cmocka_unit_test(test_accesses_of_sums_repeat),
        cmocka_unit_test(test_a_trip_that_writes_stands_for_all),
        cmocka_unit_test(test_what_loops_leave_is_unknown),
        cmocka_unit_test(test_a_loop_with_a_barrier_is_cut_at_its_condition),
        cmocka_unit_test(test_loops_that_are_not_told_require),
        cmocka_unit_test(test_interruption_is_no_program_that_is_not_covered),
        cmocka_unit_test(test_missing_compiler_is_no_program_that_is_not_covered),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
