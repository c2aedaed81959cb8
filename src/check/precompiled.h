// SPDX-License-Identifier: MIT
/* What GCC keeps of the headers that it has read: to read them takes it far longer than most users' files. Private to compiler.c. */
#ifndef RD_CHECK_PRECOMPILED_H
#define RD_CHECK_PRECOMPILED_H

#include "check/compiler.h"

/* Has the compiler read RD_CHECK_CUDA under these options, `words`, and keep that beside the headers, which are in the cache; as
 * soon as it is to do so for the second time. `include` is what to include instead: RD_CHECK_CUDA itself where there is nothing
 * better, as where one of the user's folders has a header by the name of one that was read. No error keeps it from that, but
 * *rd_interruption() is to be looked at. */
void rd_check_precompiled_find(const struct rd_check_compiler *compiler, const char *const *words,
                               size_t n_words, const char *headers, char *include, size_t size);

#endif
