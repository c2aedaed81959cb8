// SPDX-License-Identifier: MIT
#include "check/check.h"
#include "sim/memory.h"
#include "sim/shared.h"
#include "sim/source.h"
#include "sim/symbols.h"

#include <dlfcn.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>

/* Where the loaded file lies. */
struct place {
    uintptr_t base;           /* what its symbols' values are relative to */
    uintptr_t start, end;     /* all of it */
    uintptr_t data, data_end; /* what can be written */
    uintptr_t tls; /* this thread's instance of its thread-local segment: shared memory */
    size_t tls_bytes;
    uintptr_t dynamic; /* dynamic shared memory, in it */
    size_t shared_bytes;
    const char *library;
    char *(*demangle)(const char *, char *, size_t *, int *);
};

static int find(struct dl_phdr_info *info, size_t size, void *self)
{
    struct place *place = self;
    (void)size;
    if (!info->dlpi_name || strcmp(info->dlpi_name, place->library) != 0)
        return 0;
    place->base = info->dlpi_addr;
    place->start = UINTPTR_MAX;
    for (int k = 0; k < info->dlpi_phnum; k++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[k];
        uintptr_t start = info->dlpi_addr + segment->p_vaddr, end = start + segment->p_memsz;
        if (segment->p_type == PT_TLS) {
            place->tls = (uintptr_t)info->dlpi_tls_data;
            place->tls_bytes = segment->p_memsz;
        }
        if (segment->p_type != PT_LOAD)
            continue;
        place->start = start < place->start ? start : place->start;
        place->end = end > place->end ? end : place->end;
        if (segment->p_flags & PF_W) {
            place->data = start;
            place->data_end = end;
        }
    }
    return 1;
}

/* "k<float>(float*)::s": what stands behind the last "::". */
static void plain_name(const struct place *place, const char *name, char *plain, size_t size)
{
    int status;
    char *whole = place->demangle ? place->demangle(name, NULL, NULL, &status) : NULL;
    const char *last = whole ? whole : name;
    for (const char *at = last; (at = strstr(at, "::")); at += 2)
        last = at + 2;
    rd_sim_plain_name(plain, size, last);
    free(whole);
}

static void visit(void *self, const char *name, const Elf64_Sym *symbol)
{
    const struct place *place = self;
    char plain[64];
    unsigned type = ELF64_ST_TYPE(symbol->st_info);
    if (symbol->st_shndx == SHN_UNDEF || symbol->st_size == 0)
        return;
    plain_name(place, name, plain, sizeof plain);
    if (type == STT_TLS) {
        rd_sim_shared_variable(place->tls + symbol->st_value, symbol->st_size, plain);
    } else if (type == STT_OBJECT) {
        uintptr_t address = place->base + symbol->st_value;
        if (address >= place->data && address < place->data_end)
            rd_sim_module_variable(address, symbol->st_size, plain);
    }
}

enum rd_status rd_check_module_load(struct rd_check_module *module, const char *library,
                                    size_t shared_bytes, struct rd_error *error)
{
    struct rd_check_module m = {.handle = dlopen(library, RTLD_NOW | RTLD_LOCAL)};
    if (!m.handle)
        return rd_fail(error, RD_ERROR_INPUT, "the compiled file can't be loaded: %s", dlerror());
    unsigned (*describe)(const struct rd_check_parameter **, void **);
    *(void **)&describe = dlsym(m.handle, "rd_check_describe");
    *(void **)&m.thread = dlsym(m.handle, "rd_check_thread");
    if (!describe || !m.thread)
        return rd_fail(error, RD_ERROR_INPUT, "the compiled file has no kernel");
    m.n_parameters = describe(&m.parameters, &m.kernel);

    struct place place = {.library = library, .shared_bytes = shared_bytes};
    /* Asking for its address makes this thread's instance of the segment. */
    place.dynamic = (uintptr_t)dlsym(m.handle, "rd_check_dynamic");
    *(void **)&place.demangle = dlsym(RTLD_DEFAULT, "__cxa_demangle");
    if (!place.demangle)
        *(void **)&place.demangle = dlsym(m.handle, "__cxa_demangle");
    dl_iterate_phdr(find, &place);
    if (!place.tls || !place.dynamic || !place.data)
        return rd_fail(error, RD_ERROR_INPUT, "the compiled file has no shared memory");
    enum rd_status status = rd_sim_shared_set(place.tls, place.tls_bytes, error);
    if (status == RD_OK)
        status = rd_sim_module_set(place.data, place.data_end - place.data, error);
    if (status != RD_OK)
        return status;
    m.start = place.start;
    m.end = place.end;
    rd_sim_constants_set(place.start, place.end);
    rd_sim_symbols(library, visit, &place);
    rd_sim_shared_dynamic(place.dynamic, rd_sim_dynamic_shared_max(), shared_bytes);
    *module = m;
    return RD_OK;
}

void rd_check_parameter_name(const struct rd_check_module *module, unsigned number, char name[64])
{
    rd_sim_source_parameter((uintptr_t)module->kernel, number, name, 64);
}
