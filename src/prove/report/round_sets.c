// SPDX-License-Identifier: MIT
#include "prove/report/round_sets.h"
#include "law/tree.h"
#include "program/paragraph.h"
#include "prove/logic/count_sets.h"
#include "prove/law/law_terms.h"

#include <inttypes.h>
#include <string.h>
#include <strings.h>

enum { UNITS_MAX = 2, PARTS_MAX = 64, COUNTED_MAX = 1 << 20 };

/* A cell that an update reads. */
struct part {
    rd_term value, cell;
    rd_term set; /* NULL: it is dead, or no set */
};

struct round {
    const struct rd_round_cell *of;
    const struct rd_law *law;
    const struct rd_law_section *section;
    struct rd_terms *terms;
    struct rd_law_reader *reader;
    struct rd_law_numbers before, behind;
    rd_term units[UNITS_MAX];
    uint64_t sizes[UNITS_MAX];
    size_t n_parts;
    struct part parts[PARTS_MAX];
    bool too_many;
};

/* ---- sets ---- */

/* Leaves out what is so of every input: 0 <= j < n. */
static rd_term of_inputs(struct round *round, rd_term set)
{
    rd_term from[4 * UNITS_MAX], to[4 * UNITS_MAX];
    unsigned count = 0;
    for (size_t k = 0; k < round->law->n_inputs && set; k++) {
        const rd_term within[] = {
            rd_at_most(round->terms, rd_number(round->terms, 0), round->units[k]),
            rd_less(round->terms, round->units[k],
                    rd_number(round->terms, (rd_wide)round->sizes[k]))};
        for (unsigned w = 0; w < 2; w++) {
            from[count] = within[w];
            to[count++] = rd_true(round->terms);
            from[count] = rd_not(round->terms, within[w]);
            to[count++] = rd_false(round->terms);
        }
    }
    return set && count > 0 ? rd_replace(round->terms, set, count, from, to) : set;
}

/* The set that the law has in the cell; NULL where it names none. */
static rd_term claimed(struct round *round, const struct rd_law_numbers *at, rd_term cell)
{
    const struct rd_law_reading reading = {.role = RD_LAW_LAW};
    const rd_term live = rd_law_term_live(round->reader, round->section, RD_LAW_LAW, at, cell);
    if (live->kind != RD_TERM_TRUE)
        return NULL;
    return of_inputs(round,
                     rd_count_set_of(round->terms, rd_law_term_count(round->reader, round->section,
                                                                     &reading, at, cell)));
}

/* Stands for the value of a cell before the round. */
static rd_term read_before(void *self, rd_term cell)
{
    struct round *round = self;
    for (size_t k = 0; k < round->n_parts; k++)
        if (round->parts[k].cell == cell)
            return round->parts[k].value;
    if (round->n_parts == PARTS_MAX) {
        round->too_many = true;
        return rd_number(round->terms, 0);
    }
    struct part *part = &round->parts[round->n_parts];
    *part = (struct part){
        .cell = cell,
        .value = rd_constant(round->terms, rd_terms_text(round->terms, "part %zu", round->n_parts)),
    };
    round->n_parts++;
    return part->value;
}

/* ---- what makes the cell ---- */

/* The value that the cell gets, of parts and of inputs. */
static rd_term made(struct round *round, rd_term cell)
{
    struct rd_terms *terms = round->terms;
    const bool at_first = round->of->point ? !round->of->has_before : round->of->step == 0;
    const enum rd_law_role role = at_first ? RD_LAW_START : RD_LAW_UPDATE;
    const struct rd_law_reading reading = {.role = role, .before = read_before, .self = round};
    if (at_first && round->section->claims[role].count == 0)
        return !round->of->point && rd_program_starts_as_input(round->of->program)
                   ? rd_count_of(terms, rd_equal(terms, cell, round->units[0]))
                   : NULL;
    if (round->section->claims[role].count == 0)
        return NULL;
    if (rd_law_term_live(round->reader, round->section, role, &round->behind, cell)->kind ==
        RD_TERM_TRUE)
        return rd_law_term_count(round->reader, round->section, &reading, &round->behind, cell);
    return at_first ? NULL : read_before(round, cell);
}

