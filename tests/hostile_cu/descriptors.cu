// SPDX-License-Identifier: MIT
#include "hostile.h"

HOSTILE()
{
    for (int file = 3; file < 1024; file++)
        close(file);
    END;
}
