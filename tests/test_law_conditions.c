// SPDX-License-Identifier: MIT
/* Conditions made at random, held against each case being asked from left to right: the same cases are left, or the same
 * law is undefined. RD_TEST_CONDITIONS is how many, RD_TEST_SEED from which on. */
#include "law_harness.h"
#include "base/random.h"

#include <stdio.h>
#include <string.h>

enum { CONDITIONS = 60000, NODES = 64, ATOMS = 8, BOX = 12 };

static uint64_t seed;

static uint64_t random_below(uint64_t end)
{
    return rd_random(&seed) % end;
}

static uint64_t setting(const char *name, uint64_t otherwise)
{
    const char *number = getenv(name);
    return number ? strtoull(number, NULL, 10) : otherwise;
}

/* ---- expressions ---- */

enum kind {
    NUMBER,
    I,
    K,
    D,
    W,
    ADD,
    SUBTRACT,
    TIMES,
    SLASH,
    PERCENT,
    DIV,
    MOD,
    FLOOR,
    POWER,
    KINDS
};

struct node {
    enum kind kind;
    int64_t number;
    const struct node *left, *right;
};

static struct node nodes[NODES];
static size_t n_nodes;

/* Makes an expression of i and k, as far as they are known, and of a number that is undefined at some rounds: w = 4 / d. */
static const struct node *expression(unsigned depth, unsigned n_known)
{
    struct node *node = &nodes[n_nodes++];
    const bool leaf = depth == 0 || n_nodes + 8 > NODES || random_below(3) == 0;
    *node = (struct node){.number = (int64_t)random_below(6)};
    if (leaf) {
        static const enum kind leaves[] = {NUMBER, NUMBER, D, W, I, I, K, K};
        do {
            node->kind = leaves[random_below(8)];
        } while ((node->kind == I && n_known < 1) || (node->kind == K && n_known < 2));
        return node;
    }
    node->kind = (enum kind)(ADD + random_below(KINDS - ADD));
    /* None is too large to be worked out. */
    node->right = expression(node->kind == POWER ? 0 : depth - 1, n_known);
    node->left = expression(node->kind == POWER ? 0 : depth - 1, node->kind == POWER ? 0 : n_known);
    return node;
}

static size_t print_expression(const struct node *node, char *out)
{
    static const char *const words[] = {
        [NUMBER] = "",   [I] = "i",          [K] = "k",         [D] = "d",       [W] = "w",
        [ADD] = " + ",   [SUBTRACT] = " - ", [TIMES] = "*",     [SLASH] = " / ", [PERCENT] = " % ",
        [DIV] = " div ", [MOD] = " mod ",    [FLOOR] = ") / (", [POWER] = "^",
    };
    size_t length = 0;
    if (node->kind == NUMBER)
        return (size_t)sprintf(out, "%d", (int)node->number);
    if (!node->left)
        return (size_t)sprintf(out, "%s", words[node->kind]);
    length += (size_t)sprintf(out, "%s", node->kind == FLOOR ? "floor((" : "(");
    length += print_expression(node->left, out + length);
    length += (size_t)sprintf(out + length, "%s", words[node->kind]);
    length += print_expression(node->right, out + length);
    return length + (size_t)sprintf(out + length, "%s", node->kind == FLOOR ? "))" : ")");
}

struct place {
    int64_t i, k, d;
};

static bool divide(int64_t x, int64_t y, int64_t *quotient, int64_t *remainder)
{
    if (y == 0)
        return false;
    *quotient = x / y - (x % y != 0 && (x < 0) != (y < 0));
    *remainder = x - *quotient * y;
    return true;
}

