// SPDX-License-Identifier: MIT
/* Names of source files. Debug information has full paths where a macro has what the compiler was
 * given: a report calls a file by one name, that by which the user calls it. */
#include "device/sim/object.h"
#include "device/sim/source/source.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { PATH_SIZE = 4096 };

struct rd_sim_names_state {
    const char *given; /* NULL: nothing is known */
    char path[PATH_SIZE];
    char ours[PATH_SIZE]; /* with a slash behind it; "" where there is no such folder */
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

void rd_sim_source_set_names(const char *file, const char *ours)
{
    struct rd_sim_names_state *own = rd_sim_here->names;
    own->given = resolve(own->path, file) ? file : NULL;
    if (!resolve(own->ours, ours) || strlen(own->ours) + 2 > PATH_SIZE)
        own->ours[0] = '\0';
    else
        strcat(own->ours, "/");
}

bool rd_sim_source_is_ours(const char *path)
{
    struct rd_sim_names_state *own = rd_sim_here->names;
    char whole[PATH_SIZE];
    if (!own->ours[0] || !resolve(whole, path))
        return false;
    return strncmp(whole, own->ours, strlen(own->ours)) == 0 ||
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
    return line;
}

const struct rd_sim_part rd_sim_part_names = {
    .size_bytes = sizeof(struct rd_sim_names_state),
    .at = offsetof(struct rd_sim, names),
};
