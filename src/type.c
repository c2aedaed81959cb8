// SPDX-License-Identifier: MIT
#include "numeric.h"

#include <string.h>

extern const struct rd_numeric rd_numeric_i32, rd_numeric_u32, rd_numeric_u64, rd_numeric_f32,
    rd_numeric_f64;

static const struct rd_numeric *const types[RD_TYPE_COUNT] = {
    [RD_TYPE_I32] = &rd_numeric_i32, [RD_TYPE_U32] = &rd_numeric_u32,
    [RD_TYPE_U64] = &rd_numeric_u64, [RD_TYPE_F32] = &rd_numeric_f32,
    [RD_TYPE_F64] = &rd_numeric_f64,
};

const struct rd_numeric *rd_numeric(enum rd_type type)
{
    return types[type];
}

const struct rd_numeric *rd_numeric_named(const char *name)
{
    for (int type = 0; type < RD_TYPE_COUNT; type++)
        if (strcmp(types[type]->name, name) == 0)
            return types[type];
    return NULL;
}

rd_bits rd_expect_cell(const struct rd_expect *expect, size_t i)
{
    return expect->numeric->load(expect->cells, i / expect->stride);
}
