// SPDX-License-Identifier: MIT
#include "reductio/values.h"
#include "reductio/operation.h"
#include "element/npy.h"
#include "base/random.h"
#include "element/values_text.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Below this many values a parallel loop costs more than it saves. */
enum { PARALLEL_MIN = 1 << 16 };

/* ---- generators: a value is a function of its index alone ---- */

typedef rd_bits element_fn(const struct rd_numeric *numeric, uint64_t seed, size_t j);

static rd_bits element_one(const struct rd_numeric *numeric, uint64_t seed, size_t j)
{
    (void)seed, (void)j;
    return numeric->from_u64(1);
}

static rd_bits element_index(const struct rd_numeric *numeric, uint64_t seed, size_t j)
{
    (void)seed;
    return numeric->from_u64(j);
}

static rd_bits element_next_index(const struct rd_numeric *numeric, uint64_t seed, size_t j)
{
    (void)seed;
    return numeric->from_u64((uint64_t)j + 1);
}

static rd_bits element_power(const struct rd_numeric *numeric, uint64_t seed, size_t j)
{
    (void)seed;
    /* So many different powers still add up without a carry out of the type or a rounding. */
    return numeric->from_u64(UINT64_C(1) << j % numeric->digits);
}

/* Integers take the low bits. Floats take the high ones, as many as the significand has, as a fixed
 * point number in [0, 2), and subtract 1: both steps are exact. */
static rd_bits element_random(const struct rd_numeric *numeric, uint64_t seed, size_t j)
{
    uint64_t random = rd_random_at(seed, j);
    if (!numeric->is_float)
        return numeric->from_u64(random);
    const double unit = 1 / (double)(UINT64_C(1) << (numeric->digits - 1));
    return numeric->from_double((double)(random >> (64 - numeric->digits)) * unit - 1);
}

/* The edges of a type of w digits: 2^k, 2^k - 1 and 2^k + 1 of either sign. Every other one is a corner, each in
 * turn, so that of 16 seeds in a row every element has been every corner. */
static uint64_t edge(unsigned w, uint64_t seed, size_t j, bool *negative)
{
    const uint64_t high = UINT64_C(1) << (w - 1), middle = UINT64_C(1) << w / 2;
    const struct {
        uint64_t magnitude;
        bool negative;
    } corners[8] = {{0, false},   {1, false},        {1, true},       {2, true},
                    {high, true}, {high - 1, false}, {middle, false}, {middle - 1, false}};
    uint64_t turn = seed + j, random = rd_random_at(seed, j);
    if (turn % 2 == 0) {
        *negative = corners[turn / 2 % 8].negative;
        return corners[turn / 2 % 8].magnitude;
    }
    *negative = random >> 60 & 1;
    return (UINT64_C(1) << random % w) + (random >> 32) % 3 - 1;
}

static rd_bits element_edge(const struct rd_numeric *numeric, uint64_t seed, size_t j)
{
    bool negative;
    /* Floats that are whole numbers. */
    const unsigned width = numeric->is_float ? numeric->digits : 8 * (unsigned)numeric->size_bytes;
    uint64_t magnitude = edge(width, seed, j, &negative);
    if (numeric->is_float)
        return numeric->from_double(negative ? -(double)magnitude : (double)magnitude);
    return numeric->from_u64(negative ? -magnitude : magnitude);
}

/* A witness: the input of the seed's index alone, among inputs that change nothing. */
static rd_bits element_marked(const struct rd_numeric *numeric, uint64_t seed, size_t j)
{
    const bool of_product = numeric->operation == RD_OPERATION_PRODUCT;
    rd_bits identity;
    if (j == seed || !rd_operation_identity(numeric->operation, numeric, &identity))
        return numeric->from_u64(of_product ? 2 : 1);
    return identity;
}

