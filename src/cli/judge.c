// SPDX-License-Identifier: MIT
/* reductio judge: which fault is caught by which law. */
#include "cli/cli.h"
#include "cli/run_law.h"
#include "reductio/operation.h"
#include "reductio/program.h"
#include "law/error.h"
#include "view/paint.h"

#include <stdlib.h>
#include <string.h>

enum form { TEXT, JSON, MARKDOWN };
enum { KEY_MARKDOWN = 256, FILE_MAX = 1 << 20, CELL_SIZE = 40 };

/* Columns of a matrix, and of a text how wide they are. */
enum { LAWS_MAX = 16, CELL_WIDTH = 20, SHORT_WIDTH = 11, RUN_WIDTH = 20 };

struct law_line {
    const struct rd_program *program; /* a right one */
    char *text;                       /* NULL: its own */
    size_t line;                      /* of the file */
    bool has_no_value;                /* on its own program; or */
    bool judged;                      /* by it, with this result: */
    struct rd_cli_law_runs runs;
};

struct judge {
    const char *path; /* NULL: the programs' own laws; "-": standard input */
    const char *name; /* of the file, in messages */
    const char *device;
    enum form form;
    unsigned width;  /* of a text */
    bool shortens;   /* the cells of this matrix, to fit the width */
    bool has_legend; /* some cells were shortened */
    char *file;
    struct law_line *laws;
    size_t n_laws;
    bool failed; /* a law has no value on its program */
    json_t *json;
};

/* ---- the file of laws ---- */

static void add_law(struct judge *judge, const struct rd_program *program, char *text, size_t line)
{
    struct law_line *laws = realloc(judge->laws, (judge->n_laws + 1) * sizeof *laws);
    if (!laws) {
        rd_cli_complain("no memory for the laws");
        exit(RD_EXIT_FAILED);
    }
    judge->laws = laws;
    laws[judge->n_laws++] = (struct law_line){.program = program, .text = text, .line = line};
}

static void add_own_laws(struct judge *judge)
{
    for (const struct rd_program *const *p = rd_programs; *p; p++)
        if (!rd_program_is_fault(*p))
            add_law(judge, *p, NULL, 0);
}

static _Noreturn void refuse(const struct judge *judge, size_t line, const char *what)
{
    rd_cli_complain("%s:%zu: %s", judge->name, line, what);
    exit(RD_EXIT_FAILED);
}

static const struct rd_program *program_of(const struct judge *judge, const char *name, size_t line)
{
    const struct rd_program *program = rd_program_named(name);
    char what[160];
    snprintf(what, sizeof what,
             program
                 ? "'%.60s' is a fault: name the right program, and its faults are judged with it"
                 : "'%.60s' is no program: a law begins with its program's name and a colon",
             name);
    if (!program || rd_program_is_fault(program))
        refuse(judge, line, what);
    return program;
}

/* The name of a fault, "fold:wrong-half", has a colon in it: then the next ends it. */
static char *end_of_name(char *colon, const char *end)
{
    size_t length = strspn(colon + 1, "abcdefghijklmnopqrstuvwxyz0123456789-");
    char *next = colon + 1 + length;
    return length > 0 && next < end && *next == ':' ? next : colon;
}

/* "fold: LAW" begins a law, indented lines go on with it, # begins a comment. Cuts the file into laws, where they
 * stand: each but the first ends where the next begins. */
static void split_file(struct judge *judge)
{
    size_t line = 1;
    for (char *at = judge->file, *next; *at; at = next, line++) {
        char *end = at + strcspn(at, "\n");
        bool blank = strspn(at, " \t\r") >= (size_t)(end - at);
        next = *end ? end + 1 : end;
        if (*at == ' ' && judge->n_laws == 0 && !blank)
            refuse(judge, line,
                   "it goes on with no law: a law begins with its program's name and a colon");
        if (*at == ' ' || *at == '\t' || blank)
            continue;
        char *colon = memchr(at, ':', (size_t)(end - at));
        if (!colon)
            refuse(judge, line, "a law begins with its program's name and a colon");
        colon = end_of_name(colon, end);
        *colon = '\0';
        const struct rd_program *program = program_of(judge, at, line);
        if (at > judge->file)
            at[-1] = '\0';
        add_law(judge, program, colon + 1, line);
    }
}

