// SPDX-License-Identifier: MIT
/* The laws of all programs in C: a compiler takes them without a warning, and they hold of what the law itself says, and not
 * of anything else. RD_TEST_CC: the compiler. */
#include "reductio/law.h"
#include "law_harness.h"
#include "laws.h"
#include "temporary.h"

#include <dlfcn.h>
#include <string.h>
#include <unistd.h>

/* The arguments of all functions together. */
struct arguments {
    const int64_t *inputs[2], *array;
    int64_t n, T, B, d, block, warp, step, *wrong;
};

static const char *const arguments_text = "struct arguments {\n"
                                          "    const int64_t *inputs[2], *array;\n"
                                          "    int64_t n, T, B, d, block, warp, step, *wrong;\n"
                                          "};\n";

static char folder[TEMPORARY_SIZE];
static void *library;
static size_t n_laws, n_right, n_wrong;

/* Forms that no program has. */
#define OWN "input a[n], b[n] array A[n] "
static const char *const own_laws[] = {
    OWN "law for i < n: A[i] = sum of a[j], (j - 3) mod 4 = i mod 4, not j = 2",
    OWN "law for i < n: A[i] = sum of a[j], (i - 5) div 2 = (j - 6) div 2 or j = i + d and i > 1",
    OWN "law for i < n: A[i] = sum of a[j], floor((i - 3) / 2) = ceil((j - 4) / 2)",
    OWN "law for 2 < i < n - 1, i != 4: A[i] = a[i] - b[i - 1]*a[i] - (b[i] - a[i])^2",
    OWN
    "law for i <= d: A[i] = product of a[j], 1 < j <= 3; for d < i < n: A[i] = max of b[j], j >= i",
    OWN "law for i < n: A[i] = min of (a[j] + b[j]), i <= j",
    OWN "law for i < n: A[i] = (sum of a[j], j < i) - (sum of 2*a[j], j > i) + 3",
    OWN
    "law for 2 <= i, i <= n - 1: A[i] = sum of (sum of a[k], k <= j) * b[j], j < i, j xor 1 = i",
    OWN "law A = sum of a[j], abs(j - 4) <= log2(n), j < bit_ceil(d + 3)",
    OWN "law A[floor(sqrt(n))] = a[ceil(sqrt(n))]^3; for q = d + 4: A[q] = -b[q]",
    OWN "law for i = 0 mod 2, i < n: A[i] = sum of a[j], j = i (mod 3); "
        "for i = 1 mod 2, i < n: A[i] = sum of a[j], j = i (mod 3)",
    OWN "let f(x) = x - 4; g(int, y) = y; h_0(x) = x; h_(k+1)(y) = h_k(y - 1) div 2 "
        "law for i < n: A[i] = sum of a[j], f(j) mod 3 = g(j, i) mod 3, h_d(j) < 3",
    OWN "let e_0(j) = a[j]; e_1(i) = b[i]*a[i]; e_2(k) = a[0] "
        "law for i < n: A[i] = e_(d mod 3)(i) + sum of e_1(m), m < i",
    OWN
    "let w = n div d; v = d + 1 law when d > 0: for i < w: A[i] = a[w - 1]; when d = 0: A[v] = 0",
    OWN "let for k < 2, t < n div 2: x[k][t] = sum of a[j], j mod 4 = t, j div 4 = k "
        "law for k < 2, t < 3: A[4k + t] = x[k][t] + x[1 - k][t]",
    OWN "law for i < d, i < n, n div d > 0: A[i] = a[i]",
    OWN "law for i < n: A[i] = sum of a[j], 0 < j < d, j < n, i = d (mod d - 1)",
    OWN "law A[0] = argmin of b[n - 1 - j], j < n; for 0 < i < n: A[i] = argmax of b[i - j], j < i",
    "input a[2][n][3] array A[n] law for i < n: A[i] = sum of a[p][i][q], p < 2, q <= d, q < 3",
    "input a[n] array total law total = sum of a[sum], sum < d + 2",
};
enum { N_OWN = sizeof own_laws / sizeof *own_laws, OWN_FIRST = 1000 };

/* ---- compiling ---- */

/* The program's own law, and not that of the right one. */
static bool has_law(const struct rd_program *program)
{
    return !rd_program_is_fault(program) || program->law;
}

