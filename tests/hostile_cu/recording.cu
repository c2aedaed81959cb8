// SPDX-License-Identifier: MIT
#include "hostile.h"

/* Writes a recording of its own wherever it can, and ends. */
HOSTILE()
{
    static const char text[] =
        "{\"event\": \"end\", \"how\": \"returned\", \"status\": 0, \"events\": 0, \"seal\": \"\"}";
    char frame[sizeof text + 16] = {};
    unsigned length = sizeof text - 1;
    memcpy(frame, &length, sizeof length);
    memcpy(frame + 12, text, length);
    for (int file = 3; file < 1024; file++)
        if (ftruncate(file, 0) == 0)
            pwrite(file, frame, 12 + length, 0);
    _exit(0);
}

int main(void)
{
    return IN_MAIN ? hostile() : 0;
}
