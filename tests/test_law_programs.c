// SPDX-License-Identifier: MIT
/* The laws of all programs: live cells and their inputs, evaluated in two ways, and next to a record. */
#include "law/lexer.h"
#include "law_programs.h"

/* ---- membership ---- */

/* Compares the law's cells with the claim's, and each pair with what `contains` says. */
static void judge_cells(const struct subject *subject, const char *where,
                        const struct rd_claim *claim, const struct rd_law_cells *cells,
                        size_t n_inputs, bool (*contains)(void *context, size_t i, size_t j),
                        void *context)
{
    bool *held = calloc(n_inputs + 1, sizeof *held);
    assert_non_null(held);
    figures.places++;
    if (cells->count != claim->count || cells->n_outside > 0)
        fail_msg("%s n=%zu block=%u grid=%zu %s: %zu cells, not %zu, %zu outside",
                 subject->program->name, subject->shape.n, subject->shape.block,
                 subject->shape.grid, where, cells->count, claim->count, cells->n_outside);
    for (size_t k = 0; k < cells->count; k++) {
        const size_t cell = k * claim->stride;
        if (cells->cells[k] != cell)
            fail_msg("%s n=%zu block=%u grid=%zu %s: cell %zu, not %zu", subject->program->name,
                     subject->shape.n, subject->shape.block, subject->shape.grid, where,
                     (size_t)cells->cells[k], cell);
        memset(held, 0, n_inputs);
        for (size_t q = cells->first[k]; q < cells->first[k + 1]; q++) {
            assert_true(cells->inputs[q] < n_inputs);
            if (held[cells->inputs[q]])
                fail_msg("%s %s: input %zu twice in cell %zu", subject->program->name, where,
                         (size_t)cells->inputs[q], cell);
            held[cells->inputs[q]] = true;
        }
        for (size_t j = 0; contains && j < n_inputs; j++)
            if (held[j] != contains(context, cell, j))
                fail_msg("%s n=%zu block=%u grid=%zu %s: input %zu is %sin cell %zu by the law",
                         subject->program->name, subject->shape.n, subject->shape.block,
                         subject->shape.grid, where, j, held[j] ? "" : "not ", cell);
        figures.cells++;
        figures.pairs += contains ? n_inputs : 0;
    }
    free(held);
}

/* A place of a program, after a round or (`at` not NULL) at a checkpoint. */
struct asked {
    const struct subject *subject;
    unsigned step;
    const struct rd_place *at;
    bool of_b;
};

static bool contains(void *context, size_t i, size_t j)
{
    const struct asked *asked = context;
    const struct rd_program *program = asked->subject->program;
    const struct rd_shape *shape = &asked->subject->shape;
    if (asked->at)
        return asked->of_b ? rd_program_contains_b_at(program, shape, asked->at, i, j)
                           : rd_program_contains_at(program, shape, asked->at, i, j);
    return asked->of_b ? rd_program_contains_b(program, shape, asked->step, i, j)
                       : rd_program_contains(program, shape, asked->step, i, j);
}

static void judge_membership_of(const char *where, const struct rd_law_section *section,
                                const struct rd_law_place *place, struct asked *asked,
                                const struct rd_claim *claim)
{
    const struct subject *subject = asked->subject;
    for (unsigned of_b = 0; of_b < rd_law_input_count(subject->law); of_b++) {
        struct rd_law_cells cells;
        struct rd_law_error error;
        asked->of_b = of_b;
        if (rd_law_cells_init(&cells, subject->run, section, place, (int)of_b, &error) != RD_OK)
            fail_law(subject, &error);
        judge_cells(subject, where, claim, &cells, of_b ? subject->n_b : subject->n_a, contains,
                    asked);
        rd_law_cells_finish(&cells);
    }
}

static void judge_membership_at_point(struct subject *subject, const struct meeting *meeting)
{
    if (!meeting->section)
        fail_msg("%s: no law at '%s'", subject->program->name,
                 rd_point_name(meeting->point->point));
    for (size_t k = 0; k < meeting->count; k++) {
        const struct rd_law_place place = law_place(&meeting->places[k]);
        struct asked asked = {subject, 0, &meeting->places[k], false};
        struct rd_claim claim;
        char where[100];
        snprintf(where, sizeof where, "%s block %zu warp %d at %zu",
                 rd_point_name(meeting->point->point), (size_t)asked.at->block, asked.at->warp,
                 (size_t)asked.at->variable);
        rd_program_claim_at(subject->program, &subject->shape, asked.at, &claim);
        judge_membership_of(where, meeting->section, &place, &asked, &claim);
    }
}

