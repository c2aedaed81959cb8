// SPDX-License-Identifier: MIT
/* Loads the library made of a user's file, and the modules of its program. What stands in them: symbols.c. */
#include "device/sim/file/file.h"
#include "device/sim/source/elf.h"
#include "device/sim/source/source.h"
#include "device/sim/memory/memory.h"

#include <ctype.h>
#include <dlfcn.h>
#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the loaded file ---- */

/* The file of this process, and behind it the modules that its program has loaded. */
enum { FILES_MAX = 256, PREFIX_SIZE = 512 };
static struct rd_sim_file files[FILES_MAX];
static size_t n_files;
static struct rd_sim_file *now = files; /* whose shared memory is in use */

/* The range of the loaded file. */
struct place {
    uintptr_t base;           /* what its symbols' values are relative to */
    uintptr_t start, end;     /* all of it */
    uintptr_t data, data_end; /* what can be written, */
    uintptr_t code, code_end; /* and what can be run */
    uintptr_t tls; /* this thread's instance of its thread-local segment: shared memory */
    size_t tls_bytes;
    uintptr_t dynamic; /* dynamic shared memory, in it */
    const char *library;
    uintptr_t kernel;
    char own[PREFIX_SIZE];       /* what the symbols of the kernel's own variables start with */
    char (*others)[PREFIX_SIZE]; /* and those of all other kernels: no memory of this launch */
    size_t n_others;
    size_t static_bytes;              /* of those */
    bool is_again;                    /* only shared memory is to be looked at */
    char dynamic_name[64];            /* of the extern shared variables, if all have one name */
    bool dynamic_names;               /* they have several */
    struct rd_sim_file_dynamic *told; /* of them, what the debug information says */
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
        if (segment->p_flags & PF_X) {
            place->code = start;
            place->code_end = end;
        }
        if (segment->p_flags & PF_W) {
            place->data = start;
            place->data_end = end;
        }
    }
    return 1;
}

const char rd_sim_guard_name[] = "a guard";

/* "k<float>(float*)::s": what stands behind the last "::". */
static void plain_name(const char *name, char *plain, size_t size)
{
    char *whole = now->source->demangle(name);
    const char *last = whole ? whole : name;
    for (const char *at = last; (at = strstr(at, "::")); at += 2)
        last = at + 2;
    rd_sim_plain_name(plain, size, last);
    now->source->restore(plain);
    free(whole);
}

static void add_dynamic_name(struct place *place, const char *name)
{
    if (strcmp(name, "rd_check_dynamic") == 0 || strcmp(name, place->dynamic_name) == 0)
        return;
    if (place->dynamic_name[0])
        place->dynamic_names = true;
    snprintf(place->dynamic_name, sizeof place->dynamic_name, "%s", name);
}

static bool is_of_another(const struct place *place, const char *name)
{
    for (size_t k = 0; k < place->n_others; k++)
        if (strncmp(name, place->others[k], strlen(place->others[k])) == 0)
            return strcmp(place->others[k], place->own) != 0;
    return false;
}

static void visit_variable_symbol(void *self, const char *name, const Elf64_Sym *symbol)
{
    struct place *place = self;
    char plain[64];
    unsigned type = ELF64_ST_TYPE(symbol->st_info);
    if (symbol->st_shndx == SHN_UNDEF)
        return;
    plain_name(name, plain, sizeof plain);
    if (strncmp(name, "_ZGV", 4) == 0)
        snprintf(plain, sizeof plain, "%s", rd_sim_guard_name);
    if (type == STT_TLS && place->tls + symbol->st_value == place->dynamic)
        add_dynamic_name(place, plain);
    if (symbol->st_size == 0)
        return;
    if (type == STT_TLS && is_of_another(place, name))
        return;
    if (type == STT_TLS && place->own[0] && strncmp(name, place->own, strlen(place->own)) == 0)
        place->static_bytes += symbol->st_size;
    if (type == STT_TLS) {
        rd_sim_shared_variable(place->tls + symbol->st_value, symbol->st_size, plain);
    } else if (type == STT_OBJECT && !place->is_again) {
        uintptr_t address = place->base + symbol->st_value;
        if (address >= place->data && address < place->data_end)
            rd_sim_module_variable(address, symbol->st_size, plain);
    }
}

