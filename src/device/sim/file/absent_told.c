// SPDX-License-Identifier: MIT
/* Ends the run where it comes to what has no memory, by one sentence. */
#include "device/sim/file/file.h"
#include "device/sim/file/launch.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static _Noreturn void tell_variable(const void *address, const struct rd_sim_site *site)
{
    Dl_info info;
    char text[512];
    const bool is_known = dladdr(address, &info) && info.dli_sname;
    const char *symbol = is_known ? info.dli_sname : "a variable";
    char *plain = rd_sim_file()->source->demangle(symbol), *name = strdup(plain ? plain : symbol);
    if (name)
        rd_sim_file()->source->restore(name);
    snprintf(text, sizeof text, "%.300s, which no file that was given, and no library, defines",
             name ? name : symbol);
    rd_sim_unsimulated(text, site->file ? site->file : "", site->line, (void *)site->pc);
    abort();
}

void rd_sim_absent_tell(const void *address, const struct rd_sim_site *site)
{
    const struct rd_sim_absent *absent = rd_sim_absent_at(address);
    if (absent && !absent->what)
        tell_variable(address, site);
    if (absent)
        rd_sim_unsimulated(absent->what, site->file ? site->file : "", site->line,
                           (void *)site->pc);
}
