// SPDX-License-Identifier: MIT
/* The proof of a user's CUDA program, while its main function is executed symbolically. Private to this folder.
 *
 * There is one path at a time: `state`. What ends the program ends the path. A loop with an invariant is cut where
 * its condition is evaluated. Calls of CUDA succeed; what isn't understood ends the proof, unless it can change
 * nothing that annotations speak of. */
#ifndef RD_PROVE_HOST_H
#define RD_PROVE_HOST_H

#include "check/annotation/annotation.h"
#include "prove/host/contents.h"
#include "prove/goals/segment.h"
#include "prove/kernel/state.h"
#include "reductio/program.h"

enum { RD_HOST_NAMES_MAX = 16, RD_HOST_ASYNC_COPIES_MAX = 8 };

/* What an array holds. */
enum rd_host_content_kind {
    RD_HOST_UNKNOWN,
    RD_HOST_INPUT,  /* the elements of an input, in the first cells */
    RD_HOST_ZERO,   /* zeros, in the first cells */
    RD_HOST_LAW,    /* what a law says, and else what there was before */
    RD_HOST_LAUNCH, /* what a launch has made of what there was before */
};

struct rd_host_content {
    enum rd_host_content_kind kind;
    rd_term token;
    const char *dead; /* name of the function of cells that are not live */
    size_t input;
    rd_term cells; /* how many are so */
    const struct rd_host_law *law;
    rd_term rounds; /* d of the law */
    const rd_term *given;
    const struct rd_host_content *before; /* optional */
    rd_term formula;                      /* of a launch: in the subject's cell */
    unsigned launch_line; /* of what a launch wrote without a formula; 0: it is another's */
    const char *written;  /* the array that it wrote */
};

struct rd_host_array {
    struct rd_prove_array array;     /* first: a pointer to it is one to this */
    bool is_device, is_managed;      /* is_managed: of the device, and the host reaches it */
    const struct rd_syntax_type *of; /* its elements; NULL: not known yet */
    const struct rd_syntax_declaration
        *declaration; /* of a variable that is the array; else NULL */
    rd_term bytes;
    const struct rd_host_content *content;
    bool changed; /* since the flag was taken back */
};

/* An annotation, as a paragraph of its own. Of an input: its number, and its size once it was met. */
struct rd_host_law {
    const struct rd_annotation *of;
    struct rd_law *law; /* NULL: of an input */
    struct rd_law_reader *reader;
    const char *const
        *names; /* of what is given: aliases, then "zzcells", then sizes of its inputs */
    size_t n_given;
    size_t input;
    rd_term size, columns;
    bool met; /* on main's way */
    rd_term units[RD_SUBJECT_UNITS_MAX];
};

struct rd_host_launch {
    struct rd_launch_proof proof;
    const struct rd_host_content **before; /* of each array of the host */
    size_t n_before;
    struct rd_term_list shape; /* hypotheses of its own */
    rd_term shared_bytes;      /* dynamic */
    const struct rd_syntax_function *kernel;
    rd_term path;
    unsigned line;
    bool told; /* its goals are made */
};

/* Memory of the host that an asynchronous copy is from or to: an array, or a variable. */
struct rd_host_async_copy {
    struct rd_host_array *array;
    bool receives;
    const struct rd_host_content *content; /* that it receives; NULL: it isn't known */
    const struct rd_syntax_declaration *scalar;
    rd_term unknown, value; /* of the variable, before and after */
};

/* Facts about the variables of a loop, by their numbers among the candidates. */
struct rd_host_facts {
    unsigned loop; /* among those that a pass comes to */
    size_t count;
    bool *kept, found;
};

