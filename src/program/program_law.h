// SPDX-License-Identifier: MIT
/* A program's law, ready to be asked, by program_law.c and program_expect.c; and whether a run can assert it. */
#ifndef RD_PROGRAM_PROGRAM_LAW_H
#define RD_PROGRAM_PROGRAM_LAW_H

#include "reductio/law.h"
#include "reductio/program.h"

/* Evaluation of a program's law. It belongs to this thread, until the thread asks for other programs and shapes. */
struct rd_asked {
    struct rd_cached_run *cached;
    struct rd_law_run *run;
    const struct rd_law *law;
    const struct rd_law_section *section;
    struct rd_law_place place;
    size_t n_blocks; /* whose arrays are meant, from that of the place on */
};

/* At a step of the program's rounds; at a place inside a kernel, of which the paragraph may say nothing. False where it
 * can't be asked, for want of memory in the first place. */
bool rd_ask_at_step(const struct rd_program *program, const struct rd_shape *shape, unsigned step,
                    struct rd_asked *asked);
bool rd_ask_at_point(const struct rd_program *program, const struct rd_shape *shape,
                     const struct rd_place *at, struct rd_asked *asked);

/* Refuses a program of a client's whose law a run could not assert on this shape: at some step it has no value, or its
 * bounds don't give cells 0, s, 2s, …, or its updates lead to something else (agreement.h); at a place inside a kernel, the
 * former two. */
enum rd_status rd_program_check_claims(const struct rd_program *program,
                                       const struct rd_shape *shape, struct rd_error *error);
enum rd_status rd_program_check_claim_at(const struct rd_program *program,
                                         const struct rd_shape *shape, const struct rd_place *at,
                                         struct rd_error *error);

/* The name of the program's array: "A", of a user's program what it is called there. It lives as long as the program. */
const char *rd_program_array(const struct rd_program *program);

#endif