static void read_file(struct judge *judge)
{
    const bool from_stdin = strcmp(judge->path, "-") == 0;
    FILE *file = from_stdin ? stdin : fopen(judge->path, "r");
    judge->name = from_stdin ? "standard input" : judge->path;
    judge->file = calloc(1, FILE_MAX + 2);
    if (!judge->file) {
        rd_cli_complain("no memory for the laws of '%s'", judge->name);
        exit(RD_EXIT_FAILED);
    }
    size_t length = file ? fread(judge->file, 1, FILE_MAX + 1, file) : 0;
    bool is_read = file && !ferror(file);
    if (file && !from_stdin)
        fclose(file);
    if (!is_read || length > FILE_MAX || strlen(judge->file) < length) {
        rd_cli_complain("'%s' is no file of laws: it can't be read, or is no text of at most a MiB",
                        judge->name);
        exit(RD_EXIT_FAILED);
    }
    rd_law_blank_comments(judge->file);
    split_file(judge);
    if (judge->n_laws == 0)
        refuse(judge, 1, "there is no law in it");
}

/* ---- judging ---- */

/* Complains with the place in the file. In the first line of a law the program's name stands before it. */
static void complain(const struct judge *judge, const struct law_line *law,
                     const struct rd_law_error *error)
{
    struct rd_law_error told = *error;
    char place[RD_LAW_ERROR_PLACE_SIZE];
    if (judge->path) {
        told.line = law->line + (error->line > 0 ? error->line - 1 : 0);
        told.column += error->line == 1 && error->column > 0 ? strlen(law->program->name) + 1 : 0;
    }
    rd_cli_complain(
        "%s: %s", rd_law_error_place(place, judge->path ? judge->name : law->program->name, &told),
        error->what.text);
}

static struct rd_candidate *read_law(const struct judge *judge, const struct law_line *law)
{
    struct rd_candidate *candidate;
    struct rd_law_error error;
    if (rd_candidate_create(&candidate, law->program, law->text, NULL, &error) == RD_OK)
        return candidate;
    complain(judge, law, &error);
    exit(RD_EXIT_FAILED);
}

static void set_options(const struct judge *judge, const struct rd_program *subject,
                        struct rd_cli_law_runs *runs)
{
    rd_cli_run_options_init(&runs->options, "judge");
    runs->options.program = subject;
    runs->options.device = judge->device;
    rd_cli_run_options_resolve(&runs->options);
}

static _Noreturn void give_up(const struct rd_program *subject, const struct rd_error *error)
{
    rd_cli_complain("%s: %s", subject->name, error->text);
    exit(RD_EXIT_FAILED);
}

/* False where the law says nothing of a fault: its array is another, or the law has no value on it. */
static bool judge_one(const struct judge *judge, const struct law_line *law,
                      const struct rd_program *subject, struct rd_cli_law_runs *runs)
{
    struct rd_error error = {""};
    struct rd_law_error mistake;
    *runs = (struct rd_cli_law_runs){.candidate = read_law(judge, law)};
    set_options(judge, subject, runs);
    enum rd_status status = rd_cli_law_judge(runs, NULL, NULL, &error);
    rd_cli_law_runs_finish(runs); /* no cell is told */
    rd_candidate_error(runs->candidate, &mistake);
    rd_candidate_destroy(runs->candidate);
    runs->candidate = NULL;
    if (status == RD_ERROR_USAGE && subject == law->program) {
        if (mistake.column == 0 && !*mistake.what.text)
            mistake.what = error;
        complain(judge, law, &mistake);
    }
    if (status != RD_OK && status != RD_ERROR_USAGE)
        give_up(subject, &error);
    return status == RD_OK;
}

