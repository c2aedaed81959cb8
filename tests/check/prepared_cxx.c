// SPDX-License-Identifier: MIT
/* g++ for a test of `reductio check`, with the prepared header. */
#include <stdlib.h>

#include "file_cache.h"
#include "prepared_header.h"

int main(int argc, char **argv)
{
    unsetenv("MALLOC_PERTURB_"); /* which is meant for our own programs, and slows the compiler */
    become(prepared_words(argc, argv));
}