struct rd_host {
    struct rd_proof_subject *subject;
    struct rd_terms *terms;
    const struct rd_syntax_unit *unit;
    const char *path; /* of the file */
    struct rd_annotations *annotations;
    struct rd_host_law *laws; /* by site */
    size_t n_laws;
    enum rd_operation operation; /* of its laws */
    size_t n_inputs;
    const struct rd_host_law *inputs[RD_SUBJECT_UNITS_MAX];
    struct rd_program program;
    /* Of one pass: */
    struct rd_execution execution; /* of host code */
    struct state *state;
    struct states *evaluated; /* of the innermost rd_host_evaluate() */
    rd_term in_expression;    /* path at the beginning of the outermost expression */
    struct rd_term_list known, natural;
    rd_term rounds;
    struct rd_host_array **arrays;
    size_t n_arrays;
    struct rd_host_content **contents;
    size_t n_contents;
    struct rd_host_launch **launches;
    size_t n_launches;
    struct rd_host_launch *pending;
    /* A law that is missing, of cells that something is to be proved from: the first; NULL: none. */
    const char *missing_law;
    bool is_of_launches; /* the next sentence is of several launches */
    const char *
        missing_invariant; /* of a kernel's loop, or of one of its launches: the first sentence; NULL: none */
    const struct rd_syntax_type *element;      /* of the inputs; NULL: none was met */
    unsigned fresh, n_effects, n_loops, depth; /* depth: calls of its own functions */
    unsigned n_around;                         /* branches and loops with an invariant around */
    bool first_pass;
    bool dry;                   /* no goals: what a loop does to variables is looked for */
    bool has_stream;            /* that the program has made */
    bool is_busy, busy_on_made; /* work that the host hasn't waited for, on which stream */
    struct rd_host_async_copy async_copies[RD_HOST_ASYNC_COPIES_MAX];
    size_t n_async_copies;
    char **taken; /* names of constants */
    size_t n_taken;
    /* Of all passes: */
    struct rd_host_facts **facts;
    size_t n_facts;
    bool has_number; /* a number that may be any */
    size_t n_asserted;
    unsigned line;      /* of the statement that is executed */
    unsigned end_line;  /* where main() may end before it has come to all; 0: nowhere */
    bool is_left_early; /* a law is asserted behind that */
};

/* ---- values.c ---- */

/* Stops with a reason, at the node. */
#define RD_HOST_FAIL(host, node, ...) rd_execution_fail(&(host)->execution, node, __VA_ARGS__)
bool rd_host_goes(struct rd_host *host);
/* A constant of which nothing else is called so: "w", "w (2)". */
rd_term rd_host_constant(struct rd_host *host, const char *name);
/* One that has a value of the type. */
rd_term rd_host_unknown(struct rd_host *host, const char *name, const struct rd_syntax_type *type);
void rd_host_goal(struct rd_host *host, enum rd_proof_obligation obligation, const char *segment,
                  const char *what, size_t count, const rd_term *more, rd_term goal);
/* Hypotheses: what is known, and the path. */
void rd_host_hypotheses(struct rd_host *host, rd_term path, struct rd_term_list *list);
/* Evaluates an expression of numbers, and makes goals of what it requires. */
rd_term rd_host_number(struct rd_host *host, const struct rd_syntax_node *node);
struct value rd_host_evaluate(struct rd_host *host, const struct rd_syntax_node *node);
/* Tells whether it can be evaluated: of integers, whose values are known. */
bool rd_host_is_readable(struct rd_host *host, const struct rd_syntax_node *node);
/* Tells whether it changes nothing but variables and arrays of the host's own, which rd_host_forget() makes unknown. *why: what
 * it is that may change more. */
bool rd_host_is_harmless(struct rd_host *host, const struct rd_syntax_node *node,
                         const struct rd_syntax_node **why);
/* Tells whether it is min() or max() of two such. */
bool rd_host_is_selection(struct rd_host *host, const struct rd_syntax_node *node);
void rd_host_forget(struct rd_host *host, const struct rd_syntax_node *node);
/* Tells whether the variable may be set: by an assignment, or by a call that gets its address. */
bool rd_host_may_set(const struct rd_syntax_node *node,
                     const struct rd_syntax_declaration *declaration);
/* The array that a[i] or *p is of, and that the host reaches; NULL: it isn't known, or none. */
struct rd_host_array *rd_host_base_of(struct rd_host *host, const struct rd_syntax_node *target);
const struct rd_syntax_node *rd_host_bare(const struct rd_syntax_node *node);
/* The list ends with NULL. */
bool rd_host_is_one_of(const char *text, const char *const *texts);
/* Tells whether it is &x. */
bool rd_host_takes_address(const struct rd_syntax_node *node);
/* The variable of that name, and that of &x; NULL: it is none, or not known. */
struct binding *rd_host_binding_of(struct rd_host *host, const struct rd_syntax_node *name);
struct binding *rd_host_behind_address(struct rd_host *host, const struct rd_syntax_node *node);
bool rd_host_is_call(const struct rd_syntax_node *node, const char *name);
/* The name of what is called, for messages. */
const char *rd_host_callee(const struct rd_syntax_node *call);
/* Tells whether the function is called somewhere in it; NULL: a kernel is launched. */
bool rd_host_has_call(const struct rd_syntax_node *node, const char *name);