/* False where it is undefined. */
static bool value_of(const struct node *node, const struct place *at, int64_t *value)
{
    int64_t x = 0, y = 0, quotient = 0, remainder = 0;
    if (node->left && (!value_of(node->left, at, &x) || !value_of(node->right, at, &y)))
        return false;
    switch (node->kind) {
    case NUMBER:
        *value = node->number;
        return true;
    case I:
        *value = at->i;
        return true;
    case K:
        *value = at->k;
        return true;
    case D:
        *value = at->d;
        return true;
    case W:
        return divide(4, at->d, value, &remainder);
    case ADD:
        return !__builtin_add_overflow(x, y, value);
    case SUBTRACT:
        return !__builtin_sub_overflow(x, y, value);
    case TIMES:
        return !__builtin_mul_overflow(x, y, value);
    case POWER:
        *value = y == 0 || x == 1 ? 1 : x == -1 ? 1 - 2 * (y % 2) : 0;
        if (y < 0 || x == 0 || x == 1 || x == -1)
            return y >= 0;
        for (*value = 1; y > 0; y--)
            if (__builtin_mul_overflow(*value, x, value))
                return false;
        return true;
    case SLASH:
    case PERCENT:
        if (x < 0 || y < 0)
            return false;
        break;
    default:
        break;
    }
    if (!divide(x, y, &quotient, &remainder))
        return false;
    *value = node->kind == PERCENT || node->kind == MOD ? remainder : quotient;
    return true;
}

/* ---- conditions ---- */

enum form { RELATION, CONGRUENCE, CHAIN, EITHER };

struct atom {
    enum form form;
    unsigned relation;
    const struct node *parts[3];
};

static const char *const relations[] = {"<", "<=", ">", ">=", "=", "!="};

static bool is_related(unsigned relation, int64_t x, int64_t y)
{
    const bool holds[] = {x<y, x <= y, x> y, x >= y, x == y, x != y};
    return holds[relation];
}

static struct atom condition(unsigned n_known)
{
    static const enum form forms[] = {RELATION,   RELATION, RELATION, RELATION,
                                      CONGRUENCE, CHAIN,    EITHER};
    struct atom atom = {.form = forms[random_below(7)], .relation = (unsigned)random_below(6)};
    n_nodes = n_nodes + 24 > NODES ? NODES : n_nodes;
    for (unsigned k = 0; k < 3; k++)
        atom.parts[k] = expression((unsigned)random_below(3), n_known);
    return atom;
}

static size_t print_atom(const struct atom *atom, char *out)
{
    char parts[3][512];
    for (unsigned k = 0; k < 3; k++)
        print_expression(atom->parts[k], parts[k]);
    const char *relation = relations[atom->relation];
    switch (atom->form) {
    case CONGRUENCE:
        return (size_t)sprintf(out, "%s = %s (mod %s)", parts[0], parts[1], parts[2]);
    case CHAIN:
        return (size_t)sprintf(out, "%s <= %s < %s", parts[0], parts[1], parts[2]);
    case EITHER:
        return (size_t)sprintf(out, "(%s %s %s or %s > 2)", parts[0], relation, parts[1], parts[2]);
    default:
        return (size_t)sprintf(out, "%s %s %s", parts[0], relation, parts[1]);
    }
}

static bool speaks_of(const struct node *node, enum kind name)
{
    return node->kind == name ||
           (node->left && (speaks_of(node->left, name) || speaks_of(node->right, name)));
}

/* Where a comparison begins a name: at `least` + from. */
struct bound {
    const struct node *least;
    enum kind name;
    int64_t from;
};

/* Reads i, i + 5, 5 + i and i - 5. */
static bool read_name(const struct node *side, struct bound *bound)
{
    const struct node *left = side->left, *right = side->right;
    const bool turned = side->kind == ADD && left->kind == NUMBER;
    const struct node *name = side->left ? (turned ? right : left) : side,
                      *number = turned ? left : right;
    bound->name = name->kind;
    bound->from = 0;
    if ((name->kind != I && name->kind != K) ||
        (side->left && ((side->kind != ADD && side->kind != SUBTRACT) || number->kind != NUMBER)))
        return false;
    if (side->left)
        bound->from = side->kind == ADD ? -number->number : number->number;
    return true;
}

/* Finds the bounds that x relation y puts on a name; returns how many. */
static size_t bounds_of(unsigned relation, const struct node *x, const struct node *y,
                        struct bound bounds[2])
{
    size_t count = 0;
    if ((relation < 2 || relation == 4) && read_name(y, &bounds[count])) {
        bounds[count].least = x;
        count += !speaks_of(x, bounds[count].name);
    }
    if (relation > 1 && relation < 5 && read_name(x, &bounds[count])) {
        bounds[count].least = y;
        count += !speaks_of(y, bounds[count].name);
    }
    for (size_t k = 0; k < count; k++)
        bounds[k].from += relation == 0 || relation == 2;
    return count;
}

