// SPDX-License-Identifier: MIT
#include "device/sim/object.h"
#include "device/sim/source/source.h"

#include "device/files.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#ifdef RD_HAVE_LIBDW
#include <dwarf.h>
#include <elfutils/libdwfl.h>
#include <stdlib.h>

/* Places whose lines were looked up lately: that takes a walk through all functions of the file, and hazards name the
 * same few places, launch after launch. */
enum { RECENT = 1024 };

struct rd_sim_source_state {
    Dwfl *dwfl;
    struct recent {
        uintptr_t pc; /* 0: free */
        /* The debug information's own text; NULL: no line of the user's is known. */
        const char *file;
        int line, column;
    } recent[RECENT];
};

static void forget_recent(void)
{
    struct rd_sim_source_state *own = rd_sim_here->source;
    for (size_t k = 0; k < RECENT; k++)
        if (own->recent[k].pc)
            own->recent[k].pc = 0;
}

/* Debug information is looked for in the file itself only, never on a server. */
static int find_no_debuginfo(Dwfl_Module *module, void **user, const char *name, Dwarf_Addr base,
                             const char *file, const char *link, GElf_Word crc, char **path)
{
    (void)module, (void)user, (void)name, (void)base, (void)file, (void)link, (void)crc, (void)path;
    return -1;
}

static void begin(void)
{
    struct rd_sim_source_state *own = rd_sim_here->source;
    static const Dwfl_Callbacks callbacks = {
        .find_elf = dwfl_linux_proc_find_elf,
        .find_debuginfo = find_no_debuginfo,
    };
    /* By this name the kernel finds the process also in a namespace whose process ids /proc doesn't have. */
    FILE *maps = fopen("/proc/self/maps", "re");
    own->dwfl = maps ? dwfl_begin(&callbacks) : NULL;
    if (own->dwfl) {
        dwfl_linux_proc_maps_report(own->dwfl, maps);
        dwfl_report_end(own->dwfl, NULL, NULL);
    }
    if (maps)
        fclose(maps);
}

void *rd_sim_source_dwfl(void)
{
    struct rd_sim_source_state *own = rd_sim_here->source;
    if (!own->dwfl)
        begin();
    return own->dwfl;
}

void rd_sim_source_changed(void)
{
    struct rd_sim_source_state *own = rd_sim_here->source;
    if (own->dwfl)
        dwfl_end(own->dwfl);
    own->dwfl = NULL;
    forget_recent();
}

static Dwarf_Word number_of(Dwarf_Die *die, unsigned name)
{
    Dwarf_Attribute attribute;
    Dwarf_Word number = 0;
    dwarf_formudata(dwarf_attr(die, name, &attribute), &number);
    return number;
}

/* Tells whether the function is of the compiler's making, as one that copies a struct: all that a user has
 * written of it is where it is called. */
static bool is_implicit(Dwarf_Die *function)
{
    return dwarf_hasattr_integrate(function, DW_AT_artificial) ||
           dwarf_hasattr_integrate(function, DW_AT_defaulted);
}

/* The scopes of a place in the code that are of one function or inlined in it, from the innermost outwards.
 * The caller frees them. */
static int find_scopes(uintptr_t pc, Dwarf_Die **scopes)
{
    Dwarf_Addr bias;
    Dwarf_Die *all = NULL;
    int first = 0, n_scopes = 0;
    Dwarf_Die *unit = dwfl_addrdie(rd_sim_here->source->dwfl, pc, &bias);
    int n = unit ? dwarf_getscopes(unit, pc - bias, &all) : 0;
    while (first < n && dwarf_tag(&all[first]) != DW_TAG_inlined_subroutine)
        first++;
    if (first < n) /* behind it are the scopes of its definition, not of the call */
        n_scopes = dwarf_getscopes_die(&all[first], scopes);
    free(all);
    return n_scopes;
}

/* The file from which an inlined function is called. NULL where that is unknown. */
static const char *caller_of(Dwarf_Die *inlined, int *number, int *column)
{
    Dwarf_Die unit;
    Dwarf_Files *files;
    size_t n_files;
    if (!dwarf_diecu(inlined, &unit, NULL, NULL) || dwarf_getsrcfiles(&unit, &files, &n_files) != 0)
        return NULL;
    *number = (int)number_of(inlined, DW_AT_call_line);
    *column = (int)number_of(inlined, DW_AT_call_column);
    return dwarf_filesrc(files, number_of(inlined, DW_AT_call_file), NULL, NULL);
}