/* Writes the argument for a parameter, "const elem *a" or "int64_t n". */
static void write_argument(const char *parameter, FILE *out)
{
    static const char *const names[] = {"n", "T", "B", "d", "block", "warp", "wrong"};
    const char *name = strrchr(parameter, ' ') + 1;
    const bool pointer = *name == '*';
    name += pointer;
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        if (strcmp(name, names[k]) == 0) {
            fprintf(out, "x->%s", name);
            return;
        }
    }
    if (pointer && (strcmp(name, "a") == 0 || strcmp(name, "b") == 0))
        fprintf(out, "x->inputs[%d]", *name - 'a');
    else
        fputs(pointer ? "x->array" : "x->step", out);
}

/* Behind the text, of each function one that takes all arguments: call_<program>_<section>. */
static void write_calls(char *text, size_t program, FILE *out)
{
    size_t section = 0;
    fputs(arguments_text, out);
    for (char *at = text; (at = strstr(at, "\nbool ")); section++) {
        char *name = at + strlen("\nbool "), *first = strchr(name, '(');
        at = strchr(first, ')');
        fprintf(out,
                "bool call_%zu_%zu(const struct arguments *x);\n"
                "bool call_%zu_%zu(const struct arguments *x)\n{\n    return %.*s(",
                program, section, program, section, (int)(first - name), name);
        *at = '\0';
        char *rest = NULL;
        for (char *part = strtok_r(first + 1, ",", &rest); part;
             part = strtok_r(NULL, ",", &rest)) {
            fputs(part == first + 1 ? "" : ", ", out);
            write_argument(part, out);
        }
        fputs(");\n}\n", out);
        at++;
    }
}

static void write_source(size_t index, const char *name, const char *paragraph)
{
    struct rd_law *law;
    struct rd_law_error error;
    char path[TEMPORARY_PATH_SIZE], *text;
    size_t size;
    if (rd_law_create(&law, paragraph, &error) != RD_OK)
        fail_msg("%zu:%zu: %s: %s", error.line, error.column, error.what.text, paragraph);
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    if (rd_law_c(law, name, out, &error) != RD_OK)
        fail_msg("%s: %s", paragraph, error.what.text);
    fclose(out);
    snprintf(path, sizeof path, "%s/law%zu.c", folder, index);
    out = fopen(path, "w");
    assert_non_null(out);
    fputs(text, out);
    write_calls(text, index, out);
    assert_int_equal(fclose(out), 0);
    free(text);
    rd_law_destroy(law);
}

static int compile_all(void **state)
{
    char command[600];
    const char *compiler = getenv("RD_TEST_CC");
    (void)state;
    assert_non_null(mkdtemp(temporary_name(folder, "reductio-law-c")));
    for (size_t k = 0; rd_programs[k]; k++)
        if (has_law(rd_programs[k]))
            write_source(k, rd_programs[k]->name, rd_program_law(rd_programs[k]));
    for (size_t k = 0; k < N_OWN; k++) {
        char name[40];
        snprintf(name, sizeof name, "%zu-own", k);
        write_source(OWN_FIRST + k, name, own_laws[k]);
    }
    snprintf(command, sizeof command,
             "cd %s && %s -std=c11 -Wall -Wextra -Werror -Wshadow -shared -fPIC -o laws.so law*.c",
             folder, compiler ? compiler : "cc");
    if (system(command) != 0)
        fail_msg("%s", command);
    snprintf(command, sizeof command, "%s/laws.so", folder);
    library = dlopen(command, RTLD_NOW | RTLD_LOCAL);
    assert_non_null(library);
    return 0;
}

static int clear(void **state)
{
    char command[TEMPORARY_PATH_SIZE];
    (void)state;
    if (library)
        dlclose(library);
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command);
}

/* ---- calling ---- */

typedef bool call_function(const struct arguments *arguments);

static call_function *function_of(size_t program, size_t section)
{
    char name[60];
    call_function *function;
    snprintf(name, sizeof name, "call_%zu_%zu", program, section);
    void *symbol = dlsym(library, name);
    assert_non_null(symbol);
    memcpy(&function, &symbol, sizeof function);
    return function;
}

struct subject {
    size_t index; /* of the program */
    const struct rd_law *law;
    struct rd_law_run *run;
    struct arguments arguments;
    const struct rd_law_section *section;
    call_function *holds;
};

static uint64_t seed = 1;

static int64_t random_value(void)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (int64_t)(seed >> 54) - 512;
}

/* Few values: some are equal. */
static int64_t *random_values(uint64_t count, int64_t few)
{
    int64_t *values = calloc(count + 1, sizeof *values);
    assert_non_null(values);
    for (uint64_t k = 0; k < count; k++)
        values[k] = few > 0 ? random_value() % few : random_value();
    return values;
}