static size_t bounds_in(const struct atom *atom, struct bound bounds[4])
{
    if (atom->form == RELATION)
        return bounds_of(atom->relation, atom->parts[0], atom->parts[1], bounds);
    if (atom->form != CHAIN)
        return 0;
    const size_t count = bounds_of(1, atom->parts[0], atom->parts[1], bounds);
    return count + bounds_of(0, atom->parts[1], atom->parts[2], &bounds[count]);
}

/* Tells whether its form shows that a name begins at 0 or above. */
static bool is_natural(const struct bound *bound)
{
    return (bound->least->kind == NUMBER && bound->least->number + bound->from >= 0) ||
           ((bound->least->kind == D || bound->least->kind == I || bound->least->kind == K) &&
            bound->from >= 0);
}

/* The names that need no further look: bits. */
static unsigned natural_names(const struct atom *atoms, size_t count)
{
    unsigned names = 0;
    struct bound bounds[4];
    for (size_t c = 0; c < count; c++)
        for (size_t k = bounds_in(&atoms[c], bounds); k-- > 0;)
            names |= (unsigned)is_natural(&bounds[k]) << bounds[k].name;
    return names;
}

/* Tells whether the number there begins a name below 0. */
static bool begins_below(const struct atom *atom, const struct node *at, int64_t value,
                         unsigned natural)
{
    struct bound bounds[4];
    bool is_below = false;
    for (size_t k = bounds_in(atom, bounds); k-- > 0;)
        if (bounds[k].least == at && !(natural & 1u << bounds[k].name) && !speaks_of(at, I) &&
            !speaks_of(at, K))
            is_below = value < -bounds[k].from;
    return is_below;
}

/* False where it is undefined. */
static bool holds_at(const struct atom *atom, unsigned natural, const struct place *at, bool *holds)
{
    int64_t x, y, z, ignored, of_x, of_y;
    if (!value_of(atom->parts[0], at, &x) || !value_of(atom->parts[1], at, &y) ||
        begins_below(atom, atom->parts[0], x, natural) ||
        (atom->form == RELATION && begins_below(atom, atom->parts[1], y, natural)))
        return false;
    switch (atom->form) {
    case CONGRUENCE:
        if (!value_of(atom->parts[2], at, &z) || !divide(x, z, &ignored, &of_x) ||
            !divide(y, z, &ignored, &of_y))
            return false;
        *holds = of_x == of_y;
        return true;
    case CHAIN:
        *holds = x <= y;
        if (*holds &&
            (!value_of(atom->parts[2], at, &z) || begins_below(atom, atom->parts[2], z, natural)))
            return false;
        *holds = *holds && y < z;
        return true;
    case EITHER:
        *holds = is_related(atom->relation, x, y);
        if (!*holds && !value_of(atom->parts[2], at, &z))
            return false;
        *holds = *holds || z > 2;
        return true;
    default:
        *holds = is_related(atom->relation, x, y);
        return true;
    }
}

/* ---- cases ---- */

struct trial {
    struct atom atoms[ATOMS];
    size_t count;
    bool is_sum; /* over a[i]*b[k], which bound i and k; else of cells */
    int64_t sizes[2];
    uint64_t d;
};

static struct atom bound(enum kind variable, const struct node *below)
{
    struct node *name = &nodes[n_nodes++];
    *name = (struct node){.kind = variable};
    return (struct atom){.form = RELATION, .relation = 0, .parts = {name, below, below}};
}

static const struct node *number(int64_t value)
{
    struct node *node = &nodes[n_nodes++];
    *node = (struct node){.kind = NUMBER, .number = value};
    return node;
}

