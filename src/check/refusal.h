// SPDX-License-Identifier: MIT
/* Why the compiler refuses a file that nvcc would take, and what to do about it. */
#ifndef RD_CHECK_REFUSAL_H
#define RD_CHECK_REFUSAL_H

#include "check/compiler.h"
#include "check/unit.h"

struct rd_check_refusal {
    const struct rd_check_unit *unit;
    /* What the file declares, and of that what stands in lines with an error. */
    struct rd_check_names declared, names;
    const char *feature; /* what the simulator does not know and an error is about; or NULL */
    char place[256];     /* of it: "line 12", "util.cuh:3" */
};

/* Looks at what the compiler has said of the directory's file NAME.cpp, made of the unit. */
void rd_check_refusal_init(struct rd_check_refusal *refusal,
                           const struct rd_check_compiler *compiler,
                           const struct rd_check_unit *unit, const char *name);
void rd_check_refusal_finish(struct rd_check_refusal *refusal);

/* Changes the unit so that it may compile; *changed tells whether there was anything to change. */
enum rd_status rd_check_refusal_evade(struct rd_check_refusal *refusal,
                                      const struct rd_check_compiler *compiler,
                                      struct rd_check_unit *unit, bool *changed,
                                      struct rd_error *error);

#endif
