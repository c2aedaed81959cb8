// SPDX-License-Identifier: MIT
#include "reductio/program.h"
#include "cli/cli.h"
#include "cli/proved.h"
#include "reductio/law.h"
#include "law/lexer.h"
#include "reductio/operation.h"
#include "view/paint.h"
#include "device/kernel_names.h"
#include "reductio/sources.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* `reductio explain --law`: the law of a program in another language. Private to src/cli. */

enum rd_law_format {
    RD_LAW_FORMAT_NONE,
    RD_LAW_FORMAT_TEXT,
    RD_LAW_FORMAT_LATEX,
    RD_LAW_FORMAT_MATHML,
    RD_LAW_FORMAT_C,
    RD_LAW_FORMAT_SMTLIB,
};

struct explain_law {
    const struct rd_program *program;
    enum rd_law_format format;
    struct rd_shape shape; /* of smtlib; 0: the program's own */
};

/* ---- laws ---- */

/* ---- languages of one section after the other ---- */

/* A claim a line; the laws at points follow under their names. */
static enum rd_status
print_sections(const struct rd_law *law, FILE *out,
               enum rd_status (*print)(const struct rd_law_section *section, FILE *out),
               const char *comment, const char *end, struct rd_law_error *error)
{
    enum rd_status status = RD_OK;
    for (size_t k = 0; k < rd_law_section_count(law) && status == RD_OK; k++) {
        struct rd_law_about about;
        rd_law_about(rd_law_section(law, k), &about);
        if (about.point)
            fprintf(out, "%s at %s%s\n", comment, about.point, end);
        status = print(rd_law_section(law, k), out);
    }
    if (status == RD_OK)
        return RD_OK;
    return rd_fail(&error->what, status, "no memory for its definitions");
}

static enum rd_status print_latex(const struct explain_law *asked, const struct rd_law *law,
                                  FILE *out, struct rd_law_error *error)
{
    (void)asked;
    return print_sections(law, out, rd_law_latex, "%", "", error);
}

static enum rd_status print_mathml(const struct explain_law *asked, const struct rd_law *law,
                                   FILE *out, struct rd_law_error *error)
{
    (void)asked;
    return print_sections(law, out, rd_law_mathml, "<!--", " -->", error);
}

/* ---- languages of the whole paragraph ---- */

static enum rd_status print_text(const struct explain_law *asked, const struct rd_law *law,
                                 FILE *out, struct rd_law_error *error)
{
    (void)asked;
    (void)error;
    rd_law_print(law, out);
    return RD_OK;
}

static enum rd_status print_c(const struct explain_law *asked, const struct rd_law *law, FILE *out,
                              struct rd_law_error *error)
{
    return rd_law_c(law, asked->program->name, out, error);
}

/* ---- obligations ---- */

static enum rd_law_promise promise_of(const struct rd_program *program)
{
    switch (program->goal) {
    case RD_GOAL_SUM:
        return RD_LAW_PROMISES_FIRST;
    case RD_GOAL_TOTAL:
        return RD_LAW_PROMISES_TOTAL;
    case RD_GOAL_INPUT:
    case RD_GOAL_PRODUCT:
        return RD_LAW_PROMISES_INPUT;
    case RD_GOAL_LAST:
    case RD_GOAL_RESULT:
    case RD_GOAL_NONE:
    case RD_GOAL_UNASKED:
        break;
    }
    return RD_LAW_PROMISES_NOTHING;
}

/* Too many for a prover, before all of them are written. */
static enum rd_status take_shape(const struct explain_law *asked, struct rd_shape *shape,
                                 struct rd_error *error)
{
    enum { N_MAX = 4096 };
    const struct rd_program *program = asked->program;
    const struct rd_shape given = asked->shape;
    const struct rd_shape tries[] = {
        {given.n ? given.n : 8, given.block, given.grid},
        {8, given.block ? given.block : 4, given.grid}, /* blocks that are full */
        {program->n, given.block ? given.block : program->n_block,
         given.grid ? given.grid : program->n_grid},
    };
    const size_t n_tries = given.n ? 1 : sizeof tries / sizeof *tries;
    *shape = rd_program_shape(program, tries[0]);
    for (size_t k = 1; k < n_tries && rd_program_accept(program, shape, NULL) != RD_OK; k++)
        *shape = rd_program_shape(program, tries[k]);
    if (shape->n > N_MAX)
        return rd_fail(error, RD_ERROR_USAGE,
                       "'-n' is %zu, more than %d, which is too much to write down", shape->n,
                       N_MAX);
    return rd_program_accept(program, shape, error);
}

