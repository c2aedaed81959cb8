// SPDX-License-Identifier: MIT
/* Variables that a loaded file uses and that nothing defines: their addresses are there, and no memory. */
#include "device/sim/file/file.h"
#include "device/sim/file/launch.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

bool rd_sim_absent_close(struct rd_sim_file *file)
{
    void *begin = dlsym(file->handle, "rd_check_absent");
    void *end = dlsym(file->handle, "rd_check_absent_end");
    if (!begin || !end)
        return true;
    file->absent = (uintptr_t)begin;
    file->absent_end = (uintptr_t)end;
    return mprotect(begin, file->absent_end - file->absent, PROT_NONE) == 0;
}

void rd_sim_absent_tell(const void *address, const struct rd_sim_site *site)
{
    Dl_info info;
    char text[512];
    if (!rd_sim_file_lacks((uintptr_t)address))
        return;
    const bool is_known = dladdr(address, &info) && info.dli_sname;
    const char *symbol = is_known ? info.dli_sname : "a variable";
    char *plain = rd_sim_file()->source->demangle(symbol), *name = strdup(plain ? plain : symbol);
    if (name)
        rd_sim_file()->source->restore(name);
    snprintf(text, sizeof text, "%.300s, which no file that was given, and no library, defines",
             name ? name : symbol);
    free(plain);
    free(name);
    rd_sim_unsimulated(text, site->file ? site->file : "", site->line, (void *)site->pc);
}
