// SPDX-License-Identifier: MIT
/* A launch inside a kernel, as the loaded file tells of it. Compiled as C here, as C++ there. */
#ifndef RD_SIM_FILE_LAUNCH_H
#define RD_SIM_FILE_LAUNCH_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

struct rd_file_parameter;
struct rd_sim_launch {
    const char *kernel; /* as the launch has it: "n::child<float>" */
    const char *file;
    unsigned line;
    unsigned grid[3], block[3];
    size_t shared_bytes;
    const void *stream;
    void (*thread)(void *const *closure); /* runs one thread of the kernel */
    const void *closure;                  /* with its arguments; copied */
    size_t closure_bytes;
    const void *const *pointers; /* of the arguments: those that are pointers; others are NULL */
    unsigned n_pointers;
    int cooperative;                            /* its blocks may wait for each other */
    const void *function;                       /* the kernel's address; NULL: unknown */
    const struct rd_file_parameter *parameters; /* n_pointers of them, as they were passed */
    int of_library; /* what its own code does is told at the launch: none of it is the user's */
    int is_serial; /* one thread works for many of the device's: only a user's function that it calls may take too long */
};

/* A kernel whose address the host's code has. Its closure begins with that address. */
struct rd_sim_kernel {
    const void *function;
    const char *name;
    void (*thread)(void *const *closure);
    unsigned n; /* parameters */
    const struct rd_file_parameter *parameters;
    const unsigned *offsets; /* of the arguments, in the closure */
    size_t closure_bytes;
};
/* It must stay. */
void rd_sim_kernel_register(const struct rd_sim_kernel *kernel);

/* The running thread launches it: it runs when the grid that runs now has ended. Nothing happens where
 * no kernel runs. */
void rd_sim_launch(const struct rd_sim_launch *launch);

/* The thread of a serial launch calls a function of the user's, which one of the device's threads would call, or has come back from
 * it. */
void rd_sim_launch_calls(int begins);

/* The running thread comes to what the simulator does not know: "textures", used at this line, or at
 * that of the call that returns to pc. Ends the run. */
void rd_sim_unsimulated(const char *what, const char *file, unsigned line, void *pc);

/* Until NULL: what code does that is no user's is told as done at this line of the host's. The text must stay. */
void rd_sim_instead(const char *file, unsigned line);
/* The file and the line of the call that returns to pc; "" and 0 where they are unknown. The text stays. */
const char *rd_sim_caller(const void *pc, unsigned *line);

/* Host code calls a function of CUDA's runtime next, as a statement of its own: it drops what that returns. */
void rd_sim_drops(void);

/* Tells whether a kernel is running. */
int rd_sim_is_on_device(void);

#ifdef __cplusplus
}
#endif

#endif