/* The type of each variable. Of dynamic shared memory, which a file may give several names, the
 * kernel's own declaration tells, or else that of the only name. */
static void visit_variable(void *self, const struct rd_sim_variable *variable)
{
    struct place *place = self;
    uintptr_t base = (variable->is_thread_local ? place->tls : place->base) + variable->offset;
    if (place->is_again && variable->is_placed && !variable->is_thread_local)
        return;
    if (variable->is_placed) {
        rd_sim_array_typed(base, variable);
        return;
    }
    if (!variable->is_extern)
        return;
    char name[sizeof place->dynamic_name];
    snprintf(name, sizeof name, "%s", variable->name);
    now->source->restore(name);
    if (variable->in_function) {
        memcpy(place->dynamic_name, name, sizeof name);
        place->dynamic_names = false;
    }
    if (place->dynamic_names || strcmp(name, place->dynamic_name) != 0)
        return;
    memcpy(place->told->name, name, sizeof name);
    place->told->variable = *variable;
}

/* The variable s of a function _Z1kPi is _ZZ1kPiE1s: Itanium C++ ABI, "Scope Encoding". */
static void set_prefix(char prefix[PREFIX_SIZE], const char *function)
{
    int length = strncmp(function, "_Z", 2) == 0
                     ? snprintf(prefix, PREFIX_SIZE, "_Z%sE", function + 1)
                     : snprintf(prefix, PREFIX_SIZE, "_ZZ%zu%sE", strlen(function), function);
    if (length >= PREFIX_SIZE)
        prefix[0] = '\0';
}

static void visit_function(void *self, const char *symbol, const Elf64_Sym *entry)
{
    struct place *place = self;
    if (ELF64_ST_TYPE(entry->st_info) == STT_FUNC && place->base + entry->st_value == place->kernel)
        set_prefix(place->own, symbol);
}

static void visit_kernel(void *self, const char *symbol)
{
    struct place *place = self;
    void *grown = realloc(place->others, (place->n_others + 1) * sizeof *place->others);
    if (!grown)
        return; /* its variables are then taken for this kernel's neighbours */
    place->others = grown;
    set_prefix(place->others[place->n_others], symbol);
    place->n_others += place->others[place->n_others][0] != '\0';
}

#ifdef __x86_64__
enum { NOP_BYTES = 1 };
#else
enum { NOP_BYTES = 4 };
#endif
enum { THREADS_MAX = 1024 };

/* Instructions that do nothing, one as the other; rather than another kernel, which has a bound. */
static bool are_alike(uintptr_t start, size_t size)
{
    const unsigned char *bytes = (const unsigned char *)start;
    for (size_t k = NOP_BYTES; k < size; k++)
        if (bytes[k] != bytes[k - NOP_BYTES])
            return false;
    return true;
}

/* The kernel's __launch_bounds__, of include/reductio_cuda.hpp: its function begins so many instructions
 * behind a place that stands in this section. */
static unsigned find_bound(const char *library, const struct place *place)
{
    struct rd_sim_elf elf;
    unsigned bound = 0;
    if (!rd_sim_elf_init(&elf, library, false))
        return 0;
    const Elf64_Shdr *section = rd_sim_elf_section(&elf, "__patchable_function_entries");
    if (section) {
        const uintptr_t *starts = (const uintptr_t *)(place->base + section->sh_addr);
        for (size_t k = 0; k < section->sh_size / sizeof *starts; k++) {
            uintptr_t before = place->kernel - starts[k];
            if (before > 0 && before <= THREADS_MAX * NOP_BYTES && (bound == 0 || before < bound))
                bound = (unsigned)before;
        }
    }
    rd_sim_elf_finish(&elf);
    return are_alike(place->kernel - bound, bound) ? bound / NOP_BYTES : 0;
}

