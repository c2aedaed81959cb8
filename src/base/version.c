// SPDX-License-Identifier: MIT
#include "reductio/version.h"

#define QUOTE_(x) #x
#define QUOTE(x)  QUOTE_(x)

const char *rd_version(void)
{
    return QUOTE(RD_VERSION_MAJOR) "." QUOTE(RD_VERSION_MINOR) "." QUOTE(RD_VERSION_PATCH);
}
