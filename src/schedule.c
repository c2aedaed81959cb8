// SPDX-License-Identifier: MIT
#include "schedule.h"

#include <assert.h>

bool rd_is_power_of_two(size_t n)
{
    return n > 0 && (n & (n - 1)) == 0;
}

size_t rd_power_of_two_from(size_t n)
{
    size_t power = 1;
    while (power < n)
        power *= 2;
    return power;
}

void rd_round_init(struct rd_round *round, unsigned number, enum rd_kernel kernel, size_t threads,
                   unsigned block_max)
{
    size_t block = threads < block_max ? threads : block_max;
    *round = (struct rd_round){
        .number = number,
        .kernel = kernel,
        .threads = threads,
        .grid = (threads + block - 1) / block,
        .block = (unsigned)block,
    };
}

void rd_round_blocks(struct rd_round *round, unsigned number, enum rd_kernel kernel,
                     const struct rd_shape *shape)
{
    *round = (struct rd_round){
        .number = number,
        .kernel = kernel,
        .threads = shape->grid * shape->block,
        .grid = shape->grid,
        .block = shape->block,
    };
}

void rd_round_width(struct rd_round *round, const char *name, size_t value)
{
    round->width_name = name;
    round->width = value;
}

static void pass(struct rd_round *round, enum rd_operand kind, size_t size)
{
    assert(round->n_operands < sizeof round->operands / sizeof *round->operands);
    round->operands[round->n_operands].kind = kind;
    round->operands[round->n_operands++].size = size;
}

void rd_round_pass_a(struct rd_round *round)
{
    pass(round, RD_OPERAND_A, 0);
}

void rd_round_pass_b(struct rd_round *round)
{
    pass(round, RD_OPERAND_B, 0);
}

void rd_round_pass_input(struct rd_round *round)
{
    pass(round, RD_OPERAND_INPUT, 0);
}

void rd_round_pass_scratch(struct rd_round *round, size_t n_elems)
{
    pass(round, RD_OPERAND_SCRATCH, n_elems);
}

void rd_round_pass_ticket(struct rd_round *round)
{
    pass(round, RD_OPERAND_TICKET, 0);
}

void rd_round_pass_size(struct rd_round *round, size_t size)
{
    pass(round, RD_OPERAND_SIZE, size);
}
