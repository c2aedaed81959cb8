// SPDX-License-Identifier: MIT
/* The argument of --law, and what is wrong with it. Private to src/cli. */
#ifndef RD_CLI_LAW_TEXT_H
#define RD_CLI_LAW_TEXT_H

#include "reductio/law.h"

/* The text of LAW or @FILE, which the caller frees; NULL after a complaint, where the file can't be read. */
char *rd_cli_law_text(const char *law);

/* Complains of the law that was given so, of this text: with its place in the option or the file, and a mark below the
 * column. */
void rd_cli_law_complain(const char *law, const char *text, const struct rd_law_error *error);

#endif