struct rd_sim_file *rd_sim_file(void)
{
    return now;
}

const struct rd_sim_file *rd_sim_file_program(void)
{
    return files;
}

/* Finds the constructors that the loader was not told of. */
static void find_constructors(const char *library, uintptr_t base)
{
    struct rd_sim_elf elf;
    if (!rd_sim_elf_init(&elf, library, false))
        return;
    const Elf64_Shdr *section = rd_sim_elf_section(&elf, ".init_array");
    const Elf64_Dyn *size = rd_sim_elf_dynamic(&elf, DT_INIT_ARRAYSZ);
    if (section && size && size->d_un.d_val == 0) {
        now->constructors =
            (void (**)(int argc, char **argv, char **environment))(base + section->sh_addr);
        now->n_constructors = section->sh_size / sizeof *now->constructors;
    }
    rd_sim_elf_finish(&elf);
}

/* Finds what the loaded file is run by: its kernel, or its main function. */
static enum rd_status find_entry(struct rd_file *file, struct rd_error *error)
{
    if (now->source->is_program) {
        *(void **)&now->main = dlsym(now->handle, "rd_check_main");
        now->kernel = *(void **)&now->main;
        return now->main ? RD_OK
                         : rd_fail(error, RD_ERROR_INPUT, "the compiled program has no main()");
    }
    if (now->source->is_module)
        return RD_OK;
    unsigned (*describe)(const struct rd_file_parameter **, void **);
    *(void **)&describe = dlsym(now->handle, "rd_check_describe");
    *(void **)&now->thread = dlsym(now->handle, "rd_check_thread");
    if (!describe || !now->thread)
        return rd_fail(error, RD_ERROR_INPUT, "the compiled file has no kernel");
    file->n_parameters = describe(&file->parameters, &now->kernel);
    return RD_OK;
}

static enum rd_status fail_to_load(const char *why, struct rd_error *error)
{
    if (strstr(why, RD_FILE_ABSENT_LIBRARY_SUFFIX)) /* it is all addresses */
        return rd_fail(error, RD_ERROR_MEMORY,
                       "no addresses for variables that no file that was given, and no library, "
                       "defines");
    return rd_fail(error, RD_ERROR_INPUT, "the compiled file can't be loaded: %s", why);
}

enum rd_status rd_sim_file_load(const struct rd_file_source *source, struct rd_error *error)
{
    const char *library = source->library;
    const struct rd_sim_asked asked = rd_sim_file_asks(library);
    now->source = source;
    const bool runs = source->is_program || source->is_module;
    now->may_communicate = asked.any_communicates;
    now->may_be_exact = asked.any_exact;
    now->reads_elsewhere = asked.any_elsewhere;
    now->makes_streams = asked.any_stream;
    if (asked.nowhere[0])
        return rd_fail(error, RD_ERROR_INPUT,
                       "no file that was given, and no library, defines '%s'", asked.nowhere);
    /* A program may name functions that nobody has, as long as it does not call them. */
    now->handle = dlopen(library, (runs ? RTLD_LAZY : RTLD_NOW) | RTLD_LOCAL);
    if (!now->handle)
        return fail_to_load(dlerror(), error);
    if (!rd_sim_absent_add_variables(now->handle))
        return rd_fail(error, RD_ERROR_MEMORY,
                       "the memory of variables that nothing defines can't be closed");
    struct rd_file *file = &now->file;
    enum rd_status status = find_entry(file, error);
    if (status != RD_OK)
        return status;

