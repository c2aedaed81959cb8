// SPDX-License-Identifier: MIT
/* Stand-in for libclang, where the program was built without it. */
#include "prove/syntax/unit.h"

enum rd_status rd_syntax_read(struct rd_syntax_unit **unit, const struct rd_syntax_text *source,
                              struct rd_error *error)
{
    (void)unit, (void)source;
    return rd_fail(error, RD_ERROR_IO,
                   "this program was built without libclang, by which kernels are read: install it "
                   "(apt-get install libclang-dev) and build again");
}
