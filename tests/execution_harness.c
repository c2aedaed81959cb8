// SPDX-License-Identifier: MIT
#include "execution_harness.h"

#include <stdlib.h>
#include <string.h>

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

void execute(struct run *run, const char *before, const char *body)
{
    char text[2000];
    struct rd_error error;
    struct rd_terms *terms = run->terms = rd_terms_create();
    assert_non_null(terms);
    snprintf(text, sizeof text,
             "#include \"kernel.h\"\n%s\n"
             "__global__ void k(const elem *a, elem *A%s, size_t n)\n{\n"
             "unsigned t = threadIdx.x; size_t i = GLOBAL_THREAD; %s\n%s\n}\n",
             before, run->has_scratch ? ", elem *p, unsigned *ticket" : "",
             run->has_scratch ? "unsigned b = blockIdx.x;" : "__shared__ elem s[1024];", body);
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
    run->p = (struct rd_prove_array){
        .name = "p", .size = rd_constant(terms, "grid"), .input = -1, .is_scratch = true};
    run->ticket = (struct rd_prove_array){
        .name = "ticket", .size = rd_number(terms, 1), .input = -1, .is_ticket = true};
    const struct rd_argument arguments[] = {{.array = &run->a}, {.array = &run->A}, {.number = n}};
    const struct rd_argument scratch[] = {{.array = &run->a},
                                          {.array = &run->A},
                                          {.array = &run->p},
                                          {.array = &run->ticket},
                                          {.number = n}};
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
    rd_execute(&run->execution, rd_syntax_function_named(run->unit, "k"), run->has_scratch ? 5 : 3,
               run->has_scratch ? scratch : arguments);
}

void finish(struct run *run)
{
    rd_execution_finish(&run->execution);
    rd_syntax_destroy(run->unit);
    rd_terms_destroy(run->terms);
}

void assert_refused(const char *before, const char *body, const char *reason)
{
    struct run run = {0};
    execute(&run, before, body);
    if (!strstr(run.execution.failure, reason))
        fail_msg("%s\nwas: '%s', not: '%s'", body, run.execution.failure, reason);
    finish(&run);
}

void assert_requires(const char *body, const char *what)
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

rd_term required(const struct run *run, const char *what)
{
    for (size_t s = 0; s < run->execution.n_segments; s++)
        for (size_t k = 0; k < run->execution.segments[s].n_requirements; k++)
            if (strstr(run->execution.segments[s].requirements[k].what, what))
                return run->execution.segments[s].requirements[k].condition;
    fail_msg("nothing requires: %s (%s)", what, run->execution.failure);
    return NULL;
}

void assert_says(rd_term term, const char *words)
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

rd_term written(const struct run *run)
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

void assert_writes(const char *before, const char *body, const char *words)
{
    struct run run = {0};
    execute(&run, before, body);
    assert_says(written(&run), words);
    finish(&run);
}