static void judge_membership(struct subject *subject)
{
    const unsigned rounds = rd_program_rounds(subject->program, &subject->shape);
    for (unsigned step = 0; step <= rounds; step++) {
        struct asked asked = {subject, step, NULL, false};
        struct rd_claim claim;
        char where[40];
        snprintf(where, sizeof where, "after round %u", step);
        rd_program_claim(subject->program, &subject->shape, step, &claim);
        judge_membership_of(where, rd_law_section(subject->law, 0),
                            &(struct rd_law_place){.d = step}, &asked, &claim);
    }
    judge_points(subject, judge_membership_at_point);
}

/* ---- what was recorded ---- */

/* laws.txt has a line for each step of each program on a few shapes, and one for all checkpoints of a point: the
 * claim, a digest of which inputs are in which cell, and the sentence. It was written by functions that were
 * independent of the laws:
 *     fold 8 4 0 after 1: 4/1 ab4455bba0e16d85 for 0 <= i < 4: A[i] = sum of a[j], j mod 4 = i
 *     dot-cpu 8 4 0 at serial: 5 places ec1844ef36e02ddc
 * A digest of 0: the cells hold no sums. */
enum { RECORD_MAX = 600 };

static uint64_t digest_bit(uint64_t digest, bool bit)
{
    return (digest ^ (bit ? 0x9e : 0x31)) * 1099511628211u;
}

static uint64_t digest_number(uint64_t digest, uint64_t number)
{
    for (unsigned bit = 0; bit < 64; bit++)
        digest = digest_bit(digest, number >> bit & 1);
    return digest;
}

static const uint64_t digest_of_nothing = 14695981039346656037u;

static uint64_t digest_members(uint64_t digest, struct asked *asked, const struct rd_claim *claim)
{
    const struct subject *subject = asked->subject;
    for (unsigned of_b = 0; of_b <= rd_program_has_b(subject->program); of_b++) {
        asked->of_b = of_b;
        for (size_t i = 0; i < claim->count; i++)
            for (size_t j = 0; j < (of_b ? subject->n_b : subject->n_a); j++)
                digest = digest_bit(digest, contains(asked, i * claim->stride, j));
    }
    return digest;
}

static void judge_recorded_step(const struct subject *subject, unsigned step, const char *record,
                                const char *recorded)
{
    struct asked asked = {subject, step, NULL, false};
    struct rd_claim claim;
    size_t count, stride;
    unsigned long long digest;
    int length;
    char statement[RD_STATEMENT_SIZE];
    assert_int_equal(sscanf(recorded, "%zu/%zu %llx %n", &count, &stride, &digest, &length), 3);
    rd_program_claim(subject->program, &subject->shape, step, &claim);
    rd_program_statement(subject->program, &subject->shape, step, RD_OPERATION_SUM, statement);
    if (claim.count != count || claim.stride != stride ||
        (digest != 0 && digest_members(digest_of_nothing, &asked, &claim) != digest))
        fail_msg("%s: the law claims %zu/%zu", record, claim.count, claim.stride);
    if (strcmp(statement, recorded + length) != 0)
        fail_msg("%s: the law says %s", record, statement);
    figures.cells += count;
}

static uint64_t digests[RD_POINT_COUNT];
static size_t n_places[RD_POINT_COUNT];

static void digest_meeting(struct subject *subject, const struct meeting *meeting)
{
    uint64_t *digest = &digests[meeting->point->point];
    for (size_t k = 0; k < meeting->count; k++) {
        struct asked asked = {subject, 0, &meeting->places[k], false};
        struct rd_claim claim;
        rd_program_claim_at(subject->program, &subject->shape, asked.at, &claim);
        *digest = digest_number(digest_number(*digest, claim.count), claim.stride);
        *digest = digest_members(*digest, &asked, &claim);
        n_places[meeting->point->point]++;
    }
}

static void judge_recorded_points(struct subject *subject, const char *point, const char *record,
                                  const char *recorded)
{
    size_t wanted;
    unsigned long long digest;
    int which = 0;
    while (which < RD_POINT_COUNT && strcmp(rd_point_name((enum rd_point)which), point) != 0)
        which++;
    assert_true(which < RD_POINT_COUNT);
    assert_int_equal(sscanf(recorded, "%zu places %llx", &wanted, &digest), 2);
    for (int p = 0; p < RD_POINT_COUNT; p++) {
        digests[p] = digest_of_nothing;
        n_places[p] = 0;
    }
    judge_points(subject, digest_meeting);
    if (n_places[which] != wanted || digests[which] != digest)
        fail_msg("%s: %zu places, and another digest", record, n_places[which]);
    figures.places += wanted;
}