    struct place place = {
        .library = library,
        .kernel = (uintptr_t)now->kernel,
        .told = &now->dynamic,
    };
    /* Asking for its address makes this thread's instance of the segment. */
    place.dynamic = (uintptr_t)dlsym(now->handle, "rd_check_dynamic");
    dl_iterate_phdr(find, &place);
    if (!place.tls || !place.dynamic || !place.data)
        return rd_fail(error, RD_ERROR_INPUT, "the compiled file has no shared memory");
    if (source->is_module)
        now->kernel = (void *)(place.kernel = place.code);
    status = rd_sim_shared_set(place.tls, place.tls_bytes, error);
    if (status == RD_OK)
        status = source->is_module
                     ? rd_sim_module_add(place.data, place.data_end - place.data, error)
                     : rd_sim_module_set(place.data, place.data_end - place.data, error);
    if (status != RD_OK)
        return status;
    if (source->is_module) {
        rd_sim_source_changed();
        rd_sim_layouts_close();
    }
    now->base = place.base;
    if (source->is_program)
        find_constructors(library, place.base);
    now->data = place.data;
    now->data_end = place.data_end;
    now->code = place.code;
    now->code_end = place.code_end;
    rd_sim_layouts_set_file((uintptr_t)now->kernel);
    now->start = place.start;
    now->end = place.end;
    rd_sim_constants_set(place.start, place.end);
    rd_sim_elf_symbols_of(library, visit_function, &place);
    const unsigned *inside = dlsym(now->handle, "rd_check_launches_inside");
    const char *const *host_sets = dlsym(now->handle, "rd_check_host_sets");
    file->host_sets = host_sets ? *host_sets : "";
    const unsigned *returns = dlsym(now->handle, "rd_check_tells_returns");
    now->tells_returns = (returns && *returns) || source->is_module;
    if (!runs && (!inside || *inside == 0))
        rd_sim_object_kernels(library, visit_kernel, &place);
    rd_sim_elf_symbols_of(library, visit_variable_symbol, &place);
    if (runs)
        rd_sim_file_tell_owners(now);
    free(place.others);
    file->static_bytes = place.static_bytes;
    file->threads_max = find_bound(library, &place);
    *(void **)&now->step_parameter = dlsym(now->handle, "rd_check_step_parameter");
    void *(*step_kernel)(unsigned step);
    *(void **)&step_kernel = dlsym(now->handle, "rd_check_step_kernel");
    unsigned (*step_first)(unsigned step);
    *(void **)&step_first = dlsym(now->handle, "rd_check_step_first");
    for (void *kernel; step_kernel && step_first && file->n_steps < RD_FILE_STEPS_MAX &&
                       (kernel = step_kernel(file->n_steps));) {
        struct place of_step = place;
        file->steps_first[file->n_steps] = step_first(file->n_steps);
        of_step.kernel = (uintptr_t)kernel;
        file->steps_threads_max[file->n_steps++] = find_bound(library, &of_step);
    }
    file->multiplies_and_adds =
        rd_sim_object_multiplies_and_adds(library, place.base, place.kernel);
    const unsigned *n_launches = dlsym(now->handle, "rd_check_launches");
    file->n_launches = n_launches ? *n_launches : 0;
    file->asks_for_shared = dlsym(now->handle, "rd_check_asks_for_shared");
    now->dynamic.base = place.dynamic;
    now->dynamic.is_declared = place.dynamic_name[0] != '\0';
    bool has_several = place.dynamic_names;
    rd_sim_source_variables((uintptr_t)now->kernel, visit_variable, &place);
    if (place.dynamic_name[0] && !place.dynamic_names)
        memcpy(now->dynamic.name, place.dynamic_name, sizeof now->dynamic.name);
    rd_sim_file_set_shared(source->shared_bytes);
    if (has_several) /* another kernel has another one */
        now->dynamic = (struct rd_sim_file_dynamic){.base = now->dynamic.base, .is_declared = true};
    return RD_OK;
}

/* ---- modules ---- */

enum rd_status rd_sim_file_add(const struct rd_file_source *source, struct rd_sim_file **added,
                               struct rd_error *error)
{
    struct rd_sim_file *before = now;
    if (n_files == 0)
        n_files = 1; /* that of the program */
    if (n_files == FILES_MAX)
        return rd_fail(error, RD_ERROR_MEMORY, "no more than %d modules can be loaded",
                       FILES_MAX - 1);
    now = &files[n_files];
    *now = (struct rd_sim_file){.source = source};
    const enum rd_status status = rd_sim_file_load(source, error);
    if (status == RD_OK) {
        *added = now;
        n_files++;
        return RD_OK;
    }
    now = before;
    rd_sim_file_enter_again();
    return status;
}