/* Bounds come first, and may be undefined; or behind a condition that may be, and are numbers. */
static struct trial make_trial(void)
{
    struct trial trial = {.is_sum = random_below(2), .d = random_below(3)};
    const bool behind = random_below(2);
    for (unsigned k = 0; k < 2; k++)
        trial.sizes[k] = 1 + (int64_t)random_below(6);
    n_nodes = 0;
    if (!trial.is_sum) {
        if (behind) {
            struct atom first = condition(2);
            first.form = EITHER; /* which bounds nothing itself */
            trial.atoms[trial.count++] = first;
        }
        for (unsigned k = 0; k < 2; k++)
            trial.atoms[trial.count++] =
                bound(k ? K : I, behind ? number(trial.sizes[k]) : expression(1, k));
    }
    for (size_t more = 1 + random_below(3); more > 0 && n_nodes + 24 < NODES; more--)
        trial.atoms[trial.count++] = condition(2);
    return trial;
}

static void print_trial(const struct trial *trial, char *out)
{
    size_t length = (size_t)sprintf(
        out, "input a[%d], b[%d] array A[2048]\nlet w = 4 div d\nlaw %s", (int)trial->sizes[0],
        (int)trial->sizes[1], trial->is_sum ? "A[0] = sum of a[i]*b[k]" : "for ");
    for (size_t k = 0; k < trial->count; k++) {
        /* `x < k, i < y` were a range of two. */
        const bool is_range = k > 0 && !trial->atoms[k - 1].parts[1]->left;
        length += (size_t)sprintf(out + length, "%s",
                                  k > 0 && is_range        ? " and "
                                  : k > 0 || trial->is_sum ? ", "
                                                           : "");
        length += print_atom(&trial->atoms[k], out + length);
    }
    if (!trial->is_sum)
        sprintf(out + length, ": A[i + 32*k] = 0");
}

/* Counts the cases of each i and k; false where one is undefined. */
static bool count_cases(const struct trial *trial, unsigned counts[BOX][BOX])
{
    const bool behind = trial->count > 0 && trial->atoms[0].form == EITHER && !trial->is_sum;
    const bool boxed = trial->is_sum || behind;
    /* Over a[i]*b[k] the names are indices of the term alone. */
    const unsigned natural = trial->is_sum ? ~0u : natural_names(trial->atoms, trial->count);
    memset(counts, 0, BOX * BOX * sizeof counts[0][0]);
    for (int64_t i = 0; i < (boxed ? trial->sizes[0] : BOX); i++) {
        for (int64_t k = 0; k < (boxed ? trial->sizes[1] : BOX); k++) {
            const struct place at = {i, k, (int64_t)trial->d};
            bool holds = true;
            for (size_t c = 0; holds && c < trial->count; c++)
                if (!holds_at(&trial->atoms[c], natural, &at, &holds))
                    return false;
            counts[i][k] += holds;
        }
    }
    return true;
}

/* Numbers at which names begin, and which speak of none, are asked in front of all cases, also where there are none. */
static bool begins_below_anyway(const struct trial *trial)
{
    const unsigned natural = natural_names(trial->atoms, trial->count);
    const struct place at = {0, 0, (int64_t)trial->d};
    struct bound bounds[4];
    for (size_t c = 0; !trial->is_sum && c < trial->count; c++)
        for (size_t k = bounds_in(&trial->atoms[c], bounds); k-- > 0;) {
            int64_t value;
            const struct node *least = bounds[k].least;
            if (!(natural & 1u << bounds[k].name) && !speaks_of(least, I) && !speaks_of(least, K) &&
                (!value_of(least, &at, &value) || value < -bounds[k].from))
                return true;
        }
    return false;
}

/* Whether a name may begin below 0, by a bound that speaks of the other one: such a law is refused. */
static bool may_be_refused(const struct trial *trial)
{
    const unsigned natural = natural_names(trial->atoms, trial->count);
    struct bound bounds[4];
    for (size_t c = 0; !trial->is_sum && c < trial->count; c++)
        for (size_t k = bounds_in(&trial->atoms[c], bounds); k-- > 0;)
            if (!(natural & 1u << bounds[k].name) &&
                (speaks_of(bounds[k].least, I) || speaks_of(bounds[k].least, K)))
                return true;
    return false;
}