static enum rd_status print_obligations(const struct explain_law *asked, const struct rd_law *law,
                                        FILE *out, struct rd_law_error *error)
{
    const struct rd_program *program = asked->program;
    struct rd_shape shape;
    struct rd_law_run *run;
    enum rd_status status = take_shape(asked, &shape, &error->what);
    if (status != RD_OK)
        return status;
    const struct rd_law_sizes sizes = {.n = shape.n, .T = shape.block, .B = shape.grid};
    const struct rd_law_obligations obligations = {
        .name = program->name,
        .operation =
            program->operation == RD_OPERATION_SUM ? NULL : rd_operation_name(program->operation),
        .rounds_of = rd_program_is_fault(program) ? rd_program_twin(program)->name : NULL,
        .rounds = rd_program_rounds(program, &shape),
        .beginning =
            rd_program_passes_input(program) ? RD_LAW_BEGINS_WITH_ZEROS : RD_LAW_BEGINS_AS_INPUT,
        .promise = promise_of(program),
    };
    status = rd_law_run_create(&run, law, &sizes, error);
    if (status != RD_OK)
        return status;
    status = rd_law_smtlib(run, &obligations, out, error);
    rd_law_run_destroy(run);
    return status;
}

/* The program's paragraph; of a fault that claims something else, with what the rounds of the right program do. The caller
 * frees it; NULL without memory. */
static char *paragraph_with_rounds(const struct rd_program *program)
{
    const char *own = rd_program_law(program), *right = rd_program_law(rd_program_twin(program));
    struct rd_law_sentence of_own, of_right;
    char *text = NULL;
    size_t size;
    if (own == right || !rd_law_find_sentence(right, "update", &of_right))
        return strdup(own);
    if (!rd_law_find_sentence(own, "update", &of_own))
        of_own.begin = of_own.end = own + strlen(own);
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    fprintf(out, "%.*s%.*s%s", (int)(of_own.begin - own), own, (int)(of_right.end - of_right.begin),
            of_right.begin, of_own.end);
    if (fclose(out) == 0)
        return text;
    free(text);
    return NULL;
}

/* ---- the languages ---- */

static const struct language {
    const char *name;
    enum rd_status (*print)(const struct explain_law *asked, const struct rd_law *law, FILE *out,
                            struct rd_law_error *error);
    /* Begins a line of a comment; NULL: the text is for a terminal; "": its lines are not broken. */
    const char *comment;
    /* The output has the rounds of the right program, and counts inputs whatever the operation. */
    bool proves;
} languages[] = {
    [RD_LAW_FORMAT_TEXT] = {"text", print_text, NULL, false},
    [RD_LAW_FORMAT_LATEX] = {"latex", print_latex, "%", false},
    [RD_LAW_FORMAT_MATHML] = {"mathml", print_mathml, "", false},
    [RD_LAW_FORMAT_C] = {"c", print_c, " *", false},
    [RD_LAW_FORMAT_SMTLIB] = {"smtlib", print_obligations, ";", true},
};

/* ---- lines ---- */

/* Returns the bytes of a line of source that fit. It is broken at a space, where each language allows a
 * line's end; best behind a comma, or in front of a term of SMT-LIB. */
static size_t part_of(const char *line, size_t columns)
{
    const size_t end = strlen(line);
    size_t part = end, best = 0;
    bool quoted = false;
    if (end <= columns)
        return end;
    for (size_t k = strspn(line, " "); k < end && (k <= columns || part == end); k++) {
        quoted ^= line[k] == '"';
        if (line[k] != ' ' || quoted || line[k - 1] == '\\')
            continue;
        part = k;
        if (k > columns / 2 && (strchr(",;", line[k - 1]) || strncmp(line + k, " (ite ", 6) == 0))
            best = k;
    }
    return best && best <= columns ? best : part;
}

/* Prints a line of source, continued where it is long: in a comment as a comment. */
static void print_source(const char *line, const char *comment)
{
    enum { COLUMNS = 100, INDENT = 4 };
    const size_t head = strncmp(line, comment, strlen(comment)) == 0 ? strlen(comment) : 0;
    const size_t indent = strspn(line + head, " ") + INDENT;
    size_t part = head + part_of(line + head, COLUMNS - head);
    printf("%.*s\n", (int)part, line);
    for (const char *rest = line + part; *rest; rest += part) {
        rest++;
        part = part_of(rest, COLUMNS - head - indent);
        printf("%.*s%*s%.*s\n", (int)head, comment, (int)indent, "", (int)part, rest);
    }
}

