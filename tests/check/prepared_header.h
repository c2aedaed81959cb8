// SPDX-License-Identifier: MIT
/* The header that each kernel file is compiled with, prepared once for all: most of a small file's time goes there.
 * CHECK_HEADERS is the folder to keep it in. */
#ifndef RD_TEST_PREPARED_HEADER_H
#define RD_TEST_PREPARED_HEADER_H

/* The words to call g++ with, given those of `reductio check`, which end with `-I FOLDER -idirafter TOOLKIT -iquote
 * BESIDE -include reductio_cuda.hpp -include reductio_macros.hpp -c SOURCE -o OBJECT`; of any others the same ones. The
 * first is the compiler. Never freed: the process becomes the compiler. */
char **prepared_words(int argc, char **argv);

#endif