/* ---- contents.c ---- */

struct rd_host_content *rd_host_content_add(struct rd_host *host, enum rd_host_content_kind kind,
                                            const struct rd_host_array *array);
void rd_host_content_set(struct rd_host *host, struct rd_host_array *array,
                         const struct rd_host_content *content);
/* Something is to be proved from these cells: notes where a law is missing without which they aren't known. */
void rd_host_note_unknown(struct rd_host *host, const struct rd_host_content *content);
void rd_host_content_forget(struct rd_host *host, struct rd_host_array *array);
/* The first cells are zeros: known where that is the laws' neutral element. */
void rd_host_content_zero(struct rd_host *host, struct rd_host_array *array, rd_term cells);
struct rd_host_array *rd_host_array_add(struct rd_host *host, const char *name, bool is_device,
                                        const struct rd_syntax_type *of, rd_term size);
/* Values of all that a law is given: the names, the array's cells, sizes of inputs; NULL: an input wasn't met before. */
const rd_term *rd_host_given(struct rd_host *host, const struct rd_host_law *law, size_t n_names,
                             const rd_term *names, rd_term cells);
/* Claims of a law on one cell agree; what an annotation of numbers says. */
rd_term rd_host_law_agrees(struct rd_host *host, const struct rd_host_content *content,
                           rd_term cell);
/* That the law has a value, whatever names it binds; see rd_law_term_defined. */
rd_term rd_host_law_defined(struct rd_host *host, const struct rd_host_law *law,
                            const rd_term *given, rd_term rounds);
rd_term rd_host_law_condition(struct rd_host *host, const struct rd_host_law *law,
                              const rd_term *given, rd_term rounds);
/* Tells whether elements of the type are as the inputs'; floats of sums may be of two sizes, as they are exact. */
bool rd_host_is_element(const struct rd_host *host, const struct rd_syntax_type *type);
/* The array of a pointer's value; NULL: it is none. */
static inline struct rd_host_array *rd_host_array_of(const struct value *value)
{
    return value->kind == VALUE_POINTER ? (struct rd_host_array *)(void *)value->array : NULL;
}

/* ---- laws.c ---- */

enum rd_status rd_host_laws_init(struct rd_host *host, struct rd_error *error);
bool rd_host_laws_begin(struct rd_host *host);
/* Where is it asserted: it becomes a goal, and then is known. */
enum rd_host_law_place { RD_HOST_AT_START, RD_HOST_AT_END, RD_HOST_ALONE };
void rd_host_law_assert(struct rd_host *host, const struct rd_syntax_node *call,
                        enum rd_host_law_place place);
/* Asserts, directly behind a launch, what the law says of a copy of the array, if its numbers are known there. */
void rd_host_law_assert_of_original(struct rd_host *host, const struct rd_syntax_node *call,
                                    struct rd_host_array *array);
/* Takes for granted what the law says. */
void rd_host_law_assume(struct rd_host *host, const struct rd_syntax_node *call);
bool rd_host_is_law(const struct rd_syntax_node *node);
/* What the law says of the array, or a variable that stands as one; a segment: its numbers are not negative, as goals. */
struct rd_host_content *rd_host_law_content(struct rd_host *host, const struct rd_syntax_node *call,
                                            const struct rd_host_law *law,
                                            const struct rd_host_array *array, const char *segment);
enum rd_proof_obligation rd_host_obligation_at(enum rd_host_law_place place);

/* ---- copied_laws.c ---- */

/* Asserts of what the pending launch wrote what laws say of its copies, among the statements that follow. */
void rd_host_assert_copied_laws(struct rd_host *host,
                                const struct rd_syntax_node *const *statements, size_t count);

/* ---- own_run.c ---- */

/* Notes a variable of main() that 'requires' or an input's size names, or the variables in rows*cols. */
void rd_host_note_required(struct rd_host *host, const struct rd_host_law *law, const char *name,
                           rd_term number);
