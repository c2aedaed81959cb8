// SPDX-License-Identifier: MIT
#include "law_harness.h"

struct law_subject law_subject(const char *text, struct rd_law_sizes sizes)
{
    struct law_subject subject;
    struct rd_law_error error;
    if (rd_law_create(&subject.law, text, &error) != RD_OK)
        fail_msg("%s\n%zu:%zu: %s", text, error.line, error.column, error.what.text);
    assert_int_equal(rd_law_run_create(&subject.run, subject.law, &sizes, &error), RD_OK);
    subject.section = rd_law_section(subject.law, rd_law_section_count(subject.law) - 1);
    return subject;
}

void law_subject_finish(struct law_subject *subject)
{
    rd_law_run_destroy(subject->run);
    rd_law_destroy(subject->law);
}
