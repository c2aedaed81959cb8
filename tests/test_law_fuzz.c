// SPDX-License-Identifier: MIT
/* Laws changed at random: each is read or refused, with a message and a place, and what is read can be printed, read
 * again and evaluated. RD_TEST_MUTATIONS is how many, RD_TEST_SEED from which on. */
#include "reductio/law.h"
#include "laws.h"
#include "base/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { TEXT_MAX = 8192, MUTATIONS = 100000 };

static uint64_t seed;
static char text[TEXT_MAX]; /* of the law */

static uint64_t random_below(uint64_t end)
{
    return rd_random(&seed) % end;
}

static uint64_t setting(const char *name, uint64_t otherwise)
{
    const char *number = getenv(name);
    return number ? strtoull(number, NULL, 10) : otherwise;
}

/* Takes out what stands there, and puts something in. */
static void change(size_t at, size_t out, const char *in, size_t length)
{
    size_t size = strlen(text);
    if (at + out > size)
        out = size - at;
    if (size - out + length >= TEXT_MAX)
        return;
    memmove(text + at + length, text + at + out, size - at - out + 1);
    memcpy(text + at, in, length);
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

static const char *one_of(const char *const *list, size_t count)
{
    return list[random_below(count)];
}

/* A word, number or sign is another one: what comes out can often be read. */
static void replace(void)
{
    static const char *const names[] = {
        "i",  "j",   "t",     "k",       "l",     "n",      "d",   "w",   "T",   "B",   "G",
        "a",  "b",   "A",     "x",       "block", "warp",   "0",   "1",   "2",   "3",   "32",
        "64", "sum", "bytes", "product", "max",   "argmin", "and", "min", "mod", "div", "xor"};
    static const char *const signs[] = {"<", "<=", "=", ">", "!=", "+", "-", "*",
                                        "/", "%",  "^", ",", ";",  "(", ")"};
    size_t at = random_below(strlen(text) + 1), end;
    while (at > 0 && is_letter(text[at]) && is_letter(text[at - 1]))
        at--;
    for (end = at; is_letter(text[end]); end++)
        ;
    const char *in = end > at ? one_of(names, sizeof names / sizeof *names)
                              : one_of(signs, sizeof signs / sizeof *signs);
    if (text[at] && text[at] != ' ' && text[at] != '\n')
        change(at, end > at ? end - at : 1, in, strlen(in));
}

/* Anything anywhere. */
static void disturb(void)
{
    static const char *const parts[] = {
        "for ",
        "when d = 1: ",
        "let ",
        "law ",
        "update ",
        "launch ",
        "launch f(A) by n threads ",
        " by ",
        " on 2 blocks of T",
        ", shared T",
        "at ",
        " mod ",
        " div ",
        "/",
        "%",
        "^",
        "*",
        "+ ",
        "- ",
        " xor ",
        "(",
        ")",
        "[",
        "]",
        "<",
        "<=",
        "=",
        "!=",
        " and ",
        " or ",
        "not ",
        "min(",
        "max(",
        "floor(",
        "ceil(",
        "sqrt(",
        "log2(",
        "bit_ceil(",
        "abs(",
        "sum of ",
        "product of ",
        "min of ",
        "max of ",
        "and of ",
        "or of ",
        "xor of ",
        "argmin of ",
        "argmax of ",
        "in any order",
        "when warp = 0 ",
        ", in the last block",
        "steps w = 4 ",
        ",",
        ";",
        ":",
        ".",
        "...",
        "0",
        "1",
        "2",
        "9223372036854775807",
        "99999999999999999999",
        "a[j]",
        "A[i]",
        "a",
        "n",
        "d",
        "T",
        "B",
        "G",
        "block",
        "warp",
        "i",
        "j",
        "w",
        "m_",
        "m_d",
        "x",
        "\n",
        "\xe2\x88\x91",
        "_",
        "#",
    };
    const size_t size = strlen(text), at = random_below(size + 1);
    const char *part = one_of(parts, sizeof parts / sizeof *parts);
    char copy[64];
    switch (random_below(5)) {
    case 0:
        change(at, 1 + random_below(8), "", 0);
        break;
    case 1:
        change(at, 0, part, strlen(part));
        break;
    case 2:
        change(at, 1 + random_below(4), part, strlen(part));
        break;
    case 3: { /* a piece from elsewhere */
        size_t from = random_below(size + 1), length = random_below(sizeof copy);
        if (length > size - from)
            length = size - from;
        memcpy(copy, text + from, length);
        change(at, random_below(8), copy, length);
        break;
    }
    default:
        if (at < size)
            text[at] = (char)(1 + random_below(255));
    }
}

static struct {
    size_t read, evaluated, launched, located, decided, moved;
} figures;

static void assert_place(const struct rd_law_error *error)
{
    assert_true(error->what.text[0] != '\0');
    assert_true((error->line > 0) == (error->column > 0));
}

static char *printed(const struct rd_law *law)
{
    char *said = NULL;
    size_t length;
    FILE *out = open_memstream(&said, &length);
    assert_non_null(out);
    rd_law_print(law, out);
    for (size_t k = 0; k < rd_law_section_count(law); k++) {
        const struct rd_law_section *section = rd_law_section(law, k);
        long end = ftell(out);
        rd_law_latex(section, out);
        rd_law_mathml(section, out);
        fseek(out, end, SEEK_SET);
    }
    long end = ftell(out);
    struct rd_law_error error;
    if (rd_law_c(law, "changed", out, &error) != RD_OK)
        assert_place(&error);
    fseek(out, end, SEEK_SET);
    fputc('\0', out);
    assert_int_equal(fclose(out), 0);
    return said;
}

static void assert_prints(const struct rd_law *law)
{
    struct rd_law *again = NULL;
    struct rd_law_error error;
    char *said = printed(law);
    if (strlen(said) > RD_LAW_LENGTH_MAX) {
        free(said);
        return;
    }
    if (rd_law_create(&again, said, &error) != RD_OK)
        fail_msg("%s\n%zu:%zu: %s", said, error.line, error.column, error.what.text);
    if (!rd_law_same(law, again))
        fail_msg("reads as another: %s\n%s", text, said);
    rd_law_destroy(again);
    free(said);
}

/* Applies it to the values of few cells. */
static void move(struct rd_law_run *run, const struct rd_law *law,
                 const struct rd_law_section *section, const struct rd_law_place *place)
{
    enum { CELLS_MAX = 4096 };
    static double values[CELLS_MAX], cells[CELLS_MAX], one_by_one[CELLS_MAX];
    const void *inputs[16];
    struct rd_law_data data = {.numeric = rd_numeric((enum rd_type)random_below(RD_TYPE_COUNT)),
                               .inputs = inputs};
    struct rd_law_error error;
    uint64_t size;
    if (rd_law_input_count(law) > 16)
        return;
    for (size_t k = 0; k < rd_law_input_count(law); k++) {
        inputs[k] = values;
        if (rd_law_input_size(run, k, &size, &error) != RD_OK || size > CELLS_MAX)
            return;
    }
    if (rd_law_array_size(run, section, place, &size, &error) != RD_OK || size > CELLS_MAX)
        return;
    const enum rd_law_role role = (enum rd_law_role)random_below(3);
    for (size_t k = 0; k < CELLS_MAX; k++) /* of small numbers, no two neighbours the same */
        data.numeric->store(values, k, data.numeric->from_u64(k * 7 % 64 + 1));
    const bool before = random_below(2);
    for (size_t k = 0; k < CELLS_MAX; k++)
        data.numeric->store(cells, k, data.numeric->from_u64(before ? k % 61 + 100 : 0));
    memcpy(one_by_one, cells, sizeof cells);
    bool any_order[2] = {false, false};
    const enum rd_status status =
        rd_law_apply(run, section, role, place, &data, cells, &any_order[0], &error);
    if (status != RD_OK) {
        assert_place(&error);
        return;
    }
    data.one_by_one = true;
    /* One by one, the moves count as more work, and may be refused. */
    if (rd_law_apply(run, section, role, place, &data, one_by_one, &any_order[1], &error) ==
        RD_OK) {
        assert_memory_equal(cells, one_by_one, size * data.numeric->size_bytes);
        assert_int_equal(any_order[0], any_order[1]);
        figures.moved++;
    }
}

/* Both ways round: the cells that hold an input, and the inputs that a cell holds. */
static void assert_located(struct rd_law_run *run, const struct rd_law_section *section,
                           const struct rd_law_place *place)
{
    struct rd_law_cells cells;
    struct rd_law_error error;
    if (!rd_law_is_invertible(section) ||
        rd_law_cells_init(&cells, run, section, place, 0, &error) != RD_OK)
        return;
    for (uint64_t j = 0; j < 10; j++) {
        uint64_t *located;
        size_t count, met = 0;
        if (rd_law_locate(run, section, place, 0, j, &located, &count, &error) != RD_OK) {
            assert_place(&error);
            continue;
        }
        figures.located++;
        for (size_t k = 0; k < cells.count; k++) {
            bool held = false;
            for (size_t q = cells.first[k]; q < cells.first[k + 1]; q++)
                held |= cells.inputs[q] == j;
            if (held && (met == count || located[met++] != cells.cells[k]))
                fail_msg("input %zu isn't located in cell %zu: %s", (size_t)j,
                         (size_t)cells.cells[k], text);
        }
        if (met != count)
            fail_msg("input %zu is located in cell %zu: %s", (size_t)j, (size_t)located[met], text);
        free(located);
    }
    rd_law_cells_finish(&cells);
}

/* Asks whether the law is preserved, by itself or by the mutation. */
static void decide(struct rd_law_run *run, const struct rd_law_section *section,
                   const struct rd_law_place *after)
{
    const struct rd_law_place before = {.d = after->d - (after->d > 0),
                                        .block = after->block,
                                        .warp = after->warp,
                                        .variable = 2 * after->variable};
    struct rd_law_broken broken;
    struct rd_law_error error;
    bool preserved;
    for (unsigned role = RD_LAW_START; role <= RD_LAW_UPDATE; role++) {
        if (rd_law_preserves(run, section, (enum rd_law_role)role, &before, after, 0, &preserved,
                             &broken, &error) == RD_OK)
            figures.decided++;
        else
            assert_place(&error);
    }
}

static void assert_evaluates(const struct rd_law *law)
{
    const struct rd_law_sizes sizes = {
        .n = random_below(10), .T = random_below(5), .B = random_below(4), .work_max = 4000};
    const struct rd_law_place place = {.d = random_below(5),
                                       .block = random_below(3),
                                       .warp = random_below(2),
                                       .variable = random_below(5)};
    struct rd_law_run *run;
    struct rd_law_error error;
    struct rd_law_cells cells;
    uint64_t *steps;
    size_t count;
    struct rd_law_launch launch;
    bool found;
    assert_int_equal(rd_law_run_create(&run, law, &sizes, &error), RD_OK);
    if (rd_law_launch(run, place.d, &launch, &found, &error) == RD_OK)
        figures.launched += found;
    else
        assert_place(&error);
    for (size_t k = 0; k < rd_law_section_count(law); k++) {
        const struct rd_law_section *section = rd_law_section(law, k);
        if (rd_law_cells_init(&cells, run, section, &place, RD_LAW_FIRST_INPUT, &error) == RD_OK) {
            figures.evaluated++;
            assert_true(cells.first[0] == 0);
            rd_law_cells_finish(&cells);
        } else {
            assert_place(&error);
        }
        if (rd_law_steps(run, section, &place, &steps, &count, &error) == RD_OK)
            free(steps);
        if (rd_law_met(run, section, &place, &steps, &count, &error) == RD_OK)
            free(steps);
        else
            assert_place(&error);
        FILE *out = fopen("/dev/null", "w");
        assert_non_null(out);
        /* A text has the numbers of definitions that a formula names, and needs all of them. */
        if (rd_law_text(run, section, &place, out, &error) != RD_OK)
            assert_place(&error);
        if (rd_law_mathml_at(run, section, &place, out, &error) != RD_OK)
            assert_place(&error);
        const struct rd_law_obligations obligations = {
            .name = "changed",
            .rounds = random_below(3),
            .beginning = (enum rd_law_beginning)random_below(2),
            .promise = (enum rd_law_promise)random_below(4)};
        if (k == 0 && rd_law_smtlib(run, &obligations, out, &error) != RD_OK)
            assert_place(&error);
        fclose(out);
        assert_located(run, section, &place);
        decide(run, section, &place);
        move(run, law, section, &place);
    }
    rd_law_run_destroy(run);
}

static void test_changed_laws_are_read_or_refused(void **state)
{
    const uint64_t count =
        setting("RD_TEST_MUTATIONS", getenv("RD_TEST_SHORT") ? MUTATIONS / 4 : MUTATIONS);
    (void)state;
    seed = setting("RD_TEST_SEED", 1);
    print_message("seed %zu\n", (size_t)seed);
    for (uint64_t k = 0; k < count; k++) {
        struct rd_law *law;
        struct rd_law_error error;
        const struct rd_program *program = right_program(random_below(count_right_programs()));
        snprintf(text, sizeof text, "%slaunch %s\n", rd_program_law(program), program->launch);
        for (uint64_t changes = 1 + random_below(2); changes > 0; changes--)
            (random_below(4) > 0 ? replace : disturb)();
        if (rd_law_create(&law, text, &error) != RD_OK) {
            assert_place(&error);
            assert_true(error.line > 0);
            continue;
        }
        figures.read++;
        assert_prints(law);
        assert_evaluates(law);
        rd_law_destroy(law);
    }
    print_message(
        "%zu changed, %zu read; %zu laws evaluated, %zu rounds launched, %zu inputs located, "
        "%zu starts and updates decided, %zu arrays moved\n",
        (size_t)count, figures.read, figures.evaluated, figures.launched, figures.located,
        figures.decided, figures.moved);
    assert_true(figures.read > count / 20 && figures.launched > count / 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_changed_laws_are_read_or_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
