// SPDX-License-Identifier: MIT
#include "device/sim/file/file.h"
#include "device/sim/object.h"
#include "device/sim/runtime/held_output.h"
#include "device/sim/runtime/law_internal.h"
#include "device/sim/runtime/runtime_internal.h"
#include "device/sim/runtime/streams.h"

#include <unistd.h>

/* A function of each file that only users' files call: a linker leaves out of an archive what nothing refers to. */
static const void *const called_by_files[] __attribute__((used)) = {
    (const void *)cudaMemcpy,     (const void *)rd_sim_launch,        (const void *)cudaEventCreate,
    (const void *)cudaMalloc,     (const void *)cudaStreamCreate,     (const void *)cudaGetDevice,
    (const void *)rd_sim_law_end, (const void *)&rd_sim_host_atomics, (const void *)rd_sim_printf,
    (const void *)rd_sim_printed,
};

/* The program, with on_stopped() replaced by ours; `stop` is its own. */
static struct rd_file_program the_program;
static void (*stop)(void *self, enum rd_file_ending ending, const char *error,
                    const struct rd_finding *last);

static void on_stopped(void *self, enum rd_file_ending ending, const char *error,
                       const struct rd_finding *last)
{
    rd_sim_output_flush();
    stop(self, ending, error, last);
}

int rd_sim_runtime_run(const struct rd_file_program *given, int argc, char **argv)
{
    const struct rd_file_program *program = &the_program;
    the_program = *given;
    stop = the_program.how.on_stopped;
    the_program.how.on_stopped = on_stopped;
    rd_sim_runtime_set(program);
    rd_sim_host_access_begin();
    rd_sim_here->core.on_host_access = rd_sim_host_access;
    rd_sim_here->core.on_host_allocated = rd_sim_host_allocated;
    rd_sim_here->core.on_host_freed = rd_sim_host_freed;
    rd_sim_here->core.budget = 1;
    rd_sim_launches_of_program(&program->how);
    rd_sim_file_begin(&program->how, rd_sim_host_signal, rd_sim_host_is_awaited);
    rd_sim_law_program_begins();
    const struct rd_sim_file *file = rd_sim_file();
    rd_sim_streams_may_come(file->makes_streams || program->n_devices > 1);
    for (size_t k = 0; k < file->n_constructors; k++)
        file->constructors[k](argc, argv, environ);
    return file->main(argc, argv);
}

void rd_sim_runtime_finish(void)
{
    if (!rd_sim_runtime_program())
        return;
    rd_sim_errors_finish();
    if (!rd_sim_error_has_stuck()) { /* else nothing could be freed */
        rd_sim_launches_tell_leaks();
        rd_sim_allocations_tell_leaks();
    }
    rd_sim_runtime_set(NULL);
}
