// SPDX-License-Identifier: MIT
/* Contents of the arrays of a user's program, in place of the steps of a library's: where the law of a program is asked after d
 * rounds, here it is asked of a content, whose name `token` stands for d. Private to the making of goals. */
#ifndef RD_PROVE_HOST_CONTENTS_H
#define RD_PROVE_HOST_CONTENTS_H

#include "prove/kernel/execution.h"

struct rd_host;
struct rd_law_section;

/* The condition under which the cell's value is known; how often it then holds the counted element; and its value, of which
 * nothing is known where it isn't live. */
rd_term rd_host_live(struct rd_host *host, rd_term token, rd_term cell);
rd_term rd_host_count(struct rd_host *host, rd_term token, rd_term cell);
rd_term rd_host_value(struct rd_host *host, rd_term token, rd_term cell);

/* The invariant of a kernel's loop. */
const struct rd_law_section *rd_host_section(struct rd_host *host, const struct rd_cut *cut);
/* How many claims the invariant at the cut has; 0: there is none. */
size_t rd_host_claims(struct rd_host *host, const struct rd_cut *cut);
rd_term rd_host_cut_defined(struct rd_host *host, const struct rd_cut *cut);
rd_term rd_host_cut_live(struct rd_host *host, const struct rd_cut *cut, rd_term cell);
rd_term rd_host_cut_count(struct rd_host *host, const struct rd_cut *cut, rd_term cell);
/* The condition that what the annotation says of the subject's cell is what the invariant says at the cut; false where that is NULL. */
rd_term rd_host_cut_promises(struct rd_host *host, const struct rd_cut *cut,
                             const struct rd_cut *promise);

#endif