bool rd_sim_file_is_only(void)
{
    return n_files <= 1;
}

static bool has_code(const struct rd_sim_file *file, uintptr_t pc)
{
    return pc >= file->code && pc < file->code_end;
}

bool rd_sim_file_has_code(uintptr_t pc)
{
    for (size_t k = 0; k < (n_files ? n_files : 1); k++)
        if (has_code(&files[k], pc))
            return true;
    return false;
}

void rd_sim_file_enter_again(void)
{
    struct rd_error error;
    struct place place = {
        .library = now->source->library,
        .kernel = (uintptr_t)now->kernel,
        .told = &now->dynamic,
        .is_again = true,
    };
    place.dynamic = (uintptr_t)dlsym(now->handle, "rd_check_dynamic");
    dl_iterate_phdr(find, &place);
    if (rd_sim_shared_set(place.tls, place.tls_bytes, &error) != RD_OK)
        return;
    rd_sim_constants_set(now->start, now->end);
    rd_sim_layouts_set_file((uintptr_t)now->kernel);
    rd_sim_elf_symbols_of(place.library, visit_variable_symbol, &place);
    now->dynamic.base = place.dynamic;
    rd_sim_source_variables((uintptr_t)now->kernel, visit_variable, &place);
}

/* The file whose code is there; that in use, where it is none's. */
static struct rd_sim_file *file_of(uintptr_t pc)
{
    for (size_t k = 0; k < n_files; k++)
        if (has_code(&files[k], pc))
            return &files[k];
    return now;
}

const struct rd_sim_file *rd_sim_file_at(uintptr_t address)
{
    for (size_t k = 0; k < (n_files ? n_files : 1); k++)
        if (address >= files[k].start && address < files[k].end)
            return &files[k];
    return NULL;
}

void rd_sim_file_enter(uintptr_t pc)
{
    struct rd_sim_file *file = file_of(pc);
    if (file == now)
        return;
    now = file;
    rd_sim_file_enter_again();
}

/* Shared memory is that of the thread of the host's that launches. */
static void follow_thread(void)
{
    uintptr_t here = (uintptr_t)dlsym(now->handle, "rd_check_dynamic");
    if ((!now->source->is_program && !now->source->is_module) || here == now->dynamic.base)
        return;
    rd_sim_shared_move((intptr_t)(here - now->dynamic.base));
    now->dynamic.base = here;
}

void rd_sim_file_set_shared(size_t shared_bytes)
{
    const struct rd_sim_file_dynamic *dynamic = &now->dynamic;
    follow_thread();
    rd_sim_shared_dynamic(dynamic->base, shared_bytes);
    if (shared_bytes == 0 && dynamic->is_declared)
        rd_sim_shared_missing(dynamic->base);
    rd_sim_array_typed(dynamic->base, &dynamic->variable);
    if (dynamic->name[0])
        rd_sim_array_named(dynamic->base, dynamic->name);
}

uintptr_t rd_sim_file_kernel_of(unsigned *number)
{
    return (uintptr_t)(now->step_parameter ? now->step_parameter(*number, number) : now->kernel);
}

/* ---- limits of kernels, and names ---- */

static void add_static(void *self, const char *name, const Elf64_Sym *symbol)
{
    struct place *place = self;
    if (ELF64_ST_TYPE(symbol->st_info) == STT_TLS && place->own[0] &&
        strncmp(name, place->own, strlen(place->own)) == 0)
        place->static_bytes += symbol->st_size;
}

void rd_sim_file_limits(uintptr_t kernel, size_t *static_bytes, unsigned *threads_max)
{
    const struct rd_sim_file *file = file_of(kernel);
    const char *library = file->source->library;
    struct place place = {.base = file->base, .kernel = kernel};
    rd_sim_elf_symbols_of(library, visit_function, &place);
    rd_sim_elf_symbols_of(library, add_static, &place);
    *static_bytes = place.static_bytes;
    *threads_max = find_bound(library, &place);
}
