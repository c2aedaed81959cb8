// SPDX-License-Identifier: MIT
#include "check/program/namesakes.h"
#include "base/array.h"
#include "check/source/lexer.h"
#include "check/program/object_names.h"
#include "check/source/kernel_names.h"
#include "check/unit/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Behind the name of a function that is its file's own, and a number: no name of C++ has a dot. */
#define OWN_MARK ".rd_own"

struct definition {
    const char *name;
    unsigned object;
    size_t symbol;
    bool is_inline; /* or of a template: each file that calls it has it */
    bool is_strong;
    bool is_of_device, is_kernel; /* and not the host's */
    bool is_parted, keeps_alias;
};

struct namesakes {
    const struct rd_check_object *objects;
    struct rd_check_object_names *names; /* of each */
    unsigned n;
    struct definition *all;
    size_t n_all, capacity;
};

/* ---- what a function is ---- */

/* The name alone in "float n::f<int>(float)": f. */
static const char *base_name(const char *plain, size_t *length)
{
    const char *base = plain;
    int depth = 0;
    *length = 0;
    for (const char *at = plain; *at && !(*at == '(' && depth == 0);) {
        size_t n = 0;
        while (rd_lexer_is_letter(at[n]))
            n++;
        if (n > 0 && depth == 0) {
            base = at;
            *length = n;
            if (rd_lexer_is(at, n, "operator"))
                return base;
        }
        depth += (*at == '<' || *at == '[') - ((*at == '>' || *at == ']') && depth > 0);
        at += n > 0 ? n : 1;
    }
    return base;
}

/* The file's text says for which side a function is. */
static void look_for_sides(struct definition *one, const struct rd_check_unit *unit)
{
    char *plain = rd_check_demangle(one->name);
    size_t length;
    const char *base = base_name(plain ? plain : one->name, &length);
    bool of_device = false, of_host = false;
    for (size_t k = 0; k <= unit->includes.n; k++) {
        const struct rd_check_functions *functions =
            k == 0 ? &unit->functions : &unit->includes.all[k - 1].functions;
        for (size_t i = 0; i < functions->n; i++) {
            const struct rd_check_function *function = &functions->all[i];
            if (function->name_length != length || strncmp(function->name, base, length) != 0)
                continue;
            of_host = of_host || function->is_host;
            of_device = of_device || function->is_device;
            one->is_kernel = one->is_kernel || function->is_kernel;
        }
    }
    one->is_of_device = of_device && !of_host && !unit->is_of_host;
    free(plain);
}

/* ---- what the objects define ---- */

static bool is_table_of_functions(const char *name)
{
    return strncmp(name, "_ZTV", 4) == 0 || strncmp(name, "_ZTT", 4) == 0 ||
           strncmp(name, "_ZTC", 4) == 0;
}

static bool collect_definitions(struct namesakes *namesakes, unsigned object)
{
    const struct rd_check_object_names *names = &namesakes->names[object];
    for (size_t k = 0; k < names->n_symbols; k++) {
        const Elf64_Sym *symbol = &names->symbols[k];
        const unsigned binding = ELF64_ST_BIND(symbol->st_info);
        const char *name = rd_check_object_names_of(names, k);
        if ((binding != STB_GLOBAL && binding != STB_WEAK) || symbol->st_shndx == SHN_UNDEF ||
            symbol->st_shndx >= names->n_sections ||
            (ELF64_ST_TYPE(symbol->st_info) != STT_FUNC && !is_table_of_functions(name)))
            continue;
        if (!rd_array_make_room(&namesakes->all, namesakes->n_all, &namesakes->capacity,
                                sizeof *namesakes->all))
            return false;
        namesakes->all[namesakes->n_all++] = (struct definition){
            .name = name,
            .object = object,
            .symbol = k,
            .is_inline = binding == STB_WEAK && names->is_of_group[symbol->st_shndx],
            .is_strong = binding == STB_GLOBAL,
        };
    }
    return true;
}

static int compare_names(const void *a, const void *b)
{
    const struct definition *one = a, *other = b;
    const int order = strcmp(one->name, other->name);
    return order ? order : (one->object > other->object) - (one->object < other->object);
}

/* ---- which are parted ---- */