/* Code of Reductio's own, or of the compiler's own, stands where a user's line calls it: finds that line, from the innermost
 * call outwards. `file` is that of the code; NULL where no line of the user's is known. */
static const char *find_users(uintptr_t pc, const char *file, int *number, int *column)
{
    Dwarf_Die *scopes = NULL;
    int n = find_scopes(pc, &scopes);
    for (int k = 0; k < n; k++) {
        if (dwarf_tag(&scopes[k]) != DW_TAG_inlined_subroutine)
            continue;
        if (file && !rd_sim_source_is_ours(file) && !is_implicit(&scopes[k]))
            break;
        file = caller_of(&scopes[k], number, column);
    }
    free(scopes);
    return file && !rd_sim_source_is_ours(file) ? file : NULL;
}

static struct recent look_up(uintptr_t pc)
{
    Dwfl *dwfl = rd_sim_source_dwfl();
    struct recent found = {.pc = pc};
    Dwfl_Module *module = dwfl ? dwfl_addrmodule(dwfl, pc - 1) : NULL;
    Dwfl_Line *line = module ? dwfl_module_getsrc(module, pc - 1) : NULL;
    if (line)
        found.file = dwfl_lineinfo(line, NULL, &found.line, &found.column, NULL, NULL);
    if (found.file)
        found.file = find_users(pc - 1, found.file, &found.line, &found.column);
    return found;
}

void rd_sim_source_line(uintptr_t pc, struct rd_sim_line *line)
{
    struct recent *recent = &rd_sim_here->source->recent[pc % RECENT];
    *line = (struct rd_sim_line){.line = 0};
    if (pc == 0)
        return;
    if (recent->pc != pc)
        *recent = look_up(pc);
    if (!recent->file)
        return;
    rd_sim_source_name(recent->file, line->file, sizeof line->file);
    line->line = (unsigned)recent->line;
    line->column = (unsigned)recent->column;
}

/* Sets the place of the call of the function that is inlined here. */
static void set_call(struct rd_sim_line *line, Dwarf_Die *inlined)
{
    Dwarf_Die unit;
    Dwarf_Files *files = NULL;
    size_t n;
    const char *file = NULL;
    *line = (struct rd_sim_line){.line = (unsigned)number_of(inlined, DW_AT_call_line),
                                 .column = (unsigned)number_of(inlined, DW_AT_call_column)};
    if (dwarf_diecu(inlined, &unit, NULL, NULL) && dwarf_getsrcfiles(&unit, &files, &n) == 0)
        file = dwarf_filesrc(files, number_of(inlined, DW_AT_call_file), NULL, NULL);
    if (file)
        rd_sim_source_name(file, line->file, sizeof line->file);
}

unsigned rd_sim_source_calls(uintptr_t pc, struct rd_sim_line calls[RD_SIM_CALLS_MAX])
{
    Dwarf_Addr bias = 0;
    Dwarf_Die *lexical = NULL, *scopes = NULL;
    unsigned n = 0;
    Dwfl *all = rd_sim_source_dwfl();
    Dwarf_Die *unit = all ? dwfl_addrdie(all, pc - 1, &bias) : NULL;
    if (unit && dwarf_getscopes(unit, pc - 1 - bias, &lexical) > 0) {
        int n_scopes = dwarf_getscopes_die(&lexical[0], &scopes);
        for (int k = n_scopes; k-- > 0 && n + 1 < RD_SIM_CALLS_MAX;)
            if (dwarf_tag(&scopes[k]) == DW_TAG_inlined_subroutine)
                set_call(&calls[n++], &scopes[k]);
    }
    free(lexical);
    free(scopes);
    rd_sim_source_line(pc, &calls[n]);
    return calls[n].line > 0 ? n + 1 : 0;
}

/* Names stand with the abstract or declared function where the compiler has cloned it. */
static const char *name_of(Dwarf_Die *die)
{
    Dwarf_Attribute attribute;
    return dwarf_formstring(dwarf_attr_integrate(die, DW_AT_name, &attribute));
}