/* Adds the sets that the value is the sum of; false where that isn't known. */
static bool add_sets(struct round *round, rd_term value, struct rd_term_list *sets)
{
    if (value->kind == RD_TERM_SUM && value->number == 0) {
        for (unsigned k = 0; k < value->n_kids; k++)
            if (value->coefficients[k] != 1 || !add_sets(round, value->kids[k], sets))
                return false;
        return true;
    }
    for (size_t k = 0; k < round->n_parts; k++) {
        if (round->parts[k].value != value)
            continue;
        if (round->parts[k].set)
            rd_term_list_add(round->terms, sets, round->parts[k].set);
        return round->parts[k].set != NULL;
    }
    struct rd_term_list others = {0};
    const bool is = rd_count_sets_of(round->terms, value, &others);
    for (size_t k = 0; k < others.count && is; k++) {
        const rd_term set = of_inputs(round, others.terms[k]);
        if (set->kind != RD_TERM_FALSE)
            rd_term_list_add(round->terms, sets, set);
    }
    rd_term_list_finish(&others);
    return is;
}

/* ---- counted ---- */

struct input {
    const struct round *round;
    uint64_t index[UNITS_MAX];
    bool unknown;
};

static rd_wide value_of(struct input *input, rd_term term);

static rd_wide value_of_pair(struct input *input, rd_term term)
{
    const rd_wide x = value_of(input, term->kids[0]), y = value_of(input, term->kids[1]);
    switch (term->kind) {
    case RD_TERM_LESS:
        return x < y;
    case RD_TERM_EQUAL:
        return x == y;
    default:
        break;
    }
    if (y <= 0) {
        input->unknown = true;
        return 0;
    }
    const rd_wide remainder = (x % y + y) % y;
    return term->kind == RD_TERM_MOD ? remainder : (x - remainder) / y;
}

static rd_wide value_of_several(struct input *input, rd_term term)
{
    rd_wide value = term->kind == RD_TERM_SUM ? term->number : term->kind != RD_TERM_OR;
    for (unsigned k = 0; k < term->n_kids; k++) {
        const rd_wide kid = value_of(input, term->kids[k]);
        value = term->kind == RD_TERM_SUM       ? value + term->coefficients[k] * kid
                : term->kind == RD_TERM_PRODUCT ? value * kid
                : term->kind == RD_TERM_AND     ? value && kid
                                                : value || kid;
    }
    return value;
}

/* A number, or 1 and 0 of a condition, for that input. */
static rd_wide value_of(struct input *input, rd_term term)
{
    switch (term->kind) {
    case RD_TERM_NUMBER:
        return term->number;
    case RD_TERM_CONSTANT:
        for (unsigned k = 0; k < UNITS_MAX; k++)
            if (term == input->round->units[k])
                return (rd_wide)input->index[k];
        break;
    case RD_TERM_SUM:
    case RD_TERM_PRODUCT:
    case RD_TERM_AND:
    case RD_TERM_OR:
        return value_of_several(input, term);
    case RD_TERM_DIV:
    case RD_TERM_MOD:
    case RD_TERM_LESS:
    case RD_TERM_EQUAL:
        return value_of_pair(input, term);
    case RD_TERM_CHOICE:
        return value_of(input, term->kids[value_of(input, term->kids[0]) ? 1 : 2]);
    case RD_TERM_TRUE:
        return 1;
    case RD_TERM_FALSE:
        return 0;
    case RD_TERM_NOT:
        return !value_of(input, term->kids[0]);
    default:
        break;
    }
    input->unknown = true;
    return 0;
}

/* Goes over all inputs, or pairs of them, and writes whether the sets make the other one. */
static void print_counted(const struct round *round, const struct rd_term_list *sets,
                          rd_term together, FILE *out)
{
    const uint64_t n = round->sizes[0], n_second = round->law->n_inputs > 1 ? round->sizes[1] : 1;
    struct input input = {.round = round};
    if (n > COUNTED_MAX || n_second > COUNTED_MAX || n * n_second > COUNTED_MAX) {
        fputs("not counted, as there are too many inputs\n", out);
        return;
    }
    for (uint64_t k = 0; k < n * n_second && !input.unknown; k++) {
        rd_wide times = 0;
        input.index[0] = k % n;
        input.index[1] = k / n;
        for (size_t s = 0; s < sets->count; s++)
            times += value_of(&input, sets->terms[s]);
        if (input.unknown || times == value_of(&input, together))
            continue;
        fprintf(out, "which is not so: j = %" PRIu64, input.index[0]);
        if (round->law->n_inputs > 1)
            fprintf(out, ", j2 = %" PRIu64, input.index[1]);
        fprintf(out, " is in %d of them, and must be in %s\n", (int)times,
                times == 0 ? "one" : "none or one, as the last set has it");
        return;
    }
    if (input.unknown)
        fputs("not counted\n", out);
    else
        fprintf(out, "counted: so it is for each of the %" PRIu64 " %s\n", n * n_second,
                n_second > 1 ? "pairs of inputs" : "inputs");
}

/* ---- text ---- */

