// SPDX-License-Identifier: MIT
#include "cli/explain_law.h"
#include "cli/cli.h"
#include "law/law.h"

#include <string.h>

enum rd_law_format rd_cli_law_format(const char *name)
{
    static const char *const names[] = {
        [RD_LAW_FORMAT_TEXT] = "text",
        [RD_LAW_FORMAT_LATEX] = "latex",
        [RD_LAW_FORMAT_MATHML] = "mathml",
        [RD_LAW_FORMAT_C] = "c",
    };
    for (unsigned k = RD_LAW_FORMAT_TEXT; k < sizeof names / sizeof *names; k++)
        if (strcmp(names[k], name) == 0)
            return (enum rd_law_format)k;
    rd_cli_usage("explain", "'--law' is '%s': use text, latex, mathml or c", name);
}

/* A claim a line; the laws at points follow under their names. */
static void print_sections(const struct rd_law *law,
                           void (*print)(const struct rd_law_section *section, FILE *out),
                           const char *comment, const char *end)
{
    for (size_t k = 0; k < rd_law_section_count(law); k++) {
        struct rd_law_about about;
        rd_law_about(rd_law_section(law, k), &about);
        if (about.point)
            printf("%s at %s%s\n", comment, about.point, end);
        print(rd_law_section(law, k), stdout);
    }
}

int rd_cli_explain_law(const struct rd_cli_explain_law *asked)
{
    struct rd_law *law = NULL;
    struct rd_law_error error;
    enum rd_status status = rd_law_create(&law, rd_program_law(asked->program), &error);
    if (status == RD_OK && asked->format == RD_LAW_FORMAT_TEXT)
        rd_law_print(law, stdout);
    else if (status == RD_OK && asked->format == RD_LAW_FORMAT_LATEX)
        print_sections(law, rd_law_latex, "%", "");
    else if (status == RD_OK && asked->format == RD_LAW_FORMAT_MATHML)
        print_sections(law, rd_law_mathml, "<!--", " -->");
    else if (status == RD_OK)
        status = rd_law_c(law, asked->program->name, stdout, &error);
    if (status != RD_OK)
        rd_cli_complain("the law of %s can't be printed so: %s", asked->program->name,
                        error.what.text);
    rd_law_destroy(law);
    return status == RD_OK ? RD_EXIT_HOLDS : RD_EXIT_FAILED;
}