bool rd_sim_source_parameter_die(uintptr_t function, unsigned number, void *die)
{
    struct rd_sim_source_state *own = rd_sim_here->source;
    Dwarf_Addr bias;
    Dwarf_Die *scopes = NULL, child;
    bool known = false;
    if (!own->dwfl)
        begin();
    Dwarf_Die *unit = own->dwfl ? dwfl_addrdie(own->dwfl, function, &bias) : NULL;
    int n = unit ? dwarf_getscopes(unit, function - bias, &scopes) : 0;
    for (int k = 0; k < n; k++)
        if (dwarf_tag(&scopes[k]) == DW_TAG_subprogram && dwarf_child(&scopes[k], &child) == 0) {
            unsigned found = 0;
            do {
                if (dwarf_tag(&child) == DW_TAG_formal_parameter && found++ == number) {
                    *(Dwarf_Die *)die = child;
                    known = true;
                }
            } while (!known && dwarf_siblingof(&child, &child) == 0);
            break;
        }
    free(scopes);
    return known;
}

void rd_sim_source_parameter(uintptr_t function, unsigned number, char *name, size_t size)
{
    Dwarf_Die parameter;
    name[0] = '\0';
    const char *its =
        rd_sim_source_parameter_die(function, number, &parameter) ? name_of(&parameter) : NULL;
    if (its)
        snprintf(name, size, "%s", its);
}

static void source_finish(void)
{
    struct rd_sim_source_state *own = rd_sim_here->source;
    if (own->dwfl)
        dwfl_end(own->dwfl);
}

const struct rd_sim_part rd_sim_part_source = {
    .size_bytes = sizeof(struct rd_sim_source_state),
    .at = offsetof(struct rd_sim, source),
    .finish = source_finish,
};

#else

const struct rd_sim_part rd_sim_part_source = {.size_bytes = 0};

static void forget_recent(void)
{
}

void rd_sim_source_changed(void)
{
}

void rd_sim_source_line(uintptr_t pc, struct rd_sim_line *line)
{
    (void)pc;
    *line = (struct rd_sim_line){.line = 0};
}

bool rd_sim_source_parameter_die(uintptr_t function, unsigned number, void *die)
{
    (void)function, (void)number, (void)die;
    return false;
}

unsigned rd_sim_source_calls(uintptr_t pc, struct rd_sim_line calls[RD_SIM_CALLS_MAX])
{
    (void)pc, (void)calls;
    return 0;
}

void rd_sim_source_parameter(uintptr_t function, unsigned number, char *name, size_t size)
{
    (void)function, (void)number, (void)size;
    name[0] = '\0';
}

#endif

/* ---- names of files ---- */

/* Debug information has full paths where a macro has what the compiler was
 * given: a report calls a file by one name, that by which the user calls it. */

enum { PATH_SIZE = 4096 };

struct rd_sim_names_state {
    const char *given; /* NULL: nothing is known */
    char path[PATH_SIZE];
    const char *instead; /* of what is no user's; NULL: nothing */
    unsigned instead_line;
    /* With a slash behind each; "" where there is no such folder. */
    char library_folder[PATH_SIZE], headers_folder[PATH_SIZE];
};

static size_t folder_length(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? (size_t)(slash - path) + 1 : 0;
}

/* Writes the path from the root, without "." and "..". False where it is too long. */
static bool resolve(char out[PATH_SIZE], const char *path)
{
    size_t length = 0;
    if (*path != '/') {
        if (!getcwd(out, PATH_SIZE))
            return false;
        length = strlen(out);
        length = length == 1 ? 0 : length; /* the root */
    }
    while (*path) {
        size_t n = strcspn(path, "/");
        if (n == 2 && strncmp(path, "..", 2) == 0) {
            while (length > 0 && out[--length] != '/') {
            }
        } else if (n > 0 && !(n == 1 && *path == '.')) {
            if (length + n + 2 > PATH_SIZE)
                return false;
            out[length++] = '/';
            memcpy(out + length, path, n);
            length += n;
        }
        path += n + (path[n] == '/');
    }
    out[length] = '\0';
    return true;
}