/* Says which of those of one name get another, and by which others find them: a file that only declares the function means the
 * host's, if there is one. */
static void decide_parts(const struct namesakes *namesakes, struct definition *first, size_t n)
{
    size_t n_host = 0, n_left = 0, n_strong = 0;
    for (size_t k = 0; k < n; k++) {
        struct definition *one = &first[k];
        const struct rd_check_unit *unit = namesakes->objects[one->object].unit;
        look_for_sides(one, unit);
        one->is_parted = !one->is_kernel && ((one->is_inline && !unit->is_of_host) ||
                                             (one->is_strong && one->is_of_device));
        n_host += !one->is_of_device;
        n_left += !one->is_parted;
        n_strong += one->is_parted && one->is_strong;
    }
    for (size_t k = 0; k < n; k++)
        first[k].keeps_alias = first[k].is_parted && n_left == 0 &&
                               (n_host > 0     ? !first[k].is_of_device
                                : n_strong > 0 ? first[k].is_strong && n_strong == 1
                                               : true);
}

/* Tells whether a text declares a function of this name for the device. */
static bool declares_for_device(const char *text, const char *base, size_t base_length)
{
    size_t length;
    for (const char *word = rd_lexer_word(text, &length); word;
         word = rd_lexer_word(word + length, &length)) {
        if (!rd_lexer_is(word, length, "__device__"))
            continue;
        const char *end = word + length;
        while (*end && !strchr(";{}(=", *end))
            end++;
        for (const char *at = word + length; at < end; at++) {
            if (!rd_lexer_is_letter(*at) || rd_lexer_is_letter(at[-1]))
                continue;
            if (strncmp(at, base, base_length) == 0 && !rd_lexer_is_letter(at[base_length]))
                return true;
        }
    }
    return false;
}

static bool lacks_symbol(const struct rd_check_object_names *names, const char *name)
{
    for (size_t k = 0; k < names->n_symbols; k++)
        if (names->symbols[k].st_shndx == SHN_UNDEF &&
            strcmp(rd_check_object_names_of(names, k), name) == 0)
            return true;
    return false;
}

/* Refuses a function of the device that a third file calls: by its name that one finds another, or none. */
static enum rd_status refuse_doubt(const struct namesakes *namesakes, const struct definition *one,
                                   struct rd_error *error)
{
    enum rd_status status = RD_OK;
    char *plain = rd_check_demangle(one->name);
    const char *name = plain ? plain : one->name;
    size_t length;
    const char *base = base_name(name, &length);
    for (unsigned k = 0; k < namesakes->n && status == RD_OK; k++) {
        const struct rd_check_unit *unit = namesakes->objects[k].unit;
        bool is_said = !unit->is_of_host && lacks_symbol(&namesakes->names[k], one->name) &&
                       declares_for_device(unit->text, base, length);
        for (size_t i = 0; i < unit->includes.n && !unit->is_of_host && !is_said; i++)
            is_said = lacks_symbol(&namesakes->names[k], one->name) &&
                      declares_for_device(unit->includes.all[i].text, base, length);
        if (is_said)
            status = rd_fail(error, RD_ERROR_INPUT,
                             "'%s' uses '%.200s' of the device, which '%s' has, and another file "
                             "has a function of that name, too: give one of both another name",
                             unit->options->file, name,
                             namesakes->objects[one->object].unit->options->file);
    }
    free(plain);
    return status;
}

/* ---- other names ---- */

static bool rename_symbol(struct namesakes *namesakes, unsigned object, size_t symbol,
                          bool keeps_alias)
{
    char *name = NULL;
    struct rd_check_object_names *names = &namesakes->names[object];
    if (asprintf(&name, "%s" OWN_MARK "%u", rd_check_object_names_of(names, symbol), object) < 0)
        return false;
    const bool done = rd_check_object_names_change(names, symbol, name, keeps_alias);
    free(name);
    return done;
}

/* Tells whether a symbol is a static variable of the function: _ZZ1fiE1x of _Z1fi; or the guard of one. */
static bool is_static_of(const char *name, const char *function)
{
    const size_t start = strncmp(name, "_ZGVZ", 5) == 0 ? 5 : strncmp(name, "_ZZ", 3) == 0 ? 3 : 0;
    if (start == 0 || strncmp(function, "_Z", 2) != 0)
        return false;
    const size_t length = strlen(function + 2);
    return strncmp(name + start, function + 2, length) == 0 && name[start + length] == 'E';
}

