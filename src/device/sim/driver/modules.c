// SPDX-License-Identifier: MIT
/* CUDA Driver API, "Module Management". A module is a library of the process: each load is one of its own, with variables of its
 * own. */
#include "base/array.h"
#include "device/sim/driver/driver.h"
#include "device/sim/file/file.h"
#include "device/sim/object.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATH_SIZE = 512 };

struct CUmod_st {
    struct rd_sim_file *file;
    struct rd_file_source source;
    char library[PATH_SIZE];
    struct CUfunc_st *functions; /* all that it has; those without code are variables */
    size_t n_functions, capacity;
    const struct CUctx_st *context;
    bool is_taken; /* by a load */
    bool unloaded;
    struct CUmod_st *next;
};

static struct CUmod_st *modules;

static bool is_module(const struct CUmod_st *module)
{
    for (const struct CUmod_st *known = modules; known; known = known->next)
        if (known == module)
            return known->is_taken && !known->unloaded &&
                   (!known->context || rd_sim_context_is(known->context));
    return false;
}

bool rd_sim_function_is(const struct CUfunc_st *function)
{
    for (const struct CUmod_st *module = modules; module; module = module->next)
        if (function >= module->functions && function < module->functions + module->n_functions)
            return is_module(module);
    return false;
}

/* ---- images ---- */

char *rd_sim_image_of(const char *library)
{
    char *image = NULL;
    return asprintf(&image, RD_FILE_IMAGE "%s\n", library) < 0 ? NULL : image;
}

/* Tells whether the image is such, and where the library is. */
static bool is_image_of(const void *image, char library[PATH_SIZE])
{
    if (!image || strncmp(image, RD_FILE_IMAGE, sizeof RD_FILE_IMAGE - 1) != 0)
        return false;
    const char *path = (const char *)image + sizeof RD_FILE_IMAGE - 1;
    snprintf(library, PATH_SIZE, "%.*s", (int)strcspn(path, "\n"), path);
    return true;
}

/* ---- loading ---- */

static void add_function(void *self, const void *entry)
{
    struct CUmod_st *module = self;
    const struct rd_sim_kernel *(*describe)(void);
    *(const void **)&describe = entry;
    if (!rd_array_make_room(&module->functions, module->n_functions, &module->capacity,
                            sizeof *module->functions))
        return;
    const struct rd_sim_kernel *kernel = describe();
    if (kernel->thread)
        rd_sim_kernel_register(kernel);
    module->functions[module->n_functions++] = (struct CUfunc_st){
        .kernel = kernel,
        .symbol = rd_sim_file_symbol_at((uintptr_t)kernel->function),
        .module = module,
    };
}

static bool copy_file(const char *from, const char *to)
{
    char block[1 << 16];
    size_t n;
    FILE *in = fopen(from, "re"), *out = in ? fopen(to, "we") : NULL;
    bool good = out != NULL;
    while (good && (n = fread(block, 1, sizeof block, in)) > 0)
        good = fwrite(block, 1, n, out) == n;
    if (in)
        fclose(in);
    if (out && fclose(out) != 0)
        good = false;
    return good;
}

/* A library that is loaded already gives the same variables once more: a further load is of a copy. */
static bool find_library(const char *library, char path[PATH_SIZE])
{
    static unsigned n;
    const char *of_run = rd_sim_file()->source->directory, *folder = getenv("TMPDIR");
    if (!folder || strncmp(folder, of_run, strlen(of_run)) != 0)
        folder = of_run; /* nothing contains the program */
    snprintf(path, PATH_SIZE, "%s", library);
    for (const struct CUmod_st *module = modules; module; module = module->next)
        if (strcmp(module->library, library) == 0) {
            snprintf(path, PATH_SIZE, "%.400s/loaded%u.so", folder, ++n);
            return copy_file(library, path);
        }
    return true;
}

static struct CUmod_st *open_module(const char *library)
{
    const struct rd_file_source *of_program = rd_sim_file()->source;
    struct rd_error error = {""};
    struct CUmod_st *made = calloc(1, sizeof *made);
    if (!made)
        return NULL;
    if (!find_library(library, made->library)) {
        rd_sim_runtime_lacks("a module: its library can't be copied");
        free(made);
        return NULL;
    }
    made->source = (struct rd_file_source){
        .library = made->library,
        .file = of_program->file,
        .directory = of_program->directory,
        .is_module = true,
        .restore = of_program->restore,
        .demangle = of_program->demangle,
    };
    if (rd_sim_file_add(&made->source, &made->file, &error) != RD_OK) {
        rd_sim_runtime_lacks("a module: %s", error.text);
        free(made);
        return NULL;
    }
    rd_sim_host_access_begin();
    rd_sim_file_module_kernels(made->file, add_function, made);
    made->next = modules;
    modules = made;
    return made;
}

