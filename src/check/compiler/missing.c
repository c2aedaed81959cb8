// SPDX-License-Identifier: MIT
/* Functions and variables that a user's files use and that nothing defines: those of other files of the program, and
 * of libraries. */
#include "check/compiler/compiler_internal.h"
#include "check/options.h"
#include "check/source/rewrite.h"
#include "check/source/kernel_names.h"

#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- objects ---- */

struct object {
    char *bytes;
    size_t size;
};

static struct object read_object(const char *path)
{
    struct object object = {NULL, 0};
    FILE *file = fopen(path, "r");
    if (file && fseek(file, 0, SEEK_END) == 0) {
        long size = ftell(file);
        rewind(file);
        object.bytes = size > (long)sizeof(Elf64_Ehdr) ? malloc((size_t)size) : NULL;
        object.size = object.bytes ? fread(object.bytes, 1, (size_t)size, file) : 0;
    }
    if (file)
        fclose(file);
    return object;
}

static bool is_call(unsigned long type)
{
#ifdef __x86_64__
    return type == R_X86_64_PLT32;
#else
    return type == R_AARCH64_CALL26 || type == R_AARCH64_JUMP26;
#endif
}

/* Tells whether the object takes an address of the symbol, rather than only call it: then it may be a variable. The object is
 * the compiler's own. */
static bool takes_address(const struct object *object, const char *name)
{
    const Elf64_Ehdr *head = (const Elf64_Ehdr *)object->bytes;
    const Elf64_Shdr *sections = (const Elf64_Shdr *)(object->bytes + head->e_shoff);
    for (unsigned k = 0; k < head->e_shnum; k++) {
        if (sections[k].sh_type != SHT_RELA)
            continue;
        const Elf64_Shdr *symbols = &sections[sections[k].sh_link];
        const char *names = object->bytes + sections[symbols->sh_link].sh_offset;
        const Elf64_Rela *all = (const Elf64_Rela *)(object->bytes + sections[k].sh_offset);
        if (!(sections[sections[k].sh_info].sh_flags & SHF_ALLOC))
            continue; /* debug information */
        for (size_t r = 0; r < sections[k].sh_size / sizeof *all; r++) {
            const Elf64_Sym *symbol = (const Elf64_Sym *)(object->bytes + symbols->sh_offset) +
                                      ELF64_R_SYM(all[r].r_info);
            if (symbol->st_shndx == SHN_UNDEF && strcmp(names + symbol->st_name, name) == 0 &&
                !is_call(ELF64_R_TYPE(all[r].r_info)))
                return true;
        }
    }
    return false;
}

static bool is_function(const struct object *objects, unsigned n_objects, const char *name)
{
    for (unsigned k = 0; k < n_objects; k++)
        if (objects[k].size > 0 && takes_address(&objects[k], name))
            return false;
    return true;
}

/* ---- names of C ---- */

/* Finds a symbol whose name begins with a text, or is that text: of the functions that the object defines, or of those that it lacks.
 * "" where there is none. The name is the object's. */
static const char *find_symbol(const struct object *object, const char *text, bool whole,
                               bool is_defined)
{
    const Elf64_Ehdr *head = (const Elf64_Ehdr *)object->bytes;
    if (object->size == 0)
        return "";
    const Elf64_Shdr *sections = (const Elf64_Shdr *)(object->bytes + head->e_shoff);
    for (unsigned k = 0; k < head->e_shnum; k++) {
        if (sections[k].sh_type != SHT_SYMTAB)
            continue;
        const char *names = object->bytes + sections[sections[k].sh_link].sh_offset;
        const Elf64_Sym *all = (const Elf64_Sym *)(object->bytes + sections[k].sh_offset);
        for (size_t n = 0; n < sections[k].sh_size / sizeof *all; n++) {
            const char *name = names + all[n].st_name;
            if ((all[n].st_shndx != SHN_UNDEF) == is_defined &&
                (whole ? strcmp(name, text) : strncmp(name, text, strlen(text))) == 0)
                return name;
        }
    }
    return "";
}

static bool is_of_c(const struct object *object)
{
    return *find_symbol(object, RD_CHECK_OF_C, false, true) != '\0';
}

/* Returns the name that an object defines a missing function by: the files of C are compiled as C++, so that "f" may be there as
 * "_Z1fPfi", and what they call as "_Z1gv" as "g". "" where there is none. */
static const char *other_name(const struct object *objects, unsigned n_objects, const char *name)
{
    char text[300];
    const char *found = "";
    char *end = NULL;
    const bool is_mangled = strncmp(name, "_Z", 2) == 0;
    const unsigned long length = is_mangled ? strtoul(name + 2, &end, 10) : strlen(name);
    if (length == 0 || length > 200 || (is_mangled && strlen(end) < length))
        return "";
    if (is_mangled)
        snprintf(text, sizeof text, "%.*s", (int)length, end);
    else
        snprintf(text, sizeof text, "_Z%lu%s", length, name);
    bool wanted = !is_mangled;
    for (unsigned k = 0; k < n_objects && is_mangled; k++)
        wanted = wanted || (is_of_c(&objects[k]) && *find_symbol(&objects[k], name, true, false));
    for (unsigned k = 0; k < n_objects && wanted && !*found; k++)
        if (is_mangled || is_of_c(&objects[k]))
            found = find_symbol(&objects[k], text, is_mangled, true);
    return found;
}

static void write_jump(FILE *file, const char *name, const char *to)
{
#ifdef __x86_64__
    static const char jump[] = "jmp %s@PLT";
#else
    static const char jump[] = "b %s";
#endif
    fprintf(file, "__asm__(\".text\\n.globl %s\\n.type %s, %%function\\n%s:\\n", name, name, name);
    fprintf(file, jump, to);
    fputs("\\n\");\n", file);
}

