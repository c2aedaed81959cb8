// SPDX-License-Identifier: MIT
/* What has an address and no memory, as it is not simulated: variables that a loaded file uses and that nothing defines. */
#include "base/array.h"
#include "device/sim/file/file.h"
#include "device/sim/file/launch.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static struct {
    struct absent {
        uintptr_t base;
        size_t size_bytes;
        const char *what; /* NULL: a variable that nothing defines */
    } * all;
    size_t n, capacity;
} absent;

bool rd_sim_absent_add(void *base, size_t size_bytes, const char *what)
{
    if (!rd_array_make_room(&absent.all, absent.n, &absent.capacity, sizeof *absent.all))
        return false;
    absent.all[absent.n++] = (struct absent){(uintptr_t)base, size_bytes, what};
    return mprotect(base, size_bytes, PROT_NONE) == 0;
}

bool rd_sim_absent_add_variables(void *handle)
{
    char *begin = dlsym(handle, "rd_check_absent"), *end = dlsym(handle, "rd_check_absent_end");
    return !begin || !end || rd_sim_absent_add(begin, (size_t)(end - begin), NULL);
}

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
    for (size_t k = 0; k < absent.n; k++) {
        const struct absent *it = &absent.all[k];
        if ((uintptr_t)address - it->base >= it->size_bytes)
            continue;
        if (!it->what)
            tell_variable(address, site);
        rd_sim_unsimulated(it->what, site->file ? site->file : "", site->line, (void *)site->pc);
    }
}