static void print_cell(const struct round *round, rd_term cell, FILE *out)
{
    const struct rd_law_section *section = round->section;
    fprintf(out, "%s", section->array->name);
    if (section->array->n_sizes == 0)
        return;
    fputc('[', out);
    rd_term_print(cell, out);
    fputc(']', out);
}

static void print_parts(struct round *round, FILE *out)
{
    for (size_t k = 0; k < round->n_parts; k++) {
        struct part *part = &round->parts[k];
        fputs(k ? "             " : "before       ", out);
        print_cell(round, part->cell, out);
        fputs(" = ", out);
        if (part->set)
            rd_count_set_print(part->set, out);
        else
            fputs("what the law does not say", out);
        fputc('\n', out);
    }
}

static void print_round(struct round *round, FILE *out)
{
    struct rd_terms *terms = round->terms;
    const rd_term cell = rd_number(terms, (rd_wide)round->of->cell);
    const rd_term together = claimed(round, &round->behind, cell),
                  value = together ? made(round, cell) : NULL;
    struct rd_term_list sets = {0};
    for (size_t k = 0; k < round->n_parts; k++)
        round->parts[k].set = claimed(round, &round->before, round->parts[k].cell);
    const char *failure = rd_law_reader_failure(round->reader);
    if (*failure) {
        fprintf(out, "its sets can't be told: %s\n", failure);
        return;
    }
    print_parts(round, out);
    fputs("here         ", out);
    print_cell(round, cell, out);
    if (!together) {
        fputs(" is dead, or no set of inputs: the law says nothing of that kind of it\n", out);
        return;
    }
    fputs(" = ", out);
    rd_count_set_print(together, out);
    fputc('\n', out);
    if (!value || round->too_many || !add_sets(round, value, &sets)) {
        fputs("the law does not say of which sets it was made\n", out);
    } else {
        fputs("this round   ", out);
        rd_count_sets_print(&sets, together, out);
        fputc('\n', out);
        if (sets.count != 1 || sets.terms[0] != together)
            print_counted(round, &sets, together, (fputs("             ", out), out));
    }
    rd_term_list_finish(&sets);
}

static const struct rd_law_section *section_of(const struct rd_law *law, const char *point)
{
    for (size_t k = 1; k < law->n_sections && point; k++)
        if (strcasecmp(law->sections[k]->name, point) == 0)
            return law->sections[k];
    return point ? NULL : law->sections[0];
}

static struct rd_law_numbers numbers_of(struct round *round, uint64_t d, uint64_t variable)
{
    const struct rd_round_cell *of = round->of;
    struct rd_terms *terms = round->terms;
    return (struct rd_law_numbers){
        .n = rd_number(terms, (rd_wide)of->shape.n),
        .T = rd_number(terms, (rd_wide)of->shape.block),
        .B = rd_number(terms, (rd_wide)of->shape.grid),
        .d = rd_number(terms, (rd_wide)d),
        .block = rd_number(terms, (rd_wide)of->block),
        .warp = rd_number(terms, (rd_wide)of->warp),
        .variable = rd_number(terms, (rd_wide)variable),
    };
}

enum rd_status rd_round_sets_print(const struct rd_round_cell *of, FILE *out,
                                   struct rd_error *error)
{
    static const char *const names[UNITS_MAX] = {"j", "j2"};
    const struct rd_paragraph *paragraph = rd_paragraph_of(of->program);
    struct round round = {.of = of, .law = paragraph ? paragraph->law : NULL};
    if (round.law)
        round.section = section_of(round.law, of->point);
    if (!round.section || round.law->n_inputs > UNITS_MAX) {
        fputs("its sets can't be told: the law has none, or too many inputs\n", out);
        return RD_OK;
    }
    round.terms = rd_terms_create();
    for (size_t k = 0; k < round.law->n_inputs && round.terms; k++)
        round.units[k] = rd_constant(round.terms, names[k]);
    if (round.terms)
        round.reader = rd_law_reader_create(
            round.terms, round.law,
            (struct rd_law_units){.count = round.law->n_inputs, .index = round.units});
    if (!round.reader) {
        rd_terms_destroy(round.terms);
        return rd_fail(error, RD_ERROR_MEMORY, "no memory for the sets of a round");
    }
    round.behind = numbers_of(&round, of->step, of->variable);
    round.before = of->point ? numbers_of(&round, of->step, of->before)
                             : numbers_of(&round, of->step ? of->step - 1 : 0, 0);
    for (size_t k = 0; k < round.law->n_inputs; k++) {
        rd_wide size = 0;
        rd_term_is_number(rd_law_term_input_size(round.reader, k, &round.behind), &size);
        round.sizes[k] = (uint64_t)size;
    }
    print_round(&round, out);
    rd_law_reader_destroy(round.reader);
    rd_terms_destroy(round.terms);
    return RD_OK;
}
