// SPDX-License-Identifier: MIT
/* What GCC keeps of the headers that it has read: to read them takes it far longer than most users' files. Private to compiler.c. */
#ifndef RD_CHECK_PRECOMPILED_H
#define RD_CHECK_PRECOMPILED_H

#include "base/cache_folder.h"
#include "check/compiler.h"

enum { RD_CHECK_PRECOMPILED_SIZE = RD_CACHE_PATH_SIZE + 96 };

/* Has the compiler read RD_CHECK_CUDA under these options, `words` from its own name on, and keep that beside the headers, if they
 * are in the cache; as soon as it is to do so for the second time. `folder` is then the folder of headers to name before ours. False
 * where there is nothing that may be taken, as where one of the user's folders has a header by the name of one that was read. No
 * error keeps it from that, but *rd_interruption() is to be looked at. */
bool rd_check_precompiled_find(const struct rd_check_compiler *compiler, const char *const *words,
                               size_t n_words, const char *headers,
                               char folder[RD_CHECK_PRECOMPILED_SIZE]);

#endif
