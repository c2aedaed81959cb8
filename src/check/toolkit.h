// SPDX-License-Identifier: MIT
/* The parts of an installed CUDA toolkit that users' files are compiled with: declarations of its libraries, where we
 * have none. Private to the parts of check that write what is compiled. */
#ifndef RD_CHECK_TOOLKIT_H
#define RD_CHECK_TOOLKIT_H

#include <stdbool.h>
#include <stdint.h>

/* Makes DIRECTORY/toolkit, with links to the headers; an empty folder where no toolkit is. False where a part is missing: the
 * compiler says what it lacks. */
bool rd_check_toolkit_link(const char *directory);
/* Returns a digest of the toolkit's path, and of its folder's last change; 0 without one. */
uint64_t rd_check_toolkit_digest(void);

#endif
