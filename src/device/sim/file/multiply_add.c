// SPDX-License-Identifier: MIT
/* Finds products and sums of floats in machine code. */
#include "device/sim/file/file.h"
#include "device/sim/source/elf.h"

#include <string.h>

#ifdef __x86_64__

/* mulss, mulsd, addss, addsd, subss and subsd. */
enum { MULTIPLY = 0x59, ADD = 0x58, SUBTRACT = 0x5c };

/* Tells whether these bytes are such an instruction, of this prefix: f3 for floats, f2 for doubles. */
static bool is_instruction(const unsigned char *at, unsigned char prefix, unsigned char code)
{
    bool has_rex = (at[1] & 0xf0) == 0x40;
    return at[0] == prefix && at[1 + has_rex] == 0x0f && at[2 + has_rex] == code;
}

static bool multiplies_and_adds(const unsigned char *code, size_t size_bytes, unsigned char prefix)
{
    bool multiplies = false, adds = false;
    for (size_t k = 0; k + 4 <= size_bytes && !(multiplies && adds); k++) {
        multiplies = multiplies || is_instruction(code + k, prefix, MULTIPLY);
        adds = adds || is_instruction(code + k, prefix, ADD) ||
               is_instruction(code + k, prefix, SUBTRACT);
    }
    return multiplies && adds;
}

struct floats {
    const struct rd_sim_elf *elf;
    uintptr_t base, kernel;
    bool found;
};

/* Any function but other kernels may be called by the kernel. */
static void search_function(void *self, const char *name, const Elf64_Sym *symbol)
{
    struct floats *floats = self;
    const unsigned char *code = (const unsigned char *)floats->base + symbol->st_value;
    const char *section = rd_sim_elf_section_name(floats->elf, symbol->st_shndx);
    (void)name;
    if (ELF64_ST_TYPE(symbol->st_info) != STT_FUNC || symbol->st_shndx == SHN_UNDEF ||
        (strncmp(section, "rd_kernel.", 10) == 0 && (uintptr_t)code != floats->kernel))
        return;
    floats->found = floats->found || multiplies_and_adds(code, symbol->st_size, 0xf3) ||
                    multiplies_and_adds(code, symbol->st_size, 0xf2);
}

bool rd_sim_object_multiplies_and_adds(const char *path, uintptr_t base, uintptr_t kernel)
{
    struct rd_sim_elf elf;
    if (!rd_sim_elf_init(&elf, path, false))
        return false;
    struct floats floats = {.elf = &elf, .base = base, .kernel = kernel};
    rd_sim_elf_symbols(&elf, search_function, &floats);
    rd_sim_elf_finish(&elf);
    return floats.found;
}

#else

bool rd_sim_object_multiplies_and_adds(const char *path, uintptr_t base, uintptr_t kernel)
{
    (void)path, (void)base, (void)kernel;
    return true;
}

#endif
