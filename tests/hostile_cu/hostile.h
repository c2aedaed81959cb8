// SPDX-License-Identifier: MIT
/* A hostile program: HOSTILE() { … } runs before any kernel; from main where IN_MAIN is 1. What it tries must be bounded in
 * time and in size by itself, and harm only what its test has made: a missing sandbox must do no harm to the machine. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifdef IN_MAIN
#define HOSTILE() static int hostile(void)
#else
#define IN_MAIN   0
#define HOSTILE() __attribute__((constructor)) static int hostile(void)
#endif

__global__ void k(int *a)
{
    a[threadIdx.x] += 1;
}

/* "open: Permission denied", on standard error, where nothing collects it. */
static inline void tell(const char *what, long result)
{
    fprintf(stderr, "%s: %s\n", what, result < 0 ? strerror(errno) : "done");
}

static inline const char *given(const char *name)
{
    const char *value = getenv(name);
    return value ? value : "";
}

static inline pid_t target(void)
{
    return (pid_t)atoi(given("HOSTILE_TARGET"));
}
