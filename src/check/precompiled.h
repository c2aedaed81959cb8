// SPDX-License-Identifier: MIT
/* Precompiled headers of GCC: to read the simulator's takes it far longer than most users' files. Private to compiler.c. */
#ifndef RD_CHECK_PRECOMPILED_H
#define RD_CHECK_PRECOMPILED_H

#include "base/cache_folder.h"
#include "check/compiler.h"

enum { RD_CHECK_PRECOMPILED_SIZE = RD_CACHE_PATH_SIZE + 96 };

/* Finds a precompiled header of RD_CHECK_FIRST under these options, `words` from the compiler's name on; makes it from the second
 * request on, beside the headers, if these are in the cache. `folder` is then the folder to name first, by -iquote. False where
 * there is none that may be taken, as where one of the user's folders has a header by the name of one that was read. No error keeps
 * it from that, but *rd_interruption() is to be looked at. */
bool rd_check_precompiled_find(const struct rd_check_compiler *compiler, const char *const *words,
                               size_t n_words, const char *headers,
                               char folder[RD_CHECK_PRECOMPILED_SIZE]);

#endif