static const struct generator {
    const char *name;
    element_fn *a;
    element_fn *b;
    bool is_seeded;
} generators[] = {
    {.name = "iota", .a = element_index, .b = element_next_index},
    {.name = "ones", .a = element_one, .b = element_one},
    {.name = "powers", .a = element_power, .b = element_one},
    {.name = "random", .a = element_random, .b = element_random, .is_seeded = true},
    {.name = "edges", .a = element_edge, .b = element_edge, .is_seeded = true},
    {.name = "marked", .a = element_marked, .b = element_one, .is_seeded = true},
};

static const struct generator *find_generator(const char *name)
{
    for (size_t i = 0; i < sizeof generators / sizeof *generators; i++)
        if (strcmp(generators[i].name, name) == 0)
            return &generators[i];
    return NULL;
}

/* Decimal digits and nothing else. */
static bool parse_seed(const char *text, uint64_t *seed)
{
    if (!*text || text[strspn(text, "0123456789")])
        return false;
    errno = 0;
    *seed = strtoull(text, NULL, 10);
    return errno == 0;
}

static void fill(void *cells, const struct rd_numeric *numeric, size_t n, element_fn *element,
                 uint64_t seed)
{
#pragma omp parallel for if (n > PARALLEL_MIN)
    for (size_t j = 0; j < n; j++)
        numeric->store(cells, j, element(numeric, seed, j));
}

static void *allocate(const struct rd_numeric *numeric, size_t n)
{
    size_t size_bytes;
    if (__builtin_mul_overflow(n, numeric->size_bytes, &size_bytes) || size_bytes > PTRDIFF_MAX)
        return NULL;
    return malloc(size_bytes);
}

static enum rd_status generate(struct rd_values *values, const struct generator *generator,
                               bool want_b, struct rd_error *error)
{
    const struct rd_numeric *numeric = values->numeric;
    if (values->n == 0)
        return rd_fail(error, RD_ERROR_USAGE, "'n' is 0: give at least 1");
    values->a = allocate(numeric, values->n);
    values->b = want_b ? allocate(numeric, values->n) : NULL;
    if (!values->a || (want_b && !values->b))
        return rd_fail(error, RD_ERROR_MEMORY, "no memory for %zu values of %s: use a smaller 'n'",
                       values->n, numeric->name);
    fill(values->a, numeric, values->n, generator->a, values->seed);
    if (want_b)
        fill(values->b, numeric, values->n, generator->b, ~values->seed);
    return RD_OK;
}

/* ---- values that are given ---- */

/* The spec as it is told on. It may be cut, but not within a character of UTF-8. */
static void copy_spec(struct rd_values *values, const char *spec)
{
    static const char cut[] = "...";
    size_t length = strlen(spec);
    if (length < sizeof values->spec) {
        memcpy(values->spec, spec, length + 1);
        return;
    }
    length = sizeof values->spec - sizeof cut;
    while (length > 0 && ((unsigned char)spec[length] & 0xc0) == 0x80)
        length--;
    memcpy(values->spec, spec, length);
    memcpy(values->spec + length, cut, sizeof cut);
}

/* Makes a and b from the cells, which become the values' own. */
static enum rd_status take_cells(struct rd_values *values, struct rd_numbers *in, size_t n,
                                 bool want_b, const struct rd_text_source *source,
                                 struct rd_error *error)
{
    values->a = in->cells;
    values->n = want_b ? in->count / 2 : in->count;
    if (want_b && in->count % 2 != 0)
        return rd_fail(error, source->bad,
                       "%s holds %zu numbers, an odd count: the first half is the first input, the "
                       "rest the second, so give an even count",
                       source->subject, in->count);
    if (n != 0 && n != values->n)
        return rd_fail(error, RD_ERROR_USAGE,
                       "%s holds %zu numbers%s, but 'n' is %zu: leave 'n' out, or give %zu",
                       source->subject, values->n, want_b ? " for each input" : "", n, values->n);
    if (!want_b)
        return RD_OK;