static void judge_cells(const struct subject *subject, const char *name,
                        const struct rd_law_place *place, int64_t *cells, uint64_t size)
{
    struct rd_law_cells live;
    struct rd_law_error error;
    size_t next = 0;
    int64_t wrong = -1;
    struct arguments arguments = subject->arguments;
    arguments.array = cells;
    arguments.wrong = &wrong;
    assert_int_equal(
        rd_law_cells_init(&live, subject->run, subject->section, place, RD_LAW_NO_INPUT, &error),
        RD_OK);
    assert_int_equal(live.n_outside, 0);
    if (!subject->holds(&arguments))
        fail_msg("%s d=%d: cell %d isn't what C says", name, (int)place->d, (int)wrong);
    n_right++;
    for (uint64_t i = 0; i < size; i++) {
        const bool is_live = next < live.count && live.cells[next] == i;
        next += is_live;
        cells[i] += 1 + (int64_t)(i % 3);
        wrong = -1;
        if (subject->holds(&arguments) == is_live)
            fail_msg("%s d=%d: C says that %s cell %d may be anything, or not", name, (int)place->d,
                     is_live ? "live" : "dead", (int)i);
        if (is_live)
            assert_int_equal(wrong, i);
        n_wrong += is_live;
        cells[i] -= 1 + (int64_t)(i % 3);
    }
    assert_int_equal(next, live.count);
    rd_law_cells_finish(&live);
}

static void judge_place(struct subject *subject, const char *name, const struct rd_law_place *place)
{
    struct rd_law_error error;
    uint64_t size;
    const void *inputs[2] = {subject->arguments.inputs[0], subject->arguments.inputs[1]};
    const struct rd_law_data data = {.numeric = rd_numeric(RD_TYPE_I64), .inputs = inputs};
    assert_int_equal(rd_law_array_size(subject->run, subject->section, place, &size, &error),
                     RD_OK);
    int64_t *cells = random_values(size, 0);
    enum rd_status status =
        rd_law_apply(subject->run, subject->section, RD_LAW_LAW, place, &data, cells, NULL, &error);
    if (status != RD_OK)
        fail_msg("%s d=%d: %s", name, (int)place->d, error.what.text);
    subject->arguments.d = (int64_t)place->d;
    subject->arguments.block = (int64_t)place->block;
    subject->arguments.warp = (int64_t)place->warp;
    subject->arguments.step = (int64_t)place->variable;
    judge_cells(subject, name, place, cells, size);
    free(cells);
}

/* At a point: in the first and the last block and warp, at each step. */
static void judge_point(struct subject *subject, const char *name, const struct rd_shape *shape)
{
    struct rd_law_about about;
    struct rd_law_error error;
    const uint64_t blocks = shape->grid > 1 ? 2 : 1, warps = shape->block > 32 ? 2 : 1;
    rd_law_about(subject->section, &about);
    for (uint64_t at = 0; at < blocks * (about.kind == RD_LAW_REGISTER ? warps : 1); at++) {
        struct rd_law_place place = {.d = 1,
                                     .block = at % blocks * (shape->grid - (blocks > 1)),
                                     .warp = at / blocks * ((shape->block - 1) / 32)};
        uint64_t *steps;
        size_t count;
        assert_int_equal(
            rd_law_steps(subject->run, subject->section, &place, &steps, &count, &error), RD_OK);
        for (size_t k = 0; k < count || k == 0; k++) {
            place.variable = count > 0 ? steps[k] : 0;
            judge_place(subject, name, &place);
        }
        free(steps);
    }
}

/* A NULL program: a law of this test's, after three rounds at most. */
static bool has_round(const struct rd_program *program, const struct rd_shape *shape, unsigned d)
{
    struct rd_round round;
    return program ? rd_program_round(program, shape, d, &round) : d <= 3;
}

static void judge_run(struct subject *subject, const struct rd_program *program,
                      const struct rd_shape *shape)
{
    const char *name = program ? program->name : own_laws[subject->index - OWN_FIRST];
    for (size_t k = 0; k < rd_law_section_count(subject->law); k++) {
        subject->section = rd_law_section(subject->law, k);
        subject->holds = function_of(subject->index, k);
        if (k > 0) {
            judge_point(subject, name, shape);
            continue;
        }
        for (unsigned d = 0; d == 0 || has_round(program, shape, d); d++)
            judge_place(subject, name, &(struct rd_law_place){.d = d});
    }
}