static CUresult load(const char *library, CUmodule *module)
{
    struct CUmod_st *known = modules;
    while (known && (known->is_taken || strcmp(known->library, library) != 0))
        known = known->next;
    if (!known)
        known = open_module(library);
    if (!known)
        return CUDA_ERROR_INVALID_IMAGE;
    known->is_taken = true;
    known->context = rd_sim_context_now();
    *module = known;
    return CUDA_SUCCESS;
}

/* What an image is that is none of ours; NULL: nothing that is known. */
static const char *kind_of(const void *image)
{
    const unsigned char *bytes = image;
    static const unsigned char fatbin[] = {0x50, 0xed, 0x55, 0xba},
                               wrapped[] = {0xb1, 0x43, 0x62, 0x46};
    if (memcmp(bytes, "\177ELF", 4) == 0)
        return "a cubin";
    if (memcmp(bytes, fatbin, sizeof fatbin) == 0 || memcmp(bytes, wrapped, sizeof wrapped) == 0)
        return "a fatbin";
    return strstr(image, ".version") ? "PTX" : NULL;
}

static CUresult load_data(const struct rd_sim_host_call *call, CUmodule *module, const void *image)
{
    char library[PATH_SIZE], what[200];
    if (!module || !image)
        return CUDA_ERROR_INVALID_VALUE;
    if (is_image_of(image, library))
        return load(library, module);
    const char *kind = kind_of(image);
    if (!kind)
        return CUDA_ERROR_INVALID_IMAGE;
    snprintf(what, sizeof what, "%s as a module: give the .cu file that it was made of, too", kind);
    rd_sim_unsimulated(what, "", 0, (void *)call->place.pc);
    return CUDA_ERROR_INVALID_IMAGE;
}

static char *read_file(const char *path)
{
    enum { SIZE_MAX_READ = 1 << 20 };
    FILE *file = fopen(path, "re");
    char *text = file ? calloc(1, SIZE_MAX_READ + 1) : NULL;
    if (text && fread(text, 1, SIZE_MAX_READ, file) == 0 && ferror(file)) {
        free(text);
        text = NULL;
    }
    if (file)
        fclose(file);
    return text;
}

static CUresult load_path(const struct rd_sim_host_call *call, CUmodule *module, const char *path)
{
    const char *given = path ? rd_sim_module_image(path) : NULL;
    if (!module || !path)
        return CUDA_ERROR_INVALID_VALUE;
    char *image = read_file(given ? given : path);
    if (!image) {
        rd_sim_module_image_lacks(path);
        return CUDA_ERROR_FILE_NOT_FOUND;
    }
    const CUresult result = load_data(call, module, image);
    free(image);
    return result;
}

RD_HOOK CUresult cuModuleLoad(CUmodule *module, const char *path)
{
    RD_CU_BEGIN(cuModuleLoad, RD_CU_NEEDS_CONTEXT);
    RD_CU_END(load_path(&cu.call, module, path));
}

RD_HOOK CUresult cuModuleLoadData(CUmodule *module, const void *image)
{
    RD_CU_BEGIN(cuModuleLoadData, RD_CU_NEEDS_CONTEXT);
    RD_CU_END(load_data(&cu.call, module, image));
}

/* Ends the logs that a caller has given room for: nothing is to be said in them. */
static void end_logs(unsigned count, const CUjit_option *options, void **values)
{
    for (unsigned k = 0; options && values && k < count; k++) {
        const bool is_log =
            options[k] == CU_JIT_INFO_LOG_BUFFER || options[k] == CU_JIT_ERROR_LOG_BUFFER;
        if (is_log && values[k])
            *(char *)values[k] = '\0';
    }
}

RD_HOOK CUresult cuModuleLoadDataEx(CUmodule *module, const void *image, unsigned count,
                                    CUjit_option *options, void **values)
{
    RD_CU_BEGIN(cuModuleLoadDataEx, RD_CU_NEEDS_CONTEXT);
    end_logs(count, options, values);
    RD_CU_END(load_data(&cu.call, module, image));
}

RD_HOOK CUresult cuModuleLoadFatBinary(CUmodule *module, const void *image)
{
    RD_CU_BEGIN(cuModuleLoadFatBinary, RD_CU_NEEDS_CONTEXT);
    RD_CU_END(load_data(&cu.call, module, image));
}

RD_HOOK CUresult cuModuleUnload(CUmodule module)
{
    RD_CU_BEGIN(cuModuleUnload, RD_CU_NEEDS_CONTEXT);
    if (!is_module(module))
        RD_CU_END(CUDA_ERROR_INVALID_HANDLE);
    cudaDeviceSynchronize();
    module->unloaded = true;
    RD_CU_END(CUDA_SUCCESS);
}

/* ---- what it has ---- */

RD_HOOK CUresult cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name)
{
    RD_CU_BEGIN(cuModuleGetFunction, RD_CU_NEEDS_CONTEXT);
    if (!function || !name || !is_module(module))
        RD_CU_END(function && name ? CUDA_ERROR_INVALID_HANDLE : CUDA_ERROR_INVALID_VALUE);
    for (size_t k = 0; k < module->n_functions; k++) {
        struct CUfunc_st *found = &module->functions[k];
        if (found->kernel->thread && found->symbol && strcmp(found->symbol, name) == 0) {
            *function = found;
            RD_CU_END(CUDA_SUCCESS);
        }
    }
    RD_CU_END(CUDA_ERROR_NOT_FOUND);
}