/* The static variables of a device's function are its file's, too. */
static bool part_statics(struct namesakes *namesakes, const struct definition *one)
{
    struct rd_check_object_names *names = &namesakes->names[one->object];
    bool done = true;
    for (size_t k = 0; k < names->n_symbols && done; k++) {
        const Elf64_Sym *symbol = &names->symbols[k];
        const unsigned type = ELF64_ST_TYPE(symbol->st_info);
        if (ELF64_ST_BIND(symbol->st_info) != STB_LOCAL && symbol->st_shndx != SHN_UNDEF &&
            (type == STT_OBJECT || type == STT_TLS) &&
            symbol->st_name < names->sections[names->table->sh_link].sh_size &&
            is_static_of(rd_check_object_names_of(names, k), one->name))
            done = rename_symbol(namesakes, one->object, k, false);
    }
    return done;
}

static enum rd_status part_group(struct namesakes *namesakes, struct definition *first, size_t n,
                                 struct rd_error *error)
{
    enum rd_status status = RD_OK;
    decide_parts(namesakes, first, n);
    for (size_t k = 0; k < n && status == RD_OK; k++) {
        const struct definition *one = &first[k];
        if (!one->is_parted)
            continue;
        if (one->is_strong && !one->keeps_alias)
            status = refuse_doubt(namesakes, one, error);
        if (status == RD_OK &&
            (!rename_symbol(namesakes, one->object, one->symbol, one->keeps_alias) ||
             (one->is_of_device && one->is_inline && !part_statics(namesakes, one))))
            status = rd_fail(error, RD_ERROR_MEMORY, "no memory for the names of functions");
    }
    return status;
}

static enum rd_status part_all(struct namesakes *namesakes, struct rd_error *error)
{
    enum rd_status status = RD_OK;
    for (unsigned k = 0; k < namesakes->n; k++)
        if (!collect_definitions(namesakes, k))
            return rd_fail(error, RD_ERROR_MEMORY, "no memory for the names of functions");
    if (namesakes->n_all > 1)
        qsort(namesakes->all, namesakes->n_all, sizeof *namesakes->all, compare_names);
    for (size_t from = 0, to; from < namesakes->n_all && status == RD_OK; from = to) {
        for (to = from + 1; to < namesakes->n_all; to++)
            if (strcmp(namesakes->all[from].name, namesakes->all[to].name) != 0)
                break;
        if (to - from > 1)
            status = part_group(namesakes, &namesakes->all[from], to - from, error);
    }
    for (unsigned k = 0; k < namesakes->n && status == RD_OK; k++)
        status = rd_check_object_names_write(&namesakes->names[k], error);
    return status;
}

enum rd_status rd_check_namesakes_part(const struct rd_check_object *objects, unsigned n,
                                       struct rd_error *error)
{
    struct namesakes namesakes = {.objects = objects, .names = calloc(n, sizeof *namesakes.names)};
    enum rd_status status =
        namesakes.names ? RD_OK
                        : rd_fail(error, RD_ERROR_MEMORY, "no memory for the names of objects");
    while (namesakes.n < n && status == RD_OK) {
        status = rd_check_object_names_init(&namesakes.names[namesakes.n],
                                            objects[namesakes.n].path, error);
        namesakes.n += status == RD_OK;
    }
    if (status == RD_OK)
        status = part_all(&namesakes, error);
    for (unsigned k = 0; k < namesakes.n; k++)
        rd_check_object_names_finish(&namesakes.names[k]);
    free(namesakes.names);
    free(namesakes.all);
    return status;
}

enum rd_status rd_check_namesakes_restore(const char *library, struct rd_error *error)
{
    struct rd_check_object_names names;
    enum rd_status status = rd_check_object_names_init(&names, library, error);
    if (status != RD_OK)
        return status;
    rd_check_object_names_cut(&names, OWN_MARK);
    status = rd_check_object_names_write(&names, error);
    rd_check_object_names_finish(&names);
    return status;
}
