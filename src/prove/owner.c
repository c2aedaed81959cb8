// SPDX-License-Identifier: MIT
/* The thread that writes a cell, where its index can be solved for it. */
#include "prove/owner.h"

bool rd_find_owner(const struct rd_launch_proof *launch, const struct rd_kernel_access *write,
                   rd_term cell, struct rd_owner *owner)
{
    struct rd_terms *terms = launch->subject->terms;
    const rd_term index = write->index, path = write->path;
    const rd_term zero = rd_number(terms, 0);
    *owner = (struct rd_owner){zero, zero, launch->number};
    if (launch->by_number)
        return rd_solve_index(terms, path, index, launch->number, cell, &owner->number);
    const bool of_block = rd_term_has(index, launch->block),
               of_thread = rd_term_has(index, launch->thread);
    if (of_block && of_thread) {
        const rd_term number =
            rd_add(terms, rd_multiply(terms, launch->block, launch->threads), launch->thread);
        if (index != number)
            return false;
        owner->block = rd_div(terms, cell, launch->threads);
        owner->thread = rd_mod(terms, cell, launch->threads);
        return true;
    }
    if (of_block)
        return rd_solve_index(terms, path, index, launch->block, cell, &owner->block);
    return !of_thread || rd_solve_index(terms, path, index, launch->thread, cell, &owner->thread);
}

rd_term rd_at_owner(const struct rd_launch_proof *launch, rd_term term,
                    const struct rd_owner *owner, bool same_block)
{
    const rd_term from[] = {launch->number, launch->thread, launch->block};
    const rd_term to[] = {owner->number, owner->thread, owner->block};
    return rd_replace(launch->subject->terms, term, same_block ? 2 : 3, from, to);
}

rd_term rd_place_of(const struct rd_launch_proof *launch)
{
    struct rd_terms *terms = launch->subject->terms;
    const rd_term zero = rd_number(terms, 0);
    const rd_term in_block = rd_within(terms, zero, launch->thread, launch->threads);
    if (!launch->by_number)
        return rd_and(terms, in_block, rd_within(terms, zero, launch->block, launch->grid));
    return rd_within(terms, zero, launch->number, launch->all);
}