    size_t size_bytes = values->n * values->numeric->size_bytes;
    values->b = malloc(size_bytes);
    if (!values->b)
        return rd_fail(error, RD_ERROR_MEMORY, "no memory for the second input of %s",
                       source->subject);
    memcpy(values->b, (const char *)in->cells + size_bytes, size_bytes);
    void *half = realloc(values->a, size_bytes);
    if (half)
        values->a = half;
    return RD_OK;
}

static enum rd_status read_list(const char *spec, const struct rd_numeric *numeric,
                                struct rd_text_source *source, struct rd_numbers *out,
                                struct rd_error *error)
{
    const char *numbers = spec + strlen("list:");
    *source = (struct rd_text_source){.bad = RD_ERROR_USAGE, .is_list = true};
    rd_quote(source->subject, spec, strlen(spec));
    return rd_text_parse(numbers, strlen(numbers), source, numeric, out, error);
}

static enum rd_status open_file(const char *path, const struct rd_text_source *source, FILE **file,
                                struct rd_error *error)
{
    FILE *opened = fopen(path, "rb");
    if (!opened && errno == ENOENT && !strpbrk(path, "./"))
        return rd_fail(error, RD_ERROR_USAGE,
                       "%s is neither a generator (iota, ones, powers, random[:SEED], "
                       "edges[:SEED], marked[:J], list:X,Y,...) nor a "
                       "readable file: %s",
                       source->subject, strerror(errno));
    if (!opened)
        return rd_fail(error, RD_ERROR_IO, "%s can't be opened: %s", source->subject,
                       strerror(errno));
    *file = opened;
    return RD_OK;
}

static enum rd_status read_file(const char *path, const struct rd_numeric *numeric, bool want_b,
                                struct rd_text_source *source, struct rd_numbers *out,
                                struct rd_error *error)
{
    struct rd_bytes bytes = {0};
    FILE *file = NULL;
    enum rd_status status;
    *source = (struct rd_text_source){.subject = "standard input", .bad = RD_ERROR_INPUT};
    if (strcmp(path, "-") == 0) {
        status = rd_text_read(&bytes, stdin, source, error);
        if (!status)
            status = rd_text_parse(bytes.data, bytes.size, source, numeric, out, error);
        free(bytes.data);
        return status;
    }
    rd_quote_path(source->subject, path);
    status = open_file(path, source, &file, error);
    if (status)
        return status;
    status = rd_npy_or_text_read(file, source, numeric, want_b, out, error);
    fclose(file);
    return status;
}

/* ---- the interface ---- */

/* Finds out what generator the spec names, and the seed; NULL in *generator where it names none. */
static enum rd_status parse_generator(const char *spec, const struct generator **generator,
                                      uint64_t *seed, struct rd_error *error)
{
    char name[16];
    size_t length = strcspn(spec, ":");
    snprintf(name, sizeof name, "%.*s", (int)length, spec);
    const struct generator *named = find_generator(name);
    *seed = 1;
    *generator = NULL;
    if (!named || (spec[length] && !named->is_seeded))
        return RD_OK;
    if (spec[length] && !parse_seed(spec + length + 1, seed)) {
        char quoted[RD_SUBJECT_SIZE];
        rd_quote(quoted, spec, strlen(spec));
        return rd_fail(error, RD_ERROR_USAGE,
                       "%s has no seed that can be used: give %s:SEED with a whole number from "
                       "0 to 18446744073709551615",
                       quoted, name);
    }
    *generator = named;
    return RD_OK;
}

static enum rd_status accept_mark(const struct rd_values *values, const struct generator *generator,
                                  struct rd_error *error)
{
    if (generator->a != element_marked || values->seed < values->n)
        return RD_OK;
    return rd_fail(error, RD_ERROR_USAGE,
                   "'%.60s' marks none of %zu values: they are counted from 0 on", values->spec,
                   values->n);
}

bool rd_values_is_generator(const char *spec)
{
    const struct generator *generator;
    uint64_t seed;
    return !parse_generator(spec, &generator, &seed, NULL) && generator;
}

