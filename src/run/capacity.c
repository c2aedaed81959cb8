// SPDX-License-Identifier: MIT
#include "run/capacity.h"
#include "reductio/operation.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Elements of the device's arrays: A, b, and what the first round asks for. */
static double device_elems(const struct rd_run *run, const struct rd_shape *shape)
{
    const struct rd_program *program = run->program;
    double elems = (double)rd_program_cells(program, shape);
    struct rd_round round;
    elems += (double)rd_program_inputs_b(program, shape);
    if (rd_operation_selects(run->numeric->operation))
        elems += (double)rd_program_inputs(program, shape);
    if (!rd_program_round(program, shape, 1, &round))
        return elems;
    for (unsigned k = 0; k < round.n_operands; k++)
        if (round.operands[k].kind == RD_OPERAND_INPUT)
            elems += (double)rd_program_inputs(program, shape);
        else if (round.operands[k].kind == RD_OPERAND_SCRATCH)
            elems += (double)round.operands[k].size;
    return elems;
}

static double host_elems(const struct rd_run *run, const struct rd_shape *shape)
{
    double elems = 2 * (double)rd_program_cells(run->program, shape); /* expectation and copy */
    if (rd_operation_selects(run->numeric->operation) && rd_program_passes_input(run->program))
        elems += (double)rd_program_inputs(run->program, shape); /* as indices */
    if (!run->a)
        elems += (double)rd_program_inputs(run->program, shape) +
                 (double)rd_program_inputs_b(run->program, shape);
    return elems;
}

double rd_memory_needed(const struct rd_run *run)
{
    const struct rd_shape shape = rd_run_shape(run);
    struct rd_device_limits limits = {0};
    if (run->device)
        run->device->ops->limits(run->device, &limits);
    return (double)run->numeric->size_bytes *
           (host_elems(run, &shape) +
            (double)limits.host_bytes_per_byte * device_elems(run, &shape));
}

/* ---- what there is ---- */

/* The number behind a word of a file of lines "word number"; `otherwise` where there is none. */
static double number_in(const char *path, const char *word, double otherwise)
{
    char line[256];
    double number = otherwise;
    FILE *file = fopen(path, "re");
    while (file && fgets(line, sizeof line, file))
        if (strncmp(line, word, strlen(word)) == 0 &&
            sscanf(line + strlen(word), "%lf", &number) == 1)
            break;
    if (file)
        fclose(file);
    return number;
}

/* The memory that the container's limit leaves. Pages of files that nobody uses are given up first. */
static double left_by_group(void)
{
    static const char folder[] = "/sys/fs/cgroup";
    char path[64];
    snprintf(path, sizeof path, "%s/memory.max", folder);
    double most = number_in(path, "", INFINITY); /* "max" is none */
    snprintf(path, sizeof path, "%s/memory.current", folder);
    double taken = number_in(path, "", 0);
    snprintf(path, sizeof path, "%s/memory.stat", folder);
    return most - taken + number_in(path, "inactive_file ", 0);
}

double rd_memory_available(void)
{
    static const char path[] = "/proc/meminfo";
    double system =
        1024 * (number_in(path, "MemAvailable:", INFINITY) + number_in(path, "SwapFree:", 0));
    return fmin(system, left_by_group());
}

enum rd_status rd_memory_check(const struct rd_run *run, struct rd_error *error)
{
    const double small = 0x1p26, gib = 0x1p30;
    double needed = rd_memory_needed(run);
    double available = needed > small ? rd_memory_available() : INFINITY;
    if (needed <= available)
        return RD_OK;
    return rd_fail(
        error, RD_ERROR_MEMORY,
        "'n' is %zu, for which %s takes %.1f GiB of memory%s, and %.1f GiB are available: "
        "use a smaller n%s",
        run->n, run->program->name, needed / gib, run->a ? " besides its input" : "",
        available / gib, run->program->blocks ? ", or fewer blocks" : "");
}

enum rd_status rd_memory_check_indices(const struct rd_numeric *numeric, size_t n_inputs,
                                       struct rd_error *error)
{
    if (!rd_operation_selects(numeric->operation) || n_inputs <= rd_numeric_no_index(numeric))
        return RD_OK;
    return rd_fail(
        error, RD_ERROR_USAGE,
        "there are %zu inputs, and a cell of %s holds an index of %zu bits, of which all "
        "ones are none: use a wider type",
        n_inputs, numeric->title, 8 * numeric->size_bytes);
}
