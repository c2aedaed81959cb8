// SPDX-License-Identifier: MIT
#include "law/value_table.h"
#include "law/run.h"

#include <stdlib.h>

static void clear(struct law_value_table *table)
{
    free(table->values);
    free(table->heads);
    free(table->next);
    table->values = NULL;
    table->heads = table->next = NULL;
    table->least = 0;
    table->most = -1;
}

/* The table of the node at this place; else one that nobody uses, emptied. NULL if all are in use. */
static struct law_value_table *take(struct rd_law_run *run, const struct law_node *node)
{
    struct law_value_table *spare = NULL;
    for (unsigned k = 0; k < LAW_VALUE_TABLES; k++) {
        struct law_value_table *table = &run->tables[k];
        if (table->of == node && table->generation == run->generation)
            return table;
        if (table->users == 0 && (!spare || table->generation < spare->generation))
            spare = table;
    }
    if (spare) {
        clear(spare);
        *spare = (struct law_value_table){
            .of = node, .generation = run->generation, .least = 0, .most = -1};
    }
    return spare;
}

static uint32_t hash(const struct law_value_table *table, int64_t value)
{
    return (uint32_t)(((uint64_t)value * 0x9e3779b97f4a7c15u) >> (64 - table->heads_log2));
}

/* Chains are made from their ends, so that they ascend. */
static void chain(struct law_value_table *table, uint32_t count)
{
    for (uint32_t k = count; k-- > 0;) {
        uint32_t *head = &table->heads[hash(table, table->values[k])];
        table->next[k] = *head;
        *head = k + 1;
    }
}

static bool allocate(struct law_value_table *table, uint32_t count)
{
    table->heads_log2 = 1;
    while (1u << table->heads_log2 < count)
        table->heads_log2++;
    table->values = malloc(count * sizeof *table->values);
    table->next = malloc(count * sizeof *table->next);
    table->heads = calloc((size_t)1 << table->heads_log2, sizeof *table->heads);
    return table->values && table->next && table->heads;
}

/* Fills it anew, for these values of the variable and those that it had. Refuses for good where one has no value. */
static void fill(struct rd_law_run *run, unsigned slot, struct law_value_table *table,
                 int64_t least, int64_t most)
{
    const bool empty = table->most < table->least;
    least = empty || least < table->least ? least : table->least;
    most = empty || most > table->most ? most : table->most;
    const uint32_t count = (uint32_t)(most - least + 1);
    clear(table);
    table->fills++;
    bool done = allocate(table, count);
    for (uint32_t k = 0; done && k < count; k++) {
        *rd_law_run_variable(run, slot) = least + k;
        done = rd_law_number_quietly(run, table->of, &table->values[k]);
    }
    if (!done) {
        clear(table);
        table->refused = true;
        return;
    }
    chain(table, count);
    table->least = least;
    table->most = most;
}

struct law_value_table *rd_law_value_table_get(struct rd_law_run *run, const struct law_node *node,
                                               unsigned slot, int64_t least, int64_t most)
{
    enum { FEW = 2, MANY = 1 << 22, FILLS_MAX = 8 };
    if (least < 0 || most >= MANY || most - least < FEW)
        return NULL;
    struct law_value_table *table = take(run, node);
    if (!table || table->refused)
        return NULL;
    const bool first = table->asked++ == 0; /* it may be the only time */
    if (least < table->least || most > table->most) {
        if (first || table->users > 0 || table->fills == FILLS_MAX)
            return NULL;
        fill(run, slot, table, least, most);
        if (table->refused)
            return NULL;
    }
    table->users++;
    return table;
}

void rd_law_value_table_release(struct law_value_table *table)
{
    if (table)
        table->users--;
}

bool rd_law_value_table_next(const struct law_value_table *table, int64_t value, uint32_t *at,
                             int64_t *v)
{
    uint32_t k = *at ? table->next[*at - 1] : table->heads[hash(table, value)];
    while (k && (table->values[k - 1] != value || table->least + (k - 1) < *v))
        k = table->next[k - 1];
    *at = k;
    if (k)
        *v = table->least + (k - 1);
    return k;
}

void rd_law_value_tables_finish(struct law_value_table tables[LAW_VALUE_TABLES])
{
    for (unsigned k = 0; k < LAW_VALUE_TABLES; k++)
        clear(&tables[k]);
}
