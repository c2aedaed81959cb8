// SPDX-License-Identifier: MIT
/* Terms are made once: a table finds the one that is equal. */
#include "prove/logic/term_internal.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct chunk {
    struct chunk *next;
    size_t used, size;
    _Alignas(16) char bytes[];
};

struct rd_terms {
    struct chunk *chunks; /* the one in use first */
    rd_term *table;       /* open addressing; the size is a power of two */
    size_t size;
    unsigned count;
    bool failed;
};

/* Returned by constructors without memory. */
static const struct rd_term nothing = {.kind = RD_TERM_FALSE, .name = ""};

void rd_terms_fail(struct rd_terms *terms)
{
    terms->failed = true;
}

bool rd_terms_failed(const struct rd_terms *terms)
{
    return terms->failed;
}

unsigned rd_terms_count(const struct rd_terms *terms)
{
    return terms->count;
}

static void *get(struct rd_terms *terms, size_t size_bytes)
{
    enum { CHUNK_BYTES = 64 * 1024 };
    const size_t need = (size_bytes + 15) / 16 * 16;
    struct chunk *chunk = terms->chunks;
    if (!chunk || chunk->size - chunk->used < need) {
        const size_t size = need > CHUNK_BYTES ? need : CHUNK_BYTES;
        chunk = malloc(sizeof *chunk + size);
        if (!chunk) {
            terms->failed = true;
            return NULL;
        }
        *chunk = (struct chunk){.next = terms->chunks, .size = size};
        terms->chunks = chunk;
    }
    void *bytes = chunk->bytes + chunk->used;
    chunk->used += need;
    return memset(bytes, 0, need);
}

struct rd_terms *rd_terms_create(void)
{
    enum { FIRST_SIZE = 1024 };
    struct rd_terms *terms = calloc(1, sizeof *terms);
    if (!terms)
        return NULL;
    terms->size = FIRST_SIZE;
    terms->table = calloc(terms->size, sizeof *terms->table);
    if (!terms->table) {
        free(terms);
        return NULL;
    }
    return terms;
}

void rd_terms_destroy(struct rd_terms *terms)
{
    if (!terms)
        return;
    for (struct chunk *chunk = terms->chunks; chunk;) {
        struct chunk *next = chunk->next;
        free(chunk);
        chunk = next;
    }
    free(terms->table);
    free(terms);
}

const char *rd_terms_text(struct rd_terms *terms, const char *format, ...)
{
    va_list arguments;
    char *text = NULL;
    va_start(arguments, format);
    const int length = vasprintf(&text, format, arguments);
    va_end(arguments);
    if (length < 0) {
        terms->failed = true;
        return "";
    }
    char *copy = get(terms, (size_t)length + 1);
    if (copy)
        memcpy(copy, text, (size_t)length + 1);
    free(text);
    return copy ? copy : "";
}

const rd_term *rd_terms_array(struct rd_terms *terms, size_t count, const rd_term *array)
{
    rd_term *copy = count > 0 ? get(terms, count * sizeof *copy) : NULL;
    if (copy)
        memcpy(copy, array, count * sizeof *copy);
    return copy;
}

/* ---- the table ---- */

static uint64_t mix(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * 0x9e3779b97f4a7c15u;
    return hash ^ hash >> 29;
}

static uint64_t hash_of(rd_term term)
{
    uint64_t hash = mix(term->kind, (uint64_t)term->number);
    hash = mix(hash, (uint64_t)(term->number >> 64));
    for (const char *c = term->name; *c; c++)
        hash = mix(hash, (unsigned char)*c);
    for (unsigned k = 0; k < term->n_kids; k++) {
        hash = mix(hash, term->kids[k]->id);
        hash = mix(hash, term->coefficients ? (uint64_t)term->coefficients[k] : 0);
    }
    return hash;
}

