// SPDX-License-Identifier: MIT
#include "device/sim/runtime/held_output.h"

#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

static struct rd_sim_held_output *last; /* of those that hold back */

void rd_sim_output_hold(struct rd_sim_held_output *held)
{
    held->printed = held->output = -1;
    fflush(stdout);
    int printed = memfd_create("reductio", MFD_CLOEXEC);
    int output = printed < 0 ? -1 : dup(STDOUT_FILENO);
    if (output < 0 || dup2(printed, STDOUT_FILENO) < 0) {
        if (printed >= 0)
            close(printed);
        if (output >= 0)
            close(output);
        return;
    }
    held->printed = printed;
    held->output = output;
    held->process = getpid();
    held->outer = last;
    last = held;
}

void rd_sim_output_forget(struct rd_sim_held_output *held)
{
    if (held->printed < 0)
        return;
    fflush(stdout);
    if (ftruncate(held->printed, 0) == 0)
        lseek(held->printed, 0, SEEK_SET);
}

size_t rd_sim_output_release(struct rd_sim_held_output *held)
{
    char bytes[1 << 14];
    size_t all = 0;
    ssize_t n;
    if (held->printed < 0)
        return SIZE_MAX;
    fflush(stdout);
    dup2(held->output, STDOUT_FILENO);
    lseek(held->printed, 0, SEEK_SET);
    while ((n = read(held->printed, bytes, sizeof bytes)) > 0) {
        all += (size_t)n;
        for (ssize_t done = 0, once; done < n; done += once)
            if ((once = write(STDOUT_FILENO, bytes + done, (size_t)(n - done))) <= 0)
                break;
    }
    close(held->printed);
    close(held->output);
    held->printed = -1;
    last = held->outer;
    return all;
}

void rd_sim_output_flush(void)
{
    while (last && last->process == getpid())
        rd_sim_output_release(last);
}