/* ---- what is written ---- */

/* A program asks for the functions of graphics by their names as it begins, and may call none. */
static bool write_finder(FILE *file, const char *name)
{
    if (strcmp(name, "glXGetProcAddress") != 0 && strcmp(name, "glXGetProcAddressARB") != 0 &&
        strcmp(name, "eglGetProcAddress") != 0)
        return false;
    fprintf(
        file,
        "static void of_%s()\n{\n"
        "    rd_sim_unsimulated(\"graphics\", \"\", 0, __builtin_return_address(0));\n"
        "    __builtin_trap();\n}\n"
        "extern \"C\" __attribute__((weak)) void (*%s(const void *))()\n{\n    return of_%s;\n}\n",
        name, name, name);
    return true;
}

static void write_function(FILE *file, unsigned number, const char *name)
{
    char *plain = rd_check_demangle(name), *text = strdup(plain ? plain : name);
    if (text)
        rd_check_names_restore(text);
    fprintf(file,
            "extern void missing%u(void) __asm__(\"%s\");\n"
            "__attribute__((weak)) void missing%u(void)\n{\n"
            "    rd_sim_unsimulated(\"%s, which no file that was given defines\", \"\", 0,\n"
            "                       __builtin_return_address(0));\n    __builtin_trap();\n}\n",
            number, name, number, text ? text : name);
    free(plain);
    free(text);
}

/* The name in "undefined reference to `name'"; NULL: there is none. */
static char *undefined_in(char *line)
{
    static const char words[] = "undefined reference to `";
    char *name = strstr(line, words);
    if (!name)
        return NULL;
    name += sizeof words - 1;
    name[strcspn(name, "'\n")] = '\0';
    return name;
}

/* The loader makes the memory inaccessible. How large an array is may be unknown: each of the `n` variables, a line of `names`
 * each, has an equal part of 64 MiB, at least 64 KiB. */
static void write_variables(FILE *file, char *names, unsigned n)
{
    enum { GUARD_BYTES = 1 << 16, ALL_BYTES = 1 << 26 };
    const unsigned each = ALL_BYTES / n > GUARD_BYTES ? ALL_BYTES / n & -16U : GUARD_BYTES;
    fprintf(file,
            ".section .note.GNU-stack,\"\",@progbits\n.bss\n.balign %d\n"
            ".globl rd_check_absent\nrd_check_absent:\n.zero %d\n",
            GUARD_BYTES, GUARD_BYTES);
    for (char *rest = names, *name; (name = strsep(&rest, "\n")) && *name;)
        fprintf(file,
                ".globl \"%s\"\n.type \"%s\", %%object\n.size \"%s\", %u\n\"%s\":\n.zero %u\n",
                name, name, name, each, name, each);
    fputs(".globl rd_check_absent_end\nrd_check_absent_end:\n.zero 1\n", file);
}

enum rd_status rd_check_missing_write(const char *path, const char *variables, const char *said,
                                      const char (*objects)[RD_CHECK_PATH_SIZE], unsigned n_objects,
                                      struct rd_check_missing *missing, struct rd_error *error)
{
    struct object *read = calloc(n_objects + 1, sizeof *read);
    char *line = NULL, *known = NULL, *absent_names = NULL, *name;
    size_t size = 0, known_size = 0, absent_size = 0;
    unsigned n = 0, n_variables = 0;
    FILE *from = fopen(said, "r"), *to = fopen(path, "w"), *absent = fopen(variables, "w");
    FILE *names = open_memstream(&known, &known_size),
         *of_variables = open_memstream(&absent_names, &absent_size);
    bool good = read && from && to && absent && names && of_variables;
    for (unsigned k = 0; good && k < n_objects; k++)
        read[k] = read_object(objects[k]);
    if (good) {
        fputs(
            "extern \"C\" void rd_sim_unsimulated(const char *, const char *, unsigned, void *);\n",
            to);
        fputs(" ", names);
    }
    while (good && getline(&line, &size, from) > 0) {
        char word[4096];
        if (!(name = undefined_in(line)) ||
            (size_t)snprintf(word, sizeof word, " %s ", name) >= sizeof word)
            continue;
        fflush(names);
        if (strstr(known, word))
            continue;
        fputs(word + 1, names);
        if (dlsym(RTLD_DEFAULT, name))
            continue; /* what this program defines is the simulator's */
        const char *other = other_name(read, n_objects, name);
        if (*other) {
            write_jump(to, name, other);
            n++;
            continue;
        }
        if (!is_function(read, n_objects, name)) {
            fprintf(of_variables, "%s\n", name);
            n_variables++;
            continue;
        }
        if (!write_finder(to, name))
            write_function(to, n, name);
        n++;
    }
    if (of_variables && fclose(of_variables) != 0)
        good = false;
    if (good && n_variables > 0)
        write_variables(absent, absent_names, n_variables);
    *missing = (struct rd_check_missing){.functions = n > 0, .variables = n_variables > 0};
    if (from)
        fclose(from);
    if (names)
        fclose(names);
    if ((absent && fclose(absent) != 0) || (to && fclose(to) != 0))
        good = false;
    for (unsigned k = 0; read && k < n_objects; k++)
        free(read[k].bytes);
    free(read);
    free(line);
    free(known);
    free(absent_names);
    return good ? RD_OK
                : rd_fail(error, RD_ERROR_IO, "'%s' can't be written: %s", path, strerror(errno));
}
