// SPDX-License-Identifier: MIT
#include "device/sim/memory/image.h"

#include <link.h>
#include <pthread.h>
#include <stddef.h>

static const char landmark;
static struct rd_sim_image image;

struct search {
    uintptr_t address;
    struct rd_sim_image found;
};

static int visit(struct dl_phdr_info *info, size_t size, void *self)
{
    struct search *search = self;
    struct rd_sim_image seen = {.start = UINTPTR_MAX, .bias = info->dlpi_addr};
    (void)size;
    for (int k = 0; k < info->dlpi_phnum; k++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[k];
        uintptr_t start = info->dlpi_addr + segment->p_vaddr, end = start + segment->p_memsz;
        if (segment->p_type != PT_LOAD)
            continue;
        seen.start = start < seen.start ? start : seen.start;
        seen.end = end > seen.end ? end : seen.end;
    }
    if (search->address < seen.start || search->address >= seen.end)
        return 0;
    /* The program's own name is empty there. */
    seen.path = info->dlpi_name && *info->dlpi_name ? info->dlpi_name : "/proc/self/exe";
    search->found = seen;
    return 1;
}

bool rd_sim_image_at(uintptr_t address, struct rd_sim_image *found)
{
    struct search search = {.address = address};
    bool is_there = dl_iterate_phdr(visit, &search) != 0;
    *found = search.found;
    return is_there;
}

static void find(void)
{
    rd_sim_image_at((uintptr_t)&landmark, &image);
}

const struct rd_sim_image *rd_sim_image(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, find);
    return &image;
}
