// SPDX-License-Identifier: MIT
/* nvcc's own options, as they stand in a command line or a compilation database. */
#ifndef RD_CLI_NVCC_FLAGS_H
#define RD_CLI_NVCC_FLAGS_H

enum { RD_CLI_FLAGS_MAX = 100 };

/* The flags that mean something here. All zero, there are none. The texts are its own. */
struct rd_cli_nvcc_flags {
    const char *compiler[RD_CLI_FLAGS_MAX + 1];  /* -D, -I, -std and the like; up to NULL */
    const char *libraries[RD_CLI_FLAGS_MAX + 1]; /* -l, -L; up to NULL */
    const char
        *nvcc[RD_CLI_FLAGS_MAX +
              1]; /* for nvcc itself: all others, but for those that say what it is to make */
    const char *nvcc_libraries[RD_CLI_FLAGS_MAX + 1]; /* -l, -L, also of CUDA's own */
    unsigned n_compiler, n_libraries, n_nvcc, n_nvcc_libraries;
};

/* Takes nvcc's options out of the arguments behind the first, up to "--"; what remains keeps its order. Returns how many
 * arguments remain. Complains and exits where there are too many, or one lacks its value. */
int rd_cli_nvcc_flags_take(struct rd_cli_nvcc_flags *flags, int argc, char **argv);
void rd_cli_nvcc_flags_finish(struct rd_cli_nvcc_flags *flags);

#endif
