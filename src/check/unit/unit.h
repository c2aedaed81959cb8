// SPDX-License-Identifier: MIT
/* The translation unit: a user's file as the C++ compiler gets it. */
#ifndef RD_CHECK_UNIT_H
#define RD_CHECK_UNIT_H

#include "check/options.h"
#include "check/source/includes.h"
#include "check/source/rewrite.h"
#include "check/unit/host_pass.h"
#include "check/unit/unsimulated.h"

/* The name of a variable in the object of a file of C. */
#define RD_CHECK_OF_C "rd_check_of_c"

/* A header of the macros that the command line defines. */
#define RD_CHECK_MACROS "reductio_macros.hpp"
/* That of the simulator which comes before all. */
#define RD_CHECK_FIRST "reductio_first.hpp"

struct rd_annotations;
struct rd_check_host_names;

struct rd_check_unit {
    const struct rd_check_options *options;
    const char *directory; /* where it is written */
    char *text;            /* the user's */
    struct rd_check_functions functions;
    struct rd_check_includes includes;
    struct rd_check_launches launches;
    /* Annotations of the program's files, and of headers, whose code stands in the text; NULL: none. */
    const struct rd_annotations *annotations;
    size_t n_annotations;
    struct rd_check_host_pass pass;           /* of a file whose host code runs */
    const struct rd_check_host_names *marked; /* in the text that only warns of them; else NULL */
    bool is_of_host;                          /* of C++ alone: nothing of it is changed */
    bool removes_features;                    /* what the simulator does not know is left out, */
    struct rd_check_error_lines errors;       /* for the sake of errors in these lines */
    /* A module's: its kernels are launched by their names. */
    bool is_module;
    unsigned n_registered;
    const char *shown;              /* the name that its text has; NULL: that of the file */
    const char *const *expressions; /* names of kernels and variables, n_expressions of them */
    size_t n_expressions;
    struct rd_check_names own;    /* get another name, */
    struct rd_check_names others; /* also these, of headers */
};

/* Reads the file. RD_ERROR_IO, RD_ERROR_INPUT, RD_ERROR_MEMORY; there is nothing to finish then. */
enum rd_status rd_check_unit_init(struct rd_check_unit *unit,
                                  const struct rd_check_options *options, const char *directory,
                                  struct rd_error *error);
void rd_check_unit_finish(struct rd_check_unit *unit);
/* Tells whether the file has a main function. */
bool rd_check_unit_has_main(const struct rd_check_unit *unit);

/* Writes it to the directory's file NAME.cpp: with this kernel named, or without one: NULL. */
enum rd_status rd_check_unit_write(struct rd_check_unit *unit, const char *name, const char *kernel,
                                   struct rd_error *error);

/* Writes the directory's file NAME.cpp, which the compiler refuses at the line of each word that no
 * header declares, line 1 being the first word's. */
enum rd_status rd_check_unit_write_probe(const struct rd_check_unit *unit, const char *name,
                                         const struct rd_check_names *names,
                                         struct rd_error *error);

/* Writes "sum.cu", with quotes, as in C. */
void rd_check_write_quoted(const char *text, FILE *file);

/* Tells on standard error of each kernel that returns something, and of each that is called as a function, without <<<>>>: nvcc
 * refuses both. Code in an #if is passed over: it may be compiled by nobody. RD_ERROR_INPUT where there is one. */
enum rd_status rd_check_kernel_rules_refuse(const struct rd_check_unit *unit,
                                            struct rd_error *error);

#endif