void rd_host_own_number(struct rd_host *host, const struct rd_proof_number *number);
/* 'requires' or an input's size names a variable of this value: notes which numbers, in a run without arguments, it is, or is made of. */
void rd_host_note_use(struct rd_host *host, rd_term value);
bool rd_host_is_power_of_two(rd_wide x);
/* Notes where the run of the file as it stands breaks what the law requires, which is this condition. */
void rd_host_own_run(struct rd_host *host, const struct rd_host_law *law, rd_term condition);

/* ---- scalars.c ---- */

/* Without conversions of a float to a larger type. */
const struct rd_syntax_node *rd_host_bare_float(const struct rd_syntax_node *node);
/* What the variable holds, as an element of the laws; NULL: it isn't known. */
rd_term rd_host_scalar(struct rd_host *host, const struct binding *found);
/* The whole number that a float is, which kernels are given; NULL: it isn't known. What the expression sets is forgotten. */
rd_term rd_host_factor(struct rd_host *host, const struct rd_syntax_node *node);
/* Tells whether some law is of a variable of that name. */
bool rd_host_has_law(const struct rd_host *host, const struct rd_syntax_declaration *declaration);
/* Tells whether the expression is a sum of cells of the host's arrays and of such variables; and its value, with the goals that
 * cells are in bounds. */
bool rd_host_is_sum(struct rd_host *host, const struct rd_syntax_node *node);
rd_term rd_host_sum_value(struct rd_host *host, const struct rd_syntax_node *node);
/* Executes s = ..., or s += ..., of a sum and a variable with a law; false, and nothing is done, of what is none. */
bool rd_host_add_up(struct rd_host *host, const struct rd_syntax_node *node);

/* An annotation of a variable, as of arrays; see laws.c. */
void rd_host_scalar_assert(struct rd_host *host, const struct rd_syntax_node *call,
                           const struct rd_host_law *law, const char *segment,
                           enum rd_host_law_place place);
void rd_host_scalar_assume(struct rd_host *host, const struct rd_syntax_node *call,
                           const struct rd_host_law *law);

/* ---- declarations.c ---- */

void rd_host_declare(struct rd_host *host, const struct rd_syntax_node *node);
/* A number that may be any, in place of the file's own; the value of a variable that is set to it. */
bool rd_host_is_any_number(const struct rd_syntax_node *node);
struct value rd_host_any_number(struct rd_host *host,
                                const struct rd_syntax_declaration *declaration,
                                const struct rd_syntax_node *initial);

/* ---- streams.c ---- */

/* cudaStreamCreate(&stream) */
void rd_host_make_stream(struct rd_host *host, const struct rd_syntax_node *node);
void rd_host_end_stream(struct rd_host *host, const struct rd_syntax_node *node);
bool rd_host_is_stream(struct rd_host *host, const struct rd_syntax_node *node);
/* Work on the stream, or, NULL, on the default one. */
void rd_host_issue(struct rd_host *host, const struct rd_syntax_node *node,
                   const struct rd_syntax_node *stream);
void rd_host_async_copy_add(struct rd_host *host, const struct rd_syntax_node *node,
                            struct rd_host_async_copy copy);
bool rd_host_is_in_flight(const struct rd_host *host, const struct rd_host_array *array);
/* Tells whether a copy to it may be under way. */
bool rd_host_awaits(const struct rd_host *host, const struct rd_host_array *array);
/* Refuses a statement that uses a variable in flight. */
void rd_host_check_async_copies(struct rd_host *host, const struct rd_syntax_node *node);
/* Refuses a statement of the host that uses managed memory while work of the device may be under way. */
void rd_host_check_managed(struct rd_host *host, const struct rd_syntax_node *node);
/* The host waits for all work. */
void rd_host_synchronize(struct rd_host *host);

/* ---- memory.c: of calls ---- */

/* cudaMalloc(), cudaMallocManaged() and cudaMallocHost(); cudaFree() and the like; cudaMemcpy() and cudaMemset(), also asynchronous. */
void rd_host_allocate_device(struct rd_host *host, const struct rd_syntax_node *node);
void rd_host_allocate_managed(struct rd_host *host, const struct rd_syntax_node *node);
void rd_host_allocate_pinned(struct rd_host *host, const struct rd_syntax_node *node);
void rd_host_release(struct rd_host *host, const struct rd_syntax_node *node);
void rd_host_copy(struct rd_host *host, const struct rd_syntax_node *node);
void rd_host_clear(struct rd_host *host, const struct rd_syntax_node *node);
/* A number of whole bytes. */
bool rd_host_is_plain(const struct rd_syntax_type *type);
rd_term rd_host_bytes_of(struct rd_host *host, const struct rd_syntax_type *type);

