// SPDX-License-Identifier: MIT
#include "sim/source.h"

#include <stdio.h>
#include <string.h>

#ifdef RD_HAVE_LIBDW
#include <dwarf.h>
#include <elfutils/libdwfl.h>
#include <stdlib.h>
#include <unistd.h>

static Dwfl *dwfl;

/* Debug information is looked for in the file itself only, never on a server. */
static int find_no_debuginfo(Dwfl_Module *module, void **user, const char *name, Dwarf_Addr base,
                             const char *file, const char *link, GElf_Word crc, char **path)
{
    (void)module, (void)user, (void)name, (void)base, (void)file, (void)link, (void)crc, (void)path;
    return -1;
}

static void begin(void)
{
    static const Dwfl_Callbacks callbacks = {
        .find_elf = dwfl_linux_proc_find_elf,
        .find_debuginfo = find_no_debuginfo,
    };
    dwfl = dwfl_begin(&callbacks);
    if (dwfl) {
        dwfl_linux_proc_report(dwfl, getpid());
        dwfl_report_end(dwfl, NULL, NULL);
    }
}

void *rd_sim_source_dwfl(void)
{
    if (!dwfl)
        begin();
    return dwfl;
}

void rd_sim_source_line(uintptr_t pc, struct rd_sim_line *line)
{
    int number = 0, column = 0;
    *line = (struct rd_sim_line){.line = 0};
    if (pc == 0)
        return;
    if (!dwfl)
        begin();
    Dwfl_Module *module = dwfl ? dwfl_addrmodule(dwfl, pc - 1) : NULL;
    Dwfl_Line *found = module ? dwfl_module_getsrc(module, pc - 1) : NULL;
    const char *file = found ? dwfl_lineinfo(found, NULL, &number, &column, NULL, NULL) : NULL;
    if (!file)
        return;
    /* As a person here would write it. */
    char here[sizeof line->file];
    size_t length = getcwd(here, sizeof here) ? strlen(here) : 0;
    if (length > 1 && strncmp(file, here, length) == 0 && file[length] == '/')
        file += length + 1;
    while (strncmp(file, "../", 3) == 0 || strncmp(file, "./", 2) == 0)
        file = strchr(file, '/') + 1;
    snprintf(line->file, sizeof line->file, "%s", file);
    line->line = (unsigned)number;
    line->column = (unsigned)column;
}

/* Names stand with the abstract or declared function where the compiler has cloned it. */
static const char *name_of(Dwarf_Die *die)
{
    Dwarf_Attribute attribute;
    return dwarf_formstring(dwarf_attr_integrate(die, DW_AT_name, &attribute));
}

void rd_sim_source_parameter(uintptr_t function, unsigned number, char *name, size_t size)
{
    Dwarf_Addr bias;
    Dwarf_Die *scopes = NULL, child;
    name[0] = '\0';
    if (!dwfl)
        begin();
    Dwarf_Die *unit = dwfl ? dwfl_addrdie(dwfl, function, &bias) : NULL;
    int n = unit ? dwarf_getscopes(unit, function - bias, &scopes) : 0;
    for (int k = 0; k < n; k++)
        if (dwarf_tag(&scopes[k]) == DW_TAG_subprogram && dwarf_child(&scopes[k], &child) == 0) {
            unsigned found = 0;
            do {
                const char *its = name_of(&child);
                if (dwarf_tag(&child) == DW_TAG_formal_parameter && found++ == number && its)
                    snprintf(name, size, "%s", its);
            } while (dwarf_siblingof(&child, &child) == 0);
            break;
        }
    free(scopes);
}

void rd_sim_source_finish(void)
{
    if (dwfl)
        dwfl_end(dwfl);
    dwfl = NULL;
}

#else

void rd_sim_source_line(uintptr_t pc, struct rd_sim_line *line)
{
    (void)pc;
    *line = (struct rd_sim_line){.line = 0};
}

void rd_sim_source_parameter(uintptr_t function, unsigned number, char *name, size_t size)
{
    (void)function, (void)number, (void)size;
    name[0] = '\0';
}

void rd_sim_source_finish(void)
{
}

#endif
