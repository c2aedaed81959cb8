// SPDX-License-Identifier: MIT
/* A user's program on a GPU: compiled by nvcc as it is, but for its annotations and a recorder that is linked in
 * (include/gpu/). */
#ifndef RD_CHECK_GPU_H
#define RD_CHECK_GPU_H

#include "check/program/laws.h"

/* Tells whether a GPU and nvcc seem to be there. */
bool rd_check_gpu_is_there(void);

/* Tells whether the annotation stands in code for the device, which the recorder does not see. */
bool rd_check_gpu_is_in_kernel(const struct rd_check_laws *laws, unsigned file,
                               const struct rd_annotation *annotation);

/* The file that has the main function; NULL: none has. */
const char *rd_check_gpu_main_file(const struct rd_check_laws *laws);

/* Compiles all files with their annotations into the folder gpu of `directory`; `program` is the path of the result.
 * Passes on what nvcc has to say, unless `is_silent` and it refuses. RD_ERROR_INPUT where it does; RD_ERROR_DEVICE
 * where there is none. */
enum rd_status rd_check_gpu_compile(const struct rd_check_program_options *options,
                                    const struct rd_check_laws *laws, const char *directory,
                                    bool is_silent, char program[RD_CHECK_PATH_SIZE],
                                    struct rd_error *error);
/* Removes all that was made there. */
void rd_check_gpu_clean(const char *directory, unsigned n_files);

/* Becomes the program. */
_Noreturn void rd_check_gpu_child(const struct rd_check_program_run *run);

/* The run in the simulator beside a program's on a GPU: takes what stands in kernels from it, and returns what makes it
 * another run than that, "" where nothing does. */
enum rd_status rd_check_gpu_take_kernels(struct rd_check_laws *laws, struct rd_check_laws *beside,
                                         char why[200], struct rd_error *error);

#endif