/* ---- calls.c ---- */

/* struct rd_execution's hook. */
bool rd_host_call(void *self, struct states *states, const struct rd_syntax_node *node);
bool rd_host_knows_call(const struct rd_syntax_node *node);
bool rd_host_is_harmless_call(const struct rd_syntax_node *node);

/* The function of the program's own that is called; NULL: it is none. */
const struct rd_syntax_function *rd_host_own_function(struct rd_host *host,
                                                      const struct rd_syntax_node *node);

/* ---- launch.c ---- */

/* (rd_prove_launch(grid, block), kernel(...)) */
bool rd_host_is_launch(const struct rd_syntax_node *node);
void rd_host_launch(struct rd_host *host, const struct rd_syntax_node *node);
/* No law follows: makes the goals of the last launch, if they aren't made. */
void rd_host_end_launch(struct rd_host *host);
/* Makes the goals of the last launch; with the content that a law says an array has behind it. */
void rd_host_add_launch_goals(struct rd_host *host, struct rd_host_array *array,
                              const struct rd_host_content *after);
bool rd_host_launch_writes(const struct rd_host_launch *launch, const struct rd_host_array *array);
void rd_host_launches_finish(struct rd_host *host);

/* ---- shape.c ---- */

enum { RD_HOST_EXTENTS = 3 };
bool rd_host_is_shape(const struct rd_syntax_type *type); /* dim3 */
/* Evaluates a shape, or a number, which is one of a single row. */
void rd_host_shape(struct rd_host *host, const struct rd_syntax_node *node,
                   rd_term extents[RD_HOST_EXTENTS]);
struct value rd_host_shape_value(struct rd_host *host, const rd_term extents[RD_HOST_EXTENTS]);
/* Tells whether it is shape.x, of a variable whose value is known; pushes its value, if it is. */
bool rd_host_is_extent(struct rd_host *host, const struct rd_syntax_node *node);
bool rd_host_push_extent(struct rd_host *host, const struct rd_syntax_node *node);
/* Makes the goals that CUDA takes the launch; then names its threads and blocks, and says what is known of their numbers. */
void rd_host_add_shape_goals(struct rd_host *host, const struct rd_syntax_node *node,
                             const rd_term grid[RD_HOST_EXTENTS],
                             const rd_term block[RD_HOST_EXTENTS]);
void rd_host_find_shape(struct rd_host *host, struct rd_host_launch *launch,
                        const rd_term grid[RD_HOST_EXTENTS], const rd_term block[RD_HOST_EXTENTS]);

/* ---- statements.c, loop.c ---- */

void rd_host_perform(struct rd_host *host, const struct rd_syntax_node *node);
/* Statements that follow each other. */
void rd_host_perform_statements(struct rd_host *host,
                                const struct rd_syntax_node *const *statements, size_t count);
/* The first part of a `for`, whose variables the loop has. NULL: there is none. */
void rd_host_perform_header(struct rd_host *host, const struct rd_syntax_node *node);
/* Stops at what is not harmless. */
bool rd_host_is_harmless_or_fails(struct rd_host *host, const struct rd_syntax_node *node);
/* The value of a pointer that is set to this: memory of its own, what another one points to, or nothing that is known. */
struct value rd_host_pointer(struct rd_host *host, const char *name,
                             const struct rd_syntax_type *type, const struct rd_syntax_node *node);
/* Executes the function with these arguments; its value, if it is known. */
struct value rd_host_enter(struct rd_host *host, const struct rd_syntax_node *call,
                           const struct rd_syntax_function *function);
void rd_host_loop(struct rd_host *host, const struct rd_syntax_node *node);
static inline bool rd_host_runs(const struct rd_host *host)
{
    return host->state->flow == FLOW_RUNS;
}

/* ---- annotated_text.c ---- */

/* The text with calls in place of annotations, and with numbers that may be any in place of the literals that they are set to. */
char *rd_host_text(const struct rd_annotations *annotations, bool any_numbers);

#endif