enum rd_status rd_values_init(struct rd_values *values, const struct rd_numeric *numeric,
                              const char *spec, size_t n, size_t default_n, bool want_b,
                              struct rd_error *error)
{
    struct rd_values made = {.numeric = numeric};
    struct rd_text_source source;
    struct rd_numbers cells = {0};
    const struct generator *generator;
    uint64_t seed;
    if (!*spec)
        return rd_fail(error, RD_ERROR_USAGE,
                       "'' names no values: give iota, ones, powers, random[:SEED], edges[:SEED], "
                       "list:X,Y,..., "
                       "a file or -");
    enum rd_status status = parse_generator(spec, &generator, &seed, error);
    if (status)
        return status;

    copy_spec(&made, spec);
    if (generator) {
        made.n = n ? n : default_n;
        made.has_seed = generator->is_seeded;
        made.seed = generator->is_seeded ? seed : 0;
        if (generator->is_seeded)
            snprintf(made.spec, sizeof made.spec, "%s:%" PRIu64, generator->name, seed);
        status = accept_mark(&made, generator, error);
        if (!status)
            status = generate(&made, generator, want_b, error);
    } else {
        status = rd_text_begins(spec, "list:")
                     ? read_list(spec, numeric, &source, &cells, error)
                     : read_file(spec, numeric, want_b, &source, &cells, error);
        if (!status)
            status = take_cells(&made, &cells, n, want_b, &source, error);
    }
    if (status) {
        rd_values_finish(&made);
        return status;
    }
    *values = made;
    return RD_OK;
}

/* Cuts what is behind the first n_a of all values off: it is b. */
static enum rd_status cut_b(struct rd_values *values, size_t n_a, size_t n_b,
                            struct rd_error *error)
{
    size_t size = values->numeric->size_bytes;
    values->b = malloc(n_b * size);
    if (!values->b)
        return rd_fail(error, RD_ERROR_MEMORY, "no memory for the second input");
    memcpy(values->b, (const char *)values->a + n_a * size, n_b * size);
    values->n = n_a;
    return RD_OK;
}

/* Given values are as many as there are inputs, of which n says how many; it is not theirs to say. */
static enum rd_status check_count(const struct rd_values *values, const char *spec, size_t wanted,
                                  bool each, struct rd_error *error)
{
    char quoted[RD_SUBJECT_SIZE];
    if (values->n == wanted)
        return RD_OK;
    rd_quote(quoted, spec, strlen(spec));
    return rd_fail(error, RD_ERROR_USAGE,
                   "%s holds %zu number%s%s, and %zu are needed: give %zu, or another 'n'", quoted,
                   values->n, values->n == 1 ? "" : "s", each ? " for each input" : "", wanted,
                   wanted);
}

enum rd_status rd_values_init_two(struct rd_values *values, const struct rd_numeric *numeric,
                                  const char *spec, size_t n_a, size_t n_b, struct rd_error *error)
{
    struct rd_values made;
    bool generated = rd_values_is_generator(spec), alike = n_a == n_b;
    /* A generator's element does not depend on how many there are. */
    size_t most = n_a > n_b ? n_a : n_b, wanted = alike ? n_a : n_a + n_b;
    bool want_b = n_b > 0 && (generated || alike);
    enum rd_status status =
        rd_values_init(&made, numeric, spec, generated ? most : 0, most, want_b, error);
    if (status != RD_OK)
        return status;
    if (!generated)
        status = check_count(&made, spec, wanted, want_b, error);
    if (status == RD_OK && !generated && !alike && n_b > 0)
        status = cut_b(&made, n_a, n_b, error);
    made.n = n_a;
    if (status == RD_OK)
        *values = made;
    else
        rd_values_finish(&made);
    return status;
}

void rd_values_finish(struct rd_values *values)
{
    if (!values)
        return;
    free(values->a);
    free(values->b);
    *values = (struct rd_values){0};
}
