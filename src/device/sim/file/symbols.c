// SPDX-License-Identifier: MIT
/* Finds functions and variables in the libraries made of a user's files: by the name of a launch, by nvcc's, by address. */
#include "device/sim/file/file.h"
#include "device/sim/source/elf.h"
#include "device/sim/source/source.h"

#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- kernels of a program ---- */

struct function {
    const char *base; /* of its name: "k" of "n::k<float>" */
    char token[80];   /* as it stands in a mangled name: "1k" */
    uintptr_t address;
    unsigned n;
};

/* Tells whether the function that a symbol stands for has this name, "void n::k<float>(float*)". */
static bool has_name(const char *symbol, const char *base)
{
    size_t length = strlen(base);
    char *plain = rd_sim_file()->source->demangle(symbol);
    const char *whole = plain ? plain : symbol;
    bool has = false;
    for (const char *at = strstr(whole, base); at && !has; at = strstr(at + 1, base)) {
        bool begins = at == whole || at[-1] == ' ' || at[-1] == ':';
        bool is_inner =
            memchr(whole, '(', (size_t)(at - whole)) && strncmp(whole, "(anonymous", 10) != 0;
        has = begins && !is_inner &&
              (at[length] == '(' || at[length] == '<' || (!plain && at[length] == '\0'));
    }
    free(plain);
    return has;
}

static void find_function(void *self, const char *name, const Elf64_Sym *symbol)
{
    struct function *function = self;
    if (ELF64_ST_TYPE(symbol->st_info) != STT_FUNC || symbol->st_shndx == SHN_UNDEF ||
        !strstr(name, function->token) || !has_name(name, function->base))
        return;
    uintptr_t address = rd_sim_file()->base + symbol->st_value;
    function->n += address != function->address;
    function->address = address;
}

/* The name of a kernel as a launch has it, "(n::k<4>)", without its arguments: "n::k". "" for another expression, whose
 * value is a kernel. */
static void launched_name(char plain[200], const char *name)
{
    name += strspn(name, " \t\n(&");
    size_t length = 0;
    while (isalnum((unsigned char)name[length]) || (name[length] && strchr("_:$", name[length])))
        length++;
    const char *behind = name + length + strspn(name + length, " \t\n)");
    snprintf(plain, 200, "%.*s", *behind == '\0' || *behind == '<' ? (int)length : 0, name);
}

bool rd_sim_file_function(const char *name, uintptr_t *address, bool *is_only)
{
    char plain[200];
    struct function function = {.base = plain};
    launched_name(plain, name);
    *address = 0;
    *is_only = false;
    if (!plain[0])
        return false;
    for (const char *colons = plain; (colons = strstr(colons, "::")); colons += 2)
        function.base = colons + 2;
    snprintf(function.token, sizeof function.token, "%zu%s", strlen(function.base), function.base);
    rd_sim_elf_symbols_of(rd_sim_file()->source->library, find_function, &function);
    *address = function.address;
    *is_only = function.n == 1;
    return function.n > 0;
}

void rd_sim_file_parameter_name(unsigned number, char name[64])
{
    uintptr_t kernel = rd_sim_file_kernel_of(&number);
    rd_sim_source_parameter(kernel, number, name, 64);
    rd_sim_file()->source->restore(name);
}

/* ---- its variables ---- */

struct visitor {
    void (*visit)(void *self, const struct rd_file_variable *variable);
    void *self;
};

static void visit_symbol(void *self, const char *name, const Elf64_Sym *symbol)
{
    struct visitor *visitor = self;
    unsigned type = ELF64_ST_TYPE(symbol->st_info);
    struct rd_file_variable variable = {
        .symbol = name,
        .value = symbol->st_value,
        .address = rd_sim_file()->base + symbol->st_value,
        .size_bytes = symbol->st_size,
        .is_shared = type == STT_TLS,
    };
    if ((type != STT_OBJECT && type != STT_TLS) || symbol->st_shndx == SHN_UNDEF ||
        strncmp(name, "rd_check_", 9) == 0)
        return;
    variable.is_constant =
        variable.address < rd_sim_file()->data || variable.address >= rd_sim_file()->data_end;
    visitor->visit(visitor->self, &variable);
}

void rd_sim_file_variables(void (*visit)(void *self, const struct rd_file_variable *variable),
                           void *self)
{
    rd_sim_elf_symbols_of(rd_sim_file()->source->library, visit_symbol,
                          &(struct visitor){visit, self});
}

