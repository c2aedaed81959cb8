// SPDX-License-Identifier: MIT
/* Symbols that a loaded file does not define: others are to have them. */
#include "device/sim/file/file.h"
#include "device/sim/source/elf.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

static bool begins_with_one_of(const char *text, const char *const *prefixes)
{
    for (; *prefixes; prefixes++)
        if (strncmp(text, *prefixes, strlen(*prefixes)) == 0)
            return true;
    return false;
}

/* Tells whether it is a variable of the C library, as stderr: the linker may have put a copy into the program. */
static bool is_copied(const char *name)
{
    void *libc = dlopen("libc.so.6", RTLD_NOLOAD | RTLD_LAZY);
    bool is_its = libc && dlsym(libc, name);
    if (libc)
        dlclose(libc);
    return is_its;
}

/* Tells whether a file may take a symbol from where the loader would find it: the language's libraries, those that it was
 * linked with, and of the program what kernels call. Others are there by accident, as "raw" of a library for screens. */
static bool is_for_files(const char *file, const char *name, void *address)
{
    static const char *const calls[] = {
        "rd_sim_",  "__tsan_",        "__ubsan_",      "__asan_",
        "__wrap_",  "__sanitizer_",   "__assert_fail", "rd_f16_",
        "rd_bf16_", "cublas",         "curand",        "cufft",
        "cusparse", "pthread_create", "pthread_join",  "GOMP_parallel",
        NULL};
    static const char *const libraries[] = {"libc.",     "libm.",  "libstdc++.", "libc++",
                                            "libgcc_s.", "ld-",    "ld64",       "libpthread.",
                                            "libdl.",    "librt.", "linux-vdso", NULL};
    Dl_info info;
    if (begins_with_one_of(name, calls) || !dladdr(address, &info) || !info.dli_fname)
        return true;
    const char *slash = strrchr(info.dli_fname, '/');
    const char *from = slash ? slash + 1 : info.dli_fname;
    return begins_with_one_of(from, libraries) || is_copied(name) || rd_sim_elf_needs(file, from);
}

struct asking {
    const char *file;
    struct rd_sim_asked *asked;
};

/* Tells whether threads may communicate by a function that kernels call: by all but those of which it is known that they don't. */
static bool communicates(const char *name)
{
    static const char *const hooks[] = {"rd_sim_", "__tsan_volatile_", "__tsan_atomic", NULL};
    static const char *const others[] = {"rd_sim_cuda",
                                         "rd_sim_accessed",
                                         "rd_sim_assert_fail",
                                         "rd_sim_caller",
                                         "rd_sim_clock",
                                         "rd_sim_drops",
                                         "rd_sim_dynamic_",
                                         "rd_sim_end",
                                         "rd_sim_instead",
                                         "rd_sim_is_on_device",
                                         "rd_sim_kernel_register",
                                         "rd_sim_launch",
                                         "rd_sim_law_",
                                         "rd_sim_made",
                                         "rd_sim_nvrtc",
                                         "rd_sim_outdated",
                                         "rd_sim_place",
                                         "rd_sim_printf",
                                         "rd_sim_printed",
                                         "rd_sim_return",
                                         "rd_sim_syncthreads",
                                         "rd_sim_unsimulated",
                                         NULL};
    return begins_with_one_of(name, hooks) && !begins_with_one_of(name, others);
}

static bool may_make_stream(const char *name)
{
    static const char *const calls[] = {"rd_sim_cudaStreamCreateWith", "rd_sim_cuStreamCreate",
                                        NULL};
    return begins_with_one_of(name, calls);
}

static void visit_symbol(void *self, const char *name, const Elf64_Sym *symbol)
{
    const struct asking *asking = self;
    struct rd_sim_asked *asked = asking->asked;
    char plain[sizeof asked->nowhere];
    if (symbol->st_shndx != SHN_UNDEF)
        return;
    if (communicates(name)) {
        asked->any_communicates = true;
        /* A block's barrier never asks for an exact launch. */
        asked->any_exact |= strcmp(name, "rd_sim_block_sync") != 0;
    }
    asked->any_elsewhere |= strncmp(name, "rd_sim_accessed", 15) == 0;
    asked->any_stream |= may_make_stream(name);
    if (ELF64_ST_BIND(symbol->st_info) != STB_GLOBAL || asked->nowhere[0])
        return;
    snprintf(plain, sizeof plain, "%.*s", (int)strcspn(name, "@"), name);
    void *address = dlsym(RTLD_DEFAULT, plain);
    if (address && !is_for_files(asking->file, plain, address))
        snprintf(asked->nowhere, sizeof asked->nowhere, "%s", plain);
}

struct rd_sim_asked rd_sim_file_asks(const char *library)
{
    struct rd_sim_asked asked = {0};
    struct asking asking = {library, &asked};
    rd_sim_elf_symbols_of(library, visit_symbol, &asking);
    return asked;
}
