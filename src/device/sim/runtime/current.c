// SPDX-License-Identifier: MIT
/* The program that this process runs. */
#include "device/sim/runtime/runtime_internal.h"

#include <stdarg.h>
#include <stdio.h>

static const struct rd_file_program *running;

const struct rd_file_program *rd_sim_runtime_program(void)
{
    return running;
}

void rd_sim_runtime_set(const struct rd_file_program *program)
{
    running = program;
}

void rd_sim_runtime_lacks(const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    running->on_lack(running->how.self, text);
}