/* Judges a law by its program, which is wanted before and in the matrix; false where it has no value there, of which is
 * complained once. */
static bool judge_by_own(struct judge *judge, struct law_line *law)
{
    if (!law->judged && !law->has_no_value) {
        law->judged = judge_one(judge, law, law->program, &law->runs);
        law->has_no_value = !law->judged;
        judge->failed |= law->has_no_value;
    }
    return law->judged;
}

/* Returns why a law can't be judged by a fault; NULL: it can. The programs' own laws are of any operation. */
static const char *other_of(const struct law_line *law, const struct rd_program *subject,
                            char text[CELL_SIZE])
{
    const struct rd_shape shape = rd_program_default(subject);
    if (law->text && subject->operation != law->program->operation) {
        snprintf(text, CELL_SIZE, "reduces by %s", rd_operation_name(subject->operation));
        return text;
    }
    return rd_program_cells(subject, &shape) == rd_program_cells(law->program, &shape)
               ? NULL
               : "another array";
}

static const char *cell_of(const struct judge *judge, const struct rd_cli_law_runs *runs,
                           char text[CELL_SIZE])
{
    const struct rd_candidate_result *judged = &runs->judged;
    switch (judged->verdict) {
    case RD_CANDIDATE_ENOUGH:
        return "enough";
    case RD_CANDIDATE_OPEN:
        return judge->shortens ? "so far" : "true so far";
    case RD_CANDIDATE_TOO_WEAK:
        return "too weak";
    case RD_CANDIDATE_VACUOUS:
        return "vacuous";
    case RD_CANDIDATE_FALSE_AT_FIRST:
        return judge->shortens ? "at first" : "not true at first";
    case RD_CANDIDATE_NOT_KEPT:
        snprintf(text, CELL_SIZE, judge->shortens ? "round %u" : "not kept, round %u",
                 judged->cell.step);
        return text;
    }
    return "";
}

static const char *run_of(const struct rd_cli_law_runs *runs, char text[CELL_SIZE])
{
    if (runs->hazards == 0)
        return rd_verdict_name(runs->own);
    snprintf(text, CELL_SIZE, "%s, %u hazard%s", rd_verdict_name(runs->own), runs->hazards,
             runs->hazards == 1 ? "" : "s");
    return text;
}

/* ---- the matrix ---- */

static void print_law(const struct judge *judge, const struct law_line *law, size_t number)
{
    const struct rd_paint paint = {.out = stdout, .width = judge->width};
    char *text = rd_candidate_text(law->program, law->text), *rest = text;
    unsigned column = judge->form == TEXT ? (unsigned)printf("  law %zu:", number) : 0;
    const unsigned indent = column + 1;
    if (judge->form == MARKDOWN && number == 1)
        printf("\n");
    for (char *line; (line = strsep(&rest, "\n"));) {
        line += strspn(line, " \t\r");
        if (!*line)
            continue;
        if (judge->form == MARKDOWN) {
            printf("    %s\n", line);
            continue;
        }
        rd_paint_flow(&paint, RD_INK_PLAIN, column, indent, line);
        printf("\n");
        column = 0;
    }
    free(text);
}

static unsigned name_width(const struct rd_program *right)
{
    size_t width = 0;
    for (const struct rd_program *const *p = rd_programs; *p; p++)
        if (rd_program_twin(*p) == right && strlen((*p)->name) > width)
            width = strlen((*p)->name);
    return (unsigned)width + 4; /* two before it, and two behind */
}

/* Returns the number of laws whose columns fit beside the names. */
static size_t laws_beside(const struct judge *judge, const struct rd_program *right,
                          unsigned cell_width)
{
    const unsigned others = name_width(right) + RUN_WIDTH;
    const size_t count = judge->width > others ? (judge->width - others) / cell_width : 0;
    return count < LAWS_MAX ? count : LAWS_MAX;
}