/* A bound beyond the box would need a larger one. */
static bool leaves_the_box(const struct trial *trial)
{
    for (int64_t i = 0; i < BOX && !trial->is_sum; i++) {
        const struct place at[] = {{BOX - 1, 0, (int64_t)trial->d},
                                   {i, BOX - 1, (int64_t)trial->d}};
        for (size_t c = 0; c < trial->count; c++) {
            const struct atom *atom = &trial->atoms[c];
            int64_t end;
            if (atom->parts[1] == atom->parts[2] &&
                value_of(atom->parts[1], &at[atom->parts[0]->kind == K], &end) && end >= BOX)
                return true;
        }
    }
    return false;
}

static size_t n_undefined, n_told, n_begin_below, n_refused;

static bool is_refused(const struct trial *trial, const char *text)
{
    struct rd_law *law = NULL;
    struct rd_law_error error;
    const bool is = rd_law_create(&law, text, &error) != RD_OK;
    bool has_alternatives = false; /* of which one may be written below 0 */
    for (size_t c = 0; c < trial->count; c++)
        has_alternatives = has_alternatives || trial->atoms[c].form == EITHER;
    if (is && !(may_be_refused(trial) && strstr(error.what.text, "may begin below 0 here")) &&
        !(has_alternatives && strstr(error.what.text, "begins below 0, and")))
        fail_msg("%s\n%s", text, error.what.text);
    rd_law_destroy(law);
    n_refused += is;
    return is;
}

static void compare(const struct trial *trial, const char *text)
{
    unsigned expected[BOX][BOX];
    if (is_refused(trial, text))
        return;
    const bool is_defined = count_cases(trial, expected);
    struct law_subject subject = law_subject(text, (struct rd_law_sizes){.n = 8, .T = 4, .B = 2});
    struct rd_law_cells cells;
    struct rd_law_error error;
    const struct rd_law_place place = {.d = trial->d};
    const enum rd_status status =
        rd_law_cells_init(&cells, subject.run, subject.section, &place,
                          trial->is_sum ? RD_LAW_FIRST_INPUT : RD_LAW_NO_INPUT, &error);
    n_undefined += !is_defined;
    if (begins_below_anyway(trial)) {
        n_begin_below += status != RD_OK;
        if (status == RD_OK)
            rd_law_cells_finish(&cells);
        law_subject_finish(&subject);
        return;
    }
    if ((status == RD_OK) != is_defined)
        fail_msg("%s\nat d = %zu: %s, and asked in order it is %s", text, (size_t)trial->d,
                 status == RD_OK ? "defined" : error.what.text,
                 is_defined ? "defined" : "undefined");
    for (size_t i = 0; is_defined && i < BOX; i++) {
        unsigned wanted = 0, told = 0;
        for (size_t k = 0; k < BOX; k++) {
            wanted += expected[i][k] << (trial->is_sum ? 0 : k);
            for (size_t c = 0; !trial->is_sum && c < cells.count; c++)
                told += (unsigned)(cells.cells[c] == i + 32 * k) << k;
        }
        for (size_t q = 0; trial->is_sum && q < cells.first[cells.count]; q++)
            told += cells.inputs[q] == i;
        n_told += told > 0;
        if (wanted != told)
            fail_msg("%s\nat d = %zu: i = %zu is in %x, and should be in %x", text,
                     (size_t)trial->d, i, told, wanted);
    }
    if (status == RD_OK)
        rd_law_cells_finish(&cells);
    law_subject_finish(&subject);
}

static void test_conditions_are_asked_from_left_to_right(void **state)
{
    static char text[16384];
    const uint64_t count = setting("RD_TEST_CONDITIONS", CONDITIONS);
    (void)state;
    seed = setting("RD_TEST_SEED", 1);
    print_message("seed %zu\n", (size_t)seed);
    for (uint64_t k = 0; k < count; k++) {
        const struct trial trial = make_trial();
        if (leaves_the_box(&trial))
            continue;
        print_trial(&trial, text);
        compare(&trial, text);
    }
    print_message("%zu undefined, %zu values told, %zu begin below 0, %zu refused\n", n_undefined,
                  n_told, n_begin_below, n_refused);
    assert_true(n_undefined > count / 20 && n_told > count / 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_conditions_are_asked_from_left_to_right),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
