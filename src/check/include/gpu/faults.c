// SPDX-License-Identifier: MIT
/* Errors of CUDA's that are findings about a kernel. */
#include "recorder.h"

#include <string.h>

/* Errors that only the code of a kernel makes. */
static bool is_of_kernel(cudaError_t error)
{
    switch (error) {
    case cudaErrorIllegalAddress:
    case cudaErrorMisalignedAddress:
    case cudaErrorInvalidAddressSpace:
    case cudaErrorInvalidPc:
    case cudaErrorIllegalInstruction:
    case cudaErrorHardwareStackError:
    case cudaErrorAssert:
    case cudaErrorLaunchFailure:
        return true;
    default:
        return false;
    }
}

/* Errors of the machine's: the program is not to blame. */
static bool is_of_machine(cudaError_t error)
{
    switch (error) {
    case cudaErrorNoKernelImageForDevice:
    case cudaErrorInvalidKernelImage:
    case cudaErrorInvalidPtx:
    case cudaErrorUnsupportedPtxVersion:
    case cudaErrorDevicesUnavailable:
    case cudaErrorInsufficientDriver:
    case cudaErrorInitializationError:
    case cudaErrorECCUncorrectable:
    case cudaErrorUnknown:
        return true;
    default:
        return false;
    }
}

static void put_place(struct rd_gpu_text *text, const struct rd_gpu_launch *launch)
{
    fputs(",\"places\":[", text->file);
    if (launch && *launch->file) {
        fputs("{\"block\":null,\"thread\":null,\"block_index\":null,\"thread_index\":null",
              text->file);
        rd_gpu_put_text(text, "op", "");
        rd_gpu_put_text(text, "file", launch->file);
        rd_gpu_put_number(text, "line", launch->line);
        rd_gpu_put_number(text, "column", 0);
        fputc('}', text->file);
    }
    fputc(']', text->file);
}

static void write_finding(const char *name, const char *message, const char *lesson,
                          const struct rd_gpu_launch *launch)
{
    struct rd_gpu_text text;
    if (!rd_gpu_begin(&text, "finding"))
        return;
    rd_gpu_put_text(&text, "name", name);
    rd_gpu_put_text(&text, "kind", "");
    rd_gpu_put_text(&text, "scope", "");
    rd_gpu_put_number(&text, "count", 1);
    rd_gpu_put_number(&text, "interval", 0);
    rd_gpu_put_text(&text, "message", message);
    rd_gpu_put_text(&text, "lesson", lesson);
    put_place(&text, launch);
    if (launch && launch->number > 0) {
        rd_gpu_put_text(&text, "kernel", launch->kernel);
        rd_gpu_put_number(&text, "launch", (long long)launch->number);
    }
    rd_gpu_write(&text, NULL, 0);
}

/* "fold at fold.cu:12". */
static void write_launch(char text[400], const struct rd_gpu_launch *launch)
{
    if (!launch)
        snprintf(text, 400, "none");
    else if (*launch->file)
        snprintf(text, 400, "%.150s at %.200s:%u", launch->kernel, launch->file, launch->line);
    else
        snprintf(text, 400, "%.300s", launch->kernel);
}

void rd_gpu_fault(cudaError_t error, const char *call, const struct rd_gpu_launch *last)
{
    static const char lesson[] = "All that the GPU does after that is void.";
    static bool is_told;
    char message[1000], launch[400];
    if (is_told ||
        !(is_of_kernel(error) || is_of_machine(error) || error == cudaErrorLaunchTimeout))
        return;
    is_told = true;
    write_launch(launch, last);
    if (is_of_machine(error)) {
        snprintf(message, sizeof message, "the GPU failed with %s (%s), as %s shows",
                 cudaGetErrorName(error), cudaGetErrorString(error), call);
        rd_gpu_lack(message);
        return;
    }
    snprintf(message, sizeof message,
             "the GPU stops a kernel with %s (%s), as %s shows; the last one launched is %s. %s",
             cudaGetErrorName(error), cudaGetErrorString(error), call, launch, lesson);
    write_finding(error == cudaErrorLaunchTimeout ? "no-termination" : "kernel-fault", message,
                  lesson, last);
}

void rd_gpu_refused(cudaError_t error, const struct rd_gpu_launch *it)
{
    static const char lesson[] = "Nothing of it runs.";
    char message[1000], launch[400];
    write_launch(launch, it);
    snprintf(message, sizeof message, "the launch of %s is refused: %s (%s). %s", launch,
             cudaGetErrorName(error), cudaGetErrorString(error), lesson);
    if (is_of_machine(error))
        rd_gpu_lack(message);
    else
        write_finding("illegal-launch", message, lesson, it);
}

void rd_gpu_runs_on(const struct rd_gpu_launch *last)
{
    static const char lesson[] = "A kernel must come to its end.";
    char message[1000], launch[400];
    write_launch(launch, last);
    snprintf(message, sizeof message,
             "a kernel still runs when the time is over; the last one launched is %s. %s", launch,
             lesson);
    write_finding("no-termination", message, lesson, last);
}
