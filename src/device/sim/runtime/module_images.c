// SPDX-License-Identifier: MIT
/* Files of modules that nvcc would have made: "k.fatbin", "k64.ptx" or "k.cubin" of "k.cu", which was given beside the program. */
#include "device/sim/runtime/runtime_internal.h"

#include <stdio.h>
#include <string.h>

static const char *base_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static bool is_of_module(const char *base)
{
    static const char *const endings[] = {".fatbin", ".ptx", ".cubin"};
    const char *dot = strrchr(base, '.');
    for (size_t k = 0; dot && k < sizeof endings / sizeof *endings; k++)
        if (strcmp(dot, endings[k]) == 0)
            return true;
    return false;
}

/* Tells whether an image of this name is made of that file: behind the file's name may stand for what it was made, "64", ".sm_90". */
static bool is_made_of(const char *image, const char *file)
{
    static const char *const marks[] = {"64.", "32.", ".", "_sm", "-sm", "_drv"};
    const char *base = base_of(file), *dot = strrchr(base, '.');
    const size_t length = dot ? (size_t)(dot - base) : strlen(base);
    if (strncmp(image, base, length) != 0)
        return false;
    for (size_t k = 0; k < sizeof marks / sizeof *marks; k++)
        if (strncmp(image + length, marks[k], strlen(marks[k])) == 0)
            return true;
    return false;
}

const char *rd_sim_module_image(const char *path)
{
    const struct rd_file_program *program = rd_sim_runtime_program();
    const char *base = base_of(path);
    if (!program || program->n_modules == 0 || !is_of_module(base))
        return NULL;
    for (size_t k = 0; k < program->n_modules; k++)
        if (is_made_of(base, program->modules[k].file))
            return program->modules[k].image;
    return NULL;
}

void rd_sim_module_image_lacks(const char *path)
{
    const char *base = base_of(path), *dot = strrchr(base, '.');
    if (!rd_sim_runtime_program() || !is_of_module(base) || rd_sim_module_image(path))
        return;
    if (dot - base > 2 && (strncmp(dot - 2, "64", 2) == 0 || strncmp(dot - 2, "32", 2) == 0))
        dot -= 2;
    rd_sim_runtime_lacks(
        "'%s', which no given file stands for: give the .cu file that nvcc would make it of, "
        "as '%.*s.cu', too",
        base, (int)(dot - base), base);
}
