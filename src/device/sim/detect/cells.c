// SPDX-License-Identifier: MIT
/* Cells of an exact launch: makes them, divides them, and leaves plain records where the launch ends. */
#include "device/sim/detect/cell.h"
#include "base/array.h"
#include "device/sim/object.h"
#include "device/sim/engine/detector.h"
#include "device/sim/engine/engine.h"
#include "device/sim/memory/memory.h"

#include <stdlib.h>
#include <string.h>

/* More would take more memory than there may be. */
#define CELLS_MAX ((size_t)1 << 23)

void rd_sim_cell_fail(void)
{
    rd_sim_exact_fails("no memory for all accesses that are not ordered");
}

size_t rd_sim_cell_make(uintptr_t address)
{
    struct rd_sim_cells_state *own = rd_sim_here->cells;
    size_t number = own->first_free;
    if (number > 0) {
        own->first_free = own->cells[number].next_free;
    } else {
        if (own->n_cells > CELLS_MAX ||
            !rd_array_make_room(&own->cells, own->n_cells, &own->capacity, sizeof *own->cells))
            return 0;
        number = own->n_cells++;
    }
    own->cells[number] = (struct rd_sim_cell){.address = address};
    return number;
}

static void free_strong(struct rd_sim_cell *cell)
{
    if (!cell->strong)
        return;
    rd_sim_chain_finish(&cell->strong->chain);
    free(cell->strong->polls.entries);
    free(cell->strong);
    cell->strong = NULL;
}

void rd_sim_cell_free(size_t number)
{
    struct rd_sim_cells_state *own = rd_sim_here->cells;
    struct rd_sim_cell *cell = &own->cells[number];
    free_strong(cell);
    free(cell->writes.entries);
    free(cell->reads.entries);
    *cell = (struct rd_sim_cell){.next_free = own->first_free};
    own->first_free = number;
}

static void drop(uint64_t record)
{
    rd_sim_cell_free(rd_sim_cell_number(record));
}

static bool copy_list(struct rd_sim_cell_list *to, const struct rd_sim_cell_list *from)
{
    if (from->n == 0)
        return true;
    to->entries = malloc(from->n * sizeof *to->entries);
    if (!to->entries)
        return false;
    memcpy(to->entries, from->entries, from->n * sizeof *to->entries);
    to->n = to->capacity = from->n;
    return true;
}

static bool copy_strong(struct rd_sim_cell *to, const struct rd_sim_cell_strong *from)
{
    if (!from)
        return true;
    to->strong = calloc(1, sizeof *to->strong);
    return to->strong && rd_sim_chain_copy(&to->strong->chain, &from->chain) &&
           copy_list(&to->strong->polls, &from->polls);
}

/* Numbers of cells stay, but their places may change when one is made. */
static bool copy_cell(size_t to, size_t from)
{
    struct rd_sim_cells_state *own = rd_sim_here->cells;
    own->cells[to].are_others = own->cells[from].are_others;
    return copy_list(&own->cells[to].writes, &own->cells[from].writes) &&
           copy_list(&own->cells[to].reads, &own->cells[from].reads) &&
           copy_strong(&own->cells[to], own->cells[from].strong);
}

void rd_sim_cell_split(uint64_t record, uint64_t records[4])
{
    size_t first = rd_sim_cell_number(record);
    for (unsigned k = 1; k < 4; k++) {
        size_t number = rd_sim_cell_make(rd_sim_here->cells->cells[first].address + k);
        if (number == 0 || !copy_cell(number, first)) {
            rd_sim_cell_fail();
            return;
        }
        records[k] = rd_sim_cell_record(number, record & RD_INIT);
    }
}

/* Returns the record of these bytes. */
static uint64_t *find_record(uintptr_t address)
{
    enum rd_sim_space space;
    uint64_t *shadow = rd_sim_shadow(address, &space);
    return shadow ? rd_sim_byte_record(shadow, address) : NULL;
}

/* The record of a launch that has ended, as one access of the kind that matters to others. */
static uint64_t record_of_ended(const struct rd_sim_cell *cell, uint64_t init)
{
    bool writes = cell->writes.n > 0 || cell->strong;
    return rd_record_stamp(rd_sim_here->core.epoch, 0) | init |
           (!writes            ? RD_READS
            : cell->are_others ? RD_EXCLUSIVE
                               : RD_ATOMICS);
}

/* The launch has ended: the records that are cells become plain ones of that launch. */
static void forget_all(void)
{
    struct rd_sim_cells_state *own = rd_sim_here->cells;
    for (size_t number = 1; number < own->n_cells; number++) {
        uintptr_t address = own->cells[number].address;
        uint64_t *record = address ? find_record(address) : NULL;
        if (record && rd_sim_is_cell(*record) && rd_sim_cell_number(*record) == number)
            *record = record_of_ended(&own->cells[number], *record & RD_INIT);
        if (address)
            rd_sim_cell_free(number);
    }
    free(own->cells);
    own->cells = NULL;
    own->n_cells = 1;
    own->capacity = own->first_free = 0;
}

void rd_sim_cells_visit_chains(void (*keep)(const struct rd_sim_clock **root))
{
    struct rd_sim_cells_state *own = rd_sim_here->cells;
    for (size_t number = 1; number < own->n_cells; number++)
        if (own->cells[number].strong)
            rd_sim_chain_visit(&own->cells[number].strong->chain, keep);
}

static void cells_begin(void)
{
    rd_sim_here->cells->n_cells = 1;
}

const struct rd_sim_part rd_sim_part_cells = {
    .size_bytes = sizeof(struct rd_sim_cells_state),
    .at = offsetof(struct rd_sim, cells),
    .begin = cells_begin,
    .finish = forget_all,
};

static void launch_end(void)
{
    if (rd_sim_here->core.exact)
        forget_all();
}

const struct rd_sim_detector rd_sim_detector_cells = {
    .launch_end = launch_end,
    .cell_drop = drop,
    .cell_split = rd_sim_cell_split,
};
