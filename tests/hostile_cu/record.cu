// SPDX-License-Identifier: MIT
#include "hostile.h"

/* Writes a record of its own wherever it can, and ends. */
HOSTILE()
{
    static const char record[] =
        "{\"outcome\": \"completed\", \"threads\": 1, \"hazards\": [], \"names\": [\"a\"], "
        "\"launches\": [], \"communicates\": false}";
    for (int file = 3; file < 1024; file++)
        if (ftruncate(file, 0) == 0)
            pwrite(file, record, sizeof record - 1, 0);
    _exit(0);
}

int main(void)
{
    return IN_MAIN ? hostile() : 0;
}