RD_HOOK CUresult cuModuleGetGlobal(CUdeviceptr *pointer, size_t *size_bytes, CUmodule module,
                                   const char *name)
{
    uintptr_t address;
    size_t size;
    RD_CU_BEGIN(cuModuleGetGlobal, RD_CU_NEEDS_CONTEXT);
    if (!name || !is_module(module))
        RD_CU_END(name ? CUDA_ERROR_INVALID_HANDLE : CUDA_ERROR_INVALID_VALUE);
    if (!rd_sim_file_variable(module->file, name, &address, &size))
        RD_CU_END(CUDA_ERROR_NOT_FOUND);
    if (pointer)
        *pointer = address;
    if (size_bytes)
        *size_bytes = size;
    rd_sim_variable_is_asked(address);
    RD_CU_END(CUDA_SUCCESS);
}

const char *rd_sim_module_lowered(const char *library, const char *expression)
{
    struct CUmod_st *module = modules;
    while (module && strcmp(module->library, library) != 0)
        module = module->next;
    if (!module)
        module = open_module(library);
    for (size_t k = 0; module && k < module->n_functions; k++)
        if (strcmp(module->functions[k].kernel->name, expression) == 0)
            return module->functions[k].symbol;
    return NULL;
}

/* ---- linking: an image alone stays what it is ---- */

struct CUlinkState_st {
    char library[PATH_SIZE];
    char *image;
};

static CUresult link_image(const struct rd_sim_host_call *call, struct CUlinkState_st *state,
                           const char *image)
{
    char library[PATH_SIZE];
    const char *what = "linking of PTX or machine code: give the .cu file that it was made of, too";
    if (!state || !image)
        return CUDA_ERROR_INVALID_VALUE;
    if (is_image_of(image, library) && !state->library[0]) {
        memcpy(state->library, library, sizeof library);
        return CUDA_SUCCESS;
    }
    if (state->library[0])
        what = "linking of several images to one module";
    rd_sim_unsimulated(what, "", 0, (void *)call->place.pc);
    return CUDA_ERROR_INVALID_IMAGE;
}

RD_HOOK CUresult cuLinkCreate(unsigned count, CUjit_option *options, void **values,
                              CUlinkState *state)
{
    RD_CU_BEGIN(cuLinkCreate, RD_CU_NEEDS_CONTEXT);
    end_logs(count, options, values);
    if (!state)
        RD_CU_END(CUDA_ERROR_INVALID_VALUE);
    *state = calloc(1, sizeof **state);
    RD_CU_END(*state ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY);
}

RD_HOOK CUresult cuLinkAddData(CUlinkState state, CUjitInputType type, void *data,
                               size_t size_bytes, const char *name, unsigned count,
                               CUjit_option *options, void **values)
{
    (void)type, (void)size_bytes, (void)name;
    RD_CU_BEGIN(cuLinkAddData, RD_CU_NEEDS_CONTEXT);
    end_logs(count, options, values);
    RD_CU_END(link_image(&cu.call, state, data));
}

RD_HOOK CUresult cuLinkAddFile(CUlinkState state, CUjitInputType type, const char *path,
                               unsigned count, CUjit_option *options, void **values)
{
    (void)type;
    RD_CU_BEGIN(cuLinkAddFile, RD_CU_NEEDS_CONTEXT);
    end_logs(count, options, values);
    const char *given = path ? rd_sim_module_image(path) : NULL;
    char *image = path ? read_file(given ? given : path) : NULL;
    if (path && !image) {
        rd_sim_module_image_lacks(path);
        RD_CU_END(CUDA_ERROR_FILE_NOT_FOUND);
    }
    const CUresult result = link_image(&cu.call, state, image);
    free(image);
    RD_CU_END(result);
}

RD_HOOK CUresult cuLinkComplete(CUlinkState state, void **image, size_t *size_bytes)
{
    RD_CU_BEGIN(cuLinkComplete, RD_CU_NEEDS_CONTEXT);
    if (!state || !image || !state->library[0])
        RD_CU_END(CUDA_ERROR_INVALID_VALUE);
    free(state->image);
    *image = state->image = rd_sim_image_of(state->library);
    if (size_bytes && state->image)
        *size_bytes = strlen(state->image) + 1;
    RD_CU_END(state->image ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY);
}

RD_HOOK CUresult cuLinkDestroy(CUlinkState state)
{
    RD_CU_BEGIN(cuLinkDestroy, RD_CU_NEEDS_CONTEXT);
    if (!state)
        RD_CU_END(CUDA_ERROR_INVALID_VALUE);
    free(state->image);
    free(state);
    RD_CU_END(CUDA_SUCCESS);
}