static void judge_record(char *record)
{
    char name[60], kind[10], where[40];
    int length;
    struct subject subject = {0};
    struct rd_law *law;
    record[strcspn(record, "\n")] = '\0';
    assert_int_equal(sscanf(record, "%59s %zu %u %zu %9s %39[^:]: %n", name, &subject.shape.n,
                            &subject.shape.block, &subject.shape.grid, kind, where, &length),
                     6);
    subject.program = rd_program_named(name);
    assert_non_null(subject.program);
    subject.n_a = rd_program_inputs(subject.program, &subject.shape);
    subject.n_b = rd_program_inputs_b(subject.program, &subject.shape);
    assert_int_equal(rd_law_create(&law, rd_program_law(subject.program), NULL), RD_OK);
    subject.law = law;
    if (strcmp(kind, "after") == 0)
        judge_recorded_step(&subject, (unsigned)atoi(where), record, record + length);
    else
        judge_recorded_points(&subject, where, record, record + length);
    rd_law_destroy(law);
}

static void test_laws_say_what_is_recorded(void **state)
{
    char record[RECORD_MAX];
    FILE *records = fopen("tests/laws.txt", "r");
    (void)state;
    assert_non_null(records);
    memset(&figures, 0, sizeof figures);
    while (fgets(record, sizeof record, records)) {
        judge_record(record);
        figures.programs++;
    }
    fclose(records);
    print_message("%zu records, %zu cells, %zu places\n", figures.programs, figures.cells,
                  figures.places);
    assert_true(figures.programs > 1000 && figures.places > 1000);
}

/* ---- from the input to the cell ---- */

/* Programs with a point whose law can't be read that way: values made by functions. */
static const char *const one_way[] = {"cosine", "ladder-vectorised", "ladder-dot",
                                      "ladder-cooperative", "ladder-vectorised-atomic"};

static void judge_located(struct subject *subject, const struct rd_law_section *section,
                          const struct rd_law_place *place)
{
    struct rd_law_cells cells;
    struct rd_law_error error;
    uint64_t n_inputs;
    if (!rd_law_is_invertible(section)) {
        bool known = false;
        for (size_t k = 0; k < sizeof one_way / sizeof *one_way; k++)
            known |= starts_with(subject->program->name, one_way[k]);
        if (!known)
            fail_msg("%s: not invertible", subject->program->name);
        return;
    }
    for (size_t input = 0; input < rd_law_input_count(subject->law); input++) {
        if (rd_law_cells_init(&cells, subject->run, section, place, (int)input, &error) != RD_OK ||
            rd_law_input_size(subject->run, input, &n_inputs, &error) != RD_OK)
            fail_law(subject, &error);
        for (uint64_t j = 0; j < n_inputs; j++) {
            uint64_t *located;
            size_t count, met = 0;
            if (rd_law_locate(subject->run, section, place, input, j, &located, &count, &error) !=
                RD_OK)
                fail_law(subject, &error);
            for (size_t k = 0; k < cells.count; k++) {
                bool held = false;
                for (size_t q = cells.first[k]; q < cells.first[k + 1]; q++)
                    held |= cells.inputs[q] == j;
                if (!held)
                    continue;
                if (met == count || located[met] != cells.cells[k])
                    fail_msg(
                        "%s n=%zu block=%u grid=%zu d=%zu: input %zu isn't located in cell %zu",
                        subject->program->name, subject->shape.n, subject->shape.block,
                        subject->shape.grid, (size_t)place->d, (size_t)j, (size_t)cells.cells[k]);
                met++;
            }
            if (met != count)
                fail_msg("%s n=%zu block=%u grid=%zu d=%zu: input %zu is located in cell %zu",
                         subject->program->name, subject->shape.n, subject->shape.block,
                         subject->shape.grid, (size_t)place->d, (size_t)j, (size_t)located[met]);
            figures.pairs += cells.count;
            free(located);
        }
        figures.places++;
        rd_law_cells_finish(&cells);
    }
}

static void judge_located_at_point(struct subject *subject, const struct meeting *meeting)
{
    for (size_t k = 0; k < meeting->count; k++) {
        const struct rd_law_place place = law_place(&meeting->places[k]);
        judge_located(subject, meeting->section, &place);
    }
}

static void judge_all_located(struct subject *subject)
{
    if (figures.shapes % 7 != 1)
        return;
    for (unsigned step = 0; step <= rd_program_rounds(subject->program, &subject->shape); step++)
        judge_located(subject, rd_law_section(subject->law, 0), &(struct rd_law_place){.d = step});
    judge_points(subject, judge_located_at_point);
}

