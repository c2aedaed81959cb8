// SPDX-License-Identifier: MIT
#include "program/definition.h"

#include <string.h>

#define MEMBER(member, kind)                                                                       \
    {                                                                                              \
#member, kind, offsetof(struct rd_program, member)                                         \
    }
const struct rd_program_member rd_program_members[] = {
    MEMBER(summary, RD_MEMBER_TEXT),     MEMBER(law, RD_MEMBER_TEXT),
    MEMBER(launch, RD_MEMBER_TEXT),      MEMBER(kernel, RD_MEMBER_TEXT),
    MEMBER(points, RD_MEMBER_TEXT),      MEMBER(goal_text, RD_MEMBER_TEXT),
    MEMBER(reads, RD_MEMBER_TEXT),       MEMBER(blocks, RD_MEMBER_TEXT),
    MEMBER(twin, RD_MEMBER_TEXT),        MEMBER(accept, RD_MEMBER_TEXT),
    MEMBER(values, RD_MEMBER_TEXT),      MEMBER(bounded, RD_MEMBER_FLAG),
    MEMBER(no_witness, RD_MEMBER_FLAG),  MEMBER(may_hang, RD_MEMBER_FLAG),
    MEMBER(any_order, RD_MEMBER_FLAG),   MEMBER(block, RD_MEMBER_UNSIGNED),
    MEMBER(n_block, RD_MEMBER_UNSIGNED), MEMBER(n, RD_MEMBER_SIZE),
    MEMBER(n_grid, RD_MEMBER_SIZE),      {NULL, RD_MEMBER_TEXT, 0},
};

static const void *at(const struct rd_program *program, const struct rd_program_member *member)
{
    return (const char *)program + member->offset;
}

/* The law of a fault may be that of the right program. */
const char *rd_member_text(const struct rd_program *program, const struct rd_program_member *member)
{
    if (member->offset == offsetof(struct rd_program, law))
        return rd_program_law(program);
    return *(const char *const *)at(program, member);
}

uint64_t rd_member_number(const struct rd_program *program, const struct rd_program_member *member)
{
    const void *value = at(program, member);
    switch (member->kind) {
    case RD_MEMBER_FLAG:
        return *(const bool *)value;
    case RD_MEMBER_UNSIGNED:
        return *(const unsigned *)value;
    case RD_MEMBER_SIZE:
        return *(const size_t *)value;
    case RD_MEMBER_TEXT:
        break;
    }
    return 0;
}

void rd_member_set_text(struct rd_program *program, const struct rd_program_member *member,
                        const char *text)
{
    memcpy((char *)program + member->offset, &text, sizeof text);
}

void rd_member_set_number(struct rd_program *program, const struct rd_program_member *member,
                          uint64_t number)
{
    void *value = (char *)program + member->offset;
    if (member->kind == RD_MEMBER_FLAG)
        *(bool *)value = number != 0;
    else if (member->kind == RD_MEMBER_UNSIGNED)
        *(unsigned *)value = (unsigned)number;
    else if (member->kind == RD_MEMBER_SIZE)
        *(size_t *)value = number;
}

static const char *const goal_names[] = {
    [RD_GOAL_SUM] = "sum",     [RD_GOAL_INPUT] = "input", [RD_GOAL_PRODUCT] = "product",
    [RD_GOAL_TOTAL] = "total", [RD_GOAL_LAST] = "last",   [RD_GOAL_RESULT] = "result",
};

const char *rd_goal_name(enum rd_goal goal)
{
    return goal_names[goal];
}

bool rd_goal_named(const char *name, enum rd_goal *goal)
{
    for (size_t k = 0; k < sizeof goal_names / sizeof *goal_names; k++) {
        if (strcmp(goal_names[k], name) == 0) {
            *goal = (enum rd_goal)k;
            return true;
        }
    }
    return false;
}
