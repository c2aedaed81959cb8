// SPDX-License-Identifier: MIT
/* What has an address and no memory, as it is not simulated: variables that a loaded file uses and that nothing defines. */
#include "base/array.h"
#include "device/sim/file/file.h"

#include <dlfcn.h>
#include <sys/mman.h>

static struct {
    struct rd_sim_absent *all;
    size_t n, capacity;
} absent;

bool rd_sim_absent_add(void *base, size_t size_bytes, const char *what)
{
    if (!rd_array_make_room(&absent.all, absent.n, &absent.capacity, sizeof *absent.all))
        return false;
    absent.all[absent.n++] = (struct rd_sim_absent){(uintptr_t)base, size_bytes, what};
    return mprotect(base, size_bytes, PROT_NONE) == 0;
}

bool rd_sim_absent_add_variables(void *handle)
{
    char *begin = dlsym(handle, "rd_check_absent"), *end = dlsym(handle, "rd_check_absent_end");
    return !begin || !end || rd_sim_absent_add(begin, (size_t)(end - begin), NULL);
}

const struct rd_sim_absent *rd_sim_absent_at(const void *address)
{
    for (size_t k = 0; k < absent.n; k++)
        if ((uintptr_t)address - absent.all[k].base < absent.all[k].size_bytes)
            return &absent.all[k];
    return NULL;
}