static void test_cells_of_an_input_are_those_that_hold_it(void **state)
{
    (void)state;
    memset(&figures, 0, sizeof figures);
    for_each_subject(judge_all_located);
    print_message("%zu places, %zu pairs\n", figures.places, figures.pairs);
    assert_more_than(100000, figures.pairs);
}

static void test_claims_and_members_are_those_of_the_law(void **state)
{
    (void)state;
    memset(&figures, 0, sizeof figures);
    for_each_subject(judge_membership);
    print_message("%zu programs, %zu shapes, %zu places, %zu cells, %zu pairs\n", figures.programs,
                  figures.shapes, figures.places, figures.cells, figures.pairs);
    assert_int_equal(figures.programs, count_right_programs());
    assert_more_than(1000000, figures.pairs);
}

/* ---- sentences, read again ---- */

/* Reads a sentence behind a head. Its definitions stand behind a semicolon, as its claims do. NULL: it can't be read. */
static struct rd_law *read_behind(int length, const char *head, const char *sentence,
                                  struct rd_law_error *error)
{
    char text[RECORD_MAX + 2 * RD_STATEMENT_SIZE];
    struct rd_law *law;
    snprintf(text, sizeof text, "%.*s\nlaw %s", length, head, sentence);
    if (rd_law_create(&law, text, error) == RD_OK)
        return law;
    for (const char *at = sentence; (at = strstr(at, "; ")); at++) {
        snprintf(text, sizeof text, "%.*s\nlet %s\nlaw %.*s", length, head, at + 2,
                 (int)(at - sentence), sentence);
        if (rd_law_create(&law, text, error) == RD_OK)
            return law;
    }
    return NULL;
}

/* Behind the program's inputs and its array, and what it defines if their sizes are of that. */
static struct rd_law *read_sentence(const struct subject *subject, const char *sentence,
                                    struct rd_law_error *error)
{
    struct rd_law_sentence array = {NULL, NULL}, law_of = {NULL, NULL};
    const char *paragraph = rd_program_law(subject->program);
    assert_true(rd_law_find_sentence(paragraph, "array", &array));
    assert_true(rd_law_find_sentence(paragraph, "law", &law_of));
    struct rd_law *law = read_behind((int)(array.end - paragraph), paragraph, sentence, error);
    return law ? law : read_behind((int)(law_of.begin - paragraph), paragraph, sentence, error);
}

static void assert_reads_again(const struct subject *subject, const char *sentence)
{
    char *printed = NULL;
    size_t size;
    struct rd_law_error error;
    struct rd_law *again;
    struct rd_law *law = read_sentence(subject, sentence, &error);
    if (!law)
        fail_msg("%s: '%s' can't be read: %zu:%zu: %s", subject->program->name, sentence,
                 error.line, error.column, error.what.text);
    FILE *out = open_memstream(&printed, &size);
    assert_non_null(out);
    rd_law_print(law, out);
    fclose(out);
    if (rd_law_create(&again, printed, &error) != RD_OK)
        fail_msg("%s: '%s' can't be read: %s", subject->program->name, printed, error.what.text);
    if (!rd_law_same(law, again))
        fail_msg("%s: '%s' reads as another law", subject->program->name, printed);
    rd_law_destroy(again);
    rd_law_destroy(law);
    free(printed);
    figures.places++;
}

static void read_sentences(struct subject *subject)
{
    char sentence[RD_STATEMENT_SIZE];
    if (figures.shapes % 3 != 1)
        return;
    for (int operation = 0; operation < RD_OPERATION_COUNT; operation++) {
        if (rd_program_accept_operation(subject->program, (enum rd_operation)operation, NULL) !=
            RD_OK)
            continue;
        const unsigned rounds = rd_program_rounds(subject->program, &subject->shape);
        for (unsigned step = 0; step <= rounds; step++) {
            rd_program_statement(subject->program, &subject->shape, step,
                                 (enum rd_operation)operation, sentence);
            assert_reads_again(subject, sentence);
        }
    }
}

static void test_sentences_of_each_operation_are_read_again(void **state)
{
    (void)state;
    memset(&figures, 0, sizeof figures);
    for_each_subject(read_sentences);
    print_message("%zu sentences\n", figures.places);
    assert_more_than(5000, figures.places);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_claims_and_members_are_those_of_the_law),
        cmocka_unit_test(test_laws_say_what_is_recorded),
        cmocka_unit_test(test_cells_of_an_input_are_those_that_hold_it),
        cmocka_unit_test(test_sentences_of_each_operation_are_read_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