struct wanted {
    uint64_t value;
    struct rd_file_type type;
};

static void visit_type(void *self, const struct rd_sim_variable *variable)
{
    struct wanted *wanted = self;
    if (!variable->is_placed || variable->is_thread_local || variable->offset != wanted->value)
        return;
    wanted->type = (struct rd_file_type){
        .is_known = true,
        .elem_bytes = variable->elem_bytes,
        .is_array = variable->is_array,
        .is_pointer = variable->is_pointer,
        .is_boolean = variable->is_boolean,
    };
    memcpy(wanted->type.type, variable->type, sizeof wanted->type.type);
    memcpy(wanted->type.pointee, variable->pointee, sizeof wanted->type.pointee);
}

struct rd_file_type rd_sim_file_type_of(const struct rd_file_variable *variable)
{
    struct wanted wanted = {.value = variable->value};
    rd_sim_source_variables((uintptr_t)rd_sim_file()->kernel, visit_type, &wanted);
    return wanted.type;
}

/* ---- symbols of a module ---- */

enum { SYMBOL_SIZE = 512 };

/* The name that nvcc gives what is static: a variable has its own, "c" rather than "_ZL1c", a function the one that it would have
 * otherwise, "_Z1kPi" rather than "_ZL1kPi". */
static void name_of_nvcc(char name[SYMBOL_SIZE], const char *symbol, bool is_function)
{
    const char *digits = symbol + 3;
    char *own = NULL;
    snprintf(name, SYMBOL_SIZE, "%s", symbol);
    if (strncmp(symbol, "_ZL", 3) != 0 || !isdigit((unsigned char)*digits))
        return;
    const unsigned long length = strtoul(digits, &own, 10);
    if (is_function)
        snprintf(name, SYMBOL_SIZE, "_Z%s", digits);
    else if (strlen(own) == length)
        snprintf(name, SYMBOL_SIZE, "%s", own);
}

struct symbol_search {
    const struct rd_sim_file *file;
    const char *name;
    uintptr_t address;
    size_t size_bytes;
    char *found; /* of an address: its name */
};

static void match_address(void *self, const char *name, const Elf64_Sym *symbol)
{
    struct symbol_search *search = self;
    const unsigned type = ELF64_ST_TYPE(symbol->st_info);
    if (search->found || symbol->st_shndx == SHN_UNDEF ||
        (type != STT_FUNC && type != STT_OBJECT) ||
        search->file->base + symbol->st_value != search->address)
        return;
    char own[SYMBOL_SIZE];
    name_of_nvcc(own, name, type == STT_FUNC);
    search->found = strdup(own);
}

char *rd_sim_file_symbol_at(uintptr_t address)
{
    struct symbol_search search = {.file = rd_sim_file_at(address), .address = address};
    if (search.file)
        rd_sim_elf_symbols_of(search.file->source->library, match_address, &search);
    return search.found;
}

static void match_name(void *self, const char *name, const Elf64_Sym *symbol)
{
    struct symbol_search *search = self;
    char own[SYMBOL_SIZE];
    if (ELF64_ST_TYPE(symbol->st_info) != STT_OBJECT || symbol->st_shndx == SHN_UNDEF)
        return;
    name_of_nvcc(own, name, false);
    if (strcmp(own, search->name) != 0)
        return;
    search->address = search->file->base + symbol->st_value;
    search->size_bytes = symbol->st_size;
}

bool rd_sim_file_variable(const struct rd_sim_file *file, const char *name, uintptr_t *address,
                          size_t *size_bytes)
{
    struct symbol_search search = {.file = file, .name = name};
    rd_sim_elf_symbols_of(file->source->library, match_name, &search);
    *address = search.address;
    *size_bytes = search.size_bytes;
    return search.address != 0;
}

void rd_sim_file_module_kernels(const struct rd_sim_file *file,
                                void (*visit)(void *self, const void *entry), void *self)
{
    struct rd_sim_elf elf;
    if (!rd_sim_elf_init(&elf, file->source->library, false))
        return;
    const Elf64_Shdr *section = rd_sim_elf_section(&elf, "rd_check_modules");
    if (section) {
        const void *const *entries = (const void *const *)(file->base + section->sh_addr);
        for (size_t k = 0; k < section->sh_size / sizeof *entries; k++)
            visit(self, entries[k]);
    }
    rd_sim_elf_finish(&elf);
}
