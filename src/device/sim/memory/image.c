// SPDX-License-Identifier: MIT
#include "device/sim/memory/image.h"

#include <link.h>
#include <stdbool.h>
#include <stddef.h>

static const char landmark;

static int visit(struct dl_phdr_info *info, size_t size, void *self)
{
    struct rd_sim_image image = {.start = UINTPTR_MAX};
    uintptr_t here = (uintptr_t)&landmark;
    (void)size;
    for (int k = 0; k < info->dlpi_phnum; k++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[k];
        uintptr_t start = info->dlpi_addr + segment->p_vaddr, end = start + segment->p_memsz;
        if (segment->p_type != PT_LOAD)
            continue;
        image.start = start < image.start ? start : image.start;
        image.end = end > image.end ? end : image.end;
    }
    if (here < image.start || here >= image.end)
        return 0;
    /* The program's own name is empty there. */
    image.path = info->dlpi_name && *info->dlpi_name ? info->dlpi_name : "/proc/self/exe";
    *(struct rd_sim_image *)self = image;
    return 1;
}

const struct rd_sim_image *rd_sim_image(void)
{
    static struct rd_sim_image image;
    if (!image.path)
        dl_iterate_phdr(visit, &image);
    return &image;
}
