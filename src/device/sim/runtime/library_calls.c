// SPDX-License-Identifier: MIT
/* Calls of libraries' functions by host code: on their streams, and the places that they are told with. */
#include "device/sim/api/hooks.h"
#include "device/sim/file/launch.h"
#include "device/sim/runtime/graphs.h"
#include "device/sim/source/source.h"

#include <stdlib.h>
#include <string.h>

cudaError_t rd_sim_library_do(const struct rd_sim_library_call *call)
{
    struct CUstream_st *stream = rd_sim_stream_of(call->stream);
    const struct rd_sim_task operation = {
        .type = cudaGraphNodeTypeKernel, .call = *call->call, .library = call};
    if (!stream)
        return cudaErrorInvalidResourceHandle;
    if (call->waits && stream->capture)
        return rd_sim_capture_fails(stream);
    cudaError_t error = rd_sim_submit(stream, &operation);
    if (error == cudaSuccess && call->waits)
        rd_sim_stream_await(stream);
    return error;
}

/* ---- who calls ---- */

RD_HOOK const char *rd_sim_caller(const void *pc, unsigned *line)
{
    static struct name {
        struct name *next;
        char text[];
    } * names;
    struct rd_sim_line found;
    rd_sim_runtime_enter();
    rd_sim_source_line((uintptr_t)pc, &found);
    struct name *name = names;
    while (name && strcmp(name->text, found.file) != 0)
        name = name->next;
    if (!name && (name = malloc(sizeof *name + strlen(found.file) + 1))) {
        strcpy(name->text, found.file);
        name->next = names; /* for the life of the process */
        names = name;
    }
    rd_sim_runtime_leave();
    *line = name ? found.line : 0;
    return name ? name->text : "";
}

RD_HOOK void rd_sim_instead(const char *file, unsigned line)
{
    rd_sim_runtime_enter();
    rd_sim_source_instead(file, line);
    rd_sim_runtime_leave();
}
