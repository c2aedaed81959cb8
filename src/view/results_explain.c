// SPDX-License-Identifier: MIT
#include "view/results_write.h"

#include <stdlib.h>
#include <string.h>

bool rd_results_test_has_hazard(const struct rd_results_test *test,
                                const struct rd_results_hazard *hazard)
{
    const bool is_private = strcmp(hazard->finding.kind, "private") == 0;
    return strcmp(test->name, is_private ? RD_TEST_OF_LOCALS : RD_TEST_OF_HAZARDS) == 0;
}

bool rd_results_test_has_violations(const struct rd_results_test *test)
{
    static const char *const others[] = {RD_TEST_OF_HAZARDS, RD_TEST_OF_LOCALS, RD_TEST_OF_TRACE,
                                         RD_TEST_OF_VERDICT};
    for (size_t k = 0; k < sizeof others / sizeof *others; k++)
        if (strcmp(test->name, others[k]) == 0)
            return false;
    return true;
}

bool rd_results_test_is_told(const struct rd_subject *subject, const struct rd_results_test *test)
{
    bool told = subject->n_violations > 0 && rd_results_test_has_violations(test);
    for (size_t k = 0; k < subject->n_hazards; k++)
        told = told || rd_results_test_has_hazard(test, &subject->hazards[k]);
    return told;
}

static void explain_hazard(FILE *out, const struct rd_results_hazard *hazard)
{
    if (hazard->in_round)
        fprintf(out, "round %u: ", hazard->round);
    fprintf(out, "%s: %s\n", hazard->name, hazard->finding.message);
}

static void explain_violation(FILE *out, const struct rd_results_violation *violation)
{
    fprintf(out, "%s\n", violation->message);
    if (violation->evidence)
        fprintf(out, "%s\n", violation->evidence);
}

char *rd_results_explain(const struct rd_subject *subject, const struct rd_results_test *test)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    const bool is_violated = test->state == RD_TESTED_VIOLATED;
    for (size_t k = 0; k < subject->n_hazards && is_violated; k++)
        if (rd_results_test_has_hazard(test, &subject->hazards[k]))
            explain_hazard(out, &subject->hazards[k]);
    for (size_t k = 0; k < subject->n_violations && is_violated; k++)
        if (rd_results_test_has_violations(test))
            explain_violation(out, &subject->violations[k]);
    fclose(out);
    return text;
}