/* Writes the path of the folder, with a slash behind it; "" where it is too long. */
static void resolve_folder(char out[PATH_SIZE], const char *path)
{
    if (!resolve(out, path) || strlen(out) + 2 > PATH_SIZE)
        out[0] = '\0';
    else
        strcat(out, "/");
}

static bool is_below(const char *path, const char *folder)
{
    return folder[0] && strncmp(path, folder, strlen(folder)) == 0;
}

void rd_sim_source_set_names(const char *file, const char *library_folder)
{
    char link[PATH_SIZE], headers[PATH_SIZE];
    struct rd_sim_names_state *own = rd_sim_here->names;
    own->given = resolve(own->path, file) ? file : NULL;
    resolve_folder(own->library_folder, library_folder);
    snprintf(link, sizeof link, "%s/" RD_FILE_HEADERS, library_folder);
    const ssize_t length = readlink(link, headers, sizeof headers - 1);
    headers[length > 0 ? length : 0] = '\0';
    own->headers_folder[0] = '\0';
    if (length > 0) /* else it is a folder, and in the other */
        resolve_folder(own->headers_folder, headers);
    forget_recent(); /* which code is the user's has changed */
}

bool rd_sim_source_is_ours(const char *path)
{
    struct rd_sim_names_state *own = rd_sim_here->names;
    char whole[PATH_SIZE];
    if (!own->library_folder[0] || !resolve(whole, path))
        return false;
    return is_below(whole, own->library_folder) || is_below(whole, own->headers_folder) ||
           strcmp(whole + folder_length(whole), "--kernel") == 0; /* behind the file's text */
}

/* The part of a path behind the present folder; all of it where it is elsewhere. */
static const char *behind_here(const char *path)
{
    char here[PATH_SIZE];
    size_t length = getcwd(here, sizeof here) ? strlen(here) : 0;
    return length > 1 && strncmp(path, here, length) == 0 && path[length] == '/' ? path + length + 1
                                                                                 : path;
}

void rd_sim_source_name(const char *path, char *name, size_t size)
{
    struct rd_sim_names_state *own = rd_sim_here->names;
    char whole[PATH_SIZE];
    if (!own->given) { /* as a person here would write it */
        path = behind_here(path);
        while (strncmp(path, "../", 3) == 0 || strncmp(path, "./", 2) == 0)
            path = strchr(path, '/') + 1;
        snprintf(name, size, "%s", path);
        return;
    }
    size_t folder = folder_length(own->path);
    if (!resolve(whole, path))
        snprintf(name, size, "%s", path);
    else if (strcmp(whole, own->path) == 0)
        snprintf(name, size, "%s", own->given);
    else if (strncmp(whole, own->path, folder) == 0)
        snprintf(name, size, "%.*s%s", (int)folder_length(own->given), own->given, whole + folder);
    else
        snprintf(name, size, "%s", behind_here(whole));
}

void rd_sim_source_instead(const char *file, unsigned line)
{
    struct rd_sim_names_state *own = rd_sim_here->names;
    own->instead = file;
    own->instead_line = line;
}

/* Tells whether the place is nobody's, or of the headers of the machine. */
static bool is_no_users(const struct rd_sim_line *line)
{
    return line->line == 0 || strncmp(line->file, "/usr/", 5) == 0;
}

struct rd_sim_line rd_sim_site_line(const struct rd_sim_site *site)
{
    struct rd_sim_line line = {.line = 0};
    struct rd_sim_line calls[RD_SIM_CALLS_MAX];
    if (site->call > 0 && site->call <= rd_sim_source_calls(site->pc, calls)) {
        line = calls[site->call - 1];
    } else if (site->pc) {
        rd_sim_source_line(site->pc, &line);
    } else if (site->file) {
        rd_sim_source_name(site->file, line.file, sizeof line.file);
        line.line = site->line;
    }
    const struct rd_sim_names_state *own = rd_sim_here->names;
    if (own->instead && is_no_users(&line)) {
        line = (struct rd_sim_line){.line = own->instead_line};
        rd_sim_source_name(own->instead, line.file, sizeof line.file);
    }
    return line;
}

const struct rd_sim_part rd_sim_part_names = {
    .size_bytes = sizeof(struct rd_sim_names_state),
    .at = offsetof(struct rd_sim, names),
};
