// SPDX-License-Identifier: MIT
/* Claims read from the cell to the variables that they bind. */
#include "prove/law/reader.h"

/* The claim's cell is this one: in each dimension its digit. */
static void need_cell(struct rd_law_reader *reader, const struct law_claim *claim, rd_term cell,
                      struct rd_law_claimed *claimed)
{
    struct rd_terms *terms = reader->terms;
    const struct rd_law_frame of_sizes = {.section = claimed->frame.section,
                                          .at = claimed->frame.at};
    const struct law_array *array = claimed->frame.section->array;
    for (size_t k = claim->cell->n_kids; k-- > 0;) {
        rd_term digit = cell;
        if (k > 0) {
            const rd_term size = rd_law_reader_number(reader, &of_sizes, array->sizes[k]);
            digit = rd_mod(terms, cell, size);
            cell = rd_div(terms, cell, size);
        }
        rd_law_case_need(
            reader, &claimed->named,
            rd_equal(terms, rd_law_reader_number(reader, &claimed->frame, claim->cell->kids[k]),
                     digit));
    }
}

bool rd_law_reader_claim(struct rd_law_reader *reader, const struct rd_law_section *section,
                         const struct law_claim *claim, const struct rd_law_reading *reading,
                         const struct rd_law_numbers *at, rd_term cell,
                         struct rd_law_claimed *claimed)
{
    const struct law_binding *binding = claim->binding;
    *claimed = (struct rd_law_claimed){
        .when = rd_true(reader->terms),
        .frame = {.section = section, .at = at, .reading = reading},
    };
    if (claim->when)
        claimed->when = rd_law_reader_decided(
            reader, rd_law_reader_condition(reader, &claimed->frame, claim->when), NULL);
    if (claimed->when->kind == RD_TERM_FALSE)
        return !rd_law_reader_has_failed(reader);
    for (size_t k = 0; binding && k < binding->n_variables; k++) {
        const rd_term unknown = rd_law_reader_unknown(reader);
        claimed->frame.variables[binding->variables[k].slot] = unknown;
        rd_law_case_bind(reader, &claimed->named, unknown);
    }
    for (size_t k = 0; binding && k < binding->n_conditions; k++)
        rd_law_case_need(reader, &claimed->named,
                         rd_law_reader_condition(reader, &claimed->frame, binding->conditions[k]));
    if (!claim->whole)
        need_cell(reader, claim, cell, claimed);
    if (rd_law_reader_has_failed(reader))
        return false;
    if (!rd_law_case_solve(reader, &claimed->named))
        return rd_law_reader_fail(reader, claim->cell,
                                  "which claim this cell has isn't known: a variable can't be "
                                  "solved for");
    for (size_t k = 0; binding && k < binding->n_variables; k++)
        claimed->frame.variables[binding->variables[k].slot] = claimed->named.solutions.terms[k];
    return !rd_law_reader_has_failed(reader);
}