static void print_lines(char *text, const struct language *language)
{
    enum { INDENT = 4 };
    const struct rd_paint paint = {.out = stdout, .width = rd_cli_width(stdout)};
    for (char *rest = text, *line; (line = strsep(&rest, "\n")) && (*line || rest);)
        if (!language->comment)
            rd_paint_hang(&paint, RD_INK_PLAIN, INDENT, line);
        else if (language->comment[0])
            print_source(line, language->comment);
        else
            puts(line);
}

/* By its name; a name that is none ends the program. */
static enum rd_law_format law_format(const char *name)
{
    for (unsigned k = RD_LAW_FORMAT_TEXT; k < sizeof languages / sizeof *languages; k++)
        if (strcmp(languages[k].name, name) == 0)
            return (enum rd_law_format)k;
    if (name[0] == '@' || strpbrk(name, "=[") || strncmp(name, "for ", 4) == 0)
        rd_cli_usage("explain",
                     "'--law' is '%s', a law: explain prints a program's own, as text, "
                     "latex, mathml, c or smtlib; 'run PROGRAM --law LAW|@FILE' judges "
                     "yours",
                     name);
    rd_cli_usage("explain", "'--law' is '%s': use text, latex, mathml, c or smtlib", name);
}

/* Returns the exit status. */
static int explain_law(const struct explain_law *asked)
{
    const struct language *language = &languages[asked->format];
    const struct rd_program *program = asked->program;
    struct rd_law *law = NULL;
    struct rd_law_error error;
    FILE *out = NULL;
    char *printed = NULL;
    size_t size;
    char *text =
        language->proves ? paragraph_with_rounds(program) : strdup(rd_program_law(program));
    enum rd_status status =
        text ? rd_law_create(&law, text, &error)
             : rd_fail(&error.what, RD_ERROR_MEMORY, "no memory for the law of a program");
    if (status == RD_OK && !language->proves)
        rd_law_over(law, program->operation);
    if (status == RD_OK && !(out = open_memstream(&printed, &size)))
        status = rd_fail(&error.what, RD_ERROR_MEMORY, "no memory for its sentences");
    if (status == RD_OK)
        status = language->print(asked, law, out, &error);
    if (out && fclose(out) != 0 && status == RD_OK)
        status = rd_fail(&error.what, RD_ERROR_MEMORY, "no memory for its sentences");
    if (status == RD_OK)
        print_lines(printed, language);
    else
        rd_cli_complain("the law of %s can't be printed as %s: %s", program->name, language->name,
                        error.what.text);
    rd_law_destroy(law);
    free(printed);
    free(text);
    return status == RD_OK ? RD_EXIT_HOLDS : RD_EXIT_FAILED;
}

enum { KEY_EXPLAIN_LAW = 256, KEY_EXPLAIN_BLOCK, KEY_EXPLAIN_GRID, BLOCK_MAX = 1024 };

static const struct argp_option explain_options[] = {
    {"law", KEY_EXPLAIN_LAW, "FORMAT", 0,
     "print the program's law instead: text, all its sentences; latex; mathml; c, functions that "
     "assert it; smtlib, its "
     "obligations as queries",
     0},
    {NULL, 'n', "N", 0, "of smtlib: the size, 8 if nothing is said", 0},
    {"block", KEY_EXPLAIN_BLOCK, "T", 0, "of smtlib: threads a block", 0},
    {"grid", KEY_EXPLAIN_GRID, "B", 0, "of smtlib: blocks", 0},
    {0},
};

static size_t parse_size(const char *option, const char *text, size_t most)
{
    const size_t size = rd_cli_size("explain", option, text);
    if (size < 1 || size > most)
        rd_cli_usage("explain", "'%s' is '%s': it is at least 1%s", option, text,
                     size > 0 ? ", and at most 1024" : "");
    return size;
}

static error_t parse_explain(int key, char *argument, struct argp_state *state)
{
    struct explain_law *asked = state->input;
    switch (key) {
    case KEY_EXPLAIN_LAW:
        asked->format = law_format(argument);
        return 0;
    case 'n':
        asked->shape.n = parse_size("-n", argument, SIZE_MAX);
        return 0;
    case KEY_EXPLAIN_BLOCK:
        asked->shape.block = (unsigned)parse_size("--block", argument, BLOCK_MAX);
        return 0;
    case KEY_EXPLAIN_GRID:
        asked->shape.grid = parse_size("--grid", argument, SIZE_MAX);
        return 0;
    case ARGP_KEY_ARG:
        if (asked->program)
            rd_cli_usage("explain", "'%s' is one argument too many: explain takes one program",
                         argument);
        asked->program = rd_cli_program("explain", argument);
        return 0;
    case ARGP_KEY_NO_ARGS:
        rd_cli_usage("explain", "no program: 'reductio list' shows them all");
    }
    return ARGP_ERR_UNKNOWN;
}

