// SPDX-License-Identifier: MIT
/* The parts of an installed CUDA toolkit that users' files are compiled with: declarations of its libraries, where we
 * have none. Private to the parts of check that write what is compiled. */
#ifndef RD_CHECK_TOOLKIT_H
#define RD_CHECK_TOOLKIT_H

/* Makes DIRECTORY/toolkit, with links to the headers; an empty folder where no toolkit is. */
void rd_check_toolkit_link(const char *directory);
/* Of which toolkit there is, and what its folder of headers has; 0 where there is none. */
unsigned long long rd_check_toolkit_digest(void);

#endif