static void print_row(const struct judge *judge, const struct rd_program *right,
                      const char *subject, const char *const *cells, size_t n)
{
    const int width = judge->shortens ? SHORT_WIDTH : CELL_WIDTH;
    if (judge->form == TEXT)
        printf("  %-*s", (int)name_width(right) - 2, subject);
    else
        printf("| %s |", subject);
    for (size_t k = 0; k < n; k++)
        if (judge->form == TEXT)
            printf("%-*s", k + 1 < n ? width : 0, cells[k]);
        else
            printf(" %s |", cells[k]);
    printf("\n");
}

/* `first`: the number of the first law. */
static void print_head(const struct judge *judge, const struct law_line *laws, size_t first,
                       size_t n)
{
    char numbers[LAWS_MAX][CELL_SIZE];
    const char *cells[LAWS_MAX + 1];
    printf(judge->form == TEXT ? "%s\n" : "\n## %s\n", laws->program->name);
    for (size_t k = 0; k < n; k++) {
        print_law(judge, &laws[k], first + k);
        snprintf(numbers[k], CELL_SIZE, "law %zu", first + k);
        cells[k] = numbers[k];
    }
    cells[n] = "the run itself";
    if (judge->form == MARKDOWN)
        printf("\n");
    print_row(judge, laws->program, judge->form == TEXT ? "" : "program", cells, n + 1);
    if (judge->form == MARKDOWN) {
        printf("|---|");
        for (size_t k = 0; k <= n; k++)
            printf("---|");
        printf("\n");
    }
}

/* The reason is NULL where it was judged. */
static void print_json_cell(struct judge *judge, const struct law_line *law, size_t number,
                            const struct rd_cli_law_runs *runs, const char *reason)
{
    json_t *object =
        json_pack("{s:s, s:I, s:s, s:s, s:s, s:i}", "program", law->program->name, "law",
                  (json_int_t)number, "subject", runs->options.program->name, "verdict",
                  reason ? "not judged" : rd_candidate_verdict_name(runs->judged.verdict), "run",
                  rd_verdict_name(runs->own), "hazards", (int)runs->hazards);
    if (reason)
        json_object_set_new(object, "reason", json_string(reason));
    else if (runs->judged.verdict == RD_CANDIDATE_NOT_KEPT)
        json_object_set_new(object, "round", json_integer(runs->judged.cell.step));
    json_array_append_new(judge->json, object);
}

/* The run says of itself what it is, whatever laws say of it. */
static void run_alone(const struct judge *judge, const struct rd_program *subject,
                      struct rd_cli_law_runs *runs)
{
    struct rd_error error = {""};
    *runs = (struct rd_cli_law_runs){.candidate = NULL};
    set_options(judge, subject, runs);
    if (rd_cli_law_run_alone(runs, &error) != RD_OK)
        give_up(subject, &error);
    rd_cli_law_runs_finish(runs);
}

static void judge_subject(struct judge *judge, struct law_line *laws, size_t first, size_t n,
                          const struct rd_program *subject)
{
    char texts[LAWS_MAX + 1][CELL_SIZE];
    const char *cells[LAWS_MAX + 1];
    for (size_t k = 0; k < n; k++) {
        struct rd_cli_law_runs runs;
        const char *reason = other_of(&laws[k], subject, texts[k]);
        bool speaks = !reason;
        if (subject == laws[k].program) {
            speaks = judge_by_own(judge, &laws[k]);
            runs = laws[k].runs;
        } else if (speaks) {
            speaks = judge_one(judge, &laws[k], subject, &runs);
        }
        if (!speaks) {
            reason = reason ? reason : "has no value there";
            run_alone(judge, subject, &runs);
        }
        cells[k] = speaks ? cell_of(judge, &runs, texts[k]) : judge->shortens ? "-" : reason;
        cells[n] = run_of(&runs, texts[n]);
        if (judge->form == JSON)
            print_json_cell(judge, &laws[k], first + k, &runs, speaks ? NULL : reason);
    }
    if (judge->form != JSON)
        print_row(judge, laws->program, subject->name, cells, n + 1);
}

