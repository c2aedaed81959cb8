// SPDX-License-Identifier: MIT
/* Trips of a loop that take several steps each. */
#include "prove/loops.h"

/* f(i) + f(i + s) + … + f(i + (m - 1) * s) */
static rd_term repeated(struct rd_terms *terms, rd_term f, rd_term i, rd_term s, unsigned m)
{
    rd_term sum = rd_number(terms, 0);
    for (unsigned v = 0; v < m; v++) {
        const rd_term at = rd_add(terms, i, rd_multiply(terms, rd_number(terms, v), s));
        sum = rd_add(terms, sum, rd_replace(terms, f, 1, &i, &at));
    }
    return sum;
}

/* f is 0 where the loop doesn't go on. */
static bool ends_with(struct rd_terms *terms, rd_term f, rd_term goes_on)
{
    return f->kind == RD_TERM_CHOICE && f->kids[2] == rd_number(terms, 0) &&
           rd_and(terms, f->kids[0], goes_on) == f->kids[0];
}

bool rd_split_trips(struct rd_terms *terms, rd_term *each, rd_term i, rd_term goes_on,
                    rd_term *stride)
{
    const rd_term sum = *each;
    if (sum->kind != RD_TERM_SUM || sum->number != 0)
        return false;
    const rd_term m = rd_number(terms, sum->n_kids), s = rd_div(terms, *stride, m);
    if (rd_multiply(terms, m, s) != *stride)
        return false;
    for (unsigned k = 0; k < sum->n_kids; k++) {
        const rd_term f = sum->kids[k];
        if (!ends_with(terms, f, goes_on) || repeated(terms, f, i, s, sum->n_kids) != sum)
            continue;
        *each = f;
        *stride = s;
        return true;
    }
    return false;
}