static bool is_same(rd_term x, rd_term y)
{
    if (x->kind != y->kind || x->number != y->number || x->n_kids != y->n_kids ||
        strcmp(x->name, y->name) != 0)
        return false;
    for (unsigned k = 0; k < x->n_kids; k++)
        if (x->kids[k] != y->kids[k] ||
            (x->coefficients && x->coefficients[k] != y->coefficients[k]))
            return false;
    return true;
}

static rd_term *place_of(rd_term *table, size_t size, rd_term term)
{
    size_t at = hash_of(term) & (size - 1);
    while (table[at] && !is_same(table[at], term))
        at = (at + 1) & (size - 1);
    return &table[at];
}

static bool grow(struct rd_terms *terms)
{
    const size_t size = terms->size * 2;
    rd_term *table = calloc(size, sizeof *table);
    if (!table)
        return false;
    for (size_t k = 0; k < terms->size; k++)
        if (terms->table[k])
            *place_of(table, size, terms->table[k]) = terms->table[k];
    free(terms->table);
    terms->table = table;
    terms->size = size;
    return true;
}

static rd_term copy_of(struct rd_terms *terms, rd_term term)
{
    struct rd_term *copy = get(terms, sizeof *copy);
    rd_term *kids = get(terms, term->n_kids * sizeof *kids);
    rd_wide *coefficients = NULL;
    if (term->coefficients) {
        coefficients = get(terms, term->n_kids * sizeof *coefficients);
        if (coefficients && term->n_kids)
            memcpy(coefficients, term->coefficients, term->n_kids * sizeof *coefficients);
    }
    const char *name = *term->name ? rd_terms_text(terms, "%s", term->name) : "";
    if (terms->failed)
        return NULL;
    if (term->n_kids)
        memcpy(kids, term->kids, term->n_kids * sizeof *kids);
    *copy = *term;
    copy->id = terms->count++;
    copy->name = name;
    copy->kids = kids;
    copy->coefficients = coefficients;
    return copy;
}

rd_term rd_term_make(struct rd_terms *terms, enum rd_term_kind kind, rd_wide number,
                     const char *name, unsigned n_kids, const rd_wide *coefficients,
                     const rd_term *kids)
{
    const struct rd_term wanted = {.kind = kind,
                                   .number = number,
                                   .name = name,
                                   .n_kids = n_kids,
                                   .coefficients = coefficients,
                                   .kids = kids};
    if (terms->failed)
        return &nothing;
    if ((size_t)terms->count * 2 >= terms->size && !grow(terms)) {
        terms->failed = true;
        return &nothing;
    }
    rd_term *place = place_of(terms->table, terms->size, &wanted);
    if (!*place)
        *place = copy_of(terms, &wanted);
    return *place ? *place : &nothing;
}

/* ---- lists ---- */

void rd_term_list_add(struct rd_terms *terms, struct rd_term_list *list, rd_term term)
{
    if (list->count == list->capacity) {
        const size_t capacity = list->capacity ? 2 * list->capacity : 16;
        rd_term *grown = realloc(list->terms, capacity * sizeof *grown);
        if (!grown) {
            terms->failed = true;
            return;
        }
        list->terms = grown;
        list->capacity = capacity;
    }
    list->terms[list->count++] = term;
}

void rd_term_list_add_new(struct rd_terms *terms, struct rd_term_list *list, rd_term term)
{
    for (size_t k = 0; k < list->count; k++)
        if (list->terms[k] == term)
            return;
    rd_term_list_add(terms, list, term);
}

void rd_term_list_add_all(struct rd_terms *terms, struct rd_term_list *to,
                          const struct rd_term_list *from)
{
    for (size_t k = 0; k < from->count; k++)
        rd_term_list_add(terms, to, from->terms[k]);
}

void rd_term_list_finish(struct rd_term_list *list)
{
    free(list->terms);
    *list = (struct rd_term_list){0};
}

rd_term rd_all_of(struct rd_terms *terms, const struct rd_term_list *list)
{
    rd_term all = rd_true(terms);
    for (size_t k = 0; k < list->count; k++)
        all = rd_and(terms, all, list->terms[k]);
    return all;
}