/* The kernels that a program launches, in the order of its rounds. */
struct kernels {
    unsigned count;
    enum rd_kernel list[RD_KERNEL_COUNT];
};

static bool has(const struct kernels *kernels, enum rd_kernel kernel)
{
    for (unsigned k = 0; k < kernels->count; k++)
        if (kernels->list[k] == kernel)
            return true;
    return false;
}

static struct kernels kernels_of(const struct rd_program *program)
{
    struct kernels kernels = {0};
    struct rd_round round;
    const struct rd_shape shape = rd_program_default(program);
    for (unsigned step = 1; rd_program_round(program, &shape, step, &round); step++)
        if (!has(&kernels, round.kernel))
            kernels.list[kernels.count++] = round.kernel;
    return kernels;
}

static void print_place(const struct rd_source *source, const char *what, const char *name)
{
    char place[64];
    snprintf(place, sizeof place, "%s:%u-%u", source->path, source->first, source->last);
    printf("    %-30s  %s%s\n", place, what, name);
}

/* Prints the kernels, less those in `but` (NULL: none). */
static unsigned print_kernels(const struct kernels *kernels, const struct kernels *but,
                              const char *what)
{
    unsigned n = 0;
    for (unsigned k = 0; k < kernels->count; k++) {
        const char *name = rd_kernel_name(kernels->list[k]);
        const struct rd_source *source = rd_source_of_kernel(name);
        if (source && !(but && has(but, kernels->list[k]))) {
            print_place(source, what, name);
            n++;
        }
    }
    return n;
}

/* Lists, for a fault, the kernel that it has to itself and what its right twin launches in its place. A
 * twin without one has its fault in what it claims, or in how it launches the right kernel. */
static void print_places(const struct rd_program *program)
{
    const struct rd_program *twin = rd_program_twin(program);
    const struct rd_source *invariant = rd_source_of_invariant(program);
    const struct rd_source *itself = rd_source_of_program(program);
    const struct kernels own = kernels_of(program), right = kernels_of(twin);
    printf("\nWhere to look\n");
    if (twin != program && print_kernels(&own, &right, "the kernel ") > 0)
        print_kernels(&right, &own, "right: ");
    else
        print_kernels(&own, NULL, twin == program ? "the kernel " : "the right kernel, ");
    if (twin != program && itself)
        print_place(itself, "the fault: its claim, its rounds", "");
    if (invariant && (twin == program || invariant != itself))
        print_place(invariant, "the invariant", "");
}

/* Prints what is known of the program's proof; of a fault there is none. */
static int print_proof(const struct rd_program *program)
{
    struct rd_cli_proved proved;
    struct rd_error error;
    if (rd_program_is_fault(program))
        return RD_EXIT_HOLDS;
    if (rd_cli_proved_init(&proved, program, &error) != RD_OK) {
        rd_cli_complain("%s", error.text);
        return RD_EXIT_FAILED;
    }
    rd_cli_proved_print(&proved, stdout);
    rd_cli_proved_finish(&proved);
    return RD_EXIT_HOLDS;
}

int rd_cli_explain(int argc, char **argv)
{
    const struct argp argp = {
        .options = explain_options,
        .parser = parse_explain,
        .args_doc = "PROGRAM",
        .doc = "Prints the documented invariant: the statement, a worked example, why it holds at "
               "first, why a round keeps it, what it gives at the end; and where its sources are.\v"
               "Exit status: 0 printed, 2 bad usage, no such program, or no such obligations of "
               "that size.",
    };
    struct explain_law asked = {.format = RD_LAW_FORMAT_NONE};
    rd_cli_parse(&argp, "reductio explain", argc, argv, &asked);
    const char *sized = asked.shape.n > 0       ? "-n"
                        : asked.shape.block > 0 ? "--block"
                        : asked.shape.grid > 0  ? "--grid"
                                                : NULL;
    if (sized && asked.format != RD_LAW_FORMAT_SMTLIB)
        rd_cli_usage("explain", "'%s' is a size, which only '--law smtlib' takes", sized);
    if (asked.format != RD_LAW_FORMAT_NONE)
        return explain_law(&asked);

    char *text = rd_program_explain(asked.program);
    if (!text) {
        rd_cli_complain("no memory for the text of %s", asked.program->name);
        return RD_EXIT_FAILED;
    }
    size_t length = strlen(text);
    printf("%s%s", text, length > 0 && text[length - 1] == '\n' ? "" : "\n");
    rd_cli_flush(); /* to know why it can't be written, if so: a proof is looked up in files */
    free(text);
    const int exit_status = print_proof(asked.program);
    print_places(asked.program);
    return exit_status;
}
