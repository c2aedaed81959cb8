// SPDX-License-Identifier: MIT
#include "prove/syntax/libclang.h"

#include <dlfcn.h>
#include <stdbool.h>

enum rd_status rd_libclang_load(const struct rd_libclang **libclang, struct rd_error *error)
{
    static struct rd_libclang loaded;
    static bool is_loaded;
    if (!is_loaded) {
        /* Its numbers are those of the header that this was compiled with. It stays loaded. */
        static void *library;
        library = dlopen(RD_LIBCLANG, RTLD_LAZY | RTLD_LOCAL);
        if (!library)
            library = dlopen(RD_LIBCLANG_PATH, RTLD_LAZY | RTLD_LOCAL);
        if (!library)
            return rd_fail(
                error, RD_ERROR_IO,
                "no libclang, by which kernels are read: %s; install it (apt-get install "
                "libclang-dev)",
                dlerror());
        const char *missing = NULL;
#define LOAD(name)                                                                                 \
    if (!(*(void **)&loaded.name = dlsym(library, "clang_" #name)))                                \
        missing = "clang_" #name;
        RD_LIBCLANG_FUNCTIONS(LOAD)
        if (missing) {
            dlclose(library);
            return rd_fail(error, RD_ERROR_IO, "'%s' lacks %s: install a later one", RD_LIBCLANG,
                           missing);
        }
        is_loaded = true;
    }
    *libclang = &loaded;
    return RD_OK;
}