/* `first`: the number of the first law. */
static void judge_program(struct judge *judge, struct law_line *laws, size_t first, size_t n)
{
    judge->shortens = judge->form == TEXT && n > laws_beside(judge, laws->program, CELL_WIDTH);
    judge->has_legend = judge->has_legend || judge->shortens;
    if (judge->form != JSON)
        print_head(judge, laws, first, n);
    for (const struct rd_program *const *p = rd_programs; *p; p++)
        if (rd_program_twin(*p) == laws->program)
            judge_subject(judge, laws, first, n, *p);
    rd_cli_flush();
}

/* Laws of one program that stand together are the columns of one matrix, as many as fit. */
static void judge_all(struct judge *judge)
{
    for (size_t k = 0, number = 1, n; k < judge->n_laws; k += n) {
        const struct law_line *laws = &judge->laws[k];
        const size_t most =
            judge->form == TEXT ? laws_beside(judge, laws->program, SHORT_WIDTH) : LAWS_MAX;
        n = 1; /* even where it doesn't fit */
        while (n < most && k + n < judge->n_laws && laws[n].program == laws->program)
            n++;
        judge_program(judge, &judge->laws[k], number, n);
        number = k + n < judge->n_laws && laws[n].program == laws->program ? number + n : 1;
    }
}

static void print_legend(const struct judge *judge)
{
    const struct rd_paint paint = {.out = stdout, .width = judge->width};
    printf("\n");
    rd_paint_wrap(
        &paint, RD_INK_PLAIN, 0,
        "round R: not kept, first by round R; at first: not true at first; so far: true so "
        "far; -: not judged, as the fault has another array or operation, or the law no "
        "value there.");
}

/* ---- the command ---- */

static error_t parse_judge(int key, char *argument, struct argp_state *state)
{
    struct judge *judge = state->input;
    switch (key) {
    case 'j':
        judge->form = JSON;
        return 0;
    case KEY_MARKDOWN:
        judge->form = MARKDOWN;
        return 0;
    case ARGP_KEY_ARG:
        if (judge->path)
            rd_cli_usage("judge", "'%s' is one argument too many: judge takes one file of laws",
                         argument);
        judge->path = argument;
        return 0;
    }
    return ARGP_ERR_UNKNOWN;
}

static const struct argp_option judge_options[] = {
    {"json", 'j', NULL, 0, "Print a JSON array, an object for each law and program", 0},
    {"markdown", KEY_MARKDOWN, NULL, 0, "Print tables in Markdown", 0},
    {0},
};

int rd_cli_judge(int argc, char **argv)
{
    const struct argp argp = {
        .options = judge_options,
        .parser = parse_judge,
        .args_doc = "[LAWS]",
        .doc = "Judges laws by a right program and all its faults, on their default values in the "
               "simulator: which "
               "law catches which fault, and in which round. In the file LAWS a law begins with "
               "its program's name and a "
               "colon, indented lines go on with it, and # begins a comment; - is standard input. "
               "Without LAWS: the programs' own laws.\v"
               "Exit status: 0 all were judged, 2 a law can't be read, or has no value on its "
               "program, or a run could not be made.",
    };
    struct judge judge = {.device = "sim", .width = rd_cli_width(stdout)};
    rd_cli_parse(&argp, "reductio judge", argc, argv, &judge);
    if (judge.path)
        read_file(&judge);
    else
        add_own_laws(&judge);
    judge.json = json_array();
    /* A law that can't be read, or has no value, is refused before anything is printed. */
    for (size_t k = 0; k < judge.n_laws; k++)
        rd_candidate_destroy(read_law(&judge, &judge.laws[k]));
    for (size_t k = 0; judge.path && k < judge.n_laws; k++)
        judge_by_own(&judge, &judge.laws[k]);
    judge_all(&judge);
    if (judge.has_legend)
        print_legend(&judge);
    if (judge.form == JSON)
        rd_cli_json_print(judge.json);
    else
        json_decref(judge.json);
    free(judge.laws);
    free(judge.file);
    return judge.failed ? RD_EXIT_FAILED : RD_EXIT_HOLDS;
}