static void judge_shape(struct subject *subject, const struct rd_program *program,
                        struct rd_shape shape)
{
    struct rd_law_error error;
    int64_t *values[2] = {NULL, NULL};
    const struct rd_law_sizes sizes = {.n = shape.n, .T = shape.block, .B = shape.grid};
    assert_int_equal(rd_law_run_create(&subject->run, subject->law, &sizes, &error), RD_OK);
    for (size_t k = 0; k < rd_law_input_count(subject->law); k++) {
        uint64_t size;
        assert_int_equal(rd_law_input_size(subject->run, k, &size, &error), RD_OK);
        values[k] = random_values(size, k > 0 ? 3 : 0);
    }
    subject->arguments = (struct arguments){.inputs = {values[0], values[1]},
                                            .n = (int64_t)shape.n,
                                            .T = shape.block,
                                            .B = (int64_t)shape.grid};
    judge_run(subject, program, &shape);
    rd_law_run_destroy(subject->run);
    free(values[0]);
    free(values[1]);
}

static void test_c_holds_of_what_the_law_says_and_of_nothing_else(void **state)
{
    static const struct rd_shape shapes[] = {
        {.n = 1, .block = 1},
        {.n = 8, .block = 4},
        {.n = 13, .block = 4, .grid = 2},
        {.n = 40, .block = 33, .grid = 2},
        {.n = 150, .block = 64},
    };
    (void)state;
    for (size_t k = 0; rd_programs[k]; k++) {
        struct subject subject = {.index = k};
        struct rd_law *law;
        if (!has_law(rd_programs[k]))
            continue;
        assert_int_equal(rd_law_create(&law, rd_program_law(rd_programs[k]), NULL), RD_OK);
        subject.law = law;
        n_laws++;
        for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
            struct rd_error refused;
            struct rd_shape shape = rd_program_shape(rd_programs[k], shapes[s]);
            if (rd_program_accept(rd_programs[k], &shape, &refused) == RD_OK)
                judge_shape(&subject, rd_programs[k], shape);
        }
        rd_law_destroy(law);
    }
    print_message("%zu laws held of %zu right arrays, and of none of %zu wrong ones\n", n_laws,
                  n_right, n_wrong);
    assert_true(n_laws >= 46 && n_wrong > 1000);
}

static void test_c_says_what_programs_do_not(void **state)
{
    (void)state;
    for (size_t k = 0; k < N_OWN; k++) {
        struct subject subject = {.index = OWN_FIRST + k};
        struct rd_law *law;
        assert_int_equal(rd_law_create(&law, own_laws[k], NULL), RD_OK);
        subject.law = law;
        judge_shape(&subject, NULL, (struct rd_shape){.n = 8, .block = 4, .grid = 2});
        judge_shape(&subject, NULL, (struct rd_shape){.n = 13, .block = 4, .grid = 2});
        rd_law_destroy(law);
    }
}

static void test_what_c_can_not_say_is_refused(void **state)
{
    static const struct {
        const char *law, *said;
    } cases[] = {
        {"input a[n][n] array A[n] law A[0] = argmin of a[0][j], j > d",
         "C has a sentence for 'argmin of' an element of a list alone"},
        {"input a[n] array A[n][n] law for i < n: A[i][0] = a[i]", "'A' has several indices"},
        {"input a[n] array A[n] law for i < n: A[i] = sum of a[2*k], 2*k < n",
         "'k' has no bound that a loop in C could have"},
    };
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct rd_law *law;
        struct rd_law_error error;
        char text[10] = "";
        assert_int_equal(rd_law_create(&law, cases[k].law, &error), RD_OK);
        FILE *out = fmemopen(text, sizeof text, "w");
        assert_non_null(out);
        assert_int_equal(rd_law_c(law, "x", out, &error), RD_ERROR_USAGE);
        assert_int_equal(ftell(out), 0);
        fclose(out);
        assert_non_null(strstr(error.what.text, cases[k].said));
        assert_int_equal(error.line, 1);
        assert_true(error.column > 20);
        rd_law_destroy(law);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_c_says_what_programs_do_not),
        cmocka_unit_test(test_what_c_can_not_say_is_refused),
        cmocka_unit_test(test_c_holds_of_what_the_law_says_and_of_nothing_else),
    };
    return cmocka_run_group_tests(tests, compile_all, clear) != 0;
}
