// SPDX-License-Identifier: MIT
/* Prints laws in their author's words, without the numbers of a step. Private to the library. */
#ifndef RD_LAW_WORDS_H
#define RD_LAW_WORDS_H

#include "reductio/law.h"

/* A text that states laws of a paragraph: each definition is told once, behind the first that speaks of it. Starts as zeros
 * with `law` set. */
struct rd_law_words {
    const struct rd_law *law;
    const struct law_definition **told;
    size_t n_told, capacity;
};

/* Writes the section's law, a claim a line, and the definitions that it speaks of: "where w = n / 2^d". RD_ERROR_MEMORY: some
 * lines are missing. */
enum rd_status rd_law_words(struct rd_law_words *words, const struct rd_law_section *section,
                            FILE *out);
void rd_law_words_finish(struct rd_law_words *words);

#endif
